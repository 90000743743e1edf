# Which base is this a fine-tune of? Bases: the one, one of other values, one of more rows, one without its head, one with a weight turned.
$ python3 test/support/nearest_models.py $T; cd $T; numel diff --nearest models tuned
tuned/model.safetensors

checkpoint               tensors  same  elements  per mille  read  equal  what differs
models/base                    4     4       108        964     0      0  1 tensor that it lacks
models/other                   4     4       108        964     0      0  1 tensor that it lacks
models/deep/down/larger        4     2       108        900     0      0  2 tensors of another vocabulary, 1 tensor that it lacks
models/headless                3     3        72        765     0      0  2 tensors that it lacks
models/turned                  4     3        76        678     0      0  1 tensor of another shape, 1 tensor that it lacks

verdict  nearest of 6 checkpoints: models/base, and others as near
$ cd $T; numel diff --nearest models --values tuned -q; numel diff --nearest models --values tuned --json
models/base
{"schema": "numel.nearest/1",
 "path": "tuned/model.safetensors",
 "dir": "models",
 "compared": 6,
 "unreadable": 0,
 "nearest": [
  {"path":"models/base","tensors":4,"same":4,"elements":108,"thousandths":964,"vocabulary":0,"reshaped":0,"lacking":1,"more":0,"sampled":4,"equal":4},
  {"path":"models/headless","tensors":3,"same":3,"elements":72,"thousandths":765,"vocabulary":0,"reshaped":0,"lacking":2,"more":0,"sampled":3,"equal":3},
  {"path":"models/turned","tensors":4,"same":3,"elements":76,"thousandths":678,"vocabulary":0,"reshaped":1,"lacking":1,"more":0,"sampled":3,"equal":3},
  {"path":"models/deep/down/larger","tensors":4,"same":2,"elements":108,"thousandths":900,"vocabulary":2,"reshaped":0,"lacking":1,"more":0,"sampled":2,"equal":2},
  {"path":"models/other","tensors":4,"same":4,"elements":108,"thousandths":964,"vocabulary":0,"reshaped":0,"lacking":1,"more":0,"sampled":4,"equal":0}]}
# positions and classes are no tokens
$ cd $T; numel diff --nearest pictures picture | sed -n 3,4p
checkpoint       tensors  same  elements  per mille  read  equal  what differs
pictures/larger        3     1        16        170     0      0  2 tensors of another shape
# nothing is near; what cannot be read is counted; one checkpoint is asked about
$ cd $T; numel diff --nearest models/stranger tuned
tuned/model.safetensors

verdict  none of 1 checkpoint is near
[1]
$ cd $T; mkdir models/cut; echo '{' >models/cut/model.safetensors; numel diff --nearest models tuned >out; echo $?; tail -1 out
numel: 1 of the folder could not be read
5
verdict  nearest of 6 checkpoints: models/base, and others as near
$ cd $T; numel diff --nearest models/base models/base
models/base/model.safetensors

verdict  none of 0 checkpoints is near
[1]
$ cd $T; numel diff --nearest models tuned models/base
numel: diff --nearest DIR takes one checkpoint
[2]
$ cd $T; numel diff --nearest nowhere tuned
numel: nowhere: no such folder
[3]

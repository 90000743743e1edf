# Which base was this fine-tuned from? Candidates: the base, one with other values, one with more rows, one without
# its head, one with a transposed weight.
$ python3 test/support/nearest_models.py $T; cd $T; numel diff --nearest models tuned
tuned/model.safetensors

checkpoint               tensors  same  elements  per mille  read  equal  alike  difference
models/base                    4     4       108        964     0      0      0  1 tensor that it lacks
models/other                   4     4       108        964     0      0      0  1 tensor that it lacks
models/deep/down/larger        4     2       108        900     0      0      0  2 tensors of another vocabulary, 1 tensor that it lacks
models/headless                3     3        72        765     0      0      0  2 tensors that it lacks
models/turned                  4     3        76        678     0      0      0  1 tensor of another shape, 1 tensor that it lacks

verdict  nearest of 6 checkpoints: models/base, and others as near
$ cd $T; numel diff --nearest models --values tuned -q; numel diff --nearest models --values tuned --json
models/base
{"schema": "numel.nearest/1",
 "path": "tuned/model.safetensors",
 "dir": "models",
 "compared": 6,
 "unreadable": 0,
 "nearest": [
  {"path":"models/base","tensors":4,"same":4,"elements":108,"thousandths":964,"vocabulary":0,"reshaped":0,"lacking":1,"more":0,"sampled":3,"equal":3,"alike":3,"undecoded":0},
  {"path":"models/headless","tensors":3,"same":3,"elements":72,"thousandths":765,"vocabulary":0,"reshaped":0,"lacking":2,"more":0,"sampled":2,"equal":2,"alike":2,"undecoded":0},
  {"path":"models/turned","tensors":4,"same":3,"elements":76,"thousandths":678,"vocabulary":0,"reshaped":1,"lacking":1,"more":0,"sampled":2,"equal":2,"alike":2,"undecoded":0},
  {"path":"models/deep/down/larger","tensors":4,"same":2,"elements":108,"thousandths":900,"vocabulary":2,"reshaped":0,"lacking":1,"more":0,"sampled":1,"equal":1,"alike":1,"undecoded":0},
  {"path":"models/other","tensors":4,"same":4,"elements":108,"thousandths":964,"vocabulary":0,"reshaped":0,"lacking":1,"more":0,"sampled":3,"equal":0,"alike":0,"undecoded":0}]}
# further trained, in every weight, and in another type: it resembles its base, and no other; a norm of all ones
# carries no information
$ cd $T; numel diff --nearest models --values drifted | sed -n 3,7p; numel diff --nearest models --values halved -q
checkpoint               tensors  same  elements  per mille  read  equal  alike  difference
models/base                    4     4       108      1,000     3      0      3  the same names and shapes
models/headless                3     3        72        800     2      0      2  1 tensor that it lacks
models/turned                  4     3        76        703     2      0      2  1 tensor of another shape
models/deep/down/larger        4     2       108        931     1      0      1  2 tensors of another vocabulary
models/base
# positions and classes are not tokens
$ cd $T; numel diff --nearest pictures picture | sed -n 3,4p
checkpoint       tensors  same  elements  per mille  read  equal  alike  difference
pictures/larger        3     1        16        170     0      0      0  2 tensors of another shape
# no candidate is similar; unreadable ones are counted; only one checkpoint may be given
$ cd $T; numel diff --nearest models/stranger tuned
tuned/model.safetensors

verdict  none of 1 checkpoint is near
[1]
$ cd $T; mkdir models/cut; echo '{' >models/cut/model.safetensors; numel diff --nearest models tuned >out; echo $?; tail -1 out
numel: 1 of the checkpoints in the folder could not be read
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
# a GGUF file against safetensors, and the reverse: by the names that the specification has for both
$ mkdir $T/near; cp -r fixtures/llama-3.1-8b fixtures/llama-2-7b fixtures/qwen3-0.6b $T/near; cp -r fixtures/llama-3.1-8b-q4_k_m $T; cd $T; numel diff --nearest near llama-3.1-8b-q4_k_m
llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst

checkpoint         tensors  same       elements  per mille  read  equal  alike  difference
near/llama-3.1-8b      291   291  8,030,261,248        999     0      0      0  1 tensor that it lacks
near/llama-2-7b        291   129  1,336,152,064        180     0      0      0  2 tensors of another vocabulary, 160 tensors of another shape, 1 tensor that it lacks

verdict  nearest of 3 checkpoints: near/llama-3.1-8b
# values in blocks are not read, and it says so
$ cd $T; numel diff --nearest near --values llama-3.1-8b-q4_k_m | tail -5
checkpoint         tensors  same       elements  per mille  read  equal  alike  difference
near/llama-3.1-8b      291   291  8,030,261,248        999     0      0      0  1 tensor that it lacks, 226 tensors of blocks (block numbers not compared)
near/llama-2-7b        291   129  1,336,152,064        180     0      0      0  2 tensors of another vocabulary, 160 tensors of another shape, 1 tensor that it lacks, 64 tensors of blocks (block numbers not compared)

verdict  nearest of 3 checkpoints by names and shapes: near/llama-3.1-8b
$ numel diff --nearest fixtures/llama-3.1-8b-q4_k_m fixtures/llama-3.1-8b -q
fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst
# the only candidate has the shapes, but other values
$ cd $T; numel diff --nearest models/other --values tuned | tail -1
verdict  nearest of 1 checkpoint by names and shapes: models/other; its values are unlike those

# PyTorch files: the tensor table, without running the pickle. The same model as .bin, in shards, by the old format, and next to safetensors.
$ cd $T; tar xJf "$OLDPWD/fixtures/pytorch/cases.tar.xz"; numel llama-bin
llama-bin/pytorch_model.bin
format        pytorch
architecture  llama (LlamaForCausalLM, by config.json)
parameters    4,944 (4.94 K)
context       64 tokens (max_position_embeddings)
size          16.82 KiB
tensors       21
elements      4,944 (4.94 K)
types         BF16
bytes         17,222 = header 2,171 + data 9,888 + padding 5,163
verdict       agrees with llama: 4,944 parameters

name                               shape          each  elements   share    bytes
lm_head.weight                     [32, 16]                  512  10.4 %  1.0 KiB
model.embed_tokens.weight          [32, 16]                  512  10.4 %  1.0 KiB
model.layers.[0-1]                           2 x 1,952     3,904  79.0 %  7.6 KiB
  input_layernorm.weight           [16]         2 x 16        32   0.6 %     64 B
  mlp.down_proj.weight             [16, 24]    2 x 384       768  15.5 %  1.5 KiB
  mlp.gate_proj.weight             [24, 16]    2 x 384       768  15.5 %  1.5 KiB
  mlp.up_proj.weight               [24, 16]    2 x 384       768  15.5 %  1.5 KiB
  post_attention_layernorm.weight  [16]         2 x 16        32   0.6 %     64 B
  self_attn.k_proj.weight          [8, 16]     2 x 128       256   5.2 %    512 B
  self_attn.o_proj.weight          [16, 16]    2 x 256       512  10.4 %  1.0 KiB
  self_attn.q_proj.weight          [16, 16]    2 x 256       512  10.4 %  1.0 KiB
  self_attn.v_proj.weight          [8, 16]     2 x 128       256   5.2 %    512 B
model.norm.weight                  [16]                       16   0.3 %     32 B
$ cd $T; numel -q llama-shards; numel reconcile llama-shards | tail -8; numel verify llama-legacy
4944
stored            21     4,944
unexplained                  0

agrees: all expected tensors are present, and no others

parameters     4,944 (4.94 K)
non-embedding  4,432 (4.43 K)
active         4,944 (4.94 K)
llama-legacy/pytorch_model.bin
levels  header, size, index, config

file                bytes  tensors
pytorch_model.bin  13,032       21  ok

note  pickle  pytorch_model.bin:0: a pickle: loading it can run code, and
              transformers loads it with use_safetensors=False, or if there is
              no .safetensors; delete it if you do not need it

complete: 1 file, 21 tensors; checksums not checked
$ cd $T; numel llama-both | tail -3; numel diff llama-both/pytorch_model.bin llama-both/model.safetensors

also here          not counted      files      size
pytorch_model.bin  PyTorch weights      1  16.8 KiB
a         llama-both/pytorch_model.bin
b         llama-both/model.safetensors
compared  by name; headers only

cause        tensors  elements    bytes
a                 21     4,944  9.6 KiB
b                 21     4,944  9.6 KiB
unexplained                  0

values not compared (--values does)
equal: 21 tensors of the same name, shape and dtype
$ cd $T; numel diff --values llama-bin llama-legacy | tail -2; numel hash llama-bin llama-legacy llama-both | grep content
equal: 21 tensors of the same name, shape and dtype
values: identical bits in 21 tensors
content   7ba1f6290fb3ab7c45f9820579e8bde5887d43420732dd632c68ef7d959ccc83  llama-bin/pytorch_model.bin
content   7ba1f6290fb3ab7c45f9820579e8bde5887d43420732dd632c68ef7d959ccc83  llama-legacy/pytorch_model.bin
content   7ba1f6290fb3ab7c45f9820579e8bde5887d43420732dd632c68ef7d959ccc83  llama-both/model.safetensors
# a training checkpoint: the names of state_dict stand for themselves, the optimizer's keep their path; numbers are metadata
$ cd $T; numel tensors lightning.ckpt; numel meta lightning.ckpt; numel identify lightning.ckpt
name                                   type  shape   elements  bytes  offset
bias                                   F32   [3]            3     12    2048
optimizer_states.0.state.0.exp_avg     F32   [3, 4]        12     48    2304
optimizer_states.0.state.0.exp_avg_sq  F32   [3, 4]        12     48    2432
optimizer_states.0.state.0.step        F32   []             1      4    2176
optimizer_states.0.state.1.exp_avg     F32   [3]            3     12    2688
optimizer_states.0.state.1.exp_avg_sq  F32   [3]            3     12    2816
optimizer_states.0.state.1.step        F32   []             1      4    2560
weight                                 F32   [3, 4]        12     48    1920
key                        type    value
epoch                      i64     3
global_step                i64     100
pytorch-lightning_version  string  2.1.0
hparams.lr                 f64     0.0001
lightning.ckpt  PyTorch, 8 tensors, 47 elements: training checkpoint, of weights (2 tensors), optimizer (4 tensors), steps (2 tensors)
# tensors that share a storage, and those that are turned
$ cd $T; mkdir v; cp views.pt v; numel tensors v/views.pt; numel verify v/views.pt | grep -A1 storage-shared; numel verify --values v/views.pt | grep -A1 value-unread; numel hash v/views.pt | sed -n 's/^sha256 .*views.pt://p'
name    type  shape   elements  bytes  offset
a       F32   [4, 6]        24     96    1024
column  F32   [4]            4     16
none    F32   [0, 6]         0      0    1024
rows    F32   [2, 6]        12     48    1048
same    F32   [4, 6]        24     96    1024
turned  F32   [6, 4]        24     96
wide    F32   [3, 6]        18     72
note  storage-shared   views.pt: 7 tensors share 1 storage: 340 bytes are stored
                       once, counted for each
note  value-unread     the values of 3 tensors were not read: their elements are
                       not one range of a file
a
same
none
rows
# numel-manifest 1
# bytes 1947  v/view
7fc62d94725c5f8f3491iews.pt
sha256    0b882f23779da5f  v/views.pt:a
sha256    0b882f23779da5f  v/views.pt:same
sha256    e3b0c442982b855  v/views.pt:none
sha256    de80945be586cbb  v/views.pt:rows
# what needs code is said, never run
$ cd $T; mkdir o; cp opaque.ckpt o; numel -q o; numel verify o; numel module.pt; numel script.pt; numel identify module.pt script.pt
2
o/opaque.ckpt
levels  header, size, index, config

file         bytes  tensors
opaque.ckpt  1,885        1  1 warning

warning  needs-code  opaque.ckpt:64: needs code, which numel does not run: ema
                     is their.code.Opaque; 1 tensor in it not read

note  storage-unused   opaque.ckpt: 12 bytes of storages are no tensor's
note  model-unchecked  the tensors were not compared with a formula: no
                       configuration (--config FILE, or --arch NAME with --set
                       SYM=N)
note  pickle           opaque.ckpt:0: a pickle in a zip: loading it can run
                       code, and Lightning and from_single_file() load it;
                       delete it if you do not need it; it imports
                       their.code.Opaque

complete: 1 file, 1 tensor, 1 warning; checksums not checked
numel: module.pt:64: is a PyTorch file without tensors that can be read without running code (torch.nn.modules.linear.Linear): save a state_dict() instead
numel: script.pt:0: is TorchScript, a program with its weights: save its state_dict() instead
module.pt  PyTorch checkpoint, a pickle in a zip: loading it may run code, 8 entries
script.pt  PyTorch checkpoint, a pickle in a zip: loading it may run code, 9 entries
# the CRC of each record
$ cd $T; mkdir d; cp llama-bin/* d; printf x | dd of=d/pytorch_model.bin bs=1 seek=9000 conv=notrunc 2>&- ; numel verify d -q; echo $?; numel verify --level hash d
0
d/pytorch_model.bin
levels  header, size, index, config, hash

file                bytes  tensors
pytorch_model.bin  17,222       21  1 error

file               checksum
pytorch_model.bin  not known

error  record-damaged  pytorch_model.bin:8752: the record
                       'pytorch_model/data/10' has CRC-32 0921dace, the zip says
                       0ca35822

note  pickle        pytorch_model.bin:0: a pickle in a zip: loading it can run
                    code, and transformers loads it with use_safetensors=False,
                    or if there is no .safetensors; delete it if you do not need
                    it
note  hash-unknown  pytorch_model.bin: no checksum was found for it on this
                    disk: its data is not checked

damaged: 1 error, 0 warnings
download 'pytorch_model.bin' again
[1]
# what is not done: no header-only copy, no pipe for a zip, no other format's name
$ cd $T; numel behead llama-bin out 2>&1 | head -1; cat llama-bin/pytorch_model.bin | numel -; cat llama-legacy/pytorch_model.bin | numel -q -; cp llama-bin/pytorch_model.bin m.safetensors; numel m.safetensors
numel: llama-bin/pytorch_model.bin: a PyTorch file has no copy of its header alone: it is read from both ends
numel: -:0: is a zip archive, which is read from its end: not from a pipe
4944
numel: m.safetensors:0: is a zip archive, most likely a PyTorch pickle (.bin, .pt) or a .npz: numel reads those of PyTorch, under a name such as .bin; loading a pickle runs code: convert it to safetensors
[3]
# an interrupted download, and a shard that is gone
$ cd $T; mkdir c; head -c 9000 llama-bin/pytorch_model.bin >c/cut.bin; numel c/cut.bin; head -c 9000 llama-legacy/pytorch_model.bin >c/old.bin; numel verify c/old.bin | grep -A4 ^error; rm llama-shards/*2-of-*.bin; numel verify llama-shards -q
numel: c/cut.bin:9000: the zip archive is truncated: its directory is missing
error  data-missing  old.bin:9000: 3,976 bytes short: tensors
                     'model.layers.1.self_attn.k_proj.weight' to
                     'model.layers.0.mlp.up_proj.weight' (8) are past the end,
                     the last one ends at 13032, the file at 9000
[1]
# a storage that the pickle names and the zip lacks
$ hex fixtures/bad/pytorch/SYNTAX@231--record-missing.hex > $T/lacking.pt; cd $T; numel verify lacking.pt | grep ^error
error  storage-missing  lacking.pt:231: storage '0': the zip has no record of it

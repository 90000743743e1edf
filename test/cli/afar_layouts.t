# Repositories with the files and folders of published ones (test/cli/remote/layouts.py), read from afar: what is
# found, what is fetched and what is not. A Llama there has 115,008 parameters, one in GGUF 1,443,072.
$ python3 test/cli/remote/layouts.py $T/hub llama-3.1-8b llama-2-70b mistral-7b gpt2 bin-shards config-only nothing bartowski unsloth lora training repackaged whisper trust names; sh test/cli/remote/publish.sh fixtures/gpt2 $T/hub/org/gpt2
# Llama: shards, and Meta's own files in a folder. Of both only headers are fetched.
$ STAND_IN_LOG=$T/log numel list hf://org/llama-3.1-8b 2>/dev/null; sed -n 's:.*@[0-9a-f]*/::p' $T/log | sort
name                          architecture  parameters  quantization   bits       size  files  verdict
llama-3.1-8b                  llama           115.01 K  BF16          16.00  226.7 KiB      2  agrees
original/consolidated.00.pth  llama           115.01 K  BF16          16.00  231.0 KiB      1  agrees

total  2 checkpoints, 3 files, 457.7 KiB (0 B on disk), 230.02 K parameters
config.json
generation_config.json
model-00001-of-00002.safetensors
model-00002-of-00002.safetensors
model.safetensors.index.json
original/consolidated.00.pth
original/consolidated.00.pth
original/params.json
tokenizer_config.json
# Meta's files by rank: none is the model, so none disagrees with it. One alone would.
$ numel list hf://org/llama-2-70b 2>/dev/null; numel hf://org/llama-2-70b/consolidated.01.pth 2>/dev/null | sed -n 3p; numel verify hf://org/llama-2-70b/consolidated.00.pth 2>/dev/null | grep -A 1 unchecked; numel reconcile -q hf://org/llama-2-70b/consolidated.00.pth
name                 architecture  quantization   bits       size  files  verdict
consolidated.00.pth  llama         BF16          16.00  119.0 KiB      1  unknown
consolidated.01.pth  llama         BF16          16.00  119.0 KiB      1  unknown

total  2 checkpoints, 2 files, 238.0 KiB (0 B on disk), 115.33 K elements in 2 checkpoints of unknown architecture
architecture  llama, one of 2 files with a part of every matrix (by params.json)
note  model-unchecked  the tensors were not compared with a formula: the file is
                       one of 2, each with a part of every matrix
[4]
$ rm $T/hub/org/llama-2-70b/consolidated.01.pth; numel reconcile -q hf://org/llama-2-70b
0
[1]
# Mistral: the same weights twice
$ numel list hf://org/mistral-7b 2>/dev/null; numel verify hf://org/mistral-7b 2>/dev/null | grep -A 4 unindexed
name                          architecture  parameters  quantization   bits       size  files  verdict
model.safetensors.index.json  mistral         115.01 K  BF16          16.00  226.7 KiB      3  agrees
consolidated.safetensors      mistral         115.01 K  BF16          16.00  226.5 KiB      1  agrees

total  2 checkpoints, 4 files, 453.3 KiB (0 B on disk), 230.02 K parameters
note  file-unindexed  consolidated.safetensors: 'consolidated.safetensors' is
                      next to the shards, but is not in the index: by its name
                      the same weights again, in their original form; loaders
                      read one of the two
# GPT-2 in eight formats: one is read
$ STAND_IN_LOG=$T/log2 numel -q hf://org/gpt2 2>/dev/null; sed -n 's:.*@[0-9a-f]*/::p' $T/log2 | sort; numel hf://org/gpt2 2>/dev/null | sed -n '/^also/,/^$/p'
137022720
config.json
generation_config.json
model.safetensors
onnx/config.json
tokenizer_config.json
also here           not counted                 files       size
64.tflite           TensorFlow Lite model           1  522.7 MiB
flax_model.msgpack  Flax weights (MessagePack)      1  522.7 MiB
pytorch_model.bin   PyTorch weights                 1  522.7 MiB
rust_model.ot       rust-bert weights               1  522.7 MiB
tf_model.h5         Keras weights                   1  522.7 MiB
onnx                ONNX model                      1  522.7 MiB
# only files of PyTorch, with an index
$ numel reconcile hf://org/bin-shards 2>/dev/null | grep -E '^(cause|stored|agrees)'; numel verify -q hf://org/bin-shards && echo complete
cause        tensors  elements
stored            21   115,008
agrees: all expected tensors are present, and no others
complete
# a configuration and nothing else; reports on tensors have none
$ for c in show memory formula print; do numel $c hf://org/config-only 2>/dev/null | head -2; done; numel formula -q hf://org/config-only; numel explain -q 115008 hf://org/config-only; numel reconcile hf://org/config-only
architecture  llama (by hf://org/config-only/config.json)

hf://org/config-only/config.json
architecture     llama (by hf://org/config-only/config.json)
architecture  llama (by hf://org/config-only/config.json)

LlamaForCausalLM(
  (model): LlamaModel(
115008
0
numel: hf://org/config-only: no .safetensors, .gguf or PyTorch files found in this folder
numel: 508 bytes fetched in 2 requests
[3]
# no file at all
$ numel hf://org/nothing; numel list -q hf://org/nothing
numel: hf://org/nothing: the repository has no files
numel: 139 bytes fetched in 1 request
numel: hf://org/nothing: the repository has no files
[3]
# GGUF in many quantizations, next to each other, or in folders and split
$ numel list hf://org/bartowski hf://org/unsloth 2>/dev/null; numel hf://org/unsloth 2>/dev/null | sed -n '/^also/,/^$/p'
name                               architecture  parameters  quantization   bits       size  files  verdict
hf://org/bartowski/Tiny-Q4_0.gguf  llama             1.44 M  Q4_0           4.52  798.6 KiB      1  agrees
hf://org/bartowski/Tiny-Q8_0.gguf  llama             1.44 M  Q8_0           8.52    1.4 MiB      1  agrees
hf://org/bartowski/Tiny-f16.gguf   llama             1.44 M  F16           16.01    2.7 MiB      1  agrees
hf://org/unsloth/Tiny-Q6_K.gguf    llama             1.44 M  Q6_K           6.59    1.1 MiB      1  agrees
hf://org/unsloth/BF16              llama             1.44 M  BF16          16.01    2.7 MiB      2  agrees
hf://org/unsloth/Q8_0              llama             1.44 M  Q8_0           8.52    1.4 MiB      2  agrees

total  6 checkpoints, 8 files, 10.3 MiB (0 B on disk), 8.66 M parameters
also here  not counted  files     size
BF16       GGUF             2  2.7 MiB
Q8_0       GGUF             2  1.4 MiB
$ numel hf://org/unsloth/BF16 2>/dev/null | head -4; numel identify hf://org/unsloth/BF16 2>/dev/null
hf://org/unsloth/BF16
format        gguf v3, 2 files
architecture  llama (by metadata)
parameters    1,443,072 (1.44 M)
hf://org/unsloth/BF16/Tiny-BF16-00001-of-00002.gguf  GGUF v3, header-only copy, 11 tensors, 721,664 elements: language model (llama)
hf://org/unsloth/BF16/Tiny-BF16-00002-of-00002.gguf  GGUF v3, header-only copy, 10 tensors, 721,408 elements
# an adapter, its checkpoints in a folder, and its base, which is elsewhere too
$ numel reconcile --base hf://org/llama-3.1-8b hf://org/lora 2>/dev/null
hf://org/lora/adapter_model.safetensors

adapter     lora, rank 8, alpha 16
family      llama of width 64, 2 layers (the sizes also fit qwen3, qwen3moe, gemma2, gemma3, phi2, olmo2, cohere2, glm4, gpt-oss, starcoder2, minimax-m2)
base        org/tiny
trained     3,584 parameters in 4 modules
changes     12,288 base weights; the adapter has 29.17 % as many
base model  115,008 parameters; the adapter has 3.12 % as many

target  modules  rank  parameters  base weights
q_proj        2     8       2,048         8,192
v_proj        2     8       1,536         4,096

agrees: 8 tensors, complete for their method, with the sizes of that family

also here       not counted                                           files      size
checkpoint-100  a training checkpoint: safetensors, optimizer states      2  15.7 KiB
$ numel reconcile -q --base hf://org/bartowski/Tiny-Q8_0.gguf hf://org/lora 2>&1
[1]
# what a trainer leaves: listed with sizes, not fetched
$ STAND_IN_LOG=$T/log3 numel hf://org/training 2>/dev/null | sed -n '/^also/,/^$/p'; grep -c -E 'bin|pth?$' $T/log3; numel list hf://org/training 2>/dev/null | cut -c 1-60
also here        not counted                                                             files       size
checkpoint-500   a training checkpoint, LlamaForCausalLM: safetensors, optimizer states      2  676.1 KiB
checkpoint-1000  a training checkpoint, LlamaForCausalLM: safetensors, optimizer states      2  676.1 KiB

0
name             architecture  parameters  quantization   bi
training         llama           115.01 K  BF16          16.
checkpoint-500   llama           115.01 K  BF16          16.
checkpoint-1000  llama           115.01 K  BF16          16.

total  3 checkpoints, 3 files, 680.2 KiB (0 B on disk), 345.
# folders in a folder only
$ numel -q hf://org/repackaged
115008
288
# a variant with an index of its own
$ numel list hf://org/whisper 2>/dev/null
name                               architecture  parameters  quantization   bits       size  files  verdict
model.safetensors.index.fp32.json  llama           115.01 K  F32           32.00  451.3 KiB      2  agrees
model.safetensors                  llama           115.01 K  BF16          16.00  226.7 KiB      1  agrees

total  2 checkpoints, 3 files, 678.1 KiB (0 B on disk), 230.02 K parameters
# code, figures, other programs' weights
$ numel verify hf://org/trust 2>/dev/null; numel hf://org/trust 2>/dev/null | sed -n '/^also/,/^$/p'
hf://org/trust
levels  header, size, index, config

file                               bytes  tensors
model-00001-of-00004.safetensors  82,560        6  ok
model-00002-of-00004.safetensors  45,968        6  ok
model-00003-of-00004.safetensors  62,208        6  ok
model-00004-of-00004.safetensors  41,512        3  ok

note  data-absent  only headers were fetched: the tensor data was not read
note  remote-code  config.json:364: AutoModel is class LlamaModel of
                   modeling_x.py: with trust_remote_code=True that code runs;
                   read it first
note  code-file    inference/model.py: Python code: with trust_remote_code=True
                   loaders run it if a configuration names it; read it first
note  code-file    modeling_x.py: Python code: with trust_remote_code=True
                   loaders run it if a configuration names it; read it first

complete as far as headers show: 4 files, 21 tensors; checksums not checked
also here                        not counted  files      size
coreml/a.mlpackage/Data/weights  binary data      1    1000 B
metal                            binary data      1  12.8 GiB
openvino                         binary data      1    1000 B
# names with blanks, signs, other alphabets; a name that is a URL's in part
$ numel list hf://org/names 2>/dev/null; numel -q 'hf://org/names/my%20model%20%231%20100%25%20%C3%BC%20%E6%A8%A1%E5%9E%8B.safetensors' 'hf://org/names/Q8 (M)/model+v1?.gguf'
name                                 architecture  parameters  quantization   bits       size  files  verdict
my model #1 100% ü 模型.safetensors  llama           115.01 K  BF16          16.00  226.7 KiB      1  agrees
Q8 (M)/model+v1?.gguf                llama             1.44 M  Q8_0           8.52    1.4 MiB      1  agrees

total  2 checkpoints, 2 files, 1.6 MiB (0 B on disk), 1.56 M parameters
115008
1443072
# all reports on one model, the same as of a local copy but for its name
$ cd $T/hub; for c in 'show -q' reconcile 'memory -q' formula print meta tensors 'explain 115008'; do numel $c hf://org/llama-3.1-8b 2>/dev/null | sed 's,hf://,,g' | tr -s ' ' | grep -v -e not.read -e data-absent -e complete >../1; numel $c org/llama-3.1-8b | tr -s ' ' | grep -v -e data-absent -e complete >../2; cmp ../1 ../2 && echo $c; done; numel diff -q org/llama-3.1-8b hf://org/llama-3.1-8b; echo $?
show -q
reconcile
memory -q
formula
print
meta
tensors
explain 115008
0
0

# --save: header-only copies of what was read, as behead writes them, with any report
$ cd $T; numel list --save kept hf://org/llama-3.1-8b | tail -1; ls kept; numel -q kept; numel behead -q hf://org/llama-3.1-8b same; diff -r kept same
numel: 142564 bytes fetched in 10 requests
total  2 checkpoints, 3 files, 457.7 KiB (0 B on disk), 230.02 K parameters
config.json
model-00001-of-00002.safetensors.head.zst
model-00002-of-00002.safetensors.head.zst
model.safetensors.index.json
115008
# nothing is overwritten; what behead refuses is refused; there is one model
$ cd $T; numel -q --save kept hf://org/llama-3.1-8b; numel -q --save other hf://org/bin-shards; numel -q --save other hf://org/config-only; ls other; numel -q --save other hf://org/llama-3.1-8b hf://org/lora; numel -q --save other kept; echo x >file; numel -q --save file hf://org/llama-3.1-8b; numel -q --save file/x hf://org/llama-3.1-8b; cat file
numel: kept/model-00001-of-00002.safetensors.head.zst: exists already, and is not overwritten (behead --force does)
numel: hf://org/bin-shards/pytorch_model-00001-of-00002.bin: a PyTorch file has no copy of its header alone: it is read from both ends
numel: hf://org/config-only: no .safetensors, .gguf or PyTorch files found in this folder
ls: cannot access 'other': No such file or directory
numel: --save keeps one remote model: give one hf:// or https:// path
numel: --save keeps a remote model: give its hf:// or https:// path
numel: file/model-00001-of-00002.safetensors.head.zst: cannot write into: Not a directory
numel: file/x/model-00001-of-00002.safetensors.head.zst: cannot create: Not a directory
x

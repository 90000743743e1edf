# numel identify: one line for any input.
$ cd $T; for f in html-page json-error-page zip pickle lfs-pointer legacy-ggjt empty all-zero gzip text-entry-not-found; do hex "$OLDPWD/fixtures/bad/other/FORMAT@0--$f.hex" > $f; done; numel identify .
all-zero              begins with 64 zero bytes: the space was allocated, but the data never arrived; download it again
empty                 is empty (0 bytes): the download has not begun, download it again
gzip                  a gzip file
html-page             is an HTML page ('<!DOCTYPE html>'): the download saved a web page instead: log in, accept the licence, or use the direct link to the file
json-error-page       is a server's response ('Repository not found'), not the file: log in, accept the licence, or download it again
legacy-ggjt           a legacy ggml file (magic 'ggjt', before GGUF)
lfs-pointer           is a Git LFS pointer to 9,976,576,152 bytes, not the file: run 'git lfs pull', or download it again
pickle                a pickle, most likely an old PyTorch checkpoint: loading it may run code
text-entry-not-found  is plain text ('Entry not found'): a server's response, or a link saved as text: download the file again
zip                   the zip archive is truncated: its directory is missing
[1]
$ hex fixtures/good/safetensors/f32-one.hex > $T/x.incomplete; cd $T; numel identify x.incomplete; numel x.incomplete
x.incomplete  safetensors, 1 tensor, 2 elements, with errors (see 'numel verify')
x.incomplete
format        safetensors
architecture  unknown, no configuration
size          70 B
tensors       1
elements      2
types         F32
bytes         70 = header 62 + data 8
verdict       incomplete: the name says that the download is unfinished (.incomplete): resume or repeat it

name  shape  elements    share  bytes
a     [2]           2  100.0 %    8 B

error  download-incomplete  the name says that the download is unfinished (.incomplete): resume or repeat it
[1]
$ numel identify fixtures/llama-2-7b
fixtures/llama-2-7b/config.json                                configuration: LlamaForCausalLM (llama)
fixtures/llama-2-7b/model-00001-of-00002.safetensors.head.zst  safetensors, header-only copy, 217 tensors, 4,988,272,640 elements
fixtures/llama-2-7b/model-00002-of-00002.safetensors.head.zst  safetensors, header-only copy, 74 tensors, 1,750,142,976 elements
fixtures/llama-2-7b/model.safetensors.index.json               safetensors shard index, 2 shards, 291 tensors
$ numel identify $T | wc -l
11
$ numel identify --json fixtures/gpt2
{"schema": "numel.identify/1",
 "files": [
  {"path":"fixtures/gpt2/config.json","description":"configuration: GPT2LMHeadModel (gpt2)","code":"OK","kind":"config","judgement":null},
  {"path":"fixtures/gpt2/model.safetensors.head.zst","description":"safetensors, header-only copy, 160 tensors, 137,022,720 elements: language model (gpt2, GPT2LMHeadModel)","code":"OK","kind":"weights","judgement":{"kind":"model","verdict":"agrees","architecture":"gpt2","name":"GPT2LMHeadModel","known_by":"configuration","causes":[]}}]}

# a healthy folder with every kind of file: each is identified, and the status is 0
$ dl=$PWD/test/support/download.py; mkdir $T/h; cd $T/h; python3 $dl healthy .; numel identify .
.gitattributes                    Git attributes, 1 line
1_Pooling/config.json             configuration, 1 key
LICENSE                           licence, 1 line
README.md                         model card, 5 lines
__init__.py                       Python code, empty
adapter_config.json               adapter configuration: LORA, base org/base
added_tokens.json                 added tokens, 1 key
answers                           JSON, 1 key
arrays.npz                        NumPy arrays (.npz), 1 entry
chat_template.jinja               chat template, 11 lines
config.json                       configuration: LlamaForCausalLM (llama)
events.out.tfevents.1             TensorBoard log, 9 bytes
flax_model.msgpack                Flax weights (MessagePack), 5 bytes
generation_config.json            generation settings, 3 keys
lib.so                            a program (ELF)
merges.txt                        BPE merges, 2 lines
model.onnx                        ONNX model, 15 bytes
model.safetensors                 safetensors, 12 tensors, 824 elements: language model (llama, LlamaForCausalLM)
model_index.json                  pipeline: XPipeline (diffusers)
modeling_x.py                     Python code, 1 line
modules.json                      sentence-transformers modules, 1 item
new.pkl                           a pickle: loading it may run code
notes                             text, 2 lines
old.pkl                           a pickle of protocol 0 or 1: loading it may run code
optimizer.pt                      optimizer states: PyTorch checkpoint, a pickle in a zip: loading it may run code, 3 entries
paper.pdf                         a PDF document
params.json                       parameters in the form of Meta and Mistral
photo.jpg                         a JPEG image
picture.png                       a PNG image
preprocessor_config.json          preprocessor settings: CLIPImageProcessor
processor_config.json             processor settings: LlavaProcessor
pytorch_model-00001-of-00001.bin  PyTorch checkpoint, a pickle in a zip: loading it may run code, 3 entries
pytorch_model.bin.index.json      shard index of PyTorch pickles, 1 shard, 1 tensor
special_tokens_map.json           special tokens, 1 key
strange.xyz                       unknown: binary data, 5 bytes, beginning with 01 02 03 00 ff
table.parquet                     a Parquet table
tf_model.h5                       an HDF5 file (Keras .h5)
tiktoken/tokenizer.model          tiktoken vocabulary, 2 lines
tokenizer.json                    tokenizer: BPE, 16 tokens
tokenizer.model                   SentencePiece model, 3 pieces
tokenizer_config.json             tokenizer settings: LlamaTokenizer, with a chat template
trainer_state.json                trainer state: step 1,000
training_args.bin                 training arguments: PyTorch checkpoint, a pickle in a zip: loading it may run code, 3 entries
unet/config.json                  configuration: UNet2DConditionModel (diffusers)
vocab.json                        vocabulary, 100 tokens
voice.wav                         a WAV recording
# its neighbours: each of these is damaged, and named on its own line
$ mkdir $T/n; cd $T/n || exit; for f in config.json tokenizer.model pytorch_model.bin modeling.py a.png README.md .gitattributes blob; do cp ../lfs-pointer $f; numel identify -q $f >q; echo "$f $?"; done | grep -v ' 1$'
[1]
$ cd $T/n || exit; for f in tokenizer.json model.bin LICENSE x.py b.png x; do cp ../html-page $f; numel identify -q $f >q; echo "$f $?"; done | grep -v ' 1$'
[1]
$ cd $T/n || exit; for f in vocab.json merges.txt e.safetensors x.py model.bin README.md; do : > $f; numel identify -q $f >q; echo "$f $?"; done | grep -v ' 1$'
[1]
$ cd $T/n || exit; rm * .gitattributes; printf '{"model_type":"llama",' > config.json; printf '{}\n{}' > tokenizer_config.json; printf '[]' > adapter_config.json; printf '\357\273\277{}' > modules.json; printf '{"a": nan}' > b.json; printf 'Entry not found' > c.bin; printf '{"error": "Not found"}' > d.json; gzip -n < config.json > gz.json; cp ../h/picture.png p.json; head -c 100 ../h/optimizer.pt > cut.pt; head -c 17 ../h/tokenizer.model > tokenizer.model; cp ../h/optimizer.pt o.safetensors; head -c 4000 ../h/model.safetensors > m.safetensors; echo text > t.pt; printf 'a\000b' > x.py; head -c 9000 /dev/zero > z.bin; echo '{"weight_map":{' > a.index.json; numel identify .
a.index.json           is invalid JSON: expected a string, the JSON text ends (byte 16): download it again
adapter_config.json    is JSON, but not an object (expected: adapter configuration)
b.json                 is invalid JSON: expected a JSON value, found 'n' (byte 6): download it again
c.bin                  is plain text ('Entry not found'): a server's response, or a link saved as text: download the file again
config.json            is invalid JSON: expected a string, the JSON text ends (byte 22): download it again
cut.pt                 the zip archive is truncated: its directory is missing
d.json                 is a server's response ('Not found'), not the file: log in, accept the licence, or download it again
gz.json                is a gzip file, but its name says JSON: download it again
m.safetensors          safetensors, 12 tensors, 824 elements, truncated data: download it again
modules.json           is invalid JSON: expected a JSON value, found '\ufeff' (byte 0): download it again
o.safetensors          is a zip archive, most likely a PyTorch pickle (.bin, .pt) or a .npz: numel does not read pickles (loading one runs code): convert it to safetensors
p.json                 is a PNG image, but its name says JSON: download it again
t.pt                   is text, but its name says PyTorch file: download it again
tokenizer.model        is a truncated SentencePiece model: download it again
tokenizer_config.json  is invalid JSON: expected the end of the JSON text, found '{' (byte 3): download it again
x.py                   is binary data, but its name says Python code
z.bin                  begins and ends with zeros: the space was allocated, but the data never arrived
[1]
# unknown files are described as far as possible; an index of pickles, NaN, and intentionally empty files are
# healthy (above)
$ cd $T/n || exit; rm *; printf '\001\002\003\377' > strange; printf 'a\nb' > words; printf '{"a": 1}' > object; printf '{"model_type": "gpt2"}' > 0123abcd; numel identify .; numel identify --json strange words | grep -o '"kind":"[^"]*"'
0123abcd  configuration: model type gpt2
object    JSON, 1 key
strange   unknown: binary data, 4 bytes, beginning with 01 02 03 ff
words     text, 2 lines
"kind":"unknown"
"kind":"text"
# unreadable input is neither healthy nor damaged: 3 alone, 5 among others
$ cd $T/n || exit; ln -s nothing broken; numel identify broken; numel identify . | tail -1; numel identify .. > /dev/null; echo $?
broken  cannot open: No such file or directory
words     text, 2 lines
5

# an adapter: its method, the base that all its modules fit, rank; a module of another size fits none
$ m=lora_unet_down_blocks_0_attentions_0_transformer_blocks_0_attn2_to_k; mkdir $T/a; for i in 768 769; do printf '%s\n' "file $i.safetensors" "tensor $m.lora_down.weight F16 4 $i" "tensor $m.lora_up.weight F16 320 4" >$T/a.txt; mkhead -q --sparse $T/a.txt $T/a >/dev/null; done; cd $T/a; numel identify .
768.safetensors  safetensors, 2 tensors, 4,352 elements: adapter (lora) of SD1.5, rank 4
769.safetensors  safetensors, 2 tensors, 4,356 elements: adapter (lora), rank 4

# a published size without its configuration: a language model, named and measured as in transformers, not by what some program uses it for
$ mkdir $T/l $T/q; cp fixtures/llama-3.1-8b/*.head.zst fixtures/llama-3.1-8b/*index.json $T/l; cp fixtures/qwen3-0.6b/*.head.zst $T/q; cd $T; numel identify q; for m in l q; do numel reconcile $m | grep -e '^arch' -e '^agrees' -e '^tied' -e '^param'; numel reconcile --json $m | grep -o '"architecture": "[^"]*"'; numel memory $m --context 4096 | grep ^cache; done
q/model.safetensors.head.zst  safetensors, header-only copy, 311 tensors, 751,632,384 elements: language model (qwen3 at the size of Qwen3 0.6B)
architecture  llama at the size of Llama 3 8B (by the names of its tensors)
agrees: all expected tensors are present, and no others
parameters     8,030,261,248 (8.03 B)
"architecture": "llama"
cache               536,870,912  512.00 MiB  2*K*D per token, 32 layers
architecture  qwen3 at the size of Qwen3 0.6B (by the names of its tensors)
tied copy stored        1  +155,582,464  lm_head.weight; values not compared
agrees: all expected tensors are present, the others are accounted for
parameters     596,049,920 (596.05 M)
"architecture": "qwen3"
cache              469,762,048  448.00 MiB  2*K*D per token, 28 layers

# timm names its architecture under its own key, which identifies nothing by itself.
$ mkdir $T/timm; cd $T/timm; mkdir a b c; printf '{"architecture": "resnet10t", "num_classes": 10' | tee a/config.json b/config.json >c/config.json; echo ', "num_features": 512}' >>a/config.json; echo ', "pretrained_cfg": {"tag": "c3_in1k"}}' >>b/config.json; echo '}' >>c/config.json; numel identify .
a/config.json  configuration: resnet10t (timm)
b/config.json  configuration: resnet10t (timm)
c/config.json  configuration, 2 keys
# Training files are identified by what they store; text is not one of them.
$ mkdir $T/s; cd $T/s; for f in optimizer.bin scheduler.bin random_states_0.pkl rng_state_3.pth training_args.bin bf16_zero_pp_rank_0_mp_rank_00_optim_states.pt mp_rank_00_model_states.pt __0_0.distcp schedule.bin; do cp ../h/optimizer.pt $f; done; echo text >optimizer.pt; numel identify .
__0_0.distcp                                    torch.distributed.checkpoint slices: PyTorch checkpoint, a pickle in a zip: loading it may run code, 3 entries
bf16_zero_pp_rank_0_mp_rank_00_optim_states.pt  DeepSpeed optimizer states: PyTorch checkpoint, a pickle in a zip: loading it may run code, 3 entries
mp_rank_00_model_states.pt                      DeepSpeed weights: PyTorch checkpoint, a pickle in a zip: loading it may run code, 3 entries
optimizer.bin                                   optimizer states: PyTorch checkpoint, a pickle in a zip: loading it may run code, 3 entries
optimizer.pt                                    is text, but its name says optimizer states: download it again
random_states_0.pkl                             random number states: PyTorch checkpoint, a pickle in a zip: loading it may run code, 3 entries
rng_state_3.pth                                 random number states: PyTorch checkpoint, a pickle in a zip: loading it may run code, 3 entries
schedule.bin                                    PyTorch checkpoint, a pickle in a zip: loading it may run code, 3 entries
scheduler.bin                                   learning rate state: PyTorch checkpoint, a pickle in a zip: loading it may run code, 3 entries
training_args.bin                               training arguments: PyTorch checkpoint, a pickle in a zip: loading it may run code, 3 entries
[1]
# Weights only in pickles: the program that wrote them.
$ mkdir -p $T/ds/global_step7 $T/fsdp/pytorch_model_fsdp_0 $T/other/global_steps; cd $T; for d in ds ds/global_step7 fsdp other s; do numel $d; done
numel: ds: no .safetensors or .gguf files found in this folder (a training checkpoint of DeepSpeed: pickles, .bin and .pt, are not read)
numel: ds/global_step7: no .safetensors or .gguf files found in this folder (pickles, .bin and .pt, are not read)
numel: fsdp: no .safetensors or .gguf files found in this folder (a training checkpoint of torch.distributed.checkpoint: pickles, .bin and .pt, are not read)
numel: other: no .safetensors or .gguf files found in this folder (pickles, .bin and .pt, are not read)
numel: s: no .safetensors or .gguf files found in this folder (a training checkpoint of torch.distributed.checkpoint: pickles, .bin and .pt, are not read)
[3]
# The judgement is what show finds for a path: a truncated file, a file named in an index, an index, one shard of a
# set; null for everything that is not a checkpoint.
$ st=$PWD/test/support/st.py; mkdir $T/j; cd $T/j; python3 $st part.safetensors a:F32:4x4:1; python3 $st cut.safetensors b:F32:8x8:1; python3 $st own.safetensors c:F32:4:1; truncate -s -9 cut.safetensors; for i in 1 2; do python3 $st m-0000$i-of-00002.safetensors $i:F32:4:1; done; echo '{"weight_map":{"a":"part.safetensors","b":"gone.safetensors"}}' >x.safetensors.index.json; echo hello >words; numel identify . | cut -c1-70; for f in *; do echo "$f $(numel identify --json $f | grep -o '"verdict":"[^"]*"\|"judgement":null') $(numel --json $f 2>/dev/null | grep -o '"verdict":"[^"]*"')"; done
cut.safetensors               safetensors, 1 tensor, 64 elements, trun
m-00001-of-00002.safetensors  safetensors, 1 tensor, 4 elements
m-00002-of-00002.safetensors  safetensors, 1 tensor, 4 elements
own.safetensors               safetensors, 1 tensor, 4 elements: unkno
part.safetensors              safetensors, 1 tensor, 16 elements
words                         text, 1 line
x.safetensors.index.json      safetensors shard index, 2 shards, 2 ten
cut.safetensors "verdict":"incomplete" "verdict":"incomplete"
m-00001-of-00002.safetensors "verdict":"unknown" "verdict":"unknown"
m-00002-of-00002.safetensors "verdict":"unknown" "verdict":"unknown"
own.safetensors "verdict":"unknown" "verdict":"unknown"
part.safetensors "verdict":"incomplete" "verdict":"incomplete"
words "judgement":null 
x.safetensors.index.json "verdict":"incomplete" "verdict":"incomplete"
# The configuration next to a file is used, and may belong to another model.
$ dl=$PWD/test/support/download.py; mkdir $T/c; cd $T/c; python3 $dl clean .; sed -i 's/"hidden_size": *[0-9]*/"hidden_size": 64/' config.json; numel identify model.safetensors; numel --json . | grep -o '"judgement": {"kind":"model","verdict":"[^"]*"'
model.safetensors  safetensors, 12 tensors, 824 elements: language model (llama, LlamaForCausalLM), which disagrees (see 'numel reconcile')
"judgement": {"kind":"model","verdict":"disagrees"

# Cosmos 3 has Qwen3-VL's names in memory and publishes others: the former are identified as Qwen3-VL, the latter
# as Cosmos 3.
$ for c in qwen3_vl.Qwen3VLForConditionalGeneration cosmos3_omni.Cosmos3OmniForConditionalGeneration/saved; do zstd -dcq --long=27 fixtures/oracle/classes.jsonl.zst | grep "^{\"case\":\"class/$c\"" >$T/case.json; rm -rf $T/one; python3 test/support/once.py $T/case.json none >$T/once.json; mkhead -q --sparse --json $T/once.json $T/one >$T/said; rm $T/one/config.json; numel $T/one | grep -E '^(architecture|verdict)'; done
architecture  qwen3_vl (by names and shapes)
verdict       agrees in part with qwen3_vl: 12,616,410,352 parameters; sizes inferred from the tensors (see 'numel reconcile')
architecture  cosmos3_omni (by names and shapes)
verdict       agrees in part with cosmos3_omni: 12,616,410,352 parameters; sizes inferred from the tensors (see 'numel reconcile')

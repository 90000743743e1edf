# numel identify: whatever it is, a line.
$ cd $T; for f in html-page json-error-page zip pickle lfs-pointer legacy-ggjt empty all-zero gzip text-entry-not-found; do hex "$OLDPWD/fixtures/bad/other/FORMAT@0--$f.hex" > $f; done; numel identify .
all-zero              begins with 64 zero bytes: the space was allocated, but the data never arrived; download it again
empty                 is empty (0 bytes): the download has not begun, download it again
gzip                  is a gzip file: unpack it first
html-page             is an HTML page ('<!DOCTYPE html>'): the download saved a web page instead: log in, accept the licence, or use the direct link to the file
json-error-page       is a JSON text ('{"error":"Repository not found"}'): neither a checkpoint nor a shard index: an error response, or a configuration (give its folder)
legacy-ggjt           is a legacy ggml file (magic 'ggjt', before GGUF): convert it with an old llama.cpp (convert-llama-ggml-to-gguf.py) or download a GGUF
lfs-pointer           is a Git LFS pointer to 9,976,576,152 bytes, not the file itself: run 'git lfs pull', or download it again
pickle                is a pickle, most likely an old PyTorch checkpoint: numel does not read pickles (loading one runs code): convert it to safetensors
text-entry-not-found  is plain text ('Entry not found'): a server's response, or a link saved as text: download the file again
zip                   is a zip archive, most likely a PyTorch pickle (.bin, .pt) or a .npz: numel does not read pickles (loading one runs code): convert it to safetensors
[1]
$ hex fixtures/good/safetensors/f32-one.hex > $T/x.incomplete; cd $T; numel identify x.incomplete; numel x.incomplete
x.incomplete  safetensors, 1 tensor, 2 elements, with errors (see 'numel show')
x.incomplete
format    safetensors
tensors   1
elements  2
types     F32
bytes     70 = header 62 + data 8

name  shape  elements    share  bytes
a     [2]           2  100.0 %    8 B

error  download-incomplete  the name says that the download is unfinished (.incomplete): resume or repeat it
[1]
$ numel identify fixtures/llama-2-7b
fixtures/llama-2-7b/config.json                                is a JSON text ('{'): neither a checkpoint nor a shard index: an error response, or a configuration (give its folder)
fixtures/llama-2-7b/model-00001-of-00002.safetensors.head.zst  safetensors, header-only copy, 217 tensors, 4,988,272,640 elements
fixtures/llama-2-7b/model-00002-of-00002.safetensors.head.zst  safetensors, header-only copy, 74 tensors, 1,750,142,976 elements
fixtures/llama-2-7b/model.safetensors.index.json               safetensors shard index, 2 shards, 291 tensors
[1]
$ numel identify $T | wc -l
11
$ numel identify --json fixtures/gpt2
{"schema": "numel.identify/1",
 "files": [
  {"path":"fixtures/gpt2/config.json","description":"is a JSON text ('{'): neither a checkpoint nor a shard index: an error response, or a configuration (give its folder)","code":"FORMAT"},
  {"path":"fixtures/gpt2/model.safetensors.head.zst","description":"safetensors, header-only copy, 160 tensors, 137,022,720 elements","code":"OK"}]}
[1]

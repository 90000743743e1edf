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
x.incomplete  safetensors, 1 tensor, 2 elements, with errors (see 'numel verify')
x.incomplete
format    safetensors
size      70 B
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
$ numel identify $T | wc -l
11
$ numel identify --json fixtures/gpt2
{"schema": "numel.identify/1",
 "files": [
  {"path":"fixtures/gpt2/config.json","description":"is a JSON text ('{'): neither a checkpoint nor a shard index: an error response, or a configuration (give its folder)","code":"FORMAT"},
  {"path":"fixtures/gpt2/model.safetensors.head.zst","description":"safetensors, header-only copy, 160 tensors, 137,022,720 elements","code":"OK"}]}
[1]
$ cd $T/n; for f in tokenizer.json model.bin LICENSE x.py b.png x; do cp ../html-page $f; numel identify -q $f >q; echo "$f $?"; done | grep -v ' 1$'
[1]
$ cd $T/n; for f in vocab.json merges.txt e.safetensors x.py model.bin README.md; do : > $f; numel identify -q $f >q; echo "$f $?"; done | grep -v ' 1$'
[1]
$ cd $T/n; rm * .gitattributes; printf '{"model_type":"llama",' > config.json; printf '{}\n{}' > tokenizer_config.json; printf '[]' > adapter_config.json; printf '\357\273\277{}' > modules.json; printf '{"a": nan}' > b.json; printf 'Entry not found' > c.bin; printf '{"error": "Not found"}' > d.json; gzip -n < config.json > gz.json; cp ../h/picture.png p.json; head -c 100 ../h/optimizer.pt > cut.pt; head -c 17 ../h/tokenizer.model > tokenizer.model; cp ../h/optimizer.pt o.safetensors; head -c 4000 ../h/model.safetensors > m.safetensors; echo text > t.pt; printf 'a\000b' > x.py; head -c 9000 /dev/zero > z.bin; echo '{"weight_map":{' > a.index.json; numel identify .
a.index.json           is broken JSON: expected a string, the JSON text ends (byte 16): download it again
adapter_config.json    is JSON, but no object: no adapter configuration
b.json                 is broken JSON: expected a JSON value, found 'n' (byte 6): download it again
c.bin                  is plain text ('Entry not found'): a server's answer, or a link that was stored as text: download the file again
config.json            is broken JSON: expected a string, the JSON text ends (byte 22): download it again
cut.pt                 the zip archive is cut short: its directory is missing
d.json                 is a server's answer ('Not found'), not the file itself: log in, accept the licence, or download it again
gz.json                is a gzip file, its name says JSON: download it again
m.safetensors          safetensors, 12 tensors, 824 elements, data cut short: download it again
modules.json           is broken JSON: expected a JSON value, found '\ufeff' (byte 0): download it again
o.safetensors          is a zip archive, most likely a PyTorch pickle (.bin, .pt) or a .npz: numel reads no pickles (loading one runs code): convert it to safetensors
p.json                 is a PNG image, its name says JSON: download it again
t.pt                   is text, its name says PyTorch file: download it again
tokenizer.model        is a SentencePiece model that is cut short: download it again
tokenizer_config.json  is broken JSON: expected the end of the JSON text, found '{' (byte 3): download it again
x.py                   is binary data, its name says Python code
z.bin                  begins and ends with zeros: space was set aside, the data never came
[1]
# what is not known is said as far as it can be told; an index of pickles, NaN, and files that are empty on purpose are healthy (above)
$ cd $T/n; rm *; printf '\001\002\003\377' > strange; printf 'a\nb' > words; printf '{"a": 1}' > object; printf '{"model_type": "gpt2"}' > 0123abcd; numel identify .; numel identify --json strange words | grep -o '"kind":"[^"]*"'
0123abcd  configuration: model type gpt2
object    JSON, 1 key
strange   unknown: binary data, 4 bytes, beginning with 01 02 03 ff
words     text, 2 lines
"kind":"unknown"
"kind":"text"
# what cannot be read is neither healthy nor damaged: 3 alone, 5 among others
$ cd $T/n; ln -s nothing broken; numel identify broken; numel identify . | tail -1; numel identify .. > /dev/null; echo $?
broken  cannot open: No such file or directory
words     text, 2 lines
5

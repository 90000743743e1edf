# What a path stands for: folders, sets, caches, copies. Each model here is a copy of a small fixture.
$ cd $T; hex "$OLDPWD/fixtures/good/safetensors/llama-tiny.hex" > model.safetensors; hex "$OLDPWD/fixtures/good/gguf/llama-tiny.hex" > tiny.gguf; numel -q model.safetensors; numel -q tiny.gguf
156
204816
# by content, not by suffix; symbolic links are followed
$ cd $T; mkdir a; hex "$OLDPWD/fixtures/good/gguf/llama-tiny.hex" > a/model.bin; ln -s a/model.bin link; numel -q a/model.bin link
204816
204816
# a folder with several checkpoints gives several, and JSON is then a list
$ cd $T; mkdir b; hex "$OLDPWD/fixtures/good/safetensors/llama-tiny.hex" > b/one.safetensors; hex "$OLDPWD/fixtures/good/gguf/llama-tiny.hex" > b/two.gguf; numel -q b; numel b --json | grep -c '"schema"'; numel b --json | head -c 2
156
204816
2
[
# a Hugging Face cache folder: refs/main names the snapshot, whose files are links to blobs
$ cd $T; c=models--org--name; mkdir -p $c/refs $c/blobs $c/snapshots/0ld $c/snapshots/n3w; printf n3w > $c/refs/main; hex "$OLDPWD/fixtures/good/safetensors/llama-tiny.hex" > $c/blobs/x; hex "$OLDPWD/fixtures/good/safetensors/f32-one.hex" > $c/snapshots/0ld/model.safetensors; ln -s ../../blobs/x $c/snapshots/n3w/model.safetensors; numel $c | sed -n '1,6p'; numel -q $c/snapshots/0ld; numel -q $c/blobs/x
org/name
models--org--name/snapshots/n3w/model.safetensors
format        safetensors
architecture  unknown, no configuration; by names and shapes: 2 layers (model.layers), hidden size 4, vocabulary 8
size          1.14 KiB
tensors       9
2
156
# a set without an index, given one shard; the missing one is named, exit 1
$ cd $T; mkdir d; cp "$OLDPWD"/fixtures/llama-2-7b/model-00001-of-00002.safetensors.head.zst d; numel d/model-00001-of-00002.safetensors.head.zst --depth 1 | tail -3; numel -q d

error  shard-missing  d/model-00002-of-00002.safetensors: the file names count it, but it is missing: download it
note   data-absent    a header-only copy: the tensor data was left out on purpose
numel: d/model-00002-of-00002.safetensors: the file names count it, but it is missing: download it
4988272640
[1]
# a GGUF split set: numbers in names count from 1, split.no from 0
$ numel fixtures/llama-3.1-8b-q4_k_m-split --depth 1 --json | grep -o '"counts": ."tensors":[0-9]*,"stored":[0-9]*'
"counts": {"tensors":292,"stored":8030261312
$ cd $T; mkdir e; cp "$OLDPWD"/fixtures/llama-3.1-8b-q4_k_m-split/*-00002-of* e/x.gguf.head.zst; numel e/x.gguf.head.zst --depth 1 | grep split
error  split-disagrees  this is shard 2 of 2, but its name has no -00001-of-00002: the others cannot be found
# compressed files are counted; the content size replaces the file's
$ cd $T; zstd -q tiny.gguf -o tiny.gguf.zst; zstd -q model.safetensors -o m.zst; numel -q tiny.gguf.zst m.zst; numel m.zst | grep -E '^(bytes|data)'
204816
156
bytes         1,164 = header 828 + data 336
$ cd $T; head -c 700 model.safetensors | zstd -q > cut.zst; numel -q cut.zst 2>&1 | cut -c1-60
numel: cut.zst:0: the header says it has 820 bytes, 692 foll
# a folder without a checkpoint, and one with pickles only
$ cd $T; mkdir f; touch f/pytorch_model.bin; numel f
numel: f/pytorch_model.bin:0: is empty (0 bytes): the download has not begun, download it again
[3]
# a bad file among good ones
$ cd $T; mkdir g; hex "$OLDPWD/fixtures/good/gguf/llama-tiny.hex" > g/a.gguf; echo no > g/b.gguf; numel -q g
numel: g/b.gguf:0: is plain text ('no'): a server's response, or a link saved as text: download the file again
204816
[5]
# names in an index must stay below its folder
$ cd $T; mkdir h; printf '{"weight_map":{"a":"../model.safetensors","b":"/etc/passwd"}}' > h/model.safetensors.index.json; numel h
numel: h: all 2 shards are missing (the first is '../model.safetensors'): download them
[3]
# a name that implies 999,999 shards: missing runs are summarised, not listed; small numbers are listed
$ cd $T; mkdir p; hex "$OLDPWD/fixtures/good/safetensors/f32-one.hex" > p/m-00002-of-999999.safetensors; numel verify p
p
levels  header, size, index, config

file                           bytes  tensors
m-00002-of-999999.safetensors     70        1  ok

error  shard-missing  m-00001-of-999999.safetensors: 999,998 of the 999,999
                      shards that the file names count are missing, 1, 3 to
                      999999: download them

warning  index-absent  p: 999999 shards without an index: transformers loads
                       none of them without m.safetensors.index.json

note  model-unchecked  the tensors were not compared with a formula: no
                       configuration (--config FILE, or --arch NAME with --set
                       SYM=N)

incomplete: 1 error, 1 warning; 999,998 of 999,999 files are missing
download the 999998 files that are missing, 'm-00001-of-999999.safetensors' to
'm-999999-of-999999.safetensors'
download the index of the shards
[1]
$ cd $T; numel hash p/m-00002-of-999999.safetensors | sed -n 's/^#  /;  /p'; rm -r p/*; hex "$OLDPWD/fixtures/good/safetensors/f32-one.hex" > p/m-00002-of-00004.safetensors; numel verify p | grep shard-missing
numel: 1 problem: see the comments in the manifest
;  p/m-00001-of-999999.safetensors  shard-missing  999,998 of the 999,999 shards that the file names count are missing, 1, 3 to 999999: download them
error  shard-missing  m-00001-of-00004.safetensors: the file names count it, but
error  shard-missing  m-00003-of-00004.safetensors: the file names count it, but
error  shard-missing  m-00004-of-00004.safetensors: the file names count it, but
# decompressed zstd is limited by its content; blanks allowed in a header of that length are read
$ cd $T; (printf '{"weight_map":{'; head -c 30000000 /dev/zero | tr '\0' ' '; printf '}}') | zstd -q > b.safetensors.index.json.zst; numel b.safetensors.index.json.zst; rm b.*; (printf '{"weight_map":{"a":"model.safetensors"'; head -c 1000000 /dev/zero | tr '\0' ' '; printf '}}') | zstd -q > b.safetensors.index.json.zst; numel identify b.safetensors.index.json.zst; rm b.*
numel: b.safetensors.index.json.zst: more than 7345912 bytes come out of 980 bytes of zstd, but its content needs only 7345912: unpack the file first (zstd -d)
b.safetensors.index.json.zst  safetensors shard index, 1 shard, 1 tensor

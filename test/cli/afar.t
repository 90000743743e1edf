# Models that lie elsewhere, by a stand-in for numel-fetch: test/cli/remote/stand_in.py.
$ sh test/cli/remote/publish.sh fixtures/llama-2-7b $T/hub/org/llama; numel hf://org/llama 2>/dev/null | head -12
hf://org/llama
format        safetensors, 2 files
architecture  llama (LlamaForCausalLM, by config.json)
parameters    6,738,415,616 (6.74 B)
context       4,096 tokens (max_position_embeddings)
size          12.55 GiB
tensors       291
elements      6,738,415,616 (6.74 B)
types         F16
bytes         13,476,864,776 = header 33,544 + data (not read) 13,476,831,232
data          not read: only headers were fetched
verdict       agrees with llama: 6,738,415,616 parameters
# the same as on this disk, but for its place and the data
$ cd $T && numel hf://org/llama 2>/dev/null >1; numel hub/org/llama >2; diff 1 2
1c1
< hf://org/llama
---
> hub/org/llama
10,11c10
< bytes         13,476,864,776 = header 33,544 + data (not read) 13,476,831,232
< data          not read: only headers were fetched
---
> bytes         13,476,864,776 = header 33,544 + data 13,476,831,232
28,29d26
< 
< note  data-absent  only headers were fetched: the tensor data was not read
[1]
$ numel -q hf://org/llama
6738415616
$ numel reconcile hf://org/llama 2>/dev/null | tail -3
parameters     6,738,415,616 (6.74 B)
non-embedding  6,607,343,616 (6.61 B)
active         6,738,415,616 (6.74 B)
$ numel verify hf://org/llama
hf://org/llama
levels  header, size, index, config

file                                      bytes  tensors
model-00001-of-00002.safetensors  9,976,570,304      217  ok
model-00002-of-00002.safetensors  3,500,294,472       74  ok

note  data-absent  only headers were fetched: the tensor data was not read

complete as far as headers show: 2 files, 291 tensors; checksums not checked
numel: 59291 bytes fetched in 5 requests
$ numel --json hf://org/llama 2>/dev/null | sed -n 2,8p
 "judgement": {"kind":"model","verdict":"agrees","architecture":"llama","name":"LlamaForCausalLM","known_by":"configuration","causes":[]},
 "name": null,
 "remote": {"url":"hf://org/llama","commit":"7c27a2bd47a2a085290b70a8ea08bd84f9da2c29","files":4,"bytes_fetched":58862,"bytes_cached":0},
 "path": "hf://org/llama",
 "format": "safetensors",
 "context_length": 4096,
 "bytes": 13476864776,
$ for c in list identify memory reconcile verify "diff hf://org/llama"; do numel $c --json hf://org/llama 2>/dev/null | grep -o '{"url"[^}]*}'; done | uniq -c
      7 {"url":"hf://org/llama","commit":"7c27a2bd47a2a085290b70a8ea08bd84f9da2c29","files":4,"bytes_fetched":58862,"bytes_cached":0}
$ numel tensors --match '*.0.mlp.*' --json hf://org/llama 2>/dev/null
{"name":"model.layers.0.mlp.down_proj.weight","dtype":"F16","shape":[4096,11008],"elements":45088768,"bytes":90177536,"offset":262177216,"file":"hf://org/llama/model-00001-of-00002.safetensors","role":"mlp.down","class":"weight","bytes_inferred":false,"ground":"shape","logical":45088768,"layout":null,"judgement":{"kind":"model","verdict":"agrees","architecture":"llama","name":"LlamaForCausalLM","known_by":"configuration","causes":[]}}
{"name":"model.layers.0.mlp.gate_proj.weight","dtype":"F16","shape":[11008,4096],"elements":45088768,"bytes":90177536,"offset":352354752,"file":"hf://org/llama/model-00001-of-00002.safetensors","role":"mlp.gate","class":"weight","bytes_inferred":false,"ground":"shape","logical":45088768,"layout":null}
{"name":"model.layers.0.mlp.up_proj.weight","dtype":"F16","shape":[11008,4096],"elements":45088768,"bytes":90177536,"offset":442532288,"file":"hf://org/llama/model-00001-of-00002.safetensors","role":"mlp.up","class":"weight","bytes_inferred":false,"ground":"shape","logical":45088768,"layout":null}
$ numel memory hf://org/llama --fit 16GiB 2>/dev/null | sed -n 1,4p
hf://org/llama
architecture     llama (by hf://org/llama/config.json)
context          4,096 tokens
runtime          transformers, as measured on its caches
$ numel identify hf://org/llama
hf://org/llama/config.json                       configuration: LlamaForCausalLM (llama)
hf://org/llama/model-00001-of-00002.safetensors  safetensors, header-only copy, 217 tensors, 4,988,272,640 elements
hf://org/llama/model-00002-of-00002.safetensors  safetensors, header-only copy, 74 tensors, 1,750,142,976 elements
hf://org/llama/model.safetensors.index.json      safetensors shard index, 2 shards, 291 tensors
numel: 59291 bytes fetched in 5 requests
$ numel list hf://org/llama
name   architecture  parameters  quantization   bits      size  files  verdict
llama  llama             6.74 B  F16           16.00  12.5 GiB      2  agrees

total  1 checkpoint, 2 files, 12.5 GiB (0 B on disk), 6.74 B parameters
numel: 59291 bytes fetched in 5 requests
$ numel diff fixtures/llama-2-7b hf://org/llama 2>/dev/null | tail -3

values not compared (--values does)
equal: 291 tensors of the same name, shape and dtype
$ cd $T; numel behead hf://org/llama heads; ls $T/heads; numel -q $T/heads
4 files written to heads
numel: 59291 bytes fetched in 5 requests
config.json
model-00001-of-00002.safetensors.head.zst
model-00002-of-00002.safetensors.head.zst
model.safetensors.index.json
6738415616
# nothing but headers is asked for, of the revision that was listed
$ STAND_IN_LOG=$T/log numel -q hf://org/llama >/dev/null; sed "s:@[0-9a-f]*/:@COMMIT/:" $T/log
numel-fetch
list 1 hf://org/llama
read 2 0 562 - hf://org/llama@COMMIT/config.json
read 3 0 23950 - hf://org/llama@COMMIT/model.safetensors.index.json
read 4 0 25623 - hf://org/llama@COMMIT/model-00001-of-00002.safetensors
read 5 0 8727 - hf://org/llama@COMMIT/model-00002-of-00002.safetensors
# options of numel-fetch
$ STAND_IN_LOG=$T/log2 numel -q --jobs 4 --offline --no-cache hf://org/llama; head -1 $T/log2
6738415616
numel-fetch --jobs 4 --offline --no-cache
# forms of one address
$ for u in hf://org/llama/model-00001-of-00002.safetensors hf://models/org/llama https://huggingface.co/org/llama https://hf.co/org/llama/tree/main https://huggingface.co/org/llama/blob/main/model.safetensors.index.json; do cp -r $T/hub/org/llama $T/hub/org/llama@main 2>/dev/null; numel $u 2>&1 | head -1; done
hf://org/llama/model.safetensors.index.json
hf://org/llama
hf://org/llama
hf://org/llama@main
hf://org/llama@main/model.safetensors.index.json
# a config.json alone; several at once
$ numel formula -q hf://org/llama/config.json; numel -q hf://org/llama fixtures/gpt2
6738415616
6738415616
137022720
# one file, by https; its query is not shown
$ mkdir -p $T/hub/e.com; hex fixtures/good/gguf/every-type.hex >$T/hub/e.com/every-type.gguf; numel 'https://e.com/every-type.gguf?signature=1' 2>/dev/null | head -4
https://e.com/every-type.gguf
format        gguf v3
architecture  llama (by metadata)
size          6.44 KiB
$ numel -q 'https://e.com/every%2dtype.gguf'; numel -q 'https://e.com/every%2Dtype.gguf' # escapes in either case
9232
9232
# other files are known by their names and sizes only
$ for f in README.md modeling.py pytorch_model.bin tokenizer.model; do echo "$f" >$T/hub/org/llama/$f; done; for c in identify verify show; do numel $c hf://org/llama 2>/dev/null | grep -E 'not read,|^note|not counted|^pytorch'; done
hf://org/llama/README.md                         not read, 10 bytes
hf://org/llama/modeling.py                       not read, 12 bytes
hf://org/llama/pytorch_model.bin                 not read, 18 bytes
hf://org/llama/tokenizer.model                   not read, 16 bytes
note  data-absent  only headers were fetched: the tensor data was not read
note  code-file    modeling.py: Python code: with trust_remote_code=True loaders
note  pickle       pytorch_model.bin: named like a pickle, which runs code when
also here          not counted      files  size
pytorch_model.bin  PyTorch weights      1  18 B
note  data-absent  only headers were fetched: the tensor data was not read
# a file that is cut where it lies
$ cp -r $T/hub/org/llama $T/hub/org/cut; truncate -s -4096 $T/hub/org/cut/model-00002-of-00002.safetensors; numel verify hf://org/cut 2>/dev/null | sed -n '/^error/,/^$/p'
error  data-missing  model-00002-of-00002.safetensors:3500290376: 4,096 bytes
                     short: tensor 'model.norm.weight' ends at 3500294472, the
                     file at 3500290376
# a shard that is missing there
$ rm $T/hub/org/cut/model-00001-of-00002.safetensors; numel verify hf://org/cut 2>/dev/null | sed -n '/^error/,/^$/p'; numel -q hf://org/cut
error  data-missing   model-00002-of-00002.safetensors:3500290376: 4,096 bytes
                      short: tensor 'model.norm.weight' ends at 3500294472, the
                      file at 3500290376
error  shard-missing  model-00001-of-00002.safetensors: the index names it, but
                      it is missing: download it

numel: hf://org/cut/model-00001-of-00002.safetensors: the index names it, but it is missing: download it
numel: hf://org/cut/model-00002-of-00002.safetensors:3500290376: model.norm.weight: 4,096 bytes short: tensor 'model.norm.weight' ends at 3500294472, the file at 3500290376
1750142976
[1]
# what needs data is refused before anything is fetched, or where that is known
$ numel hash hf://org/llama
numel: hf://org/llama: is on another machine: hash reads all data, and of remote files only headers are read; download it first
[2]
$ numel verify --level hash hf://org/llama
numel: hf://org/llama: is on another machine: --level hash reads all data, and of remote files only headers are read; download it first
numel: 59623 bytes fetched in 5 requests
[2]
$ numel verify --values hf://org/llama
numel: hf://org/llama: is on another machine: --values reads all data, and of remote files only headers are read; download it first
numel: 59623 bytes fetched in 5 requests
[2]
$ numel diff --values fixtures/llama-2-7b fixtures/llama-2-7b hf://org/llama
numel: hf://org/llama: is on another machine: --values reads all data, and of remote files only headers are read; download it first
numel: 59623 bytes fetched in 5 requests
[2]
$ numel diff --values fixtures/llama-2-7b hf://org/llama
numel: hf://org/llama: is on another machine: --values reads all data, and of remote files only headers are read; download it first
numel: 59623 bytes fetched in 5 requests
[2]
# what is no address of a model
$ for u in hf://llama hf://org/llama@ hf://datasets/org/x http://e.com/x.gguf https://me:pw@e.com/x.gguf hf://org/llama/../x hf://org/none hf://org/llama/none.gguf https://huggingface.co/org/llama/discussions; do numel -q $u; done
numel: hf://llama: is not a repository: hf://ORG/NAME[@REVISION][/FILE]
numel: hf://org/llama@: has an empty revision after '@'
numel: hf://datasets/org/x: is not a model: numel reads hf://ORG/NAME, not datasets, spaces, kernels or buckets
numel: http://e.com/x.gguf: is http:// to another machine, which anyone on the way can change: use https://
numel: https://me:pw@e.com/x.gguf: has a name and password in it, which others on this machine would see
numel: hf://org/llama/../x: has a revision or a path that leads nowhere
numel: hf://org/none: no such repository or revision: hf://org/none
numel: hf://org/llama/none.gguf: no such file in the repository
numel: https://huggingface.co/org/llama/discussions: is not a page with a model's files: give hf://ORG/NAME, or the address of a file
[2]
# a program that misbehaves
$ for f in gated changed short long size garbage dies deaf; do echo "$f:"; STAND_IN_FAULT=$f numel -q hf://org/llama 2>&1 | sed 's/ fetched in.*/ fetched/'; done
gated:
numel: hf://org/llama: its licence has to be accepted at https://huggingface.co/org/tiny; then set HF_TOKEN
changed:
6738415616
short:
numel: hf://org/llama/config.json:0: 561 bytes came, 562 were asked for
long:
numel: hf://org/llama: numel-fetch gave an answer that breaks its protocol: ended it
size:
numel: hf://org/llama/config.json: has 563 bytes, the listing says 562
garbage:
numel: hf://org/llama: numel-fetch gave an answer that breaks its protocol: ended it
dies:
numel: hf://org/llama: numel-fetch ended before it answered
deaf:
numel: hf://org/llama: numel-fetch ended before it answered
# gated
numel: hf://org/llama: its licence has to be accepted at https://huggingface.co/org/tiny; then set HF_TOKEN
# changed
6738415616
# short
numel: hf://org/llama/config.json:0: 561 bytes came, 562 were asked for
# long
numel: hf://org/llama: numel-fetch gave an answer that breaks its protocol: ended it
# size
numel: hf://org/llama/config.json: has 563 bytes, the listing says 562
# garbage
numel: hf://org/llama: numel-fetch gave an answer that breaks its protocol: ended it
# dies
numel: hf://org/llama: numel-fetch ended before it answered
# deaf
$ NUMEL_FETCH=$T/none numel -q hf://org/llama 2>&1 | sed "s:$T:T:"
numel: hf://org/llama: numel-fetch is not installed, the program that uses the network (T/none)
$ STAND_IN_FAULT=gated numel --json hf://org/llama
numel: hf://org/llama: its licence has to be accepted at https://huggingface.co/org/tiny; then set HF_TOKEN
{"schema": "numel.error/1",
 "path": "hf://org/llama",
 "error": {"code":"NETWORK","file":"hf://org/llama","offset":null,"message":"its licence has to be accepted at https://huggingface.co/org/tiny; then set HF_TOKEN"}}
[3]
# without a scheme: no socket, and no other program; with one, this program opens no socket either
# (leaks are not looked for under strace)
$ command -v strace >/dev/null || { echo no sockets; exit; }; export ASAN_OPTIONS=detect_leaks=0; strace -f -e trace=%network,execve -o $T/trace numel -q fixtures/llama-2-7b >/dev/null; [ "$(grep -c execve $T/trace)" = 1 ] && ! grep -Eq 'socket|connect' $T/trace && strace -e trace=%network -o $T/trace numel -q hf://org/llama >/dev/null 2>&1 && ! grep -Eq 'socket|connect' $T/trace && echo no sockets
no sockets

# verify --against: a local copy and the published files. Of the model and its configuration the repository has
# digests; 16*4 + 4*4 = 80 bytes of data.
$ cd $T; mkdir -p hub/org/tiny; python3 $OLDPWD/test/support/st.py hub/org/tiny/model.safetensors w:F32:4x4:1 b:F32:4:2; echo '{"model_type": "tiny"}' >hub/org/tiny/config.json; echo '# tiny' >hub/org/tiny/README.md; cp -r hub/org/tiny mine; numel verify --against hf://org/tiny mine
mine/model.safetensors
levels  header, size, index, config, hash

file               bytes  tensors
model.safetensors    200        2  ok

file               checksum  according to
model.safetensors  matches   the file listing of its repository
README.md          matches   the file listing of its repository
config.json        matches   the file listing of its repository

note  model-unchecked  the tensors were not compared with a formula: no
                       specification for model_type 'tiny'

complete: 1 file, 2 tensors; checksums of 3 of 3 files match
numel: 267 bytes fetched in 1 request
# missing, extra, another size
$ cd $T; rm mine/README.md; echo more >mine/notes.txt; echo ' ' >>mine/config.json; numel verify --against hf://org/tiny mine
mine/model.safetensors
levels  header, size, index, config, hash

file               bytes  tensors
model.safetensors    200        2  ok

file               checksum    according to
model.safetensors  matches     the file listing of its repository
config.json        wrong size  the file listing of its repository

error  size-published     config.json: the file has 25 bytes, but the published
                          file has 23 (hf://org/tiny)
error  published-missing  README.md: is published (7 bytes), but it is missing:
                          download it

warning  published-extra  notes.txt: is not among the published files
                          (hf://org/tiny)

note  model-unchecked  the tensors were not compared with a formula: no
                       specification for model_type 'tiny'

incomplete: 2 errors, 1 warning
numel: 267 bytes fetched in 1 request
[1]
# another digest: both values
$ cd $T; cp hub/org/tiny/config.json mine; echo '# tiny' >mine/README.md; rm mine/notes.txt; printf '\377' | dd of=mine/model.safetensors bs=1 seek=150 conv=notrunc 2>/dev/null; numel verify --against hf://org/tiny mine | sed -n '/^error/,/^$/p'; sha256sum hub/org/tiny/model.safetensors mine/model.safetensors | cut -c 1-64
numel: 267 bytes fetched in 1 request
error  hash-mismatch  model.safetensors: its sha256 is
                      f1739047e708aa5dd011ac0c136deba4493dd0c62294f99a798c4a0c2fb80e4a,
                      but the file listing of its repository says
                      5511315cfc4dab944ec926990c6b90fe050387f30704efc6c5e85741c3a47949
                      (hf://org/tiny)

5511315cfc4dab944ec926990c6b90fe050387f30704efc6c5e85741c3a47949
f1739047e708aa5dd011ac0c136deba4493dd0c62294f99a798c4a0c2fb80e4a
# sizes only; one file; a file of another name
$ cd $T; numel verify --level size --against hf://org/tiny mine 2>/dev/null | tail -1; numel verify --against hf://org/tiny/model.safetensors hub/org/tiny/model.safetensors 2>/dev/null | grep checksum -A 1
complete: 1 file, 2 tensors; checksums not checked
file               checksum  according to
model.safetensors  matches   the file listing of its repository
--
complete: 1 file, 2 tensors; checksums of 1 of 1 file match
# refused
$ cd $T; numel verify --against hub/org/tiny mine; numel verify --against hf://org/none mine
numel: hub/org/tiny: is not the address of a published model: hf://ORG/NAME[@REVISION]
numel: hf://org/none: no such repository or revision: hf://org/none
[3]


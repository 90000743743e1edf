# Models that lie elsewhere, by a stand-in for numel-fetch: test/cli/remote/stand_in.py.
$ sh test/cli/remote/publish.sh fixtures/llama-2-7b $T/hub/org/llama; numel hf://org/llama | head -12
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
numel: 61619 bytes fetched in 5 requests
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
$ numel reconcile hf://org/llama 2>&1 | tail -4
parameters     6,738,415,616 (6.74 B)
non-embedding  6,607,343,616 (6.61 B)
active         6,738,415,616 (6.74 B)
numel: 61619 bytes fetched in 5 requests
$ numel verify hf://org/llama
hf://org/llama
levels  header, size, index, config

file                                      bytes  tensors
model-00001-of-00002.safetensors  9,976,570,304      217  ok
model-00002-of-00002.safetensors  3,500,294,472       74  ok

note  data-absent  only headers were fetched: the tensor data was not read

complete as far as headers show: 2 files, 291 tensors; checksums not checked
numel: 61619 bytes fetched in 5 requests
$ numel --json hf://org/llama 2>/dev/null | sed -n 2,8p
 "judgement": {"kind":"model","verdict":"agrees","architecture":"llama","name":"LlamaForCausalLM","known_by":"configuration","causes":[]},
 "name": null,
 "remote": {"revision":"7c27a2bd47a2a085290b70a8ea08bd84f9da2c29","fetched":61190},
 "path": "hf://org/llama",
 "format": "safetensors",
 "context_length": 4096,
 "bytes": 13476864776,
$ numel tensors --match '*.0.mlp.*' --json hf://org/llama 2>/dev/null
{"name":"model.layers.0.mlp.down_proj.weight","dtype":"F16","shape":[4096,11008],"elements":45088768,"bytes":90177536,"offset":262177216,"file":"hf://org/llama/model-00001-of-00002.safetensors","role":"mlp.down","class":"weight","bytes_inferred":false,"ground":"shape","logical":45088768,"layout":null,"judgement":{"kind":"model","verdict":"agrees","architecture":"llama","name":"LlamaForCausalLM","known_by":"configuration","causes":[]}}
{"name":"model.layers.0.mlp.gate_proj.weight","dtype":"F16","shape":[11008,4096],"elements":45088768,"bytes":90177536,"offset":352354752,"file":"hf://org/llama/model-00001-of-00002.safetensors","role":"mlp.gate","class":"weight","bytes_inferred":false,"ground":"shape","logical":45088768,"layout":null}
{"name":"model.layers.0.mlp.up_proj.weight","dtype":"F16","shape":[11008,4096],"elements":45088768,"bytes":90177536,"offset":442532288,"file":"hf://org/llama/model-00001-of-00002.safetensors","role":"mlp.up","class":"weight","bytes_inferred":false,"ground":"shape","logical":45088768,"layout":null}
$ numel memory hf://org/llama --fit 16GiB | sed -n 1,4p
numel: 61619 bytes fetched in 5 requests
hf://org/llama
architecture     llama (by /tmp/numel-remote.GWxZ6N/hf://org/llama/config.json)
context          4,096 tokens
runtime          transformers, as measured on its caches
$ numel identify hf://org/llama
hf://org/llama/config.json                       configuration: LlamaForCausalLM (llama)
hf://org/llama/model-00001-of-00002.safetensors  safetensors, header-only copy, 217 tensors, 4,988,272,640 elements
hf://org/llama/model-00002-of-00002.safetensors  safetensors, header-only copy, 74 tensors, 1,750,142,976 elements
hf://org/llama/model.safetensors.index.json      safetensors shard index, 2 shards, 291 tensors
numel: 61619 bytes fetched in 5 requests
$ numel list hf://org/llama
name   architecture  parameters  quantization   bits      size  files  verdict
llama  llama             6.74 B  F16           16.00  12.5 GiB      2  agrees

total  1 checkpoint, 2 files, 12.5 GiB (3.8 KiB on disk), 6.74 B parameters
numel: 61619 bytes fetched in 5 requests
$ numel diff fixtures/llama-2-7b hf://org/llama | tail -4
numel: 61619 bytes fetched in 5 requests
unexplained                       0

values not compared (--values does)
equal: 291 tensors of the same name, shape and dtype
$ numel behead hf://org/llama $T/heads; ls $T/heads; numel -q $T/heads
4 files written to /tmp/tmp.0xIt2XpUuM/dir/heads
numel: 61619 bytes fetched in 5 requests
config.json
model-00001-of-00002.safetensors.head.zst
model-00002-of-00002.safetensors.head.zst
model.safetensors.index.json
6738415616
# nothing but headers is asked for, of the revision that was listed
$ STAND_IN_LOG=$T/log numel -q hf://org/llama >/dev/null; sed "s:@[0-9a-f]*/:@COMMIT/:; s: [0-9a-f]* \(hf\): ETAG \1:" $T/log
numel-fetch
list ETAG hf://org/llama
read 2 0 562 - hf://org/llama@COMMIT/config.json
read 3 0 23950 - hf://org/llama@COMMIT/model.safetensors.index.json
read 4 0 27359 - hf://org/llama@COMMIT/model-00001-of-00002.safetensors
read 5 0 9319 - hf://org/llama@COMMIT/model-00002-of-00002.safetensors
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
$ mkdir -p $T/hub/e.com; hex fixtures/good/gguf/every-type.hex >$T/hub/e.com/every-type.gguf; numel 'https://e.com/every-type.gguf?signature=1' | head -4
https://e.com/every-type.gguf
format        gguf v3
architecture  llama (by metadata)
size          6.44 KiB
numel: 6633 bytes fetched in 2 requests
# other files are known by their names and sizes only
$ for f in README.md modeling.py pytorch_model.bin tokenizer.model; do echo "$f" >$T/hub/org/llama/$f; done; numel identify hf://org/llama | grep 'not read'; numel verify hf://org/llama | grep -A 5 ^note; numel hf://org/llama | grep -A 1 'also here'
numel: 61951 bytes fetched in 5 requests
hf://org/llama/README.md                         not read, 10 bytes
hf://org/llama/modeling.py                       not read, 12 bytes
hf://org/llama/pytorch_model.bin                 not read, 18 bytes
hf://org/llama/tokenizer.model                   not read, 16 bytes
numel: 61951 bytes fetched in 5 requests
note  data-absent  only headers were fetched: the tensor data was not read
note  code-file    modeling.py: Python code: with trust_remote_code=True loaders
                   run it if a configuration names it; read it first
note  pickle       pytorch_model.bin: named like a pickle, which runs code when
                   it is loaded; it was not read (transformers loads it with
                   use_safetensors=False, or if there is no .safetensors)

complete as far as headers show: 2 files, 291 tensors; checksums not checked
numel: 61951 bytes fetched in 5 requests
also here          not counted  files  size
pytorch_model.bin  binary data      1  18 B
# a file that is cut where it lies
$ cp -r $T/hub/org/llama $T/hub/org/cut; truncate -s -4096 $T/hub/org/cut/model-00002-of-00002.safetensors; numel verify hf://org/cut | sed -n '/^error/,/^$/p'
numel: 61951 bytes fetched in 5 requests
error  data-missing  model-00002-of-00002.safetensors:3500290376: 4,096 bytes
                     short: tensor 'model.norm.weight' ends at 3500294472, the
                     file at 3500290376
# a shard that is missing there
$ rm $T/hub/org/cut/model-00001-of-00002.safetensors; numel verify hf://org/cut | sed -n '/^error/,/^$/p'; numel -q hf://org/cut
numel: 34476 bytes fetched in 4 requests
error  data-missing   model-00002-of-00002.safetensors:3500290376: 4,096 bytes
                      short: tensor 'model.norm.weight' ends at 3500294472, the
                      file at 3500290376
error  shard-missing  model-00001-of-00002.safetensors: the index names it, but
                      it is missing: download it

numel: /tmp/numel-remote.hg1lVu/hf://org/cut/model-00001-of-00002.safetensors: the index names it, but it is missing: download it
numel: /tmp/numel-remote.hg1lVu/hf://org/cut/model-00002-of-00002.safetensors:3500290376: model.norm.weight: 4,096 bytes short: tensor 'model.norm.weight' ends at 3500294472, the file at 3500290376
1750142976
[1]
# what needs data is refused before anything is fetched, or where that is known
$ numel hash hf://org/llama
numel: hf://org/llama: is on another machine: hash reads all data, and of remote files only headers are read; download it first
[2]
$ numel verify --level hash hf://org/llama
numel: hf://org/llama: is on another machine: --level hash reads all data, and of remote files only headers are read; download it first
numel: 61951 bytes fetched in 5 requests
[2]
$ numel verify --values hf://org/llama
numel: hf://org/llama: is on another machine: --values reads all data, and of remote files only headers are read; download it first
numel: 61951 bytes fetched in 5 requests
[2]
$ numel diff --values fixtures/llama-2-7b hf://org/llama
numel: hf://org/llama: is on another machine: --values reads all data, and of remote files only headers are read; download it first
numel: 61951 bytes fetched in 5 requests
[2]
# what is no address of a model
$ for u in hf://llama hf://org/llama@ hf://datasets/org/x http://e.com/x.gguf https://me:pw@e.com/x.gguf hf://org/llama/../x hf://org/none hf://org/llama/none.gguf https://huggingface.co/org/llama/discussions; do numel -q $u; done
numel: hf://llama: is not a repository: hf://ORG/NAME[@REVISION][/FILE]
numel: hf://org/llama@: has an empty revision after '@'
numel: hf://datasets/org/x: is no model: numel reads hf://ORG/NAME, not datasets, spaces, kernels or buckets
numel: http://e.com/x.gguf: is http:// to another machine, which anyone on the way can change: use https://
numel: https://me:pw@e.com/x.gguf: has a name and password in it, which others on this machine would see
numel: hf://org/llama/../x: has a revision or a path that leads nowhere
numel: hf://org/none: no such repository or revision: hf://org/none
numel: hf://org/llama/none.gguf: no such file in the repository
numel: https://huggingface.co/org/llama/discussions: is not a page with a model's files: give hf://ORG/NAME, or the address of a file
[2]
# a program that misbehaves
$ for f in gated changed short long size garbage dies deaf; do echo "# $f"; STAND_IN_FAULT=$f numel -q hf://org/llama 2>&1 | sed 's/ fetched in.*/ fetched/'; done
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
numel: hf://org/llama: numel-fetch ended before it answered
$ NUMEL_FETCH=$T/none numel -q hf://org/llama 2>&1 | sed "s:$T:T:"
numel: hf://org/llama: numel-fetch is not installed, the program that uses the network (T/none)
$ STAND_IN_FAULT=gated numel --json hf://org/llama
numel: hf://org/llama: its licence has to be accepted at https://huggingface.co/org/tiny; then set HF_TOKEN
{"schema": "numel.error/1",
 "path": "hf://org/llama",
 "error": {"code":"IO","file":"hf://org/llama","offset":null,"message":"its licence has to be accepted at https://huggingface.co/org/tiny; then set HF_TOKEN"}}
[3]
# nothing is left behind
$ ls -d /tmp/numel-remote.* 2>/dev/null | while read d; do [ -O "$d" ] && ls $d | grep -c llama; done
0
0
[1]
# without a scheme: no socket, and no program
$ if command -v strace >/dev/null; then strace -f -e trace=%network,execve -o $T/trace numel -q fixtures/llama-2-7b >/dev/null && grep -c execve $T/trace; grep -E 'socket|connect' $T/trace; else echo 1; fi
1
[1]
# the parser has no sockets: with a scheme, the other program is started, and this one opens none
$ if command -v strace >/dev/null; then strace -e trace=%network -o $T/trace numel -q hf://org/llama >/dev/null 2>&1; grep -E 'socket|connect' $T/trace; fi
[1]

# verify --against: a local copy
$ cp -r $T/hub/org/llama@main $T/mine; cd $T; numel verify --level size --against hf://org/llama@main mine
mine
levels  header, size

file                                      bytes  tensors
model-00001-of-00002.safetensors  9,976,570,304      217  1 error
model-00002-of-00002.safetensors  3,500,294,472       74  1 error

error  zero-tail  model-00001-of-00002.safetensors:25024: 9,976,545,280 zero
                  bytes that were never written to the end of the file: tensors
                  'model.embed_tokens.weight' to
                  'model.layers.9.self_attn.v_proj.weight' (217) have no data:
                  the space was allocated and never filled
error  zero-tail  model-00002-of-00002.safetensors:8520: 3,500,285,952 zero
                  bytes that were never written to the end of the file: tensors
                  'lm_head.weight' to 'model.norm.weight' (74) have no data: the
                  space was allocated and never filled

incomplete: 2 errors, 0 warnings
download 'model-00001-of-00002.safetensors' again
download 'model-00002-of-00002.safetensors' again
numel: 832 bytes fetched in 1 request
[1]

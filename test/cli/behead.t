# numel behead: header-only copies are counted like the whole, and a copy of a copy is the same.
$ numel behead fixtures/llama-2-7b $T/a | sed "s:$T:T:"
4 files written to T/a
$ ls $T/a
config.json
model-00001-of-00002.safetensors.head.zst
model-00002-of-00002.safetensors.head.zst
model.safetensors.index.json
$ numel -q $T/a
6738415616
$ numel behead $T/a $T/b | sed "s:$T:T:"; cd $T; for f in a/*; do cmp $f b/${f#a/}; done
4 files written to T/b
$ numel behead fixtures/llama-2-7b $T/a 2>&1 | sed "s:$T:T:"
numel: T/a/model-00001-of-00002.safetensors.head.zst: exists already (--force overwrites it)
0 files written to T/a
$ numel behead -f fixtures/llama-2-7b $T/a | sed "s:$T:T:"
4 files written to T/a
$ hex fixtures/good/gguf/llama-tiny.hex > $T/tiny.gguf; cd $T; numel behead tiny.gguf c; numel tiny.gguf | tail -n +2 > 1; numel c | tail -n +2 > 2; diff 1 2
1 files written to c
6,7c6,7
< bytes         928 = header 904 + padding 24; not there: missing 120,104
< data          absent
---
> bytes         928 = header 904 + data (absent) 120,104 + padding 112
> data          absent (header-only copy)
24c24
< note  data-absent  at byte 928: 120,104 bytes short: tensors 'token_embd.weight' to 'rope_freqs.weight' (13) lie past the end, the last ends at 121120, the file at 928
---
> note  data-absent  a header-only copy: the data was left out on purpose
[1]

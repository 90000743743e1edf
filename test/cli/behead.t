# numel behead: header-only copies count like the originals, and a copy of a copy is the same.
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
numel: T/a/model-00001-of-00002.safetensors.head.zst: exists already, and is not overwritten (behead --force does)
0 files written to T/a
$ numel behead -f fixtures/llama-2-7b $T/a | sed "s:$T:T:"
4 files written to T/a
$ hex fixtures/good/gguf/llama-tiny.hex > $T/tiny.gguf; cd $T; numel behead tiny.gguf c; numel tiny.gguf | tail -n +2 > 1; numel c | tail -n +2 > 2; diff 1 2
1 file written to c
11c11
< data          absent
---
> data          absent (header-only copy)
28a29
> note  data-absent  a header-only copy: the tensor data was left out on purpose
[1]
# Each copy gets its own name: folders are kept, and every file reported as written exists.
$ for c in unet vae text_encoder; do mkdir -p $T/p/$c; cp fixtures/gpt2/*.zst fixtures/gpt2/config.json $T/p/$c/; done; echo '{"_class_name": "P"}' > $T/p/model_index.json
$ cd $T; numel behead p q; find q -type f | sort
7 files written to q
q/model_index.json
q/text_encoder/config.json
q/text_encoder/model.safetensors.head.zst
q/unet/config.json
q/unet/model.safetensors.head.zst
q/vae/config.json
q/vae/model.safetensors.head.zst
$ cd $T; numel -q p; numel -q q; numel behead -f p q; numel behead --json -f p/ q/
137022720
137022720
137022720
137022720
137022720
137022720
7 files written to q
{"schema":"numel.behead/1","files":7}
# Several checkpoints in one folder share its config.json: one copy, reported once.
$ mkdir $T/two; hex fixtures/good/gguf/llama-tiny.hex > $T/two/a.gguf; cp $T/two/a.gguf $T/two/b.gguf; echo '{}' > $T/two/config.json; cd $T; numel behead two two.h; ls two.h
3 files written to two.h
a.gguf.head.zst
b.gguf.head.zst
config.json
# Two forms of one file would become one copy: the second is refused, even with --force.
$ mkdir $T/forms; cd $T; zstd -q two/a.gguf -o forms/a.gguf.zst; cp two.h/a.gguf.head.zst forms/; numel behead -f forms f.h; s=$?; ls f.h; (exit $s)
numel: f.h/a.gguf.head.zst: was just written for another file of the same name
1 file written to f.h
a.gguf.head.zst
[3]
# Shards in separate folders, as an index names them.
$ mkdir -p $T/deep/x $T/deep/y; cd $T; cp two/a.gguf deep/x/m.gguf; cp two/a.gguf deep/y/m.gguf; echo '{"weight_map":{"a":"x/m.gguf","b":"y/m.gguf"}}' > deep/model.safetensors.index.json
$ cd $T; numel behead deep/ deep.h 2>/dev/null; s=$?; find deep.h -type f | sort; (exit $s)
3 files written to deep.h
deep.h/model.safetensors.index.json
deep.h/x/m.gguf.head.zst
deep.h/y/m.gguf.head.zst
[1]
# Nothing is written through a link, whoever created it: a part, a name, a folder.
$ mkdir $T/l; cd $T; echo precious > victim; ln -s ../victim l/a.gguf.head.zst.part; numel behead two/a.gguf l; cat victim; ls l
2 files written to l
precious
a.gguf.head.zst
a.gguf.head.zst.part
config.json
$ cd $T; rm l/a.gguf.head.zst; ln -s ../victim l/a.gguf.head.zst; numel behead two/a.gguf l; cat victim; rm victim; numel behead two/a.gguf l; ls victim
numel: l/a.gguf.head.zst: exists already, and is not overwritten (behead --force does)
0 files written to l
precious
numel: l/a.gguf.head.zst: exists already, and is not overwritten (behead --force does)
0 files written to l
ls: cannot access 'victim': No such file or directory
[2]
$ cd $T; echo precious > victim; numel behead -f two/a.gguf l; cat victim; test -L l/a.gguf.head.zst || echo no link; test $(numel -q l/a.gguf.head.zst) = $(numel -q two/a.gguf) && echo same
2 files written to l
precious
no link
same
$ mkdir $T/out $T/lf; ln -s ../out $T/lf/unet; cd $T; numel behead -f p lf; s=$?; ls out; ls lf; (exit $s)
numel: lf/unet/model.safetensors.head.zst: its folder is a link, or cannot be opened: Not a directory
5 files written to lf
model_index.json
text_encoder
unet
vae
[3]
$ mkdir -p $T/taken/a.gguf.head.zst; cd $T; numel behead -f two/a.gguf taken; s=$?; ls -A taken taken/a.gguf.head.zst; (exit $s)
numel: taken/a.gguf.head.zst: cannot rename: Is a directory
0 files written to taken
taken:
a.gguf.head.zst

taken/a.gguf.head.zst:
[3]
# The target folder may be a link: it is the user's.
$ mkdir $T/real; ln -s real $T/alias; cd $T; numel behead two/a.gguf alias; ls real
2 files written to alias
a.gguf.head.zst
config.json

# The same under a descriptive name.
$ numel export-headers fixtures/gpt2 $T/x | sed "s:$T:T:"; numel -q $T/x
2 files written to T/x
137022720
$ numel behead --help | sed -n '/^usage/,/^$/p'; numel help export-headers | head -1
usage: numel behead PATH DIR
       numel export-headers PATH DIR

  $ numel behead model/ heads/     heads/NAME.head.zst, index, config.json

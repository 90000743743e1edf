# numel hash: digests of files, tensors and models. The reference is sha256sum.
$ st=$PWD/test/support/st.py; cd $T; python3 $st a.safetensors w:F32:2x3:1 b:BF16:5:2; numel hash a.safetensors | sed 's/^#/;/'
; numel-manifest 1
; bytes 155  a.safetensors
49a349be8bc3a209d4ab909f814394f60403b550c403f75a61f49efe0119bf55  a.safetensors
sha256    834d1e14f59a8a123b08e69a1fb36adc2b22e958c3a71aa472b5c3739579bd0c  a.safetensors:w
sha256    b9a96a1274c16ae1a753b37701747dc033c3143c1666d32152fae5d0d5cf6fef  a.safetensors:b
model     a19d9a2383db63cbe49d2cd94d26adfd6802f164e9c9512597dbf51e553cc691  a.safetensors
content   85c4387516d6cf4a172be8e747df390a3abac552ba5495e2e2df11b6d4b2f54d  a.safetensors
$ cd $T; numel hash --files-only a.safetensors > m; sha256sum --strict -c m; sha256sum a.safetensors > n; grep -v '^#' m | cmp - n
a.safetensors: OK
# the tensor's bytes: 24 after the header for w, the last 10 for b
$ cd $T; numel hash --tensors-only a.safetensors | cut -c 1-30 | grep -v '^#'; tail -c 34 a.safetensors | head -c 24 | sha256sum | cut -c 1-20; tail -c 10 a.safetensors | sha256sum | cut -c 1-20
sha256    834d1e14f59a8a123b08
sha256    b9a96a1274c16ae1a753
model     a19d9a2383db63cbe49d
content   85c4387516d6cf4a172b
834d1e14f59a8a123b08
b9a96a1274c16ae1a753
# two shards, in another order, with different padding; zstd; GGUF with the same names: one model
$ st=$PWD/test/support/st.py; cd $T; mkdir s; python3 $st --pad 5 s/m-00001-of-00002.safetensors b:BF16:5:2; python3 $st s/m-00002-of-00002.safetensors w:F32:2x3:1; python3 $st g.gguf b:BF16:5:2 w:F32:2x3:1; zstd -q a.safetensors -o z.safetensors.zst; for f in a.safetensors s g.gguf z.safetensors.zst; do numel hash -q $f; done | uniq -c | cut -c 1-20
      4 a19d9a2383db
# the definition of the model digest, spelled out
$ cd $T; python3 -c "import hashlib as h; sha = lambda b: h.sha256(b).digest(); d = open('a.safetensors', 'rb').read()[-34:]; r = [b'w\0F32\0' + b'2,3\0' + sha(d[:24]), b'b\0BF16\0' + b'5\0' + sha(d[24:])]; print(sha(b''.join(sorted(map(sha, r)))).hex())" > want; numel hash -q a.safetensors | cmp - want
# other names: a different model, the same content
$ st=$PWD/test/support/st.py; cd $T; python3 $st r.safetensors v:F32:2x3:1 c:BF16:5:2; numel hash r.safetensors | tail -2 | cut -c 1-20; numel hash -q r.safetensors | cmp -s - want
model     1d2cb41838
content   85c4387516
[1]
# a folder: other files are hashed too, lists of digests and hidden files are not
$ st=$PWD/test/support/st.py; cd $T; mkdir d; python3 $st d/model.safetensors w:I8:3:1; echo '{}' > d/config.json; echo x > d/.hidden; numel hash d > d/d.numel; numel hash --files-only d | grep -v '^#' | cut -c 67-
d/model.safetensors
d/config.json
# incomplete: comments in the manifest, a line on standard error, and no model digest
$ st=$PWD/test/support/st.py; cd $T; mkdir h; python3 $st h/m-00001-of-00002.safetensors w:I8:3:1; numel hash h 2>&1 | sed 's/^#/;/' | cut -c 1-78
numel: 1 problem: see the comments in the manifest
; numel-manifest 1
; bytes 64  h/m-00001-of-00002.safetensors
b1f5c65b7ed9a42203ab1939dbc7993ae83f57815bd397d046e20550b0f58586  h/m-00001-of
sha256    007ed4c0c17a4bb57e5c0d2f4eefe39a20ab225fe8998dbb7ea3c8fefafdc847  h/
;  h/m-00002-of-00002.safetensors  shard-missing  the file names count it, but
$ st=$PWD/test/support/st.py; cd $T; head -c 150 a.safetensors > cut.safetensors; numel hash cut.safetensors 2>/dev/null | sed 's/^#/;/' | cut -c 1-78
; numel-manifest 1
; bytes 150  cut.safetensors
87de3e17867a8c7287acb6183f77ecefcbb7996b2271bd028f70a15bbf149389  cut.safetens
sha256    834d1e14f59a8a123b08e69a1fb36adc2b22e958c3a71aa472b5c3739579bd0c  cu
;  cut.safetensors  data-missing  5 bytes short: tensor 'b' ends at 155, the f
$ cd $T; printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 99\n' 7 > p.gguf; numel hash p.gguf 2>&1 | sed 's/^#/;/' | cut -c 1-60
numel: 1 problem: see the comments in the manifest
; numel-manifest 1
; bytes 127  p.gguf
ac6a61df86b96af2245880756965ae2537e5ae153dcfbadce7499171ef56
;  p.gguf  FORMAT  is a Git LFS pointer to 99 bytes, not the
$ cd $T; numel hash gone a.safetensors >/dev/null
numel: 1 problem: see the comments in the manifest
[5]
$ cd $T; numel hash gone >/dev/null
numel: 1 problem: see the comments in the manifest
[3]
$ cd $T; numel hash --json --files-only a.safetensors gone
numel: 1 problem: see the comments in the manifest
{"schema": "numel.hash/1",
 "files": [
  {"path":"a.safetensors","bytes":155,"sha256":"49a349be8bc3a209d4ab909f814394f60403b550c403f75a61f49efe0119bf55","resumed":false}],
 "tensors": [],
 "models": [
  {"path":"a.safetensors","tensors":2,"model":null,"content":null,"judgement":{"kind":"model","verdict":"unknown","architecture":null,"name":null,"known_by":null,"causes":[]}}],
 "problems": [
  {"path":"gone","code":"IO","message":"cannot open: No such file or directory"}],
 "complete": false}
[5]
# -q: models, or files
$ cd $T; numel hash -q --files-only a.safetensors | cut -c 1-20
49a349be8bc3a209d4ab
# --resume: a record of finished work outside the model, deleted at the end; other programs' files are left alone
$ st=$PWD/test/support/st.py; cd $T; XDG_STATE_HOME=$T/state numel hash -q --resume d >/dev/null; ls state/numel; ls -A d; numel hash -q --resume=own d >/dev/null; ls own; echo mine > f; numel hash --resume=f d; cat f
.hidden
config.json
d.numel
model.safetensors
ls: cannot access 'own': No such file or directory
numel: f:0: was not written by --resume: left unchanged
mine

# A shard that ends inside its header: it has its own digest, but the whole has none ("model", "content"), since
# the other half was not read.
$ mkdir $T/half && cd $T/half && for n in a b; do printf '\066\0\0\0\0\0\0\0{"%s":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}abcd' $n > $n; done; mv a model-00001-of-00002.safetensors; head -c 20 b > model-00002-of-00002.safetensors; cd ..; numel hash half 2>/dev/null | grep -v '^#' | cut -c1-9; numel verify --level header half | tail -1
d259bc6cf
sha256   
3773d2e8d
505a75afd
download 'model-00002-of-00002.safetensors' again

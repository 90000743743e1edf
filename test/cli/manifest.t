# verify --manifest: a manifest of ours or sha256sum's, then or elsewhere. Each block is one neighbour: what must
# be accepted, and what is close to it and must be refused.
# the same files in another place, under another name of the folder, of the files
$ . test/cli/published.sh; model a; numel hash a > m; mkdir -p x/y; cp a/* x/y; numel verify x/y --manifest m | tail -n +7
file               content
model.safetensors  not known

warning  tensor-new  model.safetensors:129: tensor 'w' is not in the manifest m
warning  tensor-new  model.safetensors:8321: tensor 'b' is not in the manifest m

note  model-unchecked  the tensors were not compared with a formula: the
                       configuration has no model_type
note  hash-unknown     model.safetensors: no checksum of it was found on this
                       disk: its data is not checked

complete: 1 file, 2 tensors, 2 warnings; no checksums to compare with
$ . test/cli/published.sh; model a; numel hash a > m; mkdir y; cp a/model.safetensors y/weights.safetensors; cp a/config.json y; numel verify y --manifest m | tail -n +7
file                 content
weights.safetensors  not known

warning  tensor-new  weights.safetensors:129: tensor 'w' is not in the manifest
                     m
warning  tensor-new  weights.safetensors:8321: tensor 'b' is not in the manifest
                     m

note  model-unchecked  the tensors were not compared with a formula: the
                       configuration has no model_type
note  hash-unknown     weights.safetensors: no checksum of it was found on this
                       disk: its data is not checked

complete: 1 file, 2 tensors, 2 warnings; no checksums to compare with
# another model with the same names is another model, whatever lies where the manifest was made
$ . test/cli/published.sh; model a; numel hash a > m; mkdir z; st z/model.safetensors w:F32:64x32:9 b:BF16:5:7; cp a/config.json z; numel verify --json z --manifest m | grep -o '"code":"[a-z-]*"'; numel verify -q z --manifest m
"code":"tensor-new"
"code":"tensor-new"
"code":"model-unchecked"
"code":"hash-unknown"
# nothing of it is here: said, with what was looked for
$ . test/cli/published.sh; model a; numel hash a > m; mkdir y; st y/other.safetensors q:F32:64x32:9 r:BF16:5:7; numel verify y --manifest m | grep -A4 ^error; numel verify -q y --manifest m
# only a file beside the weights is
$ . test/cli/published.sh; model a; sha256sum a/config.json > m; numel verify a --manifest m | grep -A3 ^error
[1]
# cut anew, in another order, with another header; and the same with a tensor less, a tensor more
$ . test/cli/published.sh; model a; numel hash a > m; shards s; numel verify s --manifest m | grep -A1 -E '^(manifest|note  file|complete)'
complete: 2 files, 2 tensors, 3 warnings; no checksums to compare with
download the index of the shards
$ . test/cli/published.sh; model a; numel hash a > m; mkdir r; st r/model.safetensors b:BF16:5:2 w:F32:64x32:1; cp a/config.json r; numel verify r --manifest m | tail -n +7
file               content
model.safetensors  not known

warning  tensor-new  model.safetensors:125: tensor 'b' is not in the manifest m
warning  tensor-new  model.safetensors:135: tensor 'w' is not in the manifest m

note  model-unchecked  the tensors were not compared with a formula: the
                       configuration has no model_type
note  hash-unknown     model.safetensors: no checksum of it was found on this
                       disk: its data is not checked

complete: 1 file, 2 tensors, 2 warnings; no checksums to compare with
$ . test/cli/published.sh; model a; numel hash a > m; mkdir r; st r/x.safetensors b:BF16:5:2 w:F32:64x32:1; cp a/config.json r; numel verify r --manifest m | grep -A1 -E '^(x.safetensors  m|manifest|note  file|complete)'
complete: 1 file, 2 tensors, 2 warnings; no checksums to compare with
$ . test/cli/published.sh; model a; numel hash a > m; mkdir r; st r/x.safetensors w:F32:64x32:1; cp a/config.json r; numel verify r --manifest m | grep -E '^(error|manifest|incomplete)'
[1]
$ . test/cli/published.sh; model a; numel hash a > m; mkdir r; st r/x.safetensors w:F32:64x32:1 b:BF16:5:2 c:I8:1:4; cp a/config.json r; numel verify r --manifest m | grep -A1 -E '^(error|warning|manifest|incomplete)'
warning  tensor-new  x.safetensors:187: tensor 'w' is not in the manifest m
warning  tensor-new  x.safetensors:8379: tensor 'b' is not in the manifest m
warning  tensor-new  x.safetensors:8389: tensor 'c' is not in the manifest m
# the same bytes under another type, in another shape, under other names
$ . test/cli/published.sh; model a; numel hash a > m; mkdir r; st r/x.safetensors w:I32:64x32:1 b:BF16:5:2; cp a/config.json r; numel verify r --manifest m | grep -A1 -E '^(error|manifest|incomplete)'
[1]
$ . test/cli/published.sh; model a; numel hash a > m; mkdir r; st r/x.safetensors w:F32:32x64:1 b:BF16:5:2; cp a/config.json r; numel verify r --manifest m | grep -E '^error'
[1]
$ . test/cli/published.sh; model a; numel hash a > m; mkdir r; st r/x.safetensors v:F32:64x32:1 c:BF16:5:2; numel verify r --manifest m | grep -A1 -E '^(error|note  content|incomplete)'
[1]
# the digest of the model alone
$ . test/cli/published.sh; model a; numel hash a | grep ^model > m; mkdir r; st r/x.safetensors b:BF16:5:2 w:F32:64x32:1; numel verify r --manifest m | grep -E '^(manifest|x.*match|complete)'
complete: 1 file, 2 tensors; no checksums to compare with
$ . test/cli/published.sh; model a; numel hash a | grep ^model > m; mkdir r; st r/x.safetensors b:BF16:5:2 w:F32:32x64:1; numel verify r --manifest m | grep -E '^(manifest|error|incomplete)'
[1]
# two names that fit equally are said, and not chosen from; more of the path decides, and the place in the folder
$ . test/cli/published.sh; mkdir v1 v2 c; st v1/model.safetensors w:F32:4:1; st v2/model.safetensors w:F32:4:2; cp v1/* c; numel hash v1 v2 > m; numel verify c --manifest m | grep -A2 ^error; numel verify -q c --manifest m
$ . test/cli/published.sh; mkdir v1 v2 z; st v1/model.safetensors w:F32:4:1; st v2/model.safetensors w:F32:4:2; cp -r v1 z; sha256sum v1/* v2/* > m; numel verify z/v1 --manifest m | grep -A1 -E '^(manifest|note  man|complete)'; cp v2/* z/v1; numel verify z/v1 --manifest m | grep -E '^error'
complete: 1 file, 1 tensors; no checksums to compare with
[1]
$ . test/cli/published.sh; mkdir -p p/sub; st p/model.safetensors w:F32:4:1; st p/sub/model.safetensors w:F32:4:2; numel hash p > m; mv p q; numel verify q --manifest m | grep -E '^(q|manifest|error|complete)'
q/model.safetensors
complete: 1 file, 1 tensors; checksums of 1 of 1 file match
# of a folder with several, one is gone
$ . test/cli/published.sh; mkdir -p p/unet p/vae p/text; for d in unet vae text; do st p/$d/model.safetensors $d:F32:4:1; done; numel hash p > m; cp -r p q; rm -r q/vae; numel verify q --manifest m | grep -E '^(q|error|complete|incomplete)'
q/text/model.safetensors
complete: 1 file, 1 tensors, 1 warning; no checksums to compare with
q/unet/model.safetensors
complete: 1 file, 1 tensors, 1 warning; no checksums to compare with
# one digest under two names stands for two files; one name with two digests for none
$ . test/cli/published.sh; mkdir v c; st v/a.safetensors w:F32:4:1; cp v/a.safetensors v/b.safetensors; cp v/a.safetensors c/x.safetensors; sha256sum v/* > m; numel verify c --manifest m | grep -E '^(manifest|error|incomplete)'
[1]
$ . test/cli/published.sh; mkdir v; st v/a.safetensors w:F32:4:1; sha256sum v/* > m; sed 's/^./0/' m >> m2; cat m2 >> m; numel verify v --manifest m | grep -E '^(manifest|error|incomplete)'
[1]
# sha256sum's list of another root, of the folder itself, and of files that are not weights alone
$ . test/cli/published.sh; model a; sha256sum a/* | sed 's: a/: /srv/models/b/:' > m; numel verify a --manifest m | grep -E '^(manifest|complete)'
complete: 1 file, 2 tensors; checksums of 2 of 2 files match
$ . test/cli/published.sh; model a; cd a; sha256sum * > ../m; cd ..; mv a b; numel verify b --manifest m | grep -E '^(manifest|complete)'
complete: 1 file, 2 tensors; checksums of 2 of 2 files match
# a file of which no line speaks, with tensors that nobody knows
$ . test/cli/published.sh; model a; numel hash a > m; st a/extra.safetensors q:F32:4:1; numel verify a/extra.safetensors --manifest m | grep -A1 -E '^(manifest|error|incomplete)'
[1]
$ . test/cli/published.sh; shards s; sha256sum s/model-00001* s/config.json > m; numel verify s --manifest m | grep -A1 -E '^(manifest|error|note  file|not|complete)'
note  model-unchecked  the tensors were not compared with a formula: the
                       configuration has no model_type
note  hash-unknown     model-00002-of-00002.safetensors: no checksum of it was
                       found on this disk: its data is not checked
--
complete: 2 files, 2 tensors, 1 warning; checksums of 2 of 3 files match
download the index of the shards
# header-only copies: names are here, data is not: neither yes nor no
$ . test/cli/published.sh; model a; numel hash a > m; numel behead a h >/dev/null; cp a/config.json h; numel verify h --manifest m | grep -A1 -E '^(manifest|note  man)'; numel verify -q h --manifest m
# what is no manifest
$ . test/cli/published.sh; model a; : > e; echo '# numel-manifest 1' > c; echo '<html>' > h; for f in e c h a/model.safetensors; do numel verify a --manifest $f; echo $?; done
numel: e: is not a list of checksums: no line is in the form of numel hash or sha256sum
3
numel: c: is not a list of checksums: no line is in the form of numel hash or sha256sum
3
numel: h: is not a list of checksums: no line is in the form of numel hash or sha256sum
3
numel: a/model.safetensors: is not a list of checksums: no line is in the form of numel hash or sha256sum
3

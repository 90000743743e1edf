# verify --manifest: a manifest of ours or sha256sum's, later or elsewhere. Each block is a pair of neighbours: one
# that must be accepted, and one close to it that must be refused.
# the same files in another place, under another name of the folder, of the files
$ . test/cli/published.sh; model a; numel hash a > m; mkdir -p x/y; cp a/* x/y; numel verify x/y --manifest m | tail -n +7
file               checksum  according to
model.safetensors  matches   the manifest
config.json        matches   the manifest

manifest  m: 2 of 2 files, 2 of 2 tensors match

note  model-unchecked  the tensors were not compared with a formula: the
                       configuration has no model_type; name the architecture
                       with --arch NAME

complete: 1 file, 2 tensors; checksums of 2 of 2 files match
$ . test/cli/published.sh; model a; numel hash a > m; mkdir y; cp a/model.safetensors y/weights.safetensors; cp a/config.json y; numel verify y --manifest m | tail -n +7
file                 checksum  according to
weights.safetensors  matches   the manifest
config.json          matches   the manifest

manifest  m: 2 of 2 files, 2 of 2 tensors match

note  model-unchecked  the tensors were not compared with a formula: the
                       configuration has no model_type; name the architecture
                       with --arch NAME
note  file-renamed     weights.safetensors: it is 'a/model.safetensors' in the
                       manifest

complete: 1 file, 2 tensors; checksums of 2 of 2 files match
# another model with the same names is another model, whatever is at the manifest's original path
$ . test/cli/published.sh; model a; numel hash a > m; mkdir z; st z/model.safetensors w:F32:64x32:9 b:BF16:5:7; cp a/config.json z; numel verify --json z --manifest m | grep -o '"code":"[a-z-]*"'; numel verify -q z --manifest m
"code":"hash-mismatch"
"code":"tensor-changed"
"code":"tensor-changed"
"code":"model-unchecked"
[1]
# none of its files is here: reported, with what was searched for
$ . test/cli/published.sh; model a; numel hash a > m; mkdir y; st y/other.safetensors q:F32:64x32:9 r:BF16:5:7; numel verify y --manifest m | grep -A4 ^error; numel verify -q y --manifest m
error  manifest-unmatched  m: the manifest has no entry for the weights here;
                           looked for files: 'other.safetensors', tensors: 'q'
                           and 1 more; the manifest has files:
                           'a/model.safetensors' and 1 more, tensors: 'w' and 1
                           more
[1]
# only a file besides the weights is
$ . test/cli/published.sh; model a; sha256sum a/config.json > m; numel verify a --manifest m | grep -A3 ^error
error  manifest-unmatched  m: the manifest has no entry for the weights here,
                           only for files next to them; looked for files:
                           'model.safetensors', tensors: 'w' and 1 more; the
                           manifest has files: 'a/config.json', tensors: none
# split differently, in another order, with another header; and the same with a missing tensor, an extra tensor
$ . test/cli/published.sh; model a; numel hash a > m; shards s; numel verify s --manifest m | grep -A1 -E '^(manifest|note  file|complete)'
manifest  m: 1 of 2 files, 2 of 2 tensors match

--
note  file-moved       m: 'a/model.safetensors' of the manifest is missing, but
                       all its tensors are here, unchanged
--
complete: 2 files, 2 tensors, 1 warning; checksums of 3 of 3 files match
download the index of the shards
$ . test/cli/published.sh; model a; numel hash a > m; mkdir r; st r/model.safetensors b:BF16:5:2 w:F32:64x32:1; cp a/config.json r; numel verify r --manifest m | tail -n +7
file               checksum    according to
model.safetensors  wrong size  the manifest
config.json        matches     the manifest

manifest  m: 1 of 2 files, 2 of 2 tensors match; the same tensors in another
          container

error  hash-size  model.safetensors: the file has 8,327 bytes, but the manifest
                  says 8,331 (m); its checksum was not computed

note  model-unchecked  the tensors were not compared with a formula: the
                       configuration has no model_type; name the architecture
                       with --arch NAME
note  tensors-same     model.safetensors: its tensors' bytes match the manifest:
                       the same tensors in another container (other header or
                       order)

incomplete: 1 error, 0 warnings
download 'model.safetensors' again
$ . test/cli/published.sh; model a; numel hash a > m; mkdir r; st r/x.safetensors b:BF16:5:2 w:F32:64x32:1; cp a/config.json r; numel verify r --manifest m | grep -A1 -E '^(x.safetensors  m|manifest|note  file|complete)'
x.safetensors  matches   the manifest's tensors
config.json    matches   the manifest
--
manifest  m: 1 of 2 files, 2 of 2 tensors match

--
note  file-moved       m: 'a/model.safetensors' of the manifest is missing, but
                       all its tensors are here, unchanged
--
complete: 1 file, 2 tensors; checksums of 2 of 2 files match
$ . test/cli/published.sh; model a; numel hash a > m; mkdir r; st r/x.safetensors w:F32:64x32:1; cp a/config.json r; numel verify r --manifest m | grep -E '^(error|manifest|incomplete|damaged)'
manifest  m: 1 of 2 files, 1 of 2 tensors match
error  tensor-gone  m: tensor 'b' of the manifest is in none of the files
error  file-absent  m: 'a/model.safetensors' of the manifest is missing
incomplete: 2 errors, 0 warnings
$ . test/cli/published.sh; model a; numel hash a > m; mkdir r; st r/x.safetensors w:F32:64x32:1 b:BF16:5:2 c:I8:1:4; cp a/config.json r; numel verify r --manifest m | grep -A1 -E '^(error|warning|manifest|incomplete|damaged)'
manifest  m: 1 of 2 files, 2 of 2 tensors match

error  manifest-model  x.safetensors: this is not the model of the manifest: 1
                       tensor here is not in it
--
warning  tensor-new  x.safetensors:8389: tensor 'c' is not in the manifest m

--
damaged: 1 error, 1 warning
# the same bytes under another type, in another shape, under other names
$ . test/cli/published.sh; model a; numel hash a > m; mkdir r; st r/x.safetensors w:I32:64x32:1 b:BF16:5:2; cp a/config.json r; numel verify r --manifest m | grep -A1 -E '^(error|manifest|incomplete|damaged)'
manifest  m: 1 of 2 files, 2 of 2 tensors match; types or shapes of tensors do
          not
--
error  manifest-model  x.safetensors: its tensors have the bytes in the
                       manifest, but other types or shapes: its model digest is
--
error  file-absent     m: 'a/model.safetensors' of the manifest is missing

--
incomplete: 2 errors, 0 warnings
$ . test/cli/published.sh; model a; numel hash a > m; mkdir r; st r/x.safetensors w:F32:32x64:1 b:BF16:5:2; cp a/config.json r; numel verify r --manifest m | grep -E '^error'
error  manifest-model  x.safetensors: its tensors have the bytes in the
error  file-absent     m: 'a/model.safetensors' of the manifest is missing
$ . test/cli/published.sh; model a; numel hash a > m; mkdir r; st r/x.safetensors v:F32:64x32:1 c:BF16:5:2; numel verify r --manifest m | grep -A1 -E '^(error|note  content|incomplete|damaged)'
error  manifest-unmatched  m: the manifest has no entry for the weights here;
                           looked for files: 'x.safetensors', tensors: 'v' and 1
--
note  content-same     x.safetensors: the same tensors under other names: the
                       content digest matches the manifest
--
damaged: 1 error, 0 warnings
# only the model digest
$ . test/cli/published.sh; model a; numel hash a | grep ^model > m; mkdir r; st r/x.safetensors b:BF16:5:2 w:F32:64x32:1; numel verify r --manifest m | grep -E '^(manifest|x.*match|complete)'
x.safetensors  matches   the manifest's model digest
manifest  m: all tensors match
complete: 1 file, 2 tensors; checksums of 1 of 1 file match
$ . test/cli/published.sh; model a; numel hash a | grep ^model > m; mkdir r; st r/x.safetensors b:BF16:5:2 w:F32:32x64:1; numel verify r --manifest m | grep -E '^(manifest|error|incomplete|damaged)'
manifest  m: no files and no tensors match
error  manifest-model  x.safetensors: this is not the model of the manifest: its
damaged: 1 error, 0 warnings
# two equally matching names are reported, not chosen from; a longer path decides, and the position in the folder
$ . test/cli/published.sh; mkdir v1 v2 c; st v1/model.safetensors w:F32:4:1; st v2/model.safetensors w:F32:4:2; cp v1/* c; numel hash v1 v2 > m; numel verify c --manifest m | grep -A2 ^error; numel verify -q c --manifest m
error  manifest-ambiguous  model.safetensors: m may mean 'v1/model.safetensors'
                           or 'v2/model.safetensors'; its content is that of the
                           first
[1]
$ . test/cli/published.sh; mkdir v1 v2 z; st v1/model.safetensors w:F32:4:1; st v2/model.safetensors w:F32:4:2; cp -r v1 z; sha256sum v1/* v2/* > m; numel verify z/v1 --manifest m | grep -A1 -E '^(manifest|note  man|complete)'; cp v2/* z/v1; numel verify z/v1 --manifest m | grep -E '^error'
manifest  m: 1 of 1 files match

--
note  manifest-others  m: 1 file of the manifest is not part of this checkpoint:
                       'v2/model.safetensors'
--
complete: 1 file, 1 tensor; checksums of 1 of 1 file match
error  hash-mismatch  model.safetensors: its sha256 is
$ . test/cli/published.sh; mkdir -p p/sub; st p/model.safetensors w:F32:4:1; st p/sub/model.safetensors w:F32:4:2; numel hash p > m; mv p q; numel verify q --manifest m | grep -E '^(q|manifest|error|complete)'
q/model.safetensors
manifest  m: 1 of 1 files, 1 of 1 tensors match
complete: 1 file, 1 tensor; checksums of 1 of 1 file match
# one of several checkpoints in a folder is missing
$ . test/cli/published.sh; mkdir -p p/unet p/vae p/text; for d in unet vae text; do st p/$d/model.safetensors $d:F32:4:1; done; numel hash p > m; cp -r p q; rm -r q/vae; numel verify q --manifest m | grep -E '^(q|error|complete|incomplete|damaged)'
q/text/model.safetensors
error  file-absent  m: 'p/vae/model.safetensors' of the manifest is missing
incomplete: 1 error, 0 warnings
q/unet/model.safetensors
complete: 1 file, 1 tensor; checksums of 1 of 1 file match
# one digest under two names means two files; one name with two digests means none
$ . test/cli/published.sh; mkdir v c; st v/a.safetensors w:F32:4:1; cp v/a.safetensors v/b.safetensors; cp v/a.safetensors c/x.safetensors; sha256sum v/* > m; numel verify c --manifest m | grep -E '^(manifest|error|incomplete|damaged)'
manifest  m: 1 of 2 files match
error  file-absent  m: 'v/b.safetensors' of the manifest is missing
incomplete: 1 error, 0 warnings
$ . test/cli/published.sh; mkdir v; st v/a.safetensors w:F32:4:1; sha256sum v/* > m; sed 's/^./0/' m >> m2; cat m2 >> m; numel verify v --manifest m | grep -E '^(manifest|error|incomplete|damaged)'
manifest  m: no files and no tensors match
error  manifest-ambiguous  a.safetensors: m has two digests for
damaged: 1 error, 0 warnings
# sha256sum's list for another root, for the folder itself, and for files other than weights
$ . test/cli/published.sh; model a; sha256sum a/* | sed 's: a/: /srv/models/b/:' > m; numel verify a --manifest m | grep -E '^(manifest|complete)'
manifest  m: 2 of 2 files match
complete: 1 file, 2 tensors; checksums of 2 of 2 files match
$ . test/cli/published.sh; model a; cd a; sha256sum * > ../m; cd ..; mv a b; numel verify b --manifest m | grep -E '^(manifest|complete)'
manifest  m: 2 of 2 files match
complete: 1 file, 2 tensors; checksums of 2 of 2 files match
# a file that no line mentions, with unknown tensors
$ . test/cli/published.sh; model a; numel hash a > m; st a/extra.safetensors q:F32:4:1; numel verify a/extra.safetensors --manifest m | grep -A1 -E '^(manifest|error|incomplete|damaged)'
manifest  m: no files and no tensors match

error  manifest-unmatched  m: the manifest has no entry for the weights here,
                           only for files next to them; looked for files:
--
damaged: 1 error, 0 warnings
$ . test/cli/published.sh; shards s; sha256sum s/model-00001* s/config.json > m; numel verify s --manifest m | grep -A1 -E '^(manifest|error|note  file|not|complete)'
manifest  m: 2 of 2 files match

--
note  model-unchecked  the tensors were not compared with a formula: the
                       configuration has no model_type; name the architecture
--
note  file-unlisted    model-00002-of-00002.safetensors: it is not in the
                       manifest m
--
complete: 2 files, 2 tensors, 1 warning; checksums of 2 of 3 files match
download the index of the shards
# header-only copies: names exist, data does not: neither yes nor no
$ . test/cli/published.sh; model a; numel hash a > m; numel behead a h >/dev/null; cp a/config.json h; numel verify h --manifest m | grep -A1 -E '^(manifest|note  man)'; numel verify -q h --manifest m
manifest  m: 1 of 2 files, 0 of 2 tensors match

--
note  manifest-unread  model.safetensors.head.zst: 2 tensors of the manifest are
                       here without data, or could not be read: not compared
[4]
# files that are not manifests
$ . test/cli/published.sh; model a; : > e; echo '# numel-manifest 1' > c; echo '<html>' > h; for f in e c h a/model.safetensors; do numel verify a --manifest $f; echo $?; done
numel: e: is not a list of checksums: it has no line like those of numel hash or sha256sum
3
numel: c: is not a list of checksums: it has no line like those of numel hash or sha256sum
3
numel: h: is not a list of checksums: it has no line like those of numel hash or sha256sum
3
numel: a/model.safetensors: is not a list of checksums: it has no line like those of numel hash or sha256sum
3
# a new file next to the weights, and one level below: the manifest is never ignored
$ . test/cli/published.sh; model a; numel hash a > m; echo 'import os' > a/modeling.py; numel verify a --manifest m | grep -A1 -E '^note  file'; flip a/model.safetensors 200; numel verify -q --level header --manifest m a
note  file-unlisted    modeling.py: it is not in the manifest m
[1]
# two GGUF files in one folder have the same tensors: each is identified by its file, here, elsewhere, renamed; and
# altered
$ . test/cli/published.sh; mkdir p; st p/q4.gguf w:F32:8:1 b:F32:8:2; st p/q8.gguf w:F32:8:3 b:F32:8:4; numel hash p > m; cp -r p q; numel verify q --manifest m | grep -E '^(manifest|error|complete)'; mv q/q4.gguf q/x.gguf; numel verify q --manifest m | grep -E '^(manifest|error|complete)'; st q/x.gguf w:F32:8:1 b:F32:8:5; numel verify q/x.gguf --manifest m | grep -A1 -E '^(manifest|error|incomplete|damaged)'
manifest  m: 1 of 1 files, 2 of 2 tensors match
complete: 1 file, 2 tensors; checksums of 1 of 1 file match
manifest  m: 1 of 1 files, 2 of 2 tensors match
complete: 1 file, 2 tensors; checksums of 1 of 1 file match
manifest  m: 1 of 2 files, 2 of 2 tensors match
complete: 1 file, 2 tensors; checksums of 1 of 1 file match
manifest  m: 1 of 1 files, 2 of 2 tensors match
complete: 1 file, 2 tensors; checksums of 1 of 1 file match
manifest  m: 0 of 1 files, 1 of 2 tensors match

error  tensor-changed  x.gguf:192: tensor 'b': its 32 bytes have the sha256
                       6b064421a93c8acc1d47004d69b1c966e7a028ff32f9e755787aebcfa81ac396,
--
error  file-absent     m: 'p/q4.gguf' of the manifest is missing

--
incomplete: 2 errors, 0 warnings
download 'x.gguf' again
# escaped names
$ . test/cli/published.sh; mkdir p; st "p/a b$(printf '\n\\')x.safetensors" w:F32:8:1; numel hash p > m; mv p q; numel verify q --manifest m | grep -E '^(manifest|error|complete)'
manifest  m: 1 of 1 files, 1 of 1 tensors match
complete: 1 file, 1 tensor; checksums of 1 of 1 file match

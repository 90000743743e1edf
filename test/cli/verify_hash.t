# numel verify --level hash: content against every digest on disk. sha256sum and git define the correct digests;
# the test creates each form of storing them.
$ . test/cli/published.sh; cache; numel verify -q --level hash $M && numel verify --level hash $M | tail -n +5
file               bytes  tensors
model.safetensors  8,331        2  ok

file               checksum  according to
model.safetensors  matches   the name of its blob
config.json        matches   the name of its blob

note  model-unchecked  the tensors were not compared with a formula: the
                       configuration has no model_type; name the architecture
                       with --arch NAME

complete: 1 file, 2 tensors; checksums of 2 of 2 files match
$ . test/cli/published.sh; cache; flip $M/blobs/$H 200; numel verify --level hash $M | grep -E '^error|complete|damaged' | sed 's/its sha256.*//'; numel verify --json $M --level hash | grep -o '"code":"[a-z-]*"'
error  hash-mismatch  model.safetensors: 
damaged: 1 error, 0 warnings
"code":"hash-mismatch"
"code":"model-unchecked"
$ . test/cli/published.sh; cache; flip $M/blobs/$G 3; numel verify --json --level hash $M | sed "s:$T/::g" | grep -E 'hash-mismatch|config' | sed 's/[0-9a-f]\{40\}/HEX/g'
 "judgement": {"kind":"model","verdict":"disagrees","architecture":null,"name":null,"known_by":"names and shapes","causes":[{"code":"configuration-invalid","text":"models--o--n/snapshots/abc/config.json: control character 0x00 in a string","explains":1}]},
  {"path":"models--o--n/snapshots/abc/config.json","sha256":null,"git_sha1":"HEX","verdict":"differs","source":"the name of its blob","source_path":"models--o--n/blobs/HEX"}],
  {"code":"config-unreadable","severity":"error","level":"config","file":"models--o--n/snapshots/abc/config.json","tensor":"","offset":3,"message":"control character 0x00 in a string","cause":null},
  {"code":"hash-mismatch","severity":"error","level":"hash","file":"models--o--n/snapshots/abc/config.json","tensor":"","offset":null,"message":"its git-sha1 is HEX, but the name of its blob says HEX","cause":null}],
  {"do":"download 'config.json' again"}]}
# a repository's listing, and sizes before digests
$ . test/cli/published.sh; cache; listing > $M/trees/abc.json; numel verify --json --level hash $M | grep -o '"verdict":"[^}]*'| sed "s:$T:T:"
"verdict":"unknown","architecture":null,"name":null,"known_by":null,"causes":[]
"verdict":"matches","source":"the name of its blob","source_path":"T/models--o--n/blobs/d311aef19c92f1a7ac74e7856cab85c59e3023f630a29933625c7a57c43cda11"
"verdict":"matches","source":"the name of its blob","source_path":"T/models--o--n/blobs/c0c1bfafb32310f0585d0c510ff440ab0259a5c1"
$ . test/cli/published.sh; cache; listing > $M/trees/abc.json; echo more >> $M/blobs/$G; numel verify --json --level hash $M | sed "s:$T/::g" | grep -E 'hash-|size-|"verdict":"wrong' | sed 's/[0-9a-f]\{40,64\}/HEX/g'
  {"path":"models--o--n/snapshots/abc/config.json","sha256":null,"git_sha1":null,"verdict":"wrong size","source":"the file listing of its repository","source_path":"models--o--n/trees/abc.json"}],
  {"code":"hash-size","severity":"error","level":"hash","file":"models--o--n/snapshots/abc/config.json","tensor":"","offset":null,"message":"the file has 13 bytes, but the file listing of its repository says 8 (models--o--n/trees/abc.json); its checksum was not computed","cause":null}],
# a folder downloaded by huggingface_hub
$ . test/cli/published.sh; local_dir; numel verify --level hash l | tail -n +7
file               checksum  according to
model.safetensors  matches   the record of its download
config.json        matches   the record of its download

note  model-unchecked  the tensors were not compared with a formula: the
                       configuration has no model_type; name the architecture
                       with --arch NAME

complete: 1 file, 2 tensors; checksums of 2 of 2 files match
$ . test/cli/published.sh; local_dir; flip l/sub/model.safetensors 200; numel verify --level hash l/sub | grep -c hash-mismatch
1
# lists: sha256sum's, a bare digest, BSD's, a Git LFS pointer
$ . test/cli/published.sh; model p; cd p; sha256sum model.safetensors > SHA256SUMS; numel verify --level hash . | grep -A1 according
file               checksum  according to
model.safetensors  matches   a list next to it
$ . test/cli/published.sh; model p; cd p; sha256sum < model.safetensors | cut -c 1-64 > model.safetensors.sha256; numel verify --level hash . | grep matches
model.safetensors  matches   a list next to it
$ . test/cli/published.sh; model p; cd p; sha256sum --tag model.safetensors > checksums.txt; numel verify --level hash . | grep matches
model.safetensors  matches   a list next to it
$ . test/cli/published.sh; model p; cd p; pointer model.safetensors > model.safetensors.lfs; numel verify --level hash . | grep matches; truncate -s -1 model.safetensors; numel verify --level hash . | grep hash-
model.safetensors  matches   a list next to it
error  hash-size     model.safetensors: the file has 8,330 bytes, but a list
$ . test/cli/published.sh; model p; cd p; echo no digest > SHA256SUMS; numel verify --level hash . | grep -E '^(warning|note|complete)'
warning  list-unreadable  SHA256SUMS: is not a list of checksums: it has no line
note  model-unchecked  the tensors were not compared with a formula: the
note  hash-unknown     model.safetensors: no checksum was found for it on this
complete: 1 file, 2 tensors, 1 warning; no checksums to compare with
# Ollama: the blob's name, and the size stated in a manifest
$ . test/cli/published.sh; ollama; numel verify --level hash o/blobs/sha256-$H | tail -n +6 | sed "s/$H/HEX/"

file                                                                     checksum  according to
sha256-HEX  matches   the name of Ollama's blob

note  model-unchecked  the tensors were not compared with a formula: no
                       configuration (--config FILE, or --arch NAME with --set
                       SYM=N)

complete: 1 file, 2 tensors; checksums of 1 of 1 file match
$ . test/cli/published.sh; ollama; printf x >> o/blobs/sha256-$H; numel verify --level hash o/blobs/sha256-$H | grep hash- | sed "s/$H/HEX/"
error  hash-size               sha256-HEX:
# nothing to compare with is reported, and is not an error
$ . test/cli/published.sh; model n; numel verify --level hash n | tail -n +6

file               checksum
model.safetensors  not known

note  model-unchecked  the tensors were not compared with a formula: the
                       configuration has no model_type; name the architecture
                       with --arch NAME
note  hash-unknown     model.safetensors: no checksum was found for it on this
                       disk: its data is not checked

complete: 1 file, 2 tensors; no checksums to compare with
# our own manifest names the tensor; if moved, split differently, or with another header, tensors are compared by
# name
$ . test/cli/published.sh; model a; numel hash a > m; mv a b; numel verify b --manifest m | tail -1
complete: 1 file, 2 tensors; checksums of 2 of 2 files match
$ . test/cli/published.sh; model a; numel hash a > m; flip a/model.safetensors 1000; numel verify --json a --manifest m | grep -E '"code"' | cut -c 1-118
  {"code":"hash-mismatch","severity":"error","level":"hash","file":"a/model.safetensors","tensor":"","offset":null,"me
  {"code":"tensor-changed","severity":"error","level":"hash","file":"a/model.safetensors","tensor":"w","offset":129,"m
  {"code":"model-unchecked","severity":"note","level":"config","file":"","tensor":"","offset":null,"message":"the tens
$ . test/cli/published.sh; model a; numel hash a > m; rm -r a; shards a; numel verify a --manifest m | tail -n +9
model-00001-of-00002.safetensors  matches   the manifest's tensors
model-00002-of-00002.safetensors  matches   the manifest's tensors
config.json                       matches   the manifest

manifest  m: 1 of 2 files, 2 of 2 tensors match

warning  index-absent  a: 2 shards without an index: transformers loads none of
                       them without model.safetensors.index.json

note  model-unchecked  the tensors were not compared with a formula: the
                       configuration has no model_type; name the architecture
                       with --arch NAME
note  file-moved       m: 'a/model.safetensors' of the manifest is missing, but
                       all its tensors are here, unchanged

complete: 2 files, 2 tensors, 1 warning; checksums of 3 of 3 files match
download the index of the shards
$ . test/cli/published.sh; model a; numel hash a > m; st a/model.safetensors b:BF16:5:2 w:F32:64x32:1; numel verify a --manifest m | grep -E '^(error|note)|complete' | cut -c 1-60
error  hash-size  model.safetensors: the file has 8,327 byte
note  model-unchecked  the tensors were not compared with a 
note  tensors-same     model.safetensors: its tensors' bytes
incomplete: 1 error, 0 warnings
$ . test/cli/published.sh; model a; numel hash a > m; st a/model.safetensors w:F32:64x32:1 new:I8:3:3; numel verify --json a --manifest m | grep -o '"code":"[a-z-]*","severity":"[a-z]*".*"tensor":"[a-z]*"' | sed 's/"level.*"tensor"/"tensor"/'
"code":"hash-size","severity":"error","tensor":""
"code":"tensor-gone","severity":"error","tensor":"b"
"code":"tensor-new","severity":"warning","tensor":"new"
"code":"model-unchecked","severity":"note","tensor":""
$ . test/cli/published.sh; model a; numel hash a > m; rm a/config.json; numel verify a --manifest m | grep -E '^error'
error  file-absent  m: 'a/config.json' of the manifest is missing
$ . test/cli/published.sh; model a; numel verify a --manifest config; numel verify a --manifest a/config.json
numel: config: cannot open: No such file or directory
numel: a/config.json: is not a list of checksums: it has no line like those of numel hash or sha256sum
[3]

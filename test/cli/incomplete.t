# Unfinished downloads. A shard here is 16 x 16 numbers of 4 bytes and a header of 70: 1,094 bytes; 700 of them are
# 63.98 %: no percentage is rounded up.
$ . test/cli/roots.sh; mkdir s; for n in 1 2 3; do st s/m-0000$n-of-00003.safetensors w$n:F32:16x16:$n; done; wc -c < s/m-00002-of-00003.safetensors
1094
# a shard still being downloaded belongs to its set
$ cd $T; cp -r s a; (cd a; head -c 700 m-00002-of-00003.safetensors > m-00002-of-00003.safetensors.part; rm m-00002-of-00003.safetensors); numel a --depth 1 | tail -3; numel verify a | head -13; numel a --json | grep -o '"code":"download[^,]*,"severity":"[a-z]*"'

error  shard-missing        a/m-00002-of-00003.safetensors: the file names count it, but it is missing: download it
error  download-incomplete  a/m-00002-of-00003.safetensors: 63 % of m-00002-of-00003.safetensors is here: 700 of 1,094 bytes, in a/m-00002-of-00003.safetensors.part; run the download again to resume it
a
levels  header, size, index, config

file                          bytes  tensors
m-00001-of-00003.safetensors  1,094        1  ok
m-00002-of-00003.safetensors                  missing
m-00003-of-00003.safetensors  1,094        1  ok

error  download-incomplete  m-00002-of-00003.safetensors: 63 % of
                            m-00002-of-00003.safetensors is here: 700 of 1,094
                            bytes, in a/m-00002-of-00003.safetensors.part; run
                            the download again to resume it
error  shard-missing        m-00002-of-00003.safetensors: the file names count
"code":"download-incomplete","severity":"error"
# by the listing, as huggingface_hub stores it with --local-dir: the full size comes from the listing
$ cd $T; cp -r s c; e=$(printf %064d 3); d=c/.cache/huggingface/download; mkdir -p $d c/.cache/huggingface/trees; head -c 700 s/m-00003-of-00003.safetensors > $d/AbC.$e.incomplete; rm c/m-00003-of-00003.safetensors; printf '{"files":{"m-00003-of-00003.safetensors":{"size":1400,"lfs_sha256":"%s","lfs_size":1400}}}' $e > c/.cache/huggingface/trees/x.json; numel c | grep -o 'download-incomplete .*bytes'
download-incomplete  c/m-00003-of-00003.safetensors: 50 % of m-00003-of-00003.safetensors is here: 700 of 1,400 bytes
# without a listing: by the record of its etag, else by the names in its header: the only missing shard
$ cd $T; rm -r c/.cache/huggingface/trees; numel c | grep -o 'download-incomplete .*bytes'; printf 'abc\n%s\n1.0\n' $(printf %064d 3) > c/.cache/huggingface/download/m-00003-of-00003.safetensors.metadata; numel c | grep -o 'download-incomplete .*bytes'; rm c/m-00002-of-00003.safetensors; rm c/.cache/huggingface/download/*.metadata; numel c | grep -c download-incomplete
download-incomplete  c/m-00003-of-00003.safetensors: 63 % of m-00003-of-00003.safetensors is here: 700 of 1,094 bytes
download-incomplete  c/m-00003-of-00003.safetensors: 63 % of m-00003-of-00003.safetensors is here: 700 of 1,094 bytes
0
[1]
# an index shows which shard has the tensors in the header
$ cd $T; rm -r c/.cache/huggingface/download/*.metadata 2>/dev/null; printf '{"weight_map":{"w1":"m-00001-of-00003.safetensors","w2":"m-00002-of-00003.safetensors","w3":"m-00003-of-00003.safetensors"}}' > c/m.safetensors.index.json; numel c | grep -o 'download-incomplete .*bytes'
download-incomplete  c/m-00003-of-00003.safetensors: 63 % of m-00003-of-00003.safetensors is here: 700 of 1,094 bytes
# a partial download of another file is not an error of this set, and is not shown with it; verify notes it
$ cd $T; cp -r s d; mkdir -p d/.cache/huggingface/trees d/.cache/huggingface/download; e=$(printf %064d 9); echo '{}' > d/.cache/huggingface/download/x.$e.incomplete; printf '{"files":{"tokenizer.json":{"size":100,"lfs_sha256":"%s","lfs_size":100}}}' $e > d/.cache/huggingface/trees/x.json; numel d | grep -c download-; numel verify d | grep -A1 download- | sed "s|$T/||"
0
note  download-leftover  d/.cache/huggingface/download/x.0000000000000000000000000000000000000000000000000000000000000009.incomplete:
                         3 % of tokenizer.json is here: 3 of 100 bytes, in
# one larger than expected, one of unknown size, and a leftover of a file that is complete
$ cd $T; cp -r s l; (cd l; { cat m-00002-of-00003.safetensors; echo more; } > m-00002-of-00003.safetensors.crdownload; rm m-00002-of-00003.safetensors; head -c 20 m-00003-of-00003.safetensors > m-00003-of-00003.safetensors.download; rm m-00003-of-00003.safetensors; echo x > m-00001-of-00003.safetensors.part); numel verify l | grep -A5 download-
error  download-incomplete  m-00002-of-00003.safetensors:
                            l/m-00002-of-00003.safetensors.crdownload has 1,099
                            bytes, more than the 1,094 of
                            m-00002-of-00003.safetensors: delete it and run the
                            download again
error  download-incomplete  m-00003-of-00003.safetensors: 20 bytes of
                            m-00003-of-00003.safetensors are here, in
                            l/m-00003-of-00003.safetensors.download; its full
                            size is unknown; run the download again to resume it
error  shard-missing        m-00002-of-00003.safetensors: the file names count
                            it, but it is missing: download it
--
note  download-leftover  m-00001-of-00003.safetensors.part: 2 bytes of an
                         unfinished download, but m-00001-of-00003.safetensors
                         is complete: delete them
note  model-unchecked    the tensors were not compared with a formula: no
                         configuration (--config FILE, or --arch NAME with --set
                         SYM=N)
# aria2 writes into the file itself, and stores a list next to it
$ cd $T; cp -r s r; echo x > r/m-00001-of-00003.safetensors.aria2; numel r | grep download-
error  download-incomplete  r/m-00001-of-00003.safetensors: its download is not finished: r/m-00001-of-00003.safetensors.aria2 is next to it; run the download again to resume it
# only unfinished downloads: an error that says so; verify lists them, exit 1
$ cd $T; mkdir n; for i in 1 2 3; do head -c $((i * 300)) s/m-0000$i-of-00003.safetensors > n/m-0000$i-of-00003.safetensors.incomplete; done; numel n; numel verify n
numel: n: only 3 unfinished downloads: 27 % of m-00001-of-00003.safetensors is here: 300 of 1,094 bytes, in n/m-00001-of-00003.safetensors.incomplete; run the download again to resume it
n
levels  header, size, index, config

file
m-00001-of-00003.safetensors  missing
m-00002-of-00003.safetensors  missing
m-00003-of-00003.safetensors  missing

error  download-incomplete  m-00001-of-00003.safetensors: 27 % of
                            m-00001-of-00003.safetensors is here: 300 of 1,094
                            bytes, in n/m-00001-of-00003.safetensors.incomplete;
                            run the download again to resume it
error  download-incomplete  m-00002-of-00003.safetensors: 54 % of
                            m-00002-of-00003.safetensors is here: 600 of 1,094
                            bytes, in n/m-00002-of-00003.safetensors.incomplete;
                            run the download again to resume it
error  download-incomplete  m-00003-of-00003.safetensors: 82 % of
                            m-00003-of-00003.safetensors is here: 900 of 1,094
                            bytes, in n/m-00003-of-00003.safetensors.incomplete;
                            run the download again to resume it

incomplete: 3 errors, 0 warnings; 3 of 3 files are missing
resume the download
[1]
$ cd $T; numel n --json 2>/dev/null | grep -o '"code": *"IO"'
"code":"IO"
# the same for a repository in the Hugging Face cache: without a snapshot, and with one that has only the
# configuration
$ cd $T; R=hub/models--o--n; e=$(printf %064d 7); mkdir -p $R/blobs $R/trees; head -c 700 s/m-00001-of-00003.safetensors > $R/blobs/$e.incomplete; numel hub 2>&1 | cut -c1-120; printf '{"files":{"x.safetensors":{"size":2000,"lfs_sha256":"%s","lfs_size":2000}}}' $e > $R/trees/abc.json; HF_HUB_CACHE=hub numel verify o/n | sed -n '1,2p;5,7p'; mkdir -p $R/snapshots/abc; echo '{}' > $R/snapshots/abc/config.json; numel verify hub | sed -n '1,2p;5,7p'
numel: hub/models--o--n: only 1 unfinished download: 63 % of a file of unknown name is here: 700 of 1,094 bytes, in /tmp
o/n
hub/models--o--n
file
x.safetensors  missing

o/n
hub/models--o--n
file
x.safetensors  missing
# files that are not part of a checkpoint do not make one
$ cd $T; mkdir t; echo '{' > t/tokenizer.json.part; echo x > t/notes.txt.part; numel verify t
numel: t: no .safetensors, .gguf or PyTorch files found in this folder
[3]
# a partial download next to a different complete file is a separate entry
$ cd $T; mkdir b; cp s/m-00001-of-00003.safetensors b/a.safetensors; head -c 700 s/m-00002-of-00003.safetensors > b/z.safetensors.part; numel -q b
numel: b/z.safetensors.part: only 1 unfinished download: 63 % of z.safetensors is here: 700 of 1,094 bytes, in b/z.safetensors.part; run the download again to resume it
256
[5]
# names that contain terminal control characters
$ cd $T; mkdir h; head -c 700 s/m-00001-of-00003.safetensors > "$(printf 'h/a\033[31m\n.safetensors.part')"; numel h
numel: h: only 1 unfinished download: 63 % of a\x1b[31m\n.safetensors is here: 700 of 1,094 bytes, in h/a\x1b[31m\n.safetensors.part; run the download again to resume it
[3]

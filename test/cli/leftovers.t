# numel list --leftovers: what takes space but is not a model. Nothing is deleted; -q prints the paths that nothing uses.
# A Hugging Face cache. 1 is the current revision's, 2 an older one's that no ref names; nothing points to 3 and 4; a
# link from elsewhere leads to 4, 5 has a second name. What the part becomes is unknown.
$ cd $T; R=hub/models--org--model a=$(printf 'a%.0s' 1 2 3 4 5 6 7 8); mkdir -p $R/blobs $R/refs/pr $R/snapshots/$a $R/snapshots/old $R/snapshots/pr1; for n in 1 2 3 4 5; do head -c ${n}000 /dev/zero >$R/blobs/$n; done; ln -s ../../blobs/1 $R/snapshots/$a/x; ln -s ../../blobs/1 $R/snapshots/old/x; ln -s ../../blobs/2 $R/snapshots/old/y; ln -s ../../blobs/1 $R/snapshots/pr1/x; ln $R/blobs/5 second; ln -s $R/blobs/4 link; printf $a >$R/refs/main; printf 'pr1\n' >$R/refs/pr/1; head -c 500 /dev/zero >$R/blobs/etag.incomplete; find . -type f | xargs touch -d 2026-01-01; numel list --leftovers hub .
path                                          what              model      files     size  kept, since
hub/models--org--model/blobs/etag.incomplete  partial download  org/model      1    500 B
hub/models--org--model/blobs/3                unused blob       org/model      1  2.9 KiB
hub/models--org--model/snapshots/old          revision          org/model      2  1.9 KiB  no ref names it, but a program may ask for it by its commit; 'hf cache prune' deletes it

total  3 leftovers, 5.3 KiB; 3.4 KiB in 2 leftovers that nothing uses
$ cd $T; numel list --leftovers -q hub .; numel list --leftovers -q0 hub . | tr '\0' '!'; echo
hub/models--org--model/blobs/etag.incomplete
hub/models--org--model/blobs/3
hub/models--org--model/blobs/etag.incomplete!hub/models--org--model/blobs/3!
# without the link and the second name they are unused
$ cd $T; numel list --leftovers -q hub; rm link second; numel list --leftovers -q
hub/models--org--model/blobs/etag.incomplete
hub/models--org--model/blobs/3
hub/models--org--model/blobs/4
hub/models--org--model/blobs/etag.incomplete
hub/models--org--model/blobs/3
hub/models--org--model/blobs/4
hub/models--org--model/blobs/5
# a part that changed within the last hour may be under way, and so may be what it has completed before
$ cd $T; touch $R hub/models--org--model/blobs/etag.incomplete; numel list --leftovers -q; numel list --leftovers hub | cut -c1-80
path                                          what              model      files
hub/models--org--model/blobs/etag.incomplete  partial download  org/model      1
hub/models--org--model/blobs/3                unused blob       org/model      1
hub/models--org--model/blobs/4                unused blob       org/model      1
hub/models--org--model/blobs/5                unused blob       org/model      1
hub/models--org--model/snapshots/old          revision          org/model      2

total  5 leftovers, 14.1 KiB
# a link to the folder of blobs: its files are kept; a folder that cannot be read: all blobs are kept
$ cd $T; touch -d 2026-01-01 hub/models--org--model/blobs/etag.incomplete; ln -s hub/models--org--model/blobs b; numel list --leftovers -q; rm b
# in the repository itself; another program's folder of blobs and snapshots is not understood
$ cd $T/$(printf hub/models--org--model); numel list --leftovers -q; cp -r . $T/other; numel list --leftovers -q $T/other | grep -c blobs/3
blobs/etag.incomplete
blobs/3
blobs/4
blobs/5
0
[1]
# Ollama: a manifest names a blob, another one is unused; of a pull 300 of 1,000 bytes are there, in two blocks
$ cd $T; mkdir -p o/blobs o/manifests/reg.example/library/m; for n in 1 2; do d=$(printf '%064d' $n); head -c 10$n /dev/zero >o/blobs/sha256-$d; done; d=$(printf '%064d' 3); head -c 1000 /dev/zero >o/blobs/sha256-$d-partial; printf '{"N":0,"Offset":0,"Size":600,"Completed":200}' >o/blobs/sha256-$d-partial-0; printf '{"N":1,"Offset":600,"Size":400,"Completed":100}' >o/blobs/sha256-$d-partial-1; printf '{"layers":[{"mediaType":"application/vnd.ollama.image.model","digest":"sha256:%064d","size":101}]}' 1 >o/manifests/reg.example/library/m/latest; find o -type f | xargs touch -d 2026-01-01; numel list --leftovers -q o; numel list --leftovers --no-truncate o | cut -c 9-12,70-200; numel list --leftovers --csv o
o/blobs/sha256-0000000000000000000000000000000000000000000000000000000000000003-partial
o/blobs/sha256-0000000000000000000000000000000000000000000000000000000000000003-partial-0
o/blobs/sha256-0000000000000000000000000000000000000000000000000000000000000003-partial-1
o/blobs/sha256-0000000000000000000000000000000000000000000000000000000000000002
                        what              files   size      of
sha20000000003-partial  partial download      3  300 B  1000 B  30.0 %
sha20000000002          unused blob           1  102 B

 lef
numel list: --csv cannot be combined with --leftovers
[2]
# a manifest that cannot be read may name anything: no blob is listed
$ cd $T; echo '{' >o/manifests/reg.example/library/m/old; numel list --leftovers -q o | grep -c partial; numel list --leftovers -q o | grep -vc partial
3
0
[1]
# parts next to files, by their own headers: LM Studio's, a browser's, aria2's; other files with such a suffix are no downloads
$ mkdir $T/p; hex fixtures/good/safetensors/llama-tiny.hex | head -c 1000 >$T/p/m.safetensors.crdownload; cd $T/p; cp m.safetensors.crdownload downloading_a.gguf.part; echo 1 >notes.part; echo 1 >x.safetensors; echo 1 >x.safetensors.aria2; touch -d 2026-01-01 *; numel list --leftovers; numel list --leftovers -q
path                      what              file           files    size       of          kept, since
downloading_a.gguf.part   partial download  a.gguf             1  1000 B  1.1 KiB  85.9 %
m.safetensors.crdownload  partial download  m.safetensors      1  1000 B  1.1 KiB  85.9 %
x.safetensors.aria2       partial download  x.safetensors      1     2 B                   aria2's list of what is missing: without it the file next to it looks complete

total  3 leftovers, 1.9 KiB; 1.9 KiB in 2 leftovers that nothing uses
downloading_a.gguf.part
m.safetensors.crdownload
# pointers of a folder are one; a folder with only empty folders is one; a path that starts with '-'
$ mkdir -p $T/q/e/f $T/q/lfs; cd $T/q; for n in 1 2 3; do printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize %d\n' $n $((n*100000000)) >lfs/$n.bin; done; echo version >lfs/other; cp ../p/downloading_a.gguf.part ./-rf.gguf.part; touch -d 2026-01-01 ./-rf*; numel list --leftovers; numel list --leftovers -q
path           what              file      files    size         of          kept, since
-rf.gguf.part  partial download  -rf.gguf      1  1000 B    1.1 KiB  85.9 %
lfs            LFS pointers                    3   402 B  572.2 MiB          git needs them; git lfs pull replaces them
e              empty folder                    0                             a folder: rmdir deletes it

total  3 leftovers, 1.3 KiB; 1000 B in 1 leftover that nothing uses
./-rf.gguf.part
# errors
$ numel list --leftovers --sort bytes fixtures/gpt2; numel list --leftovers fixtures/none
numel list: --sort cannot be combined with --leftovers
numel: fixtures/none: cannot list: No such file or directory
[3]
$ numel list --leftovers --json fixtures/gpt2; numel list --leftovers fixtures/gpt2
{"schema": "numel.leftovers/1",
 "leftovers": [],
 "bytes": 0,
 "deletable_bytes": 0,
 "unread_folders": 0}
total  0 leftovers, 0 B

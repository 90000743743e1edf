# verify --against: a local copy and the published files, in every way in which they differ. The two shards have 123,136 +
# 106,880 = 2 * 115,008 bytes of tensors.
$ python3 test/cli/remote/layouts.py $T/hub published; cp -r $T/hub/org/published $T/copy; cd $T; ls -l copy | awk 'NR > 1 { print $5, $9 }'; numel verify --against hf://org/published copy
2 README.md
334 config.json
124296 model-00001-of-00002.safetensors
107896 model-00002-of-00002.safetensors
1678 model.safetensors.index.json
copy
levels  header, size, index, config, hash

file                                bytes  tensors
model-00001-of-00002.safetensors  124,296       11  ok
model-00002-of-00002.safetensors  107,896       10  ok

file                              checksum  according to
model-00001-of-00002.safetensors  matches   the file listing of its repository
model-00002-of-00002.safetensors  matches   the file listing of its repository
README.md                         matches   the file listing of its repository
config.json                       matches   the file listing of its repository
model.safetensors.index.json      matches   the file listing of its repository

complete: 2 files, 21 tensors; checksums of 5 of 5 files match
numel: 480 bytes fetched in 1 request
# a shard is missing; so is a small file
$ . test/cli/remote/against.sh; rm m/model-00002-of-00002.safetensors m/README.md; against
error  published-missing  README.md: is published (2 bytes), but it is missing:
                          download it
error  published-missing  model-00002-of-00002.safetensors: is published
                          (107,896 bytes), but it is missing: download it
error  shard-missing      model-00002-of-00002.safetensors: the index names it,
                          but it is missing: download it
incomplete: 3 errors, 0 warnings; 1 of 2 files is missing
# a shard is cut; one is empty; one is a Git LFS pointer
$ . test/cli/remote/against.sh; truncate -s -1000 m/model-00002-of-00002.safetensors; against
error  data-missing    model-00002-of-00002.safetensors:106896: 1,000 bytes
                       short: tensor 'lm_head.weight' ends at 107896, the file
                       at 106896
error  size-published  model-00002-of-00002.safetensors: the file has 106,896
                       bytes, but the published file has 107,896
                       (hf://org/published)
incomplete: 2 errors, 0 warnings
$ . test/cli/remote/against.sh; : >m/model-00002-of-00002.safetensors; against
error  file-empty      model-00002-of-00002.safetensors:0: is empty (0 bytes):
                       the download has not begun, download it again
error  size-published  model-00002-of-00002.safetensors: the file has 0 bytes,
                       but the published file has 107,896 (hf://org/published)
incomplete: 2 errors, 0 warnings
$ . test/cli/remote/against.sh; printf 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 107896\n' >m/model-00002-of-00002.safetensors; against
error  lfs-pointer     model-00002-of-00002.safetensors:0: is a Git LFS pointer
                       to 107,896 bytes, not the file: run 'git lfs pull', or
                       download it again
error  size-published  model-00002-of-00002.safetensors: the file has 69 bytes,
                       but the published file has 107,896 (hf://org/published)
incomplete: 2 errors, 0 warnings
# other bytes of the same size, in a shard and in a small file
$ . test/cli/remote/against.sh; printf '\0' | dd of=m/model-00001-of-00002.safetensors bs=1 seek=5000 conv=notrunc 2>/dev/null; sed -i s/4096/4097/ m/config.json; against
error  hash-mismatch  model-00001-of-00002.safetensors: its sha256 is
                      a56aed59d39fecd93e7fa182584a9eec16a7da143616cb8f8fdda41216247a54,
                      but the file listing of its repository says
                      f6e13ca0ffd640a7c45bc92bd916cbaeb5ef800b7675f166c37f4a49b3a6a284
                      (hf://org/published)
error  hash-mismatch  config.json: its git-sha1 is
                      40d13718918df31d1ee203cb309e250fab32264b, but the file
                      listing of its repository says
                      be738aca30e36a07690daac8f431dbf360c3b1b0
                      (hf://org/published)
damaged: 2 errors, 0 warnings
# another revision: one shard was published again
$ . test/cli/remote/against.sh; cp -r hub/org/published hub/org/published@v2; printf '\0' | dd of=hub/org/published@v2/model-00001-of-00002.safetensors bs=1 seek=6000 conv=notrunc 2>/dev/null; against @v2
error  hash-mismatch  model-00001-of-00002.safetensors: its sha256 is
                      f6e13ca0ffd640a7c45bc92bd916cbaeb5ef800b7675f166c37f4a49b3a6a284,
                      but the file listing of its repository says
                      a9a7cb95788a3e9dccac5c60b5d6481f9c3c75ab913974a751f9770bc9a5b7e9
                      (hf://org/published@v2)
damaged: 1 error, 0 warnings
# files that are not published, some of them hidden; a shard that was renamed
$ . test/cli/remote/against.sh; echo x >m/notes.txt; mkdir m/.cache; echo 1 >m/.cache/x; against
warning  published-extra  notes.txt: is not among the published files
                          (hf://org/published)
complete: 2 files, 21 tensors, 1 warning; checksums of 5 of 5 files match
$ . test/cli/remote/against.sh; mv m/model-00001-of-00002.safetensors m/model-1.safetensors; against
error  published-missing  model-00001-of-00002.safetensors: is published
                          (124,296 bytes), but it is missing: download it
error  shard-missing      model-00001-of-00002.safetensors: the index names it,
                          but it is missing: download it
error  shard-unindexed    model-1.safetensors: 'model-1.safetensors' is named
                          like a shard of this set, but is not in the index
warning  published-extra  model-1.safetensors: is not among the published files
                          (hf://org/published); it has the size of
                          'model-00001-of-00002.safetensors', which is missing:
                          was it renamed?
incomplete: 3 errors, 1 warning; 1 of 2 files is missing
warning  file-stray  model-1.safetensors: 'model-1.safetensors' holds part of
                     the model (11 tensors), and the index of the folder does
                     not name it: an extra file, not an incomplete model
complete: 1 file, 11 tensors, 1 warning; checksums of 3 of 4 files match
# runs of zeros that are published are no damage; they are where the digest differs, or is not asked for
$ . test/cli/remote/against.sh; for d in hub/org/published m; do head -c 1200 copy/model-00002-of-00002.safetensors >$d/model-00002-of-00002.safetensors; truncate -s 107896 $d/model-00002-of-00002.safetensors; done; against; numel verify -q m || echo damaged; printf '\1' | dd of=m/model-00002-of-00002.safetensors bs=1 seek=1500 conv=notrunc 2>/dev/null; against
complete: 2 files, 21 tensors; checksums of 5 of 5 files match
damaged
error  zero-tail      model-00002-of-00002.safetensors:1501: 106,395 zero bytes
                      that were never written to the end of the file: tensors
                      'model.layers.1.self_attn.k_proj.weight' to
                      'lm_head.weight' (10) have no data: the space was
                      allocated and never filled
error  hash-mismatch  model-00002-of-00002.safetensors: its sha256 is
                      369338c6d437d7d298553cb4a1405768d3788aaf144fc0d045612cea0c93a93b,
                      but the file listing of its repository says
                      20a82187deece56151577c26f181ad48a6b8d8b60a674ce445f2c5278a8ff489
                      (hf://org/published)
incomplete: 2 errors, 0 warnings
# the cache of huggingface_hub: links to blobs with the names of their digests; a blob that is damaged is blamed once
$ . test/cli/remote/against.sh; python3 $OLDPWD/test/cli/remote/cached.py $T/hub/org/published $T/cache; m=cache/models--org--published; against; printf '\0' | dd of=$(readlink -f cache/*/snapshots/*/model-00001-of-00002.safetensors) bs=1 seek=5000 conv=notrunc 2>/dev/null; against
complete: 2 files, 21 tensors; checksums of 5 of 5 files match
error  hash-mismatch  model-00001-of-00002.safetensors: its sha256 is
                      a56aed59d39fecd93e7fa182584a9eec16a7da143616cb8f8fdda41216247a54,
                      but the name of its blob says
                      f6e13ca0ffd640a7c45bc92bd916cbaeb5ef800b7675f166c37f4a49b3a6a284
damaged: 1 error, 0 warnings
# a folder of the repository; one file
$ . test/cli/remote/against.sh; mkdir -p hub/org/published/fp16; cp copy/model-00001-of-00002.safetensors hub/org/published/fp16/model.safetensors; mkdir fp16; cp hub/org/published/fp16/* fp16; m=fp16; against /fp16; m=fp16/model.safetensors; against /fp16/model.safetensors
complete: 1 file, 11 tensors; checksums of 1 of 1 file match
complete: 1 file, 11 tensors; checksums of 1 of 1 file match

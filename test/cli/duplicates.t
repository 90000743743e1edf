# numel list --duplicates: files with the same bytes, which of them take space, and what could be saved. st writes a
# small safetensors: 64 x 64 F32 are 16,384 bytes of data, so all is compared whole. Whether a copy is a reflink depends
# on the file system; here it is a copy.
$ . test/cli/roots.sh; same() { numel list --duplicates --json "$@" | grep '^  *{' | sed 's/"name":[^,]*,//; s/,"blocks_known":[a-z]*//'; }; mkdir -p a b c other/deep; st a/model.safetensors w:F32:64x64:1; cat a/model.safetensors >b/x.safetensors; ln a/model.safetensors c/hard.safetensors; ln -s ../a/model.safetensors c/soft.safetensors; st other/deep/m.safetensors w:F32:64x64:2; same .
  {"path":"a/model.safetensors","group":1,"files":1,"bytes":16454,"space":"first","compared":"sha256","saved_bytes":0},
  {"path":"b/x.safetensors","group":1,"files":1,"bytes":16454,"space":"copy","compared":"sha256","saved_bytes":16454},
  {"path":"c/hard.safetensors","group":1,"files":1,"bytes":16454,"space":"hard_link","compared":"sha256","saved_bytes":0},
  {"path":"c/soft.safetensors","group":1,"files":1,"bytes":16454,"space":"symlink","compared":"sha256","saved_bytes":0}],
$ cd $T; numel list --duplicates -q; numel list --duplicates --hash -q; rm -r b; numel list --duplicates; numel list --duplicates -q
16454
16454
total  0 B could be saved, in 0 groups; 2 files, of which 32.1 KiB were read
0
# a set of shards is one group; one shard of three that differs in one byte is in none
$ cd $T; st() { python3 "$OLDPWD/test/support/st.py" "$@"; }; same() { numel list --duplicates --json "$@" | grep '^  *{' | sed 's/"name":[^,]*,//; s/,"blocks_known":[a-z]*//'; }; rm -rf a c other; for d in x y; do mkdir $d; for i in 1 2 3; do st $d/model-0000$i-of-00003.safetensors w$i:F32:64x64:$i; done; done; printf '\377' | dd of=y/model-00003-of-00003.safetensors bs=1 seek=9000 conv=notrunc 2>said; same
  {"path":"x","group":1,"files":2,"bytes":32910,"space":"first","compared":"sha256","saved_bytes":0},
  {"path":"y","group":1,"files":2,"bytes":32910,"space":"copy","compared":"sha256","saved_bytes":32910}],
# large files are compared by samples: a difference that these do not meet is found only by --hash. 16 MiB of holes;
# the byte at 5,000,000 is in no sample: the samples end at multiples of (16 MiB - 64 KiB) / 32 = 522,240 from the end,
# so the nearest ends at 16,777,216 - 22 x 522,240 = 5,287,936 and begins 4,096 before; the one before ends at 4,765,696
$ cd $T; same() { numel list --duplicates --json "$@" | grep '^  *{' | sed 's/"name":[^,]*,//; s/,"blocks_known":[a-z]*//'; }; rm -r x y; for n in 1 2; do mkdir $n; python3 -c 'import json; h = json.dumps({"w": {"dtype": "U8", "shape": [16777144], "data_offsets": [0, 16777144]}}).encode().ljust(64); f = open("m", "wb"); f.write(len(h).to_bytes(8, "little") + h)'; mv m $n/m.safetensors; truncate -s 16M $n/m.safetensors; done; printf x | dd of=2/m.safetensors bs=1 seek=5000000 conv=notrunc 2>said; same; numel list --duplicates --hash
  {"path":"1/m.safetensors","group":1,"files":1,"bytes":16777216,"space":"first","compared":"samples","saved_bytes":0},
  {"path":"2/m.safetensors","group":1,"files":1,"bytes":16777216,"space":"copy","compared":"samples","saved_bytes":16777216}],
total  0 B could be saved, in 0 groups; 2 files, of which 32.3 MiB were read
# forms of one model: the same architecture and number of parameters
$ numel list --duplicates fixtures | sed 's/copy, or reflink/copy/' | tr -s ' '
The same bytes
path group files size is a compared by saves
fixtures/gptq-tiny/model.safetensors.head.zst 1 1 630 B sha256
fixtures/gptq-untold/model.safetensors.head.zst 1 1 630 B copy sha256 630 B

The same architecture and parameters, stored in several ways; values not compared
name group architecture parameters format quantization size same
fixtures/llama-3.1-8b 1 llama 8.03 B safetensors BF16 14.9 GiB name
fixtures/llama-3.1-8b-bnb-4bit 1 llama 8.03 B safetensors bitsandbytes-4bit 5.3 GiB name
fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst 1 llama 8.03 B gguf Q4_K_M 4.5 GiB name
fixtures/llama-3.1-8b-q4_k_m-split 1 llama 8.03 B gguf Q4_K_M 4.5 GiB name
fixtures/llama-3.1-8b-w4a16 1 llama 8.03 B safetensors gptq-4bit 5.3 GiB name

total 630 B could be saved, in 1 group; 288 files, of which 403.7 KiB were read
# errors
$ numel list --hash fixtures/gpt2
numel list: --hash needs --duplicates
[2]
$ numel list --duplicates --leftovers fixtures/gpt2
numel list: --duplicates cannot be combined with --leftovers
[2]
$ numel list --duplicates --json fixtures/none
{"schema": "numel.duplicates/1",
 "duplicates": [],
 "variants": [],
 "files": 0,
 "bytes_read": 0,
 "saved_bytes": 0,
 "sampled_bytes": 0,
 "failed": 1}
[5]
# a link that is met before its file: the file is the first, as whoever deletes links should see
$ . test/cli/roots.sh; mkdir -p early/a early/m early/z; cd early; st m/real.safetensors w:F32:64x64:3; ln -s ../m/real.safetensors a/link.safetensors; cat m/real.safetensors >z/copy.safetensors; numel list --duplicates --json . | grep -o '"path":[^,]*,\|"space":[^,]*' | paste - -
"path":"a/link.safetensors",	"space":"symlink"
"path":"m/real.safetensors",	"space":"first"
"path":"z/copy.safetensors",	"space":"copy"
$ numel list --duplicates --buffer 1MiB .; numel list --duplicates -0 .
numel list: --buffer cannot be combined with --duplicates
numel list: --null cannot be combined with --duplicates
[2]
# a terabyte: 20 models of 50 GiB, which are holes after their headers; 5 is a copy of 0, and 6 and 11 are copies of 1.
# Of each, 64 KiB and 32 x 4 KiB are read, all of a size: 20 x 192 KiB = 3.75 MiB
$ rm -rf $T/tb; mkdir $T/tb; cd $T/tb; for n in 00 01 02 03 04 00 01 07 08 09 10 01 12 13 14 15 16 17 18 19; do printf '\110\0\0\0\0\0\0\0%-72s' '{"w":{"dtype":"U8","shape":[53687091120],"data_offsets":[0,53687091120]}}' | head -c 80 >m; printf $n | dd of=m bs=1 seek=100 conv=notrunc 2>said; truncate -s 53687091200 m; i=$((${i:--1}+1)); mv m $(printf %02d $i).safetensors; done; numel list --duplicates --json | grep '^  *{' | sed 's/"name":[^,]*,//; s/,"blocks_known":[a-z]*//'; numel list --duplicates | tail -1
  {"path":"01.safetensors","group":1,"files":1,"bytes":53687091200,"space":"first","compared":"samples","saved_bytes":0},
  {"path":"06.safetensors","group":1,"files":1,"bytes":53687091200,"space":"copy","compared":"samples","saved_bytes":53687091200},
  {"path":"11.safetensors","group":1,"files":1,"bytes":53687091200,"space":"copy","compared":"samples","saved_bytes":53687091200},
  {"path":"00.safetensors","group":2,"files":1,"bytes":53687091200,"space":"first","compared":"samples","saved_bytes":0},
  {"path":"05.safetensors","group":2,"files":1,"bytes":53687091200,"space":"copy","compared":"samples","saved_bytes":53687091200}],
total  150.0 GiB could be saved, in 2 groups, all of it by samples (--hash compares all bytes); 20 files, of which 3.7 MiB were read
# fine-tuned models have the architecture and the size of their base: the name decides what is called the same. Two models that name one base, their
# quantizations, and one without a name
$ . test/cli/roots.sh; mkdir tuned; cd tuned; . "$root/test/cli/tunes.sh"; numel list --duplicates tunes hub x; numel list --duplicates --json tunes hub x | grep -o '"name":[^,]*\|"same":[^}]*' | paste - -
The same architecture and parameters, stored in several ways; values not compared
name                    group  architecture  parameters  format       quantization      size  same
tunes/Zephyr-7B-beta        1  llama             1.38 K  safetensors  F32            7.3 KiB  name
who/Zephyr-7B-beta-F16      1  llama             1.38 K  safetensors  F16            4.6 KiB  name
tunes/OpenHermes-7B         1  llama             1.38 K  safetensors  BF16           4.6 KiB  base
x/model                     1  llama             1.38 K  safetensors  F64           12.7 KiB  size only

total  0 B could be saved, in 0 groups; 4 files, of which 0 B were read
"name":"tunes/Zephyr-7B-beta"	"same":"name","shared":"zephyr-7b-beta"
"name":"who/Zephyr-7B-beta-F16"	"same":"name","shared":"zephyr-7b-beta"
"name":"tunes/OpenHermes-7B"	"same":"base","shared":"tiny-7b-v0.1"
"name":"x/model"	"same":"size","shared":null

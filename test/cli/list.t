# numel list: many checkpoints, one line each; totals at the end. On a terminal less important columns are dropped
# first; names are never cut.
$ numel list fixtures
name                                                   architecture     parameters  quantization              bits       size  files  verdict
bert-base                                              bert               109.51 M  F32                      32.00  420.0 MiB      1  agrees
comfyui/lora.safetensors.head.zst                                         170.23 M  F16                      16.00  325.0 MiB      1  agrees
comfyui/sdxl.safetensors.head.zst                      SDXL inpainting      3.47 B  F16                               6.4 GiB      1  agrees
deepseek-v3                                            deepseek_v3        671.03 B  fp8                       8.05  641.2 GiB    163  agrees
falcon-7b                                              falcon               6.92 B  BF16                     16.00   13.4 GiB      2  agrees
gpt-oss-20b                                            gpt_oss             20.91 B  mxfp4                     5.26   12.8 GiB      3  agrees
gpt-oss-120b                                           gpt_oss            116.83 B  mxfp4                     4.47   60.7 GiB     15  agrees
gpt2                                                   gpt2               124.44 M  F32                      32.00  522.7 MiB      1  agrees
gptq-tiny                                              llama               69.82 K  gptq-4bit                10.35   91.9 KiB      1  agrees
gptq-untold                                                                         F16                      18.11   91.9 KiB      1  not checked
kimi-k2.5                                              kimi_k25             1.03 T  compressed-tensors-4bit   4.64  554.3 GiB     64  agrees
llama-2-7b                                             llama                6.74 B  F16                      16.00   12.5 GiB      2  agrees
llama-2-7b-2023                                        llama                6.74 B  F16                      16.00   12.5 GiB      2  agrees
llama-3.1-8b                                           llama                8.03 B  BF16                     16.00   14.9 GiB      4  agrees
llama-3.1-8b-bnb-4bit                                  llama                8.03 B  bitsandbytes-4bit         5.68    5.3 GiB      2  agrees
llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst  llama                8.03 B  Q4_K_M                    4.89    4.5 GiB      1  agrees
llama-3.1-8b-q4_k_m-split                              llama                8.03 B  Q4_K_M                    4.89    4.5 GiB      2  agrees
llama-3.1-8b-w4a16                                     llama                8.03 B  gptq-4bit                 5.71    5.3 GiB      2  agrees
mixtral-8x7b                                           mixtral             46.70 B  BF16                     16.00   86.9 GiB     19  agrees
qwen3-0.6b                                             qwen3              596.05 M  BF16                     16.00    1.3 GiB      1  agrees

total  20 checkpoints, 288 files, 1.4 TiB (2.4 MiB on disk), 1.95 T parameters and 39.89 K elements in 1 checkpoint of unknown architecture
$ COLUMNS=80 numel list fixtures/llama-2-7b fixtures/gpt-oss-20b fixtures/llama-3.1-8b-q4_k_m
name                   architecture  parameters  quantization      size  verdict
fixtures/llama-2-7b    llama             6.74 B  F16           12.5 GiB  agrees
fixtures/gpt-oss-20b   gpt_oss          20.91 B  mxfp4         12.8 GiB  agrees
fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst
                       llama             8.03 B  Q4_K_M         4.5 GiB  agrees

total  3 checkpoints, 6 files, 29.9 GiB (12.2 KiB on disk), 35.68 B parameters
$ COLUMNS=60 numel list fixtures/llama-2-7b fixtures/gpt-oss-20b fixtures/llama-3.1-8b-q4_k_m
name                           parameters      size  verdict
fixtures/llama-2-7b                6.74 B  12.5 GiB  agrees
fixtures/gpt-oss-20b              20.91 B  12.8 GiB  agrees
fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst
                                   8.03 B   4.5 GiB  agrees

total  3 checkpoints, 6 files, 29.9 GiB (12.2 KiB on disk),
       35.68 B parameters
# largest first; text from A to Z
$ cd fixtures; numel list --sort bytes --columns name,bytes bert-base gpt-oss-20b mixtral-8x7b gpt2 | head -4
name               size
mixtral-8x7b   86.9 GiB
gpt-oss-20b    12.8 GiB
gpt2          522.7 MiB
$ cd fixtures; numel list --sort architecture --columns architecture,name,context gpt2 deepseek-v3 comfyui bert-base | sed -n '1,4p'
architecture     name                               context
SDXL inpainting  comfyui/sdxl.safetensors.head.zst
bert             bert-base                              512
deepseek_v3      deepseek-v3                        163,840
# JSON: one object per line, flushed when found, and nothing else; CSV follows RFC 4180, with exact numbers
$ numel list --json fixtures/gpt2 fixtures/llama-3.1-8b-bnb-4bit | sed 's/"id":"[0-9a-f]\{16\}"/"id":"N"/' # it is of the real path
{"schema":"numel.list/1","path":"fixtures/gpt2/model.safetensors.head.zst","name":"fixtures/gpt2","format":"safetensors","architecture":"gpt2","adapter":null,"quantization":null,"dtype":"F32","counts":{"tensors":160,"stored":137022720,"parameters":124439808},"context_length":1024,"bytes":548105232,"disk_bytes":1606,"repeated_bytes":0,"files":1,"repeated_files":0,"verdict":"agrees","id":"N","judgement":{"kind":"model","verdict":"agrees","architecture":"gpt2","name":"GPT2LMHeadModel","known_by":"configuration","causes":[]}}
{"schema":"numel.list/1","path":"fixtures/llama-3.1-8b-bnb-4bit","name":"fixtures/llama-3.1-8b-bnb-4bit","format":"safetensors","architecture":"llama","adapter":null,"quantization":{"method":"bitsandbytes","name":"bnb NF4 (bitsandbytes)","bits":4,"bits_per_weight":4.13,"whole_bits_per_weight":5.68},"dtype":"U8","counts":{"tensors":1411,"stored":4650179456,"parameters":8030261248},"context_length":131072,"bytes":5702747344,"disk_bytes":12098,"repeated_bytes":0,"files":2,"repeated_files":0,"verdict":"agrees","id":"N","judgement":{"kind":"model","verdict":"agrees","architecture":"llama","name":"LlamaForCausalLM","known_by":"configuration","causes":[]}}
$ numel list --json --columns bytes,verdict fixtures/gpt2
{"schema":"numel.list/1","path":"fixtures/gpt2/model.safetensors.head.zst","bytes":548105232,"verdict":"agrees"}
$ numel list --csv --columns path,parameters,bits,bytes fixtures/gpt2 fixtures/llama-2-7b | od -c | sed -n '1,4p'
0000000   p   a   t   h   ,   p   a   r   a   m   e   t   e   r   s   ,
0000020   b   i   t   s   ,   b   y   t   e   s  \r  \n   f   i   x   t
0000040   u   r   e   s   /   g   p   t   2   /   m   o   d   e   l   .
0000060   s   a   f   e   t   e   n   s   o   r   s   .   h   e   a   d
# paths only, for other programs
$ numel list -q fixtures/gpt2 fixtures/llama-2-7b; numel list -q0 fixtures/gpt2 fixtures/llama-2-7b | tr '\0' '!'; echo
fixtures/gpt2/model.safetensors.head.zst
fixtures/llama-2-7b
fixtures/gpt2/model.safetensors.head.zst!fixtures/llama-2-7b!
# paths from a file, one per line or NUL-terminated; empty lines are ignored, the last needs no terminator
$ printf 'fixtures/gpt2\n\nfixtures/none\nfixtures/llama-2-7b' | numel list --columns name --files-from -
numel: fixtures/none: cannot open: No such file or directory
name
fixtures/gpt2
fixtures/llama-2-7b

total  2 checkpoints, 3 files, 13.0 GiB (4.5 KiB on disk), 6.86 B parameters; 1 could not be read
[5]
$ printf 'fixtures/gpt2\0fixtures/llama-2-7b\0' | numel list --columns name --files-from - -0
name
fixtures/gpt2
fixtures/llama-2-7b

total  2 checkpoints, 3 files, 13.0 GiB (4.5 KiB on disk), 6.86 B parameters
$ printf '' | numel list --json --files-from -
$ numel list --files-from fixtures/none
numel: fixtures/none: cannot open: No such file or directory
[3]
# any depth; a set is one line; unreadable inputs are reported, the rest is listed
$ cd $T; mkdir -p a/b/c e/secret/x; hex "$OLDPWD/fixtures/good/safetensors/llama-tiny.hex" > a/b/c/m.safetensors; cp -r "$OLDPWD/fixtures/llama-3.1-8b-q4_k_m-split" a/split; ln -s ../.. a/b/up; ln -s self a/self; mkfifo a/pipe.gguf; mkfifo a/other; printf text > a/t.gguf; numel list .
numel: a/t.gguf:0: is plain text ('text'): a server's response, or a link saved as text: download the file again
numel: a/self: a link to itself
numel: a/pipe.gguf: is a FIFO, a socket or a device, not a file
numel: a/b/up: a link to a folder that contains it
name                 architecture  parameters  quantization   bits     size  files  verdict
a/b/c/m.safetensors                            BF16          17.23  1.1 KiB      1  not checked
a/split              llama             8.03 B  Q4_K_M         4.89  4.5 GiB      2  agrees

total  2 checkpoints, 3 files, 4.5 GiB (5.8 KiB on disk), 8.03 B parameters and 156 elements in 1 checkpoint of unknown architecture; 4 could not be read
[5]
# linked files and folders are not counted again, with hard and symbolic links
$ cd $T; rm -r a/pipe.gguf a/t.gguf a/self a/b/up e; ln -s ../a/b f; ln -s b a/link; ln a/b/c/m.safetensors hard.safetensors; ln -s hard.safetensors soft.safetensors; numel list --columns name,files,bytes .
name              files     size
hard.safetensors      1  1.1 KiB
a/split               2  4.5 GiB

total  2 checkpoints, 3 files, 4.5 GiB (5.8 KiB on disk), 8.03 B parameters and 156 elements in 1 checkpoint of unknown architecture; 2 links to these not counted again
$ cd $T; numel list --columns name soft.safetensors a/link a
name
soft.safetensors
a/split

total  2 checkpoints, 3 files, 4.5 GiB (5.8 KiB on disk), 8.03 B parameters and 156 elements in 1 checkpoint of unknown architecture; 2 links to these not counted again
# incomplete and damaged: exit 1; a folder without checkpoints: 3
$ cd $T; mkdir g; head -c 900 hard.safetensors > g/cut.safetensors; cp "$OLDPWD"/fixtures/llama-2-7b/model-00001* g; numel list --columns name,verdict,files g
name                                       verdict     files
model-00001-of-00002.safetensors.head.zst  incomplete      1
cut.safetensors                            incomplete      1

total  2 checkpoints, 2 files, 9.2 GiB (2.9 KiB on disk), 4.99 B elements in 2 checkpoints of unknown architecture; 2 damaged or incomplete checkpoints
[1]
$ cd $T; mkdir empty; numel list empty; numel list --json empty
numel: empty: no .safetensors or .gguf files found in it
total  0 checkpoints, 0 files, 0 B, 0 parameters; 1 could not be read
numel: empty: no .safetensors or .gguf files found in it
{"schema":"numel.error/1","path":"empty","error":{"code":"FORMAT","file":"empty","offset":null,"message":"no .safetensors or .gguf files found in it"}}
[3]
$ cd $T; numel list empty a/split --columns name
numel: empty: no .safetensors or .gguf files found in it
name
a/split

total  1 checkpoint, 2 files, 4.5 GiB (4.6 KiB on disk), 8.03 B parameters; 1 could not be read
[5]
# parts of a list: chosen by file identity, so all links to a file are in the same part; the parts add up to the
# whole
$ cd $T; for i in 1 2 3; do numel list -q --shard $i/3 .; done | sort | tr '\n' ' '; echo; numel list -q . | sort | tr '\n' ' '; echo
a/split g/cut.safetensors g/model-00001-of-00002.safetensors.head.zst hard.safetensors 
a/split g/cut.safetensors g/model-00001-of-00002.safetensors.head.zst hard.safetensors 
# resuming: files listed by an earlier run are skipped, and count; a truncated line is redone
$ cd $T; numel list --json . > all; head -c 700 all > part; numel list --resume part --columns name .; numel list --json --resume part . >> part; cmp all part; numel list --resume all
name
a/split
g/model-00001-of-00002.safetensors.head.zst
g/cut.safetensors

total  4 checkpoints, 5 files, 13.8 GiB (8.7 KiB on disk), 8.03 B parameters and 4.99 B elements in 3 checkpoints of unknown architecture; 2 damaged or incomplete checkpoints; 2 links to these not counted again; 1 done before
total  4 checkpoints, 5 files, 13.8 GiB (8.7 KiB on disk), 8.03 B parameters and 4.99 B elements in 3 checkpoints of unknown architecture; 2 damaged or incomplete checkpoints; 4 done before
[1]
$ cd $T; numel list --resume a/b/c/m.safetensors .
numel: a/b/c/m.safetensors:0: it has no line that 'list --json' writes
[3]
# programs' model folders: manifests are followed, a missing blob is reported; two names for a blob are two lines,
# counted once
$ . test/cli/roots.sh; st a.gguf w:F32:4x4:1 b:F32:4:2; layer .ollama/models model a.gguf; A=$L; st b.gguf w:F32:4x8:1; layer .ollama/models model b.gguf; B=$L; manifest .ollama/models reg.example/library/one/latest "$A"; manifest .ollama/models reg.example/library/other/7b "$A"; manifest .ollama/models reg.example/library/gone/latest "$B"; rm .ollama/models/blobs/sha256-$H; for n in 1 2; do c=$n; while [ ${#c} -lt 40 ]; do c=$c$n; done; snapshot .cache/huggingface/hub org--model $c model.safetensors w:F32:4x$((4*n)):1; done; numel list --columns name,bytes,repeated,verdict .
numel: .ollama/models/blobs/sha256-a746113309bf9a373eb5611bb00bf811e1198aa253ca7f8d60c3216f1820aca2: the manifest of gone:latest names the blob sha256-a746113309bf9a373eb5611bb00bf811e1198aa253ca7f8d60c3216f1820aca2, which is missing: run 'ollama pull gone:latest'
name                                            size  repeated  verdict
hard.safetensors                             1.1 KiB       0 B  not checked
org/model                                      129 B       0 B  not checked
org/model@22222222                             194 B       0 B  not checked
one:latest                                     256 B       0 B  unknown
other:7b                                       256 B     256 B  unknown
a/split                                      4.5 GiB       0 B  agrees
g/model-00001-of-00002.safetensors.head.zst  9.2 GiB       0 B  incomplete
g/cut.safetensors                              900 B       0 B  incomplete

total  7 checkpoints, 8 files, 13.8 GiB (9.3 KiB on disk), 8.03 B parameters and 4.99 B elements in 6 checkpoints of unknown architecture; 2 damaged or incomplete checkpoints; 3 links to these not counted again; 1 could not be read
[5]
# a model without a configuration is not checked; --deep searches for its specification, and finds none if it is
# unknown
$ mkdir $T/deep; cp fixtures/llama-2-7b/model* $T/deep; printf 'file model.safetensors\nfor i 0..9\n  tensor zz.{i}.q.weight BF16 64 64\nend\n' >$T/x.txt; mkhead -q $T/x.txt $T/none >$T/said; cd $T; numel list --columns name,architecture,parameters,verdict deep none; numel list --deep --columns name,architecture,parameters,verdict deep none; numel list --deep --json none | grep -o '"verdict":"[a-z ]*"' | sort | uniq -c
name  verdict
deep  not checked
none  not checked

total  2 checkpoints, 3 files, 12.5 GiB (3.1 KiB on disk), 6.74 B elements in 2 checkpoints of unknown architecture
name  architecture  parameters  verdict
deep  llama             6.74 B  in part
none                            unknown

total  2 checkpoints, 3 files, 12.5 GiB (3.1 KiB on disk), 6.74 B parameters and 40.96 K elements in 1 checkpoint of unknown architecture
      2 "verdict":"unknown"
# errors
$ numel list --sort size --columns bytes,name fixtures/gpt2; numel list --columns name,nonsense fixtures/gpt2
     size  name
522.7 MiB  gpt2

total  1 checkpoint, 1 file, 522.7 MiB (1.5 KiB on disk), 124.44 M parameters
numel: no column 'nonsense'; the columns are name, path, format, architecture, adapter, parameters, stored, tensors, quantization, method, bits, dtype, context, bytes, disk, repeated, files, fits, verdict, modified, accessed, rank, family, base, layers, class, id
[2]
$ numel list --shard 0/3 fixtures
numel list: --shard takes I/N, part I of N, like 3/8, not '0/3'
[2]
$ numel list --shard 4/3 fixtures
numel list: --shard takes I/N, part I of N, like 3/8, not '4/3'
[2]
$ numel list --columns name,name fixtures
numel: the column name is named twice
[2]
$ numel list --jobs 0 fixtures
numel list: --jobs takes a whole number from 1 to 1024, not '0'
[2]
$ numel ls fixtures
numel: no command and no file 'ls'; did you mean 'numel list'?
[2]
# names: relative to a single path, without generic file names; for several paths, the paths
$ cd fixtures/gpt2; numel list --columns name; numel list --columns name . ../llama-2-7b
name
gpt2

total  1 checkpoint, 1 file, 522.7 MiB (1.5 KiB on disk), 124.44 M parameters
name
gpt2
../llama-2-7b

total  2 checkpoints, 3 files, 13.0 GiB (4.5 KiB on disk), 6.86 B parameters

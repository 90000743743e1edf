# Pipes: only the necessary part of a header is read, and the writer continues. GPT-2's is 8 + 14,344 bytes; for
# 160 tensors.
$ zstd -dqc fixtures/gpt2/model.safetensors.head.zst > $T/g; zstd -dqc fixtures/llama-3.1-8b-q4_k_m/*.head.zst > $T/q; wc -c < $T/g
14352
$ cat $T/g | numel - | head -9
-
format        safetensors
architecture  gpt2 (by names and shapes)
parameters    124,439,808 (124.44 M)
context       1,024 tokens (n_positions, the default of GPT2Config)
size          522.71 MiB
tensors       160
elements      137,022,720 (137.02 M)
types         F32
$ cat $T/g /dev/zero | numel -q -
137022720
$ cat $T/q /dev/zero | numel - | sed -n '2,5p'; cat $T/q | numel reconcile -q - && cat $T/q | numel tensors -qm attn_q -
format        gguf v3
architecture  llama (by metadata)
parameters    8,030,261,248 (8.03 B)
context       131,072 tokens (context_length)
0
536870912
$ cat $T/g | numel verify -; cat $T/g | numel verify - --json | grep data-absent
-
levels  header, size, index, config

file        bytes  tensors
-     548,105,232      160  ok

note  data-absent    data not checked: read from a pipe
note  model-in-part  -: some sizes are in no configuration and are inferred from
                     the tensors

complete as far as headers show: 1 file, 160 tensors; checksums not checked
  {"code":"data-absent","severity":"note","level":"size","file":"","tensor":"","offset":null,"message":"data not checked: read from a pipe","cause":null},
$ cat $T/g | numel reconcile -q - --config fixtures/gpt2/config.json; cat $T/g | numel diff - fixtures/gpt2 | tail -1
0
equal: 160 tensors of the same name, shape and dtype
# The last byte of the header has arrived, and the writer keeps the pipe open: numel does not wait for more.
$ bash -c 'coproc { cat '$T'/g; sleep 100; }; numel -q - <&${COPROC[0]}; kill $COPROC_PID'
137022720
# The writer learns that the reader has gone: it ends instead of waiting.
$ bash -c 'yes | (cat '$T'/g; cat) | numel -q -; echo ${PIPESTATUS[0]} ${PIPESTATUS[2]}' | tail -1
141 0
# FIFOs, /dev/stdin, process substitution, and a file as standard input, without its data.
$ mkfifo $T/f; cat $T/g > $T/f & numel -q $T/f; cat $T/g | numel -q /dev/stdin; bash -c "numel -q <(cat $T/g) <(cat $T/q)"
137022720
137022720
137022720
8030261312
$ numel -q - < $T/g 2>&1 | cut -c1-62
numel: /dev/stdin:14352: h.0.attn.bias: 548,090,880 bytes shor
137022720
$ zstd -qc $T/q | numel -q -; cat fixtures/gpt2/model.safetensors.head.zst | numel -q -
8030261312
137022720
# Too short: both numbers. Empty, a terminal, a folder, no writer; and input that is not a checkpoint.
$ head -c 5000 $T/g | numel -
numel: -:0: the header says it has 14344 bytes, 4992 follow
[3]
$ head -c 14351 $T/g | numel -q -
numel: -:0: the header says it has 14344 bytes, 14343 follow
[3]
$ head -c 5 $T/g | numel -
numel: -:0: the file has only 5 of the first 8 bytes of a checkpoint
[3]
$ head -c 3000000 $T/q | numel -
numel: -:2176364: 280147 strings of an array need at least 8 bytes each, 823628 bytes left
[3]
$ true | numel -
numel: -:0: standard input ended before its first byte
[3]
$ numel - < /dev/null
numel: -: standard input is a terminal or another device: pipe a file into it, as in 'cat model.safetensors | numel -'
[3]
$ numel - < $T
numel: -: standard input is a directory: pipe a file into it, as in 'cat model.safetensors | numel -'
[3]
$ mkfifo $T/w; numel $T/w 2>&1 | sed "s:$T:T:"
numel: T/w: is a pipe without a writer
$ cat README.md | numel verify -
-
levels  header, size, index, config

file  bytes
-         0  1 error

error  not-a-checkpoint  -:0: is plain text ('# numel'): a server's response, or
                         a link saved as text: download the file again

no verdict: nothing could be read, or a file changed while it was read
[3]
$ head -c 100000 /dev/zero | numel -
numel: -:0: begins with 4096 zero bytes: the space was allocated, but the data never arrived; download it again
[3]
$ cat $T/g | numel -q - -
numel: -:0: standard input ended before its first byte
137022720
[5]
# A configuration from a pipe, for commands that need nothing else; files in the current folder do not belong to a
# pipe.
$ cat fixtures/gpt2/config.json | numel formula -q -; cat fixtures/gpt2/config.json | numel - | head -1; cat fixtures/gpt2/config.json | numel print - | head -1
124439808
architecture  gpt2 (by standard input)
GPT2LMHeadModel(
$ bash -c 'numel formula -q <(cat fixtures/gpt2/config.json)'; cat fixtures/gpt2/config.json | numel explain -q 124439808 -
124439808
0
$ cat fixtures/gpt2/config.json | numel tensors -
numel: -: the model was made from a configuration, without a checkpoint
[2]
$ cd fixtures/gpt2; cat $T/g | numel - | grep -c 'architecture  unknown'; cat $T/g | numel -q - --expect arch=gpt2
0
137022720

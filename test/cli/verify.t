# Is this download complete? One line per file, findings, a verdict, what to do.
$ numel verify fixtures/llama-2-7b
fixtures/llama-2-7b
levels  header, size, index, config

file                                               bytes  tensors
model-00001-of-00002.safetensors.head.zst  9,976,570,304      217  ok
model-00002-of-00002.safetensors.head.zst  3,500,294,472       74  ok

note  data-absent  header-only copies: the tensor data was left out on purpose

complete as far as headers show: 2 files, 291 tensors; checksums not checked

# a path without a checkpoint gives no verdict
$ numel verify none
numel: none: cannot open: No such file or directory
[3]

# -q reports by its status alone
$ numel verify -q fixtures/llama-2-7b fixtures/gpt2

# a Git LFS pointer: the size it states
$ cd $T; printf 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 4976698672\n' > a.safetensors; numel verify a.safetensors
a.safetensors
levels  header, size, index, config

file           bytes
a.safetensors     73  pointer

error  lfs-pointer  a.safetensors:0: is a Git LFS pointer to 4,976,698,672
                    bytes, not the file: run 'git lfs pull', or download it
                    again

incomplete: 1 error, 0 warnings
run 'git lfs pull', or download 'a.safetensors'
[1]
# A file without tensors is not a model: nothing was compared, and of a Llama's 9 * 32 + 3 = 291 tensors all are
# missing: 100 and 191 more.
$ mkdir -p $T/none && printf '\010\0\0\0\0\0\0\0{}      ' >$T/none/model.safetensors && numel verify --level config $T/none | grep -c model-unchecked; cp fixtures/llama-2-7b/config.json $T/none/ && numel verify --no-truncate $T/none | grep -oE '^incomplete.*|191 more findings'
1
191 more findings
incomplete: 100 errors, 0 warnings
# A label counts one expert in each layer: 128x17B is Llama 4 Maverick, with 400 billion, not 2,176. 8x7B does not fit
# this number, and 2,000 billion per expert are too many.
$ for l in 400B 128x17B E200B 8x7B 50B 2x2000B; do printf "gguf 3\nfile m.gguf\nkv string general.architecture llama\nkv string general.size_label $l\ntensor output.weight F16 4096 97656250\n" >$T/d.txt; mkhead -q $T/d.txt $T/$l >/dev/null; cd $T; echo "$l $(numel verify --json $l | grep -c size-said)"; cd - >/dev/null; done
400B 0
128x17B 0
E200B 0
8x7B 1
50B 1
2x2000B 1

# A number beyond a double is reported with its key, and refused if it is a size; Python's Infinity, the largest
# double, and the length that tokenizers write are healthy.
$ cd $T; cp -r "$OLDPWD"/fixtures/gpt2 large; for n in '"layer_norm_epsilon":1e400' '"a":{"b":[0.5,-1e309,1e999]}' '"n_layer":1e400' '"time_step_limit":[0.0,Infinity]' '"attn_pdrop":1.7976931348623157e308' '"model_max_length":1000000000000000019884624838656'; do sed "s/^{/{$n,/; s/\"layer_norm_epsilon\": 1e-05,//; s/\"n_layer\": 12,//" "$OLDPWD"/fixtures/gpt2/config.json > large/config.json; echo "== $n"; numel verify large | grep -A2 -E '^(warning|error)'; numel reconcile -q large; done
== "layer_norm_epsilon":1e400
warning  number-too-large  config.json: layer_norm_epsilon is 1e400, too large
                           for a double: it is read as infinity

0
== "a":{"b":[0.5,-1e309,1e999]}
warning  number-too-large  config.json: a.b is -1e309, too large for a double:
                           it is read as infinity

0
== "n_layer":1e400
error  config-broken  config.json: no model can be built from the configuration:
                      n_layer is 1e400, which is not a whole number from 0 to
                      2^53
== "time_step_limit":[0.0,Infinity]
0
== "attn_pdrop":1.7976931348623157e308
0
== "model_max_length":1000000000000000019884624838656
0
$ cd $T; cp "$OLDPWD"/fixtures/gpt2/config.json large; echo '{"temperature":1e400}' > large/generation_config.json; numel verify large | grep -A2 ^warning; numel verify --strict -q large
warning  number-too-large  generation_config.json: temperature is 1e400, too
                           large for a double: it is read as infinity
[1]

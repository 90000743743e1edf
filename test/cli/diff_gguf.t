# numel diff on two GGUF files, one quantized from the other: equal, with a list of changes. Models:
# test/cli/gguf/build.sh. 4,985,088 elements, of which 17 x 256 = 4,352 in norms; F16 2 bytes, Q4_0 18 for 32: the
# matrices' 4,980,736 go from 9,961,472 to 2,801,664 bytes.

$ . test/cli/gguf/build.sh; llama_of F16 1 | made a; llama_of Q4_0 2 | requant a b; numel diff $T/a $T/b | sed 1,3d
quantized         +0         +0  -6.8 MiB  token_embd.weight and 57 more
requantized: 58 tensors F16 -> Q4_0; 17 tensors the same; 1 metadata key differs

cause        tensors   elements     bytes
a                 75  4,985,088   9.5 MiB
quantized         +0         +0  -6.8 MiB  token_embd.weight and 57 more
b                 75  4,985,088   2.6 MiB
unexplained                   0

name                  change     what         times  elements       bytes
blk.[0-7]
  ffn_gate.weight     quantized  F16 -> Q4_0      8        +0    -1.4 MiB
  ffn_up.weight       quantized  F16 -> Q4_0      8        +0    -1.4 MiB
  ffn_down.weight     quantized  F16 -> Q4_0      8        +0    -1.4 MiB
  attn_q.weight       quantized  F16 -> Q4_0      8        +0  -736.0 KiB
  attn_output.weight  quantized  F16 -> Q4_0      8        +0  -736.0 KiB
  attn_k.weight       quantized  F16 -> Q4_0      8        +0  -368.0 KiB
  attn_v.weight       quantized  F16 -> Q4_0      8        +0  -368.0 KiB
token_embd.weight     quantized  F16 -> Q4_0      1        +0  -184.0 KiB
output.weight         quantized  F16 -> Q4_0      1        +0  -184.0 KiB

key                a  b
general.file_type  1  2

values not compared (--values does)
requantized: 58 tensors F16 -> Q4_0; 17 tensors the same; 1 metadata key differs

$ . test/cli/gguf/build.sh; llama_of F16 1 | made a; llama_of Q4_0 2 | made b; numel diff --json $T/a $T/b | python3 -c 'import json,sys; d=json.load(sys.stdin); print(d["equal"], d["requantized"], d["unexplained"])'
True [{'from': 'F16', 'to': 'Q4_0', 'tensors': 58, 'elements': 4980736}] 0

# ---- as llama-quantize writes it: own types for output and embedding, parts of layers, and back
$ . test/cli/gguf/build.sh; llama_of F16 1 | made a; llama_of Q4_K 15 | typed output Q6_K | typed token_embd F16 | typed attn_v Q6_K 0,2,5,7 | requant a b
quantized         +0         +0  -6.5 MiB  output.weight and 56 more
requantized: 52 tensors F16 -> Q4_K, 5 F16 -> Q6_K; 18 tensors the same; 1 metadata key differs
$ . test/cli/gguf/build.sh; llama_of Q8_0 7 | made a; llama_of F16 1 | requant a b
quantized         +0         +0  +4.4 MiB  token_embd.weight and 57 more
requantized: 58 tensors Q8_0 -> F16; 17 tensors the same; 1 metadata key differs
$ . test/cli/gguf/build.sh; llama_of F32 0 none | made a; llama_of BF16 32 | requant a b
dtype changed       +0         +0  -9.5 MiB  token_embd.weight and 57 more
requantized: 58 tensors F32 -> BF16; 17 tensors the same; 2 metadata keys differ
# A single tensor, and what an importance matrix adds to the metadata.
$ . test/cli/gguf/build.sh; llama_of Q8_0 7 | made a; llama_of Q8_0 7 | typed ffn_down Q4_K 3 | sed '3i kv string quantize.imatrix.file imatrix.gguf' | requant a b
quantized         +0         +0  -64.0 KiB  blk.3.ffn_down.weight
requantized: 1 tensor Q8_0 -> Q4_K; 74 tensors the same; 1 metadata key differs
# In the experts, but not the router.
$ . test/cli/gguf/build.sh; mixtral_of BF16 32 | made a; mixtral_of MXFP4 38 | requant a b
quantized         +0          +0  -20.1 MiB  token_embd.weight and 57 more
requantized: 58 tensors BF16 -> MXFP4; 25 tensors the same; 1 metadata key differs
$ . test/cli/gguf/build.sh; mixtral_of BF16 32 | made a; mixtral_of MXFP4 38 | typed ffn_gate_inp Q8_0 | requant a b
quantized         +0          +0  -20.2 MiB  token_embd.weight and 65 more
differ: 66 quantized; 17 of 83 tensors the same; not requantized: 'blk.0.ffn_gate_inp.weight' becomes Q8_0
[1]
# Sets split into files at different places.
$ . test/cli/gguf/build.sh; llama_of F16 1 | sed '2a shard tensors 40' | made a; llama_of Q4_0 2 | sed '2a shard tensors 20' | made b; llama_of Q4_0 2 | made c; for x in "a b" "a c" "c a"; do numel diff $(for y in $x; do echo $T/$y; done) | tail -1; done
requantized: 58 tensors F16 -> Q4_0; 17 tensors the same; 1 metadata key differs
requantized: 58 tensors F16 -> Q4_0; 17 tensors the same; 1 metadata key differs
requantized: 58 tensors Q4_0 -> F16; 17 tensors the same; 1 metadata key differs
# Nothing changed: equal, not requantized.
$ . test/cli/gguf/build.sh; llama_of Q4_0 2 | made a; llama_of Q4_0 2 | requant a b
equal: 75 tensors of the same name, shape and dtype

# ---- changes that no quantizer makes
$ . test/cli/gguf/build.sh; llama_of F16 1 | made a; llama_of Q4_0 2 | sed 's/output_norm.weight F32/output_norm.weight Q4_0/' | requant a b
quantized         +0         +0  -6.8 MiB  token_embd.weight and 58 more
differ: 59 quantized; 16 of 75 tensors the same; not requantized: 'output_norm.weight' becomes Q4_0
[1]
$ . test/cli/gguf/build.sh; llama_of F16 1 | made a; llama_of Q4_0 2 | sed 's/output_norm.weight F32/output_norm.weight F16/' | requant a b
quantized           +0         +0  -6.8 MiB  token_embd.weight and 57 more
dtype changed       +0         +0    -512 B  output_norm.weight
differ: 58 quantized, 1 dtype changed; 16 of 75 tensors the same; not requantized: 'output_norm.weight' becomes F16
[1]
$ . test/cli/gguf/build.sh; llama_of F16 1 | made a; llama_of Q4_0 2 | typed attn_q I16 4 | requant a b
quantized           +0         +0  -6.7 MiB  token_embd.weight and 56 more
dtype changed       +0         +0      +0 B  blk.4.attn_q.weight
differ: 57 quantized, 1 dtype changed; 17 of 75 tensors the same; not requantized: 'blk.4.attn_q.weight' becomes I16
[1]
$ . test/cli/gguf/build.sh; llama_of F16 1 | made a; llama_of Q4_0 2 | sed '/blk.3.attn_q/s/256 256/128 512/' | requant a b
quantized         +0         +0   -6.7 MiB  token_embd.weight and 56 more
differ: 1 rearranged, 57 quantized; 17 of 75 tensors the same
[1]
$ . test/cli/gguf/build.sh; llama_of F16 1 | made a; llama_of Q4_0 2 | sed '/blk.3.attn_q/d' | requant a b
removed           -1    -65,536  -128.0 KiB  blk.3.attn_q.weight
quantized         +0         +0    -6.7 MiB  token_embd.weight and 56 more
differ: 1 removed, 57 quantized; 17 of 75 tensors the same
[1]
$ . test/cli/gguf/build.sh; llama_of F16 1 | made a; llama_of Q4_0 2 | sed '$a tensor blk.3.attn_q.scale F32 1' | requant a b
quantized                 +0         +0  -6.8 MiB  token_embd.weight and 57 more
differ: 1 added, 58 quantized; 17 of 75 tensors the same
[1]
$ . test/cli/gguf/build.sh; llama_of F16 1 | made a; llama_of Q4_0 2 | sed 's/blk.3.attn_q/blk.3.attn_Q/' | requant a b
removed           -1    -65,536  -128.0 KiB  blk.3.attn_q.weight
added             +1    +65,536   +36.0 KiB  blk.3.attn_Q.weight
quantized         +0         +0    -6.7 MiB  token_embd.weight and 56 more
differ: 1 added, 1 removed, 57 quantized; 17 of 75 tensors the same
[1]
# The metadata state another model.
$ . test/cli/gguf/build.sh; llama_of F16 1 | made a; llama_of Q4_0 2 | sed 's/block_count 8/block_count 7/' | requant a b
quantized         +0         +0  -6.8 MiB  token_embd.weight and 57 more
differ: 58 quantized; 17 of 75 tensors the same; not requantized: 'llama.block_count' differs
[1]
$ . test/cli/gguf/build.sh; llama_of F16 1 | made a; llama_of Q4_0 2 | sed 's/string general.architecture llama/string general.architecture grok/' | requant a b
quantized         +0         +0  -6.8 MiB  token_embd.weight and 57 more
differ: 58 quantized; 17 of 75 tensors the same; not requantized: 'general.architecture' differs
[1]
$ . test/cli/gguf/build.sh; llama_of F16 1 | made a; llama_of Q4_0 2 | sed '3i kv [string] tokenizer.ggml.tokens a b' | requant a b
quantized         +0         +0  -6.8 MiB  token_embd.weight and 57 more
differ: 58 quantized; 17 of 75 tensors the same; not requantized: 'tokenizer.ggml.tokens' differs
[1]
# A file of a set is missing.
$ . test/cli/gguf/build.sh; llama_of F16 1 | sed '2a shard tensors 40' | made a; llama_of Q4_0 2 | sed '2a shard tensors 40' | made b; rm $T/b/*-00002-*; numel diff $T/a $T/b 2>&1 | tail -1; numel diff -q $T/a $T/b 2>/dev/null >&2
differ: shards are missing, so not everything could be compared
[1]
# Different types in safetensors are a difference: no tool quantizes in place there.
$ . test/cli/gguf/build.sh; printf '%s\n' 'file a.safetensors' 'tensor a.weight F16 64 64' | made a; printf '%s\n' 'file a.safetensors' 'tensor a.weight BF16 64 64' | requant a b
dtype changed       +0        +0     +0 B  a.weight
differ: 1 dtype changed; 0 of 1 tensors the same
[1]

# ---- across formats: a conversion quantizes matrices, not norms
$ . test/cli/diff/build.sh; llama | made a; llama_gguf | changed 's/(attn_[qkvo].*weight) F16/\1 Q8_0/' | made b; numel diff $T/a $T/b | tail -1
equal except for the format: the conversion explains every difference
$ . test/cli/diff/build.sh; llama | made a; llama_gguf | changed 's/(output_norm.weight) F16/\1 Q8_0/' | made b; numel diff $T/a $T/b | tail -1; numel diff -q $T/a $T/b
differ: 1 of 1 differences not explained by the conversion
0
[1]
# One of the two lacks its metadata.
$ . test/cli/gguf/build.sh; llama_of F16 1 | made a; llama_of Q4_0 2 | grep -v '^kv' | requant a b
quantized         +0         +0  -6.8 MiB  token_embd.weight and 57 more
differ: 58 quantized; 17 of 75 tensors the same; not requantized: one of the files has no metadata
[1]

# Converted from safetensors: a grouped norm has its own line and is explained; in the other direction it is not.
$ . test/cli/gguf/build.sh; mamba2_hub | made a; mamba2_config > $T/a/config.json; mamba2 | made b; numel diff $T/a $T/b | sed 1,3d

cause                 tensors  elements     bytes
a                          11     9,964  38.9 KiB
dimensions of 1            +0        +0      +0 B  backbone.layers.0.mixer.conv1d.weight and 2 more
shapes that GGUF has       +0        +0      +0 B  backbone.layers.0.mixer.norm.weight
b                          11     9,964  38.9 KiB
unexplained                           0

name                   change      what                   times  elements  bytes
backbone.layers.0
  mixer.conv1d.weight  rearranged  [96, 1, 4] -> [96, 4]      1        +0   +0 B
  mixer.A_log          rearranged  [4] -> [4, 1]              1        +0   +0 B
  mixer.D              rearranged  [4] -> [4, 1]              1        +0   +0 B
  mixer.norm.weight    rearranged  [64] -> [2, 32]            1        +0   +0 B

values not compared (--values does)
equal except for the format: the conversion explains every difference
$ . test/cli/gguf/build.sh; mamba2_hub | made a; mamba2_config > $T/a/config.json; mamba2 '32 2' | made b; numel diff $T/a $T/b | sed -n '/rearranged .*norm/p; $p'
rearranged            +0        +0      +0 B  backbone.layers.0.mixer.norm.weight
differ: 1 of 4 differences not explained by the conversion
$ . test/cli/gguf/build.sh; mamba2_hub | made a; mamba2_config > $T/a/config.json; mamba2 | made b; for m in a b; do numel reconcile $T/$m | grep -E '^(parameters|agrees)'; done
agrees: all expected tensors are present, and no others
parameters     9,964 (9.96 K)
agrees: all expected tensors are present, and no others
parameters     9,964 (9.96 K)

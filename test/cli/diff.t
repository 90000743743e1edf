# numel diff: two checkpoints compared. Converters: diff_convert.t.

# Identical: exit status 0.
$ numel diff fixtures/qwen3-0.6b fixtures/qwen3-0.6b
a         fixtures/qwen3-0.6b/model.safetensors.head.zst
b         fixtures/qwen3-0.6b/model.safetensors.head.zst
compared  by name; headers only

cause        tensors     elements    bytes
a                311  751,632,384  1.3 GiB
b                311  751,632,384  1.3 GiB
unexplained                     0

values not compared (--values does)
equal: 311 tensors of the same name, shape and dtype

# 32 x 64 = 2,048 rotary frequencies.
$ numel diff fixtures/llama-2-7b fixtures/llama-2-7b-2023
a         fixtures/llama-2-7b
b         fixtures/llama-2-7b-2023
compared  by name and role; headers only

cause        tensors       elements     bytes
a                291  6,738,415,616  12.5 GiB
buffers          +32         +2,048  +4.0 KiB  model.layers.0.self_attn.rotary_emb.inv_freq and 31 more
b                323  6,738,417,664  12.5 GiB
unexplained                       0

name                                               change  what      times  elements     bytes
model.layers.[0-31].self_attn.rotary_emb.inv_freq  added   F16 [64]     32    +2,048  +4.0 KiB

values not compared (--values does)
differ: 32 added; 291 of 291 tensors the same
[1]

# Other sizes: 8,030,261,248 - 6,738,415,616 = 1,291,845,632.
$ numel diff fixtures/llama-2-7b fixtures/llama-3.1-8b | sed 1,3d
files     2 -> 4; 291 tensors moved to a file with another name

cause          tensors        elements     bytes
a                  291   6,738,415,616  12.5 GiB
reshaped            +0  +1,291,845,632  +2.4 GiB  model.embed_tokens.weight and 161 more
dtype changed       +0              +0      +0 B  model.layers.0.input_layernorm.weight and 128 more
b                  291   8,030,261,248  14.9 GiB
unexplained                          0

name                               change         what                                 times      elements       bytes
model.layers.[0-31]
  mlp.down_proj.weight             reshaped       [4096, 11008 -> 14336] F16 -> BF16      32  +436,207,616  +832.0 MiB
  mlp.gate_proj.weight             reshaped       [11008 -> 14336, 4096] F16 -> BF16      32  +436,207,616  +832.0 MiB
  mlp.up_proj.weight               reshaped       [11008 -> 14336, 4096] F16 -> BF16      32  +436,207,616  +832.0 MiB
  self_attn.k_proj.weight          reshaped       [4096 -> 1024, 4096] F16 -> BF16        32  -402,653,184  -768.0 MiB
  self_attn.v_proj.weight          reshaped       [4096 -> 1024, 4096] F16 -> BF16        32  -402,653,184  -768.0 MiB
  input_layernorm.weight           dtype changed  F16 -> BF16                             32            +0        +0 B
  post_attention_layernorm.weight  dtype changed  F16 -> BF16                             32            +0        +0 B
  self_attn.o_proj.weight          dtype changed  F16 -> BF16                             32            +0        +0 B
  self_attn.q_proj.weight          dtype changed  F16 -> BF16                             32            +0        +0 B
model.embed_tokens.weight          reshaped       [32000 -> 128256, 4096] F16 -> BF16      1  +394,264,576  +752.0 MiB
lm_head.weight                     reshaped       [32000 -> 128256, 4096] F16 -> BF16      1  +394,264,576  +752.0 MiB
model.norm.weight                  dtype changed  F16 -> BF16                              1            +0        +0 B

key                                            a              b
bos_token_id                                   1              128000
eos_token_id                                   2              128001
intermediate_size                              11008          14336
max_position_embeddings                        4096           131072
num_key_value_heads                            32             8
rope_scaling                                   null
torch_dtype                                    "float16"      "bfloat16"
transformers_version                           "4.31.0.dev0"  "4.43.0.dev0"
vocab_size                                     32000          128256
attention_bias                                                false
attention_dropout                                             0
mlp_bias                                                      false
rope_scaling.factor                                           8
rope_scaling.low_freq_factor                                  1
rope_scaling.high_freq_factor                                 4
rope_scaling.original_max_position_embeddings                 8192
rope_scaling.rope_type                                        "llama3"
rope_theta                                                    500000

values not compared (--values does)
differ: 162 reshaped, 129 dtype changed; 0 of 291 tensors the same

# The same tensors split into other files: a note, and equal.
$ numel diff fixtures/llama-3.1-8b-q4_k_m fixtures/llama-3.1-8b-q4_k_m-split | sed 1,2d
compared  by name; headers only
files     1 -> 2; 292 tensors moved to a file with another name

cause        tensors       elements    bytes
a                292  8,030,261,312  4.5 GiB
b                292  8,030,261,312  4.5 GiB
unexplained                       0

values not compared (--values does)
equal: 292 tensors of the same name, shape and dtype

# Only the totals, a number, and an exit status.
$ numel diff -q fixtures/llama-2-7b fixtures/llama-3.1-8b
1291845632
[1]
$ numel diff -q fixtures/llama-3.1-8b fixtures/llama-2-7b
-1291845632
[1]
$ numel diff -q fixtures/llama-2-7b fixtures/llama-2-7b
0

# Fits 80 columns: differences in the same layers share a heading.
$ COLUMNS=80 numel diff fixtures/llama-3.1-8b fixtures/llama-3.1-8b-q4_k_m | sed 1,3d

cause           tensors       elements       bytes
a                   291  8,030,261,248    14.9 GiB
rotary factors       +1            +64      +256 B  rope_freqs.weight
quantized            +0             +0   -10.3 GiB
    model.embed_tokens.weight and 225 more
dtype changed        +0             +0  +520.0 KiB
    model.layers.0.input_layernorm.weight and 64 more
b                   292  8,030,261,312     4.5 GiB
unexplained                          0

name                               change         what               bytes
rope_freqs.weight                  added          F32 [64]          +256 B
model.layers.[0-31]
  mlp.gate_proj.weight             quantized      BF16 -> Q4_K    -2.5 GiB
  mlp.up_proj.weight               quantized      BF16 -> Q4_K    -2.5 GiB
  self_attn.q_proj.weight          quantized      BF16 -> Q4_K  -736.0 MiB
  self_attn.o_proj.weight          quantized      BF16 -> Q4_K  -736.0 MiB
  self_attn.k_proj.weight          quantized      BF16 -> Q4_K  -184.0 MiB
  input_layernorm.weight           dtype changed  BF16 -> F32   +256.0 KiB
  post_attention_layernorm.weight  dtype changed  BF16 -> F32   +256.0 KiB
model.layers.[4-5,7-8,10-11,13-14,...,25-26]
  mlp.down_proj.weight             quantized      BF16 -> Q4_K    -1.2 GiB
  self_attn.v_proj.weight          quantized      BF16 -> Q4_K   -92.0 MiB
model.layers.[0-3,6,9,12,...,27-31]
  mlp.down_proj.weight             quantized      BF16 -> Q6_K    -1.0 GiB
  self_attn.v_proj.weight          quantized      BF16 -> Q6_K   -75.5 MiB
model.embed_tokens.weight          quantized      BF16 -> Q4_K  -720.1 MiB
lm_head.weight                     quantized      BF16 -> Q6_K  -591.0 MiB
model.norm.weight                  dtype changed  BF16 -> F32     +8.0 KiB

values not compared (--values does)
equal except for the format: the conversion explains every difference

# Inputs that cannot be compared.
$ numel diff fixtures/llama-2-7b nowhere
numel: nowhere: cannot open: No such file or directory
[3]
$ numel diff nowhere nowhere-else
numel: nowhere: cannot open: No such file or directory
numel: nowhere-else: cannot open: No such file or directory
[3]
$ numel diff fixtures/llama-2-7b fixtures
numel: fixtures: contains 20 checkpoints: name one of them, fixtures/bert-base/model.safetensors.head.zst
[3]

# ---- small pairs; models and the check of --json: test/cli/diff/build.sh

# The last two of four layers, 36,992 elements each.
$ . test/cli/diff/build.sh; layers='0 1 2 3' llama | made a; llama | made b; compare a b | sed -n '1,/^layers/p'
cause        tensors  elements       bytes
a                 39   180,800   353.1 KiB
layers           -18   -73,984  -144.5 KiB  model.layers.2.input_layernorm.weight and 17 more

# Names with a gap show which.
$ . test/cli/diff/build.sh; layers='0 1 2 3 4' llama | made a; layers='0 3 4' llama | made b; compare a b | sed -n '/^layers/p; $p'
layers           -18   -73,984  -144.5 KiB  model.layers.1.input_layernorm.weight and 17 more
layers  model.layers  5  ->  3  only in a: [1-2]
differ: 18 removed; 30 of 48 tensors the same

# The gap closed: the same layers under other numbers, as far as shapes identify them.
$ . test/cli/diff/build.sh; layers='0 3 4' llama | made a; layers='0 1 2' llama | made b; compare a b
cause              tensors  elements      bytes
a                       30   143,808  280.8 KiB
layers renumbered       +0        +0       +0 B  model.layers.3.input_layernorm.weight and 17 more
b                       30   143,808  280.8 KiB
unexplained                        0

layers  model.layers  3  ->  3  renumbered

values not compared (--values does)
differ: 18 renamed; 12 of 30 tensors the same
[1]

# Dense, dense, experts, experts; the second is dropped, and later layers move up.
$ . test/cli/diff/build.sh; { llama; layers='2 3' mixtral | grep layers; } | made a; { layers=0 llama; layers='1 2' mixtral | grep layers; } | made b; compare a b | grep -v '^  '
cause              tensors  elements      bytes
a                       59   181,312  354.1 KiB
layers                  -9   -36,992  -72.2 KiB  model.layers.1.input_layernorm.weight and 8 more
layers renumbered       +0        +0       +0 B  model.layers.2.block_sparse_moe.experts.0.w1.weight and 37 more
b                       50   144,320  281.8 KiB
unexplained                        0

layers  model.layers  4  ->  3  renumbered; only in a: 1

name                               change   what           times  elements      bytes
model.layers.1

values not compared (--values does)
differ: 9 removed, 38 renamed; 12 of 59 tensors the same

# An extra prefix: reported once. With a configuration by role, without one by names alone.
$ . test/cli/diff/build.sh; llama | made a; llama | changed 's/tensor model./tensor /' | made b; compare a b
cause                  tensors  elements      bytes
a                           21   106,816  208.6 KiB
prefix model. dropped       +0        +0       +0 B  model.embed_tokens.weight and 19 more
b                           21   106,816  208.6 KiB
unexplained                            0

values not compared (--values does)
differ: 20 renamed; 1 of 21 tensors the same
[1]
$ . test/cli/diff/build.sh; llama | changed 's/mlp/feed/' | made a ''; llama | changed 's/mlp/feed/; s/tensor /tensor base.model./' | made b ''; compare a b
cause                     tensors  elements      bytes
a                              21   106,816  208.6 KiB
prefix base.model. added       +0        +0       +0 B  lm_head.weight and 20 more
b                              21   106,816  208.6 KiB
unexplained                               0

values not compared (--values does)
differ: 21 renamed; 0 of 21 tensors the same
[1]

# Meta's names for the same.
$ . test/cli/diff/build.sh; llama | made a; llama | changed 's/model.embed_tokens/tok_embeddings/; s/lm_head/output/; s/tensor model./tensor /; s/self_attn.(.)_proj/attention.w\1/; s/mlp.gate_proj/feed_forward.w1/; s/mlp.down_proj/feed_forward.w2/; s/mlp.up_proj/feed_forward.w3/; s/input_layernorm/attention_norm/; s/post_attention_layernorm/ffn_norm/' | made b; compare a b | tail -24
cause        tensors  elements      bytes
a                 21   106,816  208.6 KiB
renamed           +0        +0       +0 B  lm_head.weight and 20 more
b                 21   106,816  208.6 KiB
unexplained                  0

name                               change   what                                     times  elements  bytes
lm_head.weight                     renamed  now output.weight                            1        +0   +0 B
model.embed_tokens.weight          renamed  now tok_embeddings.weight                    1        +0   +0 B
model.layers.[0-1]
  input_layernorm.weight           renamed  now layers.[0-1].attention_norm.weight       2        +0   +0 B
  mlp.down_proj.weight             renamed  now layers.[0-1].feed_forward.w2.weight      2        +0   +0 B
  mlp.gate_proj.weight             renamed  now layers.[0-1].feed_forward.w1.weight      2        +0   +0 B
  mlp.up_proj.weight               renamed  now layers.[0-1].feed_forward.w3.weight      2        +0   +0 B
  post_attention_layernorm.weight  renamed  now layers.[0-1].ffn_norm.weight             2        +0   +0 B
  self_attn.k_proj.weight          renamed  now layers.[0-1].attention.wk.weight         2        +0   +0 B
  self_attn.o_proj.weight          renamed  now layers.[0-1].attention.wo.weight         2        +0   +0 B
  self_attn.q_proj.weight          renamed  now layers.[0-1].attention.wq.weight         2        +0   +0 B
  self_attn.v_proj.weight          renamed  now layers.[0-1].attention.wv.weight         2        +0   +0 B
model.norm.weight                  renamed  now norm.weight                              1        +0   +0 B

values not compared (--values does)
differ: 21 renamed; 0 of 21 tensors the same

# Four more tokens: 2 x 4 x 64.
$ . test/cli/diff/build.sh; llama | made a; llama | changed 's/ 256 64$/ 260 64/' | made b "$(printf %s "$config" | sed 's/vocab_size":256/vocab_size":260/')"; compare a b
cause                   tensors  elements      bytes
a                            21   106,816  208.6 KiB
rows of the vocabulary       +0      +512   +1.0 KiB  lm_head.weight and 1 more
b                            21   107,328  209.6 KiB
unexplained                             0

name                       change    what              times  elements   bytes
lm_head.weight             reshaped  [256 -> 260, 64]      1      +256  +512 B
model.embed_tokens.weight  reshaped  [256 -> 260, 64]      1      +256  +512 B

key         a    b
vocab_size  256  260

values not compared (--values does)
differ: 2 reshaped; 19 of 21 tensors the same
[1]

# Stored in one file only, and tied: -16,384.
$ . test/cli/diff/build.sh; llama | made a "$config,\"tie_word_embeddings\":true"; llama | without lm_head | made b "$config,\"tie_word_embeddings\":true"; compare a b
cause        tensors  elements      bytes
a                 21   106,816  208.6 KiB
tied copy         -1   -16,384  -32.0 KiB  lm_head.weight
b                 20    90,432  176.6 KiB
unexplained                  0

name            change   what           times  elements      bytes
lm_head.weight  removed  F16 [256, 64]      1   -16,384  -32.0 KiB

values not compared (--values does)
differ: 1 removed; 20 of 21 tensors the same
[1]

# Two experts pruned of four: 2 layers x 3 x 2,048 x 2, and their rows of the router.
$ . test/cli/diff/build.sh; mixtral | made a "$mixtral_config"; mixtral | without 'experts.[23]' | changed 's/gate.weight F16 4/gate.weight F16 2/' | made b "$(printf %s "$mixtral_config" | sed 's/experts":4/experts":2/')"; compare a b
cause        tensors  elements      bytes
a                 41   107,328  209.6 KiB
experts          -12   -24,576  -48.0 KiB  model.layers.0.block_sparse_moe.experts.2.w1.weight and 11 more
reshaped          +0      -256     -512 B  model.layers.0.block_sparse_moe.gate.weight and 1 more
b                 29    82,496  161.1 KiB
unexplained                  0

experts  model.layers.*.block_sparse_moe.experts  4  ->  2  only in a: [2-3]

name                                             change    what          times  elements      bytes
model.layers.[0-1].block_sparse_moe.experts.[2-3]
  w1.weight                                      removed   F16 [32, 64]      4    -8,192  -16.0 KiB
  w2.weight                                      removed   F16 [64, 32]      4    -8,192  -16.0 KiB
  w3.weight                                      removed   F16 [32, 64]      4    -8,192  -16.0 KiB
model.layers.[0-1].block_sparse_moe.gate.weight  reshaped  [4 -> 2, 64]      2      -256     -512 B

key                a  b
num_local_experts  4  2

values not compared (--values does)
differ: 12 removed, 2 reshaped; 27 of 41 tensors the same
[1]

# Quantized to 4 bits: packed integers, scales and similar tensors.
$ . test/cli/diff/build.sh; llama | made a; llama | quantized packed | made b "$config,\"quantization_config\":{\"quant_method\":\"compressed-tensors\"}"; compare a b | sed -n '1,/^$/p'
cause                tensors  elements       bytes
a                         21   106,816   208.6 KiB
packed values             +0   -64,512  -108.0 KiB  model.layers.0.mlp.down_proj.weight and 13 more
quantization scales      +28    +2,332    +4.7 KiB  model.layers.0.mlp.down_proj.weight_shape and 27 more
b                         49    44,636   105.3 KiB
unexplained                          0

# An adapter against its base: no common tensors.
$ . test/cli/diff/build.sh; llama | made a; printf '%s\n' 'file adapter_model.safetensors' 'tensor base_model.model.model.layers.{0..1}.self_attn.q_proj.lora_A.weight F32 8 64' 'tensor base_model.model.model.layers.{0..1}.self_attn.q_proj.lora_B.weight F32 64 8' | made b ''; compare a b | sed -n '1,/^$/p; $p'
cause        tensors  elements       bytes
a                 21   106,816   208.6 KiB
removed          -21  -106,816  -208.6 KiB  lm_head.weight and 20 more
added             +4    +2,048    +8.0 KiB  base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight and 3 more
b                  4     2,048     8.0 KiB
unexplained                  0

differ: 4 added, 21 removed; 0 of 21 tensors the same

# Names from a file are escaped.
$ . test/cli/diff/build.sh; llama | made a; llama | with "tensor $(printf 'x\033[31m.weight') F16 3" | made b; compare a b | grep added
added             +1        +3       +6 B  x\x1b[31m.weight
x\x1b[31m.weight  added   F16 [3]      1        +3   +6 B
differ: 1 added; 21 of 21 tensors the same

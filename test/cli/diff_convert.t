# GGUF against the safetensors file it was converted from: every difference has a cause, unexplained is zero.
# test/cli/diff/build.sh makes models and pairs, and checks that a + statement = b in --json.

# A Llama, 106,816 elements, converted with the rotary factors of Llama 3 (8 = D / 2).
$ . test/cli/diff/build.sh; llama | made a; llama_gguf | with 'tensor rope_freqs.weight F32 8' | made b; compare a b
cause           tensors  elements      bytes
a                    21   106,816  208.6 KiB
rotary factors       +1        +8      +32 B  rope_freqs.weight
b                    22   106,824  208.6 KiB
unexplained                     0

name               change  what     times  elements  bytes
rope_freqs.weight  added   F32 [8]      1        +8  +32 B

values not compared (--values does)
equal except for the format: the conversion explains every difference

# The same in reverse.
$ . test/cli/diff/build.sh; llama | made a; llama_gguf | with 'tensor rope_freqs.weight F32 8' | made b; compare b a
cause           tensors  elements      bytes
a                    22   106,824  208.6 KiB
rotary factors       -1        -8      -32 B  rope_freqs.weight
b                    21   106,816  208.6 KiB
unexplained                     0

name               change   what     times  elements  bytes
rope_freqs.weight  removed  F32 [8]      1        -8  -32 B

values not compared (--values does)
equal except for the format: the conversion explains every difference

# Long contexts of phi3 and minicpm: two tables of factors. Norms in F32, as converters write them.
$ . test/cli/diff/build.sh; llama | made a; llama_gguf | changed 's/(_norm.weight) F16/\1 F32/' | with 'tensor rope_factors_long.weight F32 8' 'tensor rope_factors_short.weight F32 8' | made b; compare a b
cause           tensors  elements      bytes
a                    21   106,816  208.6 KiB
rotary factors       +2       +16      +64 B  rope_factors_long.weight and 1 more
dtype changed        +0        +0     +640 B  model.layers.0.input_layernorm.weight and 4 more
b                    23   106,832  209.3 KiB
unexplained                     0

name                               change         what        times  elements   bytes
rope_factors_long.weight           added          F32 [8]         1        +8   +32 B
rope_factors_short.weight          added          F32 [8]         1        +8   +32 B
model.layers.[0-1]
  input_layernorm.weight           dtype changed  F16 -> F32      2        +0  +256 B
  post_attention_layernorm.weight  dtype changed  F16 -> F32      2        +0  +256 B
model.norm.weight                  dtype changed  F16 -> F32      1        +0  +128 B

values not compared (--values does)
equal except for the format: the conversion explains every difference

# Tied, and stored only in safetensors: 256 x 64 = 16,384.
$ . test/cli/diff/build.sh; llama | made a "$config,\"tie_word_embeddings\":true"; llama_gguf | without '^tensor output.weight' | made b; compare a b
cause        tensors  elements      bytes
a                 21   106,816  208.6 KiB
tied copy         -1   -16,384  -32.0 KiB  lm_head.weight
b                 20    90,432  176.6 KiB
unexplained                  0

name            change   what           times  elements      bytes
lm_head.weight  removed  F16 [256, 64]      1   -16,384  -32.0 KiB

values not compared (--values does)
equal except for the format: the conversion explains every difference

# Tied, and written out by the converter.
$ . test/cli/diff/build.sh; llama | without lm_head | made a "$config,\"tie_word_embeddings\":true"; llama_gguf | made b; compare a b
cause        tensors  elements      bytes
a                 20    90,432  176.6 KiB
tied copy         +1   +16,384  +32.0 KiB  output.weight
b                 21   106,816  208.6 KiB
unexplained                  0

name           change  what           times  elements      bytes
output.weight  added   F16 [256, 64]      1   +16,384  +32.0 KiB

values not compared (--values does)
equal except for the format: the conversion explains every difference

# Not tied, and lost: no conversion does that. Exit status 1.
$ . test/cli/diff/build.sh; llama | made a; llama_gguf | without '^tensor output.weight' | made b; compare a b
cause        tensors  elements      bytes
a                 21   106,816  208.6 KiB
removed           -1   -16,384  -32.0 KiB  lm_head.weight
b                 20    90,432  176.6 KiB
unexplained             16,384

name            change   what           times  elements      bytes
lm_head.weight  removed  F16 [256, 64]      1   -16,384  -32.0 KiB

values not compared (--values does)
differ: 1 of 1 differences not explained by the conversion
[1]

# A lost layer: 36,992 elements.
$ . test/cli/diff/build.sh; llama | made a; llama_gguf | without 'blk.1' | changed 's/block_count 2/block_count 1/' | made b; compare a b
cause        tensors  elements      bytes
a                 21   106,816  208.6 KiB
layers            -9   -36,992  -72.2 KiB  model.layers.1.input_layernorm.weight and 8 more
b                 12    69,824  136.3 KiB
unexplained             36,992

layers  model.layers  2  ->  1  only in a: 1

name                               change   what           times  elements      bytes
model.layers.1
  mlp.down_proj.weight             removed  F16 [64, 128]      1    -8,192  -16.0 KiB
  mlp.gate_proj.weight             removed  F16 [128, 64]      1    -8,192  -16.0 KiB
  mlp.up_proj.weight               removed  F16 [128, 64]      1    -8,192  -16.0 KiB
  self_attn.o_proj.weight          removed  F16 [64, 64]       1    -4,096   -8.0 KiB
  self_attn.q_proj.weight          removed  F16 [64, 64]       1    -4,096   -8.0 KiB
  self_attn.k_proj.weight          removed  F16 [32, 64]       1    -2,048   -4.0 KiB
  self_attn.v_proj.weight          removed  F16 [32, 64]       1    -2,048   -4.0 KiB
  input_layernorm.weight           removed  F16 [64]           1       -64     -128 B
  post_attention_layernorm.weight  removed  F16 [64]           1       -64     -128 B

values not compared (--values does)
differ: 9 of 9 differences not explained by the conversion
[1]

# Padding rows removed, 256 to 250: 6 x 64, in the embedding and in the head.
$ . test/cli/diff/build.sh; llama | made a; llama_gguf | changed 's/(token_embd.weight|output.weight) F16 256/\1 F16 250/; s/vocab_size 256/vocab_size 250/' | made b; compare a b
cause                   tensors  elements      bytes
a                            21   106,816  208.6 KiB
rows of the vocabulary       +0      -768   -1.5 KiB  model.embed_tokens.weight and 1 more
b                            21   106,048  207.1 KiB
unexplained                             0

name                       change    what              times  elements   bytes
model.embed_tokens.weight  reshaped  [256 -> 250, 64]      1      -384  -768 B
lm_head.weight             reshaped  [256 -> 250, 64]      1      -384  -768 B

values not compared (--values does)
equal except for the format: the conversion explains every difference

# A completely different vocabulary, 256 to 128, is not padding.
$ . test/cli/diff/build.sh; llama | made a; llama_gguf | changed 's/(token_embd.weight|output.weight) F16 256/\1 F16 128/; s/vocab_size 256/vocab_size 128/' | made b; compare a b
cause        tensors  elements      bytes
a                 21   106,816  208.6 KiB
reshaped          +0   -16,384  -32.0 KiB  model.embed_tokens.weight and 1 more
b                 21    90,432  176.6 KiB
unexplained             16,384

name                       change    what              times  elements      bytes
model.embed_tokens.weight  reshaped  [256 -> 128, 64]      1    -8,192  -16.0 KiB
lm_head.weight             reshaped  [256 -> 128, 64]      1    -8,192  -16.0 KiB

values not compared (--values does)
differ: 2 of 2 differences not explained by the conversion
[1]

# The experts of a Mixtral stacked: 4 tensors become one, of three kinds in 2 layers: 24 become 6.
$ . test/cli/diff/build.sh; mixtral | made a "$mixtral_config"; { llama_gguf | without 'ffn_(gate|up|down)'; for i in 0 1; do printf '%s\n' "tensor blk.$i.ffn_gate_inp.weight F32 4 64" "tensor blk.$i.ffn_gate_exps.weight F16 4 32 64" "tensor blk.$i.ffn_up_exps.weight F16 4 32 64" "tensor blk.$i.ffn_down_exps.weight F16 4 64 32"; done; } | with 'kv u32 llama.expert_count 4' | changed 's/feed_forward_length 128/feed_forward_length 32/' | made b; compare a b
cause            tensors  elements      bytes
a                     41   107,328  209.6 KiB
dtype changed         +0        +0   +1.0 KiB  model.layers.0.block_sparse_moe.gate.weight and 1 more
experts stacked      -18        +0       +0 B  model.layers.0.block_sparse_moe.experts.0.w1.weight and 5 more
b                     23   107,328  210.6 KiB
unexplained                      0

name                                             change         what                         times  elements     bytes
blk.[0-1]
  ffn_gate_exps.weight                           rearranged     4 x [32, 64] -> [4, 32, 64]      2        +0      +0 B
  ffn_up_exps.weight                             rearranged     4 x [32, 64] -> [4, 32, 64]      2        +0      +0 B
  ffn_down_exps.weight                           rearranged     4 x [64, 32] -> [4, 64, 32]      2        +0      +0 B
model.layers.[0-1].block_sparse_moe.gate.weight  dtype changed  F16 -> F32                       2        +0  +1.0 KiB

values not compared (--values does)
equal except for the format: the conversion explains every difference

# Before April 2024 they were separate: 24 and 24.
$ . test/cli/diff/build.sh; mixtral | made a "$mixtral_config"; { llama_gguf | without 'ffn_(gate|up|down)'; for i in 0 1; do echo "tensor blk.$i.ffn_gate_inp.weight F16 4 64"; for e in 0 1 2 3; do printf '%s\n' "tensor blk.$i.ffn_gate.$e.weight F16 32 64" "tensor blk.$i.ffn_up.$e.weight F16 32 64" "tensor blk.$i.ffn_down.$e.weight F16 64 32"; done; done; } | with 'kv u32 llama.expert_count 4' | changed 's/feed_forward_length 128/feed_forward_length 32/' | made b; compare a b
cause        tensors  elements      bytes
a                 41   107,328  209.6 KiB
b                 41   107,328  209.6 KiB
unexplained                  0

values not compared (--values does)
equal except for the format: the conversion explains every difference

# Quantized with GPTQ in safetensors, plain in GGUF: each packed integer holds 8 values; the scales, zero points,
# group indices and biases have no counterpart.
$ . test/cli/diff/build.sh; llama | quantized gptq | made a "$config,\"quantization_config\":{\"quant_method\":\"gptq\",\"bits\":4}"; llama_gguf | made b; compare a b
cause                tensors  elements       bytes
a                         77    46,944   112.2 KiB
packed values             +0   +64,512  +108.0 KiB  model.layers.0.self_attn.q_proj.qweight and 13 more
quantization scales      -56    -4,640   -11.6 KiB  model.layers.0.mlp.down_proj.g_idx and 55 more
b                         21   106,816   208.6 KiB
unexplained                          0

name                        change     what          times  elements      bytes
model.layers.[0-1]
  mlp.gate_proj.qweight     quantized  I32 -> F16        2   +14,336  +24.0 KiB
  mlp.up_proj.qweight       quantized  I32 -> F16        2   +14,336  +24.0 KiB
  mlp.down_proj.qweight     quantized  I32 -> F16        2   +14,336  +24.0 KiB
  self_attn.q_proj.qweight  quantized  I32 -> F16        2    +7,168  +12.0 KiB
  self_attn.o_proj.qweight  quantized  I32 -> F16        2    +7,168  +12.0 KiB
  self_attn.k_proj.qweight  quantized  I32 -> F16        2    +3,584   +6.0 KiB
  self_attn.v_proj.qweight  quantized  I32 -> F16        2    +3,584   +6.0 KiB
  mlp.down_proj.scales      removed    F16 [4, 64]       2      -512   -1.0 KiB
  mlp.gate_proj.scales      removed    F16 [2, 128]      2      -512   -1.0 KiB
  mlp.up_proj.scales        removed    F16 [2, 128]      2      -512   -1.0 KiB
  mlp.down_proj.g_idx       removed    I32 [128]         2      -256   -1.0 KiB
  mlp.gate_proj.bias        removed    F16 [128]         2      -256     -512 B
  mlp.up_proj.bias          removed    F16 [128]         2      -256     -512 B
  self_attn.o_proj.scales   removed    F16 [2, 64]       2      -256     -512 B
  self_attn.q_proj.scales   removed    F16 [2, 64]       2      -256     -512 B
  mlp.gate_proj.g_idx       removed    I32 [64]          2      -128     -512 B
  mlp.up_proj.g_idx         removed    I32 [64]          2      -128     -512 B
  self_attn.k_proj.g_idx    removed    I32 [64]          2      -128     -512 B
  self_attn.o_proj.g_idx    removed    I32 [64]          2      -128     -512 B
  self_attn.q_proj.g_idx    removed    I32 [64]          2      -128     -512 B
  self_attn.v_proj.g_idx    removed    I32 [64]          2      -128     -512 B
  mlp.down_proj.bias        removed    F16 [64]          2      -128     -256 B
  self_attn.k_proj.scales   removed    F16 [2, 32]       2      -128     -256 B
  self_attn.o_proj.bias     removed    F16 [64]          2      -128     -256 B
  self_attn.q_proj.bias     removed    F16 [64]          2      -128     -256 B
  self_attn.v_proj.scales   removed    F16 [2, 32]       2      -128     -256 B
  mlp.down_proj.qzeros      removed    I32 [4, 8]        2       -64     -256 B
  mlp.gate_proj.qzeros      removed    I32 [2, 16]       2       -64     -256 B
  mlp.up_proj.qzeros        removed    I32 [2, 16]       2       -64     -256 B
  self_attn.k_proj.bias     removed    F16 [32]          2       -64     -128 B
  self_attn.v_proj.bias     removed    F16 [32]          2       -64     -128 B
  self_attn.o_proj.qzeros   removed    I32 [2, 8]        2       -32     -128 B
  self_attn.q_proj.qzeros   removed    I32 [2, 8]        2       -32     -128 B
  self_attn.k_proj.qzeros   removed    I32 [2, 4]        2       -16      -64 B
  self_attn.v_proj.qzeros   removed    I32 [2, 4]        2       -16      -64 B

values not compared (--values does)
equal except for the format: the conversion explains every difference

# MXFP4, gate and up in one: 4 x 128 x 2 x 16 + 4 x 64 x 2 x 16 = 24,576 bytes for twice as many values;
# 4 x 128 x 2 + 4 x 64 x 2 = 1,536 scales.
$ . test/cli/diff/build.sh; gpt_oss | made a "$gpt_oss_config"; gpt_oss_gguf | made b; compare a b
cause                tensors  elements      bytes
a                         22    72,584  116.2 KiB
packed values             +1   +24,576   +1.5 KiB  model.layers.0.mlp.experts.down_proj_blocks and 1 more
quantization scales       -2    -1,536   -1.5 KiB  model.layers.0.mlp.experts.down_proj_scales and 1 more
merged or split           +1        +0       +0 B  model.layers.0.mlp.experts.gate_up_proj_bias
b                         22    95,624  116.2 KiB
unexplained                          0

name                               change      what                     times  elements     bytes
model.layers.0
  mlp.experts.gate_up_proj_blocks  quantized   U8 -> MXFP4                  1   +16,384  +1.0 KiB
  mlp.experts.down_proj_blocks     quantized   U8 -> MXFP4                  1    +8,192    +512 B
  mlp.experts.gate_up_proj_scales  removed     U8 [4, 128, 2]               1    -1,024  -1.0 KiB
  mlp.experts.down_proj_scales     removed     U8 [4, 64, 2]                1      -512    -512 B
  mlp.experts.gate_up_proj_bias    rearranged  [4, 128] -> 2 x [4, 64]      1        +0      +0 B

values not compared (--values does)
equal except for the format: the conversion explains every difference

# A lost norm, and one of the experts' biases: 64 + 256, unexplained.
$ . test/cli/diff/build.sh; gpt_oss | made a "$gpt_oss_config"; gpt_oss_gguf | without 'attn_norm' | changed 's/ffn_gate,ffn_up,ffn_down}_exps.bias/ffn_gate,ffn_down}_exps.bias/' | made b; compare a b | sed -n '/^cause/,/^unexplained/p; $p'
cause                tensors  elements      bytes
a                         22    72,584  116.2 KiB
reshaped                  +0      -256     -512 B  model.layers.0.mlp.experts.gate_up_proj_bias
removed                   -1       -64     -128 B  model.layers.0.input_layernorm.weight
packed values             +1   +24,576   +1.5 KiB  model.layers.0.mlp.experts.down_proj_blocks and 1 more
quantization scales       -2    -1,536   -1.5 KiB  model.layers.0.mlp.experts.down_proj_scales and 1 more
b                         20    95,304  115.6 KiB
unexplained                        320
differ: 2 of 6 differences not explained by the conversion

# The same number of values in a shape that no transposing or squeezing gives: 64 x 64 as 32 x 128. No element
# remains, but no conversion does that either.
$ . test/cli/diff/build.sh; llama | made a; llama_gguf | changed 's/(blk.1.attn_q.weight F16) 64 64/\1 32 128/' | made b; compare a b
cause        tensors  elements      bytes
a                 21   106,816  208.6 KiB
rearranged        +0        +0       +0 B  model.layers.1.self_attn.q_proj.weight
b                 21   106,816  208.6 KiB
unexplained                  0

name                                    change      what                   times  elements  bytes
model.layers.1.self_attn.q_proj.weight  rearranged  [64 -> 32, 64 -> 128]      1        +0   +0 B

values not compared (--values does)
differ: 1 of 1 differences not explained by the conversion
[1]

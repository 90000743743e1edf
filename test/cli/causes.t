# One small checkpoint for each reason that a file has more or less than its formula, and for several at once.
# test/cli/causes/build.sh makes the models and sums, and checks that the statement of --json adds up to the stored
# total and to the generator's sum. The comments state the expected results, with their arithmetic.

# No deviation: 106,816 and zero.
$ . test/cli/causes/build.sh; llama | reconcile
cause        tensors  elements
formula           21   106,816  llama, 21 tensors expected
stored            21   106,816
unexplained                  0
agrees: all expected tensors are present, and no others
parameters     106,816 (106.82 K)
(agrees)

# ---- tied tensors

# Tied but stored: formula 106,816 - 16,384 = 90,432, copy +16,384; agrees.
$ . test/cli/causes/build.sh; llama | reconcile ',"tie_word_embeddings":true'
cause             tensors  elements
formula                20    90,432  llama, 20 tensors expected
tied copy stored        1   +16,384  lm_head.weight; values not compared
stored                 21   106,816
unexplained                       0
agrees: all expected tensors are present, the others are accounted for
parameters     90,432 (90.43 K)
(agrees)
# Tied, stored once: 90,432; agrees.
$ . test/cli/causes/build.sh; llama | without lm_head | reconcile ',"tie_word_embeddings":true'
cause              tensors  elements
formula                 20    90,432  llama, 20 tensors expected
tied, stored once        0        +0  lm_head.weight
stored                  20    90,432
unexplained                        0
agrees: all expected tensors are present, and no others
parameters     90,432 (90.43 K)
(agrees)
# Not tied by the configuration, and absent: -16,384; disagrees, lm_head named.
$ . test/cli/causes/build.sh; llama | without lm_head | reconcile
cause        tensors  elements
formula           21   106,816  llama, 21 tensors expected
missing            1   -16,384  lm_head.weight
stored            20    90,432
unexplained                  0
disagrees: 1 missing, 0 of the wrong shape, 0 unexpected
parameters     90,432 (90.43 K)
missing  lm_head.weight  [256, 64]
(disagrees)
[1]
# A base model has no head: nothing is missing.
$ . test/cli/causes/build.sh; llama | without lm_head | changed 's/tensor model\./tensor /' | reconcile '' --set architectures=LlamaModel
cause        tensors  elements
formula           20    90,432  llama, 20 tensors expected
stored            20    90,432
unexplained                  0
agrees: all expected tensors are present, and no others
parameters     90,432 (90.43 K)
(agrees)
# In GGUF, a missing output.weight means that it is tied: 90,432; agrees.
$ . test/cli/causes/build.sh; llama_gguf | without ' output.weight' | reconcile
cause              tensors  elements
formula                 20    90,432  llama, 20 tensors expected
tied, stored once        0        +0  output.weight
stored                  20    90,432
unexplained                        0
agrees: all expected tensors are present, and no others
parameters     90,432 (90.43 K)
(agrees)

# ---- buffers and leftovers of old writers

# inv_freq: 2 * 8.
$ . test/cli/causes/build.sh; llama | with 'tensor model.layers.{0,1}.self_attn.rotary_emb.inv_freq F32 8' | reconcile
cause        tensors  elements
formula           21   106,816  llama, 21 tensors expected
buffers            2       +16  model.layers.0.self_attn.rotary_emb.inv_freq and 1 more
stored            23   106,832
unexplained                  0
agrees: all expected tensors are present, the others are accounted for
parameters     106,816 (106.82 K)
(agrees)
# Masks 2 * 32 * 32 and 2 scalars, position_ids 32: 2,082.
$ . test/cli/causes/build.sh; llama | with 'tensor model.layers.{0,1}.attn.bias F32 1 1 32 32' 'tensor model.layers.{0,1}.attn.masked_bias F32' 'tensor model.position_ids I64 1 32' | reconcile
cause                     tensors  elements
formula                        21   106,816  llama, 21 tensors expected
leftovers of old writers        5    +2,082  model.position_ids and 4 more
stored                         26   108,898
unexplained                               0
agrees in part: all expected tensors are present; 5 tensors are not checked: leftovers of old writers (5)
parameters     106,816 (106.82 K)
not checked  model.position_ids               1  leftovers of old writers
not checked  model.layers.*.attn.bias         2  leftovers of old writers
not checked  model.layers.*.attn.masked_bias  2  leftovers of old writers
(in part)
[4]
# The masks of GPT-2: 12 * 1,048,576 = 12,582,912, and the total 137,022,720.
$ numel reconcile fixtures/gpt2 | sed -n '/^cause/,/^parameters/p'
cause              tensors     elements
formula                148  124,439,808  gpt2, 148 tensors expected
tied, stored once        0           +0  lm_head.weight
buffers                 12  +12,582,912  h.0.attn.bias and 11 more
stored                 160  137,022,720
unexplained                           0

agrees: all expected tensors are present, the others are accounted for

parameters     124,439,808 (124.44 M)
# Statistics of BatchNorm: 8 + 8 + 1.
$ . test/cli/causes/build.sh; llama | with 'tensor model.bn.running_{mean,var} F32 8' 'tensor model.bn.num_batches_tracked I64' | reconcile
cause        tensors  elements
formula           21   106,816  llama, 21 tensors expected
buffers            3       +17  model.bn.num_batches_tracked and 2 more
stored            24   106,833
unexplained                  0
agrees in part: all expected tensors are present; 3 tensors are not checked: buffers (3)
parameters     106,816 (106.82 K)
not checked  model.bn.num_batches_tracked  1  buffers
not checked  model.bn.running_mean         1  buffers
not checked  model.bn.running_var          1  buffers
(in part)
[4]
# The router's e_score_correction_bias, 58 * 256 = 14,848; multi-token prediction, 13,463,426,304;
# scales of FP8, 41,540,496; in all 684,531,386,000.
$ numel reconcile fixtures/deepseek-v3 | sed -n '/^cause/,/^parameters/p'
cause                   tensors         elements      bytes
formula                  45,337  671,026,404,352  626.7 GiB  deepseek_v3, 45,337 tensors expected
scales                   45,808      +41,540,496  158.4 MiB  model.layers.0.mlp.down_proj.weight_scale_inv and 45,807 more
buffers                      58          +14,848   58.0 KiB  model.layers.3.mlp.gate.e_score_correction_bias and 57 more
multi-token prediction      788  +13,463,426,304   14.3 GiB  model.layers.61.mlp.gate.e_score_correction_bias and 787 more
stored                   91,991  684,531,386,000  641.2 GiB
unexplained                                    0

agrees: all expected tensors are present, the others are accounted for

parameters     671,026,404,352 (671.03 B)
# GGUF: rope_freqs 8, rope_factors 2 * 8.
$ . test/cli/causes/build.sh; llama_gguf | with 'tensor rope_freqs.weight F32 8' 'tensor rope_factors_{long,short}.weight F32 8' | reconcile
cause        tensors  elements
formula           21   106,816  llama, 21 tensors expected
buffers            3       +24  rope_freqs.weight and 2 more
stored            24   106,840
unexplained                  0
agrees: all expected tensors are present, the others are accounted for; rope_freqs.weight is unknown to llama.cpp before July 2024 (update it)
parameters     106,816 (106.82 K)
(agrees)

# ---- parts besides the model

# Multi-token prediction under its own name: 8,192.
$ . test/cli/causes/build.sh; llama | with 'tensor mtp.layers.0.mlp.up_proj.weight F16 128 64' | reconcile
cause                   tensors  elements
formula                      21   106,816  llama, 21 tensors expected
multi-token prediction        1    +8,192  mtp.layers.0.mlp.up_proj.weight
stored                       22   115,008
unexplained                             0
agrees in part: all expected tensors are present; 1 tensor is not checked: multi-token prediction (1)
parameters     106,816 (106.82 K)
not checked  mtp.layers.*.mlp.up_proj.weight  1  multi-token prediction
(in part)
[4]
# A classifier's head: 2 * 64.
$ . test/cli/causes/build.sh; llama | with 'tensor score.weight F16 2 64' | reconcile
cause        tensors  elements
formula           21   106,816  llama, 21 tensors expected
task head          1      +128  score.weight
stored            22   106,944
unexplained                  0
agrees in part: all expected tensors are present; 1 tensor is not checked: task head (1)
parameters     106,816 (106.82 K)
not checked  score.weight  1  task head
(in part)
[4]
# A vision tower, 512, and the language model one prefix deeper.
$ . test/cli/causes/build.sh; llama | changed 's/tensor /tensor language_model./' | with 'tensor vision_tower.patch_embed.weight F16 8 64' | reconcile
cause          tensors  elements
formula             21   106,816  llama, 21 tensors expected
another tower        1      +512  vision_tower.patch_embed.weight
stored              22   107,328
unexplained                    0
agrees in part: all expected tensors are present; 1 tensor is not checked: another tower (1)
parameters     106,816 (106.82 K)
not checked  vision_tower.patch_embed.weight  1  another tower
(in part)
[4]
# LoRA adapters saved with their base: 2 * 2 * 8 * 64 = 2,048.
$ . test/cli/causes/build.sh; llama | with 'tensor base_model.model.model.layers.{0,1}.self_attn.q_proj.lora_A.weight F16 8 64' 'tensor base_model.model.model.layers.{0,1}.self_attn.q_proj.lora_B.weight F16 64 8' | reconcile
cause          tensors  elements
formula             21   106,816  llama, 21 tensors expected
LoRA adapters        4    +2,048  base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight and 3 more
stored              25   108,864
unexplained                    0
agrees in part: all expected tensors are present; 4 tensors are not checked: LoRA adapters (4)
parameters     106,816 (106.82 K)
not checked  base_model.model.model.layers.*.self_attn.q_proj.lora_A.weight  2  LoRA adapters
not checked  base_model.model.model.layers.*.self_attn.q_proj.lora_B.weight  2  LoRA adapters
(in part)
[4]
# Adapters alone are not a model, whatever configuration is next to them: nothing is missing (adapter.t).
$ . test/cli/causes/build.sh; llama | without tensor | with 'tensor base_model.model.model.layers.{0,1}.self_attn.q_proj.lora_A.weight F16 8 64' | reconcile >/dev/null; numel reconcile $T/model | tail -n +4
adapter     lora
trained     1,024 parameters in 2 modules
base model  106,816 parameters; the adapter has 0.96 % as many

target  modules  parameters
q_proj        2       1,024

disagrees  model.layers.0.self_attn.q_proj has lora_A [8, 64] but no lora_B (2 of 2 modules)

disagrees: 1 contradiction

# ---- packed weights: the matrices of the layers have 2 * 36,864 = 73,728 elements

# GPTQ, 8 values per I32: 73,728 * 7/8 = 64,512 less; zero points and scales 2 * (q 16 + 128, k 8 + 64, v 8 + 64, o
# 16 + 128, gate 32 + 256, up 32 + 256, down 32 + 256) = 2,592; g_idx 2 * (6 * 64 + 128) = 1,024; biases added by
# the writer, 2 * (64 + 32 + 32 + 64 + 128 + 128 + 64) = 1,024.
$ . test/cli/causes/build.sh; llama | quantized gptq | reconcile
cause                          tensors  elements      bytes
formula                             21   106,816   64.6 KiB  llama, 21 tensors expected
packed values                       14   -64,512   36.0 KiB  model.layers.0.mlp.down_proj.qweight and 13 more
scales                              14    +2,304    4.5 KiB  model.layers.0.mlp.down_proj.scales and 13 more
zero points                         14      +288    1.1 KiB  model.layers.0.mlp.down_proj.qzeros and 13 more
group indices                       14    +1,024    4.0 KiB  model.layers.0.mlp.down_proj.g_idx and 13 more
biases written by a quantizer       14    +1,024    2.0 KiB  model.layers.0.mlp.down_proj.bias and 13 more
stored                              77    46,944  112.2 KiB
unexplained                                    0
agrees: all expected tensors are present, the others are accounted for
parameters     106,816 (106.82 K)
(agrees)
# AWQ: the same, without g_idx and biases.
$ . test/cli/causes/build.sh; llama | quantized awq | reconcile
cause          tensors  elements      bytes
formula             21   106,816   64.6 KiB  llama, 21 tensors expected
packed values       14   -64,512   36.0 KiB  model.layers.0.mlp.down_proj.qweight and 13 more
scales              14    +2,304    4.5 KiB  model.layers.0.mlp.down_proj.scales and 13 more
zero points         14      +288    1.1 KiB  model.layers.0.mlp.down_proj.qzeros and 13 more
stored              49    44,896  106.2 KiB
unexplained                    0
agrees: all expected tensors are present, the others are accounted for
parameters     106,816 (106.82 K)
(agrees)
# bitsandbytes, 2 values per byte as [N/2, 1]: 36,864 less; absmax 73,728 / 64 = 1,152, the maps 14 * (16 + 256),
# nested_absmax 14, quant_state 14 * 77: 6,052.
$ . test/cli/causes/build.sh; llama | quantized bnb4 | reconcile
cause          tensors  elements      bytes
formula             21   106,816   64.6 KiB  llama, 21 tensors expected
packed values       14   -36,864   36.0 KiB  model.layers.0.mlp.down_proj.weight and 13 more
scales              28    +1,166    1.1 KiB  model.layers.0.mlp.down_proj.weight.nested_absmax and 27 more
codebooks           28    +3,808   14.8 KiB  model.layers.0.mlp.down_proj.weight.nested_quant_map and 27 more
shapes              14    +1,078    1.0 KiB  model.layers.0.mlp.down_proj.weight.quant_state.bitsandbytes__nf4 and 13 more
stored              91    76,004  117.7 KiB
unexplained                    0
agrees: all expected tensors are present, the others are accounted for
parameters     106,816 (106.82 K)
(agrees)
# bitsandbytes, 8 bits: nothing is packed; SCB 1,024, weight_format 14 scalars.
$ . test/cli/causes/build.sh; llama | quantized int8 | reconcile
cause        tensors  elements      bytes
formula           21   106,816  136.6 KiB  llama, 21 tensors expected
scales            14    +1,024    4.0 KiB  model.layers.0.mlp.down_proj.SCB and 13 more
markers           14       +14       14 B  model.layers.0.mlp.down_proj.weight_format and 13 more
stored            49   107,854  140.6 KiB
unexplained                  0
agrees: all expected tensors are present, the others are accounted for
parameters     106,816 (106.82 K)
(agrees)
# compressed-tensors: 64,512 less; scales 73,728 / 32 = 2,304, weight_shape 14 * 2.
$ . test/cli/causes/build.sh; llama | quantized packed | reconcile
cause          tensors  elements      bytes
formula             21   106,816   64.6 KiB  llama, 21 tensors expected
packed values       14   -64,512   36.0 KiB  model.layers.0.mlp.down_proj.weight_packed and 13 more
scales              14    +2,304    4.5 KiB  model.layers.0.mlp.down_proj.weight_scale and 13 more
shapes              14       +28      224 B  model.layers.0.mlp.down_proj.weight_shape and 13 more
stored              49    44,636  105.3 KiB
unexplained                    0
agrees: all expected tensors are present, the others are accounted for
parameters     106,816 (106.82 K)
(agrees)
# FP8: nothing is packed; 14 * 1 scale.
$ . test/cli/causes/build.sh; llama | quantized fp8 | reconcile
cause        tensors  elements      bytes
formula           21   106,816  136.6 KiB  llama, 21 tensors expected
scales            14       +14       56 B  model.layers.0.mlp.down_proj.weight_scale_inv and 13 more
stored            35   106,830  136.6 KiB
unexplained                  0
agrees: all expected tensors are present, the others are accounted for
parameters     106,816 (106.82 K)
(agrees)
# MLX: 64,512 less; scales and biases 2 * 2,304.
$ . test/cli/causes/build.sh; llama | quantized mlx | reconcile
cause          tensors  elements      bytes
formula             21   106,816   64.6 KiB  llama, 21 tensors expected
packed values       14   -64,512   36.0 KiB  model.layers.0.mlp.down_proj.weight and 13 more
scales              14    +2,304    4.5 KiB  model.layers.0.mlp.down_proj.scales and 13 more
zero points         14    +2,304    4.5 KiB  model.layers.0.mlp.down_proj.biases and 13 more
stored              49    46,912  109.6 KiB
unexplained                    0
agrees: all expected tensors are present, the others are accounted for
parameters     106,816 (106.82 K)
(agrees)
# MLX packs the embedding and the head too: 2 * 16,384 * 7/8 = 28,672 less, 4 * 512 more.
$ . test/cli/causes/build.sh; llama | quantized mlx | changed '/embed_tokens|lm_head/s/F16 256 64/U32 256 8/' | with 'tensor {lm_head,model.embed_tokens}.{scales,biases} F16 256 2' | reconcile
cause          tensors  elements     bytes
formula             21   106,816     640 B  llama, 21 tensors expected
packed values       16   -93,184  52.0 KiB  lm_head.weight and 15 more
scales              16    +3,328   6.5 KiB  model.layers.0.mlp.down_proj.scales and 15 more
zero points         16    +3,328   6.5 KiB  model.layers.0.mlp.down_proj.biases and 15 more
stored              53    20,288  65.6 KiB
unexplained                    0
agrees: all expected tensors are present, the others are accounted for
parameters     106,816 (106.82 K)
(agrees)

# A packed weight of the wrong size is not a packed weight: I32 [8, 56] is 3.5 bits per value, 8 * 56 less than
# 4,096 is 3,648.
$ . test/cli/causes/build.sh; llama | quantized gptq | changed '/0.*q_proj.qweight/s/8 64/8 56/' | reconcile
cause                          tensors  elements      bytes
formula                             21   106,816   64.6 KiB  llama, 21 tensors expected
packed values                       13   -60,928   34.0 KiB  model.layers.0.mlp.down_proj.qweight and 12 more
wrong shape                          1    -3,648    1.7 KiB  model.layers.0.self_attn.q_proj.qweight
scales                              14    +2,304    4.5 KiB  model.layers.0.mlp.down_proj.scales and 13 more
zero points                         14      +288    1.1 KiB  model.layers.0.mlp.down_proj.qzeros and 13 more
group indices                       14    +1,024    4.0 KiB  model.layers.0.mlp.down_proj.g_idx and 13 more
biases written by a quantizer       14    +1,024    2.0 KiB  model.layers.0.mlp.down_proj.bias and 13 more
stored                              77    46,880  112.0 KiB
unexplained                                    0
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
parameters     103,168 (103.17 K)
wrong shape  model.layers.0.self_attn.q_proj.qweight  expected  [8, 64]  found  [8, 56]
(disagrees)
[1]
# The same with bytes: 2,040 for 4,096 values, 2,056 less.
$ . test/cli/causes/build.sh; llama | quantized bnb4 | changed '/0.*q_proj.weight U8/s/2048/2040/' | reconcile
cause          tensors  elements      bytes
formula             21   106,816   64.6 KiB  llama, 21 tensors expected
packed values       13   -34,816   34.0 KiB  model.layers.0.mlp.down_proj.weight and 12 more
wrong shape          1    -2,056    1.9 KiB  model.layers.0.self_attn.q_proj.weight
scales              28    +1,166    1.1 KiB  model.layers.0.mlp.down_proj.weight.nested_absmax and 27 more
codebooks           28    +3,808   14.8 KiB  model.layers.0.mlp.down_proj.weight.nested_quant_map and 27 more
shapes              14    +1,078    1.0 KiB  model.layers.0.mlp.down_proj.weight.quant_state.bitsandbytes__nf4 and 13 more
stored              91    75,996  117.7 KiB
unexplained                    0
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
parameters     104,760 (104.76 K)
wrong shape  model.layers.0.self_attn.q_proj.weight  expected  [2048, 1]  found  [2040, 1]
(disagrees)
[1]

# ---- other shapes

# 64 extra rows in the vocabulary, twice: 2 * 64 * 64 = 8,192.
$ . test/cli/causes/build.sh; llama | changed '/embed_tokens|lm_head/s/256/320/' | reconcile
cause              tensors  elements
formula                 21   106,816  llama, 21 tensors expected
vocabulary padded        2    +8,192  lm_head.weight and 1 more
stored                  21   115,008
unexplained                        0
disagrees: 0 missing, 2 of the wrong shape, 0 unexpected
parameters     115,008 (115.01 K)
cause  config.json says vocab_size is 256, the tensors show 320: set it to 320;
       2 follow from it (--no-truncate shows them)
(disagrees)
[1]
# 6 rows fewer, twice: 768.
$ . test/cli/causes/build.sh; llama | changed '/embed_tokens|lm_head/s/256/250/' | reconcile
cause           tensors  elements
formula              21   106,816  llama, 21 tensors expected
vocabulary cut        2      -768  lm_head.weight and 1 more
stored               21   106,048
unexplained                     0
disagrees: 0 missing, 2 of the wrong shape, 0 unexpected
parameters     106,048 (106.05 K)
cause  config.json says vocab_size is 256, the tensors show 250: set it to 250;
       2 follow from it (--no-truncate shows them)
(disagrees)
[1]
# A feed-forward of 120: 8 * 64 = 512 less.
$ . test/cli/causes/build.sh; llama | changed '/0.*gate/s/128/120/' | reconcile
cause        tensors  elements
formula           21   106,816  llama, 21 tensors expected
wrong shape        1      -512  model.layers.0.mlp.gate_proj.weight
stored            21   106,304
unexplained                  0
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
parameters     106,304 (106.30 K)
wrong shape  model.layers.0.mlp.gate_proj.weight  expected  [128, 64]  found  [120, 64]
(disagrees)
[1]
# Transposed: the same number of elements, but wrong.
$ . test/cli/causes/build.sh; llama | changed '/0.*gate/s/128 64/64 128/' | reconcile
cause        tensors  elements
formula           21   106,816  llama, 21 tensors expected
wrong shape        1        +0  model.layers.0.mlp.gate_proj.weight
stored            21   106,816
unexplained                  0
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
parameters     106,816 (106.82 K)
wrong shape  model.layers.0.mlp.gate_proj.weight  expected  [128, 64]  found  [64, 128]
(disagrees)
[1]
# Half of a weight is not a packed weight if its type holds one value per element.
$ . test/cli/causes/build.sh; llama | changed '/0.*q_proj/s/64 64/32 64/' | reconcile
cause        tensors  elements
formula           21   106,816  llama, 21 tensors expected
wrong shape        1    -2,048  model.layers.0.self_attn.q_proj.weight
stored            21   104,768
unexplained                  0
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
parameters     104,768 (104.77 K)
wrong shape  model.layers.0.self_attn.q_proj.weight  expected  [64, 64]  found  [32, 64]
(disagrees)
[1]

# ---- layers

# A third layer: 36,992 more, each tensor named.
$ . test/cli/causes/build.sh; layers='0 1 2'; llama | reconcile
cause                              tensors  elements
formula                                 21   106,816  llama, 21 tensors expected
layers beyond the configuration's        9   +36,992  model.layers.2.input_layernorm.weight and 8 more
stored                                  30   143,808
unexplained                                        0
disagrees: 0 missing, 0 of the wrong shape, 9 unexpected
parameters     106,816 (106.82 K)
cause  config.json says num_hidden_layers is 2, the file has 3 layers: set it to
       3; 9 follow from it (--no-truncate shows them)
(disagrees)
[1]
# One layer: 36,992 fewer.
$ . test/cli/causes/build.sh; layers=0; llama | reconcile
cause        tensors  elements
formula           21   106,816  llama, 21 tensors expected
missing            9   -36,992  model.layers.1.input_layernorm.weight and 8 more
stored            12    69,824
unexplained                  0
disagrees: 9 missing, 0 of the wrong shape, 0 unexpected
parameters     69,824 (69.82 K)
cause  config.json says num_hidden_layers is 2, the file has 1 layer: layer 1 is
       missing, or it should be 1; 9 follow from it (--no-truncate shows them)
(disagrees)
[1]

# A fifth expert: 2,048 more.
$ . test/cli/causes/build.sh; config=$mixtral_config; mixtral | with 'tensor model.layers.1.block_sparse_moe.experts.4.w1.weight F16 32 64' | reconcile
cause                               tensors  elements
formula                                  41   107,328  mixtral, 41 tensors expected
experts beyond the configuration's        1    +2,048  model.layers.1.block_sparse_moe.experts.4.w1.weight
stored                                   42   109,376
unexplained                                         0
disagrees: 0 missing, 0 of the wrong shape, 1 unexpected
parameters     107,328 (107.33 K)
unexpected  model.layers.1.block_sparse_moe.experts.4.w1.weight  [32, 64]  experts beyond the configuration's
(disagrees)
[1]

# ---- fused, split, stacked

# q, k and v fused in GGUF: the same 106,816 in 17 tensors.
$ . test/cli/causes/build.sh; llama_gguf | without 'attn_[qkv]' | with 'tensor blk.{0,1}.attn_qkv.weight F16 128 64' | reconcile
cause        tensors  elements
formula           17   106,816  llama, 17 tensors expected
stored            17   106,816
unexplained                  0
agrees: all expected tensors are present, and no others
parameters     106,816 (106.82 K)
(agrees)
# In one layer only.
$ . test/cli/causes/build.sh; llama_gguf | without '0.attn_[qkv]' | with 'tensor blk.0.attn_qkv.weight F16 128 64' | reconcile
cause        tensors  elements
formula           19   106,816  llama, 19 tensors expected
stored            19   106,816
unexplained                  0
agrees: all expected tensors are present, and no others
parameters     106,816 (106.82 K)
(agrees)
# Both fused and separate: 2 * 128 * 64 = 16,384 too many.
$ . test/cli/causes/build.sh; llama_gguf | with 'tensor blk.{0,1}.attn_qkv.weight F16 128 64' | reconcile
cause                   tensors  elements
formula                      21   106,816  llama, 21 tensors expected
stored fused and split        2   +16,384  blk.0.attn_qkv.weight and 1 more
stored                       23   123,200
unexplained                             0
disagrees: 0 missing, 0 of the wrong shape, 2 unexpected
parameters     106,816 (106.82 K)
unexpected  blk.0.attn_qkv.weight  [128, 64]  stored fused and split
unexpected  blk.1.attn_qkv.weight  [128, 64]  stored fused and split
(disagrees)
[1]
# Split, and two of three missing: 4,096 + 2,048 less.
$ . test/cli/causes/build.sh; llama_gguf | without '0.attn_[qk]\.' | reconcile
cause        tensors  elements
formula           21   106,816  llama, 21 tensors expected
missing            2    -6,144  blk.0.attn_q.weight and 1 more
stored            19   100,672
unexplained                  0
disagrees: 2 missing, 0 of the wrong shape, 0 unexpected
parameters     100,672 (100.67 K)
missing  blk.0.attn_q.weight  [64, 64]
missing  blk.0.attn_k.weight  [32, 64]
(disagrees)
[1]
# Experts one by one: 107,328 in 41 tensors.
$ . test/cli/causes/build.sh; config=$mixtral_config; mixtral | reconcile
cause        tensors  elements
formula           41   107,328  mixtral, 41 tensors expected
stored            41   107,328
unexplained                  0
agrees: all expected tensors are present, and no others
parameters     107,328 (107.33 K)
(agrees)
# Stacked, gate merged with up: 107,328 in 21.
$ . test/cli/causes/build.sh; config=$mixtral_config; mixtral | without experts | with 'tensor model.layers.{0,1}.mlp.experts.gate_up_proj F16 4 64 64' 'tensor model.layers.{0,1}.mlp.experts.down_proj F16 4 64 32' | reconcile
cause        tensors  elements
formula           21   107,328  mixtral, 21 tensors expected
stored            21   107,328
unexplained                  0
agrees: all expected tensors are present, and no others
parameters     107,328 (107.33 K)
(agrees)
# Gate merged with up, down one by one.
$ . test/cli/causes/build.sh; config=$mixtral_config; mixtral | without 'w[13]' | with 'tensor model.layers.{0,1}.mlp.experts.gate_up_proj F16 4 64 64' | reconcile
cause        tensors  elements
formula           27   107,328  mixtral, 27 tensors expected
stored            27   107,328
unexplained                  0
agrees: all expected tensors are present, and no others
parameters     107,328 (107.33 K)
(agrees)
# The same in one layer only.
$ . test/cli/causes/build.sh; config=$mixtral_config; mixtral | without '1.block.*w[13]' | with 'tensor model.layers.1.mlp.experts.gate_up_proj F16 4 64 64' | reconcile
cause        tensors  elements
formula           34   107,328  mixtral, 34 tensors expected
stored            34   107,328
unexplained                  0
agrees: all expected tensors are present, and no others
parameters     107,328 (107.33 K)
(agrees)
# Merged and separate: 4 * 64 * 64 = 16,384 too many.
$ . test/cli/causes/build.sh; config=$mixtral_config; mixtral | with 'tensor model.layers.1.mlp.experts.gate_up_proj F16 4 64 64' | reconcile
cause                   tensors  elements
formula                      41   107,328  mixtral, 41 tensors expected
stored fused and split        1   +16,384  model.layers.1.mlp.experts.gate_up_proj
stored                       42   123,712
unexplained                             0
disagrees: 0 missing, 0 of the wrong shape, 1 unexpected
parameters     107,328 (107.33 K)
unexpected  model.layers.1.mlp.experts.gate_up_proj  [4, 64, 64]  stored fused and split
(disagrees)
[1]
# A missing expert: 3 * 2,048 less.
$ . test/cli/causes/build.sh; config=$mixtral_config; mixtral | without '1.block.*experts.3' | reconcile
cause        tensors  elements
formula           41   107,328  mixtral, 41 tensors expected
missing            3    -6,144  model.layers.1.block_sparse_moe.experts.3.w1.weight and 2 more
stored            38   101,184
unexplained                  0
disagrees: 3 missing, 0 of the wrong shape, 0 unexpected
parameters     101,184 (101.18 K)
missing  model.layers.1.block_sparse_moe.experts.3.w1.weight  [32, 64]
missing  model.layers.1.block_sparse_moe.experts.3.w3.weight  [32, 64]
missing  model.layers.1.block_sparse_moe.experts.3.w2.weight  [64, 32]
(disagrees)
[1]

# ---- unknown tensors

# 512 elements without a known name: unexplained.
$ . test/cli/causes/build.sh; llama | with 'tensor what.is.this F16 8 64' | reconcile
cause        tensors  elements
formula           21   106,816  llama, 21 tensors expected
stored            22   107,328
unexplained               +512
disagrees: 0 missing, 0 of the wrong shape, 1 unexpected
parameters     106,816 (106.82 K)
unexpected  what.is.this  [8, 64]  unknown
(disagrees)
[1]
# A scale in an unquantized model is not a quantization scale: 2 * 64 unexplained.
$ . test/cli/causes/build.sh; llama | with 'tensor model.layers.{0,1}.ls1.scale F16 64' | reconcile
cause        tensors  elements
formula           21   106,816  llama, 21 tensors expected
stored            23   106,944
unexplained               +128
disagrees: 0 missing, 0 of the wrong shape, 2 unexpected
parameters     106,816 (106.82 K)
unexpected  model.layers.0.ls1.scale  [64]  unknown
unexpected  model.layers.1.ls1.scale  [64]  unknown
(disagrees)
[1]
# It is if the configuration declares a quantization.
$ . test/cli/causes/build.sh; llama | with 'tensor model.layers.{0,1}.self_attn.k_scale F32' | reconcile ',"quantization_config":{"quant_method":"fp8"}'
cause                  tensors  elements      bytes
formula                     21   106,816  208.6 KiB  llama, 21 tensors expected
scales of activations        2        +2        8 B  model.layers.0.self_attn.k_scale and 1 more
stored                      23   106,818  208.6 KiB
unexplained                            0
disagrees: 0 missing, 0 of the wrong shape, 0 unexpected, 1 contradiction
parameters     106,816 (106.82 K)
contradiction  the configuration says quant_method fp8, but no weight is stored
               that way
(disagrees)
[1]
# A packed weight next to the plain one: 8 * 128 unexplained.
$ . test/cli/causes/build.sh; llama | with 'tensor model.layers.0.mlp.up_proj.qweight I32 8 128' | reconcile
cause        tensors  elements
formula           21   106,816  llama, 21 tensors expected
stored            22   107,840
unexplained             +1,024
disagrees: 0 missing, 0 of the wrong shape, 1 unexpected
parameters     106,816 (106.82 K)
unexpected  model.layers.0.mlp.up_proj.qweight  [8, 128]  unknown
(disagrees)
[1]

# ---- several at once
# tied 90,432; up_proj of layer 1 missing -8,192; 64 rows more +4,096; gate_proj -512; inv_freq +8;
# copy of the head +16,384; a third layer +36,992; 512 unexplained: 139,720.
$ . test/cli/causes/build.sh; layers='0 1 2'; llama | without 'layers.1.*up' | changed '/0.*gate/s/128/120/;/embed_tok/s/256/320/' | with 'tensor what.is.this F16 8 64' 'tensor model.layers.0.self_attn.rotary_emb.inv_freq F32 8' | reconcile ',"tie_word_embeddings":true'
cause                              tensors  elements
formula                                 20    90,432  llama, 20 tensors expected
missing                                  1    -8,192  model.layers.1.mlp.up_proj.weight
vocabulary padded                        1    +4,096  model.embed_tokens.weight
wrong shape                              1      -512  model.layers.0.mlp.gate_proj.weight
buffers                                  1        +8  model.layers.0.self_attn.rotary_emb.inv_freq
tied copy stored                         1   +16,384  lm_head.weight; values not compared
layers beyond the configuration's        9   +36,992  model.layers.2.input_layernorm.weight and 8 more
stored                                  31   139,720
unexplained                                     +512
disagrees: 1 missing, 2 of the wrong shape, 10 unexpected
parameters     85,824 (85.82 K)
cause  config.json says num_hidden_layers is 2, the file has 3 layers: set it to
       3; 9 follow from it (--no-truncate shows them)
missing  model.layers.1.mlp.up_proj.weight  [128, 64]
unexpected  what.is.this  [8, 64]  unknown
wrong shape  model.embed_tokens.weight            expected  [256, 64]  found  [320, 64]
wrong shape  model.layers.0.mlp.gate_proj.weight  expected  [128, 64]  found  [120, 64]
(disagrees)
[1]
# PEFT over a base: wrapped modules are one level down, under base_layer; rank 4 on one 64 x 64: 2 * 4 * 64 = 512
$ . test/cli/causes/build.sh; llama | sed -e 's/tensor \(model\|lm_head\)/tensor base_model.model.\1/' -e 's/q_proj.weight/q_proj.base_layer.weight/' -e 's/v_proj.weight/v_proj.base_layer.weight/' | with 'tensor base_model.model.model.layers.0.self_attn.q_proj.lora_A.default.weight F16 4 64' 'tensor base_model.model.model.layers.0.self_attn.q_proj.lora_B.default.weight F16 64 4' | reconcile
cause          tensors  elements
formula             21   106,816  llama, 21 tensors expected
LoRA adapters        2      +512  base_model.model.model.layers.0.self_attn.q_proj.lora_A.default.weight and 1 more
stored              23   107,328
unexplained                    0
disagrees: all expected tensors are present, but LoRA is not merged: 2 of its tensors are stored in the model, whose weights are under base_layer, which transformers does not load; merge it with PEFT's merge_and_unload() and save again, or save the adapter alone
parameters     106,816 (106.82 K)
(disagrees)
[1]
# a tied copy of the wrong size is not a copy: 320 rows against 256
$ . test/cli/causes/build.sh; llama | sed 's/lm_head.weight F16 256/lm_head.weight F16 320/' | reconcile ',"tie_word_embeddings":true'
cause             tensors  elements
formula                20    90,432  llama, 20 tensors expected
tied copy stored        1   +20,480  lm_head.weight; values not compared
stored                 21   110,912
unexplained                       0
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
parameters     90,432 (90.43 K)
wrong shape  lm_head.weight  expected  [256, 64]  found  [320, 64]
(disagrees)
[1]

# Published totals of packed models, from header-only copies: fixtures/gpt-oss-*, llama-3.1-8b-*. The
# descriptions in test/gen state where their layouts come from, and do the arithmetic.

# ---- Llama-3.1-8B by bitsandbytes: nf4, double quantization

# 2 * 128,256 * 4,096 + 65 * 4,096 + 32 * 218,103,808 = 8,030,261,248. Bytes: half a byte a value, a byte of 64, four
# of 16,384, and 21.4 KB of tables: 4.127 bits.
$ numel reconcile fixtures/llama-3.1-8b-bnb-4bit | sed -n '/^quant/,/^$/p; /^cause/,$p'
quantization  bnb NF4 (bitsandbytes) (by config.json)
packed        224 modules, 4.13 bits per weight, 5.68 over the whole file
unquantized   lm_head

cause          tensors        elements      bytes
formula            291   8,030,261,248    1.9 GiB  llama, 291 tensors expected
packed values      224  -3,489,660,928    3.2 GiB  model.layers.0.mlp.down_proj.weight and 223 more
scales             448    +109,477,888  105.6 MiB  model.layers.0.mlp.down_proj.weight.nested_absmax and 447 more
codebooks          448         +60,928  238.0 KiB  model.layers.0.mlp.down_proj.weight.nested_quant_map and 447 more
shapes             224         +40,320   39.3 KiB  model.layers.0.mlp.down_proj.weight.quant_state.bitsandbytes__nf4 and 223 more
stored           1,411   4,650,179,456    5.3 GiB
unexplained                          0

agrees: all expected tensors are present, the others are accounted for

parameters     8,030,261,248 (8.03 B)
non-embedding  7,504,924,672 (7.50 B)
active         8,030,261,248 (8.03 B)

# The model's page shows the same, since it supports bitsandbytes; before that it also counted scales, tables and
# texts. Adding up p.numel() gives 4,540,600,320, adding up shapes 4,650,179,456.
$ numel --others fixtures/llama-3.1-8b-bnb-4bit | grep -A4 -E '^(transformers num|huggingface_hub|Hub)'
transformers num_parameters()   8,030,261,248
transformers, no embeddings     7,504,924,672
  embedding tables               -525,336,576  model.embed_tokens.weight
torch sum of p.numel()          4,540,600,320
  packed values, as stored     -3,489,660,928  model.layers.0.mlp.down_proj.weight and 223 more
--
huggingface_hub                 4,650,179,456  {'F32': 486912, 'BF16': 1050939392, 'U8': 3598753152}
  scales                         +109,477,888  model.layers.0.mlp.down_proj.weight.nested_absmax and 447 more
  codebooks                           +60,928  model.layers.0.mlp.down_proj.weight.nested_quant_map and 447 more
  packed values, as stored     -3,489,660,928  model.layers.0.mlp.down_proj.weight and 223 more
  shapes                              +40,320  model.layers.0.mlp.down_proj.weight.quant_state.bitsandbytes__nf4 and 223 more
Hub model size                  8,030,261,248  8B params
Hub model size, old rules       8,248,932,608  8B params
  scales                         +218,529,792  model.layers.0.mlp.down_proj.weight.nested_absmax and 447 more
  codebooks                           +60,928  model.layers.0.mlp.down_proj.weight.nested_quant_map and 447 more
  shapes                              +80,640  model.layers.0.mlp.down_proj.weight.quant_state.bitsandbytes__nf4 and 223 more
MLX total parameters                           not an MLX file

# ---- the same by GPTQ

# 1,376,256 biases of zeros, one for each output of a packed layer: the model has none.
$ numel reconcile fixtures/llama-3.1-8b-w4a16 | sed -n '/^quant/,/^$/p; /^cause/,$p'
quantization  GPTQ 4-bit, group 128, symmetric (by config.json)
packed        224 modules, 4.16 bits per weight, 5.71 over the whole file
unquantized   lm_head

cause                          tensors        elements      bytes
formula                            291   8,030,261,248    1.9 GiB  llama, 291 tensors expected
packed values                      224  -6,106,906,624    3.2 GiB  model.layers.0.mlp.down_proj.qweight and 223 more
scales                             224     +54,525,952  104.0 MiB  model.layers.0.mlp.down_proj.scales and 223 more
zero points                        224      +6,815,744   26.0 MiB  model.layers.0.mlp.down_proj.qzeros and 223 more
group indices                      224      +1,245,184    4.7 MiB  model.layers.0.mlp.down_proj.g_idx and 223 more
biases written by a quantizer      224      +1,376,256    2.6 MiB  model.layers.0.mlp.down_proj.bias and 223 more
stored                           1,187   1,987,317,760    5.3 GiB
unexplained                                          0

agrees: all expected tensors are present, the others are accounted for

parameters     8,030,261,248 (8.03 B)
non-embedding  7,504,924,672 (7.50 B)
active         8,030,261,248 (8.03 B)

# The model's page counts them: 8,031,637,504. PyTorch keeps everything in a packed layer in buffers: 1.05 B.
$ numel --others fixtures/llama-3.1-8b-w4a16 | grep -A1 -E '^(transformers num|Hub)'
transformers num_parameters()      1,050,939,392
  buffers of GPTQ and AWQ layers  -6,979,321,856  model.layers.0.mlp.down_proj.qweight and 223 more
--
Hub model size                     8,031,637,504  8B params
  biases written by a quantizer       +1,376,256  model.layers.0.mlp.down_proj.bias and 223 more
Hub model size, old rules          8,031,637,504  8B params
  biases written by a quantizer       +1,376,256  model.layers.0.mlp.down_proj.bias and 223 more

# ---- gpt-oss: MXFP4

# Stored are half of 24 * 32 * 3 * 2,880^2 = 19,110,297,600 values, and a scale for 32 of them, 597,196,800.
$ numel reconcile fixtures/gpt-oss-20b | sed -n '/^quant/,/^$/p; /^cause/,$p'
quantization  MXFP4, symmetric (by config.json)
packed        48 modules, 4.25 bits per weight, 5.26 over the whole file
unquantized   24 x self_attn.q_proj, 24 x self_attn.k_proj, 24 x self_attn.v_proj, 24 x self_attn.o_proj, 24 x mlp.router, lm_head

cause          tensors        elements      bytes
formula            411  20,914,757,184    3.3 GiB  gpt_oss, 411 tensors expected
packed values       48  -9,555,148,800    8.8 GiB  model.layers.0.mlp.experts.down_proj_blocks and 47 more
scales              48    +597,196,800  569.5 MiB  model.layers.0.mlp.experts.down_proj_scales and 47 more
stored             459  11,956,805,184   12.8 GiB
unexplained                          0

agrees: all expected tensors are present, the others are accounted for

parameters     20,914,757,184 (20.91 B)
non-embedding  20,335,623,744 (20.34 B)
active         4,187,440,704 (4.19 B)

# OpenAI's card states 20.91B, of which 3.61B are active: without the token table, 201,088 * 2,880.
$ echo $(($(numel reconcile --json fixtures/gpt-oss-20b | sed -n 's/.*"active": *\([0-9]*\).*/\1/p') - 201088 * 2880))
3608307264
$ numel --others fixtures/gpt-oss-20b | grep -A2 -E '^(transformers num|huggingface_hub|Hub)'
transformers num_parameters()   20,914,757,184
transformers, no embeddings     20,335,623,744
  embedding tables                -579,133,440  model.embed_tokens.weight
--
huggingface_hub                 11,956,805,184  {'BF16': 1804459584, 'U8': 10152345600}
  packed values, as stored      -9,555,148,800  model.layers.0.mlp.experts.down_proj_blocks and 47 more
  scales                          +597,196,800  model.layers.0.mlp.experts.down_proj_scales and 47 more
Hub model size                  20,914,757,184  21B params
Hub model size, old rules       21,511,953,984  22B params
  scales                          +597,196,800  model.layers.0.mlp.experts.down_proj_scales and 47 more
MLX total parameters                            not an MLX file
# 116.83B and 5.13B.
$ numel reconcile fixtures/gpt-oss-120b | sed -n '/^quant/,/^$/p; /^cause/,$p'
quantization  MXFP4, symmetric (by config.json)
packed        72 modules, 4.25 bits per weight, 4.47 over the whole file
unquantized   36 x self_attn.q_proj, 36 x self_attn.k_proj, 36 x self_attn.v_proj, 36 x self_attn.o_proj, 36 x mlp.router, lm_head

cause          tensors         elements     bytes
formula            615  116,829,156,672   4.0 GiB  gpt_oss, 615 tensors expected
packed values       72  -57,330,892,800  53.3 GiB  model.layers.0.mlp.experts.down_proj_blocks and 71 more
scales              72   +3,583,180,800   3.3 GiB  model.layers.0.mlp.experts.down_proj_scales and 71 more
stored             687   63,081,444,672  60.7 GiB
unexplained                           0

agrees: all expected tensors are present, the others are accounted for

parameters     116,829,156,672 (116.83 B)
non-embedding  116,250,023,232 (116.25 B)
active         5,711,982,912 (5.71 B)

$ echo $(($(numel reconcile --json fixtures/gpt-oss-120b | sed -n 's/.*"active": *\([0-9]*\).*/\1/p') - 201088 * 2880))
5132849472
$ numel --others fixtures/gpt-oss-120b | grep -A1 '^Hub'
Hub model size                 116,829,156,672  117B params
Hub model size, old rules      120,412,337,472  120B params
  scales                        +3,583,180,800  model.layers.0.mlp.experts.down_proj_scales and 71 more

# ---- Kimi-K2.5: compressed-tensors, 4 bits, of the routed experts

# 1,014,686,023,680 packed values, 11,722,185,728 of the text model, 471,143,920 of the vision tower: all but the router's 60 * 384
# corrections, which are a buffer. 32 values take 16 bytes, and two of a scale: 18 * 8 / 32 = 4.5 bits.
$ numel reconcile fixtures/kimi-k2.5 | sed -n '/^quant/,/^$/p; /^cause/,$p'
quantization  INT4 (compressed-tensors), group 32, symmetric (by config.json)
packed        69,120 modules, 4.50 bits per weight, 4.64 over the whole file
unquantized   27 x model.vision_tower.layers.*.attn.proj, 27 x model.vision_tower.encoder.blocks.*.wqkv, 27 x model.vision_tower.encoder.blocks.*.mlp.fc0, 27 x model.vision_tower.encoder.blocks.*.mlp.fc1, model.mm_projector.in_proj, model.mm_projector.out_proj, ... 660 modules in all

cause          tensors           elements      bytes
formula         70,250  1,026,879,353,328   22.7 GiB  kimi_k25, 70,250 tensors expected
packed values   69,120   -887,850,270,720  472.5 GiB  language_model.model.layers.1.mlp.experts.0.down_proj.weight_packed and 69,119 more
scales          69,120    +31,708,938,240   59.0 GiB  language_model.model.layers.1.mlp.experts.0.down_proj.weight_scale and 69,119 more
shapes          69,120           +138,240  540.0 KiB  language_model.model.layers.1.mlp.experts.0.down_proj.weight_shape and 69,119 more
buffers             60            +23,040   90.0 KiB  language_model.model.layers.1.mlp.gate.e_score_correction_bias and 59 more
stored         208,550    170,738,182,128  554.2 GiB
unexplained                             0

agrees: all expected tensors are present, the others are accounted for

parameters     1,026,879,353,328 (1.03 T)
non-embedding  1,025,704,948,208 (1.03 T)
active         33,332,621,808 (33.33 B)
# The model's page also counts the corrections: 1,026,879,376,368. Before it supported the layout it showed 170 B.
$ numel --others fixtures/kimi-k2.5 | grep -A4 -E '^(huggingface_hub|Hub)'
huggingface_hub                  170,738,182,128  {'F32': 23040, 'I32': 126835891200, 'BF16': 43902267888}
  buffers                                +23,040  language_model.model.layers.1.mlp.gate.e_score_correction_bias and 59 more
  packed values, as stored      -887,850,270,720  language_model.model.layers.1.mlp.experts.0.down_proj.weight_packed and 69,119 more
  shapes                                +138,240  language_model.model.layers.1.mlp.experts.0.down_proj.weight_shape and 69,119 more
  scales                         +31,708,938,240  language_model.model.layers.1.mlp.experts.0.down_proj.weight_scale and 69,119 more
Hub model size                 1,026,879,376,368  1T params
  buffers                                +23,040  language_model.model.layers.1.mlp.gate.e_score_correction_bias and 59 more
Hub model size, old rules        170,738,182,128  171B params
  buffers                                +23,040  language_model.model.layers.1.mlp.gate.e_score_correction_bias and 59 more
  packed values, as stored      -887,850,270,720  language_model.model.layers.1.mlp.experts.0.down_proj.weight_packed and 69,119 more
  shapes                                +138,240  language_model.model.layers.1.mlp.experts.0.down_proj.weight_shape and 69,119 more
  scales                         +31,708,938,240  language_model.model.layers.1.mlp.experts.0.down_proj.weight_scale and 69,119 more
# A width that differs from the file's is reported: that of all 2 * 7 weights of a small Llama with its configuration.
$ . test/cli/causes/build.sh; for n in 4 8; do q=$(jq -c ".text_config.quantization_config | .ignore = [\"lm_head\"] | .config_groups.group_0.weights.num_bits = $n" fixtures/kimi-k2.5/config.json); llama | quantized packed | reconcile ",\"quantization_config\":$q" | sed -n '/^(agrees/p; /^disagrees/p; /^contradiction/,$p'; done
(agrees)
disagrees: 0 missing, 14 of the wrong shape, 0 unexpected, 1 contradiction
contradiction  config.json says num_bits is 8, but weight_packed of 14 weights
               shows 4: set num_bits to 4; 14 follow from it (--no-truncate
               shows them)
(disagrees)

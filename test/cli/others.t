# Numbers that other tools show, and why. test/cli/causes/others.sh has the models, and checks that each tool's
# starting point and causes add up to its number. Numbers with a source: field tests of huggingface.js, whose sums
# by type are those that it expects of the published files.

# ---- whole models

# Tied but stored twice: 596,049,920 + the copy 151,936 * 1,024 = 155,582,464.
$ COLUMNS=80 numel --others fixtures/qwen3-0.6b | sed -n '/^counter/,/^$/p'
counter                               count  shown as, or because of
parameters                      596,049,920
transformers num_parameters()   596,049,920
transformers, no embeddings     440,467,456
  embedding tables             -155,582,464  model.embed_tokens.weight
torch sum of p.numel()          596,049,920
peft all params                 596,049,920  all params: 596,049,920
huggingface_hub                 751,632,384  {'BF16': 751632384}
  tied copy stored             +155,582,464  lm_head.weight
Hub model size                  751,632,384  0.8B params
  tied copy stored             +155,582,464  lm_head.weight
Hub model size, old rules       751,632,384  0.8B params
  tied copy stored             +155,582,464  lm_head.weight
MLX total parameters                         not an MLX file
total_parameters                             not declared
total_size, bytes                            there is no index
bytes / 2                       751,650,164
  tied copy stored             +155,582,464  lm_head.weight
  header, padding, halves           +17,780
# The Hub's page of bert-base-uncased: F32 110,106,428.
$ numel --others fixtures/bert-base | grep -A1 '^H'
Hub model size                  110,106,428  0.1B params
  stored but not loaded            +592,130  bert.pooler.dense.bias and 3 more
Hub model size, old rules       110,106,428  0.1B params
  stored but not loaded            +592,130  bert.pooler.dense.bias and 3 more
# A class of diffusers: its own library counts it, transformers does not load it.
$ mkhead -q test/cli/diffusers/tiny-unet.txt $T/tiny >$T/said; cp test/cli/diffusers/tiny-unet.json $T/tiny/config.json; numel --others $T/tiny | grep -A1 -e "num_parameters" -e "no embeddings"; numel --others $T/tiny --json | grep -o '"counter":"transformers n[^}]*'
diffusers num_parameters()    51,684
torch sum of p.numel()        51,684
"counter":"transformers num_parameters()","where":"model.num_parameters()","value":null,"text":null,"difference":null,"from":null,"reason":"does not load classes of diffusers","causes":[]
$ numel --others fixtures/qwen3-0.6b --json | grep -o '"counter":"diffusers n[^}]*'
"counter":"diffusers num_parameters()","where":"model.num_parameters()","value":null,"text":null,"difference":null,"from":null,"reason":"loads classes of diffusers only","causes":[]
# Saved buffers are not parameters; missing tensors are created anew; a wrong size is refused.
$ cd $T; zstd -dc --long=27 "$OLDPWD/test/truth/components/folders.tar.zst" | tar -xf - pipelines/tiny-sd3; numel --others pipelines/tiny-sd3/transformer | grep -A1 -e "^parameters  .*[0-9]$" -e ^diffusers -e ^huggingface
parameters                    78,672
diffusers num_parameters()    78,672
torch sum of p.numel()        78,672
--
huggingface_hub              111,440  {'F32': 111440}
  buffers                    +32,768  pos_embed.pos_embed
$ grep -v "conv_out.bias" test/cli/diffusers/tiny-unet.txt >$T/less.txt; mkhead -q $T/less.txt $T/tiny >$T/said; numel --others $T/tiny | grep -A1 -e ^diffusers
diffusers num_parameters()          51,684
  missing here, newly initialized       +4  conv_out.bias
$ sed 's/^\(tensor conv_out.weight F32\) 4/\1 5/' test/cli/diffusers/tiny-unet.txt >$T/more.txt; mkhead -q $T/more.txt $T/tiny >$T/said; numel --others $T/tiny | grep ^diffusers
diffusers num_parameters()            refuses: tensor shapes differ from the class
# bitsandbytes: two values per byte, as in transformers; half of them in PyTorch.
$ sed 's/^\(tensor mid_block.attentions.0.transformer_blocks.0.attn1.to_q.weight\) F32 .*/\1 U8 128 1\ntensor mid_block.attentions.0.transformer_blocks.0.attn1.to_q.weight.absmax F32 4\ntensor mid_block.attentions.0.transformer_blocks.0.attn1.to_q.weight.quant_map F32 16\ntensor mid_block.attentions.0.transformer_blocks.0.attn1.to_q.weight.quant_state.bitsandbytes__nf4 U8 80/' test/cli/diffusers/tiny-unet.txt >$T/bnb.txt; mkhead -q $T/bnb.txt $T/tiny >$T/said; sed 's/}$/, "quantization_config": {"quant_method": "bitsandbytes", "load_in_4bit": true}}/' test/cli/diffusers/tiny-unet.json >$T/tiny/config.json; numel --others $T/tiny | grep -A1 -e "^parameters  .*[0-9]$" -e ^diffusers -e ^torch
parameters                    51,684
diffusers num_parameters()    51,684
torch sum of p.numel()        51,556
  packed values, as stored      -128  mid_block.attentions.0.transformer_blocks.0.attn1.to_q.weight
# A pipeline: for each component its library's number, followed by the total.
$ cd $T; zstd -dc --long=27 "$OLDPWD/test/truth/components/folders.tar.zst" | tar -xf - pipelines/tiny-sd15; numel --others pipelines/tiny-sd15 | grep -e ^pipelines -e num_parameters -e "^total "
pipelines/tiny-sd15/text_encoder/model.safetensors
transformers num_parameters()   19,306
pipelines/tiny-sd15/unet/diffusion_pytorch_model.safetensors
diffusers num_parameters()     985,444
pipelines/tiny-sd15/vae/diffusion_pytorch_model.safetensors
diffusers num_parameters()     658,375
pipelines/tiny-sd15
total       3 components in 3 files, 1,663,125 (1.66 M) elements, 6.3 MiB
# GGUF: what llama.cpp, gguf-parser and ollama print, 64 rotary factors more than the model has; half of the bytes
# is not a count of a quantized file.
$ numel --others fixtures/llama-3.1-8b-q4_k_m | sed -n '/^counter/,/^$/p'
counter                               count  shown as, or because of
parameters                    8,030,261,248
llama.cpp model params        8,030,261,312  8.03 B
  buffers                               +64  rope_freqs.weight
Hub model size, GGUF          8,030,261,312  8B params
  buffers                               +64  rope_freqs.weight
gguf-parser                   8,030,261,312  8.03 B
  buffers                               +64  rope_freqs.weight
ollama                        8,030,261,312  8.0B
  buffers                               +64  rope_freqs.weight
general.parameter_count                      not declared
gguf-py size label            8,030,261,312  8.0B; the file says 8B
  buffers                               +64  rope_freqs.weight
bytes / 2                     2,459,781,648
  buffers                              +128  rope_freqs.weight
  dtypes other than 16 bits  -5,573,812,224  token_embd.weight and 290 more
  header, padding, halves        +3,332,496
# Masks that are buffers: 12 * 1,024^2 = 12,582,912.
$ numel --others fixtures/gpt2 | grep -A1 '^hug'
huggingface_hub                 137,022,720  {'F32': 137022720}
  buffers                       +12,582,912  h.0.attn.bias and 11 more
# For programs: exact integers, or null with a reason.
$ numel --others --json fixtures/qwen3-0.6b | grep -E '"counter":"(Hub model size|ollama)"'
  {"counter":"Hub model size","where":"the model page; huggingface.js 2.17","value":751632384,"text":"0.8B params","difference":155582464,"from":"parameters","reason":"+155,582,464 tied copy stored (lm_head.weight)","causes":[{"cause":"tied copy stored","tensors":1,"elements":155582464,"detail":"lm_head.weight","code":"tied"}]},
  {"counter":"ollama","where":"parameters of ollama show","value":null,"text":null,"difference":null,"from":null,"reason":"does not read safetensors","causes":[]},

# ---- quantized: the small Llama of 106,816, of which 73,728 are the layers' linear maps

# GPTQ: PyTorch keeps packed layers in buffers: 106,816 - 73,728 = 33,088. Stored as 9,216 words of 8
# values, 64,512 fewer. A bias an output, 2 * (64+32+32+64+128+128+64) = 1,024, which is not a parameter.
$ . test/cli/causes/others.sh; llama | quantized gptq | others ',"quantization_config":{"quant_method":"gptq","bits":4}' transf torch peft hugg Hub
transformers num_parameters()      33,088
  buffers of GPTQ and AWQ layers  -73,728  model.layers.0.mlp.down_proj.qweight and 13 more
transformers, no embeddings        16,704
  buffers of GPTQ and AWQ layers  -73,728  model.layers.0.mlp.down_proj.qweight and 13 more
  embedding tables                -16,384  model.embed_tokens.weight
torch sum of p.numel()             33,088
  buffers of GPTQ and AWQ layers  -73,728  model.layers.0.mlp.down_proj.qweight and 13 more
peft all params                    33,088  all params: 33,088
  buffers of GPTQ and AWQ layers  -73,728  model.layers.0.mlp.down_proj.qweight and 13 more
huggingface_hub                    46,944  {'I32': 10528, 'F16': 36416}
  group indices                    +1,024  model.layers.0.mlp.down_proj.g_idx and 13 more
  packed values, as stored        -64,512  model.layers.0.mlp.down_proj.qweight and 13 more
  zero points                        +288  model.layers.0.mlp.down_proj.qzeros and 13 more
  biases written by a quantizer    +1,024  model.layers.0.mlp.down_proj.bias and 13 more
  scales                           +2,304  model.layers.0.mlp.down_proj.scales and 13 more
Hub model size                    107,840  108k params
  biases written by a quantizer    +1,024  model.layers.0.mlp.down_proj.bias and 13 more
Hub model size, old rules         107,840  108k params
  biases written by a quantizer    +1,024  model.layers.0.mlp.down_proj.bias and 13 more
# AWQ packs in the other direction; no biases, so the Hub is right.
$ . test/cli/causes/others.sh; llama | quantized awq | others ',"quantization_config":{"quant_method":"awq","bits":4}' transf hugg Hub
transformers num_parameters()      33,088
  buffers of GPTQ and AWQ layers  -73,728  model.layers.0.mlp.down_proj.qweight and 13 more
transformers, no embeddings        16,704
  buffers of GPTQ and AWQ layers  -73,728  model.layers.0.mlp.down_proj.qweight and 13 more
  embedding tables                -16,384  model.embed_tokens.weight
huggingface_hub                    44,896  {'I32': 9504, 'F16': 35392}
  packed values, as stored        -64,512  model.layers.0.mlp.down_proj.qweight and 13 more
  zero points                        +288  model.layers.0.mlp.down_proj.qzeros and 13 more
  scales                           +2,304  model.layers.0.mlp.down_proj.scales and 13 more
Hub model size                    106,816  107k params
Hub model size, old rules         106,816  107k params
# Without a configuration the Hub sees integers: 9,216 + the unquantized rest.
$ . test/cli/causes/others.sh; llama | quantized gptq | others '' Hub
Hub model size                     46,944  47k params
  group indices                    +1,024  model.layers.0.mlp.down_proj.g_idx and 13 more
  packed values, as stored        -64,512  model.layers.0.mlp.down_proj.qweight and 13 more
  zero points                        +288  model.layers.0.mlp.down_proj.qzeros and 13 more
  biases written by a quantizer    +1,024  model.layers.0.mlp.down_proj.bias and 13 more
  scales                           +2,304  model.layers.0.mlp.down_proj.scales and 13 more
Hub model size, old rules          46,944  47k params
  group indices                    +1,024  model.layers.0.mlp.down_proj.g_idx and 13 more
  packed values, as stored        -64,512  model.layers.0.mlp.down_proj.qweight and 13 more
  zero points                        +288  model.layers.0.mlp.down_proj.qzeros and 13 more
  biases written by a quantizer    +1,024  model.layers.0.mlp.down_proj.bias and 13 more
  scales                           +2,304  model.layers.0.mlp.down_proj.scales and 13 more
# bitsandbytes: transformers and peft double 36,864 bytes, a sum in PyTorch does not. Until spring 2026
# the Hub doubled all bytes, 36,864 + 1,152 + 14 * 77 = 39,094, and took the rest for what it is:
# 2 * 39,094 + 3,822 + 33,088 = 115,098.
$ . test/cli/causes/others.sh; llama | quantized bnb4 | others ',"quantization_config":{"quant_method":"bitsandbytes","load_in_4bit":true}' transf torch peft hugg Hub
transformers num_parameters()  106,816
transformers, no embeddings     90,432
  embedding tables             -16,384  model.embed_tokens.weight
torch sum of p.numel()          69,952
  packed values, as stored     -36,864  model.layers.0.mlp.down_proj.weight and 13 more
peft all params                106,816  all params: 106,816
huggingface_hub                 76,004  {'F32': 3822, 'F16': 33088, 'U8': 39094}
  scales                        +1,166  model.layers.0.mlp.down_proj.weight.nested_absmax and 27 more
  codebooks                     +3,808  model.layers.0.mlp.down_proj.weight.nested_quant_map and 27 more
  packed values, as stored     -36,864  model.layers.0.mlp.down_proj.weight and 13 more
  shapes                        +1,078  model.layers.0.mlp.down_proj.weight.quant_state.bitsandbytes__nf4 and 13 more
Hub model size                 106,816  107k params
Hub model size, old rules      115,098  115k params
  scales                        +2,318  model.layers.0.mlp.down_proj.weight.nested_absmax and 27 more
  codebooks                     +3,808  model.layers.0.mlp.down_proj.weight.nested_quant_map and 27 more
  shapes                        +2,156  model.layers.0.mlp.down_proj.weight.quant_state.bitsandbytes__nf4 and 13 more
# 8 bits: one value per byte.
$ . test/cli/causes/others.sh; llama | quantized int8 | others ',"quantization_config":{"quant_method":"bitsandbytes","load_in_8bit":true}' transf hugg Hub
transformers num_parameters()  106,816
transformers, no embeddings     90,432
  embedding tables             -16,384  model.embed_tokens.weight
huggingface_hub                107,854  {'F32': 1024, 'F16': 33088, 'I8': 73728, 'U8': 14}
  scales                        +1,024  model.layers.0.mlp.down_proj.SCB and 13 more
  markers                          +14  model.layers.0.mlp.down_proj.weight_format and 13 more
Hub model size                 107,840  108k params
  scales                        +1,024  model.layers.0.mlp.down_proj.SCB and 13 more
Hub model size, old rules      107,840  108k params
  scales                        +1,024  model.layers.0.mlp.down_proj.SCB and 13 more
# FP8: 14 scales are parameters in PyTorch, but not to the Hub.
$ . test/cli/causes/others.sh; llama | quantized fp8 | others ',"quantization_config":{"quant_method":"fp8","weight_block_size":[128,128]}' transf hugg Hub
transformers num_parameters()    106,830
  scales, parameters in PyTorch      +14  model.layers.0.mlp.down_proj.weight_scale_inv and 13 more
transformers, no embeddings       90,446
  scales, parameters in PyTorch      +14  model.layers.0.mlp.down_proj.weight_scale_inv and 13 more
  embedding tables               -16,384  model.embed_tokens.weight
huggingface_hub                  106,830  {'F32': 14, 'F16': 33088, 'F8_E4M3': 73728}
  scales                             +14  model.layers.0.mlp.down_proj.weight_scale_inv and 13 more
Hub model size                   106,816  107k params
Hub model size, old rules        106,830  107k params
  scales                             +14  model.layers.0.mlp.down_proj.weight_scale_inv and 13 more
# compressed-tensors: the width comes from a group, from the format's name, or is 4.
$ . test/cli/causes/others.sh; llama | quantized packed | others ',"quantization_config":{"quant_method":"compressed-tensors","format":"pack-quantized","config_groups":{"g":{"weights":{"num_bits":4}}}}' transf hugg Hub
transformers num_parameters()     44,636
  scales, parameters in PyTorch   +2,332  model.layers.0.mlp.down_proj.weight_shape and 27 more
  packed values, as stored       -64,512  model.layers.0.mlp.down_proj.weight_packed and 13 more
transformers, no embeddings       28,252
  scales, parameters in PyTorch   +2,332  model.layers.0.mlp.down_proj.weight_shape and 27 more
  packed values, as stored       -64,512  model.layers.0.mlp.down_proj.weight_packed and 13 more
  embedding tables               -16,384  model.embed_tokens.weight
huggingface_hub                   44,636  {'I64': 28, 'I32': 9216, 'BF16': 2304, 'F16': 33088}
  shapes                             +28  model.layers.0.mlp.down_proj.weight_shape and 13 more
  packed values, as stored       -64,512  model.layers.0.mlp.down_proj.weight_packed and 13 more
  scales                          +2,304  model.layers.0.mlp.down_proj.weight_scale and 13 more
Hub model size                   106,816  107k params
Hub model size, old rules         44,636  45k params
  shapes                             +28  model.layers.0.mlp.down_proj.weight_shape and 13 more
  packed values, as stored       -64,512  model.layers.0.mlp.down_proj.weight_packed and 13 more
  scales                          +2,304  model.layers.0.mlp.down_proj.weight_scale and 13 more
$ . test/cli/causes/others.sh; llama | quantized packed | others ',"quantization_config":{"quant_method":"compressed-tensors","format":"int4-pack-quantized","ignore":["re:.*mlp.*"]}' Hub
Hub model size                    63,808  64k params
  packed values, as stored       -43,008  model.layers.0.mlp.down_proj.weight_packed and 5 more
Hub model size, old rules         44,636  45k params
  shapes                             +28  model.layers.0.mlp.down_proj.weight_shape and 13 more
  packed values, as stored       -64,512  model.layers.0.mlp.down_proj.weight_packed and 13 more
  scales                          +2,304  model.layers.0.mlp.down_proj.weight_scale and 13 more
# MLX: only MLX and the current Hub support it.
$ . test/cli/causes/others.sh; llama | quantized mlx | others ',"quantization":{"group_size":32,"bits":4}' transf hugg Hub MLX
transformers num_parameters()           does not load MLX's packed weights
transformers, no embeddings             does not load MLX's packed weights
huggingface_hub                 46,912  {'U32': 9216, 'BF16': 4608, 'F16': 33088}
  packed values, as stored     -64,512  model.layers.0.mlp.down_proj.weight and 13 more
  zero points                   +2,304  model.layers.0.mlp.down_proj.biases and 13 more
  scales                        +2,304  model.layers.0.mlp.down_proj.scales and 13 more
Hub model size                 106,816  107k params
Hub model size, old rules       46,912  47k params
  packed values, as stored     -64,512  model.layers.0.mlp.down_proj.weight and 13 more
  zero points                   +2,304  model.layers.0.mlp.down_proj.biases and 13 more
  scales                        +2,304  model.layers.0.mlp.down_proj.scales and 13 more
MLX total parameters           106,816

# ---- one deviation at a time

# A stored copy of a tied head, 256 * 64, is counted once in PyTorch.
$ . test/cli/causes/others.sh; llama | others ',"tie_word_embeddings":true' transf hugg Hub
transformers num_parameters()   90,432
transformers, no embeddings     74,048
  embedding tables             -16,384  model.embed_tokens.weight
huggingface_hub                106,816  {'F16': 106816}
  tied copy stored             +16,384  lm_head.weight
Hub model size                 106,816  107k params
  tied copy stored             +16,384  lm_head.weight
Hub model size, old rules      106,816  107k params
  tied copy stored             +16,384  lm_head.weight
# Scalars: Python counts 1, the Hub none; PyTorch has no such tensor.
$ . test/cli/causes/others.sh; llama | with 'tensor x.scale F32' | others '' transf hugg Hub
transformers num_parameters()  106,816
transformers, no embeddings     90,432
  embedding tables             -16,384  model.embed_tokens.weight
huggingface_hub                106,817  {'F32': 1, 'F16': 106816}
  unknown                           +1  x.scale
Hub model size                 106,816  107k params
Hub model size, old rules      106,816  107k params
# Missing: a class creates it and counts it.
$ . test/cli/causes/others.sh; llama | without lm_head | others '' transf hugg
transformers num_parameters()      106,816
  missing here, newly initialized  +16,384  lm_head.weight
transformers, no embeddings         90,432
  embedding tables                 -16,384  model.embed_tokens.weight
  missing here, newly initialized  +16,384  lm_head.weight
huggingface_hub                     90,432  {'F16': 90432}
# Wrong size: the class refuses it.
$ . test/cli/causes/others.sh; llama | changed '/norm.weight/s/64/63/' | others '' transf hugg
transformers num_parameters()           refuses: tensor shapes differ from the class
transformers, no embeddings             refuses: tensor shapes differ from the class
huggingface_hub                106,811  {'F16': 106811}
# LoRA tensors in the file: peft counts them.
$ . test/cli/causes/others.sh; llama | with 'tensor model.layers.0.self_attn.q_proj.lora_A.weight F32 8 64' | others '' transf peft hugg
transformers num_parameters()  106,816
transformers, no embeddings     90,432
  embedding tables             -16,384  model.embed_tokens.weight
peft all params                107,328  all params: 107,328
  LoRA adapters                   +512  model.layers.0.self_attn.q_proj.lora_A.weight
huggingface_hub                107,328  {'F32': 512, 'F16': 106816}
  LoRA adapters                   +512  model.layers.0.self_attn.q_proj.lora_A.weight
# Float32: the size of the file suggests twice as much.
$ . test/cli/causes/others.sh; llama | changed 's/F16/F32/' | others '' bytes
bytes / 2                       214,692
  dtypes other than 16 bits    +106,816  lm_head.weight and 20 more
  header, padding, halves        +1,060
# Without an architecture the comparison is with the stored elements.
$ . test/cli/causes/others.sh; printf 'file x.safetensors\ntensor a F32 10\ntensor b F32\n' | bare '' stored transf hugg Hub
stored elements                   11
transformers num_parameters()         unknown without the architecture (--config)
transformers, no embeddings           unknown without the architecture (--config)
huggingface_hub                   11  {'F32': 11}
Hub model size                    10  10 params
  scalars left out                -1  b
Hub model size, old rules         10  10 params
  scalars left out                -1  b
# The Hub reads no dimension above 2^32.
$ . test/cli/causes/others.sh; printf 'file x.safetensors\ntensor a U8 4294967297\n' | bare '' Hub
Hub model size                                 refuses: a dimension above 2^32
Hub model size, old rules       4,294,967,297  4B params

# ---- huggingface.js' own test cases

# FP4 experts, two per byte, in an FP8 model: I8 16 + 4, F8_E4M3 8, BF16 2.
$ . test/cli/causes/others.sh; printf 'file model.safetensors\ntensor model.layers.0.mlp.experts.0.up_proj.weight I8 2 4\ntensor model.layers.0.self_attn.q_proj.weight F8_E4M3 2 4\ntensor model.layers.0.mlp.experts.0.up_proj.weight_scale_inv F8_E8M0 1\ntensor model.engram.embedding.weight I8 2 2\ntensor model.norm.weight BF16 2\n' >$T/v4; for c in '{"expert_dtype":"fp4","quantization_config":{"quant_method":"fp8"}}' '{"text_config":{"expert_dtype":"fp4","quantization_config":{"quant_method":"fp8"}}}' '{"quantization_config":{"quant_method":"fp8","store_dtype":"mxfp4"}}' '{"quantization_config":{"quant_method":"fp8","expert_dtype":"fp8","store_dtype":"mxfp4"}}'; do bare "$c" Hub <$T/v4; done
Hub model size                     30  30 params
  exponent-only types left out     -1  model.layers.0.mlp.experts.0.up_proj.weight_scale_inv
  packed values unpacked           +8  model.layers.0.mlp.experts.0.up_proj.weight
Hub model size, old rules          23  23 params
Hub model size                     30  30 params
  exponent-only types left out     -1  model.layers.0.mlp.experts.0.up_proj.weight_scale_inv
  packed values unpacked           +8  model.layers.0.mlp.experts.0.up_proj.weight
Hub model size, old rules          23  23 params
Hub model size                     30  30 params
  exponent-only types left out     -1  model.layers.0.mlp.experts.0.up_proj.weight_scale_inv
  packed values unpacked           +8  model.layers.0.mlp.experts.0.up_proj.weight
Hub model size, old rules          23  23 params
Hub model size                     22  22 params
  exponent-only types left out     -1  model.layers.0.mlp.experts.0.up_proj.weight_scale_inv
Hub model size, old rules          23  23 params
# MLX with 8 bits: 50 words are 200 values, a norm of 10; affine without zero points is not packed.
$ . test/cli/causes/others.sh; for z in biases x; do printf 'file model.safetensors\nmeta format mlx\ntensor q.weight U32 10 5\ntensor q.scales BF16 10 2\ntensor q.%s BF16 10 2\ntensor norm.weight BF16 10\n' $z | bare '{"quantization":{"group_size":64,"bits":8,"mode":"affine"}}' Hub MLX; done
Hub model size                           210  210 params
  packed values unpacked                +150  q.weight
  left out as scales, by name            -40  q.biases and 1 more
Hub model size, old rules                100  100 params
MLX total parameters                     210
  packed values unpacked                +150  q.weight
  quantization scales and zero points    -40  q.biases and 1 more
Hub model size                   100  100 params
Hub model size, old rules        100  100 params
MLX total parameters             100
# A module with its own width, and an excluded one: 12 words of 4 bits are 96 values, and 12.
$ . test/cli/causes/others.sh; printf 'file model.safetensors\ntensor {four_bit,dense}.weight U32 12\ntensor four_bit.{scales,biases} BF16 1\n' | bare '{"quantization_config":{"mode":"affine","bits":8,"group_size":64,"four_bit":{"bits":4},"dense":false}}' Hub
Hub model size                           108  108 params
  packed values unpacked                 +84  four_bit.weight
  left out as scales, by name             -2  four_bit.biases and 1 more
Hub model size, old rules                 26  26 params
# total_parameters is accepted up to the sum: 200 here, 150 where stated.
$ . test/cli/causes/others.sh; for n in 999000000000 150 not-a-number; do printf 'file model.safetensors\nmeta total_parameters %s\ntensor weight F32 10 20\n' $n | bare '' Hub total_p; done
Hub model size                                    200  200 params
Hub model size, old rules             999,000,000,000  999B params
  total_parameters is shown instead  +998,999,999,800
Hub model size                         150  150 params
  total_parameters is shown instead    -50
Hub model size, old rules              150  150 params
  total_parameters is shown instead    -50
Hub model size                   200  200 params
Hub model size, old rules        200  200 params
# 3 bits packed densely in 32-bit words: 3,000 words hold 32,000 values.
$ . test/cli/causes/others.sh; printf 'file model.safetensors\ntensor a.weight_packed I32 30 100\n' | bare '{"quantization_config":{"quant_method":"compressed-tensors","format":"pack-quantized","config_groups":{"g":{"weights":{"num_bits":3}}}}}' Hub
Hub model size                  32,000  32k params
  packed values unpacked       +29,000  a.weight_packed
Hub model size, old rules        3,000  3k params

# ---- models as published

# Llama-3.1-8B of 4 bits, GPTQ: the Hub's 8,031,637,504 = 8,030,261,248 + 1,376,256: a bias an output of
# each packed layer, 32 * (4,096 + 1,024 + 1,024 + 4,096 + 14,336 + 14,336 + 4,096), written by the
# quantizer. PyTorch sees 2 * 128,256 * 4,096 + 65 * 4,096 = 1,050,939,392.
$ . test/cli/causes/others.sh; llama_8b_gptq | bare "{$llama_8b,\"quantization_config\":{\"quant_method\":\"gptq\",\"bits\":4}}" transf Hub
transformers num_parameters()      1,050,939,392
  buffers of GPTQ and AWQ layers  -6,979,321,856  model.layers.0.mlp.down_proj.qweight and 223 more
transformers, no embeddings          525,602,816
  buffers of GPTQ and AWQ layers  -6,979,321,856  model.layers.0.mlp.down_proj.qweight and 223 more
  embedding tables                  -525,336,576  model.embed_tokens.weight
Hub model size                     8,031,637,504  8B params
  biases written by a quantizer       +1,376,256  model.layers.0.mlp.down_proj.bias and 223 more
Hub model size, old rules          8,031,637,504  8B params
  biases written by a quantizer       +1,376,256  model.layers.0.mlp.down_proj.bias and 223 more
# The same by bitsandbytes: 8,030,261,248 by every count.
$ . test/cli/causes/others.sh; llama_8b_bnb | bare "{$llama_8b,\"quantization_config\":{\"quant_method\":\"bitsandbytes\",\"load_in_4bit\":true}}" transf peft Hub_model_size_
transformers num_parameters()   8,030,261,248
transformers, no embeddings     7,504,924,672
  embedding tables               -525,336,576  model.embed_tokens.weight
peft all params                 8,030,261,248  all params: 8,030,261,248
Hub model size                  8,030,261,248  8B params
# gpt-oss-20b: 20,914,757,184, and 597,196,800 scales by the old rules: 21,511,953,984. Stored are half of the
# packed 19,110,297,600, and the scales.
$ . test/cli/causes/others.sh; gpt_oss 24 32 | bare "$(gpt_oss_config 24 32)" parameters transf hugg Hub
parameters                      20,914,757,184
transformers num_parameters()   20,914,757,184
transformers, no embeddings     20,335,623,744
  embedding tables                -579,133,440  model.embed_tokens.weight
huggingface_hub                 11,956,805,184  {'BF16': 1804459584, 'U8': 10152345600}
  packed values, as stored      -9,555,148,800  model.layers.0.mlp.experts.down_proj_blocks and 47 more
  scales                          +597,196,800  model.layers.0.mlp.experts.down_proj_scales and 47 more
Hub model size                  20,914,757,184  21B params
Hub model size, old rules       21,511,953,984  22B params
  scales                          +597,196,800  model.layers.0.mlp.experts.down_proj_scales and 47 more
# gpt-oss-120b: 116,829,156,672, was 120,412,337,472.
$ . test/cli/causes/others.sh; gpt_oss 36 128 | bare "$(gpt_oss_config 36 128)" Hub
Hub model size                 116,829,156,672  117B params
Hub model size, old rules      120,412,337,472  120B params
  scales                        +3,583,180,800  model.layers.0.mlp.experts.down_proj_scales and 71 more
# Qwen2.5-7B with ZeRO-3's index: 28 * (2 * 3,584 + 3,584 + 2 * 512) + 3,584 = 333,312.
$ . test/cli/causes/others.sh; qwen_7b '"total_parameters": 333312, "total_size": 15231233024' Hub total
Hub model size                                       333,312  333k params
  total_parameters is shown instead           -7,615,283,200
Hub model size, old rules                            333,312  333k params
  total_parameters is shown instead           -7,615,283,200
total_parameters                                     333,312
  only the 1-D tensors: written under ZeRO-3  -7,615,283,200
total_size, bytes                             15,231,233,024
# A float, a string; sizes of files; the size before a cast to 16 bits.
$ . test/cli/causes/others.sh; qwen_7b '"total_parameters": 7.615616512e9, "total_size": "15231233024"' total
total_parameters                7,615,616,512  7.615616512e9
total_size, bytes              15,231,233,024  "15231233024"
$ . test/cli/causes/others.sh; qwen_7b '"total_parameters": "many", "total_size": 30462466048' total
total_parameters                                       "many"
total_size, bytes                      30,462,466,048
  4 bytes per element: before a cast  +15,231,233,024

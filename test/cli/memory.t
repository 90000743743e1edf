# numel memory: will it fit?

# Weights, per-layer state, and separately the estimates.
$ numel memory fixtures/llama-3.1-8b --context 32k --fit 24GiB
fixtures/llama-3.1-8b
architecture     llama (by fixtures/llama-3.1-8b/config.json)
context          32,768 tokens of 131,072
runtime          transformers, as measured on its caches
keys and values  bf16

                           bytes
weights           16,060,522,496   14.96 GiB
cache              4,294,967,296    4.00 GiB  2*K*D per token, 32 layers
  the next token         131,072  128.00 KiB
exact             20,355,489,792   18.96 GiB
activations           71,816,192   68.49 MiB  estimated: see below
estimated total   20,427,305,984   19.02 GiB

fits         yes, up to a context of 73,528; or 2 sequences at this one
activations  34 bytes per token read at once and hidden unit, for one layer at a time, and F32 logits

context       cache      total
  4,096  512.00 MiB  15.52 GiB  ###############-
  8,192    1.00 GiB  16.02 GiB  ###############=
 16,384    2.00 GiB  17.02 GiB  ###############==
 32,768    4.00 GiB  19.02 GiB  ###############====
 65,536    8.00 GiB  23.02 GiB  ###############========
131,072   16.00 GiB  31.02 GiB  ###############=========>  too much
bars  # weights, = cache, - activations
# It does not fit: status 1, and the longest context that would.
$ numel memory fixtures/llama-3.1-8b --context 128k --fit 24GiB | grep -E '^(fits|exact|cache)'
cache             17,179,869,184   16.00 GiB  2*K*D per token, 32 layers
exact             33,240,391,680   30.96 GiB
fits         no; up to a context of 73,528
$ numel memory fixtures/llama-3.1-8b --context 128k --fit 24GiB -q; echo $?
33312207872
1
# The longest context that fits does, and one more token does not.
$ numel memory fixtures/llama-3.1-8b --fit 20GiB --json | grep -o '"max_context":[0-9]*'
"max_context":40760
$ numel memory fixtures/llama-3.1-8b --fit 20GiB -q --context 40760 > $T/q; echo $?
0
$ numel memory fixtures/llama-3.1-8b --fit 20GiB -q --context 40761 > $T/q; echo $?
1
# The same for every kind of cache, under the rules of every runtime.
$ sh test/cli/fits.sh $T llama gemma3_text gpt_oss jamba qwen3_next falcon_h1 deepseek_v3 llama4_text deepseek_v4
27

# Known figures: the cost of the next token.
$ numel memory test/gen/deepseek-v3.config.json --json | grep -E '"(bytes_per_token|expression)"'
 "bytes_per_token": 70272,
 "expression": "rkv per token, 61 layers; dr per token, 61 layers",
$ numel memory test/gen/llama-3.1-8b.config.json --json | grep bytes_per_token
 "bytes_per_token": 131072,
$ numel memory test/gen/gpt-oss-20b.config.json --json | grep bytes_per_token
 "bytes_per_token": 24576,
$ numel memory test/gen/gpt-oss-20b.config.json --json --runtime llama.cpp --context 32k | grep -A1 -E '^ "bytes"'
 "bytes": 824180736,
 "bytes_per_token": 24576,
$ printf '{"model_type":"llama","hidden_size":8192,"intermediate_size":28672,"num_attention_heads":64,"num_hidden_layers":80,"num_key_value_heads":8,"vocab_size":128256}' > $T/llama-3-70b.json
$ numel memory $T/llama-3-70b.json --json | grep bytes_per_token
 "bytes_per_token": 327680,
$ printf '{"model_type":"gemma3_text","hidden_size":5376,"head_dim":128,"intermediate_size":21504,"num_attention_heads":32,"num_hidden_layers":62,"num_key_value_heads":16,"sliding_window":1024,"vocab_size":262208}' > $T/gemma-3-27b.json
$ numel memory $T/gemma-3-27b.json --json --runtime llama.cpp --context 32k | grep -E '^ "bytes'
 "bytes": 3338665984,
 "bytes_per_token": 81920,
$ numel memory $T/gemma-3-27b.json --json --runtime llama.cpp --context 32k --swa-full | grep -E '^ "bytes'
 "bytes": 16642998272,
 "bytes_per_token": 81920,
$ numel memory $T/gemma-3-27b.json --json --context 32k | grep -E '^ "(bytes|layers)|kind'
 "judgement": {"kind":"configuration","verdict":"in part","architecture":"gemma3_text","name":"gemma3_text","known_by":"configuration","causes":[]},
 "bytes": 3120136192,
 "bytes_per_token": 81920,
 "layers": [
  {"kind":"sliding","count":52,"window":1024},
  {"kind":"full","count":10,"window":null}]},

# vLLM's pool of blocks, by its rule. Layers of several kinds use it in groups as large as the rarest kind, on pages of one size.
# Gemma 3 27B: 10 full layers are one group, 52 with a window six groups, with 8 empty places in the last. A page of 16 tokens has
# 16 * 2*16*128 * 2 = 131,072 bytes; for 32,768 tokens a full layer has 2,048 pages, and one with a window of 1,024 and steps of 2,048 tokens
# 192 + 1: (10*2048 + 60*193) * 131072.
$ numel memory $T/gemma-3-27b.json --runtime vllm --context 32k | grep -E '^(runtime|cache)'; echo $(((10*2048 + 60*193) * 131072))
runtime          vllm, by its rule, not measured: 7 groups of 10 layers
cache               4,202,168,320    3.91 GiB  2*K*D per token, window 1,024, 52 layers; 2*K*D per token, 10 layers
4202168320
# gpt-oss-20b: 12 and 12, pages of 16 * 2*8*64 * 2 = 32,768 bytes, 2,048 for a full layer and 136 + 1 for one with a window of 128.
$ numel memory test/gen/gpt-oss-20b.config.json --runtime vllm --context 32k | grep -E '^(runtime|cache)'; echo $((12 * (2048 + 137) * 32768))
runtime          vllm, by its rule, not measured: 2 groups of 12 layers
cache                859,176,960  819.38 MiB  2*K*D per token, window 128, 12 layers; 2*K*D per token, 12 layers
859176960
# With one window layer more than full ones, groups of 13 waste nothing; with half as many again there are groups of 12, the last with
# 6 layers and 6 empty places.
$ more() { sed "s/\"num_hidden_layers\": *[0-9]*/\"num_hidden_layers\": $1/; s/\"layer_types\": *\[/&$2/" test/gen/gpt-oss-20b.config.json > $T/more.json; numel memory $T/more.json --runtime vllm --context 32k | grep -oE '^(runtime|cache).*(layers| [0-9,]{9,})' | sed 's/  */ /g' | cut -d' ' -f 1-11; }; s='"sliding_attention",'; more 25 $s; more 30 $s$s$s$s$s$s; echo $((13 * (2048 + 137) * 32768)) $((12 * (2048 + 2 * 137) * 32768))
runtime vllm, by its rule, not measured: 2 groups of 13
cache 930,775,040 887.66 MiB 2*K*D per token, window 128, 13 layers;
runtime vllm, by its rule, not measured: 3 groups of 12
cache 913,047,552 870.75 MiB 2*K*D per token, window 128, 18 layers;
930775040 913047552
# Jamba: a state of (3 + 16) * 8192 * 2 = 311,296 bytes; rows of 4,096 reach that with 5 * 16 = 80 tokens, a page of 327,680, one for
# each of 28 states; 410 blocks for 32,768 tokens: (4*410 + 28) * 327680.
$ printf '{"model_type":"jamba"}' > $T/jamba.json; numel memory $T/jamba.json --runtime vllm --context 32k | grep -E '^(runtime|cache)'; echo $(((4*410 + 28) * 327680))
runtime          vllm, by its rule, not measured: 8 groups of 4 layers
cache                     546,570,240  521.25 MiB  I*C per sequence, 28 layers; I*S per sequence, 28 layers; 2*K*D per token, 4 layers
546570240
# Qwen3-Next: 3 * 8192 * 2 + 32*128*128 * 2 = 1,097,728 bytes of state, rows of 2,048: blocks of 544 tokens, as its log says (padding 1.49 %).
$ printf '{"model_type":"qwen3_next"}' > $T/qwen3-next.json; numel memory $T/qwen3-next.json --runtime vllm --context 32k | grep -E '^(runtime|cache)'; echo $(((12*61 + 36) * 544*2048))
runtime          vllm, by its rule, not measured: 4 groups of 12 layers
cache                     855,638,016  816.00 MiB  (2*hk*dk+hv*dv)*C per sequence, 36 layers; hv*dk*dv per sequence, 36 layers; 2*K*D per token, 12 layers
855638016
# States are float32 if the configuration says so: Qwen3.5-27B has 3 * 10240 * 2 + 48*128*128 * 4 = 3,207,168 bytes, rows of 4,096:
# blocks of 784 tokens, as its log says too; in bfloat16 1,634,304, blocks of 400.
$ for d in float32 bfloat16; do printf '{"model_type":"qwen3_5_text","num_hidden_layers":64,"num_key_value_heads":4,"head_dim":256,"linear_num_key_heads":16,"linear_num_value_heads":48,"linear_key_head_dim":128,"linear_value_head_dim":128,"linear_conv_kernel_dim":4,"mamba_ssm_dtype":"%s"}' $d > $T/qwen3.5.json; numel memory $T/qwen3.5.json --runtime vllm --context 32k | grep -E '^(runtime|cache)' | cut -c1-70; done; echo $(((16*42 + 48) * 784*4096)) $(((16*82 + 48) * 400*4096))
runtime          vllm, by its rule, not measured: 4 groups of 16 layer
cache                  2,312,110,080    2.15 GiB  (2*hk*dk+hv*dv)*C pe
runtime          vllm, by its rule, not measured: 4 groups of 16 layer
cache                  2,228,224,000   2.08 GiB  (2*hk*dk+hv*dv)*C per
2312110080 2228224000
# Nemotron-H of 8B: its class says float32. (3 * 10240 * 2 + 128*64*128 * 4) = 4,255,744 bytes, rows of 4,096: 1,040 tokens; 4 rows and 24 states.
$ printf '{"model_type":"nemotron_h","hybrid_override_pattern":"M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-","num_hidden_layers":52,"hidden_size":4096,"num_attention_heads":32,"num_key_value_heads":8,"head_dim":128,"mamba_num_heads":128,"mamba_head_dim":64,"n_groups":8,"ssm_state_size":128,"conv_kernel":4}' > $T/nemotron.json; numel memory $T/nemotron.json --runtime vllm --context 32k | grep -E '^(runtime|cache|not)' | cut -c1-70; echo $(((4*32 + 24) * 1040*4096))
runtime          vllm, by its rule, not measured: 7 groups of 4 layers
cache                    647,495,680  617.50 MiB  (I+2*G*S)*C per sequ
647495680
# Both in each layer: a group of rows and one of states. A state of (3*1536 + 1024*256) * 2 = 533,504 bytes, rows of 4,096: 9 * 16 tokens.
$ printf '{"model_type":"falcon_h1"}' > $T/falcon-h1.json; numel memory $T/falcon-h1.json --runtime vllm --context 32k | grep -E '^(runtime|cache)'; echo $((32 * (228 + 1) * 144*4096))
runtime          vllm, by its rule, not measured: 2 groups of 32 layers
cache                  4,322,230,272    4.03 GiB  2*K*D per token, 32 layers; (I+2*G*S)*C per sequence, 32 layers; I*S per sequence, 32 layers
4322230272
# MLA with states: 64 tokens at a time. 7 rows of (512 + 64) * 2 = 1,152 bytes; 20 states of (3 * 3*4096 + 32*128*128) * 2 = 1,122,304, for which
# 16 * 64 rows suffice: 32 blocks.
$ printf '{"model_type":"kimi_linear","num_hidden_layers":27,"kv_lora_rank":512,"qk_rope_head_dim":64,"linear_attn_config":{"kda_layers":[1,2,3,5,6,7,9,10,11,13,14,15,17,18,19,21,22,23,25,26],"num_heads":32,"head_dim":128,"short_conv_kernel_size":4}}' > $T/kimi.json; numel memory $T/kimi.json --runtime vllm --context 32k | grep -E '^(runtime|cache)'; echo $(((7*32 + 3*7) * 1024*1152))
runtime          vllm, by its rule, not measured: 4 groups of 7 layers
cache                     289,013,760  275.63 MiB  3*Hl*D*C per sequence, 20 layers; Hl*D*D per sequence, 20 layers; rkv per token, 7 layers; dr per token, 7 layers
289013760
# With 10 heads, (3 * 3*1280 + 10*128*128) * 2 = 350,720 bytes, which need 3 times 128 tokens of 1,152 (5 times 64 would suffice): 86 blocks of 384.
$ sed 's/"num_heads":32/"num_heads":10/' $T/kimi.json > $T/kimi10.json; numel memory $T/kimi10.json --runtime vllm --context 32k | grep -oE '^cache +[0-9,]*'; echo $(((7*86 + 3*7) * 384*1152))
cache                     275,595,264
275595264
# Each device has a pool for its own layers: of gpt-oss-20b's 24, two devices have 13 and 11, the output being one more, so 7 sliding and 6
# full ones, 5 and 6: in both cases the larger kind has less than half as many again, and the smaller is filled up to 7 and 6.
$ numel memory test/gen/gpt-oss-20b.config.json --runtime vllm --context 32k --gpus 2x24GiB --load bf16 | sed -n '/^device/,$p' | grep gpu; echo $((7 * (2048 + 137) * 32768 >> 20)) $((6 * (2048 + 137) * 32768 >> 20))
gpu 0       13  19.93 GiB  477.97 MiB  20.40 GiB  24.00 GiB
gpu 1       11  17.95 GiB  409.69 MiB  18.35 GiB  24.00 GiB
477 409
# Layers of a single kind form no groups, and every block is theirs: 32 layers * 2,049 * 16 tokens * 4,096 bytes.
$ numel memory test/gen/llama-3.1-8b.config.json --runtime vllm --context 32769 | grep -E '^(runtime|cache)'; echo $((32*2049*16*4096))
runtime          vllm, by its rule, not measured
cache              4,297,064,448    4.00 GiB  2*K*D per token, 32 layers
4297064448
# Rows share pages if one is a multiple of the other: 64 and 192 bytes do, with 10 blocks of 16 and 4 of 48 for 160 tokens; 96 and 64 do not, nor
# do 128 and 192.
$ rows() { printf '{"model_type":"gemma4_text","num_hidden_layers":2,"layer_types":["sliding_attention","full_attention"],"num_key_value_heads":2,"head_dim":%s,"global_head_dim":%s,"sliding_window":64}' $1 $2 > $T/rows.json; numel memory $T/rows.json --runtime vllm --context 160 2>&1 | grep -oE '^(runtime|cache|numel).*' | sed 's/.*rows.json: //; s/  2.K.*//'; }; rows 8 24; rows 12 8; rows 16 24; echo $(((10 + 4) * 16*192))
runtime          vllm, by its rule, not measured: 2 groups of 1 layer
cache                    43,008  42.00 KiB
vllm has no page size for rows of 96 and of 64 bytes: one must be a multiple of the other
vllm has no page size for rows of 192 and of 128 bytes: one must be a multiple of the other
43008
# GPT-SW3 is a GPT-2 under another name, defaults included: 12 layers of 2 * 768 in f16.
$ for m in gpt2 gpt-sw3 gpt-sw4; do printf '{"model_type":"%s","vocab_size":64000}' $m > $T/sw3.json; numel memory $T/sw3.json --json | grep -E 'bytes_per_token|elements":1'; done; echo $((12 * 2*768 * 2))
  "F32": {"tensors":148,"elements":134994432,"bytes":539977728}}},
 "bytes_per_token": 36864,
  "F32": {"tensors":148,"elements":134994432,"bytes":539977728}}},
 "bytes_per_token": 36864,
 "bytes_per_token": null,
36864

# Types whose blocks do not divide a row are refused; others are not.
$ printf '{"model_type":"gpt2","n_embd":48,"n_head":3,"n_layer":2,"vocab_size":100}' > $T/narrow.json
$ cd $T && numel memory narrow.json --kv q8_0
numel: narrow.json: a row of 48 elements is not a whole number of q8_0 blocks of 32
[2]
$ numel memory $T/llama-3-70b.json --kv q8_0 --json | grep -E 'bytes_per_token|"kv"'
 "kv": "q8_0",
 "bytes_per_token": 174080,
$ numel memory $T/llama-3-70b.json --kv q8_0,f16 --json | grep -E 'bytes_per_token|"kv"'
 "kv": "q8_0 and f16",
 "bytes_per_token": 250880,
# All types, with 32 layers * 2 * 1024 = 65,536 elements per token: bytes per element, or per block of 32.
$ for k in f16 bf16 f32 fp8 q8_0 q5_1 q5_0 q4_1 q4_0 iq4_nl; do numel memory test/gen/llama-3.1-8b.config.json --kv $k --json | grep -oE 'bytes_per_token": [0-9]*' | cut -d' ' -f2; done | tr '\n' ' '; echo; for n in 64 64 128 32 34 24 22 20 18 18; do printf "%d " $((65536 / 32 * n)); done; echo
131072 131072 262144 65536 69632 49152 45056 40960 36864 36864 
131072 131072 262144 65536 69632 49152 45056 40960 36864 36864 
# Weights in another type: that many bytes per element, however they are stored. gpt-oss-20b has 20,914,757,184
# elements, most of them in MXFP4.
$ for l in as-is f16 bf16 f32; do numel memory fixtures/gpt-oss-20b --load $l --json | grep -oE '"weights": {"bytes": [0-9]*' | cut -d' ' -f3; done | tr '\n' ' '; echo; echo $((20914757184 * 2)) $((20914757184 * 4))
13761264768 41829514368 41829514368 83659028736 
41829514368 83659028736

# Invalid input: no context, an invalid one, too large a one; no size; no type.
$ cd $T && numel memory narrow.json --context 0
numel memory: --context takes a whole number from 1 to 1099511627776, like 8192 or 8k, not '0'
[2]
$ cd $T && numel memory narrow.json --context 8kB
numel memory: --context takes a whole number from 1 to 1099511627776, like 8192 or 8k, not '8kB'
[2]
$ cd $T && numel memory narrow.json --context 1000000000000000000000
numel memory: --context takes a whole number from 1 to 1099511627776, like 8192 or 8k, not '1000000000000000000000'
[2]
$ cd $T && numel memory narrow.json --fit 24XB
numel memory: --fit takes at least 1048576 bytes, like 100000000, 100MB or 1GiB, not '24XB'
[2]
$ cd $T && numel memory narrow.json --kv q3_0
numel: narrow.json: --kv: keys and values are stored as f16, bf16, f32, f64, fp8, q8_0, q5_1, q5_0, q4_1, q4_0 or iq4_nl; not 'q3_0'
[2]
$ cd $T && numel memory narrow.json --load q8_0
numel: narrow.json: --load takes as-is, f16, bf16 or f32; not 'q8_0'
[2]
$ cd $T && numel memory narrow.json --gpus 2x
numel: narrow.json: --gpus takes a size for each device, like 24GiB,16GiB, or a count and a size, like 2x24GiB; not '2x'
[2]
$ cd $T && numel memory narrow.json --train adamx
numel: narrow.json: --train takes adamw, adamw-f32, adamw-bf16, adam8bit, sgd or lora:RANK; not 'adamx'
[2]
$ cd $T && numel memory narrow.json --train lora:0
numel: narrow.json: --train takes adamw, adamw-f32, adamw-bf16, adam8bit, sgd or lora:RANK; not 'lora:0'
[2]
$ cd $T && numel memory narrow.json --set no_such_key=3
numel: --set: gpt2 has no symbol no_such_key: E, L, P, V, F, or a key of its configuration
[2]
# 2 layers of 2 rows of 48 in f16 are 384 bytes per token: 43,690 sequences of 2^40 tokens are below 2^64, and one more is not.
$ cd $T && numel memory narrow.json --context 1099511627776 --batch 43690 --json | grep -A1 '^ "bytes"'
 "bytes": 18446462598732840960,
 "bytes_per_token": 384,
$ cd $T && numel memory narrow.json --context 1099511627776 --batch 43691
numel: narrow.json: the cache does not fit in 64 bits
[3]
# More sequences than tokens.
$ cd $T && numel memory narrow.json --seqs 4097 --context 4096 --runtime llama.cpp
numel: narrow.json: 4096 tokens cannot be split among 4097 sequences
[2]
$ cd $T && numel memory narrow.json --seqs 4096 --context 4096 --runtime llama.cpp -q > $T/q; echo $?
0
# DeepSeek-V4 with few tokens, as transformers 5.24 keeps them: a layer with a window of 8, two that compress 4 tokens to one, with an indexer, one
# that compresses 16. For T tokens: 5 * 32 * min(T, 7) in windows; 2 * (32 + 16) for each 4 and 32 for each 16; for the remaining ones
# 2 * (4*32 + 4*16) and 2*32 each; and from 4 tokens on, 2 * 2*4 * (32 + 16) for the last complete 4.
$ printf '{"model_type":"deepseek_v4","dtype":"bfloat16","vocab_size":64,"hidden_size":64,"num_hidden_layers":4,"num_attention_heads":4,"head_dim":32,"q_lora_rank":16,"o_groups":2,"o_lora_rank":8,"n_routed_experts":4,"num_experts_per_tok":2,"moe_intermediate_size":16,"index_n_heads":2,"index_head_dim":16,"hc_mult":2,"sliding_window":8,"num_hash_layers":1,"compress_rates":{"compressed_sparse_attention":4,"heavily_compressed_attention":16},"layer_types":["sliding_attention","compressed_sparse_attention","heavily_compressed_attention","compressed_sparse_attention"]}' > $T/v4.json
$ for t in 1 3 4 5 7 8 15 16 17; do w=$((t < 7 ? t : 7)) last=$((t < 4 ? 0 : 768)); echo $t $(numel memory $T/v4.json --context $t --json | grep -oE '^ "bytes": [0-9]*') $((2 * (160*w + 96*(t/4) + 32*(t/16) + 384*(t%4) + 64*(t%16) + last))); done
1 "bytes": 1216 1216
3 "bytes": 3648 3648
4 "bytes": 3520 3520
5 "bytes": 4736 4736
7 "bytes": 7168 7168
8 "bytes": 5184 5184
15 "bytes": 8576 8576
16 "bytes": 4608 4608
17 "bytes": 5504 5504

# A context beyond the model's own is reported, not refused.
$ cd $T && numel memory narrow.json --context 4096 | grep ^context
context          4,096 tokens, more than the model's context: 1,024

# Quantized models from a configuration alone: as the layout would store them, exact if that leaves no choice (the
# checkpoint's own size is below), else an estimate and status 4; without a layout nothing is guessed.
$ sed 's/{/{"dtype":"bfloat16",/' test/gen/gpt-oss-20b.config.json > $T/typed.json; numel memory $T/typed.json --context 4096 | sed -n '/bytes$/,/^exact/p'
                           bytes
weights           13,761,264,768  12.82 GiB  from the layout that quantization_config names
  BF16             3,608,919,168   3.36 GiB
  U8              10,152,345,600   9.46 GiB
cache                103,784,448  98.98 MiB  2*K*D per token, window 128, 12 layers; 2*K*D per token, 12 layers
  the next token          24,576  24.00 KiB
exact             13,865,049,216  12.91 GiB
$ numel memory test/gen/gptq-tiny.config.json --context 4096 | sed -n '/bytes$/,/^estimated/p'; numel memory -q test/gen/gptq-tiny.config.json
                      bytes
cache               524,288  512.00 KiB  2*K*D per token, 1 layer
  the next token        128       128 B
exact
weights              87,232   85.19 KiB  estimated from the layout that quantization_config names, which leaves choices
  BF16               68,224   66.63 KiB
  I32                19,008   18.56 KiB
activations       1,115,136    1.06 MiB  estimated: see below
estimated total   1,726,656    1.65 MiB
1464512
[4]
$ numel memory test/gen/gptq-tiny.config.json --context 4096 --json | grep -E '"(by_type|exact_bytes|estimate|weights)"'
 "weights": {"bytes": null,
 "by_type": {}},
 "exact_bytes": null,
 "estimate": {"activations_bytes":1115136,"rule":"34 bytes per token read at once and hidden unit, for one layer at a time, and F32 logits","cache_bytes":null,"cache_rule":null,"weights_bytes":87232,"weights_rule":"estimated from the layout that quantization_config names, which leaves choices"},
  {"context":2048,"cache_bytes":262144,"exact_bytes":null,"estimated_total_bytes":1464512,"fits":null},
  {"context":4096,"cache_bytes":524288,"exact_bytes":null,"estimated_total_bytes":1726656,"fits":null},
  {"context":8192,"cache_bytes":1048576,"exact_bytes":null,"estimated_total_bytes":2250944,"fits":null},
  {"context":16384,"cache_bytes":2097152,"exact_bytes":null,"estimated_total_bytes":3299520,"fits":null},
  {"context":32768,"cache_bytes":4194304,"exact_bytes":null,"estimated_total_bytes":5396672,"fits":null},
  {"context":65536,"cache_bytes":8388608,"exact_bytes":null,"estimated_total_bytes":9590976,"fits":null},
  {"context":131072,"cache_bytes":16777216,"exact_bytes":null,"estimated_total_bytes":17979584,"fits":null},
  {"context":262144,"cache_bytes":33554432,"exact_bytes":null,"estimated_total_bytes":34756800,"fits":null},
  {"context":524288,"cache_bytes":67108864,"exact_bytes":null,"estimated_total_bytes":68311232,"fits":null},
  {"context":1048576,"cache_bytes":134217728,"exact_bytes":null,"estimated_total_bytes":135420096,"fits":null}]}
# bitsandbytes' 4 bits take the same memory as in the checkpoint, without the JSON text of 180 bytes for each of 7 weights of 32 layers.
$ numel memory test/gen/llama-3.1-8b-bnb-4bit.config.json --context 4096 | grep -E '^(weights|exact|estimated)'; numel memory -q test/gen/llama-3.1-8b-bnb-4bit.config.json > $T/q; echo $?; numel memory fixtures/llama-3.1-8b-bnb-4bit --json | grep -oE '"weights": .*'; echo $((5702579584 - 7*32 * 180))
exact
weights           5,702,539,264    5.31 GiB  estimated from the layout that quantization_config names, which leaves choices
estimated total   6,311,226,368    5.88 GiB
4
"weights": {"bytes": 5702579584,
5702539264
$ sed 's/"bitsandbytes"/"nobodys"/' test/gen/llama-3.1-8b-bnb-4bit.config.json > $T/nobodys.json; numel memory $T/nobodys.json --context 4096 | grep -E '^(weights|exact|estimated)'; numel memory -q $T/nobodys.json
weights                                    the configuration says they are quantized; only a checkpoint shows how many bytes they take (or use --load bf16, unquantized)
exact
estimated total
[4]
$ numel memory fixtures/gpt-oss-20b --context 4096 | sed -n '/bytes$/,/^exact/p'
                           bytes
weights           13,761,264,768  12.82 GiB
  BF16             3,608,919,168   3.36 GiB
  U8              10,152,345,600   9.46 GiB
cache                103,784,448  98.98 MiB  2*K*D per token, window 128, 12 layers; 2*K*D per token, 12 layers
  the next token          24,576  24.00 KiB
exact             13,865,049,216  12.91 GiB
# Vision and image models keep nothing between calls; the memory of a call is not estimated, so it is unknown
# whether it fits.
$ printf '{"model_type":"vit"}' > $T/vit.json; numel memory --fit 1GiB $T/vit.json | grep -E "not known|cache"
runtime          transformers, as measured on its caches
cache                      0         0 B
fits  unknown: weights and cache fit; activations not estimated

# Layers that no class would run are refused, and no number is given: unknown sorts, more or fewer of them than
# layers, heads that do not divide, an invalid window. Models that differ from these in that alone have a number.
$ said() { printf '{"model_type":"qwen3","hidden_size":64,"intermediate_size":96,"num_attention_heads":8,"head_dim":8,"num_hidden_layers":2,"vocab_size":128,"use_sliding_window":true,"layer_types":[%s],"num_key_value_heads":%s,"sliding_window":%s}' "$@" > $T/said.json; numel memory $T/said.json --context 64 | grep -E '^(cache|not known) '; }; said '"full_attention","sliding_attention"' 8 16; said '"full_attention","sliding_attention"' 2 16; said '"full_attention","wavy_attention"' 8 16; said '"full_attention"' 8 16; said '"full_attention","sliding_attention","full_attention"' 8 16; said '"full_attention","sliding_attention"' 3 16; said '"full_attention","sliding_attention"' 8 -5
cache              20,224   19.75 KiB  2*K*D per token, 1 layer; 2*K*D per token, window 16, 1 layer
cache               5,056    4.94 KiB  2*K*D per token, 1 layer; 2*K*D per token, window 16, 1 layer
not known        layer_types: unknown kind of layer 'wavy_attention'
not known        layer_types has 1 values, but number 1 (from 0) is used
not known        layer_types lists 3 layers, but there are 2
not known        8 attention heads cannot be divided among 3 key-value heads
not known        a window is -5 (sliding_window), it must be at least 1

# Layers with a window whose size neither the configuration nor its class states: transformers does not make their cache. If the class has one, or
# another name for it, there is a number.
$ slides() { printf '{"model_type":"%s","num_hidden_layers":2,"layer_types":["%s_attention","full_attention"]%s}' "$@" > $T/slides.json; numel memory $T/slides.json --context 4096 | grep -oE '^(cache  |not known).*(layer;|layers|window$|false)'; }; slides qwen3 sliding ',"sliding_window":16,"use_sliding_window":true'; slides qwen3 sliding ',"sliding_window":16'; slides qwen3 sliding ',"use_sliding_window":true,"sliding_window":null'; slides gpt_oss sliding ''; slides gpt_oss sliding ',"sliding_window":null'; slides mixtral sliding ''; slides mixtral sliding ',"sliding_window":64'; slides llama4_text chunked ''; slides gpt_oss chunked ''; slides modernbert-decoder sliding ''
cache                67,354,624  64.23 MiB  2*K*D per token, window 16, 1 layer;
not known        layer_types has sliding_attention, but use_sliding_window is false
not known        layer_types has sliding_attention, but sliding_window gives no window
cache                  8,648,704   8.25 MiB  2*K*D per token, window 128, 1 layer;
not known        layer_types has sliding_attention, but sliding_window gives no window
not known        layer_types has sliding_attention, but sliding_window gives no window
cache                 17,035,264  16.25 MiB  2*K*D per token, window 64, 1 layer;
cache                 33,554,432  32.00 MiB  2*K*D per token, window 8,192, 1 layer;
not known        layer_types has chunked_attention, but attention_chunk_size gives no window
cache              12,776,448   12.18 MiB  2*E per token, window 64, 1 layer;

# Multi-part models are summed up: all components at once, but only the largest activations. GPT-2 (548,090,880 bytes,
# 73,728 per token in F32, as stored) twice needs its own memory and its weights and cache again; a size that fits one
# does not fit both.
$ for c in one two; do mkdir -p $T/p/$c; cp fixtures/gpt2/*.zst fixtures/gpt2/config.json $T/p/$c/; done; printf '{"_class_name":"XPipeline","one":["transformers","GPT2LMHeadModel"],"two":["transformers","GPT2LMHeadModel"]}' > $T/p/model_index.json
$ cd $T; numel memory p --context 1024 --fit 2GiB | sed '/^ *[0-9,]* *[0-9.]* .iB/d'; numel memory -q --context 1024 p/one; echo $((2 * (548090880 + 1024*36864) + 13570372))
p
components       XPipeline (diffusers)
context          1,024 tokens
runtime          transformers, as measured on its caches
keys and values  f32
together         all components at once, none offloaded; activations: the largest component's

component  class               weights      cache  activations
one        GPT2LMHeadModel  522.70 MiB  72.00 MiB    12.94 MiB  the other components of XPipeline are unknown
two        GPT2LMHeadModel  522.70 MiB  72.00 MiB    12.94 MiB

                          bytes
weights           1,096,181,760    1.02 GiB
cache               150,994,944  144.00 MiB
  the next token        147,456  144.00 KiB
exact             1,247,176,704    1.16 GiB
activations          13,570,372   12.94 MiB  estimated: see below
estimated total   1,260,747,076    1.17 GiB

fits         yes, up to a context of 7,037; or 6 sequences at this one
activations  the largest component's: 34 bytes per token read at once and hidden unit, for one layer at a time, and F32 logits

context       cache     total
bars  # weights, = cache, - activations
637158724
1185249604
$ cd $T; for fit in 1260747076 1260747075 700000000; do numel memory -q --context 1024 p --fit $fit; echo $?; done; numel memory -q --context 1024 p/one --fit 700000000; echo $?; numel list --fit 1300000000 --columns name,fits p | sed -n 2p
1260747076
0
1260747076
1
1260747076
1
637158724
0
p     up to 1k
$ cd $T; numel memory --context 1024 --batch 2 p --json | grep -vE '^  \{"context"'
{"schema": "numel.memory/1",
 "judgement": {"kind":"pipeline","verdict":"in part","architecture":"XPipeline","name":"XPipeline","known_by":"configuration","causes":[{"code":"component-in-part","text":"one: the other components of XPipeline are unknown","explains":0}]},
 "path": "p",
 "context": 1024,
 "batch": 2,
 "runtime": "transformers",
 "kv": "f32",
 "components_rule": "all components at once, none offloaded; activations: the largest component's",
 "components": [
  {"name":"one","variant":null,"class":"GPT2LMHeadModel","architecture":"gpt2","path":"p/one/model.safetensors.head.zst","state":"weights","counted":true,"weights_bytes":548090880,"cache_bytes":150994944,"expression":"2*(single?floor_div(E,cfg(\"n_head\")):E) per token, 12 layers","exact_bytes":699085824,"activations_bytes":27140744,"note":"the other components of XPipeline are unknown"},
  {"name":"two","variant":null,"class":"GPT2LMHeadModel","architecture":"gpt2","path":"p/two/model.safetensors.head.zst","state":"weights","counted":true,"weights_bytes":548090880,"cache_bytes":150994944,"expression":"2*(single?floor_div(E,cfg(\"n_head\")):E) per token, 12 layers","exact_bytes":699085824,"activations_bytes":27140744,"note":null}],
 "weights": {"bytes": 1096181760,
 "by_type": {
  "F32": {"tensors":320,"elements":274045440,"bytes":1096181760}}},
 "cache": {"elements": {"k":37748736,"v":37748736,"index_k":0,"conv":0,"recurrent":0,"cross_k":0,"cross_v":0,"other":0,"total":75497472},
 "bytes": 301989888,
 "bytes_per_token": 147456,
 "fixed_bytes": 0,
 "expression": null,
 "layers": [
  {"kind":"full","count":24,"window":null}]},
 "exact_bytes": 1398171648,
 "estimate": {"activations_bytes":27140744,"rule":"the largest component's: 34 bytes per token read at once and hidden unit, for one layer at a time, and F32 logits","cache_bytes":null,"cache_rule":null,"weights_bytes":null,"weights_rule":null},
 "estimated_total_bytes": 1425312392,
 "fit": null,
 "contexts": [
# The longest context that fits does, and one more token does not.
$ cd $T; numel memory p --fit 2GiB --json | grep -oE '"max_context":[0-9]*'; for n in 7037 7038; do numel memory -q p --fit 2GiB --context $n > q; echo $?; done
"max_context":7037
0
1
# Averaged copies of the weights, and components that the index does not name, are not loaded; declared components
# must exist.
$ cd $T; cp -r p/one p/two_ema; cp -r p/one p/stray; numel memory p | grep -E '^(two|  ema|stray|weights)'; rm p/two/*.zst; numel memory p --fit 2GiB | grep -E '^(two|weights|exact|estimated|activ|fits|not known)'; numel memory -q p; echo $?; : > p/two/model.bin; numel memory p | grep '^not known'; numel memory -q p; echo $?
two        GPT2LMHeadModel  522.70 MiB  288.00 MiB    12.94 MiB
  ema                                                            not counted
stray                                                            not in the index, not counted
weights           1,096,181,760    1.02 GiB
not known        two: its folder has no weights
two        GPT2LMHeadModel                                       its folder has no weights
weights  two: its folder has no weights
exact
activations
estimated total
fits  not known
1
not known        two: its weights are pickles or another format that numel does not read
4
# More than the memory left by the rest does not fit, whatever the missing component needs. An empty file is not a
# component.
$ cd $T; numel memory p --fit 100MiB | grep ^fits; rm p/two/model.bin; : > p/two/model.safetensors; numel memory p | grep '^not known'; numel memory -q p; echo $?
fits  no: the weights alone take more
not known        two: is empty (0 bytes): the download has not begun, download it again
1
# Options about layers need a single model, and invalid options are refused for all.
$ cd $T; rm -r p/two* p/stray; cp -r p/one p/two; numel memory p --gpus 2x1GiB | grep ^layers; numel memory p --set no_such_key=1; echo $?; numel memory p --kv q3_0; echo $?; numel memory p --kv q8_0 -q; numel memory p --train adam8bit | grep -E '^(trained|by rule)'; echo $((2 * 124439808)) $((2 * 124439808 * 10 >> 20))
layers  components are not split into layers: name one of them
numel: --set: gpt2 has no symbol no_such_key: E, L, P, V, F, or a key of its configuration
2
numel: p/one/model.safetensors.head.zst: --kv: keys and values are stored as f16, bf16, f32, f64, fp8, q8_0, q5_1, q5_0, q4_1, q4_0 or iq4_nl; not 'q3_0'
2
1270184260
trained parameters  248,879,616
by rule             2.32 GiB
248879616 2373
# An unreadable index declares nothing; one that declares no weights has none.
$ cd $T; printf '{' > p/model_index.json; numel memory p --fit 1TiB | grep -E '^(not known|fits)'; numel memory -q p; echo $?; printf '{"_class_name":"XPipeline","one":[null,null]}' > p/model_index.json; numel memory p --fit 1TiB | grep -E '^(not known|fits)'; numel memory -q p; echo $?
not known        its index cannot be read: expected a string, the JSON text ends
fits  not known
1
not known        no component has weights
fits  not known
4

# Copies of tied tensors are loaded once.
$ numel memory fixtures/qwen3-0.6b --json | grep -A1 '"weights"'
 "weights": {"bytes": 1192099840,
 "by_type": {

# Layers on devices; a number that does not divide is reported.
$ numel memory test/gen/mixtral-8x7b.config.json --context 8k --gpus 2x24GiB | sed -n '/^device/,$p'
device  layers     weights       cache       total         of
cpu          0  250.00 MiB         0 B  250.00 MiB
gpu 0       17   45.95 GiB  544.00 MiB   46.49 GiB  24.00 GiB  too much
gpu 1       15   40.79 GiB  480.00 MiB   41.26 GiB  24.00 GiB  too much
or each layer on all  43.99 GiB on each: matrices in 2 parts, and heads
$ numel memory test/gen/mixtral-8x7b.config.json --context 8k --gpus 3x40GiB --cpu-experts | sed -n '/^device/,$p'
device  layers     weights       cache      total         of
cpu          0   84.24 GiB         0 B  84.24 GiB
gpu 0       11  880.86 MiB  352.00 MiB   1.20 GiB  40.00 GiB
gpu 1       11  880.86 MiB  352.00 MiB   1.20 GiB  40.00 GiB
gpu 2       10    1.03 GiB  320.00 MiB   1.34 GiB  40.00 GiB
or each layer on all  no: 32 heads cannot be split among 3 devices
$ numel memory test/gen/mixtral-8x7b.config.json --context 8k --offload 10 | sed -n '/^device/,$p'
device  layers    weights       cache      total
cpu         23  62.42 GiB  736.00 MiB  63.14 GiB
gpu 0        9  24.57 GiB  288.00 MiB  24.85 GiB

# A configuration of packed weights does not give the size of each layer; a checkpoint does.
$ numel memory test/gen/gpt-oss-20b.config.json --gpus 2x24GiB | grep -E '^(layers|gpu)'; numel memory fixtures/gpt-oss-20b --gpus 2x24GiB --context 4096 | grep -E '^(layers|gpu)'
layers  the size of a layer's packed weights is unknown (or use --load bf16, unpacked)
gpu 0       13  5.77 GiB  49.74 MiB  5.82 GiB  24.00 GiB
gpu 1       11  5.96 GiB  49.24 MiB  6.01 GiB  24.00 GiB

# Training, by rule.
$ numel memory test/gen/llama-3.1-8b.config.json --context 4096 --train adamw | sed -n '/^training/,$p'
training            adamw
trained parameters  8,030,261,248
weights             14.96 GiB
gradients           14.96 GiB
optimizer           89.75 GiB
by rule             119.66 GiB
2 bytes per weight, 2 per gradient, 12 for the F32 copy and two moments
activations         17.00 GiB
estimated           34 bytes per token, hidden unit and layer (arXiv 2205.05198)
$ numel memory test/gen/llama-3.1-8b.config.json --context 4096 --train lora:16 | sed -n '/^training/,$p'
training            lora:16
trained parameters  41,943,040
weights             15.04 GiB
gradients           80.00 MiB
optimizer           480.00 MiB
by rule             15.58 GiB
the model as it is loaded, plus what LoRA adds, as with adamw
activations         17.00 GiB
estimated           34 bytes per token, hidden unit and layer (arXiv 2205.05198)
# Every kind, in bytes of 8,030,261,248 parameters: weights, gradients, states. LoRA of rank 8 trains 8 * (out +
# in) for each of seven weights per layer.
$ for t in adamw adamw-f32 adamw-bf16 adam8bit sgd lora:8; do numel memory test/gen/llama-3.1-8b.config.json --train $t --json | grep -oE '"trained":.*"exact_bytes":[0-9]*'; done; n=8030261248; echo $((2*n)) $((4*n)) $((6*n)) $((8*n)) $((10*n)) $((12*n)) $((16*n)); n=$((32 * 8 * (2*(4096+4096) + 2*(4096+1024) + 3*(4096+14336)))); echo $n $((16060522496 + 2*n)) $((12*n)) $((16060522496 + 16*n))
"trained":8030261248,"weights_bytes":16060522496,"gradients_bytes":16060522496,"states_bytes":96363134976,"exact_bytes":128484179968
"trained":8030261248,"weights_bytes":32121044992,"gradients_bytes":32121044992,"states_bytes":64242089984,"exact_bytes":128484179968
"trained":8030261248,"weights_bytes":16060522496,"gradients_bytes":16060522496,"states_bytes":32121044992,"exact_bytes":64242089984
"trained":8030261248,"weights_bytes":16060522496,"gradients_bytes":16060522496,"states_bytes":48181567488,"exact_bytes":80302612480
"trained":8030261248,"weights_bytes":16060522496,"gradients_bytes":16060522496,"states_bytes":64242089984,"exact_bytes":96363134976
"trained":20971520,"weights_bytes":16102465536,"gradients_bytes":41943040,"states_bytes":251658240,"exact_bytes":16396066816
16060522496 32121044992 48181567488 64242089984 80302612480 96363134976 128484179968
20971520 16102465536 251658240 16396066816

# An encoder known to have no cache keeps nothing.
$ printf '{"model_type":"modernbert","dtype":"bfloat16"}' > $T/encoder.json; numel memory $T/encoder.json --json | grep -E '^ "(bytes|exact)|elements": {'; echo $?
 "cache": {"elements": {"k":0,"v":0,"index_k":0,"conv":0,"recurrent":0,"cross_k":0,"cross_v":0,"other":0,"total":0},
 "bytes": 0,
 "bytes_per_token": 0,
 "exact_bytes": 299310464,
0

# An unknown architecture: keys and values from the names and shapes of projections, status 4.
$ sed 's/"model_type": *"[a-z0-9]*"/"model_type":"unheard"/; s/LlamaForCausalLM/UnheardForCausalLM/' fixtures/llama-2-7b/config.json > $T/unheard.json
$ numel memory fixtures/llama-2-7b --config $T/unheard.json --context 4096 | sed -n '/^cache/,/^estimated/p'; numel memory -q fixtures/llama-2-7b --config $T/unheard.json --context 4096
cache              2,147,483,648    2.00 GiB  estimated from names and shapes of projections, 32 layers
  the next token         524,288  512.00 KiB
activations           71,431,168   68.12 MiB  estimated: see below
estimated total   15,695,746,048   14.62 GiB
15695746048
[4]
# Values derived from names are not exact: the exact number is absent, and the estimate includes the cache.
$ numel memory fixtures/llama-2-7b --config $T/unheard.json --context 4096 | grep '^exact'
exact
$ numel memory fixtures/llama-2-7b --config $T/unheard.json --context 4096 --json | grep -E '"(elements|bytes|exact_bytes|bytes_per_token|fixed_bytes|cache_bytes|cache_rule)":' | sed '/"context":/d'
 "weights": {"bytes": 13476831232,
  "F16": {"tensors":291,"elements":6738415616,"bytes":13476831232}}},
 "cache": {"elements": null,
 "bytes": null,
 "bytes_per_token": null,
 "fixed_bytes": null,
 "exact_bytes": null,
 "estimate": {"activations_bytes":71431168,"rule":"34 bytes per token read at once and hidden unit, for one layer at a time, and F32 logits","cache_bytes":2147483648,"cache_rule":"estimated from names and shapes of projections, 32 layers","weights_bytes":null,"weights_rule":null},
$ numel memory fixtures/llama-2-7b --context 4096 --json | grep -E '"(exact_bytes|cache_bytes|cache_rule)":' | sed '/"context":/d'
 "exact_bytes": 15624314880,
 "estimate": {"activations_bytes":71431168,"rule":"34 bytes per token read at once and hidden unit, for one layer at a time, and F32 logits","cache_bytes":null,"cache_rule":null,"weights_bytes":null,"weights_rule":null},

# Many models: which of them fit, up to which context.
$ cd fixtures; numel list --fit 24GiB --columns name,bytes,fits bert-base comfyui deepseek-v3 falcon-7b gpt-oss-20b | sed -n '1,7p'
name                                    size  fits
bert-base                          420.0 MiB  yes
comfyui/lora.safetensors.head.zst  325.0 MiB  not known
comfyui/sdxl.safetensors.head.zst    6.4 GiB  not known
deepseek-v3                        641.2 GiB  no
falcon-7b                           13.4 GiB  yes
gpt-oss-20b                         12.8 GiB  yes
# transformers keeps keys and values in the type in which the model computes: --kv, --load, the configuration's, the one that packed
# weights are unpacked to, or the stored one. GPT-2 with 12 layers of 2 * 768 is stored in F32: 73,728 bytes per token; half of that in 16 bits.
$ kept() { numel memory "$@" --json | grep -E 'kv"|per_token' | tr -d '\n'; echo; }; cd $T; cp -r "$OLDPWD"/fixtures/gpt2 t; kept t; kept t --kv bf16; kept t --load bf16; kept t --runtime llama.cpp; for k in dtype torch_dtype; do jq -c ". + {$k: \"bfloat16\"}" "$OLDPWD"/fixtures/gpt2/config.json > t/config.json; kept t; done; echo $((12 * 2*768 * 4)) $((12 * 2*768 * 2))
 "kv": "f32", "bytes_per_token": 73728,
 "kv": "bf16", "bytes_per_token": 36864,
 "kv": "bf16", "bytes_per_token": 36864,
 "kv": "f16", "bytes_per_token": 36864,
 "kv": "bf16", "bytes_per_token": 36864,
 "kv": "bf16", "bytes_per_token": 36864,
73728 36864
$ kept() { numel memory "$@" --json | grep -E 'kv"|per_token' | tr -d '\n'; echo; }; kept fixtures/llama-3.1-8b-bnb-4bit; kept fixtures/llama-3.1-8b-q4_k_m; kept fixtures/llama-3.1-8b-q4_k_m --runtime transformers; echo '{"model_type":"gpt2"}' > $T/gpt2.json; kept $T/gpt2.json
 "kv": "bf16", "bytes_per_token": 131072,
 "kv": "f16", "bytes_per_token": 131072,
 "kv": "f16", "bytes_per_token": 131072,
 "kv": "f16", "bytes_per_token": 36864,
# The model's own context is a row between the doubled ones; the last row is the first that does not fit.
$ echo '{"model_type":"llama","max_position_embeddings":10000,"dtype":"bfloat16"}' > $T/own.json; numel memory $T/own.json | sed -n '/^ *context /,$p' | cut -c1-28; numel memory $T/own.json --fit 18GiB | sed -n '/^ *context /,$p' | cut -c1-28
context          10,000 toke
runtime          transformer
keys and values  bf16

                           b
weights           13,476,831
cache              5,242,880
  the next token         524
exact             18,719,711
activations           71,431
estimated total   18,791,142

activations  34 bytes per to

  context       cache       
    4,096    2.00 GiB   14.6
    8,192    4.00 GiB   16.6
   10,000    4.88 GiB   17.5
   16,384    8.00 GiB   20.6
   32,768   16.00 GiB   28.6
   65,536   32.00 GiB   44.6
  131,072   64.00 GiB   76.6
  262,144  128.00 GiB  140.6
  524,288  256.00 GiB  268.6
1,048,576  512.00 GiB  524.6
bars  # weights, = cache, - 
context          10,000 toke
runtime          transformer
keys and values  bf16

                           b
weights           13,476,831
cache              5,242,880
  the next token         524
exact             18,719,711
activations           71,431
estimated total   18,791,142

fits         yes, up to a co
activations  34 bytes per to

context     cache      total
  4,096  2.00 GiB  14.62 GiB
  8,192  4.00 GiB  16.62 GiB
 10,000  4.88 GiB  17.50 GiB
 16,384  8.00 GiB  20.62 GiB
bars  # weights, = cache, - 
# Image models have no context.
$ for m in '"_class_name":"UNet2DConditionModel"' '"model_type":"vit"'; do echo "{$m}" > $T/none.json; numel memory $T/none.json --fit 8GiB | grep -E 'context|tokens|^fits'; done
fits  unknown: weights and cache fit; activations not estimated
fits  unknown: weights and cache fit; activations not estimated

# numel formula: the expected tensors, from the configuration alone.

# A model's configuration; a bare configuration; a folder with nothing else; no configuration.
$ numel formula fixtures/llama-2-7b
architecture  llama (by fixtures/llama-2-7b/config.json)

symbol   value  evidence   from
E        4,096  declared   hidden_size
L           32  declared   num_hidden_layers
H           32  declared   num_attention_heads
K           32  declared   num_key_value_heads
D          128  defaulted  floor_div(E, H)
F       11,008  declared   intermediate_size
V       32,000  declared   vocab_size

role        formula         each  times          total   share
embed.tok   V*E      131,072,000      1    131,072,000   1.9 %
norm.attn   E              4,096     32        131,072   0.0 %
attn.q      H*D*E     16,777,216     32    536,870,912   8.0 %
attn.k      K*D*E     16,777,216     32    536,870,912   8.0 %
attn.v      K*D*E     16,777,216     32    536,870,912   8.0 %
attn.o      E*H*D     16,777,216     32    536,870,912   8.0 %
norm.mlp    E              4,096     32        131,072   0.0 %
mlp.gate    F*E       45,088,768     32  1,442,840,576  21.4 %
mlp.up      F*E       45,088,768     32  1,442,840,576  21.4 %
mlp.down    E*F       45,088,768     32  1,442,840,576  21.4 %
norm.final  E              4,096      1          4,096   0.0 %
head        V*E      131,072,000      1    131,072,000   1.9 %

expression  2*V*E + L*(2*E + 2*H*D*E + 2*K*D*E + 3*F*E) + E
total       6,738,415,616 (6.74 B)
tensors     291
buffers     0
cache       2*K*D per token, 32 layers: 524,288 bytes a token in f16
$ numel formula -q fixtures/llama-2-7b/config.json
6738415616
# 6,738,415,616
$ mkdir $T/folder && cp fixtures/llama-2-7b/config.json $T/folder && cd $T && numel formula -q folder
6738415616
$ numel formula -q --arch llama --set E=4096 --set L=32 --set H=32 --set F=11008 --set V=32000
6738415616
$ numel formula fixtures/llama-3.1-8b-q4_k_m | sed -n '1,/^$/p; /^total/p'
architecture  llama (by metadata)

total       8,030,261,248 (8.03 B)
# GGUF: its metadata is the configuration
$ numel formula fixtures/gpt2 | sed -n '/^role/,$p'
role             formula        each  times       total   share
embed.tok        V*E      38,597,376      1  38,597,376  31.0 %
embed.pos        P*E         786,432      1     786,432   0.6 %
norm.attn        E               768     12       9,216   0.0 %
norm.attn.bias   E               768     12       9,216   0.0 %
attn.qkv         3*E^2     1,769,472     12  21,233,664  17.1 %
attn.qkv.bias    3*E           2,304     12      27,648   0.0 %
attn.o           E^2         589,824     12   7,077,888   5.7 %
attn.o.bias      E               768     12       9,216   0.0 %
norm.mlp         E               768     12       9,216   0.0 %
norm.mlp.bias    E               768     12       9,216   0.0 %
mlp.up           F*E       2,359,296     12  28,311,552  22.8 %
mlp.up.bias      F             3,072     12      36,864   0.0 %
mlp.down         E*F       2,359,296     12  28,311,552  22.8 %
mlp.down.bias    E               768     12       9,216   0.0 %
buffer.mask      P^2       1,048,576     12  12,582,912
norm.final       E               768      1         768   0.0 %
norm.final.bias  E               768      1         768   0.0 %

expression  V*E + P*E + L*(9*E + 4*E^2 + 2*F*E + F) + 2*E
total       124,439,808 (124.44 M)
tensors     148
buffers     12,582,912
cache       2*(single?floor_div(E,cfg("n_head")):E) per token, 12 layers: 36,864 bytes a token in f16
# V*E + P*E + 12 (12 E^2 + 13 E) + 2 E = 124,439,808, and masks of 12 * 1,048,576
$ numel formula fixtures/mixtral-8x7b | grep -E '^(expert|router|expression|total)'
router       N*E           32,768     32       1,048,576   0.0 %
expert.gate  Fe*E      58,720,256    256  15,032,385,536  32.2 %
expert.up    Fe*E      58,720,256    256  15,032,385,536  32.2 %
expert.down  E*Fe      58,720,256    256  15,032,385,536  32.2 %
expression  2*V*E + L*(2*E + 2*H*D*E + 2*K*D*E + N*E + 3*N*Fe*E) + E
total       46,702,792,704 (46.70 B)
# 256 = 32 layers * 8 experts
$ numel formula --json fixtures/mixtral-8x7b | grep expert
  {"name":"N","value":8,"evidence":"declared","from":"num_local_experts"}],
  {"role":"expert.gate","expr":"Fe*E","each":58720256,"times":256,"total":15032385536,"buffer":false,"evidence":"declared"},
  {"role":"expert.up","expr":"Fe*E","each":58720256,"times":256,"total":15032385536,"buffer":false,"evidence":"declared"},
  {"role":"expert.down","expr":"E*Fe","each":58720256,"times":256,"total":15032385536,"buffer":false,"evidence":"declared"},
# times * each = total

# Origins of values: a key (declared), the class default (defaulted), --set (set).
$ echo '{"model_type": "llama", "hidden_size": 2048}' > $T/c.json && cd $T && numel formula c.json | sed -n '1,/^role/p'
architecture  llama (by c.json)

symbol   value  evidence   from
E        2,048  declared   hidden_size
L           32  defaulted  LlamaConfig.num_hidden_layers
H           32  defaulted  LlamaConfig.num_attention_heads
K           32  defaulted  LlamaConfig.num_attention_heads
D           64  defaulted  floor_div(E, H)
F       11,008  defaulted  LlamaConfig.intermediate_size
V       32,000  defaulted  LlamaConfig.vocab_size

role        formula        each  times        total   share
# LlamaConfig's defaults: 32 layers, 32 heads, 11,008, 32,000
$ cd $T && numel formula c.json --set num_hidden_layers=1 --set K=4 | grep -E '^[A-Z]|^total'
E        2,048  declared   hidden_size
L            1  set        num_hidden_layers
H           32  defaulted  LlamaConfig.num_attention_heads
K            4  set        K=4
D           64  defaulted  floor_div(E, H)
F       11,008  defaulted  LlamaConfig.intermediate_size
V       32,000  defaulted  LlamaConfig.vocab_size
total       208,148,480 (208.15 M)
# a key of the configuration, or a symbol
$ cd $T && test $(numel formula -q c.json --set num_hidden_layers=1 --set K=4) = $((2*32000*2048 + 2048*64*(2*32 + 2*4) + 3*2048*11008 + 2*2048 + 2048))
# the arithmetic agrees

# Errors are one line.
$ numel formula --arch nothing
numel: unknown architecture 'nothing'; see 'numel spec list'
[2]
$ numel formula
numel: nothing to read: give a path, --config FILE, or --arch NAME with --set SYM=N
[2]
$ numel formula --arch llama --set E=4096
numel: the configuration has no num_attention_heads; give it with --set num_attention_heads=VALUE
[3]
$ cd $T && numel formula c.json --set X=1
numel: --set: llama has no symbol X: E, L, H, K, D, F, V, or a key of its configuration
[2]
$ cd $T && numel formula c.json --set X
numel: c.json: 'X' is not NAME=VALUE
[2]
$ cd $T && numel formula none.json
numel: none.json: cannot open: No such file or directory
[3]
$ echo '{"model_type": "never-heard-of"}' > $T/d.json && cd $T && numel formula d.json
numel: d.json: no specification for model_type 'never-heard-of'
[3]
$ echo '{"model_type": "llama",' > $T/e.json && cd $T && numel formula e.json
numel: e.json:24: expected a string, the JSON text ends
[3]
$ echo '{"model_type": "llama", "hidden_size": "wide"}' > $T/f.json && cd $T && numel formula f.json
numel: f.json: hidden_size is "wide", which is not a whole number from 1 to 2^53
[3]
$ echo '{"model_type": "llama", "hidden_size": 1e30}' > $T/f.json && cd $T && numel formula f.json
numel: f.json: hidden_size is 1e+30, which is not a whole number from 1 to 2^53
[3]
$ echo '{"model_type": "llama", "hidden_size": 9007199254740993, "vocab_size": 9007199254740993}' > $T/g.json && cd $T && numel formula -q g.json
numel: g.json: hidden_size is 9007199254740993, which is not a whole number from 1 to 2^53
[3]
$ numel formula a b
usage: numel formula [PATH|CONFIG]
[2]

# A folder whose shards were not downloaded, or are Git LFS pointers, or links into a deleted cache: the
# configuration is enough. Broken files are refused; so is a folder without a configuration.
$ mkdir $T/empty && cp fixtures/llama-2-7b/*.json $T/empty && cd $T && numel formula -q empty
numel: empty: all 2 shards are missing (the first is 'model-00001-of-00002.safetensors'): download them
numel: empty: only its configuration is used
6738415616
$ cd $T && numel print -q empty; numel explain -q 6738415616 empty/model.safetensors.index.json
numel: empty: all 2 shards are missing (the first is 'model-00001-of-00002.safetensors'): download them
numel: empty: only its configuration is used
20
numel: empty/model.safetensors.index.json: all 2 shards are missing (the first is 'model-00001-of-00002.safetensors'): download them
numel: empty/model.safetensors.index.json: only its configuration is used
0
$ cd $T && numel reconcile -q empty
numel: empty/model.safetensors.index.json: all 2 shards are missing (the first is 'model-00001-of-00002.safetensors'): download them
0
[1]
$ mkdir $T/lfs && cp fixtures/llama-2-7b/*.json $T/lfs && cd $T && for i in 1 2; do printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 13476835328\n' $i > lfs/model-0000$i-of-00002.safetensors; done; numel formula -q lfs
numel: lfs/model-00001-of-00002.safetensors:0: is a Git LFS pointer to 13,476,835,328 bytes, not the file: run 'git lfs pull', or download it again
numel: lfs: only its configuration is used
6738415616
$ mkdir $T/links && cp fixtures/llama-2-7b/config.json $T/links && cd $T && ln -s ../blobs/none links/model.safetensors && numel formula -q links
numel: links/model.safetensors: cannot open: No such file or directory
numel: links/model.safetensors: only its configuration is used
6738415616
$ mkdir $T/broken && cp fixtures/llama-2-7b/config.json $T/broken && cd $T && printf 'broken' > broken/model.safetensors && numel formula -q broken
numel: broken/model.safetensors:0: is plain text ('broken'): a server's response, or a link saved as text: download the file again
[3]
# A missing path does not read the configuration next to it.
$ cd $T/links && numel formula -q none.safetensors
numel: none.safetensors: cannot open: No such file or directory
[3]
$ cd $T && rm empty/config.json && numel formula -q empty
numel: empty: all 2 shards are missing (the first is 'model-00001-of-00002.safetensors'): download them
numel: empty: only its configuration is used
numel: empty: no configuration (--config FILE, or --arch NAME with --set SYM=N)
[3]

# ChatGLM's class ChatGLMModel contains the output layer. E 8, 2 layers, 2 heads of 4, 1 group, F 16, V 10: 10 x 8
# + 2 x (8 + 8 x 16 + 16 + 8 x 8 + 8 + 2 x 16 x 8 + 8 x 16) + 8 + 10 x 8 = 80 + 2 x 608 + 88 = 1,384.
$ printf '{"model_type":"chatglm","architectures":["ChatGLMModel"],"hidden_size":8,"num_layers":2,"num_attention_heads":2,"multi_query_attention":true,"multi_query_group_num":1,"kv_channels":4,"ffn_hidden_size":16,"padded_vocab_size":10,"add_qkv_bias":true}' > $T/chatglm.json; numel formula -q $T/chatglm.json
1384
# A classifier around it has its own head in addition: 3 x 8 + 3 = 27 more.
$ sed 's/ChatGLMModel/ChatGLMForSequenceClassification/; s/}$/,"id2label":{"0":"a","1":"b","2":"c"}}/' $T/chatglm.json > $T/head.json; numel formula -q $T/head.json
1411

# Nemotron-H: layers_block_type lists the layers, and its length is their number, regardless of num_hidden_layers.
# E 8; Mamba (2 heads of 4, 1 group, state 4, kernel 4) 26 x 8 + 16 x 4 + 16 + 3 x 2 + 8 + 8 x 8 = 366; 2 experts
# of 6 and a router 2 x (2 x 6 x 8) + 16 = 208; attention (2 heads of 4, 1 for k and v) 192; MLP of 16 256; norms 4
# x 8 + 8; embedding and head 2 x 80: 366 + 208 + 192 + 256 + 40 + 160 = 1,222.
$ printf '{"model_type":"nemotron_h","num_hidden_layers":9,"layers_block_type":["mamba","moe","attention","mlp"],"hidden_size":8,"num_attention_heads":2,"num_key_value_heads":1,"head_dim":4,"intermediate_size":16,"mamba_num_heads":2,"mamba_head_dim":4,"n_groups":1,"ssm_state_size":4,"conv_kernel":4,"n_routed_experts":2,"moe_intermediate_size":6,"moe_shared_expert_intermediate_size":0,"vocab_size":10}' > $T/nemotron.json; numel formula -q $T/nemotron.json
1222
$ sed 's/"layers_block_type":[^]]*]/"hybrid_override_pattern":"ME*-"/; s/_layers":9/_layers":4/' $T/nemotron.json > $T/pattern.json; numel formula -q $T/pattern.json
1222
# An unknown kind of layer, a pattern that is too short; and neither: the class then has these four, regardless of
# num_hidden_layers.
$ cd $T && sed 's/"mlp"/"conv"/' nemotron.json > x.json; numel formula -q x.json
numel: x.json: 'conv' (layers_block_type) is not an integer
[3]
$ cd $T && sed 's/_layers":4/_layers":5/' pattern.json > x.json; numel formula -q x.json
numel: x.json: hybrid_override_pattern has 4 values, but number 4 (from 0) is used
[3]
$ cd $T && sed 's/"layers_block_type":[^]]*],//' nemotron.json > x.json; numel formula -q x.json
1222

# Values that a class derives from other keys apply while those keys have their defaults, stated or not: LeViT's
# down_ops of key_dim.
$ printf '{"model_type":"levit","architectures":["LevitModel"]}' | numel formula -q -
8442400
$ printf '{"model_type":"levit","architectures":["LevitModel"],"key_dim":[16,16,16]}' | numel formula -q -
8442400
$ printf '{"model_type":"levit","architectures":["LevitModel"],"key_dim":[16,16,32]}' | numel formula -q -
numel: standard input: the configuration has no down_ops; give it with --set down_ops=VALUE
[3]
# A stated part belongs to its own class, and the composite's defaults for a missing part no longer apply: pi0's
# second Gemma then has Gemma's width. Cohere's recognizer completes its encoder's configuration.
$ printf '{"model_type":"pi0","architectures":["PI0ForConditionalGeneration"],"dit_config":{"num_hidden_layers":2}}' | numel formula - | grep '^dit[.][EL] '
dit.E     3,072  defaulted  GemmaConfig.dit_config.hidden_size
dit.L         2  declared   dit_config.num_hidden_layers
$ printf '{"model_type":"cohere_asr","architectures":["CohereAsrModel"],"encoder_config":{"num_hidden_layers":3}}' | numel formula -q -
277020672

# A missing key is reported in the terms of the configuration, never by a line of a specification: each key is
# dropped in turn.
$ for f in fixtures/*/config.json; do python3 -c 'import json,sys; c=json.load(open(sys.argv[1])); [print(json.dumps({a: b for a, b in c.items() if a != k})) for k in c]' $f; done > $T/k; wc -l < $T/k | awk '{print ($1 > 200)}'; while IFS= read -r c; do printf %s "$c" | numel formula -q -; done < $T/k 2>&1 | grep -c 'line [0-9]\|[.]spec'
1
0
[1]
$ numel formula -a nemotron_h
numel: the configuration has no hybrid_override_pattern; give it with --set hybrid_override_pattern=VALUE
[3]

# A size under another class's name is not used, and is reported: GPT-2's n_embd in a Llama, whose width stays
# LlamaConfig's 4,096.
$ printf '{"model_type":"llama","architectures":["LlamaForCausalLM"],"n_embd":2048}' | numel formula - | grep -A1 '^not read'; printf '{"model_type":"llama","architectures":["LlamaForCausalLM"]}' | numel formula -q -; printf '{"model_type":"llama","architectures":["LlamaForCausalLM"],"n_embd":2048}' | numel formula -q -
not read  value  class        reads        default
n_embd    2,048  LlamaConfig  hidden_size    4,096
6738415616
6738415616
$ printf '{"model_type":"llava","architectures":["LlavaForConditionalGeneration"],"text_config":{"model_type":"llama","n_layer":3}}' | numel formula --json - | grep -A1 '"unread"'
 "unread": [
  {"key":"n_layer","value":3,"class":"LlamaConfig","instead":"num_hidden_layers","default":32}],
# Neighbours: the class's own alias is read; the size is also given under its own name; the key is not a size; the
# value is the default.
$ for c in '"gpt2","hidden_size":1024' '"llama","hidden_size":2048,"n_embd":1' '"llama","n_wheels":4' '"deepseek_v3","head_dim":64'; do printf '{"model_type":%s}' "$c" | numel formula - | grep -c '^not read'; done
0
0
0
0
[1]
# Types whose default configuration builds no class; the missing value is reported: which layers have experts, the
# Q-Former's windows, the neck's kernels.
$ printf '{"model_type":"deepseek_ocr2","architectures":["DeepseekOcr2ForConditionalGeneration"]}' | numel formula -q -
numel: standard input: mlp_layer_types is missing: nothing else in DeepSeek-OCR 2 shows which layers have experts
[3]
$ printf '{"model_type":"deepseek_ocr2","architectures":["DeepseekOcr2ForConditionalGeneration"],"text_config":{"num_hidden_layers":2,"mlp_layer_types":["dense","sparse"]}}' | numel formula -q -
13168305408
$ for r in '"4/8"' '"4"' '"0/8"' 0.5; do printf '{"model_type":"granite4_vision","architectures":["Granite4VisionForConditionalGeneration"],"text_config":{"num_hidden_layers":2},"downsample_rate":%s,"deepstack_layer_map":[[-1,0],[-3,4]]}' "$r" | numel formula -q -; done
830371584
numel: standard input: downsample_rate is not two numbers, like 4/8
numel: standard input: downsample_rate is not two numbers, like 4/8
numel: standard input: downsample_rate is 0.5, so no Granite4VisionConfig can be built
[3]
$ printf '{"model_type":"pp_ocrv6_medium_det","architectures":["PPOCRV6MediumDetModel"]}' | numel formula -q -
numel: standard input: the configuration has no intraclass_block_config.reduce_channel; give it with --set intraclass_block_config.reduce_channel=VALUE
[3]
$ printf '{"model_type":"diffusion_gemma","architectures":["DiffusionGemmaModel"]}' | numel formula -q -
numel: standard input: the configuration has no text_config.num_experts; give it with --set text_config.num_experts=VALUE
[3]

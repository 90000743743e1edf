# numel show: the main job, in its views. Totals from the published facts in docs and fixtures/README.md.
$ numel fixtures/llama-2-7b
fixtures/llama-2-7b
format        safetensors, 2 files
architecture  llama (LlamaForCausalLM, by config.json)
parameters    6,738,415,616 (6.74 B)
context       4,096 tokens (max_position_embeddings)
size          12.55 GiB
tensors       291
elements      6,738,415,616 (6.74 B)
types         F16
bytes         13,476,864,776 = header 33,544 + data (absent) 13,476,831,232
data          absent (header-only copy)
verdict       agrees with llama: 6,738,415,616 parameters

name                               shape                      each       elements   share      bytes
lm_head.weight                     [32000, 4096]                      131,072,000   1.9 %  250.0 MiB
model.embed_tokens.weight          [32000, 4096]                      131,072,000   1.9 %  250.0 MiB
model.layers.[0-31]                               32 x 202,383,360  6,476,267,520  96.1 %   12.0 GiB
  input_layernorm.weight           [4096]               32 x 4,096        131,072   0.0 %  256.0 KiB
  mlp.down_proj.weight             [4096, 11008]   32 x 45,088,768  1,442,840,576  21.4 %    2.6 GiB
  mlp.gate_proj.weight             [11008, 4096]   32 x 45,088,768  1,442,840,576  21.4 %    2.6 GiB
  mlp.up_proj.weight               [11008, 4096]   32 x 45,088,768  1,442,840,576  21.4 %    2.6 GiB
  post_attention_layernorm.weight  [4096]               32 x 4,096        131,072   0.0 %  256.0 KiB
  self_attn.k_proj.weight          [4096, 4096]    32 x 16,777,216    536,870,912   8.0 %    1.0 GiB
  self_attn.o_proj.weight          [4096, 4096]    32 x 16,777,216    536,870,912   8.0 %    1.0 GiB
  self_attn.q_proj.weight          [4096, 4096]    32 x 16,777,216    536,870,912   8.0 %    1.0 GiB
  self_attn.v_proj.weight          [4096, 4096]    32 x 16,777,216    536,870,912   8.0 %    1.0 GiB
model.norm.weight                  [4096]                                   4,096   0.0 %    8.0 KiB

note  data-absent  header-only copies: the tensor data was left out on purpose
$ numel show fixtures/llama-2-7b --depth 1
fixtures/llama-2-7b
format        safetensors, 2 files
architecture  llama (LlamaForCausalLM, by config.json)
parameters    6,738,415,616 (6.74 B)
context       4,096 tokens (max_position_embeddings)
size          12.55 GiB
tensors       291
elements      6,738,415,616 (6.74 B)
types         F16
bytes         13,476,864,776 = header 33,544 + data (absent) 13,476,831,232
data          absent (header-only copy)
verdict       agrees with llama: 6,738,415,616 parameters

name            shape               elements   share      bytes
lm_head.weight  [32000, 4096]    131,072,000   1.9 %  250.0 MiB
model                          6,607,343,616  98.1 %   12.3 GiB

note  data-absent  header-only copies: the tensor data was left out on purpose
$ numel fixtures/llama-2-7b --by dtype
fixtures/llama-2-7b
format        safetensors, 2 files
architecture  llama (LlamaForCausalLM, by config.json)
parameters    6,738,415,616 (6.74 B)
context       4,096 tokens (max_position_embeddings)
size          12.55 GiB
tensors       291
elements      6,738,415,616 (6.74 B)
types         F16
bytes         13,476,864,776 = header 33,544 + data (absent) 13,476,831,232
data          absent (header-only copy)
verdict       agrees with llama: 6,738,415,616 parameters

name       elements    share     bytes
F16   6,738,415,616  100.0 %  12.5 GiB

note  data-absent  header-only copies: the tensor data was left out on purpose
$ numel fixtures/llama-2-7b --by file
fixtures/llama-2-7b
format        safetensors, 2 files
architecture  llama (LlamaForCausalLM, by config.json)
parameters    6,738,415,616 (6.74 B)
context       4,096 tokens (max_position_embeddings)
size          12.55 GiB
tensors       291
elements      6,738,415,616 (6.74 B)
types         F16
bytes         13,476,864,776 = header 33,544 + data (absent) 13,476,831,232
data          absent (header-only copy)
verdict       agrees with llama: 6,738,415,616 parameters

name                                                                elements   share    bytes
fixtures/llama-2-7b/model-00001-of-00002.safetensors.head.zst  4,988,272,640  74.0 %  9.2 GiB
fixtures/llama-2-7b/model-00002-of-00002.safetensors.head.zst  1,750,142,976  26.0 %  3.2 GiB

note  data-absent  header-only copies: the tensor data was left out on purpose
$ numel fixtures/llama-2-7b --sort elements --depth 2
fixtures/llama-2-7b
format        safetensors, 2 files
architecture  llama (LlamaForCausalLM, by config.json)
parameters    6,738,415,616 (6.74 B)
context       4,096 tokens (max_position_embeddings)
size          12.55 GiB
tensors       291
elements      6,738,415,616 (6.74 B)
types         F16
bytes         13,476,864,776 = header 33,544 + data (absent) 13,476,831,232
data          absent (header-only copy)
verdict       agrees with llama: 6,738,415,616 parameters

name                       shape                      each       elements   share      bytes
model.layers.[0-31]                       32 x 202,383,360  6,476,267,520  96.1 %   12.0 GiB
model.embed_tokens.weight  [32000, 4096]                      131,072,000   1.9 %  250.0 MiB
model.norm.weight          [4096]                                   4,096   0.0 %    8.0 KiB
lm_head.weight             [32000, 4096]                      131,072,000   1.9 %  250.0 MiB

note  data-absent  header-only copies: the tensor data was left out on purpose
$ numel -q fixtures/llama-2-7b fixtures/llama-3.1-8b fixtures/mixtral-8x7b fixtures/gpt2 fixtures/qwen3-0.6b
6738415616
8030261248
46702792704
137022720
751632384
$ numel fixtures/deepseek-v3
fixtures/deepseek-v3
format        safetensors, 163 files
architecture  deepseek_v3 (DeepseekV3ForCausalLM, by config.json)
parameters    671,026,404,352 (671.03 B), 37,552,282,624 (37.55 B) active
context       163,840 tokens (max_position_embeddings)
size          641.30 GiB
tensors       91,991
elements      684,531,386,000 (684.53 B)
types         F8_E4M3, BF16, F32
quantization  FP8, symmetric (by config.json)
packed        45,808 modules, 8.00 bits per weight, 8.05 over the whole file
unquantized   59 x mlp.gate, eh_proj, shared_head.head, lm_head
bytes         688,586,378,392 = header 11,539,032 + data (absent) 688,574,839,360
data          absent (header-only copy)
verdict       agrees with deepseek_v3: 671,026,404,352 parameters

type     tensors         elements   share      bytes
F8_E4M3   45,808  680,571,043,840  99.4 %  633.8 GiB
BF16         316    3,918,786,560   0.6 %    7.2 GiB
F32       45,867       41,555,600   0.0 %  158.5 MiB

name                                             shape           type                             each         elements   share      bytes
lm_head.weight                                   [129280, 7168]  BF16                                       926,679,040   0.1 %    1.7 GiB
model.embed_tokens.weight                        [129280, 7168]  BF16                                       926,679,040   0.1 %    1.7 GiB
model.layers.[0-2]                                               BF16+F8_E4M3+F32      3 x 583,519,032    1,750,557,096   0.3 %    1.6 GiB
  input_layernorm.weight                         [7168]          BF16                        3 x 7,168           21,504   0.0 %   42.0 KiB
  mlp                                                            F8_E4M3+F32           3 x 396,385,920    1,189,157,760   0.2 %    1.1 GiB
  post_attention_layernorm.weight                [7168]          BF16                        3 x 7,168           21,504   0.0 %   42.0 KiB
  self_attn                                                      BF16+F8_E4M3+F32      3 x 187,118,776      561,356,328   0.1 %  535.4 MiB
model.layers.[3-60]                                              BF16+F8_E4M3+F32  58 x 11,507,988,536  667,463,335,088  97.5 %  621.8 GiB
  input_layernorm.weight                         [7168]          BF16                       58 x 7,168          415,744   0.0 %  812.0 KiB
  mlp                                                            BF16+F8_E4M3+F32  58 x 11,320,855,424  656,609,614,592  95.9 %  611.7 GiB
  post_attention_layernorm.weight                [7168]          BF16                       58 x 7,168          415,744   0.0 %  812.0 KiB
  self_attn                                                      BF16+F8_E4M3+F32     58 x 187,118,776   10,852,889,008   1.6 %   10.1 GiB
model.layers.61.eh_proj.weight                   [7168, 14336]   BF16                                       102,760,448   0.0 %  196.0 MiB
model.layers.61.embed_tokens.weight              [129280, 7168]  BF16                                       926,679,040   0.1 %    1.7 GiB
model.layers.61.enorm.weight                     [7168]          BF16                                             7,168   0.0 %   14.0 KiB
model.layers.61.hnorm.weight                     [7168]          BF16                                             7,168   0.0 %   14.0 KiB
model.layers.61.input_layernorm.weight           [7168]          BF16                                             7,168   0.0 %   14.0 KiB
model.layers.61.mlp                                              BF16+F8_E4M3+F32                        11,320,855,424   1.7 %   10.5 GiB
model.layers.61.post_attention_layernorm.weight  [7168]          BF16                                             7,168   0.0 %   14.0 KiB
model.layers.61.self_attn                                        BF16+F8_E4M3+F32                           187,118,776   0.0 %  178.4 MiB
model.layers.61.shared_head                                      BF16                                       926,686,208   0.1 %    1.7 GiB
model.norm.weight                                [7168]          BF16                                             7,168   0.0 %   14.0 KiB

note  data-absent  header-only copies: the tensor data was left out on purpose
$ numel fixtures/mixtral-8x7b --no-truncate
fixtures/mixtral-8x7b
format        safetensors, 19 files
architecture  mixtral (MixtralForCausalLM, by config.json)
parameters    46,702,792,704 (46.70 B), 12,879,925,248 (12.88 B) active
context       32,768 tokens (max_position_embeddings)
size          86.99 GiB
tensors       995
elements      46,702,792,704 (46.70 B)
types         BF16
bytes         93,405,713,504 = header 128,096 + data (absent) 93,405,585,408
data          absent (header-only copy)
verdict       agrees with mixtral: 46,702,792,704 parameters

name                               shape                        each        elements   share      bytes
lm_head.weight                     [32000, 4096]                         131,072,000   0.3 %  250.0 MiB
model.embed_tokens.weight          [32000, 4096]                         131,072,000   0.3 %  250.0 MiB
model.layers.[0-31]                               32 x 1,451,270,144  46,440,644,608  99.4 %   86.5 GiB
  block_sparse_moe.experts.[0-7]                   256 x 176,160,768  45,097,156,608  96.6 %   84.0 GiB
    w1.weight                      [14336, 4096]    256 x 58,720,256  15,032,385,536  32.2 %   28.0 GiB
    w2.weight                      [4096, 14336]    256 x 58,720,256  15,032,385,536  32.2 %   28.0 GiB
    w3.weight                      [14336, 4096]    256 x 58,720,256  15,032,385,536  32.2 %   28.0 GiB
  block_sparse_moe.gate.weight     [8, 4096]             32 x 32,768       1,048,576   0.0 %    2.0 MiB
  input_layernorm.weight           [4096]                 32 x 4,096         131,072   0.0 %  256.0 KiB
  post_attention_layernorm.weight  [4096]                 32 x 4,096         131,072   0.0 %  256.0 KiB
  self_attn.k_proj.weight          [1024, 4096]       32 x 4,194,304     134,217,728   0.3 %  256.0 MiB
  self_attn.o_proj.weight          [4096, 4096]      32 x 16,777,216     536,870,912   1.1 %    1.0 GiB
  self_attn.q_proj.weight          [4096, 4096]      32 x 16,777,216     536,870,912   1.1 %    1.0 GiB
  self_attn.v_proj.weight          [1024, 4096]       32 x 4,194,304     134,217,728   0.3 %  256.0 MiB
model.norm.weight                  [4096]                                      4,096   0.0 %    8.0 KiB

note  data-absent  header-only copies: the tensor data was left out on purpose
# any shard stands for its set, an index too
$ numel -q fixtures/llama-2-7b/model-00002-of-00002.safetensors.head.zst
6738415616
$ numel -q fixtures/llama-2-7b/model.safetensors.index.json
6738415616
# narrow terminals: names lose their middle, then columns go
$ COLUMNS=80 numel fixtures/llama-2-7b
fixtures/llama-2-7b
format        safetensors, 2 files
architecture  llama (LlamaForCausalLM, by config.json)
parameters    6,738,415,616 (6.74 B)
context       4,096 tokens (max_position_embeddings)
size          12.55 GiB
tensors       291
elements      6,738,415,616 (6.74 B)
types         F16
bytes         13,476,864,776 = header 33,544 + data (absent) 13,476,831,232
data          absent (header-only copy)
verdict       agrees with llama: 6,738,415,616 parameters

name                               shape               elements      bytes
lm_head.weight                     [32000, 4096]    131,072,000  250.0 MiB
model.embed_tokens.weight          [32000, 4096]    131,072,000  250.0 MiB
model.layers.[0-31]                               6,476,267,520   12.0 GiB
  input_layernorm.weight           [4096]               131,072  256.0 KiB
  mlp.down_proj.weight             [4096, 11008]  1,442,840,576    2.6 GiB
  mlp.gate_proj.weight             [11008, 4096]  1,442,840,576    2.6 GiB
  mlp.up_proj.weight               [11008, 4096]  1,442,840,576    2.6 GiB
  post_attention_layernorm.weight  [4096]               131,072  256.0 KiB
  self_attn.k_proj.weight          [4096, 4096]     536,870,912    1.0 GiB
  self_attn.o_proj.weight          [4096, 4096]     536,870,912    1.0 GiB
  self_attn.q_proj.weight          [4096, 4096]     536,870,912    1.0 GiB
  self_attn.v_proj.weight          [4096, 4096]     536,870,912    1.0 GiB
model.norm.weight                  [4096]                 4,096    8.0 KiB

note  data-absent  header-only copies: the tensor data was left out on purpose
$ COLUMNS=40 numel fixtures/llama-2-7b --depth 2
fixtures/llama-2-7b
format        safetensors, 2 files
architecture  llama (LlamaForCausalLM,
              by config.json)
parameters    6,738,415,616 (6.74 B)
context       4,096 tokens
              (max_position_embeddings)
size          12.55 GiB
tensors       291
elements      6,738,415,616 (6.74 B)
types         F16
bytes         13,476,864,776 = header
              33,544 + data (absent)
              13,476,831,232
data          absent (header-only copy)
verdict       agrees with llama:
              6,738,415,616 parameters

name                            elements
lm_head.weight               131,072,000
model.embed_tokens.weight    131,072,000
model.layers.[0-31]        6,476,267,520
model.norm.weight                  4,096

note  data-absent
    header-only copies: the tensor data
    was left out on purpose
$ numel fixtures/llama-3.1-8b-q4_k_m-split --depth 1
fixtures/llama-3.1-8b-q4_k_m-split
format        gguf v3, 2 files
architecture  llama (by metadata)
parameters    8,030,261,248 (8.03 B)
context       131,072 tokens (context_length)
size          4.58 GiB
tensors       292
elements      8,030,261,312 (8.03 B)
types         Q4_K, Q6_K, F32
quantization  Q4_K_M (by general.file_type)
packed        226 tensors, 4.89 bits per weight, 4.89 over the whole file
mixture       attn_v, ffn_down Q6_K in 16 of 32 layers; output Q6_K
bytes         4,919,563,520 = header 6,665,178 + data (absent) 4,912,898,304 + padding 38
data          absent (header-only copy)
verdict       agrees with llama: 8,030,261,248 parameters

type  tensors       elements   share    bytes
Q4_K      193  6,498,025,472  80.9 %  3.4 GiB
Q6_K       33  1,531,969,536  19.1 %  1.1 GiB
F32        66        266,304   0.0 %  1.0 MiB

name                shape           type                       each       elements   share      bytes
blk.[0-31]                          Q4_K+F32+Q6_K  32 x 218,112,000  6,979,584,000  86.9 %    3.8 GiB
output.weight       [128256, 4096]  Q6_K                               525,336,576   6.5 %  410.9 MiB
output_norm.weight  [4096]          F32                                      4,096   0.0 %   16.0 KiB
rope_freqs.weight   [64]            F32                                         64   0.0 %      256 B
token_embd.weight   [128256, 4096]  Q4_K                               525,336,576   6.5 %  281.8 MiB

note  data-absent  header-only copies: the tensor data was left out on purpose

# One spec serves several architectures: the verdict uses the name at the top, JSON has both.
$ numel fixtures/qwen3-0.6b | grep -E '^(architecture|verdict)'; numel reconcile fixtures/qwen3-0.6b | grep -E '^(architecture|formula)'; numel show --json fixtures/qwen3-0.6b | grep '"spec"'
architecture  qwen3 (Qwen3ForCausalLM, by config.json)
verdict       agrees with qwen3: 596,049,920 parameters; lm_head.weight is a stored copy of model.embed_tokens.weight (tied), values not compared
architecture  qwen3 (by fixtures/qwen3-0.6b/config.json)
formula               310   596,049,920  qwen3, 310 tensors expected
 "architecture": {"name":"qwen3","spec":"qwen2","from":"config.json","class":"Qwen3ForCausalLM"},
$ numel formula fixtures/qwen3-0.6b --arch llama | grep ^architecture; mkdir $T/q && cp fixtures/qwen3-0.6b/* $T/q && sed -i 's/"hidden_size": 1024/"hidden_size": 1032/' $T/q/config.json && numel $T/q | grep ^verdict
architecture  llama (by fixtures/qwen3-0.6b/config.json)
verdict       disagrees with qwen3: 0 missing, 255 of the wrong shape, 0 unexpected (see 'numel reconcile')

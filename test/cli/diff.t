# numel diff: two checkpoints beside each other. What converters do: diff_convert.t.

# The same: exit status 0.
$ numel diff fixtures/qwen3-0.6b fixtures/qwen3-0.6b
a         fixtures/qwen3-0.6b/model.safetensors.head.zst
b         fixtures/qwen3-0.6b/model.safetensors.head.zst
compared  by name; headers only: numel hash compares the data

cause        tensors     elements    bytes
a                311  751,632,384  1.3 GiB
b                311  751,632,384  1.3 GiB
unexplained                     0

equal: 311 tensors of the same name, shape and type

# 32 x 64 = 2,048 rotary frequencies.
$ numel diff fixtures/llama-2-7b fixtures/llama-2-7b-2023
a         fixtures/llama-2-7b
b         fixtures/llama-2-7b-2023
compared  by name and role; headers only: numel hash compares the data

cause        tensors       elements     bytes
a                291  6,738,415,616  12.5 GiB
buffers          +32         +2,048  +4.0 KiB  model.layers.0.self_attn.rotary_emb.inv_freq and 31 more
b                323  6,738,417,664  12.5 GiB
unexplained                       0

name                                               change  what      times  elements     bytes
model.layers.[0-31].self_attn.rotary_emb.inv_freq  added   F16 [64]     32    +2,048  +4.0 KiB

differ: 32 added; 291 of 291 tensors the same
[1]

# Other sizes: 8,030,261,248 - 6,738,415,616 = 1,291,845,632.
$ numel diff fixtures/llama-2-7b fixtures/llama-3.1-8b | sed 1,3d

cause        tensors        elements     bytes
a                291   6,738,415,616  12.5 GiB
reshaped          +0  +1,291,845,632  +2.4 GiB  model.embed_tokens.weight and 161 more
retyped           +0              +0      +0 B  model.layers.0.input_layernorm.weight and 128 more
b                291   8,030,261,248  14.9 GiB
unexplained                        0

name                               change    what                                 times      elements       bytes
model.layers.[0-31]
  mlp.down_proj.weight             reshaped  [4096, 11008 -> 14336] F16 -> BF16      32  +436,207,616  +832.0 MiB
  mlp.gate_proj.weight             reshaped  [11008 -> 14336, 4096] F16 -> BF16      32  +436,207,616  +832.0 MiB
  mlp.up_proj.weight               reshaped  [11008 -> 14336, 4096] F16 -> BF16      32  +436,207,616  +832.0 MiB
  self_attn.k_proj.weight          reshaped  [4096 -> 1024, 4096] F16 -> BF16        32  -402,653,184  -768.0 MiB
  self_attn.v_proj.weight          reshaped  [4096 -> 1024, 4096] F16 -> BF16        32  -402,653,184  -768.0 MiB
  input_layernorm.weight           retyped   F16 -> BF16                             32            +0        +0 B
  post_attention_layernorm.weight  retyped   F16 -> BF16                             32            +0        +0 B
  self_attn.o_proj.weight          retyped   F16 -> BF16                             32            +0        +0 B
  self_attn.q_proj.weight          retyped   F16 -> BF16                             32            +0        +0 B
model.embed_tokens.weight          reshaped  [32000 -> 128256, 4096] F16 -> BF16      1  +394,264,576  +752.0 MiB
lm_head.weight                     reshaped  [32000 -> 128256, 4096] F16 -> BF16      1  +394,264,576  +752.0 MiB
model.norm.weight                  retyped   F16 -> BF16                              1            +0        +0 B

differ: 162 reshaped, 129 retyped; 0 of 291 tensors the same

# numel diff: two checkpoints beside each other.

$ numel diff fixtures/llama-2-7b fixtures/llama-2-7b-2023
a         fixtures/llama-2-7b
b         fixtures/llama-2-7b-2023
compared  by name; headers only: equal data is not known, numel hash tells

cause        tensors       elements     bytes
a                291  6,738,415,616  12.5 GiB
added            +32         +2,048  +4.0 KiB  model.layers.0.self_attn.rotary_emb.inv_freq
b                323  6,738,417,664  12.5 GiB
unexplained                       0

change  name                                               what      times  elements     bytes
added   model.layers.[0-31].self_attn.rotary_emb.inv_freq  F16 [64]     32    +2,048  +4.0 KiB

differ: 32 added, 0 removed, 0 reshaped, 0 of another type; 291 tensors the same
[1]
# 32 x 64 = 2,048

# numel tensors: names, sorting, matching.
$ numel tensors fixtures/gpt2 --match 'h.[01].ln_1.*'
name             type  shape  elements  bytes    offset  role
h.0.ln_1.bias    F32   [768]       768  3,072  13658128  norm.attn.bias
h.0.ln_1.weight  F32   [768]       768  3,072  13661200  norm.attn
h.1.ln_1.bias    F32   [768]       768  3,072  46203920  norm.attn.bias
h.1.ln_1.weight  F32   [768]       768  3,072  46206992  norm.attn
$ numel tensors fixtures/gpt2 --sort elements | head -4
name                     type  shape                 elements        bytes     offset  role
wte.weight               F32   [50257, 768]        38,597,376  154,389,504  393715728  embed.tok
h.0.mlp.c_fc.weight      F32   [768, 3072]          2,359,296    9,437,184   13682704  mlp.up
h.0.mlp.c_proj.weight    F32   [3072, 768]          2,359,296    9,437,184   23122960  mlp.down
$ numel tensors fixtures/llama-2-7b --match '*layers.10.*norm*'
name                                             type  shape   elements  bytes      offset  file                                                           role
model.layers.10.input_layernorm.weight           F16   [4096]     4,096  8,192  1071702464  fixtures/llama-2-7b/model-00001-of-00002.safetensors.head.zst  norm.attn
model.layers.10.post_attention_layernorm.weight  F16   [4096]     4,096  8,192  1342243264  fixtures/llama-2-7b/model-00001-of-00002.safetensors.head.zst  norm.mlp
$ numel tensors fixtures/gpt2 --sort offset | tail -2
wpe.weight               F32   [1024, 768]            786,432    3,145,728  390570000  embed.pos
wte.weight               F32   [50257, 768]        38,597,376  154,389,504  393715728  embed.tok
$ COLUMNS=60 numel tensors fixtures/llama-2-7b --match '*.0.mlp*'
name                                 type  shape
model.layers.0.mlp.down_proj.weight  F16   [4096, 11008]
model.layers.0.mlp.gate_proj.weight  F16   [11008, 4096]
model.layers.0.mlp.up_proj.weight    F16   [11008, 4096]
$ numel tensors -q fixtures/llama-2-7b --match '*_proj.weight'
6476005376

# A pattern without a wildcard matches anywhere in a name, one with a wildcard the whole name; with several, one
# must match.
$ numel tensors fixtures/gpt2 -m wte
name        type  shape           elements        bytes     offset  role
wte.weight  F32   [50257, 768]  38,597,376  154,389,504  393715728  embed.tok
$ numel tensors fixtures/gpt2 -m ln_f -m 'wp*'
name         type  shape        elements      bytes     offset  role
ln_f.bias    F32   [768]             768      3,072  390563856  norm.final.bias
ln_f.weight  F32   [768]             768      3,072  390566928  norm.final
wpe.weight   F32   [1024, 768]   786,432  3,145,728  390570000  embed.pos
$ numel tensors fixtures/llama-2-7b -qm q_proj; numel tensors fixtures/llama-2-7b -qm '*q_proj*'; numel formula fixtures/llama-2-7b | grep attn.q
536870912
536870912
attn.q      H*D*E     16,777,216     32    536,870,912   8.0 %
# A pattern without matches is reported, in JSON too: an empty list would look like a checkpoint without tensors.
$ numel tensors fixtures/gpt2 -m q_proj
numel: fixtures/gpt2/model.safetensors.head.zst: none of its 160 tensor names contains 'q_proj'
[1]
$ numel tensors fixtures/gpt2 --json -m q_proj
numel: fixtures/gpt2/model.safetensors.head.zst: none of its 160 tensor names contains 'q_proj'
[1]
$ numel tensors fixtures/gpt2 -m wte -m nope | tail -1; numel tensors fixtures/gpt2 -qm wte -m nope
numel: fixtures/gpt2/model.safetensors.head.zst: none of its 160 tensor names contains 'nope'
wte.weight  F32   [50257, 768]  38,597,376  154,389,504  393715728  embed.tok
numel: fixtures/gpt2/model.safetensors.head.zst: none of its 160 tensor names contains 'nope'
38597376
[1]
$ numel tensors fixtures/gpt2 -m 'c_attn*'
numel: fixtures/gpt2/model.safetensors.head.zst: no complete name matches 'c_attn*'; '*c_attn*' matches 24
[1]
$ numel tensors fixtures/gpt2 -m '[w]te'
numel: fixtures/gpt2/model.safetensors.head.zst: no complete name matches '[w]te'; '*[w]te*' matches 1
[1]
$ numel tensors fixtures/gpt2 -m ''
numel tensors: --match takes a value, but it is empty
[2]
$ numel tensors -qm wte fixtures/gpt2 fixtures/falcon-7b
numel: fixtures/falcon-7b: none of its 196 tensor names contains 'wte'
38597376
0
[1]

# --markdown: for model cards and pull requests. Fields are a table, names are code, a tree is indented. The blanks before headings are added here.
$ numel --markdown fixtures/gpt2 | sed 's/^#/ #/'
 ### `fixtures/gpt2/model.safetensors.head.zst`

|  |  |
| --- | --- |
| format | safetensors |
| architecture | gpt2 (GPT2LMHeadModel, by config.json) |
| parameters | 124,439,808 (124.44 M) |
| context | 1,024 tokens (n_positions) |
| size | 522.71 MiB |
| tensors | 160 |
| elements | 137,022,720 (137.02 M) |
| types | F32 |
| bytes | 548,105,232 = header 14,352 + data (absent) 548,090,880 |
| data | absent (header-only copy) |
| verdict | agrees with gpt2: 124,439,808 parameters; lm_head.weight is tied to wte.weight |

| name | shape | each | elements | share | bytes |
| --- | --- | ---: | ---: | ---: | ---: |
| `h.[0-11]` |  | 12 x 8,136,448 | 97,637,376 | 71.3 % | 372.4 MiB |
| &emsp;`attn.bias` | \[1, 1, 1024, 1024\] | 12 x 1,048,576 | 12,582,912 | 9.2 % | 48.0 MiB |
| &emsp;`attn.c_attn.bias` | \[2304\] | 12 x 2,304 | 27,648 | 0.0 % | 108.0 KiB |
| &emsp;`attn.c_attn.weight` | \[768, 2304\] | 12 x 1,769,472 | 21,233,664 | 15.5 % | 81.0 MiB |
| &emsp;`attn.c_proj.bias` | \[768\] | 12 x 768 | 9,216 | 0.0 % | 36.0 KiB |
| &emsp;`attn.c_proj.weight` | \[768, 768\] | 12 x 589,824 | 7,077,888 | 5.2 % | 27.0 MiB |
| &emsp;`ln_1.bias` | \[768\] | 12 x 768 | 9,216 | 0.0 % | 36.0 KiB |
| &emsp;`ln_1.weight` | \[768\] | 12 x 768 | 9,216 | 0.0 % | 36.0 KiB |
| &emsp;`ln_2.bias` | \[768\] | 12 x 768 | 9,216 | 0.0 % | 36.0 KiB |
| &emsp;`ln_2.weight` | \[768\] | 12 x 768 | 9,216 | 0.0 % | 36.0 KiB |
| &emsp;`mlp.c_fc.bias` | \[3072\] | 12 x 3,072 | 36,864 | 0.0 % | 144.0 KiB |
| &emsp;`mlp.c_fc.weight` | \[768, 3072\] | 12 x 2,359,296 | 28,311,552 | 20.7 % | 108.0 MiB |
| &emsp;`mlp.c_proj.bias` | \[768\] | 12 x 768 | 9,216 | 0.0 % | 36.0 KiB |
| &emsp;`mlp.c_proj.weight` | \[3072, 768\] | 12 x 2,359,296 | 28,311,552 | 20.7 % | 108.0 MiB |
| `ln_f.bias` | \[768\] |  | 768 | 0.0 % | 3.0 KiB |
| `ln_f.weight` | \[768\] |  | 768 | 0.0 % | 3.0 KiB |
| `wpe.weight` | \[1024, 768\] |  | 786,432 | 0.6 % | 3.0 MiB |
| `wte.weight` | \[50257, 768\] |  | 38,597,376 | 28.2 % | 147.2 MiB |

|  |  |  |
| --- | --- | --- |
| note | data-absent | a header-only copy: the tensor data was left out on purpose |
$ numel reconcile --markdown fixtures/gptq-tiny | sed 's/^#/ #/'
 ### `fixtures/gptq-tiny/model.safetensors.head.zst`

|  |  |
| --- | --- |
| architecture | llama (by fixtures/gptq-tiny/config.json) |
| expression | 2\*V\*E + L\*(2\*E + 2\*H\*D\*E + 2\*K\*D\*E + 3\*F\*E) + E |
| quantization | GPTQ 4-bit, group 32 (by config.json) |
| packed | 7 modules, 5.07 bits per weight, 10.35 over the whole file |
| unquantized | lm_head |

| symbol | value | evidence | from |
| --- | ---: | --- | --- |
| E | 64 | declared | `hidden_size` |
| L | 1 | declared | `num_hidden_layers` |
| H | 4 | declared | `num_attention_heads` |
| K | 2 | declared | `num_key_value_heads` |
| D | 16 | defaulted | floor_div(E, H) |
| F | 128 | declared | `intermediate_size` |
| V | 256 | declared | `vocab_size` |

| cause | tensors | elements | bytes |  |
| --- | ---: | ---: | ---: | --- |
| formula | 12 | 69,824 | 64.3 KiB | llama, 12 tensors expected |
| packed values | 7 | -32,256 | 18.0 KiB | model.layers.0.mlp.down_proj.qweight and 6 more |
| scales | 7 | +1,152 | 2.2 KiB | model.layers.0.mlp.down_proj.scales and 6 more |
| zero points | 7 | +144 | 576 B | model.layers.0.mlp.down_proj.qzeros and 6 more |
| group indices | 7 | +512 | 2.0 KiB | model.layers.0.mlp.down_proj.g_idx and 6 more |
| biases written by a quantizer | 7 | +512 | 1.0 KiB | model.layers.0.mlp.down_proj.bias and 6 more |
| stored | 40 | 39,888 | 88.1 KiB |  |
| unexplained |  | 0 |  |  |

agrees: all expected tensors are present, the others are accounted for

|  |  |
| --- | --- |
| parameters | 69,824 (69.82 K) |
| non-embedding | 53,440 (53.44 K) |
| active | 69,824 (69.82 K) |
$ numel memory --markdown fixtures/llama-2-7b --fit 24GiB | sed 's/^#/ #/'
 ### `fixtures/llama-2-7b`

|  |  |
| --- | --- |
| architecture | llama (by fixtures/llama-2-7b/config.json) |
| context | 4,096 tokens |
| runtime | transformers, as measured on its caches |
| keys and values | f16 |

|  | bytes |  |  |
| --- | ---: | ---: | --- |
| `weights` | 13,476,831,232 | 12.55 GiB |  |
| `cache` | 2,147,483,648 | 2.00 GiB | 2\*K\*D per token, 32 layers |
| &emsp;the next token | 524,288 | 512.00 KiB |  |
| `exact` | 15,624,314,880 | 14.55 GiB |  |
| `activations` | 71,431,168 | 68.12 MiB | estimated: see below |
| estimated total | 15,695,746,048 | 14.62 GiB |  |

|  |  |
| --- | --- |
| fits | yes, up to a context of 23,310; or 5 sequences at this one |
| activations | 34 bytes per token read at once and hidden unit, for one layer at a time, and F32 logits |

| context | cache | total |  |  |
| ---: | ---: | ---: | --- | --- |
| 4,096 | 2.00 GiB | 14.62 GiB | \#\#\#\#\#\#\#\#\#\#\#\#\#== |  |
| 8,192 | 4.00 GiB | 16.62 GiB | \#\#\#\#\#\#\#\#\#\#\#\#\#==== | \* |
| 16,384 | 8.00 GiB | 20.62 GiB | \#\#\#\#\#\#\#\#\#\#\#\#\#======== | \* |
| 32,768 | 16.00 GiB | 28.62 GiB | \#\#\#\#\#\#\#\#\#\#\#\#\#===========&gt; | too much |

|  |  |
| --- | --- |
| bars | \# weights, = cache, - activations; \* longer than the model's context |
$ numel diff --markdown fixtures/llama-2-7b fixtures/llama-2-7b-2023
|  |  |
| --- | --- |
| a | `fixtures/llama-2-7b` |
| b | `fixtures/llama-2-7b-2023` |
| compared | by name and role; headers only |

| cause | tensors | elements | bytes |  |
| --- | ---: | ---: | ---: | --- |
| a | 291 | 6,738,415,616 | 12.5 GiB |  |
| buffers | +32 | +2,048 | +4.0 KiB | model.layers.0.self_attn.rotary_emb.inv_freq and 31 more |
| b | 323 | 6,738,417,664 | 12.5 GiB |  |
| unexplained |  | 0 |  |  |

| name | change | what | times | elements | bytes |
| --- | --- | --- | ---: | ---: | ---: |
| `model.layers.[0-31].self_attn.rotary_emb.inv_freq` | added | F16 \[64\] | 32 | +2,048 | +4.0 KiB |

values not compared (--values does)

differ: 32 added; 291 of 291 tensors the same
[1]
$ numel list --markdown fixtures/gpt2 fixtures/gptq-tiny
| name | architecture | parameters | quantization | bits | size | files | verdict |
| --- | --- | ---: | --- | ---: | ---: | ---: | --- |
| `fixtures/gpt2` | `gpt2` | 124.44 M | `F32` | 32.00 | 522.7 MiB | 1 | agrees |
| `fixtures/gptq-tiny` | `llama` | 69.82 K | `gptq-4bit` | 10.35 | 91.9 KiB | 1 | agrees |

|  |  |
| --- | --- |
| total | 2 checkpoints, 2 files, 522.8 MiB (2.1 KiB on disk), 124.51 M parameters |
# several are separated by an empty line
$ numel --markdown fixtures/gpt2 fixtures/bert-base | grep -B1 '^###' | sed 's/^#/ #/'
 ### `fixtures/gpt2/model.safetensors.head.zst`
--

 ### `fixtures/bert-base/model.safetensors.head.zst`
# a name is only text: it makes no element, table cell, code span, mention or link
$ . test/cli/published.sh; st x.safetensors '<img src=x>|`a`:F32:2:1' '@team #12 $x$ :tada: [a](https://b.c) www.d.e:F32:3:1' '*b* _c_ a_b~~d~~:F32:4:1' 'back\slash|x:F32:5:1'; numel --markdown x.safetensors | grep '^| .* B |$'
| size | 367 B |
| \*b\* \_c\_ a_b\~\~d\~\~ | \[4\] | 4 | 28.6 % | 16 B |
| &lt;img src=x&gt;\|\`a\` | \[2\] | 2 | 14.3 % | 8 B |
| @<!-- -->team \#<!-- -->12 <span>$</span>x<span>$</span> :<!-- -->tada: \[a\](https<!-- -->://b.c) www.<!-- -->d.e | \[3\] | 3 | 21.4 % | 12 B |
| back\\\\slash\|x | \[5\] | 5 | 35.7 % | 20 B |
# it excludes other formats, in any order; not every command has it
$ for o in --json --ndjson -q --html=x; do numel --markdown $o fixtures/gpt2; numel $o --markdown fixtures/gpt2; done; numel list --csv --markdown fixtures/gpt2; numel verify --markdown fixtures/gpt2; echo $?
numel show: --markdown cannot be combined with --json
numel show: --markdown cannot be combined with --json
numel show: --markdown cannot be combined with --ndjson
numel show: --markdown cannot be combined with --ndjson
numel show: --markdown cannot be combined with --quiet
numel show: --markdown cannot be combined with --quiet
numel show: --html cannot be combined with --markdown
numel show: --html cannot be combined with --markdown
numel list: --markdown cannot be combined with --csv
numel verify: no option '--markdown'; it belongs to 'numel show', 'numel list', 'numel reconcile', 'numel diff' and 'numel memory'
2

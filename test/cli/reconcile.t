# numel reconcile: formula + named causes = file, the last line is zero. Each cause: causes.t.

$ numel reconcile fixtures/llama-2-7b
fixtures/llama-2-7b
architecture  llama (by fixtures/llama-2-7b/config.json)
expression    2*V*E + L*(2*E + 2*H*D*E + 2*K*D*E + 3*F*E) + E

symbol   value  evidence   from
E        4,096  declared   hidden_size
L           32  declared   num_hidden_layers
H           32  declared   num_attention_heads
K           32  declared   num_key_value_heads
D          128  defaulted  floor_div(E, H)
F       11,008  declared   intermediate_size
V       32,000  declared   vocab_size

cause        tensors       elements
formula          291  6,738,415,616  llama, 291 tensors expected
stored           291  6,738,415,616
unexplained                       0

agrees: all expected tensors are present, and no others

parameters     6,738,415,616 (6.74 B)
non-embedding  6,607,343,616 (6.61 B)
active         6,738,415,616 (6.74 B)
# 2 V E + 32 * 202,383,360 + E = 6,738,415,616
$ numel reconcile fixtures/llama-3.1-8b-q4_k_m
fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst
architecture  llama (by metadata)
expression    2*V*E + L*(2*E + H*D*E + K*D*E + K*Dv*E + E*H*Dv + 3*F*E) + E

symbol    value  evidence   from
E         4,096  declared   embedding_length
L            32  declared   block_count
H            32  declared   attention.head_count
K             8  declared   attention.head_count_kv
D           128  defaulted  E / H
Dv          128  defaulted  E / H
F        14,336  declared   feed_forward_length
V       128,256  declared   vocab_size
R           128  declared   rope.dimension_count

cause        tensors       elements
formula          291  8,030,261,248  llama, 291 tensors expected
buffers            1            +64  rope_freqs.weight
stored           292  8,030,261,312
unexplained                       0

agrees: all expected tensors are present, the others are accounted for; rope_freqs.weight is unknown to llama.cpp before July 2024 (update it)

parameters     8,030,261,248 (8.03 B)
non-embedding  7,504,924,672 (7.50 B)
active         8,030,261,248 (8.03 B)
# the same architecture from GGUF: 8,030,261,248 + rope_freqs 64
$ numel reconcile fixtures/deepseek-v3 | sed -n '/^cause/,$p'
cause                   tensors         elements      bytes
formula                  45,337  671,026,404,352  626.7 GiB  deepseek_v3, 45,337 tensors expected
scales                   45,808      +41,540,496  158.4 MiB  model.layers.0.mlp.down_proj.weight_scale_inv and 45,807 more
buffers                      58          +14,848   58.0 KiB  model.layers.3.mlp.gate.e_score_correction_bias and 57 more
multi-token prediction      788  +13,463,426,304   14.3 GiB  model.layers.61.mlp.gate.e_score_correction_bias and 787 more
stored                   91,991  684,531,386,000  641.2 GiB
unexplained                                    0

agrees: all expected tensors are present, the others are accounted for

parameters     671,026,404,352 (671.03 B)
non-embedding  670,099,725,312 (670.10 B)
active         37,552,282,624 (37.55 B)
# 671,026,404,352 + 14,848 + 13,463,426,304 + 41,540,496 = 684,531,386,000
$ numel reconcile fixtures/qwen3-0.6b | sed -n '/^cause/,$p'
cause             tensors      elements
formula               310   596,049,920  qwen3, 310 tensors expected
tied copy stored        1  +155,582,464  lm_head.weight; values not compared
stored                311   751,632,384
unexplained                           0

agrees: all expected tensors are present, the others are accounted for

parameters     596,049,920 (596.05 M)
non-embedding  440,467,456 (440.47 M)
active         596,049,920 (596.05 M)
# 596,049,920 + the copy 155,582,464 = 751,632,384
$ numel reconcile fixtures/mixtral-8x7b | tail -3
parameters     46,702,792,704 (46.70 B)
non-embedding  46,571,720,704 (46.57 B)
active         12,879,925,248 (12.88 B)
# active: 2 of 8 experts, 46,702,792,704 - 32 * 6 * 3 * 4,096 * 14,336 = 12,879,925,248
$ numel reconcile fixtures/llama-3.1-8b-q4_k_m-split --config fixtures/llama-3.1-8b/config.json | sed -n '1,3p; /^cause/,/^agrees/p'
fixtures/llama-3.1-8b-q4_k_m-split
architecture  llama (by fixtures/llama-3.1-8b/config.json)
expression    2*V*E + L*(2*E + 2*H*D*E + 2*K*D*E + 3*F*E) + E
cause        tensors       elements
formula          291  8,030,261,248  llama, 291 tensors expected
buffers            1            +64  rope_freqs.weight
stored           292  8,030,261,312
unexplained                       0

agrees: all expected tensors are present, the others are accounted for; rope_freqs.weight is unknown to llama.cpp before July 2024 (update it)
# GGUF with the configuration it was made from

# The status: 0 agrees, 1 does not; -q prints the unexplained total.
$ numel reconcile -q fixtures/llama-2-7b
0
$ cp -r fixtures/llama-2-7b $T/m && rm $T/m/model-00002* && cd $T && numel reconcile m --no-truncate | sed -n '/^cause/,/^missing/p'
numel: m/model-00002-of-00002.safetensors: the index names it, but it is missing: download it
cause        tensors        elements
formula          291   6,738,415,616  llama, 291 tensors expected
missing           74  -1,750,142,976  model.layers.24.input_layernorm.weight and 73 more
cause  config.json says num_hidden_layers is 32, the file has 24 layers: layers
       24 to 31 are missing, or it should be 24; 72 follow from it

missing  model.layers.24.input_layernorm.weight           [4096]
# of 291 tensors 74 are in the second file, 3,500,285,952 bytes of F16: 1,750,142,976 elements
$ cd $T && numel reconcile -q m 2>/dev/null
0
[1]
$ cd $T && numel reconcile m 2>/dev/null | grep -c '^missing  [a-z]'
2
# twenty lines by default
$ cd $T && numel reconcile m --no-truncate 2>/dev/null | grep -c '^missing  [a-z]'
74
# 74
$ mkdir $T/two && cp fixtures/llama-2-7b/* $T/two && cd $T/two && cp model-00002* model-00001-of-00002.safetensors.head.zst && numel reconcile . 2>/dev/null | sed -n '/^cause/,/^disagrees/p'
cause         tensors        elements
formula           291   6,738,415,616  llama, 291 tensors expected
missing           217  -4,988,272,640  model.embed_tokens.weight and 216 more
in two files       74  +1,750,142,976  lm_head.weight and 73 more
stored            148   3,500,285,952
unexplained                         0

disagrees: 217 missing, 0 of the wrong shape, 74 unexpected
cause  74 tensors are in two files; 74 follow from it (--no-truncate shows them)
cause  layers 0 to 23 are missing (216 tensors that begin with 'model.layers.');
       216 follow from it

missing  model.embed_tokens.weight  [32000, 4096]
# the second file twice: 74 tensors counted twice, 217 missing

# Another configuration, another architecture, a user's symbol.
$ numel reconcile fixtures/llama-2-7b --config fixtures/llama-3.1-8b/config.json | sed -n '/^cause/,/^disagrees/p'
cause           tensors       elements
formula             291  8,030,261,248  llama, 291 tensors expected
vocabulary cut        2   -788,529,152  model.embed_tokens.weight and 1 more
wrong shape         160   -503,316,480  model.layers.0.mlp.down_proj.weight and 159 more
stored              291  6,738,415,616
unexplained                          0

disagrees: 0 missing, 162 of the wrong shape, 0 unexpected
cause  config.json is the configuration of another model: vocab_size is 128256,
       the tensors show 32000; intermediate_size is 14336, the tensors show
       11008; num_attention_heads is 32, the tensors show 8 (or
       num_key_value_heads 32 instead of 8, which fits as well); 162 follow from
       it (--no-truncate shows them)
# K and V with 8 heads, F 14,336, V 128,256: all their shapes are wrong
$ numel reconcile fixtures/llama-2-7b --set V=32064 | sed -n '/^cause/,$p'
cause           tensors       elements
formula             291  6,738,939,904  llama, 291 tensors expected
vocabulary cut        2       -524,288  model.embed_tokens.weight and 1 more
stored              291  6,738,415,616
unexplained                          0

disagrees: 0 missing, 2 of the wrong shape, 0 unexpected

parameters     6,738,415,616 (6.74 B)
non-embedding  6,607,343,616 (6.61 B)
active         6,738,415,616 (6.74 B)

wrong shape  model.embed_tokens.weight  expected  [32064, 4096]  found  [32000, 4096]
wrong shape  lm_head.weight             expected  [32064, 4096]  found  [32000, 4096]
# 64 rows of 4,096 fewer, twice: 524,288
$ numel reconcile fixtures/llama-2-7b --arch gpt2 2>&1 | tail -1
no formula: the configuration has no n_embd; give it with --set n_embd=VALUE
$ numel spec show llama | sed 's/^arch llama/arch mine/' > $T/mine.spec && numel reconcile fixtures/llama-2-7b --spec $T/mine.spec --arch mine | sed -n '2p; /^agrees/p'
architecture  mine (by fixtures/llama-2-7b/config.json)
agrees: all expected tensors are present, and no others
$ numel spec show llama | grep -v 'norm.final' > $T/less.spec && numel reconcile fixtures/llama-2-7b --spec $T/less.spec | sed -n '/^cause/,/^disagrees/p; /^unexpected/p'
cause        tensors       elements
formula          290  6,738,411,520  llama, 290 tensors expected
stored           291  6,738,415,616
unexplained                  +4,096

disagrees: 0 missing, 0 of the wrong shape, 1 unexpected
unexpected  model.norm.weight  [4096]  unknown
# a specification that forgets the final norm leaves 4,096 unexplained: figure 11

# Without a configuration names and shapes are used, as far as they go; every symbol is then inferred.
$ cp fixtures/gpt2/model.safetensors.head.zst $T && cd $T && numel reconcile model.safetensors.head.zst
model.safetensors.head.zst
architecture  gpt2 (by the tensors' names and shapes; classes with the same names: gpt_bigcode, decision_transformer)
expression    V*E + P*E + L*(9*E + 4*E^2 + 2*F*E + F) + 2*E

symbol   value  evidence   from
E          768  defaulted  GPT2Config.n_embd
L           12  defaulted  GPT2Config.n_layer
P        1,024  defaulted  GPT2Config.n_positions
V       50,257  defaulted  GPT2Config.vocab_size
F        3,072  defaulted  4 * E

cause        tensors     elements
formula          148  124,439,808  gpt2, 148 tensors expected
buffers           12  +12,582,912  h.0.attn.bias and 11 more
stored           160  137,022,720
unexplained                     0

agrees in part: all expected tensors are present; some sizes are in no configuration and are inferred from the tensors

parameters     124,439,808 (124.44 M)
non-embedding  85,056,000 (85.06 M)
active         124,439,808 (124.44 M)
[4]
# If they do not suffice, there is no formula; inferred values are marked (unknown.t).
$ printf 'file m.safetensors\ntensor what.is.this F32 3 5\n' > $T/w.txt && mkhead -q $T/w.txt $T/w >$T/said && cd $T && numel reconcile w
w/m.safetensors.head.zst
architecture  unknown, no configuration
expression    15

inferred      formula  each  times  total    share
what.is.this  15         15      1     15  100.0 %

note  no formula for 5
note  inferred: expressions that give the right numbers for unknown names; sizes that are equal by chance cannot be told apart

no formula: no configuration (--config FILE, or --arch NAME with --set SYM=N)
stored  15
[4]
$ cd $T && numel reconcile -q w
[4]
$ cd $T && numel reconcile w --json | grep -E '"(formula|unexplained|agrees|counts)"'
 "formula": null,
 "unexplained": null,
 "agrees": null,
 "counts": null,
$ cp fixtures/gpt2/config.json $T/c.json && cd $T && numel reconcile model.safetensors.head.zst --config c.json | grep -E '^(stored|unexplained|agrees)'
stored                 160  137,022,720
unexplained                           0
agrees: all expected tensors are present, the others are accounted for

# Several: a statement for each; an unreadable one does not stop the others.
$ numel reconcile fixtures/gpt2 fixtures/none fixtures/llama-2-7b 2>&1 | grep -E '^(fixtures|numel|agrees)'
numel: fixtures/none: cannot open: No such file or directory
fixtures/gpt2/model.safetensors.head.zst
agrees: all expected tensors are present, the others are accounted for
fixtures/llama-2-7b
agrees: all expected tensors are present, and no others
$ numel reconcile -q fixtures/gpt2 fixtures/none >/dev/null 2>&1
[5]
$ numel reconcile fixtures/none
numel: fixtures/none: cannot open: No such file or directory
[3]
$ numel reconcile fixtures/gpt2 --config none.json
numel: none.json: cannot open: No such file or directory
[3]
$ numel reconcile fixtures/gpt2 --spec none.spec
numel: none.spec: cannot open: No such file or directory
[3]
$ numel reconcile fixtures/gpt2 --set nothing
numel: fixtures/gpt2/model.safetensors.head.zst: 'nothing' is not NAME=VALUE
[2]
$ numel reconcile
usage: numel reconcile PATH...
[2]
# the same model in safetensors and in GGUF, whole and split: the same sums by role
$ for f in llama-3.1-8b llama-3.1-8b-q4_k_m llama-3.1-8b-q4_k_m-split; do numel reconcile --json fixtures/$f | sed -n '/"roles"/,/]/p' > $T/$f; done; cmp $T/llama-3.1-8b $T/llama-3.1-8b-q4_k_m; cmp $T/llama-3.1-8b $T/llama-3.1-8b-q4_k_m-split; cat $T/llama-3.1-8b
 "roles": [
  {"role":"attn.k","elements":134217728},
  {"role":"attn.o","elements":536870912},
  {"role":"attn.q","elements":536870912},
  {"role":"attn.v","elements":134217728},
  {"role":"embed.tok","elements":525336576},
  {"role":"head","elements":525336576},
  {"role":"mlp.down","elements":1879048192},
  {"role":"mlp.gate","elements":1879048192},
  {"role":"mlp.up","elements":1879048192},
  {"role":"norm.attn","elements":131072},
  {"role":"norm.final","elements":4096},
  {"role":"norm.mlp","elements":131072}],

# BERT's number of heads is in no shape, and a model without it cannot be built: it never agrees.
$ mkdir $T/headless && cp fixtures/bert-base/* $T/headless && cd $T/headless && chmod u+w config.json && for n in 0 -1 '"x"' 12; do sed -i "s/\(\"num_attention_heads\":\) *[^,]*/\1 $n/" config.json; numel reconcile . > out; echo "$n: reconcile $?"; tail -1 out; numel verify --strict -q .; echo "verify $?"; done
0: reconcile 1
invalid configuration, no formula: config.json: num_attention_heads is 0, which is not a whole number from 1 to 2^53
verify 1
-1: reconcile 1
invalid configuration, no formula: config.json: num_attention_heads is -1, which is not a whole number from 1 to 2^53
verify 1
"x": reconcile 1
invalid configuration, no formula: config.json: num_attention_heads is "x", which is not a whole number from 1 to 2^53
verify 1
12: reconcile 0
active         109,514,298 (109.51 M)
verify 0

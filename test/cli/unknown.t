# Models without a specification: counted, folded, and a formula inferred from names, shapes and integers. None of
# it is certain: every line is marked inferred, architecture and agrees stay null.

$ printf '%s\n' 'file m.safetensors' 'tensor frob.tok.weight F16 1000 96' 'for i {0..5}' 'tensor frob.blocks.{i}.mix.in_proj.weight F16 160 96' 'tensor frob.blocks.{i}.mix.out_proj.weight F16 96 96' 'tensor frob.blocks.{i}.ff.up.weight F16 512 96' 'tensor frob.blocks.{i}.ff.down.weight F16 96 256' 'tensor frob.blocks.{i}.scale F16 96' 'tensor frob.blocks.{i}.odd F16 77' 'end' 'tensor frob.pos.weight F16 130 96' 'tensor frob.temperature F16' > $T/f.txt && mkhead -q $T/f.txt $T/m >$T/said && echo '{"model_type": "frobnicate", "hidden_size": 96, "vocab_size": 1000, "intermediate_size": 256, "num_attention_heads": 6, "num_key_value_heads": 2, "num_hidden_layers": 6, "max_position_embeddings": 128, "mixer_width": 96, "bos_token_id": 96}' > $T/m/config.json && cd $T && numel reconcile m
m/m.safetensors.head.zst
architecture  unknown, no specification for frobnicate; by names and shapes: 6 layers (frob.blocks)
expression    L*(3*E*F + H*D*E + 2*K*D*E + E^2 + 77 + E) + P*E + 2*E + 1 + V*E

unknown component  frob.blocks: 36 tensors, 590,862 elements
unknown component  frob.tok: 1 tensor, 96,000 elements
unknown component  frob.pos: 1 tensor, 12,480 elements
unknown component  frob.temperature: 1 tensor, 1 element

symbol  value  evidence  from
E          96  inferred  hidden_size
V       1,000  inferred  vocab_size
F         256  inferred  intermediate_size
H           6  inferred  num_attention_heads
K           2  inferred  num_key_value_heads
L           6  inferred  num_hidden_layers
P         128  inferred  max_position_embeddings
D          16  inferred  E / H

inferred                               formula            each  times    total   share
frob.blocks.[0-5].ff.down.weight       E*F              24,576      6  147,456  21.1 %
frob.blocks.[0-5].ff.up.weight         2*F*E            49,152      6  294,912  42.2 %
frob.blocks.[0-5].mix.in_proj.weight   H*D*E + 2*K*D*E  15,360      6   92,160  13.2 %
frob.blocks.[0-5].mix.out_proj.weight  E^2               9,216      6   55,296   7.9 %
frob.blocks.[0-5].odd                  77                   77      6      462   0.1 %
frob.blocks.[0-5].scale                E                    96      6      576   0.1 %
frob.pos.weight                        P*E + 2*E        12,480      1   12,480   1.8 %
frob.temperature                       1                     1      1        1   0.0 %
frob.tok.weight                        V*E              96,000      1   96,000  13.7 %

note  96 is taken as E (hidden_size); it also equals mixer_width
note  512 is taken as 2*F; it also equals 4*P
note  no formula for 77
note  inferred: expressions that give the right numbers for unknown names; sizes that are equal by chance cannot be told apart

no formula: no specification for model_type 'frobnicate'
stored  699,343 (699.34 K)
[4]
# D = 96 / 6 = 16; in_proj 160 = 6*16 + 2*2*16; up 512 = 2*256; pos 130 = 128 + 2
# a layer: 24,576 + 49,152 + 15,360 + 9,216 + 77 + 96 = 98,477; 6 of them 590,862
# 590,862 + 12,480 + 1 + 96,000 = 699,343; a token's number is not a size: bos_token_id is not 96
$ cd $T && numel reconcile --json m
{"schema": "numel.reconcile/1",
 "judgement": {"kind":"model","verdict":"unknown","architecture":"frobnicate","name":null,"known_by":null,"causes":[]},
 "name": null,
 "path": "m/m.safetensors.head.zst",
 "architecture": null,
 "expression": "L*(3*E*F + H*D*E + 2*K*D*E + E^2 + 77 + E) + P*E + 2*E + 1 + V*E",
 "adapter": null,
 "symbols": [
  {"name":"E","value":96,"evidence":"inferred","from":"hidden_size"},
  {"name":"V","value":1000,"evidence":"inferred","from":"vocab_size"},
  {"name":"F","value":256,"evidence":"inferred","from":"intermediate_size"},
  {"name":"H","value":6,"evidence":"inferred","from":"num_attention_heads"},
  {"name":"K","value":2,"evidence":"inferred","from":"num_key_value_heads"},
  {"name":"L","value":6,"evidence":"inferred","from":"num_hidden_layers"},
  {"name":"P","value":128,"evidence":"inferred","from":"max_position_embeddings"},
  {"name":"D","value":16,"evidence":"inferred","from":"E / H"}],
 "terms": [
  {"name":"frob.blocks.[0-5].ff.down.weight","expr":"E*F","each":24576,"times":6,"total":147456,"evidence":"inferred"},
  {"name":"frob.blocks.[0-5].ff.up.weight","expr":"2*F*E","each":49152,"times":6,"total":294912,"evidence":"inferred"},
  {"name":"frob.blocks.[0-5].mix.in_proj.weight","expr":"H*D*E + 2*K*D*E","each":15360,"times":6,"total":92160,"evidence":"inferred"},
  {"name":"frob.blocks.[0-5].mix.out_proj.weight","expr":"E^2","each":9216,"times":6,"total":55296,"evidence":"inferred"},
  {"name":"frob.blocks.[0-5].odd","expr":"77","each":77,"times":6,"total":462,"evidence":"inferred"},
  {"name":"frob.blocks.[0-5].scale","expr":"E","each":96,"times":6,"total":576,"evidence":"inferred"},
  {"name":"frob.pos.weight","expr":"P*E + 2*E","each":12480,"times":1,"total":12480,"evidence":"inferred"},
  {"name":"frob.temperature","expr":"1","each":1,"times":1,"total":1,"evidence":"inferred"},
  {"name":"frob.tok.weight","expr":"V*E","each":96000,"times":1,"total":96000,"evidence":"inferred"}],
 "notes": [
  {"note":"96 is taken as E (hidden_size); it also equals mixer_width"},
  {"note":"512 is taken as 2*F; it also equals 4*P"},
  {"note":"no formula for 77"},
  {"note":"inferred: expressions that give the right numbers for unknown names; sizes that are equal by chance cannot be told apart"}],
 "statement": [],
 "formula": null,
 "stored": 699343,
 "unexplained": null,
 "agrees": null,
 "verdict": "no formula: no specification for model_type 'frobnicate'",
 "in_part": false,
 "counts": null,
 "quantization": null,
 "solutions": [],
 "ground": {"shape":0,"name":0,"none":39},
 "roles": [],
 "missing": [],
 "unexpected": [],
 "mismatched": [],
 "contradictions": [],
 "reasons": [],
 "unchecked": []}
[4]
$ cd $T && numel formula m | sed -n '1,4p'
architecture  unknown, everything below is inferred: no specification for model_type 'frobnicate'
expression    L*(3*E*F + H*D*E + 2*K*D*E + E^2 + 77 + E) + P*E + 2*E + 1 + V*E
total         699,343 (699.34 K)
tensors       39
$ cd $T && numel formula --json m | sed -n '1,6p'
{"schema": "numel.formula/1",
 "judgement": {"kind":"model","verdict":"unknown","architecture":"frobnicate","name":null,"known_by":null,"causes":[]},
 "architecture": null,
 "expression": "L*(3*E*F + H*D*E + 2*K*D*E + E^2 + 77 + E) + P*E + 2*E + 1 + V*E",
 "total": 699343,
 "agrees": null,

# A bare number would agree by construction, so there is none.
$ cd $T && numel reconcile -q m; numel formula -q m

# --set names a size.
$ cd $T && numel formula m --set odd_width=77 | grep -E '^odd_width|odd |expression'; rm -rf k; mkdir k; cp m/m.* k; numel formula k --set hidden_size=96 | grep -E '^E|temp|tok'
expression    L*(3*E*F + H*D*E + 2*K*D*E + E^2 + odd_width + E) + P*E + 2*E + 1 + V*E
odd_width     77  inferred  odd_width
frob.blocks.[0-5].odd                  odd_width            77      6      462   0.1 %
note  inferred: expressions that give the right numbers for unknown names; sizes that are equal by chance cannot be told apart
E          96  inferred  hidden_size
frob.temperature                       1             1      1        1   0.0 %
frob.tok.weight                        1000*E   96,000      1   96,000  13.7 %

# Without a configuration the repeated sizes become symbols.
$ cd $T && mkdir n && cp m/m.* n && numel formula n
architecture  unknown, everything below is inferred: no configuration (--config FILE, or --arch NAME with --set SYM=N)
expression    n1*(d4*d2 + d1*d4 + d3*d4 + d4^2 + d5 + d4) + 1130*d4 + 1
total         699,343 (699.34 K)
tensors       39

symbol  value  evidence  from
d1        512  inferred  a size that repeats
d2        256  inferred  a size that repeats
d3        160  inferred  a size that repeats
d4         96  inferred  a size that repeats
d5         77  inferred  a size that repeats
n1          6  inferred  repeats of names

inferred                               formula    each  times    total   share
frob.blocks.[0-5].ff.down.weight       d4*d2    24,576      6  147,456  21.1 %
frob.blocks.[0-5].ff.up.weight         d1*d4    49,152      6  294,912  42.2 %
frob.blocks.[0-5].mix.in_proj.weight   d3*d4    15,360      6   92,160  13.2 %
frob.blocks.[0-5].mix.out_proj.weight  d4^2      9,216      6   55,296   7.9 %
frob.blocks.[0-5].odd                  d5           77      6      462   0.1 %
frob.blocks.[0-5].scale                d4           96      6      576   0.1 %
frob.pos.weight                        130*d4   12,480      1   12,480   1.8 %
frob.temperature                       1             1      1        1   0.0 %
frob.tok.weight                        1000*d4  96,000      1   96,000  13.7 %

note  no formula for 130; 1,000
note  inferred: expressions that give the right numbers for unknown names; sizes that are equal by chance cannot be told apart
# 6*98,477 + 1130*96 + 1 = 590,862 + 108,480 + 1 = 699,343

# GGUF: the integers are those of the metadata, the vocabulary is its list of tokens.
$ printf '%s\n' 'file g.gguf' 'gguf 3' 'kv string general.architecture frobnicate' 'kv u32 frobnicate.embedding_length 64' 'kv u32 frobnicate.block_count 3' 'kv u32 frobnicate.attention.head_count 4' 'kv u32 frobnicate.attention.head_count_kv 2' 'strings tokenizer.ggml.tokens 500 0 t' 'tensor token_embd.weight F16 500 64' 'tensor blk.{0..2}.attn_k.weight F16 32 64' > $T/g.txt && mkhead -q $T/g.txt $T/g >$T/said && cd $T && numel formula g
architecture  unknown, everything below is inferred: no specification for general.architecture 'frobnicate'
expression    L*K*D*E + V*E
total         38,144 (38.14 K)
tensors       4

symbol  value  evidence  from
E          64  inferred  embedding_length
L           3  inferred  block_count
V         500  inferred  vocab_size
K           2  inferred  attention.head_count_kv
D          16  inferred  E / H

inferred                 formula    each  times   total   share
blk.[0-2].attn_k.weight  K*D*E     2,048      3   6,144  16.1 %
token_embd.weight        V*E      32,000      1  32,000  83.9 %

note  inferred: expressions that give the right numbers for unknown names; sizes that are equal by chance cannot be told apart
# 500*64 + 3*(2*16*64) = 32,000 + 6,144 = 38,144

# Equal sizes are indistinguishable: gpt-oss has 2,880 twice. Scoped integers are assigned to names that mention
# them.
$ printf '%s\n' 'file o.safetensors' 'tensor mlp.up BF16 2880 2880' 'tensor vision.proj BF16 1152 512' > $T/o.txt && mkhead -q $T/o.txt $T/o >$T/said && echo '{"model_type": "frobnicate", "text_config": {"hidden_size": 2880, "intermediate_size": 2880}, "vision_config": {"hidden_size": 1152, "width": 512}, "other": 512}' > $T/o/config.json && cd $T && numel formula o | sed -n '2p; /^mlp/,$p'
expression    E^2 + vision_config.hidden_size*vision_config.width
mlp.up       E^2                                            8,294,400      1  8,294,400  93.4 %
vision.proj  vision_config.hidden_size*vision_config.width    589,824      1    589,824   6.6 %

note  2,880 is taken as E (text_config.hidden_size); it also equals F (text_config.intermediate_size)
note  inferred: expressions that give the right numbers for unknown names; sizes that are equal by chance cannot be told apart
# 2880 * 2880 + 1152 * 512 = 8,294,400 + 589,824

# Many tensors, all different: the 200 largest are shown, the rest is one number.
$ (echo 'file b.safetensors'; i=1; while [ $i -le 300 ]; do echo "tensor t$i U8 $((i + 1000)) 3"; i=$((i + 1)); done) > $T/b.txt && mkhead -q $T/b.txt $T/b >$T/said && cd $T && numel formula b | grep -E '^(expression|total|tensors|t100 |t101 |\.\.\.)'
expression    1035450
total         1,035,450 (1.04 M)
tensors       300
t101                         3303       3,303      1    3,303   0.3 %
... and 100 smaller tensors  315150   315,150      1  315,150  30.4 %
# 3 * (1001 + ... + 1300) = 3 * 345,150 = 1,035,450; the first hundred 3 * 105,050 = 315,150

# Grounds of an agreement: each kind of tensor with its expected shape and type, and its neighbours. The model of
# test/cli/causes/tiny.spec stores 32 + 64 + 8 + 1 + 16 + 32 = 153, of which 32 + 64 + 32 = 128 are parameters;
# that of test/cli/causes/build.sh is a Llama of 106,816.

# ---- lines of a spec

# All of it, by shape.
$ . test/cli/causes/tiny.sh; tiny | reconcile_tiny; grep '"ground": {' $T/json
cause                   tensors  elements
formula                       3       128  tiny, 3 tensors expected
buffers                       2        +9  seen and 1 more
multi-token prediction        1       +16  next.weight
stored                        6       153
unexplained                             0
agrees: all expected tensors are present, the others are accounted for
parameters     128
(agrees)
 "ground": {"shape":6,"name":0,"none":0},
# A buffer has PyTorch's kind of number; a weight any float type, but for an 8-bit one it is unknown whether scales
# are missing.
$ . test/cli/causes/tiny.sh; tiny | changed 's/mean F32/mean I32/; s/seen I64/seen BOOL/; s/up.weight F16/up.weight F8_E4M3/' | say
of 8 bits or fewer, without scales        1        +0  up.weight
wrong type                                2        +9  mean and 1 more
multi-token prediction                    1       +16  next.weight
disagrees: 0 missing, 2 of the wrong shape or type, 0 unexpected
wrong type  mean  expected  [8]  float    found  [8]  I32
wrong type  seen  expected  []   integer  found  []   BOOL
(disagrees)
# A wrongly shaped buffer, one of an unloaded block, and an old one: 4 instead of 8, 5 more, 9 more.
$ . test/cli/causes/tiny.sh; tiny | changed 's/mean F32 8/mean F32 4/' | say
wrong shape                   1        +4  mean
buffers                       1        +1  seen
multi-token prediction        1       +16  next.weight
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
wrong shape  mean  expected  [8]  found  [4]
(disagrees)
$ . test/cli/causes/tiny.sh; tiny | changed 's/seen I64/seen I64 5/' | say
wrong shape                   1        +5  seen
buffers                       1        +8  mean
multi-token prediction        1       +16  next.weight
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
wrong shape  seen  expected  []  found  [5]
(disagrees)
$ . test/cli/causes/tiny.sh; tiny | changed 's/next.weight F16 2 8/next.weight F16 3 8/' | say
wrong shape        1       +24  next.weight
buffers            2        +9  seen and 1 more
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
wrong shape  next.weight  expected  [2, 8]  found  [3, 8]
(disagrees)
$ . test/cli/causes/tiny.sh; tiny | with 'tensor old F32 9' | say
wrong shape                   1        +9  old
buffers                       2        +9  seen and 1 more
multi-token prediction        1       +16  next.weight
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
wrong shape  old  expected  [8]  found  [9]
(disagrees)
$ . test/cli/causes/tiny.sh; tiny | with 'tensor old F32 8' | say
buffers                       3       +17  seen and 2 more
multi-token prediction        1       +16  next.weight
agrees: all expected tensors are present, the others are accounted for
(agrees)
# A buffer that always exists is missed; unloaded and old ones are not.
$ . test/cli/causes/tiny.sh; tiny | without mean | say
missing                       1        +0  mean
buffers                       1        +1  seen
multi-token prediction        1       +16  next.weight
disagrees: 1 missing, 0 of the wrong shape, 0 unexpected
missing  mean  [8]
(disagrees)
$ . test/cli/causes/tiny.sh; tiny | without next | say
buffers            2        +9  seen and 1 more
agrees: all expected tensors are present, the others are accounted for
(agrees)
# A tied copy: with the right shape, another shape, a type that weights cannot have.
$ . test/cli/causes/tiny.sh; tiny | say ',"tied":true'
buffers                       2        +9  seen and 1 more
tied copy stored              1       +32  head.weight; values not compared
multi-token prediction        1       +16  next.weight
agrees: all expected tensors are present, the others are accounted for
(agrees)
$ . test/cli/causes/tiny.sh; tiny | changed 's/head.weight F16 4 8/head.weight F16 8 4/' | say ',"tied":true'
wrong shape                   1       +32  head.weight
buffers                       2        +9  seen and 1 more
multi-token prediction        1       +16  next.weight
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
wrong shape  head.weight  expected  [4, 8]  found  [8, 4]
(disagrees)
$ . test/cli/causes/tiny.sh; tiny | changed 's/head.weight F16/head.weight I16/' | say ',"tied":true'
wrong type                    1       +32  head.weight
buffers                       2        +9  seen and 1 more
multi-token prediction        1       +16  next.weight
disagrees: 0 missing, 1 of the wrong shape or type, 0 unexpected
wrong type  head.weight  expected  [4, 8]  float  found  [4, 8]  I16
(disagrees)

# ---- types

# Integers, booleans and complex numbers are not weights.
$ . test/cli/causes/tiny.sh; for t in I8 U8 I16 I32 U32 I64 U64 BOOL C64; do tiny | changed "s/up.weight F16/up.weight $t/" | say | grep -E '^(wrong type  up|\()'; done
wrong type  up.weight  expected  [8, 8]  float  found  [8, 8]  I8
(disagrees)
wrong type  up.weight  expected  [8, 8]  float  found  [8, 8]  U8
(disagrees)
wrong type  up.weight  expected  [8, 8]  float  found  [8, 8]  I16
(disagrees)
wrong type  up.weight  expected  [8, 8]  float  found  [8, 8]  I32
(disagrees)
wrong type  up.weight  expected  [8, 8]  float  found  [8, 8]  U32
(disagrees)
wrong type  up.weight  expected  [8, 8]  float  found  [8, 8]  I64
(disagrees)
wrong type  up.weight  expected  [8, 8]  float  found  [8, 8]  U64
(disagrees)
wrong type  up.weight  expected  [8, 8]  float  found  [8, 8]  BOOL
(disagrees)
wrong type  up.weight  expected  [8, 8]  float  found  [8, 8]  C64
(disagrees)
# The same if something declares a quantization: the values may be right, but were not read.
$ . test/cli/causes/tiny.sh; tiny | changed 's/up.weight F16/up.weight I8/' | say ',"quantization_config":{"quant_method":"x"}'
packed values                 1        +0   64 B  up.weight
buffers                       2        +9   40 B  seen and 1 more
multi-token prediction        1       +16   32 B  next.weight
agrees in part: all expected tensors are present; 1 tensor is not checked: packed values (1)
not checked  up.weight  1  packed values
(in part)
# A tensor that a layout defines is proven by its shape, or wrong: bitsandbytes' 8 bits, one scale per row.
$ . test/cli/causes/tiny.sh; tiny | changed 's/up.weight F16/up.weight I8/' | with 'tensor up.SCB F32 8' | say
scales                        1        +8   32 B  up.SCB
buffers                       2        +9   40 B  seen and 1 more
multi-token prediction        1       +16   32 B  next.weight
agrees: all expected tensors are present, the others are accounted for
(agrees)
$ . test/cli/causes/tiny.sh; tiny | changed 's/up.weight F16/up.weight I8/' | with 'tensor up.SCB F32 7' | say
packed values                 1        +0   64 B  up.weight
scales                        1        +7   28 B  up.SCB
buffers                       2        +9   40 B  seen and 1 more
multi-token prediction        1       +16   32 B  next.weight
agrees in part: all expected tensors are present; 2 tensors are not checked: packed values (1), scales (1)
not checked  up.SCB     1  scales
not checked  up.weight  1  packed values
(in part)
# ... but not for a bias or a norm, which has one dimension.
$ . test/cli/causes/build.sh; llama | changed 's/model.norm.weight F16/model.norm.weight I8/' | reconcile ',"quantization_config":{"quant_method":"x"}' | sed -n '/^wrong type/p; /^(/p'
wrong type         1        +0  model.norm.weight
wrong type  model.norm.weight  expected  [64]  float  found  [64]  I8
(disagrees)

# ---- names

# A tower without a spec: the text model is complete, and nothing more is known.
$ . test/cli/causes/build.sh; llama | with 'tensor vision_tower.blocks.{0..36}.w F16 8 64' | reconcile | sed -n '/^agrees/p; /^not/p; /^(/p'; grep -E '"(agrees|in_part)"|ground": {|vision' $T/json
agrees in part: all expected tensors are present; 37 tensors are not checked: another tower (37)
not checked  vision_tower.blocks.*.w  37  another tower
(in part)
  {"cause":"another tower","tensors":37,"elements":18944,"bytes":37888,"detail":"vision_tower.blocks.0.w and 36 more","code":"tower","ground":"name"}],
 "agrees": false,
 "in_part": true,
 "ground": {"shape":21,"name":37,"none":0},
  {"name":"vision_tower.blocks.*.w","tensors":37,"elements":18944,"code":"tower"}]}
# The text model is incomplete: the tower does not improve that.
$ . test/cli/causes/build.sh; llama | with 'tensor vision_tower.w F16 8 64' | without 'layers.1.mlp.up' | reconcile | sed -n '/^disagrees/p; /^not/p; /^(/p'
disagrees: 1 missing, 0 of the wrong shape, 0 unexpected
(disagrees)
# An unknown tensor next to it.
$ . test/cli/causes/build.sh; llama | with 'tensor vision_tower.w F16 8 64' 'tensor what.is.this F16 2' | reconcile | sed -n '/^disagrees/p; /^(/p'
disagrees: 0 missing, 0 of the wrong shape, 1 unexpected
(disagrees)

# ---- GGUF: one scale per linear map's weight, with one element; no other quantizer tensors
$ . test/cli/causes/build.sh; llama_gguf | with 'tensor blk.0.ffn_up.{scale,input_scale} F32 1' | reconcile | sed -n '/^quant/p; /^agrees/p; /^(/p'
agrees: all expected tensors are present, the others are accounted for
(agrees)
$ . test/cli/causes/build.sh; llama_gguf | with 'tensor blk.0.ffn_up.scale F32 2' | reconcile | sed -n '/^unexpected/p; /^(/p'
unexpected  blk.0.ffn_up.scale  [2]  unknown
(disagrees)
$ . test/cli/causes/build.sh; llama_gguf | with 'tensor blk.0.ffn_up.scale I32 1' | reconcile | sed -n '/^unexpected/p; /^(/p'
unexpected  blk.0.ffn_up.scale  [1]  unknown
(disagrees)
$ . test/cli/causes/build.sh; llama_gguf | with 'tensor blk.0.attn_norm.scale F32 1' | reconcile | sed -n '/^unexpected/p; /^(/p'
unexpected  blk.0.attn_norm.scale  [1]  unknown
(disagrees)
$ . test/cli/causes/build.sh; llama_gguf | with 'tensor blk.0.ffn_up.absmax F32 1' | reconcile | sed -n '/^unexpected/p; /^(/p'
unexpected  blk.0.ffn_up.absmax  [1]  unknown
(disagrees)
# Rotary factors, D/2 = 8 of them.
$ . test/cli/causes/build.sh; llama_gguf | with 'tensor rope_freqs.weight F32 8' | reconcile | sed -n '/^wrong/p; /^(/p'
(agrees)
$ . test/cli/causes/build.sh; llama_gguf | with 'tensor rope_freqs.weight F32 9' | reconcile | sed -n '/^wrong/p; /^(/p'
wrong shape        1        +9  rope_freqs.weight
wrong shape  rope_freqs.weight  expected  [8]  found  [9]
(disagrees)
$ . test/cli/causes/build.sh; llama_gguf | with 'tensor rope_factors_long.weight F32 16' | reconcile | sed -n '/^wrong/p; /^(/p'
wrong shape        1       +16  rope_factors_long.weight
wrong shape  rope_factors_long.weight  expected  [8]  found  [16]
(disagrees)
# The same in old Llamas, once per layer.
$ . test/cli/causes/build.sh; llama | with 'tensor model.layers.{0,1}.self_attn.rotary_emb.inv_freq F32 8' | reconcile | sed -n '/^buffers/p; /^wrong/p; /^(/p'
buffers            2       +16  model.layers.0.self_attn.rotary_emb.inv_freq and 1 more
(agrees)
$ . test/cli/causes/build.sh; llama | with 'tensor model.layers.{0,1}.self_attn.rotary_emb.inv_freq F32 16' | reconcile | sed -n '/^buffers/p; /^wrong/p; /^(/p'
wrong shape        2       +32  model.layers.0.self_attn.rotary_emb.inv_freq and 1 more
wrong shape  model.layers.0.self_attn.rotary_emb.inv_freq  expected  [8]  found  [16]
wrong shape  model.layers.1.self_attn.rotary_emb.inv_freq  expected  [8]  found  [16]
(disagrees)

# ---- no configuration, or a silent one: the sizes are the tensors' own
$ . test/cli/causes/tiny.sh; config='"model_type":"tiny","vocab_size":4'; tiny | say
buffers                       2        +9  seen and 1 more
multi-token prediction        1       +16  next.weight
agrees in part: all expected tensors are present; some sizes are in no configuration and are inferred from the tensors
(in part)
$ . test/cli/causes/build.sh; llama | reconcile >/dev/null; cd $T && rm model/config.json && numel reconcile model | grep agrees; numel reconcile -q model; numel reconcile -q model --arch llama
agrees in part: all expected tensors are present; some sizes are in no configuration and are inferred from the tensors
0
0
[4]
# An explicit null is not silent but wrong.
$ . test/cli/causes/tiny.sh; config='"model_type":"tiny","vocab_size":4,"hidden_size":null'; tiny | reconcile >/dev/null; cd $T; numel reconcile model --spec $tiny_spec | tail -2; numel reconcile -q model --spec $tiny_spec

invalid configuration, no formula: model/config.json: hidden_size is null in the configuration; give it with --set hidden_size=VALUE
[1]
# A user's specification that cannot be expanded is not a yes either.
$ . test/cli/causes/build.sh; llama | reconcile >/dev/null; cd $T && printf 'arch llama\nmatch hf model_type in llama\nraw a b c 1/0\n' >bad.spec && numel reconcile model --spec bad.spec | tail -1; numel reconcile -q model --spec bad.spec; numel verify -q model --spec bad.spec; numel formula -q model --spec bad.spec
invalid configuration, no formula: model/config.json: 1 divided by 0
numel: model/config.json: 1 divided by 0
[3]

# ---- exit statuses: the worst of several; 5 if some could not be read
$ . test/cli/causes/build.sh; cd $T && for m in good part bad; do mkdir $m; done; (cd $OLDPWD; . test/cli/causes/build.sh; llama | reconcile >/dev/null; cp $T/model/* $T/good; llama | with 'tensor score.weight F16 2 64' | reconcile >/dev/null; cp $T/model/* $T/part; llama | without norm | reconcile >/dev/null; cp $T/model/* $T/bad); echo x >none.gguf; for a in good part bad 'good part' 'part bad' 'good none.gguf' 'part none.gguf' none.gguf; do numel reconcile -q $a >/dev/null 2>&1; echo "$a: $?"; done
good: 0
part: 4
bad: 1
good part: 4
part bad: 1
good none.gguf: 5
part none.gguf: 5
none.gguf: 3
# verify: unchecked items are a note, unless the level was requested by name or with --strict.
$ cd $T && for o in '' '--level config' --strict '--level index --strict' '--level hash'; do for a in good part bad; do numel verify -q $o $a >/dev/null 2>&1; echo "verify $o $a: $?"; done; done
verify  good: 0
verify  part: 0
verify  bad: 1
verify --level config good: 0
verify --level config part: 4
verify --level config bad: 1
verify --strict good: 0
verify --strict part: 4
verify --strict bad: 1
verify --level index --strict good: 0
verify --level index --strict part: 0
verify --level index --strict bad: 0
verify --level hash good: 0
verify --level hash part: 0
verify --level hash bad: 1
# show and list report damage.
$ cd $T && numel show -q bad; numel show part | grep verdict; numel show --json part | grep '"ground"'
106496
verdict       agrees in part with llama: 106,816 parameters; 1 tensor is not checked (see 'numel reconcile')
 "ground": {"shape":21,"name":1,"none":0},
$ cd $T && numel tensors --json part --match '*score*' | grep -o '"ground":"[a-z]*"'; numel tensors --json good --match 'lm_head*' | grep -o '"ground":"[a-z]*"'
"ground":"name"
"ground":"shape"
# A prefix applies to all names or none: on a single name it makes a different name. 256 * 64 = 16384 is the table.
$ . test/cli/causes/build.sh; llama | changed 's/tensor /tensor x./' | reconcile | sed -n '/^stored/p; /^disagrees/p'
stored            21   106,816
disagrees: all expected tensors are present, but every name begins with 'x.', which transformers does not strip: nothing would be loaded; remove it from the names
$ . test/cli/causes/build.sh; llama | changed 's/model.norm/x.model.norm/' | reconcile | sed -n '/^unexplained/,$p'
unexplained                +64
disagrees: 1 missing, 0 of the wrong shape, 1 unexpected
parameters     106,752 (106.75 K)
missing  model.norm.weight  [64]
unexpected  x.model.norm.weight  [64]  unknown
(disagrees)
$ . test/cli/causes/build.sh; llama | changed 's/(layers.1.mlp.up_proj)/ema.\1/' | reconcile | sed -n '/^disagrees/p'
disagrees: 1 missing, 0 of the wrong shape, 1 unexpected
$ . test/cli/causes/build.sh; llama | changed 's/model.norm/norm/' | reconcile | sed -n '/^unexplained/,$p'
unexplained                +64
disagrees: 1 missing, 0 of the wrong shape, 1 unexpected
parameters     106,752 (106.75 K)
missing  model.norm.weight  [64]
unexpected  norm.weight  [64]  unknown
(disagrees)
$ . test/cli/causes/build.sh; llama | without lm_head | changed 's/tensor model\./tensor /' | reconcile ',"tie_word_embeddings":true' | sed -n '/^agrees/p'
agrees: all expected tensors are present, and no others
$ . test/cli/causes/build.sh; llama | changed 's/(q_proj)(.weight)/\1.base_layer\2/' | reconcile | sed -n '/^missing/,$p'
missing            2    -8,192  model.layers.0.self_attn.q_proj.weight and 1 more
stored            21   106,816
unexplained             +8,192
disagrees: 2 missing, 0 of the wrong shape, 2 unexpected
parameters     98,624 (98.62 K)
cause  each of 2 layers lacks self_attn.q_proj.weight; 2 follow from it
       (--no-truncate shows them)
unexpected  model.layers.0.self_attn.q_proj.base_layer.weight  [64, 64]  unknown
unexpected  model.layers.1.self_attn.q_proj.base_layer.weight  [64, 64]  unknown
(disagrees)
$ . test/cli/causes/build.sh; llama | changed 's/tensor /tensor _orig_mod./' | reconcile | sed -n '/^stored/p; /^disagrees/p'
stored            21   106,816
disagrees: all expected tensors are present, but every name begins with '_orig_mod.', which transformers does not strip: nothing would be loaded; remove it from the names (torch.compile's wrapper: save model._orig_mod)
$ . test/cli/causes/build.sh; llama | changed 's/model.norm/_orig_mod.model.norm/' | reconcile | sed -n '/^unexplained/,$p'
unexplained                +64
disagrees: 1 missing, 0 of the wrong shape, 1 unexpected
parameters     106,752 (106.75 K)
missing  model.norm.weight  [64]
unexpected  _orig_mod.model.norm.weight  [64]  unknown
(disagrees)
# Norms and biases are never in blocks.
$ . test/cli/causes/build.sh; llama_gguf | changed 's/(attn_q.weight) F16/\1 Q8_0/' | reconcile | sed -n '/^agrees/p'
agrees: all expected tensors are present, and no others
$ . test/cli/causes/build.sh; llama_gguf | changed 's/(blk.1.attn_norm.weight) F16/\1 Q8_0/' | reconcile | sed -n '/^unexplained/,$p'
unexplained                  0
disagrees: 0 missing, 1 of the wrong shape or type, 0 unexpected
parameters     106,816 (106.82 K)
wrong type  blk.1.attn_norm.weight  expected  [64]  float  found  [64]  Q8_0
(disagrees)
# An unknown method stores weights in an unknown way, even if the file's form is not one of the weights': experts
# one by one.
$ . test/cli/causes/build.sh; config=$mixtral_config; mixtral | reconcile ',"quantization_config":{"quant_method":"nobodys"}' | sed -n '/^disagrees/p; /^contra/p; /^agrees/p'
disagrees: 0 missing, 0 of the wrong shape, 0 unexpected, 1 contradiction
contradiction  the configuration says quant_method nobodys, but all weights are

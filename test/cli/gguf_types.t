# GGUF: the metadata's statements about tensor types, against the tensors. Models: test/cli/gguf/build.sh.
# Without embedding and output they have 8 x 7 = 56 matrices.

# ---- general.file_type: as llama-quantize writes it, without a finding
$ . test/cli/gguf/build.sh; for t in Q4_0:2 Q8_0:7 Q4_K:14 Q6_K:18 IQ4_XS:30 MXFP4:38 F16:1 BF16:32; do llama_of ${t%:*} ${t#*:} | types; done
# Q4_K_M: Q6_K for attn_v and ffn_down in half of the layers, and for the output.
$ . test/cli/gguf/build.sh; llama_of Q4_K 15 | typed attn_v Q6_K 0,2,5,7 | typed ffn_down Q6_K 0,2,5,7 | typed output Q6_K | types
# IQ2_S is mostly IQ2_XS in llama-quantize's recipe; entirely IQ2_S in others.
$ . test/cli/gguf/build.sh; llama_of IQ2_XS 28 | typed attn_output IQ3_S | types; llama_of IQ2_S 28 | types

# ---- impossible: both values
$ . test/cli/gguf/build.sh; llama_of Q8_0 15 | types
warning file-type: general.file_type is 15 (Q4_K_M), but none of 56 matrices is Q4_K: Q8_0 56
$ . test/cli/gguf/build.sh; llama_of Q4_K 7 | typed attn_v Q6_K 0-3 | types
warning file-type: general.file_type is 7 (Q8_0), but none of 56 matrices is Q8_0: Q4_K 52, Q6_K 4
$ . test/cli/gguf/build.sh; llama_of F32 1 | types
warning file-type: general.file_type is 1 (F16), but none of 56 matrices is F16: F32 56
$ . test/cli/gguf/build.sh; llama_of F16 1 | typed ffn_down Q8_0 | types
warning file-type: general.file_type is 1 (F16), but some are quantized: F16 48, Q8_0 8
# One layer of eight has the stated type. 7 of 8 do not.
$ . test/cli/gguf/build.sh; llama_of Q8_0 15 | sed '/blk.0/s/Q8_0/Q4_K/' | types
warning file-type: general.file_type is 15 (Q4_K_M), but most weights have other types: Q8_0 49, Q4_K 7
# F16 without a quantized tensor may include F32; a converter copies MXFP4 experts unchanged.
$ . test/cli/gguf/build.sh; llama_of F16 1 | typed ffn_down F32 | types; llama_of BF16 32 | typed ffn_up MXFP4 | types
# An old value that is not a type today.
$ . test/cli/gguf/build.sh; llama_of Q4_0 33 | types
warning file-type: general.file_type is 33 (Q4_0_4_4), but none of 56 matrices is Q4_0_4_4: Q4_0 56

# ---- mixed by others: the stated type is the most common
$ . test/cli/gguf/build.sh; llama_of Q4_K 15 | typed attn_q IQ4_XS 0-3 | typed ffn_up Q8_0 7 | types
note file-type-mixed: general.file_type is 15 (Q4_K_M), but llama-quantize would give other types to 5 of 56 matrices: IQ4_XS 4, Q8_0 1
# The recipe depends on the part: Q6_K where Q4_K_M uses it, and elsewhere; Q4_K_S never uses it.
$ . test/cli/gguf/build.sh; llama_of Q4_K 15 | typed attn_k Q6_K 0 | types; llama_of Q4_K 14 | typed attn_v Q6_K 0-3 | types
note file-type-mixed: general.file_type is 15 (Q4_K_M), but llama-quantize would give other types to 1 of 56 matrices: Q6_K 1
note file-type-mixed: general.file_type is 14 (Q4_K_S), but llama-quantize would give other types to 4 of 56 matrices: Q6_K 4
# Embedding and output may have any type, by options of llama-quantize.
$ . test/cli/gguf/build.sh; llama_of Q4_K 14 | typed token_embd F16 | typed output Q8_0 | types
# Eight experts a layer: k and v are Q8_0. With four they are not.
$ . test/cli/gguf/build.sh; llama_of Q4_K 15 | typed attn_k Q8_0 | sed '3i kv u32 llama.expert_count 8' | types >$T/said; grep file-type $T/said
[1]
$ . test/cli/gguf/build.sh; llama_of Q4_K 15 | typed attn_k Q8_0 | sed '3i kv u32 llama.expert_count 4' | types >$T/said; grep file-type $T/said
note file-type-mixed: general.file_type is 15 (Q4_K_M), but llama-quantize would give other types to 8 of 56 matrices: Q8_0 8
# Rows of 320 are not whole blocks of 256: Q5_0 replaces Q4_K. In rows of 256 it does not.
$ . test/cli/gguf/build.sh; llama_of Q5_0 15 | sed 's/ 256$/ 320/' | typed ffn_down Q4_K | types >$T/said; grep file-type $T/said
[1]
$ . test/cli/gguf/build.sh; llama_of Q5_0 15 | types
warning file-type: general.file_type is 15 (Q4_K_M), but none of 56 matrices is Q4_K: Q5_0 56

# ---- unknown, guessed, not a number
$ . test/cli/gguf/build.sh; llama_of Q4_K 999 | types; llama_of Q4_K 1039 | types
note file-type-unknown: general.file_type is 999, which llama.cpp does not know
note file-type-unknown: general.file_type is 1039 = 1024 + 15: llama.cpp marks Q4_K_M as only guessed
$ . test/cli/gguf/build.sh; llama_of Q8_0 1039 | types
warning file-type: general.file_type is 1039 (Q4_K_M, guessed), but none of 56 matrices is Q4_K: Q8_0 56
note file-type-unknown: general.file_type is 1039 = 1024 + 15: llama.cpp marks Q4_K_M as only guessed
$ . test/cli/gguf/build.sh; llama_of Q4_K | sed '3i kv string general.file_type Q4_K_M' | types; llama_of Q4_K | types
warning file-type: general.file_type is not a number

# ---- general.quantization_version: required if a tensor is quantized, and 2
$ . test/cli/gguf/build.sh; llama_of Q4_0 2 none | types; llama_of Q4_0 2 1 | types; llama_of Q4_0 2 3 | types
warning quantization-version: general.quantization_version is missing, but tensors are quantized (Q4_0)
warning quantization-version: general.quantization_version is 1; llama.cpp reads blocks of version 2
warning quantization-version: general.quantization_version is 3; llama.cpp reads blocks of version 2
$ . test/cli/gguf/build.sh; llama_of F16 1 none | types; llama_of F16 1 1 | types
# Warnings are not errors, except with --strict.
$ . test/cli/gguf/build.sh; llama_of Q8_0 15 | made x; numel verify -q $T/x; numel verify -q --strict $T/x
[1]

# ---- llama.cpp's scales of weights: F32, one, or one per expert; only for weights that support them
$ . test/cli/gguf/build.sh; llama_of NVFP4 39 | { cat; printf 'tensor blk.3.%s F32 1\n' attn_q.scale attn_q.input_scale ffn_down.scale; echo 'tensor output.scale F32 1'; } | scales
scales                       3         +3     12 B  blk.3.attn_q.scale and 2 more
scales of activations        1         +1      4 B  blk.3.attn_q.input_scale
agrees: all expected tensors are present, the others are accounted for
# The output's only if it is NVFP4; none for an embedding, norm or bias; none without the weight.
$ . test/cli/gguf/build.sh; llama_of Q8_0 7 | { cat; printf 'tensor %s F32 1\n' output.scale token_embd.scale output_norm.input_scale blk.8.attn_q.scale blk.0.attn_qkv.scale; } | scales
disagrees: 0 missing, 0 of the wrong shape, 5 unexpected
unexpected  output.scale             [1]  unknown
unexpected  token_embd.scale         [1]  unknown
unexpected  output_norm.input_scale  [1]  unknown
unexpected  blk.8.attn_q.scale       [1]  unknown
unexpected  blk.0.attn_qkv.scale     [1]  unknown
$ . test/cli/gguf/build.sh; llama_of NVFP4 39 | { grep -v blk.3.attn_q.weight; printf 'tensor blk.3.%s F32 1\n' attn_q.scale attn_q.input_scale; } | scales
disagrees: 1 missing, 0 of the wrong shape, 2 unexpected
unexpected  blk.3.attn_q.scale        [1]  unknown
unexpected  blk.3.attn_q.input_scale  [1]  unknown
# Another shape, another type, or a row.
$ . test/cli/gguf/build.sh; llama_of NVFP4 39 | { cat; echo 'tensor blk.0.attn_q.scale F32 2'; echo 'tensor blk.0.attn_k.scale F32 1 1'; echo 'tensor blk.0.attn_v.scale F16 1'; echo 'tensor blk.0.ffn_up.scale F32 512'; } | scales
disagrees: 0 missing, 0 of the wrong shape, 4 unexpected
unexpected  blk.0.attn_q.scale  [2]     unknown
unexpected  blk.0.attn_k.scale  [1, 1]  unknown
unexpected  blk.0.attn_v.scale  [1]     unknown
unexpected  blk.0.ffn_up.scale  [512]   unknown
# Four experts a layer have four, not one and not five; the router has none.
$ . test/cli/gguf/build.sh; mixtral_of NVFP4 39 | { cat; printf 'tensor blk.0.%s F32 4\n' ffn_up_exps.scale ffn_up_exps.input_scale ffn_down_exps.scale; } | scales
scales                       2          +8     32 B  blk.0.ffn_up_exps.scale and 1 more
scales of activations        1          +4     16 B  blk.0.ffn_up_exps.input_scale
agrees: all expected tensors are present, the others are accounted for
$ . test/cli/gguf/build.sh; mixtral_of NVFP4 39 | { cat; printf 'tensor blk.0.%s\n' 'ffn_up_exps.scale F32 1' 'ffn_gate_exps.scale F32 5' 'ffn_gate_inp.scale F32 1'; } | scales
disagrees: 0 missing, 0 of the wrong shape, 3 unexpected
unexpected  blk.0.ffn_up_exps.scale    [1]  unknown
unexpected  blk.0.ffn_gate_exps.scale  [5]  unknown
unexpected  blk.0.ffn_gate_inp.scale   [1]  unknown

# The same for DBRX, whose experts are not a stack on the Hub. Weights without scales in llama.cpp have none here:
# norms, fused gate and up.
$ . test/cli/gguf/build.sh; dbrx | { cat; printf 'tensor blk.0.ffn_%s F32 4\n' gate_exps.scale up_exps.scale up_exps.input_scale down_exps.scale; printf 'tensor blk.0.%s F32 1\n' attn_qkv.scale; } | scales
scales                       4       +13       52 B  blk.0.ffn_gate_exps.scale and 3 more
scales of activations        1        +4       16 B  blk.0.ffn_up_exps.input_scale
agrees: all expected tensors are present, the others are accounted for
$ . test/cli/gguf/build.sh; dbrx | { cat; printf 'tensor blk.0.%s\n' 'ffn_up_exps.scale F32 1' 'ffn_gate_exps.scale F32 5' 'ffn_down_exps.scale F32 2 2' 'attn_norm.scale F32 1' 'ffn_gate_up_exps.scale F32 4'; } | scales
disagrees: 0 missing, 0 of the wrong shape, 5 unexpected
unexpected  blk.0.ffn_up_exps.scale       [1]     unknown
unexpected  blk.0.ffn_gate_exps.scale     [5]     unknown
unexpected  blk.0.ffn_down_exps.scale     [2, 2]  unknown
unexpected  blk.0.attn_norm.scale         [1]     unknown
unexpected  blk.0.ffn_gate_up_exps.scale  [4]     unknown
# Layers without experts have none.
$ . test/cli/gguf/build.sh; llama_of NVFP4 39 | { cat; echo 'tensor blk.0.ffn_up_exps.scale F32 4'; } | scales
disagrees: 0 missing, 0 of the wrong shape, 1 unexpected
unexpected  blk.0.ffn_up_exps.scale  [4]  unknown
# The scale of a prediction layer's linear map is also a single number.
$ . test/cli/gguf/build.sh; predicting | { cat; printf 'tensor blk.1.%s F32 1\n' nextn.eh_proj.scale nextn.eh_proj.input_scale ffn_up.scale; } | scales
scales                        2        +2       8 B  blk.1.nextn.eh_proj.scale and 1 more
scales of activations         1        +1       4 B  blk.1.nextn.eh_proj.input_scale
agrees: all expected tensors are present, the others are accounted for
$ . test/cli/gguf/build.sh; predicting | { cat; printf 'tensor blk.1.%s\n' 'nextn.eh_proj.scale F32 2' 'nextn.enorm.scale F32 1'; } | scales
disagrees: 0 missing, 0 of the wrong shape, 2 unexpected
unexpected  blk.1.nextn.eh_proj.scale  [2]  unknown
unexpected  blk.1.nextn.enorm.scale    [1]  unknown

# ---- shapes: as llama.cpp's loader requires them; only outer dimensions of 1 are dropped
# Mamba-2's grouped norm, 2 of 32. llama.cpp refuses it as one row, transposed, or in four groups.
$ . test/cli/gguf/build.sh; mamba2 '2 32' | shapes; mamba2 '1 2 32' | shapes; for n in 64 '32 2' '64 1' '4 16'; do mamba2 "$n" | shapes; done
agrees: all expected tensors are present, and no others
parameters     9,964 (9.96 K)
agrees: all expected tensors are present, and no others
parameters     9,964 (9.96 K)
wrong shape              1        +0  blk.0.ssm_norm.weight
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
parameters     9,964 (9.96 K)
wrong shape  blk.0.ssm_norm.weight  expected  [2, 32]  found  [64]
wrong shape              1        +0  blk.0.ssm_norm.weight
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
parameters     9,964 (9.96 K)
wrong shape  blk.0.ssm_norm.weight  expected  [2, 32]  found  [32, 2]
wrong shape              1        +0  blk.0.ssm_norm.weight
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
parameters     9,964 (9.96 K)
wrong shape  blk.0.ssm_norm.weight  expected  [2, 32]  found  [64, 1]
wrong shape              1        +0  blk.0.ssm_norm.weight
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
parameters     9,964 (9.96 K)
wrong shape  blk.0.ssm_norm.weight  expected  [2, 32]  found  [4, 16]
# With one group it is [1, 64], or [64] if a writer dropped the 1; never [64, 1].
$ . test/cli/gguf/build.sh; for n in '1 64' 64 '64 1'; do mamba2 "$n" 1 | shapes; done
agrees: all expected tensors are present, and no others
parameters     9,372 (9.37 K)
agrees: all expected tensors are present, and no others
parameters     9,372 (9.37 K)
wrong shape              1        +0  blk.0.ssm_norm.weight
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
parameters     9,372 (9.37 K)
wrong shape  blk.0.ssm_norm.weight  expected  [1, 64]  found  [64, 1]
# A value per head is a separate row; the kernel has no 1 in the middle.
$ . test/cli/gguf/build.sh; mamba2 '2 32' 2 '1 4' | shapes; for a in 4 '1 4'; do mamba2 '2 32' 2 4 "$a" | shapes; done
wrong shape              1        +0  blk.0.ssm_conv1d.weight
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
parameters     9,964 (9.96 K)
wrong shape  blk.0.ssm_conv1d.weight  expected  [96, 4]  found  [96, 1, 4]
wrong shape              1        +0  blk.0.ssm_a
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
parameters     9,964 (9.96 K)
wrong shape  blk.0.ssm_a  expected  [4, 1]  found  [4]
wrong shape              1        +0  blk.0.ssm_a
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
parameters     9,964 (9.96 K)
wrong shape  blk.0.ssm_a  expected  [4, 1]  found  [1, 4]

# ---- show: the recipe, bits per weight, and exceptions to the main type
# Q4_K 144 bytes for 256: 4.5 bits. Q6_K 210: of attn_v and ffn_down in 4 of 8 layers and the output it is 4 x (32,768 + 131,072) + 131,072
# = 786,432 of 4,980,736: 645,120 + 2,359,296 = 3,004,416 bytes, 4.83 bits; with the norms' 17 KiB 3,021,824 for 4,985,088, 4.85.
$ . test/cli/gguf/build.sh; llama_of Q4_K 15 | typed attn_v Q6_K 0,2,5,7 | typed ffn_down Q6_K 0,2,5,7 | typed output Q6_K | head
types         Q4_K, Q6_K, F32
quantization  Q4_K_M (by general.file_type)
packed        58 tensors, 4.83 bits per weight, 4.85 over the whole file
mixture       attn_v, ffn_down Q6_K in 4 of 8 layers; output Q6_K
$ . test/cli/gguf/build.sh; llama_of Q4_0 2 | head; llama_of F16 1 | head
types         Q4_0, F32
quantization  Q4_0 (by general.file_type)
packed        58 tensors, 4.50 bits per weight, 4.52 over the whole file
types         F16, F32
# Types in different layers, some in all; written by hand: not llama-quantize's recipe.
$ . test/cli/gguf/build.sh; llama_of Q4_K 15 | typed attn_v Q6_K 0-3 | typed attn_k Q6_K 0-4 | typed attn_q IQ4_XS | typed attn_output IQ4_XS 7 | typed ffn_gate Q3_K 1-6 | typed ffn_up Q3_K 1-6 | typed token_embd Q6_K | typed output Q6_K | head
types         Q4_K, Q3_K, IQ4_XS, Q6_K, F32
quantization  Q4_K_M, mixed further (by general.file_type)
packed        58 tensors, 4.37 bits per weight, 4.39 over the whole file
mixture       attn_k Q6_K in 5 of 8 layers; attn_output IQ4_XS in 1 of 8 layers; attn_q IQ4_XS; attn_v Q6_K in 4 of 8 layers; ffn_gate, ffn_up Q3_K in 6 of 8 layers; output, token_embd Q6_K
$ . test/cli/gguf/build.sh; for t in ' 15' '' ' 999' ' 1026'; do llama_of Q8_0$t | head | sed -n 2p; done
quantization  Q8_0 (by its tensors; general.file_type says Q4_K_M)
quantization  Q8_0 (by its tensors)
quantization  Q8_0 (by its tensors; general.file_type is 999, unknown)
quantization  Q8_0 (by its tensors; general.file_type says Q4_0, guessed)
# The full histogram is in JSON: one record per part and type, with layer numbers.
$ . test/cli/gguf/build.sh; llama_of Q4_K 15 | typed attn_v Q6_K 0,2,5,7 | typed output Q6_K | made x; numel show --json $T/x | python3 -c 'import json,sys; [print(*m.values()) for m in json.load(sys.stdin)["mixture"] if m["part"] in ("attn_v", "output")]'
attn_v Q4_K 4 8 [1, 3, 4, 6] 131072 73728
attn_v Q6_K 4 8 [0, 2, 5, 7] 131072 107520
output Q6_K 1 1 [] 131072 107520
# Unknown numbers, and names that are not llama.cpp's.
$ . test/cli/gguf/build.sh; printf '%s\n' 'gguf 3' 'file x.gguf' 'kv string general.architecture flux' 'tensor double_blocks.{0..3}.img_attn.qkv.weight Q5_0 96 32' 'tensor double_blocks.{0..3}.img_attn.proj.weight Q8_0 32 32' 'tensor img_in.weight F16 32 64' | head
types         Q5_0, Q8_0, F16
quantization  Q5_0 (by its tensors)
packed        8 tensors, 6.25 bits per weight, 7.33 over the whole file
mixture       double_blocks.*.img_attn.proj Q8_0; img_in F16
# The method, bits per weight and plain parts, under the same JSON keys as other formats.
$ . test/cli/gguf/build.sh; llama_of Q4_K 15 | typed output Q6_K | typed ffn_up F16 7 | made x; numel show --json $T/x | python3 -c 'import json,sys; q=json.load(sys.stdin)["quantization"]; print(q["method"], q["layout"], q["bits_per_weight"], q["whole_bits_per_weight"], q["weights"], q["from"]); print([[k["layout"], k["modules"], k["bytes"]] for k in q["kinds"]], q["left_out"])'
Q4_K_M Q4_K 4.56 4.88 57 general.file_type
[['Q4_K', 56, 2654208], ['Q6_K', 1, 107520]] {'modules': 1, 'names': [{'name': 'ffn_up', 'modules': 1}]}

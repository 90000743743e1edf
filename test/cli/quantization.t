# Packed weights at the top of show and reconcile, and in JSON "quantization". The Llama of
# test/cli/causes/build.sh: 14 modules of 73,728 elements, 106,816 in all, which are F16 where they are plain.

# 4 bits, groups of 32: values 1/2 byte, scales 2/32, zero points 1/64: 73,728 * 0.578125 = 42,624 bytes, 4.625
# bits each; the others 33,088 * 2 = 66,176: 108,800 * 8 / 106,816 = 8.1486.
$ . test/cli/causes/kinds.sh; llama | gptq_of | head_of ',"quantization_config":{"quant_method":"gptq","bits":4,"group_size":32,"sym":true}'
quantization  GPTQ 4-bit, group 32, symmetric (by config.json)
packed        14 modules, 4.63 bits per weight, 8.15 over the whole file
unquantized   lm_head
verdict       agrees with llama: 106,816 parameters
$ . test/cli/causes/kinds.sh; llama | gptq_of | head_of ',"quantization_config":{"quant_method":"gptq","bits":4,"group_size":32,"sym":false}'; grep '"quantization":' $T/json
quantization  GPTQ 4-bit, group 32, asymmetric (by config.json)
packed        14 modules, 4.63 bits per weight, 8.15 over the whole file
unquantized   lm_head
verdict       agrees with llama: 106,816 parameters
 "quantization": {"method":"gptq","bits":4,"group":32,"layout":"gptq","bits_per_weight":4.63,"weights":14,"from":"config.json","symmetric":false,"whole_bits_per_weight":8.15,"kinds":[{"layout":"gptq","bits":4,"group":32,"modules":14,"elements":73728,"bytes":42624}],"left_out":{"modules":1,"names":[{"name":"lm_head","modules":1}]},"name":"GPTQ 4-bit, group 32"},
# Two widths: 14 - 6 modules of 4 bits; of 3 * 8,192 elements in both layers 8 bits.
$ . test/cli/causes/kinds.sh; llama | gptq_of mlp | head_of ',"quantization_config":{"quant_method":"gptq","bits":4,"group_size":32,"dynamic":{"+:.*mlp.*":{"bits":8}}}'; grep -o '"kinds":\[[^]]*\]' $T/json
quantization  GPTQ, group 32 (by config.json)
packed        8 bits: 6 modules; 4 bits: 8 modules, 7.38 bits per weight, 10.05 over the whole file
unquantized   lm_head
verdict       agrees with llama: 106,816 parameters
"kinds":[{"layout":"gptq","bits":8,"group":32,"modules":6,"elements":49152,"bytes":53760},{"layout":"gptq","bits":4,"group":32,"modules":8,"elements":24576,"bytes":14208}]
# Unlisted, and plain in the file: the report describes the file.
$ . test/cli/causes/kinds.sh; config=$mixtral_config; mixtral | gptq_of | head_of ',"quantization_config":{"quant_method":"gptq","bits":4,"group_size":32}'; grep -o '"left_out":.*' $T/json
quantization  GPTQ 4-bit, group 32 (by config.json)
packed        8 modules, 4.63 bits per weight, 13.40 over the whole file
unquantized   2 x block_sparse_moe.gate, 24 x block_sparse_moe.experts.*, lm_head
verdict       agrees with mixtral: 107,328 parameters
"left_out":{"modules":27,"names":[{"name":"model.layers.*.block_sparse_moe.gate","modules":2},{"name":"model.layers.*.block_sparse_moe.experts.*.w1","modules":8},{"name":"model.layers.*.block_sparse_moe.experts.*.w3","modules":8},{"name":"model.layers.*.block_sparse_moe.experts.*.w2","modules":8},{"name":"lm_head","modules":1}]},"name":"GPTQ 4-bit, group 32"},
# Without a quantization in the configuration: from the tensors. Every GPTQ file has zero points, so symmetry is
# unknown.
$ . test/cli/causes/kinds.sh; llama | gptq_of | head_of; grep -o '"from":"[a-z.]*","symmetric":[a-z]*' $T/json
quantization  GPTQ 4-bit, group 32 (by its tensors)
packed        14 modules, 4.63 bits per weight, 8.15 over the whole file
unquantized   lm_head
verdict       agrees with llama: 106,816 parameters
"from":"names","symmetric":null
# One group per row, of 64 or 128 inputs; from a file other than config.json.
$ . test/cli/causes/kinds.sh; llama | quantized gptq | sed -E 's/(qzeros I32|scales F16) [0-9]+/\1 1/' | head_of ',"quantization_config":{"quant_method":"gptq","bits":4,"group_size":-1}'
quantization  GPTQ 4-bit, one scale per row (by config.json)
packed        14 modules, 4.72 bits per weight, 8.37 over the whole file
unquantized   lm_head
verdict       agrees with llama: 106,816 parameters
$ . test/cli/causes/kinds.sh; llama | gptq_of | head_of >"$T/x"; mkdir -p "$T/model"; cd "$T"; printf '{"bits":4,"group_size":32,"sym":true}' > model/quantize_config.json; numel model | grep ^quantization
quantization  GPTQ 4-bit, group 32, symmetric (by quantize_config.json)
# A codebook is neither symmetric nor asymmetric: nf4.
$ . test/cli/causes/kinds.sh; llama | quantized bnb4 | head_of ',"quantization_config":{"quant_method":"bitsandbytes","load_in_4bit":true,"bnb_4bit_use_double_quant":true}'
quantization  bnb NF4 (bitsandbytes) (by config.json)
packed        14 modules, 5.90 bits per weight, 9.03 over the whole file
unquantized   lm_head
verdict       agrees with llama: 106,816 parameters
# A false configuration: nothing in the file is packed. Plain weights get no quantization line.
$ . test/cli/causes/kinds.sh; llama | head_of ',"quantization_config":{"quant_method":"gptq","bits":4}'; grep -o '"quantization":.*' $T/json
quantization  gptq (by config.json), but no weight is stored in a known layout
verdict       disagrees with llama: 0 missing, 0 of the wrong shape, 0 unexpected, 1 contradiction (see 'numel reconcile')
"quantization": {"method":"gptq","bits":null,"group":null,"layout":null,"bits_per_weight":null,"weights":0,"from":"config.json","symmetric":null,"whole_bits_per_weight":null,"kinds":[],"left_out":{"modules":0,"names":[]},"name":null},
$ . test/cli/causes/kinds.sh; llama | head_of; grep -o '"quantization":.*' $T/json
verdict       agrees with llama: 106,816 parameters
"quantization": null,
# Eighty columns: words continue below, aligned.
$ . test/cli/causes/kinds.sh; config=$mixtral_config; mixtral | quantized gptq >"$T/x"; head_of ',"quantization_config":{"quant_method":"gptq","bits":4,"group_size":32}' <"$T/x" >/dev/null; COLUMNS=60 numel $T/model | sed -n '/^quant/,/^bytes/p'
quantization  GPTQ 4-bit, group 32 (by config.json)
packed        8 modules, 5.29 bits per weight, 13.61 over
              the whole file
unquantized   2 x block_sparse_moe.gate, 24 x
              block_sparse_moe.experts.*, lm_head
bytes         190,200 = header 7,672 + data (absent) 182,528
# A tensor's purpose for its weight, the layout that defines it, and the values it stands for.
$ . test/cli/causes/kinds.sh; llama | gptq_of | head_of ',"quantization_config":{"quant_method":"gptq","bits":4}' >/dev/null; numel tensors --json $T/model | grep 'layers.1.*q_proj' | sed 's/.*"name"/"name"/; s/"offset.*"role"/"role"/'
"name":"model.layers.1.self_attn.q_proj.qweight","dtype":"I32","shape":[8,64],"elements":512,"bytes":2048,"role":"attn.q","class":"quant","bytes_inferred":false,"ground":"shape","logical":4096,"layout":"gptq"}
"name":"model.layers.1.self_attn.q_proj.qzeros","dtype":"I32","shape":[2,8],"elements":16,"bytes":64,"role":"quant.zero","class":"quant","bytes_inferred":false,"ground":"shape","logical":0,"layout":"gptq"}
"name":"model.layers.1.self_attn.q_proj.scales","dtype":"F16","shape":[2,64],"elements":128,"bytes":256,"role":"quant.scale","class":"quant","bytes_inferred":false,"ground":"shape","logical":0,"layout":"gptq"}
# Without a configuration: the hidden size comes from a table of floats, never from packed values or their scales (64, packed 8, in groups 2).
$ . test/cli/causes/build.sh; llama | quantized mlx | sed 's/^tensor model.embed_tokens.weight .*/tensor model.embed_tokens.scales BF16 256 2\ntensor model.embed_tokens.biases BF16 256 2\ntensor model.embed_tokens.weight U32 256 8/' >"$T/x"; mkhead -q "$T/x" "$T/packed" >/dev/null; (cd $T/packed; mv model.* model-00001-of-00002.${x=safetensors.head.zst}); numel show $T/packed | grep -o 'by names.*'
by names and shapes: 2 layers (model.layers), vocabulary 256 ('numel reconcile' tries every specification)
$ . test/cli/causes/build.sh; llama | quantized mlx >"$T/x"; mkhead -q "$T/x" "$T/plain" >/dev/null; (cd $T/plain; mv model.* model-00001-of-00002.${x=safetensors.head.zst}); numel show $T/plain | grep -o 'by names.*'
by names and shapes: 2 layers (model.layers), hidden size 64, vocabulary 256 ('numel reconcile' tries every specification)

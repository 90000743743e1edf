# What determines how weights are stored: the configuration, tensors next to each other in the file, and its data.

# ---- several solutions

# One byte per value holds 4 bits as well as 8; groups of 32 are visible. 14 weights with a scale each: 28 tensors.
$ . test/cli/causes/open.sh; llama | wide 32 | reconcile '' --spec wide.layout | grep -E '^(quantization|agrees|disagrees|parameters|\()'
agrees in part: all expected tensors are present; 14 packed weights may be 4 bits in groups of 32, or 8 bits in groups of 32, their shapes are the same; 28 tensors are not checked: packed values (14), scales (14)
parameters     106,816 (106.82 K)
(in part)
$ . test/cli/causes/open.sh; llama | wide 32 | reconcile '' --spec wide.layout >/dev/null; grep -A2 -E '"(quantization|solutions|ground)":' $T/json; numel $T/model --spec $T/wide.layout | grep quant
  {"cause":"formula","tensors":21,"elements":106816,"bytes":66176,"detail":"llama, 21 tensors expected","code":"formula","ground":"shape"},
  {"cause":"packed values","tensors":14,"elements":0,"bytes":73728,"detail":"model.layers.0.mlp.down_proj.wide and 13 more","code":"packed","ground":"name"},
  {"cause":"scales","tensors":14,"elements":2304,"bytes":4608,"detail":"model.layers.0.mlp.down_proj.scale and 13 more","code":"quant-scale","ground":"name"}],
 "formula": 106816,
 "stored": 109120,
--
 "quantization": {"method":null,"bits":null,"group":32,"layout":"wide","bits_per_weight":8.50,"weights":14,"from":"names","symmetric":true,"whole_bits_per_weight":10.82,"kinds":[{"layout":"wide","bits":null,"group":null,"modules":14,"elements":73728,"bytes":78336}],"left_out":{"modules":1,"names":[{"name":"lm_head","modules":1}]},"name":"wide"},
 "solutions": [
  {"layout":"wide","bits":4,"group":32,"weights":14},
  {"layout":"wide","bits":8,"group":32,"weights":14}],
 "ground": {"shape":7,"name":28,"none":0},
 "roles": [
  {"role":"attn.k","elements":4096},
quantization  wide, 4 bits in groups of 32, or 8 bits in groups of 32, symmetric (by its tensors)
unquantized   lm_head
# The configuration decides; then there is one solution.
$ . test/cli/causes/open.sh; llama | wide 32 | reconcile ',"quantization_config":{"quant_method":"wide","bits":4}' --spec wide.layout | grep -E '^(quantization|agrees|disagrees|parameters|\()'
agrees: all expected tensors are present, the others are accounted for
parameters     106,816 (106.82 K)
(agrees)

# ---- without a configuration

# Each of the 16 matrices may have 4 bits in groups of 64, or 8 bits in groups of 32 with half as many inputs, which the
# layout prefers, or 2 bits in groups of 128 with twice as many. The norms have 64, and down_proj's inputs are up_proj's outputs.
$ . test/cli/causes/open.sh; llama | affine 4 64 | alone --spec affine.layout | grep -E '^(quantization|E |F |agrees|disagrees|parameters)'
quantization  affine, 4 bits, groups of 64, asymmetric (by its tensors)
E          64  inferred   hidden_size
F         128  inferred   intermediate_size
agrees in part: all expected tensors are present; some sizes are in no configuration and are inferred from the tensors
parameters     106,816 (106.82 K)

# ---- a contradicting configuration

# Other bits: the tensors' value, and the key's.
$ . test/cli/causes/build.sh; llama | quantized gptq | reconcile ',"quantization_config":{"quant_method":"gptq","bits":8,"group_size":32}' | grep -E -A1 '^(disagrees|parameters|contradiction|reason)'
disagrees: 0 missing, 28 of the wrong shape, 0 unexpected, 1 contradiction
parameters     106,816 (106.82 K)
contradiction  config.json says bits is 8, but qweight and qzeros of 14 weights
               show 4: set bits to 4; 28 follow from it (--no-truncate shows
$ . test/cli/causes/build.sh; llama | quantized gptq | reconcile ',"quantization_config":{"quant_method":"gptq","bits":4,"group_size":64}' | grep -E -A1 '^(disagrees|parameters|contradiction|reason)'
disagrees: 0 missing, 28 of the wrong shape, 0 unexpected, 1 contradiction
parameters     106,816 (106.82 K)
contradiction  config.json says group_size is 64, but qzeros and scales of 14
               weights show 32: set group_size to 32; 28 follow from it
# One group per row is -1, on either side; zero points and scales of other layouts; two keys at once.
$ . test/cli/causes/build.sh; llama | quantized gptq | sed -E 's/(qzeros I32|scales F16) [0-9]+/\1 1/' | reconcile ',"quantization_config":{"quant_method":"gptq","bits":4,"group_size":32}' | grep -A1 '^contradiction'
contradiction  config.json says group_size is 32, but qzeros and scales of 14
               weights show one group per row (-1): set group_size to -1; 28
$ . test/cli/causes/build.sh; llama | quantized gptq | reconcile ',"quantization_config":{"quant_method":"gptq","bits":4,"group_size":-1}' | grep -A1 '^contradiction'
contradiction  config.json says group_size is one group per row (-1), but qzeros
               and scales of 14 weights show 32: set group_size to 32; 28 follow
$ . test/cli/causes/build.sh; llama | quantized gptq | sed -E 's/(qzeros I32|scales F16) [0-9]+/\1 1/' | reconcile ',"quantization_config":{"quant_method":"gptq","bits":4,"group_size":-1}' | grep -E -A1 '^(agrees|contradiction)'
agrees: all expected tensors are present, the others are accounted for
parameters     106,816 (106.82 K)
$ . test/cli/causes/build.sh; llama | quantized awq | reconcile ',"quantization_config":{"quant_method":"awq","bits":4,"group_size":64,"version":"gemm"}' | grep -A1 '^contradiction'
contradiction  config.json says group_size is 64, but qzeros and scales of 14
               weights show 32: set group_size to 32; 28 follow from it
$ . test/cli/causes/build.sh; llama | quantized mlx | reconcile ',"quantization":{"bits":4,"group_size":64}' | grep -A1 '^contradiction'
contradiction  config.json says group_size is 64, but scales and biases of 14
               weights show 32: set group_size to 32; 28 follow from it
$ . test/cli/causes/build.sh; llama | quantized packed | reconcile ',"quantization_config":{"quant_method":"compressed-tensors","format":"pack-quantized","config_groups":{"group_0":{"targets":["Linear"],"weights":{"num_bits":8,"type":"int","strategy":"group","group_size":16,"symmetric":true}}},"ignore":["lm_head"]}' | grep -A2 '^contradiction'
contradiction  config.json says num_bits is 8 and group_size is 16, but
               weight_packed and weight_scale of 14 weights show 4 and 32: set
               num_bits to 4 and group_size to 32; 28 follow from it
# Another size: the key, and the value that the shapes give, packed or plain. The count follows the tensors.
$ . test/cli/causes/build.sh; config=$(printf %s "$config" | sed 's/:128,/:192,/'); llama | quantized gptq | reconcile ',"quantization_config":{"quant_method":"gptq","bits":4,"group_size":32}' | grep -E -A1 '^(disagrees|parameters|contradiction|reason)'
disagrees: 0 missing, 24 of the wrong shape, 0 unexpected
parameters     106,816 (106.82 K)
cause  config.json says intermediate_size is 192, the tensors show 128: set it
$ . test/cli/causes/build.sh; config=$(printf %s "$config" | sed 's/heads":2/heads":4/; s/:256/:320/'); llama | reconcile | grep -E -A1 '^(disagrees|parameters|contradiction|reason)'; grep -A2 '"reasons"' $T/json
disagrees: 0 missing, 6 of the wrong shape, 0 unexpected
parameters     106,816 (106.82 K)
cause  config.json differs from the tensors in two keys: vocab_size is 320, the
 "reasons": [
  {"key":"num_key_value_heads","declared":4,"found":2,"weights":4,"text":"the configuration says num_key_value_heads 4, the shapes of 4 weights say 2"},
  {"key":"vocab_size","declared":320,"found":256,"weights":2,"text":"the configuration says vocab_size 320, the shapes of 2 weights say 256"}],

# Packed without a configuration that declares it: a note.
$ . test/cli/causes/build.sh; llama | quantized gptq | reconcile >/dev/null; numel verify $T/model | grep -E 'quantization-unsaid|^ok'
note  quantization-unsaid  model.safetensors.head.zst: 14 weights are packed
$ . test/cli/causes/build.sh; llama | quantized gptq | reconcile ',"quantization_config":{"quant_method":"gptq","bits":4,"group_size":32}' >/dev/null; numel verify --json $T/model | grep -c 'quantization-unsaid'
0
[1]

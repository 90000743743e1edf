# Packed weights whose storage the file does not fully define. The file is made in test/cli/causes.

# ---- identified by name alone

# The names appear where the weights are expected; no dims show their contents.
$ . test/cli/causes/opaque.sh; llama | vptq | reconcile ',"quantization_config":{"quant_method":"vptq"}' | grep -E '^(quantization|agrees|disagrees|parameters|missing|unexpected|\()'
agrees in part: all expected tensors are present; 14 packed weights are recognised by name only: logical size unknown; 42 tensors are not checked: packed values (14), markers (28)
parameters     106,816 (106.82 K)
(in part)
# Without a declaration in the configuration the names are enough.
$ . test/cli/causes/opaque.sh; llama | vptq | reconcile | grep -E '^(agrees|disagrees|\()'
agrees in part: all expected tensors are present; 14 packed weights are recognised by name only: logical size unknown; 42 tensors are not checked: packed values (14), markers (28)
(in part)
# One weight lacks its values: nothing stands for it.
$ . test/cli/causes/opaque.sh; llama | vptq | grep -v 'layers.1.*up_proj.indices' | reconcile ',"quantization_config":{"quant_method":"vptq"}' | grep -E '^(agrees|disagrees|missing|unexpected|\()'
missing              1    -8,192        0 B  model.layers.1.mlp.up_proj.weight
disagrees: 1 missing, 0 of the wrong shape, 0 unexpected
missing  model.layers.1.mlp.up_proj.indices  []
(disagrees)

# ---- an average number of bits

# 3 bits in one layer, 5 in the other: 4 on average, which the configuration may round.
$ . test/cli/causes/opaque.sh; llama | words 3 5 | reconcile ',"quantization_config":{"quant_method":"words","bits":4.1}' --spec words.layout | grep -E '^(agrees|disagrees|contradiction|\()'
agrees: all expected tensors are present, and no others
(agrees)
$ . test/cli/causes/opaque.sh; llama | words 3 5 | reconcile ',"quantization_config":{"quant_method":"words","bits":4.2}' --spec words.layout | grep -E '^(agrees|disagrees|contradiction|\()'
disagrees: 0 missing, 0 of the wrong shape, 0 unexpected, 1 contradiction
contradiction  config.json (bits) says 4.2, but the mean of all weights is 4
(disagrees)

# A known class under an unknown model type: a fork that keeps LlamaForCausalLM. The class defines the expected
# tensors; the model agrees in part, and reconcile
# explains why. The model of test/cli/causes/build.sh is a Llama of 106,816 parameters.

$ . test/cli/causes/build.sh; config=$(printf %s "$config" | sed 's/"llama"/"sarvam_next"/'); llama | reconcile; numel reconcile "$T/model" | grep -c 'the class that'
cause        tensors  elements
formula           21   106,816  llama, 21 tensors expected
stored            21   106,816
unexplained                  0
agrees in part: all expected tensors are present, but the model type is unknown: read as LlamaForCausalLM, the class that the configuration names
parameters     106,816 (106.82 K)
(in part)
1
$ . test/cli/causes/build.sh; config=$(printf %s "$config" | sed 's/"llama"/"sarvam_next"/'); llama | reconcile >/dev/null; cd "$T" && numel verify model
model/model.safetensors.head.zst
levels  header, size, index, config

file                          bytes  tensors
model.safetensors.head.zst  215,744       21  ok

note  data-absent  a header-only copy: the tensor data was left out on purpose

complete as far as headers show: 1 file, 21 tensors; checksums not checked
# Several types have the class (EXAONE also has LlamaForCausalLM): the one it is named after is used.
$ . test/cli/causes/build.sh; config=$(printf %s "$config" | sed 's/"llama"/"sarvam_next"/'); llama | reconcile >/dev/null; numel show "$T/model" | grep architecture
architecture  llama (LlamaForCausalLM, by config.json)
# A tensor of the class is missing: the class does not load it.
$ . test/cli/causes/build.sh; config=$(printf %s "$config" | sed 's/"llama"/"sarvam_next"/'); llama | without 1.mlp.up_proj | reconcile
cause        tensors  elements
formula           21   106,816  llama, 21 tensors expected
missing            1    -8,192  model.layers.1.mlp.up_proj.weight
stored            20    98,624
unexplained                  0
disagrees: 1 missing, 0 of the wrong shape, 0 unexpected
parameters     98,624 (98.62 K)
missing  model.layers.1.mlp.up_proj.weight  [128, 64]
(disagrees)
[1]
# Neighbours: an unknown class; the known one next to another.
$ . test/cli/causes/build.sh; config=$(printf %s "$config" | sed 's/"llama"/"sarvam_next"/; s/LlamaForCausalLM/SarvamNextForCausalLM/'); llama | reconcile
the statement gives , stored 106816
(disagrees)
[4]
$ . test/cli/causes/build.sh; config=$(printf %s "$config" | sed 's/"llama"/"sarvam_next"/; s/"LlamaForCausalLM"/"LlamaForCausalLM","Other"/'); llama | reconcile
the statement gives , stored 106816
(disagrees)
[4]
# The configuration alone.
$ . test/cli/causes/build.sh; printf '{%s}\n' "$config" | sed 's/"llama"/"sarvam_next"/' >"$T/config.json"; numel formula "$T/config.json" | grep total
role        formula    each  times   total   share
total       106,816 (106.82 K)

# Without a configuration: a Llama with a tied head has Gemma's names. Among types that explain a file equally, the
# one with its vocabulary size comes first, then the most common; the others are named.
$ . test/cli/causes/build.sh; llama | without lm_head >$T/m.txt; mkhead -q $T/m.txt $T/m >$T/made; numel identify $T/m | sed 's/.*elements: //'
language model (llama, LlamaForCausalLM; also fits: gemma; classes with the same names: mistral, cwm, eurobert, granite, helium, internlm3, iquestcoder, ministral, ministral3, exaone, glm4_moe, mllama)
# Neighbours: 256,000 rows are Gemma's vocabulary, 103,424 ERNIE 4.5's; none of them explains a missing norm.
$ . test/cli/causes/build.sh; llama | without lm_head | sed 's/F16 256 64/F16 256000 64/' >$T/m.txt; mkhead -q $T/m.txt $T/m >$T/made; numel identify $T/m | sed 's/.*elements: //'
language model (gemma, GemmaForCausalLM; classes with the same names: ernie4_5, smollm3, granite, ernie4_5_moe)
$ . test/cli/causes/build.sh; llama | without lm_head | sed 's/F16 256 64/F16 103424 64/' >$T/m.txt; mkhead -q $T/m.txt $T/m >$T/made; numel identify $T/m | sed 's/.*elements: //'
language model (ernie4_5, Ernie4_5ForCausalLM; also fits: gemma; classes with the same names: gemma, smollm3, granite, ernie4_5_moe)
$ . test/cli/causes/build.sh; llama | without lm_head | without 1.input_layernorm >$T/m.txt; mkhead -q $T/m.txt $T/m >$T/made; numel reconcile $T/m | grep -E '^(agrees|disagrees|missing)'
missing                  1       -64  model.layers.1.input_layernorm.weight
disagrees: 1 missing, 0 of the wrong shape, 0 unexpected
missing  model.layers.1.input_layernorm.weight  [64]
# A Llama with biases, its head separate or tied: its own names identify it, though Nemotron-NAS' values would explain them too. A removed bias is missing.
$ . test/cli/causes/build.sh; biased() { awk '{ print } /_proj.weight/ { sub(/weight/, "bias"); print $1, $2, $3, $4 }'; }; llama | biased >$T/m.txt; mkhead -q $T/m.txt $T/m >$T/made; numel identify $T/m | sed 's/.*elements: //'
language model (llama, LlamaForCausalLM)
$ . test/cli/causes/build.sh; biased() { awk '{ print } /_proj.weight/ { sub(/weight/, "bias"); print $1, $2, $3, $4 }'; }; llama | biased | without lm_head >$T/m.txt; mkhead -q $T/m.txt $T/m >$T/made; numel identify $T/m | sed 's/.*elements: //'
language model (llama, LlamaForCausalLM)
$ . test/cli/causes/build.sh; biased() { awk '{ print } /_proj.weight/ { sub(/weight/, "bias"); print $1, $2, $3, $4 }'; }; llama | biased | without 1.self_attn.k_proj.bias >$T/m.txt; mkhead -q $T/m.txt $T/m >$T/made; numel reconcile $T/m | grep -E '^(arch|agrees|disagrees|missing|no formula)'
architecture  llama (by the tensors' names and shapes; also fits: deci)
missing            1       -32  model.layers.1.self_attn.k_proj.bias
disagrees: 1 missing, 0 of the wrong shape, 0 unexpected
missing  model.layers.1.self_attn.k_proj.bias  [32]

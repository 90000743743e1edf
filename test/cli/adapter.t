# Adapters: their contents, the modules they change, and whether file and configuration agree.
# test/cli/causes/adapter.sh makes them for the small Llama of build.sh with 106,816 parameters. A pair of rank r
# for a weight [out, in] has r * (in + out) elements.

# Rank 8 on q_proj [64, 64] and v_proj [32, 64] of two layers: 2 * 8 * 128 + 2 * 8 * 96 = 3,584, for 2 * 4,096 + 2
# * 2,048 = 12,288 weights of the base. The base's configuration gives its total.
$ . test/cli/causes/adapter.sh; lora 8 q_proj v_proj | adapter '{"peft_type":"LORA","r":8,"lora_alpha":16,"base_model_name_or_path":"someone/two-layers","target_modules":["q_proj","v_proj"]}' show --config $T/base.json
adapter     lora, rank 8, alpha 16
family      llama of width 64, 2 layers (the sizes also fit qwen3, qwen3moe, gemma2, gemma3, phi2, olmo2, cohere2, glm4, gpt-oss, starcoder2, minimax-m2)
base        someone/two-layers
trained     3,584 parameters in 4 modules
changes     12,288 base weights; the adapter has 29.17 % as many
base model  106,816 parameters; the adapter has 3.36 % as many

target  modules  rank  parameters  base weights
q_proj        2     8       2,048         8,192
v_proj        2     8       1,536         4,096
# The same for programs: fractions instead of percentages.
$ . test/cli/causes/adapter.sh; lora 8 q_proj v_proj | adapter '{"peft_type":"LORA","r":8,"lora_alpha":16.5}' show --json --config $T/base.json
 "adapter": {"type":"lora","rank":8,"ranks":[8],"alpha":16.5,"magnitudes":0,"targets":[{"name":"q_proj","modules":2,"ranks":[8],"parameters":2048,"base_parameters":8192},{"name":"v_proj","modules":2,"ranks":[8],"parameters":1536,"base_parameters":4096}],"modules":4,"parameters":3584,"target_parameters":12288,"target_share":{"numerator":3584,"denominator":12288},"base":null,"base_parameters":106816,"share":{"numerator":3584,"denominator":106816},"saved_whole":{"tensors":0,"elements":0},"disagrees":[],"family":"llama of width 64, 2 layers","fits":["llama of width 64, 2 layers","qwen3 of width 64, 2 layers","qwen3moe of width 64, 2 layers","gemma2 of width 64, 2 layers","gemma3 of width 64, 2 layers","phi2 of width 64, 2 layers","olmo2 of width 64, 2 layers","cohere2 of width 64, 2 layers","glm4 of width 64, 2 layers","gpt-oss of width 64, 2 layers","starcoder2 of width 64, 2 layers","minimax-m2 of width 64, 2 layers"],"blocks":[{"name":"model.layers","modules":4,"ranks":[8],"parameters":3584,"base_parameters":12288}],"alpha_tensors":0},
# Without adapter_config.json the shapes suffice; reconcile identifies the adapter.
$ . test/cli/causes/adapter.sh; lora 4 down_proj | adapter '' reconcile
adapter  lora, rank 4
trained  1,536 parameters in 2 modules
changes  16,384 base weights; the adapter has 9.38 % as many

target     modules  rank  parameters  base weights
down_proj        2     4       1,536        16,384

an adapter has no formula of its own; --base MODEL checks it against its base
[4]
# The tree of its names is kept: nothing is guessed from it.
$ . test/cli/causes/adapter.sh; lora 4 down_proj | adapter '' show; numel reconcile --json $T/adapter | grep -E '"(agrees|formula|architecture)"'
adapter  lora, rank 4
trained  1,536 parameters in 2 modules
changes  16,384 base weights; the adapter has 9.38 % as many

target     modules  rank  parameters  base weights
down_proj        2     4       1,536        16,384

 "judgement": {"kind":"adapter","verdict":"in part","architecture":null,"name":null,"known_by":null,"causes":[]},
 "architecture": null,
 "formula": null,
 "agrees": null,

# ---- file against configuration

# The configuration states r 8, the file has 16.
$ . test/cli/causes/adapter.sh; lora 16 q_proj | adapter '{"peft_type":"LORA","r":8}' show
adapter  lora, rank 16
trained  4,096 parameters in 2 modules
changes  8,192 base weights; the adapter has 50.00 % as many

target  modules  rank  parameters  base weights
q_proj        2    16       4,096         8,192

disagrees  adapter_config.json says rank 8, but model.layers.0.self_attn.q_proj has 16 (2 of 2 modules differ)
# A configuration that exists but cannot be read: PEFT does not load the adapter.
$ . test/cli/causes/adapter.sh; lora 8 q_proj | adapter '{"peft_type":"LORA","r":8' show | grep '^dis'; numel verify -q $T/adapter
disagrees  adapter_config.json: expected ',' or '}', the JSON text ends
[1]
# Two ranks, from rank_pattern: 2 * 8 * 128 + 2 * 4 * 96.
$ . test/cli/causes/adapter.sh; { lora 8 q_proj; lora 4 v_proj | sed 1d; } | adapter '{"peft_type":"LORA","r":8,"rank_pattern":{"v_proj":4}}' show
adapter  lora, ranks 4, 8
family   llama of width 64, 2 layers (the sizes also fit qwen3, qwen3moe, gemma2, gemma3, phi2, olmo2, cohere2, glm4, gpt-oss, starcoder2, minimax-m2)
trained  2,816 parameters in 4 modules
changes  12,288 base weights; the adapter has 22.92 % as many

target  modules  rank  parameters  base weights
q_proj        2     8       2,048         8,192
v_proj        2     4         768         4,096
$ . test/cli/causes/adapter.sh; { lora 8 q_proj; lora 4 v_proj | sed 1d; } | adapter '{"peft_type":"LORA","r":8,"rank_pattern":{".*v_p.*":4,"layers.1.self_attn.q_proj":32}}' show
adapter  lora, ranks 4, 8
family   llama of width 64, 2 layers (the sizes also fit qwen3, qwen3moe, gemma2, gemma3, phi2, olmo2, cohere2, glm4, gpt-oss, starcoder2, minimax-m2)
trained  2,816 parameters in 4 modules
changes  12,288 base weights; the adapter has 22.92 % as many

target  modules  rank  parameters  base weights
q_proj        2     8       2,048         8,192
v_proj        2     4         768         4,096

disagrees  adapter_config.json says rank 32, but model.layers.1.self_attn.q_proj has 8 (1 of 4 modules differ)
# One block lacks a module that another has: the base has it there. With a single target the whole block is
# missing, which only a configuration that lists targets rules out: without layers_to_transform all blocks are
# meant.
$ . test/cli/causes/adapter.sh; lora 8 q_proj v_proj | sed 's/{0,1}\(.*v_proj\)/{1}\1/' | adapter '' reconcile --config $T/base.json | grep -E 'disagrees|proven'
disagrees  model.layers.0.self_attn.v_proj is not changed, but in other blocks it is
disagrees: 1 contradiction
$ . test/cli/causes/adapter.sh; lora 8 q_proj | sed 's/{0,1}/{1}/' | adapter '{"peft_type":"LORA","r":8,"target_modules":["q_proj"]}' reconcile --config $T/base.json | grep disagrees
disagrees  model.layers.0 is not changed (of 2 such blocks, 1 are)
disagrees: 1 contradiction
$ . test/cli/causes/adapter.sh; lora 8 q_proj | sed 's/{0,1}/{1}/' | adapter '{"peft_type":"LORA","r":8,"target_modules":["q_proj"],"layers_to_transform":[1]}' reconcile --config $T/base.json | grep agrees
agrees: 2 tensors, complete for their method, with the sizes of its base model
# Halves of two adapters, or with two writers' names, are not a pair; nor are halves of two types.
$ . test/cli/causes/adapter.sh; lora 8 q_proj | sed 's/A.weight/A.one.weight/; s/B.weight/B.two.weight/' | adapter '' show | grep disagrees
disagrees  its tensors belong to two adapters: "lora_A.one", "lora_A.two"
$ . test/cli/causes/adapter.sh; lora 8 q_proj | sed 's/lora_B/lora_up/' | adapter '' show | grep disagrees
disagrees  model.layers.0.self_attn.q_proj has tensors that do not form one change (2 of 2 modules)
$ . test/cli/causes/adapter.sh; lora 8 q_proj | sed '/lora_B/s/F32/BF16/' | adapter '' show | grep disagrees
disagrees  model.layers.0.self_attn.q_proj has a pair with two types (2 of 2 modules)
# One of the two is missing; a target without tensors; ranks that differ.
$ . test/cli/causes/adapter.sh; lora 8 q_proj | grep -v lora_B | adapter '' show
adapter  lora
trained  1,024 parameters in 2 modules

target  modules  parameters
q_proj        2       1,024

disagrees  model.layers.0.self_attn.q_proj has lora_A [8, 64] but no lora_B (2 of 2 modules)
$ . test/cli/causes/adapter.sh; lora 8 q_proj | adapter '{"peft_type":"LORA","r":8,"target_modules":["q_proj","k_proj",".*up.*"]}' reconcile --config $T/base.json | grep disagrees
disagrees  target_modules lists k_proj, but the adapter has no tensor for it
disagrees: 1 contradiction
$ . test/cli/causes/adapter.sh; lora 8 q_proj | adapter '{"peft_type":"LORA","r":8,"target_modules":["q_proj","k_proj"]}' reconcile | grep proven
not proven complete: target_modules lists k_proj, but the adapter has no tensor for it: --base MODEL tells whether its base has one
$ . test/cli/causes/adapter.sh; lora 8 q_proj | adapter '{"peft_type":"LORA","r":8,"target_modules":["q_proj","c_attn"]}' reconcile --config $T/base.json | grep agrees
agrees: 4 tensors, complete for their method, with the sizes of its base model
$ . test/cli/causes/adapter.sh; lora 8 q_proj | sed '/lora_B/s/8$/9/' | adapter '' show
adapter  lora
trained  2,176 parameters in 2 modules

target  modules  parameters
q_proj        2       2,176

disagrees  model.layers.0.self_attn.q_proj: lora_B [64, 9] does not fit lora_A [8, 64] (2 of 2 modules)
# A packed base: its weights have the same sizes as unpacked ones.
$ . test/cli/causes/adapter.sh; lora 8 q_proj | adapter '' show --config $T/base.json --arch llama >/dev/null; for q in '"quant_method":"bitsandbytes","load_in_4bit":true' '"quant_method":"gptq","bits":4,"group_size":32' '"bits":4,"group_size":64'; do sed 's/:64,/&"quantization_config":{'"$q"'},/' $T/base.json >$T/packed.json; numel show --config $T/packed.json $T/adapter | grep -E '^(changes|base|disag)'; done | sort | uniq -c | sed 's/^ *//'
3 base model  106,816 parameters; the adapter has 1.92 % as many
3 base_model.model.model.layers.[0-1].self_attn.q_proj           2 x 1,024     2,048  100.0 %  8.0 KiB
3 changes     8,192 base weights; the adapter has 25.00 % as many
# Another base: q_proj is [32, 32] there.
$ . test/cli/causes/adapter.sh; lora 8 q_proj | adapter '' show --config $T/base.json --arch llama >/dev/null; sed 's/:64,/:32,/' $T/base.json >$T/other.json; numel show --config $T/other.json $T/adapter | grep -E '^(base model|disag)'
base model  47,264 parameters; the adapter has 4.33 % as many
disagrees  model.layers.0.self_attn.q_proj changes [64, 64], but it is [32, 32] in the base model (2 of 2 modules)

# verify finds the same: an error at its level config; no model is required.
$ . test/cli/causes/adapter.sh; lora 16 q_proj | adapter '{"peft_type":"LORA","r":8}' show >/dev/null; cp $T/base.json $T/adapter/config.json; numel verify --json $T/adapter | grep -o '"code":"[am][^"]*","[^}]*"message":"[^"]*"' | sed 's/"file":[^,]*,//'
"code":"adapter-disagrees","severity":"error","level":"config","tensor":"","offset":null,"message":"adapter_config.json says rank 8, but model.layers.0.self_attn.q_proj has 16 (2 of 2 modules differ)"
"code":"model-unchecked","severity":"note","level":"config","tensor":"","offset":null,"message":"the tensors were not compared with a formula: an adapter has no formula of its own (see 'numel show' for what it changes)"

# ---- other tensors in the file

# DoRA: one magnitude per output, 2 * 64.
$ . test/cli/causes/adapter.sh; dora=1 lora 8 q_proj | adapter '{"peft_type":"LORA","r":8,"use_dora":true}' show
adapter  dora with magnitudes, rank 8
trained  2,176 parameters in 2 modules
changes  8,192 base weights; the adapter has 26.56 % as many

target  modules  rank  parameters  base weights
q_proj        2     8       2,176         8,192
# Trained whole: the head, 256 * 64 = 16,384.
$ . test/cli/causes/adapter.sh; { lora 8 q_proj; echo 'tensor base_model.model.lm_head.weight F32 256 64'; } | adapter '{"peft_type":"LORA","r":8,"modules_to_save":["lm_head"]}' show
adapter        lora, rank 8
trained        18,432 parameters in 2 modules
changes        8,192 base weights; the adapter has 25.00 % as many
saved in full  16,384 in 'base_model.model.lm_head.weight'

target  modules  rank  parameters  base weights
q_proj        2     8       2,048         8,192
# An embedding [256, 64]: A is [8, 256], B [64, 8].
$ . test/cli/causes/adapter.sh; e=base_model.model.model.embed_tokens; printf '%s\n' 'file adapter_model.safetensors' "tensor $e.lora_embedding_A F32 8 256" "tensor $e.lora_embedding_B F32 64 8" | adapter '{"peft_type":"LORA","r":8}' show
adapter  lora, rank 8
trained  2,560 parameters in 1 module
changes  16,384 base weights; the adapter has 15.63 % as many

target        modules  rank  parameters  base weights
embed_tokens        1     8       2,560        16,384
# PEFT saves the table with it, 256 * 64, untrained: "base_layer" alone would be a wrapped model.
$ . test/cli/causes/adapter.sh; e=base_model.model.model.embed_tokens; printf '%s\n' 'file adapter_model.safetensors' "tensor $e.lora_embedding_A F32 8 256" "tensor $e.lora_embedding_B F32 64 8" "tensor $e.base_layer.weight F32 256 64" | adapter '{"peft_type":"LORA","r":8}' show
adapter        lora, rank 8
trained        2,560 parameters in 1 module
changes        16,384 base weights; the adapter has 15.63 % as many
saved in full  16,384 in 'base_model.model.model.embed_tokens.base_layer.weight'

target        modules  rank  parameters  base weights
embed_tokens        1     8       2,560        16,384
# VeRA shares two frozen matrices; 8 + 64 per layer are trained.
$ . test/cli/causes/adapter.sh; printf '%s\n' 'file adapter_model.safetensors' 'tensor base_model.vera_A F32 8 64' 'tensor base_model.vera_B F32 64 8' 'tensor base_model.model.model.layers.{0,1}.self_attn.q_proj.vera_lambda_d F32 8' 'tensor base_model.model.model.layers.{0,1}.self_attn.q_proj.vera_lambda_b F32 64' | adapter '{"peft_type":"VERA","r":8}' show
adapter        vera, rank 8
trained        144 parameters in 2 modules
saved in full  1,024 in 'base_model.vera_A' and 1 more

target  modules  rank  parameters
q_proj        2     8         144
# A convolution [128, 64, 3, 3]: 73,728 weights.
$ . test/cli/causes/adapter.sh; printf '%s\n' 'file adapter_model.safetensors' 'tensor base_model.model.conv.lora_A.weight F32 4 64 3 3' 'tensor base_model.model.conv.lora_B.weight F32 128 4 1 1' | adapter '' show
adapter  lora, rank 4
trained  2,816 parameters in 1 module
changes  73,728 base weights; the adapter has 3.82 % as many

target  modules  rank  parameters  base weights
conv          1     4       2,816        73,728
# A training state keeps the adapter's name.
$ . test/cli/causes/adapter.sh; lora 8 q_proj | sed 's/\.weight/.default.weight/' | adapter '' show
adapter  lora, rank 8
trained  2,048 parameters in 2 modules
changes  8,192 base weights; the adapter has 25.00 % as many

target  modules  rank  parameters  base weights
q_proj        2     8       2,048         8,192

# ---- other writers

# MLX transposes the matrices; its configuration has other keys. Experts are stacked: 4 * 64 * 32 weights.
$ . test/cli/causes/adapter.sh; l='model.layers.{0,1}.self_attn.q_proj'; printf '%s\n' 'file adapters.safetensors' "tensor $l.lora_a F32 64 8" "tensor $l.lora_b F32 8 64" | adapter '{"fine_tune_type":"lora","model":"mlx-community/tiny","lora_parameters":{"rank":8,"scale":20.0}}' show
adapter  lora, rank 8, scale 20
base     mlx-community/tiny
trained  2,048 parameters in 2 modules
changes  8,192 base weights; the adapter has 25.00 % as many

target  modules  rank  parameters  base weights
q_proj        2     8       2,048         8,192
$ . test/cli/causes/adapter.sh; printf '%s\n' 'file adapters.safetensors' 'tensor model.layers.0.mlp.switch_mlp.up_proj.lora_a F32 4 8 64' 'tensor model.layers.0.mlp.switch_mlp.up_proj.lora_b F32 4 32 8' | adapter '' show
adapter  lora, rank 8
trained  3,072 parameters in 1 module
changes  8,192 base weights; the adapter has 37.50 % as many

target   modules  rank  parameters  base weights
up_proj        1     8       3,072         8,192
# No tensors, or tensors without elements: not complete.
$ . test/cli/causes/adapter.sh; echo 'file adapter_model.safetensors' | adapter '{"peft_type":"LORA","r":8,"target_modules":["q_proj","v_proj"]}' reconcile | grep disagrees
disagrees  the file has no tensors: nothing was saved, and a loader would leave the base model as it is
disagrees  adapter_config.json lists q_proj, v_proj, but none of them is saved
disagrees: 2 contradictions
$ . test/cli/causes/adapter.sh; { lora 8 q_proj; echo 'tensor base_model.model.lm_head.weight F32 0'; } | adapter '{"peft_type":"LORA","r":8,"target_modules":["q_proj"],"modules_to_save":["lm_head"]}' reconcile | grep disagrees
disagrees  base_model.model.lm_head.weight is [0], without elements (1 of 5 tensors are empty): DeepSpeed ZeRO-3 saves weights like this if they were not gathered; gather them, and save the adapter again
disagrees: 1 contradiction
# A head with a different number of rows than the base, which is given.
$ . test/cli/causes/adapter.sh; { lora 8 q_proj; echo 'tensor base_model.model.lm_head.weight F32 1001 64'; } | adapter '{"peft_type":"LORA","r":8,"target_modules":["q_proj"],"modules_to_save":["lm_head"]}' reconcile --config $T/base.json | grep disagrees
disagrees  lm_head has 1001 rows, but the base model has 256: resize it to 1001 rows first (resize_token_embeddings)
disagrees: 1 contradiction
# Names that no loader reads: '_' for dots, an extra '_'; a wrapper's prefix that few loaders strip. The changed
# modules are reported nonetheless.
$ . test/cli/causes/adapter.sh; k=lora_unet_unet_down_blocks_0_attentions_0_transformer_blocks_0_attn1_to_q; printf '%s\n' 'file x.safetensors' "tensor ${k}_lora_down.weight F16 4 320" "tensor ${k}_lora_up.weight F16 320 4" | adapter '' reconcile | grep disagrees
disagrees  lora_unet_unet_down_blocks_0_attentions_0_transformer_blocks_0_attn1_to_q_lora_down.weight has '_' instead of a dot before lora_down (2 of 2 tensors): no loader finds a LoRA under these names
disagrees: 1 contradiction
$ . test/cli/causes/adapter.sh; k=lora_unet_down_blocks_0_attentions_0_transformer_blocks_0_attn1_to_q_; printf '%s\n' 'file x.safetensors' "tensor $k.lora_down.weight F16 4 320" "tensor $k.lora_up.weight F16 320 4" | adapter '' reconcile | grep disagrees
disagrees  lora_unet_down_blocks_0_attentions_0_transformer_blocks_0_attn1_to_q_ ends with an extra '_' (1 of 1 modules): no loader finds a module under such a name
disagrees: 1 contradiction
$ . test/cli/causes/adapter.sh; k=unet.base_model.model.down_blocks.0.attentions.0.transformer_blocks.0.attn1.to_q; printf '%s\n' 'file x.safetensors' "tensor $k.lora_A.weight F16 4 320" "tensor $k.lora_B.weight F16 320 4" | adapter '' show >$T/out; numel verify $T/adapter | grep -A2 prefix
warning  adapter-prefix  x.safetensors: the names have the prefix
                         'base_model.model.' after 'unet.' (1 of 1 modules),
                         which diffusers and most others do not strip: they find
# kohya: alpha is a scalar next to each pair, and not trained.
$ . test/cli/causes/adapter.sh; k=lora_unet_down_blocks_0_attentions_0_transformer_blocks_0_attn1_to_q; printf '%s\n' 'file x.safetensors' "tensor $k.alpha F16" "tensor $k.lora_down.weight F16 4 320" "tensor $k.lora_up.weight F16 320 4" | adapter '' show
adapter  lora, rank 4
family   SD1.5 (the sizes also fit SD2.1, text-to-video-ms-1.7B, I2VGen-XL, Stable Video Diffusion, AnimateDiff U-Net, SD1.5 ControlNet)
trained  2,560 parameters in 1 module
alphas   1 scalar, not counted
changes  102,400 base weights; the adapter has 2.50 % as many

target      modules  rank  parameters  base weights
attn1_to_q        1     4       2,560       102,400
# GGUF: tensor names; the embedding's A is transposed.
$ . test/cli/causes/adapter.sh; printf '%s\n' 'gguf 3' 'file x.gguf' 'kv string general.architecture llama' 'kv string general.type adapter' 'kv string adapter.type lora' 'kv f32 adapter.lora.alpha 16' 'kv string general.base_model.0.name Llama 2 7b' 'tensor token_embd.weight.lora_a F32 256 8' 'tensor token_embd.weight.lora_b F32 64 8' 'tensor blk.{0,1}.attn_q.weight.lora_a F32 8 64' 'tensor blk.{0,1}.attn_q.weight.lora_b F32 64 8' | adapter '' show
adapter  lora, rank 8, alpha 16
family   llama of width 64, 2 layers
base     Llama 2 7b
trained  4,608 parameters in 3 modules
changes  24,576 base weights; the adapter has 18.75 % as many

target      modules  rank  parameters  base weights
token_embd        1     8       2,560        16,384
attn_q            2     8       2,048         8,192

block       modules  rank  parameters  base weights
token_embd        1     8       2,560        16,384
blk               2     8       2,048         8,192
# Other methods are named and counted.
$ . test/cli/causes/adapter.sh; s='tensor base_model.model.model.layers.0'; printf 'file adapter_model.safetensors\n%s\n' "$s.self_attn.k_proj.ia3_l F32 32 1" | adapter '' show
adapter  ia3
trained  32 parameters in 1 module

target  modules  parameters
k_proj        1          32
$ . test/cli/causes/adapter.sh; s='tensor base_model.model.model.layers.0'; printf 'file adapter_model.safetensors\n%s\n' "$s.mlp.up_proj.hada_w{1,2}_a F32 128 8" "$s.mlp.up_proj.hada_w{1,2}_b F32 8 64" | adapter '' show
adapter  loha, rank 8
trained  3,072 parameters in 1 module
changes  8,192 base weights; the adapter has 37.50 % as many

target   modules  rank  parameters  base weights
up_proj        1     8       3,072         8,192
$ . test/cli/causes/adapter.sh; printf 'file adapter_model.safetensors\ntensor prompt_embeddings F32 20 64\n' | adapter '{"peft_type":"PREFIX_TUNING"}' show
adapter  prefix_tuning
trained  1,280 parameters

# ---- files that are not adapters

# A wrapped model, or one with a few such tensors, is a model.
$ . test/cli/causes/build.sh; llama | changed 's/(q_proj)(.weight)/\1.base_layer\2/' | with 'tensor model.layers.0.self_attn.q_proj.lora_A.weight F32 8 64' | reconcile
cause          tensors  elements
formula             21   106,816  llama, 21 tensors expected
LoRA adapters        1      +512  model.layers.0.self_attn.q_proj.lora_A.weight
stored              22   107,328
unexplained                    0
disagrees: all expected tensors are present, but LoRA is not merged: 1 of its tensors are stored in the model, whose weights are under base_layer, which transformers does not load; merge it with PEFT's merge_and_unload() and save again, or save the adapter alone
parameters     106,816 (106.82 K)
(disagrees)
[1]
# No program loads an adapter alone; peft counts its base with it: 106,816 + 2,048, of which 1.8812 % are trained.
$ . test/cli/causes/adapter.sh; lora 8 q_proj | adapter '' show --others >/dev/null; for b in "" "--config $T/base.json"; do numel show --others $b $T/adapter | sed -n "/^counter/,/^hugg/p"; done
counter                         count  shown as, or because of
stored elements                 2,048
transformers num_parameters()          an adapter: loaded on top of its base model
transformers, no embeddings            an adapter: loaded on top of its base model
torch sum of p.numel()                 an adapter: loaded on top of its base model
peft all params                        also counts the base model: give --config BASE/config.json
huggingface_hub                 2,048  {'F32': 2048}
counter                           count  shown as, or because of
stored elements                   2,048
transformers num_parameters()            an adapter: loaded on top of its base model
transformers, no embeddings              an adapter: loaded on top of its base model
torch sum of p.numel()                   an adapter: loaded on top of its base model
peft all params                 108,864  trainable params: 2,048 || all params: 108,864 || trainable%: 1.8812
  the base model               +106,816
huggingface_hub                   2,048  {'F32': 2048}
# A control vector of llama.cpp: one direction for each layer but the last, as wide as the model.
$ . test/cli/causes/adapter.sh; printf '%s\n' 'gguf 3' 'file x.gguf' 'kv string general.architecture controlvector' 'kv string controlvector.model_hint llama' 'kv u32 controlvector.layer_count 3' 'tensor direction.{1,2,3} F32 64' | adapter '' show
adapter  control vector
base     llama
trained  192 parameters
$ . test/cli/causes/adapter.sh; printf '%s\n' 'gguf 3' 'file x.gguf' 'kv string general.architecture controlvector' 'kv u32 controlvector.layer_count 3' 'tensor direction.1 F32 64' 'tensor direction.3 F32 32' 'tensor direction.0 F32 64' 'tensor directions.2 F32 64' | adapter '' show
adapter        control vector
trained        224 parameters
saved in full  128 in 'direction.0' and 1 more

disagrees  1 of 2 directions differ in length from direction.1
disagrees  controlvector.layer_count is 3, but the file has 2 directions
# A three-dimensional tensor directly after its component's prefix is not a stack of experts: no module name is
# left.
$ . test/cli/causes/adapter.sh; mkdir $T/base; lora 8 q_proj | adapter '' reconcile >/dev/null; for p in transformer model.diffusion_model unet diffusion_model text_encoder cond_stage_model.transformer vae model; do for n in x .x ..x y.z; do printf 'file base.safetensors\ntensor %s F16 1 2 3\n' "$p.$n" >$T/base.txt; mkhead -q --sparse $T/base.txt $T/base >$T/made && numel reconcile -q --base $T/base/base.safetensors $T/adapter >$T/page 2>&1; s=$?; [ $s -le 4 ] && [ -s $T/made ] || echo "$p.$n: status $s"; done; done

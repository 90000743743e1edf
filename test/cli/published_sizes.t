# Totals of published models whose configuration has a size under two names, or a list of layers: the totals of
# transformers 5.23.

# DBRX: the experts are as wide as d_model, which the published configuration does not repeat in ffn_config:
# 2*V*E + E + L*(2*E + 2*E*E + 2*K*D*E + N*E + 3*N*Fe*E), E 6144, Fe 10752, N 16, V 100352.
$ d='"model_type":"dbrx","architectures":["DbrxForCausalLM"]'; echo "{$d,\"attn_config\":{\"clip_qkv\":8,\"kv_n_heads\":8,\"rope_theta\":500000},\"d_model\":6144,\"ffn_config\":{\"ffn_hidden_size\":10752,\"moe_num_experts\":16,\"moe_top_k\":4},\"n_heads\":48,\"n_layers\":40,\"vocab_size\":100352}" >$T/config.json; numel formula -q $T/config.json
131596523520
$ d='"model_type":"dbrx","architectures":["DbrxForCausalLM"]'; echo "{$d,\"d_model\":1024,\"n_heads\":8,\"n_layers\":4,\"vocab_size\":32000,\"ffn_config\":{\"ffn_hidden_size\":2048,\"moe_num_experts\":8}}" >$T/config.json; numel formula -q $T/config.json
276341760
# A file with experts of that width, and of another (E 8, L 1, H 2, N 2, Fe 4, V 16).
$ dbrx() { printf '%s\n' 'file model.safetensors' 'tensor transformer.wte.weight F16 16 8' 'tensor transformer.blocks.0.norm_attn_norm.norm_1.weight F16 8' 'tensor transformer.blocks.0.norm_attn_norm.attn.Wqkv.weight F16 16 8' 'tensor transformer.blocks.0.norm_attn_norm.attn.out_proj.weight F16 8 8' 'tensor transformer.blocks.0.norm_attn_norm.norm_2.weight F16 8' 'tensor transformer.blocks.0.ffn.router.layer.weight F16 2 8' 'tensor transformer.norm_f.weight F16 8' 'tensor lm_head.weight F16 16 8'; for w in w1 v1 w2; do echo "tensor transformer.blocks.0.ffn.experts.mlp.$w F16 8 $1"; done; }; for e in 8 12; do rm -rf $T/m; dbrx $e >$T/m.txt; mkhead -q $T/m.txt $T/m >$T/said; echo '{"model_type":"dbrx","architectures":["DbrxForCausalLM"],"d_model":8,"n_heads":2,"n_layers":1,"vocab_size":16,"attn_config":{"kv_n_heads":1},"ffn_config":{"ffn_hidden_size":4,"moe_num_experts":2}}' >$T/m/config.json; numel reconcile $T/m | grep -E '^(agrees|disagrees|wrong shape  )'; done
agrees: all expected tensors are present, and no others
wrong shape        3       +96  transformer.blocks.0.ffn.experts.mlp.v1 and 2 more
disagrees: 0 missing, 3 of the wrong shape, 0 unexpected
wrong shape  transformer.blocks.0.ffn.experts.mlp.w1  expected  [8, 8]  found  [8, 12]
wrong shape  transformer.blocks.0.ffn.experts.mlp.v1  expected  [8, 8]  found  [8, 12]
wrong shape  transformer.blocks.0.ffn.experts.mlp.w2  expected  [8, 8]  found  [8, 12]

# BLOOM: n_embed is the width, and overrides hidden_size; heads divide it.
$ b='"model_type":"bloom","architectures":["BloomForCausalLM"],"n_layer":70,"vocab_size":250880'; for w in '"n_embed":14336' '"hidden_size":14336' '"n_embed":14336,"hidden_size":64'; do echo "{$b,\"num_attention_heads\":112,$w}" >$T/config.json; numel formula -q $T/config.json; done
176247271424
176247271424
176247271424
$ b='"model_type":"bloom","architectures":["BloomForCausalLM"],"n_layer":70,"vocab_size":250880'; for w in '"n_embed":14336,"num_attention_heads":100' '"hidden_size":14336,"n_head":100' '"num_attention_heads":12' '"n_embed":14336,"hidden_size":1400,"n_head":100'; do echo "{$b,$w}" >$T/config.json; (cd $T && numel formula -q config.json); done
numel: config.json: num_attention_heads is 100, which does not divide n_embed: no BloomConfig can be built
numel: config.json: n_head is 100, which does not divide hidden_size: no BloomConfig can be built
numel: config.json: num_attention_heads is 12, which does not divide hidden_size: no BloomConfig can be built
numel: config.json: n_head is 100, which does not divide n_embed: no BloomConfig can be built
[3]

# GLM-5.2: 57 of its 78 layers share an indexer (9,371,904 elements each), stated as a list, a pattern or a period;
# the class has 78.
$ g='"model_type":"glm_moe_dsa","architectures":["GlmMoeDsaForCausalLM"],"num_nextn_predict_layers":1'; list=$(for i in $(seq 0 77); do [ $i -lt 3 ] || [ $(((i - 2) % 4)) -eq 0 ] && echo '"full"' || echo '"shared"'; done | paste -sd,); letters=FFF$(printf 'SSSF%.0s' $(seq 18))SSS; for k in "\"indexer_types\":[$list]" "\"index_topk_pattern\":\"$letters\"" '"index_topk_freq":4,"index_skip_topk_offset":3' '"index_topk_freq":1' '"indexer_types":null' '"num_experts":256'; do echo "{$g,$k}" >$T/config.json; numel formula -q $T/config.json; done
743377000704
743377000704
743377000704
743911199232
743911199232
743911199232
# A list that is too short is refused.
$ echo '{"model_type":"glm_moe_dsa","architectures":["GlmMoeDsaForCausalLM"],"num_hidden_layers":4,"indexer_types":["full","shared"]}' >$T/config.json; (cd $T && numel formula -q config.json)
numel: config.json: indexer_types has 2 values, but number 2 (from 0) is used
[3]
# A model of three layers, the second of which shares, and a prediction layer with or without its own indexer; a full layer needs
# its indexer, and a shared one has none.
$ glm() { echo 'file model.safetensors'; echo 'tensor model.embed_tokens.weight F16 16 8'; for i in 0 1 2 3; do p="tensor model.layers.$i"; printf '%s\n' "$p.input_layernorm.weight F16 8" "$p.post_attention_layernorm.weight F16 8" "$p.self_attn.q_a_proj.weight F16 4 8" "$p.self_attn.q_a_layernorm.weight F16 4" "$p.self_attn.q_b_proj.weight F16 12 4" "$p.self_attn.kv_a_proj_with_mqa.weight F16 6 8" "$p.self_attn.kv_a_layernorm.weight F16 4" "$p.self_attn.kv_b_proj.weight F16 14 4" "$p.self_attn.o_proj.weight F16 8 6" "$p.mlp.gate_proj.weight F16 10 8" "$p.mlp.up_proj.weight F16 10 8" "$p.mlp.down_proj.weight F16 8 10"; case " $* " in *" $i "*) printf '%s\n' "$p.self_attn.indexer.wq_b.weight F16 10 4" "$p.self_attn.indexer.wk.weight F16 5 8" "$p.self_attn.indexer.k_norm.weight F16 5" "$p.self_attn.indexer.k_norm.bias F16 5" "$p.self_attn.indexer.weights_proj.weight F16 2 8" ;; esac; done; p='tensor model.layers.3'; printf '%s\n' "$p.enorm.weight F16 8" "$p.hnorm.weight F16 8" "$p.eh_proj.weight F16 8 16" "$p.shared_head.norm.weight F16 8" 'tensor model.norm.weight F16 8' 'tensor lm_head.weight F16 16 8'; }; for has in '0 2 3' '0 2' '0 1 2' '0'; do rm -rf $T/m; glm $has >$T/m.txt; mkhead -q $T/m.txt $T/m >$T/said; echo '{"model_type":"glm_moe_dsa","architectures":["GlmMoeDsaForCausalLM"],"num_hidden_layers":3,"num_nextn_predict_layers":1,"hidden_size":8,"intermediate_size":10,"moe_intermediate_size":4,"n_routed_experts":0,"num_attention_heads":2,"vocab_size":16,"q_lora_rank":4,"kv_lora_rank":4,"qk_rope_head_dim":2,"qk_nope_head_dim":4,"v_head_dim":3,"index_head_dim":5,"index_n_heads":2,"indexer_types":["full","shared","full"]}' >$T/m/config.json; echo "indexers: $has"; numel reconcile $T/m | grep -E '^(agrees|disagrees|missing   |unexpected   )'; done
indexers: 0 2 3
agrees: all expected tensors are present, the others are accounted for
indexers: 0 2
agrees: all expected tensors are present, the others are accounted for
indexers: 0 1 2
disagrees: 0 missing, 0 of the wrong shape, 5 unexpected
indexers: 0
missing                       5      -106  model.layers.2.self_attn.indexer.wq_b.weight and 4 more
disagrees: 5 missing, 0 of the wrong shape, 0 unexpected

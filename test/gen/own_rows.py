"""own_rows.py -- the cases of own_cases.py: a name, a class of transformers, and the values in which
its configuration differs from the defaults; maybe `buffers`, where published files hold others than the
class as it is now.

Sizes are chosen so that no two of them are equal, nor products of others, where the class allows
it: then a specification that takes one for another is found out. A comment says what a case is for.
"""

CASES = [
    # biases of attention and MLP, heads of a size of their own, fewer key heads
    ("llama-biased", "LlamaForCausalLM", dict(
        hidden_size=96, num_hidden_layers=3, num_attention_heads=6, num_key_value_heads=2, head_dim=20,
        intermediate_size=172, vocab_size=331, attention_bias=True, mlp_bias=True)),

    # classes that NUMEL_SHARED has no case of
    ("dbrx", "DbrxForCausalLM", dict(
        d_model=96, n_layers=3, n_heads=6, vocab_size=331, max_seq_len=70,
        attn_config=dict(kv_n_heads=2, clip_qkv=8.0, rope_theta=10000.0),
        ffn_config=dict(hidden_size=96, ffn_hidden_size=172, moe_num_experts=5, moe_top_k=2))),
    ("esm-rotary", "EsmForMaskedLM", dict(
        hidden_size=96, num_hidden_layers=3, num_attention_heads=6, intermediate_size=172, vocab_size=33,
        max_position_embeddings=70, position_embedding_type="rotary", pad_token_id=1, mask_token_id=32,
        emb_layer_norm_before=False),
     dict(buffers={f"esm.encoder.layer.{i}.attention.self.rotary_embeddings.inv_freq": [8]
                   for i in range(3)})),
    ("esm-absolute", "EsmForMaskedLM", dict(
        hidden_size=96, num_hidden_layers=3, num_attention_heads=6, intermediate_size=172, vocab_size=33,
        max_position_embeddings=70, position_embedding_type="absolute", pad_token_id=1, mask_token_id=32,
        emb_layer_norm_before=True)),
    ("esm-sequence", "EsmForSequenceClassification", dict(
        hidden_size=96, num_hidden_layers=2, num_attention_heads=6, intermediate_size=172, vocab_size=33,
        max_position_embeddings=70, position_embedding_type="absolute", pad_token_id=1, mask_token_id=32,
        num_labels=7)),
    ("esm-token", "EsmForTokenClassification", dict(
        hidden_size=96, num_hidden_layers=2, num_attention_heads=6, intermediate_size=172, vocab_size=33,
        max_position_embeddings=70, pad_token_id=1, mask_token_id=32, num_labels=7)),
    ("esm-bare", "EsmModel", dict(
        hidden_size=96, num_hidden_layers=2, num_attention_heads=6, intermediate_size=172, vocab_size=33,
        max_position_embeddings=70, pad_token_id=1, mask_token_id=32)),
    ("eurobert", "EuroBertForMaskedLM", dict(
        hidden_size=96, num_hidden_layers=3, num_attention_heads=6, num_key_value_heads=2,
        intermediate_size=172, vocab_size=331, max_position_embeddings=70, pad_token_id=3)),
    ("eurobert-bare", "EuroBertModel", dict(
        hidden_size=96, num_hidden_layers=2, num_attention_heads=6, num_key_value_heads=6,
        intermediate_size=172, vocab_size=331, max_position_embeddings=70, pad_token_id=3)),
    ("glm4v-moe", "Glm4vMoeForConditionalGeneration", dict(
        text_config=dict(hidden_size=96, num_hidden_layers=3, num_attention_heads=6,
                         num_key_value_heads=2, intermediate_size=172, moe_intermediate_size=44,
                         n_routed_experts=5, n_shared_experts=2, num_experts_per_tok=2, n_group=1,
                         topk_group=1, first_k_dense_replace=1, vocab_size=331, attention_bias=True),
        vision_config=dict(depth=2, hidden_size=60, num_heads=4, intermediate_size=100,
                           out_hidden_size=96, patch_size=6, image_size=36, in_channels=3,
                           spatial_merge_size=2, temporal_patch_size=2))),
    ("idefics3", "Idefics3ForConditionalGeneration", dict(
        text_config=dict(model_type="llama", hidden_size=96, num_hidden_layers=2, num_attention_heads=6,
                         num_key_value_heads=2, intermediate_size=172, vocab_size=331, pad_token_id=2),
        vision_config=dict(hidden_size=60, num_hidden_layers=3, num_attention_heads=4,
                           intermediate_size=100, patch_size=6, image_size=36), scale_factor=2)),
    ("smolvlm", "SmolVLMForConditionalGeneration", dict(
        text_config=dict(model_type="llama", hidden_size=96, num_hidden_layers=2, num_attention_heads=6,
                         num_key_value_heads=2, intermediate_size=172, vocab_size=331, pad_token_id=2),
        vision_config=dict(hidden_size=60, num_hidden_layers=3, num_attention_heads=4,
                           intermediate_size=100, patch_size=6, image_size=36), scale_factor=2)),
    ("jais2", "Jais2ForCausalLM", dict(
        hidden_size=96, num_hidden_layers=3, num_attention_heads=6, num_key_value_heads=2,
        intermediate_size=172, vocab_size=331, head_dim=20)),
    ("megatron-bert-pretraining", "MegatronBertForPreTraining", dict(
        hidden_size=96, num_hidden_layers=3, num_attention_heads=6, intermediate_size=172,
        vocab_size=331, max_position_embeddings=70)),
    ("megatron-bert-masked", "MegatronBertForMaskedLM", dict(
        hidden_size=96, num_hidden_layers=2, num_attention_heads=6, intermediate_size=172,
        vocab_size=331, max_position_embeddings=70)),
    ("megatron-bert-sequence", "MegatronBertForSequenceClassification", dict(
        hidden_size=96, num_hidden_layers=2, num_attention_heads=6, intermediate_size=172,
        vocab_size=331, max_position_embeddings=70, num_labels=7)),
    ("xlm-roberta-xl", "XLMRobertaXLForMaskedLM", dict(
        hidden_size=96, num_hidden_layers=3, num_attention_heads=6, intermediate_size=172,
        vocab_size=331, max_position_embeddings=70, type_vocab_size=3)),
    ("roberta-prelayernorm", "RobertaPreLayerNormForMaskedLM", dict(
        hidden_size=96, num_hidden_layers=3, num_attention_heads=6, intermediate_size=172,
        vocab_size=331, max_position_embeddings=70, type_vocab_size=3)),
    ("minicpm3", "MiniCPM3ForCausalLM", dict(
        hidden_size=96, num_hidden_layers=3, num_attention_heads=6, num_key_value_heads=6,
        q_lora_rank=40, kv_lora_rank=28, qk_nope_head_dim=12, qk_rope_head_dim=8, v_head_dim=14,
        intermediate_size=172, vocab_size=331)),
    ("youtu", "YoutuForCausalLM", dict(
        hidden_size=96, num_hidden_layers=3, num_attention_heads=6, num_key_value_heads=6,
        q_lora_rank=40, kv_lora_rank=28, qk_nope_head_dim=12, qk_rope_head_dim=8, v_head_dim=14,
        intermediate_size=172, vocab_size=331)),
    ("gemma4-text", "Gemma4ForCausalLM", dict()),
    ("gemma4", "Gemma4ForConditionalGeneration", dict()),
]

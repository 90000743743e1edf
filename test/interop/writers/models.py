"""models.py -- small random models of transformers, for quantizers to work on.

A model is a class, the class of its configuration, and values; a pair whose first word ends in "Config" is a
configuration itself. base_of() makes a model once, saves it and returns its number of parameters: the truth for
every quantized form of it.
"""
import os

BASE = dict(hidden_size=256, intermediate_size=512, num_hidden_layers=2, num_attention_heads=4,
            num_key_value_heads=2, vocab_size=512, max_position_embeddings=128, bos_token_id=1,
            eos_token_id=2, pad_token_id=0)
EXPERTS = dict(num_experts=4, num_experts_per_tok=2, moe_intermediate_size=128)
LATENT = dict(n_routed_experts=4, num_experts_per_tok=2, moe_intermediate_size=128, n_shared_experts=1,
              kv_lora_rank=64, qk_rope_head_dim=32, qk_nope_head_dim=64, v_head_dim=64, n_group=1,
              first_k_dense_replace=1, topk_group=1, num_key_value_heads=4, q_lora_rank=128)
VISION = dict(hidden_size=128, intermediate_size=256, num_hidden_layers=2, num_attention_heads=4,
              image_size=32, patch_size=8)
GEMMA = dict(BASE, head_dim=64)

MODELS = {
    "llama": ("LlamaForCausalLM", "LlamaConfig", BASE),
    "llamabias": ("LlamaForCausalLM", "LlamaConfig", dict(BASE, attention_bias=True, mlp_bias=True)),
    "llamatied": ("LlamaForCausalLM", "LlamaConfig", dict(BASE, tie_word_embeddings=True)),
    "qwen2": ("Qwen2ForCausalLM", "Qwen2Config", BASE),
    "qwen2tied": ("Qwen2ForCausalLM", "Qwen2Config", dict(BASE, tie_word_embeddings=True)),
    "qwen3": ("Qwen3ForCausalLM", "Qwen3Config", dict(BASE, head_dim=64)),
    "mistralodd": ("MistralForCausalLM", "MistralConfig",
                   dict(BASE, head_dim=64, hidden_size=320, intermediate_size=736, num_attention_heads=5,
                        num_key_value_heads=5)),
    "oddtied": ("MistralForCausalLM", "MistralConfig",
                dict(BASE, head_dim=32, hidden_size=224, intermediate_size=608, num_attention_heads=7,
                     num_key_value_heads=1, num_hidden_layers=3, vocab_size=1000, tie_word_embeddings=True)),
    "phi3": ("Phi3ForCausalLM", "Phi3Config", BASE),
    "falcon": ("FalconForCausalLM", "FalconConfig",
               dict(vocab_size=512, hidden_size=256, num_hidden_layers=2, num_attention_heads=4)),
    "gpt2": ("GPT2LMHeadModel", "GPT2Config",
             dict(vocab_size=512, n_positions=128, n_embd=256, n_layer=2, n_head=4)),
    "optproj": ("OPTForCausalLM", "OPTConfig",
                dict(vocab_size=512, hidden_size=256, num_hidden_layers=2, ffn_dim=512,
                     num_attention_heads=4, max_position_embeddings=128, word_embed_proj_dim=128,
                     do_layer_norm_before=False)),
    "bloom": ("BloomForCausalLM", "BloomConfig", dict(vocab_size=512, hidden_size=256, n_layer=2, n_head=4)),
    "gpt_neox": ("GPTNeoXForCausalLM", "GPTNeoXConfig",
                 dict(vocab_size=512, hidden_size=256, num_hidden_layers=2, intermediate_size=512,
                      num_attention_heads=4, max_position_embeddings=128)),
    "gemma2": ("Gemma2ForCausalLM", "Gemma2Config", GEMMA),
    "gemma3_text": ("Gemma3ForCausalLM", "Gemma3TextConfig", GEMMA),
    "mixtral": ("MixtralForCausalLM", "MixtralConfig", dict(BASE, num_local_experts=4, num_experts_per_tok=2)),
    "minimax_m2": ("MiniMaxM2ForCausalLM", "MiniMaxM2Config",
                   dict(BASE, num_local_experts=4, num_experts_per_tok=2, head_dim=64, rotary_dim=32)),
    "qwen2_moe": ("Qwen2MoeForCausalLM", "Qwen2MoeConfig",
                  dict(BASE, **EXPERTS, shared_expert_intermediate_size=256)),
    "qwen3_moe": ("Qwen3MoeForCausalLM", "Qwen3MoeConfig", dict(BASE, **EXPERTS, head_dim=64)),
    "qwen3_moe64": ("Qwen3MoeForCausalLM", "Qwen3MoeConfig",
                    dict(BASE, **{**EXPERTS, "moe_intermediate_size": 64}, head_dim=64)),
    "qwen3_next": ("Qwen3NextForCausalLM", "Qwen3NextConfig",
                   dict(BASE, **EXPERTS, head_dim=64, shared_expert_intermediate_size=128,
                        num_hidden_layers=4, linear_num_key_heads=2, linear_num_value_heads=4,
                        linear_key_head_dim=64, linear_value_head_dim=64)),
    "olmoe": ("OlmoeForCausalLM", "OlmoeConfig", dict(BASE, num_experts=4, num_experts_per_tok=2)),
    "granitemoe": ("GraniteMoeForCausalLM", "GraniteMoeConfig",
                   dict(BASE, num_local_experts=4, num_experts_per_tok=2)),
    "gpt_oss": ("GptOssForCausalLM", "GptOssConfig",
                dict(BASE, num_local_experts=4, num_experts_per_tok=2, head_dim=64, intermediate_size=256)),
    "deepseek_v2": ("DeepseekV2ForCausalLM", "DeepseekV2Config", dict(BASE, **LATENT)),
    "deepseek_v3": ("DeepseekV3ForCausalLM", "DeepseekV3Config", dict(BASE, **LATENT)),
    "glm4_moe": ("Glm4MoeForCausalLM", "Glm4MoeConfig",
                 dict(BASE, n_routed_experts=4, num_experts_per_tok=2, moe_intermediate_size=128, n_group=1,
                      n_shared_experts=1, first_k_dense_replace=1, topk_group=1, head_dim=64)),
    "llama4_text": ("Llama4ForCausalLM", "Llama4TextConfig",
                    dict(BASE, num_local_experts=4, num_experts_per_tok=1, intermediate_size_mlp=512,
                         head_dim=64)),
    "gemma3": ("Gemma3ForConditionalGeneration", "Gemma3Config",
               dict(text_config=("Gemma3TextConfig", dict(BASE, head_dim=64)),
                    vision_config=("SiglipVisionConfig", VISION), mm_tokens_per_image=4)),
    "llava": ("LlavaForConditionalGeneration", "LlavaConfig",
              dict(text_config=("LlamaConfig", BASE), vision_config=("CLIPVisionConfig", VISION),
                   image_token_index=5)),
}


def configuration(name, values):
    import transformers
    made = {k: configuration(*v) if isinstance(v, tuple) and k.endswith("config") else v
            for k, v in values.items()}
    return getattr(transformers, name)(**made)


def tokenizer(words=512):
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers
    t = Tokenizer(models.WordLevel({f"w{i}": i for i in range(words)}, unk_token="w0"))
    t.pre_tokenizer = pre_tokenizers.Whitespace()
    return transformers.PreTrainedTokenizerFast(tokenizer_object=t, unk_token="w0", pad_token="w0",
                                                bos_token="w1", eos_token="w2")


def base_of(name, root):
    """(folder, class, parameters) of the unquantized model; made once."""
    import torch, transformers
    cls, config, values = MODELS[name]
    cls, folder = getattr(transformers, cls), os.path.join(root, "base-" + name)
    count = os.path.join(folder, "count")
    if not os.path.exists(count):
        torch.manual_seed(0)
        model = cls(configuration(config, values)).to(torch.bfloat16)
        model.save_pretrained(folder)
        tokenizer().save_pretrained(folder)
        with open(count, "w") as f:
            f.write(str(model.num_parameters()))
    return folder, cls, int(open(count).read())

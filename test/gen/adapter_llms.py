"""adapter_llms.py -- language models for which adapter_peft.py makes adapters.

A line is a name, the base name in adapter_config.json, the model type, the keys of its configuration that differ from the class's
defaults, and their source: every line was found published. The classes are transformers', built on the meta device. The sources:

    config.json      the configuration next to the weights
    litgpt           Lightning-AI/litgpt, litgpt/config.py
    TransformerLens  its table of model properties, made by loading each configuration
    mlc-llm          mlc-ai/mlc-llm, python/mlc_llm/model/model_preset.py
    NeMo             NVIDIA/NeMo, Starcoder2Config3B, 7B and 15B
    kmodels          tables of sizes of an independent implementation (the names of c4ai-command-r7b-12-2024, glm-4-32b-0414)
    OLMo             allenai/OLMo, configs/official-1124
    t5x              google-research/t5x, t5_1_1/*.gin: FLAN-T5 is T5 1.1
    fairseq          its register_model_architecture()
    whisper.cpp      its log for each size
    others           as the line says
"""
E, I, L, H, K, V = "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "vocab_size"


def dense(width, ffn, layers, heads, keys, vocab, head=None, **more):
    return dict({E: width, I: ffn, L: layers, H: heads, K: keys, V: vocab}, **dict({"head_dim": head} if head else {}, **more))


def old(width, layers, heads, vocab=None):
    return dict({E: width, L: layers, H: heads}, **({V: vocab} if vocab else {}))


LLMS = [
    ("Llama-2-7B", "*llama-2-7b*", "llama", dense(4096, 11008, 32, 32, 32, 32000), "config.json, litgpt"),
    ("Llama-2-13B", "*llama-2-13b*", "llama", dense(5120, 13824, 40, 40, 40, 32000), "config.json, litgpt"),
    ("Llama-2-70B", "*llama-2-70b*", "llama", dense(8192, 28672, 80, 64, 8, 32000), "config.json, litgpt"),
    ("Llama-3.1-8B", "*llama-3*-8b*", "llama", dense(4096, 14336, 32, 32, 8, 128256), "config.json, litgpt"),
    ("Llama-3.1-70B", "*llama-3*-70b*", "llama", dense(8192, 28672, 80, 64, 8, 128256), "config.json, litgpt"),
    ("Llama-3.1-405B", "*llama-3*-405b*", "llama", dense(16384, 53248, 126, 128, 8, 128256), "config.json, litgpt"),
    ("Llama-3.2-1B", "*llama-3.2-1b*", "llama", dense(2048, 8192, 16, 32, 8, 128256, 64), "config.json, litgpt"),
    ("Llama-3.2-3B", "*llama-3.2-3b*", "llama", dense(3072, 8192, 28, 24, 8, 128256, 128), "config.json, litgpt"),
    ("LLaMA-30B", "*llama-30b*", "llama", dense(6656, 17920, 60, 52, 52, 32000), "config.json, litgpt, TransformerLens"),
    ("LLaMA-65B", "*llama-65b*", "llama", dense(8192, 22016, 80, 64, 64, 32000), "TransformerLens"),
    ("TinyLlama-1.1B", "*tinyllama*", "llama", dense(2048, 5632, 22, 32, 4, 32000), "config.json, litgpt"),
    ("CodeLlama-34B", "*codellama-34b*", "llama", dense(8192, 22016, 48, 64, 8, 32000), "litgpt"),
    ("SmolLM2-135M", "*smollm*-135m*", "llama", dense(576, 1536, 30, 9, 3, 49152), "litgpt, mlc-llm"),
    ("SmolLM2-360M", "*smollm*-360m*", "llama", dense(960, 2560, 32, 15, 5, 49152), "litgpt, mlc-llm"),
    ("SmolLM2-1.7B", "*smollm*-1.7b*", "llama", dense(2048, 8192, 24, 32, 32, 49152), "litgpt, mlc-llm"),
    ("SmolLM3-3B", "*smollm3*", "smollm3", dense(2048, 11008, 36, 16, 4, 128256), "config.json"),
    ("Yi-6B", "*yi-*6b*", "llama", dense(4096, 11008, 32, 32, 4, 64000), "config.json, TransformerLens"),
    ("Yi-34B", "*yi-*34b*", "llama", dense(7168, 20480, 60, 56, 8, 64000), "config.json, TransformerLens"),
    ("DeepSeek-Coder-1.3B", "*deepseek-coder-1.3b*", "llama", dense(2048, 5504, 24, 16, 16, 32256), "a copy of its config.json"),
    ("DeepSeek-V2-Lite", "*deepseek-*v2-lite*", "deepseek_v2",
     dense(2048, 10944, 27, 16, 16, 102400, moe_intermediate_size=1408, n_routed_experts=64, n_shared_experts=2,
           q_lora_rank=None, first_k_dense_replace=1), "config.json"),
    ("DeepSeek-V3", "*deepseek-*v3*", "deepseek_v3", {}, "config.json, the defaults of the class"),
    ("Mistral-7B-v0.1", "*mistral-7b*v0.[12]*", "mistral", dense(4096, 14336, 32, 32, 8, 32000), "config.json, TransformerLens"),
    ("Mistral-7B-v0.3", "*mistral-7b*v0.3*", "mistral", dense(4096, 14336, 32, 32, 8, 32768), "mlc-llm"),
    ("Mistral-Nemo-12B", "*mistral-nemo*", "mistral", dense(5120, 14336, 40, 32, 8, 131072, 128), "config.json, TransformerLens"),
    ("Mistral-Small-24B", "*mistral-small*", "mistral", dense(5120, 32768, 40, 32, 8, 131072, 128), "config.json"),
    ("Mistral-Large-2407", "*mistral-large*", "mistral", dense(12288, 28672, 88, 96, 8, 32768), "litgpt"),
    ("Ministral-8B", "*ministral-8b*", "mistral", dense(4096, 12288, 36, 32, 8, 131072, 128), "adapters of it, by parameters"),
    ("Mixtral-8x7B", "*mixtral-8x7b*", "mixtral", dense(4096, 14336, 32, 32, 8, 32000), "config.json, TransformerLens"),
    ("Mixtral-8x22B", "*mixtral-8x22b*", "mixtral", dense(6144, 16384, 56, 48, 8, 32768), "config.json, litgpt"),
    ("Qwen1.5-1.8B", "*qwen1.5-1.8b*", "qwen2", dense(2048, 5504, 24, 16, 16, 151936), "TransformerLens"),
    ("Qwen1.5-4B", "*qwen1.5-4b*", "qwen2", dense(2560, 6912, 40, 20, 20, 151936), "TransformerLens"),
    ("Qwen1.5-7B", "*qwen1.5-7b*", "qwen2", dense(4096, 11008, 32, 32, 32, 151936), "TransformerLens"),
    ("Qwen2.5-0.5B", "*qwen2*-0.5b*", "qwen2", dense(896, 4864, 24, 14, 2, 151936), "config.json, litgpt, TransformerLens"),
    ("Qwen2.5-1.5B", "*qwen2*-1.5b*", "qwen2", dense(1536, 8960, 28, 12, 2, 151936), "litgpt, TransformerLens"),
    ("Qwen2.5-3B", "*qwen2*-3b*", "qwen2", dense(2048, 11008, 36, 16, 2, 151936), "litgpt, TransformerLens"),
    ("Qwen2.5-7B", "*qwen2*-7b*", "qwen2", dense(3584, 18944, 28, 28, 4, 152064), "config.json, litgpt, TransformerLens"),
    ("Qwen2.5-14B", "*qwen2*-14b*", "qwen2", dense(5120, 13824, 48, 40, 8, 152064), "config.json, litgpt, TransformerLens"),
    ("Qwen2.5-32B", "*qwen2*-32b*", "qwen2", dense(5120, 27648, 64, 40, 8, 152064), "config.json, litgpt, TransformerLens"),
    ("Qwen2.5-72B", "*qwen2*-72b*", "qwen2", dense(8192, 29568, 80, 64, 8, 152064), "litgpt, TransformerLens"),
    ("Qwen3-0.6B", "*qwen3-0.6b*", "qwen3", dense(1024, 3072, 28, 16, 8, 151936, 128), "config.json, litgpt, TransformerLens"),
    ("Qwen3-1.7B", "*qwen3-1.7b*", "qwen3", dense(2048, 6144, 28, 16, 8, 151936, 128), "config.json, litgpt, TransformerLens"),
    ("Qwen3-4B", "*qwen3-4b*", "qwen3", dense(2560, 9728, 36, 32, 8, 151936, 128), "config.json, litgpt, TransformerLens"),
    ("Qwen3-8B", "*qwen3-8b*", "qwen3", dense(4096, 12288, 36, 32, 8, 151936, 128), "config.json, litgpt, TransformerLens"),
    ("Qwen3-14B", "*qwen3-14b*", "qwen3", dense(5120, 17408, 40, 40, 8, 151936, 128), "litgpt, TransformerLens"),
    ("Qwen3-32B", "*qwen3-32b*", "qwen3", dense(5120, 25600, 64, 64, 8, 151936, 128), "config.json, litgpt"),
    ("Qwen3-30B-A3B", "*qwen3-*30b-a3b*", "qwen3_moe",
     dense(2048, 6144, 48, 32, 4, 151936, 128, moe_intermediate_size=768, num_experts=128), "config.json, litgpt"),
    ("Qwen3-235B-A22B", "*qwen3-235b-a22b*", "qwen3_moe",
     dense(4096, 12288, 94, 64, 4, 151936, 128, moe_intermediate_size=1536, num_experts=128), "config.json, litgpt"),
    ("Gemma-2B", "*gemma-2b*", "gemma", dense(2048, 16384, 18, 8, 1, 256000, 256), "config.json, litgpt, TransformerLens"),
    ("Gemma-7B", "*gemma-7b*", "gemma", dense(3072, 24576, 28, 16, 16, 256000, 256), "config.json, litgpt, TransformerLens"),
    ("Gemma-2-2B", "*gemma-2-2b*", "gemma2", dense(2304, 9216, 26, 8, 4, 256000, 256), "config.json, litgpt, TransformerLens"),
    ("Gemma-2-9B", "*gemma-2-9b*", "gemma2", dense(3584, 14336, 42, 16, 8, 256000, 256), "litgpt, TransformerLens"),
    ("Gemma-2-27B", "*gemma-2-27b*", "gemma2", dense(4608, 36864, 46, 32, 16, 256000, 128), "litgpt, TransformerLens"),
    ("Gemma-3-270M", "*gemma-3-270m*", "gemma3_text", dense(640, 2048, 18, 4, 1, 262144, 256), "config.json, TransformerLens"),
    ("Gemma-3-1B", "*gemma-3-1b*", "gemma3_text", dense(1152, 6912, 26, 4, 1, 262144, 256), "config.json, TransformerLens"),
    ("Gemma-3-4B", "*gemma-3-4b*", "gemma3_text", dense(2560, 10240, 34, 8, 4, 262208, 256), "TransformerLens"),
    ("Gemma-3-12B", "*gemma-3-12b*", "gemma3_text", dense(3840, 15360, 48, 16, 8, 262208, 256), "TransformerLens"),
    ("Gemma-3-27B", "*gemma-3-27b*", "gemma3_text", dense(5376, 21504, 62, 32, 16, 262208, 128), "TransformerLens"),
    ("Phi-1.5", "*phi-1*", "phi", dense(2048, 8192, 24, 32, 32, 51200), "litgpt, TransformerLens"),
    ("Phi-2", "*phi-2*", "phi", dense(2560, 10240, 32, 32, 32, 51200), "config.json, TransformerLens"),
    ("Phi-3-mini", "*phi-3*-mini*", "phi3", dense(3072, 8192, 32, 32, 32, 32064), "config.json, litgpt, TransformerLens"),
    ("Phi-4-mini", "*phi-4-mini*", "phi3", dense(3072, 8192, 32, 24, 8, 200064, partial_rotary_factor=0.75),
     "config.json, litgpt"),
    ("Phi-4", "*phi-4", "phi3", dense(5120, 17920, 40, 40, 10, 100352), "config.json, litgpt, TransformerLens"),
    ("Granite-3.1-2B", "*granite-3*-2b*", "granite", dense(2048, 8192, 40, 32, 8, 49155), "a table of AutoConfig, and its total"),
    ("Granite-3.1-8B", "*granite-3*-8b*", "granite", dense(4096, 12800, 40, 32, 8, 49155), "config.json"),
    ("OLMo-2-7B", "*olmo-2*-7b*", "olmo2", dense(4096, 11008, 32, 32, 32, 100352), "config.json, mlc-llm, TransformerLens"),
    ("OLMo-2-13B", "*olmo-2*-13b*", "olmo2", dense(5120, 13824, 40, 40, 40, 100352), "mlc-llm, OLMo"),
    ("Command-R7B", "*r7b*", "cohere2", dense(4096, 14336, 32, 32, 8, 256000), "kmodels"),
    ("Command-R", "*c4ai-command-r-v01*", "cohere", dense(8192, 22528, 40, 64, 64, 256000), "config.json"),
    ("GLM-4-9B", "*glm-4-9b*", "glm", dense(4096, 13696, 40, 32, 2, 151552, 128), "config.json of chatglm"),
    ("GLM-4-32B", "*glm-4-32b*", "glm4", dense(6144, 23040, 61, 48, 2, 151552, 128), "kmodels"),
    ("gpt-oss-20b", "*gpt-oss-20b*", "gpt_oss", dense(2880, 2880, 24, 64, 8, 201088, 64, num_local_experts=32),
     "config.json, TransformerLens"),
    ("gpt-oss-120b", "*gpt-oss-120b*", "gpt_oss", dense(2880, 2880, 36, 64, 8, 201088, 64, num_local_experts=128), "config.json"),
    ("StarCoder2-3B", "*starcoder2-3b*", "starcoder2", dense(3072, 12288, 30, 24, 2, 49152), "NeMo"),
    ("StarCoder2-7B", "*starcoder2-7b*", "starcoder2", dense(4608, 18432, 32, 36, 4, 49152), "NeMo, mlc-llm"),
    ("StarCoder2-15B", "*starcoder2-15b*", "starcoder2", dense(6144, 24576, 40, 48, 4, 49152), "NeMo"),
    ("StableLM-2-1.6B", "*stablelm-2-1_6b*", "stablelm", dense(2048, 5632, 24, 32, 32, 100352), "mlc-llm"),
    ("StableLM-3B", "*stablelm-3b*", "stablelm", dense(2560, 6912, 32, 32, 32, 50304), "config.json, litgpt"),
    ("Falcon-7B", "*falcon-7b*", "falcon", dict(old(4544, 32, 71, 65024), multi_query=True, new_decoder_architecture=False),
     "config.json, litgpt"),
    ("Falcon-40B", "*falcon-40b*", "falcon", dict(old(8192, 60, 128, 65024), num_kv_heads=8, new_decoder_architecture=True),
     "litgpt"),
    ("BLOOM-560M", "*bloom*-560m*", "bloom", dict(old(1024, 24, 16, 250880)), "TransformerLens"),
    ("BLOOM-1.7B", "*bloom*-1b7*", "bloom", dict(old(2048, 24, 16, 250880)), "TransformerLens"),
    ("BLOOM-3B", "*bloom*-3b*", "bloom", dict(old(2560, 30, 32, 250880)), "TransformerLens"),
    ("BLOOM-7B1", "*bloom*-7b1*", "bloom", dict(old(4096, 30, 32, 250880)), "TransformerLens"),
    ("GPT-NeoX-20B", "*gpt-neox-20b*", "gpt_neox", dict(old(6144, 44, 64, 50432), intermediate_size=24576),
     "config.json, TransformerLens"),
    ("GPT-J-6B", "*gpt-j-6b*", "gptj", {}, "mlc-llm"),
    ("GPT-2", "*gpt2", "gpt2", {}, "config.json"),
    ("GPT-2 medium", "*gpt2-medium*", "gpt2", dict(n_embd=1024, n_layer=24, n_head=16), "TransformerLens"),
    ("GPT-2 large", "*gpt2-large*", "gpt2", dict(n_embd=1280, n_layer=36, n_head=20), "TransformerLens"),
    ("GPT-2 XL", "*gpt2-xl*", "gpt2", dict(n_embd=1600, n_layer=48, n_head=25), "config.json, TransformerLens"),
    ("BERT-base", "*bert-base*", "bert", {}, "config.json"),
    ("BERT-large", "*bert-large*", "bert", dict(old(1024, 24, 16), intermediate_size=4096), "config.json, TransformerLens"),
    ("RoBERTa-base", "*roberta-base*", "roberta", {V: 50265}, "config.json"),
    ("RoBERTa-large", "*roberta-large*", "roberta", dict(old(1024, 24, 16, 50265), intermediate_size=4096), "fairseq"),
    ("DistilBERT", "*distilbert*", "distilbert", {}, "config.json"),
    ("ViT-base", "*vit-base*", "vit", {}, "transformers"),
    ("ViT-large", "*vit-large*", "vit", dict(old(1024, 24, 16), intermediate_size=4096), "vision_transformer"),
]
for _name, _width, _ffn, _layers in (("125M", 768, 3072, 12), ("1.3B", 2048, 8192, 24), ("2.7B", 2560, 10240, 32),
                                     ("6.7B", 4096, 16384, 32), ("13B", 5120, 20480, 40), ("30B", 7168, 28672, 48)):
    LLMS.append((f"OPT-{_name}", f"*opt-{_name.lower()}*", "opt",
                 dict({E: _width, "ffn_dim": _ffn, L: _layers, H: _width // 64, "word_embed_proj_dim": _width}), "TransformerLens"))
for _name, _width, _layers, _vocab in (("70M", 512, 6, 50304), ("160M", 768, 12, 50304), ("410M", 1024, 24, 50304),
                                       ("1B", 2048, 16, 50304), ("1.4B", 2048, 24, 50304), ("2.8B", 2560, 32, 50304),
                                       ("6.9B", 4096, 32, 50432), ("12B", 5120, 36, 50688)):
    LLMS.append((f"Pythia-{_name}", f"*pythia-{_name.lower()}*", "gpt_neox",
                 dict(old(_width, _layers, 8, _vocab), intermediate_size=4 * _width), "litgpt, TransformerLens"))
for _name, _width, _layers, _ffn in (("small", 512, 8, 1024), ("base", 768, 12, 2048), ("large", 1024, 24, 2816),
                                     ("xl", 2048, 24, 5120), ("xxl", 4096, 24, 10240)):
    LLMS.append((f"Flan-T5 {_name}", f"*flan-t5-{_name}*", "t5",
                 dict(d_model=_width, num_layers=_layers, num_heads=6 if _name == "small" else _width // 64, d_kv=64, d_ff=_ffn,
                      feed_forward_proj="gated-gelu", tie_word_embeddings=False), "t5x"))
for _name, _width, _layers in (("small", 512, 6), ("base", 768, 12), ("large", 1024, 24)):
    LLMS.append((f"T5 {_name}", f"*t5-{_name}*", "t5",
                 dict(d_model=_width, num_layers=_layers, num_heads=_width // 64, d_kv=64, d_ff=4 * _width), "TransformerLens"))
for _name, _width, _layers, _back in (("tiny", 384, 4, 4), ("base", 512, 6, 6), ("small", 768, 12, 12),
                                      ("medium", 1024, 24, 24), ("large-v3", 1280, 32, 32), ("large-v3-turbo", 1280, 32, 4)):
    LLMS.append((f"Whisper {_name}", f"*whisper-{_name}*", "whisper",
                 dict(d_model=_width, encoder_layers=_layers, decoder_layers=_back, encoder_attention_heads=_width // 64,
                      decoder_attention_heads=_width // 64, encoder_ffn_dim=4 * _width, decoder_ffn_dim=4 * _width,
                      vocab_size=51866 if "large" in _name else 51865, num_mel_bins=128 if "large" in _name else 80), "whisper.cpp"))

#!/usr/bin/env python3
"""usage: mkdefaults.py hf_config_defaults.json > defaults.table

Condenses the defaults of the configuration classes of Hugging Face transformers (extracted from
its source: class -> model_type, defaults, attribute_map, nested classes) to what can change the
shape of a tensor: integers, flags, factors, short lists, and the few strings that select a form;
and to what print(model) shows beside shapes: dropouts, epsilons, activations, padding.
"""
import json, re, sys

DROP = re.compile(r"dropout|pdrop|layerdrop|token_id|token_index|_eps$|^eps$|epsilon|initializer|init_|"
                  r"_init$|theta|use_cache|^mask_|drop_path|coef|router_jitter|^loss|_loss|scaling|"
                  r"_scale$|weight$|logit_softcapping|ctc_|return_|output_(attentions|hidden|router)|"
                  r"temperature|time_step_(min|max|floor|scale)|rescale|pretraining_tp|gradient|"
                  r"normalize|hidden_act|layer_norm_eps|std$|momentum|^summary_|max_time|"
                  r"apply_spec|noise|threshold|beam|penalty|_cost$|alpha|beta$|ratio_", re.I)
STRINGS = {"feed_forward_proj", "topk_method", "position_embedding_type", "norm_type",
           "time_step_rank", "hybrid_override_pattern", "feat_extract_norm", "layer_type",
           "normalization_type", "mlp_activation_function", "position_embeddings_type",
           "attn_type", "norm_rel_ebd", "mamba_dt_rank", "mamba_d_head", "csp_activation",
           "cross_attention_shape_for_attention", "resi_connection", "encoder_attention_type"}
PRINTED = re.compile(r"dropout|pdrop|_prob$|^drop_path|^layer_norm_eps|_eps$|^eps$|epsilon|_act$|act_fn$|"
                     r"activation|nonlinear|^pad_token_id$|^pad_index$|^summary_|^theta$")
KEEP = {"mlp_ratio", "ffn_dim_multiplier", "tie_word_embeddings"}

# The class that a nested configuration has when it does not say: set in code, where no table finds it.
LLAVA = {"text_config": "llama", "vision_config": "clip_vision_model"}
NESTED = {
    "LlavaConfig": LLAVA, "LlavaNextConfig": LLAVA, "LlavaNextVideoConfig": LLAVA,
    "VipLlavaConfig": LLAVA,
    "LlavaOnevisionConfig": {"text_config": "qwen2", "vision_config": "siglip_vision_model"},
    "Mistral3Config": {"text_config": "mistral", "vision_config": "pixtral"},
    "PaliGemmaConfig": {"text_config": "gemma", "vision_config": "siglip_vision_model"},
    "InternVLConfig": {"text_config": "qwen2"},
    "Cohere2VisionConfig": {"text_config": "cohere2", "vision_config": "siglip_vision_model"},
    "AriaConfig": {"vision_config": "idefics3_vision"},
    "Qwen2AudioConfig": {"text_config": "qwen2", "audio_config": "qwen2_audio_encoder"},
    "Blip2Config": {"text_config": "opt"},
    "FuyuConfig": {"text_config": "persimmon"},
    "Idefics3Config": {"text_config": "llama"}, "SmolVLMConfig": {"text_config": "llama"},
    "Glm46VConfig": {"text_config": "glm4v_text", "vision_config": "glm4v_vision"},
    "AyaVisionConfig": {"text_config": "cohere2", "vision_config": "siglip_vision_model"},
    "VoxtralConfig": {"text_config": "llama", "audio_config": "voxtral_encoder"},
}

def keep(key, value):
    if value is None or isinstance(value, dict) or key.startswith("$"): return False
    if key in KEEP: return True
    if PRINTED.search(key) and isinstance(value, (bool, int, float, str)):
        return not isinstance(value, str) or " " not in value
    if DROP.search(key): return False
    if isinstance(value, str): return key in STRINGS and " " not in value
    if isinstance(value, list):
        return len(value) <= 64 and all(isinstance(x, (int, str, bool)) for x in value) \
            and not any(isinstance(x, str) and " " in x for x in value)
    return isinstance(value, (bool, int, float))

def main():
    table = json.load(open(sys.argv[1]))
    order = sorted(table.items(), key=lambda x: (x[1]["model_type"] or "", len(x[0])))
    types, seen = {}, set()
    for name, c in order:  # nested classes without a type of their own are found by class
        types[name] = name if c["model_type"] in seen else c["model_type"] or name
        seen.add(types[name])
    print("# model_type Class key=default... key>nested_model_type key@other_name")
    print("# Made by mkdefaults.py from the configuration classes of Hugging Face transformers.")
    for name, c in order:
        words = [types[name], name]
        for key, value in sorted(c["defaults"].items()):
            if keep(key, value):
                words.append(key + "=" + json.dumps(value, separators=(",", ":")))
        sub = c["sub"]
        pairs = re.findall(r"'(\w+)': (\w+)", sub) if isinstance(sub, str) else sub.items()
        for key, nested in pairs:
            if nested in types: words.append(key + ">" + types[nested])
        for key, nested in NESTED.get(name, {}).items(): words.append(key + ">" + nested)
        for key, other in sorted(c["attribute_map"].items()):
            if not DROP.search(key): words.append(key + "@" + other)
        if len(words) > 2: print(*words)

main()

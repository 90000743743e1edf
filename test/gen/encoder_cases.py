#!/usr/bin/env python3
"""encoder_cases.py OUT -- text and image encoders of diffusion models, each a file as in ComfyUI's folders.

transformers builds each class on torch's meta device from its published configuration. Names are those of the published files, which
omit a head that is tied to the embedding, and store the tokenizer next to the weights, as bytes. Writes
test/truth/components/encoders.jsonl (one case a line: name, tensors, parameters, other_tensors, variant), against which
test/truth/components/single.py checks numel.

  venv/bin/python test/gen/encoder_cases.py test/truth/components/encoders.jsonl
Packages: src/data/import/requirements.txt
"""
import json, math, sys
import torch
import transformers as T

QWEN_VL = dict(depth=32, hidden_size=1280, intermediate_size=3420, num_heads=16)
SIGLIP = dict(hidden_size=1152, intermediate_size=4304, num_hidden_layers=27, num_attention_heads=16, patch_size=14)


def decoder(cls, config, V, E, L, F, H, K, **more):
    return cls, config(vocab_size=V, hidden_size=E, num_hidden_layers=L, intermediate_size=F, num_attention_heads=H, num_key_value_heads=K, **more)


def qwen(E, L, F, H, K, V=151936, tied=False):
    return decoder(T.Qwen3ForCausalLM, T.Qwen3Config, V, E, L, F, H, K, head_dim=128, tie_word_embeddings=tied)


def seeing(V, E, L, F, H, K):
    text = dict(vocab_size=V, hidden_size=E, num_hidden_layers=L, intermediate_size=F, num_attention_heads=H, num_key_value_heads=K)
    return T.Qwen2_5_VLForConditionalGeneration, T.Qwen2_5_VLConfig(text_config=text, vision_config=dict(QWEN_VL, out_hidden_size=E))


def gemma3(E, L, F, H, K):
    text = dict(vocab_size=262208, hidden_size=E, num_hidden_layers=L, intermediate_size=F, num_attention_heads=H, num_key_value_heads=K, head_dim=256)
    return T.Gemma3ForConditionalGeneration, T.Gemma3Config(text_config=text, vision_config=dict(SIGLIP, image_size=896, vision_use_head=False))


def t5(E, F, L, H, V, gated, cls="T5", d_kv=64):
    config = dict(d_model=E, d_ff=F, d_kv=d_kv, num_layers=L, num_heads=H, vocab_size=V, feed_forward_proj="gated-gelu" if gated else "relu")
    return getattr(T, cls + "EncoderModel"), getattr(T, cls + "Config")(**config)


def clip(E, L, H, X, side=224, F=None):
    return T.CLIPVisionModelWithProjection, T.CLIPVisionConfig(hidden_size=E, intermediate_size=F or 4 * E, num_hidden_layers=L, num_attention_heads=H,
                                                               projection_dim=X, patch_size=14, image_size=side)


def siglip(side):
    return T.SiglipVisionModel, T.SiglipVisionConfig(image_size=side, **SIGLIP)


LLAMA = (4096, 32, 14336, 32, 8)
TEKKEN, SPIECE = {"tekken_model": [19399895]}, {"spiece_model": [4241003]}
IDS = {"vision_model.embeddings.position_ids": [1, 257]}
PREFIXES = [("model.language_model.", "model."), ("model.visual.", "visual."), ("model.vision_tower.", "vision_model."), ("model.multi_modal_projector.", "multi_modal_projector.")]
HEAD, EYES = "lm_head.", ("visual.", "vision_model.", "multi_modal_projector.")
MISTRAL = dict(head_dim=128)
CASES = [  # name, class and configuration, what the file omits, what it adds, numel's name for it
    ("qwen_2.5_vl_7b", seeing(152064, 3584, 28, 18944, 28, 4), (), {}, "Qwen2.5-VL 7B"),
    ("qwen_2.5_vl_7b, text alone", seeing(152064, 3584, 28, 18944, 28, 4), EYES, {}, "Qwen2.5 7B"),
    ("qwen_2.5_vl_3b", seeing(151936, 2048, 36, 11008, 16, 2), HEAD, {}, "Qwen2.5-VL 3B"),
    ("qwen_3_06b", qwen(1024, 28, 3072, 16, 8), HEAD, {}, "Qwen3 0.6B"),
    ("qwen_3_1.7b", qwen(2048, 28, 6144, 16, 8), HEAD, {}, "Qwen3 1.7B"),
    ("qwen_3_4b", qwen(2560, 36, 9728, 32, 8), HEAD, {}, "Qwen3 4B"),
    ("qwen_3_8b", qwen(4096, 36, 12288, 32, 8), (), {}, "Qwen3 8B"),
    ("qwen_0.6b_ace15", qwen(1024, 28, 3072, 16, 8, 151669), HEAD, {}, "qwen3 at the size of Qwen3-Embedding 0.6B"),
    ("qwen_1.7b_ace15", qwen(2048, 28, 6144, 16, 8, 217204), HEAD, {}, "ACE-Step 1.5's Qwen3 1.7B"),
    ("qwen_4b_ace15", qwen(2560, 36, 9728, 32, 8, 217204), HEAD, {}, "ACE-Step 1.5's Qwen3 4B"),
    ("llava_llama3", decoder(T.LlamaForCausalLM, T.LlamaConfig, 128320, *LLAMA), (), {}, "LLaVA's Llama 3 8B"),
    ("llama_3.1_8b_instruct", decoder(T.LlamaForCausalLM, T.LlamaConfig, 128256, *LLAMA), HEAD, {}, "Llama 3 8B"),
    ("gemma_2_2b", decoder(T.Gemma2ForCausalLM, T.Gemma2Config, 256000, 2304, 26, 9216, 8, 4, head_dim=256), HEAD, SPIECE, "Gemma 2 2B"),
    ("gemma_3_4b_it", gemma3(2560, 34, 10240, 8, 4), HEAD, SPIECE, "Gemma 3 4B"),
    ("gemma_3_12B_it", gemma3(3840, 48, 15360, 16, 8), HEAD, SPIECE, "Gemma 3 12B"),
    ("gemma_3_12B_it, text alone", gemma3(3840, 48, 15360, 16, 8), (HEAD, *EYES), SPIECE, "Gemma 3 12B"),
    ("mistral_3_small_flux2", decoder(T.MistralForCausalLM, T.MistralConfig, 131072, 5120, 40, 32768, 32, 8, **MISTRAL), HEAD, TEKKEN, "Mistral Small 24B"),
    ("mistral_3_small_flux2, 30 layers", decoder(T.MistralForCausalLM, T.MistralConfig, 131072, 5120, 30, 32768, 32, 8, **MISTRAL), HEAD, TEKKEN,
     "Mistral Small 24B, first 30 layers"),
    ("byt5_small_glyphxl", t5(1472, 3584, 12, 6, 1510, True), "encoder.embed_tokens.", {}, "ByT5-small glyph encoder"),
    ("byt5_small", t5(1472, 3584, 12, 6, 384, True), "encoder.embed_tokens.", {}, "ByT5-small encoder"),
    ("t5_base", t5(768, 3072, 12, 12, 32128, False), "encoder.embed_tokens.", {}, "T5-base encoder"),
    ("flan_t5_base", t5(768, 2048, 12, 12, 32128, True), "encoder.embed_tokens.", {}, "T5-base encoder"),
    ("umt5_base", t5(768, 2048, 12, 12, 256384, True, "UMT5"), "encoder.embed_tokens.", {}, "UMT5-base encoder"),
    ("t5_large", t5(1024, 4096, 24, 16, 32128, False), "encoder.embed_tokens.", {}, "T5-large encoder"),
    ("flan_t5_large", t5(1024, 2816, 24, 16, 32128, True), "encoder.embed_tokens.", {}, "T5-large encoder"),
    ("oldt5_xxl", t5(1024, 65536, 24, 128, 32128, False, d_kv=128), "encoder.embed_tokens.", {}, "T5-11B encoder"),
    ("mt5_xl", t5(2048, 5120, 24, 32, 250112, True), "encoder.embed_tokens.", {}, "mT5-XL encoder"),
    ("pile_t5_xl", t5(2048, 5120, 24, 32, 32128, True, "UMT5"), "encoder.embed_tokens.", {}, "Pile-T5-XL encoder"),
    ("clip_vision_l", clip(1024, 24, 16, 768), (), {}, "CLIP ViT-L"),
    ("clip_vision_l_336", clip(1024, 24, 16, 768, 336), (), {}, "CLIP ViT-L, 336 pixels"),
    ("clip_vision_h", clip(1280, 32, 16, 1024), (), IDS, "CLIP ViT-H"),
    ("clip_vision_g", clip(1664, 48, 16, 1280, F=8192), "visual_projection.", {}, "CLIP ViT-bigG"),
    ("sigclip_vision_patch14_384", siglip(384), (), {}, "SigLIP So400m, 384 pixels"),
    ("siglip_vision_patch14_224", siglip(224), (), {}, "SigLIP So400m, 224 pixels"),
]


def saved(name):
    """As in published files, even if transformers' module tree has changed since."""
    for a, b in PREFIXES:
        if name.startswith(a): return b + name[len(a):]
    return "vision_model." + name if name.startswith(("embeddings.", "encoder.layers.", "post_layernorm.", "head.")) else name


def main():
    with open(sys.argv[1], "w") as out:
        for name, (cls, config), without, beside, variant in CASES:
            with torch.device("meta"): state = cls(config).state_dict()
            tensors = {saved(n): list(t.shape) for n, t in state.items() if not saved(n).startswith(without)}
            out.write(json.dumps({"name": name, "variant": variant, "parameters": sum(map(math.prod, tensors.values())), "tensors": sorted(tensors.items()),
                                  "other_tensors": [[n, s, "I64" if len(s) > 1 else "U8"] for n, s in beside.items()]}) + "\n")


if __name__ == "__main__": main()

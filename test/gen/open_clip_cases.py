#!/usr/bin/env python3
"""open_clip_cases.py [-a CASES] -- makes fixtures/oracle/open_clip.jsonl.zst: models that open_clip builds on torch's meta device.

First come its named models, one of each shape; then rows of small, distinct sizes: the model_cfg of open_clip_config.json.
A transformers text tower is built from the configuration below, which is that of the named model. Nothing is downloaded.
Packages: test/gen/requirements/open_clip.txt
"""
import copy, json, logging, os, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from oracle_fixtures import line, pack

PATH = "fixtures/oracle/open_clip.jsonl.zst"
TOWERS = {
    "roberta-base": ("roberta", dict(vocab_size=50265, max_position_embeddings=514, type_vocab_size=1)),
    "xlm-roberta-base": ("xlm-roberta", dict(vocab_size=250002, max_position_embeddings=514, type_vocab_size=1)),
    "xlm-roberta-large": ("xlm-roberta", dict(vocab_size=250002, max_position_embeddings=514, type_vocab_size=1, hidden_size=1024,
                                              num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096)),
    "mt5-base": ("mt5", dict(vocab_size=250112, d_model=768, d_kv=64, d_ff=2048, num_layers=12, num_heads=12)),
    "mt5-xl": ("mt5", dict(vocab_size=250112, d_model=2048, d_kv=64, d_ff=5120, num_layers=24, num_heads=32)),
    "nllb-200-distilled-600M": ("m2m_100", dict(vocab_size=256206, d_model=1024, encoder_layers=12, decoder_layers=12, encoder_ffn_dim=4096)),
    "nllb-200-distilled-1.3B": ("m2m_100", dict(vocab_size=256206, d_model=1024, encoder_layers=24, decoder_layers=24, encoder_ffn_dim=8192)),
}
NAMES = """ViT-B-32 ViT-B-16 ViT-B-16-plus-240 ViT-L-14 ViT-L-14-336 ViT-L-16 ViT-H-14 ViT-H-16 ViT-H-14-worldwide ViT-g-14 ViT-e-14 ViT-bigG-14
ViT-S-16-alt ViT-M-16-alt ViT-M-32 ViT-H-14-CLIPA-336 ViT-L-14-CLIPA ViT-bigG-14-CLIPA RN50 RN101 RN50x4 RN50x16 RN50x64 coca_ViT-B-32
coca_ViT-L-14 coca_base coca_roberta-ViT-B-32 roberta-ViT-B-32 xlm-roberta-base-ViT-B-32 xlm-roberta-large-ViT-H-14""".split()
TIMM = """ViT-B-16-SigLIP ViT-SO400M-14-SigLIP EVA02-B-16 convnext_base_w convnext_large_d_320 ViTamin-S MobileCLIP-S1 MobileCLIP-B EVA01-g-14
swin_base_patch4_window7_224 vit_medium_patch16_gap_256 vit_relpos_medium_patch16_cls_224 PE-Core-B-16
mt5-base-ViT-B-32 nllb-clip-base nllb-clip-large nllb-clip-base-siglip mt5-xl-ViT-H-14""".split()  # timm towers, and encoders
V, T = dict(image_size=64, layers=3, width=96, head_width=32, patch_size=16), dict(context_length=13, vocab_size=101, width=80, heads=5, layers=2)
ROWS = [
    dict(vision_cfg=V, text_cfg=T),
    dict(vision_cfg=dict(V, image_size=[96, 64], mlp_ratio=3.3, ls_init_value=0.1, no_ln_pre=True), text_cfg=dict(T, mlp_ratio=2.7)),
    dict(vision_cfg=dict(V, image_size=70), text_cfg=dict(T, ls_init_value=0.1, proj_bias=True)),
    dict(vision_cfg=dict(V, qk_norm=True), text_cfg=dict(T, scale_heads=True, scale_attn_inner=True)),
    dict(vision_cfg=dict(V, scale_heads=True, scale_attn_inner=True, scale_attn=True, scale_fc=True), text_cfg=dict(T, qk_norm=True)),
    dict(vision_cfg=V, text_cfg=dict(T, scaled_cosine_attn=True, scale_attn=True, scale_fc=True), init_logit_bias=-10),
    dict(vision_cfg=V, text_cfg=T, custom_text=True, init_logit_bias=-10, nonscalar_logit_scale=True),
    dict(vision_cfg=V, text_cfg=dict(T, embed_cls=True, proj_type="none", width=56, heads=4), custom_text=True, nonscalar_logit_scale=True),
    dict(vision_cfg=V, text_cfg=dict(T, embed_cls=True)),
    dict(vision_cfg=dict(V, attentional_pool=True, attn_pooler_queries=7, attn_pooler_heads=4), text_cfg=T),
    dict(vision_cfg=dict(V, attentional_pool="parallel", attn_pooler_heads=4, width=64), text_cfg=T),
    dict(vision_cfg=dict(V, attentional_pool="cascade", attn_pooler_queries=9, attn_pooler_heads=2), text_cfg=dict(T, embed_cls=True),
         multimodal_cfg=dict(context_length=11, vocab_size=77, width=48, heads=3, layers=2), custom_text=True),
    dict(vision_cfg=dict(V, attentional_pool=True, attn_pooler_heads=4), text_cfg=T, custom_text=True,
         multimodal_cfg=dict(width=40, heads=5, layers=3, ls_init_value=0.1, mlp_ratio=2)),
    dict(vision_cfg=dict(V, patch_size=8), text_cfg=T, multimodal_cfg=dict(width=40, heads=5, layers=3)),
    dict(vision_cfg=dict(image_size=96, layers=[2, 1, 3, 2], width=32, head_width=64), text_cfg=T),
    dict(vision_cfg=dict(image_size=160, layers=[1, 2, 1, 1], width=48, head_width=32, patch_size=None), text_cfg=T, custom_text=True),
    dict(vision_cfg=dict(image_size=64, layers=2, width=128), text_cfg=dict(context_length=9, layers=1)),
    dict(vision_cfg=V, text_cfg=dict(hf_model_name="roberta-base", hf_proj_type="linear")),
    dict(vision_cfg=V, text_cfg=dict(hf_model_name="xlm-roberta-large", hf_pooler_type="cls_pooler")),
    dict(vision_cfg=V, text_cfg=dict(hf_model_name="FacebookAI/xlm-roberta-base", hf_proj_type="mlp", width=700)),
    dict(vision_cfg=V, text_cfg=dict(T, proj_type="none", width=112, heads=4)),  # as wide as its output
    dict(vision_cfg=dict(timm_model_name="hiera_tiny_224", timm_proj="mlp"), text_cfg=T),
    dict(vision_cfg=dict(timm_model_name="vit_base_patch16_siglip_224", timm_proj="linear", timm_pool="avg"), text_cfg=T, custom_text=True),
    dict(vision_cfg=dict(timm_model_name="coatnet_nano_rw_224", timm_proj="linear", timm_proj_bias=True), text_cfg=T),
    dict(vision_cfg=dict(timm_model_name="focalnet_tiny_srf", timm_proj="linear", timm_pool=""), text_cfg=T),
    dict(vision_cfg=dict(timm_model_name="resnet18", timm_proj="linear"), text_cfg=T),
    dict(vision_cfg=dict(timm_model_name="resnet50", timm_proj="mlp"), text_cfg=T),
    dict(vision_cfg=dict(timm_model_name="efficientformer_l1", timm_proj="linear"), text_cfg=T),
    dict(vision_cfg=dict(timm_model_name="fastvit_t8", timm_proj="mlp"), text_cfg=T),
    dict(vision_cfg=dict(timm_model_name="levit_128", timm_proj="linear"), text_cfg=T),
    dict(vision_cfg=dict(timm_model_name="vit_relpos_small_patch16_224", timm_proj="linear"), text_cfg=T),
]


def built(cfg):
    import torch, open_clip.hf_model as towers
    from open_clip.coca_model import CoCa
    from open_clip.model import CLIP, CustomTextCLIP
    from transformers import AutoConfig
    class Known:
        def from_pretrained(name):
            kind, sizes = TOWERS[name.rsplit("/", 1)[-1]]
            return AutoConfig.for_model(kind, **sizes)
    towers.AutoConfig = Known
    own = copy.deepcopy(cfg)
    tower = "hf_model_name" in own["text_cfg"]
    custom = own.pop("custom_text", False) or tower
    if tower: own["text_cfg"]["hf_model_pretrained"] = False
    if own["vision_cfg"].get("timm_model_name"): own["vision_cfg"]["timm_model_pretrained"] = False
    cls = CLIP if not custom else CoCa if "multimodal_cfg" in own else CustomTextCLIP
    if cls is CLIP: own.pop("multimodal_cfg", None)
    with torch.device("meta"): model = cls(**own)
    known = dict(model.named_parameters())
    state = {n: list(t.shape) for n, t in model.state_dict().items()}
    count = sum(p.numel() for p in known.values())
    tables = sum(m.weight.numel() for m in model.modules() if isinstance(m, torch.nn.Embedding))
    whole = {"model_cfg": cfg, "preprocess_cfg": {"mean": [0.5, 0.5, 0.5], "std": [0.5, 0.5, 0.5]}}
    # the file states neither its type nor its tower: tests that read no files need them
    typed = {"model_type": "open_clip", **copy.deepcopy(whole)}
    timm = cfg["vision_cfg"].get("timm_model_name")
    if timm: typed["model_cfg"]["vision_cfg"]["model_type"] = timm.split(".")[0]
    return {"class": None, "configs": {"whole": typed, "dropped": whole}, "params": {n: s for n, s in state.items() if n in known}, "tied": {},
            "buffers": {n: s for n, s in state.items() if n not in known}, "num_parameters": count, "non_embedding": count - tables}


def main():
    from open_clip.factory import get_model_config, list_models
    logging.disable(logging.WARNING)
    if sys.argv[1:2] == ["-a"]:
        with open(sys.argv[2], "w") as out:
            for n in list_models(): out.write(line(dict(case=f"open_clip/{n}", **built(get_model_config(n)))))
        return
    cases = [dict(case=f"open_clip/{n}", **built(get_model_config(n))) for n in NAMES]
    for i, row in enumerate(ROWS):
        cases.append(dict(case=f"open_clip/small.{i + 1}", **built(dict(embed_dim=112 + 8 * (i % 5), **row))))
    cases += [dict(case=f"open_clip/{n}", **built(get_model_config(n))) for n in TIMM]
    pack(PATH, "".join(line(c) for c in cases).encode())
    print(f"{PATH}: {len(cases)} cases")


if __name__ == "__main__":
    main()

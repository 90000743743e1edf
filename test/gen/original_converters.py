"""original_converters.py -- for original_cases.py: tables of names for models that diffusers' single_file_utils does not convert.

Each is a function of (tensors, config), like diffusers' own. Names correspond by what a module is in the original repository and in
diffusers' class; the proof is that the result is exactly the class's state dict: no name or shape more, none less.
"""
import re


def renamed(tensors, table, fused=()):
    """Replaces names by the first pattern that matches. `fused`: a pattern for names that end with qkv, and the
    three names they become."""
    out = {}
    for name, t in tensors.items():
        for pattern, three in fused:
            m = re.match(pattern + r"\.(weight|bias)$", name)
            if m:
                for part, x in zip(three, t.chunk(len(three), 0)): out[m.expand(part) + "." + m[m.lastindex]] = x
                break
        else: out[next((re.sub(p, r, name) for p, r in table if re.match(p, name)), name)] = t
    return out


HUNYUAN = [(r"img_in\.proj", "x_embedder.proj"), (r"txt_in\.input_embedder", "context_embedder.proj_in"), (r"cond_type_embedding", "cond_type_embed"),
           (r"txt_in\.c_embedder\.linear", "context_embedder.time_text_embed.text_embedder.linear"), (r"byt5_in\.layernorm", "context_embedder_2.norm"),
           (r"byt5_in\.fc", "context_embedder_2.linear_"), (r"final_layer\.adaLN_modulation\.1", "norm_out.linear"), (r"final_layer\.linear", "proj_out")]
HUNYUAN += [(fr"vision_in\.proj\.{a}", "image_embedder." + b) for a, b in ((0, "norm_in"), (1, "linear_1"), (3, "linear_2"), (4, "norm_out"))]
REFINER, BLOCK = r"txt_in\.individual_token_refiner\.blocks\.(\d+)\.", "context_embedder.token_refiner.refiner_blocks."
HUNYUAN += [(REFINER + a, rf"{BLOCK}\1.{b}") for a, b in (("self_attn_proj", "attn.to_out.0"), (r"mlp\.fc1", "ff.net.0.proj"), (r"mlp\.fc2", "ff.net.2"),
                                                         (r"adaLN_modulation\.1", "norm_out.linear"), ("norm", "norm"))]
DOUBLE, SINGLE = r"double_blocks\.(\d+)\.", r"single_blocks\.(\d+)\."
STREAMS = [("img_attn_q_norm", "attn.norm_q"), ("img_attn_k_norm", "attn.norm_k"), ("txt_attn_q_norm", "attn.norm_added_q"), ("txt_attn_k_norm", "attn.norm_added_k"),
           ("img_attn_proj", "attn.to_out.0"), ("txt_attn_proj", "attn.to_add_out"), (r"img_attn_([qkv])\.", r"attn.to_\2."), (r"txt_attn_([qkv])\.", r"attn.add_\2_proj."),
           (r"img_mlp\.fc1", "ff.net.0.proj"), (r"img_mlp\.fc2", "ff.net.2"), (r"txt_mlp\.fc1", "ff_context.net.0.proj"), (r"txt_mlp\.fc2", "ff_context.net.2"),
           (r"img_mod\.linear", "norm1.linear"), (r"txt_mod\.linear", "norm1_context.linear")]
HUNYUAN += [(DOUBLE + a, rf"transformer_blocks.\1.{b}") for a, b in STREAMS]
HUNYUAN += [(SINGLE + a, rf"single_transformer_blocks.\1.{b}") for a, b in ((r"linear1_([qkv])\.", r"attn.to_\2."), ("linear1_mlp", "proj_mlp"), (r"linear2\.fc", "proj_out"),
                                                                          ("q_norm", "attn.norm_q"), ("k_norm", "attn.norm_k"), (r"modulation\.linear", "norm.linear"))]


def hunyuan15(tensors, config):
    """HunyuanVideo 1.5 and HunyuanImage 2.1; only the latter embeds guidance strength in addition to time."""
    time = "time_embed" if config.get("patch_size_t") == 1 else "time_guidance_embed"
    steps = [(rf"{a}\.mlp\.{k}", f"{b}.linear_{k // 2 + 1}") for k in (0, 2) for a, b in (("time_in", time + ".timestep_embedder"),
             (r"txt_in\.t_embedder", "context_embedder.time_text_embed.timestep_embedder"), ("guidance_in", time + ".guidance_embedder"), ("time_r_in", time + ".timestep_embedder_r"))]
    return renamed(tensors, HUNYUAN + steps, [(REFINER + "self_attn_qkv", [rf"{BLOCK}\1.attn.to_{x}" for x in "qkv"])])


COSMOS = [(r"extra_pos_embedder\.", "learnable_pos_embed."), (r"x_embedder\.proj\.1", "patch_embed.proj"), (r"t_embedder\.1", "time_embed.t_embedder"),
          (r"affline_norm", "time_embed.norm"), (r"final_layer\.adaLN_modulation\.(\d)", r"norm_out.linear_\1"), (r"final_layer\.linear", "proj_out")]
PART = r"blocks\.block(\d+)\.blocks\.%d\."
for k in range(3): COSMOS.append((PART % k + r"adaLN_modulation\.(\d)", rf"transformer_blocks.\1.norm{k + 1}.linear_\2"))
for k in range(2):
    COSMOS += [(PART % k + r"block\.attn\." + a, rf"transformer_blocks.\1.attn{k + 1}.{b}") for a, b in (
        (r"to_([qkv])\.0", r"to_\2"), (r"to_([qk])\.1", r"norm_\2"), (r"to_out\.0", "to_out.0"))]
COSMOS += [(PART % 2 + rf"block\.layer{a}", rf"transformer_blocks.\1.ff.net.{b}") for a, b in ((1, "0.proj"), (2, "2"))]


def cosmos1(tensors, config):
    """Cosmos-Predict1: diffusers' converter looks for its names after it has removed them, and takes every file
    for Predict2."""
    return renamed(tensors, COSMOS)

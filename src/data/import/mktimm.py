#!/usr/bin/env python3
"""usage: mktimm.py facts FACTS.jsonl        builds every architecture of the installed timm on torch's meta
device
       mktimm.py table FACTS.jsonl > timm.table

timm's architectures, one line each, as defaults.table has the classes of transformers (formula/defaults.c
reads both):

    NAME CLASS id="HEX" timm="CLASS" key=JSON...
        the arguments that its function passes to the constructor: for the specs in specs/timm

All end with T>timm.PART, a line that similar architectures share. There, `takes` lists additional arguments
that they accept: timm has them, and the spec reads them or they change no tensor (FREE). The line also
lists other arguments with their defaults, which may be repeated. The effect of any other argument is unknown
here (config_arguments_hold()).

An architecture is built three times: unchanged, with other numbers of classes and channels, and without a
head. This shows each size that depends on them. `input`, `classes` and `fixed` come from the configuration
of its pretrained weights, if they are not [3,224,224], 1000 and false; `head` and `conv` name the modules
whose sizes show the numbers of classes and channels. `id` identifies a file without its configuration
(formula/timm.c). `before` does the same for the network that some have before the patches; the file shows
their other sizes. `network` names that network, `network_depths` and `network_dims` have its sizes.
Packages: test/gen/requirements/timm.txt
"""
import ast
import collections
import glob
import json
import os
import re
import sys

CLASSES, CHANNELS = 1013, 5
DATA = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Classes with a spec that reads arguments. For each: the architectures that it does not cover, by an argument
# and its value (None: any value); and the class's values for missing arguments that are lists, or for which
# null has another meaning.
SPECS = {
    "VisionTransformer": ({}, {}),
    "VisionTransformerDistilled": ({}, {}),
    "Eva": ({}, {}),
    "Beit": ({}, {}),
    "ResNet": ({"block_args": "gc|gather|nl|bat|GC"}, {"widths": [64, 128, 256, 512]}),
    "ConvNeXt": ({}, {"ls_init_value": 1e-6, "depths": [3, 3, 9, 3], "dims": [96, 192, 384, 768]}),
    "SwinTransformer": ({}, {"blocks": [2, 2, 6, 2], "num_heads": [3, 6, 12, 24]}),
    "SwinTransformerV2": ({}, {"blocks": [2, 2, 6, 2], "num_heads": [3, 6, 12, 24]}),
    "DenseNet": ({"norm_layer": None}, {"blocks": [6, 12, 24, 16]}),
    "Cait": ({}, {}),
    "Xcit": ({}, {}),
    "MlpMixer": ({}, {"ratios": [0.5, 4.0]}),
    "PyramidVisionTransformerV2": ({}, {"depths": [3, 4, 6, 3], "embed_dims": [64, 128, 256, 512], "sr_ratios": [8, 4, 2, 1],
                                        "mlp_ratios": [8.0, 8.0, 4.0, 4.0]}),
    "DaVit": ({}, {"depths": [1, 1, 3, 1], "embed_dims": [96, 192, 384, 768], "attn_types": ["spatial", "channel"]}),
    "Hiera": ({}, {"stages": [2, 3, 16, 3]}),
    "StarNet": ({}, {"depths": [3, 3, 12, 5]}),
    "FocalNet": ({}, {"depths": [2, 2, 6, 2], "focal_levels": [2, 2, 2, 2], "focal_windows": [3, 3, 3, 3]}),
    "VisionTransformerSAM": ({}, {"neck_chans": 256, "global_attn_indexes": []}),
    "EfficientNet": ({}, {}),
    "MobileNetV3": ({}, {}),
    "MobileNetV5": ({}, {"msfa_indices": [-2, -1]}),
    "MobileNetV5Encoder": ({}, {"msfa_indices": [-2, -1]}),
    "MaxxVit": ({"conv_attn_layer": "^(?!se$)"}, {}),
    "ResNetV2": ({}, {"widths": [256, 512, 1024, 2048]}),
    "EfficientFormer": ({}, {}),
    "NormFreeNet": ({"attn_layer": "^(?!se$|eca$)"}, {}),
    "RegNet": ({}, {}),
    "ByobNet": ({}, {}),
    "FastVit": ({}, {"downsamples": [False, True, True, True], "se_downsamples": [False] * 4, "layer_scale_init_value": 1e-5}),
    "SwinTransformerV2Cr": ({}, {"depths": [2, 2, 6, 2], "num_heads": [3, 6, 12, 24]}),
    "RepVit": ({}, {}),
    "EfficientVit": ({}, {}),
    "EfficientVitLarge": ({}, {}),
    "MetaFormer": ({}, {"norm_layers": "LayerNorm2dNoBias", "downsample_norm": "LayerNorm2dNoBias", "mlp_act": "StarReLU", "token_mixers": "Pooling",
                        "res_scale_init_values": [None, None, 1.0, 1.0]}),
    "MetaNeXt": ({}, {"depths": [3, 3, 9, 3], "dims": [96, 192, 384, 768], "mlp_ratios": [4, 4, 4, 3], "ls_init_value": 1e-6}),
    "MambaOut": ({}, {"depths": [3, 3, 9, 3], "dims": [96, 192, 384, 576]}),
    "TinyVit": ({}, {"embed_dims": [96, 192, 384, 768], "depths": [2, 2, 6, 2], "num_heads": [3, 6, 12, 24], "window_sizes": [7, 7, 14, 7]}),
    "PoolingVisionTransformer": ({}, {}),
    "VGG": ({}, {}),
    "VisionTransformerRelPos": ({"embed_layer": None}, {"init_values": 1e-6}),
    "Levit": ({"stem_backbone": None}, {}),
    "LevitDistilled": ({"stem_backbone": None}, {}),
    "VOLO": ({}, {"downsamples": [True, False, False, False], "outlook_attention": [True, False, False, False], "post_layers": ["ca", "ca"]}),
    "CrossVit": ({}, {"patch_size": [8, 16], "mlp_ratio": [2.0, 2.0, 4.0]}),
    "Twins": ({}, {"embed_dims": [64, 128, 256, 512], "depths": [3, 4, 6, 3], "sr_ratios": [8, 4, 2, 1], "mlp_ratios": [4, 4, 4, 4]}),
    "Nest": ({}, {"embed_dims": [128, 256, 512], "depths": [2, 2, 20]}),
    "ConVit": ({"hybrid_backbone": None}, {}),
    "TNT": ({}, {}),
    "CoaT": ({"crpe_window": None}, {"embed_dims": [64, 128, 320, 512], "serial_depths": [3, 4, 6, 3], "mlp_ratios": [4, 4, 4, 4]}),
    "GlobalContextVit": ({}, {"depths": [3, 4, 19, 5], "num_heads": [2, 4, 8, 16], "window_ratio": [32, 32, 16, 32]}),
    "MultiScaleVit": ({}, {"depths": [2, 3, 16, 3], "stride_q": [[1, 1], [2, 2], [2, 2], [2, 2]]}),
    "EfficientVitMsra": ({}, {"key_dim": [16, 16, 16], "window_size": [7, 7, 7], "kernels": [5, 5, 5, 5], "down_ops": [["", 1], ["subsample", 2], ["subsample", 2]]}),
    "NextViT": ({}, {"depths": [3, 4, 10, 3], "sr_ratios": [8, 4, 2, 1], "stem_chs": [64, 32, 64], "strides": [1, 2, 2, 2]}),
    "HieraDet": ({}, {"stages": [2, 3, 16, 3], "window_spec": [8, 4, 14, 7]}),
    "EfficientFormerV2": ({}, {"layer_scale_init_value": 1e-5}),
    "SwiftFormer": ({}, {"layers": [3, 3, 6, 4], "embed_dims": [48, 56, 112, 220]}),
    "SHViT": ({}, {"embed_dim": [128, 256, 384], "partial_dim": [32, 64, 96], "qk_dim": [16, 16, 16], "depth": [1, 2, 3], "types": ["s", "s", "s"]}),
    "Sequencer2d": ({}, {"layers": [4, 3, 8, 3], "patch_sizes": [7, 2, 2, 1], "embed_dims": [192, 384, 384, 384], "hidden_sizes": [48, 96, 96, 96],
                         "mlp_ratios": [3.0, 3.0, 3.0, 3.0]}),
    "NaFlexVit": ({}, {}),
    "Qwen3VitClassifier": ({}, {"mlp_ratio": 4304 / 1152}),
    "Qwen3VitEncoder": ({}, {"mlp_ratio": 4304 / 1152}),
    "EfficientViM": ({}, {}),
    "EfficientViMDistilled": ({}, {}),
    "IFormer": ({}, {"dims": [32, 64, 128, 256], "depths": [2, 2, 16, 6], "attn_groups": [0, 0, 3, 2], "attn_head_dim_reduction": [0, 0, 2, 4]}),
    "Visformer": ({}, {"init_channels": 32}),
    "EdgeNeXt": ({}, {"dims": [24, 48, 88, 168], "depths": [3, 3, 9, 3], "global_block_counts": [0, 1, 1, 1], "kernel_sizes": [3, 5, 7, 9],
                      "heads": [8, 8, 8, 8], "d2_scales": [2, 2, 3, 4], "use_pos_emb": [False, True, False, False]}),
    "RexNet": ({}, {"se_ratio": 1 / 12}),
    "SENet": ({}, {}),
    "DLA": ({}, {}),
    "VovNet": ({}, {}),
    "DPN": ({}, {"k_sec": [3, 4, 20, 3], "inc_sec": [16, 32, 24, 128]}),
    "TResNet": ({}, {}),
    "ConvMixer": ({}, {}),
    "FasterNet": ({}, {"depths": [1, 2, 8, 2]}),
    "GhostNet": ({}, {}),
    "RepGhostNet": ({}, {}),
    "HighPerfGpuNet": ({}, {"head_hidden_size": 2048}),
    "CspNext": ({}, {"depths": [3, 6, 6, 3], "channels": [128, 256, 512, 1024]}),
    "RDNet": ({}, {"block_type": ["Block"] * 2 + ["BlockESE"] * 5}),
    "XceptionAligned": ({}, {}),
    "LCNetV2": ({}, {"head_hidden_size": 1280}),
    "LowFormer": ({}, {"head_widths": [1536, 1600]}),
    "CPUBone": ({}, {"head_widths": [1536, 1600]}),
    "CSATv2": ({}, {"dims": [32, 72, 168, 386], "depths": [2, 2, 8, 6], "transformer_depths": [0, 0, 2, 2]}),
    "Gemma4VitClassifier": ({}, {}),
    "Gemma4VitEncoder": ({}, {}),
    "DeepseekVitClassifier": ({}, {}),
    "DeepseekVitEncoder": ({}, {}),
    "CspNet": ({}, {}),
    "HighResolutionNet": ({}, {}),
    "SelecSls": ({}, {}),
    "NASNetALarge": ({}, {}),
    "PNASNet5Large": ({}, {}),
    "InceptionV3": ({}, {}),
    "InceptionV4": ({}, {}),
    "InceptionResnetV2": ({}, {}),
    "Xception": ({}, {"block_reps": [2] * 3 + [3] * 8 + [2], "block_outs": [128, 256] + [728] * 9 + [1024]}),
}


# Arguments that may have one value for all stages.
STAGES = {"block": "ResNet", "token_mixers": "MetaFormer", "norm_layers": "MetaFormer"}

# Arguments that change no tensor, in every class that accepts them; then those of some classes.
FREE = re.compile(r"""drop|act_layer$|^gate_layer$|^pad_type$|^weight_init$|^fix_init$|^init_std$|^zero_init_last$|^head_init_scale$|norm_eps$
    |^jax_impl$|^dynamic_img_(size|pad)$|^strict_img_size$|^always_partition$|^memory_efficient$|^output_(fmt|stride)$|^freeze_iters$
    |^linear_out$|pool_type$|stride_mode$|padding$|^rope_(temperature|grid_offset|grid_indexing|rotate_half)$|^ref_feat_shape$|^tokens_norm$""", re.X)
FREE_IN = {"Gemma4VitClassifier": ["encoder_pool", "pooling_kernel_size", "rope_theta", "final_norm"], "Gemma4VitEncoder": ["pooling_kernel_size", "rope_theta"],
           "DeepseekVitClassifier": ["num_heads", "final_norm"], "DeepseekVitEncoder": ["num_heads"], "SENet": ["downsample_padding"],
           "DLA": ["shortcut_root"], "FasterNet": ["pconv_fw_type"], "RexNet": ["dw_act_layer"], "DPN": ["fc_act_layer"],
           "EfficientNet": ["aa_layer"], "ByobNet": ["aa_layer"], "MobileNetV3": ["aa_layer"], "MobileNetV5": ["aa_layer", "msfa_output_resolution"],
           "MobileNetV5Encoder": ["aa_layer", "msfa_output_resolution"], "DaVit": ["num_heads", "window_size", "cpe_act", "channel_attn_v2"],
           "PyramidVisionTransformerV2": ["num_heads"], "DenseNet": ["aa_layer", "aa_stem_only"], "Cait": ["init_values"], "Xcit": ["img_size", "eta"],
           "EfficientFormer": ["img_size", "pool_size"], "Hiera": ["num_heads", "head_mul", "mask_unit_attn"], "ResNetV2": ["avg_down"],
           "FastVit": ["down_stride", "lkc_use_act"], "PoolingVisionTransformer": ["stem_type"], "VisionTransformer": ["pool_include_prefix"],
           "VisionTransformerDistilled": ["pool_include_prefix"], "NormFreeNet": ["alpha", "attn_gain", "gamma_in_act", "std_conv_eps", "zero_init_fc"],
           "Eva": ["attn_pool_num_heads", "rope_jitter_coords", "rope_rescale_coords", "rope_shift_coords"], "FocalNet": ["normalize_modulator"],
           "MlpMixer": ["nlhb"], "SwinTransformerV2": ["pretrained_window_sizes"], "TinyVit": ["use_checkpoint"],
           "Levit": ["down_op"], "LevitDistilled": ["down_op"], "VOLO": ["use_mix_token"], "CrossVit": ["num_heads", "crop_scale"], "Twins": ["num_heads"],
           "Nest": ["num_heads"], "ConVit": ["locality_strength"], "TNT": ["num_heads_inner", "num_heads_outer"], "Sequencer2d": ["nlhb"],
           "HieraDet": ["num_heads", "head_mul", "q_pool", "q_stride", "patch_stride", "global_att_blocks"], "SwiftFormer": ["down_stride", "down_pad", "layer_scale_init_value"],
           "NaFlexVit": ["pos_embed_interp_mode", "pos_embed_ar_preserving", "pos_embed_antialias", "pos_embed_align_corners", "pos_embed_use_grid_sample"],
           "Qwen3VitClassifier": ["num_heads", "final_norm"], "Qwen3VitEncoder": ["num_heads"], "Visformer": ["conv_init"], "MaxxVit": ["conv_pre_norm_act", "transformer_head_first"], "SwinTransformerV2Cr": ["init_values", "sequential_attn", "window_size", "window_ratio"]}
# Arguments that a class passes on to its parts and that its spec reads.
PARTS = {"NaFlexVit": ["fc_norm", "init_values"], "VovNet": "stem_chs stage_conv_chs stage_out_chs block_per_stage layer_per_block residual depthwise attn stem_stride".split(), "MetaFormer": "head_dim num_heads qkv_bias proj_bias expansion_ratio kernel_size padding bias pool_size".split()}
# Classes that accept img_size but have no tensor that depends on it; then architectures of ByobNet that have
# one.
UNSIZED = """ByobNet CoaT DeepseekVitClassifier DeepseekVitEncoder Gemma4VitClassifier Gemma4VitEncoder NaFlexVit Qwen3VitClassifier
Qwen3VitEncoder RepVit Sequencer2d SwiftFormer SwinTransformerV2Cr Twins VisionTransformerRelPos""".split()
SIZED = re.compile("bot(net|next)|lambda_.*rpt|_clip(?!_gap)")
# Passed to all, whether they accept them or not.
ALWAYS = ("num_classes", "in_chans", "global_pool")


# ---- facts ------------------------------------------------------------------------------------

def plain(v):
    """An argument as JSON, with classes and functions by name."""
    import dataclasses, functools
    if isinstance(v, (str, int, float, bool)) or v is None: return v
    if dataclasses.is_dataclass(v) and not isinstance(v, type): return {f.name: plain(getattr(v, f.name)) for f in dataclasses.fields(v)}
    if hasattr(v, "_asdict"): return {k: plain(x) for k, x in v._asdict().items()}
    if isinstance(v, dict): return {str(k): plain(x) for k, x in v.items()}
    if isinstance(v, (list, tuple)): return [plain(x) for x in v]
    if isinstance(v, functools.partial): return {"fn": plain(v.func), **{k: plain(x) for k, x in v.keywords.items()}}
    return getattr(v, "__name__", type(v).__name__)


def watched(record):
    """timm.models with a hook in its builder: the arguments of each architecture go to `record`."""
    import importlib, pkgutil
    import timm.models
    from timm.models import _builder
    build = _builder.build_model_with_cfg

    def watch(model_cls, variant, pretrained, model_cfg=None, **kwargs):
        own = ("pretrained_cfg", "pretrained_cfg_overlay", "feature_cfg", "pretrained_strict", "pretrained_filter_fn", "cache_dir",
               "kwargs_filter", "device", "dtype")
        record.update(cls=model_cls.__name__, cfg=plain(model_cfg), kwargs={k: plain(v) for k, v in kwargs.items() if k not in own})
        return build(model_cls, variant, pretrained, model_cfg=model_cfg, **kwargs)

    for m in pkgutil.iter_modules(timm.models.__path__):
        module = importlib.import_module("timm.models." + m.name)
        if getattr(module, "build_model_with_cfg", None) is build: module.build_model_with_cfg = watch


def tensors(name, **kwargs):
    """(parameters, buffers, model) as built on the meta device."""
    import timm, torch
    with torch.device("meta"): model = timm.create_model(name, pretrained=False, **kwargs)
    stored, own = model.state_dict(), dict(model.named_parameters())
    return ([[k, list(v.shape)] for k, v in stored.items() if k in own],
            [[k, list(v.shape)] for k, v in stored.items() if k not in own], model)


class Sources:
    """The arguments that timm's model classes accept, read from their sources: their signatures hide them
    behind **kwargs."""

    def __init__(self, folder):
        self.classes, self.modules = {}, {}
        for path in glob.glob(os.path.join(folder, "*.py")):
            body = ast.parse(open(path).read()).body
            for node in body:
                if isinstance(node, ast.ClassDef): self.classes[node.name] = (node, body)

    def fields(self, name):
        """Fields of a configuration; those of its parts begin with `conv_` and `transformer_`."""
        for x in self.classes[name][0].body if name in self.classes else ():
            if not isinstance(x, ast.AnnAssign): continue
            part = ast.unparse(x.annotation)
            if x.target.id.endswith("_cfg") and part in self.classes:
                yield from (x.target.id[:-3] + inner for inner in self.fields(part))
            else: yield x.target.id

    def of_class(self, name):
        node, body = self.classes[name]
        inits = [x.args for x in node.body if isinstance(x, ast.FunctionDef) and x.name == "__init__"]
        for a in inits:
            yield from (x.arg for x in a.args + a.kwonlyargs)
            for x in a.args:
                if x.arg == "cfg" and x.annotation: yield from self.fields(ast.unparse(x.annotation))
        for base in node.bases:
            if (not inits or inits[0].kwarg) and ast.unparse(base) in self.classes: yield from self.of_class(ast.unparse(base))
        for x in body:  # functions that build it and pass on the rest
            if isinstance(x, ast.FunctionDef) and x.name.startswith("_gen_"): yield from (a.arg for a in x.args.args)

    def defaults(self, name):
        """{argument: its default}, for plain values."""
        node, _ = self.classes[name]
        out = {}
        for base in node.bases:
            if ast.unparse(base) in self.classes: out.update(self.defaults(ast.unparse(base)))
        for a in (x.args for x in node.body if isinstance(x, ast.FunctionDef) and x.name == "__init__"):
            for x, value in [*zip(a.args[len(a.args) - len(a.defaults):], a.defaults), *zip(a.kwonlyargs, a.kw_defaults)]:
                if isinstance(value, (ast.Constant, ast.Tuple, ast.List)) and all(isinstance(c, (ast.Constant, ast.Tuple, ast.List, ast.Load)) for c in ast.walk(value)):
                    out[x.arg] = ast.literal_eval(value)
        return out

    def takes(self, name):
        hidden = ("self", "cfg", "variant", "pretrained", "device", "dtype", "block_args" if name in ("EfficientNet", "MobileNetV3", "MobileNetV5", "MobileNetV5Encoder") else "")
        return sorted(set(self.of_class(name)) - set(hidden))


def facts(out):
    import timm, torch.nn.init
    sources = Sources(os.path.join(os.path.dirname(timm.__file__), "models"))
    for k in dir(torch.nn.init):
        if k.endswith("_") and k[0] != "_": setattr(torch.nn.init, k, lambda t, *a, **k: t)
    record = {}
    watched(record)
    for name in timm.list_models():
        record.clear()
        params, buffers, model = tensors(name)
        fact = {"name": name, **record, "takes": sources.takes(record["cls"]), "defaults": sources.defaults(record["cls"]), "params": params, "buffers": buffers, "pretrained": plain(dict(model.pretrained_cfg.items()))}
        for key, kwargs in (("other", {"num_classes": CLASSES, "in_chans": CHANNELS}), ("bare", {"num_classes": 0})):
            try: fact[key] = tensors(name, **kwargs)[:2]
            except Exception: fact[key] = None  # an encoder without a head, or one that accepts three channels only
        out.write(json.dumps(fact) + "\n")


# ---- the table -----------------------------------------------------------------------------------

def sizes(fact):
    """{tensor: dims}: -1 is the number of classes, -1-k is k times the number of channels."""
    own = [dict(map(tuple_of, fact[k])) for k in ("params", "buffers")]
    other = [dict(map(tuple_of, x)) for x in fact["other"]] if fact["other"] else own
    chans = ((fact["pretrained"] or {}).get("input_size") or [3])[0]
    out = collections.OrderedDict()
    for at in (0, 1):
        for name in list(other[at]) + [n for n in own[at] if n not in other[at]]:
            now, then = own[at].get(name), other[at].get(name)
            if now is None: now = then
            if then is None: then = now
            dims = tuple(-1 if b == CLASSES and (a != b or name not in own[at]) else
                         -1 - a // chans if a != b and a % chans == 0 and a // chans * CHANNELS == b else a
                         for a, b in zip(now, then))
            out[name] = dims
    return out


def tuple_of(item): return item[0], tuple(item[1])


# Ignored by formula/timm.c: heads, and buffers that some files lack.
HEADS = "head heads head_dist heads_dist fc classifier classif last_linear aux_head".split()
NOT_ALL = "num_batches_tracked relative_position_index attn_mask k_bias relative_coords_table".split()


def identity(fact):
    """The sum, over all other tensors, of a hash of the name, the rank, the first size, and the last size of
    a kernel."""
    total = 0
    for name, dims in map(tuple_of, fact["params"] + fact["buffers"]):
        if name.split(".")[0] in HEADS or name.split(".")[-1] in NOT_ALL: continue
        h = 0x811C9DC5
        for x in [*name.encode(), len(dims), *dims[:1], *(dims[-1:] if len(dims) > 2 else ())]: h = (h ^ x) * 0x01000193 & 0xFFFFFFFF
        total = total + h & 0xFFFFFFFF
    return "%08x" % total


def told_by(fact):
    """The words `head` and `conv`."""
    known, out = sizes(fact), []
    for word, key, axis, value in (("head", "classifier", 0, -1), ("conv", "first_conv", 1, -2)):
        module = fact["pretrained"].get(key)
        if isinstance(module, (list, tuple)): module = module[0] if module else None
        dims = known.get("%s.weight" % module, ())
        if len(dims) > axis and dims[axis] == value: out.append("%s=%s" % (word, short(module)))
    return out


def short(value): return json.dumps(value, separators=(",", ":"))


def all_given(fact):
    """The arguments of its function, which override those of its configuration, if its class has named ones."""
    given = {**(fact["cfg"] if isinstance(fact["cfg"], dict) else {"cfg": fact["cfg"]} if fact["cls"] == "VGG" else {}), **fact["kwargs"]}
    if fact["cls"] == "NaFlexVit": given.update({k: v for k, v in given.pop("cfg").items() if v is not None})
    for part in ("conv", "transformer"):  # MaxxVit's arguments name the part that they belong to
        if isinstance(given.get(part + "_cfg"), dict): given.update({part + "_" + k: v for k, v in given.pop(part + "_cfg").items()})
    return given


def has_spec(fact):
    """True if a spec covers it."""
    without = SPECS[fact["cls"]][0] if fact["cls"] in SPECS else {}
    given = all_given(fact)
    odd = any(given.get(k) is not None and (v is None or re.search(v, str(given[k]))) for k, v in without.items())
    return fact["cls"] in SPECS and not odd


# The words of an EfficientNet block, and the values that they have if omitted.
WORDS = {"block_type": ("t", ""), "out_chs": ("c", 0), "dw_kernel_size": ("k", 1), "dw_kernel_size_mid": ("k", 0), "kernel_size": ("k", 1),
         "exp_kernel_size": ("a", 1), "dw_kernel_size_start": ("a", 0), "pw_kernel_size": ("p", 1), "dw_kernel_size_end": ("p", 0),
         "exp_ratio": ("e", 1), "se_ratio": ("q", 0), "group_size": ("g", None), "force_in_chs": ("f", 0), "num_heads": ("h", 0),
         "key_dim": ("d", 0), "kv_stride": ("v", 1), "num_experts": ("x", 0)}


def blocks_of_stage(stage):
    """The blocks of an EfficientNet stage; equal neighbours are counted."""
    out = []
    for block in stage:
        words = {**WORDS, "exp_kernel_size": ("k", 1)} if block["block_type"] == "er" else WORDS
        short_one = {words[k][0]: v for k, v in block.items() if k in words and v != words[k][1]}
        if out and {k: v for k, v in out[-1].items() if k != "n"} == short_one: out[-1]["n"] = out[-1].get("n", 1) + 1
        else: out.append(short_one)
    return out


def brought(stage):
    """The blocks of a ByobNet stage, without the values that they leave to the model."""
    whole = lambda v: int(v) if isinstance(v, float) and v == int(v) else v
    return [{k: whole(v) for k, v in block.items() if v is not None} for block in (stage if isinstance(stage, list) else [stage])]


def irregular(fact):
    """True if its arguments do not give the sizes of its blocks: pruned models, and those that move places
    into channels."""
    given = all_given(fact)
    return bool(given.get("pruned") or "'s2d': True" in str(given.get("block_args")))


def block_sizes(fact):
    """{argument: list of stages} for the blocks of such a network, in the style of EfficientNet or ResNet."""
    known, found = dict(map(tuple_of, fact["params"])), collections.OrderedDict()
    for name, dims in known.items():
        m = re.match(r"(?:blocks\.|layer)(\d+)\.(\d+)\.(\w+)(?:\.conv_reduce)?\.weight", name)
        if m: found.setdefault(m[1], collections.OrderedDict()).setdefault(m[2], {}).setdefault(m[3], dims)
    each = lambda see: [[see(block) for block in stage.values()] for stage in found.values()]
    if fact["cls"] == "ResNet":
        return {"kept_mids": each(lambda b: [b["conv1"][0], b["conv2"][0]]), "kept_outs": [stage[0] for stage in each(lambda b: b["conv3"][0])]}
    first, last = lambda b: b.get("conv_exp") or b["conv_dw"], lambda b: b.get("conv_pwl") or b["conv_pw"]
    return {"block_kinds": each(lambda b: "er" if "conv_exp" in b else "ir" if "conv_pwl" in b else "ds"), "block_chs": each(lambda b: last(b)[0]),
            "block_mids": each(lambda b: first(b)[0]), "block_kernels": each(lambda b: first(b)[2]), "block_squeezed": each(lambda b: b["se"][0] if "se" in b else 0),
            "s2d": "blocks.0.0.conv_s2d.weight" in known}


def percent(function): return round(100 * function.get("round_limit", 0.9)) if isinstance(function, dict) else 90


def decoded(name, given):
    """The arguments that EfficientNet's functions compute before they call the class, as data."""
    multiply, squeeze = given.pop("round_chs_fn", None) or {}, given.pop("se_layer", None)
    given["block_args"] = [blocks_of_stage(stage) for stage in given["block_args"]]
    given["channel_multiplier"], given["channel_divisor"] = multiply.get("multiplier", 1.0), multiply.get("divisor", 8)
    given["channel_limit"] = percent(multiply)
    given["se_round"] = percent(squeeze["rd_round_fn"]) if isinstance(squeeze, dict) and "rd_round_fn" in squeeze else None
    given["se_scaled"] = isinstance(squeeze, dict) and "multiplier" in str(squeeze.get("rd_round_fn"))
    if not re.search("GroupNorm|LayerNorm|EvoNorm", str(given.get("norm_layer"))): given.pop("norm_layer", None)
    if squeeze == "gc": given["se_layer"] = squeeze
    if given["channel_multiplier"] == 1 and re.search("efficientnetv2_(s|rw_s|b0)$|test_efficientnet(_[a-z]+)?$|efficientnet_b0(_g8)?_gn$", name): given["head_scaled"] = True
    return {k: v for k, v in given.items() if k not in ("act_layer", "features_only", "pad_type")}


def csp_stages(given):
    """CspNet's stem and stages, one argument each: a list only if stages differ, none if it is timm's
    default."""
    stem, stages = given["stem"], dict(given["stages"])
    chs, lists = stem["out_chs"], {k: stages.pop(k) for k in ("depth", "out_chs")}
    stages["rd_ratio"] = [(x or {}).get("rd_ratio", 0.0625) for x in stages.pop("attn_kwargs")]
    usual = {"stride": 2, "groups": 1, "block_ratio": 1.0, "bottle_ratio": 1.0, "expand_ratio": 1.0, "rd_ratio": 0.0625}
    alike = {k: v[0] if len(set(v)) == 1 else v for k, v in stages.items() if k != "cross_linear"}
    return {"stem_chs": chs if isinstance(chs, list) else [chs], "stem_kernel_size": stem["kernel_size"], "norm_layer": given["norm_layer"], **lists,
            **{k: v for k, v in alike.items() if v and v != usual.get(k)}}


def hr_stages(given):
    """HRNet's stages: each has one branch more than the one before, with twice its channels and as many
    blocks as the others."""
    stages = [given.pop("stage%d" % i) for i in range(1, 5)]
    width = stages[1]["num_channels"][0]
    for i, x in enumerate(stages):
        assert len(set(x["num_blocks"])) == 1 and x["block_type"] == ("BASIC" if i else "BOTTLENECK") and (i or x["num_modules"] == 1)
        assert not i or x["num_channels"] == [width << k for k in range(i + 1)]
    given.pop("features_only", None)
    return {**given, "stage1_width": stages[0]["num_channels"][0], "width": width, "num_modules": [x["num_modules"] for x in stages[1:]],
            "num_blocks": [x["num_blocks"][0] for x in stages]}


def sls_blocks(given):
    """SelecSls's blocks and what follows them: a list for each size that does not follow from earlier ones."""
    blocks, heads = list(zip(*given["features"])), list(zip(*given["head"]))
    return {"skip_chs": blocks[1], "mid_chs": blocks[2], "out_chs": blocks[3], "head_chs": heads[1], "head_kernels": heads[2]}


# Flattens the configuration of a class that is made of parts.
FLAT = {"CspNet": csp_stages, "HighResolutionNet": hr_stages, "SelecSls": sls_blocks}


def arguments(fact):
    """The arguments of the constructor; functions by name, as their other arguments are never sizes."""
    given, out = all_given(fact), dict(SPECS[fact["cls"]][1])
    if fact["cls"] in FLAT: given = FLAT[fact["cls"]](given)
    if irregular(fact): out.update(block_sizes(fact))
    given.pop("pruned", None)
    if "blocks" in given and fact["cls"] == "ByobNet":
        given["blocks"] = [brought(stage) for stage in given["blocks"]]
        if "r" in given["self_attn_kwargs"]: given["self_attn_kwargs"]["r"] = given["self_attn_kwargs"]["r"] or 0  # none: positions instead
    for k, v in (decoded(fact["name"], given) if "block_args" in given and isinstance(given["block_args"], list) else given).items():
        if isinstance(v, dict) and "fn" in v and k != "token_mixers": v = v["fn"]
        if v == "norm_act_fn": v = "EvoNorm2dS0"  # a function in ese_vovnet39b_evos that makes one
        if isinstance(v, dict) and isinstance(v.get("attn_layer"), dict):
            v = {**v, "attn_layer": "se", "rd_ratio": v["attn_layer"]["rd_ratio"]}
        if (k != "token_mixers" or v != "InceptionDWConv2d") and not (k == "block_args" and "block_kinds" in out): out[k] = v
    return sorted((k, [v] * 4 if STAGES.get(k) == fact["cls"] and not isinstance(v, list) else v) for k, v in out.items())


BEFORE = "patch_embed.backbone."


def network_before(fact):
    """The words about the network before the patches, if an architecture has one: its kind, the number of blocks
    in each stage, its channels if they vary, the factor by which it reduces the image, and its last channels if
    they are projected."""
    known = {name[len(BEFORE):]: dims for name, dims in sizes(fact).items() if name.startswith(BEFORE)}
    if fact["cls"] != "VisionTransformer" or not known: return []
    kind = "ConvStem" if "0.conv.weight" in known else "ResNet" if "conv1.0.weight" in known else "MbConvStages" if "pool.proj.weight" in known else "ResNetV2"
    blocks = sorted({tuple(map(int, m.groups())) for m in (re.match(r"(?:stages\.|layer)(\d+)\.(?:blocks\.)?(\d+)\.", name) for name in known) if m})
    depths = list(collections.Counter(stage for stage, _ in blocks).values())
    out = {"network": kind}
    if kind != "ConvStem": out["network_depths"] = depths
    if kind == "ConvStem": out["network_dims"] = [known["%d.conv.weight" % i][0] for i in range(3)]
    if kind == "MbConvStages": out["network_dims"] = [known["stages.%d.0.conv3_1x1.weight" % i][0] for i in range(len(depths))] + [known["pool.proj.weight"][0]]
    out["reduction"] = 2 << max(1, len(depths)) if kind.startswith("ResNet") else 16
    projected = sizes(fact).get("patch_embed.proj.weight")
    if projected: out["feature"] = projected[1]
    own = lambda listed: [x for x in listed if x[0].startswith(BEFORE)]
    out["before"] = identity({k: own(fact[k]) for k in ("params", "buffers")})
    return ["%s=%s" % (k, short(v)) for k, v in out.items()]


def reads(path):
    """The keys that a spec and its blocks read."""
    text, found = open(path).read(), set()
    for block in re.findall(r"^\s*use (\w+)$", text, re.M):
        found |= reads(glob.glob(os.path.join(DATA, "blocks/*/%s.spec" % block))[0])
    for keys in re.findall(r"cfg\(([^()]*)\)", text): found |= set(re.findall(r'"(\w+)"', keys))
    return found


def read_of_class():
    """{class: the keys that its spec reads}"""
    out = {}
    for path in glob.glob(os.path.join(DATA, "specs/timm/*.spec")):
        for line in re.findall(r"^match hf timm in (.*)$", open(path).read(), re.M):
            for cls in line.split(): out[cls] = reads(path)
    return out


def taken(fact, read):
    known = {k for k in fact["takes"] + list(all_given(fact) if fact["cls"] == "NaFlexVit" else ()) if k in read or FREE.search(k)}.union(FREE_IN.get(fact["cls"], ()), PARTS.get(fact["cls"], ()))
    if fact["cls"] in UNSIZED and not SIZED.search(fact["name"]): known.add("img_size")
    return ",".join(sorted(known.difference(ALWAYS)))


# Words of a line that are not arguments.
OWN = ("id", "before", "timm", "input", "classes", "fixed", "head", "conv", "img_size", "features_only")


def silent(facts_of_class):
    """The arguments that no architecture of a class passes, with their defaults: a configuration may repeat
    them."""
    given = set().union(*map(all_given, facts_of_class))
    known = {k: short(v) for k, v in facts_of_class[0]["defaults"].items() if v is not None and k not in given and k not in ALWAYS and k not in OWN}
    return ["%s=%s" % (k, v) for k, v in sorted(known.items()) if " " not in v]


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "facts":
        with open(sys.argv[2], "w") as out: return facts(out)
    lines, read, takes, of_class = [], read_of_class(), {}, {}
    for text in open(sys.argv[2]):
        fact = json.loads(text)
        assert has_spec(fact), "%s: no spec reads it" % fact["name"]
        of_class.setdefault(fact["cls"], []).append(fact)
        words = ['id="%s"' % identity(fact)]
        if tuple(fact["pretrained"].get("input_size") or (3, 224, 224)) != (3, 224, 224):
            words.append("input=" + short(fact["pretrained"]["input_size"]))
        if fact["pretrained"].get("num_classes") != 1000: words.append("classes=" + short(fact["pretrained"].get("num_classes") or 0))
        words.append("timm=" + short(fact["cls"]))
        words += ["%s=%s" % (k, short(v)) for k, v in arguments(fact)]
        if fact["pretrained"].get("fixed_input_size"): words.append("fixed=true")
        part = "timm." + fact["cls"] + ("_blocks" if irregular(fact) else "")
        takes[part] = fact["cls"], taken(fact, () if irregular(fact) else read[fact["cls"]])
        words += network_before(fact) + ["T>" + part]
        assert not any(" " in w for w in words), words
        lines.append(" ".join([fact["name"], fact["cls"]] + words + told_by(fact)))
    silent_beside = lambda name: [w for w in silent(of_class[takes[name][0]]) if w.split("=")[0] not in takes[name][1].split(",")]
    lines += [" ".join([name, cls, "takes=" + short(names)] + silent_beside(name)) for name, (cls, names) in takes.items()]
    print("# ARCHITECTURE CLASS key=JSON...")
    print("# Made by mktimm.py from the architectures of timm.")
    for line in sorted(lines): print(line)


if __name__ == "__main__": main()

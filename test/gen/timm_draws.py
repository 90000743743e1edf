#!/usr/bin/env python3
"""timm_draws.py [-n COUNT] [-s SEED] [CLASS...] -- rows for `timm_cases.py -x`: timm's architectures with other arguments.

COUNT draws for each architecture of src/data/classes/timm.table (or of the named classes): one to three of the arguments that change sizes,
from the tables below, with timm's own names. timm_cases.py reports and omits what cannot be built.
"""
import json, os, random, sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/data/import"))
import tables

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/data/classes/timm.table")
SHORT = [[1, 1, 2, 1], [1, 2, 1, 1], [2, 1, 1, 1], [2, 2, 2, 2], [1, 1, 1, 3]]
FLAG, POOLS = [True, False], ["avg", "max", "catavgmax", ""]
HEADS = [{"embed_dim": e, "num_heads": h} for e, h in ((96, 3), (192, 4), (256, 8), (144, 6), (384, 6))]
SIZES = [96, 160, 320, [128, 192], 448]

# Arguments that any model accepts; those of a class: a name and its values, or a list of arguments that only go together.
ALL = {"num_classes": [0, 5, 10, 100], "in_chans": [1, 4], "drop_rate": [0.2], "drop_path_rate": [0.1]}
TOKENS = {"depth": [1, 2, 5], "": HEADS, "mlp_ratio": [2, 3, 3.5], "qkv_bias": FLAG, "img_size": SIZES, "patch_size": [8, 16, 32, [16, 8]],
          "init_values": [0.1, 1e-5]}
STAGES = {"global_pool": POOLS}
CLASSES = {
    "VisionTransformer": {**TOKENS, "reg_tokens": [1, 4], "class_token": [True, False], "global_pool": ["avg", "token", "map", "max", "avgmax", ""],
                          "qk_norm": FLAG, "pre_norm": FLAG, "final_norm": FLAG, "fc_norm": FLAG, "no_embed_class": FLAG, "proj_bias": FLAG,
                          "pos_embed": ["none", "learn"], "scale_attn_norm": FLAG, "scale_mlp_norm": FLAG, "dynamic_img_size": FLAG,
                          "norm_layer": ["rmsnorm", "layernorm"], "act_layer": ["relu", "gelu"]},
    "Eva": {**TOKENS, "num_reg_tokens": [1, 4], "class_token": FLAG, "global_pool": ["avg", "token", "map", ""], "qk_norm": FLAG,
            "swiglu_mlp": FLAG, "scale_mlp": FLAG, "scale_attn_inner": FLAG, "qkv_fused": FLAG, "use_abs_pos_emb": FLAG,
            "use_rot_pos_emb": FLAG, "use_post_norm": FLAG, "use_pre_transformer_norm": FLAG, "use_post_transformer_norm": FLAG,
            "use_fc_norm": FLAG, "no_embed_class": FLAG, "swiglu_align_to": [8, 64], "rope_type": ["cat", "mixed", "dinov3"],
            "attn_type": ["eva", "rope"], "dynamic_img_size": FLAG},
    "Beit": {**TOKENS, "global_pool": ["avg", "token", "max", ""], "swiglu_mlp": FLAG, "scale_mlp": FLAG, "use_abs_pos_emb": FLAG,
             "use_rel_pos_bias": FLAG, "use_shared_rel_pos_bias": FLAG, "use_fc_norm": FLAG},
    "ResNet": {**STAGES, "layers": SHORT, "channels": [[32, 64, 128, 256], [48, 96, 160, 320]], "stem_width": [16, 24, 48],
               "stem_type": ["", "deep", "deep_tiered"], "cardinality": [1, 2, 4], "base_width": [32, 64, 128], "avg_down": FLAG,
               "replace_stem_pool": FLAG, "block_reduce_first": [1, 2], "down_kernel_size": [1, 3], "output_stride": [8, 16, 32],
               "block_args": [{"attn_layer": "se"}, {"attn_layer": "eca"}], "act_layer": ["silu"], "aa_layer": ["avg", "blurpc"]},
    "ConvNeXt": {**STAGES, "depths": SHORT, "dims": [[24, 48, 96, 192], [40, 64, 120, 200]], "patch_size": [2, 4, 8], "kernel_sizes": [3, 7, [7, 5, 5, 3]],
                 "stem_type": ["patch", "overlap", "overlap_tiered", "overlap_act"], "conv_mlp": FLAG, "conv_bias": FLAG, "use_grn": FLAG,
                 "ls_init_value": [0.1], "head_hidden_size": [48], "head_norm_first": FLAG, "head_init_scale": [0.5], "output_stride": [8, 16]},
    "SwinTransformer": {**STAGES, "depths": SHORT, "embed_dim": [48, 96, 192], "num_heads": [[2, 4, 8, 16], [3, 3, 6, 12]], "mlp_ratio": [2, 3.5],
                        "window_size": [5, 8, [7, 14]], "img_size": [96, 128, [160, 224], 384], "patch_size": [2, 4], "qkv_bias": FLAG,
                        "always_partition": FLAG, "strict_img_size": FLAG, "head_dim": [16]},
    "DenseNet": {**STAGES, "growth_rate": [8, 16, 24], "block_config": [[2, 3, 4, 2], [1, 2, 3], [3, 3, 3, 3]], "bn_size": [2, 3],
                 "stem_type": ["", "deep", "deep_tiered"], "aa_layer": ["avg", "blurpc"], "memory_efficient": FLAG},
    "Cait": {**TOKENS, "depth_token_only": [1, 3], "mlp_ratio_token_only": [2, 3], "global_pool": ["token", "avg", ""]},
    "Xcit": {**TOKENS, "cls_attn_layers": [1, 3], "eta": [0.1], "use_pos_embed": FLAG, "tokens_norm": FLAG, "global_pool": ["token", "avg", ""]},
    "MlpMixer": {"num_blocks": [1, 2, 5], "embed_dim": [96, 200], "mlp_ratio": [[1, 2], [0.5, 3.0], 2], "img_size": SIZES, "patch_size": [8, 32],
                 "global_pool": ["avg", ""], "stem_norm": FLAG},
    "PyramidVisionTransformerV2": {"depths": SHORT, "embed_dims": [[16, 32, 64, 128], [24, 48, 120, 160]], "num_heads": [[1, 2, 4, 8]],
                                   "sr_ratios": [[4, 2, 1, 1]], "mlp_ratios": [[2, 2, 3, 4]], "qkv_bias": FLAG, "linear": FLAG, "global_pool": ["avg", ""]},
    "DaVit": {**STAGES, "depths": SHORT, "embed_dims": [[24, 48, 96, 192]], "num_heads": [[2, 4, 8, 8]], "window_size": [5], "mlp_ratio": [2, 3],
              "qkv_bias": FLAG, "attn_types": [["spatial"], ["channel", "spatial"]], "ffn": FLAG, "cpe_act": FLAG, "down_kernel_size": [3],
              "head_norm_first": FLAG, "named_blocks": FLAG},
    "Hiera": {"stages": [[1, 1, 2, 1], [1, 2, 2, 1]], "embed_dim": [48, 64], "num_heads": [1, 2], "mlp_ratio": [2, 3.5], "img_size": [128, 256],
              "use_expand_proj": FLAG, "init_values": [0.1], "dim_mul": [2.0], "abs_win_pos_embed": FLAG, "global_pos_size": [[8, 8]],
              "patch_kernel": [[5, 5]], "global_pool": ["avg", ""], "sep_pos_embed": FLAG},
    "StarNet": {**STAGES, "base_dim": [8, 16, 24], "depths": SHORT, "mlp_ratio": [2, 3], "output_stride": [32]},
    "FocalNet": {**STAGES, "depths": SHORT, "embed_dim": [32, 64], "focal_levels": [[3, 3, 3, 3], [1, 2, 3, 2]], "focal_windows": [[5, 5, 3, 3]],
                 "mlp_ratio": [2, 3.5], "use_overlap_down": FLAG, "use_post_norm": FLAG, "use_post_norm_in_modulation": FLAG,
                 "layerscale_value": [0.1], "head_hidden_size": [48]},
    "VisionTransformerSAM": {**TOKENS, "global_pool": POOLS, "use_abs_pos": FLAG, "use_rel_pos": FLAG, "window_size": [0, 7], "neck_chans": [0, 32],
                             "global_attn_indexes": [[0]], "qk_norm": FLAG, "pre_norm": FLAG, "class_token": FLAG},
    "EdgeNeXt": {**STAGES, "dims": [[24, 32, 64, 96], [16, 40, 80, 160]], "depths": [[2, 2, 2, 2], [1, 2, 3, 1]], "global_block_counts": [[0, 1, 1, 1], [0, 0, 1, 1]],
                 "expand_ratio": [2, 3], "conv_bias": FLAG, "stem_type": ["patch", "overlap"], "head_norm_first": FLAG, "ls_init_value": [0.1],
                 "kernel_sizes": [[3, 3, 5, 7]], "heads": [[4, 4, 4, 4]], "qkv_bias": FLAG, "downsample_block": FLAG},
    "EfficientNet": {**STAGES, "stem_size": [16, 24], "stem_kernel_size": [5], "fix_stem": FLAG, "num_features": [0, 640], "se_layer": ["ese", "eca"], "group_size": [4, 8],
                     "channel_multiplier": [0.5, 1.3], "depth_multiplier": [0.6, 1.5], "channel_divisor": [16], "aa_layer": ["avg", "blurpc"],
                     "output_stride": [8, 16], "pad_type": ["same"], "act_layer": ["relu"]},
    "RegNet": {**STAGES, "depth": [8, 12, 16], "w0": [16, 32, 64], "wa": [20.5, 36.0], "wm": [2.2, 2.6], "group_size": [8, 16, 24], "bottle_ratio": [0.5, 2.0],
               "se_ratio": [0.0, 0.25, 0.5], "stem_width": [16, 48], "downsample": ["avg", "conv1x1"], "linear_out": FLAG, "preact": FLAG,
               "num_features": [0, 320], "output_stride": [8, 16], "act_layer": ["silu"]},
    "ResNetV2": {**STAGES, "layers": SHORT, "channels": [[64, 128, 256, 512], [96, 192, 320, 480]], "width_factor": [1, 2, 0.5], "stem_chs": [16, 48],
                 "stem_type": ["deep", "tiered", "fixed"], "avg_down": FLAG, "preact": FLAG, "basic": FLAG, "bottle_ratio": [0.25, 0.5],
                 "output_stride": [16]},
    "EfficientFormer": {"depths": SHORT, "embed_dims": [[16, 32, 64, 128], [24, 48, 96, 160]], "num_vit": [0, 1, 2, 5], "mlp_ratios": [2, 3.5]},
    "NormFreeNet": {**STAGES, "depths": SHORT, "channels": [[64, 128, 256, 512], [96, 192, 384, 512]], "stem_type": ["deep", "deep_tiered", "3x3", "7x7_pool"],
                    "stem_chs": [16, 48], "group_size": [8, 16], "attn_layer": ["se", "eca"], "width_factor": [0.5, 1.5], "bottle_ratio": [0.25, 0.5],
                    "num_features": [0, 320], "reg": FLAG, "extra_conv": FLAG, "skipinit": FLAG, "output_stride": [16]},
    "ByobNet": {**STAGES, "stem_chs": [16, 48], "width_factor": [0.5, 0.75, 1.5], "num_features": [0, 320], "stem_type": ["3x3", "7x7", "deep", "quad", "one"],
                "attn_layer": ["se", "eca"], "img_size": [128, 192], "act_layer": ["silu"], "output_stride": [16], "aa_layer": ["avg"], "stem_pool": ["maxpool", ""]},
    "MaxxVit": {**STAGES, "embed_dim": [[32, 64, 96, 160], [64, 96, 128, 256]], "depths": SHORT, "img_size": [128, 256], "stem_width": [16, [16, 32]],
                "head_hidden_size": [0, 96], "expand_ratio": [2], "dim_head": [16]},
}
CLASSES.update({
    "FastVit": {**STAGES, "layers": SHORT, "embed_dims": [[24, 48, 96, 192], [32, 64, 128, 192]], "mlp_ratios": [[2, 2, 3, 3]], "cls_ratio": [1.0, 1.5], "down_patch_size": [3, 5],
                "repmixer_kernel_size": [5], "se_downsamples": [[True, False, True, True]], "stem_use_scale_branch": FLAG, "inference_mode": FLAG,
                "downsamples": [[True, True, True, True]], "layer_scale_init_value": [1e-4], "lkc_use_act": FLAG},
    "SwinTransformerV2Cr": {**STAGES, "depths": SHORT, "embed_dim": [48, 96, 192], "num_heads": [[2, 4, 8, 16], [3, 3, 6, 12]], "mlp_ratio": [2, 3.5], "img_size": [128, 256],
                            "patch_size": [2, 8], "extra_norm_period": [1, 2], "extra_norm_stage": FLAG, "sequential_attn": FLAG, "window_size": [4]},
    "RepVit": {"embed_dim": [[24, 48, 96, 160], [32, 64, 120, 200]], "mlp_ratio": [1, 3], "kernel_size": [5, 7], "distillation": FLAG, "img_size": [128]},
    "EfficientVit": {"expand_ratio": [2, 3, 6], "head_dim": [8, 16, 32]},
    "EfficientVitLarge": {"head_dim": [16, 64]},
    "MetaFormer": {"mlp_bias": [True], "use_mlp_head": [False], "head_dim": [16, 64], "qkv_bias": [True], "expansion_ratio": [1.5, 3], "layer_scale_init_values": [0.1],
                   "res_scale_init_values": [None, 1.0]},
    "MetaNeXt": {"depths": SHORT, "dims": [[24, 48, 96, 192], [40, 64, 120, 200]], "mlp_ratios": [3, [2, 3, 4, 3]], "global_pool": ["avg", "max", "catavgmax"], "output_stride": [16]},
    "MambaOut": {"depths": SHORT, "dims": [[24, 48, 96, 192], [48, 64, 120, 200]], "conv_ratio": [0.5, 1.5], "expansion_ratio": [2, 2.5], "kernel_size": [3, 5],
                 "stem_mid_norm": FLAG, "ls_init_value": [0.1], "downsample": ["conv_nf", "conv"], "head_fn": ["norm_mlp", "default"]},
    "TinyVit": {**STAGES, "depths": SHORT, "embed_dims": [[48, 96, 192, 240]], "mlp_ratio": [2, 3.5], "window_sizes": [[7, 5, 8, 4]], "mbconv_expand_ratio": [2, 3], "local_conv_size": [5]},
    "PoolingVisionTransformer": {"base_dims": [[24, 24, 24], [32, 48, 64]], "depth": [[1, 2, 1], [2, 1, 3]], "mlp_ratio": [2, 3], "patch_size": [8, 14], "stride": [7, 10],
                                 "img_size": [160, 256, [128, 192]], "distilled": FLAG},
    "VGG": {**STAGES, "mlp_ratio": [0.5, 0.25, 2]},
})
CLASSES.update({
    "RexNet": {**STAGES, "width_mult": [0.75, 1.2, 2.2], "depth_mult": [0.7, 1.5, 2.0], "initial_chs": [12, 24], "final_chs": [120, 200], "se_ratio": [0.0, 0.1, 0.25],
               "ch_div": [4, 8], "output_stride": [16]},
    "SENet": {"layers": SHORT, "reduction": [8, 16, 32], "inplanes": [32, 64, 96], "input_3x3": FLAG, "downsample_kernel_size": [1, 3], "groups": [1, 16],
              "global_pool": ["avg", "max", "catavgmax"]},
    "DLA": {"levels": [[1, 1, 1, 1, 2, 1], [2, 1, 1, 2, 1, 3], [1, 3, 2, 4, 2, 1]], "channels": [[16, 32, 64, 96, 160, 256], [8, 24, 128, 128, 256, 512]], "cardinality": [1, 2, 4],
            "base_width": [4, 32, 64], "shortcut_root": FLAG, "global_pool": ["avg", "max", "catavgmax"]},
    "VovNet": {**STAGES, "stem_chs": [[16, 24, 48], [32, 32, 64]], "stage_conv_chs": [[32, 48, 64, 80], [64, 80, 96, 112]], "stage_out_chs": [[64, 96, 160, 256]],
               "layer_per_block": [2, 4], "block_per_stage": [[1, 2, 1, 3], [2, 1, 1, 1]], "residual": FLAG, "depthwise": FLAG, "attn": ["", "ese", "eca", "se"]},
    "DPN": {"k_sec": [[1, 2, 1, 1], [2, 1, 3, 2]], "inc_sec": [[8, 16, 24, 32], [16, 16, 24, 64]], "k_r": [64, 128, 192], "groups": [16, 32], "small": FLAG, "b": FLAG,
            "num_init_features": [16, 48], "global_pool": ["avg", "max", "catavgmax"]},
    "TResNet": {**STAGES, "layers": SHORT, "width_factor": [0.5, 1.1, 1.3], "v2": FLAG},
    "ConvMixer": {"dim": [96, 256], "depth": [1, 3, 8], "kernel_size": [3, 5, 7], "patch_size": [4, 7, 16], "global_pool": ["avg", "max", "catavgmax"]},
    "GhostNet": {"width": [0.75, 1.1, 1.25, 2.0], "global_pool": ["avg", "max"], "num_classes": [10]},
    "RepGhostNet": {"width": [0.75, 1.25, 1.7], "reparam": FLAG, "global_pool": ["avg", "max"]},
    "FasterNet": {"embed_dim": [32, 40, 96], "depths": SHORT, "mlp_ratio": [1.5, 3, 4], "n_div": [2, 8], "patch_size": [2, 8], "merge_size": [3], "patch_norm": FLAG,
                  "feature_dim": [320, 640], "layer_scale_init_value": [0.1, 0.0], "global_pool": ["avg", "max"]},
})
# Transformers and hybrids of a single family.
PYRAMID = {"depths": SHORT, "embed_dims": [[16, 32, 64, 128], [24, 48, 120, 160]]}
THREE = [[1, 1, 1], [1, 2, 1], [2, 1, 3]]
CLASSES.update({
    "VisionTransformerRelPos": {**TOKENS, "global_pool": ["avg", "token", "map", ""], "qk_norm": FLAG, "class_token": FLAG, "fc_norm": FLAG, "rel_pos_type": ["mlp", "bias"],
                                "rel_pos_dim": [64], "shared_rel_pos": FLAG},
    "NaFlexVit": {**TOKENS, "reg_tokens": [0, 4], "class_token": FLAG, "qk_norm": FLAG, "pre_norm": FLAG, "fc_norm": FLAG, "final_norm": FLAG, "proj_bias": FLAG,
                  "pos_embed": ["learned", "factorized", "none"], "pos_embed_grid_size": [[12, 12], [16, 8]], "global_pool": ["avg", "map", "token"]},
    "Levit": {"img_size": [192, 256], "depth": THREE, "embed_dim": [[64, 128, 192], [96, 128, 256]], "key_dim": [16, 24], "num_heads": [[2, 3, 4], [4, 4, 4]], "attn_ratio": [1, 3],
              "mlp_ratio": [3, 4], "down_op": ["subsample", "max_pool"], "global_pool": ["avg", ""]},
    "VOLO": {"layers": [[1, 1, 2, 1], [2, 1, 1, 1]], "img_size": [128, 256, 384], "embed_dims": [[48, 96, 96, 96], [96, 192, 192, 192]], "num_heads": [[2, 4, 4, 4]],
             "mlp_ratio": [2, 4], "qkv_bias": FLAG, "stem_hidden_dim": [32], "post_layers": [["ca"]], "use_aux_head": FLAG, "global_pool": ["avg", "token", ""], "patch_size": [16]},
    "CrossVit": {"img_size": [192, 240, 320], "embed_dim": [[64, 128], [96, 192]], "depth": [[[1, 1, 0]], [[1, 2, 0], [1, 1, 0]], [[1, 3, 1]]], "num_heads": [[4, 4], [2, 8]],
                 "mlp_ratio": [[2, 2, 1], [4, 4, 4]], "multi_conv": FLAG, "qkv_bias": FLAG, "global_pool": ["avg", "token", ""], "crop_scale": FLAG},
    "CoaT": {"embed_dims": [[32, 64, 96, 128], [64, 64, 64, 64]], "serial_depths": [[1, 1, 1, 1], [2, 1, 2, 1]], "parallel_depth": [0, 1, 2], "num_heads": [4, 2], "img_size": [160, 256],
             "mlp_ratios": [[2, 2, 2, 2], [4, 3, 2, 2]], "qkv_bias": FLAG, "global_pool": ["avg", "token", ""]},
    "MultiScaleVit": {"depths": [[1, 1, 2, 1], [1, 2, 1, 1]], "embed_dim": [48, 64], "num_heads": [2], "mlp_ratio": [2, 3], "img_size": [[160, 160], [256, 256]], "qkv_bias": FLAG, "expand_attn": FLAG,
                      "use_cls_token": FLAG, "use_abs_pos": FLAG, "residual_pooling": FLAG, "rel_pos_type": ["none", "spatial"], "mode": ["conv", "conv_unshared"], "global_pool": ["avg", "token", ""]},
    "EfficientVitMsra": {"img_size": [192, 256], "embed_dim": [[48, 96, 144]], "depth": THREE, "key_dim": [[8, 8, 8]], "num_heads": [[2, 2, 4]], "window_size": [[5, 5, 5]],
                         "kernels": [[3, 3, 3, 3], [7, 5, 3, 3]], "global_pool": ["avg", ""]},
    "Nest": {"img_size": [192, 256], "num_levels": [2, 3], "embed_dims": [[48, 96, 192]], "num_heads": [[2, 4, 8]], "depths": [[1, 1, 2], [2, 1, 3]], "mlp_ratio": [2, 3.5], "qkv_bias": FLAG,
             "patch_size": [8], "global_pool": ["avg", ""]},
    "Twins": {**PYRAMID, "img_size": [192, 256], "patch_size": [8], "num_heads": [[2, 4, 8, 8]], "mlp_ratios": [[2, 2, 3, 4]], "sr_ratios": [[4, 2, 2, 1]], "wss": [[7, 7, 7, 7], [5, 5, 5, 5]], "global_pool": ["avg", ""]},
    "GlobalContextVit": {**STAGES, "depths": SHORT, "embed_dim": [32, 48], "num_heads": [[2, 4, 4, 8]], "mlp_ratio": [2, 4], "img_size": [192, 256], "qkv_bias": FLAG, "layer_scale": [1e-5, 0.1],
                         "window_size": [[7, 7, 14, 7]], "window_ratio": [[32, 32, 32, 32]]},
    "HieraDet": {**STAGES, "embed_dim": [48, 64], "num_heads": [1, 2], "stages": [[1, 1, 2, 1], [1, 2, 3, 1]], "global_pos_size": [[14, 14], [8, 10]], "window_spec": [[8, 4, 16, 8], [4, 4, 7, 7]],
                 "init_values": [0.1], "dim_mul": [2.0], "q_pool": [2], "patch_kernel": [[5, 5]], "patch_size": [[4, 4]], "global_att_blocks": [[2]]},
    "EfficientFormerV2": {**PYRAMID, "img_size": [192, 256, [160, 192]], "mlp_ratios": [2, 3], "num_vit": [0, 2, 4], "distillation": FLAG, "layer_scale_init_value": [0.1], "global_pool": ["avg", ""]},
    "EfficientViM": {"embed_dim": [[48, 96, 128]], "depths": THREE, "mlp_ratio": [2, 3], "ssd_expand": [1.5, 2], "state_dim": [[25, 16, 9]]},
    "SHViT": {"embed_dim": [[64, 96, 128]], "partial_dim": [[16, 24, 32]], "qk_dim": [[8, 8, 8]], "depth": THREE, "types": [["i", "i", "s"], ["s", "s", "s"], ["i", "s", "s"]], "global_pool": ["avg", ""]},
    "SwiftFormer": {"layers": SHORT, "embed_dims": [[24, 48, 64, 96]], "mlp_ratios": [2, 3], "down_patch_size": [5], "use_layer_scale": FLAG, "layer_scale_init_value": [0.1], "img_size": [192],
                    "global_pool": ["avg", ""], "output_stride": [32]},
    "ConVit": {**TOKENS, "local_up_to_layer": [0, 1, 2], "use_pos_embed": FLAG, "locality_strength": [0.5], "global_pool": ["token", "avg", ""]},
    "NextViT": {**STAGES, "stem_chs": [[32, 16, 32]], "depths": SHORT, "sr_ratios": [[4, 2, 2, 1]], "head_dim": [16], "mix_block_ratio": [0.5], "strides": [[1, 2, 2, 1]]},
    "Sequencer2d": {"layers": SHORT, "embed_dims": [[48, 96, 96, 96]], "hidden_sizes": [[12, 24, 24, 24]], "mlp_ratios": [[2.0, 2.0, 3.0, 3.0]], "patch_sizes": [[7, 2, 1, 1]], "img_size": [192],
                    "num_rnn_layers": [2], "bidirectional": FLAG, "union": ["add"], "with_fc": FLAG, "stem_norm": FLAG, "nlhb": FLAG, "global_pool": ["avg", ""]},
    "TNT": {**TOKENS, "inner_dim": [16, 32], "num_heads_inner": [2], "num_heads_outer": [4], "first_stride": [2], "legacy": FLAG, "global_pool": ["token", "avg", ""]},
    "Visformer": {"init_channels": [16, 24], "embed_dim": [96, 192], "depth": [[1, 2, 1], [2, 1, 1]], "num_heads": [2, 4], "mlp_ratio": [2, 3], "group": [4], "attn_stage": ["011", "111"],
                  "spatial_conv": ["111", "000"], "use_pos_embed": FLAG, "vit_stem": FLAG, "img_size": [160, 256], "patch_size": [8], "global_pool": ["avg", ""]},
    "IFormer": {**STAGES, "dims": [[24, 48, 96, 192], [16, 32, 64, 128]], "depths": [[1, 1, 2, 1], [2, 1, 3, 1]], "attn_groups": [[0, 0, 1, 1], [0, 0, 2, 1]], "attn_head_dim_reduction": [[0, 0, 1, 2]], "conv_ratio": [2], "ffn_ratio": [3],
                "attn_ratio": [2], "layer_scale_init_value": [1e-6], "distillation": FLAG},
    "HighPerfGpuNet": {"head_hidden_size": [512, 1024], "use_lab": FLAG, "global_pool": ["avg", "max"]},
    "HighResolutionNet": {"global_pool": ["avg", "max", "catavgmax"]},
    "CspNet": {**STAGES, "output_stride": [8, 16], "zero_init_last": FLAG, "act_layer": ["relu"]},
    "CspNext": {**STAGES, "depths": SHORT, "channels": [[32, 64, 96, 160], [64, 128, 256, 512]], "deepen_factor": [0.33, 0.67, 1.0], "widen_factor": [0.25, 0.5, 0.75], "expand_ratio": [0.25, 0.75],
                "channel_attention": FLAG, "output_stride": [16]},
    "RDNet": {**STAGES, "num_init_features": [32, 48, 96], "bottleneck_width_ratio": [2.0, 3.0], "transition_compression_ratio": [0.25, 0.75], "ls_init_value": [0.1], "patch_size": [2, 8],
              "stem_type": ["overlap", "overlap_tiered"], "head_norm_first": FLAG, "conv_bias": FLAG},
    "LCNetV2": {"scale": [0.5, 1.5, 2.0], "depths": SHORT, "head_hidden_size": [512, None], "inference_mode": FLAG, "global_pool": ["avg", "max"]},
    "XceptionAligned": {**STAGES, "output_stride": [8, 16], "preact": FLAG},
    "MobileNetV5": {**STAGES, "num_features": [1024], "stem_size": [16, 32], "stem_bias": FLAG, "use_msfa": FLAG, "msfa_indices": [[-1], [-3, -2, -1]], "channel_multiplier": [0.5, 2.0],
                    "layer_scale_init_value": [0.1], "aa_layer": ["avg"]},
    "LowFormer": {**STAGES, "width_list": [[8, 16, 32, 64, 128]], "depth_list": [[0, 1, 1, 2, 2], [1, 1, 1, 1, 1]], "head_widths": [[256, 320]], "expand_ratio": [2, 6], "fused_conv": FLAG, "attn": FLAG, "attn_mlp": FLAG,
                  "attn_mlp_ratio": [2], "stem_expand_ratio": [3], "expand_groups": [2]},
    "CPUBone": {**STAGES, "width_list": [[8, 16, 32, 64, 128]], "depth_list": [[0, 1, 1, 2, 2], [1, 1, 1, 1, 1]], "head_widths": [[256, 320]], "expand_ratio": [2, 6], "fused_conv": FLAG, "fused_downsample": FLAG,
                "attn_mlp_ratio": [4], "stem_expand_ratio": [3], "expand_groups": [2], "small_kernels": FLAG, "attn_upsample": ["transpose", "nearest"]},
    "CSATv2": {**STAGES, "dims": [[24, 48, 96, 192]], "depths": [[1, 1, 2, 2], [2, 1, 2, 1]], "transformer_depths": [[0, 0, 1, 1], [0, 0, 0, 1]], "ls_init_value": [0.1]},
    "Qwen3VitClassifier": {"depth": [1, 2, 5], "": HEADS, "mlp_ratio": [2, 3.5], "patch_size": [8, 14], "img_size": [448], "merge_size": [1, 3], "pos_embed_grid_size": [16], "final_norm": FLAG, "out_features": [128],
                           "global_pool": ["avg", "max"], "encoder_pool": ["", "merge"]},
    "DeepseekVitClassifier": {"depth": [1, 2, 5], "": HEADS, "mlp_ratio": [2, 3.5], "patch_size": [8, 16], "img_size": [448], "downsample_ratio": [2], "final_norm": FLAG, "out_features": [128], "encoder_pool": ["", "align"]},
    "Gemma4VitClassifier": {"depth": [1, 2, 5], "embed_dim": [192, 384], "num_heads": [4], "head_dim": [32], "num_kv_heads": [1, 2], "intermediate_size": [512], "position_embedding_size": [1024], "standardize": FLAG,
                            "use_clipped_linears": FLAG, "final_norm": FLAG, "patch_size": [8], "img_size": [384]},
})
CLASSES["Qwen3VitEncoder"] = {k: v for k, v in CLASSES["Qwen3VitClassifier"].items() if k not in ("final_norm", "encoder_pool", "global_pool")}
CLASSES["DeepseekVitEncoder"] = {k: v for k, v in CLASSES["DeepseekVitClassifier"].items() if k not in ("final_norm", "encoder_pool")}
CLASSES["Gemma4VitEncoder"] = {k: v for k, v in CLASSES["Gemma4VitClassifier"].items() if k != "final_norm"}
CLASSES["LevitDistilled"] = CLASSES["Levit"]
CLASSES["EfficientViMDistilled"] = CLASSES["EfficientViM"]
CLASSES["VisionTransformerDistilled"] = CLASSES["VisionTransformer"]
CLASSES["SwinTransformerV2"] = CLASSES["SwinTransformer"]
CLASSES["MobileNetV3"] = {**CLASSES["EfficientNet"], "head_bias": FLAG, "head_norm": FLAG, "se_from_exp": FLAG, "layer_scale_init_value": [0.1]}


def draw(random, known):
    """The arguments of one row."""
    out = {}
    for key in random.sample(list(known), min(len(known), random.choice((1, 1, 1, 2, 2, 3)))):
        value = random.choice(known[key])
        out.update(value if key == "" else {key: value})
    if not random.randrange(4):
        key = random.choice(list(ALL))
        out[key] = random.choice(ALL[key])
    return out


def main():
    said = sys.argv[1:]
    option = lambda word, other: int(said.pop(said.index(word) + 1)) if word in said else other
    count, seed = option("-n", 2), option("-s", 1)
    classes = [w for w in said if w not in ("-n", "-s")]
    for text in tables.read(TABLE):
        words = text.split(" ", 2)
        if words[0].startswith(("#", "timm.")) or words[1] not in CLASSES or (classes and words[1] not in classes): continue
        dice = random.Random("%s %d" % (words[0], seed))
        for _ in range(count): print(words[0], json.dumps(draw(dice, CLASSES[words[1]]), separators=(",", ":")))


main()

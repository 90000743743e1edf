"""catalogue.py -- the cases to write: {case: (writer, model, options)}.

A case is named after the writer, its options and the model. Options that affect a library's layout run on every
kind of model that changes names or shapes; the rest on the simplest one.
"""

PLAIN = ["llama"]
FEW = ["llama", "mixtral", "oddtied"]
KINDS = ["llama", "mixtral", "qwen3_moe", "gpt_oss", "phi3", "gpt2", "gemma3", "deepseek_v3", "oddtied"]
ALL = [*KINDS, "qwen2_moe", "llamabias", "llamatied", "gemma2", "gemma3_text", "falcon", "bloom", "gpt_neox", "optproj",
       "llama4_text", "qwen3_next", "olmoe", "granitemoe", "glm4_moe", "deepseek_v2", "minimax_m2", "llava",
       "mistralodd"]
CASES = {}


def add(writer, name, models, **options):
    for model in models:
        CASES[f"{writer}-{name}-{model}"] = (writer, model, options)


# ---- bitsandbytes -----------------------------------------------------------------------------------
add("bnb", "nf4", ALL, bnb_4bit_quant_type="nf4")
add("bnb", "nf4dq", KINDS, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=True)
add("bnb", "fp4", FEW, bnb_4bit_quant_type="fp4")
add("bnb", "fp4dq", FEW, bnb_4bit_quant_type="fp4", bnb_4bit_use_double_quant=True)
for storage in ("uint8", "bfloat16", "float16", "float32"):
    add("bnb", f"nf4dq-{storage}", FEW, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=True,
        bnb_4bit_quant_storage=f"torch.{storage}")
add("bnb", "fp4-float32", PLAIN, bnb_4bit_quant_type="fp4", bnb_4bit_quant_storage="torch.float32")
add("bnb", "int8", ALL, load_in_8bit=True)
add("bnb", "int8-skip", FEW, load_in_8bit=True, llm_int8_skip_modules=["lm_head", "down_proj", "q_proj"])
add("bnb", "nf4-skip", FEW, bnb_4bit_quant_type="nf4", llm_int8_skip_modules=["lm_head", "down_proj", "q_proj"])
add("bnb", "nf4-head", ["llama", "oddtied", "qwen3_moe"], bnb_4bit_quant_type="nf4", llm_int8_skip_modules=["none"])
add("bnb", "int8-head", ["llama", "oddtied"], load_in_8bit=True, llm_int8_skip_modules=["none"])

# ---- FP8 of transformers ----------------------------------------------------------------------------
add("fp8", "128", ALL)
add("fp8", "64x32", KINDS, weight_block_size=(64, 32))
add("fp8", "static", FEW, activation_scheme="static")
add("fp8", "ue8m0", FEW, scale_fmt="ue8m0")
add("fp8", "tensor", FEW, weight_block_size=None)
add("fp8", "skip", FEW, modules_to_not_convert=["lm_head", "model.layers.0.self_attn.q_proj", "down_proj"])

# ---- HQQ --------------------------------------------------------------------------------------------
for bits in (8, 6, 5, 4, 3, 2, 1):
    add("hqq", f"{bits}g64", KINDS if bits in (4, 3) else FEW, nbits=bits, group_size=64)
for group in (16, 32, 128, 256, None):
    add("hqq", f"4g{group}", FEW if group != 256 else PLAIN, nbits=4, group_size=group)
add("hqq", "3g32", FEW, nbits=3, group_size=32)
add("hqq", "4g64a0", FEW, nbits=4, group_size=64, axis=0)
add("hqq", "8gNone", PLAIN, nbits=8, group_size=None)
add("hqq", "mixed", FEW, layers={
    "self_attn.q_proj": dict(nbits=4, group_size=64), "self_attn.k_proj": dict(nbits=8, group_size=64),
    "self_attn.v_proj": dict(nbits=3, group_size=32), "mlp.down_proj": dict(nbits=2, group_size=32)})
add("hqq", "4told", KINDS, nbits=4, group_size=64, told=True)
add("hqq", "2told", FEW, nbits=2, group_size=16, told=True)
add("hqq", "4viewint32", PLAIN, nbits=4, group_size=64, view_as_float=True)

# ---- torchao ----------------------------------------------------------------------------------------
GROUP = [("PerGroup", 32), ("PerGroup", 64)]
add("torchao", "int8wo", ALL, type=("Int8WeightOnlyConfig",))
add("torchao", "int8wo-g32", FEW, type=("Int8WeightOnlyConfig", dict(granularity=("PerGroup", 32))))
add("torchao", "int8dyn", KINDS, type=("Int8DynamicActivationInt8WeightConfig",))
add("torchao", "float8wo", KINDS, type=("Float8WeightOnlyConfig",))
add("torchao", "float8wo-e5m2", PLAIN, type=("Float8WeightOnlyConfig", dict(weight_dtype="torch.float8_e5m2")))
add("torchao", "float8dyn-row", FEW, type=("Float8DynamicActivationFloat8WeightConfig", dict(granularity=("PerRow",))))
add("torchao", "float8dyn-tensor", FEW, type=("Float8DynamicActivationFloat8WeightConfig", dict(granularity=("PerTensor",))))
add("torchao", "int4wo", PLAIN, type=("Int4WeightOnlyConfig", dict(group_size=128)))
add("torchao", "int4wo-tile", PLAIN, type=("Int4WeightOnlyConfig", dict(group_size=32, int4_packing_format="tile_packed_to_4d")))
add("torchao", "int4wo-opaque", FEW, type=("Int4WeightOnlyConfig", dict(group_size=32, int4_packing_format="opaque")))
add("torchao", "int4wo-plainint32", PLAIN, type=("Int4WeightOnlyConfig", dict(group_size=64, int4_packing_format="plain_int32")))
add("torchao", "int4wo-hqq", PLAIN, type=("Int4WeightOnlyConfig", dict(group_size=64, int4_choose_qparams_algorithm="hqq")))
for bits in (1, 2, 3, 4, 5, 6, 7, 8):
    add("torchao", f"int{bits}x-g32", KINDS if bits == 4 else PLAIN, type=(
        "IntxWeightOnlyConfig", dict(weight_dtype=f"torch.int{bits}", granularity=("PerGroup", 32))))
add("torchao", "int4x-row", FEW, type=("IntxWeightOnlyConfig", dict(weight_dtype="torch.int4")))
add("torchao", "int4x-asym", PLAIN, type=("Int8DynamicActivationIntxWeightConfig", dict(
    weight_dtype="torch.int4", weight_granularity=("PerGroup", 32))))
add("torchao", "int8dynint4", FEW, type=("Int8DynamicActivationIntxWeightConfig", dict(
    weight_dtype="torch.int4", weight_granularity=("PerAxis", 0))))
add("torchao", "int8dynint4-opaque", PLAIN, type=("Int8DynamicActivationIntxWeightConfig", dict(
    weight_dtype="torch.int4", weight_granularity=("PerGroup", 32), intx_packing_format="opaque_torchao_auto")))
add("torchao", "mxfp8", FEW, type=("MXDynamicActivationMXWeightConfig",))
add("torchao", "mxfp4", FEW, type=("MXDynamicActivationMXWeightConfig", dict(
    activation_dtype="torch.float4_e2m1fn_x2", weight_dtype="torch.float4_e2m1fn_x2")))
add("torchao", "nvfp4", FEW, type=("NVFP4DynamicActivationNVFP4WeightConfig", dict(use_triton_kernel=False)))
add("torchao", "nvfp4wo", FEW, type=("NVFP4WeightOnlyConfig",))
add("torchao", "nvfp4-one", PLAIN, type=("NVFP4DynamicActivationNVFP4WeightConfig", dict(
    use_triton_kernel=False, use_dynamic_per_tensor_scale=False)))
EMBED = ("IntxWeightOnlyConfig", dict(weight_dtype="torch.int8", granularity=("PerAxis", 0)))
LINEAR4 = ("Int8DynamicActivationIntxWeightConfig", dict(weight_dtype="torch.int4", weight_granularity=("PerGroup", 32)))
add("torchao", "embed", ["llama", "qwen3_moe"], type=("FqnToConfig", dict(fqn_to_config={
    "_default": LINEAR4, "model.embed_tokens": EMBED})), include_input_output_embeddings=True)
add("torchao", "embed-untied", ["llamatied", "oddtied"], type=("FqnToConfig", dict(fqn_to_config={
    "_default": LINEAR4, "model.embed_tokens": EMBED})), include_input_output_embeddings=True, untie_embedding_weights=True)
add("torchao", "int8wo-head", ["llama", "oddtied"], type=("Int8WeightOnlyConfig",), include_input_output_embeddings=True)
add("torchao", "mixed", FEW, type=("FqnToConfig", dict(fqn_to_config={
    "model.layers.0.self_attn.q_proj": ("Int8WeightOnlyConfig",), "_default": LINEAR4,
    "model.layers.1.mlp.down_proj": None, "re:model.layers.*.self_attn.v_proj": ("Float8WeightOnlyConfig",)})))
add("torchao", "skip", PLAIN, type=("Int8WeightOnlyConfig",), modules_to_not_convert=["down_proj", "lm_head"])

# ---- optimum-quanto ---------------------------------------------------------------------------------
for weights in ("qint2", "qint4", "qint8", "qfloat8", "qfloat8_e5m2"):
    add("quanto", weights[1:], KINDS if weights in ("qint4", "qint8") else FEW, weights=weights)
add("quanto", "int8-a8", FEW, weights="qint8", activations="qint8")
add("quanto", "float8-a8", FEW, weights="qfloat8", activations="qfloat8")
add("quanto", "int4-skip", FEW, weights="qint4", exclude=["lm_head", "*.down_proj"])
add("quanto", "int8-skip", FEW, weights="qint8", exclude="lm_head")
add("quanto", "plain-int4", ["llama", "gemma3"], weights="qint4", plain=True)

# ---- compressed-tensors, by llmcompressor -----------------------------------------------------------
for scheme in ("W4A16", "FP8_DYNAMIC", "W8A8"):
    add("compressed", scheme, ALL, scheme=scheme)
for scheme in ("W8A16", "NVFP4A16", "MXFP4A16", "FP8_BLOCK", "W4A16_ASYM", "MXFP8A16"):
    add("compressed", scheme, KINDS, scheme=scheme)
for scheme in ("W2A16", "W3A16", "W5A16", "W6A16", "W7A16", "W4A8", "W4A4", "W3A8", "W2A4", "W6A8", "W7A8", "W4AFP8", "INT8"):
    add("compressed", scheme, ["llama", "mixtral"] if scheme != "W3A16" else FEW, scheme=scheme)
for scheme in ("FP8", "NVFP4", "MXFP4", "MXFP8"):
    add("compressed", scheme, FEW if scheme != "NVFP4" else KINDS, scheme=scheme, data=True)


def group(bits, kind="int", targets=("Linear",), **more):
    return {"targets": list(targets), "weights": dict(num_bits=bits, type=kind, **more)}


for bits in (2, 3, 4, 5, 6, 7, 8):
    add("compressed", f"int{bits}g32", FEW if bits in (3, 4) else PLAIN,
        config_groups={"g": group(bits, strategy="group", group_size=32, symmetric=True)})
    add("compressed", f"int{bits}ch", PLAIN, config_groups={"g": group(bits, strategy="channel", symmetric=True)})
    add("compressed", f"int{bits}asym", PLAIN, config_groups={"g": group(bits, strategy="group", group_size=64, symmetric=False)})
add("compressed", "int8tensor", FEW, config_groups={"g": group(8, strategy="tensor", symmetric=True)})
add("compressed", "int8chasym", PLAIN, config_groups={"g": group(8, strategy="channel", symmetric=False)})
add("compressed", "float8tensor", PLAIN, config_groups={"g": group(8, "float", strategy="tensor", symmetric=True)})
add("compressed", "float8group", PLAIN, config_groups={"g": group(8, "float", strategy="group", group_size=128, symmetric=True)})
add("compressed", "float8block64", FEW, config_groups={"g": group(8, "float", strategy="block", block_structure=[64, 64], symmetric=True)})
for form in ("int-quantized", "naive-quantized", "pack-quantized", "dense"):
    add("compressed", f"W8A16-{form}", PLAIN, scheme="W8A16", format=form)
    add("compressed", f"W4A16-{form}", PLAIN, scheme="W4A16", format=form)
add("compressed", "FP8-naive", PLAIN, scheme="FP8_DYNAMIC", format="naive-quantized")
add("compressed", "W4A16-head", ["llama", "oddtied", "llamatied"], scheme="W4A16", ignore=[])
add("compressed", "FP8-head", ["llama", "oddtied"], scheme="FP8_DYNAMIC", ignore=[])
add("compressed", "FP8-embed", ["llama"], config_groups={
    "e": group(8, "float", ["Embedding"], strategy="channel", symmetric=True),
    "l": group(8, "float", strategy="channel", symmetric=True)})
add("compressed", "W4A16-embed", ["llama"], config_groups={
    "e": group(4, "int", ["Embedding"], strategy="group", group_size=32, symmetric=True),
    "l": group(4, strategy="group", group_size=128, symmetric=True)})
add("compressed", "mixed", FEW, config_groups={
    "a": group(8, "float", ["re:.*self_attn.*"], strategy="channel", symmetric=True),
    "b": group(4, "int", ["re:.*(gate|up)_proj.*"], strategy="group", group_size=32, symmetric=True),
    "c": group(8, "int", ["re:.*down_proj.*"], strategy="channel", symmetric=True)})
add("compressed", "mixed48", FEW, config_groups={
    "b": group(4, "int", ["re:.*(gate|up)_proj.*"], strategy="group", group_size=64, symmetric=True),
    "c": group(8, "int", ["re:.*(down_proj|[qkvo]_proj)"], strategy="group", group_size=32, symmetric=True)})
add("compressed", "kv8", ["llama"], scheme="FP8_DYNAMIC", data=True, kv_cache_scheme=dict(
    num_bits=8, type="float", strategy="tensor", dynamic=False, symmetric=True))
add("compressed", "skip", FEW, scheme="W4A16", ignore=["lm_head", "re:.*down_proj", "model.layers.0.self_attn.q_proj"])
add("compressed", "gptq", FEW, modifier="GPTQModifier", scheme="W4A16")
for order in ("group", "weight", "static"):
    add("compressed", f"gptq-act-{order}", FEW, modifier="GPTQModifier", actorder=order, config_groups={
        "g": group(4, strategy="group", group_size=64, symmetric=True)})
add("compressed", "gptq-act-asym", PLAIN, modifier="GPTQModifier", actorder="group", config_groups={
    "g": group(4, strategy="group", group_size=64, symmetric=False)})
add("compressed", "awq", ["llama", "mixtral"], modifier="AWQModifier", scheme="W4A16_ASYM")

# ---- modelopt ---------------------------------------------------------------------------------------
for name in ("FP8_DEFAULT", "NVFP4_DEFAULT", "INT4_AWQ", "W4A8_AWQ_BETA"):
    add("modelopt", name, KINDS, config=name + "_CFG")
for name in ("FP8_PER_CHANNEL_PER_TOKEN", "FP8_2D_BLOCKWISE_WEIGHT_ONLY", "INT4_BLOCKWISE_WEIGHT_ONLY", "INT8_DEFAULT",
             "INT8_WEIGHT_ONLY", "INT8_SMOOTHQUANT", "MXFP4_DEFAULT", "MXFP8_DEFAULT", "MXFP6_DEFAULT", "MXINT8_DEFAULT",
             "NVFP4_AWQ_LITE", "NVFP4_AWQ_CLIP", "NVFP4_MLP_ONLY", "NVFP4_MLP_WEIGHT_ONLY", "NVFP4_EXPERTS_ONLY",
             "NVFP4_SVDQUANT_DEFAULT", "W4A8_MXFP4_FP8", "W4A8_NVFP4_FP8", "W4A16_NVFP4", "MXFP4_MLP_WEIGHT_ONLY",
             "NVFP4_OMLP_ONLY", "NVFP4_FOUR_OVER_SIX"):
    add("modelopt", name, ["llama", "qwen3_moe", "oddtied"], config=name + "_CFG")
add("modelopt", "FP8-kv8", FEW, config="FP8_DEFAULT_CFG", kv="FP8_KV_CFG")
add("modelopt", "NVFP4-kv4", FEW, config="NVFP4_DEFAULT_CFG", kv="NVFP4_KV_CFG")
add("modelopt", "NVFP4-head", ["llama", "oddtied"], config="NVFP4_DEFAULT_CFG", head=True)
add("modelopt", "FP8-head", ["llama", "oddtied"], config="FP8_DEFAULT_CFG", head=True)

# ---- gptqmodel --------------------------------------------------------------------------------------
add("gptqmodel", "4g64", ALL, bits=4, group_size=64)
for bits in (2, 3, 5, 6, 7, 8):
    add("gptqmodel", f"{bits}g32", FEW if bits in (3, 8) else PLAIN, bits=bits, group_size=32)
add("gptqmodel", "4g-1", FEW, bits=4, group_size=-1, act_group_aware=False)
add("gptqmodel", "4g128", PLAIN, bits=4, group_size=128)
add("gptqmodel", "4act", FEW, bits=4, group_size=32, desc_act=True)
add("gptqmodel", "4asym", FEW, bits=4, group_size=64, sym=False)
for form in ("gptq_v2", "gptq_p"):
    for bits in (2, 3, 4, 5, 8) if form == "gptq_p" else (4, 8):
        add("gptqmodel", f"{form}-{bits}", PLAIN if bits != 4 else ["llama", "mixtral"], bits=bits, group_size=64, format=form)
add("gptqmodel", "head", PLAIN, bits=4, group_size=32, lm_head=True)
add("gptqmodel", "dynamic", ["llama", "qwen3_moe"], bits=4, group_size=64, dynamic={
    r"-:.*\.0\..*down.*": {}, r"+:.*\.1\..*(gate|up).*": {"bits": 8, "group_size": 32}})
for form in ("gemm", "gemv", "gemv_fast", "llm-awq", "marlin"):
    add("gptqmodel", f"awq-{form}", KINDS if form == "gemm" else FEW, **{"class": "AWQConfig"}, bits=4, group_size=32, format=form)
add("gptqmodel", "awq-sym", PLAIN, **{"class": "AWQConfig"}, bits=4, group_size=64, sym=True)
add("gptqmodel", "awq-g-1", PLAIN, **{"class": "AWQConfig"}, bits=4, group_size=-1)
add("gptqmodel", "qqq", FEW, **{"class": "QQQConfig"}, bits=4, group_size=-1)
add("gptqmodel", "qqq128", PLAIN, **{"class": "QQQConfig"}, bits=4, group_size=128)
for bits in (2, 3, 4, 8):
    add("gptqmodel", f"rtn{bits}", ["llama", "mixtral"] if bits == 4 else PLAIN, **{"class": "RTNConfig"}, bits=bits, group_size=64)
add("gptqmodel", "rtn-awq", PLAIN, **{"class": "RTNConfig"}, bits=4, group_size=64, method="awq", format="gemm")
for kind in ("float8_e4m3fn", "float8_e5m2"):
    add("gptqmodel", f"fp8-{kind[7:]}", PLAIN, **{"class": "FP8Config"}, format=kind)
add("gptqmodel", "fp8-row", FEW, **{"class": "FP8Config"}, weight_scale_method="row")
add("gptqmodel", "fp8-tensor", FEW, **{"class": "FP8Config"}, weight_scale_method="tensor")
add("gptqmodel", "fp8-block", FEW, **{"class": "FP8Config"}, weight_scale_method="block", weight_block_size=[64, 64])
for bits, form in ((4, "nf4"), (4, "fp4"), (8, None)):
    add("gptqmodel", f"bnb-{form or 'int8'}", FEW, **{"class": "BitsAndBytesConfig"}, bits=bits, format=form)
add("gptqmodel", "bnb-nf4-plain", FEW, **{"class": "BitsAndBytesConfig"}, bits=4, format="nf4", compress_statistics=False, block_size=128)
for form in ("q4_0", "q8_0", "q4_k_m", "q4_k_s", "q5_k_m", "q6_k", "q3_k_m", "q2_k", "q5_0", "q1_0"):
    add("gptqmodel", f"gguf-{form}", PLAIN if form != "q4_0" else FEW, **{"class": "GGUFConfig"}, bits=int(form[1]), format=form[3:])
for bits in (2.0, 3.0, 4.0, 5.0):
    add("gptqmodel", f"exl3-{bits}", PLAIN, **{"class": "EXL3Config"}, bits=bits)
add("gptqmodel", "exl3-mul1", ["llama", "mixtral"], **{"class": "EXL3Config"}, bits=3.0, codebook="mul1")
add("gptqmodel", "vptq", ["llama", "mixtral"], **{"class": "VPTQConfig"}, num_centroids=[-1, 256], vector_lens=[-1, 8])
add("gptqmodel", "vptq-res", ["llama"], **{"class": "VPTQConfig"}, num_centroids=[-1, 256], num_res_centroids=[-1, 16], vector_lens=[-1, 4])
add("gptqmodel", "paro", ["llama"], **{"class": "ParoConfig"}, bits=4, group_size=64, opt_rotation_epochs=1,
    opt_finetune_epochs=1, opt_train_samples=4, opt_validation_samples=2, opt_batch_size=2)

# ---- auto-round -------------------------------------------------------------------------------------
for form in ("auto_round", "auto_gptq", "auto_awq", "llm_compressor"):
    add("autoround", f"{form}-4", KINDS if form != "llm_compressor" else FEW, format=form, scheme="W4A16")
for bits in (2, 3, 5, 6, 8):
    for form in ("auto_round", "auto_gptq"):
        add("autoround", f"{form}-{bits}", PLAIN if form == "auto_round" else ["oddtied"], format=form, bits=bits, group_size=32)
for scheme in ("MXFP4", "MXFP8", "NVFP4", "FP8_STATIC", "FP8_BLOCK", "FPW8A16", "INT8", "MXFP6", "MXINT4", "W2A16G64", "W2A16G32"):
    for form in ("auto_round", "llm_compressor"):
        add("autoround", f"{form}-{scheme}", FEW if scheme in ("MXFP4", "NVFP4", "MXFP8") else PLAIN, format=form, scheme=scheme)
add("autoround", "asym", FEW, format="auto_round", bits=4, group_size=64, sym=False)
add("autoround", "awq-asym", FEW, format="auto_awq", bits=4, group_size=64, sym=False)
add("autoround", "gptqmodel", PLAIN, format="auto_round:gptqmodel", bits=4, group_size=64)
add("autoround", "head", ["llama"], format="auto_round", bits=4, group_size=64, quant_lm_head=True)
add("autoround", "mixed", ["llama", "qwen3_moe"], format="auto_round", bits=4, group_size=64, layer_config={
    "model.layers.0.self_attn.q_proj": {"bits": 8, "group_size": 32}, "model.layers.1.self_attn.o_proj": {"bits": 16}})
add("autoround", "fake", PLAIN, format="fake", bits=4)
for form in ("q4_0", "q4_k_m", "q2_k_s", "q8_0", "q6_k", "q5_1", "q3_k_m", "q4_k_s"):
    add("autoround", f"gguf-{form}", PLAIN if form != "q4_k_m" else ["llama", "qwen3_moe"], format=f"gguf:{form}")

# ---- mlx-lm -----------------------------------------------------------------------------------------
add("mlx", "4b", ALL, q_bits=4, q_group_size=64)
for bits in (2, 3, 5, 6, 8):
    add("mlx", f"{bits}b", KINDS if bits == 3 else FEW, q_bits=bits, q_group_size=32)
add("mlx", "4b128", FEW, q_bits=4, q_group_size=128)
for mode in ("mxfp4", "mxfp8", "nvfp4"):
    add("mlx", mode, KINDS if mode == "mxfp4" else FEW, q_mode=mode)
for recipe in ("mixed_2_6", "mixed_3_4", "mixed_3_6", "mixed_4_6"):
    add("mlx", recipe, ["llama", "qwen3_moe", "oddtied"], quant_predicate=recipe, q_group_size=32)
add("mlx", "rules", ["llama", "qwen3_moe", "gpt_oss"], q_bits=4, q_group_size=64, rules=[
    ("embed", {"bits": 8, "group_size": 32}), ("q_proj", {"bits": 3, "group_size": 32}), ("v_proj", False),
    ("down_proj", {"bits": 4, "group_size": 32, "mode": "mxfp4"})])
add("mlx", "f16", PLAIN, q_bits=4, q_group_size=32, dtype="float16")
add("mlx", "f32", PLAIN, q_bits=8, q_group_size=64, dtype="float32")

# ---- quark ------------------------------------------------------------------------------------------
CHANNEL = dict(ch_axis=0, is_dynamic=False)
GROUPED = dict(ch_axis=-1, is_dynamic=False, group_size=32)
for kind, values in (("FP8E4M3PerTensorSpec", dict(observer_method="min_max", is_dynamic=False)),
                     ("FP8E4M3PerChannelSpec", CHANNEL),
                     ("Int8PerTensorSpec", dict(observer_method="min_max", symmetric=True, scale_type="float",
                                               round_method="half_even", is_dynamic=False)),
                     ("Int8PerChannelSpec", dict(symmetric=True, scale_type="float", round_method="half_even", **CHANNEL)),
                     ("Int4PerGroupSpec", dict(symmetric=True, scale_type="float", round_method="half_even", **GROUPED)),
                     ("Uint4PerGroupSpec", dict(symmetric=False, scale_type="float", round_method="half_even", **GROUPED)),
                     ("Int4PerChannelSpec", dict(symmetric=True, scale_type="float", round_method="half_even", **CHANNEL)),
                     ("OCP_MXFP4Spec", dict(ch_axis=-1, is_dynamic=False)),
                     ("OCP_MXFP6E2M3Spec", dict(ch_axis=-1, is_dynamic=False)),
                     ("OCP_MXFP6E3M2Spec", dict(ch_axis=-1, is_dynamic=False))):
    add("quark", kind.replace("Spec", ""), FEW, spec=kind, values=values)

"""layout_lies.py -- alterations of single cases of fixtures/packed that reconcile must refuse; run by layouts.py.

Each turns a case (layouts.Case) into a false one: configuration and file, or two tensors of the file, contradict
each other in a way that no general alteration of layouts.py produces.
"""


def lie(name):
    def keep(f):
        LIES.append((name, f))
        return f
    return keep


LIES = []
Q0 = "model.layers.0.self_attn.q_proj."
K0 = "model.layers.0.self_attn.k_proj."
UP0, DOWN0 = "model.layers.0.mlp.up_proj.", "model.layers.0.mlp.down_proj."


def reshaped(c, name, shape, dtype=None):
    c.tensors[name] = (dtype or c.tensors[name][0], shape)


def swapped(c, a, b):
    c.tensors[a], c.tensors[b] = c.tensors[b], c.tensors[a]
    if a in c.small:
        c.small[a], c.small[b] = c.small[b], c.small[a]


@lie("own-gptqmodel-dynamic-llama")
def override_of_what_has_none(c):
    c.quantization()["dynamic"]["+:.*q_proj.*"] = {"bits": 8}


@lie("own-gptqmodel-dynamic-llama")
def override_gone(c):
    d = c.quantization()["dynamic"]
    del d[next(k for k in d if k.startswith("+:"))]


@lie("own-gptqmodel-dynamic-llama")
def plain_says_dynamic(c):
    c.quantization()["dynamic"] = {"-:.*v_proj.*": {}, **c.quantization()["dynamic"]}


@lie("own-gptqmodel-act-gpt_neox")
def index_of_the_outputs(c):
    n = "gpt_neox.layers.0.attention.query_key_value.g_idx"
    reshaped(c, n, (768,))


@lie("own-gptqmodel-head-qwen2")
def zeros_of_another_module(c):
    swapped(c, Q0 + "qzeros", K0 + "qzeros")


@lie("own-gptqmodel-head-qwen2")
def packed_along_the_outputs(c):
    reshaped(c, K0 + "qweight", (256, 16))


@lie("own-gptqmodel-head-qwen2")
def weight_twice(c):
    c.tensors[UP0 + "weight"] = ("BF16", (512, 256))


@lie("own-gptqmodel-head-qwen2")
def zeros_as_floats(c):
    for n in [n for n in c.tensors if n.endswith("qzeros")]:
        c.tensors[n] = ("F16", c.tensors[n][1])


@lie("own-gptqmodel-head-qwen2")
def head_of_other_bits(c):
    reshaped(c, "lm_head.qweight", (32, 512))  # 4 bits like the others, instead of its own 8


@lie("own-gptqmodel-head-qwen2")
def one_in_blocks(c):
    for s in ("qweight", "qzeros", "scales", "g_idx"):
        del c.tensors[UP0 + s]
    c.tensors[UP0 + "weight"] = ("F8_E4M3", (512, 256))
    c.tensors[UP0 + "weight_scale_inv"] = ("F32", (4, 2))


@lie("own-gptqmodel-mixtral")
def an_expert_lost(c):
    for n in [n for n in c.tensors if ".layers.1.mlp.experts.3." in n]:
        del c.tensors[n]


@lie("own-gptqmodel-phi3")
def half_of_a_split(c):
    for n in [n for n in c.tensors if n.startswith(UP0)]:
        del c.tensors[n]


@lie("own-gptqmodel-phi3")
def split_and_fused(c):
    c.tensors["model.layers.0.mlp.gate_up_proj.weight"] = ("BF16", (1024, 256))


@lie("own-hdr-fp8-mtp-deepseek_v3")
def scales_turned(c):
    n = "model.layers.0.mlp.up_proj.weight_scale_inv"  # of [512, 256]
    reshaped(c, n, tuple(reversed(c.tensors[n][1])))


@lie("own-hdr-fp8-mtp-deepseek_v3")
def one_in_words(c):
    del c.tensors[UP0 + "weight"], c.tensors[UP0 + "weight_scale_inv"]
    c.tensors |= {UP0 + "qweight": ("I32", (32, 512)), UP0 + "qzeros": ("I32", (2, 64)),
                  UP0 + "scales": ("F16", (2, 512))}


@lie("own-hdr-fp8-minimax_m2")
def listed_and_converted(c):
    c.quantization()["modules_to_not_convert"].append("model.layers.0.self_attn.q_proj")


@lie("own-hdr-fp8-minimax_m2")
def one_scale_for_all(c):
    reshaped(c, Q0 + "weight_scale_inv", ())


@lie("own-fp8-64-mistralodd")
def scale_beside_a_plain_multiple(c):
    reshaped(c, Q0 + "weight", (320, 320), "BF16")  # 64 divides 320: it would have been converted


@lie("own-fp8-64-mistralodd")
def left_scale_of_another_size(c):
    n = UP0 + "weight_scale_inv"
    reshaped(c, n, (c.tensors[n][1][0] - 1, c.tensors[n][1][1]))


@lie("own-fp8-64-mistralodd")
def left_but_listed(c):
    c.quantization()["modules_to_not_convert"] = [UP0[:-1]]  # then nothing creates scales for it


@lie("own-fp8-128-qwen3_moe")
def stack_of_fewer(c):
    n = "model.layers.0.mlp.experts.gate_up_proj_scale_inv"
    reshaped(c, n, (3, *c.tensors[n][1][1:]))


@lie("own-fp8-128-qwen3_moe")
def stacks_swapped(c):
    p = "model.layers.0.mlp.experts."
    swapped(c, p + "gate_up_proj_scale_inv", p + "down_proj_scale_inv")


@lie("own-fp8-128-qwen3_moe")
def stacked_and_single(c):
    c.tensors["model.layers.0.mlp.experts.0.up_proj.weight_scale_inv"] = ("F32", (1, 2))


@lie("own-fp8-128-qwen3_moe")
def experts_in_two_types(c):
    reshaped(c, "model.layers.1.mlp.experts.2.up_proj.weight", (128, 256), "BF16")


@lie("own-fp8-128-qwen3_moe")
def a_stack_of_one(c):
    n = Q0 + "weight_scale_inv"  # not an expert: its scales are next to it
    c.tensors["model.layers.down_proj_scale_inv"] = ("F32", (1, *c.tensors.pop(n)[1]))


@lie("own-fp8-static-qwen3_moe")
def activations_of_half(c):
    del c.tensors["model.layers.1.mlp.experts.down_proj_activation_scale"]


@lie("own-bnb-nf4-mistralodd")
def blocks_of_128(c):
    reshaped(c, UP0 + "weight.absmax", (736 * 320 // 128,))


@lie("own-bnb-nf4-mistralodd")
def map_of_256(c):
    reshaped(c, UP0 + "weight.quant_map", (256,))


@lie("own-bnb-nf4-mistralodd")
def states_swapped(c):
    swapped(c, UP0 + "weight.quant_state.bitsandbytes__nf4", DOWN0 + "weight.quant_state.bitsandbytes__nf4")


@lie("own-bnb-nf4-mistralodd")
def state_gone(c):
    del c.tensors[UP0 + "weight.quant_state.bitsandbytes__nf4"]


@lie("own-bnb-nf4-mistralodd")
def bytes_as_a_matrix(c):
    reshaped(c, UP0 + "weight", (736, 160))


@lie("own-bnb-nf4dq-bloom")
def nested_gone(c):
    del c.tensors["transformer.h.0.mlp.dense_h_to_4h.weight.nested_absmax"]


@lie("own-bnb-nf4dq-bloom")
def half_doubled(c):
    m = "transformer.h.0.mlp.dense_h_to_4h.weight."
    del c.tensors[m + "nested_absmax"], c.tensors[m + "nested_quant_map"]
    reshaped(c, m + "absmax", c.tensors[m + "absmax"][1], "F32")


@lie("own-bnb-fp4bf16-qwen2tied")
def storage_of_bytes(c):
    n, s = UP0 + "weight", c.tensors[UP0 + "weight"][1]
    reshaped(c, n, (s[0] * 2, 1), "U8")


@lie("own-bnb-fp4bf16-qwen2tied")
def codes_of_another_type(c):
    m = UP0 + "weight.quant_state.bitsandbytes__"
    c.tensors[m + "nf4"], c.small[m + "nf4"] = c.tensors.pop(m + "fp4"), c.small.pop(m + "fp4")


@lie("rule-metal-llama")
def without_least_values(c):
    for n in [n for n in c.tensors if n.endswith(".qbiases")]:
        del c.tensors[n]


@lie("rule-metal-llama")
def least_values_as_mlx_names_them(c):
    for n in [n for n in c.tensors if n.endswith(".qbiases")]:
        c.tensors[n.replace(".qbiases", ".biases")] = c.tensors.pop(n)

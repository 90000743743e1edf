"""diff_cases.py -- numel diff of a model against its conversion.

The models are the oracle's: names and shapes of transformers' own classes. The names on the GGUF side are those of
the package gguf (TensorNameMap), and a converter's other operations (llama.cpp, convert_hf_to_gguf.py) are
implemented here: stack experts, split kv_b and gate_up, transpose, squeeze, drop, add, cut. Nothing comes from the
project's specifications. Elements are counted here for each operation, and the statement of `numel diff` must have
a line with that cause and exactly that count, in both directions; nothing is unexplained. Then a tensor is lost,
and another gets a wrong shape: both must be unexplained, to the element.
"""
import glob
import json
import math
import os
import re
import subprocess

import gguf

from harness import Mismatch, same

ARCHITECTURES = {
    "afmoe": "AFMOE", "apertus": "APERTUS", "arcee": "ARCEE", "bert": "BERT",
    "bloom": "BLOOM", "cohere": "COMMAND_R", "cohere2": "COHERE2", "cohere2_vision": "COHERE2",
    "deepseek_v2": "DEEPSEEK2", "deepseek_v3": "DEEPSEEK2", "distilbert": "BERT", "dots1": "DOTS1",
    "ernie4_5": "ERNIE4_5", "ernie4_5_moe": "ERNIE4_5_MOE", "exaone4": "EXAONE4",
    "falcon": "FALCON", "falcon_h1": "FALCON_H1", "gemma": "GEMMA", "gemma2": "GEMMA2",
    "gemma3": "GEMMA3", "gemma3_text": "GEMMA3", "gemma3n": "GEMMA3N", "glm": "CHATGLM",
    "glm4": "GLM4", "glm4_moe": "GLM4_MOE", "glm4_moe_lite": "DEEPSEEK2", "glm4v": "GLM4",
    "gpt2": "GPT2", "gpt_bigcode": "STARCODER", "gpt_neox": "GPTNEOX", "gpt_oss": "GPT_OSS",
    "granite": "GRANITE", "hunyuan_v1_dense": "HUNYUAN_DENSE", "hunyuan_v1_moe": "HUNYUAN_MOE",
    "idefics3": "LLAMA", "internvl": "QWEN2", "jamba": "JAMBA", "lfm2": "LFM2",
    "lfm2_moe": "LFM2MOE", "llama": "LLAMA", "llama4_text": "LLAMA4", "llava": "LLAMA",
    "llava_next": "LLAMA", "llava_onevision": "QWEN2", "mamba": "MAMBA", "mamba2": "MAMBA2",
    "minimax_m2": "MINIMAXM2", "ministral3": "MISTRAL3", "mistral": "LLAMA", "mistral3": "LLAMA",
    "mixtral": "LLAMA", "mpt": "MPT", "nemotron": "NEMOTRON", "nemotron_h": "NEMOTRON_H",
    "olmo": "OLMO", "olmo2": "OLMO2", "olmo3": "OLMO2", "olmoe": "OLMOE", "paligemma": "GEMMA",
    "phi": "PHI2", "phi3": "PHI3", "phimoe": "PHIMOE", "qwen2": "QWEN2", "qwen2_5_vl": "QWEN2VL",
    "qwen2_audio": "QWEN2", "qwen2_moe": "QWEN2MOE", "qwen2_vl": "QWEN2VL", "qwen3": "QWEN3",
    "qwen3_5": "QWEN35", "qwen3_5_moe": "QWEN35MOE", "qwen3_moe": "QWEN3MOE",
    "qwen3_next": "QWEN3NEXT", "qwen3_vl": "QWEN3VL", "qwen3_vl_moe": "QWEN3VLMOE",
    "roberta": "BERT", "seed_oss": "SEED_OSS", "smollm3": "SMOLLM3", "smolvlm": "LLAMA",
    "stablelm": "STABLELM", "starcoder2": "STARCODER2", "xlm-roberta": "BERT",
}
KEYS = {  # for GGUF, from the first of these keys of the configuration
    "embedding_length": "hidden_size n_embd d_model",
    "feed_forward_length": "intermediate_size n_inner ffn_hidden_size",
    "attention.head_count": "num_attention_heads n_head n_heads",
    "attention.head_count_kv": "num_key_value_heads num_kv_heads num_attention_heads n_head",
    "attention.key_length": "head_dim", "attention.value_length": "head_dim",
    "context_length": "max_position_embeddings n_positions max_seq_len",
    "vocab_size": "vocab_size", "expert_count": "num_experts num_local_experts n_routed_experts",
    "expert_feed_forward_length": "moe_intermediate_size intermediate_size", "expert_shared_count": "n_shared_experts",
    "expert_shared_feed_forward_length": "shared_expert_intermediate_size",
    "leading_dense_block_count": "first_k_dense_replace", "attention.q_lora_rank": "q_lora_rank",
    "attention.kv_lora_rank": "kv_lora_rank", "rope.dimension_count": "qk_rope_head_dim",
    "ssm.inner_size": "intermediate_size", "ssm.state_size": "state_size",
    "ssm.conv_kernel": "conv_kernel", "ssm.time_step_rank": "time_step_rank",
    "interleave_moe_layer_step": "interleave_moe_layer_step",
    "full_attention_interval": "full_attention_interval",
}
TOWERS = r"visual|vision|image_newline|multi_modal|audio"
HEADS = r"pooler|^vocab_|^cls\.|^classifier|^score|^qa_outputs|^lm_head\.(dense|layer_norm|decoder)"


class Conversion:
    """The tensors of a model, and their conversions."""

    def __init__(self, config, params, tied, stored=False):
        self.config, self.tied = config, tied
        self.stored = stored  # the tied copies are in the file
        self.unscaled = False  # the keys of a linear or YaRN scaling are forgotten
        self.kind = config.get("model_type", "")
        self.text = config.get("text_config") or config
        self.arch = getattr(gguf.MODEL_ARCH, ARCHITECTURES[self.kind])
        self.layers = self.value("num_hidden_layers n_layer n_layers num_layers")
        self.map = gguf.get_tensor_name_map(self.arch, self.layers)
        self.stacks, self.out, self.causes = {}, {}, {}
        self.unknown = []
        for name, shape in params.items():
            self.convert(name, list(shape))
        self.finish()

    def value(self, keys):
        for key in keys.split():
            for part in (self.text, self.config):
                if part.get(key) is not None:
                    return part[key]
        return None

    def count(self, cause, shape, sign):
        self.causes[cause] = self.causes.get(cause, 0) + sign * math.prod(shape)

    def plain(self, name):
        name = re.sub(r"^(model\.language_model|language_model\.model)\.", "model.", name)
        name = re.sub(r"^language_model\.lm_head", "lm_head", name)
        name = re.sub(r"^(bert|roberta|distilbert)\.", "", name)
        name = name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("Norm.beta", "Norm.bias")
        name = re.sub(r"\.dt_bias$", ".dt_proj.bias", name)
        name = re.sub(r"expert_bias$", "expert_bias.bias", name)
        return re.sub(r"\.sinks$", ".sinks.weight", name)

    def name(self, plain):
        found = self.map.get_name(plain, try_suffixes=(".weight", ".bias"))
        return found or self.map.get_name(plain.removeprefix("transformer."),
                                          try_suffixes=(".weight", ".bias"))

    def convert(self, name, shape):
        plain = self.plain(name)
        layer = re.search(r"layers\.(\d+)\.", plain)
        blk = f"blk.{layer[1]}." if layer else ""
        if name in self.tied:
            if self.stored:
                self.count("tied copy", shape, -1)
            return
        if re.search(TOWERS, name):
            self.count("towers (GGUF: mmproj)", shape, -1)
        elif re.search(r"\.inv_freq$|\.attn\.(masked_)?bias$", plain):
            self.count("buffers", shape, -1)
        elif re.search(HEADS, plain) or plain == "lm_head.bias" and "roberta" in self.kind:
            self.count("pooler and task heads", shape, -1)
        elif plain.endswith("_scale_inv"):
            self.count("quantization scales", shape, -1)
        elif layer and int(layer[1]) >= self.layers:
            self.count("prediction layers (MTP)", shape, -1)
        elif plain.endswith("e_score_correction_bias"):
            self.out[blk + "exp_probs_b.bias"] = shape
        elif plain.endswith("experts.gate_up_proj"):
            width = self.value("hidden_size")  # llama4 and gpt-oss hold [N, E, 2F]
            half = [shape[0], math.prod(shape) // shape[0] // width // 2, width]
            self.out[blk + "ffn_gate_exps.weight"] = self.out[blk + "ffn_up_exps.weight"] = half
        elif plain.endswith("experts.gate_up_proj_bias"):
            half = [shape[0], shape[1] // 2]
            self.out[blk + "ffn_gate_exps.bias"] = self.out[blk + "ffn_up_exps.bias"] = half
        elif plain.endswith("experts.down_proj_bias"):
            self.out[blk + "ffn_down_exps.bias"] = shape
        elif plain.endswith("experts.down_proj"):
            width = self.value("hidden_size")
            self.out[blk + "ffn_down_exps.weight"] = [shape[0], width, math.prod(shape[1:]) // width]
        elif plain.endswith("kv_b_proj.weight"):
            heads, nope = self.value("num_attention_heads"), self.value("qk_nope_head_dim")
            value = shape[0] // heads - nope
            self.out[blk + "attn_k_b.weight"] = [heads, shape[1], nope]
            self.out[blk + "attn_v_b.weight"] = [heads, value, shape[1]]
        elif re.search(r"experts\.\d+\.", plain):
            stack = re.sub(r"experts\.\d+\.", "experts.", plain)
            self.stacks.setdefault(stack, []).append(shape)
        else:
            self.one(plain, shape, blk)

    def one(self, plain, shape, blk):
        name = self.name(plain)
        if re.search(r"act_fn\.(alpha|beta|eps)", plain):
            self.count("scalars kept as metadata", shape, -1)
            return
        if name is None:
            self.unknown.append(plain)
            return
        if self.kind == "gpt2" and re.search(r"(c_attn|c_fc|c_proj)\.weight", plain):
            shape = shape[::-1]
        if "conv1d" in plain and len(shape) == 3:
            shape = [shape[0], shape[2]]
        while len(shape) > 1 and shape[0] == 1:
            shape = shape[1:]
        if self.kind.startswith("gemma3") and name == "token_embd.weight" and shape[0] == 262208:
            self.count("rows of the vocabulary", [64, shape[1]], -1)
            shape = [262144, shape[1]]
        if "roberta" in self.kind and name == "position_embd.weight":
            self.count("positions of the padding", [2, shape[1]], -1)
            shape = [shape[0] - 2, shape[1]]
        self.out[name] = shape

    def finish(self):
        for plain, shapes in self.stacks.items():
            self.out[self.name(plain)] = [len(shapes), *shapes[0]]
        if self.scaling().get("rope_type") == "llama3":
            width = self.value("head_dim") or self.value("hidden_size") // self.value("num_attention_heads")
            self.out["rope_freqs.weight"] = [width // 2]
            self.count("rotary factors", [width // 2], 1)
        if self.kind in ("falcon", "bloom", "mpt") and self.tied and not self.stored:  # as older converters do
            self.out["output.weight"] = self.out["token_embd.weight"]
            self.count("tied copy", self.out["output.weight"], 1)

    def scaling(self):
        return self.config.get("rope_scaling") or self.config.get("rope_parameters") or {}

    def description(self):
        arch = gguf.MODEL_ARCH_NAMES[self.arch]
        lines = ["gguf 3", "file x.gguf", f"kv string general.architecture {arch}",
                 f"kv u32 {arch}.block_count {self.layers}"]
        for key, names in KEYS.items():
            value = self.value(names)
            if key == "feed_forward_length" and value is None and self.value("n_embd"):
                value = 4 * self.value("n_embd")
            if key.startswith("ssm.") and self.value("linear_num_value_heads"):
                continue  # a delta net, below
            if isinstance(value, int) and not isinstance(value, bool):
                lines.append(f"kv u32 {arch}.{key} {value}")
        if self.value("kv_lora_rank"):
            key = self.value("qk_nope_head_dim") + self.value("qk_rope_head_dim")
            lines += [f"kv u32 {arch}.attention.key_length_mla {key}",
                      f"kv u32 {arch}.attention.value_length_mla {self.value('v_head_dim')}"]
        if self.value("linear_num_value_heads"):
            heads = self.value("linear_num_value_heads")
            lines += [f"kv u32 {arch}.ssm.inner_size {heads * self.value('linear_value_head_dim')}",
                      f"kv u32 {arch}.ssm.state_size {self.value('linear_key_head_dim')}",
                      f"kv u32 {arch}.ssm.group_count {self.value('linear_num_key_heads')}",
                      f"kv u32 {arch}.ssm.time_step_rank {heads}",
                      f"kv u32 {arch}.ssm.conv_kernel {self.value('linear_conv_kernel_dim')}"]
        kind = self.scaling().get("rope_type") or self.scaling().get("type")
        if kind in ("linear", "yarn") and not self.unscaled:
            lines += [f"kv string {arch}.rope.scaling.type {kind}",
                      f"kv f32 {arch}.rope.scaling.factor {self.scaling()['factor']}"]
        if self.value("type_vocab_size"):
            lines.append(f"kv u32 tokenizer.ggml.token_type_count {self.value('type_vocab_size')}")
        for name, shape in self.out.items():
            dtype = "F32" if len(shape) < 2 else "F16"
            lines.append(f"tensor {name} {dtype} {' '.join(map(str, shape))}")
        return "\n".join(lines) + "\n"


def mkhead(bench, *arguments):
    tool = os.path.join(os.path.dirname(bench.numel), "tool", "mkhead")
    subprocess.run([tool, "-q", "--level", "1", *arguments], check=True, stdout=subprocess.DEVNULL)


def compare(bench, a, b):
    found = json.loads(bench.run("diff", "--json", a, b))
    for key in ("tensors", "elements", "bytes"):
        total = found["a"][key] + sum(line[key] for line in found["statement"])
        same(f"a + statement, {key}", total, found["b"][key])
    return found


def check(found, causes, sign):
    told = {line["cause"]: line["elements"] for line in found["statement"] if line["elements"]}
    same("causes", told, {cause: sign * n for cause, n in causes.items()})
    same("unexplained", found["unexplained"], 0)
    same("equal", found["equal"], True)


def forget_scaling(conversion, bench, model, folder):
    """The scaling keys are dropped: no tensor differs, but the files are not equal."""
    written, conversion.unscaled = conversion.description(), True
    if conversion.description() != written:
        write(conversion, bench, folder)
        found = compare(bench, model, folder)
        same("unexplained without the scaling", found["unexplained"], 0)
        same("equal without the scaling", found["equal"], False)
        if "rope scaling was lost" not in found["verdict"]:
            raise Mismatch(f"the verdict does not mention the scaling: {found['verdict']}")
    conversion.unscaled = False


def spoil(conversion, bench, model, folder):
    """A lost tensor, and one with another shape: unexplained, and nothing else is."""
    names = [n for n in conversion.out if n.startswith("blk.") and len(conversion.out[n]) >= 1]
    lost, grown = names[len(names) // 3], names[len(names) // 2]
    shape = conversion.out.pop(lost)
    conversion.out[grown] = [*conversion.out[grown][:-1], conversion.out[grown][-1] * 3]
    write(conversion, bench, folder)
    found = compare(bench, model, folder)
    more = math.prod(conversion.out[grown]) // 3 * 2
    same(f"unexplained without {lost}, with a larger {grown}", found["unexplained"],
         math.prod(shape) + more)
    same("equal", found["equal"], False)


def write(conversion, bench, folder):
    os.makedirs(folder, exist_ok=True)
    path = folder + ".txt"
    with open(path, "w", encoding="utf-8") as file:
        file.write(conversion.description())
    mkhead(bench, path, folder)


def pair(bench, model, conversion, folder):
    if conversion.unknown:
        raise Mismatch(f"the package gguf has no name for {conversion.unknown[:3]}")
    write(conversion, bench, folder)
    check(compare(bench, model, folder), conversion.causes, 1)
    check(compare(bench, folder, model), conversion.causes, -1)
    forget_scaling(conversion, bench, model, folder)
    spoil(conversion, bench, model, folder)


def oracle(bench, path, folder):
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    params = {**data["params"], **(data.get("buffers") or {})}
    mkhead(bench, "--dtype", "BF16", "--json", path, folder)
    pair(bench, folder, Conversion(data["config"], params, data.get("tied") or {}), folder + "-gguf")


def published(bench, name, folder):
    """A fixture in its published form: experts one by one, FP8 with scales, MTP."""
    model = f"fixtures/{name}"
    with open(f"{model}/config.json", encoding="utf-8") as file:
        config = json.load(file)
    params = {t["name"]: t["shape"] for t in bench.tensors(model)}
    tied = {"lm_head.weight"} if name in ("qwen3-0.6b", "falcon-7b") else {}
    pair(bench, model, Conversion(config, params, tied, True), folder)


# Names that the package's map lacks, since transformers saves other names than were published.
NOT_MAPPED = r"falcon-rw|T5|DoubleHeads|Gemma3ForC|ForSequenceClassification"


def run(bench):
    shared = os.environ.get("NUMEL_SHARED", "../shared")
    root = os.path.join(bench.folder, "diff")
    for name in ("bert-base", "deepseek-v3", "falcon-7b", "gpt2", "llama-2-7b", "llama-2-7b-2023",
                 "llama-3.1-8b", "mixtral-8x7b", "qwen3-0.6b"):
        bench.case("diff: as published", name, published, name, f"{root}/{name}-gguf")
    paths = [p for part in ("hf-published", "hf-resized", "hf-default")
             for p in sorted(glob.glob(f"{shared}/oracle/{part}/*.json"))]
    if not paths:
        print(f"skipped: {shared}/oracle is not here")
    for path in paths:
        with open(path, encoding="utf-8") as file:
            kind = json.load(file)["config"].get("model_type")
        part, name = path.split(os.sep)[-2:]
        known = hasattr(gguf.MODEL_ARCH, ARCHITECTURES.get(kind, "?"))
        if known and not re.search(NOT_MAPPED, name):
            bench.case(f"diff: {part}", name, oracle, path, f"{root}/{part}-{name[:-5]}")

"""others_cases.py -- other tools' own counts, compared with numel's report of them.

huggingface_hub and gguf-py are installed for it. The Hub's own code is JavaScript: if node and npm exist, it is
installed and tested too, on random headers and configurations. peft needs PyTorch and transformers, which are used
if present but not installed. Missing tools are reported.
"""
import ast
import contextlib
import importlib.util
import io
import json
import os
import random
import shutil
import subprocess

from harness import same
import files

HUB_PACKAGE = "@huggingface/hub@2.17.5"


def row(bench, counter, path, *options):
    report = json.loads(bench.run("show", "--others", "--json", *options, path))
    return next(o for o in report["others"] if o["counter"] == counter)


def run(bench):
    for path, format in list(bench.made):
        if not os.path.isfile(path):
            continue
        if format == "safetensors" and importlib.util.find_spec("huggingface_hub"):
            bench.case("others: huggingface_hub", os.path.basename(path), by_type, path)
        elif format == "gguf" and "-of-" not in str(path):  # a shard would stand for its set
            bench.case("others: gguf-py's size label", os.path.basename(path), size_label, path)
    hub(bench)
    adapters(bench)


def by_type(bench, path):
    from huggingface_hub.hf_api import parse_local_safetensors_file_metadata
    count = parse_local_safetensors_file_metadata(path).parameter_count
    ours = row(bench, "huggingface_hub", path)
    same("by type", ast.literal_eval(ours["text"]), count)
    same("sum", ours["value"], sum(count.values()))


def size_label(bench, path):
    import gguf
    writer = gguf.GGUFWriter(None, "llama")
    for t in gguf.GGUFReader(path).tensors:
        shape = tuple(int(n) for n in reversed(t.shape))
        writer.tensors[0][t.name] = gguf.gguf_writer.TensorInfo(shape, t.tensor_type, 0, None)
    label = gguf.size_label(*writer.get_total_parameter_count())
    same("label", row(bench, "gguf-py size label", path)["text"].split(";")[0], label)


# ---- the Hub ------------------------------------------------------------------------------------

TYPES = ["F32", "F16", "BF16", "I64", "I32", "U32", "I16", "U16", "I8", "U8", "BOOL", "F8_E4M3", "F8_E8M0"]
MODULES = ["model.layers.0.self_attn.q_proj", "model.layers.1.mlp.experts.0.up_proj",
           "model.layers.1.mlp.shared_experts.up_proj", "lm_head", "model.norm", "a"]
ENDS = [".weight", ".qweight", ".qzeros", ".scales", ".biases", ".bias", ".g_idx", ".weight_packed",
        ".weight_scale", ".weight_scale_inv", ".weight_shape", ".weight_g_idx", ".input_scale",
        ".weight.absmax", ".weight.quant_map", ".weight.quant_state.bitsandbytes__nf4", "_blocks",
        "_scales", ".zero_point", ".scale", ""]
TARGETS = ["Linear", "lm_head", "re:.*experts.*", "re:^model\\.layers.0.*", "re:.*lm_head$",
           "re:.*(q|k)_proj", "re:model"]


def random_file(r, path):
    tensors, metadata = {}, None
    if r.random() < .3:
        metadata = {"total_parameters": r.choice(["10", "99999999999", "0", "x", "1e3"])}
    for _ in range(r.randint(1, 24)):
        name, dtype = r.choice(MODULES) + r.choice(ENDS), r.choice([*TYPES, "U8", "I32", "U32", "I8"])
        if name in tensors:
            continue
        shape = [r.choice([0, 1, 2, 3, 4, 8, 16, 32]) for _ in range(r.choice([0, 1, 1, 2, 3]))]
        tensors[name] = name, dtype, shape
    files.put(path, files.safetensors(tensors.values(), metadata))


def random_quantization(r):
    method = r.choice(["gptq", "awq", "AWQ", "bitsandbytes", "mxfp4", "compressed-tensors", "fp8", "hqq",
                       None, "mlx"])
    q = {"quant_method": method} if method not in (None, "mlx") else {}
    if method == "mlx":
        q.update(group_size=r.choice([16, 32, 64]), bits=r.choice([2, 3, 4, 6, 7, 8]))
        for m in r.sample(MODULES, 2):
            q[m] = r.choice([False, True, {"bits": 8}, {"mode": "mxfp4"}, {"group_size": 32}])
    elif method == "compressed-tensors":
        q["format"] = r.choice(["pack-quantized", "mxfp4-pack-quantized", "int-quantized", "INT2-Pack-Quantized"])
        q["config_groups"] = {f"g{i}": {"targets": r.sample(TARGETS, 2),
                                        "weights": {"num_bits": r.choice([2, 3, 4, 8])}}
                              for i in range(r.randint(0, 2))}
    elif r.random() < .8:
        q.update(r.choice([{"bits": r.choice([2, 3, 4, 8])}, {"load_in_4bit": True}]))
    if r.random() < .4:
        q["ignore"] = r.sample(TARGETS, 2)
    if r.random() < .4:
        q["modules_to_not_convert"] = r.sample(["lm_head", "*norm*", "model.layers.*", "experts"], 1)
    if r.random() < .4:
        q[r.choice(["expert_dtype", "store_dtype"])] = r.choice(["fp4", "fp8", "mxfp4", "int2"])
    return q


def random_config(r):
    q = random_quantization(r)
    return r.choice([{}, {"quantization_config": q}, {"quantization": q, "quantization_config": q},
                     {"text_config": {"quantization_config": q}, "expert_dtype": "fp4"}])


def hub(bench, files=400):
    here, place = os.path.dirname(os.path.abspath(__file__)), "build/hub"
    if not shutil.which("node") or not shutil.which("npm"):
        print("others: the Hub: skipped, no node or npm")
        return
    package = os.path.abspath(f"{place}/node_modules/@huggingface/hub/dist/index.mjs")
    if not os.path.exists(package):
        subprocess.run(["npm", "install", "--silent", "--no-save", "--prefix", place, HUB_PACKAGE],
                       capture_output=True, check=False)
    if not os.path.exists(package):
        print("others: the Hub: skipped, npm could not install", HUB_PACKAGE)
        return
    r, folders = random.Random(1), []
    for i in range(files):
        folders.append(f"{bench.folder}/hub/{i}")
        os.makedirs(folders[-1])
        random_file(r, f"{folders[-1]}/model.safetensors")
        with open(f"{folders[-1]}/config.json", "w", encoding="utf-8") as f:
            json.dump(random_config(r), f)
    done = subprocess.run(["node", f"{here}/hub.mjs", package, *folders], capture_output=True, check=True)
    for folder, line in zip(folders, done.stdout.splitlines(), strict=True):
        bench.case("others: the Hub's own code, random files", folder, hub_count, folder, json.loads(line))


def hub_count(bench, folder, theirs):
    same("value", row(bench, "Hub model size", folder)["value"], theirs["value"])


# ---- peft ---------------------------------------------------------------------------------------


def adapters(bench):
    if not all(importlib.util.find_spec(p) for p in ("torch", "transformers", "peft")):
        print("others: peft: skipped, it or torch or transformers is not here")
        return
    import peft
    q = {"target_modules": ["q_proj", "v_proj"]}
    for name, config in {
            "lora": peft.LoraConfig(r=8, **q), "dora": peft.LoraConfig(r=4, use_dora=True, **q),
            "ranks": peft.LoraConfig(r=8, rank_pattern={"v_proj": 4, "^.*layers.1.*q_proj": 2}, **q),
            "saved": peft.LoraConfig(r=8, modules_to_save=["lm_head"], **q),
            "table": peft.LoraConfig(r=8, target_modules=["embed_tokens", "q_proj"]),
            "bias": peft.LoraConfig(r=8, lora_bias=True, **q),
            "tokens": peft.LoraConfig(r=8, trainable_token_indices=[1, 2], **q),
            "adalora": peft.AdaLoraConfig(init_r=8, target_r=4, total_step=10, **q),
            "ia3": peft.IA3Config(feedforward_modules=[], **q), "loha": peft.LoHaConfig(r=4, **q),
            "lokr": peft.LoKrConfig(r=4, **q), "vera": peft.VeraConfig(r=4, target_modules=["q_proj"]),
            "prompts": peft.PromptTuningConfig(num_virtual_tokens=5, task_type="CAUSAL_LM")}.items():
        bench.case("others: peft's trainable parameters", name, trainable, name, config)


def trainable(bench, name, config):
    import peft
    import transformers
    base = transformers.LlamaConfig(hidden_size=64, intermediate_size=128, num_hidden_layers=2,
                                    num_attention_heads=4, num_key_value_heads=2, vocab_size=256,
                                    architectures=["LlamaForCausalLM"])
    model = peft.get_peft_model(transformers.LlamaForCausalLM(base), config)
    folder, printed = f"{bench.folder}/peft/{name}", io.StringIO()
    model.save_pretrained(folder)
    base.save_pretrained(folder + "-base")
    with contextlib.redirect_stdout(printed):
        model.print_trainable_parameters()
    ours = row(bench, "peft all params", folder, "--config", f"{folder}-base/config.json")
    same("printed", ours["text"], printed.getvalue().strip())

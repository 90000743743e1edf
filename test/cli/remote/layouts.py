#!/usr/bin/env python3
"""layouts.py DIR NAME... -- repositories of the stand-in for the hub, DIR/org/NAME, with the files of public ones.

The names and folders are as published; sizes are small, and data are holes. Files that numel does not read are holes.
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import files
import torchfile

STORAGE = {"F32": ("FloatStorage", 4), "F16": ("HalfStorage", 2), "BF16": ("BFloat16Storage", 2)}


class Repository:
    def __init__(self, root, name): self.dir = os.path.join(root, "org", name)

    def put(self, path, content=b"x\n"):
        if isinstance(content, dict): content = json.dumps(content, indent=1).encode()
        files.put(os.path.join(self.dir, path), content)

    def hole(self, size, *paths):
        for path in paths:
            self.put(path, b"")
            os.truncate(os.path.join(self.dir, path), size)

    def safetensors(self, path, tensors):
        files.sparse(os.path.join(self.dir, path), tensors, {"format": "pt"})

    def torch(self, path, tensors):
        pairs, storages = [], {}
        for i, (name, dtype, shape) in enumerate(tensors):
            kind, size = STORAGE[dtype]
            pairs.append((name, torchfile.tensor(str(i), files.product(shape), shape, kind=kind)))
            storages[str(i)] = bytes(files.product(shape) * size)
        self.put(path, torchfile.archive(torchfile.ordered(pairs), storages))


    def gguf(self, path, dtype, split=0):
        tensors = gguf_llama(dtype)
        each = -(-len(tensors) // (split or 1))
        for i in range(split or 1):
            name = f"{path}-{i + 1:05d}-of-{split:05d}.gguf" if split else path
            more = [("split.no", ("u16", i)), ("split.count", ("u16", split)), ("split.tensors.count", ("i32", len(tensors)))] if split else []
            os.makedirs(os.path.dirname(os.path.join(self.dir, name)), exist_ok=True)
            files.sparse_gguf(os.path.join(self.dir, name), (GGUF_LLAMA if i == 0 else []) + more, tensors[i * each:(i + 1) * each])

    def shards(self, tensors, count, stem="model", suffix=".safetensors", write=None):
        each, where = -(-len(tensors) // count), {}
        for i in range(count):
            name = f"{stem}-{i + 1:05d}-of-{count:05d}{suffix}"
            (write or self.safetensors)(name, tensors[i * each:(i + 1) * each])
            where.update((t[0], name) for t in tensors[i * each:(i + 1) * each])
        self.put(f"{stem}{suffix}.index.json", {"metadata": {"total_size": size_of(tensors)}, "weight_map": where})

    def tokenizer(self):
        self.put("tokenizer.json", b"{}" * 100)
        self.put("tokenizer_config.json", {"model_max_length": 4096})
        self.put("generation_config.json", {"eos_token_id": 2})
        self.put("README.md", b"# model\n")
        self.put(".gitattributes", b"*.safetensors filter=lfs\n")


# ---- a Llama of two layers: 2 * (2 * 64 * 64 + 2 * 32 * 64 + 3 * 128 * 64 + 2 * 64) + 2 * 320 * 64 + 64 = 115,008

E, F, V, L, KV = 64, 128, 320, 2, 32
CONFIG = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": E, "intermediate_size": F, "num_hidden_layers": L,
          "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": V, "max_position_embeddings": 4096, "rms_norm_eps": 1e-5,
          "tie_word_embeddings": False, "torch_dtype": "bfloat16"}
PARAMS = {"dim": E, "n_layers": L, "n_heads": 4, "n_kv_heads": 2, "vocab_size": V, "multiple_of": 64, "ffn_dim_multiplier": 0.75, "norm_eps": 1e-5}
SHAPES = {"q": [E, E], "k": [KV, E], "v": [KV, E], "o": [E, E], "gate": [F, E], "up": [F, E], "down": [E, F], "norm": [E], "norm2": [E]}
HF = {**{x: f"self_attn.{x}_proj" for x in "qkvo"}, **{x: f"mlp.{x}_proj" for x in ("gate", "up", "down")}, "norm": "input_layernorm", "norm2": "post_attention_layernorm"}
META = {**{x: f"attention.w{x}" for x in "qkvo"}, "gate": "feed_forward.w1", "up": "feed_forward.w3", "down": "feed_forward.w2", "norm": "attention_norm", "norm2": "ffn_norm"}


def size_of(tensors): return sum(files.product(s) * files.BITS[t] // 8 for _, t, s in tensors)


def llama(names=HF, layer="model.layers", ends=("model.embed_tokens", "model.norm", "lm_head")):
    return ([(ends[0] + ".weight", "BF16", [V, E])] + [(f"{layer}.{i}.{name}.weight", "BF16", SHAPES[x]) for i in range(L) for x, name in names.items()] +
            [(ends[1] + ".weight", "BF16", [E]), (ends[2] + ".weight", "BF16", [V, E])])


def meta_llama(): return llama(META, "layers", ("tok_embeddings", "norm", "output"))


# The same four times as wide, since blocks have 256 elements: 1,443,072.
GGUF_LLAMA = [("general.architecture", "llama"), ("general.quantization_version", 2), ("llama.block_count", L), ("llama.context_length", 4096), ("llama.embedding_length", 256),
              ("llama.feed_forward_length", 512), ("llama.attention.head_count", 4), ("llama.attention.head_count_kv", 2),
              ("llama.attention.layer_norm_rms_epsilon", ("f32", 1e-5)), ("llama.vocab_size", 512)]


def gguf_llama(dtype):
    wide = {"attn_norm": [256], "attn_q": [256, 256], "attn_k": [128, 256], "attn_v": [128, 256], "attn_output": [256, 256], "ffn_norm": [256],
            "ffn_gate": [512, 256], "ffn_up": [512, 256], "ffn_down": [256, 512]}
    of = lambda name, shape: (name + ".weight", "F32" if len(shape) == 1 else dtype, shape)
    return [of("token_embd", [512, 256])] + [of(f"blk.{i}.{n}", s) for i in range(L) for n, s in wide.items()] + [of("output_norm", [256]), of("output", [512, 256])]


# ---- the repositories

def large(r):
    """3,000 tensors: a pickle and a directory that are larger than the first ranges."""
    r.torch("pytorch_model.bin", [(f"model.layers.{i}.a.long.name.of.a.tensor.weight", "F32", [2, 3]) for i in range(3000)])


def llama_3_1_8b(r):
    r.tokenizer(), r.put("config.json", CONFIG), r.shards(llama(), 2)
    r.torch("original/consolidated.00.pth", meta_llama()), r.put("original/params.json", PARAMS), r.put("original/tokenizer.model")


def llama_2_70b(r):
    """Two files, each with half of every matrix, as Meta's loader wants them: by rows, or by columns."""
    r.put("params.json", {**PARAMS, "vocab_size": V}), r.put("tokenizer.model"), r.put("checklist.chk")
    by_columns = ("wo", "w2", "tok_embeddings")
    half = lambda name, s: s if len(s) == 1 else [s[0], s[1] // 2] if any(x in name for x in by_columns) else [s[0] // 2, s[1]]
    for rank in 0, 1: r.torch(f"consolidated.0{rank}.pth", [(n, t, half(n, s)) for n, t, s in meta_llama()])


def mistral_7b(r):
    r.tokenizer(), r.put("config.json", {**CONFIG, "architectures": ["MistralForCausalLM"], "model_type": "mistral"}), r.shards(llama(), 3)
    r.safetensors("consolidated.safetensors", meta_llama()), r.put("tokenizer.model.v3")
    r.put("params.json", {"dim": E, "n_layers": L, "head_dim": 16, "hidden_dim": F, "n_heads": 4, "n_kv_heads": 2, "norm_eps": 1e-5, "vocab_size": V})


def published(r):
    """Two shards with data, for copies that are damaged."""
    tensors = llama()
    r.put("config.json", CONFIG), r.put("README.md"), r.shards(tensors, 2)
    for i, name in enumerate(["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"]):
        part = tensors[i * 11:i * 11 + 11]
        files.sparse(os.path.join(r.dir, name), part, {"format": "pt"}, {n: bytes(range(1, 256)) * (size_of([(n, t, s)]) // 255) for n, t, s in part})


def gpt2(r):
    """Next to model.safetensors, which publish.sh writes: every other format."""
    r.tokenizer(), r.put("vocab.json", {}), r.put("merges.txt"), r.put("onnx/config.json", {})
    r.hole(548118077, "pytorch_model.bin", "tf_model.h5", "flax_model.msgpack", "rust_model.ot", "64.tflite", "onnx/decoder_model.onnx")


def bin_shards(r): r.tokenizer(), r.put("config.json", CONFIG), r.shards(llama(), 2, "pytorch_model", ".bin", r.torch)
def config_only(r): r.put("config.json", CONFIG), r.put("README.md")
def nothing(r): r.put(".gitattributes")


def bartowski(r):
    for name, dtype in ("Q8_0", "Q8_0"), ("Q4_0", "Q4_0"), ("f16", "F16"): r.gguf(f"Tiny-{name}.gguf", dtype)
    r.hole(4000000, "Tiny.imatrix")


def unsloth(r):
    r.gguf("Tiny-Q6_K.gguf", "Q6_K"), r.put("config.json", {**CONFIG, "hidden_size": 256, "intermediate_size": 512, "vocab_size": 512})
    for name in "Q8_0", "BF16": r.gguf(f"{name}/Tiny-{name}", name, 2)


def lora(r, folder=""):
    names = [(f"base_model.model.model.layers.{i}.self_attn.{x}_proj.lora_", SHAPES[x][0]) for i in range(L) for x in "qv"]
    tensors = [t for name, out in names for t in ((name + "A.weight", "F32", [8, E]), (name + "B.weight", "F32", [out, 8]))]
    r.safetensors(folder + "adapter_model.safetensors", tensors)
    r.put(folder + "adapter_config.json", {"peft_type": "LORA", "base_model_name_or_path": "org/tiny", "r": 8, "lora_alpha": 16,
                                           "target_modules": ["q_proj", "v_proj"], "bias": "none", "task_type": "CAUSAL_LM"})
    if folder: r.torch(folder + "optimizer.pt", [("a", "F32", [4])]), r.put(folder + "trainer_state.json", {"global_step": 1})
    else: lora(r, "checkpoint-100/"), r.put("training_args.bin")


def training(r):
    for folder in "", "checkpoint-500/", "checkpoint-1000/":
        r.put(folder + "config.json", CONFIG), r.safetensors(folder + "model.safetensors", llama()), r.put(folder + "training_args.bin")
        if folder: r.hole(460160, folder + "optimizer.pt", folder + "rng_state.pth", folder + "scheduler.pt")


def repackaged(r):
    """Only folders in a folder, as ComfyUI's repackaged models have them."""
    r.safetensors("split_files/text_encoders/tiny.safetensors", llama()), r.put("README.md")
    r.safetensors("split_files/vae/ae.safetensors", [("decoder.conv_in.weight", "F32", [8, 4, 3, 3])])


def whisper(r):
    """The index of a variant, whose shards are next to one file in half precision."""
    tensors = [(n, "F32", s) for n, _, s in llama()]
    r.put("config.json", CONFIG), r.safetensors("model.safetensors", llama()), r.shards(tensors, 2, "model.fp32")
    os.rename(os.path.join(r.dir, "model.fp32.safetensors.index.json"), os.path.join(r.dir, "model.safetensors.index.fp32.json"))
    r.hole(1000, "pytorch_model.bin", "pytorch_model.fp32-00001-of-00002.bin", "pytorch_model.fp32-00002-of-00002.bin", "flax_model.msgpack")


def trust(r):
    """Remote code, figures, other programs' folders."""
    r.tokenizer(), r.put("config.json", {**CONFIG, "auto_map": {"AutoModel": "modeling_x.LlamaModel"}}), r.shards(llama(), 4)
    r.put("modeling_x.py"), r.put("inference/model.py"), r.put("inference/configs/config_671B.json", {}), r.put("figures/a.png")
    r.hole(13750886400, "metal/model.bin"), r.hole(1000, "openvino/openvino_model.bin", "coreml/a.mlpackage/Data/weights/weight.bin")


def names(r):
    """Blanks, a hash, a percent sign, other alphabets."""
    r.put("config.json", CONFIG), r.safetensors("my model #1 100% \u00fc \u6a21\u578b.safetensors", llama()), r.put("a b/c#d/e%20f.json", {})
    r.gguf("Q8 (M)/model+v1?.gguf", "Q8_0")


def main():
    for name in sys.argv[2:]: globals()[name.replace("-", "_").replace(".", "_")](Repository(sys.argv[1], name))


main()

"""Makes fixtures/pytorch: files that torch writes, cases.tar.xz, and what torch loads from them, TRUTH.jsonl: the names of tensors (keys
with dots between; the names of a dict of weights beside others stand for themselves), types, shapes, SHA-256 of the elements in row-major
order, and whether they are one range of the file. Of a file that needs code: the global that it needs.

    venv/bin/python test/gen/pytorch_cases.py

Packages: test/gen/requirements/pytorch.txt
"""
import argparse
import collections
import hashlib
import io
import json
import lzma
import os
import sys
import tarfile
import tempfile

import numpy
import torch
from safetensors.torch import save_file

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
OUT = ROOT + "/fixtures/pytorch"
TYPES = {torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.float64: "F64", torch.int64: "I64", torch.int32: "I32", torch.int16: "I16",
         torch.int8: "I8", torch.uint8: "U8", torch.bool: "BOOL", torch.complex64: "C64", torch.complex128: "C128", torch.float8_e4m3fn: "F8_E4M3",
         torch.float8_e5m2: "F8_E5M2", torch.uint16: "U16", torch.uint32: "U32", torch.uint64: "U64"}
MODELS = ("state_dict", "model_state_dict", "model", "module", "net", "params_ema", "params")


def is_tensor(x): return isinstance(x, torch.Tensor)
def is_weight(x): return is_tensor(x) and x.dim() > 0


def chosen(root):
    if not isinstance(root, dict) or any(map(is_weight, root.values())): return None
    for key in MODELS:
        if isinstance(root.get(key), dict) and any(map(is_weight, root[key].values())): return root[key]
    return None


COMPRESSED = {torch.sparse_csr: ("crow_indices", "col_indices", "values"), torch.sparse_csc: ("ccol_indices", "row_indices", "values"),
              torch.sparse_bsr: ("crow_indices", "col_indices", "values"), torch.sparse_bsc: ("ccol_indices", "row_indices", "values")}


def flat(x, path, model):
    """A sparse tensor is stored as several."""
    parts = () if not is_tensor(x) else ("_indices", "_values") if x.layout == torch.sparse_coo else COMPRESSED.get(x.layout, ())
    for p in parts: yield ".".join((*path, p.lstrip("_"))), getattr(x, p)()
    if is_tensor(x) and not parts: yield ".".join(path) or "tensor", x
    items = x.items() if isinstance(x, dict) else enumerate(x) if isinstance(x, (list, tuple)) else ()
    if x is model: path = ()
    for k, v in items: yield from flat(v, path + (str(k),), model)


def facts(root):
    model = chosen(root)
    for name, t in flat(root, (), model):
        raw = t.detach().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes() if t.numel() else b""
        yield {"name": name, "type": TYPES[t.dtype], "shape": list(t.shape), "sha256": hashlib.sha256(raw).hexdigest(), "range": t.is_contiguous()}


def llama(layers=2, width=16, inner=24, words=32):
    shapes = {"model.embed_tokens.weight": (words, width)}
    for i in range(layers):
        p = "model.layers.%d." % i
        shapes.update({p + "self_attn.q_proj.weight": (width, width), p + "self_attn.k_proj.weight": (width // 2, width), p + "self_attn.v_proj.weight": (width // 2, width),
                       p + "self_attn.o_proj.weight": (width, width), p + "mlp.gate_proj.weight": (inner, width), p + "mlp.up_proj.weight": (inner, width),
                       p + "mlp.down_proj.weight": (width, inner), p + "input_layernorm.weight": (width,), p + "post_attention_layernorm.weight": (width,)})
    shapes.update({"model.norm.weight": (width,), "lm_head.weight": (words, width)})
    return collections.OrderedDict((n, torch.randn(*s, dtype=torch.bfloat16)) for n, s in shapes.items())


CONFIG = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4,
          "num_key_value_heads": 2, "vocab_size": 32, "tie_word_embeddings": False, "rms_norm_eps": 1e-5, "max_position_embeddings": 64, "torch_dtype": "bfloat16"}


class Opaque: pass
Opaque.__module__ = "their.code"


def trained():
    m = torch.nn.Linear(4, 3)
    o = torch.optim.AdamW(m.parameters())
    m(torch.randn(2, 4)).sum().backward()
    o.step()
    return m, o


def objects():
    """name: (object, options of torch.save)"""
    x, m, o = torch.randn(4, 6), *trained()
    zoo = {str(d)[6:]: torch.zeros(5, dtype=d) for d in TYPES}
    yield "types.pt", zoo, {}
    zoo = {k: v for k, v in zoo.items() if not k.startswith(("float8", "uint16", "uint32", "uint64"))}
    yield "types-legacy.pt", zoo, {"_use_new_zipfile_serialization": False}
    views = {"a": x, "same": x, "turned": x.t(), "rows": x[1:3], "column": x[:, 2], "wide": x[0:1].expand(3, 6), "none": x[:0]}
    yield "views.pt", views, {}
    yield "views-legacy.pt", views, {"_use_new_zipfile_serialization": False}
    yield "channels-last.pt", {"conv": torch.randn(4, 3, 2, 2).to(memory_format=torch.channels_last), "one": torch.randn(4, 1, 2, 2).to(memory_format=torch.channels_last)}, {}
    for p in (3, 4, 5): yield "protocol-%d.pt" % p, {"a": x, "b": {"c": [x[0], x[1]], "d": (x,)}}, {"pickle_protocol": p}
    yield "parameters.pt", collections.OrderedDict(p=torch.nn.Parameter(x), b=torch.nn.Buffer(x.clone()), s=torch.tensor(1.5)), {}
    yield "module.state.pth", m.state_dict(), {}
    yield "lightning.ckpt", {"epoch": 3, "global_step": 100, "pytorch-lightning_version": "2.1.0", "state_dict": m.state_dict(), "optimizer_states": [o.state_dict()],
                             "lr_schedulers": [{"last_lr": [0.1], "milestones": collections.Counter([3, 7])}], "hparams": {"lr": 1e-4, "np": numpy.float64(0.5)}}, {}
    yield "trainer.pt", {"model": m.state_dict(), "optimizer": o.state_dict(), "args": argparse.Namespace(lr=0.1, size=torch.Size([2, 3]))}, {}
    yield "trainer-legacy.pt", {"model": m.state_dict(), "optimizer": o.state_dict()}, {"_use_new_zipfile_serialization": False}
    yield "esrgan.pth", {"params": {"w": x}, "params_ema": {"w": x + 1}}, {}
    yield "integers.pt", {0: x, 7: {3: x[0]}}, {}
    yield "tensor.pt", x, {}
    yield "list.pt", [x, 5, "text", {"w": x[0]}], {}


def save(folder):
    for name, value, how in objects():
        torch.save(value, folder + "/" + name, **how)
        yield {"file": name, "tensors": list(facts(torch.load(folder + "/" + name, weights_only=False)))}
    torch.save(trained()[0], folder + "/module.pt")
    yield {"file": "module.pt", "needs": "torch.nn.modules.linear.Linear"}
    sys.modules["their"] = sys.modules["their.code"] = type(sys)("their.code")
    sys.modules["their.code"].Opaque = Opaque
    opaque = Opaque()
    opaque.w = torch.randn(3)
    torch.save({"ema": opaque, "state_dict": {"w": torch.randn(2)}}, folder + "/opaque.ckpt")
    yield {"file": "opaque.ckpt", "needs": "their.code.Opaque", "tensors": list(facts({"state_dict": torch.load(folder + "/opaque.ckpt", weights_only=False)["state_dict"]}))}
    torch.jit.save(torch.jit.script(trained()[0]), folder + "/script.pt")
    yield {"file": "script.pt", "needs": "TorchScript"}


def models(folder):
    """The same llama as safetensors, in one file, in shards, and by the old format, each in a folder."""
    sd = llama()
    size = sum(t.numel() * 2 for t in sd.values())
    for kind in ("safetensors", "bin", "shards", "legacy", "both"):
        at = folder + "/llama-" + kind
        os.makedirs(at)
        with open(at + "/config.json", "w") as f: json.dump(CONFIG, f)
        if kind in ("safetensors", "both"): save_file(dict(sd), at + "/model.safetensors", metadata={"format": "pt"})
        if kind in ("bin", "both"): torch.save(sd, at + "/pytorch_model.bin")
        if kind == "legacy": torch.save(sd, at + "/pytorch_model.bin", _use_new_zipfile_serialization=False)
    names, half, index = list(sd), len(sd) // 2, {}
    for i, part in enumerate((names[:half], names[half:])):
        file = "pytorch_model-%05d-of-00002.bin" % (i + 1)
        torch.save({n: sd[n] for n in part}, folder + "/llama-shards/" + file)
        index.update(dict.fromkeys(part, file))
    with open(folder + "/llama-shards/pytorch_model.bin.index.json", "w") as f: json.dump({"metadata": {"total_size": size}, "weight_map": index}, f)
    yield {"file": "llama-bin/pytorch_model.bin", "tensors": list(facts(sd))}


def later(folder):
    """What was added after the models: their random numbers stay."""
    m, o = trained()
    x = torch.randn(4, 6)
    for p in (1, 3, 4, 5):
        name = "protocol-%d-legacy.pt" % p
        torch.save({"a": x, "b": [x[0]]}, folder + "/" + name, pickle_protocol=p, _use_new_zipfile_serialization=False)
        yield {"file": name, "tensors": list(facts(torch.load(folder + "/" + name, weights_only=False)))}
    objects = {"sparse.pt": {"coo": x.relu().to_sparse(), "csr": x.to_sparse_csr(), "csc": x.to_sparse_csc(), "bsr": x.to_sparse_bsr((2, 2)), "bsc": x.to_sparse_bsc((2, 2))},
               "loss.pt": {"model": {"_orig_mod." + k: v for k, v in m.state_dict().items()}, "optimizer": o.state_dict(), "iter_num": 7, "best_val_loss": torch.tensor(2.5)},
               "deepspeed.pt": {"module": m.state_dict(), "optimizer": None, "param_shapes": [collections.OrderedDict((k, v.shape) for k, v in m.state_dict().items())],
                                "sparse_tensor_module_names": set(), "ds_config": {"zero": {"stage": 2}}},
               "megatron.pt": {"args": argparse.Namespace(hidden_size=6), "checkpoint_version": 3.0,
                               "model": {"language_model": {"embedding": {"word_embeddings": {"weight": x}}}}, "rng_state": [{"torch_rng_state": torch.arange(8, dtype=torch.uint8)}]}}
    for name, value in objects.items():
        torch.save(value, folder + "/" + name)
        yield {"file": name, "tensors": list(facts(torch.load(folder + "/" + name, weights_only=False)))}


def pack(folder):
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as t:
        for at, _, files in sorted(os.walk(folder)):
            for f in sorted(files):
                info = t.gettarinfo(os.path.join(at, f), os.path.relpath(os.path.join(at, f), folder))
                info.mtime, info.uid, info.gid, info.uname, info.gname, info.mode = 0, 0, 0, "", "", 0o644
                with open(os.path.join(at, f), "rb") as data: t.addfile(info, data)
    with open(OUT + "/cases.tar.xz", "wb") as f: f.write(lzma.compress(raw.getvalue(), preset=9 | lzma.PRESET_EXTREME))


def main():
    torch.manual_seed(1)
    os.makedirs(OUT, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        rows = [*save(folder), *models(folder), *later(folder)]
        pack(folder)
    with open(OUT + "/TRUTH.jsonl", "w") as f:
        for r in rows: f.write(json.dumps(r, separators=(",", ":")) + "\n")


if __name__ == "__main__": main()

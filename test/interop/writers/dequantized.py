"""dequantized.py -- the plain weights of a written checkpoint, as the library's own code computes them.

plain(writer, folder, dtype) gives {name: tensor}. Scales and zero points are first turned into `dtype`: of float32
the results are those that numel promises, to the last bit; of None (as they are stored) they have the library's own
rounding. Weights for which a library has no code that runs on a CPU are left out.
"""
import glob, json, os


def stored(folder):
    from safetensors.torch import load_file
    made = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.safetensors"))):
        made.update(load_file(path))
    return made


def config_of(folder):
    with open(os.path.join(folder, "config.json")) as f:
        return json.load(f)


def modules(tensors, suffix):
    """(module, {local name: tensor}) of each module with that tensor."""
    for name in sorted(tensors):
        if name.endswith("." + suffix):
            m = name[:-len(suffix)]
            yield m, {n[len(m):]: t for n, t in tensors.items() if n.startswith(m)}


def wide(t, dtype):
    return t.to(dtype) if dtype is not None and t.is_floating_point() and t.element_size() > 1 else t


def bnb4(data, state):
    """bitsandbytes 0.50.2 has a wrong kernel for CPUs where a block goes on in the next row; then its code in torch."""
    import bitsandbytes.functional as F
    from bitsandbytes.backends.default.ops import _dequantize_4bit_compute
    if state.shape[-1] % state.blocksize == 0:
        return F.dequantize_4bit(data, state)
    scales = F.dequantize_blockwise(state.absmax, state.state2) + state.offset if state.nested else state.absmax
    return _dequantize_4bit_compute(data.reshape(-1), scales, state.code, state.blocksize, state.shape, state.dtype)


def bnb(folder, dtype):
    import bitsandbytes.functional as F
    import torch
    t = stored(folder)
    for name in t:
        if ".quant_state.bitsandbytes__" in name:
            w = name.split(".quant_state.")[0]
            state = F.QuantState.from_dict({n[len(w) + 1:]: v for n, v in t.items() if n.startswith(w + ".")}, "cpu")
            state.dtype = dtype or state.dtype
            yield w, bnb4(t[w].view(torch.uint8), state)
        elif name.endswith(".SCB"):
            w = name[:-3] + "weight"
            yield w, F.int8_vectorwise_dequant(t[w], t[name])


def fp8(folder, dtype):
    import torch
    from transformers.integrations.finegrained_fp8 import Fp8Dequantize
    how, t = Fp8Dequantize(None), stored(folder)
    for m, x in modules(t, "weight_scale_inv"):
        yield m + "weight", how._dequantize_one(x["weight"], wide(x["weight_scale_inv"], dtype), dtype)


def hqq(folder, dtype):
    import torch
    from hqq.core.quantize import HQQLinear
    t = stored(folder)
    for m, x in modules(t, "W_q"):
        layer = HQQLinear(None, None, compute_dtype=dtype or torch.bfloat16, device="cpu", initialize=False)
        layer.load_state_dict(x)
        yield m + "weight", layer.dequantize()


def quanto(folder, dtype):
    import optimum.quanto as q
    import torch
    from optimum.quanto.tensor.packed import PackedTensor
    qtypes = {8: q.qint8, 4: q.qint4, 2: q.qint2}
    t = stored(folder)
    for m, x in modules(t, "weight._scale"):
        scale = wide(x["weight._scale"], dtype)
        if "weight._data" in x:
            data = x["weight._data"]
            kind = q.qint8 if data.dtype == torch.int8 else q.qtypes[str(data.dtype).replace("torch.float8", "qfloat8")]
            yield m + "weight", q.WeightQBytesTensor(kind, 0, data.shape, data.stride(), data, scale, None).dequantize()
            continue
        data, rows = x["weight._data._data"], scale.shape[0]
        bits = 8 * data.shape[0] // rows
        shape = (rows, data.shape[1])
        packed = PackedTensor(data, bits, torch.Size(shape), (data.shape[1], 1))
        w = q.WeightQBitsTensor(qtypes[bits], 0, data.shape[1], torch.Size(shape), (data.shape[1], 1), packed, scale,
                                wide(x["weight._shift"], dtype))
        yield m + "weight", w.dequantize()  # in rows of groups


def torchao(folder, dtype):
    import torch
    import transformers
    import torchao.utils
    cls = getattr(transformers, config_of(folder)["architectures"][0])
    model = cls.from_pretrained(folder, device_map="cpu", dtype="auto")
    for name, w in model.named_parameters():
        if not isinstance(w, torchao.utils.TorchAOBaseTensor):
            continue
        if dtype is not None:
            for n in ("scale", "zero_point", "dtype"):
                v = getattr(w, n, None)
                if isinstance(v, torch.Tensor) and v.is_floating_point() and v.element_size() > 1:
                    setattr(w, n, v.to(dtype))
        if dtype is not None and type(w).__name__ == "IntxUnpackedToInt8Tensor":  # it has no way to name another type
            from torchao.quantization.quant_primitives import dequantize_affine
            yield name, dequantize_affine(w.qdata, w.block_size, w.scale, w.zero_point, torch.int8, output_dtype=dtype)
            continue
        try:
            yield name, w.dequantize(output_dtype=dtype) if dtype is not None else w.dequantize()
        except TypeError:
            yield name, w.dequantize()


def compressed(folder, dtype):
    import transformers
    from compressed_tensors.compressors import BaseCompressor
    from compressed_tensors.compressors.nvfp4.helpers import unpack_fp4_from_uint8 as nibbles
    from transformers.utils.quantization_config import CompressedTensorsConfig
    cls = getattr(transformers, config_of(folder)["architectures"][0])
    whole = config_of(folder)["quantization_config"]["format"]
    model = cls.from_pretrained(folder, device_map="cpu", dtype="auto",
                                quantization_config=CompressedTensorsConfig(run_compressed=True))
    t = stored(folder)
    for name, module in model.named_modules():
        scheme = getattr(module, "quantization_scheme", None)
        if scheme is None or scheme.weights is None:
            continue
        form = scheme.format or whole
        how = BaseCompressor.get_value_from_registry(getattr(form, "value", form))
        local = {n[len(name) + 1:]: wide(v, dtype) for n, v in t.items() if n.startswith(name + ".")}
        if "fp4" in str(form) and dtype is not None:
            import compressed_tensors.compressors.nvfp4.base as base
            base.unpack_fp4_from_uint8 = lambda a, m, n: nibbles(a, m, n, dtype)
        yield name + ".weight", how.decompress(local, scheme)["weight"]


def gptqmodel(folder, dtype):
    """GPTQ by the layer in pure torch, AWQ by its unpacking functions."""
    import torch
    from gptqmodel.nn_modules.qlinear.torch import TorchLinear
    from gptqmodel.quantization.awq.utils.packing_utils import dequantize_gemm
    from gptqmodel.utils.model import convert_gptq_v1_to_v2_format_module
    q, t = config_of(folder)["quantization_config"], stored(folder)
    for m, x in modules(t, "qweight"):
        scales = wide(x["scales"], dtype)
        bits, group = q["bits"], q["group_size"]
        for pattern, more in (q.get("dynamic") or {}).items():
            import re
            if re.match(pattern[2:] if pattern[:2] in ("+:", "-:") else pattern, m[:-1]):
                bits, group = more.get("bits", bits), more.get("group_size", group)
        if q["quant_method"] == "awq":
            group = group if group > 0 else x["qweight"].shape[0]
            yield m + "weight", dequantize_gemm(x["qweight"], x["qzeros"], scales, bits, group).T
            continue
        inputs, outputs = x["g_idx"].shape[0], scales.shape[1]
        form = q.get("checkpoint_format", "gptq")
        layer = TorchLinear(bits, group, q["sym"], q["desc_act"], inputs, outputs, bias="bias" in x, format=form)
        layer.load_state_dict(x)
        if form == "gptq":
            convert_gptq_v1_to_v2_format_module(layer, bits, torch.int32)
        layer.post_init()
        layer.eval()
        layer.scales = scales
        yield m + "weight", layer.dequantize_weight().T


def mlx(folder, dtype):
    import mlx.core as mx
    import numpy as np
    import torch
    q = config_of(folder)["quantization"]
    t = {}
    for path in glob.glob(os.path.join(folder, "*.safetensors")):
        t.update(mx.load(path))
    with mx.stream(mx.cpu):
        for m, x in modules(t, "scales"):
            own = q.get(m[:-1], {}) or {}
            mode = own.get("mode", "affine") if own else q.get("mode", "affine")
            how = dict(group_size=own.get("group_size", q["group_size"]), bits=own.get("bits", q["bits"]), mode=mode)
            s, b = x["scales"], x.get("biases")
            if dtype is not None and mode == "affine":
                s, b = s.astype(mx.float32), b.astype(mx.float32)
            if dtype is not None and mode != "affine":
                how["dtype"] = mx.float32
            w = mx.dequantize(x["weight"], s, b, **how).astype(mx.float32)
            yield m + "weight", torch.from_numpy(np.array(w))


LIBRARIES = dict(bnb=bnb, fp8=fp8, hqq=hqq, quanto=quanto, torchao=torchao, compressed=compressed, gptqmodel=gptqmodel,
                 mlx=mlx)


def plain(writer, folder, dtype):
    import torch
    with torch.no_grad():
        return {n: w.detach().float().contiguous() for n, w in LIBRARIES[writer](folder, dtype)}


def write(writer, base, folder, out):
    """The checkpoint with plain weights, and their names in unpacked.json."""
    import torch
    from safetensors.torch import save_file
    if writer not in LIBRARIES:
        raise LookupError(f"no function here dequantizes weights of {writer}")
    shapes = {n: t.shape for n, t in stored(base).items()}
    made = {n: t.reshape(shapes.get(n, t.shape)) for n, t in plain(writer, folder, torch.float32).items()}
    if not made:
        raise LookupError("no weight is dequantized")
    os.makedirs(out, exist_ok=True)
    save_file({**{n: t for n, t in stored(folder).items() if n.endswith(("norm.weight", "embed_tokens.weight", "lm_head.weight"))},
               **made}, os.path.join(out, "model.safetensors"), metadata={"format": "pt"})
    config = config_of(folder)
    for key in ("quantization_config", "quantization"):
        config.pop(key, None)
    for name, what in ("config.json", config), ("unpacked.json", sorted(made)):
        with open(os.path.join(out, name), "w") as f:
            json.dump(what, f)

"""Training checkpoints: shapes identify the tensors besides the weights, and the weights are a model of their own.

The model is a small Llama with its tensors listed here; names are those that torch's optimizers, DCP, FSDP,
compile(), EMA classes and accelerate write. Then the weights in slices, one file per rank, as
torch.distributed.checkpoint's HuggingFaceStorageWriter (torch 2.15) writes them. Then neighbours with one error
each.

  B=build/release python3 test/truth/components/training.py [NAME...]
"""
import json
import math
import os
import sys
import tempfile

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import components
import files
from components import check, run as said, write

V, E, L, H, K, D, F = 97, 48, 2, 6, 2, 8, 80
CONFIG = dict(model_type="llama", architectures=["LlamaForCausalLM"], vocab_size=V, hidden_size=E, num_hidden_layers=L, num_attention_heads=H,
              num_key_value_heads=K, head_dim=D, intermediate_size=F, tie_word_embeddings=False)
SHAPES = {"model.embed_tokens.weight": [V, E], "model.norm.weight": [E], "lm_head.weight": [V, E]}
for i in range(L):
    for name, shape in (("input_layernorm", [E]), ("self_attn.q_proj", [H * D, E]), ("self_attn.k_proj", [K * D, E]), ("self_attn.v_proj", [K * D, E]),
                        ("self_attn.o_proj", [E, H * D]), ("post_attention_layernorm", [E]), ("mlp.gate_proj", [F, E]), ("mlp.up_proj", [F, E]),
                        ("mlp.down_proj", [E, F])):
        SHAPES["model.layers.%d.%s.weight" % (i, name)] = shape
N, COUNT = sum(math.prod(s) for s in SHAPES.values()), len(SHAPES)
WEIGHTS = {k: ("BF16", s) for k, s in SHAPES.items()}
NUMBERED = [(str(i), s) for i, s in enumerate(SHAPES.values())]


def adam(items, form, tensors=(), step=True):
    out = dict(tensors)
    for name, shape in items:
        for m in "exp_avg", "exp_avg_sq": out[form % (name, m)] = ("F32", shape)
        if step: out[form % (name, "step")] = ("F32", [])
    return out


def front(word, tensors): return {word + k: v for k, v in tensors.items()}


def factored(shape):
    if len(shape) < 2: return {"exp_avg_sq": shape}
    return {"exp_avg_sq_row": shape[:-1], "exp_avg_sq_col": shape[:-2] + shape[-1:]}


def quantized(shape):
    n = math.prod(shape)
    return {"state1": ("U8", shape), "state2": ("U8", shape), "absmax1": ("F32", [-(-n // 256)]), "absmax2": ("F32", [-(-n // 256)]),
            "qmap1": ("F32", [256]), "qmap2": ("F32", [256])}


def kept(states, tensors=WEIGHTS, form="optimizer.state.%s.%s"):
    """The states that states(shape) adds to each weight."""
    return {**tensors, **{form % (k, m): ("F32", s) for k, v in SHAPES.items() for m, s in states(v).items()}}


def of_torch_adafactor(shape):
    """Keeps the reduced axis, as torch's own does."""
    if len(shape) < 2: return {"variance": shape, "step": []}
    return {"row_var": shape[:-1] + [1], "col_var": shape[:-2] + [1] + shape[-1:], "step": []}


def of_muon(name, shape, second={}):
    """Of timm 1.0.31: hidden matrices by Muon, the rest by AdamW."""
    if "layers" in name and len(shape) > 1: return {"momentum_buffer": ("F32", shape), "use_muon": ("BOOL", []), **second}
    return {**{m: ("F32", shape) for m in ("exp_avg", "exp_avg_sq")}, "step": ("F32", []), "use_muon": ("BOOL", [])}


def by_name(states, form="optimizer.state.%s.%s"):
    return {**WEIGHTS, **{form % (k, m): t for k, v in SHAPES.items() for m, t in states(k, v).items()}}


def in_rows(shape):
    """timm's Adafactor of big_vision: means that keep their axis."""
    if len(shape) < 2: return {"exp_avg_sq": shape, "exp_avg": shape, "step": []}
    return {"exp_avg_sq_r": [1] + shape[1:], "exp_avg_sq_c": shape[:-1] + [1], "exp_avg": shape, "step": []}


def of_kron(shape):
    """timm's: one triangular matrix per axis, of a form that is not stated here."""
    return {"momentum_buffer": shape, "step": [], **{"Q.%d" % i: [n, n] if len(shape) > 1 else [n] for i, n in enumerate(shape)}}


MATRICES, OF_MUON = sum("layers" in k and len(v) > 1 for k, v in SHAPES.items()), by_name(of_muon)
ADAFACTOR = kept(lambda s: {**factored(s), "exp_avg": s, "RMS": [], "step": []})


def but(tensors, name, what):
    out = dict(tensors)
    if what is None: del out[name]
    else: out[name] = what
    return out


STATE = "optimizer.state.%s.%s"
BOTH = adam(SHAPES.items(), STATE, WEIGHTS)
LAYERS = {k.replace("layers.0.", "layers.0._fsdp_wrapped_module._checkpoint_wrapped_module."): v for k, v in WEIGHTS.items()}
NORM = "optimizer.state.model.norm.weight.exp_avg"
COPIES = {**WEIGHTS, **front("ema.", WEIGHTS)}
# name: tensors, status, {part: tensors}
RIGHT = {
    "plain": (WEIGHTS, {}),
    "twice": (front("model.", WEIGHTS), {}),
    "by-name": (BOTH, {"optimizer": 2 * COUNT, "steps": COUNT}),
    "behind": (adam(SHAPES.items(), "%s.%s", WEIGHTS), {"optimizer": 2 * COUNT, "steps": COUNT}),
    "in-front": ({**WEIGHTS, **front("optimizer.exp_avg.", WEIGHTS), **front("optimizer.exp_avg_sq.", WEIGHTS)}, {"optimizer": 2 * COUNT}),
    "by-number": (adam(NUMBERED, "state.%s.%s", WEIGHTS), {"optimizer": 2 * COUNT, "steps": COUNT}),
    "some-by-number": (adam(NUMBERED[3:9], "optimizer.state.%s.%s", WEIGHTS), {"optimizer": 12, "steps": 6}),
    "wrapped-states": (adam(SHAPES.items(), STATE, front("model.module.", WEIGHTS)), {"optimizer": 2 * COUNT, "steps": COUNT}),
    "universal": (adam(SHAPES.items(), "%s/%s", WEIGHTS, False), {"optimizer": 2 * COUNT}),
    "adafactor": ({**WEIGHTS, **{"state.%s.%s" % (k, m): ("F32", s) for k, v in SHAPES.items() for m, s in factored(v).items()}},
                  {"optimizer": 2 * COUNT - 5}),
    "eight-bit": ({**WEIGHTS, **{"state.%s.%s" % (k, m): t for k, v in SHAPES.items() for m, t in quantized(v).items()}}, {"optimizer": 6 * COUNT}),
    "eight-bit-small": ({**WEIGHTS, **{"state.%s.%s" % (k, m): t for k, v in SHAPES.items() for m, t in (quantized(v) if len(v) > 1 else
                        {"state1": ("F32", v), "state2": ("F32", v)}).items()}}, {"optimizer": 6 * COUNT - 4 * 5}),
    "adagrad": (kept(lambda s: {"sum": s, "step": []}), {"optimizer": COUNT, "steps": COUNT}),
    "asgd": (kept(lambda s: {"ax": s, "eta": [], "mu": [], "step": []}), {"optimizer": COUNT, "steps": 3 * COUNT}),
    "rprop": (kept(lambda s: {"prev": s, "step_size": s, "step": []}), {"optimizer": 2 * COUNT, "steps": COUNT}),
    "nadam": (kept(lambda s: {"exp_avg": s, "exp_avg_sq": s, "mu_product": [], "step": []}), {"optimizer": 2 * COUNT, "steps": 2 * COUNT}),
    "torch-adafactor": (kept(of_torch_adafactor), {"optimizer": 2 * COUNT - 5, "steps": COUNT}),
    "adafactor-steps": (kept(lambda s: {**factored(s), "RMS": [], "step": []}), {"optimizer": 2 * COUNT - 5, "steps": 2 * COUNT}),
    "adafactor-first": (ADAFACTOR, {"optimizer": 3 * COUNT - 5, "steps": 2 * COUNT}),
    "adafactor-kept": (kept(in_rows), {"optimizer": 3 * COUNT - 5, "steps": COUNT}),
    "muon": (OF_MUON, {"optimizer": MATRICES + 2 * (COUNT - MATRICES), "steps": 2 * COUNT - MATRICES}),
    "adamuon": (by_name(lambda k, s: of_muon(k, s, {"exp_avg_sq": ("F32", s), "step": ("F32", [])})), {"optimizer": 2 * COUNT, "steps": 2 * COUNT}),
    "lion": (kept(lambda s: {"exp_avg": s}), {"optimizer": COUNT}),
    "schedule-free": (kept(lambda s: {"z": s, "exp_avg_sq": s}), {"optimizer": 2 * COUNT}),
    "madgrad": (kept(lambda s: {"grad_sum_sq": s, "s": s, "x0": s, "step": []}), {"optimizer": 3 * COUNT, "steps": COUNT}),
    "adan": (kept(lambda s: {m: s for m in ("exp_avg", "exp_avg_sq", "exp_avg_diff", "neg_pre_grad")}), {"optimizer": 4 * COUNT}),
    "novograd": (kept(lambda s: {"exp_avg": s, "exp_avg_sq": [], "step": []}), {"optimizer": COUNT, "steps": 2 * COUNT}),
    "laprop": (kept(lambda s: {"exp_avg": s, "exp_avg_sq": s, "exp_avg_lr_1": [], "exp_avg_lr_2": [], "step": []}), {"optimizer": 2 * COUNT, "steps": 3 * COUNT}),
    "eight-bit-lion": ({**WEIGHTS, **{"state.%s.%s" % (k, m): t for k, v in SHAPES.items() for m, t in quantized(v).items() if m[-1] == "1"}}, {"optimizer": 3 * COUNT}),
    "settings": ({**WEIGHTS, "optim.param_groups.0.lr": ("F32", []), "optim.param_groups.0.amsgrad": ("BOOL", [])}, {"steps": 2}),
    "averaged": ({**front("module.", WEIGHTS), "n_averaged": ("I64", [])}, {"steps": 1}),
    "ema-pytorch": ({**front("online_model.", WEIGHTS), **front("ema_model.", WEIGHTS), "initted": ("BOOL", []), "step": ("I64", [])}, {"ema": COUNT, "steps": 2}),
    "titan": ({**BOTH, "train_state.step": ("I64", []), "lr_scheduler.last_epoch": ("I64", []), "lr_scheduler._last_lr.0": ("F32", [])},
              {"optimizer": 2 * COUNT, "steps": COUNT + 3}),
    "momentum": ({**WEIGHTS, **{k + ".momentum_buffer": v for k, v in WEIGHTS.items()}}, {"optimizer": COUNT}),
    "some-frozen": ({**WEIGHTS, **adam(list(SHAPES.items())[3:9], STATE)}, {"optimizer": 12, "steps": 6}),
    "steps-in-integers": (but(BOTH, NORM.replace("exp_avg", "step"), ("I64", [])), {"optimizer": 2 * COUNT, "steps": COUNT}),
    "ema": ({**COPIES, "ema.num_updates": ("I64", [])}, {"ema": COUNT, "steps": 1}),
    "ema-shadow": ({**WEIGHTS, **front("ema.shadow.", WEIGHTS), "ema.decay": ("F32", [])}, {"ema": COUNT, "steps": 1}),
    "swa": ({**WEIGHTS, **front("swa_model.module.", WEIGHTS), "swa_model.n_averaged": ("I64", [])}, {"ema": COUNT, "steps": 1}),
    # Lightning's list of optimizers, DeepSpeed's universal folders, Megatron's chain of optimizers
    "lightning": ({**adam(NUMBERED, "optimizer_states.0.state.%s.%s", front("state_dict.model.", WEIGHTS)), "epoch": ("I64", []), "global_step": ("I64", [])},
                  {"optimizer": 2 * COUNT, "steps": COUNT + 2}),
    "universal-zero": (adam(SHAPES.items(), "zero/%s/%s", WEIGHTS, False), {"optimizer": 2 * COUNT}),
    "chained": ({**WEIGHTS, **{"chained_0.optimizer.state.%s.%s" % (m, k): ("F32", s) for k, s in SHAPES.items() for m in ("exp_avg", "exp_avg_sq", "fp32_param")}},
                {"optimizer": 3 * COUNT}),
    "ema-behind": ({**WEIGHTS, **{k + "_ema": v for k, v in WEIGHTS.items()}}, {"ema": COUNT}),
    "ema-by-number": ({**WEIGHTS, **{"shadow_params.%d" % i: v for i, v in enumerate(WEIGHTS.values())}}, {"ema": COUNT}),
    "all": ({**adam(SHAPES.items(), "optim.state.%s.%s", WEIGHTS), **front("ema_model.", WEIGHTS), "global_step": ("I64", [1]),
             "optim.param_groups.0.lr": ("F32", [])}, {"optimizer": 2 * COUNT, "ema": COUNT, "steps": COUNT + 2}),
}
# matched and counted, but not loaded by transformers: test/truth/loaders.py has more
WRAPPED = {
    **{"wrapped-%d" % i: front(p, WEIGHTS) for i, p in enumerate(("module.", "_orig_mod.", "module._orig_mod.", "state_dict.model.", "model.module.",
                                                                  "model._orig_mod.", "ema."))},
    "fsdp": LAYERS,
}
# in no table: {part: tensors}
UNTOLD = {
    "kron": (kept(of_kron), {"optimizer": COUNT, "steps": COUNT, "unknown": 2 * COUNT - 5}),
    "kron-by-number": ({**WEIGHTS, **{"optim.state.%d.%s" % (i, m): ("F32", s) for i, v in enumerate(SHAPES.values()) for m, s in of_kron(v).items()}},
                       {"optimizer": COUNT, "steps": COUNT, "unknown": 2 * COUNT - 5}),
    "of-tomorrow": ({**WEIGHTS, "optimizer.state.model.norm.weight.basis": ("F32", [E, 3])}, {"unknown": 1}),
}
WRONG = {
    "weight-gone": (but(BOTH, "model.layers.1.mlp.up_proj.weight", None), 1, 3),
    "weight-gone-copy": (but(COPIES, "model.layers.1.mlp.up_proj.weight", None), 1, 1),
    "weight-otherwise": (but(BOTH, "model.norm.weight", ("BF16", [E + 1])), 1, 2),
    "weight-more": (but(BOTH, "model.more.weight", ("BF16", [E])), 1, 0),
    "wrapped-gone": (but(front("module.", WEIGHTS), "module.model.norm.weight", None), 1, 0),
    "wrapped-otherwise": (but(front("_orig_mod.", WEIGHTS), "_orig_mod.model.norm.weight", ("BF16", [E + 2])), 1, 0),
    "state-otherwise": (but(BOTH, NORM, ("F32", [E + 1])), 1, 1),
    "state-turned": (but(BOTH, "optimizer.state.model.layers.0.mlp.up_proj.weight.exp_avg", ("F32", [E, F])), 1, 1),
    "state-of-none": (but(BOTH, NORM.replace("norm", "nope"), ("F32", [E])), 1, 1),
    "step-of-two": (but(BOTH, "optimizer.state.model.norm.weight.step", ("F32", [2])), 1, 1),
    "number-more": (but(adam(NUMBERED, "state.%s.%s", WEIGHTS), "state.99.exp_avg", ("F32", [V, E])), 1, 1),
    "number-of-none": (but(adam(NUMBERED, "state.%s.%s", WEIGHTS), "state.4.exp_avg", ("F32", [7, 5])), 1, 1),
    "state-of-integers": (but(BOTH, NORM, ("I64", [E])), 1, 1),
    "copy-of-integers": (but(COPIES, "ema.model.norm.weight", ("I64", [E])), 1, 1),
    "bytes-of-integers": (but(RIGHT["eight-bit"][0], "state.model.norm.weight.state1", ("I64", [E])), 1, 1),
    "bytes-in-floats": (but(RIGHT["eight-bit"][0], "state.model.norm.weight.state1", ("F32", [E])), 1, 1),
    "bytes-without-scales": ({k: t for k, t in RIGHT["eight-bit"][0].items() if not k.startswith(("state.model.norm.weight.a", "state.model.norm.weight.q"))}, 1, 2),
    "number-of-integers": (but(adam(NUMBERED, "state.%s.%s", WEIGHTS), "state.4.exp_avg", ("I64", NUMBERED[4][1])), 1, 1),
    "half-a-state": (but(BOTH, NORM, None), 1, 2),
    "half-a-number": (but(adam(NUMBERED, "state.%s.%s", WEIGHTS), "state.4.exp_avg_sq", None), 1, 2),
    "half-of-bytes": (but(RIGHT["eight-bit"][0], "state.model.norm.weight.absmax2", None), 1, 5),
    "half-of-rows": (but(RIGHT["adafactor"][0], "state.model.layers.1.mlp.up_proj.weight.exp_avg_sq_col", None), 1, 1),
    "adagrad-turned": (but(RIGHT["adagrad"][0], NORM.replace("model.norm.weight.exp_avg", "model.layers.0.mlp.up_proj.weight.sum"), ("F32", [E, F])), 1, 1),
    "adagrad-of-none": (but(RIGHT["adagrad"][0], NORM.replace("norm.weight.exp_avg", "nope.sum"), ("F32", [E])), 1, 1),
    "asgd-alone": (but(RIGHT["asgd"][0], NORM.replace("exp_avg", "ax"), None), 1, 3),
    "rprop-half": (but(RIGHT["rprop"][0], NORM.replace("exp_avg", "step_size"), None), 1, 2),
    "torch-adafactor-rows": (but(RIGHT["torch-adafactor"][0], "optimizer.state.model.layers.1.mlp.up_proj.weight.row_var", ("F32", [F])), 1, 1),
    "torch-adafactor-half": (but(RIGHT["torch-adafactor"][0], "optimizer.state.model.layers.1.mlp.up_proj.weight.col_var", None), 1, 2),
    "averaged-gone": (but(RIGHT["averaged"][0], "module.model.norm.weight", None), 1, 0),
    "averaged-many": (but(RIGHT["averaged"][0], "n_averaged", ("I64", [3])), 1, 1),
    "scheduler-of-many": ({**BOTH, "lr_scheduler.betas": ("F32", [7])}, 1, 0),
    "shadow-of-none": (but(RIGHT["ema-shadow"][0], "ema.shadow.model.nope.weight", ("BF16", [E])), 1, 1),
    "swa-otherwise": (but(RIGHT["swa"][0], "swa_model.module.model.norm.weight", ("BF16", [E + 1])), 1, 1),
    "lightning-of-none": (but(RIGHT["lightning"][0], "optimizer_states.0.state.99.exp_avg", ("F32", [V, E])), 1, 1),
    "lightning-gone": (but(RIGHT["lightning"][0], "state_dict.model.model.norm.weight", None), 1, 2),
    "second-of-many": (but(RIGHT["lightning"][0], "optimizer_states.1.state.0.exp_avg", ("F32", [V, E])), 1, 1),
    "universal-turned": (but(RIGHT["universal-zero"][0], "zero/model.layers.0.mlp.up_proj.weight/exp_avg", ("F32", [E, F])), 1, 1),
    "chained-half": (but(RIGHT["chained"][0], "chained_0.optimizer.state.fp32_param.model.norm.weight", None), 1, 2),
    "weight-called-sum": ({**WEIGHTS, "model.norm.weight.sum": ("F32", [E])}, 1, 0),
    "step-gone": (but(BOTH, NORM.replace("exp_avg", "step"), None), 1, 2),
    "step-of-bytes": (but(BOTH, NORM.replace("exp_avg", "step"), ("U8", [])), 1, 1),
    "step-of-halves": (but(BOTH, NORM.replace("exp_avg", "step"), ("BF16", [])), 1, 1),
    "moment-of-halves": (but(BOTH, "optimizer.state.model.layers.1.mlp.up_proj.weight.exp_avg_sq", ("BF16", [F, E])), 1, 1),
    "bytes-gone": ({k: t for k, t in RIGHT["eight-bit"][0].items() if not k.endswith(("state1", "state2"))}, 1, 0),
    "codes-gone": (but(RIGHT["eight-bit"][0], "state.model.norm.weight.qmap1", None), 1, 5),
    "muon-half": (but(OF_MUON, NORM, None), 1, 3),
    "muon-unmarked": (but(OF_MUON, "optimizer.state.model.layers.1.mlp.up_proj.weight.use_muon", None), 1, 1),
    "first-gone": (but(ADAFACTOR, "optimizer.state.model.layers.1.mlp.up_proj.weight.exp_avg", None), 1, 4),
    "rows-otherwise": (but({k.replace("optimizer.state.model.norm.weight", "optimizer.state.7"): t for k, t in ADAFACTOR.items()},
                           "optimizer.state.7.exp_avg", ("F32", [E + 1])), 1, 1),
    "novograd-half": (but(RIGHT["novograd"][0], NORM, None), 1, 2),
    "kept-otherwise": (but(RIGHT["adafactor-kept"][0], "optimizer.state.model.layers.1.mlp.up_proj.weight.exp_avg_sq_r", ("F32", [1, E + 1])), 1, 1),
    "unknown-of-none": ({**BOTH, "optimizer.state.model.nope.weight.basis": ("F32", [E])}, 1, 0),
    "step-of-none": (but(BOTH, "copy.optimizer.state.model.norm.weight.step", ("F32", [])), 1, 1),
    "copy-otherwise": (but(COPIES, "ema.model.norm.weight", ("BF16", [E, 2])), 1, 1),
    "copy-of-none": (but(COPIES, "ema.model.nope.weight", ("BF16", [E])), 1, 1),
    "alone": (adam(SHAPES.items(), "state.%s.%s"), 4, 0),
    "alone-by-number": (adam(NUMBERED, "state.%s.%s"), 4, 0),
    "alone-otherwise": (but(adam(SHAPES.items(), "state.%s.%s"), "state.model.norm.weight.exp_avg_sq", ("F32", [E + 2])), 4, 1),
}


def make(folder, tensors, config=True):
    files.sparse(folder + "/model.safetensors", files.listed(tensors), {"format": "pt"})
    if config: write(folder + "/config.json", json.dumps(CONFIG).encode())


# ---- slices: for each rank {name: (type, shape, offsets)}

def cut(size, parts, i): return min(-(-size // parts) * i, size), min(-(-size // parts) * (i + 1), size)


def sliced(rows, columns=1):
    """As FSDP leaves them, and FSDP with tensors also cut along the other axis: indivisible ones are with the
    first rank."""
    ranks = []
    for r in range(rows):
        for c in range(columns):
            rank = {}
            for name, shape in SHAPES.items():
                cuts = [cut(n, (rows, columns, 1)[d], (r, c, 0)[d]) for d, n in enumerate(shape)]
                if c == 0 or len(shape) > 1: rank[name] = ("BF16", [b - a for a, b in cuts], [a for a, _ in cuts])
            ranks.append(rank)
    return ranks


def write_sliced(folder, ranks, count=1):
    """A folder of `count` files from each rank."""
    for r, rank in enumerate(ranks):
        for k in range(count):
            mine = dict([*rank.items()][k::count])
            offsets = {n: {"saved_offsets": o} for n, (_, _, o) in mine.items() if o is not None}
            metadata = {"DCP_VERSION": "1.0", "format": "pt", "DCP_SHARDING_INFO": json.dumps(offsets)}
            path = "%s/shard-%05d-model-%05d-of-%05d.safetensors" % (folder, r + 1, k + 1, count)
            write(path, files.safetensors([(n, d, s) for n, (d, s, _) in mine.items()], metadata))
    write(folder + "/config.json", json.dumps(CONFIG).encode())


def altered(ranks, rank, name, what):
    out = [dict(r) for r in ranks]
    if what is None: del out[rank][name]
    else: out[rank][name] = what
    return out


UP, NORMS = "model.layers.1.mlp.up_proj.weight", "model.norm.weight"
SLICED = {"one-rank": (sliced(1), 1), "two-ranks": (sliced(2), 1), "none-left": (sliced(7), 1), "both-ways": (sliced(3, 2), 1), "files": (sliced(2), 3),
          "many": (sliced(16), 1), "whole-beside": ([{**sliced(2)[0], NORMS: ("BF16", [E], [0])}, {k: v for k, v in sliced(2)[1].items() if k != NORMS}], 1)}
UNSLICED = {  # ranks, the finding about it
    "slice-gone": (altered(sliced(4), 1, UP, None), ("slice-gap", "reach 20, and continue at 40")),
    "first-gone": (altered(sliced(4), 0, UP, None), ("slice-gap", "reach 0, and continue at 20")),
    "last-gone": (altered(sliced(4), 3, UP, None), None),
    "rank-gone": (sliced(4)[:1] + [{}] + sliced(4)[2:], ("slice-gap", "reach 20, and continue at 40")),
    "overlaps": (altered(sliced(4), 1, UP, ("BF16", [21, E], [20, 0])), ("slice-overlap", "reach 41, and another begins or ends at 40")),
    "twice": (altered(sliced(4), 1, UP, ("BF16", [20, E], [0, 0])), ("slice-overlap", UP)),
    "another-offset": (altered(sliced(4), 1, UP, ("BF16", [20, E], [21, 0])), ("slice-gap", "reach 20, and continue at 21")),
    "another-type": (altered(sliced(4), 1, UP, ("F32", [20, E], [20, 0])), ("slice-differs", "F32 with 2 dimensions, another BF16 with 2")),
    "another-width": (altered(sliced(4), 1, UP, ("BF16", [20, E - 1], [20, 0])), ("slice-gap", "reach 47, and continue at 48")),
    "another-rank": (altered(sliced(4), 1, UP, ("BF16", [20 * E], [20 * E])), ("slice-differs", "with 1 dimensions, another BF16 with 2")),
    "too-long": (altered(sliced(4), 3, UP, ("BF16", [21, E], [60, 0])), None),
    "corner-gone": (altered(sliced(3, 2), 3, UP, None), ("slice-gap", "along dimension 1: they reach 24, and continue at 48")),
    "unsaid": (altered(sliced(4), 1, UP, ("BF16", [20, E], None)), ("slice-unsaid", UP)),
    "offsets-of-three": (altered(sliced(4), 1, UP, ("BF16", [20, E], [20, 0, 0])), ("slice-unsaid", UP)),
    "beyond": (altered(sliced(4), 3, UP, ("BF16", [20, E], [2**64 - 1, 0])), None),
    "one-more": (altered(sliced(4), 1, "model.more.weight", ("BF16", [20, E], [0, 0])), None),
}


def slices_right(name, work):
    ranks, count = SLICED[name]
    write_sliced(work + "/s/" + name, ranks, count)
    status, doc = said("reconcile", work + "/s/" + name)
    check(status == 0 and doc["agrees"] is True and doc["formula"] == N, name, status, doc["unexpected"][:2], doc["mismatched"][:2])
    status, doc = said("show", work + "/s/%s/shard-00001-model-00001-of-%05d.safetensors" % (name, count))
    check(status == 0 and doc["counts"]["parameters"] == doc["counts"]["stored"] == N and doc["counts"]["tensors"] == COUNT and len(doc["files"]) == len(ranks) * count, name, doc["counts"])
    status, doc = said("verify", work + "/s/" + name, "--values")
    check(status == 0, name, "verify", status, doc["findings"])
    cut = [n for n in SHAPES if sum(n in rank for rank in ranks) > 1]
    joined = ["%d slices written by ranks form %d tensors: DCP_SHARDING_INFO" % (sum(n in rank for rank in ranks for n in cut), len(cut))] if cut else []
    check([f["message"] for f in doc["findings"] if f["code"] == "slices-joined"] == joined, name, joined, doc["findings"])


def slices_wrong(name, work):
    ranks, finding = UNSLICED[name]
    write_sliced(work + "/s/" + name, ranks)
    status, doc = said("reconcile", work + "/s/" + name)
    check(status == 1 and doc["agrees"] is not True, name, status)
    status, doc = said("verify", work + "/s/" + name)
    check(status == (name != "one-more"), name, "verify", status)
    found = [f for f in doc["findings"] if f["code"].startswith("slice-")]
    check(len(found) == bool(finding) if name != "rank-gone" else found, name, found)
    check(not finding or any(f["code"] == finding[0] and finding[1] in f["message"] for f in found), name, found)


def parts(doc): return {p["part"]: p["tensors"] for p in doc.get("training", [])}


def right(name, work):
    tensors, expected = RIGHT[name]
    make(work + "/" + name, tensors)
    status, doc = said("reconcile", work + "/" + name)
    check(status == 0 and doc["agrees"] is True and doc["formula"] == N, name, status, doc["unexpected"][:2], doc["missing"][:2], doc["mismatched"][:2])
    check(parts(doc) == ({"weights": COUNT, **expected} if expected else {}), name, parts(doc))
    status, doc = said("show", work + "/" + name)
    check(status == 0 and doc["counts"]["parameters"] == doc["counts"]["unique"] == N, name, doc["counts"])
    check(sum(p["bytes"] for p in doc.get("training", [])) in (0, sum(math.prod(s) * files.BITS[d] // 8 for d, s in tensors.values())), name, "bytes")
    make(work + "/bare/" + name, tensors, False)
    status, doc = said("reconcile", work + "/bare/" + name)
    check(status == 4 and doc["in_part"] and doc["architecture"] and doc["formula"] == N, name, "without configuration", status, doc["architecture"])


def wrapped(name, work):
    make(work + "/" + name, WRAPPED[name])
    status, doc = said("reconcile", work + "/" + name)
    check(status == 1 and doc["agrees"] is False and doc["formula"] == N and doc["judgement"]["causes"][0]["code"] == "names-wrapped", name, status, doc["judgement"])
    check(not doc["unexpected"] and not doc["missing"] and not doc["mismatched"], name, doc["unexpected"][:2])
    make(work + "/bare/" + name, WRAPPED[name], False)
    status, doc = said("reconcile", work + "/bare/" + name)
    check(status == 4 and doc["in_part"] and doc["architecture"] and doc["formula"] == N, name, "without configuration", status, doc["architecture"])


def untold(name, work):
    tensors, expected = UNTOLD[name]
    make(work + "/" + name, tensors)
    status, doc = said("reconcile", work + "/" + name)
    check(status == 4 and doc["in_part"] and doc["formula"] == N and not doc["unexpected"] and not doc["missing"], name, status, doc["unexpected"][:2])
    check(parts(doc) == {"weights": COUNT, **expected}, name, parts(doc))
    for gone in "model.norm.weight", "model.layers.1.mlp.up_proj.weight":
        make(work + "/" + name, but(tensors, gone, None))
        status, doc = said("reconcile", work + "/" + name)
        check(status == 1, name, "without", gone, status)


def wrong(name, work):
    tensors, expected, unmatched = WRONG[name]
    make(work + "/" + name, tensors)
    status, doc = said("reconcile", work + "/" + name)
    check(status == expected and doc["agrees"] is not True, name, status)
    check(parts(doc).get("unmatched", 0) == unmatched, name, parts(doc))


def main():
    with tempfile.TemporaryDirectory() as work:
        for name in RIGHT:
            if not sys.argv[1:] or name in sys.argv[1:]: right(name, work)
        for name in WRAPPED:
            if not sys.argv[1:] or name in sys.argv[1:]: wrapped(name, work)
        for name in UNTOLD:
            if not sys.argv[1:] or name in sys.argv[1:]: untold(name, work)
        for name in WRONG:
            if not sys.argv[1:] or name in sys.argv[1:]: wrong(name, work)
        for name in SLICED:
            if not sys.argv[1:] or name in sys.argv[1:]: slices_right(name, work)
        for name in UNSLICED:
            if not sys.argv[1:] or name in sys.argv[1:]: slices_wrong(name, work)
    print("training: %d right, %d wrong, %d checks, %d failed" % (len(RIGHT) + len(UNTOLD) + len(SLICED), len(WRONG) + len(WRAPPED) + len(UNSLICED), components.checks, len(components.failures)))
    for f in components.failures: print("FAIL", f)
    return bool(components.failures)


if __name__ == "__main__":
    sys.exit(main())

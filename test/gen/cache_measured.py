#!/usr/bin/env python3
"""cache_measured.py [-o FILE] [-t] [TYPE...] -- makes fixtures/memory/cache_sizes.jsonl.zst: caches of the types that
NUMEL_SHARED/memory did not measure, in the form of cache.jsonl.zst.

Each type is built small twice, with different numbers and otherwise its class's configuration (derived values are
left to the class), and run with prefills of several lengths; the tensors in the cache object are then counted. OWN
has settings that a type needs beyond the rules of small(). -t explains why a type could not be run. With TYPE only
these are remade; without, all measured cases with layer_types are also written without them, as in configurations
that predate the key.
Packages: src/data/import/requirements.txt
"""
import argparse, json, os, re, signal, sys, traceback, warnings

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../../src/data/learn"), os.path.join(HERE, "../../src/data/import")]
import tables
from oracle_fixtures import line, pack, unpacked

PATH = "fixtures/memory/cache_sizes.jsonl.zst"
TOKENS, SOURCES, SECONDS = (16, 64, 300), 40, 60
NAMES = {"keys": "k", "values": "v", "conv_states": "conv", "recurrent_states": "recurrent", "indexer_keys": "index_k",
         "index_keys": "index_k", "idx_keys": "index_k"}
VARIANTS = {
    "a": {"layers": 7, "hidden": 64, "heads": 4, "kv": 2, "head": 24, "wide": 48, "window": 23},
    "b": {"layers": 5, "hidden": 96, "heads": 6, "kv": 3, "head": 40, "wide": 80, "window": 35},
}
# by key: the first that matches the end of a key; a letter is one of the variant's numbers
RULES = [
    (r"^(num_hidden_layers|n_layers?|num_layers|encoder_layers|decoder_layers|num_(en|de)coder_layers|depth|num_encoder_blocks)$", "layers"),
    (r"(^|_)(num_key_value_heads|num_kv_heads|n_kv_heads|num_key_value_groups)$", "kv"),
    (r"^(num_attention_heads|n_heads?|num_heads|encoder_attention_heads|decoder_attention_heads|attention_heads)$", "heads"),
    (r"^(hidden_size|d_model|n_embd|dim|embed_dim|emb_dim)$", "hidden"),
    (r"^(head_dim|d_kv)$", "head"),
    (r"^(n_inner|d_ff|.*intermediate_size|.*ffn_dim|ffn_hidden_size|.*mlp_dim)$", "wide"),
    (r"^(sliding_window|attention_chunk_size|window_size)$", "window"),
    (r"^(vocab_size|.*_vocab_size|vocab_size_per_layer_input)$", 256),
    (r"^(num_experts|n_routed_experts|num_local_experts|moe_num_experts)$", 4),
    (r"^(num_experts_per_tok|moe_top_k|moe_k)$", 2),
    (r"^(n_group|topk_group|num_expert_group)$", 1),
]


def of(a, b): return lambda variant: a if variant == "a" else b


def each(names):
    """As many layers of these types as the variant has."""
    return lambda v: {"layer_types": [names[i % len(names)] for i in range(VARIANTS[v]["layers"])]}


DECODER, CROSSED = ({"is_decoder": True, "add_cross_attention": x} for x in (False, True))
NO_HEAD = {"head_dim": "-"}
GATED = {"linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 8, "linear_value_head_dim": 12,
         "indexer_n_heads": 2, "indexer_kv_heads": 1, "indexer_head_dim": 40, "indexer_budget": 64, "indexer_compress_ratio": 4}
LOOKED_UP = {**GATED, "ple_layer_ids": [3, 1], "ple_embed_dim": 36, "ngram_size": 4, "heads_per_ngram": 2, "ple_conv_kernel_size": 5,
             "ngram_vocab_size_base": 100, "eos_token_id": 2}
ROTARY = {"rope_parameters": {t: {"rope_type": "default", "rope_theta": 10000.0} for t in ("full_attention", "sliding_attention")}}
AXES = {"rope_type": "default", "rope_theta": 10000.0}
ENCODER = {"vision_config.architecture": "vit_pe_lang_large_patch14_448",
           "vision_config.model_args": {"embed_dim": 64, "depth": 2, "num_heads": 4}}
MAMBA = ["mamba", "mamba", "hybrid", "mamba", "hybrid", "mamba", "hybrid"]
# measured before, at lengths that are multiples of the step
AGAIN = {"deepseek_v4": (3, 4, 15, 63, 303)}
# "-" leaves a key unchanged
OWN = {
    "lfm2_moe": each(["conv", "full_attention", "conv"]),
    "mamba2": of({"num_heads": 8, "head_dim": 16, "n_groups": 2, "state_size": 16},
                 {"num_heads": 12, "head_dim": 16, "n_groups": 3, "state_size": 24}),
    "zamba": of({"num_hidden_layers": 14}, {"num_hidden_layers": 16, "mamba_d_state": 8}),
    "zamba2": of({"layers_block_type": MAMBA, "n_mamba_heads": 8, "mamba_ngroups": 2, "num_hidden_layers": 7},
                 {"layers_block_type": MAMBA[:5], "n_mamba_heads": 4, "mamba_headdim": 48, "num_hidden_layers": 5}),
    "gptj": {"rotary_dim": 8}, "codegen": of({"rotary_dim": 8}, {"rotary_dim": 8, "n_head": 8, "n_embd": 96}),
    "gpt_neo": of({"num_layers": 6, "attention_types": [[["global", "local"], 3]]},
                  {"num_layers": 4, "attention_types": [[["global", "local"], 2]]}),
    "nemotron": of({"num_key_value_heads": 2}, {"num_key_value_heads": 3, "head_dim": 40}),
    "dory": of({"n_input_layers": 2, "n_output_layers": 1, "n_recurrent_loops": 3},
               {"n_input_layers": 1, "n_output_layers": 2, "n_recurrent_loops": 3, "recurrent_kv_cache_mode": "last_loop"}),
    "hy_v4_vl_text": of({"qk_rope_head_dim": 24}, {"qk_rope_head_dim": 40}),
    "mistral4": NO_HEAD, "longcat_flash": NO_HEAD, "glm5_next": NO_HEAD,
    "ministral": of({"head_dim": 24}, {"head_dim": 40}), "hunyuan_v1_moe": of({"head_dim": 24}, {"head_dim": 40}),
    "modernbert-decoder": of({"sliding_window": "-", "local_attention": 46}, {"sliding_window": "-", "local_attention": 71}),
    "inkling_text": of({}, {"sliding_window_size": 23}),
    "xlm-roberta": DECODER, "roformer": DECODER, "megatron-bert": DECODER, "data2vec-text": CROSSED,
    "gemma3n": of({"num_kv_shared_layers": 2}, {"num_kv_shared_layers": 0}),
    "qwen4_exp": GATED, "qwen4_exp_text": of(GATED, LOOKED_UP), "recurrent_gemma": NO_HEAD, "blenderbot": {"max_position_embeddings": 512},
    "cohere_compass": ROTARY, "perception_lm": ENCODER,
    "cohere_compass_text": of(ROTARY, {**ROTARY, "num_key_value_heads": 2, "sliding_window": 35,
                                       **each(["sliding_attention", "full_attention"])("b")}),
    "glm_image": {"text_config.rope_parameters": {**AXES, "mrope_section": [4, 2, 2]}},
    "glm4v_moe": {"text_config.head_dim": 48, "text_config.rope_parameters": {**AXES, "mrope_section": [4, 4, 4], "partial_rotary_factor": 0.5}},
    "paddleocr_vl": {"text_config.head_dim": 24, "text_config.rope_parameters": {**AXES, "mrope_section": [4, 4, 4]}},
    "step3p7": of({"text_config.sliding_window": 23}, {"text_config.sliding_window": 350}),
    "diffusion_gemma": {"text_config.num_experts": 4, "text_config.top_k_experts": 2, "text_config.moe_intermediate_size": 36},
    "deepseek_ocr2": lambda v: {"text_config.mlp_layer_types": (["dense", "sparse"] * 4)[:VARIANTS[v]["layers"]], "text_config.num_experts_per_tok": 2},
    "gemma4_unified_text": NO_HEAD,
    "gemma3_text": of({"use_bidirectional_attention": True}, {}), "xlstm": of({"hidden_size": 128, "num_blocks": 4}, {"num_heads": 4, "hidden_size": 128, "num_blocks": 3}),
    "gpt2": CROSSED, "roberta-prelayernorm": DECODER,
}


def rule_of(key, sizes):
    for pattern, value in RULES:
        if re.search(pattern, key): return sizes[value] if isinstance(value, str) else value
    return None


def shortened(config, sizes):
    """Lists in a nested configuration with one item per layer that its class does not derive; the last item
    stays last."""
    old = config.__dict__.get("num_hidden_layers")
    lists = {k: v for k, v in config.__dict__.items() if isinstance(v, list) and len(v) == old}
    return {k: v[:sizes["layers"] - 1] + v[-1:] for k, v in lists.items()}


def turned(config, sizes):
    """The part of a head that each axis rotates: three parts of its half."""
    rope = config.__dict__.get("rope_parameters") or {}
    if not isinstance(rope, dict) or "mrope_section" not in rope: return {}
    head = sizes["head"] if config.__dict__.get("head_dim") else sizes["hidden"] // sizes["heads"]
    half = int(head * rope.get("partial_rotary_factor", 1)) // 2
    return {"rope_parameters.mrope_section": [half - half // 3 * 2, half // 3, half // 3]}


def small(config, sizes, vision=False):
    """The changes to a configuration; nested ones by the path of their keys."""
    from transformers import PreTrainedConfig
    out = turned(config, sizes)
    equal = getattr(config, "num_key_value_heads", None) == getattr(config, "num_attention_heads", 0)
    for key, old in config.__dict__.items():
        if isinstance(old, PreTrainedConfig):
            inside = {**small(old, sizes, "vision" in key or "audio" in key), **shortened(old, sizes)}
            out.update({key + "." + k: v for k, v in inside.items()})
        elif key.endswith("_token_id") and isinstance(old, int):
            out[key] = old % 200 if old >= 256 else old
        elif isinstance(old, int) and not isinstance(old, bool):
            new = rule_of(key, sizes)
            if "key_value" in key and equal: new = sizes["heads"]
            if new is not None: out[key] = new
    return out


def config_of(model_type, variant):
    if model_type in AGAIN: return measured_config(model_type)
    import draw
    builder = draw.Builder(model_type, draw.classes_of(model_type)[:1])
    changes = small(builder.default, VARIANTS[variant])
    given = OWN.get(model_type, {})
    given = given(variant) if callable(given) else given
    changes.update(given)
    return builder.config({k: v for k, v in changes.items() if not (isinstance(v, str) and v == "-")})


def measured_config(model_type):
    from transformers import CONFIG_MAPPING
    for text in unpacked("fixtures/memory/cache.jsonl.zst").splitlines():
        case = json.loads(text)
        if case["case"] == model_type + "/default": break
    given = {k: v for k, v in case["config"].items() if k not in ("model_type", "architectures", "dtype")}
    return CONFIG_MAPPING[model_type](**given)


def class_of(model_type):
    import transformers
    for text in tables.read("src/data/classes/classes.table"):
        words = text.split()
        if words[0] != model_type: continue
        kinds = dict(w.split("=", 1) for w in words[2:])
        for kind in ("seq2seq", "speech2seq", "causal", "image_text", "multimodal", "pretraining", "base"):
            if kind in kinds: return getattr(transformers, kinds[kind])
    raise LookupError("no class that writes")


# ---- what is kept -----------------------------------------------------------------------------------------------


def tensors_of(thing, path, found, seen):
    import torch
    if id(thing) in seen: return
    seen.add(id(thing))
    if torch.is_tensor(thing):
        if thing.numel() and thing.dim() > 1: found.append((path, thing))
    elif isinstance(thing, dict):
        for k, v in thing.items(): tensors_of(v, path + (str(k),), found, seen)
    elif isinstance(thing, (list, tuple)):
        for i, v in enumerate(thing): tensors_of(v, path + (str(i),), found, seen)
    elif type(thing).__module__.startswith("transformers") and hasattr(thing, "__dict__"):
        for k, v in vars(thing).items(): tensors_of(v, path + (k,), found, seen)


def kind_of(path):
    cross = "cross" if any("cross" in p for p in path) else ""
    for part in reversed(path):
        name = NAMES.get(part)
        if name: return ("cross_" if cross and name in "kv" else "") + name
    return "other"


def measured(cache):
    found, kinds, slots = [], {}, set()
    if type(cache).__name__ in ("tuple", "list"): raise TypeError("a cache of tuples")
    tensors_of(cache, (), found, set())
    for path, t in found:
        kind = kind_of(path)
        kinds[kind] = kinds.get(kind, 0) + t.numel()
        if path[0] == "linear_cache": slots.add(path[1])
        if "layers" in path: slots.add(path[path.index("layers") + 1])
    return kinds, len(slots)


# ---- running ----------------------------------------------------------------------------------------------------


# their writer attends to an image, which their configuration does not say
LOOKS = {"blip"}


def attends(config):
    return config.is_encoder_decoder or getattr(config, "add_cross_attention", False) or config.model_type in LOOKS


TEXTS = ("text_config", "llm_config", "language_config", "decoder_config", "decoder")
WRITERS = ("language_model", "model.language_model", "text_model", "model.text_model", "text_decoder", "model.decoder", "decoder",
           "backbone_model", "model")


def writers(model):
    """The inner modules that generate text, for models that as a whole require images or sound."""
    for path in WRITERS:
        try: yield model.get_submodule(path)
        except AttributeError: pass


def run(model, config, tokens, sequences):
    """Generates with the whole model, or with the first inner module that needs no other input."""
    why = None
    try: return kept_by(model, config, tokens, sequences)
    except Exception as e: why = e
    for inside in writers(model):
        try: return kept_by(inside, inside.config, tokens, sequences, inside is not model and (config.is_encoder_decoder or config.model_type in LOOKS))
        except Exception: pass
    raise why


def kept_by(model, config, tokens, sequences, decoder=False):
    import torch
    from transformers.modeling_outputs import BaseModelOutput
    ids = torch.randint(4, 100, (sequences, tokens))
    if decoder:
        width = config.encoder_hidden_size if config.model_type == "blip_text_model" else config.hidden_size
        source = torch.randn(sequences, SOURCES, width)
        out = model(input_ids=ids, encoder_hidden_states=source, use_cache=True)
    elif config.is_encoder_decoder or getattr(model, "get_encoder", None) and config.is_encoder_decoder:
        hidden = getattr(config, "hidden_size", None) or config.encoder.hidden_size
        source = BaseModelOutput(last_hidden_state=torch.randn(sequences, SOURCES, hidden))
        out = model(encoder_outputs=source, decoder_input_ids=ids, use_cache=True)
    elif getattr(config, "add_cross_attention", False):
        source = torch.randn(sequences, SOURCES, config.hidden_size)
        out = model(input_ids=ids, encoder_hidden_states=source, use_cache=True)
    else:
        out = model(input_ids=ids, attention_mask=torch.ones_like(ids), use_cache=True)
    for name in ("past_key_values", "cache", "cache_params", "state", "mems"):
        if getattr(out, name, None) is not None: return getattr(out, name)
    raise ValueError("nothing is kept")


def plain_of(config):
    return json.loads(json.dumps({k: v for k, v in config.to_dict().items() if k != "transformers_version"}, default=str))


def built(model_type, variant):
    """A model, its configuration, and the configuration as a file states it."""
    config, cls = config_of(model_type, variant), class_of(model_type)
    config._attn_implementation = "eager"
    return cls(config).eval(), config, {**plain_of(config), "model_type": model_type, "architectures": [cls.__name__]}


def built_inside(model_type, variant):
    """The same for the language model of a composite alone, with the configuration that the composite would give
    it."""
    from transformers import AutoModel, AutoModelForCausalLM, CONFIG_MAPPING
    whole = CONFIG_MAPPING[model_type]()
    key = next(k for k in TEXTS if k in whole.__dict__)
    old = getattr(whole, key)
    given = OWN.get(model_type, {})
    given = given(variant) if callable(given) else given
    said = {k: v for k, v in old.to_diff_dict().items() if k in old.__dict__ and k not in ("transformers_version", "dtype")}
    changes = {**shortened(old, VARIANTS[variant]), **small(old, VARIANTS[variant]), **given}
    for k, v in changes.items():
        *path, last = k.split(".")
        at = said
        for p in path: at = at.setdefault(p, dict(getattr(old, p) or {}))
        at[last] = v
    config = type(old)(**said)
    config._attn_implementation = "eager"
    try: model = AutoModel.from_config(config)
    except ValueError: model = AutoModelForCausalLM.from_config(config)
    return model.eval(), config, {**plain_of(whole), "model_type": model_type, key: plain_of(config)}


def case_of(model_type, variant):
    try: return measured_case(model_type, variant, built)
    except Exception as e:
        try: return measured_case(model_type, variant, built_inside)
        except Exception as inside: raise RuntimeError("%s; inside: %s %s" % (e, type(inside).__name__, inside)) from e


def measured_case(model_type, variant, build):
    import torch
    torch.manual_seed(0)
    model, config, plain = build(model_type, variant)
    case = {"case": "%s/%s" % (model_type, variant), "config": plain,
            "sources": SOURCES if attends(config) else None, "slots": 0, "kept": []}
    for sequences in (1, 2):
        for tokens in AGAIN.get(model_type, TOKENS):
            with torch.no_grad(): kinds, slots = measured(run(model, config, tokens, sequences))
            case["kept"].append({"tokens": tokens, "sequences": sequences, **kinds})
            case["slots"] = max(case["slots"], slots)
    return case


# ---- as older configurations say it -------------------------------------------------------------------------------


def derived(case):
    """The case without layer_types, as in older configurations, if the class builds the same without it."""
    from transformers import CONFIG_MAPPING
    case = json.loads(json.dumps(case))
    inside = [c for c in (case["config"], case["config"].get("text_config")) if isinstance(c, dict) and c.get("layer_types")]
    if not inside: return None
    types = inside[0]["layer_types"]
    slides = any("slid" in t or "chunk" in t for t in types)
    if not slides and not (inside[0].get("sliding_window") and set(types) == {"full_attention"}): return None  # as the window implies
    given = {k: v for k, v in inside[0].items()
             if k not in ("layer_types", "model_type", "architectures", "rope_parameters", "dtype", "is_encoder_decoder")}
    made = CONFIG_MAPPING[inside[0].get("model_type", case["config"]["model_type"])](**given)
    if list(made.layer_types) != inside[0]["layer_types"]: return None
    del inside[0]["layer_types"]
    case["case"] += "/derived"
    return case


def derive(made):
    measured = [json.loads(text) for text in unpacked("fixtures/memory/cache.jsonl.zst").splitlines()]
    for case in measured + [c for name, c in made.items() if not name.endswith("/derived")]:
        case = derived(case)
        if case: made[case["case"]] = case


def rang(*_): raise TimeoutError("too slow")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-o", default=PATH)
    parser.add_argument("-t", action="store_true")
    parser.add_argument("types", nargs="*")
    given = parser.parse_args()
    warnings.filterwarnings("ignore")
    import torch
    torch.set_num_threads(1)
    import draw, transformers.modeling_utils  # before the timeout starts: an interrupted import stays broken
    signal.signal(signal.SIGPROF, rang)
    made = {}
    if os.path.exists(given.o):
        for text in unpacked(given.o).splitlines(): made[json.loads(text)["case"]] = json.loads(text)
    if not given.types:
        derive(made)
        pack(given.o, "".join(line(made[name]) for name in sorted(made)).encode())
    for model_type in given.types:
        for variant in "a" if model_type in AGAIN else VARIANTS:
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            try:
                case = case_of(model_type, variant)
                made[case["case"]] = case
                pack(given.o, "".join(line(made[name]) for name in sorted(made)).encode())
                print("ok  ", case["case"], case["slots"], case["kept"][2], flush=True)
            except Exception as e:
                print("FAIL", model_type, variant, type(e).__name__, str(e)[:200].replace("\n", " "), flush=True)
                if given.t: traceback.print_exc()
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
    return 0


if __name__ == "__main__": sys.exit(main())

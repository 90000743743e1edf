#!/usr/bin/env python3
"""partial_cases.py SEED > cases.jsonl -- incomplete configurations, and what transformers builds from them, for fixtures/partial.

Models are built on the meta device. Kinds: `bare` (model type and class alone), `tie` (the same with tie_word_embeddings true or false),
`pruned` (without values that equal a default) and `key-alias` (older names), both with the sizes of fixtures/oracle if the class
derives the same configuration; `dropped` (keys omitted at random), `sub-part` (incomplete parts of composites). What transformers
cannot build is left out.
Packages: src/data/import/requirements.txt
"""
import copy, json, os, random, re, signal, subprocess, sys

import torch, transformers
from transformers import CONFIG_MAPPING, PretrainedConfig

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
OUT, sys.stdout = sys.stdout, sys.stderr  # output of models while they are built is not a case
SAVED = {"dtype", "transformers_version", "label2id", "_name_or_path", "torch_dtype"}
VALUES = {"hidden_size": [512, 1024, 2048], "intermediate_size": [2048, 3072, 6144], "num_hidden_layers": [2, 3, 4], "num_layers": [2, 3],
          "patch_size": [8, 14, 16], "vocab_size": [256, 16384, 32000], "num_key_value_heads": [2, 4], "image_size": [224, 256, 448],
          "embed_dim": [64, 128, 1024], "d_model": [512, 768], "num_attention_heads": [8, 16], "num_channels": [1, 4],
          "moe_intermediate_size": [768, 4096], "fpn_hidden_size": [512], "projection_dim": [256, 512],
          "max_position_embeddings": [128, 4096], "type_vocab_size": [4]}


def oracle(name):
    plain = subprocess.run(["zstd", "-dcq", "--long=27", os.path.join(ROOT, "fixtures/oracle", name)], check=True, stdout=subprocess.PIPE).stdout
    for line in plain.splitlines():
        case = json.loads(line)
        if not case["case"].endswith("/saved") and case["configs"]["whole"].get("model_type") in CONFIG_MAPPING:
            yield case, case["configs"]["whole"], case["configs"]["whole"]["model_type"]


def class_of(config):
    found = getattr(transformers, config["architectures"][0], None)
    if found is None:
        module = transformers.models.auto.configuration_auto.model_type_to_module_name(config["model_type"])
        found = getattr(__import__(f"transformers.models.{module}.modeling_{module}", fromlist=["x"]), config["architectures"][0])
    return found


def total(config):
    cls = class_of(config)
    made = CONFIG_MAPPING[config["model_type"]].from_dict(copy.deepcopy(config))
    if getattr(cls, "config_class", None) and not isinstance(made, cls.config_class):
        raise TypeError("the class of another configuration")
    with torch.device("meta"):
        model = cls._from_config(made)
        model.tie_weights()
    return model.num_parameters()


def bare():
    for case, _, kind in oracle("classes.jsonl.zst"):
        config = {"model_type": kind, "architectures": [case["class"]]}
        yield "bare", case["case"][6:], config
        heads = any(re.search(r"lm_head|embed_out|decoder.weight|cls\.|output|proj_out|head", k) for k in case["params"])
        for tied in (True, False) if heads and any(re.search("embed|wte|shared|word", k) for k in case["params"]) else ():
            yield "tie", f"{case['case'][6:]} {tied}", config | {"tie_word_embeddings": tied}


def said(config):
    return {k: said(v) if isinstance(v, dict) else v for k, v in config.items() if k not in SAVED}


def pruned(config, cls):
    usual = cls().to_dict()
    return {k: v for k, v in config.items() if k in ("model_type", "architectures", "id2label") or k not in SAVED and not (k in usual and usual[k] == v)}


def same_sizes():
    """Cases with a known number of parameters: the class derives the same from them."""
    for case, whole, kind in oracle("sizes.jsonl.zst"):
        cls = CONFIG_MAPPING[kind]
        try:
            made = cls.from_dict(copy.deepcopy(whole))
            less = pruned(whole, cls)
            for k, v in less.items():
                if isinstance(v, dict) and isinstance(getattr(made, k, None), PretrainedConfig):
                    less[k] = pruned(v, type(getattr(made, k)))
            names = cls.attribute_map | {v: k for k, v in cls.attribute_map.items()}
            older = {names.get(k, k): v for k, v in less.items()}
            for label, config in (("pruned", less),) + ((("key-alias", older),) if older != less else ()):
                if said(cls.from_dict(copy.deepcopy(config)).to_dict()) == said(made.to_dict()):
                    yield label, case["case"][5:], config, case["num_parameters"]
        except Exception:  # a class may raise anything
            continue


def dropped(rng, count):
    for case, whole, _ in rng.sample(list(oracle("sizes.jsonl.zst")), count):
        config = copy.deepcopy(whole)
        places = [(config, k, k) for k in config if k not in ("model_type", "architectures")]
        for key, part in config.items():
            if isinstance(part, dict) and key.endswith("config"):
                places += [(part, k, key + "." + k) for k in part]
        gone = rng.sample(places, min(rng.choice([1, 2, 2, 3]), len(places)))
        for owner, key, _ in gone:
            owner.pop(key, None)
        yield "dropped", case["case"][5:] + " less " + ", ".join(g[2] for g in gone), config


def sub_parts(rng):
    classes = {}
    for case, _, kind in oracle("classes.jsonl.zst"):
        classes.setdefault(kind, []).append(case["class"])
    for kind, names in classes.items():
        try:
            parts = {k: v for k, v in vars(CONFIG_MAPPING[kind]()).items() if isinstance(v, PretrainedConfig)}
        except Exception:
            continue
        for i in range(2 if parts else 0):
            config = {"model_type": kind, "architectures": [rng.choice(names)]}
            for key in rng.sample(sorted(parts), rng.randint(1, len(parts))):
                keys = [k for k in VALUES if isinstance(vars(parts[key]).get(k), int)]
                part = {"model_type": parts[key].model_type} if rng.random() < 0.5 and parts[key].model_type else {}
                part.update({k: rng.choice(VALUES[k]) for k in rng.sample(keys, min(len(keys), rng.choice([1, 1, 2])))})
                config[key] = part
            yield "sub-part", f"{kind} {i}", config


def put(kind, name, config, count):
    print(json.dumps({"kind": kind, "name": name, "config": config, "num_parameters": count}, separators=(",", ":")), file=OUT, flush=True)


def main():
    transformers.logging.set_verbosity(transformers.logging.CRITICAL)
    torch.set_grad_enabled(False)
    rng = random.Random(int(sys.argv[1]))
    for case in same_sizes():
        put(*case)
    for cases in (bare(), dropped(rng, 600), sub_parts(rng)):
        for kind, name, config in cases:
            signal.alarm(60)
            try:
                put(kind, name, config, total(config))
            except Exception:
                continue
            finally:
                signal.alarm(0)


def late(*_):
    raise TimeoutError


signal.signal(signal.SIGALRM, late)
main()

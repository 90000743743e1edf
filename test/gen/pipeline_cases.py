#!/usr/bin/env python3
"""pipeline_cases.py -- makes fixtures/oracle/pipelines.jsonl.zst: components of pipelines, at small sizes.

A row of pipeline_rows.txt is a class and what differs from the defaults; the top of that file says where classes come from. Each is
built on torch's meta device and shows what it holds. `dropped` is the configuration without keys that equal a default, for classes that
have one.
Packages: src/data/import/requirements.txt
"""
import importlib, inspect, json, os, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from oracle_fixtures import line, pack

PATH = "fixtures/oracle/pipelines.jsonl.zst"
ROWS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pipeline_rows.txt")


def plain(value):
    return json.loads(json.dumps(value, default=str))


def class_named(name):
    import diffusers, transformers
    from transformers.models.t5gemma2 import modeling_t5gemma2
    from transformers.models.t5gemma import modeling_t5gemma
    module, _, of = name.rpartition(":")
    if module: return getattr(importlib.import_module("diffusers.pipelines." + module), of)
    for place in diffusers, transformers, modeling_t5gemma, modeling_t5gemma2:
        if hasattr(place, of): return getattr(place, of)
    sys.exit("%s: no such class" % name)


def of_diffusers(cls, changes):
    from diffusers.configuration_utils import ConfigMixin
    default = {k: p.default for k, p in inspect.signature(cls.__init__).parameters.items() if p.default is not inspect._empty}
    model = cls(**changes)
    whole = {"_class_name": cls.__name__, **plain({**default, **changes})}
    return model, whole, {k: v for k, v in whole.items() if k not in default or plain(default[k]) != v}


def of_transformers(cls, changes):
    from transformers import T5GemmaModuleConfig
    config = (T5GemmaModuleConfig if cls.__name__ == "T5GemmaEncoder" else cls.config_class)(**changes)  # one stack instead of two
    config.architectures = [cls.__name__]
    model = cls(config)
    whole = plain(config.to_dict())
    whole.pop("transformers_version", None)
    return model, whole, {**plain(config.to_diff_dict()), "model_type": whole["model_type"], "architectures": whole["architectures"]}


def built(name, changes):
    import torch
    from transformers import PreTrainedModel
    cls = class_named(name)
    with torch.device("meta"):
        model, whole, dropped = (of_transformers if issubclass(cls, PreTrainedModel) else of_diffusers)(cls, changes)
    dropped.pop("transformers_version", None)
    known, first, tied = dict(model.named_parameters(remove_duplicate=False)), {}, {}
    for n, p in known.items():
        if id(p) in first: tied[n] = first[id(p)]
        first.setdefault(id(p), n)
    state = {n: list(t.shape) for n, t in model.state_dict().items()}
    tables = {id(m.weight): m.weight for m in model.modules() if isinstance(m, torch.nn.Embedding)}
    count = sum(p.numel() for p in model.parameters())
    return {"class": cls.__name__, "configs": {"whole": whole, "dropped": dropped}, "params": {n: s for n, s in state.items() if n in known},
            "tied": {n: of for n, of in tied.items() if n in state}, "buffers": {n: s for n, s in state.items() if n not in known},
            "num_parameters": count, "non_embedding": count - sum(t.numel() for t in tables.values())}


def main():
    count, cases = {}, []
    with open(ROWS, encoding="utf-8") as f:
        for text in f:
            if text[0] == "#" or not text.strip(): continue
            name, _, rest = text.partition(" ")
            of = name.rpartition(":")[2]
            count[of] = count.get(of, 0) + 1
            cases.append(dict(case="pipelines/%s/%d" % (of, count[of]), **built(name, json.loads(rest))))
    print("%s: %d cases%s" % (PATH, len(cases), "" if pack(PATH, "".join(map(line, cases)).encode()) else ", unchanged"))


if __name__ == "__main__":
    sys.exit(main())

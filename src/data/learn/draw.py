"""Samples of the classes of a model type: built by transformers on the meta device, where size costs nothing.

The draws start from a base of small sizes that all differ. Then every key is varied alone: integers,
flags, nulls, factors, lists (items, then lengths together with the counts that state them), words (those
that the source compares the key with). The class counts as one more key, so all classes of a type are
sampled together. Under each class, flag, null or word that changed the names, idle keys are varied once
more. Finally joint draws over all keys that mattered eliminate answers that hold by chance. Lists
sometimes get equal neighbours; otherwise `in != out` would never be false.
"""
import copy
import importlib
import inspect
import itertools
import json
import math
import random
import re
import signal
import sys
import time

import torch
import transformers
from transformers import PreTrainedConfig, PreTrainedModel
from transformers import initialization

from samples import BASE, Sample, flatten

LAYERS = re.compile(r"(layers?|depths?|blocks?|num_stages|n_layer|num_levels)$|_layers(_|$)|^num_block")
HEADS = re.compile(r"heads?$|_heads_?|num_groups|_groups$")
IDLE = re.compile(r"token_id|dropout|_prob$|pdrop|layerdrop|initializer|_std$|^init_|_eps$|^eps$|epsilon|theta|use_cache|coef|_loss|^loss"
                  r"|_cost$|temperature|^output_(att|hidden|router)|return_|chunk_size|torch|dtype|_act$|act_fn$|activation_function"
                  r"|momentum|transformers_version|_name_or_path|model_type|architectures|problem_type|label2id|threshold|num_beams"
                  r"|attn_impl|is_encoder_decoder|scaling_factor|early_stop|forced_|suppress|decoder_start|tie_encoder_decoder")
NESTED_IDLE = re.compile(r"rope_|_parameters|scaling|quantization|generation_config")
PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]
PATIENCE = 4  # limit in seconds for building a class


class Slow(Exception):
    pass


def rang(*_):
    raise Slow("slow to build")


def isint(value):
    return isinstance(value, int) and not isinstance(value, bool)


def classes_of(model_type):
    """Every class of the modeling file that accepts this type's configuration, the base model first."""
    config = transformers.CONFIG_MAPPING[model_type]
    module = importlib.import_module(config.__module__.replace("configuration_", "modeling_"))
    found = [n for n, c in vars(module).items() if isinstance(c, type) and issubclass(c, PreTrainedModel)
             and c.__module__ == module.__name__ and getattr(c, "config_class", None) is config
             and n in getattr(module, "__all__", [n]) and not n.endswith("PreTrainedModel")]
    return sorted(found, key=lambda n: not n.endswith("Model"))


class Builder:
    match = "model_type"

    def __init__(self, model_type, classes, start=None):
        """start: keys that a configuration must have if the defaults cannot be built."""
        self.model_type, self.start = model_type, start or {}
        self.make = transformers.CONFIG_MAPPING[model_type]
        try: module = importlib.import_module(self.make.__module__.replace("configuration_", "modeling_"))
        except ModuleNotFoundError: module = transformers  # its classes are those of another type
        self.classes = {n: getattr(module, n, None) or getattr(transformers, n) for n in classes}
        self.default = self.make(**copy.deepcopy(self.start))
        self.prefixes, self.parts, self.inside = {}, {}, {}
        self.why, self.builds, self.with_parts = "", 0, False
        self.fields = self.own_fields(self.default, "")
        signal.signal(signal.SIGALRM, rang)

    def own_fields(self, config, before):
        known = set(config.__dict__) | set((getattr(config, "attribute_map", None) or {}).values()) | {"num_labels"}
        out = {before + k for k in known}
        for key, value in config.__dict__.items():
            if isinstance(value, PreTrainedConfig): out |= self.own_fields(value, before + key + ".")
        return out

    def config(self, changes):
        tree = {}
        for key, value in changes.items():
            *path, last = key.split(".")
            at = tree
            for part in path: at = at.setdefault(part, {})
            at[last] = list(value) if isinstance(value, tuple) else value
        return self.make(**{**copy.deepcopy(self.start), **self.merged(self.default, tree)})

    def text(self, changes, cls):
        """config.json"""
        config = self.config(changes)
        config.architectures = [cls]
        return json.dumps({**json.loads(config.to_json_string(use_diff=False)), "model_type": self.model_type})

    def merged(self, old, tree):
        """Nested configurations are passed as differences from their defaults, so that derived fields stay
        derived."""
        out = {}
        for key, value in tree.items():
            before = old.get(key) if isinstance(old, dict) else old.__dict__.get(key)
            if isinstance(value, dict) and isinstance(before, PreTrainedConfig):
                kept = {k: v for k, v in before.to_diff_dict().items() if k in before.__dict__ or "_" + k in before.__dict__}
                for k in ("transformers_version", "_name_or_path"): kept.pop(k, None)
                out[key] = {**kept, "model_type": before.model_type, **self.merged(before, value)}
            elif isinstance(value, dict): out[key] = {**copy.deepcopy(before or {}), **self.merged(before or {}, value)}
            else: out[key] = value
        return out

    def sample(self, changes, keys=(), ref=0):
        """None if it does not build; `why` has the reason."""
        changes = dict(changes)
        name = changes.pop("class()", next(iter(self.classes)))
        self.builds += 1
        signal.alarm(PATIENCE)
        try:
            config = self.config(changes)
            with initialization.no_init_weights(), initialization.meta_device_safe_creation_ops(), torch.device("meta"):
                model = self.classes[name](copy.deepcopy(config))
                model.tie_weights()
        except Exception as e:
            self.why = f"{type(e).__name__}: {str(e)[:160]}"
            return None
        finally:
            signal.alarm(0)
        env = flatten(config.to_dict())
        env["num_labels"], env["class()"] = getattr(config, "num_labels", 2), name
        sample = Sample(env, self.tensors(model, name), model.num_parameters(), frozenset(keys), ref)
        sample.towers = self.inside
        return sample

    def tensors(self, model, name):
        prefix = type(model).base_model_prefix
        prefix = prefix if prefix and hasattr(model, prefix) else ""
        self.prefixes[name] = prefix
        copies, modules, out = self.copies(model), dict(model.named_modules()), {}
        known = dict(model.named_parameters(remove_duplicate=False))
        state = {**known, **{n: t for n, t in model.state_dict().items() if n not in known}}
        towers = self.towers(model) if self.with_parts else []
        self.inside = {n: tuple(t.shape) for n, t in state.items() if any(n.startswith(w) for w in towers)}
        for n, tensor in state.items():
            if n in self.inside: continue
            module = modules.get(n.rpartition(".")[0])
            of = copies.get(n)
            out[self.based(n, prefix)] = (tuple(tensor.shape), n not in known, of and self.based(of, prefix),
                                          type(module).__name__ if n in known else "")
        return out

    @staticmethod
    def none(key):
        """[None] if the key accepts a null instead of a word."""
        return []

    @staticmethod
    def filled(key):
        """Values that may replace an empty list."""
        return []

    @staticmethod
    def nulls(key, words):
        """Values that may replace a null."""
        return [] if re.search("config|path|name", key) else [12, True]

    def sources(self):
        text = ""
        modules = {type(c).__module__ for c in [self.default, *self.default.__dict__.values()] if isinstance(c, PreTrainedConfig)}
        for name in modules | {m.replace("configuration_", "modeling_") for m in modules}:
            try: text += inspect.getsource(importlib.import_module(name))
            except Exception: pass
        return text

    @staticmethod
    def based(name, prefix):
        if not prefix: return BASE + "." + name
        return BASE + name[len(prefix):] if name.startswith(prefix + ".") else name

    def named(self, name, cls):
        """The name of a tensor in that class."""
        prefix = self.prefixes[cls]
        return name.replace(BASE + ".", prefix + "." if prefix else "", 1) if name.startswith(BASE) else name

    @staticmethod
    def copies(model):
        by, out = {}, {}
        for n, p in model.named_parameters(remove_duplicate=False): by.setdefault(id(p), []).append(n)
        tied = getattr(model, "all_tied_weights_keys", None) or {}
        for names in by.values():
            kept = ([n for n in names if n not in tied] or names)[0]
            out.update({n: kept for n in names if n != kept})
        return out

    def towers(self, model):
        """Prefixes of inner models whose nested configuration has its own type: each is a `part`."""
        nested = {id(v): k for k, v in model.config.__dict__.items()
                  if isinstance(v, PreTrainedConfig) and v.model_type in transformers.CONFIG_MAPPING}
        out = []
        for name, module in model.named_modules():
            key = nested.get(id(getattr(module, "config", None)))
            if not name or not key or not isinstance(module, PreTrainedModel) or any(name.startswith(t) for t in out): continue
            out.append(name + ".")
            base = self.based(name + ".", self.prefixes[type(model).__name__])
            self.parts.setdefault((key, base, type(module).__name__), set()).add(type(model).__name__)
        return out


def words_of(builder):
    """Words that the sources compare a key with."""
    text, out = builder.sources(), {}
    for key, word in re.findall(r"\b(\w+)\s*(?:==|!=)\s*[\"']([\w\-+]+)[\"']", text): out.setdefault(key, set()).add(word)
    for key, many in re.findall(r"\b(\w+)\s+(?:not )?in\s*[\(\[{]([^\)\]}]*)[\)\]}]", text) + \
            re.findall(r"^\s+(\w+): .*Literal\[([^\]]*)\]", text, re.M) + re.findall(r"^\s+(\w+)s = \[([^\]]*)\]", text, re.M):
        out.setdefault(key, set()).update(re.findall(r"[\"']([\w\-+]+)[\"']", many))
    return {k: sorted(v) for k, v in out.items()}


class Draws:
    def __init__(self, builder, seed, seconds):
        self.builder, self.random, self.seconds = builder, random.Random(seed), seconds
        self.words, self.samples, self.relevant, self.links = words_of(builder), [], {}, []
        self.start = time.monotonic()
        self.base = {}

    def over(self, part):
        return time.monotonic() - self.start > self.seconds * part

    # ---- other values

    def fresh(self, key, value):
        last = key.split(".")[-1]
        if LAYERS.search(last) and value <= 200: out = [2, 3, 4, 5, 6, 1]
        elif HEADS.search(last) and value <= 256: out = [16, 24, 32, 48] if "dim" in last else [4, 8, 6, 12, 2, 16] if value >= 32 else [2, 3, 4, 6, 8, 12, 1]
        elif "expert" in last and value <= 1024 and "size" not in last and "dim" not in last:
            out = [2, 3, 1, 4] if re.search("per_tok|shared|topk", last) else [4, 6, 8, 12, 16]
        elif value <= 0: out = [1, 2, 3]
        elif value <= 12: out = [value + 1, value + 2, 2 * value, value + 4, 3 * value] + [value - 1] * (value > 1)
        elif value < 48: out = [value * 2, value + 8, value // 2, value + 1, value + 4, 8, 12, 24]
        else: out = [48 * p + (value % 4 != 0) for p in PRIMES]
        out = [x for x in out if x != value]
        self.random.shuffle(out)
        return out

    def list(self, key, value):
        if not value: return value
        if all(isint(x) for x in value):
            indices = re.search("index|indices|out_", key) and list(value) == sorted(set(value))
            if indices: return value
            out = [self.random.choice(self.fresh("size" if x > 12 else key, x)) if self.random.random() < .8 else x for x in value]
            if max(value) > 40 and list(value) == sorted(value): out.sort()
            if len(out) > 1 and self.random.random() < .3:
                i = self.random.randrange(len(out) - 1)
                out[i + 1] = out[i]
            return tuple(out)
        if all(isinstance(x, bool) for x in value): return tuple(self.random.random() < .5 for _ in value)
        if all(isinstance(x, str) for x in value): return tuple(self.random.choice(sorted(set(value))) for _ in value)
        return tuple(x * self.random.choice((.5, 1, 1.5, 2)) if isinstance(x, float) else x for x in value)

    def others(self, key, value):
        if isinstance(value, bool): return [not value]
        if isint(value): return self.fresh(key, value)
        if isinstance(value, float): return [value * 2, value * 1.5, value / 2]
        if key == "class()": return [c for c in self.builder.classes if c != value]
        if isinstance(value, str): return self.builder.none(key) + [w for w in self.words.get(key.split(".")[-1], []) if w != value][:6]
        if value == (): return self.builder.filled(key)
        if isinstance(value, tuple): return [v for v in (self.list(key, value) for _ in range(4)) if v != value]
        return [] if value is not None else self.builder.nulls(key, self.words.get(key.split(".")[-1], []))

    # ---- the draws

    def all(self):
        first = self.builder.sample({})
        if first is None: raise RuntimeError("the default does not build: " + self.builder.why)
        self.keys = ["class()"] + [k for k in first.env if k in self.builder.fields and not IDLE.search(k.split(".")[-1])
                                   and not NESTED_IDLE.search(k.rpartition(".")[0])]
        self.shrink(first)
        self.samples = [self.builder.sample(self.base)]
        for key in self.keys: self.alone(key, 0, {})
        self.under_others()
        self.lengths()
        while not self.over(1) and len(self.samples) < 400:
            sample = self.joint()
            if sample: self.samples.append(sample)
            if len([s for s in self.samples if not s.keys]) > 110: break
        return self.samples

    def shrink(self, now):
        for key in sorted(self.keys, key=lambda k: not LAYERS.search(k.split(".")[-1])):
            value = now.env.get(key)
            last = key.split(".")[-1]
            if self.over(.3): return
            lengths = {len(v) for k, v in now.env.items() if isinstance(v, tuple) and k.rpartition(".")[0] == key.rpartition(".")[0]}
            if not isint(value) or not (value >= 48 or LAYERS.search(last) and value > 2) or value in lengths: continue
            for other in sorted(self.fresh(key, value))[:8] if value >= 48 else self.fresh(key, value)[:3]:
                if value >= 48 and other in self.base.values(): continue
                sample = self.builder.sample({**self.base, key: other})
                if sample and len(sample.tensors) <= max(2500, len(now.tensors)):
                    self.base[key], now = other, sample
                    break

    def alone(self, key, ref, under):
        """Varies a key in that sample until it has mattered often enough."""
        before, told, built = self.samples[ref], 0, 0
        value = before.env.get(key)
        for other in self.others(key, value):
            if self.over(.65): return
            sample = self.builder.sample({**self.base, **under, key: other}, [key], ref)
            if sample is None: continue
            built += 1
            if sample.signature() != before.signature():
                self.samples.append(sample)
                self.relevant.setdefault(key, []).append(other)
                told += 1
            elif built >= 2 and not isinstance(value, str): return
            if told >= (12 if key == "class()" else 6 if isinstance(value, str) else 3 if isint(value) and value <= 12 else 2): return

    def under_others(self):
        """Varies every key once more under each class, flag, null and word that changed the names."""
        names = set(self.samples[0].tensors)
        for ref, sample in enumerate(list(self.samples)):
            (key,) = sample.keys if len(sample.keys) == 1 else (None,)
            value = self.samples[0].env.get(key) if key else 0
            if key is None or isinstance(value, (tuple, float)) or isint(value) and value or set(sample.tensors) == names: continue
            for other in self.keys:
                if other != key and not self.over(.75): self.alone(other, ref, {key: sample.env[key]})

    def lengths(self):
        """Changes lists of one length together with the integers that state it."""
        env, groups = self.samples[0].env, {}
        for key in self.keys:
            value = env.get(key)
            if isinstance(value, tuple) and len(value) > 1 and not re.search("patch_size|kernel|rope", key): groups.setdefault((key.rpartition(".")[0], len(value)), []).append(key)
        for (path, length), lists in groups.items():
            counts = [k for k in self.keys if k.rpartition(".")[0] == path and isint(env.get(k)) and env[k] == length]
            for change, with_counts in itertools.product((-1, 1), (True, False)):
                changes = {k: self.longer(k, env[k], change) for k in lists}
                if with_counts: changes.update({k: env[k] + change for k in counts})
                sample = self.builder.sample({**self.base, **changes}, changes, 0)
                if sample is None: continue
                if sample.signature() != self.samples[0].signature():
                    self.samples.append(sample)
                    self.links.append(changes)
                break

    def longer(self, key, value, change):
        return value[:change] if change < 0 else value + self.list(key, value)[-1:] * change

    def joint(self):
        changes, chance = {}, self.random.choice((.15, .3, .5, .8, 1))
        for key, seen in self.relevant.items():
            if self.random.random() > chance: continue
            value = self.samples[0].env.get(key)
            some = self.others(key, value) if isint(value) or isinstance(value, tuple) else seen
            if value is None and isint(seen[0]): some = [seen[0], 24, 16, 8]
            if some: changes[key] = self.random.choice(some[:8])
        for link in self.links:
            if self.random.random() < chance * .5: changes.update(link)
        for _ in range(6):
            if not changes: return None
            sample = self.builder.sample({**self.base, **changes})
            if sample:
                sample.changes = {**self.base, **changes}
                return sample
            changes = {k: v for k, v in changes.items() if self.random.random() < .6}
        return None

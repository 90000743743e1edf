#!/usr/bin/env python3
"""own_candidates.py FILE [WORD...] -- cases that might kill surviving mutants.

For each model type that a specification names, every class of transformers that takes its configuration: by default,
under the names that save_pretrained() writes, and with each key changed that changes tensors. FILE gets one JSON
candidate per line, in the form of fixtures/oracle, with its row. `mutants -x FILE` shows which of them kill survivors,
and which disagree with their specification: add rows of the first kind to own_rows.txt; the second kind are mistakes
to look into. With words, only types that contain one of them. Takes some minutes. With an old transformers (4.28), the
candidates hold what files of its time do.
Packages: src/data/import/requirements.txt
"""
import glob, importlib, inspect, json, os, re, sys, time, warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import own_cases
from oracle_fixtures import line

LAYERS = ("num_hidden_layers", "num_layers", "n_layer", "n_layers", "encoder_layers", "decoder_layers",
          "depth", "num_decoder_layers")
NESTED = ("text_config", "vision_config", "audio_config", "thinker_config")
IDLE = re.compile("^(use_cache|output_|return_dict|is_encoder_decoder|.*_token_id|.*dropout.*|.*_dtype|"
                  "initializer_|torch|chunk_size|problem_type|id2label|label2id|transformers_version|rope|"
                  "_.*|architectures|model_type|max_.*|.*_eps|.*_std|.*_factor|.*_scale|.*_loss.*)$")


def types():
    """model_type: the specifications that name it."""
    found = {}
    for path in sorted(glob.glob("src/data/specs/*/*.spec")):
        for m in re.finditer(r"^match hf\s+model_type in (.*)$", open(path).read(), re.M):
            for word in m.group(1).split("#")[0].split():
                found.setdefault(word, path)
    return found


def classes(config_class):
    """The models of its module that take the configuration, those with the most parts of a head first."""
    import transformers
    module = importlib.import_module(config_class.__module__.replace("configuration_", "modeling_"))
    out = [c for n, c in vars(module).items()
           if inspect.isclass(c) and issubclass(c, transformers.PreTrainedModel)
           and c.config_class is config_class and not n.endswith("PreTrainedModel")
           and hasattr(transformers, n)]
    return sorted(out, key=lambda c: (not c.__name__.endswith(("CausalLM", "ConditionalGeneration")), c.__name__))


def with_key(values, path, value):
    out = json.loads(json.dumps(values))
    inside = out
    for key in path[:-1]:
        inside = inside.setdefault(key, {})
    inside[path[-1]] = value
    return out


def keys(config, path=()):
    for key, value in config.items():
        if isinstance(value, dict) and key in NESTED:
            yield from keys(value, path + (key,))
        elif not IDLE.match(key):
            yield path + (key,), value


def others(value):
    if isinstance(value, bool):
        return [not value]
    if value is None:
        return [2, True]
    if isinstance(value, int):
        return [0, 1, None] if value <= 8 else [None, 0]
    return []


def few_layers(config):
    values = {}
    for path, value in keys(config):
        if path[-1] in LAYERS and isinstance(value, int) and value > 4:
            values = with_key(values, path, 4)
    return values


def names(case):
    flat = sorted(case["params"].items()) + sorted(case["buffers"].items())
    return str(sorted({re.sub(r"\d+", "#", n) + "/" + str(len(s)) for n, s in flat})
               + sorted(re.sub(r"\d+", "#", n) for n in case["tied"]))


class Writer:
    """Makes the candidates of one model type; starts nothing new after LONG seconds."""

    LONG = 60

    def __init__(self, out):
        self.out, self.seen, self.start = out, set(), time.monotonic()
        old = own_cases.version()
        self.vintage = {"with": old} if old < "5" else {}
        self.suffix = "-" + old if old < "5" else ""

    def attempt(self, name, class_name, values, saved=False):
        if time.monotonic() - self.start > self.LONG:
            return None
        try:
            case = own_cases.make(name, class_name, values, saved)
        except (Exception, SystemExit):
            return None
        form = names(case) + class_name
        if form not in self.seen and len(case["params"]) < 20000:
            self.seen.add(form)
            more = {**({"saved": True} if saved else {}), **self.vintage}
            row = [name + self.suffix, class_name, values] + ([more] if more else [])
            self.out.write(line({**case, "case": name, "own": row}))
            self.out.flush()
        return case


def candidates(writer, model_type):
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING
    try:
        found = classes(CONFIG_MAPPING[model_type])
    except Exception:
        return
    base = None
    for number, cls in enumerate(found):
        first = writer.attempt(cls.__name__, cls.__name__, base or {})
        if base is None and first:
            base = few_layers(first["configs"]["whole"])
        writer.attempt(cls.__name__ + "-saved", cls.__name__, base or {}, True)
        if number or not first:
            continue
        small = writer.attempt(cls.__name__ + "-few", cls.__name__, base) or first
        for path, value in keys(small["configs"]["whole"]):
            for other in others(value) if path[-1] not in LAYERS else ():
                name = f"{cls.__name__}-{'.'.join(path)}-{other}"
                writer.attempt(name, cls.__name__, with_key(base, path, other))


def main():
    warnings.simplefilter("ignore")
    import transformers
    transformers.logging.set_verbosity_error()
    with open(sys.argv[1], "w") as out:
        for model_type in types():
            if not sys.argv[2:] or any(w in model_type for w in sys.argv[2:]):
                candidates(Writer(out), model_type)


if __name__ == "__main__":
    main()

"""The samples of a class: each is a configuration with the tensors that the class makes from it.

A sample has `env`, the flattened configuration ("text_config.hidden_size": 64; lists as tuples; "class()"
is the name of the class), and `tensors`: for each name its shape, whether it is a buffer, the name of the
tensor that it copies, and the class of its module. If a draw changes single keys, `keys` names them and
`ref` is the number of the sample in which they were changed: a value that differs between the two depends
on them. Names of the base model begin with BASE in all classes of a type, for any prefix of the class, so
one tree holds them all. Nothing here needs transformers.
"""
import dataclasses
import json
import lzma

BASE = "<base>"


@dataclasses.dataclass
class Sample:
    env: dict
    tensors: dict  # name: (shape, buffer, copy of, class of the module)
    total: int
    keys: frozenset = frozenset()
    ref: int = 0

    def signature(self):
        return hash(tuple(sorted((n, t[0], t[2]) for n, t in self.tensors.items())))


def flatten(config, before="", out=None):
    """The keys of a configuration that may decide a shape; id2label becomes its length."""
    out = {} if out is None else out
    for key, value in config.items():
        if key in ("label2id", "transformers_version", "_name_or_path", "architectures", "dtype", "torch_dtype"): continue
        if key == "id2label": out[before + "num_labels"] = len(value) if value else 2
        elif isinstance(value, dict): flatten(value, before + key + ".", out)
        elif isinstance(value, (list, tuple)):
            if all(isinstance(x, (int, str, float)) for x in value): out[before + key] = tuple(value)
        elif value is None or isinstance(value, (int, float, str)): out[before + key] = value
    return out


def store(path, samples, about):
    rows = [[{k: list(v) if isinstance(v, tuple) else v for k, v in s.env.items()}, s.tensors, s.total, sorted(s.keys),
             s.ref] for s in samples]
    with lzma.open(path, "wt", encoding="utf-8") as f: json.dump(dict(about, samples=rows), f)


def load(path):
    with lzma.open(path, "rt", encoding="utf-8") as f: about = json.load(f)
    rows = about.pop("samples")
    tupled = lambda env: {k: tuple(v) if isinstance(v, list) else v for k, v in env.items()}
    return [Sample(tupled(e), {n: (tuple(t[0]), *t[1:]) for n, t in ts.items()}, total, frozenset(keys), ref)
            for e, ts, total, keys, ref in rows], about

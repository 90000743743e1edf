#!/usr/bin/env python3
"""usage: mkshares.py OLD.table > new.table

The widths that the heads of a model type of transformers must divide: words `key/other` of defaults.table,
read by config_relations.c.

    venv/bin/python src/data/import/mkshares.py src/data/classes/defaults.table > new.table

Each configuration of the installed transformers is made with its defaults, and again with heads that do
not divide the width; its model is built on the meta device. If only the first builds, that gives a word. A
type that AutoModel does not build is tried as a part of another.
"""
import contextlib
import logging
import re
import signal
import sys
import warnings

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
import tables
import torch
from transformers import AutoModel, CONFIG_MAPPING, PretrainedConfig

HEADS = """attention_heads decoder_attention_heads encoder_attention_heads decoder_num_attention_heads encoder_num_attention_heads n_head n_heads
num_attention_heads num_decoder_attention_heads num_encoder_attention_heads num_heads pred_num_attention_heads""".split()
WIDTHS = "d_model hidden_size n_embd dim emb_dim embed_dim decoder_hidden_size pred_hidden_size".split()
FIRST = {"bloom": {"hidden_size": "n_embed"}}  # another name of a width, which its class prefers
LAYERS = "num_hidden_layers encoder_layers decoder_layers num_layers n_layer n_layers num_encoder_layers num_decoder_layers".split()
SECONDS = 25


class Late(Exception):
    pass


def late(*_):
    raise Late


def number(config, key):
    try:
        v = getattr(config, key, None)
    except Exception:  # layers of different widths have none
        return None
    return v if isinstance(v, int) and not isinstance(v, bool) else None


def built(cls, arguments):
    """True if it builds; None if nothing builds this type."""
    signal.alarm(SECONDS)
    try:
        config = cls(**arguments)
        with torch.device("meta"):
            AutoModel.from_config(config)
        return True
    except Late:
        return None
    except Exception as e:  # a class may refuse with any exception
        return None if "Unrecognized configuration" in str(e) else False
    finally:
        signal.alarm(0)


def tries(base):
    """(heads, width, a number that does not divide it) of a configuration."""
    for heads in HEADS:
        n = number(base, heads)
        width = next((w for w in WIDTHS if n and n > 0 and (number(base, w) or 0) > n and number(base, w) % n == 0), None)
        if width:
            yield heads, width, next(x for x in range(n + 1, number(base, width) + 2) if number(base, width) % x)


def shares(cls):
    """Its words; None if nothing builds this type."""
    base, words = cls(), []
    small = {k: 2 for k in LAYERS if (number(base, k) or 0) > 2}
    if not built(cls, small):
        small = {}
    if built(cls, small) is None:
        return None
    for heads, width, other in tries(base):
        if built(cls, {**small, heads: other}) is False and built(cls, small):
            words.append("%s/%s" % (heads, FIRST.get(cls.model_type, {}).get(width, width)))
    return words


def shares_of_parts(cls, unknown, found):
    """Finds the words for those of its parts that nothing builds alone."""
    for key, part in vars(cls()).items():
        if isinstance(part, PretrainedConfig) and type(part).model_type in unknown and built(cls, {}):
            kind = unknown.pop(type(part).model_type)
            found[kind] = ["%s/%s" % (h, w) for h, w, other in tries(part) if built(cls, {key: {"model_type": kind, h: other}}) is False]


def order(word):
    key = re.match(r"[\w.\-]+[=>@~!/]", word)[0]
    return key[-1] != "=", key


def look(found, unknown):
    for name in CONFIG_MAPPING:
        try:
            words = shares(CONFIG_MAPPING[name])
        except Exception:  # its defaults do not work
            continue
        if words is None:
            unknown[name] = name
        else:
            found[name] = words
    for name in CONFIG_MAPPING:
        try:
            shares_of_parts(CONFIG_MAPPING[name], unknown, found)
        except Exception:
            continue


def main():
    signal.signal(signal.SIGALRM, late)
    found, unknown = {}, {}
    with contextlib.redirect_stdout(sys.stderr):  # libraries write there, too
        look(found, unknown)
    for line in tables.read(sys.argv[1]):
        words = line.split()
        if line[0] != "#" and words[0] in found:
            kept = [w for w in words[2:] if "/" not in re.match(r"[\w.\-]+.", w)[0]]
            line = " ".join(words[:2] + sorted(kept + found[words[0]], key=order))
        print(line)


if __name__ == "__main__":
    main()

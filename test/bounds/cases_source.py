"""Inputs of which files and folders are made: promises, compressed nothings, many tensors, keys, files, folders."""
import json

from case import Case, READERS, words
from files import gguf, put, safetensors

LONG = "x" * 200
ONE = [("a", "U8", [4])]


# ---- promises: names and lists that speak of files which are not there

def promise(d, prefix, number, total, digits=6, end=".safetensors", content=None):
    """One file whose name says that it is one of `total`."""
    put("%s/%s-%05d-of-%0*d%s" % (d, prefix, number, digits, total, end), content or safetensors(ONE))


def one_promise(d): promise(d, LONG, 1, 999999)


def promise_in_the_middle(d):
    for n in (1, 7, 500000): promise(d, LONG, n, 999999)


def promises(d):
    for i in range(2000): promise(d, "%s%d" % (LONG[:100], i), 1 + i % 99999, 999999 - i)


def promises_of_one_name(d):
    for i in range(1000): promise(d, "m", 1, 999999 - i)


def promises_of_none(d):
    for name in ("a-00001-of-99999999999", "b-00000-of-00000", "c-00002-of-00001", "d-00001-of-1", "e-000001-of-000000"):
        put("%s/%s.safetensors" % (d, name), safetensors(ONE))


def split(count, name):
    pairs = [("general.architecture", "llama"), ("split.no", ("u16", 0)), ("split.count", ("u16", count)), ("split.tensors.count", ("i32", 2**31 - 1))]
    return lambda d: put(d + "/" + name, gguf(pairs, [("a", "F32", [4])]))


def index_of_nothing(lines, deep=""):
    def make(d):
        weights = {"t%06d" % i: "%ss%06d.safetensors" % (deep, i) for i in range(lines)}
        put(d + "/model.safetensors.index.json", json.dumps({"metadata": {"total_size": 1}, "weight_map": weights}).encode())
    return make


def index_and_one(d):
    index_of_nothing(100000)(d)
    put(d + "/s050000.safetensors", safetensors([("t050000", "U8", [4])]))


FILE = words("show m.gguf", "verify m.gguf", "hash m.gguf")
SAID = 20000 # what a command says of a promise is no list of it

PROMISES = [
    Case("promise", one_promise, READERS, 1, 0, SAID),
    Case("promise-middle", promise_in_the_middle, READERS, 3, 0, SAID),
    Case("promises-2000", promises, words("show .", "verify -q .", "hash .", "identify ."), 2000),
    Case("promises-one-name", promises_of_one_name, words("show .", "verify -q .", "hash ."), 1000),
    Case("promises-none", promises_of_none, READERS, 5, 0, SAID),
    Case("split-65535", split(65535, "m.gguf"), FILE, 1, 0, SAID),
    Case("split-65535-named", split(65535, "m-00001-of-65535.gguf"), READERS, 1, 0, SAID),
    Case("index-of-nothing", index_of_nothing(100000), READERS, 0, 0, SAID),
    Case("index-of-deep-nothing", index_of_nothing(100000, "a/b/"), READERS, 0, 0, SAID),
    Case("index-and-one", index_and_one, READERS, 1, 0, SAID),
]

CASES = PROMISES

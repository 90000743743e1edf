"""faults_gguf.py -- faults of a split GGUF checkpoint."""
import os
import struct

from harness import Expect, Gguf, gguf_strings


def shard(n, of=3):
    return f"model-{n:05}-of-{of:05}.gguf"


def define(suite):
    header(suite)
    size(suite)
    splits(suite)
    config(suite)


# ---- header -------------------------------------------------------------------------------------

def header(suite):
    @suite.fault("gguf", (1, 3), (2, 5))
    def begins_late(c, file, nth):
        """The tensor and all after it: one gap."""
        f = Gguf(c, shard(file))
        name = f.names()[nth]
        at = f.tensors[name]["offset"]
        for n in f.names()[nth:]:
            f.patch("<Q", f.tensors[n]["offset_at"], f.tensors[n]["offset"] + 32)
        f.raw[f.start + at:f.start + at] = b"\x21" * 32
        f.save()
        return [Expect("offset-hole", "header", f.name, name, f.tensors[name]["at"],
                       [f.start + at + 32, f.start + at])]

    @suite.fault("gguf", (1, 2), (3, 4))
    def overlaps(c, file, nth):
        f = Gguf(c, shard(file))
        name = f.names()[nth]
        t = f.tensors[name]
        f.patch("<Q", t["offset_at"], t["offset"] - 32)
        f.save()
        return [Expect("offset-overlap", "header", f.name, name, t["at"],
                       [f.start + t["offset"] - 32])]

    @suite.fault("gguf", (2, 1))
    def unaligned(c, file, nth):
        f = Gguf(c, shard(file))
        name = f.names()[nth]
        t = f.tensors[name]
        f.patch("<Q", t["offset_at"], t["offset"] + 8)
        f.save()
        return [Expect("offset-unaligned", "header", f.name, name, t["at"], [t["offset"] + 8, 32])]

    @suite.fault("gguf", (1, 1, 2))
    def out_of_order(c, file, a, b):
        f = Gguf(c, shard(file))
        a, b = f.names()[a], f.names()[b]
        x, y = f.tensors[a], f.tensors[b]
        f.patch("<Q", x["offset_at"], y["offset"])
        f.patch("<Q", y["offset_at"], x["offset"])
        f.save()
        return [Expect("offset-order", "header", f.name, b, y["at"],
                       [f.start + y["offset"], f.start + x["offset"]])]

    @suite.fault("gguf", (3, 1), (2, 0))
    def offset_past_any_file(c, file, nth):
        f = Gguf(c, shard(file))
        name = f.names()[nth]
        f.patch("<Q", f.tensors[name]["offset_at"], 2 ** 64 - 32)
        f.save()
        return [Expect("offset-range", "header", f.name, name, f.tensors[name]["at"],
                       [2 ** 64 - 32])]

    @suite.fault("gguf", (1, 1), (3, 2))
    def elements_overflow(c, file, nth):
        f = Gguf(c, shard(file))
        name = next(n for n in f.names()[nth:] if len(f.tensors[n]["dims"]) == 2)
        f.patch("<QQ", f.tensors[name]["dims_at"], 2 ** 32, 2 ** 32)
        f.save()
        return [Expect("shape-overflow", "header", f.name, name, f.tensors[name]["at"], [2 ** 32])]

    @suite.fault("gguf", (2, 2))
    def rows_of_no_whole_blocks(c, file, nth):
        f = Gguf(c, shard(file))
        name = next(n for n in f.names()[nth:] if f.tensors[n]["type"] == 8)
        f.patch("<Q", f.tensors[name]["dims_at"], 63)
        f.save()
        return [Expect("row-misaligned", "header", f.name, name, f.tensors[name]["at"], [63, 32])]

    @suite.fault("gguf", (2, 3))
    def five_dimensions(c, file, nth):
        f = Gguf(c, shard(file))
        name = f.names()[nth]
        t = f.tensors[name]
        dims = len(t["dims"])
        f.splice(t["n_dims"], t["dims_at"] + 8 * dims,
                 struct.pack("<I5Q", 5, *(t["dims"] + [1] * (5 - dims))))
        f.save()
        return [Expect("shape-refused", "header", f.name, name, t["n_dims"], [5, 4])]

    @suite.fault("gguf", (1, 1, "type-removed", 4), (2, 1, "type-unknown", 4711),
                 (3, 1, "type-fork", 139))
    def element_type(c, file, nth, code, kind):
        f = Gguf(c, shard(file))
        name = next(n for n in f.names()[nth:] if f.tensors[n]["type"] == 8)
        t = f.tensors[name]
        f.patch("<I", t["type_at"], kind)
        if kind == 139:  # IQ4_K comes in blocks of 256
            f.patch("<QQ", t["dims_at"], 256, 1)
        f.save()
        return [Expect(code, "header", f.name, name, t["type_at"], [kind],
                       "warning" if kind == 139 else "error")]

    @suite.fault("gguf", (2, 1, 3))
    def name_twice(c, file, a, b):
        f = Gguf(c, shard(file))
        pairs = [(x, y) for x in f.names() for y in f.names() if x < y and len(x) == len(y)
                 and f.tensors[x]["at"] < f.tensors[y]["at"]]
        x, y = pairs[0]
        at = f.tensors[y]["at"]
        f.raw[at + 8:at + 8 + len(x)] = x.encode()
        f.save()
        return [Expect("name-repeated", "header", f.name, x, at, [f.tensors[x]["at"], at])]

    @suite.fault("gguf")
    def two_bad_tensors(c):
        f = Gguf(c, shard(2))
        a, b = [n for n in f.names() if f.tensors[n]["type"] == 8][1:3]
        f.patch("<Q", f.tensors[a]["dims_at"], 33)
        f.patch("<QQ", f.tensors[b]["dims_at"], 2 ** 62, 2 ** 62)
        f.save()
        return [Expect("row-misaligned", "header", f.name, a, f.tensors[a]["at"], [33]),
                Expect("shape-overflow", "header", f.name, b, f.tensors[b]["at"], [2 ** 62])]

    @suite.fault("gguf", 0, 12, 24)
    def alignment(c, n):
        f = Gguf(c, shard(1))
        f.add_key("general.alignment", 4, struct.pack("<I", n))
        f.save()
        return [Expect("alignment-refused" if n == 24 else "alignment-bad", "header", f.name,
                       offset=f.keys["general.alignment"]["at"], numbers=[n])]

    @suite.fault("gguf", 0, 4, 77)
    def version(c, n):
        c.fill(shard(2), 4, struct.pack("<I", n))
        return [Expect("version-unknown", "header", shard(2), offset=4, numbers=[n])]

    @suite.fault("gguf")
    def key_twice(c):
        f = Gguf(c, shard(1))
        f.add_key("llama.block_count", 4, struct.pack("<I", 3))
        f.save()
        return [Expect("key-repeated", "header", f.name)]

    @suite.fault("gguf")
    def value_of_no_type(c):
        f = Gguf(c, shard(3))
        k = f.keys["split.no"]
        f.patch("<I", k["value"] - 4, 13)
        f.save()
        return [Expect("header-malformed", "header", f.name, offset=k["value"] - 4, numbers=[13])]

    @suite.fault("gguf", (1, 100), (3, 10))
    def cut_in_the_header(c, file, before):
        f = Gguf(c, shard(file))
        os.truncate(c.path(f.name), f.end - before)
        return [Expect("header-truncated", "header", f.name)]

    @suite.fault("gguf", 2 ** 40, 2 ** 63)
    def tensor_count(c, n):
        c.fill(shard(2), 8, struct.pack("<Q", n))
        return [Expect("header-truncated", "header", shard(2), offset=8, numbers=[n])]


# ---- size ---------------------------------------------------------------------------------------

def size(suite):
    @suite.fault("gguf", (1, 100), (2, 33333), (3, 1))
    def cut_short(c, file, by):
        f = Gguf(c, shard(file))
        end = max(f.start + f.tensors[n]["offset"] + f.bytes_of(n) for n in f.names())
        pad = c.size(f.name) - end
        left = end - by
        os.truncate(c.path(f.name), left)
        gone = [n for n in f.names() if f.start + f.tensors[n]["offset"] + f.bytes_of(n) > left]
        assert pad >= 0
        inner = sum(min(f.bytes_of(n), f.start + f.tensors[n]["offset"] + f.bytes_of(n) - left)
                    for n in gone)
        return [Expect("data-missing", "size", f.name, gone[0], left,
                       [inner] + ([len(gone)] if len(gone) > 1 else []))]

    @suite.fault("gguf", 1, 3)
    def all_data_missing(c, file):
        f = Gguf(c, shard(file))
        os.truncate(c.path(f.name), f.start)
        return [Expect("data-missing", "size", f.name, f.names()[0], f.start, [f.n_tensors])]

    @suite.fault("gguf", (1, 33), (3, 5000))
    def bytes_behind_the_end(c, file, n):
        end = c.size(shard(file))
        c.append(shard(file), b"\x21" * n)
        return [Expect("trailing-bytes", "size", shard(file), offset=end, numbers=[n],
                       severity="warning")]

    @suite.fault("gguf", (1, 40000), (2, 30001))
    def zeros_to_the_end(c, file, n):
        f = Gguf(c, shard(file))
        at = c.size(f.name) - n
        c.fill(f.name, at, bytes(n))
        hit = [x for x in f.names() if f.start + f.tensors[x]["offset"] + f.bytes_of(x) > at]
        return [Expect("zero-tail", "size", f.name, hit[0], at, [len(hit)])]

    @suite.fault("gguf", (2, 20480, 24576))
    def never_written(c, file, at, n):
        f = Gguf(c, shard(file))
        c.hole(f.name, at, n)
        hit = [x for x in f.names() if f.start + f.tensors[x]["offset"] + f.bytes_of(x) > at]
        return [Expect("zero-hole", "size", f.name, hit[0], at, [n])]

    @suite.fault("gguf", 2)
    def empty(c, file):
        c.write(shard(file), b"")
        return [Expect("file-empty", "size", shard(file), offset=0)]

    @suite.fault("gguf", 1)
    def lfs_pointer(c, file):
        bytes_ = c.size(shard(file))
        c.write(shard(file), "version https://git-lfs.github.com/spec/v1\n"
                             f"oid sha256:{'b' * 64}\nsize {bytes_}\n")
        return [Expect("lfs-pointer", "size", shard(file), numbers=[bytes_])]

    @suite.fault("gguf", 3)
    def unfinished(c, file):
        bytes_ = c.size(shard(file))
        os.rename(c.path(shard(file)), c.path(shard(file) + ".part"))
        return [Expect("download-incomplete", "size", shard(file), numbers=[bytes_])]


# ---- splits -------------------------------------------------------------------------------------

def splits(suite):
    @suite.fault("gguf", 1, 2, 3)
    def shard_missing(c, file):
        os.remove(c.path(shard(file)))
        return [Expect("shard-missing", "index", shard(file))]

    @suite.fault("gguf", (1, 1), (3, 0))
    def split_no(c, file, n):
        f = Gguf(c, shard(file))
        f.set_key("split.no", n)
        f.save()
        return [Expect("split-disagrees", "index", f.name, numbers=[n, file - 1])]

    @suite.fault("gguf", (2, 4), (3, 2))
    def split_count(c, file, n):
        f = Gguf(c, shard(file))
        f.set_key("split.count", n)
        f.save()
        return [Expect("split-disagrees", "index", f.name, numbers=[n, 3])]

    @suite.fault("gguf", 29, 31)
    def split_tensors_count(c, n):
        for i in range(1, 4):
            f = Gguf(c, shard(i))
            f.set_key("split.tensors.count", n)
            f.save()
        return [Expect("split-disagrees", "index", shard(1), numbers=[n, 30])]

    @suite.fault("gguf", 2)
    def tensors_counts_differ(c, file):
        f = Gguf(c, shard(file))
        f.set_key("split.tensors.count", 11)
        f.save()
        return [Expect("split-disagrees", "index", f.name, numbers=[11, 30])]

    @suite.fault("gguf", (2, "split.no"), (3, "split.count"))
    def split_key_missing(c, file, key):
        f = Gguf(c, shard(file))
        f.drop_key(key)
        f.save()
        return [Expect("split-disagrees", "index", f.name, numbers=[file, 3])]

    @suite.fault("gguf")
    def first_shard_without_architecture(c):
        f = Gguf(c, shard(1))
        f.drop_key("general.architecture")
        f.save()
        return [Expect("architecture-absent", "header", f.name, severity="warning")]

    @suite.fault("gguf-moe", (3, 23))
    def stale_keys_after_a_merge(c, count, tensors):
        f = Gguf(c, "moe.gguf")
        f.add_key("split.no", 2, struct.pack("<H", 0))
        f.add_key("split.count", 2, struct.pack("<H", count))
        f.add_key("split.tensors.count", 5, struct.pack("<i", tensors))
        f.save()
        return [Expect("split-stale", "index", f.name, numbers=[count, tensors])]

    @suite.fault("gguf-moe")
    def shard_under_another_name(c):
        f = Gguf(c, "moe.gguf")
        f.add_key("split.no", 2, struct.pack("<H", 1))
        f.add_key("split.count", 2, struct.pack("<H", 4))
        f.add_key("split.tensors.count", 5, struct.pack("<i", 100))
        f.save()
        return [Expect("split-disagrees", "index", f.name, numbers=[2, 4])]

    @suite.fault("gguf", 2, 4)
    def two_splits_side_by_side(c, total):
        for n in range(1, total + 1):
            c.write(shard(n, total), c.read(shard(min(n, 3))))
        return [Expect("split-mixed", "index", shard(1, total), numbers=[total, total, 3])]

    @suite.fault("gguf", (1, 2), (2, 3))
    def joined_with_cat(c, a, b):
        end = c.size(shard(a))
        c.append(shard(a), c.read(shard(b)))
        return [Expect("file-appended", "index", shard(a), offset=end)]

    @suite.fault("gguf", (2, 1))
    def in_two_shards(c, file, nth):
        """A tensor of shard 2 takes the name of one of shard 1."""
        f, g = Gguf(c, shard(1)), Gguf(c, shard(file))
        x, y = next((x, y) for x in f.names() for y in g.names() if len(x) == len(y))
        at = g.tensors[y]["at"]
        g.raw[at + 8:at + 8 + len(x)] = x.encode()
        g.save()
        return [Expect("tensor-repeated", "index", g.name, x),
                Expect("model-tensor-missing", "config", tensor=y)]

    @suite.fault("gguf-moe")
    def raw_piece(c):
        data = c.read("moe.gguf")
        os.remove(c.path("moe.gguf"))
        c.write("moe.gguf.part1of2", data[:200000])
        c.write("moe.gguf.part2of2", data[200000:])
        c.target = c.path("moe.gguf.part1of2")
        return [Expect("data-missing", "size", "moe.gguf.part1of2", offset=200000),
                Expect("file-piece", "index", "moe.gguf.part1of2", numbers=[1, 2])]


# ---- config -------------------------------------------------------------------------------------

def config(suite):
    def reset(c, key, value):
        f = Gguf(c, shard(1))
        f.set_key(key, value)
        f.save()
        return f, f.keys[key]["at"]

    @suite.fault("gguf", 4, 2)
    def block_count(c, n):
        f, at = reset(c, "llama.block_count", n)
        return [Expect("block-count", "config", f.name, offset=at, numbers=[n, 2])]

    @suite.fault("gguf", 1, 4)
    def key_value_heads(c, n):
        reset(c, "llama.attention.head_count_kv", n)
        return [Expect("head-count", "config", numbers=[32, 16 * n]),
                Expect("model-tensor-shape", "config", tensor="blk.2.attn_v.weight",
                       numbers=[32, 16 * n])]

    @suite.fault("gguf", 256)
    def feed_forward_length(c, n):
        reset(c, "llama.feed_forward_length", n)
        return [Expect("model-tensor-shape", "config", tensor="blk.0.ffn_up.weight",
                       numbers=[192, n])]

    @suite.fault("gguf", 330, 321)
    def more_tokens_than_rows(c, n):
        f = Gguf(c, shard(1))
        f.drop_key("tokenizer.ggml.tokens")
        f.add_key("tokenizer.ggml.tokens", 9, gguf_strings([f"t{i}" for i in range(n)]))
        f.save()
        return [Expect("vocabulary-short", "config", f.name, "token_embd.weight", numbers=[320, n]),
                Expect("vocabulary-short", "config", f.name, "output.weight", numbers=[320, n]),
                Expect("tokenizer-length", "config", f.name, numbers=[320, n]),
                Expect("vocabulary-size", "config", f.name, numbers=[320, n], severity="warning")]

    @suite.fault("gguf", 319)
    def fewer_tokens_than_rows(c, n):
        f = Gguf(c, shard(1))
        f.drop_key("tokenizer.ggml.tokens")
        f.drop_key("tokenizer.ggml.token_type")
        f.add_key("tokenizer.ggml.tokens", 9, gguf_strings([f"t{i}" for i in range(n)]))
        f.save()
        return [Expect("vocabulary-padded", "config", f.name, "token_embd.weight", numbers=[320, n],
                       severity="note")]

    @suite.fault("gguf")
    def token_types_too_few(c):
        f = Gguf(c, shard(1))
        f.drop_key("tokenizer.ggml.token_type")
        f.add_key("tokenizer.ggml.token_type", 9, struct.pack("<IQ", 5, 300) + bytes(1200))
        f.save()
        return [Expect("tokenizer-length", "config", f.name,
                       offset=f.keys["tokenizer.ggml.token_type"]["at"], numbers=[300, 320])]

    @suite.fault("gguf")
    def merge_that_is_no_pair(c):
        f = Gguf(c, shard(1))
        f.drop_key("tokenizer.ggml.merges")
        f.add_key("tokenizer.ggml.merges", 9, gguf_strings(["a b", "c d", "ef"]))
        f.save()
        return [Expect("tokenizer-merges", "config", f.name,
                       offset=f.keys["tokenizer.ggml.merges"]["at"], numbers=[2, 3])]

    @suite.fault("gguf")
    def no_merges(c):
        f = Gguf(c, shard(1))
        f.drop_key("tokenizer.ggml.merges")
        f.save()
        return [Expect("tokenizer-merges", "config", f.name)]

    @suite.fault("gguf", ("bos", 320), ("eos", 100000))
    def token_id(c, which, n):
        f, at = reset(c, f"tokenizer.ggml.{which}_token_id", n)
        return [Expect("token-id", "config", f.name, offset=at, numbers=[n, 320])]

    @suite.fault("gguf", (15, "Q4_K_M"), (0, "F32"), (1, "F16"))
    def file_type(c, n, _):
        f, at = reset(c, "general.file_type", n)
        return [Expect("file-type", "config", f.name, offset=at, numbers=[n], severity="warning")]

    @suite.fault("gguf", ("parameter_count", 10, struct.pack("<Q", 12345), [12345]), ("parameter_count", 8, struct.pack("<Q", 2) + b"7B", []),
                 ("size_label", 8, struct.pack("<Q", 3) + b"70B", []), ("size_label", 8, struct.pack("<Q", 4) + b"8x7B", []))
    def size_said(c, key, kind, value, numbers):
        f = Gguf(c, shard(1))
        f.add_key("general." + key, kind, value)
        f.save()
        return [Expect("size-said", "config", f.name, offset=f.keys["general." + key]["at"], numbers=numbers, severity="warning")]

    @suite.fault("gguf")
    def no_projector(c):
        f = Gguf(c, shard(1))
        f.add_key("general.type", 8, struct.pack("<Q", 6) + b"mmproj")
        f.save()
        return [Expect("file-kind", "config", f.name, offset=f.keys["general.type"]["at"], words=["llama"], severity="warning")]

    @suite.fault("gguf-moe")
    def doubles(c):
        f = Gguf(c, "moe.gguf")
        name = f.names()[0]
        f.patch("<I", f.tensors[name]["offset_at"] - 4, 28)
        f.save()
        return [Expect("type-unused", "config", f.name, name, severity="warning")]

    @suite.fault("gguf")
    def text_for_a_number(c):
        f = Gguf(c, shard(1))
        f.drop_key("llama.context_length")
        f.add_key("llama.context_length", 8, struct.pack("<Q", 3) + b"128")
        f.save()
        return [Expect("key-type", "config", f.name, offset=f.keys["llama.context_length"]["at"])]

    @suite.fault("gguf-moe", 5, 99)
    def experts_chosen(c, n):
        f = Gguf(c, "moe.gguf")
        f.set_key("llama.expert_used_count", n)
        f.save()
        return [Expect("counts-disagree", "config", f.name, offset=f.keys["llama.expert_used_count"]["at"], numbers=[n, 4], severity="warning")]

    @suite.fault("gguf")
    def prediction_layers_absent(c):
        f = Gguf(c, shard(1))
        f.add_key("llama.nextn_predict_layers", 4, struct.pack("<I", 1))
        f.save()
        return [Expect("mtp-absent", "config", f.name, numbers=[1], severity="warning")]

    @suite.fault("gguf-moe", ("no", 2, struct.pack("<H", 1), 1), ("tensors.count", 5, struct.pack("<i", 99), 99))
    def shard_without_count(c, key, kind, value, n):
        f = Gguf(c, "moe.gguf")
        f.add_key("split." + key, kind, value)
        f.save()
        return [Expect("split-disagrees", "index", f.name, numbers=[n])]

    @suite.fault("gguf-moe", 8, 2)
    def experts(c, n):
        f = Gguf(c, "moe.gguf")
        f.set_key("llama.expert_count", n)
        f.save()
        return [Expect("expert-count", "config", f.name, offset=f.keys["llama.expert_count"]["at"],
                       numbers=[n, 4])]

    @suite.fault("gguf", (2, 4), (3, 1))
    def renamed(c, file, nth):
        f = Gguf(c, shard(file))
        name = f.names()[nth]
        at = f.tensors[name]["at"]
        new = "x" + name[1:]
        f.raw[at + 8:at + 8 + len(name)] = new.encode()
        f.save()
        return [Expect("model-tensor-missing", "config", tensor=name),
                Expect("loader-refuses", "config", f.name, new)]

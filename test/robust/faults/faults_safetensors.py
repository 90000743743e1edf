"""faults_safetensors.py -- faults of a sharded safetensors checkpoint."""
import json
import os
import struct

from harness import Expect, Safetensors

INDEX = "model.safetensors.index.json"


def shard(n, of=4):
    return f"model-{n:05}-of-{of:05}.safetensors"


def define(suite):
    header(suite)
    size(suite)
    index(suite)
    config(suite)


def product(shape):
    n = 1
    for d in shape:
        n *= d
    return n


def two_more(n): return n + 2
def twice(n): return n * 2
def half(n): return n // 2
def decimal(n): return f"{n}.0"
def float_of_more(n): return float(n + 8)
def text_of_less(n): return str(n - 8)


# ---- header -------------------------------------------------------------------------------------

def header(suite):
    @suite.fault("llama", (1, 2), (3, 5), (4, 1))
    def begins_late(c, file, nth):
        f = Safetensors(c, shard(file))
        name = f.names()[nth]
        begin, end = f.header[name]["data_offsets"]
        f.header[name]["data_offsets"] = [begin + 2, end + 2]
        f.save()
        return [Expect("offset-hole", "header", f.name, name, f.at(name), [begin + 2, begin])]

    @suite.fault("llama", (1, 1), (2, 4))
    def overlaps(c, file, nth):
        f = Safetensors(c, shard(file))
        name = f.names()[nth]
        begin, end = f.header[name]["data_offsets"]
        f.header[name]["data_offsets"] = [begin - 2, end - 2]
        f.save()
        return [Expect("offset-overlap", "header", f.name, name, f.at(name), [begin - 2, begin])]

    @suite.fault("llama", (2, 3))
    def ends_before_it_begins(c, file, nth):
        f = Safetensors(c, shard(file))
        name = f.names()[nth]
        begin, end = f.header[name]["data_offsets"]
        f.header[name]["data_offsets"] = [end, begin]
        f.save()
        return [Expect("offset-reversed", "header", f.name, name, f.at(name), [end, begin])]

    @suite.fault("llama", (1, 0), (3, 2), (4, 3))
    def shape_one_larger(c, file, nth):
        f = Safetensors(c, shard(file))
        name = f.names()[nth]
        entry = f.header[name]
        span = entry["data_offsets"][1] - entry["data_offsets"][0]
        entry["shape"][0] += 1
        f.save()
        return [Expect("size-mismatch", "header", f.name, name, f.at(name),
                       [span, 2 * product(entry["shape"])])]

    @suite.fault("llama", (1, 3), (4, 0))
    def another_type(c, file, nth):
        f = Safetensors(c, shard(file))
        name = f.names()[nth]
        entry = f.header[name]
        span = entry["data_offsets"][1] - entry["data_offsets"][0]
        entry["dtype"] = "F32"
        f.save()
        return [Expect("size-mismatch", "header", f.name, name, f.at(name), [span, 2 * span])]

    @suite.fault("llama", (2, 0))
    def unknown_type(c, file, nth):
        f = Safetensors(c, shard(file))
        name = f.names()[nth]
        f.header[name]["dtype"] = "BF17"
        f.save()
        return [Expect("type-unknown", "header", f.name, name, f.at(name),
                       [product(f.header[name]["shape"])])]

    @suite.fault("llama", (2, 1, 4), (3, 0, 8))
    def name_twice(c, file, first, second):
        f = Safetensors(c, shard(file))
        a, b = f.names()[first], f.names()[second]
        f.replace(f'"{b}":'.encode(), f'"{a}":'.encode())
        f.save()
        return [Expect("name-repeated", "header", f.name, a, f.at(a, 1), [f.at(a), f.at(a, 1)])]

    @suite.fault("llama", (1, 1, "dtype"), (2, 5, "shape"), (4, 2, "data_offsets"))
    def field_missing(c, file, nth, field):
        f = Safetensors(c, shard(file))
        name = f.names()[nth]
        del f.header[name][field]
        f.save()
        return [Expect("entry-malformed", "header", f.name, name)]

    @suite.fault("llama", -1, 2.5, "64", None)
    def dimension(c, value):
        f = Safetensors(c, shard(3))
        name = f.names()[1]
        f.header[name]["shape"][0] = value
        f.save()
        return [Expect("entry-malformed", "header", f.name, name)]

    @suite.fault("llama")
    def three_faults_in_one_header(c):
        f = Safetensors(c, shard(2))
        a, b, d = f.names()[0], f.names()[3], f.names()[7]
        f.header[a]["shape"] = "no list"
        f.header[b]["shape"][0] += 1
        f.header[d]["dtype"] = 7
        f.save()
        return [Expect("entry-malformed", "header", f.name, a),
                Expect("size-mismatch", "header", f.name, b, f.at(b)),
                Expect("entry-malformed", "header", f.name, d)]

    @suite.fault("llama", [2 ** 32, 2 ** 32], [2 ** 63, 2])
    def elements_overflow(c, shape):
        f = Safetensors(c, shard(1))
        name = f.names()[2]
        f.header[name]["shape"] = shape
        f.save()
        return [Expect("shape-overflow", "header", f.name, name, f.at(name), shape)]

    @suite.fault("llama")
    def offsets_past_any_file(c):
        f = Safetensors(c, shard(4))
        name = f.names()[2]
        f.header[name]["data_offsets"][1] = 2 ** 64 - 1
        f.save()
        return [Expect("offset-range", "header", f.name, name, f.at(name), [2 ** 64 - 1])]

    @suite.fault("llama", 1, 4)
    def byte_that_is_no_text(c, file):
        f = Safetensors(c, shard(file))
        at = f.at(f.names()[1]) + 3
        f.save()
        c.fill(f.name, at, b"\xff")
        return [Expect("header-malformed", "header", f.name, offset=at)]

    @suite.fault("llama", 2)
    def brace_lost(c, file):
        f = Safetensors(c, shard(file))
        f.text = f.encoded()[:-1] + b" "
        f.save()
        return [Expect("header-malformed", "header", f.name, offset=f.start())]

    @suite.fault("llama")
    def nul_behind_the_header(c):
        f = Safetensors(c, shard(3))
        end = f.start()
        f.text = f.encoded() + b"\0"
        f.save()
        return [Expect("header-malformed", "header", f.name, offset=end)]

    @suite.fault("llama")
    def space_before_the_header(c):
        f = Safetensors(c, shard(1))
        f.text = b" " + f.encoded()
        f.save()
        return [Expect("leading-space", "header", f.name, offset=8, severity="warning")]

    @suite.fault("llama", 10 ** 6, 2 ** 40)
    def header_length(c, n):
        name, bytes_ = shard(2), c.size(shard(2))
        c.fill(name, 0, struct.pack("<Q", n))
        if n > 10 ** 8:
            return [Expect("header-limit", "header", name, offset=0, numbers=[n, 10 ** 8])]
        return [Expect("header-truncated", "header", name, offset=0, numbers=[n, bytes_ - 8])]

    @suite.fault("llama", 7, None, ["pt"])
    def metadata_value(c, value):
        f = Safetensors(c, shard(1))
        f.header["__metadata__"]["format"] = value
        f.save()
        return [Expect("metadata-malformed", "header", f.name)]

    @suite.fault("llama", 3)
    def web_page(c, file):
        c.write(shard(file), "<!DOCTYPE html>\n<html><body>Access denied</body></html>\n")
        return [Expect("not-a-checkpoint", "header", shard(file), offset=0)]


# ---- size ---------------------------------------------------------------------------------------

def size(suite):
    @suite.fault("llama", (1, 1), (2, 20000), (3, 64), (4, 50001))
    def cut_short(c, file, by):
        f = Safetensors(c, shard(file))
        f.save()
        end = c.size(f.name) - by
        gone = [n for n in f.names() if f.start() + f.header[n]["data_offsets"][1] > end]
        c.cut(f.name, by)
        return [Expect("data-missing", "size", f.name, gone[0], end,
                       [by] + ([len(gone)] if len(gone) > 1 else []))]

    @suite.fault("llama", (1, 1), (4, 4096))
    def bytes_behind_the_end(c, file, n):
        end = c.size(shard(file))
        c.append(shard(file), b"\x21" * n)
        return [Expect("trailing-bytes-refused", "size", shard(file), offset=end,
                       numbers=[n, end + n])]

    @suite.fault("llama", (1, 30000), (2, 55555), (3, 90000), (4, 45000))
    def zeros_to_the_end(c, file, n):
        f = Safetensors(c, shard(file))
        f.save()
        at = c.size(f.name) - n
        c.fill(f.name, at, bytes(n))
        hit = [x for x in f.names() if f.start() + f.header[x]["data_offsets"][1] > at]
        return [Expect("zero-tail", "size", f.name, hit[0], at, [n] + ([len(hit)] if len(hit) > 1 else []))]

    @suite.fault("llama", (2, 20011, 30000), (3, 9001, 8192), (1, 41001, 25000))
    def zeros_in_the_middle(c, file, at, n):
        f = Safetensors(c, shard(file))
        f.save()
        begin = f.start() + at
        c.fill(f.name, begin, bytes(n))
        hit = [x for x in f.names() if f.start() + f.header[x]["data_offsets"][1] > begin
               and f.start() + f.header[x]["data_offsets"][0] < begin + n]
        return [Expect("zero-hole", "size", f.name, hit[0], begin, [n])]

    @suite.fault("llama", 2)
    def two_tensors_of_zeros(c, file):
        f = Safetensors(c, shard(file))
        places = sorted((*f.header[n]["data_offsets"], n) for n in f.names() if len(f.header[n]["shape"]) == 2)
        begin, end, first = next((a[0], b[1], a[2]) for a, b in zip(places, places[1:-1]) if a[1] == b[0])
        c.fill(f.name, f.start() + begin, bytes(end - begin))
        return [Expect("zero-run", "size", f.name, first, f.start() + begin, [end - begin, 2], "warning")]

    @suite.fault("llama", (2, 40960, 32768), (3, 53248, None))
    def never_written(c, file, at, n):
        f = Safetensors(c, shard(file))
        f.save()
        n = n or c.size(f.name) - at
        c.hole(f.name, at, n)
        hit = [x for x in f.names() if f.start() + f.header[x]["data_offsets"][1] > at]
        tail = at + n == c.size(f.name)
        return [Expect("zero-tail" if tail else "zero-hole", "size", f.name, hit[0], at, [n])]

    @suite.fault("llama", 2)
    def empty(c, file):
        c.write(shard(file), b"")
        return [Expect("file-empty", "size", shard(file), offset=0, numbers=[0])]

    @suite.fault("llama", 1, 4)
    def nothing_but_zeros(c, file):
        c.write(shard(file), bytes(c.size(shard(file))))
        return [Expect("zero-filled", "size", shard(file), offset=0)]

    @suite.fault("llama", 1, 3)
    def lfs_pointer(c, file):
        bytes_ = c.size(shard(file))
        c.write(shard(file), "version https://git-lfs.github.com/spec/v1\n"
                             f"oid sha256:{'a' * 64}\nsize {bytes_}\n")
        return [Expect("lfs-pointer", "size", shard(file), offset=0, numbers=[bytes_])]

    @suite.fault("llama", ".incomplete", ".part", ".crdownload")
    def unfinished(c, end):
        c.cut(shard(2), 5000)
        bytes_ = c.size(shard(2))
        os.rename(c.path(shard(2)), c.path(shard(2) + end))
        return [Expect("download-incomplete", "size", shard(2), numbers=[bytes_])]

    @suite.fault("llama")
    def aria2_at_work(c):
        c.write(shard(4) + ".aria2", b"\0\1")
        return [Expect("download-incomplete", "size", shard(4))]

    def listing(c, commit="0123abcd"):
        files = {n: {"size": c.size(n), "blob_id": f"{i:040x}", "lfs_sha256": f"{i:064x}",
                     "lfs_size": c.size(n)} for i, n in enumerate(c.shards())}
        c.write(f".cache/huggingface/trees/{commit}.json",
                json.dumps({"format_version": 1, "files": files}))
        c.write(f".cache/huggingface/download/{shard(1)}.metadata", f"{commit}\n{'0' * 64}\n1.0\n")

    @suite.fault("llama", (2, 8), (3, 4096))
    def other_size_than_published(c, file, more):
        listing(c)
        was = c.size(shard(file))
        c.append(shard(file), b"\x22" * more)
        return [Expect("size-published", "size", shard(file), numbers=[was + more, was])]

    @suite.fault("llama", 1, 3)
    def download_that_hf_broke_off(c, file):
        listing(c)
        was = c.size(shard(file))
        c.cut(shard(file), 7777)
        os.rename(c.path(shard(file)),
                  c.path(f".cache/huggingface/download/AbC.{file - 1:064x}.incomplete"))
        return [Expect("download-incomplete", "size", shard(file), numbers=[was - 7777, was])]


# ---- index --------------------------------------------------------------------------------------

def index(suite):
    @suite.fault("llama", 1, 2, 4)
    def shard_missing(c, file):
        os.remove(c.path(shard(file)))
        return [Expect("shard-missing", "index", shard(file))]

    @suite.fault("llama", 4, 2)
    def shard_that_no_line_names(c, file):
        i = c.json(INDEX)
        f = Safetensors(c, shard(file))
        size_ = 2 * sum(product(f.header[n]["shape"]) for n in f.names())
        i["weight_map"] = {k: v for k, v in i["weight_map"].items() if v != shard(file)}
        c.set_json(INDEX, i)
        total = i["metadata"]["total_size"]
        return [Expect("shard-unindexed", "index", shard(file)),
                Expect("total-size", "index", INDEX, numbers=[total, total - size_])]

    @suite.fault("llama", "model-00005-of-00004.safetensors", "model-extra.safetensors")
    def stranger(c, name):
        c.write(name, c.read(shard(1)))
        return [Expect("shard-unindexed", "index", name)]

    @suite.fault("llama", "other.safetensors", "model.safetensors")
    def file_next_to_the_shards(c, name):
        c.write(name, c.read(shard(1)))
        return [Expect("file-unindexed", "index", name, severity="note")]

    @suite.fault("llama", 150)  # FINDINGS_EACH of a rule, 100, are listed
    def many_names_of_nothing(c, n):
        i = c.json(INDEX)
        i["weight_map"].update({f"model.none.{k}": shard(1) for k in range(n)})
        c.set_json(INDEX, i)
        return [Expect("tensor-missing", "index", INDEX, "model.none.0"),
                Expect("more-findings", "index", severity="note", words=["tensor-missing"], numbers=[n - 100])]

    @suite.fault("llama", 1, 3)
    def indexed_and_absent(c, file):
        i = c.json(INDEX)
        i["weight_map"]["mtp.fc.weight"] = shard(file)
        c.set_json(INDEX, i)
        return [Expect("tensor-missing", "index", INDEX, "mtp.fc.weight")]

    @suite.fault("llama", (2, -1), (1, -1))
    def dropped_from_its_shard(c, file, nth):
        f = Safetensors(c, shard(file))
        name = f.names()[nth]
        f.data = f.data[:f.header[name]["data_offsets"][0]]
        del f.header[name]
        f.save()
        return [Expect("tensor-missing", "index", INDEX, name),
                Expect("model-tensor-missing", "config", tensor=name)]

    @suite.fault("llama", (1, 0), (3, 4), (4, 2))
    def present_and_not_indexed(c, file, nth):
        name = Safetensors(c, shard(file)).names()[nth]
        i = c.json(INDEX)
        del i["weight_map"][name]
        c.set_json(INDEX, i)
        return [Expect("tensor-unindexed", "index", shard(file), name, severity="warning"),
                Expect("index-incomplete", "index", INDEX, name, numbers=[1])]

    @suite.fault("llama", (1, 0, 2), (3, 4, 1), (4, 2, 3))
    def mapped_to_the_wrong_shard(c, file, nth, to):
        name = Safetensors(c, shard(file)).names()[nth]
        i = c.json(INDEX)
        i["weight_map"][name] = shard(to)
        c.set_json(INDEX, i)
        return [Expect("tensor-misplaced", "index", INDEX, name)]

    @suite.fault("llama")
    def two_shards_under_each_others_name(c):
        a, b = c.read(shard(1)), c.read(shard(4))
        names = Safetensors(c, shard(1)).names()
        c.write(shard(1), b)
        c.write(shard(4), a)
        return [Expect("tensor-misplaced", "index", INDEX, n) for n in names]

    @suite.fault("llama", (1, 0, 2), (4, 1, 3))
    def in_two_shards(c, file, nth, to):
        f, g = Safetensors(c, shard(file)), Safetensors(c, shard(to))
        name = f.names()[nth]
        begin, end = f.header[name]["data_offsets"]
        g.header[name] = dict(f.header[name], data_offsets=[len(g.data), len(g.data) + end - begin])
        g.data += f.data[begin:end]
        g.save()
        later = max(file, to)
        return [Expect("tensor-repeated", "index", shard(later), name)]

    @suite.fault("llama", 3, 5)
    def two_splits_side_by_side(c, total):
        for n in range(1, total + 1):
            c.write(shard(n, total), c.read(shard(min(n, 4))))
        return [Expect("split-mixed", "index", shard(1, total), numbers=[total, total, 4])]

    @suite.fault("llama", two_more, twice, half)
    def total_size(c, change):
        i = c.json(INDEX)
        was = i["metadata"]["total_size"]
        i["metadata"]["total_size"] = change(was)
        c.set_json(INDEX, i)
        return [Expect("total-size", "index", INDEX, numbers=[change(was), was])]

    @suite.fault("llama", float, str, decimal)
    def total_size_written_oddly(c, change):
        i = c.json(INDEX)
        i["metadata"]["total_size"] = change(i["metadata"]["total_size"])
        c.set_json(INDEX, i)
        return [Expect("total-odd", "index", INDEX, severity="warning")]

    @suite.fault("llama", float_of_more, text_of_less)
    def total_size_odd_and_wrong(c, change):
        i = c.json(INDEX)
        was = i["metadata"]["total_size"]
        i["metadata"]["total_size"] = change(was)
        c.set_json(INDEX, i)
        return [Expect("total-odd", "index", INDEX, severity="warning"),
                Expect("total-size", "index", INDEX, numbers=[int(float(change(was))), was])]

    @suite.fault("llama")
    def total_size_of_files(c):
        i = c.json(INDEX)
        was, files = i["metadata"]["total_size"], sum(c.size(n) for n in c.shards())
        i["metadata"]["total_size"] = files
        c.set_json(INDEX, i)
        return [Expect("total-size-of-files", "index", INDEX, numbers=[files, was],
                       severity="warning")]

    @suite.fault("llama", 1, 333312, "188865")
    def total_parameters(c, says):
        i = c.json(INDEX)
        i["metadata"]["total_parameters"] = says
        c.set_json(INDEX, i)
        wanted = [Expect("total-parameters", "index", INDEX, numbers=[int(says), 188864])]
        if isinstance(says, str):
            wanted.append(Expect("total-odd", "index", INDEX, severity="warning"))
        return wanted

    @suite.fault("llama", b"\n{}", b'{"weight_map": {}}', b"x")
    def behind_the_index(c, more):
        end = len(c.read(INDEX).rstrip())
        c.write(INDEX, c.read(INDEX).rstrip() + more)
        return [Expect("index-trailing", "index", INDEX, offset=end + (len(more) - len(more.lstrip())),
                       numbers=[len(more.lstrip())])]

    @suite.fault("llama", 1, 700)
    def index_cut_short(c, by):
        data = c.read(INDEX).rstrip()
        c.write(INDEX, data[:-by])
        return [Expect("index-unreadable", "index", INDEX)]

    @suite.fault("llama")
    def line_twice(c):
        data = c.read(INDEX)
        line = f'"lm_head.weight": "{shard(4)}",'.encode()
        assert data.count(line) == 1
        c.write(INDEX, data.replace(line, line + b"\n" + line))
        return [Expect("index-repeated", "index", INDEX, numbers=[1], severity="warning")]

    @suite.fault("llama")
    def no_index(c):
        os.remove(c.path(INDEX))
        return [Expect("index-absent", "index", numbers=[4], severity="warning")]

    @suite.fault("llama", (1, 2), (3, 4))
    def joined_with_cat(c, a, b):
        end = c.size(shard(a))
        c.append(shard(a), c.read(shard(b)))
        return [Expect("file-appended", "index", shard(a), offset=end)]


# ---- config -------------------------------------------------------------------------------------

def config(suite):
    @suite.fault("llama", 321, 256)
    def vocab_size(c, n):
        c.edit_json("config.json", vocab_size=n)
        return [Expect("model-tensor-shape", "config", tensor=t, numbers=[320, n, 64])
                for t in ("model.embed_tokens.weight", "lm_head.weight")]

    @suite.fault("llama", 4, 6)
    def more_layers(c, n):
        c.edit_json("config.json", num_hidden_layers=n)
        return [Expect("model-tensor-missing", "config", tensor="model.layers.3.mlp.up_proj.weight",
                       numbers=[192, 64]),
                Expect("block-count", "config", "config.json", numbers=[n, 2])]

    @suite.fault("llama", 2, 1)
    def fewer_layers(c, n):
        c.edit_json("config.json", num_hidden_layers=n)
        return [Expect("model-tensor-unexpected", "config",
                       tensor="model.layers.2.self_attn.q_proj.weight"),
                Expect("block-count", "config", "config.json", numbers=[n, 2])]

    @suite.fault("llama", 1, 4)
    def key_value_heads(c, n):
        c.edit_json("config.json", num_key_value_heads=n)
        return [Expect("model-tensor-shape", "config", tensor=f"model.layers.{i}.self_attn.k_proj.weight",
                       numbers=[32, 16 * n]) for i in range(3)] + [
                Expect("head-count", "config", "config.json", numbers=[32, 16 * n])]

    @suite.fault("llama", 8, 2)
    def heads_and_their_size(c, n):
        c.edit_json("config.json", num_attention_heads=n, head_dim=16)
        return [Expect("head-count", "config", "config.json",
                       "model.layers.0.self_attn.q_proj.weight", numbers=[16 * n, 64])]

    @suite.fault("llama", 256)
    def intermediate_size(c, n):
        c.edit_json("config.json", intermediate_size=n)
        return [Expect("model-tensor-shape", "config", tensor="model.layers.1.mlp.down_proj.weight",
                       numbers=[192, n])]

    @suite.fault("llama", (2, 3), (4, 1), (1, 0))
    def renamed(c, file, nth):
        f = Safetensors(c, shard(file))
        name = f.names()[nth]
        f.header = {("model.layer0.w" if k == name else k): v for k, v in f.header.items()}
        f.save()
        i = c.json(INDEX)
        i["weight_map"]["model.layer0.w"] = i["weight_map"].pop(name)
        c.set_json(INDEX, i)
        return [Expect("model-tensor-missing", "config", tensor=name),
                Expect("model-tensor-unknown", "config", shard(file), "model.layer0.w",
                       severity="warning")]

    def tokenizer(n, added=0):
        return json.dumps({"model": {"type": "BPE", "vocab": {f"t{i}": i for i in range(n - added)}},
                           "added_tokens": [{"id": n - added + i, "content": f"<{i}>"}
                                            for i in range(added)]})

    @suite.fault("llama", (321, 0), (400, 3))
    def more_tokens_than_rows(c, n, added):
        c.write("tokenizer.json", tokenizer(n, added))
        return [Expect("vocabulary-short", "config", "tokenizer.json", "model.embed_tokens.weight",
                       numbers=[320, n])]

    @suite.fault("llama", (300, 2))
    def fewer_tokens_than_rows(c, n, added):
        c.write("tokenizer.json", tokenizer(n, added))
        return [Expect("vocabulary-padded", "config", "tokenizer.json", numbers=[320, n],
                       severity="note")]

    @suite.fault("llama", (320, 0), (317, 3))
    def as_many_tokens_as_rows(c, n, added):
        c.write("tokenizer.json", tokenizer(n + added, added))
        return []

    @suite.fault("llama", 320, 330)
    def unigram_tokens(c, n):
        c.write("tokenizer.json", json.dumps({"model": {"type": "Unigram", "vocab": [
            [f"t{i}", -1.5] for i in range(n)]}}))
        return [Expect("vocabulary-short", "config", "tokenizer.json", numbers=[320, n])] if n > 320 else []

    @suite.fault("llama")
    def tokenizer_cut_short(c):
        text = tokenizer(320)[:-100]
        c.write("tokenizer.json", text)
        return [Expect("tokenizer-unreadable", "config", "tokenizer.json", offset=len(text))]

    @suite.fault("llama", ("config.json", "eos_token_id", 320), ("config.json", "bos_token_id", 999),
                 ("generation_config.json", "eos_token_id", [2, 4000]),
                 ("generation_config.json", "pad_token_id", 321))
    def token_id(c, file, key, value):
        if file != "config.json":
            c.write(file, "{}")
        c.edit_json(file, **{key: value})
        last = value[-1] if isinstance(value, list) else value
        return [Expect("token-id", "config", file, numbers=[last, 320])]

    @suite.fault("llama", ("config.json", "eos_token_id", 319), ("generation_config.json", "eos_token_id", [0, 319]))
    def last_token_id(c, file, key, value):
        if file != "config.json":
            c.write(file, "{}")
        c.edit_json(file, **{key: value})
        return []

    @suite.fault("llama", ("torch_dtype", "torch.bfloat16"), ("dtype", "bfloat16"))
    def same_dtype(c, key, value):
        c.edit_json("config.json", **{key: value})
        return []

    @suite.fault("llama", "float32", "float16", "torch.float16")
    def dtype(c, value):
        c.edit_json("config.json", torch_dtype=value)
        return [Expect("dtype-other", "config", "config.json", numbers=[188864], severity="warning")]

    @suite.fault("llama", ("num_attention_heads", 0, "num_attention_heads is 0,"),
                 ("hidden_size", -64, "hidden_size is -64,"),
                 ("num_hidden_layers", None, "num_hidden_layers is null"),
                 ("num_hidden_layers", True, "num_hidden_layers is true,"),
                 ("vocab_size", "x", 'vocab_size is "x",'), ("vocab_size", {}, "vocab_size is {},"),
                 ("intermediate_size", 192.5, "intermediate_size is 192.5,"),
                 ("intermediate_size", [192], "intermediate_size is [192],"),
                 ("num_key_value_heads", 0, "num_key_value_heads is 0,"),
                 ("num_hidden_layers", 10**9, "1000000000 (num_hidden_layers)"),
                 ("tie_word_embeddings", "no", 'tie_word_embeddings is "no",'),
                 ("architectures", [5], "(architectures)"), ("model_type", 5, "model_type is 5"))
    def configuration_makes_no_model(c, key, value, says):
        c.edit_json("config.json", **{key: value})
        return [Expect("config-broken", "config", "config.json", words=[says])]

    @suite.fault("llama", ("gptq", {"bits": 4, "group_size": 64}), ("fp8", {"weight_block_size": [16, 16]}))
    def configuration_packs_plain_weights(c, method, keys):
        c.edit_json("config.json", quantization_config={"quant_method": method, **keys})
        return [Expect("quantization-contradicted", "config", "config.json", words=[method])]

    @suite.fault("llama", ("[]",), ("null",), ("12",))
    def configuration_is_no_object(c, text):
        c.write("config.json", text)
        return [Expect("config-broken", "config", "config.json")]

    @suite.fault("llama", (1, 1, "I16"), (2, 4, "U16"))
    def whole_numbers_for_weights(c, file, nth, kind):
        f = Safetensors(c, shard(file))
        name = f.names()[nth]
        f.header[name]["dtype"] = kind
        f.save()
        return [Expect("model-tensor-type", "config", f.name, name, words=[kind])]

    @suite.fault("llama")
    def config_cut_short(c):
        data = c.read("config.json")[:-30]
        c.write("config.json", data)
        return [Expect("config-unreadable", "config", "config.json")]

    @suite.fault("llama", "num_nextn_predict_layers", "mtp_num_hidden_layers")
    def prediction_layers_absent(c, key):
        c.edit_json("config.json", **{key: 1})
        return [Expect("mtp-absent", "config", "config.json", numbers=[1], severity="warning")]

    @suite.fault("llama", "num_nextn_predict_layers", "mtp_num_hidden_layers")
    def no_prediction_layers(c, key):
        c.edit_json("config.json", **{key: 0})
        return []

    @suite.fault("mixtral", 8, 3)
    def experts(c, n):
        c.edit_json("config.json", num_local_experts=n)
        return [Expect("expert-count", "config", "config.json", numbers=[n, 3])]

    @suite.fault("mixtral", 5, 400)
    def experts_chosen(c, n):
        c.edit_json("config.json", num_experts_per_tok=n)
        return [Expect("counts-disagree", "config", "config.json", numbers=[n, 4], severity="warning")]

    @suite.fault("mixtral", (0, 3, "w2"), (1, 0, "w1"))
    def expert_missing(c, layer, expert, part):
        name = f"model.layers.{layer}.block_sparse_moe.experts.{expert}.{part}.weight"
        i = c.json(INDEX)
        file = i["weight_map"].pop(name)
        c.set_json(INDEX, i)
        f = Safetensors(c, file)
        begin, end = f.header.pop(name)["data_offsets"]
        f.data = f.data[:begin] + f.data[end:]
        for entry in f.header.values():
            if "data_offsets" in entry and entry["data_offsets"][0] >= end:
                entry["data_offsets"] = [x - (end - begin) for x in entry["data_offsets"]]
        f.save()
        return [Expect("model-tensor-missing", "config", tensor=name),
                Expect("total-size", "index", INDEX, numbers=[2 * 189248, 2 * 189248 - (end - begin)])]

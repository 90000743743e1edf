#!/usr/bin/env python3
"""gguf_files.py -- small GGUF files and folders of them: what a file is that is not a model, what no loader loads, and what is healthy.

A case makes files in a folder of its own and has commands, the exit statuses that they may have, what must be said and what must not. Each
fault has healthy neighbours beside it. Expected values are those of llama.cpp's source (src/llama-model*.cpp, src/models), never numel's.
"""
import os, re, struct, subprocess, sys, tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
import files

NUMEL = os.path.abspath(os.path.join(os.environ.get("B", "build/release"), "numel"))
CASES = []


def case(name, make, *checks): CASES.append((name, make, checks))


# ---- files --------------------------------------------------------------------------------------

E, F, H, K, L, V = 64, 128, 4, 2, 2, 320


def pairs(arch="llama", tokens=V, without=(), **more):
    """The metadata of a small model; `more` in place of what stands there, None takes away."""
    p = {"general.architecture": arch, "general.file_type": 1, f"{arch}.block_count": L, f"{arch}.context_length": 4096,
         f"{arch}.embedding_length": E, f"{arch}.feed_forward_length": F, f"{arch}.attention.head_count": H,
         f"{arch}.attention.head_count_kv": K, f"{arch}.attention.layer_norm_rms_epsilon": ("f32", 1e-5)}
    if tokens:
        p["tokenizer.ggml.model"] = "llama"
        p["tokenizer.ggml.tokens"] = ("arr", ("str", [f"t{i}" for i in range(tokens)]))
    p |= {k.replace("__", "."): v for k, v in more.items()}
    return [(k, v) for k, v in p.items() if v is not None and k not in without]


def block(i, kind="F16"):
    D = E // H
    return [(f"blk.{i}.{n}", t, s) for n, t, s in [
        ("attn_norm.weight", "F32", [E]), ("attn_q.weight", kind, [E, E]), ("attn_k.weight", kind, [K * D, E]), ("attn_v.weight", kind, [K * D, E]),
        ("attn_output.weight", kind, [E, E]), ("ffn_norm.weight", "F32", [E]), ("ffn_gate.weight", kind, [F, E]), ("ffn_up.weight", kind, [F, E]),
        ("ffn_down.weight", kind, [E, F])]]


def tensors(*more, head=True, layers=L):
    out = [("token_embd.weight", "F16", [V, E])]
    for i in range(layers): out += block(i)
    return out + [("output_norm.weight", "F32", [E])] + ([("output.weight", "F16", [V, E])] if head else []) + list(more)


def put(d, name, content):
    os.makedirs(os.path.dirname(os.path.join(d, name)), exist_ok=True)
    with open(os.path.join(d, name), "wb") as f: f.write(content)


def one(*args, name="m.gguf", **kw): return lambda d: put(d, name, files.gguf(*args, **kw))


def retyped(data, name, number):
    """The tensor is said to be of another type."""
    at = data.index(files.text(name)) + 8 + len(name)
    at += 4 + 8 * struct.unpack_from("<I", data, at)[0]
    return data[:at] + struct.pack("<I", number) + data[at + 4:]


# ---- raw pieces ---------------------------------------------------------------------------------

WHOLE = files.gguf(pairs(), tensors())
JOIN = r"join the pieces in order"
AGAIN = r"download .{0,40}again"


def pieces(first, second, whole=WHOLE): return lambda d: [put(d, first, whole[:len(whole) // 2]), put(d, second, whole[len(whole) // 2:])]


for first, second in (("m.Q4_K_M.gguf.part1of2", "m.Q4_K_M.gguf.part2of2"), ("m.gguf-split-a", "m.gguf-split-b"), ("m.gguf.part-01", "m.gguf.part-02"),
                      ("m.gguf.aa", "m.gguf.ab"), ("m.gguf.001", "m.gguf.002"), ("m.gguf-00001-of-00002", "m.gguf-00002-of-00002")):
    case("pieces " + first, pieces(first, second),
         (f"verify {first}", {1}, JOIN, AGAIN), (f"show {first}", {1}, JOIN, AGAIN), (f"identify {first}", {1}, JOIN, AGAIN),
         (f"verify {second}", {1, 3}, JOIN, AGAIN), (f"identify {second}", {0}, "^" + second + " +piece", AGAIN),
         ("verify .", {3}, JOIN, AGAIN), ("list .", {1, 3, 5}, JOIN, AGAIN))
case("pieces of safetensors", lambda d: [put(d, "m.safetensors.part1of2", files.safetensors([("a", "F32", [64, 64])])[:9000])],
     ("verify m.safetensors.part1of2", {1}, "piece 1 of 2 of 'm.safetensors'.*" + JOIN, AGAIN))
case("pieces that no shell sorts", pieces("m.gguf.part1of12", "m.gguf.part2of12"), ("verify m.gguf.part1of12", {1}, "in order with cat, into 'm.gguf'", r"part'\*"))
# Healthy: joined again, or a name like a piece's; cut short under its own name.
case("not pieces: joined", lambda d: put(d, "m.gguf", WHOLE), ("verify .", {0}, "^complete", "piece"))
case("not pieces: whole", lambda d: put(d, "m.gguf.part1of1", WHOLE), ("verify m.gguf.part1of1", {0}, "^complete", "piece"))
case("not pieces: a word", lambda d: put(d, "model-part-a.gguf", WHOLE), ("verify .", {0}, "^complete", "piece"))
case("not pieces: an archive", lambda d: put(d, "m.gguf.xz", b"\xfd7zXZ" + bytes(100)), ("identify m.gguf.xz", {0}, "xz", "piece"))
case("not pieces: cut", lambda d: put(d, "m.gguf", WHOLE[:len(WHOLE) // 2]), ("verify .", {1}, "data-missing.*download 'm.gguf' again", "piece"))

# ---- other formats ------------------------------------------------------------------------------

TINY = [51865, 1500, 384, 6, 4, 448, 384, 6, 4, 80, 1, 80, 201]
LEGACY = [32000, 4096, 256, 32, 32, 128, 2, 3, 0x3e6b6e75, 1, 0x73, 1, 0x20]


def words(magic, numbers): return lambda d: put(d, "ggml.bin", magic + b"".join(struct.pack("<I", n) for n in numbers) + bytes(2000))


def voice(d): put(d, "ggml.bin", b"lmgg" + files.u32(10) + b"silero-16k" + bytes(2000))


for what, make in (("whisper.cpp", words(b"lmgg", TINY)), ("whisper.cpp", words(b"lmgg", [51866, 1500, 1280, 20, 32, 448, 1280, 20, 4, 128, 1008, 128, 201])),
                   ("whisper.cpp", voice), ("rwkv.cpp", words(b"fmgg", [101, 50277, 768, 12, 1])), ("rwkv.cpp", words(b"fmgg", [100, 65536, 2048, 24, 0]))):
    for command, status in (("show", {3}), ("identify", {0}), ("verify", {3})):
        case(what, make, (command + " ggml.bin", status, re.escape(what), "convert|download"))
case("not whisper.cpp's", words(b"lmgg", LEGACY), ("identify ggml.bin", {0}, "legacy ggml", "whisper"), ("show ggml.bin", {3}, "convert-llama", "whisper"))
case("not whisper.cpp's: mels of no table", words(b"lmgg", TINY[:11] + [79, 201]), ("identify ggml.bin", {0}, "legacy ggml", "whisper"))
case("not rwkv.cpp's", words(b"fmgg", [1] + LEGACY), ("identify ggml.bin", {0}, "legacy ggml", "rwkv"))
case("a pickle", lambda d: put(d, "model.safetensors", b"PK\3\4" + bytes(200)), ("verify model.safetensors", {3}, "convert", AGAIN))

# ---- types of forks -----------------------------------------------------------------------------

DOWN = ["blk.0.ffn_down.weight", "blk.1.ffn_down.weight"]


def forked(number, *names):
    def make(d):
        data = WHOLE
        for n in names: data = retyped(data, n, number)
        put(d, "m.gguf", data)
    return make


FORK = r"element type %d .*sizes do not fit.*fork"
case("a fork's type 42", forked(42, DOWN[0]), ("verify m.gguf", {1}, FORK % 42, "incomplete|" + AGAIN), ("show m.gguf", {0, 1}, "type 42", "Q2_0,"))
case("a fork's type 41, twice", forked(41, *DOWN), ("verify m.gguf", {1}, FORK % 41, "incomplete|offset-hole"))
case("a fork's type 39", forked(39, *DOWN), ("verify m.gguf", {1}, FORK % 39, "offset-hole"))
# Healthy, or wrong in another way: the real type; a hole before another tensor; one of two that fits.
case("no fork: Q8_0", one(pairs(general__quantization_version=2), [(n, "Q8_0" if n in DOWN else t, s) for n, t, s in tensors()]), ("verify m.gguf", {0}, "^complete", "fork"))
case("no fork: a known type alone", forked(0, DOWN[0]), ("verify m.gguf", {1}, "offset", "fork"))
case("no fork: one fits", lambda d: put(d, "m.gguf", retyped(files.gguf(pairs(), [(n, "Q8_0" if n == DOWN[1] else t, s) for n, t, s in tensors()]), DOWN[0], 8)),
     ("verify m.gguf", {1}, "offset-hole", "fork"))


# ---- running ------------------------------------------------------------------------------------

def run(folder, args):
    env = dict(os.environ, LC_ALL="C.UTF-8", COLUMNS="400", NUMEL_PAGER="cat", NO_COLOR="1")
    p = subprocess.run([NUMEL] + args.split(), cwd=folder, env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return p.returncode, p.stdout + p.stderr


def fault(folder, args, status, must, mustnot):
    rc, text = run(folder, args)
    flat = re.sub(r"[ \t]+", " ", text)
    if rc not in status: return f"status {rc}", text
    if must and not re.search(must, flat, re.M | re.S): return f"does not say {must}", text
    if mustnot and re.search(mustnot, flat, re.M): return f"says {mustnot}", text
    return None


def main():
    failed = checks = 0
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    for name, make, wanted in CASES:
        if only not in name: continue
        with tempfile.TemporaryDirectory() as folder:
            make(folder)
            for check in wanted:
                checks += 1
                wrong = fault(folder, *check)
                if wrong:
                    failed += 1
                    print(f"FAIL {name}: numel {check[0]}: {wrong[0]}\n{wrong[1]}")
    print(f"gguf_files: {len(CASES)} cases, {checks} checks, {failed} failed")
    return failed > 0


if __name__ == "__main__": sys.exit(main())

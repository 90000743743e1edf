#!/usr/bin/env python3
"""gguf_files.py -- small GGUF files and folders of them: files that are not models, files that no loader accepts,
and healthy ones.

A case writes files to its own folder and lists commands, allowed exit statuses, required and forbidden output.
Each fault has healthy neighbours. Expected values come from llama.cpp's source (src/llama-model*.cpp, src/models),
never from numel.
"""
import json, os, re, struct, subprocess, sys, tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import files

NUMEL = os.path.abspath(os.path.join(os.environ.get("B", "build/release"), "numel"))
CASES = []


def case(name, make, *checks): CASES.append((name, make, checks))


# ---- files --------------------------------------------------------------------------------------

E, F, H, K, L, V = 64, 128, 4, 2, 2, 320


def pairs(arch="llama", tokens=V, without=(), **more):
    """The metadata of a small model; `more` replaces entries, None removes them."""
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
    """Changes the declared type of the tensor."""
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
# Healthy: joined again, or a name like a piece's. Also truncated, under its own name.
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
ROW = r"element type 41 .*rows have 64 elements: the sizes do not fit.*fork"
case("a fork's type 41, rows of half a block", forked(41, "blk.0.attn_q.weight"), ("verify m.gguf", {1}, ROW, "row-misaligned|incomplete|" + AGAIN), ("show m.gguf", {0, 1}, "type 41", "Q1_0,"))
case("the same of each block", forked(41, *(f"blk.{i}.{n}.weight" for i in range(L) for n in ("attn_q", "attn_output", "ffn_up"))), ("verify m.gguf", {1}, ROW, "(?s)type-size.*type-size|" + AGAIN))
case("not a fork's: a known type, rows of half a block", forked(12, "blk.0.attn_q.weight"), ("verify m.gguf", {1}, "row-misaligned", "fork"))
case("no fork: no such number", forked(90, "blk.0.attn_q.weight"), ("verify m.gguf", {0, 1}, "type 90", "sizes do not fit"))
# Healthy, or wrong in another way: the real type; a hole before another tensor; one of two that fits.
case("no fork: Q8_0", one(pairs(general__quantization_version=2), [(n, "Q8_0" if n in DOWN else t, s) for n, t, s in tensors()]), ("verify m.gguf", {0}, "^complete", "fork"))
case("not a fork's: a known type alone", forked(0, DOWN[0]), ("verify m.gguf", {1}, "offset", "fork"))
case("no fork: one fits", lambda d: put(d, "m.gguf", retyped(files.gguf(pairs(), [(n, "Q8_0" if n == DOWN[1] else t, s) for n, t, s in tensors()]), DOWN[0], 8)),
     ("verify m.gguf", {1}, "offset-hole", "fork"))


# ---- files that are not models ------------------------------------------------------------------

KINDS = ("show", "identify", "reconcile", "list", "verify")
WRONG = r"disagrees|missing|unknown component|: unknown"


def imatrix(d, more=(("general.type", "imatrix"),)):
    names = [n for n, _, s in tensors() if n.endswith(".weight") and len(s) == 2]
    put(d, "m.gguf", files.gguf([*more, ("imatrix.chunk_count", 100)], [(n + end, "F32", s) for n in names for end, s in ((".in_sum2", [1, E]), (".counts", [1, 1]))]))


for what, make in (("imatrix", imatrix), ("an early imatrix", lambda d: imatrix(d, ()))):
    case(what, make, *((f"{c} m.gguf", {0, 4}, "imatrix", WRONG) for c in KINDS))
for arch in "llama", "gemma3", "qwen2":
    case("vocabulary of " + arch, one(pairs(arch), []), *((f"{c} m.gguf", {0, 4}, "vocabulary", WRONG + "|disagrees with") for c in KINDS))
# Healthy: a model with the keys of an imatrix, one with a vocabulary, a split whose first file has no tensors.
case("no imatrix: quantized by one", one(pairs(quantize__imatrix__file="x.dat", quantize__imatrix__chunks_count=3), tensors()), ("reconcile m.gguf", {0}, "agrees", "imatrix"))
case("no vocabulary: weights", one(pairs(), tensors()), ("show m.gguf", {0}, "verdict agrees", "vocabulary only"))


def split(d):
    own = [("split.no", ("u16", 0)), ("split.count", ("u16", 2)), ("split.tensors.count", ("i32", len(tensors())))]
    put(d, "m-00001-of-00002.gguf", files.gguf(pairs() + own, []))
    put(d, "m-00002-of-00002.gguf", files.gguf([("split.no", ("u16", 1)), *own[1:]], tensors()))


case("no vocabulary: the first of a split", split, ("reconcile m-00001-of-00002.gguf", {0}, "agrees", "vocabulary only"))
case("no vocabulary: alone of a split", lambda d: [split(d), os.remove(d + "/m-00002-of-00002.gguf")], ("show m-00001-of-00002.gguf", {0, 1}, "", "vocabulary only"))
case("metadata alone", one(pairs(tokens=0), []), ("verify m.gguf", {1}, "no tensors: llama.cpp refuses", "vocabulary"))

# ---- files that llama.cpp refuses ---------------------------------------------------------------


def healthy(name, make): case("loads: " + name, make, ("verify m.gguf", {0}, "^complete", "loader-refuses|^error"), ("reconcile m.gguf", {0}, "^agrees", "contradiction"))
def refused(name, make, must): case("refused: " + name, make, ("verify m.gguf", {1}, must, AGAIN + "|incomplete"), ("reconcile m.gguf", {1}, "", "^agrees"))


for name in "blk.0.attn_rot_embd", "blk.0.extra.weight", "blk.1.attn_q_norm.weight", "output_norm.bias":
    refused("a tensor more, " + name, one(pairs(), tensors((name, "F32", [E]))), f"loader-refuses .*'{name}'.*wrong number of tensors")
healthy("as it should be", one(pairs(), tensors()))
healthy("tied", one(pairs(), tensors(head=False)))
healthy("frequencies", one(pairs(), tensors(("rope_freqs.weight", "F32", [E // H // 2]))))
healthy("optional biases", one(pairs(), tensors(*((f"blk.{i}.attn_{x}.bias", "F32", [n]) for i in range(L) for x, n in (("q", E), ("k", 32), ("v", 32), ("output", E))))))
case("another engine's tower", one(pairs("gemma3"), tensors(("v.blk.0.attn_q.weight", "F32", [E, E]), ("x.weight", "F32", [E]))), ("verify m.gguf", {0, 1, 4}, "", "loader-refuses"))
case("an unknown architecture", one(pairs("mine"), tensors(("x.weight", "F32", [E]))), ("verify m.gguf", {0}, "", "loader-refuses"))

for key in "attention.head_count", "context_length", "attention.layer_norm_rms_epsilon", "block_count", "embedding_length":
    refused("without " + key, one(pairs(without=["llama." + key]), tensors()), rf"llama\.{key} is missing")
refused("without feed_forward_length", one(pairs(without=["llama.feed_forward_length"]), tensors()), rf"llama\.feed_forward_length is missing.*{F}")
case("without feed_forward_length, and without such layers", one(pairs("mamba", without=["mamba.feed_forward_length"]), [("token_embd.weight", "F16", [V, E])]), ("verify m.gguf", {0, 1, 4}, "", "feed_forward_length"))
case("feed_forward_length set", one(pairs(without=["llama.feed_forward_length"]), tensors()), (f"reconcile m.gguf --set feed_forward_length={F}", {0}, "agrees", "feed_forward_length is missing"))
healthy("without keys that have a default", one(pairs(without=["llama.attention.head_count_kv", "general.file_type"]), [t for t in tensors() if ".attn_k" not in t[0] and ".attn_v" not in t[0]] + [(f"blk.{i}.attn_{x}.weight", "F16", [E, E]) for i in range(L) for x in "kv"]))

N_ROT = r"rope\.dimension_count is %d, but a head has %d elements"
refused("rotation of another width", one(pairs(llama__rope__dimension_count=40), tensors()), N_ROT % (40, 16))
refused("half a head", one(pairs(llama__rope__dimension_count=8), tensors()), N_ROT % (8, 16))
healthy("rotation of a head", one(pairs(llama__rope__dimension_count=16), tensors()))
healthy("a different rotation width for one head", one(pairs(llama__rope__dimension_count=16, llama__attention__key_length=16, llama__attention__value_length=16), tensors()))
healthy("half a head where allowed", one(pairs("qwen2", qwen2__rope__dimension_count=8), tensors(*((f"blk.{i}.attn_{x}.bias", "F32", [n]) for i in range(L) for x, n in (("q", E), ("k", 32), ("v", 32))))))

# ---- files that it accepts with a warning -------------------------------------------------------

case("no tokenizer", one(pairs(tokens=0), tensors()), ("verify m.gguf", {0}, "warning tokenizer-absent", "^error"))
case("no tokens", one(pairs(tokens=0, tokenizer__ggml__model="gpt2", tokenizer__ggml__merges=("arr", ("str", ["a b"]))), tensors()), ("verify m.gguf", {0}, "warning tokenizer-absent.*tokenizer.ggml.tokens", "^error"))
for word in "none", "no_vocab":
    case("no tokenizer wanted: " + word, one(pairs(tokens=0, tokenizer__ggml__model=word, llama__vocab_size=V), tensors()), ("verify m.gguf", {0}, "^complete", "tokenizer-absent"))
case("a diffusion model has none", one([("general.architecture", "flux")], [("x.weight", "F16", [E, E])]), ("verify m.gguf", {0}, "", "tokenizer-absent"))

PHI = [("token_embd.weight", "F16", [V, E]), *((f"blk.{i}.{n}", t, s) for i in range(L) for n, t, s in (
    ("attn_norm.weight", "F32", [E]), ("attn_qkv.weight", "F16", [3 * E, E]), ("attn_output.weight", "F16", [E, E]), ("ffn_norm.weight", "F32", [E]),
    ("ffn_up.weight", "F16", [2 * F, E]), ("ffn_down.weight", "F16", [E, F]))), ("output_norm.weight", "F32", [E]), ("output.weight", "F16", [V, E])]
FACTORS = [(f"rope_factors_{x}.weight", "F32", [8]) for x in ("long", "short")]
LONG = dict(phi3__attention__head_count_kv=H, phi3__rope__dimension_count=16, phi3__rope__scaling__original_context_length=1024)
case("longrope without factors", one(pairs("phi3", **LONG), PHI), ("verify m.gguf", {0}, "warning rope-factors-absent.*4096.*1024.*longrope", "^error"))
case("longrope with factors", one(pairs("phi3", **LONG), PHI + FACTORS), ("verify m.gguf", {0}, "^complete", "rope-factors-absent"))
case("no longrope: as long as ever", one(pairs("phi3", **LONG | {"phi3__rope__scaling__original_context_length": 4096}), PHI), ("verify m.gguf", {0}, "^complete", "rope-factors-absent"))
case("no longrope: yarn", one(pairs(llama__rope__scaling__type="yarn", llama__rope__scaling__original_context_length=1024), tensors()), ("verify m.gguf", {0}, "^complete", "rope-factors-absent"))
case("longrope stated, factors missing", one(pairs(llama__rope__scaling__type="longrope"), tensors()), ("verify m.gguf", {0}, "warning rope-factors-absent", "^error"))

# A transformers model and its conversion: facts that no tensor shows.
HF = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": E, "num_hidden_layers": L, "num_attention_heads": H, "num_key_value_heads": K,
      "intermediate_size": F, "vocab_size": V, "tie_word_embeddings": False, "rms_norm_eps": 1e-5, "max_position_embeddings": 4096}
PARTS = {"attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj", "attn_norm": "input_layernorm",
         "ffn_norm": "post_attention_layernorm", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj"}


def hf_name(n):
    if not n.startswith("blk."): return {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"}[n[:-7]] + ".weight"
    _, i, part, end = n.split(".")
    return f"model.layers.{i}.{PARTS[part]}.{end}"


def converted(scaling, *more, **keys):
    def make(d):
        put(d, "hf/config.json", json.dumps(HF | ({"rope_scaling": scaling} if scaling else {})).encode())
        put(d, "hf/model.safetensors", files.safetensors([(hf_name(n), "F16", s) for n, _, s in tensors()]))
        put(d, "gguf/m.gguf", files.gguf(pairs(**keys), tensors(*more)))
    return make


EXPLAINED = "the conversion explains every difference"
for kind, factor in (("linear", 4.0), ("yarn", 8)):
    case(kind + " lost", converted({"type": kind, "factor": factor}), ("diff hf gguf", {1}, rf"rope scaling was lost.*{kind}, factor {factor:g}", EXPLAINED), ("diff gguf hf", {1}, "rope scaling was lost", EXPLAINED))
    case(kind + " kept", converted({"rope_type": kind, "factor": factor}, llama__rope__scaling__type=kind, llama__rope__scaling__factor=("f32", factor)), ("diff hf gguf", {0}, EXPLAINED, "lost"))
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 1024}
case("llama3 lost", converted(LLAMA3), ("diff hf gguf", {1}, "rope scaling was lost.*rope_freqs", EXPLAINED))
case("llama3 kept", converted(LLAMA3, ("rope_freqs.weight", "F32", [8])), ("diff hf gguf", {0}, EXPLAINED, "lost"))
case("nothing to lose", converted(None), ("diff hf gguf", {0}, EXPLAINED, "lost"))
case("nothing to lose: default", converted({"rope_type": "default"}), ("diff hf gguf", {0}, EXPLAINED, "lost"))

# ---- the end of a file, heads, old programs -----------------------------------------------------

case("no padding at the end", lambda d: put(d, "m.gguf", files.gguf(pairs(), [("token_embd.weight", "F32", [V, 3])])[:-8]), ("verify -l size m.gguf", {0, 1}, "end-unpadded|data-missing", None))
case("padding at the end", one(pairs(), tensors()), ("verify m.gguf", {0}, "^complete", "end-unpadded"))
case("a tied head", one(pairs(), tensors(head=False)), ("show m.gguf", {0}, r"output.weight is tied to token_embd.weight", None))
case("a head", one(pairs(), tensors()), ("show m.gguf", {0}, "verdict agrees", "tied"))
case("frequencies and old programs", one(pairs(), tensors(("rope_freqs.weight", "F32", [8]))), ("reconcile m.gguf", {0}, "agrees.*rope_freqs.weight is unknown to llama.cpp before", None))

# ---- projectors ---------------------------------------------------------------------------------

CLIP = [("general.architecture", "clip"), ("general.type", "mmproj"), ("clip.has_vision_encoder", ("bool", True)), ("clip.projector_type", "mlp")]


def projector(name, width, kind="mlp"):
    head = CLIP[:3] + [("clip.projector_type", kind)]
    if kind == "gemma3": return lambda d: put(d, name, files.gguf(head, [("mm.input_projection.weight", "F16", [48, width])]))
    return lambda d: put(d, name, files.gguf(head, [("mm.0.weight", "F16", [width, 48]), ("mm.2.weight", "F16", [width, width])]))


def together(*makes): return lambda d: [m(d) for m in makes]


MODEL = one(pairs(), tensors())
case("a projector", projector("p.gguf", E), ("identify p.gguf", {0}, r"projector \(mmproj\)", None), ("show p.gguf", {0}, r"projector \(mmproj\)", None))
OTHER = r"projector-width.*\b128\b.*\b64\b.*belongs to another model"
case("a projector of another model", together(MODEL, projector("p.gguf", 128)), ("verify .", {0, 1}, OTHER, None))
case("gemma3's projector of another model", together(MODEL, projector("p.gguf", 128, "gemma3")), ("verify .", {0, 1}, OTHER, None))
case("its projector", together(MODEL, projector("p.gguf", E)), ("verify .", {0, 1}, "", "projector-width"))
case("gemma3's projector", together(MODEL, projector("p.gguf", E, "gemma3")), ("verify .", {0, 1}, "", "projector-width"))
case("the projector of one of two", together(MODEL, one(pairs(llama__embedding_length=128), tensors(), name="n.gguf"), projector("p.gguf", 128)), ("verify .", {0, 1}, "", "projector-width"))
case("a projector alone", projector("p.gguf", 128), ("verify .", {0, 1, 4}, "", "projector-width"))

# ---- two in one folder --------------------------------------------------------------------------

ST = [(hf_name(n), "F16", s) for n, _, s in tensors()]


def sharded(d, count, index=True, names=None, stem="model"):
    cut = [ST[i::count] for i in range(count)]
    where = {}
    for i, part in enumerate(cut):
        name = f"{stem}-{i + 1:05}-of-{count:05}.safetensors"
        put(d, name, files.safetensors(part))
        where |= {n: name for n, _, _ in part}
    size = sum(2 * files.product(s) for _, _, s in ST)
    if index: put(d, stem + ".safetensors.index.json", json.dumps({"metadata": {"total_size": size}, "weight_map": where}).encode())
    put(d, "config.json", json.dumps(HF).encode())


def copied(*names):
    def make(d):
        sharded(d, 4)
        for frm, to in names:
            with open(os.path.join(d, frm), "rb") as f: put(d, to, f.read())
    return make


SHARD = "model-00001-of-00004"
for to in "model (1).safetensors", SHARD + " (1).safetensors", SHARD + " copy.safetensors", "backup.safetensors":
    case("a stray copy, " + to, copied((SHARD + ".safetensors", to)), ("verify .", {0, 1}, re.escape(to) + ".*an extra file", "^incomplete|model-tensor-missing"))
case("a copy of a GGUF's shard", lambda d: [split(d), put(d, "m-00002-of-00002 (1).gguf", files.gguf(pairs(), tensors()[:5]))], ("verify .", {0, 1}, "an extra file", "model-tensor-missing"))
# Not strays: a file that is the model itself with something missing.
case("no stray: cut down", lambda d: [put(d, "config.json", json.dumps(HF).encode()), put(d, "model.safetensors", files.safetensors(ST[:-1]))], ("verify .", {1}, "^incomplete", "extra file"))
case("not a stray: it comes first", lambda d: [sharded(d, 2), put(d, "model.safetensors", files.safetensors(ST[:-1]))], ("verify .", {1}, "key-differs.*lm_head", "file-stray"))
case("no stray: another model's index", lambda d: [put(d, "config.json", json.dumps(HF).encode()), put(d, "pytorch_model.bin.index.json", b'{"weight_map":{"a":"x.bin"}}'), put(d, "model.safetensors", files.safetensors(ST[:-1]))],
     ("verify model.safetensors", {1}, "^incomplete", "file-stray"))
case("two models", lambda d: [sharded(d, 2), put(d, "model.safetensors", files.safetensors(ST))], ("verify .", {0}, "twice, or two models", "incomplete"))
case("two layouts", lambda d: [sharded(d, 2), put(d, "consolidated.safetensors", files.safetensors(ST))], ("verify .", {0, 1}, "the same weights again, in their original form", "incomplete"))
case("two splits", lambda d: [sharded(d, 4, False), sharded(d, 2)], ("verify .", {1}, "split into 4 are not in the folder's index", r"incomplete|move 'model-0000\d-of-00002"))
case("one split", lambda d: sharded(d, 4), ("verify .", {0}, "^complete", "index of the folder|extra file"))


def overlapping(d):
    sharded(d, 2)
    both = ST[0::2] + ST[1:4:2]
    put(d, "model-00001-of-00002.safetensors", files.safetensors(both))


case("shards that overlap", overlapping, ("verify .", {1}, "tensor-repeated.*is also in", r"total-size|download|incomplete"))


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

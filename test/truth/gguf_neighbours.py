"""gguf_neighbours.py [NAME...] -- GGUF files that are nearly right: reconcile accepts none of them.

For each case of fixtures/oracle/gguf2.zst in the table below, which must agree unaltered, the header is altered: a renamed tensor (one
missing, one unexpected), one more row in a tensor, another file's projector type; of tensors in layers, only the first with each name.
It takes one alteration in six; EVERY=1: all. TWINS lists alterations that make another valid file, OPTIONAL tensors that a loader does
not need.
"""
import os, re, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "..", folder) for folder in ("support", "gen")]
import gguf_cases
from sample import taken

NUMEL = os.path.join(os.path.abspath(os.environ.get("B", "build/release")), "numel")

PROJECTORS = """resampler adapter kimivl kimik25 phi4 dots_ocr cogvlm minicpmv4_6 janus_pro paddleocr hunyuanvl exaone4_5 qwen3a
granite_speech muse-glimmer ling3vl step3vl youtuvl""".split()
MODELS = "glm5-next-mtp-head hy_v4 qwen4exp-ngrams dflash-v4-dspark gemma4-assistant-centroids".split()
# Kimi-VL's tensors equal PaddleOCR's if the image is as large as the table of positions.
TWINS = {("kimivl", "paddleocr")}
OPTIONAL = {
    "glm5-next-mtp-head": r"nextn\.(embed_tokens|shared_head_head|shared_head_norm)\.weight",
    "qwen4exp-ngrams": r"^output\.weight",       # then the embedding is the head
    "dflash-v4-dspark": r"^(token_embd|output|conf_proj)\.weight",  # those of the model that it drafts for
}
LENGTH = 8


def packed(text):
    return len(text).to_bytes(LENGTH, "little") + text


def entries(data):
    """Names of tensors, each with the end of its entry's name."""
    found, seen = [], set()
    at = min(i for i in (data.find(packed(n)) for n in first_names(data)) if i >= 0)
    while at + LENGTH < len(data):
        size = int.from_bytes(data[at:at + LENGTH], "little")
        name = data[at + LENGTH:at + LENGTH + size]
        end = at + LENGTH + size
        dims = int.from_bytes(data[end:end + 4], "little")
        if not 0 < size < 100 or not dims or dims > 4:
            break
        kind = re.sub(rb"\.\d+\.", b".#.", name) if b"blk" in name else name
        if kind not in seen:
            seen.add(kind)
            found.append((name, end, dims))
        at = end + 4 + 8 * dims + 4 + 8
    return found


def first_names(data):
    return set(re.findall(rb"[\x20-\x7e]{3,60}\.(?:weight|bias)", data))


def alterations(name, data):
    for other in PROJECTORS if name in PROJECTORS else ():
        old = packed(name.encode())
        if other != name and (name, other) not in TWINS:
            yield "type " + other, data.replace(old, packed(other.encode()), 1)
    for tensor, end, dims in entries(data):
        label = tensor.decode()
        last = end + 4 + 8 * (dims - 1)
        grown = int.from_bytes(data[last:last + 8], "little") + 1
        yield "row " + label, data[:last] + grown.to_bytes(8, "little") + data[last + 8:]
        if not re.search(OPTIONAL.get(name, "^$"), label):
            yield "name " + label, data.replace(packed(tensor), packed(tensor + b"_"), 1)


def agrees(path, data):
    with open(path, "wb") as f:
        f.write(data)
    return subprocess.run([NUMEL, "reconcile", "-q", path], capture_output=True).returncode == 0


def judge(name, folder):
    """(number of alterations, those agreed with)"""
    path = os.path.join(folder, ("mmproj-" if name in PROJECTORS else "") + name + ".gguf")
    with open(path, "rb") as f:
        data = f.read()
    altered = os.path.join(folder, "altered.gguf")
    tried = [(what, one) for what, one in alterations(name, data) if taken(6, name, what)]
    wrong = [what for what, one in tried if agrees(altered, one)]
    return len(tried), wrong if agrees(altered, data) else ["as it is, it does not agree", *wrong]


def main():
    words, count, failed = sys.argv[1:], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        gguf_cases.extract(folder)
        for name in words or PROJECTORS + MODELS:
            tried, wrong = judge(name, folder)
            count, failed = count + tried, failed + len(wrong)
            for what in wrong: print("FAIL", name, what)
    print(f"gguf_neighbours: {count} alterations, {failed} failed")
    return failed > 0 or not count


if __name__ == "__main__":
    sys.exit(main())

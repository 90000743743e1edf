"""What the wrappers read: models and their verdicts, broken files, a pipeline."""
import glob
import json
import os
import re
import shutil
import subprocess

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
CONFIG = "fixtures/gpt2/config.json"
LLAMA = "fixtures/llama-2-7b-2023"


def environment(work): return dict(os.environ, HF_HUB_CACHE=os.path.join(work, "in", "hub"), LC_ALL="C.UTF-8")


def copied(work, name, of, *files):
    """A new folder with these files of a fixture, or all of them."""
    folder = os.path.join(work, "in", name)
    os.makedirs(folder)
    for f in files or os.listdir(os.path.join(ROOT, of)): shutil.copy(os.path.join(ROOT, of, f), folder)
    return folder


def models(work, build):
    """{path: verdict}. The first four agree; two are copies with one error; the others have odd names, or no
    formula."""
    hub = copied(work, "hub/models--org--tiny/snapshots/0123456789abcdef0123456789abcdef01234567", "fixtures/gptq-tiny")
    refs = os.path.join(hub, "..", "..", "refs")
    os.makedirs(refs)
    with open(os.path.join(refs, "main"), "w", encoding="ascii") as f: f.write(os.path.basename(hub))
    wider = copied(work, "wider", LLAMA)
    with open(os.path.join(wider, "config.json"), encoding="utf-8") as f: config = json.load(f)
    config["intermediate_size"] += 1
    with open(os.path.join(wider, "config.json"), "w", encoding="utf-8") as f: json.dump(config, f)
    half = copied(work, "half", LLAMA)
    os.remove(sorted(glob.glob(half + "/model-00002*"))[0])
    odd = [assembled(work, build, "good/" + name) for name in ("safetensors/escaped-names", "safetensors/unicode-names", "gguf/names-unicode",
                                                               "safetensors/scalar", "safetensors/zero-dims-only", "safetensors/rank-100")]
    return {LLAMA: "agrees", "fixtures/gptq-tiny": "agrees", "fixtures/llama-3.1-8b-q4_k_m": "agrees", "org/tiny": "agrees",
            wider: "disagrees", half: "incomplete", **dict.fromkeys(odd, "unknown")}


def assembled(work, build, path):
    """The file that fixtures/PATH.hex describes."""
    made = os.path.join(work, "in", path.replace("/", "-") + (".gguf" if "/gguf/" in path else ".safetensors"))
    subprocess.run([os.path.join(build, "tool", "hex"), os.path.join(ROOT, "fixtures", path + ".hex"), made], check=True)
    return made


def bad(work, build):
    """{path: (code, offset)}, from the names in fixtures/bad."""
    found = sorted(glob.glob(ROOT + "/fixtures/bad/safetensors/*.hex") + glob.glob(ROOT + "/fixtures/bad/gguf/*.hex"))
    parts = [("/".join(path.split("/")[-3:]), re.match(r"([A-Z0-9]+)@(\d+)--", os.path.basename(path))) for path in found]
    return {assembled(work, build, path[:-4]): (m[1], m[2]) for path, m in parts if m}


def pipeline(work):
    """A pipeline in a folder with one additional model."""
    archive, folder = ROOT + "/test/truth/components/folders.tar.zst", os.path.join(work, "in", "several")
    copied(work, "several/one", "fixtures/gptq-tiny")
    subprocess.run(["tar", "-I", "zstd", "-xf", archive, "-C", folder, "pipelines/tiny-animatediff", "--strip-components=1"], check=True)
    return os.path.join(folder, "tiny-animatediff")

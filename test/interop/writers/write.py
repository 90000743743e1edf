"""write.py FOLDER CASE... -- writes cases of catalogue.py, each whole, into FOLDER/CASE.

Prints one line per case: the case, the number of parameters of its unquantized model and its folder, or `-` and
the reason. Each library runs in its own process, since several modify others on import.
"""
import contextlib, glob, os, shutil, sys

os.environ.update(CUDA_VISIBLE_DEVICES="", HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", TQDM_DISABLE="1")
import catalogue, dequantized, models, writers


def write(name, folder):
    writer, model, options = catalogue.CASES[name]
    base, cls, count = models.base_of(model, os.path.join(folder, "bases"))
    out = os.path.join(folder, name)
    shutil.rmtree(out, ignore_errors=True)
    getattr(writers, writer)(base, cls, out, options)
    made = sorted(glob.glob(os.path.join(out, "**", "*.safetensors"), recursive=True) +
                  glob.glob(os.path.join(out, "**", "*.gguf"), recursive=True))
    if not made:
        raise RuntimeError("it wrote nothing")
    where = os.path.dirname(made[0])
    try:  # what the library makes of them
        dequantized.write(writer, base, where, os.path.join(folder, "plain", name))
    except Exception as e:
        print(f"{name} is not dequantized: {type(e).__name__}: {e}", file=sys.stderr)
    return count, where


def main():
    folder, names = os.path.abspath(sys.argv[1]), sys.argv[2:]
    for name in names:
        try:
            with contextlib.redirect_stdout(sys.stderr):
                made = write(name, folder)
        except Exception as e:
            made = "-", " ".join(f"{type(e).__name__}: {e}".split())[:300]
        print(name, *made, sep="\t", flush=True)


if __name__ == "__main__":
    main()

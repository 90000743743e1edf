"""write.py FOLDER CASE... -- writes cases of catalogue.py, each whole, into FOLDER/CASE.

Prints one line per case: the case, the number of parameters of its unquantized model, its folder, and why its weights
are not dequantized, empty if they are; or the case, `-` and the reason why it is not written. Each library runs in its
own process, since several modify others on import.
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
    return count, where, undequantized(writer, base, where, os.path.join(folder, "plain", name))


def undequantized(writer, base, where, plain):
    """What the library makes of the weights; why not, or an empty text."""
    shutil.rmtree(plain, ignore_errors=True)
    try:
        dequantized.write(writer, base, where, plain)
    except Exception as e:
        return reason(e)
    return ""


def reason(e):
    return " ".join(f"{type(e).__name__}: {e}".split())[:300]


def main():
    folder, names = os.path.abspath(sys.argv[1]), sys.argv[2:]
    for name in names:
        try:
            with contextlib.redirect_stdout(sys.stderr):
                made = write(name, folder)
        except Exception as e:
            made = "-", reason(e)
        print(name, *made, sep="\t", flush=True)


if __name__ == "__main__":
    main()

# tunes.sh -- sourced by duplicates.t: models of one architecture and size, of which two name one base, and one is also in a
# cache in another type. They are in the current folder.
export PYTHONPATH="$root/test/support:$root/test/cli/lists"
python3 - <<'END'
import json
import files
from run import config, llama


def one(folder, dtype, base=None):
    files.put(folder + "/model.safetensors", files.safetensors([(n, dtype, s) for n, _, s in llama(2)]))
    files.put(folder + "/config.json", json.dumps(dict(json.loads(config(2)), **({"_name_or_path": base} if base else {}))).encode())


one("tunes/Zephyr-7B-beta", "F32", "someone/Tiny-7B-v0.1")
one("tunes/OpenHermes-7B", "BF16", "someone/Tiny-7B-v0.1")
one("hub/models--who--Zephyr-7B-beta-F16/snapshots/" + "a" * 40, "F16")
one("x/model", "F64")
END

# build.sh -- pairs of small checkpoints for test/cli/diff_*.t:
#
#     . test/diff/build.sh; llama | made a; llama | without lm_head | made b; compare a b
#
# A model goes down the pipe as lines of the language of test/support/describe.c. The Llama, the Mixtral
# and what changes them: test/causes/build.sh. What a converter makes of a model is written here, by the
# names of llama.cpp, and not taken from the specifications.
. test/causes/build.sh

# made NAME [CONFIG]: the checkpoint $T/NAME; a safetensors one gets the configuration, $config unless
# told, "" for none.
made() {
    rm -rf "${T:?}/$1"
    cat >"$T/$1.txt"
    mkhead -q --level 1 "$T/$1.txt" "$T/$1" >/dev/null || return
    grep -q '^gguf' "$T/$1.txt" || [ "${2-x}" = '' ] || printf '{%s}\n' "${2-$config}" >"$T/$1/config.json"
}

# compare A B [OPTIONS]: the report, and a check of --json: a, plus the statement, is b, in tensors,
# elements and bytes; the lists hold as many records as the statement's changes have links.
compare() {
    cd "$T" || return
    numel diff "$@" | awk '/^cause/ { on = 1 } on'
    numel diff --json "$@" >json
    status=$?
    python3 - <<'CHECK'
import json
d = json.load(open("json"))
for key in "tensors", "elements", "bytes":
    total = d["a"][key] + sum(line[key] for line in d["statement"])
    if total != d["b"][key]:
        print(f"{key}: {d['a'][key]} + statement = {total}, b has {d['b'][key]}")
lists = [d[k] for k in ("added", "removed", "reshaped", "retyped", "quantized", "rearranged", "renamed")]
if sum(map(len, lists)) != sum(row["times"] for row in d["changes"]):
    print("the lists are not what the changes fold")
CHECK
    return $status
}

# kv NAME TYPE KEY VALUE...: lines that a GGUF file of architecture NAME begins with.
gguf_of() {
    printf '%s\n' 'gguf 3' 'file x.gguf' "kv string general.architecture $1"
    name=$1
    shift
    while [ $# -gt 1 ]; do
        echo "kv u32 $name.$1 $2"
        shift 2
    done
}

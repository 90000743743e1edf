# tied.sh -- the Llama of build.sh with tie_word_embeddings and real data, for test/cli/tied.t:
#
#     . test/cli/causes/tied.sh; llama | tied $T/m same; say --values $T/m
. test/cli/causes/build.sh
tied_config='{"model_type":"llama","architectures":["LlamaForCausalLM"],"hidden_size":64,"intermediate_size":128,"num_hidden_layers":2,"num_attention_heads":4,"num_key_value_heads":2,"vocab_size":256,"tie_word_embeddings":true}'

# DIR VALUES: a model from the lines on standard input. same: all values are 1; rounded: each is the nearest to 1/3
# in its type; other: the head begins with ten zeros; last: one bit of its last value differs.
tied() {
    rm -rf "$1"; mkdir -p "$1"; cat >"$1.txt"
    mkhead -q --data "$1.txt" "$1" >"$1.said" && echo "$tied_config" >"$1/config.json"
    python3 - "$1/model.safetensors" "$2" <<'PY'
import json, struct, sys
path, values = sys.argv[1:]
raw = open(path, "rb").read()
n = int.from_bytes(raw[:8], "little")
header, data = json.loads(raw[8:8 + n]), bytearray(raw[8 + n:])
one = {"F16": b"\0\x3c", "BF16": b"\x80\x3f", "F32": b"\0\0\x80\x3f"}
third = {"F16": struct.pack("<e", 1 / 3), "BF16": b"\xab\x3e", "F32": struct.pack("<f", 1 / 3)}
for name, t in header.items():
    if name == "__metadata__": continue
    begin, end = t["data_offsets"]
    each = (third if values == "rounded" else one)[t["dtype"]]
    data[begin:end] = each * ((end - begin) // len(each))
    if name == "lm_head.weight" and values == "other": data[begin:begin + 10 * len(each)] = bytes(10 * len(each))
    if name == "lm_head.weight" and values == "last": data[end - 1] ^= 1
open(path, "wb").write(raw[:8 + n] + data)
PY
}

# DIR: header-only copies of such a model, or of a GGUF file.
heads() { rm -rf "$1"; cat >"$1.txt"; mkhead -q "$1.txt" "$1" >"$1.said"; echo "$tied_config" >"$1/config.json"; }

say() { numel reconcile "$@" | grep -E '^(tied|agrees|disagrees|parameters|missing )'; }
told() { numel verify "$@" | sed -n '/^\(note\|warning\|error\)/,$p'; }

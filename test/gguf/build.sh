# build.sh -- a small Llama in GGUF for test/cli/gguf_types.t, its matrices of a type and its metadata as told:
#
#     . test/gguf/build.sh; llama_of Q4_K 15 | typed attn_v Q6_K 0,3 | types
#
# 8 layers, E 256, F 512, H 4, K 2, D 64, V 512. A layer has 2 x 65,536 (q, o) + 2 x 32,768 (k, v) +
# 3 x 131,072 + 2 x 256 = 590,336; all 2 x 131,072 + 8 x 590,336 + 256 = 4,985,088.

# llama_of TYPE [FILE_TYPE [VERSION]]: the lines of a model of which all 58 matrices are of the type.
llama_of() {
    printf '%s\n' 'gguf 3' 'file x.gguf' 'kv string general.architecture llama' 'kv u32 llama.block_count 8' \
        'kv u32 llama.embedding_length 256' 'kv u32 llama.feed_forward_length 512' \
        'kv u32 llama.attention.head_count 4' 'kv u32 llama.attention.head_count_kv 2' 'kv u32 llama.vocab_size 512'
    [ -z "$2" ] || echo "kv u32 general.file_type $2"
    [ "${3-2}" = none ] || echo "kv u32 general.quantization_version ${3-2}"
    echo "tensor token_embd.weight $1 512 256"
    echo "tensor output.weight $1 512 256"
    echo 'tensor output_norm.weight F32 256'
    for i in 0 1 2 3 4 5 6 7; do
        printf "tensor blk.$i.%s\n" 'attn_norm.weight F32 256' 'ffn_norm.weight F32 256' "attn_q.weight $1 256 256" \
            "attn_k.weight $1 128 256" "attn_v.weight $1 128 256" "attn_output.weight $1 256 256" \
            "ffn_gate.weight $1 512 256" "ffn_up.weight $1 512 256" "ffn_down.weight $1 256 512"
    done
}

# typed PART TYPE [LAYERS]: the matrices of that part get another type; the layers as in 0-3,7, all without it.
typed() { sed "s/^\(tensor \(blk\.[${3-0-9}]\.\)\{0,1\}$1\.weight\) [A-Z0-9_]*/\1 $2/"; }

# made NAME: the checkpoint that the lines say, in the folder $T/NAME.
made() {
    rm -rf "${T:?}/$1"
    cat >"$T/in.txt"
    mkhead -q --level 1 "$T/in.txt" "$T/$1" >/dev/null
}

# types: what verify says of them; nothing and 0 where nothing is to be said.
types() {
    made x && numel verify --json "$T/x" >"$T/json"
    status=$?
    python3 -c 'import json, sys
for f in json.load(open(sys.argv[1]))["findings"]:
    if f["code"].startswith(("file-type", "quantization")): print(f["severity"], f["code"] + ":", f["message"])' "$T/json"
    return $status
}

# mixtral_of TYPE [FILE_TYPE]: the same with four experts of 512 in place of each feed-forward network.
mixtral_of() {
    llama_of "$@" | grep -v '\.ffn_[gud][a-z]*\.'
    printf 'kv u32 llama.%s\n' 'expert_count 4' 'expert_used_count 2'
    for i in 0 1 2 3 4 5 6 7; do
        printf "tensor blk.$i.%s\n" "ffn_gate_exps.weight $1 4 512 256" "ffn_up_exps.weight $1 4 512 256" \
            "ffn_down_exps.weight $1 4 256 512" 'ffn_gate_inp.weight F32 4 256'
    done
}

# scales: what reconcile says of what stands beside the weights.
scales() { made x && numel reconcile "$T/x" | grep -E '^(scales|(dis)?agrees|unexpected)'; }

# requant A B: what diff says of $T/A and $T/B: the lines of the statement that change, and the last.
requant() {
    made "$2" && numel diff "$T/$1" "$T/$2" >"$T/said"
    status=$?
    sed -n '/^\(quantized\|dtype changed\|removed\|added\|reshaped\) /p; $p' "$T/said"
    return $status
}

# head: what show says of the types, above its tables.
head() { made x && numel show "$T/x" | grep -E '^(types|quantization|packed|mixture) '; }

# build.sh -- small checkpoints that deviate from their architecture, for test/cli/causes.t:
#
#     . test/cli/causes/build.sh; llama | without lm_head | with 'tensor x F32 3' | reconcile
#
# A model passes through the pipe as lines in the language of test/support/describe.c, one tensor per line. The
# Llama: E 64, F 128, L 2, H 4, K 2, D 16, V 256, head not tied. A layer has 2 * 4,096 (q, o) + 2 * 2,048 (k, v) +
# 3 * 8,192 + 2 * 64 = 36,992 elements, all 2 * 16,384 + 2 * 36,992 + 64 = 106,816.

layers=${layers-0 1}

llama() {
    echo 'file model.safetensors'
    echo 'tensor model.embed_tokens.weight F16 256 64'
    for i in $layers; do
        echo "tensor model.layers.$i.self_attn.q_proj.weight F16 64 64"
        echo "tensor model.layers.$i.self_attn.k_proj.weight F16 32 64"
        echo "tensor model.layers.$i.self_attn.v_proj.weight F16 32 64"
        echo "tensor model.layers.$i.self_attn.o_proj.weight F16 64 64"
        echo "tensor model.layers.$i.mlp.gate_proj.weight F16 128 64"
        echo "tensor model.layers.$i.mlp.up_proj.weight F16 128 64"
        echo "tensor model.layers.$i.mlp.down_proj.weight F16 64 128"
        echo "tensor model.layers.$i.input_layernorm.weight F16 64"
        echo "tensor model.layers.$i.post_attention_layernorm.weight F16 64"
    done
    echo 'tensor model.norm.weight F16 64'
    echo 'tensor lm_head.weight F16 256 64'
}

llama_gguf() {
    printf '%s\n' 'gguf 3' 'file x.gguf' 'kv string general.architecture llama' \
        'kv u32 llama.block_count 2' 'kv u32 llama.embedding_length 64' \
        'kv u32 llama.feed_forward_length 128' 'kv u32 llama.attention.head_count 4' \
        'kv u32 llama.attention.head_count_kv 2' 'kv u32 llama.vocab_size 256'
    llama | sed -e 1d -e 's/model.embed_tokens/token_embd/' -e 's/model.layers/blk/' \
        -e 's/self_attn.\(.\)_proj/attn_\1/' -e 's/attn_o/attn_output/' \
        -e 's/mlp.\([a-z]*\)_proj/ffn_\1/' -e 's/post_attention_layernorm/ffn_norm/' \
        -e 's/input_layernorm/attn_norm/' -e 's/model.norm/output_norm/' -e 's/lm_head/output/'
}

# Mixtral (config=$mixtral_config) with 4 experts of 32: a layer has 12,288 + 128 + the router's 256 + 4 * 3 * 2,048 = 37,248,
# all 2 * 16,384 + 2 * 37,248 + 64 = 107,328.
mixtral() {
    llama | without '\.mlp\.'
    for i in $layers; do
        m="tensor model.layers.$i.block_sparse_moe"
        echo "$m.gate.weight F16 4 64"
        for e in 0 1 2 3; do
            echo "$m.experts.$e.w1.weight F16 32 64"
            echo "$m.experts.$e.w2.weight F16 64 32"
            echo "$m.experts.$e.w3.weight F16 32 64"
        done
    done
}

# Without the tensors whose line the expression matches; with more lines; some lines changed.
without() { grep -vE "$1"; }
with() { cat; printf '%s\n' "$@"; }
changed() { sed -E "$1"; }

# Each weight of the layers' linear maps, [O, I], as a quantizer stores it; groups of 32.
quantized() {
    awk -v how="$1" '
        function put(end, type, dims) { print "tensor " stem end, type, dims }
        $2 !~ /_proj.weight$/ { print; next }
        {
            stem = $2; sub(/\.weight$/, "", stem); O = $4; I = $5
            if (how == "gptq" || how == "awq") {
                if (how == "gptq") put(".qweight", "I32", I / 8 " " O)
                else put(".qweight", "I32", I " " O / 8)
                put(".qzeros", "I32", I / 32 " " O / 8); put(".scales", "F16", I / 32 " " O)
                if (how == "gptq") { put(".g_idx", "I32", I); put(".bias", "F16", O) }
            } else if (how == "bnb4") {
                put(".weight", "U8", O * I / 2 " 1"); put(".weight.absmax", "U8", O * I / 64)
                put(".weight.quant_map", "F32", 16); put(".weight.nested_absmax", "F32", 1)
                put(".weight.nested_quant_map", "F32", 256)
                put(".weight.quant_state.bitsandbytes__nf4", "U8", 77)
            } else if (how == "int8") {
                put(".weight", "I8", O " " I); put(".SCB", "F32", O); put(".weight_format", "U8", "")
            } else if (how == "packed") {
                put(".weight_packed", "I32", O " " I / 8); put(".weight_scale", "BF16", O " " I / 32)
                put(".weight_shape", "I64", 2)
            } else if (how == "fp8") {
                put(".weight", "F8_E4M3", O " " I); put(".weight_scale_inv", "F32", "1 1")
            } else if (how == "mlx") {
                put(".weight", "U32", O " " I / 8); put(".scales", "BF16", O " " I / 32)
                put(".biases", "BF16", O " " I / 32)
            }
        }'
}

config='"model_type":"llama","architectures":["LlamaForCausalLM"],"hidden_size":64,
"intermediate_size":128,"num_hidden_layers":2,"num_attention_heads":4,"num_key_value_heads":2,
"vocab_size":256'
mixtral_config=$(printf %s "$config" | sed 's/llama/mixtral/; s/LlamaFor/MixtralFor/; s/:128,/:32,/')
mixtral_config=$mixtral_config,'"num_local_experts":4,"num_experts_per_tok":2'

# reconcile [MORE-KEYS [OPTIONS...]]: makes the checkpoint, prints its statement and lists, and checks that the
# statement of --json adds up to the stored total and to mkhead's sum.
reconcile() {
    keys=${1-}
    [ $# -eq 0 ] || shift
    rm -rf "$T/model"
    cat >"$T/model.txt"
    mkhead -q "$T/model.txt" "$T/model" >"$T/made" || return
    grep -q '^gguf' "$T/model.txt" || printf '{%s%s}\n' "$config" "$keys" >"$T/model/config.json"
    cd "$T" || return
    numel reconcile model "$@" | awk '/^cause/ { on = 1 } on && !/^(non-embedding|active|$)/'
    numel reconcile --json model "$@" >json
    status=$?
    awk -v made="$(sed -n 's/.* \([0-9,]*\) elements.*/\1/p' made | tr -d ,)" '
        function number(key) { match($0, "\"" key "\": *-?[0-9]+"); v = substr($0, RSTART, RLENGTH)
                               sub(/.*: */, "", v); return v + 0 }
        /"cause":/ { sum += number("elements"); if (/"code": *"unknown"/) unknown += number("elements") }
        /^ "stored"/ { stored = number("stored") }
        /^ "unexplained"/ { rest = number("unexplained") }
        /^ "agrees"/ { agrees = /true/ }
        /^ "in_part"/ { part = /true/ }
        END {
            if (sum != stored) print "the statement gives " sum ", stored " stored
            if (rest != unknown) print "unexplained " rest ", unknown " unknown
            if (stored != made) print "stored " stored ", made " made
            print agrees ? "(agrees)" : part ? "(in part)" : "(disagrees)"
        }' json
    return $status
}

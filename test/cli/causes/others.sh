# others.sh -- other tools' counts of small checkpoints, for test/cli/others.t:
#
#     . test/cli/causes/others.sh; llama | quantized gptq | others ',"quantization_config":{...}' 'Hub*'
#
# Models are those of build.sh. Prints the rows of the counters whose names match the patterns, with their lines,
# and checks for every counter in --json that its starting point + its causes = its value.
. test/cli/causes/build.sh

made_of() {
    rm -rf "$T/model"
    cat >"$T/model.txt"
    mkhead -q "$T/model.txt" "$T/model" >"$T/made"
}

# others MORE-KEYS [PATTERN...]: a model from the pipe, with the small Llama's configuration.
others() {
    made_of || return
    grep -q '^gguf' "$T/model.txt" || printf '{%s%s}\n' "$config" "$1" >"$T/model/config.json"
    shift
    tell "$@"
}

# bare CONFIG [PATTERN...]: any tensors, with any configuration (none if '').
bare() {
    made_of || return
    [ -z "$1" ] || printf '%s\n' "$1" >"$T/model/config.json"
    shift
    tell "$@"
}

tell() {
    numel show --others --no-truncate "$T/model" >"$T/page"
    awk -v patterns="$*" '
        BEGIN { n = split(patterns, p, " "); for (i in p) gsub(/_/, " ", p[i]) }
        /^counter/ { on = 1; next } !on || !NF { on = 0; next }
        !/^ / { hit = 0; for (i in p) if (index($0, p[i]) == 1) hit = 1 }
        hit { print }' "$T/page"
    numel show --others --json "$T/model" >"$T/json"
    python3 - "$T/json" <<'PYTHON'
import json, sys
report = json.load(open(sys.argv[1]))
parameters, stored = report["counts"]["parameters"], report["counts"]["stored"]
for c in report["others"]:
    total = sum(cause["elements"] for cause in c["causes"])
    if c["value"] is None:
        if c["causes"] or not c["reason"]: print("no value, and", c)
    elif c["difference"] != total:
        print(c["counter"], "differs by", c["difference"], "its causes by", total)
    elif c["from"] == "parameters" and parameters + total != c["value"]:
        print(c["counter"], parameters, "+", total, "is not", c["value"])
    elif c["from"] == "stored" and stored + total != c["value"]:
        print(c["counter"], stored, "+", total, "is not", c["value"])
PYTHON
}

# ---- models as published, from their shapes

# The linear layers of Llama-3.1-8B, one line each: stem, O, I.
llama_8b_layers() {
    for w in 'self_attn.q_proj 4096 4096' 'self_attn.k_proj 1024 4096' 'self_attn.v_proj 1024 4096' \
        'self_attn.o_proj 4096 4096' 'mlp.gate_proj 14336 4096' 'mlp.up_proj 14336 4096' \
        'mlp.down_proj 4096 14336'; do
        echo "model.layers.{0..31}.$w"
    done
}

llama_8b_rest() {
    echo "tensor {model.embed_tokens,lm_head}.weight $1 128256 4096"
    echo "tensor model.layers.{0..31}.{input_layernorm,post_attention_layernorm}.weight $1 4096"
    echo "tensor model.norm.weight $1 4096"
}

llama_8b='"model_type":"llama","architectures":["LlamaForCausalLM"],"hidden_size":4096,
"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,
"vocab_size":128256'

llama_8b_gptq() {
    echo 'file model.safetensors'
    llama_8b_layers | while read -r stem o i; do
        echo "tensor $stem.qweight I32 $((i / 8)) $o"
        echo "tensor $stem.qzeros I32 $((i / 128)) $((o / 8))"
        echo "tensor $stem.scales F16 $((i / 128)) $o"
        echo "tensor $stem.g_idx I32 $i"
        echo "tensor $stem.bias F16 $o"
    done
    llama_8b_rest F16
}

llama_8b_bnb() {
    echo 'file model.safetensors'
    llama_8b_layers | while read -r stem o i; do
        echo "tensor $stem.weight U8 $((o * i / 2)) 1"
        echo "tensor $stem.weight.absmax U8 $((o * i / 64))"
        echo "tensor $stem.weight.nested_absmax F32 $((o * i / 16384))"
        echo "tensor $stem.weight.quant_map F32 16"
        echo "tensor $stem.weight.nested_quant_map F32 256"
        echo "tensor $stem.weight.quant_state.bitsandbytes__nf4 U8 84"
    done
    llama_8b_rest BF16
}

# gpt-oss: E 2880, V 201,088, L layers, N experts of 2880.
gpt_oss() {
    l="model.layers.{0..$(($1 - 1))}"
    echo 'file model.safetensors'
    echo 'tensor {model.embed_tokens,lm_head}.weight BF16 201088 2880'
    echo "tensor $l.self_attn.q_proj.weight BF16 4096 2880"
    echo "tensor $l.self_attn.{k_proj,v_proj}.weight BF16 512 2880"
    echo "tensor $l.self_attn.o_proj.weight BF16 2880 4096"
    echo "tensor $l.self_attn.q_proj.bias BF16 4096"
    echo "tensor $l.self_attn.{k_proj,v_proj}.bias BF16 512"
    echo "tensor $l.self_attn.o_proj.bias BF16 2880"
    echo "tensor $l.self_attn.sinks BF16 64"
    echo "tensor $l.mlp.router.weight BF16 $2 2880"
    echo "tensor $l.mlp.router.bias BF16 $2"
    for w in 'gate_up_proj 5760' 'down_proj 2880'; do
        echo "tensor $l.mlp.experts.${w% *}_blocks U8 $2 ${w#* } 90 16"
        echo "tensor $l.mlp.experts.${w% *}_scales U8 $2 ${w#* } 90"
        echo "tensor $l.mlp.experts.${w% *}_bias BF16 $2 ${w#* }"
    done
    echo "tensor $l.{input_layernorm,post_attention_layernorm}.weight BF16 2880"
    echo 'tensor model.norm.weight BF16 2880'
}

gpt_oss_config() {
    echo '{"model_type":"gpt_oss","architectures":["GptOssForCausalLM"],"hidden_size":2880,
        "intermediate_size":2880,"num_hidden_layers":'"$1"',"num_attention_heads":64,
        "num_key_value_heads":8,"head_dim":64,"num_local_experts":'"$2"',"num_experts_per_tok":4,
        "vocab_size":201088,"quantization_config":{"quant_method":"mxfp4"}}'
}

# Qwen2.5-7B in two shards, with a number of the index replaced.
qwen_7b() {
    l='model.layers.{0..27}'
    printf '%s\n' 'file model.safetensors' 'shard 2' \
        'tensor {model.embed_tokens,lm_head}.weight BF16 152064 3584' \
        "tensor $l.self_attn.{q_proj,o_proj}.weight BF16 3584 3584" \
        "tensor $l.self_attn.{k_proj,v_proj}.weight BF16 512 3584" \
        "tensor $l.self_attn.q_proj.bias BF16 3584" "tensor $l.self_attn.{k_proj,v_proj}.bias BF16 512" \
        "tensor $l.mlp.{gate_proj,up_proj}.weight BF16 18944 3584" \
        "tensor $l.mlp.down_proj.weight BF16 3584 18944" \
        "tensor $l.{input_layernorm,post_attention_layernorm}.weight BF16 3584" \
        'tensor model.norm.weight BF16 3584' >"$T/model.txt"
    rm -rf "$T/model"
    mkhead -q "$T/model.txt" "$T/model" >"$T/made" || return
    echo '{"model_type":"qwen2","architectures":["Qwen2ForCausalLM"],"hidden_size":3584,
        "intermediate_size":18944,"num_hidden_layers":28,"num_attention_heads":28,
        "num_key_value_heads":4,"vocab_size":152064}' >"$T/model/config.json"
    sed -i "s/\"total_size\": *\([0-9]*\)/$1/" "$T/model/model.safetensors.index.json"
    shift
    tell "$@"
}

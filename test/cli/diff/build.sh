# build.sh -- pairs of small checkpoints for test/cli/diff_*.t:
#
#     . test/cli/diff/build.sh; llama | made a; llama | without lm_head | made b; compare a b
#
# A model passes through the pipe as lines in the language of test/support/describe.c. test/cli/causes/build.sh has
# the Llama, the Mixtral and their variations. Conversions are written out here, with llama.cpp's names, not taken
# from the specifications.
. test/cli/causes/build.sh

# made NAME [CONFIG]: the checkpoint $T/NAME; a safetensors one gets the configuration: $config by default, none for
# "".
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
import re
d = json.load(open("json"))
for line in d["statement"]:
    if not re.fullmatch("[a-z0-9-]+", line["code"]):
        print(f"{line['cause']}: the code is {line['code']!r}")
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

# gguf_of NAME [KEY N]...: the first lines of a GGUF file of architecture NAME.
gguf_of() {
    printf '%s\n' 'gguf 3' 'file x.gguf' "kv string general.architecture $1"
    name=$1
    shift
    while [ $# -gt 1 ]; do
        echo "kv u32 $name.$1 $2"
        shift 2
    done
}

# gpt-oss with one layer of 4 experts: E 64, F 64, H 4, K 2, D 16, V 256. MXFP4 in safetensors is blocks of 16 bytes
# for 32 values, gate and up fused, with a scale per block; GGUF has a type for it.
gpt_oss() {
    printf '%s\n' 'file model.safetensors' 'tensor model.embed_tokens.weight BF16 256 64' \
        'tensor model.norm.weight BF16 64' 'tensor lm_head.weight BF16 256 64'
    sed 's/^/tensor model.layers.0./' <<'LAYER'
input_layernorm.weight BF16 64
post_attention_layernorm.weight BF16 64
self_attn.{q,o}_proj.weight BF16 64 64
self_attn.{q,o}_proj.bias BF16 64
self_attn.{k,v}_proj.weight BF16 32 64
self_attn.{k,v}_proj.bias BF16 32
self_attn.sinks BF16 4
mlp.router.weight BF16 4 64
mlp.router.bias BF16 4
mlp.experts.gate_up_proj_blocks U8 4 128 2 16
mlp.experts.gate_up_proj_scales U8 4 128 2
mlp.experts.gate_up_proj_bias BF16 4 128
mlp.experts.down_proj_blocks U8 4 64 2 16
mlp.experts.down_proj_scales U8 4 64 2
mlp.experts.down_proj_bias BF16 4 64
LAYER
}
gpt_oss_config='"model_type":"gpt_oss","architectures":["GptOssForCausalLM"],"hidden_size":64,
"intermediate_size":64,"num_hidden_layers":1,"num_attention_heads":4,"num_key_value_heads":2,
"head_dim":16,"vocab_size":256,"num_local_experts":4,"num_experts_per_tok":2,"tie_word_embeddings":false,
"quantization_config":{"quant_method":"mxfp4"}'
gpt_oss_gguf() {
    gguf_of gpt-oss block_count 1 embedding_length 64 feed_forward_length 64 vocab_size 256 \
        expert_feed_forward_length 64 expert_count 4 attention.head_count 4 \
        attention.head_count_kv 2 attention.key_length 16 attention.value_length 16
    printf '%s\n' 'tensor token_embd.weight BF16 256 64' 'tensor output_norm.weight BF16 64' \
        'tensor output.weight BF16 256 64'
    sed 's/^/tensor blk.0./' <<'LAYER'
attn_norm.weight BF16 64
post_attention_norm.weight BF16 64
{attn_q,attn_output}.weight BF16 64 64
{attn_q,attn_output}.bias BF16 64
{attn_k,attn_v}.weight BF16 32 64
{attn_k,attn_v}.bias BF16 32
attn_sinks.weight BF16 4
ffn_gate_inp.weight BF16 4 64
ffn_gate_inp.bias BF16 4
{ffn_gate,ffn_up,ffn_down}_exps.weight MXFP4 4 64 64
{ffn_gate,ffn_up,ffn_down}_exps.bias BF16 4 64
LAYER
}

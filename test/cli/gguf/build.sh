# build.sh -- a small Llama in GGUF for test/cli/gguf_types.t, with matrices of a given type and given metadata:
#
#     . test/cli/gguf/build.sh; llama_of Q4_K 15 | typed attn_v Q6_K 0,3 | types
#
# 8 layers, E 256, F 512, H 4, K 2, D 64, V 512. A layer has 2 x 65,536 (q, o) + 2 x 32,768 (k, v) +
# 3 x 131,072 + 2 x 256 = 590,336; all 2 x 131,072 + 8 x 590,336 + 256 = 4,985,088.

# llama_of TYPE [FILE_TYPE [VERSION]]: the lines of a model whose 58 matrices all have the type.
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

# typed PART TYPE [LAYERS]: changes the type of the matrices of that part; layers as in 0-3,7, default all.
typed() { sed "s/^\(tensor \(blk\.[${3-0-9}]\.\)\{0,1\}$1\.weight\) [A-Z0-9_]*/\1 $2/"; }

# made NAME: writes the checkpoint of these lines to the folder $T/NAME.
made() {
    rm -rf "${T:?}/$1"
    cat >"$T/in.txt"
    mkhead -q --level 1 "$T/in.txt" "$T/$1" >/dev/null
}

# types: verify's findings about types; nothing and 0 if there are none.
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

# lines ARCHITECTURE KEY=VALUE... -- TENSOR...: the lines of a model, its keys integers, its tensors in F32.
lines() {
    printf '%s\n' 'gguf 3' 'file x.gguf' "kv string general.architecture $1"
    architecture=$1
    shift
    for word; do
        [ "$word" != -- ] || { shift && break; }
        echo "kv u32 $architecture.${word%=*} ${word#*=}"
        shift
    done
    for tensor; do echo "tensor ${tensor%% *} F32 ${tensor#* }"; done
}

# dbrx: one layer, with four experts of 48 in tensors of their own rank.
dbrx() {
    lines dbrx block_count=1 embedding_length=32 attention.head_count=4 attention.head_count_kv=2 feed_forward_length=48 \
        expert_count=4 expert_used_count=2 -- 'token_embd.weight 64 32' 'output.weight 64 32' 'output_norm.weight 32' \
        'blk.0.attn_norm.weight 32' 'blk.0.attn_qkv.weight 64 32' 'blk.0.attn_output.weight 32 32' \
        'blk.0.attn_output_norm.weight 32' 'blk.0.ffn_gate_inp.weight 4 32' 'blk.0.ffn_gate_exps.weight 4 48 32' \
        'blk.0.ffn_up_exps.weight 4 48 32' 'blk.0.ffn_down_exps.weight 4 32 48'
}

# predicting: Qwen3.5, one layer of full attention and one that predicts.
predicting() {
    lines qwen35 block_count=2 nextn_predict_layers=1 embedding_length=32 attention.head_count=4 attention.head_count_kv=2 \
        attention.key_length=8 feed_forward_length=48 full_attention_interval=1 ssm.group_count=2 ssm.time_step_rank=2 \
        ssm.state_size=8 ssm.conv_kernel=4 -- 'token_embd.weight 64 32' 'output.weight 64 32' 'output_norm.weight 32' \
        'blk.1.nextn.eh_proj.weight 32 64' 'blk.1.nextn.enorm.weight 32' 'blk.1.nextn.hnorm.weight 32'
    for i in 0 1; do
        printf "tensor blk.$i.%s\n" 'attn_norm.weight F32 32' 'post_attention_norm.weight F32 32' 'attn_q.weight F32 64 32' \
            'attn_k.weight F32 16 32' 'attn_v.weight F32 16 32' 'attn_output.weight F32 32 32' 'attn_q_norm.weight F32 8' \
            'attn_k_norm.weight F32 8' 'ffn_gate.weight F32 48 32' 'ffn_up.weight F32 48 32' 'ffn_down.weight F32 32 48'
    done
}

# mamba2: one layer, two groups of 32; the argument replaces its norm, GGUF's ssm_norm.
mamba2() {
    lines mamba2 block_count=1 embedding_length=32 "ssm.group_count=${2-2}" ssm.time_step_rank=4 ssm.state_size=8 ssm.conv_kernel=4 \
        ssm.inner_size=64 -- 'token_embd.weight 64 32' 'output_norm.weight 32' 'blk.0.attn_norm.weight 32' \
        "blk.0.ssm_in.weight $((132 + 16 * ${2-2})) 32" "blk.0.ssm_conv1d.weight $((64 + 16 * ${2-2})) ${3-4}" \
        "blk.0.ssm_conv1d.bias $((64 + 16 * ${2-2}))" 'blk.0.ssm_dt.bias 4' "blk.0.ssm_a ${4-4 1}" 'blk.0.ssm_d 4 1' \
        "blk.0.ssm_norm.weight ${1-2 32}" 'blk.0.ssm_out.weight 32 64'
}

# mamba2_hub: the same in transformers' form, with its configuration.
mamba2_hub() {
    printf '%s\n' 'file model.safetensors' 'tensor backbone.embeddings.weight F32 64 32' 'tensor backbone.norm_f.weight F32 32'
    printf 'tensor backbone.layers.0.%s\n' 'norm.weight F32 32' 'mixer.in_proj.weight F32 164 32' 'mixer.conv1d.weight F32 96 1 4' \
        'mixer.conv1d.bias F32 96' 'mixer.dt_bias F32 4' 'mixer.A_log F32 4' 'mixer.D F32 4' 'mixer.norm.weight F32 64' 'mixer.out_proj.weight F32 32 64'
}

mamba2_config() {
    printf '%s' '{"model_type":"mamba2","architectures":["Mamba2ForCausalLM"],"hidden_size":32,"num_hidden_layers":1,' \
        '"num_heads":4,"head_dim":16,"expand":2,"n_groups":2,"state_size":8,"conv_kernel":4,"vocab_size":64,"tie_word_embeddings":true}'
}

# shapes: reconcile's lines on wrong shapes.
shapes() { made x && numel reconcile "$T/x" | grep -E '^(wrong|(dis)?agrees|parameters)'; }

# scales: reconcile's lines on tensors next to the weights.
scales() { made x && numel reconcile "$T/x" | grep -E '^(scales|(dis)?agrees|unexpected)'; }

# requant A B: diff's report on $T/A and $T/B: the changing lines of the statement, and the last.
requant() {
    made "$2" && numel diff "$T/$1" "$T/$2" >"$T/said"
    status=$?
    sed -n '/^\(quantized\|dtype changed\|removed\|added\|reshaped\) /p; $p' "$T/said"
    return $status
}

# head: show's lines on types, above its tables.
head() { made x && numel show "$T/x" | grep -E '^(types|quantization|packed|mixture) '; }

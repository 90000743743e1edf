# adapter.sh -- small adapters, for test/cli/adapter.t:
#
#     . test/cli/causes/adapter.sh; lora 8 q_proj v_proj | adapter '{"peft_type":"LORA","r":8}' show
#
# The base is the Llama of build.sh: E 64, F 128, L 2, four query and two key and value heads of 16, so
# that q_proj is [64, 64], k_proj and v_proj [32, 64], gate_proj and up_proj [128, 64].
. test/cli/causes/build.sh

# The out and in sizes of a target.
sizes() {
    case $1 in
    q_proj | o_proj) echo 64 64 ;;
    k_proj | v_proj) echo 32 64 ;;
    gate_proj | up_proj) echo 128 64 ;;
    down_proj) echo 64 128 ;;
    esac
}

module() {
    case $1 in *_proj) case $1 in [gud][apo][tw]*) echo "mlp.$1" ;; *) echo "self_attn.$1" ;; esac ;; esac
}

# lora RANK TARGET...: with PEFT's names; $dora adds magnitudes.
lora() {
    r=$1
    shift
    echo 'file adapter_model.safetensors'
    for t in "$@"; do
        set -- $(sizes "$t")
        stem="base_model.model.model.layers.{0,1}.$(module "$t")"
        echo "tensor $stem.lora_A.weight F32 $r $2"
        echo "tensor $stem.lora_B.weight F32 $1 $r"
        [ -z "${dora-}" ] || echo "tensor $stem.lora_magnitude_vector F32 $1"
    done
}

# adapter CONFIG COMMAND [OPTIONS]: tensors from the pipe, with an adapter_config.json (none if '').
adapter() {
    rm -rf "$T/adapter"
    mkdir "$T/adapter"
    cat >"$T/adapter.txt"
    mkhead -q --sparse "$T/adapter.txt" "$T/adapter" >"$T/made" || return
    [ -z "$1" ] || printf '%s\n' "$1" >"$T/adapter/adapter_config.json"
    printf '{%s}\n' "$config" >"$T/base.json"
    command=$2
    shift 2
    numel "$command" "$@" "$T/adapter" >"$T/page"
    status=$?
    awk '/^adapter / { on = 1 } /^name  / { on = 0 } on || /^ "adapter"/' "$T/page"
    return $status
}

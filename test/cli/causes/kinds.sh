# kinds.sh -- packed weights at the top of show; see build.sh.
. test/cli/causes/build.sh

# GPTQ without g_idx and biases; the layers' linear maps whose name matches $1 with 8 bits, the others with 4.
gptq_of() {
    awk -v wide="$1" '
        $2 !~ /_proj.weight$/ { print; next }
        {
            stem = $2; sub(/\.weight$/, "", stem); bits = wide != "" && stem ~ wide ? 8 : 4
            print "tensor " stem ".qweight I32", $5 * bits / 32, $4
            print "tensor " stem ".qzeros I32", $5 / 32, $4 * bits / 32
            print "tensor " stem ".scales F16", $5 / 32, $4
        }'
}

# head_of [MORE-KEYS [OPTIONS...]]: show's head lines about packing; reconcile prints the same.
head_of() {
    keys=${1-}
    [ $# -eq 0 ] || shift
    rm -rf "$T/model"
    cat > "$T/model.txt"
    mkhead -q "$T/model.txt" "$T/model" > "$T/made" || return
    printf '{%s%s}\n' "$config" "$keys" > "$T/model/config.json"
    cd "$T" || return
    numel model "$@" | grep -E '^(quantization|packed|unquantized|verdict)  '
    numel reconcile model "$@" | grep -E '^(quantization|packed|unquantized)  ' > reconciled
    numel model "$@" | grep -E '^(quantization|packed|unquantized)  ' | diff - reconciled
    numel model --json "$@" > json
}

# opaque.sh -- layouts identified only by their names, and one with an average number of bits; see build.sh.
. test/cli/causes/build.sh

# Each weight of the layers' linear maps as VPTQ's tensors, whose dims carry no information about it.
vptq() {
    awk '
        $2 !~ /_proj.weight$/ { print; next }
        {
            stem = $2; sub(/\.weight$/, "", stem)
            print "tensor " stem ".indices I32 1 7 40"
            print "tensor " stem ".centroids.weight F16 1 2048"
            print "tensor " stem ".perm I16 " $5
        }'
}

# Its bits are so many words of 32 for its inputs: $1 in one half of the weights, $2 in the other.
cat > "$T/words.layout" <<'END'
layout words
match quant_method in words
value {M}.words I32 * O
mean 32*dim("{M}.words", 0) / I = q("bits")
END
words() {
    awk -v a="$1" -v b="$2" '
        $2 !~ /_proj.weight$/ { print; next }
        {
            stem = $2; sub(/\.weight$/, "", stem)
            print "tensor " stem ".words I32", $5 / 32 * ($2 ~ /layers.0/ ? a : b), $4
        }'
}

# open.sh -- layouts that shapes do not determine; see build.sh. `wide` has 4 or 8 bits, one byte per value either
# way, in groups of 32 or 64.
. test/cli/causes/build.sh
cat > "$T/wide.layout" <<'END'
layout wide
match quant_method in wide
sym bits in 4 8 = q("bits")
sym group in 32 64 = q("group_size")
value {M}.wide I8 O I
scale {M}.scale float O ceil_div(I, group)
bits bits
group group
END

# Each weight of the layers' linear maps in it, groups of $1.
wide() {
    awk -v group="$1" '
        $2 !~ /_proj.weight$/ { print; next }
        {
            stem = $2; sub(/\.weight$/, "", stem)
            print "tensor " stem ".wide I8", $4, $5
            print "tensor " stem ".scale F16", $4, $5 / group
        }'
}

# Values of 4 bits in groups of 64 have the shapes of 8 bits in groups of 32 of half as many inputs.
cat > "$T/affine.layout" <<'END'
layout affine
match quant_method in affine
rows lin emb
sym bits in 8 4 2 = q("bits")
sym group in 32 64 128 = q("group_size")
value {W} U32 O I*bits/32
scale {M}.scales float O I/group
zero {M}.biases float O I/group
bits bits
group group
END

# Each matrix in it; bits $1, group $2.
affine() {
    awk -v bits="$1" -v group="$2" '
        NF != 5 { print; next }
        {
            stem = $2; sub(/\.weight$/, "", stem)
            print "tensor " $2 " U32", $4, $5 * bits / 32
            print "tensor " stem ".scales BF16", $4, $5 / group
            print "tensor " stem ".biases BF16", $4, $5 / group
        }'
}

# The model alone: no config.json.
alone() { cat >"$T/model.txt"; rm -rf "$T/model"; mkhead -q "$T/model.txt" "$T/model" >/dev/null && cd "$T" && numel reconcile model "$@"; }

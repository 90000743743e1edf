# open.sh -- layouts that the shapes leave open; see build.sh. `wide` says 4 or 8 bits, a byte a value either way,
# in groups of 32 or 64.
. test/causes/build.sh
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

# figure.sh -- figures from `numel formula --json`, for the transcripts here: . test/truth/seeds/figure.sh

# total ROLES ARGS...: sum of the terms whose role matches; each: the same for a single one.
total() { sum_terms total "$@"; }
each() { sum_terms each "$@"; }
sum_terms() {
    field=$1 roles=$2
    shift 2
    numel formula --json "$@" | awk -v field="$field" -v roles="^($roles)\$" '
        match($0, /"role":"[^"]*"/) {
            if (substr($0, RSTART + 8, RLENGTH - 9) !~ roles) next
            match($0, "\"" field "\":[0-9]*")
            n = length(field) + 3
            sum += substr($0, RSTART + n, RLENGTH - n); found = 1
        }
        END { if (found) printf "%.0f\n", sum; else print "no such term" }'
}

# symbol NAME ARGS...: its value.
symbol() {
    name=$1
    shift
    numel formula --json "$@" | sed -n "s/.*{\"name\":\"$name\",\"value\":\([0-9]*\),.*/\1/p"
}

# number of elements in a layer
layer='norm\.(attn|mlp)|attn\..*|mlp\..*'
matrices='attn\..*|mlp\..*'

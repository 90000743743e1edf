#!/bin/sh
# bench.sh -- time, speed and memory on large headers. Prints; asserts nothing about time.
#
#     make bench        B=build/release sh test/bench/bench.sh        RUNS=11
#
# The checkpoints are sparse files that our generator makes in build/bench: real headers, full size, no weights.
# Times are with a warm cache. "whole process" is the tool from start to exit with its output discarded; "library"
# is numel_find + numel_open alone. If `make interop` has installed the Python packages, they are measured on the
# same files, as a whole process and inside (import not counted).
set -eu
B=${B:-build/release}
dir=build/bench
runs=${RUNS:-11}
python=build/venv/bin/python
mkdir -p "$dir"

# make_one NAME DESCRIPTION [mkhead options]: sets $header to the bytes of all headers
make_one() {
    name=$1 text=$2
    shift 2
    if [ ! -f "$dir/$name.sum" ] || [ "$text" -nt "$dir/$name.sum" ]; then
        rm -rf "${dir:?}/$name"
        "$B/tool/mkhead" -q --sparse "$@" "$text" "$dir/$name" > "$dir/$name.new"
        mv "$dir/$name.new" "$dir/$name.sum"
    fi
    header=$(awk '{ gsub(",", ""); for (i = 1; i <= NF; i++) if ($i == "header") print $(i - 1) }' \
        "$dir/$name.sum")
    tensors=$(awk '{ print $2 }' "$dir/$name.sum")
    echo
    echo "$name: $tensors tensors, $header bytes of header"
    printf '%-34s %9s %9s %9s %9s %8s %8s\n' '' 'best ms' 'median' 'worst' 'cpu' 'MB/s' 'RSS MiB'
}

ours() {
    "$B/tool/openbench" -b "$header" 'library: find and open' "$1"
    "$B/tool/timeit" -n "$runs" -b "$header" 'numel show' "$B/numel" show "$1"
    "$B/tool/timeit" -n "$runs" -b "$header" 'numel show -q' "$B/numel" show -q "$1"
    "$B/tool/timeit" -n "$runs" -b "$header" 'numel tensors --json' "$B/numel" tensors --json "$1"
}

theirs() {
    test -x "$python" || return 0
    "$python" test/interop/bench.py "$header" "$1" || echo "  ($1: not read)"
    "$B/tool/timeit" -n 1 -b "$header" 'python, whole process' "$python" test/interop/bench.py \
        --once "$header" "$1" || true
}

echo "command: B=$B RUNS=$runs sh test/bench/bench.sh"
echo "machine: $(uname -sm), $(getconf _NPROCESSORS_ONLN) processors"

make_one deepseek-v3-16-files test/gen/deepseek-v3.txt -e 'shard 16' -e 'shard digits 5'
ours "$dir/deepseek-v3-16-files"
theirs "$dir/deepseek-v3-16-files"

make_one deepseek-v3-one-file test/gen/deepseek-v3.txt -e 'shard 1'
ours "$dir/deepseek-v3-one-file"
theirs "$dir/deepseek-v3-one-file"

# Two of that size: the same tensors in other files, with BF16 instead of FP8.
first=$header
sed -e 's/ F8_E4M3 / BF16 /' -e '/^expect/d' test/gen/deepseek-v3.txt > "$dir/bf16.txt"
make_one deepseek-v3-bf16 "$dir/bf16.txt" -e 'shard 1'
both=$((first + header))
"$B/tool/timeit" -n "$runs" -b "$both" 'numel diff, equal' "$B/numel" diff \
    "$dir/deepseek-v3-16-files" "$dir/deepseek-v3-one-file"
"$B/tool/timeit" -n "$runs" -b "$both" 'numel diff, 45,808 other types' "$B/numel" diff \
    "$dir/deepseek-v3-one-file" "$dir/deepseek-v3-bf16"

make_one many test/bench/many.txt
ours "$dir/many"
theirs "$dir/many"

make_one vocabulary test/bench/vocabulary.txt
ours "$dir/vocabulary"
theirs "$dir/vocabulary"

# A printout with every layer of 667 printed: 15 lines each, 10,013 in all.
page=$dir/printout.txt
awk 'BEGIN {
    print "LlamaForCausalLM(\n  (model): LlamaModel(\n    (embed_tokens): Embedding(32000, 4096)\n    (layers): ModuleList("
    for (i = 0; i < 667; i++) {
        printf "      (%d): LlamaDecoderLayer(\n        (self_attn): LlamaAttention(\n", i
        for (k = 1; k <= 4; k++)
            printf "          (%s_proj): Linear(in_features=4096, out_features=4096, bias=False)\n", substr("qkvo", k, 1)
        print "        )\n        (mlp): LlamaMLP("
        print "          (gate_proj): Linear(in_features=4096, out_features=11008, bias=False)"
        print "          (down_proj): Linear(in_features=11008, out_features=4096, bias=False)"
        print "          (up_proj): Linear(in_features=4096, out_features=11008, bias=False)"
        print "        )\n        (input_layernorm): LlamaRMSNorm((4096,), eps=1e-05)"
        print "        (post_attention_layernorm): LlamaRMSNorm((4096,), eps=1e-05)\n      )"
    }
    print "    )\n    (norm): LlamaRMSNorm((4096,), eps=1e-05)\n  )"
    print "  (lm_head): Linear(in_features=4096, out_features=32000, bias=False)\n)"
}' > "$page"
echo
echo "printout: $(wc -l < "$page") lines, $(wc -c < "$page") bytes"
printf '%-34s %9s %9s %9s %9s %8s %8s\n' '' 'best ms' 'median' 'worst' 'cpu' 'MB/s' 'RSS MiB'
"$B/tool/timeit" -n "$runs" -b "$(wc -c < "$page")" 'numel diff -q PRINTOUT' "$B/numel" diff -q "$page"

test -x "$python" || { echo; echo "(run make interop once to compare with the Python packages)"; }

#!/bin/sh
# page.sh BUILD COMPILE... -- the programs of docs/api.md are compiled, run, and print what the page shows below each.
set -u
out=$1/embed/page; shift
mkdir -p "$out"
awk -v out="$out" '/^```c$/ { n++; file = out "/" n ".c" } /^```text$/ { file = out "/" n ".want" }
    /^```$/ { file = "" } file != "" && !/^```/ { print > file }' docs/api.md
n=0
for args in "fixtures/llama-3.1-8b-q4_k_m" "fixtures/llama-2-7b-2023" "fixtures/gpt2 163M"; do
    n=$((n + 1))
    # shellcheck disable=SC2086 # several words each
    "$@" "$out/$n.c" -o "$out/$n" $LIBS && "$out/$n" $args > "$out/$n.out" && diff "$out/$n.want" "$out/$n.out" ||
        { echo "failed: program $n of docs/api.md"; exit 1; }
done
[ ! -e "$out/$((n + 1)).c" ] || { echo "failed: docs/api.md has more programs than page.sh runs"; exit 1; }

#!/bin/sh
# seeds.sh -- seeds.sh TARGET [FOLDER]: the seeds of a fuzz target, from targets.txt: their names, one per line;
# or with FOLDER, which is created, the files as bytes. seeds.sh -o TARGET: its options.
set -eu
table=test/robust/fuzz/targets.txt
fail() { echo "seeds.sh: $*" >&2; exit 1; }

options= target=$1 out=${2-}
[ "$target" != -o ] || { options=1 target=$2 out=; }
[ -f "test/robust/fuzz/fuzz_$target.c" ] || fail "there is no test/robust/fuzz/fuzz_$target.c"
words=$(awk -v t="$target" '$1 == t { for (i = 2; i <= NF; i++) print $i }' $table)
[ -n "$words" ] || fail "$table has no row of $target"

set --
for word in $words; do # unquoted: its patterns become names
    case $word in
    -*) if [ "$options" ]; then echo "$word"; fi ;;
    *) [ -e "$word" ] || fail "$target: nothing is called $word"
       set -- "$@" "$word" ;;
    esac
done
[ -z "$options" ] || exit 0
for kept in test/robust/fuzz/seeds/"$target"/* test/robust/fuzz/found/"$target"/*; do
    if [ -e "$kept" ]; then set -- "$@" "$kept"; fi
done
[ "$out" ] || { printf '%s\n' "$@"; exit 0; }

mkdir -p "$out"
for file; do
    name=$(printf %s "$file" | tr / _)
    case $file in
    *.hex) "${B:-build/release}/tool/hex" "$file" "$out/${name%.hex}" ;;
    *) cp "$file" "$out/$name" ;;
    esac
done

#!/bin/sh
# lint.sh OUT FILE.c FLAG... -- writes the findings of gcc's analyzer and clang-tidy for a file to OUT, one per line:
#
#     FILE:LINE CHECK MESSAGE
#
# test/rules/lint.awk judges them. $LINT_CC and $LINT_TIDY are the programs, $LINT_GCC and $LINT_LLVM the decisive
# versions: with other versions the findings, and so the list of known ones, differ. Without arguments it only
# checks the versions.
set -u
major() { "$@" 2>/dev/null | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -1 | cut -d. -f1; }
if [ $# = 0 ]; then
    gcc=$(major "$LINT_CC" -dumpfullversion) tidy=$(major "$LINT_TIDY" --version)
    [ "$gcc" = "$LINT_GCC" ] || echo "lint: $LINT_CC is ${gcc:+version $gcc}${gcc:-not here}: install gcc-$LINT_GCC, or name one in LINT_CC" >&2
    [ "$tidy" = "$LINT_LLVM" ] || echo "lint: $LINT_TIDY is ${tidy:+version $tidy}${tidy:-not here}: install clang-tidy-$LINT_LLVM, or name one in LINT_TIDY" >&2
    [ "$gcc" = "$LINT_GCC" ] && [ "$tidy" = "$LINT_LLVM" ]
    exit
fi

out=$1 file=$2
shift 2
mkdir -p "$(dirname "$out")" || exit 1
# Paths of 50,000 program points are long enough: the default of 225,000 takes five times as long and finds no more.
{
    LC_ALL=C "$LINT_CC" "$@" -O1 -fanalyzer -fdiagnostics-plain-output -MMD -MP -MT "$out" -MF "${out%.found}.d" \
        -c "$file" -o /dev/null 2>&1 || echo "$file:1:1: error: gcc fails [gcc]"
    "$LINT_TIDY" --quiet "$file" -- "$@" -Xclang -analyzer-config -Xclang max-nodes=50000 2>/dev/null ||
        echo "$file:1:1: error: clang-tidy fails [clang-tidy]"
} | sed -nE "s,^$PWD/,,; s,^([^: ]+):([0-9]+):[0-9]+: (warning|error): (.*) \[([^] ]+)\]\$,\1:\2 \5 \4,p" |
    sort -u > "$out.new" && mv "$out.new" "$out"

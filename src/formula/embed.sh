#!/bin/sh
# usage: sh embed.sh FILE... > embedded.c
# Files as arrays of bytes: portable C, no string literal limits, no assembler. They are in the order of their
# names, wherever they lie; two of one name are an error.
set -e
LC_ALL=C
export LC_ALL
sorted=$(for f; do echo "${f##*/} $f"; done | sort)
twice=$(echo "$sorted" | cut -d' ' -f1 | uniq -d)
[ -z "$twice" ] || { echo "embed.sh: two files are named" $twice >&2; exit 1; }
# shellcheck disable=SC2046
set -- $(echo "$sorted" | cut -d' ' -f2)
echo '#include "formula/embedded.h"'
n=0
for f; do
    echo "static const unsigned char file_$n[] = {"
    od -An -v -tu1 "$f" | sed 's/[0-9][0-9]*/&,/g'
    echo "0};"
    n=$((n + 1))
done
echo 'const struct embedded embedded_files[] = {'
n=0
for f; do
    echo "    { \"$(basename "$f")\", file_$n, sizeof file_$n - 1 },"
    n=$((n + 1))
done
echo '};'
echo 'const size_t embedded_count = sizeof embedded_files / sizeof *embedded_files;'

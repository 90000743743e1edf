#!/bin/sh
# usage: sh embed.sh FILE... > embedded.c
# Files as arrays of bytes: portable C, no string literal limits, no assembler.
set -e
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

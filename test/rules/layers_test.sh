#!/bin/sh
# layers_test.sh -- does `make layers` detect each kind of violation? Each is added to a copy of a valid source tree
# of two or three files, and must be reported by name; the tree itself must pass.
set -u
cd "$(dirname "$0")" || exit 2
rules=$PWD/layers.awk
house=$(mktemp -d "${TMPDIR:-/tmp}/layers.XXXXXX") || exit 2
trap 'rm -rf "$house"' EXIT
failed=0

build() {
    rm -rf "$house"/*
    mkdir -p "$house/src/low" "$house/src/high" "$house/src/aside" "$house/src/cli"
    printf '%s\n' low 'high +low' 'aside +low' cli 'header zip.h src/low/zip.c' 'calls low open fopen' \
        'calls cli printf' 'allow src/cli/main.o open its reason' > "$house/layers.txt"
    echo '#include <zip.h>' > "$house/src/low/zip.c"
    echo 'int low(void);' > "$house/src/low/low.h"
    echo 'int inner(void);' > "$house/src/low/low_internal.h"
    echo '#include "low/low_internal.h"' > "$house/src/low/low.c"
    echo '#include "low/low.h"' > "$house/src/high/high.c"
    echo '#include "low/low.h"' > "$house/src/aside/aside.h"
    echo '#include "cli.h"' > "$house/src/cli/main.c"
    printf '%s\n' 'b/src/low/low.o:   U open64' 'b/src/cli/main.o:  U open' 'b/src/high/high.o: U malloc' > "$house/symbols"
}
judge() { (cd "$house" && awk -f "$rules" layers.txt - src/*/*.[ch] < symbols) 2>&1; }
# finds NAME PATTERN: the violation just added
finds() {
    said=$(judge) && { echo "layers_test: $1: not found"; failed=1; }
    case $said in *"$2"*) ;; *) echo "layers_test: $1: expected '$2', got: $said"; failed=1 ;; esac
    build
}

build
said=$(judge) || { echo "layers_test: a house without a breach: $said"; failed=1; }
echo '#include "high/high.h"' >> "$house/src/low/low.c";       finds 'an include that climbs' 'no arrow leads from low to high'
echo '#include "aside/aside.h"' >> "$house/src/high/high.c";   finds 'rooms beside each other' 'no arrow leads from high to aside'
echo '#include "low/low_internal.h"' >> "$house/src/high/high.c"; finds 'a private header' "low/low_internal.h is low's alone"
echo '#include "low/low.c"' >> "$house/src/high/high.c";       finds 'a .c file' 'includes a .c file'
echo '#include "../low/low.h"' >> "$house/src/high/high.c";    finds 'a path that climbs' 'climbs'
echo '#include "low.h"' >> "$house/src/high/high.c";           finds 'a header of no room' 'names no room'
echo '#include "low/low.h"' >> "$house/src/cli/main.c";        finds 'a command that sees more' 'only numel.h, cli.h, browse.h and fetch/protocol.h'
echo '#include <zip.h>' >> "$house/src/high/high.c";           finds 'a wrapped header' 'outside src/low/zip.c'
echo '#include <openssl/sha.h>' >> "$house/src/low/low.c";     finds 'a header without a wrapper' 'has no wrapper'
mkdir "$house/src/attic"; echo > "$house/src/attic/a.c";       finds 'an unknown room' 'attic is not a room'
echo 'b/src/high/high.o: U open64' >> "$house/symbols";        finds 'a call' 'src/high/high.o: calls open()'
echo 'b/src/aside/aside.o: U __printf_chk' >> "$house/symbols"; finds 'a call, fortified' 'calls printf()'
echo 'b/src/high/high.o: U fopen@GLIBC_2.2' >> "$house/symbols"; finds 'a call, with its version' 'calls fopen()'
echo 'b/src/low/low.o:0 T twice
b/src/high/high.o:10 T twice' >> "$house/symbols";             finds 'a name with two definitions' 'src/high/high.o: defines twice, and so does src/low/low.o'
echo 'debt high aside its reason' >> "$house/layers.txt";      finds 'a debt that is paid' 'paid: debt high aside'
echo 'debt high aside' >> "$house/layers.txt";                 finds 'a debt without a reason' 'without a reason'
echo 'allow src/low/low.o printf its reason' >> "$house/layers.txt"; finds 'an unnecessary exception' 'not needed: allow'
: > "$house/symbols";                                          finds 'no objects' 'no symbols'
[ "$failed" = 0 ] && echo "layers_test: ok"
exit $failed

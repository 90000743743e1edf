#!/bin/sh
# symbols.sh -- the libraries export exactly the functions that numel.h declares, all named numel_*; and a program
# with the same names as internal functions links the archive and works.
#
# B is the build, NM lists symbols.
set -u
cd "$(dirname "$0")/../.." || exit 2
B=${B:-build/release}
failed=0
say() { echo "symbols: $*"; failed=1; }

declared=$(sed -n 's/^NUMEL_\(API\|CALL\) .*[ *]*\(numel_[a-z0-9_]*\)(.*/\2/p' include/numel.h | sort)
shown() { "${NM:-nm}" "$@" 2>/dev/null | awk 'NF == 3 {sub(/^_/, "", $3); sub(/@.*/, "", $3); if ($3 !~ /^(gcov|__gcov|llvm|__llvm|_?_?asan|__odr_asan)/) print $3}' | sort -u; }
for library in "-g --defined-only $B/libnumel.a" "-D --defined-only $B/$SONAME"; do
    name=${library##*/}
    # shellcheck disable=SC2086
    shown $library > "$B/shown.txt"
    foreign=$(grep -v '^numel_' "$B/shown.txt" | head -5 | tr '\n' ' ')
    [ -z "$foreign" ] || say "$name shows what is not the interface: $foreign"
    for f in $declared; do
        grep -qx "$f" "$B/shown.txt" || say "$name lacks $f()"
    done
done
[ -n "$declared" ] || say "numel.h declares nothing"

model=fixtures/gptq-tiny
got=$("$B/symbols_host" "$model") || say "the host fails"
want=$("$B/numel" show --json "$model" | sed -n 's/.*"counts": {"tensors":\([0-9]*\),"stored":\([0-9]*\),.*/\1 \2/p')
[ -n "$got" ] && [ "$got" = "$want" ] || say "the host counts '$got', the tool '$want'"
[ "$failed" = 0 ] && echo "symbols: ok ($(wc -l < "$B/shown.txt" | tr -d ' ') functions)"
exit $failed

#!/bin/sh
# abi.sh [-u] -- is the library still binary-compatible? Compares the functions and public types in test/rules/abi,
# written by abidw when the minor version began, with those of the build; -u writes them.
#
# Within a minor version nothing may be removed or changed. Additions allowed: functions, enum values, fields at
# the end of a struct that states its size (test/rules/abi/suppressions). B is the build, SONAME its shared
# library, VERSION its version.
set -u
cd "$(dirname "$0")/../.." || exit 2
B=${B:-build/release}
kept=test/rules/abi/libnumel-${VERSION%.*}.abi.zst
for tool in abidw abidiff zstd; do
    command -v "$tool" > /dev/null || { echo "abi: $tool is not here: apt-get install abigail-tools zstd" >&2; exit 1; }
done
if [ "${1:-}" = -u ]; then
    mkdir -p "${kept%/*}"
    abidw --exported-interfaces-only --headers-dir include --drop-private-types --no-show-locs --no-corpus-path \
        --no-comp-dir-path --no-elf-needed --no-architecture "$B/$SONAME" | zstd -19 -q -f -o "$kept" &&
        echo "abi: $kept is as the library is now"
    exit
fi
[ -f "$kept" ] || { echo "abi: $kept is not here: 'make abi-update' begins a minor version" >&2; exit 1; }
zstd -q -d -f "$kept" -o "$B/kept.abi" || exit 1
abidiff --no-added-syms --drop-private-types --headers-dir2 include --suppressions test/rules/abi/suppressions \
    --no-architecture "$B/kept.abi" "$B/$SONAME"
[ $? = 0 ] || { echo "abi: not what programs of version ${VERSION%.*} were linked with" >&2; exit 1; }
echo "abi: ok, as $kept"

#!/bin/sh
# static.sh -- build/static/numel: one file that needs no other, not even a C library.
#
#     make static
#
# libcrypto's hash functions, zstd and cJSON are linked in; nothing is loaded while it runs. Few distributions have an archive of cJSON:
# where the compiler finds no libcjson.a, cJSON.c is compiled, from the folder CJSON if that is set, else from Debian's source
# package, which apt fetches and checks. The lists of that apt are its own: the machine's stay as they are.
set -eu
cd "$(dirname "$0")/../.."
B=build/static
CC=${CC:-cc} MAKE=${MAKE:-make} STRIP=${STRIP:-strip}
die() { echo "static: $*" >&2; exit 1; }

fetch() {
    for tool in apt-get dpkg-source; do
        command -v $tool >/dev/null || die "no libcjson.a: set CJSON to a folder that has cJSON.c (on Debian: apt-get install dpkg-dev)"
    done
    apt=$PWD/$B/apt
    rm -rf "$apt" "$B/cjson"
    mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/sources" "$B/cjson"
    [ ! -s /etc/apt/sources.list ] || sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$apt/sources/own.list"
    for f in /etc/apt/sources.list.d/*debian*.sources /etc/apt/sources.list.d/*ubuntu*.sources; do
        [ ! -s "$f" ] || sed 's/^Types:.*/Types: deb-src/' "$f" >"$apt/sources/${f##*/}"
    done
    set -- -qq -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt" -o Dir::Etc::SourceList=/dev/null \
        -o "Dir::Etc::SourceParts=$apt/sources" -o APT::Sandbox::User=root
    apt-get "$@" update || die "apt has no lists of sources"
    (cd "$B/cjson" && apt-get "$@" source --only-source cjson >/dev/null) || die "apt has no source of cJSON"
    CJSON=$(dirname "$(find "$PWD/$B/cjson" -name cJSON.c | head -1)")
    rm -rf "$apt"
}

# lib/libcjson.a and, for <cjson/cJSON.h>, include/cjson.
archive() {
    # shellcheck disable=SC2086 # words
    [ "$($CC -print-file-name=libcjson.a)" = libcjson.a ] || return 0
    [ ! -e "$B/lib/libcjson.a" ] || return 0
    [ -n "${CJSON:-}" ] || fetch
    [ -s "$CJSON/cJSON.c" ] || die "$CJSON has no cJSON.c"
    mkdir -p "$B/lib" "$B/include/cjson"
    cp "$CJSON/cJSON.h" "$B/include/cjson"
    # shellcheck disable=SC2086
    $CC -O2 -fPIC -fstack-protector-strong -c "$CJSON/cJSON.c" -o "$B/lib/cJSON.o"
    ar rcs "$B/lib/libcjson.a" "$B/lib/cJSON.o"
}

mkdir -p "$B"
archive
$MAKE B="$B" CFLAGS="${CFLAGS:--O2}" CPPFLAGS="-I$B/include ${CPPFLAGS:-}" LDFLAGS="-static-pie -L$B/lib" "$B/numel"
if nm "$B/numel" | grep -w 'T dlopen'; then die "something in it calls dlopen()"; fi
$STRIP "$B/numel"

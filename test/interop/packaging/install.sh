#!/bin/sh
# install.sh -- make install into a folder: the files are there, work, and uninstall removes them.
set -u
. test/interop/packaging/lib.sh
to=$work/root/opt/numel
make_in() { make -s MODE=release B="$B" PREFIX=/opt/numel DESTDIR="$work/root" "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "make $*"; finish; }; }
megabytes() { du -s --apparent-size -B 1000000 "$work/root" | cut -f 1; }

make_in install
size=$(megabytes)
[ "$size" -lt 12 ] || fail "make install takes $size MB, 12 is too much"
ldd "$to/bin/numel" | grep -q "$to/bin/../lib/libnumel.so" || fail "the command does not use the library installed with it"
readelf -S "$to/bin/numel" "$to/lib/libnumel.so" | grep -E '\.(symtab|debug)' && fail "not stripped"
for model in llama-2-7b gptq-tiny; do
    "$to/bin/numel" "fixtures/$model" >"$work/is" 2>&1
    "$B/numel" "fixtures/$model" >"$work/want" 2>&1
    same "show $model" "$work/want" "$work/is"
done
if pkg-config --exists libcurl; then
    check "numel-fetch" test "$("$to/libexec/numel/numel-fetch" --version)" = numel-fetch/1
    if readelf -d "$to/bin/numel" "$to/lib/libnumel.so" | grep -q libcurl; then fail "libcurl is in the process that parses"; fi
fi
if command -v man >/dev/null; then check "man numel" man -M "$to/share/man" -P cat numel; fi

cat >"$work/count.c" <<'END'
#include <numel.h>
#include <stdio.h>
int main(void) { return printf("%s\n", numel_version()) < 0; }
END
# build FLAG...
build() { cc "$work/count.c" -o "$work/count" "$@" && LD_LIBRARY_PATH=$to/lib "$work/count"; }
# shellcheck disable=SC2046 # words
check "a program with libnumel.so" build $(PKG_CONFIG_PATH="$to/lib/pkgconfig" pkg-config --cflags --libs --define-variable=prefix="$to" numel)
before=$(find "$work/root" | wc -l)
make_in install-archive
[ "$(find "$work/root" | wc -l)" = $((before + 1)) ] || fail "install-archive installs more or less than the archive"
check "a program with libnumel.a" build "-I$to/include" "$to/lib/libnumel.a" -lcjson -lzstd -lm -pthread -ldl
all=$(megabytes)
make_in uninstall
left=$(find "$work/root" -type f -o -type l)
[ -z "$left" ] || fail "uninstall leaves $left"

make_in install-tool
[ -z "$(find "$to/lib" ! -type d)" ] || fail "install-tool installs a library"
"$to/bin/numel" fixtures/gptq-tiny >"$work/is" 2>&1
same "show with install-tool" "$work/want" "$work/is"
tool=$(megabytes)
make_in uninstall
echo "install: $size MB, with libnumel.a $all MB, the command alone $tool MB"
finish

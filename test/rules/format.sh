#!/bin/sh
# format.sh [-u] [FILE...] -- does every C file follow .clang-format? -u reformats those that do not.
#
# Versions of clang-format differ slightly, so one is fixed: $CLANG_FORMAT_VERSION.
# Without files: all that git tracks.
set -u
cd "$(dirname "$0")/../.." || exit 2
want=${CLANG_FORMAT_VERSION:?the version of clang-format that decides}
update=
[ "${1:-}" = -u ] && { update=yes; shift; }

for tool in "${CLANG_FORMAT:-}" "clang-format-$want" clang-format; do
    [ -n "$tool" ] && command -v "$tool" >/dev/null && break
    tool=
done
if [ -z "$tool" ]; then
    echo "format: clang-format $want is not here: apt-get install clang-format-$want, or pip install 'clang-format==$want.*'" >&2
    exit 1
fi
version=$("$tool" --version | sed -n 's/.*version \([0-9]*\)\..*/\1/p')
if [ "$version" != "$want" ]; then
    echo "format: $tool is version ${version:-unknown}, and version $want decides:" \
         "apt-get install clang-format-$want, or name one in CLANG_FORMAT" >&2
    exit 1
fi

[ $# -gt 0 ] || { git ls-files '*.c' '*.h' > /dev/null || exit 2; set -- $(git ls-files '*.c' '*.h'); }
for file; do
    [ -f "$file" ] || continue # deleted, but still in the index
    "$tool" --style=file "$file" | cmp -s - "$file" || echo "$file"
done > "${TMPDIR:-/tmp}/format.$$"
set -- $(cat "${TMPDIR:-/tmp}/format.$$")
rm -f "${TMPDIR:-/tmp}/format.$$"
if [ $# -eq 0 ]; then
    echo "format: ok"
elif [ -n "$update" ]; then
    "$tool" --style=file -i "$@" && printf 'laid out: %s\n' "$@"
else
    printf 'format: %s\n' "$@" >&2
    echo "format: 'make format' lays them out" >&2
    exit 1
fi

#!/bin/sh
# manuals.sh PAGE... -- mandoc -Tlint and groff -ww report nothing for these pages, at 80 columns, and each finds the
# faults put into a copy.
set -u
. test/interop/packaging/lib.sh

# What each reports of a page.
by_mandoc() {
    # Other packages' pages are unknown without a manual database.
    mandoc -Tlint "$1" 2>&1 | grep -v 'referenced manual not found\|outdated mandoc.db'
}
by_groff() { groff -mandoc -t -ww -Tutf8 -z "$1" 2>&1; }

# judge TOOL PAGE...
judge() {
    tool=$1
    shift
    command -v "$tool" >/dev/null || { echo "manuals: $tool skipped, it is not installed"; return; }
    for page; do
        "by_$tool" "$page" >"$work/said"
        [ ! -s "$work/said" ] || { fail "$tool: $page: $(wc -l <"$work/said") lines (test/support/manual_lines.py lays lines out)"; head -n 10 "$work/said"; }
    done
}
# notices TOOL WHAT LINE: it reports the last page with that line added.
notices() {
    command -v "$1" >/dev/null || return 0
    { cat "$last"; printf '%s\n' "$3"; } >"$work/${last##*/}"
    "by_$1" "$work/${last##*/}" >"$work/said"
    [ -s "$work/said" ] || fail "$1 does not notice $2"
}

judge mandoc "$@"
judge groff "$@"
for last; do :; done
notices mandoc 'a long line' "$(printf 'x%.0s ' $(seq 60))"
notices mandoc 'two sentences in a line' 'One. Two.'
notices mandoc 'an unknown macro' '.Zz x'
notices groff 'an unknown macro' '.Zz x'
notices groff 'an unknown character' 'x\[nosuchcharacter]x'
finish

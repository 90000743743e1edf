#!/bin/sh
# manuals.sh PAGE... -- mandoc -Tlint and groff -ww report nothing for these pages, at 80 columns.
set -u
. test/interop/packaging/lib.sh
if command -v mandoc >/dev/null; then
    for page; do
        # Other packages' pages are unknown without a manual database.
        mandoc -Tlint "$page" 2>&1 | grep -v 'referenced manual not found\|outdated mandoc.db' >"$work/said"
        [ ! -s "$work/said" ] || { fail "mandoc: $page: $(wc -l <"$work/said") lines (test/support/manual_lines.py lays lines out)"; head -n 10 "$work/said"; }
    done
else echo "manuals: mandoc skipped, it is not installed"; fi
if command -v groff >/dev/null; then
    for page; do
        groff -mandoc -t -ww -Tutf8 -z "$page" >"$work/said" 2>&1
        [ ! -s "$work/said" ] || { fail "groff: $page: $(wc -l <"$work/said") lines (test/support/manual_lines.py lays lines out)"; head -n 10 "$work/said"; }
    done
else echo "manuals: groff skipped, it is not installed"; fi
finish

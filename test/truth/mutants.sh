#!/bin/sh
# mutants.sh [-u] -- would a case detect an error in a line of a specification (test/truth/mutants.c) or of a
# layout (test/truth/packed/layout_mutants.py)?
#
# B is the build. With CHANGED set, only specifications and lines of layouts that differ from a base are tested:
# $BASE, else the point where the branch left origin's main, else the previous commit; uncommitted changes and new
# files count. If only the cases or the ledger changed, all specifications are tested; if a layout's cases changed,
# that layout. Without a base, a few.
set -u
cd "$(dirname "$0")/../.." || exit 2
B=${B:-build/release}
sample="llama.spec bert_heads.spec deepseek_v3.spec whisper.spec"

base() {
    if [ -n "${BASE:-}" ]; then echo "$BASE"; return; fi
    head=$(git rev-parse --verify -q HEAD) || return
    for main in origin/main origin/master; do
        left=$(git merge-base HEAD $main 2>/dev/null) && [ "$left" != "$head" ] && { echo "$left"; return; }
    done
    git rev-parse --verify -q HEAD~1
}

of= laid= from=
if [ -n "${CHANGED:-}" ]; then
    from=$(base)
    if [ -z "$from" ] || ! changed=$(git diff --name-only "$from" -- 2>/dev/null); then
        of=$sample from=
    else
        changed=$(echo "$changed"; git ls-files -o --exclude-standard src/data)
        for file in $(echo "$changed" | grep -E '^src/data/(specs|blocks)/.*\.spec$|^src/data/layouts/.*\.layout$'); do
            [ -f "$file" ] || continue
            case $file in
            *.spec) of="$of ${file##*/}" ;;
            *) laid="$laid $(basename "$file" .layout)" ;;
            esac
        done
        if [ -z "$of" ] && ! echo "$changed" | grep -qE '^(fixtures/oracle/|test/truth/mutants\.txt)'; then
            echo "mutants: no specification has changed since $from"
            of=none
        fi
    fi
fi
status=0
layouts() { PYTHONDONTWRITEBYTECODE=1 python3 test/truth/packed/layout_mutants.py "$@" || status=1; }
# shellcheck disable=SC2086
[ "$of" = none ] || "$B/tool/mutants" "$@" -l test/truth/mutants.txt fixtures/oracle $of || status=1
# shellcheck disable=SC2086
if [ -z "${CHANGED:-}" ]; then
    layouts
else
    [ -z "$laid" ] || layouts -s "$from" $laid
    [ -n "$from" ] && ! echo "$changed" | grep -qE '^(fixtures/packed/|test/truth/(packed/layout|components/single_quantized))' || layouts awq
fi
exit $status

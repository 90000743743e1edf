#!/bin/sh
# transcript.sh [-u] [-j N] FILE... -- reruns every "$ command" of a transcript and compares.
#
# In a .t file everything is transcript; in a .md file only ```console blocks are. A "$ command" is followed by its
# stdout and stderr as on a terminal, then [N] for an exit status N other than 0. A line "..." in the expected
# output matches any number of lines, also none. A line starting with # is a comment and ends the output before it.
# Empty lines at the end of an output are ignored: they separate.
#
# sh runs the commands in the project's root (those of a README as on a terminal of 80 columns), with $B first in
# PATH (so that `numel` is the build's), an empty directory in $T that is removed afterwards, LC_ALL=C, UTC and no
# input. -u rewrites outputs that differ, and keeps the "..." that match. -j N processes N files at a time, the
# largest first; the results for each file stay together, in the order given.
set -u
update='' jobs=1
[ "${1-}" = -u ] && { update=-u; shift; }
[ "${1-}" = -j ] && { jobs=$2; shift 2; }
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
cd "$root" || exit 2
B=$(cd "${B:-build/release}" && pwd) || exit 2
PATH=$B:$B/tool:$PATH LC_ALL=C TZ=UTC0
export B PATH LC_ALL TZ
HOME=/nonexistent; export HOME # no models are found there
NUMEL_FETCH=$root/test/cli/remote/stand_in.py; export NUMEL_FETCH # the hub is the folder $T/hub
unset HF_HUB_CACHE HUGGINGFACE_HUB_CACHE HF_HOME XDG_CACHE_HOME OLLAMA_MODELS
unset COLUMNS LINES NO_COLOR TERM PAGER LESS LANG LANGUAGE CLICOLOR_FORCE
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# One process per file: the output for the nth is in said/n, and its last line is its count.
in_parallel() {
    mkdir "$work/said"
    n=0
    for f; do
        n=$((n + 1))
        printf '%s %s %s\n' "$({ wc -c <"$f" || echo 0; } 2>/dev/null)" $n "$f"
    done | sort -rn | cut -d' ' -f2- >"$work/files"
    # shellcheck disable=SC2016 # for the inner shell
    xargs -P "$jobs" -L 1 sh -c 'sh test/cli/transcript.sh $0 "$3" >"$1/$2" 2>&1' "$update" "$work/said" <"$work/files"
    n=0 passed=0 failed=0
    for f; do
        n=$((n + 1))
        said=$work/said/$n
        sed '$d' "$said"
        case $(tail -n 1 "$said") in
        *' passed, '*' failed')
            passed=$((passed + $(sed -n '$s/ passed.*//p' "$said")))
            failed=$((failed + $(sed -n '$s/.*passed, \([0-9]*\) failed/\1/p' "$said"))) ;;
        *) tail -n 1 "$said"; echo "FAIL $f: ended early"; failed=$((failed + 1)) ;;
        esac
    done
    echo "$passed passed, $failed failed"
    [ $failed -eq 0 ]
}
if [ "$jobs" -gt 1 ] && [ $# -gt 1 ]; then in_parallel "$@"; exit; fi

# Runs $1 as a person would, for block $2: its output, then [N], is in $work/got. Most outputs are what the block has:
# only the others are looked at more closely.
run() {
    sh -c "$1" </dev/null >"$work/got" 2>&1
    rc=$?
    [ $rc -eq 0 ] && cmp -s "$2" "$work/got" && return
    mv "$work/got" "$work/out"
    # a last line without a newline counts; empty lines at the end do not
    awk '/^$/ { blank++; next } { while (blank > 0) { print ""; blank-- } print }' "$work/out" >"$work/got"
    [ $rc -eq 0 ] || printf '[%d]\n' $rc >>"$work/got"
}

# Splits $1 into numbered blocks in $work/blocks: N.text (copied), N.cmd ("$ command"), N.want.
split() {
    rm -rf "$work/blocks"; mkdir "$work/blocks"
    md=0; case $1 in *.md) md=1 ;; esac
    awk -v dir="$work/blocks" -v md=$md '
        function open(kind) { if (f) close(f); f = sprintf("%s/%05d.%s", dir, ++n, kind); printf "" > f }
        function text(line) {
            if (state != "text") open("text")
            for (state = "text"; blank > 0; blank--) print "" > f
            if (!end) print line > f
        }
        BEGIN { on = !md; state = "" }
        {
            fence = md && /^```/
            if (fence) on = ($0 == "```console")
            if (on && !fence && substr($0, 1, 2) == "$ ") {
                if (blank) { end = 1; text(); end = 0 }
                open("cmd"); print > f; open("want"); state = "want"
            } else if (on && !fence && state == "want" && $0 == "") blank++
            else if (on && !fence && state == "want" && substr($0, 1, 1) != "#") {
                for (; blank > 0; blank--) print "" > f
                print > f
            } else text($0)
        }
        END { end = 1; if (blank) text() }' "$1"
}

# Does $2 match $1, whose "..." lines match any lines? (Backtracking to the last "..." is enough.)
matches() {
    cmp -s "$1" "$2" && return 0
    grep -qx '\.\.\.' "$1" || return 1
    awk 'NR == FNR { want[++w] = $0; next } { got[++g] = $0 }
         END {
             for (i = j = 1; j <= g || i <= w;) {
                 if (i <= w && want[i] == "...") { star = i++; from = j }
                 else if (i <= w && j <= g && want[i] == got[j]) { i++; j++ }
                 else if (star && from <= g) { j = ++from; i = star + 1 }
                 else exit 1
             }
         }' "$1" "$2"
}

# Writes the current transcript to $work/new: its blocks, with the outputs that differ; counts into passed, failed.
replay() {
    split "$1"
    T=$work/dir; export T; mkdir "$T"
    for block in "$work"/blocks/*; do
        case $block in
        *.cmd)  IFS= read -r command <"$block" ;;
        *.want)
            run "${command#??}" "$block"
            if matches "$block" "$work/got"; then passed=$((passed + 1))
            else mv "$work/got" "$block"; failed=$((failed + 1))
            fi ;;
        esac
    done
    cat "$work"/blocks/* >"$work/new" 2>/dev/null
    rm -rf "$T"
}

passed=0 failed=0
for f; do
    [ -r "$f" ] || { echo "FAIL $f: cannot be read"; failed=$((failed + 1)); continue; }
    before=$failed
    case $f in *README.md | *guide/*) COLUMNS=80; export COLUMNS ;; *) unset COLUMNS ;; esac
    replay "$f"
    if [ $failed -eq $before ]; then echo "ok   $f"
    elif [ "$update" ]; then cat "$work/new" >"$f"; echo "new  $f"; failed=$before
    else echo "FAIL $f"; diff -u "$f" "$work/new"
    fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

#!/bin/sh
# corpus.sh -- the tool itself on whole files: fixtures/, generated large ones and, if present, the real files
# of $NUMEL_SHARED.
#
# test/unit/test_fixtures.c checks exact verdicts of the library; this checks what a person or a script gets from
# the tool: exit status, valid JSON, its findings and counts, text without control characters. Ends with "N passed,
# N failed".
set -u
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
shared=${NUMEL_SHARED:-../shared}
cd "$root" || exit 2
B=$(cd "${B:-build/release}" && pwd) || exit 2
LC_ALL=C; export LC_ALL
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
tab=$(printf '\t')
passed=0 failed=0

ok()   { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAIL $*"; }

# Runs "numel show --json" with the arguments; sets $rc, writes $work/json and $work/flat.
show() {
    "$B/numel" show --json "$@" </dev/null >"$work/json" 2>"$work/err"
    rc=$?
    : >"$work/flat"
    "$B/tool/flat" "$work/json" >"$work/flat" 2>"$work/flat.err"
}
# The value at a path of the last JSON; empty if absent.
value() { awk -F"$tab" -v k="$1" '$1 == k { print $2; exit }' "$work/flat"; }
# True if the last JSON has a finding $1 (a pattern) of severity $2 (a pattern).
found() {
    awk -F"$tab" -v c="^($1)\$" -v s="^($2)\$" '
        $1 ~ /^findings\.[0-9]+\.code$/ { code = $2 }
        $1 ~ /^findings\.[0-9]+\.severity$/ && code ~ c && $2 ~ s { hit = 1 }
        END { exit !hit }' "$work/flat"
}
# The output of "numel COMMAND FILE" must contain no control characters.
clean_text() {
    "$B/numel" "$1" --color=never "$2" </dev/null >"$work/text" 2>&1
    tr -d '\n\t' <"$work/text" | grep -q '[[:cntrl:]]' && return 1
    return 0
}

# ---- fixtures -----------------------------------------------------------------------------------

# Prints what is wrong with fixture $1, whose assembled bytes are $2; nothing if it is right.
judge() {
    name=${1##*/}; verdict=${name%%@*}
    show "$2"
    [ -s "$work/json" ] || { echo "no JSON at all"; return; }
    [ -s "$work/flat.err" ] && { echo "broken JSON: $(cat "$work/flat.err")"; return; }
    case $1 in
    */good/*) want=0 ;;
    */odd/*)  want=0; found "$verdict" warning || echo "no warning $verdict" ;;
    */bad/*/[A-Z]*) want=3; [ "$(value error.code)" = "$verdict" ] || echo "error.code is $(value error.code)" ;;
    *)        want=1; found "$verdict" error || echo "no error $verdict" ;;
    esac
    [ $rc -eq $want ] || echo "exit $rc, wanted $want"
    case $1 in */good/*|*/odd/*)
        found '.*' error && echo "an error is found"
        clean_text show "$2" || echo "a control character in its text"
        clean_text tensors "$2" || echo "a control character in its tensors"
        clean_text meta "$2" || echo "a control character in its metadata" ;;
    esac
    case $1 in */odd/*)
        "$B/numel" show -q --strict "$2" >/dev/null 2>&1; s=$?
        [ $s -eq 1 ] || echo "exit $s with --strict, wanted 1" ;;
    esac
}

for hex in fixtures/good/*/*.hex fixtures/odd/*/*.hex fixtures/bad/*/*.hex; do
    rm -rf "$work/one"; mkdir "$work/one"
    file=$work/one/model.bin
    "$B/tool/hex" "$hex" "$file" || { fail "$hex: does not assemble"; continue; }
    why=$(judge "$hex" "$file")
    if [ -z "$why" ]; then ok; else fail "$hex: $why"; fi
done

# Header-only copies of models: each opens, counts, and reports absent data.
for model in fixtures/*/*.head.zst; do
    [ -e "$model" ] || continue
    dir=${model%/*}
    [ "$dir" = "${last-}" ] && continue
    last=$dir
    [ "$dir" = fixtures/comfyui ] && continue # multi-part models, none of which counts as a single checkpoint: README.md
    show "$dir"
    if [ $rc -eq 0 ] && [ "$(value counts.stored)" -gt 0 ] && [ "$(value files.0.data)" = absent ]; then ok
    else fail "$dir: exit $rc, $(value counts.stored) elements, data $(value files.0.data)"
    fi
done

# ---- large ones ---------------------------------------------------------------------------------

# big KIND COUNT STATUS TENSORS STORED: must finish within ten seconds, also on slow machines.
big() {
    "$B/tool/big" "$1" "$2" "$work/one/big.bin" || { fail "big $1"; return; }
    begin=$(date +%s)
    show "$work/one/big.bin"
    took=$(($(date +%s) - begin))
    got="$rc $(value counts.tensors) $(value counts.stored)"
    if [ "$got" = "$3 $4 $5" ] && [ $took -lt 10 ]; then ok
    else fail "big $1 $2: status, tensors, stored are $got, wanted $3 $4 $5 (in $took s)"
    fi
    rm -f "$work/one/big.bin"
}
mkdir -p "$work/one"
big gguf-keys 60000 0 0 0
big gguf-tensors 50000 0 50000 1600000
big gguf-strings 500000 0 0 0
big safetensors 200000 0 200000 6400000
big safetensors-same 50000 3 '' ''

# ---- real files ---------------------------------------------------------------------------------

# Linked under another name in an empty folder: a shard would stand for its whole set.
alone() {
    rm -rf "$work/one"; mkdir "$work/one"
    cp "$1" "$work/one/model.bin" && show "$work/one/model.bin"
}
# The dtypes of the last JSON as "BF16 123" lines, sorted.
dtypes() {
    awk -F"$tab" '$1 ~ /^dtypes\..*\.elements$/ { split($1, k, "."); print k[2], $2 }' "$work/flat" | sort
}

# One row of TRUTH.tsv: counts by element type, architecture.
truth_row() {
    alone "$1"
    [ $rc -le 1 ] || { echo "exit $rc: $(cat "$work/err")"; return; }
    [ $rc -eq 0 ] || found '.*' error || echo "exit 1 without an error found"
    [ "$(value format)" = "$2" ] || echo "format is $(value format)"
    [ "$(value counts.tensors)" = "${3:-0}" ] || echo "$(value counts.tensors) tensors, wanted $3"
    [ "$(value counts.stored)" = "${4:-0}" ] || echo "$(value counts.stored) elements, wanted $4"
    printf '%s' "$5" | tr -d '{}" ' | tr ',:' '\n ' | sed '/^$/d' | sort >"$work/want"
    # the last line may lack its newline; awk gives every line one
    awk 1 "$work/want" >"$work/want2"; dtypes >"$work/got"
    cmp -s "$work/want2" "$work/got" || echo "by type: $(tr '\n' ';' <"$work/got")"
    [ -z "$6" ] || [ "$(value architecture.name)" = "$6" ] || echo "architecture is $(value architecture.name)"
}

truth() {
    # keep empty columns: read would merge tabs, so they become unit separators
    tail -n +2 "$1/TRUTH.tsv" | tr '\t' '\037' >"$work/truth"
    while IFS=$(printf '\037') read -r file _ format _ _ _ tensors elements types _ arch _; do
        case $format:$file in
        *:malformed/*) continue ;;
        safetensors:*|gguf:*) why=$(truth_row "$1/$file" "$format" "$tensors" "$elements" "$types" "$arch") ;;
        lfs-pointer:*|ggml-legacy:*) alone "$1/$file"; why=
            [ $rc -eq 3 ] && [ "$(value error.code)" = FORMAT ] || why="exit $rc, $(value error.code)" ;;
        *) continue ;;
        esac
        if [ -z "$why" ]; then ok; else fail "$file: $why"; fi
    done <"$work/truth"
}

malformed() {
    for file in "$1"/*; do
        show "$file"
        if [ $rc -ge 128 ]; then fail "$file: killed"
        elif [ -s "$work/flat.err" ]; then fail "$file: broken JSON"
        elif [ $rc -ne 0 ] || found '.*' 'error|warning'; then ok
        else fail "$file: nothing was said"
        fi
    done
}

# A folder of shards: the sum of its rows.
sharded() {
    want=$(awk -F"$tab" -v d="${1##*/}/" 'index($1, d) == 1 && $3 == "safetensors" { t += $7; e += $8 }
                                          END { print t, e }' "${1%/*}/TRUTH.tsv")
    show "$1"
    got="$(value counts.tensors) $(value counts.stored)"
    if [ "$got" = "$want" ] && [ $rc -eq "$2" ]; then ok
    else fail "$1: tensors and elements are $got, wanted $want; exit $rc, wanted $2"
    fi
}

# verified FILE STATUS CODE COUNT [CODE COUNT]...: number of findings with each code in verify.
verified() {
    "$B/numel" verify --json "$1" </dev/null >"$work/json" 2>"$work/err"
    rc=$?; file=$1; why=
    [ $rc -eq "$2" ] || why="exit $rc, wanted $2"
    : >"$work/flat"; "$B/tool/flat" "$work/json" >"$work/flat" 2>"$work/flat.err"
    [ -s "$work/flat.err" ] && why="$why broken JSON"
    shift 2
    while [ $# -gt 1 ]; do
        got=$(awk -F"$tab" -v c="$1" '$1 ~ /^findings\.[0-9]+\.code$/ && $2 == c { n++ } END { print n + 0 }' "$work/flat")
        [ "$got" = "$2" ] || why="$why $got $1, wanted $2"
        shift 2
    done
    if [ -z "$why" ]; then ok; else fail "verify $file: $why"; fi
}

# verify on real shard sets, from the files in their folders.
verify_sets() {
    partial=$1/sharded_Llama-3.2-3B_partial
    present=$(ls "$partial"/*.safetensors | wc -l)
    # 254 shards with one tensor each, by its index; absent ones are missing, present ones are complete
    verified "$partial" 1 shard-missing $((254 - present)) data-missing 0 tensor-missing 0 model-tensor-missing 0
    verified "$1/sharded_FluxML" 0 shard-missing 0 tensor-missing 0 total-size 0
    verified "$1"/malformed/*two_json_documents*.index.json 1 index-trailing 1 shard-missing 72
    for pointer in "$1"/lfs-pointers/*; do
        rm -rf "$work/one"; mkdir "$work/one"; cp "$pointer" "$work/one/model.bin"
        promised=$(sed -n 's/^size //p' "$pointer")
        verified "$work/one/model.bin" 1 lfs-pointer 1
        grep -q "\"declared_bytes\":$promised," "$work/json" || fail "verify $pointer: not $promised bytes"
    done
}

if [ -d "$shared/corpus/binaries" ]; then
    verify_sets "$shared/corpus/binaries"
    truth "$shared/corpus/binaries"
    malformed "$shared/corpus/binaries/malformed"
    sharded "$shared/corpus/binaries/sharded_FluxML" 0
    sharded "$shared/corpus/binaries/sharded_Llama-3.2-3B_partial" 1
else
    echo "skipped: $shared/corpus/binaries is not here"
fi

if [ -d "$shared/oracle/gguf" ]; then
    for file in "$shared"/oracle/gguf/*.gguf "$shared"/oracle/gguf-full/*.gguf; do
        [ -e "$file" ] || continue
        show "$file"
        if [ $rc -eq 0 ] && [ "$(value counts.tensors)" -gt 0 ]; then ok
        else fail "$file: exit $rc, $(value counts.tensors) tensors: $(cat "$work/err")"
        fi
    done
else
    echo "skipped: $shared/oracle/gguf is not here"
fi

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

#!/bin/sh
# count.sh -- instruction counts of whole commands on large headers, by callgrind, compared with
# test/bench/counts.txt.
#
#     make bench-count        B=build/release sh test/bench/count.sh [run|all]        UPDATE=1
#
# Times on a shared machine vary by a quarter; counts repeat to within a fifth of a percent. A row 3 % above its
# figure fails; one 3 % below it requests a lower figure. UPDATE=1 rewrites the figures. `run` measures the rows
# that are fast enough for .ci/run, `all` the others too. A row is the command line after `numel`; its target is
# the goal, and does not cause a failure.
#
# Everything that affects a count is fixed: the tool and its inputs are in a folder under /tmp whose path has a
# constant length, and the environment is empty. The C library selects instructions by the processor that valgrind
# emulates, which has at most AVX2, and only if the machine has it. Another compiler, C library, valgrind or
# processor gives other counts: the figures name theirs, and with others they are printed but not judged.
set -u
B=${B:-build/release}
which=${1:-run}
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
cd "$root" || exit 2
LC_ALL=C; export LC_ALL
figures=test/bench/counts.txt
valgrind=$(command -v valgrind) || { echo "bench-count: skipped, valgrind is not here"; exit 0; }
dir=$(mktemp -d /tmp/numel-count.XXXXXX) || exit 2
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
cp "$B/numel" "$dir/numel" || exit 2

# ---- inputs -------------------------------------------------------------------------------------

# make_one NAME DESCRIPTION [mkhead options]
make_one() {
    name=$1 text=$2
    shift 2
    "$B/tool/mkhead" -q --sparse "$@" "$text" "$dir/$name" > "$dir/made" || exit 2
}

make_one ds1 test/gen/deepseek-v3.txt -e 'shard 1'
make_one ds163 test/gen/deepseek-v3.txt
make_one many test/bench/many.txt
make_one voc test/bench/vocabulary.txt
# Tensors of an unknown architecture.
for n in zz:0..999 one:0; do
    text=$dir/${n%%:*}.txt
    printf 'file model.safetensors\ntensor zz.{%s}.q.weight BF16 64 64\n' "${n#*:}" > "$text"
    make_one "${n%%:*}" "$text"
done
for pair in 7b:llama-2-7b v3:deepseek-v3; do
    cp -R "fixtures/${pair#*:}" "$dir/${pair%%:*}" || exit 2
done

# ---- counting -----------------------------------------------------------------------------------

# Number of instructions of `numel` with these arguments.
count() {
    (cd "$dir" && env -i LC_ALL=C "$valgrind" --tool=callgrind --callgrind-out-file=/dev/null ./numel "$@" \
        < /dev/null 2>&1 > /dev/null) | awk '/Collected :/ { n = $NF } END { printf "%.2f", n / 1e6 }'
}

avx2=$(grep -qw avx2 /proc/cpuinfo 2> /dev/null && echo avx2)
with=$(echo "$(uname -m) $avx2, gcc $(gcc -dumpfullversion 2> /dev/null), libc $(ldd --version 2> /dev/null | awk '{ print $NF; exit }')," \
    "$("$valgrind" --version)")
theirs=$(sed -n 's/^with //p' "$figures")
judged=1
[ "$with" = "$theirs" ] || judged=0
[ $judged = 1 ] || echo "figures are of $theirs; here: $with: shown, not judged"

printf '%10s %10s %10s  %s\n' counted figure target 'M instructions of numel ...'
failed=0 rows=0
: > "$dir/new.txt"
while read -r figure target where row; do
    case $figure in
    '#' | with) echo "$figure $target $where $row" >> "$dir/new.txt"; continue ;;
    esac
    counted=$figure why=
    if [ "$which" = all ] || [ "$where" = run ]; then
        counted=$(count $row)
        why=$(awk -v n="$counted" -v f="$figure" -v judged=$judged 'BEGIN {
            if (n == 0) print "NOT COUNTED"
            else if (judged && n > f * 1.03) print "ABOVE ITS FIGURE"
            else if (judged && n < f * .97) print "lower the figure"
        }')
        rows=$((rows + 1))
        case $why in [A-Z]*) failed=$((failed + 1)) ;; esac
        printf '%10s %10s %10s  %-20s %s\n' "$counted" "$figure" "$target" "$row" "$why"
    fi
    printf '%10s %8s  %-5s %s\n' "$counted" "$target" "$where" "$row" >> "$dir/new.txt"
done < "$figures"

if [ -n "${UPDATE:-}" ]; then
    sed "s/^with .*/with $with/" "$dir/new.txt" > "$figures"
    echo "bench-count: $rows figures written"
    exit 0
fi
echo "bench-count: $rows rows, $failed failed"
[ $failed = 0 ]

#!/bin/sh
# run.sh -- run.sh TARGET SECONDS: runs a fuzz target with libFuzzer, from its seeds and the corpus of earlier runs
# in $B/corpus. Ends with a line of figures. A find ends the run: its input is then in $B/finds, and the last lines
# describe it.
set -u
B=${B:-build/fuzz}
export B
target=$1 seconds=$2
corpus=$B/corpus/$target seeds=$B/seeds/$target log=$B/run/$target.txt

mkdir -p "$corpus" "$B/finds" "$B/run" || exit 2
rm -rf "$seeds"
sh test/robust/fuzz/seeds.sh "$target" "$seeds" || exit 2
options=$(sh test/robust/fuzz/seeds.sh -o "$target") || exit 2
dict=test/robust/fuzz/${target#whole_}.dict
[ ! -f "$dict" ] || options="-dict=$dict $options"

# shellcheck disable=SC2086 # options are words
UBSAN_OPTIONS=print_stacktrace=1 "$B/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=2048 -print_final_stats=1 \
    $options -artifact_prefix="$B/finds/$target-" "$corpus" "$seeds" >"$log" 2>&1
rc=$?
times >"$log.times"
cpu=$(awk 'END { gsub("[ms]", " "); print int($1 * 60 + $2 + $3 * 60 + $4) }' "$log.times")
awk -v t="$target" -v cpu="$cpu" '
    { for (i = 1; i < NF; i++) if ($i == "cov:" && $(i + 1) + 0 > cov) cov = $(i + 1) + 0 }
    /^stat::number_of_executed_units/ { runs = $2 }
    END { printf "%s: %d executions in %d s of CPU, %d a second, coverage %d\n", t, runs, cpu, runs / (cpu ? cpu : 1), cov }' "$log"
[ $rc = 0 ] && exit
grep -v '^#[0-9]\|^stat::\|^INFO' "$log" | cut -c1-160 | head -40
echo "run.sh: $target found something: $B/finds"
exit 1

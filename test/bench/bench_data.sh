#!/bin/sh
# bench_data.sh -- speed and memory of commands that read all data: hash and verify --values. Prints; asserts
# nothing about time.
#
#     make bench-data        B=build/release MIB=1024 RUNS=5 sh test/bench/bench_data.sh
#
# Two files of MIB are made in build/bench and read once before, so that they are in the system's cache: what is
# measured is the program, not the disk. Each line is a whole process. The last lines compare the best runs: hash
# against `openssl dgst -sha256` of the same file, two files against one, the scan of values in one thread against
# a memcpy of the page cache (readbench.c). On a busy machine the wall clock means little; then use the column cpu.
set -eu
B=${B:-build/release}
dir=build/bench
mib=${MIB:-1024}
runs=${RUNS:-5}
bytes=$((mib * 1048576))
mkdir -p "$dir"
for i in 1 2; do
    test -f "$dir/data-$mib-$i.safetensors" ||
        "$B/tool/readbench" make "$dir/data-$mib-$i.safetensors" "$mib"
done
one=$dir/data-$mib-1.safetensors two=$dir/data-$mib-2.safetensors
cat "$one" "$two" > /dev/null
lines=$dir/data.lines
: > "$lines"

measure() { # BYTES LABEL COMMAND...
    n=$1 label=$2
    shift 2
    "$B/tool/timeit" -n "$runs" -b "$n" "$label" "$@" | tee -a "$lines"
}

echo "machine: $(uname -sm), $(getconf _NPROCESSORS_ONLN) processors, load $(cut -d' ' -f1 /proc/loadavg 2>/dev/null)"
echo "data: $mib MiB a file, in the system's cache; median MB/s"
printf '%-34s %9s %9s %9s %9s %8s %8s\n' '' 'best ms' 'median' 'worst' 'cpu' 'MB/s' 'RSS MiB'
measure "$bytes" 'openssl dgst -sha256' openssl dgst -sha256 "$one"
measure "$bytes" 'hash --files-only, one file' "$B/numel" hash --files-only "$one"
measure "$((2 * bytes))" 'hash --files-only, two files' "$B/numel" hash --files-only "$one" "$two"
measure "$bytes" 'hash, files and tensors' "$B/numel" hash "$one"
"$B/tool/readbench" -n "$runs" "$one" | tee -a "$lines"
measure "$bytes" 'verify --values --jobs 1' "$B/numel" verify -l size --values --jobs 1 "$one"
measure "$bytes" 'verify --values' "$B/numel" verify -l size --values "$one"
awk '{ best[NR] = $(NF - 5); cpu[NR] = $(NF - 2) }
     END {
         printf "\nhash, one file, against openssl     %5.2f   (cpu %5.2f)\n", best[1] / best[2], cpu[1] / cpu[2]
         printf "two files in the time of            %5.2f   files\n", 2 * best[2] / best[3]
         printf "values, one thread, against memcpy  %5.2f   (cpu %5.2f)\n", best[5] / best[6], cpu[5] / cpu[6]
     }' "$lines"

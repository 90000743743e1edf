#!/bin/sh
# suites.sh JOBS LOGS SUITE... -- runs suites, JOBS at a time, and reports each as it ends.
#
# A suite is a target of make; its output goes to LOGS/SUITE. Suites start in the given order: the longest first, so that no core is
# idle at the end. With EACH=N every suite has N jobs itself, else one. MAKE is the make to run them with.
set -u
jobs=$1 logs=$2
shift 2
mkdir -p "$logs" && rm -f "$logs"/* || exit 2
export logs MAKE total=$# EACH="${EACH:-1}"

# shellcheck disable=SC2016 # for the inner shell
printf '%s\n' "$@" | xargs -P "$jobs" -I{} sh -c '
    start=$(date +%s)
    if ${MAKE:-make} --no-print-directory JOBS="$EACH" "$1" >"$logs/$1" 2>&1; then result=ok; else result=FAILED; fi
    echo "$1" >>"$logs/$result."
    [ $result = ok ] || { echo "---- $1"; tail -n 40 "$logs/$1"; echo "----"; }
    printf "[%2d/%d] %-12s %s, %d s\n" "$(cat "$logs"/*. | wc -l)" "$total" "$1" $result $(($(date +%s) - start))
' suite {}
[ ! -e "$logs/FAILED." ] || { echo "failed: $(tr '\n' ' ' <"$logs/FAILED.")"; exit 1; }

#!/bin/sh
# checked.sh -- runs commands that read a checkpoint and its data, in several threads where supported, with a build
# with a sanitizer or under $RUN (valgrind): only the checker's complaints count.
#
# B is the build. A status of 9, of 66 (ThreadSanitizer) or from a signal is a complaint; numel's own verdict on
# the checkpoints is ignored.
set -u
cd "$(dirname "$0")/../.." || exit 2
B=${B:-build/release}
work=$(mktemp -d "${TMPDIR:-/tmp}/checked.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
run() {
    # shellcheck disable=SC2086
    ${RUN:-} "$B/numel" "$@" > "$work/out" 2> "$work/err"
    case $? in
    [0-5]) ;;
    *) echo "checked: numel $*: $?"; tail -40 "$work/err"; failed=1 ;;
    esac
}

# Files of some megabytes with data, in four shards, all zeros.
python3 - "$work" <<'END' || exit 2
import json, pathlib, struct, sys
for number in range(4):
    entries = {f"w.{number}.{i}": {"dtype": "F16", "shape": [512, 512], "data_offsets": [i << 19, (i + 1) << 19]}
               for i in range(8)}
    header = json.dumps(entries).encode()
    pathlib.Path(sys.argv[1], f"model-0000{number + 1}-of-00004.safetensors").write_bytes(
        struct.pack("<Q", len(header)) + header + bytes(8 << 19))
END
run hash --jobs 4 "$work"
run hash --jobs 4 --resume="$work/resume" "$work"
run verify --values --jobs 4 "$work"
run verify --level hash --jobs 4 "$work"
for command in show reconcile tensors meta verify print 'explain 69824' 'show --json --others' 'diff fixtures/gptq-tiny'; do
    # shellcheck disable=SC2086
    run $command fixtures/gptq-tiny
done
[ "$failed" = 0 ] && echo "checked: ok"
exit $failed

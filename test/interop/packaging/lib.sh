# lib.sh -- shared by the other scripts here: a temporary folder, and named checks.
#
# A script sources this from the root of the source, calls check, and ends with finish.
B=${B:-build/release}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
bad=0
suite=$(basename "$0" .sh)

skip() { echo "$suite: skipped, $*"; exit 0; }
need() { for tool; do command -v "$tool" >/dev/null || skip "$tool is not installed"; done; }
fail() { echo "$suite: FAIL $*"; bad=1; }
# check WHAT COMMAND ARG...
check() {
    what=$1
    shift
    "$@" >"$work/said" 2>&1 || { fail "$what"; tail -n 20 "$work/said"; }
}
# same WHAT FILE FILE
same() { diff "$2" "$3" >"$work/said" || { fail "$1"; head -n 20 "$work/said"; }; }
# The distribution of this machine: distro ID, distro VERSION_CODENAME.
distro() { (. /etc/os-release && eval "echo \${$1:-}"); }
# The files from which its apt has packages of its release.
own_sources() {
    for f in /etc/apt/sources.list "/etc/apt/sources.list.d/$(distro ID).sources"; do
        if grep -qs "$(distro VERSION_CODENAME)" "$f"; then echo "$f"; fi
    done
}
finish() {
    [ $bad = 0 ] && echo "$suite: ok"
    exit $bad
}

#!/bin/sh
# fresh.sh [COMMAND...] -- do the README's commands work on a bare Debian?
#
#     make fresh
#
# mmdebstrap makes a minimal root, of the release and from the mirror of this machine's own apt; this repository is
# cloned into its /root, as a root user would do. The commands from the sh blocks of README.md that begin with
# apt-get (or the given ones) run there. Needs root, for chroot. The minimal root is removed afterwards.
set -eu
cd "$(dirname "$0")/../.."
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
sources=
for f in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources; do
    if grep -qs "$suite" "$f"; then sources="$sources $f"; fi
done
[ "$(. /etc/os-release && echo "$ID")" = debian ] && [ -n "$sources" ] || { echo "fresh: skipped, this is no Debian with a mirror"; exit 0; }
command -v mmdebstrap >/dev/null || { echo "fresh: mmdebstrap is not here" >&2; exit 1; }
[ "$(id -u)" = 0 ] || { echo "fresh: needs root" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
if [ $# -gt 0 ]; then printf '%s\n' "$@"
else sed -n '/^```sh$/,/^```$/{/^apt-get /p;}' README.md
fi >"$work/commands"
[ -s "$work/commands" ] || { echo "fresh: README.md has no commands" >&2; exit 1; }

# Runs after mmdebstrap has mounted /proc, /sys and /dev.
cat >"$work/hook" <<'END'
set -eu
git clone -q --no-hardlinks "$REPOSITORY" "$1/root/numel"
while read -r command; do
    echo "\$ $command"
    before=$(date +%s)
    chroot "$1" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        sh -c "cd /root/numel && $command" </dev/null
    echo "fresh: ok, $(($(date +%s) - before)) s"
done <"$COMMANDS"
END
# shellcheck disable=SC2086 # a list of files
REPOSITORY=$PWD COMMANDS=$work/commands mmdebstrap --quiet --variant=minbase --format=null \
    --customize-hook="sh $work/hook \"\$1\"" "$suite" - $sources
echo "fresh: ok"

#!/bin/sh
# run.sh [WORD...] -- builds, installs, runs and removes the packages of docs/packaging.
#
#     make packaging        B=build/release sh test/interop/packaging/run.sh hook
#
# Words (default: all):
#   install   make install into a folder: size, the command, a program that uses the library, uninstall
# static    make static; the file alone in an empty root prints what build/release/numel prints
# deb       make deb, lintian; installed in a minimal Debian, run, removed, nothing left
#   image     the Dockerfile's steps without docker, in a minimal Debian
# hook      the hook as git runs it, and pre-commit if it is installed
#   action    the steps of action.yml, as a runner runs them
#   recipes   Dockerfile, formula, PKGBUILD and conda recipe: linted or parsed
#   built     formula, PKGBUILD and conda recipe carried out, with this machine's libraries
#   manuals   numel.1, numel-fetch.1 and numel.5 under mandoc -Tlint and groff -ww
# A test whose program is missing prints "skipped". The last line is ok, or what failed.
set -u
cd "$(dirname "$0")/../../.." || exit 2
export B="${B:-build/release}"
[ $# -gt 0 ] || set -- install static deb image hook action recipes built manuals
failed=

# hadolint and rattler-build, from Python's index.
linters() {
    cmp -s test/interop/packaging/requirements.txt build/linters/requirements.txt && return
    { rm -rf build/linters && python3 -m venv build/linters && build/linters/bin/pip install -q -r test/interop/packaging/requirements.txt &&
        cp test/interop/packaging/requirements.txt build/linters; } >/dev/null 2>&1 || rm -rf build/linters
}
for word; do
    begin=$(date +%s)
    case $word in
    install | static | deb | image | hook | built) sh "test/interop/packaging/$word.sh" ;;
    action | recipes)
        [ $word = action ] || linters
        PYTHONDONTWRITEBYTECODE=1 python3 "test/interop/packaging/$word.py"
        ;;
    manuals) sh test/interop/packaging/manuals.sh docs/numel.1 docs/numel-fetch.1 docs/numel.5 ;;
    *) echo "packaging: what is $word?"; exit 2 ;;
    esac || failed="$failed $word"
    echo "packaging: $word: $(($(date +%s) - begin)) s"
done
[ -z "$failed" ] && echo "packaging: ok" && exit 0
echo "packaging: failed:$failed"
exit 1

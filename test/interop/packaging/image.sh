#!/bin/sh
# image.sh -- the Dockerfile's steps without docker: the first stage in a minimal root made by mmdebstrap, of the second only the file.
#
# COPY, WORKDIR and RUN are executed as written; FROM must name the release of this machine's Debian.
set -u
. test/interop/packaging/lib.sh
file=docs/packaging/docker/Dockerfile
need mmdebstrap
[ "$(distro ID)" = debian ] || skip "this is not Debian"
[ "$(id -u)" = 0 ] || skip "it needs root"
code=$(distro VERSION_CODENAME)
grep -q "^FROM debian:$code-slim AS build$" $file || skip "the Dockerfile is for another release than $code"

# One instruction of the first stage per line.
sed -n '/^#/d; /^FROM scratch/q; /./p' $file | sed -e ':a' -e '/\\$/N; s/\\\n//; ta' >"$work/steps"
cat >"$work/hook" <<'END'
set -eu
root=$1 at=/
while read -r word rest; do
    case $word in
    FROM) ;;
    WORKDIR) at=$rest; mkdir -p "$root$at" ;;
    COPY) to=${rest##* }; from=${rest% *}; mkdir -p "$root$at/$(dirname "$to")"; cp -r "$from" "$root$at/$to" ;;
    RUN) chroot "$root" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
        sh -c "cd $at && $rest" </dev/null ;;
    *) echo "image: what is $word?"; exit 1 ;;
    esac
done <"$WORK/steps"
cp "$root/src/build/static/numel" "$WORK/numel"
END
# shellcheck disable=SC2046 # a list of files
WORK=$work mmdebstrap --quiet --variant=minbase --format=null --customize-hook="sh $work/hook \"\$1\"" "$code" - $(own_sources) >"$work/log" 2>&1 ||
    { fail "the first stage"; tail -n 30 "$work/log"; finish; }

mkdir -p "$work/second/models"
cp "$work/numel" "$work/second/numel"
cp -r fixtures/gptq-tiny "$work/second/models"
"$B/numel" fixtures/gptq-tiny | sed 's:^fixtures/::' >"$work/want"
chroot --userspec=65534:65534 "$work/second" /numel models/gptq-tiny | sed 's:^models/::' >"$work/is"
same "the second stage" "$work/want" "$work/is"
finish

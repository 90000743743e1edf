#!/bin/sh
# deb.sh -- Debian packages of this tree: libnumel0, libnumel-dev and numel, in build/deb.
#
#     make deb
#
# They are built in a copy, so that this tree keeps no debian/; the version is numel.h's, the date that of the last commit (or
# SOURCE_DATE_EPOCH), so that the same source makes the same packages.
set -eu
cd "$(dirname "$0")/../.."
version=${1:?which version}
dir=build/deb/numel-$version
for tool in dpkg-buildpackage dh; do
    command -v $tool >/dev/null || { echo "deb: $tool is not installed: make deps-pack" >&2; exit 1; }
done
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
unset MAKEFLAGS MFLAGS MAKELEVEL

rm -rf build/deb
mkdir -p "$dir"
cp -r Makefile README.md docs fixtures include src test "$dir"
cp -r docs/packaging/debian "$dir/debian"
cat >"$dir/debian/changelog" <<END
numel ($version) unstable; urgency=medium

  * Version $version; docs/CHANGELOG.md says what changed.

 -- numel authors <numel@example.org>  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
END
log=build/deb/log
(cd "$dir" && dpkg-buildpackage -b -us -uc) >"$log" 2>&1 || { tail -30 "$log" >&2; echo "deb: failed, see $log" >&2; exit 1; }
rm -r "$dir"
ls -1 build/deb/*.deb

#!/bin/sh
# deb.sh -- make deb; lintian reports nothing; in a minimal Debian the packages install, work and are removed completely.
#
# mmdebstrap makes the root from the release and mirrors of this machine's own apt. DEB=old tests the packages in build/deb.
set -u
. test/interop/packaging/lib.sh
[ "$(distro ID)" = debian ] || skip "this is not Debian"
need dpkg-buildpackage dh
[ "${DEB:-}" = old ] || check "make deb" make deb
set -- build/deb/*.deb
if [ $# -lt 3 ]; then fail "no packages"; finish; fi
for p in build/deb/*.deb; do case $p in *-dbgsym_*) ;; *) echo "deb: $(basename "$p"): $(dpkg-deb -f "$p" Installed-Size) KiB installed, $(du -k "$p" | cut -f 1) KiB" ;; esac; done

if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error,warning --info build/deb/*.changes >"$work/lintian" 2>&1 || fail "lintian"
    [ ! -s "$work/lintian" ] || { fail "lintian has something to say"; cat "$work/lintian"; }
else echo "deb: lintian skipped, it is not installed"; fi

command -v mmdebstrap >/dev/null || { echo "deb: clean root skipped, mmdebstrap is not installed"; finish; }
[ "$(id -u)" = 0 ] || { echo "deb: clean root skipped, it needs root"; finish; }
mkdir "$work/debs"
for p in build/deb/*.deb; do case $p in *-dbgsym_*) ;; *) cp "$p" "$work/debs" ;; esac; done

# Runs after mmdebstrap has mounted /proc, /sys and /dev.
cat >"$work/hook" <<'END'
set -eu
root=$1
in_root() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }
# Ignores the records of apt and dpkg; ldconfig rewrites its cache.
files() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./tmp -o -path ./var/lib/apt -o -path ./var/lib/dpkg \
    -o -path ./var/cache -o -path ./var/log -o -path ./srv \) -prune -o -print | sort); }
in_root apt-get -qq update
files >"$WORK/before"
mkdir -p "$root/srv/fixtures" "$root/srv/debs"
cp -r fixtures/llama-2-7b fixtures/gptq-tiny "$root/srv/fixtures"
cp "$WORK"/debs/*.deb "$root/srv/debs"
in_root sh -c 'apt-get -qq -o APT::Sandbox::User=root install -y --no-install-recommends /srv/debs/*.deb gcc libc6-dev pkgconf' >"$WORK/apt" 2>&1 || { cat "$WORK/apt"; exit 1; }
for model in llama-2-7b gptq-tiny; do
    "$NUMEL" "fixtures/$model" >"$WORK/want"
    in_root sh -c "cd /srv && numel fixtures/$model" >"$WORK/is"
    cmp "$WORK/want" "$WORK/is"
done
in_root sh -c 'cd /srv && numel hash fixtures/gptq-tiny >/dev/null && numel verify -q fixtures/gptq-tiny && ldd /usr/bin/numel | grep -q "libnumel.so.* => /"'
# Files that are not models are refused.
in_root sh -c 'cd /srv && echo "{" >broken.safetensors && ! numel verify -q broken.safetensors 2>/dev/null'
in_root sh -c 'cd /srv && printf "#include <numel.h>\n#include <stdio.h>\nint main(void) { return puts(numel_version()) < 0; }\n" >v.c &&
    cc v.c $(pkg-config --cflags --libs numel) -o v && ./v && cc v.c -static-libgcc /usr/lib/*/libnumel.a $(pkg-config --static --libs libcjson libzstd libcrypto) -pthread -o v && ./v'
in_root sh -c 'dpkg --verify numel libnumel0 libnumel-dev' >"$WORK/verify"
grep -v '/usr/share/\(doc\|man\)/' "$WORK/verify" && exit 1
in_root sh -c 'apt-get -qq purge -y numel libnumel0 libnumel-dev gcc libc6-dev pkgconf && apt-get -qq autoremove --purge -y' >"$WORK/apt" 2>&1 || { cat "$WORK/apt"; exit 1; }
rm -r "$root/srv/fixtures" "$root/srv/debs"
files >"$WORK/after"
grep numel "$WORK/after" && exit 1
diff "$WORK/before" "$WORK/after"
echo installed, run, removed
END
# shellcheck disable=SC2046 # a list of files
WORK=$work NUMEL=$B/numel mmdebstrap --quiet --variant=minbase --format=null --customize-hook="sh $work/hook \"\$1\"" \
    "$(distro VERSION_CODENAME)" - $(own_sources) >"$work/root" 2>&1 || { fail "in a clean root"; tail -n 40 "$work/root"; }
grep -q '^installed, run, removed$' "$work/root" || fail "the clean root did not get to its end"
finish

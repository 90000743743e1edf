#!/bin/sh
# built.sh -- the recipes carried out: the formula's install and test, the PKGBUILD by Debian's makepkg, the script and the tests of the
# conda recipe. The libraries are this machine's; the source is an archive of the last commit, as the recipes fetch one.
set -u
. test/interop/packaging/lib.sh
recipes=$PWD/docs/packaging
version=$(sed -n 's/^pkgver=//p' "$recipes/arch/PKGBUILD")

if command -v ruby >/dev/null; then
    check "the formula" ruby test/interop/packaging/formula.rb "$recipes/homebrew/numel.rb" "$work/brew"
    sed 's/agrees with llama/agrees with gpt2/' "$recipes/homebrew/numel.rb" >"$work/numel.rb"
    ruby test/interop/packaging/formula.rb "$work/numel.rb" "$work/brew" >/dev/null 2>&1 && fail "a formula whose test fails is accepted"
else echo "built: formula skipped, ruby is not installed"; fi

command -v makepkg >/dev/null || { echo "built: PKGBUILD and conda recipe skipped, makepkg is not installed"; finish; }
git archive --prefix="numel-$version/" -o "$work/numel-$version.tar.gz" HEAD 2>"$work/said" || { echo "built: PKGBUILD and conda recipe skipped, this is no clone"; finish; }
# makepkg does not run as root, and wants a pacman, which with --nodeps has nothing to do.
mkdir "$work/arch"
mv "$work/numel-$version.tar.gz" "$work/arch"
cp "$recipes/arch/PKGBUILD" "$work/arch"
own() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi; }
chmod 755 "$work"
[ "$(id -u)" != 0 ] || chown -R 65534:65534 "$work/arch"
pack() (cd "$work/arch" && own env -i PATH="$PATH" HOME="$work/arch" MAKEFLAGS="-j$(nproc)" PACMAN=true makepkg --nodeps --noconfirm)
check "the PKGBUILD" pack
mkdir "$work/root"
tar -xf "$work/arch/numel-$version-1-$(uname -m)".pkg.tar.* -C "$work/root" || { fail "no package of the PKGBUILD"; finish; }
run() { LD_LIBRARY_PATH=$work/root/usr/lib "$work/root/usr/bin/numel" "$@"; }
[ "$(run -q fixtures/gptq-tiny)" = "$("$B/numel" -q fixtures/gptq-tiny)" ] || fail "the PKGBUILD's numel"
[ -s "$work/root/usr/share/licenses/numel/LICENSE" ] && [ -s "$work/root/usr/lib/libnumel.a" ] || fail "the PKGBUILD's package lacks files"

# The same source, built with the same options: what makepkg has compiled is not compiled again, only linked, with another RPATH.
if python3 -c 'import yaml' 2>/dev/null; then
    python3 -c 'import sys, yaml
recipe = yaml.safe_load(open(sys.argv[1]))
print("\n".join(["set -eu", *recipe["build"]["script"], *(line for test in recipe["tests"] for line in test["script"])]))' "$recipes/conda/recipe.yaml" >"$work/script"
    steps() (cd "$work/arch/src/numel-$version" && PREFIX="$work/conda" BUILD_PREFIX=/usr CC=gcc CC_FOR_BUILD=gcc STRIP=strip PATH="$work/conda/bin:$PATH" sh "$work/script")
    rm "$work/arch/src/numel-$version/build/release/shared/numel"
    check "the conda recipe" steps
    [ -x "$work/conda/bin/numel" ] || fail "the conda recipe installs no command"
else echo "built: conda recipe skipped, PyYAML is not installed"; fi
finish

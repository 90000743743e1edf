#!/bin/sh
# static.sh -- the static file, in a root with only the file and models, prints what the usual build prints; so it does in minimal
# roots of Debian and Ubuntu.
#
# mmdebstrap makes those: one of this machine's own release, from its own mirror, and one of Ubuntu if NUMEL_UBUNTU has a line for apt,
# "deb [signed-by=KEYRING] MIRROR RELEASE main".
set -u
. test/interop/packaging/lib.sh
[ "$(uname -s)" = Linux ] || skip "this is not Linux"
[ "$(id -u)" = 0 ] || skip "chroot needs root"
check "make static" make static
one=build/static/numel
[ -x "$one" ] || finish

readelf -l "$one" | grep -q INTERP && fail "it asks for a loader"
readelf -d "$one" 2>/dev/null | grep -q NEEDED && fail "it needs a library"
grep -q 'libcrypto\.so' "$one" && fail "it has the name of a libcrypto to load"

mkdir -p "$work/root/fixtures"
mkdir "$work/root/bin"
cp "$one" "$work/root/bin/numel"
for model in llama-2-7b gptq-tiny llama-3.1-8b deepseek-v3; do cp -r "fixtures/$model" "$work/root/fixtures"; done
"$B/tool/mkhead" -q --data test/robust/faults/llama.txt "$work/root/model" >/dev/null || fail "mkhead"
printf '{' >"$work/root/broken.safetensors"
numel=$(realpath "$B/numel")
# told COMMAND...: the output and status, which must be the same for both, and the digests that libcrypto made.
told() {
    (cd "$work/root" && "$numel" "$@"; echo "[$?]") 2>&1 | sed "s:$work/root::g" >"$work/want"
    (chroot "$root" /bin/numel "$@"; echo "[$?]") >"$work/is" 2>&1
    same "numel $* in ${root##*/}" "$work/want" "$work/is"
}
# lacks WORD...: what one file cannot do is refused in a sentence.
lacks() {
    chroot "$root" /bin/numel "$@" >"$work/is" 2>"$work/said"
    status=$?
    { [ $status = 2 ] || [ $status = 3 ]; } && [ ! -s "$work/is" ] && [ "$(wc -l <"$work/said")" = 1 ] ||
        { fail "numel $* in ${root##*/}: status $status"; cat "$work/is" "$work/said"; }
}
all_told() {
    root=$1
    told --version
    told fixtures/llama-2-7b
    told -q fixtures/deepseek-v3
    told reconcile fixtures/gptq-tiny
    told memory fixtures/llama-3.1-8b
    told verify model --json
    told hash model
    told hash -q model
    told verify --level hash --values model
    told verify broken.safetensors
    told verify nothing
    told --html - fixtures/gptq-tiny
    lacks https://example.org/model.safetensors
    lacks hf://example/model
    lacks browse model
}
all_told "$work/root"

# Compared with other programs too, not only with our own build.
for f in "$work"/root/model/*.safetensors; do
    sum=$(sha256sum <"$f" | cut -d ' ' -f 1)
    chroot "$work/root" /bin/numel hash model 2>&1 | grep -q "^$sum" || fail "the SHA-256 of $(basename "$f")"
done
# Git's name of a small file, as huggingface_hub records it: the right one is accepted, another is reported.
record=$work/root/model/.cache/huggingface/download
mkdir -p "$record"
cp fixtures/llama-2-7b/config.json "$work/root/model"
name=$({ printf 'blob %d\0' "$(wc -c <"$work/root/model/config.json")"; cat "$work/root/model/config.json"; } | sha1sum | cut -d ' ' -f 1)
for etag in "$name" 0000000000000000000000000000000000000001; do
    printf '%s\n%s\n%s\n' 1111111111111111111111111111111111111111 "$etag" 1700000000.0 >"$record/config.json.metadata"
    told verify --level hash --json model
    chroot "$work/root" /bin/numel verify --level hash --json model >"$work/$etag" 2>&1
done
grep -q hash-mismatch "$work/$name" && fail "git's name of config.json is refused"
grep -q hash-mismatch "$work/0000000000000000000000000000000000000001" || fail "a wrong name of git's is accepted"
# in_distro NAME RELEASE SOURCE...: in a root that mmdebstrap makes; a source is a file or a line.
in_distro() {
    name=$1 release=$2
    shift 2
    command -v mmdebstrap >/dev/null || { echo "static: a root of $name skipped, mmdebstrap is not installed"; return; }
    mmdebstrap --quiet --variant=minbase --format=directory "$release" "$work/$name" "$@" >"$work/said" 2>&1 || { fail "a root of $name"; cat "$work/said"; return; }
    grep -q "^ID=$name$" "$work/$name/etc/os-release" || fail "the root of $name is another's"
    cp "$one" "$work/$name/bin/numel"
    (cd "$work/root" && cp -r fixtures model broken.safetensors "$work/$name/")
    all_told "$work/$name"
    echo "static: ran in $(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' "$work/$name/etc/os-release")"
}
# shellcheck disable=SC2046 # a list of files
case $(distro ID) in debian | ubuntu) in_distro "$(distro ID)" "$(distro VERSION_CODENAME)" $(own_sources) ;; esac
if [ -n "${NUMEL_UBUNTU:-}" ]; then in_distro ubuntu "$(echo "$NUMEL_UBUNTU" | sed 's/\[.*\]//' | awk '{ print $3 }')" "$NUMEL_UBUNTU"
elif [ "$(distro ID)" != ubuntu ]; then echo "static: a root of Ubuntu skipped, NUMEL_UBUNTU names no mirror"; fi
echo "static: $(($(stat -c %s "$one") / 1000000)) MB"
finish

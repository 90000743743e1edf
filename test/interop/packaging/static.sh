#!/bin/sh
# static.sh -- the static file, in a root with only the file and models, prints what the usual build prints.
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
cp "$one" "$work/root/numel"
for model in llama-2-7b gptq-tiny llama-3.1-8b deepseek-v3; do cp -r "fixtures/$model" "$work/root/fixtures"; done
"$B/tool/mkhead" -q --data test/robust/faults/llama.txt "$work/root/model" >/dev/null || fail "mkhead"
printf '{' >"$work/root/broken.safetensors"
numel=$(realpath "$B/numel")
# told COMMAND...: the output and status, which must be the same for both, and the digests that libcrypto made.
told() {
    (cd "$work/root" && "$numel" "$@"; echo "[$?]") 2>&1 | sed "s:$work/root::g" >"$work/want"
    (chroot "$work/root" /numel "$@"; echo "[$?]") >"$work/is" 2>&1
    same "numel $*" "$work/want" "$work/is"
}
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
# Compared with other programs too, not only with our own build.
for f in "$work"/root/model/*.safetensors; do
    sum=$(sha256sum <"$f" | cut -d ' ' -f 1)
    chroot "$work/root" /numel hash model 2>&1 | grep -q "^$sum" || fail "the SHA-256 of $(basename "$f")"
done
# Git's name of a small file, as huggingface_hub records it: the right one is accepted, another is reported.
record=$work/root/model/.cache/huggingface/download
mkdir -p "$record"
cp fixtures/llama-2-7b/config.json "$work/root/model"
name=$({ printf 'blob %d\0' "$(wc -c <"$work/root/model/config.json")"; cat "$work/root/model/config.json"; } | sha1sum | cut -d ' ' -f 1)
for etag in "$name" 0000000000000000000000000000000000000001; do
    printf '%s\n%s\n%s\n' 1111111111111111111111111111111111111111 "$etag" 1700000000.0 >"$record/config.json.metadata"
    told verify --level hash --json model
    chroot "$work/root" /numel verify --level hash --json model >"$work/$etag" 2>&1
done
grep -q hash-mismatch "$work/$name" && fail "git's name of config.json is refused"
grep -q hash-mismatch "$work/0000000000000000000000000000000000000001" || fail "a wrong name of git's is accepted"
echo "static: $(($(stat -c %s "$one") / 1000000)) MB"
finish

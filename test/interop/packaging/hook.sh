#!/bin/sh
# hook.sh -- commits with numel-verify, run by git and by pre-commit: broken models are refused, their sound neighbours are not.
set -u
. test/interop/packaging/lib.sh
need git
hook=$(realpath docs/packaging/pre-commit/numel-verify)
mkhead=$(realpath "$B/tool/mkhead")
PATH=$(realpath "$B"):$PATH
export PATH GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org \
    GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
source=$PWD
git init -q "$work/models" && cd "$work/models" || exit 2
ln -s "$hook" .git/hooks/pre-commit

commit() { git add -A && git commit -q -m "$1"; }
passes() { commit "$1" >"$work/said" 2>&1 || { fail "$1 is refused"; tail -n 20 "$work/said"; }; }
refused() { # WHAT WORDS
    if commit "$1" >"$work/said" 2>&1; then fail "$1 is accepted"
    else grep -q -- "$2" "$work/said" || { fail "$1: the hook does not say '$2'"; cat "$work/said"; }; fi
    git reset -q --hard
    git clean -qfd
}
"$mkhead" -q --data "$source/test/robust/faults/llama.txt" 'a model' >/dev/null || fail "mkhead"
echo text >notes.txt
passes "a whole model"
cp -r 'a model' ./-x && passes "a folder that begins with a hyphen"
truncate -s -512 'a model/model-00003-of-00004.safetensors'
refused "a shard that is cut" 'bytes short'
rm 'a model/model-00003-of-00004.safetensors'
refused "a shard that is removed" 'shard-missing\|missing'
truncate -s -512 ./-x/model-00001-of-00004.safetensors
refused "a cut shard behind a hyphen" 'bytes short'
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 49\n' >'a model/model-00002-of-00004.safetensors'
refused "a pointer of Git LFS" 'LFS pointer'
cp -r "$source/fixtures/llama-2-7b/config.json" 'a model'
refused "a configuration of another model" 'config'
echo more >>notes.txt && passes "a text file"
rm -r ./-x && passes "a model that is removed whole"
(cd / && PATH=/usr/bin:/bin sh "$hook" >"$work/said" 2>&1) && fail "without numel the hook passes"
grep -q 'not installed' "$work/said" || fail "without numel the hook does not say so"
touch x.gguf; sh "$hook" --level=header 'a model/model-00001-of-00004.safetensors' || fail "with an option"
sh "$hook" --level=nonsense 'a model/model-00001-of-00004.safetensors' 2>/dev/null && fail "a wrong option passes"
rm x.gguf

if command -v pre-commit >/dev/null; then
    rm .git/hooks/pre-commit
    mkdir -p "$work/source/docs/packaging" && cp -r "$source/docs/packaging/pre-commit" "$work/source/docs/packaging"
    ln -s docs/packaging/pre-commit/hooks.yaml "$work/source/.pre-commit-hooks.yaml"
    (cd "$work/source" && git init -q && git add -A && git commit -q -m source)
    run() { PRE_COMMIT_HOME=$work/cache pre-commit try-repo "$work/source" numel-verify --all-files >"$work/said" 2>&1; }
    run || { fail "pre-commit refuses a whole model"; cat "$work/said"; }
    grep -q 'numel verify.*Passed' "$work/said" || { fail "pre-commit did not run the hook"; cat "$work/said"; }
    truncate -s -512 'a model/model-00003-of-00004.safetensors'
    run && fail "pre-commit accepts a shard that is cut"
    grep -q 'bytes short' "$work/said" || { fail "pre-commit does not say why"; cat "$work/said"; }
else echo "hook: pre-commit skipped, it is not installed"; fi
finish

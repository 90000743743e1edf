#!/bin/sh
# make.sh -- rebuilds fixtures/ from the descriptions in this folder, and prints every sum.
#
#     make tools && sh test/gen/make.sh [DIR]        DIR: fixtures
#
# NAME.txt becomes DIR/NAME/*.head.zst with its index, NAME.config.json its config.json. mkhead computes the sums;
# the script fails if a description expects another. The headers are always the same, the compressed bytes only with
# the same zstd.
set -eu
here=$(dirname "$0")
root=$here/../..
out=${1:-$root/fixtures}
mkhead=${B:-$root/build/release}/tool/mkhead

for text in "$here"/*.txt; do
    name=$(basename "$text" .txt)
    rm -rf "${out:?}/$name"
    echo "== $name"
    "$mkhead" "$text" "$out/$name"
    if [ -f "$here/$name.config.json" ]; then
        cp "$here/$name.config.json" "$out/$name/config.json"
    fi
done

name=llama-3.1-8b-q4_k_m
echo "== $name-split: the same as gguf-split cuts it"
rm -rf "${out:?}/$name-split"
"$mkhead" -e 'shard size 3,000,000,000' "$here/$name.txt" "$out/$name-split"

echo "== a single file for ComfyUI, and a LoRA"
rm -rf "${out:?}/comfyui"
python3 "$here/picture_heads.py" "$(dirname "$mkhead")/../numel" "$out"

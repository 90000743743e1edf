# published.sh -- sourced by verify_hash.t: a small checkpoint, and the ways in which other programs store digests
# next to it. H is the SHA-256 of its file, G git's name of its config.json. Everything is created in $T, which is
# the current folder afterwards.
st() { python3 "$root/test/support/st.py" "$@"; }
root=$PWD
rm -rf "${T:?}"/*
cd "$T" || exit

model() { # DIR
    mkdir -p "$1"
    st "$1/model.safetensors" w:F32:64x32:1 b:BF16:5:2
    echo '{"x":1}' > "$1/config.json"
    H=$(sha256sum < "$1/model.safetensors" | cut -c 1-64)
    G=$({ printf 'blob %d\0' 8; cat "$1/config.json"; } | sha1sum | cut -c 1-40)
}

shards() { # DIR: the same tensors in two files
    mkdir -p "$1"
    st "$1/model-00001-of-00002.safetensors" b:BF16:5:2
    st "$1/model-00002-of-00002.safetensors" w:F32:64x32:1
    echo '{"x":1}' > "$1/config.json"
}

flip() { # FILE OFFSET: changes one nonzero byte to one
    printf '\0' | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

cache() { # models--o--n in huggingface_hub's layout
    M=models--o--n
    model "made"
    mkdir -p "$M/blobs" "$M/snapshots/abc" "$M/refs" "$M/trees"
    printf abc > "$M/refs/main"
    mv "made/model.safetensors" "$M/blobs/$H"
    mv "made/config.json" "$M/blobs/$G"
    ln -s "../../blobs/$H" "$M/snapshots/abc/model.safetensors"
    ln -s "../../blobs/$G" "$M/snapshots/abc/config.json"
}

listing() {
    printf '{"format_version":1,"files":{"model.safetensors":{"size":135,"blob_id":"%040d",' 0
    printf '"lfs_sha256":"%s","lfs_size":8331},"config.json":{"size":8,"blob_id":"%s"}}}\n' "$H" "$G"
}

local_dir() { # l, with the checkpoint in a folder below
    model "l/sub"
    mkdir -p "l/.cache/huggingface/download/sub"
    printf 'abc\n%s\n1700000000.5\n' "$H" > "l/.cache/huggingface/download/sub/model.safetensors.metadata"
    printf 'abc\n"%s"\n1700000000.5\n' "$G" > "l/.cache/huggingface/download/sub/config.json.metadata"
}

pointer() { # FILE
    printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n' \
        "$(sha256sum < "$1" | cut -c 1-64)" "$(wc -c < "$1")"
}

ollama() { # o
    model "made"
    mkdir -p "o/blobs" "o/manifests/registry.ollama.ai/library/tiny"
    mv "made/model.safetensors" "o/blobs/sha256-$H"
    printf '{"schemaVersion":2,"layers":[{"mediaType":"application/vnd.ollama.image.model","digest":"sha256:%s","size":8331}]}' \
        "$H" > "o/manifests/registry.ollama.ai/library/tiny/latest"
}

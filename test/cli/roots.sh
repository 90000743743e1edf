# roots.sh -- sourced by roots.t and incomplete.t: small models in other programs' model folders. Everything is
# created in $T, which is the current folder and HOME afterwards.
st() { python3 "$root/test/support/st.py" "$@"; }
root=$PWD
cd "$T" || exit
HOME=$T
export HOME
unset HF_HUB_CACHE HUGGINGFACE_HUB_CACHE HF_HOME XDG_CACHE_HOME OLLAMA_MODELS

sum() { sha256sum < "$1" | cut -c 1-64; }
bytes() { wc -c < "$1" | tr -d ' '; }

# MODELS TYPE FILE: turns the file into a blob; prints its line for a manifest
layer() {
    H=$(sum "$3")
    mkdir -p "$1/blobs"
    L="{\"mediaType\":\"application/vnd.ollama.image.$2\",\"digest\":\"sha256:$H\",\"size\":$(bytes "$3")${4:+,\"name\":\"$4\"}}"
    mv "$3" "$1/blobs/sha256-$H"
}

# MODELS HOST/NAMESPACE/MODEL/TAG LAYER...
manifest() {
    to=$1/manifests/$2
    mkdir -p "$1/blobs" "$(dirname "$to")"
    shift 2
    all=
    for l; do all=$all${all:+,}$l; done
    printf '{"schemaVersion":2,"mediaType":"application/vnd.docker.distribution.manifest.v2+json","layers":[%s]}' "$all" > "$to"
}

# HUB ORG--NAME COMMIT FILE TENSOR...: a snapshot of one file
snapshot() {
    R=$1/models--$2
    mkdir -p "$R/blobs" "$R/refs" "$R/snapshots/$3"
    to=$R/snapshots/$3/$4
    commit=$3 file=$4
    shift 4
    st "made.$file" "$@"
    H=$(sum "made.$file")
    mv "made.$file" "$R/blobs/$H"
    ln -s "../../blobs/$H" "$to"
    [ -f "$R/refs/main" ] || printf %s "$commit" > "$R/refs/main"
}

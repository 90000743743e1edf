#!/bin/sh
# interop.sh -- the Python packages safetensors and gguf write, we read; we write, they read.
#
#     make interop        B=build/release sh test/interop/interop.sh
#     make differential   B=build/release sh test/interop/interop.sh differential
#
# Makes a virtual environment in build/venv once, installs the packages with pip (as pip is configured here), and
# runs test/interop/run.py: last line N passed, N failed. `differential` compares verdicts on many mutants instead
# (test/interop/differential/compare.py). The exit status is nonzero if any failed or the packages are unavailable.
set -eu
B=${B:-build/release}
venv=build/venv
packages='safetensors numpy gguf ml_dtypes zstandard huggingface_hub'

give_up() {
    echo "interop: $*" >&2
    echo '0 passed, 1 failed'
    exit 1
}

make_venv() {
    python3 -m venv "$venv" 2> /dev/null && return
    rm -rf "$venv"
    if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3 python3-venv > /dev/null
        python3 -m venv "$venv" && return
    fi
    rm -rf "$venv"
    give_up 'needs python3 with its venv module (Debian, Ubuntu: apt install python3-venv)'
}

if ! "$venv/bin/python" -c pass 2> /dev/null; then make_venv; fi
if ! "$venv/bin/python" -c 'import safetensors, numpy, gguf, ml_dtypes, zstandard, huggingface_hub' 2> /dev/null
then
    # shellcheck disable=SC2086 # a list of words
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check $packages ||
        give_up "pip could not install: $packages"
fi
# llama.cpp itself, for its quantizer; there are wheels for common platforms only
if ! "$venv/bin/python" -c 'import cyllama' 2> /dev/null; then
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: cyllama 2> /dev/null ||
        echo 'interop: the package cyllama cannot be had, llama.cpp quantizes nothing' >&2
fi
export PYTHONDONTWRITEBYTECODE=1
if [ "${1:-}" = differential ]; then
    exec "$venv/bin/python" test/interop/differential/compare.py "$B/tool" build/differential \
        safetensors=100000 llama.cpp=100000 gguf-py=20000 json=100000
fi
exec "$venv/bin/python" test/interop/run.py "$B/numel" build/interop

#!/bin/sh
# interop_packed.sh -- quantizers write checkpoints of small models, numel reads them and falsified copies.
#
#     make interop-packed        B=build/release sh test/interop/interop_packed.sh [WORD...]
#
# Makes a virtual environment in build/venv-packed once (7 GB: the packages include unused GPU libraries), installs
# test/interop/writers/requirements.txt, and runs test/interop/writers/run.py. PACKED_PYTHON may name a Python that
# already has the packages. Last line: N passed, N failed; the exit status is nonzero if any failed or the packages
# are unavailable.
set -eu
B=${B:-build/release}
venv=build/venv-packed
list=test/interop/writers/requirements.txt
python=${PACKED_PYTHON:-$venv/bin/python}

give_up() {
    echo "interop-packed: $*" >&2
    echo '0 passed, 1 failed'
    exit 1
}

install() {
    [ -x "$venv/bin/python" ] || python3 -m venv "$venv" || give_up 'needs python3 with its venv module'
    "$python" -m pip install --quiet --disable-pip-version-check -r "$list" ||
        give_up "pip could not install $list"
    BUILD_CUDA_EXT=0 "$python" -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps \
        gptqmodel==7.7.0 || echo 'interop-packed: gptqmodel could not be built, it is left out' >&2
    cp "$list" "$venv/installed.txt"
}

if [ -z "${PACKED_PYTHON:-}" ] && ! cmp -s "$list" "$venv/installed.txt"; then install; fi
PYTHONDONTWRITEBYTECODE=1 HF_HOME=build/interop-packed/hub exec "$python" test/interop/writers/run.py "$B/numel" \
    build/interop-packed "$@"

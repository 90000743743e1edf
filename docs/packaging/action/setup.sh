#!/bin/sh
# setup.sh -- builds numel from the source that this action came with, and puts it on the PATH of later steps.
#
# A numel that is on the PATH already is used as it is.
set -eu
if command -v numel; then exit 0; fi
source=$GITHUB_ACTION_PATH/../../..
prefix=${RUNNER_TEMP:?}/numel
pkg-config --exists libcjson libzstd libcrypto || make -C "$source" deps
make -s -C "$source" PREFIX="$prefix" install-tool
echo "$prefix/bin" >>"$GITHUB_PATH"

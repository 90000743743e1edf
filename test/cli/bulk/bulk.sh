#!/bin/sh
# bulk.sh -- the scripts of docs/bulk.md compared with one process, with their dependencies.
#
#     make bulk           B=build/release sh test/cli/bulk/bulk.sh
#
# Makes a virtual environment in build/bulk once, with pyspark and duckdb by pip (as pip is configured here);
# BULK_PYTHON names a Python that has them. Missing programs (java, parallel, jq) are reported, and their scripts
# skipped. The exit status is nonzero if a script gives different lines or totals.
set -eu
venv=build/bulk
packages='pyspark==4.3.0 duckdb==2.0.0'
if [ -z "${BULK_PYTHON:-}" ] && command -v java > /dev/null; then
    if ! "$venv/bin/python" -c 'import pyspark, duckdb' 2> /dev/null; then
        # shellcheck disable=SC2086 # a list of words
        { python3 -m venv "$venv" && "$venv/bin/python" -m pip install --quiet --disable-pip-version-check $packages; } ||
            { echo "bulk: pip could not install: $packages" >&2; exit 1; }
    fi
    BULK_PYTHON=$PWD/$venv/bin/python
    export BULK_PYTHON
fi
exec env PYTHONDONTWRITEBYTECODE=1 python3 test/cli/bulk/run.py

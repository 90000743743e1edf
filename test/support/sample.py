"""Samples: of many cases of one kind a suite takes one in so many, chosen by their names, so that a run repeats the last.

EVERY overrides how many: EVERY=1 takes all (.ci/full, stage `every`).
"""
import os
import zlib


def taken(n, *name):
    """Does the case of this name belong to a sample of one in n?"""
    return zlib.crc32(" ".join(map(str, name)).encode()) % int(os.environ.get("EVERY", n)) == 0

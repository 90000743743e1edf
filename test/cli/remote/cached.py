#!/usr/bin/env python3
"""cached.py REPOSITORY CACHE -- a cache of huggingface_hub that has downloaded it: links to blobs named by their digests."""
import hashlib
import os
import sys

source, cache = sys.argv[1:]
repository = os.path.join(cache, "models--org--" + os.path.basename(source))
commit = hashlib.sha1(b"commit").hexdigest()
snapshot, blobs = os.path.join(repository, "snapshots", commit), os.path.join(repository, "blobs")
for folder in snapshot, blobs, os.path.join(repository, "refs"): os.makedirs(folder)
with open(os.path.join(repository, "refs", "main"), "w") as f: f.write(commit)
for name in os.listdir(source):
    with open(os.path.join(source, name), "rb") as f: data = f.read()
    small = name.endswith((".json", ".md"))
    digest = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest() if small else hashlib.sha256(data).hexdigest()
    with open(os.path.join(blobs, digest), "wb") as f: f.write(data)
    os.symlink(os.path.join("..", "..", "blobs", digest), os.path.join(snapshot, name))

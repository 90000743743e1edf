"""values_cases.py -- numel diff --values against numpy and ml_dtypes: every pair of numeric types."""
import itertools
import json
import math
import os
import subprocess
import sys

import ml_dtypes
import numpy as np

from harness import Mismatch, same

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import files

FLOATS = {"F32": np.float32, "F64": np.float64, "F16": np.float16, "BF16": ml_dtypes.bfloat16,
          "F8_E4M3": ml_dtypes.float8_e4m3fn, "F8_E5M2": ml_dtypes.float8_e5m2,
          "F8_E4M3FNUZ": ml_dtypes.float8_e4m3fnuz, "F8_E5M2FNUZ": ml_dtypes.float8_e5m2fnuz}
INTEGERS = {"I8": np.int8, "U8": np.uint8, "I16": np.int16, "I32": np.int32, "I64": np.int64}


def near(what, actual, expected):
    if actual is None or not math.isclose(actual, expected, rel_tol=1e-9, abs_tol=1e-300):
        raise Mismatch(f"{what}: {actual} is not {expected}")


def compared(bench, folder, name, one, other):
    """The report for two arrays, each with its type's name."""
    paths = []
    for side, (dtype, values) in zip("ab", (one, other)):
        paths.append(f"{folder}/{name}-{side}.safetensors")
        files.put(paths[-1], files.safetensors([("x", dtype, list(values.shape))], body=values.tobytes()))
    out = subprocess.run([bench.numel, "diff", "--values", "--json", *paths], stdout=subprocess.PIPE, check=False).stdout
    return json.loads(out)["values"]["tensors"][0]


def distances(said, a, b):
    x, y = a.astype(np.float64), b.astype(np.float64)
    d = np.abs(x - y)
    near("max_abs", said["max_abs"], d.max())
    near("mean_abs", said["mean_abs"], math.fsum(d) / d.size)
    norm = lambda v: math.sqrt(math.fsum(v * v))
    near("rel_l2", said["rel_l2"], norm(d) / norm(x))
    if d.any(): near("cosine", said["cosine"], math.fsum(x * y) / (norm(x) * norm(y)))
    if d.any(): near("snr_db", said["snr_db"], 20 * math.log10(norm(x) / norm(d)))
    same("differing", said["differing"], int((x != y).sum()))


def floats(bench, folder, one, other):
    rng = np.random.default_rng(7)
    values = rng.normal(size=70001).astype(np.float32)
    a, b = values.astype(FLOATS[one]), (values + rng.normal(size=values.size).astype(np.float32) / 16).astype(FLOATS[other])
    distances(compared(bench, folder, f"{one}-{other}", (one, a), (other, b)), a, b)


def patterns(bench, folder, one):
    """All patterns: NaN and infinities are counted, every other value is at its own distance from zero."""
    kind = FLOATS[one]
    bits = np.arange(1 << 8 * np.dtype(kind).itemsize, dtype=f"u{np.dtype(kind).itemsize}").view(kind)
    wide = bits.astype(np.float64)
    said = compared(bench, folder, f"{one}-all", (one, bits), ("F64", wide))
    same("nan", said["nan_a"], int(np.isnan(wide).sum()))
    same("infinite", said["infinite_a"], int(np.isinf(wide).sum()))
    same("differing", said["differing"], 0)


def integers(bench, folder, one):
    rng = np.random.default_rng(11)
    info = np.iinfo(INTEGERS[one])
    a, b = (rng.integers(info.min, info.max, 5001, dtype=INTEGERS[one], endpoint=True) for _ in range(2))
    said = compared(bench, folder, one, (one, a), (one, b))
    same("max_abs", said["max_abs"], max(abs(int(x) - int(y)) for x, y in zip(a, b)))
    same("differing", said["differing"], int((a != b).sum()))


def run(bench):
    folder = os.path.join(bench.folder, "values")
    for one, other in itertools.product(FLOATS, FLOATS):
        bench.case("values: floats", f"{one} {other}", floats, folder, one, other)
    for one in FLOATS:
        if np.dtype(FLOATS[one]).itemsize <= 2: bench.case("values: all patterns", one, patterns, folder, one)
    for one in INTEGERS: bench.case("values: integers", one, integers, folder, one)

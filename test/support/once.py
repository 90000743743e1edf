#!/usr/bin/env python3
"""once.py CASE GONE -- a case of the oracle as a file that stores shared tensors once, without the tensor GONE;
for mkhead --json."""
import json, math, sys

case = json.load(open(sys.argv[1]))
params = {k: v for k, v in case["params"].items() if k != sys.argv[2] and k not in case["tied"]}
json.dump({"config": case["configs"]["whole"], "params": params, "tied": {}, "buffers": {},
           "num_parameters": sum(map(math.prod, params.values()))}, sys.stdout)

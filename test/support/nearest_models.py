"""nearest_models.py FOLDER -- small checkpoints for test/cli/nearest.t: bases in FOLDER/models, and FOLDER/tuned
from one of them."""
import os
import random
import struct
import sys

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import files

BASE = {"model.embed_tokens.weight": [9, 4], "model.layers.0.mlp.up_proj.weight": [8, 4], "model.norm.weight": [4], "lm_head.weight": [9, 4]}


def put(path, tensors, seed, drift=0.0, half=False):
    """Each tensor comes from its own seed, norms are ones; drift: trained further; half: in BF16."""
    body, way = b"", random.Random("%s drift" % seed)
    for name, shape in tensors.items():
        draw, n = random.Random("%s %s" % (seed, name.replace("model.", ""))), shape[0] * (shape[1] if len(shape) > 1 else 1)
        values = [1.0 if "norm" in name else draw.uniform(-1, 1) + drift * way.uniform(-1, 1) for _ in range(n)]
        for v in values: body += struct.pack("<f", v)[2 if half else 0:]
    files.put(os.path.join(sys.argv[1], path, "model.safetensors"),
              files.safetensors([(k, "BF16" if half else "F32", s) for k, s in tensors.items()], body=body))


put("models/base", BASE, 1)
put("models/other", BASE, 2)
put("models/deep/down/larger", {**BASE, "model.embed_tokens.weight": [11, 4], "lm_head.weight": [11, 4]}, 1)
put("models/headless", {k[6:]: v for k, v in BASE.items() if k != "lm_head.weight"}, 1)
put("models/turned", {**BASE, "model.layers.0.mlp.up_proj.weight": [4, 8]}, 1)
put("models/stranger", {"a": [3], "b": [5, 5]}, 1)
put("pictures/larger", {"pos_embed": [17, 4], "blocks.0.attn.proj.weight": [4, 4], "head.weight": [7, 4]}, 1)
put("picture", {"pos_embed": [10, 4], "blocks.0.attn.proj.weight": [4, 4], "head.weight": [5, 4]}, 1)
put("tuned", {**BASE, "score.weight": [2, 4]}, 1)
put("drifted", BASE, 1, 0.3)
put("halved", BASE, 1, 0.1, True)

"""A configuration that no class of diffusers or transformers accepts must not agree, however correct its file is.

test/truth/components/refused/diffusers.jsonl.zst (test/gen/refused_cases.py) and
test/truth/components/refused/transformers.jsonl.zst (refused_configs.py) have configurations with one wrong
argument, and the class's own result for each. The file is that of the original case: if the class raises, numel
must not agree; if the class still builds the same tensors, numel must agree. OWED lists known failures, by class
and argument.

  B=build/release python3 test/truth/components/refused.py [-v] [CLASS...]
"""
import copy
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.append(os.path.join(ROOT, "test", "support"))
from files import put, sparse, stored, type_of

NUMEL = os.path.join(os.path.abspath(os.environ.get("B", os.path.join(ROOT, "build", "release"))), "numel")


# Arguments that a class treats as a flag or never reads, and that no one writes: these do not agree, but may.
OWED = {
    ("PPOCRV5MobileRecEncoderWithSVTR", "num_attention_heads"),
    ("PPOCRV6SmallRecEncoderWithSVTR", "num_attention_heads"),
    ("RecurrentGemmaForCausalLM", "num_key_value_heads"),
    ("AutoencoderKLKVAEVideo", "temporal_compress_times"),
    ("AutoencoderKLWan", "temperal_downsample"),
    ("ChromaTransformer2DModel", "patch_size"),
    ("FluxControlNetModel", "patch_size"),
    ("GlmImageTransformer2DModel", "patch_size"),
    ("MiniMaxMusic3RVQDepthDecoder", "num_attention_heads"),
    ("OvisImageTransformer2DModel", "patch_size"),
    ("QwenImageControlNetModel", "patch_size"),
    ("SanaWMTransformer3DModel", "image_size"),
    ("AXK1ForCausalLM", "head_dim"),
    ("BailingHybridModel", "num_nextn_predict_layers"),
    ("DPTModel", "use_batch_norm_in_fusion_residual"),
    ("DepthProModel", "image_model_config.image_size"),
    ("GPTBigCodeForCausalLM", "num_key_value_heads"),
    ("Glm4MoeForCausalLM", "num_nextn_predict_layers"),
    ("Glm4MoeLiteForCausalLM", "qk_head_dim"),
    ("Glm5NextTextModel", "qk_head_dim"),
    ("Lfm3VlVisionModel", "num_attention_heads"),
    ("LightGlueForKeypointMatching", "hidden_size"),
    ("LlavaNextVideoForConditionalGeneration", "vision_config.vocab_size"),
    ("Mistral4ForCausalLM", "qk_head_dim"),
    ("MoshiModel", "depth_decoder_config.vocab_size"),
    ("PaliGemmaForConditionalGeneration", "vision_config.vocab_size"),
    ("VoxtralForConditionalGeneration", "hidden_size"),
}


def changed(config, row):
    """The configuration, and the changed key."""
    if "change" in row: return {**config, **row["change"]}, *row["change"]
    config = copy.deepcopy(config)
    at = config
    for k in row["path"][:-1]: at = at[k]
    at[row["path"][-1]] = row["value"]
    return config, ".".join(row["path"])


def written(folder, case, row):
    put(folder + "/config.json", json.dumps(changed(case["configs"]["whole"], row)[0]).encode())
    tensors = {**{n: s for n, s in case["params"].items() if n not in case["tied"]}, **case["buffers"]}
    sparse(folder + ("/diffusion_pytorch_model.safetensors" if "change" in row else "/model.safetensors"), [(n, type_of(n), s) for n, s in tensors.items()])


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("-")]
    rows = [r for library in ("diffusers", "transformers") for r in stored(os.path.join(ROOT, "test/truth/components/refused/%s.jsonl.zst" % library))
            if not words or any(w in r["case"] for w in words)]
    cases = {c["case"]: c for f in ("diffusers", "diffusers_sizes", "sizes") for c in stored(os.path.join(ROOT, "fixtures/oracle/%s.jsonl.zst" % f))}
    failed = owed = 0
    met = set()
    with tempfile.TemporaryDirectory() as work:
        for i, row in enumerate(rows): written("%s/%d" % (work, i), cases[row["case"]], row)
        r = subprocess.run([NUMEL, "list", "--json", work], stdout=subprocess.PIPE, check=True)
        said = {int(os.path.relpath(x["path"], work).split(os.sep)[0]): x["verdict"] for x in map(json.loads, r.stdout.splitlines())}
    for i, row in enumerate(rows):
        if (said[i] == "agrees") == (row["why"] is None): continue
        case = cases[row["case"]]
        key = case.get("class") or case["case"].split("/")[1], changed(case["configs"]["whole"], row)[1]
        known = key in OWED
        met.add(key)
        owed, failed = owed + known, failed + (not known)
        if not known or "-v" in sys.argv: print("owed" if known else "FAIL", row["case"], json.dumps(row.get("change") or [*row["path"], row["value"]]), said[i], row["why"] or "is built all the same")
    for key in sorted(OWED - met) if not words else ():
        failed += 1
        print("FAIL", *key, "is owed no more")
    print("refused: %d configurations, %d of them valid, %d failed, %d owed" % (len(rows), sum(r["why"] is None for r in rows), failed, owed))
    return failed > 0 or not rows


sys.exit(main())

#!/usr/bin/env python3
"""adapter_peft.py [WHAT ...] >> CASES.jsonl -- adapters that peft makes for models on the meta device, one JSON
object per line.

Each has what it is, the base by its name among the families (adapter_llms.py), its configuration, and names and
shapes as peft saves them. fixtures/adapters/peft.jsonl.zst holds such lines; those here cover tensors other than
pairs of matrices, and methods other than LoRA. `limit` is the number of layers kept of a long model: the rest are
repeats.
Packages: test/gen/requirements/peft.txt
"""
import copy
import json
import re

import adapter_llms

SMALL, QWEN = "Llama-3.2-1B", "Qwen2.5-0.5B"
QV = dict(target_modules=["q_proj", "v_proj"])
EXPERTS = ["mlp.experts.gate_up_proj", "mlp.experts.down_proj"]
# kind, base, number of layers kept, peft's class, its arguments
ROWS = [
    ("experts", "gpt-oss-20b", 3, "LoraConfig", dict(target_modules=["q_proj"], target_parameters=EXPERTS)),
    ("experts alone", "gpt-oss-20b", 3, "LoraConfig", dict(target_modules=[], target_parameters=EXPERTS[1:])),
    ("experts", "Qwen3-30B-A3B", 3, "LoraConfig", dict(target_modules=["q_proj", "k_proj"], target_parameters=EXPERTS)),
    ("experts", "Mixtral-8x7B", 3, "LoraConfig", dict(target_modules=["q_proj"], target_parameters=EXPERTS)),
    ("all linear, experts too", "DeepSeek-V2-Lite", 3, "LoraConfig", dict(target_modules="all-linear")),
    ("head of classes", "BERT-base", 3, "LoraConfig", dict(task_type="SEQ_CLS", target_modules=["query", "value"])),
    ("head of tokens", "DistilBERT", 3, "LoraConfig", dict(task_type="TOKEN_CLS", target_modules=["q_lin", "v_lin"])),
    ("head of classes", "RoBERTa-base", 3, "LoraConfig", dict(task_type="SEQ_CLS", target_modules=["query", "value"])),
    ("head of classes", SMALL, 3, "LoraConfig", dict(QV, task_type="SEQ_CLS")),
    ("head of classes", "ViT-base", 3, "LoraConfig", dict(QV, modules_to_save=["classifier"])),
    ("convolutions", "Whisper small", 3, "LoraConfig", dict(target_modules=["conv1", "conv2", "q_proj"])),
    ("lm_head, a copy", SMALL, 3, "LoraConfig", dict(target_modules=["q_proj", "lm_head"])),
    ("tokens, a copy, DoRA", QWEN, 3, "LoraConfig", dict(target_modules=["q_proj", "embed_tokens"], use_dora=True)),
    ("vera, shared", SMALL, 3, "VeraConfig", dict(QV, r=64)),
    ("delora", SMALL, 3, "DeloraConfig", QV),
    ("gralora", SMALL, 3, "GraloraConfig", dict(QV, r=32, gralora_k=2)),
    ("hira", SMALL, 3, "HiraConfig", QV),
    ("deft", SMALL, 3, "DeftConfig", QV),
    ("beft", SMALL, 3, "BeftConfig", QV),
    ("miss in blocks", SMALL, 3, "MissConfig", dict(QV, init_weights="bat")),
    ("left out", SMALL, 3, "LoraConfig", dict(target_modules=["q_proj", "v_proj", "down_proj"], exclude_modules=["down_proj"])),
    ("some tokens", SMALL, 3, "LoraConfig", dict(QV, trainable_token_indices=[1, 2, 3])),
    ("fourierft, told", SMALL, 3, "FourierFTConfig", dict(QV, n_frequency=1000, n_frequency_pattern={"q_proj": 500})),
    ("waveft, told", SMALL, 3, "WaveFTConfig", dict(QV, n_frequency=2592)),
    ("vblora, told", SMALL, 3, "VBLoRAConfig", dict(QV, num_vectors=60, vector_length=256, r=4)),
    ("vblora's best, told", SMALL, 3, "VBLoRAConfig", dict(QV, num_vectors=60, vector_length=256, r=4, save_only_topk_weights=True)),
    ("road_1, told", SMALL, 3, "RoadConfig", dict(QV, variant="road_1")),
    ("road_4, told", SMALL, 3, "RoadConfig", dict(QV, variant="road_4")),
    ("oft, one for all blocks, told", SMALL, 3, "OFTConfig", dict(QV, oft_block_size=32, block_share=True)),
    ("randlora", SMALL, 3, "RandLoraConfig", dict(QV, r=32)),
    ("pvera", SMALL, 3, "PveraConfig", dict(QV, r=64)),
    ("lily", SMALL, 3, "LilyConfig", dict(QV, r=16, num_B=3)),
    ("psoft, told", SMALL, 3, "PsoftConfig", dict(QV, r=24)),
    ("peanut", SMALL, 3, "PeanutConfig", dict(QV, r=16)),
    ("osf", SMALL, 3, "OSFConfig", QV),
    ("poly, told", SMALL, 3, "PolyConfig", dict(QV, r=8, n_tasks=3, n_skills=2, n_splits=2)),
    ("gralora and more", SMALL, 3, "GraloraConfig", dict(QV, r=32, gralora_k=2, hybrid_r=4)),
]
TASKS = {"SEQ_CLS": "AutoModelForSequenceClassification", "TOKEN_CLS": "AutoModelForTokenClassification",
         "vit": "AutoModelForImageClassification", "whisper": "AutoModelForSpeechSeq2Seq"}


TYPES = {"torch.uint8": "U8"}  # counts of vectors


def model_of(base, task):
    import torch
    import transformers
    _, _, kind, keys, _ = next(row for row in adapter_llms.LLMS if row[0] == base)
    config = transformers.AutoConfig.for_model(kind, **copy.deepcopy(keys))
    auto = TASKS.get(task) or TASKS.get(kind, "AutoModelForCausalLM")
    with torch.device("meta"):
        return getattr(transformers, auto).from_config(config)


def told(config):
    """The configuration as saved, without empty values."""
    keys = json.loads(json.dumps(config.to_dict(), default=lambda v: sorted(v) if isinstance(v, set) else str(v)))
    return {k: v for k, v in keys.items() if v or v == 0 and v is not False}


def main():
    import sys
    import peft
    for what, base, limit, kind, keys in ROWS:
        if sys.argv[1:] and what not in sys.argv[1:]:
            continue
        config = getattr(peft, kind)(**copy.deepcopy(keys))
        model = peft.get_peft_model(model_of(base, keys.get("task_type")), config)
        config.base_model_name_or_path = "org/" + base.replace(" ", "-")  # peft takes it from the model
        kept = [[n, list(t.shape), TYPES.get(str(t.dtype), "F32")] for n, t in peft.get_peft_model_state_dict(model).items()
                if not any(int(i) >= limit for i in re.findall(r"layers?\.(\d+)\.", n))]
        print(json.dumps({"what": what, "base": base, "told": True, "config": told(config), "tensors": kept}))


if __name__ == "__main__":
    main()

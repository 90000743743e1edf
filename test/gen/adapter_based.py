#!/usr/bin/env python3
"""adapter_based.py >> CASES.jsonl -- adapters that peft makes for small models of many types, each with its base.

fixtures/adapters/based.jsonl.zst holds such lines, for `--base`: the kind of adapter, its configuration, names and
shapes as peft saves them, the number of trained parameters among them, and the names and shapes of the base. The
models are small, on the meta device, with sizes that no published model has.
Packages: test/gen/requirements/peft.txt
"""
import copy
import json

import adapter_peft

SIZES = {"hidden_size": 96, "intermediate_size": 200, "num_hidden_layers": 3, "num_attention_heads": 4, "num_key_value_heads": 2,
         "head_dim": 24, "vocab_size": 1000, "pad_token_id": 0}
GPT2 = {"n_embd": 96, "n_layer": 3, "n_head": 4}
QV = {"target_modules": ["q_proj", "v_proj"]}
# model type, its keys besides SIZES, kind of adapter, peft's class, its arguments
ROWS = [
    ("llama", {}, "fourierft", "FourierFTConfig", dict(QV, n_frequency=100)),
    ("llama", {}, "vera", "VeraConfig", {"target_modules": ["q_proj"], "r": 16}),
    ("llama", {}, "lora", "LoraConfig", dict(QV, modules_to_save=["lm_head"])),
    ("llama", {}, "lora", "LoraConfig", dict(QV, modules_to_save=["embed_tokens", "input_layernorm"])),
    ("llama", {}, "lora", "LoraConfig", dict(QV, bias="all")),
    ("llama", {}, "lora", "LoraConfig", {"target_modules": ["q_proj", "embed_tokens"]}),
    ("gemma2", {}, "randlora", "RandLoraConfig", {"target_modules": ["up_proj"], "r": 8}),
    ("qwen2", {}, "lora", "LoraConfig", dict(QV, bias="lora_only")),
    ("qwen2", {}, "lora", "LoraConfig", {"target_modules": ["o_proj"], "bias": "lora_only"}),
    ("qwen2", {}, "adalora", "AdaLoraConfig", dict(QV, init_r=12, target_r=8, total_step=100)),
    ("phi", {}, "lora", "LoraConfig", dict(QV, modules_to_save=["lm_head"])),
    ("phi", {}, "lora", "LoraConfig", dict(QV, bias="all")),
    ("phi", {}, "ln_tuning", "LNTuningConfig", {"target_modules": ["input_layernorm"]}),
    ("gpt2", GPT2, "lora", "LoraConfig", {"target_modules": ["c_attn"], "bias": "all"}),
    ("gpt2", GPT2, "lora", "LoraConfig", {"target_modules": ["c_attn"], "modules_to_save": ["wte"]}),
    ("bloom", GPT2, "ln_tuning", "LNTuningConfig", {"target_modules": ["input_layernorm", "ln_f"]}),
    ("gpt_neox", {}, "lora", "LoraConfig", {"target_modules": ["query_key_value"], "modules_to_save": ["lm_head"]}),
    ("starcoder2", {}, "lora", "LoraConfig", {"target_modules": ["c_fc"], "bias": "all"}),
    ("mixtral", {"num_local_experts": 4}, "lora", "LoraConfig",
     {"target_modules": ["q_proj"], "target_parameters": ["mlp.experts.gate_up_proj", "mlp.experts.down_proj"]}),
    ("gpt_oss", {"num_local_experts": 4}, "lora", "LoraConfig",
     {"target_modules": ["q_proj"], "target_parameters": ["mlp.experts.gate_up_proj", "mlp.experts.down_proj"]}),
]


def model_of(kind, more):
    import torch
    import transformers
    blank = transformers.AutoConfig.for_model(kind)
    config = transformers.AutoConfig.for_model(kind, **{**{k: v for k, v in SIZES.items() if hasattr(blank, k)}, **more})
    with torch.device("meta"):
        return transformers.AutoModelForCausalLM.from_config(config)


def main():
    import peft
    for kind, more, what, cls, keys in ROWS:
        base = model_of(kind, more)
        tied = set(base._tied_weights_keys or []) if base.config.tie_word_embeddings else set()
        stored = [[n, list(t.shape)] for n, t in base.state_dict().items() if n not in tied]
        model = peft.get_peft_model(base, getattr(peft, cls)(**copy.deepcopy(keys), task_type="CAUSAL_LM"))
        saved = peft.get_peft_model_state_dict(model)
        trained = {n.replace(".default", "").replace("modules_to_save.", "") for n, p in model.named_parameters() if p.requires_grad}
        numbers = sum(t.numel() for n, t in saved.items() if n in trained)
        print(json.dumps({"what": what, "base": kind, "config": adapter_peft.told(model.peft_config["default"]), "trained": numbers,
                          "tensors": [[n, list(t.shape), "F32"] for n, t in saved.items()], "weights": stored}))


if __name__ == "__main__":
    main()

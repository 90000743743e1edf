"""reload.py -- a written checkpoint reloaded by transformers (or quanto): its counts, and its printout.

reloaded(folder) gives (num_parameters(), without embeddings, sum of numel(), str(model)), or None if it cannot be
loaded on a CPU, or is incomplete: transformers silently creates weights that it does not find.
"""
import json, os


def of_quanto(folder):
    import optimum.quanto
    return optimum.quanto.QuantizedModelForCausalLM.from_pretrained(folder)._wrapped


def of_transformers(folder):
    import transformers
    import transformers.quantizers.auto as auto
    auto.AUTO_QUANTIZER_MAPPING["fp8"].validate_environment = lambda self, *a, **k: None
    with open(os.path.join(folder, "config.json")) as f:
        cls = json.load(f)["architectures"][0]
    model, found = getattr(transformers, cls).from_pretrained(folder, device_map="cpu", dtype="auto",
                                                              output_loading_info=True)
    return None if any(found.values()) else model


def reloaded(folder):
    try:
        quanto = os.path.exists(os.path.join(folder, "quanto_qmap.json"))
        model = of_quanto(folder) if quanto else of_transformers(folder)
    except Exception:  # any dependency that is missing here
        return None
    if model is None:
        return None
    counts = model.num_parameters(), model.num_parameters(exclude_embeddings=True)
    return (*counts, sum(p.numel() for p in model.parameters()), str(model))

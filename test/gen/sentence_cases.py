"""Folders of sentence-transformers with modules other than Transformer, Pooling and Dense, as names and shapes.

Writes test/truth/components/modules.jsonl.zst, one line each: {"name", "total_parameters", "files": {path: JSON, or for weights
{name: [type, shape]}}, "verdict"}. The library itself builds and saves every module, at small sizes that are all different; of the
tokenizer only its tokens are kept. The folders are assembled as the library's models do (modules.json): complete models would need
downloads.

  venv/bin/python test/gen/sentence_cases.py
Packages: test/gen/requirements/sentence.txt
"""
import importlib.util
import json
import os
import struct
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUT = os.path.join(ROOT, "test", "truth", "components", "modules.jsonl.zst")


def header(path):
    with open(path, "rb") as f: head = json.loads(f.read(struct.unpack("<Q", f.read(8))[0]))
    return {n: [t["dtype"], t["shape"]] for n, t in head.items() if n != "__metadata__"}


def counted_tokens(doc):
    return {"model": {"vocab": doc["model"]["vocab"]}, "added_tokens": [{"id": t["id"], "content": t["content"]} for t in doc["added_tokens"]]}


def tokenizer(words, added=()):
    """A tokenizer with so many words, and additional tokens."""
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast
    made = Tokenizer(models.WordLevel({"[UNK]": 0, **{"w%d" % i: i for i in range(1, words)}}, unk_token="[UNK]"))
    made.add_tokens(list(added))
    return PreTrainedTokenizerFast(tokenizer_object=made, unk_token="[UNK]")


def saved(module):
    """The module's own folder: configurations and weights."""
    with tempfile.TemporaryDirectory() as d:
        module.save(d)
        files = {}
        for name in sorted(os.listdir(d)):
            path = os.path.join(d, name)
            if name.endswith(".safetensors"): files[name] = header(path)
            elif name == "tokenizer.json": files[name] = counted_tokens(json.load(open(path)))
            elif name.endswith("config.json"): files[name] = json.load(open(path))
    return files


def transformer(cls, **values):
    """A Transformer's folder, as transformers saves its model."""
    import transformers
    model = getattr(transformers, cls)(getattr(transformers, cls).config_class(**values))
    with tempfile.TemporaryDirectory() as d:
        model.save_pretrained(d)
        return {"config.json": json.load(open(d + "/config.json")), "model.safetensors": header(d + "/model.safetensors")}, model.num_parameters()


def counted(module): return sum(p.numel() for p in module.parameters())


def folder(name, *modules, verdict="agrees", **more):
    """Combines (type, place, files, parameters) of each module."""
    index = [{"idx": i, "name": str(i), "path": place, "type": kind} for i, (kind, place, _, _) in enumerate(modules)]
    files = {"modules.json": index}
    for _, place, own, _ in modules: files.update({os.path.join(place, n): f for n, f in own.items()})
    return {"name": name, "total_parameters": sum(m[3] for m in modules), "files": {**files, **more}, "verdict": verdict}


def module(place, m, kind=None):
    return kind or type(m).__module__ + "." + type(m).__name__, place, saved(m), counted(m)


def late_dense():
    """PyLate's Dense alone: the package has many dependencies that are not needed here."""
    home = importlib.util.find_spec("pylate").submodule_search_locations[0]
    spec = importlib.util.spec_from_file_location("pylate_dense", os.path.join(home, "models", "Dense.py"))
    spec.loader.exec_module(code := importlib.util.module_from_spec(spec))
    return code.Dense


def model2vec(rows, width, said, tensors):
    """As model2vec 0.8 writes it for sentence-transformers; (type, place, files, parameters)."""
    config = {"model_type": "model2vec", "architectures": ["StaticModel"], "tokenizer_name": "x", "apply_pca": width, "hidden_dim": width, "seq_length": 1000000,
              "normalize": True, **said}
    files = {"config.json": config, "tokenizer.json": counted_tokens(json.loads(tokenizer(43, ["more"])._tokenizer.to_str())),
             "model.safetensors": {"embeddings": ["F16", [rows, width]], **tensors}}
    return "sentence_transformers.models.StaticEmbedding", ".", files, rows * width + (44 if "weights" in tensors else 0)


def tables(pool):
    """Modules that look words up in a table, which has a row for each token, and the modules that follow."""
    import numpy
    from sentence_transformers.base.modules import Dense, Normalize
    from sentence_transformers.sentence_transformer.modules import CNN, Pooling, StaticEmbedding, WordEmbeddings
    from sentence_transformers.sentence_transformer.modules.tokenizer import WhitespaceTokenizer
    from sentence_transformers.sparse_encoder.modules import SparseStaticEmbedding
    words = WordEmbeddings(WhitespaceTokenizer(vocab=["w%d" % i for i in range(53)], stop_words=[]), numpy.zeros((53, 32), "float32"), update_embeddings=True)
    yield folder("words", module("0_WordEmbeddings", words), pool)
    yield folder("words cnn", module("", words), module("1_CNN", CNN(32, 11, [1, 3])), module("2_Pooling", Pooling(22)))
    static = StaticEmbedding(tokenizer(43, ["more", "still more"]), embedding_dim=20)
    yield folder("static dense", module("0_StaticEmbedding", static), module("1_Normalize", Normalize()), module("2_Dense", Dense(20, 9)))
    yield folder("static", module("", static), verdict="in part")
    yield folder("sparse static", module("0_SparseStaticEmbedding", SparseStaticEmbedding(tokenizer(47))))
    yield folder("model2vec", model2vec(44, 20, {}, {}))
    yield folder("model2vec weighted", model2vec(44, 20, {"embedding_dtype": "float16"}, {"weights": ["F32", [44]]}))
    yield folder("model2vec shared", model2vec(17, 20, {"vocabulary_quantization": 17}, {"weights": ["F64", [44]], "mapping": ["I64", [44]]}))


def cases():
    import torch
    from sentence_transformers.base.modules import Dense
    from sentence_transformers.sentence_transformer.modules import CNN, LSTM, Pooling, WeightedLayerPooling, WordWeights
    from sentence_transformers.sparse_encoder.modules import SparseAutoEncoder, SpladePooling
    sizes = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=37, vocab_size=61, max_position_embeddings=40)
    base = transformer("BertModel", **sizes)
    masked = transformer("BertForMaskedLM", **sizes)
    scores = transformer("BertForSequenceClassification", num_labels=1, **sizes)
    own = "sentence_transformers.base.modules.transformer.Transformer"
    first, words = (own, "", *base), (own, "", *masked)
    pool = module("1_Pooling", Pooling(32))
    splade = module("1_SpladePooling", SpladePooling("max"))
    yield folder("splade", words, splade)
    yield folder("splade of before", ("sentence_transformers.sparse_encoder.models.MLMTransformer", "", *masked),
                 module("1_SpladePooling", SpladePooling("max"), "sentence_transformers.sparse_encoder.models.SpladePooling"))
    yield folder("csr", first, pool, module("2_SparseAutoEncoder", SparseAutoEncoder(32, 129, 7)))
    yield folder("cross encoder", (own, "", *scores))
    yield folder("lstm", first, module("1_LSTM", LSTM(32, 12, 2)), module("2_Pooling", Pooling(24)))
    yield folder("lstm one way", first, module("1_LSTM", LSTM(32, 12, 1, bidirectional=False)), module("2_Pooling", Pooling(12)))
    yield folder("cnn", first, module("1_CNN", CNN(32, 11, [1, 3, 5])), module("2_Pooling", Pooling(33)))
    yield folder("weighted layers", first, module("1_WeightedLayerPooling", WeightedLayerPooling(32, 7, 2)), module("2_Pooling", Pooling(32)))
    yield folder("word weights", first, module("1_WordWeights", WordWeights(["a", "b", "cd"], {"a": 0.5})), module("2_Pooling", Pooling(32)))
    yield folder("dense around", first, pool, module("2_Dense", Dense(32, 24, use_residual=True)))
    yield folder("dense around nothing", first, pool, module("2_Dense", Dense(32, 32, use_residual=True)))
    yield from tables(pool)
    Late = late_dense()
    for name, values in (("colbert", {}), ("colbert around", {"use_residual": True})):
        yield folder(name, first, module("1_Dense", Late(32, 13, bias=False, activation_function=torch.nn.Identity(), **values), "pylate.models.Dense.Dense"))


def main():
    text = "".join(json.dumps(c, separators=(",", ":")) + "\n" for c in cases())
    subprocess.run(["zstd", "-q", "-19", "--long=27", "-f", "-o", OUT], input=text.encode(), check=True)


if __name__ == "__main__":
    main()

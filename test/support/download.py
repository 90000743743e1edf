"""Folders as downloaded: healthy ones with every kind of file, and each way in which one may run code.

    download.py healthy DIR        every kind of file next to a small Llama that agrees with its configuration
    download.py clean DIR          the same model with the usual files: none of them runs anything
    download.py NAME DIR           clean, and the danger NAME (download.py lists them)

Pickles here are written with pickletools' own opcodes or by classes with __reduce__: nothing runs them.
"""
import io
import json
import os
import pickle
import struct
import sys
import zipfile

LLAMA = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 8, "vocab_size": 16, "num_hidden_layers": 1,
         "num_attention_heads": 2, "intermediate_size": 12, "tie_word_embeddings": False, "torch_dtype": "float32", "bos_token_id": 1, "eos_token_id": 2}
LAYER = [("self_attn.%s_proj.weight" % m, [8, 8]) for m in "qkvo"] + [("mlp.gate_proj.weight", [12, 8]), ("mlp.up_proj.weight", [12, 8]),
         ("mlp.down_proj.weight", [8, 12]), ("input_layernorm.weight", [8]), ("post_attention_layernorm.weight", [8])]
TENSORS = [("model.embed_tokens.weight", [16, 8]), ("lm_head.weight", [16, 8]), ("model.norm.weight", [8])] + \
    [("model.layers.0." + n, s) for n, s in LAYER]
TOKENIZER = {"version": "1.0", "added_tokens": [], "pre_tokenizer": None, "model": {"type": "BPE", "vocab": {chr(97 + i): i for i in range(16)}, "merges": []}}
# macros, namespaces, loops, exceptions, dates and words with underscores, as in healthy templates
TEMPLATE = """{%- macro render(message) -%}{{ '<|' ~ message['role'] ~ '|>' }}{%- endmacro -%}
{%- set ns = namespace(system='', found=false) -%}{#- __class__ in a comment -#}
{%- if messages[0].role == 'system' %}{% set ns.system = messages[0]['content'] | trim %}{% set messages = messages[1:] %}{% endif -%}
{{- bos_token }}Date: {{ strftime_now('%d %b %Y') }} __begin__ of text that says __class__
{%- for message in messages -%}
{%- if message['role'] not in ['user', 'assistant', 'tool'] %}{{ raise_exception('no import from ' + message.role) }}{% endif -%}
{{- render(message) }}{{ message.content if message.content is string else message.content | map(attribute='text') | join('__') }}
{%- if message.tool_calls is defined %}{% for call in message.tool_calls %}{{ {'name': call.function.name, 'arguments': call.function.arguments | tojson} }}{% endfor %}{% endif -%}
{%- endfor -%}
{%- raw %}{{ x.__class__ }}{% endraw -%}
{%- if add_generation_prompt %}{{ '<|assistant|>__' }}{% endif -%}
"""


def put(folder, name, data):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data if isinstance(data, bytes) else (data if isinstance(data, str) else json.dumps(data)).encode())


def weights(tensors=TENSORS):
    head, at = {}, 0
    for name, shape in tensors:
        n = 4
        for d in shape: n *= d
        head[name] = {"dtype": "F32", "shape": shape, "data_offsets": [at, at + n]}
        at += n
    text = json.dumps(head).encode()
    return struct.pack("<Q", len(text)) + text + b"\x01" * at


def zipped(entries, compressed=False):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED) as z:
        for name, data in entries.items(): z.writestr(name, data)
    return out.getvalue()


class Runs:
    """Pickles as a call of `what`, which is never made."""
    def __init__(self, what, *args): self.call = what, args
    def __reduce__(self): return self.call


STORAGES = b"\x80\x02ccollections\nOrderedDict\nq\x00)Rq\x01(X\x01\x00\x00\x00aq\x02ctorch._utils\n_rebuild_tensor_v2\nq\x03)Rq\x04u."


def torch(data=STORAGES, **more): return zipped({"archive/data.pkl": data, "archive/data/0": b"\0" * 8, "archive/version": "3\n"}, **more)


def gguf(templates):
    def text(s): return struct.pack("<Q", len(s)) + s
    pairs = [(b"general.architecture", b"llama")] + templates
    return b"GGUF" + struct.pack("<IQQ", 3, 0, len(pairs)) + b"".join(text(k) + struct.pack("<I", 8) + text(v) for k, v in pairs)


def clean(d):
    put(d, "model.safetensors", weights())
    for name, data in (("config.json", LLAMA), ("generation_config.json", {"bos_token_id": 1, "eos_token_id": [2, 3], "transformers_version": "4.46.0"}),
                       ("tokenizer.json", TOKENIZER), ("tokenizer_config.json", {"tokenizer_class": "LlamaTokenizer", "chat_template": TEMPLATE}),
                       ("special_tokens_map.json", {"bos_token": "a"}), ("chat_template.jinja", TEMPLATE), ("README.md", "---\nlicense: mit\n---\n# A model\nimport os\n"),
                       ("LICENSE", "Apache License\n"), (".gitattributes", "*.safetensors filter=lfs\n"), ("picture.png", b"\x89PNG\r\n\x1a\n\0\0")):
        put(d, name, data)


def healthy(d):
    clean(d)
    infinite = json.dumps(dict(LLAMA, time_step_limit=[0.0, float("inf")]))
    pieces = b"".join(b"\n\x08\n\x01a\x15\0\0\0\0" for _ in range(3)) + b"\x12\x02\x08\x01"
    for name, data in (
            ("config.json", infinite), ("vocab.json", {"a%d" % i: i for i in range(100)}), ("merges.txt", "#version: 0.2\nĠ t\n"),
            ("added_tokens.json", {"<x>": 5}), ("tokenizer.model", pieces), ("tiktoken/tokenizer.model", "IQ== 0\nIg== 1\n"),
            ("preprocessor_config.json", {"image_processor_type": "CLIPImageProcessor"}), ("processor_config.json", {"processor_class": "LlavaProcessor"}),
            ("pytorch_model.bin.index.json", {"metadata": {}, "weight_map": {"a": "pytorch_model-00001-of-00001.bin"}}),
            ("pytorch_model-00001-of-00001.bin", torch()), ("modeling_x.py", "import os\n"), ("__init__.py", ""), ("params.json", {"dim": 8, "n_layers": 1}),
            ("adapter_config.json", {"peft_type": "LORA", "base_model_name_or_path": "org/base"}), ("model_index.json", {"_class_name": "XPipeline"}),
            ("unet/config.json", {"_class_name": "UNet2DConditionModel"}), ("modules.json", [{"idx": 0, "type": "sentence_transformers.models.Transformer"}]),
            ("1_Pooling/config.json", {"word_embedding_dimension": 8}), ("trainer_state.json", '{"global_step": 1000, "log_history": [{"loss": NaN}]}'),
            ("training_args.bin", torch()), ("optimizer.pt", torch()), ("old.pkl", pickle.dumps([1], 0)), ("new.pkl", pickle.dumps([1], 4)),
            ("photo.jpg", b"\xff\xd8\xff\xe0\0"), ("voice.wav", b"RIFF\0\0\0\0WAVEfmt "), ("paper.pdf", "%PDF-1.4\n"), ("table.parquet", b"PAR1\0\0"),
            ("arrays.npz", zipped({"a.npy": b"\x93NUMPY\1\0v\0{'descr': '<f4', }"})), ("model.onnx", b"\x08\x07\x12\x07pytorch:\x02\x08\x01"),
            ("flax_model.msgpack", b"\x81\xa1a\xc0\0"), ("tf_model.h5", b"\x89HDF\r\n\x1a\n"), ("lib.so", b"\x7fELF\2\1\1\0"), ("strange.xyz", b"\1\2\3\0\xff"),
            ("notes", "hello\nyou\n"), ("answers", {"a": 1}), ("events.out.tfevents.1", b"\x18\0\0\0\0\0\0\0\1")):
        put(d, name, data)


REACH = "{{ ''.__class__.__mro__[1].__subclasses__() }}"
# name: (the code that verify must report, its file, the file's content)
DANGERS = {
    "bin": ("pickle", "pytorch_model.bin", torch()),
    "pt": ("pickle", "model.pt", torch()),
    "pth": ("pickle", "consolidated.00.pth", torch()),
    "ckpt": ("pickle", "model.ckpt", torch()),
    "pkl": ("pickle", "extra.pkl", pickle.dumps({"a": 1}, 4)),
    "pkl-old": ("pickle", "extra.pkl", pickle.dumps({"a": 1}, 0)),
    "joblib": ("pickle", "head.joblib", pickle.dumps([1], 3)),
    "joblib-zlib": ("pickle", "head.joblib", b"\x78\x9c\x03\0\0\0\0\1"),
    "npy": ("pickle", "a.npy", b"\x93NUMPY\1\0v\0{'descr': '|O', 'fortran_order': False, 'shape': (1,), }"),
    "npz": ("pickle", "a.npz", zipped({"a.npy": b"\x93NUMPY\1\0v\0{'descr': '|O', }"})),
    "no-suffix": ("pickle", "weights", torch()),
    "legacy": ("pickle", "pytorch_model.bin", pickle.dumps(1, 2) + pickle.dumps(1001, 2) + pickle.dumps({"a": 1}, 2) + STORAGES + b"\0" * 8),
    "cut": ("pickle", "pytorch_model.bin", torch()[:90]),
    "system": ("pickle-imports", "pytorch_model.bin", torch(b"\x80\x02cposix\nsystem\n(S'true'\ntR.")),
    "eval": ("pickle-imports", "extra.pkl", pickle.dumps(Runs(eval, "1"), 4)),
    "stack": ("pickle-imports", "extra.pkl", b"\x80\x04\x8c\x02os\x94\x8c\x06system\x94\x93\x8c\x01xq\0\x85R."),
    "memo": ("pickle-imports", "extra.pkl", b"\x80\x04\x8c\x06system\x94\x8c\x02os\x94h\1h\0\x93)R."),
    "hidden": ("pickle-imports", "extra.pkl", b"\x80\x04\x8c\x02os\x8c\x06system\x8c\x0bcollections\x8c\x0bOrderedDict00\x93)R."),
    "dotted": ("pickle-imports", "extra.pkl", b"\x80\x04\x8c\x05torch\x8c\x09os.system\x93)R."),
    "second": ("pickle-imports", "pytorch_model.bin", pickle.dumps(1, 2) + b"\x80\x02cos\nsystem\n)R."),
    "protocol-0": ("pickle-imports", "extra.pkl", b"cos\nsystem\n(S'true'\ntR."),
    "inst": ("pickle-imports", "extra.pkl", b"(S'true'\nios\nsystem\n."),
    "deflated": ("pickle-imports", "pytorch_model.bin", torch(compressed=True)),
    "auto-map": ("remote-code", "config.json", dict(LLAMA, auto_map={"AutoModelForCausalLM": "modeling_x.XForCausalLM"})),
    "auto-map-elsewhere": ("remote-code", "config.json", dict(LLAMA, auto_map={"AutoModel": "org/repo--modeling_x.XModel"})),
    "auto-map-escaped": ("remote-code", "config.json", json.dumps(dict(LLAMA, auto_mapX={"AutoModel": "a.B"})).replace("auto_mapX", "auto\\u005fmap")),
    "auto-map-tokenizer": ("remote-code", "tokenizer_config.json", {"auto_map": {"AutoTokenizer": ["tokenization_x.XTokenizer", None]}}),
    "auto-map-processor": ("remote-code", "preprocessor_config.json", {"auto_map": {"AutoImageProcessor": "image_x.X"}}),
    "trust": ("remote-code", "config.json", dict(LLAMA, trust_remote_code=True)),
    "module": ("remote-code", "modules.json", [{"idx": 0, "name": "0", "path": "", "type": "custom_st.Transformer"}]),
    "py": ("code-file", "modeling_x.py", "class X: pass\n"),
    "py-below": ("code-file", "custom_generate/generate.py", "def generate(model): pass\n"),
    "template": ("template-reach", "tokenizer_config.json", {"chat_template": "{{ messages }}" + REACH}),
    "template-named": ("template-reach", "tokenizer_config.json", {"chat_template": [{"name": "default", "template": "{{ messages }}"}, {"name": "tool_use", "template": REACH}]}),
    "template-jinja": ("template-reach", "chat_template.jinja", "\n" + REACH),
    "template-json": ("template-reach", "chat_template.json", {"chat_template": REACH}),
    "template-more": ("template-reach", "additional_chat_templates/rag.jinja", REACH),
    "template-processor": ("template-reach", "processor_config.json", {"chat_template": REACH}),
    "template-attr": ("template-reach", "chat_template.jinja", "{{ messages|attr('x') }}"),
    "template-joined": ("template-reach", "chat_template.jinja", "{{ x['__cla' ~ 'ss__'] }}"),
    "template-include": ("template-reach", "chat_template.jinja", "{% include 'x' %}"),
    "keras": ("keras-lambda", "model.keras", zipped({"config.json": '{"class_name": "Functional", "layers": [{"class_name": "Lambda"}]}'})),
    "h5": ("keras-lambda", "tf_model.h5", b"\x89HDF\r\n\x1a\n" + b'{"class_name": "Lambda"}'),
    "so": ("native-code", "kernel.so", b"\x7fELF\2\1\1\0" + b"\0" * 8),
    "broken": ("review-unread", "tokenizer_config.json", '{"chat_template": "'),
}


def main():
    if len(sys.argv) != 3:
        print("\n".join(["healthy", "clean"] + list(DANGERS)))
        return
    name, d = sys.argv[1:]
    if name in ("healthy", "clean"): return globals()[name](d)
    clean(d)
    put(d, *DANGERS[name][1:])


if __name__ == "__main__": main()

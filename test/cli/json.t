# The JSON contract of design.md.
$ numel fixtures/llama-2-7b --json
{"schema": "numel.show/1",
 "judgement": {"kind":"model","verdict":"agrees","architecture":"llama","name":"LlamaForCausalLM","known_by":"configuration","causes":[]},
 "name": null,
 "path": "fixtures/llama-2-7b",
 "format": "safetensors",
 "context_length": 4096,
 "bytes": 13476864776,
 "verdict": "agrees",
 "files": [
  {"path":"fixtures/llama-2-7b/model-00001-of-00002.safetensors.head.zst","bytes":9976570304,"header_bytes":25024,"tensors":217,"data":"absent","data_bytes":9976545280,"padding":0,"gaps":0,"overlap":0,"trailing":0,"missing":0,"header_only":true,"compressed":true,"version":null,"big_endian":null},
  {"path":"fixtures/llama-2-7b/model-00002-of-00002.safetensors.head.zst","bytes":3500294472,"header_bytes":8520,"tensors":74,"data":"absent","data_bytes":3500285952,"padding":0,"gaps":0,"overlap":0,"trailing":0,"missing":0,"header_only":true,"compressed":true,"version":null,"big_endian":null}],
 "architecture": {"name":"llama","spec":"llama","from":"config.json","class":"LlamaForCausalLM"},
 "counts": {"tensors":291,"stored":6738415616,"logical":6738415616,"unique":6738415616,"parameters":6738415616,"buffers":0,"non_embedding":6607343616,"active":6738415616},
 "dtypes": {
  "F16": {"tensors":291,"elements":6738415616,"bytes":13476831232}},
 "quantization": null,
 "solutions": [],
 "ground": {"shape":291,"name":0,"none":0},
 "adapter": null,
 "mixture": [],
 "groups": [
  {"name":"lm_head.weight","repeats":1,"tensors":1,"each":131072000,"elements":131072000,"bytes":262144000},
  {"name":"model.embed_tokens.weight","repeats":1,"tensors":1,"each":131072000,"elements":131072000,"bytes":262144000},
  {"name":"model.layers.[0-31]","repeats":32,"tensors":288,"each":202383360,"elements":6476267520,"bytes":12952535040},
  {"name":"model.norm.weight","repeats":1,"tensors":1,"each":4096,"elements":4096,"bytes":8192}],
 "around": [],
 "findings": [
  {"code":"data-absent","severity":"note","file":"","tensor":"","offset":null,"message":"header-only copies: the tensor data was left out on purpose","level":"size","cause":null}]}
$ numel fixtures/llama-2-7b fixtures/gpt2 --json --by dtype
[
{"schema": "numel.show/1",
 "judgement": {"kind":"model","verdict":"agrees","architecture":"llama","name":"LlamaForCausalLM","known_by":"configuration","causes":[]},
 "name": null,
 "path": "fixtures/llama-2-7b",
 "format": "safetensors",
 "context_length": 4096,
 "bytes": 13476864776,
 "verdict": "agrees",
 "files": [
  {"path":"fixtures/llama-2-7b/model-00001-of-00002.safetensors.head.zst","bytes":9976570304,"header_bytes":25024,"tensors":217,"data":"absent","data_bytes":9976545280,"padding":0,"gaps":0,"overlap":0,"trailing":0,"missing":0,"header_only":true,"compressed":true,"version":null,"big_endian":null},
  {"path":"fixtures/llama-2-7b/model-00002-of-00002.safetensors.head.zst","bytes":3500294472,"header_bytes":8520,"tensors":74,"data":"absent","data_bytes":3500285952,"padding":0,"gaps":0,"overlap":0,"trailing":0,"missing":0,"header_only":true,"compressed":true,"version":null,"big_endian":null}],
 "architecture": {"name":"llama","spec":"llama","from":"config.json","class":"LlamaForCausalLM"},
 "counts": {"tensors":291,"stored":6738415616,"logical":6738415616,"unique":6738415616,"parameters":6738415616,"buffers":0,"non_embedding":6607343616,"active":6738415616},
 "dtypes": {
  "F16": {"tensors":291,"elements":6738415616,"bytes":13476831232}},
 "quantization": null,
 "solutions": [],
 "ground": {"shape":291,"name":0,"none":0},
 "adapter": null,
 "mixture": [],
 "groups": [
  {"name":"F16","repeats":1,"tensors":291,"each":6738415616,"elements":6738415616,"bytes":13476831232}],
 "around": [],
 "findings": [
  {"code":"data-absent","severity":"note","file":"","tensor":"","offset":null,"message":"header-only copies: the tensor data was left out on purpose","level":"size","cause":null}]}
,{"schema": "numel.show/1",
 "judgement": {"kind":"model","verdict":"agrees","architecture":"gpt2","name":"GPT2LMHeadModel","known_by":"configuration","causes":[]},
 "name": null,
 "path": "fixtures/gpt2/model.safetensors.head.zst",
 "format": "safetensors",
 "context_length": 1024,
 "bytes": 548105232,
 "verdict": "agrees",
 "files": [
  {"path":"fixtures/gpt2/model.safetensors.head.zst","bytes":548105232,"header_bytes":14352,"tensors":160,"data":"absent","data_bytes":548090880,"padding":0,"gaps":0,"overlap":0,"trailing":0,"missing":0,"header_only":true,"compressed":true,"version":null,"big_endian":null}],
 "architecture": {"name":"gpt2","spec":"gpt2","from":"config.json","class":"GPT2LMHeadModel"},
 "counts": {"tensors":160,"stored":137022720,"logical":137022720,"unique":137022720,"parameters":124439808,"buffers":12582912,"non_embedding":85056000,"active":124439808},
 "dtypes": {
  "F32": {"tensors":160,"elements":137022720,"bytes":548090880}},
 "quantization": null,
 "solutions": [],
 "ground": {"shape":160,"name":0,"none":0},
 "adapter": null,
 "mixture": [],
 "groups": [
  {"name":"F32","repeats":1,"tensors":160,"each":137022720,"elements":137022720,"bytes":548090880}],
 "around": [],
 "findings": [
  {"code":"data-absent","severity":"note","file":"","tensor":"","offset":null,"message":"a header-only copy: the tensor data was left out on purpose","level":"size","cause":null}]}
]
$ numel tensors fixtures/gpt2 --json --match 'h.11.*.bias'
{"name":"h.11.attn.bias","dtype":"F32","shape":[1,1,1024,1024],"elements":1048576,"bytes":4194304,"offset":97651728,"file":"fixtures/gpt2/model.safetensors.head.zst","role":"buffer.mask","class":"buffer","bytes_inferred":false,"ground":"shape","logical":1048576,"layout":null,"judgement":{"kind":"model","verdict":"agrees","architecture":"gpt2","name":"GPT2LMHeadModel","known_by":"configuration","causes":[]}}
{"name":"h.11.attn.c_attn.bias","dtype":"F32","shape":[2304],"elements":2304,"bytes":9216,"offset":101846032,"file":"fixtures/gpt2/model.safetensors.head.zst","role":"attn.qkv.bias","class":"weight","bytes_inferred":false,"ground":"shape","logical":2304,"layout":null}
{"name":"h.11.attn.c_proj.bias","dtype":"F32","shape":[768],"elements":768,"bytes":3072,"offset":108933136,"file":"fixtures/gpt2/model.safetensors.head.zst","role":"attn.o.bias","class":"weight","bytes_inferred":false,"ground":"shape","logical":768,"layout":null}
{"name":"h.11.ln_1.bias","dtype":"F32","shape":[768],"elements":768,"bytes":3072,"offset":111295504,"file":"fixtures/gpt2/model.safetensors.head.zst","role":"norm.attn.bias","class":"weight","bytes_inferred":false,"ground":"shape","logical":768,"layout":null}
{"name":"h.11.ln_2.bias","dtype":"F32","shape":[768],"elements":768,"bytes":3072,"offset":111301648,"file":"fixtures/gpt2/model.safetensors.head.zst","role":"norm.mlp.bias","class":"weight","bytes_inferred":false,"ground":"shape","logical":768,"layout":null}
{"name":"h.11.mlp.c_fc.bias","dtype":"F32","shape":[3072],"elements":3072,"bytes":12288,"offset":111307792,"file":"fixtures/gpt2/model.safetensors.head.zst","role":"mlp.up.bias","class":"weight","bytes_inferred":false,"ground":"shape","logical":3072,"layout":null}
{"name":"h.11.mlp.c_proj.bias","dtype":"F32","shape":[768],"elements":768,"bytes":3072,"offset":120757264,"file":"fixtures/gpt2/model.safetensors.head.zst","role":"mlp.down.bias","class":"weight","bytes_inferred":false,"ground":"shape","logical":768,"layout":null}
$ numel meta fixtures/llama-3.1-8b-q4_k_m --json tokenizer.ggml.tokens
{"schema": "numel.meta/1",
 "path": "fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst",
 "judgement": {"kind":"model","verdict":"agrees","architecture":"llama","name":"llama","known_by":"metadata","causes":[]},
 "entries": [
  {"key":"tokenizer.ggml.tokens","type":"array<string>","count":128256,"value":["tok0","tok1","tok2"],"file":"fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst"}],
 "config": []}
$ numel show $T/none --json 2>/dev/null | sed "s:$T:T:g"
{"schema": "numel.error/1",
 "path": "T/none",
 "error": {"code":"IO","file":"T/none","offset":null,"message":"cannot open: No such file or directory"}}
# Several checkpoints: one object per line, unreadable inputs included.
$ mkdir $T/j; hex fixtures/good/gguf/llama-tiny.hex > $T/j/a.gguf; cp $T/j/a.gguf $T/j/b.gguf; head -c 90 $T/j/a.gguf > $T/j/c.gguf; cd $T/j; numel tensors --json a.gguf c.gguf b.gguf 2>/dev/null | while read -r l; do printf '%s\n' "$l" | python3 -m json.tool >/dev/null && echo line; done | sort | uniq -c | tr -s ' '
 27 line

# The facts that people quote, at the top of `show`: parameters, context, size, quantization. The name of a
# quantization follows from the shapes; unknown facts are omitted, and null in JSON.

$ numel fixtures/llama-3.1-8b | sed -n '/^architecture/,/^tensors/p'
architecture  llama (LlamaForCausalLM, by config.json)
parameters    8,030,261,248 (8.03 B)
context       131,072 tokens (max_position_embeddings), extended from 8,192 by llama3
size          14.96 GiB
tensors       291
# the same model packed, and as GGUF: the same parameters, the same context
$ for m in llama-3.1-8b-w4a16 llama-3.1-8b-bnb-4bit llama-3.1-8b-q4_k_m; do numel fixtures/$m | grep -E '^(parameters|context|size|quantization|packed) '; done
parameters    8,030,261,248 (8.03 B)
context       131,072 tokens (max_position_embeddings), extended from 8,192 by llama3
size          5.34 GiB
quantization  GPTQ 4-bit, group 128, symmetric (by config.json)
packed        224 modules, 4.16 bits per weight, 5.71 over the whole file
parameters    8,030,261,248 (8.03 B)
context       131,072 tokens (max_position_embeddings), extended from 8,192 by llama3
size          5.31 GiB
quantization  bnb NF4 (bitsandbytes) (by config.json)
packed        224 modules, 4.13 bits per weight, 5.68 over the whole file
parameters    8,030,261,248 (8.03 B)
context       131,072 tokens (context_length)
size          4.58 GiB
quantization  Q4_K_M (by general.file_type)
packed        226 tensors, 4.89 bits per weight, 4.89 over the whole file
# a mixture's active parameters
$ numel fixtures/mixtral-8x7b | grep '^parameters'
parameters    46,702,792,704 (46.70 B), 12,879,925,248 (12.88 B) active
$ numel fixtures/mixtral-8x7b --json | grep -E '^ "(context_length|bytes)"'
 "context_length": 32768,
 "bytes": 93405713504,
$ numel fixtures/llama-3.1-8b-w4a16 --json | grep -o '"name":"GPTQ[^}]*'
"name":"GPTQ 4-bit, group 128"

# extended positions: yarn counts from the original, 4 x 32,768; linear and dynamic multiply, 8 x 4,096; for
# longrope and llama3 the number already includes it; invalid values are ignored
$ for s in '"max_position_embeddings":32768,"rope_scaling":{"type":"yarn","factor":4.0,"original_max_position_embeddings":32768}' '"max_position_embeddings":131072,"rope_scaling":{"rope_type":"yarn","factor":4.0,"original_max_position_embeddings":32768}' '"max_position_embeddings":4096,"rope_scaling":{"type":"linear","factor":8}' '"max_position_embeddings":4096,"rope_scaling":{"type":"dynamic","factor":2.5}' '"max_position_embeddings":131072,"original_max_position_embeddings":4096,"rope_scaling":{"type":"longrope","factor":32}' '"max_position_embeddings":4096,"rope_scaling":null' '"max_position_embeddings":4096,"rope_parameters":{"rope_type":"default","factor":9}' '"max_position_embeddings":8192,"model_max_length":131072' '"max_position_embeddings":"many"' '"max_position_embeddings":-1'; do mkdir -p $T/m; cp fixtures/gptq-tiny/model* $T/m; sed "s/^{/{$s,/" fixtures/gptq-tiny/config.json > $T/m/config.json; numel $T/m 2>/dev/null | grep '^context' || echo none; numel --json $T/m 2>/dev/null | grep -o '"context_length": [a-z0-9]*'; done
context       131,072 tokens (max_position_embeddings), extended from 32,768 by yarn
"context_length": 131072
context       131,072 tokens (max_position_embeddings), extended from 32,768 by yarn
"context_length": 131072
context       32,768 tokens (max_position_embeddings), extended from 4,096 by linear
"context_length": 32768
context       10,240 tokens (max_position_embeddings), extended from 4,096 by dynamic
"context_length": 10240
context       131,072 tokens (max_position_embeddings), extended from 4,096 by longrope
"context_length": 131072
context       4,096 tokens (max_position_embeddings)
"context_length": 4096
context       4,096 tokens (max_position_embeddings)
"context_length": 4096
context       131,072 tokens (model_max_length)
"context_length": 131072
none
"context_length": null
none
"context_length": null

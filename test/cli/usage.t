# Usage errors are status 2, wherever they are detected: also in the library, when it reads a plan after opening a
# file.
$ numel memory fixtures/gpt2 --kv q9
numel: fixtures/gpt2/model.safetensors.head.zst: --kv: keys and values are stored as f16, bf16, f32, f64, fp8, q8_0, q5_1, q5_0, q4_1, q4_0 or iq4_nl; not 'q9'
[2]
$ numel memory fixtures/gpt2 --load f8
numel: fixtures/gpt2/model.safetensors.head.zst: --load takes as-is, f16, bf16 or f32; not 'f8'
[2]
$ numel memory fixtures/gpt2 --train adamx
numel: fixtures/gpt2/model.safetensors.head.zst: --train takes adamw, adamw-f32, adamw-bf16, adam8bit, sgd or lora:RANK; not 'adamx'
[2]
$ numel memory fixtures/gpt2 --runtime vlm
numel memory: --runtime takes one of transformers, llama.cpp, vllm; not 'vlm': did you mean 'vllm'?
[2]
$ numel memory fixtures/gpt2 --offload many
numel: fixtures/gpt2/model.safetensors.head.zst: --offload takes a number of layers; not 'many'
[2]
$ numel memory fixtures/gpt2 --gpus 24GiBx2
numel: fixtures/gpt2/model.safetensors.head.zst: --gpus '24GiBx2': did you mean 2x24GiB?
[2]
$ numel memory fixtures/gpt2 --gpus 24GiB+24GiB
numel: fixtures/gpt2/model.safetensors.head.zst: --gpus takes a size for each device, like 24GiB,16GiB, or a count and a size, like 2x24GiB; not '24GiB+24GiB'
[2]
$ numel reconcile fixtures/gpt2 --set V
numel: fixtures/gpt2/model.safetensors.head.zst: 'V' is not NAME=VALUE
[2]
$ numel print fixtures/gpt2 --as new
numel: fixtures/gpt2/model.safetensors.head.zst: 'new' is not a version of transformers, like 5.2
[2]
$ numel memory fixtures/gpt2 fixtures/gpt2
usage: numel memory [PATH|CONFIG]
[2]
$ numel formula
numel: nothing to read: give a path, --config FILE, or --arch NAME with --set SYM=N
[2]
$ numel memory --json
numel: nothing to read: give a path, --config FILE, or --arch NAME with --set SYM=N
[2]
# Several inputs, none of them at fault; and a component of a pipeline.
$ numel reconcile fixtures/gpt2 fixtures/qwen3-0.6b --set V -q
numel: fixtures/gpt2/model.safetensors.head.zst: 'V' is not NAME=VALUE
numel: fixtures/qwen3-0.6b/model.safetensors.head.zst: 'V' is not NAME=VALUE
[2]
# The architecture that may have been meant; an unlike name has none.
$ numel formula --arch llamma
numel: unknown architecture 'llamma'; did you mean 'llama'?
[2]
$ numel reconcile fixtures/gpt2 --arch gtp2
numel: fixtures/gpt2/model.safetensors.head.zst: unknown architecture 'gtp2'; did you mean 'gpt2'?
[2]
$ numel diff fixtures/gpt2 fixtures/llama-3.1-8b-q4_k_m --arch gtp2
numel: unknown architecture 'gtp2'; did you mean 'gpt2'?
[2]
$ numel verify fixtures/gpt2 --arch qwem -q
numel: fixtures/gpt2/model.safetensors.head.zst: unknown architecture 'qwem'; did you mean 'qwen'?
[2]
$ numel spec show llamma
numel: unknown architecture 'llamma'; did you mean 'llama'?
[2]
$ numel formula --arch nothing
numel: unknown architecture 'nothing'; see 'numel spec list'
[2]
# ... and three valid ones: a specification, with sizes, and a quantizer's layout
$ numel formula -q --arch llama --set E=8 --set L=1 --set H=2 --set F=8 --set V=4
536
$ numel spec show gptq | grep -c "^match"
1
$ numel reconcile -q fixtures/gpt2 --arch gpt2
0
# A size without a unit is bytes, and below 1 MiB it is refused: people mean GiB, which numel never assumes.
$ numel memory fixtures/gpt2 --fit 24
numel memory: --fit 24 is 24 bytes: did you mean 24GiB?
[2]
$ numel memory fixtures/gpt2 --fit 4090
numel memory: --fit 4090 is 4090 bytes: give it a unit, like 24GiB or 500MB
[2]
$ numel memory fixtures/gpt2 --fit 512KiB
numel memory: --fit takes at least 1048576 bytes, like 100000000, 100MB or 1GiB, not '512KiB'
[2]
$ numel list fixtures/gpt2 --fit 8
numel list: --fit 8 is 8 bytes: did you mean 8GiB?
[2]
$ numel memory fixtures/gpt2 --gpus 24
numel: fixtures/gpt2/model.safetensors.head.zst: --gpus '24': no device has 24 bytes; did you mean 24GiB?
[2]
$ numel memory fixtures/gpt2 --gpus 2x24
numel: fixtures/gpt2/model.safetensors.head.zst: --gpus '2x24': no device has 24 bytes; did you mean 24GiB?
[2]
$ numel memory fixtures/gpt2 --gpus 24GiB,16
numel: fixtures/gpt2/model.safetensors.head.zst: --gpus '24GiB,16': no device has 16 bytes; did you mean 16GiB?
[2]
$ numel memory fixtures/gpt2 --gpus 4090
numel: fixtures/gpt2/model.safetensors.head.zst: --gpus '4090': no device has 4090 bytes; give each size a unit, like 24GiB
[2]
# ... valid sizes: with a unit, bytes in full, and the smallest allowed
$ numel memory fixtures/gpt2 --fit 24GiB | grep ^fits
fits         yes, up to a context of 341,907; or 283 sequences at this one
$ numel memory fixtures/gpt2 --fit 25769803776 | grep ^fits
fits         yes, up to a context of 341,907; or 283 sequences at this one
$ numel memory fixtures/gpt2 --fit 1MiB | grep ^fits
fits         no: the weights alone take more
$ numel memory fixtures/gpt2 --gpus 25769803776 | grep ^device
device  layers     weights      cache       total         of
# explain's number, in either order; if neither is a number, the first is at fault.
$ numel explain -q 124.44M fixtures/gpt2
0
$ numel explain -q fixtures/gpt2 124.44M
0
$ numel explain -q fixtures/gpt2 fixtures/qwen3-0.6b 124.44M
0
6999488
[1]
$ numel explain fixtures/gpt2 fixtures/qwen3-0.6b
numel: 'fixtures/gpt2' is not a number; write it like 6738415616, 6,738,415,616, 6738.4M, 7B, 1.5e9
[2]
# A word for the version; a file of that name is a file.
$ numel version
numel 0.3.0
$ cd $T; cp "$OLDPWD"/fixtures/gpt2/model.safetensors.head.zst version; numel -q version
137022720
# Other tools' names for an option.
$ numel verify fixtures/gpt2 --deep
numel verify: no option '--deep'; did you mean '--level hash'?
[2]
$ numel memory fixtures/gpt2 --ctx-size 4096
numel memory: no option '--ctx-size'; did you mean '--context'?
[2]
# A URL of the hub, of a file elsewhere, of what is not read; a folder with that name is a folder.
$ numel https://huggingface.co/org/model
numel: hf://org/model: no such repository or revision: hf://org/model
[3]
$ numel show https://huggingface.co/org/model/resolve/main/model.safetensors
numel: hf://org/model@main: no such repository or revision: hf://org/model@main
[3]
$ numel verify http://example.org/model.gguf
numel: http://example.org/model.gguf: is http:// to another machine, which anyone on the way can change: use https://
[2]
$ numel list s3://bucket/model
numel: s3://bucket/model: is a URL: numel reads files on this disk; download it first
total  0 checkpoints, 0 files, 0 B, 0 parameters; 1 could not be read
[3]
$ numel formula https://huggingface.co/org/model/raw/main/config.json
numel: hf://org/model@main: no such repository or revision: hf://org/model@main
[3]
$ cd $T; mkdir https:; cp "$OLDPWD"/fixtures/gpt2/model.safetensors.head.zst https:; numel -q https://model.safetensors.head.zst
137022720
# A metadata key without its architecture prefix; two with that ending; none.
$ numel meta fixtures/llama-3.1-8b-q4_k_m block_count
key                type  value
llama.block_count  u32   32
$ numel meta -q fixtures/llama-3.1-8b-q4_k_m llama.block_count
32
$ cd $T; mkdir two; python3 "$OLDPWD"/test/support/st.py two/model.safetensors w:F32:4:0; echo '{"text_config":{"hidden_size":4},"vision_config":{"hidden_size":8,"depth":2},"hidden_size_in":2}' > two/config.json; numel meta two hidden_size; numel meta -q two depth
numel: two/model.safetensors: no key hidden_size; did you mean one of text_config.hidden_size, vision_config.hidden_size?
2
$ numel meta fixtures/llama-3.1-8b-q4_k_m count
numel: fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst: no key count in the metadata or in config.json; give no key to list them all
[3]
# --set accepts a symbol of the specification, or a key of the configuration or its class; a name that no model has
# is a typing error.
$ numel reconcile fixtures/gpt2 --set Z=3
numel: --set: gpt2 has no symbol Z: E, L, P, V, F, or a key of its configuration
[2]
$ numel memory fixtures/gpt2 --set hidden_sise=3
numel: --set: gpt2 has no symbol hidden_sise: E, L, P, V, F, or a key of its configuration
[2]
$ numel formula -q --arch llama --set E=8 --set L=1 --set H=2 --set F=8 --set V=4 --set Q=2
numel: --set: llama has no symbol Q: E, L, H, K, D, F, V, or a key of its configuration
[2]
$ numel verify -q fixtures/llama-3.1-8b-q4_k_m --set Q=3
numel: --set: llama has no symbol Q: E, L, H, K, D, Dv, F, V, R, or a key of its configuration
[2]
$ numel reconcile -q fixtures/gpt2 fixtures/llama-3.1-8b --set rope_theat=3
numel: --set: gpt2 has no symbol rope_theat: E, L, P, V, F, or a key of its configuration
0
0
[2]
# ... a symbol, keys that no formula reads, keys of every configuration, of one part; keys of one model among
# several
$ numel reconcile -q fixtures/gpt2 --set L=12 --set layer_norm_epsilon=3 --set attn_pdrop=0 --set dtype=bfloat16 --set quantization_config.bits=4
0
$ numel reconcile -q fixtures/llama-3.1-8b-q4_k_m --set L=32 --set rope.freq_base=10000 --set llama.context_length=8192
0
$ numel reconcile -q fixtures/gpt2 fixtures/llama-3.1-8b --set rope_theta=3
0
0
$ echo '{"model_type":"llava","text_config":{"model_type":"llama"},"vision_config":{"model_type":"clip_vision_model"}}' > $T/llava.json; numel formula -q $T/llava.json --set text_config.rope_theta=3 --set vision_config.hidden_act=gelu --set text_config.num_hidden_layers=2; numel formula -q $T/llava.json --set vision_config.hidden_akt=gelu
774301952
numel: --set: llava has no symbol vision_config.hidden_akt: E, nf, vE, vL, vF, vP, vC, vG, L, H, K, D, or a key of its configuration
[2]
# ... an unknown architecture has no symbols to compare with
$ echo '{"model_type":"unheard"}' > $T/unheard.json; cd $T; python3 "$OLDPWD"/test/support/st.py model.safetensors w:F32:4:0; numel reconcile -q . -c unheard.json --set Q=3
[4]

# Expected properties of a checkpoint. Llama 3.1 8B: 8,030,261,248 parameters (plus 64 stored of rope_freqs, a
# buffer), 32 layers, context 131,072; 4,919,563,296 bytes are 4.5817 GiB. GPT-2: 124,439,808 parameters.
$ numel -q fixtures/llama-3.1-8b-q4_k_m --expect params=8030261248,arch=llama,bits=4,quant=Q4_K_M,format=gguf,verdict=agrees
8030261312
$ numel -q fixtures/llama-3.1-8b-q4_k_m --expect params=8,030,261,248,stored=8030261312,unique=8030261312,buffers=64,tensors=292,layers=32,context=131072,files=1
8030261312
$ numel fixtures/gpt2 --expect params=124M,dtype=F32,bits=32,quant=none,layers=12,context=1024 | sed -n '/^expect/,/^$/p'
expect   expected        found
params       124M  124,439,808  matches within rounding
dtype         F32          F32  as expected
bits           32           32  as expected
quant        none         none  as expected
layers         12           12  as expected
context     1,024        1,024  as expected
# One more, one less, and the limits of rounding: 8.03B is 8,025,000,000 to 8,035,000,000.
$ numel -q fixtures/llama-3.1-8b-q4_k_m --expect params=8030261249
numel: fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst: params: expected 8,030,261,249, found 8,030,261,248
8030261312
[1]
$ numel -q fixtures/llama-3.1-8b-q4_k_m --expect params=8030261247
numel: fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst: params: expected 8,030,261,247, found 8,030,261,248
8030261312
[1]
$ numel -q fixtures/llama-3.1-8b-q4_k_m --expect params=8.03B,params=8B,params=8.0B,params=8.0303B,bytes=4.58GiB,bytes=4.92GB,bytes=4919563296
8030261312
$ numel -q fixtures/llama-3.1-8b-q4_k_m --expect params=8.02B,params=8.04B,params=7B,params=8.0302B,bytes=4.59GiB,bytes=4.91GB,bytes=4919563295
numel: fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst: params: expected 8.02B, found 8,030,261,248
numel: fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst: params: expected 8.04B, found 8,030,261,248
numel: fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst: params: expected 7B, found 8,030,261,248
numel: fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst: params: expected 8.0302B, found 8,030,261,248
numel: fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst: bytes: expected 4.59GiB, found 4,919,563,296
numel: fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst: bytes: expected 4.91GB, found 4,919,563,296
numel: fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst: bytes: expected 4,919,563,295, found 4,919,563,296
8030261312
[1]
$ numel -q fixtures/llama-3.1-8b-q4_k_m --expect bits=5,bits=4.88,bits=4.90,bits=4.8,arch=llam,arch=llama2,quant=Q4_K_S,quant=none,format=safetensors,dtype=Q4_K,layers=33
numel: fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst: bits: expected 5, found 4
numel: fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst: bits: expected 4.88, found 4.89
numel: fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst: bits: expected 4.90, found 4.89
numel: fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst: bits: expected 4.8, found 4.89
numel: fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst: arch: expected llam, found llama
numel: fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst: arch: expected llama2, found llama
numel: fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst: quant: expected Q4_K_S, found Q4_K_M
numel: fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst: quant: expected none, found Q4_K_M
numel: fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst: format: expected safetensors, found gguf
numel: fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst: dtype: expected Q4_K, found F32+Q4_K+Q6_K
numel: fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst: layers: expected 33, found 32
8030261312
[1]
$ numel -q fixtures/llama-3.1-8b-q4_k_m --expect bits=4.89,bits=4.9,arch=LLAMA,quant=q4_k_m,dtype=q6_k+F32+Q4_K
8030261312
$ numel -q fixtures/gptq-tiny --expect bits=4,group=32,method=gptq,quant=gptq-4bit,dtype=F16+I32; numel -q fixtures/gptq-tiny --expect bits=3,group=128,method=awq,quant=gptq-3bit,dtype=F16
39888
numel: fixtures/gptq-tiny/model.safetensors.head.zst: bits: expected 3, found 4
numel: fixtures/gptq-tiny/model.safetensors.head.zst: group: expected 128, found 32
numel: fixtures/gptq-tiny/model.safetensors.head.zst: method: expected awq, found gptq
numel: fixtures/gptq-tiny/model.safetensors.head.zst: quant: expected gptq-3bit, found gptq
numel: fixtures/gptq-tiny/model.safetensors.head.zst: dtype: expected F16, found I32+F16
39888
[1]
# An unknown value is not a match: 4 instead of 0; if something else differs, 1.
$ printf '%s\n' 'file m.safetensors' 'tensor odd.a F32 2 3' 'tensor odd.b F32 4' > $T/d; mkhead -q $T/d $T/u
total                                                     2 tensors                  10 elements         128 header                 168 bytes
$ cd $T/u; numel -q . --expect stored=10,params=10,arch=odd
numel: m.safetensors.head.zst: params: expected 10, found no value: no configuration (--config FILE, or --arch NAME with --set SYM=N)
numel: m.safetensors.head.zst: arch: expected odd, found no value: known neither from the files nor from the tensors
10
[4]
$ cd $T/u; numel -q . --expect stored=11,params=10
numel: m.safetensors.head.zst: stored: expected 11, found 10
numel: m.safetensors.head.zst: params: expected 10, found no value: no configuration (--config FILE, or --arch NAME with --set SYM=N)
10
[1]
$ cd $T/u; numel -q . --expect stored=10,tensors=2
10
# Unknown keys and values: 2, before anything is read.
$ numel $T/none --expect parms=1
numel show: --expect: unknown name 'parms'; use one of params, stored, logical, unique, buffers, active, tensors, files, bytes, arch, format, dtype, quant, method, bits, group, context, layers, verdict; did you mean 'params'?
[2]
$ numel $T/none --expect params=8.O3B
numel show: --expect: params=8.O3B: is not a number like 8030261248, 8,030,261,248 or 8.03B
[2]
$ numel $T/none --expect params=
numel show: --expect: params=: a value is missing
[2]
$ numel $T/none --expect params
numel show: --expect: 'params' is not KEY=VALUE
[2]
$ numel $T/none --expect ''
numel show: --expect takes a value, but it is empty
[2]
$ numel $T/none --expect params=1,,arch=x
numel show: --expect: params=1,: is not a number like 8030261248, 8,030,261,248 or 8.03B
[2]
$ numel $T/none --expect bits=4.125
numel show: --expect: bits=4.125: is not a number of bits like 4, 4.9 or 4.89
[2]
$ numel $T/none --expect params=-1
numel show: --expect: params=-1: is not a number like 8030261248, 8,030,261,248 or 8.03B
[2]
$ numel $T/none --expect format=gguff
numel show: --expect: format=gguff: is not one of safetensors, gguf, pytorch
[2]
$ numel $T/none --expect verdict=ok
numel show: --expect: verdict=ok: is not one of agrees, in-part, disagrees, unknown
[2]
$ numel verify $T/none --expect 'params=1,archh=llama'
numel verify: --expect: unknown name 'archh'; use one of params, stored, logical, unique, buffers, active, tensors, files, bytes, arch, format, dtype, quant, method, bits, group, context, layers, verdict; did you mean 'arch'?
[2]
# Several paths: each is checked; JSON has all three answers.
$ numel -q fixtures/gpt2 fixtures/llama-3.1-8b-q4_k_m --expect arch=gpt2
numel: fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst: arch: expected gpt2, found llama
137022720
8030261312
[1]
$ numel verify -q fixtures/gpt2 --expect params=124439808; numel verify -q fixtures/gpt2 --expect params=124439809
numel: fixtures/gpt2/model.safetensors.head.zst: params: expected 124,439,809, found 124,439,808
[1]
$ numel verify fixtures/gpt2 --expect layers=13,params=124M | tail -4
numel: fixtures/gpt2/model.safetensors.head.zst: layers: expected 13, found 12

expect  expected        found
layers        13           12  differs
params      124M  124,439,808  matches within rounding
$ numel verify --json fixtures/gpt2 --expect layers=13,params=124M,group=2 | sed -n '/"expect"/,/]/p'
numel: fixtures/gpt2/model.safetensors.head.zst: layers: expected 13, found 12
numel: fixtures/gpt2/model.safetensors.head.zst: group: expected 2, found no value: nothing is packed in groups
 "expect": [
  {"key":"layers","expected":13,"found":12,"ok":false},
  {"key":"params","expected":"124M","found":124439808,"ok":true},
  {"key":"group","expected":2,"found":null,"ok":null}]}
$ numel --json fixtures/gpt2 --expect 'params=124,439,808,arch=gpt2' | sed -n '/"expect"/,/]/p'; numel --json fixtures/gpt2 | grep -c '"expect"'
 "expect": [
  {"key":"params","expected":124439808,"found":124439808,"ok":true},
  {"key":"arch","expected":"gpt2","found":"gpt2","ok":true}],
0
[1]
# With yarn the context is the extended one, 4 x 32,768 = 131,072, not the value of a single key.
$ sed 's/"rope_scaling": null/"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}/' fixtures/qwen3-0.6b/config.json > $T/yarn.json; for n in 131072 40960 32768; do numel --config $T/yarn.json fixtures/qwen3-0.6b --expect context=$n > $T/said; echo "$n: $?"; done; grep ^context $T/said
131072: 0
numel: fixtures/qwen3-0.6b/model.safetensors.head.zst: context: expected 40,960, found 131,072
40960: 1
numel: fixtures/qwen3-0.6b/model.safetensors.head.zst: context: expected 32,768, found 131,072
32768: 1
context       131,072 tokens (max_position_embeddings), extended from 32,768 by yarn
context    32,768  131,072  differs

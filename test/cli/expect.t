# What a checkpoint is expected to be. Llama 3.1 8B: 8,030,261,248 parameters (with 64 of rope_freqs, a buffer, stored), 32
# layers, context 131,072; 4,919,563,296 bytes are 4.5817 GiB. GPT-2: 124,439,808 parameters.
$ numel -q fixtures/llama-3.1-8b-q4_k_m --expect params=8030261248,arch=llama,bits=4,quant=Q4_K_M,format=gguf,verdict=agrees
numel show: no option '--expect'; see 'numel show --help'
[2]
$ numel -q fixtures/llama-3.1-8b-q4_k_m --expect params=8,030,261,248,stored=8030261312,unique=8030261312,buffers=64,tensors=292,layers=32,context=131072,files=1
numel show: no option '--expect'; see 'numel show --help'
[2]
$ numel fixtures/gpt2 --expect params=124M,dtype=F32,bits=32,quant=none,layers=12,context=1024 | sed -n '/^expect/,/^$/p'
numel show: no option '--expect'; see 'numel show --help'
# One more, one less, the neighbours of what rounds to it: 8.03B is 8,025,000,000 to 8,035,000,000.
$ numel -q fixtures/llama-3.1-8b-q4_k_m --expect params=8030261249
numel show: no option '--expect'; see 'numel show --help'
[2]
$ numel -q fixtures/llama-3.1-8b-q4_k_m --expect params=8030261247
numel show: no option '--expect'; see 'numel show --help'
[2]
$ numel -q fixtures/llama-3.1-8b-q4_k_m --expect params=8.03B,params=8B,params=8.0B,params=8.0303B,bytes=4.58GiB,bytes=4.92GB,bytes=4919563296
numel show: no option '--expect'; see 'numel show --help'
[2]
$ numel -q fixtures/llama-3.1-8b-q4_k_m --expect params=8.02B,params=8.04B,params=7B,params=8.0302B,bytes=4.59GiB,bytes=4.91GB,bytes=4919563295
numel show: no option '--expect'; see 'numel show --help'
[2]
$ numel -q fixtures/llama-3.1-8b-q4_k_m --expect bits=5,bits=4.88,bits=4.90,bits=4.8,arch=llam,arch=llama2,quant=Q4_K_S,quant=none,format=safetensors,dtype=Q4_K,layers=33
numel show: no option '--expect'; see 'numel show --help'
[2]
$ numel -q fixtures/llama-3.1-8b-q4_k_m --expect bits=4.89,bits=4.9,arch=LLAMA,quant=q4_k_m,dtype=q6_k+F32+Q4_K
numel show: no option '--expect'; see 'numel show --help'
[2]
$ numel -q fixtures/gptq-tiny --expect bits=4,group=32,method=gptq,quant=gptq-4bit,dtype=F16+I32; numel -q fixtures/gptq-tiny --expect bits=3,group=128,method=awq,quant=gptq-3bit,dtype=F16
numel show: no option '--expect'; see 'numel show --help'
numel show: no option '--expect'; see 'numel show --help'
[2]
# What nobody knows is not so: 4, and not 0; where something else differs 1.
$ printf '%s\n' 'file m.safetensors' 'tensor odd.a F32 2 3' 'tensor odd.b F32 4' > $T/d; mkhead -q $T/d $T/u
total                                                     2 tensors                  10 elements         128 header                 168 bytes
$ cd $T/u; numel -q . --expect stored=10,params=10,arch=odd
numel show: no option '--expect'; see 'numel show --help'
[2]
$ cd $T/u; numel -q . --expect stored=11,params=10
numel show: no option '--expect'; see 'numel show --help'
[2]
$ cd $T/u; numel -q . --expect stored=10,tensors=2
numel show: no option '--expect'; see 'numel show --help'
[2]
# Keys and values that there are none of: 2, before anything is read.
$ numel $T/none --expect parms=1
numel show: no option '--expect'; see 'numel show --help'
[2]
$ numel $T/none --expect params=8.O3B
numel show: no option '--expect'; see 'numel show --help'
[2]
$ numel $T/none --expect params=
numel show: no option '--expect'; see 'numel show --help'
[2]
$ numel $T/none --expect params
numel show: no option '--expect'; see 'numel show --help'
[2]
$ numel $T/none --expect ''
numel show: no option '--expect'; see 'numel show --help'
[2]
$ numel $T/none --expect params=1,,arch=x
numel show: no option '--expect'; see 'numel show --help'
[2]
$ numel $T/none --expect bits=4.125
numel show: no option '--expect'; see 'numel show --help'
[2]
$ numel $T/none --expect params=-1
numel show: no option '--expect'; see 'numel show --help'
[2]
$ numel $T/none --expect format=gguff
numel show: no option '--expect'; see 'numel show --help'
[2]
$ numel $T/none --expect verdict=ok
numel show: no option '--expect'; see 'numel show --help'
[2]
$ numel verify $T/none --expect 'params=1,archh=llama'
numel verify: no option '--expect'; see 'numel verify --help'
[2]
# Several paths: each; JSON has all three answers.
$ numel -q fixtures/gpt2 fixtures/llama-3.1-8b-q4_k_m --expect arch=gpt2
numel show: no option '--expect'; see 'numel show --help'
[2]
$ numel verify -q fixtures/gpt2 --expect params=124439808; numel verify -q fixtures/gpt2 --expect params=124439809
numel verify: no option '--expect'; see 'numel verify --help'
numel verify: no option '--expect'; see 'numel verify --help'
[2]
$ numel verify fixtures/gpt2 --expect layers=13,params=124M | tail -4
numel verify: no option '--expect'; see 'numel verify --help'
$ numel verify --json fixtures/gpt2 --expect layers=13,params=124M,group=2 | sed -n '/"expect"/,/]/p'
numel verify: no option '--expect'; see 'numel verify --help'
$ numel --json fixtures/gpt2 --expect 'params=124,439,808,arch=gpt2' | sed -n '/"expect"/,/]/p'; numel --json fixtures/gpt2 | grep -c '"expect"'
numel show: no option '--expect'; see 'numel show --help'
0
[1]

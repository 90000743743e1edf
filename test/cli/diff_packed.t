# numel diff --values of packed weights: test/cli/diff/packed.py makes random codes, scales and zero points in the ways
# of several quantizers, and next to them the numbers that the quantizers' own code makes of them, in F32. All 7
# matrices are equal to the last bit; with one code of up_proj changed, one of its numbers differs.
$ python3 test/cli/diff/packed.py $T; cd $T; for n in *; do echo $n; numel diff --values $n/plain $n/packed | tail -1; numel diff --values --json $n/near $n/plain | python3 -c 'import json,sys; print([(t["name"][15:], t["differing"]) for t in json.load(sys.stdin)["values"]["tensors"] if t["differing"]])'; done
awq
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.qweight', 1)]
bnb-bf16
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.weight', 1)]
bnb-double
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.weight', 1)]
bnb-fp4
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.weight', 1)]
bnb-int8
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.weight', 1)]
bnb-nf4
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.weight', 1)]
ct
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.weight_packed', 1)]
ct-fp8
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.weight', 1)]
ct-int8
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.weight', 1)]
ct-mxfp4
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.weight_packed', 1)]
ct-nvfp4
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.weight_packed', 1)]
ct-symmetric
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.weight_packed', 1)]
ct-zeros
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.weight', 1)]
fp8
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.weight', 1)]
gptq
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.qweight', 1)]
gptq-3
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.qweight', 1)]
gptq-act
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.qweight', 1)]
gptq-v2
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.qweight', 1)]
gptq-wide
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.qweight', 1)]
hqq
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.W_q', 1)]
hqq-3
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.W_q', 1)]
mlx
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.weight', 1)]
mlx-6
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.weight', 1)]
mlx-mxfp4
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.weight', 1)]
mlx-nvfp4
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.weight', 1)]
mxfp8
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.weight', 1)]
quanto
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
[('mlp.up_proj.weight._data._data', 1)]
# Distances by layer. As GPTQ v2 no 1 is added to zero points: a number is off by one scale, 0.001 to 0.02, or by 15 where 15 wraps to 0.
$ python3 test/cli/diff/packed.py $T; cd $T/gptq; sed -i 's/"bits"/"checkpoint_format": "gptq_v2", "bits"/' packed/config.json; numel diff --values plain packed | sed -n '/^layer /,$p'
layer                         differ  rel L2                        max abs    cosine  SNR dB
lm_head.weight             identical
model.embed_tokens.weight  identical
model.layers.0                7 of 9   0.596  ####################    0.294  0.822598     4.5
model.norm.weight          identical

most changed                            rel L2  max abs  differ  mean abs    cosine  SNR dB
model.layers.0.self_attn.k_proj.weight   0.991    0.276   1,024    0.0368  0.471583     0.1
model.layers.0.self_attn.v_proj.weight   0.815    0.261   1,024    0.0298  0.667766     1.8
model.layers.0.mlp.down_proj.weight      0.667    0.261  10,240    0.0253  0.781902     3.5
model.layers.0.self_attn.q_proj.weight   0.597    0.294   4,096    0.0207  0.819613     4.5
model.layers.0.mlp.up_proj.weight        0.576    0.284  10,240    0.0208  0.830681     4.8
model.layers.0.self_attn.o_proj.weight   0.496    0.237   4,096    0.0164  0.882472     6.1
model.layers.0.mlp.gate_proj.weight      0.466    0.275  10,240    0.0158  0.892458     6.6

differ: 21 added, 7 quantized; 5 of 12 tensors the same
values: 7 of 12 tensors differ; identical bits in 5 tensors
# The plain side may be GGUF, on either side. Rows of q and k are moved in plain.gguf, as they are in still.gguf, and in
# reverse in back.gguf, which is neither order. Heads of 160 rows are not unpacked at once.
$ python3 test/cli/diff/packed.py $T; cd $T/gptq; for n in plain still back; do numel diff --values packed $n.gguf | sed -n '/^\(not compared\|rows permuted\)/,/^$/p;$p'; numel diff --values $n.gguf packed | tail -1; done; cd ../gptq-wide; numel diff --values packed plain.gguf | sed -n '/^not compared/,$p'
rows permuted  2  compared in the row order that llama.cpp's converter gives q
                  and k

values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
not compared  2  rows may be permuted, but neither order fits

values: identical bits in 5 tensors; equal values in 5 tensors of another dtype; 2 not compared
values: identical bits in 5 tensors; equal values in 5 tensors of another dtype; 2 not compared
not compared  2  packed q or k, whose rows the other format may have moved

equal except for the format: the conversion explains every difference
values: identical bits in 5 tensors; equal values in 5 tensors of another dtype; 2 not compared
# Two files packed alike are compared by their bits.
$ python3 test/cli/diff/packed.py $T; cd $T/awq; numel diff --values packed near | sed -n '/^most/,$p'
most changed                          rel L2  max abs  differ  mean abs    cosine  SNR dB
model.layers.0.mlp.up_proj.qweight  0.000977  0.00758       1   7.4e-07  1.000000    60.2

equal: 26 tensors of the same name, shape and dtype
values: 1 of 26 tensors differ; identical bits in 25 tensors
# An index of a group that does not exist concerns its own matrix.
$ python3 test/cli/diff/packed.py $T; cd $T/gptq; numel diff --values plain odd | tail -6
model.norm.weight             identical

not compared  1  a group index names a group that does not exist

differ: 21 added, 7 quantized; 5 of 12 tensors the same
values: identical bits in 5 tensors; equal values in 6 tensors of another dtype; 1 not compared
# Scales in another shard than their weight; and without that shard.
$ python3 test/cli/diff/packed.py $T; cd $T/gptq; numel diff --values plain shards | tail -1; rm shards/model-00002*; numel diff --values plain shards 2>&1 | tail -4
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
not compared  1  tensors that packed numbers need are missing or do not fit

differ: shards are missing, so not everything could be compared
values: identical bits in 5 tensors; equal values in 6 tensors of another dtype; 1 not compared
# Two that are packed alike: by their bits, and where these differ by their numbers. A code that is changed is one number,
# a scale twice as large is those of a row and group whose code is not the zero point: 31 of 32 here.
$ python3 test/cli/diff/packed.py $T; cd $T/gptq; python3 -c 'import json,struct; p="packed/model.safetensors"; b=bytearray(open(p,"rb").read()); n=8+struct.unpack("<Q",b[:8])[0]; o=n+json.loads(b[8:n])["model.layers.0.mlp.up_proj.scales"]["data_offsets"][0]; b[o:o+2]=struct.pack("<e",2*struct.unpack("<e",b[o:o+2])[0]); open(p,"wb").write(b)'; cp -r near same; numel diff --values near same | tail -1; numel diff --values near packed | sed -n '/^most/,$p'
values: identical bits in 33 tensors
most changed                         rel L2  max abs  differ  mean abs    cosine  SNR dB
model.layers.0.mlp.up_proj.scales   0.00911    0.002       1  6.25e-06  0.999959    40.8
model.layers.0.mlp.up_proj.qweight  0.00799    0.022      31  3.01e-05  0.999968    41.9

equal: 33 tensors of the same name, shape and dtype
values: 2 of 33 tensors differ; identical bits in 31 tensors

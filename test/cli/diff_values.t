# numel diff --values: distances between values. The contents of the files, and so the expected results, are in
# test/cli/diff/values.py, or next to the tensors here; comparison is by bits, and distances are computed by hand.
# Which layers did the fine-tune change? o_proj of 4 times -1: ||a-b|| is 2 ||a||. Of 5 one times 2, and one bit.
$ python3 test/cli/diff/values.py $T; cd $T; numel diff --values a b
a         a/model.safetensors
b         b/model.safetensors
compared  by name; all values

cause        tensors  elements     bytes
a                 57    12,752  24.9 KiB
b                 57    12,752  24.9 KiB
unexplained                  0

layer                         differ  rel L2                        max abs     cosine
lm_head.weight             identical
model.embed_tokens.weight  identical
model.layers.[0-3]         identical
model.layers.4                1 of 9       2  ####################        4  -1.000000
model.layers.5                2 of 9   0.706  #######                     2   0.948594
model.norm.weight          identical

most changed                              rel L2  max abs  differ  mean abs     cosine
model.layers.4.self_attn.o_proj.weight         2        4     256      1.99  -1.000000
model.layers.5.mlp.gate_proj.weight            1        2     384      1.03   1.000000
model.layers.5.mlp.up_proj.weight       0.000169  0.00391       1  1.02e-05   1.000000

equal: 57 tensors of the same name, shape and dtype
values: 3 of 57 tensors differ; identical bits in 54 tensors
[1]
$ python3 test/cli/diff/values.py $T; cd $T; numel diff --values a a | tail -3; numel diff --values -q a a; numel diff --values -q a b

equal: 57 tensors of the same name, shape and dtype
values: identical bits in 57 tensors
[1]
# As JSON: distances by name; the flipped bit is one element.
$ python3 test/cli/diff/values.py $T; cd $T; numel diff --values --json a b | python3 -c 'import json,sys; v=json.load(sys.stdin)["values"]; print({k: v[k] for k in v if k not in ("tensors","layers")}); [print(t["name"][13:], t["differing"], t["rel_l2"], t["cosine"]) for t in v["tensors"] if not t["equal_bits"] and "up" not in t["name"]]; print([t["differing"] for t in v["tensors"] if "5.mlp.up" in t["name"]]); [print(l) for l in v["layers"][:3]]'
{'compared': 57, 'equal': 54, 'differ': 3, 'not_compared': 0, 'equal_bits': 54, 'complete': True, 'files': []}
4.self_attn.o_proj.weight 256 2 -1
5.mlp.gate_proj.weight 384 1 1
[1]
{'name': 'lm_head.weight', 'layer': None, 'tensors': 1, 'equal': 1, 'differ': 0, 'not_compared': 0, 'max_abs': None, 'mean_abs': None, 'rel_l2': None, 'cosine': None, 'snr_db': None}
{'name': 'model.embed_tokens.weight', 'layer': None, 'tensors': 1, 'equal': 1, 'differ': 0, 'not_compared': 0, 'max_abs': None, 'mean_abs': None, 'rel_l2': None, 'cosine': None, 'snr_db': None}
{'name': 'model.layers.0', 'layer': 0, 'tensors': 9, 'equal': 9, 'differ': 0, 'not_compared': 0, 'max_abs': None, 'mean_abs': None, 'rel_l2': None, 'cosine': None, 'snr_db': None}
# Without --values a hint says so, in text and JSON.
$ python3 test/cli/diff/values.py $T; cd $T; numel diff a b | tail -2; numel diff --json a b | python3 -c 'import json,sys; print(json.load(sys.stdin)["values"])'
values not compared (--values does)
equal: 57 tensors of the same name, shape and dtype
None
# Across formats and types: the converter moved rows of q and k, and all values are equal. A file that was not
# converted that way is read as it is; a different order of rows is not compared, and not guessed.
$ python3 test/cli/diff/values.py $T; cd $T; numel diff --values a x.gguf | tail -12

layer                            differ
lm_head.weight             equal values
model.embed_tokens.weight  equal values
model.layers.[0-5]         equal values
model.norm.weight          equal values

rows permuted  12  compared in the row order that llama.cpp's converter gives q
                   and k

equal except for the format: the conversion explains every difference
values: equal values in 57 tensors of another dtype
$ python3 test/cli/diff/values.py $T; cd $T; numel diff --values x.gguf a | tail -1; numel diff --values plain.gguf a | tail -1; numel diff --values a other.gguf | tail -5; numel diff -q --values a other.gguf
values: equal values in 57 tensors of another dtype
values: equal values in 57 tensors of another dtype
rows permuted  6  compared in the row order that llama.cpp's converter gives q
                  and k

equal except for the format: the conversion explains every difference
values: equal values in 51 tensors of another dtype; 6 not compared
[4]
# 1/64 added to each of 8 x 16.
$ python3 test/cli/diff/values.py $T; cd $T; numel diff --values --json a added.gguf | python3 -c 'import json,sys; [print(t) for t in json.load(sys.stdin)["values"]["tensors"] if t["differing"]]'
{'name': 'model.layers.1.self_attn.v_proj.weight', 'other_name': 'blk.1.attn_v.weight', 'dtype_a': 'BF16', 'dtype_b': 'F16', 'elements': 128, 'not_compared': None, 'equal_bits': False, 'unit': 'element', 'units': 128, 'differing': 128, 'max_abs': 0.015625, 'mean_abs': 0.015625, 'rel_l2': 0.014011109522253005, 'cosine': 0.9999019973549623, 'snr_db': 37.07054944230363, 'nan_a': 0, 'nan_b': 0, 'infinite_a': 0, 'infinite_b': 0, 'permuted': False}
# By hand: 0 and -0 differ at distance 0; NaNs with the same bits are equal and excluded; NaN against 1 has no
# distance; zeros have no cosine; no elements and one.
$ . test/cli/published.sh; st a.safetensors zero:F32:2:=0000000000000080 nan:F32:2:=0000c07f0000803f lost:F32:2:=0000803f00000040 none:F32:0:0 one:F16::=003c sub:F16:1:=0100 inf:BF16:2:=807f803f; st b.safetensors zero:F32:2:=0000008000000080 nan:F32:2:=0000c07f00000040 lost:F32:2:=0000c07f00000040 none:F32:0:0 one:F16::=00bc sub:F16:1:=0200 inf:BF16:2:=80ff803f; numel diff --values a.safetensors b.safetensors | tail -n +9

layer     differ    rel L2                         max abs     cosine
inf       1 of 1  infinite
lost      1 of 1       NaN
nan       1 of 1         1  ##########                   1   1.000000
none   identical
one       1 of 1         2  ####################         2  -1.000000
sub       1 of 1         1  ##########            5.96e-08   1.000000
zero      1 of 1         0  #                            0

most changed    rel L2   max abs  differ  mean abs     cosine
lost               NaN                 1
inf           infinite                 1
one                  2         2       1         2  -1.000000
nan                  1         1       1         1   1.000000
sub                  1  5.96e-08       1  5.96e-08   1.000000
zero                 0         0       1         0

equal: 7 tensors of the same name, shape and dtype
values: 6 of 7 tensors differ; identical bits in 1 tensor
# Integers are compared exactly, quantizer codes only by their bits.
$ . test/cli/published.sh; st a.safetensors ids:I64:2:=ffffffffffffff7f0000000000000000 q.qweight:I32:4:1 flag:BOOL:3:=000100; st b.safetensors ids:I64:2:=00000000000000800000000000000000 q.qweight:I32:4:2 flag:BOOL:3:=000101; numel diff --values --json a.safetensors b.safetensors | grep differing | sed 's/.*"name":"\([^"]*\)".*"differing":\([0-9]*\),"max_abs":\([^,]*\),.*/\1 \2 \3/'
ids 1 18446744073709551615
q.qweight 4 null
flag 1 1
# Blocks against numbers: d is 0.5, and nibbles of 1 and 15 are -3.5 and 3.5. Where the plain side has 4 instead of
# 3.5, ||a-b|| is sqrt(16 * 0.25), ||a|| sqrt(16 * (12.25 + 16)): 2 / 21.26.
$ . test/cli/published.sh; st a.gguf same:F32:1x32:=000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c000006040000060400000604000006040000060400000604000006040000060400000604000006040000060400000604000006040000060400000604000006040 less:F32:1x32:=000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c000008040000080400000804000008040000080400000804000008040000080400000804000008040000080400000804000008040000080400000804000008040; st b.gguf same:Q4_0:1x32:=0038f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1 less:Q4_0:1x32:=0038f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1; numel diff --values a.gguf b.gguf | tail -n +12
same  quantized  F32 -> Q4_0      1        +0  -110 B
less  quantized  F32 -> Q4_0      1        +0  -110 B

layer        differ  rel L2                        max abs    cosine  SNR dB
less         1 of 1  0.0941  ####################      0.5  0.997785    20.5
same   equal values

most changed  rel L2  max abs  differ  mean abs    cosine  SNR dB
less          0.0941      0.5      16      0.25  0.997785    20.5

differ: 2 quantized; 0 of 2 tensors the same; not requantized: 'same' becomes Q4_0
values: 1 of 2 tensors differ; equal values in 1 tensor of another dtype
# Of the same type: how many blocks differ, and by how much. Integers have no distance to them.
$ . test/cli/published.sh; st a.gguf q:Q4_0:2x32:=0038f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f10038f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1 k:I32:1x32:1; st b.gguf q:Q4_0:2x32:=0038f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f10038f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f2 k:Q4_0:1x32:1; numel diff --values a.gguf b.gguf | tail -n +12
k     quantized  I32 -> Q4_0      1        +0  -110 B

layer        differ  rel L2                        max abs    cosine  SNR dB
k      not compared
q            1 of 1  0.0179  ####################      0.5  0.999842    35.0

most changed  rel L2  max abs   differ  mean abs    cosine  SNR dB
q             0.0179      0.5  1 block   0.00781  0.999842    35.0

not compared  1  these dtypes cannot be compared by distance

differ: 1 quantized; 1 of 2 tensors the same; not requantized: 'k' becomes Q4_0
values: 1 of 1 tensors differ; 1 not compared
# Data that is absent, shorter, of another shape, or compressed with zstd is reported, with status 4 if nothing
# differs.
$ . test/cli/published.sh; model a; cp -r a z; zstd -q --rm z/model.safetensors; numel diff --values a z | tail -2; numel behead -q a h; numel diff --values -q a h
equal: 2 tensors of the same name, shape and dtype
values: 2 not compared
[4]
$ . test/cli/published.sh; st a.safetensors w:F32:4x4:1 v:F32:3:1; st b.safetensors w:F32:2x8:1 v:F32:3:1; numel diff --values a.safetensors b.safetensors | tail -7
v         identical
w      not compared

not compared  1  the shapes differ

differ: 1 rearranged; 1 of 2 tensors the same
values: identical bits in 1 tensor; 1 not compared
# The same bytes for any number of threads, and after a resumed run.
$ python3 test/cli/diff/values.py $T; cd $T; for j in 1 2 8; do numel diff --values --json --jobs $j a b | cksum; done | sort -u | wc -l; numel diff --values --resume=r a b | cksum > 1; test -e r || echo gone; numel diff --values a b | cksum | cmp - 1
1
gone

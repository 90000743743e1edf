# numel diff A B C --values: B and C against A. Values are -3.5 and 4; Q4_0 with a scale of 0.5 has -3.5 and 3.5, so its
# distance is sqrt(16 * 0.25) = 2 of 21.26; Q8_0 here is exact, or has 3.5 for 4 of the 16: 1 of 21.26. Layer 0 is off
# by 2 of 30.07 (sqrt(2) * 21.26) in b, by sqrt(5) in c. l.1.w is equal in both. n is 32 ones, in c twos. In all, b is
# off by 2 of sqrt(452 + 452 + 32) = 30.59, c by sqrt(4 + 1 + 32) = 6.08.
$ . test/cli/published.sh; st a.gguf l.0.w:F32:1x32:=000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c000008040000080400000804000008040000080400000804000008040000080400000804000008040000080400000804000008040000080400000804000008040 l.0.v:F32:1x32:=000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c000008040000080400000804000008040000080400000804000008040000080400000804000008040000080400000804000008040000080400000804000008040 l.1.w:F32:1x32:=000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c000006040000060400000604000006040000060400000604000006040000060400000604000006040000060400000604000006040000060400000604000006040 n:F32:32:=0000803f; st b.gguf l.0.w:Q4_0:1x32:=0038f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1 l.0.v:Q8_0:1x32:=0038f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f908080808080808080808080808080808 l.1.w:Q4_0:1x32:=0038f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1 n:F32:32:=0000803f; st c.gguf l.0.w:Q8_0:1x32:=0038f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f908080808080808080808080807070707 l.0.v:Q4_0:1x32:=0038f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1 l.1.w:Q4_0:1x32:=0038f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1 n:F32:32:=00000040; numel diff --values a.gguf b.gguf c.gguf | sed -n '/^layer, /,$p'
layer, against a  b rel L2  c rel L2  b dB  c dB  closer
l.0                 0.0665    0.0744  23.5  22.6  b
n                        0         1         0.0  b

most unlike  b rel L2  c rel L2  b dB  c dB  closer
l.0.v               0    0.0941        20.5  b
n                   0         1         0.0  b
l.0.w          0.0941     0.047  20.5  26.6  c

differ: 3 quantized; 1 of 4 tensors the same; not requantized: 'l.0.w' becomes Q4_0
values: 1 of 4 tensors differ; identical bits in 1 tensor; equal values in 2 tensors of another dtype
against a: b is closer in 2 of 3 tensors, c in 1; rel L2 of b 0.0654, of c 0.199
# As JSON.
$ . test/cli/published.sh; st a.gguf l.0.w:F32:1x32:=000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c000008040000080400000804000008040000080400000804000008040000080400000804000008040000080400000804000008040000080400000804000008040 l.0.v:F32:1x32:=000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c000008040000080400000804000008040000080400000804000008040000080400000804000008040000080400000804000008040000080400000804000008040 l.1.w:F32:1x32:=000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c0000060c000006040000060400000604000006040000060400000604000006040000060400000604000006040000060400000604000006040000060400000604000006040 n:F32:32:=0000803f; st b.gguf l.0.w:Q4_0:1x32:=0038f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1 l.0.v:Q8_0:1x32:=0038f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f908080808080808080808080808080808 l.1.w:Q4_0:1x32:=0038f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1 n:F32:32:=0000803f; st c.gguf l.0.w:Q8_0:1x32:=0038f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f908080808080808080808080807070707 l.0.v:Q4_0:1x32:=0038f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1 l.1.w:Q4_0:1x32:=0038f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1 n:F32:32:=00000040; numel diff --values --json a.gguf b.gguf c.gguf | python3 -c 'import json,sys; x=json.load(sys.stdin)["against"]; print(x["path"]); print({k: x[k] for k in x if k not in ("path", "layers", "tensors")}); [print(r) for r in x["layers"] + x["tensors"]]'
c.gguf
{'compared': 3, 'closer_b': 2, 'closer_c': 1, 'same': 0, 'equal': 1, 'not_compared': 0, 'rel_l2_b': 0.06537204504606134, 'rel_l2_c': 0.19882131306757464, 'snr_db_b': 23.692158574101427, 'snr_db_c': 14.0307412467111}
{'name': 'l.0', 'tensors': 2, 'rel_l2_b': 0.06651901052377393, 'rel_l2_c': 0.07437051466359121, 'snr_db_b': 23.54108439147401, 'snr_db_c': 22.571984261393442, 'closer': 'b'}
{'name': 'n', 'tensors': 1, 'rel_l2_b': 0, 'rel_l2_c': 1, 'snr_db_b': None, 'snr_db_c': 0, 'closer': 'b'}
{'name': 'l.0.v', 'dtype_b': 'Q8_0', 'dtype_c': 'Q4_0', 'rel_l2_b': 0, 'rel_l2_c': 0.09407208683835973, 'snr_db_b': None, 'snr_db_c': 20.530784434834196, 'closer': 'b'}
{'name': 'n', 'dtype_b': 'F32', 'dtype_c': 'F32', 'rel_l2_b': 0, 'rel_l2_c': 1, 'snr_db_b': None, 'snr_db_c': 0, 'closer': 'b'}
{'name': 'l.0.w', 'dtype_b': 'Q4_0', 'dtype_c': 'Q8_0', 'rel_l2_b': 0.09407208683835973, 'rel_l2_c': 0.047036043419179864, 'snr_db_b': 20.530784434834196, 'snr_db_c': 26.55138434811382, 'closer': 'c'}
# Two packed ways of one model: each against the numbers that GPTQ stored.
$ python3 test/cli/diff/packed.py $T; cd $T/gptq; numel diff --values plain packed near | sed -n '/^layer, /,$p'
layer, against a  b rel L2  c rel L2  c dB  closer
model.layers.0           0  0.000245  72.2  b

most unlike                        b rel L2  c rel L2  c dB  closer
model.layers.0.mlp.up_proj.weight         0  0.000245  72.2  b

differ: 21 added, 7 quantized; 5 of 12 tensors the same
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
against a: b is closer in 1 of 1 tensors, c in 0; rel L2 of b 0, of c 0.000245
# A third that is like the second; without --values; one that does not exist; with two there is nothing to show.
$ python3 test/cli/diff/packed.py $T; cd $T/gptq; numel diff --values plain packed packed | tail -2; numel diff plain packed near; numel diff --values plain packed none; numel diff --json plain packed | python3 -c 'import json,sys; print(json.load(sys.stdin)["against"])'
values: identical bits in 5 tensors; equal values in 7 tensors of another dtype
against a: no tensor differs that both have
numel: diff of three checkpoints compares their values: it needs --values
numel: none: cannot open: No such file or directory
None
# Blocks against a model in BF16 whose rows of q and k the converter moved: both orders are tried on blocks, too.
$ python3 test/cli/diff/quantized.py $T; cd $T; numel diff base down.gguf kv.gguf --values | sed -n '/^rows/,$p'
rows permuted  4  compared in the row order that llama.cpp's converter gives q
                  and k

layer, against a           b rel L2  c rel L2  b dB  c dB  closer
lm_head.weight               0.0849    0.0849  21.4  21.4  same
model.embed_tokens.weight    0.0838    0.0838  21.5  21.5  same
model.layers.0               0.0765    0.0801  22.3  21.9  b
model.layers.1               0.0763    0.0794  22.3  22.0  b

most unlike                             b rel L2  c rel L2  b dB  c dB  closer
model.layers.1.self_attn.k_proj.weight    0.0863   0.00526  21.3  45.6  c
model.layers.1.mlp.down_proj.weight      0.00525    0.0853  45.6  21.4  b
model.layers.0.self_attn.v_proj.weight    0.0868   0.00536  21.2  45.4  c
model.layers.0.mlp.down_proj.weight      0.00545     0.088  45.3  21.1  b
model.layers.0.self_attn.k_proj.weight    0.0837   0.00531  21.5  45.5  c
model.layers.1.self_attn.v_proj.weight    0.0847    0.0054  21.4  45.4  c

equal except for the format: the conversion explains every difference
values: 16 of 21 tensors differ; equal values in 5 tensors of another dtype
against a: c is closer in 4 of 16 tensors, b in 2; rel L2 of b 0.0769, of c 0.08

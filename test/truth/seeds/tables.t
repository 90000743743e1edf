# Figures 10 to 12: tables of tensors, a layer, a total.

# 10. Llama-3-8B: layer 218,112,000, total 8,030,257,152. Exact: 8,030,261,248.
$ . test/truth/seeds/figure.sh; test $(each "$layer" test/truth/seeds/llama-3-8b.json) = 218112000
# 2 * 16,777,216 + 2 * 4,194,304 + 3 * 58,720,256 + 2 * 4,096
$ . test/truth/seeds/figure.sh; test $(total "embed.tok|head|$layer" test/truth/seeds/llama-3-8b.json) = 8030257152
# 2 * 525,336,576 + 32 * 218,112,000
$ test $(numel formula -q test/truth/seeds/llama-3-8b.json) = 8030261248
# without the final norm: + 4,096
$ . test/truth/seeds/figure.sh; test $(total norm.final test/truth/seeds/llama-3-8b.json) = 4096
# its 4,096
$ test $(numel -q fixtures/llama-3.1-8b) = 8030261248
# from the headers of Llama-3.1-8B, which has the same shapes
$ numel fixtures/llama-3.1-8b --depth 2 | grep layers
model.layers.[0-31]                        32 x 218,112,000  6,979,584,000  86.9 %    13.0 GiB
# and the same layer

# 11. Llama-2-7B: layer 202,383,360, total 6,738,411,520. Exact: 6,738,415,616.
$ . test/truth/seeds/figure.sh; test $(each "$layer" test/truth/seeds/llama-2-7b.json) = 202383360
# 4 * 16,777,216 + 3 * 45,088,768 + 2 * 4,096
$ . test/truth/seeds/figure.sh; test $(total "embed.tok|head|$layer" test/truth/seeds/llama-2-7b.json) = 6738411520
# 2 * 131,072,000 + 32 * 202,383,360
$ test $(numel formula -q test/truth/seeds/llama-2-7b.json) = 6738415616
# without the final norm: + 4,096
$ test $(numel -q fixtures/llama-2-7b) = 6738415616
# from the headers

# 12. rotary_emb.inv_freq [64] in each layer, "not counted as parameters": 2,048 elements, buffers.
$ numel tensors fixtures/llama-2-7b-2023 --match '*inv_freq' | awk 'NR > 1 { n++; sum += $4 } END { print n " tensors, " sum " elements" }'
32 tensors, 2048 elements
# 32 * 64 = 2,048
$ test $(numel -q fixtures/llama-2-7b-2023) = 6738417664
# 6,738,415,616 + 2,048 stored
$ test $(numel formula -q fixtures/llama-2-7b-2023) = 6738415616
# the formula does not count them
$ numel reconcile fixtures/llama-2-7b-2023 | sed -n '/^cause/,/^parameters/p'
cause        tensors       elements
formula          291  6,738,415,616  llama, 291 tensors expected
buffers           32         +2,048  model.layers.0.self_attn.rotary_emb.inv_freq and 31 more
stored           323  6,738,417,664
unexplained                       0

agrees: all expected tensors are present, the others are accounted for

parameters     6,738,415,616 (6.74 B)
# listed separately: the parameters stay 6,738,415,616
$ numel formula fixtures/llama-2-7b-2023 | grep -E 'buffer'
buffer.rope  (D/2)             64     32          2,048
buffers     2,048
# D/2 = 64 in each of 32 layers

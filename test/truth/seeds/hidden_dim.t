# Figures 7 to 9: counting after Meta's model.py and params.json.

# 7. 6,476,005,376 for 7B: the matrices of the layers alone, no embeddings, no norms.
$ . test/truth/seeds/figure.sh; test $(total "$matrices" test/truth/seeds/llama-1-7b.params.json) = 6476005376
# 32 * (4 * 4,096^2 + 3 * 4,096 * 11,008) = 32 * 202,375,168
$ . test/truth/seeds/figure.sh; test $(total 'embed.tok|head' test/truth/seeds/llama-1-7b.params.json) = 262144000
# + 2 * 32,000 * 4,096
$ . test/truth/seeds/figure.sh; test $(total 'norm\..*' test/truth/seeds/llama-1-7b.params.json) = 266240
# + 65 * 4,096
$ test $(numel formula -q test/truth/seeds/llama-1-7b.params.json) = 6738415616
# = 6,476,005,376 + 262,144,000 + 266,240

# 8. "2 * vocab_size * dim getting me to 6.9 billion for vocab_size = 50000": the wrong vocabulary.
$ . test/truth/seeds/figure.sh; test $(total "$matrices|embed.tok|head" test/truth/seeds/llama-1-7b.params.json --set V=50000) = 6885605376
# 6,476,005,376 + 2 * 50,000 * 4,096 = 6,476,005,376 + 409,600,000
$ . test/truth/seeds/figure.sh; test $(total "$matrices|embed.tok|head" test/truth/seeds/llama-1-7b.params.json) = 6738149376
# with the real 32,000: 6,476,005,376 + 262,144,000
$ test $(numel formula -q test/truth/seeds/llama-1-7b.params.json --set V=50000) = 6885871616
# the norms are there too: 6,885,605,376 + 65 * 4,096
$ numel formula test/truth/seeds/llama-1-7b.params.json --set V=50000 | grep '^V'
V       50,000  set        V=50000
# followed by the source of the number

# 9. hidden_dim = multiple_of * ceil(int(2*4*dim/3) / multiple_of), times ffn_dim_multiplier before.
$ . test/truth/seeds/figure.sh; test $(symbol F test/truth/seeds/llama-1-7b.params.json) = 11008
# int(8 * 4,096 / 3) = 10,922; 43 * 256
$ . test/truth/seeds/figure.sh; test $(symbol F test/truth/seeds/llama-1-13b.params.json) = 13824
# int(8 * 5,120 / 3) = 13,653; 54 * 256
$ . test/truth/seeds/figure.sh; test $(symbol F test/truth/seeds/llama-1-30b.params.json) = 17920
# int(8 * 6,656 / 3) = 17,749; 70 * 256
$ . test/truth/seeds/figure.sh; test $(symbol F test/truth/seeds/llama-1-65b.params.json) = 22016
# int(8 * 8,192 / 3) = 21,845; 86 * 256
$ . test/truth/seeds/figure.sh; test $(symbol F test/truth/seeds/llama-2-70b.params.json) = 28672
# int(1.3 * 21,845) = 28,398; 7 * 4,096
$ . test/truth/seeds/figure.sh; test $(symbol F test/truth/seeds/llama-3-8b.params.json) = 14336
# int(1.3 * 10,922) = 14,198; 14 * 1,024
$ . test/truth/seeds/figure.sh; test $(symbol F test/truth/seeds/llama-3-70b.params.json) = 28672
# as Llama-2-70B: the same dim, multiple_of and factor
$ for f in test/truth/seeds/*.params.json; do numel formula $f | grep '^F'; done
F       13,824  declared   dim, multiple_of
F       17,920  declared   dim, multiple_of
F       22,016  declared   dim, multiple_of
F       11,008  declared   dim, multiple_of
F       28,672  declared   dim, multiple_of, ffn_dim_multiplier
F        28,672  declared   dim, multiple_of, ffn_dim_multiplier
F        14,336  declared   dim, multiple_of, ffn_dim_multiplier
# each names the params.json keys it depends on

# The resulting whole models; known totals.
$ test $(numel formula -q test/truth/seeds/llama-1-13b.params.json) = 13015864320
# 2 * 163,840,000 + 40 * 317,204,480 + 5,120
$ test $(numel formula -q test/truth/seeds/llama-1-30b.params.json) = 32528943616
# 2 * 212,992,000 + 60 * 535,049,216 + 6,656
$ test $(numel formula -q test/truth/seeds/llama-2-70b.params.json) = 68976648192
# 2 * 262,144,000 + 80 * 855,654,400 + 8,192
$ test $(numel formula -q test/truth/seeds/llama-3-8b.params.json) = 8030261248
# 2 * 525,336,576 + 32 * 218,112,000 + 4,096
$ test $(numel formula -q test/truth/seeds/llama-3-70b.params.json) = 70553706496
# 2 * 1,050,673,152 + 80 * 855,654,400 + 8,192

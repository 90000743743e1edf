# Every figure, as a claim: `numel explain` finds the cause attributed to it, from the configuration.
# The integers are those of the other transcripts here; they prove each cause.

# 1, 2. Printouts of base models: the missing part is the head.
$ numel explain 6607.34M test/truth/seeds/llama-1-7b.json
test/truth/seeds/llama-1-7b.json
architecture  llama (by test/truth/seeds/llama-1-7b.json)
claim         6607.34M: 6,607,335,000 to 6,607,344,999

cause                tensors       elements
parameters               291  6,738,415,616  model.embed_tokens.weight and 290 more
without output head        1   -131,072,000  lm_head.weight; a base model, or counted as tied
6607.34M                      6,607,343,616  within rounding
difference                                0

explained: matches within rounding; ambiguous: 1 other explanation fits

         also
6,607,343,616  parameters, without embedding tables
6,607,343,616  llm-analysis

too small to affect the rounded number
-4,096  without final norm
$ numel explain 65023.52M test/truth/seeds/llama-1-65b.json | sed -n '/^cause/,/^explained/p'
cause                tensors        elements
parameters               723  65,285,660,672  model.embed_tokens.weight and 722 more
without output head        1    -262,144,000  lm_head.weight; a base model, or counted as tied
65023.52M                     65,023,516,672  within rounding
difference                                 0

explained: matches within rounding; ambiguous: 1 other explanation fits

# 3, 4. The formula without the final norm: rounded, its digits cannot show it; exact, they do.
$ numel explain 6607.3M test/truth/seeds/llama-1-7b-base.json | sed -n '/^cause/,$p'
cause       tensors       elements
parameters      290  6,607,343,616  model.embed_tokens.weight and 289 more
6607.3M              6,607,343,616  within rounding
difference                       0

explained: matches within rounding

         also
6,607,351,808  as LlamaForSequenceClassification (truncated, not rounded)
6,607,351,810  as LlamaForTokenClassification (truncated, not rounded)
6,607,343,616  llm-analysis

too small to affect the rounded number
-4,096  without final norm
$ numel explain 6,607,339,520 test/truth/seeds/llama-1-7b-base.json | sed -n '/^cause/,/^explained/p'
cause               tensors       elements
parameters              290  6,607,343,616  model.embed_tokens.weight and 289 more
without final norm        1         -4,096  model.norm.weight
6,607,339,520                6,607,339,520
difference                               0

explained to the last element
$ numel explain 65023.5M test/truth/seeds/llama-1-65b-base.json | sed -n '/^cause/,$p'
cause       tensors        elements
parameters      722  65,023,516,672  model.embed_tokens.weight and 721 more
65023.5M             65,023,516,672  within rounding
difference                        0

explained: matches within rounding

          also
65,023,533,056  as LlamaForSequenceClassification
65,023,533,058  as LlamaForTokenClassification
65,023,516,672  llm-analysis

too small to affect the rounded number
-8,192  without final norm
$ numel explain 65,023,508,480 test/truth/seeds/llama-1-65b-base.json | sed -n '/^cause/,/^explained/p'
cause               tensors        elements
parameters              722  65,023,516,672  model.embed_tokens.weight and 721 more
without final norm        1          -8,192  model.norm.weight
65,023,508,480               65,023,508,480
difference                                0

explained to the last element

# 5. "2*d_model = 8M", later 8.19M: off by a factor of 1000. This is reported, and does not explain a rounded
# figure: three digits in another unit would match many.
$ numel explain 8M test/truth/seeds/llama-1-7b.json | sed -n '/^cause/,/^possible/p'
cause                    tensors    elements
norms of one layer             2       8,192  model.layers.0.input_layernorm.weight and 1 more; all 32 are alike
off by a factor of 1000           +8,183,808  too much
8M                                 8,192,000  within rounding
difference                                 0

possible, may be chance: 'off by a factor of 1000' is too weak an explanation for a rounded number
$ numel explain 8.19M test/truth/seeds/llama-1-7b.json | sed -n '/^cause/,/^possible/p'
cause                    tensors    elements
norms of one layer             2       8,192  model.layers.0.input_layernorm.weight and 1 more; all 32 are alike
off by a factor of 1000           +8,183,808  too much
8.19M                              8,192,000  within rounding
difference                                 0

possible, may be chance: 'off by a factor of 1000' is too weak an explanation for a rounded number

# 6. 135.27M and 67.1M: parts of a layer, and they agree.
$ numel explain 135.27M test/truth/seeds/llama-1-7b.json | sed -n '/^cause/,/^explained/p'
cause                      tensors     elements
feed-forward of one layer        3  135,266,304  model.layers.0.mlp.gate_proj.weight and 2 more; all 32 are alike
135.27M                             135,266,304  within rounding
difference                                    0

explained: matches within rounding
$ numel explain 67.1M test/truth/seeds/llama-1-7b.json | sed -n '/^cause/,/^explained/p'
cause                   tensors    elements
attention of one layer        4  67,108,864  model.layers.0.self_attn.q_proj.weight and 3 more; all 32 are alike
67.1M                            67,108,864  within rounding
difference                                0

explained: matches within rounding

# 7. The layers' matrices alone; also from params.json.
$ numel explain 6,476,005,376 test/truth/seeds/llama-1-7b.params.json | sed -n '/^cause/,$p'
cause                   tensors       elements
matrices of the layers      224  6,476,005,376  model.layers.0.self_attn.q_proj.weight and 223 more
6,476,005,376                    6,476,005,376
difference                                   0

explained to the last element

# 8. The wrong vocabulary, exact without the norms, and as "6.9 billion", whose two digits prove nothing: a
# vocabulary of 50,000 is the first possible one.
$ numel explain 6885605376 test/truth/seeds/llama-1-7b.params.json | sed -n '/^cause/,/^explained/p'
cause               tensors       elements
parameters              291  6,738,415,616  model.embed_tokens.weight and 290 more
without norms            65       -266,240  model.layers.0.input_layernorm.weight and 64 more
another vocabulary            +147,456,000  V = 50,000, not 32,000; 32 x 4,608,000, L x 1,125 E
6885605376                   6,885,605,376
difference                               0

explained to the last element, with one size inferred; ambiguous: 1 other explanation fits
$ numel explain '6.9 billion' test/truth/seeds/llama-1-7b.params.json | sed -n '/^cause/,/^possible/p'
cause               tensors       elements
parameters              291  6,738,415,616  model.embed_tokens.weight and 290 more
another vocabulary            +147,456,000  V = 50,000, not 32,000; 32 x 4,608,000, L x 1,125 E
6.9 billion                  6,885,871,616  within rounding
difference                               0

possible, may be chance: too many combinations give a number this short

# 9. is about hidden_dim: hidden_dim.t.

# 10, 11. A layer is right; the totals omit the final norm.
$ numel explain 218,112,000 test/truth/seeds/llama-3-8b.json | sed -n '/^cause/,/^explained/p'
cause        tensors     elements
one layer          9  218,112,000  model.layers.0.input_layernorm.weight and 8 more; all 32 are alike
218,112,000           218,112,000
difference                      0

explained to the last element
$ numel explain 8,030,257,152 test/truth/seeds/llama-3-8b.json | sed -n '/^cause/,$p'
cause               tensors       elements
parameters              291  8,030,261,248  model.embed_tokens.weight and 290 more
without final norm        1         -4,096  model.norm.weight
8,030,257,152                8,030,257,152
difference                               0

explained to the last element
$ numel explain 202,383,360 test/truth/seeds/llama-2-7b.json | sed -n '/^cause/,/^explained/p'
cause        tensors     elements
one layer          9  202,383,360  model.layers.0.input_layernorm.weight and 8 more; all 32 are alike
202,383,360           202,383,360
difference                      0

explained to the last element
$ numel explain 6,738,411,520 test/truth/seeds/llama-2-7b.json | sed -n '/^cause/,$p'
cause               tensors       elements
parameters              291  6,738,415,616  model.embed_tokens.weight and 290 more
without final norm        1         -4,096  model.norm.weight
6,738,411,520                6,738,411,520
difference                               0

explained to the last element

# 12. 2,048 elements of buffers in all: from a file that has them, and from a configuration alone.
$ numel explain 2,048 fixtures/llama-2-7b-2023 | sed -n '/^cause/,/^explained/p'
cause       tensors  elements
buffers          32     2,048  model.layers.0.self_attn.rotary_emb.inv_freq and 31 more
2,048                   2,048
difference                  0

explained to the last element
$ numel explain 2,048 test/truth/seeds/llama-2-7b.json | sed -n '/^cause/,/^explained/p'
cause                            tensors  elements
rotary frequencies of old files       32     2,048  32 x model.layers.N.self_attn.rotary_emb.inv_freq [64], 64 each
2,048                                        2,048
difference                                       0

explained to the last element
$ numel explain 6,738,417,664 fixtures/llama-2-7b-2023 | sed -n '/^cause/,/^explained/p'
cause          tensors       elements
formula            291  6,738,415,616  llama, 291 tensors expected
buffers             32         +2,048  model.layers.0.self_attn.rotary_emb.inv_freq and 31 more
6,738,417,664           6,738,417,664
difference                          0

explained to the last element

# 13. Llama-2-70B "adjusted": K and V at full size, head as if tied, no final norm, and two wrong
# products, 8192*57344 and 28672*8192, that together are those of F = 28,736: 80 * 3 * 64 * 8,192.
$ numel explain 78,235,566,080 test/truth/seeds/llama-2-70b.json
test/truth/seeds/llama-2-70b.json
architecture  llama (by test/truth/seeds/llama-2-70b.json)
claim         78,235,566,080, exact

cause                       tensors        elements
parameters                      723  68,976,648,192  model.embed_tokens.weight and 722 more
K and V at full heads           160  +9,395,240,960  model.layers.0.self_attn.k_proj.weight and 159 more; grouped-query attention ignored
without output head               1    -262,144,000  lm_head.weight; a base model, or counted as tied
without final norm                1          -8,192  model.norm.weight
another feed-forward width             +125,829,120  F = 28,736, not 28,672; 80 x 1,572,864, L x 192 E
78,235,566,080                       78,235,566,080
difference                                        0

explained to the last element, with one size inferred; ambiguous: 1 other explanation fits

          also
78,235,566,080  parameters, K and V at full heads, without output head, without final norm, another vocabulary (V = 47,360, not 32,000)
78,235,566,080  parameters, K and V at full heads, without final norm, another vocabulary (V = 23,680, not 32,000)
78,235,566,080  all layers, another feed-forward width (F = 33,648, not 28,672)
$ numel explain -q 78,235,566,080 test/truth/seeds/llama-2-70b.json
0
# before it was adjusted: without the norms of the layers too, 80 * 2 * 8,192 = 1,310,720
$ numel explain 78,234,255,360 test/truth/seeds/llama-2-70b.json | sed -n '/^cause/,/^explained/p'
cause                       tensors        elements
parameters                      723  68,976,648,192  model.embed_tokens.weight and 722 more
K and V at full heads           160  +9,395,240,960  model.layers.0.self_attn.k_proj.weight and 159 more; grouped-query attention ignored
without output head               1    -262,144,000  lm_head.weight; a base model, or counted as tied
without norms                   161      -1,318,912  model.layers.0.input_layernorm.weight and 160 more
another feed-forward width             +125,829,120  F = 28,736, not 28,672; 80 x 1,572,864, L x 192 E
78,234,255,360                       78,234,255,360
difference                                        0

explained to the last element, with one size inferred; ambiguous: 1 other explanation fits
# "about 78 billion": K and V at full heads alone do
$ numel explain '78 billion' test/truth/seeds/llama-2-70b.json | sed -n '/^cause/,/^explained/p'
cause                  tensors        elements
parameters                 723  68,976,648,192  model.embed_tokens.weight and 722 more
K and V at full heads      160  +9,395,240,960  model.layers.0.self_attn.k_proj.weight and 159 more; grouped-query attention ignored
78 billion                      78,371,889,152  within rounding
difference                                   0

explained: matches within rounding; ambiguous: 1 other explanation fits
# and its name
$ numel explain 70B test/truth/seeds/llama-2-70b.json | sed -n '/^cause/,/^explained/p'
cause       tensors        elements
parameters      723  68,976,648,192  model.embed_tokens.weight and 722 more
70B                  68,976,648,192  within rounding
difference                        0

explained: trailing zeros are not significant; ambiguous: 1 other explanation fits

# 14. Its parts.
$ numel explain 201,326,592 test/truth/seeds/llama-2-70b.json | sed -n '/^cause/,/^explained/p'
cause                    tensors      elements
q, k and v of one layer        3    83,886,080  model.layers.0.self_attn.q_proj.weight and 2 more; all 80 are alike
K and V at full heads          2  +117,440,512  model.layers.0.self_attn.k_proj.weight and 1 more; grouped-query attention ignored
201,326,592                        201,326,592
difference                                   0

explained to the last element
$ numel explain 67,108,864 test/truth/seeds/llama-2-70b.json | sed -n '/^cause/,$p'
cause       tensors    elements
attn.q            1  67,108,864  model.layers.0.self_attn.q_proj.weight; all 80 are alike
67,108,864           67,108,864
difference                    0

explained to the last element; ambiguous: 3 other explanations fit

      also
67,108,864  attn.o
67,108,864  attn.k, K and V at full heads
67,108,864  attn.v, K and V at full heads
# two wrong products: 8,192 * 57,344 is 1,048,576 less, 28,672 * 8,192 is 524,288 less; a remainder without
# a cause is reported, as a multiple of E
$ numel explain -q 470,810,624 test/truth/seeds/llama-2-70b.json
1048576
[1]
$ numel explain 470,810,624 test/truth/seeds/llama-2-70b.json | sed -n '/^cause/,/^explained/p'
cause                     tensors     elements
gate and up of one layer        2  469,762,048  model.layers.0.mlp.gate_proj.weight and 1 more; all 80 are alike
nearest                            469,762,048
unexplained                         +1,048,576  128 x 8,192, a multiple of E

not explained: no known way of counting gives it; the nearest is off by 1,048,576
$ numel explain 235,405,312 test/truth/seeds/llama-2-70b.json | sed -n '/^cause/,/^explained/p'
cause        tensors     elements
mlp.gate           1  234,881,024  model.layers.0.mlp.gate_proj.weight; all 80 are alike
nearest               234,881,024
unexplained              +524,288  64 x 8,192, a multiple of E

not explained: no known way of counting gives it; the nearest is off by 524,288
$ numel explain 974,651,392 test/truth/seeds/llama-2-70b.json | sed -n '/^cause/,/^explained/p'
cause                  tensors      elements
matrices of one layer        7   855,638,016  model.layers.0.self_attn.q_proj.weight and 6 more; all 80 are alike
K and V at full heads        2  +117,440,512  model.layers.0.self_attn.k_proj.weight and 1 more; grouped-query attention ignored
nearest                          973,078,528
unexplained                       +1,572,864  192 x 8,192, a multiple of E

not explained: no known way of counting gives it; the nearest is off by 1,572,864
$ numel explain 77,972,111,360 test/truth/seeds/llama-2-70b.json | sed -n '/^cause/,/^explained/p'
cause                       tensors        elements
matrices of the layers          560  68,451,041,280  model.layers.0.self_attn.q_proj.weight and 559 more
K and V at full heads           160  +9,395,240,960  model.layers.0.self_attn.k_proj.weight and 159 more; grouped-query attention ignored
another feed-forward width             +125,829,120  F = 28,736, not 28,672; 80 x 1,572,864, L x 192 E
77,972,111,360                       77,972,111,360
difference                                        0

explained to the last element, with one size inferred
# with the correct values
$ numel explain 83,886,080 test/truth/seeds/llama-2-70b.json | sed -n '/^cause/,/^explained/p'
cause                    tensors    elements
q, k and v of one layer        3  83,886,080  model.layers.0.self_attn.q_proj.weight and 2 more; all 80 are alike
83,886,080                        83,886,080
difference                                 0

explained to the last element
$ numel explain 469,762,048 test/truth/seeds/llama-2-70b.json | sed -n '/^cause/,/^explained/p'
cause                     tensors     elements
gate and up of one layer        2  469,762,048  model.layers.0.mlp.gate_proj.weight and 1 more; all 80 are alike
469,762,048                        469,762,048
difference                                   0

explained to the last element
$ numel explain 855,654,400 test/truth/seeds/llama-2-70b.json | sed -n '/^cause/,/^explained/p'
cause        tensors     elements
one layer          9  855,654,400  model.layers.0.input_layernorm.weight and 8 more; all 80 are alike
855,654,400           855,654,400
difference                      0

explained to the last element
$ numel explain 68,452,352,000 test/truth/seeds/llama-2-70b.json | sed -n '/^cause/,/^explained/p'
cause           tensors        elements
all layers          720  68,452,352,000  model.layers.0.input_layernorm.weight and 719 more
68,452,352,000           68,452,352,000
difference                            0

explained to the last element

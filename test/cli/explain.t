# numel explain: which way of counting gives a number. test/truth/seeds/claims.t has the figures of
# test/truth/seeds.

# A checkpoint in either format, and a configuration.
$ numel explain 8.03B fixtures/llama-3.1-8b-q4_k_m
fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst
architecture  llama (by metadata)
claim         8.03B: 8,025,000,000 to 8,034,999,999

cause       tensors       elements
parameters      291  8,030,261,248  token_embd.weight and 290 more
8.03B                8,030,261,248  within rounding
difference                       0

explained: matches within rounding; ambiguous: 1 other explanation fits

         also
8,030,261,312  stored

too small to affect the rounded number
     +64  with buffers
  -4,096  without final norm
-262,144  without the norms of the layers
-266,240  without norms
-266,240  matrices only
$ numel explain 596,049,920 fixtures/qwen3-0.6b | sed -n '/^cause/,/^explained/p'
cause        tensors     elements
parameters       310  596,049,920  model.embed_tokens.weight and 309 more
596,049,920           596,049,920
difference                      0

explained to the last element
# lm_head is stored although tied: 155,582,464 more
$ numel explain 751632384 fixtures/qwen3-0.6b | sed -n '/^cause/,$p'
cause             tensors      elements
formula               310   596,049,920  qwen3, 310 tensors expected
tied copy stored        1  +155,582,464  lm_head.weight; values not compared
751632384                   751,632,384
difference                            0

explained to the last element
# with the configuration alone, the copy is added by hand
$ numel explain 751632384 fixtures/qwen3-0.6b/config.json | sed -n '/^cause/,$p'
cause                      tensors      elements
parameters                     310   596,049,920  model.embed_tokens.weight and 309 more
tied tensor counted twice        1  +155,582,464  lm_head.weight; a second name of the embeddings
751632384                            751,632,384
difference                                     0

explained to the last element
$ numel explain 7,217,189,760 fixtures/falcon-7b/config.json | sed -n '/^cause/,/^explained/p'
cause                      tensors       elements
parameters                     195  6,921,720,704  transformer.word_embeddings.weight and 194 more
tied tensor counted twice        1   +295,469,056  lm_head.weight; a second name of the embeddings
7,217,189,760                       7,217,189,760
difference                                      0

explained to the last element

# BERT: the file has the heads for pretraining, BertModel does not.
$ numel explain 110,106,428 fixtures/bert-base/config.json | sed -n '/^cause/,/^explained/p'
cause                  tensors     elements
as BertForPreTraining      206  110,106,428  another class of the same configuration
110,106,428                     110,106,428
difference                                0

explained to the last element; ambiguous: 1 other explanation fits
$ numel explain 109,482,240 fixtures/bert-base/config.json | sed -n '/^cause/,/^explained/p'
cause         tensors     elements
as BertModel      199  109,482,240  another class of the same configuration
109,482,240            109,482,240
difference                       0

explained to the last element; ambiguous: 1 other explanation fits

# gpt-oss-20b in MXFP4: 24 layers, 32 experts of 3 matrices of 2,880^2, and their biases.
# 20,914,757,184 parameters; scales 24 * 32 * 3 * 2,880^2 / 32 = 597,196,800
$ printf '{"model_type":"gpt_oss","architectures":["GptOssForCausalLM"],"hidden_size":2880,"intermediate_size":2880,"num_hidden_layers":24,"num_attention_heads":64,"num_key_value_heads":8,"head_dim":64,"num_local_experts":32,"num_experts_per_tok":4,"vocab_size":201088,"tie_word_embeddings":false,"quantization_config":{"quant_method":"mxfp4"}}' > $T/config.json
$ cd $T && numel explain 21,511,953,984 config.json | sed -n '/^cause/,/^explained/p'
cause                     tensors        elements
parameters                    411  20,914,757,184  model.embed_tokens.weight and 410 more
with quantization scales       48    +597,196,800  by quantization_config
21,511,953,984                     21,511,953,984
difference                                      0

explained to the last element
$ cd $T && numel explain 11,956,805,184 config.json | sed -n '/^cause/,/^explained/p'
cause                      tensors        elements
parameters                     411  20,914,757,184  model.embed_tokens.weight and 410 more
with quantization scales        48    +597,196,800  by quantization_config
packed values counted raw       48  -9,555,148,800  model.layers.0.mlp.experts.gate_up_proj and 47 more; several values in one stored element
11,956,805,184                      11,956,805,184
difference                                       0

explained to the last element
$ cd $T && numel explain 3.6B . | sed -n '/^cause/,/^explained/p'
cause                     tensors         elements
parameters                    411   20,914,757,184  model.embed_tokens.weight and 410 more
only the experts used          96  -16,727,316,480  model.layers.0.mlp.experts.gate_up_proj and 95 more; active parameters
without embedding tables        1     -579,133,440  model.embed_tokens.weight
3.6B                                 3,608,307,264  within rounding
difference                                       0

explained: matches within rounding; ambiguous: 2 other explanations fit

# Calculators: EleutherAI's gives 7.61 % more for Llama-2-7B.
# 2*V*E + 2048*E + 4*L*E^2 + 3*3*L*E^2 + 8*L*E = 262,144,000 + 8,388,608 + 13 * 536,870,912 + 1,048,576
$ numel explain 7,250,903,040 fixtures/llama-2-7b/config.json | sed -n '/^cause/,/^explained/p'
cause                       elements
EleutherAI's cookbook  7,250,903,040  embeddings + 2048*E + 2*L*E^2*(1 + K/H) + n*round(F/E)*L*E^2 + 8*L*E
7,250,903,040          7,250,903,040
difference                         0

explained to the last element
$ numel explain 6,573,522,944 fixtures/llama-2-7b/config.json | sed -n '/^cause/,/^explained/p'
cause                             elements
the rule of 12, with tokens  6,573,522,944  12*L*E^2 + V*E
6,573,522,944                6,573,522,944
difference                               0

explained to the last element
# 12 * 32 * 4,096^2 + 32,000 * 4,096

# Buffers that only old files store, from a configuration alone: GPT-2's 12 masks of 1,048,576, Llama's
# frequencies.
$ numel explain 137022720 fixtures/gpt2/config.json | sed -n '/^cause/,/^explained/p'
cause              tensors     elements
parameters             148  124,439,808  transformer.wte.weight and 147 more
with causal masks       12  +12,582,912  12 x transformer.h.N.attn.bias [1, 1, 1024, 1024], 1,048,576 each; of old files
137022720                   137,022,720
difference                            0

explained to the last element
$ numel explain 6738417664 fixtures/llama-2-7b/config.json | sed -n '/^cause/,/^explained/p'
cause                    tensors       elements
parameters                   291  6,738,415,616  model.embed_tokens.weight and 290 more
with rotary frequencies       32         +2,048  32 x model.layers.N.self_attn.rotary_emb.inv_freq [64], 64 each; of old files
6738417664                        6,738,417,664
difference                                    0

explained to the last element
# with them and without the final norm: 6,738,415,616 + 2,048 - 4,096
$ numel explain 6738413568 fixtures/llama-2-7b/config.json | sed -n '/^cause/,/^explained/p'
cause                    tensors       elements
parameters                   291  6,738,415,616  model.embed_tokens.weight and 290 more
with rotary frequencies       32         +2,048  32 x model.layers.N.self_attn.rotary_emb.inv_freq [64], 64 each; of old files
without final norm             1         -4,096  model.norm.weight
6738413568                        6,738,413,568
difference                                    0

explained to the last element
# one mask fewer matches nothing: 137,022,720 - 1,048,576
$ numel explain 135974144 fixtures/gpt2/config.json | sed -n '/^cause/,/^not/p'
cause                      tensors     elements
parameters                     148  124,439,808  transformer.wte.weight and 147 more
tied tensor counted twice        1  +38,597,376  lm_head.weight; a second name of the embeddings
with causal masks               12  +12,582,912  12 x transformer.h.N.attn.bias [1, 1, 1024, 1024], 1,048,576 each; of old files
without embedding tables         2  -39,383,808  transformer.wte.weight and 1 more
nearest                             136,236,288
unexplained                            -262,144

not explained: no known way of counting gives it; the nearest is off by 262,144

# Prediction layers and buffers are counted independently: DeepSeek-V3's layer 61 has a router bias of 256.
# 671,026,404,352 + 13,463,426,304 - 256; with the bias, the 58 of the other layers too: + 59 * 256
$ numel explain 684489830400 fixtures/deepseek-v3/config.json | sed -n '/^cause/,/^explained/p'
cause                        tensors         elements
parameters                    45,337  671,026,404,352  model.embed_tokens.weight and 45,336 more
with multi-token prediction      787  +13,463,426,048  model.layers.61.input_layernorm.weight and 786 more
684489830400                          684,489,830,400
difference                                          0

explained to the last element
$ numel explain 684489845504 fixtures/deepseek-v3/config.json | sed -n '/^cause/,/^explained/p'
cause                        tensors         elements
parameters                    45,337  671,026,404,352  model.embed_tokens.weight and 45,336 more
with buffers                      58          +14,848  model.layers.3.mlp.gate.e_score_correction_bias and 57 more
with multi-token prediction      788  +13,463,426,304  model.layers.61.input_layernorm.weight and 787 more
684489845504                          684,489,845,504
difference                                          0

explained to the last element

# A chance match is possible but not an explanation: three digits that carry less information than the account
# costs; two digits that two accounts match equally; a factor of 1000; a layer.
$ numel explain 7.01B fixtures/llama-2-7b/config.json | sed -n '/^cause/,/^[pn]o/p'
cause               tensors       elements
parameters              291  6,738,415,616  model.embed_tokens.weight and 290 more
another vocabulary            +270,532,608  V = 65,024, not 32,000; 32 x 8,454,144, L x 2,064 E
7.01B                        7,008,948,224  within rounding
difference                               0

possible, may be chance: too many combinations give a number this short
$ numel explain 31B fixtures/llama-2-7b/config.json | sed -n '/^cause/,$p'
cause               tensors         elements
parameters              291    6,738,415,616  model.embed_tokens.weight and 290 more
another vocabulary              +980,115,456  V = 151,643, not 32,000; 32 x 30,628,608, a multiple of L
bytes                        +23,155,593,216  4 for each parameter (F32)
31B                           30,874,124,288  within rounding
difference                                 0

possible, may be chance: another explanation fits equally well, and the digits do not decide

          also
30,874,222,592  parameters, another vocabulary (V = 151,646, not 32,000), bytes
30,874,845,184  parameters, another vocabulary (V = 151,665, not 32,000), bytes
30,874,976,256  parameters, another vocabulary (V = 151,669, not 32,000), bytes
30,883,725,312  parameters, another vocabulary (V = 151,936, not 32,000), bytes
30,887,919,616  parameters, another vocabulary (V = 152,064, not 32,000), bytes
31,273,795,584  parameters, another vocabulary (V = 163,840, not 32,000), bytes
$ numel explain 131G fixtures/llama-2-7b/config.json | sed -n '/^cause/,/^[pn]o/p'
cause                    tensors          elements
token embeddings               1       131,072,000  model.embed_tokens.weight
off by a factor of 1000           +130,940,928,000  too much
131G                               131,072,000,000  within rounding
difference                                       0

possible, may be chance: 'off by a factor of 1000' is too weak an explanation for a rounded number
$ numel explain 202M fixtures/llama-2-7b/config.json | sed -n '/^cause/,/^[pn]o/p'
cause       tensors     elements
one layer         9  202,383,360  model.layers.0.input_layernorm.weight and 8 more; all 32 are alike
202M                 202,383,360  within rounding
difference                     0

possible, may be chance: 'one layer' is too weak an explanation for a rounded number
$ numel explain -q 202M fixtures/llama-2-7b/config.json
0
[1]
$ numel explain --json 202M fixtures/llama-2-7b/config.json | grep -E '"(explained|possible|met_per_mille|unexplained|verdict)"'
 "judgement": {"kind":"configuration","verdict":"in part","architecture":"llama","name":"LlamaForCausalLM","known_by":"configuration","causes":[]},
 "explained": false,
 "possible": true,
 "met_per_mille": 111,
 "unexplained": 0,
 "verdict": "possible, may be chance: 'one layer' is too weak an explanation for a rounded number",
# exact, it is the layer
$ numel explain -q 202383360 fixtures/llama-2-7b/config.json
0

# A mixture's name counts whole models: 8 * (46,702,792,704 - 7/8 of the experts, 39,460,012,032).
$ numel explain 8x7B fixtures/mixtral-8x7b | sed -n '/^cause/,/^explained/p'
cause                            elements
as many models as experts  57,942,245,376  N times a model with one expert
8x7B                       57,942,245,376  within rounding
difference                              0

explained: matches within rounding

# Without a specification, names identify the tensors.
$ mkdir $T/m && cp fixtures/llama-2-7b/*.zst $T/m && echo '{"model_type":"none"}' > $T/m/config.json && cd $T && numel explain 6607343616 m
m
architecture  unknown; tensors are recognised by their names only
claim         6,607,343,616, exact

cause                tensors       elements
parameters               291  6,738,415,616  model.embed_tokens.weight and 290 more
without output head        1   -131,072,000  lm_head.weight; a base model, or counted as tied
6607343616                    6,607,343,616
difference                                0

explained to the last element; ambiguous: 1 other explanation fits

         also
6,607,343,616  parameters, without embedding tables

# No account gives it: the nearest one, and the remainder; 96 is 32 * 3.
$ numel explain 6738415712 fixtures/llama-2-7b/config.json
fixtures/llama-2-7b/config.json
architecture  llama (by fixtures/llama-2-7b/config.json)
claim         6,738,415,712, exact

cause        tensors       elements
parameters       291  6,738,415,616  model.embed_tokens.weight and 290 more
nearest               6,738,415,616
unexplained                     +96  32 x 3, a multiple of L

not explained: no known way of counting gives it; the nearest is off by 96
[1]
$ numel explain -q 6738415617 fixtures/llama-2-7b
1
[1]
$ numel explain -q 6738415616 fixtures/llama-2-7b
0

# JSON, several models, one of them unreadable.
$ numel explain --json 6607.34M fixtures/llama-2-7b/config.json
{"schema": "numel.explain/1",
 "judgement": {"kind":"configuration","verdict":"in part","architecture":"llama","name":"LlamaForCausalLM","known_by":"configuration","causes":[]},
 "name": null,
 "path": "fixtures/llama-2-7b/config.json",
 "architecture": "llama",
 "claim": {"text":"6607.34M","value":6607340000,"low":6607335000,"high":6607345000,"exact":false},
 "explained": true,
 "possible": false,
 "met_per_mille": 0,
 "unexplained": 0,
 "others": 0,
 "verdict": "explained: matches within rounding; ambiguous: 1 other explanation fits",
 "explanations": [
  {"cost":1,"causes":[{"cause":"parameters","tensors":291,"elements":6738415616,"detail":"model.embed_tokens.weight and 290 more","code":"parameters"},{"cause":"without output head","tensors":1,"elements":-131072000,"detail":"lm_head.weight; a base model, or counted as tied","code":"without-head"}],"value":6607343616,"remainder":0,"reading":"as written"},
  {"cost":2,"causes":[{"cause":"parameters","tensors":291,"elements":6738415616,"detail":"model.embed_tokens.weight and 290 more","code":"parameters"},{"cause":"without embedding tables","tensors":1,"elements":-131072000,"detail":"model.embed_tokens.weight","code":"without-embedding-tables"}],"value":6607343616,"remainder":0,"reading":"as written"},
  {"cost":5,"causes":[{"cause":"llm-analysis","tensors":0,"elements":6607343616,"detail":"V*E + L*(2*E^2*(1 + K/H) + n*N*E*F + N*E + 2*E) + E","code":"llm-analysis"}],"value":6607343616,"remainder":0,"reading":"as written"}],
 "hidden": [
  {"elements":-4096,"cause":"without final norm"}]}
$ numel explain -q 6738415616 fixtures/llama-2-7b nowhere fixtures/gpt2/config.json
numel: nowhere: cannot open: No such file or directory
0
6613975808
[5]

# Texts that are not numbers.
$ numel explain '' fixtures/gpt2
numel: '' is not a number; write it like 6738415616, 6,738,415,616, 6738.4M, 7B, 1.5e9
[2]
$ numel explain abc fixtures/gpt2
numel: 'abc' is not a number; write it like 6738415616, 6,738,415,616, 6738.4M, 7B, 1.5e9
[2]
$ numel explain 1e400 fixtures/gpt2
numel: '1e400' is too large; write it like 6738415616, 6,738,415,616, 6738.4M, 7B, 1.5e9
[2]
$ numel explain 999999999999999999999 fixtures/gpt2
numel: '999999999999999999999' has too many digits; write it like 6738415616, 6,738,415,616, 6738.4M, 7B, 1.5e9
[2]
$ numel explain -5 fixtures/gpt2
numel explain: no option '-5'; see 'numel explain --help'
[2]
$ numel explain 0 fixtures/gpt2
numel: '0' is zero; write it like 6738415616, 6,738,415,616, 6738.4M, 7B, 1.5e9
[2]
$ numel explain 'NaN B' fixtures/gpt2
numel: 'NaN B' is not a number; write it like 6738415616, 6,738,415,616, 6738.4M, 7B, 1.5e9
[2]
$ numel explain 7B
usage: numel explain NUMBER PATH...
[2]

# What a quantizer would store, by the layout that the configuration names. GPTQ, 4 bits, groups of 128, of a llama of E 4096, F 14336,
# K 8 of 32 heads of 128, V 128256, 32 layers: a layer has 218,103,808 in matrices, an eighth of it in words, 1,703,936 scales (one for 128)
# and as many zero points, 8 a word: 27,262,976 + 1,703,936 + 212,992 = 29,179,904 and norms 8,192; 32 layers, two tables of 525,336,576, a norm of 4,096:
# 1,984,696,320. The head is left unchanged, though nothing says so.
$ echo '{"model_type":"llama","architectures":["LlamaForCausalLM"],"hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"vocab_size":128256,"quantization_config":{"quant_method":"gptq","bits":4,"group_size":128}}' > $T/gptq.json && cd $T && numel explain 1984696320 gptq.json | sed -n '/^cause/,/^explained/p'
cause                      tensors        elements
parameters                     291   8,030,261,248  model.embed_tokens.weight and 290 more
with quantization scales       448     +61,341,696  by quantization_config
packed values counted raw      224  -6,106,906,624  model.layers.0.self_attn.q_proj.weight and 223 more; several values in one stored element
1984696320                           1,984,696,320
difference                                       0

explained to the last element

# The remainder for a model whose specification has layers but no width E: 4 layers of 30 x 30 and a table of the
# same size.
$ printf 'arch noe\nmatch hf   model_type in noe\nlet L = cfg("n_layer")\nlet W = cfg("width")\nemb embed.tok tokens - W W\nfor i in 0 .. L\n prefix layers.{i}. -\n  lin  mlp.up  up - W W T\n end\nend\n' > $T/noe.spec && echo '{"model_type":"noe","n_layer":4,"width":30}' > $T/noe.json && cd $T && numel explain 4700 --spec noe.spec noe.json | sed -n '/^cause/,/^not/p'
cause        tensors  elements
parameters         5     4,500  tokens.weight and 4 more
nearest                  4,500
unexplained               +200  4 x 50, a multiple of L

not explained: no known way of counting gives it; the nearest is off by 200

# Authors' figures that no count gives: GPT-2's first figure, for the base only; Whisper's, for tiny only. A size
# that others publish for the architecture is tried before accidental divisors. For a mixture's name, the number of
# active experts comes first.
$ numel explain 117M fixtures/gpt2/config.json | sed -n '/^cause/,/^[ep]/p'; numel explain 118M fixtures/gpt2/config.json | grep -c authors
cause                   elements
its authors' figure  117,000,000  no count gives it
117M                 117,000,000  within rounding
difference                     0

explained: matches within rounding
0
[1]
$ printf '{"architectures":["WhisperForConditionalGeneration"],"model_type":"whisper","d_model":384,"encoder_layers":4,"decoder_layers":4,"encoder_attention_heads":6,"decoder_attention_heads":6,"encoder_ffn_dim":1536,"decoder_ffn_dim":1536}' > $T/tiny.json; numel explain 39M $T/tiny.json | grep -E "^(its|expl)"; numel explain 39M $T/tiny.json --set decoder_layers=3 | grep -c authors
its authors' figure  39,000,000  no count gives it
explained: matches within rounding
0
[1]
$ printf '{"architectures":["Qwen2ForCausalLM"],"model_type":"qwen2","hidden_size":3584,"intermediate_size":18944,"num_hidden_layers":28,"num_attention_heads":28,"num_key_value_heads":4,"vocab_size":151646,"tie_word_embeddings":false}' > $T/gte.json; numel explain 7612756480 $T/gte.json | grep -E '^(another|expl|poss)'; numel explain 7612770816 $T/gte.json | grep -E '^(another|expl|poss)'
another vocabulary                +136,192  V = 151,665, not 151,646; 28 x 4,864, a multiple of L
explained to the last element, with one size inferred
another vocabulary                +150,528  V = 151,667, not 151,646; 28 x 5,376, a multiple of L
possible, may be chance: too many other explanations are this simple
# The active count of a mixture is published next to its total, and comes first: Kimi-K2.5's language model has 32,861,477,888, "32B" in its
# report; with the tower and its projector 33,332,621,808. A figure to which no count rounds or truncates is not an active count.
$ numel explain 32B fixtures/kimi-k2.5/config.json | sed -n '/^cause/,/^32B/p;/^expl/p'
cause                          tensors           elements
parameters                      70,358  1,026,879,353,328  model.vision_tower.patch_embed.proj.weight and 70,357 more
only the experts used           69,120   -993,546,731,520  model.language_model.layers.1.mlp.experts.0.gate_proj.weight and 69,119 more; active parameters
without towers and projectors      443       -471,143,920  model.vision_tower.patch_embed.proj.weight and 442 more
32B                                        32,861,477,888  within rounding
explained: truncated, not rounded; ambiguous: 4 other explanations fit
$ for n in 33B 33.3B 32.8B; do numel explain $n fixtures/kimi-k2.5/config.json | grep -E '^[0-9.]+B |^expl'; done
33B                                33,332,621,808  within rounding
explained: matches within rounding
33.3B                              33,332,621,808  within rounding
explained: matches within rounding
32.8B                                      32,861,477,888  within rounding
explained: truncated, not rounded
$ for n in 31.9B 34B 33.5B; do numel explain $n fixtures/kimi-k2.5/config.json | grep -E '^[0-9.]+B |^expl|^poss'; done
31.9B                                 31,993,065,968  within rounding
possible, may be chance: too many combinations give a number this short
34B                                33,332,621,808  within rounding
possible, may be chance: 'a rounded name' is too weak an explanation for a rounded number
33.5B                              33,591,952,880  within rounding
possible, may be chance: too many combinations give a number this short
# Nemotron 3 Super, with its published sizes (arXiv 2604.12374: 120.6B, 12.7B active): 40 mixers, 40 mixtures of 22 of 512 experts, 8 attentions. 12.1B is neither.
$ cd $T && echo '{"model_type":"nemotron_h","architectures":["NemotronHForCausalLM"],"num_hidden_layers":88,"hidden_size":4096,"vocab_size":131072,"num_attention_heads":32,"num_key_value_heads":2,"head_dim":128,"mamba_num_heads":128,"mamba_head_dim":64,"ssm_state_size":128,"conv_kernel":4,"n_groups":8,"n_routed_experts":512,"num_experts_per_tok":22,"n_shared_experts":1,"moe_latent_size":1024,"moe_intermediate_size":2688,"moe_shared_expert_intermediate_size":5376,"intermediate_size":2688,"tie_word_embeddings":false,"hybrid_override_pattern":"MEMEMEM*EMEMEMEM*EMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEM*EMEMEMEME"}' > super.json && for n in 120.6B 12.7B 12.8B 12.1B; do numel explain $n super.json | grep -E '^[0-9.]+B |^expl|^poss'; done
120.6B               120,668,687,360  within rounding
explained: truncated, not rounded
12.7B                             12,770,216,960  within rounding
explained: truncated, not rounded
12.8B                             12,770,216,960  within rounding
explained: matches within rounding
12.1B                                12,149,459,968  within rounding
possible, may be chance: too many combinations give a number this short

# numel diff with a printout: the output of print(model), next to a model, a configuration, or alone.

# From a notebook, with an old transformers that prints no sizes of norms: 65 of 4,096 = 266,240, and 6,738,149,376
# + 266,240 = 6,738,415,616, which rounds to the 6738.42M that the text states.
$ numel diff fixtures/llama-2-7b fixtures/prints/llama-2-7b.txt
fixtures/llama-2-7b
printout      fixtures/prints/llama-2-7b.txt
found         lines 5 to 30, 20 modules
architecture  llama (by fixtures/llama-2-7b/config.json)

module                            printed          model  class
model.embed_tokens            131,072,000    131,072,000  Embedding
model.layers.[0-31]         6,476,005,376  6,476,267,520  LlamaDecoderLayer
  self_attn.q_proj            536,870,912    536,870,912  Linear
  self_attn.k_proj            536,870,912    536,870,912  Linear
  self_attn.v_proj            536,870,912    536,870,912  Linear
  self_attn.o_proj            536,870,912    536,870,912  Linear
  mlp.gate_proj             1,442,840,576  1,442,840,576  Linear
  mlp.up_proj               1,442,840,576  1,442,840,576  Linear
  mlp.down_proj             1,442,840,576  1,442,840,576  Linear
  input_layernorm                                131,072  LlamaRMSNorm, no size
  post_attention_layernorm                       131,072  LlamaRMSNorm, no size
model.norm                                         4,096  LlamaRMSNorm, no size
lm_head                       131,072,000    131,072,000  Linear

not visible                   modules  elements  for example
LlamaRMSNorm  prints no size       65   266,240  model.layers.0-31.input_layernorm

cause                            elements
printed                     6,738,149,376
classes that print no size       +266,240  LlamaRMSNorm (65)
parameters                  6,738,415,616
unexplained                             0

stated                       line  is
Total # of params  6738.42M    33  65 norms of 4,096

agrees: the model has everything that the printout counts; 266,240 parameters are not visible in the printout
$ numel diff fixtures/llama-2-7b/config.json fixtures/prints/llama-2-7b.txt | tail -1
agrees: the model has everything that the printout counts; 266,240 parameters are not visible in the printout
$ numel diff fixtures/prints/llama-2-7b.txt
printout  fixtures/prints/llama-2-7b.txt
found     lines 5 to 30, 20 modules

module                            printed  class
model.embed_tokens            131,072,000  Embedding
model.layers.[0-31]         6,476,005,376  LlamaDecoderLayer
  self_attn.q_proj            536,870,912  Linear
  self_attn.k_proj            536,870,912  Linear
  self_attn.v_proj            536,870,912  Linear
  self_attn.o_proj            536,870,912  Linear
  mlp.gate_proj             1,442,840,576  Linear
  mlp.up_proj               1,442,840,576  Linear
  mlp.down_proj             1,442,840,576  Linear
  input_layernorm                          LlamaRMSNorm, no size
  post_attention_layernorm                 LlamaRMSNorm, no size
model.norm                                 LlamaRMSNorm, no size
lm_head                       131,072,000  Linear

not visible                                modules     elements  for example
LlamaRMSNorm  prints no size                    65               model.layers.0-31.input_layernorm
Linear        printed again: once if tied        1  131,072,000  lm_head

stated                       line  is
Total # of params  6738.42M    33  65 norms of 4,096

printed  6,738,149,376 (6.74 B)
at least 6,738,149,376: modules that print no size are not counted
$ numel diff -q - < fixtures/prints/llama-2-7b.txt
6738149376

# Wrapped by PEFT and loaded in 4 bits. Adapters: 2 x 32 x 16 x (4096 + 4096) = 8,388,608. peft's stated number
# counts two 4-bit values as one: (6,738,415,616 - 262,144,000 - 266,240) / 2 + 262,144,000 + 266,240 + 8,388,608 =
# 3,508,801,536.
$ numel diff fixtures/llama-2-7b fixtures/prints/llama-2-7b-qlora.txt
fixtures/llama-2-7b
printout      fixtures/prints/llama-2-7b-qlora.txt
found         lines 2 to 56, 39 modules
architecture  llama (by fixtures/llama-2-7b/config.json)

module                                      printed          model  class
base_model.model.model.embed_tokens     131,072,000    131,072,000  Embedding
base_model.model.model.layers.[0-31]  6,484,393,984  6,476,267,520  LlamaDecoderLayer
  self_attn.q_proj.base_layer           536,870,912    536,870,912  Linear4bit
  self_attn.q_proj.lora_A.my-adapter      2,097,152              0  Linear, adapter
  self_attn.q_proj.lora_B.my-adapter      2,097,152              0  Linear, adapter
  self_attn.k_proj                      536,870,912    536,870,912  Linear4bit
  self_attn.v_proj.base_layer           536,870,912    536,870,912  Linear4bit
  self_attn.v_proj.lora_A.my-adapter      2,097,152              0  Linear, adapter
  self_attn.v_proj.lora_B.my-adapter      2,097,152              0  Linear, adapter
  self_attn.o_proj                      536,870,912    536,870,912  Linear4bit
  mlp.gate_proj                       1,442,840,576  1,442,840,576  Linear4bit
  mlp.up_proj                         1,442,840,576  1,442,840,576  Linear4bit
  mlp.down_proj                       1,442,840,576  1,442,840,576  Linear4bit
  input_layernorm                                          131,072  LlamaRMSNorm, no size
  post_attention_layernorm                                 131,072  LlamaRMSNorm, no size
base_model.model.model.norm                                  4,096  LlamaRMSNorm, no size
base_model.model.lm_head                131,072,000    131,072,000  Linear

not visible                   modules  elements  for example
LlamaRMSNorm  prints no size       65   266,240  base_model.model.model.layers.0-31.input_layernorm

cause                            elements
printed                     6,746,537,984
adapters, not in the model     -8,388,608  base_model.model.model.layers.0-31.self_attn.q_proj.lora_A.my-adapter
classes that print no size       +266,240  LlamaRMSNorm (65)
parameters                  6,738,415,616
unexplained                             0

stated                           line  is
trainable params      8,388,608    57  the adapters
all params        3,508,801,536    57  4-bit weights as bytes, 65 norms of 4,096

agrees: the model has everything that the printout counts; 266,240 parameters are not visible in the printout

# Every layer printed, and four more than the file has: 4 x 202,383,360 = 809,533,440.
$ numel diff fixtures/llama-2-7b fixtures/prints/llama-36-layers.txt
fixtures/llama-2-7b
printout      fixtures/prints/llama-36-layers.txt
found         lines 1 to 586, 475 modules
architecture  llama (by fixtures/llama-2-7b/config.json)

module                            printed          model                class
model.embed_tokens            131,072,000    131,072,000                Embedding
model.layers.[0-31]         6,476,267,520  6,476,267,520                LlamaDecoderLayer
  self_attn.q_proj            536,870,912    536,870,912                Linear
  self_attn.k_proj            536,870,912    536,870,912                Linear
  self_attn.v_proj            536,870,912    536,870,912                Linear
  self_attn.o_proj            536,870,912    536,870,912                Linear
  mlp.gate_proj             1,442,840,576  1,442,840,576                Linear
  mlp.up_proj               1,442,840,576  1,442,840,576                Linear
  mlp.down_proj             1,442,840,576  1,442,840,576                Linear
  input_layernorm                 131,072        131,072                LlamaRMSNorm
  post_attention_layernorm        131,072        131,072                LlamaRMSNorm
model.layers.[32-35]          809,533,440              0  -809,533,440  LlamaDecoderLayer, not in the model
  self_attn.q_proj             67,108,864              0   -67,108,864  Linear, not in the model
  self_attn.k_proj             67,108,864              0   -67,108,864  Linear, not in the model
  self_attn.v_proj             67,108,864              0   -67,108,864  Linear, not in the model
  self_attn.o_proj             67,108,864              0   -67,108,864  Linear, not in the model
  mlp.gate_proj               180,355,072              0  -180,355,072  Linear, not in the model
  mlp.up_proj                 180,355,072              0  -180,355,072  Linear, not in the model
  mlp.down_proj               180,355,072              0  -180,355,072  Linear, not in the model
  input_layernorm                  16,384              0       -16,384  LlamaRMSNorm, not in the model
  post_attention_layernorm         16,384              0       -16,384  LlamaRMSNorm, not in the model
model.norm                          4,096          4,096                LlamaRMSNorm
lm_head                       131,072,000    131,072,000                Linear

cause                           elements
printed                    7,547,949,056
printed, not in the model   -809,533,440  model.layers.32.self_attn.q_proj
parameters                 6,738,415,616
unexplained                            0

differs: 809,533,440 printed, not in the model
[1]

# A page with lines removed: 32 x 4096 x 4096 = 536,870,912.
$ grep -v 'q_proj' fixtures/prints/llama-2-7b.txt | numel diff fixtures/llama-2-7b - | sed -n '/^cause/,$p'
cause                            elements
printed                     6,201,278,464
classes that print no size       +266,240  LlamaRMSNorm (65)
in the model, not printed    +536,870,912  model.layers.0.self_attn.q_proj.weight
parameters                  6,738,415,616
unexplained                             0

stated                       line  is
Total # of params  6738.42M    32  the parameters of the path

differs: 536,870,912 in the model, not printed

# The same file, printed by transformers 4 and 5: expert by expert, and without experts.
$ numel diff fixtures/mixtral-8x7b fixtures/prints/mixtral-8x7b-v4.txt
fixtures/mixtral-8x7b
printout      fixtures/prints/mixtral-8x7b-v4.txt
found         lines 3 to 33, 23 modules
architecture  mixtral (by fixtures/mixtral-8x7b/config.json)

module                                   printed           model  class
model.embed_tokens                   131,072,000     131,072,000  Embedding
model.layers.[0-31]               46,440,644,608  46,440,644,608  MixtralDecoderLayer
  self_attn.q_proj                   536,870,912     536,870,912  Linear
  self_attn.k_proj                   134,217,728     134,217,728  Linear
  self_attn.v_proj                   134,217,728     134,217,728  Linear
  self_attn.o_proj                   536,870,912     536,870,912  Linear
  block_sparse_moe.gate                1,048,576       1,048,576  Linear
  block_sparse_moe.experts.[0-7]  45,097,156,608  45,097,156,608  MixtralBlockSparseTop2MLP
    w1                            15,032,385,536  15,032,385,536  Linear
    w2                            15,032,385,536  15,032,385,536  Linear
    w3                            15,032,385,536  15,032,385,536  Linear
  input_layernorm                        131,072         131,072  MixtralRMSNorm
  post_attention_layernorm               131,072         131,072  MixtralRMSNorm
model.norm                                 4,096           4,096  MixtralRMSNorm
lm_head                              131,072,000     131,072,000  Linear

cause              elements
printed      46,702,792,704
parameters   46,702,792,704
unexplained               0

stated           line  is
parameters  47B    35  the printed parameters

agrees: the printout shows every parameter of the model
$ numel diff fixtures/mixtral-8x7b fixtures/prints/mixtral-8x7b-v5.txt | sed -n '/^not visible/,$p'
not visible                        modules        elements  for example
MixtralTopKRouter  prints no size       32       1,048,576  model.layers.0-31.mlp.gate
MixtralExperts     prints no size       32  45,097,156,608  model.layers.0-31.mlp.experts

cause                              elements
printed                       1,604,587,520
classes that print no size  +45,098,205,184  MixtralTopKRouter (32), MixtralExperts (32)
parameters                   46,702,792,704
unexplained                               0

agrees: the model has everything that the printout counts; 45,098,205,184 parameters are not visible in the printout

# A GGUF file uses the names of llama.cpp; its spec has those of transformers.
$ numel print fixtures/llama-3.1-8b > $T/page; numel diff fixtures/llama-3.1-8b-q4_k_m $T/page | sed -n '/^cause/,$p'
cause             elements
printed      8,030,261,248
parameters   8,030,261,248
unexplained              0

agrees: the printout shows every parameter of the model

# Another model's printout.
$ numel diff fixtures/llama-3.1-8b fixtures/prints/pasted.txt
fixtures/llama-3.1-8b
printout      fixtures/prints/pasted.txt
found         lines 3 to 3, 20 modules
architecture  llama (by fixtures/llama-3.1-8b/config.json)

module                            printed          model                class
model.embed_tokens            131,072,000    525,336,576  +394,264,576  Embedding
model.layers.[0-31]         6,476,267,520  6,979,584,000  +503,316,480  LlamaDecoderLayer
  self_attn.q_proj            536,870,912    536,870,912                Linear
  self_attn.k_proj            536,870,912    134,217,728  -402,653,184  Linear
  self_attn.v_proj            536,870,912    134,217,728  -402,653,184  Linear
  self_attn.o_proj            536,870,912    536,870,912                Linear
  mlp.gate_proj             1,442,840,576  1,879,048,192  +436,207,616  Linear
  mlp.up_proj               1,442,840,576  1,879,048,192  +436,207,616  Linear
  mlp.down_proj             1,442,840,576  1,879,048,192  +436,207,616  Linear
  input_layernorm                 131,072        131,072                LlamaRMSNorm
  post_attention_layernorm        131,072        131,072                LlamaRMSNorm
model.norm                          4,096          4,096                LlamaRMSNorm
lm_head                       131,072,000    525,336,576  +394,264,576  Linear

cause                       elements
printed                6,738,415,616
larger than printed   +2,097,152,000  model.embed_tokens
smaller than printed    -805,306,368  model.layers.0-31.self_attn.k_proj
parameters             8,030,261,248
unexplained                        0

differs: 2,097,152,000 larger than printed; 805,306,368 smaller than printed
[1]

# Truncated; and with brackets and lines missing.
$ numel diff fixtures/prints/cut.txt
printout  fixtures/prints/cut.txt
found     lines 1 to 11, 10 modules

module                     printed  class
model.embed_tokens     131,072,000  Embedding
model.layers.[0-31]  2,147,483,648  LlamaDecoderLayer
  self_attn.q_proj     536,870,912  Linear
  self_attn.k_proj     536,870,912  Linear
  self_attn.v_proj     536,870,912  Linear
  self_attn.o_proj     536,870,912  Linear

printed  2,278,555,648 (2.28 B)
at least 2,278,555,648: the printout is incomplete

error  cut-short  10  the printout stops here, inside 'self_attn' of line 6;
                      open brackets: 5
[1]
$ printf 'Net(\n  (l): ModuleList(\n    (0): Linear(in_features=4, out_features=4, bias=False)\n    ...\n    (31): Linear(in_features=4, out_features=4, bias=False)\n  )\n)\n' | numel diff -
printout  standard input
found     lines 1 to 7, 4 modules

module    printed  class
l.[0,31]       32  Linear

printed  32
at least 32: the printout is incomplete

note  left-out  5  30 modules between (0) and (31) were left out of the text

# A table of layers: 64 + 448 + 32 + 6,400 + 330 = 7,274; 6,400 = 4 x 16 x (32 + 64 + 2) + 128.
$ numel diff fixtures/prints/torchinfo.txt
printout  fixtures/prints/torchinfo.txt

table  from line  to  rows  sum of rows  stated
Net            2  16    12        7,274   7,274  agrees

printed  7,274 (7.27 K)
rows are counted; the tensors behind each row are unknown

# Keras 3 in its frame: 1,000 x 16 = 16,000, 2 x 4 x 8 x (16 + 8 + 1) = 1,600, 16 x 10 + 10 = 170: 17,770. Its
# total has Adam's state too: 2 x 17,770 + 2 = 35,542, and 17,770 + 35,542 = 53,312.
$ numel diff fixtures/prints/keras3.txt
printout  fixtures/prints/keras3.txt

table                  from line  to  rows  sum of rows  stated
embedding (Embedding)          3  14     4       17,770  53,312  agrees, including the optimizer's

printed  17,770 (17.77 K)
rows are counted; the tensors behind each row are unknown
# One row removed: 53,312 - 170 matches neither.
$ sed '/dense (Dense)/d' fixtures/prints/keras3.txt | numel diff -
printout  standard input

table                  from line  to  rows  sum of rows  stated
embedding (Embedding)          3  13     3       17,600  53,312  differs

printed  17,600 (17.60 K)
rows are counted; the tensors behind each row are unknown

error  sum-differs  13  the rows of the table of line 3 add up to 17,600, but
                        its total is 53,312: rows are missing, or parameters
                        belong to no row
[1]
# Truncated before its total.
$ sed '/Total/,$d' fixtures/prints/keras3.txt | numel diff -
printout  standard input

table                  from line  to  rows  sum of rows
embedding (Embedding)          3  14     4       17,770

printed  17,770 (17.77 K)
rows are counted; the tensors behind each row are unknown

error  no-total  14  the table of line 3 ends without its total: rows may be
                     missing
[1]
# fastai 2: 432 + 32 + 170 = 634.
$ numel diff fixtures/prints/fastai.txt
printout  fixtures/prints/fastai.txt

table   from line  to  rows  sum of rows  stated
Conv2d          3  17     6          634     634  agrees

printed  634
rows are counted; the tensors behind each row are unknown
$ sed '/^Linear/d' fixtures/prints/fastai.txt | numel diff - | sed -n '/^error/,$p'
error  sum-differs  16  the rows of the table of line 3 add up to 464, but its
                        total is 634: rows are missing, or parameters belong to
                        no row

# Lightning rounds: "124 M" is 124,000,000 to 124,999,999. The stated size is more precise: 497.759 MB at 4 bytes
# are 124,439,625 to 124,439,875, and GPT-2 has 124,439,808.
$ numel diff fixtures/prints/lightning.txt
printout  fixtures/prints/lightning.txt

table  from line  to  rows  sum of rows       stated
model          3   7     2  124,000,000  124,000,000  agrees

printed  124 M: 124,439,625 to 124,439,875, by the size in MB
the numbers are rounded; the tensors behind each row are unknown
$ numel diff fixtures/gpt2 fixtures/prints/lightning.txt | tail -1
agrees within rounding: the table says 124,439,625 to 124,439,875, the model has 124,439,808 parameters
$ sed 's/497.759/497.859/' fixtures/prints/lightning.txt | numel diff fixtures/gpt2 - | tail -1
differs: the table says 124,464,625 to 124,464,875, the model has 124,439,808 parameters
$ sed '/^1 /d' fixtures/prints/lightning.txt | sed 's/^0 | model/1 | model/' | numel diff -
printout  standard input

table  from line  to  rows  sum of rows       stated
model          3   6     1  124,000,000  124,000,000  agrees

printed  124 M: 124,439,625 to 124,439,875, by the size in MB
the numbers are rounded; the tensors behind each row are unknown

error  left-out  5  row 1 is where row 0 was expected: rows were left out
[1]
$ sed 's/124 M     Total/125 M     Total/' fixtures/prints/lightning.txt | numel diff -
printout  standard input

table  from line  to  rows  sum of rows       stated
model          3   7     2  124,000,000  125,000,000  differs

printed  125 M: 125,000,000 to 125,999,999
the numbers are rounded; the tensors behind each row are unknown

error  sum-differs  13  trainable and non-trainable parameters do not add up to
                        the total
error  sum-differs  13  the size in MB is not the total times 1, 2, 4 or 8 bytes
                        per parameter
error  sum-differs   7  the rows of the table of line 3 add up to 124,000,000 to
                        124,999,999, but its total is 125,000,000 to
                        125,999,999: rows are missing, or parameters belong to
                        no row
[1]
$ numel diff -q fixtures/prints/lightning-rich.txt
21800000
$ numel diff fixtures/prints/lightning-rich.txt --json | sed -n '/"tables"/,/"printed"/p'
 "tables": [
  {"name":"backbone","first_line":1,"last_line":7,"rows":3,"elements":21813000,"rounded":true,"stated":21800000,"stated_text":"21.8 M","low":21750000,"high":21850000,"optimizer":null,"agrees":true}],
 "rows": [
  {"table":0,"line":4,"depth":0,"name":"backbone","elements":21300000},
  {"table":0,"line":5,"depth":1,"name":"backbone.stem","elements":9400},
  {"table":0,"line":6,"depth":0,"name":"head","elements":513000}],
 "printed": 21800000,

# Indentation squeezed to one blank: brackets alone decide. 800 + 2 x (8 x 24 + 24 + 8 x 8 + 16) + 800 = 2,192.
$ numel diff fixtures/prints/squeezed.txt
printout  fixtures/prints/squeezed.txt
found     lines 3 to 18, 11 modules

module        printed  class
embed             800  Embedding
blocks.[0-1]      592  Block
  attn.qkv        432  Linear
  attn.out.0      128  Linear
  norm             32  LayerNorm
head              800  Linear

not visible                               modules  elements  for example
Linear       printed again: once if tied        1       800  head

stated              line  is
Total params  2192    20  the printed parameters

printed  2,192 (2.19 K)
every printed module shows its size

note  no-indentation  6  from here on, the indentation does not match the
                         brackets: nesting is read from the brackets alone
# A line that opens and one that closes, removed.
$ sed '/(attn)/d' fixtures/prints/squeezed.txt | numel diff - | sed -n '/^printed/,$p'
printed  1,376 (1.38 K)
1,376 by the brackets: lines are missing, and without indentation their place is unknown

note   no-indentation   6  from here on, the indentation does not match the
                           brackets: nesting is read from the brackets alone
error  not-opened      15  the brackets end the printout here, but it goes on
                           below: a line that opens a bracket is missing
$ sed '13d' fixtures/prints/squeezed.txt | numel diff - | sed -n '/^printed/,$p'
printed  2,192 (2.19 K)
2,192 by the brackets: lines are missing, and without indentation their place is unknown

note   no-indentation   6  from here on, the indentation does not match the
                           brackets: nesting is read from the brackets alone
error  cut-short       19  the printout stops here, inside 'Net' of line 3; open
                           brackets: 1

# An empty file; a missing one; a dishonest printout.
$ numel diff fixtures/README.md
numel: fixtures/README.md: contains no printed model; to compare two checkpoints, name both
[3]
$ numel diff fixtures/llama-2-7b fixtures/README.md
numel: fixtures/README.md:0: is plain text ('# Fixtures'): a server's response, or a link saved as text: download the file again
[3]
$ echo nothing | numel diff -
numel: standard input: contains no printed model: the output of print(model) begins like 'LlamaForCausalLM('
[3]
$ numel diff fixtures/llama-2-7b
numel: fixtures/llama-2-7b: contains no printed model; to compare two checkpoints, name both
[3]
$ printf 'Net(\n  (0-9): 99999999999999999999 x M(\n  )\n)\n' | numel diff -
numel: standard input: line 2: a number of copies that does not fit in 64 bits
[3]

# For programs.
$ numel diff fixtures/llama-2-7b fixtures/prints/llama-2-7b.txt --json | head -30
{"schema": "numel.printout/1",
 "path": "fixtures/llama-2-7b",
 "printout": "fixtures/prints/llama-2-7b.txt",
 "class": "LlamaForCausalLM",
 "architecture": "llama",
 "printouts": [
  {"class":"LlamaForCausalLM","first_line":5,"last_line":30,"modules":20,"elements":6738149376,"cut":false,"chosen":true}],
 "modules": [
  {"module":"model.embed_tokens","depth":0,"times":1,"printed":131072000,"held":131072000,"difference":0,"unseen":0,"tied":0,"adapters":0,"class":"Embedding","remark":null},
  {"module":"model.layers.[0-31]","depth":0,"times":32,"printed":6476005376,"held":6476267520,"difference":0,"unseen":262144,"tied":0,"adapters":0,"class":"LlamaDecoderLayer","remark":null},
  {"module":"model.layers.[0-31].self_attn.q_proj","depth":1,"times":32,"printed":536870912,"held":536870912,"difference":0,"unseen":0,"tied":0,"adapters":0,"class":"Linear","remark":null},
  {"module":"model.layers.[0-31].self_attn.k_proj","depth":1,"times":32,"printed":536870912,"held":536870912,"difference":0,"unseen":0,"tied":0,"adapters":0,"class":"Linear","remark":null},
  {"module":"model.layers.[0-31].self_attn.v_proj","depth":1,"times":32,"printed":536870912,"held":536870912,"difference":0,"unseen":0,"tied":0,"adapters":0,"class":"Linear","remark":null},
  {"module":"model.layers.[0-31].self_attn.o_proj","depth":1,"times":32,"printed":536870912,"held":536870912,"difference":0,"unseen":0,"tied":0,"adapters":0,"class":"Linear","remark":null},
  {"module":"model.layers.[0-31].mlp.gate_proj","depth":1,"times":32,"printed":1442840576,"held":1442840576,"difference":0,"unseen":0,"tied":0,"adapters":0,"class":"Linear","remark":null},
  {"module":"model.layers.[0-31].mlp.up_proj","depth":1,"times":32,"printed":1442840576,"held":1442840576,"difference":0,"unseen":0,"tied":0,"adapters":0,"class":"Linear","remark":null},
  {"module":"model.layers.[0-31].mlp.down_proj","depth":1,"times":32,"printed":1442840576,"held":1442840576,"difference":0,"unseen":0,"tied":0,"adapters":0,"class":"Linear","remark":null},
  {"module":"model.layers.[0-31].input_layernorm","depth":1,"times":32,"printed":null,"held":131072,"difference":0,"unseen":131072,"tied":0,"adapters":0,"class":"LlamaRMSNorm","remark":"no size"},
  {"module":"model.layers.[0-31].post_attention_layernorm","depth":1,"times":32,"printed":null,"held":131072,"difference":0,"unseen":131072,"tied":0,"adapters":0,"class":"LlamaRMSNorm","remark":"no size"},
  {"module":"model.norm","depth":0,"times":1,"printed":null,"held":4096,"difference":0,"unseen":4096,"tied":0,"adapters":0,"class":"LlamaRMSNorm","remark":"no size"},
  {"module":"lm_head","depth":0,"times":1,"printed":131072000,"held":131072000,"difference":0,"unseen":0,"tied":0,"adapters":0,"class":"Linear","remark":null}],
 "unseen": [
  {"class":"LlamaRMSNorm","why":"prints no size","modules":65,"tensors":65,"elements":266240,"name":"model.layers.0-31.input_layernorm"}],
 "account": [
  {"cause":"printed","tensors":null,"elements":6738149376,"detail":"","code":"printed"},
  {"cause":"classes that print no size","tensors":65,"elements":266240,"detail":"LlamaRMSNorm (65)","code":"no-size"}],
 "stated": [
  {"label":"Total # of params","text":"6738.42M","low":6738415000,"high":6738424999,"line":33,"met":true,"how":"65 norms of 4,096"}],
 "tables": [],
 "rows": [],

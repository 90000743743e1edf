# numel spec: the known architectures.

$ numel spec list | awk 'NR == 1 || $1 == "gpt2" { print $1, $2, $3, $4 }'
name file family matches
gpt2 gpt2.spec gpt gpt2
$ numel spec list --json | sed -n '1p; /"name":"gpt2"/p'
{"schema": "numel.spec/1",
  {"name":"gpt2","file":"gpt2.spec","family":"gpt","built_in":true,"matches":"gpt2 gpt-sw3, gpt2"},
$ numel spec show gpt2 | grep -E '^(arch|match|let [A-Z]|emb)'
arch gpt2
match hf   model_type in gpt2 gpt-sw3
match gguf general.architecture in gpt2
let E = cfg("n_embd")                          |gguf| cfg("embedding_length")
let L = cfg("n_layer")                         |gguf| cfg("block_count")
let P = cfg("n_positions", "n_ctx")            |gguf| cfg("context_length")
let V = cfg("vocab_size")                      |gguf| cfg("vocab_size") ?? dim("token_embd.weight", 0)
let F = cfg("n_inner") ?? 4 * E                |gguf| cfg("feed_forward_length")
emb embed.tok transformer.wte token_embd    V E
emb embed.pos transformer.wpe position_embd P E
let P = "GPT2"
$ numel spec show gpt2 > $T/mine.spec && cd $T && numel spec lint mine.spec
mine.spec: ok
# A block, or a file of another kind, is not reported as ok: nothing was checked. Together with an error the status is that of the error.
$ numel spec lint src/data/blocks/decoder/kv_cache.spec README.md src/data/layouts/gptq.layout
src/data/blocks/decoder/kv_cache.spec: not checked: it has no arch line (a block is checked where it is used)
README.md: not checked: it has no arch line (a block is checked where it is used)
src/data/layouts/gptq.layout: ok
[4]
$ printf 'arch x\nlet E = cfg("hidden_size"\n' > $T/half.spec; numel spec lint -q $T/half.spec README.md
1
[1]
# every built-in specification lints cleanly
$ for s in src/data/specs/*/*.spec; do numel spec lint $s >$T/said 2>&1 || { echo $s; cat $T/said; }; done
# A reused block has its roles again, under names set by a let between the two; without one they are the same.
# 2 (4 2 3 3 weights, and 4 of each of bias, scale and shift) = 168.
$ printf 'arch x\nmatch hf model_type in x\nlet O = 4\nlet X = 2\nlet k = 3\nlet at = "a."\nuse timm_conv_norm\nlet at = "b."\nuse timm_conv_norm\n' >$T/x.spec; echo '{"model_type":"x"}' >$T/c.json; cd $T && numel spec lint x.spec && numel formula -q --spec x.spec c.json
x.spec: ok
168
$ cd $T && grep -v 'b[.]' x.spec >y.spec && numel formula -q --spec y.spec c.json
numel: timm_conv_norm.spec: lines 2 and 2 both give 'a.conv.weight'
[3]

# Lint messages: file, line, column.
$ printf 'arch x\nlet E = cfg("hidden_size"\n' > $T/a.spec && cd $T && numel spec lint a.spec
a.spec:2:26: expected ','
[1]
$ printf 'arch x\nmatch hf model_type in x\nlet E = cfg("hidden_size")\nlin head lm_head output V E\n' > $T/b.spec && cd $T && numel spec lint b.spec
b.spec:4:25: unknown symbol 'V': no 'let' before this line defines it
[1]
$ printf 'arch x\nfor i in 0 .. 3\nnorm a b c 1\n' > $T/c.spec && cd $T && numel spec lint c.spec
c.spec:3:1: the block in line 2 has no end
[1]
$ cd $T && numel spec lint none.spec
numel: none.spec: cannot open: No such file or directory
[3]

# A user's specification takes precedence over the built-in ones.
$ printf 'arch tiny\nmatch hf model_type in tiny\nlet E = cfg("hidden_size")\nemb embed.tok embed - 3 E\n' > $T/tiny.spec && echo '{"model_type":"tiny","hidden_size":5}' > $T/t.json && cd $T && numel formula t.json --spec tiny.spec
architecture  tiny (by t.json)

symbol  value  evidence  from
E           5  declared  hidden_size

role       formula  each  times  total    share
embed.tok  3*E        15      1     15  100.0 %

expression  3*E
total       15
tensors     1
buffers     0
# 3 * 5 = 15
$ cd $T && numel formula t.json
numel: t.json: no specification for model_type 'tiny'
[3]
$ cd $T && numel spec show tiny --spec tiny.spec | head -1
arch tiny
$ cd $T && numel spec list --spec . 2>&1 | grep -v -e tinytimemixer -e autoencoder_tiny -e tinyvit | grep -c tiny
2
# A folder stands for the specifications in it at any depth; a pipe works too.
$ mkdir -p $T/deep/er && cp $T/tiny.spec $T/deep/er && cd $T && numel spec list --spec deep | awk '$1 == "tiny" { print $2 }'
deep/er/tiny.spec
$ cd $T && cat tiny.spec | numel spec show tiny --spec /dev/stdin | head -1
arch tiny

$ numel spec show none
numel: unknown architecture 'none'; see 'numel spec list'
[2]
$ numel spec
usage: numel spec list|layouts|show|lint
[2]
$ numel spec what
usage: numel spec list | layouts | show NAME | lint FILE...
[2]

# Layouts: how quantizers store weights. They are listed, shown and linted like specifications, and a user's
# replaces a built-in one: here a GPTQ whose scales have an extra row.
$ numel spec layouts | awk '{ print $1, $2 }'
name file
aqlm aqlm.layout
awq-gemv-fast awq-gemv-fast.layout
awq-gemv awq-gemv.layout
awq-marlin awq-marlin.layout
awq awq.layout
bitblas bitblas.layout
bitnet bitnet.layout
bnb4-experts bnb4-experts.layout
bnb4-gptqmodel bnb4-gptqmodel.layout
bnb4 bnb4.layout
bnb8 bnb8.layout
comfy-fp8-marked comfy-fp8-marked.layout
comfy-fp8 comfy-fp8.layout
comfy-int8 comfy-int8.layout
comfy-mxfp8 comfy-mxfp8.layout
comfy-nvfp4 comfy-nvfp4.layout
ct-marlin24 ct-marlin24.layout
ct-mxfp4 ct-mxfp4.layout
ct-nvfp4 ct-nvfp4.layout
ct-pack ct-pack.layout
ct-quantized ct-quantized.layout
ct-sparse24 ct-sparse24.layout
eetq eetq.layout
exl2 exl2.layout
exl3 exl3.layout
fbgemm-fp8 fbgemm-fp8.layout
fp-quant fp-quant.layout
fp8-block fp8-block.layout
fp8-e8m0 fp8-e8m0.layout
fp8-row fp8-row.layout
fp8-static fp8-static.layout
gemma-quant-emb gemma-quant-emb.layout
gemma-quant gemma-quant.layout
gguf-blocks gguf-blocks.layout
gptq-marlin-24 gptq-marlin-24.layout
gptq-marlin gptq-marlin.layout
gptq gptq.layout
higgs higgs.layout
hqq hqq.layout
metal metal.layout
mlx-fp mlx-fp.layout
mlx mlx.layout
modelopt-awq modelopt-awq.layout
modelopt-fp8-block modelopt-fp8-block.layout
modelopt-int8 modelopt-int8.layout
modelopt-nvfp4 modelopt-nvfp4.layout
mxfp4-bytes mxfp4-bytes.layout
mxfp4 mxfp4.layout
mxfp8 mxfp8.layout
native native.layout
qqq qqq.layout
quanto quanto.layout
quark-int4 quark-int4.layout
quark-int8 quark-int8.layout
spqr spqr.layout
svdquant-awq svdquant-awq.layout
svdquant svdquant.layout
torchao torchao.layout
vptq vptq.layout
$ numel spec layouts --json | grep '"name":"bnb4"'
  {"name":"bnb4","file":"bnb4.layout","family":null,"built_in":true,"matches":"bitsandbytes"},
$ for s in src/data/layouts/*.layout; do numel spec lint $s >$T/said 2>&1 || { echo $s; cat $T/said; }; done
$ . test/cli/causes/build.sh; numel spec show gptq | sed 's/float G O/float G+1 O/' > $T/gptq.layout; llama | quantized gptq | reconcile ',"quantization_config":{"quant_method":"gptq","bits":4,"group_size":32}' --spec gptq.layout --no-truncate | grep -E '^(wrong|disagrees)' | sed -n '1,3p'
disagrees: 0 missing, 14 of the wrong shape, 0 unexpected
wrong shape  model.layers.0.self_attn.q_proj.scales  expected  [3, 64]   found  [2, 64]
wrong shape  model.layers.0.self_attn.k_proj.scales  expected  [3, 32]   found  [2, 32]
$ . test/cli/causes/build.sh; llama | quantized gptq | reconcile ',"quantization_config":{"quant_method":"gptq","bits":4,"group_size":32}' | tail -1
(agrees)
$ printf 'layout x\nmatch quant_method in x\nsym b in\nsym c in 1 2\nscale {M}.s F32 n/\n' > $T/x.layout && cd $T && numel spec lint x.layout
x.layout:3:9: expected at least one value
x.layout:5:19: the expression ends too early
[1]
$ for s in src/data/layouts/*.forms; do numel spec lint $s; done
src/data/layouts/writers.forms: ok
$ printf 'form x\n old {P}.a A\n new {P}.b Z\nform y\n old a\n new {P}.{q} 1\n' > $T/x.forms && cd $T && numel spec lint x.forms
x.forms:3:12: unknown symbol 'Z': no 'let' before this line defines it
x.forms:5:6: a name begins with {P}.
x.forms:6:10: expected {e} or {m}
[1]
$ printf 'layout y\nsym c in 1 2\nscale {M}.s F32 n\n' > $T/y.layout && cd $T && numel spec lint y.layout
y.layout:1:1: symbol 'c' is never used
y.layout:1:1: no value: the layout has no packed weight
y.layout:1:1: no match: no configuration can select it
[1]
$ printf 'layout z\nvalue {M}.s I32 what\nover a b\nskip a\nextra what x F32\nsym b in 1 = q(\ncheck Z {M}.x json a\nvalue {M I32\n' > $T/z.layout && cd $T && numel spec lint z.layout
z.layout:2:17: unknown symbol 'what': no 'let' before this line defines it
z.layout:3:8: 'b' does not show how modules are named
z.layout:5:7: expected a role: scale, zero, act ...
z.layout:6:16: the expression ends too early
z.layout:7:1: unknown keyword 'check'
z.layout:8:13: expected types
[1]
# Each layout has an entry in numel(5), which states what it accepts and refuses; a new one is reported as missing.
$ . test/cli/causes/manual.sh; lacking; printf 'layout newest\nmatch quant_method in newest\nvalue {M}.new I8 O I\n' >$T/newest.layout; lacking --spec $T/newest.layout
newest
# A line that ends in a backslash continues in the next; errors there give their own position, and later lines keep their numbers.
$ printf 'arch mine\nmatch hf model_type in mine\nlet E = cfg("hidden_size") \\\n   ?? 2 # two\nlin a a - \\\r\n   E 3\n' > $T/mine.spec && cd $T && numel spec lint mine.spec && echo '{"model_type":"mine","hidden_size":5}' | numel formula -q --spec mine.spec -
mine.spec: ok
15
$ printf 'arch mine\nmatch hf model_type in mine\nlet E = cfg("hidden_size") \\\n   ?? Q\nlin a a - E E\nlin b b - E Z\n' > $T/mine.spec && cd $T && numel spec lint mine.spec
mine.spec:4:7: unknown symbol 'Q': no 'let' before this line defines it
mine.spec:6:13: unknown symbol 'Z': no 'let' before this line defines it
[1]
# Neighbours: a match line cannot be continued, since the index of specs reads it separately; a backslash within a
# line is literal; so is one at the end of the file.
$ printf 'arch mine\nmatch hf model_type in mine \\\n  ours\nlet E = 2 \\ 3\nlin a a - E E\nlet F = 2 \\' > $T/mine.spec && cd $T && numel spec lint mine.spec
mine.spec:2:1: a match line cannot continue: write a second one
mine.spec:4:11: '\\' has no meaning here
mine.spec:6:11: '\\' has no meaning here
[1]
# Each layout states the common name of its format, with placeholders; an unknown one is refused.
$ grep -L '^called ' src/data/layouts/*.layout
$ printf 'layout y\nmatch quant_method in y\ncalled Y[ {bits}-bit] {wits}\nvalue {M}.y I8 O I\n' > $T/y.layout && cd $T && numel spec lint y.layout
y.layout:3:24: nothing provides this value
[1]
# A user's block that does not fit the specification using it, tried for a file without a configuration: that
# attempt fails, the command does not.
$ zstd -dcq fixtures/oracle/timm.jsonl.zst fixtures/oracle/timm_sizes.jsonl.zst | grep -m1 '"timm/regnety' | python3 -c 'import json, math, struct, sys; c = json.loads(sys.stdin.read()); h, at = {}, 0; t = {**c["params"], **c["buffers"]}; z = {n: 4 * math.prod(s) for n, s in t.items()}; [h.update({n: {"dtype": "F32", "shape": s, "data_offsets": [sum(list(z.values())[:i]), sum(list(z.values())[:i + 1])]}}) for i, (n, s) in enumerate(t.items())]; b = json.dumps(h).encode(); f = open(sys.argv[1], "wb"); f.write(struct.pack("<Q", len(b)) + b); f.truncate(8 + len(b) + sum(z.values()))' $T/lone.safetensors; sed 's/for step in/for e in/' src/data/blocks/vision/timm_regnet_width.spec > $T/timm_regnet_width.spec; cd $T; for s in '' '--spec timm_regnet_width.spec'; do numel reconcile $s lone.safetensors | tail -1; done
stored  11,255,188 (11.26 M)
stored  11,255,188 (11.26 M)

# A table of models: the row that most of the file's facts match is chosen. Without a file there is no c.weight: 4
# 4 + 1 + 2 = 19.
$ printf 'arch x\nmatch hf model_type in x\nchoose variant E=[dim("a.weight",0),dim("a.weight",1)] up=dim("c.weight",0) S\n row "big" 8 16 [3,4,5]\n row "small" 4 null [1,2]\nend\nlin a a - E E\nfor i in 0 .. len(S)\n raw b b.{i} - S[i]\nend\nif up != null\n conv c c - up E 3 3 bias=true\nend\n' >$T/choose.spec; cd $T && numel spec lint choose.spec && numel formula -q --spec choose.spec c.json
choose.spec: ok
19
$ cd $T && for c in 's/ S$/ S F/' 's/"small" 4 null/"small" 4/' 's/E=.* S$/E up S/' 's/ row "big"/ rows "big"/' 's/^end$//' '/row/d' 's/ up=/ opt=/' 's/5\]/5/' 's/conv c c - up E 3 3/conv c c - up E/' 's/\[3,4,5\]/[3,,5]/'; do sed "$c" choose.spec >$T/y.spec; numel spec lint y.spec | head -1; done
y.spec:4:24: 5 columns, but 4 values
y.spec:5:21: 4 columns, but 3 values
y.spec:3:1: no column can be seen in a file: NAME=EXPR
y.spec:4:2: expected a row or the end, not 'rows'
y.spec:7:1: expected a row or the end, not 'lin'
y.spec:4:1: a choose needs at least one row
y.spec:3:56: 'opt' cannot be a symbol
y.spec:4:23: expected ','
y.spec:12:27: 2 dims, but a convolution has at least 3
y.spec:4:20: expected a value

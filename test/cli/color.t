# Colour: the option decides, then NO_COLOR, then CLICOLOR_FORCE, then the terminal, which a pipe is not.
# An escape is shown as E.
$ numel list fixtures/gpt2 --color always | sed 's/\x1b/E/g' | head -2
E[1mnameE[0m  E[1marchitectureE[0m  E[1mparametersE[0m  E[1mquantizationE[0m   E[1mbitsE[0m       E[1msizeE[0m  E[1mfilesE[0m  E[1mverdictE[0m
gpt2  gpt2            124.44 M  F32           32.00  522.7 MiB      1  E[32magreesE[0m
$ printf '%s\n' 'when=$1; shift' 'env "$@" numel list fixtures/gpt2 --color $when | grep -q "agrees$" && echo no || echo yes' > $T/colored
$ sh $T/colored auto
no
$ sh $T/colored auto TERM=xterm
no
$ sh $T/colored auto NO_COLOR=
no
$ sh $T/colored auto CLICOLOR_FORCE=
no
$ sh $T/colored auto CLICOLOR_FORCE=0
no
$ sh $T/colored auto NO_COLOR=1
no
$ sh $T/colored auto CLICOLOR_FORCE=1
yes
$ sh $T/colored auto FORCE_COLOR=1
yes
$ sh $T/colored auto NO_COLOR= CLICOLOR_FORCE=1
yes
$ sh $T/colored auto TERM=dumb CLICOLOR_FORCE=1
yes
$ sh $T/colored auto NO_COLOR=1 CLICOLOR_FORCE=1
no
$ sh $T/colored auto NO_COLOR=0 CLICOLOR_FORCE=1
no
$ sh $T/colored never CLICOLOR_FORCE=1
no
$ sh $T/colored never NO_COLOR=1
no
$ sh $T/colored always NO_COLOR=1
yes
$ sh $T/colored always TERM=dumb CLICOLOR_FORCE=0
yes

# Only words that are ours have a verdict's colour, and all of the verdict has it.
$ mkdir $T/m && cp fixtures/llama-2-7b/*.json fixtures/llama-2-7b/*-00001-*.zst $T/m
$ cd $T/m && numel verify . --color always | sed 's/\x1b/E/g'
E[1m.E[0m
levels  header, size, index, config

E[1mfileE[0m                                               E[1mbytesE[0m  E[1mtensorsE[0m
model-00001-of-00002.safetensors.head.zst  9,976,570,304      217  E[32mokE[0m
model-00002-of-00002.safetensors                                   E[31mmissingE[0m

E[31merrorE[0m  shard-missing  model-00002-of-00002.safetensors: the index names it, but
                      it is missing: download it

note  data-absent  a header-only copy: the tensor data was left out on purpose

E[31mincompleteE[0m: 1 error, 0 warnings; 1 of 2 files is missing
download 'model-00002-of-00002.safetensors'

$ numel reconcile fixtures/gpt2 --set L=13 --color always | sed -n 's/\x1b/E/gp' | tail -2
E[1mcauseE[0m              E[1mtensorsE[0m     E[1melementsE[0m
E[31mdisagreesE[0m: 12 missing, 0 of the wrong shape, 0 unexpected

# What is for programs has no colour.
$ for f in -q --json --ndjson --csv --markdown --html=-; do numel list fixtures/gpt2 $f --color always | grep -c "$(printf '\033')"; done
0
0
0
0
0
0
[1]

# Bars are for 100 columns and more, of '#' unless the locale is UTF-8.
$ COLUMNS=99 numel fixtures/gpt2 | sed -n '/^name/,/^wpe/p'
name                  shape                         each    elements   share      bytes
h.[0-11]                                  12 x 8,136,448  97,637,376  71.3 %  372.4 MiB
  attn.bias           [1, 1, 1024, 1024]  12 x 1,048,576  12,582,912   9.2 %   48.0 MiB
  attn.c_attn.bias    [2304]                  12 x 2,304      27,648   0.0 %  108.0 KiB
  attn.c_attn.weight  [768, 2304]         12 x 1,769,472  21,233,664  15.5 %   81.0 MiB
  attn.c_proj.bias    [768]                     12 x 768       9,216   0.0 %   36.0 KiB
  attn.c_proj.weight  [768, 768]            12 x 589,824   7,077,888   5.2 %   27.0 MiB
  ln_1.bias           [768]                     12 x 768       9,216   0.0 %   36.0 KiB
  ln_1.weight         [768]                     12 x 768       9,216   0.0 %   36.0 KiB
  ln_2.bias           [768]                     12 x 768       9,216   0.0 %   36.0 KiB
  ln_2.weight         [768]                     12 x 768       9,216   0.0 %   36.0 KiB
  mlp.c_fc.bias       [3072]                  12 x 3,072      36,864   0.0 %  144.0 KiB
  mlp.c_fc.weight     [768, 3072]         12 x 2,359,296  28,311,552  20.7 %  108.0 MiB
  mlp.c_proj.bias     [768]                     12 x 768       9,216   0.0 %   36.0 KiB
  mlp.c_proj.weight   [3072, 768]         12 x 2,359,296  28,311,552  20.7 %  108.0 MiB
ln_f.bias             [768]                                      768   0.0 %    3.0 KiB
ln_f.weight           [768]                                      768   0.0 %    3.0 KiB
wpe.weight            [1024, 768]                            786,432   0.6 %    3.0 MiB

$ COLUMNS=100 numel fixtures/gpt2 | sed -n '/^name/,/^wpe/p'
name                  shape                         each    elements   share                   bytes
h.[0-11]                                  12 x 8,136,448  97,637,376  71.3 %  --------     372.4 MiB
  attn.bias           [1, 1, 1024, 1024]  12 x 1,048,576  12,582,912   9.2 %  #             48.0 MiB
  attn.c_attn.bias    [2304]                  12 x 2,304      27,648   0.0 %               108.0 KiB
  attn.c_attn.weight  [768, 2304]         12 x 1,769,472  21,233,664  15.5 %  ##            81.0 MiB
  attn.c_proj.bias    [768]                     12 x 768       9,216   0.0 %                36.0 KiB
  attn.c_proj.weight  [768, 768]            12 x 589,824   7,077,888   5.2 %  #             27.0 MiB
  ln_1.bias           [768]                     12 x 768       9,216   0.0 %                36.0 KiB
  ln_1.weight         [768]                     12 x 768       9,216   0.0 %                36.0 KiB
  ln_2.bias           [768]                     12 x 768       9,216   0.0 %                36.0 KiB
  ln_2.weight         [768]                     12 x 768       9,216   0.0 %                36.0 KiB
  mlp.c_fc.bias       [3072]                  12 x 3,072      36,864   0.0 %               144.0 KiB
  mlp.c_fc.weight     [768, 3072]         12 x 2,359,296  28,311,552  20.7 %  ##           108.0 MiB
  mlp.c_proj.bias     [768]                     12 x 768       9,216   0.0 %                36.0 KiB
  mlp.c_proj.weight   [3072, 768]         12 x 2,359,296  28,311,552  20.7 %  ##           108.0 MiB
ln_f.bias             [768]                                      768   0.0 %                 3.0 KiB
ln_f.weight           [768]                                      768   0.0 %                 3.0 KiB
wpe.weight            [1024, 768]                            786,432   0.6 %                 3.0 MiB

$ LC_ALL=C.UTF-8 COLUMNS=100 numel fixtures/gpt2 | sed -n '/^name/,/^wpe/p'
name                  shape                         each    elements   share                   bytes
h.[0-11]                                  12 x 8,136,448  97,637,376  71.3 %  ▒▒▒▒▒▒▒▒     372.4 MiB
  attn.bias           [1, 1, 1024, 1024]  12 x 1,048,576  12,582,912   9.2 %  █             48.0 MiB
  attn.c_attn.bias    [2304]                  12 x 2,304      27,648   0.0 %               108.0 KiB
  attn.c_attn.weight  [768, 2304]         12 x 1,769,472  21,233,664  15.5 %  █▋            81.0 MiB
  attn.c_proj.bias    [768]                     12 x 768       9,216   0.0 %                36.0 KiB
  attn.c_proj.weight  [768, 768]            12 x 589,824   7,077,888   5.2 %  ▌             27.0 MiB
  ln_1.bias           [768]                     12 x 768       9,216   0.0 %                36.0 KiB
  ln_1.weight         [768]                     12 x 768       9,216   0.0 %                36.0 KiB
  ln_2.bias           [768]                     12 x 768       9,216   0.0 %                36.0 KiB
  ln_2.weight         [768]                     12 x 768       9,216   0.0 %                36.0 KiB
  mlp.c_fc.bias       [3072]                  12 x 3,072      36,864   0.0 %               144.0 KiB
  mlp.c_fc.weight     [768, 3072]         12 x 2,359,296  28,311,552  20.7 %  ██▎          108.0 MiB
  mlp.c_proj.bias     [768]                     12 x 768       9,216   0.0 %                36.0 KiB
  mlp.c_proj.weight   [3072, 768]         12 x 2,359,296  28,311,552  20.7 %  ██▎          108.0 MiB
ln_f.bias             [768]                                      768   0.0 %                 3.0 KiB
ln_f.weight           [768]                                      768   0.0 %                 3.0 KiB
wpe.weight            [1024, 768]                            786,432   0.6 %                 3.0 MiB

$ LC_ALL=C LANG=de_DE.utf8 COLUMNS=100 numel list fixtures/gpt2 fixtures/qwen3-0.6b | tail -4
fixtures/gpt2        gpt2            124.44 M  F32           32.00  522.7 MiB  ##         1  agrees
fixtures/qwen3-0.6b  qwen3           596.05 M  BF16          16.00    1.3 GiB  #####      1  agrees

total  2 checkpoints, 2 files, 1.9 GiB (4.3 KiB on disk), 720.49 M parameters

$ LC_ALL= LANG=de_DE.utf8 COLUMNS=100 numel list fixtures/gpt2 fixtures/qwen3-0.6b | tail -4
fixtures/gpt2        gpt2            124.44 M  F32           32.00  522.7 MiB  █▊         1  agrees
fixtures/qwen3-0.6b  qwen3           596.05 M  BF16          16.00    1.3 GiB  █████      1  agrees

total  2 checkpoints, 2 files, 1.9 GiB (4.3 KiB on disk), 720.49 M parameters

$ LC_ALL=C.UTF-8 COLUMNS=140 numel diff fixtures/llama-2-7b fixtures/llama-3.1-8b | sed -n '/^name/,/^model.norm/p'
name                               change         what                                 times      elements       bytes
model.layers.[0-31]
  mlp.down_proj.weight             reshaped       [4096, 11008 -> 14336] F16 -> BF16      32  +436,207,616  +832.0 MiB  ████████████████████
  mlp.gate_proj.weight             reshaped       [11008 -> 14336, 4096] F16 -> BF16      32  +436,207,616  +832.0 MiB  ████████████████████
  mlp.up_proj.weight               reshaped       [11008 -> 14336, 4096] F16 -> BF16      32  +436,207,616  +832.0 MiB  ████████████████████
  self_attn.k_proj.weight          reshaped       [4096 -> 1024, 4096] F16 -> BF16        32  -402,653,184  -768.0 MiB  ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
  self_attn.v_proj.weight          reshaped       [4096 -> 1024, 4096] F16 -> BF16        32  -402,653,184  -768.0 MiB  ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
  input_layernorm.weight           dtype changed  F16 -> BF16                             32            +0        +0 B
  post_attention_layernorm.weight  dtype changed  F16 -> BF16                             32            +0        +0 B
  self_attn.o_proj.weight          dtype changed  F16 -> BF16                             32            +0        +0 B
  self_attn.q_proj.weight          dtype changed  F16 -> BF16                             32            +0        +0 B
model.embed_tokens.weight          reshaped       [32000 -> 128256, 4096] F16 -> BF16      1  +394,264,576  +752.0 MiB  ██████████████████
lm_head.weight                     reshaped       [32000 -> 128256, 4096] F16 -> BF16      1  +394,264,576  +752.0 MiB  ██████████████████
model.norm.weight                  dtype changed  F16 -> BF16                              1            +0        +0 B

$ LC_ALL=C.UTF-8 COLUMNS=80 numel memory fixtures/gpt2 --fit 1GiB | sed -n '/^context/,$p'
context          1,024 tokens
runtime          transformers, as measured on its caches
keys and values  f32

                        bytes
weights           548,090,880  522.70 MiB
cache              75,497,472   72.00 MiB
    2*(single?floor_div(E,cfg("n_head")):E) per token, 12 layers
  the next token       73,728   72.00 KiB
exact             623,588,352  594.70 MiB
activations        13,570,372   12.94 MiB  estimated: see below
estimated total   637,158,724  607.64 MiB

fits         yes, up to a context of 6,945; or 5 sequences at this one
activations  34 bytes per token read at once and hidden unit, for one layer at a
             time, and F32 logits

context       cache       total
  1,024   72.00 MiB  607.64 MiB  ████████████▓▓
  4,096  288.00 MiB  823.64 MiB  ████████████▓▓▓▓▓▓▓        *
  8,192  576.00 MiB    1.09 GiB  ████████████▓▓▓▓▓▓▓▓▓▓▓▓>  too much
bars  █ weights, ▓ cache, ░ activations; * longer than the model's context

$ COLUMNS=100 numel memory fixtures/llama-3.1-8b --gpus 20GiB,24GiB | sed -n '/^device/,$p'
device  layers      weights     cache        total                               of
cpu          0  1002.00 MiB       0 B  1002.00 MiB  #
gpu 0       15     6.09 GiB  7.50 GiB    13.59 GiB  ##############        20.00 GiB
gpu 1       17     7.89 GiB  8.50 GiB    16.39 GiB  ##############        24.00 GiB
or each layer on all  15.47 GiB on each: matrices in 2 parts, and heads


# numel print: the module tree as print(model) of transformers shows it.

# Llama 2 7B, as in the printout that started the project; sizes from the tensors, eps from config.json.
$ numel print fixtures/llama-2-7b | tee $T/llama.txt
LlamaForCausalLM(
  (model): LlamaModel(
    (embed_tokens): Embedding(32000, 4096)
    (layers): ModuleList(
      (0-31): 32 x LlamaDecoderLayer(
        (self_attn): LlamaAttention(
          (q_proj): Linear(in_features=4096, out_features=4096, bias=False)
          (k_proj): Linear(in_features=4096, out_features=4096, bias=False)
          (v_proj): Linear(in_features=4096, out_features=4096, bias=False)
          (o_proj): Linear(in_features=4096, out_features=4096, bias=False)
        )
        (mlp): LlamaMLP(
          (gate_proj): Linear(in_features=4096, out_features=11008, bias=False)
          (up_proj): Linear(in_features=4096, out_features=11008, bias=False)
          (down_proj): Linear(in_features=11008, out_features=4096, bias=False)
          (act_fn): SiLUActivation()
        )
        (input_layernorm): LlamaRMSNorm((4096,), eps=1e-05)
        (post_attention_layernorm): LlamaRMSNorm((4096,), eps=1e-05)
      )
    )
    (norm): LlamaRMSNorm((4096,), eps=1e-05)
    (rotary_emb): LlamaRotaryEmbedding()
  )
  (lm_head): Linear(in_features=4096, out_features=32000, bias=False)
)

# A configuration alone gives the same; a part of the model begins at its own class.
$ numel print fixtures/llama-2-7b/config.json | diff - $T/llama.txt && echo the same
the same
$ numel print fixtures/llama-2-7b --set architectures=LlamaModel | sed -n '1,4p; $p'
LlamaModel(
  (embed_tokens): Embedding(32000, 4096)
  (layers): ModuleList(
    (0-31): 32 x LlamaDecoderLayer(
)

# Flags and activations that no tensor shows.
$ numel print fixtures/llama-2-7b/config.json --set hidden_act=gelu_pytorch_tanh --set attention_bias=true | grep -E 'q_proj|act_fn'
          (q_proj): Linear(in_features=4096, out_features=4096, bias=True)
          (act_fn): GELUTanh()

# JSON: one record per module, with its number of copies.
$ numel print fixtures/llama-2-7b --json | tr '{' '\n' | grep -E 'schema|q_proj|act_fn'
"schema": "numel.print/1",
"path":"model.layers.[0-31].self_attn.q_proj","class":"Linear","arguments":"in_features=4096, out_features=4096, bias=False","count":32},
"path":"model.layers.[0-31].mlp.act_fn","class":"SiLUActivation","arguments":"","count":32},

# A part printed on its own omits its siblings, however short its name.
$ echo '{"model_type":"dinov2_with_registers","architectures":["Dinov2WithRegistersBackbone"]}' > $T/part.json
$ numel print $T/part.json | sed -n '1,4p'
Dinov2WithRegistersBackbone(
  (embeddings): Dinov2WithRegistersEmbeddings(
    (patch_embeddings): Dinov2WithRegistersPatchEmbeddings(
      (projection): Conv2d(3, 768, kernel_size=(16, 16), stride=(16, 16))

# The rate at which a block is dropped grows as Python counts it or, before 5.23, as torch.linspace() has it, rounded
# to single precision.
$ echo '{"model_type":"swin","architectures":["SwinModel"]}' > $T/swin.json
$ numel print $T/swin.json | grep -m2 DropPath
            (drop_path): SwinDropPath(p=0.009090909090909092)
            (drop_path): SwinDropPath(p=0.018181818181818184)
$ numel print $T/swin.json --as 5.2 | grep -m2 DropPath
            (drop_path): SwinDropPath(p=0.00909090880304575)
            (drop_path): SwinDropPath(p=0.0181818176060915)

# A template is for the classes it names: for another class of that model type the tree is guessed, and marked as
# such.
$ echo '{"model_type":"vilt","architectures":["ViltForQuestionAnswering"]}' > $T/vilt.json
$ numel print $T/vilt.json | sed -n '1,3p'
ViltForQuestionAnswering(
  (vilt): ViltModel(
    (embeddings): ViltEmbeddings(
$ echo '{"model_type":"vilt","architectures":["ViltForMaskedLM"]}' > $T/vilt.json
$ numel print $T/vilt.json 2>&1 > $T/vilt.txt | sed "s/.*json: //"
no print template fits: classes are guessed from names and shapes
$ sed -n 1p $T/vilt.txt
guessed from names and shapes; transformers uses its own classes:

# A GGUF file: the names and classes of Hugging Face, 1e-05 although it holds a float32.
$ numel print fixtures/llama-3.1-8b-q4_k_m | sed -n '1,3p; /k_proj/p; /input_layernorm/p'
LlamaForCausalLM(
  (model): LlamaModel(
    (embed_tokens): Embedding(128256, 4096)
          (k_proj): Linear(in_features=4096, out_features=1024, bias=False)
        (input_layernorm): LlamaRMSNorm((4096,), eps=1e-05)

# Norms of q and k are there for Qwen3, whose template is that of Qwen2.
$ numel print fixtures/qwen3-0.6b | sed -n '1p; /q_norm/p; /q_proj/p'
Qwen3ForCausalLM(
          (q_proj): Linear(in_features=1024, out_features=2048, bias=False)
          (q_norm): Qwen3RMSNorm((128,), eps=1e-06)

# Dense layers first, then experts: two runs. Experts are parameters, which print() omits.
$ numel print fixtures/deepseek-v3 | grep -nE ' x |mlp|experts'
5:      (0-2): 3 x DeepseekV3DecoderLayer(
15:        (mlp): DeepseekV3MLP(
24:      (3-60): 58 x DeepseekV3DecoderLayer(
34:        (mlp): DeepseekV3MoE(
35:          (experts): FP8Experts(
39:          (shared_experts): DeepseekV3MLP(
# Conv1D, dropouts known only from the class's defaults, a model without its head.
$ numel print fixtures/gpt2 | sed -n '1,2p; 5,20p'
GPT2LMHeadModel(
  (transformer): GPT2Model(
    (drop): Dropout(p=0.1, inplace=False)
    (h): ModuleList(
      (0-11): 12 x GPT2Block(
        (ln_1): LayerNorm((768,), eps=1e-05, elementwise_affine=True, bias=True)
        (attn): GPT2Attention(
          (c_attn): Conv1D(nf=2304, nx=768)
          (c_proj): Conv1D(nf=768, nx=768)
          (attn_dropout): Dropout(p=0.1, inplace=False)
          (resid_dropout): Dropout(p=0.1, inplace=False)
        )
        (ln_2): LayerNorm((768,), eps=1e-05, elementwise_affine=True, bias=True)
        (mlp): GPT2MLP(
          (c_fc): Conv1D(nf=3072, nx=768)
          (c_proj): Conv1D(nf=768, nx=3072)
          (act): NewGELUActivation()
          (dropout): Dropout(p=0.1, inplace=False)
# The class determines the head.
$ numel print fixtures/falcon-7b/config.json --set architectures=FalconForTokenClassification | tail -4
  )
  (dropout): Dropout(p=0.0, inplace=False)
  (classifier): Linear(in_features=4544, out_features=2, bias=True)
)

# No template: names and shapes, and status 1.
$ printf 'arch mine\nmatch hf model_type in mine\nlet E = cfg("hidden_size")\nemb embed.tok top.embed - 8 E\nlin head top.head - 8 E\n' > $T/mine.spec
$ numel print --arch mine --set hidden_size=4 --spec $T/mine.spec
numel: mine: no print template fits: classes are guessed from names and shapes
guessed from names and shapes; transformers uses its own classes:
Module(
  (top): Module(
    (embed): Embedding(8, 4)
    (head): Linear(in_features=4, out_features=8, bias=False)
  )
)
[1]
$ printf '. Mine(E={E})\n top Top\n  embed Embedding\n  head Linear\n' > $T/mine.print
$ numel print --arch mine --set hidden_size=4 --spec $T
Mine(
  E=4
  (top): Top(
    (embed): Embedding(8, 4)
    (head): Linear(in_features=4, out_features=8, bias=False)
  )
)
# Errors have line numbers; a spec's lint finds them.
$ printf '. Mine\n top Top stride=2\n' > $T/mine.print
$ cd $T && numel print --arch mine --set hidden_size=4 --spec mine.spec --spec mine.print
numel: mine.print: line 2, column 10: 'stride' has no meaning for a module without a kind
[3]
$ cd $T && numel spec lint mine.spec mine.print
mine.print:2:10: 'stride' has no meaning for a module without a kind
mine.spec: ok
[1]

# A template is a section of its spec; one for the model type takes precedence over a general one.
# A .print file takes precedence over both.
$ rm $T/mine.print; cd $T && printf 'print\n. Mine\n top Top\n  head Linear\nend print\nprint other third\n. Other\n top Top\n  embed Embedding\nend print\n' >> mine.spec && sed -i 's/in mine/in mine other third/' mine.spec
$ cd $T && for t in mine third; do numel print --set model_type=$t --set hidden_size=4 --spec mine.spec; done
Mine(
  (top): Top(
    (head): Linear(in_features=4, out_features=8, bias=False)
  )
)
Other(
  (top): Top(
    (embed): Embedding(8, 4)
  )
)
$ cd $T && echo '. File' > third.print && echo '. Own' > mine.print && for t in mine third other; do numel print --set model_type=$t --set hidden_size=4 --spec . | head -1; done
Own()
File()
Other(
$ cd $T && rm *.print && numel spec show mine --spec mine.spec | tail -5
print other third
. Other
 top Top
  embed Embedding
end print
# Errors give the line in their own file.
$ cd $T && sed -i 's/^ top Top$/ top Top stride=2/' mine.spec && numel print --arch mine --set model_type=other --set hidden_size=4 --spec mine.spec
numel: mine.spec: line 13, column 10: 'stride' has no meaning for a module without a kind
[3]
$ cd $T && numel spec lint mine.spec
mine.spec:8:10: 'stride' has no meaning for a module without a kind
mine.spec:13:10: 'stride' has no meaning for a module without a kind
[1]
$ cd $T && printf 'arch x\nmatch hf model_type in x\nraw a b - 1\nprint y\nend print\n' > x.spec && numel spec lint x.spec
x.spec:4:1: no match line names the model type 'y'
[1]
# A user's spec without a section is printed like the built-in one.
$ cd $T && numel spec show llama | sed '/^print/,$d' > llama.spec && numel print --arch llama --set hidden_size=8 --set vocab_size=10 --set num_attention_heads=2 --set num_hidden_layers=1 --set intermediate_size=4 --spec llama.spec | head -3
LlamaForCausalLM(
  (model): LlamaModel(
    (embed_tokens): Embedding(10, 8)

# A multimodal model prints its parts with the classes of their own model types; a part whose model type has no
# class of its own (as published here) still has an activation.
$ echo '{"model_type":"llava","vision_config":{"model_type":"siglip_vision_model"},"text_config":{"model_type":"qwen2"}}' > $T/llava.json
$ numel print $T/llava.json | grep -E '^(  ){0,2}\('
  (model): LlavaModel(
    (vision_tower): SiglipVisionModel(
    (multi_modal_projector): LlavaMultiModalProjector(
    (language_model): Qwen2Model(
  (lm_head): Linear(in_features=4096, out_features=151936, bias=False)
$ echo '{"model_type":"qwen3_5_moe","vision_config":{"model_type":"qwen3_5","depth":2,"hidden_size":64,"intermediate_size":96,"out_hidden_size":2048,"patch_size":14,"num_position_embeddings":784},"text_config":{"num_hidden_layers":1}}' > $T/qwen.json
$ numel print $T/qwen.json | grep -m1 -B3 act_fn
          (mlp): Qwen3_5MoeVisionMLP(
            (linear_fc1): Linear(in_features=64, out_features=96, bias=True)
            (linear_fc2): Linear(in_features=96, out_features=64, bias=True)
            (act_fn): GELUTanh()

# Without a configuration: values from the tensors, and the class's defaults (Llama's is 1e-06).
$ mkdir $T/bare && cp fixtures/llama-2-7b/*.zst $T/bare && numel print $T/bare | sed 's/1e-06/1e-05/' | diff - $T/llama.txt && echo the same
the same
$ numel print --arch llama --set E=4096 --set L=32 --set H=32 --set F=11008 --set V=32000 | diff - $T/llama.txt | sort | uniq -c | sed 's/^ *//'
2 ---
1 18,19c18,19
1 22c22
1 <         (input_layernorm): LlamaRMSNorm((4096,), eps=1e-06)
1 <         (post_attention_layernorm): LlamaRMSNorm((4096,), eps=1e-06)
1 <     (norm): LlamaRMSNorm((4096,), eps=1e-06)
1 >         (input_layernorm): LlamaRMSNorm((4096,), eps=1e-05)
1 >         (post_attention_layernorm): LlamaRMSNorm((4096,), eps=1e-05)
1 >     (norm): LlamaRMSNorm((4096,), eps=1e-05)

# Printouts depend on versions: transformers' class names, arguments of torch's LayerNorm.
$ numel print fixtures/gpt2 --as 5.2 | grep -m1 ln_1
        (ln_1): LayerNorm((768,), eps=1e-05, elementwise_affine=True)
$ echo '{"model_type":"jamba","num_hidden_layers":8}' > $T/jamba.json
$ numel print $T/jamba.json | grep router | sort -u
          (router): JambaTopKRouter()
$ numel print $T/jamba.json --as 4.57.1 | grep router | sort -u
          (router): Linear(in_features=4096, out_features=16, bias=False)
$ numel print fixtures/gpt2 --as old
numel: fixtures/gpt2/model.safetensors.head.zst: 'old' is not a version of transformers, like 5.2
[2]
$ numel print fixtures/gpt2 --as 5.2 > $T/old.txt; numel print fixtures/gpt2 > $T/new.txt; cmp -s $T/old.txt $T/new.txt || echo they differ
they differ
$ numel diff fixtures/gpt2 $T/old.txt | tail -1; numel diff fixtures/gpt2 $T/new.txt | tail -1
agrees: the printout shows every parameter of the model
agrees: the printout shows every parameter of the model

# A part is printed with the template of its own model type; of two on one path, the one that exists.
$ mkdir $T/parts && cd $T/parts && printf 'arch inner\nmatch hf model_type in inner\nlin a model.a - cfg("n") 2\nlin head head - 7 2 if=class()=="InnerWhole"\nprint\n. {class()==""?"InnerWhole":class()}\n model Inner root=class()!="InnerWhole"\n  a Linear\n head Linear\nend print\n' > inner.spec
$ cd $T/parts && printf 'arch outer\nmatch hf model_type in outer\npart one as one. class=cfg("whole")\npart two as deep.two. if=cfg("two")!=null class=Inner\nlin own own - 3 3\nprint\n. Outer\n one part=one\n deep Deep\n  two part=two\n own Linear\nend print\n' > outer.spec
$ cd $T/parts && echo '{"model_type":"outer","whole":"InnerWhole","one":{"model_type":"inner","n":5},"two":{"model_type":"inner","n":6}}' > both.json && numel print both.json --spec .
Outer(
  (one): InnerWhole(
    (model): Inner(
      (a): Linear(in_features=2, out_features=5, bias=False)
    )
    (head): Linear(in_features=2, out_features=7, bias=False)
  )
  (deep): Deep(
    (two): Inner(
      (a): Linear(in_features=2, out_features=6, bias=False)
    )
  )
  (own): Linear(in_features=3, out_features=3, bias=False)
)
$ cd $T/parts && echo '{"model_type":"outer","whole":"Inner","one":{"model_type":"inner","n":5}}' > one.json && numel print one.json --spec .
Outer(
  (one): Inner(
    (a): Linear(in_features=2, out_features=5, bias=False)
  )
  (deep): Deep()
  (own): Linear(in_features=3, out_features=3, bias=False)
)
# A part without a template: everything is guessed, and marked as such.
$ cd $T/parts && sed -i.all '/^print/,$d' inner.spec && numel print one.json --spec .
numel: one.json: no print template fits: classes are guessed from names and shapes
guessed from names and shapes; transformers uses its own classes:
Module(
  (one): Module(
    (model): Module(
      (a): Linear(in_features=2, out_features=5, bias=False)
    )
  )
  (own): Linear(in_features=3, out_features=3, bias=False)
)
[1]
$ cd $T/parts && numel print one.json --spec . --json 2>&1 | grep guessed; numel print $OLDPWD/fixtures/gpt2 --json | grep guessed
numel: one.json: no print template fits: classes are guessed from names and shapes
 "guessed": true,
 "guessed": false,
# Only a condition may follow part=, and the path must be one of the spec's.
$ cd $T/parts && sed -i 's/one part=one/one part=one eps=1/' outer.spec && numel print one.json --spec .
numel: outer.spec: line 8, column 15: expected if=
[3]
$ cd $T/parts && sed -i 's/one part=one eps=1/one part=three/' outer.spec && numel print one.json --spec .
numel: outer.spec: line 8, column 1: the specification has no such part
[3]

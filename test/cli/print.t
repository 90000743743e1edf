# numel print: the module tree as print(model) of transformers shows it.

# Llama 2 7B, as the printout that the project started from; sizes by the tensors, eps by config.json.
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

# A configuration alone says the same; a part of the model begins at its own class.
$ numel print fixtures/llama-2-7b/config.json | diff - $T/llama.txt && echo the same
the same
$ numel print fixtures/llama-2-7b --set architectures=LlamaModel | sed -n '1,4p; $p'
LlamaModel(
  (embed_tokens): Embedding(32000, 4096)
  (layers): ModuleList(
    (0-31): 32 x LlamaDecoderLayer(
)

# Flags and activations that no tensor tells.
$ numel print fixtures/llama-2-7b/config.json --set hidden_act=gelu_pytorch_tanh --set attention_bias=true | grep -E 'q_proj|act_fn'
          (q_proj): Linear(in_features=4096, out_features=4096, bias=True)
          (act_fn): GELUTanh()

# JSON: a record a module, and how often it is there.
$ numel print fixtures/llama-2-7b --json | tr '{' '\n' | grep -E 'schema|q_proj|act_fn'
"schema": "numel.print/1",
"path":"model.layers.[0-31].self_attn.q_proj","class":"Linear","arguments":"in_features=4096, out_features=4096, bias=False","count":32},
"path":"model.layers.[0-31].mlp.act_fn","class":"SiLUActivation","arguments":"","count":32},

# A part that is printed on its own leaves out what stands beside it, however short that is named.
$ echo '{"model_type":"dinov2_with_registers","architectures":["Dinov2WithRegistersBackbone"]}' > $T/part.json
$ numel print $T/part.json | sed -n '1,4p'
Dinov2WithRegistersBackbone(
  (embeddings): Dinov2WithRegistersEmbeddings(
    (patch_embeddings): Dinov2WithRegistersPatchEmbeddings(
      (projection): Conv2d(3, 768, kernel_size=(16, 16), stride=(16, 16))

# The rate at which a block is dropped grows as torch.linspace() has it, rounded to single precision.
$ echo '{"model_type":"swin","architectures":["SwinModel"]}' > $T/swin.json
$ numel print $T/swin.json | grep -m2 DropPath
            (drop_path): SwinDropPath(p=0.00909090880304575)
            (drop_path): SwinDropPath(p=0.0181818176060915)

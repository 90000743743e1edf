"""llama.py -- a small Llama for the scripts of this folder: its configuration, and its tensors in both formats."""


class Llama:
    """E hidden size, H and K heads, D head size, F intermediate size, V vocabulary, L layers."""
    def __init__(self, E, H, K, D, F, V, L):
        self.D, self.L = D, L
        self.config = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": E, "vocab_size": V,
                       "num_hidden_layers": L, "num_attention_heads": H, "num_key_value_heads": K, "intermediate_size": F,
                       "tie_word_embeddings": False}
        # The keys of its GGUF file.
        self.keys = [("general.architecture", "llama"), ("llama.block_count", L), ("llama.embedding_length", E),
                     ("llama.attention.head_count", H), ("llama.attention.head_count_kv", K),
                     ("llama.feed_forward_length", F), ("llama.context_length", 64)]
        self.top = [("model.embed_tokens.weight", "token_embd.weight", [V, E]), ("lm_head.weight", "output.weight", [V, E]),
                    ("model.norm.weight", "output_norm.weight", [E])]
        # Of a layer: module, its name in GGUF, shape.
        self.linears = [("self_attn.q_proj", "attn_q", [H * D, E]), ("self_attn.k_proj", "attn_k", [K * D, E]),
                        ("self_attn.v_proj", "attn_v", [K * D, E]), ("self_attn.o_proj", "attn_output", [E, H * D]),
                        ("mlp.gate_proj", "ffn_gate", [F, E]), ("mlp.up_proj", "ffn_up", [F, E]), ("mlp.down_proj", "ffn_down", [E, F])]
        self.norms = [("input_layernorm", "attn_norm", [E]), ("post_attention_layernorm", "ffn_norm", [E])]

    def rows(self):
        """(name, name in GGUF, shape) of all tensors."""
        return self.top + [("model.layers.%d.%s.weight" % (i, hf), "blk.%d.%s.weight" % (i, gguf), shape)
                           for i in range(self.L) for hf, gguf, shape in self.linears + self.norms]

    def converted(self, row):
        """The row of q or k that llama.cpp's converter puts there: those of a head's halves alternate."""
        return row - row % self.D + row % 2 * (self.D // 2) + row % self.D // 2


def moved(values, width, order):
    """A matrix, as values or bytes, with its rows in another order."""
    return type(values)(v for r in range(len(values) // width) for v in values[order(r) * width:][:width])

# numel meta: GGUF keys, __metadata__, config.json.
$ numel meta fixtures/llama-3.1-8b-q4_k_m
key                                     type           value
general.architecture                    string         llama
general.type                            string         model
general.name                            string         Meta Llama 3.1 8B
general.basename                        string         Meta-Llama-3.1
general.size_label                      string         8B
general.license                         string         llama3.1
general.tags                            array<string>  ["facebook" "meta" "pytorch" "llama" "llama-3" "text-generation"]
general.languages                       array<string>  ["en" "de" "fr" "it" "pt" "hi" "es" "th"]
llama.block_count                       u32            32
llama.context_length                    u32            131072
llama.embedding_length                  u32            4096
llama.feed_forward_length               u32            14336
llama.attention.head_count              u32            32
llama.attention.head_count_kv           u32            8
llama.rope.freq_base                    f32            5e+05
llama.attention.layer_norm_rms_epsilon  f32            1e-05
llama.vocab_size                        u32            128256
llama.rope.dimension_count              u32            128
tokenizer.ggml.model                    string         gpt2
tokenizer.ggml.pre                      string         llama-bpe
tokenizer.ggml.tokens                   array<string>  ["tok0" "tok1" "tok2" ... +128253]
tokenizer.ggml.token_type               array<i32>     [1 1 1 ... +128253]
tokenizer.ggml.merges                   array<string>  ["m erge0" "m erge1" "m erge2" ... +280144]
tokenizer.ggml.bos_token_id             u32            128000
tokenizer.ggml.eos_token_id             u32            128001
general.quantization_version            u32            2
general.file_type                       u32            15
$ numel meta fixtures/gpt2
key     type    value
format  string  pt

config.json
key                     type    value
activation_function     string  gelu_new
architectures           array   ["GPT2LMHeadModel"]
attn_pdrop              number  0.1
bos_token_id            number  50256
embd_pdrop              number  0.1
eos_token_id            number  50256
initializer_range       number  0.02
layer_norm_epsilon      number  1e-05
model_type              string  gpt2
n_ctx                   number  1024
n_embd                  number  768
n_head                  number  12
n_layer                 number  12
n_positions             number  1024
resid_pdrop             number  0.1
summary_activation      null    null
summary_first_dropout   number  0.1
summary_proj_to_labels  bool    true
summary_type            string  cls_index
summary_use_proj        bool    true
vocab_size              number  50257
$ numel meta fixtures/llama-2-7b hidden_size
config.json
key          type    value
hidden_size  number  4096
$ numel meta -q fixtures/llama-2-7b hidden_size
4096
$ numel meta fixtures/llama-2-7b no.such.key
numel: fixtures/llama-2-7b: no key no.such.key in the metadata or in config.json; give no key to list them all
[3]
$ hex fixtures/good/gguf/metadata-every-type.hex > $T/a.gguf; numel meta $T/a.gguf
key                   type    value
general.architecture  string  llama
k.u8                  u8      255
k.i8                  i8      -1
k.u16                 u16     65535
k.i16                 i16     -32768
k.u32                 u32     4294967295
k.i32                 i32     -2147483648
k.f32                 f32     1.5
k.bool                bool    true
k.string              string  text, "quoted" é
k.u64                 u64     18446744073709551615
k.i64                 i64     -9223372036854775808
k.f64                 f64     -0.1
$ hex fixtures/good/gguf/metadata-every-array.hex > $T/b.gguf; numel meta $T/b.gguf --no-truncate
key                   type           value
general.architecture  string         llama
a.u8                  array<u8>      [255 255]
a.i8                  array<i8>      [-1 -1]
a.u16                 array<u16>     [65535 65535]
a.i16                 array<i16>     [-32768 -32768]
a.u32                 array<u32>     [4294967295 4294967295]
a.i32                 array<i32>     [-2147483648 -2147483648]
a.f32                 array<f32>     [1.5 1.5]
a.bool                array<bool>    [true true]
a.string              array<string>  ["text, \"quoted\" é" "text, \"quoted\" é"]
a.u64                 array<u64>     [18446744073709551615 18446744073709551615]
a.i64                 array<i64>     [-9223372036854775808 -9223372036854775808]
a.f64                 array<f64>     [-0.1 -0.1]
$ hex fixtures/good/gguf/metadata-escapes.hex > $T/c.gguf; numel meta $T/c.gguf
key                   type    value
general.architecture  string  llama
general.name          string  \x1b[31mred" \\ \n\t end

// allocated_context FILE ARCHITECTURE VOCABULARY [TOKENS UBATCH SEQUENCES UNIFIED SWA_FULL]... -- what llama.cpp allocates for contexts
// of a model, exactly: a line of bytes for each, "none" where it makes none.
//
// Needs llama.cpp's source and its library: c++ -std=c++17 -I S/include -I S/ggml/include -I S/src allocated_context.cpp -L B -lllama -lggml
// -lggml-base. VOCABULARY is how many tokens a model without a tokenizer has, -1 for one that has its own; "metadata": FILE has no
// tensors, the model is what its metadata describe, and takes no memory.
#include "gguf.h"
#include "llama.h"
#include "llama-ext.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

static void quiet(ggml_log_level, const char *, void *) {}

static llama_model *load(const char *path, const std::string &architecture, long vocabulary)
{
    llama_model_params params = llama_model_default_params();
    llama_model_kv_override given[3] = {};
    params.n_gpu_layers = 0;
    if (vocabulary < 0) return llama_model_load_from_file(path, params);
    strcpy(given[0].key, "tokenizer.ggml.model");
    given[0].tag = LLAMA_KV_OVERRIDE_TYPE_STR;
    strcpy(given[0].val_str, "none");
    snprintf(given[1].key, sizeof given[1].key, "%s.vocab_size", architecture.c_str());
    given[1].tag = LLAMA_KV_OVERRIDE_TYPE_INT;
    given[1].val_i64 = vocabulary;
    params.kv_overrides = given;
    return llama_model_load_from_file(path, params);
}

static void nothing(ggml_tensor *, void *) {}

static llama_model *described(const char *path)
{
    gguf_init_params how = { true, nullptr };
    gguf_context *metadata = gguf_init_from_file(path, how);
    llama_model_params params = llama_model_default_params();
    params.n_gpu_layers = 0;
    params.no_alloc = true;
    return metadata ? llama_model_init_from_user(metadata, nothing, nullptr, params) : nullptr;
}

static void print_context(llama_model *model, char **said)
{
    llama_context_params params = llama_context_default_params();
    params.n_ctx = atol(said[0]);
    params.n_batch = params.n_ubatch = atol(said[1]);
    params.n_seq_max = atol(said[2]);
    params.kv_unified = atol(said[3]);
    params.swa_full = atol(said[4]);
    params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_ENABLED;
    params.n_threads = 1;
    llama_context *context = llama_init_from_model(model, params);
    size_t bytes = 0;
    if (context)
        for (const auto &part : llama_get_memory_breakdown(context)) bytes += part.second.context;
    printf(context ? "%zu\n" : "none\n", bytes);
    fflush(stdout);
    if (context) llama_free(context);
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    llama_log_set(quiet, nullptr);
    llama_backend_init();
    bool metadata = !strcmp(argv[3], "metadata");
    llama_model *model = metadata ? described(argv[1]) : load(argv[1], argv[2], atol(argv[3]));
    for (int i = 4; model && i + 4 < argc; i += 5) print_context(model, argv + i);
    _Exit(!model); // some models abort when they are freed
}

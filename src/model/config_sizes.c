/*
 * config_sizes.c -- see config_sizes.h.
 */
#include "model/config_sizes.h"

#include <string.h>

int64_t size_at(const json_value *doc, const char *path)
{
    int64_t v;
    return json_integer(json_dig(doc, path, strlen(path)), &v) && v > 0 && v <= INT32_MAX ? v : 0;
}

int64_t size_first(const json_value *doc, const char *const *keys, size_t n)
{
    int64_t v = 0;
    for (size_t i = 0; i < n && keys[i] && !v; i++) v = size_at(doc, keys[i]);
    return v;
}

int64_t size_hidden(const json_value *doc)
{
    static const char *const keys[] = { "word_embed_proj_dim",     "hidden_size", "d_model", "dim", "n_embd",
                                        "text_config.hidden_size", "emb_dim" };
    return size_first(doc, keys, sizeof keys / sizeof *keys);
}

/* said_type.c -- see said_type.h. */
#include "model/said_type.h"

#include "base/text.h"
#include "registry/dtype.h"

/* Gets the type named by the first key that names one. Values of the wrong kind are ignored. */
NUMEL_MUST static bool named(const struct model *m, const char *const *keys, const numel_dtype **type,
                             numel_error *e)
{
    *type = NULL;
    for (size_t i = 0; keys[i] && !*type; i++) {
        struct value v;
        numel_str key = text_of(keys[i]);
        numel_error why = { .code = NUMEL_OK };
        bool read = config_value(m->config, m->spec, SIDE_HF, &key, 1, &v, &why);
        if (why.code == NUMEL_E_NOMEM) return error_nomem(e);
        if (read && v.kind == VALUE_TEXT) *type = dtype_torch(v.s);
    }
    return true;
}

bool model_declared_type(const struct model *m, const numel_dtype **type, numel_error *e)
{
    static const char *const keys[] = { "dtype",
                                        "torch_dtype",
                                        "text_config.dtype",
                                        "text_config.torch_dtype",
                                        "llm_config.dtype",
                                        "llm_config.torch_dtype",
                                        "thinker_config.dtype",
                                        "thinker_config.torch_dtype",
                                        "language_config.dtype",
                                        "language_config.torch_dtype",
                                        NULL };
    return named(m, keys, type, e);
}

bool model_compute_type(const struct model *m, const numel_dtype **type, numel_error *e)
{
    static const char *const keys[] = { "quantization_config.bnb_4bit_compute_dtype", NULL };
    return named(m, keys, type, e);
}

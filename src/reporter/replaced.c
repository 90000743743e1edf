/*
 * replaced.c -- the modules that transformers prints instead of a Linear with a packed weight.
 *
 * A quantizer replaces the Linear by its own class, or the Linear's tensor by its own. The tensors stored
 * with the weight show which: bitsandbytes' absmax, a block's inverse scale, quanto's data. torchao states
 * the type of each weight in the file's metadata. A class without such evidence is left as it is. Compared
 * with str(model) of checkpoints loaded again with transformers 5.17: test/truth/packed/reloaded.py.
 */
#include "reporter/replaced.h"

#include "base/json_doc.h"

#include <string.h>

enum { NAME_BYTES = 600 };

static const struct stand_in {
    const char *beside; /* instead of "weight" */
    const char *method; /* quant_method of the configuration; NULL: any */
    const char *class;
    bool bare; /* printed without sizes */
} rows[] = {
    { "weight.absmax", NULL, "Linear4bit", false },    { "SCB", NULL, "Linear8bitLt", false },
    { "weight_scale_inv", "fp8", "FP8Linear", false }, { "weight_scale", "fp8", "FP8Linear", false },
    { "weight._data", NULL, "QLinear", false },        { "weight._data._data", NULL, "QLinear", false },
    { "qweight", "auto-round", "QuantLinear", true },
};

static const numel_tensor *there(const struct replaced_in *in, numel_str module, const char *end)
{
    char text[NAME_BYTES];
    numel_str name = text_join(text, sizeof text, module, text_of(end), text_of(""));
    return name.p ? registry_find(&in->ck->registry, name) : NULL;
}

/* The "_type" in {"_type": "Int8Tensor", ...}, the weight's metadata. NULL if it is a plain tensor, or
 * there is no such metadata. */
static const char *torchao_type(const struct replaced_in *in, numel_str module)
{
    char name[NAME_BYTES];
    numel_error ignored; /* other metadata may have this name */
    error_clear(&ignored);
    struct fixed whole = FIXED(name);
    fixed_add(&whole, module);
    fixed_text(&whole, "weight");
    if (whole.cut) return NULL;
    const struct metadata_entry *e = metadata_find(&in->ck->metadata, name);
    if (!e || e->type != META_STRING || !e->value.s.n || e->value.s.p[0] != '{') return NULL;
    json_value *doc = json_doc_parse(e->value.s.p, e->value.s.n, &ignored);
    const char *type = json_text_of(json_get(doc, "_type"));
    bool plain = !type || strcmp(type, "Tensor") == 0;
    const char *kept = plain ? NULL : arena_text(in->arena, type, strlen(type));
    json_doc_free(doc);
    return kept;
}

static bool is_method(const struct replaced_in *in, const char *method)
{
    return !method || text_equal(in->method, method);
}

static bool experts(const struct replaced_in *in, numel_str module)
{
    for (size_t i = 0; is_method(in, "fp8") && i < in->ck->registry.count; i++) {
        numel_str name = in->ck->registry.tensors[i].name;
        if (name.n > module.n && memcmp(name.p, module.p, module.n) == 0 && text_ends(name, "_scale_inv"))
            return true;
    }
    return false;
}

struct tree_instead replaced_at(const void *ctx, numel_str module, bool is_experts)
{
    const struct replaced_in *in = ctx;
    if (is_experts) return (struct tree_instead){ experts(in, module) ? "FP8Experts" : NULL, NULL, false };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is_method(in, rows[i].method) && there(in, module, rows[i].beside))
            return (struct tree_instead){ rows[i].class, NULL, rows[i].bare };
    return (struct tree_instead){ NULL, torchao_type(in, module), false };
}

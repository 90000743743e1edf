/*
 * config_quant.c -- what a configuration states about how the weights are quantized.
 *
 * The settings are in config.json under one of several names, or, from older writers, in a separate file next
 * to it. A few writers give single modules their own values, which have precedence.
 */
#include "formula/config_internal.h"

#include <stdio.h>
#include <string.h>

static const char *const places[] = { "quantization_config", "quantization", "compression_config",
                                      "text_config.quantization_config" };
enum { PLACES = sizeof places / sizeof *places };

static const json_value *dig(const json_value *v, numel_str path)
{
    return v ? json_dig(v, path.p, path.n) : NULL;
}

/* The separate file: all of it, or, from modelopt, the object next to the producer's name. */
static const json_value *own_file(const struct config *c)
{
    const json_value *part = c->quantization.root ? json_get(c->quantization.root, "quantization") : NULL;
    return part && json_kind(part) == JSON_OBJECT ? part : c->quantization.root;
}

/* The object in config.json, else the separate file's; NULL if there is none. */
static const json_value *quantization_in(const struct config *c, const char **file)
{
    for (size_t d = 0; d < c->document_count; d++)
        for (size_t i = 0; i < PLACES; i++) {
            const json_value *v = dig(c->documents[d].root, text_of(places[i]));
            if (!v || json_kind(v) != JSON_OBJECT) continue;
            *file = c->documents[d].file;
            return v;
        }
    *file = c->quantization.root ? c->quantization.file : NULL;
    return own_file(c);
}

static const json_value *quantization(const struct config *c)
{
    const char *file;
    return quantization_in(c, &file);
}

bool config_has_quantization(struct config *c) { return quantization(c) != NULL; }

/* The file name of a path, such as "config.json". */
static const char *base_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path;
}

const char *config_quantization_file(const struct config *c)
{
    const char *file;
    quantization_in(c, &file);
    return file;
}

/* Reads "quantization_config.bits=3" from --set. */
NUMEL_MUST static bool asked_set(struct config *c, numel_str path, struct value *out, bool *found,
                                 numel_error *e)
{
    char full[192];
    *found = false;
    for (size_t i = 0; i < c->set_count; i++) {
        numel_str name = text_join(full, sizeof full, text_of(places[0]), text_of("."), path);
        if (!name.p) return true;
        if (!text_same(c->sets[i].name, name)) continue;
        c->sets[i].used = *found = true;
        if (!config_value_of(c, c->sets[i].value, out, e)) return false;
        out->evidence = EVIDENCE_SET;
    }
    return true;
}

bool config_own(struct config *c, const json_value *over, numel_str path, struct value *out, numel_error *e)
{
    const json_value *v = dig(over, path);
    *out = value_null();
    if (v && !config_value_of(c, v, out, e)) return false;
    if (v) out->evidence = EVIDENCE_DECLARED;
    return true;
}

bool config_quantization(struct config *c, const json_value *over, numel_str path, struct value *out,
                         numel_error *e)
{
    bool found;
    *out = value_null();
    if (!asked_set(c, path, out, &found, e)) return false;
    const json_value *v = found ? NULL : dig(over, path);
    if (v && json_kind(v) == JSON_NULL) v = NULL; /* then the value for all modules holds */
    const char *file;
    const json_value *all = quantization_in(c, &file);
    if (!v && !found) v = text_equal(path, ".") ? all : dig(all, path);
    if (!v && !found && (v = dig(own_file(c), path)) != NULL) file = c->quantization.file;
    if (v && !config_value_of(c, v, out, e)) return false;
    if (v && !found) out->evidence = EVIDENCE_DECLARED;
    if (v || found) out->by = found ? "--set" : base_name(file);
    bool method = !v && !found && text_equal(path, "quant_method") && c->quant_method && all == own_file(c);
    if (method) *out = value_text(text_of(c->quant_method));
    out->key = arena_text(&c->arena, path.p, path.n);
    return out->key || error_nomem(e);
}

bool config_quantization_differs(struct config *c, const char **key, struct value *here, struct value *there,
                                 numel_error *e)
{
    static const char *const keys[] = { "quant_method", "quant_algo", "bits", "group_size", "data_type" };
    const json_value *first = quantization(c), *second = own_file(c);
    *key = NULL;
    for (size_t i = 0; first && second && first != second && i < sizeof keys / sizeof *keys && !*key; i++) {
        const json_value *a = json_get(first, keys[i]), *b = json_get(second, keys[i]);
        if (!a || !b || json_kind(a) == JSON_NULL || json_kind(b) == JSON_NULL) continue;
        if (!config_value_of(c, a, here, e) || !config_value_of(c, b, there, e)) return false;
        bool plain = here->kind == VALUE_INT || here->kind == VALUE_TEXT;
        if (plain && !value_same(here, there)) *key = keys[i];
    }
    return true;
}

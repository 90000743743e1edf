/*
 * function_layout.c -- functions that only layouts need: settings of a quantizer, and numbers in the names of
 * types. Most of them map null to null, so that a source without a value remains without one.
 */
#include "formula/function_internal.h"
#include "registry/dtype.h"

#include <string.h>

/* q(path, alias...): a quantization setting; this module's own first. */
bool call_q(struct call *c, struct value *out)
{
    *out = value_null();
    for (unsigned i = 0; i < c->count && out->kind == VALUE_NULL; i++) {
        if (c->v[i].kind != VALUE_TEXT) return call_wrong(c, i, "a string");
        if (c->env->silent) continue;
        if (!config_quantization(c->env->config, c->env->over, c->v[i].s, out, c->env->error)) return false;
    }
    return true;
}

/* own(path): a setting of this module only. */
bool call_own(struct call *c, struct value *out)
{
    *out = value_null();
    if (c->v[0].kind != VALUE_TEXT) return call_wrong(c, 0, "a string");
    return c->env->silent || config_own(c->env->config, c->env->over, c->v[0].s, out, c->env->error);
}

/* width("torch.int32") is 32, width("qint4") is 4: the number at the end of a type's name. */
bool call_width(struct call *c, struct value *out)
{
    numel_str s = c->v[0].kind == VALUE_TEXT ? c->v[0].s : (numel_str){ NULL, 0 };
    int64_t n = 0, ten = 1;
    *out = value_null();
    if (c->v[0].kind == VALUE_INT) return *out = c->v[0], true;
    for (; s.n && ten < 10000 && text_last(s) >= '0' && text_last(s) <= '9'; s = text_less(s, 1), ten *= 10)
        n += ten * (text_last(s) - '0');
    if (ten > 1) *out = value_int(n);
    return true;
}

/* bitsof("qint4") is 4, bitsof("qfloat8_e4m3fn") 8: the first number in the name of an element type. */
bool call_bitsof(struct call *c, struct value *out)
{
    numel_str s = c->v[0].kind == VALUE_TEXT ? c->v[0].s : (numel_str){ NULL, 0 };
    int64_t n = 0;
    size_t i = 0;
    *out = value_null();
    if (c->v[0].kind == VALUE_INT) return *out = c->v[0], true;
    while (i < s.n && (s.p[i] < '0' || s.p[i] > '9')) i++;
    if (i == s.n) return true;
    for (; i < s.n && s.p[i] >= '0' && s.p[i] <= '9' && n < 10000; i++) n = n * 10 + (s.p[i] - '0');
    return *out = value_int(n), true;
}

/* holds(text, part); false for null */
bool call_holds(struct call *c, struct value *out)
{
    if (c->v[1].kind != VALUE_TEXT) return call_wrong(c, 1, "a string");
    numel_str text = c->v[0].kind == VALUE_TEXT ? c->v[0].s : (numel_str){ NULL, 0 }, part = c->v[1].s;
    return *out = value_bool(text_holds(text, part)), true;
}

bool call_case(struct call *c, struct value *out)
{
    bool up = c->env->spec->nodes[c->node].number == FUNCTION_UPPER;
    *out = c->v[0];
    if (out->kind == VALUE_NULL) return true;
    if (out->kind != VALUE_TEXT) return call_wrong(c, 0, "a string");
    char *text = arena_text(c->env->arena, out->s.p, out->s.n);
    if (!text) return error_nomem(c->env->error);
    for (size_t i = 0; i < out->s.n; i++) {
        char x = text[i];
        if (!up && x >= 'A' && x <= 'Z') text[i] = (char)(x - 'A' + 'a');
        if (up && x >= 'a' && x <= 'z') text[i] = (char)(x - 'a' + 'A');
    }
    out->s.p = text;
    return true;
}

/* text(4) is "4", to compose the name of a type */
bool call_text(struct call *c, struct value *out)
{
    char shown[VALUE_SHOW];
    *out = c->v[0];
    if (out->kind == VALUE_NULL || out->kind == VALUE_TEXT) return true;
    if (out->kind != VALUE_INT) return call_wrong(c, 0, "an integer");
    value_show(shown, out);
    char *text = arena_text(c->env->arena, shown, strlen(shown));
    if (!text) return error_nomem(c->env->error);
    return *out = value_text(text_of(text)), true;
}

bool call_pow2(struct call *c, struct value *out)
{
    if (c->v[0].kind != VALUE_INT || c->v[0].i < 0 || c->v[0].i > 62)
        return call_wrong(c, 0, "an exponent of 0 to 62");
    return *out = value_int(INT64_C(1) << c->v[0].i), true;
}

/* ggml_block("Q4_0") is 32 elements, ggml_bytes("Q4_0") 18 bytes; null if the type does not exist. */
bool call_ggml(struct call *c, struct value *out)
{
    bool bytes = c->env->spec->nodes[c->node].number == FUNCTION_GGML_BYTES;
    *out = value_null();
    if (c->v[0].kind != VALUE_TEXT) return c->v[0].kind == VALUE_NULL || call_wrong(c, 0, "a string");
    for (size_t i = 0; i < dtype_count(); i++) {
        const numel_dtype *d = dtype_at(i);
        if (d->gguf_id < 0 || !d->block_bytes || !text_equal(c->v[0].s, d->name)) continue;
        *out = value_int(bytes ? d->block_bytes : d->block_elements);
    }
    return true;
}

/* witness.c -- reads from the file what it has for one module; see witness.h. */
#include "base/text.h"
#include "formula/function_internal.h"
#include "formula/witness.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

/* ---- numbers ---------------------------------------------------------------------------------- */

static uint64_t little_endian(const uint8_t *p, unsigned width)
{
    uint64_t v = 0;
    while (width--) v = v << 8 | p[width];
    return v;
}

/* Bytes of "I32", "U8"; 0 if it is not an integer type. */
static unsigned integer_width(const char *type)
{
    static const char *const names[] = { "8", "16", "32", "64" };
    if (*type != 'I' && *type != 'U') return 0;
    for (unsigned i = 0; i < 4; i++)
        if (strcmp(type + 1, names[i]) == 0) return 1u << i;
    return 0;
}

static bool read_integer(const uint8_t *p, size_t n, const char *type, uint64_t index, struct value *out)
{
    unsigned width = integer_width(type);
    if (!width || index >= n / width) return false;
    uint64_t v = little_endian(p + index * width, width), sign = UINT64_C(1) << (8 * width - 1);
    if (*type == 'I' && width < 8 && (v & sign)) v -= sign * 2; /* wraps around to the negative value */
    if (*type == 'U' && v > INT64_MAX) return false;
    *out = value_int((int64_t)v);
    return true;
}

static double half(unsigned bits)
{
    int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    double v = exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24);
    return bits >> 15 ? -v : v;
}

/* A value such as 1.58 was rounded to 24 bits or fewer when it was stored: finds the shortest number that
 * fits. */
NUMEL_MUST static bool read_float(const uint8_t *p, size_t n, const char *type, struct value *out)
{
    static const struct {
        const char *name;
        unsigned width;
        int digits;
    } types[] = { { "F64", 8, 15 }, { "F32", 4, 6 }, { "F16", 2, 3 }, { "BF16", 2, 2 } };
    unsigned i = 0;
    char shown[NUMBER_REAL];
    float single;
    double v;
    while (i < 4 && strcmp(types[i].name, type) != 0) i++;
    if (i == 4 || n != types[i].width) return false;
    uint64_t bits = little_endian(p, types[i].width);
    if (i == 3) bits <<= 16;
    uint32_t low = (uint32_t)bits;
    memcpy(&single, &low, sizeof single);
    memcpy(&v, &bits, sizeof v);
    if (i) v = i == 2 ? half(low) : (double)single;
    if (!isfinite(v) || fabs(v) > 1e15) return false;
    if (!(fabs(v - (double)(int64_t)v) > 0)) return *out = value_int((int64_t)v), true;
    *out = (struct value){ .kind = VALUE_REAL };
    return number_real_read(text_of(number_real(shown, v, NUMBER_SHORT, types[i].digits)), false, &out->r);
}

/* ---- JSON ------------------------------------------------------------------------------------- */

NUMEL_MUST static bool scalar_of(const json_value *v, struct arena *a, struct value *out, numel_error *e)
{
    const char *text = json_text_of(v);
    if (text) {
        if (!(text = arena_text(a, text, strlen(text)))) return error_nomem(e);
        *out = value_text(text_of(text));
    } else if (json_kind(v) == JSON_BOOL) {
        *out = value_bool(json_true(v));
    } else if (json_kind(v) == JSON_NUMBER && !json_integer(v, &out->i)) {
        *out = (struct value){ .kind = VALUE_REAL, .r = json_double(v) };
    } else if (json_kind(v) == JSON_NUMBER) {
        *out = value_int(out->i);
    } else if (json_kind(v) != JSON_NULL) { /* a list or an object: its length */
        *out = (struct value){ .kind = VALUE_LIST };
        for (const json_value *x = json_first(v); x; x = json_next(x)) out->list.n++;
    }
    return true;
}

/* Keys of a path are separated by dots. A marked key stands for a name, whose own dots separate nothing. */
static const json_value *dig(const struct nearby *b, const json_value *v, numel_str path, struct arena *a)
{
    for (size_t i = 0; v && i < path.n; i++) {
        numel_str key = { path.p + i, 0 };
        bool marked = false;
        for (; i < path.n && path.p[i] != '.'; i++, key.n++) marked |= (unsigned char)path.p[i] < ' ';
        if (!marked) v = json_dig(v, key.p, key.n);
        else v = b->key && b->key(b->ctx, key, a, &key) ? json_at(v, key) : NULL;
    }
    return v;
}

NUMEL_MUST static bool in_json(const struct nearby *b, numel_str text, numel_str path, struct arena *a,
                               struct value *out, numel_error *e)
{
    numel_error why = { 0 };
    json_value *doc = json_doc_parse(text.p, text.n, &why);
    const json_value *v = dig(b, doc, path, a);
    bool ok = (why.code != NUMEL_E_NOMEM && !a->failed) || error_nomem(e);
    if (ok && v) ok = scalar_of(v, a, out, e);
    json_doc_free(doc);
    return ok;
}

/* ---- reading ---------------------------------------------------------------------------------- */

static uint64_t position(numel_str path)
{
    uint64_t v = 0;
    for (size_t i = 0; i < path.n && v < UINT32_MAX; i++) v = v * 10 + (uint64_t)(path.p[i] - '0');
    return v;
}

NUMEL_MUST static bool ask_data(const struct nearby *b, enum function f, numel_str name, numel_str path,
                                struct arena *a, struct value *out, numel_error *e)
{
    uint8_t bytes[WITNESS_DATA];
    const char *type = "";
    size_t n = 0, zeros = 0;
    if (!b->read || !b->read(b->ctx, name, bytes, &n, &type)) return true;
    while (zeros < n && !bytes[zeros]) zeros++;
    if (zeros == n) return true; /* a hole in a sparse file is not a value */
    if (f == FUNCTION_JSON) return in_json(b, (numel_str){ (const char *)bytes, n }, path, a, out, e);
    if (f == FUNCTION_INTS) read_integer(bytes, n, type, position(path), out);
    else if (integer_width(type) == n || !read_float(bytes, n, type, out))
        if (integer_width(type) == n) read_integer(bytes, n, type, 0, out);
    return true;
}

NUMEL_MUST static bool ask(const struct nearby *b, enum function f, numel_str name, numel_str path,
                           struct arena *a, struct value *out, numel_error *e)
{
    uint64_t size;
    numel_str text;
    *out = value_null();
    if (!b) return true;
    if (f == FUNCTION_META)
        return !b->meta || !b->meta(b->ctx, name, &text) || in_json(b, text, path, a, out, e);
    if (f != FUNCTION_DIM) return ask_data(b, f, name, path, a, out, e);
    if (b->dim && b->dim(b->ctx, name, position(path), &size) && size <= INT64_MAX)
        *out = value_int((int64_t)size);
    return true;
}

/* The source for messages: the rest after the module's name, without the character that joins them. */
NUMEL_MUST static const char *witness_name(enum function f, numel_str name, struct arena *a)
{
    size_t from = name.n;
    if (f == FUNCTION_META) return "__metadata__";
    while (from > 0 && (unsigned char)name.p[from - 1] >= ' ') from--;
    while (from < name.n && (name.p[from] == '.' || name.p[from] == '_')) from++;
    return arena_text(a, name.p + from, text_from(name, from).n);
}

bool witness_ask(struct asking *w, enum function f, numel_str name, numel_str path, struct arena *a,
                 struct value *out, numel_error *e)
{
    *out = value_null();
    if (!w || !w->nearby) return true;
    for (const struct asked *x = w->first; x; x = x->next)
        if (x->function == f && text_same(x->name, name) && text_same(x->path, path))
            return *out = x->value, true;
    if (w->arena) a = w->arena;
    struct asked *new = arena_alloc(a, sizeof *new);
    char *kept = arena_text(a, name.p, name.n), *where = arena_text(a, path.p, path.n);
    if (!new || !kept || !where) return error_nomem(e);
    if (!ask(w->nearby, f, name, path, a, out, e)) return false;
    bool keys = f == FUNCTION_JSON || f == FUNCTION_META;
    out->evidence = EVIDENCE_DECLARED;
    out->key = keys && path.n ? where : NULL;
    if (!(out->by = witness_name(f, name, a))) return error_nomem(e);
    bool settled = w->nearby->silent && w->nearby->silent(w->nearby->ctx, f, name);
    *new = (struct asked){ w->first, f, { kept, name.n }, { where, path.n }, *out, settled };
    w->first = new;
    return true;
}

static bool alike(const struct value *a, const struct value *b)
{
    if (a->kind == VALUE_LIST && b->kind == VALUE_LIST) return a->list.n == b->list.n;
    return (a->kind == VALUE_NULL && b->kind == VALUE_NULL) || value_same(a, b);
}

bool witness_same(const struct asked *first, const struct nearby *nearby, struct arena *a, bool *same,
                  numel_error *e)
{
    *same = true;
    for (const struct asked *x = first; x && *same; x = x->next) {
        struct value v;
        if (x->settled) continue;
        if (!ask(nearby, x->function, x->name, x->path, a, &v, e)) return false;
        *same = alike(&x->value, &v);
    }
    return true;
}

/* ---- functions -------------------------------------------------------------------------------- */

/* "shape.0" from the arguments after the name. */
NUMEL_MUST static bool path_of(struct call *c, numel_str *path)
{
    char digits[24];
    *path = (numel_str){ "", 0 };
    for (unsigned i = 1; i < c->count; i++) {
        bool text = c->v[i].kind == VALUE_TEXT;
        if (!text && (c->v[i].kind != VALUE_INT || c->v[i].i < 0)) return call_wrong(c, i, "a key");
        if (!text) text_format(digits, sizeof digits, "%" PRId64, c->v[i].i);
        *path =
            arena_join(c->env->arena, *path, text_of(i > 1 ? "." : ""), text ? c->v[i].s : text_of(digits));
        if (!path->p) return error_nomem(c->env->error);
    }
    return true;
}

bool call_witness(struct call *c, struct value *out)
{
    enum function f = (enum function)c->env->spec->nodes[c->node].number;
    numel_str path;
    if (c->v[0].kind != VALUE_TEXT) return call_wrong(c, 0, "a name");
    if (c->count == 2 && f != FUNCTION_JSON && f != FUNCTION_META &&
        (c->v[1].kind != VALUE_INT || c->v[1].i < 0))
        return call_wrong(c, 1, f == FUNCTION_DIM ? "an axis" : "a position");
    return path_of(c, &path) &&
           witness_ask(c->env->asking, f, c->v[0].s, path, c->env->arena, out, c->env->error);
}

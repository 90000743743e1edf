/* promised.c -- see promised.h. */
#include "statement/promised.h"

#include "base/num.h"
#include "base/text.h"
#include "model/said_type.h"

/* Cannot overflow: the total of all elements fits. */
static void add_names(struct promised *p, const struct model *m)
{
    for (uint32_t i = 0; i < p->names; i++) {
        const struct model_tensor t = model_tensor(m, i);
        bool sized = t.site && t.fit == FIT_SAME, buffer = sized && t.site->kind == TENSOR_BUF;
        bool counter = buffer && t.site->holds == HOLDS_INTEGERS;
        if (sized) *(counter ? &p->counters : buffer ? &p->buffers : &p->elements) += t.stored;
        p->unsized += !sized;
    }
}

/* True if the total is `width` bytes per element plus buffers of two or four bytes and torch's counters of
 * eight. *rest is what exceeds the elements. */
static bool fits(const struct promised *p, uint64_t width, uint64_t *rest)
{
    uint64_t bytes, small, large, whole;
    if (!num_mul(&bytes, p->elements, width) || !num_mul(&large, p->buffers, 4) ||
        !num_mul(&whole, p->counters, 8) || p->total.value < bytes)
        return false;
    small = large / 2;
    *rest = p->total.value - bytes;
    return *rest >= whole && (*rest - whole == small || *rest - whole == large);
}

static void put_off(struct buffer *b, const struct promised *p)
{
    char n[TEXT_NUMBER], all[TEXT_NUMBER], by[TEXT_COUNT];
    bool more = p->total.value > p->bytes;
    uint64_t off = more ? p->total.value - p->bytes : p->bytes - p->total.value;
    buffer_format(b, ", but %s x %u (%s) = %s, %s %s", text_number(n, p->elements),
                  (unsigned)p->type->block_bytes, p->type->name, text_number(all, p->bytes),
                  text_count(by, off, "byte"), more ? "less" : "more");
    if (p->buffers || p->counters) buffer_text(b, ", without buffers");
}

static void put_fit(struct buffer *b, const struct promised *p, unsigned width, uint64_t rest)
{
    char n[TEXT_NUMBER];
    buffer_format(b, " = %s x %u", text_number(n, p->elements), width);
    if (rest) buffer_format(b, " + %s of buffers", text_number(n, rest));
    if (p->type && p->type->block_bytes != width)
        buffer_format(b, " (the configuration says %s)", p->type->name);
}

/* Compares the total with the width of the configured type, then with the usual ones. */
static void put_total(struct buffer *b, struct promised *p, bool quantized)
{
    char n[TEXT_NUMBER], names[TEXT_COUNT];
    const unsigned widths[] = { p->type ? p->type->block_bytes : 2, 2, 4 };
    uint64_t rest;
    if (!p->total.there) buffer_text(b, "; no total_size");
    else if (!p->total.readable) buffer_text(b, "; total_size is not an integer");
    if (!p->total.readable) return;
    buffer_format(b, "; total_size %s", text_number(n, p->total.value));
    if (quantized) buffer_text(b, " (not compared: quantized)");
    else if (p->unsized)
        buffer_format(b, " (not compared: %s of unknown shape)", text_count(names, p->unsized, "name"));
    if (quantized || p->unsized) return;
    for (size_t i = 0; i < sizeof widths / sizeof *widths && p->size == PROMISED_NONE; i++) {
        if (!fits(p, widths[i], &rest)) continue;
        p->size = PROMISED_FITS;
        put_fit(b, p, widths[i], rest);
    }
    if (p->size == PROMISED_NONE && (!p->type || p->bytes == NUMEL_NOT_KNOWN))
        buffer_text(b, " (not compared: the configuration names no type)");
    else if (p->size == PROMISED_NONE) {
        p->size = PROMISED_OFF;
        put_off(b, p);
    }
}

bool promised_make(struct promised *p, const struct model *m, struct arena *a, numel_error *e)
{
    const struct differences *d = &m->differences;
    bool quantized = config_has_quantization(m->config);
    char n[TEXT_NUMBER], of[TEXT_NUMBER];
    struct buffer b;
    *p = (struct promised){ .names = m->ck->registry.count,
                            .unexpected = d->unexpected_count,
                            .missing = d->missing,
                            .total = declared_total_size(m->ck),
                            .bytes = NUMEL_NOT_KNOWN };
    if (!quantized && !model_declared_type(m, &p->type, e)) return false;
    add_names(p, m);
    if (p->type && !num_mul(&p->bytes, p->elements, p->type->block_bytes)) p->bytes = NUMEL_NOT_KNOWN;
    buffer_init(&b, a->memory);
    text_number(n, p->names - p->unexpected);
    buffer_format(&b, "%s of %s names expected", n, text_number(of, p->names));
    if (p->unexpected) buffer_format(&b, ", %s not", text_number(n, p->unexpected));
    if (p->missing) buffer_format(&b, ", %s missing", text_number(n, p->missing));
    put_total(&b, p, quantized);
    p->text = buffer_keep(&b, a);
    return p->text || error_nomem(e);
}

/*
 * quantization_name.c -- the common name of what a quantizer made: "GPTQ 4-bit, group 128", "NVFP4
 * (modelopt)".
 *
 * The name follows from the layout that the shapes prove, not from the configuration: the layout states it
 * (`called`). The maker follows in parentheses unless the name already includes it. Properties in which
 * weights of one layout differ are left out.
 */
#include "base/text.h"
#include "reporter/quantization.h"

#include <strings.h>

static void put_capitals(struct buffer *b, numel_str s)
{
    for (size_t i = 0; i < s.n; i++)
        buffer_char(b, s.p[i] >= 'a' && s.p[i] <= 'z' ? (char)(s.p[i] - 32) : s.p[i]);
}

/* The type or mode of a choice: nf4 of "type 'nf4', double 1"; empty if there is none. */
static numel_str chosen_type(const char *choice)
{
    static const char *const words[] = { "type '", "mode '" };
    for (size_t i = 0; choice && i < sizeof words / sizeof *words; i++) {
        const char *at = strstr(choice, words[i]), *end;
        if (!at || !(end = strchr(at + strlen(words[i]), '\''))) continue;
        at += strlen(words[i]);
        return text_span(at, end);
    }
    return (numel_str){ "", 0 };
}

/* "int4" for Int4PlainInt32Tensor, "nvfp4" for NVFP4Tensor, "mxfp8" for MXTensor. */
static void put_tensor_type(struct buffer *b, numel_str type, int64_t bits)
{
    bool lower = false;
    text_take_end(&type, "Tensor");
    for (size_t i = 0; i < type.n; i++) {
        bool capital = type.p[i] >= 'A' && type.p[i] <= 'Z';
        if (capital && lower) break;
        lower = !capital;
        buffer_char(b, capital ? (char)(type.p[i] + 32) : type.p[i]);
    }
    if (text_equal(type, "MX") && bits) buffer_format(b, "fp%" PRId64, bits);
}

/* "FP8" or "INT8": the bits of a floating-point or an integer type. */
static bool put_number(struct buffer *b, numel_str type, int64_t bits)
{
    if (type.n) buffer_format(b, "%s%" PRId64, text_equal(type, "float") ? "FP" : "INT", bits ? bits : 8);
    return type.n > 0;
}

static bool put_group(struct buffer *b, int64_t group)
{
    if (group > 0) buffer_format(b, "group %" PRId64, group);
    else if (group == PACKING_ROW) buffer_text(b, "one scale per row");
    return group > 0 || group == PACKING_ROW;
}

/* The method, unless the name begins with it. */
static bool put_maker(struct buffer *b, const char *called, const char *method)
{
    size_t n = strcspn(called, "[{");
    if (!method || (strlen(method) == n && strncasecmp(method, called, n) == 0)) return false;
    text_safe(b, text_of(method), false);
    return true;
}

/* Writes the value of a word; false if it has none. */
static bool put_word(struct buffer *b, numel_str word, const struct packing_kind *k, const char *method)
{
    numel_str type = chosen_type(k->choice);
    switch (layout_called(word)) {
    case CALLED_BITS:
        if (k->bits > 0) buffer_format(b, "%" PRId64, k->bits);
        return k->bits > 0;
    case CALLED_GROUP: return put_group(b, k->group);
    case CALLED_MAKER: return put_maker(b, k->called, method);
    case CALLED_METHOD:
        if (method) put_capitals(b, text_of(method));
        return method != NULL;
    case CALLED_TYPE: put_capitals(b, type); return type.n > 0;
    case CALLED_NUMBER: return put_number(b, type, k->bits);
    case CALLED_TENSOR: put_tensor_type(b, type, k->bits); return type.n > 0;
    case CALLED_COUNT: break;
    }
    return false;
}

/* Writes a template, or what is in its brackets; false if a word has no value. Such brackets are left out. */
static bool put_template(struct buffer *b, numel_str text, const struct packing_kind *k, const char *method)
{
    bool all = true;
    while (text.n) {
        char first = *text.p;
        size_t before = b->n;
        text = text_from(text, 1);
        if (first == '{') all &= put_word(b, text_cut(&text, '}'), k, method);
        else if (first != '[') buffer_char(b, first);
        else if (!put_template(b, text_cut(&text, ']'), k, method)) b->n = before;
    }
    return all;
}

/* Returns false if there is no common name; then it writes that of the layout. */
static bool put_kind(struct buffer *b, const struct packing_kind *k, const char *method)
{
    size_t before = b->n;
    if (k->called && put_template(b, text_of(k->called), k, method)) return true;
    b->n = before;
    buffer_text(b, k->layout);
    if (k->bits > 0) buffer_format(b, " %" PRId64 "-bit", k->bits);
    return false;
}

/* Sets *k to the i-th kind, with only what all kinds of its layout share. False if an earlier kind has the
 * same layout. */
static bool is_first(const struct packing *p, size_t i, struct packing_kind *k)
{
    *k = p->kinds[i];
    for (size_t j = 0; j < p->kind_count; j++) {
        const struct packing_kind *other = &p->kinds[j];
        if (strcmp(other->layout, k->layout) != 0) continue;
        if (j < i) return false;
        if (other->bits != k->bits) k->bits = 0;
        if (other->group != k->group) k->group = 0;
    }
    return true;
}

const char *quantization_name(const struct quantization *q, bool *known, struct arena *a)
{
    struct buffer b;
    struct packing_kind k;
    size_t last = 0;
    buffer_init(&b, a->memory);
    *known = !q->facts.open;
    for (size_t i = 0; i < q->packing.kind_count; i++) {
        size_t end = b.n;
        if (!is_first(&q->packing, i, &k)) continue;
        if (end) buffer_text(&b, " + ");
        size_t at = b.n;
        *known &= put_kind(&b, &k, q->facts.method);
        numel_str all = buffer_view(&b);
        bool same = end && text_same(text_slice(all, last, end), text_from(all, at));
        if (same) b.n = end; /* layouts with the same name */
        else last = at;
    }
    return buffer_keep(&b, a);
}

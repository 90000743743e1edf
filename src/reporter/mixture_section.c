/*
 * mixture_section.c -- the types of the matrices in a GGUF file: lines of a head, and two keys of JSON.
 *
 *     quantization  Q4_K_M (by general.file_type)
 *     packed        226 matrices, 4.83 bits a weight, 4.89 over the whole file
 *     mixture       Q4_K; Q6_K: attn_v, ffn_down in 16 of 32 layers, output
 */
#include "reporter/mixture_section.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- text ------------------------------------------------------------------------------------- */

/* The stated file type, unless the tensors contradict it entirely; then their main type. */
static const char *method_of(const struct mixture *x)
{
    return x->said.type && (x->fits || !x->odd) ? x->said.type->name : x->base;
}

NUMEL_MUST static const char *line_text(const struct mixture *x, struct arena *a)
{
    const struct file_type *said = x->said.type;
    const char *guessed = x->said.guessed ? ", guessed" : "";
    if (!said && x->said.number)
        return arena_format(a, "%s (by its tensors; general.file_type is %" PRId64 ", unknown)", x->base,
                            x->said.id);
    if (!said) return arena_format(a, "%s (by its tensors)", x->base);
    if (method_of(x) != said->name)
        return arena_format(a, "%s (by its tensors; general.file_type says %s%s)", x->base, said->name,
                            guessed);
    return arena_format(a, "%s%s (by general.file_type%s)", said->name, x->odd ? ", mixed further" : "",
                        guessed);
}

NUMEL_MUST static const char *packed_text(const struct mixture *x, const char *bits, const char *whole,
                                          struct arena *a)
{
    char n[TEXT_COUNT];
    return arena_format(a, "%s, %s bits per weight, %s over the whole file",
                        text_count(n, x->tensors, "tensor"), bits, whole);
}

/* Are they of the same type, in equally many of the same number of layers? */
static bool are_alike(const struct mixture_part *x, const struct mixture_part *y)
{
    bool all = x->tensors == x->of && y->tensors == y->of;
    bool layered = x->layer_count && y->layer_count;
    if (strcmp(x->type, y->type) != 0 || (x->layer_count == 0) != (y->layer_count == 0)) return false;
    return all || (layered && x->tensors == y->tensors && x->of == y->of && x->layer_count == y->layer_count);
}

static void put_where(struct buffer *b, const struct mixture_part *p)
{
    char n[TEXT_NUMBER], of[TEXT_NUMBER];
    if (p->tensors == p->of) return;
    text_number(n, p->tensors), text_number(of, p->of);
    buffer_format(b, " in %s of %s%s", n, of, p->layer_count == p->tensors ? " layers" : "");
}

/* Lists what differs from the main type, grouped: "attn_v, ffn_down Q6_K in 16 of 32 layers". */
NUMEL_MUST static const char *mixture_text(const struct mixture *x, bool *said, struct arena *a)
{
    enum { FEW = 6 };
    struct buffer b;
    size_t groups = 0, more = 0;
    buffer_init(&b, a->memory);
    for (size_t i = 0; i < x->count; i++) {
        const struct mixture_part *p = &x->parts[i];
        if (said[i] || strcmp(p->type, x->base) == 0) continue;
        if (groups++ >= FEW) {
            more++;
            continue;
        }
        if (b.n) buffer_text(&b, "; ");
        text_safe(&b, p->part, false);
        for (size_t k = i + 1; k < x->count; k++) {
            if (said[k] || !are_alike(p, &x->parts[k])) continue;
            said[k] = true;
            buffer_text(&b, ", ");
            text_safe(&b, x->parts[k].part, false);
        }
        buffer_format(&b, " %s", p->type);
        put_where(&b, p);
    }
    if (more) buffer_format(&b, "; ... and %zu more", more);
    return buffer_keep(&b, a);
}

static int by_elements(const void *x, const void *y)
{
    const struct mixture_part *a = x, *b = y;
    if (a->elements != b->elements) return a->elements < b->elements ? 1 : -1;
    return strcmp(a->type, b->type);
}

/* ---- JSON ------------------------------------------------------------------------------------- */

NUMEL_MUST static const char *layers_json(const struct mixture_part *p, struct arena *a)
{
    struct buffer b;
    buffer_init(&b, a->memory);
    for (uint64_t i = 0; i < p->layer_count; i++)
        buffer_format(&b, "%s%" PRIu64, i ? "," : "[", p->layers[i]);
    buffer_text(&b, p->layer_count ? "]" : "[]");
    return buffer_keep(&b, a);
}

static const struct table part_table =
    TABLE("mixture", NULL, SECTION_LIST, TABLE_HIDDEN, NULL,
          { "part", NULL, 0, AT(CELL_STR, struct mixture_part, part) },
          { "dtype", NULL, 0, AT(CELL_TEXT, struct mixture_part, type) },
          { "tensors", NULL, 0, AT(CELL_COUNT, struct mixture_part, tensors) },
          { "of", NULL, 0, AT(CELL_COUNT, struct mixture_part, of) },
          { "layers", NULL, 0, AT(CELL_RAW, struct mixture_part, json) },
          { "elements", NULL, 0, AT(CELL_COUNT, struct mixture_part, elements) },
          { "bytes", NULL, 0, AT(CELL_BYTES, struct mixture_part, bytes) });

/* The number in the type's name: 4 for Q4_K, 16 for BF16. */
static unsigned type_bits(const char *type)
{
    unsigned bits = 0;
    while (*type && !isdigit((unsigned char)*type)) type++;
    while (isdigit((unsigned char)*type)) bits = bits * 10 + (unsigned)(*type++ - '0');
    return bits;
}

/* Each type once, the one with the most elements first. */
NUMEL_MUST static const char *kinds_json(const struct mixture *x, struct arena *a)
{
    struct buffer b;
    struct mixture_part *sums = arena_alloc(a, (x->count + 1) * sizeof *sums);
    size_t n = 0;
    if (!sums) return NULL;
    for (size_t i = 0; i < x->count; i++) {
        const struct mixture_part *p = &x->parts[i];
        size_t k = 0;
        if (!p->packed) continue;
        while (k < n && strcmp(sums[k].type, p->type) != 0) k++;
        if (k == n) sums[n++] = (struct mixture_part){ .type = p->type };
        sums[k].tensors += p->tensors;
        sums[k].elements += p->elements;
        sums[k].bytes += p->bytes;
    }
    if (n) qsort(sums, n, sizeof *sums, by_elements);
    buffer_init(&b, a->memory);
    buffer_char(&b, '[');
    for (size_t i = 0; i < n; i++)
        buffer_format(&b,
                      "%s{\"layout\":\"%s\",\"bits\":%u,\"group\":null,\"modules\":%" PRIu64
                      ",\"elements\":%" PRIu64 ",\"bytes\":%" PRIu64 "}",
                      i ? "," : "", sums[i].type, type_bits(sums[i].type), sums[i].tensors, sums[i].elements,
                      sums[i].bytes);
    buffer_char(&b, ']');
    return buffer_keep(&b, a);
}

NUMEL_MUST static const char *left_json(const struct mixture *x, struct arena *a)
{
    struct buffer b, names;
    uint64_t modules = 0;
    buffer_init(&b, a->memory);
    buffer_init(&names, a->memory);
    for (size_t i = 0; i < x->count; i++) {
        const struct mixture_part *p = &x->parts[i];
        if (p->packed) continue;
        modules += p->tensors;
        buffer_text(&names, names.n ? ",{\"name\":" : "{\"name\":");
        text_json(&names, p->part);
        buffer_format(&names, ",\"modules\":%" PRIu64 "}", p->tensors);
    }
    buffer_format(&b, "{\"modules\":%" PRIu64 ",\"names\":[", modules);
    buffer_add(&b, names.p, names.n);
    buffer_text(&b, "]}");
    b.failed |= names.failed;
    buffer_done(&names);
    return buffer_keep(&b, a);
}

static void recipe_row(struct table_row *row, struct cell *c)
{
    const struct mixture_page *q = row->of;
    c[0] = CELL_T(q->method);
    if (type_bits(q->mixture.base)) c[1] = CELL_U(CELL_NUMBER, type_bits(q->mixture.base));
    c[3] = CELL_T(q->mixture.base);
    if (q->bits) c[4] = (struct cell){ .kind = CELL_RAW, .t = q->bits };
    c[5] = CELL_U(CELL_COUNT, q->mixture.tensors);
    c[6] = CELL_T(q->method == q->mixture.base ? "types" : "general.file_type");
    if (q->whole) c[8] = (struct cell){ .kind = CELL_RAW, .t = q->whole };
    c[9] = (struct cell){ .kind = CELL_RAW, .t = q->kinds };
    c[10] = (struct cell){ .kind = CELL_RAW, .t = q->left };
    c[11] = CELL_T(q->method);
}

void stored_quantization(struct numel_report *r, const struct quantization *q, const struct mixture_page *x)
{
    if (!x->line) {
        quantization_section(r, q);
        return;
    }
    quantization_object(r, recipe_row, x, false);
    solutions_section(r, q->model);
}

void mixture_section(struct numel_report *r, const struct mixture_page *q)
{
    report_list(r, &part_table, ROWS(q->mixture.parts, q->mixture.count), NULL);
}

/* ---- all -------------------------------------------------------------------------------------- */

static bool make_texts(struct mixture_page *q, struct arena *a)
{
    const struct mixture *x = &q->mixture;
    bool *said = arena_alloc(a, x->count + 1);
    if (!said) return false;
    memset(said, 0, x->count + 1);
    for (size_t i = 0; i < x->count; i++)
        if (!(x->parts[i].json = layers_json(&x->parts[i], a))) return false;
    if (!x->tensors || !x->base) return true;
    const char *mixed = mixture_text(x, said, a);
    q->method = method_of(x);
    q->line = line_text(x, a);
    q->packed = q->bits && q->whole ? packed_text(x, q->bits, q->whole, a) : NULL;
    q->mixed = mixed && mixed[0] ? mixed : NULL;
    q->kinds = kinds_json(x, a);
    q->left = left_json(x, a);
    return mixed && q->kinds && q->left && q->line && (q->packed || !q->bits || !q->whole);
}

const struct mixture_page *mixture_of(const numel_checkpoint *ck, struct arena *a, numel_error *e)
{
    uint64_t bytes = 0;
    struct mixture_page *q = arena_alloc(a, sizeof *q);
    if (!q) return error_nomem(e), NULL;
    *q = (struct mixture_page){ .line = NULL };
    if (ck->files[0].format != NUMEL_GGUF) return q;
    if (!mixture_make(&q->mixture, &ck->registry, &ck->metadata, a, e)) return NULL;
    for (size_t i = 0; i < ck->registry.count; i++) bytes += ck->registry.tensors[i].bytes;
    q->bits = bits_per_weight(q->mixture.bytes, q->mixture.elements, a);
    q->whole = bits_per_weight(bytes, ck->stored, a);
    if (!make_texts(q, a)) return error_nomem(e), NULL;
    return q;
}

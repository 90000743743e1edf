/*
 * encode_safetensors.c -- writes a header exactly as the reference's own writer does.
 *
 * Tensors are sorted by descending rank of their type, then by name as bytes (layer 10 before layer 2);
 * the JSON has no white space and is padded with spaces to a multiple of eight. The index follows
 * transformers: indented by two, names sorted, total_size without headers.
 */
#include "draft.h"

#include <stdlib.h>
#include <string.h>

static int by_rank_and_name(const void *a, const void *b)
{
    const struct made *x = *(struct made *const *)a, *y = *(struct made *const *)b;
    if (x->kind->rank != y->kind->rank) return x->kind->rank > y->kind->rank ? -1 : 1;
    return strcmp(x->name, y->name);
}

static int by_name(const void *a, const void *b)
{
    const struct made *x = *(struct made *const *)a, *y = *(struct made *const *)b;
    return strcmp(x->name, y->name);
}

/* Pointers to the tensors of one file, or of all for UINT_MAX. */
static struct made **pick(struct draft *m, unsigned file, size_t *n)
{
    struct made **list = must(malloc((m->count + 1) * sizeof *list));
    *n = 0;
    for (size_t i = 0; i < m->count; i++)
        if (file == UINT32_MAX || m->tensors[i].file == file) list[(*n)++] = &m->tensors[i];
    return list;
}

static void entry(struct buffer *b, const struct made *t, uint64_t at)
{
    text_json(b, text_of(t->name));
    buffer_format(b, ":{\"dtype\":\"%s\",\"shape\":[", t->kind->name);
    for (unsigned i = 0; i < t->ndim; i++) buffer_format(b, "%s%" PRIu64, i ? "," : "", t->dims[i]);
    buffer_format(b, "],\"data_offsets\":[%" PRIu64 ",%" PRIu64 "]}", at, at + t->bytes);
}

static void members(struct draft *m, struct made **list, size_t n, struct buffer *b, uint64_t *data)
{
    bool first = true;
    if (m->meta.n) {
        buffer_text(b, "\"__metadata__\":{");
        buffer_add(b, m->meta.p, m->meta.n);
        buffer_char(b, '}');
        first = false;
    }
    *data = 0;
    for (size_t i = 0; i < n; i++) {
        if (!first) buffer_char(b, ',');
        first = false;
        entry(b, list[i], *data);
        *data += list[i]->bytes;
    }
}

void encode_safetensors(struct draft *m, unsigned file, struct buffer *out, uint64_t *data)
{
    size_t n;
    struct made **list = pick(m, file, &n);
    if (!m->unsorted) qsort(list, n, sizeof *list, by_rank_and_name);
    buffer_fill(out, '\0', 8);
    buffer_char(out, '{');
    members(m, list, n, out, data);
    buffer_char(out, '}');
    buffer_fill(out, ' ', (8 - out->n % 8) % 8);
    if (out->failed) die("out of memory");
    num_store_le64((uint8_t *)out->p, out->n - 8);
    free(list);
}

void encode_index(struct draft *m, struct buffer *out)
{
    size_t n;
    struct made **list = pick(m, UINT32_MAX, &n);
    qsort(list, n, sizeof *list, by_name);
    buffer_format(out, "{\n  \"metadata\": {\n    \"total_size\": %" PRIu64 "\n  },\n", draft_sum(m).bytes);
    buffer_text(out, "  \"weight_map\": {\n");
    for (size_t i = 0; i < n; i++) {
        buffer_text(out, "    ");
        text_json(out, text_of(list[i]->name));
        buffer_format(out, ": \"%s\"%s\n", draft_file_name(m, list[i]->file), i + 1 < n ? "," : "");
    }
    buffer_text(out, "  }\n}\n");
    if (out->failed) die("out of memory");
    free(list);
}

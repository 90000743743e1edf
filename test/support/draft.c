/*
 * draft.c -- the list of tensors, and the table of element types that sizes them.
 *
 * Sizes follow the formats' own definitions: the reference's `Dtype::bitsize` for safetensors, ggml's
 * block sizes for GGUF. Removed types are absent: no program writes them.
 */
#include "draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
/* clang-format off */
static const struct kind kinds[] = {
    { "BOOL", 0, -1, 1, 8 },      { "F4", 1, -1, 1, 4 },         { "F6_E2M3", 2, -1, 1, 6 },
    { "F6_E3M2", 3, -1, 1, 6 },   { "U8", 4, -1, 1, 8 },         { "I8", 5, 24, 1, 8 },
    { "F8_E5M2", 6, -1, 1, 8 },   { "F8_E4M3", 7, -1, 1, 8 },    { "F8_E8M0", 8, -1, 1, 8 },
    { "F8_E4M3FNUZ", 9, -1, 1, 8 }, { "F8_E5M2FNUZ", 10, -1, 1, 8 }, { "I16", 11, 25, 1, 16 },
    { "U16", 12, -1, 1, 16 },     { "F16", 13, 1, 1, 16 },       { "BF16", 14, 30, 1, 16 },
    { "I32", 15, 26, 1, 32 },     { "U32", 16, -1, 1, 32 },      { "F32", 17, 0, 1, 32 },
    { "C64", 18, -1, 1, 64 },     { "F64", 19, 28, 1, 64 },      { "I64", 20, 27, 1, 64 },
    { "U64", 21, -1, 1, 64 },

    { "Q4_0", -1, 2, 32, 18 * 8 },     { "Q4_1", -1, 3, 32, 20 * 8 },
    { "Q5_0", -1, 6, 32, 22 * 8 },     { "Q5_1", -1, 7, 32, 24 * 8 },
    { "Q8_0", -1, 8, 32, 34 * 8 },     { "Q8_1", -1, 9, 32, 36 * 8 },
    { "Q2_K", -1, 10, 256, 84 * 8 },   { "Q3_K", -1, 11, 256, 110 * 8 },
    { "Q4_K", -1, 12, 256, 144 * 8 },  { "Q5_K", -1, 13, 256, 176 * 8 },
    { "Q6_K", -1, 14, 256, 210 * 8 },  { "Q8_K", -1, 15, 256, 292 * 8 },
    { "IQ2_XXS", -1, 16, 256, 66 * 8 }, { "IQ2_XS", -1, 17, 256, 74 * 8 },
    { "IQ3_XXS", -1, 18, 256, 98 * 8 }, { "IQ1_S", -1, 19, 256, 50 * 8 },
    { "IQ4_NL", -1, 20, 32, 18 * 8 },  { "IQ3_S", -1, 21, 256, 110 * 8 },
    { "IQ2_S", -1, 22, 256, 82 * 8 },  { "IQ4_XS", -1, 23, 256, 136 * 8 },
    { "IQ1_M", -1, 29, 256, 56 * 8 },  { "TQ1_0", -1, 34, 256, 54 * 8 },
    { "TQ2_0", -1, 35, 256, 66 * 8 },  { "MXFP4", -1, 39, 32, 17 * 8 },
    { "NVFP4", -1, 40, 64, 36 * 8 },   { "Q1_0", -1, 41, 128, 18 * 8 },
    { "Q2_0", -1, 42, 64, 18 * 8 },
};
/* clang-format on */
/* clang-format on */

_Noreturn void die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("error: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

void *must(void *p)
{
    if (!p) die("out of memory");
    return p;
}

char *file_read(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END)) die("cannot read %s", path);
    long size = ftell(f);
    if (size < 0) die("cannot read %s", path);
    rewind(f);
    char *p = must(malloc((size_t)size + 1));
    *n = fread(p, 1, (size_t)size, f);
    p[*n] = '\0';
    fclose(f);
    return p;
}

const struct kind *kind_find(const char *name, bool gguf)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].name, name) && (gguf ? kinds[i].id : kinds[i].rank) >= 0) return &kinds[i];
    return NULL;
}

void draft_init(struct draft *m)
{
    memset(m, 0, sizeof *m);
    arena_init(&m->arena, &memory_malloc);
    buffer_init(&m->meta, &memory_malloc);
    buffer_init(&m->kv, &memory_malloc);
    m->file = "model.safetensors";
    m->version = 3;
    m->alignment = 32;
    m->digits = 5;
}

void draft_done(struct draft *m)
{
    arena_done(&m->arena);
    buffer_done(&m->meta);
    buffer_done(&m->kv);
    memory_release(&memory_malloc, m->tensors);
}

/* Computes the product of dims, and the bytes: whole rows for block types. */
static void size_up(struct made *t)
{
    uint64_t bits;
    t->elements = 1;
    for (unsigned i = 0; i < t->ndim; i++)
        if (!num_mul(&t->elements, t->elements, t->dims[i])) die("%s: too many elements", t->name);
    if (t->kind->block > 1 && (t->ndim == 0 || t->dims[t->ndim - 1] % t->kind->block))
        die("%s: rows are not multiples of %u", t->name, t->kind->block);
    if (!num_mul(&bits, t->elements / t->kind->block, t->kind->bits) || bits % 8)
        die("%s: no whole number of bytes", t->name);
    t->bytes = bits / 8;
}

void draft_add(struct draft *m, const char *name, const struct kind *kind, const uint64_t *dims,
               unsigned ndim)
{
    numel_error e = { .code = NUMEL_OK };
    void *all = m->tensors;
    if (!memory_grow(&memory_malloc, &all, &m->cap, m->count + 1, sizeof *m->tensors, &e))
        die("out of memory");
    m->tensors = all;
    struct made *t = &m->tensors[m->count++];
    *t = (struct made){ .kind = kind, .ndim = ndim };
    t->name = must(arena_text(&m->arena, name, strlen(name)));
    if (ndim) memcpy(t->dims, dims, ndim * sizeof *dims);
    size_up(t);
}

struct expected draft_sum(const struct draft *m)
{
    struct expected sum = { .tensors = m->count };
    for (size_t i = 0; i < m->count; i++)
        if (!num_add(&sum.elements, sum.elements, m->tensors[i].elements) ||
            !num_add(&sum.bytes, sum.bytes, m->tensors[i].bytes))
            die("the sum does not fit in 64 bits");
    return sum;
}

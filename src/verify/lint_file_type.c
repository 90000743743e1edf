/*
 * lint_file_type.c -- what GGUF's metadata states about tensor types: general.file_type, the recipe of their
 * quantization, and general.quantization_version.
 *
 * llama.cpp ignores both, so a file with a wrong one runs, under a false name: a warning. Files mixed layer
 * by layer by other programs have the number of the recipe that they started from: if most weights match it,
 * a note lists the rest.
 */
#include "verify/lint_internal.h"

#include "base/text.h"
#include "registry/file_type.h"

#include <string.h>

/* Matrices by how they fit the recipe for them. */
struct tally_types {
    uint64_t tensors, elements; /* all */
    uint64_t base;              /* tensors of the main type */
    uint64_t odd, odd_elements; /* not explained by the recipe */
    bool packed;                /* one of those is quantized */
    struct lint_type types[LINT_TYPES], odd_types[LINT_TYPES];
    size_t type_count, odd_count;
};

void lint_add_type(struct lint_type *sums, size_t *count, const numel_tensor *t)
{
    size_t k = 0;
    while (k < *count && sums[k].dtype != t->dtype) k++;
    if (k == LINT_TYPES) return;
    if (k == *count) sums[(*count)++] = (struct lint_type){ t->dtype, 0, 0 };
    sums[k].tensors++;
    sums[k].elements += t->elements; /* cannot overflow: the total fits */
    for (; k > 0 && sums[k].elements > sums[k - 1].elements; k--) {
        struct lint_type other = sums[k];
        sums[k] = sums[k - 1];
        sums[k - 1] = other;
    }
}

static void tally(const struct lint *l, const struct file_type_said *said, struct tally_types *sum)
{
    *sum = (struct tally_types){ 0 };
    for (size_t i = 0; i < l->ck->registry.count; i++) {
        const numel_tensor *t = &l->ck->registry.tensors[i];
        enum file_type_fit fit = file_type_fit(said->type, t, said->experts);
        if (fit == FILE_TYPE_APART) continue;
        sum->tensors++;
        sum->elements += t->elements; /* cannot overflow: the total fits */
        lint_add_type(sum->types, &sum->type_count, t);
        if (fit == FILE_TYPE_BASE) sum->base++;
        if (fit != FILE_TYPE_ODD) continue;
        sum->odd++;
        sum->odd_elements += t->elements;
        sum->packed |= file_type_packed(t->dtype);
        lint_add_type(sum->odd_types, &sum->odd_count, t);
    }
}

/* "Q8_0 14, F16 2", most elements first. */
static const char *histogram(const struct lint_type *types, size_t count, struct arena *a)
{
    struct buffer b;
    char n[TEXT_NUMBER];
    buffer_init(&b, a->memory);
    for (size_t i = 0; i < count; i++)
        buffer_format(&b, "%s%s %s", i ? ", " : "", types[i].dtype->name, text_number(n, types[i].tensors));
    const char *text = buffer_keep(&b, a);
    return text ? text : "?";
}

/* Compares the number's recipe with the tensors. */
static void compare(struct lint *l, const struct file_type_said *said)
{
    struct tally_types sum;
    char n[TEXT_NUMBER], odd[TEXT_NUMBER];
    const struct metadata_entry *e = said->entry;
    const struct file_type *f = said->type;
    const char *file = lint_file(l, e), *guessed = said->guessed ? ", guessed" : "";
    int64_t id = said->id;
    tally(l, said, &sum);
    bool plain = strcmp(f->type, "F16") == 0 || strcmp(f->type, "BF16") == 0 || strcmp(f->type, "F32") == 0;
    if (sum.odd == 0 && (!plain || sum.base || !sum.tensors)) return;
    const char *all = histogram(sum.types, sum.type_count, l->arena);
    text_number(n, sum.tensors);
    if (sum.base == 0)
        lint_find(l, FINDING_FILE_TYPE, file, NO_TENSOR, e->offset,
                  "general.file_type is %" PRId64 " (%s%s), but none of %s matrices is %s: %s", id, f->name,
                  guessed, n, f->type, all);
    else if ((plain && sum.packed) || sum.odd_elements > sum.elements / 2)
        lint_find(l, FINDING_FILE_TYPE, file, NO_TENSOR, e->offset,
                  "general.file_type is %" PRId64 " (%s%s), but %s: %s", id, f->name, guessed,
                  plain && sum.packed ? "some are quantized" : "most weights have other types", all);
    else
        lint_find(l, FINDING_FILE_TYPE_MIXED, file, NO_TENSOR, e->offset,
                  "general.file_type is %" PRId64 " (%s%s), but llama-quantize would give other types to %s "
                  "of %s matrices: %s",
                  id, f->name, guessed, text_number(odd, sum.odd), n,
                  histogram(sum.odd_types, sum.odd_count, l->arena));
}

void lint_file_type(struct lint *l)
{
    const struct file_type_said said = file_type_said(&l->ck->metadata);
    const struct metadata_entry *e = said.entry;
    if (!e) return;
    const char *file = lint_file(l, e);
    if (!said.number)
        lint_find(l, FINDING_FILE_TYPE, file, NO_TENSOR, e->offset, "general.file_type is not a number");
    else if (!said.type)
        lint_find(l, FINDING_FILE_TYPE_UNKNOWN, file, NO_TENSOR, e->offset,
                  "general.file_type is %" PRId64 ", which llama.cpp does not know", said.id);
    else if (said.guessed)
        lint_find(l, FINDING_FILE_TYPE_UNKNOWN, file, NO_TENSOR, e->offset,
                  "general.file_type is %" PRId64 " = 1024 + %u: llama.cpp marks %s as only guessed", said.id,
                  said.type->id, said.type->name);
    if (said.type && l->whole) compare(l, &said);
}

/* The format requires the version wherever blocks are stored. Version 2 is older than GGUF itself; version 1
 * had other blocks. */
void lint_quantization_version(struct lint *l)
{
    enum { VERSION = 2 };
    const struct metadata_entry *e = metadata_find(&l->ck->metadata, "general.quantization_version");
    const numel_tensor *first = NULL;
    int64_t v = -1;
    for (size_t i = 0; !first && i < l->ck->registry.count; i++)
        if (file_type_packed(l->ck->registry.tensors[i].dtype)) first = &l->ck->registry.tensors[i];
    if (!first) return;
    if (!e)
        lint_find(l, FINDING_QUANT_VERSION, l->ck->files[0].path, first->name, NUMEL_NOWHERE,
                  "general.quantization_version is missing, but tensors are quantized (%s)",
                  first->dtype->name);
    else if (e->type == META_ARRAY || !metadata_integer(&e->value, &v))
        lint_find(l, FINDING_QUANT_VERSION, lint_file(l, e), NO_TENSOR, e->offset,
                  "general.quantization_version is not a number");
    else if (v != VERSION)
        lint_find(l, FINDING_QUANT_VERSION, lint_file(l, e), NO_TENSOR, e->offset,
                  "general.quantization_version is %" PRId64 "; llama.cpp reads blocks of version %d", v,
                  VERSION);
}

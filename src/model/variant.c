/*
 * variant.c -- see variant.h.
 *
 * FLUX.1-dev has 38 blocks at "single_blocks.". A file with 30 may be pruned, which is not an error; one
 * without block 12, or without one of its tensors, is damaged.
 */
#include "model/variant.h"

#include "base/hash.h"
#include "base/number.h"
#include "base/text.h"
#include "model/tensor.h"

#include <string.h>

enum { STACKS = 4, BLOCKS = 512, LEAST = 3 };

struct stack {
    numel_str front; /* "single_blocks." */
    uint64_t expected;
    unsigned blocks;        /* in the file: highest number plus 1 */
    uint64_t alike[BLOCKS]; /* by block: a sum over the names and dims of its tensors */
};

/* Splits a name into "single_blocks.", 12 and ".linear1.weight". */
static bool split(numel_str name, numel_str *front, uint64_t *number, numel_str *tail)
{
    for (size_t at = text_find(name, 0, '.'); at < name.n; at = text_find(name, at + 1, '.')) {
        numel_str rest = text_from(name, at + 1);
        if (!number_digits(&rest, number) || !rest.n || rest.p[0] != '.') continue;
        *front = text_upto(name, at + 1);
        *tail = rest;
        return *number < BLOCKS;
    }
    return false;
}

static struct stack *stack_of(struct stack *all, unsigned count, numel_str front)
{
    for (unsigned i = 0; i < count; i++)
        if (text_same(all[i].front, front)) return &all[i];
    return NULL;
}

/* Finds the stacks that contain the differences; false if a difference is outside all stacks. */
static bool find_stacks(const struct model *m, struct stack *all, unsigned *count)
{
    const struct differences *d = &m->differences;
    numel_str front, tail;
    uint64_t number;
    for (size_t i = 0; i < d->missing + d->unexpected_count; i++) {
        numel_str name =
            i < d->missing ? d->gaps[i].name : m->ck->registry.tensors[d->unexpected[i - d->missing]].name;
        if (!split(name, &front, &number, &tail)) return false;
        if (stack_of(all, *count, front)) continue;
        if (*count == STACKS) return false;
        all[*count] = (struct stack){ .front = front };
        ++*count;
    }
    return *count > 0;
}

static void fill_stacks(const struct model *m, struct stack *all, unsigned count)
{
    numel_str front, tail;
    uint64_t number;
    struct stack *s;
    for (size_t i = 0; i < m->ck->registry.count; i++) {
        const numel_tensor *t = &m->ck->registry.tensors[i];
        if (!split(t->name, &front, &number, &tail) || !(s = stack_of(all, count, front))) continue;
        uint64_t h = hash_bytes(tail.p, tail.n, 1);
        for (uint32_t k = 0; k < t->ndim; k++) h = hash_number(h, t->dims[k]);
        s->alike[number] += h | 1;
        if (number >= s->blocks) s->blocks = (unsigned)number + 1;
    }
    for (uint32_t i = 0; i < m->x->row_count; i++) {
        const struct model_row r = model_row(m, i);
        if (!split(r.name, &front, &number, &tail) || !(s = stack_of(all, count, front))) continue;
        if (number >= s->expected) s->expected = number + 1;
    }
}

static bool is_whole(const struct stack *s)
{
    for (unsigned i = 1; i < s->blocks; i++)
        if (s->alike[i] != s->alike[0]) return false;
    return s->blocks >= LEAST && s->expected && s->blocks != s->expected;
}

bool model_is_variant(const struct model *m, numel_error *why)
{
    const struct differences *d = &m->differences;
    struct stack all[STACKS];
    unsigned count = 0;
    char front[TEXT_QUOTE];
    bool told = m->by_tensors && m->x && m->ck && !m->ck->missing && !config_has_json(m->config);
    if (!told || d->mismatched || d->contradiction_count || !find_stacks(m, all, &count)) return false;
    fill_stacks(m, all, count);
    for (unsigned i = 0; i < count; i++)
        if (!is_whole(&all[i])) return false;
    error_set(why, NUMEL_E_ARCH, NUMEL_NOWHERE,
              "a variant of %.60s that is not known: %u blocks at %s, where that has %" PRIu64, m->called,
              all[0].blocks, text_quote(front, all[0].front), all[0].expected);
    return true;
}

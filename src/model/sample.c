/*
 * sample.c -- finds runs of similar layers and experts by summing hashes.
 *
 * Each tensor adds a hash of its name and shape to every number in its name, leaving that number out. Sums do
 * not depend on order, and equal sums mean the same names with the same shapes. A number with the same sum as
 * the two before it and the one after it is inside a run. This takes two passes over the names.
 */
#include "model/sample.h"

#include "model/training.h"

#include "base/hash.h"
#include "base/text.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Finds the next part of a name that is a number, starting at *at; false if there is none. */
static bool next_number(numel_str name, uint64_t most, size_t *at, size_t *start, uint64_t *number)
{
    for (; *at < name.n; ++*at) {
        uint64_t n = 0;
        if (*at && name.p[*at - 1] != '.') *at = text_find(name, *at, '.') + 1;
        *start = *at;
        for (; *at < name.n && name.p[*at] >= '0' && name.p[*at] <= '9' && n < most; ++*at)
            n = n * 10 + (uint64_t)(name.p[*at] - '0');
        if (*at == *start || (*at < name.n && name.p[*at] != '.')) continue;
        *number = n;
        return true;
    }
    return false;
}

enum { PARTS = UINT8_MAX }; /* or more */

/* The number of parts of a name that are numbers, the same for its whole pattern, so that a search can
 * stop after the last. */
static unsigned parts_of(const struct sample *s, size_t tensor)
{
    unsigned n = s->parts[s->all->patterns.of[tensor]];
    return n < PARTS ? n : UINT_MAX;
}

NUMEL_MUST static bool count_parts(struct sample *s, struct arena *a)
{
    const struct patterns *all = &s->all->patterns;
    s->parts = arena_alloc(a, all->count + 1);
    for (size_t i = 0; s->parts && i < all->count; i++) {
        size_t at = 0, start;
        uint64_t number;
        s->parts[i] = 0;
        while (s->parts[i] < PARTS &&
               next_number(all->items[i].sample, UINT64_MAX / 16, &at, &start, &number))
            s->parts[i]++;
    }
    return s->parts != NULL;
}

enum { SIGNED = 16 }; /* how many numbers of a name may be left out; later ones count as unique */

/* Adds the tensor to the sums of its numbers, which do not depend on order. */
static void sign(const struct sample *s, uint64_t *signs, size_t tensor, uint64_t seed)
{
    const numel_tensor *t = &s->all->tensors[tensor];
    size_t at = 0, start, seen = 0;
    uint64_t n, whole = 0, shape = hash_bytes(t->dims, t->ndim * sizeof *t->dims, seed);
    for (unsigned left = parts_of(s, tensor); left && next_number(t->name, s->numbers, &at, &start, &n);
         left--) {
        if (n >= s->numbers) continue;
        if (++seen > SIGNED) {
            if (!whole) whole = hash_bytes(t->name.p, t->name.n, seed);
            signs[n] += hash_number(whole, n);
            continue;
        }
        uint64_t before = hash_bytes(t->name.p, start, seed);
        uint64_t after = hash_bytes(t->name.p + at, text_from(t->name, at).n, before);
        signs[n] += hash_fold(after ^ shape, before | 1);
    }
}

static void find_runs(struct sample *s, const uint64_t *signs)
{
    for (size_t i = 2; i + 1 < s->numbers; i++)
        s->in_run[i] = signs[i - 2] == signs[i] && signs[i - 1] == signs[i] && signs[i + 1] == signs[i];
}

/* True if one of the first `parts` numbers of the name is inside a run. */
static bool has_run(const struct sample *s, numel_str name, unsigned parts)
{
    size_t at = 0, start;
    uint64_t n;
    for (; parts && next_number(name, s->numbers, &at, &start, &n); parts--)
        if (n < s->numbers && s->in_run[n]) return true;
    return false;
}

static bool keeps(const struct sample *s, size_t tensor)
{
    const numel_tensor *t = &s->all->tensors[tensor];
    return !(t->flags & NUMEL_REPEATED) && !has_run(s, t->name, parts_of(s, tensor)) &&
           !training_hides(t->name);
}

bool sample_make(struct sample *s, const struct registry *all, struct arena *a, numel_error *e)
{
    *s = (struct sample){ .all = all, .numbers = all->count < SAMPLE_NUMBERS ? SAMPLE_NUMBERS : all->count };
    registry_init(&s->registry, a);
    uint64_t *signs = arena_alloc(a, s->numbers * sizeof *signs);
    s->in_run = arena_alloc(a, s->numbers * sizeof *s->in_run);
    if (!signs || !s->in_run || !count_parts(s, a)) return error_nomem(e);
    memset(signs, 0, s->numbers * sizeof *signs);
    memset(s->in_run, 0, s->numbers * sizeof *s->in_run);
    for (size_t i = 0; i < all->count; i++) sign(s, signs, i, hash_seed(signs));
    find_runs(s, signs);
    for (size_t i = 0; i < all->count; i++)
        if (keeps(s, i) && !registry_add(&s->registry, &all->tensors[i], e)) return false;
    return registry_commit_firsts(&s->registry, e);
}

void sample_done(struct sample *s)
{
    if (s->registry.memory) registry_done(&s->registry);
}

const numel_tensor *sample_left_out(const struct sample *s, numel_str name)
{
    if (!has_run(s, name, UINT_MAX)) return NULL;
    if (!strpbrk(name.p, "*?[")) return registry_find(s->all, name);
    for (size_t i = 0; i < s->all->count; i++)
        if (text_glob(name.p, s->all->tensors[i].name)) return &s->all->tensors[i];
    return NULL;
}

/* Parts without a number are copied unchanged. */
bool sample_kept_like(const struct sample *s, numel_str name, char *out, size_t room)
{
    size_t at = 0, start, copied = 0;
    uint64_t number;
    struct fixed text = fixed_of(out, room);
    while (next_number(name, s->numbers, &at, &start, &number)) {
        uint64_t like = number;
        while (like < s->numbers && s->in_run[like]) like--;
        if (like == number) continue;
        fixed_add(&text, text_slice(name, copied, start));
        fixed_format(&text, "%" PRIu64, like);
        copied = at;
    }
    fixed_add(&text, text_from(name, copied));
    return copied && !text.cut;
}

bool sample_in_run(const struct sample *s, int64_t i)
{
    return s && i >= 0 && (uint64_t)i < s->numbers && s->in_run[i];
}

/* naming_tails.c -- see naming_tails.h. */
#include "model/naming_tails.h"

#include "base/hash.h"
#include "base/text.h"
#include "registry/patterns.h"

enum { SPARSE = 32, LEAST = 1 << 16 }; /* bits per name; minimum number of bits */

bool tails_make(struct tails *t, size_t names, struct arena *a, numel_error *e)
{
    size_t count = LEAST;
    while (count / SPARSE < names) count *= 2;
    *t = (struct tails){ arena_alloc(a, count / 8), count };
    if (!t->bits) return error_nomem(e);
    memset(t->bits, 0, count / 8);
    return true;
}

/* Sets *tail to the last parts of a name, or to all of it; false if it has fewer. */
static bool last_parts(numel_str name, unsigned parts, numel_str *tail)
{
    size_t at = name.n;
    unsigned n = 0;
    while (at > 0 && (name.p[at - 1] != '.' || ++n < parts)) at--;
    *tail = text_from(name, at);
    return n + (at == 0) >= parts;
}

/* The word and bit for an ending. `kind` keeps LAST_THREE and LAST_TWO apart. */
static uint64_t *word_of(const struct tails *t, numel_str tail, unsigned kind, uint64_t *bit)
{
    uint64_t hash = hash_seed(t->bits) + kind;
    size_t from = 0;
    for (size_t i = 0; i < tail.n;) {
        bool digit = tail.p[i] >= '0' && tail.p[i] <= '9';
        size_t n = digit ? pattern_number(tail, i) : 0;
        if (n) hash = hash_bytes(tail.p + from, i - from, hash);
        i += n ? n : 1;
        if (n) from = i;
    }
    numel_str rest = text_from(tail, from);
    size_t at = hash_bytes(rest.p, rest.n, hash) & (t->count - 1);
    *bit = UINT64_C(1) << at % 64;
    return &t->bits[at / 64];
}

/* LAST_TWO is stored for every name, to look up names with only two parts. */
enum { LAST_THREE, LAST_TWO };

static bool has(const struct tails *t, numel_str tail, unsigned kind)
{
    uint64_t bit;
    return *word_of(t, tail, kind, &bit) & bit;
}

bool tails_may_have(const struct tails *t, numel_str name)
{
    numel_str three, two;
    if (!t->bits || !last_parts(name, 2, &two)) return true;
    if (!last_parts(name, 3, &three)) return has(t, two, LAST_TWO);
    return has(t, three, LAST_THREE) || has(t, two, LAST_THREE);
}

void tails_add(struct tails *t, numel_str name)
{
    numel_str tail;
    uint64_t bit;
    (void)last_parts(name, 3, &tail); /* the whole name if it has only two */
    *word_of(t, tail, LAST_THREE, &bit) |= bit;
    (void)last_parts(name, 2, &tail);
    *word_of(t, tail, LAST_TWO, &bit) |= bit;
}

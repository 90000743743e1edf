/*
 * declared.c -- totals as they were written: if one is not a plain integer, its text is kept next to its
 * number.
 */
#include "reader/declared.h"

#include "base/number.h"
#include "base/text.h"

/* ---- numbers ------------------------------------------------------------------------------ */

bool declared_number(numel_str s, uint64_t *v)
{
    struct number n;
    if (s.n >= 2 && s.p[0] == '"') s = text_inner(s);
    bool shrunk = s.n && memchr(s.p, '-', s.n); /* 100e-2: totals are not written like this */
    bool read = number_read(&n, &s, NUMBER_EXPONENT, 0) == NUMBER_READ && s.n == 0 && !shrunk;
    *v = read ? n.value : 0;
    return read;
}

bool declared_leading(numel_str s, uint64_t *v)
{
    while (s.n && (*s.p == '"' || *s.p == ' ' || *s.p == '+')) s = text_from(s, 1);
    return number_digits(&s, v);
}

/* ---- places ------------------------------------------------------------------------------- */

static struct declared declared_of(enum index_number has, uint64_t value, numel_str odd)
{
    struct declared d = { .there = has != INDEX_ABSENT, .readable = has == INDEX_EXACT, .value = value };
    if (has == INDEX_ODD && text_equal(odd, "null")) d.there = false;
    if (has == INDEX_ODD && d.there) {
        d.odd = odd;
        d.is_text = odd.n && odd.p[0] == '"';
        d.readable = declared_number(odd, &d.value);
    }
    return d;
}

struct declared declared_total_size(const numel_checkpoint *ck)
{
    const struct shard_index *x = &ck->index;
    return declared_of(x->has_total_size, x->total_size, x->odd_size);
}

struct declared declared_total_parameters(const numel_checkpoint *ck)
{
    const struct shard_index *x = &ck->index;
    const struct metadata_entry *e = metadata_find(&ck->metadata, "total_parameters");
    if (ck->index_path) return declared_of(x->has_total_parameters, x->total_parameters, x->odd_parameters);
    struct declared d = { .there = e && e->type == META_STRING };
    if (!d.there) return d;
    d.is_text = true; /* as all values in __metadata__ */
    d.odd = e->value.s;
    d.readable = declared_number(e->value.s, &d.value);
    return d;
}

/* declared.c -- see declared.h. */
#include "reader/declared.h"

#include "base/num.h"
#include "base/text.h"

/* ---- numbers ------------------------------------------------------------------------------ */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Digits with a point among them: the number without it, and how many stand behind it. */
static bool digits_of(numel_str s, size_t *at, uint64_t *v, uint64_t *places)
{
    bool point = false, any = false;
    for (; *at < s.n && (is_digit(s.p[*at]) || (s.p[*at] == '.' && !point)); ++*at) {
        if (s.p[*at] == '.') {
            point = true;
            continue;
        }
        any = true;
        *places += point;
        if (!num_mul(v, *v, 10) || !num_add(v, *v, (uint64_t)(s.p[*at] - '0'))) return false;
    }
    return any;
}

/* "e9", "E+9"; 0 when there is none. */
static uint64_t exponent_of(numel_str s, size_t *at)
{
    enum { MOST = 100 };
    uint64_t power = 0;
    if (*at >= s.n || (s.p[*at] != 'e' && s.p[*at] != 'E')) return 0;
    if (++*at < s.n && s.p[*at] == '+') ++*at;
    for (; *at < s.n && is_digit(s.p[*at]) && power < MOST; ++*at)
        power = power * 10 + (uint64_t)(s.p[*at] - '0');
    return power;
}

bool declared_number(numel_str s, uint64_t *v)
{
    uint64_t places = 0;
    size_t at = 0;
    *v = 0;
    if (s.n >= 2 && s.p[0] == '"') s = (numel_str){ s.p + 1, s.n - 2 };
    if (!digits_of(s, &at, v, &places)) return false;
    uint64_t power = exponent_of(s, &at);
    if (at < s.n) return false;
    for (; power > places; power--)
        if (!num_mul(v, *v, 10)) return false;
    for (; places > power; places--, *v /= 10)
        if (*v % 10) return false;
    return true;
}

bool declared_leading(numel_str s, uint64_t *v)
{
    size_t i = 0, digits = 0;
    *v = 0;
    while (i < s.n && (s.p[i] == '"' || s.p[i] == ' ' || s.p[i] == '+')) i++;
    for (; i < s.n && s.p[i] >= '0' && s.p[i] <= '9'; i++, digits++)
        if (!num_mul(v, *v, 10) || !num_add(v, *v, (uint64_t)(s.p[i] - '0'))) return false;
    return digits > 0;
}

/* ---- where they stand --------------------------------------------------------------------- */

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
    d.is_text = true; /* as all values there are */
    d.odd = e->value.s;
    d.readable = declared_number(e->value.s, &d.value);
    return d;
}

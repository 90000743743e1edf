/*
 * patterns.c -- a hash table of patterns, keyed by the text between the numbers. Similar names are usually
 * consecutive in files, so the pattern that followed last time is tried first; most names are compared once
 * and never hashed.
 */
#include "registry/patterns.h"

#include "base/hash.h"
#include "base/text.h"

enum { SMALLEST_TABLE = 64 };

void patterns_init(struct patterns *p, const numel_allocator *memory)
{
    *p = (struct patterns){ .memory = memory };
}

void patterns_done(struct patterns *p)
{
    memory_release(p->memory, p->items);
    memory_release(p->memory, p->of);
    memory_release(p->memory, p->table);
    patterns_init(p, p->memory);
}

/* ---- a name ------------------------------------------------------------------------------- */

static bool is_digit(char c) { return (unsigned char)(c - '0') < 10; }
static bool is_edge(char c) { return c == '.' || c == '_'; }

enum { SAFE_DIGITS = 9 }; /* numbers with so few digits are below PATTERN_NUMBER */

static bool is_too_large(numel_str digits)
{
    uint64_t value = 0;
    for (size_t i = 0; i < digits.n && value <= PATTERN_NUMBER; i++)
        value = value * 10 + (uint64_t)(digits.p[i] - '0');
    return value > PATTERN_NUMBER;
}

/* Like pattern_number(), after an edge. */
static inline size_t number_behind_edge(numel_str name, size_t at)
{
    size_t end = at;
    while (end < name.n && is_digit(name.p[end])) end++;
    size_t n = end - at;
    if (n == 0 || (n > 1 && name.p[at] == '0') || (end < name.n && !is_edge(name.p[end]))) return 0;
    return n > SAFE_DIGITS && is_too_large(text_slice(name, at, end)) ? 0 : n;
}

size_t pattern_number(numel_str name, size_t at)
{
    return at == 0 || is_edge(name.p[at - 1]) ? number_behind_edge(name, at) : 0;
}

/* True if an edge is possible here: also the end of the part, or a star. */
static bool may_be_edge(numel_str part, size_t at)
{
    return at >= part.n || is_edge(part.p[at]) || part.p[at] == '*';
}

bool pattern_asks_number(numel_str part)
{
    for (size_t i = 0, end; i < part.n; i = end) {
        for (end = i; end < part.n && is_digit(part.p[end]);) end++;
        if (end > i && (i == 0 || may_be_edge(part, i - 1)) && may_be_edge(part, end)) return true;
        end += end == i;
    }
    return false;
}

static bool is_part(numel_str name, size_t at, size_t digits)
{
    return (at == 0 || name.p[at - 1] == '.') && (at + digits == name.n || name.p[at + digits] == '.');
}

/* True if the number ends its part of the name and follows an underscore. */
static bool may_be_name(numel_str name, size_t at, size_t digits)
{
    return at > 0 && name.p[at - 1] == '_' && (at + digits == name.n || name.p[at + digits] == '.');
}

static void take_apart(struct pattern *x, uint64_t seed)
{
    numel_str name = x->sample;
    size_t from = 0;
    x->hash = seed;
    x->dotted = true;
    for (size_t i = 0; i < name.n && i <= UINT16_MAX && x->slots < PATTERN_SLOTS;) {
        size_t n = is_digit(name.p[i]) ? pattern_number(name, i) : 0;
        if (!n) {
            i++;
            continue;
        }
        x->named |= may_be_name(name, i, n);
        x->dotted &= is_part(name, i, n);
        x->at[x->slots] = (uint16_t)i;
        x->digits[x->slots++] = (uint8_t)n;
        x->hash = hash_bytes(name.p + from, i - from, x->hash);
        from = i += n;
    }
    numel_str rest = text_from(name, from);
    x->hash = hash_bytes(rest.p, rest.n, x->hash);
}

/* True if the name has that pattern. */
static inline bool has(const struct pattern *x, numel_str name)
{
    size_t from = 0;
    for (unsigned k = 0; k < x->slots; k++) {
        size_t n = (size_t)x->at[k] - from;
        if (name.n < n || !text_bytes_same(name.p, x->sample.p + from, n)) return false;
        name = text_from(name, n);
        size_t digits = number_behind_edge(name, 0);
        if (!digits) return false;
        name = text_from(name, digits);
        from = (size_t)x->at[k] + x->digits[k];
    }
    numel_str rest = text_from(x->sample, from);
    return name.n == rest.n && text_bytes_same(name.p, rest.p, rest.n);
}

/* ---- the table ---------------------------------------------------------------------------- */

/* The place of an equal pattern, or the empty place for this one. */
static uint32_t *place_of(const struct patterns *p, const struct pattern *x)
{
    size_t mask = p->table_size - 1, s = (size_t)x->hash & mask;
    while (p->table[s]) {
        const struct pattern *y = &p->items[p->table[s] - 1];
        if (y == x || (y->hash == x->hash && y->slots == x->slots && has(y, x->sample))) break;
        s = (s + 1) & mask;
    }
    return &p->table[s];
}

NUMEL_MUST static bool grow_table(struct patterns *p, numel_error *e)
{
    size_t size = p->table_size ? p->table_size * 2 : SMALLEST_TABLE;
    if (p->table_size / 2 > p->count) return true;
    uint32_t *table = memory_resize(p->memory, NULL, size * sizeof *table);
    if (!table) return error_nomem(e);
    if (!p->table) p->seed = hash_seed(table);
    memset(table, 0, size * sizeof *table);
    memory_release(p->memory, p->table);
    p->table = table;
    p->table_size = size;
    for (size_t i = 0; i < p->count; i++) *place_of(p, &p->items[i]) = (uint32_t)i + 1;
    return true;
}

NUMEL_MUST static bool find(struct patterns *p, numel_str name, uint32_t *found, numel_error *e)
{
    void *items = p->items;
    if (!grow_table(p, e) || !memory_grow(p->memory, &items, &p->cap, p->count + 1, sizeof *p->items, e))
        return false;
    p->items = items;
    struct pattern *x = &p->items[p->count];
    *x = (struct pattern){ .sample = name, .first = (uint32_t)p->entered, .next = (uint32_t)p->count };
    take_apart(x, p->seed);
    uint32_t *place = place_of(p, x);
    if (!*place) *place = (uint32_t)++p->count;
    *found = *place - 1;
    return true;
}

uint32_t patterns_find(const struct patterns *p, numel_str name)
{
    struct pattern x = { .sample = name };
    if (!p->table) return UINT32_MAX;
    take_apart(&x, p->seed);
    return *place_of(p, &x) - 1; /* 0 means empty */
}

void pattern_numbers(const struct pattern *x, numel_str name, uint32_t *out)
{
    size_t behind = 0, at = 0;
    for (unsigned k = 0; k < x->slots; k++) {
        at += x->at[k] - behind;
        behind = (size_t)x->at[k] + x->digits[k];
        for (out[k] = 0; at < name.n && is_digit(name.p[at]); at++)
            out[k] = out[k] * 10 + (uint32_t)(name.p[at] - '0');
    }
}

bool patterns_reserve(struct patterns *p, size_t n, numel_error *e)
{
    void *of = p->of;
    if (!memory_grow(p->memory, &of, &p->of_cap, p->entered + n, sizeof *p->of, e)) return false;
    p->of = of;
    return true;
}

bool patterns_enter(struct patterns *p, numel_str name, numel_error *e)
{
    uint32_t last = p->entered ? p->of[p->entered - 1] : 0, x = p->count ? p->items[last].next : 0;
    if (p->entered == p->of_cap && !patterns_reserve(p, 1, e)) return false;
    if (!p->count || x >= p->count || !has(&p->items[x], name)) {
        if (!find(p, name, &x, e)) return false;
        p->items[p->entered ? last : x].next = x;
    }
    p->items[x].count++;
    p->of[p->entered++] = x;
    return true;
}

/* Removes patterns in reverse order, which restores the table's previous state. */
void patterns_leave(struct patterns *p, size_t count)
{
    while (p->entered > count) {
        struct pattern *x = &p->items[p->of[--p->entered]];
        if (--x->count) continue;
        *place_of(p, x) = 0;
        p->count--;
    }
}

/*
 * find_pattern.c -- sets by their file names: model-00003-of-00012.safetensors is one of twelve.
 *
 * A name may promise up to 999,999 files at no cost to its writer. So a set is built from the files in the
 * folder's list, never by counting through the numbers: the gaps between them are the missing shards. All
 * names of a folder are sorted once, by family, number and place; each run of one family is a set.
 */
#include "reader/find_internal.h"

#include "base/num.h"
#include "base/text.h"

#include <stdlib.h>

struct member { /* a file that belongs to a set */
    struct shard_name n;
    size_t entry;
    unsigned place; /* plain, header-only copy, zstd: the first that exists counts */
};

struct family {
    size_t from, to; /* members */
    size_t first;    /* its first free entry */
};

static unsigned place_of(numel_str name)
{
    return text_ends(name, ".head.zst") ? 1 : text_ends(name, ".zst") ? 2 : 0;
}

static int by_family(const struct shard_name *a, const struct shard_name *b)
{
    int way = text_bytes(a->prefix, b->prefix);
    if (!way) way = text_bytes(a->suffix, b->suffix);
    if (!way) way = num_order(a->total, b->total);
    if (!way) way = num_order(a->total_digits, b->total_digits);
    return way ? way : num_order(a->number_digits, b->number_digits);
}

static int by_number(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    int way = by_family(&x->n, &y->n);
    if (!way) way = num_order(x->n.rank, y->n.rank);
    if (!way) way = num_order(x->n.number, y->n.number);
    return way ? way : num_order(x->place, y->place);
}

/* The folder's files whose names are patterns; only those of `only`'s family, unless it is NULL. */
static bool gather(struct finding_sets *g, const struct folder *f, const struct shard_name *only,
                   struct member **out, size_t *count)
{
    size_t cap = 0;
    *count = 0;
    *out = NULL;
    for (size_t i = 0; i < f->count; i++) {
        numel_str name = f->entries[i].name;
        struct member m = { .entry = i, .place = place_of(name) };
        bool weights = g->pytorch ? name_is_pytorch(name) : name_is_weights(name);
        if (f->entries[i].directory || !weights || !shard_name_parse(plain_name(name), &m.n) ||
            (only && by_family(&m.n, only) != 0))
            continue;
        if (!memory_grow(g->arena->memory, out, &cap, *count + 1, sizeof m, g->error)) {
            memory_release(g->arena->memory, *out);
            return false;
        }
        (*out)[(*count)++] = m;
    }
    if (*count) qsort(*out, *count, sizeof **out, by_number);
    return true;
}

/* The name of a shard of this family. */
NUMEL_MUST static numel_str name_of(struct arena *a, const struct shard_name *n, uint64_t number)
{
    char *middle = arena_format(a, "%0*" PRIu64 "-of-%0*" PRIu64, (int)n->number_digits, number,
                                (int)n->total_digits, n->total);
    return middle ? arena_join(a, n->prefix, text_of(middle), n->suffix) : (numel_str){ NULL, 0 };
}

NUMEL_MUST static bool add_absent(struct finding_sets *g, struct found_set *s, const struct shard_name *n,
                                  uint64_t from, uint64_t to)
{
    for (; from < to; from++) {
        numel_str name = name_of(g->arena, n, from);
        if (!name.p) return error_nomem(g->error);
        if (!find_add_file(g, s, name, NULL)) return false;
    }
    return true;
}

static size_t numbers_of(const struct member *m, size_t n)
{
    size_t numbers = 0;
    for (size_t i = 0; i < n; i++) numbers += i == 0 || m[i].n.number != m[i - 1].n.number;
    return numbers;
}

NUMEL_MUST static bool add_members(struct finding_sets *g, const char *dir, const struct folder *f,
                                   const struct member *m, size_t n, const char *heading)
{
    bool ranks = m->n.rank; /* a rank with nothing to write leaves no file, so none is promised */
    struct found_set *s = find_add_set(g, ranks ? FOUND_RANKS : FOUND_PATTERN, heading, dir);
    uint64_t next = 1, absent = ranks ? 0 : m->n.total - numbers_of(m, n);
    bool listed = !ranks && absent <= ABSENT_LISTED;
    if (!s) return false;
    if (!listed) s->absent = absent;
    for (size_t i = 0; i < n; i++) {
        uint64_t number = m[i].n.number;
        numel_str name = f->entries[m[i].entry].name;
        if (i && m[i].n.rank == m[i - 1].n.rank && number == m[i - 1].n.number) continue; /* a copy */
        char *at = path_join(g->arena, dir, name);
        if (!at) return error_nomem(g->error);
        if (listed && !add_absent(g, s, &m->n, next, number)) return false;
        if (!find_add_file(g, s, plain_name(name), at)) return false;
        next = number + 1;
    }
    return !listed || add_absent(g, s, &m->n, next, m->n.total + 1);
}

bool find_add_pattern(struct finding_sets *g, const char *dir, const struct folder *f,
                      const struct shard_name *n, const char *heading, bool *done)
{
    struct member *members;
    size_t count;
    if (!gather(g, f, n, &members, &count)) return false;
    *done = count > 0;
    bool ok = !count || add_members(g, dir, f, members, count, heading);
    memory_release(g->arena->memory, members);
    return ok;
}

/* ---- a folder ----------------------------------------------------------------------------- */

static int by_first(const void *a, const void *b)
{
    return num_order(((const struct family *)a)->first, ((const struct family *)b)->first);
}

/* One run per family, except those without a free file. */
static struct family *families_of(struct finding_sets *g, const struct member *m, size_t n, const bool *taken,
                                  size_t *count)
{
    struct family *list = memory_resize(g->arena->memory, NULL, n * sizeof *list);
    *count = 0;
    if (!list) {
        error_nomem(g->error);
        return NULL;
    }
    for (size_t i = 0, to; i < n; i = to) {
        struct family one = { .from = i, .first = SIZE_MAX };
        for (to = i; to < n && by_family(&m[to].n, &m[i].n) == 0; to++)
            if (!taken[m[to].entry] && m[to].entry < one.first) one.first = m[to].entry;
        one.to = to;
        if (one.first != SIZE_MAX) list[(*count)++] = one;
    }
    if (*count) qsort(list, *count, sizeof *list, by_first);
    return list;
}

NUMEL_MUST static bool add_families(struct finding_sets *g, const char *dir, const struct folder *f,
                                    const struct member *members, const struct family *list, size_t n,
                                    bool *taken)
{
    for (size_t i = 0; i < n; i++) {
        char *path = path_join(g->arena, dir, f->entries[list[i].first].name);
        if (!path) return error_nomem(g->error);
        if (!add_members(g, dir, f, members + list[i].from, list[i].to - list[i].from, path)) return false;
        for (size_t k = list[i].from; k < list[i].to; k++) taken[members[k].entry] = true;
    }
    return true;
}

bool find_add_patterns(struct finding_sets *g, const char *dir, const struct folder *f, bool *taken)
{
    struct member *members;
    size_t count, n;
    if (!gather(g, f, NULL, &members, &count)) return false;
    if (!count) return true;
    struct family *list = families_of(g, members, count, taken, &n);
    bool ok = list && add_families(g, dir, f, members, list, n, taken);
    memory_release(g->arena->memory, list);
    memory_release(g->arena->memory, members);
    return ok;
}

/* ---- missing shards ----------------------------------------------------------------------- */

struct gaps {
    uint64_t first, last, runs;
    numel_str said;
    struct arena *arena;
};

enum { RUNS_SAID = 8 };

static bool add_gap(struct gaps *a, uint64_t from, uint64_t to)
{
    if (from > to) return true;
    if (!a->runs) a->first = from;
    a->last = to;
    if (++a->runs > RUNS_SAID + 1) return true;
    const char *between = a->runs > 1 ? ", " : "";
    const char *text = a->runs > RUNS_SAID ? ", ..."
                       : from == to        ? arena_format(a->arena, "%s%" PRIu64, between, from)
                                    : arena_format(a->arena, "%s%" PRIu64 " to %" PRIu64, between, from, to);
    numel_str all = text ? arena_append(a->arena, a->said, text_of(text)) : (numel_str){ NULL, 0 };
    if (all.p) a->said = all;
    return all.p != NULL;
}

bool found_absent(const struct found_set *s, struct arena *a, numel_str *first, numel_str *last,
                  const char **runs, numel_error *e)
{
    struct shard_name n = { .number = 0 };
    struct gaps gaps = { .arena = a };
    uint64_t next = 1;
    bool ok = true;
    *first = s->absent_first;
    *last = s->absent_last;
    *runs = "";
    if (s->kind != FOUND_PATTERN) return true;
    for (size_t i = 0; ok && i < s->count && shard_name_parse(s->files[i].name, &n); i++) {
        ok = add_gap(&gaps, next, n.number - 1);
        next = n.number + 1;
    }
    ok = ok && add_gap(&gaps, next, n.total);
    *first = name_of(a, &n, gaps.first);
    *last = name_of(a, &n, gaps.last);
    *runs = gaps.said.p;
    return (ok && first->p && last->p) || error_nomem(e);
}

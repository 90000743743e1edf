/* shard_index.c -- a shard index, one function per production of its grammar. */
#include "reader/shard_index.h"

#include "base/num.h"
#include "base/number.h"
#include "base/text.h"

struct indexing {
    struct json_scan scan;
    struct shard_index *x;
    struct arena *arena;
    bool map_seen;
};

/* Keeps a string from json_unescape(): with escapes it is already a copy. */
NUMEL_MUST static bool keep(struct indexing *g, struct json_text text, numel_str *s)
{
    if (!text.escaped) s->p = arena_copy(g->arena, s->p, s->n);
    return s->p || error_nomem(g->scan.error);
}

/* A repeated name keeps the index of its first line and gets the shard of its last. */
static void repeat(struct shard_index *x, uint32_t known, uint32_t shard)
{
    x->shards[x->tensors[known].shard].tensors--;
    x->tensors[known].shard = shard;
    x->shards[shard].tensors++;
    x->repeated++;
}

static bool shard_number(struct indexing *g, struct json_text text, uint32_t *number)
{
    struct shard_index *x = g->x;
    struct arena_mark before = arena_mark(g->arena);
    numel_str name;
    if (!json_unescape(&g->scan, g->arena, text, &name)) return false;
    *number = names_find(&x->by_shard, x->shards, name);
    if (*number != NAMES_ABSENT) arena_rewind(g->arena, before);
    if (*number != NAMES_ABSENT) return true;
    if (!keep(g, text, &name) || !memory_grow(g->arena->memory, &x->shards, &x->shard_cap, x->shard_count + 1,
                                              sizeof *x->shards, g->scan.error))
        return false;
    x->shards[x->shard_count] = (struct index_shard){ .name = name };
    if (!names_reserve(&x->by_shard, x->shard_count + 1, g->scan.error)) return false;
    *number = names_enter(&x->by_shard, x->shards, x->shard_count++);
    return true;
}

NUMEL_MUST static bool add_line(struct indexing *g, const struct index_tensor *t)
{
    struct shard_index *x = g->x;
    size_t n = x->tensor_count;
    if (n == NAMES_ABSENT - 1 ||
        !memory_grow(g->arena->memory, &x->tensors, &x->tensor_cap, n + 1, sizeof *t, g->scan.error))
        return error_set(g->scan.error, NUMEL_E_LIMIT, NUMEL_NOWHERE, "too many tensors");
    x->tensors[n] = *t;
    if (!names_reserve(&x->by_tensor, n + 1, g->scan.error)) return false;
    names_enter(&x->by_tensor, x->tensors, n);
    x->tensor_count++;
    x->shards[t->shard].tensors++;
    return true;
}

NUMEL_MUST static bool read_line(struct indexing *g)
{
    struct shard_index *x = g->x;
    struct json_text key, value;
    struct index_tensor t = { .shard = 0 };
    struct arena_mark before = arena_mark(g->arena);
    if (!json_key(&g->scan, &key) || !json_string(&g->scan, &value) ||
        !json_unescape(&g->scan, g->arena, key, &t.name))
        return false;
    uint32_t known = names_find(&x->by_tensor, x->tensors, t.name);
    if (known != NAMES_ABSENT) arena_rewind(g->arena, before);
    else if (!keep(g, key, &t.name)) return false;
    if (!shard_number(g, value, &t.shard)) return false;
    if (known == NAMES_ABSENT) return add_line(g, &t);
    repeat(x, known, t.shard);
    return true;
}

static bool read_map(struct indexing *g)
{
    g->map_seen = true;
    if (!json_open(&g->scan, '{')) return false;
    while (json_more(&g->scan, '}'))
        if (!read_line(g)) return false;
    return json_ok(&g->scan);
}

/* Reads an exact integer; of anything else, keeps the text. */
NUMEL_MUST static bool read_number(struct indexing *g, uint64_t *value, enum index_number *has,
                                   numel_str *odd)
{
    enum { KEPT = 64 };
    struct json_scan *s = &g->scan;
    (void)json_peek(s);
    uint64_t at = s->at, end;
    if (!json_skip(s)) return false;
    end = s->at;
    numel_str text = text_span((const char *)s->base + at, (const char *)s->base + end);
    *has = number_plain(text, value) ? INDEX_EXACT : INDEX_ODD;
    if (*has == INDEX_EXACT) return true;
    size_t n = (size_t)num_min(end - at, KEPT);
    *odd = (numel_str){ arena_copy(g->arena, s->base + at, n), n };
    return odd->p || error_nomem(s->error);
}

static bool read_metadata(struct indexing *g)
{
    struct json_text key;
    if (json_peek(&g->scan) != '{') return json_skip(&g->scan);
    if (!json_open(&g->scan, '{')) return false;
    while (json_member(&g->scan, &key)) {
        bool ok;
        if (text_equal(key.raw, "total_size"))
            ok = read_number(g, &g->x->total_size, &g->x->has_total_size, &g->x->odd_size);
        else if (text_equal(key.raw, "total_parameters"))
            ok = read_number(g, &g->x->total_parameters, &g->x->has_total_parameters, &g->x->odd_parameters);
        else ok = json_skip(&g->scan);
        if (!ok) return false;
    }
    return json_ok(&g->scan);
}

bool shard_index_read(struct shard_index *x, const uint8_t *p, uint64_t n, struct arena *a, numel_error *e)
{
    struct indexing g = { .x = x, .arena = a };
    struct json_text key;
    *x = (struct shard_index){ .bytes = n };
    names_init(&x->by_tensor, a->memory, sizeof *x->tensors);
    names_init(&x->by_shard, a->memory, sizeof *x->shards);
    json_start(&g.scan, p, n, 0, e);
    if (json_open(&g.scan, '{'))
        while (json_member(&g.scan, &key))
            if (!(text_equal(key.raw, "weight_map") ? read_map(&g)
                  : text_equal(key.raw, "metadata") ? read_metadata(&g)
                                                    : json_skip(&g.scan)))
                break;
    (void)json_peek(&g.scan); /* white space at the end */
    x->end = g.scan.at;
    if (json_ok(&g.scan) && !g.map_seen)
        error_set(e, NUMEL_E_FORMAT, 0, "is JSON without a weight_map, so not a shard index");
    return json_ok(&g.scan);
}

void shard_index_done(struct shard_index *x)
{
    const numel_allocator *m = x->by_tensor.memory;
    if (!m) return;
    memory_release(m, x->tensors);
    memory_release(m, x->shards);
    names_done(&x->by_tensor);
    names_done(&x->by_shard);
    *x = (struct shard_index){ 0 };
}

/*
 * single.c -- splits tensors into components: first finds each tensor's prefix, then the components, then
 * makes a checkpoint for each, which borrows its names from the whole one.
 */
#include "components/single.h"

#include "base/text.h"
#include "reader/slice.h"
#include "source/folder.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS_MOST = 64 }; /* components in a file; a file with more prefixes is not split */

struct split {
    const struct registry *all;
    struct arena *arena;
    struct single_part parts[PARTS_MOST];
    size_t count;
    uint32_t *part;    /* by tensor: its part */
    numel_str *bare;   /* by tensor: its name in the part */
    uint64_t steps;    /* length of the schedule; 0 if there is none */
    bool wrapped;      /* everything of interest is under `wrapper` */
    bool strong, full; /* has a prefix that only such files have; has more prefixes than PARTS_MOST */
    numel_error *error;
};

/* ---- which component ---------------------------------------------------------------------- */

static size_t part_of(struct split *s, const struct prefix *prefix, enum single_kind kind, numel_str key)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->parts[i].kind == kind && s->parts[i].prefix == prefix && text_same(s->parts[i].key, key))
            return i;
    s->full |= s->count == PARTS_MOST;
    if (s->full) return 0;
    s->parts[s->count] = (struct single_part){ .prefix = prefix, .kind = kind, .key = key, .variant = "" };
    return s->count++;
}

/* Some programs save their whole input, which has all weights under one key. */
static const char wrapper[] = "state_dict.";

static bool is_wrapped(const struct registry *all)
{
    return all->count && text_starts(all->tensors[0].name, wrapper);
}

/* The tensor under its name without the wrapper; the name is empty if the tensor is outside. */
static numel_tensor unwrapped(const struct split *s, const numel_tensor *t)
{
    numel_tensor own = *t;
    if (!s->wrapped) return own;
    size_t n = text_starts(t->name, wrapper) ? sizeof wrapper - 1 : t->name.n;
    own.name = text_from(t->name, n);
    return own;
}

static bool is_scheduled(const struct split *s, const numel_tensor *t)
{
    return t->ndim == 1 && single_beside_kind(unwrapped(s, t).name) == SINGLE_SCHEDULE;
}

/* The length of the schedule: that of most of its tensors, or the usual one if few are present. */
static uint64_t steps_of(const struct split *s)
{
    const struct registry *all = s->all;
    uint64_t steps = 1000;
    size_t most = 1;
    for (size_t i = 0; i < all->count; i++) {
        const numel_tensor *t = &all->tensors[i];
        size_t same = 0;
        if ((t->flags & NUMEL_REPEATED) || !is_scheduled(s, t)) continue;
        for (size_t k = 0; k < all->count; k++) {
            const numel_tensor *x = &all->tensors[k];
            same += is_scheduled(s, x) && x->dims[0] == t->dims[0];
        }
        if (same > most) most = same, steps = t->dims[0];
    }
    return steps;
}

static void place(struct split *s, size_t i)
{
    const numel_tensor t = unwrapped(s, &s->all->tensors[i]);
    numel_str key = { t.name.p, 0 };
    const struct prefix *prefix = NULL;
    s->bare[i] = t.name.n ? t.name : s->all->tensors[i].name;
    bool beside = single_beside(&t, s->steps);
    if (single_beside_kind(t.name) == SINGLE_UNKNOWN)
        prefix = single_prefix_of(s->all, t.name, &key, &s->bare[i]);
    if (prefix) s->strong |= prefix->sure;
    enum single_kind kind = prefix ? prefix->kind : beside ? SINGLE_BUFFERS : SINGLE_UNKNOWN;
    s->part[i] = (uint32_t)part_of(s, prefix, kind, key);
}

/* ---- copies ------------------------------------------------------------------------------- */

/* In averaged weights, "input_blocks.0.0.bias" becomes "input_blocks00bias", after "diffusion_model". */
struct undotted {
    numel_str name; /* first, as names.h requires */
    numel_str bare;
};

NUMEL_MUST static bool undot(struct split *s, struct undotted *u, numel_str bare)
{
    static const char front[] = "diffusion_model";
    char *p = arena_alloc(s->arena, sizeof front + bare.n);
    if (!p) return error_nomem(s->error);
    struct fixed text = fixed_of(p, sizeof front + bare.n);
    fixed_text(&text, front);
    for (size_t i = 0; i < bare.n; i++)
        if (bare.p[i] != '.') fixed_char(&text, bare.p[i]);
    *u = (struct undotted){ fixed_str(&text), bare };
    return true;
}

/* Gives averaged weights the names of the originals. */
NUMEL_MUST static bool name_copies(struct split *s)
{
    struct names by_name;
    size_t n = 0;
    bool any = false;
    for (size_t i = 0; i < s->count; i++) any |= s->parts[i].kind == SINGLE_EMA;
    if (!any) return true;
    struct undotted *all = arena_alloc(s->arena, (s->all->count + 1) * sizeof *all);
    if (!all) return error_nomem(s->error);
    for (size_t i = 0; i < s->all->count; i++)
        if (s->parts[s->part[i]].kind == SINGLE_DIFFUSION && !undot(s, &all[n++], s->bare[i])) return false;
    names_init(&by_name, s->arena->memory, sizeof *all);
    bool ok = names_reserve(&by_name, n, s->error);
    for (size_t i = 0; ok && i < n; i++) names_enter(&by_name, all, i);
    for (size_t i = 0; ok && i < s->all->count; i++) {
        if (s->parts[s->part[i]].kind != SINGLE_EMA) continue;
        uint32_t at = names_find(&by_name, all, s->bare[i]);
        if (at != NAMES_ABSENT) s->bare[i] = all[at].bare;
    }
    names_done(&by_name);
    return ok;
}

/* ---- names and order ---------------------------------------------------------------------- */

static int by_table(const void *a, const void *b)
{
    const struct single_part *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->prefix != y->prefix) return x->prefix < y->prefix ? -1 : 1;
    bool numbers = text_is_number(x->key) && text_is_number(y->key); /* 10 comes after 9 */
    if (numbers && x->key.n != y->key.n) return x->key.n < y->key.n ? -1 : 1;
    return text_bytes(x->key, y->key);
}

/* Sets the name: "text_encoder", "text_encoder_2"; or the key, if the prefix has no name. */
NUMEL_MUST static bool name_part(struct split *s, size_t i)
{
    struct single_part *p = &s->parts[i];
    unsigned same = 1;
    if (p->kind == SINGLE_EMA) p->variant = "ema";
    if (!p->prefix) {
        p->name = p->kind == SINGLE_BUFFERS ? "buffers" : "unexplained";
        return true;
    }
    for (size_t k = 0; k < i; k++)
        same += s->parts[k].prefix && s->parts[k].kind == p->kind &&
                strcmp(s->parts[k].prefix->name, p->prefix->name) == 0;
    if (!p->prefix->name[0]) p->name = arena_text(s->arena, p->key.p, p->key.n);
    else if (same > 1) p->name = arena_format(s->arena, "%s_%u", p->prefix->name, same);
    else p->name = p->prefix->name;
    return p->name || error_nomem(s->error);
}

/* Sorts the parts in the order of the table; tensors follow. */
NUMEL_MUST static bool order_parts(struct split *s)
{
    uint32_t moved[PARTS_MOST];
    struct single_part before[PARTS_MOST];
    for (size_t i = 0; i < s->count && i < PARTS_MOST; i++) before[i] = s->parts[i];
    qsort(s->parts, s->count, sizeof *s->parts, by_table);
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < s->count; k++)
            if (by_table(&before[i], &s->parts[k]) == 0) moved[i] = (uint32_t)k;
    for (size_t i = 0; i < s->all->count; i++) s->part[i] = moved[s->part[i]];
    for (size_t i = 0; i < s->count; i++)
        if (!name_part(s, i)) return false;
    return true;
}

/* ---- checkpoints -------------------------------------------------------------------------- */

NUMEL_MUST static bool slice_parts(struct single_parts *p, struct split *s)
{
    for (size_t i = 0; i < s->count; i++) {
        struct single_part *x = &s->parts[i];
        const char *name = x->variant[0] ? arena_format(&p->arena, "%s.%s", x->name, x->variant) : x->name;
        if (!name) return error_nomem(s->error);
        struct slice slice = { p->whole, s->part, (uint32_t)i, s->bare, name };
        bool ok = checkpoint_slice(&x->ck, &slice, s->error);
        p->items[i] = *x;
        p->count = i + 1;
        p->models += x->prefix != NULL;
        if (!ok) return false;
    }
    return true;
}

/* Decides if the file contains several models. Prefixes that other models may have only count if
 * everything has one and there is no configuration. */
NUMEL_MUST static bool is_single(const struct split *s, const numel_checkpoint *ck, struct arena *a, bool *is,
                                 numel_error *e)
{
    bool rest = false, any = false;
    *is = false;
    for (size_t i = 0; i < s->count; i++) {
        rest |= s->parts[i].kind == SINGLE_UNKNOWN;
        any |= s->parts[i].prefix != NULL;
    }
    if (!any || s->full || (rest && !s->strong)) return true;
    char *config = ck->dir && !s->strong ? path_join(a, ck->dir, text_of("config.json")) : NULL;
    if (ck->dir && !s->strong && !config) return error_nomem(e);
    *is = !config || path_kind(config) != PATH_FILE;
    return true;
}

NUMEL_MUST static bool split(struct single_parts *p, struct split *s, bool *is)
{
    size_t n = s->all->count;
    s->part = arena_alloc(s->arena, (n + 1) * sizeof *s->part);
    s->bare = arena_alloc(s->arena, (n + 1) * sizeof *s->bare);
    if (!s->part || !s->bare) return error_nomem(s->error);
    s->wrapped = is_wrapped(s->all);
    s->steps = steps_of(s);
    for (size_t i = 0; i < n; i++) place(s, i);
    if (!is_single(s, p->whole, s->arena, is, s->error)) return false;
    if (!*is) return true;
    p->items = arena_alloc(s->arena, s->count * sizeof *p->items);
    if (!p->items) return error_nomem(s->error);
    return name_copies(s) && order_parts(s) && slice_parts(p, s);
}

bool single_may(const numel_checkpoint *ck)
{
    const struct patterns *all = &ck->registry.patterns;
    const struct split s = { .all = &ck->registry, .wrapped = is_wrapped(&ck->registry) };
    bool any = false;
    for (size_t i = 0; !any && i < all->count; i++) {
        numel_str key, bare, name = unwrapped(&s, &ck->registry.tensors[all->items[i].first]).name;
        any = single_prefix_of(s.all, name, &key, &bare) != NULL;
    }
    return any;
}

bool single_open(struct single_parts **out, const numel_checkpoint *whole, const numel_allocator *m,
                 numel_error *e)
{
    bool is = false;
    *out = NULL;
    if (!whole->file_count || whole->part || whole->config) return true;
    struct single_parts *p = memory_resize(m, NULL, sizeof *p);
    if (!p) return error_nomem(e);
    *p = (struct single_parts){ .whole = whole };
    arena_init(&p->arena, m);
    struct split *s = arena_alloc(&p->arena, sizeof *s);
    if (s) *s = (struct split){ .all = &whole->registry, .arena = &p->arena, .error = e };
    bool ok = s ? split(p, s, &is) : error_nomem(e);
    if (ok && is) return *out = p, true;
    single_close(p);
    return ok;
}

void single_close(struct single_parts *p)
{
    if (!p) return;
    for (size_t i = 0; i < p->count; i++) numel_free(p->items[i].ck);
    const numel_allocator *m = p->arena.memory;
    arena_done(&p->arena);
    memory_release(m, p);
}

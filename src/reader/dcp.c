/*
 * dcp.c -- tensors that ranks wrote in slices, as torch.distributed.checkpoint saves them in safetensors.
 *
 * The metadata of such a file has DCP_SHARDING_INFO, a JSON text {"NAME": {"saved_offsets": [24, 0]}}: where
 * in the whole tensor this file's slice begins, along each dimension; a file without it begins at 0. No file
 * has the size of the whole tensor: it ends where its last slice ends. So only the configuration reveals a
 * slice missing at the end; any other gap shows here: slices of one name must be adjacent along the first
 * dimension, and those with the same rows along the next. Ranks without rows write an empty slice.
 */
#include "reader/checkpoint.h"

#include "base/json_scan.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { DIMS_JOINED = 8 };

struct piece {
    const numel_tensor *t;
    const uint64_t *at; /* where it begins; NULL: its file does not state it */
    uint32_t first;     /* index of the first tensor of its name */
};

struct joiner {
    numel_checkpoint *ck;
    const uint64_t **offsets; /* of each tensor; NULL: 0, or see `unsaid` */
    bool *unsaid;             /* of each file: it has the key, so a tensor not in it is an omission */
    bool *dropped;            /* of each tensor: joined into another */
    struct piece *pieces;
    size_t count, joined, slices;
    numel_error *error;
};

/* ---- reading a file's offsets ------------------------------------------------------------- */

/* [24, 0]: one per dimension of the tensor; NULL for any other count. */
NUMEL_MUST static bool read_offsets(struct joiner *j, struct json_scan *s, const numel_tensor *t,
                                    const uint64_t **out)
{
    uint64_t *at = t ? arena_alloc(&j->ck->arena, (t->ndim + (size_t)1) * sizeof *at) : NULL;
    uint32_t n = 0;
    if (t && !at) return error_nomem(j->error);
    if (!json_open(s, '[')) return false;
    while (json_more(s, ']')) {
        uint64_t v;
        if (!json_u64(s, &v, "an offset")) return false;
        if (t && n < t->ndim) at[n] = v;
        n += n < UINT32_MAX;
    }
    *out = t && n == t->ndim ? at : NULL;
    return json_ok(s);
}

static bool read_tensor(struct joiner *j, struct json_scan *s, const numel_tensor *t, const uint64_t **out)
{
    struct json_text key;
    if (!json_open(s, '{')) return false;
    while (json_member(s, &key))
        if (!(text_equal(key.raw, "saved_offsets") ? read_offsets(j, s, t, out) : json_skip(s))) return false;
    return json_ok(s);
}

static bool read_all(struct joiner *j, struct json_scan *s, const struct names *names,
                     const numel_tensor *tensors)
{
    struct json_text key;
    const uint64_t *ignored;
    if (!json_open(s, '{')) return false;
    while (json_member(s, &key)) {
        struct arena_mark before = arena_mark(&j->ck->arena);
        numel_str name;
        if (!json_unescape(s, &j->ck->arena, key, &name)) return false;
        uint32_t i = names_find(names, tensors, name);
        arena_rewind(&j->ck->arena, before);
        const numel_tensor *t = i == NAMES_ABSENT ? NULL : &tensors[i];
        if (!read_tensor(j, s, t, t ? &j->offsets[t - j->ck->registry.tensors] : &ignored)) return false;
    }
    return json_finish(s);
}

NUMEL_MUST static bool read_file(struct joiner *j, uint32_t number, numel_str text)
{
    const numel_file *f = &j->ck->files[number];
    const numel_tensor *tensors = registry_from(&j->ck->registry, f->first_tensor);
    numel_error why = { 0 };
    struct json_scan s;
    struct names names;
    error_clear(&why);
    j->unsaid[number] = true;
    names_init_at(&names, j->ck->arena.memory, sizeof *tensors, offsetof(numel_tensor, name));
    bool ok = names_reserve(&names, (size_t)f->tensors, j->error);
    for (size_t i = 0; ok && i < f->tensors; i++) names_enter(&names, tensors, i);
    json_start(&s, text.p, text.n, 0, &why);
    if (ok && !read_all(j, &s, &names, tensors)) {
        ok = why.code != NUMEL_E_NOMEM && error_free(j->error);
        findings_add(&j->ck->findings, FINDING_SLICE_UNSAID, f->path, NO_TENSOR, NUMEL_NOWHERE,
                     "DCP_SHARDING_INFO cannot be read: at byte %" PRIu64 " %.200s", why.offset, why.what);
    }
    names_done(&names);
    return ok || error_nomem(j->error);
}

static bool tells(const numel_checkpoint *ck, const struct metadata_entry *x)
{
    return x->type == META_STRING && text_equal(x->key, "DCP_SHARDING_INFO") &&
           ck->files[x->file].format == NUMEL_SAFETENSORS;
}

NUMEL_MUST static bool read_files(struct joiner *j)
{
    const struct metadata *m = &j->ck->metadata;
    for (size_t i = 0; i < m->count; i++)
        if (tells(j->ck, &m->entries[i]) && !read_file(j, m->entries[i].file, m->entries[i].value.s))
            return false;
    return true;
}

/* ---- adjacent slices ---------------------------------------------------------------------- */

/* Empty slices come after the others of their name. */
static int by_place(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    int way = num_order(x->first, y->first);
    if (!way) way = num_order(x->t->elements == 0, y->t->elements == 0);
    if (!way) way = num_order(x->at != NULL, y->at != NULL);
    for (uint32_t d = 0; !way && x->at && d < x->t->ndim && d < y->t->ndim; d++)
        way = num_order(x->at[d], y->at[d]);
    if (!way) way = num_order(x->t->ndim, y->t->ndim);
    return way ? way : num_order((uintptr_t)x->t, (uintptr_t)y->t);
}

static void refuse(const struct joiner *j, const struct piece *p, enum finding_rule rule, uint32_t dim,
                   uint64_t is, uint64_t other)
{
    char name[TEXT_QUOTE];
    bool gap = rule == FINDING_SLICE_GAP;
    findings_add(&j->ck->findings, rule, j->ck->files[p->t->file].path, p->t->name, p->t->offset,
                 "slices of %s %s along dimension %u: they reach %" PRIu64 ", %s %" PRIu64,
                 text_quote(name, p->t->name), gap ? "leave a gap" : "overlap", dim, is,
                 gap ? "and continue at" : "and another begins or ends at", other);
}

/* Do they tile the whole without gaps from 0, along dimension `d` and those after it? Depth is at most
 * DIMS_JOINED. */
static bool tile(const struct joiner *j, const struct piece *p, size_t n, const uint64_t *whole, uint32_t d)
{
    uint64_t reached = 0;
    if (d == p->t->ndim && n > 1)
        refuse(j, &p[1], FINDING_SLICE_OVERLAP, 0, p->t->ndim ? p->at[0] + p->t->dims[0] : 1,
               p->t->ndim ? p->at[0] : 0);
    if (d == p->t->ndim) return n == 1;
    for (size_t i = 0, to; i < n; i = to) {
        uint64_t at = p[i].at[d], end = at + p[i].t->dims[d];
        if (at != reached)
            refuse(j, &p[i], at > reached ? FINDING_SLICE_GAP : FINDING_SLICE_OVERLAP, d, reached, at);
        if (at != reached) return false;
        for (to = i; to < n && p[to].at[d] == at; to++) {
            if (p[to].t->dims[d] == p[i].t->dims[d]) continue;
            refuse(j, &p[to], FINDING_SLICE_OVERLAP, d, end, at + p[to].t->dims[d]);
            return false;
        }
        if (!tile(j, p + i, to - i, whole, d + 1)) return false;
        reached = end;
    }
    if (reached < whole[d]) refuse(j, &p[n - 1], FINDING_SLICE_GAP, d, reached, whole[d]);
    return reached == whole[d];
}

static bool measure(const struct piece *p, size_t n, uint64_t *whole)
{
    uint32_t dims = p->t->ndim;
    memset(whole, 0, (dims + (size_t)1) * sizeof *whole);
    for (size_t i = 0; i < n; i++)
        for (uint32_t d = 0; d < dims; d++) {
            uint64_t end;
            if (!num_add(&end, p[i].at[d], p[i].t->dims[d])) return false;
            whole[d] = num_max(whole[d], end);
        }
    return true;
}

/* Checks each slice by itself, and whether they all agree. */
static bool are_alike(const struct joiner *j, const struct piece *p, size_t n)
{
    char name[TEXT_QUOTE];
    for (size_t i = 0; i < n; i++) {
        const numel_tensor *t = p[i].t;
        const char *path = j->ck->files[t->file].path;
        if (t->ndim != p->t->ndim || t->dtype != p->t->dtype) {
            findings_add(&j->ck->findings, FINDING_SLICE_DIFFERS, path, t->name, t->offset,
                         "one slice of %s is %s with %u dimensions, another %s with %u",
                         text_quote(name, t->name), t->dtype->name, t->ndim, p->t->dtype->name, p->t->ndim);
            return false;
        }
        if (!p[i].at || t->ndim > DIMS_JOINED) {
            findings_add(&j->ck->findings, FINDING_SLICE_UNSAID, path, t->name, t->offset,
                         "DCP_SHARDING_INFO does not state where %s of %u dimensions begins",
                         text_quote(name, t->name), t->ndim);
            return false;
        }
    }
    return true;
}

NUMEL_MUST static bool join(struct joiner *j, const struct piece *p, size_t n)
{
    numel_tensor *t = &j->ck->registry.tensors[p->first];
    uint64_t *whole = arena_alloc(&j->ck->arena, (DIMS_JOINED + 1) * sizeof *whole);
    uint64_t elements = 0, bytes = 0;
    if (!whole) return error_nomem(j->error);
    size_t some = are_alike(j, p, n) ? n : 0;
    while (some && !p[some - 1].t->elements) some--;
    if (!some || !measure(p, some, whole) || !tile(j, p, some, whole, 0)) return true;
    if (n == 1) return true; /* all of it */
    for (size_t i = 0; i < n; i++)
        if (!num_add(&elements, elements, p[i].t->elements) || !num_add(&bytes, bytes, p[i].t->bytes))
            return error_set(j->error, NUMEL_E_OVERFLOW, NUMEL_NOWHERE,
                             "the elements of the slices of a tensor do not fit in 64 bits");
    for (size_t i = 0; i < n; i++) j->dropped[p[i].t - j->ck->registry.tensors] = p[i].t != t;
    t->dims = whole;
    t->elements = elements;
    t->bytes = bytes;
    t->offset = NUMEL_NOWHERE;
    j->joined++;
    j->slices += n;
    return true;
}

NUMEL_MUST static bool join_all(struct joiner *j)
{
    static const uint64_t origin[DIMS_JOINED]; /* of tensors whose file has no offsets */
    const struct registry *r = &j->ck->registry;
    for (size_t i = 0; i < r->count; i++) {
        const numel_tensor *t = &r->tensors[i], *first = registry_find(r, t->name);
        const uint64_t *at = j->offsets[i];
        if (!at && !j->unsaid[t->file] && t->ndim <= DIMS_JOINED) at = origin;
        j->pieces[j->count++] = (struct piece){ t, at, (uint32_t)(first - r->tensors) };
    }
    if (j->count) qsort(j->pieces, j->count, sizeof *j->pieces, by_place);
    for (size_t i = 0, to; i < j->count; i = to) {
        for (to = i + 1; to < j->count && j->pieces[to].first == j->pieces[i].first;) to++;
        if (!join(j, j->pieces + i, to - i)) return false;
    }
    return true;
}

/* ---- removing joined slices --------------------------------------------------------------- */

NUMEL_MUST static bool compact(struct joiner *j)
{
    struct registry *r = &j->ck->registry;
    size_t n = 0, total = r->count;
    registry_rollback(r, 0);
    for (size_t i = 0; i < j->ck->file_count; i++) j->ck->files[i].tensors = 0;
    for (size_t i = 0; i < total; i++) {
        if (j->dropped[i]) continue;
        numel_file *f = &j->ck->files[r->tensors[i].file];
        if (!f->tensors++) f->first_tensor = n;
        r->tensors[n] = r->tensors[i];
        r->tensors[n++].flags &= ~(uint64_t)NUMEL_REPEATED;
    }
    r->count = n;
    return registry_commit_firsts(r, j->error);
}

bool dcp_join(numel_checkpoint *ck, numel_error *e)
{
    struct joiner j = { .ck = ck, .error = e };
    size_t n = ck->registry.count;
    bool any = false;
    for (size_t i = 0; !any && i < ck->metadata.count; i++) any = tells(ck, &ck->metadata.entries[i]);
    if (!any || !n) return true;
    j.offsets = arena_zeroed(&ck->arena, n * sizeof *j.offsets);
    j.dropped = arena_zeroed(&ck->arena, n);
    j.pieces = arena_alloc(&ck->arena, n * sizeof *j.pieces);
    j.unsaid = arena_zeroed(&ck->arena, ck->file_count + 1);
    if (!j.offsets || !j.dropped || !j.pieces || !j.unsaid) return error_nomem(e);
    if (!read_files(&j) || !join_all(&j)) return false;
    if (!j.joined) return true;
    findings_add(&ck->findings, FINDING_SLICES_JOINED, NULL, NO_TENSOR, NUMEL_NOWHERE,
                 "%zu slices written by ranks form %zu tensors: DCP_SHARDING_INFO", j.slices, j.joined);
    return compact(&j);
}

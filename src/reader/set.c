/*
 * set.c -- checks across the files of a checkpoint: unique names, and the index against the
 * shards in both directions.
 */
#include "reader/checkpoint.h"

#include "base/text.h"
#include "source/folder.h"

#include <string.h>

static const char *file_of(const numel_checkpoint *ck, const numel_tensor *t)
{
    return ck->files[t->file].path;
}

static void check_repeated(numel_checkpoint *ck)
{
    char name[TEXT_QUOTE];
    for (size_t i = 0; i < ck->registry.count; i++) {
        const numel_tensor *t = &ck->registry.tensors[i];
        if (!(t->flags & NUMEL_REPEATED)) continue;
        const numel_tensor *first = registry_find(&ck->registry, t->name);
        findings_add(&ck->findings, FINDING_TENSOR_REPEATED, file_of(ck, t), t->name, t->offset,
                     "tensor %s is also in %s; both are counted", text_quote(name, t->name),
                     file_of(ck, first));
    }
}

static bool same_path(const char *a, const char *b) { return a && strcmp(a, b) == 0; }

/* Each file's shard in the index, or NAMES_ABSENT. */
static uint32_t *shards_of_files(numel_checkpoint *ck, const struct found_set *set, bool **present)
{
    uint32_t *shard = arena_alloc(&ck->arena, ck->file_count * sizeof *shard);
    *present = arena_zeroed(&ck->arena, ck->index.shard_count + 1);
    if (!shard || !*present) return NULL;
    for (size_t i = 0, k = 0; i < ck->file_count; i++, k++) {
        while (k < set->count && !same_path(set->files[k].path, ck->files[i].path)) k++;
        numel_str name = k < set->count ? set->files[k].name : (numel_str){ "", 0 };
        shard[i] = names_find(&ck->index.by_shard, ck->index.shards, name);
        if (shard[i] != NAMES_ABSENT) (*present)[shard[i]] = true;
    }
    return shard;
}

struct indexed { /* the state of set_index() */
    numel_checkpoint *ck;
    uint32_t *shard;           /* of each file */
    bool *present;             /* of each shard: was it read? */
    struct repeated {          /* a tensor that is also in another file */
        numel_str name;        /* first: see names.h */
        uint32_t tensor, next; /* of the same name */
    } * repeated;
    size_t repeated_count;
    struct names by_repeated;
};

/* Chains tensors of one name, so that finding one in a shard takes as long as its number of files. */
NUMEL_MUST static bool gather_repeated(struct indexed *g, numel_error *e)
{
    const struct registry *r = &g->ck->registry;
    size_t n = 0;
    for (size_t i = 0; i < r->count; i++) n += (r->tensors[i].flags & NUMEL_REPEATED) != 0;
    g->repeated = arena_alloc(&g->ck->arena, n * sizeof *g->repeated);
    if (!g->repeated) return error_nomem(e);
    if (!names_reserve(&g->by_repeated, n, e)) return false;
    for (uint32_t i = 0; i < r->count; i++) {
        size_t k = g->repeated_count;
        if (!(r->tensors[i].flags & NUMEL_REPEATED)) continue;
        g->repeated[k] = (struct repeated){ r->tensors[i].name, i, NAMES_ABSENT };
        uint32_t first = names_enter(&g->by_repeated, g->repeated, k);
        if (first != k) {
            g->repeated[k].next = g->repeated[first].next;
            g->repeated[first].next = (uint32_t)k;
        }
        g->repeated_count++;
    }
    return true;
}

/* Is the tensor, whose first occurrence is `is`, in that shard? */
static bool is_in(const struct indexed *g, const numel_tensor *is, uint32_t shard)
{
    if (g->shard[is->file] == shard) return true;
    uint32_t k = names_find(&g->by_repeated, g->repeated, is->name);
    for (; k != NAMES_ABSENT; k = g->repeated[k].next)
        if (g->shard[g->ck->registry.tensors[g->repeated[k].tensor].file] == shard) return true;
    return false;
}

static void tell_misplaced(numel_checkpoint *ck, const struct index_tensor *t, const numel_tensor *is)
{
    char name[TEXT_QUOTE], shard[TEXT_QUOTE], file[TEXT_QUOTE];
    text_quote(name, t->name);
    text_quote(shard, ck->index.shards[t->shard].name);
    if (is)
        findings_add(&ck->findings, FINDING_TENSOR_MISPLACED, ck->index_path, t->name, NUMEL_NOWHERE,
                     "the index says tensor %s is in %s, but it is in %s", name, shard,
                     text_quote(file, path_base(file_of(ck, is))));
    else
        findings_add(&ck->findings, FINDING_TENSOR_MISSING, ck->index_path, t->name, NUMEL_NOWHERE,
                     "the index says tensor %s is in %s, but it is not there", name, shard);
}

static void check_line(const struct indexed *g, const struct index_tensor *t)
{
    const numel_tensor *is = registry_find(&g->ck->registry, t->name);
    if (is ? !is_in(g, is, t->shard) : g->present[t->shard]) tell_misplaced(g->ck, t, is);
}

/* The index against the shards, in both directions; missing shards were reported already. */
static void check_index(const struct indexed *g)
{
    numel_checkpoint *ck = g->ck;
    const struct shard_index *x = &ck->index;
    char name[TEXT_QUOTE];
    for (size_t i = 0; i < x->tensor_count; i++) check_line(g, &x->tensors[i]);
    for (size_t i = 0; i < ck->registry.count; i++) {
        const numel_tensor *t = &ck->registry.tensors[i];
        if (names_find(&x->by_tensor, x->tensors, t->name) == NAMES_ABSENT)
            findings_add(&ck->findings, FINDING_TENSOR_UNINDEXED, file_of(ck, t), t->name, t->offset,
                         "tensor %s is not in the index: loaders skip it", text_quote(name, t->name));
    }
}

static void check_index_itself(numel_checkpoint *ck)
{
    const struct shard_index *x = &ck->index;
    if (x->repeated)
        findings_add(&ck->findings, FINDING_INDEX_REPEATED, ck->index_path, NO_TENSOR, NUMEL_NOWHERE,
                     "%" PRIu64 " tensors are in the index twice; the last line "
                     "counts",
                     x->repeated);
    if (x->end < x->bytes)
        findings_add(&ck->findings, FINDING_INDEX_TRAILING, ck->index_path, NO_TENSOR, x->end,
                     "the JSON document ends at %" PRIu64 ", %" PRIu64 " bytes follow it (two "
                     "documents in one file?): JSON parsers refuse it",
                     x->end, x->bytes - x->end);
}

static void tell_copies(numel_checkpoint *ck)
{
    size_t copies = 0;
    for (size_t i = 0; i < ck->file_count; i++) copies += ck->files[i].header_only && ck->files[i].tensors;
    if (copies && ck->piped)
        findings_add(&ck->findings, FINDING_DATA_ABSENT, NULL, NO_TENSOR, NUMEL_NOWHERE,
                     "data not checked: read from a pipe");
    else if (copies && ck->remote)
        findings_add(&ck->findings, FINDING_DATA_ABSENT, NULL, NO_TENSOR, NUMEL_NOWHERE,
                     "only headers were fetched: the tensor data was not read");
    else if (copies)
        findings_add(&ck->findings, FINDING_DATA_ABSENT, NULL, NO_TENSOR, NUMEL_NOWHERE,
                     "%s: the tensor data was left out on purpose",
                     ck->file_count == 1        ? "a header-only copy"
                     : copies == ck->file_count ? "header-only copies"
                                                : "some files are header-only copies");
}

void set_check(numel_checkpoint *ck)
{
    tell_copies(ck);
    check_repeated(ck);
}

bool set_index(numel_checkpoint *ck, const struct found_set *set, numel_error *e)
{
    struct indexed g = { .ck = ck };
    check_index_itself(ck);
    if (ck->named) return true;
    g.shard = shards_of_files(ck, set, &g.present);
    if (!g.shard) return error_nomem(e);
    names_init(&g.by_repeated, ck->arena.memory, sizeof *g.repeated);
    bool ok = gather_repeated(&g, e);
    if (ok) check_index(&g);
    names_done(&g.by_repeated);
    return ok;
}

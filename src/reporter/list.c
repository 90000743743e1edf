/*
 * list.c -- numel_list of numel.h. The caller's thread walks the paths, several threads open the checkpoints,
 * and rows come out in the order of the walk.
 *
 * The walk decides whether a checkpoint belongs to this list (its shard, a link to one already reported, done
 * by an earlier run), before anything is opened.
 */
#include "reporter/list_row.h"

#include "base/border.h"
#include "base/num.h"
#include "base/text.h"
#include "content/ordered.h"
#include "content/threads.h"
#include "reader/walk.h"
#include "reporter/list_cache.h"
#include "reporter/list_resume.h"
#include "reporter/list_rows.h"
#include "source/lines.h"

#include <string.h>

struct job {
    struct arena arena; /* memory is NULL until the slot is used */
    struct walk_place *place;
    size_t i;
    numel_row row;
    struct list_stamps stamps;
    bool known; /* the row is from the cache */
    bool nomem;
};

struct numel_list {
    numel_options options; /* without progress, which would be that of single shards */
    numel_progress_fn *progress;
    struct border_listing how;
    struct walk *walk;
    struct ordered *jobs;
    struct list_resume resume;
    struct list_cache cache;
    struct list_rows rows; /* if rows are kept */
    struct wholes wholes;
    numel_error unkept;  /* why a row could not be kept */
    numel_totals totals; /* of rows; updated by the thread that takes them */
    numel_totals done;   /* of an earlier run's rows; updated by the walking thread */
    uint64_t links, resumed, taken;
    bool stopped, nomem, ended;
};

/* ---- one row ------------------------------------------------------------------------------ */

static void make(void *ctx, void *slot)
{
    const struct numel_list *l = ctx;
    struct job *j = slot;
    numel_error why = { .code = NUMEL_OK };
    if (j->row.error || j->known) return;
    j->nomem = !list_row_of(&j->row, walk_found(j->place), j->i, &l->options, l->how.listing.knowledge,
                            &j->arena, &why);
}

void list_count(numel_totals *t, const numel_row *row)
{
    bool parameters = row->parameters != NUMEL_NOT_KNOWN;
    t->failed += row->error != NULL;
    if (row->error) return;
    if (row->files && row->shared == row->files) { /* another name for files already counted */
        t->links++;
        return;
    }
    uint64_t again = row->disk == row->bytes ? num_min(row->repeated, row->bytes) : 0;
    t->checkpoints++;
    t->files += row->files - row->shared;
    t->bytes += row->bytes - again;
    t->disk += row->disk - row->repeated;
    if (parameters) t->parameters += row->parameters;
    else t->stored += row->stored;
    t->unknown += !parameters;
    t->found += row->state >= NUMEL_STATE_INCOMPLETE;
}

NUMEL_MUST static bool take(void *ctx, void *slot)
{
    struct numel_list *l = ctx;
    struct job *j = slot;
    l->nomem |= j->nomem;
    if (j->nomem) return false;
    numel_error lost = { .code = NUMEL_OK };
    bool read = !j->known && !j->row.error;
    if (read && !list_cache_add(&l->cache, walk_found(j->place), j->i, &j->stamps, &j->row, &lost))
        return l->nomem = true, false;
    list_count(&l->totals, &j->row);
    if (l->progress) l->progress(l->options.progress_ctx, ++l->taken, 0, "checkpoints");
    if (l->rows.allocator) return list_rows_add(&l->rows, &j->row, &l->unkept);
    l->stopped = !l->how.listing.row(l->how.listing.row_ctx, &j->row);
    return !l->stopped;
}

static void done(void *ctx, void *slot)
{
    struct job *j = slot;
    (void)ctx;
    if (!j->arena.memory) return;
    walk_release(j->place);
    arena_done(&j->arena);
}

/* Puts the item into a slot. Slots are reused. */
NUMEL_MUST static bool fill(struct numel_list *l, struct job *j, const struct walk_item *x, numel_error *e)
{
    if (!j->arena.memory) arena_init(&j->arena, l->options.allocator);
    walk_release(j->place);
    arena_reset(&j->arena);
    j->place = x->place;
    j->i = x->i;
    j->row = (numel_row){ .size = sizeof j->row,
                          .path = arena_text(&j->arena, x->path, strlen(x->path)),
                          .name = arena_text(&j->arena, x->name.p, x->name.n),
                          .error = x->place ? NULL : arena_copy(&j->arena, &x->error, sizeof x->error),
                          .files = x->files,
                          .disk = x->disk,
                          .repeated = x->repeated,
                          .shared = x->known,
                          .modified = x->changed,
                          .accessed = x->accessed,
                          .id = x->id };
    if (!j->row.path || !j->row.name || (!x->place && !j->row.error)) return error_nomem(e);
    return list_cache_find(&l->cache, x, &j->stamps, &j->row, &j->known, e);
}

/* ---- the list ----------------------------------------------------------------------------- */

NUMEL_MUST static bool open_list(struct numel_list *l, numel_error *e)
{
    numel_work work = { .size = sizeof work, .threads = l->how.listing.threads };
    const numel_listing *how = &l->how.listing;
    bool kept = how->kept || how->sort || how->top;
    numel_error ignored, *why = how->cache_error ? how->cache_error : &ignored;
    error_clear(why);
    wholes_init(&l->wholes, &l->options, how->knowledge);
    return (!kept || list_rows_begin(&l->rows, how, l->options.allocator, e)) &&
           list_cache_open(&l->cache, how, &l->options, why, e) &&
           list_resume_open(&l->resume, l->how.listing.resume, l->how.listing.appends, l->options.allocator,
                            e) &&
           walk_open(&l->walk, l->how.listing.full_names, &l->options, e) &&
           ordered_open(&l->jobs, threads_size(&work), sizeof(struct job), make, take, done, l,
                        l->options.allocator, e);
}

numel_rc numel_list_open(numel_list **out, const numel_listing *how, const numel_options *options,
                         numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    numel_options own;
    *out = NULL;
    if (!border_options(&own, options, e)) return e->code;
    struct numel_list *l = memory_resize(own.allocator, NULL, sizeof *l);
    if (!l) return error_nomem(e), e->code;
    *l = (struct numel_list){ .options = own, .progress = own.progress, .totals = NUMEL_INIT(numel_totals) };
    l->options.progress = NULL;
    if (border_listing(&l->how, how, e) && open_list(l, e)) *out = l;
    else numel_list_free(l);
    return e->code;
}

void numel_list_free(numel_list *l)
{
    if (!l) return;
    const numel_allocator *m = l->options.allocator;
    ordered_close(l->jobs);
    list_rows_done(&l->rows);
    list_cache_done(&l->cache);
    wholes_done(&l->wholes);
    walk_close(l->walk);
    if (l->resume.memory) list_resume_done(&l->resume);
    memory_release(m, l);
}

/* Sets the reason why the list accepts no more rows. Always returns false. */
NUMEL_MUST static bool ended(struct numel_list *l, numel_error *e)
{
    if (l->nomem) return error_nomem(e);
    if (!error_free(&l->unkept)) return *e = l->unkept, false;
    return error_set(e, NUMEL_E_STOPPED, NUMEL_NOWHERE, "no more rows are wanted");
}

static bool is_ours(const struct numel_list *l, const struct walk_item *x)
{
    const numel_listing *how = &l->how.listing;
    if (how->since && x->place && x->changed < how->since) return false;
    return !how->shards || x->id % how->shards == how->shard - 1;
}

/* Counts a row of an earlier run. `x` shows which of its files this run has already met; if NULL, the
 * earlier run's own numbers are used. */
static void count_done(struct numel_list *l, struct done_row *d, const struct walk_item *x)
{
    static const numel_error failed = { .code = NUMEL_E_IO };
    numel_row row = { .bytes = d->bytes == NUMEL_NOT_KNOWN ? 0 : d->bytes,
                      .disk = d->disk == NUMEL_NOT_KNOWN ? 0 : d->disk,
                      .stored = d->stored == NUMEL_NOT_KNOWN ? 0 : d->stored,
                      .parameters = d->parameters,
                      .files = d->files,
                      .state = (numel_state)d->state,
                      .error = d->failed ? &failed : NULL };
    uint64_t repeated = x ? x->repeated : d->repeated, shared = x ? x->known : d->shared;
    if (repeated <= row.disk && shared <= row.files) row.repeated = repeated, row.shared = shared;
    d->met = true;
    l->resumed++;
    list_count(&l->done, &row);
}

/* Has an earlier run done this item? Not if its size has changed. */
NUMEL_MUST static bool is_done(struct numel_list *l, const struct walk_item *x, bool *is, numel_error *e)
{
    struct done_row *d;
    *is = false;
    if (!list_resume_find(&l->resume, x->path, x->id, &d, e)) return false;
    if (!d || d->met) return true;
    bool same = d->failed == !x->place || d->failed;
    if (x->place && !d->failed && d->disk != NUMEL_NOT_KNOWN) same = d->disk == x->disk;
    if (same) count_done(l, d, x);
    else d->met = d->stale = true;
    *is = same;
    return true;
}

NUMEL_MUST static bool give(struct numel_list *l, const struct walk_item *x, numel_error *e)
{
    bool ours = is_ours(l, x), link = x->again && !x->named, is = false;
    if (ours && link) l->links++;
    else if (ours && !is_done(l, x, &is, e)) return walk_release(x->place), false;
    if (ours && !link && !wholes_add(&l->wholes, x, e)) return walk_release(x->place), false;
    if (!ours || link || is) return walk_release(x->place), true;
    struct job *j = ordered_slot(l->jobs);
    if (!j) return walk_release(x->place), ended(l, e);
    if (!fill(l, j, x, e)) return false;
    ordered_give(l->jobs);
    return true;
}

numel_rc numel_list_path(numel_list *l, const char *path, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    struct walk_item x;
    bool more = true;
    if (!walk_begin(l->walk, path, e)) return e->code;
    while (more && walk_next(l->walk, &x, &more, e))
        if (more && !give(l, &x, e)) break;
    return e->code;
}

numel_rc numel_list_from(numel_list *l, const char *file, bool zero, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    struct lines lines;
    const char *line;
    if (!lines_open(&lines, file, zero, l->options.allocator, e)) return e->code;
    while (lines_next(&lines, &line, e) && line)
        if (line[0] && numel_list_path(l, line, e) != NUMEL_OK) break;
    lines_close(&lines);
    error_file(e, file);
    return e->code;
}

/* Counts rows of an earlier run that these paths do not lead to. */
static void count_rest(struct numel_list *l)
{
    for (size_t i = 0; i < l->resume.count; i++)
        if (!l->resume.rows[i].met) count_done(l, &l->resume.rows[i], NULL);
}

/* A cache that cannot be written fails no list. NOMEM. */
NUMEL_MUST static bool save_cache(struct numel_list *l, numel_error *e)
{
    numel_error why = { .code = NUMEL_OK };
    if (list_cache_save(&l->cache, &why)) return true;
    if (why.code == NUMEL_E_NOMEM) return error_nomem(e);
    if (l->how.listing.cache_error) *l->how.listing.cache_error = why;
    return true;
}

numel_rc numel_list_end(numel_list *l, numel_totals *out, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    ordered_wait(l->jobs);
    if ((l->stopped || l->nomem || !error_free(&l->unkept)) && !ended(l, e)) return e->code;
    if (!save_cache(l, e)) return e->code;
    if (l->rows.allocator && !list_rows_each(&l->rows, l->how.listing.row, l->how.listing.row_ctx, e))
        return e->code;
    count_rest(l);
    numel_totals t = l->totals;
    t.checkpoints += l->done.checkpoints;
    t.files += l->done.files;
    t.bytes += l->done.bytes;
    t.disk += l->done.disk;
    t.parameters += l->done.parameters;
    t.stored += l->done.stored;
    t.unknown += l->done.unknown;
    t.failed += l->done.failed;
    t.found += l->done.found;
    t.links += l->done.links + l->links;
    t.resumed = l->resumed;
    return BORDER_GIVE(numel_totals, out, &t, e) ? NUMEL_OK : e->code;
}

struct list_rows *list_kept(numel_list *l, numel_error *e)
{
    if (l->rows.allocator) return &l->rows;
    error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "this list keeps no rows: see numel_listing.kept");
    return NULL;
}

struct wholes *list_wholes(numel_list *l) { return &l->wholes; }

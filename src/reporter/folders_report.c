/*
 * folders_report.c -- the report of `numel list --totals N`: what the checkpoints in folders come to, those of each
 * folder down to a depth, with all that is below it.
 *
 * A folder is made when the first checkpoint in it arrives, its parents before it, so they come in the order of
 * the walk. A file that several checkpoints share through links counts once, in the folder that the walk meets
 * first.
 */
#include "base/border.h"
#include "base/names.h"
#include "base/num.h"
#include "base/text.h"
#include "page/report.h"
#include "reader/find.h"
#include "reporter/list_rows.h"
#include "source/folder.h"

struct folder_total {
    numel_str path;
    numel_totals of;
};

struct folders {
    struct numel_report *report;
    const char **roots;
    size_t root_count;
    unsigned depth;
    struct names by_path;
    struct folder_total *items;
    size_t count, cap;
    const numel_listing *how;
    numel_totals sum;
    const char *total;
    numel_error error;
};

/* ---- adding up ---------------------------------------------------------------------------- */

NUMEL_MUST static bool add_to(struct folders *f, numel_str path, const numel_row *row)
{
    size_t before = f->count;
    uint32_t at = names_add(&f->by_path, &f->items, &f->count, &f->cap, path, &f->report->arena, &f->error);
    if (at == NAMES_ABSENT) return false;
    if (f->count > before) f->items[at].of = (numel_totals)NUMEL_INIT(numel_totals);
    list_count(&f->items[at].of, row);
    return true;
}

/* The listed path that the row was found below; the row's own folder if there is none, as for a remote one. */
static const char *root_of(const struct folders *f, const char *dir)
{
    for (size_t i = 0; i < f->root_count; i++)
        if (strcmp(f->roots[i], ".") != 0 &&
            (strcmp(f->roots[i], dir) == 0 || path_below(f->roots[i], dir)[0]))
            return f->roots[i];
    for (size_t i = 0; i < f->root_count; i++)
        if (strcmp(f->roots[i], ".") == 0) return f->roots[i];
    return dir;
}

/* Adds the row to its folder and to those above it. */
NUMEL_MUST static bool add_row(struct folders *f, const numel_row *row, struct arena *a)
{
    const char *at = arena_text(a, row->path, strlen(row->path));
    if (at && path_kind(at) != PATH_DIRECTORY) at = path_directory(a, at);
    if (!at) return error_nomem(&f->error);
    const char *root = root_of(f, at);
    numel_str all = text_of(at), below = text_of(strcmp(root, at) == 0 ? "" : path_below(root, at));
    if (!add_to(f, text_of(root), row)) return false;
    for (unsigned d = 0; d < f->depth && below.n; d++) {
        numel_str one = text_cut(&below, '/');
        if (!add_to(f, text_span(all.p, one.p + one.n), row)) return false;
    }
    return true;
}

static bool take_row(void *ctx, const numel_row *row)
{
    struct folders *f = ctx;
    struct arena scratch;
    if (row->error) return f->how->row(f->how->row_ctx, row);
    arena_init(&scratch, f->report->arena.memory);
    bool ok = add_row(f, row, &scratch);
    arena_done(&scratch);
    return ok;
}

/* "ollama:" stands for a folder. */
NUMEL_MUST static bool find_roots(struct folders *f, const char *const *paths, size_t n,
                                  const numel_options *options, numel_error *e)
{
    f->roots = arena_alloc(&f->report->arena, (n + 1) * sizeof *f->roots);
    if (!f->roots) return error_nomem(e);
    for (size_t i = 0; i < n; i++) {
        numel_error none = { .code = NUMEL_OK }; /* the list reports it */
        const char *at = NULL;
        (void)!find_root(&f->report->arena, options, paths[i], &at, &none);
        if (none.code == NUMEL_E_NOMEM) return error_nomem(e);
        f->roots[f->root_count] =
            arena_text(&f->report->arena, at ? at : paths[i], strlen(at ? at : paths[i]));
        if (!f->roots[f->root_count++]) return error_nomem(e);
    }
    return true;
}

NUMEL_MUST static bool list_all(struct folders *f, const char *const *paths, size_t n, numel_totals *totals,
                                const numel_options *options, numel_error *e)
{
    numel_listing how = *f->how;
    numel_list *list;
    how.row = take_row;
    how.row_ctx = f;
    how.full_names = true;
    how.kept = false;
    bool ok = numel_list_open(&list, &how, options, e) == NUMEL_OK;
    for (size_t i = 0; i < n && ok; i++) ok = numel_list_path(list, paths[i], e) == NUMEL_OK;
    ok = ok && numel_list_end(list, totals, e) == NUMEL_OK;
    numel_list_free(list);
    if (!error_free(&f->error)) *e = f->error;
    return ok;
}

/* ---- the report --------------------------------------------------------------------------- */

static void folder_row(struct table_row *at, struct cell *c)
{
    const struct folder_total *x = at->item;
    if (!x->of.parameters && x->of.unknown) c[5].kind = CELL_NULL;
}

static const struct table folder_table = TABLE(
    "folders", NULL, SECTION_LIST, TABLE_HEADED | TABLE_CSV, folder_row,
    { "path", "folder", COLUMN_NAME, AT(CELL_STR, struct folder_total, path) },
    { "checkpoints", "checkpoints", COLUMN_RIGHT | COLUMN_RANK(9),
      AT(CELL_COUNT, struct folder_total, of.checkpoints) },
    { "files", "files", COLUMN_RIGHT | COLUMN_RANK(6), AT(CELL_COUNT, struct folder_total, of.files) },
    { "bytes", "size", COLUMN_RIGHT | COLUMN_BAR, AT(CELL_BYTES, struct folder_total, of.bytes) },
    { "disk_bytes", "on disk", COLUMN_RIGHT | COLUMN_RANK(7), AT(CELL_BYTES, struct folder_total, of.disk) },
    { "parameters", "parameters", COLUMN_RIGHT | COLUMN_RANK(8),
      AT(CELL_SHORT, struct folder_total, of.parameters) },
    { "found", "damaged or incomplete", COLUMN_RIGHT | COLUMN_RANK(5),
      AT(CELL_COUNT, struct folder_total, of.found) });

static const struct table total_table =
    TABLE(NULL, NULL, SECTION_FIELDS, 0, NULL, { NULL, "total", 0, AT(CELL_TEXT, struct folders, total) },
          { "checkpoints", NULL, 0, AT(CELL_COUNT, struct folders, sum.checkpoints) },
          { "files", NULL, 0, AT(CELL_COUNT, struct folders, sum.files) },
          { "bytes", NULL, 0, AT(CELL_BYTES, struct folders, sum.bytes) },
          { "disk_bytes", NULL, 0, AT(CELL_BYTES, struct folders, sum.disk) },
          { "links", NULL, 0, AT(CELL_COUNT, struct folders, sum.links) },
          { "failed", NULL, 0, AT(CELL_COUNT, struct folders, sum.failed) });

static void done(void *ctx)
{
    struct folders *f = ctx;
    names_done(&f->by_path);
    memory_release(f->report->arena.memory, f->items);
}

NUMEL_MUST static bool fill(struct folders *f, const char *const *paths, size_t n, numel_totals *totals,
                            const numel_options *options, numel_error *e)
{
    struct numel_report *r = f->report;
    if (!find_roots(f, paths, n, options, e) || !list_all(f, paths, n, totals, options, e)) return false;
    if (!(f->total = list_total_text(&r->arena, totals))) return error_nomem(e);
    r->quiet = totals->disk;
    r->in_part = totals->failed > 0;
    f->sum = *totals;
    report_list(r, &folder_table, ROWS(f->items, f->count), f);
    report_one(r, &total_table, f)->is.title = f->count ? "" : NULL;
    return true;
}

numel_rc numel_report_folders(numel_report **out, const char *const *paths, size_t n, unsigned depth,
                              const numel_listing *how, numel_totals *totals, const numel_options *options,
                              numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    numel_options own;
    struct border_listing listing;
    numel_totals sum = NUMEL_INIT(numel_totals);
    *out = NULL;
    if (!border_options(&own, options, e) || !border_listing(&listing, how, e)) return e->code;
    *out = report_new(own.allocator, "numel.folders/1", e);
    struct folders *f = *out ? arena_zeroed(&(*out)->arena, sizeof *f) : NULL;
    if (!f) return error_nomem(e), report_made(out, false, e);
    f->report = *out;
    f->depth = depth;
    f->how = &listing.listing;
    error_clear(&f->error);
    names_init(&f->by_path, own.allocator, sizeof *f->items);
    (*out)->done = done;
    (*out)->done_ctx = f;
    bool ok = fill(f, paths, n, &sum, &own, e);
    f->how = NULL; /* it is the caller's */
    return report_made(out, ok && BORDER_GIVE(numel_totals, totals, &sum, e), e);
}

/*
 * duplicates_report.c -- the report of `numel list --duplicates`: files with the same bytes, then checkpoints of
 * one architecture and number of parameters, which may be one model in several formats.
 */
#include "base/border.h"
#include "base/num.h"
#include "base/text.h"
#include "page/report.h"
#include "reporter/duplicates.h"
#include "reporter/variants.h"

struct twins {
    struct duplicates found;
    struct numel_report *report;
    struct variants variants;
    const char *total;
    numel_error error;
};

static const char *const spaces[] = { "first", "copy", "hard_link", "symlink", "reflink", "copy" };
static const char *const space_texts[] = {
    "", "copy", "hard link", "symlink", "reflink", "copy, or reflink"
};

/* ---- variants ----------------------------------------------------------------------------- */

NUMEL_MUST static bool take_row(void *ctx, const numel_row *row)
{
    struct twins *t = ctx;
    return variants_add(&t->variants, row, &t->error);
}

NUMEL_MUST static bool find_variants(struct twins *t, const char *const *paths, size_t n,
                                     const numel_options *options, numel_error *e)
{
    const numel_listing how = {
        .size = sizeof how, .row = take_row, .row_ctx = t, .threads = 1, .full_names = true
    };
    numel_list *list;
    numel_totals totals = NUMEL_INIT(numel_totals);
    bool ok = numel_list_open(&list, &how, options, e) == NUMEL_OK;
    for (size_t i = 0; i < n && ok; i++) ok = numel_list_path(list, paths[i], e) == NUMEL_OK;
    ok = ok && numel_list_end(list, &totals, e) == NUMEL_OK;
    numel_list_free(list);
    if (!error_free(&t->error)) *e = t->error;
    return ok && variants_group(&t->variants, e);
}

/* ---- tables ------------------------------------------------------------------------------- */

static void duplicate_row(struct table_row *at, struct cell *c)
{
    const struct place *p = at->item;
    c[0] = CELL_S(text_of(p->files > 1 ? p->of : p->path));
    c[5] = CELL_T(spaces[p->space]);
    c[6] = CELL_T(space_texts[p->space]);
    c[7] = CELL_T(p->whole ? "sha256" : "samples");
    if (!p->saved) c[8].kind = CELL_NULL;
    c[9] = CELL_U(CELL_BYTES, p->saved);
    c[10] = CELL_U(CELL_BOOL, p->space != SPACE_UNKNOWN);
}

static const struct table duplicate_table =
    TABLE("duplicates", "The same bytes", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, duplicate_row,
          { "path", "path", COLUMN_NAME, MADE }, { "name", NULL, 0, AT(CELL_STR, struct place, name) },
          { "group", "group", COLUMN_RIGHT, AT(CELL_COUNT, struct place, group) },
          { "files", "files", COLUMN_RIGHT | COLUMN_RANK(6), AT(CELL_COUNT, struct place, files) },
          { "bytes", "size", COLUMN_RIGHT | COLUMN_RANK(9), AT(CELL_BYTES, struct place, bytes) },
          { "space", NULL, 0, MADE }, { NULL, "is a", COLUMN_RANK(12), MADE },
          { "compared", "compared by", COLUMN_RANK(7), MADE },
          { NULL, "saves", COLUMN_RIGHT | COLUMN_RANK(10), AT(CELL_BYTES, struct place, saved) },
          { "saved_bytes", NULL, 0, MADE }, { "blocks_known", NULL, 0, MADE });

static void variant_row(struct table_row *at, struct cell *c)
{
    static const char *const words[] = { "size", "base", "name" };
    const struct variant *x = at->item;
    c[8] = CELL_T(words[x->same]);
    c[9] = CELL_T(x->same == SAME_SIZE ? "size only" : words[x->same]);
    if (x->same == SAME_SIZE) c[10].kind = CELL_NULL;
}

static const struct table variant_table = TABLE(
    "variants", "The same architecture and parameters, stored in several ways; values not compared",
    SECTION_LIST, TABLE_HEADED | TABLE_FILLED, variant_row,
    { "path", NULL, 0, AT(CELL_STR, struct variant, path) },
    { "name", "name", COLUMN_NAME, AT(CELL_STR, struct variant, name) },
    { "group", "group", COLUMN_RIGHT, AT(CELL_COUNT, struct variant, group) },
    { "architecture", "architecture", COLUMN_RANK(8), AT(CELL_STR, struct variant, architecture) },
    { "parameters", "parameters", COLUMN_RIGHT | COLUMN_RANK(9), AT(CELL_SHORT, struct variant, parameters) },
    { "format", "format", COLUMN_RANK(6), AT(CELL_TEXT, struct variant, format) },
    { "quantization", "quantization", COLUMN_RANK(12), AT(CELL_STR, struct variant, quantization) },
    { "bytes", "size", COLUMN_RIGHT, AT(CELL_BYTES, struct variant, bytes) }, { "same", NULL, 0, MADE },
    { NULL, "same", COLUMN_RANK(13), MADE }, { "shared", NULL, 0, AT(CELL_STR, struct variant, shared) });

static const struct table total_table =
    TABLE(NULL, NULL, SECTION_FIELDS, 0, NULL, { NULL, "total", 0, AT(CELL_TEXT, struct twins, total) },
          { "files", NULL, 0, AT(CELL_COUNT, struct twins, found.files) },
          { "bytes_read", NULL, 0, AT(CELL_BYTES, struct twins, found.read) },
          { "saved_bytes", NULL, 0, AT(CELL_BYTES, struct twins, found.saved) },
          { "sampled_bytes", NULL, 0, AT(CELL_BYTES, struct twins, found.sampled) },
          { "failed", NULL, 0, AT(CELL_COUNT, struct twins, found.failed) });

NUMEL_MUST static bool add_total(struct twins *t, numel_error *e)
{
    const struct duplicates *d = &t->found;
    const struct cell saved = CELL_U(CELL_BYTES, d->saved), came = CELL_U(CELL_BYTES, d->read);
    struct buffer b;
    char n[TEXT_COUNT];
    buffer_init(&b, t->report->arena.memory);
    text_cell(&b, &saved);
    buffer_format(&b, " could be saved, in %s", text_count(n, d->groups, "group"));
    if (d->sampled) {
        const struct cell sampled = CELL_U(CELL_BYTES, d->sampled);
        buffer_text(&b, d->sampled < d->saved ? ", " : ", all");
        if (d->sampled < d->saved) text_cell(&b, &sampled);
        buffer_text(&b, " of it by samples (--hash compares all bytes)");
    }
    buffer_format(&b, "; %s, of which ", text_count(n, d->files, "file"));
    text_cell(&b, &came);
    buffer_text(&b, " were read");
    if (d->failed) buffer_format(&b, "; %s could not be read", text_count(n, d->failed, "path"));
    t->total = buffer_keep(&b, &t->report->arena);
    return t->total || error_nomem(e);
}

static void done(void *ctx)
{
    struct twins *t = ctx;
    duplicates_done(&t->found);
    variants_done(&t->variants);
}

numel_rc numel_report_duplicates(numel_report **out, const char *const *paths, size_t n, bool hash,
                                 const numel_options *options, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    numel_options own;
    *out = NULL;
    if (!border_options(&own, options, e)) return e->code;
    *out = report_new(own.allocator, "numel.duplicates/1", e);
    struct twins *t = *out ? arena_zeroed(&(*out)->arena, sizeof *t) : NULL;
    if (!t) return error_nomem(e), report_made(out, false, e);
    t->report = *out;
    error_clear(&t->error);
    variants_init(&t->variants, own.allocator);
    (*out)->done = done;
    (*out)->done_ctx = t;
    if (!duplicates_find(&t->found, paths, n, hash, &own, e) || !find_variants(t, paths, n, &own, e) ||
        !add_total(t, e))
        return report_made(out, false, e);
    (*out)->quiet = t->found.saved;
    (*out)->in_part = t->found.failed > 0;
    report_list(*out, &duplicate_table, ROWS(t->found.places, t->found.count), t);
    report_list(*out, &variant_table, ROWS(t->variants.items, t->variants.count), t);
    report_one(*out, &total_table, t)->is.title = t->found.count || t->variants.count ? "" : NULL;
    return report_made(out, true, e);
}

/*
 * leftovers_report.c -- the report of `numel list --leftovers`: what takes space but is not a model.
 *
 * With -q it is the paths of the files that may be deleted, for xargs. A path that starts with '-' is written as
 * ./-, so that no program takes it for an option.
 */
#include "base/border.h"
#include "base/num.h"
#include "base/text.h"
#include "page/report.h"
#include "reader/leftovers.h"

#include <string.h>

struct left {
    struct leftovers found;
    struct numel_report *report;
    uint64_t bytes, free; /* of all, and of those that may be deleted */
    const char *total;
};

static const char *const kinds[LEFTOVER_KINDS] = { "partial_download", "blob", "revision", "lfs_pointers",
                                                   "empty_folder" };
static const char *const kind_texts[LEFTOVER_KINDS] = { "partial download", "unused blob", "revision",
                                                        "LFS pointers", "empty folder" };

/* ---- cells -------------------------------------------------------------------------------- */

/* Path i of the files that may be deleted. */
static const char *path_at(const struct leftover *x, size_t i) { return i ? x->also[i - 1] : x->path; }

NUMEL_MUST static const char *paths_json(const struct leftover *x, struct arena *a)
{
    struct buffer b;
    buffer_init(&b, a->memory);
    buffer_char(&b, '[');
    for (size_t i = 0; !x->keep && i <= x->also_count; i++) {
        if (i) buffer_char(&b, ',');
        text_json(&b, text_of(path_at(x, i)));
    }
    buffer_char(&b, ']');
    const char *text = buffer_keep(&b, a);
    if (!text) a->failed = true; /* the writer of the report tells it */
    return text;
}

static void row(struct table_row *at, struct cell *c)
{
    const struct leftover *x = at->item;
    struct left *l = (struct left *)(uintptr_t)at->of;
    struct arena *a = &l->report->arena;
    bool part = x->kind == LEFTOVER_PART && x->total != NUMEL_NOT_KNOWN && x->total;
    c[1] = CELL_T(kinds[x->kind]);
    c[2] = CELL_T(x->kind == LEFTOVER_POINTERS && x->files == 1 ? "LFS pointer" : kind_texts[x->kind]);
    if (x->kind != LEFTOVER_FOLDER) c[6] = CELL_U(CELL_BYTES, x->bytes);
    if (part) c[8] = (struct cell){ .kind = CELL_SHARE, .u = num_min(x->bytes, x->total), .n = x->total };
    c[9] = (struct cell){ .kind = CELL_RAW, .t = paths_json(x, a) };
}

static const struct table leftover_table = TABLE(
    "leftovers", NULL, SECTION_LIST, TABLE_HEADED | TABLE_FILLED, row,
    { "path", "path", COLUMN_NAME, AT(CELL_STR, struct leftover, path) }, { "kind", NULL, 0, MADE },
    { NULL, "what", COLUMN_RANK(12), MADE },
    { "model", "model", COLUMN_RANK(9), AT(CELL_STR, struct leftover, model) },
    { "file", "file", COLUMN_RANK(10), AT(CELL_STR, struct leftover, of) },
    { "files", "files", COLUMN_RIGHT | COLUMN_RANK(5), AT(CELL_COUNT, struct leftover, files) },
    { "bytes", "size", COLUMN_RIGHT, MADE },
    { "total_bytes", "of", COLUMN_RIGHT | COLUMN_RANK(7), AT_KNOWN(CELL_BYTES, struct leftover, total) },
    { NULL, "", COLUMN_RIGHT | COLUMN_RANK(8), MADE }, { "delete", NULL, 0, MADE },
    { "keep", "kept, since", COLUMN_NOTE, AT(CELL_TEXT, struct leftover, keep) });

static const struct table total_table =
    TABLE(NULL, NULL, SECTION_FIELDS, 0, NULL, { NULL, "total", 0, AT(CELL_TEXT, struct left, total) },
          { "bytes", NULL, 0, AT(CELL_BYTES, struct left, bytes) },
          { "deletable_bytes", NULL, 0, AT(CELL_BYTES, struct left, free) },
          { "unread_folders", NULL, 0, AT(CELL_COUNT, struct left, found.unread) });

/* ---- the report --------------------------------------------------------------------------- */

static void put_bytes(struct buffer *b, uint64_t n)
{
    const struct cell c = CELL_U(CELL_BYTES, n);
    text_cell(b, &c);
}

NUMEL_MUST static bool add_up(struct left *l, numel_error *e)
{
    struct buffer b;
    char n[TEXT_COUNT];
    size_t deletable = 0;
    for (size_t i = 0; i < l->found.count; i++) {
        const struct leftover *x = &l->found.items[i];
        l->bytes = num_capped(l->bytes, x->bytes);
        if (x->keep) continue;
        l->free = num_capped(l->free, x->bytes);
        deletable++;
    }
    buffer_init(&b, l->report->arena.memory);
    buffer_text(&b, text_count(n, l->found.count, "leftover"));
    buffer_text(&b, ", ");
    put_bytes(&b, l->bytes);
    if (deletable) {
        buffer_text(&b, "; ");
        put_bytes(&b, l->free);
        buffer_format(&b, " in %s that nothing uses", text_count(n, deletable, "leftover"));
    }
    if (l->found.unread)
        buffer_format(&b, "; %s could not be read", text_count(n, l->found.unread, "folder"));
    l->total = buffer_keep(&b, &l->report->arena);
    return l->total || error_nomem(e);
}

NUMEL_MUST static bool list_paths(struct left *l, bool zero, numel_error *e)
{
    struct buffer b;
    buffer_init(&b, l->report->arena.memory);
    for (size_t i = 0; i < l->found.count; i++) {
        const struct leftover *x = &l->found.items[i];
        for (size_t k = 0; !x->keep && k <= x->also_count; k++) {
            numel_str path = text_of(path_at(x, k));
            if (text_first(path) == '-') buffer_text(&b, "./");
            if (zero) buffer_str(&b, path);
            else text_escape(&b, path);
            buffer_char(&b, zero ? '\0' : '\n');
        }
    }
    size_t n = b.n;
    l->report->quiet_nothing = n == 0;
    l->report->quiet_paths = (numel_str){ buffer_keep(&b, &l->report->arena), n };
    return l->report->quiet_paths.p || error_nomem(e);
}

static void done(void *ctx) { leftovers_done(&((struct left *)ctx)->found); }

numel_rc numel_report_leftovers(numel_report **out, const char *const *paths, size_t n, bool zero,
                                const numel_options *options, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    numel_options own;
    *out = NULL;
    if (!border_options(&own, options, e)) return e->code;
    *out = report_new(own.allocator, "numel.leftovers/1", e);
    struct left *l = *out ? arena_zeroed(&(*out)->arena, sizeof *l) : NULL;
    if (!l) return error_nomem(e), report_made(out, false, e);
    l->report = *out;
    (*out)->done = done;
    (*out)->done_ctx = l;
    if (!leftovers_find(&l->found, paths, n, &own, e) || !add_up(l, e) || !list_paths(l, zero, e))
        return report_made(out, false, e);
    report_list(*out, &leftover_table, ROWS(l->found.items, l->found.count), l);
    report_one(*out, &total_table, l)->is.title = l->found.count ? "" : NULL;
    (*out)->in_part = l->found.unread > 0;
    return report_made(out, true, e);
}

/* identify_report.c -- the report of `numel identify`, and errors as reports. */
#include "model/training.h"
#include "reporter/identify_models.h"

#include "adapter/adapter.h"
#include "base/border.h"
#include "base/text.h"
#include "page/report.h"
#include "reader/identify.h"
#include "source/folder.h"

#include <stdio.h>
#include <string.h>

struct line {
    const char *path, *text, *kind;
    numel_rc code;
};

struct lines {
    struct line *items;
    size_t count, cap;
    struct numel_report *report;
    const numel_options *options;
    numel_error *error;
};

static const struct column columns[] = {
    { "path", "", COLUMN_NAME }, { "description", NULL, 0 }, { NULL, "", COLUMN_NOTE },
    { "code", NULL, 0 },         { "kind", NULL, 0 },
};

/* "path: description", as file(1) prints it. */
static void row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct line *l = &((const struct lines *)ctx)->items[i];
    (void)depth;
    c[0] = CELL_S(text_of(l->path));
    c[1] = c[2] = CELL_T(l->text);
    c[3] = CELL_T(numel_rc_name(l->code));
    c[4] = CELL_T(l->kind);
}

/* ": checkpoint of training: weights, optimizer states (2 of 3 parts of its tensors) ..." */
NUMEL_MUST static bool say_training(const numel_checkpoint *ck, char *text, size_t size, struct arena *a,
                                    numel_error *e)
{
    struct training t;
    struct fixed f = fixed_after(text, size);
    bool ok = training_make(&t, &ck->registry, a, e);
    if (ok && t.any) {
        fixed_text(&f, ": checkpoint of training");
        for (int i = 0, some = 0; i < TRAINING_PARTS; i++)
            if (t.sums[i].tensors)
                fixed_format(&f, "%s%s (%" PRIu64 " tensors)", some++ ? ", " : ", of ",
                             training_name((enum training_part)i), t.sums[i].tensors);
    }
    training_done(&t);
    return ok;
}

/* ": adapter (lora) of SD1.5, rank 32, alpha 16"; of others what they were trained with, or which models they hold. */
NUMEL_MUST static bool say_adapter(void *ctx, numel_checkpoint *ck, char *text, size_t size, numel_error *e)
{
    const struct lines *l = ctx;
    struct arena arena;
    struct adapter a;
    struct fixed f = fixed_after(text, size);
    arena_init(&arena, l->report->arena.memory);
    bool ok = adapter_read(&a, ck, NULL, &arena, e);
    if (ok && a.type) {
        fixed_format(&f, ": adapter (%s)%s%s", a.type, a.family ? " of " : "", a.family ? a.family : "");
        if (a.ranks.count) fixed_format(&f, ", rank %" PRIu64, a.ranks.least);
        if (a.ranks.count > 1) fixed_format(&f, " to %" PRIu64, a.ranks.most);
        if (a.alpha) fixed_format(&f, ", alpha %s", a.alpha);
        if (a.writer) fixed_format(&f, ", %s", a.writer);
        if (a.complaint_count) fixed_text(&f, ", with contradictions (see 'numel verify')");
    }
    if (ok && a.unmerged) fixed_text(&f, ": a model with a LoRA that is not merged (see 'numel verify')");
    size_t before = strlen(text);
    bool said = ok && (a.type || a.unmerged);
    if (ok && !said) ok = say_training(ck, text, size, &arena, e);
    said |= strlen(text) > before;
    if (ok) adapter_done(&a);
    arena_done(&arena);
    if (!ok || said || f.cut) return ok;
    return identify_models(ck, text + strlen(text), size - strlen(text), l->options, e);
}

NUMEL_MUST static bool add_line(struct lines *l, const char *path)
{
    char text[600];
    struct arena *a = &l->report->arena;
    struct line *grown = arena_grow(a, l->items, l->count, &l->cap, sizeof *grown);
    if (!grown) return error_nomem(l->error);
    l->items = grown;
    numel_error why = { 0 };
    const char *kind;
    const struct identify_more more = { say_adapter, l };
    numel_rc code = identify_path(path, text, sizeof text, &kind, l->options, &more, &why);
    if (code == NUMEL_E_NOMEM) return error_nomem(l->error); /* not a fact about the file */
    l->report->unreadable += code == NUMEL_E_IO;
    l->report->unknown += code != NUMEL_OK;
    const char *own = arena_text(a, path, strlen(path));
    const char *kept = arena_text(a, text, strlen(text));
    if (!own || !kept) return error_nomem(l->error);
    l->items[l->count++] = (struct line){ own, kept, kind, code };
    return true;
}

/* Folders in a folder, as a pipeline has them, are opened too; what begins with a dot is somebody's own. A
 * link to one is said, and not followed. */
enum { DEEPEST = 8 };

NUMEL_MUST static bool add_folder(struct lines *l, const char *path, unsigned depth)
{
    struct folder f;
    struct arena *a = &l->report->arena;
    if (!folder_list(&f, path, a, l->error)) return false;
    bool ok = true;
    for (size_t i = 0; ok && i < f.count; i++) {
        const struct folder_entry *x = &f.entries[i];
        char *file = path_join(a, path, x->name);
        bool open = file && x->directory && depth < DEEPEST && !path_is_link(file);
        if (!file) ok = error_nomem(l->error);
        else if (x->directory && x->name.p[0] == '.') continue;
        else if (open) ok = add_folder(l, file, depth + 1);
        else ok = add_line(l, file);
    }
    folder_done(&f);
    return ok;
}

NUMEL_MUST static bool add_path(struct lines *l, const char *path)
{
    return path_kind(path) == PATH_DIRECTORY ? add_folder(l, path, 1) : add_line(l, path);
}

NUMEL_MUST static bool make_lines(struct numel_report *r, const char *const *paths, size_t n,
                                  const numel_options *options, numel_error *e)
{
    struct lines *l = arena_alloc(&r->arena, sizeof *l);
    if (!l) return error_nomem(e);
    *l = (struct lines){ .report = r, .options = options, .error = e };
    for (size_t i = 0; i < n; i++)
        if (!add_path(l, paths[i])) return false;
    r->quiet = l->count;
    report_section(r, &(struct section){ .key = "files",
                                         .form = SECTION_LIST,
                                         .columns = columns,
                                         .column_count = sizeof columns / sizeof *columns,
                                         .rows = l->count,
                                         .row = row,
                                         .ctx = l });
    return true;
}

numel_rc numel_report_identify(numel_report **out, const char *const *paths, size_t n,
                               const numel_options *options, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    numel_options own;
    error_clear(e);
    *out = NULL;
    if (!border_options(&own, options, e)) return e->code;
    *out = report_new(own.allocator, "numel.identify/1", e);
    if (*out && !make_lines(*out, paths, n, &own, e)) {
        numel_report_free(*out);
        *out = NULL;
    }
    return e->code;
}

void numel_report_trouble(const numel_report *r, size_t *unreadable, size_t *unknown)
{
    if (unreadable) *unreadable = r->unreadable;
    if (unknown) *unknown = r->unknown;
}

/* ---- errors ------------------------------------------------------------------------------- */

struct trouble {
    const char *path;
    numel_error what;
};

static const struct column path_columns[] = { { "path", "", 0 } };
static const struct column error_columns[] = {
    { "code", NULL, 0 }, { "file", NULL, 0 }, { "offset", NULL, 0 }, { "message", "", 0 }
};

static void path_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    (void)i, (void)depth;
    c[0] = CELL_S(text_of(((const struct trouble *)ctx)->path));
}

static void error_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct trouble *t = ctx;
    (void)i, (void)depth;
    c[0] = CELL_T(numel_rc_name(t->what.code));
    c[1] = CELL_S(text_of(t->what.file));
    if (t->what.offset != NUMEL_NOWHERE) c[2] = CELL_U(CELL_NUMBER, t->what.offset);
    c[3] = CELL_T(t->what.what);
}

numel_rc numel_report_error(numel_report **out, const char *path, const numel_error *what,
                            const numel_options *options, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    numel_options given;
    error_clear(e);
    *out = NULL;
    if (!border_options(&given, options, e)) return e->code;
    *out = report_new(given.allocator, "numel.error/1", e);
    struct trouble *t = *out ? arena_alloc(&(*out)->arena, sizeof *t) : NULL;
    const char *own = t ? arena_text(&(*out)->arena, path, strlen(path)) : NULL;
    if (!own) {
        numel_report_free(*out);
        *out = NULL;
        error_nomem(e);
        return e->code;
    }
    *t = (struct trouble){ own, *what };
    report_section(*out, &(struct section){ .form = SECTION_FIELDS,
                                            .columns = path_columns,
                                            .column_count = 1,
                                            .rows = 1,
                                            .row = path_row,
                                            .ctx = t });
    report_section(*out, &(struct section){ .key = "error",
                                            .form = SECTION_OBJECT,
                                            .columns = error_columns,
                                            .column_count = 4,
                                            .rows = 1,
                                            .row = error_row,
                                            .ctx = t });
    return NUMEL_OK;
}

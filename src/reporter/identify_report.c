/* identify_report.c -- the report of `numel identify`, and errors as reports. */
#include "reporter/identify_models.h"
#include "reporter/list_columns.h"

#include "base/border.h"
#include "base/text.h"
#include "page/report.h"
#include "reader/find.h"
#include "reader/identify.h"
#include "reader/remote.h"
#include "reporter/remote_section.h"
#include "source/folder.h"

#include <string.h>

struct line {
    const char *path, *text, *kind;
    numel_rc code;
    const char *judgement; /* JSON; NULL if there is none, or none yet */
    bool judged;
};

struct lines {
    struct line *items;
    size_t count, cap;
    struct numel_report *report;
    numel_options options;
    numel_error *error;
    const char *folder;      /* the folder searched last, or NULL */
    numel_found *sets;       /* its sets if it has a shard index; else NULL */
    const char *judgement;   /* of the current file */
    const struct line *last; /* a shard whose set has been judged */
    struct remote *remotes;  /* copies of what the paths stand for */
};

/* ---- judgements --------------------------------------------------------------------------- */

/* Finds the sets in the file's folder if it has a shard index. Remembers the last folder, as its files
 * come one after the other. */
NUMEL_MUST static bool look_around(struct lines *l, const char *path, numel_error *e)
{
    struct folder f;
    struct arena scratch;
    numel_error ignored = { .code = NUMEL_OK };
    bool indexed = false;
    numel_str dir = text_upto(text_of(path), (size_t)(path_base(path).p - path));
    if (l->folder && text_equal(dir, l->folder)) return true;
    l->folder = arena_text(&l->report->arena, dir.p, dir.n);
    numel_found_free(l->sets);
    l->sets = NULL;
    if (!l->folder) return error_nomem(e);
    arena_init(&scratch, l->report->arena.memory);
    const char *at = path_directory(&scratch, path);
    bool ok = at && folder_list(&f, at, &scratch, &ignored);
    for (size_t i = 0; ok && i < f.count; i++) indexed |= name_is_index(f.entries[i].name);
    if (ok) folder_done(&f);
    ok = ok && (!indexed || find_folder(&l->sets, at, &l->options, &ignored));
    arena_done(&scratch);
    return ok || (at && ignored.code != NUMEL_E_NOMEM) || error_nomem(e);
}

/* Is the file a model by itself, rather than a shard of a set? */
NUMEL_MUST static bool is_alone(struct lines *l, const char *path, bool *alone, numel_error *e)
{
    *alone = !path_is_shard(path);
    if (!*alone) return true;
    if (!look_around(l, path, e)) return false;
    for (size_t i = 0; l->sets && i < l->sets->count; i++) {
        const struct found_set *s = &l->sets->sets[i];
        for (size_t k = 0; s->kind != FOUND_FILE && k < s->count; k++)
            *alone &= !s->files[k].path || !text_same(path_base(s->files[k].path), path_base(path));
    }
    return true;
}

/* Judges a file that stands alone together with its neighbours, like `show`. */
NUMEL_MUST static bool say_weights(void *ctx, numel_checkpoint *ck, char *text, size_t size, numel_error *e)
{
    struct lines *l = ctx;
    struct identified x = { .ck = ck, .options = &l->options, .arena = &l->report->arena };
    if (!is_alone(l, ck->files[0].path, &x.alone, e)) return false;
    ck->path = ck->files[0].path;
    ck->strict = l->options.strict;
    if (x.alone && !(ck->dir = path_directory(&ck->arena, ck->path))) return error_nomem(e);
    bool ok = identify_models(&x, text, size, e);
    l->judgement = x.judgement;
    return ok;
}

/* Are these two shards of one set? */
static bool is_same_set(const char *a, const char *b)
{
    struct shard_name m, n;
    numel_str x = path_base(a), y = path_base(b);
    return text_same(text_upto(text_of(a), (size_t)(x.p - a)), text_upto(text_of(b), (size_t)(y.p - b))) &&
           shard_name_parse(plain_name(x), &m) && shard_name_parse(plain_name(y), &n) &&
           text_same(m.prefix, n.prefix) && text_same(m.suffix, n.suffix) && m.total == n.total;
}

/* A set is judged once for all its shards. */
static struct cell judgement_cell(struct lines *l, struct line *x)
{
    static const char *const kinds[] = { "weights", "index", "damaged" };
    numel_error ignored = { .code = NUMEL_OK };
    bool may = false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) may |= strcmp(x->kind, kinds[i]) == 0;
    if (may && !x->judged && l->last && is_same_set(l->last->path, x->path)) {
        x->judgement = l->last->judgement;
    } else if (may && !x->judged) {
        if (!identify_judgement(&x->judgement, x->path, &l->options, &l->report->arena, &ignored))
            return (struct cell){ .kind = CELL_RAW }; /* NOMEM */
        l->last = x;
    }
    x->judged = true;
    return x->judgement ? (struct cell){ .kind = CELL_RAW, .t = x->judgement }
                        : (struct cell){ .kind = CELL_NULL };
}

/* "path: description", as file(1) prints it. */

static const struct table table =
    TABLE(NULL, NULL, SECTION_LIST, 0, NULL, { NULL, "", COLUMN_NAME, AT(CELL_STR, struct line, path) },
          { NULL, "", COLUMN_NOTE, AT(CELL_TEXT, struct line, text) });

static void record(struct table_row *row, struct cell *c)
{
    struct lines *l = (struct lines *)(uintptr_t)row->of;
    struct line *x = &l->items[row->i];
    c[2] = CELL_T(numel_rc_name(x->code));
    c[4] = judgement_cell(l, x);
}

static const struct table record_table = TABLE(
    "files", NULL, SECTION_LIST, TABLE_HIDDEN, record, { "path", NULL, 0, AT(CELL_STR, struct line, path) },
    { "description", NULL, 0, AT(CELL_TEXT, struct line, text) }, { "code", NULL, 0, MADE },
    { "kind", NULL, 0, AT(CELL_TEXT, struct line, kind) }, { "judgement", NULL, 0, MADE });

/* ---- lines -------------------------------------------------------------------------------- */

/* A remote file of which only the size is known. */
NUMEL_MUST static numel_rc say_promised(const char *path, char *text, size_t size, const char **kind)
{
    char n[TEXT_NUMBER];
    text_format(text, size, "not read, %s bytes", text_number(n, path_bytes(path)));
    *kind = "unknown";
    return NUMEL_OK;
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
    const struct identify_more more = { say_weights, l };
    l->judgement = NULL;
    bool promised = path_shown(path) != path && path_kind(path) == PATH_ABSENT;
    numel_rc code = promised ? say_promised(path, text, sizeof text, &kind)
                             : identify_path(path, text, sizeof text, &kind, &l->options, &more, &why);
    if (code == NUMEL_E_NOMEM) return error_nomem(l->error); /* not a fact about the file */
    l->report->unreadable += code == NUMEL_E_IO;
    l->report->unknown += code != NUMEL_OK;
    const char *own = arena_text(a, path, strlen(path));
    const char *kept = arena_text(a, text, strlen(text));
    if (!own || !kept) return error_nomem(l->error);
    l->items[l->count++] = (struct line){ own, kept, kind, code, l->judgement, l->judgement != NULL };
    return true;
}

/* Nested folders, as in a pipeline, are opened too. Names that begin with a dot are private and skipped. A
 * link to a folder is listed but not followed. */
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
    if (remote_is(path) && path_kind(path) == PATH_ABSENT) {
        if (!remote_add(&l->remotes, path, &l->options, l->error)) return false;
        path = l->remotes->path;
    }
    return path_kind(path) == PATH_DIRECTORY ? add_folder(l, path, 1) : add_line(l, path);
}

NUMEL_MUST static bool add_paths(struct lines *l, const char *const *paths, size_t n)
{
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) ok = add_path(l, paths[i]);
    numel_found_free(l->sets);
    l->sets = NULL;
    return ok;
}

static void done(void *ctx) { remote_close(((struct lines *)ctx)->remotes); }

NUMEL_MUST static bool make_lines(struct numel_report *r, const char *const *paths, size_t n,
                                  const numel_options *options, numel_error *e)
{
    struct lines *l = arena_alloc(&r->arena, sizeof *l);
    if (!l) return error_nomem(e);
    *l = (struct lines){ .report = r, .options = *options, .error = e };
    r->done = done;
    r->done_ctx = l;
    if (!add_paths(l, paths, n)) return false;
    r->quiet = l->count;
    report_list(r, &table, ROWS(l->items, l->count), NULL);
    report_list(r, &record_table, ROWS(l->items, l->count), l);
    return remotes_section(r, l->remotes, e);
}

numel_rc numel_report_identify(numel_report **out, const char *const *paths, size_t n,
                               const numel_options *options, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    numel_options own;
    *out = NULL;
    if (!border_options(&own, options, e)) return e->code;
    *out = report_new(own.allocator, "numel.identify/1", e);
    return report_made(out, *out && make_lines(*out, paths, n, &own, e), e);
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

static const struct table path_table =
    TABLE(NULL, NULL, SECTION_FIELDS, 0, NULL, { "path", "", 0, AT(CELL_STR, struct trouble, path) });

static void error_row(struct table_row *row, struct cell *c)
{
    c[0] = CELL_T(numel_rc_name(((const numel_error *)row->item)->code));
}

const struct table error_table = TABLE("error", NULL, SECTION_OBJECT, 0, error_row, { "code", NULL, 0, MADE },
                                       { "file", NULL, 0, AT(CELL_STR, numel_error, file) },
                                       { "offset", NULL, 0, AT_KNOWN(CELL_NUMBER, numel_error, offset) },
                                       { "message", "", 0, AT(CELL_TEXT, numel_error, what) });

numel_rc numel_report_error(numel_report **out, const char *path, const numel_error *what,
                            const numel_options *options, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    numel_options given;
    *out = NULL;
    if (!border_options(&given, options, e)) return e->code;
    *out = report_new(given.allocator, "numel.error/1", e);
    struct trouble *t = *out ? arena_alloc(&(*out)->arena, sizeof *t) : NULL;
    const char *own = t ? arena_text(&(*out)->arena, path, strlen(path)) : NULL;
    if (!own) return report_made(out, error_nomem(e), e);
    *t = (struct trouble){ own, *what };
    report_one(*out, &path_table, t);
    report_one(*out, &error_table, &t->what);
    return NUMEL_OK;
}

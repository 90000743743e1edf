/*
 * hash_report.c -- the report of `numel hash`: a manifest.
 *
 * The text has the lines of content/manifest.h: each file is followed by its tensors, and the digests of the
 * checkpoints are last. JSON has the same facts in three lists. A file that could not be read completely has
 * no line, and its checkpoint no digest, so a manifest never has a digest of only part of what it names. What
 * is missing is reported in `problems`.
 */
#include "reporter/judged_text.h"

#include "base/border.h"
#include "base/text.h"
#include "content/manifest.h"
#include "content/model_digest.h"
#include "reader/remote.h"
#include "source/folder.h"
#include "verify/hash_gather.h"

#include <string.h>

struct model_line {
    const numel_checkpoint *ck;
    struct digest_value named, content; /* DIGEST_NONE if incomplete */
    struct judged_text judged;
};

enum line_kind { LINE_FIRST, LINE_BYTES, LINE_FILE, LINE_TENSOR, LINE_MODEL, LINE_CONTENT, LINE_STOPPED };

/* A line of the text. `item` is a file or a model, `range` a tensor in the file. */
struct line {
    enum line_kind kind;
    size_t item, range;
};

struct hash_report {
    struct numel_report *report;
    struct gathered g;
    numel_hashing what;
    struct model_line *models;
    size_t model_count;
    struct line *lines;
    size_t line_count;
    size_t *tensors; /* the lines that are tensors */
    size_t tensor_count;
    struct buffer text;      /* scratch space for the current row */
    char hex[2][DIGEST_HEX]; /* likewise */
};

/* ---- doing it ----------------------------------------------------------------------------- */

NUMEL_MUST static bool run_jobs(struct hash_report *h, const numel_work *work, numel_error *e)
{
    struct gathered *g = &h->g;
    struct hash_job *jobs = memory_resize(g->memory, NULL, (g->count + 1) * sizeof *jobs);
    if (!jobs) return error_nomem(e);
    for (size_t i = 0; i < g->count; i++) {
        jobs[i] = g->files[i].plan.job;
        jobs[i].sha256 = !h->what.tensors_only;
        if (h->what.files_only) jobs[i].range_count = 0;
    }
    bool ok = hashes_run(jobs, g->count, work, g->memory, e);
    for (size_t i = 0; ok && i < g->count; i++) {
        g->files[i].plan.job = jobs[i];
        plan_settle(&g->files[i].plan);
    }
    memory_release(g->memory, jobs);
    return ok;
}

NUMEL_MUST static bool tell_failures(struct hash_report *h, numel_error *e)
{
    for (size_t i = 0; i < h->g.count; i++) {
        const struct gathered_file *f = &h->g.files[i];
        if (error_free(&f->plan.job.error)) continue;
        if (f->plan.job.error.code == NUMEL_E_STOPPED) {
            h->report->stopped = true;
            continue;
        }
        if (!gather_problem(&h->g, f->path.p, &f->plan.job.error, true, e)) return false;
    }
    return true;
}

/* Makes both digests of a checkpoint; DIGEST_NONE if a file or a tensor is missing. */
NUMEL_MUST static bool digest_model(struct hash_report *h, size_t number, struct model_line *m,
                                    numel_error *e)
{
    const numel_checkpoint *ck = h->g.checkpoints[number];
    struct model_digest named, content;
    size_t had = 0;
    bool ok = true, whole = ck->missing == 0 && !h->what.files_only;
    *m = (struct model_line){ .ck = ck, .judged = { .ck = ck, .report = h->report } };
    model_digest_begin(&named, true, h->g.memory);
    model_digest_begin(&content, false, h->g.memory);
    for (size_t i = 0; ok && whole && i < h->g.count; i++) {
        const struct plan_file *p = &h->g.files[i].plan;
        if (h->g.files[i].checkpoint != number) continue;
        whole = error_free(&p->job.error);
        for (size_t k = 0; ok && whole && k < p->job.range_count; k++, had++) {
            const numel_tensor *t = &ck->registry.tensors[p->tensors[k]];
            const struct digest_value *v = &p->job.ranges[k].value;
            whole = v->kind != DIGEST_NONE;
            ok = model_digest_add(&named, t, v, e) && model_digest_add(&content, t, v, e);
        }
    }
    whole = whole && had == ck->registry.count;
    for (size_t i = 0; i < ck->findings.count; i++)
        whole = whole && !checkpoint_finding_unread(ck, &ck->findings.items[i]);
    if (ok && whole)
        return model_digest_end(&named, &m->named, e) && model_digest_end(&content, &m->content, e);
    model_digest_drop(&named);
    model_digest_drop(&content);
    return ok;
}

NUMEL_MUST static bool digest_models(struct hash_report *h, numel_error *e)
{
    size_t n = h->g.checkpoint_count;
    h->models = arena_alloc(h->g.arena, (n + 1) * sizeof *h->models);
    if (!h->models) return error_nomem(e);
    for (size_t i = 0; i < n; i++)
        if (!digest_model(h, i, &h->models[h->model_count++], e)) return false;
    return true;
}

/* ---- rows --------------------------------------------------------------------------------- */

static void add_line(struct hash_report *h, enum line_kind kind, size_t item, size_t range)
{
    if (kind == LINE_TENSOR) h->tensors[h->tensor_count++] = h->line_count;
    h->lines[h->line_count++] = (struct line){ kind, item, range };
}

NUMEL_MUST static bool make_lines(struct hash_report *h, numel_error *e)
{
    size_t most = 2 + 2 * h->g.checkpoint_count, tensors = 0;
    for (size_t i = 0; i < h->g.count; i++) tensors += h->g.files[i].plan.job.range_count;
    most += tensors + 2 * h->g.count;
    h->lines = arena_alloc(h->g.arena, most * sizeof *h->lines);
    h->tensors = arena_alloc(h->g.arena, (tensors + 1) * sizeof *h->tensors);
    if (!h->lines || !h->tensors) return error_nomem(e);
    add_line(h, LINE_FIRST, 0, 0);
    for (size_t i = 0; i < h->g.count; i++) {
        const struct hash_job *job = &h->g.files[i].plan.job;
        if (!error_free(&job->error)) continue;
        if (job->whole.kind != DIGEST_NONE) {
            add_line(h, LINE_BYTES, i, 0);
            add_line(h, LINE_FILE, i, 0);
        }
        for (size_t k = 0; k < job->range_count; k++)
            if (job->ranges[k].value.kind != DIGEST_NONE) add_line(h, LINE_TENSOR, i, k);
    }
    for (size_t i = 0; i < h->model_count; i++) {
        if (h->models[i].named.kind == DIGEST_NONE) continue;
        add_line(h, LINE_MODEL, i, 0);
        add_line(h, LINE_CONTENT, i, 0);
    }
    if (h->report->stopped) add_line(h, LINE_STOPPED, 0, 0);
    return true;
}

static const numel_tensor *tensor_of(const struct hash_report *h, const struct line *l)
{
    const struct gathered_file *f = &h->g.files[l->item];
    return &h->g.checkpoints[f->checkpoint]->registry.tensors[f->plan.tensors[l->range]];
}

static void line_text(struct hash_report *h, const struct line *l)
{
    struct buffer *b = &h->text;
    bool of_file =
        l->kind == LINE_BYTES || l->kind == LINE_FILE || l->kind == LINE_TENSOR; /* there may be none */
    const struct gathered_file *f = of_file ? &h->g.files[l->item] : NULL;
    b->n = 0;
    switch (l->kind) {
    case LINE_FIRST: buffer_text(b, MANIFEST_FIRST); break;
    case LINE_STOPPED: buffer_text(b, "# stopped early: some files are not listed"); break;
    case LINE_BYTES: manifest_put_bytes(b, f->plan.job.identity.bytes, f->path.p); break;
    case LINE_FILE: manifest_put_file(b, &f->plan.job.whole, f->path.p); break;
    case LINE_TENSOR:
        manifest_put_tensor(b, &f->plan.job.ranges[l->range].value, f->path.p, tensor_of(h, l)->name);
        break;
    case LINE_MODEL:
        manifest_put_model(b, MANIFEST_MODEL, &h->models[l->item].named, h->models[l->item].ck->path);
        break;
    case LINE_CONTENT:
        manifest_put_model(b, MANIFEST_CONTENT, &h->models[l->item].content, h->models[l->item].ck->path);
        break;
    }
    buffer_char(b, '\0');
}

static void text_row(struct table_row *row, struct cell *c)
{
    struct hash_report *h = (struct hash_report *)row->of; /* its buffer is scratch */
    line_text(h, row->item);
    c[0] = CELL_T(h->text.failed ? NULL : h->text.p);
}

static const struct table line_table =
    TABLE(NULL, NULL, SECTION_LIST, 0, text_row, { NULL, "", COLUMN_VERBATIM, MADE });

/* ---- rows of JSON ------------------------------------------------------------------------- */

static struct cell digest_cell(char hex[DIGEST_HEX], const struct digest_value *v)
{
    return v->kind == DIGEST_NONE ? (struct cell){ .kind = CELL_NULL } : CELL_T(digest_hex(hex, v));
}

static void file_row(struct table_row *row, struct cell *c)
{
    struct hash_report *h = (struct hash_report *)row->of;
    const struct gathered_file *f = row->item;
    bool ok = error_free(&f->plan.job.error);
    if (ok) c[1] = CELL_U(CELL_BYTES, f->plan.job.identity.bytes);
    if (ok) c[2] = digest_cell(h->hex[0], &f->plan.job.whole);
}

static const struct table file_table =
    TABLE("files", NULL, SECTION_LIST, TABLE_HIDDEN, file_row,
          { "path", NULL, 0, AT(CELL_STR, struct gathered_file, path) }, { "bytes", NULL, 0, MADE },
          { "sha256", NULL, 0, MADE },
          { "resumed", NULL, 0, AT(CELL_BOOL, struct gathered_file, plan.job.resumed) });

static void tensor_row(struct table_row *row, struct cell *c)
{
    struct hash_report *h = (struct hash_report *)row->of;
    const struct line *l = &h->lines[*(const size_t *)row->item];
    const numel_tensor *t = tensor_of(h, l);
    c[0] = CELL_S(h->g.files[l->item].path);
    c[1] = CELL_S(t->name);
    c[2] = CELL_S(text_of(t->dtype->name));
    c[3] = (struct cell){ .kind = CELL_DIMS, .dims = t->dims, .n = t->ndim };
    c[4] = CELL_U(CELL_BYTES, t->bytes);
    c[5] = digest_cell(h->hex[0], &h->g.files[l->item].plan.job.ranges[l->range].value);
}

static const struct table tensor_table =
    TABLE("tensors", NULL, SECTION_LIST, TABLE_HIDDEN, tensor_row, { "file", NULL, 0, MADE },
          { "tensor", NULL, 0, MADE }, { "dtype", NULL, 0, MADE }, { "shape", NULL, 0, MADE },
          { "bytes", NULL, 0, MADE }, { "sha256", NULL, 0, MADE });

static void model_row(struct table_row *row, struct cell *c)
{
    struct hash_report *h = (struct hash_report *)row->of;
    struct model_line *m = &h->models[row->i];
    c[2] = digest_cell(h->hex[0], &m->named);
    c[3] = digest_cell(h->hex[1], &m->content);
    c[4] = judged_cell(&m->judged);
}

static const struct table model_table =
    TABLE("models", NULL, SECTION_LIST, TABLE_HIDDEN, model_row,
          { "path", NULL, 0, VIA(CELL_STR, struct model_line, ck, path) },
          { "tensors", NULL, 0, VIA(CELL_COUNT, struct model_line, ck, registry.count) },
          { "model", NULL, 0, MADE }, { "content", NULL, 0, MADE }, { "judgement", NULL, 0, MADE });

/* Problems are comments among the lines, so that a stored manifest shows what it lacks. */

static const struct table problem_table =
    TABLE("problems", NULL, SECTION_LIST, TABLE_FILLED, NULL, { NULL, "", 0, SAID("#") },
          { "path", "", 0, AT(CELL_STR, struct gathered_problem, path) },
          { "code", "", 0, AT(CELL_TEXT, struct gathered_problem, code) },
          { "message", "", COLUMN_NOTE, AT(CELL_TEXT, struct gathered_problem, message) });

static void state_row(struct table_row *row, struct cell *c)
{
    const struct hash_report *h = row->of;
    c[0] = CELL_U(CELL_BOOL, !h->report->stopped && h->g.problem_count == 0);
}

static const struct table state_table =
    TABLE(NULL, NULL, SECTION_FIELDS, TABLE_HIDDEN, state_row, { "complete", NULL, 0, MADE });

/* ---- the report --------------------------------------------------------------------------- */

/* Text for -q: the digests of the models, or of the files with files_only. */
NUMEL_MUST static bool make_quiet(struct hash_report *h, numel_error *e)
{
    struct buffer b;
    char hex[DIGEST_HEX];
    buffer_init(&b, h->g.memory);
    for (size_t i = 0; !h->what.files_only && i < h->model_count; i++)
        if (h->models[i].named.kind != DIGEST_NONE)
            buffer_format(&b, "%s%s", b.n ? "\n" : "", digest_hex(hex, &h->models[i].named));
    for (size_t i = 0; h->what.files_only && i < h->g.count; i++)
        if (h->g.files[i].plan.job.whole.kind != DIGEST_NONE)
            buffer_format(&b, "%s%s", b.n ? "\n" : "", digest_hex(hex, &h->g.files[i].plan.job.whole));
    h->report->quiet_text = b.failed ? NULL : arena_text(h->g.arena, b.p, b.n);
    h->report->quiet_nothing = b.n == 0;
    bool ok = h->report->quiet_text != NULL;
    buffer_done(&b);
    return ok || error_nomem(e);
}

static void lay_out(struct hash_report *h)
{
    struct numel_report *r = h->report;
    report_list(r, &line_table, ROWS(h->lines, h->line_count), h);
    report_list(r, &file_table, ROWS(h->g.files, h->g.count), h);
    report_list(r, &tensor_table, ROWS(h->tensors, h->tensor_count), h);
    report_list(r, &model_table, ROWS(h->models, h->model_count), h);
    report_list(r, &problem_table, ROWS(h->g.problems, h->g.problem_count), NULL);
    report_one(r, &state_table, h);
}

static void count_trouble(struct hash_report *h)
{
    for (size_t i = 0; i < h->g.problem_count; i++)
        if (h->g.problems[i].unreadable) h->report->unreadable++;
        else h->report->unknown++;
    h->report->disagrees = h->g.problem_count > 0;
}

static void done(void *ctx)
{
    struct hash_report *h = ctx;
    gather_done(&h->g);
    buffer_done(&h->text);
}

NUMEL_MUST static bool make_report(struct numel_report *r, const char *const *paths, size_t n,
                                   const numel_hashing *what, const numel_options *options,
                                   const numel_work *work, numel_error *e)
{
    struct hash_report *h = arena_alloc(&r->arena, sizeof *h);
    if (!h) return error_nomem(e);
    *h = (struct hash_report){ .report = r, .what = *what };
    gather_init(&h->g, &r->arena, options);
    buffer_init(&h->text, r->arena.memory);
    r->done = done;
    r->done_ctx = h;
    for (size_t i = 0; i < n; i++)
        if (remote_is(paths[i]) && path_kind(paths[i]) == PATH_ABSENT)
            return remote_refuse(paths[i], "hash", e);
    for (size_t i = 0; i < n; i++)
        if (!gather_path(&h->g, paths[i], e)) return false;
    if (!run_jobs(h, work, e) || !tell_failures(h, e) || !digest_models(h, e) || !make_lines(h, e) ||
        !make_quiet(h, e))
        return false;
    count_trouble(h);
    lay_out(h);
    return true;
}

numel_rc numel_report_hash(numel_report **out, const char *const *paths, size_t n, const numel_hashing *what,
                           const numel_options *options, const numel_work *work, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    numel_hashing own_what;
    numel_options own_options;
    numel_work own_work;
    *out = NULL;
    if (!border_hashing(&own_what, what, e) || !border_options(&own_options, options, e) ||
        !border_work(&own_work, work, e))
        return e->code;
    *out = report_new(own_options.allocator, "numel.hash/1", e);
    return report_made(out, *out && make_report(*out, paths, n, &own_what, &own_options, &own_work, e), e);
}

/*
 * verify_sections.c -- the report of `numel verify`: a line per file, the findings with the worst first, a
 * verdict, and what to do.
 *
 *     file                                      bytes  tensors
 *     model-00001-of-00002.safetensors  9,976,576,152      241  ok
 *     model-00002-of-00002.safetensors  3,198,300,000       50  1 error
 *
 *     error  data-missing  model-00002-of-00002.safetensors:3198300000: 301,989,888 bytes short ...
 *
 *     incomplete: 1 error, 0 warnings
 *     download model-00002-of-00002.safetensors again
 */
#include "reporter/verify_internal.h"

#include "base/num.h"
#include "base/text.h"
#include "source/folder.h"

#include <stdlib.h>
#include <string.h>

/* ---- gathering ---------------------------------------------------------------------------- */

NUMEL_MUST static bool gather_files(struct verify_report *r, numel_error *e)
{
    size_t n = verify_file_rows(r);
    r->files = arena_alloc(r->arena, (n + 1) * sizeof *r->files);
    if (!r->files) return error_nomem(e);
    for (size_t i = 0; i < n; i++) {
        const struct file_state *s = &r->ck->states[i];
        r->files[i] = (struct verify_file){ .path = text_of(s->path), .state = s };
        if (!names_reserve(&r->by_path, i + 1, e)) return false;
        names_enter(&r->by_path, r->files, i);
    }
    return true;
}

/* Does it explain the other findings? A piece of a file lacks what the other pieces hold. */
static bool is_cause(const struct verify_shown *s) { return finding_remedy(s->f) == REMEDY_JOIN; }

static int by_weight(const void *a, const void *b)
{
    const struct verify_shown *x = a, *y = b;
    if (x->severity != y->severity) return x->severity > y->severity ? -1 : 1;
    if (x->folded != y->folded) return x->folded ? 1 : -1;
    if (is_cause(x) != is_cause(y)) return is_cause(x) ? -1 : 1;
    if (x->f->level != y->f->level) return x->f->level < y->f->level ? -1 : 1;
    return x->f < y->f ? -1 : x->f > y->f;
}

/* Notes the most important remedy of a file, which is the last in the enumeration. */
static void note_remedy(struct verify_report *r, struct verify_file *file, const struct verify_shown *s)
{
    enum remedy what = finding_remedy(s->f);
    if (s->severity == NUMEL_NOTE) return;
    r->reconcile |= what == REMEDY_RECONCILE;
    if (file && what != REMEDY_INDEX && what != REMEDY_CONFIG && what != REMEDY_RECONCILE)
        file->remedy = (enum remedy)num_max(file->remedy, what);
}

/* Is the remedy a file outside the set? */
static bool is_beside(const struct verify_report *r, const struct verify_shown *s)
{
    enum remedy what = finding_remedy(s->f);
    if (s->severity == NUMEL_NOTE || !s->f->file[0]) return false;
    if (what == REMEDY_INDEX) return true;
    return (what == REMEDY_APART || what == REMEDY_CONFIG || what == REMEDY_REVIEW) &&
           names_find(&r->by_path, r->files, text_of(s->f->file)) == NAMES_ABSENT;
}

NUMEL_MUST static bool gather_findings(struct verify_report *r, numel_error *e)
{
    const struct findings *all = &r->ck->findings;
    r->shown = arena_alloc(r->arena, (all->count + 1) * sizeof *r->shown);
    if (!r->shown) return error_nomem(e);
    for (size_t i = 0; i < all->count; i++) {
        const numel_finding *f = &all->items[i];
        struct verify_shown s = { .f = f, .severity = f->severity };
        if (f->level > r->v->level && f->level != NUMEL_LEVEL_VALUES) continue;
        if (r->ck->strict) s.severity = finding_strictly(f);
        r->reviews += s.severity == NUMEL_ERROR && finding_remedy(f) == REMEDY_REVIEW;
        uint32_t at = names_find(&r->by_path, r->files, text_of(f->file));
        struct verify_file *file = at == NAMES_ABSENT ? NULL : &r->files[at];
        if (file) file->count[s.severity]++;
        s.beside = is_beside(r, &s);
        r->beside += s.beside;
        note_remedy(r, file, &s);
        r->tally[s.severity]++;
        r->shown[r->count++] = s;
    }
    if (!verify_causes(r, e)) return false;
    if (r->count) qsort(r->shown, r->count, sizeof *r->shown, by_weight);
    for (int s = NUMEL_ERROR; s >= NUMEL_NOTE; s--) r->first[s] = r->first[s + 1] + (size_t)r->tally[s];
    return true;
}

/* ---- texts -------------------------------------------------------------------------------- */

enum { TEXT_SHOWN = 20 }; /* findings of one severity */

NUMEL_MUST static bool make_lines(struct verify_report *r, numel_error *e)
{
    for (int s = NUMEL_NOTE; s <= NUMEL_ERROR; s++) {
        size_t from = r->first[s + 1], to = r->first[s];
        if (!r->v->check->all) to = num_min(to - (size_t)r->folded[s], from + TEXT_SHOWN);
        for (size_t i = from; i < to; i++) {
            const numel_finding *f = r->shown[i].f;
            r->shown[i].text = finding_text(r->arena, verify_short_path(r->ck, f->file), f);
            if (!r->shown[i].text) return error_nomem(e);
        }
    }
    return true;
}

static struct toned counted(struct arena *a, enum tone tone, uint64_t n, const char *what)
{
    char text[TEXT_COUNT];
    return (struct toned){ arena_format(a, "%s", text_count(text, n, what)), tone, 0 };
}

NUMEL_MUST static bool judge_files(struct verify_report *r, numel_error *e)
{
    for (size_t i = 0; i < verify_file_rows(r); i++) {
        struct verify_file *f = &r->files[i];
        uint64_t errors = f->count[NUMEL_ERROR], warnings = f->count[NUMEL_WARNING];
        f->ok = false;
        if (f->state->missing) f->verdict = (struct toned){ "missing", TONE_BAD, 0 };
        else if (f->state->promised) f->verdict = (struct toned){ "pointer", TONE_PART, 0 };
        else if (errors) f->verdict = counted(r->arena, TONE_BAD, errors, "error");
        else if (warnings) f->verdict = counted(r->arena, TONE_PART, warnings, "warning");
        else if (f->state->file == NAMES_ABSENT) f->verdict = (struct toned){ "not read", TONE_NONE, 0 };
        else f->verdict = (struct toned){ "ok", TONE_GOOD, 0 }, f->ok = true;
        if (!f->verdict.text) return error_nomem(e);
    }
    return true;
}

/* Number of files without a verdict: those that changed while being read, or all if none is a
 * checkpoint's. */
static size_t without_verdict(const struct verify_report *r)
{
    size_t changed = 0, known = (size_t)r->v->set->absent;
    for (size_t i = 0; i < r->count; i++) changed += finding_remedy(r->shown[i].f) == REMEDY_AGAIN;
    for (size_t i = 0; i < verify_file_rows(r); i++)
        known += r->files[i].state->recognised || r->files[i].state->missing;
    return changed ? changed : known ? 0 : verify_file_total(r);
}

/* ---- rows --------------------------------------------------------------------------------- */

static void head_row(struct table_row *row, struct cell *c)
{
    const struct verify_report *r = row->of;
    c[1] = CELL_T(finding_level(r->v->level));
}

static const struct table head_table = TABLE(
    NULL, NULL, SECTION_FIELDS, 0, head_row, { "path", "", 0, VIA(CELL_STR, struct verify_report, ck, path) },
    { "level", NULL, 0, MADE }, { NULL, "levels", 0, AT(CELL_TEXT, struct verify_report, levels) },
    { NULL, "index", 0, AT(CELL_TEXT, struct verify_report, promised) });

/* The file size according to its header. */
static uint64_t declared(const numel_file *f) { return f->bytes - f->trailing + f->missing; }

static void file_row(struct table_row *at, struct cell *c)
{
    const struct verify_report *r = at->of;
    const struct verify_file *row = at->item;
    const struct file_state *s = row->state;
    const numel_file *f = s->file < r->ck->file_count ? &r->ck->files[s->file] : NULL;
    c[1] = CELL_S(text_of(verify_short_path(r->ck, row->path.p)));
    if (f) c[2] = CELL_U(CELL_COUNT, f->bytes);
    else if (!s->missing) c[2] = CELL_U(CELL_COUNT, path_bytes(row->path.p));
    if (f) c[3] = CELL_U(CELL_COUNT, declared(f));
    else if (s->promised) c[3] = CELL_U(CELL_COUNT, s->promised);
    if (f) c[4] = CELL_U(CELL_COUNT, f->tensors);
    c[8] = CELL_U(CELL_BOOL, row->count[NUMEL_ERROR] == 0 && s->file != NAMES_ABSENT);
}

static const struct table file_table =
    TABLE("files", "", SECTION_LIST, TABLE_HEADED, file_row,
          { "path", NULL, 0, AT(CELL_STR, struct verify_file, path) }, { NULL, "file", COLUMN_NAME, MADE },
          { "bytes", "bytes", COLUMN_RIGHT, MADE }, { "declared_bytes", NULL, 0, MADE },
          { "tensors", "tensors", COLUMN_RIGHT, MADE },
          { "errors", NULL, 0, AT(CELL_COUNT, struct verify_file, count[NUMEL_ERROR]) },
          { "warnings", NULL, 0, AT(CELL_COUNT, struct verify_file, count[NUMEL_WARNING]) },
          { NULL, "", COLUMN_NOTE, AT(CELL_TEXT, struct verify_file, verdict) }, { "ok", NULL, 0, MADE });

static void finding_row(struct table_row *row, struct cell *c)
{
    const struct verify_shown *s = row->item;
    c[1] = severity_cell(s->severity);
    c[2] = CELL_T(finding_level(s->f->level));
    if (s->f->offset != NUMEL_NOWHERE) c[5] = CELL_U(CELL_NUMBER, s->f->offset);
    if (s->cause) c[7] = CELL_U(CELL_NUMBER, s->cause - 1);
}

static const struct table finding_table = TABLE(
    "findings", NULL, SECTION_LIST, TABLE_HIDDEN, finding_row,
    { "code", NULL, 0, VIA(CELL_TEXT, struct verify_shown, f, code) }, { "severity", NULL, 0, MADE },
    { "level", NULL, 0, MADE }, { "file", NULL, 0, VIA(CELL_STR, struct verify_shown, f, file) },
    { "tensor", NULL, 0, VIA(CELL_TEXT, struct verify_shown, f, tensor) }, { "offset", NULL, 0, MADE },
    { "message", NULL, 0, VIA(CELL_TEXT, struct verify_shown, f, message) }, { "cause", NULL, 0, MADE });

static void line_row(struct table_row *row, struct cell *c)
{
    const struct verify_shown *s = row->item;
    c[0] = severity_cell(s->severity);
}

static const struct table line_table =
    TABLE(NULL, "", SECTION_LIST, TABLE_FILLED, line_row, { NULL, "", 0, MADE },
          { NULL, "", 0, VIA(CELL_TEXT, struct verify_shown, f, code) },
          { NULL, "", COLUMN_WRAP, AT(CELL_TEXT, struct verify_shown, text) });

static void verdict_row(struct table_row *row, struct cell *c)
{
    const struct verify_report *r = row->of;
    c[3] = CELL_U(CELL_BOOL, r->tally[NUMEL_ERROR] == 0);
    c[4] = CELL_U(CELL_BOOL, r->v->in_part || r->v->unread);
}

static const struct table verdict_table =
    TABLE(NULL, NULL, SECTION_FIELDS, TABLE_HIDDEN, verdict_row,
          { "errors", NULL, 0, AT(CELL_COUNT, struct verify_report, tally[NUMEL_ERROR]) },
          { "warnings", NULL, 0, AT(CELL_COUNT, struct verify_report, tally[NUMEL_WARNING]) },
          { "verdict", NULL, 0, AT(CELL_TEXT, struct verify_report, verdict) }, { "ok", NULL, 0, MADE },
          { "in_part", NULL, 0, MADE });

static const struct table verdict_line_table = TABLE(
    NULL, "", SECTION_LIST, 0, NULL, { NULL, "", COLUMN_WRAP, AT(CELL_TEXT, struct verify_report, verdict) });

static const struct table next_table = TABLE("next", NULL, SECTION_LIST, TABLE_FILLED, NULL,
                                             { "do", "", COLUMN_WRAP, ITSELF(CELL_TEXT, const char *) });

/* ---- the report --------------------------------------------------------------------------- */

/* Shortens a list in text. */
static void add_list(struct numel_report *out, const struct verify_report *r, struct section *s)
{
    if (!r->v->check->all) report_shorten(out, s, TEXT_SHOWN);
}

static bool add_lines(struct numel_report *out, struct verify_report *r)
{
    if (!verify_cause_lines(out, r)) return false;
    for (int s = NUMEL_ERROR; s >= NUMEL_NOTE; s--) {
        size_t from = r->first[s + 1], to = r->first[s] - (r->v->check->all ? 0 : (size_t)r->folded[s]);
        add_list(out, r, report_list(out, &line_table, ROWS(r->shown + from, to - from), NULL));
    }
    return true;
}

/* If there are many files, text shows only those that are not ok. */
static bool add_bad_files(struct numel_report *out, struct verify_report *r)
{
    size_t n = 0;
    r->bad = arena_alloc(r->arena, (verify_file_rows(r) + 1) * sizeof *r->bad);
    if (!r->bad) return false;
    for (size_t i = 0; i < verify_file_rows(r); i++)
        if (!r->files[i].ok) r->bad[n++] = i;
    struct section *s = report_list(out, &file_table, ROWS(r->files, n), r);
    s->is.key = NULL;
    s->is.shows = n ? TABLE_HEADED : 0;
    s->which = r->bad;
    s->text_rows = num_min(n, TEXT_SHOWN);
    size_t fine = verify_file_rows(r) - n, more = n - s->text_rows;
    s->more = arena_format(r->arena, "%s%zu %s ok%s", more ? "... and more; " : "", fine,
                           fine == 1 ? "file is" : "files are", more ? " (--no-truncate shows all)" : "");
    return s->more != NULL;
}

NUMEL_MUST static bool add_sections(struct numel_report *out, struct verify_report *r, numel_error *e)
{
    const struct model *m = r->v->model ? r->v->model->model : NULL;
    name_section(out, r->ck);
    if (!promised_section(out, m, &r->promised, e)) return false;
    report_one(out, &head_table, r);
    bool all = verify_file_rows(r) <= TEXT_SHOWN || r->v->check->all;
    report_list(out, &file_table, ROWS(r->files, verify_file_rows(r)), r)->hidden =
        !all || verify_file_rows(r) == 0;
    if (!all && !add_bad_files(out, r)) return false;
    if (!verify_hash_sections(out, r->v) || !verify_values_sections(out, r->v)) return false;
    report_list(out, &finding_table, ROWS(r->shown, r->count), NULL);
    if (!add_lines(out, r)) return false;
    report_one(out, &verdict_table, r);
    report_list(out, &verdict_line_table, r, 0, 1, r);
    add_list(out, r, report_list(out, &next_table, ROWS(r->next, r->next_count), NULL));
    return true;
}

NUMEL_MUST static bool make_levels(struct verify_report *r, numel_error *e)
{
    struct buffer b;
    buffer_init(&b, r->arena->memory);
    for (int l = NUMEL_LEVEL_HEADER; l <= (int)r->v->level; l++)
        buffer_format(&b, "%s%s", b.n ? ", " : "", finding_level((numel_level)l));
    r->levels = buffer_keep(&b, r->arena);
    return r->levels || error_nomem(e);
}

/* True if the user named the level, or wants --strict: only then a failure to check counts. */
static bool is_asked(const struct verify *v)
{
    return v->check->level == NUMEL_LEVEL_CONFIG || (v->strict && v->level >= NUMEL_LEVEL_CONFIG);
}

bool verify_sections(struct numel_report *out, struct verify *v, numel_error *e)
{
    struct verify_report *r = arena_alloc(&out->arena, sizeof *r);
    if (!r) return error_nomem(e);
    *r = (struct verify_report){ .v = v, .ck = v->ck, .arena = &out->arena };
    names_init(&r->by_path, r->arena->memory, sizeof *r->files);
    bool ok = gather_files(r, e) && gather_findings(r, e) && verify_next(r, e) && make_lines(r, e) &&
              judge_files(r, e) && make_levels(r, e);
    names_done(&r->by_path);
    if (!ok) return false;
    out->unreadable = without_verdict(r);
    out->disagrees = r->tally[NUMEL_ERROR] > 0;
    out->in_part = (r->v->in_part && is_asked(r->v)) || r->v->unread;
    out->stopped = v->stopped;
    return verify_verdict(r, out->unreadable, e) && (add_sections(out, r, e) || error_nomem(e));
}

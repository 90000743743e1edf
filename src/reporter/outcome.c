/*
 * outcome.c -- the outcome of many verify reports: totals, and all results by checkpoint and level.
 *
 * It is read from the sections of the reports, by the keys of numel.verify/1, so it cannot contradict them.
 * Results are copied, as each report is freed before the next is made.
 */
#include "page/report.h"

#include "base/border.h"
#include "base/text.h"
#include "registry/finding.h"
#include "source/target.h"

#include <string.h>

enum outcome_kind { OUTCOME_COMPLETE, OUTCOME_DAMAGED, OUTCOME_PART, OUTCOME_UNREADABLE, OUTCOME_KINDS };

struct numel_outcome {
    struct arena arena;
    bool keep;
    uint64_t kinds[OUTCOME_KINDS];
    uint64_t files, bytes, findings[NUMEL_ERROR + 1];
    bool disagrees, in_part;
    struct check_suite *suites;
    size_t count, cap;
    struct check_rule *rules;
    struct checks checks;
};

/* ---- what a report says ------------------------------------------------------------------- */

static const struct section *section_of(const struct numel_report *r, const char *key)
{
    for (unsigned i = 0; i < r->count; i++)
        if (r->sections[i].is.key && strcmp(r->sections[i].is.key, key) == 0) return &r->sections[i];
    return NULL;
}

static int column_of(const struct section *s, const char *key)
{
    for (unsigned i = 0; i < s->is.column_count; i++)
        if (s->is.columns[i].key && strcmp(s->is.columns[i].key, key) == 0) return (int)i;
    return -1;
}

static struct cell cell_of(const struct section *s, size_t row, const char *key)
{
    struct cell cells[REPORT_COLUMNS];
    int at = s ? column_of(s, key) : -1;
    if (at < 0 || row >= s->rows) return (struct cell){ .kind = CELL_NULL };
    section_row(s, row, cells);
    return cells[at];
}

/* A key of the report itself. */
static struct cell field_of(const struct numel_report *r, const char *key)
{
    for (unsigned i = 0; i < r->count; i++)
        if (r->sections[i].is.form == SECTION_FIELDS && column_of(&r->sections[i], key) >= 0)
            return cell_of(&r->sections[i], 0, key);
    return (struct cell){ .kind = CELL_NULL };
}

static numel_str text_in(struct cell c)
{
    if (c.kind == CELL_STR) return c.s;
    return c.kind == CELL_TEXT && c.t ? text_of(c.t) : (numel_str){ "", 0 };
}

/* A copy that outlives the report; "" if memory runs out, which the arena records. */
static numel_str keep(struct numel_outcome *o, struct cell c)
{
    numel_str s = text_in(c);
    const char *own = arena_text(&o->arena, s.p, s.n);
    return own ? (numel_str){ own, s.n } : (numel_str){ "", 0 };
}

static numel_severity severity_of(numel_str s)
{
    return text_equal(s, "error") ? NUMEL_ERROR : text_equal(s, "warning") ? NUMEL_WARNING : NUMEL_NOTE;
}

/* ---- cases -------------------------------------------------------------------------------- */

static bool has_severity(const struct check_suite *s, const char *level, const char *severity)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->results[i].level, level) == 0 && strcmp(s->results[i].severity, severity) == 0)
            return true;
    return false;
}

/* The message of a note that something could not be checked; NULL if there is none. A file of unknown
 * digest counts only if no file was compared. */
static const char *skipped_for(const struct check_suite *s, const char *level, bool compared)
{
    static const char *const codes[] = { "data-absent",  "model-unchecked", "model-in-part",
                                         "hash-unknown", "manifest-unread", "value-unread" };
    for (size_t i = 0; i < s->count; i++) {
        if (strcmp(s->results[i].level, level) != 0) continue;
        for (size_t k = 0; k < sizeof codes / sizeof *codes; k++)
            if (strcmp(s->results[i].code, codes[k]) == 0 &&
                !(compared && strcmp(codes[k], "hash-unknown") == 0))
                return s->results[i].message;
    }
    return NULL;
}

static void add_case(struct check_suite *s, const char *level, bool compared)
{
    struct check_case *c = &s->cases[s->case_count++];
    *c = (struct check_case){ .name = level, .verdict = CHECK_PASSED };
    if (has_severity(s, level, "error")) c->verdict = CHECK_FAILED;
    else if ((c->why = skipped_for(s, level, compared)) != NULL) c->verdict = CHECK_SKIPPED;
}

/* Does the list have a row whose `key` differs from `none`? */
static bool any_but(const struct numel_report *r, const char *list, const char *key, const char *none)
{
    const struct section *s = section_of(r, list);
    for (size_t i = 0; s && i < s->rows; i++)
        if (!text_equal(text_in(cell_of(s, i, key)), none)) return true;
    return false;
}

static void add_cases(struct check_suite *s, const struct numel_report *r, const char *broken)
{
    numel_str highest = text_in(field_of(r, "level"));
    bool compared = any_but(r, "content", "verdict", "not known"), more = true;
    for (int l = NUMEL_LEVEL_HEADER; more && l <= NUMEL_LEVEL_HASH; l++) {
        const char *level = finding_level((numel_level)l);
        add_case(s, level, compared);
        more = !text_equal(highest, level);
    }
    if (section_of(r, "values")) add_case(s, finding_level(NUMEL_LEVEL_VALUES), true);
    if (!broken) return;
    s->cases[0].verdict = CHECK_BROKEN;
    s->cases[0].why = broken;
}

/* ---- adding ------------------------------------------------------------------------------- */

NUMEL_MUST static struct check_suite *new_suite(struct numel_outcome *o, numel_error *e)
{
    void *p = o->suites;
    if (!memory_grow(o->arena.memory, &p, &o->cap, o->count + 1, sizeof *o->suites, e)) return NULL;
    o->suites = p;
    o->suites[o->count] = (struct check_suite){ .count = 0 };
    return &o->suites[o->count];
}

NUMEL_MUST static bool keep_results(struct numel_outcome *o, const struct section *list,
                                    struct check_suite *s, numel_error *e)
{
    struct check_result *results = arena_alloc(&o->arena, (list->rows + 1) * sizeof *results);
    if (!results) return error_nomem(e);
    for (size_t i = 0; i < list->rows; i++) {
        struct cell offset = cell_of(list, i, "offset");
        results[i] = (struct check_result){ .code = keep(o, cell_of(list, i, "code")).p,
                                            .severity = keep(o, cell_of(list, i, "severity")).p,
                                            .level = keep(o, cell_of(list, i, "level")).p,
                                            .message = keep(o, cell_of(list, i, "message")).p,
                                            .file = keep(o, cell_of(list, i, "file")),
                                            .tensor = keep(o, cell_of(list, i, "tensor")),
                                            .offset = offset.kind == CELL_NULL ? NUMEL_NOWHERE : offset.u };
    }
    s->results = results;
    s->count = list->rows;
    return !o->arena.failed || error_nomem(e);
}

/* Counts the rows of "files", and adds up their bytes. */
static uint64_t count_files(struct numel_outcome *o, const struct numel_report *r)
{
    const struct section *files = section_of(r, "files");
    for (size_t i = 0; files && i < files->rows; i++) {
        uint64_t bytes = cell_of(files, i, "bytes").u;
        o->bytes = bytes <= UINT64_MAX - o->bytes ? o->bytes + bytes : UINT64_MAX;
    }
    o->files += files ? files->rows : 0;
    return files ? files->rows : 0;
}

/* For a report without an error: did its levels leave anything unchecked? */
static bool is_part(const struct numel_report *r, const struct section *list)
{
    bool part = field_of(r, "in_part").u != 0 || r->in_part;
    for (size_t i = 0; i < list->rows; i++)
        part |= text_equal(text_in(cell_of(list, i, "code")), "data-absent");
    return part;
}

static void count_kind(struct numel_outcome *o, enum outcome_kind kind)
{
    o->kinds[kind]++;
    o->disagrees |= kind == OUTCOME_DAMAGED || kind == OUTCOME_UNREADABLE;
    o->in_part |= kind == OUTCOME_PART;
}

NUMEL_MUST static bool add_verify(struct numel_outcome *o, const struct numel_report *r, numel_error *e)
{
    const struct section *list = section_of(r, "findings");
    bool broken = r->unreadable || r->stopped;
    for (size_t i = 0; i < list->rows; i++) o->findings[severity_of(text_in(cell_of(list, i, "severity")))]++;
    enum outcome_kind kind = broken             ? OUTCOME_UNREADABLE
                             : r->disagrees     ? OUTCOME_DAMAGED
                             : is_part(r, list) ? OUTCOME_PART
                                                : OUTCOME_COMPLETE;
    /* A complete folder of components is not another checkpoint. */
    if (count_files(o, r) || kind != OUTCOME_COMPLETE) count_kind(o, kind);
    if (!o->keep) return true;
    struct check_suite *s = new_suite(o, e);
    if (!s || !keep_results(o, list, s, e)) return false;
    s->path = keep(o, field_of(r, "path"));
    add_cases(s, r, broken ? keep(o, field_of(r, "verdict")).p : NULL);
    o->count++;
    return !o->arena.failed || error_nomem(e);
}

/* A path that could not be examined: a single case without a verdict. */
NUMEL_MUST static bool add_error(struct numel_outcome *o, const struct numel_report *r, numel_error *e)
{
    count_kind(o, OUTCOME_UNREADABLE);
    if (!o->keep) return true;
    struct check_suite *s = new_suite(o, e);
    if (!s) return false;
    s->path = keep(o, field_of(r, "path"));
    s->cases[0] = (struct check_case){ .name = finding_level(NUMEL_LEVEL_HEADER),
                                       .verdict = CHECK_BROKEN,
                                       .why = keep(o, cell_of(section_of(r, "error"), 0, "message")).p };
    s->case_count = 1;
    o->count++;
    return !o->arena.failed || error_nomem(e);
}

numel_rc numel_outcome_add(numel_outcome *o, const numel_report *r, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    if (strcmp(r->schema, "numel.verify/1") == 0) (void)(add_verify(o, r, e) || error_nomem(e));
    else if (strcmp(r->schema, "numel.error/1") == 0) (void)(add_error(o, r, e) || error_nomem(e));
    else error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "it is not a report of verify, nor of an error");
    return e->code;
}

/* ---- opening, closing --------------------------------------------------------------------- */

NUMEL_MUST static bool list_rules(struct numel_outcome *o, numel_error *e)
{
    static const char *const names[] = {
        [NUMEL_NOTE] = "note", [NUMEL_WARNING] = "warning", [NUMEL_ERROR] = "error"
    };
    o->rules = arena_alloc(&o->arena, FINDING_RULES * sizeof *o->rules);
    if (!o->rules) return error_nomem(e);
    for (unsigned i = 0; i < FINDING_RULES; i++) {
        numel_severity severity;
        o->rules[i].code = finding_rule_at(i, &severity, &o->rules[i].about);
        o->rules[i].severity = names[severity];
    }
    return true;
}

numel_rc numel_outcome_open(numel_outcome **out, bool results, const numel_options *options,
                            numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    numel_options own;
    *out = NULL;
    if (!border_options(&own, options, e)) return e->code;
    struct numel_outcome *o = memory_resize(own.allocator, NULL, sizeof *o);
    if (!o) {
        error_nomem(e);
        return e->code;
    }
    *o = (struct numel_outcome){ .keep = results };
    arena_init(&o->arena, own.allocator);
    if (list_rules(o, e)) *out = o;
    else numel_outcome_close(o);
    return e->code;
}

void numel_outcome_close(numel_outcome *o)
{
    if (!o) return;
    const numel_allocator *m = o->arena.memory;
    memory_release(m, o->suites);
    arena_done(&o->arena);
    memory_release(m, o);
}

/* ---- the grand total ---------------------------------------------------------------------- */

struct total {
    const struct numel_outcome *o;
    struct checks checks;
    const char *checkpoints, *verdicts, *findings;
};

static void line_row(struct table_row *row, struct cell *c)
{
    const struct total *t = row->of;
    const char *const labels[] = { "total", "size", "verdicts", "findings" };
    const char *const texts[] = { t->checkpoints, NULL, t->verdicts, t->findings };
    c[0] = CELL_T(labels[row->i]);
    c[1] = texts[row->i] ? CELL_T(texts[row->i]) : CELL_U(CELL_BYTES, t->o->bytes);
}

static const struct table line_table =
    TABLE(NULL, NULL, SECTION_LIST, 0, line_row, { NULL, "", 0, MADE }, { NULL, "", COLUMN_WRAP, MADE });

static uint64_t checkpoints(const struct numel_outcome *o)
{
    uint64_t n = 0;
    for (int i = 0; i < OUTCOME_KINDS; i++) n += o->kinds[i];
    return n;
}

static void total_row(struct table_row *row, struct cell *c)
{
    c[0] = CELL_U(CELL_COUNT, checkpoints(row->of));
}

static const struct table total_table =
    TABLE(NULL, NULL, SECTION_FIELDS, TABLE_HIDDEN, total_row, { "checkpoints", NULL, 0, MADE },
          { "complete", NULL, 0, AT(CELL_COUNT, struct numel_outcome, kinds[OUTCOME_COMPLETE]) },
          { "damaged", NULL, 0, AT(CELL_COUNT, struct numel_outcome, kinds[OUTCOME_DAMAGED]) },
          { "in_part", NULL, 0, AT(CELL_COUNT, struct numel_outcome, kinds[OUTCOME_PART]) },
          { "unreadable", NULL, 0, AT(CELL_COUNT, struct numel_outcome, kinds[OUTCOME_UNREADABLE]) },
          { "files", NULL, 0, AT(CELL_COUNT, struct numel_outcome, files) },
          { "bytes", NULL, 0, AT(CELL_COUNT, struct numel_outcome, bytes) },
          { "errors", NULL, 0, AT(CELL_COUNT, struct numel_outcome, findings[NUMEL_ERROR]) },
          { "warnings", NULL, 0, AT(CELL_COUNT, struct numel_outcome, findings[NUMEL_WARNING]) },
          { "notes", NULL, 0, AT(CELL_COUNT, struct numel_outcome, findings[NUMEL_NOTE]) });

NUMEL_MUST static const char *counted(struct arena *a, uint64_t n, const char *what, const char *last)
{
    char number[TEXT_NUMBER];
    return arena_format(a, "%s %s%s%s", text_number(number, n), what, n == 1 ? "" : "s", last);
}

NUMEL_MUST static bool make_texts(struct total *t, struct arena *a, numel_error *e)
{
    const struct numel_outcome *o = t->o;
    char n[OUTCOME_KINDS][TEXT_NUMBER];
    const char *all = counted(a, checkpoints(o), "checkpoint", ", ");
    const char *files = counted(a, o->files, "file", "");
    const char *errors = counted(a, o->findings[NUMEL_ERROR], "error", ", ");
    const char *warnings = counted(a, o->findings[NUMEL_WARNING], "warning", ", ");
    const char *notes = counted(a, o->findings[NUMEL_NOTE], "note", "");
    if (!all || !files || !errors || !warnings || !notes) return error_nomem(e);
    for (int i = 0; i < OUTCOME_KINDS; i++) text_number(n[i], o->kinds[i]);
    t->checkpoints = arena_format(a, "%s%s", all, files);
    t->verdicts =
        arena_format(a, "%s complete, %s damaged, %s not fully checked, %s unreadable", n[OUTCOME_COMPLETE],
                     n[OUTCOME_DAMAGED], n[OUTCOME_PART], n[OUTCOME_UNREADABLE]);
    t->findings = arena_format(a, "%s%s%s", errors, warnings, notes);
    return (t->checkpoints && t->verdicts && t->findings) || error_nomem(e);
}

NUMEL_MUST static bool make_total(struct numel_report *r, const struct numel_outcome *o, numel_error *e)
{
    struct total *t = arena_alloc(&r->arena, sizeof *t);
    if (!t) return error_nomem(e);
    *t = (struct total){ .o = o };
    t->checks = (struct checks){ o->suites, o->count, o->rules, FINDING_RULES };
    if (!make_texts(t, &r->arena, e)) return false;
    r->checks = o->keep ? &t->checks : NULL;
    r->disagrees = o->disagrees;
    r->in_part = o->in_part;
    r->quiet_nothing = true;
    report_one(r, &total_table, o);
    report_list(r, &line_table, t, 0, 4, t);
    return true;
}

numel_rc numel_report_outcome(numel_report **out, const numel_outcome *o, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    *out = report_new(o->arena.memory, "numel.outcome/1", e);
    return report_made(out, *out && make_total(*out, o, e), e);
}

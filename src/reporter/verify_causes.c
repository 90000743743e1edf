/*
 * verify_causes.c -- the causes of findings: each is a line, and the findings that it explains fold under it.
 *
 *     error  key-differs  config.json says num_hidden_layers is 2, the file has 4 layers: set it to 4
 *                         and 18 that follow from it (--no-truncate shows them)
 */
#include "reporter/verify_internal.h"

#include "base/num.h"
#include "base/text.h"
#include "subject/change.h"
#include "subject/judgement.h"

/* The number of a cause in the judgement, counted from 1; 0 if it is not there. */
static uint32_t number_in(const numel_judgement *j, const char *text)
{
    for (size_t i = 0; i < j->cause_count; i++)
        if (strcmp(j->causes[i].text, text) == 0) return (uint32_t)i + 1;
    return 0;
}

/* The number of a cause that is this very finding; 0 if there is none. */
static uint32_t number_like(const numel_judgement *j, const numel_finding *f)
{
    for (size_t i = 0; i < j->cause_count; i++)
        if (strcmp(j->causes[i].code, f->code) == 0 || strcmp(j->causes[i].text, f->message) == 0)
            return (uint32_t)i + 1;
    return 0;
}

/* The cause of a loader that is also this finding; the finding folds under the cause's line. */
static uint32_t loader_of(const struct verify_report *r, const numel_finding *f)
{
    for (size_t i = 0; i < r->cause_count; i++)
        if (r->causes[i].of->loader && strcmp(r->causes[i].of->text, f->message) == 0) return (uint32_t)i + 1;
    return CHANGE_NONE;
}

static void fold(struct verify_report *r, struct verify_shown *s, uint32_t cause)
{
    struct verify_cause *c = &r->causes[cause - 1];
    s->cause = number_in(r->judgement, c->of->text);
    s->folded = !c->of->alone;
    s->lacks = c->of->lacks;
    c->folded += s->folded;
    if (s->folded && s->severity > c->severity) c->severity = s->severity;
}

/* "200 more findings like this: model-tensor-missing" folds with the findings that it continues. */
static void fold_more(struct verify_report *r, struct verify_shown *s)
{
    if (strcmp(s->f->code, "more-findings") != 0) return;
    for (size_t i = 0; i < r->count; i++) {
        const struct verify_shown *like = &r->shown[i];
        if (!like->folded || !text_ends(text_of(s->f->message), like->f->code)) continue;
        s->folded = true;
        s->cause = like->cause;
    }
}

NUMEL_MUST static bool make_causes(struct verify_report *r, const struct change *change, numel_error *e)
{
    r->causes = arena_alloc(r->arena, (change->count + 1) * sizeof *r->causes);
    if (!r->causes) return error_nomem(e);
    for (unsigned i = 0; i < change->count; i++)
        r->causes[i] = (struct verify_cause){ .of = &change->causes[i], .severity = NUMEL_NOTE };
    r->cause_count = change->count;
    return true;
}

bool verify_causes(struct verify_report *r, numel_error *e)
{
    struct handle *c = r->v->model;
    if (!c || r->v->level < NUMEL_LEVEL_CONFIG) return true;
    const struct change *change = change_of(c, e);
    r->judgement = change ? judgement_of(c, e) : NULL;
    if (!r->judgement || !make_causes(r, change, e)) return false;
    for (size_t i = 0; i < r->count; i++) {
        struct verify_shown *s = &r->shown[i];
        uint32_t cause = change_explains(change, s->f);
        if (!cause) cause = loader_of(r, s->f);
        if (cause) fold(r, s, cause);
        else s->cause = number_like(r->judgement, s->f);
    }
    for (size_t i = 0; i < r->count; i++) fold_more(r, &r->shown[i]);
    for (size_t i = 0; i < r->count; i++) r->folded[r->shown[i].severity] += r->shown[i].folded;
    return true;
}

/* ---- lines -------------------------------------------------------------------------------- */

struct cause_line {
    struct toned severity;
    const char *code, *text;
};

struct cause_lines {
    struct cause_line *items;
    size_t count;
};

static const struct table table = TABLE(NULL, "", SECTION_LIST, TABLE_FILLED, NULL,
                                        { NULL, "", 0, AT(CELL_TEXT, struct cause_line, severity) },
                                        { NULL, "", 0, AT(CELL_TEXT, struct cause_line, code) },
                                        { NULL, "", COLUMN_WRAP, AT(CELL_TEXT, struct cause_line, text) });

NUMEL_MUST static bool add_line(struct verify_report *r, struct cause_lines *l, const struct verify_cause *c)
{
    char n[TEXT_NUMBER];
    uint64_t follow = num_max(c->folded, c->of->explains);
    l->items[l->count++] = (struct cause_line){
        { finding_severity(c->severity), tone_of_severity(c->severity), 0 }, c->of->code, c->of->text
    };
    if (!c->folded) return true;
    const char *text = arena_format(r->arena, "and %s that follow%s from it%s", text_number(n, follow),
                                    follow == 1 ? "s" : "",
                                    l->count > 1 || r->v->check->all ? "" : " (--no-truncate shows them)");
    l->items[l->count++] = (struct cause_line){ { "", TONE_NONE, 0 }, "", text };
    return text != NULL;
}

bool verify_cause_lines(struct numel_report *out, struct verify_report *r)
{
    struct cause_lines *l = arena_alloc(r->arena, sizeof *l);
    if (!l || !(l->items = arena_alloc(r->arena, (2 * r->cause_count + 1) * sizeof *l->items))) return false;
    l->count = 0;
    for (size_t i = 0; i < r->cause_count; i++) {
        const struct verify_cause *c = &r->causes[i];
        bool shown = c->folded || (!c->of->explains && r->causes[0].folded);
        if (shown && !add_line(r, l, c)) return false;
    }
    report_list(out, &table, ROWS(l->items, l->count), NULL);
    return true;
}

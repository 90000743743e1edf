/* judged.c -- see judged.h. */
#include "reporter/judged.h"
#include "reporter/judged_text.h"

#include "reporter/handles.h"
#include "reporter/judgement_section.h"

/* ---- judging ------------------------------------------------------------------------------ */

numel_subject *judged_open(const numel_checkpoint *ck, const numel_knowledge *k, const numel_allocator *m,
                           numel_error *e)
{
    const numel_options options = { .size = sizeof options, .allocator = m };
    numel_knowledge known = { .size = sizeof known };
    numel_subject *s;
    if (k) known = *k;
    known.declared_only = known.lone_file = true;
    if (numel_subject_of(&s, ck, &known, &options, e) != NUMEL_OK) return NULL;
    if (numel_subject_judge(s, NULL, e) == NUMEL_OK && (s->whole || handle_config_read(s->handle, e)))
        return s;
    subject_free(s);
    return NULL;
}

/* True if a search would change nothing: it was already made, or the files state the architecture. */
static bool is_settled(const numel_subject *s)
{
    const struct model *m = s->handle ? s->handle->model : NULL;
    return s->handle && (s->handle->search || (m && m->from && m->entry && !m->by_tensors));
}

/* ---- its text ----------------------------------------------------------------------------- */

NUMEL_MUST static bool make_text(struct judged_text *t, numel_error *e)
{
    const struct numel_subject *given = t->subject;
    bool settled = given && is_settled(given);
    numel_subject *own =
        settled ? NULL : judged_open(t->ck, given ? &given->knowledge : NULL, t->report->arena.memory, e);
    const numel_judgement *j = NULL;
    if ((own || settled) && numel_subject_judge(own ? own : t->subject, &j, e) == NUMEL_OK)
        t->json = judgement_json(j, &t->report->arena);
    subject_free(own);
    return j ? t->json != NULL : e->code != NUMEL_E_NOMEM;
}

struct cell judged_cell(struct judged_text *t)
{
    if (!t->made && !make_text(t, &t->why)) return (struct cell){ .kind = CELL_RAW }; /* NOMEM */
    if (!t->made && t->why.code == NUMEL_E_IO) t->report->lost = &t->why;
    t->made = true;
    return t->json ? (struct cell){ .kind = CELL_RAW, .t = t->json } : (struct cell){ .kind = CELL_NULL };
}

static void fill_row(struct table_row *row, struct cell *c)
{
    c[0] = judged_cell((struct judged_text *)(uintptr_t)row->of);
}

static const struct table table =
    TABLE(NULL, NULL, SECTION_FIELDS, TABLE_HIDDEN, fill_row, { "judgement", NULL, 0, MADE });

bool judged_later(struct numel_report *r, const numel_checkpoint *ck, numel_error *e)
{
    struct judged_text *t = arena_alloc(&r->arena, sizeof *t);
    if (!t) return error_nomem(e);
    *t = (struct judged_text){ .ck = ck, .report = r };
    report_one(r, &table, t);
    return true;
}

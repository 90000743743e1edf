/* judged.c -- see judged.h. */
#include "reporter/judged.h"
#include "reporter/judged_text.h"

#include "reporter/judgement_section.h"
#include "reporter/list_row.h"
#include "reporter/parts.h"
#include "subject/whole.h"

/* ---- judging ------------------------------------------------------------------------------ */

NUMEL_MUST static bool judge_parts(struct judged *j, const numel_knowledge *k, const numel_options *options,
                                   numel_error *e)
{
    const struct component_asking asking = { list_row_make, list_row_ask, options, k };
    j->judgement = &j->own;
    return components_of_parts(&j->whole, j->parts, &j->arena, e) &&
           components_ask(&j->whole, &asking, &j->arena, e) &&
           judgement_of_whole(&j->own, &j->whole, &j->arena, e);
}

/* Does a search change nothing, because it was made, or because the files say what it is? */
static bool is_settled(const struct numel_model *c)
{
    const struct model *m = c->model;
    return c->search || (m && m->from && m->entry && !m->by_tensors);
}

NUMEL_MUST static bool judge_model(struct judged *j, const numel_checkpoint *ck, struct numel_model *given,
                                   const numel_knowledge *k, const numel_options *options, numel_error *e)
{
    j->borrowed = given && is_settled(given);
    if (j->borrowed) j->model = given;
    else if (numel_model_open(&j->model, ck, NULL, k, options, e) != NUMEL_OK) return false;
    if (!(j->judgement = judgement_of(j->model, e))) return false;
    const numel_error *unread = &j->model->model->unread;
    if (unread->code == NUMEL_E_IO) *e = *unread;
    return unread->code != NUMEL_E_IO;
}

bool judged_open(struct judged *j, const numel_checkpoint *ck, struct numel_model *given,
                 const numel_allocator *m, numel_error *e)
{
    const numel_options options = { .size = sizeof options, .allocator = m };
    numel_knowledge k = { .size = sizeof k };
    if (given) k = given->knowledge;
    k.size = sizeof k;
    k.declared_only = k.lone_file = k.deferred = true;
    *j = (struct judged){ .judgement = NULL };
    arena_init(&j->arena, m);
    bool ok = parts_open(&j->parts, ck, &k, &options, e) &&
              (j->parts ? judge_parts(j, &k, &options, e) : judge_model(j, ck, given, &k, &options, e));
    if (!ok) judged_close(j);
    return ok;
}

void judged_close(struct judged *j)
{
    if (!j->borrowed) handle_free(j->model);
    single_close(j->parts);
    arena_done(&j->arena);
}

/* ---- its text ----------------------------------------------------------------------------- */

NUMEL_MUST static bool make_text(struct judged_text *t, numel_error *e)
{
    struct judged j;
    if (!judged_open(&j, t->ck, t->model, t->arena->memory, e)) return e->code != NUMEL_E_NOMEM;
    t->json = judgement_json(j.judgement, t->arena);
    judged_close(&j);
    return t->json != NULL;
}

struct cell judged_cell(struct judged_text *t)
{
    numel_error why = { .code = NUMEL_OK };
    if (!t->made && !make_text(t, &why)) return (struct cell){ .kind = CELL_RAW }; /* NOMEM */
    t->made = true;
    return t->json ? (struct cell){ .kind = CELL_RAW, .t = t->json } : (struct cell){ .kind = CELL_NULL };
}

static const struct column columns[] = { { "judgement", NULL, 0 } };

static void row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    (void)i, (void)depth;
    c[0] = judged_cell((struct judged_text *)(uintptr_t)ctx);
}

bool judged_later(struct numel_report *r, const numel_checkpoint *ck, numel_error *e)
{
    struct judged_text *t = arena_alloc(&r->arena, sizeof *t);
    if (!t) return error_nomem(e);
    *t = (struct judged_text){ .ck = ck, .arena = &r->arena };
    report_section(
        r, &(struct section){
               .form = SECTION_FIELDS, .hidden = true, COLUMNS(columns), .rows = 1, .row = row, .ctx = t });
    return true;
}

/* list_components.c -- the row of a folder that is one model of several checkpoints: the sums of those that count. */
#include "reporter/list_row.h"

#include "components/components.h"
#include "reporter/judgement_section.h"
#include "reporter/memory_whole.h"
#include "subject/whole.h"

#include <string.h>

/* The type of the component that holds most. */
static const char *main_type(const struct components *c)
{
    const struct component *most = NULL;
    for (size_t i = 0; i < c->count; i++)
        if (c->items[i].counted && (!most || c->items[i].row.stored > most->row.stored)) most = &c->items[i];
    return most ? most->row.dtype : NULL;
}

/* What its sums do not allow to be said is the row's error. */
NUMEL_MUST static bool refuse(numel_row *row, const numel_error *why, struct arena *a, numel_error *e)
{
    if (why->code == NUMEL_E_NOMEM) return error_nomem(e);
    row->error = arena_copy(a, why, sizeof *why);
    return row->error || error_nomem(e);
}

/* All of them at once, as `memory` has it. */
NUMEL_MUST static bool add_fit(numel_row *row, const struct components *c, const struct component_asking *of,
                               struct arena *a, numel_error *e)
{
    const numel_plan plan = { .size = sizeof plan, .fit = of->knowledge ? of->knowledge->fit : 0 };
    struct memory_ask ask;
    const struct memory_asking asking = { &ask, of->knowledge, of->options };
    struct memory_whole whole = { .c = *c };
    struct memory sum;
    struct arena scratch;
    if (!plan.fit || !memory_ask(&ask, &plan, e)) return !plan.fit;
    arena_init(&scratch, of->options->allocator);
    bool ok = memory_whole_make(&sum, &whole, &asking, &scratch, e) && list_row_fits(row, &sum, a, e);
    memory_whole_done(&whole);
    arena_done(&scratch);
    return ok;
}

bool list_row_sum(numel_row *row, const struct components *c, const struct component_asking *asking,
                  struct arena *a, numel_error *e)
{
    row->format = "safetensors";
    row->architecture = c->class ? arena_text(a, c->class, strlen(c->class)) : NULL;
    row->dtype = main_type(c);
    row->tensors = c->tensors;
    row->stored = c->stored;
    row->parameters = c->checkpoints ? c->parameters : NUMEL_NOT_KNOWN;
    row->bytes = c->bytes;
    row->context_length = row->whole = NUMEL_NOT_KNOWN;
    numel_judgement j;
    if (!judgement_of_whole(&j, c, a, e) || !(row->judgement = judgement_json(&j, a))) return error_nomem(e);
    row->state = j.verdict;
    if (c->class && !row->architecture) return error_nomem(e);
    return add_fit(row, c, asking, a, e);
}

bool list_row_of(numel_row *row, const numel_found *found, size_t i, const numel_options *options,
                 const numel_knowledge *k, struct arena *a, numel_error *e)
{
    struct components c;
    numel_error why = { .code = NUMEL_OK };
    if (!numel_found_components(found, i)) return list_row_make(row, found, i, options, k, a, e);
    const struct component_asking asking = { list_row_make, list_row_ask, options, k };
    if (!components_make(&c, found, i, a, &why) || !components_ask(&c, &asking, a, &why))
        return refuse(row, &why, a, e);
    return list_row_sum(row, &c, &asking, a, &why) || refuse(row, &why, a, e);
}

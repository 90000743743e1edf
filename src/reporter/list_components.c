/* list_components.c -- the row of a folder with a multi-part model: the sums of its counted components. */
#include "reporter/list_row.h"

#include "reporter/components_words.h"
#include "reporter/judgement_section.h"
#include "reporter/memory_whole.h"
#include "reporter/remote_section.h"
#include "subject/whole.h"

#include <string.h>

/* The type of the component with the most elements. */
static const char *main_type(const struct components *c)
{
    const struct component *most = NULL;
    for (size_t i = 0; i < c->count; i++)
        if (c->items[i].counted && (!most || c->items[i].row.stored > most->row.stored)) most = &c->items[i];
    return most ? most->row.dtype : NULL;
}

bool components_judged(numel_judgement *out, struct components *c, const numel_knowledge *k,
                       const numel_options *options, struct arena *a, numel_error *e)
{
    const struct component_asking asking = { list_row_make, list_row_ask, options, k };
    return components_ask(c, &asking, a, e) && judgement_of_whole(out, c, a, e);
}

/* If the sums cannot be made, the reason becomes the row's error. */
NUMEL_MUST static bool refuse(numel_row *row, const numel_error *why, struct arena *a, numel_error *e)
{
    if (why->code == NUMEL_E_NOMEM) return error_nomem(e);
    row->error = arena_copy(a, why, sizeof *why);
    return row->error || error_nomem(e);
}

/* Sets row->fits for all components together, as in `memory`. */
NUMEL_MUST static bool add_fit(numel_row *row, const struct components *c, const numel_options *options,
                               const numel_knowledge *k, struct arena *a, numel_error *e)
{
    const numel_plan plan = { .size = sizeof plan, .fit = k ? k->fit : 0 };
    struct memory_ask ask;
    const struct memory_asking asking = { &ask, k, options };
    struct memory_whole whole = { .c = *c };
    struct memory sum;
    struct arena scratch;
    if (!plan.fit || !memory_ask(&ask, &plan, e)) return !plan.fit;
    arena_init(&scratch, options->allocator);
    bool ok = memory_whole_make(&sum, &whole, &asking, &scratch, e) && list_row_fits(row, &sum, a, e);
    memory_whole_done(&whole);
    arena_done(&scratch);
    return ok;
}

bool list_row_sum(numel_row *row, struct components *c, const numel_options *options,
                  const numel_knowledge *k, struct arena *a, numel_error *e)
{
    numel_judgement j;
    if (!components_judged(&j, c, k, options, a, e)) return false;
    row->format = "safetensors";
    row->architecture = c->class ? arena_text(a, c->class, strlen(c->class)) : NULL;
    row->dtype = main_type(c);
    row->tensors = c->tensors;
    row->stored = c->stored;
    row->parameters = c->checkpoints ? c->parameters : NUMEL_NOT_KNOWN;
    row->bytes = c->bytes;
    row->context_length = row->whole = NUMEL_NOT_KNOWN;
    if (!(row->judgement = judgement_json(&j, a))) return error_nomem(e);
    row->state = j.verdict;
    if (c->class && !row->architecture) return error_nomem(e);
    return add_fit(row, c, options, k, a, e);
}

bool list_row_of(numel_row *row, const numel_found *found, size_t i, const numel_options *options,
                 const numel_knowledge *k, struct arena *a, numel_error *e)
{
    struct components c;
    numel_error why = { .code = NUMEL_OK };
    const struct remote *remote = found->sets[i].remote;
    if (remote && !(row->remote = remote_json(remote, a))) return error_nomem(e);
    if (!numel_found_components(found, i)) return list_row_make(row, found, i, options, k, a, e);
    bool ok = components_make(&c, found, i, a, &why) && list_row_sum(row, &c, options, k, a, &why);
    return ok || refuse(row, &why, a, e);
}

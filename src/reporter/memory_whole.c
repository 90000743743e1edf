/*
 * memory_whole.c -- see memory_whole.h. The components that count are those of `show`: no second sets of the
 * same weights (averages, variants), and nothing that the index does not name. A promised component that
 * cannot be read leaves the sums unknown. Only one component is open at a time; of the others only the values
 * for the sums remain.
 */
#include "reporter/memory_whole.h"

#include "memory/expression.h"
#include "reporter/components_words.h"
#include "reporter/handles.h"

struct gathering {
    struct memory_whole *w;
    const struct memory_asking *asking;
    struct memory_ask ask; /* with a common context */
    struct arena *arena;
    numel_error *error;
};

/* Notes that the sums lack this component. */
NUMEL_MUST static bool lack(struct gathering *o, size_t i)
{
    if (o->w->lacking) return true;
    const char *note = o->w->items[i].note;
    o->w->lacking =
        arena_format(o->arena, "%s: %s", o->w->c.items[i].name, note ? note : "it cannot be read");
    return o->w->lacking || error_nomem(o->error);
}

/* Notes a fault of this component. Returns false if the fault concerns the whole. */
NUMEL_MUST static bool refuse(struct gathering *o, size_t i, const numel_error *why)
{
    if (why->code == NUMEL_E_NOMEM || why->code == NUMEL_E_USAGE || why->code == NUMEL_E_OVERFLOW) {
        *o->error = *why;
        return false;
    }
    o->w->wrong = true;
    o->w->items[i].note = arena_format(o->arena, "%s", why->what);
    return o->w->items[i].note ? lack(o, i) : error_nomem(o->error);
}

/* Notes the first finding that makes a checkpoint disagree. */
NUMEL_MUST static bool say_damage(struct gathering *o, size_t i, const numel_checkpoint *ck)
{
    if (numel_worst(ck) != NUMEL_ERROR) return true;
    o->w->wrong = true;
    for (size_t k = 0; k < numel_finding_count(ck); k++) {
        const numel_finding *f = numel_finding_at(ck, k);
        if (f->severity != NUMEL_ERROR) continue;
        o->w->items[i].note = arena_format(o->arena, "%s", f->message);
        return o->w->items[i].note || error_nomem(o->error);
    }
    return true;
}

/* Keeps the values that are shown, and those that the sums need. */
NUMEL_MUST static bool keep_item(struct gathering *o, size_t i, const struct model *model)
{
    struct memory_item *item = &o->w->items[i];
    struct memory *m = item->m;
    if (m->x) item->expression = memory_expression(m->x, o->arena);
    if (model->called && !m->idle) item->called = arena_format(o->arena, "%s", model->called);
    if ((m->x && !item->expression) || (model->called && !m->idle && !item->called))
        return error_nomem(o->error);
    return memory_keep(m, o->error);
}

/* Adds a counted component, or numbers outside all components. */
NUMEL_MUST static bool add_item(struct gathering *o, size_t i, const numel_checkpoint *ck)
{
    const struct component *x = &o->w->c.items[i];
    struct memory *m = &o->w->parts[o->w->count];
    struct handle *c = NULL;
    numel_error why = { .code = NUMEL_OK };
    bool beside = x->state == COMPONENT_BUFFERS, kept = true;
    const numel_knowledge *k = o->asking->knowledge;
    bool search = !k || !k->declared_only;
    c = handle_new(ck, NULL, k, search, o->asking->options->allocator, &why);
    bool ok = c && report_ready(c, &why) &&
              (beside ? memory_make_beside : memory_make)(m, c, &o->ask, o->arena, &why);
    if (ok) {
        m->name = x->name;
        o->w->items[i].m = m;
        o->w->count++;
        o->w->wrong |= c->model->broken;
        kept = keep_item(o, i, c->model) && say_damage(o, i, ck);
    } else {
        memory_done(m);
    }
    handle_free(c);
    return ok ? kept : refuse(o, i, &why);
}

NUMEL_MUST static bool open_item(struct gathering *o, size_t i)
{
    const struct component *x = &o->w->c.items[i];
    numel_checkpoint *ck = NULL;
    numel_error why = { .code = NUMEL_OK };
    if (x->part) return add_item(o, i, x->part->ck);
    if (numel_open(&ck, o->w->c.found, x->set, o->asking->options, &why) != NUMEL_OK)
        return refuse(o, i, &why);
    bool ok = add_item(o, i, ck);
    numel_free(ck);
    return ok;
}

NUMEL_MUST static bool open_row(struct gathering *o, size_t i)
{
    const struct component *x = &o->w->c.items[i];
    if (!component_note(x, &o->w->items[i].note, o->arena, o->error)) return false;
    switch (x->state) {
    case COMPONENT_WEIGHTS:
    case COMPONENT_BUFFERS:
    case COMPONENT_STRAY: return !x->counted || open_item(o, i);
    case COMPONENT_MISSING: o->w->wrong = true; return lack(o, i);
    case COMPONENT_UNREAD: return lack(o, i);
    case COMPONENT_PLAIN:
    case COMPONENT_NONE: break;
    }
    return true;
}

bool memory_whole_make(struct memory *sum, struct memory_whole *w, const struct memory_asking *asking,
                       struct arena *a, numel_error *e)
{
    struct gathering o = { .w = w, .asking = asking, .ask = *asking->ask, .arena = a, .error = e };
    if (!o.ask.run.context) o.ask.run.context = MEMORY_CONTEXT;
    w->items = arena_alloc(a, (w->c.count + 1) * sizeof *w->items);
    if (!w->items) return error_nomem(e);
    memset(w->items, 0, (w->c.count + 1) * sizeof *w->items);
    w->parts = arena_alloc(a, (w->c.count + 1) * sizeof *w->parts);
    if (!w->parts) return error_nomem(e);
    memset(w->parts, 0, (w->c.count + 1) * sizeof *w->parts);
    if (w->c.pipeline && w->c.pipeline->why) {
        w->wrong = true;
        w->lacking = arena_format(a, "its index cannot be read: %s", w->c.pipeline->why->what);
        if (!w->lacking) return error_nomem(e);
    }
    for (size_t i = 0; i < w->c.count; i++)
        if (!open_row(&o, i)) return false;
    for (size_t i = w->c.count; w->c.parts && i--;) /* name a single file after its first model */
        if (w->items[i].called) w->c.class = w->items[i].called;
    return memory_whole(sum, w->parts, w->count, w->lacking, &o.ask, a, e);
}

void memory_whole_done(struct memory_whole *w)
{
    for (size_t i = 0; w->items && i < w->c.count; i++) {
        if (w->items[i].m) memory_done(w->items[i].m);
    }
}

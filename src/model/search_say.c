/*
 * search_say.c -- texts about a search for a specification; see search_internal.h.
 */
#include "formula/product.h"
#include "formula/skeleton.h"
#include "model/search_internal.h"

enum { NAMED = 12 }; /* classes with the same names that are listed */

/* Lists the other classes with these names, by their model types. */
static void say_classes(struct buffer *b, const struct candidate *c)
{
    numel_str rest = c->classes, type, name, before = { NULL, 0 };
    unsigned named = 0;
    while (skeleton_class(&rest, &type, &name)) {
        if (text_equal(type, c->is.type) || (before.p && text_same(type, before))) continue;
        before = type;
        if (named < NAMED) {
            buffer_text(b, named ? ", " : "; classes with the same names: ");
            buffer_add(b, type.p, type.n);
        }
        named++;
    }
    if (named > NAMED) buffer_format(b, " and %u more", named - NAMED);
}

/* A class of diffusers by its own name, as the specification's name is ours. */
static void say_entry(struct buffer *b, const struct library_entry *entry)
{
    numel_str class = library_class(entry);
    if (class.n) buffer_add(b, class.p, class.n);
    else buffer_text(b, entry->name);
}

const char *say_called(const struct trials *t)
{
    const struct identity *is = &t->best.is;
    numel_str class = library_class(is->entry);
    if (is->type && !is->part) return is->type;
    return class.n ? arena_text(&t->model->arena, class.p, class.n) : is->entry->name;
}

const char *say_alike(const struct trials *t)
{
    struct model *model = t->model;
    const struct candidate *list = t->list, *best = &t->best;
    struct buffer b;
    buffer_init(&b, model->arena.memory);
    buffer_text(&b, "the tensors' names and shapes");
    if (best->is.part) buffer_format(&b, "; with the network of %s before the patches", best->is.type);
    if (t->purse.cut) buffer_text(&b, "; the search was cut short");
    const size_t begin = b.n + strlen("; ");
    for (unsigned i = 0, named = 0; i < t->count; i++) {
        if (list[i].off != best->off || list[i].biases != best->biases || list[i].is.entry == best->is.entry)
            continue;
        buffer_text(&b, named++ ? ", " : "; also fits: ");
        say_entry(&b, list[i].is.entry);
    }
    if (best->is.type) say_classes(&b, best);
    const char *text = b.failed ? NULL : arena_text(&model->arena, b.p, b.n);
    if (text && b.n > begin) model->alike = text + begin;
    buffer_done(&b);
    return text;
}

const char *say_published(const struct trials *t)
{
    const struct identity *is = &t->best.is;
    numel_str name = product_name(is->published + strlen(is->class) + 1);
    if (!name.n) return is->class;
    return arena_join(&t->model->arena, text_of(is->class), text_of(" at the size of "), name).p;
}

/* Reports that no specification was found, although one may exist. */
void tell_cut(struct model *model)
{
    numel_error why = model->why;
    error_clear(&model->why);
    error_set(&model->why, why.code ? why.code : NUMEL_E_KEY, why.offset,
              "%s%sthe search for a matching specification was cut short", why.what, why.what[0] ? "; " : "");
}

bool tell_names(struct trials *t, const struct candidate *c)
{
    struct model *model = t->model;
    struct buffer b;
    buffer_init(&b, model->arena.memory);
    buffer_format(&b, "the names match %s", c->is.type);
    say_classes(&b, c);
    buffer_text(&b, "; the sizes do not determine the configuration");
    const char *text = buffer_keep(&b, &model->arena);
    if (!text) return error_nomem(t->error);
    model->alike = text;
    error_clear(&model->why);
    error_set(&model->why, NUMEL_E_KEY, NUMEL_NOWHERE, "%s", text);
    return true;
}

/*
 * search_usual.c -- chooses the most likely of the types that explain a file equally well.
 *
 * Many types have the same names and shapes: a Llama with a tied head has the names of Gemma. The type whose
 * own vocabulary the file has is chosen, then the most common one. The others are listed.
 */
#include "model/search_internal.h"

#include "base/number.h"
#include "base/text.h"
#include "formula/lookup.h"
#include "formula/skeleton.h"

enum { NOWHERE = INT32_MAX / 2 }; /* after all lines, wherever they are in the text */

/* The position of the type's line in usual.table, and the words after it. */
static unsigned place_of(const char *type, numel_str *words)
{
    *words = (numel_str){ NULL, 0 };
    if (!lookup_usual(text_of(type), words)) return NOWHERE;
    unsigned place = (unsigned)(words->p - embedded_text);
    text_word(words);
    return place;
}

unsigned usual_place(const char *name) { return place_of(name, &(numel_str){ NULL, 0 }); }

static bool has_rows(const struct trials *t, uint64_t rows)
{
    for (size_t i = 0; i < t->seen->count; i++)
        if (t->seen->tensors[i].ndim == 2 && t->seen->tensors[i].dims[0] == rows) return true;
    return false;
}

/* Does a table of the file have as many rows as the class' default vocabulary, or a published model's of
 * this type? */
static bool has_own_vocabulary(const struct trials *t, const char *type)
{
    uint64_t rows;
    numel_str words;
    if (config_class_number(text_of(type), text_of("vocab_size"), &rows) && has_rows(t, rows)) return true;
    (void)place_of(type, &words);
    while (number_plain(text_word(&words), &rows))
        if (has_rows(t, rows)) return true;
    return false;
}

static unsigned rank_of(const struct trials *t, const char *type)
{
    return usual_place(type) + (has_own_vocabulary(t, type) ? 0 : NOWHERE);
}

/* Makes the candidate the best, unless it leaves more open. */
NUMEL_MUST static bool try_instead(struct trials *t, struct candidate *c)
{
    const uint64_t off = t->best.off;
    t->best.off = off + 1; /* an equally good one counts as better */
    bool ok = try_with(t, c, KEEP_FLAGS);
    if (t->best.off > off) t->best.off = off;
    config_free_inferred(t->model->config, &c->inferred);
    return ok;
}

/* Tries one of a line's types instead of the best if its rank is lower than *least, the best's. */
NUMEL_MUST static bool try_type(struct trials *t, const struct candidate *line, numel_str type,
                                numel_str class, unsigned *least)
{
    struct candidate c = *line;
    c.inferred = (struct config_inferred){ .count = 0 };
    c.is = (struct identity){ .entry = library_type(t->model->library, type),
                              .type = arena_text(&t->model->arena, type.p, type.n),
                              .class = arena_text(&t->model->arena, class.p, class.n),
                              .tied = line->classes.p != t->best.classes.p };
    if (!c.is.type || !c.is.class) return error_nomem(t->error);
    const unsigned rank = rank_of(t, c.is.type);
    if (!c.is.entry || rank >= *least) return true;
    if (!try_instead(t, &c)) return false;
    if (t->best.is.type == c.is.type) *least = rank;
    return true;
}

bool prefer_usual(struct trials *t)
{
    enum { TIED = 1 };
    const struct identity *is = &t->best.is;
    if (t->best.keep == KEEP_DEFAULTS) return true; /* all sizes are its class' */
    if (!t->perfect || !is->type || is->part || is->published || is->wrapped || t->best.biases) return true;
    const char *own = t->best.classes.p;
    unsigned least = rank_of(t, is->type);
    for (unsigned i = 0; i < t->count; i++) {
        const struct candidate *line = &t->list[i];
        numel_str rest = line->classes, type, class;
        if (!rest.n || (rest.p != own && line->lacked != TIED)) continue;
        while (skeleton_class(&rest, &type, &class))
            if (!try_type(t, line, type, class, &least)) return false;
    }
    return true;
}

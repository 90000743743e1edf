/*
 * search_class.c -- which class a file is of, when its configuration does not say.
 *
 * Without `architectures` a config.json does not say whether BERT was saved with its heads. The
 * spec knows the classes that make a difference: each is tried, and the one under which the file
 * fits best is taken. That is inferred from the file itself, and said so.
 */
#include "model/model.h"

#include <ctype.h>
#include <stdio.h>

enum { CANDIDATES = 32, SETS = 96 };

static bool declared(struct model *model)
{
    numel_str path = text_of("architectures");
    struct value v;
    numel_error ignored;
    error_clear(&ignored);
    return config_value(model->config, model->spec, SIDE_HF, &path, 1, &v, &ignored) &&
           v.kind != VALUE_NULL && v.evidence <= EVIDENCE_SET;
}

/* "BertForMaskedLM", "GPT2LMHeadModel", or the task alone, which specs cut off: "ForMaskedLM". */
static bool is_class(numel_str w)
{
    if (w.n < 8 || !isupper((unsigned char)w.p[0])) return false;
    for (size_t i = 0; i + 3 < w.n; i++)
        if (memcmp(w.p + i, "For", 3) == 0 && isupper((unsigned char)w.p[i + 3])) return true;
    return text_ends(w, "Model");
}

struct classes {
    numel_str names[CANDIDATES];
    unsigned count;
};

static void add_class(struct classes *c, numel_str word)
{
    unsigned k = 0;
    while (k < c->count && !text_same(c->names[k], word)) k++;
    if (k == c->count && k < CANDIDATES && is_class(word)) c->names[c->count++] = word;
}

/* The classes that a spec's text, or a block that it uses, names outside of comments. */
static void collect(struct classes *c, const struct library *l, const struct library_entry *entry, int depth)
{
    numel_str text = entry->text;
    bool use = false;
    for (size_t i = 0; i < text.n;) {
        size_t start = i;
        if (text.p[i] == '#')
            while (i < text.n && text.p[i] != '\n') i++;
        while (i < text.n && (isalnum((unsigned char)text.p[i]) || text.p[i] == '_')) i++;
        numel_str word = { text.p + start, i - start };
        const struct library_entry *block = use ? library_find(l, word) : NULL;
        if (block && depth < 4) collect(c, l, block, depth + 1);
        add_class(c, word);
        use = word.n ? text_equal(word, "use") : use && i < text.n && text.p[i] == ' ';
        if (i == start) i++;
    }
}

/* Smaller is better: deviations first, then what only names show, then what the class leaves to heads
 * and extras. */
static bool better(const struct model *a, const struct model *b)
{
    const struct differences *x = &a->differences, *y = &b->differences;
    size_t off = differences_count(x), than = differences_count(y);
    if (!a->x || !b->x) return a->x && !b->x;
    if (off != than) return off < than;
    if (x->grounds[GROUND_NAME] != y->grounds[GROUND_NAME])
        return x->grounds[GROUND_NAME] < y->grounds[GROUND_NAME];
    return a->counts.parameters > b->counts.parameters;
}

static bool try_class(struct model **best, numel_str name, const numel_knowledge *k, const numel_allocator *m,
                      numel_error *e)
{
    char assignment[128];
    const char *sets[SETS];
    numel_knowledge own = *k;
    if (name.n > 90 || k->set_count + 1 > SETS) return true;
    snprintf(assignment, sizeof assignment, "architectures=[\"%.*s\"]", (int)name.n, name.p);
    for (size_t i = 0; i < k->set_count; i++) sets[i] = k->sets[i];
    sets[k->set_count] = assignment;
    own.sets = sets;
    own.set_count = k->set_count + 1;
    struct model *other = model_as_declared((*best)->ck, &own, false, m, e);
    if (!other) return false;
    bool won = better(other, *best);
    model_free(won ? *best : other);
    if (won) *best = other;
    return true;
}

/* Worth trying: something is off, or heads are there that the class does not have. */
static bool doubtful(const struct model *m)
{
    if (!m->differences.proven) return true;
    for (size_t i = 0; i < m->ck->registry.count; i++) {
        enum cause cause = (enum cause)m->match.tensors[i].cause;
        if (cause == CAUSE_HEAD || cause == CAUSE_EXTRA) return true;
    }
    return false;
}

bool model_search_class(struct model **model, const numel_knowledge *k, const numel_allocator *m,
                        numel_error *e)
{
    struct classes classes = { .count = 0 };
    struct model *u = *model;
    if (!u->spec || u->side != SIDE_HF || declared(u) || (u->x && !doubtful(u))) return true;
    if (!config_has_json(u->config)) return true; /* search_spec.c has inferred the class with the rest */
    if (!u->entry->built_in) return true;         /* a text of the user's dies with its library */
    collect(&classes, u->library, u->entry, 0);   /* built-in texts outlive every library */
    for (unsigned i = 0; i < classes.count; i++)
        if (!try_class(model, classes.names[i], k, m, e)) return false;
    return true;
}

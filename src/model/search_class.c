/*
 * search_class.c -- which class a file is of, when its configuration does not say.
 *
 * Without `architectures` a config.json does not say whether BERT was saved with its heads. The
 * spec knows the classes that make a difference: each is tried, and the one under which the file
 * fits best is taken. That is inferred from the file itself, and said so.
 *
 * A trial sets the class in the configuration, resolves the model anew and takes both back; the best is set
 * in the end and resolved once more, so that no two models are held at a time.
 */
#include "model/model_internal.h"

#include <ctype.h>
#include <stdio.h>

enum { CANDIDATES = 32, CLASS_NAME = 90 };

NUMEL_MUST static bool is_declared(struct model *model, bool *yes, numel_error *e)
{
    numel_str path[] = { text_of("architectures"), text_of("_class_name") };
    struct value v;
    numel_error why = { 0 }; /* of a value that nobody can use */
    bool found = config_value(model->config, model->spec, SIDE_HF, path, 2, &v, &why);
    *yes = found && v.kind != VALUE_NULL && v.evidence <= EVIDENCE_SET;
    return why.code != NUMEL_E_NOMEM || error_nomem(e);
}

/* "BertForMaskedLM", "GPT2LMHeadModel", or the task alone, which specs cut off: "ForMaskedLM", "ForCTC". */
static bool is_class(numel_str w)
{
    if (w.n < 6 || !isupper((unsigned char)w.p[0])) return false;
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
        numel_str word = text_slice(text, start, i);
        const struct library_entry *block = use ? library_find(l, word) : NULL;
        if (block && depth < 4) collect(c, l, block, depth + 1);
        add_class(c, word);
        use = word.n ? text_equal(word, "use") : use && i < text.n && text.p[i] == ' ';
        if (i == start) i++;
    }
}

/* How well the tensors fit. */
struct merit {
    bool known; /* there is a formula */
    size_t off;
    uint64_t named, parameters;
};

static struct merit merit_of(const struct model *m)
{
    if (!m->x) return (struct merit){ .known = false };
    return (struct merit){ true, differences_count(&m->differences), m->differences.grounds[GROUND_NAME],
                           m->counts.parameters };
}

/* Fewer deviations first, then what only names show, then what the class leaves to heads and extras. */
static bool is_better(const struct merit *a, const struct merit *b)
{
    if (!a->known || !b->known) return a->known && !b->known;
    if (a->off != b->off) return a->off < b->off;
    if (a->named != b->named) return a->named < b->named;
    return a->parameters > b->parameters;
}

/* The model anew, with a class or (name.p NULL) as it was declared. */
NUMEL_MUST static bool decide(struct model *model, numel_str name, const numel_knowledge *k, numel_error *e)
{
    char assignment[CLASS_NAME + 32] = "";
    model_undo(model);
    if (name.p)
        text_join(assignment, sizeof assignment - 1, text_of("architectures=[\""), name, text_of("\"]"));
    return (!name.p || config_set(model->config, assignment, e)) && model_decide(model, k, false, e);
}

/* Worth trying: something is off, or heads are there that the class does not have. */
static bool is_doubtful(const struct model *m)
{
    if (!m->x || !m->differences.proven) return true;
    for (size_t i = 0; i < m->ck->registry.count; i++) {
        enum cause cause = (enum cause)m->inner->match.tensors[i].cause;
        if (cause == CAUSE_HEAD || cause == CAUSE_EXTRA) return true;
    }
    return false;
}

/* So much more than the file has that it is in every class. */
static bool is_too_large(const struct model *m)
{
    enum { TIMES = 64 };
    if (!m->x) return m->why.code == NUMEL_E_LIMIT;
    return m->x->row_count / TIMES > m->ck->registry.count;
}

NUMEL_MUST static bool try_all(struct model *model, const struct classes *classes, const numel_knowledge *k,
                               numel_error *e)
{
    struct merit best = merit_of(model);
    numel_str chosen = { NULL, 0 };
    for (unsigned i = 0; i < classes->count; i++) {
        if (classes->names[i].n > CLASS_NAME) continue;
        if (!decide(model, classes->names[i], k, e)) return false;
        struct merit this = merit_of(model);
        config_unset(model->config);
        if (!is_better(&this, &best)) continue;
        best = this;
        chosen = classes->names[i];
    }
    return classes->count == 0 || decide(model, chosen, k, e);
}

bool search_class(struct model *model, const numel_knowledge *k, numel_error *e)
{
    struct classes classes = { .count = 0 };
    bool declared;
    if (!model->spec || model->side != SIDE_HF) return true;
    if (!config_has_json(model->config)) return true; /* search_spec.c has inferred the class with the rest */
    if (!is_declared(model, &declared, e)) return false;
    if (declared || is_too_large(model) || !is_doubtful(model)) return true;
    collect(&classes, model->library, model->entry, 0);
    return try_all(model, &classes, k, e);
}

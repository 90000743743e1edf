/*
 * search_class.c -- finds the class of a file whose configuration does not state it.
 *
 * Without `architectures`, config.json does not show whether BERT was saved with its heads. The specification
 * names the classes that differ. Each is tried, and the one that fits the file best is chosen. This is
 * inferred from the file, and reported as such.
 *
 * A trial sets the class in the configuration, resolves the model again, and undoes both. In the end, the
 * best class is set and resolved once more, so that only one model exists at a time.
 */
#include "model/model_internal.h"

#include <ctype.h>
#include <stdio.h>

enum { CANDIDATES = 32, CLASS_NAME = 90 };

NUMEL_MUST static bool is_declared(struct model *model, bool *yes, numel_error *e)
{
    numel_str path[] = { text_of("architectures"), text_of("_class_name") };
    struct value v;
    numel_error why = { 0 }; /* set if the value is unusable */
    bool found = config_value(model->config, model->spec, SIDE_HF, path, 2, &v, &why);
    *yes = found && v.kind != VALUE_NULL && v.evidence <= EVIDENCE_SET;
    return why.code != NUMEL_E_NOMEM || error_nomem(e);
}

/* "BertForMaskedLM", "GPT2LMHeadModel", or only the task, to which specifications shorten classes:
 * "ForMaskedLM", "ForCTC". */
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

/* Collects the classes in the text of a specification, and of blocks that it uses, outside comments. */
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

/* A measure of how well the tensors fit. */
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

/* Compares deviations first, then tensors recognised only by name, then parameters: more is better, as
 * fewer are left to heads and extras. */
static bool is_better(const struct merit *a, const struct merit *b)
{
    if (!a->known || !b->known) return a->known && !b->known;
    if (a->off != b->off) return a->off < b->off;
    if (a->named != b->named) return a->named < b->named;
    return a->parameters > b->parameters;
}

/* Resolves the model again, with a class, or as declared if name.p is NULL. */
NUMEL_MUST static bool decide(struct model *model, numel_str name, const numel_knowledge *k, numel_error *e)
{
    char assignment[CLASS_NAME + 32] = "";
    model_undo(model);
    if (name.p)
        text_join(assignment, sizeof assignment - 1, text_of("architectures=[\""), name, text_of("\"]"));
    return (!name.p || config_set(model->config, assignment, e)) && model_decide(model, k, false, e);
}

/* Is a search worthwhile: is something wrong, or are there heads that the class lacks? */
static bool is_doubtful(const struct model *m)
{
    if (!m->x || !m->differences.proven) return true;
    for (size_t i = 0; i < m->ck->registry.count; i++) {
        enum cause cause = (enum cause)m->inner->match.tensors[i].cause;
        if (cause == CAUSE_HEAD || cause == CAUSE_EXTRA) return true;
    }
    return false;
}

/* Does the model exceed the file so much that it would with every class? */
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
    if (!config_has_json(model->config)) return true; /* search_spec.c has inferred the class, too */
    if (!is_declared(model, &declared, e)) return false;
    if (declared || is_too_large(model) || !is_doubtful(model)) return true;
    collect(&classes, model->library, model->entry, 0);
    return try_all(model, &classes, k, e);
}

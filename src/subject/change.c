/* change.c -- see change.h. */
#include "subject/loaders.h"
#include "subject/change_internal.h"

#include <stdlib.h>

bool change_add(struct changing *g, const char *code, const char *text, uint32_t *number)
{
    *number = CHANGE_NONE;
    if (!text) return error_nomem(g->error);
    if (g->out->count >= CHANGE_CAUSES - 1) return true; /* the last one is reserved for the rest */
    g->out->causes[g->out->count++] = (struct change_cause){ .code = code, .text = text };
    *number = g->out->count;
    return true;
}

void change_mark(struct changing *g, size_t i, uint32_t cause)
{
    struct change *out = g->out;
    if (cause == CHANGE_NONE || !change_is_open(g, i)) return;
    if (i < out->gap_count) out->gaps[i] = cause;
    else out->unexpected[i - out->gap_count] = cause;
    out->causes[cause - 1].explains++;
}

/* ---- loaders ------------------------------------------------------------------------------ */

bool change_loader(struct changing *g, const char *code, uint32_t *number)
{
    *number = CHANGE_NONE;
    for (size_t i = 0; i < g->loaders->count; i++) {
        if (strcmp(g->loaders->items[i].code, code) != 0) continue;
        if (!change_add(g, code, g->loaders->items[i].text, number)) return false;
        if (*number) g->out->causes[*number - 1].loader = true;
        break;
    }
    return true;
}

static bool is_empty(const struct changing *g, size_t i)
{
    return i >= g->d->missing && i < g->out->gap_count && g->d->gaps[i].tensor != NAMES_ABSENT &&
           g->m->ck->registry.tensors[g->d->gaps[i].tensor].elements == 0;
}

/* Adds causes that no loader would load, and marks the differences that follow from them. */
NUMEL_MUST static bool tell_loaders(struct changing *g)
{
    const struct adapter *a = adapter_of(g->c, g->error);
    uint32_t empty, unmerged;
    if (!a || !(g->loaders = loaders_of(g->c, g->error)) || !change_loader(g, "tensors-empty", &empty) ||
        !change_loader(g, "adapter-unmerged", &unmerged))
        return false;
    for (size_t i = 0; i < g->out->gap_count + g->out->unexpected_count; i++) {
        if (is_empty(g, i)) change_mark(g, i, empty);
        change_mark(g, i, unmerged);
    }
    return true;
}

/* ---- contradictions ----------------------------------------------------------------------- */

static bool is_said_before(const struct changing *g, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(g->d->contradictions[k].text, g->d->contradictions[i].text) == 0) return true;
    return false;
}

static uint64_t times_said(const struct changing *g, size_t i)
{
    uint64_t n = 0;
    for (size_t k = i; k < g->d->contradiction_count; k++)
        n += strcmp(g->d->contradictions[k].text, g->d->contradictions[i].text) == 0;
    return n;
}

/* True for packed values and their scales, whose shapes follow from the configuration's layout. */
static bool is_packed(const struct changing *g, size_t i)
{
    const struct gap *gap = &g->d->gaps[i];
    return gap->beside || gap->row == NAMES_ABSENT ||
           (gap->tensor != NAMES_ABSENT && model_tensor(g->m, gap->tensor).layout);
}

/* Adds each contradiction once, with the number of weights that have it; wrong shapes of packed weights
 * follow from the first. */
NUMEL_MUST static bool tell_contradictions(struct changing *g)
{
    enum { MANY = 256 };
    char n[TEXT_NUMBER];
    uint32_t cause, first = CHANGE_NONE;
    for (size_t i = 0; i < g->d->contradiction_count && i < MANY; i++) {
        const struct contradiction *x = &g->d->contradictions[i];
        if (is_said_before(g, i)) continue;
        uint64_t times = times_said(g, i);
        const char *text =
            times == 1 ? x->said : arena_format(g->arena, "%s (%s weights)", x->text, text_number(n, times));
        if (!change_add(g, "contradiction", text, &cause)) return false;
        if (cause) g->out->causes[cause - 1].explains = times;
        if (cause) g->out->causes[cause - 1].alone = times == 1;
        if (!first) first = cause;
    }
    for (size_t i = 0; first && i < g->out->gap_count; i++) {
        if (!is_packed(g, i) || !change_is_open(g, i)) continue;
        change_mark(g, i, first);
        g->out->causes[first - 1].alone = false;
    }
    return true;
}

/* The cause with a contradiction's text, or the change of the configuration. */
static uint32_t cause_of(const struct changing *g, const struct contradiction *x)
{
    size_t n = strlen(x->text);
    if (g->out->by_configuration) return 1;
    for (unsigned i = 0; i < g->out->count; i++) {
        const char *text = g->out->causes[i].text;
        if (strcmp(text, x->said) == 0 || (strncmp(text, x->text, n) == 0 && text[n] == ' ')) return i + 1;
    }
    return CHANGE_NONE;
}

/* ---- the configuration -------------------------------------------------------------------- */

static void mark_all_but(struct changing *g, const bool *stays, uint32_t cause)
{
    for (size_t i = 0; i < g->out->gap_count + g->out->unexpected_count; i++)
        if (!stays[i]) change_mark(g, i, cause);
}

/* Counts the kinds of tensors that a proposal makes fit, up to KINDS. */
enum { KINDS = 8 };
NUMEL_MUST static bool count_kinds(struct changing *g, const struct proposal *p, unsigned *out)
{
    numel_str seen[KINDS];
    unsigned n = 0;
    struct buffer b;
    buffer_init(&b, g->scratch.memory);
    for (size_t i = 0; i < g->out->gap_count + g->out->unexpected_count && n < KINDS && !b.failed; i++) {
        unsigned k = 0;
        if (p->stays[i]) continue;
        b.n = 0;
        text_starred(&b, change_name_of(g, i));
        while (k < n && !text_same(seen[k], (numel_str){ b.p, b.n })) k++;
        if (k < n || b.failed) continue;
        seen[n] = (numel_str){ arena_text(&g->scratch, b.p, b.n), b.n };
        if (!seen[n++].p) b.failed = true;
    }
    bool ok = !b.failed || error_nomem(g->error);
    buffer_done(&b);
    *out = n;
    return ok;
}

/* A proposal must settle at least half of the differences, and more kinds of tensors than it changes keys;
 * otherwise it may be chance. One kind suffices to prove one stated key wrong, but not an unstated one. */
NUMEL_MUST static bool is_convincing(struct changing *g, const struct proposal *p, bool *out)
{
    unsigned kinds;
    size_t all = differences_count(g->d) + g->d->contradiction_count;
    *out = false;
    if (p->left > all / 2) return true;
    if (!count_kinds(g, p, &kinds)) return false;
    *out = kinds > p->count || (p->count == 1 && p->keys[0].stated);
    return true;
}

NUMEL_MUST static bool tell_proposal(struct changing *g, const struct proposals *p)
{
    const struct proposal *first = &p->items[0];
    uint32_t cause;
    if (!change_add(g, first->count > 2 ? "configuration-differs" : "key-differs", proposal_text(g, p),
                    &cause))
        return false;
    mark_all_but(g, first->stays, cause);
    g->out->by_configuration = first->left == 0;
    /* a single tensor that a flag would exclude may just as well be missing */
    if (cause && first->keys[0].is.kind == VALUE_BOOL && g->d->missing && differences_count(g->d) == 1)
        g->out->causes[cause - 1].lacks = true;
    if (cause && !first->left) g->out->causes[cause - 1].explains += g->d->contradiction_count;
    return true;
}

NUMEL_MUST static bool tell_other(struct changing *g, const struct proposals *p)
{
    uint32_t cause;
    if (!change_add(g, "architecture-differs", other_text(g, p), &cause)) return false;
    mark_all_but(g, p->of_other.stays, cause);
    return g->out->by_configuration = true;
}

/* Packed weights may contradict the configuration because of it, so a complete explanation comes first. */
NUMEL_MUST static bool change_configuration(struct changing *g)
{
    struct proposals p;
    uint32_t cause;
    if (!proposals_make(&p, g->m, &g->c->knowledge, &g->c->arena, g->error)) return false;
    bool convincing = false;
    if (p.count && !is_convincing(g, &p.items[0], &convincing)) return false;
    if (convincing && p.items[0].left == 0) return tell_proposal(g, &p);
    if (p.other && p.of_other.count) return tell_other(g, &p);
    if (!tell_contradictions(g)) return false;
    if (convincing && !g->d->contradiction_count && !tell_proposal(g, &p)) return false;
    return !p.other || (change_kinds(g) && change_add(g, "architecture-differs", other_text(g, &p), &cause));
}

/* ---- all of it ---------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return text_bytes(((const struct change_name *)a)->name, ((const struct change_name *)b)->name);
}

/* Indexes the causes by name, since findings identify a tensor by its name. */
NUMEL_MUST static bool index_names(struct changing *g)
{
    struct change *out = g->out;
    size_t n = out->gap_count + out->unexpected_count + g->d->contradiction_count;
    out->names = arena_alloc(&g->c->arena, (n + 1) * sizeof *out->names);
    out->contradictions = arena_alloc(&g->c->arena, (n + 1) * sizeof *out->contradictions);
    if (!out->names || !out->contradictions) return error_nomem(g->error);
    for (size_t i = 0; i < out->gap_count; i++) {
        const struct gap *gap = &g->d->gaps[i];
        numel_str name =
            gap->tensor == NAMES_ABSENT ? gap->name : g->m->ck->registry.tensors[gap->tensor].name;
        if (out->gaps[i]) out->names[out->name_count++] = (struct change_name){ name, out->gaps[i] };
    }
    for (size_t i = 0; i < out->unexpected_count; i++) {
        numel_str name = g->m->ck->registry.tensors[g->d->unexpected[i]].name;
        if (out->unexpected[i])
            out->names[out->name_count++] = (struct change_name){ name, out->unexpected[i] };
    }
    for (size_t i = 0; i < g->d->contradiction_count; i++) {
        const struct contradiction *x = &g->d->contradictions[i];
        uint32_t cause = out->contradictions[i] = cause_of(g, x);
        if (cause) out->names[out->name_count++] = (struct change_name){ text_of(x->said), cause };
    }
    qsort(out->names, out->name_count, sizeof *out->names, by_name);
    return true;
}

NUMEL_MUST static bool find_causes(struct changing *g)
{
    struct change *out = g->out;
    out->gap_count = g->d->missing + g->d->mismatched;
    out->unexpected_count = g->d->unexpected_count;
    out->gaps = arena_alloc(&g->c->arena, (out->gap_count + 1) * sizeof *out->gaps);
    out->unexpected = arena_alloc(&g->c->arena, (out->unexpected_count + 1) * sizeof *out->unexpected);
    if (!out->gaps || !out->unexpected) return error_nomem(g->error);
    memset(out->gaps, 0, out->gap_count * sizeof *out->gaps);
    memset(out->unexpected, 0, out->unexpected_count * sizeof *out->unexpected);
    return tell_loaders(g) && change_prefixes(g) &&
           (out->count ? tell_contradictions(g) : change_configuration(g)) && change_kinds(g) &&
           index_names(g);
}

/* The configuration as stated cannot be expanded, but one changed as the tensors show can. */
NUMEL_MUST static bool mend_configuration(struct changing *g)
{
    struct proposals p;
    if (!proposals_make(&p, g->m, &g->c->knowledge, &g->c->arena, g->error)) return false;
    if (!p.count || p.items[0].left) return true;
    if (!tell_proposal(g, &p)) return false;
    g->out->causes[0].explains = 1;
    return true;
}

NUMEL_MUST static bool make(void *part, struct handle *c, numel_error *e)
{
    struct changing g = { .out = part, .c = c, .m = c->model, .arena = &c->arena, .error = e };
    g.d = &c->model->differences;
    bool differs = differences_count(g.d) || g.d->contradiction_count;
    if (!c->ck || (!c->model->broken && (!c->model->x || !differs))) return true;
    arena_init(&g.scratch, c->memory);
    bool ok = c->model->x ? find_causes(&g) : mend_configuration(&g);
    arena_done(&g.scratch);
    return ok;
}

const struct change *change_of(struct handle *c, numel_error *e)
{
    static const struct handle_kind kind = { sizeof(struct change), make, NULL };
    return handle_ready(c, e) ? handle_part(c, &kind, e) : NULL;
}

/* True for findings about counts, which only repeat a changed key. */
static bool is_of_counts(const char *code)
{
    static const char *const codes[] = { "head-count", "block-count", "expert-count", "counts-disagree",
                                         "config-broken" };
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (strcmp(codes[i], code) == 0) return true;
    return false;
}

uint32_t change_explains(const struct change *c, const numel_finding *f)
{
    bool counts = is_of_counts(f->code), contradiction = strcmp(f->code, "quantization-contradicted") == 0;
    struct change_name wanted = { text_of(contradiction ? f->message : f->tensor), CHANGE_NONE };
    bool tensor = strncmp(f->code, "model-tensor-", 13) == 0;
    if (f->level != NUMEL_LEVEL_CONFIG || (!tensor && !counts && !contradiction)) return CHANGE_NONE;
    const struct change_name *at = wanted.name.n && c->name_count
                                       ? bsearch(&wanted, c->names, c->name_count, sizeof *c->names, by_name)
                                       : NULL;
    if (at) return at->cause;
    return counts && c->by_configuration ? 1 : CHANGE_NONE;
}

/* ---- for a judgement ---------------------------------------------------------------------- */

NUMEL_MUST static bool add_broken(struct causes *l, const struct model *m)
{
    char file[TEXT_QUOTE];
    const numel_error *why = &m->why;
    const char *text =
        why->file[0] ? arena_format(l->arena, "%s: %.400s", text_bare(file, text_of(why->file)), why->what)
                     : arena_format(l->arena, "%.400s", why->what);
    return cause_add(l, "configuration-invalid", NUMEL_STATE_DISAGREES, 1, text);
}

/* A fork keeps a class and changes the type. The class's tensors are known, but not whether the fork's
 * code builds them. */
NUMEL_MUST static bool add_class(struct causes *l, const struct model *m)
{
    char class[TEXT_QUOTE];
    if (!m->by_class || !m->spec) return true;
    return cause_add(
        l, "known-by-class", NUMEL_STATE_IN_PART, 0,
        arena_format(l->arena,
                     "the model type is unknown: read as %s, the class that the configuration names",
                     text_bare(class, text_of(m->by_class))));
}

bool causes_of_model(struct causes *l, struct handle *c)
{
    const struct change *change = change_of(c, l->error);
    if (!change) return false;
    if (!add_class(l, c->model)) return false;
    if (c->model->broken && !change->by_configuration) return add_broken(l, c->model);
    for (unsigned i = 0; i < change->count; i++) {
        const struct change_cause *x = &change->causes[i];
        if (x->loader) continue;
        if (!cause_add(l, x->code, NUMEL_STATE_DISAGREES, x->explains, x->text)) return false;
    }
    return true;
}

/*
 * api_subject.c -- numel_subject of numel.h: opening, its members, its judgement, and facts about the whole.
 *
 * The public object is struct numel_subject of subject/subject.h. The accessors show a part of its handle
 * that is made when the subject is judged; before that they show nothing. They fill the caller's struct from
 * the rooms below, and keep no copies.
 */
#include "reporter/components_words.h"
#include "reporter/handles.h"

#include "base/border.h"
#include "base/text.h"
#include "source/folder.h"

/* ---- judging ------------------------------------------------------------------------------ */

/* Also finds the group of each tensor. */
NUMEL_MUST static bool make_groups(struct resolved *r, struct handle *c, numel_error *e)
{
    struct fold f;
    if (!fold_build(&f, &c->ck->registry, &c->arena, e) ||
        !groups_list(&r->groups, &f, GROUPS_ANY_DEPTH, true, &c->arena, e))
        return false;
    uint32_t *row_of = arena_alloc(&c->arena, f.leaf_count * sizeof *row_of);
    if (!row_of) return error_nomem(e);
    for (uint32_t i = 0; i < r->groups.count; i++)
        if (groups_leaf(&r->groups.items[i])) row_of[r->groups.items[i].node->leaf] = i;
    for (size_t i = 0; i < c->ck->registry.count; i++) f.leaf_of[i] = row_of[f.leaf_of[i]];
    r->group_of = f.leaf_of;
    return true;
}

NUMEL_MUST static bool resolve(void *part, struct handle *c, numel_error *e)
{
    struct resolved *r = part;
    if (!(r->judgement = judgement_of(c, e))) return false;
    if (c->model->x && !(r->terms = handle_terms(c, e))) return false;
    return !c->ck || ((r->adapter = adapter_of(c, e)) && make_groups(r, c, e));
}

static const struct handle_kind resolved_kind = { sizeof(struct resolved), resolve, NULL };

const struct resolved *subject_resolved(const numel_subject *s)
{
    return s->handle ? handle_made(s->handle, &resolved_kind) : NULL;
}

bool subject_index(size_t i, size_t n, numel_error *e)
{
    return i < n ||
           error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "index %zu is out of range: there are %zu", i, n);
}

bool subject_whole(numel_subject *s, numel_error *e)
{
    if (s->whole) return true;
    struct components *c = arena_alloc(&s->arena, sizeof *c);
    if (!c) return error_nomem(e);
    if (!subject_components(s, c, &s->arena, e) ||
        !components_judged(&s->judgement, c, &s->knowledge, &s->options, &s->arena, e))
        return false;
    s->whole = c;
    return true;
}

/* If the files are missing, the configuration is judged instead. */
NUMEL_MUST static const numel_judgement *judge(numel_subject *s, numel_error *e)
{
    size_t members;
    if ((!s->components && !subject_model(s, e)) || !subject_members(s, &members, e)) return NULL;
    if (members) return subject_whole(s, e) ? &s->judgement : NULL;
    const struct resolved *r = handle_part(s->handle, &resolved_kind, e);
    return r ? r->judgement : NULL;
}

numel_rc numel_subject_judge(numel_subject *s, const numel_judgement **out, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    const numel_judgement *j = judge(s, e);
    if (out) *out = j;
    return e->code;
}

/* ---- opening ------------------------------------------------------------------------------ */

/* Makes an empty subject with the caller's knowledge and options; NULL and *e on failure. */
NUMEL_MUST static numel_subject *begin(const numel_knowledge *k, const numel_options *options, numel_error *e)
{
    numel_knowledge known;
    numel_options own;
    error_clear(e);
    if (!border_knowledge(&known, k, e) || !border_options(&own, options, e)) return NULL;
    return subject_new(&known, &own, e);
}

/* Hands over the subject, or frees it on failure. */
NUMEL_MUST static numel_rc opened(numel_subject **out, numel_subject *s, bool ok, numel_error *e)
{
    if (!ok) subject_free(s);
    *out = ok ? s : NULL;
    return e->code;
}

NUMEL_MUST static bool configure(numel_subject *s, const char *path, numel_error *e)
{
    s->configured = true;
    s->config = path ? arena_text(&s->arena, path, strlen(path)) : NULL;
    return !path || s->config || error_nomem(e);
}

/* A folder without a checkpoint may have a configuration, and so may a model given by name. */
NUMEL_MUST static bool open_path(numel_subject *s, const char *path, numel_error *e)
{
    char at[4096];
    bool found = numel_find(&s->own_found, path, &s->options, e) == NUMEL_OK;
    if (!found && e->code != NUMEL_E_FORMAT) return false;
    if (!found) {
        error_clear(e);
        bool named = numel_locate(at, sizeof at, path, &s->options, NULL) == NUMEL_OK;
        return configure(s, named ? at : path, e);
    }
    const numel_found *f = s->own_found;
    size_t parts = numel_found_components(f, 0);
    if (f->count > (parts ? parts : 1))
        return error_set(e, NUMEL_E_FORMAT, NUMEL_NOWHERE, "contains %zu checkpoints: name one of them, %s",
                         f->count, f->sets[0].path);
    return subject_found(s, f, 0, true, e);
}

numel_rc numel_subject_open(numel_subject **out, const char *path, const numel_knowledge *k,
                            const numel_options *options, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    numel_subject *s = begin(k, options, e);
    return opened(out, s, s && (path ? open_path(s, path, e) : configure(s, NULL, e)), e);
}

numel_rc numel_subject_at(numel_subject **out, const numel_found *found, size_t i, const numel_knowledge *k,
                          const numel_options *options, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    numel_subject *s = begin(k, options, e);
    return opened(out, s, s && subject_found(s, found, i, true, e), e);
}

numel_rc numel_subject_of(numel_subject **out, const numel_checkpoint *ck, const numel_knowledge *k,
                          const numel_options *options, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    numel_options own;
    *out = NULL;
    if (!border_options(&own, options, e)) return e->code;
    if (own.allocator == &memory_malloc) own.allocator = ck->arena.memory;
    numel_subject *s = begin(k, &own, e);
    if (s) s->ck = ck;
    return opened(out, s, s != NULL, e);
}

void numel_subject_close(numel_subject *s) { subject_free(s); }

numel_rc numel_subject_checkpoint(numel_subject *s, const numel_checkpoint **out, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    *out = subject_opened(s, e) ? s->ck : NULL;
    return e->code;
}

const numel_error *numel_subject_lacks(const numel_subject *s)
{
    return error_free(&s->lacks) ? NULL : &s->lacks;
}

/* ---- members ------------------------------------------------------------------------------ */

numel_rc numel_subject_members(numel_subject *s, size_t *count, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    return subject_members(s, count, e) ? NUMEL_OK : e->code;
}

NUMEL_MUST static bool open_member(numel_subject *m, numel_subject *s, size_t i, numel_error *e)
{
    if (s->components) return subject_found(m, s->found, s->at + i, false, e);
    m->ck = s->parts->items[i].ck;
    m->split = true;
    return true;
}

numel_rc numel_subject_member(numel_subject **out, numel_subject *s, size_t i, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    size_t n;
    *out = NULL;
    if (!subject_members(s, &n, e) || !subject_index(i, n, e)) return e->code;
    numel_subject *m = subject_new(&s->knowledge, &s->options, e);
    return opened(out, m, m && open_member(m, s, i, e), e);
}

/* ---- as a whole --------------------------------------------------------------------------- */

/* Sets the reason for a missing formula. */
static void add_reason(numel_facts *f, const struct handle *c)
{
    const numel_error *why = &c->model->why;
    f->why = error_free(why) ? NUMEL_E_KEY : why->code;
    f->why_text = why->what[0] ? why->what : "no configuration was found";
}

static void add_formula(numel_facts *f, const struct handle *c, const struct resolved *r)
{
    const struct model *m = c->model;
    f->expression = r->terms->expression;
    f->formula = m->x->totals.parameters;
    f->quantization = c->ck ? model_packing(m).layout : NULL;
    f->inferred = m->inferred;
    if (!c->ck) return;
    f->unexplained = c->statement.unexplained;
    f->on_shape = m->differences.grounds[GROUND_SHAPE];
    f->on_name = m->differences.grounds[GROUND_NAME];
    f->on_nothing = m->differences.grounds[GROUND_NONE];
}

static numel_facts facts_of(const struct handle *c, const struct resolved *r)
{
    numel_state v = r->judgement->verdict;
    numel_facts f = { .size = sizeof f, .formula = NUMEL_NOT_KNOWN };
    f.on_nothing = c->ck ? c->ck->registry.count : 0;
    f.verdict = v >= NUMEL_STATE_DISAGREES ? NUMEL_DISAGREES
                : v == NUMEL_STATE_AGREES  ? NUMEL_AGREES
                                           : NUMEL_IN_PART;
    f.architecture = c->model->architecture;
    f.from = c->model->from;
    f.adapter = r->adapter ? r->adapter->type : NULL;
    if (c->model->x) add_formula(&f, c, r);
    else add_reason(&f, c);
    if (!f.adapter) return f;
    f.on_shape = r->adapter->grounds[GROUND_SHAPE];
    f.on_name = r->adapter->grounds[GROUND_NAME];
    f.on_nothing = r->adapter->grounds[GROUND_NONE];
    return f;
}

numel_rc numel_subject_about(const numel_subject *s, numel_facts *out, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    const struct resolved *r = subject_resolved(s);
    numel_facts own = { .size = sizeof own,
                        .verdict = NUMEL_IN_PART,
                        .why = NUMEL_E_KEY,
                        .why_text =
                            s->whole ? "it is several models: ask its members" : "it is not judged yet",
                        .formula = NUMEL_NOT_KNOWN,
                        .on_nothing = s->ck ? s->ck->registry.count : 0 };
    error_clear(e);
    if (r) own = facts_of(s->handle, r);
    if (r) subject_sizes(s, &own);
    return BORDER_GIVE(numel_facts, out, &own, e) ? NUMEL_OK : e->code;
}

static void add_counts(numel_counts *to, const struct counts *n)
{
    to->logical = n->logical;
    to->unique = n->unique;
    to->parameters = n->parameters;
    to->buffers = n->buffers;
    to->non_embedding = n->non_embedding;
    if (n->has_active) to->active = n->active;
}

numel_rc numel_subject_counts(const numel_subject *s, numel_counts *out, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    const uint64_t no = NUMEL_NOT_KNOWN;
    numel_counts own = { sizeof own, no, no, no, no, no, no, no, no };
    const struct handle *c = s->handle;
    bool formula = subject_resolved(s) && c->model->x;
    if (s->ck) own.tensors = s->ck->registry.count;
    if (s->ck) own.stored = s->ck->stored;
    if (formula && c->ck) add_counts(&own, &c->model->counts);
    if (formula && !c->ck) own.parameters = c->model->x->totals.parameters;
    if (formula && !c->ck) own.buffers = c->model->x->totals.buffers;
    return BORDER_GIVE(numel_counts, out, &own, e) ? NUMEL_OK : e->code;
}

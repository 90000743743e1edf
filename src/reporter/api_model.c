/*
 * api_model.c -- numel_model of numel.h: opening, and what it comes to as a whole.
 *
 * The public object is the handle of statement/handle.h. What the accessors show is one part of it, made
 * when the model is resolved; a model that was deferred has none, and shows nothing. Accessors fill the
 * caller's struct from what the rooms below have: nothing is kept twice.
 */
#include "reporter/judgement_section.h"
#include "base/border.h"
#include "base/text.h"
#include "reader/find.h"
#include "reporter/handles.h"
#include "source/folder.h"

/* ---- resolving ---------------------------------------------------------------------------- */

NUMEL_MUST static bool make_groups(struct groups *g, struct numel_model *c, numel_error *e)
{
    struct fold f;
    return fold_build(&f, &c->ck->registry, &c->arena, e) &&
           groups_list(g, &f, GROUPS_ANY_DEPTH, true, &c->arena, e);
}

NUMEL_MUST static bool resolve(void *part, struct numel_model *c, numel_error *e)
{
    struct resolved *r = part;
    if (!(r->judgement = judgement_of(c, e))) return false;
    if (c->model->x && !(r->terms = handle_terms(c, e))) return false;
    return !c->ck || ((r->adapter = adapter_of(c, e)) && make_groups(&r->groups, c, e));
}

static const struct handle_kind resolved_kind = { sizeof(struct resolved), resolve, NULL };

const struct resolved *model_resolved(const struct numel_model *c) { return handle_made(c, &resolved_kind); }

bool model_index(size_t i, size_t n, numel_error *e)
{
    return i < n ||
           error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "index %zu is out of range: there are %zu", i, n);
}

/* Is it one file by itself, of which nothing but its tensors may tell what it is? What a shard lacks of a model is no
 * fault of its own. */
enum { LONE_MOST = 16384 }; /* tensors: of more the search takes seconds */
static bool is_lone_file(const numel_checkpoint *ck)
{
    return ck && ck->file_count == 1 && !ck->missing && ck->registry.count <= LONE_MOST &&
           !path_is_shard(ck->files[0].path);
}

/* ---- opening ------------------------------------------------------------------------------ */

NUMEL_MUST static struct numel_model *new_model(const numel_checkpoint *ck, const char *path,
                                                const numel_knowledge *k, const numel_options *options,
                                                numel_error *e)
{
    numel_knowledge known;
    numel_options own;
    if (!border_knowledge(&known, k, e) || !border_options(&own, options, e)) return NULL;
    if (ck && path) {
        error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE,
                  "both a checkpoint and a configuration file: give the file as numel_knowledge.config");
        return NULL;
    }
    const numel_allocator *m = ck && own.allocator == &memory_malloc ? ck->arena.memory : own.allocator;
    struct numel_model *c =
        handle_new(ck, path, &known, !known.declared_only || (known.lone_file && is_lone_file(ck)), m, e);
    if (!c || known.deferred || handle_part(c, &resolved_kind, e)) return c;
    handle_free(c);
    return NULL;
}

numel_rc numel_model_open(numel_model **out, const numel_checkpoint *ck, const char *path,
                          const numel_knowledge *k, const numel_options *options, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    error_clear(e);
    *out = new_model(ck, path, k, options, e);
    return e->code;
}

numel_rc numel_model_resolve(numel_model *c, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    error_clear(e);
    return handle_part(c, &resolved_kind, e) ? NUMEL_OK : e->code;
}

void numel_model_close(numel_model *c) { handle_free(c); }
const numel_checkpoint *numel_model_checkpoint(const numel_model *c) { return c->ck; }

/* ---- as a whole --------------------------------------------------------------------------- */

/* Why there is no formula. */
static void add_reason(numel_model_facts *f, const struct numel_model *c)
{
    const numel_error *why = &c->model->why;
    f->why = error_free(why) ? NUMEL_E_KEY : why->code;
    f->why_text = why->what[0] ? why->what : "no configuration was found";
}

static void add_formula(numel_model_facts *f, const struct numel_model *c, const struct resolved *r)
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

static numel_model_facts facts_of(const struct numel_model *c, const struct resolved *r)
{
    numel_state v = r->judgement->verdict;
    numel_model_facts f = { .size = sizeof f, .formula = NUMEL_NOT_KNOWN };
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

numel_rc numel_model_about(const numel_model *c, numel_model_facts *out, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    const struct resolved *r = model_resolved(c);
    numel_model_facts own = { .size = sizeof own,
                              .verdict = NUMEL_IN_PART,
                              .why = NUMEL_E_KEY,
                              .why_text = "the model is deferred: nothing is resolved yet",
                              .formula = NUMEL_NOT_KNOWN,
                              .on_nothing = c->ck ? c->ck->registry.count : 0 };
    error_clear(e);
    if (r) own = facts_of(c, r);
    return BORDER_GIVE(numel_model_facts, out, &own, e) ? NUMEL_OK : e->code;
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

numel_rc numel_model_count(const numel_model *c, numel_counts *out, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    const uint64_t no = NUMEL_NOT_KNOWN;
    numel_counts own = { sizeof own, no, no, no, no, no, no, no, no };
    bool formula = model_resolved(c) && c->model->x;
    error_clear(e);
    if (c->ck) own.tensors = c->ck->registry.count;
    if (c->ck) own.stored = c->ck->stored;
    if (formula && c->ck) add_counts(&own, &c->model->counts);
    if (formula && !c->ck) own.parameters = c->model->x->totals.parameters;
    if (formula && !c->ck) own.buffers = c->model->x->totals.buffers;
    return BORDER_GIVE(numel_counts, out, &own, e) ? NUMEL_OK : e->code;
}

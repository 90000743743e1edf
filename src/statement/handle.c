/*
 * handle.c -- an object for a model and everything found out about it; each part is made once.
 *
 * Parts are in a list, which is searched by the address of their kind. There are few of them, and a new part
 * (in a room above this one) needs no field in the struct.
 */
#include "statement/handle.h"

struct handle_part {
    struct handle_part *next;
    const struct handle_kind *kind;
    void *part;
};

/* Copies a list of texts; NULL: out of memory. */
static const char *const *copy_list(struct arena *a, const char *const *list, size_t n)
{
    const char **copy = arena_alloc(a, n * sizeof *copy);
    for (size_t i = 0; copy && i < n; i++)
        if (!(copy[i] = arena_text(a, list[i], strlen(list[i])))) return NULL;
    return (const char *const *)copy;
}

bool knowledge_copy(numel_knowledge *to, const numel_knowledge *k, struct arena *a, numel_error *e)
{
    *to = *k;
    if (k->config) to->config = arena_text(a, k->config, strlen(k->config));
    if (k->architecture) to->architecture = arena_text(a, k->architecture, strlen(k->architecture));
    if (k->config_text) to->config_text = arena_copy(a, k->config_text, k->config_bytes);
    if (k->print_as) to->print_as = arena_text(a, k->print_as, strlen(k->print_as));
    if (k->base) to->base = arena_text(a, k->base, strlen(k->base));
    to->specs = copy_list(a, k->specs, k->spec_count);
    to->sets = copy_list(a, k->sets, k->set_count);
    return !a->failed || error_nomem(e);
}

struct handle *handle_new(const numel_checkpoint *ck, const char *path, const numel_knowledge *k, bool search,
                          const numel_allocator *m, numel_error *e)
{
    struct handle *c = memory_resize(m, NULL, sizeof *c);
    if (!c) {
        error_nomem(e);
        return NULL;
    }
    *c = (struct handle){ .memory = m, .ck = ck, .path = ck ? ck->path : path, .search = search };
    arena_init(&c->arena, m);
    if (path && !ck) c->path = arena_text(&c->arena, path, strlen(path));
    if ((!path || c->path) && (!k || knowledge_copy(&c->knowledge, k, &c->arena, e))) return c;
    error_nomem(e);
    handle_free(c);
    return NULL;
}

void handle_free(struct handle *c)
{
    if (!c) return;
    const numel_allocator *m = c->memory;
    for (struct handle_part *p = c->parts; p; p = p->next)
        if (p->kind->done) p->kind->done(p->part);
    model_free(c->model);
    arena_done(&c->arena);
    memory_release(m, c);
}

NUMEL_MUST static bool make_model(struct handle *c, numel_error *e)
{
    c->model = c->no_model ? model_of_adapter(c->ck, c->memory, e)
               : c->ck     ? model_make(c->ck, &c->knowledge, c->search, c->memory, e)
                           : model_of_config(c->path, &c->knowledge, c->memory, e);
    return c->model != NULL;
}

/* Gives the model a head of its own, as if the user had set tie_word_embeddings to false. */
NUMEL_MUST static bool untie(struct handle *c, numel_error *e)
{
    size_t n = c->knowledge.set_count;
    const char **sets = arena_alloc(&c->arena, (n + 2) * sizeof *sets);
    if (!sets) return error_nomem(e);
    for (size_t i = 0; i < n; i++) sets[i] = c->knowledge.sets[i];
    sets[n] = "tie_word_embeddings=false";
    sets[n + 1] = "text_config.tie_word_embeddings=false";
    c->knowledge.sets = sets;
    c->knowledge.set_count = n + 2;
    model_free(c->model);
    c->model = NULL;
    return make_model(c, e);
}

bool handle_model(struct handle *c, numel_error *e)
{
    if (c->model) return true;
    if (!make_model(c, e)) return false;
    if (!c->ck || !c->model->x) return true;
    return tied_look(&c->tied, c->model, c->knowledge.values, &c->arena, e) &&
           (!tied_differs(&c->tied) || untie(c, e));
}

bool handle_ready(struct handle *c, numel_error *e)
{
    if (!handle_model(c, e)) return false;
    if (!c->stated && c->ck && c->model->x &&
        !statement_make(&c->statement, c->model, tied_note(&c->tied), e))
        return false;
    c->stated = true;
    return true;
}

bool handle_config_read(const struct handle *c, numel_error *e)
{
    const numel_error *unread = &c->model->unread;
    if (unread->code == NUMEL_E_IO) *e = *unread;
    return unread->code != NUMEL_E_IO;
}

/* ---- parts -------------------------------------------------------------------------------- */

static void *find_part(const struct handle *c, const struct handle_kind *kind)
{
    for (struct handle_part *p = c->parts; p; p = p->next)
        if (p->kind == kind) return p->part;
    return NULL;
}

const void *handle_made(const struct handle *c, const struct handle_kind *kind) { return find_part(c, kind); }

void *handle_part(struct handle *c, const struct handle_kind *kind, numel_error *e)
{
    void *made = find_part(c, kind);
    if (made) return made;
    struct handle_part *p = arena_alloc(&c->arena, sizeof *p);
    void *part = arena_alloc(&c->arena, kind->bytes);
    if (!p || !part) {
        error_nomem(e);
        return NULL;
    }
    memset(part, 0, kind->bytes);
    if (!kind->make(part, c, e)) {
        if (kind->done) kind->done(part);
        return NULL;
    }
    *p = (struct handle_part){ c->parts, kind, part };
    c->parts = p;
    return part;
}

NUMEL_MUST static bool make_terms(void *part, struct handle *c, numel_error *e)
{
    return terms_of(part, model_formula(c->model), e);
}

static void terms_gone(void *part)
{
    struct terms *t = part;
    if (t->arena.memory) terms_done(t);
}

NUMEL_MUST static bool make_roles(void *part, struct handle *c, numel_error *e)
{
    return roles_make(part, c->model, e);
}

NUMEL_MUST static bool make_unchecked(void *part, struct handle *c, numel_error *e)
{
    return unchecked_make(part, c, e);
}

struct terms *handle_terms(struct handle *c, numel_error *e)
{
    static const struct handle_kind kind = { sizeof(struct terms), make_terms, terms_gone };
    return handle_part(c, &kind, e);
}

struct roles *handle_roles(struct handle *c, numel_error *e)
{
    static const struct handle_kind kind = { sizeof(struct roles), make_roles, NULL };
    return handle_part(c, &kind, e);
}

struct unchecked *handle_unchecked(struct handle *c, numel_error *e)
{
    static const struct handle_kind kind = { sizeof(struct unchecked), make_unchecked, NULL };
    return handle_part(c, &kind, e);
}

/* config_inferred.c -- values read off the tensors; see config.h. */
#include "formula/config_internal.h"

struct inferred *inferred_find(struct config *c, numel_str key)
{
    for (size_t i = 0; i < c->inferred_count; i++)
        if (text_same(c->inferred[i].key, key)) return &c->inferred[i];
    return NULL;
}

/* Items of a list get the key of the list. */
NUMEL_MUST static bool keep_value(struct config *c, const char *key, struct value *v)
{
    v->key = key;
    v->evidence = EVIDENCE_INFERRED;
    if (v->kind == VALUE_TEXT) return (v->s.p = arena_text(&c->arena, v->s.p, v->s.n)) != NULL;
    if (v->kind != VALUE_LIST) return true;
    struct value *items = arena_copy(&c->arena, v->list.items, v->list.n * sizeof *items);
    v->list.items = items;
    for (uint64_t i = 0; items && i < v->list.n; i++)
        if (!keep_value(c, key, &items[i])) return false;
    return items != NULL;
}

bool config_watch(struct config *c, numel_str key, numel_error *e)
{
    if (inferred_find(c, key)) return true;
    char *text = arena_text(&c->arena, key.p, key.n);
    if (!text) return error_nomem(e);
    if (!memory_grow(c->arena.memory, (void **)&c->inferred, &c->inferred_cap, c->inferred_count + 1,
                     sizeof *c->inferred, e))
        return false;
    c->inferred[c->inferred_count++] = (struct inferred){ .key = { text, key.n } };
    return true;
}

bool config_add_inferred(struct config *c, numel_str key, const struct value *v, numel_error *e)
{
    struct inferred *known = inferred_find(c, key);
    if (!known && v->kind == VALUE_NULL && v->evidence != EVIDENCE_INFERRED) return true;
    if (!known && !config_watch(c, key, e)) return false;
    if (!known) known = inferred_find(c, key);
    known->value = *v;
    known->null = v->kind == VALUE_NULL && v->evidence == EVIDENCE_INFERRED;
    return keep_value(c, known->key.p, &known->value) || error_nomem(e);
}

void config_forget_asked(struct config *c)
{
    for (size_t i = 0; i < c->inferred_count; i++) c->inferred[i].asked = false;
}

bool config_asked(struct config *c, numel_str key)
{
    const struct inferred *known = inferred_find(c, key);
    return known && known->asked;
}

void config_hide(struct config *c, const char *key)
{
    c->hidden = key;
    config_suppose(c, c->supposed); /* drops cached answers */
}

void config_swap_inferred(struct config *c, struct config_inferred *values)
{
    struct config_inferred own = { c->inferred, c->inferred_count, c->inferred_cap };
    c->inferred = values->items;
    c->inferred_count = values->count;
    c->inferred_cap = values->cap;
    *values = own;
}

void config_free_inferred(struct config *c, struct config_inferred *values)
{
    memory_release(c->arena.memory, values->items);
    *values = (struct config_inferred){ NULL, 0, 0 };
}

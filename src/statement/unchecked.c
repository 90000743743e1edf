/*
 * unchecked.c -- combines names that differ only in numbers between dots and are counted in the same line
 * into one item.
 */
#include "statement/handle.h"

/* The key: the starred name, a newline, and the line's code. */
static bool put_key(struct buffer *b, numel_str name, const char *code)
{
    b->n = 0;
    text_starred(b, name);
    buffer_char(b, '\n');
    buffer_text(b, code);
    return !b->failed;
}

/* The item with that key, which is added if it is new. NULL: out of memory. */
NUMEL_MUST static struct unchecked_item *item_of(struct unchecked *u, size_t *cap, struct names *by_key,
                                                 const struct buffer *key, struct handle *c,
                                                 const struct line_code *code, numel_error *e)
{
    uint32_t at = names_find(by_key, u->items, buffer_view(key));
    if (at != NAMES_ABSENT) return &u->items[at];
    char *kept = arena_text(&c->model->arena, key->p, key->n);
    if (!kept) {
        error_nomem(e);
        return NULL;
    }
    if (!memory_grow(c->model->arena.memory, (void **)&u->items, cap, u->count + 1, sizeof *u->items, e) ||
        !names_reserve(by_key, u->count + 1, e))
        return NULL;
    u->items[u->count] = (struct unchecked_item){
        .key = { kept, key->n },
        .name = text_less((numel_str){ kept, key->n }, strlen(code->code) + 1),
        .code = code->code,
        .why = tally_find(&c->statement.tally, code)->cause, /* the line that counts the tensor */
    };
    names_enter(by_key, u->items, u->count);
    return &u->items[u->count++];
}

/* Excludes wrong and unexpected tensors, which are reported elsewhere. */
static bool is_unchecked(const struct model_tensor *t)
{
    return t->ground == GROUND_NAME && cause_harmless(t->cause) && !fit_is_off(t->fit);
}

NUMEL_MUST static bool gather(struct unchecked *u, struct names *by_key, struct buffer *key, struct handle *c,
                              numel_error *e)
{
    const struct registry *r = &c->model->ck->registry;
    size_t cap = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        const struct model_tensor t = model_tensor(c->model, i);
        if (!is_unchecked(&t)) continue;
        const struct line_code *code = statement_code(&t);
        if (!put_key(key, r->tensors[i].name, code->code)) return error_nomem(e);
        struct unchecked_item *item = item_of(u, &cap, by_key, key, c, code, e);
        if (!item) return false;
        item->tensors++;
        item->elements += r->tensors[i].elements; /* cannot overflow: the total fits */
    }
    return true;
}

bool unchecked_make(struct unchecked *out, struct handle *c, numel_error *e)
{
    const numel_allocator *m = c->model->arena.memory;
    struct names by_key;
    struct buffer key;
    *out = (struct unchecked){ NULL, 0 };
    if (c->model->x && !c->model->differences.grounds[GROUND_NAME]) return true;
    names_init(&by_key, m, sizeof *out->items);
    buffer_init(&key, m);
    bool ok = gather(out, &by_key, &key, c, e);
    struct unchecked_item *made = out->items;
    out->items = ok && made ? arena_copy(&c->model->arena, made, out->count * sizeof *made) : NULL;
    if (ok && made && !out->items) ok = error_nomem(e);
    if (!out->items) out->count = 0;
    memory_release(m, made);
    buffer_done(&key);
    names_done(&by_key);
    return ok;
}

const char *unscaled_text(const struct model *m, struct arena *a)
{
    char shown[TEXT_COUNT];
    uint64_t n = 0;
    for (uint32_t i = 0; i < m->ck->registry.count; i++) {
        const char *type = m->ck->registry.tensors[i].dtype->name;
        if (strncmp(type, "F8_E", 4) != 0 || model_as_packed(m, i)) continue;
        struct model_tensor t = model_tensor(m, i);
        n += t.cause == CAUSE_EXPECTED && !t.layout;
    }
    return n ? arena_format(a, "; %s of F8 without scales: cast, or the scales are lost",
                            text_count(shown, n, "tensor"))
             : "";
}

/*
 * printed_account.c -- lists parameters that print() does not show, by class; with a path, turns the sums of
 * printed.h into lines, from the printed total to the held one.
 */
#include "printout/printed_account.h"

#include "base/num.h"
#include "base/text.h"

struct making {
    struct printed_account *x;
    const struct printed_beside *b;
    const struct module *modules;
    struct arena *a;
    numel_error *e;
};

const char *unseen_text(enum unseen_kind k)
{
    static const char *const texts[] = {
#define X(name, text) text,
        UNSEEN(X)
#undef X
    };
    return texts[k];
}

/* ---- names -------------------------------------------------------------------------------- */

/* The path of a module, escaped: "model.layers.0-31.self_attn". */
NUMEL_MUST static const char *path_of(struct making *w, uint32_t m)
{
    uint32_t chain[PRINTOUT_DEPTH];
    unsigned n = 0;
    struct buffer b;
    buffer_init(&b, w->a->memory);
    for (; m != w->b->x->module && n < PRINTOUT_DEPTH; m = w->modules[m].parent) chain[n++] = m;
    while (n-- > 0) {
        if (b.n) buffer_char(&b, '.');
        text_escape(&b, w->modules[chain[n]].name);
    }
    if (!b.n) text_escape(&b, w->modules[w->b->x->module].class);
    return buffer_keep(&b, w->a);
}

/* ---- unseen parameters -------------------------------------------------------------------- */

/* The row of that kind and class, added if it is new. There are few, so a linear search suffices; after
 * ROWS everything joins the last. NULL: NOMEM. */
static struct unseen *row_of(struct making *w, enum unseen_kind kind, numel_str class)
{
    enum { ROWS = 200 };
    struct printed_account *x = w->x;
    for (size_t i = 0; i < x->unseen_count; i++)
        if (x->unseen[i].kind == kind && text_same(x->unseen[i].class, class)) return &x->unseen[i];
    if (x->unseen_count == ROWS) return &x->unseen[ROWS - 1];
    if (!x->unseen) x->unseen = arena_alloc(w->a, ROWS * sizeof *x->unseen);
    if (!x->unseen) return NULL;
    struct unseen *r = &x->unseen[x->unseen_count++];
    *r = (struct unseen){ .kind = kind, .class = class };
    return r;
}

NUMEL_MUST static bool add_unseen(struct making *w, enum unseen_kind kind, uint32_t m, uint64_t tensors,
                                  uint64_t elements, bool known, numel_str name)
{
    struct unseen *r = row_of(w, kind, w->modules[m].class);
    if (!r) return error_nomem(w->e);
    if (!r->name) r->name = name.n ? name_shown(w->a, name) : path_of(w, m);
    if (!r->name) return error_nomem(w->e);
    r->known = r->modules ? r->known && known : known;
    if (!num_add(&r->modules, r->modules, w->modules[m].times) ||
        !num_add(&r->elements, r->elements, elements))
        return error_set(w->e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the sums do not fit in 64 bits");
    r->tensors += tensors;
    return true;
}

/* torch's attention: three matrices of the width of its out_proj, with biases if that has one. */
static uint64_t in_proj_of(const struct making *w, uint32_t m)
{
    const struct module *child = &w->modules[m + 1];
    uint64_t width, n;
    if (w->modules[m].end == m + 1 || !text_equal(child->name, "out_proj") || !child->parameters) return 0;
    const struct parameter *q = &w->b->p->parameters[child->parameter];
    width = q->dims[0];
    if (q->ndim != 2 || !num_mul(&n, width, width) || !num_add(&n, n, child->parameters > 1 ? width : 0) ||
        !num_mul(&n, n, 3) || !num_mul(&n, n, w->modules[m].times))
        return 0;
    return n;
}

NUMEL_MUST static bool see_alone(struct making *w, uint32_t m)
{
    const struct module *x = &w->modules[m];
    uint64_t n;
    if (x->kind == MODULE_ATTENTION && (n = in_proj_of(w, m)) > 0)
        return add_unseen(w, UNSEEN_IN_PROJ, m, 2 * x->times, n, true, (numel_str){ NULL, 0 });
    if (x->shows != SHOWS_NO_SIZE) return true;
    return add_unseen(w, UNSEEN_NO_SIZE, m, 0, 0, false, (numel_str){ NULL, 0 });
}

NUMEL_MUST static bool see_beside(struct making *w, uint32_t m)
{
    const struct beside *o = beside_own(w->b, m);
    if (o->sizeless_tensors &&
        !add_unseen(w, UNSEEN_NO_SIZE, m, o->sizeless_tensors, o->sizeless, true, (numel_str){ NULL, 0 }))
        return false;
    return !o->bare_tensors ||
           add_unseen(w, w->modules[m].kind == MODULE_ATTENTION ? UNSEEN_IN_PROJ : UNSEEN_BARE, m,
                      o->bare_tensors, o->bare, true, o->first_bare);
}

/* Without a path: matrices with the shape of the largest table; a tied model has only one. */
static bool see_shared(struct making *w)
{
    const struct printout *p = w->b->p;
    const struct parameter *table = printed_table(p, w->b->x);
    for (uint32_t m = w->b->x->module; table && m < w->b->x->end; m++) {
        const struct module *x = &w->modules[m];
        if (!x->parameters || x->times != 1) continue;
        const struct parameter *q = &p->parameters[x->parameter];
        if (q == table || q->ndim != 2 || memcmp(q->dims, table->dims, 2 * sizeof *q->dims) != 0) continue;
        if (!add_unseen(w, UNSEEN_SHARED, m, 1, q->elements, true, (numel_str){ NULL, 0 })) return false;
    }
    return true;
}

static bool see(struct making *w)
{
    for (uint32_t m = w->b->x->module; m < w->b->x->end; m++)
        if (w->b->h ? !see_beside(w, m) : !see_alone(w, m)) return false;
    return w->b->h || see_shared(w);
}

/* ---- the sum ------------------------------------------------------------------------------ */

const struct line_code printed_codes[PRINTED_CODE_COUNT] = {
#define X(name, code, text, explains) { code, text, explains },
    PRINTED_CODES(X)
#undef X
};

/* Adds a line, unless it is 0; `detail` is NULL when out of memory. */
static void add(struct making *w, unsigned code, const char *detail, uint64_t tensors, uint64_t plus,
                uint64_t minus)
{
    if (!detail) error_nomem(w->e);
    if (plus == 0 && minus == 0 && code != PRINTED_PRINTED) return;
    struct tally_line *l = tally_add(&w->x->tally, &printed_codes[code], (numel_str){ NULL, 0 }, plus, minus);
    if (l) l->detail = detail;
    if (l) l->tensors = (int64_t)tensors;
}

/* The classes of a line: "LlamaRMSNorm (65), SiLU (32) and 2 more". */
NUMEL_MUST static const char *classes(struct making *w, enum unseen_kind kind)
{
    struct buffer b;
    size_t shown = 0, more = 0;
    buffer_init(&b, w->a->memory);
    for (size_t i = 0; i < w->x->unseen_count; i++) {
        const struct unseen *u = &w->x->unseen[i];
        if (u->kind != kind) continue;
        if (shown == 3) {
            more++;
            continue;
        }
        if (shown++) buffer_text(&b, ", ");
        text_escape(&b, u->class);
        buffer_format(&b, " (%" PRIu64 ")", u->modules);
    }
    if (more) buffer_format(&b, " and %zu more", more);
    return buffer_keep(&b, w->a);
}

static uint64_t sum_of(const struct printed_account *x, enum unseen_kind kind, uint64_t *tensors)
{
    uint64_t n = 0;
    *tensors = 0;
    for (size_t i = 0; i < x->unseen_count; i++)
        if (x->unseen[i].kind == kind) {
            n += x->unseen[i].elements; /* part of the held sum, which fits */
            *tensors += x->unseen[i].tensors;
        }
    return n;
}

/* The path of the first module where that field of struct beside is not 0. */
NUMEL_MUST static const char *first_of(struct making *w, size_t field)
{
    for (uint32_t m = w->b->x->module; m < w->b->x->end; m++)
        if (*(const uint64_t *)(const void *)((const char *)beside_own(w->b, m) + field))
            return path_of(w, m);
    return "";
}

#define FIRST(w, field) first_of(w, offsetof(struct beside, field))

static void add_unseen_lines(struct making *w)
{
    struct printed_account *x = w->x;
    for (int k = UNSEEN_NO_SIZE; k <= UNSEEN_IN_PROJ; k++) {
        uint64_t tensors, n = sum_of(x, (enum unseen_kind)k, &tensors);
        add(w, PRINTED_NO_SIZE + (unsigned)k, classes(w, (enum unseen_kind)k), tensors, n, 0);
        x->unseen_elements += n;
        x->unseen_tensors += tensors;
    }
}

NUMEL_MUST static bool add_up(struct making *w)
{
    struct printed_account *x = w->x;
    const struct beside *s = beside_sum(w->b, w->b->x->module);
    tally_init(&x->tally, w->a, w->e);
    add(w, PRINTED_PRINTED, "", 0, s->printed, 0);
    add(w, PRINTED_TIED, FIRST(w, tied), 0, 0, s->tied);
    add(w, PRINTED_ADAPTERS, FIRST(w, adapters), 0, 0, s->adapters);
    add(w, PRINTED_ASSUMED, "prints the same with and without bias", 0, 0, s->assumed);
    add_unseen_lines(w);
    add(w, PRINTED_ABSENT, FIRST(w, absent), 0, 0, s->absent);
    add(w, PRINTED_STRANGE, name_shown(w->a, s->first_strange), s->strange_tensors, s->strange, 0);
    add(w, PRINTED_LARGER, FIRST(w, larger), 0, s->larger, 0);
    add(w, PRINTED_SMALLER, FIRST(w, smaller), 0, 0, s->smaller);
    return tally_close(&x->tally, w->b->held, 0, &x->left);
}

bool printed_account_make(struct printed_account *x, const struct printed_beside *b, struct arena *a,
                          numel_error *e)
{
    struct making w = { .x = x, .b = b, .modules = b->p->modules, .a = a, .e = e };
    *x = (struct printed_account){ .agrees = true };
    if (!see(&w)) return false;
    x->bound = b->x->cut;
    for (size_t i = 0; i < x->unseen_count; i++) x->bound |= !x->unseen[i].known;
    if (!b->h) return true;
    if (!add_up(&w)) return false;
    x->agrees = x->left == 0;
    for (size_t i = 0; i < x->tally.count; i++) x->agrees &= x->tally.lines[i]->explains;
    return true;
}

/*
 * pair.c -- which tensors of two checkpoints correspond; see diff.h for the order.
 *
 * A pass only handles unpaired tensors. The passes over roles gather the tensors of both sides under a
 * key, the role with the turns of its loops, "attn.q/3"; tensors with the same key on both sides
 * correspond. With equally many on each side they pair one by one (experts), else they all form one
 * link. A second pass uses the whole that a role is a part of, "attn.qkv/3" for q, k and v: if their
 * values are not equally many, that is the difference.
 */
#include "diff/diff.h"

#include "base/num.h"

struct place {     /* the tensors of one key */
    numel_str key; /* first: see names.h */
    uint64_t tensors[2];
    uint32_t links, link;
};

struct pairing {
    struct diff *d;
    uint32_t *count; /* links so far */
    struct place *places;
    size_t place_count, place_cap;
    struct names names;
    uint32_t *place_of[2]; /* by tensor; NAMES_ABSENT: none */
    struct buffer text;
};

static void join(struct pairing *p, int side, uint32_t tensor, uint32_t other)
{
    uint32_t *x = &p->d->side[side].link[tensor], *y = &p->d->side[!side].link[other];
    if (*x == NO_LINK && *y == NO_LINK) *x = *y = (*p->count)++;
    else if (*x == NO_LINK) *x = *y;
    else if (*y == NO_LINK) *y = *x;
}

/* ---- same names --------------------------------------------------------------------------- */

/* The name that a tensor of A has in B: the same, unless its layer has another number there. {NULL, 0}: not
 * in B. */
NUMEL_MUST static bool name_in_b(struct pairing *p, numel_str name, numel_str *out)
{
    uint64_t number, other;
    size_t start;
    const struct renumbered *r = diff_renumbered(p->d, name, &number, &start);
    *out = name;
    if (!r) return true;
    *out = (numel_str){ NULL, 0 };
    if (!diff_other_number(r, A, number, &other)) return true;
    size_t end = text_find(name, start, '.');
    p->text.n = 0;
    buffer_add(&p->text, name.p, start);
    buffer_format(&p->text, "%" PRIu64, other);
    buffer_str(&p->text, text_from(name, end));
    *out = buffer_view(&p->text);
    return !p->text.failed || error_nomem(p->d->error);
}

static bool pair_names(struct pairing *p)
{
    const struct registry *a = p->d->side[A].r, *b = p->d->side[B].r;
    numel_str name;
    for (size_t i = 0; i < a->count; i++) {
        if (a->tensors[i].flags & NUMEL_REPEATED) continue;
        if (!name_in_b(p, a->tensors[i].name, &name)) return false;
        const numel_tensor *other = name.p ? registry_find(b, name) : NULL;
        if (other) join(p, A, (uint32_t)i, (uint32_t)(other - b->tensors));
    }
    return true;
}

/* A name in two files of a set joins the link of its first occurrence. */
static void pair_repeated(struct pairing *p)
{
    for (int w = A; w <= B; w++) {
        struct diff_side *s = &p->d->side[w];
        for (size_t i = 0; i < s->r->count; i++)
            if (s->r->tensors[i].flags & NUMEL_REPEATED)
                s->link[i] = s->link[registry_find(s->r, s->r->tensors[i].name) - s->r->tensors];
    }
}

/* ---- names in the other format ------------------------------------------------------------ */

NUMEL_MUST static bool find_there(struct diff_side *s, numel_str name, uint32_t *tensor, numel_error *e)
{
    if (s->c && s->c->model->x) return model_find(s->c->model, name, tensor, e);
    const numel_tensor *t = registry_find(s->r, name);
    *tensor = t ? (uint32_t)(t - s->r->tensors) : NAMES_ABSENT;
    return true;
}

/* "blk.3.ffn_gate.{e}.weight" with the number for {e}. */
NUMEL_MUST static bool put_number(struct pairing *p, numel_str name, const char *mark, uint32_t e)
{
    p->text.n = 0;
    buffer_add(&p->text, name.p, (size_t)(mark - name.p));
    buffer_format(&p->text, "%" PRIu32, e);
    buffer_str(&p->text, text_behind(name, mark + 3));
    buffer_char(&p->text, '\0'); /* as at the end of a spec's names */
    return !p->text.failed || error_nomem(p->d->error);
}

/* The other side's tensor of the row's other name belongs to the row: to its tensor, if present, and always
 * to its role, which that side's own spec may lack. */
static bool pair_row(struct pairing *p, int side, uint32_t r)
{
    struct diff_side *there = &p->d->side[!side];
    const struct handle *c = p->d->side[side].c;
    const struct row *row = &c->model->x->rows[r];
    const char *mark = strstr(row->other.p, "{e}");
    uint32_t stack = c->model->x->sites[row->site].stack, tensor = model_row(c->model, r).tensor;
    for (uint32_t e = 0; e < (mark ? stack : 1); e++) {
        if (mark && !put_number(p, row->other, mark, e)) return false;
        numel_str name = mark ? text_less(buffer_view(&p->text), 1) : row->other;
        uint32_t other;
        if (!find_there(there, name, &other, p->d->error)) return false;
        if (other == NAMES_ABSENT && mark) break; /* no stack: no need for 500 look-ups */
        if (other == NAMES_ABSENT) continue;
        if (there->foreign[other] == NAMES_ABSENT) there->foreign[other] = r;
        if (tensor != NAMES_ABSENT) join(p, side, tensor, other);
    }
    return true;
}

static bool pair_other_names(struct pairing *p, int side)
{
    struct diff_side *s = &p->d->side[side];
    if (!s->c->model->x) return true;
    for (uint32_t r = 0; r < s->c->model->x->row_count; r++) {
        if (!s->c->model->x->rows[r].other.p) continue;
        s->names_other = true;
        if (!pair_row(p, side, r)) return false;
    }
    return true;
}

/* ---- roles -------------------------------------------------------------------------------- */

/* Parts of a whole: the last word of a role, and the whole's name. */
/* clang-format off */
static const struct {
    const char *part, *whole;
} parts[] = {
    { "q", "qkv" },       { "k", "qkv" },     { "v", "qkv" },         { "qk", "qkv" },
    { "kv", "qkv" },      { "qkv", "qkv" },   { "qkvz", "qkv" },      { "z", "qkv" },
    { "b", "ba" },        { "a", "ba" },      { "ba", "ba" },         { "gate", "gate_up" },
    { "up", "gate_up" },  { "gate_up", "gate_up" }, { "k_b", "kv_b" }, { "v_b", "kv_b" },
    { "kv_b", "kv_b" },   { "mix", "mix" },   { "mix_x", "mix" },     { "mix_w", "mix" },
    { "mix_k", "mix" },   { "mix_v", "mix" }, { "mix_r", "mix" },     { "mix_g", "mix" },
    { "mix_5", "mix" },
};
/* clang-format on */

const char *diff_whole_of(numel_str role, numel_str *stem)
{
    text_take_end(&role, ".bias");
    *stem = text_head(role, '.');
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (text_equal(text_from(role, stem->n), parts[i].part)) return parts[i].whole;
    return NULL;
}

static bool put_key(struct pairing *p, const struct site *s, bool whole)
{
    p->text.n = 0;
    if (whole) {
        numel_str stem;
        const char *name = diff_whole_of(s->role, &stem);
        if (!name) return false;
        buffer_add(&p->text, stem.p, stem.n);
        buffer_text(&p->text, name);
        if (text_ends(s->role, ".bias")) buffer_text(&p->text, ".bias");
    } else {
        buffer_add(&p->text, s->role.p, s->role.n);
    }
    for (const struct turn *t = s->turn; t; t = t->outer) buffer_format(&p->text, "/%" PRId64, t->at);
    return true;
}

/* The number of the place whose key is in p->text, added if it is new. */
NUMEL_MUST static bool find_place(struct pairing *p, uint32_t *place)
{
    if (p->text.failed) return error_nomem(p->d->error);
    *place = names_add(&p->names, &p->places, &p->place_count, &p->place_cap, buffer_view(&p->text),
                       p->d->arena, p->d->error);
    return *place != NAMES_ABSENT;
}

/* Assigns every unpaired tensor with a role to its place. */
static bool gather(struct pairing *p, int side, bool whole)
{
    const struct diff_side *s = &p->d->side[side];
    for (uint32_t i = 0; i < s->r->count; i++) {
        const struct site *site = s->link[i] == NO_LINK ? diff_site(p->d, side, i, NULL) : NULL;
        p->place_of[side][i] = NAMES_ABSENT;
        if (!site || !put_key(p, site, whole)) continue;
        if (!find_place(p, &p->place_of[side][i])) return false;
        struct place *at = &p->places[p->place_of[side][i]];
        at->tensors[side]++;
    }
    return true;
}

/* The number of links that a place makes. */
static uint32_t links_of(const struct place *at, bool whole)
{
    if (at->tensors[A] == 0 || at->tensors[B] == 0) return 0;
    return !whole && at->tensors[A] == at->tensors[B] ? (uint32_t)at->tensors[A] : 1;
}

/* The n-th tensors of two stacks get the same link. */
static void assign(struct pairing *p, int side)
{
    const struct diff_side *s = &p->d->side[side];
    for (uint32_t i = 0; i < s->r->count; i++) {
        uint32_t place = p->place_of[side][i], index;
        const struct place *at = place == NAMES_ABSENT ? NULL : &p->places[place];
        if (!at || at->links == 0) continue;
        diff_site(p->d, side, i, &index);
        s->link[i] = at->link + index % at->links;
    }
}

static bool pair_roles(struct pairing *p, bool whole)
{
    p->place_count = 0;
    names_done(&p->names);
    names_init(&p->names, p->d->memory, sizeof *p->places);
    if (!gather(p, A, whole) || !gather(p, B, whole)) return false;
    for (size_t i = 0; i < p->place_count; i++) {
        p->places[i].links = links_of(&p->places[i], whole);
        p->places[i].link = *p->count;
        *p->count += p->places[i].links;
    }
    assign(p, A);
    assign(p, B);
    return true;
}

/* ---- all ---------------------------------------------------------------------------------- */

/* Every name has a partner with the same shape: no spec is needed. */
static bool all_paired(const struct diff *d)
{
    const struct registry *a = d->side[A].r, *b = d->side[B].r;
    if (d->cross || a->count != b->count) return false;
    for (size_t i = 0; i < a->count; i++) {
        const numel_tensor *x = &a->tensors[i], *y = registry_find(b, x->name);
        if (!y || !diff_same_dims(x, y)) return false;
    }
    return true;
}

bool diff_make_models(struct diff *d)
{
    for (int w = A; w <= B && !d->side[w].c; w++) {
        if (!handle_ready(d->side[w].model, d->error)) return false;
        d->side[w].c = d->side[w].model;
    }
    return true;
}

static bool run_passes(struct pairing *p)
{
    struct diff *d = p->d;
    bool paired = all_paired(d);
    if (!d->cross && !paired && !diff_find_renumbered(d)) return false;
    if (!d->cross && !pair_names(p)) return false;
    pair_repeated(p);
    if (paired) return true;
    if (!diff_make_models(d)) return false;
    if (d->cross && !(pair_other_names(p, A) && pair_other_names(p, B))) return false;
    const struct expansion *a = d->side[A].c->model->x, *b = d->side[B].c->model->x;
    d->by_role = d->cross ? a || b : a && b;
    if (d->by_role && !(pair_roles(p, false) && pair_roles(p, true))) return false;
    if (!d->cross && !diff_pair_prefixes(d, p->count)) return false;
    pair_repeated(p);
    return true;
}

bool diff_pair(struct diff *d, uint32_t *count)
{
    struct pairing p = { .d = d, .count = count };
    names_init(&p.names, d->memory, sizeof *p.places);
    buffer_init(&p.text, d->memory);
    bool ok = true;
    for (int w = A; ok && w <= B; w++) {
        size_t n = (d->side[w].r->count + 1) * sizeof(uint32_t);
        p.place_of[w] = arena_alloc(d->arena, n);
        ok = p.place_of[w] || error_nomem(d->error);
    }
    ok = ok && run_passes(&p);
    memory_release(d->memory, p.places);
    names_done(&p.names);
    buffer_done(&p.text);
    return ok;
}

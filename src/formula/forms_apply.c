/*
 * forms_apply.c -- finds the forms that a file uses and rewrites the expansion for them; see forms.h.
 *
 * An instance of a form is a set of old sites in one layer: the first is found by its name, the others by the
 * names that follow from it. If the file has none of an instance's old tensors and some of the new ones, the
 * form is in use. Then it applies wherever the file has none of the old tensors, so that a missing tensor is
 * reported under the same name as its neighbours. If only the shape changes, one tensor of the new shape is
 * enough.
 *
 * A changed site keeps its place in the formula: its line, its iteration, its share of the sum. Only its
 * names, its dims and its number of tensors are new.
 */
#include "formula/forms_internal.h"

#include "base/names.h"
#include "base/num.h"

#include <string.h>

struct instance {
    const struct form *form;
    uint32_t sites[FORM_LINES];
    numel_str prefix, word;       /* {P}, {m} */
    struct site made[FORM_LINES]; /* the sites that replace them */
    numel_str *names[FORM_LINES]; /* one for each row */
    bool used;
};

struct applying {
    struct expansion *x;
    const struct forms *forms;
    const struct form_file *file;
    struct form_sizes sizes;
    struct names by_name;
    struct instance *instances;
    size_t count, cap;
    uint32_t *fate;   /* by site: 0, or the number of its instance + 1 */
    numel_str *taken; /* names used by instances */
    size_t taken_count, taken_cap;
    struct names by_taken;
    struct buffer text;
    numel_error *error;
};

/* ---- names ------------------------------------------------------------------------------------ */

/* The name of expert e, in a->text until the next call. */
NUMEL_MUST static bool write_name(struct applying *a, const struct form_line *l, numel_str prefix,
                                  numel_str word, uint32_t e, numel_str *out)
{
    return forms_name(&a->text, l, prefix, word, e, out) || error_nomem(a->error);
}

/* The most distinctive part of a name: its longest text, without the suffix that a quantizer may replace. */
static numel_str telling(const struct form_line *l)
{
    numel_str best = { "", 0 };
    for (unsigned i = 0; i < l->piece_count; i++) {
        numel_str t = l->pieces[i].text;
        if (l->pieces[i].mark != FORM_TEXT) continue;
        text_take_end(&t, ".weight");
        if (t.n > best.n) best = t;
    }
    return best;
}

/* ---- sizes ------------------------------------------------------------------------------------ */

/* True if the site is one tensor, or one for each expert, with names and sizes as in the line. */
static bool fits_site(struct applying *a, const struct form_line *l, uint32_t site)
{
    const struct site *s = &a->x->sites[site];
    numel_str prefix, word;
    uint32_t last = s->first_row + s->rows - 1;
    if (a->fate[site] || s->ndim != l->ndim || (l->each ? s->rows != s->stack : s->rows != 1)) return false;
    if (!forms_match(l, a->x->rows[last].name, &prefix, &word)) return false;
    struct value n = value_int(s->rows);
    if (l->each && !a->sizes.env.is_bound[a->forms->experts]) env_bind(&a->sizes.env, a->forms->experts, &n);
    if (l->each && a->sizes.env.bound[a->forms->experts].i != s->rows) return false;
    for (uint32_t i = 0; i < s->ndim; i++)
        if (!forms_unify(&a->sizes, l->dims[i], s->dims[i])) return false;
    return true;
}

/* ---- a new tensor's share of the formula --------------------------------------------------------- */

static uint64_t of_one(const struct site *s) { return s->stacked ? s->elements / s->stack : s->elements; }

/* All old tensors together, one of them, or an equal part of one. */
static struct poly share(struct applying *a, const struct instance *in, const struct site *base, unsigned at,
                         uint64_t elements)
{
    struct factors *f = &a->x->factors;
    struct poly all = poly_number(f, 0);
    uint64_t sum = 0, one = of_one(base);
    for (unsigned i = 0; i < in->form->old_count; i++) {
        const struct site *s = &a->x->sites[in->sites[i]];
        all = poly_add(f, all, s->each);
        sum += of_one(s);
    }
    if (one == elements) return base->each;
    if (sum == elements) return all;
    struct poly part = poly_part(f, base->each, at, elements);
    if (part.lost && elements && one % elements == 0)
        part = poly_divide(f, base->each, (int64_t)(one / elements));
    return part;
}

/* ---- one instance -------------------------------------------------------------------------------- */

static bool is_bias(const struct form_line *l)
{
    return text_ends(l->pieces[l->piece_count - 1].text, "bias");
}

/* The old site that a new line is derived from: the one at the same position, else the first that, like it,
 * is or is not a bias. */
static const struct site *base_of(const struct applying *a, const struct instance *in, unsigned at)
{
    const struct form *f = in->form;
    unsigned i = 0;
    if (f->old_count == f->new_count) return &a->x->sites[in->sites[at]];
    while (i + 1 < f->old_count && is_bias(&f->old[i]) != is_bias(&f->new[at])) i++;
    return &a->x->sites[in->sites[i]];
}

NUMEL_MUST static bool make_site(struct applying *a, struct instance *in, unsigned at, bool *fits)
{
    const struct form_line *l = &in->form->new[at];
    const struct site *base = base_of(a, in, at);
    const struct node *first = &a->forms->base->nodes[l->dims[0]];
    struct site s = *base;
    uint64_t *dims = arena_alloc(&a->x->arena, FORM_DIMS * sizeof *dims);
    int64_t n,
        experts = a->sizes.env.is_bound[a->forms->experts] ? a->sizes.env.bound[a->forms->experts].i : 1;
    if (!dims) return error_nomem(a->error);
    s.dims = dims;
    s.ndim = l->ndim;
    s.elements = 1;
    s.stacked = !l->each && first->kind == NODE_SYMBOL && (uint32_t)first->number == a->forms->experts;
    s.rows = l->each ? (uint32_t)experts : 1;
    s.counts = false; /* the form makes its names */
    s.stack = l->each || s.stacked ? (uint32_t)experts : 1;
    if (l->role.n) s.role = l->role;
    for (unsigned i = 0; i < l->ndim; i++) {
        if (!forms_value(&a->sizes, l->dims[i], &n) || !num_mul(&s.elements, s.elements, (uint64_t)n))
            return *fits = false, true;
        dims[i] = (uint64_t)n;
    }
    s.each = share(a, in, base, at, of_one(&s));
    if (base->stack == s.stack) s.times = base->times;
    else s.times = poly_number(&a->x->factors, s.stack);
    in->made[at] = s;
    return true;
}

static bool sum_of(uint64_t *sum, const struct site *s)
{
    uint64_t all;
    return num_mul(&all, s->elements, s->rows) && num_add(sum, *sum, all);
}

/* True if the number of elements stays equal, and all sites are present or absent together. */
static bool is_even(const struct applying *a, const struct instance *in)
{
    const struct site *first = &a->x->sites[in->sites[0]];
    uint64_t before = 0, after = 0;
    bool ok = true;
    for (unsigned i = 0; ok && i < in->form->old_count; i++) {
        const struct site *s = &a->x->sites[in->sites[i]];
        ok = s->group == first->group && s->alternative == first->alternative && s->turn == first->turn &&
             s->tied == first->tied && text_same(s->extra, first->extra) && sum_of(&before, s);
    }
    for (unsigned i = 0; ok && i < in->form->new_count; i++) ok = sum_of(&after, &in->made[i]);
    return ok && before == after;
}

/* Finds the old sites of an instance that starts at `site`; sets *fits if all exist and their sizes agree. */
static bool find_instance(struct applying *a, const struct form *f, uint32_t site, struct instance *in,
                          bool *fits)
{
    const struct expansion *x = a->x;
    *in = (struct instance){ .form = f, .sites = { site } };
    *fits = false;
    if (!forms_match(&f->old[0], x->rows[x->sites[site].first_row].name, &in->prefix, &in->word)) return true;
    if (!forms_begin(&a->sizes, f) || !fits_site(a, &f->old[0], site)) return true;
    for (unsigned i = 1; i < f->old_count; i++) {
        numel_str name;
        if (!write_name(a, &f->old[i], in->prefix, in->word, 0, &name)) return false;
        uint32_t row = names_find(&a->by_name, x->rows, name);
        if (row == NAMES_ABSENT) return true;
        in->sites[i] = x->rows[row].site;
        for (unsigned k = 0; k < i; k++)
            if (in->sites[k] == in->sites[i]) return true; /* one tensor cannot be two sites */
        if (x->sites[in->sites[i]].first_row != row || !fits_site(a, &f->old[i], in->sites[i])) return true;
    }
    *fits = true;
    for (unsigned i = 0; *fits && i < f->new_count; i++)
        if (!make_site(a, in, i, fits)) return false;
    *fits = *fits && is_even(a, in);
    return true;
}

/* ---- evidence in the file ----------------------------------------------------------------------- */

/* Sets *yes if the file has any of the old tensors. */
static bool has_old(struct applying *a, const struct instance *in, bool *yes)
{
    const struct expansion *x = a->x;
    *yes = false;
    for (unsigned i = 0; i < in->form->old_count; i++) {
        const struct site *s = &x->sites[in->sites[i]];
        for (uint32_t r = s->first_row; r < s->first_row + s->rows && !*yes; r++)
            if (!a->file->holds(a->file->ctx, x->rows[r].name, yes, a->error)) return false;
    }
    return true;
}

/* Makes the names of the new tensors. Sets *known if one of them is already expected. */
NUMEL_MUST static bool name_new(struct applying *a, struct instance *in, bool *known)
{
    for (unsigned i = 0; i < in->form->new_count; i++) {
        uint32_t n = in->made[i].rows;
        numel_str *names = in->names[i] = arena_alloc(&a->x->arena, n * sizeof *names);
        if (!names) return error_nomem(a->error);
        for (uint32_t e = 0; e < n; e++) {
            if (!write_name(a, &in->form->new[i], in->prefix, in->word, e, &names[e])) return false;
            const char *own = arena_text(&a->x->arena, names[e].p, names[e].n);
            if (!own) return error_nomem(a->error);
            names[e].p = own;
            uint32_t row = names_find(&a->by_name, a->x->rows, names[e]);
            *known |= !in->form->same && row != NAMES_ABSENT && !a->fate[a->x->rows[row].site];
            *known |= names_find(&a->by_taken, a->taken, names[e]) != NAMES_ABSENT;
        }
    }
    return true;
}

static bool has_new(struct applying *a, const struct instance *in, bool *yes)
{
    *yes = false;
    for (unsigned i = 0; i < in->form->new_count; i++)
        for (uint32_t e = 0; e < in->made[i].rows && !*yes; e++)
            if (!a->file->holds(a->file->ctx, in->names[i][e], yes, a->error)) return false;
    return true;
}

/* True if the file has the tensor with the new shape, not the old one. */
static bool has_new_shape(const struct applying *a, const struct instance *in)
{
    const struct site *s = &in->made[0], *old = &a->x->sites[in->sites[0]];
    const uint64_t *dims;
    uint32_t n;
    if (!a->file->dims(a->file->ctx, in->names[0][0], &dims, &n) || n != s->ndim) return false;
    size_t bytes = n * sizeof *dims;
    return memcmp(dims, s->dims, bytes) == 0 && (old->ndim != n || memcmp(dims, old->dims, bytes) != 0);
}

/* Sets *yes if the file shows that the form is used here, or, if not `first`, if it does not contradict
 * that. */
static bool speaks(struct applying *a, struct instance *in, bool first, bool *yes)
{
    bool known = false, old = false;
    *yes = false;
    if (!name_new(a, in, &known)) return false;
    if (in->form->same) return *yes = !first || has_new_shape(a, in), true;
    if (known || !has_old(a, in, &old)) return known;
    if (old) return true;
    return !first ? (*yes = true) : has_new(a, in, yes);
}

/* ---- all instances ------------------------------------------------------------------------------- */

/* No two forms may make the same name. */
static bool take_names(struct applying *a, const numel_str *names, uint32_t n)
{
    if (!memory_grow(a->x->arena.memory, (void **)&a->taken, &a->taken_cap, a->taken_count + n,
                     sizeof *a->taken, a->error) ||
        !names_reserve(&a->by_taken, a->taken_count + n, a->error))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        a->taken[a->taken_count] = names[i];
        names_enter(&a->by_taken, a->taken, a->taken_count++);
    }
    return true;
}

static bool add_instance(struct applying *a, const struct instance *in)
{
    for (unsigned i = 0; i < in->form->new_count; i++)
        if (!take_names(a, in->names[i], in->made[i].rows)) return false;
    if (!memory_grow(a->x->arena.memory, (void **)&a->instances, &a->cap, a->count + 1, sizeof *a->instances,
                     a->error))
        return false;
    a->instances[a->count++] = *in;
    for (unsigned i = 0; i < in->form->old_count; i++) a->fate[in->sites[i]] = (uint32_t)a->count;
    return true;
}

static bool find_instances(struct applying *a, const struct form *f, bool first)
{
    for (uint32_t i = 0; i < a->x->site_count; i++) {
        struct instance in;
        bool yes;
        if (a->fate[i]) continue;
        if (!find_instance(a, f, i, &in, &yes)) return false;
        if (!yes) continue;
        if (!speaks(a, &in, first, &yes) || (yes && !add_instance(a, &in))) return false;
    }
    return true;
}

/* A quick test whether the file can use the form at all. */
static bool may_be(const struct applying *a, const struct form *f)
{
    bool writer = !f->writer || (a->file->writer && strcmp(a->file->writer, f->writer) == 0);
    bool occurs = false;
    numel_str prefix, word;
    for (uint32_t i = 0; writer && !occurs && i < a->x->site_count; i++)
        occurs = forms_match(&f->old[0], a->x->rows[a->x->sites[i].first_row].name, &prefix, &word);
    if (!occurs) return false;
    for (unsigned i = 0; i < f->new_count; i++)
        if (a->file->occurs(a->file->ctx, telling(&f->new[i]))) return true;
    return false;
}

NUMEL_MUST static bool find_all(struct applying *a)
{
    size_t n = a->forms->count;
    bool *used = arena_alloc(&a->x->arena, n + 1);
    if (!used) return error_nomem(a->error);
    for (size_t i = 0; i < n; i++) {
        size_t before = a->count;
        used[i] = may_be(a, &a->forms->items[i]);
        if (used[i] && !find_instances(a, &a->forms->items[i], true)) return false;
        used[i] = a->count > before;
    }
    for (size_t i = 0; i < n; i++)
        if (used[i] && !find_instances(a, &a->forms->items[i], false)) return false;
    return true;
}

/* ---- rewriting the expansion ----------------------------------------------------------------------- */

struct remade {
    struct site *sites;
    struct row *rows;
    size_t site_count, site_cap, row_count, row_cap;
};

NUMEL_MUST static bool room(struct applying *a, struct remade *m, uint32_t rows)
{
    const numel_allocator *memory = a->x->arena.memory;
    if (m->row_count >= NAMES_ABSENT - rows)
        return error_set(a->error, NUMEL_E_LIMIT, NUMEL_NOWHERE, "more than %" PRIu32 " tensors",
                         NAMES_ABSENT);
    return memory_grow(memory, (void **)&m->sites, &m->site_cap, m->site_count + 1, sizeof *m->sites,
                       a->error) &&
           memory_grow(memory, (void **)&m->rows, &m->row_cap, m->row_count + rows, sizeof *m->rows,
                       a->error);
}

static bool keep_site(struct applying *a, struct remade *m, const struct site *s)
{
    if (!room(a, m, s->rows)) return false;
    m->sites[m->site_count] = *s;
    m->sites[m->site_count].first_row = (uint32_t)m->row_count;
    for (uint32_t r = 0; r < s->rows; r++) {
        m->rows[m->row_count] = a->x->rows[s->first_row + r];
        m->rows[m->row_count++].site = (uint32_t)m->site_count;
    }
    m->site_count++;
    return true;
}

static bool put_instance(struct applying *a, struct remade *m, const struct instance *in)
{
    bool alike =
        in->form->old_count == in->form->new_count; /* one for one: keeps the name on the other side */
    for (unsigned i = 0; i < in->form->new_count; i++) {
        struct site s = in->made[i];
        numel_str other =
            alike ? a->x->rows[a->x->sites[in->sites[i]].first_row].other : (numel_str){ NULL, 0 };
        if (!room(a, m, s.rows)) return false;
        s.first_row = (uint32_t)m->row_count;
        m->sites[m->site_count] = s;
        for (uint32_t r = 0; r < s.rows; r++)
            m->rows[m->row_count++] = (struct row){ in->names[i][r], other, (uint32_t)m->site_count, r };
        m->site_count++;
    }
    return true;
}

/* If the file has an alternative in another form, that alternative is chosen. */
static void choose(struct expansion *x, const struct site *s)
{
    if (s->group == NO_GROUP) return;
    x->groups[s->group].chosen = s->alternative;
    x->groups[s->group].present = true;
}

/* Groups are runs of sites; the sites have moved. */
static void regroup(struct expansion *x)
{
    for (size_t g = 0; g < x->group_count; g++) x->groups[g].sites = 0, x->groups[g].elements = 0;
    for (size_t i = 0; i < x->site_count; i++) {
        struct site *s = &x->sites[i];
        if (s->group == NO_GROUP) continue;
        struct group *g = &x->groups[s->group];
        if (!g->sites++) g->first_site = (uint32_t)i;
        s->counted = s->counted || (s->alternative == g->chosen && !s->tied && !s->extra.p && !s->optional);
        if (s->alternative != g->chosen) s->counted = false;
        else if (!s->tied && (!s->optional || s->extra.p)) g->elements += s->elements * s->rows;
    }
}

NUMEL_MUST static bool remake(struct applying *a)
{
    struct expansion *x = a->x;
    const numel_allocator *memory = x->arena.memory;
    struct remade m = { 0 };
    bool ok = true;
    for (size_t i = 0; ok && i < x->site_count; i++) {
        struct instance *in = a->fate[i] ? &a->instances[a->fate[i] - 1] : NULL;
        if (!in) ok = keep_site(a, &m, &x->sites[i]);
        else if (!in->used) ok = put_instance(a, &m, in), in->used = true;
    }
    if (!ok) {
        memory_release(memory, m.sites);
        memory_release(memory, m.rows);
        return false;
    }
    for (size_t i = 0; i < a->count; i++) choose(x, &a->instances[i].made[0]);
    memory_release(memory, x->sites);
    memory_release(memory, x->rows);
    x->sites = m.sites, x->site_count = m.site_count, x->site_cap = m.site_cap;
    x->rows = m.rows, x->row_count = m.row_count, x->row_cap = m.row_cap;
    regroup(x);
    return expansion_close(x, a->error);
}

NUMEL_MUST static bool prepare(struct applying *a)
{
    struct expansion *x = a->x;
    size_t n = x->site_count;
    a->sizes.env = (struct env){ .spec = a->forms->base, .config = x->env.config, .arena = &x->arena };
    a->fate = arena_alloc(&x->arena, (n + 1) * sizeof *a->fate);
    if (!a->fate) return error_nomem(a->error);
    memset(a->fate, 0, (n + 1) * sizeof *a->fate);
    if (!env_init(&a->sizes.env, a->error) || !names_reserve(&a->by_name, x->row_count, a->error))
        return false;
    a->sizes.env.error = &a->sizes.mine;
    for (size_t i = 0; i < x->row_count; i++) names_enter(&a->by_name, x->rows, i);
    return true;
}

bool forms_apply(struct expansion *x, const struct forms *f, const struct form_file *file, numel_error *e)
{
    struct applying a = { .x = x, .forms = f, .sizes = { .forms = f }, .file = file, .error = e };
    bool any = false;
    a.x = x;
    for (size_t i = 0; !any && i < f->count; i++) any = may_be(&a, &f->items[i]);
    if (!any) return true;
    names_init(&a.by_name, x->arena.memory, sizeof *x->rows);
    names_init(&a.by_taken, x->arena.memory, sizeof *a.taken);
    buffer_init(&a.text, x->arena.memory);
    bool ok = prepare(&a) && find_all(&a) && (!a.count || remake(&a));
    if (a.sizes.mine.code == NUMEL_E_NOMEM) ok = error_nomem(e);
    memory_release(x->arena.memory, a.instances);
    memory_release(x->arena.memory, a.taken);
    names_done(&a.by_name);
    names_done(&a.by_taken);
    buffer_done(&a.text);
    return ok;
}

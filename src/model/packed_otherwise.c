/*
 * packed_otherwise.c -- weights whose tensors contradict the configuration, and the values that the tensors
 * show.
 *
 * If the configuration's bits and group size do not fit, other values are tried at the size that the spec
 * expects: "the configuration says 4 bits, qweight and qzeros of 14 weights say 3". If none fits, layouts are
 * solved backwards, and the resulting size becomes the weight's own. Counts are then right, and reason.c can
 * find the cause.
 */
#include "model/packed_internal.h"

/* ---- other bits, at the same size --------------------------------------------------------------- */

/* Lists the tensors whose shapes contradict the configuration: "qweight and qzeros". */
NUMEL_MUST static bool say_who(struct work *w, const struct layout_form *f, uint32_t row, const char **who)
{
    uint32_t found[LAYOUT_LINES];
    struct buffer b;
    unsigned all = 0, said = 0;
    packed_score(w, f, row, UINT32_MAX, found);
    for (unsigned i = 0; i < f->count; i++)
        all += found[i] != NAMES_ABSENT && packed_misfit(w, &f->stored[i], found[i]);
    buffer_init(&b, w->arena->memory);
    for (unsigned i = 0; i < f->count; i++) {
        if (found[i] == NAMES_ABSENT || !packed_misfit(w, &f->stored[i], found[i])) continue;
        numel_str name = w->file->registry->tensors[found[i]].name;
        if (said) buffer_text(&b, said + 1 == all ? " and " : ", ");
        buffer_str(&b, text_from(name, text_head(name, '.').n));
        said++;
    }
    *who = b.failed ? NULL : said ? arena_text(w->arena, b.p, b.n) : "the tensors";
    buffer_done(&b);
    return *who || error_nomem(w->error);
}

static bool same_form(const struct layout_form *a, const struct layout_form *b)
{
    return a->layout == b->layout && strcmp(a->choice, b->choice) == 0;
}

static bool add_otherwise(struct work *w, const struct layout_form *declared, const struct layout_form *found,
                          uint32_t row)
{
    const char *who;
    for (size_t i = 0; i < w->otherwise_count; i++) {
        struct otherwise *o = &w->otherwise[i];
        if (!same_form(o->declared, declared) || !same_form(o->found, found)) continue;
        if (found->group > o->widest) o->widest = found->group;
        return o->weights++, true;
    }
    if (!say_who(w, declared, row, &who)) return false;
    if (!memory_grow(w->p->memory, (void **)&w->otherwise, &w->otherwise_cap, w->otherwise_count + 1,
                     sizeof *w->otherwise, w->error))
        return false;
    w->otherwise[w->otherwise_count++] = (struct otherwise){ declared, found, who, 1, found->group };
    return true;
}

/* ---- contradictory statements --------------------------------------------------------------------- */

bool packed_note_contradiction(struct work *w, uint32_t row, const char *text)
{
    for (unsigned i = 0; i < w->contradicted_count; i++)
        if (strcmp(w->contradicted[i].text, text) == 0) return w->contradicted[i].weights++, true;
    if (w->contradicted_count == PACKED_CONTRADICTED) return packed_contradict(w, row, text);
    w->contradicted[w->contradicted_count++] = (struct contradicted){ text, row, 1 };
    return true;
}

NUMEL_MUST static bool tell_contradicted(struct work *w)
{
    char n[TEXT_NUMBER];
    for (unsigned i = 0; i < w->contradicted_count; i++) {
        const struct contradicted *c = &w->contradicted[i];
        const char *text = c->text;
        if (c->weights > 1)
            text = arena_format(w->arena, "%s (%s weights)", text, text_number(n, c->weights));
        if (!packed_contradict(w, c->row, text)) return false;
    }
    return true;
}

/* ---- in words ---------------------------------------------------------------------------------- */

enum { DIFFERING = 4, JOINED_MOST = 500 };

struct differing {
    numel_str symbol, was, is; /* empty if it has no value */
    const struct layout_said *said;
};

/* Removes the quotes of a text. */
static numel_str bare_value(numel_str v)
{
    bool quoted = v.n > 1 && text_first(v) == '\'' && text_last(v) == '\'';
    return quoted ? text_inner(v) : v;
}

/* A symbol's value in a spelling: "4" in "bits 4, group 128". */
static numel_str value_in(const char *spelling, numel_str symbol)
{
    for (const char *p = spelling; *p;) {
        size_t n = strcspn(p, ",");
        if (n > symbol.n && memcmp(p, symbol.p, symbol.n) == 0 && p[symbol.n] == ' ')
            return bare_value(text_from((numel_str){ p, n }, symbol.n + 1));
        p += n + strspn(p + n, ", ");
    }
    return (numel_str){ "", 0 };
}

/* Lists the symbols whose values in configuration and tensors differ. */
static unsigned differing(const struct otherwise *o, struct differing out[DIFFERING])
{
    unsigned n = 0;
    if (o->declared->layout != o->found->layout) return 0;
    for (unsigned i = 0; i < o->declared->said_count && n < DIFFERING; i++) {
        const struct layout_said *s = &o->declared->said[i];
        numel_str was = value_in(o->declared->spelling, s->symbol),
                  is = value_in(o->found->spelling, s->symbol);
        if (!text_same(was, is)) out[n++] = (struct differing){ s->symbol, was, is, s };
    }
    return n;
}

static bool is_none(numel_str value) { return !value.n || text_equal(value, "unsaid"); }

/* "128", "one group a row (-1)", "none" */
static void put_value(struct buffer *b, const struct differing *d, numel_str value)
{
    bool whole = text_equal(d->symbol, "group") && text_equal(value, "-1");
    if (whole) buffer_text(b, "one group a row (");
    if (is_none(value)) buffer_text(b, "none");
    else buffer_add(b, value.p, value.n);
    if (whole) buffer_text(b, ")");
}

/* "group_size" of "weights.group_size" */
static const char *key_in(const struct differing *d)
{
    const char *dot = strrchr(d->said->value.key, '.');
    return dot ? dot + 1 : d->said->value.key;
}

/* "group_size is 128 and bits is 4", "one group a row (-1) and 8", "group_size to -1 and bits to 8" */
enum list { LIST_SAID, LIST_SHOWN, LIST_SET };

static void put_list(struct buffer *b, const struct differing *d, unsigned n, enum list list)
{
    for (unsigned i = 0; i < n; i++) {
        if (i) buffer_text(b, i + 1 == n ? " and " : ", ");
        if (list != LIST_SHOWN) buffer_text(b, key_in(&d[i]));
        if (list == LIST_SAID) buffer_text(b, " is ");
        if (list == LIST_SET) buffer_text(b, is_none(d[i].is) ? " to null" : " to ");
        if (list == LIST_SAID) put_value(b, &d[i], d[i].was);
        else if (list == LIST_SHOWN) put_value(b, &d[i], d[i].is);
        else if (!is_none(d[i].is)) buffer_add(b, d[i].is.p, d[i].is.n);
    }
}

/* True for one tensor, as "absmax", but not "scales" or "qzeros and scales". */
static bool is_one(const char *who) { return !strchr(who, ' ') && !text_ends(text_of(who), "s"); }

/* "config.json says group_size is 128, qzeros of 14 weights show one group a row (-1): set group_size to
 * -1" */
static void put_keys(struct buffer *b, const struct otherwise *o, const struct differing *d, unsigned n)
{
    char count[TEXT_NUMBER];
    buffer_text(b, d[0].said->value.by);
    buffer_text(b, " says ");
    put_list(b, d, n, LIST_SAID);
    buffer_text(b, ", ");
    buffer_text(b, o->who);
    buffer_text(b, " of ");
    buffer_text(b, text_number(count, o->weights));
    buffer_text(b, o->weights == 1 ? " weight" : " weights");
    buffer_text(b, is_one(o->who) ? " shows " : " show ");
    put_list(b, d, n, LIST_SHOWN);
    buffer_text(b, ": set ");
    put_list(b, d, n, LIST_SET);
}

/* For forms that differ in no key: two layouts, or a layout without a distinguishing value. */
static void put_forms(struct buffer *b, const struct otherwise *o)
{
    char count[TEXT_NUMBER];
    const char *said = o->declared->spelling, *shown = o->found->spelling;
    bool same = o->declared->layout == o->found->layout && strcmp(said, shown) == 0;
    buffer_text(b, "the configuration says ");
    buffer_text(b, o->declared->layout->name);
    buffer_text(b, " (");
    buffer_text(b, said);
    buffer_text(b, "), ");
    buffer_text(b, o->who);
    buffer_text(b, " of ");
    buffer_text(b, text_number(count, o->weights));
    buffer_text(b, o->weights == 1 ? " weight" : " weights");
    if (same) {
        buffer_text(b, " show another form of it");
        return;
    }
    buffer_text(b, is_one(o->who) ? " shows " : " show ");
    buffer_text(b, o->found->layout->name);
    buffer_text(b, " (");
    buffer_text(b, shown);
    buffer_text(b, ")");
}

/* True if both have the same keys with the same values. A group as long as the row equals one group per
 * row. */
static bool is_same_lie(const struct otherwise *a, const struct otherwise *b)
{
    struct differing x[DIFFERING], y[DIFFERING];
    unsigned n = differing(a, x);
    if (!n || n != differing(b, y)) return false;
    for (unsigned i = 0; i < n; i++) {
        bool group = text_equal(x[i].symbol, "group") && b->found->whole && !a->found->whole;
        bool is = text_same(x[i].is, y[i].is) || (group && a->found->group >= b->widest);
        if (!text_same(x[i].symbol, y[i].symbol) || !text_same(x[i].was, y[i].was) || !is) return false;
    }
    return true;
}

/* Merges entries with the same values. */
static void join_otherwise(struct work *w)
{
    for (size_t i = 0; i < w->otherwise_count; i++)
        for (size_t k = 0; k < w->otherwise_count; k++) {
            struct otherwise *a = &w->otherwise[i], *b = &w->otherwise[k];
            if (i == k || !a->weights || !b->weights || !is_same_lie(a, b)) continue;
            a->weights += b->weights;
            if (strlen(b->who) > strlen(a->who)) a->who = b->who;
            b->weights = 0;
        }
}

bool packed_tell_otherwise(struct work *w)
{
    if (!tell_contradicted(w)) return false;
    if (w->otherwise_count <= JOINED_MOST) join_otherwise(w);
    for (size_t i = 0; i < w->otherwise_count; i++) {
        const struct otherwise *o = &w->otherwise[i];
        struct differing d[DIFFERING];
        struct buffer b;
        unsigned n = differing(o, d);
        if (!o->weights) continue;
        buffer_init(&b, w->arena->memory);
        if (n) put_keys(&b, o, d, n);
        else put_forms(&b, o);
        const char *text = b.failed ? NULL : arena_text(w->arena, b.p, b.n);
        buffer_done(&b);
        if (!packed_contradict(w, NAMES_ABSENT, text)) return false;
    }
    w->otherwise_count = w->contradicted_count = 0;
    return true;
}

/* ---- either --------------------------------------------------------------------------------------- */

bool packed_ask_shapes(struct work *w, uint32_t row, const struct layout_module *m, enum packed_shape shape,
                       const struct layout_form *f)
{
    const struct layout_form *other = NULL;
    uint32_t value = w->p->rows[row].value;
    if (w->declared && !packed_fitting(w, row, m, shape, f->layout, &other)) return false;
    if (f->contradiction && !(other && other->layout == f->layout)) {
        if (!packed_note_contradiction(w, row, f->contradiction)) return false;
    }
    if (other) {
        w->p->rows[row].out = m->out;
        w->p->rows[row].in = m->in;
        return add_otherwise(w, f, other, row);
    }
    return value == NAMES_ABSENT || w->p->tensors[value].fits || packed_solve_size(w, row, m, f);
}

/*
 * packed_otherwise.c -- weights whose tensors contradict what is said of them: what they say instead.
 *
 * Where the configuration's bits and group size do not fit, those that do are looked for at the size that the
 * spec expects: "the configuration says 4 bits, qweight and qzeros of 14 weights say 3". Where none fit at that size,
 * layouts are read backwards, and the size that the tensors make is the weight's own: counts then hold, and who looks
 * for the reason (reason.c) learns of it.
 */
#include "model/packed_internal.h"

/* ---- other bits, at the same size --------------------------------------------------------------- */

/* "qweight and qzeros": the tensors that the configuration makes of another shape. */
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
        if (same_form(o->declared, declared) && same_form(o->found, found)) return o->weights++, true;
    }
    if (!say_who(w, declared, row, &who)) return false;
    if (!memory_grow(w->p->memory, (void **)&w->otherwise, &w->otherwise_cap, w->otherwise_count + 1,
                     sizeof *w->otherwise, w->error))
        return false;
    w->otherwise[w->otherwise_count++] = (struct otherwise){ declared, found, who, 1 };
    return true;
}

/* "4 bits in groups of 128": what differs between the two, else their whole choice. */
NUMEL_MUST static const char *say_form(struct work *w, const struct layout_form *f,
                                       const struct layout_form *other)
{
    bool bits = f->bits && f->bits != other->bits, group = f->group != other->group;
    if (f->layout != other->layout || !(bits || group))
        return arena_format(w->arena, "%s (%s)", f->layout->name, f->choice);
    const char *groups = f->group ? arena_format(w->arena, "groups of %" PRId64, f->group) : "no groups";
    if (!bits || !groups) return groups;
    return arena_format(w->arena, group ? "%" PRId64 " bit%s in %s" : "%" PRId64 " bit%s", f->bits,
                        f->bits == 1 ? "" : "s", groups);
}

bool packed_tell_otherwise(struct work *w)
{
    char n[TEXT_NUMBER];
    for (size_t i = 0; i < w->otherwise_count; i++) {
        const struct otherwise *o = &w->otherwise[i];
        const char *declared = say_form(w, o->declared, o->found),
                   *found = say_form(w, o->found, o->declared);
        if (!declared || !found) return error_nomem(w->error);
        const char *text =
            arena_format(w->arena, "the configuration says %s, %s of %s weight%s say %s", declared, o->who,
                         text_number(n, o->weights), o->weights == 1 ? "" : "s", found);
        if (!packed_contradict(w, NAMES_ABSENT, text)) return false;
    }
    return true;
}

/* ---- either --------------------------------------------------------------------------------------- */

bool packed_ask_shapes(struct work *w, uint32_t row, const struct layout_module *m, enum packed_shape shape,
                       const struct layout_form *f)
{
    const struct layout_form *other = NULL;
    uint32_t value = w->p->rows[row].value;
    if (w->declared && !packed_fitting(w, row, m, shape, &other)) return false;
    if (other) {
        w->p->rows[row].out = m->out;
        w->p->rows[row].in = m->in;
        return add_otherwise(w, f, other, row);
    }
    return value == NAMES_ABSENT || w->p->tensors[value].fits || packed_solve_size(w, row, m, f);
}

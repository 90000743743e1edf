/* tied.c -- see tied.h. */
#include "statement/tied.h"

#include "base/buffer.h"
#include "base/text.h"
#include "content/compare.h"

#include <string.h>

/* ---- stored twice ------------------------------------------------------------------------- */

/* True if the values are plain numbers, not a quantizer's. */
static bool is_plain(const struct model *m, uint32_t tensor)
{
    const struct model_tensor t = model_tensor(m, tensor);
    return !t.layout && (t.fit == FIT_SAME || t.fit == FIT_BARE);
}

NUMEL_MUST static bool find_pairs(struct tied *out, const struct model *m, struct arena *a, numel_error *e)
{
    const struct expansion *x = m->x;
    size_t most = 0;
    for (size_t i = 0; i < x->site_count; i++) most += x->sites[i].tied;
    out->pairs = arena_alloc(a, (most + 1) * sizeof *out->pairs);
    if (!out->pairs) return error_nomem(e);
    for (size_t i = 0; i < x->site_count; i++) {
        const struct site *s = &x->sites[i], *to = s->tied ? model_tied_to(x, s) : NULL;
        if (!to) continue;
        uint32_t copy = model_row(m, s->first_row).tensor, table = model_row(m, to->first_row).tensor;
        if (copy == NAMES_ABSENT || table == NAMES_ABSENT) continue;
        out->pairs[out->count++] =
            (struct tied_pair){ .table = table,
                                .copy = copy,
                                .why = is_plain(m, table) && is_plain(m, copy) ? "" : "packed",
                                .elements = m->ck->registry.tensors[copy].elements };
    }
    return true;
}

/* ---- their values ------------------------------------------------------------------------- */

/* The largest relative change when rounding to a type; in 8 bits, small values change more. */
static double step_of(const numel_dtype *d)
{
    static const struct {
        const char *type;
        double step;
    } steps[] = { { "F16", 0x1p-11 }, { "BF16", 0x1p-8 }, { "F8_E4M3", 0.25 }, { "F8_E5M2", 0.25 } };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (strcmp(d->name, steps[i].type) == 0) return steps[i].step;
    return 0x1p-24;
}

static bool is_rounded(const struct compare_pair *c, const numel_tensor *a, const numel_tensor *b)
{
    return a->dtype != b->dtype && distance_relative(&c->d) <= step_of(a->dtype) + step_of(b->dtype);
}

static void judge(struct tied_pair *p, const struct compare_pair *c, const struct registry *r)
{
    const numel_tensor *a = &r->tensors[p->table], *b = &r->tensors[p->copy];
    p->why = compare_why((enum compare_state)c->state);
    if (c->state != COMPARE_DONE) return;
    p->differing = c->d.differing;
    p->values = c->d.differing == 0 ? TIED_SAME : is_rounded(c, a, b) ? TIED_ROUNDED : TIED_OTHER;
}

NUMEL_MUST static bool compare_pairs(struct tied *t, const struct model *m, struct arena *a, numel_error *e)
{
    const numel_checkpoint *ck = m->ck;
    const struct compare_side side = { ck->files, ck->file_count, ck->registry.tensors };
    const numel_work work = { .size = sizeof work };
    struct compare c = { .side = { side, side } };
    c.pairs = arena_alloc(a, (t->count + 1) * sizeof *c.pairs);
    if (!c.pairs) return error_nomem(e);
    for (size_t i = 0; i < t->count; i++)
        if (!t->pairs[i].why[0])
            c.pairs[c.count++] = (struct compare_pair){ .tensor = { t->pairs[i].table, t->pairs[i].copy } };
    if (!compare_run(&c, &work, a, e)) return false;
    for (size_t i = 0, k = 0; i < t->count; i++)
        if (!t->pairs[i].why[0]) judge(&t->pairs[i], &c.pairs[k++], &ck->registry);
    return true;
}

bool tied_look(struct tied *out, const struct model *m, bool read, struct arena *a, numel_error *e)
{
    read &= !m->ck->named;
    *out = (struct tied){ .compared = read };
    return find_pairs(out, m, a, e) && (!read || out->count == 0 || compare_pairs(out, m, a, e));
}

bool tied_differs(const struct tied *t)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->pairs[i].values == TIED_OTHER) return true;
    return false;
}

/* ---- texts -------------------------------------------------------------------------------- */

const char *tied_note(const struct tied *t)
{
    bool rounded = false;
    for (size_t i = 0; i < t->count; i++) {
        if (t->pairs[i].values == TIED_UNREAD) return "values not compared";
        rounded |= t->pairs[i].values == TIED_ROUNDED;
    }
    return t->count == 0 ? "values not compared" : rounded ? "same values, rounded" : "same values";
}

const char *tied_text(const struct tied_pair *p, const struct registry *r, struct arena *a)
{
    char copy[TEXT_QUOTE], table[TEXT_QUOTE], n[TEXT_NUMBER], of[TEXT_NUMBER];
    text_bare(copy, r->tensors[p->copy].name);
    text_bare(table, r->tensors[p->table].name);
    switch (p->values) {
    case TIED_SAME: return arena_format(a, "%s is a stored copy of %s (tied), same values", copy, table);
    case TIED_ROUNDED:
        return arena_format(a, "%s is a stored copy of %s (tied), same values, rounded", copy, table);
    case TIED_OTHER:
        return arena_format(
            a,
            "the configuration ties %s to %s (tie_word_embeddings), but %s of %s values differ: a head of "
            "its own",
            copy, table, text_number(n, p->differing), text_number(of, p->elements));
    default:
        return arena_format(a, "%s is a stored copy of %s (tied), values not compared%s%s", copy, table,
                            p->why[0] ? ": " : "", p->why);
    }
}

const char *tied_renamed_text(const struct model *m, const struct model_row *row, struct arena *a)
{
    char name[TEXT_QUOTE], stored[TEXT_QUOTE];
    return arena_format(a, "%s is stored under its tied name alone, %s", text_bare(name, row->name),
                        text_bare(stored, m->ck->registry.tensors[row->tensor].name));
}

/* A clause for a head that is the table and not stored again; else "". */
NUMEL_MUST static const char *once_text(const struct model *m, const struct site *s, struct arena *a)
{
    char head[TEXT_QUOTE], table[TEXT_QUOTE];
    const struct site *to = model_tied_to(m->x, s);
    const struct model_row row = model_row(m, s->first_row);
    if (!to || row.tensor != NAMES_ABSENT || !text_equal(s->role, "head")) return "";
    const struct model_row of = model_row(m, to->first_row);
    if (of.renamed || of.tensor == NAMES_ABSENT) return "";
    return arena_format(a, "%s is tied to %s", text_bare(head, row.name),
                        text_bare(table, m->ck->registry.tensors[of.tensor].name));
}

const char *tied_clauses(const struct tied *t, const struct model *m, bool all, struct arena *a)
{
    struct buffer b;
    buffer_init(&b, a->memory);
    for (size_t i = 0; i < t->count; i++) {
        if (!all && t->pairs[i].values != TIED_OTHER) continue;
        const char *text = tied_text(&t->pairs[i], &m->ck->registry, a);
        buffer_format(&b, "; %s", text ? text : "");
    }
    for (size_t i = 0; all && i < m->x->site_count; i++) {
        const struct site *s = &m->x->sites[i];
        if (!s->tied && !(s->rows && model_row(m, s->first_row).renamed)) continue;
        const struct model_row row = model_row(m, s->first_row);
        const char *text = row.renamed ? tied_renamed_text(m, &row, a) : once_text(m, s, a);
        if (!text || text[0]) buffer_format(&b, "; %s", text ? text : "");
    }
    return buffer_keep(&b, a);
}

/*
 * reason.c -- finds the configuration key that makes shapes wrong, and the value that the file shows.
 *
 * The size of each axis is a polynomial over the spec's symbols. An axis with the expected length confirms
 * all of its symbols. For a wrong axis, each symbol has a value that would make it right. The symbol that
 * explains most wrong axes with a single value, and is never confirmed, is the reason for all tensors that
 * use it; the remaining tensors are examined again.
 */
#include "model/differences.h"

#include "model/model_internal.h"

enum { SUSPECTS = 128, REASONS = 4 };

struct suspect {
    numel_str text; /* of a factor */
    int64_t value, found;
    bool confirmed, refuted, told;
    uint64_t axes, weights;
};

struct blaming {
    struct model *model;
    struct suspect suspects[SUSPECTS];
    unsigned count;
    uint32_t row; /* last row counted, plus 1 */
};

static struct suspect *suspect_of(struct blaming *b, uint16_t factor)
{
    const struct factor *f = &b->model->x->factors.items[factor];
    for (unsigned i = 0; i < b->count; i++)
        if (text_same(b->suspects[i].text, f->text)) return &b->suspects[i];
    if (b->count == SUSPECTS) return NULL;
    b->suspects[b->count] = (struct suspect){ .text = f->text, .value = f->value };
    return &b->suspects[b->count++];
}

/* ---- one axis ----------------------------------------------------------------------------------- */

/* The value of the factor for which the polynomial equals `wanted`; the polynomial must be linear in it. */
static bool value_for(const struct factors *f, struct poly p, numel_str text, int64_t wanted, int64_t *out)
{
    int64_t at[3];
    for (int i = 0; i < 3; i++)
        if (!poly_value_with(f, p, text, i, &at[i])) return false;
    int64_t step = at[1] - at[0], rest = wanted - at[0];
    if (step < 1 || at[2] - at[1] != step || rest < 1 || rest % step) return false;
    *out = rest / step;
    return true;
}

static void look_at_axis(struct blaming *b, struct poly p, int64_t expected, int64_t found, uint32_t row)
{
    const struct factors *f = &b->model->x->factors;
    for (uint32_t i = 0; i < p.n; i++)
        for (unsigned k = 0; k < p.items[i].n; k++) {
            struct suspect *s = suspect_of(b, p.items[i].factor[k]);
            int64_t v = 0;
            if (!s) continue;
            if (expected == found) {
                s->confirmed = true;
                continue;
            }
            bool known = value_for(f, p, s->text, found, &v);
            s->refuted |= !known || (s->axes && s->found != v);
            s->found = v;
            s->axes++;
            s->weights += b->row != row + 1;
        }
    if (expected != found) b->row = row + 1;
}

/* ---- one row ------------------------------------------------------------------------------------ */

/* Gets the row's dims in the file; false if they are unknown. */
static bool found_dims(const struct model *m, uint32_t row, const struct site *s, bool turned,
                       uint64_t dims[SPEC_DIMS])
{
    const struct packed_row *p = &m->inner->match.packed.rows[row];
    uint32_t t = m->inner->match.rows[row].tensor;
    if (s->ndim > SPEC_DIMS || s->ndim == 0 || (t == NAMES_ABSENT && !p->form)) return false;
    for (uint32_t i = 0; i < s->ndim && i < SPEC_DIMS; i++) dims[i] = s->dims[i];
    if (p->form && p->whole) return true;
    if (p->form) {
        if (p->out < 1 || p->in < 1 || s->ndim < 2) return false;
        dims[s->ndim - 2] = (uint64_t)(turned ? p->in : p->out);
        dims[s->ndim - 1] = (uint64_t)(turned ? p->out : p->in);
        return true;
    }
    const numel_tensor *of = &m->ck->registry.tensors[t];
    if (m->inner->match.rows[row].fit == FIT_PACKED || of->ndim != s->ndim) return false;
    for (uint32_t i = 0; i < s->ndim && i < SPEC_DIMS; i++) dims[i] = of->dims[i];
    return true;
}

/* True if one of the sizes already has a reason. */
static bool has_reason(struct blaming *b, const struct poly *polys, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        for (uint32_t k = 0; k < polys[i].n; k++)
            for (unsigned j = 0; j < polys[i].items[k].n; j++) {
                const struct suspect *s = suspect_of(b, polys[i].items[k].factor[j]);
                if (s && s->told) return true;
            }
    return false;
}

static void look_at_row(struct blaming *b, uint32_t row)
{
    struct model *m = b->model;
    const struct site *s = model_site(m, row);
    const struct tensor_line *line = m->x->spec->lines[s->line].tensor;
    uint64_t dims[SPEC_DIMS];
    struct poly polys[SPEC_DIMS];
    if (!line || s->part != PART_WEIGHT || line->ndim > s->ndim) return;
    if (!found_dims(m, row, s, line->transposed, dims)) return;
    unsigned lead = s->ndim - line->ndim;
    for (unsigned i = 0; i < line->ndim; i++)
        polys[i] = size_poly(m->x, line->dims[line->transposed ? line->ndim - 1u - i : i]);
    if (has_reason(b, polys, line->ndim)) return;
    for (unsigned i = 0; i < line->ndim; i++) {
        int64_t v, expected = (int64_t)s->dims[lead + i];
        if (poly_value(&m->x->factors, polys[i], &v) && v == expected)
            look_at_axis(b, polys[i], expected, (int64_t)dims[lead + i], row);
    }
}

/* ---- the key ------------------------------------------------------------------------------------ */

/* The key that gave a factor its value; NULL if it was computed. */
static const char *key_of(const struct model *m, const struct suspect *s, enum evidence *evidence)
{
    const struct spec *spec = m->x->spec;
    struct value v;
    numel_str key = s->text;
    numel_error why = { 0 };
    for (size_t i = 0; i < spec->symbol_count; i++)
        if (text_same(spec->symbols[i].name, s->text)) {
            if (!m->x->env.is_bound[i] || !m->x->env.bound[i].key) return NULL;
            key = text_of(m->x->env.bound[i].key);
        }
    if (!config_value(m->config, spec, SIDE_HF, &key, 1, &v, &why) || v.kind != VALUE_INT ||
        v.i != s->value || !v.key)
        return NULL;
    *evidence = v.evidence;
    return v.key;
}

static struct suspect *worst(struct blaming *b)
{
    struct suspect *worst = NULL;
    enum evidence e;
    for (unsigned i = 0; i < b->count; i++) {
        struct suspect *s = &b->suspects[i];
        if (!s->axes || s->confirmed || s->refuted || s->told || s->found == s->value ||
            !key_of(b->model, s, &e))
            continue;
        if (!worst || s->axes > worst->axes) worst = s;
    }
    return worst;
}

NUMEL_MUST static bool tell(struct blaming *b, struct suspect *s, numel_error *e)
{
    struct model *m = b->model;
    struct differences *d = &m->differences;
    char n[TEXT_NUMBER];
    enum evidence evidence = EVIDENCE_DECLARED;
    const char *key = key_of(m, s, &evidence);
    const char *kept = key ? arena_text(&m->made, key, strlen(key)) : NULL;
    s->told = true;
    if (!kept) return error_nomem(e);
    bool silent = evidence == EVIDENCE_DEFAULTED;
    const char *said =
        arena_format(&m->made, "%s %s %s%" PRId64 ", the shapes of %s weight%s say %" PRId64,
                     silent ? "by default" : "the configuration says", kept, silent ? "is " : "", s->value,
                     text_number(n, s->weights), s->weights == 1 ? "" : "s", s->found);
    if (!said) return error_nomem(e);
    d->reasons[d->reason_count++] = (struct reason){ kept, s->value, s->found, s->weights, said };
    return true;
}

bool reasons_make(struct model *m, numel_error *e)
{
    struct differences *d = &m->differences;
    if (!d->mismatched || m->side != SIDE_HF || m->inferred || !config_has_json(m->config)) return true;
    d->reasons = arena_alloc(&m->made, REASONS * sizeof *d->reasons);
    struct blaming *b = arena_alloc(&m->made, sizeof *b);
    if (!d->reasons || !b) return error_nomem(e);
    *b = (struct blaming){ .model = m };
    while (d->reason_count < REASONS) {
        for (unsigned i = 0; i < b->count; i++)
            b->suspects[i] = (struct suspect){ .text = b->suspects[i].text,
                                               .value = b->suspects[i].value,
                                               .told = b->suspects[i].told };
        b->row = 0;
        for (uint32_t r = 0; r < m->x->row_count; r++) look_at_row(b, r);
        struct suspect *s = worst(b);
        if (!s) break;
        if (!tell(b, s, e)) return false;
    }
    return !m->x->factors.failed || error_nomem(e);
}

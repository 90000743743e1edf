/*
 * nearest.c -- compares two checkpoints by headers alone, in one pass over the names; then the beginnings of
 * a few tensors that both have.
 */
#include "diff/nearest.h"
#include "diff/diff.h"

#include "base/num.h"
#include "base/text.h"
#include "content/decode.h"
#include "model/meaning.h"
#include "source/stream.h"

struct comparing {
    const struct nearest_of *of;
    const numel_checkpoint *ck;
    struct nearest *out;
    const struct registry *names; /* of ck */
    const struct registry *view;  /* the other's tensors, with names of ck's format */
    uint32_t *pairs;              /* by tensor of ck: the other's, of the same shape; or NAMES_ABSENT */
};

/* ---- names and shapes --------------------------------------------------------------------- */

/* Finds a tensor by name, or by the name with a base-model prefix added or removed. */
static const numel_tensor *find(const struct registry *r, numel_str name)
{
    static const char *const fronts[] = { "model.", "transformer." };
    char full[600];
    const numel_tensor *t = registry_find(r, name);
    for (size_t i = 0; !t && i < sizeof fronts / sizeof *fronts; i++) {
        size_t n = strlen(fronts[i]);
        bool has = text_starts(name, fronts[i]);
        numel_str other =
            has ? text_from(name, n)
                : text_join(full, sizeof full, text_of(fronts[i]), name, (numel_str){ NULL, 0 });
        if (other.p && other.n) t = registry_find(r, other);
    }
    return t;
}

/* True if the name is that of a table with a row for each token, or of a head. */
static bool is_table(numel_str name)
{
    const char *role = meaning_of(name).role->role;
    if (!role) return false;
    return text_starts(text_of(role), "head.mlm") ||
           (meaning_role_traits(text_of(role)) & (TRAIT_TOKENS | TRAIT_HEAD));
}

static bool pair(struct comparing *c, size_t i)
{
    struct nearest *out = c->out;
    const numel_tensor *b = &c->names->tensors[i];
    const numel_tensor *a = find(c->view, b->name);
    c->pairs[i] = NAMES_ABSENT;
    out->tensors++;
    if (!a) return out->more++, true;
    if (diff_same_dims(a, b)) {
        out->same++;
        c->pairs[i] = (uint32_t)(a - c->view->tensors);
        return num_add(&out->elements, out->elements, b->elements);
    }
    if (!diff_same_rows(a, b) || !is_table(b->name)) return out->reshaped++, true;
    out->vocabulary++; /* counts the common rows */
    return num_add(&out->elements, out->elements, a->elements < b->elements ? a->elements : b->elements);
}

/* The number of tensors that training_hides() leaves visible. */
static uint64_t count_visible(const struct registry *r)
{
    uint64_t n = 0;
    for (size_t i = 0; i < r->count; i++) n += !training_hides(r->tensors[i].name);
    return n;
}

static uint64_t thousandths(uint64_t part, uint64_t whole)
{
    uint64_t share;
    if (!whole) return 0;
    share = num_mul(&share, part, 1000) ? share / whole : part / (whole / 1000);
    return num_min(share, 1000);
}

/* ---- values ------------------------------------------------------------------------------- */

static bool is_readable(const numel_checkpoint *ck, const numel_tensor *t)
{
    const numel_file *f = &ck->files[t->file];
    return !f->compressed && !f->header_only && f->data == NUMEL_DATA_PRESENT && t->bytes;
}

/* The first bytes of a tensor; false if they cannot be read. */
NUMEL_MUST static bool read_front(const numel_checkpoint *ck, const numel_tensor *t, uint8_t *p, size_t n)
{
    struct stream s;
    numel_error ignored = { .code = NUMEL_OK };
    if (!stream_open(&s, ck->files[t->file].path, &ignored)) return false;
    stream_scattered(&s);
    bool ok = stream_read(&s, t->offset, p, n, &ignored);
    return stream_close(&s, &ignored) && ok;
}

static bool may_sample(const struct comparing *c, size_t i, const numel_tensor **a, const numel_tensor **b)
{
    if (c->pairs[i] == NAMES_ABSENT) return false;
    *a = &c->of->ck->registry.tensors[c->pairs[i]];
    *b = &c->ck->registry.tensors[i];
    bool same = (*a)->dtype == (*b)->dtype && (*a)->bytes == (*b)->bytes;
    return (same || (decode_find((*a)->dtype) && decode_find((*b)->dtype))) && is_readable(c->of->ck, *a) &&
           is_readable(c->ck, *b);
}

/* The beginnings of two tensors, as bytes and, if their types are decoded, as numbers. */
struct fronts {
    uint8_t *bytes[2];
    double *numbers[2];
    size_t n; /* numbers; 0: only bytes */
};

NUMEL_MUST static bool fronts_make(struct fronts *f, struct arena *a, numel_error *e)
{
    uint8_t *bytes = arena_alloc(a, 2 * (size_t)NEAREST_BYTES);
    double *numbers = arena_alloc(a, 2 * NEAREST_NUMBERS * sizeof *numbers);
    if (!bytes || !numbers) return error_nomem(e);
    *f = (struct fronts){ .bytes = { bytes, bytes + NEAREST_BYTES },
                          .numbers = { numbers, numbers + NEAREST_NUMBERS } };
    return true;
}

static bool has_numbers(const numel_tensor *t)
{
    const struct decoder *how = decode_find(t->dtype);
    return how && (how->is == DECODE_SINGLE || how->is == DECODE_DOUBLE);
}

/* False if the data cannot be read. */
NUMEL_MUST static bool fronts_read(struct fronts *f, const struct comparing *c, const numel_tensor *x,
                                   const numel_tensor *y)
{
    const numel_tensor *const t[] = { x, y };
    const numel_checkpoint *const ck[] = { c->of->ck, c->ck };
    f->n = has_numbers(x) && has_numbers(y) ? (size_t)num_min(x->elements, NEAREST_NUMBERS) : 0;
    for (unsigned i = 0; i < 2; i++) {
        if (!read_front(ck[i], t[i], f->bytes[i], (size_t)num_min(t[i]->bytes, NEAREST_BYTES))) return false;
        if (f->n) decode_double(decode_find(t[i]->dtype), f->bytes[i], f->n, f->numbers[i]);
    }
    return true;
}

/* True if all numbers are the same. */
static bool is_flat(const double *v, size_t n)
{
    size_t i = 1;
    while (i < n && v[i] == v[0]) i++;
    return n > 0 && i == n;
}

/* Are they correlated? From the deviations of each from its mean. */
static bool is_alike(const struct fronts *f)
{
    double mean[2] = { 0, 0 }, both = 0, square[2] = { 0, 0 };
    for (unsigned k = 0; k < 2; k++)
        for (size_t i = 0; i < f->n; i++) mean[k] += f->numbers[k][i] / (double)f->n;
    for (size_t i = 0; i < f->n; i++) {
        double a = f->numbers[0][i] - mean[0], b = f->numbers[1][i] - mean[1];
        both += a * b;
        square[0] += a * a;
        square[1] += b * b;
    }
    return both > 0 && both * both >= NEAREST_ALIKE * square[0] * square[1];
}

/* Is either tensor of the pair of a type that is not decoded? */
static bool is_undecoded(const struct comparing *c, size_t i)
{
    if (c->pairs[i] == NAMES_ABSENT) return false;
    const numel_tensor *a = &c->of->ck->registry.tensors[c->pairs[i]], *b = &c->ck->registry.tensors[i];
    return !decode_find(a->dtype) || !decode_find(b->dtype);
}

/* Samples evenly from all readable tensors. */
NUMEL_MUST static bool sample(struct comparing *c, struct arena *a, numel_error *e)
{
    struct fronts f;
    const numel_tensor *x, *y;
    size_t all = 0, at = 0;
    bool numbers = false;
    if (!fronts_make(&f, a, e)) return false;
    for (size_t i = 0; i < c->names->count; i++) {
        all += may_sample(c, i, &x, &y);
        c->out->undecoded += is_undecoded(c, i);
    }
    size_t step = all > NEAREST_SAMPLE ? all / NEAREST_SAMPLE : 1;
    for (size_t i = 0; i < c->names->count && c->out->sampled < NEAREST_SAMPLE; i++) {
        if (!may_sample(c, i, &x, &y) || at++ % step) continue;
        bool read = fronts_read(&f, c, x, y);
        if (read && is_flat(f.numbers[0], f.n) && is_flat(f.numbers[1], f.n)) continue;
        bool equal = read && x->dtype == y->dtype &&
                     memcmp(f.bytes[0], f.bytes[1], (size_t)num_min(x->bytes, NEAREST_BYTES)) == 0;
        c->out->sampled++;
        c->out->equal += equal;
        c->out->alike += equal || (read && is_alike(&f));
        numbers |= read && f.n;
    }
    c->out->unlike = numbers && !c->out->alike;
    return true;
}

/* ---- all ---------------------------------------------------------------------------------- */

NUMEL_MUST static bool overflow(numel_error *e)
{
    return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the elements of both do not fit in 64 bits");
}

NUMEL_MUST static bool sum_visible(const struct registry *r, uint64_t *sum, numel_error *e)
{
    *sum = 0;
    for (size_t i = 0; i < r->count; i++)
        if (!training_hides(r->tensors[i].name) && !num_add(sum, *sum, r->tensors[i].elements))
            return overflow(e);
    return true;
}

NUMEL_MUST static bool compare(struct comparing *c, bool values, struct arena *a, numel_error *e)
{
    uint64_t own, both;
    c->pairs = arena_alloc(a, (c->names->count + 1) * sizeof *c->pairs);
    if (!c->pairs) return error_nomem(e);
    for (size_t i = 0; i < c->names->count; i++) {
        c->pairs[i] = NAMES_ABSENT;
        if (!training_hides(c->names->tensors[i].name) && !pair(c, i)) return overflow(e);
    }
    uint64_t met = c->out->same + c->out->vocabulary + c->out->reshaped, visible = count_visible(c->view);
    c->out->lacking = visible > met ? visible - met : 0;
    if (!sum_visible(c->names, &own, e)) return false;
    if (!num_add(&both, own, c->of->elements)) return overflow(e);
    c->out->share = thousandths(c->out->elements, both - both / 2);
    return !values || sample(c, a, e);
}

static bool is_gguf(const numel_checkpoint *ck)
{
    return ck->file_count && ck->files[0].format == NUMEL_GGUF;
}

bool nearest_compare(struct nearest *out, const struct nearest_of *of, const numel_checkpoint *ck,
                     bool values, numel_error *e)
{
    struct arena arena;
    struct training names;
    struct comparing c = { .of = of, .ck = ck, .out = out };
    bool other = of->translated && is_gguf(ck) != is_gguf(of->ck);
    arena_init(&arena, of->arena.memory);
    bool ok = training_make(&names, &ck->registry, &arena, e);
    c.names = names.view;
    c.view = other ? &of->other : of->names.view;
    ok = ok && compare(&c, values, &arena, e);
    training_done(&names);
    arena_done(&arena);
    return ok;
}

/* Copies all tensors, under their names in the other format if the specification has one. A tensor that is
 * part of a stack there has none. */
NUMEL_MUST static bool translate(struct nearest_of *of, struct handle *model, numel_error *e)
{
    const struct registry *r = of->names.view;
    const struct expansion *x = model->model->x;
    if (!x) return true;
    registry_init(&of->other, &of->arena);
    if (!registry_reserve(&of->other, r->count, e)) return false;
    for (size_t i = 0; i < r->count; i++)
        if (!registry_add(&of->other, &r->tensors[i], e)) return false;
    for (uint32_t i = 0; i < x->row_count; i++) {
        numel_str name = x->rows[i].other;
        uint32_t tensor = model_row(model->model, i).tensor;
        if (!name.p || tensor == NAMES_ABSENT || strstr(name.p, "{e}")) continue;
        char *own = arena_text(&of->arena, name.p, name.n);
        if (!own) return error_nomem(e);
        of->other.tensors[tensor].name = (numel_str){ own, name.n };
        of->translated = true;
    }
    return registry_commit_firsts(&of->other, e);
}

bool nearest_open(struct nearest_of *of, struct handle *model, numel_error *e)
{
    const numel_checkpoint *ck = model->ck;
    *of = (struct nearest_of){ .ck = ck };
    arena_init(&of->arena, ck->arena.memory);
    return training_make(&of->names, &ck->registry, &of->arena, e) &&
           sum_visible(of->names.view, &of->elements, e) && translate(of, model, e);
}

void nearest_close(struct nearest_of *of)
{
    if (of->other.memory) registry_done(&of->other);
    training_done(&of->names);
    arena_done(&of->arena);
}

int nearest_order(const struct nearest *a, const struct nearest *b)
{
    if (a->alike != b->alike) return a->alike > b->alike ? -1 : 1;
    if (a->equal != b->equal) return a->equal > b->equal ? -1 : 1;
    if (a->unlike != b->unlike) return a->unlike ? 1 : -1;
    if (a->share != b->share) return a->share > b->share ? -1 : 1;
    if (a->reshaped != b->reshaped) return a->reshaped < b->reshaped ? -1 : 1;
    return strcmp(a->path, b->path);
}

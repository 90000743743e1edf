/*
 * match.c -- the cause of each tensor of a checkpoint, and which expected tensors exist.
 *
 * There are three passes: expected tensors are paired with stored ones, plain or packed; alternatives excuse
 * each other; the remaining tensors are recognised by name.
 */
#include "model/match_internal.h"

#include "model/model_internal.h"
#include "model/supposed.h"

#include "registry/dtype.h"

static const struct {
    const char *code, *text;
    bool harmless;
} causes[CAUSE_COUNT] = {
#define X(name, code, text, harmless) { code, text, harmless },
    CAUSES(X)
#undef X
};

const char *cause_code(enum cause c) { return causes[c].code; }
const char *cause_text(enum cause c) { return causes[c].text; }
bool cause_harmless(enum cause c) { return causes[c].harmless; }

const char *ground_text(enum ground g)
{
    static const char *const texts[GROUND_COUNT] = { "none", "name", "shape" };
    return texts[g];
}

bool fit_is_off(enum fit f) { return f == FIT_VOCABULARY || f == FIT_TYPE || f == FIT_WRONG; }

/* ---- shapes ------------------------------------------------------------------------------- */

/* GGUF drops trailing dims of 1, which are our leading ones. */
static bool same_shape(const struct match *m, const struct site *s, const numel_tensor *t)
{
    uint32_t i = 0, j = 0;
    bool gguf = model_is_gguf(m->model);
    while (gguf && i < s->ndim && s->dims[i] == 1) i++;
    while (gguf && j < t->ndim && t->dims[j] == 1) j++;
    if (s->ndim - i != t->ndim - j) return false;
    return i == s->ndim || dims_same(s->dims + i, t->dims + j, s->ndim - i);
}

/* True for a table with a row per token, or a head, if only the number of rows differs. */
static bool other_vocabulary(const struct site *s, const numel_tensor *t)
{
    bool table = text_equal(s->role, "embed.tok") || text_equal(s->role, "head") ||
                 text_equal(s->role, "head.bias") || text_equal(s->role, "mtp.embed") ||
                 text_equal(s->role, "mtp.head");
    return table && s->ndim == t->ndim && s->ndim && dims_same(s->dims + 1, t->dims + 1, s->ndim - 1);
}

/* Integers or bytes may pack several values each. */
static bool may_be_packed(const numel_tensor *t) { return dtype_kind(t->dtype) == DTYPE_INTEGER; }

/* bitsandbytes may store its 4-bit values in the model's own type; the tensor next to them reveals it. */
static bool has_quant_state(struct match *m, const numel_tensor *t)
{
    char name[512];
    numel_str map = text_join(name, sizeof name, t->name, text_of(".quant_map"), (numel_str){ NULL, 0 });
    return map.p && registry_find(&m->model->ck->registry, map) != NULL;
}

static uint64_t words(uint64_t values, uint64_t bits) { return (values * bits + 31) / 32 * 32; }

/* True if the tensor has 1, 2, 3, 4, 5, 6 or 8 bits for each expected value. Writers pad rows or columns
 * to 32-bit words, and the whole to bytes. If no layout describes the quantizer, this and the name are the
 * only evidence for a packed weight (ground `name`); scales are not checked. */
static bool whole_bits(const struct site *s, const numel_tensor *t)
{
    uint64_t last = s->dims[s->ndim - 1], rows = last ? s->elements / last : 0;
    uint64_t first = s->dims[s->ndim - 2], columns = first ? s->elements / first : 0, stored;
    if (__builtin_mul_overflow(t->bytes, 8, &stored) || s->elements > UINT64_MAX / 512) return true;
    for (uint64_t bits = 1; bits <= 8; bits++)
        if (bits != 7 && (stored == (s->elements * bits + 7) / 8 * 8 || stored == rows * words(last, bits) ||
                          stored == columns * words(first, bits)))
            return true;
    return false;
}

/* Image and video models, which are recognised by their tensors, are distributed in F8 without scales. A
 * file with scales is marked. */
static bool is_cast(const struct match *m, const numel_dtype *d)
{
    bool f8 = strcmp(d->name, "F8_E4M3") == 0 || strcmp(d->name, "F8_E5M2") == 0;
    return f8 && m->model->by_tensors && !registry_find(&m->model->ck->registry, text_of("scaled_fp8"));
}

/* A matrix of floats of 8 bits or fewer usually has scales somewhere. Without a layout, it is unknown
 * whether they are missing. GGUF types contain theirs. */
static bool may_lack_scales(const struct match *m, const struct site *s, const numel_dtype *d)
{
    if (is_cast(m, d)) return false;
    return !model_is_gguf(m->model) && s->kind != TENSOR_BUF && s->ndim >= 2 && d->block_bytes &&
           d->block_bytes <= d->block_elements;
}

static bool is_block(const numel_dtype *d) { return d->block_elements > 1; }

/* Norms and biases are added to or multiplied with floats; no program reads them in blocks. */
static bool is_vector(const struct site *s)
{
    return s->kind == TENSOR_NORM || s->kind == TENSOR_BN || s->part == PART_BIAS;
}

/* A buffer's line states its kind: a mean is not an integer, a count not a fraction. */
static enum fit fit_of_buffer(const struct site *s, enum dtype_kind kind)
{
    enum dtype_kind wanted = s->holds == HOLDS_INTEGERS ? DTYPE_INTEGER : DTYPE_FLOAT;
    return s->holds == HOLDS_ANY || kind == wanted || kind == DTYPE_UNKNOWN ? FIT_SAME : FIT_TYPE;
}

/* Weights have a float type, or blocks that represent floats. A quantizer's integers may have the shape of
 * the weight they represent. */
static enum fit fit_of_type(struct match *m, const struct site *s, const numel_tensor *t)
{
    enum dtype_kind kind = dtype_kind(t->dtype);
    if (kind == DTYPE_FLOAT && may_lack_scales(m, s, t->dtype)) return FIT_BARE;
    if (kind == DTYPE_FLOAT && !dtype_is_number(t->dtype)) return FIT_TYPE;
    if (s->kind == TENSOR_BUF) return fit_of_buffer(s, kind);
    if (is_block(t->dtype) && is_vector(s)) return FIT_TYPE;
    if (kind == DTYPE_FLOAT || kind == DTYPE_UNKNOWN) return FIT_SAME;
    bool values = kind == DTYPE_INTEGER && s->ndim >= 2 && !m->packed.described &&
                  (m->declared_quantized || leftover_has_sidecar(m, t->name));
    return values ? FIT_PACKED : FIT_TYPE;
}

/* True if the tensor has exactly the rows of its line, padded. */
static bool is_padded(const struct site *s, const numel_tensor *t)
{
    return s->ndim && s->ndim == t->ndim && s->padded > s->dims[0] && t->dims[0] == s->padded &&
           dims_same(s->dims + 1, t->dims + 1, s->ndim - 1);
}

static enum fit fit_of(struct match *m, const struct site *s, const numel_tensor *t)
{
    if (same_shape(m, s, t)) return fit_of_type(m, s, t);
    if (is_padded(s, t)) return fit_of_type(m, s, t) == FIT_SAME ? FIT_PADDED : FIT_TYPE;
    if (!m->packed.described && s->ndim >= 2 && t->elements < s->elements &&
        (may_be_packed(t) || has_quant_state(m, t)) && whole_bits(s, t))
        return FIT_PACKED;
    return other_vocabulary(s, t) ? FIT_VOCABULARY : FIT_WRONG;
}

/* ---- first pass: expected tensors --------------------------------------------------------- */

enum cause match_cause_of(const struct site *s)
{
    if (s->extra.p) return CAUSE_EXTRA;
    if (s->kind == TENSOR_BUF) return CAUSE_BUFFER;
    return s->tied ? CAUSE_TIED_COPY : CAUSE_EXPECTED;
}

static enum ground ground_of(const struct match *m, uint32_t tensor, enum fit fit)
{
    const numel_checkpoint *ck = m->model->ck;
    bool known = !ck->named && dtype_kind(ck->registry.tensors[tensor].dtype) != DTYPE_UNKNOWN;
    return (fit == FIT_SAME || fit == FIT_PADDED) && known ? GROUND_SHAPE : GROUND_NAME;
}

void match_take(struct match *m, uint32_t row, uint32_t tensor, enum fit fit)
{
    const struct site *s = &m->model->x->sites[m->model->x->rows[row].site];
    m->rows[row] = (struct row_match){ .tensor = tensor, .fit = (uint8_t)fit };
    m->tensors[tensor] = (struct tensor_match){ row, (uint8_t)match_cause_of(s), (uint8_t)fit,
                                                (uint8_t)ground_of(m, tensor, fit) };
}

/* Maps each tensor to the row with its own name, and each row to its tensor. */
NUMEL_MUST static bool find_own(struct match *m, uint32_t **own, uint32_t **tensor, numel_error *e)
{
    size_t tensors = m->model->ck->registry.count, rows = m->model->x->row_count;
    *own = arena_alloc(&m->model->made, (tensors + 1) * sizeof **own);
    *tensor = arena_alloc(&m->model->made, (rows + 1) * sizeof **tensor);
    if (!*own || !*tensor) return error_nomem(e);
    for (size_t i = 0; i <= tensors; i++) (*own)[i] = NAMES_ABSENT;
    if (!naming_settle(&m->model->inner->naming, m->model->x, *tensor, e)) return false;
    for (uint32_t r = 0; r < rows; r++) {
        uint32_t t = (*tensor)[r];
        bool first = t != NAMES_ABSENT && (*own)[t] == NAMES_ABSENT;
        (*tensor)[r] = first ? t : NAMES_ABSENT;
        if (first) (*own)[t] = r;
    }
    return true;
}

/* Finds by name the packed form of a weight that no layout describes. */
static void find_by_name(struct match *m, uint32_t row)
{
    const struct expansion *x = m->model->x;
    const struct site *s = &x->sites[x->rows[row].site];
    bool even;
    if (m->packed.described || s->part != PART_WEIGHT || s->ndim < 2) return;
    uint32_t t = leftover_packed(m, x->rows[row].name, &even);
    if (t == NAMES_ABSENT || m->tensors[t].row != NAMES_ABSENT || match_claimed(m, t)) return;
    even = even && !whole_bits(s, &m->model->ck->registry.tensors[t]);
    m->named = true;
    match_take(m, row, t, even ? FIT_WRONG : FIT_PACKED);
}

NUMEL_MUST static bool find_rows(struct match *m, numel_error *e)
{
    const struct expansion *x = m->model->x;
    uint32_t *own, *tensor;
    if (!find_own(m, &own, &tensor, e) || !shapes_suppose(m->model, tensor, e) ||
        !match_packed(m, own, tensor, e))
        return false;
    for (uint32_t t = 0; t < m->model->ck->registry.count; t++)
        if (own[t] != NAMES_ABSENT && !match_claimed(m, t))
            match_take(m, own[t], t,
                       fit_of(m, &x->sites[x->rows[own[t]].site], &m->model->ck->registry.tensors[t]));
    leftover_look(m);
    for (uint32_t r = 0; r < x->row_count; r++)
        if (m->rows[r].tensor == NAMES_ABSENT && !m->packed.rows[r].form) find_by_name(m, r);
    return true;
}

/* ---- second pass: alternatives and optional tensors --------------------------------------- */

/* The number of elements that the existing tensors of one alternative represent. */
static uint64_t present_elements(const struct match *m, const struct group *g, uint32_t alternative)
{
    const struct expansion *x = m->model->x;
    uint64_t sum = 0;
    for (uint32_t i = g->first_site; i < g->first_site + g->sites; i++) {
        const struct site *s = &x->sites[i];
        if (s->alternative != alternative && alternative != UINT32_MAX) continue;
        for (uint32_t r = s->first_row; r < s->first_row + s->rows; r++)
            if (m->rows[r].tensor != NAMES_ABSENT) sum += s->elements;
    }
    return sum;
}

static void settle_site(struct match *m, const struct site *s, bool excused, bool twice)
{
    for (uint32_t r = s->first_row; r < s->first_row + s->rows; r++) {
        if (m->rows[r].tensor == NAMES_ABSENT) m->rows[r].excused |= excused;
        else if (twice) m->tensors[m->rows[r].tensor].cause = CAUSE_FUSED_TWICE;
    }
}

/* A group is complete if its chosen alternative is, or if the existing tensors of several alternatives add
 * up to it. */
static void settle_group(struct match *m, const struct group *g)
{
    const struct expansion *x = m->model->x;
    bool chosen = g->elements && present_elements(m, g, g->chosen) >= g->elements;
    bool mixed = !chosen && g->elements && present_elements(m, g, UINT32_MAX) == g->elements;
    for (uint32_t i = g->first_site; i < g->first_site + g->sites; i++) {
        const struct site *s = &x->sites[i];
        bool is_chosen = s->alternative == g->chosen;
        if (mixed) settle_site(m, s, true, false);
        else if (!is_chosen) settle_site(m, s, true, true);
    }
}

/* True if any row of the site exists. */
static bool is_there(const struct match *m, const struct site *s)
{
    for (uint32_t r = s->first_row; r < s->first_row + s->rows; r++)
        if (m->rows[r].tensor != NAMES_ABSENT) return true;
    return false;
}

/* The sites of one `extra` block in one layer are consecutive; a file has all of them or none. Settles
 * them, starting at `from`, and returns the index of the next block's first site. */
static size_t settle_extra(struct match *m, size_t from)
{
    const struct expansion *x = m->model->x;
    const struct site *first = &x->sites[from];
    size_t to = from;
    bool there = false;
    for (; to < x->site_count && text_same(x->sites[to].extra, first->extra) &&
           x->sites[to].layer == first->layer;
         to++)
        there |= !x->sites[to].tied && is_there(m, &x->sites[to]);
    for (size_t i = from; !there && i < to; i++) settle_site(m, &x->sites[i], true, false);
    return to;
}

static void settle(struct match *m)
{
    const struct expansion *x = m->model->x;
    for (size_t i = 0; i < x->group_count; i++) settle_group(m, &x->groups[i]);
    for (size_t i = 0; i < x->site_count; i++) {
        const struct site *s = &x->sites[i];
        /* a buffer whose own line checks whether the file has it may be missing; one that accompanies
         * existing tensors may not */
        bool leftover = s->kind == TENSOR_BUF && s->asked;
        bool optional = s->extra.p ? x->spec->lines[s->line].tensor->optional : s->optional;
        bool may_lack = s->tied || optional || leftover;
        if (may_lack) settle_site(m, s, true, false);
        if (s->layer >= m->layers && !s->extra.p) m->layers = s->layer + 1;
    }
    for (size_t i = 0; i < x->site_count;) i = x->sites[i].extra.p ? settle_extra(m, i) : i + 1;
}

/* ---- all ---------------------------------------------------------------------------------- */

NUMEL_MUST static bool tables(struct match *m, numel_error *e)
{
    size_t tensors = m->model->ck->registry.count, rows = m->model->x->row_count;
    m->tensors = arena_alloc(&m->model->made, (tensors + 1) * sizeof *m->tensors);
    m->rows = arena_alloc(&m->model->made, (rows + 1) * sizeof *m->rows);
    if (!m->tensors || !m->rows) return error_nomem(e);
    for (size_t i = 0; i < tensors; i++)
        m->tensors[i] = (struct tensor_match){ NAMES_ABSENT, CAUSE_UNKNOWN, FIT_ABSENT, GROUND_NONE };
    for (size_t i = 0; i < rows; i++)
        m->rows[i] = (struct row_match){ .tensor = NAMES_ABSENT, .fit = FIT_ABSENT };
    return true;
}

/* A tensor that no row expects: recognised by name, or unknown. */
static void take_leftover(struct match *m, uint32_t tensor)
{
    static const uint8_t causes_of[TRAINING_PARTS] = { CAUSE_UNKNOWN, CAUSE_OPTIMIZER,   CAUSE_EMA,
                                                       CAUSE_STEPS,   CAUSE_STRAY_STATE, CAUSE_OPTIMIZER };
    struct tensor_match *t = &m->tensors[tensor];
    enum training_part part = training_part(&m->model->inner->training, tensor);
    enum ground ground;
    if (part != TRAINING_WEIGHT) {
        t->cause = causes_of[part];
        t->ground = part == TRAINING_OFF ? GROUND_NONE : part == TRAINING_UNTOLD ? GROUND_NAME : GROUND_SHAPE;
        return;
    }
    t->cause = (uint8_t)leftover_cause(m, tensor, &ground);
    t->ground = (uint8_t)ground;
}

NUMEL_MUST static bool find_declared(struct match *m, numel_error *e)
{
    static const char *const keys[] = { "quantization_config", "quantization", "compression_config",
                                        "text_config.quantization_config" };
    enum { KEYS = sizeof keys / sizeof *keys };
    numel_str paths[KEYS];
    struct value v;
    for (size_t i = 0; i < KEYS; i++) paths[i] = text_of(keys[i]);
    if (!config_value(m->model->config, m->model->spec, SIDE_HF, paths, KEYS, &v, e)) return false;
    m->declared_quantized = v.kind != VALUE_NULL;
    return true;
}

/* Scales only mean something next to quantized weights. GGUF has them in its blocks. */
static void find_quantized(struct match *m)
{
    m->quantized = m->declared_quantized;
    for (size_t i = 0; !model_is_gguf(m->model) && i < m->model->ck->registry.count; i++) {
        const numel_dtype *d = m->model->ck->registry.tensors[i].dtype;
        bool small = d->block_bytes && d->block_bytes <= d->block_elements; /* 8 bits or fewer */
        if (m->tensors[i].row != NAMES_ABSENT && (small || m->tensors[i].fit == FIT_PACKED))
            m->quantized = true;
    }
}

bool match_make(struct match *m, struct model *model, numel_error *e)
{
    *m = (struct match){ .model = model };
    if (!tables(m, e) || !find_declared(m, e)) return false;
    if (!find_rows(m, e)) return false;
    match_tied(m);
    settle(m);
    find_quantized(m);
    for (uint32_t i = 0; i < model->ck->registry.count; i++)
        if (m->tensors[i].row == NAMES_ABSENT && !match_claimed(m, i)) take_leftover(m, i);
    return naming_complete(&model->inner->naming, e);
}

void match_done(struct match *m) { packed_done(&m->packed); }

const char *match_class(const struct match *m, uint32_t tensor)
{
    enum cause cause = (enum cause)m->tensors[tensor].cause;
    if (cause_is_buffer(cause)) return "buffer";
    switch (cause) {
    case CAUSE_EXPECTED:
    case CAUSE_EXTRA:
    case CAUSE_LORA:
    case CAUSE_TOWER:
    case CAUSE_HEAD:
    case CAUSE_FUSED_TWICE:
    case CAUSE_EXTRA_LAYER:
    case CAUSE_EXTRA_EXPERT:
    case CAUSE_REPEATED: return m->tensors[tensor].fit == FIT_PACKED ? "quant" : "weight";
    case CAUSE_SIDECAR:
    case CAUSE_QUANT_BIAS: return "quant";
    case CAUSE_TIED_COPY: return "tied";
    case CAUSE_OPTIMIZER:
    case CAUSE_EMA:
    case CAUSE_STEPS:
    case CAUSE_STRAY_STATE: return "training";
    default: return "unknown";
    }
}

/*
 * cause.c -- why the ends of a link differ: known effects of converters and old writers.
 *
 * One table, the first match wins. A row has the links it covers (their change; the format of a tensor
 * without a partner), a condition, and whether it explains the difference between a file and its
 * conversion. Within one format a cause names a difference but does not excuse it.
 *
 * Converters, from llama.cpp's convert_hf_to_gguf.py:
 *     write        rotary factors (llama 3, longrope); a tied output head
 *     leave out    a tied head; buffers; prediction layers; towers (a separate file);
 *                  poolers and task heads; values kept as metadata (xIELU) or as scales of a type
 *     cut, pad     rows of the vocabulary, to the tokenizer's; positions before the padding
 *     regroup      stack experts; split or merge q, k, v, gate, up, kv_b; squeeze, transpose, cut by groups
 */
#include "diff/diff.h"

#include "model/meaning.h"
#include "model/training.h"

/* The format that has the link's tensor, across formats. LEFT_OUT: IN_HF; also between PyTorch and safetensors. */
enum where { EITHER, IN_HF, IN_GGUF, IN_BOTH, LEFT_OUT };

struct end { /* one tensor of a link, with its row, site and cause */
    const struct diff *d;
    const struct link *l;
    int side;
    const numel_tensor *t;
    uint32_t row;            /* of its own side's expansion, or NAMES_ABSENT */
    const struct site *site; /* diff_site() */
    enum cause cause;        /* CAUSE_UNKNOWN without a spec */
};

/* ---- conditions --------------------------------------------------------------------------- */

static const struct expansion *expansion_of(const struct diff *d, int side)
{
    return d->side[side].c ? d->side[side].c->model->x : NULL;
}

static bool is_state(const struct end *x)
{
    const struct handle *c = x->d->side[x->side].c;
    enum training_part part =
        c ? training_part(model_training(c->model), (uint32_t)(x->t - x->d->side[x->side].r->tensors))
          : TRAINING_WEIGHT;
    return part == TRAINING_MOMENT || part == TRAINING_COPY || part == TRAINING_STEP;
}

static bool is_rope(const struct end *x) { return meaning_of(x->t->name).kind->kind == KIND_ROPE; }
/* Between PyTorch and safetensors a tie must be declared: what a specification looks like without its head is
 * no excuse for the loss. */
static bool may_tie(const struct end *x, int side)
{
    const struct handle *c = x->d->side[side].c;
    return !x->d->rewritten || (c && !c->model->by_tensors && config_has_json(c->model->config));
}

static bool is_copy(const struct end *x) { return x->cause == CAUSE_TIED_COPY && may_tie(x, x->side); }
static bool is_leftover(const struct end *x) { return x->cause == CAUSE_LEFTOVER; }
static bool is_repeated(const struct end *x) { return (x->t->flags & NUMEL_REPEATED) != 0; }
static bool is_lora(const struct end *x) { return x->cause == CAUSE_LORA; }
static bool is_scale(const struct end *x)
{
    return x->cause == CAUSE_SIDECAR || x->cause == CAUSE_QUANT_BIAS;
}

/* The head, if the other side ties it and does not hold it. GGUF cannot state this: its specs treat a lost
 * head as tied. */
static bool is_tied_there(const struct end *x)
{
    if (!may_tie(x, !x->side)) return false;
    const struct expansion *other = expansion_of(x->d, !x->side);
    if (!other || !x->site || x->d->side[!x->side].ck->files[0].format == NUMEL_GGUF) return false;
    if (x->row == NAMES_ABSENT) return x->site->tied; /* a site of the other side */
    for (size_t i = 0; i < other->site_count; i++)
        if (other->sites[i].tied && text_same(other->sites[i].role, x->site->role)) return true;
    return false;
}

static bool is_prediction(const struct end *x)
{
    if (x->site && text_glob("mtp.*", x->site->role)) return true;
    if (x->site) return x->site->extra.p && text_equal(x->site->extra, "mtp");
    return x->cause == CAUSE_EXTRA;
}

static bool is_unloaded(const struct end *x) { return x->cause == CAUSE_EXTRA; }

static bool has_role(const struct end *x, const char *globs)
{
    return x->site && text_globs(text_of(globs), x->site->role);
}

static bool is_tower(const struct end *x)
{
    static const char roles[] =
        "v.* a.* buffer.v.* buffer.a.* mm.* vis.* proj proj.* newline norm.v.* q.* query "
        "talk.* wave.* dit.*";
    return x->cause == CAUSE_TOWER || has_role(x, roles);
}

static bool is_task(const struct end *x)
{
    bool of_the_head = x->site && text_equal(x->site->role, "head.bias");
    return !of_the_head && (x->cause == CAUSE_HEAD || has_role(x, "head.* pool*"));
}

static bool is_scalar_activation(const struct end *x)
{
    return x->t->elements == 1 && has_role(x, "mlp.act.* buffer.beta buffer.eps");
}

/* The spec names tensors of the other format, but not this one; and the other side has neither its role nor
 * a whole that it is a part of. */
static bool is_without_place(const struct end *x)
{
    const struct expansion *other = expansion_of(x->d, !x->side);
    numel_str stem;
    if (!x->d->side[x->side].names_other) return false;
    if (x->row == NAMES_ABSENT || expansion_of(x->d, x->side)->rows[x->row].other.p) return false;
    if (!other || diff_whole_of(x->site->role, &stem)) return false;
    for (size_t i = 0; i < other->site_count; i++)
        if (text_same(other->sites[i].role, x->site->role)) return false;
    return true;
}

/* Between PyTorch and safetensors one that only some writers store: a loader needs the others. */
static bool is_buffer(const struct end *x)
{
    if (x->cause != CAUSE_BUFFER) return false;
    if (x->d->rewritten) return x->site && (x->site->optional || x->site->offered || x->site->asked);
    return !x->d->cross || is_without_place(x);
}

/* Only the number of rows differs, by less than one in `share`. */
static bool rows_differ(const struct end *x, uint64_t share)
{
    const struct link *l = x->l;
    if (l->count[A] != 1 || l->count[B] != 1) return false;
    const numel_tensor *a = diff_tensor(x->d, l, A, 0), *b = diff_tensor(x->d, l, B, 0);
    if (!diff_same_rows(a, b)) return false;
    uint64_t m = a->dims[0], n = b->dims[0];
    return m != n && (m > n ? m - n : n - m) < (m > n ? n : m) / share;
}

/* Tokens are padded to a round number, or the padding is cut. */
static bool is_vocabulary(const struct end *x)
{
    static const char roles[] = "embed.tok embed.tok.* head head.bias";
    return has_role(x, roles) && rows_differ(x, 16);
}

static bool is_other_vocabulary(const struct end *x)
{
    static const char roles[] = "embed.tok head head.bias mtp.embed mtp.head";
    return has_role(x, roles) && rows_differ(x, 1) && !x->d->cross;
}

/* RoBERTa starts positions after the padding token's number. */
static bool is_position(const struct end *x)
{
    static const char roles[] = "embed.pos embed.pos.*";
    return has_role(x, roles) && rows_differ(x, 64) &&
           diff_tensor(x->d, x->l, A, 0)->dims[0] + 2 >= diff_tensor(x->d, x->l, B, 0)->dims[0] &&
           diff_tensor(x->d, x->l, B, 0)->dims[0] + 2 >= diff_tensor(x->d, x->l, A, 0)->dims[0];
}

static bool is_stack(const struct end *x)
{
    const struct link *l = x->l;
    int one = l->count[A] == 1 ? A : B;
    const numel_tensor *t = diff_tensor(x->d, l, one, 0);
    return l->count[one] == 1 && l->count[!one] > 1 && t->ndim > 2 && t->dims[0] == l->count[!one] &&
           diff_tensor(x->d, l, !one, 0)->elements * l->count[!one] == t->elements;
}

static bool is_regrouped(const struct end *x) { return x->l->count[A] + x->l->count[B] > 2; }

/* The last two dimensions, of a matrix or of each in a stack. */
static bool is_transposed(const struct end *x)
{
    const numel_tensor *a = diff_tensor(x->d, x->l, A, 0), *b = diff_tensor(x->d, x->l, B, 0);
    uint32_t n = a->ndim;
    if (n != b->ndim || n < 2 || !dims_same(a->dims, b->dims, n - 2)) return false;
    return a->dims[n - 1] == b->dims[n - 2] && a->dims[n - 2] == b->dims[n - 1];
}

/* Only dimensions of 1 differ: GGUF drops outer ones, writers squeeze others. */
static bool is_squeezed(const struct end *x)
{
    const numel_tensor *a = diff_tensor(x->d, x->l, A, 0), *b = diff_tensor(x->d, x->l, B, 0);
    uint32_t i = 0, j = 0;
    for (;; i++, j++) {
        while (i < a->ndim && a->dims[i] == 1) i++;
        while (j < b->ndim && b->dims[j] == 1) j++;
        if (i == a->ndim || j == b->ndim) return i == a->ndim && j == b->ndim;
        if (a->dims[i] != b->dims[j]) return false;
    }
}

static bool is_as_expected(const struct end *x, int side)
{
    const struct diff_side *s = &x->d->side[side];
    return s->c &&
           model_as_expected(s->c->model, (uint32_t)(diff_tensor(x->d, x->l, side, 0) - s->r->tensors));
}

/* Each format has the shape that its specification expects: Mamba-2's norm by groups. */
static bool is_shaped(const struct end *x)
{
    return x->d->cross && is_as_expected(x, A) && is_as_expected(x, B);
}

static bool is_packed(const struct end *x) { return x->l->elements[A] != x->l->elements[B]; }

/* The type is the same, so a file has wrong offsets. */
static bool is_same_type(const struct end *x)
{
    return strcmp(diff_tensor(x->d, x->l, A, 0)->dtype->name, diff_tensor(x->d, x->l, B, 0)->dtype->name) ==
           0;
}

/* ---- the table ---------------------------------------------------------------------------- */

const struct line_code diff_codes[DIFF_CODE_COUNT] = {
#define X(name, code, text, explains) { code, text, explains },
    DIFF_CODES(X)
#undef X
#define X(name, code, text) { code, text, false },
        CHANGES(X)
#undef X
};

enum { ONE_SIDED = 1 << CHANGE_ADDED | 1 << CHANGE_REMOVED };

static const struct conversion {
    unsigned changes; /* bits of enum change */
    enum where where;
    bool (*when)(const struct end *);
    const struct line_code *cause;
} table[] = {
    { ONE_SIDED, EITHER, is_repeated, &diff_codes[DIFF_REPEATED] },
    { ONE_SIDED, IN_GGUF, is_rope, &diff_codes[DIFF_ROPE] },
    { ONE_SIDED, EITHER, is_copy, &diff_codes[DIFF_TIED] },
    { ONE_SIDED, EITHER, is_tied_there, &diff_codes[DIFF_TIED] },
    { ONE_SIDED, LEFT_OUT, is_state, &diff_codes[DIFF_STATES] },
    { ONE_SIDED, EITHER, is_scale, &diff_codes[DIFF_SCALES] },
    { ONE_SIDED, EITHER, is_lora, &diff_codes[DIFF_LORA] },
    { ONE_SIDED, IN_HF, is_scalar_activation, &diff_codes[DIFF_SCALARS] },
    { ONE_SIDED, LEFT_OUT, is_leftover, &diff_codes[DIFF_LEFTOVER] },
    { ONE_SIDED, IN_HF, is_prediction, &diff_codes[DIFF_MTP] },
    { ONE_SIDED, IN_HF, is_tower, &diff_codes[DIFF_TOWER] },
    { ONE_SIDED, IN_HF, is_task, &diff_codes[DIFF_HEAD] },
    { ONE_SIDED, LEFT_OUT, is_buffer, &diff_codes[DIFF_BUFFERS] },
    { ONE_SIDED, IN_HF, is_unloaded, &diff_codes[DIFF_EXTRA] },
    { ONE_SIDED, IN_HF, is_without_place, &diff_codes[DIFF_NO_PLACE] },
    { ONE_SIDED, IN_GGUF, is_without_place, &diff_codes[DIFF_CONVERTER] },
    { 1 << CHANGE_RESHAPED, IN_BOTH, is_vocabulary, &diff_codes[DIFF_PADDED] },
    { 1 << CHANGE_RESHAPED, IN_BOTH, is_other_vocabulary, &diff_codes[DIFF_VOCABULARY] },
    { 1 << CHANGE_RESHAPED, IN_BOTH, is_position, &diff_codes[DIFF_POSITIONS] },
    { 1 << CHANGE_REARRANGED, IN_BOTH, is_stack, &diff_codes[DIFF_STACKED] },
    { 1 << CHANGE_REARRANGED, IN_BOTH, is_regrouped, &diff_codes[DIFF_REGROUPED] },
    { 1 << CHANGE_REARRANGED, IN_BOTH, is_squeezed, &diff_codes[DIFF_SQUEEZED] },
    { 1 << CHANGE_REARRANGED, IN_BOTH, is_transposed, &diff_codes[DIFF_TRANSPOSED] },
    { 1 << CHANGE_REARRANGED, IN_BOTH, is_shaped, &diff_codes[DIFF_SHAPED] },
    { 1 << CHANGE_RETYPED, IN_BOTH, is_same_type, &diff_codes[DIFF_DECLARED] },
    { 1 << CHANGE_QUANTIZED, IN_BOTH, is_packed, &diff_codes[DIFF_PACKED] },
};

/* Within one format `where` does not matter: the cause is a name, not an excuse. */
static bool stands_there(const struct end *x, enum where where)
{
    bool gguf = x->d->side[x->side].ck->files[0].format == NUMEL_GGUF;
    if (x->d->rewritten && (where == IN_HF || where == IN_GGUF)) return false;
    return !x->d->cross || where == EITHER || where == IN_BOTH || (where == IN_GGUF) == gguf;
}

static struct end end_of(const struct diff *d, const struct link *l)
{
    int side = l->count[A] ? A : B;
    struct end x = { .d = d,
                     .l = l,
                     .side = side,
                     .t = diff_tensor(d, l, side, 0),
                     .row = NAMES_ABSENT,
                     .cause = CAUSE_UNKNOWN };
    const struct handle *c = d->side[side].c;
    uint32_t tensor = (uint32_t)(x.t - d->side[side].r->tensors);
    x.site = diff_site(d, side, tensor, NULL);
    if (!c) return x;
    const struct model_tensor is = model_tensor(c->model, tensor);
    x.row = is.row;
    x.cause = is.cause;
    return x;
}

const struct line_code *diff_cause_of(const struct diff *d, const struct link *l)
{
    struct end x = end_of(d, l);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].changes >> l->change & 1 && stands_there(&x, table[i].where) && table[i].when(&x))
            return table[i].cause;
    return NULL;
}

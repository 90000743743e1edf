/* statement.c -- see statement.h. */
#include "account/statement.h"

#include <stdio.h>
#include <stdlib.h>

struct sum {
    uint64_t tensors, unchecked;
    int64_t elements;
    uint32_t first;     /* a tensor or row to name */
    enum ground ground; /* the weakest */
};

struct adding {
    struct statement *s;
    struct match *m;
    const struct expansion *x;
    const struct registry *r;
    struct sum causes[CAUSE_COUNT], missing, packed, vocabulary, wrong, type, untold, bare, tied_absent,
        lacking; /* scales and their kin that are missing: no elements, since the formula has none of them */
    bool overflow;
    numel_error *error;
};

static void add(struct adding *a, struct sum *sum, enum ground ground, uint64_t plus, uint64_t minus,
                uint32_t what)
{
    int64_t change;
    if (__builtin_sub_overflow(plus, minus, &change) ||
        __builtin_add_overflow(sum->elements, change, &sum->elements))
        a->overflow = true;
    if (sum->tensors == 0) sum->first = what;
    if (sum->tensors == 0 || ground < sum->ground) sum->ground = ground;
    sum->unchecked += ground == GROUND_NAME;
    sum->tensors++;
}

static const struct site *site_of(const struct adding *a, uint32_t row)
{
    return &a->x->sites[a->x->rows[row].site];
}

/* ---- sums --------------------------------------------------------------------------------- */

static bool counted(const struct adding *a, uint32_t row)
{
    const struct site *s = site_of(a, row);
    return s->kind != TENSOR_BUF && !s->tied && !s->extra.p;
}

/* Buffers too: the model computes with them, though the formula does not count them. So with what stands in an
 * `extra` block of which something else is there. */
static bool is_missing(const struct adding *a, uint32_t row)
{
    return a->m->rows[row].tensor == NAMES_ABSENT && !a->m->rows[row].excused && !site_of(a, row)->tied;
}

/* What a tensor is, when it is not what the spec says in every respect; else its cause tells. */
static const char *deviation(const struct tensor_match *m)
{
    bool expected = m->cause == CAUSE_EXPECTED;
    if (m->row == NAMES_ABSENT || !cause_harmless((enum cause)m->cause)) return NULL;
    switch ((enum fit)m->fit) {
    case FIT_PACKED: return expected ? "packed" : NULL;
    case FIT_BARE: return "no-scales";
    case FIT_SAME: return expected && m->ground != GROUND_SHAPE ? "unknown-type" : NULL;
    case FIT_VOCABULARY: return expected ? "vocabulary" : NULL;
    case FIT_TYPE: return "wrong-type";
    case FIT_WRONG: return "wrong-shape";
    default: return NULL;
    }
}

const char *statement_code(const struct match *m, uint32_t tensor)
{
    const char *code = deviation(&m->tensors[tensor]);
    return code ? code : cause_code((enum cause)m->tensors[tensor].cause);
}

static struct sum *sum_of(struct adding *a, const char *deviation)
{
    return strcmp(deviation, "packed") == 0         ? &a->packed
           : strcmp(deviation, "no-scales") == 0    ? &a->bare
           : strcmp(deviation, "unknown-type") == 0 ? &a->untold
           : strcmp(deviation, "vocabulary") == 0   ? &a->vocabulary
           : strcmp(deviation, "wrong-type") == 0   ? &a->type
                                                    : &a->wrong;
}

static void add_tensors(struct adding *a)
{
    for (uint32_t i = 0; i < a->r->count; i++) {
        const struct tensor_match *m = &a->m->tensors[i];
        uint64_t stored = a->r->tensors[i].elements;
        const char *off = deviation(m);
        a->s->grounds[m->ground]++;
        if (off)
            add(a, sum_of(a, off), (enum ground)m->ground, stored,
                counted(a, m->row) ? site_of(a, m->row)->elements : 0, i);
        else if (m->cause != CAUSE_EXPECTED)
            add(a, &a->causes[m->cause], (enum ground)m->ground, stored, 0, i);
    }
}

static void add_rows(struct adding *a)
{
    for (size_t i = 0; i < a->m->packed.fault_count; i++) {
        const struct packed_fault *f = &a->m->packed.faults[i];
        if (f->kind == PACKED_MISSING && f->role != LAYOUT_VALUE)
            add(a, &a->lacking, GROUND_SHAPE, 0, 0, (uint32_t)i);
    }
    for (uint32_t i = 0; i < a->x->row_count; i++) {
        const struct site *s = site_of(a, i);
        if (a->m->rows[i].tensor != NAMES_ABSENT) continue;
        if (s->tied && !s->extra.p) add(a, &a->tied_absent, GROUND_SHAPE, 0, 0, i);
        if (is_missing(a, i)) add(a, &a->missing, GROUND_SHAPE, 0, counted(a, i) ? s->elements : 0, i);
    }
}

/* ---- lines -------------------------------------------------------------------------------- */

static const char *name_text(struct adding *a, numel_str name)
{
    char quoted[TEXT_QUOTE];
    const char *q = text_quote(quoted, name);
    const char *kept = arena_format(&a->m->u->arena, "%.*s", (int)strlen(q) - 2, q + 1);
    return kept ? kept : "";
}

static void add_line(struct adding *a, const char *code, const char *cause, const char *detail,
                     const struct sum *sum)
{
    if (sum->tensors == 0 || a->s->count == STATEMENT_LINES) return;
    a->s->lines[a->s->count++] = (struct statement_line){
        code, cause, detail ? detail : "", sum->tensors, sum->elements, sum->ground, sum->unchecked,
    };
}

/* "NAME and 27 more" */
static const char *and_more(struct adding *a, numel_str first, uint64_t tensors)
{
    const char *name = name_text(a, first);
    if (tensors == 1) return name;
    return arena_format(&a->m->u->arena, "%s and %" PRIu64 " more", name, tensors - 1);
}

static const char *tensor_detail(struct adding *a, const struct sum *sum)
{
    return sum->tensors ? and_more(a, a->r->tensors[sum->first].name, sum->tensors) : "";
}

static const char *row_detail(struct adding *a, const struct sum *sum)
{
    return sum->tensors ? and_more(a, a->x->rows[sum->first].name, sum->tensors) : "";
}

static const char *fault_detail(struct adding *a, const struct sum *sum)
{
    return sum->tensors ? and_more(a, a->m->packed.faults[sum->first].name, sum->tensors) : "";
}

/* "mtp" for what an `extra` block of the spec stores. */
static const char *cause_name(struct adding *a, enum cause c)
{
    uint32_t row = a->m->tensors[a->causes[c].first].row;
    if (c != CAUSE_EXTRA) return cause_text(c);
    numel_str extra = row != NAMES_ABSENT ? site_of(a, row)->extra : (numel_str){ NULL, 0 };
    bool mtp = !extra.p || text_equal(extra, "mtp");
    if (mtp) return "multi-token prediction";
    return arena_format(&a->m->u->arena, "%.*s (%s)", (int)extra.n, extra.p, cause_text(c));
}

static const char *formula_detail(struct adding *a)
{
    struct expansion *x = a->m->u->x;
    return arena_format(&a->m->u->arena, "%s, %" PRIu64 " tensors expected", x->spec->name,
                        x->totals.parameter_tensors);
}

static void add_tensor_line(struct adding *a, const char *code, const char *cause, const struct sum *sum)
{
    add_line(a, code, cause, tensor_detail(a, sum), sum);
}

/* What the formula says stands first, be it nothing. */
static void add_formula_line(struct adding *a)
{
    const struct totals *t = &a->x->totals;
    const char *detail = formula_detail(a);
    a->s->formula = t->parameters;
    a->s->lines[a->s->count++] = (struct statement_line){
        "formula",    "formula", detail ? detail : "", t->parameter_tensors, (int64_t)t->parameters,
        GROUND_SHAPE, 0,
    };
}

static void make_lines(struct adding *a)
{
    add_formula_line(a);
    add_line(a, "missing", "missing", row_detail(a, &a->missing), &a->missing);
    add_line(a, "missing-quant", "missing scales and their kin", fault_detail(a, &a->lacking), &a->lacking);
    add_tensor_line(a, "packed", "packed values", &a->packed);
    add_tensor_line(a, "no-scales", "of 8 bits or fewer, without scales", &a->bare);
    add_tensor_line(a, "unknown-type", "of an unknown type", &a->untold);
    add_tensor_line(a, "vocabulary", a->vocabulary.elements < 0 ? "vocabulary cut" : "vocabulary padded",
                    &a->vocabulary);
    add_tensor_line(a, "wrong-shape", "wrong shape", &a->wrong);
    add_tensor_line(a, "wrong-type", "wrong type", &a->type);
    if (a->tied_absent.tensors && a->causes[CAUSE_TIED_COPY].tensors == 0) {
        add_line(a, "tied-once", "tied, stored once", row_detail(a, &a->tied_absent), &a->tied_absent);
        a->s->lines[a->s->count - 1].tensors = 0;
    }
    for (int c = CAUSE_EXPECTED + 1; c < CAUSE_UNKNOWN; c++) /* what is unknown is unexplained */
        if (a->causes[c].tensors)
            add_tensor_line(a, cause_code((enum cause)c), cause_name(a, (enum cause)c), &a->causes[c]);
}

/* ---- lists -------------------------------------------------------------------------------- */

/* Of another shape or type than expected, in a place where it may be. */
static bool is_off(const struct adding *a, uint32_t row)
{
    const struct row_match *m = &a->m->rows[row];
    return m->tensor != NAMES_ABSENT && fit_is_off((enum fit)m->fit) &&
           cause_harmless((enum cause)a->m->tensors[m->tensor].cause);
}

/* Is a row's tensor missing? Of one that a layout stores the layout says which tensor it is. */
static bool is_row_missing(const struct adding *a, uint32_t row)
{
    return is_missing(a, row) && !a->m->packed.rows[row].form;
}

static struct gap row_gap(const struct adding *a, uint32_t row)
{
    const struct site *s = site_of(a, row);
    return (struct gap){
        row,     a->m->rows[row].tensor, (enum fit)a->m->rows[row].fit, a->x->rows[row].name, s->dims,
        s->ndim, text_of("float")
    };
}

static void fault_gaps(const struct adding *a, bool missing, struct gap *gaps, size_t *k)
{
    for (size_t i = 0; i < a->m->packed.fault_count; i++) {
        const struct packed_fault *f = &a->m->packed.faults[i];
        if (f->kind == PACKED_CONTRADICTION || (f->kind == PACKED_MISSING) != missing) continue;
        enum fit fit = missing ? FIT_ABSENT : f->kind == PACKED_TYPE ? FIT_TYPE : FIT_WRONG;
        gaps[(*k)++] = (struct gap){ f->row, f->tensor, fit, f->name, f->dims, f->ndim, f->types };
    }
}

/* What a layout says of a row is told by its faults. */
static bool is_row_off(const struct adding *a, uint32_t row)
{
    return is_off(a, row) && !a->m->packed.rows[row].form;
}

static bool list_gaps(struct adding *a)
{
    struct statement *s = a->s;
    size_t n = a->m->packed.fault_count, k = 0;
    for (uint32_t i = 0; i < a->x->row_count; i++) n += is_row_missing(a, i) || is_row_off(a, i);
    s->gaps = arena_alloc(&a->m->u->arena, (n + 1) * sizeof *s->gaps);
    if (!s->gaps) return error_nomem(a->error);
    for (uint32_t i = 0; i < a->x->row_count; i++)
        if (is_row_missing(a, i)) s->gaps[k++] = row_gap(a, i);
    fault_gaps(a, true, s->gaps, &k);
    s->missing = k;
    for (uint32_t i = 0; i < a->x->row_count; i++)
        if (is_row_off(a, i)) s->gaps[k++] = row_gap(a, i);
    fault_gaps(a, false, s->gaps, &k);
    s->mismatched = k - s->missing;
    return true;
}

static bool list_contradictions(struct adding *a)
{
    const struct packed *p = &a->m->packed;
    struct statement *s = a->s;
    s->contradictions = arena_alloc(&a->m->u->arena, (p->fault_count + 1) * sizeof *s->contradictions);
    if (!s->contradictions) return error_nomem(a->error);
    for (size_t i = 0; i < p->fault_count; i++) {
        const struct packed_fault *f = &p->faults[i];
        if (f->kind != PACKED_CONTRADICTION) continue;
        const char *said =
            f->name.n ? arena_format(&a->m->u->arena, "%s: %s", name_text(a, f->name), f->text) : f->text;
        if (!said) return error_nomem(a->error);
        s->contradictions[s->contradiction_count++] = (struct contradiction){ f->name, f->text, said };
    }
    return true;
}

static bool list_unexpected(struct adding *a)
{
    struct statement *s = a->s;
    size_t n = 0;
    for (int c = 0; c < CAUSE_COUNT; c++)
        if (!cause_harmless((enum cause)c)) n += a->causes[c].tensors;
    s->unexpected = arena_alloc(&a->m->u->arena, (n + 1) * sizeof *s->unexpected);
    if (!s->unexpected) return error_nomem(a->error);
    for (uint32_t i = 0; i < a->r->count; i++)
        if (!cause_harmless((enum cause)a->m->tensors[i].cause)) s->unexpected[s->unexpected_count++] = i;
    return true;
}

/* ---- counts ------------------------------------------------------------------------------- */

bool experts_used(struct understanding *u, int64_t *used)
{
    static const char *const keys[] = {
        "num_experts_per_tok",
        "num_experts_per_token",
        "moe_topk",
        "moe_top_k",
        "top_k_experts",
        "moe_k",
        "num_selected_experts",
        "router_top_k",
        "expert_used_count",
        "moe.num_experts_per_tok",
        "text_config.num_experts_per_tok",
        "text_config.num_experts_per_token",
        "text_config.moe_topk",
        "text_config.top_k_experts",
        "ffn_config.moe_top_k",
    };
    enum { KEYS = sizeof keys / sizeof *keys };
    numel_str paths[KEYS];
    struct value v;
    numel_error ignored;
    error_clear(&ignored);
    enum side side = config_has_json(u->config) ? SIDE_HF : u->side;
    for (size_t i = 0; i < KEYS; i++) paths[i] = text_of(keys[i]);
    if (!config_value(u->config, u->spec, side, paths, KEYS, &v, &ignored)) return false;
    if (v.kind == VALUE_LIST && v.list.n && v.list.items && v.list.items[0].kind == VALUE_INT)
        v = v.list.items[0];
    *used = v.kind == VALUE_INT ? v.i : 0;
    return v.kind == VALUE_INT && v.i > 0;
}

static bool is_expert(const struct site *s) { return s->role.n > 7 && memcmp(s->role.p, "expert.", 7) == 0; }

/* Parameters that are really there: expected ones, at the size the model gives them. */
static void count_parameters(struct adding *a)
{
    struct counts *c = &a->s->counts;
    int64_t used = 0;
    bool experts = false, known = experts_used(a->m->u, &used);
    for (uint32_t i = 0; i < a->x->row_count; i++) {
        const struct site *s = site_of(a, i);
        uint32_t t = a->m->rows[i].tensor;
        if (t == NAMES_ABSENT || !counted(a, i) || a->m->tensors[t].cause != CAUSE_EXPECTED) continue;
        bool packed = a->m->rows[i].fit == FIT_PACKED;
        uint64_t n = packed ? s->elements : a->r->tensors[t].elements, idle = 0;
        c->parameters += n;
        if (s->kind != TENSOR_EMB) c->non_embedding += n;
        if (is_expert(s) && s->stack > 0) {
            uint64_t of = s->stack;
            experts = true;
            if (known && (uint64_t)used < of) idle = s->rows > 1 ? 0 : n / of * (of - (uint64_t)used);
            if (known && s->rows > 1 && s->rows == s->stack && a->x->rows[i].index >= (uint64_t)used)
                idle = n; /* one tensor an expert: the first `used` stand for those used */
        }
        c->active += n - idle;
    }
    c->has_active = !experts || known;
}

/* What a tensor stands for: packed values expanded, and nothing for what a quantizer added. */
static uint64_t logical_elements(const struct adding *a, uint32_t tensor)
{
    const struct tensor_match *m = &a->m->tensors[tensor];
    if (m->cause == CAUSE_SIDECAR || m->cause == CAUSE_QUANT_BIAS) return 0;
    return m->fit == FIT_PACKED ? site_of(a, m->row)->elements : a->r->tensors[tensor].elements;
}

/* A copy of a tensor that is counted already. DeepSeek's MTP layer, an `extra` block, stores
 * embedding and head again. */
static bool is_copy(const struct adding *a, uint32_t tensor)
{
    const struct tensor_match *m = &a->m->tensors[tensor];
    if (m->cause == CAUSE_TIED_COPY || m->cause == CAUSE_REPEATED) return true;
    return m->cause == CAUSE_EXTRA && m->row != NAMES_ABSENT && site_of(a, m->row)->tied;
}

static void count(struct adding *a)
{
    struct counts *c = &a->s->counts;
    c->stored = a->s->stored;
    for (uint32_t i = 0; i < a->r->count; i++) {
        uint64_t n = logical_elements(a, i);
        if (__builtin_add_overflow(c->logical, n, &c->logical)) a->overflow = true;
        c->unique += is_copy(a, i) ? 0 : n;
        if (strcmp(match_class(a->m, i), "buffer") == 0) c->buffers += a->r->tensors[i].elements;
    }
    count_parameters(a);
}

/* ---- all ---------------------------------------------------------------------------------- */

static void judge(struct adding *a)
{
    struct statement *s = a->s;
    bool consistent = s->missing == 0 && s->mismatched == 0 && s->unexpected_count == 0 &&
                      s->contradiction_count == 0 && s->unexplained == 0 && a->m->u->ck->missing == 0 &&
                      s->grounds[GROUND_NONE] == 0;
    bool proven = s->grounds[GROUND_NAME] == 0 && !a->m->u->inferred;
    s->agrees = consistent && proven;
    s->in_part = consistent && !proven;
}

bool statement_make(struct statement *s, struct match *m, numel_error *e)
{
    struct adding a = { .s = s, .m = m, .x = m->u->x, .r = &m->u->ck->registry, .error = e };
    *s = (struct statement){ .stored = m->u->ck->stored };
    add_tensors(&a);
    add_rows(&a);
    count(&a);
    if (a.overflow || s->stored > INT64_MAX || a.x->totals.parameters > INT64_MAX)
        return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the statement's sums do not fit in 63 bits");
    make_lines(&a);
    if (!list_gaps(&a) || !list_contradictions(&a) || !list_unexpected(&a)) return false;
    int64_t sum = 0;
    for (size_t i = 0; i < s->count; i++) sum += s->lines[i].elements;
    s->unexplained = (int64_t)s->stored - sum;
    judge(&a);
    return true;
}

struct comparison *comparison_as_told(const numel_checkpoint *ck, const numel_knowledge *k, bool guess,
                                      const numel_allocator *m, numel_error *e)
{
    struct comparison *c = memory_resize(m, NULL, sizeof *c);
    if (!c) {
        error_nomem(e);
        return NULL;
    }
    *c = (struct comparison){ .memory = m };
    if (understand(&c->u, ck, NULL, k, guess, m, e)) {
        if (!c->u.x || (match_make(&c->match, &c->u, e) && statement_make(&c->s, &c->match, e))) return c;
        match_done(&c->match);
        understand_done(&c->u);
    }
    memory_release(m, c);
    return NULL;
}

struct comparison *comparison_of_adapter(const numel_checkpoint *ck, const numel_allocator *m, numel_error *e)
{
    static const numel_knowledge nothing;
    struct comparison *c = comparison_as_told(ck, &nothing, false, m, e);
    if (c && c->u.watch.failed) {
        error_nomem(e);
        comparison_free(c);
        return NULL;
    }
    if (!c) return NULL;
    expansion_free(c->u.x);
    c->u.x = NULL;
    match_done(&c->match);
    c->match = (struct match){ 0 };
    c->s = (struct statement){ 0 };
    error_clear(&c->u.why);
    c->u.broken = false;
    error_set(&c->u.why, NUMEL_E_KEY, NUMEL_NOWHERE,
              "an adapter: its formula is its base's (numel show tells what it changes)");
    return c;
}

struct comparison *comparison_make(const numel_checkpoint *ck, const numel_knowledge *k, bool guess,
                                   const numel_allocator *m, numel_error *e)
{
    static const numel_knowledge nothing;
    if (!k) k = &nothing;
    struct comparison *c = comparison_as_told(ck, k, guess, m, e);
    if (c && comparison_guess_class(&c, ck, k, m, e) && !c->u.watch.failed) return c;
    if (c && c->u.watch.failed) error_nomem(e); /* a question of no consequence went unanswered */
    comparison_free(c);
    return NULL;
}

void comparison_free(struct comparison *c)
{
    if (!c) return;
    match_done(&c->match);
    understand_done(&c->u);
    memory_release(c->memory, c);
}

const char *match_class(const struct match *m, uint32_t tensor)
{
    switch ((enum cause)m->tensors[tensor].cause) {
    case CAUSE_EXPECTED:
    case CAUSE_EXTRA:
    case CAUSE_LORA:
    case CAUSE_TOWER:
    case CAUSE_HEAD:
    case CAUSE_FUSED_TWICE:
    case CAUSE_EXTRA_LAYER:
    case CAUSE_EXTRA_EXPERT:
    case CAUSE_REPEATED: return m->tensors[tensor].fit == FIT_PACKED ? "quant" : "weight";
    case CAUSE_BUFFER:
    case CAUSE_ROPE:
    case CAUSE_LEFTOVER: return "buffer";
    case CAUSE_SIDECAR:
    case CAUSE_QUANT_BIAS: return "quant";
    case CAUSE_TIED_COPY: return "tied";
    default: return "unknown";
    }
}

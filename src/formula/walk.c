/*
 * walk.c -- walks the lines of a spec; see walk.h. One function for each kind of line.
 *
 * Invariant: after a line, and so after a block, the walk has the same place and the same prefixes as before.
 * Recursion is as deep as blocks are nested, at most SPEC_DEPTH.
 */
#include "formula/walk.h"

#include "formula/parts.h"

static bool walk_lines(struct spec_walk *w, uint32_t from, uint32_t to);

static const struct line *line_at(const struct spec_walk *w, uint32_t at) { return &w->env->spec->lines[at]; }

/* Walks the lines between an opener or branch and the next branch or end, then restores the current line. */
static bool walk_block(struct spec_walk *w, uint32_t at)
{
    const struct line *line = w->line;
    bool ok = walk_lines(w, at + 1, line_at(w, at)->close);
    w->line = line;
    return ok;
}

uint32_t walk_at(const struct spec_walk *w) { return (uint32_t)(w->line - w->env->spec->lines); }

/* ---- names ------------------------------------------------------------------------------------ */

bool walk_text(struct spec_walk *w, enum side side, uint32_t name, const char *suffix, numel_str *out)
{
    struct buffer *b = &w->prefix[side];
    size_t before = b->n;
    bool ok = !name || eval_text(w->env, name, b);
    buffer_text(b, suffix);
    char *text = ok && !b->failed ? arena_text(w->names ? w->names : w->env->arena, b->p, b->n) : NULL;
    *out = (numel_str){ text, !text ? 0 : side == SIDE_HF ? part_bare(w->env->place, text, b->n) : b->n };
    b->n = before;
    return text || (ok && error_nomem(w->env->error));
}

bool walk_name(struct spec_walk *w, const struct tensor_line *t, enum side side, enum part part,
               numel_str *out)
{
    *out = (numel_str){ NULL, 0 };
    if (!t->name[side] || (side == SIDE_GGUF && w->env->place)) return true;
    const char *suffix = t->kind >= TENSOR_RAW ? "" : part == PART_BIAS ? ".bias" : ".weight";
    return walk_text(w, side, t->name[side], suffix, out);
}

static bool mentions_stack(const struct spec *s, uint32_t node)
{
    const struct node *n = &s->nodes[node];
    if (n->kind == NODE_SYMBOL) return n->number == SYMBOL_E;
    uint32_t parts[3] = { n->a, n->b, n->c };
    for (unsigned i = 0; i < 3; i++)
        for (uint32_t k = parts[i]; k; k = s->nodes[k].next)
            if (mentions_stack(s, k)) return true;
    return false;
}

bool is_stacked(const struct spec *s, const struct tensor_line *t, enum side side)
{
    return t->stack && !mentions_stack(s, t->name[side]);
}

bool stack_counts(const struct spec *s, const struct tensor_line *t, enum side side)
{
    unsigned times = 0;
    for (uint32_t part = t->name[side] ? s->nodes[t->name[side]].a : 0; part; part = s->nodes[part].next) {
        bool itself = s->nodes[part].kind == NODE_SYMBOL && s->nodes[part].number == SYMBOL_E;
        if (!itself && mentions_stack(s, part)) return false;
        times += itself;
    }
    return times == 1;
}

const uint32_t *part_dims(const struct tensor_line *t, enum side side, enum part part, unsigned *n,
                          bool *reversed)
{
    bool weight = part == PART_WEIGHT, gguf = side == SIDE_GGUF && t->gguf_ndim && weight;
    *reversed = t->transposed && side == SIDE_HF && weight;
    *n = !weight ? 1 : gguf ? t->gguf_ndim : t->ndim;
    return gguf ? t->gguf_dims : t->dims;
}

/* ---- tensors ---------------------------------------------------------------------------------- */

/* The visitor's answer to a condition of a line; `otherwise` if the line has none. */
static bool ask(struct spec_walk *w, uint32_t node, enum decision otherwise, enum decision *out,
                enum evidence *evidence)
{
    *out = node ? UNDECIDED : otherwise;
    return !node || !w->visit->test || w->visit->test(w, node, out, evidence);
}

static bool walk_tensor(struct spec_walk *w, uint32_t at)
{
    const struct tensor_line *t = w->line->tensor;
    struct tensor_part p = { .line = at, .tensor = t, .evidence = w->at.evidence };
    struct value zero = value_int(0);
    enum decision bias;
    enum evidence when = EVIDENCE_CONSTANT;
    if (!t->name[w->env->names]) return true;
    if (!ask(w, t->when, DECIDED_YES, &p.wanted, &when)) return false;
    p.asked = when == EVIDENCE_INFERRED && !t->statistic;
    if (when > p.evidence) p.evidence = when;
    if (p.wanted == DECIDED_NO && w->visit->offer && !w->visit->offer(w, &p.offered)) return false;
    if (p.wanted == DECIDED_NO && !p.offered) return true;
    env_bind(w->env, SYMBOL_E, &zero);
    if (!ask(w, t->tied, DECIDED_NO, &p.tied, &p.evidence) || !w->visit->tensor(w, &p)) return false;
    if (!ask(w, t->bias, DECIDED_NO, &bias, &p.evidence)) return false;
    if (bias == DECIDED_NO) return true;
    if (bias == UNDECIDED) p.wanted = bias;
    p.part = PART_BIAS;
    return w->visit->tensor(w, &p);
}

static bool walk_cache(struct spec_walk *w, uint32_t at)
{
    (void)at;
    return !w->visit->cache || w->visit->cache(w);
}

/* ---- blocks ----------------------------------------------------------------------------------- */

static bool walk_let(struct spec_walk *w, uint32_t at)
{
    uint32_t symbol = line_at(w, at)->symbol;
    struct value v;
    bool set = config_symbol(w->env->config, w->env->spec->symbols[symbol].name, &v);
    if (set) env_bind(w->env, symbol, &v);
    return !w->visit->define || w->visit->define(w, set);
}

static bool walk_prefix(struct spec_walk *w, uint32_t at)
{
    const struct line *line = w->line;
    size_t before[SIDES] = { w->prefix[SIDE_HF].n, w->prefix[SIDE_GGUF].n };
    bool said = true, inside = true;
    for (enum side side = 0; said && side < SIDES; side++)
        if (line->expr[side] && (w->both || side == w->env->names))
            said = eval_text(w->env, line->expr[side], &w->prefix[side]);
    bool ok = w->visit->prefix ? w->visit->prefix(w, said, &inside) : said;
    if (ok && inside) ok = walk_block(w, at);
    for (int side = 0; side < SIDES; side++) w->prefix[side].n = before[side];
    return ok;
}

/* A GGUF file has no parts: there a multi-part model is several files. */
static bool walk_part(struct spec_walk *w, uint32_t at)
{
    const struct part_line *part = w->line->part;
    struct env *env = w->env;
    struct part_place place = { env->place, part->scope, &w->prefix[SIDE_HF], 0, { NULL, 0 } };
    enum decision wanted;
    if (env->names != SIDE_HF) return true;
    if (!ask(w, part->when, DECIDED_YES, &wanted, &w->at.evidence)) return false;
    if (wanted == DECIDED_NO) return true;
    if (wanted == UNDECIDED) w->at.sure = false;
    if (!part->scope) return !w->visit->lost || w->visit->lost(w);
    size_t before = w->prefix[SIDE_HF].n;
    bool said = eval_text(env, w->line->expr[SIDE_HF], &w->prefix[SIDE_HF]), inside = true;
    place.start = w->prefix[SIDE_HF].n;
    said = said && part_strip(env, part->scope, &place.strip);
    bool ok = w->visit->prefix ? w->visit->prefix(w, said, &inside) : said;
    if (ok && inside) {
        env->place = &place;
        ok = walk_block(w, at);
        env->place = place.outer;
    }
    w->prefix[SIDE_HF].n = before;
    return ok;
}

static bool walk_for(struct spec_walk *w, uint32_t at)
{
    int64_t from = 0, to = 1, next;
    if (w->visit->range && !w->visit->range(w, &from, &to)) return false;
    struct walk_place inside = w->at;
    for (int64_t i = from; i < to; i = next) {
        next = i + 1;
        w->at = inside;
        if (w->visit->turn && !w->visit->turn(w, i, to, &next)) return false;
        w->at.times *= (uint64_t)(next - i);
        if (!walk_block(w, at)) return false;
        if (w->visit->turned && !w->visit->turned(w, i, to, &next)) return false;
    }
    return true;
}

/* An `if` and its branches, up to the first that certainly holds. */
static bool walk_if(struct spec_walk *w, uint32_t at)
{
    enum decision holds = DECIDED_NO;
    for (; holds != DECIDED_YES && line_at(w, at)->kind != LINE_END; at = w->line->close) {
        w->line = line_at(w, at);
        if (!ask(w, w->line->expr[0], DECIDED_YES, &holds, &w->at.evidence)) return false;
        if (holds == UNDECIDED) w->at.sure = false;
        if (holds != DECIDED_NO && !walk_block(w, at)) return false;
    }
    return true;
}

static bool walk_extra(struct spec_walk *w, uint32_t at)
{
    enum evidence ignored = w->at.evidence; /* it is not a parameter in either case */
    enum decision holds;
    if (!ask(w, w->line->expr[0], DECIDED_YES, &holds, &ignored)) return false;
    if (holds != DECIDED_NO) {
        w->at.extra = w->line->label;
        w->at.sure = false;
    }
    return walk_block(w, at);
}

/* True if an alternative has only tensors that this side lacks. */
static bool is_lacking(const struct spec_walk *w, uint32_t at)
{
    for (uint32_t k = at + 1; k < line_at(w, at)->close; k++) {
        const struct line *line = line_at(w, k);
        if (line->kind != LINE_TENSOR || line->tensor->name[w->env->names]) return false;
    }
    return true;
}

static bool walk_oneof(struct spec_walk *w, uint32_t at)
{
    const struct walk_visitor *v = w->visit;
    if (v->open && !v->open(w)) return false;
    for (; line_at(w, at)->kind != LINE_END; at = line_at(w, at)->close) {
        if (is_lacking(w, at)) continue;
        if (!walk_block(w, at) || (v->alternative && !v->alternative(w))) return false;
    }
    return !v->close || v->close(w);
}

/* ---- all lines -------------------------------------------------------------------------------- */

/* Branches and ends are walked with their openers. */
static bool (*const kinds[])(struct spec_walk *w, uint32_t at) = {
    [LINE_LET] = walk_let,       [LINE_PREFIX] = walk_prefix, [LINE_FOR] = walk_for,
    [LINE_IF] = walk_if,         [LINE_ONEOF] = walk_oneof,   [LINE_EXTRA] = walk_extra,
    [LINE_TENSOR] = walk_tensor, [LINE_PART] = walk_part,     [LINE_CACHE] = walk_cache,
};

/* The first line after the one at `at` and all that belongs to it. */
static uint32_t behind(const struct spec_walk *w, uint32_t at)
{
    while (line_at(w, at)->close != NO_LINE) at = line_at(w, at)->close;
    return at + 1;
}

static bool walk_lines(struct spec_walk *w, uint32_t from, uint32_t to)
{
    struct walk_place here = w->at;
    for (uint32_t at = from; at < to; at = behind(w, at)) {
        w->line = line_at(w, at);
        if (w->visit->step && !w->visit->step(w)) return false;
        if (!kinds[w->line->kind](w, at)) return false;
        w->at = here;
    }
    return true;
}

bool walk_inside(struct spec_walk *w, const struct walk_visitor *v)
{
    const struct walk_visitor *before = w->visit;
    w->visit = v;
    bool ok = walk_block(w, walk_at(w));
    w->visit = before;
    return ok;
}

bool walk_spec(struct spec_walk *w, const struct walk_visitor *v, void *ctx, struct env *env)
{
    w->visit = v;
    w->ctx = ctx;
    w->env = env;
    w->at = (struct walk_place){ .sure = true, .times = 1 };
    for (int side = 0; side < SIDES; side++) w->prefix[side].n = 0;
    return walk_lines(w, 0, (uint32_t)env->spec->line_count);
}

void walk_init(struct spec_walk *w, const numel_allocator *m)
{
    *w = (struct spec_walk){ .visit = NULL };
    for (int side = 0; side < SIDES; side++) buffer_init(&w->prefix[side], m);
}

void walk_done(struct spec_walk *w)
{
    for (int side = 0; side < SIDES; side++) buffer_done(&w->prefix[side]);
}

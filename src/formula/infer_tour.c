/*
 * infer_tour.c -- a walk over the spec beside the file; see infer_parts.h.
 *
 * Like that of expand.c, but conditions may be undecided: then both branches are walked, and what is
 * there counts while what is missing does not. A tensor that is there gives an equation an axis.
 * Stacks of one tensor an expert are looked at by their first.
 */
#include "formula/infer_parts.h"

#include "formula/expand.h"

static const char marker[] = "\x01"; /* in place of a number that is looked for */

struct walker {
    struct trial *s;
    struct buffer prefix;
    bool sure, extra; /* all conditions on the way here are decided; inside `extra` */
    uint64_t times;   /* like turns of loops that this one stands for */
};

static bool walk(struct walker *w, uint32_t from, uint32_t to);

static numel_error *errors(struct walker *w) { return w->s->f->error; }

static const struct presence *file(struct walker *w) { return &w->s->f->presence; }

/* Prefix, name and suffix, in the arena; NULL when they cannot be said now. */
static char *full_name(struct walker *w, uint32_t name, const char *suffix)
{
    struct trial *s = w->s;
    size_t before = w->prefix.n;
    char *text = NULL;
    s->scratch = (numel_error){ 0 };
    bool ok = eval_text(&s->env, name, &w->prefix);
    buffer_text(&w->prefix, suffix);
    if (ok && !w->prefix.failed) text = arena_text(&s->arena, w->prefix.p, w->prefix.n);
    if (w->prefix.failed || s->scratch.code == NUMEL_E_NOMEM || (ok && !text)) error_nomem(errors(w));
    w->prefix.n = before;
    return text;
}

/* ---- the largest number in names -------------------------------------------------------------- */

/* The number that a name has in place of the marker; -1 when it does not fit. What follows the
 * number must be all of `after` when `whole`, else start like it. */
static int64_t number_in(numel_str name, numel_str before, numel_str after, bool entire)
{
    int64_t n = 0;
    size_t at = before.n;
    if (name.n <= at || memcmp(name.p, before.p, at) != 0) return -1;
    for (; at < name.n && name.p[at] >= '0' && name.p[at] <= '9' && n < 100000000; at++)
        n = n * 10 + (name.p[at] - '0');
    numel_str rest = { name.p + at, name.n - at };
    if (at == before.n) return -1;
    if (entire) return text_same(rest, after) ? n : -1;
    return !after.n || (rest.n && rest.p[0] == after.p[0]) ? n : -1;
}

static int64_t scan(struct search *f, const char *pattern, bool entire)
{
    const struct infer_file *names = f->in->file;
    const char *at = strchr(pattern, marker[0]);
    int64_t most = -1;
    numel_str name;
    if (!at) return -1;
    numel_str before = { pattern, (size_t)(at - pattern) }, after = text_of(at + 1);
    for (size_t i = 0; names->next(names->names.ctx, i, &name); i++) {
        int64_t n = number_in(name, before, after, entire);
        if (n > most && (uint64_t)n < f->names) most = n; /* each number has a name of its own */
    }
    f->steps += f->names / 8;
    return most;
}

static bool largest(struct search *f, const char *pattern, bool entire, int64_t *out)
{
    for (size_t i = 0; i < f->largest_count; i++)
        if (strcmp(f->largest[i].pattern, pattern) == 0) return *out = f->largest[i].number, true;
    *out = scan(f, pattern, entire);
    char *text = arena_text(f->arena, pattern, strlen(pattern));
    if (!text) return error_nomem(f->error);
    if (!memory_grow(f->arena->memory, (void **)&f->largest, &f->largest_cap, f->largest_count + 1,
                     sizeof *f->largest, f->error))
        return false;
    f->largest[f->largest_count++] = (struct largest){ text, *out };
    return true;
}

/* ---- tensors ---------------------------------------------------------------------------------- */

struct piece { /* a weight or a bias */
    const char *name;
    const uint32_t *dims;
    unsigned ndim;
    uint32_t stack; /* 0: not stacked in one tensor */
    bool reversed;
};

static bool axis(struct walker *w, const struct piece *p, unsigned at, struct poly size)
{
    uint64_t n;
    if (!file(w)->dim(file(w)->ctx, p->name, at, &n, errors(w))) return false;
    if (n > INT64_MAX) return true;
    uint64_t weight = w->times < INFER_TURNS ? w->times : INFER_TURNS;
    if (size.lost) return w->s->unsaid += weight, true;
    return form_equation(w->s, size, (int64_t)n, weight, (struct origin){ p->name, (int)at });
}

/* The equations of a tensor that is there. Another rank is a conflict: nothing can be said. */
static bool shape(struct walker *w, const struct piece *p)
{
    uint64_t behind, last = 0, all = p->ndim + (p->stack != 0);
    unsigned k = 0;
    if (!file(w)->dim(file(w)->ctx, p->name, all, &behind, errors(w)) ||
        (all && !file(w)->dim(file(w)->ctx, p->name, all - 1, &last, errors(w))))
        return false;
    if ((behind != PRESENCE_NONE || last == PRESENCE_NONE) && w->s->f->in->side == SIDE_HF)
        return form_equation(w->s, poly_number(&w->s->factors, 1), 0, 1,
                             (struct origin){ p->name, ORIGIN_LAST });
    if (p->stack && !axis(w, p, k++, form_poly(w->s, p->stack))) return false;
    for (unsigned i = 0; i < p->ndim; i++, k++)
        if (!axis(w, p, k, form_poly(w->s, p->dims[p->reversed ? p->ndim - 1 - i : i]))) return false;
    return true;
}

/* How many tensors one an expert there are. */
static bool stack(struct walker *w, const struct tensor_line *t, const char *suffix)
{
    struct value mark = value_text(text_of(marker)), zero = value_int(0);
    int64_t most = -1;
    env_bind(&w->s->env, SYMBOL_E, &mark);
    char *pattern = full_name(w, t->name[w->s->f->in->side], suffix);
    env_bind(&w->s->env, SYMBOL_E, &zero);
    if (!pattern) return error_free(errors(w));
    if (!largest(w->s->f, pattern, true, &most)) return false;
    if (most < 0) return true;
    return form_equation(w->s, form_poly(w->s, t->stack), most + 1, 1,
                         (struct origin){ "the number of tensors", ORIGIN_LAST });
}

/* One more of those that `tensor` stands for is there, or is not. */
static void score(struct walker *w, bool present, enum decision wanted, bool needed)
{
    uint64_t times = w->times;
    if (present) w->s->matched += times;
    if (present && w->extra) w->s->extras += times;
    if (!present && wanted == DECIDED_YES && w->sure && needed) w->s->missing += times;
}

static bool one_piece(struct walker *w, uint32_t at, const char *suffix, enum decision wanted,
                      enum decision tied)
{
    struct trial *s = w->s;
    const struct tensor_line *t = s->f->in->spec->lines[at].tensor;
    bool gguf = s->f->in->side == SIDE_GGUF && t->gguf_ndim && strcmp(suffix, ".bias") != 0;
    bool bias = strcmp(suffix, ".bias") == 0, single = false;
    struct value v = value_int(1);
    char *name = full_name(w, t->name[s->f->in->side], suffix), *next = NULL;
    if (!name) return s->unsure++, error_free(errors(w));
    bool present;
    if (!file(w)->has(file(w)->ctx, name, &present, errors(w))) return false;
    if (present && tied == DECIDED_YES) { /* should not be there; what is not loaded may be a copy */
        if (!w->extra) s->missing += w->times;
        return true;
    }
    if (!(tied == DECIDED_YES)) score(w, present, wanted, tied == DECIDED_NO && !t->optional);
    if (!present || s->seen[at] > INFER_TURNS) return true;
    if (t->stack) {
        env_bind(&s->env, SYMBOL_E, &v);
        next = full_name(w, t->name[s->f->in->side], suffix);
        single = next && strcmp(next, name) == 0;
        v = value_int(0);
        env_bind(&s->env, SYMBOL_E, &v);
        if (!single && !stack(w, t, suffix)) return false;
    }
    struct piece p = { name, gguf ? t->gguf_dims : t->dims,
                       bias   ? 1
                       : gguf ? t->gguf_ndim
                              : t->ndim,
                       single ? t->stack : 0, t->transposed && !bias && s->f->in->side == SIDE_HF };
    return shape(w, &p);
}

static enum decision asked(struct walker *w, uint32_t node, enum decision otherwise)
{
    enum decision a = node ? form_test(w->s, node) : otherwise;
    w->s->unsure += a == UNDECIDED;
    return a;
}

static bool tensor(struct walker *w, uint32_t at)
{
    const struct tensor_line *t = w->s->f->in->spec->lines[at].tensor;
    struct value zero = value_int(0);
    if (!t->name[w->s->f->in->side]) return true;
    enum decision wanted = asked(w, t->when, DECIDED_YES), tied, bias;
    if (wanted == DECIDED_NO) return true;
    env_bind(&w->s->env, SYMBOL_E, &zero);
    tied = asked(w, t->tied, DECIDED_NO);
    bias = asked(w, t->bias, DECIDED_NO);
    w->s->seen[at] = (uint8_t)(w->s->seen[at] + (w->s->seen[at] <= INFER_TURNS));
    if (!one_piece(w, at, t->kind < TENSOR_RAW ? ".weight" : "", wanted, tied)) return false;
    if (bias == DECIDED_NO) return error_free(errors(w));
    return one_piece(w, at, ".bias", bias == DECIDED_YES ? wanted : bias, tied);
}

/* ---- blocks ----------------------------------------------------------------------------------- */

static bool let(struct walker *w, const struct line *line)
{
    struct trial *s = w->s;
    uint32_t node = line->expr[s->f->in->side], symbol = line->symbol;
    struct value v;
    bool set = config_symbol(s->env.config, s->env.spec->symbols[symbol].name, &v);
    s->open[symbol] = !set && form_open(s, node);
    s->forms[symbol] = s->open[symbol] ? form_poly(s, node) : (struct poly){ .lost = true };
    if (set || form_eval(s, node, &v)) env_bind(&s->env, symbol, &v);
    else s->env.is_bound[symbol] = false;
    s->unsure += !s->open[symbol] && !s->env.is_bound[symbol];
    return error_free(errors(w));
}

/* Opens a prefix; false when it cannot be said. */
static bool open_prefix(struct walker *w, const struct line *line)
{
    uint32_t node = line->expr[w->s->f->in->side];
    size_t before = w->prefix.n;
    w->s->scratch = (numel_error){ 0 };
    if (!node || eval_text(&w->s->env, node, &w->prefix)) return true;
    if (w->s->scratch.code == NUMEL_E_NOMEM) error_nomem(errors(w));
    w->prefix.n = before;
    w->s->unsure++;
    return false;
}

static bool prefix(struct walker *w, uint32_t at)
{
    const struct line *line = &w->s->f->in->spec->lines[at];
    size_t before = w->prefix.n;
    bool ok = !open_prefix(w, line) || walk(w, at + 1, line->close);
    w->prefix.n = before;
    return ok && error_free(errors(w));
}

static uint32_t end_of(const struct spec *s, uint32_t at)
{
    while (s->lines[at].kind != LINE_END) at = s->lines[at].close;
    return at;
}

/* The largest number that stands for the loop in names of its body; its symbol is the marker. */
static bool highest(struct walker *w, uint32_t from, uint32_t to, int64_t *most)
{
    const struct spec *spec = w->s->f->in->spec;
    enum side side = w->s->f->in->side;
    for (uint32_t at = from; at < to && error_free(errors(w)); at++) {
        const struct line *line = &spec->lines[at];
        size_t before = w->prefix.n;
        char *pattern = NULL;
        int64_t n = -1;
        if (++w->s->f->steps > INFER_STEPS) break;
        if (line->kind == LINE_TENSOR && line->tensor->name[side])
            pattern = full_name(w, line->tensor->name[side], "");
        if (line->kind == LINE_PREFIX && open_prefix(w, line)) {
            if (memchr(w->prefix.p, marker[0], w->prefix.n)) pattern = full_name(w, 0, "");
            else if (!highest(w, at + 1, line->close, most)) return false;
        }
        if (line->kind == LINE_PREFIX) at = end_of(spec, at);
        w->prefix.n = before;
        if (pattern && !largest(w->s->f, pattern, false, &n)) return false;
        if (n > *most) *most = n;
    }
    return error_free(errors(w));
}

/* From where to where a loop runs; when its end is open, the names tell. */
static bool bounds(struct walker *w, const struct line *line, uint32_t at, int64_t *from, int64_t *to)
{
    struct trial *s = w->s;
    struct value v, mark = value_text(text_of(marker));
    *from = form_eval(s, line->expr[0], &v) && v.kind == VALUE_INT ? v.i : 0;
    *to = form_eval(s, line->expr[1], &v) && v.kind == VALUE_INT ? v.i : -1;
    if (*to >= 0) return true;
    s->open[line->symbol] = false;
    env_bind(&s->env, line->symbol, &mark);
    if (!highest(w, at + 1, line->close, to)) return false;
    ++*to;
    return form_equation(s, form_poly(s, line->expr[1]), *to, INFER_TURNS,
                         (struct origin){ "the largest number in the names of the layers", ORIGIN_LAST });
}

/* The next turn that is not like turn i in the file; the last turn is always looked at. */
static int64_t after_like(struct walker *w, int64_t i, int64_t to)
{
    const struct infer_file *names = w->s->f->in->file;
    int64_t next = i + 1;
    while (names->in_run && next < to - 1 && names->in_run(names->names.ctx, next)) next++;
    return next;
}

static bool loop(struct walker *w, uint32_t at)
{
    const struct line *line = &w->s->f->in->spec->lines[at];
    int64_t from, to;
    if (!bounds(w, line, at, &from, &to)) return false;
    if (from < 0 || to - from > WALK_LOOP) return true;
    if (to - from > w->s->longest) w->s->longest = to - from;
    bool ok = true;
    uint64_t outside = w->times;
    w->s->open[line->symbol] = false;
    for (int64_t i = from, next; ok && i < to; i = next) {
        struct value v = value_int(i);
        next = after_like(w, i, to);
        env_bind(&w->s->env, line->symbol, &v);
        w->times = outside * (uint64_t)(next - i);
        ok = walk(w, at + 1, line->close);
    }
    w->times = outside;
    return ok;
}

static bool branches(struct walker *w, uint32_t at)
{
    const struct spec *spec = w->s->f->in->spec;
    bool sure = w->sure, ok = true, taken = false;
    for (; ok && !taken && spec->lines[at].kind != LINE_END; at = spec->lines[at].close) {
        enum decision a = asked(w, spec->lines[at].expr[0], DECIDED_YES);
        if (a == UNDECIDED) w->sure = false;
        taken = a == DECIDED_YES;
        if (a != DECIDED_NO) ok = walk(w, at + 1, spec->lines[at].close);
    }
    w->sure = sure;
    return ok;
}

/* Of alternatives the one counts that fits best. */
static bool oneof(struct walker *w, uint32_t at)
{
    struct trial *s = w->s;
    const struct spec *spec = s->f->in->spec;
    uint64_t matched = s->matched, missing = s->missing, best[2] = { matched, missing };
    bool first = true, ok = true;
    for (; ok && spec->lines[at].kind != LINE_END; at = spec->lines[at].close) {
        uint64_t tensors = 0;
        for (uint32_t k = at + 1; k < spec->lines[at].close; k++)
            tensors += spec->lines[k].kind != LINE_TENSOR || spec->lines[k].tensor->name[s->f->in->side];
        if (!tensors) continue; /* this side lacks it */
        ok = walk(w, at + 1, spec->lines[at].close);
        int64_t now = (int64_t)(s->matched - matched) - (int64_t)(s->missing - missing);
        int64_t then = (int64_t)(best[0] - matched) - (int64_t)(best[1] - missing);
        if (first || now > then) best[0] = s->matched, best[1] = s->missing;
        first = false;
        s->matched = matched;
        s->missing = missing;
    }
    s->matched = best[0];
    s->missing = best[1];
    return ok;
}

static bool extra(struct walker *w, uint32_t at)
{
    const struct line *line = &w->s->f->in->spec->lines[at];
    struct walker before = *w;
    if (asked(w, line->expr[0], DECIDED_YES) != DECIDED_NO) {
        w->sure = false;
        w->extra = true;
    }
    bool ok = walk(w, at + 1, line->close);
    w->sure = before.sure;
    w->extra = before.extra;
    return ok;
}

static bool one_line(struct walker *w, uint32_t at)
{
    const struct line *line = &w->s->f->in->spec->lines[at];
    switch (line->kind) {
    case LINE_LET: return let(w, line);
    case LINE_PREFIX: return prefix(w, at);
    case LINE_FOR: return loop(w, at);
    case LINE_IF: return branches(w, at);
    case LINE_ONEOF: return oneof(w, at);
    case LINE_EXTRA: return extra(w, at);
    case LINE_TENSOR: return tensor(w, at);
    case LINE_ELSE:
    case LINE_OR:
    case LINE_END: break;
    }
    return true;
}

static bool walk(struct walker *w, uint32_t from, uint32_t to)
{
    const struct spec *spec = w->s->f->in->spec;
    for (uint32_t at = from; at < to; at++) {
        enum line_kind kind = spec->lines[at].kind;
        if (w->s->f->steps > INFER_STEPS) return w->s->f->exhausted = true;
        w->s->f->steps++;
        if (!one_line(w, at)) return false;
        if (kind != LINE_LET && kind != LINE_TENSOR) at = end_of(spec, at);
    }
    return true;
}

bool tour(struct trial *s)
{
    struct walker w = { .s = s, .sure = true, .times = 1 };
    buffer_init(&w.prefix, s->arena.memory);
    bool ok = walk(&w, 0, (uint32_t)s->f->in->spec->line_count);
    buffer_done(&w.prefix);
    return ok && error_free(s->f->error);
}

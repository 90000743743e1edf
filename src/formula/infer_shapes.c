/*
 * infer_shapes.c -- the visitor that compares a spec with a file while keys are unknown; see
 * infer_internal.h.
 *
 * A tensor in the file gives an equation for each axis and counts as a match. An expected tensor that is not
 * in the file counts as missing, unless a condition on the way to it is undecided. Of stacks with one tensor
 * for each expert, only the first is read.
 */
#include "formula/infer_internal.h"

static struct trial *trial_of(const struct spec_walk *w) { return w->ctx; }

static numel_error *errors(const struct spec_walk *w) { return trial_of(w)->f->error; }

static const struct presence *file_of(const struct spec_walk *w) { return w->env->file; }

/* ---- shapes ----------------------------------------------------------------------------------- */

/* Adds the equation of an axis. */
NUMEL_MUST static bool match_axis(struct spec_walk *w, const char *name, unsigned axis, uint32_t node)
{
    struct trial *s = trial_of(w);
    uint64_t n, weight = w->at.times < INFER_TURNS ? w->at.times : INFER_TURNS;
    struct poly size = form_poly(s, node);
    if (!file_of(w)->dim(file_of(w)->ctx, name, axis, &n, errors(w))) return false;
    if (n > INT64_MAX) return true; /* GGUF leaves out axes of 1 */
    if (size.lost) return s->score.unsaid += weight, true;
    return form_equation(s, size, (int64_t)n, weight, (struct origin){ name, (int)axis });
}

/* Sets *same if the tensor has that many axes. */
static bool has_rank(struct spec_walk *w, const char *name, unsigned rank, bool *same)
{
    uint64_t behind, last = 0;
    const struct presence *file = file_of(w);
    if (!file->dim(file->ctx, name, rank, &behind, errors(w)) ||
        (rank && !file->dim(file->ctx, name, rank - 1, &last, errors(w))))
        return false;
    *same = behind == PRESENCE_NONE && last != PRESENCE_NONE;
    return true;
}

/* Adds the equations of a tensor in the file. Another rank is a conflict: no axis can be compared. */
NUMEL_MUST static bool match_shape(struct spec_walk *w, const struct tensor_part *p, const char *name)
{
    struct trial *s = trial_of(w);
    enum side side = w->env->names;
    unsigned n, stacked = is_stacked(w->env->spec, p->tensor, side);
    bool reversed, same;
    const uint32_t *nodes = part_dims(p->tensor, side, p->part, &n, &reversed);
    if (!has_rank(w, name, n + stacked, &same)) return false;
    if (!same && side == SIDE_HF)
        return form_equation(s, poly_number(&s->factors, 1), 0, 1, (struct origin){ name, ORIGIN_LAST });
    if (stacked && !match_axis(w, name, 0, p->tensor->stack)) return false;
    for (unsigned i = 0; i < n; i++)
        if (!match_axis(w, name, i + stacked, nodes[reversed ? n - 1 - i : i])) return false;
    return true;
}

/* Adds the equation of a stack with one tensor for each expert. */
NUMEL_MUST static bool match_stack(struct spec_walk *w, const struct tensor_part *p)
{
    int64_t most;
    if (!p->tensor->stack || is_stacked(w->env->spec, p->tensor, w->env->names)) return true;
    if (!names_of_stack(w, p, &most)) return false;
    return most < 0 || form_equation(trial_of(w), form_poly(trial_of(w), p->tensor->stack), most + 1, 1,
                                     (struct origin){ "the number of tensors", ORIGIN_LAST });
}

/* ---- tensors ---------------------------------------------------------------------------------- */

/* A copy should not be stored, except in `extra`. */
static void count(struct spec_walk *w, const struct tensor_part *p, bool present)
{
    struct score *s = &trial_of(w)->score;
    bool needed = p->wanted == DECIDED_YES && w->at.sure && p->tied == DECIDED_NO && !p->tensor->optional;
    if (p->tied == DECIDED_YES) {
        if (present && !w->at.extra.p) s->missing += w->at.times;
        return;
    }
    if (present) s->matched += w->at.times;
    if (present && w->at.extra.p) s->extras += w->at.times;
    if (!present && needed) s->missing += w->at.times;
}

NUMEL_MUST static bool shapes_tensor(struct spec_walk *w, const struct tensor_part *p)
{
    struct trial *s = trial_of(w);
    numel_str name;
    bool present;
    if (p->part == PART_WEIGHT && s->seen[p->line] <= INFER_TURNS) s->seen[p->line]++;
    error_clear(&s->scratch);
    if (!walk_name(w, p->tensor, w->env->names, p->part, &name)) return s->score.unsure++, form_unknown(s);
    if (!file_of(w)->has(file_of(w)->ctx, name.p, &present, errors(w))) return false;
    count(w, p, present);
    if (!present || p->tied == DECIDED_YES || s->seen[p->line] > INFER_TURNS) return true;
    return match_stack(w, p) && match_shape(w, p, name.p);
}

/* ---- the other lines -------------------------------------------------------------------------- */

static bool shapes_step(struct spec_walk *w)
{
    struct search *f = trial_of(w)->f;
    error_clear(&trial_of(w)->scratch);
    f->exhausted |= f->steps++ > f->most;
    return error_free(f->error) && !f->exhausted;
}

static bool shapes_define(struct spec_walk *w, bool set)
{
    struct trial *s = trial_of(w);
    uint32_t node = w->line->expr[w->env->values], symbol = w->line->symbol;
    struct value v;
    s->open[symbol] = !set && form_open(s, node);
    s->forms[symbol] = s->open[symbol] ? form_poly(s, node) : (struct poly){ .lost = true };
    if (set) return true;
    if (form_eval(s, node, &v)) env_bind(w->env, symbol, &v);
    else w->env->is_bound[symbol] = false;
    s->score.unsure += !s->open[symbol] && !w->env->is_bound[symbol];
    return true;
}

static bool shapes_test(struct spec_walk *w, uint32_t node, enum decision *out, enum evidence *evidence)
{
    (void)evidence;
    *out = form_test(trial_of(w), node);
    trial_of(w)->score.unsure += *out == UNDECIDED;
    return true;
}

NUMEL_MUST static bool shapes_prefix(struct spec_walk *w, bool said, bool *inside)
{
    *inside = said;
    trial_of(w)->score.unsure += !said;
    return said || form_unknown(trial_of(w));
}

/* The range of a loop; if its end is open, the names show it. */
static bool shapes_range(struct spec_walk *w, int64_t *from, int64_t *to)
{
    struct trial *s = trial_of(w);
    const struct line *line = w->line;
    static const struct origin origin = { "the largest number in the names of the layers", ORIGIN_LAST };
    struct value v;
    *from = form_eval(s, line->expr[0], &v) && v.kind == VALUE_INT ? v.i : 0;
    *to = form_eval(s, line->expr[1], &v) && v.kind == VALUE_INT ? v.i : -1;
    s->open[line->symbol] = false;
    if (*to < 0) {
        if (!names_of_loop(w, to)) return false;
        if (!form_equation(s, form_poly(s, line->expr[1]), ++*to, INFER_TURNS, origin)) return false;
    }
    if (*from < 0 || *to - *from > WALK_LOOP) *to = *from;
    if (*to - *from > s->score.longest) s->score.longest = *to - *from;
    return true;
}

/* Skips iterations that are like this one in the file; the last is always walked. */
static bool shapes_turn(struct spec_walk *w, int64_t i, int64_t to, int64_t *next)
{
    const struct infer_file *names = trial_of(w)->f->in->file;
    struct value v = value_int(i);
    while (names->in_run && *next < to - 1 && names->in_run(names->names.ctx, *next)) ++*next;
    env_bind(w->env, w->line->symbol, &v);
    return true;
}

/* ---- oneof: the best alternative counts ------------------------------------------------------- */

static bool shapes_open(struct spec_walk *w)
{
    struct trial *s = trial_of(w);
    s->before.matched = s->best.matched = s->score.matched;
    s->before.missing = s->best.missing = s->score.missing;
    s->any = false;
    return true;
}

static bool shapes_alternative(struct spec_walk *w)
{
    struct trial *s = trial_of(w);
    int64_t now = (int64_t)(s->score.matched - s->score.missing);
    int64_t then = (int64_t)(s->best.matched - s->best.missing);
    if (!s->any || now > then) s->best = s->score;
    s->any = true;
    s->score.matched = s->before.matched;
    s->score.missing = s->before.missing;
    return true;
}

static bool shapes_close(struct spec_walk *w)
{
    struct trial *s = trial_of(w);
    s->score.matched = s->best.matched;
    s->score.missing = s->best.missing;
    return true;
}

bool shapes_look(struct trial *s)
{
    static const struct walk_visitor visitor = {
        .step = shapes_step,
        .define = shapes_define,
        .test = shapes_test,
        .prefix = shapes_prefix,
        .range = shapes_range,
        .turn = shapes_turn,
        .open = shapes_open,
        .alternative = shapes_alternative,
        .close = shapes_close,
        .tensor = shapes_tensor,
    };
    bool ok = walk_spec(&s->f->walk, &visitor, s, &s->env);
    return (ok || s->f->exhausted) && error_free(s->f->error);
}

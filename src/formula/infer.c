/*
 * infer.c -- runs trials; see infer.h and infer_internal.h.
 *
 * A trial gives each unknown key a value, none, or a hole that the equations must fill. Then it walks the
 * spec against the file and computes a score. Keys that switch tensors are tried one at a time, the others
 * kept at the best values so far, until no value of any key improves the score.
 */
#include "formula/infer_internal.h"

enum { PASSES = 6, ROUNDS = 3, IDLE = 8 };

/* ---- one trial -------------------------------------------------------------------------------- */

bool search_env(struct search *f, struct env *env, numel_error *scratch)
{
    const struct infer_input *in = f->in;
    *env = (struct env){ .spec = in->spec,
                         .config = in->config,
                         .names = in->side,
                         .values = in->side,
                         .file = &in->file->names,
                         .arena = &f->trial.arena };
    bool ok = env_init(env, f->error);
    env->error = scratch;
    return ok;
}

NUMEL_MUST static bool trial_start(struct trial *s)
{
    const struct spec *spec = s->f->in->spec;
    size_t n = spec->symbol_count;
    arena_reset(&s->arena);
    s->factors.count = s->equation_count = s->fact_count = 0;
    s->factors.failed = false;
    s->score = (struct score){ 0 };
    s->forms = arena_alloc(&s->arena, n * sizeof *s->forms);
    s->open = arena_alloc(&s->arena, n * sizeof *s->open);
    s->seen = arena_alloc(&s->arena, spec->line_count);
    if (!s->forms || !s->open || !s->seen) return error_nomem(s->f->error);
    memset(s->open, 0, n * sizeof *s->open);
    memset(s->seen, 0, spec->line_count);
    return search_env(s->f, &s->env, &s->scratch);
}

NUMEL_MUST static const char *say_origin(struct arena *a, const struct origin *o)
{
    char shown[TEXT_QUOTE];
    if (!o->text) return "several sizes together";
    if (o->axis == ORIGIN_FIRST || o->axis == ORIGIN_LAST) return arena_text(a, o->text, strlen(o->text));
    return arena_format(a, "axis %d of %s", o->axis, text_quote(shown, text_of(o->text)));
}

/* Adopts solved values. Returns the number of keys. */
static unsigned adopt(struct trial *s)
{
    unsigned found = 0;
    for (size_t i = 0; i < s->f->key_count; i++) {
        struct key *k = &s->f->keys[i];
        int factor = k->hole ? solve_factor(s, k->path) : -1;
        if (factor < 0 || !s->is_solved[factor]) continue;
        k->note = say_origin(s->f->arena, &s->origins[factor]);
        if (!k->note) error_nomem(s->f->error);
        k->now = value_int(s->solved[factor]);
        k->hole = false;
        found++;
    }
    return found;
}

static unsigned products_with(const struct trial *s, unsigned factor)
{
    unsigned n = 0;
    for (unsigned i = 0; i < s->fact_count; i++)
        for (unsigned k = 0; k < s->facts[i].of.n; k++)
            if (s->facts[i].of.factor[k] == factor) {
                n++;
                break;
            }
    return n;
}

/* Sets what the products show of each hole. */
static void weigh(struct trial *s)
{
    for (size_t i = 0; i < s->f->key_count; i++) {
        struct key *key = &s->f->keys[i];
        int factor = key->hole ? solve_factor(s, key->path) : -1;
        key->facts = factor < 0 ? 0 : products_with(s, (unsigned)factor);
        key->common = 0;
        key->count = false;
        for (unsigned n = 0; key->facts && n < s->fact_count; n++) {
            const struct monomial *m = &s->facts[n].of;
            bool in = false, more = false;
            for (unsigned k = 0; k < m->n; k++) {
                in |= m->factor[k] == factor;
                more |= products_with(s, m->factor[k]) > key->facts;
            }
            if (in) key->common = solve_gcd(key->common, s->facts[n].value);
            key->count |= in && more;
        }
    }
}

/* Holes in no product go back to their `??`. Returns the number of keys. */
static unsigned leave_out(struct search *f)
{
    unsigned n = 0;
    for (size_t i = 0; i < f->key_count; i++) {
        struct key *k = &f->keys[i];
        if (!k->hole || k->facts || !(k->uses & USE_SOFT)) continue;
        k->hole = false;
        n++;
    }
    return n;
}

/* One is possible as a number of heads, but rarely right. */
static unsigned count_ones(const struct search *f)
{
    unsigned n = 0;
    for (size_t i = 0; i < f->key_count; i++) {
        const struct key *k = &f->keys[i];
        n += !k->fixed && k->now.kind == VALUE_INT && k->now.i == 1;
    }
    return n;
}

static bool pass(struct search *f, struct score *score, bool *again)
{
    struct trial *s = &f->trial;
    for (size_t i = 0; i < f->key_count; i++)
        if (!key_publish(f, &f->keys[i])) return false;
    if (!trial_start(s) || !shapes_look(s) || !solve(s)) return false;
    *again = adopt(s) > 0;
    weigh(s);
    if (!*again) *again = leave_out(f) > 0;
    *score = s->score;
    score->ones = count_ones(f);
    return error_free(f->error);
}

/* Solves all keys that are not fixed, until nothing new is found. */
bool trial_run(struct search *f, struct score *score)
{
    bool again = true;
    config_forget_asked(f->in->config);
    for (size_t i = 0; i < f->key_count; i++) {
        struct key *k = &f->keys[i];
        k->hole = !k->fixed && (k->uses & USE_SIZE);
        k->now = k->fixed ? k->value : value_null();
    }
    for (int i = 0; again && i < PASSES; i++)
        if (!pass(f, score, &again)) return false;
    return true;
}

void trial_remember(struct search *f)
{
    for (size_t i = 0; i < f->key_count; i++) f->keys[i].asked = config_asked(f->in->config, f->keys[i].path);
}

int score_compare(const struct score *a, const struct score *b)
{
    int64_t x = (int64_t)(a->matched - a->missing - a->conflicts - a->unsaid);
    int64_t y = (int64_t)(b->matched - b->missing - b->conflicts - b->unsaid);
    if (x != y) return x > y ? 1 : -1;
    if (a->extras != b->extras) return a->extras < b->extras ? 1 : -1;
    return a->unsure < b->unsure ? 1 : a->unsure == b->unsure ? 0 : -1;
}

/* ---- keys that switch tensors ----------------------------------------------------------------- */

/* The n-th value to try; false after the last one. */
static bool candidate(const struct key *k, unsigned n, int64_t longest, struct value *out)
{
    if (k->uses & USE_TRUTH) {
        if (n < 2) return *out = value_bool(n == 0), true;
        n -= 2;
    }
    if (n < k->word_count) return *out = k->words[n], true;
    n -= k->word_count;
    if (k->word_count && n == 0 && k->words[0].kind == VALUE_TEXT)
        return *out = value_text(text_of("")), true; /* none of them */
    bool other = k->uses & (USE_TRUTH | USE_LIST) || k->word_count;
    if (!other && k->uses & (USE_TEST | USE_SIZE))
        return *out = value_int(n), n < INFER_COUNT && (int64_t)n <= longest + 1;
    *out = (struct value){ .kind = VALUE_OBJECT };
    return !other && k->uses & USE_OBJECT && n == 0;
}

/* True if nothing replaces the key when it is left out, so that conditions stay undecided: some number must
 * be chosen. */
static bool must_be_told(const struct key *k)
{
    return !k->fixed && k->uses & USE_TEST && !(k->uses & (USE_SOFT | USE_LIST | USE_TRUTH)) &&
           k->fallback == 0 && !k->word_count;
}

static bool try_key(struct search *f, struct key *k, struct score *best, bool *better)
{
    struct value v, kept = k->value;
    bool was_fixed = k->fixed;
    const char *note = k->note;
    if (must_be_told(k)) *best = (struct score){ .missing = UINT32_MAX, .longest = best->longest };
    unsigned idle = 0; /* consecutive numbers without improvement */
    for (unsigned n = 0; !f->exhausted && candidate(k, n, best->longest, &v); n++) {
        struct score score;
        if (v.kind == VALUE_INT && idle++ > IDLE) break;
        k->fixed = true;
        k->value = v;
        if (!trial_run(f, &score)) return false;
        int fits = score_compare(&score, best);
        if (f->exhausted || fits < 0 || (fits == 0 && score.ones >= best->ones)) continue;
        *best = score;
        *better = was_fixed = true;
        idle = 0;
        kept = v;
        note = v.kind == VALUE_TEXT && !v.s.n ? "none of those that the specification knows"
                                              : "with it the tensors fit best";
    }
    k->fixed = was_fixed;
    k->value = kept;
    k->note = note;
    return true;
}

/* Marks keys that need no trial for now. */
static bool survey(struct search *f)
{
    struct score score;
    if (!trial_run(f, &score)) return false;
    trial_remember(f);
    for (size_t i = 0; i < f->key_count; i++) {
        struct key *k = &f->keys[i];
        bool solved = k->uses & USE_SIZE && (k->facts || k->now.kind != VALUE_NULL);
        bool given = f->type.n && text_equal(k->path, "model_type");
        k->settled = !k->fixed && solved;
        k->settled |= given || !k->asked || k->guessed;
    }
    return true;
}

static bool descend(struct search *f, struct score *best)
{
    bool better = true;
    for (int round = 0; better && round < ROUNDS && !f->exhausted; round++) {
        bool changed = true;
        better = false;
        for (size_t i = 0; i < f->key_count && !f->exhausted; i++) {
            if (changed && !survey(f)) return false;
            changed = false;
            if (f->keys[i].settled) continue;
            if (!try_key(f, &f->keys[i], best, &changed)) return false;
            better |= changed;
        }
    }
    return true;
}

/* ---- the result ------------------------------------------------------------------------------------ */

NUMEL_MUST static bool list(struct search *f, struct inference *out, const struct score *score)
{
    out->matched = score->matched;
    out->missing = score->missing;
    out->conflicts = score->conflicts;
    out->names = f->names;
    out->complete = !f->exhausted && !f->cut;
    out->items = arena_alloc(&out->arena, f->key_count * sizeof *out->items + 1);
    if (!out->items) return error_nomem(f->error);
    for (size_t i = 0; i < f->key_count; i++) {
        struct key *k = &f->keys[i];
        k->hole = false;
        k->now = k->value;
        if (!key_publish(f, k)) return false;
        if (k->now.kind == VALUE_NULL) continue;
        k->now.evidence = EVIDENCE_INFERRED;
        k->now.key = k->path.p;
        out->items[out->count++] =
            (struct infer_result){ k->path.p, k->now, k->note ? k->note : "", k->chosen };
    }
    return true;
}

/* Removes all keys from the configuration. Needs no memory: keys that were never added stay absent. */
NUMEL_MUST static bool withdraw(struct search *f)
{
    bool gone = true;
    for (size_t i = 0; i < f->key_count; i++) {
        f->keys[i].hole = false;
        f->keys[i].now = value_null();
        gone = key_publish(f, &f->keys[i]) && gone;
    }
    return gone;
}

/* ---- model types ------------------------------------------------------------------------------ */

/* The n-th model type that the spec matches. */
static bool type_of(const struct spec *spec, unsigned n, numel_str *type)
{
    for (size_t i = 0; i < spec->rule_count; i++) {
        const struct rule *r = &spec->rules[i];
        numel_str words = r->words;
        if (r->scope || r->side != SIDE_HF || strcmp(r->field, "model_type") != 0) continue;
        while ((*type = text_word(&words)).n)
            if (n-- == 0) return true;
    }
    return false;
}

static bool search_with(struct search *f, numel_str type, struct score *best)
{
    if (!withdraw(f)) return false;
    f->key_count = 0;
    f->steps = 0;
    f->exhausted = false;
    f->type = type;
    f->most = INFER_STEPS + INFER_STEPS_NAME * f->names;
    if (f->in->steps && *f->in->steps < f->most) f->most = *f->in->steps;
    /* if the file has none of the spec's names, no value of a key changes that */
    bool ok = keys_find(f) && trial_run(f, best) && (!best->matched || descend(f, best));
    f->cut |= f->exhausted;
    if (f->in->steps) *f->in->steps -= f->steps < f->most ? f->steps : f->most;
    return ok;
}

/* An undeclared model type must be one that the spec matches. Keys, and what they switch, may depend on it,
 * so each type has its own search. The best one's result stays in the configuration. */
static bool search_types(struct search *f, struct score *best)
{
    numel_str path = text_of("model_type"), type = { NULL, 0 }, with = type;
    struct value v;
    unsigned n = 0, last = 0, first;
    if (!config_value(f->in->config, f->in->spec, f->in->side, &path, 1, &v, f->error)) return false;
    bool open = f->in->side == SIDE_HF && v.kind == VALUE_NULL && v.evidence == EVIDENCE_CONSTANT;
    for (first = 0; open && n < INFER_TYPES && type_of(f->in->spec, n, &type); n++) {
        struct score score;
        if (!search_with(f, type, &score)) return false;
        last = n;
        if (!f->typed) open = false; /* the spec does not depend on the type */
        if (n && score_compare(&score, best) <= 0) continue;
        *best = score;
        with = type;
        first = n;
    }
    return (n && first == last) || search_with(f, with, best);
}

static void search_init(struct search *f, const numel_allocator *m)
{
    f->trial.f = f;
    arena_init(&f->trial.arena, m);
    factors_init(&f->trial.factors, &f->trial.arena);
    walk_init(&f->walk, m);
}

static void search_done(struct search *f)
{
    const numel_allocator *m = f->trial.arena.memory;
    factors_done(&f->trial.factors);
    memory_release(m, f->trial.equations);
    memory_release(m, f->trial.system);
    arena_done(&f->trial.arena);
    walk_done(&f->walk);
    memory_release(m, f->keys);
    memory_release(m, f->largest);
}

bool infer(struct inference *out, const struct infer_input *in, const numel_allocator *m, numel_error *e)
{
    struct search f = { .in = in, .arena = &out->arena, .error = e };
    struct score best = { 0 };
    numel_str name;
    *out = (struct inference){ .complete = true };
    arena_init(&out->arena, m);
    search_init(&f, m);
    while (in->file->next(in->file->names.ctx, f.names, &name)) f.names++;
    bool ok =
        search_types(&f, &best) && choose_all(&f, &best) && choose_drop(&f, &best) && list(&f, out, &best);
    if (!ok) {
        ok = withdraw(&f) && ok; /* the earlier failure remains one */
        infer_done(out);
    }
    search_done(&f);
    return ok;
}

void infer_done(struct inference *out)
{
    arena_done(&out->arena);
    out->items = NULL;
    out->count = 0;
}

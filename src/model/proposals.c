/*
 * proposals.c -- see proposals.h.
 *
 * First, all numbers of the configuration are hidden and inferred from a sample of the tensors
 * (formula/infer.h); those that differ are candidates. A key that only shows in a product (heads times their
 * size) is hidden alone, so that the others determine it. Then candidates are tried, fewest keys first,
 * within a budget.
 */
#include "model/proposals.h"

#include "base/text.h"
#include "model/search_internal.h"

#include <stdlib.h>

enum {
    POOL = 12,      /* candidates */
    OPEN_KEYS = 16, /* keys that are hidden one at a time */
    TRIALS = 40,
    WORK = 400000,        /* rows and tensors that all trials together may read */
    PACKED = 50000,       /* limit on tensors in a file whose packed weights contradict the configuration */
    SEARCHED = 20000,     /* limit on tensors in a file that is compared with other specifications */
    EVERY = PROPOSAL_KEYS /* keys of the pool that are tried together */
};

struct seek {
    const struct model *m; /* unchanged */
    struct model *t;       /* for trials */
    const numel_knowledge *k;
    struct arena *arena, scratch;
    struct logical logical;
    struct sample sample;
    struct proposal_key pool[POOL];
    unsigned pool_count, sure; /* how many the tensors show directly */
    const char *open[OPEN_KEYS];
    unsigned open_count, trials, most;
    struct proposals *out;
    numel_error *error;
};

static size_t left_of(const struct model *m)
{
    const struct differences *d = &m->differences;
    return m->x ? differences_count(d) + d->contradiction_count : SIZE_MAX;
}

/* ---- a trial ------------------------------------------------------------------------------ */

NUMEL_MUST static bool set_keys(struct seek *s, const struct proposal *r)
{
    for (unsigned i = 0; i < r->count; i++) {
        const struct proposal_key *k = &r->keys[i];
        const char *text = k->is.kind == VALUE_BOOL
                               ? arena_format(&s->scratch, "%s=%s", k->key, k->is.b ? "true" : "false")
                               : arena_format(&s->scratch, "%s=%" PRId64, k->key, k->is.i);
        if (!text) return error_nomem(s->error);
        if (!config_set(s->t->config, text, s->error)) return false;
    }
    return true;
}

/* Makes the model of a trial with these values. The keys are then unset, but the results stay. */
NUMEL_MUST static bool decide(struct seek *s, const struct proposal *r)
{
    s->trials++;
    model_undo(s->t);
    bool ok = set_keys(s, r) && model_decide(s->t, s->k, false, s->error);
    for (unsigned i = 0; ok && i < r->count; i++) config_unset(s->t->config);
    return ok;
}

/* Notes which of the model's differences remain in the trial. A model without a formula has none yet. */
NUMEL_MUST static bool note_stays(struct seek *s, struct proposal *r, const struct model *t)
{
    const struct differences *d = &s->m->differences, *now = &t->differences;
    size_t gaps = d->missing + d->mismatched, n = now->missing + now->mismatched;
    struct names by_name;
    r->stays = arena_alloc(s->arena, gaps + d->unexpected_count + 1);
    uint8_t *unexpected = arena_alloc(&s->scratch, s->m->ck->registry.count + 1);
    if (!r->stays || !unexpected) return error_nomem(s->error);
    memset(unexpected, 0, s->m->ck->registry.count + 1);
    names_init_at(&by_name, s->scratch.memory, sizeof *now->gaps, offsetof(struct gap, name));
    bool ok = names_reserve(&by_name, n + 1, s->error);
    for (size_t i = 0; ok && i < n; i++) (void)names_enter(&by_name, now->gaps, i);
    for (size_t i = 0; i < now->unexpected_count; i++) unexpected[now->unexpected[i]] = 1;
    for (size_t i = 0; ok && i < gaps; i++) {
        uint32_t at = names_find(&by_name, now->gaps, d->gaps[i].name);
        r->stays[i] = at != NAMES_ABSENT && now->gaps[at].tensor == d->gaps[i].tensor;
    }
    for (size_t i = 0; i < d->unexpected_count; i++) r->stays[gaps + i] = unexpected[d->unexpected[i]];
    names_done(&by_name);
    return ok;
}

/* Tries a proposal. It is kept if it leaves fewer differences than those kept so far, or as few with as
 * few keys. */
NUMEL_MUST static bool try_proposal(struct seek *s, struct proposal *r)
{
    struct proposals *out = s->out;
    r->left = SIZE_MAX;
    if (s->trials >= s->most) return true;
    if (!decide(s, r)) return false;
    r->left = left_of(s->t);
    const struct proposal *best = &out->items[0];
    if (r->left >= left_of(s->m) || (out->count && r->left > best->left)) return true;
    if (out->count && r->left == best->left && r->count > best->count) return true;
    if (out->count && (r->left < best->left || r->count < best->count)) out->count = 0;
    if (out->count == PROPOSALS) return true;
    if (!note_stays(s, r, s->t)) return false;
    out->items[out->count++] = *r;
    return true;
}

static bool is_closed(const struct proposals *out) { return out->count && out->items[0].left == 0; }

/* ---- candidates --------------------------------------------------------------------------- */

NUMEL_MUST static bool value_at(const struct model *m, const char *key, struct value *v, numel_error *e)
{
    numel_str path = text_of(key);
    numel_error why = { .code = NUMEL_OK };
    if (config_value(m->config, m->spec, m->side, &path, 1, v, &why)) return true;
    *v = value_null();
    return why.code != NUMEL_E_NOMEM || error_nomem(e);
}

static bool is_stated(const struct value *v)
{
    return v->kind == VALUE_INT && v->evidence == EVIDENCE_DECLARED;
}

/* The value that the configuration states for the key, or for the same key outside its part, where it is
 * also looked up; then *key is set to that. */
NUMEL_MUST static bool stated_value(const struct model *m, const char **key, struct value *v, numel_error *e)
{
    const char *last = strrchr(*key, '.');
    struct value outside;
    if (!value_at(m, *key, v, e)) return false;
    if (is_stated(v) || v->evidence == EVIDENCE_SET || !last || m->side == SIDE_GGUF) return true;
    if (!value_at(m, last + 1, &outside, e)) return false;
    if (!is_stated(&outside)) return true;
    *v = outside;
    *key = last + 1;
    return true;
}

static bool is_known(const struct seek *s, const char *key, int64_t is)
{
    for (unsigned i = 0; i < s->pool_count; i++)
        if (strcmp(s->pool[i].key, key) == 0 && s->pool[i].is.i == is) return true;
    return false;
}

/* Adds a key's value in the tensors, if the configuration states another. */
NUMEL_MUST static bool add_candidate(struct seek *s, const struct infer_result *r)
{
    struct value was;
    const char *key = r->key;
    if (r->value.kind != VALUE_INT || r->value.i < 0 || s->pool_count == POOL) return true;
    if (!stated_value(s->m, &key, &was, s->error)) return false;
    if ((was.kind != VALUE_INT && was.kind != VALUE_NULL) || value_same(&was, &r->value)) return true;
    if (was.evidence == EVIDENCE_SET || is_known(s, key, r->value.i)) return true;
    key = arena_text(s->arena, key, strlen(key));
    s->pool[s->pool_count++] = (struct proposal_key){ key, was, r->value, is_stated(&was) };
    return key || error_nomem(s->error);
}

/* True for keys that often appear in products: heads and their size. */
static bool is_factor(const char *key)
{
    numel_str k = text_of(key);
    return text_holds(k, text_of("head")) || text_holds(k, text_of("d_kv")) ||
           text_holds(k, text_of("_length"));
}

NUMEL_MUST static bool add_open(struct seek *s, const char *key)
{
    struct value was;
    for (unsigned i = 0; i < s->open_count; i++)
        if (strcmp(s->open[i], key) == 0) return true;
    if (s->open_count == OPEN_KEYS) return true;
    if (!stated_value(s->m, &key, &was, s->error)) return false;
    if (was.kind != VALUE_INT || was.evidence == EVIDENCE_SET) return true;
    s->open[s->open_count] = arena_text(s->arena, key, strlen(key));
    return s->open[s->open_count++] || error_nomem(s->error);
}

/* Lists the configuration's numbers that tensors do not show directly. Heads come first; they show only in
 * products. */
NUMEL_MUST static bool list_open(struct seek *s, const struct inference *shown)
{
    static const char *const often_one[] = { "num_key_value_heads", "text_config.num_key_value_heads",
                                             "attention.head_count_kv" }; /* config_numbers() leaves out a
                                                                           * value of 1 */
    const struct config_number *numbers;
    unsigned count;
    if (!config_numbers(s->m->config, &s->scratch, &numbers, &count, s->error)) return false;
    for (size_t i = 0; i < sizeof often_one / sizeof *often_one; i++)
        if (!add_open(s, often_one[i])) return false;
    for (unsigned heads = 1; heads < 2; heads--)
        for (unsigned i = 0; i < count && s->open_count < OPEN_KEYS; i++) {
            numel_str key = text_of(numbers[i].key);
            bool known = is_factor(numbers[i].key) != (heads == 1);
            for (size_t k = 0; k < shown->count && !known; k++)
                known = !shown->items[k].chosen && text_equal(key, shown->items[k].key);
            if (!known && !add_open(s, numbers[i].key)) return false;
        }
    return true;
}

/* Finds everything that the tensors show directly. */
NUMEL_MUST static bool look_at_all(struct seek *s)
{
    struct inference shown;
    bool known, ok = infer_shown(s->t, &s->sample, ".", &shown, &known, s->error);
    if (!known) return ok;
    for (size_t i = 0; ok && i < shown.count; i++)
        ok = (!is_factor(shown.items[i].key) || add_open(s, shown.items[i].key)) &&
             (shown.items[i].chosen ? add_open(s, shown.items[i].key) : add_candidate(s, &shown.items[i]));
    ok = ok && list_open(s, &shown);
    infer_done(&shown);
    s->sure = s->pool_count;
    return ok;
}

/* Looks for one key, with the others as stated; NULL: for the keys that are not stated. */
NUMEL_MUST static bool look_at(struct seek *s, const char *key)
{
    struct inference shown;
    bool known, ok = infer_shown(s->t, &s->sample, key, &shown, &known, s->error);
    for (size_t i = 0; ok && known && i < shown.count; i++) {
        const struct infer_result *r = &shown.items[i];
        if (!r->chosen && (!key || strcmp(r->key, key) == 0)) ok = add_candidate(s, r);
    }
    if (known) infer_done(&shown);
    return ok;
}

/* ---- the order ---------------------------------------------------------------------------- */

static struct proposal of_pool(const struct seek *s, unsigned from, unsigned to)
{
    struct proposal r = { .count = 0 };
    for (unsigned i = from; i < to && r.count < EVERY; i++) r.keys[r.count++] = s->pool[i];
    return r;
}

NUMEL_MUST static bool try_singles(struct seek *s, unsigned from)
{
    for (unsigned i = from; i < s->pool_count; i++) {
        struct proposal r = of_pool(s, i, i + 1);
        if (!try_proposal(s, &r)) return false;
    }
    return true;
}

/* Drops keys that do not reduce the differences. */
NUMEL_MUST static bool drop_keys(struct seek *s)
{
    for (unsigned i = 0; s->out->count == 1 && i < s->out->items[0].count && s->out->items[0].count > 1;) {
        struct proposal less = s->out->items[0];
        less.keys[i] = less.keys[--less.count];
        for (unsigned k = i; k + 1 < less.count; k++) less.keys[k] = s->out->items[0].keys[k + 1];
        unsigned count = s->out->items[0].count;
        if (!try_proposal(s, &less)) return false;
        i += s->out->items[0].count == count;
    }
    return true;
}

/* Tries all sure keys together, then adds one more that only shows once these are right. */
NUMEL_MUST static bool try_all(struct seek *s)
{
    struct proposal all = of_pool(s, 0, s->sure);
    if (s->sure > 1 && (!try_proposal(s, &all) || !drop_keys(s))) return false;
    if (is_closed(s->out)) return true;
    const struct proposal sure = s->out->count ? s->out->items[0] : (struct proposal){ .count = 0 };
    if (!decide(s, &sure) || !set_keys(s, &sure)) return false;
    bool ok = look_at(s, NULL);
    for (unsigned i = 0; ok && i < s->open_count; i++) ok = look_at(s, s->open[i]);
    for (unsigned i = 0; ok && i < sure.count; i++) config_unset(s->t->config);
    for (unsigned i = s->sure; ok && i < s->pool_count; i++) {
        struct proposal more = sure;
        if (more.count == EVERY) break;
        more.keys[more.count++] = s->pool[i];
        ok = try_proposal(s, &more);
    }
    return ok;
}

/* An inverted flag is a cause only if no difference remains; otherwise, the biases are another model's. */
NUMEL_MUST static bool try_flag(struct seek *s, const char *key)
{
    struct value was;
    const struct proposals before = *s->out;
    if (!value_at(s->m, key, &was, s->error)) return false;
    bool declared = was.evidence == EVIDENCE_DECLARED;
    if (was.kind != VALUE_BOOL || was.evidence == EVIDENCE_SET || (strchr(key, '.') && !declared))
        return true;
    struct proposal r = { .count = 1 };
    r.keys[0] = (struct proposal_key){ key, was, value_bool(!was.b), declared };
    if (!try_proposal(s, &r)) return false;
    if (!is_closed(s->out)) *s->out = before;
    return true;
}

NUMEL_MUST static bool try_flags(struct seek *s)
{
    static const char *const flags[] = {
        "tie_word_embeddings",
        "attention_bias",
        "qkv_bias",
        "mlp_bias",
        "use_bias",
        "bias",
        "use_qkv_bias",
        "add_qkv_bias",
        "use_qk_norm",
        "qk_layernorm",
        "add_pooling_layer",
        "text_config.tie_word_embeddings",
        "text_config.attention_bias",
        "text_config.mlp_bias",
        "vision_config.qkv_bias",
    };
    for (size_t i = 0; s->m->side == SIDE_HF && i < sizeof flags / sizeof *flags; i++)
        if (!try_flag(s, flags[i])) return false;
    return true;
}

NUMEL_MUST static bool seek(struct seek *s)
{
    return look_at_all(s) && try_singles(s, 0) && (is_closed(s->out) || try_flags(s)) &&
           (is_closed(s->out) || try_all(s));
}

/* ---- another specification ---------------------------------------------------------------- */

/* Lists the keys for which tensors and the other specification agree on a value that is not the
 * configuration's. */
NUMEL_MUST static bool compare_keys(struct seek *s, struct proposal *r, struct model *t)
{
    struct value is;
    for (unsigned i = 0; i < s->sure && r->count < PROPOSAL_KEYS; i++) {
        if (!value_at(t, s->pool[i].key, &is, s->error)) return false;
        if (s->pool[i].stated && value_same(&is, &s->pool[i].is)) r->keys[r->count++] = s->pool[i];
    }
    return true;
}

/* The specification's name, as in "eurobert (also fits: llama)". */
NUMEL_MUST static const char *other_name(struct seek *s, const struct model *t)
{
    static const char also[] = "; also fits: ";
    const char *others = t->from ? strstr(t->from, also) : NULL;
    if (!others) return arena_text(s->arena, t->called, strlen(t->called));
    numel_str rest = text_of(others + 2);
    numel_str first = text_cut(&rest, ';');
    const char *text = arena_text(&s->scratch, first.p, first.n);
    return text ? arena_format(s->arena, "%s (%s)", t->called, text) : NULL;
}

NUMEL_MUST static bool is_worth_a_search(const struct seek *s)
{
    const struct model *m = s->m;
    if (m->side != SIDE_HF || m->ck->registry.count > SEARCHED || is_closed(s->out)) return false;
    size_t left = s->out->count ? s->out->items[0].left : left_of(m);
    return left > 1 && left * 20 > m->ck->registry.count && !m->differences.contradiction_count;
}

/* Searches the model that the file would be without its configuration; accepts only one that fits all of
 * it. */
NUMEL_MUST static bool search_other(struct seek *s)
{
    numel_checkpoint bare = *s->m->ck;
    numel_error why = { .code = NUMEL_OK };
    if (!is_worth_a_search(s)) return true;
    bare.dir = bare.config = bare.module = NULL;
    struct model *t = model_make(&bare, NULL, true, s->scratch.memory, &why);
    if (!t) return why.code != NUMEL_E_NOMEM || error_nomem(s->error);
    bool ok = true;
    if (t->x && left_of(t) == 0 && t->differences.grounds[GROUND_NONE] == 0 && t->spec != s->m->spec &&
        strcmp(t->architecture, s->m->architecture) != 0) {
        s->out->other = other_name(s, t);
        ok = (s->out->other || error_nomem(s->error)) && compare_keys(s, &s->out->of_other, t) &&
             note_stays(s, &s->out->of_other, t);
    }
    model_free(t);
    return ok;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static bool has_configuration(const struct model *m)
{
    bool broken = m->broken && m->spec && m->why.code == NUMEL_E_CONFIG;
    if ((!m->x && !broken) || !m->ck || m->by_tensors || !left_of(m)) return false;
    if (m->differences.contradiction_count && m->ck->registry.count > PACKED) return false;
    return m->side == SIDE_GGUF ? config_has_metadata(m->config) : config_has_json(m->config);
}

static unsigned trials_for(const struct model *m)
{
    uint64_t each = (m->x ? (uint64_t)m->x->row_count : 0) + m->ck->registry.count + 100;
    uint64_t n = WORK / each;
    return n > TRIALS ? TRIALS : n < 1 ? 1 : (unsigned)n;
}

NUMEL_MUST static bool begin(struct seek *s)
{
    return make_logical(s->t, &s->logical, &s->scratch, s->error) &&
           sample_make(&s->sample, logical_or(&s->logical, s->t->inner->training.view), &s->scratch,
                       s->error);
}

bool proposals_make(struct proposals *out, const struct model *m, const numel_knowledge *k, struct arena *a,
                    numel_error *e)
{
    struct seek s = { .m = m, .k = k, .arena = a, .out = out, .error = e };
    *out = (struct proposals){ .count = 0 };
    if (!has_configuration(m)) return true;
    s.most = trials_for(m);
    arena_init(&s.scratch, a->memory);
    s.t = model_make(m->ck, k, false, a->memory, e);
    bool ok = s.t && (!s.t->spec || (begin(&s) && seek(&s) && (!m->x || search_other(&s))));
    sample_done(&s.sample);
    logical_done(&s.logical);
    model_free(s.t);
    arena_done(&s.scratch);
    return ok;
}

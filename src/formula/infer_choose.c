/*
 * infer_choose.c -- chooses keys that the tensors do not show, and drops keys that need not be given; see
 * infer_internal.h.
 *
 * If only products are known (heads times their size), one key is chosen among the usual sizes, and the
 * equations give the others. No total depends on it.
 */
#include "formula/infer_internal.h"

enum { CHOICES = 32 };

static bool is_size(const struct key *k)
{
    bool count = k->count || text_holds(k->path, text_of("num_")) || text_holds(k->path, text_of("heads"));
    return !count || text_holds(k->path, text_of("_dim")) || text_holds(k->path, text_of("size"));
}

/* The key to choose next: preferably one with a class default, then the one in most products, then a size. */
static struct key *next_choice(struct search *f)
{
    struct key *best = NULL;
    for (size_t i = 0; i < f->key_count; i++) {
        struct key *k = &f->keys[i];
        if (!k->hole || !k->facts || k->fixed) continue;
        if (!best || (k->fallback > 0) > (best->fallback > 0) ||
            ((k->fallback > 0) == (best->fallback > 0) &&
             (k->facts > best->facts || (k->facts == best->facts && is_size(k) > is_size(best)))))
            best = k;
    }
    return best;
}

static int64_t size_for(int64_t common, unsigned n)
{
    static const int64_t sizes[] = { 128, 64, 256, 96, 80, 32 };
    if (n < sizeof sizes / sizeof *sizes) return common % sizes[n] ? 0 : sizes[n];
    int64_t size = 256; /* else the largest divisor */
    while (common % size) size--;
    return size;
}

enum { TRIES = 8 };

static int64_t choice(const struct key *k, unsigned n)
{
    if (n == 0) return k->fallback > 0 && k->common % k->fallback == 0 ? k->fallback : 0;
    int64_t size = size_for(k->common, n - 1);
    return size && !is_size(k) ? k->common / size : size;
}

#define CHOSEN "%s is taken to be %" PRId64 ": only its products are known; no total depends on it"

NUMEL_MUST static bool choose(struct search *f, struct key *k, struct score *best)
{
    int64_t common = k->common;
    struct key as_it_was = *k;
    for (unsigned n = 0; n < TRIES && common > 0; n++) {
        struct score score;
        int64_t v = choice(&as_it_was, n);
        if (v < 1) continue;
        k->fixed = true;
        k->value = value_int(v);
        if (!trial_run(f, &score)) return false;
        if (f->exhausted) break;
        if (score_compare(&score, best) < 0) continue;
        *best = score;
        k->chosen = true;
        k->note = arena_format(f->arena, CHOSEN, k->path.p, v);
        return k->note || error_nomem(f->error);
    }
    k->fixed = true; /* left out */
    k->value = value_null();
    return true;
}

NUMEL_MUST static bool follow(struct search *f, const struct key *chosen, const bool *holes)
{
    for (size_t i = 0; i < f->key_count; i++) {
        struct key *k = &f->keys[i];
        if (!holes[i] || k == chosen || k->now.kind != VALUE_INT) continue;
        k->chosen = true;
        k->note = arena_format(f->arena, CHOSEN, chosen->path.p, chosen->value.i);
        if (!k->note) return error_nomem(f->error);
        k->fixed = true;
        k->value = k->now;
    }
    return true;
}

bool choose_all(struct search *f, struct score *best)
{
    bool holes[INFER_KEYS];
    for (int i = 0; i < CHOICES && !f->exhausted; i++) {
        if (!trial_run(f, best)) return false;
        struct key *k = f->exhausted ? NULL : next_choice(f);
        if (!k) break;
        for (size_t n = 0; n < f->key_count && n < INFER_KEYS; n++) holes[n] = f->keys[n].hole;
        if (!choose(f, k, best) || (k->chosen && !follow(f, k, holes))) return false;
    }
    return true;
}

/* ---- keys that need not be given ---------------------------------------------------------------- */

/* Drops each value that a rule or a default gives as well: without it the score stays equal, and as
 * certain. */
bool choose_drop(struct search *f, struct score *best)
{
    for (size_t i = 0; i < f->key_count; i++) {
        struct key *k = &f->keys[i];
        k->fixed = true;
        k->value = k->hole ? value_null() : k->now;
    }
    if (!trial_run(f, best)) return false;
    trial_remember(f);
    for (size_t i = f->key_count; i-- && !f->exhausted && !f->in->whole;) {
        struct key *k = &f->keys[i];
        struct value kept = k->value;
        struct score score;
        bool replaced = k->uses & (USE_SOFT | USE_TRUTH) || k->fallback || k->word_count;
        if (kept.kind == VALUE_NULL || !replaced || k->guessed) continue;
        k->value = value_null();
        if (!k->asked) continue;
        if (!trial_run(f, &score)) return false;
        bool less = score.unsure > best->unsure || score.unsaid > best->unsaid;
        if (f->exhausted || less || score_compare(&score, best) < 0) k->value = kept;
    }
    return true;
}

/* needles.c -- see needles.h. To find words in a name, a rolling hash passes over it once per word length. */
#include "base/needles.h"

#include "base/hash.h"
#include "base/names.h"

struct needle_slot {
    numel_str word; /* p is NULL in a free slot */
    uint64_t hash;
    uint32_t seen, first, last; /* entries that contain it; first and last entry filed under it, plus 1 */
};

#define BASE UINT64_C(0x9E3779B97F4A7C55)

static uint64_t roll(uint64_t hash, char c) { return hash * BASE + (uint8_t)c + 1; }

static struct needle_slot *slot_of(const struct needles *n, uint64_t hash, numel_str word)
{
    size_t at = hash_fold(hash ^ n->seed, 0xE7037ED1A0B428DBu) & (n->slot_count - 1);
    for (; n->slots[at].word.p; at = (at + 1) & (n->slot_count - 1)) {
        const numel_str is = n->slots[at].word;
        if (n->slots[at].hash == hash && is.n == word.n && memcmp(is.p, word.p, word.n) == 0) break;
    }
    return &n->slots[at];
}

static numel_str word_end(numel_str word)
{
    size_t n = word.n < NEEDLE_LONGEST ? word.n : NEEDLE_LONGEST;
    return (numel_str){ word.p + (word.n - n), n };
}

static struct needle_slot *slot_of_word(const struct needles *n, numel_str word)
{
    uint64_t hash = 0;
    word = word_end(word);
    for (size_t i = 0; i < word.n; i++) hash = roll(hash, word.p[i]);
    struct needle_slot *s = slot_of(n, hash, word);
    if (!s->word.p) *s = (struct needle_slot){ .word = word, .hash = hash };
    return s;
}

static void count_words(struct needles *n, const struct needle *entries)
{
    for (size_t i = 0; i < n->count; i++)
        for (unsigned k = 0; k < entries[i].word_count; k++) slot_of_word(n, entries[i].words[k])->seen++;
}

/* Files an entry under its rarest word; on a tie, the longest. */
static void file_entry(struct needles *n, const struct needle *x, uint32_t i, uint32_t *bare_last)
{
    struct needle_slot *best = NULL;
    for (unsigned k = 0; k < x->word_count; k++) {
        struct needle_slot *s = slot_of_word(n, x->words[k]);
        bool better = !best || s->seen < best->seen || (s->seen == best->seen && s->word.n > best->word.n);
        if (better) best = s;
    }
    uint32_t *first = best ? &best->first : &n->bare, *last = best ? &best->last : bare_last;
    if (*last) n->next[*last - 1] = i + 1;
    else *first = i + 1;
    *last = i + 1;
    if (best) n->lengths |= UINT64_C(1) << (best->word.n - 1);
}

NUMEL_MUST static bool make_slots(struct needles *n, const struct needle *entries, struct arena *a,
                                  numel_error *e)
{
    size_t words = 0;
    for (size_t i = 0; i < n->count; i++) words += entries[i].word_count;
    for (n->slot_count = 2; n->slot_count < 2 * words;) n->slot_count *= 2;
    n->slots = arena_alloc(a, n->slot_count * sizeof *n->slots);
    n->next = arena_alloc(a, (n->count + 1) * sizeof *n->next);
    if (!n->slots || !n->next) return error_nomem(e);
    for (size_t i = 0; i < n->slot_count; i++) n->slots[i] = (struct needle_slot){ .seen = 0 };
    memset(n->next, 0, (n->count + 1) * sizeof *n->next);
    n->seed = hash_seed(n->slots);
    return true;
}

bool needles_make(struct needles *n, const struct needle *entries, size_t count, struct arena *a,
                  numel_error *e)
{
    struct names texts;
    uint32_t bare_last = 0;
    *n = (struct needles){ .count = count };
    if (count > INT32_MAX) return error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE, "a list has too many entries");
    if (!make_slots(n, entries, a, e)) return false;
    names_init_at(&texts, a->memory, sizeof *entries, offsetof(struct needle, text));
    bool ok = names_reserve(&texts, count, e);
    if (ok) count_words(n, entries);
    for (size_t i = 0; ok && i < count; i++)
        if (names_enter(&texts, entries, i) == i) file_entry(n, &entries[i], (uint32_t)i, &bare_last);
    names_done(&texts);
    return ok;
}

/* ---- lookup ----------------------------------------------------------------------------------- */

struct asked {
    const struct needles *n;
    bool (*means)(const void *ctx, uint32_t entry);
    const void *ctx;
    int64_t best;
};

static void try_chain(struct asked *q, uint32_t entry)
{
    for (; entry && (q->best < 0 || entry - 1 < q->best); entry = q->n->next[entry - 1])
        if (q->means(q->ctx, entry - 1)) q->best = entry - 1;
}

static void try_length(struct asked *q, numel_str text, size_t length)
{
    uint64_t hash = 0, out = 1;
    for (size_t i = 0; i < length; i++) out *= BASE;
    for (size_t i = 0; i < text.n; i++) {
        hash = roll(hash, text.p[i]);
        if (i >= length) hash -= out * ((uint64_t)(uint8_t)text.p[i - length] + 1);
        if (i + 1 < length) continue;
        numel_str part = { text.p + (i + 1 - length), length };
        try_chain(q, slot_of(q->n, hash, part)->first);
    }
}

int64_t needles_first(const struct needles *n, numel_str text, bool (*means)(const void *ctx, uint32_t entry),
                      const void *ctx)
{
    struct asked q = { n, means, ctx, NEEDLE_NONE };
    if (!n->count) return NEEDLE_NONE;
    try_chain(&q, n->bare);
    for (size_t length = 1; length <= NEEDLE_LONGEST && length <= text.n; length++)
        if (n->lengths >> (length - 1) & 1) try_length(&q, text, length);
    return q.best;
}

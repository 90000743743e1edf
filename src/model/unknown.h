/*
 * unknown.h -- the formula of a checkpoint that no spec describes: counted, folded, and inferred.
 *
 * The tensors are folded (fold.h). Each size and each number of repeats is looked up among phrases: an
 * integer of the configuration (E, V, mixer_width), or a small expression of one or two (2*F, H*D, (H +
 * 2*K)*D, P + 2, L - 1). Without a configuration, repeated sizes get symbols of their own: d1, d2, ... for
 * sizes, n1, n2, ... for repeats. A number without a match stays a number, so the total always equals the
 * stored one. The simplest phrase wins; a note reports equally simple ones. All of this only matches numbers
 * and proves nothing, so its evidence is INFERRED.
 *
 * At most UNKNOWN_TERMS terms are shown, the largest; the remaining tensors share one line. The numbers of
 * symbols and phrases are bounded too, whatever the configuration.
 */
#ifndef NUMEL_MODEL_UNKNOWN_H
#define NUMEL_MODEL_UNKNOWN_H

#include "formula/config.h"
#include "formula/terms.h"
#include "reader/checkpoint.h"

enum { UNKNOWN_TERMS = 200, WORD_COUNT = 40, WORD_PAIRS = 20, PHRASES = 3072, NO_WORD = 255 };

/* ---- the matcher: unknown_phrases.c ------------------------------------------------------- */

struct word_of { /* a symbol */
    const char *name, *from;
    const char *scope; /* "vision" for vision_config: used in names that contain it; "" for all names */
    int64_t value;
    bool known;  /* has a usual short name */
    bool counts; /* a number of repeats, such as layers or experts */
    bool used;
};

struct phrase { /* (k*a*b + m*c*d + plus - minus) / divide; less - 1 is the word with the value `minus` */
    uint64_t value;
    uint8_t k, a, b, m, c, d, plus, minus, less, divide, cost;
    uint16_t order;
};

struct phrases {
    struct word_of words[WORD_COUNT];
    unsigned word_count;
    struct phrase *items[2]; /* sorted by value: for sizes, for repeats */
    unsigned count[2];
};

enum phrase_use { PHRASE_SIZE, PHRASE_REPEATS };

void phrases_add_number(struct phrases *p, const struct config_number *n);
void phrases_add_word(struct phrases *p, const char *name, const char *from, int64_t value, bool counts);
/* Call after adding the words. NOMEM. */
NUMEL_MUST bool phrases_make(struct phrases *p, struct arena *a, numel_error *e);
/* The simplest phrase with that value for a tensor of that name, or NULL. `others` gets up to `room`
 * equally simple ones. */
const struct phrase *phrases_find(const struct phrases *p, enum phrase_use use, uint64_t value,
                                  const char *name, const struct phrase **others, unsigned *room);
struct poly phrase_poly(struct phrases *p, struct factors *f, const struct phrase *x);

/* ---- the formula -------------------------------------------------------------------------- */

struct unknown {
    struct terms terms; /* role: the folded name; its own arena is not used */
    const char **notes;
    size_t note_count;
};

/* All memory is in the arena. NOMEM, OVERFLOW. */
NUMEL_MUST bool unknown_make(struct unknown *u, const numel_checkpoint *ck, struct config *c, struct arena *a,
                             numel_error *e);

#endif

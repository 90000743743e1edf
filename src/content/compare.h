/*
 * compare.h -- the data of two checkpoints beside each other, tensor by tensor, in as many threads as there are.
 *
 * Two passes. The first reads pairs of one type and compares bytes; it leaves a pair where it first differs. The
 * second reads those, and pairs of two types, from their beginning, and adds up how far they are apart (distance.h). So
 * what is equal costs no more than being read, and what is not is rarely read twice.
 *
 * Data is cut into pieces of a length that depends on the types alone; what the pieces come to is joined in their
 * order. Two files that are not those whose headers were read, from the first piece to the last, have no results.
 */
#ifndef NUMEL_CONTENT_COMPARE_H
#define NUMEL_CONTENT_COMPARE_H

#include "content/distance.h"

#include "base/memory.h"
#include "source/stream.h"

/* name, why there is no result; "" for one. */
#define COMPARE_STATES(X)                                             \
    X(DONE, "")                                                       \
    X(TYPES, "there is no distance between these dtypes")             \
    X(SIZES, "the same type and shape have another number of bytes")  \
    X(ABSENT, "the data is not here")                                 \
    X(COMPRESSED, "the file is compressed: unpack it first")          \
    X(SWAPPED, "blocks of a big-endian file")                         \
    X(UNREADABLE, "the file could not be read, or changed meanwhile") \
    X(STOPPED, "interrupted before it was read")                      \
    X(SHAPES, "the shapes differ")                                    \
    X(TRANSPOSED, "transposed")                                       \
    X(REGROUPED, "merged, split or stacked")                          \
    X(PERMUTED, "rows may be permuted, and neither order fits")

enum compare_state {
#define X(name, why) COMPARE_##name,
    COMPARE_STATES(X)
#undef X
        COMPARE_STATE_COUNT
};
const char *compare_why(enum compare_state s);

enum compare_unit { COMPARE_ELEMENTS, COMPARE_BLOCKS, COMPARE_BYTES };

struct compare_pair {
    uint32_t tensor[2];
    uint32_t
        turn; /* rows of a head, when the rows of a side lie in halves where the other's alternate; else 0 */
    uint8_t turned;  /* that side */
    bool plain;      /* wanted are bits, not numbers: values that a quantizer packed */
    uint8_t state;   /* enum compare_state; what is not COMPARE_DONE before is left as it is */
    uint8_t unit;    /* result: of what `differing` counts */
    bool same_bytes; /* result: of one type, and every byte is the same */
    bool measured;   /* result: `d` holds distances too */
    uint64_t units, zeros;
    struct distance d; /* result; the counts are there in any case */
};

/* What is read of a side: files and tensors that refer to each other. */
struct compare_side {
    const numel_file *files;
    size_t file_count;
    const numel_tensor *tensors;
};

struct compare {
    struct compare_side side[2];
    struct compare_pair *pairs; /* results are filled in */
    size_t count;
    numel_error *files[2]; /* result: of each file, what kept it from being read */
    bool stopped;          /* result */
};

/* Where the row of one side stands on the other, whose heads of `turn` rows lie in halves. */
static inline uint64_t compare_turned_row(uint32_t turn, uint64_t row)
{
    uint64_t in = row % turn;
    return row - in + (in & 1) * (turn / 2) + in / 2;
}

/* compare_turn.c. p->turn is how many rows a head may have; it stays where the numbers lie in that order, and becomes 0
 * where they are as stored. False when neither order brings them near each other. buffer: two blocks (stream.h). */
NUMEL_MUST bool compare_find_turn(const struct compare *c, struct compare_pair *p, uint8_t *buffer);

/* Can both be told apart by more than their bytes? Of which units are they made? */
enum compare_state compare_state_of(const struct compare *c, const struct compare_pair *p);

/* Fills the results; files[] are made here, in the arena. NOMEM, and how->resume that cannot be used; what is wrong
 * with a file stands in its error. */
NUMEL_MUST bool compare_run(struct compare *c, const numel_work *how, struct arena *a, numel_error *e);

#endif

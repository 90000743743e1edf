/*
 * compare.h -- compares the data of two checkpoints, tensor by tensor, in several threads.
 *
 * Two passes. The first reads pairs of one type and compares bytes; it leaves a pair where it first differs.
 * The second reads those, and pairs of two types, from the start, and adds up their distance (distance.h). So
 * equal pairs cost no more than one read, and others are rarely read twice.
 *
 * Data is cut into pieces whose length depends only on the types; results of pieces are joined in order.
 * A file that changes between the reading of its header and the last piece has no results.
 */
#ifndef NUMEL_CONTENT_COMPARE_H
#define NUMEL_CONTENT_COMPARE_H

#include "content/distance.h"
#include "content/unpack.h"

#include "base/memory.h"
#include "source/stream.h"

/* name, why there is no result, else "". */
#define COMPARE_STATES(X)                                                     \
    X(DONE, "")                                                               \
    X(TYPES, "these dtypes cannot be compared by distance")                   \
    X(SIZES, "the same type and shape, but a different number of bytes")      \
    X(APART, "the elements are not one range of the file")                    \
    X(ABSENT, "the data is not here")                                         \
    X(COMPRESSED, "the file is compressed: unpack it first")                  \
    X(SWAPPED, "blocks of a big-endian file")                                 \
    X(UNREADABLE, "the file could not be read, or changed while it was read") \
    X(STOPPED, "interrupted before it was read")                              \
    X(SHAPES, "the shapes differ")                                            \
    X(TRANSPOSED, "transposed")                                               \
    X(REGROUPED, "merged, split or stacked")                                  \
    X(INDEX, "a group index names a group that does not exist")               \
    X(PACKED, "values that are packed like this are not read")                \
    X(PARTS, "tensors that packed numbers need are missing or do not fit")    \
    X(MOVED, "packed q or k, whose rows the other format may have moved")     \
    X(PERMUTED, "rows may be permuted, but neither order fits")

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
        turn; /* rows of a head, if one side stores its rows in halves where the other's alternate; else 0 */
    uint8_t turned;               /* the side that is read in the other's order; it has no view */
    bool pairs;                   /* that side's rows alternate */
    const struct unpack *view[2]; /* a side whose numbers are unpacked; else NULL */
    bool plain;                   /* bits are compared, not numbers: values packed by a quantizer */
    uint8_t state;                /* enum compare_state; if it is not COMPARE_DONE beforehand, it is kept */
    const char *layout;           /* of PACKED: the layout whose values are not read */
    uint8_t unit;                 /* result: what `differing` counts */
    bool same_bytes;              /* result: of one type, every byte equal */
    bool measured;                /* result: `d` also holds distances */
    uint64_t units, zeros;
    struct distance d; /* result; counts are always set */
};

/* The input of one side: files and tensors that refer to each other. */
struct compare_side {
    const numel_file *files;
    size_t file_count;
    const numel_tensor *tensors;
};

struct compare {
    struct compare_side side[2];
    struct compare_pair *pairs; /* results are filled in */
    size_t count;
    numel_error *files[2]; /* result: for each file, why it could not be read */
    bool stopped;          /* result */
};

/* The position on the turned side of a row of the other. */
static inline uint64_t compare_turned_row(const struct compare_pair *p, uint64_t row)
{
    uint64_t in = row % p->turn, half = p->turn / 2;
    return row - in + (p->pairs ? in % half * 2 + in / half : in % 2 * half + in / 2);
}

/* compare_turn.c. p->turn is the presumed number of rows of a head: kept if the numbers are in the moved
 * order, else set to 0. Sets p->state to PERMUTED if neither order brings them close or a head has too many
 * rows; to MOVED if these are packed. NOMEM. */
NUMEL_MUST bool compare_find_turn(const struct compare *c, struct compare_pair *p, const numel_allocator *m,
                                  numel_error *e);

/* The decoder of a tensor's type, of elements or of blocks; NULL if there is none, or the tensor has another size
 * than its elements take. */
const struct decoder *compare_decoder(const numel_tensor *t, const numel_file *f);

/* DONE if the two can be compared, else why not. */
enum compare_state compare_state_of(const struct compare *c, const struct compare_pair *p);

/* Fills the results; allocates files[] in the arena. NOMEM, or how->resume cannot be used; errors of a file
 * are in its files[] entry. */
NUMEL_MUST bool compare_run(struct compare *c, const numel_work *how, struct arena *a, numel_error *e);
/* The pair of each tensor of the first side, UINT32_MAX: none; *tensors: how many have a number. NULL: out of memory. */
NUMEL_MUST uint32_t *compare_by_tensor(const struct compare *, struct arena *a, size_t *tensors);

#endif

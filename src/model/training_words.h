/*
 * training_words.h -- words in the names of what training keeps beside a weight, and what each is to the shape of its weight.
 */
#ifndef NUMEL_MODEL_TRAINING_WORDS_H
#define NUMEL_MODEL_TRAINING_WORDS_H

#include "model/training.h"

enum training_form {
    FORM_SAME,
    FORM_BYTES,
    FORM_ROWS, /* without its last axis, and without the last but one */
    FORM_COLUMNS,
    FORM_ROWS_KEPT, /* with one element along it */
    FORM_COLUMNS_KEPT,
    FORM_BLOCKS,
    FORM_CODES,
    FORM_ONE,   /* a count */
    FORM_FACTOR /* one number that is no count */
};

struct training_word {
    const char *name;
    enum training_part part;
    enum training_form form;
    bool inside; /* means it only in what an optimizer holds: modules of models are called so, too */
};

enum { COPY_WORD = 1000 }; /* above all words: a copy */

/* Below COPY_WORD, or UINT32_MAX: it is none. */
unsigned training_word_of(numel_str part, bool inside);
const struct training_word *training_word(unsigned i);
/* A count of what was averaged. */
bool training_averages(unsigned i);

#endif

/*
 * training_words.h -- words in the names of training states, and how each relates to the shape of its weight.
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
    FORM_MEANS, /* with one element along any one axis */
    FORM_BLOCKS,
    FORM_CODES,
    FORM_ONE,    /* a count; this and the following are one number */
    FORM_FACTOR, /* one number that is not a count */
    FORM_FLAG,
    FORM_SETTING /* a number, or a flag */
};

struct training_word {
    const char *name;
    enum training_part part;
    enum training_form form;
    bool inside;         /* only within an optimizer's states: modules of models also have this name */
    const char *with[2]; /* only together with these */
};

enum { COPY_WORD = 1000, UNTOLD_WORD }; /* above all words: a copy; an unknown state of an optimizer */

/* Below COPY_WORD, or UINT32_MAX if it is not one. */
unsigned training_word_of(numel_str part, bool inside);
const struct training_word *training_word(unsigned i);
/* Is it a count of what was averaged, or an optimizer's setting? */
bool training_settings(unsigned i);

#endif

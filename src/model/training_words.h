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
    FORM_MEANS, /* with one element along any one axis */
    FORM_BLOCKS,
    FORM_CODES,
    FORM_ONE,    /* a count; this and what follows are one number */
    FORM_FACTOR, /* one number that is no count */
    FORM_FLAG,
    FORM_SETTING /* a number, or whether */
};

struct training_word {
    const char *name;
    enum training_part part;
    enum training_form form;
    bool inside;         /* means it only in what an optimizer holds: modules of models are called so, too */
    const char *with[2]; /* means nothing without these */
};

enum {
    COPY_WORD = 1000,
    UNTOLD_WORD
}; /* above all words: a copy; a state of an optimizer that nobody knows */

/* Below COPY_WORD, or UINT32_MAX: it is none. */
unsigned training_word_of(numel_str part, bool inside);
const struct training_word *training_word(unsigned i);
/* A count of what was averaged, or what an optimizer was told. */
bool training_settings(unsigned i);

#endif

/*
 * template.h -- does a chat template reach beyond the conversation?
 *
 * A chat template is a Jinja program that comes with the model and runs where the model is used. It needs
 * messages, loops, macros, namespaces. A template that uses __class__, |attr or another template is trying to
 * break out: outside a sandbox it can run anything.
 *
 *     {{ ''.__class__.__mro__[1].__subclasses__() }}      Python's own attributes
 *     {{ x|attr('__cla' ~ 'ss__') }}                      the same, assembled from pieces
 *     {{ lipsum.__globals__ }}, {% include 'a' %}         what Jinja offers besides the messages
 *
 * Only the inside of {{ }} and {% %} counts: text, comments and {% raw %} are not evaluated.
 */
#ifndef NUMEL_VERIFY_TEMPLATE_H
#define NUMEL_VERIFY_TEMPLATE_H

#include "base/buffer.h"

enum { REACH_WORDS = 6, REACH_LENGTH = 32 };

struct reaches {
    char words[REACH_WORDS][REACH_LENGTH]; /* each once, in their order; safe to show */
    unsigned count;                        /* 0: none */
    uint64_t offset, line;                 /* of the first; lines from 1 */
};

/* Time is linear in the text, memory constant. */
void template_scan(struct reaches *out, numel_str text);
/* "__class__, __mro__" */
void template_words(const struct reaches *r, char out[REACH_WORDS * (REACH_LENGTH + 2)]);

#endif

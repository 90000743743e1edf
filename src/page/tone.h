/*
 * tone.h -- what the words of a cell mean to a reader: that all is well or not, how wide an element type is,
 * what a tensor is for. Renderers choose how it looks; the words themselves say the same.
 */
#ifndef NUMEL_PAGE_TONE_H
#define NUMEL_PAGE_TONE_H

#include "page/report.h"

enum tone {
    TONE_NONE,
    TONE_GOOD, /* agrees, ok */
    TONE_PART, /* in part, warning */
    TONE_BAD,  /* disagrees, damaged, error */
    TONE_SOFT, /* unknown, note: says less than the others */
    TONE_WIDE, /* element types: 32 bits and more, */
    TONE_HALF, /* ... 16 bits, */
    TONE_SMALL /* ... 8 bits and fewer, and blocks */
};

/* The tone of a cell that is one word of ours, such as "error"; TONE_NONE for other texts. */
enum tone tone_of_word(const char *text);
/* The tone of a sentence that begins with a verdict: "agrees in part with llama". *n: the verdict's bytes. */
enum tone tone_of_verdict(numel_str text, size_t *n);
/* What a tensor of this role is for: "attn.q". */
enum cell_role role_of(numel_str role);
/* The tone of an element type: "BF16", "Q4_K". */
enum tone tone_of_type(numel_str type);

#endif

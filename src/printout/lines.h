/*
 * lines.h -- pasted text made plain: removes everything around a printout.
 *
 * A printout comes from a terminal, a notebook, a log, an issue, a comment in a source file. Around
 * and inside it are colour codes, progress bars (text before a carriage return), prompts (`>>> `,
 * `Out[5]: `, `[34]:`), comment and quotation marks (`#`, `//`, `*`, `>`, `|`), Markdown fences,
 * non-breaking spaces, and, from a raw .ipynb, `"` and a literal `\n`. Marks that take columns become
 * as many spaces, to preserve the order of indentation; others are removed. Each input line is one
 * output line, maybe empty: line numbers are the user's own.
 */
#ifndef NUMEL_PRINTOUT_LINES_H
#define NUMEL_PRINTOUT_LINES_H

#include "base/buffer.h"

/* Appends the plain form of text to `out`: at most the text's length and one '\n'. */
void lines_plain(struct buffer *out, numel_str text);

#endif

/*
 * lines.h -- text as people paste it, made plain: what a printout stands in is taken off it.
 *
 * A printout comes out of a terminal, a notebook, a log, an issue, a comment in a source file. Around
 * and inside it stand colour codes, progress bars (text before a carriage return), prompts (`>>> `,
 * `Out[5]: `, `[34]:`), marks of comments and quotations (`#`, `//`, `*`, `>`, `|`), Markdown fences,
 * non-breaking spaces, and, out of a raw .ipynb, `"` and a literal `\n`. What takes columns on the
 * page becomes as many spaces, so that indentation keeps its order; what takes none is removed.
 * Every line of the input is a line of the result, maybe an empty one: line numbers are the user's own.
 */
#ifndef NUMEL_PRINTOUT_LINES_H
#define NUMEL_PRINTOUT_LINES_H

#include "base/buffer.h"

/* Appends the plain form of text to `out`: never longer than the text is, and one '\n' more. */
void lines_plain(struct buffer *out, numel_str text);

#endif

/*
 * pattern.h -- regular expressions as configurations of quantizers hold them: what Python's re.match
 * takes, less what needs to look back or ahead.
 *
 *     a . \. \d \w \s (and upper case) [a-z] [^a-z] x* x+ x? x{2,3} (lazy too) a|b (...) (?:...) ^ $ \b
 *
 * Of characters, as Python's: what is not ASCII may stand for itself in a pattern, not in brackets, and is what
 * . and [^...] take one of. With it in the text \d \w \s are not known here: what other scripts have of them is a
 * table of its own.
 *
 * Matched by walking all states at once: time is pattern times text, whatever either holds.
 */
#ifndef NUMEL_BASE_PATTERN_H
#define NUMEL_BASE_PATTERN_H

#include "base/text.h"

enum pattern_answer { PATTERN_NO, PATTERN_YES, PATTERN_UNKNOWN /* not one of these patterns */ };

/* Does it match at the beginning of the text? It need not reach the end, as in re.match. */
enum pattern_answer pattern_match(numel_str pattern, numel_str text);

/* Words that each text holds which the pattern matches; their number, at most `room`, 0 where it has branches. They are
 * written into `space`, which has room for the pattern. */
unsigned pattern_words(numel_str pattern, char *space, numel_str *words, unsigned room);

#endif

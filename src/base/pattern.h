/*
 * pattern.h -- regular expressions as configurations of quantizers hold them: what Python's re.match
 * takes, less what needs to look back or ahead.
 *
 *     a . \. \d \w \s (and upper case) [a-z] [^a-z] x* x+ x? x{2,3} (lazy too) a|b (...) (?:...) ^ $
 *
 * Matched by walking all states at once: time is pattern times text, whatever either holds.
 */
#ifndef NUMEL_BASE_PATTERN_H
#define NUMEL_BASE_PATTERN_H

#include "base/text.h"

enum pattern_answer { PATTERN_NO, PATTERN_YES, PATTERN_UNKNOWN /* not one of these patterns */ };

/* Does it match at the beginning of the text? It need not reach the end, as in re.match. */
enum pattern_answer pattern_match(numel_str pattern, numel_str text);

#endif

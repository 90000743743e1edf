/*
 * pattern.h -- regular expressions in quantizers' configurations: what Python's re.match accepts, without
 * lookbehind and lookahead.
 *
 *     a . \. \d \w \s (and upper case) [a-z] [^a-z] x* x+ x? x{2,3} (lazy too) a|b (...) (?:...) ^ $ \b
 *
 * They match characters, as Python's do: a non-ASCII one may be itself in a pattern, not in brackets, and .
 * and [^...] take one. If the text has any, \d \w \s are unknown here: other scripts' need a table of their
 * own.
 *
 * Matching walks all states at once: time is pattern times text, whatever either holds.
 */
#ifndef NUMEL_BASE_PATTERN_H
#define NUMEL_BASE_PATTERN_H

#include "base/text.h"

enum pattern_answer { PATTERN_NO, PATTERN_YES, PATTERN_UNKNOWN /* not such a pattern */ };

/* Does it match at the start of the text? Like re.match, it need not reach the end. */
enum pattern_answer pattern_match(numel_str pattern, numel_str text);

/* Words that every matching text holds; returns how many, at most `room`, 0 if the pattern has branches. They
 * are written into `space`, which has room for the pattern. */
unsigned pattern_words(numel_str pattern, char *space, numel_str *words, unsigned room);

#endif

/*
 * pattern.h -- regular expressions in quantizers' configurations: what Python's re.match accepts, except
 * lookbehind and lookahead.
 *
 *   a  .  \. \d \w \s (and upper case)  [a-z] [^a-z]  x* x+ x? x{2,3} (also lazy)  a|b  (...) (?:...)  ^ $ \b
 *
 * They match characters, as in Python. A pattern may contain non-ASCII characters, but not in brackets; . and
 * [^...] match them. If the text has any, \d \w \s are unknown here, since other scripts would need a table.
 *
 * Matching follows all states at once, so the time is pattern times text, whatever they contain.
 */
#ifndef NUMEL_BASE_PATTERN_H
#define NUMEL_BASE_PATTERN_H

#include "base/text.h"

enum pattern_answer { PATTERN_NO, PATTERN_YES, PATTERN_UNKNOWN /* not a supported pattern */ };

/* Matches at the start of the text; like re.match, need not reach its end. */
enum pattern_answer pattern_match(numel_str pattern, numel_str text);

/* Finds words that every matching text contains. Returns their number, at most `room`; 0 if the pattern
 * has branches. The words are written to `space`, which has room for the pattern. */
unsigned pattern_words(numel_str pattern, char *space, numel_str *words, unsigned room);

#endif

/*
 * json_second.h -- a second opinion on our JSON scanner: cJSON, plain and through its wrapper.
 *
 * If the scanner accepts a text, both must read the same tree with the same values: the same keys, strings
 * decoded to the same bytes, numbers to the same double, and integers to the same 64 bits as strtoull().
 * If it refuses a text, so must the wrapper, and cJSON too, except for the known classes of leniency
 * below.
 */
#ifndef NUMEL_TEST_JSON_SECOND_H
#define NUMEL_TEST_JSON_SECOND_H

#include "base/buffer.h"

/* Classes of text that only one of them accepts. */
#define JSON_CLASSES(X)                                                                          \
    X(NUL_ESCAPE, "\\u0000: C strings end there; cJSON refuses it or cuts, the wrapper refuses") \
    X(NOT_UTF8, "cJSON does not check UTF-8")                                                    \
    X(CONTROL, "cJSON accepts control characters in strings")                                    \
    X(SPACE, "to cJSON every byte up to 0x20 is white space")                                    \
    X(BOM, "cJSON skips a byte order mark")                                                      \
    X(ZERO, "cJSON accepts numbers with leading zeros")                                          \
    X(DIGIT, "cJSON accepts numbers without digits on one side of the point")                    \
    X(HEX, "cJSON reads \\u without hex digits as \\u0000")                                      \
    X(DEPTH, "cJSON nests to 1,000, the scanner to 127")

enum json_class {
    JSON_AGREE,
#define X(name, text) JSON_ONLY_##name,
    JSON_CLASSES(X)
#undef X
        JSON_CLASS_COUNT
};
extern const char *const json_class_texts[JSON_CLASS_COUNT];

struct json_opinion {
    bool ok;              /* the scanner's verdict */
    enum json_class only; /* why another parser differs */
    char why[320];        /* the scanner's error */
    char wrong[200];      /* "" unless they disagree in a way that no class explains */
};
void json_second(struct json_opinion *out, const char *text, size_t n);

/* The scanner's tree as text, for a third opinion: n t f; #TOKEN; for a number, "HEX;" for a string, [...]
 * and {...}. The scanner must accept the text. */
void json_draw(struct buffer *b, const char *text, size_t n);

#endif

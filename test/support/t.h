/*
 * t.h -- included by every unit test: cmocka with the headers it needs, and table rows that print their
 * name when they fail.
 */
#ifndef NUMEL_TEST_T_H
#define NUMEL_TEST_T_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ROWS_OF(table) (sizeof(table) / sizeof((table)[0]))

/* Poisons an out-parameter, so that a callee that does not write it is noticed. */
#define POISON(v) memset(&(v), 0xAA, sizeof(v))

/* Checks a row; a failure prints its name and is counted. The test asserts the count at its end. */
#define ROW(failed, ok, ...)                                \
    do {                                                    \
        if (!(ok)) {                                        \
            fprintf(stderr, "%s:%d: ", __FILE__, __LINE__); \
            fprintf(stderr, __VA_ARGS__);                   \
            fputc('\n', stderr);                            \
            (failed)++;                                     \
        }                                                   \
    } while (0)

#endif

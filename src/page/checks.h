/*
 * checks.h -- results in the form that CI systems show: the cases that were checked, and what was found in
 * each.
 *
 * A suite is one checkpoint, a case is a level that was checked. Texts are unescaped; renderers escape them.
 */
#ifndef NUMEL_PAGE_CHECKS_H
#define NUMEL_PAGE_CHECKS_H

#include "base/buffer.h"

struct check_rule {
    const char *code, *about; /* a sentence */
    const char *severity;     /* "error", "warning", "note" */
};

struct check_result {
    const char *code, *severity, *level, *message;
    numel_str file;   /* empty: the whole suite */
    numel_str tensor; /* may be empty; escaped */
    uint64_t offset;  /* NUMEL_NOWHERE if it has none */
};

enum check_verdict { CHECK_PASSED, CHECK_FAILED, CHECK_SKIPPED, CHECK_BROKEN /* no verdict */ };

struct check_case {
    const char *name; /* "header" */
    enum check_verdict verdict;
    const char *why; /* for SKIPPED and BROKEN */
};

enum { CHECK_CASES = 8 };

struct check_suite {
    numel_str path;
    struct check_case cases[CHECK_CASES];
    unsigned case_count;
    const struct check_result *results;
    size_t count;
};

struct checks {
    const struct check_suite *suites;
    size_t count;
    const struct check_rule *rules;
    size_t rule_count;
};

#endif

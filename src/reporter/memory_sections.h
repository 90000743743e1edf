/*
 * memory_sections.h -- shared by the files of the report of `numel memory`.
 */
#ifndef NUMEL_REPORTER_MEMORY_SECTIONS_H
#define NUMEL_REPORTER_MEMORY_SECTIONS_H

#include "memory/memory.h"
#include "page/report.h"
#include "reporter/memory_whole.h"

enum { MEMORY_SUMS = 32, MEMORY_BAR = 24 };

struct memory_sum {
    const char *what, *note;
    uint64_t bytes;
    unsigned depth;
    bool known;
};

/* A row of the table over contexts. */
struct memory_at {
    uint64_t context, cache, exact, total;
    bool known, fits;
    char bar[MEMORY_BAR + 2];
};

struct memory_page {
    struct memory m;
    struct memory_whole *whole; /* NULL if it is one model */
    const char *path, *title;   /* may be NULL; title: of a multi-part model */
    const char *architecture, *context, *runtime, *kv, *expression, *why;
    struct memory_sum sums[MEMORY_SUMS];
    size_t sum_count;
    bool known;
    uint64_t exact, total;
    struct memory_at at[MEMORY_CONTEXTS];
    size_t at_count;
    struct toned verdict; /* its text is NULL if there is none */
    const char *estimate; /* a line of text, or NULL */
};

/* Adds the components of a multi-part model; nothing for one model (memory_components_sections.c). */
void memory_components_sections(struct numel_report *r, const struct memory_page *p);
/* The table over contexts, what fits, the split across devices, training (memory_fit_sections.c). */
NUMEL_MUST bool memory_fill_fit(struct memory_page *p, struct arena *a, numel_error *e);
void memory_fit_sections(struct numel_report *r, const struct memory_page *p);

#endif

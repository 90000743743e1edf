/* memory_whole.h -- what a model of several components takes in memory: each opened, and all of them together. */
#ifndef NUMEL_REPORTER_MEMORY_WHOLE_H
#define NUMEL_REPORTER_MEMORY_WHOLE_H

#include "components/components.h"
#include "memory/memory.h"

struct memory_item {
    struct memory *m;                       /* NULL: it is not counted, or not known */
    const char *note, *expression, *called; /* NULL */
};

struct memory_whole {
    struct components c;
    struct memory_item *items; /* of each of c.items */
    struct memory *parts;
    size_t count;
    const char *lacking; /* why not all that counts is here; NULL */
    bool wrong;          /* something is missing, damaged or broken */
};

struct memory_asking {
    const struct memory_ask *ask;
    const numel_knowledge *knowledge;
    const numel_options *options;
};

/* w->c is made; fills the rest, and the sum of those that count. All is of the arena, but what memory_whole_done() closes, also
 * after a failure. NOMEM, OVERFLOW, USAGE. */
NUMEL_MUST bool memory_whole_make(struct memory *sum, struct memory_whole *w,
                                  const struct memory_asking *asking, struct arena *, numel_error *);
void memory_whole_done(struct memory_whole *w);

#endif

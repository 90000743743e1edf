/* memory_whole.h -- the memory of a multi-part model: of each component, and of all together. */
#ifndef NUMEL_REPORTER_MEMORY_WHOLE_H
#define NUMEL_REPORTER_MEMORY_WHOLE_H

#include "components/components.h"
#include "memory/memory.h"

struct memory_item {
    struct memory *m;                       /* NULL if not counted, or unknown */
    const char *note, *expression, *called; /* may be NULL */
};

struct memory_whole {
    struct components c;
    struct memory_item *items; /* one for each of c.items */
    struct memory *parts;
    size_t count;
    const char *lacking; /* why a counted component is missing, or NULL */
    bool wrong;          /* something is missing, damaged or broken */
};

struct memory_asking {
    const struct memory_ask *ask;
    const numel_knowledge *knowledge;
    const numel_options *options;
};

/* Fills *w, of which w->c is already set, and the sum of the counted components. Everything is in the
 * arena except what memory_whole_done() closes; call it even after a failure. NOMEM, OVERFLOW, USAGE. */
NUMEL_MUST bool memory_whole_make(struct memory *sum, struct memory_whole *w,
                                  const struct memory_asking *asking, struct arena *, numel_error *);
void memory_whole_done(struct memory_whole *w);

#endif

/* components_words.h -- how rows of components are called and what is said of them, for every report that has such rows. */
#ifndef NUMEL_REPORTER_COMPONENTS_WORDS_H
#define NUMEL_REPORTER_COMPONENTS_WORDS_H

#include "subject/subject.h"

/* "diffusers", "sentence-transformers", "single file" */
const char *components_library(const struct components *);
/* "FluxPipeline (diffusers)"; NULL: NOMEM. */
NUMEL_MUST const char *components_title(const struct components *, struct arena *);
const char *component_state_name(const struct component *);
/* What a row says beside its verdict; *out is NULL where there is nothing to say. NOMEM. */
NUMEL_MUST bool component_note(const struct component *, const char **out, struct arena *, numel_error *);

/* The report of several: a table of them, each judged as a model of its own, and the totals. It agrees when all that its index
 * promises is there and agrees; with `summary` it disagrees for damage and what is missing only, and never agrees in part.
 * NOMEM, OVERFLOW. */
NUMEL_MUST numel_rc components_report(numel_report **out, numel_subject *, bool summary, numel_error *);
/* list_components.c: each asked, and all of them judged; `k` may be NULL. Texts are of the arena. NOMEM, OVERFLOW. */
NUMEL_MUST bool components_judged(numel_judgement *out, struct components *c, const numel_knowledge *k,
                                  const numel_options *, struct arena *, numel_error *);

#endif

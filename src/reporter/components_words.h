/* components_words.h -- names and notes of components, for every report with such rows. */
#ifndef NUMEL_REPORTER_COMPONENTS_WORDS_H
#define NUMEL_REPORTER_COMPONENTS_WORDS_H

#include "subject/subject.h"

/* "diffusers", "sentence-transformers", "single file" */
const char *components_library(const struct components *);
/* "FluxPipeline (diffusers)"; NULL if memory runs out. */
NUMEL_MUST const char *components_title(const struct components *, struct arena *);
const char *component_state_name(const struct component *);
/* Sets *out to the note next to a row's verdict; NULL if there is nothing to note. NOMEM. */
NUMEL_MUST bool component_note(const struct component *, const char **out, struct arena *, numel_error *);

/* The report on a multi-part model: a table of the components, each judged as a separate model, and the
 * totals. It agrees if everything that the index promises is present and agrees. With `summary` it
 * disagrees only for damaged or missing data, and is never in part. NOMEM, OVERFLOW. */
NUMEL_MUST numel_rc components_report(numel_report **out, numel_subject *, bool summary, numel_error *);
/* Judges each component and all of them together (list_components.c). `k` may be NULL. Texts are in the
 * arena. NOMEM, OVERFLOW. */
NUMEL_MUST bool components_judged(numel_judgement *out, struct components *c, const numel_knowledge *k,
                                  const numel_options *, struct arena *, numel_error *);

#endif

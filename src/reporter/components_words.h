/* components_words.h -- how rows of components are called and what is said of them, for every report that has such rows. */
#ifndef NUMEL_REPORTER_COMPONENTS_WORDS_H
#define NUMEL_REPORTER_COMPONENTS_WORDS_H

#include "components/components.h"

/* "diffusers", "sentence-transformers", "single file" */
const char *components_library(const struct components *);
/* "FluxPipeline (diffusers)"; NULL: NOMEM. */
NUMEL_MUST const char *components_title(const struct components *, struct arena *);
const char *component_state_name(const struct component *);
/* What a row says beside its verdict; *out is NULL where there is nothing to say. NOMEM. */
NUMEL_MUST bool component_note(const struct component *, const char **out, struct arena *, numel_error *);

/* Asks each component and judges them all: the section `judgement`. Texts are of the report. NOMEM, OVERFLOW. */
NUMEL_MUST bool judged_whole(struct numel_report *r, numel_judgement *out, struct components *c,
                             const numel_knowledge *k, const numel_options *options, numel_error *e);

#endif

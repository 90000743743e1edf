/* remote_section.h -- what was fetched of remote checkpoints, in JSON only. */
#ifndef NUMEL_REPORTER_REMOTE_SECTION_H
#define NUMEL_REPORTER_REMOTE_SECTION_H

#include "page/report.h"

struct remote;
/* In JSON, what was fetched of a remote checkpoint; nothing for others. */
void remote_section(struct numel_report *r, const struct numel_checkpoint *ck);
/* The same object as text; NULL without memory. */
NUMEL_MUST const char *remote_json(const struct remote *, struct arena *);
/* The objects of a linked list, as "remotes"; nothing if it is empty. NOMEM. */
NUMEL_MUST bool remotes_section(struct numel_report *r, const struct remote *list, numel_error *e);

#endif

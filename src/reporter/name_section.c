/* name_section.c -- the name of a checkpoint, above its path, if the path does not show it; and in JSON what was
 * fetched of a remote one. */
#include "reporter/sections.h"

#include "reporter/remote_section.h"

static const struct table table = TABLE(NULL, NULL, SECTION_FIELDS, 0, NULL,
                                        { "name", "", 0, AT(CELL_STR, struct numel_checkpoint, name) });

/* For reports without a path: the component that the report is on. */

static const struct table component_table =
    TABLE(NULL, NULL, SECTION_FIELDS, 0, NULL, { NULL, "", 0, AT(CELL_STR, struct numel_checkpoint, part) });

void component_section(struct numel_report *r, const struct numel_checkpoint *ck)
{
    if (!ck || !ck->part) return;
    report_one(r, &component_table, ck);
}

void name_section(struct numel_report *r, const struct numel_checkpoint *ck)
{
    report_one(r, &table, ck);
    remote_section(r, ck);
}

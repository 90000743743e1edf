/* name_section.c -- the name of a checkpoint, above its path, if the path does not show it; and in JSON what was
 * fetched of a remote one. */
#include "reporter/sections.h"

#include "reader/remote.h"

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

static const struct table remote_table =
    TABLE("remote", NULL, SECTION_OBJECT, TABLE_HIDDEN, NULL,
          { "revision", NULL, 0, AT(CELL_TEXT, struct remote, commit) },
          { "fetched", NULL, 0, AT(CELL_COUNT, struct remote, fetched) });

void name_section(struct numel_report *r, const struct numel_checkpoint *ck)
{
    report_one(r, &table, ck);
    if (ck && ck->remote) report_one(r, &remote_table, ck->remote);
}

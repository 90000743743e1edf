/* name_section.c -- what people call a checkpoint whose path does not say it: above its path. */
#include "reporter/sections.h"

static const struct column columns[] = { { "name", "", 0 } };

static void row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct numel_checkpoint *ck = ctx;
    (void)i, (void)depth;
    if (ck && ck->name) c[0] = CELL_S(text_of(ck->name));
}

/* Of reports that say no path: which component of several it is about. */
static const struct column component_columns[] = { { NULL, "", 0 } };

static void component_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct numel_checkpoint *ck = ctx;
    (void)i, (void)depth;
    c[0] = CELL_S(text_of(ck->part));
}

void component_section(struct numel_report *r, const struct numel_checkpoint *ck)
{
    if (!ck || !ck->part) return;
    report_section(
        r,
        &(struct section){
            .form = SECTION_FIELDS, COLUMNS(component_columns), .rows = 1, .row = component_row, .ctx = ck });
}

void name_section(struct numel_report *r, const struct numel_checkpoint *ck)
{
    report_section(
        r, &(struct section){ .form = SECTION_FIELDS, COLUMNS(columns), .rows = 1, .row = row, .ctx = ck });
}

/* promised_section.c -- "index": what an index of which no shard is here comes to; nothing for any other checkpoint. */
#include "reporter/sections.h"
#include "statement/promised.h"

static const struct column columns[] = { { "names", NULL, 0 },      { "unexpected", NULL, 0 },
                                         { "missing", NULL, 0 },    { "elements", NULL, 0 },
                                         { "type", NULL, 0 },       { "bytes", NULL, 0 },
                                         { "total_size", NULL, 0 }, { "fits", NULL, 0 } };

static void row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct promised *p = ctx;
    (void)i, (void)depth;
    c[0] = CELL_U(CELL_COUNT, p->names);
    c[1] = CELL_U(CELL_COUNT, p->unexpected);
    c[2] = CELL_U(CELL_COUNT, p->missing);
    c[3] = CELL_U(CELL_COUNT, p->elements);
    if (p->type) c[4] = CELL_T(p->type->name);
    if (p->bytes != NUMEL_NOT_KNOWN) c[5] = CELL_U(CELL_COUNT, p->bytes);
    if (p->total.readable) c[6] = CELL_U(CELL_COUNT, p->total.value);
    if (p->size != PROMISED_NONE) c[7] = CELL_U(CELL_BOOL, p->size == PROMISED_FITS);
}

bool promised_section(struct numel_report *r, const struct model *m, const char **text, numel_error *e)
{
    *text = NULL;
    if (!m || !m->x || !m->ck || !m->ck->named) return true;
    struct promised *p = arena_alloc(&r->arena, sizeof *p);
    if (!p) return error_nomem(e);
    if (!promised_make(p, m, &r->arena, e)) return false;
    report_section(r, &(struct section){ .key = "index",
                                         .form = SECTION_OBJECT,
                                         .hidden = true,
                                         COLUMNS(columns),
                                         .rows = 1,
                                         .row = row,
                                         .ctx = p });
    *text = p->text;
    return true;
}

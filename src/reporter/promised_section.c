/* promised_section.c -- "index": what an index promises if none of its shards is here; nothing for other
 * checkpoints. */
#include "reporter/sections.h"
#include "statement/promised.h"

static void fill_row(struct table_row *row, struct cell *c)
{
    const struct promised *p = row->of;
    if (p->size != PROMISED_NONE) c[7] = CELL_U(CELL_BOOL, p->size == PROMISED_FITS);
}

static const struct table table =
    TABLE("index", NULL, SECTION_OBJECT, TABLE_HIDDEN, fill_row,
          { "names", NULL, 0, AT(CELL_COUNT, struct promised, names) },
          { "unexpected", NULL, 0, AT(CELL_COUNT, struct promised, unexpected) },
          { "missing", NULL, 0, AT(CELL_COUNT, struct promised, missing) },
          { "elements", NULL, 0, AT(CELL_COUNT, struct promised, elements) },
          { "type", NULL, 0, VIA(CELL_TEXT, struct promised, type, name) },
          { "bytes", NULL, 0, AT_KNOWN(CELL_COUNT, struct promised, bytes) },
          { "total_size", NULL, 0, AT_IF(total.readable, CELL_COUNT, struct promised, total.value) },
          { "fits", NULL, 0, MADE });

bool promised_section(struct numel_report *r, const struct model *m, const char **text, numel_error *e)
{
    *text = NULL;
    if (!m || !m->x || !m->ck || !m->ck->named) return true;
    struct promised *p = arena_alloc(&r->arena, sizeof *p);
    if (!p) return error_nomem(e);
    if (!promised_make(p, m, &r->arena, e)) return false;
    report_one(r, &table, p);
    *text = p->text;
    return true;
}

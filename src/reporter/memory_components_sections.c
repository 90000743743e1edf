/*
 * memory_components_sections.c -- the components in the report of `numel memory`: a line for each, in the
 * order of the index or file.
 *
 *     component     class                       weights  cache     in all
 *     text_encoder  CLIPTextModel             41.00 KiB    0 B  41.00 KiB
 *     scheduler     FlowMatchEulerDiscreteScheduler                        no weights
 */
#include "reporter/components_words.h"
#include "reporter/memory_sections.h"

#include "base/num.h"
#include "base/text.h"

/* clang-format off */
enum {
    NAME, VARIANT, SHOWN, CLASS, ARCHITECTURE, PATH, STATE, COUNTED, WEIGHTS, WEIGHTS_TEXT, CACHE, CACHE_TEXT, EXPRESSION, EXACT,
    ACTIVATIONS, NOTE, ITEM_CELLS
};
/* clang-format on */

/* Estimates are not part of the exact numbers. */
static void sum_cells(const struct memory *m, struct cell *c)
{
    bool weights = m->weights.known && !m->weights.estimated, cache = m->cache_known && !m->by_name;
    uint64_t exact;
    if (weights) c[WEIGHTS] = CELL_U(CELL_COUNT, m->weights.bytes);
    if (m->weights.known) c[WEIGHTS_TEXT] = CELL_U(CELL_SIZE, m->weights.bytes);
    if (cache) c[CACHE] = CELL_U(CELL_COUNT, m->cache.bytes);
    if (m->cache_known) c[CACHE_TEXT] = CELL_U(CELL_SIZE, m->cache.bytes);
    if (weights && cache && num_add(&exact, m->weights.bytes, m->cache.bytes))
        c[EXACT] = CELL_U(CELL_COUNT, exact);
    if (m->rule) c[ACTIVATIONS] = CELL_U(CELL_SIZE, m->activations);
}

static void item_row(struct table_row *row, struct cell *c)
{
    const struct memory_whole *w = ((const struct memory_page *)row->of)->whole;
    const struct component *x = row->item;
    const struct memory_item *item = &w->items[row->i];
    bool other = x->variant[0] && !x->counted && row->i > 0 && strcmp(x->name, x[-1].name) == 0;
    row->depth = other;
    if (x->variant[0]) c[VARIANT] = CELL_S(text_of(x->variant));
    c[SHOWN] = CELL_S(text_of(other ? x->variant : x->name));
    if (x->promise && x->promise->class && !other) c[CLASS] = CELL_S(text_of(x->promise->class));
    if (x->single && item->called) c[CLASS] = CELL_S(text_of(item->called));
    if (item->called) c[ARCHITECTURE] = CELL_S(text_of(item->called));
    c[STATE] = CELL_T(component_state_name(x));
    if (item->m) sum_cells(item->m, c);
    if (item->expression && item->expression[0]) c[EXPRESSION] = CELL_S(text_of(item->expression));
    if (item->note) c[NOTE] = CELL_T(item->note);
}

static const struct table item_table = TABLE(
    "components", "", SECTION_LIST, TABLE_HEADED,
    item_row, [NAME] = { "name", NULL, 0, AT(CELL_STR, struct component, name) },
    [VARIANT] = { "variant", NULL, 0, MADE }, [SHOWN] = { NULL, "component", COLUMN_NAME, MADE },
    [CLASS] = { "class", "class", COLUMN_RANK(7), MADE }, [ARCHITECTURE] = { "architecture", NULL, 0, MADE },
    [PATH] = { "path", NULL, 0, AT(CELL_STR, struct component, path) }, [STATE] = { "state", NULL, 0, MADE },
    [COUNTED] = { "counted", NULL, 0, AT(CELL_BOOL, struct component, counted) },
    [WEIGHTS] = { "weights_bytes", NULL, 0, MADE }, [WEIGHTS_TEXT] = { NULL, "weights", COLUMN_RIGHT, MADE },
    [CACHE] = { "cache_bytes", NULL, 0, MADE }, [CACHE_TEXT] = { NULL, "cache", COLUMN_RIGHT, MADE },
    [EXPRESSION] = { "expression", NULL, 0, MADE }, [EXACT] = { "exact_bytes", NULL, 0, MADE },
    [ACTIVATIONS] = { "activations_bytes", "activations", COLUMN_RIGHT | COLUMN_RANK(6), MADE },
    [NOTE] = { "note", "", COLUMN_NOTE, MADE });

void memory_components_sections(struct numel_report *r, const struct memory_page *p)
{
    const struct memory_whole *w = p->whole;
    if (!w) return;
    report_list(r, &item_table, ROWS(w->c.items, w->c.count), p);
}

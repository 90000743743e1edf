/*
 * memory_components_sections.c -- of the report of `numel memory` on a model of several: a line of each component, in the order of
 * its index or file.
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
static const struct column item_columns[ITEM_CELLS] = {
    [NAME] = { "name", NULL, 0 },
    [VARIANT] = { "variant", NULL, 0 },
    [SHOWN] = { NULL, "component", COLUMN_NAME },
    [CLASS] = { "class", "class", COLUMN_RANK(7) },
    [ARCHITECTURE] = { "architecture", NULL, 0 },
    [PATH] = { "path", NULL, 0 },
    [STATE] = { "state", NULL, 0 },
    [COUNTED] = { "counted", NULL, 0 },
    [WEIGHTS] = { "weights_bytes", NULL, 0 },
    [WEIGHTS_TEXT] = { NULL, "weights", COLUMN_RIGHT },
    [CACHE] = { "cache_bytes", NULL, 0 },
    [CACHE_TEXT] = { NULL, "cache", COLUMN_RIGHT },
    [EXPRESSION] = { "expression", NULL, 0 },
    [EXACT] = { "exact_bytes", NULL, 0 },
    [ACTIVATIONS] = { "activations_bytes", "activations", COLUMN_RIGHT | COLUMN_RANK(6) },
    [NOTE] = { "note", "", COLUMN_NOTE },
};
/* clang-format on */

/* What is not exact is no part of what is. */
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

static void item_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct memory_whole *w = ((const struct memory_page *)ctx)->whole;
    const struct component *x = &w->c.items[i];
    const struct memory_item *item = &w->items[i];
    bool other = x->variant[0] && !x->counted && i > 0 && strcmp(x->name, x[-1].name) == 0;
    *depth = other;
    c[NAME] = CELL_S(text_of(x->name));
    if (x->variant[0]) c[VARIANT] = CELL_S(text_of(x->variant));
    c[SHOWN] = CELL_S(text_of(other ? x->variant : x->name));
    if (x->promise && x->promise->class && !other) c[CLASS] = CELL_S(text_of(x->promise->class));
    if (x->single && item->called) c[CLASS] = CELL_S(text_of(item->called));
    if (item->called) c[ARCHITECTURE] = CELL_S(text_of(item->called));
    if (x->path) c[PATH] = CELL_S(text_of(x->path));
    c[STATE] = CELL_T(component_state_name(x));
    c[COUNTED] = CELL_U(CELL_BOOL, x->counted);
    if (item->m) sum_cells(item->m, c);
    if (item->expression && item->expression[0]) c[EXPRESSION] = CELL_S(text_of(item->expression));
    if (item->note) c[NOTE] = CELL_T(item->note);
}

void memory_components_sections(struct numel_report *r, const struct memory_page *p)
{
    const struct memory_whole *w = p->whole;
    if (!w) return;
    report_section(r, &(struct section){ .key = "components",
                                         .title = "",
                                         .form = SECTION_LIST,
                                         .headed = true,
                                         COLUMNS(item_columns),
                                         .rows = w->c.count,
                                         .row = item_row,
                                         .ctx = p });
}

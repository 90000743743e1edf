/*
 * diff_components.c -- the differences by component, if a file holds several models.
 *
 *     component        same  changed  only in a  only in b
 *     diffusion_model   686        0          0          0
 *     vae               244        4          0          0
 *     text_encoder        0        0        197          0
 *
 * A tensor counts in its component in a. If a lacks it, or holds one model, it counts in its component in b.
 */
#include "reporter/diff_components.h"

#include "components/single.h"
#include "base/text.h"

static const uint32_t of_none = UINT32_MAX; /* row of tensors outside all components */

struct component_row {
    const char *name;
    uint64_t same, changed, removed, added; /* tensors */
};

struct diff_components {
    struct component_row *rows;
    size_t count;
    uint32_t *of[2]; /* row of each tensor; NULL if the side holds one model */
};

/* ---- whose a tensor is -------------------------------------------------------------------- */

NUMEL_MUST static bool row_of(struct diff_components *c, const struct single_part *p, struct arena *a,
                              uint32_t *at)
{
    const char *name = arena_format(a, "%s%s%s", p->name, p->variant[0] ? "." : "", p->variant);
    if (!name) return false;
    for (*at = 0; *at < c->count; ++*at)
        if (strcmp(c->rows[*at].name, name) == 0) return true;
    c->rows[c->count++] = (struct component_row){ .name = name };
    return true;
}

NUMEL_MUST static bool take_parts(struct diff_components *c, int side, const struct single_parts *p,
                                  size_t tensors, struct arena *a, numel_error *e)
{
    struct component_row *rows = arena_alloc(a, (c->count + p->count) * sizeof *rows);
    c->of[side] = arena_alloc(a, (tensors + 1) * sizeof *c->of[side]);
    if (!rows || !c->of[side]) return error_nomem(e);
    for (size_t i = 0; i < c->count; i++) rows[i] = c->rows[i];
    c->rows = rows;
    for (size_t i = 0; i < tensors; i++) c->of[side][i] = of_none;
    for (size_t k = 0; k < p->count; k++) {
        uint32_t at;
        if (!p->items[k].ck) continue;
        if (!row_of(c, &p->items[k], a, &at)) return error_nomem(e);
        for (size_t i = 0; i < p->items[k].ck->registry.count; i++)
            c->of[side][p->items[k].ck->whole[i]] = at;
    }
    return true;
}

NUMEL_MUST static bool take_side(struct diff_components *c, const struct diff *d, int side, struct arena *a,
                                 numel_error *e)
{
    struct single_parts *parts;
    const numel_checkpoint *ck = d->side[side].ck;
    if (!single_open(&parts, ck, a->memory, e)) return false;
    bool ok = !parts || take_parts(c, side, parts, ck->registry.count, a, e);
    single_close(parts);
    return ok;
}

static uint32_t whose(const struct diff_components *c, const struct diff *d, const struct link *l)
{
    for (int w = A; w <= B; w++)
        if (l->count[w] && c->of[w])
            return c->of[w][diff_tensor(d, l, w, 0) - d->side[w].ck->registry.tensors];
    return of_none;
}

static void count_link(struct component_row *x, const struct link *l)
{
    if (l->change == CHANGE_SAME || l->change == CHANGE_RENAMED) x->same += l->count[A];
    else if (l->change == CHANGE_REMOVED) x->removed += l->count[A];
    else if (l->change == CHANGE_ADDED) x->added += l->count[B];
    else x->changed += l->count[A];
}

bool diff_components_make(struct diff_components **out, const struct diff *d, struct arena *a, numel_error *e)
{
    struct diff_components *c = *out = arena_alloc(a, sizeof *c);
    if (!c) return error_nomem(e);
    *c = (struct diff_components){ .count = 0 };
    if (d->equal || d->side[A].r != &d->side[A].ck->registry || d->side[B].r != &d->side[B].ck->registry)
        return true;
    if (!take_side(c, d, A, a, e) || !take_side(c, d, B, a, e)) return false;
    for (size_t i = 0; i < d->count; i++) {
        uint32_t at = whose(c, d, &d->links[i]);
        if (at != of_none) count_link(&c->rows[at], &d->links[i]);
    }
    return true;
}

/* ---- how it looks ------------------------------------------------------------------------- */

static const struct table table =
    TABLE(NULL, "", SECTION_LIST, TABLE_HEADED, NULL,
          { NULL, "component", COLUMN_NAME, AT(CELL_TEXT, struct component_row, name) },
          { NULL, "same", COLUMN_RIGHT, AT(CELL_COUNT, struct component_row, same) },
          { NULL, "changed", COLUMN_RIGHT, AT(CELL_COUNT, struct component_row, changed) },
          { NULL, "only in a", COLUMN_RIGHT, AT(CELL_COUNT, struct component_row, removed) },
          { NULL, "only in b", COLUMN_RIGHT, AT(CELL_COUNT, struct component_row, added) });

void diff_components_section(struct numel_report *out, const struct diff_components *c)
{
    if (!c->count) return;
    report_list(out, &table, ROWS(c->rows, c->count), NULL);
}

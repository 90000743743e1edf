/* judge.c -- see judge.h. */
#include "judge.h"

#include "draft.h"

#include "reader/checkpoint.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the witness ------------------------------------------------------------------------------ */

struct config *witness_config(const struct witness *w)
{
    numel_error e = { .code = NUMEL_OK };
    struct config *c;
    if (!config_new(&c, &memory_malloc, &e)) die("%s", e.what);
    if (w->ck) config_add_metadata(c, &w->ck->metadata);
    else if (!config_add_json(c, w->config, w->config_bytes, w->truth->name, &e))
        die("%s: %s", w->truth->name, e.what);
    return c;
}

static bool holds(void *ctx, numel_str name, uint64_t size)
{
    const struct inventory *held = ctx;
    char text[256] = "";
    if (!text_join(text, sizeof text - 1, name, (numel_str){ NULL, 0 }, (numel_str){ NULL, 0 }).p)
        return false;
    long at = inventory_find(held, text);
    return at >= 0 && (!size || (held->items[at].ndim && held->items[at].dims[0] == size));
}

/* GGUF labels several diffusion models as the first of them; their tensors identify them. */
static const struct library_entry *told(const struct library *l, struct witness *w)
{
    const struct library_entry *other = w->side == SIDE_GGUF && w->entry && library_has_tensors(w->entry)
                                            ? library_by_tensors(l, "tensors", holds, &w->held)
                                            : NULL;
    return other ? other : w->entry;
}

void witness_init(struct witness *w, const struct truth *t, const struct library *l)
{
    numel_error e = { .code = NUMEL_OK };
    *w = (struct witness){ .truth = t, .side = t->doc ? SIDE_HF : SIDE_GGUF };
    inventory_init(&w->held);
    if (t->doc) {
        inventory_of_truth(&w->held, t->doc);
        w->config = truth_is_bare(t) ? must(strdup("{}")) : truth_config(t, "whole", true);
        w->classed = truth_states_class(t, "whole") || json_text_of(json_get(t->doc, "class"));
        w->config_bytes = strlen(w->config);
    } else {
        if (numel_open_memory(&w->ck, t->bytes, t->size, NULL, &e)) die("%s: %s", t->name, e.what);
        inventory_of_checkpoint(&w->held, w->ck);
    }
    w->met = must(calloc(w->held.count + 1, sizeof *w->met));
    struct config *c = witness_config(w);
    const char *named = t->doc && truth_is_bare(t) ? json_text_of(json_get(t->doc, "architecture")) : NULL;
    w->entry = named ? library_find(l, text_of(named)) : library_match(l, c, w->side, &e);
    w->entry = told(l, w);
    config_free(c);
}

void witness_done(struct witness *w)
{
    inventory_done(&w->held);
    numel_free(w->ck);
    free(w->config);
    free(w->met);
}

/* ---- judging ---------------------------------------------------------------------------------- */

static const char *say(char *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

static const char *say(char *why, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why, JUDGE_WHY, format, args);
    va_end(args);
    return why;
}

/* In GGUF, outer dims of 1 are insignificant: some writers keep them. */
static bool same_shape(const struct witness *w, const struct held *h, const struct site *site)
{
    uint32_t skip = 0, over = 0;
    if (w->side == SIDE_GGUF) {
        while (skip < site->ndim && site->dims[skip] == 1) skip++;
        while (over < h->ndim && h->dims[over] == 1) over++;
    }
    return h->ndim - over == site->ndim - skip &&
           !memcmp(h->dims + over, site->dims + skip, (h->ndim - over) * sizeof *h->dims);
}

/* Tensors of an `extra` block are stored outside the class, also in its case; copies are stored there too. */
static const char *check_place(struct witness *w, const struct held *h, const struct site *site,
                               const char *name, char *why)
{
    if (w->held.kinds && h->extra != (site->extra.p != NULL))
        return say(why, "%s is %sloaded by the class", name, h->extra ? "not " : "");
    if (h->extra && h->copy != site->tied) return say(why, "%s a copy: %s", h->copy ? "is" : "not", name);
    if (site->tied && !h->copy && w->side == SIDE_HF) return say(why, "not tied %s", name);
    return NULL;
}

/* A case that lists any tensors outside the class lists all of them. */
static bool may_lack(const struct witness *w, const struct expansion *x, const struct site *site)
{
    return w->held.extras ? x->spec->lines[site->line].tensor->optional : site->optional;
}

static const char *check_row(struct witness *w, const struct expansion *x, const struct site *site,
                             const struct row *row, char *why)
{
    long at = inventory_find(&w->held, row->name.p);
    const struct held *h = at < 0 ? NULL : &w->held.items[at];
    if (h) w->met[at] = true;
    if (!h && (site->tied || may_lack(w, x, site))) return NULL;
    if (!h || (h->copy && !site->tied)) return say(why, "missing %s", row->name.p);
    if (check_place(w, h, site, row->name.p, why)) return why;
    if (w->held.kinds && !h->extra && h->buffer != (site->kind == TENSOR_BUF))
        return say(why, "%s is %s", row->name.p, h->buffer ? "a buffer" : "a parameter");
    if (same_shape(w, h, site)) return NULL;
    char is[TEXT_QUOTE], wanted[TEXT_QUOTE];
    return say(why, "%.60s: expected %.100s, is %.100s", row->name.p,
               text_dims(wanted, site->dims, site->ndim), text_dims(is, h->dims, h->ndim));
}

static const char *check_rows(struct witness *w, const struct expansion *x, char *why)
{
    memset(w->met, 0, w->held.count * sizeof *w->met);
    for (size_t i = 0; i < x->row_count; i++) {
        const struct site *site = &x->sites[x->rows[i].site];
        bool chosen = site->group == NO_GROUP || x->groups[site->group].chosen == site->alternative;
        if (chosen && check_row(w, x, site, &x->rows[i], why)) return why;
    }
    for (size_t i = 0; i < w->held.count; i++)
        if (!w->met[i]) return say(why, "unexpected %s", w->held.items[i].name);
    return NULL;
}

static const char *check_total(struct witness *w, const char *key, uint64_t is, char *why)
{
    int64_t wanted;
    if (!w->truth->doc) return NULL;
    if (!json_integer(json_get(w->truth->doc, key), &wanted)) die("%s: no %s", w->truth->name, key);
    if ((uint64_t)wanted == is) return NULL;
    return say(why, "%s %" PRIu64 ", expected %" PRId64, key, is, wanted);
}

static const char *check_totals(struct witness *w, const struct expansion *x, char *why)
{
    uint64_t tables = 0;
    for (size_t i = 0; i < x->site_count; i++)
        if (x->sites[i].counted && x->sites[i].kind == TENSOR_EMB)
            tables += x->sites[i].elements * x->sites[i].rows;
    if (check_total(w, "num_parameters", x->totals.parameters, why)) return why;
    return check_total(w, "non_embedding", x->totals.parameters - tables, why);
}

static void tell_reached(struct witness *w, const struct expansion *x, judge_reach_fn *reach, void *ctx)
{
    for (size_t i = 0; i < x->site_count; i++) {
        const struct site *site = &x->sites[i];
        if (!site->rows || (site->group != NO_GROUP && x->groups[site->group].chosen != site->alternative))
            continue;
        if (inventory_find(&w->held, x->rows[site->first_row].name.p) >= 0) reach(ctx, x, site);
    }
}

static const char *expanded(struct witness *w, const struct spec *spec, bool with_file, char *why,
                            judge_reach_fn *reach, void *ctx)
{
    numel_error e = { .code = NUMEL_OK };
    struct config *c = witness_config(w);
    struct expansion *x = NULL;
    struct expand_input in = {
        .spec = spec, .config = c, .side = w->side, .file = with_file ? &w->held.presence : NULL
    };
    const char *wrong = NULL;
    if (!expand(&x, &in, &memory_malloc, &e)) {
        if (e.code == NUMEL_E_NOMEM) die("%s", e.what);
        wrong = say(why, "%s", e.what);
    } else if (with_file) {
        wrong = check_rows(w, x, why);
        if (!wrong) wrong = check_totals(w, x, why);
        if (reach) tell_reached(w, x, reach, ctx);
    } else {
        wrong = check_total(w, "num_parameters", x->totals.parameters, why);
    }
    expansion_free(x);
    config_free(c);
    return wrong;
}

const char *judge(struct witness *w, const struct spec *spec, char why[JUDGE_WHY], judge_reach_fn *reach,
                  void *ctx)
{
    if (expanded(w, spec, true, why, reach, ctx)) return why;
    return w->classed ? expanded(w, spec, false, why, NULL, NULL) : NULL;
}

/*
 * memory_fit_sections.c -- of the report of `numel memory` what is asked for besides: how it grows with the context, what fits,
 * what lies on which device, what training takes.
 */
#include "reporter/memory_sections.h"

#include "base/num.h"
#include "base/text.h"

/* ---- over contexts ---------------------------------------------------------------------------- */

/* clang-format off */
static const struct column at_columns[] = {
    { "context", "context", COLUMN_RIGHT }, { "cache_bytes", NULL, 0 }, { NULL, "cache", COLUMN_RIGHT },
    { "exact_bytes", NULL, 0 }, { "estimated_total_bytes", "in all", COLUMN_RIGHT },
    { "fits", NULL, 0 }, { NULL, "", COLUMN_RANK(1) }, { NULL, "", 0 },
};
/* clang-format on */

static bool is_too_much(const struct memory_page *p, const struct memory_at *at)
{
    return p->m.ask.fit && !at->fits;
}

static bool is_longer(const struct memory_page *p, const struct memory_at *at)
{
    return at->known && p->m.length && at->context > p->m.length && !is_too_much(p, at);
}

static void at_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct memory_page *p = ctx;
    const struct memory_at *at = &p->at[i];
    (void)depth;
    c[0] = CELL_U(CELL_COUNT, at->context);
    if (p->m.cache_known && !p->m.by_name) c[1] = CELL_U(CELL_COUNT, at->cache);
    if (p->m.cache_known) c[2] = CELL_U(CELL_SIZE, at->cache);
    if (!at->known) return;
    if (memory_exact(&p->m)) c[3] = CELL_U(CELL_COUNT, at->exact);
    c[4] = CELL_U(CELL_SIZE, at->total);
    if (p->m.ask.fit) c[5] = CELL_U(CELL_BOOL, at->fits);
    c[6] = CELL_T(at->bar);
    c[7] = CELL_T(is_too_much(p, at) ? "too much" : is_longer(p, at) ? "*" : "");
}

/* What its signs stand for: draw() and at_row(). */
static const struct column sign_columns[] = { { NULL, "bars", COLUMN_NOTE } };

static void sign_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct memory_page *p = ctx;
    bool longer = false;
    (void)i, (void)depth;
    for (size_t k = 0; k < p->at_count; k++) longer |= is_longer(p, &p->at[k]);
    c[0] = CELL_T(longer ? "# weights, = cache, - activations; * longer than what the model was made for"
                         : "# weights, = cache, - activations");
}

/* Weights #, cache =, what else -. */
static void draw(struct memory_at *at, uint64_t weights, uint64_t all)
{
    uint64_t unit = all / MEMORY_BAR + 1, done = 0;
    const struct {
        char sign;
        uint64_t upto;
    } parts[] = { { '#', weights }, { '=', at->exact }, { '-', at->total } };
    for (size_t i = 0; i < 3; i++)
        for (uint64_t to = num_min((parts[i].upto + unit / 2) / unit, MEMORY_BAR); done < to; done++)
            at->bar[done] = parts[i].sign;
    if (at->total > all) at->bar[done++] = '>';
    at->bar[done] = '\0';
}

/* The next row behind a context of `n`: doubled, and between them the one that the model was made for. */
static uint64_t next_context(const struct memory *m, uint64_t n)
{
    uint64_t least = 4096, twice = least;
    while (twice <= n) twice *= 2;
    return m->length > n && m->length < twice ? m->length : twice;
}

/* Up to the first that is too much. */
static void fill_table(struct memory_page *p)
{
    const struct memory *m = &p->m;
    uint64_t most = m->ask.fit;
    bool enough = m->no_context || !m->cache_known || (!m->cache.bytes && !m->rule); /* or nothing grows */
    for (uint64_t n = 0; !enough && p->at_count < MEMORY_CONTEXTS;) {
        n = next_context(m, n);
        struct memory_at at = { .context = n, .known = p->known };
        struct cache_bytes c;
        numel_error e = { .code = NUMEL_OK };
        if (!memory_cache_at(m, n, m->ask.run.batch, &c, &e) ||
            !num_add(&at.exact, m->weights.bytes, c.bytes) ||
            !memory_total_at(m, n, m->ask.run.batch, &at.total, &e))
            break;
        at.cache = c.bytes;
        at.fits = at.total <= m->ask.fit;
        enough = at.known && m->ask.fit && !at.fits;
        p->at[p->at_count++] = at;
        if (!m->ask.fit) most = num_max(most, at.total);
    }
    for (size_t i = 0; i < p->at_count && p->known; i++) draw(&p->at[i], m->weights.bytes, most);
}

/* ---- what fits -------------------------------------------------------------------------------- */

/* clang-format off */
static const struct column fit_columns[] = {
    { "bytes", NULL, 0 }, { "fits", NULL, 0 }, { "max_context", NULL, 0 }, { "max_batch", NULL, 0 },
};
static const struct column verdict_columns[] = { { NULL, "fits", 0 }, { NULL, "activations", COLUMN_NOTE } };
/* clang-format on */

static void fit_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct memory_page *p = ctx;
    (void)i, (void)depth;
    c[0] = CELL_U(CELL_COUNT, p->m.ask.fit);
    if (!p->m.fit.known) return;
    c[1] = CELL_U(CELL_BOOL, p->m.fit.fits);
    if (!p->m.fit.unlimited) c[2] = CELL_U(CELL_COUNT, p->m.fit.context);
    c[3] = CELL_U(CELL_COUNT, p->m.fit.batch);
}

static void verdict_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct memory_page *p = ctx;
    (void)i, (void)depth;
    if (p->verdict) c[0] = CELL_T(p->verdict);
    if (p->m.rule) c[1] = CELL_T(p->m.rule);
}

NUMEL_MUST static bool fill_verdict(struct memory_page *p, struct arena *a, numel_error *e)
{
    const struct memory *m = &p->m;
    char n[TEXT_NUMBER], batch[TEXT_COUNT];
    if (!m->ask.fit) return true;
    if (!m->fit.known && p->known)
        p->verdict = "not known: weights and cache do, activations are not estimated";
    else if (!m->fit.known) p->verdict = "not known";
    else if (!p->known || m->weights.bytes > m->ask.fit) p->verdict = "no: the weights alone take more";
    else if (m->no_context) p->verdict = m->fit.fits ? "yes" : "no";
    else if (!m->fit.context) p->verdict = "no, at no context";
    else if (m->fit.unlimited)
        p->verdict = arena_format(a, "yes, at any context; %s at this one",
                                  text_count(batch, m->fit.batch, "sequence"));
    else if (m->fit.fits)
        p->verdict =
            arena_format(a, "yes, up to a context of %s; or %s at this one", text_number(n, m->fit.context),
                         text_count(batch, m->fit.batch, "sequence"));
    else p->verdict = arena_format(a, "no; up to a context of %s", text_number(n, m->fit.context));
    return p->verdict || error_nomem(e);
}

/* ---- devices ---------------------------------------------------------------------------------- */

/* clang-format off */
static const struct column device_columns[] = {
    { "name", "device", COLUMN_NAME }, { "layers", "layers", COLUMN_RIGHT },
    { "weights_bytes", "weights", COLUMN_RIGHT }, { "cache_bytes", "cache", COLUMN_RIGHT },
    { "exact_bytes", "in all", COLUMN_RIGHT }, { "room_bytes", "of", COLUMN_RIGHT }, { "fits", NULL, 0 },
    { NULL, "", 0 },
};
static const struct column split_columns[] = {
    { NULL, "layers", COLUMN_NOTE },
};
static const struct column parallel_columns[] = {
    { "bytes", NULL, 0 }, { "note", NULL, 0 }, { NULL, "or each layer on all", COLUMN_NOTE },
};
/* clang-format on */

static void device_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct memory_device *d = &((const struct memory_page *)ctx)->m.devices[i];
    (void)depth;
    c[0] = CELL_T(d->name);
    c[1] = CELL_U(CELL_COUNT, d->layers);
    c[2] = CELL_U(CELL_SIZE, d->weights);
    c[3] = CELL_U(CELL_SIZE, d->cache);
    c[4] = CELL_U(CELL_SIZE, d->bytes);
    if (!d->room) return;
    c[5] = CELL_U(CELL_SIZE, d->room);
    c[6] = CELL_U(CELL_BOOL, d->bytes <= d->room);
    if (d->bytes > d->room) c[7] = CELL_T("too much");
}

static void split_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct memory_page *p = ctx;
    (void)i, (void)depth;
    if (p->m.split_note) c[0] = CELL_T(p->m.split_note);
}

static void parallel_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct memory_page *p = ctx;
    (void)i, (void)depth;
    if (p->m.parallel) c[0] = CELL_U(CELL_COUNT, p->m.parallel);
    if (p->m.parallel_note) c[1] = c[2] = CELL_T(p->m.parallel_note);
}

static void device_sections(struct numel_report *r, const struct memory_page *p)
{
    const struct memory *m = &p->m;
    if (!m->device_count && !m->split_note) return;
    report_section(r, &(struct section){ .key = "devices",
                                         .title = "",
                                         .form = SECTION_LIST,
                                         COLUMNS(device_columns),
                                         .headed = true,
                                         .rows = m->device_count,
                                         .row = device_row,
                                         .ctx = p,
                                         .hidden = !m->device_count });
    report_section(
        r, &(struct section){
               .form = SECTION_FIELDS, COLUMNS(split_columns), .rows = 1, .row = split_row, .ctx = p });
    if (m->parallel_note)
        report_section(r, &(struct section){ .key = "tensor_parallel",
                                             .form = SECTION_OBJECT,
                                             COLUMNS(parallel_columns),
                                             .rows = 1,
                                             .row = parallel_row,
                                             .ctx = p });
}

/* ---- training --------------------------------------------------------------------------------- */

/* clang-format off */
static const struct column training_columns[] = {
    { "method", "training", 0 }, { "trained", "trained parameters", 0 }, { "weights_bytes", "weights", 0 },
    { "gradients_bytes", "gradients", 0 }, { "states_bytes", "optimizer", 0 }, { "exact_bytes", "by rule", 0 },
    { "rule", "", COLUMN_NOTE }, { "activations_bytes", "activations", 0 }, { "activations_rule", "estimated", COLUMN_NOTE },
};
/* clang-format on */

static void training_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct memory_page *p = ctx;
    const struct memory_training *t = &p->m.training;
    (void)i, (void)depth;
    c[0] = CELL_T(t->name);
    c[1] = CELL_U(CELL_COUNT, t->trained);
    if (!p->m.ask.train->lora || p->m.weights.known) {
        c[2] = CELL_U(CELL_SIZE, t->weights);
        c[5] = CELL_U(CELL_SIZE, t->weights + t->gradients + t->states);
    }
    c[3] = CELL_U(CELL_SIZE, t->gradients);
    c[4] = CELL_U(CELL_SIZE, t->states);
    c[6] = CELL_T(t->rule);
    if (t->activation_rule) c[7] = CELL_U(CELL_SIZE, t->activations);
    if (t->activation_rule) c[8] = CELL_T(t->activation_rule);
}

/* ---- all of it -------------------------------------------------------------------------------- */

bool memory_fill_fit(struct memory_page *p, struct arena *a, numel_error *e)
{
    fill_table(p);
    return fill_verdict(p, a, e);
}

void memory_fit_sections(struct numel_report *r, const struct memory_page *p)
{
    struct section *fit;
    fit = report_section(r, &(struct section){ .key = "fit",
                                               .form = SECTION_OBJECT,
                                               COLUMNS(fit_columns),
                                               .rows = 1,
                                               .row = fit_row,
                                               .ctx = p,
                                               .hidden = true });
    fit->null = !p->m.ask.fit;
    if (p->verdict || p->m.rule)
        report_section(r, &(struct section){ .title = "",
                                             .form = SECTION_FIELDS,
                                             COLUMNS(verdict_columns),
                                             .rows = 1,
                                             .row = verdict_row,
                                             .ctx = p });
    report_section(r, &(struct section){ .key = "contexts",
                                         .title = "",
                                         .form = SECTION_LIST,
                                         COLUMNS(at_columns),
                                         .headed = true,
                                         .rows = p->at_count,
                                         .row = at_row,
                                         .ctx = p,
                                         .hidden = !p->at_count });
    if (p->at_count && p->known)
        report_section(
            r, &(struct section){
                   .form = SECTION_FIELDS, COLUMNS(sign_columns), .rows = 1, .row = sign_row, .ctx = p });
    device_sections(r, p);
    if (p->m.training.rule)
        report_section(r, &(struct section){ .key = "training",
                                             .title = "",
                                             .form = SECTION_OBJECT,
                                             COLUMNS(training_columns),
                                             .rows = 1,
                                             .row = training_row,
                                             .ctx = p });
}

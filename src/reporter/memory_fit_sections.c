/*
 * memory_fit_sections.c -- the optional sections of the report of `numel memory`: growth with the context,
 * what fits, the split across devices, training memory.
 */
#include "reporter/memory_sections.h"

#include "base/num.h"
#include "base/text.h"

/* ---- over contexts ---------------------------------------------------------------------------- */

static bool is_too_much(const struct memory_page *p, const struct memory_at *at)
{
    return p->m.ask.fit && !at->fits;
}

static bool is_longer(const struct memory_page *p, const struct memory_at *at)
{
    return at->known && p->m.length && at->context > p->m.length && !is_too_much(p, at);
}

static void at_row(struct table_row *row, struct cell *c)
{
    const struct memory_page *p = row->of;
    const struct memory_at *at = &p->at[row->i];
    c[0] = CELL_U(CELL_COUNT, at->context);
    if (p->m.cache_known && !p->m.by_name) c[1] = CELL_U(CELL_COUNT, at->cache);
    if (p->m.cache_known) c[2] = CELL_U(CELL_SIZE, at->cache);
    if (!at->known) return;
    if (memory_exact(&p->m)) c[3] = CELL_U(CELL_COUNT, at->exact);
    c[4] = CELL_U(CELL_SIZE, at->total);
    if (p->m.ask.fit) c[5] = CELL_U(CELL_BOOL, at->fits);
    c[6] = CELL_T(at->bar);
    c[7] = is_too_much(p, at) ? CELL_TONE("too much", TONE_BAD) : CELL_T(is_longer(p, at) ? "*" : "");
}

static const struct table at_table =
    TABLE("contexts", "", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, at_row,
          { "context", "context", COLUMN_RIGHT, MADE }, { "cache_bytes", NULL, 0, MADE },
          { NULL, "cache", COLUMN_RIGHT, MADE }, { "exact_bytes", NULL, 0, MADE },
          { "estimated_total_bytes", "total", COLUMN_RIGHT, MADE }, { "fits", NULL, 0, MADE },
          { NULL, "", COLUMN_RANK(1) | COLUMN_SIGNS, MADE }, { NULL, "", 0, MADE });

/* Explains the signs of draw() and at_row(). */

static void sign_row(struct table_row *row, struct cell *c)
{
    const struct memory_page *p = row->of;
    bool longer = false;
    for (size_t k = 0; k < p->at_count; k++) longer |= is_longer(p, &p->at[k]);
    c[0] = CELL_T(longer ? "# weights, = cache, - activations; * longer than the model's context"
                         : "# weights, = cache, - activations");
}

static const struct table sign_table =
    TABLE(NULL, NULL, SECTION_FIELDS, 0, sign_row, { NULL, "bars", COLUMN_NOTE | COLUMN_SIGNS, MADE });

/* Draws weights as '#', cache as '=', the rest as '-'. */
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

/* The context after `n`: doubled each time, with the model's own length in between. */
static uint64_t next_context(const struct memory *m, uint64_t n)
{
    uint64_t least = 4096, twice = least;
    while (twice <= n) twice *= 2;
    return m->length > n && m->length < twice ? m->length : twice;
}

/* Adds rows up to the first that does not fit. */
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

static void fit_row(struct table_row *row, struct cell *c)
{
    const struct memory_page *p = row->of;
    if (!p->m.fit.known) return;
    if (!p->m.fit.unlimited) c[2] = CELL_U(CELL_COUNT, p->m.fit.context);
}

static const struct table fit_table =
    TABLE("fit", NULL, SECTION_OBJECT, TABLE_HIDDEN, fit_row,
          { "bytes", NULL, 0, AT(CELL_COUNT, struct memory_page, m.ask.fit) },
          { "fits", NULL, 0, AT_IF(m.fit.known, CELL_BOOL, struct memory_page, m.fit.fits) },
          { "max_context", NULL, 0, MADE },
          { "max_batch", NULL, 0, AT_IF(m.fit.known, CELL_COUNT, struct memory_page, m.fit.batch) });

static const struct table verdict_table =
    TABLE(NULL, "", SECTION_FIELDS, 0, NULL, { NULL, "fits", 0, AT(CELL_TEXT, struct memory_page, verdict) },
          { NULL, "activations", COLUMN_NOTE, AT(CELL_TEXT, struct memory_page, m.rule) });

static struct toned fit_text(const struct memory_page *p, struct arena *a)
{
    const struct memory *m = &p->m;
    char n[TEXT_NUMBER], batch[TEXT_COUNT];
    if (!m->fit.known && p->known)
        return toned_format(a, TONE_SOFT, "unknown", ": weights and cache fit; activations not estimated");
    if (!m->fit.known) return (struct toned){ "not known", TONE_NONE, 0 };
    if (!p->known || m->weights.bytes > m->ask.fit)
        return toned_format(a, TONE_BAD, "no", ": the weights alone take more");
    if (m->no_context)
        return (struct toned){ m->fit.fits ? "yes" : "no", m->fit.fits ? TONE_GOOD : TONE_BAD, 0 };
    if (!m->fit.context) return toned_format(a, TONE_BAD, "no", ", at no context");
    text_count(batch, m->fit.batch, "sequence");
    if (m->fit.unlimited) return toned_format(a, TONE_GOOD, "yes", ", at any context; %s at this one", batch);
    text_number(n, m->fit.context);
    if (m->fit.fits)
        return toned_format(a, TONE_GOOD, "yes", ", up to a context of %s; or %s at this one", n, batch);
    return toned_format(a, TONE_BAD, "no", "; up to a context of %s", n);
}

NUMEL_MUST static bool fill_verdict(struct memory_page *p, struct arena *a, numel_error *e)
{
    if (!p->m.ask.fit) return true;
    p->verdict = fit_text(p, a);
    return p->verdict.text || error_nomem(e);
}

/* ---- devices ---------------------------------------------------------------------------------- */

static void device_row(struct table_row *row, struct cell *c)
{
    const struct memory_device *d = row->item;
    if (!d->room) return;
    c[4].n = d->room; /* a full bar */
    c[6] = CELL_U(CELL_BOOL, d->bytes <= d->room);
    if (d->bytes > d->room) c[7] = CELL_TONE("too much", TONE_BAD);
}

static const struct table device_table =
    TABLE("devices", "", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, device_row,
          { "name", "device", COLUMN_NAME, AT(CELL_TEXT, struct memory_device, name) },
          { "layers", "layers", COLUMN_RIGHT, AT(CELL_COUNT, struct memory_device, layers) },
          { "weights_bytes", "weights", COLUMN_RIGHT, AT(CELL_SIZE, struct memory_device, weights) },
          { "cache_bytes", "cache", COLUMN_RIGHT, AT(CELL_SIZE, struct memory_device, cache) },
          { "exact_bytes", "total", COLUMN_RIGHT | COLUMN_BAR, AT(CELL_SIZE, struct memory_device, bytes) },
          { "room_bytes", "of", COLUMN_RIGHT, AT_SOME(CELL_SIZE, struct memory_device, room) },
          { "fits", NULL, 0, MADE }, { NULL, "", 0, MADE });

static const struct table split_table =
    TABLE(NULL, NULL, SECTION_FIELDS, 0, NULL,
          { NULL, "layers", COLUMN_NOTE, AT(CELL_TEXT, struct memory_page, m.split_note) });

static const struct table parallel_table =
    TABLE("tensor_parallel", NULL, SECTION_OBJECT, 0, NULL,
          { "bytes", NULL, 0, AT_SOME(CELL_COUNT, struct memory_page, m.parallel) },
          { "note", NULL, 0, AT(CELL_TEXT, struct memory_page, m.parallel_note) },
          { NULL, "or each layer on all", COLUMN_NOTE, AT(CELL_TEXT, struct memory_page, m.parallel_note) });

static void device_sections(struct numel_report *r, const struct memory_page *p)
{
    const struct memory *m = &p->m;
    if (!m->device_count && !m->split_note) return;
    report_list(r, &device_table, ROWS(p->m.devices, m->device_count), NULL);
    report_one(r, &split_table, p);
    if (m->parallel_note) report_one(r, &parallel_table, p);
}

/* ---- training --------------------------------------------------------------------------------- */

static void training_row(struct table_row *row, struct cell *c)
{
    const struct memory_page *p = row->of;
    const struct memory_training *t = row->item;
    if (p->m.ask.train->lora && !p->m.weights.known) return;
    c[2] = CELL_U(CELL_SIZE, t->weights);
    c[5] = CELL_U(CELL_SIZE, t->weights + t->gradients + t->states);
}

static const struct table training_table = TABLE(
    "training", "", SECTION_OBJECT, 0, training_row,
    { "method", "training", 0, AT(CELL_TEXT, struct memory_training, name) },
    { "trained", "trained parameters", 0, AT(CELL_COUNT, struct memory_training, trained) },
    { "weights_bytes", "weights", 0, MADE },
    { "gradients_bytes", "gradients", 0, AT(CELL_SIZE, struct memory_training, gradients) },
    { "states_bytes", "optimizer", 0, AT(CELL_SIZE, struct memory_training, states) },
    { "exact_bytes", "by rule", 0, MADE },
    { "rule", "", COLUMN_NOTE, AT(CELL_TEXT, struct memory_training, rule) },
    { "activations_bytes", "activations", 0,
      AT_IF(activation_rule, CELL_SIZE, struct memory_training, activations) },
    { "activations_rule", "estimated", COLUMN_NOTE, AT(CELL_TEXT, struct memory_training, activation_rule) });

/* ---- all of it -------------------------------------------------------------------------------- */

bool memory_fill_fit(struct memory_page *p, struct arena *a, numel_error *e)
{
    fill_table(p);
    return fill_verdict(p, a, e);
}

void memory_fit_sections(struct numel_report *r, const struct memory_page *p)
{
    report_one(r, &fit_table, p)->null = !p->m.ask.fit;
    if (p->verdict.text || p->m.rule) report_one(r, &verdict_table, p);
    report_list(r, &at_table, p, 0, p->at_count, p);
    if (p->at_count && p->known) report_one(r, &sign_table, p);
    device_sections(r, p);
    if (p->m.training.rule) report_list(r, &training_table, &p->m.training, 0, 1, p);
}

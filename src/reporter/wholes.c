/*
 * wholes.c -- see wholes.h.
 *
 *     models/checkpoints, diffusion_models, unet     what makes images: a model, or several in one file
 *     models/text_encoders, clip                     what its product `reads`
 *     models/vae                                     its `vae`
 *
 * A file is what its tensors show (formula/product.h); its name says nothing. A product has lines of
 * encoders and a line of autoencoders, each with ids of which one is needed. Whatever the model's own file
 * lacks is taken from the folders: the first id that is there and, of several files with that id, the
 * smallest, so that a whole that does not fit has no other choice of types. If nothing fills a line, the
 * whole lacks it, and its sum is unknown. The sum is that of a pipeline (memory_whole.h): all at once.
 *
 * The folders are read once for all models of a root. Only the models that the list met are shown.
 */
#include "reporter/wholes.h"

#include "base/text.h"
#include "formula/product.h"
#include "reporter/list_columns.h"
#include "reporter/list_row.h"
#include "reporter/memory_whole.h"
#include "subject/parts.h"

#include <string.h>

enum { LINES = 8 };

struct whole_model {
    struct walk_place *place;
    size_t i;
    const char *root, *name;
};

/* An encoder or an autoencoder in the folders. */
struct spare {
    const char *name, *product;
    bool vae;
    uint64_t bytes;
    struct single_part *part;
    struct walk_place *place;
};

struct whole_row {
    const char *name, *architecture, *note;
    uint64_t bytes, left;
    numel_row row; /* row.fits */
};

struct making {
    struct wholes *w;
    struct arena *arena;  /* of the report */
    struct arena pool;    /* of the spares of one root */
    struct arena scratch; /* of one whole */
    struct spare *spares;
    size_t spare_count, spare_cap;
    const char *unknown[2]; /* the first encoder and the first VAE of no known product; or NULL */
    struct whole_row *rows;
    size_t count, cap;
    numel_knowledge known;
    struct memory_ask ask;
    numel_error *error;
};

/* ---- models that a list meets ---------------------------------------------------------------- */

void wholes_init(struct wholes *w, const numel_options *options, const numel_knowledge *k)
{
    *w = (struct wholes){ .options = options, .knowledge = k };
    arena_init(&w->arena, options->allocator);
}

void wholes_done(struct wholes *w)
{
    for (size_t i = 0; i < w->count; i++) walk_release(w->models[i].place);
    if (w->options) arena_done(&w->arena);
}

/* The folder of models above the path: before the first name of a kind, or the last one in `models`. */
static bool models_root(numel_str path, numel_str *root)
{
    bool found = false, inside = false;
    size_t at = 0;
    for (numel_str rest = path; rest.n;) {
        numel_str name = text_cut(&rest, '/');
        bool kind = rest.n && text_lists(text_of("checkpoints diffusion_models unet"), name);
        if (kind && (!found || inside)) *root = text_upto(path, at), found = true;
        inside = text_equal(name, "models");
        at += name.n + 1;
    }
    return found;
}

bool wholes_add(struct wholes *w, const struct walk_item *x, numel_error *e)
{
    numel_str root;
    if (!w->knowledge || !w->knowledge->fit || !x->place || x->found->sets[x->i].remote ||
        numel_found_components(x->found, x->i) || !models_root(text_of(x->path), &root))
        return true;
    struct whole_model *grown = arena_grow(&w->arena, w->models, w->count, &w->cap, sizeof *grown);
    if (!grown) return error_nomem(e);
    w->models = grown;
    struct whole_model *m = &grown[w->count];
    *m = (struct whole_model){ .i = x->i, .name = arena_text(&w->arena, x->name.p, x->name.n) };
    m->root = arena_text(&w->arena, root.n ? root.p : "./", root.n ? root.n : 2);
    if (!m->name || !m->root) return error_nomem(e);
    m->place = walk_hold(x->place);
    w->count++;
    return true;
}

/* ---- spares ---------------------------------------------------------------------------------- */

/* A file that cannot be opened has its error in the list. False: NOMEM. */
NUMEL_MUST static bool open_file(struct making *g, const numel_found *found, size_t i, numel_checkpoint **ck)
{
    numel_error why = { .code = NUMEL_OK };
    if (numel_open(ck, found, i, g->w->options, &why) != NUMEL_OK) *ck = NULL;
    return why.code != NUMEL_E_NOMEM || error_nomem(g->error);
}

static void close_spares(struct making *g)
{
    for (size_t i = 0; i < g->spare_count; i++) {
        numel_free(g->spares[i].part->ck);
        walk_release(g->spares[i].place);
    }
    g->spares = NULL;
    g->unknown[0] = g->unknown[1] = NULL;
    g->spare_count = g->spare_cap = 0;
    arena_reset(&g->pool);
}

/* It is damaged, or of an architecture without a product, as GGUF's encoders are: it may be what a model needs. */
static void note_unknown(struct making *g, const char *name, bool vae)
{
    if (!g->unknown[vae]) g->unknown[vae] = name;
}

/* Keeps it, and its place, if it is of a known product. */
NUMEL_MUST static bool keep_spare(struct making *g, struct walk_item *x, bool vae, numel_checkpoint *ck)
{
    numel_row row = { .size = sizeof row, .path = x->path, .name = x->path };
    struct spare *grown = arena_grow(&g->pool, g->spares, g->spare_count, &g->spare_cap, sizeof *grown);
    if (!grown) return numel_free(ck), error_nomem(g->error);
    g->spares = grown;
    struct spare *s = &grown[g->spare_count];
    *s = (struct spare){ .vae = vae, .part = arena_zeroed(&g->pool, sizeof *s->part) };
    bool ok = s->part && list_row_ask(&row, &s->product, ck, g->w->options, &g->known, &g->pool, g->error);
    s->name = ok ? arena_text(&g->pool, x->name.p, x->name.n) : NULL;
    if (!s->name) return numel_free(ck), error_nomem(g->error);
    bool kept = !row.error && s->product && row.state < NUMEL_STATE_DISAGREES;
    if (!kept || !product_find(s->product).n) note_unknown(g, s->name, vae);
    if (!kept) return numel_free(ck), true;
    s->bytes = row.bytes;
    s->place = walk_hold(x->place);
    *s->part = (struct single_part){ .kind = vae ? SINGLE_VAE : SINGLE_TEXT, .name = s->name, .ck = ck };
    s->part->variant = "";
    g->spare_count++;
    return true;
}

NUMEL_MUST static bool read_item(struct making *g, struct walk_item *x, bool vae)
{
    numel_checkpoint *ck;
    if (!x->place || !x->files || x->again || numel_found_components(x->found, x->i)) return true;
    if (!open_file(g, x->found, x->i, &ck)) return false;
    if (ck) return keep_spare(g, x, vae, ck);
    const char *name = arena_text(&g->pool, x->name.p, x->name.n);
    if (name) note_unknown(g, name, vae);
    return name || error_nomem(g->error);
}

NUMEL_MUST static bool read_spares(struct making *g, const char *root)
{
    static const char *const folders[] = { "text_encoders", "clip", "vae" };
    struct walk *walk;
    bool ok = walk_open(&walk, false, g->w->options, g->error);
    for (size_t i = 0; ok && i < sizeof folders / sizeof *folders; i++) {
        const char *path = arena_format(&g->pool, "%s%s", root, folders[i]);
        struct walk_item x;
        bool more = true;
        ok = path ? walk_begin(walk, path, g->error) : error_nomem(g->error);
        while (ok && more) {
            ok = walk_next(walk, &x, &more, g->error);
            if (!ok || !more) break;
            ok = read_item(g, &x, i == 2);
            walk_release(x.place);
        }
    }
    walk_close(walk);
    return ok;
}

/* ---- one whole ------------------------------------------------------------------------------- */

/* The smallest file with the first of these ids that any has; NULL if none has one. */
static const struct spare *choose(const struct making *g, numel_str ids, bool vae)
{
    const struct spare *best = NULL;
    for (numel_str id = text_word(&ids); id.n && !best; id = text_word(&ids))
        for (size_t i = 0; i < g->spare_count; i++) {
            const struct spare *s = &g->spares[i];
            if (s->vae == vae && text_equal(id, s->product) && (!best || s->bytes < best->bytes)) best = s;
        }
    return best;
}

static bool has_own(const struct components *c, numel_str ids)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->items[i].counted && c->items[i].product && text_lists(ids, text_of(c->items[i].product)))
            return true;
    return false;
}

/* What people call the first of these ids. */
NUMEL_MUST static const char *name_of(struct making *g, numel_str ids)
{
    numel_str id = text_word(&ids);
    const char *text = arena_text(&g->scratch, id.p, id.n);
    numel_str name = product_name(text);
    return name.n ? arena_text(&g->scratch, name.p, name.n) : text;
}

static void say_lack(const struct making *g, const char *name, bool vae, struct buffer *b)
{
    buffer_format(b, "%s%s, not in %s", b->n ? "; " : "needs ", name, vae ? "vae" : "text_encoders or clip");
    if (g->unknown[vae]) buffer_format(b, " (%s was not recognized)", g->unknown[vae]);
}

/* Adds what fills a line, unless the model's file does; or a component that is missing. */
NUMEL_MUST static bool fill_line(struct making *g, struct components *c, numel_str ids, bool vae,
                                 struct buffer *with, struct buffer *lacks)
{
    if (has_own(c, ids)) return true;
    const struct spare *s = choose(g, ids, vae);
    struct component *x = components_add(c, &g->scratch, g->error);
    const char *name = s ? s->name : name_of(g, ids);
    if (!x || !name) return error_nomem(g->error);
    x->name = name;
    x->why = "missing";
    x->state = s ? COMPONENT_WEIGHTS : COMPONENT_MISSING;
    x->counted = s != NULL;
    x->part = s ? s->part : NULL;
    if (s) buffer_format(with, "%s%s", with->n ? ", " : "with ", name);
    else say_lack(g, name, vae, lacks);
    return true;
}

NUMEL_MUST static bool fill_lines(struct making *g, struct components *c, numel_str product,
                                  struct whole_row *r)
{
    struct buffer with, lacks;
    numel_str ids;
    bool ok = true;
    buffer_init(&with, g->scratch.memory);
    buffer_init(&lacks, g->scratch.memory);
    for (numel_str lines = product; ok && product_next(&lines, "reads", &ids);)
        ok = fill_line(g, c, ids, false, &with, &lacks);
    for (numel_str lines = product; ok && product_next(&lines, "vae", &ids);)
        ok = fill_line(g, c, ids, true, &with, &lacks);
    if (with.n && lacks.n) buffer_text(&with, "; ");
    buffer_str(&with, buffer_view(&lacks));
    r->note = buffer_keep(&with, g->arena);
    buffer_done(&lacks);
    return ok && (r->note || error_nomem(g->error));
}

/* The lines of what the file's diffusion model reads; n 0 if there is none, or they are unknown. */
static numel_str reading_of(const struct components *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct component *x = &c->items[i];
        if (!x->part || x->part->kind != SINGLE_DIFFUSION || !x->product) continue;
        numel_str product = product_reading(x->product), texts = product, vaes = product, ids;
        if (product_next(&texts, "reads", &ids) || product_next(&vaes, "vae", &ids)) return product;
    }
    return (numel_str){ NULL, 0 };
}

/* Weights that fit prove nothing about activations, which have no estimate for diffusion models. */
NUMEL_MUST static bool judge(struct making *g, struct whole_row *r, const struct components *c)
{
    const struct memory_asking asking = { &g->ask, &g->known, g->w->options };
    struct memory_whole whole = { .c = *c };
    struct memory sum;
    r->bytes = r->left = NUMEL_NOT_KNOWN;
    bool ok = memory_whole_make(&sum, &whole, &asking, &g->scratch, g->error) &&
              list_row_fits(&r->row, &sum, g->arena, g->error);
    if (ok && memory_known(&sum)) {
        ok = memory_total_at(&sum, sum.ask.run.context, sum.ask.run.batch, &r->bytes, g->error);
        if (ok && r->bytes <= g->ask.fit) r->left = g->ask.fit - r->bytes;
        if (!sum.fit.known) r->row.fits = "weights fit";
    }
    memory_whole_done(&whole);
    return ok;
}

NUMEL_MUST static bool add_whole(struct making *g, const struct whole_model *m, struct components *c)
{
    const struct component_asking asking = { list_row_make, list_row_ask, g->w->options, &g->known };
    if (!components_ask(c, &asking, &g->scratch, g->error)) return false;
    numel_str product = reading_of(c);
    if (!product.n) return true;
    struct whole_row r = { .name = m->name, .row = { .size = sizeof r.row } };
    const char *called = c->items[0].row.architecture;
    r.architecture = called ? arena_text(g->arena, called, strlen(called)) : NULL;
    if (called && !r.architecture) return error_nomem(g->error);
    if (!fill_lines(g, c, product, &r) || !judge(g, &r, c)) return false;
    struct whole_row *grown = arena_grow(g->arena, g->rows, g->count, &g->cap, sizeof *grown);
    if (!grown) return error_nomem(g->error);
    g->rows = grown;
    grown[g->count++] = r;
    return true;
}

/* A file that is one model has it as its only component. */
NUMEL_MUST static bool add_lone(struct making *g, const struct whole_model *m, numel_checkpoint *ck)
{
    const struct single_part part = { .kind = SINGLE_DIFFUSION, .name = m->name, .variant = "", .ck = ck };
    struct components c = { .path = ck->path };
    struct component *x = components_add(&c, &g->scratch, g->error);
    if (!x) return false;
    x->name = m->name;
    x->path = ck->path;
    x->part = &part;
    x->counted = true;
    x->state = COMPONENT_WEIGHTS;
    return add_whole(g, m, &c);
}

NUMEL_MUST static bool add_model(struct making *g, const struct whole_model *m)
{
    const numel_allocator *memory = g->w->options->allocator;
    numel_error why = { .code = NUMEL_OK };
    struct single_parts *parts = NULL;
    struct components c;
    numel_checkpoint *ck;
    if (!open_file(g, walk_found(m->place), m->i, &ck)) return false;
    if (!ck) return true;
    arena_reset(&g->scratch);
    bool split = parts_open(&parts, ck, &g->known, memory, &why);
    bool ok = split || why.code != NUMEL_E_NOMEM || error_nomem(g->error);
    if (split && parts) ok = components_of_parts(&c, parts, &g->scratch, g->error) && add_whole(g, m, &c);
    else if (split) ok = add_lone(g, m, ck);
    single_close(parts);
    numel_free(ck);
    return ok;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void table_row(struct table_row *at, struct cell *c)
{
    const struct whole_row *r = at->item;
    c[4] = list_fits_cell(&r->row);
}

static const struct table table =
    TABLE(NULL, "With the text encoders and the VAE that each model reads, all loaded at once", SECTION_LIST,
          TABLE_HEADED | TABLE_FILLED, table_row,
          { NULL, "model", COLUMN_NAME, AT(CELL_STR, struct whole_row, name) },
          { NULL, "architecture", COLUMN_RANK(7), AT(CELL_STR, struct whole_row, architecture) },
          { NULL, "takes", COLUMN_RIGHT, AT_KNOWN(CELL_BYTES, struct whole_row, bytes) },
          { NULL, "left", COLUMN_RIGHT, AT_KNOWN(CELL_BYTES, struct whole_row, left) },
          { NULL, "fits", 0, MADE }, { NULL, "", COLUMN_NOTE, AT(CELL_STR, struct whole_row, note) });

/* A model whose sum does not fit in 64 bits has no row. False: NOMEM. */
NUMEL_MUST static bool leave_out(struct making *g)
{
    if (g->error->code == NUMEL_E_NOMEM) return false;
    error_clear(g->error);
    return true;
}

NUMEL_MUST static bool make_rows(struct making *g)
{
    const char *root = NULL;
    for (size_t i = 0; i < g->w->count; i++) {
        const struct whole_model *m = &g->w->models[i];
        if (!root || strcmp(root, m->root) != 0) {
            close_spares(g);
            if (!read_spares(g, root = m->root)) return false;
        }
        if (!add_model(g, m) && !leave_out(g)) return false;
    }
    return true;
}

bool wholes_section(struct wholes *w, struct numel_report *out, numel_error *e)
{
    struct making g = { .w = w, .arena = &out->arena, .error = e };
    if (!w->count || !w->knowledge) return true;
    const numel_plan plan = { .size = sizeof plan, .fit = w->knowledge->fit };
    g.known = *w->knowledge;
    g.known.declared_only = false;
    g.known.fit = 0;
    arena_init(&g.pool, w->options->allocator);
    arena_init(&g.scratch, w->options->allocator);
    bool ok = memory_ask(&g.ask, &plan, e) && make_rows(&g);
    if (ok) report_list(out, &table, ROWS(g.rows, g.count), NULL);
    close_spares(&g);
    arena_done(&g.scratch);
    arena_done(&g.pool);
    return ok;
}

/* list_row.c -- the row of a checkpoint: opens it, resolves it without a search, asks for its facts, and
 * closes it. */
#include "reporter/list_row.h"

#include "base/text.h"
#include "components/components.h"
#include "model/context.h"
#include "memory/memory.h"
#include "registry/main_type.h"
#include "reporter/expect.h"
#include "reporter/handles.h"
#include "reporter/mixture_section.h"
#include "subject/parts.h"
#include "reporter/judgement_section.h"

#include <stdlib.h>
#include <string.h>

struct rowing {
    numel_row *row;
    const char **product; /* for a component of a single file; NULL if not wanted */
    const numel_checkpoint *ck;
    struct handle *c;
    const struct adapter *adapter;
    const numel_judgement *judgement;
    struct arena *arena;  /* of the row */
    struct arena scratch; /* of the work */
    numel_error *error;
};

NUMEL_MUST static bool keep(struct rowing *g, const char **to, const char *text)
{
    *to = text ? arena_text(g->arena, text, strlen(text)) : NULL;
    return !text || *to || error_nomem(g->error);
}

/* ---- context ------------------------------------------------------------------------------ */

NUMEL_MUST static bool add_context(struct rowing *g)
{
    struct model_context c;
    if (!model_context(g->c->model, &c, g->error)) return false;
    if (c.tokens > 0) g->row->context_length = (uint64_t)c.tokens;
    return true;
}

/* ---- how it is stored --------------------------------------------------------------------- */

/* Hundredths of a bit per value, over everything stored. */
static uint64_t whole_bits(const struct registry *r, uint64_t elements)
{
    __extension__ typedef unsigned __int128 wide;
    wide bytes = 0;
    for (size_t i = 0; i < r->count; i++) bytes += r->tensors[i].bytes;
    if (!elements || !bytes) return NUMEL_NOT_KNOWN;
    wide n = (bytes * 800 + elements / 2) / elements;
    return n < NUMEL_NOT_KNOWN ? (uint64_t)n : NUMEL_NOT_KNOWN;
}

static bool has_digit(const char *text)
{
    for (; *text; text++)
        if (*text >= '0' && *text <= '9') return true;
    return false;
}

/* "gptq-4bit"; a method with a number in its name is left as it is. */
NUMEL_MUST static bool name_packing(struct rowing *g, const char *method, int64_t bits)
{
    if (bits <= 0 || has_digit(method)) return keep(g, &g->row->quantization, method);
    g->row->quantization = arena_format(g->arena, "%s-%" PRId64 "bit", method, bits);
    return g->row->quantization || error_nomem(g->error);
}

NUMEL_MUST static bool add_quantization(struct rowing *g)
{
    numel_row *row = g->row;
    const struct mixture_page *x = mixture_of(g->ck, &g->scratch, g->error);
    if (!x) return false;
    if (x->line)
        return keep(g, &row->method, x->method) && keep(g, &row->quantization, x->method) &&
               keep(g, &row->bits_per_weight, x->bits);
    const struct quantization *q = quantization_of(g->c, &g->scratch, g->error);
    if (!q) return false;
    const char *method = q->facts.method ? q->facts.method : q->facts.layout;
    if (q->none || !method) return true;
    if (q->facts.bits > 0) row->bits = (uint64_t)q->facts.bits;
    return keep(g, &row->quantization_name, q->name) && keep(g, &row->method, method) &&
           name_packing(g, method, q->facts.bits) && keep(g, &row->bits_per_weight, q->bits);
}

/* ---- what it comes to --------------------------------------------------------------------- */

/* "yes" if it fits at the context length that it was made for; else "up to 8k". */
bool list_row_fits(numel_row *row, const struct memory *m, struct arena *a, numel_error *e)
{
    char text[32] = "not known";
    if (m->fit.known && (m->fit.fits || m->fit.context < 1000))
        text_format(text, sizeof text, "%s", m->fit.fits ? "yes" : "no");
    else if (m->fit.known) text_format(text, sizeof text, "up to %" PRIu64 "k", m->fit.context / 1000);
    row->fits = arena_text(a, text, strlen(text));
    return row->fits || error_nomem(e);
}

NUMEL_MUST static bool add_fit(struct rowing *g, uint64_t fit)
{
    const numel_plan plan = { .size = sizeof plan, .fit = fit };
    struct memory_ask ask;
    struct memory m;
    if (!fit || !memory_ask(&ask, &plan, g->error)) return !fit;
    bool ok =
        memory_make(&m, g->c, &ask, &g->scratch, g->error) && list_row_fits(g->row, &m, g->arena, g->error);
    memory_done(&m);
    return ok;
}

enum { NAME_LONGEST = 1024 }; /* longer texts are not taken for a name */

NUMEL_MUST static bool keep_str(struct rowing *g, const char **to, numel_str text)
{
    bool kept = text.n && text.n <= NAME_LONGEST;
    *to = kept ? arena_text(g->arena, text.p, text.n) : NULL;
    return !kept || *to || error_nomem(g->error);
}

static numel_str metadata_text(const struct rowing *g, const char *key)
{
    const struct metadata_entry *x = metadata_find(&g->ck->metadata, key);
    return x && x->type == META_STRING ? x->value.s : (numel_str){ NULL, 0 };
}

/* The names that a model's files have for it and for its base; an adapter has named its own. */
NUMEL_MUST static bool add_names(struct rowing *g)
{
    const struct model *m = g->c->model;
    const numel_str key = text_of("_name_or_path");
    numel_error why = { .code = NUMEL_OK };
    numel_str base = metadata_text(g, "general.base_model.0.name");
    struct value v;
    if (g->adapter->type) return keep(g, &g->row->base, g->adapter->base);
    if (!base.n && m->config && config_value(m->config, m->spec, m->side, &key, 1, &v, &why) &&
        v.kind == VALUE_TEXT)
        base = v.s;
    if (why.code == NUMEL_E_NOMEM) return error_nomem(g->error);
    return keep_str(g, &g->row->base, base) && keep_str(g, &g->row->called, metadata_text(g, "general.name"));
}

/* The class or product, where it is more than the architecture. */
static const char *class_of(const struct rowing *g)
{
    const char *name = g->judgement->name, *architecture = g->judgement->architecture;
    bool same = name && architecture && strcmp(name, architecture) == 0;
    return same || g->adapter->type ? NULL : name;
}

NUMEL_MUST static bool ask(struct rowing *g)
{
    numel_row *row = g->row;
    const struct model *m = g->c->model;
    uint64_t logical = m->x ? m->counts.logical : g->ck->stored;
    row->format = format_name(g->ck->files[0].format);
    row->tensors = g->ck->registry.count;
    row->stored = g->ck->stored;
    if (m->x) row->parameters = m->counts.parameters;
    if (g->adapter->type) row->parameters = g->adapter->parameters, row->rank = g->adapter->ranks.most;
    for (size_t i = 0; i < g->ck->file_count; i++) row->bytes += g->ck->files[i].bytes;
    row->whole = whole_bits(&g->ck->registry, logical);
    row->state = g->judgement->verdict;
    row->judgement = judgement_json(g->judgement, g->arena);
    if (!row->judgement) return error_nomem(g->error);
    const numel_dtype *most = dtype_of_most(&g->ck->registry, NULL);
    if (g->product && !keep(g, g->product, m->product)) return false;
    return expect_layers(g->c, &row->layers, g->error) && keep(g, &row->class_name, class_of(g)) &&
           keep(g, &row->architecture, g->judgement->architecture) && add_context(g) && add_quantization(g) &&
           keep(g, &row->dtype, most && most != g->ck->unknown ? most->name : NULL) &&
           keep(g, &row->adapter, g->adapter->type) &&
           keep(g, &row->family, g->adapter->type ? g->adapter->family : NULL) && add_names(g);
}

/* ---- opening ------------------------------------------------------------------------------ */

/* A configuration that exists but cannot be read is an error, as in `show`. */
NUMEL_MUST static bool resolve(struct rowing *g, const numel_options *options, const numel_knowledge *k)
{
    /* nothing else identifies a component of a single file */
    bool search = k && !k->declared_only && (g->ck->full || k->lone_file);
    g->row->searched = search;
    g->c = handle_new(g->ck, NULL, k, search, options->allocator, g->error);
    return g->c && (g->judgement = judgement_of(g->c, g->error)) &&
           (g->adapter = adapter_of(g->c, g->error)) && handle_config_read(g->c, g->error);
}

/* A file with several models has one row for all of them. */
NUMEL_MUST static bool ask_parts(struct rowing *g, const numel_options *options, const numel_knowledge *k,
                                 bool *done)
{
    struct single_parts *parts;
    struct components c;
    *done = false;
    if (!parts_open(&parts, g->ck, k, options->allocator, g->error)) return false;
    if (!parts) return true;
    *done = true;
    bool ok = components_of_parts(&c, parts, g->arena, g->error) &&
              list_row_sum(g->row, &c, options, k, g->arena, g->error);
    g->row->bytes = 0; /* size of the files, headers included, even if truncated */
    for (size_t i = 0; i < g->ck->file_count; i++) g->row->bytes += g->ck->files[i].bytes;
    single_close(parts);
    return ok;
}

NUMEL_MUST static bool ask_opened(struct rowing *g, const numel_options *options, const numel_knowledge *k)
{
    numel_row *row = g->row;
    row->parameters = row->context_length = row->whole = NUMEL_NOT_KNOWN;
    arena_init(&g->scratch, options->allocator);
    bool ok = resolve(g, options, k) && ask(g) && add_fit(g, k && !g->ck->named ? k->fit : 0);
    if (g->c) handle_free(g->c);
    arena_done(&g->scratch);
    return ok;
}

/* A failure becomes the row's error. */
NUMEL_MUST static bool refuse(numel_row *row, numel_error *why, struct arena *a, numel_error *e)
{
    if (why->code == NUMEL_E_NOMEM) return error_nomem(e);
    error_file(why, row->path);
    const numel_row before = *row;
    *row = (numel_row){ .size = sizeof *row, .path = before.path, .name = before.name, .id = before.id };
    row->error = arena_copy(a, why, sizeof *why);
    return row->error || error_nomem(e);
}

/* Asks an index without shards by its names, if they have a formula; otherwise the row keeps its error.
 * NOMEM. */
NUMEL_MUST static bool ask_names(numel_row *row, const numel_found *found, size_t i,
                                 const numel_options *options, const numel_knowledge *k, struct arena *a,
                                 numel_error *why)
{
    numel_error other = { .code = NUMEL_OK };
    numel_checkpoint *ck;
    const numel_row before = *row;
    bool may = why->code != NUMEL_E_NOMEM && found->sets[i].kind == FOUND_INDEX;
    if (!may || !checkpoint_by_name(&ck, found, i, options, &other)) return false;
    struct rowing g = { .row = row, .ck = ck, .arena = a, .error = &other };
    bool known = ask_opened(&g, options, k) && row->parameters != NUMEL_NOT_KNOWN;
    numel_free(ck);
    if (!known) *row = before;
    if (other.code == NUMEL_E_NOMEM) *why = other;
    return known;
}

bool list_row_make(numel_row *row, const numel_found *found, size_t i, const numel_options *options,
                   const numel_knowledge *k, struct arena *a, numel_error *e)
{
    numel_error why = { .code = NUMEL_OK };
    numel_checkpoint *ck;
    bool ok = numel_open(&ck, found, i, options, &why) == NUMEL_OK;
    struct rowing g = { .row = row, .ck = ck, .arena = a, .error = &why };
    bool done = false;
    ok = ok && ask_parts(&g, options, k, &done) && (done || ask_opened(&g, options, k));
    numel_free(ck);
    return ok || ask_names(row, found, i, options, k, a, &why) || refuse(row, &why, a, e);
}

bool list_row_ask(numel_row *row, const char **product, const numel_checkpoint *ck,
                  const numel_options *options, const numel_knowledge *k, struct arena *a, numel_error *e)
{
    numel_error why = { .code = NUMEL_OK };
    struct rowing g = { .row = row, .product = product, .ck = ck, .arena = a, .error = &why };
    return ask_opened(&g, options, k) || refuse(row, &why, a, e);
}

/*
 * adapter_sections.c -- the sections of a report on an adapter:
 *
 *     adapter     lora, rank 8, alpha 16
 *     base        meta-llama/Llama-2-7b-hf
 *     trained     4,194,304 parameters in 64 modules
 *     changes     1,073,741,824 weights of the base; the adapter is 0.39 % of that
 *
 *     target  modules  rank  parameters  weights of the base
 *     q_proj       32     8   2,097,152          536,870,912
 */
#include "reporter/sections.h"

#include "base/text.h"

#include <string.h>

/* More blocks than this are not shown. Names without numbers are blocks of their own, and would only
 * repeat the targets. */
enum { BLOCKS_SHOWN = 16 };

struct gathered { /* a row of targets or blocks */
    const struct adapter_target *t;
    const char *ranks, *json;
    uint64_t base; /* 0 if unknown */
};

struct adapter_page {
    const struct adapter *a;
    const char *type, *trained, *changes, *of_base, *whole, *disagrees;
    const char *family, *alphas;
    const char *blocks, *fits;
    const char *ranks, *targets, *share, *target_share, *saved, *list; /* JSON */
    const struct gathered *target_rows, *block_rows;
};

/* ---- texts -------------------------------------------------------------------------------- */

/* A failure is recorded in the arena. */
static const char *keep(struct arena *a, struct buffer *b)
{
    const char *text = b->failed ? NULL : arena_text(a, b->p, b->n);
    a->failed |= b->failed;
    buffer_done(b);
    return text;
}

/* The share of all in percent, with two decimals, or four if it is small. */
static void put_share(struct buffer *b, uint64_t part, uint64_t all)
{
    __extension__ typedef unsigned __int128 wide;
    uint64_t parts = all ? (uint64_t)(((wide)part * 1000000 + all / 2) / all) : 0;
    if (parts < 1000) buffer_format(b, "%" PRIu64 ".%04" PRIu64 " %%", parts / 10000, parts % 10000);
    else buffer_format(b, "%" PRIu64 ".%02" PRIu64 " %%", (parts + 50) / 10000, (parts + 50) % 10000 / 100);
}

static void put_ranks(struct buffer *b, const struct adapter_ranks *r, const char *between)
{
    for (unsigned i = 0; i < r->count; i++) buffer_format(b, "%s%" PRIu64, i ? between : "", r->items[i]);
    if (r->more) buffer_format(b, "%s...", between);
}

/* Lists a few ranks; gives the range of many. */
static void put_ranks_shortly(struct buffer *b, const struct adapter_ranks *r)
{
    if (r->count > 4) buffer_format(b, "%" PRIu64 " to %" PRIu64, r->least, r->most);
    else put_ranks(b, r, ", ");
}

static const char *type_text(const struct adapter *a, struct arena *arena)
{
    struct buffer b;
    buffer_init(&b, arena->memory);
    buffer_text(&b, a->type);
    if (a->magnitudes) buffer_text(&b, " with magnitudes");
    if (a->ranks.count) buffer_text(&b, a->ranks.count > 1 ? ", ranks " : ", rank ");
    put_ranks_shortly(&b, &a->ranks);
    if (a->alpha)
        buffer_format(&b, ", %s %s",
                      !a->config || json_get(a->config, "lora_alpha") || json_get(a->config, "alpha")
                          ? "alpha"
                          : "scale",
                      a->alpha);
    if (a->alpha && a->alpha_most) buffer_format(&b, " to %s", a->alpha_most);
    return keep(arena, &b);
}

/* "FLUX.1 (the sizes are also those of Chroma)" */
static const char *family_text(const struct adapter *a, struct arena *arena)
{
    struct buffer b;
    bool first = true;
    buffer_init(&b, arena->memory);
    buffer_text(&b, a->family);
    for (unsigned i = 0; i < a->fit_count; i++) {
        if (strcmp(a->fits[i], a->family) == 0) continue;
        /* width and layers are equal, and shown once */
        const char *sizes = a->family_solved ? strstr(a->fits[i], " of width ") : NULL;
        buffer_text(&b, first ? " (the sizes also fit " : ", ");
        if (sizes) buffer_add(&b, a->fits[i], (size_t)(sizes - a->fits[i]));
        else buffer_text(&b, a->fits[i]);
        first = false;
    }
    if (!first) buffer_char(&b, ')');
    return keep(arena, &b);
}

NUMEL_MUST static const char *trained_text(const struct adapter *a, struct arena *arena)
{
    char n[TEXT_COUNT], m[TEXT_COUNT];
    text_count(n, a->parameters, "parameter");
    if (a->module_count == 0) return arena_format(arena, "%s", n);
    return arena_format(arena, "%s in %s", n, text_count(m, a->module_count, "module"));
}

NUMEL_MUST static const char *alphas_text(const struct adapter *a, struct arena *arena)
{
    char n[TEXT_COUNT];
    return arena_format(arena, "%s, not counted", text_count(n, a->factors, "scalar"));
}

/* "1,073,741,824 base weights; the adapter has 0.39 % as many" */
static const char *share_text(struct arena *arena, uint64_t part, uint64_t all, const char *what)
{
    struct buffer b;
    char n[TEXT_NUMBER];
    buffer_init(&b, arena->memory);
    buffer_format(&b, "%s %s; the adapter has ", text_number(n, all), what);
    put_share(&b, part, all);
    buffer_text(&b, " as many");
    return keep(arena, &b);
}

NUMEL_MUST static const char *whole_text(const struct adapter *a, struct arena *arena)
{
    char quoted[TEXT_QUOTE], n[TEXT_NUMBER], m[TEXT_NUMBER];
    const char *q = text_quote(quoted, a->ck->registry.tensors[a->first_whole].name);
    text_number(n, a->whole_elements);
    if (a->whole == 1) return arena_format(arena, "%s in %s", n, q);
    return arena_format(arena, "%s in %s and %s more", n, q, text_number(m, a->whole - 1));
}

struct toned adapter_verdict(const struct adapter *a, struct arena *arena)
{
    char n[TEXT_COUNT];
    if (a->complaint_count)
        return toned_format(arena, TONE_BAD, "disagrees", ": %s",
                            text_count(n, a->complaint_count, "contradiction"));
    if (a->proven)
        return toned_format(arena, TONE_GOOD, "agrees", ": %s, complete for %s, with %s",
                            text_count(n, a->ck->registry.count, "tensor"),
                            a->whole_kind ? "their kind" : "their method",
                            a->family ? "the sizes of that family" : "the sizes of its base model");
    if (a->hole) return toned_format(arena, TONE_NONE, "", "not proven complete: %s", a->hole);
    return toned_format(arena, TONE_NONE, "",
                        "an adapter has no formula of its own; --base MODEL checks it against its base");
}

/* ---- JSON --------------------------------------------------------------------------------- */

static const char *ranks_json(struct arena *arena, const struct adapter_ranks *r)
{
    struct buffer b;
    buffer_init(&b, arena->memory);
    buffer_char(&b, '[');
    for (unsigned i = 0; i < r->count; i++) buffer_format(&b, "%s%" PRIu64, i ? "," : "", r->items[i]);
    buffer_char(&b, ']');
    return keep(arena, &b);
}

NUMEL_MUST static const char *fraction_json(struct arena *arena, uint64_t part, uint64_t all)
{
    return arena_format(arena, "{\"numerator\":%" PRIu64 ",\"denominator\":%" PRIu64 "}", part, all);
}

static const char *list_json(const char *const *items, unsigned count, struct arena *arena)
{
    struct buffer b;
    buffer_init(&b, arena->memory);
    buffer_char(&b, '[');
    for (unsigned i = 0; i < count; i++) {
        buffer_text(&b, i ? "," : "");
        text_json(&b, text_of(items[i]));
    }
    buffer_char(&b, ']');
    return keep(arena, &b);
}

/* ---- sections ----------------------------------------------------------------------------- */

static const struct table head_table =
    TABLE(NULL, "", SECTION_FIELDS, 0, NULL, { NULL, "adapter", 0, AT(CELL_TEXT, struct adapter_page, type) },
          { NULL, "family", 0, AT(CELL_TEXT, struct adapter_page, family) },
          { NULL, "base", 0, VIA(CELL_TEXT, struct adapter_page, a, base) },
          { NULL, "trained", 0, AT(CELL_TEXT, struct adapter_page, trained) },
          { NULL, "alphas", 0, AT(CELL_TEXT, struct adapter_page, alphas) },
          { NULL, "changes", 0, AT(CELL_TEXT, struct adapter_page, changes) },
          { NULL, "base model", 0, AT(CELL_TEXT, struct adapter_page, of_base) },
          { NULL, "saved in full", 0, AT(CELL_TEXT, struct adapter_page, whole) });

static const struct table target_table = TABLE(
    NULL, "", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, NULL,
    { NULL, "target", COLUMN_NAME, VIA(CELL_STR, struct gathered, t, name) },
    { NULL, "modules", COLUMN_RIGHT, VIA(CELL_COUNT, struct gathered, t, modules) },
    { NULL, "rank", COLUMN_RIGHT, AT(CELL_TEXT, struct gathered, ranks) },
    { NULL, "parameters", COLUMN_RIGHT, VIA(CELL_COUNT, struct gathered, t, parameters) },
    { NULL, "base weights", COLUMN_RIGHT | COLUMN_RANK(4), AT_SOME(CELL_COUNT, struct gathered, base) });

static const struct table block_table = TABLE(
    NULL, "", SECTION_LIST, TABLE_HEADED, NULL,
    { NULL, "block", COLUMN_NAME, VIA(CELL_STR, struct gathered, t, name) },
    { NULL, "modules", COLUMN_RIGHT, VIA(CELL_COUNT, struct gathered, t, modules) },
    { NULL, "rank", COLUMN_RIGHT, AT(CELL_TEXT, struct gathered, ranks) },
    { NULL, "parameters", COLUMN_RIGHT, VIA(CELL_COUNT, struct gathered, t, parameters) },
    { NULL, "base weights", COLUMN_RIGHT | COLUMN_RANK(4), AT_SOME(CELL_COUNT, struct gathered, base) });

static const struct table disagree_table =
    TABLE(NULL, "", SECTION_LIST, TABLE_FILLED, NULL, { NULL, "", 0, SAID_AS(TONE_BAD, "disagrees") },
          { NULL, "", COLUMN_NOTE, ITSELF(CELL_TEXT, const char *) });

static void json_row(struct table_row *row, struct cell *c)
{
    const struct adapter *a = ((const struct adapter_page *)row->of)->a;
    if (a->ranks.count == 1) c[1] = CELL_U(CELL_COUNT, a->ranks.items[0]);
    if (a->target_base) c[8] = CELL_U(CELL_COUNT, a->target_base);
    if (a->base_parameters) c[11] = CELL_U(CELL_COUNT, a->base_parameters);
}

static const struct table json_table = TABLE(
    "adapter", NULL, SECTION_OBJECT, TABLE_HIDDEN, json_row,
    { "type", NULL, 0, VIA(CELL_TEXT, struct adapter_page, a, type) }, { "rank", NULL, 0, MADE },
    { "ranks", NULL, 0, AT(CELL_RAW, struct adapter_page, ranks) },
    { "alpha", NULL, 0, VIA(CELL_RAW, struct adapter_page, a, alpha) },
    { "magnitudes", NULL, 0, VIA(CELL_COUNT, struct adapter_page, a, magnitudes) },
    { "targets", NULL, 0, AT(CELL_RAW, struct adapter_page, targets) },
    { "modules", NULL, 0, VIA(CELL_COUNT, struct adapter_page, a, module_count) },
    { "parameters", NULL, 0, VIA(CELL_COUNT, struct adapter_page, a, parameters) },
    { "target_parameters", NULL, 0, MADE },
    { "target_share", NULL, 0, AT(CELL_RAW, struct adapter_page, target_share) },
    { "base", NULL, 0, VIA(CELL_TEXT, struct adapter_page, a, base) }, { "base_parameters", NULL, 0, MADE },
    { "share", NULL, 0, AT(CELL_RAW, struct adapter_page, share) },
    { "saved_whole", NULL, 0, AT(CELL_RAW, struct adapter_page, saved) },
    { "disagrees", NULL, 0, AT(CELL_RAW, struct adapter_page, list) },
    { "family", NULL, 0, VIA(CELL_TEXT, struct adapter_page, a, family) },
    { "fits", NULL, 0, AT(CELL_RAW, struct adapter_page, fits) },
    { "blocks", NULL, 0, AT(CELL_RAW, struct adapter_page, blocks) },
    { "alpha_tensors", NULL, 0, VIA(CELL_COUNT, struct adapter_page, a, factors) });

static const struct gathered *gathered_rows(const struct adapter_target *items, size_t count,
                                            struct arena *arena)
{
    struct gathered *rows = arena_alloc(arena, (count + 1) * sizeof *rows);
    for (size_t i = 0; rows && i < count; i++) {
        struct buffer b;
        buffer_init(&b, arena->memory);
        put_ranks_shortly(&b, &items[i].ranks);
        rows[i] = (struct gathered){ &items[i], keep(arena, &b), ranks_json(arena, &items[i].ranks),
                                     items[i].base };
    }
    return rows;
}

static const struct table json_target_table =
    TABLE(NULL, NULL, SECTION_LIST, 0, NULL, { "name", NULL, 0, VIA(CELL_STR, struct gathered, t, name) },
          { "modules", NULL, 0, VIA(CELL_COUNT, struct gathered, t, modules) },
          { "ranks", NULL, 0, AT(CELL_RAW, struct gathered, json) },
          { "parameters", NULL, 0, VIA(CELL_COUNT, struct gathered, t, parameters) },
          { "base_parameters", NULL, 0, AT_SOME(CELL_COUNT, struct gathered, base) });

static bool make_texts(struct adapter_page *p, struct arena *arena)
{
    const struct adapter *a = p->a;
    p->type = type_text(a, arena);
    p->trained = trained_text(a, arena);
    if (a->target_base) p->changes = share_text(arena, a->paired, a->target_base, "base weights");
    if (a->base_parameters) p->of_base = share_text(arena, a->parameters, a->base_parameters, "parameters");
    if (a->whole) p->whole = whole_text(a, arena);
    p->ranks = ranks_json(arena, &a->ranks);
    p->fits = list_json(a->fits, a->fit_count, arena);
    if (a->family) p->family = family_text(a, arena);
    if (a->factors) p->alphas = alphas_text(a, arena);
    if (a->target_base) p->target_share = fraction_json(arena, a->paired, a->target_base);
    if (a->base_parameters) p->share = fraction_json(arena, a->parameters, a->base_parameters);
    p->saved = arena_format(arena, "{\"tensors\":%" PRIu64 ",\"elements\":%" PRIu64 "}", a->whole,
                            a->whole_elements);
    p->list = list_json(a->complaints, a->complaint_count, arena);
    p->target_rows = gathered_rows(a->targets, a->target_count, arena);
    p->block_rows = gathered_rows(a->blocks, a->block_count, arena);
    if (arena->failed) return false;
    p->targets = table_json(&json_target_table, ROWS(p->target_rows, a->target_count), NULL, arena);
    p->blocks = table_json(&json_target_table, ROWS(p->block_rows, a->block_count), NULL, arena);
    return p->targets && p->blocks && !arena->failed;
}

bool adapter_sections(struct numel_report *r, const struct adapter *a, numel_error *e)
{
    struct adapter_page *p = arena_alloc(&r->arena, sizeof *p);
    if (!p) return error_nomem(e);
    *p = (struct adapter_page){ .a = a };
    if (a->type && !make_texts(p, &r->arena)) return error_nomem(e);
    bool none = !a->type;
    report_one(r, &json_table, p)->null = none;
    if (none) return true;
    report_one(r, &head_table, p);
    report_list(r, &target_table, ROWS(p->target_rows, a->target_count), NULL);
    report_list(r, &block_table, ROWS(p->block_rows, a->block_count), NULL)->hidden =
        a->block_count < 2 || a->block_count > BLOCKS_SHOWN;
    report_list(r, &disagree_table, ROWS(a->complaints, a->complaint_count), NULL);
    return true;
}

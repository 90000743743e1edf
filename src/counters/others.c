/*
 * others.c -- makes each counter's reading: applies its rule to every tensor, and sums the differences from
 * our count as lines.
 */
#include "counters/others.h"

#include "model/config_file.h"
#include "base/num.h"

static const char too_large[] = "the sum does not fit in 64 bits";

/* ---- our own count ------------------------------------------------------------------------ */

/* The tensor's part of `parameters`; see count_parameters() in model/counts.c. */
static uint64_t parameters_in(const struct others *o, uint32_t i)
{
    const struct model_tensor t = model_tensor(o->c->model, i);
    return tensor_parameters(&t);
}

NUMEL_MUST static bool make_base(struct others *o)
{
    size_t n = o->ck->registry.count;
    o->base = arena_alloc(o->arena, (n + 1) * sizeof *o->base);
    if (!o->base) return error_nomem(o->error);
    for (uint32_t i = 0; i < n; i++) {
        o->base[i] = o->known ? parameters_in(o, i) : o->ck->registry.tensors[i].elements;
        o->from += o->base[i]; /* the sum was checked when the statement was made */
    }
    return true;
}

/* ---- lines -------------------------------------------------------------------------------- */

bool others_none(struct counted *t, const char *why)
{
    t->none = why;
    return false;
}

/* The reason for a counter's different count, if its rule does not give one. */
static const struct line_code *code_of(const struct others *o, uint32_t i, uint64_t n)
{
    const struct model_tensor t = model_tensor(o->c->model, i);
    if (!o->known) return &others_codes[OTHERS_OTHERWISE];
    if (t.cause != CAUSE_EXPECTED) return statement_beside(&t);
    return &others_codes[t.fit == FIT_PACKED && n == t.stored ? OTHERS_AS_STORED : OTHERS_RATIO];
}

static bool add_parts(struct others *o, struct counted *t)
{
    t->from = o->known ? FROM_PARAMETERS : FROM_STORED;
    t->start = o->from;
    for (uint32_t i = 0; t->counter->part && i < o->ck->registry.count; i++) {
        struct taken p = t->counter->part(o, i);
        if (!num_add(&t->value, t->value, p.n)) return others_none(t, too_large);
        if (p.n != o->base[i])
            tally_add(&t->tally, p.why ? p.why : code_of(o, i, p.n), o->ck->registry.tensors[i].name, p.n,
                      o->base[i]);
    }
    return true;
}

static numel_format format_of(const struct others *o) { return o->ck->files[0].format; }

static bool loads(const struct others *o, const struct counter *c)
{
    return c->classes == ANY_CLASS || (c->classes == OF_DIFFUSERS) == o->diffusers;
}

bool others_reads(const struct others *o, const struct counter *c)
{
    return (c->formats & format_of(o)) != 0 && loads(o, c);
}

static const char *why_unread(const struct others *o, const struct counter *c)
{
    if (!(c->formats & format_of(o)))
        return format_of(o) == NUMEL_GGUF      ? "does not read GGUF"
               : format_of(o) == NUMEL_PYTORCH ? "does not read PyTorch files"
                                               : "does not read safetensors";
    return o->diffusers ? "does not load classes of diffusers" : "loads classes of diffusers only";
}

/* Closes the lines, and formats the value like the counter does. */
static bool close_reading(struct others *o, struct counted *t)
{
    int64_t left;
    if (!tally_close(&t->tally, t->value, t->start, &left) || !tally_rest(&t->tally, left) ||
        !tally_sum(&t->tally, &t->difference, t->value, t->start))
        return others_none(t, too_large);
    if (t->counter->text && !t->text) t->text = t->counter->text(o->arena, t->value);
    return true;
}

static bool make_reading(struct others *o, struct counted *t)
{
    const struct counter *c = t->counter;
    numel_error mine; /* other counters must not fail if one sum is too large */
    if (!others_reads(o, c)) {
        t->none = why_unread(o, c);
        return true;
    }
    error_clear(&mine);
    tally_init(&t->tally, o->arena, &mine);
    bool some = (!c->before || c->before(o, t)) && add_parts(o, t) && (!c->after || c->after(o, t)) &&
                close_reading(o, t);
    t->tally.error = o->error;
    if (o->arena->failed || mine.code == NUMEL_E_NOMEM) error_nomem(o->error);
    if (!some) t->tally.count = 0;
    return error_free(o->error);
}

NUMEL_MUST static bool make_readings(struct others *o)
{
    o->readings = arena_alloc(o->arena, others_counter_count * sizeof *o->readings);
    if (!o->readings) return error_nomem(o->error);
    for (size_t i = 0; i < others_counter_count; i++) {
        o->readings[i] = (struct counted){ .counter = &others_counters[i] };
        if (!make_reading(o, &o->readings[i])) return false;
    }
    return true;
}

NUMEL_MUST static json_value *load_config(const numel_checkpoint *ck, const numel_knowledge *k,
                                          struct arena *a, numel_error *e)
{
    numel_error ignored; /* others report an unreadable configuration; counters ignore it */
    const char *where;
    error_clear(&ignored);
    json_value *doc = k->config_text ? config_text_read(k->config_text, k->config_bytes, a, &ignored)
                      : k->config    ? config_file_read(k->config, a, &ignored)
                                     : config_file_load(ck, "config.json", a, &where, &ignored);
    if (ignored.code == NUMEL_E_NOMEM) error_nomem(e);
    return doc;
}

/* Finds the library by the key that names the class. Modules of sentence-transformers have no such key;
 * their index names the class. */
NUMEL_MUST static bool find_library(struct others *o)
{
    const struct model *m = o->c->model;
    const char *key;
    struct value v;
    o->diffusers = false;
    if (!m->config || o->ck->module) return true;
    if (!config_kind(m->config, m->spec, m->side, &key, &v, o->error)) return false;
    o->diffusers = v.kind == VALUE_TEXT && strcmp(key, "_class_name") == 0;
    return true;
}

struct others *others_make(const numel_checkpoint *ck, const struct handle *c,
                           const struct counted_adapter *adapter, struct arena *a, numel_error *e)
{
    struct others *o = arena_alloc(a, sizeof *o);
    if (!o) return error_nomem(e), NULL;
    *o = (struct others){
        .ck = ck, .c = c, .arena = a, .error = e, .adapter = adapter, .known = c->model->x != NULL && !adapter
    };
    o->config = load_config(ck, &c->knowledge, a, e);
    hub_size_init(&o->hub, HUB_SEPTEMBER_2026, &ck->registry, o->config);
    hub_size_init(&o->hub_before, HUB_SPRING_2026, &ck->registry, o->config);
    bool ok = error_free(e) && find_library(o) && make_base(o) && make_readings(o);
    json_doc_free(o->config);
    o->config = NULL;
    return ok ? o : NULL;
}

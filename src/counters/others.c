/*
 * others.c -- the tallies: each counter's rule summed over all tensors, and what it makes of a tensor that we
 * take for another number of parameters, gathered into lines by cause.
 */
#include "counters/others.h"

#include "model/config_file.h"
#include "base/text.h"

/* ---- what it is compared with ------------------------------------------------------------- */

/* What a tensor is of `parameters`: see statement.c, count_parameters(). */
static uint64_t parameters_in(const struct others *o, uint32_t i)
{
    const struct tensor_match *m = &o->c->model->match.tensors[i];
    if (m->cause != CAUSE_EXPECTED) return 0;
    const struct expansion *x = o->c->model->x;
    return m->fit == FIT_PACKED ? x->sites[x->rows[m->row].site].elements
                                : o->ck->registry.tensors[i].elements;
}

static bool make_base(struct others *o)
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

struct others_line *others_line(struct others *o, struct tally *t, const char *cause, uint32_t tensor,
                                uint64_t is, uint64_t was)
{
    unsigned k = 0;
    int64_t change;
    (void)o;
    while (k < t->count && strcmp(t->lines[k].cause, cause) != 0) k++;
    if (k == OTHERS_LINES) k--; /* more causes than there are in the tables */
    if (k == t->count) {
        t->first[k] = tensor;
        t->lines[t->count++] = (struct others_line){ .cause = cause, .detail = "" };
    }
    struct others_line *l = &t->lines[k];
    if (tensor != NAMES_ABSENT) l->tensors++;
    if (__builtin_sub_overflow(is, was, &change) || __builtin_add_overflow(l->elements, change, &l->elements))
        t->overflow = true;
    return l;
}

bool others_none(struct tally *t, const char *why)
{
    t->none = why;
    return false;
}

/* Why a counter takes a tensor for more or less than we do, when its rule has no reason of its own. */
static const char *cause_of(const struct others *o, uint32_t i, uint64_t n)
{
    const struct tensor_match *m = &o->c->model->match.tensors[i];
    if (!o->known) return "counted otherwise";
    if (m->cause != CAUSE_EXPECTED) return cause_text((enum cause)m->cause);
    return m->fit == FIT_PACKED && n == o->ck->registry.tensors[i].elements
               ? "packed values, as stored"
               : "packed values, by another ratio";
}

static bool add_parts(struct others *o, struct tally *t)
{
    t->from = o->known ? FROM_PARAMETERS : FROM_STORED;
    for (uint32_t i = 0; t->counter->part && i < o->ck->registry.count; i++) {
        struct taken p = t->counter->part(o, i);
        if (__builtin_add_overflow(t->value, p.n, &t->value)) t->overflow = true;
        if (p.n != o->base[i]) others_line(o, t, p.why ? p.why : cause_of(o, i, p.n), i, p.n, o->base[i]);
    }
    return !t->overflow || others_none(t, "the sum does not fit in 64 bits");
}

/* The tensors of each line by name. */
static bool name_lines(struct others *o, struct tally *t)
{
    char quoted[TEXT_QUOTE];
    for (unsigned i = 0; i < t->count; i++) {
        struct others_line *l = &t->lines[i];
        if (t->first[i] == NAMES_ABSENT) continue;
        const char *q = text_quote(quoted, o->ck->registry.tensors[t->first[i]].name);
        int n = (int)strlen(q) - 2;
        l->detail = l->tensors == 1
                        ? arena_format(o->arena, "%.*s", n, q + 1)
                        : arena_format(o->arena, "%.*s and %" PRIu64 " more", n, q + 1, l->tensors - 1);
        if (!l->detail) return error_nomem(o->error);
    }
    return true;
}

static numel_format format_of(const struct others *o) { return o->ck->files[0].format; }

static bool reads(const struct others *o, const struct counter *c)
{
    return (c->formats & format_of(o)) != 0;
}

static bool make_tally(struct others *o, struct tally *t)
{
    const struct counter *c = t->counter;
    if (!reads(o, c)) {
        t->none = format_of(o) == NUMEL_GGUF ? "does not read GGUF" : "does not read safetensors";
        return true;
    }
    bool some = (!c->before || c->before(o, t)) && add_parts(o, t) && (!c->after || c->after(o, t));
    if (o->arena->failed || !error_free(o->error)) return error_nomem(o->error);
    if (!some) t->count = 0;
    if (some && c->text && !t->text) {
        t->text = c->text(o->arena, t->value);
        if (!t->text) return error_nomem(o->error);
    }
    return name_lines(o, t);
}

/* ---- as one sentence and as JSON ---------------------------------------------------------- */

static const char *keep(struct others *o, struct buffer *b)
{
    const char *text = b->failed ? NULL : arena_text(o->arena, b->p, b->n);
    buffer_done(b);
    if (!text) error_nomem(o->error);
    return text;
}

/* "+155,582,464 tied copy stored (lm_head.weight); ..." */
static const char *sentence(struct others *o, const struct tally *t)
{
    struct buffer b;
    char n[TEXT_NUMBER];
    buffer_init(&b, o->arena->memory);
    for (unsigned i = 0; i < t->count; i++) {
        const struct others_line *l = &t->lines[i];
        bool less = l->elements < 0;
        buffer_format(&b, "%s%s%s %s", i ? "; " : "", less ? "-" : "+",
                      text_number(n, less ? 0 - (uint64_t)l->elements : (uint64_t)l->elements), l->cause);
        if (l->detail[0]) buffer_format(&b, " (%s)", l->detail);
    }
    return keep(o, &b);
}

static const char *causes_json(struct others *o, const struct tally *t)
{
    struct buffer b;
    buffer_init(&b, o->arena->memory);
    buffer_char(&b, '[');
    for (unsigned i = 0; i < t->count; i++) {
        const struct others_line *l = &t->lines[i];
        buffer_text(&b, i ? ",{\"cause\":" : "{\"cause\":");
        text_json(&b, text_of(l->cause));
        buffer_format(&b, ",\"tensors\":%" PRIu64 ",\"elements\":%" PRId64 ",\"detail\":", l->tensors,
                      l->elements);
        text_json(&b, text_of(l->detail));
        buffer_char(&b, '}');
    }
    buffer_char(&b, ']');
    return keep(o, &b);
}

static bool tell(struct others *o, struct tally *t)
{
    for (unsigned i = 0; i < t->count; i++) t->difference += t->lines[i].elements;
    t->reason = t->none ? t->none : sentence(o, t);
    t->causes = causes_json(o, t);
    return t->reason && t->causes;
}

/* ---- all of them -------------------------------------------------------------------------- */

/* Counters of the other format stand in JSON only. */
static bool make_rows(struct others *o)
{
    size_t n = 1;
    for (size_t i = 0; i < others_counter_count; i++) n += 1 + o->tallies[i].count;
    o->rows = arena_alloc(o->arena, n * sizeof *o->rows);
    if (!o->rows) return error_nomem(o->error);
    o->rows[o->row_count++] = (struct others_row){ NULL, NULL };
    for (size_t i = 0; i < others_counter_count; i++) {
        const struct tally *t = &o->tallies[i];
        if (!reads(o, t->counter)) continue;
        o->rows[o->row_count++] = (struct others_row){ t, NULL };
        for (unsigned k = 0; k < t->count; k++)
            o->rows[o->row_count++] = (struct others_row){ t, &t->lines[k] };
    }
    return true;
}

static bool make_tallies(struct others *o)
{
    o->tallies = arena_alloc(o->arena, others_counter_count * sizeof *o->tallies);
    if (!o->tallies) return error_nomem(o->error);
    for (size_t i = 0; i < others_counter_count; i++) {
        o->tallies[i] = (struct tally){ .counter = &others_counters[i] };
        if (!make_tally(o, &o->tallies[i]) || !tell(o, &o->tallies[i])) return false;
    }
    return true;
}

static json_value *load_config(const numel_checkpoint *ck, const char *path, struct arena *a, numel_error *e)
{
    numel_error ignored; /* a configuration that cannot be read others complain of; counters do without */
    const char *where;
    error_clear(&ignored);
    json_value *doc =
        path ? config_file_read(path, a, &ignored) : config_file_load(ck, "config.json", a, &where, &ignored);
    if (ignored.code == NUMEL_E_NOMEM) error_nomem(e);
    return doc;
}

struct others *others_make(const numel_checkpoint *ck, const struct numel_model *c, const char *config,
                           const struct adapter *adapter, struct arena *a, numel_error *e)
{
    struct others *o = arena_alloc(a, sizeof *o);
    if (!o) return error_nomem(e), NULL;
    *o = (struct others){
        .ck = ck, .c = c, .arena = a, .error = e, .adapter = adapter, .known = c->model->x != NULL && !adapter
    };
    o->config = load_config(ck, config, a, e);
    hub_size_init(&o->hub, HUB_SEPTEMBER_2026, &ck->registry, o->config);
    hub_size_init(&o->hub_before, HUB_SPRING_2026, &ck->registry, o->config);
    bool ok = error_free(e) && make_base(o) && make_tallies(o) && make_rows(o);
    json_doc_free(o->config);
    o->config = NULL;
    return ok ? o : NULL;
}

/*
 * identify_models.c -- see identify_models.h. A specification is searched for as `numel reconcile` does it, but not for a
 * shard: what it lacks of a model is no fault of its own.
 */
#include "reporter/identify_models.h"

#include "base/text.h"
#include "components/components.h"
#include "model/tensor.h"
#include "reader/find.h"
#include "reporter/identify_kinds.h"
#include "reporter/list_row.h"
#include "source/folder.h"

#include <stdio.h>
#include <string.h>

/* ---- one model ---------------------------------------------------------------------------- */

/* The class that the tensors told, escaped; "" when they did not. */
NUMEL_MUST static bool class_of(struct model *m, char class[TEXT_QUOTE], numel_error *e)
{
    numel_str path = text_of("architectures");
    struct value v;
    numel_error why = { .code = NUMEL_OK }; /* of a value that nobody can use */
    bool found = config_value(m->config, m->spec, m->side, &path, 1, &v, &why);
    if (found && v.kind == VALUE_LIST && v.list.n) v = v.list.items[0];
    text_bare(class, found && v.kind == VALUE_TEXT ? v.s : (numel_str){ "", 0 });
    return why.code != NUMEL_E_NOMEM || error_nomem(e);
}

static const char *kind_of(const struct model *m, const char *name)
{
    numel_str words = text_of(name); /* "T2IAdapter at the size of SDXL" */
    if (!library_tells(m->library, m->entry)) return identify_kind(m->entry->family, text_word(&words));
    return m->kind ? m->kind : "diffusion model";
}

/* ": language model (llama, LlamaForCausalLM; of the same names: mistral)" */
NUMEL_MUST static bool say_known(const struct numel_model *c, struct buffer *b, numel_error *e)
{
    char called[TEXT_QUOTE], class[TEXT_QUOTE];
    struct model *m = c->model;
    bool fits = c->statement.agrees || c->statement.in_part;
    if (!class_of(m, class, e)) return false;
    text_bare(called, text_of(m->called));
    buffer_format(b, ": %s (%s", kind_of(m, class[0] ? class : called), called);
    if (class[0]) buffer_format(b, ", %s", class);
    if (m->alike) buffer_format(b, "; %s", m->alike);
    buffer_format(b, ")%s", fits ? "" : ", which disagrees (see 'numel reconcile')");
    return true;
}

NUMEL_MUST static bool say_model(const numel_checkpoint *ck, struct buffer *b, const numel_options *options,
                                 numel_error *e)
{
    bool alone = !path_is_shard(ck->files[0].path);
    const numel_knowledge tensors = { .size = sizeof tensors, .declared_only = !alone };
    struct numel_model *c = handle_new(ck, NULL, &tensors, alone, options->allocator, e);
    bool ok = c && handle_ready(c, e);
    if (ok && c->model->x) ok = say_known(c, b, e);
    else if (ok && c->model->alike) buffer_format(b, ": unknown (%s)", c->model->alike);
    else if (ok && alone)
        buffer_text(b, file_is_projector(ck) ? ": projector (mmproj) of an unknown type" : ": unknown");
    handle_free(c);
    return ok;
}

/* ---- several ------------------------------------------------------------------------------ */

static const char *word_of(const struct component *x)
{
    switch (x->part ? x->part->kind : SINGLE_UNKNOWN) {
    case SINGLE_DIFFUSION:
        return x->row.architecture && strstr(x->row.architecture, "SD") ? "UNet" : "diffusion model";
    case SINGLE_EMA: return "averaged copy";
    case SINGLE_VAE: return "VAE";
    case SINGLE_TEXT: return "text encoder";
    default: return strcmp(x->name, "controlnet") == 0 ? "ControlNet" : x->name;
    }
}

static void say_component(struct buffer *b, const struct components *c, size_t i, bool *first)
{
    const struct component *x = &c->items[i];
    char n[TEXT_NUMBER];
    bool again = i > 0 && c->items[i - 1].part && c->items[i - 1].part->kind == SINGLE_TEXT &&
                 x->part->kind == SINGLE_TEXT;
    bool more = i + 1 < c->count && c->items[i + 1].part && c->items[i + 1].part->kind == SINGLE_TEXT &&
                x->part->kind == SINGLE_TEXT;
    bool known = x->row.parameters != NUMEL_NOT_KNOWN;
    text_number(n, known ? x->row.parameters : x->row.stored);
    if (again) buffer_format(b, " + %s", n);
    else buffer_format(b, "%s%s%s %s", *first ? "" : ", ", word_of(x), more ? "s" : "", n);
    *first = false;
}

static void say_lacking(struct buffer *b, const struct components *c)
{
    const char *sep = "; ";
    for (size_t i = 0; i < c->count; i++) {
        if (c->items[i].state != COMPONENT_NONE) continue;
        buffer_format(b, "%sno %s", sep, strcmp(c->items[i].name, "vae") == 0 ? "VAE" : "text encoder");
        sep = ", ";
    }
}

/* Several models are a checkpoint; one alone, below its prefix, is what it is. */
static void say_components(struct buffer *b, const struct components *c)
{
    char class[TEXT_QUOTE];
    bool first = true;
    const struct component *one = &c->items[0];
    const char *what =
        c->checkpoints > 1 || one->part->kind != SINGLE_DIFFUSION ? "checkpoint" : "diffusion model";
    if (c->checkpoints == 1 && one->part->kind != SINGLE_DIFFUSION) what = word_of(one);
    buffer_format(b, ": %s (", what);
    if (c->class) buffer_format(b, "%s; ", text_bare(class, text_of(c->class)));
    for (size_t i = 0; i < c->count; i++)
        if (c->items[i].state == COMPONENT_WEIGHTS) say_component(b, c, i, &first);
    say_lacking(b, c);
    buffer_text(b, ")");
    if (c->verdict >= NUMEL_STATE_DISAGREES) buffer_text(b, ", which disagrees (see 'numel reconcile')");
}

NUMEL_MUST static bool say_parts(const struct numel_parts *parts, struct buffer *b, struct arena *a,
                                 const numel_options *options, numel_error *e)
{
    static const numel_knowledge nothing = { .size = sizeof nothing, .declared_only = true };
    const struct component_asking asking = { NULL, list_row_ask, options, &nothing };
    struct components c;
    numel_error why = { .code = NUMEL_OK };
    if (!components_of_parts(&c, parts, a, e)) return false;
    if (!components_ask(&c, &asking, a, &why)) return why.code != NUMEL_E_NOMEM || error_nomem(e);
    say_components(b, &c);
    return true;
}

bool identify_models(numel_checkpoint *ck, char *text, size_t size, const numel_options *options,
                     numel_error *e)
{
    struct numel_parts *parts = NULL;
    struct arena arena;
    struct buffer b;
    numel_error why = { .code = NUMEL_OK };
    if (!ck->file_count) return true;
    arena_init(&arena, options->allocator);
    buffer_init(&b, options->allocator);
    const struct file_kind *other = file_kind_of(ck);
    bool ok = other || single_open(&parts, ck, options->allocator, &why);
    if (other) buffer_format(&b, ": %s", other->name);
    else if (ok) ok = parts ? say_parts(parts, &b, &arena, options, &why) : say_model(ck, &b, options, &why);
    single_close(parts);
    struct fixed out = fixed_of(text, size);
    if (ok && !b.failed) fixed_add(&out, buffer_view(&b));
    bool nomem = b.failed || why.code == NUMEL_E_NOMEM;
    buffer_done(&b);
    arena_done(&arena);
    return !nomem || error_nomem(e);
}

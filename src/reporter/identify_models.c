/*
 * identify_models.c -- see identify_models.h. The words follow from the judgement of the file, the same one
 * that `numel show` prints.
 */
#include "reporter/identify_models.h"

#include "base/text.h"
#include "model/tensor.h"
#include "model/training.h"
#include "reader/find.h"
#include "reporter/identify_kinds.h"
#include "reporter/judged.h"
#include "reporter/judgement_section.h"

#include <stdio.h>
#include <string.h>

struct saying {
    numel_checkpoint *ck;
    numel_subject *judged; /* NULL if it is not judged */
    const numel_options *options;
    struct buffer out;
    struct arena arena;
    numel_error *error;
};

/* The judgement, if it was made; else NULL. */
NUMEL_MUST static const numel_judgement *judgement(struct saying *s)
{
    const numel_judgement *j = NULL;
    return s->judged && numel_subject_judge(s->judged, &j, NULL) == NUMEL_OK ? j : NULL;
}

static void say_wrong(struct saying *s, numel_state verdict)
{
    buffer_text(&s->out, verdict == NUMEL_STATE_DISAGREES    ? ", which disagrees (see 'numel reconcile')"
                         : verdict == NUMEL_STATE_INCOMPLETE ? ", which is incomplete (see 'numel verify')"
                         : verdict == NUMEL_STATE_DAMAGED    ? ", with errors (see 'numel verify')"
                                                             : "");
}

/* ---- one model ---------------------------------------------------------------------------- */

/* The class found by the tensors, escaped; "" if there is none. */
NUMEL_MUST static bool class_of(struct model *m, char class[TEXT_QUOTE], numel_error *e)
{
    numel_str path = text_of("architectures");
    struct value v;
    numel_error why = { .code = NUMEL_OK }; /* set if the value is unusable */
    bool found = config_value(m->config, m->spec, m->side, &path, 1, &v, &why);
    if (found && v.kind == VALUE_LIST && v.list.n) v = v.list.items[0];
    text_bare(class, found && v.kind == VALUE_TEXT ? v.s : (numel_str){ "", 0 });
    return why.code != NUMEL_E_NOMEM || error_nomem(e);
}

static const char *kind_of(const struct model *m, const char *name)
{
    numel_str words = text_of(name); /* "T2IAdapter at the size of SDXL" */
    if (!library_has_tensors(m->entry)) return identify_kind(m->entry->family, text_word(&words));
    return m->kind ? m->kind : "diffusion model";
}

/* The name in the files' configuration. A model known by its tensors alone has the size, too: "llama at
 * the size of Llama 3 8B". */
static const char *called(const struct model *m, const numel_judgement *j)
{
    return j && j->architecture && !m->by_tensors && config_has_json(m->config) ? j->architecture : m->called;
}

/* ": language model (llama, LlamaForCausalLM; of the same names: mistral)" */
NUMEL_MUST static bool say_known(struct saying *s, const struct handle *c, const numel_judgement *j)
{
    char name[TEXT_QUOTE], class[TEXT_QUOTE];
    struct model *m = c->model;
    if (!class_of(m, class, s->error)) return false;
    text_bare(name, text_of(called(m, j)));
    buffer_format(&s->out, ": %s (%s", kind_of(m, class[0] ? class : name), name);
    if (class[0] && strcmp(class, name) != 0) buffer_format(&s->out, ", %s", class);
    if (m->alike) buffer_format(&s->out, "; %s", m->alike);
    buffer_char(&s->out, ')');
    if (j) say_wrong(s, j->verdict); /* a shard is not judged */
    return true;
}

/* ": unknown (foo, FooForCausalLM)" for a class without a specification; nothing for a shard. */
static void say_unknown(struct saying *s, const struct handle *c, const numel_judgement *j)
{
    char name[TEXT_QUOTE];
    if (c->model->alike) buffer_format(&s->out, ": unknown (%s", c->model->alike);
    else if (!j) return;
    else if (j->kind == NUMEL_IS_PROJECTOR) buffer_text(&s->out, ": projector (mmproj) of an unknown type");
    else buffer_text(&s->out, ": unknown");
    if (c->model->alike) buffer_char(&s->out, ')');
    else if (j->kind == NUMEL_IS_MODEL && j->architecture && config_has_json(c->model->config)) {
        buffer_format(&s->out, " (%s", text_bare(name, text_of(j->architecture)));
        if (j->name && strcmp(j->name, name) != 0) buffer_format(&s->out, ", %s", j->name);
        buffer_char(&s->out, ')');
    }
    if (j) say_wrong(s, j->verdict);
}

NUMEL_MUST static bool say_model(struct saying *s)
{
    static const numel_knowledge declared = { .size = sizeof declared, .declared_only = true };
    const numel_judgement *j = judgement(s);
    struct handle *own =
        j ? NULL : handle_new(s->ck, NULL, &declared, false, s->options->allocator, s->error);
    struct handle *c = j ? s->judged->handle : own;
    bool ok = c && handle_ready(c, s->error);
    if (ok && c->model->x) ok = say_known(s, c, j);
    else if (ok) say_unknown(s, c, j);
    handle_free(own);
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

/* A file with several models is a checkpoint. A single model below a prefix is called what it is. */
static void say_components(struct saying *s, const struct components *c)
{
    struct buffer *b = &s->out;
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
    const numel_judgement *j = judgement(s);
    if (j) say_wrong(s, j->verdict);
}

/* ---- adapters, and what training leaves --------------------------------------------------- */

/* ": adapter (lora) of SD1.5, rank 32, alpha 16" */
static void say_adapter(struct saying *s, const struct adapter *a)
{
    struct buffer *b = &s->out;
    const numel_judgement *j = judgement(s);
    bool wrong = j && j->verdict == NUMEL_STATE_DISAGREES;
    if (!a->type) {
        buffer_text(b, ": a model with a LoRA that is not merged (see 'numel verify')");
        return;
    }
    buffer_format(b, ": adapter (%s)%s%s", a->type, a->family ? " of " : "", a->family ? a->family : "");
    if (a->ranks.count) buffer_format(b, ", rank %" PRIu64, a->ranks.least);
    if (a->ranks.count > 1) buffer_format(b, " to %" PRIu64, a->ranks.most);
    if (a->alpha) buffer_format(b, ", alpha %s", a->alpha);
    if (a->writer) buffer_format(b, ", %s", a->writer);
    if (wrong || a->complaint_count) buffer_text(b, ", with contradictions (see 'numel verify')");
}

/* ": checkpoint of training, of weights (2 tensors), optimizer states (4 tensors) ..." */
NUMEL_MUST static bool say_training(struct saying *s)
{
    struct training t;
    bool ok = training_make(&t, &s->ck->registry, &s->arena, s->error);
    if (ok && t.any) {
        buffer_text(&s->out, ": training checkpoint");
        for (int i = 0, some = 0; i < TRAINING_PARTS; i++)
            if (t.sums[i].tensors)
                buffer_format(&s->out, "%s%s (%" PRIu64 " tensors)", some++ ? ", " : ", of ",
                              training_name((enum training_part)i), t.sums[i].tensors);
    }
    training_done(&t);
    return ok;
}

/* ---- all of it ---------------------------------------------------------------------------- */

NUMEL_MUST static bool say_adapted(struct saying *s, bool *done)
{
    struct adapter own;
    bool judged = s->judged && !s->judged->whole;
    if (!judged && !adapter_read(&own, s->ck, NULL, &s->arena, s->error)) return false;
    const struct adapter *a = judged ? adapter_of(s->judged->handle, s->error) : &own;
    *done = a && (a->type || a->unmerged);
    if (*done) say_adapter(s, a);
    if (!judged) adapter_done(&own);
    return a != NULL;
}

NUMEL_MUST static bool say_all(struct saying *s)
{
    bool done;
    if (!say_adapted(s, &done)) return false;
    if (done) return true;
    if (!say_training(s)) return false;
    if (s->out.n || !s->ck->file_count) return true;
    const struct file_kind *other = file_kind_of(s->ck);
    if (other) buffer_format(&s->out, ": %s", other->name);
    else if (s->judged && s->judged->whole) say_components(s, s->judged->whole);
    else return say_model(s);
    return true;
}

bool identify_models(struct identified *x, char *text, size_t size, numel_error *e)
{
    const numel_allocator *m = x->options->allocator;
    numel_error why = { .code = NUMEL_OK };
    struct saying s = { .ck = x->ck, .options = x->options, .error = &why };
    if (x->alone) s.judged = judged_open(x->ck, NULL, m, &why);
    if (why.code == NUMEL_E_NOMEM || why.code == NUMEL_E_IO) return *e = why, false;
    error_clear(&why);
    buffer_init(&s.out, m);
    arena_init(&s.arena, m);
    if (s.judged) x->judgement = judgement_json(judgement(&s), x->arena);
    bool nomem = s.judged && !x->judgement, ok = !nomem && say_all(&s);
    struct fixed out = fixed_after(text, size);
    if (ok && !s.out.failed) fixed_add(&out, buffer_view(&s.out));
    nomem |= s.out.failed || why.code == NUMEL_E_NOMEM;
    buffer_done(&s.out);
    arena_done(&s.arena);
    subject_free(s.judged);
    return !nomem || error_nomem(e);
}

bool identify_judgement(const char **json, const char *path, const numel_options *options, struct arena *a,
                        numel_error *e)
{
    numel_found *found = NULL;
    numel_checkpoint *ck = NULL;
    numel_subject *s = NULL;
    const numel_judgement *j = NULL;
    numel_error why = { .code = NUMEL_OK };
    *json = NULL;
    bool ok = find_path(&found, path, options, &why) && numel_found_count(found) == 1 &&
              checkpoint_by_name(&ck, found, 0, options, &why) &&
              (s = judged_open(ck, NULL, options->allocator, &why)) &&
              numel_subject_judge(s, &j, &why) == NUMEL_OK;
    if (ok) *json = judgement_json(j, a);
    subject_free(s);
    numel_free(ck);
    numel_found_free(found);
    bool nomem = (ok && !*json) || why.code == NUMEL_E_NOMEM;
    return !nomem || error_nomem(e);
}

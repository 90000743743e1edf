/* judge.c -- kind, name and verdict of a handle, and the order of its causes; see judgement.h. */
#include "subject/causes.h"

#include "base/text.h"
#include "model/training.h"
#include "statement/promised.h"

#include <string.h>

/* ---- words -------------------------------------------------------------------------------- */

const char *numel_state_name(numel_state s)
{
    static const char *const names[] = {
        "unknown", "agrees", "in part", "disagrees", "incomplete", "damaged"
    };
    return (unsigned)s < sizeof names / sizeof *names ? names[s] : "unknown";
}

const char *numel_subject_kind_name(numel_subject_kind k)
{
    static const char *const names[] = { "model",      "pipeline",      "several models",
                                         "adapter",    "configuration", "training state",
                                         "vocabulary", "imatrix",       "projector" };
    return (unsigned)k < sizeof names / sizeof *names ? names[k] : "unknown";
}

/* ---- causes ------------------------------------------------------------------------------- */

bool cause_add(struct causes *l, const char *code, numel_state state, uint64_t explains, const char *text)
{
    if (!text) return error_nomem(l->error);
    if (l->count < CAUSES_MOST) l->items[l->count++] = (numel_cause){ code, text, explains, state };
    return true;
}

/* Adds the first finding of each code, with the number of findings. */
bool causes_of_bytes(struct causes *l, const numel_checkpoint *ck)
{
    size_t first = l->count;
    for (size_t i = 0; i < ck->opened; i++) {
        const numel_finding *f = &ck->findings.items[i];
        numel_state s = checkpoint_finding_state(ck, f);
        size_t k = first;
        if (s == NUMEL_STATE_UNKNOWN) continue;
        while (k < l->count && strcmp(l->items[k].code, f->code) != 0) k++;
        if (k < l->count) l->items[k].explains++;
        else if (!cause_add(l, f->code, s, 1, arena_text(l->arena, f->message, strlen(f->message))))
            return false;
    }
    return true;
}

/* ---- names -------------------------------------------------------------------------------- */

/* Gets a value from the configuration; NULL kind if it has none. */
NUMEL_MUST static bool config_text(const struct model *m, const char *key, struct value *v, numel_error *e)
{
    numel_str path = text_of(key);
    numel_error why = { .code = NUMEL_OK };
    if (config_value(m->config, m->spec, m->side, &path, 1, v, &why)) {
        if (v->kind == VALUE_LIST && v->list.n) *v = v->list.items[0];
        return true;
    }
    *v = (struct value){ .kind = VALUE_NULL };
    return why.code != NUMEL_E_NOMEM || error_nomem(e);
}

/* The architecture as the files name it; {NULL, 0} if they do not, or if several share the name. */
NUMEL_MUST static bool said_architecture(const struct model *m, numel_str *out, numel_error *e)
{
    static const char *const keys[] = { "model_type", "_class_name", "architecture" }; /* the last two:
                                                                                        * diffusers, timm */
    bool told = m->entry && library_has_tensors(m->entry);
    struct value v;
    *out = (numel_str){ NULL, 0 };
    if (model_is_gguf(m)) {
        const struct metadata_entry *x = metadata_find(&m->ck->metadata, "general.architecture");
        if (x && x->type == META_STRING && !told) *out = x->value.s;
        return true;
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !out->n; i++) {
        if (!config_text(m, keys[i], &v, e)) return false;
        if (v.kind == VALUE_TEXT) *out = v.s;
        else if (v.kind != VALUE_NULL) break;
    }
    return true;
}

NUMEL_MUST static bool name_model(numel_judgement *j, const struct handle *c, struct arena *a, numel_error *e)
{
    const struct model *m = c->model;
    numel_str said;
    struct value class;
    if (!said_architecture(m, &said, e) || !config_text(m, "architectures", &class, e)) return false;
    if (!said.n && m->spec) said = text_of(m->called);
    if (m->other) said = text_of(m->other->code);
    j->architecture = said.n ? arena_text(a, said.p, said.n) : NULL;
    char shown[TEXT_QUOTE];
    if (class.kind == VALUE_TEXT && class.s.n) text_bare(shown, class.s);
    else if (m->spec && m->called) text_bare(shown, text_of(m->called));
    else shown[0] = '\0';
    j->name = shown[0] ? arena_text(a, shown, strlen(shown)) : NULL;
    return !a->failed || error_nomem(e);
}

static const char *known_by(const struct handle *c)
{
    const struct model *m = c->model;
    if (!m->spec && !m->broken) return NULL;
    if (c->knowledge.architecture) return "the user";
    if (m->by_tensors) return "names and shapes";
    if (config_has_json(m->config)) return "configuration";
    return model_is_gguf(m) && m->from && strcmp(m->from, "metadata") == 0 ? "metadata" : "names and shapes";
}

static numel_subject_kind kind_of(const struct handle *c, const struct adapter *a)
{
    if (!a) return NUMEL_IS_CONFIGURATION;
    if (a->type) return NUMEL_IS_ADAPTER;
    if (c->model->other)
        return strcmp(c->model->other->code, "imatrix") == 0 ? NUMEL_IS_IMATRIX : NUMEL_IS_VOCABULARY;
    if (file_is_projector(c->ck)) return NUMEL_IS_PROJECTOR;
    return model_training(c->model)->alone ? NUMEL_IS_TRAINING : NUMEL_IS_MODEL;
}

/* ---- verdict ------------------------------------------------------------------------------ */

/* The state according to the statement and the adapter's proof, before bytes and loaders are considered. */
static numel_state stated(const struct handle *c, const struct adapter *a)
{
    const struct statement *s = &c->statement;
    const struct model *m = c->model;
    if (m->broken || (a && a->complaint_count)) return NUMEL_STATE_DISAGREES;
    if (!a) return m->spec && model_formula(m) ? NUMEL_STATE_IN_PART : NUMEL_STATE_UNKNOWN;
    if (m->x && !s->agrees && !s->in_part) return NUMEL_STATE_DISAGREES;
    if (a->type) return a->proven ? NUMEL_STATE_AGREES : NUMEL_STATE_IN_PART;
    if (!m->x) return NUMEL_STATE_UNKNOWN;
    return s->in_part ? NUMEL_STATE_IN_PART : NUMEL_STATE_AGREES;
}

/* A wrong total proves no tensor wrong, since some may have another type. */
NUMEL_MUST static bool cause_of_total(struct causes *l, const struct model *m)
{
    struct promised p;
    if (!m->x || !m->ck || !m->ck->named) return true;
    if (!promised_make(&p, m, l->arena, l->error)) return false;
    return p.size != PROMISED_OFF || cause_add(l, "total-size", NUMEL_STATE_IN_PART, 1, p.text);
}

NUMEL_MUST static bool ask_makers(struct causes *l, struct handle *c, const struct adapter *a)
{
    return (!c->ck || causes_of_bytes(l, c->ck)) && causes_of_loaders(l, c) &&
           (!a || causes_of_adapter(l, a)) && causes_of_model(l, c) && cause_of_total(l, c->model);
}

NUMEL_MUST static bool judge(numel_judgement *j, struct handle *c, const struct adapter *a,
                             struct arena *arena, numel_error *e)
{
    struct causes l = { .arena = arena, .error = e };
    j->size = sizeof *j;
    j->kind = kind_of(c, a);
    j->known_by = known_by(c);
    if (!name_model(j, c, arena, e) || !ask_makers(&l, c, a)) return false;
    j->verdict = stated(c, a);
    if (c->ck && checkpoint_state(c->ck) > j->verdict) j->verdict = checkpoint_state(c->ck);
    for (size_t i = 0; i < l.count; i++)
        if (l.items[i].state > j->verdict) j->verdict = l.items[i].state;
    j->cause_count = l.count;
    j->causes = arena_copy(arena, l.items, (l.count + 1) * sizeof *l.items);
    return j->causes || error_nomem(e);
}

NUMEL_MUST static bool make(void *part, struct handle *c, numel_error *e)
{
    const struct adapter *a = NULL;
    if (c->ck && !(a = adapter_whole_of(c, e))) return false;
    return handle_ready(c, e) && judge(part, c, a, &c->arena, e);
}

const numel_judgement *judgement_of(struct handle *c, numel_error *e)
{
    static const struct handle_kind kind = { sizeof(numel_judgement), make, NULL };
    return handle_part(c, &kind, e);
}

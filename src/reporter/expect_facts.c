/* expect_facts.c -- the keys of expectations, and the source of each fact. */
#include "reporter/judgement_section.h"
#include "reporter/expect.h"

#include "adapter/adapter.h"
#include "base/text.h"
#include "model/context.h"
#include "registry/main_type.h"
#include "reporter/handles.h"
#include "reporter/mixture_section.h"

#include <inttypes.h>
#include <string.h>

/* ---- counts ------------------------------------------------------------------------------- */

static bool known(struct fact *out, uint64_t n)
{
    out->known = true;
    out->number = n;
    return true;
}

/* For counts that need the formula. */
static bool counted(struct expect_facts *f, struct fact *out, uint64_t n)
{
    const struct model *m = f->c->model;
    if (m->x) return known(out, n);
    out->why = m->why.what;
    return true;
}

static bool ask_params(struct expect_facts *f, struct fact *out)
{
    if (f->adapter->type) return known(out, f->adapter->parameters);
    return counted(f, out, f->c->model->counts.parameters);
}
static bool ask_stored(struct expect_facts *f, struct fact *out) { return known(out, f->c->ck->stored); }
static bool ask_tensors(struct expect_facts *f, struct fact *out)
{
    return known(out, f->c->ck->registry.count);
}
static bool ask_logical(struct expect_facts *f, struct fact *out)
{
    return counted(f, out, f->c->model->counts.logical);
}
static bool ask_unique(struct expect_facts *f, struct fact *out)
{
    return counted(f, out, f->c->model->counts.unique);
}
static bool ask_buffers(struct expect_facts *f, struct fact *out)
{
    return counted(f, out, f->c->model->counts.buffers);
}
static bool ask_active(struct expect_facts *f, struct fact *out)
{
    const struct counts *n = &f->c->model->counts;
    return f->c->model->x && !n->has_active ? true : counted(f, out, n->active);
}

static bool ask_files(struct expect_facts *f, struct fact *out)
{
    return known(out, f->c->ck->file_count + f->c->ck->missing);
}

static bool ask_bytes(struct expect_facts *f, struct fact *out)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < f->c->ck->file_count; i++) sum += f->c->ck->files[i].bytes;
    return known(out, sum);
}

/* ---- the configuration -------------------------------------------------------------------- */

/* The first key with a positive integer. GGUF has one key only. */
bool expect_layers(const struct handle *c, uint64_t *layers, numel_error *e)
{
    static const char *const keys[] = { "num_hidden_layers", "text_config.num_hidden_layers",
                                        "n_layer",           "n_layers",
                                        "num_layers",        NULL };
    const struct model *m = c->model;
    bool is_gguf = c->ck->files[0].format == NUMEL_GGUF;
    *layers = 0;
    for (size_t i = 0; m->config && (is_gguf ? i < 1 : keys[i] != NULL); i++) {
        numel_error why = { .code = NUMEL_OK };
        numel_str key = text_of(is_gguf ? "block_count" : keys[i]);
        struct value v;
        bool ok = config_value(m->config, m->spec, m->side, &key, 1, &v, &why);
        if (why.code == NUMEL_E_NOMEM) return error_nomem(e);
        if (ok && v.kind == VALUE_INT && v.i > 0) return *layers = (uint64_t)v.i, true;
    }
    return true;
}

/* The context length as in the head of show: the extended one, if the configuration extends it. */
NUMEL_MUST static bool ask_context(struct expect_facts *f, struct fact *out)
{
    struct model_context c;
    if (!model_context(f->c->model, &c, f->error)) return false;
    out->why = "stated neither in the configuration nor in the metadata";
    return !c.tokens || known(out, (uint64_t)c.tokens);
}

NUMEL_MUST static bool ask_layers(struct expect_facts *f, struct fact *out)
{
    uint64_t n;
    bool is_gguf = f->c->ck->files[0].format == NUMEL_GGUF;
    out->why = is_gguf ? "not stated in the metadata" : "not stated in any configuration";
    return expect_layers(f->c, &n, f->error) && (!n || known(out, n));
}

NUMEL_MUST static bool ask_arch(struct expect_facts *f, struct fact *out)
{
    const struct model *m = f->c->model;
    const struct metadata_entry *own = metadata_find(&f->c->ck->metadata, "general.architecture");
    numel_str name = { NULL, 0 };
    const char *key;
    numel_error why = { .code = NUMEL_OK };
    struct value v;
    size_t n = 0;
    if (f->c->ck->files[0].format == NUMEL_GGUF) {
        if (own && own->type == META_STRING) name = own->value.s;
    } else if (m->config && config_kind(m->config, m->spec, m->side, &key, &v, &why) &&
               v.kind == VALUE_TEXT) {
        name = v.s;
    }
    if (why.code == NUMEL_E_NOMEM) return error_nomem(f->error);
    if (name.n && !(out->names[n++] = arena_text(f->arena, name.p, name.n))) return error_nomem(f->error);
    if (m->spec) out->names[n++] = m->architecture;
    out->known = n > 0;
    out->why = "known neither from the files nor from the tensors";
    return true;
}

/* ---- how it is stored --------------------------------------------------------------------- */

static bool ask_format(struct expect_facts *f, struct fact *out)
{
    out->names[0] = format_name(f->c->ck->files[0].format);
    return out->known = true;
}

NUMEL_MUST static bool ask_dtype(struct expect_facts *f, struct fact *out)
{
    struct buffer b;
    buffer_init(&b, f->arena->memory);
    const numel_dtype *most = dtype_of_most(&f->c->ck->registry, &b);
    bool ok = !b.failed;
    if (ok && most) ok = (out->names[0] = arena_text(f->arena, b.p, b.n)) != NULL;
    out->known = most != NULL;
    out->why = "there are no tensors";
    buffer_done(&b);
    return ok || error_nomem(f->error);
}

/* The method, by the names in common use: "gptq", "gptq-4bit", "Q4_K_M"; "none" if nothing is quantized. */
NUMEL_MUST static bool ask_quant(struct expect_facts *f, struct fact *out)
{
    const struct model_packing *p = &f->quantization->facts;
    const char *method = p->method ? p->method : p->layout;
    out->known = true;
    if (f->mixture->line && f->mixture->method) {
        out->names[0] = f->mixture->method;
        return true;
    }
    if (f->quantization->none || !method) {
        bool blind = !f->c->model->x || f->mixture->line; /* no formula, or a mixture without a name */
        out->known = !blind;
        out->why = f->mixture->line ? "this mixture of types has no name" : f->c->model->why.what;
        out->names[0] = "none";
        return true;
    }
    out->names[0] = method;
    out->names[1] = p->layout;
    if (p->bits <= 0) return true;
    out->names[2] = arena_format(f->arena, "%s-%" PRId64 "bit", method, p->bits);
    return out->names[2] || error_nomem(f->error);
}

/* The number in a GGUF type's name: 4 for Q4_K_M. */
static uint64_t number_in(const char *name)
{
    uint64_t n = 0;
    while (*name && !number_is_digit(*name)) name++;
    while (number_is_digit(*name) && n < 100) n = 10 * n + (uint64_t)(*name++ - '0');
    return n;
}

static bool ask_bits(struct expect_facts *f, struct fact *out)
{
    const struct model_packing *p = &f->quantization->facts;
    const numel_dtype *most = dtype_of_most(&f->c->ck->registry, NULL);
    bool plain = most && most->block_elements == 1;
    out->known = true;
    if (f->mixture->line) {
        out->number = f->mixture->method ? number_in(f->mixture->method) : 0;
        out->names[0] = f->mixture->bits;
        out->names[1] = f->mixture->whole;
    } else if (!f->quantization->none) {
        out->number = p->bits > 0 ? (uint64_t)p->bits : 0;
        out->names[0] = f->quantization->bits;
        out->names[1] = f->quantization->whole;
    } else if (plain) {
        out->number = 8ull * most->block_bytes;
    }
    out->known = out->number || out->names[0];
    out->why = "the number is not stated";
    return true;
}

static bool ask_group(struct expect_facts *f, struct fact *out)
{
    int64_t group = f->quantization->facts.group;
    out->why = f->quantization->none ? "nothing is packed in groups" : "the weights have several, or none";
    return group > 0 ? known(out, (uint64_t)group) : true;
}

/* ---- what it comes to --------------------------------------------------------------------- */

static const char *const verdicts[] = { "agrees", "in-part", "disagrees", "unknown", NULL };
static const char *const formats[] = { "safetensors", "gguf", "pytorch", NULL };

/* The judgement's verdict. It covers reconcile and what verify finds in headers: a damaged file never
 * agrees. */
static bool ask_verdict(struct expect_facts *f, struct fact *out)
{
    const numel_judgement *j = judgement_of(f->c, f->error);
    if (!j) return false;
    out->known = true;
    out->names[0] = j->verdict >= NUMEL_STATE_DISAGREES ? "disagrees"
                    : j->verdict == NUMEL_STATE_IN_PART ? "in-part"
                                                        : numel_state_name(j->verdict);
    return true;
}

/* clang-format off */
const struct expect_rule expect_rules[] = {
    { "params",  EXPECT_COUNT, ask_params,  NULL }, { "stored",  EXPECT_COUNT, ask_stored,  NULL },
    { "logical", EXPECT_COUNT, ask_logical, NULL }, { "unique",  EXPECT_COUNT, ask_unique,  NULL },
    { "buffers", EXPECT_COUNT, ask_buffers, NULL }, { "active",  EXPECT_COUNT, ask_active,  NULL },
    { "tensors", EXPECT_COUNT, ask_tensors, NULL }, { "files",   EXPECT_COUNT, ask_files,   NULL },
    { "bytes",   EXPECT_BYTES, ask_bytes,   NULL }, { "arch",    EXPECT_TEXT,  ask_arch,    NULL },
    { "format",  EXPECT_WORD,  ask_format,  formats }, { "dtype", EXPECT_TYPES, ask_dtype,  NULL },
    { "quant",   EXPECT_TEXT,  ask_quant,   NULL }, { "method",  EXPECT_TEXT,  ask_quant,   NULL },
    { "bits",    EXPECT_BITS,  ask_bits,    NULL }, { "group",   EXPECT_COUNT, ask_group,   NULL },
    { "context", EXPECT_COUNT, ask_context, NULL }, { "layers",  EXPECT_COUNT, ask_layers,  NULL },
    { "verdict", EXPECT_WORD,  ask_verdict, verdicts },
    { NULL, EXPECT_COUNT, NULL, NULL },
};
/* clang-format on */

bool expect_facts_make(struct expect_facts *f, struct handle *c, struct arena *a, numel_error *e)
{
    *f = (struct expect_facts){ .c = c, .arena = a, .error = e };
    f->adapter = adapter_of(c, e);
    if (!f->adapter || !report_ready(c, e)) return false;
    f->quantization = quantization_of(c, a, e);
    if (!f->quantization) return false;
    f->mixture = mixture_of(c->ck, a, e);
    return f->mixture != NULL;
}

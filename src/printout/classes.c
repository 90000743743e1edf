/*
 * classes.c -- the parameters of a module, from its class and printed arguments.
 *
 * One row for each class or pattern; the first row whose pattern and key match decides. A rule reads
 * the arguments as repr() wrote them (torch's extra_repr, or that of transformers, peft, bitsandbytes,
 * apex, vLLM, MLX) and adds the parameters with their shapes. If a rule does not find its sizes, the
 * module's are unknown, never 0. A class without a row is unknown too.
 *
 * Defaults are those of the classes: a convolution and a Linear have a bias unless they print otherwise,
 * BatchNorm and LayerNorm are affine unless they print otherwise, InstanceNorm only if it prints so.
 */
#include "printout/printout.h"

#include "base/num.h"
#include "base/number.h"
#include "base/text.h"

#include <ctype.h>

/* ---- arguments ---------------------------------------------------------------------------- */

enum { ITEMS = 24 };

struct item {
    numel_str key; /* "" if it has none */
    numel_str value;
};

struct arguments {
    struct item items[ITEMS];
    unsigned count;
};

/* Cuts "in_features=8, kernel_size=(3, 3)" at commas outside of brackets. Drops items after ITEMS: no rule
 * needs them. */
static void cut_arguments(struct arguments *a, numel_str text)
{
    size_t start = 0, depth = 0;
    a->count = 0;
    for (size_t i = 0; i <= text.n && a->count < ITEMS; i++) {
        char c = i < text.n ? text.p[i] : ',';
        if (c == '(' || c == '[') depth++;
        if ((c == ')' || c == ']') && depth) depth--;
        if (i < text.n && (c != ',' || depth)) continue;
        numel_str s = text_slice(text, start, i);
        while (s.n && isspace((unsigned char)*s.p)) s = text_from(s, 1);
        size_t k = 0;
        while (k < s.n && (isalnum((unsigned char)s.p[k]) || s.p[k] == '_')) k++;
        bool keyed = k && k < s.n && s.p[k] == '=';
        if (s.n)
            a->items[a->count++] = (struct item){ { s.p, keyed ? k : 0 }, keyed ? text_from(s, k + 1) : s };
        start = i + 1;
    }
}

/* The value under one of the names; else the unnamed argument at `place`, from 0 (-1: none). NULL if
 * absent. */
static const numel_str *argument(const struct arguments *a, const char *names, int place)
{
    for (unsigned i = 0; i < a->count; i++)
        if (a->items[i].key.n && text_listed(text_of(names), '|', a->items[i].key)) return &a->items[i].value;
    for (unsigned i = 0; i < a->count; i++)
        if (!a->items[i].key.n && place-- == 0) return &a->items[i].value;
    return NULL;
}

static bool number_of(const numel_str *s, uint64_t *v) { return s && number_plain(*s, v); }

/* "(3, 3)", "(768,)", "torch.Size([768])", "8x1024", "3": reads at most `room` sizes; 0 if there are none. */
static unsigned sizes_of(const numel_str *s, uint64_t *dims, unsigned room)
{
    numel_str rest = s ? *s : (numel_str){ NULL, 0 };
    unsigned n = 0;
    while (rest.n && !number_is_digit(*rest.p)) rest = text_from(rest, 1);
    while (rest.n && number_is_digit(*rest.p)) {
        if (n == room || !number_digits(&rest, &dims[n])) return 0;
        n++;
        while (rest.n && (*rest.p == ',' || *rest.p == ' ' || *rest.p == 'x')) rest = text_from(rest, 1);
    }
    return n;
}

static bool flag(const struct arguments *a, const char *names, bool otherwise)
{
    const numel_str *s = argument(a, names, -1);
    if (!s) return otherwise;
    return !text_equal(*s, "False") && !text_equal(*s, "None") && !text_equal(*s, "false") &&
           !text_equal(*s, "0");
}

/* ---- rules -------------------------------------------------------------------------------- */

struct counting {
    struct printout *p;
    struct module *m;
    struct arguments a;
    bool ok;     /* the arguments have what the rule needs */
    bool failed; /* p->error is set */
};

/* Adds a parameter with its elements; sum_own() sums them later. */
static void add(struct counting *c, const char *name, uint32_t ndim, const uint64_t *dims)
{
    struct printout *p = c->p;
    struct parameter x = { .name = name, .ndim = ndim, .elements = 1 };
    if (c->failed) return;
    for (uint32_t i = 0; i < ndim; i++) {
        x.dims[i] = dims[i];
        if (num_mul(&x.elements, x.elements, dims[i])) continue;
        c->failed = !error_set(p->error, NUMEL_E_OVERFLOW, NUMEL_NOWHERE,
                               "line %" PRIu32 ": a parameter that does not fit in 64 bits", c->m->line);
        return;
    }
    if (!memory_grow(p->arena.memory, &p->parameters, &p->parameter_cap, p->parameter_count + 1, sizeof x,
                     p->error)) {
        c->failed = true;
        return;
    }
    p->parameters[p->parameter_count++] = x;
    c->m->parameters++;
}

static void add1(struct counting *c, const char *name, uint64_t a)
{
    add(c, name, 1, (const uint64_t[]){ a });
}

static void add2(struct counting *c, const char *name, uint64_t a, uint64_t b)
{
    add(c, name, 2, (const uint64_t[]){ a, b });
}

static uint64_t number(struct counting *c, const char *names, int place)
{
    uint64_t v = 0;
    if (!number_of(argument(&c->a, names, place), &v)) c->ok = false;
    return v;
}

#define IN "in_features|input_features|input_dims|input_size"
#define OUT "out_features|output_features|output_dims|output_size"

static void nothing(struct counting *c) { (void)c; }

static void linear(struct counting *c)
{
    uint64_t in = number(c, IN, -1), out = number(c, OUT, -1);
    if (!c->ok) return;
    add2(c, "weight", out, in);
    if (flag(&c->a, "bias", true)) add1(c, "bias", out);
}

static void bilinear(struct counting *c)
{
    uint64_t a = number(c, "in1_features", -1), b = number(c, "in2_features", -1);
    uint64_t out = number(c, OUT, -1);
    if (!c->ok) return;
    add(c, "weight", 3, (const uint64_t[]){ out, a, b });
    if (flag(&c->a, "bias", true)) add1(c, "bias", out);
}

static void embedding(struct counting *c)
{
    uint64_t rows = number(c, "num_embeddings", 0), width = number(c, "embedding_dim", 1);
    if (c->ok) add2(c, "weight", rows, width);
}

/* transformers' Conv1D is a Linear with a transposed weight: [nx, nf]. */
static void conv1d_of_gpt2(struct counting *c)
{
    uint64_t out = number(c, "nf", -1), in = number(c, "nx", -1);
    if (!c->ok) return;
    add2(c, "weight", in, out);
    add1(c, "bias", out);
}

/* [out, in / groups, kernel...]; transposed [in, out / groups, kernel...]. */
static void convolution(struct counting *c, bool transposed)
{
    uint64_t dims[PARAMETER_DIMS], groups = 1;
    uint64_t in = number(c, "in_channels", 0), out = number(c, "out_channels", 1);
    unsigned n = sizes_of(argument(&c->a, "kernel_size", 2), dims + 2, PARAMETER_DIMS - 2);
    const numel_str *stated = argument(&c->a, "groups", -1);
    if (stated && (!number_of(stated, &groups) || groups == 0)) c->ok = false;
    if (!c->ok || n == 0) {
        c->ok = false;
        return;
    }
    for (size_t i = 0; n == 1 && i + 1 < c->m->class.n; i++) /* kernel_size=3 of a Conv2d is 3 x 3 */
        if (c->m->class.p[i + 1] == 'd' && (c->m->class.p[i] == '2' || c->m->class.p[i] == '3'))
            for (; n < (unsigned)(c->m->class.p[i] - '0'); n++) dims[2 + n] = dims[2];
    dims[0] = transposed ? in : out;
    dims[1] = (transposed ? out : in) / groups;
    add(c, "weight", n + 2, dims);
    if (flag(&c->a, "bias", true)) add1(c, "bias", out);
}

static void conv(struct counting *c) { convolution(c, false); }
static void conv_transposed(struct counting *c) { convolution(c, true); }

/* A norm over the last dims: its shape is the first argument, or `hidden_size`. */
static void norm(struct counting *c, bool bias)
{
    uint64_t dims[PARAMETER_DIMS];
    const numel_str *shape = argument(&c->a, "normalized_shape|hidden_size|dims", 0);
    unsigned n = sizes_of(shape, dims, PARAMETER_DIMS);
    if (!flag(&c->a, "elementwise_affine", true)) return;
    if (n == 0) c->ok = false;
    if (!c->ok) return;
    add(c, "weight", n, dims);
    if (!bias || c->failed) return;
    add(c, "bias", n, dims);
    if (!c->failed && !argument(&c->a, "bias", -1)) /* torch prints it since 2.6 */
        c->p->parameters[c->p->parameter_count - 1].assumed = true;
}

static void layer_norm(struct counting *c) { norm(c, flag(&c->a, "bias", true)); }
static void rms_norm(struct counting *c) { norm(c, false); }

static void channels(struct counting *c, uint64_t n, bool affine)
{
    if (!c->ok || !affine) return;
    add1(c, "weight", n);
    add1(c, "bias", n);
}

static void batch_norm(struct counting *c)
{
    channels(c, number(c, "num_features", 0), flag(&c->a, "affine", true));
}

static void instance_norm(struct counting *c)
{
    channels(c, number(c, "num_features", 0), flag(&c->a, "affine", false));
}

static void group_norm(struct counting *c)
{
    channels(c, number(c, "num_channels", 1), flag(&c->a, "affine", true));
}

static void prelu(struct counting *c)
{
    uint64_t n = number(c, "num_parameters", 0);
    if (c->ok) add1(c, "weight", n);
}

/* Adds "weight_ih_l0_reverse"; a cell has one level and no number. */
static void add_level(struct counting *c, const char *name, const char *suffix, uint32_t ndim, uint64_t a,
                      uint64_t b)
{
    const char *text = arena_format(&c->p->arena, "%s%s", name, suffix);
    if (!text) c->failed = !error_nomem(c->p->error);
    else add(c, text, ndim, (const uint64_t[]){ a, b });
}

/* Adds one level in one direction: stacked matrices, one for each gate, over the input and the state. */
static void recurrent_level(struct counting *c, const char *suffix, uint64_t rows, uint64_t in,
                            uint64_t hidden, uint64_t state)
{
    bool bias = flag(&c->a, "bias", true);
    add_level(c, "weight_ih", suffix, 2, rows, in);
    add_level(c, "weight_hh", suffix, 2, rows, state);
    if (bias) add_level(c, "bias_ih", suffix, 1, rows, 0);
    if (bias) add_level(c, "bias_hh", suffix, 1, rows, 0);
    if (state != hidden) add_level(c, "weight_hr", suffix, 2, state, hidden);
}

static void recurrent(struct counting *c, uint64_t gates)
{
    uint64_t in = number(c, "input_size", 0), hidden = number(c, "hidden_size", 1), levels = 1;
    uint64_t state = hidden, ways = flag(&c->a, "bidirectional", false) ? 2 : 1;
    const numel_str *s = argument(&c->a, "num_layers", -1);
    if (s && !number_of(s, &levels)) c->ok = false;
    s = argument(&c->a, "proj_size", -1);
    if (s && !number_of(s, &state)) c->ok = false;
    if (state == 0) state = hidden;
    if (levels > PRINTOUT_PARAMETERS / 10 || hidden > UINT32_MAX || state > UINT32_MAX) c->ok = false;
    for (uint64_t i = 0; c->ok && i < levels; i++)
        for (uint64_t way = 0; way < ways; way++) {
            char suffix[48];
            text_format(suffix, sizeof suffix, "_l%" PRIu64 "%s", i, way ? "_reverse" : "");
            if (text_ends(c->m->class, "Cell")) suffix[0] = 0;
            recurrent_level(c, suffix, gates * hidden, i ? ways * state : in, hidden, state);
        }
}

static void lstm(struct counting *c) { recurrent(c, 4); }
static void gru(struct counting *c) { recurrent(c, 3); }
static void rnn(struct counting *c) { recurrent(c, 1); }

/* The module is itself the parameter: "[torch.FloatTensor of size 8x1024]", "Tensor((32, 1, 128), ...". */
static void itself(struct counting *c)
{
    uint64_t dims[PARAMETER_DIMS];
    unsigned n = sizes_of(&c->m->args, dims, PARAMETER_DIMS);
    const numel_str *first = argument(&c->a, "", 0);
    if (first && first->n && *first->p == '(') n = sizes_of(first, dims, PARAMETER_DIMS);
    if (n || c->m->args.n == 0) add(c, "", n, dims);
    else c->ok = false;
}

/* ---- the table ---------------------------------------------------------------------------- */

/* clang-format off */
static const struct class_rule {
    const char *patterns;   /* globs for the class */
    const char *key;        /* needs one of these arguments; NULL: none */
    void (*count)(struct counting *);
    enum module_kind kind;
} table[] = {
    /* known by their arguments, under any name */
    { "*4bit", IN, linear, MODULE_PACKED4 },
    { "*", "in1_features", bilinear, MODULE_PLAIN },
    { "*", IN, linear, MODULE_PLAIN },
    { "*", "num_embeddings", embedding, MODULE_PLAIN },
    { "Parameter Tensor", NULL, itself, MODULE_PLAIN },

    /* no parameters */
    { "*Rotary*", NULL, nothing, MODULE_PLAIN },
    { "*Sinusoid*", NULL, embedding, MODULE_PLAIN },
    { "FrozenBatchNorm*", NULL, nothing, MODULE_PLAIN }, /* four buffers */
    { "*L2Norm", NULL, nothing, MODULE_PLAIN },

    { "*ConvTranspose[123]d*", NULL, conv_transposed, MODULE_PLAIN },
    { "*Conv[123]d*", "kernel_size", conv, MODULE_PLAIN },
    { "*Conv2d*", NULL, conv, MODULE_PLAIN },
    { "Conv1D", NULL, conv1d_of_gpt2, MODULE_PLAIN },
    { "*Embedding EmbeddingBag", NULL, embedding, MODULE_PLAIN },

    { "*BatchNorm*", NULL, batch_norm, MODULE_PLAIN },
    { "*InstanceNorm*", NULL, instance_norm, MODULE_PLAIN },
    { "*GroupNorm*", NULL, group_norm, MODULE_PLAIN },
    { "*RMSNorm* *RmsNorm*", NULL, rms_norm, MODULE_NORM },
    { "*LayerNorm*", NULL, layer_norm, MODULE_NORM },
    { "*Norm", NULL, rms_norm, MODULE_NORM },

    { "PReLU", NULL, prelu, MODULE_PLAIN },
    { "LSTM*", NULL, lstm, MODULE_PLAIN },
    { "GRU*", NULL, gru, MODULE_PLAIN },
    { "RNN*", NULL, rnn, MODULE_PLAIN },
    { "MultiheadAttention", NULL, NULL, MODULE_ATTENTION },

    /* no parameters: containers, activations, pooling, padding, losses */
    { "ModuleList ModuleDict Sequential ParameterList ParameterDict", NULL, nothing, MODULE_PLAIN },
    { "BufferDict Identity *Dropout* *DropPath *StochasticDepth", NULL, nothing, MODULE_PLAIN },
    { "XIELU*", NULL, NULL, MODULE_PLAIN }, /* an activation with parameters */
    { "*Activation *G[Ee][Ll][Uu] *GELU* *ReLU *ReLU6", NULL, nothing, MODULE_PLAIN },
    { "*S[iw][LI][UG][Ll]U*", NULL, NULL, MODULE_PLAIN }, /* SwiGLU may hold its matrices */
    { "SiLU Swish Mish [CS]ELU ELU Hard* Tanh* *Sigmoid *Softmax*", NULL, nothing, MODULE_PLAIN },
    { "Soft[ps]* Threshold *Loss *MaxPool* *AvgPool* *Pad[123]d", NULL, nothing, MODULE_PLAIN },
    { "*SamePadLayer Flatten Unflatten Unfold Fold Upsample*", NULL, nothing, MODULE_PLAIN },
    { "Pixel*huffle CosineSimilarity *GradientCheckpoint*", NULL, nothing, MODULE_PLAIN },
};
/* clang-format on */

static const struct class_rule *rule_of(const struct module *m, const struct arguments *a)
{
    numel_str class = text_after(m->class, '.'); /* "lora.Linear", "nn.Linear" */
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (text_globs(text_of(table[i].patterns), class) && (!table[i].key || argument(a, table[i].key, -1)))
            return &table[i];
    return NULL;
}

NUMEL_MUST static bool sum_own(struct printout *p, struct module *m)
{
    m->elements = 0;
    for (uint32_t i = 0; i < m->parameters; i++)
        if (!num_add(&m->elements, m->elements, p->parameters[m->parameter + i].elements))
            return error_set(p->error, NUMEL_E_OVERFLOW, NUMEL_NOWHERE,
                             "line %" PRIu32 ": parameters that do not fit in 64 bits", m->line);
    return true;
}

bool module_count_own(struct printout *p, struct module *m)
{
    struct counting c = { .p = p, .m = m, .ok = true };
    cut_arguments(&c.a, m->args);
    const struct class_rule *rule = rule_of(m, &c.a);
    m->parameter = (uint32_t)p->parameter_count;
    m->parameters = 0;
    m->shows = SHOWS_NO_SIZE;
    m->kind = rule ? (uint8_t)rule->kind : MODULE_PLAIN;
    if (!rule || !rule->count) return true;
    rule->count(&c);
    if (c.failed) return false;
    if (c.ok) m->shows = m->parameters ? SHOWS_SIZES : SHOWS_NOTHING;
    if (!m->parameters) m->kind = rule->kind == MODULE_PACKED4 ? MODULE_PLAIN : m->kind;
    return sum_own(p, m);
}

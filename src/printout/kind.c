/*
 * kind.c -- writing a tree: the arguments of torch's modules, a function and a table row for each.
 *
 * The text is that of each class's extra_repr(), to the byte; products of sizes are checked for overflow,
 * since they may come from a file.
 */
#include "printout/kind.h"

#include "base/text.h"

/* ---- values ------------------------------------------------------------------------------- */

/* A number that torch keeps as a float: 0 in a configuration was 0.0. */
static void put_float(const struct leaf *l, unsigned i, double absent, struct buffer *out)
{
    const struct value *v = &l->values[i];
    if (!l->given[i] || v->kind == VALUE_NULL) python_float(out, absent);
    else if (v->kind == VALUE_INT) python_float(out, (double)v->i);
    else python_value(out, v);
}

/* `, key=value` if the value is given and not null. */
static void put_optional(const struct leaf *l, unsigned i, const char *key, struct buffer *out)
{
    if (!l->given[i] || l->values[i].kind == VALUE_NULL) return;
    buffer_format(out, ", %s=", key);
    python_value(out, &l->values[i]);
}

static bool flag(const struct leaf *l, unsigned i, bool absent)
{
    return l->given[i] && l->values[i].kind == VALUE_BOOL ? l->values[i].b : absent;
}

static const char *python_bool(bool b) { return b ? "True" : "False"; }

/* (n,) or (n, m) */
static void put_tuple(const uint64_t *dims, uint32_t n, struct buffer *out)
{
    buffer_char(out, '(');
    for (uint32_t i = 0; i < n; i++) buffer_format(out, i ? ", %" PRIu64 : "%" PRIu64, dims[i]);
    buffer_text(out, n == 1 ? ",)" : ")");
}

/* ---- kinds -------------------------------------------------------------------------------- */

static bool linear(const struct leaf *l, struct buffer *out)
{
    if (l->ndim != 2) return false;
    buffer_format(out, "in_features=%" PRIu64 ", out_features=%" PRIu64 ", bias=%s", l->dims[1], l->dims[0],
                  python_bool(l->bias));
    return true;
}

/* transformers' Conv1D, a linear map that stores [in, out] */
static bool conv1d_of_gpt2(const struct leaf *l, struct buffer *out)
{
    if (l->ndim != 2) return false;
    buffer_format(out, "nf=%" PRIu64 ", nx=%" PRIu64, l->dims[1], l->dims[0]);
    return true;
}

/* padding_idx; -1 counts from the end */
static bool embedding(const struct leaf *l, struct buffer *out)
{
    if (l->ndim != 2) return false;
    buffer_format(out, "%" PRIu64 ", %" PRIu64, l->dims[0], l->dims[1]);
    struct leaf own = *l;
    if (l->values[0].kind == VALUE_INT && l->values[0].i < 0 && l->dims[0] <= INT64_MAX)
        own.values[0].i += (int64_t)l->dims[0];
    put_optional(&own, 0, "padding_idx", out);
    return true;
}

static bool layer_norm(const struct leaf *l, struct buffer *out)
{
    put_tuple(l->dims, l->ndim, out);
    buffer_text(out, ", eps=");
    put_float(l, 0, 1e-5, out);
    buffer_format(out, ", elementwise_affine=%s", python_bool(flag(l, 1, true)));
    if (l->says_bias) buffer_format(out, ", bias=%s", python_bool(l->bias));
    return true;
}

static bool rms_norm(const struct leaf *l, struct buffer *out)
{
    put_tuple(l->dims, l->ndim, out);
    buffer_text(out, ", eps=");
    put_float(l, 0, 1e-6, out);
    return true;
}

/* groups, eps */
static bool group_norm(const struct leaf *l, struct buffer *out)
{
    if (l->ndim != 1 || !l->given[0]) return false;
    python_value(out, &l->values[0]);
    buffer_format(out, ", %" PRIu64 ", eps=", l->dims[0]);
    put_float(l, 1, 1e-5, out);
    buffer_text(out, ", affine=True");
    if (l->says_bias) buffer_text(out, ", bias=True");
    return true;
}

/* eps, momentum */
static bool batch_norm(const struct leaf *l, struct buffer *out)
{
    if (l->ndim != 1) return false;
    buffer_format(out, "%" PRIu64 ", eps=", l->dims[0]);
    put_float(l, 0, 1e-5, out);
    buffer_text(out, ", momentum=");
    put_float(l, 1, 0.1, out);
    buffer_text(out, ", affine=True");
    if (l->says_bias) buffer_text(out, ", bias=True");
    buffer_text(out, ", track_running_stats=True");
    return true;
}

/* A number applies to all axes, a list has one for each, a text is printed as it is. */
static void put_axes(const struct value *v, uint32_t axes, struct buffer *out)
{
    if (v->kind != VALUE_INT) {
        python_value(out, v);
        return;
    }
    buffer_char(out, '(');
    for (uint32_t i = 0; i < axes; i++) buffer_format(out, i ? ", %" PRId64 : "%" PRId64, v->i);
    buffer_text(out, axes == 1 ? ",)" : ")");
}

/* The value, if it is given and differs from the number that torch omits. */
static void put_unless(const struct leaf *l, unsigned i, int64_t plain, const char *key, struct buffer *out)
{
    const struct value *v = &l->values[i];
    if (!l->given[i] || v->kind == VALUE_NULL || (v->kind == VALUE_INT && v->i == plain)) return;
    buffer_format(out, ", %s=", key);
    put_axes(v, l->ndim - 2, out);
}

/* The number of groups: 1 if not given, one for each output if negative. */
static uint64_t groups_of(const struct leaf *l)
{
    const struct value *v = &l->values[3];
    if (!l->given[3] || v->kind != VALUE_INT || !v->i) return 1;
    return v->i > 0 ? (uint64_t)v->i : l->dims[0];
}

/* stride="kernel": patches side by side */
static bool steps_by_kernel(const struct leaf *l)
{
    return l->given[0] && l->values[0].kind == VALUE_TEXT && text_equal(l->values[0].s, "kernel");
}

/* stride, padding, dilation, groups, padding_mode */
static bool conv(const struct leaf *l, bool transposed, struct buffer *out)
{
    static const struct value one = { .kind = VALUE_INT, .i = 1 };
    uint64_t grouped, groups = l->ndim < 3 ? 0 : groups_of(l);
    if (l->ndim < 3 || __builtin_mul_overflow(l->dims[1], groups, &grouped)) return false;
    buffer_format(out, "%" PRIu64 ", %" PRIu64 ", kernel_size=", transposed ? l->dims[0] : grouped,
                  transposed ? grouped : l->dims[0]);
    put_tuple(l->dims + 2, l->ndim - 2, out);
    buffer_text(out, ", stride=");
    if (steps_by_kernel(l)) put_tuple(l->dims + 2, l->ndim - 2, out);
    else put_axes(l->given[0] ? &l->values[0] : &one, l->ndim - 2, out);
    put_unless(l, 1, 0, "padding", out);
    put_unless(l, 2, 1, "dilation", out);
    if (transposed) put_unless(l, 5, 0, "output_padding", out);
    if (groups > 1) buffer_format(out, ", groups=%" PRIu64, groups);
    if (!l->bias) buffer_text(out, ", bias=False");
    put_optional(l, 4, "padding_mode", out);
    return true;
}

static bool plain_conv(const struct leaf *l, struct buffer *out) { return conv(l, false, out); }
static bool turned_conv(const struct leaf *l, struct buffer *out) { return conv(l, true, out); }

static bool nothing(const struct leaf *l, struct buffer *out)
{
    (void)l, (void)out;
    return true;
}

static bool dropout(const struct leaf *l, struct buffer *out)
{
    buffer_text(out, "p=");
    put_float(l, 0, 0.5, out);
    buffer_text(out, ", inplace=False");
    return true;
}

/* As torch.linspace() computes it: in single precision, from the nearer end, each sum rounded once.
 * (Products and sums of such numbers are exact in a double.) */
static double single_rate(double rate, int64_t at, int64_t of)
{
    float end = (float)rate, step = end / (float)(of - 1);
    bool near = at < of / 2;
    return (double)(float)(near ? (double)step * (double)at
                                : (double)end - (double)step * (double)(of - 1 - at));
}

/* As numpy and Python compute it, in double precision. */
static double double_rate(double rate, int64_t at, int64_t of, bool numpy)
{
    if (!numpy) return rate * (double)at / (double)(of - 1);
    return at == of - 1 ? rate : rate / (double)(of - 1) * (double)at;
}

/* rate, at, of: the rate grows from 0 at the first block to `rate` at the last; by: how it is computed,
 * "torch" by default, "numpy" or "python". */
static bool drop_path(const struct leaf *l, struct buffer *out)
{
    const struct value *v = l->values;
    bool fits = l->given[0] && l->given[1] && l->given[2] && v[1].kind == VALUE_INT &&
                v[2].kind == VALUE_INT && v[2].i > 1 && v[1].i >= 0 && v[1].i < v[2].i;
    if (!fits || (v[0].kind != VALUE_REAL && v[0].kind != VALUE_INT)) return false;
    double rate = v[0].kind == VALUE_REAL ? v[0].r : (double)v[0].i;
    numel_str by = l->given[3] && v[3].kind == VALUE_TEXT ? v[3].s : text_of("torch");
    bool numpy = text_equal(by, "numpy"), python = text_equal(by, "python");
    if (!numpy && !python && !text_equal(by, "torch")) return false;
    buffer_text(out, "p=");
    python_float(out, numpy || python ? double_rate(rate, v[1].i, v[2].i, numpy)
                                      : single_rate(rate, v[1].i, v[2].i));
    return true;
}

/* ---- activations -------------------------------------------------------------------------- */

/* transformers' ACT2FN: the name in a configuration, and its printed module. */
static const struct {
    const char *name, *print;
} activations[] = {
    { "gelu", "GELUActivation()" },
    { "gelu_10", "ClippedGELUActivation()" },
    { "gelu_accurate", "AccurateGELUActivation()" },
    { "gelu_fast", "FastGELUActivation()" },
    { "gelu_new", "NewGELUActivation()" },
    { "gelu_python", "GELUActivation()" },
    { "gelu_python_tanh", "GELUTanh()" },
    { "gelu_pytorch_tanh", "GELUTanh()" },
    { "laplace", "LaplaceActivation()" },
    { "leaky_relu", "LeakyReLU(negative_slope=0.01)" },
    { "linear", "LinearActivation()" },
    { "mish", "MishActivation()" },
    { "prelu", "PReLU(num_parameters=1)" },
    { "quick_gelu", "QuickGELUActivation()" },
    { "relu", "ReLU()" },
    { "relu2", "ReLUSquaredActivation()" },
    { "relu6", "ReLU6()" },
    { "sigmoid", "Sigmoid()" },
    { "silu", "SiLUActivation()" },
    { "swish", "SiLU()" },
    { "tanh", "Tanh()" },
    { "xielu", "XIELUActivation()" },
};

static bool activation(const struct leaf *l, struct buffer *out)
{
    if (!l->given[0] || l->values[0].kind != VALUE_TEXT) return false;
    for (size_t i = 0; i < sizeof activations / sizeof *activations; i++)
        if (text_equal(l->values[0].s, activations[i].name)) {
            buffer_text(out, activations[i].print);
            return true;
        }
    return false;
}

/* ---- the table ---------------------------------------------------------------------------- */

#define CONV_KEYS "stride padding dilation groups padding_mode output_padding"

static const struct kind kinds[] = {
    { "Activation", "of", activation, KIND_NAMED },
    { "BatchNorm1d", "eps momentum", batch_norm, KIND_SIZED },
    { "BatchNorm2d", "eps momentum", batch_norm, KIND_SIZED },
    { "Conv1D", "", conv1d_of_gpt2, KIND_SIZED },
    { "Conv1d", CONV_KEYS, plain_conv, KIND_SIZED },
    { "Conv2d", CONV_KEYS, plain_conv, KIND_SIZED },
    { "Conv3d", CONV_KEYS, plain_conv, KIND_SIZED },
    { "ConvTranspose1d", CONV_KEYS, turned_conv, KIND_SIZED },
    { "ConvTranspose2d", CONV_KEYS, turned_conv, KIND_SIZED },
    { "DropPath", "rate at of by", drop_path, KIND_PLAIN },
    { "Dropout", "p", dropout, KIND_PLAIN },
    { "Embedding", "padding_idx", embedding, KIND_SIZED },
    { "GroupNorm", "groups eps", group_norm, KIND_SIZED },
    { "LayerNorm", "eps affine", layer_norm, KIND_SIZED },
    { "Linear", "", linear, KIND_SIZED },
    { "ModuleList", "", nothing, KIND_FOLDS },
    { "RMSNorm", "eps", rms_norm, KIND_SIZED },
};

const struct kind *kind_by_name(numel_str name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (text_equal(name, kinds[i].name)) return &kinds[i];
    return NULL;
}

int kind_key(const struct kind *k, numel_str key)
{
    const char *at = k->keys;
    for (int i = 0; *at; i++) {
        size_t n = strcspn(at, " ");
        if (text_same(key, (numel_str){ at, n })) return i;
        at += n + (at[n] == ' ');
    }
    return -1;
}

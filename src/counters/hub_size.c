/*
 * hub_size.c -- the Hub's "Model size", rule by rule as in huggingface.js: the method named by config.json,
 * the tensors skipped as scales, and the factors for packed tensors.
 *
 * The lists of names are those of huggingface.js, including its mistakes. Do not merge them with numel's own
 * meanings of names (model/meaning.h): a name added there would be unknown to the Hub. hub_size.h states the
 * version.
 */
#include "counters/hub_size.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>

/* ---- names -------------------------------------------------------------------------------- */

/* "weight_scale" in "model.q_proj.weight_scale"; the whole name if it has no dot. */
static numel_str suffix_of(numel_str name)
{
    size_t i = name.n;
    while (i > 0 && name.p[i - 1] != '.') i--;
    return text_from(name, i);
}

/* The part before the last dot; the whole name if it has none. */
static numel_str module_of(numel_str name)
{
    numel_str head = text_head(name, '.');
    return head.n ? text_less(head, 1) : name;
}

/* Index of the last (or first) occurrence of `part` in `s`; s.n if there is none. */
static size_t find_part(numel_str s, const char *part, bool last)
{
    size_t n = strlen(part), found = s.n;
    for (size_t i = 0; i + n <= s.n; i++) {
        if (memcmp(s.p + i, part, n) != 0) continue;
        found = i;
        if (!last) break;
    }
    return found;
}

static bool holds(numel_str s, const char *part) { return *part == 0 || find_part(s, part, false) < s.n; }

static bool one_of(numel_str s, const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        if (text_equal(s, words[i])) return true;
    return false;
}

/* "model.layers.0.q_proj" in "model.layers.0.q_proj.weight_packed". */
static numel_str weight_module(numel_str name)
{
    return (numel_str){ name.p, find_part(name, ".weight", true) };
}

/* True if a target of compressed-tensors matches: a module's name, or "re:" and a Python expression. Only
 * `.*`, `\.` and the anchors are supported; expressions with anything else match nothing. */
static bool target_matches(const char *target, numel_str module)
{
    char glob[512];
    size_t n = 0;
    if (strncmp(target, "re:", 3) != 0) return text_equal(module, target);
    target += 3;
    if (*target == '^') target++;
    size_t len = strlen(target);
    bool anchored = len && target[len - 1] == '$';
    if (anchored) len--;
    if (len + 3 > sizeof glob) return false;
    for (size_t i = 0; i < len; i++) {
        bool pair = i + 1 < len;
        if (pair && target[i] == '.' && target[i + 1] == '*') glob[n++] = target[++i];
        else if (pair && target[i] == '\\' && target[i + 1] == '.') glob[n++] = target[++i];
        else if (strchr("\\+?()[]{}|^$", target[i])) return false;
        else glob[n++] = target[i];
    }
    if (!anchored) glob[n++] = '*';
    glob[n] = 0;
    return text_glob_stars(glob, module);
}

/* ---- the configuration -------------------------------------------------------------------- */

static const char *text_at(const json_value *object, const char *key)
{
    return json_text_of(json_get(object, key));
}

static int64_t integer_at(const json_value *object, const char *key)
{
    int64_t v = 0;
    return json_integer(json_get(object, key), &v) ? v : 0;
}

static bool lower_equal(const char *a, const char *lower)
{
    for (; *a && *lower; a++, lower++)
        if (tolower((unsigned char)*a) != *lower) return false;
    return *a == *lower;
}

/* The width in a format's name: 4 for "mxfp4-pack-quantized"; 0 if there is none. */
static unsigned bits_of_format(const char *format)
{
    static const char *const four[] = { "nvfp4", "mxfp4", "fp4", "int4", "uint4", "nf4" };
    char lower[64];
    size_t n = 0;
    if (!format) return 0;
    for (; format[n] && n + 1 < sizeof lower; n++) lower[n] = (char)tolower((unsigned char)format[n]);
    lower[n] = 0;
    for (size_t i = 0; i < sizeof four / sizeof *four; i++)
        if (strstr(lower, four[i])) return 4;
    return strstr(lower, "int2") ? 2 : 0;
}

/* ---- MLX ---------------------------------------------------------------------------------- */

static const struct {
    const char *mode;
    unsigned bits, group; /* defaults; except for affine, the only values allowed */
} mlx_modes[] = { { "affine", 4, 64 }, { "mxfp4", 4, 32 }, { "nvfp4", 4, 16 }, { "mxfp8", 8, 32 } };

/* Gets an integer of the object, or `otherwise` if it is missing; false if it is not an integer. */
static bool mlx_number(const json_value *object, const char *key, unsigned otherwise, int64_t *v)
{
    const json_value *is = json_get(object, key);
    *v = otherwise;
    return json_kind(is) == JSON_NULL || json_integer(is, v);
}

/* The bits of an object with bits, group_size and mode; 0 if MLX does not support them. *mode is an index,
 * 0 for "affine". */
static unsigned mlx_parameters(const json_value *object, unsigned *mode)
{
    const json_value *mode_is = json_get(object, "mode");
    const char *name = mode_is ? json_text_of(mode_is) : "affine";
    int64_t bits, group;
    if (!name) return 0;
    for (*mode = 0; *mode < 4; (*mode)++)
        if (lower_equal(name, mlx_modes[*mode].mode)) break;
    if (*mode == 4 || !mlx_number(object, "bits", mlx_modes[*mode].bits, &bits) ||
        !mlx_number(object, "group_size", mlx_modes[*mode].group, &group))
        return 0;
    bool affine = (bits >= 2 && bits <= 8 && bits != 7) && (group == 32 || group == 64 || group == 128);
    bool fixed = bits == mlx_modes[*mode].bits && group == mlx_modes[*mode].group;
    return (*mode == 0 ? affine : fixed) ? (unsigned)bits : 0;
}

static bool says_mlx(const json_value *object)
{
    unsigned mode;
    bool fields = json_get(object, "bits") || json_get(object, "group_size") || json_get(object, "mode");
    return fields && mlx_parameters(object, &mode);
}

/* MLX writes no quant_method, so its files are recognised by parameters that MLX supports. */
static bool is_mlx(const json_value *quant)
{
    const json_value *method = json_get(quant, "quant_method");
    const char *name = json_text_of(method);
    if (json_kind(quant) != JSON_OBJECT || (method && !(name && lower_equal(name, "mlx")))) return false;
    if (says_mlx(quant)) return true;
    for (const json_value *c = json_first(quant); c; c = json_next(c))
        if (json_kind(c) == JSON_OBJECT && says_mlx(c)) return true;
    return false;
}

/* The bits of a module, which may have parameters of its own; 0 if it is not quantized. */
static unsigned mlx_of_module(const struct hub_size *h, numel_str module, unsigned *mode)
{
    const json_value *own = json_at(h->quant, module);
    if (json_kind(own) == JSON_BOOL && !json_true(own)) return 0;
    return mlx_parameters(json_kind(own) == JSON_OBJECT ? own : h->quant, mode);
}

static const numel_tensor *sibling(const struct hub_size *h, numel_str module, const char *end)
{
    char name[600];
    numel_str full = text_join(name, sizeof name, module, text_of(end), (numel_str){ NULL, 0 });
    return full.p ? registry_find(h->registry, full) : NULL;
}

/* The bits of a module with a packed weight: 32-bit words with scales, and with zero points if affine.
 * Else 0. */
static unsigned mlx_packed(const struct hub_size *h, numel_str module, unsigned *mode)
{
    unsigned bits = mlx_of_module(h, module, mode);
    const numel_tensor *weight = bits ? sibling(h, module, ".weight") : NULL;
    bool packed = weight && strcmp(weight->dtype->name, "U32") == 0 && sibling(h, module, ".scales") &&
                  (*mode != 0 || sibling(h, module, ".biases"));
    return packed ? bits : 0;
}

unsigned hub_size_mlx_bits(const struct hub_size *h, numel_str name)
{
    unsigned mode;
    if (h->method != HUB_MLX || !text_equal(suffix_of(name), "weight")) return 0;
    return mlx_packed(h, module_of(name), &mode);
}

/* ---- the method --------------------------------------------------------------------------- */

static const json_value *quant_of(struct hub_size *h, const json_value *config)
{
    const json_value *mlx = json_get(config, "quantization");
    const json_value *quant = json_get(config, "quantization_config");
    if (h->vintage == HUB_SPRING_2026) return quant;
    if (is_mlx(mlx)) quant = mlx;
    if (is_mlx(quant)) h->method = HUB_MLX;
    return quant;
}

static enum hub_method method_of(const struct hub_size *h)
{
    static const struct {
        const char *name;
        enum hub_method method;
        enum hub_vintage since;
    } methods[] = {
        { "mxfp4", HUB_MXFP4, HUB_SPRING_2026 },
        { "gptq", HUB_GPTQ, HUB_SPRING_2026 },
        { "awq", HUB_GPTQ, HUB_SPRING_2026 },
        { "bitsandbytes", HUB_BITSANDBYTES, HUB_SPRING_2026 },
        { "compressed-tensors", HUB_COMPRESSED, HUB_SEPTEMBER_2026 },
        { "fp8", HUB_FP8, HUB_SEPTEMBER_2026 },
    };
    const char *name = text_at(h->quant, "quant_method");
    if (!h->quant) return HUB_NOT_QUANTIZED;
    if (h->method == HUB_MLX) return HUB_MLX;
    for (size_t i = 0; name && i < sizeof methods / sizeof *methods; i++)
        if (lower_equal(name, methods[i].name) && h->vintage >= methods[i].since) return methods[i].method;
    return HUB_OTHER_METHOD;
}

void hub_size_init(struct hub_size *h, enum hub_vintage vintage, const struct registry *r,
                   const json_value *config)
{
    const json_value *text = json_get(config, "text_config");
    *h = (struct hub_size){ .registry = r, .vintage = vintage };
    h->quant = quant_of(h, config);
    if (json_kind(h->quant) != JSON_OBJECT) h->quant = vintage == HUB_SPRING_2026 ? NULL : quant_of(h, text);
    if (json_kind(h->quant) != JSON_OBJECT) h->quant = NULL;
    h->method = method_of(h);
    const json_value *expert = json_get(h->quant, "expert_dtype");
    if (json_kind(expert) == JSON_NULL) expert = json_get(config, "expert_dtype");
    if (json_kind(expert) == JSON_NULL) expert = json_get(text, "expert_dtype");
    if (json_kind(expert) == JSON_NULL) expert = json_get(h->quant, "store_dtype");
    h->expert_bits = bits_of_format(json_text_of(expert));
}

/* ---- skipped tensors ---------------------------------------------------------------------- */

static const char *const exponent_types[] = { "F8_E8M0", "E8M0", "UE8", NULL };

/* clang-format off */
static const char *const sidecars[] = {
    "weight_scale", "weight_scale_inv", "weight_scale_2", "weight_global_scale", "weight_zero_point",
    "input_scale", "input_global_scale", "input_zero_point", "zero_point", "weight_shape",
    "weight_g_idx", NULL,
};
/* clang-format on */
static const char *const gptq_sidecars[] = { "qzeros", "g_idx", "scales", NULL };
static const char *const bnb_sidecars[] = { "absmax", "quant_map", "nested_absmax", "nested_quant_map",
                                            NULL };

/* A pattern with `*` matches the whole name; until spring 2026, it matched any part of it. */
static bool excepts(const struct hub_size *h, const char *pattern, numel_str name)
{
    char wide[512];
    if (h->vintage != HUB_SPRING_2026) return text_glob_stars(pattern, name);
    numel_str all = text_join(wide, sizeof wide - 1, text_of("*"), text_of(pattern), text_of("*"));
    if (!all.p) return false;
    wide[all.n] = 0;
    return text_glob_stars(wide, name);
}

/* True if the tensor's module is quantized, according to the lists of exceptions. */
static bool is_quantized(const struct hub_size *h, numel_str name)
{
    const json_value *ignore = json_get(h->quant, "ignore");
    const json_value *except = json_get(h->quant, "modules_to_not_convert");
    unsigned mode;
    if (h->method == HUB_MLX) return mlx_packed(h, module_of(name), &mode) != 0;
    bool list = json_kind(ignore) == JSON_ARRAY && h->vintage == HUB_SEPTEMBER_2026;
    for (const json_value *c = list ? json_first(ignore) : NULL; c; c = json_next(c))
        if (json_text_of(c) && target_matches(json_text_of(c), weight_module(name))) return false;
    if (json_kind(except) != JSON_ARRAY) return true;
    for (const json_value *c = json_first(except); c; c = json_next(c)) {
        const char *pattern = json_text_of(c);
        if (!pattern) continue;
        if (strchr(pattern, '*') ? excepts(h, pattern, name) : holds(name, pattern)) return false;
    }
    return true;
}

static bool method_skips(const struct hub_size *h, const numel_tensor *t)
{
    numel_str end = suffix_of(t->name);
    unsigned mode;
    bool now = h->vintage == HUB_SEPTEMBER_2026;
    switch (h->method) {
    case HUB_MLX:
        return mlx_packed(h, module_of(t->name), &mode) &&
               (text_equal(end, "scales") || (text_equal(end, "biases") && mode == 0));
    case HUB_MXFP4: return now && strcmp(t->dtype->name, "U8") == 0 && text_ends(end, "_scales");
    case HUB_BITSANDBYTES: return now && (one_of(end, bnb_sidecars) || text_starts(end, "bitsandbytes__"));
    case HUB_GPTQ: return is_quantized(h, t->name) && one_of(end, gptq_sidecars);
    default: return false;
    }
}

static const struct line_code *skipped(const struct hub_size *h, const numel_tensor *t)
{
    if (h->vintage == HUB_SEPTEMBER_2026) {
        if (one_of(text_of(t->dtype->name), exponent_types)) return &others_codes[OTHERS_EXPONENTS];
        if (h->quant && one_of(suffix_of(t->name), sidecars)) return &others_codes[OTHERS_SCALES_BY_NAME];
    }
    if (h->quant && method_skips(h, t)) return &others_codes[OTHERS_SCALES_BY_NAME];
    return t->ndim == 0 ? &others_codes[OTHERS_SCALARS] : NULL;
}

/* ---- factors of packed tensors ------------------------------------------------------------ */

static const struct hub_part as_stored = { 1, 1, NULL };

static unsigned container_bits(const numel_tensor *t)
{
    const char *type = t->dtype->name;
    if (type[0] != 'U' && type[0] != 'I') return 0;
    if (strcmp(type + 1, "8") == 0) return 8;
    if (strcmp(type + 1, "16") == 0) return 16;
    return strcmp(type + 1, "32") == 0 ? 32 : 0;
}

/* The number of `bits`-wide values in the tensor's integers, as a ratio, since 3 bits do not divide 32. */
static struct hub_part unpacked(const numel_tensor *t, int64_t bits)
{
    unsigned container = container_bits(t);
    if (bits <= 0 || !container || bits >= (int64_t)container) return as_stored;
    return (struct hub_part){ container, (uint64_t)bits, NULL };
}

/* The first group of config_groups with a target that matches the module, or NULL. */
static const json_value *group_of(const json_value *groups, numel_str module)
{
    for (const json_value *g = json_first(groups); g; g = json_next(g))
        for (const json_value *c = json_first(json_get(g, "targets")); c; c = json_next(c))
            if (json_text_of(c) && target_matches(json_text_of(c), module)) return g;
    return NULL;
}

static struct hub_part compressed(const struct hub_size *h, const numel_tensor *t)
{
    const json_value *groups = json_get(h->quant, "config_groups");
    const json_value *group = group_of(groups, weight_module(t->name));
    const char *format = text_at(group, "format");
    if (!format) format = text_at(h->quant, "format");
    static const char packs[] = "pack-quantized";
    size_t n = format ? strlen(format) : 0;
    if (n < sizeof packs - 1 || !lower_equal(format + n - (sizeof packs - 1), packs)) return as_stored;
    int64_t bits = integer_at(json_get(group, "weights"), "num_bits");
    for (const json_value *g = json_first(groups); g && bits == 0; g = json_next(g))
        bits = integer_at(json_get(g, "weights"), "num_bits");
    if (bits == 0) bits = bits_of_format(format);
    return unpacked(t, bits ? bits : 4);
}

static struct hub_part gptq(const struct hub_size *h, const numel_tensor *t)
{
    int64_t bits = integer_at(h->quant, "bits");
    bool bytes = strcmp(t->dtype->name, "U8") == 0;
    if (text_equal(suffix_of(t->name), "qweight"))
        return (struct hub_part){ bits <= 0 ? 8 : bits > 32 ? 1 : 32 / (uint64_t)bits, 1, NULL };
    return bytes && (bits == 4 || bits == 2) ? unpacked(t, bits) : as_stored;
}

static struct hub_part multiplied(const struct hub_size *h, const numel_tensor *t)
{
    bool bytes = strcmp(t->dtype->name, "U8") == 0;
    bool four = json_true(json_get(h->quant, "load_in_4bit"));
    switch (h->method) {
    case HUB_MLX: return unpacked(t, hub_size_mlx_bits(h, t->name));
    case HUB_MXFP4: return bytes && holds(t->name, "_blocks") ? unpacked(t, 4) : as_stored;
    case HUB_GPTQ: return gptq(h, t);
    case HUB_COMPRESSED: return container_bits(t) ? compressed(h, t) : as_stored;
    case HUB_FP8:
        return holds(t->name, ".experts.") && !holds(t->name, "shared_experts") ? unpacked(t, h->expert_bits)
                                                                                : as_stored;
    case HUB_BITSANDBYTES: return bytes && four ? unpacked(t, 4) : as_stored;
    case HUB_OTHER_METHOD:
        return bytes && (four || integer_at(h->quant, "bits") == 4) ? unpacked(t, 4) : as_stored;
    default: return as_stored;
    }
}

struct hub_part hub_size_part(const struct hub_size *h, const numel_tensor *t)
{
    const struct line_code *why = skipped(h, t);
    if (why) return (struct hub_part){ 0, 1, why };
    return h->quant && is_quantized(h, t->name) ? multiplied(h, t) : as_stored;
}

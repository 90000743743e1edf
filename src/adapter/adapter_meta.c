/*
 * adapter_meta.c -- what an adapter's file states about itself outside its weights: kohya's metadata (ss_*),
 * diffusers' metadata (lora_adapter_metadata, PEFT's configuration by component), and alphas, which are
 * scalar tensors. These must agree with the tensors; a contradiction is reported with both values.
 */
#include "adapter/adapter_internal.h"

#include "base/json_doc.h"
#include "base/num.h"
#include "base/number.h"
#include "base/text.h"
#include "registry/dtype.h"
#include "statement/line.h"
#include "source/stream.h"

#include <ctype.h>
#include <string.h>

numel_str meta_of(const struct adapter *a, const char *key)
{
    const struct metadata_entry *m = metadata_find(&a->ck->metadata, key);
    return m && m->type == META_STRING ? m->value.s : (numel_str){ NULL, 0 };
}

/* ---- alphas ------------------------------------------------------------------------------- */

static float half(uint32_t h)
{
    int exponent = (int)(h >> 10 & 31);
    float fraction = (float)(h & 1023) / 1024.0F, v;
    if (exponent == 31) return 0.0F;
    v = exponent ? 1.0F + fraction : fraction * 2.0F;
    for (; exponent > 15; exponent--) v *= 2.0F;
    for (; exponent < 15; exponent++) v /= 2.0F;
    return h >> 15 ? -v : v;
}

static bool number_of(const numel_tensor *t, const uint8_t p[8], double *v)
{
    const char *type = t->dtype ? t->dtype->name : "";
    uint32_t bits = (uint32_t)num_load(p, 4, false);
    float f;
    if (t->elements != 1) return false;
    if (strcmp(type, "I64") == 0 || strcmp(type, "I32") == 0) { /* whole numbers from LyCORIS */
        uint64_t n = num_load(p, type[1] == '6' ? 8 : 4, false);
        return *v = (double)n, n < 1000000000;
    }
    if (strcmp(type, "F16") == 0) return *v = (double)half(bits & 0xffff), true;
    if (strcmp(type, "BF16") == 0) bits <<= 16;
    else if (strcmp(type, "F32") != 0) return false;
    memcpy(&f, &bits, sizeof f);
    *v = (double)f;
    return *v > -1e15 && *v < 1e15;
}

const char *meta_number(struct adapter *a, double v)
{
    char text[NUMBER_REAL];
    number_real(text, v, NUMBER_SHORT, 9);
    return arena_text(a->arena, text, strlen(text));
}

/* Reads one alpha. Clears *known if its type is not supported here, or its size. */
NUMEL_MUST static bool read_alpha(const numel_tensor *t, struct stream *s, double *v, bool *known,
                                  numel_error *e)
{
    uint8_t p[8] = { 0 };
    *known = *known && t->file == 0 && t->bytes <= sizeof p;
    if (*known && !stream_read(s, t->offset, p, (size_t)t->bytes, e)) return false;
    *known = *known && number_of(t, p, v);
    return true;
}

/* Smallest and largest alpha. *known is false if there are none, or one cannot be read. */
NUMEL_MUST static bool read_alphas(const struct adapter *a, struct stream *s, double *least, double *most,
                                   bool *known, numel_error *e)
{
    bool any = false;
    *known = true;
    for (size_t i = 0; *known && i < a->module_count; i++) {
        double v = 0;
        if (a->modules[i].factor == NAMES_ABSENT) continue;
        if (!read_alpha(&a->ck->registry.tensors[a->modules[i].factor], s, &v, known, e)) return false;
        if (!any || v < *least) *least = v;
        if (!any || v > *most) *most = v;
        any = true;
    }
    *known = *known && any;
    return true;
}

bool meta_alphas(struct adapter *a, numel_error *e)
{
    const numel_file *f = &a->ck->files[0];
    double least = 0, most = 0;
    struct stream s;
    bool known = false;
    if (a->factors == 0 || f->compressed || f->header_only || f->data != NUMEL_DATA_PRESENT || a->ck->piped)
        return true;
    if (!stream_open(&s, f->path, e)) return false;
    stream_scattered(&s);
    bool ok = read_alphas(a, &s, &least, &most, &known, e);
    if (!stream_close(&s, e) || !ok) return false;
    /* zeros: the data were never written */
    if (!known || !(most > 0)) return true;
    a->alpha = meta_number(a, least);
    a->alpha_several = most > least;
    a->alpha_most = a->alpha_several ? meta_number(a, most) : NULL;
    return true;
}

/* ---- what was said ------------------------------------------------------------------------ */

static void say_base(struct adapter *a)
{
    static const char *const keys[] = { "ss_sd_model_name", "ss_base_model_version",
                                        "modelspec.architecture" };
    for (size_t i = 0; !a->base && i < sizeof keys / sizeof *keys; i++) {
        numel_str v = meta_of(a, keys[i]);
        if (v.n && !text_equal(v, "None")) a->base = name_shown(a->arena, v);
    }
}

/* "16", "16.0"; 0 unless it is a whole number. */
static uint64_t count_of(numel_str v)
{
    uint64_t n = 0;
    size_t i = 0;
    for (; i < v.n && i < 9 && v.p[i] >= '0' && v.p[i] <= '9'; i++) n = n * 10 + (uint64_t)(v.p[i] - '0');
    for (size_t k = i; k < v.n; k++)
        if (v.p[k] != '.' && v.p[k] != '0') return 0;
    return n;
}

/* Do kohya's network arguments give some modules another rank: "conv_dim", "block_dims", ...? */
static bool has_dims(numel_str arguments)
{
    return text_holds(arguments, text_of("dim")) || text_holds(arguments, text_of("rank")) ||
           text_holds(arguments, text_of("preset"));
}

/* kohya's programs write "None" for an option that was not set. */
static void compare_number(struct adapter *a, const char *key, bool fraction)
{
    numel_str v = meta_of(a, key);
    bool found = v.n == 0 || text_equal(v, "None") || count_of(v) > 0,
         number = fraction && v.n && isdigit((unsigned char)v.p[0]);
    for (size_t i = 0; number && i < v.n; i++) number = v.p[i] && strchr("0123456789.eE+-", v.p[i]);
    found |= number;
    const char *name = found ? NULL : name_shown(a->arena, v);
    if (name) adapter_disagree(a, arena_format(a->arena, "%s is %s, which is not a valid number", key, name));
}

/* The requested alpha must occur in some module, unless other arguments change it. */
static void compare_alpha(struct adapter *a)
{
    numel_str v = meta_of(a, "ss_network_alpha");
    uint64_t told = count_of(v);
    numel_str arguments = meta_of(a, "ss_network_args");
    bool more = text_holds(arguments, text_of("alpha")) || text_holds(arguments, text_of("rs_lora"));
    if (more || !told || !a->factors || !a->alpha) return;
    const char *word = meta_number(a, (double)told);
    if (!word || strcmp(word, a->alpha) == 0 || (a->alpha_most && strcmp(word, a->alpha_most) == 0)) return;
    adapter_disagree(
        a, arena_format(a->arena, "ss_network_alpha is %s, but the tensors have %s", word, a->alpha));
}

/* In kohya's LoRA all modules must have the requested rank, or at least one if other arguments set ranks.
 * Other methods choose their own factors. */
static void compare_dim(struct adapter *a)
{
    numel_str v = meta_of(a, "ss_network_dim");
    uint64_t told = count_of(v);
    bool found = told == 0 || a->ranks.count == 0 || a->ranks.more;
    bool own = text_starts(meta_of(a, "ss_network_module"), "networks.lora");
    if (own && !has_dims(meta_of(a, "ss_network_args")) && told && a->ranks.count > 1)
        adapter_disagree(a, arena_format(a->arena,
                                         "ss_network_dim is %" PRIu64
                                         ", but the tensors have ranks from %" PRIu64 " to %" PRIu64,
                                         told, a->ranks.least, a->ranks.most));
    for (unsigned i = 0; !found && i < a->ranks.count; i++) found = a->ranks.items[i] == told;
    if (!found)
        adapter_disagree(a, arena_format(a->arena,
                                         "ss_network_dim is %" PRIu64 ", but the tensors have rank %" PRIu64,
                                         told, a->ranks.items[0]));
}

NUMEL_MUST static char *lowered(struct adapter *a, numel_str v)
{
    char *own = arena_text(a->arena, v.p, v.n);
    for (char *p = own; p && *p; p++) *p = (char)tolower((unsigned char)*p);
    return own;
}

/* Does the pattern end in a size, "-8b*"? Other patterns cover models of many sizes. */
static bool tells_size(const char *glob)
{
    size_t n = strlen(glob);
    return n > 3 && isdigit((unsigned char)glob[n - 3]) && strcmp(glob + n - 2, "b*") == 0;
}

/* The stated base names a family. It is chosen if its weights fit; otherwise this is a contradiction. A
 * path is `chosen` by people: a size in it may be that of the unpruned original, so it proves nothing. */
static void compare_told(struct adapter *a, const char *key, numel_str v, bool chosen)
{
    bool fits;
    const char *own = v.n && a->fit_count ? lowered(a, v) : NULL;
    const struct adapter_family *told = own ? family_told(a, text_of(own), &fits) : NULL;
    if (!told) return;
    if (fits) {
        a->family = told->name;
        return;
    }
    const char *name = chosen && !tells_size(told->aka) ? NULL : name_shown(a->arena, v);
    const char *text = name ? arena_format(a->arena, "%s is %s, but the weights that it changes belong to %s",
                                           key, name, a->family ? a->family : a->fits[0])
                            : NULL;
    if (!chosen) adapter_disagree(a, text);
    else if (!a->hole) a->hole = text;
}

/* "unet.r": one object has the keys of all components. */
void meta_read(struct adapter *a)
{
    numel_str text = meta_of(a, "lora_adapter_metadata");
    numel_error ignored = { 0 };
    a->told = text.n ? json_doc_parse(text.p, text.n, &ignored) : NULL;
    a->arena->failed |= ignored.code == NUMEL_E_NOMEM;
}

static void say_alpha(struct adapter *a)
{
    for (size_t i = 0; i < a->module_count && a->told && !a->alpha; i++) {
        numel_str name = a->modules[i].name;
        const json_value *alpha = adapter_said(a, name, said_alpha_key(a, said_component(a, name)));
        if (json_kind(alpha) == JSON_NUMBER && json_double(alpha) < 1e15)
            a->alpha = meta_number(a, json_double(alpha));
    }
}

void meta_compare(struct adapter *a)
{
    uint64_t alpha = count_of(meta_of(a, "ss_network_alpha"));
    say_base(a);
    say_alpha(a);
    if (!a->alpha && alpha) a->alpha = arena_format(a->arena, "%" PRIu64, alpha);
    if (strcmp(a->type, "lora") == 0) {
        compare_dim(a);
        compare_number(a, "ss_network_dim", false);
    }
    /* for an unfactored LoKr, LyCORIS saves the rank as its alpha */
    if (text_lists(text_of("lora loha lokr"), text_of(a->type)) && a->ranks.count) compare_alpha(a);
    compare_number(a, "ss_network_alpha", true);
    compare_told(a, "ss_base_model_version", meta_of(a, "ss_base_model_version"), false);
    for (unsigned i = 0; i == 0 || said_component_name(i); i++) {
        const char *base = json_text_of(said_value(a, i, "base_model_name_or_path"));
        if (base) compare_told(a, "base_model_name_or_path", text_of(base), true);
    }
    claims_of_trainers(a);
    if (!a->family) a->fit_count = 0; /* neither sizes nor a stated base: any family would fit */
}

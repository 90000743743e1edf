/*
 * adapter_family.c -- finds the models that an adapter fits, by the sizes of the weights that it changes.
 *
 * A family fits only if each module of the adapter is one of its modules, with the same size. Several
 * families may fit (attention of FLUX.1 and of Chroma is the same). All are kept. The best leaves the fewest
 * modules unchanged in the rows that the adapter touches; the first in the table wins a tie.
 *
 * A row's pattern is compared with the module's name after its component ("unet.", "lora_te1_"). Numbers in
 * braces are ranges, a dot and kohya's underscore are equal, and "processor." may precede the last component.
 */
#include "adapter/adapter_internal.h"

#include "base/text.h"
#include "registry/prefixes.h"
#include "statement/line.h"

#include <ctype.h>
#include <string.h>

#define ROWS(t) (sizeof(t) / sizeof *(t))
enum { LONGEST = 600 };

static uint64_t number_at(const char **p)
{
    uint64_t n = 0;
    for (; isdigit((unsigned char)**p); (*p)++) n = n * 10 + (uint64_t)(**p - '0'); /* our tables': small */
    return n;
}

/* Reads the next range of "{0-3,7}", with *p at its brace or a comma. Returns false at the end, and moves
 * *p past it. */
static bool next_range(const char **p, uint64_t *least, uint64_t *most)
{
    if (*(*p)++ == '}') return false;
    *least = *most = number_at(p);
    if (**p == '-') {
        (*p)++;
        *most = number_at(p);
    }
    return true;
}

static bool number_in(const char **p, const char **s, const char *end)
{
    uint64_t least, most, n = 0;
    const char *from = *s;
    bool is = false;
    while (*s < end && isdigit((unsigned char)**s) && *s - from < 6) n = n * 10 + (uint64_t)(*(*s)++ - '0');
    while (next_range(p, &least, &most)) is |= n >= least && n <= most;
    return is && *s > from && (*from != '0' || *s == from + 1);
}

static bool is_joint(char c) { return c == '.' || c == '_'; }

static bool same_letter(char pattern, char name)
{
    return pattern == name || (is_joint(pattern) && is_joint(name));
}

/* Quick rejection: names that do not match a pattern nearly always differ in their last component, while
 * many begin alike. */
static bool may_end_so(const char *pattern, numel_str name)
{
    size_t n = strlen(pattern), k = name.n;
    if (text_ends(text_of(pattern), ".0")) return true; /* the name may omit it */
    while (n > 0 && k > 0) {
        char p = pattern[--n];
        if (p == '.' || p == '}') return true;
        if (!same_letter(p, name.p[--k])) return false;
    }
    return true;
}

static bool module_is(const char *pattern, numel_str name)
{
    const char *s = name.p, *end = name.p + name.n, *p = pattern;
    static const char between[] = "processor";
    if (!may_end_so(pattern, name)) return false;
    while (*p && s < end) {
        size_t n = sizeof between - 1;
        if (*p == '{') {
            if (!number_in(&p, &s, end)) return false;
        } else if (*s && same_letter(*p, *s)) {
            p++, s++;
            bool stands = p[-1] == '.' && (size_t)(end - s) > n + 1 && memcmp(s, between, n) == 0;
            if (stands && same_letter('.', s[n])) s += n + 1;
        } else {
            return false;
        }
    }
    return s == end && (*p == 0 || strcmp(p, ".0") == 0); /* "to_out.0" was "to_out" */
}

bool family_module_is(const char *pattern, numel_str name) { return module_is(pattern, name); }

bool family_in_fits(const struct adapter_module *m, uint64_t in)
{
    static const uint64_t kernels[] = { 1, 3, 9, 27 };
    bool fits = m->in == 0 || m->in == in;
    for (size_t i = 0; m->channels && i < ROWS(kernels); i++) fits |= in == m->in * kernels[i];
    return fits;
}

bool family_lesser_fits(const struct adapter_module *m, uint64_t out, uint64_t in)
{
    return m->told || (m->lesser && m->out == (out < in ? out : in));
}

/* Stacked experts have separate ranks, stored one after the other in each matrix of the pair. */
static bool size_fits(const struct family_row *r, const struct adapter_module *m)
{
    if (m->told || m->lesser) return family_lesser_fits(m, r->out, r->in);
    bool out = m->out == 0 || r->out == 0 || m->out == r->out;
    bool ranks = r->experts == 0 || (m->rank && m->rank % r->experts == 0);
    return out && ranks && family_in_fits(m, r->in) && (m->out || m->in);
}

/* A model inside another, or loaded without its head, lacks its own outer prefix. */
static bool row_is(const struct family_row *r, numel_str name)
{
    static const char *const outer[] = { "text_model.", "model.",    "transformer.", "bert.",
                                         "roberta.",    "gpt_neox.", "distilbert.",  "vit." };
    if (module_is(r->pattern, name)) return true;
    for (size_t i = 0; i < ROWS(outer); i++) {
        size_t n = strlen(outer[i]);
        if (strncmp(r->pattern, outer[i], n) == 0 && module_is(r->pattern + n, name)) return true;
    }
    return false;
}

unsigned family_part(numel_str component)
{
    if (text_lists(text_of("vae safety_checker image_encoder feature_extractor"), component))
        return FAMILY_PARTS;
    if (!text_take_start(&component, "text_encoder")) return 0;
    return component.n == 0 ? 1 : text_equal(component, "_2") ? 2 : text_equal(component, "_3") ? 3 : 0;
}

static unsigned part_of_prefix(const struct prefix *p)
{
    bool other = p->kind != SINGLE_DIFFUSION && p->kind != SINGLE_TEXT;
    return other ? FAMILY_PARTS : family_part(text_of(p->name));
}

unsigned family_component(numel_str *name, bool base)
{
    for (uint32_t i = 0; i < embedded_prefix_count; i++) {
        const struct prefix *p = &embedded_prefixes[i];
        if ((!p->adapter && (!base || !p->base)) || !prefix_is(p, *name)) continue;
        *name = text_from(*name, p->bytes);
        return part_of_prefix(p);
    }
    return 0;
}

static uint64_t times(const char *pattern)
{
    uint64_t all = 1, least, most;
    for (const char *p = strchr(pattern, '{'); p; p = strchr(p, '{')) {
        uint64_t numbers = 0;
        while (next_range(&p, &least, &most)) numbers += most - least + 1;
        all *= numbers; /* from our own tables: small */
    }
    return all;
}

/* Ignores sizes unless `sized`. */
static const struct family_row *find_in(const struct family_row *rows, const struct adapter_module *m,
                                        numel_str name, bool sized)
{
    for (const struct family_row *r = rows; r->pattern; r++)
        if ((!sized || size_fits(r, m)) && row_is(r, name)) return r;
    return NULL;
}

static const struct family_row *find_part(const struct adapter_family *f, unsigned part,
                                          const struct adapter_module *m, numel_str name, bool sized)
{
    const struct family_row *rows = part < FAMILY_PARTS ? f->parts[part] : NULL;
    if (!rows) return NULL;
    const struct family_row *r = find_in(rows, m, name, sized);
    numel_str bare = r ? name : names_bare(name);
    return r || bare.n == name.n ? r : find_in(rows, m, bare, sized);
}

/* Searches the component that the name gives, or all if it gives none. *guessed: the name gives none, and
 * the row belongs to a text encoder. */
static const struct family_row *find_called(const struct adapter_family *f, const struct adapter_module *m,
                                            numel_str own, bool sized, bool *guessed)
{
    const struct family_row *r = NULL;
    *guessed = false;
    for (uint32_t i = 0; !r && i < embedded_prefix_count; i++) {
        const struct prefix *p = &embedded_prefixes[i];
        if (p->adapter && prefix_is(p, own))
            r = find_part(f, part_of_prefix(p), m, text_from(own, p->bytes), sized);
    }
    for (unsigned part = 0; !r && part < FAMILY_PARTS; part++) {
        *guessed = part > 0;
        r = find_part(f, part, m, own, sized);
    }
    return r;
}

static const struct family_row *find_named(const struct adapter_family *f, const struct adapter_module *m,
                                           bool sized, bool *guessed)
{
    numel_str bare = names_bare(m->name);
    const struct family_row *r = find_called(f, m, m->name, sized, guessed);
    return r || bare.n == m->name.n ? r : find_called(f, m, bare, sized, guessed);
}

static const struct family_row *find_row(const struct adapter_family *f, const struct adapter_module *m,
                                         bool *guessed)
{
    return find_named(f, m, true, guessed);
}

/* A GGUF states its architecture. */
static bool arch_fits(const struct adapter *a, const struct adapter_family *f)
{
    const struct metadata_entry *m = metadata_find(&a->ck->metadata, "general.architecture");
    bool said = a->ck->files[0].format == NUMEL_GGUF && m && m->type == META_STRING;
    return !said || (f->arch && text_equal(m->value.s, f->arch));
}

/* ControlNets have fewer blocks of the same sizes as the model they control. Their adapters' names begin
 * with "controlnet.". */
static bool is_beside(const struct adapter *a, const struct adapter_family *f)
{
    bool told = a->control || (a->module_count && text_starts(a->modules[0].name, "controlnet."));
    return f->control && !told;
}

/* Distance between a family and the one that the adapter was made for: the number of modules left
 * unchanged in the rows that it touches. If the adapter changes only a few blocks, the count says little
 * about families other than language models: all are FEW away, so the first in the table wins, which more
 * people train. GUESSED is added if a module fits only a text encoder, and is not named so. Returns
 * UINT64_MAX if a module is not of the family. */
static uint64_t untouched(const struct adapter *a, const struct adapter_family *f)
{
    enum { TOUCHED = 512, FEW = 100000, GUESSED = 1000000 };
    const struct family_row *seen[TOUCHED];
    uint64_t all = 0, least = 0;
    size_t n = 0;
    if (!arch_fits(a, f)) return UINT64_MAX;
    for (size_t i = 0; i < a->module_count; i++) {
        bool guessed = false;
        const struct family_row *r = find_row(f, &a->modules[i], &guessed);
        size_t k = 0;
        if (!r) return UINT64_MAX;
        if (guessed) least = GUESSED;
        while (k < n && seen[k] != r) k++;
        if (k < n || n == TOUCHED) continue;
        seen[n++] = r;
        all += times(r->pattern);
    }
    uint64_t rest = all > a->module_count ? all - a->module_count : 0;
    bool few = !f->arch && rest * 5 > all;
    return least + (is_beside(a, f) ? 2 * FEW : few ? FEW : rest);
}

bool family_fits(const struct adapter *a, const struct adapter_family *f)
{
    return untouched(a, f) != UINT64_MAX;
}

/* The family of a base, from the weights of its denoiser or language model; norms and biases are ignored.
 * At most a tenth of these may be unknown to the family. In a tie, a family that fits the adapter wins. */
const struct adapter_family *family_of_base(const struct base_table *t)
{
    const struct adapter_family *best = NULL;
    size_t most = 0;
    for (const struct adapter_family *f = families_of_base(t); f; f = f->next) {
        size_t hits = 0, all = 0, missed = 0;
        for (size_t i = 0; i < t->count && missed * 10 <= t->count; i++) {
            const struct adapter_module m = { .name = t->items[i].own,
                                              .out = t->items[i].out,
                                              .in = t->items[i].in };
            bool guessed;
            if (t->items[i].part != 0 || t->items[i].bias || t->items[i].in == 1) continue;
            bool hit = find_row(f, &m, &guessed) != NULL && !guessed;
            all++;
            hits += hit;
            missed += !hit;
        }
        if (!all || missed * 10 > all || hits < most) continue;
        if (hits == most && (!best || family_fits(t->a, best) || !family_fits(t->a, f))) continue;
        best = f;
        most = hits;
    }
    return best;
}

uint64_t family_lacks(const struct base_table *t, const struct adapter_family *f)
{
    size_t rows = 0;
    uint64_t lacks = 0;
    while (f->parts[0] && f->parts[0][rows].pattern) rows++;
    uint64_t *met = arena_alloc(t->a->arena, (rows + 1) * sizeof *met);
    if (!met) return 0;
    memset(met, 0, (rows + 1) * sizeof *met);
    for (size_t i = 0; i < t->count; i++) {
        const struct base_weight *w = &t->items[i];
        const struct adapter_module m = { .name = w->own, .out = w->out, .in = w->in };
        bool guessed;
        const struct family_row *r = w->part || w->bias || w->alias ? NULL : find_row(f, &m, &guessed);
        size_t at = 0; /* the row may be an encoder's, if the name includes its component */
        while (r && at < rows && r != &f->parts[0][at]) at++;
        if (r && at < rows) met[at]++;
    }
    for (size_t i = 0; i < rows; i++) {
        uint64_t all = met[i] ? times(f->parts[0][i].pattern) : 0;
        if (all > met[i]) lacks += all - met[i];
    }
    return lacks;
}

/* Keeps the best of the families that fit, up to ADAPTER_FITS. */
static void keep(struct adapter *a, uint64_t left[ADAPTER_FITS], uint64_t u, const char *name)
{
    unsigned i = a->fit_count;
    if (i == ADAPTER_FITS && left[i - 1] <= u) return;
    if (i == ADAPTER_FITS) i--;
    else a->fit_count++;
    for (; i > 0 && left[i - 1] > u; i--) left[i] = left[i - 1], a->fits[i] = a->fits[i - 1];
    left[i] = u;
    a->fits[i] = name;
}

/* Returns a family that the stated base names, preferably one that fits (*fits); NULL if there is none. */
const struct adapter_family *family_told(struct adapter *a, numel_str told, bool *fits)
{
    const struct adapter_family *first = NULL;
    *fits = false;
    for (const struct adapter_family *f = families_of(a); told.n && f; f = f->next) {
        if (!f->aka || !text_glob(f->aka, told)) continue;
        if (!first) first = f;
        if (*fits || untouched(a, f) == UINT64_MAX) continue;
        first = f;
        *fits = true;
    }
    return first;
}

/* ---- what the family has --------------------------------------------------------------------- */

static bool find_weight(const void *of, const struct adapter_module *m, bool bias, struct weight_size *size)
{
    bool guessed;
    const struct family_row *r = find_row(of, m, &guessed);
    (void)bias; /* the table does not show which weights have one */
    if (r) *size = (struct weight_size){ r->out, r->in };
    return r != NULL;
}

static const struct adapter_family *family_called(struct adapter *a, const char *name)
{
    const struct adapter_family *f = a->family_solved ? a->family_solved : families_of(a);
    while (f && strcmp(f->name, name) != 0) f = f->next;
    return f;
}

static bool has_named(const void *of, numel_str name)
{
    bool guessed;
    return find_named(of, &(struct adapter_module){ .name = name }, false, &guessed) != NULL;
}

bool family_has_kernels(struct adapter *a)
{
    const struct adapter_family *f = a->family ? family_called(a, a->family) : NULL;
    return f && has_named(f, text_of("down_blocks.0.resnets.0.conv1"));
}

static bool has_end(const void *of, const struct adapter *a, numel_str end, unsigned component, bool whole)
{
    const struct adapter_family *f = of;
    (void)a, (void)component;
    for (unsigned p = 0; p < FAMILY_PARTS; p++)
        for (const struct family_row *r = f->parts[p]; r && r->pattern; r++) {
            numel_str own = text_of(r->pattern);
            numel_str front = text_less(own, end.n);
            bool is = text_same(text_tail(own, end.n), end) && (!front.n || text_last(front) == '.');
            if (is && (whole || r->in != 1)) return true;
        }
    return false;
}

void family_experts(struct adapter *a)
{
    const struct adapter_family *f = a->family && !a->held ? family_called(a, a->family) : NULL;
    for (size_t i = 0; f && i < a->module_count; i++) {
        struct adapter_module *m = &a->modules[i];
        bool guessed;
        const struct family_row *r = m->experts ? NULL : find_row(f, m, &guessed);
        if (r) m->experts = r->experts ? r->experts : 1;
    }
}

bool family_gaps(struct adapter *a, numel_error *e)
{
    const struct adapter_family *f = a->family && !a->held ? family_called(a, a->family) : NULL;
    const struct base_names names = { has_named, has_end, f, true };
    if (!a->listed) targets_compare(a, f ? &names : NULL);
    if (f) whole_rows(a, &(struct weights){ find_weight, f, f }, f->name, false);
    return !f || gaps_compare(a, &names, e);
}

/* "model.layers.0.mlp.up_proj" of "model.layers.{0-15}.mlp.up_proj". n is 0 unless the pattern has exactly
 * one brace. */
static numel_str first_name(const char *pattern, char out[LONGEST])
{
    const char *open = strchr(pattern, '{'), *close = open ? strchr(open, '}') : NULL;
    if (!close || strchr(close, '{')) return (numel_str){ out, 0 };
    numel_str number = { open + 1, strspn(open + 1, "0123456789") };
    return text_join(out, LONGEST, text_span(pattern, open), number, text_of(close + 1));
}

static bool has_module_of(const struct adapter *a, const struct family_row *r)
{
    for (size_t i = 0; i < a->module_count; i++)
        if (row_is(r, a->modules[i].name)) return true;
    return false;
}

bool family_biased(struct adapter *a, bool changed)
{
    const struct adapter_family *f = a->family ? family_called(a, a->family) : NULL;
    if (!f || !f->arch) return true; /* the table covers biases of language models only */
    for (const struct family_row *r = f->parts[0]; r && r->pattern; r++)
        if (r->bias && (!changed || has_module_of(a, r))) return true;
    return false;
}

/* Only for language models: others have two names for each weight, and an expression may match both. The
 * family is a guess, so the base may lack these targets. */
void family_expression(struct adapter *a)
{
    const struct adapter_family *f = a->family ? family_called(a, a->family) : NULL;
    bool listed = json_kind(json_get(a->config, "layers_to_transform")) != JSON_NULL;
    bool is = f && f->arch && !listed && json_text_of(json_get(a->config, "target_modules"));
    for (const struct family_row *r = is ? f->parts[0] : NULL; r && r->pattern; r++) {
        char text[LONGEST];
        numel_str name = first_name(r->pattern, text);
        bool linear = r->out > 1 && r->in > 1 && !text_holds(name, text_of("experts"));
        if (!name.n || !linear || !said_targets(a, name) || has_module_of(a, r)) continue;
        const char *own = name_shown(a->arena, name);
        if (own && !a->hole)
            a->hole = arena_format(a->arena,
                                   "target_modules matches %s, but the adapter has no tensor for it", own);
        return;
    }
}

/* Looks for a family that also has the tensors saved whole: first the chosen one, then the others. */
bool family_whole(struct adapter *a)
{
    const char *first = a->family;
    for (unsigned i = 0; first && i <= a->fit_count; i++) {
        const char *name = i ? a->fits[i - 1] : first;
        const struct adapter_family *f = family_called(a, name);
        if (!f || !weights_have_whole(a, &(struct weights){ find_weight, f, f })) continue;
        a->family = name;
        return true;
    }
    return false;
}

void family_find(struct adapter *a)
{
    uint64_t left[ADAPTER_FITS] = { 0 };
    bool any = a->module_count && !a->whole_kind;
    for (const struct adapter_family *f = any ? families_of(a) : NULL; f; f = f->next) {
        uint64_t u = untouched(a, f);
        if (u != UINT64_MAX) keep(a, left, u, f->name);
    }
    if (any && a->fit_count == 0) families_solve(a);
    for (const struct adapter_family *f = a->family_solved; f && a->fit_count < ADAPTER_FITS; f = f->next)
        a->fits[a->fit_count++] = f->name;
    bool sized = a->module_count == 0; /* else all that have such names fit */
    for (size_t i = 0; i < a->module_count; i++) sized |= !a->modules[i].told;
    a->family = a->fit_count && sized ? a->fits[0] : NULL;
}

/*
 * adapter_family.c -- which models an adapter is made for, by the sizes of the weights that it changes.
 *
 * A family is named only when each module of the adapter is one of its modules, with just that size: one that is not,
 * and the family is out. Several may fit (attention of FLUX.1 and of Chroma is the same): all are kept, the best is the one
 * that leaves least of what the adapter touches untouched, and of those the first in the table.
 *
 * A row's pattern is compared with the module's name behind its component ("unet.", "lora_te1_"): a number in braces
 * is a range, a dot stands for kohya's underscore too, "processor." may stand before the last part.
 */
#include "adapter/adapter_internal.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>

#define ROWS(t) (sizeof(t) / sizeof *(t))

/* Where a name's component ends and which it is; names without one may be what makes the noise less. */
static const struct component {
    const char *start;
    unsigned part;
} components[] = {
    { "lora_unet_", 0 },       { "lora_te_", 1 },
    { "lora_te1_", 1 },        { "lora_te2_", 2 },
    { "lora_te3_", 3 },        { "lora_transformer_", 0 },
    { "lycoris_", 0 },         { "unet.", 0 },
    { "transformer.", 0 },     { "transformer_2.", 0 },
    { "diffusion_model.", 0 }, { "model.diffusion_model.", 0 },
    { "text_encoder.", 1 },    { "text_encoder_2.", 2 },
    { "text_encoder_3.", 3 },  { "", 0 },
};

static bool number_in(const char **p, const char **s, const char *end)
{
    uint64_t least = 0, most = 0, n = 0;
    for ((*p)++; isdigit((unsigned char)**p); (*p)++) least = least * 10 + (uint64_t)(**p - '0');
    for ((*p)++; isdigit((unsigned char)**p); (*p)++) most = most * 10 + (uint64_t)(**p - '0');
    (*p)++;
    const char *from = *s;
    while (*s < end && isdigit((unsigned char)**s) && *s - from < 6) n = n * 10 + (uint64_t)(*(*s)++ - '0');
    bool plain = *s > from && (*from != '0' || *s == from + 1);
    return plain && n >= least && n <= most;
}

static bool module_is(const char *pattern, numel_str name)
{
    const char *s = name.p, *end = name.p + name.n, *p = pattern;
    static const char between[] = "processor.";
    while (*p && s < end) {
        size_t n = sizeof between - 1;
        if (*p == '{') {
            if (!number_in(&p, &s, end)) return false;
        } else if (*p == *s || (*p == '.' && *s == '_')) {
            p++, s++;
            if (p[-1] == '.' && (size_t)(end - s) > n && memcmp(s, between, n) == 0) s += n;
        } else {
            return false;
        }
    }
    return *p == 0 && s == end;
}

static bool size_fits(const struct family_row *r, const struct adapter_module *m)
{
    return (m->out == 0 || m->out == r->out) && (m->in == 0 || r->in == 0 || m->in == r->in) &&
           (m->out || m->in);
}

/* Encoders of text lost "text_model." in their names with transformers 5. */
static bool row_is(const struct family_row *r, numel_str name)
{
    size_t n = strlen("text_model.");
    if (module_is(r->pattern, name)) return true;
    return strncmp(r->pattern, "text_model.", n) == 0 && module_is(r->pattern + n, name);
}

static uint64_t times(const char *pattern)
{
    uint64_t all = 1;
    for (const char *p = strchr(pattern, '{'); p; p = strchr(p + 1, '{')) {
        unsigned long long least = 0, most = 0;
        for (p++; isdigit((unsigned char)*p); p++) least = least * 10 + (unsigned)(*p - '0');
        for (p++; isdigit((unsigned char)*p); p++) most = most * 10 + (unsigned)(*p - '0');
        all *= most - least + 1; /* ours: small */
    }
    return all;
}

static const struct family_row *find_row(const struct adapter_family *f, const struct adapter_module *m)
{
    for (size_t i = 0; i < ROWS(components); i++) {
        const struct component *c = &components[i];
        if (!text_starts(m->name, c->start) || !f->parts[c->part]) continue;
        size_t n = strlen(c->start);
        numel_str name = { m->name.p + n, m->name.n - n };
        for (const struct family_row *r = f->parts[c->part]; r->pattern; r++)
            if (size_fits(r, m) && row_is(r, name)) return r;
    }
    return NULL;
}

/* Of the rows that are touched, how many modules are not; UINT64_MAX when one module is not of the family. */
static uint64_t untouched(const struct adapter *a, const struct adapter_family *f)
{
    enum { TOUCHED = 512 };
    const struct family_row *seen[TOUCHED];
    uint64_t all = 0;
    size_t n = 0;
    for (size_t i = 0; i < a->module_count; i++) {
        const struct family_row *r = find_row(f, &a->modules[i]);
        size_t k = 0;
        if (!r) return UINT64_MAX;
        while (k < n && seen[k] != r) k++;
        if (k < n || n == TOUCHED) continue;
        seen[n++] = r;
        all += times(r->pattern);
    }
    return all > a->module_count ? all - a->module_count : 0;
}

void family_find(struct adapter *a)
{
    uint64_t left[ADAPTER_FITS] = { 0 };
    for (const struct adapter_family *f = adapter_families; f->name && a->module_count && !a->whole_kind;
         f++) {
        uint64_t u = untouched(a, f);
        unsigned i = a->fit_count;
        if (u == UINT64_MAX || i == ADAPTER_FITS) continue;
        for (; i > 0 && left[i - 1] > u; i--) left[i] = left[i - 1], a->fits[i] = a->fits[i - 1];
        left[i] = u;
        a->fits[i] = f->name;
        a->fit_count++;
    }
    a->family = a->fit_count ? a->fits[0] : NULL;
}

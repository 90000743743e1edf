/*
 * adapter_family.c -- which models an adapter is made for, by the sizes of the weights that it changes.
 *
 * A family is named only when each module of the adapter is one of its modules, with just that size: one that is not,
 * and the family is out. Several may fit (attention of FLUX.1 and of Chroma is the same): all are kept, the best is the one
 * that leaves least of what the adapter touches untouched, and of those the first in the table.
 *
 * A row's pattern is compared with the module's name behind its component ("unet.", "lora_te1_"): numbers in braces
 * are ranges, a dot and kohya's underscore are the same, "processor." may stand before the last part.
 */
#include "adapter/adapter_internal.h"

#include "base/text.h"
#include "statement/line.h"

#include <ctype.h>
#include <string.h>

#define ROWS(t) (sizeof(t) / sizeof *(t))
enum { LONGEST = 600 };

/* Where a name's component ends and which it is; names without one may be any. */
static const struct component {
    const char *start;
    unsigned part;
} components[] = {
    { "lora_unet__", 0 },
    { "lora_unet_", 0 },
    { "lora_te_", 1 },
    { "lora_te1_", 1 },
    { "lora_te2_", 2 },
    { "lora_te3_", 3 },
    { "lora_transformer_", 0 },
    { "lycoris_", 0 },
    { "Hunyuan_video_I2V_lora_", 0 },
    { "unet.", 0 },
    { "transformer.", 0 },
    { "transformer_2.", 0 },
    { "diffusion_model.", 0 },
    { "model.diffusion_model.", 0 },
    { "controlnet.", 0 },
    { "text_encoder.", 1 },
    { "text_encoder_2.", 2 },
    { "text_encoder_3.", 3 },
    { "text_encoders.clip_l.transformer.", 1 },
    { "text_encoders.clip_g.transformer.", 2 },
    { "text_encoders.t5xxl.transformer.", 3 },
    { "clip_l.", 1 },
    { "clip_g.", 2 },
    { "t5xxl.", 3 },
    { "language_model.", 0 },
    { "model.language_model.", 0 },
    { "", 0 },
    { "", 1 },
    { "", 2 },
    { "", 3 },
};

static uint64_t number_at(const char **p)
{
    uint64_t n = 0;
    for (; isdigit((unsigned char)**p); (*p)++) n = n * 10 + (uint64_t)(**p - '0'); /* ours: small */
    return n;
}

/* The next of "{0-3,7}", *p at its brace or a comma; false: at its end, moved past. */
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

static bool same_letter(char pattern, char name)
{
    return pattern == name || (strchr("._", pattern) && strchr("._", name));
}

static bool module_is(const char *pattern, numel_str name)
{
    const char *s = name.p, *end = name.p + name.n, *p = pattern;
    static const char between[] = "processor.";
    while (*p && s < end) {
        size_t n = sizeof between - 1;
        if (*p == '{') {
            if (!number_in(&p, &s, end)) return false;
        } else if (*s && same_letter(*p, *s)) {
            p++, s++;
            if (p[-1] == '.' && (size_t)(end - s) > n && memcmp(s, between, n) == 0) s += n;
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

/* Stacked experts have ranks of their own, one behind the other in each half of the pair. */
static bool size_fits(const struct family_row *r, const struct adapter_module *m)
{
    if (m->told) return true;
    if (m->lesser) return m->out == (r->out < r->in ? r->out : r->in);
    bool out = m->out == 0 || r->out == 0 || m->out == r->out;
    bool ranks = r->experts == 0 || (m->rank && m->rank % r->experts == 0);
    return out && ranks && family_in_fits(m, r->in) && (m->out || m->in);
}

/* The model that stands in another lends it its names, or is loaded without its head: its own prefix is gone. */
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

unsigned family_component(numel_str *name)
{
    for (size_t i = 0; components[i].start[0]; i++)
        if (text_starts(*name, components[i].start)) {
            size_t n = strlen(components[i].start);
            *name = (numel_str){ name->p + n, name->n - n };
            return components[i].part;
        }
    return 0;
}

static uint64_t times(const char *pattern)
{
    uint64_t all = 1, least, most;
    for (const char *p = strchr(pattern, '{'); p; p = strchr(p, '{')) {
        uint64_t numbers = 0;
        while (next_range(&p, &least, &most)) numbers += most - least + 1;
        all *= numbers; /* ours: small */
    }
    return all;
}

/* Of any size when `sized` is false. *guessed: no component is said, and it is no part that makes the noise less, or
 * writes. */
static const struct family_row *find_named(const struct adapter_family *f, const struct adapter_module *m,
                                           bool sized, bool *guessed)
{
    for (size_t i = 0; i < ROWS(components); i++) {
        const struct component *c = &components[i];
        *guessed = c->part && !c->start[0];
        if (!text_starts(m->name, c->start) || !f->parts[c->part]) continue;
        size_t n = strlen(c->start);
        numel_str name = { m->name.p + n, m->name.n - n };
        for (const struct family_row *r = f->parts[c->part]; r->pattern; r++)
            if ((!sized || size_fits(r, m)) && row_is(r, name)) return r;
    }
    return NULL;
}

static const struct family_row *find_row(const struct adapter_family *f, const struct adapter_module *m,
                                         bool *guessed)
{
    return find_named(f, m, true, guessed);
}

/* A GGUF says which architecture it is for. */
static bool arch_fits(const struct adapter *a, const struct adapter_family *f)
{
    const struct metadata_entry *m = metadata_find(&a->ck->metadata, "general.architecture");
    bool said = a->ck->files[0].format == NUMEL_GGUF && m && m->type == META_STRING;
    return !said || (f->arch && text_equal(m->value.s, f->arch));
}

/* Of the rows that are touched, how many modules are not; more for a family of which only an encoder of text would be
 * touched; UINT64_MAX when one module is not of the family. */
static uint64_t untouched(const struct adapter *a, const struct adapter_family *f)
{
    enum { TOUCHED = 512, GUESSED = 1000000 };
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
    return least + (all > a->module_count ? all - a->module_count : 0);
}

bool family_fits(const struct adapter *a, const struct adapter_family *f)
{
    return untouched(a, f) != UINT64_MAX;
}

/* Of a base's weights that make the noise less, at most a tenth may be unknown to its family: norms of other names. */
const struct adapter_family *family_of_base(const struct base_table *t)
{
    const struct adapter_family *best = NULL;
    size_t most = 0;
    for (const struct adapter_family *f = families_of(t->a); f; f = f->next) {
        size_t hits = 0, all = 0, missed = 0;
        for (size_t i = 0; i < t->count && missed * 10 <= t->count; i++) {
            const struct adapter_module m = { .name = t->items[i].own,
                                              .out = t->items[i].out,
                                              .in = t->items[i].in };
            bool guessed;
            if (t->items[i].part != 0) continue;
            bool hit = find_row(f, &m, &guessed) != NULL && !guessed;
            all++;
            hits += hit;
            missed += !hit;
        }
        if (all && missed * 10 <= all && hits > most) best = f, most = hits;
    }
    return best;
}

/* Keeps the best of those that fit, as many as there is room for. */
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

/* The base that was told is one that fits: it is the one. */
const struct adapter_family *family_told(struct adapter *a, numel_str told, bool *fits)
{
    const struct adapter_family *first = NULL;
    *fits = false;
    for (const struct adapter_family *f = families_of(a); told.n && f; f = f->next) {
        if (!text_glob(f->version, told)) continue;
        if (!first) first = f;
        if (*fits || untouched(a, f) == UINT64_MAX) continue;
        first = f;
        *fits = true;
    }
    return first;
}

/* ---- what was saved whole ------------------------------------------------------------------- */

struct saved {
    const struct adapter *a;
    const struct adapter_family *family;
    uint64_t tokens;    /* rows of its tables of tokens; 0: none was met */
    unsigned shared[2]; /* VeRA's matrices */
    numel_str word;     /* of an embedding that lies in the file, and its vectors */
    uint64_t vectors;
};

bool family_is_table(numel_str module)
{
    static const char *const tables[] = { "embed_tokens", "lm_head",   "wte",   "word_embeddings",
                                          "embed_in",     "embed_out", "shared" };
    for (size_t i = 0; i < ROWS(tables); i++)
        if (text_ends(module, tables[i])) return true;
    return false;
}

static bool cut_end(numel_str *name, const char *end)
{
    if (!text_ends(*name, end)) return false;
    name->n -= strlen(end);
    return true;
}

/* A head has as many biases as rows, however many labels a task has: is there the other of the two? Only a
 * decoder's score has none. */
static bool has_other(const struct adapter *a, numel_str module, uint64_t rows, const char *end)
{
    for (uint32_t i = 0; i < a->ck->registry.count; i++) {
        const numel_tensor *t = &a->ck->registry.tensors[i];
        numel_str own = t->name;
        if (!cut_end(&own, end)) continue;
        cut_end(&own, ".modules_to_save");
        if (own.n >= module.n && memcmp(own.p + own.n - module.n, module.p, module.n) == 0)
            return t->dims[0] == rows;
    }
    return text_ends(module, "score");
}

/* Is it one of the family's, with just its shape? Tables of tokens may have grown, all of them to one size. */
static bool has_whole(struct saved *s, const numel_tensor *t, numel_str module, bool copied)
{
    struct adapter_module m = { .name = module, .out = t->ndim ? t->dims[0] : 0 };
    bool bias = cut_end(&m.name, ".bias"), guessed;
    if (!bias) cut_end(&m.name, ".weight");
    cut_end(&m.name, ".modules_to_save");
    if (m.out == 0 || (bias && t->ndim != 1)) return false;
    m.in = bias ? 0 : t->elements / m.out;
    const struct family_row *r = find_row(s->family, &m, &guessed);
    if (r && r->out == 0) return has_other(s->a, m.name, m.out, bias ? ".weight" : ".bias");
    if (copied || bias || !family_is_table(m.name) || t->ndim != 2) return r != NULL;
    m.out = 0;
    if (!r && !find_row(s->family, &m, &guessed)) return false;
    bool same = s->tokens == 0 || s->tokens == t->dims[0];
    s->tokens = t->dims[0];
    return same;
}

/* The matrices that serve all weights, as wide as the widest of them and of their rank, r: VeRA's A [r, in] and B [out, r];
 * pVeRA's, whose A is twice as long; RandLoRA's A [r, 1, less] and B [more, n, r], n of which make up the lesser size. */
static const struct shared_row {
    const char *end;
    const char *
        dims; /* r, R twice r, i and o the most of in and out, l and m of the lesser and the greater of both */
} shared_rows[] = { { ".vera_A", "ri" },  { ".vera_B", "or" },      { ".pvera_A", "Ri" },
                    { ".pvera_B", "or" }, { ".randlora_A", "r1l" }, { ".randlora_B", "mnr" } };

/* The most of one size over all weights that are changed. */
static uint64_t most_of(const struct saved *s, char letter)
{
    uint64_t most = 0;
    bool guessed;
    for (size_t i = 0; i < s->a->module_count; i++) {
        const struct family_row *r = find_row(s->family, &s->a->modules[i], &guessed);
        if (!r) continue;
        uint64_t less = r->in < r->out ? r->in : r->out, more = r->in < r->out ? r->out : r->in;
        uint64_t size = letter == 'i' ? r->in : letter == 'o' ? r->out : letter == 'l' ? less : more;
        if (size > most) most = size;
    }
    return most;
}

static uint64_t shared_size(const struct saved *s, char letter)
{
    uint64_t rank = s->a->ranks.least;
    if (letter == '1') return 1;
    if (letter == 'r') return rank;
    if (letter == 'R') return 2 * rank;
    return letter == 'n' ? (most_of(s, 'l') + rank - 1) / rank : most_of(s, letter);
}

static bool has_shared(struct saved *s, const numel_tensor *t)
{
    size_t i = 0;
    while (i < ROWS(shared_rows) && !text_ends(t->name, shared_rows[i].end)) i++;
    if (i == ROWS(shared_rows)) return false;
    s->shared[i % 2]++;
    const char *dims = shared_rows[i].dims;
    bool is = t->ndim == strlen(dims) && s->a->ranks.count == 1;
    for (uint32_t d = 0; is && d < t->ndim; d++) is = t->dims[d] == shared_size(s, dims[d]);
    return is;
}

/* "bundle_emb.WORD.clip_l", as OneTrainer and A1111 put a trained word into a LoRA: as many vectors for each encoder of
 * texts, as wide as its weights. */
static bool has_word(struct saved *s, const numel_tensor *t)
{
    static const struct {
        const char *end;
        uint64_t width; /* 0: it does not say whose */
    } ends[] = { { ".clip_l", 768 },
                 { ".clip_g", 1280 },
                 { ".t5", 4096 },
                 { ".t5xxl", 4096 },
                 { ".string_to_param.*", 0 } };
    numel_str word = t->name;
    size_t i = 0;
    bool wide = false;
    if (!text_starts(word, "bundle_emb.") || t->ndim != 2) return false;
    cut_end(&word, "_out");
    while (i < ROWS(ends) && !cut_end(&word, ends[i].end)) i++;
    for (unsigned p = 1; p < FAMILY_PARTS; p++)
        wide |= s->family->parts[p] && s->family->parts[p]->in == t->dims[1];
    if (i == ROWS(ends) || !wide || (ends[i].width && ends[i].width != t->dims[1])) return false;
    bool same = !text_same(word, s->word) || s->vectors == t->dims[0];
    s->word = word;
    s->vectors = t->dims[0];
    return same && t->dims[0] > 0;
}

static bool has_all_whole(const struct adapter *a, const struct adapter_family *f)
{
    struct saved s = { .a = a, .family = f };
    for (uint32_t i = 0; i < a->ck->registry.count; i++) {
        const numel_tensor *t = &a->ck->registry.tensors[i];
        struct parted p = part_of(a, t);
        bool copied = p.role == PART_FROZEN, is = has_shared(&s, t) || has_word(&s, t);
        if (!is && (copied || p.role == PART_NONE)) is = has_whole(&s, t, p.module, copied);
        if (!is && (copied || p.role == PART_NONE)) return false;
    }
    return s.shared[0] == s.shared[1];
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

bool family_gaps(struct adapter *a, numel_error *e)
{
    const struct adapter_family *f = a->family && !a->held ? family_called(a, a->family) : NULL;
    return !f || gaps_compare(a, &(struct base_names){ has_named, f }, e);
}

/* "model.layers.0.mlp.up_proj" of "model.layers.{0-15}.mlp.up_proj", the one brace that it has; n is 0 where it has others. */
static numel_str first_name(const char *pattern, char out[LONGEST])
{
    const char *open = strchr(pattern, '{'), *close = open ? strchr(open, '}') : NULL;
    if (!close || strchr(close, '{')) return (numel_str){ out, 0 };
    numel_str number = { open + 1, strspn(open + 1, "0123456789") };
    return text_join(out, LONGEST, (numel_str){ pattern, (size_t)(open - pattern) }, number,
                     text_of(close + 1));
}

static bool has_module_of(const struct adapter *a, const struct family_row *r)
{
    for (size_t i = 0; i < a->module_count; i++)
        if (row_is(r, a->modules[i].name)) return true;
    return false;
}

/* A language model's: others have two names for each weight, of which an expression may match both. */
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
        if (own)
            adapter_disagree(
                a,
                arena_format(a->arena, "target_modules matches %s, no tensor of the adapter is for it", own));
        return;
    }
}

/* The family that has what was saved whole, too: the one that was named before, or the best of the others. */
bool family_whole(struct adapter *a)
{
    const char *first = a->family;
    for (unsigned i = 0; first && i <= a->fit_count; i++) {
        const char *name = i ? a->fits[i - 1] : first;
        const struct adapter_family *f = family_called(a, name);
        if (!f || !has_all_whole(a, f)) continue;
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
    bool sized = a->module_count == 0; /* else any that has such names */
    for (size_t i = 0; i < a->module_count; i++) sized |= !a->modules[i].told;
    a->family = a->fit_count && sized ? a->fits[0] : NULL;
}

/*
 * naming.c -- finds a spec's names among the names in the files.
 *
 * GGUF has one set of names. Other names are tried in this order: unchanged; without the first parts
 * ("layers.0..." for "model.layers.0..."); with a prefix found in the files ("transformer." + "h.0..."); in
 * another spelling. Other spellings are looked up in an index, made once by applying the spec's `spelling`
 * lines to the files' names, and then those of its parts to the results.
 */
#include "base/hash.h"
#include "model/meaning.h"
#include "model/model_internal.h"

#include <ctype.h>
#include <stdio.h>

struct glob_answer {
    numel_str glob;  /* or a name; first, as names.h requires */
    uint32_t tensor; /* for a name, its tensor; for a glob, any match; NAMES_ABSENT: none */
};

static uint32_t number_of(const struct naming *n, const numel_tensor *t)
{
    return t ? (uint32_t)(t - n->registry->tensors) : NAMES_ABSENT;
}

/* Reduces a name to its letters and digits in lower case, so that "XLM-Roberta" and "xlm_roberta" are
 * equal. */
static size_t plain(char *out, size_t room, numel_str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n && n + 1 < room; i++)
        if (isalnum((unsigned char)s.p[i])) out[n++] = (char)tolower((unsigned char)s.p[i]);
    out[n] = 0;
    return n;
}

/* True for a prefix under which classes with a head keep their base model, and which is missing in a file
 * of the base model alone: transformers' base_model_prefix, usually the model type. No other part may be
 * dropped: "cls.output.weight" is not "output.weight". */
static bool is_base_prefix(const struct naming *n, numel_str part)
{
    return naming_prefix(n, part) != PREFIX_NONE;
}

enum prefix_kind naming_prefix(const struct naming *n, numel_str part)
{
    static const char *const known[] = { "model",          "transformer", "backbone",    "base_model",
                                         "language_model", "text_model",  "vision_model" };
    char a[64], b[64];
    bool own =
        plain(a, sizeof a, part) >= 3 && plain(b, sizeof b, n->model_type) && (strstr(b, a) || strstr(a, b));
    for (size_t i = 0; i < sizeof known / sizeof *known && !own; i++)
        if (text_equal(part, known[i])) return PREFIX_COMMON;
    return own ? PREFIX_OWN : PREFIX_NONE;
}

static uint32_t find_shorter(struct naming *n, numel_str name, unsigned *way)
{
    numel_str whole = name;
    for (*way = WAY_SHORTER; *way < WAY_LONGER; ++*way) {
        size_t dot = text_find(name, 0, '.');
        if (dot == name.n || !is_base_prefix(n, text_upto(name, dot))) break;
        name = text_from(name, dot + 1);
        if (!memchr(name.p, '.', name.n)) break; /* "weight" alone means nothing */
        uint32_t t =
            naming_goes(n, whole, *way) ? number_of(n, registry_find(n->registry, name)) : NAMES_ABSENT;
        if (t != NAMES_ABSENT) return t;
    }
    return NAMES_ABSENT;
}

static uint32_t find_longer(struct naming *n, numel_str name, unsigned *way)
{
    for (unsigned i = 0; i < n->prefix_count; i++) {
        *way = WAY_LONGER + i;
        if (n->prefixes[i].n + name.n > n->text.cap) continue; /* longer than any name in the files */
        if (!naming_goes(n, name, *way)) continue;
        n->text.n = 0;
        buffer_add(&n->text, n->prefixes[i].p, n->prefixes[i].n);
        buffer_add(&n->text, name.p, name.n);
        uint32_t t = number_of(n, registry_find(n->registry, buffer_view(&n->text)));
        if (t != NAMES_ABSENT) return t;
    }
    return NAMES_ABSENT;
}

/* PEFT stores wrapped tensors under base_layer: "q_proj.weight" is "q_proj.base_layer.weight". */
static uint32_t find_wrapped(struct naming *n, numel_str name, unsigned *way)
{
    char full[600];
    size_t end = name.n;
    while (end > 0 && name.p[end - 1] != '.') end--;
    if (!n->wrapped || end == 0) return NAMES_ABSENT;
    numel_str other = text_join(full, sizeof full, (numel_str){ name.p, end }, text_of("base_layer."),
                                text_from(name, end));
    if (!other.p) return NAMES_ABSENT;
    *way = WAY_SAME;
    uint32_t t = naming_goes(n, name, *way) ? number_of(n, registry_find(n->registry, other)) : NAMES_ABSENT;
    return t != NAMES_ABSENT ? t : find_longer(n, other, way);
}

bool naming_may_find(const struct naming *n, numel_str name)
{
    return n->wrapped || tails_may_have(&n->tails, name);
}

static uint32_t find_loosely(struct naming *n, numel_str name, unsigned *way)
{
    uint32_t t = find_shorter(n, name, way);
    if (t == NAMES_ABSENT) t = find_longer(n, name, way);
    return t != NAMES_ABSENT ? t : find_wrapped(n, name, way);
}

NUMEL_MUST static bool remember(struct naming *n, numel_str glob, uint32_t tensor, numel_error *e)
{
    void *p = n->globs;
    size_t k = n->glob_count;
    const char *own = arena_text(n->arena, glob.p, glob.n);
    if (!own) return error_nomem(e);
    if (!memory_grow(n->arena->memory, &p, &n->glob_cap, k + 1, sizeof *n->globs, e)) return false;
    n->globs = p;
    n->globs[k] = (struct glob_answer){ { own, glob.n }, tensor };
    if (!names_reserve(&n->by_glob, k + 1, e)) return false;
    if (names_enter(&n->by_glob, n->globs, k) == k) n->glob_count++;
    return true;
}

/* ---- other spellings ---------------------------------------------------------------------- */

static bool add_renamed(struct naming *n, numel_str canonical, uint32_t tensor, unsigned way)
{
    void *p = n->renamed;
    size_t k = n->renamed_count;
    numel_error ignored;
    error_clear(&ignored);
    if (!memory_grow(n->arena->memory, &p, &n->renamed_cap, k + 1, sizeof *n->renamed, &ignored))
        return false;
    n->renamed = p;
    n->renamed[k] = (struct renamed){ canonical, tensor, way };
    if (!names_reserve(&n->by_renamed, k + 1, &ignored)) return false;
    if (names_enter(&n->by_renamed, n->renamed, k) == k) n->renamed_count++;
    return true;
}

static unsigned way_of(const struct naming *n, size_t at)
{
    size_t spelling = spec_renamed_by(at);
    return spec_spelling_front(n->spec, spelling).p ? (unsigned)(WAY_SPELLED + spelling) : WAY_INSIDE;
}

/* Adds the names that one kind of spelling makes of tensor i's name. `outside` is the way of an earlier
 * spelling. */
NUMEL_MUST static bool add_spellings(struct naming *n, numel_str name, enum spelled by, size_t i,
                                     unsigned outside)
{
    for (size_t at = 0;;) {
        numel_str c = spec_rename(n->spec, name, by, &at, n->arena);
        if (!c.p) return !n->arena->failed;
        if (!add_renamed(n, c, (uint32_t)i, outside == WAY_INSIDE ? way_of(n, at) : outside)) return false;
    }
}

/* Applies a part's own spellings to the results of the composite's. */
NUMEL_MUST static bool add_chained(struct naming *n, size_t i)
{
    for (size_t at = 0;;) {
        numel_str c = spec_rename(n->spec, n->registry->tensors[i].name, SPELLED_OUTSIDE, &at, n->arena);
        if (!c.p) return !n->arena->failed;
        if (!add_spellings(n, c, SPELLED_INSIDE, i, way_of(n, at))) return false;
    }
}

/* All one-step spellings come before two-step ones: if two tensors can have the same name, the closer one
 * gets it. */
NUMEL_MUST static bool collect_spellings(struct naming *n)
{
    const uint32_t *of = n->registry->patterns.of;
    for (size_t i = 0; i < n->registry->count; i++)
        if (n->spelled[of[i]] &&
            !add_spellings(n, n->registry->tensors[i].name, SPELLED_ANYWHERE, i, WAY_INSIDE))
            return false;
    for (size_t i = 0; n->spec->parted && i < n->registry->count; i++)
        if (n->spelled[of[i]] && !add_chained(n, i)) return false;
    return true;
}

/* Makes the index of other spellings, the first time a name is not found unchanged. */
static bool spell_all(struct naming *n)
{
    if (n->spelled && !n->lost) n->lost = !collect_spellings(n);
    n->spelled = NULL;
    return !n->lost;
}

/* ---- looking ------------------------------------------------------------------------------ */

static uint32_t find_same(struct naming *n, numel_str canonical)
{
    return naming_goes(n, canonical, WAY_SAME) ? number_of(n, registry_find(n->registry, canonical))
                                               : NAMES_ABSENT;
}

static uint32_t find_spelled(struct naming *n, numel_str canonical, unsigned *way)
{
    if (!spell_all(n)) return NAMES_ABSENT;
    uint32_t r = names_find(&n->by_renamed, n->renamed, canonical);
    if (r == NAMES_ABSENT) return r;
    *way = n->renamed[r].way;
    return naming_goes(n, canonical, *way) ? n->renamed[r].tensor : NAMES_ABSENT;
}

uint32_t naming_find_way(struct naming *n, numel_str canonical, unsigned *way)
{
    uint32_t t = find_same(n, canonical);
    *way = WAY_SAME;
    if (t != NAMES_ABSENT || !naming_may_find(n, canonical)) return t;
    t = find_spelled(n, canonical, way);
    return t != NAMES_ABSENT || !n->loose ? t : find_loosely(n, canonical, way);
}

bool naming_spell(struct naming *n, numel_error *e) { return spell_all(n) || error_nomem(e); }

bool naming_complete(const struct naming *n, numel_error *e) { return !n->lost || error_nomem(e); }

uint32_t naming_find(struct naming *n, numel_str canonical)
{
    unsigned way;
    return naming_find_way(n, canonical, &way);
}

/* Like naming_find(), but keeps results if the same names are requested repeatedly. */
NUMEL_MUST static bool find_again(struct naming *n, numel_str canonical, uint32_t *tensor, numel_error *e)
{
    unsigned way;
    *tensor = n->repeats ? find_same(n, canonical) : naming_find(n, canonical);
    if (*tensor == NAMES_ABSENT && n->repeats) *tensor = find_spelled(n, canonical, &way);
    if (!naming_complete(n, e)) return false;
    if (*tensor != NAMES_ABSENT || !n->repeats || !n->loose || !naming_may_find(n, canonical)) return true;
    uint32_t known = names_find(&n->by_glob, n->globs, canonical);
    if (known != NAMES_ABSENT) return *tensor = n->globs[known].tensor, true;
    *tensor = find_loosely(n, canonical, &way);
    return remember(n, canonical, *tensor, e);
}

/* ---- making ------------------------------------------------------------------------------- */

/* True if the prefix is, or ends in, that of a tower which the spec declares. */
static bool is_tower(const struct spec *spec, numel_str p)
{
    for (unsigned i = 0; spec && i < spec->tower_count; i++) {
        numel_str tower = text_of(spec->towers[i]);
        if (!text_same(text_tail(p, tower.n), tower)) continue;
        if (p.n == tower.n || text_last(text_less(p, tower.n)) == '.') return true;
    }
    return false;
}

static bool add_prefix(struct naming *n, numel_str p)
{
    if (is_tower(n->spec, p)) return true;
    for (unsigned i = 0; i < n->prefix_count; i++)
        if (text_same(n->prefixes[i], p)) return true;
    if (n->prefix_count < PREFIXES) n->prefixes[n->prefix_count++] = p;
    return true;
}

/* Adds the name's first part and its first two, with dots: "transformer.", "base.model.". False if they
 * contain a number. */
static bool add_prefixes(struct naming *n, numel_str name, const struct pattern *x)
{
    size_t dot = text_find(name, 0, '.'), second = text_find(name, dot + 1, '.');
    if (dot == name.n) return true;
    add_prefix(n, text_upto(name, dot + 1));
    if (second < name.n && !(name.p[dot + 1] >= '0' && name.p[dot + 1] <= '9'))
        add_prefix(n, text_upto(name, second + 1));
    return !x->slots || x->at[0] > second;
}

/* Collects prefixes in the order of the files. Names of one pattern usually begin alike. */
static void collect_prefixes(struct naming *n)
{
    const struct registry *r = n->registry;
    bool alike = true;
    for (size_t i = 0; i < r->patterns.count && n->prefix_count < PREFIXES; i++)
        alike &= add_prefixes(n, r->patterns.items[i].sample, &r->patterns.items[i]);
    if (alike) return;
    n->prefix_count = 0;
    for (size_t i = 0; i < r->count && n->prefix_count < PREFIXES; i++)
        (void)add_prefixes(n, r->tensors[i].name, registry_pattern(r, i));
}

NUMEL_MUST static bool keep_end(struct naming *n, numel_str end)
{
    unsigned i = 0;
    while (i < n->end_count && !text_same(n->ends[i], end)) i++;
    n->more_ends |= i == NAMING_ENDS;
    if (i < n->end_count || i == NAMING_ENDS) return true;
    const char *own = arena_text(n->arena, end.p, end.n);
    if (!own) return error_nomem(n->error);
    n->ends[n->end_count++] = (numel_str){ own, end.n };
    return true;
}

/* Adds the endings of all canonical names of the pattern. */
NUMEL_MUST static bool add_tails(struct naming *n, numel_str name, enum spelled by, struct arena *scratch,
                                 bool *any)
{
    for (size_t at = 0;; *any = true) {
        numel_str c = spec_rename(n->spec, name, by, &at, scratch);
        bool outside = by == SPELLED_OUTSIDE, inner = false;
        if (!c.p) return !scratch->failed || error_nomem(n->error);
        if (n->tails.bits) tails_add(&n->tails, c);
        if (!keep_end(n, text_from(c, text_head(c, '.').n))) return false;
        if (outside && !add_tails(n, c, SPELLED_INSIDE, scratch, &inner)) return false;
    }
}

NUMEL_MUST static bool look_at(struct naming *n, size_t tensor, struct arena *scratch)
{
    bool *spelled = &n->spelled[n->registry->patterns.of[tensor]];
    numel_str name = n->registry->tensors[tensor].name;
    arena_reset(scratch);
    return add_tails(n, name, SPELLED_ANYWHERE, scratch, spelled) &&
           (!n->spec->parted || add_tails(n, name, SPELLED_OUTSIDE, scratch, spelled));
}

/* Finds out for each pattern of names if a spelling may change them. If a spelling uses numbers, each
 * tensor's own name is checked. */
NUMEL_MUST static bool look_at_spellings(struct naming *n)
{
    const struct registry *r = n->registry;
    struct arena scratch;
    bool ok = true;
    if (!n->spec || !n->spec->spelling_count) return true;
    bool single = spec_spells_numbers(n->spec);
    size_t count = single ? r->count : r->patterns.count;
    n->spelled = arena_alloc(n->arena, r->patterns.count + 1);
    if (!n->spelled) return error_nomem(n->error);
    memset(n->spelled, 0, r->patterns.count + 1);
    arena_init(&scratch, n->arena->memory);
    for (size_t i = 0; ok && i < count; i++)
        ok = look_at(n, single ? i : r->patterns.items[i].first, &scratch);
    arena_done(&scratch);
    return ok;
}

/* Collects the endings of names, for trying prefixes. */
NUMEL_MUST static bool collect_tails(struct naming *n)
{
    const struct patterns *all = &n->registry->patterns;
    if (!tails_make(&n->tails, all->count, n->arena, n->error)) return false;
    for (size_t i = 0; i < all->count; i++) tails_add(&n->tails, all->items[i].sample);
    return true;
}

/* Reserves room for the longest name, so that lookups cannot fail. */
NUMEL_MUST static bool reserve_text(struct naming *n)
{
    size_t longest = 0;
    for (size_t i = 0; n->prefix_count && i < n->registry->count; i++)
        if (n->registry->tensors[i].name.n > longest) longest = n->registry->tensors[i].name.n;
    buffer_fill(&n->text, 0, longest);
    return !n->text.failed || error_nomem(n->error);
}

/* True if some weights are wrapped by PEFT and there is an adapter; only then are weights looked up one
 * level down. */
static bool is_wrapped(const struct registry *r)
{
    bool inside = registry_mentions(r, text_of(".base_layer.")), adapter = false;
    for (size_t i = 0; inside && !adapter && i < r->count; i++)
        adapter = meaning_of(r->tensors[i].name).kind->kind == KIND_ADAPTER;
    return adapter;
}

bool naming_init(struct naming *n, const struct registry *r, const struct spec *spec, const char *model_type,
                 struct arena *a, numel_error *e)
{
    *n = (struct naming){ .registry = r, .spec = spec, .arena = a, .error = e };
    n->loose = model_type != NULL;
    if (model_type) n->model_type = text_of(model_type);
    names_init(&n->by_renamed, a->memory, sizeof *n->renamed);
    names_init(&n->by_glob, a->memory, sizeof *n->globs);
    buffer_init(&n->text, a->memory);
    collect_prefixes(n);
    if (!reserve_text(n) || (n->loose && !collect_tails(n))) return false;
    n->wrapped = n->loose && is_wrapped(r);
    return look_at_spellings(n);
}

void naming_done(struct naming *n)
{
    if (!n->arena) return;
    memory_release(n->arena->memory, n->renamed);
    memory_release(n->arena->memory, n->globs);
    names_done(&n->by_renamed);
    names_done(&n->by_glob);
    buffer_done(&n->text);
}

/* ---- presence ----------------------------------------------------------------------------- */

/* True if a name matches the glob: unchanged, in another spelling, or after more parts. */
static bool search(struct naming *n, const char *glob)
{
    for (size_t i = 0; i < n->renamed_count; i++)
        if (text_glob(glob, n->renamed[i].name)) return true;
    for (size_t i = 0; i < n->registry->count; i++)
        if (text_glob(glob, n->registry->tensors[i].name)) return true;
    const char *dot = n->loose ? strchr(glob, '.') : NULL;
    if (dot && !is_base_prefix(n, text_span(glob, dot))) dot = NULL;
    for (size_t i = 0; dot && strchr(dot + 1, '.') && i < n->registry->count; i++)
        if (text_glob(dot + 1, n->registry->tensors[i].name)) return true;
    for (unsigned p = 0; n->loose && p < n->prefix_count; p++) /* a prefix that the spec does not have */
        for (size_t i = 0; i < n->registry->count; i++) {
            numel_str name = n->registry->tensors[i].name;
            size_t cut = n->prefixes[p].n;
            if (name.n > cut && memcmp(name.p, n->prefixes[p].p, cut) == 0 &&
                text_glob(glob, text_from(name, cut)))
                return true;
        }
    return false;
}

bool naming_has(void *ctx, const char *glob, bool *there, numel_error *e)
{
    struct naming *n = ctx;
    numel_str asked = text_of(glob);
    uint32_t tensor;
    if (!strpbrk(glob, "*?[")) {
        if (!find_again(n, asked, &tensor, e)) return false;
        return *there = tensor != NAMES_ABSENT, true;
    }
    uint32_t known = names_find(&n->by_glob, n->globs, asked);
    if (known != NAMES_ABSENT) return *there = n->globs[known].tensor != NAMES_ABSENT, true;
    if (!spell_all(n)) return naming_complete(n, e);
    *there = search(n, glob);
    return remember(n, asked, *there ? 0 : NAMES_ABSENT, e);
}

bool naming_dim(void *ctx, const char *name, uint64_t axis, uint64_t *size, numel_error *e)
{
    struct naming *n = ctx;
    uint32_t i;
    if (!find_again(n, text_of(name), &i, e)) return false;
    bool there = i != NAMES_ABSENT && axis < n->registry->tensors[i].ndim;
    *size = there ? n->registry->tensors[i].dims[axis] : PRESENCE_NONE;
    return true;
}

static bool naming_stack(void *ctx, numel_str first, numel_str next, uint32_t count)
{
    struct naming *n = ctx;
    numel_error ignored = { 0 };
    struct members_run run;
    uint32_t there = 0;
    if (!naming_members(n, &ignored) || !members_run(&n->members, first, next, 0, &run)) return false;
    while (there < count && members_at(&n->members, &run, there) != NAMES_ABSENT) there++;
    return there == count;
}

struct presence naming_presence(struct naming *n)
{
    return (struct presence){ naming_has, naming_dim, naming_stack, n };
}

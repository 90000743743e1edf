/*
 * layout_lists.c -- settings of the configuration for single modules; see layout.h.
 *
 * Each list is compiled once (base/needles.h), for all layouts that read it in the same way. A lookup takes
 * about the same time for a list of any length.
 */
#include "formula/layout_internal.h"

#include "base/needles.h"
#include "base/pattern.h"

struct entry {
    numel_str text;          /* for a key of `dynamic`, without its sign */
    const json_value *value; /* of `over`: the value of the key, or the group; equal values are shared */
    bool minus;              /* "-:PATTERN": it stays plain */
};

struct compiled {
    const void *of; /* the object, or the items of the list */
    enum layout_how how;
    struct entry *entries;
    size_t count;
    struct needles needles;
    struct layout_table table;
    struct compiled *next;
};

/* ---- does an entry match a module? ------------------------------------------------------------ */

static bool has_signs(numel_str entry)
{
    for (size_t i = 0; i < entry.n; i++)
        if (entry.p[i] && strchr("*\\[(|", entry.p[i])) return true;
    return false;
}

/* "mlp.gate.weight" names the module. */
static numel_str bare_entry(numel_str entry)
{
    text_take_end(&entry, ".weight");
    return entry;
}

/* A plain name matches the module, a parent of it, or the end of its name; others are patterns. */
static bool name_means(numel_str entry, numel_str module)
{
    entry = bare_entry(entry);
    if (!entry.n || entry.n > module.n + 512) return false;
    if (module.n >= entry.n) {
        size_t rest = text_less(module, entry.n).n;
        bool begins = text_same(text_upto(module, entry.n), entry);
        bool ends = text_same(text_tail(module, entry.n), entry);
        if (begins && (rest == 0 || module.p[entry.n] == '.')) return true;
        if (ends && (rest == 0 || module.p[rest - 1] == '.')) return true;
    }
    return has_signs(entry) && pattern_match(entry, module) == PATTERN_YES;
}

static numel_str behind_re(numel_str target) { return text_from(target, 3); }

/* compressed-tensors: "re:PATTERN" or a name; is_class() tests the module's class. */
static bool target_means(numel_str target, numel_str module)
{
    if (text_starts(target, "re:")) return pattern_match(behind_re(target), module) == PATTERN_YES;
    return text_same(target, module);
}

static bool glob_means(numel_str entry, numel_str module)
{
    char text[LAYOUT_NAME];
    struct fixed glob = FIXED(text);
    fixed_add(&glob, entry); /* shorter than the buffer: see compile() */
    bool below =
        module.n > entry.n && module.p[entry.n] == '.' && text_same(text_upto(module, entry.n), entry);
    return below || text_glob(text, module);
}

/* "blocks.0.fc1" for "model.visual.blocks.0.fc1"; all of a name without numbers. */
static numel_str tail_of(numel_str name)
{
    size_t last = 0, from = 0;
    for (size_t i = 0; i < name.n; i++) {
        if (name.p[i] == '.') last = from, from = i + 1;
        else if (i == from && name.p[i] >= '0' && name.p[i] <= '9') return text_from(name, last);
    }
    return name;
}

/* The same module or one below it, ignoring the prefix before its blocks. */
static bool is_alike(numel_str entry, numel_str module)
{
    numel_str a = tail_of(bare_entry(entry)), b = tail_of(module);
    return b.n >= a.n && memcmp(a.p, b.p, a.n) == 0 && (b.n == a.n || b.p[a.n] == '.');
}

/* Matches like re.search(). */
static bool is_found(numel_str pattern, numel_str name)
{
    char text[LAYOUT_NAME + 8];
    numel_str whole = text_join(text, sizeof text, text_of(".*(?:"), pattern, text_of(")"));
    return pattern_match(whole, name) == PATTERN_YES;
}

struct question {
    const struct compiled *list;
    numel_str name; /* of the module, or its class */
};

static bool entry_means(const void *ctx, uint32_t i)
{
    const struct question *q = ctx;
    numel_str text = q->list->entries[i].text;
    switch (q->list->how) {
    case HOW_CT:
    case HOW_GROUPS: return target_means(text, q->name);
    case HOW_GLOB: return glob_means(text, q->name);
    case HOW_PART: return text_holds(q->name, text);
    case HOW_PATH: return text_same(text, q->name);
    case HOW_SEARCH: return is_found(text, q->name);
    case HOW_RE: return text_same(text, q->name) || pattern_match(text, q->name) == PATTERN_YES;
    default: return name_means(text, q->name);
    }
}

static bool entry_is_alike(const void *ctx, uint32_t i)
{
    const struct question *q = ctx;
    return is_alike(q->list->entries[i].text, q->name);
}

static bool is_class(const void *ctx, uint32_t i)
{
    const struct question *q = ctx;
    return text_same(q->list->entries[i].text, q->name);
}

/* The first entry that matches the module; NULL if none. */
static const struct entry *entry_of(const struct compiled *list, numel_str module, const char *class)
{
    struct question name = { list, module }, kind = { list, text_of(class) };
    bool classes = list->how == HOW_CT || list->how == HOW_GROUPS;
    int64_t i = needles_first(&list->needles, module, entry_means, &name);
    int64_t k = classes ? needles_first(&list->needles, kind.name, is_class, &kind) : NEEDLE_NONE;
    if (i == NEEDLE_NONE || (k != NEEDLE_NONE && k < i)) i = k;
    return i == NEEDLE_NONE ? NULL : &list->entries[i];
}

struct layout_word layout_word_of(const struct layout *l, const struct layout_lists *lists, numel_str module,
                                  const char *class)
{
    struct layout_word out = { 0 };
    for (unsigned i = 0; i < l->over_count; i++) {
        const struct compiled *list = lists->overs[i] ? lists->overs[i]->compiled : NULL;
        if (!list) continue;
        const struct entry *x = entry_of(list, module, class);
        bool no = x && (x->minus || (json_kind(x->value) == JSON_BOOL && !json_true(x->value)));
        bool outside = !x && list->how == HOW_GROUPS;
        if (no || (outside && !out.plain)) out.list = l->overs[i].path;
        out.plain |= no;
        out.outside |= outside;
        out.unkeyed |= !x && list->how == HOW_PATH;
        if (x && !no && json_kind(x->value) == JSON_OBJECT) out.over = x->value;
    }
    for (unsigned i = 0; i < l->skip_count; i++) {
        const struct compiled *list = lists->skips[i] ? lists->skips[i]->compiled : NULL;
        bool listed = list && entry_of(list, module, class);
        if (listed && !l->skips[i].soft && !out.plain) out.list = l->skips[i].path;
        out.plain |= listed && !l->skips[i].soft;
        out.soft |= listed && l->skips[i].soft;
    }
    return out;
}

bool layout_names_alike(const struct layout *l, const struct layout_lists *lists, numel_str module)
{
    for (unsigned i = 0; i < l->skip_count; i++) {
        struct question q = { lists->skips[i] ? lists->skips[i]->compiled : NULL, module };
        if (q.list && needles_first(&q.list->needles, module, entry_is_alike, &q) != NEEDLE_NONE) return true;
    }
    return false;
}

/* ---- compiling -------------------------------------------------------------------------------- */

/* Equal values of single modules share one object, so that they share forms. */
enum { SAME_OVERS = 64 };
struct same {
    const json_value *said[SAME_OVERS];
    char *texts[SAME_OVERS];
    unsigned count;
};

NUMEL_MUST static bool same_value(struct same *s, const json_value **v, numel_error *e)
{
    char *text = json_print(*v);
    if (!text) return error_nomem(e);
    for (unsigned i = 0; i < s->count; i++)
        if (strcmp(s->texts[i], text) == 0) {
            *v = s->said[i];
            json_print_free(text);
            return true;
        }
    if (s->count == SAME_OVERS) return json_print_free(text), true;
    s->said[s->count] = *v;
    s->texts[s->count++] = text;
    return true;
}

/* Ignores texts that are empty or longer than any name. */
static void add_entry(struct compiled *list, numel_str text, const json_value *value)
{
    struct entry x = { text, value, false };
    bool sign =
        list->how == HOW_RE && text.n > 1 && text.p[1] == ':' && (text.p[0] == '+' || text.p[0] == '-');
    if (sign) x = (struct entry){ text_from(text, 2), value, text.p[0] == '-' };
    if (x.text.n && x.text.n < LAYOUT_NAME) list->entries[list->count++] = x;
}

/* Adds the targets of all groups, in order; ignores other members. */
static void add_targets(struct compiled *list, const json_value *group)
{
    const json_value *targets = json_kind(group) == JSON_OBJECT ? json_get(group, "targets") : NULL;
    if (!targets || json_kind(targets) != JSON_ARRAY) return;
    for (const json_value *t = json_first(targets); t; t = json_next(t))
        if (json_text_of(t)) add_entry(list, text_of(json_text_of(t)), group);
}

static size_t count_of(const struct compiled *list, const struct value *v)
{
    size_t n = 0;
    if (v->kind == VALUE_LIST) return v->list.n;
    if (list->how != HOW_GROUPS) return json_count(v->object);
    for (const json_value *g = json_first(v->object); g; g = json_next(g))
        n += json_kind(g) == JSON_OBJECT && json_get(g, "targets") ? json_count(json_get(g, "targets")) : 0;
    return n;
}

NUMEL_MUST static bool add_members(struct compiled *list, const json_value *table, numel_error *e)
{
    struct same same = { .count = 0 };
    bool ok = true;
    for (const json_value *v = json_first(table); v && ok; v = json_next(v)) {
        const json_value *value = v;
        enum json_kind kind = json_kind(v);
        bool means = kind == JSON_OBJECT || kind == JSON_BOOL || list->how == HOW_RE;
        if (list->how == HOW_GROUPS) add_targets(list, v);
        if (list->how == HOW_GROUPS || !json_name(v) || !means) continue;
        ok = same_value(&same, &value, e);
        add_entry(list, text_of(json_name(v)), value);
    }
    while (same.count) json_print_free(same.texts[--same.count]);
    return ok;
}

static void add_items(struct compiled *list, const struct value *v)
{
    for (uint64_t i = 0; i < v->list.n; i++)
        if (v->list.items[i].kind == VALUE_TEXT) add_entry(list, v->list.items[i].s, NULL);
}

/* ---- words ------------------------------------------------------------------------------------ */

static void add_word(struct needle *x, const char *from, const char *to)
{
    if (to > from && x->word_count < NEEDLE_WORDS) x->words[x->word_count++] = text_span(from, to);
}

/* Texts between signs, except from the first bracket to the last. */
static void glob_words(struct needle *x)
{
    const char *p = x->text.p, *end = p + x->text.n, *from = p, *open = memchr(p, '[', x->text.n);
    const char *close = end;
    while (open && close > open && close[-1] != ']') close--;
    for (const char *at = p; at < end; at++) {
        if (*at != '*' && *at != '?' && at != open) continue;
        add_word(x, from, at);
        if (at == open && close > open) at = close - 1;
        from = at + 1;
    }
    add_word(x, from, end);
}

NUMEL_MUST static bool words_of(enum layout_how how, struct needle *x, struct arena *a, numel_error *e)
{
    numel_str pattern = { NULL, 0 }, text = how == HOW_NAME ? bare_entry(x->text) : x->text;
    bool targets = how == HOW_CT || how == HOW_GROUPS;
    if (how == HOW_RE || how == HOW_SEARCH || (how == HOW_NAME && has_signs(text))) pattern = text;
    if (targets && text_starts(text, "re:")) pattern = behind_re(text);
    if (how == HOW_GLOB) glob_words(x);
    else if (!pattern.p && how != HOW_PART)
        text = tail_of(text); /* ignores any prefix: layout_names_alike() */
    if (how != HOW_GLOB && !pattern.p) add_word(x, text.p, text.p + text.n);
    if (!pattern.n) return true;
    char *space = arena_alloc(a, pattern.n);
    if (!space) return error_nomem(e);
    x->word_count = pattern_words(pattern, space, x->words, NEEDLE_WORDS);
    return true;
}

NUMEL_MUST static bool index_entries(struct compiled *list, struct arena *a, numel_error *e)
{
    struct needle *needles = NULL;
    size_t room = 0;
    bool ok = memory_grow(a->memory, (void **)&needles, &room, list->count + 1, sizeof *needles, e);
    for (size_t i = 0; ok && i < list->count; i++) {
        needles[i] = (struct needle){ .text = list->entries[i].text };
        ok = words_of(list->how, &needles[i], a, e);
    }
    ok = ok && needles_make(&list->needles, needles, list->count, a, e);
    memory_release(a->memory, needles);
    return ok;
}

/* ---- lists ------------------------------------------------------------------------------------ */

NUMEL_MUST static bool compile(const struct value *v, enum layout_how how, struct layout_shelf *shelf,
                               const struct layout_table **out, struct arena *a, numel_error *e)
{
    bool list = v->kind == VALUE_LIST && v->list.items;
    const void *of = list ? (const void *)v->list.items : v->kind == VALUE_OBJECT ? v->object : NULL;
    struct compiled *x = shelf->first;
    *out = NULL;
    if (!of) return true;
    while (x && (x->of != of || x->how != how)) x = x->next;
    if (!x) {
        if (!(x = arena_alloc(a, sizeof *x))) return error_nomem(e);
        *x = (struct compiled){ .of = of, .how = how, .next = shelf->first };
        x->table = (struct layout_table){ x, list ? NULL : v->object };
        if (!(x->entries = arena_alloc(a, (count_of(x, v) + 1) * sizeof *x->entries))) return error_nomem(e);
        if (list) add_items(x, v);
        else if (!add_members(x, v->object, e)) return false;
        if (!index_entries(x, a, e)) return false;
        shelf->first = x;
    }
    *out = &x->table;
    return true;
}

/* True if the entry has no numbers or signs: it matches all names that differ only in a number, or none of
 * them. */
static bool is_wordy(numel_str entry, enum layout_how how)
{
    bool words = true;
    for (size_t i = 0; i < entry.n && words; i++) {
        char c = entry.p[i];
        words = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' ||
                (c == '.' && how != HOW_RE && how != HOW_SEARCH);
    }
    return words;
}

bool layout_lists_number(const struct layout_shelf *shelf)
{
    for (const struct compiled *x = shelf->first; x; x = x->next)
        for (size_t i = 0; i < x->count; i++)
            if (!is_wordy(x->entries[i].text, x->how)) return true;
    return false;
}

bool layout_lists(const struct layout *l, struct config *c, struct layout_shelf *shelf,
                  struct layout_lists *out, struct arena *a, numel_error *e)
{
    struct value v;
    *out = (struct layout_lists){ .overs = { NULL } };
    for (unsigned i = 0; i < l->over_count; i++) {
        if (!config_quantization(c, NULL, text_of(l->overs[i].path), &v, e)) return false;
        if (v.kind == VALUE_OBJECT && !compile(&v, l->overs[i].how, shelf, &out->overs[i], a, e))
            return false;
    }
    for (unsigned i = 0; i < l->skip_count; i++) {
        if (!config_quantization(c, NULL, text_of(l->skips[i].path), &v, e)) return false;
        if (v.kind == VALUE_LIST && !compile(&v, l->skips[i].how, shelf, &out->skips[i], a, e)) return false;
    }
    return true;
}

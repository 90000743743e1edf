/*
 * adapter_said.c -- what the configuration states for one module, in PEFT's lists and patterns of name ends.
 *
 * "q_proj" applies to each module whose name is, or ends in, q_proj after a dot. A list may name every module
 * in full. So each list is made into a table once, and a module is looked up by the ends of its name; the
 * entry that comes first in the list counts, as in PEFT. Targets may be one Python expression instead, which
 * must match the whole name. Keys of patterns may also be expressions. They are tried one by one, up to a
 * limit.
 */
#include "adapter/adapter_internal.h"

#include "base/pattern.h"
#include "base/text.h"
#include "statement/line.h"

#include <string.h>

enum {
    LONGEST = 600,        /* name of a parameter */
    MOST_ENDS = 64,       /* of a name: no model nests modules this deep */
    MOST_EXPRESSIONS = 32 /* among the keys of a pattern: each is matched with each module's name */
};

struct said_entry {
    numel_str name; /* first: see names.h */
    const json_value *v;
    bool met; /* by a module */
};

/* One key of the configuration, of one component. */
struct said_list {
    struct said_list *next;
    const char *key;
    unsigned component;
    bool of_parameters;  /* the entries are modules of the listed parameters */
    bool bare;           /* some parameters are listed without a module */
    bool texts;          /* a list of texts only */
    const json_value *v; /* NULL if absent */
    uint64_t values;
    struct said_entry *entries;
    size_t count, cap, longest;
    struct said_expression {
        const json_value *v;
        uint32_t at;                 /* number of names before it */
    } expressions[MOST_EXPRESSIONS]; /* keys that are expressions */
    unsigned expression_count;
    bool unread; /* there are more expressions */
    struct names by;
};

/* Returned if memory runs out; then the arena has failed. */
static const struct said_list nothing = { .v = NULL };

bool said_expression(const char *key) { return strpbrk(key, "\\*+?()[]{}|^$") != NULL; }

static const char *const components[] = { "unet.", "transformer.", "transformer_2.", "text_encoder.",
                                          "text_encoder_2." };

#define COMPONENTS (sizeof components / sizeof *components)

unsigned said_component(const struct adapter *a, numel_str module)
{
    for (unsigned i = 0; a->told && i < COMPONENTS; i++)
        if (text_starts(module, components[i])) return i + 1;
    return 0;
}

const char *said_component_name(unsigned component)
{
    return component && component <= COMPONENTS ? components[component - 1] : NULL;
}

const json_value *said_value(const struct adapter *a, unsigned component, const char *key)
{
    char name[64];
    const char *own = said_component_name(component);
    text_format(name, sizeof name, "%s%s", own ? own : "", key);
    return json_get(component ? a->told : a->config, name);
}

/* ---- the tables --------------------------------------------------------------------------- */

/* A number as an entry: a layer, or the rank that an expression gives. It follows a NUL, which JSON texts
 * never contain. */
static numel_str number_name(char text[24], int64_t number)
{
    struct fixed f = fixed_of(text, 24);
    fixed_char(&f, 0);
    fixed_format(&f, "%" PRId64, number);
    return fixed_str(&f);
}

NUMEL_MUST static bool enter(const struct adapter *a, struct said_list *l, numel_str name,
                             const json_value *v, bool copied)
{
    void *p = l->entries;
    size_t ends = 1;
    numel_error e = { 0 };
    const struct said_entry own = { .name =
                                        copied ? arena_join(a->arena, name, text_of(""), text_of("")) : name,
                                    .v = v };
    if (!own.name.p || !memory_grow(a->arena->memory, &p, &l->cap, l->count + 1, sizeof own, &e))
        return false;
    l->entries = p;
    l->entries[l->count] = own;
    if (!names_reserve(&l->by, l->count + 1, &e)) return false;
    if (names_enter(&l->by, l->entries, l->count) == l->count) l->count++;
    if (name.n > l->longest) l->longest = name.n;
    for (size_t i = 0; i < name.n; i++) ends += name.p[i] == '.';
    if (ends > MOST_ENDS) *a->said_deep = true;
    return true;
}

/* Enters a text of a list, a key of an object, a number of either. */
NUMEL_MUST static bool enter_value(const struct adapter *a, struct said_list *l, const json_value *v)
{
    char text[24];
    int64_t number;
    bool listed = json_kind(l->v) == JSON_ARRAY;
    const char *name = listed ? json_text_of(v) : json_name(v);
    l->values++;
    if (listed && !name) l->texts = false;
    if (name && l->of_parameters) {
        const char *dot = strrchr(name, '.');
        l->bare |= !dot;
        return !dot || enter(a, l, text_span(name, dot), v, false);
    }
    if (name && (listed || !said_expression(name))) return enter(a, l, text_of(name), v, false);
    if (name && l->expression_count == MOST_EXPRESSIONS) l->unread = *a->said_unread = true;
    else if (name)
        l->expressions[l->expression_count++] = (struct said_expression){ .v = v, .at = (uint32_t)l->count };
    return !json_integer(v, &number) || enter(a, l, number_name(text, number), v, true);
}

/* Makes the table of a key. NULL if memory runs out. */
static struct said_list *make_list(const struct adapter *a, unsigned component, const char *key,
                                   bool of_parameters)
{
    struct said_list *l = memory_resize(a->arena->memory, NULL, sizeof *l);
    if (!l) return NULL;
    *l = (struct said_list){ .next = *a->said,
                             .key = arena_text(a->arena, key, strlen(key)),
                             .component = component,
                             .of_parameters = of_parameters,
                             .v = said_value(a, component, key) };
    names_init(&l->by, a->arena->memory, sizeof *l->entries);
    *a->said = l;
    l->texts = json_kind(l->v) == JSON_ARRAY;
    if (!l->key) return NULL;
    for (const json_value *c = json_first(l->v); c; c = json_next(c))
        if (!enter_value(a, l, c)) return NULL;
    return l;
}

static const struct said_list *list_at(const struct adapter *a, unsigned component, const char *key,
                                       bool of_parameters)
{
    for (const struct said_list *l = *a->said; l; l = l->next)
        if (l->component == component && l->of_parameters == of_parameters && l->key &&
            strcmp(l->key, key) == 0)
            return l;
    const struct said_list *l = make_list(a, component, key, of_parameters);
    if (l) return l;
    a->arena->failed = true;
    return &nothing;
}

static const struct said_list *list_of(const struct adapter *a, numel_str module, const char *key)
{
    return list_at(a, said_component(a, module), key, false);
}

/* ---- lookups ------------------------------------------------------------------------------ */

/* Iterates over the ends of a name that may be listed, shortest first. *at starts as the name's length. */
static bool next_end(const struct said_list *l, numel_str name, size_t *at, unsigned *tried, numel_str *end)
{
    if (!*at || ++*tried > MOST_ENDS) return false;
    size_t i = *tried == 1 ? *at : *at - 1;
    while (i > 0 && name.p[i - 1] != '.') i--;
    *at = i;
    *end = text_from(name, i);
    return end->n <= l->longest;
}

/* The first entry that the name is, or ends in after a dot. `numbers`: only entries with a number. */
static uint32_t first_of(const struct said_list *l, numel_str name, bool numbers)
{
    uint32_t first = NAMES_ABSENT;
    size_t at = name.n;
    unsigned tried = 0;
    int64_t number;
    for (numel_str end; l->count && next_end(l, name, &at, &tried, &end);) {
        uint32_t i = names_find(&l->by, l->entries, end);
        if (i < first && (!numbers || json_integer(l->entries[i].v, &number))) first = i;
    }
    return first;
}

static const json_value *value_at(const struct said_list *l, uint32_t i) /* NULL: no such entry */
{
    return l->entries && i < l->count ? l->entries[i].v : NULL;
}

const json_value *adapter_said(const struct adapter *a, numel_str module, const char *key)
{
    return list_of(a, module, key)->v;
}

/* Does the expression match the module's whole name or, if `ends`, what follows one of its dots? An
 * expression that cannot be evaluated counts as a match, and is remembered. */
static bool matches(const struct adapter *a, numel_str module, const char *expression, bool ends)
{
    const char *own = said_component_name(said_component(a, module));
    size_t skip = own ? strlen(own) : 0;
    const struct arena_mark mark = arena_mark(a->arena);
    const char *whole = arena_format(a->arena, ends ? "(?:.*\\.)?(?:%s)$" : "(?:%s)$", expression);
    enum pattern_answer answer =
        whole ? pattern_match(text_of(whole), text_from(module, skip)) : PATTERN_UNKNOWN;
    if (!a->arena->failed) arena_rewind(a->arena, mark);
    if (answer == PATTERN_UNKNOWN) *a->said_unread = true;
    return answer != PATTERN_NO;
}

bool said_lists(const struct adapter *a, numel_str module, const char *key)
{
    const struct said_list *l = list_of(a, module, key);
    const char *expression = json_text_of(l->v);
    if (expression) return matches(a, module, expression, false);
    return first_of(l, module, false) != NAMES_ABSENT;
}

bool said_targets(const struct adapter *a, numel_str module)
{
    return said_lists(a, module, "target_modules") && !said_lists(a, module, "exclude_modules");
}

bool said_lists_number(const struct adapter *a, numel_str module, const char *key, uint64_t number)
{
    char text[24];
    const struct said_list *l = list_of(a, module, key);
    return names_find(&l->by, l->entries, number_name(text, (int64_t)number)) != NAMES_ABSENT;
}

bool said_is_texts(const struct adapter *a, numel_str module, const char *key)
{
    const struct said_list *l = list_of(a, module, key);
    return l->texts || json_text_of(l->v);
}

/* "mlp.experts.gate_up_proj" is a parameter of the module "mlp.experts". For a second parameter PEFT wraps
 * the first (base_layer). */
bool said_lists_parameter(const struct adapter *a, numel_str module)
{
    const struct said_list *l = list_at(a, said_component(a, module), "target_parameters", true);
    text_take_end(&module, ".base_layer");
    return first_of(l, module, false) != NAMES_ABSENT ||
           (l->bare && !said_lists(a, module, "target_modules"));
}

/* The value in {"q_proj": ...} for a module, from the first key that it ends in or matches; NULL if there
 * is none. `numbers`: only numbers. */
static const json_value *said_of(const struct adapter *a, const struct said_list *l, numel_str module,
                                 bool numbers)
{
    uint32_t first = first_of(l, module, numbers);
    int64_t number;
    for (unsigned i = 0; i < l->expression_count && l->expressions[i].at <= first; i++) {
        const json_value *v = l->expressions[i].v;
        if ((!numbers || json_integer(v, &number)) && matches(a, module, json_name(v), true)) return v;
    }
    return value_at(l, first);
}

bool adapter_said_size(const struct adapter *a, numel_str module, const char *key, uint64_t *n)
{
    char pattern[64];
    int64_t own = 0;
    text_format(pattern, sizeof pattern, "%s_pattern", key);
    const struct said_list *l = list_of(a, module, key), *by = list_of(a, module, pattern);
    const json_value *v = said_of(a, by, module, false);
    if (!v) v = l->v;
    if (v == l->v && json_kind(v) == JSON_OBJECT) v = said_of(a, l, module, false);
    if (json_kind(v) == JSON_ARRAY && v == l->v) own = (int64_t)l->values;
    else if (json_kind(v) == JSON_ARRAY)
        for (const json_value *c = json_first(v); c; c = json_next(c)) own++;
    else if (json_kind(v) != JSON_NUMBER || !json_integer(v, &own)) own = 0;
    *n = (uint64_t)own;
    return own > 0 && !l->unread && !by->unread;
}

/* The rank that rank_pattern gives for a name; `r` if it gives none. */
static int64_t rank_called(const struct adapter *a, const struct said_list *l, numel_str name, uint64_t rank,
                           int64_t r)
{
    char text[24];
    uint32_t k = l->unread ? names_find(&l->by, l->entries, number_name(text, (int64_t)rank)) : NAMES_ABSENT;
    (void)json_integer(k == NAMES_ABSENT ? said_of(a, l, name, true) : value_at(l, k), &r);
    return r;
}

/* Likewise for a parameter in target_parameters, "experts.down_proj" of "mlp.experts"; -1 if it belongs to
 * another module. */
static int64_t rank_listed(const struct adapter *a, const struct said_list *l, const struct adapter_module *m,
                           const char *listed, int64_t r)
{
    char text[LONGEST];
    const char *dot = listed ? strrchr(listed, '.') : NULL;
    numel_str of = dot ? text_span(listed, dot) : (numel_str){ NULL, 0 }, module = m->name;
    while (text_take_end(&module, ".base_layer")) continue;
    numel_str front = text_less(module, of.n);
    if (!dot || !text_same(text_tail(module, of.n), of) || (front.n && text_last(front) != '.')) return -1;
    numel_str name = text_join(text, sizeof text, module, text_of(dot), text_of(""));
    return name.p ? rank_called(a, l, name, m->rank, r) : 0;
}

/* PEFT wraps one parameter of a module around another. Only the base can tell which is which. */
int64_t said_rank(const struct adapter *a, const struct adapter_module *m, int64_t otherwise)
{
    const struct said_list *l = list_of(a, m->name, "rank_pattern");
    int64_t r = otherwise, common = -1;
    unsigned listed = 0;
    (void)json_integer(adapter_said(a, m->name, "r"), &r);
    if (!json_first(l->v)) return r;
    if (m->parameter.n || !said_lists_parameter(a, m->name))
        return rank_called(a, l, m->parameter.n ? m->parameter : m->name, m->rank, r);
    for (const json_value *c = json_first(adapter_said(a, m->name, "target_parameters")); c;
         c = json_next(c)) {
        int64_t own = rank_listed(a, l, m, json_text_of(c), r);
        if (++listed > MOST_EXPRESSIONS || (own >= 0 && common >= 0 && own != common)) return 0;
        if (own >= 0) common = own;
    }
    return common < 0 ? 0 : common;
}

const char *said_alpha_key(const struct adapter *a, unsigned component)
{
    bool own = text_lists(text_of("loha lokr"), text_of(a->type));
    return own && !said_value(a, component, "lora_alpha") ? "alpha" : "lora_alpha";
}

/* ---- targets ------------------------------------------------------------------------------ */

static void meet(const struct said_list *l, numel_str module)
{
    size_t at = module.n;
    unsigned tried = 0;
    for (numel_str end; next_end(l, module, &at, &tried, &end);) {
        uint32_t i = names_find(&l->by, l->entries, end);
        if (i != NAMES_ABSENT) l->entries[i].met = true;
    }
}

/* Listed names that no tensor has. They are a complaint if the base has such a module, and ignored if it does
 * not. If the base is unknown, the adapter cannot be proven. */
struct listing {
    struct adapter *a;
    const struct base_names *base;
    unsigned component;
    bool whole; /* modules_to_save is checked */
    uint64_t looks;
};

enum { MOST_LOOKS = 1 << 8 };

static void say_absent(struct listing *l, const char *key, numel_str name)
{
    struct adapter *a = l->a;
    const struct base_names *b = l->base;
    bool few = a->complaint_count < ADAPTER_COMPLAINTS && ++l->looks < MOST_LOOKS;
    bool sure = b && !b->guessed, has = few && b && b->ends(b->of, a, name, l->component, l->whole);
    if (few && b && !has) return;
    const char *quoted = few || !a->hole ? name_shown(a->arena, name) : NULL;
    if (!quoted) return;
    const char *text =
        l->whole ? arena_format(a->arena, "%s lists %s, but no tensor belongs to it", key, quoted)
                 : arena_format(a->arena, "%s lists %s, but the adapter has no tensor for it", key, quoted);
    if (few && sure) adapter_disagree(a, text);
    else if (!a->hole && text)
        a->hole =
            arena_format(a->arena, "%s%s", text, few ? ": --base MODEL tells whether its base has one" : "");
}

/* Reports names in a list, or keys of an object, that no module has. */
static void say_unmet(struct listing *own, const struct said_list *l, const struct said_list *excluded)
{
    struct adapter *a = own->a;
    for (size_t i = 0; i < a->module_count; i++)
        if (said_component(a, a->modules[i].name) == l->component) meet(l, a->modules[i].name);
    for (size_t i = 0; i < l->count; i++) {
        const struct said_entry *t = &l->entries[i];
        bool name = json_kind(l->v) == JSON_ARRAY ? json_text_of(t->v) != NULL : t->name.p[0] != 0;
        if (t->met || !name || (t->name.n && said_expression(t->name.p)) ||
            (excluded && first_of(excluded, t->name, false) != NAMES_ABSENT))
            continue;
        say_absent(own, l->key, t->name);
    }
}

/* For a task, PEFT lists all names that a head may have. */
static bool is_saved(const struct adapter *a, const char *name)
{
    bool found = strcmp(name, "classifier") == 0 || strcmp(name, "score") == 0 || said_expression(name);
    for (uint32_t i = 0; !found && i < a->ck->registry.count; i++) {
        numel_str own = a->ck->registry.tensors[i].name;
        size_t at = text_find(own, 0, name[0]);
        for (; at < own.n && !found; at = text_find(own, at + 1, name[0])) {
            numel_str rest = text_from(own, at);
            found =
                (at == 0 || own.p[at - 1] == '.') && text_take_start(&rest, name) && text_first(rest) == '.';
        }
    }
    return found;
}

/* Searches all tensors for each name: there are few heads. */
static void compare_saved(struct listing *l)
{
    enum { MOST_TENSORS = 1 << 24 };
    struct adapter *a = l->a;
    uint64_t looks = 0;
    for (const json_value *c = json_first(said_value(a, l->component, "modules_to_save")); c;
         c = json_next(c)) {
        if ((looks += a->ck->registry.count) > MOST_TENSORS) {
            a->hole = "modules_to_save lists too many names to look for all of them";
            return;
        }
        const char *name = json_text_of(c);
        if (name && name[0] && !is_saved(a, name)) say_absent(l, "modules_to_save", text_of(name));
    }
}

void targets_compare(struct adapter *a, const struct base_names *base)
{
    struct listing l = { .a = a, .base = base };
    a->listed = true;
    for (; (a->module_count || a->whole) && l.component <= COMPONENTS; l.component++) {
        const struct said_list *excluded = list_at(a, l.component, "exclude_modules", false);
        bool parameters = json_first(said_value(a, l.component, "target_parameters")) != NULL;
        bool open = json_text_of(excluded->v) != NULL; /* modules excluded by an expression are not checked */
        l.base = base;
        if (!open) say_unmet(&l, list_at(a, l.component, "target_modules", false), excluded);
        if (parameters) say_unmet(&l, list_at(a, l.component, "target_parameters", true), NULL);
        l.whole = true;
        compare_saved(&l);
        l.whole = false;
        if (parameters) continue; /* their patterns name parameters */
        l.base = NULL;            /* a pattern may name unchanged modules */
        say_unmet(&l, list_at(a, l.component, "rank_pattern", false), NULL);
        say_unmet(&l, list_at(a, l.component, "alpha_pattern", false), NULL);
    }
}

/* ---- all ---------------------------------------------------------------------------------- */

bool said_open(struct adapter *a)
{
    a->said = arena_alloc(a->arena, sizeof *a->said);
    if (!a->said) return false;
    *a->said = NULL; /* for said_close(), which may run at any time */
    a->said_deep = arena_alloc(a->arena, sizeof *a->said_deep);
    if (!a->said_deep) return false;
    *a->said_deep = false;
    a->said_unread = arena_alloc(a->arena, sizeof *a->said_unread);
    if (!a->said_unread) return false;
    *a->said_unread = false;
    return true;
}

void said_close(struct adapter *a)
{
    struct said_list *next;
    for (struct said_list *l = a->said ? *a->said : NULL; l; l = next) {
        next = l->next;
        memory_release(a->arena->memory, l->entries);
        names_done(&l->by);
        memory_release(a->arena->memory, l);
    }
    a->said = NULL;
}

/*
 * adapter_gaps.c -- finds modules that an adapter omits although its own pattern, or its configuration,
 * includes them.
 *
 * Trainers select modules by the ends of their names, and sometimes by block. So blocks of one kind are
 * changed alike: a module changed in one block but not in another is a gap, provided that the base has it
 * there. Selecting a few of many blocks is normal. If nearly all are changed, an unchanged one is a hole, and
 * only the configuration can show that it is intended. All targets listed in PEFT's configuration must be
 * present. Tensors saved whole, norms and biases, are checked in the same way, separately.
 *
 * A block is a name up to and including a number, "model.layers.7.", where some modules differ in that number
 * alone: "net.0.proj" and "net.2" are not blocks. If a name has several such numbers, its module is in the
 * block of the last. Blocks are of one kind if their names differ only in numbers. A stack is the blocks that
 * differ only in the last number. A block that is alone of its kind, such as the middle of a U-Net, is
 * compared with blocks of the same word.
 */
#include "adapter/adapter_internal.h"

#include "base/text.h"
#include "statement/line.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 600, WORDS = 32, MOST_WORK = 1 << 24, MOST_NUMBERS = 4096, MOST_TRIED = 256 };

/* A name, split at one of its numbers. */
struct place {
    numel_str before; /* "model.layers." */
    numel_str word;   /* "layers": from the last dot or number before it */
    uint64_t number;
    numel_str block; /* "model.layers.7." */
    numel_str rest;  /* "self_attn.q_proj" */
};

struct item {       /* an entry of any list; unused fields are 0 */
    numel_str name; /* first: see names.h */
    numel_str word, rest;
    uint64_t number;  /* its own; for a stack, the last */
    uint64_t count;   /* blocks present */
    uint64_t holes;   /* blocks missing; for a rest, modules without bias */
    uint64_t behind;  /* missing blocks after the last one present */
    const char *hole; /* the first of these */
    uint64_t bare;    /* for a rest: modules that have only a bias */
    const char *bare_one;
    uint32_t of;    /* the kind of a block, a rest or a stack */
    uint32_t stack; /* of a block */
};

struct list {
    struct item *items;
    size_t count, cap;
    struct names by;
};

struct gaps {
    struct adapter *a;
    const struct base_names *base;
    numel_str words[WORDS]; /* of numbers that count blocks */
    unsigned word_count;
    bool saved;        /* looks at tensors saved whole, not at changed modules */
    struct list names; /* all names that are looked at */
    struct list siblings, tried, kinds, blocks, rests, stacks;
    const char *first; /* the first gap */
    uint64_t count;    /* number of gaps */
    uint64_t work;     /* pairs compared; limited because of hostile files */
};

/* ---- names -------------------------------------------------------------------------------- */

static bool is_between(char c) { return c == '.' || c == '_'; }

/* Splits a name at its next number between separators. Searches from *at, and moves *at past the number. */
static bool next_place(numel_str name, size_t *at, struct place *p)
{
    for (size_t i = *at ? *at : 1; i < name.n; i++) {
        size_t d = i;
        uint64_t number = 0;
        while (d < name.n && d - i < 6 && isdigit((unsigned char)name.p[d]))
            number = number * 10 + (uint64_t)(name.p[d++] - '0');
        if (!is_between(name.p[i - 1]) || d == i || d + 1 >= name.n || !is_between(name.p[d])) continue;
        size_t w = i - 1;
        while (w > *at && name.p[w - 1] != '.') w--;
        *p = (struct place){ .before = { name.p, i },
                             .word = { name.p + w, i - 1 - w },
                             .number = number,
                             .block = { name.p, d + 1 },
                             .rest = text_from(name, d + 1) };
        *at = d + 1;
        return true;
    }
    return false;
}

/* "unet.down_blocks.#.attentions.": numbers between separators become '#'. */
static numel_str kind_name(numel_str before, char out[LONGEST])
{
    size_t n = 0;
    for (size_t i = 0; i < before.n && n < LONGEST; i++) {
        size_t d = i;
        while (i > 0 && is_between(before.p[i - 1]) && d < before.n && isdigit((unsigned char)before.p[d]))
            d++;
        bool number = d > i && d < before.n && is_between(before.p[d]);
        out[n++] = number ? '#' : before.p[i];
        if (number) i = d - 1;
    }
    return (numel_str){ out, n };
}

/* Equal words, or one ends in the other after '_': in kohya's "lora_unet_mid_block_attentions" words
 * cannot be separated. */
static bool same_word(numel_str x, numel_str y)
{
    if (x.n < y.n) return same_word(y, x);
    return text_same(text_tail(x, y.n), y) && (x.n == y.n || text_last(text_less(x, y.n)) == '_');
}

static bool is_stack(const struct gaps *g, numel_str word)
{
    for (unsigned i = 0; i < g->word_count; i++)
        if (same_word(g->words[i], word)) return true;
    return false;
}

/* "model.layers." and 8 become "model.layers.8."; p NULL if too long. */
static numel_str numbered(char out[LONGEST], numel_str before, uint64_t number)
{
    char text[24];
    text_format(text, sizeof text, "%" PRIu64 "%c", number, text_last(before));
    return text_join(out, LONGEST, before, text_of(text), text_of(""));
}

/* ---- lists -------------------------------------------------------------------------------- */

/* Enters an item unless its name is known; *number is its index. The name is copied on request; otherwise
 * it must be a slice of a tensor's name. */
NUMEL_MUST static bool enter(struct gaps *g, struct list *l, const struct item *item, bool copied,
                             uint32_t *number, numel_error *e)
{
    struct arena *arena = g->a->arena;
    void *p = l->items;
    uint32_t found = l->count ? names_find(&l->by, l->items, item->name) : NAMES_ABSENT;
    *number = found;
    if (found != NAMES_ABSENT) return true;
    if (!memory_grow(arena->memory, &p, &l->cap, l->count + 1, sizeof *l->items, e)) return false;
    l->items = p;
    l->items[l->count] = *item;
    if (copied) l->items[l->count].name.p = arena_text(arena, item->name.p, item->name.n);
    if (!l->items[l->count].name.p) return error_nomem(e);
    if (!names_reserve(&l->by, l->count + 1, e)) return false;
    *number = names_enter(&l->by, l->items, l->count);
    l->count++;
    return true;
}

/* Whatever exceeds the limits of this file must be reported. */
static bool say_too_many(const struct gaps *g)
{
    if (!g->a->hole) g->a->hole = "it has too many kinds of blocks to tell whether one is missing";
    return true;
}

static void add_word(struct gaps *g, numel_str word)
{
    if (g->word_count == WORDS) say_too_many(g);
    else g->words[g->word_count++] = word;
}

/* A number counts blocks if two names differ in that number alone. */
NUMEL_MUST static bool find_words(struct gaps *g, numel_error *e)
{
    for (size_t i = 0; i < g->names.count; i++) {
        struct place p;
        for (size_t at = 0; next_place(g->names.items[i].name, &at, &p);) {
            char text[LONGEST];
            uint32_t n;
            numel_str key = text_join(text, sizeof text, p.before, text_of("#"), p.rest);
            struct item own = { .name = key, .number = p.number };
            if (!key.p || is_stack(g, p.word)) continue;
            if (!enter(g, &g->siblings, &own, true, &n, e)) return false;
            if (g->siblings.items[n].number != p.number) add_word(g, p.word);
        }
    }
    return true;
}

/* ---- intended modules --------------------------------------------------------------------- */

/* PEFT takes the first number of a name as the layer. */
bool gaps_list_layer(const struct adapter *a, numel_str name)
{
    const json_value *layers = adapter_said(a, name, "layers_to_transform");
    struct place p;
    size_t at = 0;
    int64_t own;
    if (json_kind(layers) == JSON_NULL || (json_kind(layers) == JSON_ARRAY && !json_first(layers)))
        return true;
    if (!next_place(name, &at, &p)) return false;
    if (json_integer(layers, &own)) return own == (int64_t)p.number;
    return said_lists_number(a, name, "layers_to_transform", p.number);
}

/* Does the configuration list the targets of the name's component by name? */
static bool targets_told(const struct gaps *g, numel_str name)
{
    const struct adapter *a = g->a;
    bool modules = json_kind(adapter_said(a, name, "target_modules")) != JSON_NULL;
    return said_is_texts(a, name, modules ? "target_modules" : "target_parameters") &&
           (json_kind(adapter_said(a, name, "exclude_modules")) == JSON_NULL ||
            said_is_texts(a, name, "exclude_modules"));
}

static bool is_meant(const struct gaps *g, numel_str name)
{
    const struct adapter *a = g->a;
    if (!gaps_list_layer(a, name)) return false;
    if (!targets_told(g, name) || said_lists_parameter(a, name)) return true;
    return said_targets(a, name);
}

static bool is_due(const struct gaps *g, numel_str name)
{
    if (!g->saved && !is_meant(g, name)) return false;
    if (g->saved) (void)(text_take_end(&name, ".weight") || text_take_end(&name, ".bias"));
    return g->base->has(g->base->of, name);
}

/* ---- blocks ------------------------------------------------------------------------------- */

/* Has a module that differs only in numbers already been tried? */
NUMEL_MUST static bool is_tried(struct gaps *g, const struct place *p, bool *is, numel_error *e)
{
    char kind[LONGEST], text[LONGEST];
    uint32_t n;
    size_t known = g->tried.count;
    struct item own = { .name =
                            text_join(text, sizeof text, kind_name(p->before, kind), text_of("#"), p->rest) };
    *is = !own.name.p;
    if (*is) return true;
    if (!enter(g, &g->tried, &own, true, &n, e)) return false;
    *is = g->tried.count == known;
    return true;
}

/* If only one block is changed but more are listed, only the base can show that there are others. */
NUMEL_MUST static bool find_listed(struct gaps *g, numel_error *e)
{
    for (size_t i = 0; i < g->names.count && !g->saved; i++) {
        struct place p;
        numel_str name = g->names.items[i].name;
        for (size_t at = 0; targets_told(g, name) && next_place(name, &at, &p);) {
            char text[LONGEST], more[LONGEST];
            bool known;
            if (is_stack(g, p.word)) continue;
            if (!is_tried(g, &p, &known, e)) return false;
            if (known) continue;
            if (g->tried.count > MOST_TRIED) return say_too_many(g);
            numel_str block = numbered(text, p.before, p.number ? p.number - 1 : 1);
            numel_str other = block.p ? text_join(more, sizeof more, block, p.rest, text_of("")) : block;
            if (other.p && g->base->has(g->base->of, other)) add_word(g, p.word);
        }
    }
    return true;
}

/* Enters one of a module's blocks, with its kind and stack. */
NUMEL_MUST static bool add_block(struct gaps *g, const struct place *p, uint32_t *kind, numel_error *e)
{
    char text[LONGEST];
    uint32_t stack, n;
    size_t known = g->blocks.count;
    struct item own = { .name = kind_name(p->before, text), .word = p->word };
    if (!enter(g, &g->kinds, &own, true, kind, e)) return false;
    own = (struct item){ .name = p->before, .of = *kind };
    if (!enter(g, &g->stacks, &own, false, &stack, e)) return false;
    own =
        (struct item){ .name = p->block, .rest = p->rest, .number = p->number, .of = *kind, .stack = stack };
    if (!enter(g, &g->blocks, &own, false, &n, e)) return false;
    struct item *s = &g->stacks.items[stack];
    g->kinds.items[*kind].count += g->blocks.count > known;
    if (p->number > s->number) s->number = p->number;
    return true;
}

/* Counts the modules of a rest, those without a bias and those with only a bias; keeps the first of each. */
static void add_bias(struct arena *arena, struct item *rest, const struct adapter_module *m)
{
    bool has = false, only = m->part_count > 0;
    for (unsigned i = 0; i < m->part_count; i++) {
        has |= part_is_bias(m->parts[i]);
        only &= part_is_bias(m->parts[i]);
    }
    rest->count++;
    if (!has && rest->holes++ == 0) rest->hole = name_shown(arena, m->name);
    if (only && rest->bare++ == 0) rest->bare_one = name_shown(arena, m->name);
}

/* Enters the blocks of a name, and what follows the last of them. */
NUMEL_MUST static bool add_name(struct gaps *g, uint32_t i, numel_error *e)
{
    numel_str name = g->names.items[i].name;
    char text[LONGEST];
    uint32_t kind = NAMES_ABSENT, n;
    struct place p, last = { .number = 0 };
    for (size_t at = 0; next_place(name, &at, &p);) {
        if (!is_stack(g, p.word)) continue;
        if (!add_block(g, &p, &kind, e)) return false;
        last = p;
    }
    if (kind == NAMES_ABSENT) return true;
    const struct item *k = &g->kinds.items[kind];
    struct item own = { .name = text_join(text, sizeof text, k->name, text_of("#"), last.rest),
                        .word = last.word,
                        .rest = last.rest,
                        .of = kind };
    if (!own.name.p) return true;
    if (!enter(g, &g->rests, &own, true, &n, e)) return false;
    if (!g->saved) add_bias(g->a->arena, &g->rests.items[n], &g->a->modules[i]);
    return true;
}

/* ---- gaps --------------------------------------------------------------------------------- */

static void add_gap(struct gaps *g, numel_str block, numel_str rest)
{
    char text[LONGEST];
    numel_str name = text_join(text, sizeof text, block, rest, text_of(""));
    if (!name.p || names_find(&g->names.by, g->names.items, name) != NAMES_ABSENT || !is_due(g, name)) return;
    char more[LONGEST]; /* "to_out" in one kind of block is "to_out.0" in another */
    numel_str longer = text_join(more, sizeof more, name, text_of(".0"), text_of(""));
    if (longer.p && names_find(&g->names.by, g->names.items, longer) != NAMES_ABSENT) return;
    if (g->count++ == 0) g->first = name_shown(g->a->arena, name);
}

static void find_gaps(struct gaps *g)
{
    for (size_t i = 0; i < g->blocks.count; i++) {
        const struct item *b = &g->blocks.items[i], *kind = &g->kinds.items[b->of];
        for (size_t k = 0; k < g->rests.count; k++) {
            const struct item *r = &g->rests.items[k];
            bool alike = kind->count == 1 && same_word(kind->word, r->word);
            if (r->of == b->of || alike) add_gap(g, b->name, r->rest);
        }
    }
    const char *more = g->count > 1 ? arena_format(g->a->arena, " (%" PRIu64 " such gaps)", g->count) : "";
    if (g->first && more)
        adapter_disagree(g->a, arena_format(g->a->arena, "%s is not changed, but in other blocks it is%s",
                                            g->first, more));
}

/* A module's bias is trained in all blocks, or in none. */
static void find_bare(struct gaps *g)
{
    for (size_t i = 0; i < g->rests.count; i++) {
        const struct item *r = &g->rests.items[i];
        if (r->bare_one && r->bare < r->count)
            adapter_disagree(
                g->a,
                arena_format(g->a->arena, "%s has only a bias, but others like it have more", r->bare_one));
        if (!r->hole || r->holes == r->count) continue;
        adapter_disagree(g->a, arena_format(g->a->arena,
                                            "%s has no bias, but others like it have one (%" PRIu64
                                            " of %" PRIu64 " have none)",
                                            r->hole, r->holes, r->count));
        return;
    }
}

/* ---- holes -------------------------------------------------------------------------------- */

/* True if the block should be changed: the base has a module in it that is changed in another block of the
 * stack, and the configuration includes it. *is: the base has such a module, included or not. */
static bool block_due(const struct gaps *g, numel_str block, uint32_t stack, bool *is)
{
    char text[LONGEST];
    numel_str last = { NULL, 0 };
    for (size_t i = 0, tried = 0; i < g->blocks.count; i++) {
        const struct item *n = &g->blocks.items[i];
        if (n->stack != stack || text_same(n->rest, last)) continue;
        numel_str name = text_join(text, sizeof text, block, n->rest, text_of(""));
        last = n->rest;
        if (tried++ == MOST_TRIED) return !say_too_many(g);
        *is |= name.p && g->base->has(g->base->of, name);
        if (name.p && is_due(g, name)) return true;
    }
    return false;
}

/* Counts the unchanged blocks of a stack. */
static void count_holes(struct gaps *g, uint32_t stack)
{
    const struct item *s = &g->stacks.items[stack];
    struct item *kind = &g->kinds.items[s->of];
    for (uint64_t i = 0;; i++) {
        char text[LONGEST];
        if (i == MOST_NUMBERS) say_too_many(g);
        numel_str block = numbered(text, s->name, i);
        bool met = !block.p || names_find(&g->blocks.by, g->blocks.items, block) != NAMES_ABSENT;
        bool is = met, due = !met && block_due(g, block, stack, &is);
        if (!met) g->work += g->blocks.count;
        kind->behind += due && i > s->number;
        if (due && kind->holes++ == 0) kind->hole = name_shown(g->a->arena, text_less(block, 1));
        if ((!due && !is && i > s->number) || g->work > MOST_WORK || i == MOST_NUMBERS) break;
    }
}

/* Selecting some of many blocks is normal; missing few is not. If the base was guessed by its sizes, it
 * may simply have fewer blocks. */
static void find_holes(struct gaps *g)
{
    struct adapter *a = g->a;
    for (uint32_t i = 0; i < g->stacks.count; i++) count_holes(g, i);
    for (size_t i = 0; i < g->kinds.count && !a->hole; i++) {
        const struct item *k = &g->kinds.items[i];
        bool told = g->saved ? json_first(adapter_said(a, k->name, "modules_to_save")) != NULL
                             : targets_told(g, k->name);
        if (!k->hole || (!told && k->count < 3 * k->holes)) continue;
        bool fewer = g->base->guessed && k->behind == k->holes;
        a->hole = arena_format(a->arena, "%s is not changed (of %" PRIu64 " such blocks, %" PRIu64 " are)%s",
                               k->hole, k->count + k->holes, k->count,
                               fewer ? "; its base may have as many: --base MODEL checks it" : "");
        if (told && !fewer) adapter_disagree(a, a->hole);
    }
}

/* ---- all ---------------------------------------------------------------------------------- */

/* All modules in order, or all tensors saved whole. */
NUMEL_MUST static bool list_names(struct gaps *g, numel_error *e)
{
    const struct adapter *a = g->a;
    size_t count = g->saved ? a->ck->registry.count : a->module_count;
    uint32_t n;
    for (size_t i = 0; i < count; i++) {
        struct item own = { .name = { NULL, 0 } };
        if (!g->saved) own.name = a->modules[i].name;
        else if (part_of(a, &a->ck->registry.tensors[i]).role == PART_NONE)
            own.name = part_of(a, &a->ck->registry.tensors[i]).module;
        if (own.name.n && !enter(g, &g->names, &own, false, &n, e)) return false;
    }
    return true;
}

NUMEL_MUST static bool gather(struct gaps *g, numel_error *e)
{
    if (!list_names(g, e) || !find_words(g, e) || !find_listed(g, e)) return false;
    for (uint32_t i = 0; i < g->names.count; i++)
        if (!add_name(g, i, e)) return false;
    return true;
}

NUMEL_MUST static bool compare(struct adapter *a, const struct base_names *base, bool saved, numel_error *e)
{
    struct gaps g = { .a = a, .base = base, .saved = saved };
    struct list *const lists[] = {
        &g.names, &g.siblings, &g.tried, &g.kinds, &g.blocks, &g.rests, &g.stacks
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        names_init(&lists[i]->by, a->arena->memory, sizeof(struct item));
    bool ok = gather(&g, e);
    g.work = (uint64_t)g.blocks.count * g.rests.count;
    if (ok && g.work <= MOST_WORK) {
        find_gaps(&g);
        find_bare(&g);
        find_holes(&g);
    }
    if (g.work > MOST_WORK) a->hole = "it has too many blocks to tell whether one is missing";
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        memory_release(a->arena->memory, lists[i]->items);
        names_done(&lists[i]->by);
    }
    return ok;
}

/* Does the configuration list this changed module? */
static bool is_listed(const struct gaps *g, numel_str name)
{
    const struct adapter *a = g->a;
    struct place p;
    size_t at = 0;
    bool numbered = next_place(name, &at, &p);
    if (numbered && !gaps_list_layer(a, name)) return false;
    return !targets_told(g, name) || said_lists_parameter(a, name) || said_targets(a, name);
}

/* Reports changed modules that the configuration does not list. PEFT does not create such modules, and
 * drops their tensors. */
void told_compare(struct adapter *a)
{
    const struct gaps g = { .a = a };
    const struct adapter_module *first = NULL;
    uint64_t others = 0;
    if (*a->said_deep && !a->hole) a->hole = "its configuration lists modules nested too deeply to look for";
    for (size_t i = 0; i < a->module_count; i++) {
        if (a->modules[i].rank == 0 || is_listed(&g, a->modules[i].name)) continue;
        if (others++ == 0) first = &a->modules[i];
    }
    if (*a->said_unread && !a->hole)
        a->hole = "its configuration has expressions that numel does not evaluate";
    const char *name = first ? name_shown(a->arena, first->name) : NULL;
    if (name)
        adapter_disagree(a, arena_format(a->arena,
                                         "%s is changed, but the configuration does not list it (%" PRIu64
                                         " of %zu modules)",
                                         name, others, a->module_count));
}

bool gaps_compare(struct adapter *a, const struct base_names *base, numel_error *e)
{
    return compare(a, base, false, e) && (a->whole == a->frozen || compare(a, base, true, e));
}

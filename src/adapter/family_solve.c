/*
 * family_solve.c -- families for language models of unlisted sizes: an architecture, with sizes on which all
 * modules agree.
 *
 * One family of each architecture is expanded. Each distinct expression in its specification is an unknown,
 * "H*D", for which the modules of all rows must give the same value. The number of layers is that of the
 * modules.
 */
#include "adapter/adapter_internal.h"

#include "base/memory.h"
#include "base/num.h"
#include "base/text.h"

#include <string.h>

enum { UNKNOWNS = 26, MOST_LAYERS = 1000 };

struct unknown {
    uint64_t id, size, rows; /* number of rows it occurs in */
};

struct solving {
    struct adapter *a;
    const struct adapter_family *of;
    struct unknown all[UNKNOWNS];
    unsigned count;
    uint64_t layers;
};

/* ---- layers --------------------------------------------------------------------------------- */

/* The first number that is a whole component of the name; MOST_LAYERS if there is none, or it is too
 * large. */
static uint64_t first_number(numel_str name)
{
    for (size_t i = 1; i < name.n; i++) {
        uint64_t number = 0;
        size_t d = i;
        while (d < name.n && d < i + 4 && name.p[d] >= '0' && name.p[d] <= '9')
            number = number * 10 + (uint64_t)(name.p[d++] - '0');
        if (name.p[i - 1] == '.' && d > i && d < name.n && name.p[d] == '.')
            return number < MOST_LAYERS ? number : MOST_LAYERS;
    }
    return MOST_LAYERS;
}

/* All layers must be changed, starting from the first, as nothing else shows how many there are. A
 * configuration may also state their number or list them. */
static bool count_blocks(struct solving *s)
{
    bool met[MOST_LAYERS] = { false };
    uint64_t first = MOST_LAYERS, count = 0;
    int64_t told = 0;
    for (size_t i = 0; i < s->a->module_count; i++) {
        uint64_t number = first_number(s->a->modules[i].name);
        if (number == MOST_LAYERS) continue;
        count += !met[number];
        met[number] = true;
        if (number < first) first = number;
        if (number + 1 > s->layers) s->layers = number + 1;
    }
    const json_value *listed = json_get(s->a->config, "layers_to_transform");
    (void)json_integer(json_get(s->a->config, "num_layers"), &told);
    bool whole = first == 0 || (told > 0 && (uint64_t)told == count);
    return count &&
           ((whole && count == s->layers - first) || json_first(listed) || json_kind(listed) == JSON_NUMBER);
}

/* The pattern for this number of layers, in its first braces; NULL if memory runs out. */
NUMEL_MUST static const char *stretched(const struct solving *s, const char *pattern)
{
    numel_str all = text_of(pattern);
    size_t open = text_find(all, 0, '{'), close = text_find(all, open, '}');
    const char *layers = arena_format(s->a->arena, "{0-%" PRIu64, num_left(s->layers, 1));
    if (open == all.n || !layers) return layers ? pattern : NULL;
    return arena_join(s->a->arena, text_upto(all, open), text_of(layers), text_from(all, close)).p;
}

/* Do all its rows count the same layers? */
static bool counts_once(const struct family_row *rows)
{
    numel_str first = { NULL, 0 };
    for (const struct family_row *r = rows; r->pattern; r++) {
        numel_str pattern = text_of(r->pattern);
        size_t open = text_find(pattern, 0, '{');
        numel_str own = text_slice(pattern, open, text_find(pattern, open, '}'));
        if (!own.n) continue;
        if (first.n && !text_same(first, own)) return false;
        first = own;
    }
    return first.n && text_starts(first, "{0-");
}

/* ---- sizes ---------------------------------------------------------------------------------- */

static struct unknown *unknown_of(struct solving *s, uint64_t id)
{
    unsigned i = 0;
    while (i < s->count && s->all[i].id != id) i++;
    if (i == UNKNOWNS) return NULL;
    if (i == s->count) s->all[s->count++] = (struct unknown){ .id = id };
    return &s->all[i];
}

static uint64_t solved_size(struct solving *s, uint64_t id, uint64_t own)
{
    const struct unknown *u = id ? unknown_of(s, id) : NULL;
    return u ? u->size : id ? 0 : own;
}

/* Does the row's size match the modules'? An unknown gets its value from the first. */
static bool bind_size(struct solving *s, uint64_t id, uint64_t own, uint64_t size, bool table)
{
    if (size == 0) return true;
    if (!id) return own == size || own == 0;
    struct unknown *u = unknown_of(s, id);
    if (!u || (u->size && u->size != size)) return false;
    u->size = size;
    u->rows++;
    return table || size % 8 == 0;
}

/* Binds all modules of one row, which must have one size. Returns false if one differs; *met: there were
 * any. */
static bool bind_row(struct solving *s, const struct family_row *r, const char *pattern, bool *met)
{
    const struct adapter_module *first = NULL;
    for (size_t i = 0; i < s->a->module_count; i++) {
        const struct adapter_module *m = &s->a->modules[i];
        if (!family_module_is(pattern, m->name)) continue;
        if (first && (first->out != m->out || first->in != m->in)) return false;
        first = m;
    }
    *met = first != NULL;
    if (!first) return true;
    if (first->out == 0 || first->in == 0 || first->lesser) return false; /* too little to identify the row */
    bool table = family_is_table(first->name);
    return bind_size(s, r->out_id, r->out, first->out, table) &&
           bind_size(s, r->in_id, r->in, first->in, table);
}

/* The unknown in most rows, which is the width, must occur in at least two. NULL if the modules do not
 * fit. */
static const struct unknown *solve_rows(struct solving *s, const struct family_row *rows)
{
    const struct unknown *widest = &s->all[0];
    unsigned all = 0;
    for (const struct family_row *r = rows; r->pattern; r++) {
        bool met = false;
        if (!bind_row(s, r, r->pattern, &met)) return NULL;
        all += met;
    }
    for (unsigned i = 1; i < s->count; i++)
        if (s->all[i].rows > widest->rows) widest = &s->all[i];
    return all > 1 && widest->rows > 1 ? widest : NULL;
}

/* ---- families ------------------------------------------------------------------------------- */

/* The family with this number of layers; NULL if memory runs out. */
static struct adapter_family *stretched_family(const struct solving *s)
{
    size_t n = 0;
    while (s->of->parts[0][n].pattern) n++;
    struct family_row *rows = arena_copy(s->a->arena, s->of->parts[0], (n + 1) * sizeof *rows);
    struct adapter_family *f = arena_alloc(s->a->arena, sizeof *f);
    if (!rows || !f) return NULL;
    *f = (struct adapter_family){ .name = s->of->name, .arch = s->of->arch, .parts = { rows } };
    for (size_t i = 0; i < n; i++)
        if (!(rows[i].pattern = stretched(s, rows[i].pattern))) return NULL;
    return f;
}

/* Compares only rows with transformers' names. */
static bool same_rows(const struct family_row *a, const struct family_row *b)
{
    for (; a->pattern; a++) {
        const struct family_row *r = b;
        if (text_starts(text_of(a->pattern), "blk.") || !strchr(a->pattern, '.')) continue;
        while (r->pattern && (r->out != a->out || r->in != a->in || strcmp(r->pattern, a->pattern) != 0)) r++;
        if (!r->pattern) return false;
    }
    return true;
}

static bool are_alike(const struct family_row *a, const struct family_row *b)
{
    return same_rows(a, b) && same_rows(b, a);
}

/* The architecture at the adapter's sizes; NULL if the names do not fit, or memory runs out. */
static struct adapter_family *solve(struct solving *s)
{
    char width[TEXT_NUMBER];
    if (!counts_once(s->of->parts[0])) return NULL;
    struct adapter_family *f = stretched_family(s);
    const struct unknown *w = f ? solve_rows(s, f->parts[0]) : NULL;
    if (!w) return NULL;
    for (struct family_row *r = (struct family_row *)(uintptr_t)f->parts[0]; r->pattern; r++) {
        r->out = solved_size(s, r->out_id, r->out);
        r->in = solved_size(s, r->in_id, r->in);
    }
    text_number(width, w->size);
    f->name = arena_format(s->a->arena, "%s of width %s, %" PRIu64 " layers", f->arch, width, s->layers);
    return f->name ? f : NULL;
}

/* Does a known family have these sizes, with a different number of layers, or under another architecture
 * than the GGUF states? Then the adapter is not of a new family. */
static bool is_known(struct solving *s)
{
    const struct metadata_entry *said = metadata_find(&s->a->ck->metadata, "general.architecture");
    bool is = said && said->type == META_STRING;
    const char *arch = is ? arena_text(s->a->arena, said->value.s.p, said->value.s.n) : NULL;
    for (s->of = s->a->families; s->of; s->of = s->of->next) {
        struct adapter_family *f = s->of->arch && s->of->parts[0] ? stretched_family(s) : NULL;
        if (f && arch) f->arch = arch;
        if (f && family_fits(s->a, f)) return true;
    }
    return false;
}

static bool has_name(const struct adapter_family *f, const char *name)
{
    while (f && strcmp(f->name, name) != 0) f = f->next;
    return f != NULL;
}

/* Of architectures with the same rows or the same name, the first in the table counts. */
void families_solve(struct adapter *a)
{
    struct solving all = { .a = a };
    struct adapter_family *first = NULL, **end = &first, *last = NULL;
    if (!count_blocks(&all) || is_known(&all)) return;
    families_expand_one_each(a);
    for (const struct adapter_family *of = a->families; of; of = of->next) {
        struct solving s = { .a = a, .of = of, .layers = all.layers };
        struct adapter_family *f = of->arch && of->parts[0] ? solve(&s) : NULL, *other = first;
        while (f && other && !are_alike(f->parts[0], other->parts[0])) other = other->next;
        if (!f || other) continue;
        *end = f;
        end = &f->next;
    }
    for (struct adapter_family *f = first, *next; f; f = next) {
        next = f->next;
        if (!family_fits(a, f) || has_name(a->family_solved, f->name)) continue;
        f->next = NULL;
        if (last) last->next = f;
        else a->family_solved = f;
        last = f;
    }
}

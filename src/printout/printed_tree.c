/*
 * printed_tree.c -- a printed tree as rows.
 *
 * Modules that hold nothing have no row. Numbered siblings with the same class, arguments, results and
 * children are one group, whether the text printed them once ("(0-31): 32 x") or separately:
 * model.layers.[0-31]. Equality is exact: structures are interned. Rows are indented only below a
 * group; the rows of the top level add up to the whole.
 */
#include "printout/printed.h"

#include "base/names.h"
#include "base/num.h"
#include "base/text.h"

enum { LABEL_RANGES = 48 }; /* bytes of "[0-3,5,7]" before it ends in "..." */

struct tree {
    const struct printed_beside *b;
    const struct module *modules;
    uint32_t first, end;
    struct arena *a;
    struct printed_rows *rows;
    numel_str *kinds; /* interned structures, by their descriptions */
    size_t kind_count, kind_cap;
    struct names names;
    struct buffer text;
    uint32_t *kind_of;              /* by module */
    uint32_t *next_alike;           /* the next sibling of its group, or 0 */
    bool *joined;                   /* in the group of an earlier sibling */
    bool *holds;                    /* it or a module below it has a row */
    uint32_t *last_alike, *seen_in; /* by kind: the last of its group, and its parent + 1 */
    numel_error *e;
};

/* ---- alike -------------------------------------------------------------------------------- */

static bool has_own_row(const struct tree *t, uint32_t m)
{
    const struct beside *b = beside_own(t->b, m);
    return b->printed || b->sizeless_tensors || b->bare_tensors || b->strange_tensors ||
           t->modules[m].shows == SHOWS_NO_SIZE;
}

static void describe(struct tree *t, uint32_t m)
{
    const struct module *x = &t->modules[m];
    const struct beside *own = beside_own(t->b, m);
    const uint64_t facts[] = { x->class.n,    x->args.n,   x->shows,      x->copies,
                               own->held,     own->tied,   own->adapters, own->found,
                               own->assumed,  own->absent, own->larger,   own->smaller,
                               own->sizeless, own->bare,   own->strange,  own->regrouped };
    t->text.n = 0;
    buffer_add(&t->text, facts, sizeof facts);
    buffer_add(&t->text, x->class.p, x->class.n);
    buffer_add(&t->text, x->args.p, x->args.n);
    for (uint32_t c = m + 1; c < x->end; c = t->modules[c].end) {
        uint64_t n = t->modules[c].name.n, kind = t->kind_of[c - t->first];
        buffer_add(&t->text, &n, sizeof n);
        buffer_add(&t->text, t->modules[c].name.p, t->modules[c].name.n);
        buffer_add(&t->text, &kind, sizeof kind);
    }
}

NUMEL_MUST static bool intern(struct tree *t, uint32_t m)
{
    describe(t, m);
    if (t->text.failed) return error_nomem(t->e);
    uint32_t *kind = &t->kind_of[m - t->first];
    *kind = names_add(&t->names, &t->kinds, &t->kind_count, &t->kind_cap, buffer_view(&t->text), t->a, t->e);
    return *kind != NAMES_ABSENT;
}

/* Chains a module's numbered children that are alike. */
static void group_children(struct tree *t, uint32_t parent)
{
    for (uint32_t c = parent + 1; c < t->modules[parent].end; c = t->modules[c].end) {
        uint32_t kind = t->kind_of[c - t->first];
        if (!t->modules[c].numbered) continue;
        if (t->seen_in[kind] == parent + 1) {
            t->next_alike[t->last_alike[kind] - t->first] = c;
            t->joined[c - t->first] = true;
        }
        t->seen_in[kind] = parent + 1;
        t->last_alike[kind] = c;
    }
}

/* ---- rows --------------------------------------------------------------------------------- */

static void scale(struct beside *b, uint64_t n)
{
    for (size_t i = 0; i < BESIDE_COUNTS; i++) b->counts[i] *= n; /* parts of a sum that fits */
}

/* Remarks how many copies are held, if not all are. False: NOMEM. */
static bool say_copies(struct tree *t, struct printed_row *r)
{
    uint64_t each = r->times ? r->all.shown / r->times : 0;
    bool whole = each && r->all.found % each == 0 && r->all.found / each < r->times;
    char n[TEXT_NUMBER], m[TEXT_NUMBER];
    if (!r->all.absent || !r->all.found || !whole || r->times < 2) return true;
    r->remark = arena_format(t->a, "%s of %s in the model", text_number(n, r->all.found / each),
                             text_number(m, r->times));
    return r->remark != NULL;
}

/* The one remark on a row; NULL: none. */
static const char *remark_of(const struct tree *t, const struct printed_row *r)
{
    const struct beside *b = &r->all;
    if (r->shows == SHOWS_NO_SIZE) return "no size";
    if (!t->b->h) return NULL;
    if (b->regrouped) return "split differently";
    if (b->tied && b->tied == b->printed) return "tied";
    if (b->adapters && b->adapters == b->printed) return "adapter";
    if (b->absent && b->absent == b->printed) return "not in the model";
    return b->strange ? "larger in the model" : NULL;
}

NUMEL_MUST static bool add_row(struct tree *t, uint32_t m, const char *path, const char *label,
                               unsigned depth, uint64_t times, const struct beside *b)
{
    if (!memory_grow(t->a->memory, &t->rows->items, &t->rows->cap, t->rows->count + 1, sizeof *t->rows->items,
                     t->e))
        return false;
    struct printed_row *r = &t->rows->items[t->rows->count++];
    *r = (struct printed_row){ .path = path,
                               .label = label,
                               .depth = depth,
                               .class = t->modules[m].class,
                               .times = t->modules[m].times * times,
                               .shows = t->modules[m].shows,
                               .all = *b };
    scale(&r->all, times);
    r->remark = remark_of(t, r);
    if (!say_copies(t, r)) return error_nomem(t->e);
    t->text.n = 0;
    text_escape(&t->text, r->class);
    if (r->remark) buffer_format(&t->text, ", %s", r->remark);
    r->what = t->text.failed ? NULL : arena_text(t->a, t->text.p, t->text.n);
    return r->what || error_nomem(t->e);
}

static void add_range(struct buffer *b, uint64_t from, uint64_t to, bool first)
{
    if (!first) buffer_char(b, ',');
    buffer_format(b, "%" PRIu64, from);
    if (to > from) buffer_format(b, "-%" PRIu64, to);
}

/* Writes "[0-3,5]" for a group, or the number of a single module; *members counts them. */
static void numbers(struct tree *t, uint32_t m, uint64_t *members)
{
    uint64_t from = t->modules[m].from, to = t->modules[m].to;
    size_t start = t->text.n;
    bool first = true, many = t->next_alike[m - t->first] || to > from;
    if (many) buffer_char(&t->text, '[');
    *members = 1;
    for (uint32_t c = t->next_alike[m - t->first]; c; c = t->next_alike[c - t->first]) {
        ++*members;
        if (t->modules[c].from == to + 1) {
            to = t->modules[c].to;
            continue;
        }
        if (t->text.n < start + LABEL_RANGES) add_range(&t->text, from, to, first);
        first = false;
        from = t->modules[c].from;
        to = t->modules[c].to;
    }
    if (t->text.n < start + LABEL_RANGES) add_range(&t->text, from, to, first);
    else buffer_text(&t->text, ",...");
    if (many) buffer_char(&t->text, ']');
}

NUMEL_MUST static const char *path_of(struct tree *t, const char *prefix, uint32_t m, uint64_t *members)
{
    const struct module *x = &t->modules[m];
    t->text.n = 0;
    buffer_text(&t->text, prefix);
    if (prefix[0]) buffer_char(&t->text, '.');
    *members = 1;
    if (x->numbered) numbers(t, m, members);
    else text_escape(&t->text, x->name);
    return t->text.failed ? NULL : arena_text(t->a, t->text.p, t->text.n);
}

/* Lists the rows below `parent`, whose path is `prefix`; labels omit the first `group` bytes of a path.
 * Recursion: at most PRINTOUT_DEPTH deep. */
NUMEL_MUST static bool list(struct tree *t, uint32_t parent, const char *prefix, size_t group, unsigned depth,
                            uint64_t times)
{
    group_children(t, parent);
    for (uint32_t c = parent + 1; c < t->modules[parent].end; c = t->modules[c].end) {
        uint64_t members;
        if (t->joined[c - t->first] || !t->holds[c - t->first]) continue;
        const char *path = path_of(t, prefix, c, &members);
        if (!path) return error_nomem(t->e);
        bool own = has_own_row(t, c), many = members > 1 || t->modules[c].copies > 1;
        bool below = false;
        for (uint32_t k = c + 1; k < t->modules[c].end && !below; k = t->modules[k].end)
            below = t->holds[k - t->first];
        bool head = many && below;
        if ((own || head) && !add_row(t, c, path, path + group, depth, times * members,
                                      head ? beside_sum(t->b, c) : beside_own(t->b, c)))
            return false;
        if (below && !list(t, c, path, head ? strlen(path) + 1 : group, depth + head, times * members))
            return false;
    }
    return true;
}

NUMEL_MUST static bool tables(struct tree *t)
{
    size_t n = t->end - t->first;
    t->kind_of = arena_zeroed(t->a, 4 * n * sizeof *t->kind_of);
    t->joined = arena_zeroed(t->a, 2 * n * sizeof *t->joined);
    if (!t->kind_of || !t->joined) return error_nomem(t->e);
    t->next_alike = t->kind_of + n;
    t->last_alike = t->next_alike + n; /* there are at most as many kinds as modules */
    t->seen_in = t->last_alike + n;
    t->holds = t->joined + n;
    return true;
}

NUMEL_MUST static bool make_rows(struct tree *t)
{
    if (!tables(t)) return false;
    for (uint32_t m = t->end; m-- > t->first;) {
        bool *holds = &t->holds[m - t->first];
        if (!intern(t, m)) return false;
        *holds = *holds || has_own_row(t, m);
        if (*holds && m != t->first) t->holds[t->modules[m].parent - t->first] = true;
    }
    if (has_own_row(t, t->first)) {
        t->text.n = 0;
        text_escape(&t->text, t->modules[t->first].class);
        const char *path = t->text.failed ? NULL : arena_text(t->a, t->text.p, t->text.n);
        if (!path) return error_nomem(t->e);
        if (!add_row(t, t->first, path, path, 0, 1, beside_own(t->b, t->first))) return false;
    }
    return list(t, t->first, "", 0, 0, 1);
}

bool printed_rows_make(struct printed_rows *r, const struct printed_beside *b, struct arena *a,
                       numel_error *e)
{
    struct tree t = {
        .b = b, .modules = b->p->modules, .first = b->x->module, .end = b->x->end, .a = a, .rows = r, .e = e
    };
    *r = (struct printed_rows){ .items = NULL };
    names_init(&t.names, a->memory, sizeof *t.kinds);
    buffer_init(&t.text, a->memory);
    bool ok = make_rows(&t);
    memory_release(a->memory, t.kinds);
    names_done(&t.names);
    buffer_done(&t.text);
    return ok;
}

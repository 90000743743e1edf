/* diff.c -- see diff.h: links made from pairs, and the statement over them. */
#include "diff/diff.h"

#include "base/num.h"

#include <stdlib.h>

const struct site *diff_site(const struct diff *d, int side, uint32_t tensor, uint32_t *index)
{
    const struct numel_model *c = d->side[side].c;
    uint32_t row = c && c->model->x ? c->model->match.tensors[tensor].row : NAMES_ABSENT;
    if (row == NAMES_ABSENT) {
        row = d->side[side].foreign[tensor];
        c = d->side[!side].c;
    }
    if (index) *index = row == NAMES_ABSENT ? 0 : c->model->x->rows[row].index;
    return row == NAMES_ABSENT ? NULL : &c->model->x->sites[c->model->x->rows[row].site];
}

/* ---- links -------------------------------------------------------------------------------- */

static bool side_init(struct diff *d, int which, struct numel_model *model)
{
    const numel_checkpoint *ck = model->ck;
    struct diff_side *s = &d->side[which];
    size_t n = ck->registry.count;
    *s = (struct diff_side){ .ck = ck, .model = model, .r = &ck->registry };
    s->link = arena_alloc(d->arena, (n + 1) * sizeof *s->link);
    s->members = arena_alloc(d->arena, (n + 1) * sizeof *s->members);
    s->foreign = arena_alloc(d->arena, (n + 1) * sizeof *s->foreign);
    if (!s->link || !s->members || !s->foreign) return error_nomem(d->error);
    for (size_t i = 0; i < n; i++) {
        s->link[i] = NO_LINK;
        s->foreign[i] = NAMES_ABSENT;
    }
    if (ck->stored <= INT64_MAX) return true;
    return error_set(d->error, NUMEL_E_OVERFLOW, NUMEL_NOWHERE,
                     "the elements of all tensors do not fit in 63 bits");
}

/* What is left alone gets a link of its own, and each link its range of members. */
static bool make_links(struct diff *d, uint32_t count)
{
    for (int w = A; w <= B; w++)
        for (size_t i = 0; i < d->side[w].r->count; i++)
            if (d->side[w].link[i] == NO_LINK) d->side[w].link[i] = count++;
    d->links = arena_alloc(d->arena, (count + 1) * sizeof *d->links);
    if (!d->links) return error_nomem(d->error);
    memset(d->links, 0, (count + 1) * sizeof *d->links);
    d->count = count;
    for (int w = A; w <= B; w++) {
        const struct diff_side *s = &d->side[w];
        uint32_t at = 0;
        for (size_t i = 0; i < s->r->count; i++) d->links[s->link[i]].count[w]++;
        for (uint32_t l = 0; l < count; l++) {
            d->links[l].first[w] = at;
            at += d->links[l].count[w];
            d->links[l].count[w] = 0;
        }
        for (uint32_t i = 0; i < s->r->count; i++) {
            struct link *l = &d->links[s->link[i]];
            s->members[l->first[w] + l->count[w]++] = i;
        }
    }
    return true;
}

static bool add_up(struct diff *d)
{
    uint64_t all[2] = { 0, 0 };
    for (size_t i = 0; i < d->count; i++) {
        struct link *l = &d->links[i];
        for (int w = A; w <= B; w++) {
            for (uint32_t k = 0; k < l->count[w]; k++) {
                l->elements[w] += diff_tensor(d, l, w, k)->elements; /* at most `stored` */
                if (!num_add(&l->bytes[w], l->bytes[w], diff_tensor(d, l, w, k)->bytes)) break;
            }
            if (num_add(&all[w], all[w], l->bytes[w]) && all[w] <= INT64_MAX) continue;
            return error_set(d->error, NUMEL_E_OVERFLOW, NUMEL_NOWHERE,
                             "the bytes of all tensors do not fit in 63 bits");
        }
    }
    return true;
}

/* ---- the statement ------------------------------------------------------------------------ */

/* Across formats types change as a matter of course, all else has to have a cause. */
static bool is_explained(const struct diff *d, const struct link *l)
{
    return !d->cross || (l->cause ? l->cause->explains : l->change < CHANGE_REARRANGED);
}

static int64_t element_difference(const struct link *l)
{
    return (int64_t)l->elements[B] - (int64_t)l->elements[A];
}

static struct diff_line *line_of(struct diff *d, const struct link *l)
{
    const char *cause = l->cause ? l->cause->text : change_text((enum change)l->change);
    for (size_t i = 0; i < d->line_count; i++)
        if (d->lines[i].cause == cause) return &d->lines[i];
    struct diff_line *line = &d->lines[d->line_count++];
    *line = (struct diff_line){ .cause = cause, .explained = is_explained(d, l) };
    return line;
}

/* "lm_head.weight and 2 more" */
static const char *detail_of(const struct diff *d, const struct link *l, size_t links)
{
    numel_str n = diff_tensor(d, l, l->count[A] ? A : B, 0)->name;
    struct buffer b;
    buffer_init(&b, d->memory);
    text_escape(&b, n);
    if (links > 1) buffer_format(&b, " and %zu more", links - 1);
    const char *text = b.failed ? NULL : arena_text(d->arena, b.p, b.n);
    buffer_done(&b);
    return text;
}

static uint64_t size_of(int64_t v) { return v < 0 ? 0 - (uint64_t)v : (uint64_t)v; }

/* The largest first: of elements, then bytes, then links. */
static int by_size(const void *a, const void *b)
{
    const struct diff_line *x = a, *y = b;
    uint64_t m = size_of(x->elements), n = size_of(y->elements);
    if (m == n) m = size_of(x->bytes), n = size_of(y->bytes);
    if (m == n) m = x->links, n = y->links;
    return m == n ? strcmp(x->cause, y->cause) : m < n ? 1 : -1;
}

/* Causes are texts of tables: no more of them than CAUSES_MOST. */
static bool make_lines(struct diff *d)
{
    enum { CAUSES_MOST = 128 };
    d->lines = arena_alloc(d->arena, CAUSES_MOST * sizeof *d->lines);
    if (!d->lines) return error_nomem(d->error);
    for (size_t i = 0; i < d->count; i++) {
        const struct link *l = &d->links[i];
        if (l->change == CHANGE_SAME) continue;
        struct diff_line *line = line_of(d, l);
        if (line->links++ == 0) line->first = l;
        line->tensors += (int64_t)l->count[B] - (int64_t)l->count[A];
        line->elements += element_difference(l);
        line->bytes += (int64_t)l->bytes[B] - (int64_t)l->bytes[A];
    }
    if (d->line_count) qsort(d->lines, d->line_count, sizeof *d->lines, by_size);
    for (size_t i = 0; i < d->line_count; i++) {
        d->lines[i].detail = detail_of(d, d->lines[i].first, d->lines[i].links);
        if (!d->lines[i].detail) return error_nomem(d->error);
    }
    return true;
}

/* "model-00001-of-00002.safetensors": without its folder, and as if it were whole. */
static numel_str file_name(const struct diff *d, int side, const numel_tensor *t)
{
    const char *path = d->side[side].ck->files[t->file].path, *slash = strrchr(path, '/');
    numel_str name = text_of(slash ? slash + 1 : path);
    if (text_ends(name, ".zst")) name.n -= 4;
    if (text_ends(name, ".head")) name.n -= 5;
    return name;
}

/* Single files may have any name. */
static void count_moved(struct diff *d)
{
    if (d->cross || (d->side[A].ck->file_count == 1 && d->side[B].ck->file_count == 1)) return;
    for (size_t i = 0; i < d->count; i++) {
        const struct link *l = &d->links[i];
        d->moved +=
            l->count[A] == 1 && l->count[B] == 1 &&
            !text_same(file_name(d, A, diff_tensor(d, l, A, 0)), file_name(d, B, diff_tensor(d, l, B, 0)));
    }
}

static void judge(struct diff *d)
{
    count_moved(d);
    for (size_t i = 0; i < d->count; i++) {
        struct link *l = &d->links[i];
        int64_t n = element_difference(l);
        d->changes[l->change]++;
        if (l->change == CHANGE_SAME) d->same += l->count[A];
        if (is_explained(d, l)) continue;
        d->unexplained += size_of(n);
        d->unexplained_links++;
    }
    d->equal = d->cross ? d->unexplained_links == 0 : d->changes[CHANGE_SAME] == d->count;
    if (d->side[A].ck->missing || d->side[B].ck->missing) d->equal = false;
}

/* ---- all ---------------------------------------------------------------------------------- */

bool diff_make(struct diff *d, struct numel_model *a, struct numel_model *b, struct arena *arena,
               numel_error *e)
{
    uint32_t count = 0;
    *d = (struct diff){ .memory = arena->memory, .arena = arena, .error = e };
    d->cross = a->ck->files[0].format != b->ck->files[0].format;
    bool ok =
        side_init(d, A, a) && side_init(d, B, b) && diff_pair(d, &count) && make_links(d, count) && add_up(d);
    for (size_t i = 0; ok && i < d->count; i++) {
        d->links[i].change = (uint8_t)diff_change_of(d, &d->links[i]);
        if (d->links[i].change != CHANGE_SAME) d->links[i].cause = diff_cause_of(d, &d->links[i]);
    }
    if (!ok || !diff_find_layers(d) || !diff_find_prefixes(d) || !diff_find_facts(d) || !make_lines(d))
        return false;
    judge(d);
    return true;
}

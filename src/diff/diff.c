/*
 * diff.c -- makes links from pairs, so that each tensor of either side is in one, and the statement over
 * them.
 */
#include "diff/diff.h"

#include "base/num.h"
#include "model/rope.h"
#include "registry/file_type.h"
#include "source/folder.h"

const struct site *diff_site(const struct diff *d, int side, uint32_t tensor, uint32_t *index)
{
    const struct handle *c = d->side[side].c;
    uint32_t row = c ? model_tensor(c->model, tensor).row : NAMES_ABSENT;
    if (row == NAMES_ABSENT) {
        row = d->side[side].foreign[tensor];
        c = d->side[!side].c;
    }
    if (index) *index = row == NAMES_ABSENT ? 0 : c->model->x->rows[row].index;
    return row == NAMES_ABSENT ? NULL : &c->model->x->sites[c->model->x->rows[row].site];
}

/* ---- links -------------------------------------------------------------------------------- */

NUMEL_MUST static bool side_init(struct diff *d, int which, struct handle *model)
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

/* Gives each unpaired tensor its own link, and each link its range of members. */
NUMEL_MUST static bool make_links(struct diff *d, uint32_t count)
{
    for (int w = A; w <= B; w++)
        for (size_t i = 0; i < d->side[w].r->count; i++)
            if (d->side[w].link[i] == NO_LINK) d->side[w].link[i] = count++;
    d->links = arena_zeroed(d->arena, (count + 1) * sizeof *d->links);
    if (!d->links) return error_nomem(d->error);
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

NUMEL_MUST static bool add_up(struct diff *d)
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

/* A norm or similar tensor that GGUF stores in blocks. */
static bool is_misquantized(const struct diff *d, const struct link *l)
{
    int gguf = d->side[A].ck->files[0].format == NUMEL_GGUF ? A : B;
    if (l->change != CHANGE_QUANTIZED || l->count[A] + l->count[B] != 2) return false;
    const numel_tensor *t = diff_tensor(d, l, gguf, 0);
    return file_type_packed(t->dtype) && !file_type_quantizes(t);
}

/* What a writer of safetensors leaves out: it stores no memory twice, and only what is loaded. */
static bool is_left_out(const struct link *l)
{
    const struct line_code *c = l->cause;
    return c == &diff_codes[DIFF_TIED] || c == &diff_codes[DIFF_STATES] || c == &diff_codes[DIFF_LEFTOVER] ||
           c == &diff_codes[DIFF_BUFFERS];
}

/* Across formats types normally change; any other difference needs a cause. */
static bool is_explained(const struct diff *d, const struct link *l)
{
    if (d->rewritten) return l->change == CHANGE_SAME || is_left_out(l);
    if (d->cross && is_misquantized(d, l)) return false;
    return !d->cross || (l->cause ? l->cause->explains : l->change < CHANGE_REARRANGED);
}

/* What is not explained first, then the largest: by elements, then bytes, then links. */
static int by_size(const struct tally_line *x, const struct tally_line *y)
{
    if (x->explains != y->explains) return x->explains ? 1 : -1;
    uint64_t m = num_size(x->elements), n = num_size(y->elements);
    if (m == n) m = num_size(x->bytes), n = num_size(y->bytes);
    if (m == n) m = x->names, n = y->names;
    return m == n ? strcmp(x->cause, y->cause) : m < n ? 1 : -1;
}

static bool make_lines(struct diff *d)
{
    int64_t left;
    struct tally *t = &d->tally;
    tally_init(t, d->arena, d->error);
    for (size_t i = 0; i < d->count; i++) {
        const struct link *l = &d->links[i];
        if (l->change == CHANGE_SAME) continue;
        struct tally_line *line = tally_line(t, l->cause ? l->cause : &diff_codes[DIFF_CHANGES + l->change]);
        if (!line) return false;
        line_name(line, diff_tensor(d, l, l->count[A] ? A : B, 0)->name);
        line->explains = is_explained(d, l);
        if (!tally_sum(t, &line->tensors, l->count[B], l->count[A]) ||
            !tally_sum(t, &line->elements, l->elements[B], l->elements[A]) ||
            !tally_sum(t, &line->bytes, l->bytes[B], l->bytes[A]))
            return false;
    }
    tally_sort(t, 0, by_size);
    if (!tally_close(t, d->side[B].ck->stored, d->side[A].ck->stored, &left)) return false;
    d->unexplained = num_size(left);
    return true;
}

/* "model-00001-of-00002.safetensors": without its folder and the endings of compressed or cut files. */
static numel_str file_name(const struct diff *d, int side, const numel_tensor *t)
{
    return plain_name(path_base(d->side[side].ck->files[t->file].path));
}

/* A single file may have any name. Tensors of a file are mostly adjacent: compares file names only when a
 * file changes. */
static void count_moved(struct diff *d)
{
    uint32_t before_a = UINT32_MAX, before_b = UINT32_MAX;
    bool moved = false;
    if (d->cross || d->rewritten || (d->side[A].ck->file_count == 1 && d->side[B].ck->file_count == 1))
        return;
    for (size_t i = 0; i < d->count; i++) {
        const struct link *l = &d->links[i];
        if (l->count[A] != 1 || l->count[B] != 1) continue;
        const numel_tensor *a = diff_tensor(d, l, A, 0), *b = diff_tensor(d, l, B, 0);
        if (a->file != before_a || b->file != before_b)
            moved = !text_same(file_name(d, A, a), file_name(d, B, b));
        before_a = a->file;
        before_b = b->file;
        d->moved += moved;
    }
}

static void judge(struct diff *d)
{
    count_moved(d);
    for (size_t i = 0; i < d->count; i++) {
        struct link *l = &d->links[i];
        d->changes[l->change]++;
        if (l->change == CHANGE_SAME) d->same += l->count[A];
        if (is_explained(d, l)) continue;
        d->unexplained += num_size((int64_t)l->elements[B] - (int64_t)l->elements[A]);
        d->unexplained_links++;
    }
    d->equal = d->cross || d->rewritten ? d->unexplained == 0 && d->unexplained_links == 0
                                        : d->changes[CHANGE_SAME] == d->count || d->requantized;
    if (d->side[A].ck->missing || d->side[B].ck->missing) d->equal = false;
}

/* ---- all ---------------------------------------------------------------------------------- */

/* For a model and its conversion: finds a loss that no tensor of the model shows. */
NUMEL_MUST static bool find_lost(struct diff *d)
{
    int hf = d->side[A].ck->files[0].format == NUMEL_GGUF ? B : A;
    struct handle *model = d->side[hf].c, *gguf = d->side[!hf].c;
    if (!d->cross || !model || !gguf) return true;
    if (!rope_lost(model->model, gguf->model, &d->lost, d->error)) return false;
    if (d->lost) d->equal = false;
    return true;
}

bool diff_make(struct diff *d, struct handle *a, struct handle *b, struct arena *arena, numel_error *e)
{
    uint32_t count = 0;
    *d = (struct diff){ .memory = arena->memory, .arena = arena, .error = e };
    numel_format x = a->ck->files[0].format, y = b->ck->files[0].format;
    d->cross = (x == NUMEL_GGUF) != (y == NUMEL_GGUF);
    d->rewritten = x != y && !d->cross;
    bool ok =
        side_init(d, A, a) && side_init(d, B, b) && diff_pair(d, &count) && make_links(d, count) && add_up(d);
    for (size_t i = 0; ok && i < d->count; i++) {
        d->links[i].change = (uint8_t)diff_change_of(d, &d->links[i]);
        if (d->links[i].change != CHANGE_SAME) d->links[i].cause = diff_cause_of(d, &d->links[i]);
    }
    if (!ok || !diff_find_shared(d) || !diff_find_layers(d) || !diff_find_prefixes(d) ||
        !diff_find_facts(d) || !diff_find_requantized(d) || !make_lines(d))
        return false;
    judge(d);
    return find_lost(d);
}

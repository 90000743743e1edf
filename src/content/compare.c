/*
 * compare.c -- pieces of pairs, gathered into tasks for threads; each piece stores its own result, and the
 * results are joined when the last piece of a pair is done.
 */
#include "content/compare_internal.h"

#include "content/dequant.h"
#include "content/scan.h"
#include "content/tasks.h"
#include "content/threads.h"
#include "content/unchanged.h"

#include <string.h>

enum { PIECE_ELEMENTS = 8 << 20 };

struct comparing {
    struct threads threads;
    struct compare *c;
    struct file_identity *was[2]; /* of each file, beforehand */
    bool *done, *unlike;          /* of each pair */
    uint32_t *left;               /* of each pair: pieces still to do */
    size_t *part;                 /* of each pair: its first piece, in the second pass */
    struct distance *parts;       /* of each piece, in the second pass */
    bool measures;                /* the second pass */
    struct resume resume;
    struct tasks tasks; /* pieces: units of a pair */
    size_t each;        /* bytes of a side's part of a thread's buffer */
    struct arena *arena;
    numel_error *error;
};

const char *compare_why(enum compare_state s)
{
    static const char *const texts[] = {
#define X(name, why) why,
        COMPARE_STATES(X)
#undef X
    };
    return texts[s];
}

/* ---- comparable pairs --------------------------------------------------------------------- */

static const numel_tensor *tensor_of(const struct compare *c, const struct compare_pair *p, int side)
{
    return &c->side[side].tensors[p->tensor[side]];
}

static const numel_file *file_of(const struct compare *c, const struct compare_pair *p, int side)
{
    return &c->side[side].files[tensor_of(c, p, side)->file];
}

static bool same_type(const numel_tensor *a, const numel_tensor *b)
{
    return a->dtype == b->dtype || strcmp(a->dtype->name, b->dtype->name) == 0;
}

/* One type, first read as it is stored: packed numbers too, if both are packed. */
static bool is_same(const struct compare *c, const struct compare_pair *p)
{
    const numel_tensor *a = tensor_of(c, p, 0), *b = tensor_of(c, p, 1);
    if (!p->view[0] != !p->view[1]) return false;
    return same_type(a, b) && (!p->view[0] || a->bytes == b->bytes);
}

/* How a pair is read: as numbers or as bytes. */
struct units {
    const struct decoder *how[2]; /* NULL: bytes */
    size_t bytes[2], each[2];     /* of a unit: an element, or `each` of them in a block */
    const struct unpack *view[2]; /* of the pair */
    uint64_t count, piece;        /* of elements; of units, if bytes are compared */
    enum compare_unit are;        /* what results count */
};

/* Blocks are little-endian. */
const struct decoder *compare_decoder(const numel_tensor *t, const numel_file *f)
{
    const struct decoder *how = decode_find(t->dtype);
    if (!how && !f->big_endian) how = dequant_find(t->dtype);
    if (!how || t->elements % decode_unit(how) || decode_bytes(how, t->elements) != t->bytes) return NULL;
    return how;
}

/* Of n elements in a buffer. */
static size_t bytes_of(const struct units *u, int side, uint64_t n)
{
    return (size_t)(n / u->each[side] * u->bytes[side]);
}

/* Whole steps of rows. A step does not go on in the next expert. */
static uint64_t rows_of_piece(const struct unpack *u)
{
    uint64_t band = unpack_band(u->in), unit = u->stack == 1 || u->out % band == 0 ? band : u->out;
    return num_max(PIECE_ELEMENTS / u->in / unit, 1) * unit;
}

static struct units units_of(const struct compare *c, const struct compare_pair *p, bool stored)
{
    struct units u = { .each = { 1, 1 } };
    for (int w = 0; w < 2 && !stored; w++) u.view[w] = p->view[w];
    for (int w = 0; w < 2; w++)
        u.how[w] = u.view[w] ? &decode_floats : compare_decoder(tensor_of(c, p, w), file_of(c, p, w));
    const numel_tensor *t = tensor_of(c, p, 0);
    const numel_dtype *type = t->dtype;
    bool numbers = u.how[0] && u.how[1] && (!p->plain || u.view[0] || u.view[1]) && !(stored && p->view[0]);
    bool blocks = numbers ? u.how[0] == u.how[1] && u.how[0]->block
                          : type->block_bytes && type->row_bytes == 0 && t->bytes % type->block_bytes == 0;
    u.are = blocks && type->block_elements > 1 ? COMPARE_BLOCKS
            : numbers || blocks                ? COMPARE_ELEMENTS
                                               : COMPARE_BYTES;
    for (int w = 0; w < 2; w++) {
        u.bytes[w] = numbers ? u.how[w]->bytes : blocks ? type->block_bytes : 1;
        if (numbers) u.each[w] = decode_unit(u.how[w]);
    }
    const struct unpack *view = u.view[0] ? u.view[0] : u.view[1];
    u.count = view ? unpack_elements(view) : numbers ? t->elements : t->bytes / u.bytes[0];
    u.piece = view      ? rows_of_piece(view) * view->in
              : numbers ? PIECE_ELEMENTS
                        : num_max(TASK_BYTES / u.bytes[0], 1);
    if (!numbers) u.how[0] = u.how[1] = NULL;
    return u;
}

/* About as many bytes of both files. */
static uint64_t bytes_read(const struct units *u, uint64_t n)
{
    uint64_t sum = 0;
    for (int w = 0; w < 2; w++) sum += u->view[w] ? n / 8 * u->view[w]->bits : bytes_of(u, w, n);
    return sum;
}

/* DONE if the data of a tensor can be read, else why not. */
static enum compare_state state_of_data(const numel_tensor *t, const numel_file *f)
{
    if (t->bytes && (f->header_only || f->data == NUMEL_DATA_ABSENT)) return COMPARE_ABSENT;
    if (f->compressed) return COMPARE_COMPRESSED;
    if (t->offset == NUMEL_NOWHERE) return COMPARE_APART;
    return num_inside(t->offset, t->bytes, f->bytes) ? COMPARE_DONE : COMPARE_ABSENT;
}

/* The same of one side of a pair: of all tensors that its numbers come from. */
static enum compare_state state_of_side(const struct compare *c, const struct compare_pair *p, int side)
{
    const numel_file *files = c->side[side].files;
    const struct unpack *view = p->view[side];
    enum compare_state state = state_of_data(tensor_of(c, p, side), file_of(c, p, side));
    for (unsigned i = 0; view && state == COMPARE_DONE && i < UNPACK_PARTS; i++) {
        const numel_tensor *t = unpack_part(view, i);
        if (t) state = state_of_data(t, &files[t->file]);
    }
    return state;
}

enum compare_state compare_state_of(const struct compare *c, const struct compare_pair *p)
{
    const struct units u = units_of(c, p, false);
    const numel_tensor *a = tensor_of(c, p, 0), *b = tensor_of(c, p, 1);
    bool same = is_same(c, p);
    for (int w = 0; w < 2; w++) {
        enum compare_state state = state_of_side(c, p, w);
        if (state != COMPARE_DONE) return state;
    }
    if (same && a->bytes != b->bytes) return COMPARE_SIZES;
    for (int w = 0; w < 2; w++)
        if (!same && file_of(c, p, w)->big_endian && dequant_find(tensor_of(c, p, w)->dtype))
            return COMPARE_SWAPPED;
    if (!same && (p->plain || !distance_between(u.how[0], u.how[1]))) return COMPARE_TYPES;
    if (!u.how[0] && u.bytes[0] > 1 && file_of(c, p, 0)->big_endian != file_of(c, p, 1)->big_endian)
        return COMPARE_SWAPPED;
    return COMPARE_DONE;
}

/* ---- cutting ------------------------------------------------------------------------------ */

static uint32_t file_number(const struct comparing *g, const struct piece *piece, int side)
{
    return tensor_of(g->c, &g->c->pairs[piece->of], side)->file;
}

/* A task reads one file of each side. */
NUMEL_MUST static bool add_piece(struct comparing *g, const struct piece *piece, uint64_t bytes)
{
    struct tasks *t = &g->tasks;
    if (t->gathered && t->piece_count) {
        const struct piece *last = &t->pieces[t->piece_count - 1];
        bool same = file_number(g, last, 0) == file_number(g, piece, 0) &&
                    file_number(g, last, 1) == file_number(g, piece, 1);
        if (!same && !tasks_end(t, g->error)) return false;
    }
    return tasks_add(t, piece, bytes, g->error);
}

static bool cut_pair(struct comparing *g, uint32_t number)
{
    const struct compare_pair *p = &g->c->pairs[number];
    const struct units u = units_of(g->c, p, !g->measures);
    g->part[number] = g->tasks.piece_count;
    for (uint64_t at = 0; at < u.count; at += num_min(u.piece, u.count - at)) {
        const struct piece piece = { number, at, at + num_min(u.piece, u.count - at) };
        if (!add_piece(g, &piece, bytes_read(&u, piece.end - at))) return false;
        g->left[number]++;
    }
    return true;
}

/* ---- finished pairs ----------------------------------------------------------------------- */

/* Equal bytes have the distance 0; they have a cosine only if some number is not 0. */
static void set_equal(struct compare_pair *p)
{
    struct distance *d = &p->d;
    d->nan[1] = d->nan[0];
    d->infinite[1] = d->infinite[0];
    d->left_out = d->nan[0] + d->infinite[0];
    bool zero = d->elements == d->left_out + p->zeros;
    d->a.value = d->b.value = d->product.value = zero ? 0 : 1;
}

/* Joins the results of a pair. Call under the lock, or while no other thread runs. */
static void finish(struct comparing *g, uint32_t number)
{
    struct compare_pair *p = &g->c->pairs[number];
    const struct units u = units_of(g->c, p, false);
    p->unit = (uint8_t)u.are;
    p->units = u.are == COMPARE_BLOCKS ? u.count / u.each[0] : u.count;
    if (g->measures) {
        size_t count = 0;
        for (uint64_t at = 0; at < u.count; at += num_min(u.piece, u.count - at)) count++;
        p->d = (struct distance){ .elements = 0 };
        for (size_t i = 0; i < count; i++) distance_join(&p->d, &g->parts[g->part[number] + i]);
    }
    p->same_bytes = p->d.differing == 0 && is_same(g->c, p) && !(g->measures && p->view[0]);
    /* nothing looked at the scales of equal blocks */
    p->measured = u.how[0] && (g->measures || !u.how[0]->block);
    if (!g->measures && p->measured) {
        p->d.elements = u.count;
        set_equal(p);
    }
    g->done[number] = true;
    compare_note(&g->resume, g->c, p, g->was);
}

/* ---- reading ------------------------------------------------------------------------------ */

struct ends {
    struct stream stream[2];
    uint8_t *buffer[2], *scratch;
};

NUMEL_MUST static bool read_turned(const struct comparing *g, struct stream *s, const struct compare_pair *p,
                                   uint64_t at, uint8_t *to, size_t n, numel_error *e)
{
    const numel_tensor *t = tensor_of(g->c, p, p->turned);
    uint64_t width = t->bytes / t->dims[0];
    while (n) {
        uint64_t row = at / width, in = at % width;
        size_t step = (size_t)num_min(n, width - in);
        if (!stream_read(s, t->offset + compare_turned_row(p, row) * width + in, to, step, e)) return false;
        at += step;
        to += step;
        n -= step;
    }
    return true;
}

/* Reads n units of both sides into the buffers; numbers become little-endian. */
NUMEL_MUST static bool read_units(const struct comparing *g, struct ends *x, const struct compare_pair *p,
                                  const struct units *u, uint64_t at, size_t n, numel_error *e)
{
    for (int w = 0; w < 2; w++) {
        uint64_t from = bytes_of(u, w, at);
        size_t bytes = bytes_of(u, w, n);
        struct stream *s = &x->stream[w];
        bool turned = p->turn && p->turned == w;
        bool ok = u->view[w] ? unpack_rows(u->view[w], s, at / u->view[w]->in, n / u->view[w]->in, x->scratch,
                                           (float *)(void *)x->buffer[w], e)
                  : turned   ? read_turned(g, s, p, from, x->buffer[w], bytes, e)
                             : stream_read(s, tensor_of(g->c, p, w)->offset + from, x->buffer[w], bytes, e);
        if (!ok) {
            error_file(e, file_of(g->c, p, w)->path);
            return false;
        }
        if (u->how[w] && !u->view[w] && u->bytes[w] > 1 && file_of(g->c, p, w)->big_endian)
            decode_turn(x->buffer[w], bytes, u->bytes[w]);
    }
    return true;
}

static size_t step_of(const struct units *u, uint64_t at)
{
    const struct unpack *view = u->view[0] ? u->view[0] : u->view[1];
    if (view) return (size_t)(unpack_step(view, at / view->in) * view->in);
    size_t n = SIZE_MAX;
    for (int w = 0; w < 2; w++) n = num_min(n, STREAM_BLOCK / u->bytes[w] * u->each[w]);
    return u->how[0] ? n - n % DISTANCE_TILE : n ? n : 1;
}

/* ---- the first pass: bytes ---------------------------------------------------------------- */

static bool is_unlike(struct comparing *g, uint32_t pair, bool now)
{
    threads_lock(&g->threads);
    bool unlike = g->unlike[pair] = g->unlike[pair] || now;
    threads_unlock(&g->threads);
    return unlike;
}

NUMEL_MUST static bool same_piece(struct comparing *g, struct ends *x, const struct piece *piece,
                                  numel_error *e)
{
    struct compare_pair *p = &g->c->pairs[piece->of];
    const struct units u = units_of(g->c, p, !g->measures);
    const struct scanner *scan =
        u.how[0] && !u.how[0]->block ? scan_find(tensor_of(g->c, p, 0)->dtype) : NULL;
    struct scan_counts c = { 0 };
    uint64_t unlike = 0;
    if (is_unlike(g, piece->of, false)) return true;
    for (uint64_t at = piece->begin; at < piece->end;) {
        size_t n = (size_t)num_min(step_of(&u, at), piece->end - at);
        if (!read_units(g, x, p, &u, at, n, e)) return false;
        if (memcmp(x->buffer[0], x->buffer[1], bytes_of(&u, 0, n)) != 0) {
            if (u.how[0] || p->view[0]) return is_unlike(g, piece->of, true);
            unlike += distance_unlike(x->buffer[0], x->buffer[1], n, u.bytes[0]);
        }
        if (scan) scan->scan(scan, x->buffer[0], n, &c);
        at += n;
    }
    threads_lock(&g->threads);
    p->d.nan[0] += c.nan;
    p->d.infinite[0] += c.infinite;
    p->zeros += c.zero;
    p->d.differing += unlike;
    if (--g->left[piece->of] == 0 && !g->unlike[piece->of]) finish(g, piece->of);
    threads_unlock(&g->threads);
    return threads_advance(&g->threads, 2 * bytes_of(&u, 0, piece->end - piece->begin), e);
}

/* ---- the second pass: distances ----------------------------------------------------------- */

/* An index that is wrong concerns its pair, not the file. The pair is never finished. */
NUMEL_MUST static bool is_index(struct comparing *g, struct compare_pair *p, numel_error *e)
{
    if (e->code != NUMEL_E_LIMIT) return false;
    error_clear(e);
    threads_lock(&g->threads);
    p->state = COMPARE_INDEX;
    threads_unlock(&g->threads);
    return true;
}

NUMEL_MUST static bool measure_piece(struct comparing *g, struct ends *x, const struct piece *piece,
                                     numel_error *e)
{
    struct compare_pair *p = &g->c->pairs[piece->of];
    const struct units u = units_of(g->c, p, !g->measures);
    struct distance *d = &g->parts[piece - g->tasks.pieces];
    *d = (struct distance){ .elements = 0 };
    for (uint64_t at = piece->begin; at < piece->end;) {
        size_t n = (size_t)num_min(step_of(&u, at), piece->end - at);
        if (!read_units(g, x, p, &u, at, n, e)) return is_index(g, p, e);
        distance_add(d, u.how[0], x->buffer[0], u.how[1], x->buffer[1], n);
        at += n;
        if (!threads_advance(&g->threads, bytes_read(&u, n), e)) return false;
    }
    threads_lock(&g->threads);
    if (--g->left[piece->of] == 0) finish(g, piece->of);
    threads_unlock(&g->threads);
    return true;
}

/* ---- tasks -------------------------------------------------------------------------------- */

NUMEL_MUST static bool open_ends(struct comparing *g, struct ends *x, const struct piece *first,
                                 numel_error *e)
{
    for (int w = 0; w < 2; w++) {
        uint32_t file = file_number(g, first, w);
        const char *path = g->c->side[w].files[file].path;
        bool ok = stream_open(&x->stream[w], path, e) && unchanged_open(&g->was[w][file], &x->stream[w], e);
        error_file(e, path);
        if (!ok) return false;
    }
    return true;
}

NUMEL_MUST static bool close_ends(struct ends *x, numel_error *e)
{
    bool ok = true;
    for (int w = 0; w < 2; w++) {
        if (x->stream[w].descriptor < 0) continue;
        ok = stream_close(&x->stream[w], e) && ok;
        error_file(e, x->stream[w].path);
    }
    return ok;
}

/* The error names the file at fault: of the pair, or a shard that has its scales. */
static void blame(struct comparing *g, const numel_error *e)
{
    for (int w = 0; w < 2; w++)
        for (size_t i = 0; i < g->c->side[w].file_count; i++) {
            numel_error *of = &g->c->files[w][i];
            if (strncmp(g->c->side[w].files[i].path, e->file, sizeof e->file - 1) == 0 && error_free(of))
                *of = *e;
        }
}

static bool is_blamed(struct comparing *g, const struct piece *first)
{
    threads_lock(&g->threads);
    bool blamed = !error_free(&g->c->files[0][file_number(g, first, 0)]) ||
                  !error_free(&g->c->files[1][file_number(g, first, 1)]);
    threads_unlock(&g->threads);
    return blamed;
}

static void run_task(void *ctx, size_t i, uint8_t *buffer)
{
    struct comparing *g = ctx;
    const struct task *t = &g->tasks.items[i];
    const struct piece *first = &g->tasks.pieces[t->first];
    struct ends x = { { { .descriptor = -1 }, { .descriptor = -1 } },
                      { buffer, buffer + g->each },
                      buffer + 2 * g->each };
    numel_error e;
    error_clear(&e);
    if (is_blamed(g, first) || !threads_advance(&g->threads, 0, &e)) return;
    bool ok = open_ends(g, &x, first, &e);
    for (size_t k = t->first; ok && k < t->last; k++)
        ok = g->measures ? measure_piece(g, &x, &g->tasks.pieces[k], &e)
                         : same_piece(g, &x, &g->tasks.pieces[k], &e);
    ok = close_ends(&x, &e) && ok;
    if (ok || e.code == NUMEL_E_STOPPED) return;
    threads_lock(&g->threads);
    blame(g, &e);
    threads_unlock(&g->threads);
}

/* Do all tensors that the numbers come from have equal bits, and are they computed alike? */
static bool same_parts(const struct comparing *g, const struct compare_pair *p, const uint32_t *of,
                       size_t count)
{
    const struct compare *c = g->c;
    if (!unpack_alike(p->view[0], p->view[1])) return false;
    for (unsigned i = 0; i < UNPACK_PARTS; i++) {
        const numel_tensor *a = unpack_part(p->view[0], i), *b = unpack_part(p->view[1], i);
        if (!a && !b) continue;
        size_t at = a ? (size_t)(a - c->side[0].tensors) : count;
        uint32_t j = at < count ? of[at] : UINT32_MAX;
        if (!b || j == UINT32_MAX || &c->side[1].tensors[c->pairs[j].tensor[1]] != b) return false;
        if (!g->done[j] || g->unlike[j] || c->pairs[j].d.differing) return false;
    }
    return true;
}

/* Between the passes: packed pairs with equal values, but other scales, are not equal yet. */
NUMEL_MUST static bool doubt_packed(struct comparing *g)
{
    size_t count = 0;
    struct arena_mark mark = arena_mark(g->arena);
    const uint32_t *of = compare_by_tensor(g->c, g->arena, &count);
    if (!of) return error_nomem(g->error);
    for (size_t i = 0; i < g->c->count; i++) {
        const struct compare_pair *p = &g->c->pairs[i];
        if (g->done[i] && p->view[0] && p->view[1] && !same_parts(g, p, of, count)) g->unlike[i] = true;
    }
    for (size_t i = 0; i < g->c->count; i++) g->done[i] = g->done[i] && !g->unlike[i];
    arena_rewind(g->arena, mark);
    return true;
}

NUMEL_MUST static bool run_pass(struct comparing *g, bool measures)
{
    g->measures = measures;
    g->tasks.piece_count = g->tasks.count = 0;
    for (size_t i = 0; i < g->c->count; i++) {
        struct compare_pair *p = &g->c->pairs[i];
        if (p->state != COMPARE_DONE || g->done[i]) continue;
        bool same = is_same(g->c, p);
        if (measures ? same && !g->unlike[i] : !same) continue;
        g->left[i] = 0;
        p->d = (struct distance){ .elements = 0 };
        p->zeros = 0;
        if (!cut_pair(g, (uint32_t)i)) return false;
        if (g->left[i] == 0) finish(g, (uint32_t)i);
    }
    if (!tasks_end(&g->tasks, g->error)) return false;
    const numel_allocator *m = g->arena->memory;
    if (measures) g->parts = memory_resize(m, NULL, (g->tasks.piece_count + 1) * sizeof *g->parts);
    if (measures && !g->parts) return error_nomem(g->error);
    return threads_run(&g->threads, g->tasks.count, run_task, g, m, g->error);
}

/* ---- all ---------------------------------------------------------------------------------- */

/* Rows that are unpacked may be longer than a block. */
static void need_buffers(struct comparing *g)
{
    size_t scratch = 0;
    g->each = STREAM_BLOCK;
    for (size_t i = 0; i < g->c->count; i++) {
        const struct compare_pair *p = &g->c->pairs[i];
        const struct unpack *view = p->view[0] ? p->view[0] : p->view[1];
        if (!view || p->state != COMPARE_DONE) continue;
        const struct units u = units_of(g->c, p, false);
        for (int w = 0; w < 2; w++) {
            g->each = num_max(g->each, bytes_of(&u, w, unpack_band(view->in) * view->in));
            scratch = num_max(scratch, u.view[w] ? u.view[w]->scratch : 0);
        }
    }
    g->threads.buffer = 2 * g->each + scratch;
}

NUMEL_MUST static bool prepare(struct comparing *g)
{
    struct compare *c = g->c;
    for (int w = 0; w < 2; w++) {
        size_t n = c->side[w].file_count;
        g->was[w] = arena_zeroed(g->arena, n * sizeof *g->was[w]);
        c->files[w] = arena_zeroed(g->arena, n * sizeof *c->files[w]);
        if (!g->was[w] || !c->files[w]) return error_nomem(g->error);
        for (size_t i = 0; i < n; i++) unchanged_begin(&c->side[w].files[i], &g->was[w][i], &c->files[w][i]);
    }
    g->done = arena_zeroed(g->arena, c->count * sizeof *g->done);
    g->unlike = arena_zeroed(g->arena, c->count * sizeof *g->unlike);
    g->left = arena_zeroed(g->arena, c->count * sizeof *g->left);
    g->part = arena_zeroed(g->arena, c->count * sizeof *g->part);
    if (!g->done || !g->unlike || !g->left || !g->part) return error_nomem(g->error);
    for (size_t i = 0; i < c->count; i++)
        if (c->pairs[i].state == COMPARE_DONE) c->pairs[i].state = (uint8_t)compare_state_of(c, &c->pairs[i]);
    need_buffers(g);
    return compare_take(&g->resume, c, g->was, g->done, g->arena, g->error);
}

static void add_up(struct comparing *g)
{
    for (size_t i = 0; i < g->c->count; i++) {
        const struct compare_pair *p = &g->c->pairs[i];
        if (p->state != COMPARE_DONE || g->done[i]) continue;
        for (int w = 0; w < 2; w++)
            if (!num_add(&g->threads.total, g->threads.total, tensor_of(g->c, p, w)->bytes))
                g->threads.total = UINT64_MAX;
    }
}

/* Drops the results of partly read tensors and of files that changed after the first piece was read. */
static void settle(struct comparing *g)
{
    struct compare *c = g->c;
    for (int w = 0; w < 2; w++)
        for (size_t i = 0; i < c->side[w].file_count; i++)
            unchanged_end(&c->side[w].files[i], &g->was[w][i], &c->files[w][i]);
    for (size_t i = 0; i < c->count; i++) {
        struct compare_pair *p = &c->pairs[i];
        if (p->state != COMPARE_DONE) continue;
        bool blamed = false;
        for (int w = 0; w < 2; w++) {
            blamed |= !error_free(&c->files[w][tensor_of(c, p, w)->file]);
            for (unsigned k = 0; p->view[w] && k < UNPACK_PARTS; k++) {
                const numel_tensor *t = unpack_part(p->view[w], k);
                blamed |= t && !error_free(&c->files[w][t->file]);
            }
        }
        if (blamed) p->state = COMPARE_UNREADABLE;
        else if (!g->done[i]) p->state = COMPARE_STOPPED;
    }
    c->stopped = g->threads.stopped;
}

bool compare_run(struct compare *c, const numel_work *how, struct arena *a, numel_error *e)
{
    struct comparing g = { .c = c, .arena = a, .error = e };
    threads_init(&g.threads, how, "comparing values", 0);
    tasks_init(&g.tasks, a->memory);
    bool ok = resume_open(&g.resume, how->resume, a->memory, e) && prepare(&g);
    if (ok) add_up(&g);
    ok = ok && run_pass(&g, false) && doubt_packed(&g) && run_pass(&g, true);
    if (ok) settle(&g);
    resume_close(&g.resume);
    threads_done(&g.threads);
    tasks_done(&g.tasks);
    memory_release(a->memory, g.parts);
    return ok;
}

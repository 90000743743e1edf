/*
 * values.c -- data cut into tasks, counted by threads, each sum under a lock once a piece. What failed is
 * kept with its file, and its tensors then have no counts: a sum over part of a file is never shown.
 */
#include "content/values.h"

#include "content/decode.h"
#include "content/threads.h"
#include "content/resume.h"

#include <stdlib.h>
#include <string.h>

enum { TASK_BYTES = 16 << 20 };

/* Bytes [begin, end) of a tensor's data: whole units. */
struct piece {
    uint32_t tensor;
    uint64_t begin, end;
};

struct task {
    uint32_t file;
    size_t first, last; /* of the pieces: [first, last) */
};

struct scanning {
    struct threads threads;
    struct values *values;
    const struct values_input *in;
    const struct scanner **scanners; /* of each tensor; NULL: not scanned */
    struct file_identity *was;       /* of each file, before */
    size_t *left;                    /* of each file: tasks that are not done */
    struct resume resume;
    struct piece *pieces;
    size_t piece_count, piece_cap;
    struct task *tasks;
    size_t task_count, task_cap;
    uint64_t gathered; /* bytes in the task that is being put together */
    struct arena *arena;
    numel_error *error;
};

/* ---- what can be scanned ------------------------------------------------------------------ */

static enum value_state state_of(const numel_file *f, const numel_tensor *t, const struct scanner *s)
{
    if (f->header_only || f->data == NUMEL_DATA_ABSENT) return VALUE_ABSENT;
    if (f->compressed) return VALUE_COMPRESSED;
    if (!num_inside(t->offset, t->bytes, f->bytes)) return VALUE_ABSENT;
    if (!s || t->flags & NUMEL_BYTES_INFERRED || t->bytes % s->bytes) return VALUE_TYPE;
    if (f->big_endian && s->swaps == 0) return VALUE_SWAPPED;
    return VALUE_SCANNED;
}

/* ---- cutting ------------------------------------------------------------------------------ */

static bool end_task(struct scanning *g)
{
    void *p = g->tasks;
    size_t first = g->task_count ? g->tasks[g->task_count - 1].last : 0;
    if (first == g->piece_count) return true;
    if (!memory_grow(g->arena->memory, &p, &g->task_cap, g->task_count + 1, sizeof *g->tasks, g->error))
        return false;
    g->tasks = p;
    uint32_t file = g->in->tensors[g->pieces[first].tensor].file;
    g->tasks[g->task_count++] = (struct task){ file, first, g->piece_count };
    g->left[file]++;
    g->gathered = 0;
    return true;
}

static bool add_piece(struct scanning *g, uint32_t tensor, uint64_t begin, uint64_t end)
{
    void *p = g->pieces;
    if (!memory_grow(g->arena->memory, &p, &g->piece_cap, g->piece_count + 1, sizeof *g->pieces, g->error))
        return false;
    g->pieces = p;
    g->pieces[g->piece_count++] = (struct piece){ tensor, begin, end };
    g->gathered += end - begin;
    return g->gathered < TASK_BYTES || end_task(g);
}

static bool cut_tensor(struct scanning *g, uint32_t tensor)
{
    const numel_tensor *t = &g->in->tensors[tensor];
    const struct scanner *s = g->scanners[tensor];
    uint64_t step = TASK_BYTES - TASK_BYTES % s->bytes;
    if (!num_add(&g->threads.total, g->threads.total, t->bytes)) g->threads.total = UINT64_MAX;
    for (uint64_t at = 0; at < t->bytes; at += step)
        if (!add_piece(g, tensor, at, num_min(t->bytes, at + step))) return false;
    return true;
}

/* What an earlier run has counted in the file: "TENSOR NAN INF ZERO SCALE_NAN SCALE_INF" a line. */
static bool take_file(struct scanning *g, size_t number)
{
    const numel_file *f = &g->in->files[number];
    numel_str s;
    uint64_t tensor, v[5];
    if (!resume_find(&g->resume, RESUME_VALUES, &g->was[number], &s)) return false;
    while (s.n && resume_number(&s, &tensor)) {
        for (int i = 0; i < 5; i++)
            if (!resume_number(&s, &v[i])) return false;
        if (tensor >= f->tensors) return false;
        g->values->tensors[f->first_tensor + tensor].counts =
            (struct scan_counts){ v[0], v[1], v[2], v[3], v[4] };
    }
    return s.n == 0;
}

static void note_file(struct scanning *g, size_t number)
{
    const numel_file *f = &g->in->files[number];
    struct buffer b;
    if (!resume_keeps(&g->resume)) return;
    buffer_init(&b, g->arena->memory);
    for (uint64_t i = 0; i < f->tensors; i++) {
        const struct scan_counts *c = &g->values->tensors[f->first_tensor + i].counts;
        buffer_format(&b, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, i, c->nan, c->infinite, c->zero);
        buffer_format(&b, " %" PRIu64 " %" PRIu64 "\n", c->scale_nan, c->scale_infinite);
    }
    resume_note(&g->resume, RESUME_VALUES, &g->was[number], &b);
    buffer_done(&b);
}

/* A file's tensors as its header lists them: that is how they lie, more often than not. */
static bool cut_file(struct scanning *g, size_t number)
{
    const numel_file *f = &g->in->files[number];
    if (!identity_of(f->path, &g->was[number]))
        error_set(&g->values->files[number], NUMEL_E_IO, NUMEL_NOWHERE, "can no longer be read");
    else if (!f->compressed && !f->header_only && g->was[number].bytes != f->bytes)
        error_set(&g->values->files[number], NUMEL_E_CHANGED, NUMEL_NOWHERE,
                  "the file changed: it had %" PRIu64 " bytes when its header was read, now %" PRIu64,
                  f->bytes, g->was[number].bytes);
    bool done = error_free(&g->values->files[number]) && take_file(g, number);
    for (uint64_t i = f->first_tensor; i < f->first_tensor + f->tensors; i++) {
        struct tensor_values *v = &g->values->tensors[i];
        const numel_tensor *t = &g->in->tensors[i];
        g->scanners[i] = scan_find(t->dtype);
        v->state = state_of(f, t, g->scanners[i]);
        if (v->state != VALUE_SCANNED || done) continue;
        v->counts = (struct scan_counts){ 0 }; /* of a record that was broken */
        if (error_free(&g->values->files[number]) && !cut_tensor(g, (uint32_t)i)) return false;
    }
    return end_task(g);
}

/* ---- scanning ----------------------------------------------------------------------------- */

/* Through one block of memory, which the units of most types divide or nearly so. */
NUMEL_MUST static bool scan_piece(struct scanning *g, struct stream *s, const struct piece *piece,
                                  uint8_t *buffer, numel_error *e)
{
    const numel_tensor *t = &g->in->tensors[piece->tensor];
    const struct scanner *how = g->scanners[piece->tensor];
    struct scan_counts c = { 0 }, *sum = &g->values->tensors[piece->tensor].counts;
    size_t step = STREAM_BLOCK - STREAM_BLOCK % how->bytes;
    for (uint64_t at = piece->begin; at < piece->end;) {
        size_t n = (size_t)num_min(step, piece->end - at);
        if (!stream_read(s, t->offset + at, buffer, n, e)) return false;
        if (g->in->files[t->file].big_endian) decode_turn(buffer, n, how->swaps);
        how->scan(how, buffer, n / how->bytes, &c);
        at += n;
    }
    threads_lock(&g->threads);
    sum->nan += c.nan;
    sum->infinite += c.infinite;
    sum->zero += c.zero;
    sum->scale_nan += c.scale_nan;
    sum->scale_infinite += c.scale_infinite;
    threads_unlock(&g->threads);
    return threads_advance(&g->threads, piece->end - piece->begin, e);
}

NUMEL_MUST static bool scan_task(struct scanning *g, const struct task *t, uint8_t *buffer, numel_error *e)
{
    struct stream s;
    if (!stream_open(&s, g->in->files[t->file].path, e)) return false;
    bool ok = identity_same(&s.was, &g->was[t->file]) ||
              error_set(e, NUMEL_E_CHANGED, NUMEL_NOWHERE, "the file changed while it was read");
    for (size_t i = t->first; ok && i < t->last; i++) ok = scan_piece(g, &s, &g->pieces[i], buffer, e);
    return stream_close(&s, e) && ok;
}

static void run_task(void *ctx, size_t i, uint8_t *buffer)
{
    struct scanning *g = ctx;
    const struct task *t = &g->tasks[i];
    numel_error e, *file = &g->values->files[t->file];
    error_clear(&e);
    threads_lock(&g->threads);
    bool skip = !error_free(file);
    threads_unlock(&g->threads);
    bool ok = !skip && threads_advance(&g->threads, 0, &e) && scan_task(g, t, buffer, &e);
    error_file(&e, g->in->files[t->file].path);
    threads_lock(&g->threads);
    if (e.code == NUMEL_E_STOPPED) g->values->stopped = true;
    if (error_free(file)) *file = e;
    if (--g->left[t->file] == 0 && ok && error_free(file)) note_file(g, t->file);
    threads_unlock(&g->threads);
}

/* ---- all ---------------------------------------------------------------------------------- */

/* From the first task to the last, and what failed: no counts of less than the whole file. */
static void settle(struct scanning *g)
{
    const struct values_input *in = g->in;
    for (size_t i = 0; i < in->file_count; i++) {
        struct file_identity is = { 0 };
        numel_error *e = &g->values->files[i];
        identity_of(in->files[i].path, &is);
        if (error_free(e) && !identity_same(&is, &g->was[i]))
            error_set(e, NUMEL_E_CHANGED, NUMEL_NOWHERE, "the file changed while it was read");
        error_file(e, in->files[i].path);
    }
    for (size_t i = 0; i < in->tensor_count; i++) {
        struct tensor_values *v = &g->values->tensors[i];
        if (v->state == VALUE_SCANNED && !error_free(&g->values->files[in->tensors[i].file]))
            *v = (struct tensor_values){ .state = VALUE_UNREADABLE };
    }
}

NUMEL_MUST static bool prepare(struct scanning *g)
{
    size_t tensors = g->in->tensor_count, files = g->in->file_count;
    struct values *v = g->values;
    g->scanners = arena_alloc(g->arena, (tensors + 1) * sizeof *g->scanners);
    g->was = arena_alloc(g->arena, (files + 1) * sizeof *g->was);
    g->left = arena_alloc(g->arena, (files + 1) * sizeof *g->left);
    v->tensors = arena_alloc(g->arena, (tensors + 1) * sizeof *v->tensors);
    v->files = arena_alloc(g->arena, (files + 1) * sizeof *v->files);
    if (!g->scanners || !g->was || !g->left || !v->tensors || !v->files) return error_nomem(g->error);
    memset(v->tensors, 0, (tensors + 1) * sizeof *v->tensors);
    memset(g->was, 0, (files + 1) * sizeof *g->was);
    memset(g->left, 0, (files + 1) * sizeof *g->left);
    for (size_t i = 0; i < files; i++) error_clear(&v->files[i]);
    for (size_t i = 0; i < files; i++)
        if (!cut_file(g, i)) return false;
    return true;
}

bool values_run(struct values *v, const struct values_input *in, const numel_work *how, struct arena *a,
                numel_error *e)
{
    struct scanning g = { .values = v, .in = in, .arena = a, .error = e };
    *v = (struct values){ .stopped = false };
    threads_init(&g.threads, how, "reading values", 0);
    bool ok = resume_open(&g.resume, how->resume, a->memory, e) && prepare(&g) &&
              threads_run(&g.threads, g.task_count, run_task, &g, a->memory, e);
    if (ok) settle(&g);
    resume_close(&g.resume);
    threads_done(&g.threads);
    memory_release(a->memory, g.pieces);
    memory_release(a->memory, g.tasks);
    return ok;
}

/*
 * values.c -- data cut into tasks, counted by threads; each piece adds its sum under a lock once. Failures
 * are kept with their file, whose tensors then have no counts: a sum over part of a file is never shown.
 */
#include "content/values.h"

#include "content/decode.h"
#include "content/resume.h"
#include "content/tasks.h"
#include "content/threads.h"
#include "content/unchanged.h"

#include <string.h>

struct scanning {
    struct threads threads;
    struct values *values;
    const struct values_input *in;
    const struct scanner **scanners; /* of each tensor; NULL: not scanned */
    struct file_identity *was;       /* of each file, beforehand */
    size_t *left;                    /* of each file: tasks still to do */
    struct resume resume;
    struct tasks tasks; /* pieces: bytes of a tensor's data, whole units */
    struct arena *arena;
    numel_error *error;
};

/* ---- what to scan ------------------------------------------------------------------------- */

static enum value_state state_of(const numel_file *f, const numel_tensor *t, const struct scanner *s)
{
    if (f->header_only || f->data == NUMEL_DATA_ABSENT) return VALUE_ABSENT;
    if (f->compressed) return VALUE_COMPRESSED;
    if (t->offset == NUMEL_NOWHERE) return VALUE_APART;
    if (!num_inside(t->offset, t->bytes, f->bytes)) return VALUE_ABSENT;
    if (!s || t->flags & NUMEL_BYTES_INFERRED || t->bytes % s->bytes) return VALUE_TYPE;
    if (f->big_endian && s->swaps == 0) return VALUE_SWAPPED;
    return VALUE_SCANNED;
}

/* ---- cutting ------------------------------------------------------------------------------ */

static bool cut_tensor(struct scanning *g, uint32_t tensor)
{
    const numel_tensor *t = &g->in->tensors[tensor];
    const struct scanner *s = g->scanners[tensor];
    uint64_t step = TASK_BYTES - TASK_BYTES % s->bytes;
    if (!num_add(&g->threads.total, g->threads.total, t->bytes)) g->threads.total = UINT64_MAX;
    for (uint64_t at = 0; at < t->bytes; at += step) {
        const struct piece piece = { tensor, at, num_min(t->bytes, at + step) };
        if (!tasks_add(&g->tasks, &piece, piece.end - at, g->error)) return false;
    }
    return true;
}

/* Takes an earlier run's counts of the file: "TENSOR NAN INF ZERO SCALE_NAN SCALE_INF" a line. */
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
    if (!journal_keeps(&g->resume.journal)) return;
    buffer_init(&b, g->arena->memory);
    for (uint64_t i = 0; i < f->tensors; i++) {
        const struct scan_counts *c = &g->values->tensors[f->first_tensor + i].counts;
        buffer_format(&b, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, i, c->nan, c->infinite, c->zero);
        buffer_format(&b, " %" PRIu64 " %" PRIu64 "\n", c->scale_nan, c->scale_infinite);
    }
    resume_note(&g->resume, RESUME_VALUES, &g->was[number], &b);
    buffer_done(&b);
}

/* A file's tensors in header order: usually that of their offsets. */
static bool cut_file(struct scanning *g, size_t number)
{
    const numel_file *f = &g->in->files[number];
    size_t before = g->tasks.count;
    unchanged_begin(f, &g->was[number], &g->values->files[number]);
    bool done = error_free(&g->values->files[number]) && take_file(g, number);
    for (uint64_t i = f->first_tensor; i < f->first_tensor + f->tensors; i++) {
        struct tensor_values *v = &g->values->tensors[i];
        const numel_tensor *t = &g->in->tensors[i];
        g->scanners[i] = scan_find(t->dtype);
        v->state = state_of(f, t, g->scanners[i]);
        if (v->state != VALUE_SCANNED || done) continue;
        v->counts = (struct scan_counts){ 0 }; /* left by a broken record */
        if (error_free(&g->values->files[number]) && !cut_tensor(g, (uint32_t)i)) return false;
    }
    if (!tasks_end(&g->tasks, g->error)) return false;
    g->left[number] = g->tasks.count - before;
    return true;
}

/* ---- scanning ----------------------------------------------------------------------------- */

/* Reads the piece block by block, in steps of whole units. */
NUMEL_MUST static bool scan_piece(struct scanning *g, struct stream *s, const struct piece *piece,
                                  uint8_t *buffer, numel_error *e)
{
    const numel_tensor *t = &g->in->tensors[piece->of];
    const struct scanner *how = g->scanners[piece->of];
    struct scan_counts c = { 0 }, *sum = &g->values->tensors[piece->of].counts;
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

NUMEL_MUST static bool scan_task(struct scanning *g, const struct task *t, uint32_t file, uint8_t *buffer,
                                 numel_error *e)
{
    struct stream s;
    if (!stream_open(&s, g->in->files[file].path, e)) return false;
    bool ok = unchanged_open(&g->was[file], &s, e);
    for (size_t i = t->first; ok && i < t->last; i++) ok = scan_piece(g, &s, &g->tasks.pieces[i], buffer, e);
    return stream_close(&s, e) && ok;
}

static void run_task(void *ctx, size_t i, uint8_t *buffer)
{
    struct scanning *g = ctx;
    const struct task *t = &g->tasks.items[i];
    uint32_t file = g->in->tensors[g->tasks.pieces[t->first].of].file;
    numel_error e, *failed = &g->values->files[file];
    error_clear(&e);
    threads_lock(&g->threads);
    bool skip = !error_free(failed);
    threads_unlock(&g->threads);
    bool ok = !skip && threads_advance(&g->threads, 0, &e) && scan_task(g, t, file, buffer, &e);
    error_file(&e, g->in->files[file].path);
    threads_lock(&g->threads);
    if (e.code == NUMEL_E_STOPPED) g->values->stopped = true;
    if (error_free(failed)) *failed = e;
    if (--g->left[file] == 0 && ok && error_free(failed)) note_file(g, file);
    threads_unlock(&g->threads);
}

/* ---- all ---------------------------------------------------------------------------------- */

/* Drops the counts of files that changed after the first task began, or could not be read in full. */
static void settle(struct scanning *g)
{
    const struct values_input *in = g->in;
    for (size_t i = 0; i < in->file_count; i++)
        unchanged_end(&in->files[i], &g->was[i], &g->values->files[i]);
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
    g->was = arena_zeroed(g->arena, (files + 1) * sizeof *g->was);
    g->left = arena_zeroed(g->arena, (files + 1) * sizeof *g->left);
    v->tensors = arena_zeroed(g->arena, (tensors + 1) * sizeof *v->tensors);
    v->files = arena_alloc(g->arena, (files + 1) * sizeof *v->files);
    if (!g->scanners || !g->was || !g->left || !v->tensors || !v->files) return error_nomem(g->error);
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
    tasks_init(&g.tasks, a->memory);
    bool ok = resume_open(&g.resume, how->resume, a->memory, e) && prepare(&g) &&
              threads_run(&g.threads, g.tasks.count, run_task, &g, a->memory, e);
    if (ok) settle(&g);
    resume_close(&g.resume);
    threads_done(&g.threads);
    tasks_done(&g.tasks);
    return ok;
}

/*
 * sorter.c -- runs in a file, merged FAN at a time into another file until one is left, which is read from
 * front to back as often as needed. If all records fit into memory there is no file.
 */
#define _DEFAULT_SOURCE /* mkstemp */
#include "source/sorter.h"

#include "base/num.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FAN = 64, LENGTH = 4, WINDOW = 64 << 10 };

void sorter_init(struct sorter *s, size_t budget, const char *folder, sorter_order_fn *order, const void *ctx,
                 const numel_allocator *m)
{
    *s = (struct sorter){ .memory = m, .folder = folder, .order = order, .ctx = ctx, .file = -1 };
    s->budget = budget < SORTER_LEAST ? SORTER_LEAST : budget;
    buffer_init(&s->held, m);
    buffer_init(&s->window, m);
}

static void close_file(int *file)
{
    if (*file >= 0) close(*file);
    *file = -1;
}

void sorter_done(struct sorter *s)
{
    close_file(&s->file);
    buffer_done(&s->held);
    buffer_done(&s->window);
    memory_release(s->memory, s->places);
    memory_release(s->memory, s->runs);
    s->places = NULL;
    s->runs = NULL;
    s->count = s->run_count = 0;
}

/* ---- the file ----------------------------------------------------------------------------- */

/* Makes a file and removes its name at once. */
static int make_file(const struct sorter *s, numel_error *e)
{
    char path[PATH_MAX];
    numel_str all =
        text_join(path, sizeof path - 1, text_of(s->folder), text_of("/numel-"), text_of("XXXXXX"));
    if (!all.p)
        return error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "the path of the temporary folder is too long"), -1;
    path[all.n] = 0;
    int file = mkstemp(path);
    if (file < 0) error_errno(e, "cannot create a temporary file", errno);
    else {
        (void)unlink(path);
        (void)fcntl(file, F_SETFD, FD_CLOEXEC);
    }
    error_file(e, s->folder);
    return file;
}

NUMEL_MUST static bool write_all(int file, uint64_t at, const char *p, size_t n, numel_error *e)
{
    while (n) {
        ssize_t wrote = pwrite(file, p, n, (off_t)at);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return error_errno(e, "cannot write the temporary file", wrote ? errno : ENOSPC);
        p += wrote;
        at += (uint64_t)wrote;
        n -= (size_t)wrote;
    }
    return true;
}

/* Appends n bytes from `at` to the buffer. */
NUMEL_MUST static bool read_some(int file, uint64_t at, size_t n, struct buffer *b, numel_error *e)
{
    size_t before = b->n;
    buffer_fill(b, '\0', n);
    if (b->failed) return error_nomem(e);
    b->n = before;
    while (n) {
        ssize_t got = pread(file, b->p + b->n, n, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return error_errno(e, "cannot read the temporary file", got ? errno : EIO);
        b->n += (size_t)got;
        at += (uint64_t)got;
        n -= (size_t)got;
    }
    return true;
}

/* ---- records in memory -------------------------------------------------------------------- */

static numel_str record_at(const char *p)
{
    return (numel_str){ p + LENGTH, (size_t)num_load((const uint8_t *)p, LENGTH, false) };
}

static void put_record(struct buffer *b, numel_str r)
{
    uint8_t n[8];
    num_store_le64(n, r.n);
    buffer_add(b, n, LENGTH);
    buffer_add(b, r.p, r.n);
}

/* A bottom-up, stable merge sort with a second array of places: qsort() has no context and is not stable. */
NUMEL_MUST static bool sort_held(struct sorter *s, numel_error *e)
{
    size_t n = s->count;
    if (!s->order || n < 2) return true;
    size_t *other = memory_resize(s->memory, NULL, n * sizeof *other);
    if (!other) return error_nomem(e);
    size_t *from = s->places, *to = other;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t at = 0; at < n; at += 2 * width) {
            size_t i = at, middle = num_min(at + width, n), k = middle, end = num_min(at + 2 * width, n);
            for (size_t out = at; out < end; out++) {
                bool left = i < middle && (k == end || s->order(s->ctx, record_at(s->held.p + from[i]),
                                                                record_at(s->held.p + from[k])) <= 0);
                to[out] = from[left ? i++ : k++];
            }
        }
        size_t *turn = from;
        from = to, to = turn;
    }
    if (from != s->places) memcpy(s->places, from, n * sizeof *from);
    memory_release(s->memory, other);
    return true;
}

NUMEL_MUST static bool add_run(struct sorter *s, uint64_t at, numel_error *e)
{
    if (!memory_grow(s->memory, &s->runs, &s->run_cap, s->run_count + 1, sizeof *s->runs, e)) return false;
    s->runs[s->run_count++] = (struct sorter_run){ at, s->written - at };
    return true;
}

/* Appends `b` to the file and empties it. */
NUMEL_MUST static bool flush(struct sorter *s, int file, struct buffer *b, numel_error *e)
{
    if (b->failed) return error_nomem(e);
    if (!write_all(file, s->written, b->p, b->n, e)) return false;
    s->written += b->n;
    b->n = 0;
    return true;
}

/* Writes all held records as a run. */
NUMEL_MUST static bool spill(struct sorter *s, numel_error *e)
{
    struct buffer out;
    uint64_t at = s->written;
    if (!s->count) return true;
    if (s->file < 0 && (s->file = make_file(s, e)) < 0) return false;
    bool ok = sort_held(s, e);
    buffer_init(&out, s->memory);
    for (size_t i = 0; ok && i < s->count; i++) {
        put_record(&out, record_at(s->held.p + s->places[i]));
        if (out.n >= WINDOW || out.failed) ok = flush(s, s->file, &out, e);
    }
    ok = ok && flush(s, s->file, &out, e) && add_run(s, at, e);
    buffer_done(&out);
    s->held.n = 0;
    s->count = 0;
    return ok;
}

bool sorter_add(struct sorter *s, numel_str record, numel_error *e)
{
    if (record.n > INT32_MAX) return error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE, "a record of 2 GiB");
    size_t more = LENGTH + record.n + 2 * sizeof *s->places; /* sorting needs one more place */
    if (s->count && s->held.n + s->count * 2 * sizeof *s->places + more > s->budget && !spill(s, e))
        return false;
    if (!memory_grow(s->memory, &s->places, &s->cap, s->count + 1, sizeof *s->places, e)) return false;
    s->places[s->count] = s->held.n;
    put_record(&s->held, record);
    if (s->held.failed) return error_nomem(e);
    s->count++;
    s->records++;
    return true;
}

/* ---- merging ------------------------------------------------------------------------------ */

struct reading { /* of a run */
    struct sorter_run left;
    struct buffer text;
    size_t at;
    numel_str record; /* p NULL: no more */
};

/* The next record of a run; reads a window at a time, or the record if that is longer. */
NUMEL_MUST static bool advance(int file, struct reading *r, numel_error *e)
{
    for (size_t want = WINDOW;;) {
        size_t held = text_from(buffer_view(&r->text), r->at).n;
        const char *p = held ? r->text.p + r->at : NULL;
        uint64_t need = held < LENGTH ? LENGTH : LENGTH + record_at(p).n;
        if (held >= LENGTH && held >= need) {
            r->record = record_at(p);
            r->at += (size_t)need;
            return true;
        }
        r->record = (numel_str){ NULL, 0 };
        if (!r->left.bytes) return true;
        buffer_drop_start(&r->text, r->at);
        r->at = 0;
        want = (size_t)num_min(num_max(want, need), r->left.bytes);
        if (!read_some(file, r->left.at, want, &r->text, e)) return false;
        r->left.at += want;
        r->left.bytes -= want;
    }
}

/* The first of the smallest records; `n` when all are done. */
static size_t first_of(const struct sorter *s, const struct reading *r, size_t n)
{
    size_t best = n;
    for (size_t i = 0; i < n; i++)
        if (r[i].record.p && (best == n || (s->order && s->order(s->ctx, r[i].record, r[best].record) < 0)))
            best = i;
    return best;
}

/* Merges n runs of one file into one of another, and adds it to those of `s`. */
NUMEL_MUST static bool merge(struct sorter *s, int from, int to, const struct sorter_run *runs, size_t n,
                             numel_error *e)
{
    struct reading r[FAN];
    struct buffer out;
    uint64_t at = s->written;
    bool ok = true;
    buffer_init(&out, s->memory);
    for (size_t i = 0; i < n; i++) {
        r[i] = (struct reading){ .left = runs[i] };
        buffer_init(&r[i].text, s->memory);
        ok = ok && advance(from, &r[i], e);
    }
    for (size_t i; ok && (i = first_of(s, r, n)) < n;) {
        put_record(&out, r[i].record);
        if (out.n >= WINDOW || out.failed) ok = flush(s, to, &out, e);
        ok = ok && advance(from, &r[i], e);
    }
    for (size_t i = 0; i < n; i++) buffer_done(&r[i].text);
    ok = ok && flush(s, to, &out, e) && add_run(s, at, e);
    buffer_done(&out);
    return ok;
}

/* Merges all runs, FAN at a time, into a new file. */
NUMEL_MUST static bool merge_once(struct sorter *s, numel_error *e)
{
    struct sorter_run *runs = s->runs;
    size_t n = s->run_count;
    int from = s->file, to = make_file(s, e);
    bool ok = to >= 0;
    s->runs = NULL;
    s->run_count = s->run_cap = 0;
    s->written = 0;
    for (size_t i = 0; ok && i < n; i += FAN) ok = merge(s, from, to, runs + i, num_min(FAN, n - i), e);
    memory_release(s->memory, runs);
    close_file(&from);
    s->file = to;
    return ok;
}

/* ---- returning records -------------------------------------------------------------------- */

bool sorter_rewind(struct sorter *s, numel_error *e)
{
    if (!s->ready) {
        bool ok = s->run_count ? spill(s, e) : sort_held(s, e);
        while (ok && s->order && s->run_count > 1) ok = merge_once(s, e);
        if (!ok) return false;
        s->ready = true;
    }
    if (s->run_count) buffer_done(&s->held);
    s->next = s->window_at = 0;
    s->window.n = 0;
    return true;
}

bool sorter_next(struct sorter *s, numel_str *out, numel_error *e)
{
    *out = (numel_str){ NULL, 0 };
    if (!s->run_count) {
        if (s->next < s->count) *out = record_at(s->held.p + s->places[s->next++]);
        return true;
    }
    struct reading r = {
        { s->window_at, s->written - s->window_at }, s->window, (size_t)s->next, { NULL, 0 }
    };
    bool ok = advance(s->file, &r, e);
    s->window = r.text;
    s->window_at = r.left.at;
    s->next = r.at;
    *out = r.record;
    return ok;
}

/*
 * hashes.c -- the passes: which thread reads which file, and which digests each block goes to. Ranges are fed
 * in file order; a file that changes meanwhile has no digest.
 */
#include "content/hashes.h"

#include "content/threads.h"
#include "content/resume.h"
#include "source/zstd.h"

#include <stdlib.h>

/* One pass over one file. */
struct task {
    struct hash_job *job;
    bool whole, ranges;
    uint64_t bytes; /* to be read, as far as known: large ones go first */
};

struct hashing {
    struct threads threads;
    struct task *tasks;
    size_t count;
    pthread_mutex_t unpacking; /* held by the one task that decompresses */
    struct resume resume;
};

/* The state of a pass. */
struct pass {
    struct task *task;
    struct hashing *all;
    struct stream stream;
    struct digest sha256, git, range; /* range: of job->ranges[next] */
    size_t next;
    bool read; /* to its end, unchanged */
    numel_error error;
};

/* ---- feeding ------------------------------------------------------------------------------ */

NUMEL_MUST static bool begin_whole(struct pass *p)
{
    uint64_t bytes = p->stream.was.bytes;
    const struct hash_job *job = p->task->job;
    return (!job->sha256 || digest_begin(&p->sha256, DIGEST_SHA256, bytes, &p->error)) &&
           (!job->git || digest_begin(&p->git, DIGEST_GIT, bytes, &p->error));
}

NUMEL_MUST static bool feed_whole(struct pass *p, const uint8_t *block, size_t n)
{
    return (!p->sha256.state || digest_add(&p->sha256, block, n, &p->error)) &&
           (!p->git.state || digest_add(&p->git, block, n, &p->error));
}

NUMEL_MUST static bool end_whole(struct pass *p)
{
    struct hash_job *job = p->task->job;
    return (!p->sha256.state || digest_end(&p->sha256, &job->whole, &p->error)) &&
           (!p->git.state || digest_end(&p->git, &job->named, &p->error));
}

/* Feeds the part of range r in the block at [at, at+n); *ended if the range ends in it. */
NUMEL_MUST static bool feed_range(struct pass *p, struct hash_range *r, uint64_t at, const uint8_t *block,
                                  size_t n, bool *ended)
{
    uint64_t from = num_max(r->offset, at), to = num_min(r->offset + r->bytes, at + n);
    *ended = r->bytes == 0 || r->offset + r->bytes <= at + n;
    if (!p->range.state && !digest_begin(&p->range, DIGEST_SHA256, r->bytes, &p->error)) return false;
    if (to > from && !digest_add(&p->range, block + (from - at), (size_t)(to - from), &p->error))
        return false;
    return !*ended || digest_end(&p->range, &r->value, &p->error);
}

/* The block goes to the ranges that begin or continue in it. A range that began while another was being fed
 * is skipped: ranges overlap in damaged files, and where tensors of
 * PyTorch share a storage; read_left_over() reads them. */
static bool feed_ranges(struct pass *p, uint64_t at, const uint8_t *block, size_t n)
{
    struct hash_job *job = p->task->job;
    for (bool ended = true; ended && p->next < job->range_count; p->next += ended) {
        struct hash_range *r = &job->ranges[p->next];
        if (r->bytes && r->offset >= at + n) break;
        if (r->bytes && r->offset < at && !p->range.state) continue;
        if (!feed_range(p, r, at, block, n, &ended)) return false;
    }
    return true;
}

NUMEL_MUST static bool feed(struct pass *p, uint64_t at, const uint8_t *block, size_t n)
{
    return (!p->task->whole || feed_whole(p, block, n)) &&
           (!p->task->ranges || feed_ranges(p, at, block, n)) &&
           threads_advance(&p->all->threads, n, &p->error);
}

/* ---- reading ------------------------------------------------------------------------------ */

static uint64_t ranges_end(const struct hash_job *job)
{
    uint64_t end = 0;
    for (size_t i = 0; i < job->range_count; i++)
        end = num_max(end, job->ranges[i].offset + job->ranges[i].bytes);
    return end;
}

static bool read_through(struct pass *p, uint64_t from, uint64_t to, uint8_t *buffer)
{
    for (uint64_t at = from; at < to;) {
        size_t n = (size_t)num_min(STREAM_BLOCK, to - at);
        if (!stream_read(&p->stream, at, buffer, n, &p->error) || !feed(p, at, buffer, n)) return false;
        at += n;
    }
    return true;
}

/* Reads a range by itself. */
NUMEL_MUST static bool read_range(struct pass *p, struct hash_range *r, uint8_t *buffer)
{
    if (!digest_begin(&p->range, DIGEST_SHA256, r->bytes, &p->error)) return false;
    for (uint64_t done = 0; done < r->bytes;) {
        size_t n = (size_t)num_min(STREAM_BLOCK, r->bytes - done);
        if (!stream_read(&p->stream, r->offset + done, buffer, n, &p->error) ||
            !digest_add(&p->range, buffer, n, &p->error) || !threads_advance(&p->all->threads, n, &p->error))
            return false;
        done += n;
    }
    return digest_end(&p->range, &r->value, &p->error);
}

/* Reads the ranges that the pass skipped, and empty ones after its end. */
static bool read_left_over(struct pass *p, uint8_t *buffer)
{
    struct hash_job *job = p->task->job;
    for (size_t i = 0; i < job->range_count; i++)
        if (job->ranges[i].value.kind == DIGEST_NONE && !read_range(p, &job->ranges[i], buffer)) return false;
    return true;
}

NUMEL_MUST static bool read_plain(struct pass *p, uint8_t *buffer)
{
    const struct hash_job *job = p->task->job;
    bool ranges = p->task->ranges && job->range_count;
    uint64_t from = p->task->whole || !ranges ? 0 : job->ranges[0].offset;
    uint64_t to = p->task->whole ? p->stream.was.bytes : ranges ? ranges_end(job) : 0;
    return (!p->task->whole || begin_whole(p)) && read_through(p, from, to, buffer) &&
           (!p->task->whole || end_whole(p)) && (!ranges || read_left_over(p, buffer));
}

/* ---- zstd --------------------------------------------------------------------------------- */

struct supply {
    struct pass *pass;
    uint64_t at;
};

NUMEL_MUST static bool supply(void *ctx, void *p, size_t room, size_t *got, numel_error *e)
{
    struct supply *s = ctx;
    *got = (size_t)num_min(room, s->pass->stream.was.bytes - s->at);
    if (!stream_read(&s->pass->stream, s->at, p, *got, e)) return false;
    s->at += *got;
    return true;
}

static bool read_unpacked(struct pass *p, uint8_t *buffer)
{
    struct supply from = { p, 0 };
    struct zstd_flow flow;
    uint64_t end = ranges_end(p->task->job), at = 0;
    bool ok = zstd_flow_open(&flow, supply, &from, buffer, STREAM_BLOCK, &p->error);
    for (size_t n = 1; ok && n && at < end; at += n)
        ok = zstd_flow_read(&flow, buffer + STREAM_BLOCK, STREAM_BLOCK, &n, &p->error) &&
             feed(p, at, buffer + STREAM_BLOCK, n);
    zstd_flow_close(&flow);
    if (ok && at < end)
        error_set(&p->error, NUMEL_E_TRUNCATED, NUMEL_NOWHERE,
                  "decompressed it has %" PRIu64 " bytes, but its tensors need %" PRIu64, at, end);
    return ok && at >= end;
}

/* ---- tasks -------------------------------------------------------------------------------- */

NUMEL_MUST static bool read_file(struct pass *p, uint8_t *buffer)
{
    bool unpack = p->task->job->compressed && p->task->ranges;
    if (!stream_open(&p->stream, p->task->job->path, &p->error)) return false;
    if (unpack) pthread_mutex_lock(&p->all->unpacking);
    bool ok = unpack ? read_unpacked(p, buffer) : read_plain(p, buffer);
    if (unpack) pthread_mutex_unlock(&p->all->unpacking);
    return stream_close(&p->stream, &p->error) && ok;
}

/* "HEX|- HEX|-", then "OFFSET BYTES HEX|-" of each range. */
static void put_value(struct buffer *b, const struct digest_value *v)
{
    char hex[DIGEST_HEX];
    buffer_text(b, v->kind == DIGEST_NONE ? "-" : digest_hex(hex, v));
}

static enum resume_kind kind_of(const struct hash_job *job)
{
    return job->sha256 || job->git ? RESUME_HASH : RESUME_RANGES;
}

static void note_job(struct hashing *h, const struct hash_job *job)
{
    struct buffer b;
    if (!journal_keeps(&h->resume.journal)) return;
    buffer_init(&b, h->resume.memory);
    put_value(&b, &job->whole);
    buffer_char(&b, ' ');
    put_value(&b, &job->named);
    buffer_char(&b, '\n');
    for (size_t i = 0; i < job->range_count; i++) {
        const struct hash_range *r = &job->ranges[i];
        buffer_format(&b, "%" PRIu64 " %" PRIu64 " ", r->offset, r->bytes);
        put_value(&b, &r->value);
        buffer_char(&b, '\n');
    }
    resume_note(&h->resume, kind_of(job), &job->identity, &b);
    buffer_done(&b);
}

static bool get_value(numel_str *s, struct digest_value *v)
{
    numel_str word = resume_word(s);
    *v = (struct digest_value){ DIGEST_NONE, { 0 } };
    return (word.n == 1 && word.p[0] == '-') || digest_parse(v, word.p, word.n);
}

static bool take_ranges(struct hash_job *job, numel_str s)
{
    for (size_t i = 0; i < job->range_count; i++) {
        struct hash_range *r = &job->ranges[i];
        uint64_t offset, bytes;
        if (!resume_number(&s, &offset) || !resume_number(&s, &bytes) || offset != r->offset ||
            bytes != r->bytes || !get_value(&s, &r->value))
            return false;
    }
    return true;
}

/* Takes the digests of an earlier run, if they include all that are wanted now. */
static void take_job(const struct hashing *h, struct hash_job *job)
{
    struct file_identity is;
    struct digest_value whole, named;
    numel_str s;
    if (!identity_of(job->path, &is) || !resume_find(&h->resume, kind_of(job), &is, &s)) return;
    if (!get_value(&s, &whole) || !get_value(&s, &named)) return;
    if ((job->sha256 && whole.kind != DIGEST_SHA256) || (job->git && named.kind != DIGEST_GIT)) return;
    job->resumed = take_ranges(job, s);
    if (!job->resumed) {
        for (size_t i = 0; i < job->range_count; i++) job->ranges[i].value.kind = DIGEST_NONE;
        return;
    }
    if (job->sha256) job->whole = whole;
    if (job->git) job->named = named;
    job->identity = is;
}

/* The last of a job's tasks joins their results. */
static void end_task(struct pass *p, struct hash_job *job)
{
    threads_lock(&p->all->threads);
    bool other = job->identity.bytes || job->identity.inode;
    if (!p->read) {
        if (error_free(&job->error)) job->error = p->error;
    } else if (other && !identity_same(&job->identity, &p->stream.was)) {
        error_set(&job->error, NUMEL_E_CHANGED, NUMEL_NOWHERE, "the file changed between two reads");
        error_file(&job->error, job->path);
    }
    job->identity = p->stream.was;
    if (--job->tasks == 0 && error_free(&job->error) && journal_keeps(&p->all->resume.journal))
        note_job(p->all, job);
    threads_unlock(&p->all->threads);
}

static void run_task(void *ctx, size_t i, uint8_t *buffer)
{
    struct hashing *h = ctx;
    struct hash_job *job = h->tasks[i].job;
    struct pass p = { .task = &h->tasks[i], .all = h, .stream = { .descriptor = -1 } };
    error_clear(&p.error);
    p.read = threads_advance(&h->threads, 0, &p.error) && read_file(&p, buffer);
    digest_drop(&p.sha256);
    digest_drop(&p.git);
    digest_drop(&p.range);
    end_task(&p, job);
}

/* ---- sharing out -------------------------------------------------------------------------- */

static void add_task(struct hashing *h, struct hash_job *job, bool whole, bool ranges)
{
    struct file_identity id = { 0 };
    identity_of(job->path, &id); /* the pass reports a failure */
    uint64_t bytes = whole ? id.bytes : ranges_end(job);
    h->tasks[h->count++] = (struct task){ job, whole, ranges, bytes };
    if (!num_add(&h->threads.total, h->threads.total, bytes)) h->threads.total = UINT64_MAX;
    job->tasks++;
}

static int larger_first(const void *a, const void *b)
{
    const struct task *x = a, *y = b;
    if (x->bytes != y->bytes) return x->bytes < y->bytes ? 1 : -1;
    return x->job != y->job ? (x->job > y->job) - (x->job < y->job) : y->whole - x->whole;
}

static void share_out(struct hashing *h, struct hash_job *jobs, size_t count)
{
    size_t work = 0;
    for (size_t i = 0; i < count; i++) work += !jobs[i].resumed;
    bool spare = work < threads_size(h->threads.how);
    for (size_t i = 0; i < count; i++) {
        bool whole = jobs[i].sha256 || jobs[i].git, ranges = jobs[i].range_count > 0;
        if (jobs[i].resumed) continue;
        if (whole && ranges && !spare && !jobs[i].compressed) {
            add_task(h, &jobs[i], true, true);
            continue;
        }
        if (whole) add_task(h, &jobs[i], true, false);
        if (ranges) add_task(h, &jobs[i], false, true);
    }
    if (h->count) qsort(h->tasks, h->count, sizeof *h->tasks, larger_first);
}

bool hashes_run(struct hash_job *jobs, size_t count, const numel_work *how, const numel_allocator *m,
                numel_error *e)
{
    struct hashing h = { .count = 0 };
    if (count > SIZE_MAX / sizeof *h.tasks / 2) return error_nomem(e);
    h.tasks = memory_resize(m, NULL, (2 * count + 1) * sizeof *h.tasks);
    if (!h.tasks) return error_nomem(e);
    threads_init(&h.threads, how, "hashing", 0);
    (void)pthread_mutex_init(&h.unpacking, NULL); /* cannot fail without attributes */
    bool ok = resume_open(&h.resume, how->resume, m, e);
    for (size_t i = 0; ok && journal_keeps(&h.resume.journal) && i < count; i++) take_job(&h, &jobs[i]);
    if (ok) share_out(&h, jobs, count);
    ok = ok && (!h.count || digest_ready(e)) && threads_run(&h.threads, h.count, run_task, &h, m, e);
    resume_close(&h.resume);
    pthread_mutex_destroy(&h.unpacking);
    threads_done(&h.threads);
    memory_release(m, h.tasks);
    return ok;
}

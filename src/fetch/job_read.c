/*
 * job_read.c -- a range of a file, from the cache or from where its redirects end.
 *
 * All ranges of a file must belong to the same content. The parent sees the ETag of the Hub's redirect, or else that
 * of the bytes. The host of the bytes has its own ETag, which pins the next range from that host (If-Range). All
 * stated sizes must agree. If a server ignores ranges (200), only the start of a file is read.
 */
#include "fetch/fetcher_internal.h"
#include "fetch/header.h"
#include "fetch/url.h"

#include "base/hash.h"
#include "base/number.h"
#include "base/text.h"

/* ---- facts about a file ------------------------------------------------------------------ */

NUMEL_MUST static struct file *file_of(struct fetcher *f, const char *url)
{
    numel_str text = text_of(url);
    struct file **slot = &f->files[hash_bytes(text.p, text.n, hash_seed(f)) % FILE_SLOTS];
    for (struct file *file = *slot; file; file = file->next)
        if (text_same(file->url, text)) return file;
    struct file *file = arena_zeroed(&f->arena, sizeof *file);
    const char *copy = arena_text(&f->arena, text.p, text.n);
    if (!file || !copy) return NULL;
    file->url = (numel_str){ copy, text.n };
    file->size = SIZE_UNKNOWN;
    file->next = *slot;
    return *slot = file;
}

static uint64_t wanted(const struct job *j) { return num_max(j->request.length, 1); }

/* ---- the cache ---------------------------------------------------------------------------- */

/* A query may contain a signature, which is secret. */
static bool may_keep(const struct job *j) { return j->hub || url_bare(j->file->url).n == j->file->url.n; }

static void key_of(struct buffer *b, const struct job *j)
{
    buffer_init(b, &memory_malloc);
    buffer_text(b, "read ");
    buffer_str(b, j->file->url);
    if (j->request.length) buffer_format(b, " %" PRIu64, j->request.offset);
    else buffer_text(b, " size");
}

/* True if the entry has the whole range, of the right content. */
static bool serves(const struct job *j, const struct cache_entry *e)
{
    const struct request *r = &j->request;
    uint64_t rest = e->size == SIZE_UNKNOWN ? UINT64_MAX : num_left(e->size, r->offset);
    return e->bytes.n >= num_min(r->length, rest) && (r->etag.n == 0 || text_same(r->etag, e->etag)) &&
           (j->file->etag.n == 0 || text_same(j->file->etag, e->etag)) &&
           (j->file->size == SIZE_UNKNOWN || j->file->size == e->size);
}

/* Records the ETag and size of the file, unless known. */
NUMEL_MUST static bool learn(struct fetcher *f, struct job *j, numel_str etag, uint64_t size)
{
    const char *copy = etag.n && j->file->etag.n == 0 ? arena_text(&f->arena, etag.p, etag.n) : "";
    if (!copy) return false;
    if (*copy) j->file->etag = text_of(copy);
    if (j->file->size == SIZE_UNKNOWN) j->file->size = size;
    return true;
}

static void answer_range(struct fetcher *f, struct job *j, numel_str bytes);

static void answer_kept(struct fetcher *f, struct job *j)
{
    j->kept = true;
    answer_range(f, j, j->cached.bytes);
}

/* A commit never changes. For other URLs, the server validates the ETag once in a run. */
static bool from_cache(struct fetcher *f, struct job *j)
{
    struct buffer key;
    if (!may_keep(j)) return false;
    key_of(&key, j);
    j->has_cached = !key.failed && cache_find(&f->cache, buffer_view(&key), &j->cached);
    buffer_done(&key);
    if (!j->has_cached) return false;
    bool fits = serves(j, &j->cached);
    bool valid = j->hub || f->config->offline || (j->file->checked && j->file->etag.n);
    if (fits && valid && learn(f, j, j->cached.etag, j->cached.size)) {
        answer_kept(f, j);
        return true;
    }
    if (fits && !valid && j->cached.etag.n) return false;
    cache_entry_done(&j->cached);
    j->has_cached = false;
    return false;
}

static void to_cache(struct fetcher *f, struct job *j, numel_str bytes)
{
    struct buffer key;
    if (!may_keep(j) || (!j->hub && j->file->etag.n == 0)) return;
    key_of(&key, j);
    if (!key.failed) cache_keep(&f->cache, buffer_view(&key), j->file->size, j->file->etag, bytes);
    buffer_done(&key);
}

/* ---- answers ------------------------------------------------------------------------------ */

/* The one file of an https:// URL, named by the last component of its path. */
static void answer_list(struct fetcher *f, struct job *j)
{
    struct buffer b;
    struct url u;
    numel_str none = text_of("-"), name = none;
    if (url_split(&u, j->request.url)) name = text_after(url_bare(u.rest), '/');
    buffer_init(&b, &memory_malloc);
    bool good = name.n && url_decode(&b, name) && url_is_path(buffer_view(&b));
    buffer_drop(&b, b.n);
    buffer_format(&b, "revision -\nfile %" PRIu64 " - ", j->file->size);
    buffer_str(&b, j->file->etag.n ? j->file->etag : none);
    buffer_char(&b, ' ');
    buffer_str(&b, good ? name : text_of("file"));
    buffer_char(&b, '\n');
    if (b.failed) job_nomem(f, j);
    else if (j->file->size == SIZE_UNKNOWN)
        job_fail(f, j, FETCH_BROKEN, "the server does not say how large the file is");
    else job_done(f, j, SIZE_UNKNOWN, (numel_str){ NULL, 0 }, buffer_view(&b));
    buffer_done(&b);
}

static void answer_range(struct fetcher *f, struct job *j, numel_str bytes)
{
    if (j->request.list) answer_list(f, j);
    else job_done(f, j, j->file->size, j->file->etag, text_upto(bytes, j->request.length));
}

/* ---- requests ----------------------------------------------------------------------------- */

void read_begin(struct fetcher *f, struct job *j, const char *url)
{
    j->step = STEP_FILE;
    j->start = url;
    j->file = file_of(f, url);
    if (!j->file) job_nomem(f, j);
    else if (!from_cache(f, j)) job_go(f, j, j->file->location ? j->file->location : url);
}

/* JSON of the Hub is read whole, and compressed it has a tenth of the size: an index of 90,000 names takes 9 MB. A
 * range of compressed bytes would be of no use. */
static bool wants_whole(const struct job *j)
{
    return j->hub && j->request.offset == 0 && j->request.length > 1 && text_ends(j->place.path, ".json");
}

void read_request(const struct job *j, struct exchange *x, const char *url)
{
    const struct file *file = j->file;
    x->ranged = !wants_whole(j);
    x->first = j->request.offset;
    x->last = x->first + (wanted(j) - 1);
    x->most = wanted(j);
    if (j->has_cached)
        x->if_none_match = arena_join(&x->arena, text_of("\""), j->cached.etag, text_of("\"")).p;
    else if (file->raw && header_etag_strong(text_of(file->raw)) &&
             url_same_origin(text_of(url), text_of(file->raw_url)))
        x->if_range = file->raw;
}

void read_redirect(struct job *j, const struct exchange *x)
{
    numel_str etag = header_etag(x->head[HEAD_LINKED_ETAG]);
    uint64_t size = 0;
    if (!url_same_origin(text_of(j->url), text_of(j->start))) return;
    if (etag.n) j->linked.p = arena_text(&j->arena, etag.p, etag.n);
    if (etag.n && j->linked.p) j->linked.n = etag.n;
    if (number_plain(x->head[HEAD_LINKED_SIZE], &size)) j->linked_size = size;
}

/* ---- replies ------------------------------------------------------------------------------ */

static void changed(struct fetcher *f, struct job *j)
{
    char name[JOB_NAME];
    job_fail(f, j, FETCH_CHANGED,
             "%s changed while it was read, or is not the file that was listed: start again",
             job_name(name, j));
}

static bool same_or_unknown(uint64_t a, uint64_t b)
{
    return a == b || a == SIZE_UNKNOWN || b == SIZE_UNKNOWN;
}

/* The ETag of the answer; that of a 416 is often missing. */
static numel_str identity(const struct job *j, const struct exchange *x)
{
    numel_str own = header_etag(x->head[HEAD_ETAG]);
    if (j->linked.n) return j->linked;
    if (j->file->linked || (x->status == 416 && own.n == 0)) return j->file->etag;
    return own;
}

/* True if this is the content that was read before, and the one that the parent wants. */
static bool is_same(const struct job *j, const struct exchange *x, numel_str etag, uint64_t size)
{
    const struct file *file = j->file;
    numel_str raw = x->head[HEAD_ETAG], pin = j->request.etag;
    bool same_host = file->raw && url_same_origin(text_of(j->url), text_of(file->raw_url));
    if (same_host && raw.n && !text_equal(raw, file->raw)) return false;
    if (file->etag.n && !text_same(file->etag, etag)) return false;
    if (pin.n && !text_same(pin, etag) && !(x->status == 416 && etag.n == 0)) return false;
    return same_or_unknown(size, file->size) && same_or_unknown(size, j->linked_size);
}

/* Records the URL of the bytes, and the ETag of its host. */
NUMEL_MUST static bool keep_place(struct fetcher *f, struct job *j, const struct exchange *x)
{
    struct file *file = j->file;
    numel_str raw = x->head[HEAD_ETAG];
    if (!file->location || strcmp(file->location, j->url) != 0)
        file->location = arena_text(&f->arena, j->url, strlen(j->url));
    if (raw.n && (!file->raw || !text_equal(raw, file->raw))) file->raw = arena_text(&f->arena, raw.p, raw.n);
    if (raw.n) file->raw_url = file->location;
    file->linked |= j->linked.n > 0;
    file->checked = true;
    return file->location && (raw.n == 0 || file->raw);
}

/* Takes bytes that begin at the offset and are complete. */
static void accept(struct fetcher *f, struct job *j, const struct exchange *x, uint64_t size)
{
    numel_str etag = identity(j, x);
    if (size == SIZE_UNKNOWN) size = j->linked_size;
    if (!is_same(j, x, etag, size)) {
        changed(f, j);
    } else if (x->body.failed || !learn(f, j, etag, size) || !keep_place(f, j, x)) {
        job_nomem(f, j);
    } else {
        numel_str bytes = text_upto(buffer_view(&x->body), j->request.length);
        to_cache(f, j, bytes);
        answer_range(f, j, bytes);
    }
}

/* 206: the range that was asked for, or as much of it as the file has. */
static void reply_partial(struct fetcher *f, struct job *j, const struct exchange *x)
{
    struct header_range r;
    uint64_t asked = wanted(j);
    if (!header_range(&r, x->head[HEAD_CONTENT_RANGE]) || !r.satisfied || r.first != j->request.offset) {
        job_broke(f, j, "sends another range than was asked for");
        return;
    }
    uint64_t stated = r.last - r.first + 1;
    uint64_t there = num_min(asked, r.size == SIZE_UNKNOWN ? stated : r.size - r.first);
    if (x->body.n < there || stated < there) job_broke(f, j, "sends less than the range that was asked for");
    else accept(f, j, x, r.size);
}

/* 200: the whole file, of which the start was kept, or content that does not match If-Range. */
static void reply_whole(struct fetcher *f, struct job *j, const struct exchange *x)
{
    uint64_t size = SIZE_UNKNOWN;
    bool stated = x->head[HEAD_CONTENT_ENCODING].n == 0 && number_plain(x->head[HEAD_CONTENT_LENGTH], &size);
    if (!stated) size = x->over ? SIZE_UNKNOWN : x->body.n;
    if (x->if_range && !text_equal(x->head[HEAD_ETAG], x->if_range)) changed(f, j);
    else if (j->request.offset) job_broke(f, j, "ignores ranges: only the front of the file can be read");
    else accept(f, j, x, size);
}

/* 416: the offset is not in the file. */
static void reply_outside(struct fetcher *f, struct job *j, const struct exchange *x)
{
    struct header_range r;
    if (!header_range(&r, x->head[HEAD_CONTENT_RANGE]) || r.satisfied || r.size > j->request.offset)
        job_broke(f, j, "refuses a range that is in the file");
    else accept(f, j, x, r.size);
}

/* 304: the cached entry is valid. */
static void reply_unchanged(struct fetcher *f, struct job *j, const struct exchange *x)
{
    if (!serves(j, &j->cached)) changed(f, j);
    else if (!learn(f, j, j->cached.etag, j->cached.size) || !keep_place(f, j, x)) job_nomem(f, j);
    else answer_kept(f, j);
}

void read_reply(struct fetcher *f, struct job *j, const struct exchange *x)
{
    read_redirect(j, x); /* also without a redirect */
    switch (x->status) {
    case 200: reply_whole(f, j, x); break;
    case 206: reply_partial(f, j, x); break;
    case 304:
        if (j->has_cached) reply_unchanged(f, j, x);
        else refuse_status(f, j, x);
        break;
    case 416: reply_outside(f, j, x); break;
    default: refuse_status(f, j, x);
    }
}

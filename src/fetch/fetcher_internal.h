/*
 * fetcher_internal.h -- a job, and what jobs share.
 *
 * A job goes through steps, with at most one exchange in flight:
 *
 *     REVISION    hf:// without a commit: what the revision is
 *     TREE        list: the files of the commit, a page at a time
 *     FILE        read, and list of an https:// URL: a range of a file, over its redirects
 *
 * In every step, job.c follows redirects and retries temporary failures. Jobs share the facts about a file (where
 * its redirects end, its ETags, its size), so that a second range takes one exchange and must belong to the same
 * content.
 */
#ifndef NUMEL_FETCH_FETCHER_INTERNAL_H
#define NUMEL_FETCH_FETCHER_INTERNAL_H

#include "fetch/cache.h"
#include "fetch/config.h"
#include "fetch/hub.h"
#include "fetch/request.h"
#include "fetch/transport.h"

enum step { STEP_REVISION, STEP_TREE, STEP_FILE };

/* Texts are of the fetcher's arena. */
struct file {
    struct file *next;
    numel_str url;        /* where its redirects begin */
    const char *location; /* where they ended: a signed link, which expires; NULL: unknown */
    const char *raw;      /* the ETag of the host that has the bytes, with its quotes; NULL: none */
    const char *raw_url;  /* a URL of that host */
    numel_str etag;       /* what the parent is told; empty: none */
    bool linked;          /* `etag` came with the redirect, not with the bytes */
    uint64_t size;
    bool checked; /* asked the server in this run */
};

/* The first answer for a revision, which all jobs use. */
struct revision {
    struct revision *next;
    numel_str repo, rev;
    char commit[HUB_COMMIT + 1];
};

struct job {
    struct job *next;
    struct arena arena;
    struct request request;
    struct hub_place place;
    bool hub, done, kept; /* kept: the answer is from the cache */
    uint64_t came;        /* bytes over the network so far */
    numel_str commit;     /* empty: not known yet */
    enum step step;
    struct exchange *exchange; /* in flight; NULL: none */
    const char *start, *url;   /* of the step: where it began, where it is */
    const char *mark;          /* an earlier page of the list, to notice a loop */
    unsigned tries, hops, resolved, pages;
    uint64_t began, wake; /* milliseconds; wake is 0 unless it waits */
    struct file *file;
    numel_str linked; /* of the redirect */
    uint64_t linked_size;
    struct cache_entry cached; /* to be validated by the server */
    bool has_cached;
    struct buffer lines; /* of a list */
    size_t files;
};

enum { FILE_SLOTS = 1024 };

struct fetcher {
    const struct config *config;
    struct transport *transport;
    struct cache cache;
    struct arena arena;
    struct buffer out;
    struct job *queue, **queue_end, *active; /* waiting, in order; started */
    uint64_t running;                        /* jobs that are active */
    struct file *files[FILE_SLOTS];
    struct revision *revisions;
    uint64_t random;
};

/* ---- job.c: the life of a job */

uint64_t job_now(void); /* milliseconds of a monotonic clock */
void job_begin(struct fetcher *f, struct job *j);
void job_free(struct fetcher *f, struct job *j);
/* Begins an exchange with a URL. */
void job_go(struct fetcher *f, struct job *j, const char *url);
/* Takes the answer of an exchange, which its caller frees. */
void job_ended(struct fetcher *f, struct job *j, const struct exchange *x);
/* End the job; it is freed by the next turn. */
void job_fail(struct fetcher *f, struct job *j, enum fetch_kind kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* BROKEN: the host, and a blank, precede what it does. */
void job_broke(struct fetcher *f, struct job *j, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void job_nomem(struct fetcher *f, struct job *j);
void job_done(struct fetcher *f, struct job *j, uint64_t size, numel_str etag, numel_str bytes);
/* True if that URL may be asked: https; http within this machine, or where HF_ENDPOINT is http. */
bool job_may_ask(const struct fetcher *f, const char *url);
/* The URL of the request without its query, for a sentence. */
enum { JOB_NAME = 300, HOST_NAME = 300 };
const char *job_name(char out[JOB_NAME], const struct job *j);
const char *host_of(char out[HOST_NAME], const char *url);

/* ---- job_hub.c, job_read.c: steps and their answers */

void hub_begin(struct fetcher *f, struct job *j);
void hub_reply_revision(struct fetcher *f, struct job *j, const struct exchange *x);
void hub_reply_tree(struct fetcher *f, struct job *j, const struct exchange *x);

/* `url`: where the file's redirects begin. */
void read_begin(struct fetcher *f, struct job *j, const char *url);
/* Fills the request of an exchange with the range, and with what it is pinned to at that URL. */
void read_request(const struct job *j, struct exchange *x, const char *url);
/* Keeps the X-Linked-* headers of a redirect. */
void read_redirect(struct job *j, const struct exchange *x);
void read_reply(struct fetcher *f, struct job *j, const struct exchange *x);

/* ---- refusal.c: failures as sentences */

void refuse_exchange(struct fetcher *f, struct job *j, const struct exchange *x);
/* For an answer whose status the step does not accept. */
void refuse_status(struct fetcher *f, struct job *j, const struct exchange *x);
/* The seconds to wait according to the server; 0 if unknown. */
uint64_t refusal_wait(const struct exchange *x);

#endif

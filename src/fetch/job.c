/*
 * job.c -- the life of a request: exchanges, redirects, retries, the answer.
 *
 * Redirects are followed here, so that this file alone decides what goes where: the token is sent to the endpoint's
 * origin only, and no redirect leads from https to http. Temporary failures (no connection, a stall, 429, 5xx) are
 * retried at growing intervals with jitter, up to TRIES times within PATIENCE.
 */
#include "fetch/answer.h"
#include "fetch/fetcher_internal.h"
#include "fetch/url.h"

#include "base/text.h"

#include <time.h>

enum {
    TRIES = 6,
    UNREACHED_TRIES = 4, /* a wrong name or no network: tell it soon */
    PATIENCE = 60000,    /* milliseconds from the last success to the last try */
    FIRST_PAUSE = 200,   /* milliseconds, doubled each time */
    LONGEST_PAUSE = 8000,
    HOPS = 8,       /* redirects of one request */
    RESOLUTIONS = 2 /* of a link that expired */
};
#define API_MOST UINT64_C(33554432) /* bytes of an answer of the Hub's API */

uint64_t job_now(void)
{
    struct timespec t = { 0 };
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000 + 1;
}

/* ---- ends --------------------------------------------------------------------------------- */

void job_fail(struct fetcher *f, struct job *j, enum fetch_kind kind, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    answer_error(&f->out, j->request.id, kind, format, args);
    va_end(args);
    j->done = true;
}

void job_broke(struct fetcher *f, struct job *j, const char *format, ...)
{
    char host[HOST_NAME], what[FETCH_SENTENCE];
    va_list args;
    va_start(args, format);
    text_formatv(what, sizeof what, format, args);
    va_end(args);
    job_fail(f, j, FETCH_BROKEN, "%s %s", host_of(host, j->url), what);
}

void job_done(struct fetcher *f, struct job *j, uint64_t size, numel_str etag, numel_str bytes)
{
    const struct answer a = { .kept = j->kept, .size = size, .etag = etag, .came = j->came };
    answer_ok(&f->out, j->request.id, &a, bytes);
    j->done = true;
}

void job_nomem(struct fetcher *f, struct job *j)
{
    job_fail(f, j, FETCH_BROKEN, "numel-fetch is out of memory");
}

const char *job_name(char out[JOB_NAME], const struct job *j)
{
    return text_bare(out, url_bare(j->request.url));
}

void job_free(struct fetcher *f, struct job *j)
{
    exchange_free(f->transport, j->exchange);
    if (j->has_cached) cache_entry_done(&j->cached);
    buffer_done(&j->lines);
    arena_done(&j->arena);
    memory_release(&memory_malloc, j);
}

/* ---- exchanges ---------------------------------------------------------------------------- */

bool job_may_ask(const struct fetcher *f, const char *url)
{
    struct url u;
    if (!url_split(&u, text_of(url))) return false;
    return u.secure || url_is_local(&u) || url_same_origin(text_of(url), f->config->endpoint);
}

/* The token goes to the endpoint only, and over plain http only within this machine. */
static const char *token_for(const struct fetcher *f, const char *url)
{
    struct url u;
    bool ours = url_same_origin(text_of(url), f->config->endpoint) && url_split(&u, text_of(url));
    return ours && (u.secure || url_is_local(&u)) ? f->config->token : NULL;
}

void job_go(struct fetcher *f, struct job *j, const char *url)
{
    char name[JOB_NAME];
    j->url = url;
    if (f->config->offline) {
        job_fail(f, j, FETCH_OFFLINE,
                 "%s is not in the cache, and the network is off (--offline, HF_HUB_OFFLINE)",
                 job_name(name, j));
        return;
    }
    struct exchange *x = exchange_new();
    if (!x) {
        job_nomem(f, j);
        return;
    }
    x->owner = j;
    x->url = url;
    x->token = token_for(f, url);
    x->most = API_MOST;
    if (j->step == STEP_FILE) read_request(j, x, url);
    j->exchange = x;
    if (!transport_send(f->transport, x)) job_nomem(f, j);
}

static bool is_redirect(const struct exchange *x)
{
    return x->redirect && x->status >= 301 && x->status <= 308 && x->status != 304;
}

static void follow(struct fetcher *f, struct job *j, const struct exchange *x)
{
    char host[HOST_NAME];
    struct url from, to;
    const char *target = arena_text(&j->arena, x->redirect, strlen(x->redirect));
    if (!target) {
        job_nomem(f, j);
    } else if (++j->hops > HOPS) {
        job_broke(f, j, "redirects more than %d times", HOPS);
    } else if (!job_may_ask(f, target) || !url_split(&from, text_of(j->url)) ||
               !url_split(&to, text_of(target)) || (from.secure && !to.secure)) {
        job_fail(f, j, FETCH_REFUSED, "%s redirects to a URL that is not https; that is not followed",
                 host_of(host, j->url));
    } else {
        if (j->step == STEP_FILE) read_redirect(j, x);
        job_go(f, j, target);
    }
}

/* True if the CDN rejects a signed link, which is then requested again. */
static bool is_expired(const struct job *j, const struct exchange *x)
{
    long s = x->status;
    return j->step == STEP_FILE && j->resolved < RESOLUTIONS &&
           (s == 400 || s == 401 || s == 403 || s == 404 || s == 410) &&
           !url_same_origin(text_of(j->url), text_of(j->start));
}

static void resolve_again(struct fetcher *f, struct job *j)
{
    j->resolved++;
    j->hops = 0;
    j->linked = (numel_str){ NULL, 0 };
    j->linked_size = SIZE_UNKNOWN;
    j->file->location = NULL;
    job_go(f, j, j->start);
}

/* ---- retries ------------------------------------------------------------------------------ */

static bool is_transient(const struct exchange *x)
{
    long s = x->status;
    if (x->end == EXCHANGE_ANSWERED) return s == 408 || s == 429 || (s >= 500 && s != 501 && s != 505);
    return x->end == EXCHANGE_UNREACHED || x->end == EXCHANGE_STALLED || x->end == EXCHANGE_CUT;
}

/* At least half of the pause, plus a random part, so that many clients do not return at the same time. */
static uint64_t pause_of(struct fetcher *f, const struct job *j)
{
    uint64_t pause = (uint64_t)FIRST_PAUSE << (j->tries < 8 ? j->tries : 8);
    pause = num_min(pause, LONGEST_PAUSE);
    f->random = f->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return pause / 2 + (f->random >> 33) % (pause / 2 + 1);
}

static void repeat(struct fetcher *f, struct job *j, const struct exchange *x)
{
    uint64_t pause = pause_of(f, j);
    if (x->end == EXCHANGE_ANSWERED) pause = num_max(pause, refusal_wait(x) * 1000);
    unsigned most = x->end == EXCHANGE_UNREACHED ? UNREACHED_TRIES : TRIES;
    if (++j->tries >= most || job_now() + pause > j->began + PATIENCE) refuse_exchange(f, j, x);
    else j->wake = job_now() + pause;
}

/* True for HTML in place of the Hub's JSON, or of the bytes of a file other than a web page. */
static bool is_page(const struct job *j, const struct exchange *x)
{
    char lower[16];
    numel_str type = text_upto(x->head[HEAD_CONTENT_TYPE], strlen("text/html"));
    return j->hub && x->status == 200 && text_equal(text_lower(lower, sizeof lower, type), "text/html") &&
           !text_ends(j->place.path, ".html");
}

/* ---- steps -------------------------------------------------------------------------------- */

void job_ended(struct fetcher *f, struct job *j, const struct exchange *x)
{
    numel_str coding = x->head[HEAD_CONTENT_ENCODING];
    j->came += x->came;
    if (is_transient(x)) {
        repeat(f, j, x);
    } else if (x->end != EXCHANGE_ANSWERED) {
        refuse_exchange(f, j, x);
    } else if (is_redirect(x)) {
        follow(f, j, x);
    } else if (is_expired(j, x)) {
        resolve_again(f, j);
    } else if (is_page(j, x)) {
        job_broke(
            f, j,
            "sends a web page instead: is it a hub (HF_ENDPOINT), or does the network ask for a login?");
    } else if (x->ranged && coding.n && !text_equal(coding, "identity")) {
        job_broke(f, j, "sends compressed bytes, which were not asked for");
    } else {
        j->tries = 0;
        j->began = job_now();
        switch (j->step) {
        case STEP_REVISION: hub_reply_revision(f, j, x); break;
        case STEP_TREE: hub_reply_tree(f, j, x); break;
        case STEP_FILE: read_reply(f, j, x); break;
        }
    }
}

/* ---- the beginning ------------------------------------------------------------------------ */

void job_begin(struct fetcher *f, struct job *j)
{
    char name[JOB_NAME];
    const char *url = j->request.url.p; /* NUL-terminated, by the arena */
    uint64_t end = 0;
    j->began = job_now();
    if (j->request.length > FETCH_READ_MAX || !num_add(&end, j->request.offset, j->request.length) ||
        end >= INT64_MAX)
        job_fail(f, j, FETCH_REFUSED, "more than 128 MiB in one request, or an offset above 2^63");
    else if (text_starts(j->request.url, "hf://")) hub_begin(f, j);
    else if (job_may_ask(f, url)) read_begin(f, j, url);
    else
        job_fail(f, j, FETCH_REFUSED, "%s is not a URL that is fetched: use https:// or hf://",
                 job_name(name, j));
}

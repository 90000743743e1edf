/*
 * refusal.c -- failures as sentences that say what to do.
 *
 * The Hub states the reason in X-Error-Code. Without a token it also answers 401 for things that do not exist, and
 * mirrors may only give a status. Sentences never repeat a server's text, nor the query of a URL, which may be
 * signed.
 */
#include "fetch/fetcher_internal.h"
#include "fetch/header.h"
#include "fetch/url.h"

#include "base/text.h"

const char *host_of(char out[HOST_NAME], const char *url)
{
    struct url u;
    return text_bare(out, url_split(&u, text_of(url)) ? u.host : text_of("the server"));
}

uint64_t refusal_wait(const struct exchange *x)
{
    uint64_t wait = x->status == 429 || x->status == 503 ? x->wait : 0;
    if (x->status == 429 && wait == 0) wait = header_limit_wait(x->head[HEAD_RATELIMIT]);
    return num_min(wait, 86400);
}

/* ---- without an answer -------------------------------------------------------------------- */

static void refuse_for_now(struct fetcher *f, struct job *j, const struct exchange *x)
{
    char host[HOST_NAME];
    uint64_t wait = refusal_wait(x);
    host_of(host, j->url);
    if (x->status == 429 && wait)
        job_fail(f, j, FETCH_LIMITED, "%s limits requests: try again in %" PRIu64 " seconds%s", host, wait,
                 j->hub && !f->config->token ? ", or set HF_TOKEN, which has a higher limit" : "");
    else if (x->status == 429)
        job_fail(f, j, FETCH_LIMITED, "%s limits requests: try again later, or with fewer --jobs", host);
    else job_broke(f, j, "fails with status %ld: try again later", x->status);
}

void refuse_exchange(struct fetcher *f, struct job *j, const struct exchange *x)
{
    char host[HOST_NAME];
    host_of(host, j->url);
    switch (x->end) {
    case EXCHANGE_ANSWERED: refuse_for_now(f, j, x); break;
    case EXCHANGE_UNREACHED:
        job_fail(f, j, FETCH_TIMEOUT, "%s cannot be reached: check its name, the network, and HTTPS_PROXY",
                 host);
        break;
    case EXCHANGE_STALLED:
        job_fail(f, j, FETCH_TIMEOUT,
                 "%s sends nothing for %" PRIu64 " seconds: try again, or set "
                 "HF_HUB_DOWNLOAD_TIMEOUT to more",
                 host, f->config->low);
        break;
    case EXCHANGE_CUT: job_broke(f, j, "ends the connection before its answer is complete"); break;
    case EXCHANGE_PROXY:
        job_fail(f, j, FETCH_DENIED, "the proxy refuses a connection to %s (status %ld)%s", host, x->status,
                 x->status == 407
                     ? ": it asks for a name and a password, HTTPS_PROXY=http://NAME:PASSWORD@HOST"
                     : ": check HTTPS_PROXY and NO_PROXY");
        break;
    case EXCHANGE_UNTRUSTED:
        job_fail(f, j, FETCH_BROKEN,
                 "the certificate of %s is not trusted: SSL_CERT_FILE names the file of those that are",
                 host);
        break;
    case EXCHANGE_EXPIRED:
        job_fail(f, j, FETCH_BROKEN, "the certificate of %s has expired: is the clock of this machine right?",
                 host);
        break;
    case EXCHANGE_MISNAMED:
        job_fail(f, j, FETCH_BROKEN, "the certificate of %s is for another host: check the name", host);
        break;
    case EXCHANGE_GARBLED: job_broke(f, j, "sends compressed bytes that cannot be unpacked"); break;
    case EXCHANGE_BROKEN: job_broke(f, j, "does not answer as a server of HTTP"); break;
    }
}

/* ---- the Hub ------------------------------------------------------------------------------ */

static void refuse_gated(struct fetcher *f, struct job *j)
{
    char endpoint[TEXT_QUOTE], repo[TEXT_QUOTE];
    text_bare(endpoint, f->config->endpoint);
    text_bare(repo, j->place.repo);
    job_fail(f, j, FETCH_GATED, "%s is gated: accept its licence at %s/%s, then %s", repo, endpoint, repo,
             f->config->token
                 ? "try again with a token of the same account, which may read gated repositories"
                 : "set HF_TOKEN to a token of the same account");
}

static void refuse_repo(struct fetcher *f, struct job *j)
{
    char host[HOST_NAME], repo[TEXT_QUOTE];
    job_fail(f, j, FETCH_ABSENT, "%s has no model %s, or it is private: check the name, or %s",
             host_of(host, j->url), text_bare(repo, j->place.repo),
             f->config->token ? "use a token that may read it" : "set HF_TOKEN to a token that may read it");
}

static void refuse_revision(struct fetcher *f, struct job *j)
{
    char repo[TEXT_QUOTE], rev[TEXT_QUOTE];
    job_fail(f, j, FETCH_ABSENT, "%s has no revision %s: name a branch, a tag or a commit",
             text_bare(repo, j->place.repo), text_quote(rev, j->place.rev));
}

static void refuse_file(struct fetcher *f, struct job *j)
{
    char repo[TEXT_QUOTE], path[TEXT_QUOTE], rev[TEXT_QUOTE];
    job_fail(f, j, FETCH_ABSENT, "%s has no file %s at %s", text_bare(repo, j->place.repo),
             text_quote(path, j->place.path), text_bare(rev, j->place.rev));
}

static void refuse_access(struct fetcher *f, struct job *j, const struct exchange *x)
{
    char host[HOST_NAME], name[JOB_NAME];
    host_of(host, j->url);
    job_name(name, j);
    if (text_equal(x->head[HEAD_ERROR_MESSAGE], "Access to this resource is disabled."))
        job_fail(f, j, FETCH_DENIED, "%s has disabled access to %s", host, name);
    else if (x->status == 401 && f->config->token)
        job_fail(f, j, FETCH_DENIED,
                 "%s does not accept the token: make another at its settings and set HF_TOKEN", host);
    else
        job_fail(f, j, FETCH_DENIED, "%s refuses access to %s (%ld): its token may lack the permission", host,
                 name, x->status);
}

static void refuse_hub(struct fetcher *f, struct job *j, const struct exchange *x)
{
    numel_str code = x->head[HEAD_ERROR_CODE];
    bool bad_token = text_equal(x->head[HEAD_ERROR_MESSAGE], "Invalid credentials in Authorization header");
    bool file = text_equal(code, "EntryNotFound");
    bool repo = !file && (text_equal(code, "RepoNotFound") || (x->status == 401 && !bad_token) ||
                          (x->status >= 404 && j->step != STEP_FILE));
    if (text_equal(code, "GatedRepo")) refuse_gated(f, j);
    else if (text_equal(code, "RevisionNotFound")) refuse_revision(f, j);
    else if (repo) refuse_repo(f, j);
    else if (file || x->status >= 404) refuse_file(f, j);
    else refuse_access(f, j, x);
}

void refuse_status(struct fetcher *f, struct job *j, const struct exchange *x)
{
    char host[HOST_NAME], name[JOB_NAME];
    bool asked = x->status == 401 || x->status == 403 || x->status == 404 || x->status == 410;
    host_of(host, j->url);
    job_name(name, j);
    if (asked && j->hub && url_same_origin(text_of(j->url), f->config->endpoint)) refuse_hub(f, j, x);
    else if (x->status == 451)
        job_fail(f, j, FETCH_DENIED, "%s may not give out %s, for legal reasons (status 451)", host, name);
    else if (asked && x->status >= 404)
        job_fail(f, j, FETCH_ABSENT, "%s does not exist (status %ld)", name, x->status);
    else if (asked)
        job_fail(f, j, FETCH_DENIED, "%s refuses access to %s (status %ld)", host, name, x->status);
    else job_broke(f, j, "answers with status %ld, which is not expected", x->status);
}

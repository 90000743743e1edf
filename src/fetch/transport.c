/* transport.c -- libcurl's multi interface: one handle per exchange, shared connections. */
#include "fetch/transport.h"

#include "fetch/protocol.h"

#include "base/text.h"

#include <curl/curl.h>

enum {
    HEADS_MOST = 131072, /* bytes of all headers of an exchange */
    REDIRECTION = 16384, /* bytes of an unwanted body that are read to keep the connection */
    SLOWEST = 256        /* bytes per second; below that, a transfer counts as stalled */
};

struct transport_private {
    CURL *easy;
    struct curl_slist *headers;
    size_t heads; /* bytes so far */
    bool headed;  /* the empty line after the head was seen */
    size_t unwanted;
};

struct transport {
    CURLM *multi;
    const struct config *config;
};

/* ---- opening ------------------------------------------------------------------------------ */

struct transport *transport_open(const struct config *c)
{
    struct transport *t = memory_resize(&memory_malloc, NULL, sizeof *t);
    if (!t) return NULL;
    *t = (struct transport){ .config = c };
    if (curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK) t->multi = curl_multi_init();
    if (!t->multi) {
        memory_release(&memory_malloc, t);
        return NULL;
    }
    curl_multi_setopt(t->multi, CURLMOPT_MAX_HOST_CONNECTIONS, (long)c->per_host);
    curl_multi_setopt(t->multi, CURLMOPT_MAXCONNECTS, (long)c->per_host * 2); /* of a hub and its CDN */
    return t;
}

void transport_close(struct transport *t)
{
    if (!t) return;
    curl_multi_cleanup(t->multi);
    curl_global_cleanup();
    memory_release(&memory_malloc, t);
}

struct exchange *exchange_new(void)
{
    struct exchange *x = memory_resize(&memory_malloc, NULL, sizeof *x);
    if (!x) return NULL;
    *x = (struct exchange){ 0 };
    arena_init(&x->arena, &memory_malloc);
    buffer_init(&x->body, &memory_malloc);
    x->private = arena_zeroed(&x->arena, sizeof *x->private);
    if (x->private) return x;
    exchange_free(NULL, x);
    return NULL;
}

void exchange_free(struct transport *t, struct exchange *x)
{
    if (!x) return;
    if (x->private && x->private->easy) {
        if (t) curl_multi_remove_handle(t->multi, x->private->easy);
        curl_easy_cleanup(x->private->easy);
        curl_slist_free_all(x->private->headers);
    }
    buffer_done(&x->body);
    arena_done(&x->arena);
    memory_release(&memory_malloc, x);
}

/* ---- answers ------------------------------------------------------------------------------ */

static const char *const names[HEAD_COUNT] = {
    [HEAD_CONTENT_ENCODING] = "content-encoding",
    [HEAD_CONTENT_LENGTH] = "content-length",
    [HEAD_CONTENT_RANGE] = "content-range",
    [HEAD_CONTENT_TYPE] = "content-type",
    [HEAD_ETAG] = "etag",
    [HEAD_LINK] = "link",
    [HEAD_RATELIMIT] = "ratelimit",
    [HEAD_ERROR_CODE] = "x-error-code",
    [HEAD_ERROR_MESSAGE] = "x-error-message",
    [HEAD_LINKED_ETAG] = "x-linked-etag",
    [HEAD_LINKED_SIZE] = "x-linked-size",
    [HEAD_TRANSFER_ENCODING] = "transfer-encoding",
};

static void keep_value(struct exchange *x, size_t which, numel_str value)
{
    while (value.n && (uint8_t)text_last(value) <= ' ') value = text_less(value, 1);
    while (value.n && (uint8_t)text_first(value) <= ' ') value = text_from(value, 1);
    for (size_t i = 0; i < value.n; i++)
        if ((uint8_t)value.p[i] < ' ' || value.p[i] == 0x7F) return;
    const char *copy = arena_text(&x->arena, value.p, value.n);
    if (copy && x->head[which].n == 0) x->head[which] = (numel_str){ copy, value.n };
}

/* A line of the head. A status line starts a new head, as after "100 Continue". */
static size_t on_header(char *line, size_t size, size_t count, void *of)
{
    struct exchange *x = of;
    char lower[32];
    numel_str rest = { line, size * count };
    x->private->heads += rest.n;
    if (x->private->heads > HEADS_MOST || x->arena.failed) return 0;
    if (text_starts(rest, "HTTP/"))
        for (size_t i = 0; i < HEAD_COUNT; i++) x->head[i] = (numel_str){ NULL, 0 };
    x->private->headed = rest.n <= 2; /* "\r\n" */
    numel_str name = text_cut(&rest, ':');
    if (name.n > sizeof lower) return size * count;
    name = text_lower(lower, sizeof lower, name);
    for (size_t i = 0; i < HEAD_COUNT; i++)
        if (text_equal(name, names[i])) keep_value(x, i, rest);
    return size * count;
}

/* Returning less than n ends the transfer. */
static size_t on_body(char *p, size_t size, size_t count, void *of)
{
    struct exchange *x = of;
    long status = 0;
    size_t n = size * count;
    curl_easy_getinfo(x->private->easy, CURLINFO_RESPONSE_CODE, &status);
    if (status != 200 && status != 206) {
        x->private->unwanted += n;
        x->over = x->private->unwanted > REDIRECTION;
        return x->over ? 0 : n;
    }
    size_t taken = (size_t)num_min(n, num_left(x->most, x->body.n));
    buffer_add(&x->body, p, taken);
    if (x->body.failed) return 0;
    x->over = taken < n;
    return taken;
}

/* By the verdict of OpenSSL: none, 0 or 1, if only the name is wrong, which libcurl itself compares. */
static enum exchange_end end_of_trust(const struct exchange *x)
{
    enum { EXPIRED = 10 }; /* X509_V_ERR_CERT_HAS_EXPIRED */
    long verdict = -1;
    curl_easy_getinfo(x->private->easy, CURLINFO_SSL_VERIFYRESULT, &verdict);
    return verdict == 0 || verdict == 1 ? EXCHANGE_MISNAMED
           : verdict == EXPIRED         ? EXCHANGE_EXPIRED
                                        : EXCHANGE_UNTRUSTED;
}

static enum exchange_end end_of(const struct exchange *x, CURLcode code)
{
    switch (code) {
    case CURLE_OK: return EXCHANGE_ANSWERED;
    case CURLE_WRITE_ERROR: return x->over ? EXCHANGE_ANSWERED : EXCHANGE_BROKEN;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SSL_CONNECT_ERROR: return EXCHANGE_UNREACHED;
    case CURLE_OPERATION_TIMEDOUT: return EXCHANGE_STALLED;
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return EXCHANGE_CUT;
    case CURLE_BAD_CONTENT_ENCODING: return EXCHANGE_GARBLED;
    case CURLE_PEER_FAILED_VERIFICATION: return end_of_trust(x);
    case CURLE_SSL_CACERT_BADFILE: return EXCHANGE_UNTRUSTED;
    default: return EXCHANGE_BROKEN;
    }
}

/* In HTTP/1 a body without a length and without chunks ends with the connection, as one that is cut does. */
static bool has_end(const struct exchange *x)
{
    long version = 0;
    curl_easy_getinfo(x->private->easy, CURLINFO_HTTP_VERSION, &version);
    return x->private->headed && (x->over || x->body.n == 0 || x->head[HEAD_CONTENT_LENGTH].n ||
                                  x->head[HEAD_TRANSFER_ENCODING].n || version >= CURL_HTTP_VERSION_2_0);
}

static void take_answer(struct exchange *x, CURLcode code)
{
    CURL *easy = x->private->easy;
    char *redirect = NULL;
    curl_off_t wait = 0, came = 0;
    long proxy = 0;
    x->end = end_of(x, code);
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &x->status);
    curl_easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &proxy);
    curl_easy_getinfo(easy, CURLINFO_REDIRECT_URL, &redirect);
    curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &wait);
    curl_easy_getinfo(easy, CURLINFO_SIZE_DOWNLOAD_T, &came);
    x->redirect = redirect ? arena_text(&x->arena, redirect, strlen(redirect)) : NULL;
    x->wait = wait > 0 ? (uint64_t)wait : 0;
    x->came = came > 0 ? (uint64_t)came : 0;
    if (proxy >= 300 && x->end != EXCHANGE_ANSWERED) x->end = EXCHANGE_PROXY, x->status = proxy;
    if (x->end == EXCHANGE_ANSWERED && x->status == 407) x->end = EXCHANGE_PROXY;
    if (x->end == EXCHANGE_ANSWERED && !has_end(x)) x->end = EXCHANGE_CUT;
    if (x->arena.failed || x->body.failed) x->end = EXCHANGE_BROKEN;
}

struct exchange *transport_next(struct transport *t)
{
    int left = 0;
    curl_multi_perform(t->multi, &left);
    for (CURLMsg *m = curl_multi_info_read(t->multi, &left); m; m = curl_multi_info_read(t->multi, &left)) {
        struct exchange *x = NULL;
        CURLcode code = m->data.result;
        if (m->msg != CURLMSG_DONE) continue;
        curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, (char **)&x);
        take_answer(x, code);
        curl_multi_remove_handle(t->multi, x->private->easy);
        return x;
    }
    return NULL;
}

/* ---- requests ----------------------------------------------------------------------------- */

/* "Name: value". Values have been checked: printable, without newlines. */
NUMEL_MUST static bool add_header(struct exchange *x, const char *name, const char *before, const char *value)
{
    const char *line = arena_format(&x->arena, "%s: %s%s", name, before, value);
    struct curl_slist *longer = line ? curl_slist_append(x->private->headers, line) : NULL;
    if (longer) x->private->headers = longer;
    return longer != NULL;
}

NUMEL_MUST static bool set_headers(struct exchange *x)
{
    const char *range = arena_format(&x->arena, "bytes=%" PRIu64 "-%" PRIu64, x->first, x->last);
    return range && (!x->ranged || add_header(x, "Accept-Encoding", "", "identity")) &&
           (!x->ranged || add_header(x, "Range", "", range)) &&
           (!x->token || add_header(x, "Authorization", "Bearer ", x->token)) &&
           (!x->if_range || add_header(x, "If-Range", "", x->if_range)) &&
           (!x->if_none_match || add_header(x, "If-None-Match", "", x->if_none_match));
}

static void set_protocols(CURL *easy)
{
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

static void set_network(CURL *easy, const struct config *c)
{
    set_protocols(easy);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, (long)c->connect);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, (long)SLOWEST);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, (long)c->low);
    if (c->ca_file) curl_easy_setopt(easy, CURLOPT_CAINFO, c->ca_file);
    if (c->ca_path) curl_easy_setopt(easy, CURLOPT_CAPATH, c->ca_path);
}

bool transport_send(struct transport *t, struct exchange *x)
{
    struct transport_private *p = x->private;
    p->easy = curl_easy_init();
    if (!p->easy || !set_headers(x)) return false;
    set_network(p->easy, t->config);
    if (text_starts(text_of(x->url), "https"))
        curl_easy_setopt(p->easy, CURLOPT_PIPEWAIT, 1L); /* it may be HTTP/2 */
    if (!x->ranged && (curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_LIBZ))
        curl_easy_setopt(p->easy, CURLOPT_ACCEPT_ENCODING, "gzip");
    curl_easy_setopt(p->easy, CURLOPT_USERAGENT, CONFIG_AGENT);
    curl_easy_setopt(p->easy, CURLOPT_HTTPHEADER, p->headers);
    curl_easy_setopt(p->easy, CURLOPT_PRIVATE, (char *)x);
    curl_easy_setopt(p->easy, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(p->easy, CURLOPT_HEADERDATA, x);
    curl_easy_setopt(p->easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(p->easy, CURLOPT_WRITEDATA, x);
    return curl_easy_setopt(p->easy, CURLOPT_URL, x->url) == CURLE_OK &&
           curl_multi_add_handle(t->multi, p->easy) == CURLM_OK;
}

void transport_wait(struct transport *t, int in, int out, unsigned milliseconds)
{
    struct curl_waitfd fds[2] = { { .fd = in, .events = CURL_WAIT_POLLIN },
                                  { .fd = out, .events = CURL_WAIT_POLLOUT } };
    unsigned reads = in >= 0, writes = out >= 0;
    curl_multi_poll(t->multi, reads ? fds : fds + 1, reads + writes, (int)milliseconds, NULL);
}

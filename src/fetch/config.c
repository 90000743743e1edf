/* config.c -- where the token, the endpoint and the cache come from, in order of precedence. */
#include "fetch/config.h"

#include "fetch/protocol.h"
#include "fetch/url.h"

#include "base/number.h"
#include "base/text.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- the environment ---------------------------------------------------------------------- */

/* NULL if unset or empty. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

static bool is_on(const char *name)
{
    char upper[8];
    const char *value = variable(name);
    return value && text_lists(text_of("1 on yes true"), text_lower(upper, sizeof upper, text_of(value)));
}

static uint64_t seconds(const char *name, uint64_t standard)
{
    uint64_t v = 0;
    const char *value = variable(name);
    return value && number_plain(text_of(value), &v) && v > 0 && v <= 3600 ? v : standard;
}

/* Joins a folder and a path; a leading ~ is the user's home. */
NUMEL_MUST static const char *path_below(struct arena *a, const char *dir, const char *rest)
{
    const char *home = variable("HOME");
    if (dir[0] == '~' && (dir[1] == '/' || !dir[1]) && home)
        return arena_format(a, "%s%s%s", home, dir + 1, rest);
    return arena_format(a, "%s%s", dir, rest);
}

NUMEL_MUST static const char *cache_home(struct arena *a, const char *rest)
{
    const char *xdg = variable("XDG_CACHE_HOME"), *home = variable("HOME");
    if (xdg && xdg[0] == '/') return path_below(a, xdg, rest);
    return home ? arena_format(a, "%s/.cache%s", home, rest) : NULL;
}

/* ---- the token ---------------------------------------------------------------------------- */

NUMEL_MUST static const char *token_path(struct arena *a)
{
    if (variable("HF_TOKEN_PATH")) return path_below(a, variable("HF_TOKEN_PATH"), "");
    if (variable("HF_HOME")) return path_below(a, variable("HF_HOME"), "/token");
    return cache_home(a, "/huggingface/token");
}

NUMEL_MUST static const char *token_of_file(struct arena *a)
{
    char text[4096];
    const char *path = token_path(a);
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text);
    if (fd >= 0) close(fd);
    return n > 0 ? arena_text(a, text, (size_t)n) : NULL;
}

/* Strips white space. A token with any other blank or control character could split a header. */
static void set_token(struct config *c, const char *text)
{
    numel_str rest = text ? text_of(text) : (numel_str){ NULL, 0 };
    while (rest.n && (uint8_t)text_first(rest) <= ' ') rest = text_from(rest, 1);
    while (rest.n && (uint8_t)text_last(rest) <= ' ') rest = text_less(rest, 1);
    for (size_t i = 0; i < rest.n; i++)
        if (rest.p[i] <= ' ' || rest.p[i] > '~')
            c->problem = "the token in HF_TOKEN or its file has blanks or characters that no token has";
    if (rest.n && !c->problem) c->token = arena_text(&c->arena, rest.p, rest.n);
}

static void read_token(struct config *c)
{
    const char *set = variable("HF_TOKEN") ? variable("HF_TOKEN") : variable("HUGGING_FACE_HUB_TOKEN");
    if (!is_on("HF_HUB_DISABLE_IMPLICIT_TOKEN")) set_token(c, set ? set : token_of_file(&c->arena));
}

/* ---- all of it ---------------------------------------------------------------------------- */

static void read_environment(struct config *c)
{
    struct url u;
    const char *endpoint = variable("HF_ENDPOINT");
    c->endpoint = text_of(endpoint ? endpoint : "https://huggingface.co");
    while (text_last(c->endpoint) == '/') c->endpoint = text_less(c->endpoint, 1);
    c->ca_file = variable("SSL_CERT_FILE");
    c->ca_path = variable("SSL_CERT_DIR");
    c->offline = is_on("HF_HUB_OFFLINE") || (!variable("HF_HUB_OFFLINE") && is_on("TRANSFORMERS_OFFLINE"));
    c->connect = seconds("HF_HUB_ETAG_TIMEOUT", 10);
    c->low = seconds("HF_HUB_DOWNLOAD_TIMEOUT", 10);
    c->jobs = 2 * FETCH_JOBS; /* a hub and its CDN */
    c->per_host = FETCH_JOBS;
    c->cache = cache_home(&c->arena, "/numel");
    read_token(c);
    if (!url_split(&u, c->endpoint) || url_bare(u.rest).n < u.rest.n)
        c->problem = "HF_ENDPOINT is not an http or https URL, as https://huggingface.co is";
}

static bool read_argument(struct config *c, const char *word, const char *value, int *used)
{
    numel_str w = text_of(word);
    *used = 1;
    if (text_equal(w, "--offline")) return c->offline = true;
    if (text_equal(w, "--help")) return c->help = true;
    if (text_equal(w, "--version")) return c->version = true;
    if (text_equal(w, "--no-cache")) {
        c->cache = NULL;
        return true;
    }
    *used = 2;
    if (!value) return false;
    if (text_equal(w, "--cache")) return *(c->cache = value) != 0;
    bool jobs = text_equal(w, "--jobs") && number_plain(text_of(value), &c->jobs);
    c->per_host = c->jobs;
    return jobs && c->jobs > 0 && c->jobs <= FETCH_JOBS_MAX;
}

bool config_read(struct config *c, int argc, char **argv)
{
    *c = (struct config){ 0 };
    arena_init(&c->arena, &memory_malloc);
    read_environment(c);
    for (int i = 1, used = 0; i < argc; i += used)
        if (!read_argument(c, argv[i], i + 1 < argc ? argv[i + 1] : NULL, &used)) return false;
    return !c->arena.failed;
}

void config_done(struct config *c) { arena_done(&c->arena); }

/*
 * fetch.c -- numel_options.read and .list by numel-fetch, the only program with a network. It is started for the
 * first path with a scheme, talked to through two pipes, and ended with this program.
 *
 * All requests of one call are in flight at once; numel-fetch limits itself. One loop writes requests and reads
 * answers, each into the place that its id names. The first error ends the call, and numel-fetch with it: answers
 * that are still on their way are nobody's.
 */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BUFFER = 64 << 10, PATH_MOST = 4096 };

/* An answer that is waited for: a range, or the bytes of a listing. */
struct awaited {
    const char *url;
    uint64_t most; /* bytes of its answer */
    void *place;   /* for them; NULL: made when their number is known */
    struct fetch_answer answer;
    uint64_t got;
    bool begun;
};

struct call {
    struct fetch *f;
    struct awaited *items;
    size_t count, done;
    char *out; /* requests, not yet written */
    size_t out_at, out_n;
    char in[BUFFER]; /* what was read and not yet used */
    size_t in_at, in_n;
    struct awaited *open; /* whose bytes come next */
    char sentence[FETCH_SENTENCE + 1];
    uint32_t first; /* its id */
    numel_error *error;
};

static void tell(numel_error *e, numel_rc code, const char *file, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void tell(numel_error *e, numel_rc code, const char *file, const char *format, ...)
{
    char text[FETCH_LINE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    *e = (numel_error){ .code = code, .offset = NUMEL_NOWHERE };
    numel_escape(e->what, sizeof e->what, text, strlen(text));
    snprintf(e->file, sizeof e->file, "%s", file ? file : "");
}

/* The same, with the system's reason. */
static void tell_errno(numel_error *e, const char *what, int number)
{
    char text[128] = "";
    if (strerror_r(number, text, sizeof text) != 0) snprintf(text, sizeof text, "error %d", number);
    tell(e, NUMEL_E_IO, NULL, "%s: %s", what, text);
}

/* ---- the program ---------------------------------------------------------------------------- */

/* Its arguments, without a token: that is in the environment or a file. */
struct arguments {
    char jobs[16];
    const char *words[6]; /* the last is NULL */
};
static void make_arguments(struct arguments *a, const struct options *o)
{
    const char **next = a->words;
    unsigned jobs = o->work.threads < FETCH_JOBS_MAX ? o->work.threads : FETCH_JOBS_MAX;
    snprintf(a->jobs, sizeof a->jobs, "%u", jobs);
    *next++ = "numel-fetch";
    if (jobs) *next++ = "--jobs", *next++ = a->jobs;
    if (o->offline) *next++ = "--offline";
    if (o->no_cache) *next++ = "--no-cache";
    *next = NULL;
}

static int spawn(struct fetch *f, const char *path, int in, int out)
{
    extern char **environ;
    struct arguments a;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t plain;
    make_arguments(&a, f->options);
    sigemptyset(&plain);
    sigaddset(&plain, SIGPIPE);
    sigaddset(&plain, SIGXFSZ);
    if (posix_spawn_file_actions_init(&actions) != 0) return ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) return posix_spawn_file_actions_destroy(&actions), ENOMEM;
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawnattr_setsigdefault(&attributes, &plain);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    int failed =
        posix_spawn(&f->pid, path, &actions, &attributes, (char *const *)(uintptr_t)a.words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

/* Next to this program, or where it is installed. */
static int spawn_any(struct fetch *f, int in, int out, char *path, size_t room)
{
    static const char *const places[] = { "numel-fetch", "../libexec/numel/numel-fetch" };
    const char *named = getenv("NUMEL_FETCH");
    int failed = ENOENT;
    if (named && named[0]) {
        snprintf(path, room, "%s", named);
        return spawn(f, path, in, out);
    }
    for (size_t i = 0; failed && i < sizeof places / sizeof *places; i++) {
        char own[PATH_MOST];
        ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
        while (n > 0 && own[n - 1] != '/') n--;
        own[n > 0 ? n : 0] = 0;
        snprintf(path, room, "%s%s", own, places[i]);
        failed = spawn(f, path, in, out);
    }
    return failed;
}

/* Two ends that programs started later do not get. */
static bool make_pipe(int ends[2])
{
    if (pipe(ends) != 0) return false;
    for (int i = 0; i < 2; i++) (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    return true;
}

NUMEL_MUST static bool start(struct fetch *f, numel_error *e)
{
    char path[PATH_MOST + 64] = "";
    int to[2], from[2];
    if (f->pid > 0) return true;
    f->shown = progress_shown(f->options);
    if (f->watch.pid <= 0) watch_begin(&f->watch, f->options);
    if (!make_pipe(to)) return tell_errno(e, "cannot start numel-fetch", errno), false;
    if (!make_pipe(from)) {
        close(to[0]), close(to[1]);
        return tell_errno(e, "cannot start numel-fetch", errno), false;
    }
    int failed = spawn_any(f, to[0], from[1], path, sizeof path);
    close(to[0]), close(from[1]);
    f->in = from[0], f->out = to[1];
    (void)fcntl(f->out, F_SETFL, O_NONBLOCK);
    if (!failed) return true;
    close(f->in), close(f->out);
    f->pid = 0;
    return tell(e, NUMEL_E_IO, NULL,
                failed == ENOENT ? "numel-fetch is not installed, the program that uses the network (%s)"
                                 : "cannot start numel-fetch (%s)",
                path),
           false;
}

static void stop(struct fetch *f)
{
    if (f->pid <= 0) return;
    close(f->out);
    close(f->in);
    kill(f->pid, SIGKILL);
    while (waitpid(f->pid, NULL, 0) < 0 && errno == EINTR) continue;
    f->pid = 0;
}

/* ---- answers -------------------------------------------------------------------------------- */

static void count(struct fetch *f, const struct awaited *w)
{
    f->fetched += w->answer.came;
    f->requests += !w->answer.kept || w->answer.came;
    f->kept += w->answer.kept ? w->got : 0;
}

NUMEL_MUST static bool end_answer(struct call *c, struct awaited *w)
{
    c->open = NULL;
    c->done++;
    if (w->answer.ok) return count(c->f, w), true;
    c->sentence[w->got] = 0;
    enum fetch_kind kind = w->answer.kind;
    numel_rc code = kind == FETCH_CHANGED  ? NUMEL_E_CHANGED
                    : kind == FETCH_ABSENT ? NUMEL_E_IO
                                           : NUMEL_E_NETWORK;
    return tell(c->error, code, w->url, "%s", c->sentence), false;
}

/* Accepts the line of an answer to one of our requests. */
NUMEL_MUST static bool take_line(struct call *c, const char *line, size_t n)
{
    struct fetch_answer a;
    if (!fetch_answer_read(&a, line, n) || a.id < c->first || a.id - c->first >= c->count) return false;
    struct awaited *w = &c->items[a.id - c->first];
    if (w->begun || (a.ok && a.length > w->most)) return false;
    if (a.ok && !w->place) w->place = malloc(a.length + 1);
    if (a.ok && !w->place) return false;
    w->begun = true;
    w->answer = a;
    c->open = w;
    return a.length > 0 || end_answer(c, w);
}

/* Takes what has come of an answer's bytes. */
NUMEL_MUST static bool take_bytes(struct call *c, struct awaited *w)
{
    size_t left = c->in_n - c->in_at, want = (size_t)(w->answer.length - w->got),
           n = left < want ? left : want;
    char *to = w->answer.ok ? w->place : c->sentence;
    memcpy(to + w->got, c->in + c->in_at, n);
    w->got += n;
    c->in_at += n;
    return w->got < w->answer.length || end_answer(c, w);
}

/* Uses the bytes that were read: lines, and what follows them. */
NUMEL_MUST static bool use(struct call *c)
{
    while (c->in_at < c->in_n) {
        if (c->open) {
            if (!take_bytes(c, c->open)) return false;
            continue;
        }
        const char *p = c->in + c->in_at, *end = memchr(p, '\n', c->in_n - c->in_at);
        if (!end) return c->in_n - c->in_at <= FETCH_LINE;
        if (!take_line(c, p, (size_t)(end - p))) return false;
        c->in_at += (size_t)(end - p) + 1;
    }
    return true;
}

/* ---- the loop ------------------------------------------------------------------------------- */

NUMEL_MUST static bool write_some(struct call *c)
{
    ssize_t n = write(c->f->out, c->out + c->out_at, c->out_n - c->out_at);
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    c->out_at += (size_t)n;
    return true;
}

NUMEL_MUST static bool read_some(struct call *c)
{
    size_t left = c->in_n - c->in_at;
    memmove(c->in, c->in + c->in_at, left);
    c->in_at = 0;
    c->in_n = left;
    ssize_t n = read(c->f->in, c->in + left, sizeof c->in - left);
    if (n < 0 && errno == EINTR) return true;
    if (n <= 0) return tell(c->error, NUMEL_E_IO, NULL, "numel-fetch ended before it answered"), false;
    c->in_n += (size_t)n;
    if (use(c)) return true;
    if (c->error->code != NUMEL_OK) return false;
    return tell(c->error, NUMEL_E_IO, NULL, "numel-fetch gave an answer that breaks its protocol: ended it"),
           false;
}

static void show(struct call *c)
{
    if (!c->f->shown) return;
    progress_bar(&c->f->started, c->done, c->count, "fetching");
}

NUMEL_MUST static bool converse(struct call *c)
{
    show(c); /* starts its clock */
    while (c->done < c->count) {
        size_t before = c->done;
        bool writes = c->out_at < c->out_n;
        struct pollfd p[2] = { { .fd = c->f->in, .events = POLLIN }, { .fd = c->f->out, .events = POLLOUT } };
        if (poll(p, writes ? 2 : 1, -1) < 0) {
            if (errno == EINTR) continue;
            return tell_errno(c->error, "cannot wait for numel-fetch", errno), false;
        }
        if (p[0].revents && !read_some(c)) return false;
        if (writes && p[1].revents && !write_some(c))
            return tell(c->error, NUMEL_E_IO, NULL, "numel-fetch ended before it answered"), false;
        if (c->done != before) show(c);
    }
    return true;
}

/* Sends the requests, and waits for all answers. */
NUMEL_MUST static bool run(struct call *c)
{
    c->error->code = NUMEL_OK;
    if (!start(c->f, c->error)) return false;
    c->f->next = c->first + (uint32_t)c->count;
    if (converse(c)) return true;
    if (c->f->shown) progress_bar(&c->f->started, c->count, c->count, "fetching"); /* wipes it */
    stop(c->f);
    return false;
}

/* ---- the library's functions ---------------------------------------------------------------- */

NUMEL_MUST static numel_rc read_ranges(void *ctx, numel_range *ranges, size_t n, numel_error *e)
{
    struct call *c = calloc(1, sizeof *c);
    struct awaited *items = calloc(n + 1, sizeof *items);
    FILE *requests = NULL;
    if (c && items) {
        *c = (struct call){ .f = ctx, .items = items, .count = n, .error = e };
        c->first = c->f->next;
        requests = open_memstream(&c->out, &c->out_n);
    }
    for (size_t i = 0; requests && i < n; i++) {
        const numel_range *g = &ranges[i];
        items[i] = (struct awaited){ .url = g->url, .most = g->length, .place = g->bytes };
        fprintf(requests, "read %lu %llu %llu %s %s\n", (unsigned long)(c->first + i),
                (unsigned long long)g->offset, (unsigned long long)g->length, g->pin ? g->pin : "-", g->url);
    }
    bool ok =
        requests && fclose(requests) == 0 ? run(c) : (tell(e, NUMEL_E_NOMEM, NULL, "out of memory"), false);
    for (size_t i = 0; ok && i < n; i++) {
        ranges[i].got = items[i].got;
        ranges[i].whole = items[i].answer.size;
        ranges[i].came = items[i].answer.came;
        ranges[i].kept = items[i].answer.kept;
        snprintf(ranges[i].etag, sizeof ranges[i].etag, "%s", items[i].answer.etag);
    }
    if (c) free(c->out);
    free(items);
    free(c);
    return ok ? NUMEL_OK : e->code;
}

/* Hands on the lines of a listing. */
NUMEL_MUST static bool give_lines(char *p, size_t n, numel_remote_file_fn *file, void *ctx)
{
    const char *commit = NULL;
    for (char *end, *stop_at = p + n; p < stop_at; p = end + 1) {
        struct fetch_listed x;
        end = memchr(p, '\n', (size_t)(stop_at - p));
        if (!end) return false;
        *end = 0;
        if (!fetch_listed_read(&x, p, (size_t)(end - p))) return false;
        if (x.commit) commit = strcmp(x.commit, "-") != 0 ? x.commit : NULL;
        const numel_remote_file one = {
            .size = sizeof one, .path = x.path, .sha256 = x.sha256, .etag = x.etag, .bytes = x.bytes
        };
        if (!file(ctx, commit, x.commit ? NULL : &one)) return true;
    }
    return true;
}

NUMEL_MUST static numel_rc list_files(void *ctx, const char *url, numel_remote_file_fn *file, void *file_ctx,
                                      numel_error *e)
{
    struct fetch *f = ctx;
    struct awaited one = { .url = url, .most = FETCH_LIST_MAX };
    char request[FETCH_LINE];
    struct call *c = calloc(1, sizeof *c);
    if (!c) return tell(e, NUMEL_E_NOMEM, NULL, "out of memory"), e->code;
    *c = (struct call){ .f = f, .items = &one, .count = 1, .first = f->next, .error = e, .out = request };
    snprintf(request, sizeof request, "list %lu %s\n", (unsigned long)f->next, url);
    c->out_n = strlen(request);
    bool ok = request[c->out_n - 1] == '\n' ? run(c)
                                            : (tell(e, NUMEL_E_USAGE, url, "is too long for a URL"), false);
    if (ok && one.place && !give_lines(one.place, (size_t)one.got, file, file_ctx))
        ok = (tell(e, NUMEL_E_IO, url, "numel-fetch gave a listing that breaks its protocol"), false);
    if (!ok) stop(f);
    free(one.place);
    free(c);
    return ok ? NUMEL_OK : e->code;
}

void fetch_lend(struct fetch *f, struct options *o)
{
    *f = (struct fetch){ .options = o, .next = 1 };
    o->library.read = read_ranges;
    o->library.list = list_files;
    o->library.remote_ctx = f;
}

void fetch_end(struct fetch *f)
{
    stop(f);
    watch_end(&f->watch);
    fflush(stdout); /* output_close() reports a failure */
    if ((!f->requests && !f->kept) || f->options->style.format == NUMEL_QUIET) return;
    char kept[64] = "";
    if (f->kept) snprintf(kept, sizeof kept, ", %llu from the cache", (unsigned long long)f->kept);
    say("numel: %llu bytes fetched in %llu request%s%s", (unsigned long long)f->fetched,
        (unsigned long long)f->requests, f->requests == 1 ? "" : "s", kept);
}

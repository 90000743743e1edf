/*
 * main.c -- numel-fetch: the program with the network, started by numel (protocol.h, numel-fetch(1)).
 *
 * One loop: lines from stdin become jobs, answers go to stdout, and it waits for whichever
 * descriptor is ready. stdout does not block, so that a slow parent does not stop the transfers.
 */
#include "fetch/fetcher.h"

#include "fetch/protocol.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

enum { STATUS_OK = 0, STATUS_USAGE = 2, STATUS_BROKEN = 3 };

static const char usage[] =
    "usage: numel-fetch [--jobs N] [--offline] [--cache DIR | --no-cache]\n"
    "Started by numel, for hf:// and https://. Requests on stdin, answers on stdout:\n"
    "numel-fetch(1).\n";

static void write_text(int fd, const char *text)
{
    ssize_t n = write(fd, text, strlen(text));
    if (n < 0) errno = 0; /* there is nowhere to report it */
}

/* ---- input -------------------------------------------------------------------------------- */

/* Each complete line becomes a request. False if a line is not a request. */
NUMEL_MUST static bool take_lines(struct fetcher *f, struct buffer *in)
{
    size_t used = 0;
    for (size_t end = text_find(buffer_view(in), 0, '\n'); end < in->n;
         end = text_find(buffer_view(in), used, '\n')) {
        if (end - used >= FETCH_LINE || !fetcher_line(f, text_slice(buffer_view(in), used, end)))
            return false;
        used = end + 1;
    }
    buffer_drop_start(in, used);
    return in->n < FETCH_LINE && !in->failed;
}

/* *open becomes false at the end of the input. False if a line is not a request, or on a read error. */
NUMEL_MUST static bool take_input(struct fetcher *f, struct buffer *in, bool *open)
{
    char block[65536];
    struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
    if (!*open || poll(&p, 1, 0) <= 0) return true;
    ssize_t n = read(STDIN_FILENO, block, sizeof block);
    if (n < 0) return errno == EINTR || errno == EAGAIN;
    *open = n > 0;
    buffer_add(in, block, (size_t)n);
    return take_lines(f, in) && (*open || in->n == 0);
}

/* ---- output ------------------------------------------------------------------------------- */

/* Writes what the pipe takes. `sent`: bytes of `out` that are written already. False if the reader is gone. */
NUMEL_MUST static bool give_output(struct buffer *out, size_t *sent)
{
    struct pollfd p = { .fd = STDOUT_FILENO, .events = POLLOUT };
    if (poll(&p, 1, 0) > 0 && (p.revents & (POLLERR | POLLNVAL))) return false;
    while (*sent < out->n) {
        numel_str rest = text_from(buffer_view(out), *sent);
        ssize_t n = write(STDOUT_FILENO, rest.p, rest.n);
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) return true;
        if (n <= 0) return false;
        *sent += (size_t)n;
    }
    buffer_drop(out, out->n);
    *sent = 0;
    return true;
}

static int serve(struct fetcher *f)
{
    struct buffer in, *out = fetcher_out(f);
    size_t sent = 0;
    int status = STATUS_OK;
    bool open = true;
    buffer_init(&in, &memory_malloc);
    for (;;) {
        if (!take_input(f, &in, &open)) status = STATUS_USAGE;
        unsigned wait = fetcher_turn(f);
        if (out->failed || !give_output(out, &sent)) status = STATUS_BROKEN;
        if (status != STATUS_OK || (!open && fetcher_idle(f) && out->n == 0)) break;
        transport_wait(fetcher_transport(f), open ? STDIN_FILENO : -1, out->n ? STDOUT_FILENO : -1, wait);
    }
    buffer_done(&in);
    return status;
}

/* ---- the program -------------------------------------------------------------------------- */

static int run(const struct config *c)
{
    struct fetcher *f = fetcher_new(c);
    int status = f ? serve(f) : STATUS_BROKEN;
    fetcher_free(f);
    return status;
}

int main(int argc, char **argv)
{
    struct config c;
    int status = STATUS_OK;
    signal(SIGPIPE, SIG_IGN);
    if (!config_read(&c, argc, argv)) {
        write_text(STDERR_FILENO, usage);
        status = STATUS_USAGE;
    } else if (c.help) {
        write_text(STDOUT_FILENO, usage);
    } else if (c.version) {
        write_text(STDOUT_FILENO, CONFIG_AGENT "\n");
    } else {
        int flags = fcntl(STDOUT_FILENO, F_GETFL);
        if (flags >= 0) fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK);
        status = run(&c);
    }
    config_done(&c);
    return status;
}

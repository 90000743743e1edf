/*
 * watch.c -- a process that outlives this program, to remove what it leaves behind.
 *
 * Copies of remote files are in a private folder, which the library removes. A signal ends this program before that,
 * wherever it is, and nothing in a signal handler could remove a folder. The watcher waits for the end of a pipe that
 * this program holds open: it ends with the program, however that ends.
 */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    DESCRIPTORS = 4096, /* more than a program has that fetches */
    PATIENCE = 5000     /* milliseconds */
};

/* Signals from a terminal go to the program's group, which is not this one's. Of the program's descriptors it keeps
 * none: neither the lock of the folder, nor the output that someone reads to its end. */
static void keep_watch(int end, pid_t program, const numel_options *options)
{
    char none;
    for (int fd = 0; fd < DESCRIPTORS; fd++)
        if (fd != end) close(fd);
    while (read(end, &none, 1) < 0 && errno == EINTR) continue;
    /* the system closes the pipe before it has released the lock, but all is released when this process is orphaned */
    for (int i = 0; i < PATIENCE && getppid() == program; i++) (void)poll(NULL, 0, 1);
    numel_sweep(options);
    _exit(0);
}

void watch_begin(struct watch *w, const struct options *o)
{
    int ends[2];
    *w = (struct watch){ .pid = 0 };
    if (pipe(ends) != 0) return;
    for (int i = 0; i < 2; i++) (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    const pid_t own = getpid();
    w->pid = fork();
    if (w->pid >= 0) (void)setpgid(w->pid, 0); /* here and there: whichever comes first */
    if (w->pid == 0) keep_watch(ends[0], own, &o->library);
    close(ends[0]);
    w->pipe = ends[1];
    if (w->pid < 0) close(ends[1]);
}

void watch_end(struct watch *w)
{
    if (w->pid <= 0) return;
    kill(w->pid, SIGKILL); /* nothing is left to remove */
    while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR) continue;
    close(w->pipe);
    w->pid = 0;
}

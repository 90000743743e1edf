/*
 * guard.c -- the SIGBUS handler.
 *
 * A signal's action belongs to the process, so this file has the library's only state outside objects: how
 * many guards run or hold it (the first installs the handler, the last restores the previous one), and each
 * thread's innermost guard. A SIGBUS not covered by a guard of its thread goes to the previous handler, or
 * kills the process as it would have without us.
 */
#define _XOPEN_SOURCE 700 /* SA_ONSTACK */
#include "source/guard.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

struct guard {
    struct guard *outer;
    uintptr_t base;
    uint64_t size;
    sigjmp_buf back;
};

static _Thread_local struct guard *volatile innermost;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned running;
static struct sigaction before;

static void on_sigbus(int number, siginfo_t *info, void *context)
{
    struct guard *g = innermost;
    uintptr_t at = (uintptr_t)info->si_addr;
    while (g && (at < g->base || at - g->base >= g->size)) g = g->outer;
    if (g) siglongjmp(g->back, 1);
    if (before.sa_flags & SA_SIGINFO) before.sa_sigaction(number, info, context);
    else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) before.sa_handler(number);
    else signal(number, SIG_DFL); /* the load runs again and ends the process */
}

void guard_hold(void)
{
    /* SA_ONSTACK: goroutines run on small stacks, and the Go runtime gives each thread one for signals. */
    struct sigaction ours = { .sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK };
    sigemptyset(&ours.sa_mask);
    pthread_mutex_lock(&lock);
    if (running++ == 0) sigaction(SIGBUS, &ours, &before);
    pthread_mutex_unlock(&lock);
}

void guard_release(void)
{
    pthread_mutex_lock(&lock);
    if (--running == 0) sigaction(SIGBUS, &before, NULL);
    pthread_mutex_unlock(&lock);
}

bool guard_run(const void *base, uint64_t size, bool (*body)(void *ctx), void *ctx, numel_error *e)
{
    struct guard g;
    volatile bool ok = false;
    g.outer = innermost;
    g.base = (uintptr_t)base;
    g.size = size + 4096; /* a mapping's last page is complete */
    guard_hold();
    if (sigsetjmp(g.back, 0) == 0) {
        innermost = &g;
        ok = body(ctx);
    } else {
        error_clear(e);
        error_set(e, NUMEL_E_CHANGED, NUMEL_NOWHERE, "the file shrank while it was being read");
    }
    innermost = g.outer;
    guard_release();
    return ok;
}

/*
 * peak.c -- measures what a command uses, from outside: peak RESULT SECONDS COMMAND ARG...
 *
 * Runs the command once, with our input and outputs and at most SECONDS of processor time. Writes into the
 * file RESULT: its status (as a shell: 128 plus the number of a signal), its peak resident set in
 * kilobytes, its processor time in milliseconds. This is a separate program because the kernel counts
 * memory that was resident before exec: the child of an interpreter starts with the interpreter's size.
 */
#define _DEFAULT_SOURCE /* wait4 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long ms_of(struct timeval t) { return (long)t.tv_sec * 1000 + (long)t.tv_usec / 1000; }

static void child(rlim_t seconds, char **command)
{
    struct rlimit most = { seconds, seconds + 1 };
    setrlimit(RLIMIT_CPU, &most);
    execvp(command[0], command);
    perror(command[0]);
    _exit(127);
}

int main(int argc, char **argv)
{
    struct rusage used;
    int status;
    if (argc < 4) {
        fputs("usage: peak RESULT SECONDS COMMAND ARG...\n", stderr);
        return 2;
    }
    pid_t pid = fork();
    if (pid == 0) child((rlim_t)atol(argv[2]), argv + 3);
    if (pid < 0 || wait4(pid, &status, 0, &used) != pid) {
        perror("peak");
        return 2;
    }
    FILE *f = fopen(argv[1], "w");
    if (!f) {
        perror(argv[1]);
        return 2;
    }
    fprintf(f, "%d %ld %ld\n", WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
            (long)used.ru_maxrss, ms_of(used.ru_utime) + ms_of(used.ru_stime));
    return fclose(f) == 0 ? 0 : 2;
}

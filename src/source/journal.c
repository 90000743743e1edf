/*
 * journal.c -- a file of records that is read once and then appended to.
 *
 * The open descriptor decides whether it is ours, so the file that is checked is the one that is written.
 * O_APPEND puts each record after what another process may have added.
 */
#include "source/journal.h"

#include "base/fixed.h"
#include "base/border.h"
#include "source/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 30 };

/* With half a first line the file would be refused forever. */
NUMEL_MUST static bool begin(struct journal *j, const char *first, size_t n, numel_error *e)
{
    ssize_t wrote = write(j->descriptor, first, n);
    if (wrote == (ssize_t)n) return true;
    int why = wrote < 0 ? errno : ENOSPC;
    bool undone = ftruncate(j->descriptor, 0) == 0;
    return error_errno(e, undone ? "cannot write" : "cannot write, and cannot undo what was written", why);
}

NUMEL_MUST static bool read_all(struct journal *j, const char *first, numel_error *e)
{
    struct stat st;
    size_t n = strlen(first);
    if (fstat(j->descriptor, &st) != 0) return error_errno(e, "cannot read", errno);
    if (!S_ISREG(st.st_mode) || st.st_size > MOST_BYTES)
        return error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "cannot save progress: not a file that you own");
    j->size = (size_t)st.st_size;
    if (j->size == 0) return begin(j, first, n, e);
    j->text = memory_resize(j->memory, NULL, j->size);
    if (!j->text) return error_nomem(e);
    if (pread(j->descriptor, j->text, j->size, 0) != (ssize_t)j->size)
        return error_errno(e, "cannot read", errno);
    return (j->size >= n && memcmp(j->text, first, n) == 0) ||
           error_set(e, NUMEL_E_FORMAT, 0, "was not written by --resume: left unchanged");
}

bool journal_open(struct journal *j, const char *path, const char *first, const numel_allocator *m,
                  numel_error *e)
{
    *j = (struct journal){ .memory = m, .descriptor = -1 };
    if (!path) return true;
    j->descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0600);
    bool ok = j->descriptor >= 0 ? read_all(j, first, e) : error_errno(e, "cannot open", errno);
    error_file(e, path);
    if (!ok) journal_close(j);
    return ok;
}

static void stop(struct journal *j)
{
    int why = errno;
    close(j->descriptor);
    j->descriptor = -1;
    errno = why;
}

void journal_close(struct journal *j)
{
    if (journal_keeps(j)) stop(j);
    memory_release(j->memory, j->text);
    *j = (struct journal){ .memory = j->memory, .descriptor = -1 };
}

bool journal_append(struct journal *j, const void *p, size_t n)
{
    if (!journal_keeps(j)) return false;
    if (write(j->descriptor, p, n) == (ssize_t)n) return true;
    stop(j); /* e.g. the disk is full */
    return false;
}

/* ---- for programs ------------------------------------------------------------------------- */

/* One number for the paths, the same from any working directory: FNV-1a over their real paths. */
static uint64_t number_of(const char *const *paths, size_t n, struct arena *a)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++) {
        const char *real = path_real(a, paths[i]);
        for (const char *p = real ? real : paths[i]; *p; p++) h = (h ^ (uint8_t)*p) * 0x100000001b3u;
        h = (h ^ 0xff) * 0x100000001b3u;
    }
    return h;
}

numel_rc numel_resume_place(char *out, size_t size, const char *folder, const char *const *paths,
                            size_t count, const numel_options *options, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    numel_options own;
    struct arena arena;
    error_clear(e);
    if (!border_options(&own, options, e)) return e->code;
    arena_init(&arena, own.allocator);
    struct fixed path = fixed_of(out, size);
    fixed_format(&path, "%s/%016" PRIx64 ".resume", folder, number_of(paths, count, &arena));
    if (arena.failed) error_nomem(e);
    else if (path.cut) error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "the path is too long");
    else if (!path_make_folders(out, 0700))
        error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "its folder cannot be created");
    arena_done(&arena);
    return e->code;
}

void numel_resume_remove(const char *path) { (void)unlink(path); }

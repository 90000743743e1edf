/* resume.c -- see resume.h. */
#include "content/resume.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char first[] = "# numel-resume 1\n";
enum { FIRST = sizeof first - 1, MOST_BYTES = 1 << 30 };

/* ---- reading ------------------------------------------------------------------------------ */

numel_str resume_word(numel_str *s)
{
    size_t n = 0;
    while (n < s->n && s->p[n] != ' ' && s->p[n] != '\n') n++;
    numel_str word = { s->p, n };
    n += n < s->n;
    *s = (numel_str){ s->p + n, s->n - n };
    return word;
}

bool resume_number(numel_str *s, uint64_t *v)
{
    numel_str word = resume_word(s);
    *v = 0;
    for (size_t i = 0; i < word.n; i++)
        if (word.p[i] < '0' || word.p[i] > '9' || !num_mul(v, *v, 10) ||
            !num_add(v, *v, (uint64_t)(word.p[i] - '0')))
            return false;
    return word.n > 0;
}

/* The head of a record at s, which is moved behind it. */
static bool read_head(numel_str *s, struct resume_record *out, uint64_t *lines)
{
    numel_str kind = resume_word(s);
    uint64_t v[7];
    for (int i = 0; i < 7; i++)
        if (!resume_number(s, &v[i])) return false;
    *out = (struct resume_record){ .kind = kind.n == 1 ? kind.p[0] : 0 };
    out->identity = (struct file_identity){ v[0],          v[1],          v[2],         (int64_t)v[3],
                                            (int64_t)v[4], (int64_t)v[5], (int64_t)v[6] };
    return kind.n == 1 && resume_number(s, lines);
}

static bool add_record(struct resume *r, const struct resume_record *record, numel_error *e)
{
    void *p = r->records;
    if (!memory_grow(r->memory, &p, &r->cap, r->count + 1, sizeof *r->records, e)) return false;
    r->records = p;
    r->records[r->count++] = *record;
    return true;
}

/* What is broken off at the end, or anywhere, ends the reading: the rest is done again. */
static bool read_records(struct resume *r, numel_error *e)
{
    numel_str s = { r->text + FIRST, r->size - FIRST };
    while (s.n) {
        struct resume_record record;
        uint64_t lines;
        if (!read_head(&s, &record, &lines)) return true;
        record.begin = (size_t)(s.p - r->text);
        for (; lines && s.n; lines--) {
            const char *end = memchr(s.p, '\n', s.n);
            size_t n = end ? (size_t)(end - s.p) + 1 : s.n + 1;
            if (n > s.n) return true;
            s = (numel_str){ s.p + n, s.n - n };
        }
        record.end = (size_t)(s.p - r->text);
        if (lines) return true;
        if (!add_record(r, &record, e)) return false;
    }
    return true;
}

static bool read_all(struct resume *r, numel_error *e)
{
    struct stat st;
    if (fstat(r->descriptor, &st) != 0) return error_errno(e, "cannot read", errno);
    r->size = (size_t)st.st_size;
    if (!S_ISREG(st.st_mode) || st.st_size > MOST_BYTES)
        return error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "cannot keep what is done: is not a file of ours");
    if (r->size == 0)
        return write(r->descriptor, first, FIRST) == FIRST || error_errno(e, "cannot write", errno);
    r->text = memory_resize(r->memory, NULL, r->size);
    if (!r->text) return error_nomem(e);
    if (pread(r->descriptor, r->text, r->size, 0) != (ssize_t)r->size)
        return error_errno(e, "cannot read", errno);
    if (r->size < FIRST || memcmp(r->text, first, FIRST) != 0)
        return error_set(e, NUMEL_E_FORMAT, 0, "is not what --resume writes: it is left as it is");
    return read_records(r, e);
}

bool resume_open(struct resume *r, const char *path, const numel_allocator *m, numel_error *e)
{
    *r = (struct resume){ .memory = m, .path = path, .descriptor = -1 };
    if (!path) return true;
    r->descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0600);
    bool ok = r->descriptor >= 0 ? read_all(r, e) : error_errno(e, "cannot open", errno);
    error_file(e, path);
    if (!ok) resume_close(r);
    return ok;
}

void resume_close(struct resume *r)
{
    if (r->descriptor >= 0) close(r->descriptor);
    memory_release(r->memory, r->text);
    memory_release(r->memory, r->records);
    *r = (struct resume){ .memory = r->memory, .descriptor = -1 };
}

/* The newest counts. */
bool resume_find(const struct resume *r, enum resume_kind kind, const struct file_identity *is,
                 numel_str *lines)
{
    for (size_t i = r->count; i-- > 0;) {
        const struct resume_record *record = &r->records[i];
        if (record->kind != (char)kind || !identity_same(&record->identity, is)) continue;
        *lines = (numel_str){ r->text + record->begin, record->end - record->begin };
        return true;
    }
    return false;
}

/* ---- writing ------------------------------------------------------------------------------ */

static size_t count_lines(const struct buffer *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->n; i++) n += b->p[i] == '\n';
    return n;
}

void resume_note(struct resume *r, enum resume_kind kind, const struct file_identity *is,
                 const struct buffer *lines)
{
    struct buffer b;
    if (r->descriptor < 0) return;
    buffer_init(&b, r->memory);
    buffer_format(&b, "%c %" PRIu64 " %" PRIu64 " %" PRIu64, (char)kind, is->device, is->inode, is->bytes);
    buffer_format(&b, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %zu\n", (uint64_t)is->written,
                  (uint64_t)is->written_ns, (uint64_t)is->changed, (uint64_t)is->changed_ns,
                  count_lines(lines));
    buffer_add(&b, lines->p, lines->n);
    bool ok = !b.failed && !lines->failed;
    if (ok && write(r->descriptor, b.p, b.n) != (ssize_t)b.n) { /* the disk is full, say: no more */
        close(r->descriptor);
        r->descriptor = -1;
    }
    buffer_done(&b);
}

/* resume.c -- records of finished work: read from a journal's text, and composed for it. */
#include "content/resume.h"

#include "base/number.h"
#include "base/text.h"

#include <string.h>

static const char first[] = "# numel-resume 1\n";
enum { FIRST = sizeof first - 1 };

/* ---- reading ------------------------------------------------------------------------------ */

numel_str resume_word(numel_str *s)
{
    size_t n = 0;
    while (n < s->n && s->p[n] != ' ' && s->p[n] != '\n') n++;
    numel_str word = { s->p, n };
    n += n < s->n;
    *s = text_from(*s, n);
    return word;
}

bool resume_number(numel_str *s, uint64_t *v) { return number_plain(resume_word(s), v); }

bool resume_identity(numel_str *s, struct file_identity *out)
{
    uint64_t v[7];
    for (int i = 0; i < 7; i++)
        if (!resume_number(s, &v[i])) return false;
    *out = (struct file_identity){ v[0],          v[1],          v[2],         (int64_t)v[3],
                                   (int64_t)v[4], (int64_t)v[5], (int64_t)v[6] };
    return true;
}

/* Reads the head of a record at s, and moves s past it. */
static bool read_head(numel_str *s, struct resume_record *out, uint64_t *lines)
{
    numel_str kind = resume_word(s);
    *out = (struct resume_record){ .kind = text_first(kind) };
    return resume_identity(s, &out->identity) && kind.n == 1 && resume_number(s, lines);
}

NUMEL_MUST static bool add_record(struct resume *r, const struct resume_record *record, numel_error *e)
{
    if (!memory_grow(r->memory, &r->records, &r->cap, r->count + 1, sizeof *r->records, e)) return false;
    r->records[r->count++] = *record;
    return true;
}

/* Reading ends at the first broken record: the rest is done again. */
NUMEL_MUST static bool read_records(struct resume *r, numel_error *e)
{
    numel_str s = text_from((numel_str){ r->journal.text, r->journal.size }, FIRST);
    while (s.n) {
        struct resume_record record;
        uint64_t lines;
        if (!read_head(&s, &record, &lines)) return true;
        record.begin = (size_t)(s.p - r->journal.text);
        for (; lines && s.n; lines--) {
            const char *end = memchr(s.p, '\n', s.n);
            size_t n = end ? (size_t)(end - s.p) + 1 : s.n + 1;
            if (n > s.n) return true;
            s = text_from(s, n);
        }
        record.end = (size_t)(s.p - r->journal.text);
        if (lines) return true;
        if (!add_record(r, &record, e)) return false;
    }
    return true;
}

bool resume_open(struct resume *r, const char *path, const numel_allocator *m, numel_error *e)
{
    *r = (struct resume){ .memory = m };
    bool ok = journal_open(&r->journal, path, first, m, e) && (!r->journal.text || read_records(r, e));
    error_file(e, path ? path : "");
    if (!ok) resume_close(r);
    return ok;
}

void resume_close(struct resume *r)
{
    journal_close(&r->journal);
    memory_release(r->memory, r->records);
    r->records = NULL;
    r->count = r->cap = 0;
}

/* Newest first. */
bool resume_find(const struct resume *r, enum resume_kind kind, const struct file_identity *is,
                 numel_str *lines)
{
    for (size_t i = r->count; i-- > 0;) {
        const struct resume_record *record = &r->records[i];
        if (record->kind != (char)kind || !identity_same(&record->identity, is)) continue;
        *lines = text_span(r->journal.text + record->begin, r->journal.text + record->end);
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

void resume_put_identity(struct buffer *b, const struct file_identity *is)
{
    buffer_format(b, "%" PRIu64 " %" PRIu64 " %" PRIu64, is->device, is->inode, is->bytes);
    buffer_format(b, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, (uint64_t)is->written,
                  (uint64_t)is->written_ns, (uint64_t)is->changed, (uint64_t)is->changed_ns);
}

void resume_note(struct resume *r, enum resume_kind kind, const struct file_identity *is,
                 const struct buffer *lines)
{
    struct buffer b;
    if (!journal_keeps(&r->journal)) return;
    buffer_init(&b, r->memory);
    buffer_format(&b, "%c ", (char)kind);
    resume_put_identity(&b, is);
    buffer_format(&b, " %zu\n", count_lines(lines));
    buffer_add(&b, lines->p, lines->n);
    if (!b.failed && !lines->failed) (void)journal_append(&r->journal, b.p, b.n);
    buffer_done(&b);
}

/* list_resume.c -- reads lines of JSON with the strict scanner, and keeps the few values that totals need. */
#include "reporter/list_resume.h"

#include "base/hash.h"
#include "base/json_scan.h"
#include "base/text.h"
#include "source/lines.h"

#include <stdio.h>
#include <stdlib.h>

struct reading {
    struct list_resume *resume;
    struct arena arena; /* of one line */
    struct json_scan scan;
    struct done_row row;
    numel_str path, id;
    bool ours;
};

/* ---- one line ----------------------------------------------------------------------------- */

NUMEL_MUST static bool read_text(struct reading *g, numel_str *out)
{
    struct json_text text;
    return json_string(&g->scan, &text) && json_unescape(&g->scan, &g->arena, text, out);
}

/* A number, or null. */
NUMEL_MUST static bool read_number(struct reading *g, uint64_t *out)
{
    if (json_peek(&g->scan) == 'n') return json_word(&g->scan, "null");
    return json_u64(&g->scan, out, "a number");
}

NUMEL_MUST static bool read_state(struct reading *g)
{
    numel_str word;
    if (!read_text(g, &word)) return false;
    for (unsigned s = NUMEL_STATE_UNKNOWN; s <= NUMEL_STATE_DAMAGED; s++)
        if (text_equal(word, numel_state_name((numel_state)s))) g->row.state = (uint8_t)s;
    return true;
}

NUMEL_MUST static bool read_schema(struct reading *g)
{
    numel_str word;
    if (!read_text(g, &word)) return false;
    g->row.failed = text_equal(word, "numel.error/1");
    g->ours = g->row.failed || text_equal(word, "numel.list/1");
    return true;
}

NUMEL_MUST static bool read_counts(struct reading *g)
{
    struct json_text key;
    if (!json_open(&g->scan, '{')) return false;
    while (json_more(&g->scan, '}')) {
        if (!json_key(&g->scan, &key)) return false;
        bool ok = text_equal(key.raw, "parameters") ? read_number(g, &g->row.parameters)
                  : text_equal(key.raw, "stored")   ? read_number(g, &g->row.stored)
                                                    : json_skip(&g->scan);
        if (!ok) return false;
    }
    return json_ok(&g->scan);
}

NUMEL_MUST static bool read_files(struct reading *g, uint32_t *out)
{
    uint64_t n = 0;
    if (!read_number(g, &n)) return false;
    *out = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
    return true;
}

NUMEL_MUST static bool read_value(struct reading *g, numel_str key)
{
    if (text_equal(key, "schema")) return read_schema(g);
    if (text_equal(key, "path")) return read_text(g, &g->path);
    if (text_equal(key, "id")) return read_text(g, &g->id);
    if (text_equal(key, "verdict")) return read_state(g);
    if (text_equal(key, "counts")) return read_counts(g);
    if (text_equal(key, "bytes")) return read_number(g, &g->row.bytes);
    if (text_equal(key, "disk_bytes")) return read_number(g, &g->row.disk);
    if (text_equal(key, "repeated_bytes")) return read_number(g, &g->row.repeated);
    if (text_equal(key, "repeated_files")) return read_files(g, &g->row.shared);
    return text_equal(key, "files") ? read_files(g, &g->row.files) : json_skip(&g->scan);
}

/* Reads a line. False if it is not a row; *e is set if it is malformed. */
NUMEL_MUST static bool read_line(struct reading *g, numel_str line, numel_error *e)
{
    struct json_text key;
    const uint64_t no = NUMEL_NOT_KNOWN;
    json_start(&g->scan, line.p, line.n, 0, e);
    g->row = (struct done_row){ .bytes = no, .disk = no, .parameters = no, .stored = no };
    g->path = g->id = (numel_str){ NULL, 0 };
    g->ours = false;
    if (!json_open(&g->scan, '{')) return false;
    while (json_more(&g->scan, '}'))
        if (!json_key(&g->scan, &key) || !read_value(g, key.raw)) return false;
    return json_finish(&g->scan) && g->ours && g->path.p;
}

/* ---- keys --------------------------------------------------------------------------------- */

/* The key of a path as JSON shows it. If JSON had to replace bytes, the id is added to tell such paths
 * apart. */
static uint64_t key_of(const struct list_resume *r, numel_str path, numel_str id)
{
    uint64_t h = hash_bytes(path.p, path.n, r->seed);
    return text_holds(path, text_of("\xef\xbf\xbd")) ? h ^ hash_bytes(id.p, id.n, ~r->seed) : h;
}

static int by_key(const void *a, const void *b)
{
    const struct done_row *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1) : 0;
}

/* Keeps one row per path. qsort() may reorder equal keys, but these rows describe the same file. */
static void drop_repeated(struct list_resume *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++)
        if (i + 1 == r->count || r->rows[i].key != r->rows[i + 1].key) r->rows[kept++] = r->rows[i];
    r->count = kept;
}

bool list_resume_find(struct list_resume *r, const char *path, uint64_t id, struct done_row **out,
                      numel_error *e)
{
    char digits[24];
    numel_str text = text_of(path);
    struct done_row wanted = { 0 };
    *out = NULL;
    if (!r->count) return true;
    size_t n = text_format(digits, sizeof digits, "%016" PRIx64, id);
    r->text.n = 0;
    for (size_t i = 0; i < text.n;) {
        unsigned length = text_sequence((const uint8_t *)text.p + i, text_from(text, i).n, NULL);
        if (length) buffer_add(&r->text, text.p + i, length);
        else buffer_add(&r->text, "\xef\xbf\xbd", 3);
        i += length ? length : 1;
    }
    if (r->text.failed) return error_nomem(e);
    wanted.key = key_of(r, buffer_view(&r->text), (numel_str){ digits, (size_t)n });
    *out = bsearch(&wanted, r->rows, r->count, sizeof wanted, by_key);
    return true;
}

/* ---- the file ----------------------------------------------------------------------------- */

NUMEL_MUST static bool add_row(struct list_resume *r, struct reading *g, numel_error *e)
{
    void *p = r->rows;
    if (!memory_grow(r->memory, &p, &r->cap, r->count + 1, sizeof *r->rows, e)) return false;
    r->rows = p;
    g->row.key = key_of(r, g->path, g->id);
    r->rows[r->count++] = g->row;
    return true;
}

NUMEL_MUST static bool read_lines(struct list_resume *r, struct lines *lines, numel_error *e)
{
    struct reading g = { .resume = r };
    const char *line;
    bool any = false, ok = true;
    arena_init(&g.arena, r->memory);
    while (ok && (ok = lines_next(lines, &line, e)) && line) {
        numel_error why = { .code = NUMEL_OK };
        size_t n = strlen(line);
        any |= n && line[0] != '{';
        if (!n || !lines->whole) continue; /* a truncated line is redone, even if it is valid JSON */
        arena_reset(&g.arena);
        any = true;
        if (read_line(&g, (numel_str){ line, n }, &why)) ok = add_row(r, &g, e);
        else if (why.code == NUMEL_E_NOMEM) ok = error_nomem(e);
    }
    arena_done(&g.arena);
    return ok && (r->count || !any ||
                  error_set(e, NUMEL_E_FORMAT, 0, "no line of it is one that a list with --json writes"));
}

bool list_resume_open(struct list_resume *r, const char *path, bool mend, const numel_allocator *m,
                      numel_error *e)
{
    struct lines lines;
    *r = (struct list_resume){ .memory = m };
    buffer_init(&r->text, m);
    if (!path || lines_absent(path)) return true;
    if (!lines_open(&lines, path, false, m, e)) return false;
    r->seed = hash_seed(lines.text.p) ^ hash_seed(r);
    bool ok = read_lines(r, &lines, e) && (!mend || lines_mend(&lines, path, e));
    lines_close(&lines);
    error_file(e, path);
    if (ok && r->count) qsort(r->rows, r->count, sizeof *r->rows, by_key);
    if (ok) drop_repeated(r);
    else list_resume_done(r);
    return ok;
}

void list_resume_done(struct list_resume *r)
{
    buffer_done(&r->text);
    memory_release(r->memory, r->rows);
    r->rows = NULL;
    r->count = 0;
}

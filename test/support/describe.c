/*
 * describe.c -- builds a model from a text, one directive per line.
 *
 *     file NAME                    model.safetensors, or x.gguf
 *     gguf [2|3] [big]             the other format; must precede any kv
 *     meta KEY TEXT                safetensors __metadata__
 *     kv TYPE KEY VALUE            u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 bool string; [TYPE] takes
 *                                  words. A string is the rest of the line
 *     strings KEY N PERIOD PREFIX  N strings that repeat every PERIOD (0: never)
 *     numbers TYPE KEY N VALUE     N times the same number
 *     tensor NAME TYPE DIM...      outermost first; NAME may hold {0..31} {q,k,v} {0..2,7}, the
 *                                  first set varies slowest
 *     for VAR SET / end            repeats its lines for each item, with {VAR} replaced
 *     choose NAME SET YES NO       defines NAME:item as a type: YES for items of SET, else NO
 *     shard N | shard size BYTES | shard tensors N      shard digits N: digits of the total in the name
 *     unsorted                     keep the order of the text (safetensors)
 *     noindex                      no model.safetensors.index.json
 *     expect tensors|elements|bytes N                   else mkhead fails; bytes of the tensors
 *     expect whole N               bytes of all files, headers included
 *
 * `#` starts a comment line. Numbers may have commas.
 */
#include "draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 16, NAME_MAX_BYTES = 4096 };

struct choice {
    struct choice *next;
    const char *name, *set, *yes, *no;
};

struct script {
    struct draft *model;
    char **lines;
    size_t count;
    struct choice *choices;
    size_t at; /* for error messages */
    const char *path;
};

_Noreturn static void bad(const struct script *s, const char *what)
{
    die("%s:%zu: %s", s->path, s->at + 1, what);
}

static uint64_t number(const struct script *s, const char *word)
{
    uint64_t v = 0;
    if (!*word) bad(s, "a number is missing");
    for (; *word; word++) {
        if (*word == ',') continue;
        if (*word < '0' || *word > '9' || v > (UINT64_MAX - 9) / 10) bad(s, "not a number");
        v = v * 10 + (uint64_t)(*word - '0');
    }
    return v;
}

/* ---- sets: 0..3,6,q ----------------------------------------------------------------------- */

struct set {
    const char *p, *end;
    uint64_t low, high; /* the range in progress; empty if low > high */
};

static struct set set_of(const char *p, size_t n)
{
    return (struct set){ .p = p, .end = p + n, .low = 1, .high = 0 };
}

/* Reads the next item into word[NAME_MAX_BYTES]. */
static bool set_next(struct set *s, char *word)
{
    if (s->low > s->high) {
        if (s->p >= s->end) return false;
        const char *comma = memchr(s->p, ',', (size_t)(s->end - s->p));
        const char *stop = comma ? comma : s->end;
        int n = (int)(stop - s->p);
        snprintf(word, NAME_MAX_BYTES, "%.*s", n, s->p);
        s->p = comma ? comma + 1 : s->end;
        if (sscanf(word, "%" SCNu64 "..%" SCNu64, &s->low, &s->high) != 2) {
            s->low = 1, s->high = 0;
            return true;
        }
        if (s->low > s->high) return set_next(s, word);
    }
    snprintf(word, NAME_MAX_BYTES, "%" PRIu64, s->low++);
    return true;
}

static bool set_has(const char *set, const char *item)
{
    char word[NAME_MAX_BYTES];
    struct set s = set_of(set, strlen(set));
    while (set_next(&s, word))
        if (!strcmp(word, item)) return true;
    return false;
}

/* ---- tensors ------------------------------------------------------------------------------ */

static const struct kind *type_of(const struct script *s, const char *word)
{
    const char *colon = strchr(word, ':');
    if (colon) {
        const struct choice *c = s->choices;
        while (c && strncmp(c->name, word, (size_t)(colon - word) + 1)) c = c->next;
        if (!c) bad(s, "no such choice");
        word = set_has(c->set, colon + 1) ? c->yes : c->no;
    }
    const struct kind *kind = kind_find(word, s->model->gguf);
    if (!kind) bad(s, "unknown type");
    return kind;
}

struct shape {
    const struct kind *kind;
    uint64_t dims[MODEL_DIMS];
    unsigned ndim;
};

/* Adds a tensor for each combination of the sets in the name. */
static void expand(struct script *s, const char *name, const struct shape *shape)
{
    const char *open = strchr(name, '{'), *close = open ? strchr(open, '}') : NULL;
    if (!close) {
        draft_add(s->model, name, shape->kind, shape->dims, shape->ndim);
        return;
    }
    char item[NAME_MAX_BYTES], *made = must(malloc(3 * NAME_MAX_BYTES));
    struct set set = set_of(open + 1, (size_t)(close - open - 1));
    while (set_next(&set, item)) {
        snprintf(made, 3 * NAME_MAX_BYTES, "%.*s%s%s", (int)(open - name), name, item, close + 1);
        expand(s, made, shape);
    }
    free(made);
}

static void do_tensor(struct script *s, char **w, unsigned n, const char *rest)
{
    (void)rest;
    struct shape shape = { .kind = type_of(s, w[2]) };
    if (n - 3 > MODEL_DIMS) bad(s, "too many dimensions");
    for (unsigned i = 3; i < n; i++) shape.dims[shape.ndim++] = number(s, w[i]);
    expand(s, w[1], &shape);
}

/* ---- the other directives ----------------------------------------------------------------- */

static const char *keep(struct script *s, const char *text)
{
    return must(arena_text(&s->model->arena, text, strlen(text)));
}

static void do_file(struct script *s, char **w, unsigned n, const char *rest)
{
    (void)n, (void)rest;
    s->model->file = keep(s, w[1]);
}

static void do_gguf(struct script *s, char **w, unsigned n, const char *rest)
{
    (void)rest;
    if (s->model->kv_count) bad(s, "gguf must precede kv");
    s->model->gguf = true;
    for (unsigned i = 1; i < n; i++) {
        if (!strcmp(w[i], "big")) s->model->big_endian = true;
        else s->model->version = (uint32_t)number(s, w[i]);
    }
}

/* The rest of the line after its first `skip` words. */
static const char *after(const char *line, unsigned skip)
{
    while (skip--) {
        line += strspn(line, " ");
        line += strcspn(line, " ");
    }
    return line + strspn(line, " ");
}

static void do_meta(struct script *s, char **w, unsigned n, const char *line)
{
    (void)n;
    struct buffer *b = &s->model->meta;
    if (b->n) buffer_char(b, ',');
    text_json(b, text_of(w[1]));
    buffer_char(b, ':');
    text_json(b, text_of(after(line, 2)));
}

static void do_kv(struct script *s, char **w, unsigned n, const char *line)
{
    (void)n;
    gguf_value(s->model, w[1], w[2], after(line, 3));
}

static void do_strings(struct script *s, char **w, unsigned n, const char *line)
{
    (void)n;
    gguf_strings(s->model, w[1], number(s, w[2]), number(s, w[3]), after(line, 4));
}

static void do_numbers(struct script *s, char **w, unsigned n, const char *line)
{
    (void)n, (void)line;
    gguf_numbers(s->model, w[1], w[2], number(s, w[3]), w[4]);
}

static void do_choose(struct script *s, char **w, unsigned n, const char *line)
{
    (void)n, (void)line;
    struct choice *c = must(arena_alloc(&s->model->arena, sizeof *c));
    *c = (struct choice){ s->choices, must(arena_format(&s->model->arena, "%s:", w[1])), keep(s, w[2]),
                          keep(s, w[3]), keep(s, w[4]) };
    s->choices = c;
}

static void do_shard(struct script *s, char **w, unsigned n, const char *line)
{
    (void)line;
    if (n == 2) s->model->shard_count = number(s, w[1]);
    else if (!strcmp(w[1], "size")) s->model->shard_bytes = number(s, w[2]);
    else if (!strcmp(w[1], "tensors")) s->model->shard_tensors = number(s, w[2]);
    else if (!strcmp(w[1], "digits")) s->model->digits = (unsigned)number(s, w[2]);
    else bad(s, "shard needs N, size or tensors");
}

static void do_flag(struct script *s, char **w, unsigned n, const char *line)
{
    (void)n, (void)line;
    if (w[0][0] == 'u') s->model->unsorted = true;
    if (w[0][0] == 'n') s->model->no_index = true;
}

static void do_expect(struct script *s, char **w, unsigned n, const char *line)
{
    (void)n, (void)line;
    struct expected *e = &s->model->expected;
    uint64_t v = number(s, w[2]);
    if (!strcmp(w[1], "tensors")) e->tensors = v;
    else if (!strcmp(w[1], "elements")) e->elements = v;
    else if (!strcmp(w[1], "bytes")) e->bytes = v;
    else if (!strcmp(w[1], "whole")) e->whole = v;
    else bad(s, "expect what?");
}

typedef void directive(struct script *, char **words, unsigned n, const char *line);
/* clang-format off */
static const struct {
    const char *name;
    unsigned least; /* number of words, the directive's own included */
    directive *run;
} directives[] = {
    { "tensor", 3, do_tensor },   { "file", 2, do_file },     { "gguf", 1, do_gguf },
    { "meta", 3, do_meta },       { "kv", 4, do_kv },         { "strings", 5, do_strings },
    { "numbers", 5, do_numbers }, { "choose", 5, do_choose }, { "shard", 2, do_shard },
    { "unsorted", 1, do_flag },   { "noindex", 1, do_flag },  { "expect", 3, do_expect },
};
/* clang-format on */

static unsigned split(char *line, char **words)
{
    unsigned n = 0;
    char *save = NULL;
    for (char *w = strtok_r(line, " ", &save); w && n < WORDS; w = strtok_r(NULL, " ", &save)) words[n++] = w;
    return n;
}

static void run_line(struct script *s, const char *line)
{
    char *copy = must(strdup(line)), *words[WORDS];
    unsigned n = split(copy, words);
    if (n > 0 && words[0][0] != '#') {
        size_t i = 0, all = sizeof directives / sizeof *directives;
        while (i < all && strcmp(directives[i].name, words[0])) i++;
        if (i == all) bad(s, "unknown directive");
        if (n < directives[i].least) bad(s, "too few words");
        directives[i].run(s, words, n, line);
    }
    free(copy);
}

/* ---- loops -------------------------------------------------------------------------------- */

static bool starts(const char *line, const char *word)
{
    line += strspn(line, " ");
    size_t n = strlen(word);
    return !strncmp(line, word, n) && (line[n] == ' ' || !line[n]);
}

/* `line` with every {var} replaced; the caller frees it. */
static char *replace(const char *line, const char *var, const char *item)
{
    struct buffer b;
    buffer_init(&b, &memory_malloc);
    size_t n = strlen(var);
    while (*line) {
        if (line[0] == '{' && !strncmp(line + 1, var, n) && line[n + 1] == '}') {
            buffer_text(&b, item);
            line += n + 2;
        } else {
            buffer_char(&b, *line++);
        }
    }
    buffer_char(&b, '\0');
    if (b.failed) die("out of memory");
    return b.p;
}

static void run(struct script *s, char **lines, size_t count, size_t first);

static void repeat(struct script *s, char **lines, size_t count, size_t first)
{
    char *copy = must(strdup(lines[0])), *words[WORDS], item[NAME_MAX_BYTES];
    if (split(copy, words) != 3) bad(s, "for VAR SET");
    struct set set = set_of(words[2], strlen(words[2]));
    char **body = must(calloc(count, sizeof *body));
    while (set_next(&set, item)) {
        for (size_t i = 1; i < count; i++) body[i] = replace(lines[i], words[1], item);
        run(s, body + 1, count - 1, first + 1);
        for (size_t i = 1; i < count; i++) free(body[i]);
    }
    free(body);
    free(copy);
}

static void run(struct script *s, char **lines, size_t count, size_t first)
{
    for (size_t i = 0; i < count; i++) {
        s->at = first + i;
        if (!starts(lines[i], "for")) {
            run_line(s, lines[i]);
            continue;
        }
        size_t end = i, depth = 0;
        do {
            if (end == count) bad(s, "for without end");
            if (starts(lines[end], "for")) depth++;
            if (starts(lines[end], "end")) depth--;
            end++;
        } while (depth);
        repeat(s, lines + i, end - 1 - i, first + i);
        i = end - 1;
    }
}

static void add_line(struct script *s, size_t *cap, char *line)
{
    numel_error e = { .code = NUMEL_OK };
    void *all = s->lines;
    if (!memory_grow(&memory_malloc, &all, cap, s->count + 1, sizeof *s->lines, &e)) die("out of memory");
    s->lines = all;
    s->lines[s->count++] = line;
}

void draft_describe(struct draft *m, const char *path, char **extra, size_t extras)
{
    size_t n, cap = 0;
    char *text = file_read(path, &n);
    struct script s = { .model = m, .path = path };
    for (char *line = text; line && *line;) {
        char *next = strchr(line, '\n');
        if (next) *next++ = '\0';
        add_line(&s, &cap, line);
        line = next;
    }
    for (size_t i = 0; i < extras; i++) add_line(&s, &cap, extra[i]);
    run(&s, s.lines, s.count, 0);
    free(s.lines);
    free(text);
}

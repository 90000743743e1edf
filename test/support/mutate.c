/* mutate.c -- see mutate.h. */
#include "mutate.h"

#include "draft.h"

#include "formula/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const mutate_spec_kinds[] = { "lin", "norm", "emb", "raw", "buf", "bn", NULL };

enum { DEPTH = 64 };

/* A line of the current file; a oneof records where its current alternative began. */
struct walk {
    struct mutants *all;
    const char *file;
    numel_str text;
    const char *const *kinds;
    struct parser words; /* current line: lex_word() uses its at and end */
    const char *start;
    uint32_t number;
    struct open {
        bool oneof;
        const char *from; /* after its line */
        const char *line; /* `oneof` or `or` */
        uint32_t number;
        unsigned before; /* number of finished alternatives */
    } open[DEPTH];
    unsigned depth;
};

/* ---- making one ------------------------------------------------------------------------------- */

/* The line without its comment, runs of blanks as one. */
static const char *plain_line(struct walk *w, const char *start)
{
    const char *stop = memchr(start, '\n', (size_t)(w->text.p + w->text.n - start));
    struct parser p = { .at = start, .end = stop ? stop : w->text.p + w->text.n };
    struct buffer b;
    numel_str word;
    buffer_init(&b, &memory_malloc);
    while (lex_word(&p, &word)) {
        if (b.n) buffer_char(&b, ' ');
        buffer_add(&b, word.p, word.n);
    }
    const char *line = must(arena_text(&w->all->arena, b.p ? b.p : "", b.n));
    buffer_done(&b);
    return line;
}

static void add(struct walk *w, numel_str what, numel_str span, const char *before, const char *after)
{
    numel_error e = { .code = NUMEL_OK };
    struct mutants *all = w->all;
    void *items = all->items;
    if (!memory_grow(&memory_malloc, &items, &all->cap, all->count + 1, sizeof *all->items, &e))
        die("%s", e.what);
    all->items = items;
    const char *inside = before[0] ? must(arena_text(&all->arena, span.p, span.n)) : "";
    all->items[all->count++] = (struct mutant){
        .file = w->file,
        .what = must(arena_text(&all->arena, what.p, what.n)),
        .line = plain_line(w, w->start),
        .number = w->number,
        .at = (size_t)(span.p - w->text.p),
        .length = span.n,
        .with = must(arena_format(&all->arena, "%s%s%s", before, inside, after)),
    };
}

static void negate(struct walk *w, const char *what, numel_str span)
{
    add(w, text_of(what), span, "!(", ")");
}

static void one_more(struct walk *w, const char *what, unsigned which, numel_str span)
{
    char name[32];
    snprintf(name, sizeof name, "%s %u", what, which);
    add(w, text_of(which ? name : what), span, "(", ")+1");
}

/* ---- tensor lines ----------------------------------------------------------------------------- */

static void gguf_dims(struct walk *w, numel_str list)
{
    unsigned which = 0;
    if (list.n < 2) return;
    const char *at = list.p + 1, *end = list.p + list.n - 1;
    for (int deep = 0; at < end; at++) {
        const char *from = at;
        for (; at < end && (deep || *at != ','); at++)
            deep += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
        one_more(w, "gguf dim", ++which, (numel_str){ from, (size_t)(at - from) });
    }
}

/* False if the word is not a size. */
static bool attribute(struct walk *w, numel_str word)
{
    static const char *const negated[] = { "if", "bias", "tied", "affine" };
    const char *sign = memchr(word.p, '=', word.n);
    if (text_equal(word, "opt") || text_equal(word, "T")) return add(w, word, word, "", ""), true;
    if (text_equal(word, "int") || text_equal(word, "any")) return true; /* cases have shapes but no types */
    size_t key = sign ? (size_t)(sign - word.p) : 0;
    numel_str value = { word.p + key + 1, word.n - key - 1 };
    for (size_t i = 0; key && i < sizeof negated / sizeof *negated; i++)
        if (text_same((numel_str){ word.p, key }, text_of(negated[i])))
            return negate(w, negated[i], value), true;
    if (key == 4 && !memcmp(word.p, "gguf", 4)) return gguf_dims(w, value), true;
    if (key == 5 && !memcmp(word.p, "stack", 5)) return one_more(w, "stack", 0, value), true;
    return key == 2 && !memcmp(word.p, "of", 2);
}

static void tensor_line(struct walk *w)
{
    numel_str word, whole = { w->start, (size_t)(w->words.end - w->start) };
    unsigned which = 0;
    add(w, text_of("delete"), whole, "", "");
    for (unsigned i = 0; i < 3; i++) lex_word(&w->words, &word); /* role, names */
    while (lex_word(&w->words, &word))
        if (!attribute(w, word)) one_more(w, "dim", ++which, word);
}

/* ---- blocks ----------------------------------------------------------------------------------- */

/* The rest of the line: a condition, if any. */
static void condition(struct walk *w)
{
    numel_str word;
    if (!lex_word(&w->words, &word)) return;
    const char *from = word.p, *end = word.p + word.n;
    while (lex_word(&w->words, &word)) end = word.p + word.n;
    negate(w, "condition", (numel_str){ from, (size_t)(end - from) });
}

/* The first line of an alternative, since `or` alone would not identify a line. */
static const char *first_inside(struct walk *w, const char *from)
{
    const char *end = w->text.p + w->text.n, *line = "";
    for (const char *at = from; !*line && (at = memchr(at, '\n', (size_t)(end - at))) && ++at < end;)
        line = plain_line(w, at);
    return line;
}

/* Removes the lines of an alternative, with the adjacent `or`. */
static void drop_alternative(struct walk *w, struct open *o, bool last)
{
    const char *from = o->before ? o->line : o->from;
    const char *to = o->before ? w->start : w->words.end;
    if (last && !o->before) return; /* the only alternative */
    struct buffer b;
    buffer_init(&b, &memory_malloc);
    for (const char *at = from; at < to; at++)
        if (*at == '\n') buffer_char(&b, '\n');
    buffer_char(&b, '\0');
    char what[32];
    snprintf(what, sizeof what, "alternative %u", o->before + 1);
    add(w, text_of(what), (numel_str){ from, (size_t)(to - from) }, "", b.p);
    struct mutant *m = &w->all->items[w->all->count - 1];
    m->line = first_inside(w, o->from);
    m->number = o->number;
    buffer_done(&b);
}

static void open_block(struct walk *w, bool oneof)
{
    if (w->depth == DEPTH) die("%s:%u: too deep", w->file, w->number);
    w->open[w->depth++] = (struct open){ oneof, w->words.end, w->start, w->number, 0 };
}

static void branch(struct walk *w, bool end)
{
    struct open *o = w->depth ? &w->open[w->depth - 1] : NULL;
    if (!o) die("%s:%u: no block is open", w->file, w->number);
    if (o->oneof) {
        drop_alternative(w, o, end);
        *o = (struct open){ true, w->words.end, w->start, w->number, o->before + 1 };
    }
    if (end) w->depth--;
}

/* part PATH as PREFIX ...: another configuration, other names, and further attributes. */
static void part_line(struct walk *w)
{
    numel_str word, whole = { w->start, (size_t)(w->words.end - w->start) };
    add(w, text_of("delete"), whole, "", "");
    if (lex_word(&w->words, &word)) add(w, text_of("path"), word, "x", "");
    lex_word(&w->words, &word);
    if (lex_word(&w->words, &word)) add(w, text_of("prefix"), word, "x", "");
    while (lex_word(&w->words, &word)) {
        const char *sign = memchr(word.p, '=', word.n);
        numel_str value = { sign + 1, sign ? word.n - (size_t)(sign + 1 - word.p) : 0 };
        bool truth = sign && (text_starts(word, "if=") || text_starts(word, "tied="));
        if (truth) negate(w, sign[-1] == 'f' ? "if" : "tied", value);
        else if (!text_starts(word, "role=")) add(w, text_of("attribute"), word, "", "");
    }
}

/* cache KIND SIZE per COUNT ...; `latent` selects a sort of layer and counts nothing. */
static void cache_line(struct walk *w)
{
    static const char *const counts[] = { "window=", "every=", "rest=", "width=" };
    numel_str word, whole = { w->start, (size_t)(w->words.end - w->start) };
    add(w, text_of("delete"), whole, "", "");
    if (!lex_word(&w->words, &word)) return;
    if (!text_equal(word, "shared") && lex_word(&w->words, &word)) one_more(w, "size", 0, word);
    while (lex_word(&w->words, &word)) {
        const char *sign = memchr(word.p, '=', word.n);
        numel_str value = { sign + 1, sign ? word.n - (size_t)(sign + 1 - word.p) : 0 };
        if (text_starts(word, "if=")) negate(w, "if", value);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            if (text_starts(word, counts[i])) one_more(w, "step", 0, value);
    }
}

static void block_line(struct walk *w, numel_str first)
{
    numel_str word;
    if (text_equal(first, "part")) part_line(w);
    if (text_equal(first, "cache")) cache_line(w);
    if (text_equal(first, "if")) condition(w);
    if (text_equal(first, "else") && lex_word(&w->words, &word)) condition(w);
    if (text_equal(first, "extra") && lex_word(&w->words, &word) && lex_word(&w->words, &word))
        negate(w, "if", text_from(word, 3));
    if (text_equal(first, "or") || text_equal(first, "end")) branch(w, text_equal(first, "end"));
    static const char *const openers[] = { "if", "for", "prefix", "extra", "oneof", "choose" };
    for (size_t i = 0; i < sizeof openers / sizeof *openers; i++)
        if (text_equal(first, openers[i])) open_block(w, text_equal(first, "oneof"));
}

/* ---- all of it -------------------------------------------------------------------------------- */

static void one_line(struct walk *w)
{
    numel_str first;
    if (!lex_word(&w->words, &first)) return;
    for (const char *const *kind = w->kinds; *kind; kind++)
        if (text_equal(first, *kind)) {
            tensor_line(w);
            return;
        }
    block_line(w, first);
}

void mutants_init(struct mutants *all)
{
    *all = (struct mutants){ 0 };
    arena_init(&all->arena, &memory_malloc);
}

void mutants_done(struct mutants *all)
{
    memory_release(&memory_malloc, all->items);
    arena_done(&all->arena);
}

void mutants_of(struct mutants *all, const char *file, numel_str text, const char *const *kinds)
{
    struct walk w = { .all = all, .file = file, .text = text, .kinds = kinds };
    const char *end = text.p + text.n;
    for (const char *at = text.p; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        w.start = w.words.at = at;
        w.words.end = stop;
        w.number++;
        one_line(&w);
        at = stop < end ? stop + 1 : end;
    }
}

char *mutant_text(const struct mutant *m, numel_str text, size_t *n)
{
    size_t with = strlen(m->with), rest = text.n - m->at - m->length;
    char *p = must(malloc(text.n + with + 1));
    memcpy(p, text.p, m->at);
    memcpy(p + m->at, m->with, with);
    memcpy(p + m->at + with, text.p + m->at + m->length, rest);
    *n = m->at + with + rest;
    p[*n] = '\0';
    return p;
}

/* json_second.c -- compares the scanner's events with cJSON's tree, value by value. */
#include "json_second.h"

#include "base/json_doc.h"
#include "base/json_scan.h"
#include "base/text.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const json_class_texts[JSON_CLASS_COUNT] = { "agree",
#define X(name, text) text,
                                                         JSON_CLASSES(X)
#undef X
};

struct both {
    struct json_scan scan;
    struct arena arena;
    bool nul; /* a string holds \u0000, which truncates it in cJSON */
    struct json_opinion *out;
};

/* Returns false, so that a comparison can end with it. */
static bool differ(struct both *w, const char *what)
{
    if (!w->out->wrong[0])
        snprintf(w->out->wrong, sizeof w->out->wrong, "at %llu: %s", (unsigned long long)w->scan.at, what);
    return false;
}

/* ---- values ------------------------------------------------------------------------------- */

static bool same_string(struct both *w, struct json_text text, const char *theirs)
{
    numel_str plain;
    if (!json_unescape(&w->scan, &w->arena, text, &plain)) return differ(w, "not unescaped");
    bool nul = plain.n && memchr(plain.p, 0, plain.n);
    w->nul |= nul;
    if (!theirs || (nul ? strcmp(plain.p, theirs) != 0 : !text_equal(plain, theirs)))
        return differ(w, "a string");
    return true;
}

static bool same_number(struct both *w, const cJSON *v)
{
    struct json_scan s = w->scan;
    numel_error e = { .code = NUMEL_OK };
    const char *from = (const char *)s.base + s.at;
    char token[512];
    json_skip(&w->scan);
    size_t n = (size_t)((const char *)w->scan.base + w->scan.at - from);
    if (n >= sizeof token) return differ(w, "a number too long for this test");
    memcpy(token, from, n);
    token[n] = 0;
    double d = strtod(token, NULL);
    if (!cJSON_IsNumber(v) || memcmp(&d, &v->valuedouble, sizeof d) != 0) return differ(w, "a number");
    uint64_t value = 0;
    s.error = &e;
    bool whole = strspn(token, "0123456789") == n &&
                 (n < 20 || (n == 20 && strcmp(token, "18446744073709551615") <= 0));
    if (json_u64(&s, &value, "x") != whole) return differ(w, "an integer is read, or not");
    return !whole || value == strtoull(token, NULL, 10) || differ(w, "an integer");
}

static bool same_value(struct both *w, const cJSON *v);

static bool same_items(struct both *w, const cJSON *v, char open)
{
    char close = open == '{' ? '}' : ']';
    const cJSON *c = v->child;
    struct json_text key;
    if (!(open == '{' ? cJSON_IsObject(v) : cJSON_IsArray(v))) return differ(w, "a container");
    json_open(&w->scan, open);
    for (; json_more(&w->scan, close) && !w->out->wrong[0]; c = c->next) {
        if (!c) return differ(w, "cJSON has fewer items");
        if (open == '{' && json_key(&w->scan, &key)) same_string(w, key, c->string);
        same_value(w, c);
    }
    return w->out->wrong[0] || !c || differ(w, "cJSON has more items");
}

static bool same_value(struct both *w, const cJSON *v)
{
    uint8_t c = json_peek(&w->scan);
    struct json_text text;
    if (c == '{' || c == '[') return same_items(w, v, (char)c);
    if (c == '"') return json_string(&w->scan, &text) && same_string(w, text, cJSON_GetStringValue(v));
    if (c == '-' || (c >= '0' && c <= '9')) return same_number(w, v);
    json_skip(&w->scan);
    bool same = c == 'n' ? cJSON_IsNull(v) : c == 't' ? cJSON_IsTrue(v) : cJSON_IsFalse(v);
    return same || differ(w, "a word");
}

static void same_tree(struct both *w, const char *text, size_t n, const cJSON *v)
{
    numel_error e = { .code = NUMEL_OK };
    json_start(&w->scan, text, n, 0, &e);
    same_value(w, v);
}

/* ---- verdicts ----------------------------------------------------------------------------- */

/* Classifies a text that the scanner refuses and cJSON accepts: only in the known ways. */
static enum json_class why_only(const char *text, size_t n, const numel_error *e)
{
    size_t at = (size_t)e->offset;
    if (e->code == NUMEL_E_UTF8) return JSON_ONLY_NOT_UTF8;
    if (e->code == NUMEL_E_LIMIT) return JSON_ONLY_DEPTH;
    if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 && at == 0) return JSON_ONLY_BOM;
    if (strstr(e->what, "leading zero")) return JSON_ONLY_ZERO;
    if (strstr(e->what, "control character")) return JSON_ONLY_CONTROL;
    if (strstr(e->what, "invalid escape"))
        return at + 1 < n && text[at + 1] == 'u' ? JSON_ONLY_HEX : JSON_AGREE;
    if (strstr(e->what, "expected a digit") && at && (text[at - 1] == '.' || (at < n && text[at] == '.')))
        return JSON_ONLY_DIGIT;
    return at < n && (unsigned char)text[at] < ' ' ? JSON_ONLY_SPACE : JSON_AGREE;
}

static void judge_refused(struct both *w, const char *text, size_t n, const numel_error *e, const cJSON *raw)
{
    if (!raw) return;
    w->out->only = why_only(text, n, e);
    if (w->out->only == JSON_AGREE) differ(w, "cJSON accepts it");
}

static void judge_accepted(struct both *w, const char *text, size_t n, const cJSON *raw, json_value *doc)
{
    if (raw) same_tree(w, text, n, raw);
    if (!raw || w->nul) w->out->only = JSON_ONLY_NUL_ESCAPE;
    if (!raw && !strstr(text, "\\u0000")) differ(w, "cJSON refuses it");
    if (!doc != (w->out->only == JSON_ONLY_NUL_ESCAPE)) differ(w, "the wrapper accepts it, or not");
    if (doc) same_tree(w, text, n, (const cJSON *)doc);
}

/* Python's numbers, allowed in a config.json but not in a header (base/json_doc.h). */
static bool says_constant(const char *text) { return strstr(text, "NaN") || strstr(text, "Infinity"); }

void json_second(struct json_opinion *out, const char *text, size_t n)
{
    numel_error e = { .code = NUMEL_OK, .offset = NUMEL_NOWHERE }, d = { .code = NUMEL_OK };
    struct both w = { .out = out };
    char *copy = malloc(n + 1);
    *out = (struct json_opinion){ .only = JSON_AGREE };
    if (!copy) abort();
    memcpy(copy, text, n);
    copy[n] = 0;
    arena_init(&w.arena, &memory_malloc);
    json_start(&w.scan, text, n, 0, &e);
    out->ok = json_skip(&w.scan) && json_finish(&w.scan);
    cJSON *raw = cJSON_ParseWithLengthOpts(copy, n + 1, NULL, 1);
    json_value *doc = json_doc_parse(text, n, &d);
    if (out->ok) judge_accepted(&w, copy, n, raw, doc);
    else judge_refused(&w, text, n, &e, raw);
    if (!out->ok && doc && !says_constant(copy)) differ(&w, "the wrapper accepts what the scanner refuses");
    snprintf(out->why, sizeof out->why, "%.300s", e.what);
    json_doc_free(doc);
    cJSON_Delete(raw);
    arena_done(&w.arena);
    free(copy);
}

/* ---- a tree for others -------------------------------------------------------------------- */

struct drawing {
    struct json_scan scan;
    struct arena arena;
    struct buffer *b;
};

static void draw_string(struct drawing *w)
{
    struct json_text text;
    numel_str plain;
    if (!json_string(&w->scan, &text) || !json_unescape(&w->scan, &w->arena, text, &plain)) return;
    buffer_char(w->b, '"');
    for (size_t i = 0; i < plain.n; i++) buffer_format(w->b, "%02x", (unsigned char)plain.p[i]);
    buffer_char(w->b, ';');
}

static void draw_value(struct drawing *w)
{
    uint8_t c = json_peek(&w->scan), close = c == '{' ? '}' : ']';
    const char *from = (const char *)w->scan.base + w->scan.at;
    if (c == '{' || c == '[') {
        buffer_char(w->b, (char)c);
        for (json_open(&w->scan, (char)c); json_more(&w->scan, (char)close);) {
            if (c == '{') {
                draw_string(w);
                json_peek(&w->scan);
                w->scan.at++; /* the colon: the text is known to be JSON */
            }
            draw_value(w);
        }
        buffer_char(w->b, (char)close);
    } else if (c == '"') {
        draw_string(w);
    } else {
        bool number = c == '-' || (c >= '0' && c <= '9');
        json_skip(&w->scan);
        buffer_char(w->b, number ? '#' : (char)c);
        if (!number) return;
        buffer_add(w->b, from, (size_t)((const char *)w->scan.base + w->scan.at - from));
        buffer_char(w->b, ';');
    }
}

void json_draw(struct buffer *b, const char *text, size_t n)
{
    numel_error e = { .code = NUMEL_OK };
    struct drawing w = { .b = b };
    arena_init(&w.arena, &memory_malloc);
    json_start(&w.scan, text, n, 0, &e);
    draw_value(&w);
    arena_done(&w.arena);
}

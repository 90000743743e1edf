/*
 * json_doc.c -- cJSON with the checks that it lacks. The strict scanner reads the bytes first, so anything
 * that only cJSON accepts (NUL, text after the end) is refused. The only user of <cjson/cJSON.h>.
 */
#include "base/json_doc.h"

#include "base/json_scan.h"
#include "base/number.h"
#include "base/text.h"

#include <cjson/cJSON.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* cJSON ends strings at NUL, so "a\u0000b" would collide with "a". */
NUMEL_MUST static bool no_nul(const uint8_t *p, uint64_t n, numel_error *e)
{
    for (uint64_t i = 0; i + 6 <= n; i++) {
        if (p[i] != '\\') continue;
        if (memcmp(p + i, "\\u0000", 6) == 0) return error_set(e, NUMEL_E_SYNTAX, i, "\\u0000 in a string");
        i++; /* skips the escaped character, which may be a backslash */
    }
    return true;
}

/* Each node of cJSON's tree takes 80 bytes, even each 1 in [1,1,1,...], and a text 32 more: 40 times the
 * size of a document of small numbers. Configurations have about 25 bytes per value; labels of 100,000
 * classes, 28. */
NUMEL_MUST static bool fits_tree(const struct json_scan *s, uint64_t n, numel_error *e)
{
    enum { NODE = 80, TEXT = 32, FREE = 8 << 20, TIMES = 6 };
    uint64_t needs = s->values * NODE + s->strings * TEXT, most = FREE + TIMES * n; /* n is far below 2^64 */
    return needs <= most ||
           error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE,
                     "its %" PRIu64 " values need %" PRIu64 " bytes, the limit for a text of %" PRIu64
                     " is %" PRIu64 ": too large for a configuration",
                     s->values, needs, n, most);
}

/* ---- numbers beyond a double ----------------------------------------------------------------- */

/* cJSON prints numbers of up to 15 digits as read. Longer ones keep their text. */
enum { EXACT = 15 };

struct numbers {
    const char *p, *end;
};

/* Constants that Python's json module reads and writes, but JSON does not have. cJSON gets a number of the
 * same length instead. */
static const struct constant {
    const char *word, *instead;
    int type; /* a bit of a node's type that cJSON does not use */
} constants[] = { { "-Infinity", "-1e999999", 1 << 13 },
                  { "Infinity", "1e999999", 1 << 14 },
                  { "NaN", "1e9", 1 << 15 } };
enum { CONSTANTS = sizeof constants / sizeof *constants };

/* The constant that the text begins with, or NULL. */
static const struct constant *constant_of(numel_str text)
{
    for (size_t i = 0; i < CONSTANTS; i++)
        if (text_starts(text, constants[i].word)) return &constants[i];
    return NULL;
}

static bool is_of_number(char c) { return (c >= '0' && c <= '9') || strchr("+-.eE", c); }

static bool begins_number(char c) { return (c >= '0' && c <= '9') || c == '-' || c == 'I' || c == 'N'; }

/* The next number of a text that is known to be JSON. Words are skipped. */
static numel_str next_number(struct numbers *t)
{
    for (; t->p < t->end && !begins_number(*t->p); t->p++) {
        if (*t->p != '"') continue;
        while (*++t->p != '"') t->p += *t->p == '\\';
    }
    numel_str number = { t->p, 0 };
    const struct constant *c = constant_of(text_span(t->p, t->end));
    if (c) t->p += strlen(c->word);
    while (t->p < t->end && *t->p && is_of_number(*t->p)) t->p++;
    number.n = (size_t)(t->p - number.p);
    return number;
}

/* A bit of a node's type that cJSON does not use: the number is written with a fraction or an exponent,
 * 32.0. */
enum { POINTED = 1 << 12 };

static bool is_pointed(numel_str number)
{
    for (size_t i = 0; i < number.n; i++)
        if (strchr(".eE", number.p[i])) return true;
    return false;
}

/* True if some number must keep its text. */
static bool has_told_numbers(struct numbers t)
{
    while (t.p < t.end) {
        numel_str number = next_number(&t);
        if (number.n > EXACT || is_pointed(number) || constant_of(number)) return true;
    }
    return false;
}

/* Keeps the number's text, or "null" for a constant. */
NUMEL_MUST static bool keep_text(json_value *v, numel_str number)
{
    const struct constant *c = constant_of(number);
    if (c) {
        v->type |= c->type | POINTED;
        v->valuedouble = c->word[0] == '-' ? -HUGE_VAL : HUGE_VAL;
        number = text_of("null");
    }
    if (!(v->valuestring = cJSON_malloc(number.n + 1))) return false;
    memcpy(v->valuestring, number.p, number.n);
    v->valuestring[number.n] = '\0';
    return true;
}

/* The numbers of a tree are in the order of the text. */
NUMEL_MUST static bool keep_numbers(json_value *v, struct numbers *t)
{
    for (; v; v = v->next) {
        numel_str number = cJSON_IsNumber(v) ? next_number(t) : (numel_str){ NULL, 0 };
        if (is_pointed(number)) v->type |= POINTED;
        bool kept = number.p && (number.n > EXACT || json_beyond(v) || constant_of(number));
        if (kept && !keep_text(v, number)) return false;
        if (v->child && !keep_numbers(v->child, t)) return false;
    }
    return true;
}

static bool is_kept(const json_value *v) { return cJSON_IsNumber(v) && v->valuestring; }

static bool has_kept(const json_value *v)
{
    for (const json_value *c = v->child; c; c = c->next)
        if (has_kept(c)) return true;
    return is_kept(v);
}

/* Makes cJSON print the numbers as they were read. */
static void let_out(json_value *v)
{
    if (is_kept(v)) v->type = (v->type & ~0xff) | cJSON_Raw;
    for (json_value *c = v->child; c; c = c->next) let_out(c);
}

/* A copy of the text with numbers for constants; free it with cJSON_free(). NULL: NOMEM. */
NUMEL_MUST static char *without_constants(const void *p, uint64_t n)
{
    char *text = cJSON_malloc((size_t)n + 1);
    if (!text) return NULL;
    memcpy(text, p, (size_t)n);
    struct numbers t = { p, (const char *)p + n };
    while (t.p < t.end) {
        numel_str number = next_number(&t);
        const struct constant *c = constant_of(number);
        if (c) memcpy(text + (number.p - (const char *)p), c->instead, number.n);
    }
    return text;
}

json_value *json_doc_parse(const void *p, uint64_t n, numel_error *e)
{
    struct json_scan scan;
    json_start(&scan, p, n, 0, e);
    scan.constants = true;
    if (!json_skip(&scan) || !json_finish(&scan) || !no_nul(p, n, e) || !fits_tree(&scan, n, e)) return NULL;
    const char *end = NULL;
    char *plain = without_constants(p, n);
    json_value *doc = plain ? cJSON_ParseWithLengthOpts(plain, (size_t)n, &end, 0) : NULL;
    cJSON_free(plain);
    struct numbers text = { p, (const char *)p + n };
    if (doc && (!has_told_numbers(text) || keep_numbers(doc, &text))) return doc;
    error_nomem(e); /* syntax was checked above */
    json_doc_free(doc);
    return NULL;
}

void json_doc_free(json_value *doc) { cJSON_Delete(doc); }

enum json_kind json_kind(const json_value *v)
{
    if (!v || cJSON_IsNull(v)) return JSON_NULL;
    if (cJSON_IsBool(v)) return JSON_BOOL;
    if (cJSON_IsNumber(v)) return JSON_NUMBER;
    if (cJSON_IsString(v)) return JSON_STRING;
    return cJSON_IsArray(v) ? JSON_ARRAY : JSON_OBJECT;
}

const char *json_name(const json_value *v) { return v->string; }

const json_value *json_at(const json_value *object, numel_str key)
{
    const json_value *found = NULL;
    if (json_kind(object) != JSON_OBJECT) return NULL;
    for (const json_value *c = object->child; c; c = c->next)
        if (c->string && text_equal(key, c->string)) found = c;
    return found;
}

const json_value *json_get(const json_value *object, const char *key)
{
    return json_at(object, text_of(key));
}

static const json_value *item_at(const json_value *array, numel_str position)
{
    int i = 0;
    for (size_t k = 0; k < position.n; k++) {
        if (!number_is_digit(position.p[k]) || i > 1000000) return NULL;
        i = i * 10 + (position.p[k] - '0');
    }
    return cJSON_GetArrayItem(array, i);
}

const json_value *json_dig(const json_value *v, const char *path, size_t n)
{
    for (size_t i = 0; v && i <= n; i++) {
        size_t from = i;
        while (i < n && path[i] != '.') i++;
        numel_str key = { path + from, i - from };
        v = cJSON_IsArray(v) ? item_at(v, key) : cJSON_IsObject(v) ? json_at(v, key) : NULL;
    }
    return v;
}

const json_value *json_first(const json_value *container) { return container ? container->child : NULL; }

const json_value *json_next(const json_value *child) { return child->next; }

size_t json_count(const json_value *container)
{
    size_t n = 0;
    for (const json_value *v = json_first(container); v; v = json_next(v)) n++;
    return n;
}

const char *json_text_of(const json_value *v) { return cJSON_IsString(v) ? v->valuestring : NULL; }

bool json_true(const json_value *v) { return cJSON_IsTrue(v); }

bool json_integer(const json_value *v, int64_t *out)
{
    if (!cJSON_IsNumber(v)) return false;
    double d = v->valuedouble;
    if (!(d > -9007199254740992.0 && d < 9007199254740992.0)) return false;
    *out = (int64_t)d;
    return !((double)*out < d || (double)*out > d);
}

bool json_fractional(const json_value *v) { return cJSON_IsNumber(v) && (v->type & POINTED); }

bool json_beyond(const json_value *v)
{
    return cJSON_IsNumber(v) && (v->valuedouble > DBL_MAX || v->valuedouble < -DBL_MAX);
}

const char *json_constant(const json_value *v)
{
    for (size_t i = 0; v && i < CONSTANTS; i++)
        if (v->type & constants[i].type) return constants[i].word;
    return NULL;
}

double json_double(const json_value *v) { return cJSON_IsNumber(v) ? v->valuedouble : 0; }

json_value *json_new_object(void) { return cJSON_CreateObject(); }
json_value *json_new_array(void) { return cJSON_CreateArray(); }

bool json_add(json_value *container, const char *key, json_value *child)
{
    if (!child) return false;
    bool ok = container &&
              (key ? cJSON_AddItemToObject(container, key, child) : cJSON_AddItemToArray(container, child));
    if (!ok) cJSON_Delete(child);
    return ok;
}

bool json_add_raw(json_value *container, const char *key, const char *raw)
{
    return json_add(container, key, cJSON_CreateRaw(raw));
}

bool json_add_u64(json_value *container, const char *key, uint64_t v)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, v);
    return json_add_raw(container, key, digits);
}

char *json_print(const json_value *v)
{
    if (!v || !has_kept(v)) return cJSON_PrintUnformatted(v);
    json_value *copy = cJSON_Duplicate(v, true);
    if (copy) let_out(copy);
    char *text = copy ? cJSON_PrintUnformatted(copy) : NULL;
    cJSON_Delete(copy);
    return text;
}

void json_print_free(char *text) { cJSON_free(text); }

/*
 * fuzz_json.c -- the scanner, and cJSON behind its wrapper: cJSON reads the same from texts that the
 * scanner accepts, the wrapper refuses all others, and printed text is JSON. The header of a safetensors
 * file is extracted first, so that the fixtures serve as seeds.
 */
#include "../../support/reports.h"
#include "fuzz.h"

#include "base/json_doc.h"
#include "base/json_scan.h"
#include "base/text.h"

#include <string.h>

static void check_strings(const uint8_t *data, size_t size)
{
    struct buffer b;
    numel_str s = { (const char *)data, size };
    char quoted[TEXT_QUOTE];
    buffer_init(&b, &memory_malloc);
    text_json(&b, s);
    FUZZ_ASSERT(!check_json(b.p, b.n), "text_json makes no JSON");
    b.n = 0;
    text_escape(&b, s);
    FUZZ_ASSERT(text_utf8((const uint8_t *)b.p, b.n) == b.n, "text_escape makes no UTF-8");
    for (size_t i = 0; i < b.n; i++)
        FUZZ_ASSERT((unsigned char)b.p[i] >= ' ' && b.p[i] != 0x7F, "a control character is left");
    FUZZ_ASSERT(strlen(text_quote(quoted, s)) < TEXT_QUOTE, "text_quote is too long");
    buffer_done(&b);
}

/* Compares the scanner's current value with cJSON's: same kind, text, number, keys and items in the same
 * order. */
static void check_same(struct json_scan *s, struct arena *a, const json_value *v);

static void check_text(struct json_scan *s, struct arena *a, const char *text)
{
    struct json_text raw;
    numel_str own;
    FUZZ_ASSERT(json_string(s, &raw) && json_unescape(s, a, raw, &own), "a string that was accepted");
    FUZZ_ASSERT(text && own.n == strlen(text) && (!own.n || memcmp(own.p, text, own.n) == 0),
                "another string");
}

static void check_container(struct json_scan *s, struct arena *a, const json_value *v, char open, char close)
{
    const json_value *child = json_first(v);
    FUZZ_ASSERT(json_open(s, open), "it opens differently");
    for (; json_more(s, close); child = json_next(child)) {
        struct json_text raw;
        numel_str key;
        FUZZ_ASSERT(child, "cJSON has fewer items");
        if (open == '{') {
            FUZZ_ASSERT(json_key(s, &raw) && json_unescape(s, a, raw, &key), "a key that was accepted");
            FUZZ_ASSERT(json_name(child) && text_equal(key, json_name(child)), "another key");
        }
        check_same(s, a, child);
    }
    FUZZ_ASSERT(!child, "cJSON has more items");
}

static void check_number(struct json_scan *s, const json_value *v)
{
    numel_error e = { .code = NUMEL_OK };
    struct json_scan whole = *s;
    uint64_t n;
    int64_t i;
    whole.error = &e;
    bool known = json_integer(v, &i);
    if (json_u64(&whole, &n, "it") && n < UINT64_C(1) << 53)
        FUZZ_ASSERT(known && i >= 0 && (uint64_t)i == n, "another number");
    FUZZ_ASSERT(!known || (i > -(INT64_C(1) << 53) && i < INT64_C(1) << 53),
                "an integer that may be rounded");
    FUZZ_ASSERT(json_skip(s), "a number that was accepted");
}

static void check_same(struct json_scan *s, struct arena *a, const json_value *v)
{
    uint8_t c = json_peek(s);
    switch (json_kind(v)) {
    case JSON_NULL: FUZZ_ASSERT(c == 'n' && json_word(s, "null"), "null and another value"); return;
    case JSON_BOOL:
        FUZZ_ASSERT(c == (json_true(v) ? 't' : 'f') && json_word(s, json_true(v) ? "true" : "false"),
                    "another truth");
        return;
    case JSON_NUMBER: check_number(s, v); return;
    case JSON_STRING: check_text(s, a, json_text_of(v)); return;
    case JSON_ARRAY: check_container(s, a, v, '[', ']'); return;
    case JSON_OBJECT: check_container(s, a, v, '{', '}'); return;
    }
}

static void check_meaning(const uint8_t *data, size_t size, const json_value *doc)
{
    struct json_scan s;
    struct arena a;
    numel_error e = { .offset = NUMEL_NOWHERE };
    arena_init(&a, &memory_malloc);
    json_start(&s, data, size, 0, &e);
    check_same(&s, &a, doc);
    FUZZ_ASSERT(json_finish(&s), "something is left");
    arena_done(&a);
}

/* Configurations may have what Python's json writes for numbers that are not finite; headers may not. */
static int has_constant(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i + 3 <= size; i++)
        if (memcmp(data + i, "NaN", 3) == 0 || (i + 8 <= size && memcmp(data + i, "Infinity", 8) == 0))
            return 1;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct json_scan s;
    numel_error e = { .offset = NUMEL_NOWHERE }, d = { .offset = NUMEL_NOWHERE };
    if (size > 9 && data[8] == '{') data += 8, size -= 8;
    json_start(&s, data, size, 0, &e);
    int ok = json_skip(&s) && json_finish(&s);
    json_value *doc = json_doc_parse(data, size, &d);
    FUZZ_ASSERT(ok == (e.code == NUMEL_OK), "result and error disagree");
    FUZZ_ASSERT(ok || (e.offset <= size && e.what[0]), "an error outside the text");
    FUZZ_ASSERT(ok || !doc || has_constant(data, size), "cJSON received a text that the scanner refuses");
    FUZZ_ASSERT(doc || d.code != NUMEL_OK, "no document and no error");
    FUZZ_ASSERT(!ok || doc || strstr(d.what, "u0000"), "cJSON refuses a text that the scanner accepts");
    if (doc) {
        char *text = json_print(doc);
        FUZZ_ASSERT(text && !check_json(text, strlen(text)), "the output is not JSON");
        json_print_free(text);
        if (ok) check_meaning(data, size, doc);
    }
    json_doc_free(doc);
    check_strings(data, size);
    return 0;
}

/*
 * fuzz_json.c -- the scanner and cJSON behind its wrapper: what the scanner accepts cJSON reads, what
 * it refuses nobody gets, and what is printed again is JSON. The header of a safetensors file is
 * taken out of it first, so that the fixtures serve as seeds.
 */
#include "../support/reports.h"
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
    FUZZ_ASSERT(ok || !doc, "cJSON got what the scanner refuses");
    FUZZ_ASSERT(doc || d.code != NUMEL_OK, "no document and no error");
    FUZZ_ASSERT(!ok || doc || strstr(d.what, "u0000"), "cJSON refuses what the scanner accepts");
    if (doc) {
        char *text = json_print(doc);
        FUZZ_ASSERT(text && !check_json(text, strlen(text)), "what is printed is no JSON");
        json_print_free(text);
    }
    json_doc_free(doc);
    check_strings(data, size);
    return 0;
}

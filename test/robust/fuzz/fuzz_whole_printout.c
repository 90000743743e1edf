/*
 * fuzz_whole_printout.c -- texts that may hold printouts. Everything that was read adds up: subtrees nest,
 * sums match the modules, and the report is valid text and JSON; also with a small checkpoint, where the
 * statement leaves nothing unexplained. A refused text has a reason.
 */
#include "../../support/reports.h"
#include "common/printed.h"
#include "fuzz.h"

#include <string.h>

static const char model[] =
    "\x7c\0\0\0\0\0\0\0{\"a.q.weight\":{\"dtype\":\"U8\",\"shape\":[2,4],\"data_offsets\":[0,8]},"
    "\"n.weight\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[8,12]}}0123456789ab";

static bool append(void *ctx, const void *p, size_t n)
{
    buffer_add(ctx, p, n);
    return true;
}

static void check_report(const numel_checkpoint *ck, const numel_printout *page)
{
    numel_report *r = NULL;
    numel_error e;
    struct buffer b;
    numel_subject *resolved = NULL;
    numel_rc rc = ck ? numel_subject_of(&resolved, ck, NULL, NULL, &e) : NUMEL_OK;
    if (!rc) rc = numel_report_printout(&r, resolved, page, NULL, NULL, &e);
    FUZZ_ASSERT((rc == NUMEL_OK) == (r != NULL), "result and report disagree");
    FUZZ_ASSERT(rc == NUMEL_OK || e.what[0], "an error without words");
    if (!r) numel_subject_close(resolved);
    if (!r) return;
    buffer_init(&b, &memory_malloc);
    numel_style style = { .size = sizeof(numel_style), .format = NUMEL_JSON };
    FUZZ_ASSERT(numel_report_write(r, &style, append, &b, &e) == NUMEL_OK, "no JSON");
    FUZZ_ASSERT(!check_json(b.p, b.n), "the JSON is none");
    buffer_char(&b, 0);
    FUZZ_ASSERT(!ck || !strstr(b.p, "\"left\"") || strstr(b.p, "\"left\": 0") ||
                    strstr(b.p, "\"left\": null"),
                "something is left unexplained");
    b.n = 0;
    style = (numel_style){ .size = sizeof(numel_style), .format = NUMEL_TEXT, .width = 80 };
    FUZZ_ASSERT(numel_report_write(r, &style, append, &b, &e) == NUMEL_OK, "no text");
    for (size_t i = 0; i < b.n; i++)
        FUZZ_ASSERT(b.p[i] == '\n' || ((unsigned char)b.p[i] >= ' ' && b.p[i] != 0x7f),
                    "a control character");
    buffer_done(&b);
    numel_report_free(r);
    numel_subject_close(resolved);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct printout p;
    numel_error e = { .offset = NUMEL_NOWHERE };
    numel_checkpoint *ck = NULL;
    numel_printout page = { sizeof(numel_printout), "page", data, size };
    bool ok = printout_read(&p, data, size, &memory_malloc, &e);
    FUZZ_ASSERT(ok == (e.code == NUMEL_OK), "result and error disagree");
    FUZZ_ASSERT(ok || e.what[0], "an error without words");
    for (size_t i = 0; ok && i < p.print_count; i++) fuzz_print(&p, &p.prints[i]);
    printout_done(&p);
    FUZZ_ASSERT(numel_open_memory(&ck, model, sizeof model - 1, NULL, &e) == NUMEL_OK, "the model");
    check_report(NULL, &page);
    check_report(ck, &page);
    numel_free(ck);
    return 0;
}

/*
 * fuzz_tokenizer.c -- tokenizer.json, or vocab.json with added_tokens.json: the largest id is found again
 * in cJSON's document.
 */
#include "../../support/check.h"
#include "common/place.h"

#include "base/json_doc.h"
#include "base/num.h"
#include "source/folder.h"
#include "verify/tokenizer_file.h"

#include "../../support/hexasm.h"

#include <string.h>

static const struct place_row rows[] = { { .name = "tokenizer.json" },
                                         { .name = "vocab.json" },
                                         { .name = "added_tokens.json" },
                                         { .name = "tokenizer_config.json" } };
enum { ROWS = sizeof rows / sizeof *rows };

static uint64_t larger(uint64_t rows_before, const json_value *id)
{
    int64_t n;
    if (!json_integer(id, &n) || n < 0 || n >= UINT32_MAX) return rows_before;
    return num_max(rows_before, (uint64_t)n + 1);
}

/* An id for each name, or an entry for each position. */
static uint64_t of_vocab(const json_value *vocab)
{
    uint64_t most = 0, places = 0;
    for (const json_value *v = json_first(vocab); v; v = json_next(v), places++) most = larger(most, v);
    return vocab && json_kind(vocab) == JSON_ARRAY ? places : most;
}

static uint64_t of_document(const json_value *doc, bool flat)
{
    if (flat) return of_vocab(doc);
    uint64_t most = of_vocab(json_get(json_get(doc, "model"), "vocab"));
    for (const json_value *v = json_first(json_get(doc, "added_tokens")); v; v = json_next(v))
        most = larger(most, json_get(v, "id"));
    return most;
}

/* *least: at most what was read, which passes a duplicate key twice. */
static void look_again(const char *name, bool flat, uint64_t *least)
{
    size_t n;
    numel_error e;
    char *text = hex_slurp(place_path(name), &n);
    if (!text) return;
    json_value *doc = json_doc_parse(text, n, &e);
    *least = num_max(*least, of_document(doc, flat));
    json_doc_free(doc);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct check_memory m;
    struct arena a;
    struct tokenizer t;
    numel_error e = { .offset = NUMEL_NOWHERE };
    uint64_t least = 0;
    check_memory_init(&m, UINT64_MAX);
    arena_init(&a, &m.allocator);
    place_put(rows, ROWS, data, size);
    bool ok = tokenizer_read(&t, place_folder(), &a, &e);
    FUZZ_ASSERT(ok == (e.code == NUMEL_OK), "result and error disagree");
    if (!ok) FUZZ_CHECK(check_error(e.code, &e, size));
    FUZZ_ASSERT(t.path || t.rows == 0, "rows of no file");
    FUZZ_ASSERT(t.rows <= UINT32_MAX, "more rows than ids");
    bool whole = path_kind(place_path("tokenizer.json")) == PATH_FILE;
    if (ok && whole) look_again("tokenizer.json", false, &least);
    if (ok && !whole && t.path) look_again("vocab.json", true, &least);
    if (ok && !whole && t.path) look_again("added_tokens.json", true, &least);
    FUZZ_ASSERT(!ok || t.rows >= least, "an id was passed over");
    place_clear();
    arena_done(&a);
    FUZZ_CHECK(check_memory_done(&m, size, 0));
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *p, size_t n, size_t most, unsigned seed)
{
    struct dice d;
    dice_init(&d, seed);
    return mutate_files(rows, ROWS, p, n, most, &d);
}

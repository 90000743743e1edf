/*
 * vocabulary.c -- counts the tokens of tokenizers.
 *
 *   tokenizer.json
 *       {"model": {"vocab": {"a": 0, ...} or [["a", -1.5], ...]}, "added_tokens": [{"id": 9}]}
 *   whitespacetokenizer_config.json, phrasetokenizer_config.json
 *       {"vocab": ["a", ...]}
 *
 * The number of an added token is within the vocabulary, or follows it. If the numbers have gaps, a table may
 * have more rows than there are tokens, and the number of rows is unknown.
 */
#include "model/vocabulary.h"

#include "base/text.h"
#include "model/config_file.h"
#include "source/folder.h"

#include <stdlib.h>

/* The number of tokens, and the highest number plus 1. */
struct counted {
    int64_t count, end;
};

static void count_one(struct counted *c, const json_value *id)
{
    int64_t n = c->count;
    c->count++;
    if (id && !json_integer(id, &n)) n = INT32_MAX;
    if (n >= c->end) c->end = n + 1;
}

static struct counted count_words(const json_value *vocab)
{
    struct counted c = { 0, 0 };
    bool numbered = json_kind(vocab) == JSON_OBJECT;
    for (const json_value *v = json_first(vocab); v; v = json_next(v)) count_one(&c, numbered ? v : NULL);
    return c;
}

static int64_t count_added(struct counted c, const json_value *added)
{
    int64_t from = c.end, id;
    if (c.count != c.end) return 0;
    for (const json_value *v = json_first(added); v; v = json_next(v))
        if (json_integer(json_get(v, "id"), &id) && id >= from) count_one(&c, json_get(v, "id"));
    return c.count == c.end ? c.count : 0;
}

static int64_t count_tokens(const json_value *doc)
{
    const json_value *model = json_get(doc, "model");
    return model ? count_added(count_words(json_get(model, "vocab")), json_get(doc, "added_tokens"))
                 : count_words(json_get(doc, "vocab")).count;
}

bool vocabulary_count(const char *dir, int64_t *count, struct arena *a, numel_error *e)
{
    static const char *const names[] = { "tokenizer.json", "whitespacetokenizer_config.json",
                                         "phrasetokenizer_config.json" };
    *count = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names && !*count; i++) {
        numel_error ignored = { .code = NUMEL_OK };
        const char *path = path_join(a, dir, text_of(names[i]));
        if (!path) return error_nomem(e);
        if (path_kind(path) != PATH_FILE) continue;
        json_value *doc = config_file_read(path, a, &ignored);
        if (ignored.code == NUMEL_E_NOMEM) return error_nomem(e);
        *count = count_tokens(doc);
        json_doc_free(doc);
    }
    return true;
}

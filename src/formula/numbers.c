/* numbers.c -- the integers of a configuration, including those that no spec reads; see config.h. */
#include "formula/config_internal.h"

#include <string.h>

enum { DEEPEST = 4, LONGEST = 80 };

struct numbers {
    struct arena *arena;
    struct config_number *items;
    unsigned count;
    bool failed;
};

static bool ends_like_no_size(numel_str key)
{
    static const char *const ends[] = { "_id",   "_ids",   "_theta", "_seed",    "_version",
                                        "_base", "_index", "_type",  "_per_tok", "quantization_version" };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (text_ends(key, ends[i])) return true;
    return false;
}

static bool reads_as_name(numel_str key)
{
    for (size_t i = 0; i < key.n; i++) {
        unsigned char c = (unsigned char)key.p[i];
        bool letter = (c | 32) >= 'a' && (c | 32) <= 'z';
        if (!letter && c != '_' && (i == 0 || !((c >= '0' && c <= '9') || c == '.'))) return false;
    }
    return key.n > 0 && key.n <= LONGEST;
}

/* The first value of a name counts: --set hides the file's. */
static void add(struct numbers *n, numel_str key, int64_t value)
{
    if (value < 2 || n->count == CONFIG_NUMBERS || n->failed) return;
    if (!reads_as_name(key) || ends_like_no_size(key)) return;
    for (unsigned i = 0; i < n->count; i++)
        if (text_equal(key, n->items[i].key)) return;
    const char *text = arena_text(n->arena, key.p, key.n);
    if (text) n->items[n->count++] = (struct config_number){ text, value };
    else n->failed = true;
}

static void walk(struct numbers *n, const json_value *object, const char *path, int depth)
{
    for (const json_value *v = json_first(object); v && !n->failed; v = json_next(v)) {
        char text[LONGEST * 2 + 2];
        struct fixed key = FIXED(text);
        const char *name = json_name(v);
        int64_t i;
        if (!name || strlen(path) + strlen(name) > LONGEST) continue;
        fixed_format(&key, "%s%s%s", path, path[0] ? "." : "", name);
        if (json_kind(v) == JSON_OBJECT && depth < DEEPEST) walk(n, v, text, depth + 1);
        else if (json_kind(v) == JSON_NUMBER && json_integer(v, &i)) add(n, fixed_str(&key), i);
    }
}

static void add_metadata(struct numbers *n, const struct config *c)
{
    size_t prefix = c->gguf_arch.n;
    for (size_t k = 0; k < c->metadata->count && !n->failed; k++) {
        const struct metadata_entry *m = &c->metadata->entries[k];
        numel_str key = m->key;
        int64_t i;
        if (text_equal(key, "tokenizer.ggml.tokens") && m->type == META_ARRAY) {
            if (m->array.count <= INT32_MAX) add(n, text_of("vocab_size"), (int64_t)m->array.count);
            continue;
        }
        if (!prefix || key.n <= prefix + 1 || memcmp(key.p, c->gguf_arch.p, prefix) != 0 ||
            key.p[prefix] != '.')
            continue;
        key = text_from(key, prefix + 1);
        if (m->type != META_ARRAY && metadata_integer(&m->value, &i)) add(n, key, i);
    }
}

bool config_numbers(struct config *c, struct arena *a, const struct config_number **out, unsigned *count,
                    numel_error *e)
{
    struct numbers n = { .arena = a };
    n.items = arena_alloc(a, CONFIG_NUMBERS * sizeof *n.items);
    if (!n.items) return error_nomem(e);
    for (size_t k = c->set_count; k--;) {
        int64_t i;
        c->sets[k].used = true;
        if (json_kind(c->sets[k].value) == JSON_NUMBER && json_integer(c->sets[k].value, &i))
            add(&n, c->sets[k].name, i);
    }
    for (size_t k = 0; k < c->document_count; k++) walk(&n, c->documents[k].root, "", 0);
    if (c->metadata) add_metadata(&n, c);
    *out = n.items;
    *count = n.count;
    return !n.failed || error_nomem(e);
}

/*
 * library_tensors.c -- finds the spec whose `match` lines fit the tensors of a file without configuration.
 *
 *     match hf tensors in time_embed.0.bias input_blocks.0.0.bias out.2.bias
 *     match hf adapter in ip_adapter_proj_model.norm.bias
 *
 * A line matches if the file has all of these names, or all but one of four or more. NAME=N needs N as the
 * first size; !NAME must not exist. If several lines match, the one with the most names decides; of equals,
 * the first spec by name. Such a spec must read its sizes from the file: dim() of tensors whose sizes others
 * share.
 */
#include "formula/library.h"

#include "formula/lookup.h"
#include "formula/embedded.h"
#include "registry/registry.h"
#include "base/text.h"

#include <string.h>

struct looking {
    const struct library *library;
    const char *field;
    library_has_fn *has;
    void *ctx;
    const struct library_entry *found;
    unsigned most;
};

/* Cuts off "=4096", the size of the first axis; 0 if any size fits. */
static uint64_t size_of(numel_str *word)
{
    const char *sign = memchr(word->p, '=', word->n);
    uint64_t size = 0;
    if (!sign) return 0;
    for (const char *p = sign + 1; p < word->p + word->n && *p >= '0' && *p <= '9' && size < 1 << 30; p++)
        size = size * 10 + (uint64_t)(*p - '0');
    word->n = (size_t)(sign - word->p);
    return size;
}

bool library_in_registry(void *registry, numel_str name, uint64_t size)
{
    const numel_tensor *t = registry_find(registry, name);
    return t && (!size || (t->ndim > 0 && t->dims[0] == size));
}

enum { MANY = 4 }; /* in a line with this many names one may be missing; it is then reported */

/* The next `match` line for that side and field (NULL: any): its names. Advances *text past the line. */
static bool next_rule(numel_str *text, const char *side, const char *field, numel_str *names)
{
    while (text->n) {
        *names = text_line(text);
        if (!text_equal(text_word(names), "match") || !text_equal(text_word(names), side)) continue;
        numel_str own = text_word(names);
        if ((!field || text_equal(own, field)) && text_equal(text_word(names), "in")) return true;
    }
    return false;
}

/* Number of names of the rule that the file has, if it matches; else 0. */
static unsigned names_of(const struct looking *l, numel_str names)
{
    unsigned n = 0, absent = 0;
    for (numel_str word = text_word(&names); word.n && word.p[0] != '#'; word = text_word(&names), n++) {
        bool none = word.p[0] == '!';
        if (none) word = text_from(word, 1);
        uint64_t size = size_of(&word);
        if (l->has(l->ctx, word, size) != none) continue;
        if (none || size) return 0;
        absent++;
    }
    return absent > (n >= MANY) ? 0 : n - absent;
}

static void look_at(struct looking *l, const struct library_entry *entry)
{
    numel_str text = entry->text, names;
    if (!entry->architecture || library_find(l->library, text_of(entry->name)) != entry) return;
    while (next_rule(&text, "hf", l->field, &names)) {
        unsigned n = names_of(l, names);
        if (n <= l->most) continue;
        l->most = n;
        l->found = entry;
    }
}

static bool has_rule(const struct library_entry *entry, const char *side, const char *field)
{
    numel_str text = entry->text, names;
    return next_rule(&text, side, field, &names);
}

/* True if the file has a name that the rule excludes. */
static bool is_ruled_out(numel_str names, library_has_fn *has, void *ctx)
{
    for (numel_str word = text_word(&names); word.n && word.p[0] != '#'; word = text_word(&names))
        if (word.p[0] == '!' && has(ctx, text_from(word, 1), 0)) return true;
    return false;
}

bool library_rules_out(const struct library_entry *entry, library_has_fn *has, void *ctx)
{
    numel_str text = entry->text, names;
    bool any = false;
    for (; next_rule(&text, "hf", "tensors", &names); any = true)
        if (!is_ruled_out(names, has, ctx)) return false;
    return any;
}

bool library_has_tensors(const struct library_entry *entry) { return has_rule(entry, "hf", "tensors"); }

bool library_serves_gguf(const struct library_entry *entry) { return has_rule(entry, "gguf", NULL); }

static uint32_t field_of(const char *name)
{
    uint32_t i = 0;
    while (i < embedded_field_count &&
           (embedded_fields[i].side != SIDE_HF || strcmp(embedded_text + embedded_fields[i].name, name) != 0))
        i++;
    return i;
}

const struct library_entry *library_by_tensors(const struct library *l, const char *field,
                                               library_has_fn *has, void *ctx)
{
    struct looking looking = { .library = l, .field = field, .has = has, .ctx = ctx };
    for (size_t i = 0; i < l->own_count; i++) look_at(&looking, library_at(l, i));
    uint32_t last = UINT32_MAX, number = field_of(field);
    for (uint32_t i = 0; i < embedded_key_count; i++) {
        const struct embedded_key *k = &embedded_keys[i];
        if (k->field != number || k->file == last) continue;
        numel_str word = { embedded_text + k->word, k->word_bytes };
        uint64_t size = size_of(&word);
        if (!has(ctx, word, size)) continue;
        last = k->file; /* the file has one of its names: read its lines */
        look_at(&looking, &l->built_in[k->file]);
    }
    return looking.found;
}

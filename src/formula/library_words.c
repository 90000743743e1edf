/*
 * library_words.c -- counts the words that each spec knows: a first choice without a configuration.
 *
 * The index has the words of built-in files and the files that have them, so only the user's texts are
 * searched. A spec also knows the words of its blocks. If a user's file replaces one of those, the index does
 * not apply to the spec.
 */
#include "formula/library.h"
#include "formula/lookup.h"

enum { USES = 4 }; /* depth of blocks searched */

static bool holds(numel_str text, numel_str word)
{
    const char *at = text.p, *end = text.p + text.n;
    while (word.n && (size_t)(end - at) >= word.n &&
           (at = memchr(at, word.p[0], (size_t)(end - at) - word.n + 1))) {
        if (memcmp(at, word.p, word.n) == 0) return true;
        at++;
    }
    return false;
}

/* True if the spec, or a block that it uses, contains the word. */
static bool knows(const struct library *l, const struct library_entry *entry, numel_str word, int depth)
{
    numel_str text = entry->text;
    if (holds(text, word)) return true;
    while (depth < USES && text.n) {
        numel_str line = text_line(&text), keyword = text_word(&line), name = text_word(&line);
        const struct library_entry *block = text_equal(keyword, "use") ? library_find(l, name) : NULL;
        if (block && knows(l, block, word, depth + 1)) return true;
    }
    return false;
}

unsigned library_phrases(const struct library *l, const struct library_entry *entry, const numel_str *phrases,
                         size_t n)
{
    unsigned known = 0;
    for (size_t i = 0; i < n; i++) known += knows(l, entry, phrases[i], 0);
    return known;
}

static bool is_in_place_of_a_part(const struct library *l, uint32_t file)
{
    const struct embedded_file *f = &embedded_files[file];
    for (uint32_t i = 0; l->own_count && i < f->part_count; i++) {
        const struct library_entry *part = &l->built_in[embedded_parts[f->parts + i]];
        if (library_find(l, (numel_str){ part->name, part->name_bytes }) != part) return true;
    }
    return false;
}

/* Counts for built-in specs; `held` marks the files with the word. */
static void count_built_in(const struct library *l, const bool *held, unsigned *known)
{
    for (uint32_t file = 0; file < embedded_count; file++) {
        const struct embedded_file *f = &embedded_files[file];
        bool some = false;
        for (uint32_t i = 0; !some && i < f->part_count; i++) some = held[embedded_parts[f->parts + i]];
        known[l->own_count + file] += some;
    }
}

/* Counts for entries to which the index does not apply. */
static void count_texts(const struct library *l, const numel_str *words, size_t n, unsigned *known)
{
    for (size_t i = 0; l->own_count && i < library_count(l); i++) {
        const struct library_entry *entry = library_at(l, i);
        if (entry->built_in && !is_in_place_of_a_part(l, (uint32_t)(entry - l->built_in))) continue;
        known[i] = 0;
        for (size_t k = 0; k < n && entry->architecture; k++) known[i] += knows(l, entry, words[k], 0);
    }
}

bool library_words(const struct library *l, const numel_str *words, size_t n, unsigned *known, numel_error *e)
{
    bool *held = memory_resize(l->arena.memory, NULL, embedded_count * sizeof *held);
    if (!held) return error_nomem(e);
    memset(known, 0, library_count(l) * sizeof *known);
    for (size_t k = 0; k < n; k++) {
        memset(held, 0, embedded_count * sizeof *held);
        lookup_holders(words[k], held);
        count_built_in(l, held, known);
    }
    count_texts(l, words, n, known);
    memory_release(l->arena.memory, held);
    return true;
}

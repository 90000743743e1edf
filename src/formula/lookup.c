/* lookup.c -- searches the tables that are built in; lookup.h has the contract. */
#include "formula/lookup.h"

#include "base/text.h"

/* The first of `count` ordered items that does not precede the one that `ctx` looks for. */
static uint32_t lower_bound(uint32_t count, int (*order)(uint32_t item, const void *ctx), const void *ctx)
{
    uint32_t from = 0, to = count;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (order(middle, ctx) < 0) from = middle + 1;
        else to = middle;
    }
    return from;
}

/* ---- files ------------------------------------------------------------------------------------ */

static int name_order(uint32_t file, const void *name)
{
    const struct embedded_file *f = &embedded_files[file];
    return text_bytes((numel_str){ embedded_text + f->name, f->name_bytes }, *(const numel_str *)name);
}

bool lookup_name(numel_str name, uint32_t *file)
{
    *file = lower_bound(embedded_count, name_order, &name);
    return *file < embedded_count && name_order(*file, &name) == 0;
}

/* ---- keys ------------------------------------------------------------------------------------- */

struct key {
    uint32_t field;
    numel_str word;
};

static int key_order(uint32_t item, const void *ctx)
{
    const struct embedded_key *k = &embedded_keys[item];
    const struct key *wanted = ctx;
    if (k->field != wanted->field) return k->field < wanted->field ? -1 : 1;
    return text_bytes((numel_str){ embedded_text + k->word, k->word_bytes }, wanted->word);
}

uint32_t lookup_keys(uint32_t field, numel_str word, uint32_t *first)
{
    struct key wanted = { field, word };
    uint32_t count = 0;
    *first = lower_bound(embedded_key_count, key_order, &wanted);
    while (*first + count < embedded_key_count && key_order(*first + count, &wanted) == 0) count++;
    return count;
}

/* ---- words ------------------------------------------------------------------------------------ */

/* The word that contains the byte at that offset of the text. */
static uint32_t word_at(uint32_t place)
{
    uint32_t from = 0, to = embedded_word_count;
    while (to - from > 1) {
        uint32_t middle = from + (to - from) / 2;
        if (embedded_words[middle].text <= place) from = middle;
        else to = middle;
    }
    return from;
}

void lookup_holders(numel_str word, bool *held)
{
    const char *at = embedded_text + embedded_vocabulary;
    const char *end = embedded_text + embedded_words[embedded_word_count].text;
    while (word.n && (size_t)(end - at) >= word.n &&
           (at = memchr(at, word.p[0], (size_t)(end - at) - word.n + 1))) {
        if (memcmp(at, word.p, word.n) != 0) {
            at++;
            continue;
        }
        const struct embedded_word *w = &embedded_words[word_at((uint32_t)(at - embedded_text))];
        for (uint32_t i = w->holders; i < w[1].holders; i++) held[embedded_holders[i]] = true;
        at = embedded_text + w[1].text; /* one hit is enough */
    }
}

/* ---- tables ----------------------------------------------------------------------------------- */

struct table {
    const struct embedded_default *lines;
    numel_str model_type;
};

static numel_str table_line(const struct table *t, uint32_t item)
{
    return (numel_str){ embedded_text + t->lines[item].text, t->lines[item].bytes };
}

static int table_order(uint32_t item, const void *table)
{
    const struct table *t = table;
    numel_str line = table_line(t, item);
    return text_bytes(text_word(&line), t->model_type);
}

static bool table_find(const struct embedded_default *lines, uint32_t count, numel_str model_type,
                       numel_str *line)
{
    struct table t = { lines, model_type };
    uint32_t item = lower_bound(count, table_order, &t);
    if (item == count || table_order(item, &t) != 0) return false;
    *line = table_line(&t, item);
    return true;
}

bool lookup_defaults(numel_str model_type, numel_str *line)
{
    return table_find(embedded_defaults, embedded_default_count, model_type, line);
}

bool lookup_usual(numel_str type, numel_str *line)
{
    return table_find(embedded_usual, embedded_usual_count, type, line);
}

bool lookup_alias(uint32_t i, numel_str *name, numel_str *other)
{
    if (i >= embedded_alias_count) return false;
    const struct embedded_alias *x = &embedded_aliases[i];
    *name = (numel_str){ embedded_text + x->name, x->name_bytes };
    *other = (numel_str){ embedded_text + x->other, x->other_bytes };
    return true;
}

bool lookup_defaults_of(numel_str class, numel_str *line)
{
    for (uint32_t i = 0; i < embedded_default_count; i++) {
        *line = (numel_str){ embedded_text + embedded_defaults[i].text, embedded_defaults[i].bytes };
        numel_str rest = *line, model_type = text_word(&rest);
        if (text_same(text_word(&rest), class) && !memchr(model_type.p, '.', model_type.n)) return true;
    }
    return false;
}

/* Words that begin with "CLASS." directly follow CLASS. */
static int published_order(uint32_t item, const void *table)
{
    const struct table *t = table;
    numel_str line = table_line(t, item), word = text_word(&line), front = word;
    if (word.n > t->model_type.n && word.p[t->model_type.n] == '.') front.n = t->model_type.n;
    if (front.n < word.n && text_same(front, t->model_type)) return 0;
    return text_bytes(word, t->model_type) <= 0 ? -1 : 1;
}

bool lookup_published(numel_str class, uint32_t i, numel_str *line)
{
    struct table t = { embedded_defaults, class };
    uint32_t item = lower_bound(embedded_default_count, published_order, &t) + i;
    if (item >= embedded_default_count || published_order(item, &t) != 0) return false;
    *line = table_line(&t, item);
    return true;
}

bool lookup_classes(numel_str model_type, numel_str *line)
{
    return table_find(embedded_classes, embedded_class_count, model_type, line);
}

bool lookup_classes_line(uint32_t i, numel_str *line)
{
    if (i >= embedded_class_count) return false;
    *line = (numel_str){ embedded_text + embedded_classes[i].text, embedded_classes[i].bytes };
    return true;
}

/* ---- classes that tensors identify ------------------------------------------------------------ */

uint32_t lookup_told(enum told kind, uint32_t number, const uint16_t **lines)
{
    uint32_t from = embedded_told_kinds[kind], end = embedded_told_kinds[kind + 1], to = end;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (embedded_told_numbers[middle].number < number) from = middle + 1;
        else to = middle;
    }
    const struct embedded_number *found = &embedded_told_numbers[from];
    *lines = embedded_told_by + found->lines;
    return from < end && found->number == number ? found[1].lines - found->lines : 0;
}

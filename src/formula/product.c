/* product.c -- see product.h. What is built in has neither comments nor empty lines. */
#include "formula/product.h"

#include "formula/embedded.h"

#include <string.h>

static numel_str built_in(void)
{
    return (numel_str){ embedded_text + embedded_products, embedded_products_bytes };
}

numel_str product_find(const char *id)
{
    for (numel_str rest = built_in(); id && rest.n;) {
        numel_str line = text_line(&rest);
        if (text_equal(text_word(&line), "product") && text_lists(line, text_of(id))) return rest;
    }
    return (numel_str){ NULL, 0 };
}

/* The longest of the globs that fits; 0: none does. */
static size_t fit_of(numel_str globs, numel_str said)
{
    size_t longest = 0;
    for (numel_str word = text_word(&globs); word.n; word = text_word(&globs)) {
        char one[TEXT_QUOTE];
        struct fixed glob = FIXED(one);
        fixed_add(&glob, word);
        if (word.n > longest && text_glob(one, said)) longest = word.n;
    }
    return longest;
}

numel_str product_said(numel_str said)
{
    numel_str at = { NULL, 0 }, best = at;
    size_t longest = 0;
    for (numel_str rest = built_in(); rest.n;) {
        numel_str line = text_line(&rest), word = text_word(&line);
        if (text_equal(word, "product")) at = rest;
        size_t n = text_equal(word, "aka") ? fit_of(line, said) : 0;
        if (n > longest) longest = n, best = at;
    }
    return best;
}

bool product_next(numel_str *lines, const char *kind, numel_str *words)
{
    while (lines->n) {
        *words = text_line(lines);
        numel_str word = text_word(words);
        if (words->n) *words = text_from(*words, 1);
        if (text_equal(word, "product")) lines->n = 0;
        else if (text_equal(word, kind)) return true;
    }
    return false;
}

/* ---- what a file may say ------------------------------------------------------------------- */

static const struct product_line {
    const char *word;
    bool ids, bare;
} kinds[] = { { "product", true, false }, { "name", false, false },    { "aka", false, false },
              { "reads", true, false },   { "together", false, true }, { "vae", true, false } };

struct linting {
    const char *file;
    uint32_t line;
    bool open, named; /* there is a product, and it has a name */
    struct complaints *all;
};

static bool is_id(numel_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789._-", s.p[i]) || !s.p[i]) return false;
    return s.n > 0;
}

static void lint_ids(const struct linting *t, numel_str words)
{
    char shown[TEXT_QUOTE];
    for (numel_str word = text_word(&words); word.n; word = text_word(&words))
        if (!is_id(word))
            complain(t->all, t->file, t->line, 1, "%s is no id: small letters, digits, and . - _",
                     text_quote(shown, word));
}

static void lint_end(const struct linting *t)
{
    if (t->open && !t->named) complain(t->all, t->file, t->line, 1, "the product before this has no name");
}

static void lint_line(struct linting *t, numel_str words)
{
    char shown[TEXT_QUOTE];
    size_t k = 0, count = sizeof kinds / sizeof *kinds;
    numel_str word = text_word(&words), rest = words, first = text_word(&rest);
    if (!word.n || word.p[0] == '#') return;
    while (k < count && !text_equal(word, kinds[k].word)) k++;
    if (k == count) {
        complain(t->all, t->file, t->line, 1, "unknown line %s", text_quote(shown, word));
        return;
    }
    if (k == 0) {
        lint_end(t);
        t->open = true;
        t->named = false;
    }
    if (!t->open) complain(t->all, t->file, t->line, 1, "no line before this one says product ID");
    t->named |= text_equal(word, "name");
    if (!first.n != kinds[k].bare)
        complain(t->all, t->file, t->line, 1,
                 kinds[k].bare ? "%s stands alone" : "%s needs something behind it", kinds[k].word);
    if (kinds[k].ids) lint_ids(t, words);
}

void product_lint(const char *file, numel_str text, struct complaints *all)
{
    struct linting t = { .file = file, .all = all };
    while (text.n) {
        t.line++;
        lint_line(&t, text_line(&text));
    }
    t.line++;
    lint_end(&t);
}

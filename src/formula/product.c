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

struct linting {
    const char *file;
    uint32_t line;
    bool open, named; /* there is a product, and it has a name */
    struct complaints *all;
};

static void lint_end(const struct linting *t)
{
    if (t->open && !t->named) complain(t->all, t->file, t->line, 1, "the product before this has no name");
}

static void lint_line(struct linting *t, numel_str words)
{
    char shown[TEXT_QUOTE];
    numel_str word = text_word(&words), rest = words;
    bool opens = text_equal(word, "product"), alone = text_equal(word, "together");
    bool ids = opens || text_equal(word, "reads") || text_equal(word, "vae");
    const char *wrong = NULL;
    if (!word.n || word.p[0] == '#') return;
    if (opens) lint_end(t);
    t->named = text_equal(word, "name") || (t->named && !opens);
    t->open |= opens;
    if (!ids && !alone && !text_lists(text_of("name aka"), word)) wrong = "is not a line of a product";
    else if (!t->open) wrong = "stands before any product";
    else if (!text_word(&rest).n != alone) wrong = alone ? "stands alone" : "needs something behind it";
    else if (ids && text_glob("*[!a-z0-9. _-]*", words))
        wrong = "takes ids: lower-case letters, digits, and . - _";
    if (wrong) complain(t->all, t->file, t->line, 1, "%s %s", text_quote(shown, word), wrong);
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

/* product.c -- see product.h. The built-in text has neither comments nor empty lines. */
#include "formula/product.h"

#include "formula/embedded.h"

#include <ctype.h>
#include <string.h>

static numel_str built_in(void)
{
    return (numel_str){ embedded_text + embedded_products, embedded_products_bytes };
}

/* Advances past the line that begins the next product. */
static bool next_product(numel_str *rest, numel_str *ids)
{
    while (rest->n) {
        *ids = text_line(rest);
        if (text_equal(text_word(ids), "product")) return true;
    }
    return false;
}

static numel_str find(numel_str id)
{
    numel_str ids;
    for (numel_str rest = built_in(); next_product(&rest, &ids);)
        if (text_lists(ids, id)) return rest;
    return (numel_str){ NULL, 0 };
}

numel_str product_find(const char *id) { return id ? find(text_of(id)) : (numel_str){ NULL, 0 }; }

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

numel_str product_name(const char *id)
{
    numel_str lines = product_find(id), name;
    return product_next(&lines, "name", &name) ? name : (numel_str){ NULL, 0 };
}

/* ---- names that others use -------------------------------------------------------------------- */

/* Makes "stable-diffusion-xl-v1-base" and "Stable Diffusion XL" begin alike. */
static void add_plain(struct fixed *out, numel_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (isalnum((unsigned char)s.p[i]) || (s.p[i] && strchr("/*?", s.p[i])))
            fixed_char(out, (char)tolower((unsigned char)s.p[i]));
}

/* Length of the longest of its globs that matches; 0 if none does. */
static size_t fit_of(numel_str lines, const struct product_said *s)
{
    size_t longest = 0;
    for (numel_str globs; product_next(&lines, s->kind, &globs);)
        for (numel_str word = text_word(&globs); word.n; word = text_word(&globs)) {
            char one[TEXT_QUOTE];
            struct fixed glob = FIXED(one);
            add_plain(&glob, word);
            if (glob.n > longest && text_glob(one, s->text)) longest = glob.n;
        }
    return longest;
}

bool product_said(struct product_said *s, struct arena *a, const char *kind, numel_str said)
{
    char *own = arena_alloc(a, said.n + 1);
    if (!own) return false;
    struct fixed plain = fixed_of(own, said.n + 1);
    add_plain(&plain, said);
    *s = (struct product_said){ .kind = kind, .text = fixed_str(&plain), .rest = built_in() };
    numel_str ids;
    for (numel_str rest = s->rest; next_product(&rest, &ids);) {
        size_t n = fit_of(rest, s);
        if (n > s->longest) s->longest = n;
    }
    return s->longest > 0;
}

bool product_said_next(struct product_said *s, numel_str *lines)
{
    while (next_product(&s->rest, lines)) {
        *lines = s->rest;
        if (fit_of(*lines, s) == s->longest) return true;
    }
    return false;
}

/* The product that it is `of`; n 0 if none. */
static numel_str above(numel_str lines)
{
    numel_str id;
    return product_next(&lines, "of", &id) ? find(id) : (numel_str){ NULL, 0 };
}

enum { STEPS = 8 }; /* limit for chains of `of` */

static bool is_of(numel_str lines, numel_str other)
{
    for (int i = 0; i < STEPS && lines.n; i++, lines = above(lines))
        if (lines.p == other.p) return true;
    return false;
}

numel_str product_reading(const char *id)
{
    numel_str own = product_find(id), words;
    for (int i = 0; i < STEPS; i++) {
        numel_str texts = own, vaes = own, next = above(own);
        if (!next.n || product_next(&texts, "reads", &words) || product_next(&vaes, "vae", &words)) break;
        own = next;
    }
    return own;
}

bool product_akin(numel_str one, numel_str two) { return is_of(one, two) || is_of(two, one); }

bool product_has(numel_str globs, numel_str name)
{
    for (numel_str word = text_word(&globs); word.n; word = text_word(&globs)) {
        char one[TEXT_QUOTE];
        struct fixed glob = FIXED(one);
        fixed_add(&glob, word);
        if (text_glob(one, name)) return true;
    }
    return false;
}

numel_str product_of_base(const char *name)
{
    numel_str ids, globs;
    for (numel_str rest = built_in(); next_product(&rest, &ids);)
        for (numel_str lines = rest; product_next(&lines, "base", &globs);)
            if (product_has(globs, text_of(name))) return rest;
    return (numel_str){ NULL, 0 };
}

/* ---- checking a file ----------------------------------------------------------------------- */

struct linting {
    const char *file;
    uint32_t line;
    bool open, named; /* a product is open, and it has a name */
    struct complaints *all;
};

static void lint_end(const struct linting *t)
{
    if (t->open && !t->named) complain(t->all, t->file, t->line, 1, "the previous product has no name");
}

static void lint_line(struct linting *t, numel_str words)
{
    char shown[TEXT_QUOTE];
    numel_str word = text_word(&words), rest = words;
    bool opens = text_equal(word, "product"), alone = text_lists(text_of("together apart turned"), word);
    bool ids = opens || text_lists(text_of("reads carries vae of"), word);
    const char *wrong = NULL;
    if (!word.n || word.p[0] == '#') return;
    if (opens) lint_end(t);
    t->named = text_equal(word, "name") || (t->named && !opens);
    t->open |= opens;
    if (!ids && !alone && !text_lists(text_of("name aka repo class base spec"), word))
        wrong = "cannot be in a product";
    else if (!t->open) wrong = "comes before any product";
    else if (!text_word(&rest).n != alone) wrong = alone ? "takes no value" : "needs a value";
    else if (ids && text_glob("*[!a-z0-9. _-]*", words))
        wrong = "takes ids: lower-case letters, digits, and . - _";
    if (wrong) complain(t->all, t->file, t->line, 1, "%s %s", text_quote(shown, word), wrong);
}

void product_lint(const char *file, numel_str text, struct complaints *all)
{
    struct linting t = { .file = file, .all = all };
    for (bool on = false; text.n;) { /* a backslash continues the line */
        numel_str line = text_line(&text);
        t.line++;
        if (!on) lint_line(&t, line);
        on = text_last(line) == '\\';
    }
    t.line++;
    lint_end(&t);
}

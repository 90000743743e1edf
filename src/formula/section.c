/* section.c -- finds the lines that open and close print sections; section.h has the contract. */
#include "formula/section.h"

/* The next word of a line, up to its comment. */
static numel_str word_of(numel_str *line)
{
    numel_str word = text_word(line);
    if (word.n && word.p[0] == '#') *line = word = (numel_str){ line->p, 0 };
    return word;
}

bool section_opens(numel_str line, numel_str *types)
{
    if (!text_equal(word_of(&line), "print")) return false;
    numel_str first = word_of(&line), last = first;
    for (numel_str next = first; next.n; next = word_of(&line)) last = next;
    if (types) *types = first.n ? text_span(first.p, last.p + last.n) : first;
    return true;
}

bool section_closes(numel_str line)
{
    return text_equal(word_of(&line), "end") && text_equal(word_of(&line), "print");
}

/* Advances to the next line that opens a section, or to the end. */
static bool find_opening(numel_str *rest)
{
    while (rest->n) {
        numel_str after = *rest;
        if (section_opens(text_line(&after), NULL)) return true;
        *rest = after;
    }
    return false;
}

static numel_str between(numel_str from, numel_str to) { return text_span(from.p, to.p); }

numel_str section_before(numel_str text)
{
    numel_str rest = text;
    find_opening(&rest);
    return between(text, rest);
}

bool section_next(numel_str text, size_t *at, struct print_section *out)
{
    numel_str rest = text_from(text, *at), line;
    if (!find_opening(&rest)) return false;
    out->line = 1;
    for (const char *p = text.p; p < rest.p; p++) out->line += *p == '\n';
    line = text_line(&rest);
    section_opens(line, &out->types);
    numel_str from = rest, to = rest;
    bool closed = false;
    while (rest.n && !closed) {
        closed = section_closes(text_line(&rest));
        if (!closed) to = rest;
    }
    out->text = between(from, to);
    *at = (size_t)(rest.p - text.p);
    return true;
}

static bool names(numel_str types, numel_str model_type)
{
    for (numel_str word = word_of(&types); word.n; word = word_of(&types))
        if (text_same(word, model_type)) return true;
    return false;
}

bool section_named(numel_str text, numel_str model_type, struct print_section *out)
{
    for (size_t at = 0; model_type.n && section_next(text, &at, out);)
        if (names(out->types, model_type)) return true;
    return false;
}

bool section_for(numel_str text, numel_str model_type, struct print_section *out)
{
    if (section_named(text, model_type, out)) return true;
    for (size_t at = 0; section_next(text, &at, out);)
        if (!out->types.n) return true;
    return false;
}

/* piece.c -- see piece.h. Parses a name: the suffix of a checkpoint, a word, and the number of the piece. */
#include "reader/piece.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>

enum { LABEL_MOST = 20, LETTERS_MOST = 3 };

/* The end of the last ".gguf" or ".safetensors" in a name; 0 if there is none. */
static size_t end_of_whole(numel_str name)
{
    static const char *const ends[] = { ".gguf", ".safetensors" };
    for (size_t at = name.n; at > 1; at--)
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
            if (text_ends((numel_str){ name.p, at }, ends[i])) return at;
    return 0;
}

static size_t count(numel_str s, int (*is)(int))
{
    size_t n = 0;
    while (n < s.n && is((unsigned char)s.p[n])) n++;
    return n;
}

static size_t count_digits(numel_str s) { return count(s, isdigit); }

/* "1of2", "00001-of-00002" */
static bool is_of(numel_str s)
{
    size_t n = count_digits(s);
    numel_str rest = text_from(s, n);
    if (n == 0) return false;
    bool dashed = text_starts(rest, "-of-");
    if (!dashed && !text_starts(rest, "of")) return false;
    rest = text_from(rest, dashed ? 4 : 2);
    return rest.n && count_digits(rest) == rest.n;
}

static size_t count_digits_behind(numel_str s)
{
    size_t n = 0;
    while (isdigit((unsigned char)text_last(text_less(s, n)))) n++;
    return n;
}

/* Any label is accepted after a word; without one, only those of split(1) and 7-Zip. */
static bool is_label(numel_str s, bool word)
{
    if (s.n == 0 || s.n > LABEL_MOST) return false;
    if (is_of(s)) return true;
    if (count_digits(s) == s.n) return word || s.n == 3;
    if (count(s, islower) != s.n || s.n > LETTERS_MOST) return false;
    return word || (s.n == 2 && s.p[0] == 'a') || (s.n == 3 && text_starts(s, "aa"));
}

static bool is_mark(char c) { return c == '.' || c == '-' || c == '_'; }

bool piece_parse(numel_str name, struct piece *out)
{
    static const char *const words[] = { "part", "split", "piece", "chunk" };
    size_t end = end_of_whole(name);
    numel_str rest = text_from(name, end);
    bool word = false;
    if (!end || rest.n < 2 || !is_mark(rest.p[0])) return false;
    rest = text_from(rest, 1);
    for (size_t i = 0; i < sizeof words / sizeof *words && !word; i++) {
        word = text_starts(rest, words[i]);
        if (word) rest = text_from(rest, strlen(words[i]));
    }
    if (word && rest.n && is_mark(rest.p[0])) rest = text_from(rest, 1);
    if (!is_label(rest, word)) return false;
    *out = (struct piece){ { name.p, end }, { name.p, (size_t)(rest.p - name.p) }, rest };
    return true;
}

/* "1 of 2", "'a'" */
static void put_label(const struct piece *p, char out[TEXT_QUOTE])
{
    char number[TEXT_QUOTE], total[TEXT_QUOTE];
    size_t n = count_digits(p->label), of = is_of(p->label) ? count_digits_behind(p->label) : 0;
    if (!of) text_quote(out, p->label);
    else
        text_format(out, TEXT_QUOTE, "%s of %s", text_bare(number, (numel_str){ p->label.p, n }),
                    text_bare(total, text_tail(p->label, of)));
}

/* Does a shell list the pieces in order? part10of12 would come before part2of12. */
static bool sorts(const struct piece *p)
{
    return !is_of(p->label) || count_digits(p->label) == count_digits_behind(p->label);
}

void piece_help(const struct piece *p, char *text, size_t size)
{
    char whole[TEXT_QUOTE], front[TEXT_QUOTE];
    text_quote(whole, p->whole);
    if (sorts(p))
        text_format(text, size, "join the pieces in order: cat %s* > %s", text_quote(front, p->front), whole);
    else text_format(text, size, "join the pieces in order with cat, into %s", whole);
}

void piece_text(const struct piece *p, char *text, size_t size)
{
    char whole[TEXT_QUOTE], label[TEXT_QUOTE], help[PIECE_HELP];
    piece_help(p, help, sizeof help);
    put_label(p, label);
    text_format(text, size, "piece %s of %s, cut by bytes: %s", label, text_quote(whole, p->whole), help);
}

bool piece_in(const struct folder *f, struct piece *out)
{
    for (size_t i = 0; f && i < f->count; i++)
        if (!f->entries[i].directory && piece_parse(f->entries[i].name, out)) return true;
    return false;
}

/*
 * text_paint.c -- what a cell means (tone.h), as colours of a terminal; and bars.
 *
 * The colours are six of the 16 that each terminal lets its user choose, so that they can be read on dark and
 * light backgrounds: never white, black or bright yellow. Bold is for titles and headings. A colour repeats
 * what the words say; bars differ in their shades, too.
 */
#include "page/text_internal.h"

#include "base/num.h"
#include "base/text.h"
#include "page/tone.h"

#include <string.h>

#define SGR(n) "\033[" #n "m"

static const char *code_of_tone(enum tone tone)
{
    static const char *const codes[] = {
        [TONE_GOOD] = SGR(32), [TONE_PART] = SGR(33), [TONE_BAD] = SGR(31),
        [TONE_WIDE] = SGR(94), [TONE_HALF] = SGR(36), [TONE_SMALL] = SGR(35),
    };
    return (size_t)tone < sizeof codes / sizeof *codes ? codes[tone] : NULL;
}

static const char *code_of_role(enum cell_role role)
{
    static const char *const codes[] = {
        [ROLE_ATTENTION] = SGR(36), [ROLE_FEED_FORWARD] = SGR(94), [ROLE_EXPERT] = SGR(94),
        [ROLE_EMBEDDING] = SGR(35), [ROLE_HEAD] = SGR(35),
    };
    return (size_t)role < sizeof codes / sizeof *codes ? codes[role] : NULL;
}

static struct paint of_code(const char *code) { return (struct paint){ .code = code, .left = SIZE_MAX }; }

struct paint paint_heading(const numel_style *style) { return of_code(style->color ? SGR(1) : NULL); }

/* A bar without a role has a colour, too, as much of it would be hard on the eye. */
struct paint paint_bar(const numel_style *style, enum cell_role role, bool less)
{
    const char *code = code_of_role(role);
    struct paint how = of_code(!style->color || role == ROLE_SEVERAL ? NULL : code ? code : SGR(94));
    how.blocks = style->blocks;
    how.shade = less || role == ROLE_SEVERAL;
    return how;
}

struct paint paint_of(const numel_style *style, const struct column *is, const struct cell *c, numel_str text,
                      size_t done)
{
    struct paint how = { .color = style->color, .blocks = style->bars && style->blocks };
    how.signs = is->flags & COLUMN_SIGNS && (how.blocks || how.color);
    if (!style->color) return how;
    how.types = is->flags & COLUMN_TYPE;
    if (is->flags & COLUMN_ROLE) how = of_code(code_of_role(role_of(text)));
    else if (c->role) how = of_code(code_of_role(c->role));
    else if (c->tone) how.code = code_of_tone(c->tone), how.left = c->n ? num_left(c->n, done) : SIZE_MAX;
    return how;
}

/* ---- a piece of text ---------------------------------------------------------------------- */

static void put_code(struct buffer *out, const char *code, numel_str s)
{
    if (!s.n) return;
    if (code) buffer_text(out, code);
    buffer_str(out, s);
    if (code) buffer_text(out, SGR(0));
}

static size_t word_end(numel_str s)
{
    size_t n = 0;
    while (n < s.n && !strchr(" ,+", s.p[n])) n++;
    return n;
}

static void put_types(struct buffer *out, numel_str s)
{
    while (s.n) {
        size_t n = word_end(s);
        put_code(out, code_of_tone(tone_of_type(text_upto(s, n))), text_upto(s, n));
        buffer_str(out, text_slice(s, n, n + 1));
        s = text_from(s, n + 1);
    }
}

static const struct {
    char sign;
    const char *block, *code;
} signs[] = { { '#', "\u2588", SGR(94) }, { '=', "\u2593", SGR(36) }, { '-', "\u2591", SGR(35) } };
enum { SIGNS = sizeof signs / sizeof *signs };

/* Which sign is it? It has only signs and blanks at its sides; SIGNS for any other character. */
static size_t sign_at(numel_str s, size_t i)
{
    static const char beside[] = " #=->";
    size_t k = 0;
    while (k < SIGNS && signs[k].sign != s.p[i]) k++;
    bool before = i == 0 || strchr(beside, s.p[i - 1]), after = i + 1 >= s.n || strchr(beside, s.p[i + 1]);
    return before && after ? k : SIGNS;
}

static void put_signs(struct buffer *out, const struct paint *how, numel_str s)
{
    for (size_t i = 0, n; i < s.n; i += n) {
        size_t k = sign_at(s, i);
        for (n = 1; i + n < s.n && s.p[i + n] == s.p[i] && sign_at(s, i + n) == k;) n++;
        if (how->color && k < SIGNS) buffer_text(out, signs[k].code);
        for (size_t j = 0; j < n; j++)
            if (how->blocks && k < SIGNS) buffer_text(out, signs[k].block);
            else buffer_char(out, s.p[i]);
        if (how->color && k < SIGNS) buffer_text(out, SGR(0));
    }
}

void paint_put(struct buffer *out, struct paint *how, numel_str piece)
{
    if (how->signs) {
        put_signs(out, how, piece);
    } else if (how->types) {
        put_types(out, piece);
    } else {
        put_code(out, how->code, text_upto(piece, how->left));
        buffer_str(out, text_from(piece, how->left));
        if (how->left != SIZE_MAX) how->left -= num_min(how->left, piece.n + 1); /* and a blank */
    }
}

/* ---- bars --------------------------------------------------------------------------------- */

/* Its length is its share in eighths of a column, rounded down; without partial blocks, in columns, rounded. */
void bar_put(struct line *l, size_t pos, uint64_t u, uint64_t n, size_t width)
{
    static const char *const eighths[] = { "",       "\u258f", "\u258e", "\u258d",
                                           "\u258c", "\u258b", "\u258a", "\u2589" };
    const struct paint *how = &l->paint;
    const char *block = how->shade ? (how->blocks ? "\u2592" : "-") : how->blocks ? "\u2588" : "#";
    bool partial = how->blocks && !how->shade;
    char text[3 * BAR_MOST + 1];
    struct fixed bar = FIXED(text);
    u = num_min(u, n);
    while (n > UINT64_MAX / (16 * BAR_MOST)) n /= 2, u /= 2;
    uint64_t parts = n ? (u * num_min(width, BAR_MOST) * 8 + (partial ? 0 : n * 4)) / n : 0;
    for (uint64_t i = 0; i < parts / 8; i++) fixed_text(&bar, block);
    if (partial) fixed_text(&bar, eighths[parts % 8]);
    line_put(l, pos, text, strlen(text), (size_t)(parts / 8 + (partial && parts % 8)));
}

/*
 * lines.c -- reading a printout: removes escapes, prompts, quotation marks and fences, line by line.
 *
 * Each function measures one thing at one place; nothing is read twice, so the time is linear in the text.
 */
#include "printout/lines.h"

#include "base/text.h"

#include <ctype.h>

/* Length of the escape sequence at p, which starts with ESC: CSI up to its final byte, OSC up to BEL
 * or ST, else two bytes. */
static size_t escape_length(const char *p, size_t n)
{
    size_t i = 2;
    if (n < 2) return n;
    if (p[1] == '[') {
        while (i < n && !(p[i] >= 0x40 && p[i] <= 0x7e)) i++;
        return i < n ? i + 1 : n;
    }
    if (p[1] == ']') {
        while (i < n && p[i] != '\a' && p[i] != 0x1b) i++;
        return i + 1 < n && p[i] == 0x1b ? i + 2 : i < n ? i + 1 : n;
    }
    return i;
}

/* The text that a terminal shows for a line with carriage returns: the part after the last one. */
static numel_str last_stroke(numel_str line)
{
    while (text_take_end(&line, "\r")) continue;
    return text_after(line, '\r');
}

/* Length of a character that becomes one space: tabs and other controls, the non-breaking and the
 * figure space, and the vertical rules of frames. */
static size_t blank_length(const char *p, size_t n)
{
    if ((unsigned char)p[0] < 0x20 || p[0] == 0x7f) return 1;
    if (n >= 2 && memcmp(p, "\xc2\xa0", 2) == 0) return 2;
    if (n >= 3 && (memcmp(p, "\xe2\x80\x87", 3) == 0 || memcmp(p, "\xe2\x94\x82", 3) == 0 ||
                   memcmp(p, "\xe2\x94\x83", 3) == 0))
        return 3;
    if (n < 2 || p[0] != '\\' || p[1] != 'n') return 0;
    return n >= 4 && p[2] == '"' && p[3] == ',' ? 4 : n >= 3 && p[2] == '"' ? 3 : 2; /* of JSON */
}

/* Length of a mark before the text of a line, or 0: "#", "//", ">>>", "*", "|", "\"", "Out[5]:",
 * "[34]:", "[rank0]:". */
static size_t mark_length(const char *p, size_t n)
{
    enum { LABEL = 24 };
    size_t i = 0;
    if (memchr("#>|*\"", p[0], 5)) return 1;
    if (n >= 2 && memcmp(p, "//", 2) == 0) return 2;
    if (n >= 3 && memcmp(p, "Out", 3) == 0) i = 3;
    if (n >= 2 && memcmp(p, "In", 2) == 0) i = 2;
    if (i >= n || p[i] != '[') return 0;
    for (i++; i < n && i < LABEL && (isalnum((unsigned char)p[i]) || p[i] == ' ' || p[i] == '*'); i++)
        continue;
    return i + 1 < n && p[i] == ']' && p[i + 1] == ':' ? i + 2 : 0;
}

/* Turns the marks at the front of a plain line into spaces. */
static void blank_marks(char *p, size_t n)
{
    enum { MARKS = 8 }; /* ">>> # "; further ones are part of the text */
    size_t i = 0, length;
    for (int turn = 0; turn < MARKS; turn++) {
        while (i < n && p[i] == ' ') i++;
        if (i == n || (length = mark_length(p + i, n - i)) == 0) return;
        memset(p + i, ' ', length);
        i += length;
    }
}

static void plain_line(struct buffer *out, numel_str line)
{
    size_t start = out->n;
    line = last_stroke(line);
    for (size_t i = 0, length; i < line.n;) {
        if (line.p[i] == 0x1b) {
            i += escape_length(line.p + i, text_from(line, i).n);
        } else if ((length = blank_length(line.p + i, text_from(line, i).n)) > 0) {
            buffer_char(out, ' ');
            i += length;
        } else {
            buffer_char(out, line.p[i++]);
        }
    }
    if (!out->failed && out->n > start) blank_marks(out->p + start, text_from(buffer_view(out), start).n);
    buffer_char(out, '\n');
}

void lines_plain(struct buffer *out, numel_str text)
{
    while (text.n && !out->failed) plain_line(out, text_cut(&text, '\n'));
}

/*
 * text.h -- texts from files are untrusted: they are checked as UTF-8, and escaped before anyone sees them.
 *
 * A name may contain terminal escape sequences, quotes, NUL, or bytes that are not text at all. For people,
 * control and invisible characters become \n, \x1b, \u202e, and invalid bytes \xff. For JSON, a name becomes
 * a string literal of RFC 8259; invalid bytes become U+FFFD, since JSON cannot represent them.
 */
#ifndef NUMEL_BASE_TEXT_H
#define NUMEL_BASE_TEXT_H

#include "base/buffer.h"
#include "base/fixed.h"
#include "base/num.h"

#include <string.h>

/* The length of the valid UTF-8 sequence at p, 1 to 4; 0 if invalid (overlong, surrogate, above U+10FFFF,
 * cut short). Sets *code, unless NULL, to the character. */
unsigned text_sequence(const uint8_t *p, uint64_t n, uint32_t *code);
/* The offset of the first byte that is not UTF-8, or n. */
uint64_t text_utf8(const uint8_t *p, uint64_t n);

/* Copies of remote files are in a private folder (source/private.h), whose path precedes their URL. People see
 * the URL: whatever escapes, quotes or writes a text leaves that start out. Other texts are unchanged. */
#define TEXT_PRIVATE "numel-remote." /* and six characters */
numel_str text_url(numel_str path);  /* for text_shown() */
static inline numel_str text_shown(numel_str s);
static inline const char *path_shown(const char *path);

void text_escape(struct buffer *b, numel_str s);
void text_json(struct buffer *b, numel_str s); /* with its quotes */
/* For text to be shown, from any source. Escaped as by text_escape(), but backslashes stay, so escaped
 * text is not escaped again. With `lines`, newlines stay. */
void text_safe(struct buffer *b, numel_str s, bool lines);
/* Like text_safe(), into out[room] with a NUL: as many whole characters as fit. Returns the bytes that the
 * whole text would need. */
size_t text_safe_fit(char *out, size_t room, numel_str s);
/* The length of a text that was cut, without a partial character at its end. */
size_t text_whole(numel_str s);
/* Like text_safe(), for an element or a quoted attribute of XML 1.0: markup becomes references, and
 * characters that XML does not allow are escaped. */
void text_xml(struct buffer *b, numel_str s);
/* Appends a path as a URI reference of RFC 3986, "file:///srv/a%20b" or "a/b". All bytes are
 * percent-encoded except unreserved ones and '/'. */
void text_uri(struct buffer *b, numel_str path);
/* For text that is already JSON: only characters that a terminal would interpret or hide become \uXXXX. */
void text_tame(struct buffer *b, numel_str json);

/* Escapes and quotes a text for a message, 'name'; a long one is cut in the middle. Returns out. */
enum { TEXT_QUOTE = 300 };
char *text_quote(char out[TEXT_QUOTE], numel_str s);
/* Like text_quote(), without quotes. */
char *text_bare(char out[TEXT_QUOTE], numel_str s);
/* "[4096, 32]", cut if long. */
char *text_dims(char out[TEXT_QUOTE], const uint64_t *dims, uint32_t n);
/* "6,738,415,616" */
enum { TEXT_NUMBER = 32 };
char *text_number(char out[TEXT_NUMBER], uint64_t v);
/* "6738415616" or "-1", in `digits`, not NUL-terminated. */
enum { TEXT_DECIMAL = 24 };
numel_str text_decimal(char digits[TEXT_DECIMAL], int64_t v);
/* "1 tensor", "6,738 tensors": for nouns of up to 30 bytes with a regular plural. */
enum { TEXT_COUNT = 64 };
char *text_count(char out[TEXT_COUNT], uint64_t n, const char *noun);

/* The terminal columns that escaped text takes: wide characters count 2, marks 0. */
size_t text_columns(const char *p, size_t n);

static inline numel_str text_of(const char *p) { return (numel_str){ p, strlen(p) }; }

static inline bool text_equal(numel_str a, const char *b) /* inline, since b is usually a constant */
{
    size_t n = strlen(b);
    return a.n == n && (n == 0 || memcmp(a.p, b, n) == 0);
}

static inline bool text_same(numel_str a, numel_str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

/* For short texts, without a call. The last word overlaps the previous one. */
static inline bool text_bytes_same(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    for (; i + 8 < n; i += 8)
        if (num_word(a + i) != num_word(b + i)) return false;
    if (n >= 8) return num_word(a + n - 8) == num_word(b + n - 8);
    if (n >= 4)
        return num_bytes(a, 4) == num_bytes(b, 4) && num_bytes(a + n - 4, 4) == num_bytes(b + n - 4, 4);
    while (i < n && a[i] == b[i]) i++;
    return i == n;
}

/* Joins three texts byte for byte, like arena_join() (memory.h); p is NULL if they do not fit into
 * out[room]. */
numel_str text_join(char *out, size_t room, numel_str x, numel_str y, numel_str z);
bool text_ends(numel_str s, const char *end);

static inline bool text_starts(numel_str s, const char *start)
{
    size_t n = strlen(start);
    return s.n >= n && memcmp(s.p, start, n) == 0;
}

/* Slices of a text: after its first n bytes, its first n, without its last n, its last n. If the text is
 * shorter, the result is shorter or empty; lengths never wrap. */
static inline numel_str text_from(numel_str s, size_t n)
{
    if (n > s.n) n = s.n;
    return n ? (numel_str){ s.p + n, s.n - n } : s; /* s.p may be NULL */
}
static inline numel_str text_upto(numel_str s, size_t n) { return (numel_str){ s.p, n < s.n ? n : s.n }; }
static inline numel_str text_less(numel_str s, size_t n) { return (numel_str){ s.p, n < s.n ? s.n - n : 0 }; }
static inline numel_str text_tail(numel_str s, size_t n) { return text_from(s, n < s.n ? s.n - n : 0); }
/* The bytes [from, to). */
static inline numel_str text_slice(numel_str s, size_t from, size_t to)
{
    return text_from(text_upto(s, to), from);
}
/* From one position in a text to before another. */
static inline numel_str text_span(const char *from, const char *to)
{
    return (numel_str){ from, to > from ? (size_t)(to - from) : 0 };
}
/* Without the first and last byte, such as quotes or brackets. */
static inline numel_str text_inner(numel_str s) { return text_less(text_from(s, 1), 1); }
/* From a position in the text on. */
static inline numel_str text_behind(numel_str s, const char *at) { return text_from(s, (size_t)(at - s.p)); }
/* The first and last byte; 0 if empty. */
static inline char text_first(numel_str s) { return s.n ? s.p[0] : 0; }
static inline char text_last(numel_str s) { return s.n ? s.p[s.n - 1] : 0; }
/* The offset of the first such byte at or after `from`; s.n if there is none. */
static inline size_t text_find(numel_str s, size_t from, char byte)
{
    const char *at = from < s.n ? memchr(s.p + from, byte, s.n - from) : NULL;
    return at ? (size_t)(at - s.p) : s.n;
}
static inline numel_str text_shown(numel_str s) { return s.n && s.p[0] == '/' ? text_url(s) : s; }
static inline const char *path_shown(const char *path)
{
    return path[0] == '/' ? text_shown(text_of(path)).p : path;
}
/* Removes that start or end; false if the text has another. */
bool text_take_start(numel_str *s, const char *start);
bool text_take_end(numel_str *s, const char *end);
/* Up to and including the last such byte; empty if there is none. What follows it, or all of it. */
numel_str text_head(numel_str s, char byte);
static inline numel_str text_after(numel_str s, char byte) { return text_from(s, text_head(s, byte).n); }

/* Converts ASCII letters to lower case, into out[room], without a NUL; cuts a longer text. */
numel_str text_lower(char *out, size_t room, numel_str s);
/* True for one or more digits and nothing else. */
static inline bool text_is_number(numel_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] < '0' || s.p[i] > '9') return false;
    return s.n > 0;
}
/* True for letters and _, and digits after the first byte. */
bool text_is_name(numel_str s);
/* The next of several words separated by blanks, which is skipped; n is 0 at the end. */
numel_str text_word(numel_str *rest);
/* True if it is one of the words. */
bool text_lists(numel_str words, numel_str word);
/* The part before the sign; moves past both. The whole text if there is no sign. */
numel_str text_cut(numel_str *rest, char sign);
/* True if it is in a list such as "a,b,c", separated by `sign`. */
bool text_listed(numel_str list, char sign, numel_str item);
/* Where it is in s; s.n if it is not there, or empty. */
size_t text_seek(numel_str s, numel_str part);
static inline bool text_holds(numel_str s, numel_str part) { return text_seek(s, part) < s.n; }
/* The next line, without its end (\n or \r\n), moved past. An empty one also counts: first check whether
 * anything is left. */
numel_str text_line(numel_str *rest);
/* Compares bytes; a text sorts before a longer one that begins with it. */
int text_bytes(numel_str a, numel_str b);
/* The length of the common start. */
size_t text_shared(numel_str a, numel_str b);
/* Natural order: digits compare as numbers, so layer 2 comes before layer 10. */
int text_natural(numel_str a, numel_str b);
/* Matches a shell glob against the whole name: * ? [a-z] [!a-z]; a lone [ is itself. Compares bytes; *
 * also matches dots and slashes. At worst, the time is that of comparing the whole pattern at each byte. */
bool text_glob(const char *pattern, numel_str s);
/* Does one of the globs, separated by blanks, match? Each has at most 63 bytes. */
bool text_globs(numel_str patterns, numel_str s);
/* The same as text_glob() with only * special, as in huggingface.js: ? and [ are themselves. */
bool text_glob_stars(const char *pattern, numel_str s);
/* Matches a glob if the pattern contains one of * ? [; otherwise searches for it in the name. */
bool text_search(const char *pattern, numel_str s);

/* Appends the name with '*' for each number between dots: "model.layers.*.mlp.gate". */
void text_starred(struct buffer *b, numel_str name);

#endif

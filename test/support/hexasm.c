/*
 * hexasm.c -- see hexasm.h for the language. A single pass: each item appends its bytes; only the length
 * before a safetensors header is patched later.
 */
#include "hexasm.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOO_BIG = 64 << 20 }; /* fixtures are small: a larger one is a typing error */

struct assembler {
    struct hex *out;
    const char *at, *end; /* current line number */
    bool big_endian;
    bool in_header, implicit; /* implicit: opened by json, closed by the next other item */
    bool forced;              /* header N */
    uint64_t length;          /* N */
    size_t header_at;         /* position of the length */
};

static bool fail(struct assembler *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(struct assembler *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!a->out->error[0]) vsnprintf(a->out->error, sizeof a->out->error, format, args);
    va_end(args);
    return false;
}

static bool put(struct assembler *a, const void *p, size_t n)
{
    struct hex *o = a->out;
    if (n > TOO_BIG - o->n) return fail(a, "more than %d bytes", (int)TOO_BIG);
    if (o->n + n > o->cap) {
        size_t cap = (o->n + n) * 2 + 256;
        unsigned char *grown = realloc(o->p, cap);
        if (!grown) return fail(a, "out of memory");
        o->p = grown;
        o->cap = cap;
    }
    if (n) memcpy(o->p + o->n, p, n);
    o->n += n;
    return true;
}

static bool put_times(struct assembler *a, uint64_t times, unsigned char byte)
{
    if (times > TOO_BIG) return fail(a, "more than %d bytes", (int)TOO_BIG);
    while (times--)
        if (!put(a, &byte, 1)) return false;
    return true;
}

static void store(unsigned char *p, unsigned n, uint64_t v, bool big_endian)
{
    for (unsigned i = 0; i < n; i++) p[big_endian ? n - 1 - i : i] = (unsigned char)(v >> 8 * i);
}

static bool put_uint(struct assembler *a, unsigned n, uint64_t v)
{
    unsigned char bytes[8];
    store(bytes, n, v, a->big_endian);
    return put(a, bytes, n);
}

/* ---- words ------------------------------------------------------------------------------- */

static void skip_blank(struct assembler *a)
{
    while (a->at < a->end && (*a->at == ' ' || *a->at == '\t' || *a->at == '\r')) a->at++;
}

/* Reads the next word of the line into w[32]; false at the end of the line or before a comment. */
static bool next_word(struct assembler *a, char w[32])
{
    size_t n = 0;
    skip_blank(a);
    if (a->at == a->end || *a->at == '#') return false;
    while (a->at < a->end && !strchr(" \t\r#\"", *a->at) && n < 31) w[n++] = *a->at++;
    if (n == 0) w[n++] = *a->at++;
    w[n] = 0;
    return true;
}

static int digit(char c)
{
    const char *all = "0123456789abcdef", *p;
    if (c >= 'A' && c <= 'F') c = (char)(c + 32);
    p = c ? strchr(all, c) : NULL;
    return p ? (int)(p - all) : -1;
}

static bool byte_of(const char *w, unsigned char *out)
{
    int high = digit(w[0]), low = high < 0 ? -1 : digit(w[1]);
    if (low < 0) return false;
    *out = (unsigned char)(high * 16 + low);
    return true;
}

static bool word_byte(struct assembler *a, unsigned char *out)
{
    char w[32];
    return next_word(a, w) && byte_of(w, out) && !w[2] ? true : fail(a, "two hex digits expected");
}

static bool number_of(const char *w, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = w[0] == '-' ? (uint64_t)strtoll(w, &end, 0) : strtoull(w, &end, 0);
    return w[0] && !*end && !errno && (w[0] == '-' || (w[0] >= '0' && w[0] <= '9'));
}

static bool word_number(struct assembler *a, uint64_t *out)
{
    char w[32];
    return next_word(a, w) && number_of(w, out) ? true : fail(a, "a number expected");
}

/* ---- strings ----------------------------------------------------------------------------- */

static bool escape(struct assembler *a, unsigned char *out)
{
    static const char from[] = "\"\\ntr0", to[] = "\"\\\n\t\r";
    char c = a->at < a->end ? *a->at++ : 0;
    const char *p = c ? strchr(from, c) : NULL;
    if (p) {
        *out = (unsigned char)to[p - from];
        return true;
    }
    if (c != 'x' || a->end - a->at < 2 || !byte_of(a->at, out)) return fail(a, "unknown escape");
    a->at += 2;
    return true;
}

static bool quoted(struct assembler *a)
{
    skip_blank(a);
    if (a->at == a->end || *a->at++ != '"') return fail(a, "a \"string\" expected");
    while (a->at < a->end && *a->at != '"') {
        unsigned char c = (unsigned char)*a->at++;
        if (c == '\\' && !escape(a, &c)) return false;
        if (!put(a, &c, 1)) return false;
    }
    if (a->at == a->end) return fail(a, "the string does not end");
    a->at++;
    return true;
}

static bool counted_string(struct assembler *a, unsigned width)
{
    size_t start = a->out->n;
    if (!put_uint(a, width, 0) || !quoted(a)) return false;
    store(a->out->p + start, width, a->out->n - start - width, a->big_endian);
    return true;
}

/* ---- the safetensors header -------------------------------------------------------------- */

static bool open_header(struct assembler *a, bool implicit)
{
    char w[32];
    if (a->in_header) return fail(a, "a header inside a header");
    a->forced = !implicit && next_word(a, w);
    if (a->forced && !number_of(w, &a->length)) return fail(a, "header needs a number");
    a->in_header = true;
    a->implicit = implicit;
    a->header_at = a->out->n;
    return put_uint(a, 8, 0);
}

static bool close_header(struct assembler *a)
{
    if (!a->in_header) return fail(a, "end without header");
    uint64_t n = a->forced ? a->length : a->out->n - a->header_at - 8;
    store(a->out->p + a->header_at, 8, n, false);
    a->in_header = a->forced = false;
    return true;
}

static bool json_line(struct assembler *a)
{
    const char *end = a->end;
    if (!a->in_header && !open_header(a, true)) return false;
    skip_blank(a);
    while (end > a->at && strchr(" \t\r", end[-1])) end--;
    bool ok = put(a, a->at, (size_t)(end - a->at));
    a->at = a->end;
    return ok;
}

/* ---- items ------------------------------------------------------------------------------- */

static bool align_to(struct assembler *a)
{
    uint64_t n;
    unsigned char byte = 0, ignored;
    if (!word_number(a, &n) || n == 0) return fail(a, "align needs a number other than 0");
    skip_blank(a);
    bool given = a->end - a->at >= 2 && byte_of(a->at, &ignored) &&
                 (a->end - a->at == 2 || strchr(" \t\r#", a->at[2]));
    if (given && !word_byte(a, &byte)) return false;
    return put_times(a, (n - a->out->n % n) % n, byte);
}

static bool fill(struct assembler *a)
{
    uint64_t n;
    unsigned char byte;
    return word_number(a, &n) && word_byte(a, &byte) && put_times(a, n, byte);
}

static bool check_at(struct assembler *a)
{
    uint64_t n;
    if (!word_number(a, &n)) return false;
    return n == a->out->n ? true : fail(a, "this is offset %zu", a->out->n);
}

static bool mark_here(struct assembler *a)
{
    if (a->out->here != HEX_NO_HERE) return fail(a, "a second here");
    a->out->here = a->out->n;
    return true;
}

static bool put_float(struct assembler *a, unsigned width)
{
    char w[32], *end = w;
    uint64_t bits = 0;
    uint32_t half;
    if (!next_word(a, w)) return fail(a, "a number expected");
    double d = strtod(w, &end);
    if (*end || end == w) return fail(a, "a number expected");
    float f = (float)d;
    memcpy(&bits, &d, 8);
    memcpy(&half, &f, 4);
    return put_uint(a, width, width == 4 ? half : bits);
}

static bool put_integer(struct assembler *a, unsigned width, bool is_signed)
{
    uint64_t v;
    if (!word_number(a, &v)) return false;
    uint64_t top = width == 8 ? 0 : v >> (8 * width - (is_signed ? 1 : 0));
    uint64_t ones = width == 8 ? 0 : UINT64_MAX >> (8 * width - (is_signed ? 1 : 0));
    if (top != 0 && !(is_signed && top == ones)) return fail(a, "does not fit in %u bytes", width);
    return put_uint(a, width, v);
}

/* A byte in hex, alone or as BYTE*TIMES. */
static bool raw(struct assembler *a, const char *w)
{
    unsigned char byte;
    uint64_t times = 1;
    if (!byte_of(w, &byte)) return fail(a, "unknown item '%s'", w);
    if (w[2] && (w[2] != '*' || !number_of(w + 3, &times))) return fail(a, "unknown item '%s'", w);
    return put_times(a, times, byte);
}

static bool item(struct assembler *a, const char *w)
{
    unsigned width = w[0] && w[1] ? (unsigned)atoi(w + 1) / 8 : 0;
    bool sized = width == 1 || width == 2 || width == 4 || width == 8;
    if (!strcmp(w, "big") || !strcmp(w, "little")) return a->big_endian = w[0] == 'b', true;
    if (!strcmp(w, "str")) return counted_string(a, 8);
    if (!strcmp(w, "str32")) return counted_string(a, 4);
    if (!strcmp(w, "text")) return quoted(a);
    if (!strcmp(w, "align")) return align_to(a);
    if (!strcmp(w, "fill")) return fill(a);
    if (!strcmp(w, "at")) return check_at(a);
    if (!strcmp(w, "header")) return open_header(a, false);
    if (!strcmp(w, "end")) return close_header(a);
    if (!strcmp(w, "f32") || !strcmp(w, "f64")) return put_float(a, width);
    if ((w[0] == 'u' || w[0] == 'i') && sized) return put_integer(a, width, w[0] == 'i');
    return raw(a, w);
}

static bool line(struct assembler *a)
{
    char w[32];
    while (next_word(a, w)) {
        bool json = !strcmp(w, "json"), here = !strcmp(w, "here");
        if (a->in_header && a->implicit && !json && !here && !close_header(a)) return false;
        if (json ? !json_line(a) : here ? !mark_here(a) : !item(a, w)) return false;
    }
    return true;
}

bool hex_assemble(struct hex *out, const char *text, size_t n)
{
    struct assembler a = { .out = out };
    *out = (struct hex){ .here = HEX_NO_HERE };
    for (size_t i = 0; i < n;) {
        const char *stop = memchr(text + i, '\n', n - i);
        a.at = text + i;
        a.end = stop ? stop : text + n;
        out->line++;
        if (!line(&a)) return false;
        i = (size_t)(a.end - text) + 1;
    }
    if (a.in_header && !a.implicit) return fail(&a, "header without end");
    return !a.in_header || close_header(&a);
}

char *hex_slurp(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t cap = 0;
    *n = 0;
    while (f && !ferror(f) && !feof(f)) {
        if (*n + 4096 >= cap) {
            char *grown = realloc(text, cap = cap * 2 + 8192);
            if (!grown) break;
            text = grown;
        }
        *n += fread(text + *n, 1, cap - *n - 1, f);
    }
    bool ok = f && !ferror(f) && feof(f);
    if (f) fclose(f);
    if (ok) text[*n] = 0;
    else free(text);
    return ok ? text : NULL;
}

bool hex_load(struct hex *out, const char *path)
{
    size_t n;
    char *text = hex_slurp(path, &n);
    if (!text) {
        *out = (struct hex){ .here = HEX_NO_HERE };
        snprintf(out->error, sizeof out->error, "cannot be read");
        return false;
    }
    bool ok = hex_assemble(out, text, n);
    free(text);
    return ok;
}

void hex_free(struct hex *out)
{
    free(out->p);
    out->p = NULL;
    out->n = out->cap = 0;
}

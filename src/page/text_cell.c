/*
 * text_cell.c -- a cell as text, for each kind of fact. The contents of cells are escaped here.
 */
#include "page/text_internal.h"

#include "base/num.h"
#include "base/text.h"

#include <string.h>

/* A number with a decimal unit and two decimals, rounded half up, by integers only: 6.74 B. */
static void put_magnitude(struct buffer *b, uint64_t v)
{
    static const char letters[] = "KMBTQ";
    uint64_t unit = 1000;
    int i = 0;
    if (v < 1000) {
        buffer_format(b, "%" PRIu64, v);
        return;
    }
    while (letters[i + 1] && v / unit >= 1000) {
        unit *= 1000;
        i++;
    }
    uint64_t hundredths = v / (unit / 100) + (v % (unit / 100) >= unit / 200);
    if (hundredths >= 100000 && letters[i + 1]) { /* 999,995 is 1.00 M, not 1000.00 K */
        hundredths = 100;
        i++;
    }
    buffer_format(b, "%" PRIu64 ".%02" PRIu64 " %c", hundredths / 100, hundredths % 100, letters[i]);
}

/* Adds the short form, unless the number is already short. */
static void put_short(struct buffer *b, uint64_t v)
{
    if (v < 1000) return;
    buffer_text(b, " (");
    put_magnitude(b, v);
    buffer_char(b, ')');
}

void text_total(struct buffer *b, uint64_t v)
{
    char n[TEXT_NUMBER];
    buffer_text(b, text_number(n, v));
    put_short(b, v);
}

static void put_bytes(struct buffer *b, uint64_t v)
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    unsigned i = 0;
    uint64_t whole = v, rest = 0;
    while (whole >= 1024) {
        rest = whole % 1024;
        whole /= 1024;
        i++;
    }
    if (i == 0) buffer_format(b, "%" PRIu64 " B", v);
    else buffer_format(b, "%" PRIu64 ".%" PRIu64 " %s", whole, rest * 10 / 1024, units[i]);
}

/* Two decimals, rounded half up: 4.58 GiB; slightly less than a GiB is 1.00 GiB. */
static void put_size(struct buffer *b, uint64_t v)
{
    static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    uint64_t small = 1, unit = 1024, hundredths; /* small: divisor against overflow */
    unsigned i = 0;
    if (v < 1024) {
        buffer_format(b, "%" PRIu64 " B", v);
        return;
    }
    for (;; i++, unit *= 1024, small = 1024) {
        hundredths = v / unit * 100 + (v % unit / small * 100 + unit / small / 2) / (unit / small);
        if (hundredths < 102400 || i == 5) break;
    }
    buffer_format(b, "%" PRIu64 ".%02" PRIu64 " %s", hundredths / 100, hundredths % 100, units[i]);
}

static void put_share(struct buffer *b, uint64_t part, uint64_t all)
{
    uint64_t tenths = all == 0                  ? 0
                      : all > UINT64_MAX / 1000 ? part / (all / 1000)
                                                : (part * 1000 + all / 2) / all;
    buffer_format(b, "%" PRIu64 ".%" PRIu64 " %%", tenths / 10, tenths % 10);
}

static void put_each(struct buffer *b, uint64_t each, uint64_t times)
{
    char n[TEXT_NUMBER], m[TEXT_NUMBER];
    if (times > 1) buffer_format(b, "%s x %s", text_number(m, times), text_number(n, each));
}

/* The day in the Gregorian calendar. Years are counted from March, so that a leap day is the last of its year;
 * 719,468 days are from 0000-03-01 to 1970-01-01, 146,097 in 400 years. */
static void put_date(struct buffer *b, uint64_t seconds)
{
    uint64_t days = seconds / 86400 + 719468, day = days % 146097;
    uint64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    day -= 365 * year + year / 4 - year / 100;
    uint64_t month = (5 * day + 2) / 153;
    day -= (153 * month + 2) / 5;
    year += days / 146097 * 400 + (month >= 10);
    month = month < 10 ? month + 3 : month - 9;
    buffer_format(b, "%04" PRIu64 "-%02" PRIu64 "-%02" PRIu64, year, month, day + 1);
}

void cell_dims(struct buffer *b, const struct cell *c, const char *between)
{
    buffer_char(b, '[');
    for (uint64_t i = 0; i < c->n; i++) buffer_format(b, "%s%" PRIu64, i ? between : "", c->dims[i]);
    buffer_char(b, ']');
}

bool cell_number(struct buffer *b, const struct cell *c)
{
    switch (c->kind) {
    case CELL_COUNT:
    case CELL_TOTAL:
    case CELL_SHORT:
    case CELL_BYTES:
    case CELL_SIZE:
    case CELL_DATE:
    case CELL_NUMBER: buffer_format(b, "%" PRIu64, c->u); return true;
    case CELL_HUNDREDTHS: buffer_format(b, "%" PRIu64 ".%02" PRIu64, c->u / 100, c->u % 100); return true;
    case CELL_HEX: buffer_format(b, "%016" PRIx64, c->u); return true;
    case CELL_SIGNED:
    case CELL_SIGNED_BYTES: buffer_format(b, "%" PRId64, c->i); return true;
    case CELL_BOOL: buffer_text(b, c->u ? "true" : "false"); return true;
    default: return false;
    }
}

void text_cell(struct buffer *b, const struct cell *c)
{
    char n[TEXT_NUMBER];
    switch (c->kind) {
    case CELL_ABSENT:
    case CELL_NULL: break;
    case CELL_SHORT: put_magnitude(b, c->u); break;
    case CELL_HUNDREDTHS:
    case CELL_HEX:
    case CELL_NUMBER: (void)cell_number(b, c); break;
    case CELL_COUNT: buffer_text(b, text_number(n, c->u)); break;
    case CELL_DATE: put_date(b, c->u); break;
    case CELL_TOTAL: text_total(b, c->u); break;
    case CELL_BYTES: put_bytes(b, c->u); break;
    case CELL_SIZE: put_size(b, c->u); break;
    case CELL_SIGNED:
        buffer_text(b, c->i < 0 ? "-" : "+");
        buffer_text(b, text_number(n, num_size(c->i)));
        break;
    case CELL_SIGNED_BYTES:
        buffer_text(b, c->i < 0 ? "-" : "+");
        put_bytes(b, num_size(c->i));
        break;
    case CELL_STR: text_escape(b, c->s); break;
    case CELL_TEXT:
    case CELL_RAW:
        if (c->t) text_safe(b, text_of(c->t), false);
        else b->failed = true;
        break;
    case CELL_DIMS: cell_dims(b, c, ", "); break;
    case CELL_EACH: put_each(b, c->u, c->n); break;
    case CELL_SHARE: put_share(b, c->u, c->n); break;
    case CELL_BOOL: buffer_text(b, c->u ? "yes" : "no"); break;
    }
}

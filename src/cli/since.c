/* since.c -- --since: a date or a duration before now, as seconds since 1970. */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_leap(unsigned year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

/* The days from 1970-01-01; false for a date that does not exist. */
static bool days_of(unsigned year, unsigned month, unsigned day, uint64_t *days)
{
    static const unsigned lengths[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    *days = 0;
    if (year < 1970 || month < 1 || month > 12 || day < 1) return false;
    if (day > lengths[month - 1] + (month == 2 && is_leap(year))) return false;
    for (unsigned y = 1970; y < year; y++) *days += is_leap(y) ? 366 : 365;
    for (unsigned m = 1; m < month; m++) *days += lengths[m - 1] + (m == 2 && is_leap(year));
    *days += day - 1;
    return true;
}

/* "2026-01-31", its digits in these places. */
static bool read_date(const char *text, uint64_t *seconds)
{
    unsigned n[3] = { 0 }, at = 0;
    if (strlen(text) != 10 || text[4] != '-' || text[7] != '-') return false;
    for (unsigned i = 0; i < 10; i++) {
        if (i == 4 || i == 7) at++;
        else if (text[i] < '0' || text[i] > '9') return false;
        else n[at] = n[at] * 10 + (unsigned)(text[i] - '0');
    }
    if (!days_of(n[0], n[1], n[2], seconds)) return false;
    *seconds *= 86400;
    if (*seconds == 0) *seconds = 1; /* 0 means all */
    return true;
}

static bool read_ago(const char *text, uint64_t *seconds)
{
    char *end;
    time_t now = time(NULL);
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    uint64_t unit = *end == 'h' ? 3600 : *end == 'd' ? 86400 : *end == 'w' ? 604800 : 0;
    if (text[0] < '0' || text[0] > '9' || errno || !unit || end[1] || n > UINT32_MAX) return false;
    bool before = now < 0 || (uint64_t)now <= n * unit;
    *seconds = before ? 1 : (uint64_t)now - n * unit;
    return true;
}

bool since_read(const char *text, uint64_t *seconds)
{
    return read_date(text, seconds) || read_ago(text, seconds);
}

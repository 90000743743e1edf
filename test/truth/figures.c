/*
 * figures.c -- tests `explain` on false figures: figures [-n NUMBER] [-s SEED] [-l LIMIT] [-v] CONFIG...
 *
 * For each configuration that a spec explains, makes NUMBER false figures for each number of digits: 0.55
 * to 0.93 and 1.07 to 1.8 times the parameters, rounded to 2, 3, 4 and 5 digits, written as 6.61B, 6610M
 * or 6,610,000,000. A tool that explains many of them explains nothing. Requirements, with exit status 1
 * if one fails:
 *
 *     at most LIMIT per mille of three-digit figures are explained, by default 60; of
 *     four and five digits at most 20, or LIMIT if less;
 *     no two-digit figure is explained if a second account is as cheap as the first;
 *     the parameters themselves are explained, exact and rounded to 3, 4 and 5 digits.
 *
 * Configurations without a spec are skipped, and counted.
 */
#include "explain/explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_LEAST = 2, DIGITS_MOST = 5, FORMS = 3, ROOM = 48 };

struct score {
    unsigned long figures[DIGITS_MOST + 1], explained[DIGITS_MOST + 1];
    unsigned long models, passed_over, missed, tied;
};

struct run {
    unsigned long number;
    uint64_t seed;
    unsigned long limit; /* per mille, for three digits */
    bool verbose;
    struct score all;
};

/* xorshift64*: the same figures on every machine */
static uint64_t next(struct run *r)
{
    r->seed ^= r->seed >> 12;
    r->seed ^= r->seed << 25;
    r->seed ^= r->seed >> 27;
    return r->seed * UINT64_C(0x2545F4914F6CDD1D);
}

/* v rounded to that many digits, as 6.61B (0), 6610M (1) or 6,610,000,000 (2). */
static void write_figure(char out[ROOM], uint64_t v, unsigned digits, unsigned form)
{
    uint64_t unit = 1, most = 1;
    while (digits--) most *= 10;
    while (v / unit >= most) unit *= 10;
    v = (v + unit / 2) / unit * unit;
    uint64_t scale = form == 1 || v < UINT64_C(1000000000) ? UINT64_C(1000000) : UINT64_C(1000000000);
    if (form == 2 || v < UINT64_C(1000000)) {
        snprintf(out, ROOM, "%" PRIu64, v);
        return;
    }
    int n = snprintf(out, ROOM, "%" PRIu64, v / scale);
    if (unit < scale) {
        int decimals = 0;
        for (uint64_t u = scale; u > unit; u /= 10) decimals++;
        n += snprintf(out + n, ROOM - (size_t)n, ".%0*" PRIu64, decimals, v % scale / unit);
    }
    snprintf(out + n, ROOM - (size_t)n, "%s", scale == 1000000 ? "M" : "B");
}

static void fail(const char *what, const numel_error *e)
{
    fprintf(stderr, "figures: %s: %s\n", what, e->what);
    exit(2);
}

/* True if the figure is explained. */
static bool ask(struct run *r, struct ledger *l, const char *path, const char *figure, bool two)
{
    struct explanation x;
    struct claim c;
    numel_error e = { 0 };
    if (!claim_read(&c, figure, &e) || !explain(&x, &c, l, &e)) fail(figure, &e);
    bool explained = x.explained;
    if (two && explained && x.count > 1 && x.accounts[1].cost == x.accounts[0].cost) {
        r->all.tied++;
        printf("tied: %s %s\n", figure, path);
    }
    if (r->verbose && explained)
        printf("explained %s %s: %u bits, met %u, %s, steps %" PRIx64 "\n", figure, path, x.accounts[0].cost,
               x.met, x.countings[x.accounts[0].counting].name, x.accounts[0].steps);
    explain_done(&x);
    return explained;
}

static void try_true(struct run *r, struct ledger *l, const char *path, uint64_t parameters)
{
    char figure[ROOM];
    for (unsigned d = 3; d <= DIGITS_MOST + 1; d++) {
        if (d > DIGITS_MOST) snprintf(figure, sizeof figure, "%" PRIu64, parameters);
        else write_figure(figure, parameters, d, 0);
        if (ask(r, l, path, figure, false)) continue;
        r->all.missed++;
        printf("true, and not explained: %s %s\n", figure, path);
    }
}

static void try_false(struct run *r, struct ledger *l, const char *path, uint64_t parameters)
{
    for (unsigned d = DIGITS_LEAST; d <= DIGITS_MOST; d++)
        for (unsigned long i = 0; i < r->number; i++) {
            char figure[ROOM];
            uint64_t at = next(r) >> 32; /* of 2^32 */
            bool less = next(r) >> 63;
            uint64_t thousandths = less ? 550 + at * 379 / UINT32_MAX : 1070 + at * 729 / UINT32_MAX;
            uint64_t v = parameters / 1000 * thousandths + next(r) % (parameters / 1000 + 1);
            write_figure(figure, v, d, (unsigned)(next(r) >> 40) % FORMS);
            r->all.figures[d]++;
            r->all.explained[d] += ask(r, l, path, figure, d == 2);
        }
}

static void try_model(struct run *r, const char *path)
{
    static const numel_knowledge nothing = NUMEL_INIT(numel_knowledge);
    struct ledger l;
    numel_error e = { 0 };
    struct handle *c = handle_new(NULL, path, &nothing, false, &memory_malloc, &e);
    if (!c || !handle_ready(c, &e) || !c->model->x) {
        r->all.passed_over++;
        if (r->verbose) printf("passed over: %s: %s\n", path, e.code ? e.what : c->model->why.what);
        handle_free(c);
        return;
    }
    if (!ledger_make(&l, c, &e)) fail(path, &e);
    uint64_t parameters = c->model->x->totals.parameters;
    if (parameters >= 1000) {
        r->all.models++;
        try_true(r, &l, path, parameters);
        try_false(r, &l, path, parameters);
    }
    ledger_done(&l);
    handle_free(c);
}

/* Allowed per mille of explained figures. Two digits prove so little that only ties are checked. */
static unsigned long limit_of(const struct run *r, unsigned digits)
{
    if (digits < 3) return 1000;
    return digits == 3 || r->limit < 20 ? r->limit : 20;
}

static bool judge(const struct run *r)
{
    const struct score *t = &r->all;
    bool good = t->models > 0 && t->missed == 0 && t->tied == 0;
    printf("%lu models, %lu without a spec; %lu true figures missed\n", t->models, t->passed_over, t->missed);
    for (unsigned d = DIGITS_LEAST; d <= DIGITS_MOST; d++) {
        unsigned long tenths = t->figures[d] ? t->explained[d] * 1000 / t->figures[d] : 0;
        bool over = t->explained[d] * 1000 > t->figures[d] * limit_of(r, d);
        printf("%u digits: %lu of %lu false figures explained, %lu.%lu %%%s\n", d, t->explained[d],
               t->figures[d], tenths / 10, tenths % 10, over ? ", too many" : "");
        good = good && !over;
    }
    return good;
}

int main(int argc, char **argv)
{
    struct run r = { .number = 20, .seed = 20261122, .limit = 60 };
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "-v") == 0) r.verbose = true;
        else if (strcmp(argv[i], "-n") == 0 && i + 1 < argc) r.number = strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "-s") == 0 && i + 1 < argc) r.seed = strtoull(argv[++i], NULL, 10) | 1;
        else if (strcmp(argv[i], "-l") == 0 && i + 1 < argc) r.limit = strtoul(argv[++i], NULL, 10);
        else return fprintf(stderr, "usage: figures [-n NUMBER] [-s SEED] [-l LIMIT] [-v] CONFIG...\n"), 2;
    }
    for (; i < argc; i++) try_model(&r, argv[i]);
    return judge(&r) ? 0 : 1;
}

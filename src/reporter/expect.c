/* expect.c -- reads expectations, compares them with the facts, and adds the section "expect". */
#include "reporter/expect.h"

#include "base/text.h"
#include "reporter/handles.h"

#include <inttypes.h>
#include <string.h>

/* One "key=value". */
struct expectation {
    const struct expect_rule *rule;
    numel_str value;
    struct number number; /* for counts and bytes */
    uint64_t hundredths;  /* for bits, with this many decimals */
    unsigned decimals;
};

/* The result for one expectation. */
struct answer {
    struct expectation asked;
    struct fact fact;
    numel_verdict verdict; /* NUMEL_IN_PART if the fact is unknown */
    bool rounded;
    const char *expected, *found, *text; /* found: NULL if unknown */
};

/* ---- reading ------------------------------------------------------------------------------ */

const char *numel_expect_key(size_t i)
{
    size_t n = 0;
    while (expect_rules[n].key) n++;
    return i < n ? expect_rules[i].key : NULL;
}

/* Ignores case in ASCII. */
static bool same_word(numel_str a, const char *b)
{
    size_t i = 0;
    for (; i < a.n && b[i]; i++) {
        char x = a.p[i], y = b[i];
        if (x >= 'A' && x <= 'Z') x = (char)(x + 32);
        if (y >= 'A' && y <= 'Z') y = (char)(y + 32);
        if (x != y) return false;
    }
    return i == a.n && !b[i];
}

NUMEL_MUST static bool refuse(const struct expectation *x, const char *wants, numel_error *e)
{
    char shown[TEXT_QUOTE];
    return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "%s=%s: %s", x->rule->key, text_bare(shown, x->value),
                     wants);
}

NUMEL_MUST static bool read_count(struct expectation *x, numel_error *e)
{
    unsigned forms = NUMBER_GROUPS | NUMBER_UNITS | (x->rule->kind == EXPECT_BYTES ? NUMBER_BYTES : 0);
    numel_str rest = x->value;
    if (number_read(&x->number, &rest, forms, 0) == NUMBER_READ && rest.n == 0) return true;
    return refuse(x,
                  x->rule->kind == EXPECT_BYTES
                      ? "is not a number of bytes like 4919563296, 4.92GB or 4.58GiB"
                      : "is not a number like 8030261248, 8,030,261,248 or 8.03B",
                  e);
}

/* "4", "4.9", "4.89" */
NUMEL_MUST static bool read_bits(struct expectation *x, numel_error *e)
{
    static const unsigned ones[] = { 100, 10, 1 };
    numel_str rest = x->value, whole;
    uint64_t high = 0, low = 0;
    bool ok = number_digits(&rest, &high) && high < 1000;
    if (ok && rest.n && rest.p[0] == '.') {
        whole = text_from(rest, 1);
        x->decimals = (unsigned)whole.n;
        ok = whole.n <= 2 && number_plain(whole, &low);
        rest.n = 0;
    }
    if (!ok || rest.n) return refuse(x, "is not a number of bits like 4, 4.9 or 4.89", e);
    x->hundredths = high * 100 + low * ones[x->decimals];
    return true;
}

NUMEL_MUST static bool read_word(const struct expectation *x, numel_error *e)
{
    char wants[256];
    struct fixed all = FIXED(wants);
    fixed_text(&all, "is not one of ");
    for (size_t i = 0; x->rule->words[i]; i++) {
        if (same_word(x->value, x->rule->words[i])) return true;
        fixed_format(&all, "%s%s", i ? ", " : "", x->rule->words[i]);
    }
    return refuse(x, wants, e);
}

NUMEL_MUST static bool read_value(struct expectation *x, numel_error *e)
{
    if (!x->value.n) return refuse(x, "a value is missing", e);
    switch (x->rule->kind) {
    case EXPECT_COUNT:
    case EXPECT_BYTES: return read_count(x, e);
    case EXPECT_BITS: return read_bits(x, e);
    case EXPECT_WORD: return read_word(x, e);
    default: return true;
    }
}

/* NULL if the key is unknown; then *e is set. */
NUMEL_MUST static const struct expect_rule *find_rule(numel_str key, numel_error *e)
{
    char shown[TEXT_QUOTE], keys[256];
    struct fixed all = FIXED(keys);
    for (const struct expect_rule *r = expect_rules; r->key; r++) {
        if (text_equal(key, r->key)) return r;
        fixed_format(&all, "%s%s", all.n ? ", " : "", r->key);
    }
    error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "unknown name %s; use one of %s", text_quote(shown, key),
              keys);
    return NULL;
}

/* End of a value: a comma that is followed by another "key=". "params=8,030,261,248,arch=llama" is two
 * expectations. */
static size_t value_end(numel_str rest)
{
    for (size_t i = 0; i < rest.n; i++) {
        if (rest.p[i] != ',') continue;
        size_t k = i + 1;
        while (k < rest.n && rest.p[k] != ',' && rest.p[k] != '=') k++;
        if (k < rest.n && rest.p[k] == '=') return i;
    }
    return rest.n;
}

/* Reads the first expectation of *rest, and moves *rest past it. */
NUMEL_MUST static bool read_next(numel_str *rest, struct expectation *x, numel_error *e)
{
    char shown[TEXT_QUOTE];
    size_t n = 0;
    while (n < rest->n && rest->p[n] != '=') n++;
    if (n == rest->n)
        return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "%s is not KEY=VALUE", text_quote(shown, *rest));
    *x = (struct expectation){ .rule = find_rule((numel_str){ rest->p, n }, e) };
    if (!x->rule) return false;
    *rest = text_from(*rest, n + 1);
    n = value_end(*rest);
    x->value = (numel_str){ rest->p, n };
    n += n < rest->n;
    *rest = text_from(*rest, n);
    return read_value(x, e);
}

numel_rc numel_expect_check(const char *text, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    numel_str rest = text_of(text);
    struct expectation x;
    do {
        if (!read_next(&rest, &x, e)) return e->code;
    } while (rest.n);
    return NUMEL_OK;
}

/* ---- judging ------------------------------------------------------------------------------ */

static void judge_count(struct answer *a)
{
    const struct number *n = &a->asked.number;
    uint64_t v = a->fact.number;
    bool same = n->exact ? v == n->value : v >= n->low && v <= n->high;
    a->rounded = !n->exact && same;
    a->verdict = same ? NUMEL_AGREES : NUMEL_DISAGREES;
}

static uint64_t hundredths_of(const char *text)
{
    numel_str s = text_of(text);
    uint64_t high = 0, low = 0;
    if (!number_digits(&s, &high)) return 0;
    if (s.n > 1 && !number_plain(text_from(s, 1), &low)) return 0;
    return high * 100 + low; /* both texts have two decimals */
}

/* Compares a whole number with the width that a quantizer names, if there is one. Otherwise compares bits
 * per weight, rounded to the given decimals. */
static void judge_bits(struct answer *a)
{
    static const unsigned half[] = { 50, 5, 0 };
    const struct expectation *x = &a->asked;
    bool same = false, named = a->fact.number && !x->decimals;
    if (named) same = a->fact.number * 100 == x->hundredths;
    for (size_t i = 0; i < 2 && !named && a->fact.names[i]; i++) {
        uint64_t is = hundredths_of(a->fact.names[i]), by = half[x->decimals];
        same |= is + by >= x->hundredths && is < x->hundredths + by + !by;
        a->rounded |= same && by;
    }
    if (!named && !a->fact.names[0]) same = a->fact.number * 100 == x->hundredths;
    a->verdict = same ? NUMEL_AGREES : NUMEL_DISAGREES;
}

/* Is every type of `some` also in `all`? The lists are joined by '+'. */
static bool holds_types(numel_str all, numel_str some)
{
    while (some.n) {
        size_t n = 0;
        bool there = false;
        while (n < some.n && some.p[n] != '+') n++;
        char word[64];
        struct fixed text = FIXED(word);
        fixed_add(&text, text_upto(some, n));
        if (text.cut) return false;
        for (size_t i = 0, k; i <= all.n && !there; i = k + 1) {
            for (k = i; k < all.n && all.p[k] != '+';) k++;
            there = same_word(text_slice(all, i, k), word);
        }
        if (!there) return false;
        n += n < some.n;
        some = text_from(some, n);
    }
    return true;
}

static void judge_text(struct answer *a)
{
    numel_str want = a->asked.value;
    bool same = false;
    if (a->asked.rule->kind == EXPECT_TYPES) {
        numel_str is = text_of(a->fact.names[0]);
        same = holds_types(is, want) && holds_types(want, is);
    }
    for (size_t i = 0; i < FACT_NAMES && a->asked.rule->kind != EXPECT_TYPES && !same; i++) {
        same = a->fact.names[i] && same_word(want, a->fact.names[i]);
        if (same) a->fact.names[0] = a->fact.names[i]; /* show the name that was asked for */
    }
    a->verdict = same ? NUMEL_AGREES : NUMEL_DISAGREES;
}

static bool is_count(const struct answer *a)
{
    return a->asked.rule->kind == EXPECT_COUNT || a->asked.rule->kind == EXPECT_BYTES;
}

/* Makes the texts: both values, with an exact expectation in groups of digits. */
NUMEL_MUST static bool word_answer(struct answer *a, struct arena *arena)
{
    char want[TEXT_QUOTE], is[TEXT_QUOTE];
    const struct fact *f = &a->fact;
    bool count = is_count(a), bits = a->asked.rule->kind == EXPECT_BITS, known = a->verdict != NUMEL_IN_PART;
    if (count && a->asked.number.exact) text_number(want, a->asked.number.value);
    else text_bare(want, a->asked.value);
    if (count) text_number(is, f->number);
    else if (bits && ((f->number && !a->asked.decimals) || !f->names[0]))
        text_format(is, sizeof is, "%" PRIu64, f->number);
    else text_bare(is, text_of(f->names[0] ? f->names[0] : ""));
    a->expected = arena_format(arena, "%s", want);
    if (known) a->found = arena_format(arena, "%s", is);
    const char *key = a->asked.rule->key;
    if (!known)
        a->text = arena_format(arena, "%s: expected %s, found no value%s%s", key, want, f->why ? ": " : "",
                               f->why ? f->why : "");
    else if (a->verdict == NUMEL_DISAGREES)
        a->text = arena_format(arena, "%s: expected %s, found %s", key, want, is);
    else
        a->text = arena_format(arena, "%s: %s%s%s", key, is, a->rounded ? " matches within rounding: " : "",
                               a->rounded ? want : "");
    return a->expected && a->text && (a->found || !known);
}

NUMEL_MUST static bool answer(struct expect_facts *f, struct answer *a)
{
    if (!a->asked.rule->ask(f, &a->fact)) return false;
    a->verdict = NUMEL_IN_PART;
    if (a->fact.known && is_count(a)) judge_count(a);
    else if (a->fact.known && a->asked.rule->kind == EXPECT_BITS) judge_bits(a);
    else if (a->fact.known) judge_text(a);
    return word_answer(a, f->arena) || error_nomem(f->error);
}

/* ---- the section -------------------------------------------------------------------------- */

static void fill_row(struct table_row *row, struct cell *c)
{
    static const struct toned rounded = { "matches within rounding", TONE_GOOD, sizeof "matches" - 1 };
    const struct answer *a = row->item;
    bool known = a->verdict != NUMEL_IN_PART;
    c[0] = CELL_T(a->asked.rule->key);
    if (is_count(a) && a->asked.number.exact) c[1] = CELL_U(CELL_COUNT, a->asked.number.value);
    else c[1] = CELL_T(a->expected);
    if (known && is_count(a)) c[2] = CELL_U(CELL_COUNT, a->fact.number);
    else if (known) c[2] = CELL_T(a->found);
    if (known) c[3] = CELL_U(CELL_BOOL, a->verdict == NUMEL_AGREES);
    c[4] = !known                          ? CELL_T("not known")
           : a->verdict == NUMEL_DISAGREES ? CELL_TONE("differs", TONE_BAD)
           : a->rounded                    ? CELL_TONED(rounded)
                                           : CELL_TONE("as expected", TONE_GOOD);
}

static const struct table table =
    TABLE("expect", "", SECTION_LIST, TABLE_HEADED, fill_row, { "key", "expect", COLUMN_NAME, MADE },
          { "expected", "expected", COLUMN_RIGHT, MADE }, { "found", "found", COLUMN_RIGHT, MADE },
          { "ok", NULL, 0, MADE }, { NULL, "", COLUMN_NOTE, MADE });

NUMEL_MUST static bool count_all(const char *const *texts, size_t n, size_t *count, numel_error *e)
{
    struct expectation x;
    *count = 0;
    for (size_t i = 0; i < n; i++) {
        numel_str rest = text_of(texts[i]);
        do {
            if (!read_next(&rest, &x, e)) return false;
            ++*count;
        } while (rest.n);
    }
    return true;
}

NUMEL_MUST static bool judge_all(struct numel_report *r, struct expect_facts *f, struct answer *all,
                                 const char *const *texts, size_t n)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        numel_str rest = text_of(texts[i]);
        do {
            if (!read_next(&rest, &all[k].asked, f->error) || !answer(f, &all[k])) return false;
            r->disagrees |= all[k].verdict == NUMEL_DISAGREES;
            r->in_part |= all[k].verdict == NUMEL_IN_PART;
            k++;
        } while (rest.n);
    }
    return true;
}

NUMEL_MUST static bool keep_answers(struct numel_report *r, const struct answer *all, size_t n,
                                    numel_error *e)
{
    struct report_answer *kept = arena_alloc(&r->arena, (n + 1) * sizeof *kept);
    if (!kept) return error_nomem(e);
    for (size_t i = 0; i < n; i++) kept[i] = (struct report_answer){ all[i].text, all[i].verdict };
    r->answers = kept;
    r->answer_count = n;
    return true;
}

bool expect_section(struct numel_report *r, struct handle *c, const char *const *texts, size_t n,
                    numel_error *e)
{
    struct expect_facts f;
    size_t count;
    if (!n) return true;
    if (!count_all(texts, n, &count, e) || !expect_facts_make(&f, c, &r->arena, e)) return false;
    struct answer *all = arena_alloc(&r->arena, count * sizeof *all);
    if (!all) return error_nomem(e);
    memset(all, 0, count * sizeof *all);
    if (!judge_all(r, &f, all, texts, n) || !keep_answers(r, all, count, e)) return false;
    report_list(r, &table, ROWS(all, count), NULL);
    return true;
}

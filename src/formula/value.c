/* value.c -- compares values, and shows them in messages. */
#include "formula/value.h"

#include "base/text.h"
#include "base/number.h"

/* For lists of plain values that are not mapped: defaults have no others. */
static bool same_list(const struct value *a, const struct value *b)
{
    uint64_t n = a->list.n;
    if (n != b->list.n || (n && (!a->list.items || !b->list.items))) return false;
    for (uint64_t i = 0; i < n; i++)
        if (!value_same(&a->list.items[i], &b->list.items[i])) return false;
    return true;
}

bool value_same(const struct value *a, const struct value *b)
{
    if (a->kind != b->kind) return false;
    if (a->kind == VALUE_BOOL) return a->b == b->b;
    if (a->kind == VALUE_LIST) return same_list(a, b);
    if (a->kind == VALUE_REAL) return !(a->r < b->r || a->r > b->r);
    return a->kind == VALUE_INT ? a->i == b->i : a->kind == VALUE_TEXT && text_same(a->s, b->s);
}

const char *evidence_name(enum evidence e)
{
    switch (e) {
    case EVIDENCE_CONSTANT: return "constant";
    case EVIDENCE_DECLARED: return "declared";
    case EVIDENCE_SET: return "set";
    case EVIDENCE_DEFAULTED: return "defaulted";
    case EVIDENCE_INFERRED: return "inferred";
    }
    return "unknown";
}

/* As short as possible: 1.58, not 1.5800000000000001. */
static void show_real(char out[VALUE_SHOW], double r)
{
    char text[NUMBER_REAL];
    double again = r;
    bool read = number_real_read(text_of(number_real(text, r, NUMBER_SHORT, 15)), false, &again);
    if (read && (again < r || again > r)) number_real(text, r, NUMBER_SHORT, 17);
    text_format(out, VALUE_SHOW, "%s", text);
}

char *value_show(char out[VALUE_SHOW], const struct value *v)
{
    char quoted[TEXT_QUOTE];
    switch (v->kind) {
    case VALUE_NULL: text_format(out, VALUE_SHOW, "null"); break;
    case VALUE_BOOL: text_format(out, VALUE_SHOW, "%s", v->b ? "true" : "false"); break;
    case VALUE_INT: text_format(out, VALUE_SHOW, "%" PRId64, v->i); break;
    case VALUE_REAL: show_real(out, v->r); break;
    case VALUE_TEXT: text_format(out, VALUE_SHOW, "%s", text_quote(quoted, v->s)); break;
    case VALUE_LIST: text_format(out, VALUE_SHOW, "a list of %" PRIu64, v->list.n); break;
    case VALUE_OBJECT: text_format(out, VALUE_SHOW, "an object"); break;
    }
    return out;
}

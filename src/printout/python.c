/*
 * python.c -- writing a tree: values as Python's repr() writes them, floats with the fewest digits that read
 * back as the same number.
 */
#include "printout/kind.h"

#include "base/number.h"
#include "base/text.h"

#include <string.h>

/* The fewest digits that read back as r, as d.ddde+XX. */
static void shortest(char out[NUMBER_REAL], double r)
{
    for (int digits = 0; digits < 17; digits++) {
        double back = r;
        if (!number_real_read(text_of(number_real(out, r, NUMBER_SCIENTIFIC, digits)), false, &back)) return;
        if (!(back < r || back > r)) return;
    }
}

double python_single(double r)
{
    char out[NUMBER_REAL];
    for (int digits = 0; digits < 9; digits++) {
        numel_str text = text_of(number_real(out, r, NUMBER_SCIENTIFIC, digits));
        double back = r, whole;
        if (!number_real_read(text, true, &back) || !number_real_read(text, false, &whole)) return r;
        if (!(back < r || back > r)) return whole;
    }
    return r;
}

/* 1e-05 and 1e+16 with an exponent of at least two digits, 0.0001 and 1000000.0 without. */
void python_float(struct buffer *out, double r)
{
    char text[NUMBER_REAL];
    uint64_t size = 0;
    shortest(text, r);
    const char *e = strchr(text, 'e');
    if (e) number_plain(text_of(e + 2), &size);
    int exponent = e && e[1] == '-' ? -(int)size : (int)size;
    if (!e || exponent < -4 || exponent >= 16) { /* no e: inf, nan */
        buffer_text(out, text);
        return;
    }
    const char *point = strchr(text, '.');
    int places = (point ? (int)(e - point) - 1 : 0) - exponent;
    buffer_text(out, number_real(text, r, NUMBER_FIXED, places > 1 ? places : 1));
}

void python_value(struct buffer *out, const struct value *v)
{
    switch (v->kind) {
    case VALUE_NULL: buffer_text(out, "None"); return;
    case VALUE_BOOL: buffer_text(out, v->b ? "True" : "False"); return;
    case VALUE_INT: buffer_format(out, "%" PRId64, v->i); return;
    case VALUE_REAL: python_float(out, v->r); return;
    case VALUE_TEXT: buffer_add(out, v->s.p, v->s.n); return;
    case VALUE_OBJECT: buffer_text(out, "{...}"); return;
    case VALUE_LIST: break;
    }
    buffer_char(out, '(');
    for (uint64_t i = 0; v->list.items && i < v->list.n; i++) {
        if (i) buffer_text(out, ", ");
        python_value(out, &v->list.items[i]);
    }
    buffer_text(out, v->list.n == 1 ? ",)" : ")");
}

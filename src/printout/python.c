/*
 * python.c -- writing a tree: values as Python's repr() writes them, floats by the shortest digits that read
 * back as the same number.
 */
#include "printout/kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The fewest digits that read back as r, as d.ddde+XX. */
static void shortest(char out[32], double r)
{
    for (int digits = 0; digits < 17; digits++) {
        snprintf(out, 32, "%.*e", digits, r);
        double back = strtod(out, NULL);
        if (!(back < r || back > r)) return;
    }
}

double python_single(double r)
{
    char text[32];
    for (int digits = 0; digits < 9; digits++) {
        snprintf(text, sizeof text, "%.*e", digits, r);
        double back = (double)strtof(text, NULL);
        if (!(back < r || back > r)) return strtod(text, NULL);
    }
    return r;
}

/* 1e-05 and 1e+16 with an exponent, 0.0001 and 1000000.0 without: it has at least two digits. */
void python_float(struct buffer *out, double r)
{
    char text[32];
    shortest(text, r);
    char *e = strchr(text, 'e');
    int exponent = e ? atoi(e + 1) : 0;
    if (!e || exponent < -4 || exponent >= 16) { /* no e: inf, nan */
        buffer_text(out, text);
        return;
    }
    const char *point = strchr(text, '.');
    int places = (point ? (int)(e - point) - 1 : 0) - exponent;
    buffer_format(out, "%.*f", places > 1 ? places : 1, r);
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

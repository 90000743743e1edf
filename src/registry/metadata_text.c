/*
 * metadata_text.c -- formats a metadata value as text for people or as JSON. Arrays are abbreviated unless
 * `all` is set.
 */
#include "registry/metadata_text.h"

#include "base/text.h"
#include "base/number.h"

enum { SHOWN = 3, SHORT = 8 }; /* arrays of up to SHORT elements are shown whole */

/* The shortest digits that read back as the same float or double. */
static void put_float(struct buffer *b, double v, bool single, bool json)
{
    char digits[NUMBER_REAL];
    int most = single ? 9 : 17;
    if (!(v - v == 0)) { /* infinite or NaN: JSON has neither */
        buffer_text(b, json ? "null" : v > 0 ? "inf" : v < 0 ? "-inf" : "nan");
        return;
    }
    for (int p = 1; p <= most; p++) {
        double back = v;
        bool read = number_real_read(text_of(number_real(digits, v, NUMBER_SHORT, p)), single, &back);
        if (!read || (!(back < v) && !(back > v))) break;
    }
    buffer_text(b, digits);
}

static void put_value(struct buffer *b, const struct metadata_value *v, bool json, bool in_array)
{
    switch (v->type) {
    case META_STRING:
        if (json || in_array) text_json(b, v->s);
        else text_escape(b, v->s);
        break;
    case META_F32: put_float(b, v->f, true, json); break;
    case META_F64: put_float(b, v->f, false, json); break;
    case META_I8:
    case META_I16:
    case META_I32:
    case META_I64: buffer_format(b, "%" PRId64, v->i); break;
    case META_BOOL: buffer_text(b, v->u ? "true" : "false"); break;
    default: buffer_format(b, "%" PRIu64, v->u);
    }
}

static void put_array(struct buffer *b, const struct metadata_array *a, bool json, bool all)
{
    struct metadata_value v;
    uint64_t at = 0, i = 0, limit = all || a->count <= SHORT ? a->count : SHOWN;
    buffer_char(b, '[');
    for (; i < limit && metadata_next(a, &at, &v); i++) {
        if (i) buffer_text(b, json ? "," : " ");
        put_value(b, &v, json, true);
    }
    if (!json && i < a->count) buffer_format(b, "%s... +%" PRIu64, i ? " " : "", a->count - i);
    buffer_char(b, ']');
}

void metadata_put(struct buffer *b, const struct metadata_entry *e, bool json, bool all)
{
    if (e->type == META_ARRAY) put_array(b, &e->array, json, all);
    else put_value(b, &e->value, json, false);
}

/*
 * list_record.c -- a row as 8-byte numbers and texts, one after the other. A text keeps its NUL, so that it
 * can be used in place.
 */
#include "reporter/list_record.h"

#include "base/num.h"
#include "base/text.h"

#include <string.h>

enum { NUMBER = 8 };

/* The texts and numbers of a row, in the order of the record. */
/* clang-format off */
#define TEXTS(X) \
    X(path) X(name) X(format) X(architecture) X(adapter) X(dtype) X(method) X(quantization) X(quantization_name) \
    X(bits_per_weight) X(judgement) X(fits) X(family) X(base) X(class_name) X(called) X(remote)
#define NUMBERS(X) \
    X(bits) X(whole) X(tensors) X(stored) X(parameters) X(context_length) X(bytes) X(files) X(disk) X(repeated) \
    X(shared) X(id) X(modified) X(accessed) X(rank) X(layers)
/* clang-format on */

void list_record_put_number(struct buffer *b, uint64_t v)
{
    uint8_t n[NUMBER];
    num_store_le64(n, v);
    buffer_add(b, n, NUMBER);
}

/* The length, the text and a NUL; NULL has the length UINT64_MAX. */
static void put_text(struct buffer *b, const char *text)
{
    size_t n = text ? strlen(text) : 0;
    list_record_put_number(b, text ? n : UINT64_MAX);
    buffer_add(b, text, n);
    if (text) buffer_char(b, '\0');
}

void list_record_put(struct buffer *b, const struct list_key *key, const numel_row *row)
{
    list_record_put_number(b, key->number);
    list_record_put_number(b, key->text.n);
    buffer_add(b, key->text.p, key->text.n);
#define X(field) put_text(b, row->field);
    TEXTS(X)
#undef X
#define X(field) list_record_put_number(b, row->field);
    NUMBERS(X)
#undef X
    list_record_put_number(b, (uint64_t)row->state);
    list_record_put_number(b, row->searched);
    list_record_put_number(b, row->error ? (uint64_t)row->error->code : 0);
    list_record_put_number(b, row->error ? row->error->offset : 0);
    put_text(b, row->error ? row->error->file : NULL);
    put_text(b, row->error ? row->error->what : NULL);
}

/* ---- back --------------------------------------------------------------------------------- */

bool list_record_get_number(numel_str *r, uint64_t *v)
{
    if (r->n < NUMBER) return false;
    *v = num_load((const uint8_t *)r->p, NUMBER, false);
    *r = text_from(*r, NUMBER);
    return true;
}

NUMEL_MUST static bool get_text(numel_str *r, const char **text)
{
    uint64_t n;
    *text = NULL;
    if (!list_record_get_number(r, &n)) return false;
    if (n == UINT64_MAX) return true;
    if (n >= r->n || r->p[n]) return false;
    *text = r->p;
    *r = text_from(*r, (size_t)n + 1);
    return true;
}

NUMEL_MUST static bool get_key(numel_str *r, struct list_key *key)
{
    uint64_t n;
    if (!list_record_get_number(r, &key->number) || !list_record_get_number(r, &n) || n > r->n) return false;
    key->text = (numel_str){ r->p, (size_t)n };
    *r = text_from(*r, (size_t)n);
    return true;
}

NUMEL_MUST static bool get_error(numel_str *r, numel_row *row, numel_error *error)
{
    uint64_t code, offset;
    const char *file, *what;
    if (!list_record_get_number(r, &code) || !list_record_get_number(r, &offset) || !get_text(r, &file) ||
        !get_text(r, &what))
        return false;
    if (code == NUMEL_OK || !file || !what) return code == NUMEL_OK;
    *error = (numel_error){ .code = (numel_rc)code, .offset = offset };
    text_format(error->file, sizeof error->file, "%s", file);
    text_format(error->what, sizeof error->what, "%s", what);
    row->error = error;
    return true;
}

bool list_record_get(numel_str record, numel_row *row, numel_error *error)
{
    struct list_key key;
    uint64_t state, searched;
    *row = (numel_row){ .size = sizeof *row };
    if (!get_key(&record, &key)) return false;
#define X(field) \
    if (!get_text(&record, &row->field)) return false;
    TEXTS(X)
#undef X
#define X(field) \
    if (!list_record_get_number(&record, &row->field)) return false;
    NUMBERS(X)
#undef X
    if (!list_record_get_number(&record, &state) || state > NUMEL_STATE_DAMAGED ||
        !list_record_get_number(&record, &searched))
        return false;
    row->state = (numel_state)state;
    row->searched = (uint32_t)searched;
    return get_error(&record, row, error) && row->path && row->name;
}

int list_record_order(const void *ctx, numel_str a, numel_str b)
{
    struct list_key x = { 0 }, y = { 0 };
    const bool *reverse = ctx;
    if (!get_key(&a, &x) || !get_key(&b, &y)) return 0;
    bool known = x.number < LIST_KEY_UNKNOWN && y.number < LIST_KEY_UNKNOWN;
    int c = x.number != y.number ? (x.number < y.number ? -1 : 1) : text_natural(x.text, y.text);
    return known && reverse && *reverse ? -c : c;
}

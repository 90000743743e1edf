/*
 * json_doc.h -- small JSON documents (config.json and similar), and writing JSON. Only this room's json_doc.c
 * includes cJSON.
 *
 * cJSON accepts more than JSON, and keeps numbers as doubles. A document therefore first passes the strict
 * scanner (json_scan.h). In addition, \u0000 is refused, and Python's NaN and Infinity are accepted. Keys are
 * case-sensitive; of a repeated key, the last one counts, as in every reader of such files. Integers are only
 * returned strictly between -2^53 and 2^53, where a double is exact (2^53 + 1 reads as 2^53).
 */
#ifndef NUMEL_BASE_JSON_DOC_H
#define NUMEL_BASE_JSON_DOC_H

#include "base/memory.h"

typedef struct cJSON json_value; /* borrowed from its document */

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

/* Parses a document; NULL and *e on failure: SYNTAX, UTF8, LIMIT, NOMEM. Free with json_doc_free(). */
NUMEL_MUST json_value *json_doc_parse(const void *p, uint64_t n, numel_error *e);
void json_doc_free(json_value *doc);

enum json_kind json_kind(const json_value *v);
const char *json_name(const json_value *v);                            /* key, NULL in arrays */
const json_value *json_get(const json_value *object, const char *key); /* NULL if absent */
const json_value *json_at(const json_value *object, numel_str key);    /* for keys with any bytes */
/* The value at a dotted path of keys and positions in arrays ("shape.0"); NULL if there is none. */
const json_value *json_dig(const json_value *v, const char *path, size_t n);
const json_value *json_first(const json_value *container); /* children, in order */
const json_value *json_next(const json_value *child);
size_t json_count(const json_value *container); /* number of children; 0 if not a container */
const char *json_text_of(const json_value *v);  /* NULL if not a string */
bool json_true(const json_value *v);
/* False if it is not a number, has a fraction, or is outside -2^53 to 2^53. */
bool json_integer(const json_value *v, int64_t *out);
bool json_fractional(const json_value *v); /* written with a fraction or an exponent, as 32.0 */
bool json_beyond(
    const json_value *v); /* a number that does not fit in a double, as 1e400; it is printed as read */
/* "NaN", "Infinity" or "-Infinity", which Python writes but JSON does not have; they are numbers beyond a
 * double, printed as null. Else NULL. */
const char *json_constant(const json_value *v);
double json_double(const json_value *v);

/* Writing. All return NULL or false if out of memory; json_add_* take ownership. */
json_value *json_new_object(void);
json_value *json_new_array(void);
bool json_add(json_value *container, const char *key, json_value *child); /* key NULL: append */
bool json_add_raw(json_value *container, const char *key, const char *raw);
bool json_add_u64(json_value *container, const char *key, uint64_t v);
char *json_print(const json_value *v); /* one line; free with json_print_free() */
void json_print_free(char *text);

#endif

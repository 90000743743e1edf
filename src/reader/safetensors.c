/*
 * safetensors.c -- reading safetensors headers.
 *
 *     | N, u64 LE | N bytes of JSON | tensor data ... |
 *
 *     { "__metadata__": { "format": "pt" },
 *       "a.weight": { "dtype": "BF16", "shape": [4096, 32], "data_offsets": [0, 262144] }, ... }
 *
 * data_offsets are relative to byte 8+N. One function per production, bytes first. The ten checks of the
 * reference (safetensors/src/tensor.rs, SafeTensors::read_metadata and Metadata::validate) are made in its
 * order and numbered below. If the reference refuses a file that can still be counted exactly (checks 6 and 8
 * to 10, an unknown element type, a number too large for a double), the file is read with a finding of
 * severity error. What the reference accepts but the format's text does not is a warning.
 *
 * One pass: while tensors are in offset order without a hole, as every writer leaves them, each is checked as
 * soon as it is read; nothing is sorted, and only the tensor is kept. At the first fault in any entry, the
 * header is read again from its beginning, now recording the offset of each entry, and the checks are made
 * one by one. In either reading, entries written as the reference writes them take a shortcut (canonical.h).
 */
#include "reader/canonical.h"
#include "reader/safetensors_internal.h"

#include "base/json_scan.h"
#include "base/num.h"
#include "base/text.h"

#include <string.h>

enum { MAX_HEADER = 100000000 }; /* tensor.rs, MAX_HEADER_SIZE */

struct header {
    struct json_scan scan;
    struct reading *r;
    const numel_dtype *dtype_before; /* the next tensor usually has the same */
    struct canonical entry;
    uint64_t expected; /* while orderly: where the next tensor's data must begin */
    bool orderly, metadata_seen;
};

/* After the 8 bytes of a length, is there optional white space and then a brace, as far as p goes? */
static bool has_brace(const uint8_t *p, uint64_t size)
{
    uint64_t i = 8;
    while (i < size && (p[i] == ' ' || p[i] == '\n' || p[i] == '\t' || p[i] == '\r')) i++;
    return size >= 8 && (i == size || p[i] == '{');
}

bool safetensors_begins(const uint8_t *p, uint64_t size)
{
    uint64_t length = size >= 8 ? num_load(p, 8, false) : 0;
    return length > 0 && length <= UINT32_MAX && has_brace(p, size);
}

static bool probe(const uint8_t *p, uint64_t size)
{
    return size >= 8 && (has_brace(p, size) || num_load(p, 8, false) <= size - 8);
}

/* ---- an entry's fields -------------------------------------------------------------------- */

static bool wrong_entry(struct header *h, numel_str name, uint64_t at, numel_rc code, const char *why)
{
    char quoted[TEXT_QUOTE];
    return json_fail(&h->scan, at, code, "tensor %s: %s", text_quote(quoted, name), why);
}

static const numel_dtype *dtype_named(struct header *h, numel_str name)
{
    if (h->dtype_before && text_equal(name, h->dtype_before->name)) return h->dtype_before;
    const numel_dtype *d = dtype_safetensors(name);
    char quoted[TEXT_QUOTE];
    if (!d) d = dtype_unknown(h->r->arena, text_quote(quoted, name), NUMEL_SAFETENSORS, -1);
    if (!d) error_nomem(h->r->error);
    return h->dtype_before = d;
}

/* "BF16", or serde's long form {"BF16": null}. */
static bool read_dtype(struct header *h, numel_tensor *t)
{
    struct json_text text;
    numel_str name;
    uint64_t at = h->scan.at;
    bool form = json_peek(&h->scan) == '{';
    if (form) {
        if (!json_open(&h->scan, '{')) return false;
        if (!json_more(&h->scan, '}'))
            return json_ok(&h->scan) && wrong_entry(h, t->name, at, NUMEL_E_SYNTAX, "empty dtype");
        if (!json_key(&h->scan, &text) || !json_word(&h->scan, "null")) return false;
        if (json_more(&h->scan, '}'))
            return wrong_entry(h, t->name, at, NUMEL_E_SYNTAX, "dtype has more than one name");
        reading_find(h->r, FINDING_ENTRY_FORM, t->name, h->scan.origin + at,
                     "dtype is an object, not a string");
    } else if (!json_string(&h->scan, &text)) {
        return false;
    }
    if (!json_unescape(&h->scan, h->r->arena, text, &name)) return false;
    t->dtype = dtype_named(h, name);
    return json_ok(&h->scan);
}

NUMEL_MUST static bool read_shape(struct header *h, numel_tensor *t)
{
    struct reading *r = h->r;
    if (!json_open(&h->scan, '[')) return false;
    t->ndim = 0;
    while (json_more(&h->scan, ']')) {
        if (!memory_grow(r->registry->memory, &r->dims, &r->dims_cap, (size_t)t->ndim + 1, sizeof *r->dims,
                         r->error))
            return false;
        if (!json_u64(&h->scan, &r->dims[t->ndim++], "a dimension")) return false;
    }
    if (!json_ok(&h->scan)) return false;
    t->dims = t->ndim ? arena_copy(r->arena, r->dims, t->ndim * sizeof *r->dims) : NULL;
    return !t->ndim || t->dims || error_nomem(r->error);
}

static bool read_offsets(struct header *h, numel_tensor *t, struct reading_entry *entry)
{
    struct json_scan *s = &h->scan;
    uint64_t at = s->at;
    if (!json_open(s, '[')) return false;
    bool two = json_more(s, ']') && json_u64(s, &entry->begin, "a data offset") && json_more(s, ']') &&
               json_u64(s, &entry->end, "a data offset") && !json_more(s, ']');
    if (!json_ok(s)) return false;
    return two || wrong_entry(h, t->name, at, NUMEL_E_SYNTAX, "data_offsets must be two numbers");
}

enum field { DTYPE = 1, SHAPE = 2, OFFSETS = 4, ALL_FIELDS = 7, OTHER = 0 };

static const char *const field_names[] = { [DTYPE] = "dtype", [SHAPE] = "shape", [OFFSETS] = "data_offsets" };

static enum field field_of(numel_str key)
{
    if (text_equal(key, "dtype")) return DTYPE;
    if (text_equal(key, "shape")) return SHAPE;
    return text_equal(key, "data_offsets") ? OFFSETS : OTHER;
}

NUMEL_MUST static bool read_field(struct header *h, enum field f, numel_tensor *t,
                                  struct reading_entry *entry)
{
    switch (f) {
    case DTYPE: return read_dtype(h, t);
    case SHAPE: return read_shape(h, t);
    case OFFSETS: return read_offsets(h, t, entry);
    default: return json_skip(&h->scan);
    }
}

static bool missing_field(struct header *h, numel_str name, uint64_t at, unsigned seen)
{
    char why[64];
    enum field f = !(seen & DTYPE) ? DTYPE : !(seen & SHAPE) ? SHAPE : OFFSETS;
    text_format(why, sizeof why, "missing field %s", field_names[f]);
    return wrong_entry(h, name, at, NUMEL_E_SYNTAX, why);
}

static bool read_object(struct header *h, numel_tensor *t, struct reading_entry *entry)
{
    struct json_text key;
    numel_str name;
    unsigned seen = 0;
    uint64_t start = h->scan.at;
    if (!json_open(&h->scan, '{')) return false;
    while (json_more(&h->scan, '}')) {
        (void)json_peek(&h->scan);
        uint64_t at = h->scan.at;
        if (!json_key(&h->scan, &key) || !json_unescape(&h->scan, h->r->arena, key, &name)) return false;
        enum field f = field_of(name);
        if (seen & f) {
            char why[64];
            text_format(why, sizeof why, "duplicate field %s", field_names[f]);
            return wrong_entry(h, t->name, at, NUMEL_E_DUPLICATE, why);
        }
        seen |= f;
        if (!read_field(h, f, t, entry)) return false;
    }
    if (!json_ok(&h->scan)) return false;
    return seen == ALL_FIELDS || missing_field(h, t->name, start, seen);
}

/* serde's short form: ["U8", [4], [0, 4]]. */
static bool read_array(struct header *h, numel_tensor *t, struct reading_entry *entry)
{
    struct json_scan *s = &h->scan;
    uint64_t at = s->at;
    reading_find(h->r, FINDING_ENTRY_FORM, t->name, s->origin + at, "the entry is an array, not an object");
    if (!json_open(s, '[')) return false;
    bool three = json_more(s, ']') && read_dtype(h, t) && json_more(s, ']') && read_shape(h, t) &&
                 json_more(s, ']') && read_offsets(h, t, entry) && !json_more(s, ']');
    if (!json_ok(s)) return false;
    return three || wrong_entry(h, t->name, at, NUMEL_E_SYNTAX, "the array does not have three items");
}

/* ---- entries ------------------------------------------------------------------------------ */

NUMEL_MUST static bool keep_entry(struct header *h, numel_tensor *t, const struct reading_entry *entry)
{
    struct reading *r = h->r;
    if (h->orderly)
        return safetensors_elements(t) && safetensors_in_order(r, t, entry, &h->expected) &&
               registry_add(r->registry, t, r->error);
    return reading_add(r, t, entry);
}

/* Adds the tensor's name to a scanner's error in its entry. */
NUMEL_MUST static bool blame_tensor(struct header *h, numel_str name)
{
    char quoted[TEXT_QUOTE];
    numel_error *e = h->r->error, was = *e;
    if (was.code == NUMEL_E_NOMEM || strncmp(was.what, "tensor '", 8) == 0) return false;
    error_clear(e);
    return error_set(e, was.code, was.offset, "tensor %s: %.200s", text_quote(quoted, name), was.what);
}

NUMEL_MUST static bool read_tensor(struct header *h, numel_str name, uint64_t at)
{
    struct reading *r = h->r;
    struct reading_entry entry = { .at = h->scan.origin + at };
    numel_tensor t = { .file = r->number };
    t.name = (numel_str){ arena_pack(r->arena, name.p, name.n), name.n };
    if (!t.name.p) return error_nomem(r->error);
    bool ok = json_peek(&h->scan) == '[' ? read_array(h, &t, &entry) : read_object(h, &t, &entry);
    if (!ok) return blame_tensor(h, name);
    if (name.n == 0) reading_find(r, FINDING_NAME_EMPTY, t.name, entry.at, "a tensor has an empty name");
    else if (memchr(name.p, 0, name.n))
        reading_find(r, FINDING_NAME_ODD, t.name, entry.at, "the name contains a NUL character");
    return keep_entry(h, &t, &entry);
}

/* Keeps one entry of __metadata__; of a repeated key the last one counts, as in the reference. */
NUMEL_MUST static bool keep_metadata(struct header *h, numel_str key, numel_str value, uint64_t at)
{
    struct reading *r = h->r;
    struct metadata *m = r->metadata;
    struct metadata_entry e = { .key = { arena_copy(r->arena, key.p, key.n), key.n },
                                .type = META_STRING,
                                .offset = at,
                                .file = r->number };
    e.value = (struct metadata_value){ .type = META_STRING,
                                       .s = { arena_copy(r->arena, value.p, value.n), value.n } };
    if (!e.key.p || !e.value.s.p) return error_nomem(r->error);
    uint32_t known;
    if (!reading_key(r, &e, &known)) return false;
    if (known != NAMES_ABSENT) {
        char name[TEXT_QUOTE];
        reading_find(r, FINDING_METADATA_REPEATED, NO_TENSOR, at,
                     "__metadata__ has %s twice; the last one counts", text_quote(name, key));
        m->entries[r->first_entry + known].value = e.value;
    }
    return true;
}

/* Checks the length of a text in a compressed file: it is copied and shown. */
NUMEL_MUST static bool fits(struct header *h, const struct json_text *t, uint64_t at, const char *what)
{
    uint64_t longest = h->r->longest;
    return !longest || t->raw.n <= longest ||
           json_fail(&h->scan, at, NUMEL_E_LIMIT, READING_LONG, what, (uint64_t)t->raw.n, longest);
}

static bool read_metadata(struct header *h, uint64_t at)
{
    struct json_scan *s = &h->scan;
    struct json_text key, value;
    numel_str k, v;
    if (h->metadata_seen) return json_fail(s, at, NUMEL_E_DUPLICATE, "duplicate field __metadata__");
    h->metadata_seen = true;
    if (json_peek(s) == 'n') {
        reading_find(h->r, FINDING_METADATA_NULL, NO_TENSOR, s->origin + at,
                     "__metadata__ is null: some readers fail on it");
        return json_word(s, "null");
    }
    if (!json_open(s, '{')) return false;
    while (json_more(s, '}')) {
        uint64_t here = s->origin + s->at;
        if (!json_key(s, &key) || !fits(h, &key, here - s->origin, "a key") || !json_string(s, &value) ||
            !fits(h, &value, here - s->origin, "a value") || !json_unescape(s, h->r->arena, key, &k) ||
            !json_unescape(s, h->r->arena, value, &v) || !keep_metadata(h, k, v, here))
            return false;
    }
    return json_ok(s);
}

/* For verify: a value that is not a tensor, but valid JSON, is reported and skipped. */
static bool step_over(struct header *h, const struct json_scan *before, numel_str name)
{
    struct reading *r = h->r;
    numel_error why = *r->error;
    bool metadata = text_equal(name, "__metadata__");
    if (h->orderly || !r->lenient || why.code == NUMEL_E_NOMEM) return false;
    error_clear(r->error);
    h->scan = *before;
    bool ok = json_skip(&h->scan);
    *r->error = why;
    r->gaps_known |= !metadata;
    return ok && reading_forgive(r, metadata ? FINDING_METADATA_MALFORMED : FINDING_ENTRY_MALFORMED,
                                 metadata ? NO_TENSOR : name);
}

NUMEL_MUST static bool read_entry(struct header *h, uint64_t at)
{
    struct json_text key;
    struct json_scan before;
    numel_str name;
    if (!json_key(&h->scan, &key) || !fits(h, &key, at, "a tensor's name") ||
        !json_unescape(&h->scan, h->r->arena, key, &name))
        return false;
    if (h->r->lenient) before = h->scan;
    bool ok = text_equal(name, "__metadata__") ? read_metadata(h, at) : read_tensor(h, name, at);
    return ok || step_over(h, &before, name);
}

/* Keeps an entry that canonical_entry() has read. */
NUMEL_MUST static inline bool keep_canonical(struct header *h, uint64_t at)
{
    struct reading *r = h->r;
    const struct canonical *c = &h->entry;
    struct canonical_shape *shape = c->shape;
    struct reading_entry entry = { .begin = c->begin, .end = c->end, .at = h->scan.origin + at };
    numel_tensor t = {
        .file = r->number, .dtype = c->dtype, .ndim = shape->ndim, .elements = shape->elements
    };
    if (!shape->kept && shape->ndim)
        shape->kept = arena_copy(r->arena, shape->dims, shape->ndim * sizeof *shape->dims);
    t.dims = shape->kept;
    t.name = (numel_str){ arena_pack(r->arena, c->name.p, c->name.n), c->name.n };
    if (!t.name.p || (!t.dims && t.ndim)) return error_nomem(r->error);
    if (!h->orderly) return keep_entry(h, &t, &entry);
    return shape->fits && safetensors_in_order(r, &t, &entry, &h->expected) &&
           registry_add(r->registry, &t, r->error);
}

/* Reads consecutive entries in the reference's own form, with ordinary names. The next entry, its
 * comma read, is left to read_entry(); *more is false if none follows directly. */
NUMEL_MUST static bool read_canonical(struct header *h, bool *more)
{
    struct json_scan *s = &h->scan;
    const numel_str *name = &h->entry.name;
    *more = true;
    for (;;) {
        uint64_t at = s->at, left = num_left(s->size, at);
        size_t n = canonical_entry(s->base + at, left, &h->entry);
        bool plain = n && name->n && !text_equal(*name, "__metadata__");
        if (!plain || (h->r->longest && name->n > h->r->longest)) return true;
        if (!keep_canonical(h, at)) return false;
        s->at += n;
        *more = left - n > 2 && s->base[s->at] == ',' && s->base[s->at + 1] == '"';
        if (!*more) return true;
        s->at++;
    }
}

static bool read_entries(struct header *h)
{
    if (!json_open(&h->scan, '{')) return false;
    while (json_more(&h->scan, '}')) {
        bool more;
        (void)json_peek(&h->scan);
        if (!read_canonical(h, &more) || (more && !read_entry(h, h->scan.at))) return false;
    }
    if (!json_ok(&h->scan)) return false;
    return json_finish(&h->scan) || reading_forgive(h->r, FINDING_HEADER_MALFORMED, NO_TENSOR);
}

/* ---- the file ----------------------------------------------------------------------------- */

/* Checks 1 to 3. */
NUMEL_MUST static bool read_length(struct reading *r, uint64_t *n)
{
    uint64_t limit = r->max_header_bytes ? r->max_header_bytes : MAX_HEADER, whole;
    r->need = 8;
    if (r->size < 8)
        return error_set(r->error, NUMEL_E_TRUNCATED, 0,
                         "the header's length needs 8 bytes, the file has %" PRIu64, r->size);
    *n = num_load(r->base, 8, false);
    if (*n > limit)
        return error_set(r->error, NUMEL_E_LIMIT, 0,
                         "the header says it has %" PRIu64 " bytes, the limit is %" PRIu64
                         " (--max-header raises it)",
                         *n, limit);
    uint64_t there = r->total_known && !r->header_only ? r->total : r->complete ? r->size : UINT64_MAX;
    if (!num_add(&whole, *n, 8) || whole > there) {
        r->final = true;
        return error_set(r->error, NUMEL_E_TRUNCATED, 0,
                         "the header says it has %" PRIu64 " bytes, %" PRIu64 " follow", *n, there - 8);
    }
    r->need = whole;
    if (whole > r->size && r->part) {
        *n = r->size - 8;
        return true;
    }
    if (whole > r->size)
        return error_set(r->error, NUMEL_E_TRUNCATED, 0, "the header needs %" PRIu64 " bytes", whole);
    return true;
}

/* Checks 4 and 5. The scanner reads bytes in order; the reference checks all UTF-8 first. */
static bool read_json(struct header *h, uint64_t n)
{
    struct reading *r = h->r;
    const uint8_t *json = r->base + 8;
    json_start(&h->scan, json, n, 8, r->error);
    if (json_peek(&h->scan) && h->scan.at > 0)
        reading_find(r, FINDING_LEADING_SPACE, NO_TENSOR, 8,
                     "the header begins with white space, not with '{'");
    if (read_entries(h)) {
        if (h->scan.beyond != JSON_NOWHERE)
            reading_find(
                r, FINDING_NUMBER_BEYOND, NO_TENSOR, 8 + h->scan.beyond,
                "a number is too large for a double: the reference implementation refuses the header");
        return true;
    }
    if (h->orderly || r->error->code == NUMEL_E_NOMEM || r->error->code == NUMEL_E_UTF8) return false;
    uint64_t bad = text_utf8(json, n);
    if (bad < n) {
        error_clear(r->error);
        error_set(r->error, NUMEL_E_UTF8, 8 + bad, "byte 0x%02x is not UTF-8", json[bad]);
    }
    return false;
}

/* Reads a file without faults in which each tensor begins where the previous one ends: nearly all files.
 * False without an error: the file is not like this, and the caller rolls back. */
NUMEL_MUST static bool read_orderly(struct reading *r, uint64_t n)
{
    size_t first, second;
    struct header h = { .r = r, .orderly = true };
    if (!read_json(&h, n) || !registry_commit(r->registry, &first, &second, r->error)) return false;
    struct extents l = extents_tiled(r, h.expected);
    safetensors_account(r, &l);
    return true;
}

/* Reads any file. Keeps the offset of each entry until all are checked. */
NUMEL_MUST static bool read_carefully(struct reading *r, uint64_t n)
{
    struct extents l = { 0 };
    struct header h = { .r = r };
    if (!read_json(&h, n) || !safetensors_place(r) || !extents_order(&l, r)) return false;
    bool ok = safetensors_check(r, &l) && reading_commit(r, "");
    if (ok) safetensors_account(r, &l);
    extents_done(&l);
    return ok;
}

NUMEL_MUST static bool read_file(struct reading *r)
{
    uint64_t n = 0;
    r->gaps_known = false;
    r->file->format = NUMEL_SAFETENSORS;
    if (!read_length(r, &n)) return false;
    r->file->header_bytes = r->file->data_start = 8 + n;
    struct reading_mark before = reading_mark(r);
    struct arena_mark used = arena_mark(r->arena);
    if (read_orderly(r, n)) return true;
    if (r->error->code == NUMEL_E_NOMEM) return false;
    error_clear(r->error);
    reading_roll_back(r, &before);
    arena_rewind(r->arena, used);
    return read_carefully(r, n);
}

const struct reader reader_safetensors = { NUMEL_SAFETENSORS, "safetensors", probe, read_file };

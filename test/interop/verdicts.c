/*
 * verdicts.c -- verdicts < FILES: the library's verdicts on many files, for comparison with other readers.
 *
 * Standard input holds consecutive files, each after its length (u32, little-endian). Each is opened from
 * memory, and answered with one line of JSON:
 *
 *     {"rc":"OK","at":null,"what":"","strict":"warning","findings":["warning:leading-space"],
 *      "format":"safetensors 0 little","header":72,"start":72,
 *      "tensors":[["77","F32",[2,3],80,24]],              name, type, shape, offset in the file, bytes
 *      "meta":[["6b","string","str","76"]]}               key, type, element type, value or values
 *
 * Names and strings are hex, since they may be any bytes; floats are the bits of a double, in hex, since
 * they may be NaN. `strict` is the worst finding under --strict. Values of nested arrays are omitted
 * (null), and so are those of arrays longer than MOST_VALUES.
 */
#include "../support/look.h"
#include "base/buffer.h"

#include <numel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 4096 };

static const char *const severities[] = { "note", "warning", "error" };
static const char *const types[] = { "u8",   "i8",  "u16", "i16", "u32", "i32", "f32",
                                     "bool", "str", "arr", "u64", "i64", "f64" };

static void put_hex(struct buffer *b, numel_str s)
{
    buffer_char(b, '"');
    for (size_t i = 0; i < s.n; i++) buffer_format(b, "%02x", (unsigned char)s.p[i]);
    buffer_char(b, '"');
}

static void put_value(struct buffer *b, const numel_value *v)
{
    uint64_t bits;
    switch (v->type) {
    case NUMEL_STRING: put_hex(b, v->is.s); return;
    case NUMEL_F32:
    case NUMEL_F64:
        memcpy(&bits, &v->is.f, sizeof bits);
        buffer_format(b, "\"%016" PRIx64 "\"", bits);
        return;
    case NUMEL_I8:
    case NUMEL_I16:
    case NUMEL_I32:
    case NUMEL_I64: buffer_format(b, "%" PRId64, v->is.i); return;
    default: buffer_format(b, "%" PRIu64, v->is.u);
    }
}

static void put_array(struct buffer *b, const numel_checkpoint *ck, size_t i, const numel_meta *m)
{
    numel_error e = { .code = NUMEL_OK };
    numel_values *values;
    numel_value v;
    if (m->element == NUMEL_ARRAY || m->count > MOST_VALUES) {
        buffer_text(b, "null");
        return;
    }
    if (numel_values_open(&values, ck, i, NULL, &e)) {
        fprintf(stderr, "verdicts: values: %s\n", e.what);
        exit(1);
    }
    buffer_char(b, '[');
    for (size_t k = 0; k < m->count; k++) {
        v = (numel_value){ .type = NUMEL_U8 };
        if (numel_values_at(values, k, &v, &e)) exit(1);
        if (k) buffer_char(b, ',');
        put_value(b, &v);
    }
    buffer_char(b, ']');
    numel_values_close(values);
}

static void put_meta(struct buffer *b, const numel_checkpoint *ck)
{
    numel_error e = { .code = NUMEL_OK };
    for (size_t i = 0; i < numel_meta_count(ck); i++) {
        numel_meta m = NUMEL_INIT(numel_meta);
        if (numel_meta_at(ck, i, &m, &e)) exit(1);
        buffer_text(b, i ? ",[" : "[");
        put_hex(b, m.key);
        buffer_format(b, ",\"%s\",\"%s\",", types[m.value.type], types[m.element]);
        if (m.value.type == NUMEL_ARRAY) put_array(b, ck, i, &m);
        else put_value(b, &m.value);
        buffer_char(b, ']');
    }
}

static void put_tensors(struct buffer *b, const numel_checkpoint *ck)
{
    for (size_t i = 0; i < numel_tensor_count(ck); i++) {
        const numel_tensor own = look_at(ck, i), *t = &own;
        buffer_text(b, i ? ",[" : "[");
        put_hex(b, t->name);
        buffer_text(b, ",");
        put_hex(b, (numel_str){ t->dtype->name, strlen(t->dtype->name) });
        buffer_text(b, ",[");
        for (uint32_t k = 0; k < t->ndim; k++) buffer_format(b, k ? ",%" PRIu64 : "%" PRIu64, t->dims[k]);
        buffer_format(b, "],%" PRIu64 ",%" PRIu64 "]", t->offset, t->bytes);
    }
}

static void put_findings(struct buffer *b, const numel_checkpoint *ck)
{
    for (size_t i = 0; i < numel_finding_count(ck); i++) {
        const numel_finding *f = numel_finding_at(ck, i);
        buffer_format(b, i ? ",\"%s:%s\"" : "\"%s:%s\"", severities[f->severity], f->code);
    }
}

static void put_checkpoint(struct buffer *b, const numel_checkpoint *ck)
{
    const numel_file *f = numel_file_at(ck, 0);
    buffer_format(b, "\"format\":\"%s %u %s\",\"header\":%" PRIu64 ",\"start\":%" PRIu64 ",\"findings\":[",
                  f->format == NUMEL_GGUF ? "gguf" : "safetensors", f->version,
                  f->big_endian ? "big" : "little", f->header_bytes, f->data_start);
    put_findings(b, ck);
    buffer_text(b, "],\"tensors\":[");
    put_tensors(b, ck);
    buffer_text(b, "],\"meta\":[");
    put_meta(b, ck);
    buffer_text(b, "]}\n");
}

/* --strict may change only the severities. */
static const char *strict_of(const void *p, size_t n, numel_rc rc)
{
    numel_options strict = { .size = sizeof strict, .strict = true };
    numel_error e = { .code = NUMEL_OK };
    numel_checkpoint *ck = NULL;
    if (numel_open_memory(&ck, p, n, &strict, &e) != rc) {
        fputs("verdicts: strict and default do not open the same files\n", stderr);
        exit(1);
    }
    const char *worst = rc == NUMEL_OK ? severities[numel_worst(ck)] : "error";
    numel_free(ck);
    return worst;
}

static void answer(struct buffer *b, const void *p, size_t n)
{
    numel_error e = { .code = NUMEL_OK };
    numel_checkpoint *ck = NULL;
    numel_rc rc = numel_open_memory(&ck, p, n, NULL, &e);
    b->n = 0;
    buffer_format(b, "{\"rc\":\"%s\",\"strict\":\"%s\",", numel_rc_name(rc), strict_of(p, n, rc));
    if (rc != NUMEL_OK) {
        buffer_format(b, "\"at\":%" PRIu64 ",\"what\":", e.offset == NUMEL_NOWHERE ? 0 : e.offset);
        put_hex(b, (numel_str){ e.what, strlen(e.what) });
        buffer_text(b, "}\n");
    } else {
        put_checkpoint(b, ck);
    }
    numel_free(ck);
    if (b->failed) exit(1);
    fwrite(b->p, 1, b->n, stdout);
}

int main(void)
{
    uint8_t length[4];
    struct buffer b;
    buffer_init(&b, &memory_malloc);
    while (fread(length, 1, sizeof length, stdin) == sizeof length) {
        size_t n =
            (size_t)length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 | (size_t)length[3] << 24;
        /* the exact size of the file, so that AddressSanitizer detects a read past its end */
        uint8_t *p = malloc(n ? n : 1);
        if (!p || fread(p, 1, n, stdin) != n) return fputs("verdicts: a file is cut short\n", stderr), 1;
        answer(&b, p, n);
        free(p);
    }
    buffer_done(&b);
    return fflush(stdout) != 0;
}

/*
 * cases.c -- see cases.h. The JSON is ours, written by Python: names and classes have no escapes, and no text
 * ends in a backslash.
 */
#include "cases.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

struct span cases_text(const char *path)
{
    size_t n, room = 0, count = 0;
    char *packed = read_whole(path, &n), *text = NULL;
    ZSTD_DStream *stream = ZSTD_createDStream();
    ZSTD_inBuffer in = { packed, n, 0 };
    while (stream && in.pos < in.size) {
        text = grown(text, count + ZSTD_DStreamOutSize(), &room, 1);
        ZSTD_outBuffer out = { text, room, count };
        if (ZSTD_isError(ZSTD_decompressStream(stream, &out, &in))) fail(path, "is not in zstd");
        count = out.pos;
    }
    ZSTD_freeDStream(stream);
    free(packed);
    return (struct span){ text, count };
}

/* ---- JSON ------------------------------------------------------------------------------------- */

static void over_blanks(struct span *s)
{
    while (s->n && strchr(" ,:", *s->p)) s->p++, s->n--;
}

/* The bytes of a text, without its quotes. */
static struct span text_at(struct span *s)
{
    const char *from = s->p + 1, *end = s->p + s->n, *stop = s->p;
    do stop = memchr(stop + 1, '"', (size_t)(end - stop - 1));
    while (stop && stop[-1] == '\\');
    if (!stop) fail("a case", "ends in a text");
    *s = (struct span){ stop + 1, (size_t)(end - stop - 1) };
    return (struct span){ from, (size_t)(stop - from) };
}

/* Cuts off the next value: texts without their quotes, others unchanged. */
static struct span value_at(struct span *s)
{
    struct span value = { s->p, 0 };
    size_t deep = 0;
    if (s->n && *s->p == '"') return text_at(s);
    while (s->n && (deep || !strchr(",]} ", *s->p))) {
        if (*s->p == '"') {
            text_at(s);
            continue;
        }
        if (strchr("[{", *s->p)) deep++;
        if (strchr("]}", *s->p)) deep--;
        s->p++, s->n--;
    }
    value.n = (size_t)(s->p - value.p);
    return value;
}

/* Takes the next member off an object; 0 if there is none. */
static int member(struct span *object, struct span *name, struct span *value)
{
    if (object->n && *object->p == '{') object->p++, object->n--;
    over_blanks(object);
    if (!object->n || *object->p != '"') return 0;
    *name = text_at(object);
    over_blanks(object);
    *value = value_at(object);
    return 1;
}

int cases_name(struct span *object, struct span *name)
{
    struct span value;
    return member(object, name, &value);
}

struct key {
    const char *name;
    struct span value;
};

static void ask(struct span object, struct key *keys, size_t count)
{
    struct span name, value;
    while (member(&object, &name, &value))
        for (size_t i = 0; i < count; i++)
            if (span_order(name, span_of(keys[i].name)) == 0) keys[i].value = value;
}

static int is_text(struct span s) { return s.n && span_order(s, span_of("null")) != 0; }

int cases_read(struct span line, struct one_case *out)
{
    struct key of_case[] = {
        { .name = "class" },   { .name = "configs" }, { .name = "params" },
        { .name = "buffers" }, { .name = "tied" },
    };
    struct key configs[] = { { .name = "whole" } };
    struct key whole[] = { { .name = "_class_name" }, { .name = "model_type" } };
    ask(line, of_case, sizeof of_case / sizeof *of_case);
    ask(of_case[1].value, configs, 1);
    ask(configs[0].value, whole, 2);
    struct span kind = is_text(whole[0].value) ? whole[0].value : whole[1].value;
    *out = (struct one_case){ of_case[0].value, kind, of_case[2].value, of_case[3].value, of_case[4].value };
    return is_text(out->kind) && is_text(out->class);
}

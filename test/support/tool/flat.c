/*
 * flat.c -- flat [FILE]: JSON from FILE or standard input as lines "path<TAB>value", for shell tests.
 *
 *     {"counts":{"tensors":3},"files":[{"data":"present"}]}
 *
 *     counts.tensors   3
 *     files.0.data     present
 *
 * Numbers are copied as written; strings are unescaped except for control characters. It uses the strict
 * scanner, so it also checks that the input is JSON: exit 1 if not. The input may hold several documents,
 * one per line ("tensors --json"); paths restart with each.
 */
#include "../hexasm.h"

#include "base/json_scan.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct flat {
    struct json_scan scan;
    struct arena arena;
    struct buffer path, line;
};

static void print(struct flat *f, numel_str value)
{
    f->line.n = 0;
    buffer_add(&f->line, f->path.p, f->path.n);
    buffer_char(&f->line, '\t');
    text_escape(&f->line, value);
    buffer_char(&f->line, '\n');
    fwrite(f->line.p, 1, f->line.n, stdout);
}

static void walk(struct flat *f);

static void walk_items(struct flat *f, char open, char close)
{
    size_t before = f->path.n, index = 0;
    struct json_text key;
    numel_str plain;
    for (json_open(&f->scan, open); json_more(&f->scan, close); f->path.n = before) {
        if (before) buffer_char(&f->path, '.');
        if (open == '[') buffer_format(&f->path, "%zu", index++);
        else if (json_key(&f->scan, &key) && json_unescape(&f->scan, &f->arena, key, &plain))
            text_escape(&f->path, plain);
        walk(f);
    }
}

static void walk(struct flat *f)
{
    struct json_text text;
    numel_str plain;
    uint8_t c = json_peek(&f->scan);
    const char *from = (const char *)f->scan.base + f->scan.at;
    if (c == '{' || c == '[') {
        walk_items(f, (char)c, c == '{' ? '}' : ']');
    } else if (c == '"') {
        if (json_string(&f->scan, &text) && json_unescape(&f->scan, &f->arena, text, &plain)) print(f, plain);
    } else if (json_skip(&f->scan)) {
        print(f, (numel_str){ from, (size_t)((const char *)f->scan.base + f->scan.at - from) });
    }
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "/dev/stdin";
    numel_error e = { .offset = NUMEL_NOWHERE };
    struct flat f;
    size_t n;
    char *text = hex_slurp(path, &n);
    if (!text) return perror(path), 1;
    arena_init(&f.arena, &memory_malloc);
    buffer_init(&f.path, &memory_malloc);
    buffer_init(&f.line, &memory_malloc);
    json_start(&f.scan, text, n, 0, &e);
    do walk(&f);
    while (json_ok(&f.scan) && json_peek(&f.scan));
    if (!json_ok(&f.scan)) fprintf(stderr, "%s:%llu: %s\n", path, (unsigned long long)e.offset, e.what);
    buffer_done(&f.path);
    buffer_done(&f.line);
    arena_done(&f.arena);
    free(text);
    return json_ok(&f.scan) ? 0 : 1;
}

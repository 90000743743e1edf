/*
 * second.c -- second FIRST COUNT: the JSON scanner and cJSON on generated texts, for a third opinion.
 *
 * Each text goes to standard output after its length (u32, little-endian), followed by a line: 1 and the
 * scanner's tree (json_draw()), or 0 and the reason for refusal. A disagreement with cJSON that no class
 * of test/support/json_second.h explains goes to standard error, and the exit status is 1; so do the
 * classes, counted.
 */
#include "../support/json_second.h"
#include "../support/json_texts.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>

static void answer(struct buffer *line, const struct buffer *text, const struct json_opinion *o)
{
    uint8_t length[4] = { (uint8_t)text->n, (uint8_t)(text->n >> 8), (uint8_t)(text->n >> 16),
                          (uint8_t)(text->n >> 24) };
    line->n = 0;
    buffer_add(line, length, sizeof length);
    buffer_add(line, text->p, text->n);
    buffer_char(line, o->ok ? '1' : '0');
    if (o->ok) json_draw(line, text->p, text->n);
    else buffer_text(line, o->why);
    buffer_char(line, '\n');
    fwrite(line->p, 1, line->n, stdout);
}

int main(int argc, char **argv)
{
    unsigned long long first = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    unsigned long long count = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000;
    unsigned long long seen[JSON_CLASS_COUNT] = { 0 }, accepted = 0, failed = 0;
    struct buffer text, line;
    struct json_opinion o;
    buffer_init(&text, &memory_malloc);
    buffer_init(&line, &memory_malloc);
    for (unsigned long long i = first; i < first + count; i++) {
        text.n = 0;
        json_text_make(&text, i);
        json_second(&o, text.n ? text.p : "", text.n);
        seen[o.only]++;
        accepted += o.ok;
        if (o.wrong[0]) fprintf(stderr, "FAIL text %llu: %s (%s)\n", i, o.wrong, o.why), failed++;
        answer(&line, &text, &o);
    }
    fprintf(stderr, "\ncJSON %s: %llu texts, the scanner accepts %llu\n", cJSON_Version(), count, accepted);
    for (unsigned c = 1; c < JSON_CLASS_COUNT; c++)
        fprintf(stderr, "  %7llu  %s\n", seen[c], json_class_texts[c]);
    fprintf(stderr, "  %7llu  unexplained\n", failed);
    buffer_done(&text);
    buffer_done(&line);
    return failed || fflush(stdout) ? 1 : 0;
}

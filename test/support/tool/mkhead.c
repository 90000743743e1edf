/*
 * mkhead.c -- makes header-only checkpoints from names and shapes.
 *
 *     mkhead [-q] [--plain|--sparse|--data] [--level N] [-e DIRECTIVE]... DESCRIPTION DIR
 *     mkhead [-q] [--plain|--sparse|--data] [--level N] [--dtype T] --json ORACLE.json DIR
 *
 * test/support/describe.c documents the language of descriptions, test/support/oracle.c the oracle files.
 * A file NAME becomes DIR/NAME.head.zst; --plain writes only the header, --sparse a full-size file with a
 * hole for the weights, --data one filled with bytes. Prints totals that it computes without the library,
 * and fails if the description expects others.
 */
#include "../draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
    enum put_form form;
    int level;
    bool quiet;
    const char *dtype, *oracle, *description, *dir;
    char *extra[8]; /* directives appended to the description */
    size_t extras;
};

static void usage(void)
{
    fputs("usage: mkhead [-q] [--plain|--sparse|--data] [--level N] [--dtype T]"
          " [-e DIRECTIVE] DESCRIPTION|--json ORACLE DIR\n",
          stderr);
    exit(2);
}

static void parse(struct job *j, int argc, char **argv)
{
    *j = (struct job){ .level = 19, .dtype = "F32" };
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (!strcmp(argv[i], "-q")) j->quiet = true;
        else if (!strcmp(argv[i], "--plain")) j->form = PUT_PLAIN;
        else if (!strcmp(argv[i], "--sparse")) j->form = PUT_SPARSE;
        else if (!strcmp(argv[i], "--data")) j->form = PUT_DATA;
        else if (!strcmp(argv[i], "--level") && more) j->level = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--dtype") && more) j->dtype = argv[++i];
        else if (!strcmp(argv[i], "--json") && more) j->oracle = argv[++i];
        else if (!strcmp(argv[i], "-e") && more && j->extras < 8) j->extra[j->extras++] = argv[++i];
        else if (!j->oracle && !j->description) j->description = argv[i];
        else if (!j->dir) j->dir = argv[i];
        else usage();
    }
    if (!j->dir) usage();
}

static void say(const char *name, uint64_t tensors, uint64_t elements, uint64_t header, uint64_t bytes)
{
    char n[3][TEXT_NUMBER];
    printf("%-52s %6" PRIu64 " tensors %19s elements %11s header %19s bytes\n", name, tensors,
           text_number(n[0], elements), text_number(n[1], header), text_number(n[2], bytes));
}

static void write_file(struct draft *m, const struct job *j, unsigned file, uint64_t *headers)
{
    struct buffer head;
    uint64_t data, tensors = 0, elements = 0;
    const char *name = draft_file_name(m, file);
    buffer_init(&head, &memory_malloc);
    if (m->gguf) encode_gguf(m, file, &head, &data);
    else encode_safetensors(m, file, &head, &data);
    put_head(j->dir, name, j->form, j->level, &head, head.n + data);
    for (size_t i = 0; i < m->count; i++) {
        if (m->tensors[i].file != file) continue;
        tensors++;
        elements += m->tensors[i].elements;
    }
    if (!j->quiet) say(name, tensors, elements, head.n, head.n + data);
    *headers += head.n;
    buffer_done(&head);
}

static void write_index(struct draft *m, const struct job *j)
{
    struct buffer index;
    if (m->gguf || m->files == 1 || m->no_index) return;
    buffer_init(&index, &memory_malloc);
    encode_index(m, &index);
    put_text(j->dir, "model.safetensors.index.json", index.p, index.n);
    buffer_done(&index);
}

static void check(const char *what, uint64_t is, uint64_t expected)
{
    if (expected && is != expected) die("%s: %" PRIu64 ", expected %" PRIu64, what, is, expected);
}

int main(int argc, char **argv)
{
    struct job j;
    struct draft m;
    const char *config = NULL;
    uint64_t headers = 0;
    parse(&j, argc, argv);
    draft_init(&m);
    if (j.oracle) config = draft_oracle(&m, j.oracle, j.dtype);
    else draft_describe(&m, j.description, j.extra, j.extras);
    draft_shard(&m);
    struct expected sum = draft_sum(&m);
    check("tensors", sum.tensors, m.expected.tensors);
    check("elements", sum.elements, m.expected.elements);
    check("bytes of tensors", sum.bytes, m.expected.bytes);
    for (unsigned i = 0; i < m.files; i++) write_file(&m, &j, i, &headers);
    write_index(&m, &j);
    check("bytes of the files", headers + sum.bytes, m.expected.whole);
    if (config) put_text(j.dir, "config.json", config, strlen(config));
    say("total", sum.tensors, sum.elements, headers, headers + sum.bytes);
    draft_done(&m);
    return 0;
}

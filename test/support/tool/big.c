/*
 * big.c -- big KIND COUNT [OUT]: writes checkpoints too large for a fixture.
 *
 *   gguf-keys        COUNT keys besides general.architecture, no tensors
 *   gguf-tensors     COUNT tensors of 32 F32 elements; the data is absent
 *   gguf-strings     one array of COUNT strings
 *   safetensors      COUNT tensors of 32 U8 elements; sparse data
 *   safetensors-same the last two of COUNT names are equal
 *
 * Readers must not be quadratic on these: the reference needs 3.7 s for 60,000 keys and 3.8 s for 50,000
 * tensors.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *out;

static void number(uint64_t v, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) putc((int)(v >> 8 * i & 0xFF), out);
}

static void string(const char *p)
{
    number(strlen(p), 8);
    fputs(p, out);
}

static void gguf_start(uint64_t tensors, uint64_t keys)
{
    fputs("GGUF", out);
    number(3, 4);
    number(tensors, 8);
    number(keys + 1, 8);
    string("general.architecture");
    number(8, 4);
    string("llama");
}

static void gguf_keys(uint64_t count)
{
    char key[40];
    gguf_start(0, count);
    for (uint64_t i = 0; i < count; i++) {
        snprintf(key, sizeof key, "key.%llu", (unsigned long long)i);
        string(key);
        number(4, 4);
        number(i, 4);
    }
}

static void gguf_tensors(uint64_t count)
{
    char name[60];
    gguf_start(count, 0);
    for (uint64_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "blk.%llu.ffn_%llu.weight", (unsigned long long)i / 100,
                 (unsigned long long)i % 100);
        string(name);
        number(1, 4);
        number(32, 8);
        number(0, 4);
        number(i * 128, 8);
    }
}

static void gguf_strings(uint64_t count)
{
    char token[32];
    gguf_start(0, 1);
    string("tokenizer.ggml.tokens");
    number(9, 4);
    number(8, 4);
    number(count, 8);
    for (uint64_t i = 0; i < count; i++) {
        snprintf(token, sizeof token, "t%llu", (unsigned long long)i);
        string(token);
    }
}

/* Builds the header twice: its length comes first. */
static uint64_t safetensors_header(uint64_t count, bool same, bool write)
{
    char entry[160];
    uint64_t n = 1;
    if (write) putc('{', out);
    for (uint64_t i = 0; i < count; i++) {
        unsigned long long k = same && i == count - 1 ? i - 1 : i, at = i * 32;
        n += (uint64_t)snprintf(entry, sizeof entry,
                                "%s\"model.layers.%llu.mlp.experts.%llu.weight\":{\"dtype\":\"U8\","
                                "\"shape\":[4,8],\"data_offsets\":[%llu,%llu]}",
                                i ? "," : "", k / 100, k % 100, at, at + 32);
        if (write) fputs(entry, out);
    }
    if (write) putc('}', out);
    return n + 1;
}

static void safetensors(uint64_t count, bool same)
{
    number(safetensors_header(count, same, false), 8);
    safetensors_header(count, same, true);
    if (count && fseek(out, (long)(count * 32 - 1), SEEK_CUR) == 0) putc(0, out);
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "";
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    out = argc > 3 ? fopen(argv[3], "wb") : stdout;
    if (!out) return perror(argv[3]), 1;
    if (strcmp(kind, "gguf-keys") == 0) gguf_keys(count);
    else if (strcmp(kind, "gguf-tensors") == 0) gguf_tensors(count);
    else if (strcmp(kind, "gguf-strings") == 0) gguf_strings(count);
    else if (strcmp(kind, "safetensors") == 0) safetensors(count, false);
    else if (strcmp(kind, "safetensors-same") == 0) safetensors(count, true);
    else return fputs("usage: big KIND COUNT [OUT]\n", stderr), 2;
    return fclose(out) == 0 ? 0 : 1;
}

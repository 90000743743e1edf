/* hostile.c -- see hostile.h. */
#include "hostile.h"

#include "base/num.h"

#include <stdlib.h>
#include <string.h>

/* ---- the texts ---------------------------------------------------------------------------- */

#define T(what, text)                  \
    {                                  \
        what, text, sizeof text - 1, 1 \
    }
static const struct {
    const char *what, *p;
    size_t n, times; /* number of repetitions of the text after its first byte */
} texts[HOSTILE_TEXTS] = {
    T("nothing", ""),
    T("a NUL", "\0"),
    T("a NUL inside", "a\0b"),
    T("a NUL at the end", "llama\0"),
    T("a NUL at the front", "\0llama"),
    { "a NUL and pages", "a\0x", 3, 12000 },
    { "as long as a message", "m", 1, 300 },
    { "as long as a buffer for a name", "n", 1, 512 },
    { "just shorter than one", "n", 1, 590 },
    { "just longer than one", "n", 1, 601 },
    { "longer than any", "n", 1, 12000 },
    { "wide and cut anywhere", "\xe6\xa8\xa1", 3, 333 },
    { "marks and cut anywhere", "\xcc\x81", 2, 400 },
    T("colours", "\033[31mred\033[0m"),
    T("a title and a bell", "\033]0;title\007"),
    T("back and over", "a\b\b\r\v\f\t"),
    T("a delete", "\x7f"),
    T("a line of its own", "x\n" HOSTILE_LINE "\n"),
    T("a line by another name", "x\xe2\x80\xa8" HOSTILE_LINE "\xe2\x80\xa9\xc2\x85"),
    T("a raw C1", "\x9b"
                  "31m\x80\x9f"),
    T("a C1 in UTF-8", "\xc2\x9b"
                       "31m\xc2\x80\xc2\x9f"),
    T("right to left", "\xe2\x80\xae"
                       "gpj.\xe2\x80\xac"),
    T("isolates", "\xe2\x81\xa6x\xe2\x81\xa9\xd8\x9c"),
    T("marks of direction", "\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\x8b"),
    T("a byte order mark", "\xef\xbb\xbf"),
    T("tags", "\xf3\xa0\x80\x81\xf3\xa0\x81\xa1"),
    T("no UTF-8", "\xff\xfe\xc0\xaf"),
    T("half a character", "a\xe6\xa8"),
    T("a surrogate", "\xed\xa0\x80\xed\xb0\x80"),
    T("past Unicode", "\xf4\x90\x80\x80"),
    T("quotes and backslashes", "'\"\\\\x1b[31m`$(x)"),
    T("conversions", "%s%n%.*s%999999d"),
    T("places", "/../../etc/passwd"),
};

numel_str hostile_text(unsigned i, const char **what)
{
    static char *kept[HOSTILE_TEXTS];
    size_t head = texts[i].times > 1 && texts[i].n > 1 && texts[i].p[1] == 0 ? 2 : 0;
    size_t unit = texts[i].n - head, n = head + unit * texts[i].times;
    *what = texts[i].what;
    if (!kept[i]) {
        kept[i] = malloc(n + 1);
        if (!kept[i]) abort();
        memcpy(kept[i], texts[i].p, head);
        for (size_t k = 0; k < texts[i].times; k++)
            memcpy(kept[i] + head + k * unit, texts[i].p + head, unit);
        kept[i][n] = 0;
    }
    return (numel_str){ kept[i], n };
}

/* ---- what may be shown -------------------------------------------------------------------- */

/* Decodes the character at p by the table of RFC 3629; 0 bytes if invalid. */
static size_t character(const unsigned char *p, size_t n, uint32_t *c)
{
    static const struct {
        unsigned char low, high, second_low, second_high;
        size_t n;
    } rows[] = {
        { 0x00, 0x7F, 0, 0, 1 },       { 0xC2, 0xDF, 0x80, 0xBF, 2 }, { 0xE0, 0xE0, 0xA0, 0xBF, 3 },
        { 0xE1, 0xEC, 0x80, 0xBF, 3 }, { 0xED, 0xED, 0x80, 0x9F, 3 }, { 0xEE, 0xEF, 0x80, 0xBF, 3 },
        { 0xF0, 0xF0, 0x90, 0xBF, 4 }, { 0xF1, 0xF3, 0x80, 0xBF, 4 }, { 0xF4, 0xF4, 0x80, 0x8F, 4 },
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        if (p[0] < rows[r].low || p[0] > rows[r].high || n < rows[r].n) continue;
        *c = rows[r].n == 1 ? p[0] : p[0] & (0xFFu >> (rows[r].n + 1));
        for (size_t i = 1; i < rows[r].n; i++) {
            if (p[i] < (i == 1 ? rows[r].second_low : 0x80) || p[i] > (i == 1 ? rows[r].second_high : 0xBF))
                return 0;
            *c = *c << 6 | (p[i] & 0x3Fu);
        }
        return rows[r].n;
    }
    return 0;
}

static const char *forbidden(uint32_t c)
{
    if (c < 0x20 && c != '\n') return "a control character";
    if (c >= 0x7F && c < 0xA0) return "a delete or a C1 control character";
    if (c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
        (c >= 0x2066 && c <= 0x2069))
        return "a character that changes the direction of writing";
    if (c == 0x2028 || c == 0x2029) return "a separator of lines";
    if (c == 0x200B || c == 0xFEFF || (c >= 0xE0000 && c <= 0xE007F)) return "a character that hides";
    return NULL;
}

const char *check_clean(const void *p, size_t n)
{
    const unsigned char *s = p;
    const size_t forged = strlen(HOSTILE_LINE);
    bool starts = true;
    for (size_t i = 0; i < n;) {
        uint32_t c = 0;
        size_t took = character(s + i, n - i, &c);
        const char *why = took ? forbidden(c) : "bytes that are not UTF-8";
        if (starts && n - i >= forged && memcmp(s + i, HOSTILE_LINE, forged) == 0)
            why = "a line that a file put there";
        if (why) return why;
        starts = c == '\n';
        i += took;
    }
    return NULL;
}

/* ---- GGUF --------------------------------------------------------------------------------- */

static void put_number(struct buffer *b, uint64_t v, unsigned width)
{
    for (unsigned i = 0; i < width; i++) buffer_char(b, (char)(uint8_t)(v >> 8 * i));
}

/* The text replaces '@'. */
static numel_str filled(struct buffer *scratch, const char *pattern, numel_str text)
{
    scratch->n = 0;
    for (; *pattern; pattern++) {
        if (*pattern == '@') buffer_add(scratch, text.p, text.n);
        else buffer_char(scratch, *pattern);
    }
    return (numel_str){ scratch->n ? scratch->p : "", scratch->n };
}

static void put_string(struct buffer *b, numel_str s)
{
    put_number(b, s.n, 8);
    buffer_add(b, s.p, s.n);
}

static const char *const model_names[] = {
    "@",         "@.weight", "blk.7.@.weight",    "model.layers.7.@.weight", "@.bias",
    "@.qweight", "@.scales", "token_embd.weight", "model.layers.99999999.@", "@.experts.3.@.weight"
};
static const char *const adapter_names[] = { "@.lora_A.weight",    "@.lora_B.weight",
                                             "blk.0.@.lora_a",     "blk.0.@.lora_b",
                                             "@.magnitude_vector", "base_model.model.@.lora_embedding_A" };
#define NAMES_OF(adapter) ((adapter) ? adapter_names : model_names)
#define COUNT_OF(adapter) \
    ((adapter) ? sizeof adapter_names / sizeof *adapter_names : sizeof model_names / sizeof *model_names)

enum { U32 = 4, STRING = 8, ARRAY = 9 };

void hostile_gguf(struct buffer *out, numel_str text, bool adapter)
{
    static const char *const strings[] = { "general.architecture",
                                           "general.name",
                                           "general.size_label",
                                           "general.base_model.0.name",
                                           "tokenizer.ggml.model",
                                           "adapter.type",
                                           "split.@",
                                           "@" };
    static const char *const numbers[] = { "@.block_count", "@.vocab_size", "@.embedding_length",
                                           "tokenizer.ggml.@_token_id" };
    size_t n_strings = sizeof strings / sizeof *strings, n_numbers = sizeof numbers / sizeof *numbers;
    struct buffer scratch;
    buffer_init(&scratch, &memory_malloc);
    buffer_add(out, "GGUF", 4);
    put_number(out, 3, 4);
    put_number(out, COUNT_OF(adapter), 8);
    put_number(out, n_strings + n_numbers + 2, 8);
    for (size_t i = 0; i < n_strings; i++) {
        put_string(out, filled(&scratch, strings[i], text));
        put_number(out, STRING, 4);
        put_string(out, text);
    }
    for (size_t i = 0; i < n_numbers; i++) {
        put_string(out, filled(&scratch, numbers[i], text));
        put_number(out, U32, 4);
        put_number(out, 8, 4);
    }
    put_string(out, filled(&scratch, "general.type", text));
    put_number(out, STRING, 4);
    put_string(out, filled(&scratch, adapter ? "adapter" : "model", text));
    put_string(out, filled(&scratch, "tokenizer.ggml.tokens", text));
    put_number(out, ARRAY, 4);
    put_number(out, STRING, 4);
    put_number(out, 3, 8);
    for (size_t i = 0; i < 3; i++) put_string(out, filled(&scratch, i ? "@ @" : "@", text));
    for (size_t i = 0; i < COUNT_OF(adapter); i++) {
        put_string(out, filled(&scratch, NAMES_OF(adapter)[i], text));
        put_number(out, 2, 4);
        put_number(out, 4, 8);
        put_number(out, 2, 8);
        put_number(out, 0, 4); /* F32: 32 bytes each */
        put_number(out, i * 32, 8);
    }
    while (out->n % 32) buffer_char(out, 0);
    buffer_fill(out, 1, COUNT_OF(adapter) * 32);
    buffer_done(&scratch);
}

/* ---- safetensors -------------------------------------------------------------------------- */

/* As a JSON string with every byte below 0x20 written as \u00XX; other bytes are copied. */
static void put_json(struct buffer *b, numel_str s)
{
    buffer_char(b, '"');
    for (size_t i = 0; i < s.n; i++) {
        if ((unsigned char)s.p[i] < 0x20) buffer_format(b, "\\u%04x", (unsigned)(unsigned char)s.p[i]);
        else if (s.p[i] == '"' || s.p[i] == '\\') buffer_format(b, "\\%c", s.p[i]);
        else buffer_char(b, s.p[i]);
    }
    buffer_char(b, '"');
}

void hostile_safetensors(struct buffer *out, numel_str text, bool adapter)
{
    struct buffer head, scratch;
    buffer_init(&head, &memory_malloc);
    buffer_init(&scratch, &memory_malloc);
    buffer_text(&head, "{\"__metadata__\":{\"format\":");
    put_json(&head, text);
    buffer_text(&head, ",\"total_parameters\":");
    put_json(&head, text);
    buffer_char(&head, ',');
    put_json(&head, filled(&scratch, "k@", text));
    buffer_char(&head, ':');
    put_json(&head, text);
    buffer_char(&head, '}');
    for (size_t i = 0; i < COUNT_OF(adapter); i++) {
        buffer_char(&head, ',');
        put_json(&head, filled(&scratch, NAMES_OF(adapter)[i], text));
        buffer_format(&head, ":{\"dtype\":\"F32\",\"shape\":[4,2],\"data_offsets\":[%zu,%zu]}", i * 32,
                      i * 32 + 32);
    }
    buffer_char(&head, '}');
    while (head.n % 8) buffer_char(&head, ' ');
    put_number(out, head.n, 8);
    buffer_add(out, head.p, head.n);
    buffer_fill(out, 1, COUNT_OF(adapter) * 32);
    buffer_done(&head);
    buffer_done(&scratch);
}

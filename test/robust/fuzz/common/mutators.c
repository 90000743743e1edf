/* mutators.c -- see mutators.h. */
#include "mutators.h"

#include "../../../support/gguf_walk.h"

#include "base/num.h"

#include <string.h>

void dice_init(struct dice *d, unsigned seed) { d->state = seed * 0x9E3779B97F4A7C15u + 0x1234567; }

size_t dice_roll(struct dice *d, size_t sides)
{
    d->state ^= d->state >> 12;
    d->state ^= d->state << 25;
    d->state ^= d->state >> 27;
    return (size_t)(d->state * 0x2545F4914F6CDD1Du >> 11) % sides;
}

size_t mutate_splice(uint8_t *p, size_t n, size_t most, size_t at, size_t cut, const uint8_t *with,
                     size_t n_with)
{
    if (n - cut + n_with > most) return n;
    uint8_t *copy = malloc(n_with + 1);
    if (!copy) abort();
    if (n_with) memcpy(copy, with, n_with);
    memmove(p + at + n_with, p + at + cut, n - at - cut);
    if (n_with) memcpy(p + at, copy, n_with);
    free(copy);
    return n - cut + n_with;
}

/* ---- numbers ------------------------------------------------------------------------------ */

static uint64_t odd_number(struct dice *d, uint64_t was)
{
    static const uint64_t ends[] = { 0,
                                     1,
                                     2,
                                     3,
                                     7,
                                     8,
                                     31,
                                     32,
                                     64,
                                     255,
                                     256,
                                     65535,
                                     65536,
                                     INT32_MAX,
                                     (uint64_t)INT32_MAX + 1,
                                     UINT32_MAX,
                                     (uint64_t)UINT32_MAX + 1,
                                     (uint64_t)1 << 53,
                                     ((uint64_t)1 << 53) + 1,
                                     INT64_MAX,
                                     (uint64_t)INT64_MAX + 1,
                                     UINT64_MAX };
    switch (dice_roll(d, 6)) {
    case 0: return was + 1;
    case 1: return was - 1;
    case 2: return was * 2;
    case 3: return was / 2;
    case 4: return (uint64_t)1 << dice_roll(d, 64);
    default: return ends[dice_roll(d, sizeof ends / sizeof *ends)];
    }
}

/* ---- JSON --------------------------------------------------------------------------------- */

struct span {
    size_t at, n;
};

static bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }

/* From a random position, the next run of digits, or the next string with its quotes. */
static bool any_token(const uint8_t *p, size_t n, struct dice *d, bool digits, struct span *out)
{
    for (size_t i = n ? dice_roll(d, n) : 0; i < n; i++) {
        if (digits ? !is_digit(p[i]) : p[i] != '"') continue;
        size_t end = i + 1;
        while (end < n && (digits ? is_digit(p[end]) : p[end] != '"'))
            end += !digits && p[end] == '\\' ? 2 : 1;
        if (!digits) end++;
        if (end > n) return false;
        *out = (struct span){ i, end - i };
        return true;
    }
    return false;
}

/* The end of the item that begins here: before a comma or its closing bracket. */
static size_t item_end(const uint8_t *p, size_t n, size_t at)
{
    size_t depth = 0;
    bool quoted = false;
    for (; at < n; at++) {
        uint8_t c = p[at];
        if (quoted && c == '\\') at++;
        else if (c == '"') quoted = !quoted;
        else if (quoted) continue;
        else if (c == '{' || c == '[') depth++;
        else if ((c == '}' || c == ']') && depth-- == 0) return at;
        else if (c == ',' && depth == 0) return at;
    }
    return n;
}

/* A member or an element; with `value`, only the part of a member after the colon. */
static bool any_item(const uint8_t *p, size_t n, struct dice *d, bool value, struct span *out)
{
    for (size_t i = n ? dice_roll(d, n) : 0; i < n; i++) {
        if (value ? p[i] != ':' : p[i] != '{' && p[i] != '[' && p[i] != ',') continue;
        size_t end = item_end(p, n, i + 1);
        *out = (struct span){ i + 1, end - i - 1 };
        return out->n > 0;
    }
    return false;
}

static size_t json_number(uint8_t *p, size_t n, size_t most, struct dice *d)
{
    struct span x, y;
    char text[32];
    uint64_t was = 0;
    if (!any_token(p, n, d, true, &x)) return n;
    if (dice_roll(d, 3) == 0 && any_token(p, n, d, true, &y))
        return mutate_splice(p, n, most, x.at, x.n, p + y.at, y.n);
    for (size_t i = 0; i < x.n; i++) was = was * 10 + p[x.at + i] - '0';
    int length = snprintf(text, sizeof text, "%llu", (unsigned long long)odd_number(d, was));
    return mutate_splice(p, n, most, x.at, x.n, (const uint8_t *)text, (size_t)length);
}

static size_t json_double(uint8_t *p, size_t n, size_t most, struct span x)
{
    size_t more = mutate_splice(p, n, most, x.at, 0, p + x.at, x.n + 1 > n - x.at ? x.n : x.n + 1);
    if (more != n && x.at + x.n < more) p[x.at + x.n] = ',';
    return more;
}

static size_t json_cut(uint8_t *p, size_t n, size_t most, struct span x)
{
    size_t more = x.at + x.n < n && p[x.at + x.n] == ',';
    size_t before = !more && x.at && p[x.at - 1] == ',';
    return mutate_splice(p, n, most, x.at - before, x.n + before + more, NULL, 0);
}

size_t mutate_json(uint8_t *p, size_t n, size_t most, struct dice *d)
{
    struct span x, y;
    bool value = dice_roll(d, 2);
    switch (dice_roll(d, 8)) {
    case 0:
    case 1: return json_number(p, n, most, d);
    case 2:
        if (!any_token(p, n, d, false, &x) || !any_token(p, n, d, false, &y)) break;
        return mutate_splice(p, n, most, x.at, x.n, p + y.at, y.n);
    case 3:
        if (!any_item(p, n, d, value, &x) || !any_item(p, n, d, value, &y)) break;
        return mutate_splice(p, n, most, x.at, x.n, p + y.at, y.n);
    case 4:
        if (!any_item(p, n, d, false, &x)) break;
        return json_double(p, n, most, x);
    case 5:
        if (!any_item(p, n, d, false, &x)) break;
        return json_cut(p, n, most, x);
    default: break;
    }
    return LLVMFuzzerMutate(p, n, most);
}

size_t mutate_lines(uint8_t *p, size_t n, size_t most, struct dice *d)
{
    struct span x[2];
    size_t what = dice_roll(d, 6);
    for (int k = 0; k < 2; k++) {
        size_t at = n ? dice_roll(d, n) : 0, end;
        while (at && p[at - 1] != '\n') at--;
        for (end = at; end < n && p[end] != '\n'; end++) {
        }
        x[k] = (struct span){ at, end - at + (end < n) };
    }
    if (what == 0) return mutate_splice(p, n, most, x[0].at, x[0].n, NULL, 0);
    if (what == 1) return mutate_splice(p, n, most, x[0].at, 0, p + x[1].at, x[1].n);
    if (what == 2) return mutate_splice(p, n, most, x[0].at, x[0].n, p + x[1].at, x[1].n);
    return LLVMFuzzerMutate(p, n, most);
}

/* ---- safetensors -------------------------------------------------------------------------- */

enum { HEADER_MOST = 1 << 16 };

size_t mutate_safetensors(uint8_t *p, size_t n, size_t most, struct dice *d)
{
    size_t what = dice_roll(d, 12);
    if (n < 8 || what == 0) return LLVMFuzzerMutate(p, n, most);
    uint64_t length = num_load(p, 8, false);
    if (length > n - 8) length = n - 8;
    size_t data = n - 8 - (size_t)length;
    if (what == 1) return data ? n - 1 - dice_roll(d, data) : n; /* cut */
    if (what == 2) {                                             /* grown */
        size_t more = dice_roll(d, most - n + 1) % 64;
        memset(p + n, (int)dice_roll(d, 256), more);
        return n + more;
    }
    uint8_t *header = malloc(HEADER_MOST);
    if (!header || length > HEADER_MOST) return free(header), LLVMFuzzerMutate(p, n, most);
    memcpy(header, p + 8, (size_t)length);
    size_t room = most - 8 - data < HEADER_MOST ? most - 8 - data : HEADER_MOST;
    size_t changed = mutate_json(header, (size_t)length, room, d);
    n = mutate_splice(p, n, most, 8, (size_t)length, header, changed);
    num_store_le64(p, changed);
    free(header);
    return n;
}

/* ---- GGUF --------------------------------------------------------------------------------- */

static void store(uint8_t *p, uint64_t v, unsigned bytes, bool big)
{
    for (unsigned i = 0; i < bytes; i++) p[i] = (uint8_t)(v >> 8 * (big ? bytes - 1 - i : i));
}

/* Increments or decrements a count in the header: of pairs, or of tensors. */
static void recount_records(uint8_t *p, const struct gguf_walk *w, size_t record, bool more)
{
    bool tensor = record >= w->pairs;
    uint64_t count = (tensor ? w->tensors : w->pairs) + (more ? 1 : UINT64_MAX);
    store(p + 8 + (tensor ? 0 : w->length_bytes), count, w->length_bytes, w->big);
}

static size_t gguf_string(uint8_t *p, size_t n, size_t most, const struct gguf_walk *w, struct dice *d)
{
    uint8_t text[256];
    for (size_t tries = 0; tries < 16 && w->field_count; tries++) {
        const struct gguf_field *f = &w->fields[dice_roll(d, w->field_count)];
        if (f->kind != GGUF_LENGTH) continue;
        uint64_t length = num_load(p + f->at, f->bytes, w->big);
        if (length > sizeof text || length > n - f->at - f->bytes) continue;
        memcpy(text, p + f->at + f->bytes, (size_t)length);
        size_t changed = LLVMFuzzerMutate(text, (size_t)length, sizeof text);
        size_t now = mutate_splice(p, n, most, f->at + f->bytes, (size_t)length, text, changed);
        if (now == n && changed != length) return n;
        store(p + f->at, changed, f->bytes, w->big);
        return now;
    }
    return LLVMFuzzerMutate(p, n, most);
}

size_t mutate_gguf(uint8_t *p, size_t n, size_t most, struct dice *d)
{
    static struct gguf_walk w; /* large */
    size_t what = dice_roll(d, 10);
    gguf_walk(&w, p, n);
    if (what < 2 || !w.field_count) return LLVMFuzzerMutate(p, n, most);
    if (what < 5) {
        const struct gguf_field *f = &w.fields[dice_roll(d, w.field_count)];
        store(p + f->at, odd_number(d, num_load(p + f->at, f->bytes, w.big)), f->bytes, w.big);
        return n;
    }
    if (what < 7 || !w.record_count) return gguf_string(p, n, most, &w, d);
    size_t i = dice_roll(d, w.record_count), k = dice_roll(d, w.record_count), now;
    const struct gguf_record *a = &w.records[i], *b = &w.records[k];
    if ((i < w.pairs) != (k < w.pairs)) b = a;
    if (what == 7) now = mutate_splice(p, n, most, b->at, 0, p + a->at, a->end - a->at); /* duplicated */
    else if (what == 8) now = mutate_splice(p, n, most, a->at, a->end - a->at, NULL, 0); /* removed */
    else return mutate_splice(p, n, most, b->at, b->end - b->at, p + a->at, a->end - a->at);
    if (now != n) recount_records(p, &w, i, now > n);
    return now;
}

/* timm.c -- see timm.h. The number is computed as in mktimm.py. */
#include "formula/timm.h"

#include "base/text.h"
#include "formula/layout.h"
#include "formula/lookup.h"

#include <string.h>

enum { MOST = 16384 }; /* tensors: more than any architecture has */

static const char wrapper[] = "timm_model.";

static bool is_sidecar(numel_str last)
{
    const struct embedded_sidecar *s = embedded_sidecars, *end = s + embedded_sidecar_count;
    while (s < end &&
           (*s->end != text_first(last) || s->vague || s->role == LAYOUT_VALUE || !text_equal(last, s->end)))
        s++;
    return s < end;
}

/* True for a head, a buffer that some files lack, or what a quantizer stores next to a weight that keeps its
 * shape. */
static bool is_left_out(numel_str name)
{
    static const char
        heads[] = "head heads head_dist heads_dist fc classifier classif last_linear aux_head",
        buffers[] = "num_batches_tracked relative_position_index attn_mask k_bias relative_coords_table";
    numel_str first = text_upto(name, text_find(name, 0, '.')),
              last = text_from(name, text_head(name, '.').n);
    return (strchr("hfcla", text_first(first)) && text_lists(text_of(heads), first)) ||
           (strchr("nrak", text_first(last)) && text_lists(text_of(buffers), last)) ||
           (!text_equal(last, "weight") && is_sidecar(last));
}

static uint32_t mixed(uint32_t h, uint64_t x) { return (uint32_t)((h ^ x) * 0x01000193u); }

/* 32-bit FNV-1a of a tensor's name, its rank, its first size, and the last size of a kernel. */
static uint32_t digest(const numel_tensor *t, numel_str name)
{
    uint32_t h = 0x811C9DC5u;
    for (size_t i = 0; i < name.n; i++) h = mixed(h, (unsigned char)name.p[i]);
    h = mixed(h, t->ndim);
    if (t->ndim > 0) h = mixed(h, t->dims[0]);
    if (t->ndim > 2) h = mixed(h, t->dims[t->ndim - 1]);
    return h;
}

/* The name without the wrapper's prefix. */
static numel_str bare(numel_str name, bool wrapped)
{
    size_t n = wrapped ? sizeof wrapper - 1 : 0;
    return text_from(name, n);
}

static bool is_wrapped(const struct registry *r)
{
    bool all = r->count > 0;
    for (size_t i = 0; i < r->count && all; i++) all = text_starts(r->tensors[i].name, wrapper);
    return all;
}

/* The number made from the tensors whose names begin with `start`. */
static uint32_t number_of(const struct registry *r, bool wrapped, const char *start)
{
    uint32_t total = 0;
    if (r->count > MOST) return 0;
    for (size_t i = 0; i < r->count; i++) {
        numel_str name = bare(r->tensors[i].name, wrapped);
        if (name.n && text_starts(name, start) && !is_left_out(name)) total += digest(&r->tensors[i], name);
    }
    return total;
}

/* The quoted value of a word; false if the line lacks the word. */
static bool word_of(numel_str line, const char *key, numel_str *value)
{
    for (numel_str word = text_word(&line); word.n; word = text_word(&line)) {
        size_t n = strlen(key);
        if (word.n < n + 3 || memcmp(word.p, key, n) != 0 || word.p[n] != '=' || word.p[n + 1] != '"')
            continue;
        *value = text_less(text_from(word, n + 2), 1);
        return true;
    }
    return false;
}

/* A size of the weight of the module that a word of the line names; `none` if the file lacks the tensor, -1
 * if the line lacks the word. */
static int64_t size_told(const struct registry *r, bool wrapped, numel_str line, const char *key,
                         uint32_t axis, int64_t none)
{
    numel_str module;
    if (!word_of(line, key, &module)) return -1;
    for (size_t i = 0; i < r->count; i++) {
        const numel_tensor *t = &r->tensors[i];
        numel_str name = bare(t->name, wrapped);
        if (name.n != module.n + 7 || memcmp(name.p, module.p, module.n) != 0 || !text_ends(name, ".weight"))
            continue;
        return axis < t->ndim && t->dims[axis] <= INT32_MAX ? (int64_t)t->dims[axis] : -1;
    }
    return none;
}

/* Inserts it by length of name: among like architectures, the shortest name is the best known. */
static void enter(struct timm_found *found, unsigned *count, const struct timm_found *x)
{
    unsigned at = *count < TIMM_FOUND ? (*count)++ : TIMM_FOUND;
    while (at > 0 && x->name.n < found[at - 1].name.n) {
        if (at < TIMM_FOUND) found[at] = found[at - 1];
        at--;
    }
    if (at < TIMM_FOUND) found[at] = *x;
}

/* Finds the architectures with that number. */
static unsigned find(const struct registry *r, enum told kind, uint32_t number, bool wrapped,
                     struct timm_found found[TIMM_FOUND])
{
    const uint16_t *lines;
    unsigned count = 0;
    uint32_t n = number ? lookup_told(kind, number, &lines) : 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct embedded_told *told = &embedded_told[lines[i]];
        numel_str line = { embedded_text + told->text, told->bytes };
        struct timm_found x = { .name = text_word(&line) };
        if (!word_of(line, "timm", &x.class)) continue;
        x.classes = size_told(r, wrapped, line, "head", 0, 0);
        x.channels = size_told(r, wrapped, line, "conv", 1, -1);
        enter(found, &count, &x);
    }
    return count;
}

unsigned timm_find(const struct registry *r, struct timm_found found[TIMM_FOUND], bool *wrapped)
{
    *wrapped = is_wrapped(r);
    return find(r, TOLD_ID, number_of(r, *wrapped, ""), *wrapped, found);
}

unsigned timm_find_before(const struct registry *r, struct timm_found found[TIMM_FOUND])
{
    return find(r, TOLD_BEFORE, number_of(r, false, "patch_embed.backbone."), false, found);
}

/*
 * adapter_kinds.c -- files that add something to a model without changing its weights in pairs: embeddings of a word
 * (textual inversion), IP-adapters, T2I-adapters, ControlNets written as LoRA, hypernetworks.
 *
 * A row is a kind, for one family of bases: the names that such a file has, their shapes, and how many of each. A file
 * is of the kind when each of its tensors has one of the names and each name that must be there is; the family is
 * proved by shapes and numbers, and the last row of a kind is for any other. Sizes in a shape stand between
 * blanks, `?` is any; NULL is any shape.
 */
#include "adapter/adapter_internal.h"

#include "base/text.h"

#include <string.h>

#define ROWS(t) (sizeof(t) / sizeof *(t))

struct kind_name {
    const char *glob, *shape;
    uint64_t count; /* how many; 0: one or more; ANY: or none */
};
enum { ANY = 100000, MOST_TENSORS = 4096 }; /* no such file has more */

static const struct kind {
    const char *type, *family;
    struct kind_name names[7];
} kinds[] = {
    { "embedding", "SD1.5", { { "emb_params", "? 768", 1 } } },
    { "embedding", "SD2.1", { { "emb_params", "? 1024", 1 } } },
    { "embedding", "SD1.5", { { "string_to_param.*", "? 768", 1 } } },
    { "embedding", "SD2.1", { { "string_to_param.*", "? 1024", 1 } } },
    { "embedding", "SDXL", { { "clip_l", "? 768", 1 }, { "clip_g", "? 1280", 1 } } },
    { "embedding",
      "SD3-medium",
      { { "clip_l", "? 768", 1 }, { "clip_g", "? 1280", 1 }, { "t5xxl", "? 4096", 1 } } },
    { "embedding", "SD1.5", { { "<*>", "768", 0 } } },
    { "embedding", "SD1.5", { { "<*>", "? 768", 0 } } },
    { "embedding", "SD2.1", { { "<*>", "1024", 0 } } },
    { "embedding", "SD2.1", { { "<*>", "? 1024", 0 } } },
    { "ip-adapter",
      "SD1.5",
      { { "ip_adapter.*.to_k_ip.weight", "? 768", 16 },
        { "ip_adapter.*.to_v_ip.weight", "? 768", 16 },
        { "image_proj.*", NULL, 0 } } },
    { "ip-adapter",
      "SDXL",
      { { "ip_adapter.*.to_k_ip.weight", "? 2048", 70 },
        { "ip_adapter.*.to_v_ip.weight", "? 2048", 70 },
        { "image_proj.*", NULL, 0 } } },
    { "ip-adapter",
      "FLUX.1",
      { { "double_blocks.*.ip_adapter_double_stream_k_proj.weight", "3072 4096", 19 },
        { "double_blocks.*.ip_adapter_double_stream_v_proj.weight", "3072 4096", 19 },
        { "double_blocks.*.ip_adapter_double_stream_?_proj.bias", "3072", 38 },
        { "ip_adapter_proj_model.*", NULL, 0 } } },
    { "ip-adapter",
      NULL,
      { { "ip_adapter.*.to_k_ip.weight", NULL, 0 },
        { "ip_adapter.*.to_v_ip.weight", NULL, 0 },
        { "image_proj.*", NULL, ANY },
        { "ip_adapter.*", NULL, ANY } } },
    { "control-lora",
      NULL,
      { { "lora_controlnet", NULL, 1 },
        { "*.up", NULL, 0 },
        { "*.down", NULL, 0 },
        { "*.weight", NULL, ANY },
        { "*.bias", NULL, ANY } } },
    { "t2i-adapter",
      NULL,
      { { "conv_in.*", NULL, 2 },
        { "body.*.block1.*", NULL, 0 },
        { "body.*.block2.*", NULL, 0 },
        { "body.*.in_conv.*", NULL, ANY },
        { "body.*.skep.*", NULL, ANY },
        { "body.*.down_opt.*", NULL, ANY } } },
    { "hypernetwork",
      "SD1.5",
      { { "768.[01].linear.*", NULL, 0 },
        { "320.[01].linear.*", NULL, 0 },
        { "640.[01].linear.*", NULL, 0 },
        { "1280.[01].linear.*", NULL, 0 } } },
    { "hypernetwork",
      "SD2.1",
      { { "1024.[01].linear.*", NULL, 0 },
        { "320.[01].linear.*", NULL, 0 },
        { "640.[01].linear.*", NULL, 0 },
        { "1280.[01].linear.*", NULL, 0 } } },
};

static bool shape_is(const numel_tensor *t, const char *shape)
{
    uint32_t axis = 0;
    while (shape && *shape) {
        uint64_t n = 0;
        if (axis == t->ndim) return false;
        bool any = *shape == '?';
        for (; *shape && *shape != ' '; shape++)
            if (!any) n = n * 10 + (uint64_t)(*shape - '0'); /* ours: small */
        if (*shape == ' ') shape++;
        if (t->dims[axis] == 0 || (!any && t->dims[axis] != n)) return false;
        axis++;
    }
    return !shape || axis == t->ndim;
}

/* Which of its names a tensor has, as many as there are when none. */
static size_t name_of(const struct kind *k, const numel_tensor *t)
{
    size_t i = 0;
    for (; i < ROWS(k->names) && k->names[i].glob; i++)
        if (text_glob(k->names[i].glob, t->name) && shape_is(t, k->names[i].shape)) return i;
    return ROWS(k->names);
}

/* Counts as many of each name as there are; false when a tensor has none of them. */
static bool counted(const struct adapter *a, const struct kind *k, uint64_t counts[ROWS(kinds[0].names)])
{
    const struct registry *r = &a->ck->registry;
    for (uint32_t i = 0; i < r->count; i++) {
        size_t n = name_of(k, &r->tensors[i]);
        if (n == ROWS(k->names)) return false;
        counts[n]++;
    }
    return r->count > 0;
}

static bool is_kind(const struct adapter *a, const struct kind *k)
{
    uint64_t counts[ROWS(k->names)] = { 0 };
    if (!counted(a, k, counts)) return false;
    for (size_t i = 0; i < ROWS(k->names) && k->names[i].glob; i++) {
        uint64_t wanted = k->names[i].count;
        if (wanted == 0 ? counts[i] == 0 : wanted != ANY && counts[i] != wanted) return false;
    }
    return true;
}

const char *adapter_kind_find(struct adapter *a)
{
    for (size_t i = 0; i < ROWS(kinds) && a->ck->registry.count <= MOST_TENSORS; i++) {
        if (!is_kind(a, &kinds[i])) continue;
        a->whole_kind = true;
        if (kinds[i].family) a->fits[a->fit_count++] = kinds[i].family;
        return kinds[i].type;
    }
    return NULL;
}

/* Keys and values of an IP-adapter go in twos. */
void kind_compare(struct adapter *a)
{
    const struct registry *r = &a->ck->registry;
    uint64_t keys = 0, values = 0;
    if (strcmp(a->type, "ip-adapter") != 0) return;
    for (uint32_t i = 0; i < r->count; i++) {
        keys += text_ends(r->tensors[i].name, ".to_k_ip.weight");
        values += text_ends(r->tensors[i].name, ".to_v_ip.weight");
    }
    if (keys != values)
        adapter_disagree(
            a, arena_format(a->arena, "%" PRIu64 " tensors to_k_ip, %" PRIu64 " to_v_ip", keys, values));
}

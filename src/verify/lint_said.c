/*
 * lint_said.c -- what GGUF's metadata states about the model besides what its loader reads: its parameter
 * count, its size label, the kind of the file, counts that contradict each other, and types that the loader
 * refuses.
 *
 * llama.cpp ignores the first three, so a file with a wrong one runs, under a false name: a warning. A label
 * is a name that people give ("E4B" of 6.9 billion, "8x7B" of 46.7), so it is reported only if it cannot
 * describe these tensors.
 */
#include "verify/lint_internal.h"

#include "base/num.h"
#include "base/number.h"
#include "base/text.h"

#include <string.h>

static const struct metadata_entry *text_at(const struct lint *l, const char *key, numel_str *text)
{
    const struct metadata_entry *e = metadata_find(&l->ck->metadata, key);
    if (!e || e->type != META_STRING) return NULL;
    *text = e->value.s;
    return e;
}

/* An adapter's and a projector's labels are their model's. */
static bool is_about_another(const struct lint *l)
{
    numel_str type;
    if (!text_at(l, "general.type", &type)) return text_equal(l->arch, "clip");
    return text_equal(type, "adapter") || text_equal(type, "mmproj");
}

static void check_parameter_count(struct lint *l)
{
    const struct metadata_entry *e = metadata_find(&l->ck->metadata, "general.parameter_count");
    int64_t says = 0;
    if (!e) return;
    bool number = e->type != META_ARRAY && metadata_integer(&e->value, &says);
    if (number && says >= 0 && (uint64_t)says == l->ck->stored) return;
    if (!number)
        lint_find(l, FINDING_SIZE_SAID, lint_file(l, e), NO_TENSOR, e->offset,
                  "general.parameter_count is not a whole number");
    else
        lint_find(l, FINDING_SIZE_SAID, lint_file(l, e), NO_TENSOR, e->offset,
                  "general.parameter_count is %" PRId64 ", but the tensors have %" PRIu64 " elements", says,
                  l->ck->stored);
}

/* "7B", "E4B", "30B-A3B": the number at the front. The number after the x in "8x7B" or "256x20B" is the size
 * with one expert per layer, according to llama.cpp's converter: the model has at least that size, and at
 * most the number before the x times it. False: not a size. */
static bool label_sizes(numel_str label, uint64_t *least, uint64_t *most)
{
    uint64_t times;
    struct number n;
    numel_str rest = label, front = text_cut(&rest, 'x');
    bool several = rest.n && number_plain(front, &times) && times;
    if (!several) rest = label, times = 1;
    if (rest.n && (rest.p[0] == 'E' || rest.p[0] == 'A')) rest = text_from(rest, 1);
    if (number_read(&n, &rest, NUMBER_UNITS, 0) != NUMBER_READ || !n.scaled) return false;
    *least = n.value;
    return num_mul(most, n.value, times) && n.value;
}

static void check_size_label(struct lint *l)
{
    enum { FAR = 4 };
    char shown[TEXT_QUOTE];
    numel_str label;
    const struct metadata_entry *e = text_at(l, "general.size_label", &label);
    uint64_t least, most, is = l->ck->stored;
    if (!e || !is || !label_sizes(label, &least, &most) || (least / FAR <= is && is / FAR <= most)) return;
    lint_find(l, FINDING_SIZE_SAID, lint_file(l, e), NO_TENSOR, e->offset,
              "general.size_label is %s, but the tensors have %" PRIu64 " elements", text_quote(shown, label),
              is);
}

/* llama.cpp's projectors have the architecture clip. */
static void check_type(struct lint *l)
{
    char shown[TEXT_QUOTE], arch[TEXT_QUOTE];
    numel_str type;
    const struct metadata_entry *e = text_at(l, "general.type", &type);
    if (!e || !text_equal(type, "mmproj") || text_equal(l->arch, "clip")) return;
    lint_find(l, FINDING_FILE_KIND, lint_file(l, e), NO_TENSOR, e->offset,
              "general.type is %s, but the architecture is %s: llama.cpp loads only clip as a projector",
              text_quote(shown, type), text_quote(arch, l->arch));
}

static void check_counts(struct lint *l)
{
    static const struct {
        const char *part, *whole;
        bool divides;
        const char *unless, *then; /* llama.cpp's reaction */
    } counts[] = {
        { "attention.head_count", "embedding_length", true, "attention.key_length", "" },
        { "attention.head_count_kv", "attention.head_count", true, "attention.kv_lora_rank", "" },
        { "expert_used_count", "expert_count", false, NULL, ": llama.cpp aborts" },
        { "expert_group_used_count", "expert_group_count", false, NULL, ": llama.cpp aborts" },
        { "expert_group_count", "expert_count", true, NULL, ": llama.cpp aborts" },
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        uint64_t part, whole, own;
        const struct metadata_entry *e = lint_arch_number(l, counts[i].part, &part);
        if (!e || !part || !lint_arch_number(l, counts[i].whole, &whole) || !whole) continue;
        if (counts[i].divides ? whole % part == 0 : part <= whole) continue;
        if (counts[i].unless && lint_arch_number(l, counts[i].unless, &own) && own) continue;
        lint_find(l, FINDING_COUNTS, lint_file(l, e), NO_TENSOR, e->offset,
                  "%s is %" PRIu64 ", which %s %" PRIu64 ", %s%s", counts[i].part, part,
                  counts[i].divides ? "does not divide" : "is more than", whole, counts[i].whole,
                  counts[i].then);
    }
}

/* Keys of the architecture whose last word implies a number. */
static bool is_numeric(numel_str key)
{
    static const char ends[] =
        "*_length *_count *_size *_rank *_kernel *_epsilon *freq_base *_scale *head_dim *top_k *_channels "
        "*_dim "
        "*_inner *clamp_kqv *_id *_softcapping *_step *_layers *_sections *sliding_window *_length_swa "
        "*freq_base_swa *dimension_count_swa *temperature_scale";
    return text_globs(text_of(ends), key);
}

/* llama.cpp accepts only its own type for a key. */
static void check_types(struct lint *l)
{
    char shown[TEXT_QUOTE];
    for (size_t i = 0; i < l->ck->metadata.count; i++) {
        const struct metadata_entry *e = &l->ck->metadata.entries[i];
        bool own = l->arch.n && e->key.n > l->arch.n + 1 && memcmp(e->key.p, l->arch.p, l->arch.n) == 0 &&
                   e->key.p[l->arch.n] == '.';
        if (!own || e->type != META_STRING || !is_numeric(e->key)) continue;
        lint_find(l, FINDING_KEY_TYPE, lint_file(l, e), NO_TENSOR, e->offset,
                  "%s is a string, not a number: llama.cpp refuses it", text_quote(shown, e->key));
    }
}

/* ggml stores F64, but has no matrix product for it. */
static void check_doubles(struct lint *l)
{
    char name[TEXT_QUOTE];
    for (size_t i = 0; i < l->ck->registry.count; i++) {
        const numel_tensor *t = &l->ck->registry.tensors[i];
        if (t->ndim < 2 || strcmp(t->dtype->name, "F64") != 0) continue;
        lint_find(l, FINDING_TYPE_UNUSED, l->ck->files[t->file].path, t->name, NUMEL_NOWHERE,
                  "%s is F64, which llama.cpp cannot multiply", text_quote(name, t->name));
        return;
    }
}

void lint_said(struct lint *l)
{
    if (l->whole && !is_about_another(l)) {
        check_parameter_count(l);
        check_size_label(l);
    }
    check_type(l);
    check_counts(l);
    check_types(l);
    check_doubles(l);
}

/*
 * lint_projector.c -- a projector next to a language model: do their widths match?
 *
 * llama.cpp's mtmd takes a projector's width from its last tensor, by its type (clip_n_mmproj_embd() in
 * tools/mtmd/clip.cpp), and refuses a pair if it is not the model's embedding_length. Each row is one such
 * type; a type without a row is not judged. Models of other widths may be in the folder next to the right
 * one: only if none has the width is it reported.
 */
#include "verify/lint_internal.h"

#include "base/text.h"
#include "model/file_kind.h"
#include "reader/find.h"
#include "source/folder.h"

enum { BESIDE_MOST = 8 };

static const struct width {
    const char *types; /* clip.projector_type */
    const char *tensor;
    bool last; /* the last dimension, else the first */
} widths[] = {
    { "mlp pixtral lightonocr dots_ocr kimivl paddleocr lfm2 kimik25 yasa2 phi4", "mm.2.weight", false },
    { "qwen2vl_merger qwen2.5vl_merger qwen2.5o qwen3vl_merger", "mm.2.weight", false },
    { "gemma3 gemma3nv", "mm.input_projection.weight", true },
    { "idefics3 llama4 deepseekocr", "mm.model.fc.weight", false },
    { "ultravox voxtral", "mm.a.mlp.2.weight", false },
    { "qwen2a", "mm.a.fc.weight", false },
    { "internvl nemotron_v2_vl", "mm.model.mlp.3.weight", false },
    { "resampler", "resampler.proj.weight", true },
    { "glm4v cogvlm", "mm.down.weight", false },
};

static numel_str word_of(const numel_checkpoint *ck, const char *key)
{
    const struct metadata_entry *e = metadata_find(&ck->metadata, key);
    return e && e->type == META_STRING ? e->value.s : (numel_str){ "", 0 };
}

static numel_str type_of(const numel_checkpoint *ck)
{
    static const char *const keys[] = { "clip.projector_type", "clip.vision.projector_type",
                                        "clip.audio.projector_type" };
    numel_str type = { "", 0 };
    for (size_t i = 0; !type.n && i < sizeof keys / sizeof *keys; i++) type = word_of(ck, keys[i]);
    return type;
}

/* 0: unknown. */
static uint64_t projector_width(const numel_checkpoint *ck, const char **tensor)
{
    numel_str type = type_of(ck);
    for (size_t i = 0; type.n && i < sizeof widths / sizeof *widths; i++) {
        if (!text_lists(text_of(widths[i].types), type)) continue;
        const numel_tensor *t = registry_find(&ck->registry, text_of(widths[i].tensor));
        *tensor = widths[i].tensor;
        if (t && t->ndim) return t->dims[widths[i].last ? t->ndim - 1 : 0];
    }
    return 0;
}

/* The width of a language model; 0: not one. */
static uint64_t model_width(const numel_checkpoint *ck)
{
    int64_t n;
    numel_str type = word_of(ck, "general.type");
    if (file_is_projector(ck) || file_kind_of(ck) || (type.n && !text_equal(type, "model"))) return 0;
    const struct metadata_entry *e =
        metadata_find_in(&ck->metadata, word_of(ck, "general.architecture"), text_of("embedding_length"));
    bool has = e && e->type != META_ARRAY && metadata_integer(&e->value, &n) && n > 0;
    return has && metadata_find(&ck->metadata, "tokenizer.ggml.model") ? (uint64_t)n : 0;
}

/* An unreadable file is reported when it is verified itself. */
NUMEL_MUST static bool width_of_file(struct lint *l, numel_str name, uint64_t *width)
{
    numel_found *found;
    numel_checkpoint *ck;
    numel_error why = { .code = NUMEL_OK };
    *width = 0;
    const char *path = path_join(l->arena, l->ck->dir, name);
    if (!path) return error_nomem(l->v->error);
    if (!find_path(&found, path, l->v->options, &why))
        return why.code != NUMEL_E_NOMEM || error_nomem(l->v->error);
    if (numel_open(&ck, found, 0, l->v->options, &why) == NUMEL_OK) {
        *width = model_width(ck);
        numel_free(ck);
    }
    numel_found_free(found);
    return why.code != NUMEL_E_NOMEM || error_nomem(l->v->error);
}

static bool is_candidate(const struct lint *l, const struct folder_entry *x)
{
    struct shard_name shard;
    bool first = !shard_name_parse(plain_name(x->name), &shard) || shard.number == 1;
    return !x->directory && first && text_ends(plain_name(x->name), ".gguf") &&
           !text_same(x->name, path_base(l->ck->files[0].path));
}

bool lint_projector(struct lint *l)
{
    const struct folder *f = l->v->set->beside;
    const char *tensor;
    char quoted[TEXT_QUOTE];
    uint64_t own = file_is_projector(l->ck) ? projector_width(l->ck, &tensor) : 0, other = 0, width;
    numel_str name = { "", 0 };
    size_t count = 0;
    if (!own || !f || !l->ck->dir) return true;
    for (size_t i = 0; i < f->count; i++) {
        if (!is_candidate(l, &f->entries[i])) continue;
        if (count++ == BESIDE_MOST) return true;
        if (!width_of_file(l, f->entries[i].name, &width)) return false;
        if (width == own) return true;
        if (width) other = width, name = f->entries[i].name;
    }
    if (other)
        lint_find(l, FINDING_PROJECTOR_WIDTH, l->ck->files[0].path, NO_TENSOR, NUMEL_NOWHERE,
                  "the projector produces states of width %" PRIu64 " (%s), but %s next to it takes %" PRIu64
                  " (embedding_length): it belongs to another model, and llama.cpp refuses the pair",
                  own, tensor, text_quote(quoted, name), other);
    return true;
}

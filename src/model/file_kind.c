/* file_kind.c -- see file_kind.h. */
#include "model/file_kind.h"

#include "base/text.h"
#include "source/folder.h"

static const struct file_kind imatrix = { "imatrix", "importance matrix (imatrix), not a model" };
static const struct file_kind vocabulary = { "vocabulary", "vocabulary only, no weights" };

static numel_str word_of(const numel_checkpoint *ck, const char *key)
{
    const struct metadata_entry *e = metadata_find(&ck->metadata, key);
    return e && e->type == META_STRING ? e->value.s : (numel_str){ "", 0 };
}

/* llama-imatrix stores sums of squares and counts. Its early files have no general.type. */
static bool is_imatrix(const numel_checkpoint *ck)
{
    if (text_equal(word_of(ck, "general.type"), "imatrix")) return true;
    size_t sums = 0;
    for (size_t i = 0; i < ck->registry.count; i++) {
        numel_str name = ck->registry.tensors[i].name;
        sums += text_ends(name, ".in_sum2");
        if (!text_ends(name, ".in_sum2") && !text_ends(name, ".counts")) return false;
    }
    return sums > 0;
}

/* The first file of a split may contain no tensors; the others do. */
static bool is_vocabulary(const numel_checkpoint *ck)
{
    bool whole = ck->missing == 0 && !metadata_find(&ck->metadata, "split.count");
    return ck->registry.count == 0 && whole && metadata_find(&ck->metadata, "tokenizer.ggml.tokens");
}

const struct file_kind *file_kind_of(const numel_checkpoint *ck)
{
    if (!ck || !ck->file_count || ck->files[0].format != NUMEL_GGUF) return NULL;
    return is_imatrix(ck) ? &imatrix : is_vocabulary(ck) ? &vocabulary : NULL;
}

bool file_is_projector(const numel_checkpoint *ck)
{
    if (!ck->file_count || ck->files[0].format != NUMEL_GGUF) return false;
    return text_equal(word_of(ck, "general.architecture"), "clip") ||
           text_equal(word_of(ck, "general.type"), "mmproj");
}

bool file_ranks(const numel_checkpoint *ck, size_t *ranks, numel_error *e)
{
    enum { MOST = 100 };
    struct arena a;
    *ranks = 1;
    if (!ck || !ck->dir || ck->file_count != 1 || ck->files[0].format != NUMEL_PYTORCH ||
        !text_glob("consolidated.[0-9][0-9].pth", path_base(ck->files[0].path)))
        return true;
    arena_init(&a, ck->arena.memory);
    for (size_t n = 0; n < MOST && !a.failed; n++) {
        char name[sizeof "consolidated.00.pth"];
        text_format(name, sizeof name, "consolidated.%02zu.pth", n);
        const char *path = path_join(&a, ck->dir, text_of(name));
        if (path && path_bytes(path)) *ranks = n + 1; /* also a remote one, not read */
    }
    bool ok = !a.failed || error_nomem(e);
    arena_done(&a);
    return ok;
}

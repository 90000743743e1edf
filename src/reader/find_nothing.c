/*
 * find_nothing.c -- a folder without a checkpoint: why, and its configuration, if it has one.
 *
 * Reports on a model read that configuration: `numel memory` of a repository that has nothing else. All others
 * fail with the reason.
 */
#include "reader/find_internal.h"

#include "base/text.h"
#include "reader/piece.h"

/* Fails: an index promises weights, but none are here. */
NUMEL_MUST static bool all_lacking(struct finding_sets *g, const struct found_pipeline *p)
{
    struct buffer b;
    char name[TEXT_QUOTE];
    buffer_init(&b, g->arena->memory);
    for (size_t i = 0; i < p->count; i++)
        if (p->items[i].class && !p->items[i].plain)
            buffer_format(&b, "%s%s", b.n ? ", " : "", text_bare(name, text_of(p->items[i].name)));
    const char *names = buffer_keep(&b, g->arena);
    if (!names) return error_nomem(g->error);
    error_set(g->error, NUMEL_E_FORMAT, NUMEL_NOWHERE,
              "none of the weights that %s names are here: the folders of %s contain no .safetensors, .gguf "
              "or PyTorch file",
              p->modules ? "modules.json" : "model_index.json", names);
    error_file(g->error, p->dir);
    return false;
}

/* The trainer that wrote the pickles there; NULL if unknown. */
static const char *trained_by(const struct folder *f)
{
    static const struct {
        const char *pattern, *writer;
    } writers[] = {
        { "*_model_states.pt", "DeepSpeed" },
        { "global_step[0-9]*", "DeepSpeed" },
        { "*.distcp", "torch.distributed.checkpoint" },
        { "pytorch_model_fsdp_[0-9]*", "torch.distributed.checkpoint" },
    };
    for (size_t i = 0; f && i < f->count; i++)
        for (size_t k = 0; k < sizeof writers / sizeof *writers; k++)
            if (text_glob(writers[k].pattern, f->entries[i].name)) return writers[k].writer;
    return NULL;
}

/* Sets the error for a folder with raw pieces instead of a checkpoint. */
static void tell_pieces(const struct piece *p, numel_error *e)
{
    char text[PIECE_TEXT];
    piece_text(p, text, sizeof text);
    error_set(e, NUMEL_E_FORMAT, NUMEL_NOWHERE,
              "no .safetensors, .gguf or PyTorch files found in this folder, but %s", text);
}

NUMEL_MUST static bool nothing_there(struct finding_sets *g, const char *dir)
{
    if (g->lacking && g->lacking->count) return all_lacking(g, g->lacking);
    const char *writer = trained_by(found_folder(g->found));
    struct piece p;
    if (piece_in(found_folder(g->found), &p))
        return tell_pieces(&p, g->error), error_file(g->error, dir), false;
    error_set(g->error, NUMEL_E_FORMAT, NUMEL_NOWHERE,
              "no .safetensors, .gguf or PyTorch files found in this folder%s%s%s",
              writer ? " (a training checkpoint of " : "", writer ? writer : "", writer ? ")" : "");
    error_file(g->error, dir);
    return false;
}

bool find_nothing(struct finding_sets *g, const char *folder, const char *heading)
{
    static const char *const names[] = { "config.json", "params.json", "open_clip_config.json" };
    const char *alone = NULL;
    for (size_t i = 0; !alone && i < sizeof names / sizeof *names; i++) {
        const char *path = path_join(g->arena, folder, text_of(names[i]));
        if (!path) return error_nomem(g->error);
        if (path_kind(path) == PATH_FILE) alone = path;
    }
    if (nothing_there(g, heading) || !alone || g->lacking || g->error->code != NUMEL_E_FORMAT) return false;
    struct found_set *s = NULL;
    numel_error *why = arena_copy(g->arena, g->error, sizeof *why);
    error_clear(g->error);
    if (why) s = find_add_set(g, FOUND_FILE, heading, folder);
    if (!s) return error_nomem(g->error);
    s->alone = alone;
    s->why = why;
    return true;
}

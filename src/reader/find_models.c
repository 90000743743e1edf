/*
 * find_models.c -- a folder named "models" where a program keeps each model in its own folder.
 *
 *     LM Studio    models/PUBLISHER/MODEL/FILE
 *     ComfyUI      models/checkpoints/FILE, models/loras/..., models/vae/..., models/text_encoders/...
 *
 * Searches all folders below it, DEEPEST levels down, and names the models by their place, whose first part
 * is the publisher or the kind. Each folder is entered once, no matter how many links lead to it.
 */
#include "reader/find_internal.h"

#include "base/text.h"
#include "reader/seen.h"

#include <string.h>

enum { DEEPEST = 6 };

struct descent {
    struct finding_sets *g;
    struct seen seen;
};

NUMEL_MUST static bool descend(struct descent *d, const char *dir, const char *below, unsigned depth);

NUMEL_MUST static bool enter(struct descent *d, const char *dir, const char *below, numel_str name,
                             unsigned depth)
{
    struct path_identity is;
    struct arena *a = d->g->arena;
    bool again = true;
    char *path = path_join(a, dir, name);
    numel_str rest = arena_join(a, text_of(below), text_of(below[0] ? "/" : ""), name);
    if (!path || !rest.p) return error_nomem(d->g->error);
    if (!path_identify(path, &is)) return true;
    if (!seen_add(&d->seen, is.device, is.inode, &again, d->g->error)) return false;
    return again || descend(d, path, rest.p, depth + 1);
}

/* ComfyUI: a file in one of these is a checkpoint of that kind. */
static bool is_kind(const char *below)
{
    static const char kinds[] =
        "checkpoints loras vae vae_approx text_encoders clip clip_vision diffusion_models unet controlnet "
        "embeddings upscale_models style_models gligen photomaker hypernetworks model_patches audio_encoders";
    return text_lists(text_of(kinds), (numel_str){ below, strcspn(below, "/") });
}

/* Names a folder's sets by its place; if it has several, by their files too. */
NUMEL_MUST static bool name_by_place(struct finding_sets *g, size_t first, const char *below)
{
    struct numel_found *f = g->found;
    bool several = f->count - first > 1, kind = is_kind(below) || !strchr(below, '/');
    for (size_t i = first; i < f->count; i++) {
        struct found_set *s = &f->sets[i];
        numel_str base = path_base(s->path);
        bool file = several || (kind && s->kind == FOUND_FILE);
        s->name = file ? arena_join(g->arena, text_of(below), text_of("/"), base).p : below;
        if (!s->name) return error_nomem(g->error);
    }
    return true;
}

static bool descend(struct descent *d, const char *dir, const char *below, unsigned depth)
{
    struct finding_sets *g = d->g;
    struct folder f;
    size_t first = g->found->count;
    numel_error why = { .code = NUMEL_OK };
    bool ok = true;
    if (!folder_list(&f, dir, g->arena, &why)) return why.code != NUMEL_E_NOMEM || error_nomem(g->error);
    if (below[0]) {
        g->place = below;
        ok = find_in(g, dir, dir, FIND_HERE) && name_by_place(g, first, below);
        g->place = "";
    }
    for (size_t i = 0; ok && depth < DEEPEST && i < f.count; i++)
        if (f.entries[i].directory && f.entries[i].name.p[0] != '.')
            ok = enter(d, dir, below, f.entries[i].name, depth);
    folder_done(&f);
    return ok;
}

bool find_add_models(struct finding_sets *g, const char *dir)
{
    struct descent d = { .g = g };
    seen_init(&d.seen, g->arena->memory);
    bool ok = descend(&d, dir, "", 0);
    seen_done(&d.seen);
    return ok;
}

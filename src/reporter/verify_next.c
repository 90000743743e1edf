/*
 * verify_next.c -- the next steps after `numel verify`, one per line: a single step if it repairs the whole
 * set ("run the download again"), otherwise one for each file, then those for files outside the set.
 *
 *     download model-00002-of-00002.safetensors again
 */
#include "reporter/verify_internal.h"

#include "base/text.h"
#include "reader/piece.h"
#include "source/folder.h"

NUMEL_MUST static const char *join_text(struct verify_report *r, const struct verify_file *f)
{
    char text[PIECE_HELP];
    struct piece p;
    if (!piece_parse(path_base(f->path.p), &p)) return "join all pieces of the file in order with cat";
    piece_help(&p, text, sizeof text);
    return arena_format(r->arena, "%s", text);
}

NUMEL_MUST static const char *remedy_text(struct verify_report *r, const struct verify_file *f)
{
    char quoted[TEXT_QUOTE];
    const char *name = text_quote(quoted, text_of(verify_short_path(r->ck, f->path.p)));
    switch (f->remedy) {
    case REMEDY_FETCH:
        return arena_format(r->arena, "download %s%s", name, f->state->missing ? "" : " again");
    case REMEDY_APART: return arena_format(r->arena, "move %s out of the folder", name);
    case REMEDY_REVIEW: return arena_format(r->arena, "look at %s before anything loads it", name);
    case REMEDY_PULL: return arena_format(r->arena, "run 'git lfs pull', or download %s", name);
    case REMEDY_JOIN: return join_text(r, f);
    case REMEDY_AGAIN: return arena_format(r->arena, "verify again when %s is no longer being written", name);
    default: return NULL;
    }
}

/* The step for a file outside the set: an index, a configuration, an unrelated file. */
NUMEL_MUST static const char *beside_text(struct verify_report *r, const numel_finding *f)
{
    char quoted[TEXT_QUOTE];
    text_quote(quoted, text_of(verify_short_path(r->ck, f->file)));
    if (finding_remedy(f) == REMEDY_APART) return arena_format(r->arena, "move %s out of the folder", quoted);
    if (finding_remedy(f) == REMEDY_REVIEW)
        return arena_format(r->arena, "look at %s before anything loads it", quoted);
    bool folder = r->ck->dir && strcmp(f->file, r->ck->dir) == 0; /* there is no index at all */
    return folder ? "download the index of the shards" : arena_format(r->arena, "download %s again", quoted);
}

static bool says_already(const struct verify_report *r, const char *text)
{
    for (size_t i = 0; i < r->next_count; i++)
        if (strcmp(r->next[i], text) == 0) return true;
    return false;
}

NUMEL_MUST static bool add_next(struct verify_report *r, const char *text, numel_error *e)
{
    if (!text) return error_nomem(e);
    r->next[r->next_count++] = text;
    return true;
}

enum { MISSING_SHOWN = 5 }; /* more missing files become a single step */

/* "download the 243 files that are missing, A to B" */
NUMEL_MUST static bool next_of_many(struct verify_report *r, numel_str first, numel_str last, numel_error *e)
{
    char a[TEXT_QUOTE], b[TEXT_QUOTE];
    return add_next(r,
                    arena_format(r->arena, "download the %zu files that are missing, %s to %s",
                                 r->ck->missing, text_quote(a, first), text_quote(b, last)),
                    e);
}

NUMEL_MUST static bool next_of_files(struct verify_report *r, numel_error *e)
{
    const struct verify_file *first = NULL, *last = NULL;
    bool many = r->ck->missing > MISSING_SHOWN;
    for (size_t i = 0; i < verify_file_rows(r); i++) {
        const struct verify_file *f = &r->files[i];
        if (f->state->missing && many) {
            first = first ? first : f;
            last = f;
        } else if (f->remedy != REMEDY_NONE && !add_next(r, remedy_text(r, f), e)) {
            return false;
        }
    }
    if (r->v->set->absent && r->v->level >= NUMEL_LEVEL_INDEX) {
        numel_str from, to;
        const char *runs;
        return found_absent(r->v->set, r->arena, &from, &to, &runs, e) && next_of_many(r, from, to, e);
    }
    if (!first || !first->remedy) return true;
    return next_of_many(r, text_of(verify_short_path(r->ck, first->path.p)),
                        text_of(verify_short_path(r->ck, last->path.p)), e);
}

/* A step that repairs the whole set; NULL if nothing is wrong, or each finding needs its own. */
NUMEL_MUST static const char *next_of_all(struct verify_report *r)
{
    const struct found_set *set = r->v->set;
    char name[TEXT_QUOTE];
    bool any = false;
    for (size_t i = 0; i < r->count; i++) any |= finding_remedy(r->shown[i].f) == REMEDY_FETCH;
    if (!any) return NULL;
    if (set->kind == FOUND_UNFINISHED) return "run the download again";
    if (set->kind != FOUND_MANIFEST) return NULL;
    const char *model = set->count ? set->files[0].layer->model : set->name;
    return arena_format(r->arena, "run 'ollama pull %s'", text_bare(name, text_of(model)));
}

bool verify_next(struct verify_report *r, numel_error *e)
{
    r->next = arena_alloc(r->arena, (verify_file_rows(r) + r->beside + 3) * sizeof *r->next);
    if (!r->next) return error_nomem(e);
    const char *all = next_of_all(r);
    if (all) return add_next(r, all, e);
    if (r->arena->failed) return error_nomem(e);
    if (!next_of_files(r, e)) return false;
    for (size_t i = 0; i < r->count; i++) {
        const struct verify_shown *s = &r->shown[i];
        const char *text = s->beside ? beside_text(r, s->f) : "";
        if (!text) return error_nomem(e);
        if (text[0] && !says_already(r, text) && !add_next(r, text, e)) return false;
    }
    if (r->reconcile) r->next[r->next_count++] = "see 'numel reconcile' for the tensors";
    return true;
}

/*
 * size.c -- the level `size`: are the bytes there that should be there?
 *
 * That data is short or that something trails it, the reader has reported, and zeros.c speaks of
 * data that was never written. Here: sizes against the listing of what was published, and downloads
 * that began and did not end. These lie beside the file (model.gguf.part, model.gguf.aria2), or where
 * huggingface_hub keeps them: as ETAG.incomplete, in which the listing knows the file.
 */
#include "verify/verify.h"

#include "base/text.h"
#include "source/folder.h"
#include "verify/published.h"

#include <string.h>

struct sizing {
    struct verify *v;
    struct published published;
    struct arena *arena;
};

/* ---- what was published ------------------------------------------------------------------- */

static void check_published(struct sizing *z, const struct file_state *s)
{
    char has[TEXT_NUMBER], should[TEXT_NUMBER];
    bool copy = s->file != NAMES_ABSENT && z->v->ck->files[s->file].header_only;
    const struct published_file *p = published_find(&z->published, s->path, z->arena);
    uint64_t bytes = path_bytes(s->path);
    if (!p || !p->has_bytes || s->missing || copy || bytes == p->bytes) return;
    findings_add(&z->v->ck->findings, FINDING_SIZE_PUBLISHED, s->path, NO_TENSOR, NUMEL_NOWHERE,
                 "the file has %s bytes, the published file has %s (%.200s)", text_number(has, bytes),
                 text_number(should, p->bytes), z->published.listing);
}

/* ---- unfinished downloads ----------------------------------------------------------------- */

/* The file of the set whose path that is; NULL when it is none of it. */
static const struct file_state *state_of(const struct sizing *z, const char *path)
{
    for (size_t i = 0; i < z->v->set->count; i++)
        if (strcmp(z->v->ck->states[i].path, path) == 0) return &z->v->ck->states[i];
    return NULL;
}

/* `part` holds what came of the file: an error when that is not here, or not ready (aria2 writes into
 * the file itself, and keeps a list beside it until it is done); else a leftover. */
static void tell_part(struct sizing *z, const char *part, const struct file_state *s, bool control,
                      const struct published_file *p)
{
    char came[TEXT_NUMBER], of[TEXT_NUMBER], all[TEXT_NUMBER + 8] = "";
    bool wanted = s && (s->missing || control);
    if (p && p->has_bytes) {
        text_number(of, p->bytes);
        strcat(strcpy(all, " of "), of);
    }
    text_number(came, path_bytes(part));
    if (wanted && control)
        findings_add(&z->v->ck->findings, FINDING_DOWNLOAD_INCOMPLETE, s->path, NO_TENSOR, NUMEL_NOWHERE,
                     "its download is incomplete: %.200s lies beside it; resume the download", part);
    else if (wanted)
        findings_add(&z->v->ck->findings, FINDING_DOWNLOAD_INCOMPLETE, s->path, NO_TENSOR, NUMEL_NOWHERE,
                     "%s%s bytes of it lie in %.200s: resume the download", came, all, part);
    else
        findings_add(&z->v->ck->findings, FINDING_DOWNLOAD_LEFTOVER, part, NO_TENSOR, NUMEL_NOWHERE,
                     "%s%s bytes of an unfinished download: resume it, or delete them", came, all);
}

/* NAME.part beside NAME. The files of the set are gone through, not those of the folder: it may hold many sets. */
NUMEL_MUST static bool look_beside(struct sizing *z, const char *dir)
{
    const struct verify *v = z->v;
    const char *end;
    for (size_t i = 0; v->set->beside && i < v->set->count; i++) {
        const struct file_state *s = &v->ck->states[i];
        numel_str name = path_base(s->path);
        char *here = path_join(z->arena, dir, name);
        if (!here) return error_nomem(v->error);
        for (size_t k = 0; strcmp(here, s->path) == 0 && (end = recognise_unfinished_end(k)); k++) {
            numel_str part = arena_join(z->arena, name, text_of(end), (numel_str){ NULL, 0 });
            if (!part.p) return error_nomem(v->error);
            uint32_t at = names_find(&v->set->beside->names, v->set->beside->entries, part);
            if (at == NAMES_ABSENT || v->set->beside->entries[at].directory) continue;
            char *path = path_join(z->arena, dir, part);
            if (path) tell_part(z, path, s, strcmp(end, ".aria2") == 0, NULL);
        }
    }
    return !z->arena->failed || error_nomem(v->error);
}

/* "HASH.ETAG.incomplete" or "ETAG.incomplete": the ETAG is the digest of the whole. */
static numel_str etag_of(numel_str name)
{
    name.n -= strlen(".incomplete");
    size_t dot = name.n;
    while (dot > 0 && name.p[dot - 1] != '.') dot--;
    return (numel_str){ name.p + dot, name.n - dot };
}

NUMEL_MUST static bool look_in_blobs(struct sizing *z)
{
    struct folder f;
    numel_error ignored = { 0 };
    const struct published *p = &z->published;
    if (!p->blobs) return true;
    if (!folder_list(&f, p->blobs, z->arena, &ignored))
        return ignored.code != NUMEL_E_NOMEM || error_nomem(z->v->error);
    for (size_t i = 0; i < f.count; i++) {
        if (!text_ends(f.entries[i].name, ".incomplete") || f.entries[i].directory) continue;
        const struct published_file *file = published_by_digest(p, etag_of(f.entries[i].name));
        char *part = path_join(z->arena, p->blobs, f.entries[i].name);
        char *name = file ? path_join(z->arena, z->v->ck->dir, path_base(file->path.p)) : NULL;
        if (part) tell_part(z, part, name ? state_of(z, name) : NULL, false, file);
    }
    folder_done(&f);
    return !z->arena->failed || error_nomem(z->v->error);
}

bool verify_size(struct verify *v)
{
    struct sizing z = { .v = v, .arena = v->arena };
    numel_error why;
    verify_zeros(v);
    bool ok = published_load(&z.published, v->ck->dir, v->arena, &why, v->error);
    if (ok && !error_free(&why))
        findings_add(&v->ck->findings, FINDING_LISTING_UNREADABLE, why.file, NO_TENSOR, why.offset,
                     "%s; file sizes were not checked against it", why.what);
    for (size_t i = 0; ok && z.published.count && i < v->set->count; i++)
        check_published(&z, &v->ck->states[i]);
    ok = ok && (!v->ck->dir || look_beside(&z, v->ck->dir)) && look_in_blobs(&z);
    published_done(&z.published);
    return ok;
}

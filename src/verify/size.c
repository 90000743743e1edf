/*
 * size.c -- the level `size`: are all bytes there?
 *
 * The reader reports truncated data, trailing bytes and unfinished downloads; zeros.c reports data that was
 * never written. This file compares sizes with the listing of the published files.
 */
#include "verify/verify.h"

#include "base/text.h"
#include "source/folder.h"
#include "reader/listing.h"

/* ---- published sizes ---------------------------------------------------------------------- */

void verify_size_differs(struct verify *v, const char *path, uint64_t bytes,
                         const struct listed_file *published, const char *listing)
{
    char has[TEXT_NUMBER], should[TEXT_NUMBER];
    findings_add(&v->ck->findings, FINDING_SIZE_PUBLISHED, path, NO_TENSOR, NUMEL_NOWHERE,
                 "the file has %s bytes, but the published file has %s (%.200s)", text_number(has, bytes),
                 text_number(should, published->bytes), listing);
}

static void check_published(struct verify *v, const struct listing *listing, const struct file_state *s)
{
    bool copy = s->file != NAMES_ABSENT && v->ck->files[s->file].header_only;
    const struct listed_file *p = listing_find(listing, s->path, v->arena);
    uint64_t bytes = path_bytes(s->path);
    if (!p || !p->has_bytes || s->missing || copy || bytes == p->bytes) return;
    verify_size_differs(v, s->path, bytes, p, listing->listing);
}

NUMEL_MUST static bool check_listing(struct verify *v)
{
    numel_error why;
    struct listing own;
    bool ok = listing_load(&own, v->ck->dir, v->arena, &why, v->error);
    if (ok && !error_free(&why))
        findings_add(&v->ck->findings, FINDING_LISTING_UNREADABLE, why.file, NO_TENSOR, why.offset,
                     "%s; file sizes were not checked against it", why.what);
    for (size_t i = 0; ok && own.count && i < v->set->count; i++) check_published(v, &own, &v->ck->states[i]);
    listing_done(&own);
    return ok;
}

bool verify_size(struct verify *v)
{
    if (v->level < NUMEL_LEVEL_HASH) verify_zeros(v); /* else after the digests */
    verify_ollama(v);
    for (size_t i = 0; v->published.count && i < v->set->count; i++)
        check_published(v, &v->published, &v->ck->states[i]);
    return verify_published(v) && (v->published.count || check_listing(v));
}

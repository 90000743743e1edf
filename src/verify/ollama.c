/*
 * ollama.c -- a part of the level `size`: the blobs named by an Ollama manifest, against their stated sizes;
 * and unnamed blobs, reported once per models folder.
 */
#include "verify/verify.h"

#include "base/text.h"
#include "source/folder.h"

static void check_size(struct verify *v, const struct found_layer *l)
{
    char has[TEXT_NUMBER], should[TEXT_NUMBER], model[TEXT_QUOTE], pull[TEXT_QUOTE];
    uint64_t bytes = path_bytes(l->path);
    if (l->bytes == NUMEL_NOT_KNOWN || bytes == l->bytes) return;
    text_number(has, bytes);
    text_number(should, l->bytes);
    findings_add(&v->ck->findings, FINDING_BLOB_SIZE, l->path, NO_TENSOR, NUMEL_NOWHERE,
                 "the blob has %s bytes, but the manifest of %s says %s: run 'ollama pull %s'", has,
                 text_bare(model, text_of(l->model)), should, text_bare(pull, text_of(l->model)));
}

/* A layer without weights: a template, parameters, a licence. */
static void check_other(struct verify *v, const struct found_layer *l)
{
    char model[TEXT_QUOTE], type[TEXT_QUOTE], pull[TEXT_QUOTE];
    if (path_kind(l->path) == PATH_FILE) {
        check_size(v, l);
        return;
    }
    findings_add(&v->ck->findings, FINDING_BLOB_MISSING, l->path, NO_TENSOR, NUMEL_NOWHERE,
                 "the manifest of %s names it (%s), but it is missing: run 'ollama pull %s'",
                 text_bare(model, text_of(l->model)), text_bare(type, text_of(l->type)),
                 text_bare(pull, text_of(l->model)));
}

static void tell_strays(struct verify *v, const struct found_strays *s)
{
    char n[TEXT_NUMBER], bytes[TEXT_NUMBER];
    if (s->count)
        findings_add(
            &v->ck->findings, FINDING_BLOB_STRAY, s->first, NO_TENSOR, NUMEL_NOWHERE,
            "no manifest names %s%s of %s bytes: left over from models that were removed or pulled again",
            s->count == 1 ? "this blob" : text_number(n, s->count),
            s->count == 1 ? "" : " blobs (this is the first)", text_number(bytes, s->bytes));
    if (s->begun)
        findings_add(&v->ck->findings, FINDING_DOWNLOAD_LEFTOVER, NULL, NO_TENSOR, NUMEL_NOWHERE,
                     "%s blob%s of models that were not pulled completely: run 'ollama pull' again",
                     text_number(n, s->begun), s->begun == 1 ? "" : "s");
}

void verify_ollama(struct verify *v)
{
    const struct found_set *set = v->set;
    if (set->kind != FOUND_MANIFEST) return;
    for (size_t i = 0; i < set->count; i++)
        if (set->files[i].path && set->files[i].layer) check_size(v, set->files[i].layer);
    for (size_t i = 0; set->layers && i < set->layers->count; i++) check_other(v, &set->layers->items[i]);
    if (set->strays) tell_strays(v, set->strays);
}

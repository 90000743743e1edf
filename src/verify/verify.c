/*
 * verify.c -- the levels of verify, run one after another.
 *
 * A file that changes during verification has no verdict: each file's identity is noted before the first is
 * opened, and compared when the last level is done.
 */
#include "verify/verify.h"

#include "base/text.h"
#include "reader/remote.h"
#include "source/stream.h"

/* clang-format off */
static const struct {
    numel_level level;
    bool (*run)(struct verify *v); /* NULL: opening the checkpoint has made the findings */
} levels[] = {
    { NUMEL_LEVEL_HEADER, NULL },          { NUMEL_LEVEL_SIZE, verify_size },
    { NUMEL_LEVEL_INDEX, verify_index },   { NUMEL_LEVEL_CONFIG, verify_config },
    { NUMEL_LEVEL_CONFIG, verify_review }, { NUMEL_LEVEL_HASH, verify_hash },
    { NUMEL_LEVEL_HASH, verify_records },
};
/* clang-format on */
enum { LEVELS = sizeof levels / sizeof *levels };

/* The files' previous identities; missing ones, and those that are not files, have size 0 and no inode. */
NUMEL_MUST static bool note_files(struct verify *v, struct arena *a)
{
    size_t n = v->set->count;
    v->was = arena_alloc(a, n * sizeof *v->was);
    if (!v->was) return error_nomem(v->error);
    for (size_t i = 0; i < n; i++) {
        const char *path = v->set->files[i].path;
        v->was[i] = (struct file_identity){ 0 };
        if (path) (void)identity_of(path, &v->was[i]);
    }
    return true;
}

static void compare_files(struct verify *v)
{
    char before[TEXT_NUMBER], after[TEXT_NUMBER];
    for (size_t i = 0; i < v->set->count; i++) {
        const char *path = v->set->files[i].path;
        struct file_identity is = { 0 };
        if (path) (void)identity_of(path, &is);
        if (identity_same(&v->was[i], &is)) continue;
        findings_add(
            &v->ck->findings, FINDING_FILE_CHANGED, v->ck->states[i].path, NO_TENSOR, NUMEL_NOWHERE,
            "the file changed while it was checked (%s bytes before, %s after): these results are not valid",
            text_number(before, v->was[i].bytes), text_number(after, is.bytes));
    }
}

NUMEL_MUST static bool run_levels(struct verify *v)
{
    for (size_t i = 0; i < LEVELS && levels[i].level <= v->level; i++)
        if (levels[i].run && !v->stopped && !levels[i].run(v)) return false;
    if (v->check->values && !v->ck->named && !v->stopped && !verify_values(v)) return false;
    compare_files(v);
    findings_close(&v->ck->findings);
    return (!v->ck->findings.failed && !v->arena->failed) || error_nomem(v->error);
}

bool verify_model(struct verify *v, const struct handle **c)
{
    *c = v->model;
    if (*c) return true;
    struct handle *own = handle_new(v->ck, NULL, &v->knowledge, true, v->arena->memory, v->error);
    if (!own || !v->ready(own, &v->faults, v->error)) {
        handle_free(own);
        return false;
    }
    *c = v->model = own;
    return true;
}

/* The published files, whose root is the folder that was named. */
NUMEL_MUST static bool take_published(struct verify *v)
{
    const char *dir = v->ck->dir ? v->ck->dir : ".";
    numel_str root = text_of(dir), place = text_of(v->ck->place ? v->ck->place : "");
    if (place.n && text_take_end(&root, place.p)) root = text_less(root, 1);
    const char *own = arena_text(v->arena, root.n ? root.p : ".", root.n ? root.n : 1);
    v->published_dir = own;
    return own ? remote_listing(&v->published, v->check->against, own, v->options, v->arena, v->error)
               : error_nomem(v->error);
}

bool verify_run(struct verify *v, struct arena *a)
{
    v->strict = v->options->strict;
    v->level = v->check->level ? v->check->level : NUMEL_LEVEL_CONFIG;
    if (v->check->manifest || (v->check->against && !v->check->level))
        v->level = NUMEL_LEVEL_HASH; /* a manifest is never skipped */
    if (!note_files(v, a)) return false;
    if (!checkpoint_inspect(&v->ck, v->set, v->options, v->error)) return false;
    v->arena = &v->ck->arena;
    if (v->check->against && !take_published(v)) return false;
    return run_levels(v);
}

void verify_done(struct verify *v)
{
    handle_free(v->model);
    listing_done(&v->published);
    numel_free(v->ck);
}

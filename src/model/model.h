/*
 * model.h -- a checkpoint and the user's knowledge, resolved once.
 *
 * The configuration of a safetensors checkpoint is config.json (or params.json) in its folder, that
 * of a GGUF file its metadata, or for either the file that the user names. The spec is the one whose
 * `match` lines fit it, or the one the user names, or, if neither identifies the model, the one that
 * explains its names and shapes best. The spec makes the expected tensors; each stored tensor is
 * matched with one of them or gets another cause (cause.h), and the differences are listed
 * (differences.h) and counted (counts.h). All reports read this and compute none of it again.
 *
 * Missing parts are not invented: without a configuration or a spec `x` is NULL, `why` has the
 * reason, and there are neither matches nor counts.
 */
#ifndef NUMEL_MODEL_MODEL_H
#define NUMEL_MODEL_MODEL_H

#include "formula/expand.h"
#include "formula/library.h"
#include "model/counts.h"
#include "model/differences.h"
#include "model/file_kind.h"
#include "reader/checkpoint.h"

struct model {                  /* never moved: its members point to it */
    struct arena arena;         /* permanent; reports may add to it */
    struct arena made;          /* depends on the spec and the class: see model_undo() */
    const numel_checkpoint *ck; /* NULL: only a configuration */
    struct library *library;
    struct config *config;
    const struct library_entry *entry;
    const struct spec *spec; /* the library's, or one of `linked` */
    struct library_linked linked;
    struct expansion *x;      /* NULL: see why */
    struct expansion *folded; /* if x would be too large: the same, folded; else NULL */
    enum side side; /* source of names and values: Hugging Face's for GGUF with a spec without names for it */
    bool by_tensors;      /* the spec was matched by tensor names, without a configuration */
    const char *by_class; /* the class that identified the spec, if the model type is unknown; else NULL */
    bool inferred;        /* sizes inferred from the tensors themselves: they prove nothing about them */
    const struct file_kind *other; /* the file's kind if it is not a model; NULL: it may be one */
    const char *from;              /* the configuration's path, "metadata", or NULL */
    const char *architecture;      /* the spec's name; NULL: none fits */
    const char *called;            /* for people: the name in its own files, escaped; else the spec's name */
    const char *alike;   /* alternatives left open by a search, "of the same names: mistral"; or NULL */
    const char *kind;    /* its kind by the spec, "VAE"; or NULL */
    const char *product; /* its id (formula/product.h); the spec's name if the spec has none; NULL: no spec */
    numel_error why;     /* why x is NULL */
    numel_error unread;  /* why the configuration next to the checkpoint could not be used */
    bool broken;         /* a configuration or spec is wrong, rather than missing */

    struct model_inner *inner; /* found names, and each tensor's match: see tensor.h */
    struct differences differences;
    struct counts counts;
};

/* A checkpoint's model, with matches, differences and counts. `k` may be NULL. `may_search`: without
 * a configuration every spec is tried, which takes time; reports only about the stored tensors do
 * not need it. NULL for NOMEM and for a request of the user that cannot be met (a spec file, a
 * --set, an architecture, a config). */
NUMEL_MUST struct model *model_make(const numel_checkpoint *ck, const numel_knowledge *k, bool may_search,
                                    const numel_allocator *m, numel_error *e);
/* The same for a file that is not a model (adapter.h): nothing is expected, whatever configuration is next to it,
 * except for a separate network that a specification knows by its tensors. */
NUMEL_MUST struct model *model_of_adapter(const numel_checkpoint *ck, const numel_allocator *m,
                                          numel_error *e);
/* From only a configuration: `path` is a config.json, a params.json or a folder with one; NULL: only from
 * `k`. It has no matches, differences or counts. */
NUMEL_MUST struct model *model_of_config(const char *path, const numel_knowledge *k, const numel_allocator *m,
                                         numel_error *e);
void model_free(struct model *model); /* accepts NULL */
/* The file of its configuration: for metadata the checkpoint's; "" if there is none. */
const char *model_file(const struct model *model);

/* Decided by the format, whatever the names: dims of 1, types with scales inside. */
static inline bool model_is_gguf(const struct model *m)
{
    return m->ck && m->ck->files[0].format == NUMEL_GGUF;
}

static inline const struct site *model_site(const struct model *m, uint32_t row)
{
    return &m->x->sites[m->x->rows[row].site];
}

/* Does the formula count it: not a buffer, not a second name of a tensor, and loaded? */
static inline bool site_counts(const struct site *s)
{
    return s->kind != TENSOR_BUF && !s->tied && !s->extra.p;
}

/* The basis of the formula; NULL if there is neither. */
static inline struct expansion *model_formula(const struct model *m) { return m->x ? m->x : m->folded; }

/* The names in the checkpoint, to expand another spec, or the same for other names. Needs x. */
const struct presence *model_presence(const struct model *m);
/* For files that are not models by themselves: finds the specification whose `field` lines match the names of
 * the tensors, expands it without a configuration, and passes the expansion to `take`, which must not keep
 * it. Does not call `take` if there is none. NOMEM. */
NUMEL_MUST bool model_expand_file(const struct registry *file, const char *field,
                                  void (*take)(void *ctx, const struct expansion *), void *ctx,
                                  const numel_allocator *, numel_error *e);

#endif

/*
 * model.h -- a checkpoint and the user's knowledge, resolved once.
 *
 * The configuration is the file that the user names; otherwise config.json (or params.json) in the folder of
 * a safetensors checkpoint, or the metadata of a GGUF file. The spec is the one that the user names, else the
 * one whose `match` lines fit the configuration, else the one that best explains names and shapes. From it
 * follow the expected tensors. Each stored tensor is matched with one of them or gets another cause
 * (cause.h); the differences are listed (differences.h) and counted (counts.h). All reports read the results
 * and compute none of them again.
 *
 * Missing parts are not invented: without a configuration or a spec, `x` is NULL, `why` has the reason, and
 * there are neither matches nor counts.
 */
#ifndef NUMEL_MODEL_MODEL_H
#define NUMEL_MODEL_MODEL_H

#include "formula/expand.h"
#include "formula/library.h"
#include "model/counts.h"
#include "model/differences.h"
#include "model/file_kind.h"
#include "reader/checkpoint.h"

struct model {                  /* never moved: members point into it */
    struct arena arena;         /* permanent; reports may add to it */
    struct arena made;          /* what depends on the spec and the class; see model_undo() */
    const numel_checkpoint *ck; /* NULL if there is only a configuration */
    struct library *library;
    struct config *config;
    const struct library_entry *entry;
    const struct spec *spec; /* the library's, or one of `linked` */
    struct library_linked linked;
    struct expansion *x;      /* NULL: see why */
    struct expansion *folded; /* the folded expansion, if the full one would be too large; else NULL */
    enum side side;           /* source of names and values; for GGUF, Hugging Face if the spec has no GGUF
                           * names */
    bool by_tensors;          /* the spec was matched by tensor names, without a configuration */
    const char *by_class; /* the class that identified the spec, if the model type is unknown; else NULL */
    bool inferred;        /* some sizes were inferred from the tensors, which they cannot prove */
    const struct file_kind *other; /* the kind of a file that is not a model; else NULL */
    size_t ranks;                  /* file_ranks(): above 1, nothing is expected of the file */
    const char *from;              /* the configuration's path, "metadata", or NULL */
    const char *architecture;      /* the spec's name; NULL: none fits */
    const char *called;            /* for people: the name in its own files, escaped; else the spec's name */
    const char *alike;   /* alternatives that a search left open, "of the same names: mistral"; or NULL */
    const char *kind;    /* the spec's kind of model, "VAE"; or NULL */
    const char *product; /* its id (formula/product.h); the spec's name if the spec has none; NULL: no spec */
    numel_error why;     /* why x is NULL */
    numel_error unread;  /* why the configuration next to the checkpoint could not be used */
    bool broken;         /* the configuration or the spec is wrong, not just missing */

    struct model_inner *inner; /* found names, and each tensor's match: see tensor.h */
    struct differences differences;
    struct counts counts;
};

/* A checkpoint's model, with matches, differences and counts. `k` may be NULL. `may_search`: without a
 * configuration, try every spec, which takes time; reports that only concern the stored tensors do not
 * need it. Returns NULL for NOMEM, or if the user's request cannot be met (a spec file, a --set, an
 * architecture, a configuration). */
NUMEL_MUST struct model *model_make(const numel_checkpoint *ck, const numel_knowledge *k, bool may_search,
                                    const numel_allocator *m, numel_error *e);
/* Makes the model of a file that is not one (adapter.h). Nothing is expected, whatever configuration is
 * next to it, unless a specification recognises a separate network by its tensors. */
NUMEL_MUST struct model *model_of_adapter(const numel_checkpoint *ck, const numel_allocator *m,
                                          numel_error *e);
/* Makes a model from a configuration alone: `path` is a config.json, a params.json or a folder with one;
 * NULL: only `k` is used. There are no matches, differences or counts. */
NUMEL_MUST struct model *model_of_config(const char *path, const numel_knowledge *k, const numel_allocator *m,
                                         numel_error *e);
void model_free(struct model *model); /* accepts NULL */
/* The path of the configuration; for metadata, the checkpoint's; "" if there is none. */
const char *model_file(const struct model *model);

/* True if the format is GGUF, whatever the names: dims of 1 are dropped, and types contain their scales. */
static inline bool model_is_gguf(const struct model *m)
{
    return m->ck && m->ck->files[0].format == NUMEL_GGUF;
}

static inline const struct site *model_site(const struct model *m, uint32_t row)
{
    return &m->x->sites[m->x->rows[row].site];
}

/* True if the formula counts the site: it is loaded, not a buffer, and not a second name of a tensor. */
static inline bool site_counts(const struct site *s)
{
    return s->kind != TENSOR_BUF && !s->tied && !s->extra.p;
}

/* The expansion that the formula is based on; NULL if there is none. */
static inline struct expansion *model_formula(const struct model *m) { return m->x ? m->x : m->folded; }

/* The names in the checkpoint, for expanding another spec, or the same one under other names. Needs x. */
const struct presence *model_presence(const struct model *m);
/* For files that are not models by themselves. Finds the specification whose `field` lines match the
 * tensor names, expands it without a configuration, and passes the expansion to `take`, which must not
 * keep it. If there is none, `take` is not called. NOMEM. */
NUMEL_MUST bool model_expand_file(const struct registry *file, const char *field,
                                  void (*take)(void *ctx, const struct expansion *), void *ctx,
                                  const numel_allocator *, numel_error *e);

#endif

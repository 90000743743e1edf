/*
 * model.h -- a checkpoint and what the user knows, resolved once.
 *
 * The configuration of a safetensors checkpoint is config.json (or params.json) in its folder, that
 * of a GGUF file its metadata, of either the file that the user names. The spec is the one whose
 * `match` lines fit it, or the one the user names, or, when nothing says what the model is, the one
 * that explains its names and shapes best. The spec makes the tensors that are expected; each stored
 * tensor is matched with one of them or gets another cause (cause.h), and what is then left open is
 * listed (differences.h) and counted (counts.h). All reports read this and make none of it again.
 *
 * What is missing is not invented: without a configuration or a spec `x` is NULL, `why` says why,
 * and there are neither matches nor counts.
 */
#ifndef NUMEL_MODEL_MODEL_H
#define NUMEL_MODEL_MODEL_H

#include "formula/expand.h"
#include "formula/library.h"
#include "model/counts.h"
#include "model/differences.h"
#include "model/file_kind.h"
#include "reader/checkpoint.h"

struct model {                  /* never moved: what it holds points to it */
    struct arena arena;         /* what lasts; reports may add to it */
    struct arena made;          /* what rests on the spec and the class: see model_undo() */
    const numel_checkpoint *ck; /* NULL: a configuration alone */
    struct library *library;
    struct config *config;
    const struct library_entry *entry;
    const struct spec *spec; /* the library's, or one of `linked` */
    struct library_linked linked;
    struct expansion *x;      /* NULL: see why */
    struct expansion *folded; /* where x would be too large: the same, folded; else NULL */
    enum side side; /* whose names and values: of GGUF with a spec that has no names for it, Hugging Face's */
    bool by_tensors;      /* the spec was known by names of tensors, without a configuration */
    const char *by_class; /* the class that the spec was known by, where the model type is not known; NULL */
    bool inferred;        /* sizes that only the tensors themselves show: they prove nothing about them */
    const struct file_kind *other; /* what the file is instead of a model; NULL: it may be one */
    const char *from;              /* the configuration's path, "metadata", or NULL */
    const char *architecture;      /* the spec's name; NULL: none fits */
    const char *called; /* for people: what its own files call that, escaped; else the spec's name */
    const char *alike;  /* what a search leaves open, "of the same names: mistral"; NULL: nothing */
    const char *kind;   /* what a spec says that it is, "VAE"; NULL: it does not */
    const char
        *product;    /* its id (formula/product.h); where the spec says none the spec's name; NULL: no spec */
    numel_error why; /* why x is NULL, when it is */
    numel_error unread; /* why the configuration beside the checkpoint could not be used, if it could not */
    bool broken;        /* not for want of a configuration or a spec: one of them is wrong */

    struct model_inner *inner; /* names found, and what each tensor is: see tensor.h */
    struct differences differences;
    struct counts counts;
};

/* A checkpoint's model, with matches, differences and counts. `k` may be NULL. `may_search`: without a
 * configuration every spec is tried, which takes its time; reports that are only about what is there do
 * without. NULL for NOMEM and for what the user asked for and cannot be had (a spec file, a --set, an
 * architecture, a config of theirs). */
NUMEL_MUST struct model *model_make(const numel_checkpoint *ck, const numel_knowledge *k, bool may_search,
                                    const numel_allocator *m, numel_error *e);
/* The same of what is not a model (adapter.h): nothing is expected, whatever configuration lies beside it, but of a
 * network of its own that a specification knows by its tensors. */
NUMEL_MUST struct model *model_of_adapter(const numel_checkpoint *ck, const numel_allocator *m,
                                          numel_error *e);
/* Of a configuration alone, for which `path` is a config.json, a params.json or a folder that holds one; NULL:
 * of what `k` says alone. It has neither matches nor differences nor counts. */
NUMEL_MUST struct model *model_of_config(const char *path, const numel_knowledge *k, const numel_allocator *m,
                                         numel_error *e);
void model_free(struct model *model); /* NULL is fine */
/* The file of its configuration: of metadata the checkpoint's; "" for none. */
const char *model_file(const struct model *model);

/* What the format decides, whosever the names are: dims of 1, types with scales inside. */
static inline bool model_is_gguf(const struct model *m)
{
    return m->ck && m->ck->files[0].format == NUMEL_GGUF;
}

static inline const struct site *model_site(const struct model *m, uint32_t row)
{
    return &m->x->sites[m->x->rows[row].site];
}

/* Does the formula count what stands there: no buffer, no second name of a tensor, nothing that is not loaded? */
static inline bool site_counts(const struct site *s)
{
    return s->kind != TENSOR_BUF && !s->tied && !s->extra.p;
}

/* What the formula is made of; NULL where there is neither. */
static inline struct expansion *model_formula(const struct model *m) { return m->x ? m->x : m->folded; }

/* For who expands another spec, or the same for other names: what the checkpoint holds. Needs x. */
const struct presence *model_presence(const struct model *m);

#endif

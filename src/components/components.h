/*
 * components.h -- a folder with one model in several checkpoints: what its index promises and what it
 * contains.
 *
 *   unet              UNet2DConditionModel    1 file     859,520,964   F16   agrees
 *     non_ema                                 1 file     859,520,964   F32   agrees    not counted
 *   scheduler         PNDMScheduler           no weights
 *   vae               AutoencoderKL           missing
 *   vae_1_0                                   1 file      83,653,863   F32   agrees    not in the index
 *
 * A row is a promise of the index, another set of weights for a promise (a variant; only one set is loaded
 * and counts), or a folder of weights that the index does not name. The caller judges each checkpoint as a
 * separate model, because this room knows neither lists nor adapters.
 *
 * The folder agrees if all promised components exist and all existing weights agree. With components that
 * cannot be judged, it agrees in part.
 */
#ifndef NUMEL_COMPONENTS_COMPONENTS_H
#define NUMEL_COMPONENTS_COMPONENTS_H

#include "base/json_doc.h"
#include "components/single.h"

enum component_state {
    COMPONENT_WEIGHTS, /* a checkpoint */
    COMPONENT_PLAIN,   /* its class has no weights, such as a scheduler or a tokenizer */
    COMPONENT_NONE,    /* marked as absent in the index */
    COMPONENT_MISSING, /* promised but missing */
    COMPONENT_UNREAD,  /* weights in a format that is not read */
    COMPONENT_BUFFERS, /* in a single file (single.h): known values next to the components */
    COMPONENT_STRAY    /* likewise, but unknown ones */
};

struct component {
    const struct found_component *promise; /* NULL: not in the index */
    bool single;                           /* in a single file */
    const struct single_part *part;        /* its part of the single file; NULL: missing there */
    const char *path;                      /* of its checkpoint, or NULL */
    uint64_t files;
    const char *name, *variant; /* "unet"; "fp16", or how else it differs from the counted set, or "" */
    enum component_state state;
    bool counted;        /* included in the totals; other sets and unpromised weights are not */
    size_t set;          /* for WEIGHTS in a folder: index of the found set */
    const char *said;    /* the class in its own configuration, if that is not the promised one; else NULL */
    const char *own;     /* the class in its own configuration, if none is promised; else NULL */
    const char *off;     /* why it does not belong there, even if complete, in a few words; or NULL */
    bool foreign;        /* ... namely its class or library, not a size */
    bool unconfigured;   /* ... namely that its folder has no config.json */
    const char *doubt;   /* why it agrees at most in part, in a few words; or NULL */
    const char *why;     /* for MISSING, UNREAD: the reason in a few words */
    numel_row row;       /* for WEIGHTS, once asked: the facts about the checkpoint */
    const char *product; /* in a single file, once asked: see part_ask_fn */
    numel_state verdict; /* once asked */
};

struct components {
    const struct found_pipeline *pipeline; /* NULL: a single file */
    const numel_found *found;
    const struct single_parts *parts; /* of a single file; else NULL */
    const char *path, *index, *class; /* to show; NULL: no index, unknown class */
    struct component *items;
    size_t count, cap;
    struct component_config *configs; /* cached while the rows are made (configs.c) */
    /* the counted ones' totals, once asked */
    uint64_t checkpoints, files, tensors, stored, bytes;
    uint64_t parameters; /* NUMEL_NOT_KNOWN if unknown for any */
    numel_state verdict;
};

/* Describes the i-th checkpoint: fills in the facts from its headers and configuration, or the row's error
 * if it cannot be read. False: NOMEM. */
typedef bool component_ask_fn(numel_row *row, const numel_found *, size_t i, const numel_options *,
                              const numel_knowledge *, struct arena *, numel_error *);

/* Describes a component of a single file, with its product (formula/product.h); NULL if unknown. */
typedef bool part_ask_fn(numel_row *row, const char **product, const numel_checkpoint *,
                         const numel_options *, const numel_knowledge *, struct arena *, numel_error *);

/* Makes the rows from the index and the folders alone. The i-th checkpoint is the first of them
 * (numel_found_components()). All memory is in the arena, which must outlive `c`, and so must `found`.
 * NOMEM. */
NUMEL_MUST bool components_make(struct components *, const numel_found *found, size_t i, struct arena *,
                                numel_error *);
/* components_single.c: makes the rows of a single file, which must outlive them. NOMEM. */
NUMEL_MUST bool components_of_parts(struct components *, const struct single_parts *, struct arena *,
                                    numel_error *);

/* widths.c: marks consecutive modules whose widths do not match. NOMEM. */
NUMEL_MUST bool components_follow(struct components *, struct arena *, numel_error *);
/* fits.c: marks a pipeline's components whose input size does not match the output size of another. NOMEM. */
NUMEL_MUST bool components_fit(struct components *, struct arena *, numel_error *);
/* pipelines.c: marks components that the pipeline's class needs but the index does not promise, or
 * promises with another class. NOMEM. */
NUMEL_MUST bool components_take(struct components *, struct arena *, numel_error *);
/* unconfigured.c: marks components with weights that no loader builds without a config.json. NOMEM. */
NUMEL_MUST bool components_unconfigured(struct components *, struct arena *, numel_error *);
/* configs.c: gets that file in that folder, read once; *doc is NULL if missing or unreadable. Valid until
 * components_forget(). NOMEM. */
NUMEL_MUST bool components_config(struct components *, const char *dir, const char *file,
                                  const json_value **doc, struct arena *, numel_error *);
void components_forget(struct components *);
/* components.c: true if the configuration chooses the class, as for AutoModel and AutoModelForCausalLM,
 * but not AutoencoderKL. */
bool component_is_chosen(const char *class);
/* promised.c: true if a model of that class is a denoiser, by its name; component_denoises_any(): if any
 * in a list "A|B" is. */
bool component_denoises(const char *class);
/* Gets the words after the role in its next line of roles.table. *rest starts as { NULL, 0 }, and
 * advances. */
bool component_next(numel_str *rest, const char *role, numel_str *globs);
bool component_denoises_any(numel_str classes);
/* promised.c: marks components for which the index should promise more, or whose class is unknown. */
void components_doubt(struct components *);
/* serves.c: for a single file, once asked, marks components that its diffusion model does not use. NOMEM. */
NUMEL_MUST bool components_serve(struct components *, struct arena *, numel_error *);
/* True if its verdict counts for the whole. A component without weights does not count if nothing is wrong
 * with it. */
static inline bool component_is_judged(const struct component *x)
{
    return x->off || x->doubt || (x->state != COMPONENT_PLAIN && x->state != COMPONENT_NONE);
}

struct component_asking {
    component_ask_fn *set;
    part_ask_fn *part;
    const numel_options *options;
    const numel_knowledge *knowledge;
};
/* Judges each checkpoint, and sets the totals. NOMEM, OVERFLOW. */
NUMEL_MUST bool components_ask(struct components *, const struct component_asking *, struct arena *,
                               numel_error *);
/* Appends a row; NULL: NOMEM. */
NUMEL_MUST struct component *components_add(struct components *, struct arena *, numel_error *);

#endif

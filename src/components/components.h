/*
 * components.h -- a folder with one model of several checkpoints: its index's promises and its contents.
 *
 *     unet          UNet2DConditionModel  1 file   859,520,964   F16   agrees
 *       non_ema                           1 file   859,520,964   F32   agrees      not counted
 *     scheduler     PNDMScheduler                                                  no weights
 *     vae           AutoencoderKL                                                  missing
 *     vae_1_0                             1 file    83,653,863   F32   agrees      not in the index
 *
 * A row is a promise of the index, another set of weights of one (a variant; only one of them is loaded and counts),
 * or a folder of weights that the index does not name. Each checkpoint is judged as a separate model, by the caller:
 * this room knows no lists and no adapters.
 *
 * The folder agrees if all promised components exist, and all existing weights agree. Components that cannot be
 * judged make it agree in part.
 */
#ifndef NUMEL_COMPONENTS_COMPONENTS_H
#define NUMEL_COMPONENTS_COMPONENTS_H

#include "base/json_doc.h"
#include "components/single.h"

enum component_state {
    COMPONENT_WEIGHTS, /* a checkpoint */
    COMPONENT_PLAIN,   /* its class has no weights: a scheduler, a tokenizer */
    COMPONENT_NONE,    /* marked as absent in the index */
    COMPONENT_MISSING, /* promised but missing */
    COMPONENT_UNREAD,  /* weights in a format that is not read */
    COMPONENT_BUFFERS, /* of one file (single.h): known numbers next to the components */
    COMPONENT_STRAY    /* likewise, but unknown */
};

struct component {
    const struct found_component *promise; /* NULL: not in the index */
    bool single;                           /* of one file */
    const struct single_part *part;        /* then: its part; NULL: missing in the file */
    const char *path;                      /* of its checkpoint, or NULL */
    uint64_t files;
    const char *name, *variant; /* "unet"; "fp16", or another distinction from the counted file; "" */
    enum component_state state;
    bool counted;        /* in the totals; else another set of the same weights, or not promised */
    size_t set;          /* of WEIGHTS in a folder: index among the found sets */
    const char *said;    /* the class in its own configuration, if it differs; else NULL */
    const char *own;     /* that of a folder for which the index promises no class; else NULL */
    const char *off;     /* why it does not belong there, even if complete: a few words; or NULL */
    bool foreign;        /* because of its class or library, not a size */
    bool unconfigured;   /* because its folder has no config.json */
    const char *doubt;   /* why it agrees at most in part: a few words; or NULL */
    const char *why;     /* of MISSING, UNREAD: a few words */
    numel_row row;       /* of WEIGHTS, once asked: facts about the checkpoint */
    const char *product; /* of one file, likewise: see part_ask_fn */
    numel_state verdict; /* likewise */
};

struct components {
    const struct found_pipeline *pipeline; /* NULL: one file */
    const numel_found *found;
    const struct single_parts *parts; /* of one file; else NULL */
    const char *path, *index, *class; /* for people; NULL: no index, unknown class */
    struct component *items;
    size_t count, cap;
    struct component_config *configs; /* while the rows are made (configs.c) */
    /* of the counted ones, once asked */
    uint64_t checkpoints, files, tensors, stored, bytes;
    uint64_t parameters; /* NUMEL_NOT_KNOWN: unknown for at least one */
    numel_state verdict;
};

/* Describes the i-th checkpoint: fills the facts of its headers and configuration; if it cannot be read, sets the
 * row's error. False: NOMEM. */
typedef bool component_ask_fn(numel_row *row, const numel_found *, size_t i, const numel_options *,
                              const numel_knowledge *, struct arena *, numel_error *);

/* The same for a component of one file, with its product (formula/product.h); NULL: unknown. */
typedef bool part_ask_fn(numel_row *row, const char **product, const numel_checkpoint *,
                         const numel_options *, const numel_knowledge *, struct arena *, numel_error *);

/* The rows, only from the index and the folders; the i-th checkpoint is the first of them
 * (numel_found_components()). All in the arena, which must outlive it, like `found`. NOMEM. */
NUMEL_MUST bool components_make(struct components *, const numel_found *found, size_t i, struct arena *,
                                numel_error *);
/* components_single.c: the rows of one file, which must outlive them. NOMEM. */
NUMEL_MUST bool components_of_parts(struct components *, const struct single_parts *, struct arena *,
                                    numel_error *);

/* widths.c: marks consecutive modules whose widths do not match. NOMEM. */
NUMEL_MUST bool components_follow(struct components *, struct arena *, numel_error *);
/* fits.c: marks a pipeline's components whose input size is not another's output size. NOMEM. */
NUMEL_MUST bool components_fit(struct components *, struct arena *, numel_error *);
/* pipelines.c: marks inputs of the pipeline's class that the index does not promise, or with another class. NOMEM. */
NUMEL_MUST bool components_take(struct components *, struct arena *, numel_error *);
/* unconfigured.c: marks those with weights that no loader builds without a config.json. NOMEM. */
NUMEL_MUST bool components_unconfigured(struct components *, struct arena *, numel_error *);
/* configs.c: that file in that folder, read once; *doc NULL: missing or unreadable. Valid until forgotten. NOMEM. */
NUMEL_MUST bool components_config(struct components *, const char *dir, const char *file,
                                  const json_value **doc, struct arena *, numel_error *);
void components_forget(struct components *);
/* components.c: does the configuration choose the class: AutoModel, AutoModelForCausalLM? Not AutoencoderKL. */
bool component_is_chosen(const char *class);
/* promised.c: is a model of that class a denoiser, by its name; is any in a list "A|B"? */
bool component_denoises(const char *class);
/* What stands behind the role in the next line of it in roles.table, moved past; *rest: { NULL, 0 } at first. */
bool component_next(numel_str *rest, const char *role, numel_str *globs);
bool component_denoises_any(numel_str classes);
/* promised.c: marks those where the index should promise more, or whose class is unknown. */
void components_doubt(struct components *);
/* serves.c: for one file, once asked, marks those that its diffusion model does not use. NOMEM. */
NUMEL_MUST bool components_serve(struct components *, struct arena *, numel_error *);
/* Does its verdict count for the whole? Not without weights if nothing is wrong. */
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

/*
 * components.h -- a folder that is one model of several checkpoints: what its index promises beside what is there.
 *
 *     unet          UNet2DConditionModel  1 file   859,520,964   F16   agrees
 *       non_ema                           1 file   859,520,964   F32   agrees      not counted
 *     scheduler     PNDMScheduler                                                  no weights
 *     vae           AutoencoderKL                                                  missing
 *     vae_1_0                             1 file    83,653,863   F32   agrees      not in the index
 *
 * A row is a promise of the index, a further set of weights of one (a variant, of which one is loaded: one counts), or a
 * folder of weights that the index does not name. Each checkpoint is judged as a model of its own; by whom is the
 * caller's: the room knows no lists and no adapters.
 *
 * The folder agrees when all that was promised is there, and all weights that are there agree. What nobody could judge
 * makes it agree in part.
 */
#ifndef NUMEL_COMPONENTS_COMPONENTS_H
#define NUMEL_COMPONENTS_COMPONENTS_H

#include "base/json_doc.h"
#include "components/single.h"

enum component_state {
    COMPONENT_WEIGHTS, /* a checkpoint */
    COMPONENT_PLAIN,   /* its class has no weights: a scheduler, a tokenizer */
    COMPONENT_NONE,    /* the index says that there is none */
    COMPONENT_MISSING, /* promised, and not there */
    COMPONENT_UNREAD,  /* weights in a form that is not read */
    COMPONENT_BUFFERS, /* of one file (single.h): numbers beside all components, which are known */
    COMPONENT_STRAY    /* and what nobody knows */
};

struct component {
    const struct found_component *promise; /* NULL: the index does not name it */
    bool single;                           /* of one file */
    const struct single_part *part;        /* then: which; NULL: the file lacks it */
    const char *path;                      /* of its checkpoint; NULL: it has none */
    uint64_t files;
    const char *name, *variant; /* "unet"; "fp16", or what else tells the file from the one that counts; "" */
    enum component_state state;
    bool counted;      /* in the totals; else another set of the same weights, or nothing that was promised */
    size_t set;        /* of WEIGHTS in a folder: which of what was found */
    const char *said;  /* the class that its own configuration says, where it is another; NULL */
    const char *own;   /* that of a folder that the index promises no class for; NULL */
    const char *off;   /* why it does not belong where it is, whole as it may be: a few words; NULL */
    bool foreign;      /* that is of its class or its library, not of a size */
    bool unconfigured; /* that is because its folder has no config.json */
    const char *doubt; /* why it agrees in part at most: a few words; NULL */
    const char *why;   /* of MISSING, UNREAD: a few words */
    numel_row row;     /* of WEIGHTS, once asked: what is known of the checkpoint */
    const char *product; /* of one file, then: see part_ask_fn */
    numel_state verdict; /* then */
};

struct components {
    const struct found_pipeline *pipeline; /* NULL: one file */
    const numel_found *found;
    const struct single_parts *parts; /* of one file; else NULL */
    const char *path, *index, *class; /* for people; index NULL: there is none, class NULL: nobody knows */
    struct component *items;
    size_t count, cap;
    struct component_config *configs; /* while the rows are made (configs.c) */
    /* of those that count, once asked */
    uint64_t checkpoints, files, tensors, stored, bytes;
    uint64_t parameters; /* NUMEL_NOT_KNOWN: of one at least nobody knows */
    numel_state verdict;
};

/* What is known of the i-th checkpoint: fills what its headers and its configuration say; what cannot be read is the
 * row's error. False: NOMEM. */
typedef bool component_ask_fn(numel_row *row, const numel_found *, size_t i, const numel_options *,
                              const numel_knowledge *, struct arena *, numel_error *);

/* The same of a component of one file, and which product it is (formula/product.h); NULL: unknown. */
typedef bool part_ask_fn(numel_row *row, const char **product, const numel_checkpoint *,
                         const numel_options *, const numel_knowledge *, struct arena *, numel_error *);

/* The rows, by the index and the folders alone; the i-th checkpoint is the first of them (numel_found_components()).
 * All of the arena, which outlives it, as `found` does. NOMEM. */
NUMEL_MUST bool components_make(struct components *, const numel_found *found, size_t i, struct arena *,
                                numel_error *);
/* components_single.c: the rows of one file, which outlives it. NOMEM. */
NUMEL_MUST bool components_of_parts(struct components *, const struct single_parts *, struct arena *,
                                    numel_error *);

/* widths.c: of modules that stand behind each other, those that do not follow. NOMEM. */
NUMEL_MUST bool components_follow(struct components *, struct arena *, numel_error *);
/* fits.c: of a pipeline's components, those that take another size than others give. NOMEM. */
NUMEL_MUST bool components_fit(struct components *, struct arena *, numel_error *);
/* pipelines.c: what the pipeline's class takes, and the index does not promise, or promises of another class. NOMEM. */
NUMEL_MUST bool components_take(struct components *, struct arena *, numel_error *);
/* unconfigured.c: of those with weights, the ones that no loader builds for want of a config.json. NOMEM. */
NUMEL_MUST bool components_unconfigured(struct components *, struct arena *, numel_error *);
/* configs.c: that file in that folder, read once; *doc NULL: there is none, or it cannot be read. Until they are forgotten. NOMEM. */
NUMEL_MUST bool components_config(struct components *, const char *dir, const char *file,
                                  const json_value **doc, struct arena *, numel_error *);
void components_forget(struct components *);
/* components.c: is it a class that the configuration chooses: AutoModel, AutoModelForCausalLM? AutoencoderKL is none. */
bool component_is_chosen(const char *class);
/* promised.c: does a model of that class take noise away, by its name; one of those in a list "A|B"? */
bool component_denoises(const char *class);
bool component_denoises_any(numel_str classes);
/* promised.c: those that stand where the index should promise more, or what nobody knows. */
void components_doubt(struct components *);
/* serves.c: of one file, once asked, what the diffusion model in it does not read. NOMEM. */
NUMEL_MUST bool components_serve(struct components *, struct arena *, numel_error *);
/* Is its verdict one of those that make that of all? Not where there are no weights and nothing is wrong. */
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
/* Each checkpoint judged, and the totals. NOMEM, OVERFLOW. */
NUMEL_MUST bool components_ask(struct components *, const struct component_asking *, struct arena *,
                               numel_error *);
/* A row at the end; NULL: NOMEM. */
NUMEL_MUST struct component *components_add(struct components *, struct arena *, numel_error *);

#endif

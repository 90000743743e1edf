/*
 * find.h -- a path becomes a list of checkpoints, each a list of files.
 *
 * What a path stands for: a file by itself; the set of which it is a shard (recognised by an index beside
 * it, or by the pattern -00001-of-00005 in its name); all sets and single files of a directory; the
 * newest snapshot of a Hugging Face cache folder. A shard's place may be taken by its header-only
 * copy NAME.head.zst, or by NAME.zst.
 *
 * Nothing is parsed here but indexes; that a file is a checkpoint is for the readers to say.
 */
#ifndef NUMEL_READER_FIND_H
#define NUMEL_READER_FIND_H

#include "reader/shard_index.h"

struct found_file {
    numel_str name;            /* of the shard as the set knows it; first: see names.h */
    const char *path;          /* where it is, NULL when it is missing */
    bool repeated;             /* the same name stood in the set before */
    struct found_layer *layer; /* of FOUND_MANIFEST; else NULL */
    struct found_part *part;   /* of FOUND_UNFINISHED, whose files are all missing; else NULL */
};

struct folder;
struct pipe;
enum found_kind { FOUND_FILE, FOUND_INDEX, FOUND_PATTERN, FOUND_RANKS, FOUND_MANIFEST, FOUND_UNFINISHED };

/* What a manifest of Ollama says of a blob. */
struct found_layer {
    numel_str name;          /* of the tensor, or the file, that it is; "" mostly */
    const char *type, *path; /* "model", "projector", "params"; where its blob is or would be */
    const char *model;       /* whose it is: "llama3.2:1b" */
    uint64_t bytes;          /* NUMEL_NOT_KNOWN: the manifest does not say */
};

struct found_layers {
    struct found_layer *items;
    size_t count;
};

/* Blobs that no manifest names. */
struct found_strays {
    uint64_t count, bytes, begun; /* begun: parts of blobs that are being pulled, which are not counted */
    const char *first;            /* its path */
};

/* What the index of a folder of components promises: find_components.c. */
struct found_component {
    const char *name;  /* "unet", "2_Dense"; "0_Transformer" of a module without a folder */
    const char *place; /* its folder in that of the index; "": that itself */
    const char *library,
        *class; /* "diffusers", "UNet2DConditionModel"; NULL: the index says that there is none */
    bool plain; /* its class saves no weights: a scheduler, a tokenizer */
    bool bare;  /* not even a file */
};

/* A folder that is one model of several checkpoints: of transformers, find_submodels.c. */
struct found_pipeline {
    const char *dir, *index;     /* the file that says so */
    const char *class;           /* "StableDiffusionPipeline" */
    const char *library;         /* whose index it is: "diffusers" */
    bool modules;                /* of sentence-transformers */
    const struct folder *beside; /* what dir holds */
    struct found_component *items;
    size_t count;
    const numel_error *why; /* the index cannot be read, and promises nothing; else NULL */
    size_t first, sets;     /* its checkpoints, whether promised or not */
};

struct found_set {
    enum found_kind kind;
    const char *name;       /* what people call it, "llama3.2:1b"; NULL: as its path says */
    const char *path;       /* for headings: the directory, the index, or the file as given */
    const numel_error *why; /* of FOUND_MANIFEST: it cannot be read, and there are no files */
    struct found_layers
        *layers; /* of FOUND_MANIFEST: what else it names, with the first of its sets; NULL: nothing */
    struct found_strays *strays; /* of the first set of Ollama's models; NULL: not known */
    const char *dir;             /* where config.json would be */
    const char *place;           /* of dir below the folder that was named: "" or "unet" */
    const struct folder *beside; /* what dir holds, shared by its sets; NULL when it cannot be listed */
    const char *index; /* of FOUND_INDEX; of FOUND_FILE, an index that could not be read; the manifest */
    const struct found_pipeline *pipeline;   /* that it is a part of; NULL */
    const struct found_component *component; /* which; NULL: the index does not name its folder */
    struct pipe *pipe; /* the one file is read from it, and nothing lies beside it; NULL */
    bool config;       /* what comes out of it is a configuration */
    bool
        heads; /* the first of a folder that was looked into for its own sake: what else it holds is said there */
    struct found_file *files; /* with those that are absent, while they are at most ABSENT_LISTED */
    size_t count, cap;
    uint64_t absent;                     /* else how many there are: none of them is in the list */
    numel_str absent_first, absent_last; /* of an index; of FOUND_PATTERN found_absent() says them */
};

/* A name of 72 bytes may promise 999,999 shards: more absent ones than these are counted, not listed. */
enum { ABSENT_LISTED = 1000 };

struct numel_found {
    struct arena arena;
    bool nowhere; /* there is no such path */
    struct found_set *sets;
    size_t count, cap;
    struct found_folder *folders;
};

/* "model-00003-of-00012.safetensors" -> prefix "model-", number 3 of 12. A variant stands before the numbers, or (older
 * writers) behind them: "model-00003-of-00012.fp16.safetensors". */
struct shard_name {
    numel_str prefix, suffix; /* "model-", ".safetensors" or ".fp16.safetensors" */
    uint64_t rank; /* 2 of "shard-00002-model-00001-of-00003.safetensors", prefix "shard-*-model-"; else 0 */
    uint64_t number, total;
    size_t number_digits, total_digits; /* 5 or 6: DeepSeek-V3 has 00001-of-000163 */
};
/* False when the number is not 1 to the total: who counts from 0 makes no set that we know. */
bool shard_name_parse(numel_str name, struct shard_name *out);
/* Is the file called as a shard of several is? */
bool path_is_shard(const char *path);
bool name_is_index(numel_str name);   /* .index.json, .index.fp16.json of a variant, or these in zstd */
bool name_is_weights(numel_str name); /* .safetensors, .gguf, or these in zstd */
/* NAME without ".head.zst" or ".zst". */
numel_str plain_name(numel_str name);

/* The names of a set's first and last file that is absent and not listed, and, of a pattern, which they are:
 * "2 to 4999, 5001 to 999999"; *runs is "" for an index. */
NUMEL_MUST bool found_absent(const struct found_set *s, struct arena *a, numel_str *first, numel_str *last,
                             const char **runs, numel_error *e);

/* Is nothing of the i-th here: no file, or Git LFS pointers in their place? A configuration may be. IO: a file is here and
 * cannot be opened. */
NUMEL_MUST bool found_is_absent(bool *absent, const numel_found *, size_t i, const numel_options *,
                                numel_error *);
/* All the text of a configuration that comes out of a pipe (found_set.config), which belongs to `f`. LIMIT, IO. */
NUMEL_MUST bool found_config(const numel_found *f, size_t i, const void **text, size_t *bytes, numel_error *);

/* The sets of one folder, not of those in it; there may be none. Errors as of numel_find(). */
NUMEL_MUST bool find_folder(numel_found **out, const char *dir, const numel_options *, numel_error *e);
/* The folder that a name of all that a program keeps ("ollama:") stands for; NULL when it is another name, or a path. IO: it keeps
 * nothing here. */
NUMEL_MUST bool find_root(struct arena *a, const numel_options *, const char *name, const char **at,
                          numel_error *e);
/* numel_find(), inside the library. */
NUMEL_MUST bool find_path(numel_found **out, const char *path, const numel_options *, numel_error *e);
/* What the folder holds that was looked into first; NULL: none was. Of `f`. */
const struct folder *found_folder(const numel_found *f);
/* Is it where a program keeps models, all of which are found in it: nothing is to be looked for in its folders? */
bool found_all(const numel_found *f);
/* Of a repository in a cache of Hugging Face the snapshot that stands for it; NULL: it is none. */
const char *found_snapshot(struct arena *a, const char *repository);

/* Opens the index file, zstd or not, and reads it. */
NUMEL_MUST bool find_read_index(const char *path, struct shard_index *x, struct arena *a, numel_error *e);

#endif

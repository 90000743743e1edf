/*
 * find.h -- turns a path into a list of checkpoints, each a list of files.
 *
 * A path stands for: a single file; the set it is a shard of (recognised by an index next to it, or by
 * the pattern -00001-of-00005 in its name); all sets and single files of a directory; the newest snapshot
 * of a Hugging Face cache folder. A shard may be replaced by its header-only copy NAME.head.zst, or by
 * NAME.zst.
 *
 * Only indexes are parsed here; whether a file is a checkpoint is left to the readers.
 */
#ifndef NUMEL_READER_FIND_H
#define NUMEL_READER_FIND_H

#include "reader/shard_index.h"

struct found_file {
    numel_str name;            /* the shard's name in the set; first: see names.h */
    const char *path;          /* its path, NULL if it is missing */
    bool repeated;             /* the set has the same name earlier */
    struct found_layer *layer; /* of FOUND_MANIFEST; else NULL */
    struct found_part *part;   /* of FOUND_UNFINISHED, where all files are missing; else NULL */
};

struct folder;
struct pipe;
enum found_kind { FOUND_FILE, FOUND_INDEX, FOUND_PATTERN, FOUND_RANKS, FOUND_MANIFEST, FOUND_UNFINISHED };

/* A blob as listed in an Ollama manifest. */
struct found_layer {
    numel_str name;          /* the tensor's or file's name; usually "" */
    const char *type, *path; /* "model", "projector", "params"; the actual or expected path of its blob */
    const char *model;       /* the model it belongs to: "llama3.2:1b" */
    uint64_t bytes;          /* NUMEL_NOT_KNOWN: not in the manifest */
};

struct found_layers {
    struct found_layer *items;
    size_t count;
};

/* Blobs that no manifest names. */
struct found_strays {
    uint64_t count, bytes, begun; /* begun: parts of blobs being pulled, not counted */
    const char *first;            /* path of the first */
};

/* A component listed in a folder's index: find_components.c. */
struct found_component {
    const char *name;            /* "unet", "2_Dense"; "0_Transformer" of a module without a folder */
    const char *place;           /* its folder, relative to the index; "": the same folder */
    const char *library, *class; /* "diffusers", "UNet2DConditionModel"; NULL: the index marks it as absent */
    bool plain;                  /* its class has no weights: a scheduler, a tokenizer */
    bool bare;                   /* not even a file */
};

/* A folder with one multi-part model; for transformers, see find_submodels.c. */
struct found_pipeline {
    const char *dir, *index;     /* the index file */
    const char *class;           /* "StableDiffusionPipeline" */
    const char *library;         /* the index's library: "diffusers" */
    bool modules;                /* of sentence-transformers */
    const struct folder *beside; /* the contents of dir */
    struct found_component *items;
    size_t count;
    const numel_error *why; /* the index cannot be read, and nothing is promised; else NULL */
    size_t first, sets;     /* its checkpoints, promised or not */
};

struct found_set {
    enum found_kind kind;
    const char *name;       /* common name, "llama3.2:1b"; NULL: see path */
    const char *path;       /* for headings: the directory, the index, or the file as given */
    const numel_error *why; /* of FOUND_MANIFEST, or with `alone`: why it cannot be read; it has no files */
    const char *alone;      /* the configuration of a folder without weights; else NULL */
    struct found_layers
        *layers; /* of FOUND_MANIFEST: other files that it names, on its first set; NULL: none */
    struct found_strays *strays; /* on the first Ollama set; NULL: unknown */
    const char *dir;             /* where config.json would be */
    const char *place;           /* of dir below the named folder: "" or "unet" */
    const struct folder *beside; /* the contents of dir, shared by its sets; NULL if it cannot be listed */
    const char *index;           /* of FOUND_INDEX; of FOUND_FILE, an unreadable index; the manifest */
    const struct found_pipeline *pipeline;   /* the pipeline it belongs to, or NULL */
    const struct found_component *component; /* its component; NULL: the index does not name its folder */
    struct pipe *pipe;           /* the only file is read from it, with nothing next to it; else NULL */
    bool config;                 /* the pipe holds a configuration */
    const struct remote *remote; /* its files are copies of these; NULL: they are on this disk */
    bool heads; /* the first of a folder that was named itself: reports its other contents too */
    struct found_file *files; /* including missing files, up to ABSENT_LISTED */
    size_t count, cap;
    uint64_t absent;                     /* above that limit: how many are missing; none of them is listed */
    numel_str absent_first, absent_last; /* for an index; for FOUND_PATTERN, see found_absent() */
};

/* A name of 72 bytes may promise 999,999 shards: more missing ones than this are counted, not listed. */
enum { ABSENT_LISTED = 1000 };

struct numel_found {
    struct arena arena;
    bool nowhere;          /* the path does not exist */
    struct remote *remote; /* the copies that the sets are of; NULL: files on this disk */
    struct found_set *sets;
    size_t count, cap;
    struct found_folder *folders;
};

/* "model-00003-of-00012.safetensors" -> prefix "model-", number 3 of 12. A variant precedes the numbers, or
 * (older writers) follows them: "model-00003-of-00012.fp16.safetensors". */
struct shard_name {
    numel_str prefix, suffix; /* "model-", ".safetensors" or ".fp16.safetensors" */
    uint64_t rank; /* 2 of "shard-00002-model-00001-of-00003.safetensors", prefix "shard-*-model-"; else 0 */
    uint64_t number, total;
    size_t number_digits, total_digits; /* 5 or 6: DeepSeek-V3 has 00001-of-000163 */
};
/* False if the number is not 1 to the total: sets counted from 0 are not recognised. */
bool shard_name_parse(numel_str name, struct shard_name *out);
/* Does the file have a shard's name? */
bool path_is_shard(const char *path);
bool name_is_index(numel_str name);   /* .index.json, .index.fp16.json of a variant, or these with zstd */
bool name_is_weights(numel_str name); /* .safetensors, .gguf, or these with zstd */
/* .bin, .pt, .pth or .ckpt, but not the name of a trainer's other files. A file of such a name counts only in a
 * folder without safetensors and GGUF, which loaders prefer. */
bool name_is_pytorch(numel_str name);
/* Does a file in it have a name of weights? */
bool folder_has_weights(const struct folder *f);
/* NAME without ".head.zst" or ".zst". */
numel_str plain_name(numel_str name);

/* The names of a set's first and last missing file that is not listed, and, for a pattern, their numbers:
 * "2 to 4999, 5001 to 999999"; *runs is "" for an index. */
NUMEL_MUST bool found_absent(const struct found_set *s, struct arena *a, numel_str *first, numel_str *last,
                             const char **runs, numel_error *e);

/* *absent: the i-th has no files here, or only Git LFS pointers; its configuration may exist. IO: a file
 * exists but cannot be opened. */
NUMEL_MUST bool found_is_absent(bool *absent, const numel_found *, size_t i, const numel_options *,
                                numel_error *);
/* The complete text of a configuration from a pipe (found_set.config), owned by `f`. LIMIT, IO. */
NUMEL_MUST bool found_config(const numel_found *f, size_t i, const void **text, size_t *bytes, numel_error *);

/* The sets of one folder without its subfolders; there may be none. Errors as in numel_find(). */
NUMEL_MUST bool find_folder(numel_found **out, const char *dir, const numel_options *, numel_error *e);
/* The folder for the name of a program's whole store ("ollama:"); NULL for another name or a path. IO: there
 * is no such store here. */
NUMEL_MUST bool find_root(struct arena *a, const numel_options *, const char *name, const char **at,
                          numel_error *e);
/* numel_find(), inside the library. */
NUMEL_MUST bool find_path(numel_found **out, const char *path, const numel_options *, numel_error *e);
/* The contents of the first folder searched, owned by `f`; NULL if none. */
const struct folder *found_folder(const numel_found *f);
/* True for a program's model store: all its models were found, so its folders need no search. */
bool found_all(const numel_found *f);
/* find_hub.c: the current snapshot of a repository in a Hugging Face cache: that of refs/main, else the
 * newest; NULL if there is none. */
const char *hub_snapshot(struct arena *a, const char *repository);
/* "ORG/NAME" from "models--ORG--NAME"; a NAME may contain "--", an ORG may not. p is NULL if it is not such
 * a name. */
NUMEL_MUST numel_str hub_repository_name(struct arena *a, numel_str folder);

/* Opens and reads the index file, zstd or not. */
NUMEL_MUST bool find_read_index(const char *path, struct shard_index *x, struct arena *a, numel_error *e);

#endif

/*
 * numel.h -- what is really in a model checkpoint, without reading its weights.
 *
 * Five calls are all that most programs need:
 *
 *     numel_subject *s;
 *     numel_report *r;
 *     numel_error e;
 *     const numel_judgement *j;
 *     if (numel_subject_open(&s, "model/", NULL, NULL, &e) == NUMEL_OK &&
 *         numel_subject_judge(s, &j, &e) == NUMEL_OK && j->verdict == NUMEL_STATE_AGREES &&
 *         numel_report_reconcile(&r, s, NULL, &e) == NUMEL_OK)
 *         numel_report_write(r, NULL, write_to_stdout, NULL, &e), numel_report_free(r);
 *     numel_subject_close(s);
 *
 * The rest gives access to the parts: numel_find() and numel_subject_at() for a path that stands for many; a checkpoint's tensors, files,
 * metadata and findings; a model's symbols, terms, expected tensors and statement; the reports that commands print.
 *
 * Ownership   A function that fills a `**out` hands it to the caller, who frees it with the matching *_free() or *_close();
 *             both accept NULL. A `const` pointer belongs to the object it came from and is freed with it.
 * Borrowing   found <- checkpoint <- subject <- report: an object refers to those it was made from, which must outlive it.
 *             Texts and lists passed in are copied, or no longer needed once the call returns, unless noted.
 * NULL        A pointer to a struct of options may be NULL: all defaults. So may the last numel_error *, the argument of
 *             *_free(), and arguments documented as optional. No other pointer may.
 * Errors      A function that can fail returns numel_rc and fills the numel_error. On failure *out is NULL. Any function may
 *             fail with NOMEM, and with USAGE for an uninitialised struct of options (see NUMEL_INIT) or an index out of
 *             range; other codes are listed with each function. No error is kept anywhere.
 * Findings    "Could not be read" is an error. "Was read, and disagrees" is a finding: the checkpoint opens, is counted, and
 *             carries a list of findings.
 * Text        numel_str may hold any byte. Text from a file is untrusted: escape it (numel_escape()) before showing it.
 *             Paths, names and metadata are raw; messages, reports, and every other `const char *` are escaped.
 * Threads     Distinct objects may be used by distinct threads at once. An open checkpoint is read-only and may be shared; a
 *             subject and the reports made from it belong to one thread at a time.
 * Memory      comes from numel_options.allocator, except JSON documents (cJSON_InitHooks() belongs to the process), the state
 *             of libzstd and libcrypto, threads, and the C library's own buffers for an open folder. Unless linked, libcrypto
 *             is loaded for the first digest (IO if it is missing) and stays loaded.
 * Signals     Headers are mapped. SIGBUS is caught while they are read, so that a file that shrinks gives CHANGED instead of
 *             killing the process; afterwards the process's own action is restored. numel_options.no_guard turns this off.
 */
#ifndef NUMEL_H
#define NUMEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NUMEL_VERSION_MAJOR 0 /* breaking changes of this interface; also the soname */
#define NUMEL_VERSION_MINOR 3 /* new, compatible capabilities */
#define NUMEL_VERSION_PATCH 0 /* fixes */
#if defined(__GNUC__)
#define NUMEL_API __attribute__((visibility("default")))
#define NUMEL_MUST __attribute__((warn_unused_result))
#else
#define NUMEL_API
#define NUMEL_MUST
#endif
/* Functions that can fail: ignoring the result is a warning. */
#define NUMEL_CALL NUMEL_MUST NUMEL_API numel_rc
NUMEL_API const char *numel_version(void); /* version of the linked library: "0.3.0" */

/* ---- errors ------------------------------------------------------------------------------- */
/* Names, fixed values, texts. Append with the next number of a family; never reuse one. */
#define NUMEL_ERRORS(X) \
    X(NOMEM, 1, "out of memory")                    X(USAGE, 2, "bad argument") \
    X(STOPPED, 3, "stopped on request")             X(IO, 10, "cannot read or write") \
    X(CHANGED, 11, "file changed while being read") X(NETWORK, 12, "cannot be fetched") \
    X(FORMAT, 20, "not a known checkpoint format") \
    X(VERSION, 21, "unsupported format version")    X(TRUNCATED, 22, "file ends too early") \
    X(RANGE, 23, "value out of range")              X(OVERFLOW, 24, "size does not fit in 64 bits") \
    X(SYNTAX, 25, "malformed header")               X(DUPLICATE, 26, "name occurs twice") \
    X(TYPE, 27, "value of the wrong type")          X(LIMIT, 28, "exceeds a safety limit") \
    X(UTF8, 29, "text is not valid UTF-8")          X(CONFIG, 40, "model configuration missing or wrong") \
    X(ARCH, 41, "architecture not known")           X(SPEC, 42, "malformed architecture specification") \
    X(KEY, 43, "model configuration is silent")
typedef enum numel_rc {
    NUMEL_OK = 0,
#define X(name, value, text) NUMEL_E_##name = value,
    NUMEL_ERRORS(X)
#undef X
        NUMEL_E_WIDTH = 0x7fffffff /* room to grow without changing the type */
} numel_rc;
#define NUMEL_NOWHERE UINT64_MAX /* an offset, if no byte is at fault */
/* A plain value: copy it, keep it, nothing to free. Frozen: it will not grow and needs no initialiser. */
typedef struct numel_error {
    numel_rc code;
    uint64_t offset; /* first byte at fault, from the start of the file, or NUMEL_NOWHERE */
    char file[512];  /* the path as given or found, unescaped; may be "" */
    char what[512];  /* one sentence: "tensor 'a': data_offsets end at 96, its shape needs 64" */
} numel_error;
NUMEL_API const char *numel_rc_name(numel_rc code); /* "TRUNCATED": stable, for programs */
NUMEL_API const char *numel_rc_text(numel_rc code); /* "file ends too early": for people */

/* ---- structs that may grow ---------------------------------------------------------------- */
/* Structs of options and results begin with `size`, and later versions append fields: a program compiled with this header runs with a
 * later 0.x library of the same soname. Reserved fields must be 0.
 *   options            `numel_view view = NUMEL_INIT(numel_view);`, or in C `{ .size = sizeof(numel_view), .all = true }`: all other
 *                      fields are 0, their default. USAGE for an impossible size, or a field newer than the library.
 *   results, filled    NUMEL_INIT before the call; afterwards `size` is the number of bytes filled, and the rest is 0.
 *   results, returned  `size` is the number of bytes that the struct has. */
#ifdef __cplusplus
#define NUMEL_INIT(type) numel_init<type>()
#else
#define NUMEL_INIT(type) { .size = sizeof(type) }
#endif

#define NUMEL_NOT_KNOWN UINT64_MAX /* an unknown count: never a guess */
#define NUMEL_NONE UINT32_MAX      /* no tensor, row or file */

/* ---- the judgement ------------------------------------------------------------------------ */
/* What a path stands for. PIPELINE: a folder of several models that belong together; SEVERAL: several models in one file; TRAINING:
 * optimizer state without weights; VOCABULARY: a GGUF with a tokenizer only; PROJECTOR: llama.cpp's image or audio projector. */
typedef enum numel_subject_kind {
    NUMEL_IS_MODEL, NUMEL_IS_PIPELINE, NUMEL_IS_SEVERAL, NUMEL_IS_ADAPTER, NUMEL_IS_CONFIGURATION, NUMEL_IS_TRAINING,
    NUMEL_IS_VOCABULARY, NUMEL_IS_IMATRIX, NUMEL_IS_PROJECTOR
} numel_subject_kind;
NUMEL_API const char *numel_subject_kind_name(numel_subject_kind); /* "model", "several models": stable, for programs */
/* The verdict in one word, from best to worst. */
typedef enum numel_state {
    NUMEL_STATE_UNKNOWN,                          /* nothing states what the model should hold */
    NUMEL_STATE_AGREES,                           /* every tensor is expected, with its shape, and none is missing */
    NUMEL_STATE_IN_PART,                          /* nothing is wrong, but not everything could be checked */
    NUMEL_STATE_DISAGREES,
    NUMEL_STATE_INCOMPLETE, NUMEL_STATE_DAMAGED   /* bytes or files are missing; the format's rules are broken */
} numel_state;
NUMEL_API const char *numel_state_name(numel_state);
/* Why a verdict is not `agrees`. Frozen. */
typedef struct numel_cause {
    const char *code;  /* for programs: numel(5), CAUSES */
    const char *text;  /* a sentence with the key, both values and what to do */
    uint64_t explains; /* number of differences and findings that follow from it; 0: not counted */
    numel_state state; /* the verdict is at least this bad */
} numel_cause;

/* What a path stands for and its verdict, as every command prints it. Returned, not filled. */
typedef struct numel_judgement {
    size_t size;
    numel_subject_kind kind;
    numel_state verdict;
    const char *architecture;  /* as its files call it, unescaped; NULL: unknown */
    const char *name;          /* its class or product; NULL: unknown */
    const char *known_by;      /* "configuration", "metadata", "names and shapes", "the user"; NULL: unknown */
    const numel_cause *causes; /* the root cause first */
    size_t cause_count;
} numel_judgement;

/* ---- options ------------------------------------------------------------------------------ */
/* Frozen: two pointers. resize(ctx, NULL, n) allocates, resize(ctx, p, 0) frees and returns NULL, else it reallocates. NULL for n > 0
 * becomes NOMEM. The struct must outlive what it allocated. */
typedef struct numel_allocator {
    void *(*resize)(void *ctx, void *old, size_t bytes);
    void *ctx;
} numel_allocator;

/* Called between files; `total` may grow while shards are being found. A list calls it for each checkpoint, from any thread, one at a
 * time; its total is 0, unknown. */
typedef void numel_progress_fn(void *ctx, uint64_t done, uint64_t total, const char *what);
/* ---- from afar: the library has no network; a host that has one lends it these two functions ----
 * A path that begins with hf://, https:// or (loopback only) http:// is asked of them, and no other path ever is: numel_find() lists the
 * repository, reads the small files that describe a model, of weights only their headers, and keeps header-only copies in a private
 * folder below TMPDIR (numel_options.environment) or /tmp until numel_found_free(). Names that are shown are the URL's. */
/* A range of a remote file. The host fills the fields below `length`. */
typedef struct numel_range {
    size_t size;
    const char *url;  /* percent-encoded: hf://ORG/NAME@COMMIT/FILE, or as the user gave it */
    const char *pin;  /* the etag of an earlier range of the same file, or NULL. Another one is CHANGED */
    void *bytes;      /* room for `length` bytes */
    uint64_t offset, length;
    uint64_t got;     /* fewer than `length` only where the file ends */
    uint64_t whole;   /* bytes of the whole file, or NUMEL_NOT_KNOWN */
    char etag[208];   /* or "" */
    uint64_t came;    /* bytes that came over a network for it; NUMEL_NOT_KNOWN, as it is before the call: as many as `got` */
    uint64_t kept;    /* 1: the bytes are from a cache, else 0 */
} numel_range;
/* Fetches n ranges, of several files at once, in any order. It fails as a whole: e->file is then the URL. NETWORK; IO for
 * what does not exist; CHANGED, STOPPED. */
typedef numel_rc numel_read_fn(void *ctx, numel_range *ranges, size_t n, numel_error *);
/* A file of a remote place. */
typedef struct numel_remote_file {
    size_t size;
    const char *path;   /* from the place's root, not encoded */
    const char *sha256; /* hexadecimal, of its content as published; NULL */
    const char *etag;   /* as its ranges have it, which is git's name of a small file in a repository; NULL */
    uint64_t bytes;     /* NUMEL_NOT_KNOWN */
} numel_remote_file;
/* Receives the files of a place, and before them its commit, or NULL. False stops the listing: STOPPED. */
typedef bool numel_remote_file_fn(void *ctx, const char *commit, const numel_remote_file *);
/* Lists hf://ORG/NAME[@REVISION], or the one file of another URL (its path is then not used). NETWORK, IO. */
typedef numel_rc numel_list_fn(void *ctx, const char *url, numel_remote_file_fn *file, void *file_ctx, numel_error *);

/* How files are opened. */
typedef struct numel_options {
    size_t size;
    const numel_allocator *allocator; /* NULL: malloc() */
    numel_progress_fn *progress;
    void *progress_ctx;
    bool strict;               /* warnings count as errors */
    bool no_guard;             /* do not catch SIGBUS: the host deals with files that shrink while they are read */
    uint64_t max_header_bytes; /* safetensors; 0: 100,000,000, as in the reference reader. Compressed: twice that; 0: 512 MiB */
    /* Returns an environment variable, or NULL. HF_HUB_CACHE, OLLAMA_MODELS and HOME locate names such as "ollama:llama3.2" and
     * "org/model". If this is NULL such names are not resolved: the library reads no environment by itself. */
    const char *(*environment)(void *ctx, const char *name);
    void *environment_ctx;
    numel_read_fn *read; /* for remote paths; NULL: they are USAGE */
    numel_list_fn *list;
    void *remote_ctx; /* of both */
    const char *save; /* a folder that gets header-only copies of every remote path, as numel_heads_add() writes them; NULL */
} numel_options;
/* How tensor data is read, by the calls that read it. */
typedef struct numel_work {
    size_t size;
    unsigned threads;            /* 0: one per processor */
    numel_progress_fn *progress; /* in bytes; called from any thread, one at a time */
    void *progress_ctx;
    bool (*stop)(void *ctx); /* called between blocks; true stops the work: STOPPED */
    void *stop_ctx;
    const char *resume; /* a file that records finished files, which are skipped while unchanged; NULL: none. Remove it when
                           everything is done, or it will hide later damage on disk */
} numel_work;
/* Bit sets over the first 64 of numel_knowledge.sets: those that some model has, and those that some model lacks, as a symbol of its
 * specification or a key of its configuration; `what` is the message for the first one lacking. Initially zero except `size`. */
typedef struct numel_set_use { size_t size; uint64_t had, lacked; char what[512]; } numel_set_use;

/* What the user states beyond the files. */
typedef struct numel_knowledge {
    size_t size;
    bool declared_only; /* if nothing declares the architecture, do not search for one that fits the tensors (slow); */
    bool lone_file;     /* ... except for a single file by itself */
    bool values;        /* read data where it decides what a tensor is: a tied head and its table, if both are stored */
    bool reserved[5];
    const char *config;       /* config.json or params.json to use; NULL: the one next to the model */
    const char *architecture; /* specification to use; NULL: the one that fits the configuration */
    const char *const *specs; /* files and folders of specifications; they override built-in ones */
    size_t spec_count;
    const char *const *sets;  /* "hidden_size=4096", "E=4096" */
    size_t set_count;
    const void *config_text; /* text of a config.json, instead of a file; `config` is then its name in messages */
    size_t config_bytes;
    const char *print_as;   /* for numel_report_print(): a version of transformers, "5.2"; NULL: the newest known */
    const char *base;       /* the base model of an adapter: a path as for numel_find(); NULL: not given */
    uint64_t fit;           /* for numel_row.fits: available memory in bytes; 0: do not compute it */
    numel_set_use *set_use; /* filled in, for runs over several models; NULL: a set that a model lacks is USAGE */
} numel_knowledge;

/* ---- values ------------------------------------------------------------------------------- */
/* Frozen: n bytes of text, any bytes, no terminating NUL. */
typedef struct numel_str { const char *p; size_t n; } numel_str;
typedef enum numel_format { NUMEL_SAFETENSORS = 1, NUMEL_GGUF = 2, NUMEL_PYTORCH = 4 } numel_format;
/* An element type: `block_elements` values take `block_bytes` bytes; GGUF forks add `row_bytes` to each row. */
typedef struct numel_dtype {
    size_t size;
    const char *name;                                /* "BF16", "Q4_K"; unknown ids are "type 43" */
    uint32_t block_elements, block_bytes, row_bytes; /* block_bytes 0: size unknown (removed or unknown type) */
    int32_t gguf_id;                                 /* -1: not a GGUF type */
    uint32_t in_formats, standing;                   /* bit set of numel_format; enum numel_standing */
} numel_dtype;
enum numel_standing { NUMEL_KNOWN, NUMEL_REMOVED, NUMEL_FORK, NUMEL_UNKNOWN };

/* `bytes` is derived from the next offset, not from the type; a tensor of the same name is in an earlier file of the set. */
enum numel_tensor_flag { NUMEL_BYTES_INFERRED = 1, NUMEL_REPEATED = 2 };
typedef struct numel_tensor {
    size_t size;
    numel_str name;
    const numel_dtype *dtype;
    const uint64_t *dims;   /* outermost first in both formats; NULL when ndim is 0 */
    uint64_t elements;      /* product of dims, exact; a scalar has 1 */
    uint64_t bytes, offset; /* from the start of its file; NUMEL_NOWHERE: joined from slices in several files */
    uint32_t ndim, file;    /* of numel_file_at() */
    uint64_t flags;         /* enum numel_tensor_flag */
} numel_tensor;
typedef enum numel_data { NUMEL_DATA_PRESENT, NUMEL_DATA_PARTIAL, NUMEL_DATA_ABSENT } numel_data;
/* One file of a checkpoint. header + data + padding + gaps + trailing == present bytes unless `overlap` or `missing` is not zero; both
 * are then reported by a finding. */
typedef struct numel_file {
    size_t size;
    const char *path;
    numel_format format;
    uint32_t version;             /* GGUF 1, 2 or 3; safetensors 0 */
    bool big_endian, header_only; /* GGUF; a copy made by behead: data left out on purpose */
    bool compressed, size_known;  /* zstd, which need not state its content size */
    numel_data data;
    uint64_t bytes;                    /* of the whole file, uncompressed; for a header-only copy, of the original */
    uint64_t header_bytes, data_start; /* up to the end of the header; up to where tensor data begins */
    uint64_t data_bytes;               /* tensor data, each byte once */
    uint64_t padding, gaps;            /* bytes between header and data or between tensors, required by alignment or not */
    uint64_t overlap;                  /* bytes claimed by more than one tensor; UINT64_MAX: at least that */
    uint64_t trailing, missing;        /* bytes after the last tensor; declared bytes past the end of the file */
    uint64_t first_tensor, tensors;    /* range for numel_tensor_at() */
} numel_file;

typedef enum numel_severity { NUMEL_NOTE, NUMEL_WARNING, NUMEL_ERROR } numel_severity;
/* Levels of `numel verify`; each includes those before it. All but `hash` and `values` read only headers, small files and a few pages of
 * data. */
typedef enum numel_level {
    NUMEL_LEVEL_DEFAULT, /* the highest that needs no full read: CONFIG */
    NUMEL_LEVEL_HEADER,  /* the rules of the format, file by file */
    NUMEL_LEVEL_SIZE,    /* bytes present against bytes declared */
    NUMEL_LEVEL_INDEX,   /* files against each other and against their index */
    NUMEL_LEVEL_CONFIG,  /* tensors against configuration, tokenizer and metadata */
    NUMEL_LEVEL_HASH,    /* content against digests found on disk */
    NUMEL_LEVEL_VALUES   /* in findings only: numel_check.values requests it with any level */
} numel_level;
/* error: the format's reference reader refuses the file, or something is missing; warning: the format's specification forbids it but the
 * reference reader accepts it; note: worth knowing. */
typedef struct numel_finding {
    size_t size;
    const char *code; /* "trailing-bytes": stable, see numel.5 */
    numel_severity severity;
    numel_level level;         /* the level that finds it */
    const char *file, *tensor; /* "" if none; the tensor name is escaped */
    const char *message;
    uint64_t offset; /* NUMEL_NOWHERE if none */
} numel_finding;

/* The ways to count a model; all but the first are elements. An unknown count is NUMEL_NOT_KNOWN. */
typedef struct numel_counts {
    size_t size;
    uint64_t tensors;
    uint64_t stored;     /* sum over the shapes; a scalar is 1 */
    uint64_t logical;    /* packed values expanded, a quantizer's own tensors left out */
    uint64_t unique;     /* logical, less stored copies of tied tensors */
    uint64_t parameters; /* unique, less buffers: as counted by the unquantized model of its class */
    uint64_t buffers;
    uint64_t non_embedding; /* parameters, less embedding tables */
    uint64_t active;        /* parameters used for one token: of routed experts those it is routed to */
} numel_counts;

/* Makes untrusted text safe to show: characters that a terminal would act on, hide, or use to reorder or start a line become \n, \x1b,
 * \u202e; bytes that are not UTF-8 become \xff. Writes as many whole characters as fit into out[size], with a NUL, and returns the
 * number of bytes that the whole result needs, as snprintf() does. */
NUMEL_API size_t numel_escape(char *out, size_t size, const char *text, size_t bytes);

/* ---- paths -------------------------------------------------------------------------------- */
/* What a path names, after following links; OTHER: a FIFO, a device. */
typedef enum numel_kind { NUMEL_KIND_ABSENT, NUMEL_KIND_FILE, NUMEL_KIND_FOLDER, NUMEL_KIND_OTHER } numel_kind;
NUMEL_API numel_kind numel_path_kind(const char *path);
/* For numel_work.resume: writes to out[size] the name of a file below `folder` that depends only on these paths, not on the working
 * directory. Missing folders are created, private to the user. USAGE if it does not fit; IO, NOMEM. */
NUMEL_CALL numel_resume_place(char *out, size_t size, const char *folder, const char *const *paths, size_t count,
                              const numel_options *, numel_error *);
/* Removes that file once everything is done; a missing file is fine. */
NUMEL_API void numel_resume_remove(const char *path);

/* ---- finding ------------------------------------------------------------------------------ */
typedef struct numel_found numel_found; /* the checkpoints that a path stands for */
/* path: a file of either format, in zstd or not; a header-only copy; a shard index; any shard of a set; a directory; a Hugging Face
 * cache folder, or one repository in it; an Ollama models folder, or a manifest in it; "-", standard input, or a FIFO, of which only the
 * header is read. A directory with several checkpoints gives several. If the path does not exist and numel_options.environment is set,
 * it may be the name of a model on this disk: "org/model" and "hf:org/model[@REVISION][/FILE]", "ollama:NAME[:TAG]",
 * "lmstudio:[PUBLISHER/]MODEL"; nothing is downloaded. Any other missing path is found, and fails to open. IO, naming the places searched
 * for a name; FORMAT for a directory without checkpoints. */
NUMEL_CALL numel_find(numel_found **out, const char *path, const numel_options *, numel_error *);
NUMEL_API size_t numel_found_count(const numel_found *);
NUMEL_API const char *numel_found_path(const numel_found *, size_t i); /* i < count; for headings */
/* Number of checkpoints, from the i-th on, that are components of one model: a diffusers pipeline, a sentence-transformers folder.
 * 0: no such model begins there. */
NUMEL_API size_t numel_found_components(const numel_found *, size_t i);
NUMEL_API void numel_found_free(numel_found *);
/* Removes the private folders that programs left behind when they were killed; numel_find() of a remote path does, too. */
NUMEL_API void numel_sweep(const numel_options *);
/* Resolves a name to the file or folder that numel_find() uses; other paths are returned unchanged. Into out[size]; USAGE if it does not
 * fit, otherwise errors as numel_find(). */
NUMEL_CALL numel_locate(char *out, size_t size, const char *path, const numel_options *, numel_error *);

/* ---- a checkpoint ------------------------------------------------------------------------- */
typedef struct numel_checkpoint numel_checkpoint;
/* Opens the i-th. An unreadable file of a set is a finding as long as another can be read; if none can, the first error is returned.
 * USAGE: no such i. IO, CHANGED; FORMAT (the message says what it is: an LFS pointer, an HTML page, a zip archive); VERSION to UTF8: a
 * header that the format's reference reader refuses, with the offset. */
NUMEL_CALL numel_open(numel_checkpoint **out, const numel_found *, size_t i, const numel_options *, numel_error *);
/* Opens a file in memory, which must outlive the checkpoint. The file counts as `bytes` long. It has no folder: pass its configuration in
 * numel_knowledge.config_text. Errors as above, except IO. */
NUMEL_CALL numel_open_memory(numel_checkpoint **out, const void *p, size_t bytes, const numel_options *, numel_error *);
NUMEL_API void numel_free(numel_checkpoint *);
NUMEL_API const char *numel_path(const numel_checkpoint *); /* for headings; "" if opened from memory */
/* The *_at() return NULL past the last. Tensors are in file order. */
NUMEL_API size_t numel_file_count(const numel_checkpoint *);
NUMEL_API const numel_file *numel_file_at(const numel_checkpoint *, size_t i);
NUMEL_API size_t numel_tensor_count(const numel_checkpoint *);
/* Fills a struct of the caller's; its name and dims belong to the checkpoint. */
NUMEL_CALL numel_tensor_at(const numel_checkpoint *, size_t i, numel_tensor *out, numel_error *);
/* Index of the first tensor of that name; SIZE_MAX if none. */
NUMEL_API size_t numel_tensor_find(const numel_checkpoint *, const char *name, size_t bytes);
NUMEL_API size_t numel_finding_count(const numel_checkpoint *);
NUMEL_API const numel_finding *numel_finding_at(const numel_checkpoint *, size_t i);
/* The worst severity of all findings, after `strict` is applied; NUMEL_NOTE if there are none. */
NUMEL_API numel_severity numel_worst(const numel_checkpoint *);

/* ---- metadata ----------------------------------------------------------------------------- */
/* GGUF's value types, with its numbers; strings of safetensors' __metadata__ are NUMEL_STRING. */
typedef enum numel_type {
    NUMEL_U8, NUMEL_I8, NUMEL_U16, NUMEL_I16, NUMEL_U32, NUMEL_I32, NUMEL_F32, NUMEL_BOOL, NUMEL_STRING, NUMEL_ARRAY,
    NUMEL_U64, NUMEL_I64, NUMEL_F64
} numel_type;
/* Frozen. The type selects the member of the union. */
typedef struct numel_value {
    numel_type type; /* NUMEL_ARRAY for an entry that is an array: no member is set */
    union { uint64_t u; int64_t i; double f; numel_str s; } is; /* U8 to U64, BOOL (as stored); I8 to I64; F32, F64; STRING */
} numel_value;
/* A key and its value. */
typedef struct numel_meta {
    size_t size;
    numel_str key;
    numel_value value;
    numel_type element; /* of an array: type of its elements, NUMEL_ARRAY if they are arrays; otherwise the value's own */
    uint32_t file;      /* index for numel_file_at() */
    uint64_t count;     /* of an array: number of elements; otherwise 1 */
    uint64_t offset;    /* of the entry in its file */
} numel_meta;
/* GGUF's keys and safetensors' __metadata__, of all files, in file order. */
NUMEL_API size_t numel_meta_count(const numel_checkpoint *);
NUMEL_CALL numel_meta_at(const numel_checkpoint *, size_t i, numel_meta *out, numel_error *);
/* Copies the elements of the i-th entry, an array, out of the file. TYPE: not an array, or an array of arrays; CHANGED; SYNTAX: its
 * strings do not end where the array does. */
typedef struct numel_values numel_values;
NUMEL_CALL numel_values_open(numel_values **out, const numel_checkpoint *, size_t i, const numel_options *, numel_error *);
/* The k-th of numel_meta.count elements; a string belongs to `values`. */
NUMEL_CALL numel_values_at(const numel_values *, size_t k, numel_value *out, numel_error *);
NUMEL_API void numel_values_close(numel_values *);

/* ---- header-only copies ------------------------------------------------------------------- */
/* Writes into one directory: NAME.head.zst for each file of the added checkpoints, with their indexes and config.json, in the same
 * subfolders as below the path given to numel_find(). Nothing is written through a link below `dir`, which is borrowed. IO if a target
 * exists and !overwrite, or was written by an earlier add. *written (may be NULL) is the number of files written. */
typedef struct numel_heads numel_heads;
NUMEL_CALL numel_heads_open(numel_heads **out, const char *dir, bool overwrite, const numel_options *, numel_error *);
NUMEL_CALL numel_heads_add(numel_heads *, const numel_checkpoint *, size_t *written, numel_error *);
NUMEL_API void numel_heads_free(numel_heads *);

/* ---- a subject ---------------------------------------------------------------------------- */
/* What a path stands for: a model, several models that belong together, an adapter, a configuration. It is opened by the first call that
 * needs it, and nothing is done twice: all reports of a subject share its model, statement and judgement. That call fails with IO, SYNTAX,
 * CONFIG, SPEC or USAGE (no such architecture) if something named in `k` is unusable, and with OVERFLOW. */
typedef struct numel_subject numel_subject;
/* `path` as for numel_find(); a folder with only a configuration, or a *.json file, is that configuration; NULL: only what `k` states.
 * FORMAT if it holds several checkpoints: use numel_find(). */
NUMEL_CALL numel_subject_open(numel_subject **out, const char *path, const numel_knowledge *k, const numel_options *, numel_error *);
/* The i-th checkpoint found; if a model of several components begins there (numel_found_components()), all of them. */
NUMEL_CALL numel_subject_at(numel_subject **out, const numel_found *, size_t i, const numel_knowledge *, const numel_options *, numel_error *);
/* An open checkpoint, which must outlive the subject. */
NUMEL_CALL numel_subject_of(numel_subject **out, const numel_checkpoint *, const numel_knowledge *, const numel_options *, numel_error *);
/* The first call judges it. If its files are missing, its configuration is judged. `j` may be NULL. */
NUMEL_CALL numel_subject_judge(numel_subject *, const numel_judgement **j, numel_error *);
NUMEL_API void numel_subject_close(numel_subject *);
/* Number of models in a subject of several, in a folder or in one file; 0: it is a single model. Errors as numel_open(). */
NUMEL_CALL numel_subject_members(numel_subject *, size_t *count, numel_error *);
/* The i-th of them, as a subject of its own; close it before the one it came from. */
NUMEL_CALL numel_subject_member(numel_subject **out, numel_subject *, size_t i, numel_error *);
/* Its checkpoint, opened by the first call: errors as numel_open(). USAGE: it has none, or is a folder of several. */
NUMEL_CALL numel_subject_checkpoint(numel_subject *, const numel_checkpoint **out, numel_error *);
/* Why only its configuration was used: its files are missing. NULL otherwise. */
NUMEL_API const numel_error *numel_subject_lacks(const numel_subject *);
/* The verdict of a report. IN_PART: nothing contradicts it, but not everything could be checked: some tensors are known only by name, or
 * there is no formula, or nothing to compare with. */
typedef enum numel_verdict { NUMEL_AGREES, NUMEL_DISAGREES, NUMEL_IN_PART } numel_verdict;
/* A model as a whole; texts are NULL if they do not apply. */
typedef struct numel_facts {
    size_t size;
    numel_verdict verdict;
    numel_rc why;                           /* why there is no formula. KEY or ARCH: nothing names one; otherwise what is wrong */
    const char *why_text;                   /* that as a sentence */
    const char *architecture, *from;        /* the specification that was used; the configuration: a path, "metadata", or its name */
    const char *adapter;                    /* "lora", "ia3": not a model, nothing is expected */
    const char *expression;                 /* "2*V*E + L*(2*E + 2*H*D*E + ...) + E": parameters, in symbols */
    const char *quantization;               /* layout of most packed weights: "gptq" */
    bool inferred, reserved[7];             /* some sizes were inferred from the tensors, so they prove nothing about those */
    uint64_t formula;                       /* elements of all parameter terms; NUMEL_NOT_KNOWN without a formula */
    int64_t unexplained;                    /* unaccounted elements; 0 without a formula */
    uint64_t on_shape, on_name, on_nothing; /* tensors by their ground; see numel_ground */
    /* lengths of the lists below: numel_symbol_at() ... */
    size_t symbols, terms, expected, lines, differences, groups;
} numel_facts;
/* For a judged subject only, of a single model; the same holds for everything below. */
NUMEL_CALL numel_subject_about(const numel_subject *, numel_facts *out, numel_error *);
/* For a configuration alone only the expected parameters and buffers are known. */
NUMEL_CALL numel_subject_counts(const numel_subject *, numel_counts *out, numel_error *);
/* From here on: fills a struct of the caller's with the i-th; numel_facts has the counts. Texts and dims belong to the subject. */

/* Where a value comes from, strongest first: the specification; a configuration key; numel_knowledge.sets; a default of the class or the
 * specification, if the configuration lacks the key; the tensors, which then cannot reveal an error. */
typedef enum numel_evidence { NUMEL_CONSTANT, NUMEL_DECLARED, NUMEL_SET, NUMEL_DEFAULTED, NUMEL_INFERRED } numel_evidence;
/* A symbol of the formula: E = 4096, declared by hidden_size. */
typedef struct numel_symbol {
    size_t size;
    const char *name;
    const char *from; /* a key, "LlamaConfig.hidden_size", a glob; "" for a constant */
    int64_t value;
    numel_evidence evidence;
    uint32_t reserved;
} numel_symbol;
NUMEL_CALL numel_symbol_at(const numel_subject *, size_t i, numel_symbol *out, numel_error *);
/* The expected tensors of one role and size: each * times == total. */
typedef struct numel_term {
    size_t size;
    numel_str role;         /* "attn.q" */
    const char *expression; /* for one tensor: "H*D*E" */
    uint64_t each, times, total;
    numel_evidence evidence;
    bool buffer, reserved[3]; /* not a parameter: left out of the formula's total */
} numel_term;
NUMEL_CALL numel_term_at(const numel_subject *, size_t i, numel_term *out, numel_error *);
/* An expected tensor, in the order of a forward pass. */
typedef struct numel_expected {
    size_t size;
    numel_str name, role; /* the name as in this format */
    const uint64_t *dims; /* outermost first; NULL when ndim is 0 */
    uint64_t elements;
    int64_t layer; /* index of the innermost loop, -1 outside loops */
    uint32_t ndim;
    uint32_t tensor;   /* the stored tensor that is it, plain or packed; NUMEL_NONE: absent */
    bool buffer, tied; /* not a parameter; a second name of another tensor */
    bool counted;      /* in the formula's total */
    bool missing, reserved[4]; /* absent, but required */
} numel_expected;
NUMEL_CALL numel_expected_at(const numel_subject *, size_t i, numel_expected *out, numel_error *);
/* What an account of a tensor rests on: nothing; its name only; a line of a specification or layout that requires exactly this shape and
 * type. Only the last is proof. */
typedef enum numel_ground { NUMEL_ON_NOTHING, NUMEL_ON_NAME, NUMEL_ON_SHAPE } numel_ground;
/* A line of the statement. The elements of all lines sum to those stored. */
typedef struct numel_line {
    size_t size;
    const char *code;   /* "formula", "missing", "tied": stable, see numel.5 */
    const char *cause;  /* the same in words, which may change */
    const char *detail; /* may be "" */
    uint64_t tensors;
    int64_t elements;
    uint64_t unchecked;         /* how many of its tensors rest on their names only */
    numel_ground ground;        /* the weakest ground of its tensors */
    bool explains, reserved[3]; /* its elements are accounted for; otherwise this line is the problem */
} numel_line;
NUMEL_CALL numel_line_at(const numel_subject *, size_t i, numel_line *out, numel_error *);
/* What the i-th tensor of the checkpoint is. Every tensor has one; without a formula all rest on nothing. */
typedef struct numel_tensor_facts {
    size_t size;
    numel_str role;     /* "attn.q"; {NULL, 0}: none */
    const char *code;   /* code of its statement line; "unknown" */
    const char *kind;   /* "weight", "buffer", "quant", "tied", "unknown" */
    const char *layout; /* the layout that claims it, if packed; NULL: none */
    uint64_t logical;   /* elements it represents: 0 for scales; NUMEL_NOT_KNOWN without a formula */
    uint32_t expected;  /* index for numel_expected_at(), or NUMEL_NONE */
    numel_ground ground;
    uint32_t group, reserved; /* the leaf for numel_group_at() that represents it; NUMEL_NONE: not judged yet */
} numel_tensor_facts;
NUMEL_CALL numel_tensor_about(const numel_subject *, size_t i, numel_tensor_facts *out, numel_error *);
/* UNEXPECTED: stored, with a cause that disagrees; CONTRADICTION: between configuration, layout and shapes. */
typedef enum numel_difference_kind {
    NUMEL_MISSING, NUMEL_WRONG_SHAPE, NUMEL_WRONG_TYPE, NUMEL_UNEXPECTED, NUMEL_CONTRADICTION
} numel_difference_kind;
/* A difference between a checkpoint and what its architecture and layouts expect. */
typedef struct numel_difference {
    size_t size;
    numel_difference_kind kind;
    uint32_t tensor, expected, ndim; /* NUMEL_NONE for: tensor of MISSING; expected of UNEXPECTED, or if a layout expects it; both of CONTRADICTION */
    numel_str name;       /* of the tensor; of a contradiction: of the weight, or empty for all */
    const uint64_t *dims; /* expected dims, UINT64_MAX: any; NULL if ndim is 0 or nothing is expected */
    numel_str types;      /* expected types: "float", "I32|U32"; may be empty */
    const char *text;     /* a sentence; never NULL */
} numel_difference;
NUMEL_CALL numel_difference_at(const numel_subject *, size_t i, numel_difference *out, numel_error *);
/* A line of the folded tree of names that `numel show` prints. Lines of level 0 sum to everything stored, with or without a formula. */
typedef struct numel_group {
    size_t size;
    const char *name;                  /* relative to its parent group: "model.layers.[0-31]", "mlp.up.weight" */
    const char *types;                 /* "F16", "Q4_K+Q6_K", "5 types" */
    uint64_t repeats, times;           /* within its parent, 1: not folded; in the whole checkpoint */
    uint64_t each;                     /* elements of one of them */
    uint64_t tensors, elements, bytes; /* over all repetitions */
    uint32_t level, tensor;            /* depth; one of the tensors of a leaf, NUMEL_NONE if it is not a leaf */
} numel_group;
NUMEL_CALL numel_group_at(const numel_subject *, size_t i, numel_group *out, numel_error *);

/* ---- reports ------------------------------------------------------------------------------ */
typedef struct numel_report numel_report; /* what a command prints */
/* CSV (RFC 4180) is for lists only, JUnit XML and SARIF 2.1.0 for numel_report_outcome() only. MARKDOWN renders on GitHub and the Hub;
 * HTML is a self-contained page (numel_page puts several reports on one). */
typedef enum numel_style_format {
    NUMEL_TEXT, NUMEL_JSON, NUMEL_QUIET, NUMEL_CSV, NUMEL_JUNIT, NUMEL_SARIF, NUMEL_MARKDOWN, NUMEL_HTML
} numel_style_format;
typedef struct numel_style {
    size_t size;
    numel_style_format format;
    unsigned width; /* columns of text; 0: unlimited */
    bool color;     /* text has colours, of the terminal's 16 */
    bool bars;      /* sizes to compare have bars, where `width` is at least 100 */
    bool blocks;    /* bars consist of block characters in UTF-8, instead of '#' */
    bool reserved[5];
} numel_style;
typedef bool numel_write_fn(void *ctx, const void *p, size_t bytes); /* returning false stops the writing: IO */

/* Writes the report, as often as you like, in any style. IO if `write` returns false; USAGE for a format that the report lacks. */
NUMEL_CALL numel_report_write(const numel_report *, const numel_style *, numel_write_fn *write, void *ctx, numel_error *);
/* The same into a file, which is either complete or unchanged (IO). An existing file is replaced only if it is empty or begins as such a
 * file does, so that no model is overwritten; otherwise USAGE. Pipes and character devices are written to. */
NUMEL_CALL numel_report_save(const numel_report *, const numel_style *, const char *path, numel_error *);
NUMEL_API numel_verdict numel_report_verdict(const numel_report *);
NUMEL_API bool numel_report_stopped(const numel_report *); /* its work was stopped */
/* identify: number of unreadable paths, and of paths that are not OK. verify: number of files without a verdict. hash: number of
 * unreadable files or paths, and of other problems. Otherwise 0. Either pointer may be NULL. */
NUMEL_API void numel_report_trouble(const numel_report *, size_t *unreadable, size_t *unknown);
NUMEL_API void numel_report_free(numel_report *);
/* Checks the syntax of an expectation, "params=8.03B,arch=llama,bits=4", for numel_view.expects and numel_check.expects. A full number is
 * exact, a short one matches what rounds to it. A report disagrees if an expectation fails, and agrees at most in part if the fact is
 * unknown. USAGE: an unknown key, or a value that the key cannot have. */
NUMEL_CALL numel_expect_check(const char *text, numel_error *);
NUMEL_API const char *numel_expect_key(size_t i); /* "params", ...; NULL past the last */
/* Distance of a mistyped word from another: letters that differ, larger if one is a prefix of the other; NUMEL_FAR: not similar. */
#define NUMEL_FAR ((size_t)99)
NUMEL_API size_t numel_nearness(const char *word, const char *other);
/* The outcome of each expectation, "params: expected 8,030,261,248, found 8,030,261,249"; for tensors, of each name requested. NULL past
 * the last. */
NUMEL_API const char *numel_report_expected_at(const numel_report *, size_t i, numel_verdict *verdict);

typedef enum numel_by { NUMEL_BY_LAYER, NUMEL_BY_DTYPE, NUMEL_BY_FILE } numel_by;
typedef enum numel_sort { NUMEL_SORT_NAME, NUMEL_SORT_ELEMENTS, NUMEL_SORT_BYTES, NUMEL_SORT_OFFSET, NUMEL_SORT_DTYPE } numel_sort;
/* What a report contains. A pattern with * ? or [ is a shell glob over the whole name, whose * also matches dots and slashes; any other
 * pattern matches as a substring. */
typedef struct numel_view {
    size_t size;
    numel_by by;       /* show */
    numel_sort sort;   /* show, tensors */
    unsigned depth;    /* show: levels of the tree; 0: as deep as about 40 lines allow */
    bool all;          /* do not abbreviate lists or truncate the tree */
    bool totals;       /* show, diff: totals only, no tree and no rows */
    bool others;       /* show: what other counters would report, and why */
    const char *match; /* tensors: only names that match this or one of `matches`; in a component also with its name as prefix */
    const char *key;   /* meta: only this key */
    const char *const *matches;
    size_t match_count;
    const char *const *expects; /* show: expectations that pass numel_expect_check() */
    size_t expect_count;
    const numel_work *values; /* diff: compare values too, which reads all data; NULL: headers only */
    numel_subject *third;     /* diff, with values: compare this with the first too, and show which of the two is closer to it; or NULL */
} numel_view;

/* ---- reports of a subject, which must outlive them ---- */
/* Errors as numel_subject_judge() and numel_open(). For a subject of several models `show`, `reconcile`, `memory` and (for a folder)
 * `verify` report the whole, which agrees if everything its index promises is present and agrees; other reports require a member.
 * `formula`, `memory`, `print`, `explain` and `printout` need only a configuration. For a shard index without any shard, `show` and
 * `reconcile` use the names in the index, with shapes from the formula: the checkpoint then has no files. */

/* Summary, tree, counts; for a configuration its formula. */
NUMEL_CALL numel_report_show(numel_report **out, numel_subject *, const numel_view *, numel_error *);
/* One line per tensor; in JSON an object a line. It disagrees if a pattern matches no name. */
NUMEL_CALL numel_report_tensors(numel_report **out, numel_subject *, const numel_view *, numel_error *);
/* The statement, with the model's verdict. */
NUMEL_CALL numel_report_reconcile(numel_report **out, numel_subject *, const numel_view *, numel_error *);
/* The formula: symbols with evidence, terms, total. CONFIG, KEY, ARCH, SPEC if there is none; USAGE for an entry of k->sets that is
 * not used. */
NUMEL_CALL numel_report_formula(numel_report **out, numel_subject *, numel_error *);
/* Whose rules of memory apply. DEFAULT: llama.cpp for GGUF, otherwise transformers. */
typedef enum numel_runtime { NUMEL_RUNTIME_DEFAULT, NUMEL_RUNTIME_TRANSFORMERS, NUMEL_RUNTIME_LLAMA_CPP, NUMEL_RUNTIME_VLLM } numel_runtime;
/* What is in memory at once, and where. USAGE for a text that cannot be parsed. */
typedef struct numel_plan {
    size_t size;
    numel_runtime runtime;
    unsigned ubatch;                  /* tokens processed at once; 0: 512 */
    uint64_t context, batch;          /* tokens per sequence, 0: the model's own, else 4,096; sequences, 0: 1 */
    uint64_t source;                  /* tokens, frames or patches of an encoder, per sequence */
    uint64_t seqs;                    /* llama.cpp: sequences that share the cells; 0: as the batch */
    uint64_t fit;                     /* available bytes; 0: do not compute what fits */
    const char *kv, *load;            /* types of keys and values, "q8_0" or "q8_0,f16", and of loaded weights; NULL: the runtime's default */
    const char *devices, *offload;    /* "2x24GiB", "24GiB,16GiB", NULL: none; number of layers on them, the last ones, NULL: all */
    const char *train;                /* "adamw", "adam8bit", "lora:16"; NULL: no training */
    bool unified, swa_full, no_flash; /* llama.cpp: cells are shared; sliding windows save nothing; no flash attention */
    bool cpu_experts, reserved[4];    /* routed experts stay in CPU memory */
} numel_plan;
/* The memory it needs: weights, caches, and separately an estimate of the rest; with plan->fit whether that fits, and the longest context
 * and largest batch that do. It disagrees if it does not fit, and agrees at most in part if some of it is unknown. USAGE: a text of the
 * plan, a type whose blocks do not divide a row. */
NUMEL_CALL numel_report_memory(numel_report **out, numel_subject *, const numel_plan *, numel_error *);
/* The module tree as print(model) of Hugging Face transformers shows it. Without a print template for the architecture, classes are
 * guessed from the tensors, and the report does not agree. Errors as for the formula, for a configuration alone. */
NUMEL_CALL numel_report_print(numel_report **out, numel_subject *, numel_error *);
/* Which way of counting the model gives that number: the shortest explanation first. USAGE for the number; CONFIG, ARCH, SPEC if the
 * architecture is unknown. */
NUMEL_CALL numel_report_explain(numel_report **out, const char *number, numel_subject *, const numel_view *, numel_error *);
/* Compares two models of any format, tensor by tensor, matched by role or name: names, shapes and types, and with view->values the data.
 * It agrees if they are the same or, across formats, if conversion explains every difference; with values, if no value differs either,
 * and in part if some could not be compared. After `stop` the report has what was done so far and numel_report_stopped() is true;
 * numel_report_trouble() counts files that were unreadable or changed meanwhile. USAGE: one has no checkpoint. OVERFLOW: elements or
 * bytes do not fit in 63 bits. */
NUMEL_CALL numel_report_diff(numel_report **out, numel_subject *a, numel_subject *b, const numel_view *, numel_error *);
/* Which checkpoints below a folder are most similar: by names and shapes, with `values` also by the first bytes of a few tensors. Best
 * first; it agrees if one shares half of the elements in names and shapes. numel_report_trouble() counts what could not be read. IO,
 * FORMAT for the folder; OVERFLOW. */
NUMEL_CALL numel_report_nearest(numel_report **out, numel_subject *, const char *folder, bool values, const numel_view *, numel_error *);

/* A printed model: output of print(model), a torchinfo table, a forum thread that quotes one. */
typedef struct numel_printout {
    size_t size;
    const char *name; /* for headings: a path, "standard input"; NULL: "a printout" */
    const void *text; /* at most 64 MiB */
    size_t bytes;
} numel_printout;
/* Compares the models printed in a text, module by module, with a model; or reports them alone (NULL). FORMAT if the text has no printed
 * model; LIMIT, OVERFLOW if its numbers are impossible; CONFIG if a configuration alone gives no formula. It agrees if everything that can
 * be counted matches and nothing was cut off. `options`: its allocator, for a printout alone. */
NUMEL_CALL numel_report_printout(numel_report **out, numel_subject *, const numel_printout *, const numel_view *,
                                 const numel_options *, numel_error *);
/* Reads a file or pipe into a printout of the caller's, whose name is `path`, borrowed. FORMAT if it is not text or has no printed model;
 * IO; LIMIT for a pipe (for a file the report gives it). numel_printout_unload() frees the text, with the same options. */
NUMEL_CALL numel_printout_load(numel_printout *out, const char *path, const numel_options *, numel_error *);
NUMEL_API void numel_printout_unload(numel_printout *, const numel_options *);

/* ---- reports of files ---- */
/* The metadata of the files and of the config.json next to them. USAGE: no such view->key. */
NUMEL_CALL numel_report_meta(numel_report **out, numel_subject *, const numel_view *, numel_error *);
/* One line per path: what it is. A directory stands for all files below it. Bad files do not make it fail: numel_report_trouble() counts
 * them. */
NUMEL_CALL numel_report_identify(numel_report **out, const char *const *paths, size_t n, const numel_options *, numel_error *);
/* What verify checks. */
typedef struct numel_check {
    size_t size;
    numel_level level;
    bool all;                   /* list every finding in text */
    bool values;                /* count NaN and infinite weights; reads all data */
    const char *manifest;       /* from numel_report_hash(), or another list of digests; makes HASH the default level */
    const numel_work *work;     /* how data is read; may be NULL */
    const char *const *expects; /* expectations that pass numel_expect_check() */
    size_t expect_count;
    const char *against; /* a remote path: the published files, whose list of sizes and digests numel_options.list gives; makes HASH the
                            default level. NULL: none */
} numel_check;
/* Is it complete, and is it what it claims to be? Opens the files itself, as far as they can be read: a file that numel_open() refuses has
 * its findings here too. For a folder of several models: is everything there that its index promises? Members have their own reports. It
 * disagrees if there is an error (with options->strict, a warning), and agrees in part if something could not be checked and the level
 * CONFIG or options->strict was given. numel_report_trouble() counts files without a verdict: changed meanwhile, or not a checkpoint.
 * USAGE: the subject was not opened by path; IO if a path that is not a set cannot be opened. */
NUMEL_CALL numel_report_verify(numel_report **out, numel_subject *, const numel_check *, numel_error *);
/* Collects many reports of verify: their grand total, and all results for CI systems. */
typedef struct numel_outcome numel_outcome;
/* results: keep every result; otherwise only totals. */
NUMEL_CALL numel_outcome_open(numel_outcome **out, bool results, const numel_options *, numel_error *);
/* Adds a report of numel_report_verify(), or of numel_report_error() for a path that could not be verified; it may be freed afterwards.
 * USAGE for any other. */
NUMEL_CALL numel_outcome_add(numel_outcome *, const numel_report *, numel_error *);
/* Checkpoints by verdict, findings by severity, bytes; as NUMEL_JUNIT or NUMEL_SARIF all results. It disagrees if any of them does. The
 * outcome must outlive it. */
NUMEL_CALL numel_report_outcome(numel_report **out, const numel_outcome *, numel_error *);
NUMEL_API void numel_outcome_close(numel_outcome *);
/* Several reports on one page of HTML. */
typedef struct numel_page numel_page;
/* path: where it will be saved, or NULL. USAGE: a file that exists and is not such a page, or a place inside one of the n inputs, inside
 * a model's folder, or inside the cache of a program that keeps models. */
NUMEL_CALL numel_page_open(numel_page **out, const char *path, const char *const *inputs, size_t n, const numel_options *, numel_error *);
/* Adds a report, which may be freed afterwards. more: it has the same subject as the previous one, and goes below it. */
NUMEL_CALL numel_page_add(numel_page *, const numel_report *, bool more, numel_error *);
NUMEL_API size_t numel_page_count(const numel_page *); /* number of reports */
NUMEL_CALL numel_page_write(const numel_page *, numel_write_fn *write, void *ctx, numel_error *);
/* Saves it at its path, as numel_report_save(). */
NUMEL_CALL numel_page_save(const numel_page *, numel_error *);
NUMEL_API void numel_page_close(numel_page *);
/* What numel_report_hash() leaves out. */
typedef struct numel_hashing {
    size_t size;
    bool files_only, tensors_only, reserved[6]; /* no digests of tensors and models; no digests of files */
} numel_hashing;
/* The manifest of n paths: SHA-256 of each file (for a directory, also of files next to the checkpoint), of each tensor's bytes, and of
 * each checkpoint as a whole; numel.5 has the format. Reads all data. Unreadable files are listed in the report and counted by
 * numel_report_trouble(). After `stop` the report has what was done so far and numel_report_stopped() is true. */
NUMEL_CALL numel_report_hash(numel_report **out, const char *const *paths, size_t n, const numel_hashing *,
                             const numel_options *, const numel_work *, numel_error *);

/* ---- many checkpoints ---- */
/* A line of a list: a checkpoint, or a path that could not be read. Texts belong to the list. */
typedef struct numel_row {
    size_t size;
    const char *path, *name;           /* unescaped; the name is the path below the one listed, without model.safetensors */
    const numel_error *error;          /* NULL: it could be read. Otherwise everything below but the id is 0 */
    const char *format, *architecture; /* "safetensors", "gguf"; as its files call it, NULL: not stated */
    const char *adapter, *dtype;       /* "lora": an adapter, not a model; type of most elements: "BF16"; NULL: none */
    const char *method, *quantization; /* "gptq"; short form: "gptq-4bit", "Q4_K_M"; NULL: none */
    const char *quantization_name;     /* as people write it: "GPTQ 4-bit, group 128"; NULL: none */
    const char *bits_per_weight;       /* "4.15": of the packed weights; NULL: none or unknown */
    uint64_t bits, whole;              /* bits of a packed weight, 0: mixed; hundredths of a bit per weight, over everything stored */
    uint64_t tensors, stored;          /* as numel_counts */
    uint64_t parameters, context_length;
    uint64_t bytes, files;     /* of the weights, as numel_file.bytes; number of its files present */
    uint64_t disk;             /* space on disk: less if compressed */
    uint64_t repeated, shared; /* part of `disk` and `files` that earlier rows share through links */
    uint64_t id;               /* of its first file, whatever link it was reached by; the same in every run */
    numel_state state;
    uint32_t searched;     /* 1: no declared architecture; one was searched for (numel_listing.deep) */
    const char *judgement; /* as JSON, the object that every document has; NULL: not judged */
    const char *fits;      /* numel_knowledge.fit: "yes", "no", "up to 41k" (tokens, less than the model's context), "not known"; NULL */
    uint64_t modified, accessed; /* latest times of its files, seconds since 1970; 0: unknown */
    uint64_t rank;               /* of an adapter, the largest of its modules; 0: none */
    const char *family, *base;   /* of an adapter: what it fits; the base that it or a model's configuration or metadata names; NULL */
    const char *called;          /* its own name in its metadata, general.name; NULL: none */
    uint64_t layers;             /* as its configuration or metadata states; 0: unknown */
    const char *class_name;      /* "LlamaForCausalLM", which shows the head; NULL: unknown, or no more than `architecture` */
    const char *remote;          /* as JSON: the URL and what was fetched; NULL: on this disk */
} numel_row;
/* Receives a row, from any thread, one at a time, in name order; the row is gone when the call returns. Return false to stop: STOPPED. */
typedef bool numel_row_fn(void *ctx, const numel_row *);
/* What to list, and how. */
typedef struct numel_listing {
    size_t size;
    numel_row_fn *row; /* must not be NULL */
    void *row_ctx;
    const numel_knowledge *knowledge; /* declared_only is implied unless `deep`. May be NULL */
    unsigned threads;                 /* 0: one per processor. With more than one the allocator is called concurrently */
    uint32_t shard, shards;           /* only rows of part `shard` (1 to `shards`), divided by id: each row is in one part; 0: all */
    bool appends;                     /* standard output may be the `resume` file: an incomplete last line is removed from it */
    bool full_names;                  /* numel_row.name is the path as found, for several listed paths */
    bool kept, deep; /* keep rows until the end, for numel_report_rows(); search for undeclared architectures */
    const char *resume; /* JSON lines of an earlier run: rows are reused unless their size on disk changed; NULL */
    const char *sort;   /* a column to sort by, texts ascending, numbers descending (implies kept); NULL: as found */
    const char *folder; /* for rows beyond `memory`, in an unnamed file; NULL: "/tmp" */
    uint64_t memory;    /* bytes; 0: 16 MiB */
    uint64_t top;       /* only so many rows, after sorting (implies kept); totals are over all; 0: no limit */
    uint64_t since;     /* only checkpoints of which a file changed since then, in seconds since 1970; 0: all */
    bool reverse, reserved[7]; /* the reverse of `sort`; unknown values stay last */
    const char *cache;         /* a file of rows for checkpoints that have not changed; written at the end; NULL: none. Takes a few KiB of
                                  memory a row. Not used if `knowledge` names files. USAGE for a file that is not a cache */
    numel_error *cache_error;  /* set if the cache was ignored as damaged, or could not be written; may be NULL */
} numel_listing;
/* Sums over rows. A file shared by several rows through links counts once. */
typedef struct numel_totals {
    size_t size;
    uint64_t checkpoints, files, bytes, disk;
    uint64_t parameters, stored, unknown; /* of rows where known; elements of the other rows, and how many those are */
    uint64_t failed, found;               /* errors; damaged or incomplete checkpoints */
    uint64_t links, resumed;              /* checkpoints skipped because their files are in rows already; rows reused from an earlier run */
} numel_totals;
/* Lists paths as they come: folders to any depth, one folder at a time, in memory that grows by 16 bytes per file. An unreadable
 * checkpoint is a row with an error, and the listing continues. IO, FORMAT, USAGE for `resume`. */
typedef struct numel_list numel_list;
NUMEL_CALL numel_list_open(numel_list **out, const numel_listing *, const numel_options *, numel_error *);
/* Lists the checkpoints of a path; rows may arrive later. STOPPED: the row function returned false. */
NUMEL_CALL numel_list_path(numel_list *, const char *path, numel_error *);
/* Lists each path in a file, one per line or (zero) NUL-terminated; "-" is standard input. IO, STOPPED. */
NUMEL_CALL numel_list_from(numel_list *, const char *file, bool zero, numel_error *);
/* Waits for all rows. Afterwards the list accepts no more paths. STOPPED. */
NUMEL_CALL numel_list_end(numel_list *, numel_totals *out, numel_error *);
NUMEL_API void numel_list_free(numel_list *); /* rows not delivered yet are dropped */
/* How rows are printed. */
typedef struct numel_columns {
    size_t size;
    const char *columns;        /* "name,bytes,verdict"; NULL: the format's default. USAGE for an unknown one */
    bool headless, reserved[7]; /* CSV: without the line of names */
} numel_columns;
/* One row: a line of JSON or CSV; NUMEL_QUIET: its path. */
NUMEL_CALL numel_report_row(numel_report **out, const numel_row *, const numel_columns *, const numel_options *, numel_error *);
/* All rows that a list kept, as a table with totals (may be NULL). The list must outlive the report. With totals, after a list whose
 * `knowledge` has `fit`: also the models in ComfyUI's folders, each with what it reads. */
NUMEL_CALL numel_report_rows(numel_report **out, numel_list *, const numel_totals *, const numel_columns *, const numel_options *, numel_error *);

/* What the checkpoints below the paths come to, by folders down to `depth` levels (0: only the paths), each with all that is below it.
 * A file that several share through links counts once. Of the listing `row` receives only the rows with an error, `sort`, `top` and
 * `kept` do not count. NUMEL_QUIET: the bytes on disk. */
NUMEL_CALL numel_report_folders(numel_report **out, const char *const *paths, size_t n, unsigned depth, const numel_listing *,
                                numel_totals *, const numel_options *, numel_error *);

/* The memory of a graphics card by its name ("rtx4090", "A100 80GB"), from the built-in table. USAGE, with similar names. */
NUMEL_CALL numel_card_bytes(const char *name, uint64_t *bytes, numel_error *);
/* The memory of this machine's cards, as Linux tells it below `root` ("/"): the largest of one card, else, with *ram, the main memory.
 * what[size] says whose it is. IO: nothing is known. */
NUMEL_CALL numel_card_here(const char *root, uint64_t *bytes, bool *ram, char *what, size_t size, numel_error *);

/* Files in folders of any depth that are not part of a model: parts of downloads, blobs that nothing points to, revisions without a ref, Git
 * LFS pointers, empty folders. Nothing is deleted. NUMEL_QUIET: the paths of files that nothing uses, each ended by a newline and
 * escaped, or (zero) by a NUL. Links from outside the paths are not seen. IO: one of the paths cannot be listed. */
NUMEL_CALL numel_report_leftovers(numel_report **out, const char *const *paths, size_t n, bool zero, const numel_options *,
                                  numel_error *);

/* Files of checkpoints that have the same bytes: same size and same samples, or (hash) the same SHA-256; which of them are links
 * and take no space; what could be saved. Then checkpoints of one architecture and number of parameters, whose values are not
 * compared. NUMEL_QUIET: the bytes that could be saved. IO for samples; a path that cannot be read is counted. */
NUMEL_CALL numel_report_duplicates(numel_report **out, const char *const *paths, size_t n, bool hash, const numel_options *,
                                   numel_error *);

/* An error as a report: {"path": ..., "error": {"code": ..., "offset": ..., "message": ...}}. */
NUMEL_CALL numel_report_error(numel_report **out, const char *path, const numel_error *what, const numel_options *, numel_error *);

/* ---- reports of specifications; numbers ---- */
/* The known architectures, or (name) the text of one. ARCH: no such name; IO, SPEC: from k->specs. */
NUMEL_CALL numel_report_specs(numel_report **out, const numel_knowledge *k, const char *name, const numel_options *, numel_error *);
/* The known layouts: how quantizers store weights. */
NUMEL_CALL numel_report_layouts(numel_report **out, const numel_knowledge *k, const numel_options *, numel_error *);
/* The complaints about n files of specifications, or if n is 0 about the built-in ones; it agrees if there are none. */
NUMEL_CALL numel_report_lint(numel_report **out, const char *const *files, size_t n, const numel_options *, numel_error *);
/* A number as people write it: 6738415616, 6,738,415,616, 6738.4M, 7B, "6.74 billion". Sets *value, and [*low, *high), the numbers that
 * round to it; those two may be NULL. USAGE if it is not a number. */
NUMEL_CALL numel_claim(const char *text, uint64_t *value, uint64_t *low, uint64_t *high, numel_error *);

#ifdef __cplusplus
} /* extern "C" */

template <class T> inline T numel_init()
{
    T t = T();
    t.size = sizeof t;
    return t;
}
#endif
#endif

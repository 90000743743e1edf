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
 * Behind them: numel_find() and numel_subject_at() where a path stands for many; a checkpoint by its tensors, files, metadata
 * and findings; a model by its symbols, terms, expected tensors and the lines of its statement; what the commands print.
 *
 * Ownership   A function that fills a `**out` gives it to the caller, who frees it with the matching *_free() or
 *             *_close(); these take NULL. What is `const` belongs to the object it came from and dies with it.
 * Borrowing   found <- checkpoint <- subject <- report: an object looks into those it was made from, which must outlive it.
 *             Texts and lists that are passed in are copied or done with when the call returns, unless said otherwise.
 * NULL        A pointer to a struct of options may be NULL: all defaults. So may the last numel_error *, what is said to,
 *             and what *_free() takes. No other pointer may.
 * Errors      What can fail returns numel_rc and fills the numel_error. On failure *out is NULL. Any function may fail with
 *             NOMEM, and with USAGE for a struct of options that is not one (see NUMEL_INIT) or an index that is out of
 *             range; the other codes are named with each. No error is kept anywhere.
 * Findings    "Could not read it" is an error. "Read it, and it disagrees" is a finding: the checkpoint opens, is counted,
 *             and carries a list of findings.
 * Text        numel_str may hold any byte. Text from a file is untrusted: escape it (numel_escape()) before it is shown.
 *             Paths, names and metadata are as they are; messages, reports, and every other `const char *` are escaped.
 * Threads     Distinct objects may be used by distinct threads at once. An open checkpoint is read-only and may be shared;
 *             a subject, with the reports made of it, is for one thread at a time.
 * Memory      comes from numel_options.allocator, but for JSON documents (cJSON_InitHooks() belongs to the process), the
 *             state of libzstd and libcrypto, threads, and what the C library keeps for an open folder. libcrypto is loaded
 *             when the first digest is made (IO where it is not there), unless it was linked, and stays loaded.
 * Signals     Headers are mapped. While those of a checkpoint are read SIGBUS is caught, so that a file that shrinks becomes
 *             CHANGED instead of the end of the process; then the process has its own action again. With
 *             numel_options.no_guard nothing is.
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
/* What can fail: to leave its result out of account is a warning. */
#define NUMEL_CALL NUMEL_MUST NUMEL_API numel_rc
NUMEL_API const char *numel_version(void); /* "0.3.0", of the library that is linked */

/* ---- errors ------------------------------------------------------------------------------- */
/* One list: names, pinned values, texts. Append with the next number of a family; never reuse. */
#define NUMEL_ERRORS(X) \
    X(NOMEM, 1, "out of memory")                    X(USAGE, 2, "bad argument") \
    X(STOPPED, 3, "stopped on request")             X(IO, 10, "cannot read or write") \
    X(CHANGED, 11, "file changed while being read") X(FORMAT, 20, "not a known checkpoint format") \
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
#define NUMEL_NOWHERE UINT64_MAX /* an offset, when no byte is to blame */
/* A plain value: copy it, keep it, there is nothing to free. Frozen: it will not grow, and needs no initialiser. */
typedef struct numel_error {
    numel_rc code;
    uint64_t offset; /* first byte at fault, from the start of the file, or NUMEL_NOWHERE */
    char file[512];  /* the path as given or found, as it is; may be "" */
    char what[512];  /* one sentence: "tensor 'a': data_offsets end at 96, its shape needs 64" */
} numel_error;
NUMEL_API const char *numel_rc_name(numel_rc code); /* "TRUNCATED": stable, for programs */
NUMEL_API const char *numel_rc_text(numel_rc code); /* "file ends too early": for people */

/* ---- structs that may grow ---------------------------------------------------------------- */
/* Structs of options and of results begin with `size`, and later versions append fields to them: a program that was compiled with this
 * header runs with a later 0.x library of the same soname. What is called reserved must be 0. options              `numel_view view =
 * NUMEL_INIT(numel_view);`, or in C `{ .size = sizeof(numel_view), .all = true }`: all else is 0, its default. USAGE for a size that
 * cannot be, or a field that the library is too old to know. results, filled      NUMEL_INIT before the call; after it `size` says how
 * many bytes were filled, the rest is 0. results, handed out  `size` says how many bytes of the struct are there. */
#ifdef __cplusplus
#define NUMEL_INIT(type) numel_init<type>()
#else
#define NUMEL_INIT(type) { .size = sizeof(type) }
#endif

#define NUMEL_NOT_KNOWN UINT64_MAX /* a count that cannot be had: never a guess */
#define NUMEL_NONE UINT32_MAX      /* a number of a tensor, a row or a file, when there is none */

/* ---- the judgement ------------------------------------------------------------------------ */
/* What a path stands for. PIPELINE: a folder of several models that are one; SEVERAL: several models in one file; TRAINING: optimizer
 * states without weights; VOCABULARY: a GGUF of a tokenizer alone; PROJECTOR: of llama.cpp, what leads pictures or sound into a model. */
typedef enum numel_subject_kind {
    NUMEL_IS_MODEL, NUMEL_IS_PIPELINE, NUMEL_IS_SEVERAL, NUMEL_IS_ADAPTER, NUMEL_IS_CONFIGURATION, NUMEL_IS_TRAINING,
    NUMEL_IS_VOCABULARY, NUMEL_IS_IMATRIX, NUMEL_IS_PROJECTOR
} numel_subject_kind;
NUMEL_API const char *numel_subject_kind_name(numel_subject_kind); /* "model", "several models": stable, for programs */
/* What it comes to, in a word. Later ones are worse. */
typedef enum numel_state {
    NUMEL_STATE_UNKNOWN,                          /* nothing states what it should hold */
    NUMEL_STATE_AGREES,                           /* every tensor is expected, with its shape, and none is missing */
    NUMEL_STATE_IN_PART,                          /* nothing is wrong, and not everything could be checked */
    NUMEL_STATE_DISAGREES,
    NUMEL_STATE_INCOMPLETE, NUMEL_STATE_DAMAGED   /* bytes or files are missing; the format's rules are broken */
} numel_state;
NUMEL_API const char *numel_state_name(numel_state);
/* Why a verdict is not `agrees`. Frozen. */
typedef struct numel_cause {
    const char *code;  /* for programs: numel(5), CAUSES */
    const char *text;  /* a sentence with the key, both values and what to do */
    uint64_t explains; /* differences and findings that follow from it; 0: not counted */
    numel_state state; /* what the verdict is at least */
} numel_cause;

/* What a path stands for, and what it comes to: every command prints the same. Handed out. */
typedef struct numel_judgement {
    size_t size;
    numel_subject_kind kind;
    numel_state verdict;
    const char *architecture;  /* as its files call it, as it is; NULL: unknown */
    const char *name;          /* its class or product; NULL: unknown */
    const char *known_by;      /* "configuration", "metadata", "names and shapes", "the user"; NULL: unknown */
    const numel_cause *causes; /* the truest first */
    size_t cause_count;
} numel_judgement;

/* ---- options ------------------------------------------------------------------------------ */
/* Frozen: two pointers. resize(ctx, NULL, n) allocates, resize(ctx, p, 0) frees and returns NULL, else it reallocates. NULL for n > 0
 * becomes NOMEM. The struct is borrowed for as long as what it allocated. */
typedef struct numel_allocator {
    void *(*resize)(void *ctx, void *old, size_t bytes);
    void *ctx;
} numel_allocator;

/* Called between files; `total` may grow while shards are being found. */
typedef void numel_progress_fn(void *ctx, uint64_t done, uint64_t total, const char *what);
/* How files are opened. */
typedef struct numel_options {
    size_t size;
    const numel_allocator *allocator; /* NULL: malloc() */
    numel_progress_fn *progress;
    void *progress_ctx;
    bool strict;               /* warnings count as errors */
    bool no_guard;             /* do not catch SIGBUS: a file that shrinks while its header is read is the host's to deal with */
    uint64_t max_header_bytes; /* of safetensors; 0: 100,000,000, as its reference reader. Compressed: twice that; 0: 512 MiB */
    /* A variable of the user's environment, or NULL: HF_HUB_CACHE, OLLAMA_MODELS, HOME say where names such as "ollama:llama3.2"
     * and "org/model" lead. NULL: the library asks no environment by itself, and such names lead nowhere. */
    const char *(*environment)(void *ctx, const char *name);
    void *environment_ctx;
} numel_options;
/* How the data itself is read, by the calls that do. */
typedef struct numel_work {
    size_t size;
    unsigned threads;            /* 0: as many as there are processors */
    numel_progress_fn *progress; /* in bytes; from any of the threads, one at a time */
    void *progress_ctx;
    bool (*stop)(void *ctx); /* asked between blocks; true ends the work: STOPPED */
    void *stop_ctx;
    const char *resume; /* a file where each file that is done is noted, and not done again while it is unchanged; NULL: none.
                           Remove it when all is done, else it hides what happens to a disk */
} numel_work;
/* Which of the first 64 of numel_knowledge.sets (a bit each) some model had and some model lacked, as a symbol of its specification or a key of
 * its configuration; `what` says so of the first. All zero but `size` to begin with. */
typedef struct numel_set_use { size_t size; uint64_t had, lacked; char what[512]; } numel_set_use;

/* What the user knows besides the files. */
typedef struct numel_knowledge {
    size_t size;
    bool declared_only; /* where nothing declares the architecture, do not try them all on the tensors, which takes its time; */
    bool lone_file;     /* ... but do on a single file by itself */
    bool values;        /* read the data where it decides what a tensor is: a tied head and its table whole, if both are stored */
    bool reserved[5];
    const char *config;       /* config.json or params.json to use; NULL: the one beside the model */
    const char *architecture; /* specification to use; NULL: the one that fits the configuration */
    const char *const *specs; /* files and folders of specifications, before the built-in ones */
    size_t spec_count;
    const char *const *sets;  /* "hidden_size=4096", "E=4096" */
    size_t set_count;
    const void *config_text; /* the text of a config.json in place of a file; `config` is then its name in messages */
    size_t config_bytes;
    const char *print_as;   /* for numel_report_print(): a version of transformers, "5.2"; NULL: the newest that is known */
    const char *base;       /* the model that an adapter was made for: a path as for numel_find(); NULL: not said */
    uint64_t fit;           /* for numel_row.fits: the memory that there is, in bytes; 0: not asked for */
    numel_set_use *set_use; /* filled, for who asks several models; NULL: a set that a model lacks is USAGE */
} numel_knowledge;

/* ---- values ------------------------------------------------------------------------------- */
/* Frozen: text of n bytes, any bytes, without a NUL behind it. */
typedef struct numel_str { const char *p; size_t n; } numel_str;
typedef enum numel_format { NUMEL_SAFETENSORS = 1, NUMEL_GGUF = 2 } numel_format;
/* An element type: `block_elements` values take `block_bytes` bytes; GGUF forks add `row_bytes` to each row. */
typedef struct numel_dtype {
    size_t size;
    const char *name;                                /* "BF16", "Q4_K"; unknown ids are "type 43" */
    uint32_t block_elements, block_bytes, row_bytes; /* block_bytes 0: size unknown (removed or never heard of) */
    int32_t gguf_id;                                 /* -1: not a GGUF type */
    uint32_t in_formats, standing;                   /* bit set of numel_format; enum numel_standing */
} numel_dtype;
enum numel_standing { NUMEL_KNOWN, NUMEL_REMOVED, NUMEL_FORK, NUMEL_UNKNOWN };

/* `bytes` comes from the next offset, not from the type; a second tensor of this name, in another file of the set. */
enum numel_tensor_flag { NUMEL_BYTES_INFERRED = 1, NUMEL_REPEATED = 2 };
typedef struct numel_tensor {
    size_t size;
    numel_str name;
    const numel_dtype *dtype;
    const uint64_t *dims;   /* outermost first in both formats; NULL when ndim is 0 */
    uint64_t elements;      /* product of dims, exact; a scalar has 1 */
    uint64_t bytes, offset; /* from the start of its file; NUMEL_NOWHERE: slices in several files are joined in it */
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
    bool big_endian, header_only; /* GGUF; a copy made by behead: the rest was left out on purpose */
    bool compressed, size_known;  /* zstd, which may not state its content size */
    numel_data data;
    uint64_t bytes;                    /* of the whole file, uncompressed; of a header-only copy, the original's */
    uint64_t header_bytes, data_start; /* up to the end of the header; up to where tensor data begins */
    uint64_t data_bytes;               /* tensor data, each byte once */
    uint64_t padding, gaps;            /* between header and data, and between tensors, as alignment asks, and as it does not */
    uint64_t overlap;                  /* bytes claimed by more than one tensor; UINT64_MAX: or more */
    uint64_t trailing, missing;        /* bytes after the last tensor; declared bytes past the end of the file */
    uint64_t first_tensor, tensors;    /* range for numel_tensor_at() */
} numel_file;

typedef enum numel_severity { NUMEL_NOTE, NUMEL_WARNING, NUMEL_ERROR } numel_severity;
/* What `numel verify` looks at, each level after those before it. All but the last read no more than headers, small files, and a few
 * pages of the data. */
typedef enum numel_level {
    NUMEL_LEVEL_DEFAULT, /* the highest that needs no full read: config */
    NUMEL_LEVEL_HEADER,  /* the rules of the format, file by file */
    NUMEL_LEVEL_SIZE,    /* bytes present against bytes declared */
    NUMEL_LEVEL_INDEX,   /* files against each other and against their index */
    NUMEL_LEVEL_CONFIG,  /* tensors against configuration, tokenizer and metadata */
    NUMEL_LEVEL_HASH,    /* content against digests that are on disk already */
    NUMEL_LEVEL_VALUES   /* of findings only: numel_check.values asks for it, beside any level */
} numel_level;
/* error: the reference reader of the format refuses the file, or something is missing. warning: the format's text forbids it and the
 * reference accepts it. note: worth knowing. */
typedef struct numel_finding {
    size_t size;
    const char *code; /* "trailing-bytes": stable, see numel.5 */
    numel_severity severity;
    numel_level level;         /* the one that finds it */
    const char *file, *tensor; /* "" when none; the tensor escaped */
    const char *message;
    uint64_t offset; /* NUMEL_NOWHERE when none */
} numel_finding;

/* The ways of counting a model; all but the first are elements. What is not known is NUMEL_NOT_KNOWN. */
typedef struct numel_counts {
    size_t size;
    uint64_t tensors;
    uint64_t stored;     /* sum over the shapes; a scalar is 1 */
    uint64_t logical;    /* packed values expanded, what a quantizer wrote beside them left out */
    uint64_t unique;     /* logical, less stored copies of tied tensors */
    uint64_t parameters; /* unique, less buffers: as the unquantized model of its class would count */
    uint64_t buffers;
    uint64_t non_embedding; /* parameters, less the tables of embeddings */
    uint64_t active;        /* with as many of the routed experts as a token passes */
} numel_counts;

/* Text that others wrote, as it may be shown: what a terminal would act on, hide, or use to reorder or to begin a line becomes \n, \x1b,
 * \u202e, a byte that is not UTF-8 \xff; all else stays. Into out[size] with a NUL, whole characters, as many as there is room for;
 * returns the bytes that all of it needs, as snprintf() does. */
NUMEL_API size_t numel_escape(char *out, size_t size, const char *text, size_t bytes);

/* ---- paths -------------------------------------------------------------------------------- */
/* What a path names now, links followed; OTHER: a FIFO, a device. */
typedef enum numel_kind { NUMEL_KIND_ABSENT, NUMEL_KIND_FILE, NUMEL_KIND_FOLDER, NUMEL_KIND_OTHER } numel_kind;
NUMEL_API numel_kind numel_path_kind(const char *path);
/* For numel_work.resume: the file below `folder` that belongs to work on these paths, the same one from wherever the program is run,
 * into out[size]. Folders are made, for their owner alone. USAGE when it does not fit, IO, NOMEM. */
NUMEL_CALL numel_resume_place(char *out, size_t size, const char *folder, const char *const *paths, size_t count,
                              const numel_options *, numel_error *);
/* All is done: the file goes. That there is none is fine. */
NUMEL_API void numel_resume_remove(const char *path);

/* ---- finding ------------------------------------------------------------------------------ */
typedef struct numel_found numel_found; /* the checkpoints that a path stands for */
/* path: a file of either format, in zstd or not; a header-only copy; a shard index; any shard of a set; a directory; a Hugging Face
 * cache folder, or one repository in it; a models folder of Ollama, or a manifest in it; "-", standard input, or a FIFO, of which the
 * header is read. A directory that holds several checkpoints gives several. Where there is no such path, and numel_options.environment
 * is set, a name of a model that lies on this disk: "org/model" and "hf:org/model[@REVISION][/FILE]", "ollama:NAME[:TAG]",
 * "lmstudio:[PUBLISHER/]MODEL"; nothing is ever downloaded. Any other path that is not there is found, and fails to open. IO, which says
 * where a name was looked for; FORMAT for a directory without any. */
NUMEL_CALL numel_find(numel_found **out, const char *path, const numel_options *, numel_error *);
NUMEL_API size_t numel_found_count(const numel_found *);
NUMEL_API const char *numel_found_path(const numel_found *, size_t i); /* i < count; for headings */
/* How many checkpoints, the i-th and those behind it, are components of one model: a diffusers pipeline, a folder of
 * sentence-transformers. 0: no such model begins there. */
NUMEL_API size_t numel_found_components(const numel_found *, size_t i);
NUMEL_API void numel_found_free(numel_found *);
/* Where a name leads: the file or folder that numel_find() takes it for; any other path as it is. Into out[size]; USAGE when it does not
 * fit, else as numel_find(). */
NUMEL_CALL numel_locate(char *out, size_t size, const char *path, const numel_options *, numel_error *);

/* ---- a checkpoint ------------------------------------------------------------------------- */
typedef struct numel_checkpoint numel_checkpoint;
/* Opens the i-th. A file of a set that cannot be read becomes a finding while others can; when none can, the error of the first is the
 * error of all. USAGE: no such i. IO, CHANGED; FORMAT (what it is instead is said: an LFS pointer, an HTML page, a zip archive); VERSION
 * to UTF8: a header that its format's reference reader refuses, with the offset. */
NUMEL_CALL numel_open(numel_checkpoint **out, const numel_found *, size_t i, const numel_options *, numel_error *);
/* One file's bytes, which must outlive the checkpoint. `bytes` is what is there: the file counts as that long. There is no folder beside
 * it: see numel_knowledge.config_text. Errors as above, but IO. */
NUMEL_CALL numel_open_memory(numel_checkpoint **out, const void *p, size_t bytes, const numel_options *, numel_error *);
NUMEL_API void numel_free(numel_checkpoint *);
NUMEL_API const char *numel_path(const numel_checkpoint *); /* for headings; "" of memory */
/* The *_at() are NULL past the last. Tensors are in the order of their files. */
NUMEL_API size_t numel_file_count(const numel_checkpoint *);
NUMEL_API const numel_file *numel_file_at(const numel_checkpoint *, size_t i);
NUMEL_API size_t numel_tensor_count(const numel_checkpoint *);
/* The i-th into a struct of the caller's; its name and dims belong to the checkpoint. */
NUMEL_CALL numel_tensor_at(const numel_checkpoint *, size_t i, numel_tensor *out, numel_error *);
/* The index of the first of that name; SIZE_MAX: there is none. */
NUMEL_API size_t numel_tensor_find(const numel_checkpoint *, const char *name, size_t bytes);
NUMEL_API size_t numel_finding_count(const numel_checkpoint *);
NUMEL_API const numel_finding *numel_finding_at(const numel_checkpoint *, size_t i);
/* The worst severity of all findings, after `strict`; NUMEL_NOTE when there are none. */
NUMEL_API numel_severity numel_worst(const numel_checkpoint *);

/* ---- metadata ----------------------------------------------------------------------------- */
/* GGUF's types of values, by its numbers; the strings of safetensors' __metadata__ are NUMEL_STRING. */
typedef enum numel_type {
    NUMEL_U8, NUMEL_I8, NUMEL_U16, NUMEL_I16, NUMEL_U32, NUMEL_I32, NUMEL_F32, NUMEL_BOOL, NUMEL_STRING, NUMEL_ARRAY,
    NUMEL_U64, NUMEL_I64, NUMEL_F64
} numel_type;
/* Frozen: one value; which of the last is set follows from the type. */
typedef struct numel_value {
    numel_type type; /* of an entry that is an array: NUMEL_ARRAY, and none is set */
    union { uint64_t u; int64_t i; double f; numel_str s; } is; /* U8 to U64, BOOL (as stored); I8 to I64; F32, F64; STRING */
} numel_value;
/* A key and its value. */
typedef struct numel_meta {
    size_t size;
    numel_str key;
    numel_value value;
    numel_type element; /* of an array: the type of its elements, NUMEL_ARRAY where they are arrays; else the value's own */
    uint32_t file;      /* index for numel_file_at() */
    uint64_t count;     /* of an array: how many elements there are; else 1 */
    uint64_t offset;    /* of the entry in its file */
} numel_meta;
/* GGUF's keys and safetensors' __metadata__, of all files, in their order. */
NUMEL_API size_t numel_meta_count(const numel_checkpoint *);
NUMEL_CALL numel_meta_at(const numel_checkpoint *, size_t i, numel_meta *out, numel_error *);
/* The elements of the i-th, which is an array, copied out of the file. TYPE: not an array, or one of arrays; CHANGED; SYNTAX: its
 * strings do not end where it does. */
typedef struct numel_values numel_values;
NUMEL_CALL numel_values_open(numel_values **out, const numel_checkpoint *, size_t i, const numel_options *, numel_error *);
/* The k-th of numel_meta.count; a string belongs to `values`. */
NUMEL_CALL numel_values_at(const numel_values *, size_t k, numel_value *out, numel_error *);
NUMEL_API void numel_values_close(numel_values *);

/* ---- header-only copies ------------------------------------------------------------------- */
/* Into one directory: NAME.head.zst for each file of the checkpoints that are added, with their indexes and config.json, in the folders
 * that they have below the path given to numel_find(). Nothing is written through a link below `dir`, which is borrowed. IO when a
 * target exists and !overwrite, or was written by an earlier add. *written (or NULL) counts the files that were. */
typedef struct numel_heads numel_heads;
NUMEL_CALL numel_heads_open(numel_heads **out, const char *dir, bool overwrite, const numel_options *, numel_error *);
NUMEL_CALL numel_heads_add(numel_heads *, const numel_checkpoint *, size_t *written, numel_error *);
NUMEL_API void numel_heads_free(numel_heads *);

/* ---- a subject ---------------------------------------------------------------------------- */
/* What a path stands for: a model, several models that are one, an adapter, a configuration. Nothing is opened before the first call
 * that needs it, and nothing is done twice: all reports of a subject share its model, its statement and its judgement. What `k` names
 * and cannot be had is then IO, SYNTAX, CONFIG, ARCH (no such architecture), SPEC; sums OVERFLOW. */
typedef struct numel_subject numel_subject;
/* `path` as for numel_find(); a folder with nothing but a configuration, or a file *.json, is that configuration; NULL: what `k` says
 * alone. FORMAT where it holds several: numel_find() tells them apart. */
NUMEL_CALL numel_subject_open(numel_subject **out, const char *path, const numel_knowledge *k, const numel_options *, numel_error *);
/* The i-th of what was found; where several that are one begin there (numel_found_components()), all of them. */
NUMEL_CALL numel_subject_at(numel_subject **out, const numel_found *, size_t i, const numel_knowledge *, const numel_options *, numel_error *);
/* A checkpoint that is open, which must outlive the subject. */
NUMEL_CALL numel_subject_of(numel_subject **out, const numel_checkpoint *, const numel_knowledge *, const numel_options *, numel_error *);
/* Judges it, by the first call. Where its files are not here its configuration is judged. `j` may be NULL. */
NUMEL_CALL numel_subject_judge(numel_subject *, const numel_judgement **j, numel_error *);
NUMEL_API void numel_subject_close(numel_subject *);
/* Of several that are one, in a folder or in a file: how many models there are; 0: it is one. Errors as of numel_open(). */
NUMEL_CALL numel_subject_members(numel_subject *, size_t *count, numel_error *);
/* The i-th of them, a subject by itself, without the others; close it before the one that it came from. */
NUMEL_CALL numel_subject_member(numel_subject **out, numel_subject *, size_t i, numel_error *);
/* Its checkpoint, opened by the first call: errors as of numel_open(). USAGE: it has none, or is a folder of several. */
NUMEL_CALL numel_subject_checkpoint(numel_subject *, const numel_checkpoint **out, numel_error *);
/* Why a report was made of its configuration alone: its files are not here. NULL otherwise. */
NUMEL_API const numel_error *numel_subject_lacks(const numel_subject *);
/* What all comes to. IN_PART: nothing speaks against it, and not everything could be checked: of some tensors only the names are known,
 * or there is no formula, or nothing to hold it against. */
typedef enum numel_verdict { NUMEL_AGREES, NUMEL_DISAGREES, NUMEL_IN_PART } numel_verdict;
/* A model as a whole; texts are NULL where there is nothing to say. */
typedef struct numel_facts {
    size_t size;
    numel_verdict verdict;
    numel_rc why;                           /* why the formula is missing. KEY or ARCH: nothing names it; else what is wrong */
    const char *why_text;                   /* the sentence of that */
    const char *architecture, *from;        /* the specification that was used; the configuration: a path, "metadata", or its name */
    const char *adapter;                    /* "lora", "ia3": no model, nothing is expected */
    const char *expression;                 /* "2*V*E + L*(2*E + 2*H*D*E + ...) + E": parameters, in symbols */
    const char *quantization;               /* the layout that most packed weights have: "gptq" */
    bool inferred, reserved[7];             /* some sizes are the tensors' own: they prove nothing about them */
    uint64_t formula;                       /* elements of all terms that are parameters; NUMEL_NOT_KNOWN without one */
    int64_t unexplained;                    /* elements of what is unknown; 0 without a formula */
    uint64_t on_shape, on_name, on_nothing; /* tensors by their ground; see numel_ground */
    /* how many of each list there are: numel_symbol_at() ... */
    size_t symbols, terms, expected, lines, differences, groups;
} numel_facts;
/* Of a subject that was judged; one that was not, or that is several models, has none of what follows. */
NUMEL_CALL numel_subject_about(const numel_subject *, numel_facts *out, numel_error *);
/* Of a configuration alone all but the parameters and buffers that it makes one expect is not known. */
NUMEL_CALL numel_subject_counts(const numel_subject *, numel_counts *out, numel_error *);
/* From here on: the i-th, of as many as numel_facts says, into a struct of the caller's. Texts and dims belong to the subject. */

/* On what a value rests, from strong to weak: the specification; a key of the configuration; numel_knowledge.sets; a default of its
 * class or of the specification, where the configuration is silent; the tensors, where it cannot reveal an error. */
typedef enum numel_evidence { NUMEL_CONSTANT, NUMEL_DECLARED, NUMEL_SET, NUMEL_DEFAULTED, NUMEL_INFERRED } numel_evidence;
/* A symbol of the formula: E = 4096, by hidden_size, declared. */
typedef struct numel_symbol {
    size_t size;
    const char *name;
    const char *from; /* a key, "LlamaConfig.hidden_size", a glob; "" for a constant */
    int64_t value;
    numel_evidence evidence;
    uint32_t reserved;
} numel_symbol;
NUMEL_CALL numel_symbol_at(const numel_subject *, size_t i, numel_symbol *out, numel_error *);
/* All expected tensors of one role and one size: each * times == total. */
typedef struct numel_term {
    size_t size;
    numel_str role;         /* "attn.q" */
    const char *expression; /* of one tensor: "H*D*E" */
    uint64_t each, times, total;
    numel_evidence evidence;
    bool buffer, reserved[3]; /* not a parameter: not in the formula's total */
} numel_term;
NUMEL_CALL numel_term_at(const numel_subject *, size_t i, numel_term *out, numel_error *);
/* A tensor that the architecture makes one expect, in the order of a forward pass. */
typedef struct numel_expected {
    size_t size;
    numel_str name, role; /* the name as this format has it */
    const uint64_t *dims; /* outermost first; NULL when ndim is 0 */
    uint64_t elements;
    int64_t layer; /* of the innermost loop, -1 outside of loops */
    uint32_t ndim;
    uint32_t tensor;   /* the stored one that is it, or stands for it packed; NUMEL_NONE: absent */
    bool buffer, tied; /* not a parameter; a second name of another */
    bool counted;      /* in the formula's total */
    bool missing, reserved[4]; /* absent, and it should be there */
} numel_expected;
NUMEL_CALL numel_expected_at(const numel_subject *, size_t i, numel_expected *out, numel_error *);
/* What is said of a tensor rests on: nothing; its name alone; a line of a specification or a layout that asks for exactly this shape and
 * type. Only the last proves anything. */
typedef enum numel_ground { NUMEL_ON_NOTHING, NUMEL_ON_NAME, NUMEL_ON_SHAPE } numel_ground;
/* A line of the statement. The elements of all lines add up to what is stored. */
typedef struct numel_line {
    size_t size;
    const char *code;   /* "formula", "missing", "tied": stable, see numel.5 */
    const char *cause;  /* the same for people: it may change */
    const char *detail; /* may be "" */
    uint64_t tensors;
    int64_t elements;
    uint64_t unchecked;         /* those of its tensors that rest on their names */
    numel_ground ground;        /* the weakest of its tensors' */
    bool explains, reserved[3]; /* its elements are accounted for; else the line is what is wrong */
} numel_line;
NUMEL_CALL numel_line_at(const numel_subject *, size_t i, numel_line *out, numel_error *);
/* What the i-th tensor of the checkpoint is. There is one for each tensor, without a formula too: then all rest on nothing. */
typedef struct numel_tensor_facts {
    size_t size;
    numel_str role;     /* "attn.q"; {NULL, 0}: none */
    const char *code;   /* of the line that it is counted in; "unknown" */
    const char *kind;   /* "weight", "buffer", "quant", "tied", "unknown" */
    const char *layout; /* of a quantizer's tensor: the layout that claims it; NULL: none */
    uint64_t logical;   /* elements that it stands for: 0 of scales; NUMEL_NOT_KNOWN without a formula */
    uint32_t expected;  /* index for numel_expected_at(), or NUMEL_NONE */
    numel_ground ground;
} numel_tensor_facts;
NUMEL_CALL numel_tensor_about(const numel_subject *, size_t i, numel_tensor_facts *out, numel_error *);
/* UNEXPECTED: stored, with a cause that disagrees; CONTRADICTION: between configuration, layout and shapes. */
typedef enum numel_difference_kind {
    NUMEL_MISSING, NUMEL_WRONG_SHAPE, NUMEL_WRONG_TYPE, NUMEL_UNEXPECTED, NUMEL_CONTRADICTION
} numel_difference_kind;
/* Where a checkpoint is not what its architecture and layouts make one expect. */
typedef struct numel_difference {
    size_t size;
    numel_difference_kind kind;
    uint32_t tensor, expected, ndim; /* NUMEL_NONE: of MISSING; of UNEXPECTED, and what a layout expects; both of CONTRADICTION */
    numel_str name;       /* of the tensor; of a contradiction: of the weight, or empty: all of them */
    const uint64_t *dims; /* that are expected, UINT64_MAX: any; NULL when ndim is 0 or nothing is */
    numel_str types;      /* that are expected: "float", "I32|U32"; may be empty */
    const char *text;     /* for people; never NULL */
} numel_difference;
NUMEL_CALL numel_difference_at(const numel_subject *, size_t i, numel_difference *out, numel_error *);
/* A line of the tree of names in which what repeats stands once, as `numel show` prints it. Those of level 0 add up to all that is
 * stored; without a formula too. */
typedef struct numel_group {
    size_t size;
    const char *name;                  /* below the group it is in: "model.layers.[0-31]", "mlp.up.weight" */
    const char *types;                 /* "F16", "Q4_K+Q6_K", "5 types" */
    uint64_t repeats, times;           /* in the group it is in, 1: not folded; in the whole checkpoint */
    uint64_t each;                     /* elements of one of them */
    uint64_t tensors, elements, bytes; /* of all times together */
    uint32_t level, tensor;            /* how many groups it is in; one of those that a leaf stands for, NUMEL_NONE: it is not a leaf */
} numel_group;
NUMEL_CALL numel_group_at(const numel_subject *, size_t i, numel_group *out, numel_error *);

/* ---- reports ------------------------------------------------------------------------------ */
typedef struct numel_report numel_report; /* what a command prints */
/* CSV (RFC 4180) is of lists alone; JUnit's XML and SARIF 2.1.0 are of numel_report_outcome() alone. */
typedef enum numel_style_format { NUMEL_TEXT, NUMEL_JSON, NUMEL_QUIET, NUMEL_CSV, NUMEL_JUNIT, NUMEL_SARIF } numel_style_format;
typedef struct numel_style {
    size_t size;
    numel_style_format format;
    unsigned width; /* columns of text; 0: as wide as needed */
    bool color, reserved[7];
} numel_style;
typedef bool numel_write_fn(void *ctx, const void *p, size_t bytes); /* false stops the writing: IO */

/* IO when `write` says false; USAGE for a format that the report does not have. As often as wanted, in any style. */
NUMEL_CALL numel_report_write(const numel_report *, const numel_style *, numel_write_fn *write, void *ctx, numel_error *);
/* The same into a file, which is whole or as it was before: IO. What is there is replaced when it is empty or begins as such a file does
 * (so that no model is), and USAGE otherwise; a pipe or a character device is written to. */
NUMEL_CALL numel_report_save(const numel_report *, const numel_style *, const char *path, numel_error *);
NUMEL_API numel_verdict numel_report_verdict(const numel_report *);
NUMEL_API bool numel_report_stopped(const numel_report *); /* the work behind it was stopped */
/* Of identify: how many paths could not be read, and how many of all are not OK. Of verify: how many files gave no verdict. Of hash: how
 * many files or paths could not be read, and how many problems there are besides. Of others 0. Either may be NULL. */
NUMEL_API void numel_report_trouble(const numel_report *, size_t *unreadable, size_t *unknown);
NUMEL_API void numel_report_free(numel_report *);
/* What a checkpoint is expected to be: "params=8.03B,arch=llama,bits=4", for numel_view.expects and numel_check.expects. A number in
 * full is exact, a shorter one stands for what rounds to it. A report disagrees where one does not hold, and agrees at most in part
 * where the fact is unknown. USAGE: an unknown key, or a value that the key cannot have. */
NUMEL_CALL numel_expect_check(const char *text, numel_error *);
NUMEL_API const char *numel_expect_key(size_t i); /* "params", ...; NULL past the last */
/* How near a mistyped word is to another: the letters that differ; more when one begins with the other; NUMEL_FAR: they are not near. */
#define NUMEL_FAR ((size_t)99)
NUMEL_API size_t numel_nearness(const char *word, const char *other);
/* What became of each: "params: expected 8,030,261,248, found 8,030,261,249"; of tensors, of each name that was asked for. NULL past
 * the last. */
NUMEL_API const char *numel_report_expected_at(const numel_report *, size_t i, numel_verdict *verdict);

typedef enum numel_by { NUMEL_BY_LAYER, NUMEL_BY_DTYPE, NUMEL_BY_FILE } numel_by;
typedef enum numel_sort { NUMEL_SORT_NAME, NUMEL_SORT_ELEMENTS, NUMEL_SORT_BYTES, NUMEL_SORT_OFFSET, NUMEL_SORT_DTYPE } numel_sort;
/* What a report is to hold. A pattern with * ? or [ is a shell glob over the whole name, in which * takes dots and slashes too; one
 * without is looked for anywhere in it. */
typedef struct numel_view {
    size_t size;
    numel_by by;       /* show */
    numel_sort sort;   /* show, tensors */
    unsigned depth;    /* show: levels of the tree; 0: as deep as some 40 lines allow */
    bool all;          /* no abbreviation of long lists, no cut of the tree */
    bool totals;       /* show, diff: only the totals are wanted, no tree and no rows */
    bool others;       /* show: what other counters would say, and why */
    const char *match; /* tensors: only names that match this, of a component also with it in front, or one of `matches` */
    const char *key;   /* meta: only this key */
    const char *const *matches;
    size_t match_count;
    const char *const *expects; /* show: texts that numel_expect_check() takes */
    size_t expect_count;
    const numel_work *values; /* diff: compare the values too, which reads all data as this says; NULL: headers only */
} numel_view;

/* ---- reports of a subject, which must outlive them ---- */
/* Errors are those of numel_subject_judge() and of numel_open(). Of several that are one `show`, `reconcile`, `memory` and (of a folder)
 * `verify` report the whole, which agrees when all that its index promises is there and agrees; the others want a member. `formula`,
 * `memory`, `print`, `explain` and `printout` need a configuration alone. Of an index of which no shard is here `show` and `reconcile`
 * take the names for tensors, where a formula gives them shapes: its checkpoint then has no files. */

/* Summary, tree, counts; of a configuration its formula. */
NUMEL_CALL numel_report_show(numel_report **out, numel_subject *, const numel_view *, numel_error *);
/* One line per tensor; in JSON an object a line. It disagrees when one of the patterns matches no name. */
NUMEL_CALL numel_report_tensors(numel_report **out, numel_subject *, const numel_view *, numel_error *);
/* The statement. Its verdict is that of the model. */
NUMEL_CALL numel_report_reconcile(numel_report **out, numel_subject *, const numel_view *, numel_error *);
/* The formula: symbols with evidence, terms, total. CONFIG, KEY, ARCH, SPEC when it cannot be had; USAGE for one of k->sets that nothing
 * asks for. */
NUMEL_CALL numel_report_formula(numel_report **out, numel_subject *, numel_error *);
/* Whose rules of memory apply. DEFAULT: llama.cpp for GGUF, transformers for all else. */
typedef enum numel_runtime { NUMEL_RUNTIME_DEFAULT, NUMEL_RUNTIME_TRANSFORMERS, NUMEL_RUNTIME_LLAMA_CPP, NUMEL_RUNTIME_VLLM } numel_runtime;
/* What is to be in memory at once, and where. A text that cannot be read is USAGE. */
typedef struct numel_plan {
    size_t size;
    numel_runtime runtime;
    unsigned ubatch;                  /* tokens that are read at once; 0: 512 */
    uint64_t context, batch;          /* tokens of each sequence, 0: what the model is made for, else 4,096; sequences, 0: 1 */
    uint64_t source;                  /* tokens, frames or patches of an encoder, for each of them */
    uint64_t seqs;                    /* llama.cpp: into how many all cells are split; 0: as the batch */
    uint64_t fit;                     /* bytes that there are; 0: not asked for */
    const char *kv, *load;            /* types of keys and values, "q8_0" or "q8_0,f16", and of weights when loaded; NULL: as is usual */
    const char *devices, *offload;    /* "2x24GiB", "24GiB,16GiB"; how many layers are on them, the last ones: NULL: none; all */
    const char *train;                /* "adamw", "adam8bit", "lora:16"; NULL: nothing is trained */
    bool unified, swa_full, no_flash; /* llama.cpp: cells are not split; a window saves nothing; no flash attention */
    bool cpu_experts, reserved[4];    /* routed experts stay off the devices */
} numel_plan;
/* What it takes in memory: weights, what its layers keep, and, apart from that, an estimate of the rest; with plan->fit whether that
 * fits, and the longest context and the largest batch that do. It disagrees when it does not fit, and agrees at most in part when not
 * all of it can be known. USAGE: a text of the plan, a type whose blocks do not divide a row. */
NUMEL_CALL numel_report_memory(numel_report **out, numel_subject *, const numel_plan *, numel_error *);
/* The module tree as print(model) of Hugging Face transformers shows it. Without a print template for the architecture, classes are
 * guessed from the tensors alone, and the report does not agree. Errors as of the formula, for a configuration alone. */
NUMEL_CALL numel_report_print(numel_report **out, numel_subject *, numel_error *);
/* Which way of counting the model gives that number: causes, shortest account first. USAGE for the number; CONFIG, ARCH, SPEC when
 * nothing says what the model holds. */
NUMEL_CALL numel_report_explain(numel_report **out, const char *number, numel_subject *, const numel_view *, numel_error *);
/* Two models of any format beside each other, by the role of each tensor or by its name; only names, shapes and types are compared,
 * unless view->values asks for the data. It agrees when they are the same or, across formats, when a conversion explains each
 * difference; with values, when no value differs either, and in part when some could not be compared. After `stop` the report has what
 * was done until then, and numel_report_stopped() is true; numel_report_trouble() counts as unreadable the files that could not be read,
 * or changed meanwhile. USAGE: one has no checkpoint. OVERFLOW: elements or bytes do not fit in 63 bits. */
NUMEL_CALL numel_report_diff(numel_report **out, numel_subject *a, numel_subject *b, const numel_view *, numel_error *);
/* Which checkpoints of a folder, any depth down, one is most like: by names and shapes, with `values` by the beginnings of a few tensors
 * too. The best come first; it agrees when one has half of the elements in the same names and shapes. What cannot be read is counted:
 * numel_report_trouble(). IO, FORMAT for the folder; OVERFLOW. */
NUMEL_CALL numel_report_nearest(numel_report **out, numel_subject *, const char *folder, bool values, const numel_view *, numel_error *);

/* A text that somebody holds: what print(model) wrote, a torchinfo table, a thread that has one. */
typedef struct numel_printout {
    size_t size;
    const char *name; /* for headings: a path, "standard input"; NULL: "a printout" */
    const void *text; /* at most 64 MiB */
    size_t bytes;
} numel_printout;
/* The models printed in a text, module by module, with what they cannot show; beside a model, or (NULL) alone. FORMAT when nothing is
 * printed in the text; LIMIT, OVERFLOW when it is not an honest printout; CONFIG when a configuration alone gives no formula. It agrees
 * when all that can be counted is held, and nothing was cut. `options`: its allocator, for a printout alone. */
NUMEL_CALL numel_report_printout(numel_report **out, numel_subject *, const numel_printout *, const numel_view *,
                                 const numel_options *, numel_error *);
/* The text of a file or a pipe into a printout of the caller's: its name is `path`, borrowed. FORMAT for what is not a text, or holds no
 * printed model; IO; LIMIT of a pipe, of a file the report says that. numel_printout_unload() frees the text, with the same options. */
NUMEL_CALL numel_printout_load(numel_printout *out, const char *path, const numel_options *, numel_error *);
NUMEL_API void numel_printout_unload(numel_printout *, const numel_options *);

/* ---- reports of files ---- */
/* The metadata of the files, and config.json beside them. USAGE: view->key is not among them. */
NUMEL_CALL numel_report_meta(numel_report **out, numel_subject *, const numel_view *, numel_error *);
/* A line for each of n paths: what it is. A directory stands for the files in and below it. What it finds does not fail:
 * numel_report_trouble() counts it. */
NUMEL_CALL numel_report_identify(numel_report **out, const char *const *paths, size_t n, const numel_options *, numel_error *);
/* What verify is to look at. */
typedef struct numel_check {
    size_t size;
    numel_level level;
    bool all;                   /* text lists every finding */
    bool values;                /* count what in the weights is not a number; reads them */
    const char *manifest;       /* from numel_report_hash(), or another list of digests: for the level hash, then the default */
    const numel_work *work;     /* how the data is read; may be NULL */
    const char *const *expects; /* texts that numel_expect_check() takes */
    size_t expect_count;
} numel_check;
/* Is it whole, and is it what it says? Opens its files by itself, as far as they can be read: one that numel_open() refuses has all its
 * findings here too. Of a folder of several: is what its index promises there? The members have reports of their own. It disagrees when
 * there is an error (with options->strict: a warning); it agrees in part for what could not be checked, when the level config was named,
 * or with options->strict. numel_report_trouble() counts as unreadable what gave no verdict: files that changed meanwhile, or none that
 * is a checkpoint. USAGE: it was not found by a path; IO when a path that is not a set cannot be opened. */
NUMEL_CALL numel_report_verify(numel_report **out, numel_subject *, const numel_check *, numel_error *);
/* What many reports of verify come to: their grand total, and all of their results for CI systems. */
typedef struct numel_outcome numel_outcome;
/* results: keep them; else only the totals are counted. */
NUMEL_CALL numel_outcome_open(numel_outcome **out, bool results, const numel_options *, numel_error *);
/* Counts a report of numel_report_verify(), or of numel_report_error() for what could not be verified; it may be freed afterwards. USAGE
 * for any other. */
NUMEL_CALL numel_outcome_add(numel_outcome *, const numel_report *, numel_error *);
/* Checkpoints by their verdicts, findings by their severities, bytes; as NUMEL_JUNIT or NUMEL_SARIF all results. It disagrees when one
 * of them does. The outcome must outlive it. */
NUMEL_CALL numel_report_outcome(numel_report **out, const numel_outcome *, numel_error *);
NUMEL_API void numel_outcome_close(numel_outcome *);
/* What numel_report_hash() is to leave out. */
typedef struct numel_hashing {
    size_t size;
    bool files_only, tensors_only, reserved[6]; /* neither tensors nor model; not the files as a whole */
} numel_hashing;
/* The manifest of n paths: SHA-256 of each file (of a directory, those beside the checkpoint too), of each tensor's bytes, and of each
 * checkpoint as a whole: numel.5 has the format. Reads all data. What cannot be read is listed in the report and counted by
 * numel_report_trouble(). After `stop` the report has what was done until then and numel_report_stopped() is true. */
NUMEL_CALL numel_report_hash(numel_report **out, const char *const *paths, size_t n, const numel_hashing *,
                             const numel_options *, const numel_work *, numel_error *);

/* ---- many checkpoints ---- */
/* A line of a list: a checkpoint, or what could not be read. Texts belong to whoever handed it out. */
typedef struct numel_row {
    size_t size;
    const char *path, *name;           /* as they are; the name is its path below the one asked for, without model.safetensors */
    const numel_error *error;          /* NULL: it could be read. Else all that follows is 0, but the id */
    const char *format, *architecture; /* "safetensors", "gguf"; as its files call it, NULL: they do not say */
    const char *adapter, *dtype;       /* "lora": no model, what changes one; of most elements: "BF16"; NULL: none */
    const char *method, *quantization; /* "gptq"; in a word: "gptq-4bit", "Q4_K_M"; NULL: none */
    const char *quantization_name;     /* as people call it: "GPTQ 4-bit, group 128"; NULL: none */
    const char *bits_per_weight;       /* "4.15": of the packed weights; NULL: none, or not known */
    uint64_t bits, whole;              /* of a packed weight, 0: they differ; hundredths of a bit, over all that is stored */
    uint64_t tensors, stored;          /* as numel_counts */
    uint64_t parameters, context_length;
    uint64_t bytes, files;     /* of the weights: as numel_file.bytes; of all its files that are here */
    uint64_t disk;             /* what they take on it: less, of what is compressed */
    uint64_t repeated, shared; /* of `disk` and `files` those that earlier rows have too, through links */
    uint64_t id;               /* of its first file, by whatever link it was reached: the same in every run */
    numel_state state;
    uint32_t searched;     /* 1: nothing declares its architecture, and it was searched for (numel_listing.deep) */
    const char *judgement; /* as JSON, the object that every document has; NULL: none was made */
    const char *fits;      /* numel_knowledge.fit: "yes", "no", "up to 41k" (tokens, fewer than it was made for), "not known"; NULL */
} numel_row;
/* A row, from any of the threads, one at a time, in the order of the names; gone when the call returns. False ends the list: STOPPED. */
typedef bool numel_row_fn(void *ctx, const numel_row *);
/* What is to be listed, and how. */
typedef struct numel_listing {
    size_t size;
    numel_row_fn *row; /* must not be NULL */
    void *row_ctx;
    const numel_knowledge *knowledge; /* declared_only is taken for granted, but for `deep`. May be NULL */
    unsigned threads;                 /* 0: as many as processors. With more than one the allocator is used from several at once */
    uint32_t shard, shards;           /* only the rows of part `shard` of 1 to `shards`, by their ids: each is in one part; 0: all */
    bool appends;                     /* standard output may be `resume`: a line that was cut off at its end is then taken away */
    bool full_names;                  /* numel_row.name is the path as it was found: where several are listed */
    bool kept, deep; /* rows are handed out when all are there, for numel_report_rows(); what nothing declares is searched for */
    const char *resume; /* JSON lines of an earlier run: what is done there counts, unless its size on disk has changed; NULL */
    const char *sort;   /* a column: the same, texts from A to Z, numbers from large to small; NULL: as they come */
    const char *folder; /* for what is kept beyond `memory`, in a file without a name; NULL: "/tmp" */
    uint64_t memory;    /* bytes; 0: 16 MiB */
} numel_listing;
/* Sums over rows. A file that several rows have, through links, counts once. */
typedef struct numel_totals {
    size_t size;
    uint64_t checkpoints, files, bytes, disk;
    uint64_t parameters, stored, unknown; /* where they are known; elements of the others, and how many these are */
    uint64_t failed, found;               /* errors; checkpoints that are damaged or incomplete */
    uint64_t links, resumed;              /* checkpoints passed because their files are in rows already; rows of an earlier run */
} numel_totals;
/* Lists paths as they come: folders to any depth, a folder at a time, in memory that grows by 16 bytes a file. What cannot be read is a
 * row with an error, and the rest goes on. IO, FORMAT, USAGE for `resume`. */
typedef struct numel_list numel_list;
NUMEL_CALL numel_list_open(numel_list **out, const numel_listing *, const numel_options *, numel_error *);
/* Its checkpoints; rows may be handed out later. STOPPED: no more rows are wanted. */
NUMEL_CALL numel_list_path(numel_list *, const char *path, numel_error *);
/* Each path in a file, a line each or (zero) ended by NULs, as they are read; "-" is standard input. IO, STOPPED. */
NUMEL_CALL numel_list_from(numel_list *, const char *file, bool zero, numel_error *);
/* Waits until all rows are handed out. After it the list takes no more paths. STOPPED. */
NUMEL_CALL numel_list_end(numel_list *, numel_totals *out, numel_error *);
NUMEL_API void numel_list_free(numel_list *); /* what is not handed out by then is not */
/* How rows are reported. */
typedef struct numel_columns {
    size_t size;
    const char *columns;        /* "name,bytes,verdict"; NULL: as the format has them. USAGE for one that is none */
    bool headless, reserved[7]; /* CSV: without the line of names */
} numel_columns;
/* One row: a line of JSON or CSV; its path (NUMEL_QUIET). */
NUMEL_CALL numel_report_row(numel_report **out, const numel_row *, const numel_columns *, const numel_options *, numel_error *);
/* All rows that a list kept, with totals (which may be NULL) below a table. The list must outlive the report. */
NUMEL_CALL numel_report_rows(numel_report **out, numel_list *, const numel_totals *, const numel_columns *, const numel_options *, numel_error *);

/* An error as a report: {"path": ..., "error": {"code": ..., "offset": ..., "message": ...}}. */
NUMEL_CALL numel_report_error(numel_report **out, const char *path, const numel_error *what, const numel_options *, numel_error *);

/* ---- reports of specifications; numbers ---- */
/* The architectures known, or (name) the text of one. ARCH: no such; IO, SPEC: of k->specs. */
NUMEL_CALL numel_report_specs(numel_report **out, const numel_knowledge *k, const char *name, const numel_options *, numel_error *);
/* How quantizers store weights: the layouts known. */
NUMEL_CALL numel_report_layouts(numel_report **out, const numel_knowledge *k, const numel_options *, numel_error *);
/* The complaints about n files of specifications, of 0 about the built-in ones; it agrees without any. */
NUMEL_CALL numel_report_lint(numel_report **out, const char *const *files, size_t n, const numel_options *, numel_error *);
/* A number as people write it: 6738415616, 6,738,415,616, 6738.4M, 7B, "6.74 billion". Into *value, and the numbers that round to it
 * from *low up to, not including, *high; those two may be NULL. USAGE when it is none. */
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

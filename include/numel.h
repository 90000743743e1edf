/*
 * numel.h -- what is really in a model checkpoint, without reading its weights.
 *
 *   find      numel_find()            a path becomes a list of checkpoints: files, shard sets, folders
 *   open      numel_open()            maps the files of one of them and reads their headers
 *   look      numel_tensor_at() ...   tensors, files, metadata, findings
 *   resolve   numel_model_open()      a checkpoint, its configuration and what you know: symbols, terms,
 *                                     expected tensors, the statement, what each tensor is
 *   report    numel_report_*()        what the commands print, as text or JSON
 *
 * Ownership   A function that fills a `**out` gives it to the caller, who frees it with the matching
 *             *_free() or *_close(); these take NULL. Everything else that is returned by pointer belongs
 *             to the object it came from and dies with it.
 * Borrowing   found <- checkpoint <- model <- report: an object looks into those it was made from, which
 *             must outlive it; a checkpoint needs no `found` once it is open. Texts and lists that are
 *             passed in are copied or done with when the call returns, unless said otherwise.
 * NULL        A pointer to a struct of options may be NULL: all defaults. So may the last numel_error *,
 *             what is said to, and what *_free() takes. No other pointer may.
 * Errors      What can fail returns numel_rc and fills the numel_error. On failure *out is NULL. Any
 *             function may fail with NOMEM, and with USAGE for a struct of options that is not one (see
 *             NUMEL_INIT); the other codes are named beside each. No error is kept anywhere.
 * Findings    "Could not read it" is an error. "Read it, and it disagrees" is a finding: the checkpoint
 *             opens, is counted, and carries a list of findings.
 * Text        numel_str may hold any byte. Text from a file is untrusted: escape it (numel_escape())
 *             before it is shown. Paths, names and metadata are as they are; messages, reports, and every
 *             other `const char *` are escaped already.
 * Threads     Distinct objects may be used by distinct threads at once. An open checkpoint is read-only
 *             and may be shared; a model, with the reports made of it, is for one thread at a time.
 * Memory      comes from numel_options.allocator, but for: JSON documents (cJSON; its hooks,
 *             cJSON_InitHooks(), belong to the process and are the host's to set), the state of
 *             libzstd and libcrypto, threads, and what the C library keeps for an open folder.
 * Signals     Headers are mapped. While one is read SIGBUS is caught, so that a file that shrinks becomes
 *             CHANGED instead of the end of the process; then the process has its own action again. With
 *             numel_options.no_guard nothing is caught. Nothing else of the process is touched.
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
#define NUMEL_VERSION_MINOR 2 /* new, compatible capabilities */
#define NUMEL_VERSION_PATCH 0 /* fixes */

#if defined(__GNUC__)
#define NUMEL_API __attribute__((visibility("default")))
/* Before what returns its failure: to leave that out of account is a warning of the compiler's. */
#define NUMEL_MUST __attribute__((warn_unused_result))
#else
#define NUMEL_API
#define NUMEL_MUST
#endif

NUMEL_API const char *numel_version(void); /* "0.2.0", of the library that is linked */

/* ---- errors ------------------------------------------------------------------------------- */

/* One list: names, pinned values, texts. Append with the next number of a family; never reuse. */
#define NUMEL_ERRORS(X)                                   \
    X(NOMEM, 1, "out of memory")                          \
    X(USAGE, 2, "bad argument")                           \
    X(STOPPED, 3, "stopped on request")                   \
    X(IO, 10, "cannot read or write")                     \
    X(CHANGED, 11, "file changed while being read")       \
    X(FORMAT, 20, "not a known checkpoint format")        \
    X(VERSION, 21, "unsupported format version")          \
    X(TRUNCATED, 22, "file ends too early")               \
    X(RANGE, 23, "value out of range")                    \
    X(OVERFLOW, 24, "size does not fit in 64 bits")       \
    X(SYNTAX, 25, "malformed header")                     \
    X(DUPLICATE, 26, "name occurs twice")                 \
    X(TYPE, 27, "value of the wrong type")                \
    X(LIMIT, 28, "exceeds a safety limit")                \
    X(UTF8, 29, "text is not valid UTF-8")                \
    X(CONFIG, 40, "model configuration missing or wrong") \
    X(ARCH, 41, "architecture not known")                 \
    X(SPEC, 42, "malformed architecture specification")   \
    X(KEY, 43, "model configuration is silent")

typedef enum numel_rc {
    NUMEL_OK = 0,
#define X(name, value, text) NUMEL_E_##name = value,
    NUMEL_ERRORS(X)
#undef X
        NUMEL_E_WIDTH = 0x7fffffff /* room to grow without changing the type */
} numel_rc;

#define NUMEL_NOWHERE UINT64_MAX /* an offset, when no byte is to blame */

/* A plain value: copy it, keep it, there is nothing to free. Frozen: it needs no initialiser before it is
 * filled, so it cannot state a size, and will not grow. */
typedef struct numel_error {
    numel_rc code;
    uint64_t offset; /* first byte at fault, from the start of the file, or NUMEL_NOWHERE */
    char file[512];  /* the path as given or found, as it is; may be "" */
    char what[512];  /* one sentence: "tensor 'a': data_offsets end at 96, its shape needs 64" */
} numel_error;

NUMEL_API const char *numel_rc_name(numel_rc code); /* "TRUNCATED": stable, for programs */
NUMEL_API const char *numel_rc_text(numel_rc code); /* "file ends too early": for people */

/* ---- structs that may grow ---------------------------------------------------------------- */

/* Structs of options and of results begin with `size`, and later versions append fields to them. A program
 * that was compiled with this header runs with a later 0.x library of the same soname.
 *
 *   options               `numel_view view = NUMEL_INIT(numel_view);` sets the size, and all else to 0,
 *                         which is the default of each field. USAGE when the size is 0 or cannot be, and
 *                         when a field is set that the library is too old to know.
 *   results, handed out   `size` says how many bytes of the struct are there.
 *   results, filled       NUMEL_INIT before the call; after it `size` says how many bytes were filled, the
 *                         rest is 0. USAGE for a size as above.
 *
 * What is called reserved must be 0. In C `{ .size = sizeof(numel_view), .all = true }` is as good. */
#ifdef __cplusplus
#define NUMEL_INIT(type) numel_init<type>()
#else
/* clang-format off */
#define NUMEL_INIT(type) { .size = sizeof(type) }
/* clang-format on */
#endif

#define NUMEL_NOT_KNOWN UINT64_MAX /* a count that cannot be had: never a guess */
#define NUMEL_NONE UINT32_MAX      /* a number of a tensor, a row or a file, when there is none */

/* ---- the judgement ------------------------------------------------------------------------ */

/* What a path stands for. */
typedef enum numel_subject_kind {
    NUMEL_IS_MODEL,
    NUMEL_IS_PIPELINE, /* a folder of several models that are one */
    NUMEL_IS_SEVERAL,  /* several models in one file */
    NUMEL_IS_ADAPTER,
    NUMEL_IS_CONFIGURATION,
    NUMEL_IS_TRAINING,   /* optimizer states without weights */
    NUMEL_IS_VOCABULARY, /* a GGUF of a tokenizer alone */
    NUMEL_IS_IMATRIX,
    NUMEL_IS_PROJECTOR /* of llama.cpp: what leads pictures or sound into a model */
} numel_subject_kind;
NUMEL_API const char *
    numel_subject_kind_name(numel_subject_kind); /* "model", "several models": stable, for programs */

/* What it comes to, in a word. Later ones are worse. */
typedef enum numel_state {
    NUMEL_STATE_UNKNOWN, /* "unknown": nothing states what it should hold */
    NUMEL_STATE_AGREES,  /* "agrees": every tensor is expected, with its shape, and none is missing */
    NUMEL_STATE_IN_PART, /* "in part": nothing is wrong, and not everything could be checked */
    NUMEL_STATE_DISAGREES,
    NUMEL_STATE_INCOMPLETE, /* "incomplete": bytes or files are missing */
    NUMEL_STATE_DAMAGED     /* "damaged": the format's rules are broken */
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
    const char *architecture; /* as its files call it, as it is; NULL: unknown */
    const char *name;         /* its class or product; NULL: unknown */
    const char *known_by;     /* "configuration", "metadata", "names and shapes", "the user"; NULL: unknown */
    const numel_cause *causes; /* the truest first */
    size_t cause_count;
} numel_judgement;

/* ---- options ------------------------------------------------------------------------------ */

/* Frozen: two pointers. resize(ctx, NULL, n) allocates, resize(ctx, p, 0) frees and returns NULL, else it
 * reallocates. NULL for n > 0 becomes NOMEM. The struct is borrowed for as long as what it allocated. */
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
    bool no_guard;             /* do not catch SIGBUS: a file that shrinks while its header is read is the
                                  host's to deal with */
    uint64_t max_header_bytes; /* of safetensors; 0: 100,000,000, as its reference reader. Of what a
                                  compressed file begins with, twice that; 0: 512 MiB */
    /* The value of a variable of the user's environment, or NULL: HF_HUB_CACHE, OLLAMA_MODELS, HOME and others say
     * where names such as "ollama:llama3.2" and "org/model" lead. NULL: the library asks no environment by itself,
     * and such names lead nowhere. */
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
    const char *resume; /* a file: each file that is done is noted there, and what is noted is not
                           done again as long as that file is unchanged. Remove it when all is done,
                           else it hides what happens to a disk. NULL: none */
} numel_work;

/* What the user knows beside the files. */
/* Of the first 64 of numel_knowledge.sets, by bits: what some model had, and what one lacked, be it a symbol of its specification
 * or a key of its configuration; `what` says so of the first. All zero but `size` to begin with. */
typedef struct numel_set_use {
    size_t size;
    uint64_t had, lacked;
    char what[512];
} numel_set_use;

typedef struct numel_knowledge {
    size_t size;
    bool declared_only; /* do not try every architecture on a model that declares none; an architecture
                           that is found so is read off the tensors, and takes its time */
    bool deferred;      /* resolve when the first report asks: see numel_model_open() */
    bool
        values; /* read the data where it decides what a tensor is: is a head that is tied a copy of the table, or a head of
                    its own? Reads both tensors whole */
    bool
        lone_file; /* with declared_only: try them all the same on a single file by itself, which nothing else tells */
    bool reserved[4];
    const char *config;       /* config.json or params.json to use; NULL: the one beside the model */
    const char *architecture; /* specification to use; NULL: the one that fits the configuration */
    const char *const *specs; /* files and folders of specifications, before the built-in ones */
    size_t spec_count;
    const char *const *sets; /* "hidden_size=4096", "E=4096" */
    size_t set_count;
    const void *config_text; /* the text of a config.json, in place of a file; `config`, or
                                "configuration", is then its name in messages */
    size_t config_bytes;
    const char
        *print_as;    /* for numel_report_print(): the version of transformers that prints, "5.2"; NULL: the
                             newest that is known */
    const char *base; /* the model that an adapter was made for: a path as for numel_find(); NULL: not said */
    uint64_t fit;     /* for numel_row.fits: the memory that there is, in bytes; 0: nobody asks */
    numel_set_use *set_use; /* filled, for who asks several models; NULL: a set that a model lacks is USAGE */
} numel_knowledge;

/* ---- values ------------------------------------------------------------------------------- */

/* Frozen: text of n bytes, any bytes, without a NUL behind it. */
typedef struct numel_str {
    const char *p;
    size_t n;
} numel_str;

typedef enum numel_format { NUMEL_SAFETENSORS = 1, NUMEL_GGUF = 2 } numel_format;

/* An element type: `block_elements` values take `block_bytes` bytes; GGUF forks add `row_bytes`
 * to each row. block_bytes 0: size unknown (removed or never heard of). */
typedef struct numel_dtype {
    size_t size;
    const char *name; /* "BF16", "Q4_K"; unknown ids are "type 43" */
    uint32_t block_elements;
    uint32_t block_bytes;
    uint32_t row_bytes;
    int32_t gguf_id;     /* -1: not a GGUF type */
    uint32_t in_formats; /* bit set of numel_format */
    uint32_t standing;   /* enum numel_standing */
} numel_dtype;

enum numel_standing { NUMEL_KNOWN, NUMEL_REMOVED, NUMEL_FORK, NUMEL_UNKNOWN };

enum numel_tensor_flag {
    NUMEL_BYTES_INFERRED = 1, /* `bytes` comes from the next offset, not from the type */
    NUMEL_REPEATED = 2        /* a second tensor of this name, in another file of the set */
};

typedef struct numel_tensor {
    size_t size;
    numel_str name;
    const numel_dtype *dtype;
    const uint64_t *dims; /* outermost first in both formats; NULL when ndim is 0 */
    uint64_t elements;    /* product of dims, exact; a scalar has 1 */
    uint64_t bytes;
    uint64_t offset; /* from the start of its file; NUMEL_NOWHERE: slices in several files are joined in it */
    uint32_t ndim;
    uint32_t file;  /* index for numel_file_at() */
    uint64_t flags; /* enum numel_tensor_flag */
} numel_tensor;

typedef enum numel_data { NUMEL_DATA_PRESENT, NUMEL_DATA_PARTIAL, NUMEL_DATA_ABSENT } numel_data;

/* One file of a checkpoint. header + data + padding + gaps + trailing == present bytes unless
 * `overlap` or `missing` is not zero; both are then reported by a finding. */
typedef struct numel_file {
    size_t size;
    const char *path;
    numel_format format;
    uint32_t version; /* GGUF 1, 2 or 3; safetensors 0 */
    bool big_endian;  /* GGUF */
    bool header_only; /* a copy made by behead: the rest was left out on purpose */
    bool compressed;  /* zstd */
    bool size_known;  /* false: a compressed file that does not state its content size */
    numel_data data;
    uint64_t bytes;        /* of the whole file, uncompressed; of a header-only copy, the original's */
    uint64_t header_bytes; /* up to the end of the header itself */
    uint64_t data_start;   /* where tensor data begins */
    uint64_t data_bytes;   /* tensor data, each byte once */
    uint64_t padding;      /* between header and data, and between tensors, as alignment asks */
    uint64_t gaps;         /* bytes between tensors that alignment does not ask for */
    uint64_t overlap;      /* bytes claimed by more than one tensor; UINT64_MAX: or more */
    uint64_t trailing;     /* bytes after the last tensor */
    uint64_t missing;      /* declared bytes that lie past the end of the file */
    uint64_t first_tensor, tensors; /* range for numel_tensor_at() */
} numel_file;

typedef enum numel_severity { NUMEL_NOTE, NUMEL_WARNING, NUMEL_ERROR } numel_severity;

/* What `numel verify` looks at, each level after those before it. All but the last read no more
 * than headers, small files, and a few pages of the data. */
typedef enum numel_level {
    NUMEL_LEVEL_DEFAULT, /* the highest that needs no full read: config */
    NUMEL_LEVEL_HEADER,  /* the rules of the format, file by file */
    NUMEL_LEVEL_SIZE,    /* bytes present against bytes declared */
    NUMEL_LEVEL_INDEX,   /* files against each other and against their index */
    NUMEL_LEVEL_CONFIG,  /* tensors against configuration, tokenizer and metadata */
    NUMEL_LEVEL_HASH,    /* content against digests that are on disk already */
    NUMEL_LEVEL_VALUES   /* of findings only: numel_check.values asks for it, beside any level */
} numel_level;

/* error: the reference reader of the format refuses the file, or something is missing.
 * warning: the format's text forbids it and the reference accepts it. note: worth knowing. */
typedef struct numel_finding {
    size_t size;
    const char *code; /* "trailing-bytes": stable, see numel.5 */
    numel_severity severity;
    numel_level level;  /* the one that finds it */
    const char *file;   /* "" when none */
    const char *tensor; /* escaped, "" when none */
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

/* Text that others wrote, as it may be shown: what a terminal would act on, hide, or use to reorder or
 * to begin a line becomes \n, \x1b, \u202e, a byte that is not UTF-8 \xff; all else stays. Into
 * out[size] with a NUL, whole characters, as many as there is room for; returns the bytes that all of it
 * needs, as snprintf() does. */
NUMEL_API size_t numel_escape(char *out, size_t size, const char *text, size_t bytes);

/* ---- paths -------------------------------------------------------------------------------- */

/* What a path names now, links followed. A checkpoint may be a file or a folder. */
typedef enum numel_kind {
    NUMEL_KIND_ABSENT,
    NUMEL_KIND_FILE,
    NUMEL_KIND_FOLDER,
    NUMEL_KIND_OTHER /* a FIFO, a device */
} numel_kind;
NUMEL_API numel_kind numel_path_kind(const char *path);

/* For numel_work.resume: the file below `folder` that belongs to work on these paths, the same one from
 * wherever the program is run, into out[size]. Folders are made, for their owner alone. USAGE when it does not
 * fit, IO, NOMEM. */
NUMEL_MUST NUMEL_API numel_rc numel_resume_place(char *out, size_t size, const char *folder,
                                                 const char *const *paths, size_t count,
                                                 const numel_options *, numel_error *);
/* All is done: the file goes. That there is none is fine. */
NUMEL_API void numel_resume_remove(const char *path);

/* ---- finding ------------------------------------------------------------------------------ */

typedef struct numel_found numel_found; /* the checkpoints that a path stands for */

/* path: a file of either format, in zstd or not; a header-only copy; a shard index; any shard of a set; a
 * directory; a Hugging Face cache folder, or one repository in it; a models folder of Ollama, or a manifest in it; "-",
 * standard input, or a FIFO, of which the header is read. A directory that holds several checkpoints gives several.
 * Where there is no such path, and numel_options.environment is set, a name of a model that lies on this disk:
 * "org/model" and "hf:org/model[@REVISION][/FILE]", "ollama:NAME[:TAG]", "lmstudio:[PUBLISHER/]MODEL"; nothing is ever
 * downloaded. Any other path that is not there is
 * found, and fails to open. IO, which says where a name was looked for; FORMAT for a directory without any. */
NUMEL_MUST NUMEL_API numel_rc numel_find(numel_found **out, const char *path, const numel_options *,
                                         numel_error *);
NUMEL_API size_t numel_found_count(const numel_found *);
NUMEL_API const char *numel_found_path(const numel_found *, size_t i); /* i < count; for headings */
/* How many checkpoints, the i-th and those behind it, are components of one model: a diffusers pipeline, a folder of
 * sentence-transformers. 0: no such model begins there. */
NUMEL_API size_t numel_found_components(const numel_found *, size_t i);
/* What people call it where its path does not say so: "llama3.2:1b", "org/model"; NULL otherwise. */
NUMEL_API const char *numel_found_name(const numel_found *, size_t i);
/* Of a pipe that sends a configuration instead, all of its text, which belongs to `found`: for
 * numel_knowledge.config_text. NULL: it is none. LIMIT, IO, USAGE. */
NUMEL_MUST NUMEL_API numel_rc numel_found_config(const numel_found *, size_t i, const void **text,
                                                 size_t *bytes, numel_error *);
NUMEL_API void numel_found_free(numel_found *);
/* Where a name leads: the file or folder that numel_find() takes it for; any other path as it is. Into
 * out[size]; USAGE when it does not fit, else as numel_find(). */
NUMEL_MUST NUMEL_API numel_rc numel_locate(char *out, size_t size, const char *path, const numel_options *,
                                           numel_error *);

/* Is nothing of the i-th here: no file, or Git LFS pointers in their place? A configuration may be.
 * USAGE: no such i. IO: a file is here and cannot be opened. */
NUMEL_MUST NUMEL_API numel_rc numel_absent(bool *absent, const numel_found *, size_t i, const numel_options *,
                                           numel_error *);

/* What a path is, in one line ("configuration: LlamaForCausalLM (llama)"), into text[size], cut to fit. OK for
 * what can be read and is what its name promises, weights or not; FORMAT for what is something else (a web page in the
 * place of tokenizer.json, a Git LFS pointer); else what is wrong with it, and the text says so. */
NUMEL_MUST NUMEL_API numel_rc numel_identify(const char *path, char *text, size_t size, const numel_options *,
                                             numel_error *);

/* ---- a checkpoint ------------------------------------------------------------------------- */

typedef struct numel_checkpoint numel_checkpoint;

/* Opens the i-th. A file of a set that cannot be read becomes a finding while others can; when none can,
 * the error of the first is the error of all. USAGE: no such i. IO, CHANGED; FORMAT (what it is instead is
 * said: an LFS pointer, an HTML page, a zip archive); VERSION to UTF8: a header that its format's reference
 * reader refuses, with the offset. */
NUMEL_MUST NUMEL_API numel_rc numel_open(numel_checkpoint **out, const numel_found *, size_t i,
                                         const numel_options *, numel_error *);
/* One file's bytes, which must outlive the checkpoint. `bytes` is what is there: the file counts as that
 * long. There is no folder beside it: see numel_knowledge.config_text. Errors as above, but IO. */
NUMEL_MUST NUMEL_API numel_rc numel_open_memory(numel_checkpoint **out, const void *p, size_t bytes,
                                                const numel_options *, numel_error *);
NUMEL_API void numel_free(numel_checkpoint *);

NUMEL_API const char *numel_path(const numel_checkpoint *); /* for headings; "" of memory */
NUMEL_API const char *numel_name(const numel_checkpoint *); /* as numel_found_name() has it, or NULL */
/* The component that it is of a model of several, "unet", which stands before its names in a list of tensors; NULL. */
NUMEL_API const char *numel_component(const numel_checkpoint *);
NUMEL_API numel_format numel_get_format(const numel_checkpoint *);
/* How many tensors and stored elements there are; what needs a formula is not known. */
NUMEL_MUST NUMEL_API numel_rc numel_count(const numel_checkpoint *, numel_counts *out, numel_error *);

/* The *_at() are NULL where there is no i-th. Tensors stand in the order of their files. */
NUMEL_API size_t numel_file_count(const numel_checkpoint *);
NUMEL_API const numel_file *numel_file_at(const numel_checkpoint *, size_t i);
NUMEL_API size_t numel_tensor_count(const numel_checkpoint *);
NUMEL_API const numel_tensor *numel_tensor_at(const numel_checkpoint *, size_t i);
/* The first of that name; NULL when absent. */
NUMEL_API const numel_tensor *numel_tensor_find(const numel_checkpoint *, const char *name, size_t bytes);
NUMEL_API size_t numel_finding_count(const numel_checkpoint *);
NUMEL_API const numel_finding *numel_finding_at(const numel_checkpoint *, size_t i);
/* The worst severity of all findings, after `strict`; NUMEL_NOTE when there are none. */
NUMEL_API numel_severity numel_worst(const numel_checkpoint *);

/* ---- metadata ----------------------------------------------------------------------------- */

/* GGUF's types of values; the strings of safetensors' __metadata__ are NUMEL_STRING. */
typedef enum numel_type {
    NUMEL_U8,
    NUMEL_I8,
    NUMEL_U16,
    NUMEL_I16,
    NUMEL_U32,
    NUMEL_I32,
    NUMEL_F32,
    NUMEL_BOOL,
    NUMEL_STRING,
    NUMEL_ARRAY,
    NUMEL_U64,
    NUMEL_I64,
    NUMEL_F64
} numel_type;

/* Frozen: one value; which of the last is set follows from the type. */
typedef struct numel_value {
    numel_type type; /* of an entry that is an array: NUMEL_ARRAY, and none is set */
    union {
        uint64_t u; /* U8 to U64, BOOL (as stored: 2 is possible) */
        int64_t i;  /* I8 to I64 */
        double f;   /* F32, F64 */
        numel_str s;
    } is;
} numel_value;

/* A key and its value. */
typedef struct numel_meta {
    size_t size;
    numel_str key;
    numel_value value;
    numel_type element; /* of an array: the type of its elements, NUMEL_ARRAY where they are arrays; else
                           the value's own */
    uint32_t file;      /* index for numel_file_at() */
    uint64_t count;     /* of an array: how many elements there are; else 1 */
    uint64_t offset;    /* of the entry in its file */
} numel_meta;

/* GGUF's keys and safetensors' __metadata__, of all files, in their order. */
NUMEL_API size_t numel_meta_count(const numel_checkpoint *);
/* USAGE: no such i, or a size. */
NUMEL_MUST NUMEL_API numel_rc numel_meta_at(const numel_checkpoint *, size_t i, numel_meta *out,
                                            numel_error *);

/* The elements of the i-th, which is an array, copied out of the file. USAGE: no such i; TYPE: not an
 * array, or one of arrays; CHANGED; SYNTAX: its strings do not end where it does. */
typedef struct numel_values numel_values;
NUMEL_MUST NUMEL_API numel_rc numel_values_open(numel_values **out, const numel_checkpoint *, size_t i,
                                                const numel_options *, numel_error *);
NUMEL_API size_t numel_values_count(const numel_values *);
/* The k-th; a string belongs to `values`. USAGE: no such k. */
NUMEL_MUST NUMEL_API numel_rc numel_values_at(const numel_values *, size_t k, numel_value *out,
                                              numel_error *);
NUMEL_API void numel_values_close(numel_values *);

/* ---- header-only copies ------------------------------------------------------------------- */

/* Into one directory: NAME.head.zst for each file of the checkpoints that are added, with their indexes
 * and config.json, in the folders that they have below the path given to numel_find(). Nothing is written
 * through a link below `dir`, which is borrowed. IO when a target exists and !overwrite, or was written by
 * an earlier add. *written (or NULL) counts the files that were. */
typedef struct numel_heads numel_heads;
NUMEL_MUST NUMEL_API numel_rc numel_heads_open(numel_heads **out, const char *dir, bool overwrite,
                                               const numel_options *, numel_error *);
NUMEL_MUST NUMEL_API numel_rc numel_heads_add(numel_heads *, const numel_checkpoint *, size_t *written,
                                              numel_error *);
NUMEL_API void numel_heads_free(numel_heads *);
/* All of that for one checkpoint. */
NUMEL_MUST NUMEL_API numel_rc numel_behead(const numel_checkpoint *, const char *dir, bool overwrite,
                                           size_t *written, numel_error *);

/* ---- a model ------------------------------------------------------------------------------ */

/* A checkpoint, its configuration and what the user knows, resolved once: the formula of its architecture
 * with the evidence of each symbol, the tensors that it makes one expect, what each stored tensor is, and
 * the statement that leads from the formula to what is stored. All reports of a model share that work. */
typedef struct numel_model numel_model;

/* Of a checkpoint (`path` is NULL); or, when it is NULL, of a config.json, a params.json or a folder that
 * has one; or, when that is NULL too, of what `k` says alone. That no formula can be had is not a failure:
 * numel_model_facts.why says why. What `k` names and cannot be had is: IO, SYNTAX, CONFIG, ARCH
 * (no such architecture), SPEC (a file of specifications); and OVERFLOW, LIMIT. With k->deferred nothing
 * is resolved and nothing of that fails here: the reports do it, each as far as it needs, or
 * numel_model_resolve(), and before that call what follows is as of a model without a formula. `options`:
 * its allocator; NULL, or without one: the checkpoint's. */
NUMEL_MUST NUMEL_API numel_rc numel_model_open(numel_model **out, const numel_checkpoint *, const char *path,
                                               const numel_knowledge *k, const numel_options *options,
                                               numel_error *);
/* What k->deferred left out, with those errors; nothing when it is done already. */
NUMEL_MUST NUMEL_API numel_rc numel_model_resolve(numel_model *, numel_error *);
NUMEL_API void numel_model_close(numel_model *);
NUMEL_API const numel_checkpoint *numel_model_checkpoint(const numel_model *); /* NULL: it has none */

/* What all comes to. IN_PART: nothing speaks against it, and not everything could be checked: of some
 * tensors only the names are known, or there is no formula, or nothing to hold it against. */
typedef enum numel_verdict { NUMEL_AGREES, NUMEL_DISAGREES, NUMEL_IN_PART } numel_verdict;

/* A model as a whole; texts are NULL where there is nothing to say. */
typedef struct numel_model_facts {
    size_t size;
    numel_verdict verdict;
    numel_rc why;             /* there is no formula: KEY or ARCH: nothing names it; else what is wrong */
    const char *why_text;     /* the sentence of that */
    const char *architecture; /* the specification that was used */
    const char *from;         /* the configuration: a path, "metadata", or the name it was given */
    const char *adapter;      /* "lora", "ia3": no model, nothing is expected */
    const char *expression;   /* "2*V*E + L*(2*E + 2*H*D*E + ...) + E": parameters, in symbols */
    const char *quantization; /* the layout that most packed weights have: "gptq" */
    bool inferred;            /* some sizes are the tensors' own: they prove nothing about them */
    bool reserved[7];
    uint64_t formula;    /* elements of all terms that are parameters; NUMEL_NOT_KNOWN without one */
    int64_t unexplained; /* elements of what is unknown; 0 without a formula */
    uint64_t on_shape, on_name, on_nothing; /* tensors by their ground; see numel_ground */
} numel_model_facts;
NUMEL_MUST NUMEL_API numel_rc numel_model_about(const numel_model *, numel_model_facts *out, numel_error *);
/* Of a configuration alone all but the parameters and buffers that it makes one expect is not known. */
NUMEL_MUST NUMEL_API numel_rc numel_model_count(const numel_model *, numel_counts *out, numel_error *);

/* From here on: how many there are (0 without a formula), and the i-th into a struct of the caller's.
 * USAGE: no such i, or a size. Texts and dims belong to the model. */

/* On what a value rests, from strong to weak. */
typedef enum numel_evidence {
    NUMEL_CONSTANT,  /* written in the specification */
    NUMEL_DECLARED,  /* a key of the configuration */
    NUMEL_SET,       /* by numel_knowledge.sets */
    NUMEL_DEFAULTED, /* the configuration is silent: a default of its class, or of the specification */
    NUMEL_INFERRED   /* read off the tensors: cannot reveal an error there */
} numel_evidence;

/* A symbol of the formula: E = 4096, by hidden_size, declared. */
typedef struct numel_symbol {
    size_t size;
    const char *name;
    const char *from; /* a key, "LlamaConfig.hidden_size", a glob; "" for a constant */
    int64_t value;
    numel_evidence evidence;
    uint32_t reserved;
} numel_symbol;
NUMEL_API size_t numel_symbol_count(const numel_model *);
NUMEL_MUST NUMEL_API numel_rc numel_symbol_at(const numel_model *, size_t i, numel_symbol *out,
                                              numel_error *);

/* All expected tensors of one role and one size: each * times == total. */
typedef struct numel_term {
    size_t size;
    numel_str role;         /* "attn.q" */
    const char *expression; /* of one tensor: "H*D*E" */
    uint64_t each, times, total;
    numel_evidence evidence;
    bool buffer; /* not a parameter: not in the formula's total */
    bool reserved[3];
} numel_term;
NUMEL_API size_t numel_term_count(const numel_model *);
NUMEL_MUST NUMEL_API numel_rc numel_term_at(const numel_model *, size_t i, numel_term *out, numel_error *);

/* A tensor that the architecture makes one expect, in the order of a forward pass. */
typedef struct numel_expected {
    size_t size;
    numel_str name; /* as this format names it */
    numel_str role;
    const uint64_t *dims; /* outermost first; NULL when ndim is 0 */
    uint64_t elements;
    int64_t layer; /* of the innermost loop, -1 outside of loops */
    uint32_t ndim;
    uint32_t tensor; /* the stored one that is it, or stands for it packed; NUMEL_NONE: absent */
    bool buffer;     /* not a parameter */
    bool tied;       /* a second name of another */
    bool counted;    /* in the formula's total */
    bool missing;    /* absent, and it should be there */
    bool reserved[4];
} numel_expected;
NUMEL_API size_t numel_expected_count(const numel_model *);
NUMEL_MUST NUMEL_API numel_rc numel_expected_at(const numel_model *, size_t i, numel_expected *out,
                                                numel_error *);

/* What is said of a tensor rests on: nothing; its name alone; a line of a specification or a layout that
 * asks for exactly this shape and type. Only the last proves anything. */
typedef enum numel_ground { NUMEL_ON_NOTHING, NUMEL_ON_NAME, NUMEL_ON_SHAPE } numel_ground;

/* A line of the statement. The elements of all lines add up to what is stored. */
typedef struct numel_line {
    size_t size;
    const char *code;   /* "formula", "missing", "tied": stable, see numel.5 */
    const char *cause;  /* the same for people: it may change */
    const char *detail; /* may be "" */
    uint64_t tensors;
    int64_t elements;
    uint64_t unchecked;  /* those of its tensors that rest on their names */
    numel_ground ground; /* the weakest of its tensors' */
    bool explains;       /* its elements are accounted for; else the line is what is wrong */
    bool reserved[3];
} numel_line;
NUMEL_API size_t numel_line_count(const numel_model *);
NUMEL_MUST NUMEL_API numel_rc numel_line_at(const numel_model *, size_t i, numel_line *out, numel_error *);

/* What the i-th tensor of the checkpoint is. There is one for each tensor, without a formula too: then all
 * rest on nothing. */
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
NUMEL_MUST NUMEL_API numel_rc numel_tensor_about(const numel_model *, size_t i, numel_tensor_facts *out,
                                                 numel_error *);

typedef enum numel_difference_kind {
    NUMEL_MISSING, /* expected, and not there */
    NUMEL_WRONG_SHAPE,
    NUMEL_WRONG_TYPE,
    NUMEL_UNEXPECTED,   /* stored, with a cause that disagrees */
    NUMEL_CONTRADICTION /* between configuration, layout and shapes */
} numel_difference_kind;

/* Where a checkpoint is not what its architecture and layouts make one expect. */
typedef struct numel_difference {
    size_t size;
    numel_difference_kind kind;
    uint32_t tensor;   /* NUMEL_NONE: MISSING, CONTRADICTION */
    uint32_t expected; /* NUMEL_NONE: UNEXPECTED, CONTRADICTION, what a layout expects */
    uint32_t ndim;
    numel_str name;       /* of the tensor; of a contradiction: of the weight, or empty: all of them */
    const uint64_t *dims; /* that are expected, UINT64_MAX: any; NULL when ndim is 0 or nothing is */
    numel_str types;      /* that are expected: "float", "I32|U32"; may be empty */
    const char *text;     /* for people; never NULL */
} numel_difference;
NUMEL_API size_t numel_difference_count(const numel_model *);
NUMEL_MUST NUMEL_API numel_rc numel_difference_at(const numel_model *, size_t i, numel_difference *out,
                                                  numel_error *);

/* A line of the tree of names in which what repeats stands once, as `numel show` prints it. Those of level
 * 0 add up to all that is stored; without a formula too. */
typedef struct numel_group {
    size_t size;
    const char *name;  /* below the group it is in: "model.layers.[0-31]", "mlp.up.weight" */
    const char *types; /* "F16", "Q4_K+Q6_K", "5 types" */
    uint64_t repeats;  /* in the group it is in; 1: not folded */
    uint64_t times;    /* in the whole checkpoint */
    uint64_t each;     /* elements of one of them */
    uint64_t tensors;  /* of all times together */
    uint64_t elements;
    uint64_t bytes;
    uint32_t level;  /* how many groups it is in */
    uint32_t tensor; /* one of those that a leaf stands for; NUMEL_NONE: it is not a leaf */
} numel_group;
NUMEL_API size_t numel_group_count(const numel_model *);
NUMEL_MUST NUMEL_API numel_rc numel_group_at(const numel_model *, size_t i, numel_group *out, numel_error *);

/* ---- reports ------------------------------------------------------------------------------ */

/* What a command prints. */
typedef struct numel_report numel_report;

typedef enum numel_style_format {
    NUMEL_TEXT,
    NUMEL_JSON,
    NUMEL_QUIET,
    NUMEL_CSV,   /* RFC 4180, what a terminal would act on escaped; of lists: another report gives nothing */
    NUMEL_JUNIT, /* XML, as CI systems read results of tests; of numel_report_outcome() alone */
    NUMEL_SARIF  /* SARIF 2.1.0; of numel_report_outcome() alone */
} numel_style_format;

typedef struct numel_style {
    size_t size;
    numel_style_format format;
    unsigned width; /* columns of text; 0: as wide as needed */
    bool color;
    bool reserved[7];
} numel_style;

/* false stops the writing; the call then returns IO. */
typedef bool numel_write_fn(void *ctx, const void *p, size_t bytes);

/* IO when `write` says false; USAGE for a format that the report does not have. As often as wanted, in any style. */
NUMEL_MUST NUMEL_API numel_rc numel_report_write(const numel_report *, const numel_style *,
                                                 numel_write_fn *write, void *ctx, numel_error *);
/* The same into a file, which is whole or as it was before: IO. What is there is replaced when it is empty or begins
 * as such a file does (so that no model is), and USAGE otherwise; a pipe or a character device is written to. */
NUMEL_MUST NUMEL_API numel_rc numel_report_save(const numel_report *, const numel_style *, const char *path,
                                                numel_error *);
NUMEL_API numel_verdict numel_report_verdict(const numel_report *);
NUMEL_API bool numel_report_agrees(const numel_report *);  /* the verdict is NUMEL_AGREES */
NUMEL_API bool numel_report_stopped(const numel_report *); /* the work behind it was stopped */
/* Of an identify report: how many paths could not be read, and how many of all are not OK. Of a verify
 * report: how many files gave no verdict. Of a hash report: how many files or paths could not be read, and
 * how many problems there are besides. Of others 0. Either may be NULL. */
NUMEL_API void numel_report_trouble(const numel_report *, size_t *unreadable, size_t *unknown);
NUMEL_API void numel_report_free(numel_report *);

/* What a checkpoint is expected to be: "params=8.03B,arch=llama,bits=4", for numel_view.expects and numel_check.expects.
 * A number in full is exact, a shorter one stands for what rounds to it. A report disagrees where one does not hold, and
 * agrees at most in part where nobody knows. USAGE: a key that there is not, a value that it cannot have. */
NUMEL_MUST NUMEL_API numel_rc numel_expect_check(const char *text, numel_error *);
NUMEL_API const char *numel_expect_key(size_t i); /* "params", ...; NULL where there is no i-th */
/* How near a mistyped word is to another: the letters that differ, or a larger number when one begins with the other;
 * NUMEL_FAR when they have little in common. */
#define NUMEL_FAR ((size_t)99)
NUMEL_API size_t numel_nearness(const char *word, const char *other);
/* What became of each: "params: expected 8,030,261,248, found 8,030,261,249". NULL where there is no i-th. */
NUMEL_API size_t numel_report_expected_count(const numel_report *);
NUMEL_API const char *numel_report_expected_at(const numel_report *, size_t i, numel_verdict *verdict);

typedef enum numel_by { NUMEL_BY_LAYER, NUMEL_BY_DTYPE, NUMEL_BY_FILE } numel_by;
typedef enum numel_sort {
    NUMEL_SORT_NAME, /* natural order: layer 2 before layer 10 */
    NUMEL_SORT_ELEMENTS,
    NUMEL_SORT_BYTES,
    NUMEL_SORT_OFFSET,
    NUMEL_SORT_DTYPE
} numel_sort;

/* What a report is to hold. */
typedef struct numel_view {
    size_t size;
    numel_by by;     /* show */
    numel_sort sort; /* show, tensors */
    unsigned depth;  /* show: levels of the tree; 0: as deep as some 40 lines allow */
    bool all;        /* no abbreviation of long lists, no cut of the tree */
    bool totals;     /* show, diff: only the totals are wanted, no tree and no rows */
    bool others;     /* show: what other counters would say, and why */
    const char
        *match;      /* tensors: only names that numel_matches() this; of a component also with it in front */
    const char *key; /* meta: only this key */
    const char *const *matches; /* tensors: or one of these */
    size_t match_count;
    const char *const *expects; /* show: texts that numel_expect_check() takes */
    size_t expect_count;
    const numel_work *values; /* diff: compare the values too, which reads all data as this says; NULL:
                                 headers only */
} numel_view;

/* Does a name match? A pattern with * ? or [ is a shell glob over the whole name, in which * takes dots and slashes
 * too; one without is looked for anywhere in it. */
NUMEL_API bool numel_matches(const char *pattern, numel_str name);

/* ---- reports of a model: it and its checkpoint must outlive them ---- */

/* Errors of a model that was deferred are those of numel_model_open(). */

/* Summary, tree, counts. USAGE: the model has no checkpoint; so for the next two. */
NUMEL_MUST NUMEL_API numel_rc numel_report_show(numel_report **out, numel_model *, const numel_view *,
                                                numel_error *);
/* One line per tensor; in JSON an object a line. It disagrees when one of the patterns matches no name. */
NUMEL_MUST NUMEL_API numel_rc numel_report_tensors(numel_report **out, numel_model *, const numel_view *,
                                                   numel_error *);
/* The statement. Its verdict is that of the model. */
NUMEL_MUST NUMEL_API numel_rc numel_report_reconcile(numel_report **out, numel_model *, const numel_view *,
                                                     numel_error *);
/* The formula: symbols with evidence, terms, total. CONFIG, KEY, ARCH, SPEC when it cannot be had; USAGE for
 * one of k->sets that nothing asks for. */
NUMEL_MUST NUMEL_API numel_rc numel_report_formula(numel_report **out, numel_model *, numel_error *);
/* Whose rules of memory apply. DEFAULT: llama.cpp for GGUF, transformers for all else. */
typedef enum numel_runtime {
    NUMEL_RUNTIME_DEFAULT,
    NUMEL_RUNTIME_TRANSFORMERS,
    NUMEL_RUNTIME_LLAMA_CPP,
    NUMEL_RUNTIME_VLLM
} numel_runtime;

/* What is to be in memory at once, and where. A text that cannot be read is USAGE. */
typedef struct numel_plan {
    size_t size;
    numel_runtime runtime;
    unsigned ubatch;     /* tokens that are read at once; 0: 512 */
    uint64_t context;    /* tokens of each sequence; 0: what the model is made for, else 4,096 */
    uint64_t batch;      /* sequences; 0: 1 */
    uint64_t source;     /* tokens, frames or patches of an encoder, for each of them */
    uint64_t seqs;       /* llama.cpp: into how many all cells are split; 0: as the batch */
    uint64_t fit;        /* bytes that there are; 0: nobody asks */
    const char *kv;      /* the type of keys and values, "q8_0" or "q8_0,f16"; NULL: f16 */
    const char *load;    /* the type that weights are loaded as, "bf16"; NULL: as they are stored */
    const char *devices; /* "2x24GiB", "24GiB,16GiB": layers are split among them; NULL: none */
    const char *offload; /* how many layers are on them, the last ones; NULL: all */
    const char *train;   /* "adamw", "adam8bit", "lora:16"; NULL: nothing is trained */
    bool unified;        /* llama.cpp: cells are not split among sequences */
    bool swa_full;       /* llama.cpp: a window saves nothing */
    bool no_flash;       /* llama.cpp: without flash attention */
    bool cpu_experts;    /* routed experts stay off the devices */
    bool reserved[4];
} numel_plan;
/* What it takes in memory: weights, what its layers keep, and, apart from that, an estimate of the rest; with plan->fit
 * whether that fits, and the longest context and the largest batch that do. It disagrees when it does not fit, and
 * agrees at most in part when not all of it can be known. USAGE: a text of the plan, a type whose blocks do not divide a row. */
NUMEL_MUST NUMEL_API numel_rc numel_report_memory(numel_report **out, numel_model *, const numel_plan *,
                                                  numel_error *);
/* The module tree as print(model) of Hugging Face transformers shows it. Without a print template for the
 * architecture, classes are guessed from the tensors alone, and the report does not agree. Errors as of
 * the formula, for a configuration alone. */
NUMEL_MUST NUMEL_API numel_rc numel_report_print(numel_report **out, numel_model *, numel_error *);
/* Which way of counting the model gives that number: causes, shortest account first. USAGE for the number;
 * CONFIG, ARCH, SPEC when nothing says what the model holds. */
NUMEL_MUST NUMEL_API numel_rc numel_report_explain(numel_report **out, const char *number, numel_model *,
                                                   const numel_view *, numel_error *);
/* Two models of any format beside each other, by the role of each tensor or by its name; only names,
 * shapes and types are compared, unless view->values asks for the data. It agrees when they are the same or,
 * across formats, when a conversion explains each difference; with values, when no value differs either, and in
 * part when some could not be compared. After `stop` the report has what was done until then, and
 * numel_report_stopped() is true; numel_report_trouble() counts as unreadable the files that could not be read,
 * or changed meanwhile. USAGE: one has no checkpoint. OVERFLOW: elements or bytes do not fit in 63 bits. */
NUMEL_MUST NUMEL_API numel_rc numel_report_diff(numel_report **out, numel_model *a, numel_model *b,
                                                const numel_view *, numel_error *);

/* Which checkpoints of a folder, any depth down, one is most like: by names and shapes, with `values` by the beginnings of a few
 * tensors too. The best come first; it agrees when one has half of the elements in the same names and shapes. What cannot be
 * read is counted: numel_report_trouble(). IO, FORMAT for the folder; OVERFLOW. */
NUMEL_MUST NUMEL_API numel_rc numel_report_nearest(numel_report **out, const numel_checkpoint *,
                                                   const char *folder, bool values, const numel_view *,
                                                   const numel_options *, numel_error *);

/* A text that somebody holds: what print(model) wrote, a torchinfo table, a thread that has one. */
typedef struct numel_printout {
    size_t size;
    const char *name; /* for headings: a path, "standard input"; NULL: "a printout" */
    const void *text; /* at most 64 MiB */
    size_t bytes;
} numel_printout;
/* The models printed in a text, module by module, with what they cannot show; beside a model, or (NULL)
 * alone. FORMAT when nothing is printed in the text; LIMIT, OVERFLOW when it is not an honest printout;
 * CONFIG when a configuration alone gives no formula. It agrees when all that can be counted is held, and
 * nothing was cut. `options`: its allocator, for a printout alone. */
NUMEL_MUST NUMEL_API numel_rc numel_report_printout(numel_report **out, numel_model *, const numel_printout *,
                                                    const numel_view *, const numel_options *options,
                                                    numel_error *);
/* The text of a file of which the front is text, or of a pipe that somebody writes to, into a printout of the
 * caller's: its name is `path`, borrowed. FORMAT for what is not a text; IO. Of a file that is longer than a report
 * takes one byte more than that, and the report says LIMIT; of a pipe that is LIMIT here. numel_printout_unload()
 * frees the text, with the same options. */
NUMEL_MUST NUMEL_API numel_rc numel_printout_load(numel_printout *out, const char *path,
                                                  const numel_options *, numel_error *);
NUMEL_API void numel_printout_unload(numel_printout *, const numel_options *);
/* Does the text hold a printed model, or a table of one? */
NUMEL_MUST NUMEL_API numel_rc numel_is_printout(bool *is, const void *text, size_t bytes,
                                                const numel_options *, numel_error *);

/* ---- reports of files ---- */

/* The metadata of the files, and config.json beside them. USAGE: view->key, and there is no such key. */
NUMEL_MUST NUMEL_API numel_rc numel_report_meta(numel_report **out, const numel_checkpoint *,
                                                const numel_view *, numel_error *);
/* A line for each of n paths, as numel_identify(); a directory stands for the files in and below it. It never fails
 * for what it finds: numel_report_trouble() counts. */
NUMEL_MUST NUMEL_API numel_rc numel_report_identify(numel_report **out, const char *const *paths, size_t n,
                                                    const numel_options *, numel_error *);

/* What verify is to look at. */
typedef struct numel_check {
    size_t size;
    numel_level level;
    bool all;                         /* text lists every finding */
    bool values;                      /* count what in the weights is not a number; reads them */
    const numel_knowledge *knowledge; /* for the level config; may be NULL */
    const char *manifest;       /* what numel_report_hash() wrote, or another list of digests: for the level
                               hash, which is then the default */
    const numel_work *work;     /* how the data is read; may be NULL */
    const char *const *expects; /* texts that numel_expect_check() takes */
    size_t expect_count;
} numel_check;
/* Is the i-th checkpoint whole, and is it what it says? Opens it by itself, as far as it can be read: a
 * file that numel_open() refuses has all its findings here too. It disagrees when there is an error (with
 * options->strict: a warning); it agrees in part for what could not be checked, when the level config was
 * named, or with options->strict. numel_report_trouble() counts as unreadable what gave no verdict: files
 * that changed meanwhile, or none that is a checkpoint. USAGE: no such i; IO when a path that is not a set
 * cannot be opened. `found` must outlive the report. */
NUMEL_MUST NUMEL_API numel_rc numel_report_verify(numel_report **out, const numel_found *found, size_t i,
                                                  const numel_options *, const numel_check *, numel_error *);

/* The model of components that begins at the i-th checkpoint: a table of them, each judged as a model of its own, and
 * the totals. It agrees when all that its index promises is there and agrees; with `summary` it disagrees for damage and
 * what is missing only, and never agrees in part. USAGE: none begins there (numel_found_components()). OVERFLOW. `found`
 * must outlive the report. */
NUMEL_MUST NUMEL_API numel_rc numel_report_components(numel_report **out, const numel_found *found, size_t i,
                                                      const numel_knowledge *, bool summary,
                                                      const numel_options *, numel_error *);
/* One checkpoint that is several models, each under a prefix of its own, as ComfyUI, A1111 and Civitai distribute
 * them: model.diffusion_model., first_stage_model., cond_stage_model. ... *out is NULL where it is none, or where the
 * user says what it is (a configuration, an architecture). `ck` must outlive it. NOMEM, DUPLICATE. */
typedef struct numel_parts numel_parts;
NUMEL_MUST NUMEL_API numel_rc numel_parts_open(numel_parts **out, const numel_checkpoint *ck,
                                               const numel_knowledge *, const numel_options *, numel_error *);
NUMEL_API void numel_parts_close(numel_parts *);
/* The components, and behind them (`models` and more) what lies beside all of them: checkpoints of their own, without a
 * configuration, with what is left of their tensors' names. They belong to the parts. */
NUMEL_API size_t numel_parts_count(const numel_parts *, size_t *models);
NUMEL_API const numel_checkpoint *numel_parts_at(const numel_parts *, size_t i); /* NULL: no such i */
/* A table of them, as numel_report_components(). It disagrees, too, when there is a tensor that nobody knows. */
NUMEL_MUST NUMEL_API numel_rc numel_report_parts(numel_report **out, const numel_parts *,
                                                 const numel_knowledge *, bool summary, const numel_options *,
                                                 numel_error *);
/* What several models take in memory when all of them are there at once: the components that begin at the i-th checkpoint, or
 * those of one file. Weights and what each keeps add up, of activations there is the most; the verdict is that of
 * numel_report_memory() on the sum, and it disagrees besides when a component is missing or damaged. Without plan->context it
 * is 4,096. USAGE as there; and none begins there. */
NUMEL_MUST NUMEL_API numel_rc numel_report_memory_components(numel_report **out, const numel_found *found,
                                                             size_t i, const numel_knowledge *,
                                                             const numel_plan *, const numel_options *,
                                                             numel_error *);
NUMEL_MUST NUMEL_API numel_rc numel_report_memory_parts(numel_report **out, const numel_parts *,
                                                        const numel_knowledge *, const numel_plan *,
                                                        const numel_options *, numel_error *);
/* Is what its index promises there? Of the folder alone: the checkpoints have reports of their own, and this one counts
 * with them in an outcome. Errors and verdict as of numel_report_verify(). */
NUMEL_MUST NUMEL_API numel_rc numel_report_verify_components(numel_report **out, const numel_found *found,
                                                             size_t i, const numel_options *,
                                                             const numel_check *, numel_error *);

/* What many reports of verify come to: their grand total, and all of their results for CI systems. */
typedef struct numel_outcome numel_outcome;
/* results: keep them; else only the totals are counted. */
NUMEL_MUST NUMEL_API numel_rc numel_outcome_open(numel_outcome **out, bool results, const numel_options *,
                                                 numel_error *);
/* Counts a report of numel_report_verify(), or of numel_report_error() for what could not be verified; it may be freed
 * afterwards. USAGE for any other. */
NUMEL_MUST NUMEL_API numel_rc numel_outcome_add(numel_outcome *, const numel_report *, numel_error *);
/* Checkpoints by their verdicts, findings by their severities, bytes; as NUMEL_JUNIT or NUMEL_SARIF all results. It
 * disagrees when one of them does. The outcome must outlive it. */
NUMEL_MUST NUMEL_API numel_rc numel_report_outcome(numel_report **out, const numel_outcome *, numel_error *);
NUMEL_API void numel_outcome_close(numel_outcome *);

/* What numel_report_hash() is to leave out. */
typedef struct numel_hashing {
    size_t size;
    bool files_only;   /* neither tensors nor model */
    bool tensors_only; /* not the files as a whole */
    bool reserved[6];
} numel_hashing;
/* The manifest of n paths: SHA-256 of each file (of a directory, those beside the checkpoint too), of each
 * tensor's bytes, and of each checkpoint as a whole: numel.5 has the format. Reads all data. What cannot
 * be read is listed in the report and counted by numel_report_trouble(). After `stop` the report has what
 * was done until then and numel_report_stopped() is true. */
NUMEL_MUST NUMEL_API numel_rc numel_report_hash(numel_report **out, const char *const *paths, size_t n,
                                                const numel_hashing *, const numel_options *,
                                                const numel_work *, numel_error *);
/* ---- many checkpoints ---- */

/* A line of a list: a checkpoint, or what could not be read. Texts belong to whoever handed it out. */
typedef struct numel_row {
    size_t size;
    const char *path; /* as it is */
    const char
        *name; /* what to call it by: that part of the path which lies below the one asked for, without a
                                    file's name that is everybody's (model.safetensors); as it is */
    const numel_error *error;      /* NULL: it could be read. Else all that follows is 0, but the id */
    const char *format;            /* "safetensors", "gguf" */
    const char *architecture;      /* as its files call it; as it is. NULL: they do not say */
    const char *adapter;           /* "lora": no model, what changes one; NULL */
    const char *dtype;             /* of most elements: "BF16"; NULL: no tensor */
    const char *method;            /* of its quantization: "gptq", "Q4_K_M"; NULL: none */
    const char *quantization;      /* in a word: "gptq-4bit", "Q4_K_M"; NULL: none */
    const char *quantization_name; /* as people call it: "GPTQ 4-bit, group 128"; NULL: none */
    const char *bits_per_weight;   /* "4.15": of the packed weights; NULL: none, or not known */
    uint64_t bits;                 /* of a packed weight; 0: they differ, or not known */
    uint64_t whole;                /* hundredths of a bit, over all that is stored; NUMEL_NOT_KNOWN */
    uint64_t tensors, stored;      /* as numel_counts */
    uint64_t parameters;           /* NUMEL_NOT_KNOWN without a formula */
    uint64_t context_length;       /* NUMEL_NOT_KNOWN */
    uint64_t bytes, files;         /* of the weights: as numel_file.bytes; of all its files that are here */
    uint64_t disk;                 /* what they take as they lie there: less, of what is compressed */
    uint64_t repeated;             /* of `disk`, bytes of files that earlier rows have too, through links */
    uint64_t shared;               /* how many files these are */
    uint64_t id; /* of its first file, by whatever link it was reached: of its path with links
                                    resolved, or, where it has several names, of its number in its file system */
    numel_state state;
    uint32_t reserved;
    const char *judgement; /* as JSON, the object that every document has; NULL: none was made */
    const char *
        fits; /* numel_knowledge.fit, as numel_report_memory() has it: "yes", "no", "up to 41k" (tokens of fewer than it
                         was made for), "not known"; NULL: nobody asked */
} numel_row;

/* A row, from any of the threads, one at a time, in the order of the names. It is gone when the call returns.
 * False ends the list: STOPPED. */
typedef bool numel_row_fn(void *ctx, const numel_row *);

/* What is to be listed, and how. */
typedef struct numel_listing {
    size_t size;
    numel_row_fn *row; /* must not be NULL */
    void *row_ctx;
    const numel_knowledge *knowledge; /* no search is made: declared_only is taken for granted. May be NULL */
    unsigned threads;       /* 0: as many as processors. With more than one the allocator is used from
                                         several at once, and must allow that */
    uint32_t shard, shards; /* only the rows that belong to part `shard` of 1 to `shards`, by their ids; 0:
                                         all. The parts have no row in common, and together all of them */
    bool
        appends; /* standard output may be `resume`: a line that was cut off at its end is then taken away, so
                           that rows written there do not continue it */
    bool
        full_names; /* numel_row.name is the path as it was found, not that part of it which lies below the path
                           that was asked for: where several are */
    bool reserved[2];
    const char
        *resume; /* a file of JSON lines that an earlier run wrote: what is done there is not done again,
                           and counts, unless its size on disk has changed. What is cut off at its end is done
                           again. NULL, or no such file: none */
} numel_listing;

/* Sums over rows. A file that several rows have, through links, counts once. */
typedef struct numel_totals {
    size_t size;
    uint64_t checkpoints, files, bytes, disk;
    uint64_t parameters; /* of those of which they are known */
    uint64_t stored;     /* elements of the others */
    uint64_t unknown;    /* how many these are */
    uint64_t failed;     /* errors */
    uint64_t found;      /* checkpoints that are damaged or incomplete */
    uint64_t links;      /* checkpoints passed because all their files stand in rows already */
    uint64_t resumed;    /* rows that an earlier run has */
} numel_totals;

/* Lists paths as they come: folders to any depth, a folder at a time, in memory that grows by 16 bytes a file. What
 * cannot be read is a row with an error, and the rest goes on. IO, FORMAT, USAGE for `resume`. */
typedef struct numel_list numel_list;
NUMEL_MUST NUMEL_API numel_rc numel_list_open(numel_list **out, const numel_listing *, const numel_options *,
                                              numel_error *);
/* Its checkpoints; rows may be handed out later. STOPPED: no more rows are wanted. */
NUMEL_MUST NUMEL_API numel_rc numel_list_path(numel_list *, const char *path, numel_error *);
/* Each path in a file, a line each or (zero) ended by NULs, as they are read; "-" is standard input. IO, STOPPED. */
NUMEL_MUST NUMEL_API numel_rc numel_list_from(numel_list *, const char *file, bool zero, numel_error *);
/* Waits until all rows are handed out. After it the list takes no more paths. STOPPED. */
NUMEL_MUST NUMEL_API numel_rc numel_list_end(numel_list *, numel_totals *out, numel_error *);
NUMEL_API void numel_list_free(numel_list *); /* what is not handed out by then is not */

/* How rows are reported. */
typedef struct numel_columns {
    size_t size;
    const char *columns; /* "name,bytes,verdict"; NULL: as the format has them. USAGE for one that is none */
    bool headless;       /* CSV: without the line of names */
    bool reserved[7];
} numel_columns;
/* One row: a line of JSON or CSV; its path (NUMEL_QUIET). */
NUMEL_MUST NUMEL_API numel_rc numel_report_row(numel_report **out, const numel_row *, const numel_columns *,
                                               const numel_options *, numel_error *);

/* Rows that are kept, for a table or in another order: beyond `memory` in a file without a name. */
typedef struct numel_keeping {
    size_t size;
    const char
        *sort; /* a column; what is text from A to Z, numbers from large to small; NULL: as they come */
    const char *folder; /* for that file; NULL: "/tmp" */
    uint64_t memory;    /* bytes; 0: 16 MiB */
} numel_keeping;
typedef struct numel_rows numel_rows;
NUMEL_MUST NUMEL_API numel_rc numel_rows_open(numel_rows **out, const numel_keeping *, const numel_options *,
                                              numel_error *);
/* IO: the file cannot be written. */
NUMEL_MUST NUMEL_API numel_rc numel_rows_add(numel_rows *, const numel_row *, numel_error *);
/* Hands out the rows, sorted, until one is refused. IO, STOPPED. */
NUMEL_MUST NUMEL_API numel_rc numel_rows_each(numel_rows *, numel_row_fn *, void *ctx, numel_error *);
NUMEL_API void numel_rows_free(numel_rows *);
/* All of them, with totals (which may be NULL) below a table. The rows must outlive the report. */
NUMEL_MUST NUMEL_API numel_rc numel_report_rows(numel_report **out, numel_rows *, const numel_totals *,
                                                const numel_columns *, const numel_options *, numel_error *);

/* An error as a report: {"path": ..., "error": {"code": ..., "offset": ..., "message": ...}}. */
NUMEL_MUST NUMEL_API numel_rc numel_report_error(numel_report **out, const char *path,
                                                 const numel_error *what, const numel_options *,
                                                 numel_error *);

/* ---- reports of specifications; numbers ---- */

/* The architectures known, or (name) the text of one. ARCH: no such; IO, SPEC: of k->specs. */
NUMEL_MUST NUMEL_API numel_rc numel_report_specs(numel_report **out, const numel_knowledge *k,
                                                 const char *name, const numel_options *, numel_error *);
/* How quantizers store weights: the layouts known. */
NUMEL_MUST NUMEL_API numel_rc numel_report_layouts(numel_report **out, const numel_knowledge *k,
                                                   const numel_options *, numel_error *);
/* The complaints about n files of specifications, of 0 about the built-in ones; it agrees without any. */
NUMEL_MUST NUMEL_API numel_rc numel_report_lint(numel_report **out, const char *const *files, size_t n,
                                                const numel_options *, numel_error *);
/* A number as people write it: 6738415616, 6,738,415,616, 6738.4M, 7B, "6.74 billion". Into *value, and
 * the numbers that round to it from *low up to, not including, *high; those two may be NULL. USAGE when it
 * is none. */
NUMEL_MUST NUMEL_API numel_rc numel_claim(const char *text, uint64_t *value, uint64_t *low, uint64_t *high,
                                          numel_error *);

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

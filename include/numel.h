/*
 * numel.h -- what is really in a model checkpoint, without reading its weights.
 *
 *   find     numel_find()    a path becomes a list of checkpoints: files, shard sets, folders
 *   open     numel_open()    maps the files of one of them and reads their headers
 *   look     numel_tensor_*(), numel_file_*(), numel_finding_*(), numel_count()
 *   report   numel_report_*()   facts as one model, rendered as text or JSON
 *
 * Ownership   A function that fills a `**out` gives it to the caller, who frees it with the
 *             matching *_free(). Everything else returned by pointer belongs to the object it
 *             came from and dies with it. Every *_free() takes NULL.
 * Errors      Functions that can fail return numel_rc and take a last `numel_error *`, which may
 *             be NULL. On failure *out is NULL. Nothing is global, nothing needs freeing.
 * Findings    "Could not read it" is an error. "Read it, and it disagrees" is a finding: the
 *             checkpoint opens, is counted, and carries a list of findings.
 * Strings     numel_str is not NUL-terminated and may hold any byte: text from a file is untrusted
 *             and must be escaped before it is shown (the reports do that).
 * Threads     Distinct objects may be used from distinct threads; an opened checkpoint is
 *             read-only and may be shared. While a file is being read, SIGBUS is caught: a file
 *             that shrinks becomes NUMEL_E_CHANGED instead of a crash.
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
#else
#define NUMEL_API
#endif

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

/* A plain value: copy it, keep it, never free it. `what` is one escaped sentence. It has no size and will
 * never grow: it is the one struct that is filled without having been initialised. */
typedef struct numel_error {
    numel_rc code;
    uint64_t offset; /* first byte at fault, from the start of the file, or NUMEL_NOWHERE */
    char file[512];  /* the path as given or found, may be "" */
    char what[512];  /* "tensor 'a': data_offsets end at 96, its shape needs 64" */
} numel_error;

NUMEL_API const char *numel_rc_name(numel_rc code); /* "TRUNCATED": stable, for programs */
NUMEL_API const char *numel_rc_text(numel_rc code); /* "file ends too early": for people */
NUMEL_API const char *numel_version(void);          /* "0.2.0", of the library that is linked */

/* ---- structs that may grow ---------------------------------------------------------------- */

/* Structs of options and of results begin with `size`, and later versions append fields to them: what was
 * compiled against this header runs with a later library, and the other way round.
 *
 *   options    `numel_view view = NUMEL_INIT(numel_view);` sets the size, and all else to 0, which is the
 *              default; NULL, where it is allowed, is all defaults too. Fields that the caller's header
 *              lacks are 0 to the library. USAGE when the size is 0 or impossible, and when a field is set
 *              that the library is too old to know.
 *   results    which the library hands out: `size` says which fields are there.
 *   results    which the library fills: NUMEL_INIT before; then `size` says how much was filled.
 *
 * What is reserved must be 0. Texts and lists in options are borrowed until the call returns. */
#ifdef __cplusplus
#define NUMEL_INIT(type) numel_init<type>()
#else
/* clang-format off */
#define NUMEL_INIT(type) { .size = sizeof(type) }
/* clang-format on */
#endif

#define NUMEL_NOT_KNOWN UINT64_MAX /* a count that cannot be had */

/* ---- options ------------------------------------------------------------------------------ */

/* Frozen: two pointers. resize(ctx, NULL, n) allocates, resize(ctx, p, 0) frees and returns NULL, else it reallocates.
 * A NULL result for n > 0 becomes NUMEL_E_NOMEM. */
typedef struct numel_allocator {
    void *(*resize)(void *ctx, void *old, size_t bytes);
    void *ctx;
} numel_allocator;

/* Called between files; `total` may grow while shards are being found. */
typedef void numel_progress_fn(void *ctx, uint64_t done, uint64_t total, const char *what);

typedef struct numel_options {
    size_t size;
    const numel_allocator *allocator; /* malloc; must outlive what it allocated */
    numel_progress_fn *progress;
    void *progress_ctx;
    bool strict;               /* warnings count as errors */
    uint64_t max_header_bytes; /* 100,000,000 for safetensors as the reference; for GGUF and
                                  compressed input 4 GiB of header */
} numel_options;

/* How the data itself is read, by the calls that do. */
typedef struct numel_work {
    size_t size;
    unsigned threads;            /* 0: as many as there are processors */
    numel_progress_fn *progress; /* in bytes; from any of the threads, one at a time */
    void *progress_ctx;
    bool (*stop)(void *ctx); /* asked between blocks; true ends the work: NUMEL_E_STOPPED */
    void *stop_ctx;
    const char *resume; /* a file: each file that is done is noted there, and what is noted is not
                           done again as long as that file is unchanged. Remove it when all is done,
                           else it hides what happens to a disk. NULL: none */
} numel_work;

/* ---- values ------------------------------------------------------------------------------- */

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
    uint64_t offset; /* from the start of its file */
    uint32_t ndim;
    uint32_t file;  /* index for numel_file_at() */
    uint64_t flags; /* enum numel_tensor_flag */
} numel_tensor;

typedef enum numel_data { NUMEL_DATA_PRESENT, NUMEL_DATA_PARTIAL, NUMEL_DATA_ABSENT } numel_data;

/* One file of a checkpoint. header + data + padding + gaps + trailing == present bytes unless
 * `overlap` or `missing` is not zero; both are then told by a finding. */
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
    uint64_t overlap;      /* bytes claimed by more than one tensor */
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
 * to begin a line becomes \n, \x1b, \u202e, a byte that is no UTF-8 \xff; all else stays. Into
 * out[size] with a NUL, whole characters, as many as there is room for; returns the bytes that all of it
 * needs, as snprintf() does. numel_error.what, the messages of findings and reports are that already. */
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
NUMEL_API numel_rc numel_resume_place(char *out, size_t size, const char *folder, const char *const *paths,
                                      size_t count, numel_error *);
/* All is done: the file goes. That there is none is fine. */
NUMEL_API void numel_resume_remove(const char *path);

/* ---- finding and opening ------------------------------------------------------------------ */

typedef struct numel_found numel_found; /* the checkpoints that a path stands for */
typedef struct numel_checkpoint numel_checkpoint;

/* path: a file of either format, in zstd or not; a header-only copy; a shard index; any shard of
 * a set; a directory; a Hugging Face cache folder. A directory that holds several checkpoints
 * gives several. IO, FORMAT (said by name: LFS pointer, HTML page, zip ...). */
NUMEL_API numel_rc numel_find(numel_found **out, const char *path, const numel_options *, numel_error *);
NUMEL_API size_t numel_found_count(const numel_found *);
NUMEL_API const char *numel_found_path(const numel_found *, size_t i); /* for headings */
NUMEL_API void numel_found_free(numel_found *);

/* Opens the i-th. A file of a set that cannot be read becomes a finding while others can. */
NUMEL_API numel_rc numel_open(numel_checkpoint **out, const numel_found *, size_t i, const numel_options *,
                              numel_error *);
/* Is nothing of the i-th here: no file, or Git LFS pointers in their place? A configuration may be. */
NUMEL_API numel_rc numel_absent(bool *absent, const numel_found *, size_t i, const numel_options *,
                                numel_error *);
/* One file's bytes, which the caller keeps alive. `bytes` is what is there; the file counts as
 * that long. Tests and fuzzers start here. */
NUMEL_API numel_rc numel_open_memory(numel_checkpoint **out, const void *p, size_t bytes,
                                     const numel_options *, numel_error *);
NUMEL_API void numel_free(numel_checkpoint *);

NUMEL_API const char *numel_path(const numel_checkpoint *);
NUMEL_API numel_format numel_get_format(const numel_checkpoint *);
NUMEL_API numel_rc numel_count(const numel_checkpoint *, numel_counts *, numel_error *);
NUMEL_API size_t numel_file_count(const numel_checkpoint *);
NUMEL_API const numel_file *numel_file_at(const numel_checkpoint *, size_t i);
NUMEL_API size_t numel_tensor_count(const numel_checkpoint *);
NUMEL_API const numel_tensor *numel_tensor_at(const numel_checkpoint *, size_t i);
NUMEL_API const numel_tensor *numel_tensor_find(const numel_checkpoint *, const char *name,
                                                size_t bytes); /* NULL when absent */
NUMEL_API size_t numel_finding_count(const numel_checkpoint *);
NUMEL_API const numel_finding *numel_finding_at(const numel_checkpoint *, size_t i);
/* The worst severity of all findings, after `strict`; NUMEL_NOTE when there are none. */
NUMEL_API numel_severity numel_worst(const numel_checkpoint *);

/* What a file is, in one line ("Git LFS pointer to 9,976,576,152 bytes"), into text[size].
 * NUMEL_OK for a checkpoint that can be read, NUMEL_E_FORMAT for anything else that was named. */
NUMEL_API numel_rc numel_identify(const char *path, char *text, size_t size, const numel_options *,
                                  numel_error *);

/* Header-only copies, into one directory: NAME.head.zst for each file of the checkpoints that are added,
 * with their indexes and config.json, in the folders that they have below the path given to
 * numel_find(). Nothing is written through a link below `dir` (borrowed). IO when a target exists and
 * !overwrite, or was written by an earlier add. *written counts the files that were. */
typedef struct numel_heads numel_heads;
NUMEL_API numel_rc numel_heads_open(numel_heads **out, const char *dir, bool overwrite, const numel_options *,
                                    numel_error *);
NUMEL_API numel_rc numel_heads_add(numel_heads *, const numel_checkpoint *, size_t *written, numel_error *);
NUMEL_API void numel_heads_free(numel_heads *);
/* All of that for one checkpoint. */
NUMEL_API numel_rc numel_behead(const numel_checkpoint *, const char *dir, bool overwrite, size_t *written,
                                numel_error *);

/* ---- reports ------------------------------------------------------------------------------ */

typedef struct numel_report numel_report;

typedef enum numel_by { NUMEL_BY_LAYER, NUMEL_BY_DTYPE, NUMEL_BY_FILE } numel_by;
typedef enum numel_sort {
    NUMEL_SORT_NAME, /* natural order: layer 2 before layer 10 */
    NUMEL_SORT_ELEMENTS,
    NUMEL_SORT_BYTES,
    NUMEL_SORT_OFFSET,
    NUMEL_SORT_DTYPE
} numel_sort;

/* What the user knows beside the files. */
typedef struct numel_knowledge {
    size_t size;
    const char *config;       /* config.json or params.json to use; NULL: the one beside the model */
    const char *architecture; /* spec to use; NULL: the one that fits the configuration */
    const char *const *specs; /* spec files and folders, before the built-in ones */
    size_t spec_count;
    const char *const *sets; /* "hidden_size=4096", "E=4096" */
    size_t set_count;
} numel_knowledge;

/* What a report is to hold. */
typedef struct numel_view {
    size_t size;
    numel_by by;
    numel_sort sort;
    unsigned depth; /* levels of the tree; 0: as deep as some 40 lines allow */
    bool all;       /* no abbreviation of long arrays, no cut of the tree */
    bool totals;    /* show: only the totals are wanted, make no tree */
    bool others;    /* show: what other counters would say, and why; tries every architecture when
                          none is declared */
    const numel_knowledge *knowledge; /* show, tensors: may be NULL */
    const char *match;                /* tensors: only names that this glob matches */
    const char *key;                  /* meta: only this key */
} numel_view;

typedef enum numel_style_format { NUMEL_TEXT, NUMEL_JSON, NUMEL_QUIET } numel_style_format;

typedef struct numel_style {
    size_t size;
    numel_style_format format;
    unsigned width; /* columns of text; 0: as wide as needed */
    bool color;
    bool reserved[7];
} numel_style;

/* false stops the writing; the call then returns NUMEL_E_IO. */
typedef bool numel_write_fn(void *ctx, const void *p, size_t bytes);

/* A report borrows from the checkpoint, which must outlive it. */
NUMEL_API numel_rc numel_report_show(numel_report **, const numel_checkpoint *, const numel_view *,
                                     numel_error *);
NUMEL_API numel_rc numel_report_tensors(numel_report **, const numel_checkpoint *, const numel_view *,
                                        numel_error *);
NUMEL_API numel_rc numel_report_meta(numel_report **, const numel_checkpoint *, const numel_view *,
                                     numel_error *);
/* A line for each path; a directory stands for the files in it. Never fails for what it finds: the
 * report tells, numel_report_trouble() counts. */
NUMEL_API numel_rc numel_report_identify(numel_report **, const char *const *paths, size_t n,
                                         const numel_options *, numel_error *);
/* Of an identify report: how many paths could not be read, and how many are no checkpoint. Of a
 * verify report: how many files gave no verdict. Of a hash report: how many files or paths could not
 * be read, and how many problems there are besides. */
NUMEL_API void numel_report_trouble(const numel_report *, size_t *unreadable, size_t *unknown);
/* An error as a report: {"path": ..., "error": {"code": ..., "offset": ..., "message": ...}}. */
NUMEL_API numel_rc numel_report_error(numel_report **, const char *path, const numel_error *what,
                                      const numel_options *, numel_error *);
/* The formula of the architecture: symbols with evidence, terms, total. Of an opened checkpoint's
 * configuration, or, when ck is NULL, of a config.json, a params.json, or a folder that has one
 * (path), or of what `k` says alone (path NULL too). CONFIG, KEY, ARCH, SPEC when it cannot be had. */
NUMEL_API numel_rc numel_report_formula(numel_report **, const numel_checkpoint *ck, const char *path,
                                        const numel_knowledge *k, numel_error *);
/* The accounting statement. Its verdict is NUMEL_IN_PART when nothing disagrees and some tensors are
 * known by their names alone, or there is no formula; NUMEL_DISAGREES for a configuration of which
 * none can be made, too. */
NUMEL_API numel_rc numel_report_reconcile(numel_report **, const numel_checkpoint *, const numel_knowledge *,
                                          const numel_view *, numel_error *);
/* Two checkpoints of any format beside each other, by the role of each tensor or by its name; only
 * names, shapes and types are compared, no data. Both must outlive the report. It agrees when names,
 * shapes and types are the same or, across formats, when a conversion explains each difference. */
NUMEL_API numel_rc numel_report_diff(numel_report **, const numel_checkpoint *a, const numel_checkpoint *b,
                                     const numel_knowledge *, const numel_view *, numel_error *);
/* A text that somebody holds: what print(model) wrote, a torchinfo table, a thread that has one. */
typedef struct numel_printout {
    size_t size;
    const char *name; /* for headings: a path, "standard input"; NULL: "a printout" */
    const void *text; /* at most 64 MiB */
    size_t bytes;
} numel_printout;
/* The models printed in a text, module by module, with what they cannot show; beside a checkpoint, or
 * beside what a configuration makes one expect (`config`: config.json or a folder with one), or, when
 * both are NULL, alone. FORMAT when nothing is printed in the text; LIMIT, OVERFLOW when it is no
 * honest printout. numel_report_agrees(): all that can be counted is held, and nothing was cut. */
NUMEL_API numel_rc numel_report_printout(numel_report **, const numel_checkpoint *ck, const char *config,
                                         const numel_printout *, const numel_knowledge *, const numel_view *,
                                         numel_error *);
/* The text of a file of which the front is text, into *out: name is `path`, borrowed. FORMAT for what is not a
 * text, or not a file; IO, NOMEM. Of a longer text than a report takes one byte more than that, and the report
 * says LIMIT. numel_printout_unload() frees the text, with the same options. */
NUMEL_API numel_rc numel_printout_load(numel_printout *out, const char *path, const numel_options *,
                                       numel_error *);
NUMEL_API void numel_printout_unload(numel_printout *, const numel_options *);
/* Does the text hold a printed model, or a table of one? */
NUMEL_API numel_rc numel_is_printout(bool *is, const void *text, size_t bytes, const numel_options *,
                                     numel_error *);
/* What verify is to look at. */
typedef struct numel_check {
    size_t size;
    numel_level level;
    bool all;                         /* text lists every finding */
    bool values;                      /* count what in the weights is not a number; reads them */
    const numel_knowledge *knowledge; /* for the level config; may be NULL */
    const char *manifest;   /* what numel_report_hash() wrote, or another list of digests: for the level
                             hash, which is then the default */
    const numel_work *work; /* how the data is read; may be NULL */
} numel_check;
/* Is the i-th checkpoint whole, and is it what it says? Opens it by itself, as far as it can be
 * read: a file that numel_open() refuses has all its findings here too. numel_report_agrees() is
 * false when there is an error (with options->strict: a warning), and when the level config was named,
 * or with options->strict, for what could not be checked; numel_report_trouble() counts as
 * unreadable what gave no verdict: files that changed meanwhile, or none that is a checkpoint.
 * IO when a path that is no set cannot be opened. `found` must outlive the report. */
NUMEL_API numel_rc numel_report_verify(numel_report **, const numel_found *found, size_t i,
                                       const numel_options *, const numel_check *, numel_error *);
/* The module tree as print(model) of Hugging Face transformers shows it; arguments as for
 * numel_report_formula(). Without a print template for the architecture, classes are guessed from the
 * tensors alone, and the report does not agree. */
NUMEL_API numel_rc numel_report_print(numel_report **, const numel_checkpoint *ck, const char *path,
                                      const numel_knowledge *, numel_error *);
/* What numel_report_hash() is to leave out. */
typedef struct numel_hashing {
    size_t size;
    bool files_only;   /* neither tensors nor model */
    bool tensors_only; /* not the files as a whole */
    bool reserved[6];
} numel_hashing;

/* The manifest of paths: SHA-256 of each file (of a directory, those beside the checkpoint too), of
 * each tensor's bytes, and of each checkpoint as a whole: numel.5 has the format. Reads all data.
 * What cannot be read is told in the report and counted by numel_report_trouble(); USAGE, NOMEM.
 * After `stop` the report has what was done until then and numel_report_stopped() is true. */
NUMEL_API numel_rc numel_report_hash(numel_report **, const char *const *paths, size_t n,
                                     const numel_hashing *, const numel_options *, const numel_work *,
                                     numel_error *);
/* A number as people write it: 6738415616, 6,738,415,616, 6738.4M, 7B, "6.74 billion". Into *value, and
 * the numbers that round to it from *low up to, not including, *high. USAGE when it is none. */
NUMEL_API numel_rc numel_claim(const char *text, uint64_t *value, uint64_t *low, uint64_t *high,
                               numel_error *);
/* Which way of counting the model gives that number: causes, shortest account first. Of a checkpoint,
 * or, when ck is NULL, of a config.json, a params.json, or a folder that has one (path). USAGE for the
 * number; CONFIG, ARCH, SPEC when nothing says what the model holds. */
NUMEL_API numel_rc numel_report_explain(numel_report **, const char *number, const numel_checkpoint *ck,
                                        const char *path, const numel_knowledge *, const numel_view *,
                                        numel_error *);
/* Architectures known: a list, or one spec's text. Lint: the complaints about files. */
NUMEL_API numel_rc numel_report_specs(numel_report **, const numel_knowledge *, const char *name,
                                      const numel_options *, numel_error *);
/* How quantizers store weights: the layouts known. */
NUMEL_API numel_rc numel_report_layouts(numel_report **, const numel_knowledge *, const numel_options *,
                                        numel_error *);
NUMEL_API numel_rc numel_report_lint(numel_report **, const char *const *files, size_t n,
                                     const numel_options *, numel_error *);
/* What a report comes to. IN_PART: nothing speaks against it, and not everything could be checked: of
 * some tensors only the names are known, or there is no formula to hold them against. */
typedef enum numel_verdict { NUMEL_AGREES, NUMEL_DISAGREES, NUMEL_IN_PART } numel_verdict;
NUMEL_API numel_verdict numel_report_verdict(const numel_report *);
/* True when the verdict is NUMEL_AGREES. */
NUMEL_API bool numel_report_agrees(const numel_report *);
/* True when the work behind the report was stopped before its end. */
NUMEL_API bool numel_report_stopped(const numel_report *);
NUMEL_API numel_rc numel_report_write(const numel_report *, const numel_style *, numel_write_fn *, void *ctx,
                                      numel_error *);
NUMEL_API void numel_report_free(numel_report *);

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

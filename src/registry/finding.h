/*
 * finding.h -- what was read and disagrees. Only the table below sets a rule's severity; `strict` turns
 * warnings into errors when they are evaluated.
 */
#ifndef NUMEL_REGISTRY_FINDING_H
#define NUMEL_REGISTRY_FINDING_H

#include "base/memory.h"

/* Severity. error: the reference reader refuses it, or it cannot be right. lack: also an error, but bytes,
 * a file or a tensor are missing, so the rest is incomplete rather than damaged. warning: the format's
 * text forbids it but the reference accepts it, or the reverse if harmless. note: worth knowing. Level:
 * that of `numel verify` which finds it. Remedy: see below. docs/HACKING.md says
 * what a new rule needs. */
#define FINDINGS(X)                                                               \
    X(FILE_UNREADABLE, "file-unreadable", LACK, HEADER, FETCH)                    \
    X(NOT_A_CHECKPOINT, "not-a-checkpoint", LACK, HEADER, NONE)                   \
    X(FILE_CHANGED, "file-changed", ERROR, HEADER, AGAIN)                         \
    X(HEADER_TRUNCATED, "header-truncated", LACK, HEADER, FETCH)                  \
    X(HEADER_MALFORMED, "header-malformed", ERROR, HEADER, FETCH)                 \
    X(HEADER_LIMIT, "header-limit", ERROR, HEADER, NONE)                          \
    X(VERSION_UNKNOWN, "version-unknown", ERROR, HEADER, FETCH)                   \
    X(ENTRY_MALFORMED, "entry-malformed", ERROR, HEADER, FETCH)                   \
    X(NUMBER_BEYOND, "number-beyond", ERROR, HEADER, NONE)                        \
    X(METADATA_MALFORMED, "metadata-malformed", ERROR, HEADER, FETCH)             \
    X(ROW_MISALIGNED, "row-misaligned", ERROR, HEADER, FETCH)                     \
    X(NAME_REPEATED, "name-repeated", ERROR, HEADER, FETCH)                       \
    X(SHAPE_OVERFLOW, "shape-overflow", ERROR, HEADER, FETCH)                     \
    X(SHAPE_REFUSED, "shape-refused", ERROR, HEADER, FETCH)                       \
    X(OFFSET_RANGE, "offset-range", ERROR, HEADER, FETCH)                         \
    X(KEY_EMPTY, "key-empty", ERROR, HEADER, NONE)                                \
    X(ALIGNMENT_BAD, "alignment-bad", ERROR, HEADER, FETCH)                       \
    X(LFS_POINTER, "lfs-pointer", LACK, SIZE, PULL)                               \
    X(FILE_EMPTY, "file-empty", LACK, SIZE, FETCH)                                \
    X(ZERO_FILLED, "zero-filled", LACK, SIZE, FETCH)                              \
    X(SHARD_MISSING, "shard-missing", LACK, INDEX, FETCH)                         \
    X(SHARD_UNINDEXED, "shard-unindexed", ERROR, INDEX, APART)                    \
    X(INDEX_UNREADABLE, "index-unreadable", ERROR, INDEX, INDEX)                  \
    X(INDEX_TRAILING, "index-trailing", ERROR, INDEX, INDEX)                      \
    X(INDEX_REPEATED, "index-repeated", WARNING, INDEX, NONE)                     \
    X(TENSOR_MISSING, "tensor-missing", LACK, INDEX, INDEX)                       \
    X(TENSOR_MISPLACED, "tensor-misplaced", ERROR, INDEX, INDEX)                  \
    X(INDEX_INCOMPLETE, "index-incomplete", LACK, INDEX, INDEX)                   \
    X(INDEX_ABSENT, "index-absent", WARNING, INDEX, INDEX)                        \
    X(TOTAL_SIZE, "total-size", ERROR, INDEX, INDEX)                              \
    X(TOTAL_PARAMETERS, "total-parameters", ERROR, INDEX, INDEX)                  \
    X(TOTAL_FILES, "total-size-of-files", WARNING, INDEX, NONE)                   \
    X(FILE_UNINDEXED, "file-unindexed", NOTE, INDEX, NONE)                        \
    X(TOTAL_ODD, "total-odd", WARNING, INDEX, NONE)                               \
    X(TENSOR_UNINDEXED, "tensor-unindexed", WARNING, INDEX, NONE)                 \
    X(DOWNLOAD_INCOMPLETE, "download-incomplete", LACK, SIZE, FETCH)              \
    X(TENSOR_REPEATED, "tensor-repeated", ERROR, INDEX, NONE)                     \
    X(SLICE_GAP, "slice-gap", LACK, INDEX, FETCH)                                 \
    X(SLICE_OVERLAP, "slice-overlap", ERROR, INDEX, NONE)                         \
    X(SLICE_DIFFERS, "slice-differs", ERROR, INDEX, NONE)                         \
    X(SLICE_UNSAID, "slice-unsaid", ERROR, INDEX, NONE)                           \
    X(SLICES_JOINED, "slices-joined", NOTE, INDEX, NONE)                          \
    X(SPLIT_DISAGREES, "split-disagrees", ERROR, INDEX, NONE)                     \
    X(SPLIT_MIXED, "split-mixed", ERROR, INDEX, APART)                            \
    X(SPLIT_STALE, "split-stale", ERROR, INDEX, NONE)                             \
    X(FILE_APPENDED, "file-appended", ERROR, INDEX, FETCH)                        \
    X(FILE_PIECE, "file-piece", LACK, INDEX, JOIN)                                \
    X(FILE_STRAY, "file-stray", WARNING, CONFIG, APART)                           \
    X(COMPONENT_MISSING, "component-missing", LACK, INDEX, NONE)                  \
    X(COMPONENT_INDEX, "component-index-unreadable", ERROR, INDEX, INDEX)         \
    X(COMPONENT_STRAY, "component-unindexed", NOTE, INDEX, NONE)                  \
    X(COMPONENT_UNREAD, "component-unread", NOTE, INDEX, NONE)                    \
    X(COMPONENT_CLASS, "component-class", WARNING, CONFIG, NONE)                  \
    X(COMPONENT_WIDTH, "component-width", ERROR, CONFIG, NONE)                    \
    X(COMPONENT_FOREIGN, "component-foreign", ERROR, CONFIG, NONE)                \
    X(COMPONENT_CONFIG, "component-config", ERROR, CONFIG, FETCH)                 \
    X(DATA_MISSING, "data-missing", LACK, SIZE, FETCH)                            \
    X(DATA_ABSENT, "data-absent", NOTE, SIZE, NONE)                               \
    X(TRAILING_BYTES, "trailing-bytes", WARNING, SIZE, NONE)                      \
    X(END_UNPADDED, "end-unpadded", NOTE, SIZE, NONE)                             \
    X(TRAILING_REFUSED, "trailing-bytes-refused", ERROR, SIZE, FETCH)             \
    X(SIZE_PUBLISHED, "size-published", LACK, SIZE, FETCH)                        \
    X(PUBLISHED_MISSING, "published-missing", LACK, SIZE, FETCH)                  \
    X(PUBLISHED_EXTRA, "published-extra", WARNING, SIZE, NONE)                    \
    X(MANIFEST_BROKEN, "ollama-manifest-broken", LACK, HEADER, FETCH)             \
    X(BLOB_MISSING, "ollama-blob-missing", LACK, SIZE, FETCH)                     \
    X(BLOB_SIZE, "ollama-blob-size", LACK, SIZE, FETCH)                           \
    X(BLOB_STRAY, "ollama-blob-unreferenced", NOTE, SIZE, NONE)                   \
    X(DOWNLOAD_LEFTOVER, "download-leftover", NOTE, SIZE, NONE)                   \
    X(LISTING_UNREADABLE, "listing-unreadable", WARNING, SIZE, NONE)              \
    X(ZERO_TAIL, "zero-tail", LACK, SIZE, FETCH)                                  \
    X(ZERO_HOLE, "zero-hole", LACK, SIZE, FETCH)                                  \
    X(ZERO_RUN, "zero-run", WARNING, SIZE, NONE)                                  \
    X(OFFSET_HOLE, "offset-hole", ERROR, HEADER, NONE)                            \
    X(OFFSET_OVERLAP, "offset-overlap", ERROR, HEADER, FETCH)                     \
    X(OFFSET_REVERSED, "offset-reversed", ERROR, HEADER, FETCH)                   \
    X(OFFSET_ORDER, "offset-order", ERROR, HEADER, NONE)                          \
    X(OFFSET_UNALIGNED, "offset-unaligned", ERROR, HEADER, FETCH)                 \
    X(SIZE_MISALIGNED, "size-misaligned", ERROR, HEADER, FETCH)                   \
    X(SIZE_MISMATCH, "size-mismatch", ERROR, HEADER, FETCH)                       \
    X(TYPE_UNKNOWN, "type-unknown", ERROR, HEADER, NONE)                          \
    X(TYPE_REMOVED, "type-removed", ERROR, HEADER, NONE)                          \
    X(TYPE_FORK, "type-fork", WARNING, HEADER, NONE)                              \
    X(TYPE_SIZE, "type-size", ERROR, HEADER, NONE)                                \
    X(MODEL_MISSING, "model-tensor-missing", LACK, CONFIG, RECONCILE)             \
    X(MODEL_SHAPE, "model-tensor-shape", ERROR, CONFIG, RECONCILE)                \
    X(QUANT_CONTRADICTION, "quantization-contradicted", ERROR, CONFIG, RECONCILE) \
    X(QUANT_UNSAID, "quantization-unsaid", NOTE, CONFIG, NONE)                    \
    X(MODEL_TYPE, "model-tensor-type", ERROR, CONFIG, RECONCILE)                  \
    X(MODEL_UNEXPECTED, "model-tensor-unexpected", ERROR, CONFIG, RECONCILE)      \
    X(MODEL_UNKNOWN, "model-tensor-unknown", WARNING, CONFIG, RECONCILE)          \
    X(LOADER_REFUSES, "loader-refuses", ERROR, CONFIG, NONE)                      \
    X(NOT_A_MODEL, "not-a-model", NOTE, CONFIG, NONE)                             \
    X(MODEL_UNCHECKED, "model-unchecked", NOTE, CONFIG, NONE)                     \
    X(TIED_COPY, "tied-copy", NOTE, CONFIG, NONE)                                 \
    X(TIED_RENAMED, "tied-renamed", NOTE, CONFIG, NONE)                           \
    X(TIED_DIFFERS, "tied-differs", WARNING, VALUES, NONE)                        \
    X(MODEL_IN_PART, "model-in-part", NOTE, CONFIG, NONE)                         \
    X(ADAPTER_DISAGREES, "adapter-disagrees", ERROR, CONFIG, NONE)                \
    X(NAMES_WRAPPED, "names-wrapped", ERROR, CONFIG, NONE)                        \
    X(NAMES_OLD, "names-old", NOTE, CONFIG, NONE)                                 \
    X(ADAPTER_UNMERGED, "adapter-unmerged", ERROR, CONFIG, NONE)                  \
    X(TENSORS_EMPTY, "tensors-empty", ERROR, CONFIG, NONE)                        \
    X(ROPE_FACTORS, "rope-factors-missing", ERROR, CONFIG, NONE)                  \
    X(ADAPTER_EMPTY, "adapter-empty", ERROR, CONFIG, NONE)                        \
    X(ADAPTER_ROWS, "adapter-rows", ERROR, CONFIG, NONE)                          \
    X(ADAPTER_RESIZED, "adapter-resized", NOTE, CONFIG, NONE)                     \
    X(ADAPTER_NAMES, "adapter-names", ERROR, CONFIG, NONE)                        \
    X(ADAPTER_PREFIX, "adapter-prefix", WARNING, CONFIG, NONE)                    \
    X(CONFIG_UNREADABLE, "config-unreadable", ERROR, CONFIG, CONFIG)              \
    X(CONFIG_BROKEN, "config-broken", ERROR, CONFIG, NONE)                        \
    X(TOKENIZER_UNREADABLE, "tokenizer-unreadable", ERROR, CONFIG, CONFIG)        \
    X(TOKENIZER_LENGTH, "tokenizer-length", ERROR, CONFIG, NONE)                  \
    X(TOKENIZER_MERGES, "tokenizer-merges", ERROR, CONFIG, NONE)                  \
    X(TOKENIZER_ABSENT, "tokenizer-absent", WARNING, CONFIG, NONE)                \
    X(PROJECTOR_WIDTH, "projector-width", WARNING, CONFIG, NONE)                  \
    X(ROPE_LOST, "rope-factors-absent", WARNING, CONFIG, NONE)                    \
    X(VOCABULARY_SHORT, "vocabulary-short", ERROR, CONFIG, NONE)                  \
    X(VOCABULARY_PADDED, "vocabulary-padded", NOTE, CONFIG, NONE)                 \
    X(VOCABULARY_SIZE, "vocabulary-size", WARNING, CONFIG, NONE)                  \
    X(TOKEN_ID, "token-id", ERROR, CONFIG, NONE)                                  \
    X(BLOCK_COUNT, "block-count", ERROR, CONFIG, NONE)                            \
    X(HEAD_COUNT, "head-count", ERROR, CONFIG, NONE)                              \
    X(EXPERT_COUNT, "expert-count", ERROR, CONFIG, NONE)                          \
    X(COUNTS, "counts-disagree", WARNING, CONFIG, NONE)                           \
    X(NUMBER_LARGE, "number-too-large", WARNING, CONFIG, NONE)                    \
    X(MTP_ABSENT, "mtp-absent", WARNING, CONFIG, NONE)                            \
    X(FILE_TYPE, "file-type", WARNING, CONFIG, NONE)                              \
    X(FILE_TYPE_MIXED, "file-type-mixed", NOTE, CONFIG, NONE)                     \
    X(FILE_TYPE_UNKNOWN, "file-type-unknown", NOTE, CONFIG, NONE)                 \
    X(QUANT_VERSION, "quantization-version", WARNING, CONFIG, NONE)               \
    X(SIZE_SAID, "size-said", WARNING, CONFIG, NONE)                              \
    X(FILE_KIND, "file-kind", WARNING, CONFIG, NONE)                              \
    X(KEY_TYPE, "key-type", ERROR, CONFIG, NONE)                                  \
    X(TYPE_UNUSED, "type-unused", WARNING, CONFIG, NONE)                          \
    X(DTYPE_OTHER, "dtype-other", WARNING, CONFIG, NONE)                          \
    X(PICKLE, "pickle", NOTE, CONFIG, REVIEW)                                     \
    X(PICKLE_IMPORTS, "pickle-imports", WARNING, CONFIG, REVIEW)                  \
    X(REMOTE_CODE, "remote-code", NOTE, CONFIG, REVIEW)                           \
    X(CODE_FILE, "code-file", NOTE, CONFIG, REVIEW)                               \
    X(TEMPLATE_REACH, "template-reach", NOTE, CONFIG, REVIEW)                     \
    X(KERAS_LAMBDA, "keras-lambda", NOTE, CONFIG, REVIEW)                         \
    X(NATIVE_CODE, "native-code", NOTE, CONFIG, REVIEW)                           \
    X(REVIEW_UNREAD, "review-unread", WARNING, CONFIG, REVIEW)                    \
    X(NAME_OTHER, "name-other", NOTE, CONFIG, NONE)                               \
    X(LINK_OUTSIDE, "link-outside", NOTE, CONFIG, NONE)                           \
    X(LEADING_SPACE, "leading-space", WARNING, HEADER, NONE)                      \
    X(METADATA_REPEATED, "metadata-repeated", WARNING, HEADER, NONE)              \
    X(METADATA_NULL, "metadata-null", WARNING, HEADER, NONE)                      \
    X(ENTRY_FORM, "entry-form", WARNING, HEADER, NONE)                            \
    X(KEY_REPEATED, "key-repeated", ERROR, HEADER, NONE)                          \
    X(KEY_ODD, "key-odd", WARNING, HEADER, NONE)                                  \
    X(NAME_EMPTY, "name-empty", WARNING, HEADER, NONE)                            \
    X(NAME_LONG, "name-long", ERROR, HEADER, NONE)                                \
    X(NAME_ODD, "name-odd", WARNING, HEADER, NONE)                                \
    X(VALUE_BOOL, "value-bool", WARNING, HEADER, NONE)                            \
    X(VALUE_UTF8, "value-utf8", WARNING, HEADER, NONE)                            \
    X(ARRAY_NESTED, "array-nested", ERROR, HEADER, NONE)                          \
    X(ALIGNMENT_ODD, "alignment-odd", WARNING, HEADER, NONE)                      \
    X(ALIGNMENT_REFUSED, "alignment-refused", ERROR, HEADER, NONE)                \
    X(VERSION_OLD, "version-old", WARNING, HEADER, NONE)                          \
    X(MAGIC_SWAPPED, "magic-swapped", WARNING, HEADER, NONE)                      \
    X(PAD_NOT_ZERO, "pad-not-zero", WARNING, HEADER, NONE)                        \
    X(ARCHITECTURE_ABSENT, "architecture-absent", WARNING, HEADER, NONE)          \
    X(DIMS_ZERO, "dims-zero", WARNING, HEADER, NONE)                              \
    X(STORAGE_MISSING, "storage-missing", LACK, HEADER, FETCH)                    \
    X(NEEDS_CODE, "needs-code", WARNING, HEADER, NONE)                            \
    X(STORAGE_SHARED, "storage-shared", NOTE, HEADER, NONE)                       \
    X(STORAGE_UNUSED, "storage-unused", NOTE, HEADER, NONE)                       \
    X(TENSOR_STRIDED, "tensor-strided", NOTE, HEADER, NONE)                       \
    X(RECORD_DAMAGED, "record-damaged", ERROR, HASH, FETCH)                       \
    X(HASH_MISMATCH, "hash-mismatch", ERROR, HASH, FETCH)                         \
    X(HASH_SIZE, "hash-size", LACK, HASH, FETCH)                                  \
    X(HASH_UNKNOWN, "hash-unknown", NOTE, HASH, NONE)                             \
    X(HASH_UNREADABLE, "hash-unreadable", ERROR, HASH, NONE)                      \
    X(LIST_UNREADABLE, "list-unreadable", WARNING, HASH, NONE)                    \
    X(FILE_ABSENT, "file-absent", LACK, HASH, NONE)                               \
    X(FILE_MOVED, "file-moved", NOTE, HASH, NONE)                                 \
    X(TENSOR_CHANGED, "tensor-changed", ERROR, HASH, FETCH)                       \
    X(TENSOR_GONE, "tensor-gone", LACK, HASH, NONE)                               \
    X(TENSOR_NEW, "tensor-new", WARNING, HASH, NONE)                              \
    X(TENSORS_SAME, "tensors-same", NOTE, HASH, NONE)                             \
    X(MANIFEST_UNMATCHED, "manifest-unmatched", ERROR, HASH, NONE)                \
    X(MANIFEST_AMBIGUOUS, "manifest-ambiguous", ERROR, HASH, NONE)                \
    X(MANIFEST_MODEL, "manifest-model", ERROR, HASH, NONE)                        \
    X(MANIFEST_UNREAD, "manifest-unread", NOTE, HASH, NONE)                       \
    X(MANIFEST_OTHERS, "manifest-others", NOTE, HASH, NONE)                       \
    X(LIST_AMBIGUOUS, "list-ambiguous", WARNING, HASH, NONE)                      \
    X(FILE_RENAMED, "file-renamed", NOTE, HASH, NONE)                             \
    X(FILE_UNLISTED, "file-unlisted", NOTE, HASH, NONE)                           \
    X(CONTENT_SAME, "content-same", NOTE, HASH, NONE)                             \
    X(VALUE_NAN, "value-nan", ERROR, VALUES, NONE)                                \
    X(VALUE_INF, "value-inf", ERROR, VALUES, NONE)                                \
    X(VALUE_INF_MASK, "value-inf-mask", NOTE, VALUES, NONE)                       \
    X(VALUE_ZERO, "value-zero", WARNING, VALUES, NONE)                            \
    X(VALUE_ZERO_VECTOR, "value-zero-vector", NOTE, VALUES, NONE)                 \
    X(SCALE_RANGE, "scale-range", ERROR, VALUES, NONE)                            \
    X(VALUE_UNREAD, "value-unread", NOTE, VALUES, NONE)                           \
    X(MORE, "more-findings", NOTE, HEADER, NONE)

enum finding_rule {
#define X(name, code, severity, level, remedy) FINDING_##name,
    FINDINGS(X)
#undef X
        FINDING_RULES
};

/* The remedy, for the last lines of `numel verify`. In this order: none known; review before loading (such
 * a note is an error if strict); move the file away; verify again; fetch the file; fetch the index;
 * replace the pointer with the file; fetch the file's other pieces; fetch the small file next to the
 * model; use reconcile. */
enum remedy {
    REMEDY_NONE,
    REMEDY_REVIEW,
    REMEDY_APART,
    REMEDY_AGAIN,
    REMEDY_FETCH,
    REMEDY_INDEX,
    REMEDY_PULL,
    REMEDY_JOIN,
    REMEDY_CONFIG,
    REMEDY_RECONCILE
};

/* A hostile file may break one rule a million times. The first FINDINGS_EACH findings of each rule are
 * kept; the rest are counted and reported at the end in one "more-findings" per rule. All missing files
 * are named. */
enum { FINDINGS_EACH = 100 };

struct findings {
    struct arena *arena;
    numel_finding *items;
    size_t count, cap;
    uint64_t seen[FINDING_RULES];
    bool failed; /* out of memory */
};

void findings_init(struct findings *f, struct arena *a);
void findings_done(struct findings *f);
/* `tensor` may be empty (p NULL); it is escaped here. Quote texts in the arguments. */
void findings_add(struct findings *f, enum finding_rule rule, const char *file, numel_str tensor,
                  uint64_t offset, const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Adds the "more-findings" lines; call once, at the end. */
void findings_close(struct findings *f);
/* A state to roll back to. Findings that were only counted are forgotten too. */
struct findings_mark {
    size_t count;
    uint64_t seen[FINDING_RULES];
};
struct findings_mark findings_mark(const struct findings *f);
void findings_rollback(struct findings *f, const struct findings_mark *m);
const char *finding_level(numel_level level); /* "header" */
enum remedy finding_remedy(const numel_finding *);
/* True if something is missing (bytes, a file, a tensor), rather than wrong. */
bool finding_lacks(const numel_finding *);
/* The code of a rule in the table, with its severity and subject; NULL after the last. */
const char *finding_rule_at(unsigned rule, numel_severity *severity, const char **about);
const char *finding_about(enum finding_rule);   /* finding_words.c */
const char *finding_severity(numel_severity s); /* "error" */
/* The finding's severity if strict. */
numel_severity finding_strictly(const numel_finding *);

#endif

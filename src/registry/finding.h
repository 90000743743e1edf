/*
 * finding.h -- what was read and disagrees. Severity belongs to the rule, so it stands in the
 * table below and nowhere else; `strict` lifts warnings to errors when they are looked at.
 */
#ifndef NUMEL_REGISTRY_FINDING_H
#define NUMEL_REGISTRY_FINDING_H

#include "base/memory.h"

/* error: the reference reader refuses it, or something is missing or cannot be right.
 * warning: the format's text forbids it, the reference accepts it (or the other way round and
 * harmless). note: worth knowing. Adding one: a row here, its line in numel.5, a file in fixtures. */
#define FINDINGS(X)                                                    \
    X(FILE_UNREADABLE, "file-unreadable", ERROR)                       \
    X(SHARD_MISSING, "shard-missing", ERROR)                           \
    X(SHARD_UNINDEXED, "shard-unindexed", WARNING)                     \
    X(INDEX_UNREADABLE, "index-unreadable", ERROR)                     \
    X(INDEX_TRAILING, "index-trailing", ERROR)                         \
    X(INDEX_REPEATED, "index-repeated", WARNING)                       \
    X(TENSOR_MISSING, "tensor-missing", ERROR)                         \
    X(TENSOR_UNINDEXED, "tensor-unindexed", WARNING)                   \
    X(DOWNLOAD_INCOMPLETE, "download-incomplete", ERROR)               \
    X(TENSOR_REPEATED, "tensor-repeated", ERROR)                       \
    X(SPLIT_DISAGREES, "split-disagrees", ERROR)                       \
    X(DATA_MISSING, "data-missing", ERROR)                             \
    X(DATA_ABSENT, "data-absent", NOTE)                                \
    X(TRAILING_BYTES, "trailing-bytes", WARNING)                       \
    X(TRAILING_REFUSED, "trailing-bytes-refused", ERROR)               \
    X(OFFSET_HOLE, "offset-hole", ERROR)                               \
    X(OFFSET_OVERLAP, "offset-overlap", ERROR)                         \
    X(OFFSET_REVERSED, "offset-reversed", ERROR)                       \
    X(OFFSET_ORDER, "offset-order", ERROR)                             \
    X(OFFSET_UNALIGNED, "offset-unaligned", ERROR)                     \
    X(SIZE_MISALIGNED, "size-misaligned", ERROR)                       \
    X(SIZE_MISMATCH, "size-mismatch", ERROR)                           \
    X(TYPE_UNKNOWN, "type-unknown", ERROR)                             \
    X(TYPE_REMOVED, "type-removed", ERROR)                             \
    X(TYPE_FORK, "type-fork", WARNING)                                 \
    X(LEADING_SPACE, "leading-space", WARNING)                         \
    X(METADATA_REPEATED, "metadata-repeated", WARNING)                 \
    X(METADATA_NULL, "metadata-null", WARNING)                         \
    X(ENTRY_FORM, "entry-form", WARNING)                               \
    X(KEY_REPEATED, "key-repeated", ERROR)                             \
    X(KEY_ODD, "key-odd", WARNING)                                     \
    X(NAME_EMPTY, "name-empty", WARNING)                               \
    X(NAME_LONG, "name-long", ERROR)                                   \
    X(NAME_ODD, "name-odd", WARNING)                                   \
    X(VALUE_BOOL, "value-bool", WARNING)                               \
    X(VALUE_UTF8, "value-utf8", WARNING)                               \
    X(ARRAY_NESTED, "array-nested", ERROR)                             \
    X(ALIGNMENT_ODD, "alignment-odd", WARNING)                         \
    X(ALIGNMENT_REFUSED, "alignment-refused", ERROR)                   \
    X(VERSION_OLD, "version-old", WARNING)                             \
    X(MAGIC_SWAPPED, "magic-swapped", WARNING)                         \
    X(PAD_NOT_ZERO, "pad-not-zero", WARNING)                           \
    X(ARCHITECTURE_ABSENT, "architecture-absent", WARNING)             \
    X(DIMS_ZERO, "dims-zero", WARNING)                                 \
    X(OVER_LIMIT, "over-limit", WARNING)                               \
    X(MORE, "more-findings", NOTE)

enum finding_rule {
#define X(name, code, severity) FINDING_##name,
    FINDINGS(X)
#undef X
        FINDING_RULES
};

/* A hostile file may break one rule a million times: of each rule the first FINDINGS_EACH are
 * kept, the rest counted and told at the end by one "more-findings" a rule. Files that are not
 * there are all named. */
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
/* `tensor` may be empty (p NULL); it is escaped here. Text in the arguments must be quoted. */
void findings_add(struct findings *f, enum finding_rule rule, const char *file, numel_str tensor,
                  uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* Adds the "more-findings" lines; call once, at the end. */
void findings_close(struct findings *f);
void findings_rollback(struct findings *f, size_t count);

#endif

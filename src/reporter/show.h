/*
 * show.h -- shared by the files of the show report: its facts, made once.
 */
#ifndef NUMEL_REPORTER_SHOW_H
#define NUMEL_REPORTER_SHOW_H

#include "adapter/adapter.h"
#include "statement/handle.h"
#include "subject/judgement.h"
#include "page/report.h"
#include "reporter/groups.h"
#include "reporter/mixture_section.h"

struct type_sum {
    numel_str name; /* first: see names.h */
    uint64_t tensors, elements, bytes;
};

struct show {
    const numel_checkpoint *ck;
    const numel_view *view;
    struct numel_report *report;
    struct arena *arena; /* the report's */
    numel_error *error;
    struct fold fold;
    struct type_sum *types;
    size_t type_count, type_cap;
    struct groups tree, groups; /* for text; for JSON */
    struct {
        uint64_t bytes, header, data, padding, gaps, overlap, trailing, missing;
    } sum;
    const char *architecture, *architecture_from, *class_name;
    struct handle *c; /* has the model and its statement */
    const struct quantization *quantization;
    const struct mixture_page *mixture; /* for GGUF; else empty */
    const struct adapter *adapter;      /* its type is NULL for a model */
    const numel_judgement *judgement;
    const char *promised; /* for an index without shards; else NULL */
};

/* The rows of the view, and their sections (show_tree.c). */
NUMEL_MUST bool show_rows(struct show *s);
void show_tree(struct show *s);
/* The lines above the tree (show_head.c). */
NUMEL_MUST bool show_head(struct show *s);

#endif

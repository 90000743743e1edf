/*
 * show.h -- what the files of the show report share: its facts, made once.
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
    struct groups tree, groups; /* what text shows; what JSON lists */
    struct {
        uint64_t bytes, header, data, padding, gaps, overlap, trailing, missing;
    } sum;
    const char *architecture, *architecture_from, *class_name;
    struct handle *c; /* what the architecture expects */
    const struct quantization *quantization;
    const struct mixture_page *mixture; /* of GGUF; else nothing to say */
    const struct adapter *adapter;      /* its type is NULL for a model */
    const numel_judgement *judgement;
    const char *promised; /* of an index alone; else NULL */
};

/* show_tree.c: the rows of the view, and their sections. */
NUMEL_MUST bool show_rows(struct show *s);
void show_tree(struct show *s);
/* show_head.c: the lines above the tree. */
NUMEL_MUST bool show_head(struct show *s);

#endif

/*
 * cases.h -- the cases of fixtures/oracle: the tensors of models, according to transformers and llama.cpp.
 *
 * hf.jsonl.zst and similar files have one case per line; gguf.zst has whole file headers one after
 * another; fixtures/README.md describes both. Each file must exist and hold at least as many cases as
 * cases.c requires: a missing truth would agree with everything. Errors end the program.
 */
#ifndef NUMEL_TEST_CASES_H
#define NUMEL_TEST_CASES_H

#include "base/json_doc.h"

struct truth {
    const char *name;  /* "hf-default/llama.LlamaForCausalLM" */
    json_value *doc;   /* class, configs, params, tied, buffers, num_parameters, non_embedding */
    const char *bytes; /* the header of a GGUF file if doc is NULL */
    size_t size;
};

struct cases {
    struct arena arena;
    struct truth *items;
    size_t count, cap;
};

void cases_load(struct cases *all, const char *folder);
/* Leaves out the classes at their default sizes, for tests that judge each case many times. */
void cases_load_quick(struct cases *all, const char *folder);
/* Only the cases of an uncompressed file of lines. */
void cases_alone(struct cases *all, const char *path);
/* Adds cases from an uncompressed file of lines. */
void cases_more(struct cases *all, const char *path);
void cases_free(struct cases *all);

/* The decompressed content of a zstd file, NUL-terminated, in the arena. */
char *cases_unpack(struct arena *a, const char *path, size_t *size);

/* The configuration of one form ("whole", "diff", "dropped") as the text of a config.json; if it states no
 * class and `classed` is set, with the class of the case. The caller frees it. NULL if the form does not
 * exist. */
char *truth_config(const struct truth *t, const char *form, bool classed);
/* True if the configuration itself states a class; then `classed` makes no difference. */
bool truth_states_class(const struct truth *t, const char *form);
/* True if the case has no configuration: its tensors must identify it as `architecture`. */
bool truth_is_bare(const struct truth *t);

#endif

/*
 * cases.h -- the cases of fixtures/oracle: what transformers and llama.cpp say that a model holds.
 *
 * hf.jsonl.zst and its like have a case a line, gguf.zst whole headers of files one behind the
 * other; fixtures/README.md has their form. Each file must be there and hold at least as many cases
 * as cases.c says: a truth that went missing would agree with everything. Mistakes end the program.
 */
#ifndef NUMEL_TEST_CASES_H
#define NUMEL_TEST_CASES_H

#include "base/json_doc.h"

struct truth {
    const char *name;  /* "hf-default/llama.LlamaForCausalLM" */
    json_value *doc;   /* class, configs, params, tied, buffers, num_parameters, non_embedding */
    const char *bytes; /* or, where doc is NULL, of a GGUF file its header */
    size_t size;
};

struct cases {
    struct arena arena;
    struct truth *items;
    size_t count, cap;
};

void cases_load(struct cases *all, const char *folder);
/* Without the classes at their default sizes: for what judges each case many times. */
void cases_load_quick(struct cases *all, const char *folder);
/* No cases but those of a file of lines that is not compressed. */
void cases_alone(struct cases *all, const char *path);
/* Further cases, from a file of lines that is not compressed. */
void cases_more(struct cases *all, const char *path);
void cases_free(struct cases *all);

/* The content of a file in zstd, with a zero behind it, in the arena. */
char *cases_unpack(struct arena *a, const char *path, size_t *size);

/* The configuration of one form ("whole", "diff", "dropped") as the text of a config.json, with the
 * class of the case where it states none and `classed`; freed by the caller. NULL: no such form. */
char *truth_config(const struct truth *t, const char *form, bool classed);
/* Does the configuration itself state a class? Then classed or not is the same text. */
bool truth_states_class(const struct truth *t, const char *form);
/* No configuration at all: what the case is must be told by its tensors, as "architecture" says. */
bool truth_is_bare(const struct truth *t);

#endif

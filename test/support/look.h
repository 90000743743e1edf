/* look.h -- common queries of a checkpoint or a subject, in one line each. */
#ifndef NUMEL_TEST_LOOK_H
#define NUMEL_TEST_LOOK_H

#include <numel.h>

/* The i-th tensor; elements is NUMEL_NOT_KNOWN if there is none. */
static inline numel_tensor look_at(const numel_checkpoint *ck, size_t i)
{
    numel_tensor t = NUMEL_INIT(numel_tensor);
    if (numel_tensor_at(ck, i, &t, NULL) != NUMEL_OK) t.elements = NUMEL_NOT_KNOWN;
    return t;
}

/* Counts tensors and stored elements; false if they cannot be counted. */
static inline bool look_count(const numel_checkpoint *ck, numel_counts *out)
{
    numel_subject *s = NULL;
    bool ok = numel_subject_of(&s, ck, NULL, NULL, NULL) == NUMEL_OK &&
              numel_subject_counts(s, out, NULL) == NUMEL_OK;
    numel_subject_close(s);
    return ok;
}

/* A judged subject of a checkpoint. */
static inline numel_rc look_judged(numel_subject **s, const numel_checkpoint *ck, const numel_knowledge *k,
                                   const numel_options *options, numel_error *e)
{
    numel_rc rc = numel_subject_of(s, ck, k, options, e);
    if (rc == NUMEL_OK) rc = numel_subject_judge(*s, NULL, e);
    if (rc == NUMEL_OK) return rc;
    numel_subject_close(*s);
    *s = NULL;
    return rc;
}

/* Its checkpoint; NULL if it has none. */
static inline const numel_checkpoint *look_checkpoint(const numel_subject *s)
{
    const numel_checkpoint *ck;
    return numel_subject_checkpoint((numel_subject *)(uintptr_t)s, &ck, NULL) == NUMEL_OK ? ck : NULL;
}

/* Lengths of the lists. */
static inline numel_facts look_facts(const numel_subject *s)
{
    numel_facts f = NUMEL_INIT(numel_facts);
    if (numel_subject_about(s, &f, NULL) != NUMEL_OK) f.symbols = f.terms = f.lines = 0;
    return f;
}

#endif

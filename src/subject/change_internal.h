/* change_internal.h -- shared by change*.c. */
#ifndef NUMEL_SUBJECT_CHANGE_INTERNAL_H
#define NUMEL_SUBJECT_CHANGE_INTERNAL_H

#include "subject/change.h"

#include "base/text.h"
#include "model/proposals.h"

struct changing {
    struct change *out;
    struct handle *c;
    const struct model *m;
    const struct differences *d;
    struct arena *arena, scratch;
    const struct causes *loaders;
    numel_error *error;
};

/* Adds a cause; differences are marked with *number afterwards. *number is CHANGE_NONE if there is no
 * room. If `text` is NULL: NOMEM, false. */
NUMEL_MUST bool change_add(struct changing *g, const char *code, const char *text, uint32_t *number);
/* Marks the i-th difference, counting gaps first, as explained by a cause, unless it already has one. */
void change_mark(struct changing *g, size_t i, uint32_t cause);
static inline bool change_is_open(const struct changing *g, size_t i)
{
    return (i < g->out->gap_count ? g->out->gaps[i] : g->out->unexpected[i - g->out->gap_count]) ==
           CHANGE_NONE;
}

/* Adds the loader's cause with that code; *number is CHANGE_NONE if there is none. */
NUMEL_MUST bool change_loader(struct changing *g, const char *code, uint32_t *number);
static inline numel_str change_name_of(const struct changing *g, size_t i)
{
    if (i < g->out->gap_count) return g->d->gaps[i].name;
    return g->m->ck->registry.tensors[g->d->unexpected[i - g->out->gap_count]].name;
}

/* change_words.c: a proposal as a sentence; NULL: NOMEM. */
NUMEL_MUST const char *proposal_text(struct changing *g, const struct proposals *p);
NUMEL_MUST const char *other_text(struct changing *g, const struct proposals *p);

/* change_prefix.c: names that fit under another prefix. change_kinds.c: the rest. NOMEM. */
NUMEL_MUST bool change_prefixes(struct changing *g);
NUMEL_MUST bool change_kinds(struct changing *g);

#endif

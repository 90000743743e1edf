/* training_section.c -- "training": the parts of a checkpoint of training, each with its tensors, elements and bytes. */
#include "model/training.h"

#include "model/tensor.h"
#include "reporter/sections.h"

struct single_parts {
    const struct training *t;
    enum training_part rows[TRAINING_PARTS];
};

static const struct column columns[] = {
    { "part", "part", COLUMN_NAME },
    { "tensors", "tensors", COLUMN_RIGHT },
    { "elements", "elements", COLUMN_RIGHT },
    { "bytes", "size", COLUMN_RIGHT },
    { NULL, "", COLUMN_NOTE },
};

static const char *note(enum training_part p)
{
    static const char *const notes[TRAINING_PARTS] = {
        NULL,
        "moments, each of its weight's shape",
        "a copy of the weights that follows them",
        "scalars",
        "of no weight, of another shape or type than its weight asks for, or a part of what belongs together",
        "of an optimizer that is not known, beside their weights"
    };
    return notes[p];
}

static void row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct single_parts *p = ctx;
    const struct training_sum *s = &p->t->sums[p->rows[i]];
    (void)depth;
    c[0] = CELL_T(training_name(p->rows[i]));
    c[1] = CELL_U(CELL_COUNT, s->tensors);
    c[2] = CELL_U(CELL_COUNT, s->elements);
    c[3] = CELL_U(CELL_BYTES, s->bytes);
    if (note(p->rows[i])) c[4] = CELL_T(note(p->rows[i]));
}

bool training_section(struct numel_report *r, const struct model *m, numel_error *e)
{
    const struct training *t = model_training(m);
    size_t n = 0;
    if (!t->any) return true;
    struct single_parts *p = arena_alloc(&r->arena, sizeof *p);
    if (!p) return error_nomem(e);
    p->t = t;
    for (int i = 0; i < TRAINING_PARTS; i++)
        if (t->sums[i].tensors) p->rows[n++] = (enum training_part)i;
    report_section(r, &(struct section){ .key = "training",
                                         .title = "",
                                         .form = SECTION_LIST,
                                         .headed = true,
                                         .columns = columns,
                                         .column_count = sizeof columns / sizeof *columns,
                                         .rows = n,
                                         .row = row,
                                         .ctx = p });
    return true;
}

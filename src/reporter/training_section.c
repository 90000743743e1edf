/* training_section.c -- "training": the parts of a training checkpoint, each with its tensors, elements
 * and bytes. */
#include "model/training.h"

#include "model/tensor.h"
#include "reporter/sections.h"

struct part_row {
    const char *part, *note;
    const struct training_sum *sum;
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

static const struct table table =
    TABLE("training", "", SECTION_LIST, TABLE_HEADED, NULL,
          { "part", "part", COLUMN_NAME, AT(CELL_TEXT, struct part_row, part) },
          { "tensors", "tensors", COLUMN_RIGHT, VIA(CELL_COUNT, struct part_row, sum, tensors) },
          { "elements", "elements", COLUMN_RIGHT, VIA(CELL_COUNT, struct part_row, sum, elements) },
          { "bytes", "size", COLUMN_RIGHT, VIA(CELL_BYTES, struct part_row, sum, bytes) },
          { NULL, "", COLUMN_NOTE, AT(CELL_TEXT, struct part_row, note) });

bool training_section(struct numel_report *r, const struct model *m, numel_error *e)
{
    const struct training *t = model_training(m);
    size_t n = 0;
    if (!t->any) return true;
    struct part_row *rows = arena_alloc(&r->arena, TRAINING_PARTS * sizeof *rows);
    if (!rows) return error_nomem(e);
    for (enum training_part i = 0; i < TRAINING_PARTS; i++)
        if (t->sums[i].tensors) rows[n++] = (struct part_row){ training_name(i), note(i), &t->sums[i] };
    report_list(r, &table, ROWS(rows, n), NULL);
    return true;
}

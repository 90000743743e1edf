/*
 * around_section.c -- "around": what else lies in a folder and holds weights, none of which is counted.
 *
 *     also here       holds                                                         files      size
 *     checkpoint-500  a checkpoint of training, LlamaForCausalLM: safetensors           2  86.8 KiB
 *     onnx            ONNX model                                                        1     2 GiB
 */
#include "reporter/sections.h"

#include "reader/around.h"
#include "base/text.h"

struct rows {
    struct around around;
    const char **what;
};

static const char *kind_name(enum around_kind kind)
{
    static const char *const names[] = { "other", "training", "copy", "model", "adapter", "components" };
    return names[kind];
}

static void fill_row(struct table_row *row, struct cell *c)
{
    const struct rows *r = row->of;
    const struct around_item *x = row->item;
    c[1] = CELL_T(kind_name(x->kind));
    c[3] = CELL_T(r->what[row->i]);
}

static const struct table table = TABLE(
    NULL, "", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, fill_row,
    { "place", "also here", COLUMN_NAME, AT(CELL_STR, struct around_item, place) }, { "kind", NULL, 0, MADE },
    { "class", NULL, 0, AT(CELL_STR, struct around_item, class) }, { NULL, "not counted", 0, MADE },
    { "files", "files", COLUMN_RIGHT | COLUMN_RANK(4), AT(CELL_COUNT, struct around_item, files) },
    { "bytes", "size", COLUMN_RIGHT, AT(CELL_BYTES, struct around_item, bytes) });

/* "a checkpoint of training, LlamaForCausalLM: safetensors, PyTorch file" */
NUMEL_MUST static const char *say(const struct around_item *x, struct arena *a)
{
    static const char *const words[] = {
        "",           "a checkpoint of training", "the same model by its config.json", "",
        "an adapter", "a model of components"
    };
    struct buffer b;
    char class[TEXT_QUOTE];
    bool states = x->kind == AROUND_TRAINING && x->files == 1; /* what they are says all */
    buffer_init(&b, a->memory);
    buffer_text(&b, states ? "" : words[x->kind]);
    if (x->class) buffer_format(&b, "%s%s", b.n ? ", " : "", text_bare(class, text_of(x->class)));
    for (size_t k = 0; k < AROUND_FORMS && x->forms[k]; k++)
        buffer_format(&b, "%s%s", k ? ", " : b.n ? ": " : "", x->forms[k]);
    return buffer_keep(&b, a);
}

bool around_section(struct numel_report *out, const char *dir, const numel_found *told, bool text,
                    numel_error *e)
{
    struct rows *r = arena_alloc(&out->arena, sizeof *r);
    if (!r) return error_nomem(e);
    *r = (struct rows){ .what = NULL };
    if (dir && !around_list(&r->around, dir, told, &out->arena, e)) return false;
    r->what = arena_alloc(&out->arena, (r->around.count + 1) * sizeof *r->what);
    if (!r->what) return error_nomem(e);
    for (size_t i = 0; i < r->around.count; i++)
        if (!(r->what[i] = say(&r->around.items[i], &out->arena))) return error_nomem(e);
    if (text && !r->around.count) return true;
    report_list(out, &table, ROWS(r->around.items, r->around.count), r)->is.key = text ? NULL : "around";
    return true;
}

/*
 * around_section.c -- "around": other contents of a folder that hold weights, and are not counted.
 *
 *     also here       holds                                                         files      size
 *     checkpoint-500  a checkpoint of training, LlamaForCausalLM: safetensors           2  86.8 KiB
 *     onnx            ONNX model                                                        1     2 GiB
 */
#include "reporter/sections.h"

#include "reader/around.h"
#include "base/text.h"

static const char *kind_name(enum around_kind kind)
{
    static const char *const names[] = { "other", "training", "copy", "model", "adapter", "components" };
    return names[kind];
}

static void fill_row(struct table_row *row, struct cell *c)
{
    c[1] = CELL_T(kind_name(((const struct around_item *)row->item)->kind));
}

static const struct table table =
    TABLE(NULL, "", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, fill_row,
          { "place", "also here", COLUMN_NAME, AT(CELL_STR, struct around_item, place) },
          { "kind", NULL, 0, MADE }, { "class", NULL, 0, AT(CELL_STR, struct around_item, class) },
          { NULL, "not counted", 0, AT(CELL_TEXT, struct around_item, said) },
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
    bool states = x->kind == AROUND_TRAINING && x->files == 1; /* the format says it all */
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
    struct around all = { .count = 0 };
    if (dir && !around_list(&all, dir, told, &out->arena, e)) return false;
    for (size_t i = 0; i < all.count; i++)
        if (!(all.items[i].said = say(&all.items[i], &out->arena))) return error_nomem(e);
    if (text && !all.count) return true;
    report_list(out, &table, ROWS(all.items, all.count), NULL)->is.key = text ? NULL : "around";
    return true;
}

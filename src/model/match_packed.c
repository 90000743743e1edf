/*
 * match_packed.c -- turns the rows that a layout stores (model/packed.h) into matches: the tensor that
 * represents the weight is assigned to its row, and those next to it get their own causes.
 */
#include "model/match_internal.h"

#include "model/model_internal.h"
#include "model/tensor.h"

#include "source/stream.h"

static uint32_t find_name(void *ctx, numel_str name)
{
    return naming_find(&((struct match *)ctx)->model->inner->naming, name);
}

static bool may_find(void *ctx, numel_str name)
{
    const struct naming *n = &((struct match *)ctx)->model->inner->naming;
    return patterns_find(&n->registry->patterns, name) != UINT32_MAX || naming_may_find(n, name);
}

/* Reads from the bytes that a header-only copy keeps, which are loaded once. */
static bool read_kept(struct model *m, const numel_tensor *t, uint8_t *out)
{
    const numel_checkpoint *ck = m->ck;
    numel_error e = { 0 };
    if (!m->inner->kept) {
        m->inner->kept = arena_alloc(&m->arena, ck->file_count * sizeof *m->inner->kept);
        for (size_t i = 0; m->inner->kept && i < ck->file_count; i++)
            m->inner->kept[i] = (struct kept){ NULL, 0 };
        for (size_t i = 0; m->inner->kept && i < ck->file_count; i++)
            if (ck->files[i].header_only && !kept_load(&m->inner->kept[i], ck->files[i].path, &m->arena, &e))
                break;
    }
    return m->inner->kept && kept_find(&m->inner->kept[t->file], t->offset, (size_t)t->bytes, out);
}

bool model_read_tensor(void *model, uint32_t tensor, uint8_t out[WITNESS_DATA], size_t *n)
{
    struct model *m = model;
    const numel_tensor *t = &m->ck->registry.tensors[tensor];
    const numel_file *f = &m->ck->files[t->file];
    struct stream s;
    numel_error e = { 0 };
    if (t->bytes == 0 || t->bytes > WITNESS_DATA) return false;
    *n = (size_t)t->bytes;
    if (f->header_only) return read_kept(m, t, out);
    if (f->compressed || f->data != NUMEL_DATA_PRESENT || !stream_open(&s, f->path, &e)) return false;
    bool ok = stream_read(&s, t->offset, out, *n, &e);
    return stream_close(&s, &e) && ok;
}

NUMEL_MUST static bool read_data(void *ctx, uint32_t tensor, uint8_t out[WITNESS_DATA], size_t *n)
{
    return model_read_tensor(((struct match *)ctx)->model, tensor, out, n);
}

static bool meta_text(const struct model *m, numel_str name, numel_str *text)
{
    uint32_t i = names_find(&m->inner->by_meta, m->ck->metadata.entries, name);
    if (i == NAMES_ABSENT || m->ck->metadata.entries[i].type != META_STRING) return false;
    *text = m->ck->metadata.entries[i].value.s;
    return true;
}

/* Looks up the name itself, then the name with one of the file's prefixes added or removed. */
bool model_read_meta(void *model, numel_str name, numel_str *text)
{
    const struct model *m = model;
    const struct naming *n = &m->inner->naming;
    char full[LAYOUT_NAME];
    if (!m->ck->metadata.count) return false;
    if (meta_text(m, name, text)) return true;
    for (unsigned i = 0; n->loose && i < n->prefix_count; i++) {
        numel_str p = n->prefixes[i], longer = text_join(full, sizeof full, p, name, (numel_str){ NULL, 0 });
        if (longer.p && meta_text(m, longer, text)) return true;
        bool begins = name.n > p.n && memcmp(name.p, p.p, p.n) == 0;
        if (begins && meta_text(m, text_from(name, p.n), text)) return true;
    }
    return false;
}

static bool read_meta(void *ctx, numel_str name, numel_str *text)
{
    return model_read_meta(((struct match *)ctx)->model, name, text);
}

bool match_claimed(const struct match *m, uint32_t tensor)
{
    return m->packed.tensors[tensor].row != NAMES_ABSENT;
}

static void take_value(struct match *m, uint32_t row, enum cause cause)
{
    const struct packed_row *r = &m->packed.rows[row];
    if (r->value == NAMES_ABSENT) return;
    const struct site *s = &m->model->x->sites[m->model->x->rows[row].site];
    const numel_tensor *t = &m->model->ck->registry.tensors[r->value];
    bool fits = m->packed.tensors[r->value].fits,
         same = t->elements == s->elements && !r->open; /* 8 bits: one value per element */
    enum fit fit = !fits ? FIT_WRONG : same ? FIT_SAME : FIT_PACKED;
    m->rows[row] = (struct row_match){ .tensor = r->value, .fit = (uint8_t)fit };
    m->tensors[r->value] =
        (struct tensor_match){ row, (uint8_t)cause, (uint8_t)fit,
                               fits && !r->open && !m->model->ck->named ? GROUND_SHAPE : GROUND_NAME };
}

/* Scales and similar tensors are never parameters, whatever their type. */
static void take_beside(struct match *m, uint32_t tensor)
{
    const struct packed_tensor *p = &m->packed.tensors[tensor];
    bool bias = p->role == LAYOUT_BIAS;
    bool proven =
        p->fits && !m->model->ck->named && (p->row == PACKED_BESIDE || !m->packed.rows[p->row].open);
    m->tensors[tensor] = (struct tensor_match){
        NAMES_ABSENT,
        bias ? CAUSE_QUANT_BIAS : CAUSE_SIDECAR,
        p->fits ? FIT_SAME : FIT_WRONG,
        proven ? GROUND_SHAPE : GROUND_NAME,
    };
}

bool match_packed(struct match *m, const uint32_t *own, const uint32_t *tensor, numel_error *e)
{
    struct model *model = m->model;
    struct packed_file file = { .registry = &model->ck->registry,
                                .find = find_name,
                                .may = may_find,
                                .members = &model->inner->naming.members,
                                .read = read_data,
                                .meta = read_meta,
                                .keyed = model->inner->meta_dotted,
                                .dotted = registry_dotted(&model->ck->registry),
                                .full = model->ck->full,
                                .named = model->ck->named != NULL,
                                .ctx = m };
    bool may = !model_is_gguf(model); /* GGUF types contain their scales */
    if (!packed_make(&m->packed, model->x, model->config, may ? model->library : NULL, &file, own, tensor,
                     &model->made, e))
        return false;
    for (uint32_t i = 0; i < model->ck->registry.count; i++)
        if (match_claimed(m, i)) take_beside(m, i);
    for (uint32_t r = 0; r < model->x->row_count; r++)
        if (m->packed.rows[r].form)
            take_value(m, r, match_cause_of(&model->x->sites[model->x->rows[r].site]));
    return true;
}

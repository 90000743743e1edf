/*
 * leftover.c -- the cause of a tensor that no spec expects.
 *
 * The meaning of its name (meaning.h) is the last resort. Facts come first: it is in two files; it is one of
 * llama.cpp's scales and has the right number of elements; or its name would be expected with a lower layer
 * or expert number.
 *
 * This file also finds packed weights that no layout describes, by name alone (leftover_packed). The evidence
 * is a tensor "P.qweight" where the spec expects "P.weight"; if each value takes a whole number of bits,
 * match.c also compares the sizes of both. Scales are not checked and shapes are not solved, so the ground is
 * `name`, which proves nothing. A layout for the quantizer makes this unnecessary.
 */
#include "base/text.h"
#include "model/match_internal.h"

#include "model/meaning.h"
#include "model/model_internal.h"

#include "registry/dtype.h"

static uint32_t find_instead(struct match *m, numel_str stem, const char *joint, const char *end)
{
    char name[512];
    numel_str other = text_join(name, sizeof name, stem, text_of(joint), text_of(end));
    return other.p ? naming_find(&m->model->inner->naming, other) : NAMES_ABSENT;
}

/* The tensor whose name has that ending: instead of "weight" ("P.qweight"), or, if the ending begins with
 * `*`, appended to the whole name ("P.weight_scale_inv", "gate_up_proj_blocks"). */
static uint32_t find_end(struct match *m, numel_str name, const char *end)
{
    if (*end == '*') return find_instead(m, name, "", end + 1);
    text_take_end(&name, ".weight");
    return find_instead(m, name, ".", end);
}

bool leftover_has_sidecar(struct match *m, numel_str name)
{
    const struct embedded_sidecar *s = embedded_sidecars, *end = s + embedded_sidecar_count;
    while (s < end && (s->role == LAYOUT_VALUE || find_end(m, name, s->end) == NAMES_ABSENT)) s++;
    return s < end;
}

void leftover_look(struct match *m)
{
    const struct naming *n = &m->model->inner->naming;
    for (uint32_t i = 0; embedded_sidecars[i].role == LAYOUT_VALUE; i++) {
        numel_str end = text_of(embedded_sidecars[i].end);
        if (*end.p == '*') end = text_from(end, 1);
        bool there = n->more_ends || registry_ends(n->registry, end);
        for (unsigned k = 0; !there && k < n->end_count; k++)
            there = text_same(text_tail(n->ends[k], end.n), end);
        if (there) m->packed_ends |= UINT64_C(1) << i % 64;
    }
}

uint32_t leftover_packed(struct match *m, numel_str expected, bool *even)
{
    bool weight = text_ends(expected, ".weight");
    uint32_t t = NAMES_ABSENT;
    const struct embedded_sidecar *s = embedded_sidecars;
    *even = true;
    for (uint32_t i = 0; m->packed_ends && t == NAMES_ABSENT && s[i].role == LAYOUT_VALUE; i++) {
        if (!(m->packed_ends >> i % 64 & 1) || (*s[i].end != '*') != weight) continue;
        t = find_end(m, expected, s[i].end);
        *even = s[i].even;
    }
    return t;
}

/* Some GPTQ writers add a bias to each packed weight, even if the model has none. */
static bool quantizer_bias(const struct match *m, numel_str name)
{
    char text[512];
    if (!text_ends(name, ".bias")) return false;
    numel_str weight =
        text_join(text, sizeof text, text_less(name, 5), text_of(".qweight"), (numel_str){ NULL, 0 });
    return weight.p && registry_find(&m->model->ck->registry, weight) != NULL;
}

/* The site expected under the tensor's name; NULL if there is none or t is NAMES_ABSENT. */
static const struct site *site_of(struct match *m, uint32_t t)
{
    uint32_t row = t == NAMES_ABSENT ? NAMES_ABSENT : m->tensors[t].row;
    if (row == NAMES_ABSENT && t != NAMES_ABSENT) row = m->packed.tensors[t].row;
    return row < m->model->x->row_count ? &m->model->x->sites[m->model->x->rows[row].site] : NULL;
}

/* The site whose name has `number` instead of the digits at `at`; NULL if the spec expects no such name. */
static const struct site *renumbered(struct match *m, numel_str name, size_t at, size_t digits,
                                     int64_t number)
{
    char full[600], middle[TEXT_NUMBER];
    text_format(middle, sizeof middle, "%" PRId64, number);
    numel_str other = text_join(full, sizeof full, (numel_str){ name.p, at }, text_of(middle),
                                text_from(name, at + digits));
    return site_of(m, other.p ? naming_find(&m->model->inner->naming, other) : NAMES_ABSENT);
}

/* Finds a number above the configuration's in a name that would be expected with a lower one. The first
 * number of a name is a layer's, a later one an expert's. */
static enum cause beyond(struct match *m, numel_str name)
{
    bool first = true;
    for (size_t i = 0; i < name.n; i++) {
        size_t digits = 0;
        int64_t v = 0;
        if (i > 0 && name.p[i - 1] != '.') continue;
        while (i + digits < name.n && digits < 9 && name.p[i + digits] >= '0' && name.p[i + digits] <= '9')
            v = v * 10 + (name.p[i + digits++] - '0');
        if (digits == 0) continue;
        if (first && v >= m->layers)
            return renumbered(m, name, i, digits, m->layers - 1) || renumbered(m, name, i, digits, 0)
                       ? CAUSE_EXTRA_LAYER
                       : CAUSE_UNKNOWN;
        const struct site *s = first ? NULL : renumbered(m, name, i, digits, 0);
        if (s && s->rows > 1 && v >= (int64_t)s->rows) return CAUSE_EXTRA_EXPERT;
        first = false;
    }
    return CAUSE_UNKNOWN;
}

/* True for the layer weights whose scales llama.cpp looks for in every architecture. */
static bool has_gguf_scales(numel_str weight)
{
    static const char names[] =
        "attn_q attn_k attn_v attn_output attn_qkv attn_gate ffn_gate ffn_down ffn_up "
        "ffn_gate_shexp ffn_down_shexp ffn_up_shexp ffn_gate_exps ffn_down_exps ffn_up_exps "
        "ssm_in ssm_out ssm_alpha ssm_beta nextn.eh_proj nextn.shared_head_head";
    return text_take_start(&weight, "blk.") && text_is_number(text_cut(&weight, '.')) &&
           text_take_end(&weight, ".weight") && text_lists(text_of(names), weight);
}

/* llama.cpp has an F32 scale for the weight of a linear map, "P.scale", and another for its input; one per
 * expert if they are stacked. Its converter writes one for weights that it converts to NVFP4, unless the
 * scale is 1. Returns false if `t` may be a scale, but the weight is missing or not expected. */
static bool beside_weight(struct match *m, const numel_tensor *t, bool *fits)
{
    size_t end = text_ends(t->name, ".input_scale") ? 12 : text_ends(t->name, ".scale") ? 6 : 0;
    if (!model_is_gguf(m->model) || end == 0) return false;
    uint32_t weight = find_instead(m, text_less(t->name, end), "", ".weight");
    if (weight == NAMES_ABSENT) return false;
    const struct site *s = site_of(m, weight);
    const numel_tensor *w = &m->model->ck->registry.tensors[weight];
    bool map = s && (s->kind == TENSOR_LIN || s->stacked);
    *fits = (has_gguf_scales(w->name) || (map && strcmp(w->dtype->name, "NVFP4") == 0)) && t->ndim <= 1 &&
            t->elements == (w->ndim == 3 ? w->dims[0] : 1) && strcmp(t->dtype->name, "F32") == 0;
    return s || !*fits;
}

/* The cause by the name alone. Scales only mean something next to packed weights. */
static enum cause meant_cause(const struct meaning *w, bool scales)
{
    if (scales && w->sidecar && w->sidecar->role != LAYOUT_VALUE) return CAUSE_SIDECAR;
    switch (w->kind->kind) {
    case KIND_ADAPTER: return CAUSE_LORA;
    case KIND_ROPE: return CAUSE_ROPE;
    case KIND_LEFTOVER: return CAUSE_LEFTOVER;
    case KIND_BUFFER: return CAUSE_BUFFER;
    default: break;
    }
    if (w->maybe->kind == KIND_LEFTOVER) return CAUSE_LEFTOVER;
    switch (w->place->place) {
    case PLACE_MTP: return CAUSE_EXTRA;
    case PLACE_TOWER: return CAUSE_TOWER;
    case PLACE_TASK: return CAUSE_HEAD;
    default: return CAUSE_UNKNOWN;
    }
}

/* True in a tower that the spec itself declares, rather than another model's. */
static bool in_own_tower(const struct spec *spec, numel_str name)
{
    for (unsigned i = 0; i < spec->tower_count; i++)
        if (text_starts(name, spec->towers[i])) return true;
    return false;
}

enum cause leftover_cause(struct match *m, uint32_t tensor, enum ground *ground)
{
    const numel_tensor *t = &m->model->ck->registry.tensors[tensor];
    numel_str name = t->name;
    bool fits;
    *ground = GROUND_NAME;
    if (t->flags & NUMEL_REPEATED) return CAUSE_REPEATED;
    if (beside_weight(m, t, &fits)) {
        *ground = fits ? GROUND_SHAPE : GROUND_NONE;
        return fits ? CAUSE_SIDECAR : CAUSE_UNKNOWN;
    }
    /* tensors that no layout has claimed belong to no weight */
    bool layouts = m->packed.described || (m->packed.modules && !m->named);
    if (!layouts && quantizer_bias(m, name)) return CAUSE_QUANT_BIAS;
    struct meaning meant = meanings_at(&m->model->inner->meanings, tensor);
    enum cause by_name = meant_cause(&meant, !layouts && m->quantized);
    if (by_name == CAUSE_TOWER && in_own_tower(m->model->spec, name)) by_name = CAUSE_UNKNOWN;
    enum cause c = by_name != CAUSE_SIDECAR && m->layers > 0 ? beyond(m, name) : CAUSE_UNKNOWN;
    if (c == CAUSE_UNKNOWN) c = by_name;
    if (c == CAUSE_UNKNOWN) *ground = GROUND_NONE;
    return c;
}

/*
 * adapter_parts.c -- the tensors that make up the change of one weight, by method: their names, and whose they are.
 *
 * A row is what stands behind the name of the module that is changed. Which shapes the parts of a change have, and how
 * they hang together: adapter_forms.c.
 */
#include "adapter/adapter_parts_internal.h"

#include "model/meanings.h"
#include "statement/line.h"
#include "base/num.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

#define ROWS(t) (sizeof(t) / sizeof *(t))

/* ---- names -------------------------------------------------------------------------------- */

const struct part_row adapter_part_rows[] = {
    { "lora_A", A, 0, false, "lora", NULL, NULL },
    { "lora_B", B, 0, false, "lora", NULL, NULL },
    { "lora_embedding_A", A, 1, false, "lora", NULL, NULL },
    { "lora_embedding_B", B, 1, false, "lora", NULL, NULL },
    { "lora_down", A, 2, false, "lora", NULL, NULL },
    { "lora_up", B, 2, false, "lora", NULL, NULL },
    { "lora_mid", MID, 2, false, "lora", NULL, NULL },
    { "lora.down", A, 3, false, "lora", NULL, NULL },
    { "lora.up", B, 3, false, "lora", NULL, NULL },
    { "lora_linear_layer.down", A, 4, false, "lora", NULL, NULL },
    { "lora_linear_layer.up", B, 4, false, "lora", NULL, NULL },
    { "lora_a", SMALL_A, 5, false, "lora", NULL, NULL },
    { "lora_b", SMALL_B, 5, false, "lora", NULL, NULL },
    { "lora_magnitude_vector", MAGNITUDE, 0, false, "lora", NULL, NULL },
    { "dora_scale", MAGNITUDE, 2, false, NULL, NULL, NULL },
    { "m", MAGNITUDE, 5, false, NULL, NULL, NULL },
    { "hada_w1_a", W1A, 2, false, "loha", NULL, NULL },
    { "hada_w1_b", W1B, 2, false, "loha", NULL, NULL },
    { "hada_w2_a", W2A, 2, false, "loha", NULL, NULL },
    { "hada_w2_b", W2B, 2, false, "loha", NULL, NULL },
    { "hada_t1", HT1, 2, false, "loha", NULL, NULL },
    { "hada_t2", HT2, 2, false, "loha", NULL, NULL },
    { "lokr_w1", K1, 2, false, "lokr", NULL, NULL },
    { "lokr_w1_a", K1A, 2, false, "lokr", NULL, NULL },
    { "lokr_w1_b", K1B, 2, false, "lokr", NULL, NULL },
    { "lokr_w2", K2, 2, false, "lokr", NULL, NULL },
    { "lokr_w2_a", K2A, 2, false, "lokr", NULL, NULL },
    { "lokr_w2_b", K2B, 2, false, "lokr", NULL, NULL },
    { "lokr_t2", KT2, 2, false, "lokr", NULL, NULL },
    { "diff", DIFF, 2, true, "full", NULL, NULL },
    { "diff_b", DIFF_B, 2, true, "full", NULL, NULL },
    { "a modulation's diff_m", DIFF_M, 2, true, "full", NULL, NULL }, /* chosen below */
    { "set_weight", DIFF, 2, true, "full", NULL, NULL },              /* ComfyUI's: put in its place */
    { "w_norm", NORM, 2, true, "full", NULL, NULL },
    { "b_norm", NORM_B, 2, true, "full", NULL, NULL },
    { "a1", G1, 2, true, "glora", NULL, NULL },
    { "a2", G2, 2, true, "glora", NULL, NULL },
    { "b1", G3, 2, true, "glora", NULL, NULL },
    { "b2", G4, 2, true, "glora", NULL, NULL },
    { "oft_blocks", OFT, 2, true, "oft", NULL, NULL },
    { "rescale", RESCALE, 2, true, "oft", NULL, NULL },
    { "weight", IA3, 2, true, "ia3", NULL, NULL },
    { "on_input", ON_INPUT, 2, true, "ia3", NULL, NULL },
    { "ia3_l", IA3_L, 0, false, "ia3", NULL, NULL },
    { "oft_R.scaled_oft", OFT_SCALED, 0, false, "oft", NULL, NULL },
    { "oft_R", OFT_R, 0, false, "oft", NULL, NULL },
    { "down", A, 6, true, "lora", NULL, NULL },
    { "up", B, 6, true, "lora", NULL, NULL },
    { "boft_R", BOFT, 0, false, "boft", NULL, NULL },
    { "boft_s", BOFT_S, 0, false, "boft", NULL, NULL },
    { "hra_u", HRA, 0, false, "hra", NULL, NULL },
    { "lora_E", LORA_E, 0, false, "adalora", NULL, NULL },
    { "ln_tuning_layers", NORM, 0, false, "ln_tuning", NULL, NULL },
    { "trainable_tokens_delta", TOKENS, 0, false, "trainable_tokens", NULL, NULL },
    { "c3a_kernel", C3A, 0, false, "c3a", NULL, NULL },
    { "miss_block", MISS, 0, false, "miss", NULL, NULL },
    { "hira_A", A, 7, false, "hira", NULL, NULL },
    { "hira_B", B, 7, false, "hira", NULL, NULL },
    { "deft_R", A, 8, false, "deft", NULL, NULL },
    { "deft_P", B, 8, false, "deft", NULL, NULL },
    { "delora_A", A, 9, false, "delora", NULL, NULL },
    { "delora_B", B, 9, false, "delora", NULL, NULL },
    { "delora_lambda", DELORA_L, 9, false, "delora", NULL, NULL },
    { "delora_w_norm", DELORA_N, 9, false, "delora", NULL, NULL },
    { "gralora_A", GRA_A, 10, false, "gralora", NULL, NULL },
    { "gralora_B", GRA_B, 10, false, "gralora", NULL, NULL },
    { "beft_bias", BEFT, 0, false, "beft", NULL, NULL },
    { "pvera_lambda_b", VERA_B, 0, false, "pvera", NULL, NULL },
    { "pvera_lambda_d", PVERA_D, 0, false, "pvera", NULL, NULL },
    { "vera_lambda_b", VERA_B, 0, false, "vera", NULL, NULL },
    { "vera_lambda_d", VERA_D, 0, false, "vera", NULL, NULL },
    { "fourierft_spectrum", SPECTRUM, 0, false, "fourierft", "n_frequency", NULL },
    { "waveft_spectrum", SPECTRUM, 0, false, "waveft", "n_frequency", "proportional_parameters" },
    { "vblora_logits_A", VB_A, 11, false, "vblora", "vector_length", NULL },
    { "vblora_logits_B", VB_B, 11, false, "vblora", "vector_length", NULL },
    { "vblora_logits_A_topk_indices", VB_A_WHICH, 12, false, "vblora", "vector_length", NULL },
    { "vblora_logits_A_topk_weights", VB_A_TOP, 12, false, "vblora", "vector_length", NULL },
    { "vblora_logits_B_topk_indices", VB_B_WHICH, 12, false, "vblora", "vector_length", NULL },
    { "vblora_logits_B_topk_weights", VB_B_TOP, 12, false, "vblora", "vector_length", NULL },
    { "randlora_lambda", RAND_L, 0, false, "randlora", NULL, NULL },
    { "randlora_gamma", RAND_G, 0, false, "randlora", NULL, NULL },
    { "road_theta", ROAD_T, 0, false, "road", "variant", NULL },
    { "road_alpha", ROAD_A, 0, false, "road", "variant", NULL },
    { "gralora_A_general", GRA_A_ALL, 10, false, "gralora", NULL, NULL },
    { "gralora_B_general", GRA_B_ALL, 10, false, "gralora", NULL, NULL },
    { "q_layer", T_Q, 13, true, "tlora", NULL, NULL },
    { "p_layer", T_P, 13, true, "tlora", NULL, NULL },
    { "lambda_layer", T_L, 13, true, "tlora", NULL, NULL },
    { "peanut_A", PEANUT_A, 14, false, "peanut", NULL, NULL },
    { "peanut_B", PEANUT_B, 14, false, "peanut", NULL, NULL },
    { "lily_A", A, 15, false, "lily", NULL, NULL },
    { "lily_B", LILY_B, 15, false, "lily", NULL, NULL },
    { "lily_router", LILY_R, 15, false, "lily", NULL, NULL },
    { "psoft_R.vector_a", PSOFT_A, 16, false, "psoft", "r", NULL },
    { "psoft_R.vector_b", PSOFT_B, 16, false, "psoft", "r", NULL },
    { "psoft_R", PSOFT_R, 16, false, "psoft", "r", NULL },
    { "osf_svd_params.U_low", OSF_U, 17, false, "osf", NULL, NULL },
    { "osf_svd_params.S_low", OSF_S, 17, false, "osf", NULL, NULL },
    { "osf_svd_params.V_low", OSF_V, 17, false, "osf", NULL, NULL },
    { "poly_lora_A", POLY_A, 18, false, "poly", NULL, NULL },
    { "poly_lora_B", POLY_B, 18, false, "poly", NULL, NULL },
    { "poly_router.module_logits", POLY_R, 18, false, "poly", NULL, NULL },
    /* chosen below: their names are those of others with another end */
    { "a bias of lora_B", BIAS, 0, true, "lora", NULL, NULL },
    { "a bias of ln_tuning_layers", NORM_B, 0, true, "ln_tuning", NULL, NULL },
    { NULL, 0, 0, false, NULL, NULL, NULL },
};

/* PEFT writes the wrapped model's names behind its own. */
static numel_str unwrapped(numel_str module)
{
    static const char *const prefixes[] = { "base_model.model.", "base_model." };
    for (size_t i = 0; i < ROWS(prefixes); i++) {
        size_t n = strlen(prefixes[i]);
        if (module.n > n && memcmp(module.p, prefixes[i], n) == 0) return text_from(module, n);
    }
    return module;
}

/* "direction.12" of a control vector: what is added to the states behind layer 12. */
bool part_is_direction(const struct adapter *a, numel_str name)
{
    static const char stem[] = "direction.";
    size_t n = sizeof stem - 1;
    if (!a->vector || name.n <= n || memcmp(name.p, stem, n) != 0 || name.p[n] == '0') return false;
    while (n < name.n && isdigit((unsigned char)name.p[n])) n++;
    return n == name.n;
}

/* Kohya and LyCORIS write a module's name with no dot in it: where it ends, 0 for another name. */
static size_t kohya_stem(numel_str name)
{
    const char *dot = name.n ? memchr(name.p, '.', name.n) : NULL;
    bool own = text_starts(name, "lora_unet_") || text_starts(name, "lora_te") ||
               text_starts(name, "lora_transformer_") || text_starts(name, "lycoris_") ||
               text_starts(name, "Hunyuan_video_I2V_lora_");
    return dot && own ? (size_t)(dot - name.p) : 0;
}

/* Whole differences stand behind names with dots too, and XLabs counts the changes of one block: where such a tail
 * begins, 0 for another name. */
static size_t dotted_stem(const struct adapter *a, numel_str name)
{
    static const char *const tails[] = { ".diff", ".diff_b", ".set_weight", ".down.weight", ".up.weight" };
    numel_str pair = name;
    if (a->control && (text_take_end(&pair, ".down") || text_take_end(&pair, ".up"))) return pair.n;
    for (size_t i = 0; i < ROWS(tails); i++) {
        if (!text_ends(name, tails[i])) continue;
        numel_str stem = text_less(name, strlen(tails[i]));
        if (i < 3 || text_ends(stem, "_lora1") || text_ends(stem, "_lora2")) return stem.n;
    }
    return 0;
}

static bool is_linear(const struct part_row *row)
{
    return row->style != 1 && (row->part == A || row->part == B || row->part == MID);
}

/* The tail of a name is a row's, or the row's with the name of an adapter and "weight" or "bias" behind; the name alone
 * only where the part is a parameter and no linear layer. *of is that name. */
static bool tail_is(numel_str tail, const struct part_row *row, numel_str *of)
{
    numel_str end = tail;
    if (!text_take_start(&end, row->tail)) return false;
    bool last = text_take_end(&end, ".weight") || text_take_end(&end, ".bias");
    *of = end;
    bool named = end.n > 1 && end.p[0] == '.' && text_find(end, 1, '.') == end.n;
    return end.n == 0 || (named && (last || !is_linear(row)));
}

static unsigned row_of(const struct adapter *a, numel_str tail, bool own, numel_str *of)
{
    const struct part_row *r = adapter_part_rows;
    for (; r->tail; r++) {
        bool said =
            !r->key || (json_get(a->config, r->key) && !(r->bar && json_true(json_get(a->config, r->bar))));
        if ((own || !r->own) && said && tail_is(tail, r, of)) break;
    }
    return (unsigned)(r - adapter_part_rows);
}

/* PEFT may give a LoRA's second matrix a bias of its own, and trains that of a norm; the row itself: it can have none. */
static unsigned bias_row(unsigned row)
{
    unsigned i = 0, part = adapter_part_rows[row].part;
    bool norm = part == NORM;
    if (!norm && part != A && part != B) return row;
    while (adapter_part_rows[i].part != (norm ? NORM_B : BIAS) ||
           (norm && !part_is_of(i, adapter_part_rows[row].type)))
        i++;
    return i;
}

/* In the words of the table of names (meaning.h): of no part that is known here. */
static struct parted told(const struct meaning_row *row, numel_str module)
{
    struct parted p = { .module = module, .type = row ? row->writer : NULL };
    const char *role = row && row->role ? row->role : "";
    p.wrapped = strcmp(role, "adapter.base") == 0;
    if (strcmp(role, "adapter.factor") == 0) p.role = PART_FACTOR;
    else if (p.wrapped || strcmp(role, "adapter.frozen") == 0) p.role = PART_FROZEN;
    else if (p.type) p.role = PART_OTHER;
    return p;
}

/* PEFT with bias="all" saves the biases of what it wraps: they are trained beside the change. */
static struct parted trained_bias(numel_str name)
{
    struct parted p = { .role = PART_OF_MODULE };
    while (adapter_part_rows[p.part].part != DIFF_B) p.part++;
    p.module = unwrapped(text_less(name, strlen(".base_layer.bias")));
    return p;
}

/* ComfyUI's "blocks.0.diff_m" changes "blocks.0.modulation", which is no layer's weight. */
static struct parted changed_modulation(numel_str name)
{
    struct parted p = { .role = PART_OF_MODULE, .module = unwrapped(name) };
    while (adapter_part_rows[p.part].part != DIFF_M) p.part++;
    p.type = adapter_part_rows[p.part].type;
    return p;
}

/* Of a name whose dots have become '_'. */
static struct parted flat_part(const struct adapter *a, numel_str module, numel_str tail)
{
    struct parted p = { .role = PART_FACTOR, .module = unwrapped(module) };
    if (text_equal(tail, "alpha")) return p;
    p.part = row_of(a, tail, false, &p.of);
    p.type = adapter_part_rows[p.part].type;
    p.role = p.type ? PART_OF_MODULE : PART_NONE;
    return p;
}

/* Of a tensor of its own, or of another table. */
static struct meaning meant(const struct adapter *a, const numel_tensor *t)
{
    const struct registry *r = &a->ck->registry;
    bool own = r->tensors && t >= r->tensors && t < r->tensors + r->count;
    return own ? meanings_at(a->meanings, (size_t)(t - r->tensors)) : meaning_of(t->name);
}

struct parted part_of(const struct adapter *a, const numel_tensor *t)
{
    numel_str name = t->name, flat;
    struct meaning m = meant(a, t);
    const struct meaning_row *row = meaning_adapter(&m);
    size_t own = kohya_stem(name);
    if (!own) own = dotted_stem(a, name);
    size_t stem = names_flat(name, &flat);
    if (stem) return flat_part(a, (numel_str){ name.p, stem }, flat);
    stem = own ? own : row ? m.stem : name.n;
    if (a->control && text_equal(name, "lora_controlnet")) return (struct parted){ .role = PART_MARK };
    if (part_is_direction(a, name)) return (struct parted){ .role = PART_OTHER };
    numel_str tail = text_from(name, stem), module = unwrapped((numel_str){ name.p, stem });
    if (tail.n && stem) tail = text_from(tail, 1);
    struct parted p = told(row, module);
    if (own && text_equal(tail, "alpha")) p.role = PART_FACTOR;
    if (text_ends(name, ".base_layer.bias")) return trained_bias(name);
    if (text_ends(name, ".diff_m")) return changed_modulation(name);
    if (stem == 0 || tail.n == 0 || p.role == PART_FACTOR || p.role == PART_FROZEN) return p;
    text_take_end(&p.module, ".token_adapter");
    p.part = row_of(a, tail, own != 0, &p.of);
    if (!adapter_part_rows[p.part].tail) return p;
    if (text_ends(name, ".bias")) p.part = bias_row(p.part);
    const struct part_row *r = &adapter_part_rows[p.part];
    if (r->type) p.type = r->type;
    p.role = PART_OF_MODULE;
    size_t n = strlen(".weight"); /* of GGUF the module is a tensor */
    if (r->style == 5 && text_ends(p.module, ".weight") && a->ck->files[0].format == NUMEL_GGUF)
        p.module = text_less(p.module, n);
    return p;
}

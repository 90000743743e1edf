/*
 * adapter_parts.c -- the tensors that make up the change of one weight, by method: their names, and how their
 * shapes hang together.
 *
 * A form is a method's way of writing a change: parts, each with its shape in letters. A letter is one size wherever
 * it stands in the module: "ri" and "or" share the rank. `k` is what is left of the axes, multiplied (a kernel; 1 when
 * nothing is left); `.` says that only ones are left, `,` is an axis of one. `t` is half a skew-symmetric block, which
 * counts as the side of that block. `=` stands for as many elements as the weight has out, `~` for
 * as many as out or in; `*` is any shape. Of the forms whose parts are all there the first serves; else the first
 * that has any, and what it lacks is said. `out` and `in` multiply letters; the rank is `r`.
 *
 * Shapes: peft 0.21 and lycoris-lora 4.1, as their classes make them; MLX and llama.cpp as adapter.h has them.
 */
#include "adapter/adapter_internal.h"

#include "model/meaning.h"
#include "statement/line.h"
#include "base/num.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

#define ROWS(t) (sizeof(t) / sizeof *(t))

/* ---- names -------------------------------------------------------------------------------- */

enum part {
    A,
    B,
    MID,
    SMALL_A,
    SMALL_B,
    MAGNITUDE,
    BIAS,
    W1A,
    W1B,
    W2A,
    W2B,
    HT1,
    HT2,
    K1,
    K1A,
    K1B,
    K2,
    K2A,
    K2B,
    KT2,
    DIFF,
    DIFF_B,
    NORM,
    NORM_B,
    G1,
    G2,
    G3,
    G4,
    OFT,
    OFT_R,
    RESCALE,
    IA3,
    ON_INPUT,
    IA3_L,
    BOFT,
    BOFT_S,
    HRA,
    VERA_B,
    VERA_D,
    LORA_E,
    TOKENS,
    C3A,
    MISS,
    DELORA_N,
    DELORA_L,
    GRA_A,
    GRA_B,
    BEFT,
    PVERA_D
};

/* What stands behind the module. `style`: rows whose names stand beside each other; a part that is missing is called
 * by the name of the same style. `own`: a name that says something only where the module is kohya's. */
static const struct part_row {
    const char *tail;
    unsigned part, style;
    bool own;
    const char *type;
} part_rows[] = {
    { "lora_A", A, 0, false, "lora" },
    { "lora_B", B, 0, false, "lora" },
    { "lora_embedding_A", A, 1, false, "lora" },
    { "lora_embedding_B", B, 1, false, "lora" },
    { "lora_down", A, 2, false, "lora" },
    { "lora_up", B, 2, false, "lora" },
    { "lora_mid", MID, 2, false, "lora" },
    { "lora.down", A, 3, false, "lora" },
    { "lora.up", B, 3, false, "lora" },
    { "lora_linear_layer.down", A, 4, false, "lora" },
    { "lora_linear_layer.up", B, 4, false, "lora" },
    { "lora_a", SMALL_A, 5, false, "lora" },
    { "lora_b", SMALL_B, 5, false, "lora" },
    { "lora_magnitude_vector", MAGNITUDE, 0, false, "lora" },
    { "dora_scale", MAGNITUDE, 2, false, NULL },
    { "m", MAGNITUDE, 5, false, NULL },
    { "hada_w1_a", W1A, 2, false, "loha" },
    { "hada_w1_b", W1B, 2, false, "loha" },
    { "hada_w2_a", W2A, 2, false, "loha" },
    { "hada_w2_b", W2B, 2, false, "loha" },
    { "hada_t1", HT1, 2, false, "loha" },
    { "hada_t2", HT2, 2, false, "loha" },
    { "lokr_w1", K1, 2, false, "lokr" },
    { "lokr_w1_a", K1A, 2, false, "lokr" },
    { "lokr_w1_b", K1B, 2, false, "lokr" },
    { "lokr_w2", K2, 2, false, "lokr" },
    { "lokr_w2_a", K2A, 2, false, "lokr" },
    { "lokr_w2_b", K2B, 2, false, "lokr" },
    { "lokr_t2", KT2, 2, false, "lokr" },
    { "diff", DIFF, 2, true, "full" },
    { "diff_b", DIFF_B, 2, true, "full" },
    { "set_weight", DIFF, 2, true, "full" }, /* ComfyUI's: put in its place */
    { "w_norm", NORM, 2, true, "full" },
    { "b_norm", NORM_B, 2, true, "full" },
    { "a1", G1, 2, true, "glora" },
    { "a2", G2, 2, true, "glora" },
    { "b1", G3, 2, true, "glora" },
    { "b2", G4, 2, true, "glora" },
    { "oft_blocks", OFT, 2, true, "oft" },
    { "rescale", RESCALE, 2, true, "oft" },
    { "weight", IA3, 2, true, "ia3" },
    { "on_input", ON_INPUT, 2, true, "ia3" },
    { "ia3_l", IA3_L, 0, false, "ia3" },
    { "oft_R", OFT_R, 0, false, "oft" },
    { "down", A, 6, true, "lora" },
    { "up", B, 6, true, "lora" },
    { "boft_R", BOFT, 0, false, "boft" },
    { "boft_s", BOFT_S, 0, false, "boft" },
    { "hra_u", HRA, 0, false, "hra" },
    { "lora_E", LORA_E, 0, false, "adalora" },
    { "ln_tuning_layers", NORM, 0, false, "ln_tuning" },
    { "trainable_tokens_delta", TOKENS, 0, false, "trainable_tokens" },
    { "c3a_kernel", C3A, 0, false, "c3a" },
    { "miss_block", MISS, 0, false, "miss" },
    { "hira_A", A, 7, false, "hira" },
    { "hira_B", B, 7, false, "hira" },
    { "deft_R", A, 8, false, "deft" },
    { "deft_P", B, 8, false, "deft" },
    { "delora_A", A, 9, false, "delora" },
    { "delora_B", B, 9, false, "delora" },
    { "delora_lambda", DELORA_L, 9, false, "delora" },
    { "delora_w_norm", DELORA_N, 9, false, "delora" },
    { "gralora_A", GRA_A, 10, false, "gralora" },
    { "gralora_B", GRA_B, 10, false, "gralora" },
    { "beft_bias", BEFT, 0, false, "beft" },
    { "pvera_lambda_b", VERA_B, 0, false, "pvera" },
    { "pvera_lambda_d", PVERA_D, 0, false, "pvera" },
    { "vera_lambda_b", VERA_B, 0, false, "vera" },
    { "vera_lambda_d", VERA_D, 0, false, "vera" },
    { "a bias of lora_B", BIAS, 0, true, "lora" }, /* chosen below: its name is B's with another end */
};

/* PEFT writes the wrapped model's names behind its own. */
static numel_str unwrapped(numel_str module)
{
    static const char *const prefixes[] = { "base_model.model.", "base_model." };
    for (size_t i = 0; i < ROWS(prefixes); i++) {
        size_t n = strlen(prefixes[i]);
        if (module.n > n && memcmp(module.p, prefixes[i], n) == 0)
            return (numel_str){ module.p + n, module.n - n };
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
               text_starts(name, "lora_transformer_") || text_starts(name, "lycoris_");
    return dot && own ? (size_t)(dot - name.p) : 0;
}

/* Whole differences stand behind names with dots too, and XLabs counts the changes of one block: where such a tail
 * begins, 0 for another name. */
static size_t dotted_stem(const struct adapter *a, numel_str name)
{
    static const char *const tails[] = { ".diff", ".diff_b", ".set_weight", ".down.weight", ".up.weight" };
    if (a->control && text_ends(name, ".down")) return name.n - strlen(".down");
    if (a->control && text_ends(name, ".up")) return name.n - strlen(".up");
    for (size_t i = 0; i < ROWS(tails); i++) {
        if (!text_ends(name, tails[i])) continue;
        numel_str stem = { name.p, name.n - strlen(tails[i]) };
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
    size_t n = strlen(row->tail);
    if (!text_starts(tail, row->tail)) return false;
    numel_str end = { tail.p + n, tail.n - n };
    const char *last = text_ends(end, ".weight") ? ".weight" : text_ends(end, ".bias") ? ".bias" : "";
    end.n -= strlen(last);
    *of = end;
    bool named = end.n > 1 && end.p[0] == '.' && !memchr(end.p + 1, '.', end.n - 1);
    return end.n == 0 || (named && (last[0] || !is_linear(row)));
}

static unsigned row_of(numel_str tail, bool own, numel_str *of)
{
    unsigned i = 0;
    while (i < ROWS(part_rows) && ((part_rows[i].own && !own) || !tail_is(tail, &part_rows[i], of))) i++;
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
    while (part_rows[p.part].part != DIFF_B) p.part++;
    p.module = unwrapped((numel_str){ name.p, name.n - strlen(".base_layer.bias") });
    return p;
}

struct parted part_of(const struct adapter *a, const numel_tensor *t)
{
    numel_str name = t->name;
    struct meaning m = meaning_of(name);
    const struct meaning_row *row = meaning_adapter(&m);
    size_t own = kohya_stem(name);
    if (!own) own = dotted_stem(a, name);
    size_t stem = own ? own : row ? m.stem : name.n;
    if (a->control && text_equal(name, "lora_controlnet")) return (struct parted){ .role = PART_MARK };
    if (part_is_direction(a, name)) return (struct parted){ .role = PART_OTHER };
    numel_str tail = { name.p + stem, name.n - stem }, module = unwrapped((numel_str){ name.p, stem });
    if (tail.n && stem) tail.p++, tail.n--;
    struct parted p = told(row, module);
    if (own && text_equal(tail, "alpha")) p.role = PART_FACTOR;
    if (text_ends(name, ".base_layer.bias")) return trained_bias(name);
    if (stem == 0 || tail.n == 0 || p.role == PART_FACTOR || p.role == PART_FROZEN) return p;
    if (text_ends(p.module, ".token_adapter")) p.module.n -= strlen(".token_adapter");
    p.part = row_of(tail, own != 0, &p.of);
    if (p.part == ROWS(part_rows)) return p;
    unsigned what = part_rows[p.part].part;
    if ((what == A || what == B) && text_ends(name, ".bias")) p.part = ROWS(part_rows) - 1;
    const struct part_row *r = &part_rows[p.part];
    if (r->type) p.type = r->type;
    p.role = PART_OF_MODULE;
    size_t n = strlen(".weight"); /* of GGUF the module is a tensor */
    if (r->style == 5 && text_ends(p.module, ".weight") && a->ck->files[0].format == NUMEL_GGUF)
        p.module.n -= n;
    return p;
}

/* ---- forms -------------------------------------------------------------------------------- */

struct need {
    unsigned part;
    const char *shape; /* NULL ends the list */
};

#define MORE(PART, SHAPE) \
    {                     \
        PART, "?" SHAPE   \
    } /* it may be there */
#define DORA MORE(MAGNITUDE, "~"), MORE(BIAS, "=")
static const struct form {
    const char *out, *in;
    struct need needs[9];
} forms[] = {
    { "o", "ik", { { A, "rik" }, { B, "or." }, DORA, MORE(DIFF_B, "=") } },
    { "o", "i", { { A, "ri" }, { B, "or" }, { LORA_E, "r," } } },
    { "o", "ik", { { A, "ri." }, { B, "or." }, { MID, "rrk" }, DORA } },
    { "o", "i", { { SMALL_A, "ir" }, { SMALL_B, "ro" }, DORA } },
    { "no", "i", { { SMALL_A, "nri" }, { SMALL_B, "nor" } } },
    { "o",
      "ik",
      { { HT1, "rrk" }, { HT2, "rrk" }, { W1A, "ro" }, { W1B, "ri" }, { W2A, "ro" }, { W2B, "ri" }, DORA } },
    { "o", "i", { { W1A, "or" }, { W1B, "ri" }, { W2A, "or" }, { W2B, "ri" }, DORA } },
    { "ac", "bdk", { { K1, "ab" }, { K2, "cdk" }, DORA } },
    { "ac", "bdk", { { K1, "ab" }, { KT2, "rrk" }, { K2A, "rc" }, { K2B, "rd" }, DORA } },
    { "ac", "bd", { { K1, "ab" }, { K2A, "cr" }, { K2B, "rd" }, DORA } },
    { "ac", "bdk", { { K1A, "ar" }, { K1B, "rb" }, { K2, "cdk" }, DORA } },
    { "ac", "bdk", { { K1A, "ar" }, { K1B, "rb" }, { KT2, "rrk" }, { K2A, "rc" }, { K2B, "rd" }, DORA } },
    { "ac", "bd", { { K1A, "ar" }, { K1B, "rb" }, { K2A, "cr" }, { K2B, "rd" }, DORA } },
    { "o", "ik", { { G1, "ir." }, { G2, "ri." }, { G3, "or." }, { G4, "rik" } } },
    { "o", "k", { { DIFF, "ok" }, MORE(DIFF_B, "=") } },
    { "o", "", { { DIFF_B, "o" } } },
    { "o", "", { { NORM, "o" }, MORE(NORM_B, "=") } },
    { "nb", "", { { OFT, "nbb" }, MORE(RESCALE, "~") } },
    { "nb", "", { { OFT, "mnbb" }, MORE(RESCALE, "~") } },
    { "o", "", { { ON_INPUT, "." }, { IA3, "o." } } },
    { "", "i", { { ON_INPUT, "." }, { IA3, ",i." } } },
    { "o", "", { { IA3_L, "o," } } },
    { "", "i", { { IA3_L, ",i" } } },
    { "", "nt", { { OFT_R, "nt" } } },
    { "o", "nb", { { BOFT, "mnbb" }, MORE(BOFT_S, "o.") } },
    { "", "i", { { TOKENS, "ni" } } },
    { "ab", "cb", { { C3A, "acb" } } },
    { "o", "", { { MISS, "ro" } } },
    { "nr", "", { { MISS, "nrr" } } },
    { "o", "i", { { A, "ri" }, { B, "or" }, { DELORA_N, "i" }, { DELORA_L, "," } } },
    { "no", "ni", { { GRA_A, "nir" }, { GRA_B, "nro" } } },
    { "o", "", { { BEFT, ",o" } } },
    { "o", "", { { VERA_B, "o" }, { PVERA_D, "d" } } },
    { "o", "", { { VERA_B, "o" }, { VERA_D, "r" } } },
    { "", "i", { { HRA, "ir" } } },
};

/* llama.cpp lays MLX's names as PEFT does; a table of tokens is turned. */
static const struct form gguf_forms[] = {
    { "o", "i", { { SMALL_A, "ri" }, { SMALL_B, "or" } } },
    { "no", "i", { { SMALL_A, "nri" }, { SMALL_B, "nor" } } },
}, table_form = { "o", "i", { { SMALL_A, "ir" }, { SMALL_B, "or" } } };

static bool may_lack(const struct need *n) { return n->shape[0] == '?'; }
static const char *shape_of(const struct need *n) { return n->shape + may_lack(n); }

static uint32_t tensor_of(const struct adapter_module *m, unsigned part)
{
    for (unsigned i = 0; i < m->part_count; i++)
        if (part_rows[m->parts[i]].part == part) return m->tensors[i];
    return NAMES_ABSENT;
}

/* A Conv1D of GPT-2 is [in, out]. */
bool part_is_turned(const struct adapter *a, const struct adapter_module *m)
{
    static const char *const turned[] = { "c_attn", "c_proj", "c_fc", "q_attn" };
    bool is = false;
    for (size_t i = 0; i < ROWS(turned); i++) is |= text_ends(m->name, turned[i]);
    return is || json_true(json_get(a->config, "fan_in_fan_out"));
}

bool part_is_magnitude(unsigned part) { return part_rows[part].part == MAGNITUDE; }
bool part_is_bias(unsigned part) { return part_rows[part].part == BIAS || part_rows[part].part == DIFF_B; }
bool part_is_of(unsigned part, const char *type)
{
    return part_rows[part].type && strcmp(part_rows[part].type, type) == 0;
}

bool part_has_type(const char *type)
{
    for (unsigned i = 0; i < ROWS(part_rows); i++)
        if (part_is_of(i, type)) return true;
    return false;
}

bool part_is_matrix(unsigned part) { return part_rows[part].part <= B && !part_rows[part].own; }
bool part_is_flag(unsigned part) { return part_rows[part].part == ON_INPUT; }

struct sizes {
    uint64_t of[26], from[26]; /* each with the tensor that said it first, + 1 */
};

/* The side of a block whose upper triangle has so many numbers; 0: none has. */
static uint64_t side_of(uint64_t triangle)
{
    uint64_t b = 1;
    while (b < 100000 && b * (b - 1) / 2 < triangle) b++;
    return b * (b - 1) / 2 == triangle ? b : 0;
}

static uint64_t product(const struct sizes *s, const char *letters)
{
    uint64_t all = letters[0] ? 1 : 0;
    for (; *letters; letters++) {
        uint64_t size = *letters == 'k' && !s->from['k' - 'a'] ? 1 : s->of[*letters - 'a'];
        if (!num_mul(&all, all, *letters == 't' ? side_of(size) : size)) return 0;
    }
    return all;
}

/* ---- whether it is whole ------------------------------------------------------------------ */

struct checking {
    struct adapter *a;
    const struct adapter_module *m;
    const struct form *form;
    struct sizes sizes;
    const char *why;
};

static const char *tail_text(const struct checking *c, uint32_t tensor)
{
    for (unsigned i = 0; i < c->m->part_count; i++)
        if (c->m->tensors[i] == tensor) return part_rows[c->m->parts[i]].tail;
    return "";
}

NUMEL_MUST static const char *dims_text(const struct checking *c, uint32_t tensor, char out[TEXT_QUOTE])
{
    const numel_tensor *t = &c->a->ck->registry.tensors[tensor];
    return text_dims(out, t->dims, t->ndim);
}

static bool differ(struct checking *c, uint32_t x, uint32_t y)
{
    char dx[TEXT_QUOTE], dy[TEXT_QUOTE];
    const char *name = name_shown(c->a->arena, c->m->name);
    if (name && x != y)
        c->why = arena_format(c->a->arena, "%s: %s %s does not go with %s %s", name, tail_text(c, x),
                              dims_text(c, x, dx), tail_text(c, y), dims_text(c, y, dy));
    if (name && x == y)
        c->why = arena_format(c->a->arena, "%s: %s has the shape %s, which its method does not have", name,
                              tail_text(c, x), dims_text(c, x, dx));
    return false;
}

static bool bind(struct checking *c, char letter, uint64_t size, uint32_t tensor)
{
    unsigned at = (unsigned)(letter - 'a');
    if (c->sizes.from[at] && c->sizes.of[at] != size)
        return differ(c, tensor, (uint32_t)(c->sizes.from[at] - 1));
    if (!c->sizes.from[at]) c->sizes.of[at] = size, c->sizes.from[at] = (uint64_t)tensor + 1;
    return true;
}

/* One tensor against its shape in letters. */
static bool fits(struct checking *c, uint32_t tensor, const char *shape)
{
    const numel_tensor *t = &c->a->ck->registry.tensors[tensor];
    uint32_t axis = 0;
    if (shape[0] == '*') return true;
    for (; *shape; shape++) {
        if (*shape == 'k' || *shape == '.') {
            uint64_t rest = 1;
            for (; axis < t->ndim; axis++)
                if (!num_mul(&rest, rest, t->dims[axis])) rest = 0;
            if (*shape == '.' ? rest != 1 : !bind(c, 'k', rest, tensor))
                return c->why ? false : differ(c, tensor, tensor);
        } else if (axis == t->ndim || t->dims[axis] == 0 || (*shape == ',' && t->dims[axis] != 1)) {
            return differ(c, tensor, tensor);
        } else if (*shape == ',') {
            axis++;
        } else if (!bind(c, *shape, t->dims[axis++], tensor)) {
            return false;
        }
    }
    return axis == t->ndim || differ(c, tensor, tensor);
}

static bool has_length(struct checking *c, uint32_t tensor, const char *shape)
{
    uint64_t n = c->a->ck->registry.tensors[tensor].elements, out = product(&c->sizes, c->form->out);
    uint64_t in = shape[0] == '~' ? product(&c->sizes, c->form->in) : out;
    uint64_t kernel = c->sizes.from['k' - 'a'] ? c->sizes.of['k' - 'a'] : 1;
    if (shape[0] == '~' && kernel > 1 && strchr(c->form->in, 'k')) in /= kernel;
    bool list = shape[0] == '~' || c->a->ck->registry.tensors[tensor].ndim == 1; /* a bias is one */
    if (list && (out == 0 || n == out || n == in)) return true;
    return differ(c, tensor,
                  c->m->tensors[0] == tensor ? c->m->tensors[c->m->part_count - 1] : c->m->tensors[0]);
}

static bool has_length_only(const struct need *n) { return strchr("=~", shape_of(n)[0]) != NULL; }

/* Both matrices of a change have the axes of the weight: of one pixel ([r, in, 1, 1] beside [out, r, 1, 1]), or none. */
static bool axes_fit(struct checking *c)
{
    uint32_t a = tensor_of(c->m, A), b = tensor_of(c->m, B);
    const numel_tensor *all = c->a->ck->registry.tensors;
    return a == NAMES_ABSENT || b == NAMES_ABSENT || all[a].ndim == all[b].ndim || differ(c, b, a);
}

static bool shapes_fit(struct checking *c)
{
    for (int lengths = 0; lengths < 2; lengths++) {
        for (const struct need *n = c->form->needs; n->shape; n++) {
            uint32_t t = tensor_of(c->m, n->part);
            if (t == NAMES_ABSENT || has_length_only(n) != (lengths == 1)) continue;
            if (lengths ? !has_length(c, t, shape_of(n)) : !fits(c, t, shape_of(n))) return false;
        }
    }
    return axes_fit(c);
}

static unsigned lacking(const struct adapter_module *m, const struct form *f, unsigned *has)
{
    unsigned none = 0;
    *has = 0;
    for (const struct need *n = f->needs; n->shape; n++) {
        bool there = tensor_of(m, n->part) != NAMES_ABSENT;
        *has += there;
        none += !there && !may_lack(n);
    }
    return none;
}

/* The name that a part would have beside those that are there. */
static const char *missing_name(const struct adapter_module *m, unsigned part)
{
    const char *any = "";
    for (size_t i = ROWS(part_rows); i-- > 0;) {
        if (part_rows[i].part != part) continue;
        any = part_rows[i].tail;
        for (unsigned k = 0; k < m->part_count; k++)
            if (part_rows[m->parts[k]].style == part_rows[i].style) return any;
    }
    return any;
}

static void say_missing(struct checking *c)
{
    char dims[TEXT_QUOTE];
    const struct need *n = c->form->needs;
    while (n->shape && (may_lack(n) || tensor_of(c->m, n->part) != NAMES_ABSENT)) n++;
    const char *name = name_shown(c->a->arena, c->m->name);
    if (!name || !n->shape) return;
    c->why = arena_format(c->a->arena, "%s has %s %s but no %s", name, part_rows[c->m->parts[0]].tail,
                          dims_text(c, c->m->tensors[0], dims), missing_name(c->m, n->part));
}

/* Halves of a pair by names of two writers: no program reads that. */
static bool is_mixed(const struct adapter_module *m)
{
    const struct part_row *first = NULL;
    for (unsigned i = 0; i < m->part_count; i++) {
        const struct part_row *r = &part_rows[m->parts[i]];
        if (r->part != A && r->part != B && r->part != MID) continue;
        if (first && first->style != r->style) return true;
        first = r;
    }
    return false;
}

/* The first form that is whole and fits; else the one that lacks least, or has least besides. */
static bool try_forms(struct checking *c, const struct form *table, size_t count, unsigned *lacks)
{
    unsigned best = UINT8_MAX;
    for (size_t i = 0; i < count; i++) {
        unsigned has, none = lacking(c->m, &table[i], &has), wrong = none + c->m->part_count - has;
        struct checking tried = { .a = c->a, .m = c->m, .form = &table[i] };
        if (has == 0 || (wrong > 0 && wrong >= best)) continue;
        bool whole = wrong == 0 && shapes_fit(&tried);
        if (!whole && wrong >= best) continue;
        *c = tried;
        *lacks = none;
        best = wrong;
        if (whole) return true;
    }
    return false;
}

enum module_fault module_measure(struct adapter *a, struct adapter_module *m, const char **why)
{
    struct checking c = { .a = a, .m = m };
    unsigned least = 0;
    bool gguf = a->ck->files[0].format == NUMEL_GGUF, whole;
    const char *name;
    *why = NULL;
    if (m->part_count == 0) {
        name = name_shown(a->arena, m->name);
        if (name) *why = arena_format(a->arena, "%s has an alpha, but nothing that it would scale", name);
        return FAULT_ALONE;
    }
    if (is_mixed(m)) whole = false;
    else if (gguf && text_equal(m->name, "token_embd")) whole = try_forms(&c, &table_form, 1, &least);
    else if (gguf) whole = try_forms(&c, gguf_forms, ROWS(gguf_forms), &least);
    else whole = try_forms(&c, forms, ROWS(forms), &least);
    m->whole = whole;
    if (whole) {
        m->rank = c.sizes.from['r' - 'a'] ? c.sizes.of['r' - 'a'] : 0;
        m->out = product(&c.sizes, c.form->out);
        m->in = product(&c.sizes, c.form->in);
        if (!num_mul(&m->base, m->out, m->in)) m->base = 0;
        if (part_rows[m->parts[0]].style == 1 || c.form == &table_form) { /* of a table of tokens, [V, E] */
            uint64_t rows = m->in;
            m->in = m->out;
            m->out = rows;
        }
        return FAULT_NONE;
    }
    if (c.form && least) say_missing(&c);
    name = c.why ? NULL : name_shown(a->arena, m->name);
    if (name) c.why = arena_format(a->arena, "%s has tensors that do not make up one change", name);
    *why = c.why;
    return c.form && least ? FAULT_MISSING : FAULT_UNEQUAL;
}

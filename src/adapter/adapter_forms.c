/*
 * adapter_forms.c -- checks, method by method, that the shapes of the tensors that change one weight go
 * together.
 *
 * A form is a method's way of writing a change: its parts, each with a shape in letters. src/data/adapters
 * has the forms and explains the letters. Among the forms whose parts are all present, the first that fits
 * counts. If none fits, the form that lacks least determines the message. A letter that no tensor binds is
 * taken from the configuration; otherwise the two must agree.
 */
#include "adapter/adapter_parts_internal.h"

#include "statement/line.h"
#include "base/num.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

#define ROWS(t) (sizeof(t) / sizeof *(t))

/* ---- parts ------------------------------------------------------------------------------------ */

static bool may_lack(const struct method_need *n) { return n->shape[0] == '?'; }
static const char *shape_of(const struct method_need *n) { return n->shape + may_lack(n); }

static uint32_t tensor_of(const struct adapter_module *m, unsigned part)
{
    for (unsigned i = 0; i < m->part_count; i++)
        if (embedded_method_parts[m->parts[i]].part == part) return m->tensors[i];
    return NAMES_ABSENT;
}

/* GPT-2's Conv1D weights are [in, out]. */
bool part_is_turned(const struct adapter *a, const struct adapter_module *m)
{
    static const char *const turned[] = { "c_attn", "c_proj", "c_fc", "q_attn" };
    bool is = false;
    for (size_t i = 0; i < ROWS(turned); i++) is |= text_ends(m->name, turned[i]);
    return is || json_true(json_get(a->config, "fan_in_fan_out"));
}

static bool is(unsigned row, enum part part) { return embedded_method_parts[row].part == part; }
static bool has(unsigned row, enum method_flag flag) { return embedded_method_parts[row].flags & flag; }

bool part_is_magnitude(unsigned part) { return is(part, PART_MAGNITUDE); }
bool part_is_base_bias(unsigned part) { return is(part, PART_DIFF_B) || is(part, PART_NORM_B); }
bool part_is_bias(unsigned part) { return is(part, PART_BIAS) || part_is_base_bias(part); }
bool part_is_norm(unsigned part) { return is(part, PART_NORM) || is(part, PART_NORM_B); }
bool part_is_lora_bias(unsigned part) { return is(part, PART_BIAS); }
bool part_is_tokens(unsigned part) { return is(part, PART_TOKENS); }
bool part_is_matrix(unsigned part) { return (is(part, PART_A) || is(part, PART_B)) && !has(part, PART_OWN); }
bool part_is_flag(unsigned part) { return has(part, PART_FLAG); }
bool part_is_trained(unsigned part) { return !has(part, PART_FIXED); }
bool part_is_scaled(unsigned part) { return has(part, PART_FLAG) && has(part, PART_FIXED); }

bool part_is_of(unsigned part, const char *method)
{
    const char *own = embedded_method_parts[part].method;
    return own && strcmp(own, method) == 0;
}

struct sizes {
    uint64_t of[26], from[26]; /* index + 1 of the tensor that gave the size; 0: none */
};

/* The side of a block whose upper triangle has this many elements; 0 if there is none. */
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
        bool digit = isdigit((unsigned char)*letters);
        uint64_t size = digit ? (uint64_t)(*letters - '0') : s->of[*letters - 'a'];
        if (*letters == 'k' && !s->from['k' - 'a']) size = 1;
        if (*letters == 't') size = side_of(size);
        if (*letters == 'h') size = size % 2 ? 0 : size / 2;
        if (!num_mul(&all, all, size)) return 0;
    }
    return all;
}

/* ---- whether it is whole ------------------------------------------------------------------ */

struct checking {
    struct adapter *a;
    const struct adapter_module *m;
    const struct method_form *form;
    struct sizes sizes;
    const char *why;
};

static const char *tail_text(const struct checking *c, uint32_t tensor)
{
    for (unsigned i = 0; i < c->m->part_count; i++)
        if (c->m->tensors[i] == tensor) return embedded_method_parts[c->m->parts[i]].tail;
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

/* The product of the letters in parentheses; moves *shape to the closing one. */
static uint64_t multiplied(const struct checking *c, const char **shape)
{
    char letters[8];
    struct fixed text = FIXED(letters);
    size_t n = strcspn(*shape + 1, ")");
    fixed_add(&text, text_span(*shape + 1, *shape + 1 + n)); /* from our own tables: short */
    *shape += n + 1;
    return product(&c->sizes, letters);
}

/* Compares one tensor with its shape in letters. */
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
        } else if (*shape == '(') {
            if (axis == t->ndim || t->dims[axis++] != multiplied(c, &shape)) return differ(c, tensor, tensor);
        } else if (axis == t->ndim || t->dims[axis] == 0 || (*shape == ',' && t->dims[axis] != 1) ||
                   (strchr("eh", *shape) && t->dims[axis] % 2)) {
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
    bool list = shape[0] == '~' || c->a->ck->registry.tensors[tensor].ndim == 1; /* a bias is a list */
    if (list && (out == 0 || n == out || n == in)) return true;
    return differ(c, tensor,
                  c->m->tensors[0] == tensor ? c->m->tensors[c->m->part_count - 1] : c->m->tensors[0]);
}

static bool has_length_only(const struct method_need *n) { return strchr("=~", shape_of(n)[0]) != NULL; }

/* Both matrices of a change have the axes of the weight: either both have pixels ([r, in, 1, 1] with [out,
 * r, 1, 1]) or neither. Only LyCORIS' DyLoRA saves the second without them. */
static bool axes_fit(struct checking *c)
{
    uint32_t a = tensor_of(c->m, PART_A), b = tensor_of(c->m, PART_B);
    const numel_tensor *all = c->a->ck->registry.tensors;
    return a == NAMES_ABSENT || b == NAMES_ABSENT || all[a].ndim == all[b].ndim ||
           (all[a].ndim > 2 && all[b].ndim == 2) || differ(c, b, a);
}

static bool shapes_fit(struct checking *c)
{
    for (int lengths = 0; lengths < 2; lengths++) {
        for (const struct method_need *n = c->form->needs; n->shape; n++) {
            uint32_t t = tensor_of(c->m, n->part);
            if (t == NAMES_ABSENT || has_length_only(n) != (lengths == 1)) continue;
            if (lengths ? !has_length(c, t, shape_of(n)) : !fits(c, t, shape_of(n))) return false;
        }
    }
    return axes_fit(c);
}

/* `u` is all of out, `w` all of in. */
static bool wholes_fit(struct checking *c)
{
    const unsigned u = 'u' - 'a', w = 'w' - 'a';
    if (c->sizes.from[u] && c->sizes.of[u] != product(&c->sizes, c->form->out))
        return differ(c, (uint32_t)(c->sizes.from[u] - 1), c->m->tensors[0]);
    if (c->sizes.from[w] && c->sizes.of[w] != product(&c->sizes, c->form->in))
        return differ(c, (uint32_t)(c->sizes.from[w] - 1), c->m->tensors[0]);
    return true;
}

/* ---- what the configuration says ----------------------------------------------------------- */

/* One word of "n=n_frequency v=vector_length? variant=road_1". */
struct told_word {
    char key[32], value[32]; /* of the configuration; `value` only if it selects the form */
    char letter;             /* 0: it selects the form */
    bool maybe, fits;        /* `fits`: PEFT uses another value unless it divides the input size */
};

static bool next_word(const char **p, struct told_word *w)
{
    while (**p == ' ') (*p)++;
    size_t n = strcspn(*p, " "), left = strcspn(*p, "=");
    if (n == 0) return false;
    *w = (struct told_word){ .letter = left == 1 ? **p : 0, .fits = (*p)[n - 1] == '%' };
    w->maybe = w->fits || (*p)[n - 1] == '?';
    struct fixed key = FIXED(w->key), value = FIXED(w->value); /* from our own tables: short */
    fixed_add(w->letter ? &key : &value, text_less(text_span(*p + left + 1, *p + n), w->maybe));
    if (!w->letter) fixed_add(&key, text_span(*p, *p + left));
    *p += n;
    return true;
}

/* Does the configuration allow this form, and does it have all the keys that the form requires? */
static bool may_be(const struct adapter *a, const struct adapter_module *m, const struct method_form *f)
{
    struct told_word w;
    uint64_t n;
    for (const char *p = f->told ? f->told : ""; next_word(&p, &w);) {
        const json_value *v = json_get(a->config, w.key);
        const char *text = json_kind(v) == JSON_BOOL ? (json_true(v) ? "true" : "false") : json_text_of(v);
        if (!w.letter && (!text || strcmp(text, w.value) != 0)) return false;
        if (w.letter && !w.maybe && !adapter_said_size(a, m->name, w.key, &n)) return false;
    }
    return true;
}

/* Compares letters with the configuration. A letter that no tensor has gets its value from there. */
static bool told_fits(struct checking *c)
{
    struct told_word w;
    uint64_t n;
    for (const char *p = c->form->told ? c->form->told : ""; next_word(&p, &w);) {
        if (!w.letter || !adapter_said_size(c->a, c->m->name, w.key, &n)) continue;
        unsigned at = (unsigned)(w.letter - 'a');
        uint64_t own = w.letter == 't' ? side_of(c->sizes.of[at]) : c->sizes.of[at];
        if (!c->sizes.from[at]) c->sizes.of[at] = own = n;
        if (w.fits && product(&c->sizes, c->form->in) % n != 0) continue;
        const char *name = own == n ? NULL : name_shown(c->a->arena, c->m->name);
        if (name)
            c->why = arena_format(c->a->arena, "adapter_config.json says %s %" PRIu64 ", %s has %" PRIu64,
                                  w.key, n, name, own);
        if (own != n) return false;
    }
    return true;
}

static unsigned lacking(const struct adapter_module *m, const struct method_form *f, unsigned *has)
{
    unsigned none = 0;
    *has = 0;
    for (const struct method_need *n = f->needs; n->shape; n++) {
        bool there = tensor_of(m, n->part) != NAMES_ABSENT;
        *has += there;
        none += !there && !may_lack(n);
    }
    return none;
}

/* The name of a missing part, as the writer of the present parts would write it. */
static const char *missing_name(const struct adapter_module *m, unsigned part)
{
    const char *any = "";
    for (size_t i = 0; embedded_method_parts[i].tail; i++) {
        if (embedded_method_parts[i].part != part) continue;
        any = embedded_method_parts[i].tail;
        for (unsigned k = 0; k < m->part_count; k++)
            if (embedded_method_parts[m->parts[k]].writer == embedded_method_parts[i].writer) return any;
    }
    return any;
}

static void say_missing(struct checking *c)
{
    char dims[TEXT_QUOTE];
    const struct method_need *n = c->form->needs;
    while (n->shape && (may_lack(n) || tensor_of(c->m, n->part) != NAMES_ABSENT)) n++;
    const char *name = name_shown(c->a->arena, c->m->name);
    if (!name || !n->shape) return;
    c->why =
        arena_format(c->a->arena, "%s has %s %s but no %s", name, embedded_method_parts[c->m->parts[0]].tail,
                     dims_text(c, c->m->tensors[0], dims), missing_name(c->m, n->part));
}

/* A pair named by two different writers; no program reads it. */
static bool is_mixed(const struct adapter_module *m)
{
    const struct method_part *first = NULL;
    for (unsigned i = 0; i < m->part_count; i++) {
        const struct method_part *r = &embedded_method_parts[m->parts[i]];
        if (r->part > PART_MID) continue;
        if (first && first->writer != r->writer) return true;
        first = r;
    }
    return false;
}

/* Selects the first form that is complete and fits; else the one with the fewest missing and extra parts. */
static bool try_forms(struct checking *c, enum method_form_of of, unsigned *lacks)
{
    unsigned best = UINT8_MAX;
    for (const struct method_form *f = embedded_method_forms; f->out; f++) {
        unsigned has, none = lacking(c->m, f, &has), wrong = none + c->m->part_count - has;
        struct checking tried = { .a = c->a, .m = c->m, .form = f };
        if (f->of != of || has == 0 || (wrong > 0 && wrong >= best) || !may_be(c->a, c->m, f)) continue;
        bool whole = wrong == 0 && shapes_fit(&tried) && wholes_fit(&tried) && told_fits(&tried);
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
    else if (gguf)
        whole = try_forms(&c, text_equal(m->name, "token_embd") ? FORM_GGUF_TABLE : FORM_GGUF, &least);
    else whole = try_forms(&c, FORM_PLAIN, &least);
    m->whole = whole;
    if (whole) {
        m->rank = c.sizes.from['r' - 'a'] ? c.sizes.of['r' - 'a'] : 0;
        if (c.sizes.from['e' - 'a']) m->rank = c.sizes.of['e' - 'a'] / 2;
        m->told = !c.form->out[0] && !c.form->in[0];
        m->lesser = c.form->out[0] == 'l';
        m->channels = c.form->needs[1].shape && c.form->needs[1].part == PART_SCALE &&
                      a->ck->registry.tensors[tensor_of(m, PART_SCALE)].ndim > 2;
        m->out = product(&c.sizes, c.form->out);
        m->in = product(&c.sizes, c.form->in);
        if (!num_mul(&m->base, m->out, m->in)) m->base = 0;
        if (has(m->parts[0], PART_TABLE) || c.form->of == FORM_GGUF_TABLE) { /* a table of tokens is [V, E] */
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

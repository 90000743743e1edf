/*
 * spec_tensor.c -- parses the lines of a spec that stand for tensors; see parse.h. A bn becomes the lines
 * that one would write without it.
 */
#include "formula/parse.h"

static bool gguf_dims(struct parser *p, numel_str list, struct tensor_line *t)
{
    if (list.n < 2 || list.p[0] != '[' || text_last(list) != ']')
        return parser_fail(p, list.p, "expected gguf=[DIM,...]");
    const char *at = list.p + 1, *end = at + text_inner(list).n;
    for (int deep = 0; at < end; at++) {
        const char *from = at;
        for (; at < end && (deep || *at != ','); at++)
            deep += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
        if (t->gguf_ndim == SPEC_DIMS) return parser_fail(p, from, "more than %d dims", SPEC_DIMS);
        uint32_t n = parse_part(p, text_span(from, at));
        if (!n) return false;
        t->gguf_dims[t->gguf_ndim++] = n;
    }
    return t->gguf_ndim || parser_fail(p, list.p, "gguf=[] has no dims");
}

/* Adds the part's prefix to a role, unless it has it: "v.attn.q" for attn.q of a ViT. */
NUMEL_MUST static bool place_role(struct parser *p, numel_str *role)
{
    numel_str before = p->spec->scopes[p->scope].role;
    if (!before.n || text_starts(*role, before.p)) return true;
    *role = arena_join(&p->spec->arena, before, *role, text_of(""));
    return role->p || parser_nomem(p);
}

/* Needed only while a line is parsed. */
struct more {
    uint32_t affine, stats;
    numel_str names[SIDES]; /* {NULL, 0}: '-' */
};

/* NAME=VALUE, T, opt, empty, int or any: 1 for an attribute, 0 for a dim, -1 after a complaint. */
static int attribute(struct parser *p, numel_str word, struct tensor_line *t, struct more *more)
{
    static const char *const names[] = { "bias=", "if=", "tied=", "affine=", "stats=",
                                         "pad=",  "of=", "gguf=", "stack=" };
    uint32_t *const places[] = { &t->bias, &t->when, &t->tied, &more->affine, &more->stats, &t->pad };
    if (text_equal(word, "T")) return t->transposed = true;
    if (text_equal(word, "opt")) return t->optional = true;
    if (text_equal(word, "empty")) return t->empty = true;
    if (text_equal(word, "int")) return t->holds = HOLDS_INTEGERS, 1;
    if (text_equal(word, "any")) return t->holds = HOLDS_ANY, 1;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        if (word.n < n || memcmp(word.p, names[i], n) != 0) continue;
        numel_str value = text_from(word, n);
        if (i == 6) return t->of = value, place_role(p, &t->of) ? 1 : -1;
        if (i == 7) return gguf_dims(p, value, t) ? 1 : -1;
        if (i == 8) return t->stack ? 1 : -1; /* parsed before, for {e} in the name */
        return (*places[i] = parse_part(p, value)) ? 1 : -1;
    }
    return 0;
}

/* stack= defines `e` for names that come before it. */
static bool find_stack(struct parser *p, struct tensor_line *t)
{
    const char *at = p->at;
    numel_str word;
    while (lex_word(p, &word))
        if (word.n > 6 && memcmp(word.p, "stack=", 6) == 0)
            if (!(t->stack = parse_part(p, text_from(word, 6)))) return false;
    p->at = at;
    return true;
}

static bool check_ranks(struct parser *p, const struct tensor_line *t, const struct more *more)
{
    static const uint8_t wanted[] = {
        [TENSOR_LIN] = 2, [TENSOR_NORM] = 1, [TENSOR_EMB] = 2, [TENSOR_BN] = 1
    };
    bool given = t->kind < TENSOR_CONV || t->kind == TENSOR_BN, kernel = t->kind == TENSOR_CONV;
    if (kernel && t->ndim < 3)
        return parser_fail(p, p->at, "%u dims where a convolution has at least 3", t->ndim);
    if (given && t->ndim != wanted[t->kind])
        return parser_fail(p, p->at, "%u dims where this kind of tensor has %u", t->ndim, wanted[t->kind]);
    if (t->bias && (t->kind == TENSOR_EMB || t->kind == TENSOR_RAW || t->kind == TENSOR_BUF))
        return parser_fail(p, p->at, "bias= belongs to lin, conv, norm and bn only");
    if ((more->affine || more->stats) && t->kind != TENSOR_BN)
        return parser_fail(p, p->at, "%s belongs to bn only", more->affine ? "affine=" : "stats=");
    if (t->holds && t->kind != TENSOR_BUF) return parser_fail(p, p->at, "int and any belong to buf only");
    if (t->transposed && t->ndim != 2) return parser_fail(p, p->at, "T needs two dims");
    if (!t->name[SIDE_HF] && !t->name[SIDE_GGUF])
        return parser_fail(p, p->at, "the tensor exists on neither side");
    return true;
}

static bool tensor_dims(struct parser *p, struct tensor_line *t, struct more *more)
{
    numel_str word;
    while (lex_word(p, &word)) {
        int was = attribute(p, word, t, more);
        if (was < 0) return false;
        if (was) continue;
        if (t->ndim == SPEC_DIMS) return parser_fail(p, word.p, "more than %d dims", SPEC_DIMS);
        if (!(t->dims[t->ndim++] = parse_part(p, word))) return false;
    }
    return check_ranks(p, t, more);
}

static bool keep_tensor(struct parser *p, struct tensor_line *t)
{
    struct line *line = parse_line(p, LINE_TENSOR);
    if (line) line->tensor = t;
    return line != NULL;
}

/* A statistic of a bn: a buffer next to its weight. */
NUMEL_MUST static bool statistic(struct parser *p, const struct tensor_line *norm, const struct more *more,
                                 const char *name, const char *role)
{
    struct tensor_line *t = arena_copy(&p->spec->arena, norm, sizeof *t);
    if (!t) return parser_nomem(p);
    t->kind = TENSOR_BUF;
    t->statistic = true;
    t->role = arena_join(&p->spec->arena, norm->role, text_of(role), text_of(""));
    if (!t->role.p) return parser_nomem(p);
    for (int side = 0; side < SIDES; side++)
        if (more->names[side].p && !(t->name[side] = parse_template_and(p, more->names[side], name)))
            return false;
    return keep_tensor(p, t);
}

/* weight and bias, running_mean, running_var, and the number of batches seen, which files of older torch
 * lack. */
NUMEL_MUST static bool batch_norm(struct parser *p, struct tensor_line *t, const struct more *more)
{
    struct tensor_line *norm = arena_copy(&p->spec->arena, t, sizeof *t);
    if (!norm) return parser_nomem(p);
    norm->kind = TENSOR_NORM;
    norm->when = parse_both(p, t->when, more->affine);
    if (!norm->bias) norm->bias = parse_ours(p, "true", p->start);
    if (!norm->bias || !keep_tensor(p, norm)) return false;
    t->bias = 0;
    t->when = parse_both(p, t->when, more->stats);
    if (!statistic(p, t, more, ".running_mean", ".mean") || !statistic(p, t, more, ".running_var", ".var"))
        return false;
    t->ndim = t->gguf_ndim = 0;
    t->optional = true;
    t->holds = HOLDS_INTEGERS;
    return statistic(p, t, more, ".num_batches_tracked", ".seen");
}

bool parse_tensor(struct parser *p, enum tensor_kind kind)
{
    struct tensor_line *t = arena_alloc(&p->spec->arena, sizeof *t);
    struct more more = { 0 };
    numel_str word;
    if (!t) return parser_nomem(p);
    *t = (struct tensor_line){ .kind = kind, .of = text_of("embed.tok") };
    if (!clause_word(p, &t->role, "a role") || !place_role(p, &t->role) || !find_stack(p, t)) return false;
    if (!place_role(p, &t->of)) return false;
    if (t->stack) p->spec->symbols[SYMBOL_E].line = (uint32_t)p->spec->line_count;
    for (int side = 0; side < SIDES; side++) {
        if (!clause_word(p, &word, "a name for both sides, '-' for none")) return false;
        if (text_equal(word, "-")) continue;
        more.names[side] = word;
        if (!(t->name[side] = parse_template(p, word))) return false;
    }
    if (!tensor_dims(p, t, &more)) return false;
    return kind == TENSOR_BN ? batch_norm(p, t, &more) : keep_tensor(p, t);
}

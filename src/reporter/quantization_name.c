/*
 * quantization_name.c -- how people call what a quantizer made: "GPTQ 4-bit, group 128", "NVFP4 (modelopt)".
 *
 * A name rests on the layout that the shapes have proven, not on what the configuration calls it; who made it stands behind,
 * where that is not the same. What weights of one layout differ in is not part of it.
 */
#include "base/text.h"
#include "reporter/quantization.h"

#include <strings.h>

enum form {
    FORM_PLAIN,  /* "FP8" */
    FORM_BITS,   /* "GPTQ 4-bit" */
    FORM_INT,    /* "INT4" */
    FORM_TYPE,   /* the type that was chosen, in capitals: "NF4" */
    FORM_TENSOR, /* the class that was chosen, as a word: "int4" */
    FORM_NUMBER, /* "FP8" or "INT8", by the type that was chosen */
    FORM_METHOD  /* what the configuration calls it, in capitals */
};
enum { GROUP = 1 /* has a size of groups that people name */, OWN = 2 /* the name says who made it */ };

static const struct naming {
    const char *layout, *name;
    enum form form;
    unsigned flags;
} namings[] = {
    { "aqlm", "AQLM", FORM_BITS, OWN },
    { "awq", "AWQ", FORM_BITS, GROUP },
    { "awq-gemv", "AWQ", FORM_BITS, GROUP },
    { "awq-gemv-fast", "AWQ", FORM_BITS, GROUP },
    { "awq-marlin", "AWQ", FORM_BITS, GROUP },
    { "bitblas", "BitBLAS", FORM_BITS, GROUP },
    { "bitnet", "BitNet b1.58", FORM_PLAIN, OWN },
    { "bnb4", "bnb ", FORM_TYPE, 0 },
    { "bnb4-experts", "bnb ", FORM_TYPE, 0 },
    { "bnb4-gptqmodel", "bnb ", FORM_TYPE, 0 },
    { "bnb8", "bnb INT8", FORM_PLAIN, 0 },
    { "comfy-fp8", "FP8", FORM_PLAIN, 0 },
    { "comfy-fp8-marked", "FP8", FORM_PLAIN, 0 },
    { "comfy-int8", "INT8", FORM_PLAIN, 0 },
    { "comfy-mxfp8", "MXFP8", FORM_PLAIN, 0 },
    { "comfy-nvfp4", "NVFP4", FORM_PLAIN, 0 },
    { "ct-marlin24", "2:4 sparse INT", FORM_INT, GROUP },
    { "ct-mxfp4", "MXFP4", FORM_PLAIN, 0 },
    { "ct-nvfp4", "NVFP4", FORM_PLAIN, 0 },
    { "ct-pack", "INT", FORM_INT, GROUP },
    { "ct-quantized", "", FORM_NUMBER, 0 },
    { "ct-sparse24", "2:4 sparse", FORM_PLAIN, 0 },
    { "eetq", "EETQ INT8", FORM_PLAIN, OWN },
    { "exl2", "EXL2", FORM_BITS, OWN },
    { "exl3", "EXL3", FORM_BITS, OWN },
    { "fbgemm-fp8", "FP8", FORM_PLAIN, 0 },
    { "fp-quant", "FP-Quant", FORM_BITS, OWN },
    { "fp8-block", "FP8", FORM_PLAIN, 0 },
    { "fp8-e8m0", "FP8", FORM_PLAIN, 0 },
    { "fp8-row", "FP8", FORM_PLAIN, 0 },
    { "fp8-static", "FP8", FORM_PLAIN, 0 },
    { "gemma-quant", "Gemma", FORM_BITS, OWN },
    { "gemma-quant-emb", "Gemma", FORM_BITS, OWN },
    { "gguf-blocks", "", FORM_TYPE, 0 },
    { "gptq", "GPTQ", FORM_BITS, GROUP },
    { "gptq-marlin", "GPTQ", FORM_BITS, GROUP },
    { "gptq-marlin-24", "2:4 sparse GPTQ", FORM_BITS, GROUP },
    { "higgs", "HIGGS", FORM_BITS, GROUP },
    { "hqq", "HQQ", FORM_BITS, GROUP },
    { "metal", "Metal", FORM_BITS, GROUP | OWN },
    { "mlx", "MLX", FORM_BITS, GROUP | OWN },
    { "mlx-fp", "MLX ", FORM_TYPE, OWN },
    { "modelopt-awq", "AWQ", FORM_BITS, GROUP },
    { "modelopt-fp8-block", "FP8", FORM_PLAIN, 0 },
    { "modelopt-int8", "INT8", FORM_PLAIN, 0 },
    { "modelopt-nvfp4", "NVFP4", FORM_PLAIN, 0 },
    { "mxfp4", "MXFP4", FORM_PLAIN, 0 },
    { "mxfp4-bytes", "MXFP4", FORM_PLAIN, 0 },
    { "mxfp8", "MXFP8", FORM_PLAIN, 0 },
    { "native", "", FORM_METHOD, OWN },
    { "qqq", "QQQ", FORM_BITS, GROUP },
    { "quanto", "quanto", FORM_BITS, OWN },
    { "quark-int4", "INT", FORM_INT, GROUP },
    { "quark-int8", "INT", FORM_INT, GROUP },
    { "spqr", "SpQR", FORM_BITS, OWN },
    { "svdquant", "SVDQuant", FORM_PLAIN, 0 },
    { "svdquant-awq", "SVDQuant", FORM_PLAIN, 0 },
    { "torchao", "torchao ", FORM_TENSOR, OWN },
    { "vptq", "VPTQ", FORM_BITS, OWN },
};

static const struct naming *naming_of(const char *layout)
{
    for (size_t i = 0; i < sizeof namings / sizeof *namings; i++)
        if (strcmp(namings[i].layout, layout) == 0) return &namings[i];
    return NULL;
}

static void put_capitals(struct buffer *b, numel_str s)
{
    for (size_t i = 0; i < s.n; i++)
        buffer_char(b, s.p[i] >= 'a' && s.p[i] <= 'z' ? (char)(s.p[i] - 32) : s.p[i]);
}

/* nf4 of "type 'nf4', double 1": what is called type or mode; nothing: no such choice. */
static numel_str chosen_type(const char *choice)
{
    static const char *const words[] = { "type '", "mode '" };
    for (size_t i = 0; choice && i < sizeof words / sizeof *words; i++) {
        const char *at = strstr(choice, words[i]), *end;
        if (!at || !(end = strchr(at + strlen(words[i]), '\''))) continue;
        at += strlen(words[i]);
        return text_span(at, end);
    }
    return (numel_str){ "", 0 };
}

/* int4 of Int4PlainInt32Tensor, nvfp4 of NVFP4Tensor, mxfp8 of MXTensor. */
static void put_tensor_type(struct buffer *b, numel_str type, int64_t bits)
{
    bool lower = false;
    text_take_end(&type, "Tensor");
    for (size_t i = 0; i < type.n; i++) {
        bool capital = type.p[i] >= 'A' && type.p[i] <= 'Z';
        if (capital && lower) break;
        lower = !capital;
        buffer_char(b, capital ? (char)(type.p[i] + 32) : type.p[i]);
    }
    if (text_equal(type, "MX") && bits) buffer_format(b, "fp%" PRId64, bits);
}

/* False: what it needs is not known. */
static bool put_form(struct buffer *b, const struct naming *n, const char *method,
                     const struct packing_kind *k)
{
    numel_str type = chosen_type(k->choice);
    buffer_text(b, n->name);
    switch (n->form) {
    case FORM_PLAIN: return true;
    case FORM_BITS:
        if (k->bits > 0) buffer_format(b, " %" PRId64 "-bit", k->bits);
        return true;
    case FORM_INT:
        if (k->bits > 0) buffer_format(b, "%" PRId64, k->bits);
        return true;
    case FORM_TYPE: put_capitals(b, type); return type.n > 0;
    case FORM_TENSOR: put_tensor_type(b, type, k->bits); return type.n > 0;
    case FORM_NUMBER:
        if (type.n)
            buffer_format(b, "%s%" PRId64, text_equal(type, "float") ? "FP" : "INT", k->bits ? k->bits : 8);
        return type.n > 0;
    case FORM_METHOD:
        if (method) put_capitals(b, text_of(method));
        return method != NULL;
    }
    return false;
}

/* False: people have no name for it, and it is called as its layout is. */
static bool put_kind(struct buffer *b, const struct packing_kind *k, const char *method)
{
    const struct naming *n = naming_of(k->layout);
    size_t before = b->n;
    bool known = n && put_form(b, n, method, k);
    if (!known) {
        b->n = before;
        buffer_text(b, k->layout);
        if (k->bits > 0) buffer_format(b, " %" PRId64 "-bit", k->bits);
        return false;
    }
    if (!(n->flags & OWN) && method && strcasecmp(method, n->name) != 0) {
        buffer_text(b, " (");
        text_safe(b, text_of(method), false);
        buffer_char(b, ')');
    }
    if (n->flags & GROUP && k->group > 0) buffer_format(b, ", group %" PRId64, k->group);
    if (n->flags & GROUP && k->group == PACKING_ROW) buffer_text(b, ", one scale per row");
    return true;
}

/* The i-th with what all of its layout have in common. False: one before it is of the same. */
static bool is_first(const struct packing *p, size_t i, struct packing_kind *k)
{
    *k = p->kinds[i];
    for (size_t j = 0; j < p->kind_count; j++) {
        const struct packing_kind *other = &p->kinds[j];
        if (strcmp(other->layout, k->layout) != 0) continue;
        if (j < i) return false;
        if (other->bits != k->bits) k->bits = 0;
        if (other->group != k->group) k->group = 0;
    }
    return true;
}

const char *quantization_name(const struct quantization *q, bool *known, struct arena *a)
{
    struct buffer b;
    struct packing_kind k;
    size_t last = 0;
    buffer_init(&b, a->memory);
    *known = !q->facts.open;
    for (size_t i = 0; i < q->packing.kind_count; i++) {
        size_t end = b.n;
        if (!is_first(&q->packing, i, &k)) continue;
        if (end) buffer_text(&b, " + ");
        size_t at = b.n;
        *known &= put_kind(&b, &k, q->facts.method);
        numel_str all = buffer_view(&b);
        bool same = end && text_same(text_slice(all, last, end), text_from(all, at));
        if (same) b.n = end; /* layouts of one name */
        else last = at;
    }
    return buffer_keep(&b, a);
}

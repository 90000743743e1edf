/*
 * fuzz_layouts.c -- a layout on a small checkpoint whose weights several quantizers wrote. An agreement is
 * proven again here: the named tensors exist, with the layout's dims and types, and no tensor stands for
 * two weights.
 *
 * The length of the text selects the configuration: silent, or one of the quantizers.
 */
#include "common/splice.h"
#include "common/words.h"

#include "model/packed.h"
#include "reader/checkpoint.h"

#include <string.h>

/* ---- the checkpoint ----------------------------------------------------------------------- */

struct stored_tensor {
    const char *name, *type;
    unsigned bytes; /* of an element */
    uint64_t dims[3];
};

#define LAYER(n) "model.layers." #n "."
/* Sizes as in fuzz_config: hidden 64, heads 4 and 2 of 16, inner 96; 4 bits in words of 32, groups of 32. */
static const struct stored_tensor stored[] = {
    { LAYER(0) "self_attn.q_proj.qweight", "I32", 4, { 8, 64 } },
    { LAYER(0) "self_attn.q_proj.qzeros", "I32", 4, { 2, 8 } },
    { LAYER(0) "self_attn.q_proj.scales", "F16", 2, { 2, 64 } },
    { LAYER(0) "self_attn.q_proj.g_idx", "I32", 4, { 64 } },
    { LAYER(0) "self_attn.k_proj.qweight", "I32", 4, { 64, 4 } },
    { LAYER(0) "self_attn.k_proj.qzeros", "I32", 4, { 2, 4 } },
    { LAYER(0) "self_attn.k_proj.scales", "F16", 2, { 2, 32 } },
    { LAYER(0) "self_attn.v_proj.weight_packed", "I32", 4, { 32, 8 } },
    { LAYER(0) "self_attn.v_proj.weight_scale", "BF16", 2, { 32, 2 } },
    { LAYER(0) "self_attn.v_proj.weight_shape", "I64", 8, { 2 } },
    { LAYER(0) "self_attn.o_proj.weight", "F8_E4M3", 1, { 64, 64 } },
    { LAYER(0) "self_attn.o_proj.weight_scale_inv", "F32", 4, { 1, 1 } },
    { LAYER(0) "mlp.gate_proj.weight", "U8", 1, { 3072, 1 } },
    { LAYER(0) "mlp.gate_proj.weight.absmax", "F32", 4, { 96 } },
    { LAYER(0) "mlp.gate_proj.weight.quant_map", "F32", 4, { 16 } },
    { LAYER(0) "mlp.up_proj.weight", "I8", 1, { 96, 64 } },
    { LAYER(0) "mlp.up_proj.SCB", "F32", 4, { 96 } },
    { LAYER(0) "mlp.down_proj.weight", "U32", 4, { 64, 12 } },
    { LAYER(0) "mlp.down_proj.scales", "BF16", 2, { 64, 3 } },
    { LAYER(0) "mlp.down_proj.biases", "BF16", 2, { 64, 3 } },
    { LAYER(0) "input_layernorm.weight", "BF16", 2, { 64 } },
    { LAYER(1) "self_attn.q_proj.weight", "BF16", 2, { 64, 64 } },
    { LAYER(1) "self_attn.k_proj.weight", "BF16", 2, { 32, 64 } },
    { LAYER(1) "mlp.up_proj.weight", "F8_E4M3", 1, { 96, 64 } },
    { LAYER(1) "mlp.up_proj.weight_scale", "F32", 4, { 1 } },
    { "model.embed_tokens.weight", "BF16", 2, { 100, 64 } },
    { "lm_head.weight", "BF16", 2, { 100, 64 } },
};
enum { STORED = sizeof stored / sizeof *stored };

static void put_header(struct buffer *b)
{
    uint64_t at = 0;
    buffer_add(b, "\0\0\0\0\0\0\0\0{", 9);
    for (size_t i = 0; i < STORED; i++) {
        const struct stored_tensor *t = &stored[i];
        uint64_t n = t->bytes;
        buffer_format(b, "%s\"%s\":{\"dtype\":\"%s\",\"shape\":[", i ? "," : "", t->name, t->type);
        for (unsigned k = 0; k < 3 && t->dims[k]; n *= t->dims[k++])
            buffer_format(b, "%s%" PRIu64, k ? "," : "", t->dims[k]);
        buffer_format(b, "],\"data_offsets\":[%" PRIu64 ",%" PRIu64 "]}", at, at + n);
        at += n;
    }
    buffer_char(b, '}');
    for (unsigned i = 0; i < 8; i++) b->p[i] = (char)(uint8_t)((b->n - 8) >> 8 * i);
}

static struct {
    numel_checkpoint *ck;
    struct expansion *x;
    uint32_t *own, *tensor; /* names are compared exactly: by tensor the row, by row the tensor */
} world;

static uint32_t number_of(numel_str name)
{
    size_t i = numel_tensor_find(world.ck, name.p, name.n);
    return i == SIZE_MAX ? NAMES_ABSENT : (uint32_t)i;
}

static uint32_t find_name(void *ctx, numel_str name)
{
    (void)ctx;
    return number_of(name);
}

static void prepare(void)
{
    static struct buffer bytes;
    const struct spec *s;
    numel_error e = { .code = NUMEL_OK };
    buffer_init(&bytes, &memory_malloc);
    put_header(&bytes);
    FUZZ_ASSERT(numel_open_memory(&world.ck, bytes.p, bytes.n, NULL, &e) == NUMEL_OK, e.what);
    FUZZ_ASSERT(library_spec(fuzz_library(), library_find(fuzz_library(), text_of("llama")), &s, &e), e.what);
    struct expand_input in = { .spec = s, .config = fuzz_config_new(fuzz_config, &memory_malloc) };
    FUZZ_ASSERT(expand(&world.x, &in, &memory_malloc, &e), e.what);
    world.own = malloc(STORED * sizeof *world.own);
    world.tensor = malloc(world.x->row_count * sizeof *world.tensor);
    if (!world.own || !world.tensor) abort();
    for (size_t i = 0; i < STORED; i++) world.own[i] = NAMES_ABSENT;
    for (uint32_t r = 0; r < world.x->row_count; r++) {
        world.tensor[r] = number_of(world.x->rows[r].name);
        if (world.tensor[r] != NAMES_ABSENT) world.own[world.tensor[r]] = r;
    }
}

/* ---- the proof ---------------------------------------------------------------------------- */

static bool type_is(numel_str types, const char *type)
{
    for (const char *at = types.p, *end = types.p + types.n; at <= end;) {
        const char *bar = at < end ? memchr(at, '|', (size_t)(end - at)) : NULL;
        size_t n = (size_t)((bar ? bar : end) - at);
        if (n == strlen(type) && memcmp(at, type, n) == 0) return true;
        if (n == 5 && memcmp(at, "float", 5) == 0 && strstr(" F64 F32 F16 BF16 ", type)) return true;
        at += n + 1;
    }
    return false;
}

static bool is_so(const struct stored *s, const numel_tensor *t)
{
    if (s->unknown) return true;
    if (t->ndim != s->ndim || !type_is(s->types, t->dtype->name)) return false;
    for (uint32_t i = 0; i < s->ndim; i++)
        if (s->dims[i] != UINT64_MAX && s->dims[i] != t->dims[i]) return false;
    return true;
}

/* A complete row: all required tensors exist in the row's form, and belong to it alone. */
static void check_row(const struct packed *p, uint32_t row, unsigned taken[STORED])
{
    const struct packed_row *r = &p->rows[row];
    char text[LAYOUT_NAME];
    bool value = false;
    for (unsigned i = 0; i < r->form->count; i++) {
        const struct stored *s = &r->form->stored[i];
        numel_str name;
        bool there = r->there >> i & 1;
        FUZZ_ASSERT(there || s->need != NEED_ALWAYS, "whole, and a tensor is missing");
        if (!there) continue;
        FUZZ_ASSERT(layout_name(s->name, world.x->rows[row].name, text, &name), "a name that is too long");
        uint32_t t = number_of(name);
        FUZZ_ASSERT(t != NAMES_ABSENT, "it agrees with a missing tensor");
        FUZZ_ASSERT(is_so(s, &world.ck->registry.tensors[t]),
                    "it agrees with a tensor of another type or shape");
        FUZZ_ASSERT(p->tensors[t].row != NAMES_ABSENT, "no row claims it");
        if (!s->shared) FUZZ_ASSERT(++taken[t] == 1, "one tensor stands for two weights");
        value = value || s->role == LAYOUT_VALUE;
    }
    FUZZ_ASSERT(value, "a weight without values");
}

static void check_packed(const struct packed *p)
{
    unsigned taken[STORED] = { 0 };
    uint64_t elements = 0;
    for (uint32_t r = 0; r < world.x->row_count; r++) {
        const struct packed_row *row = &p->rows[r];
        if (!row->form || !row->whole) continue;
        check_row(p, r, taken);
        elements += world.x->sites[world.x->rows[r].site].elements;
    }
    FUZZ_ASSERT(p->elements <= elements, "more elements than whole weights have");
    for (size_t i = 0; i < p->fault_count; i++) {
        const struct packed_fault *f = &p->faults[i];
        FUZZ_ASSERT(f->kind != PACKED_CONTRADICTION || (f->text && f->text[0]),
                    "a contradiction without words");
        FUZZ_ASSERT(f->tensor == NAMES_ABSENT || f->tensor < STORED, "a fault of no tensor");
    }
}

static void apply(struct layout *l, unsigned told, size_t size)
{
    static const char *const quantizations[] = {
        NULL,
        "{\"quant_method\":\"gptq\",\"bits\":4,\"group_size\":32,\"desc_act\":false}",
        "{\"quant_method\":\"awq\",\"bits\":4,\"group_size\":32,\"version\":\"gemm\"}",
        "{\"quant_method\":\"fp8\",\"weight_block_size\":[128,128],\"modules_to_not_convert\":[\"lm_head\"]}",
    };
    struct check_memory m;
    struct arena a;
    struct packed p;
    numel_error e = { .code = NUMEL_OK };
    struct packed_file file = { .registry = &world.ck->registry, .find = find_name };
    const char *quantization = quantizations[told % 4];
    fuzz_memory(&m, size, 0);
    arena_init(&a, &m.allocator);
    struct library one = { .arena = a, .layouts = &l, .layout_count = 1, .layouts_read = true };
    struct config *c = fuzz_config_new(fuzz_config, &m.allocator);
    if (quantization)
        FUZZ_ASSERT(config_add_quantization(c, quantization, strlen(quantization), "q.json", NULL, &e),
                    e.what);
    bool ok = packed_make(&p, world.x, c, &one, &file, world.own, world.tensor, &a, &e);
    fuzz_error(ok, &e, size);
    FUZZ_ASSERT(e.code != NUMEL_E_NOMEM || m.refused, "out of memory that there was");
    if (ok) {
        check_packed(&p);
        packed_done(&p);
    }
    config_free(c);
    arena_done(&a);
    fuzz_memory_done(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct check_memory m;
    struct complaints all = { .count = 0 };
    struct arena a;
    struct layout *l;
    numel_error e = { .code = NUMEL_OK };
    if (!world.ck) prepare();
    struct library_entry entry = fuzz_entry("fuzz.layout", "fuzz.layout", data, size);
    fuzz_memory(&m, size, 0);
    arena_init(&a, &m.allocator);
    all.arena = &a;
    bool ok = layout_parse(&l, &entry, &m.allocator, size % 2 ? &all : NULL, &e);
    fuzz_error(ok, &e, size);
    FUZZ_ASSERT(ok || e.code != NUMEL_E_SPEC || size % 2 == 0 || all.count, "refused, and no complaint");
    FUZZ_ASSERT(!ok || !all.count, "accepted, and complained about");
    if (ok) {
        layout_lint(l, &all);
        apply(l, (unsigned)(size / 2), size);
    }
    fuzz_complaints(&all, entry.file, entry.text);
    layout_free(l);
    arena_done(&a);
    fuzz_memory_done(&m);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static struct splice_pool lines;
    if (!lines.count) splice_built_in(&lines, SPLICE_LAYOUTS);
    return splice_lines(data, size, most, seed, &lines);
}

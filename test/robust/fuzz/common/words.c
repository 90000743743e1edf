/* words.c -- see words.h. */
#include "words.h"

#include "../../../support/hostile.h"
#include "../../../support/reports.h"

#include "base/text.h"

#include <string.h>

/* ---- memory ------------------------------------------------------------------------------- */

void fuzz_memory(struct check_memory *m, size_t input, uint64_t tensors)
{
    check_memory_init(m, UINT64_MAX);
    m->most = 8 * input + ((uint64_t)16 << 20) + 256 * tensors;
}

void fuzz_memory_done(const struct check_memory *m)
{
    FUZZ_ASSERT(m->outstanding == 0 && m->held == 0, "memory is left");
}

/* ---- errors and reports ------------------------------------------------------------------- */

void fuzz_error(bool ok, const numel_error *e, size_t size)
{
    FUZZ_ASSERT(ok == (e->code == NUMEL_OK), "result and error disagree");
    if (ok) return;
    FUZZ_ASSERT(e->what[0] && memchr(e->what, 0, sizeof e->what), "an error without words");
    FUZZ_ASSERT(memchr(e->file, 0, sizeof e->file), "a file name without an end");
    FUZZ_ASSERT(e->offset == NUMEL_NOWHERE || e->offset <= size, "an error outside of the text");
    FUZZ_CHECK(check_clean(e->what, strlen(e->what)));
    FUZZ_ASSERT(strcmp(numel_rc_name(e->code), "UNKNOWN") != 0, "an unknown code");
}

static bool append(void *ctx, const void *p, size_t n)
{
    buffer_add(ctx, p, n);
    return true;
}

/* A report as written, NUL-terminated. It may be shown, and its JSON is valid. */
static void written(struct buffer *b, const numel_report *r, numel_style_format format)
{
    numel_style style = { .size = sizeof style, .format = format, .width = 80 };
    numel_error e;
    b->n = 0;
    FUZZ_ASSERT(numel_report_write(r, &style, append, b, &e) == NUMEL_OK, "a report that cannot be written");
    FUZZ_CHECK(check_clean(b->p, b->n));
    if (format == NUMEL_JSON) FUZZ_CHECK(check_json(b->p, b->n));
    buffer_char(b, 0);
}

void fuzz_report(numel_rc rc, numel_report *r, const numel_error *e, size_t size)
{
    struct buffer b;
    fuzz_error(rc == NUMEL_OK, e, size);
    FUZZ_ASSERT((rc == NUMEL_OK) == (r != NULL), "result and report disagree");
    if (!r) return;
    buffer_init(&b, &memory_malloc);
    written(&b, r, NUMEL_TEXT);
    written(&b, r, NUMEL_JSON);
    buffer_done(&b);
    numel_report_free(r);
}

void fuzz_complaints(const struct complaints *all, const char *file, numel_str text)
{
    uint32_t lines = 1;
    for (size_t i = 0; i < text.n; i++) lines += text.p[i] == '\n';
    for (size_t i = 0; i < all->count && i < COMPLAINTS; i++) {
        const struct complaint *x = &all->items[i];
        FUZZ_ASSERT(x->message && x->message[0] && x->file, "a complaint without words");
        FUZZ_CHECK(check_clean(x->message, strlen(x->message)));
        if (strcmp(x->file, file) == 0) FUZZ_ASSERT(x->line <= lines, "a complaint about no line");
    }
}

/* ---- shared objects ----------------------------------------------------------------------- */

struct library *fuzz_library(void)
{
    static struct library *library;
    numel_error e = { .code = NUMEL_OK };
    if (!library) FUZZ_ASSERT(library_open(&library, &memory_malloc, &e), "the library");
    return library;
}

struct library_entry fuzz_entry(const char *name, const char *file, const uint8_t *data, size_t size)
{
    numel_str text = { size ? (const char *)data : "", size };
    return (struct library_entry){
        .name = name, .name_bytes = strlen(name), .file = file, .text = text, .whole = text
    };
}

const char fuzz_config[] =
    "{\"model_type\":\"llama\",\"architectures\":[\"LlamaForCausalLM\"],\"hidden_size\":64,\"num_hidden_"
    "layers\":2,"
    "\"num_attention_heads\":4,\"num_key_value_heads\":2,\"head_dim\":16,\"intermediate_size\":96,\"vocab_"
    "size\":100,"
    "\"max_position_embeddings\":128,\"type_vocab_size\":2,\"num_experts\":4,\"num_local_experts\":4,"
    "\"n_routed_experts\":4,\"moe_intermediate_size\":32,\"n_shared_experts\":1,\"num_experts_per_tok\":2,"
    "\"q_lora_rank\":24,\"kv_lora_rank\":16,\"qk_nope_head_dim\":8,\"qk_rope_head_dim\":8,\"v_head_dim\":16,"
    "\"state_size\":8,\"conv_kernel\":4,\"expand\":2,\"d_model\":64,\"encoder_layers\":2,\"decoder_layers\":"
    "2,"
    "\"encoder_ffn_dim\":96,\"decoder_ffn_dim\":96,\"num_channels\":3,\"image_size\":32,\"patch_size\":8,"
    "\"layer_types\":[\"full_attention\",\"sliding_attention\"],\"hidden_act\":\"silu\",\"rms_norm_eps\":1e-"
    "05,"
    "\"tie_word_embeddings\":false,\"embedding_length\":64,\"block_count\":2,\"feed_forward_length\":96,"
    "\"attention\":{\"head_count\":4,\"head_count_kv\":2,\"key_length\":16}}";

struct config *fuzz_config_new(const char *json, const numel_allocator *m)
{
    struct config *c;
    numel_error e = { .code = NUMEL_OK };
    FUZZ_ASSERT(config_new(&c, m, &e) && config_add_json(c, json, strlen(json), "config.json", &e), e.what);
    return c;
}

/* ---- expected tensors --------------------------------------------------------------------- */

void fuzz_expansion(const struct expansion *x)
{
    uint64_t parameters = 0, buffers = 0, tensors = 0, rows = 0;
    for (size_t i = 0; i < x->site_count; i++) {
        const struct site *s = &x->sites[i];
        uint64_t product = 1, all;
        for (uint32_t k = 0; k < s->ndim; k++)
            FUZZ_ASSERT(!__builtin_mul_overflow(product, s->dims[k], &product), "a size that wraps");
        FUZZ_ASSERT(product == s->elements, "elements are not the product");
        FUZZ_ASSERT(s->first_row == rows, "rows that no site has");
        FUZZ_ASSERT(s->rows == s->stack || s->rows == 1, "a stack that is neither one tensor nor many");
        FUZZ_ASSERT(s->stacked || s->rows == s->stack, "a single-tensor stack that is not marked as one");
        rows += s->rows;
        if (!s->counted) continue;
        FUZZ_ASSERT(!s->tied && !s->offered && !s->extra.p, "a copy that is counted");
        FUZZ_ASSERT(!__builtin_mul_overflow(s->elements, s->rows, &all), "a site that wraps");
        uint64_t *sum = s->kind == TENSOR_BUF ? &buffers : &parameters;
        FUZZ_ASSERT(!__builtin_add_overflow(*sum, all, sum), "a sum that wraps");
        tensors += s->rows;
    }
    FUZZ_ASSERT(rows == x->row_count, "rows and sites disagree");
    FUZZ_ASSERT(parameters == x->totals.parameters, "the parameters are another sum");
    FUZZ_ASSERT(buffers == x->totals.buffers, "the buffers are another sum");
    FUZZ_ASSERT(tensors == x->totals.parameter_tensors + x->totals.buffer_tensors,
                "another number of tensors");
}

void fuzz_terms(struct expansion *x)
{
    struct terms t;
    numel_error e = { .code = NUMEL_OK };
    uint64_t sum = 0;
    if (!terms_of(&t, x, &e)) {
        fuzz_error(false, &e, 0);
        return;
    }
    FUZZ_ASSERT(t.total == x->totals.parameters, "the formula gives another total");
    for (size_t i = 0; i < t.count; i++) {
        uint64_t all;
        FUZZ_ASSERT(!__builtin_mul_overflow(t.items[i].each, t.items[i].times, &all), "a term that wraps");
        FUZZ_ASSERT(all == t.items[i].total, "a term is not the product");
        FUZZ_ASSERT(t.items[i].expr && t.items[i].expr[0], "a term without expression");
        if (!t.items[i].buffer) sum += all;
    }
    FUZZ_ASSERT(sum == t.total, "the terms give another total");
    FUZZ_ASSERT(t.expression && t.expression[0], "no expression");
    terms_done(&t);
}

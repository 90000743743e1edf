/*
 * test_meaning.c -- what a name means: each class of names, with a similar name that must be refused.
 * Every row of the table is found by a name of its own, and not by one with an extra letter at either end.
 * For a tensor that a spec knows, its name may mean less than the spec, and hardly ever something else.
 */
#include "../support/judge.h"
#include "../support/t.h"

#include "model/meanings.h"

static const char *kind_text(const struct meaning *m, const struct meaning_row *row)
{
    static const char *const texts[] = {
        NULL, "weight", "bias", "buffer", "leftover", "rope", NULL, "adapter"
    };
    return row->kind == KIND_QUANT ? layout_role_text(m->sidecar->role) : texts[row->kind];
}

static const char *place_text(const struct meaning_row *row)
{
    static const char *const texts[] = { NULL, "mtp", "tower", "task" };
    return texts[row->place];
}

static void add(char out[256], const char *before, const char *text)
{
    size_t n = strlen(out);
    if (text) snprintf(out + n, 256 - n, "%s%s%s", n ? ", " : "", before, text);
}

static void describe(const char *name, char out[256])
{
    struct meaning m = meaning_of(text_of(name));
    out[0] = 0;
    add(out, "", kind_text(&m, m.kind));
    add(out, "maybe ", kind_text(&m, m.maybe));
    add(out, "in ", place_text(m.place));
    add(out, "", m.role->role);
}

/* ---- names, and their neighbours ---------------------------------------------------------- */

static const struct {
    const char *name, *means; /* kind, "maybe" another, "in" a place, role; "" for none */
} names[] = {
    /* adapters */
    { "model.layers.0.self_attn.q_proj.lora_A.weight", "adapter, maybe adapter, attn.q" },
    { "base_model.model.q_proj.lora_B.default.weight", "adapter, maybe adapter, attn.q" },
    { "model.embed_tokens.lora_embedding_A", "adapter, maybe adapter, embed.tok" },
    { "blk.0.attn_q.weight.lora_a", "adapter, maybe adapter, attn.q" },
    { "lora_te_layers_0_mlp_fc1.lora_down.weight", "adapter, maybe adapter, mlp" },
    { "attn1.processor.to_k_lora.up.weight", "adapter, attn" },
    { "lora_te_layers_0_mlp_fc1.alpha", "maybe adapter, mlp" },
    { "model.layers.0.mlp.down_proj.ia3_l", "maybe adapter, mlp.down" },
    { "score.modules_to_save.default.weight", "adapter" },
    { "q_proj.base_layer.weight", "weight, maybe adapter, attn.q" },
    { "my_lora_notes.weight", "weight" },
    { "model.my_lora_A.weight", "weight" },
    { "model.lora_Ab.weight", "weight, maybe adapter" }, /* a PEFT method's, if other evidence supports it */
    { "x_base_layer.weight", "weight" },
    { "alpha", "" },
    /* a quantizer's */
    { "self_attn.q_proj.qweight", "packed values, attn.q" },
    { "self_attn.q_proj.g_idx", "group indices, attn.q" },
    { "self_attn.q_proj.qzeros", "zero points, attn.q" },
    { "self_attn.q_proj.weight_scale", "scales, attn.q" },
    { "mlp.experts.gate_up_proj_scales", "scales, expert.gate_up" },
    { "mlp.experts.gate_up_proj_blocks", "maybe packed values, expert.gate_up" },
    { "q_proj.weight.quant_state.bitsandbytes__nf4", "shapes, attn.q" },
    { "q_proj.scale", "maybe scales, attn.q" },
    { "q_proj.biases", "maybe zero points, attn.q" },
    { "scaled_fp8", "markers" },
    { "experts.gate_up_proj_pre_quant_scale", "scales of activations, expert.gate_up" },
    { "mlp.down_proj.input_activation_scale", "scales of activations, mlp.down" },
    { "experts.gate_up_proj_pre_quant_scales_of", "expert.gate_up" },
    { "mlp.down_proj.deactivation_scale", "mlp.down" },
    { "scales_embedding.weight", "weight, embed.other" },
    { "model.weight_scale_head", "" },
    { "model.weight_scale_head.weight", "weight" },
    { "logit_scale", "" },
    { "model.layer_scale", "" },
    { "scale", "" },
    { "model.qweights", "" },
    { "model.absmaximum", "" },
    { "quant_state.bitsandbytes__nf4.x", "" },
    /* buffers, and tensors that no program loads */
    { "self_attn.rotary_emb.inv_freq", "leftover, buffer.rope" },
    { "rope_freqs.weight", "rope, buffer.rope" },
    { "rope_factors_long.weight", "rope, buffer.rope" },
    { "bn.num_batches_tracked", "buffer, buffer.count" },
    { "h.0.attn.bias", "bias, maybe leftover, attn" },
    { "blk.0.exp_probs_b.bias", "buffer, router.bias" },
    { "h.0.attn.c_attn.bias", "bias, attn.qkv" },
    { "model.inv_frequency", "" },
    { "model.inv_freq.weight", "weight" },
    { "model.rope_freqs.weight", "weight" },
    { "x.running_meaning", "" },
    { "model.position_ids_proj.weight", "weight" },
    { "version", "" },
    /* prediction layers */
    { "mtp.fc.weight", "weight, in mtp" },
    { "model.mtp_layers.0.mlp.up_proj.weight", "weight, in mtp, mlp.up" },
    { "blk.61.nextn.eh_proj.weight", "weight, in mtp, mtp.proj" },
    { "mtps.fc.weight", "weight" },
    { "smtp_head.weight", "weight" },
    /* towers */
    { "model.visual.blocks.0.attn.qkv.weight", "weight, in tower, attn.qkv" },
    { "vision_tower.layers.0.norm1.bias", "bias, in tower, norm" },
    { "v.blk.0.attn_q.weight", "weight, in tower, attn.q" },
    { "mm.0.bias", "bias, in tower, v.proj" },
    { "multi_modal_projector.linear_1.weight", "weight, in tower, v.proj" },
    { "model.v.blk.0.weight", "weight" },
    { "visualize.weight", "weight" },
    { "audiotape.weight", "weight" },
    { "visionary.blocks.0.weight", "weight" },
    { "mmm.0.weight", "weight" },
    /* heads of other classes */
    { "score.weight", "weight, in task, head.score" },
    { "cls.predictions.bias", "bias, in task, head.mlm" },
    { "bert.pooler.dense.weight", "weight, in task, head.pool" },
    { "lm_head.weight", "weight, in task, head" },
    { "language_model.lm_head.weight", "weight, head" },
    { "scores.weight", "weight" },
    { "model.score.weight", "weight" },
    { "lm_heads.weight", "weight" },
    { "spooler.dense.weight", "weight" },
    /* tables, heads, norms */
    { "model.embed_tokens.weight", "weight, embed.tok" },
    { "transformer.wpe.weight", "weight, embed.pos" },
    { "bert.embeddings.token_type_embeddings.weight", "weight, embed.type" },
    { "bert.embeddings.LayerNorm.weight", "weight, norm" },
    { "output.weight", "weight, head" },
    { "embed_out.weight", "weight, head" },
    { "time_embedding.linear_1.weight", "weight" },
    { "x_embedder.weight", "weight, embedder" },
    { "output.dense.weight", "weight, mlp.down" },
    { "norm1.linear.weight", "weight" },
    { "normalizer.weight", "weight" },
    { "abnormal.weight", "weight" },
    { "wted.weight", "weight" },
    /* layers */
    { "model.layers.0.self_attn.q_norm.weight", "weight, norm.q" },
    { "model.layers.0.post_attention_layernorm.weight", "weight, norm" },
    { "encoder.layer.0.attention.output.dense.weight", "weight, attn" },
    { "model.layers.0.mlp.gate.weight", "weight, router" },
    { "model.layers.0.mlp.experts.7.gate_proj.weight", "weight, expert.gate" },
    { "model.layers.0.mlp.shared_experts.up_proj.weight", "weight, shared.up" },
    { "blk.0.ffn_gate_inp.weight", "weight, router" },
    { "model.layers.0.linear_attn.A_log", "lin" },
    { "model.layers.0.mamba.in_proj.weight", "weight" },
    { "model.q_projector.weight", "weight" },
    { "floodgate.weight", "weight" },
    { "experts_list.weight", "weight" },
    { "attribute.weight", "weight" },
    /* unknown names */
    { "", "" },
    { ".", "" },
    { "..weight", "weight" },
    { "weight", "weight" },
};

static void test_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char is[256];
        describe(names[i].name, is);
        if (strcmp(is, names[i].means) != 0)
            fail_msg("'%s' means '%s', not '%s'", names[i].name, is, names[i].means);
    }
}

/* The names before the segment that decides the kind. */
static void test_stems(void **state)
{
    static const char *const stems[][2] = {
        { "layers.0.q_proj.lora_A.weight", "layers.0.q_proj" },
        { "layers.0.q_proj.lora_B.default.weight", "layers.0.q_proj" },
        { "attn1.processor.to_k_lora.up.weight", "attn1.processor.to_k" },
        { "embed.base_layer.weight", "embed" },
        { "lora_unet_x.alpha", "lora_unet_x" },
        { "q_proj.weight_scale", "q_proj" },
        { "q_proj.weight.absmax", "q_proj.weight" },
        { "experts.down_proj_scales", "experts.down_proj" },
        { "q_proj.scale", "q_proj" },
        { "lora_A.weight", "" },
        { "what.is.this", "what.is.this" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++) {
        struct meaning m = meaning_of(text_of(stems[i][0]));
        assert_int_equal(m.stem, strlen(stems[i][1]));
    }
}

static void test_long(void **state)
{
    char many[3 * 40 + 8], deep[16];
    size_t n = 0;
    (void)state;
    for (int i = 0; i < 40; i++) n += (size_t)snprintf(many + n, sizeof many - n, "ab.");
    snprintf(many + n, sizeof many - n, "weight");
    assert_int_equal(meaning_of(text_of(many)).kind->kind, KIND_NONE); /* too many segments */
    assert_int_equal(meaning_of((numel_str){ many + n, 6 }).kind->kind, KIND_WEIGHT);
    memcpy(deep, "lora_A\0.weight", 14); /* a segment with a NUL in it is a different one */
    assert_int_equal(meaning_of((numel_str){ deep, 14 }).kind->kind, KIND_WEIGHT);
}

/* ---- every row ---------------------------------------------------------------------------- */

/* A name for the row: its pattern with each wildcard filled in, at the position the row requires. */
static void name_for(const struct meaning_row *row, const char *before, const char *after, char out[256])
{
    char own[128];
    size_t n = 0;
    for (const char *p = row->glob; *p; p++) {
        if (*p == '*') own[n++] = 'y', own[n++] = 'z';
        else if (*p == '[') own[n++] = p[1], p = strchr(p, ']');
        else own[n++] = *p;
    }
    own[n] = 0;
    const char *front = row->at == AT_FIRST ? "" : row->at == AT_START ? "model." : "some.";
    snprintf(out, 256, "%s%s%s%s%s", front, before, own, after, row->at == AT_END ? "" : ".thing");
}

static bool names_row(const struct meaning_row *row, const char *name)
{
    struct meaning m = meaning_of(text_of(name));
    return m.kind == row || m.maybe == row || m.place == row || m.role == row;
}

/* Names from layouts: each is found by a name of its own, not by one with an extra letter. Meanings come
 * from the table only. */
static void test_every_sidecar(void **state)
{
    (void)state;
    assert_true(embedded_sidecar_count > 60);
    for (size_t i = 0; i < embedded_sidecar_count; i++) {
        const struct embedded_sidecar *s = &embedded_sidecars[i];
        bool part = *s->end == '*';
        char name[64];
        snprintf(name, sizeof name, "some.%s%s", part ? "yz" : "", s->end + part);
        struct meaning m = meaning_of(text_of(name));
        if (m.sidecar != s) fail_msg("%s of %s is not found by %s", s->end, s->layout, name);
        assert_int_equal((s->vague ? m.maybe : m.kind)->kind, KIND_QUANT);
        strcat(name, "y");
        if (meaning_of(text_of(name)).sidecar == s) fail_msg("%s is found by %s", s->end, name);
        snprintf(name, sizeof name, "some.y%s", s->end);
        if (!part && meaning_of(text_of(name)).sidecar == s) fail_msg("%s is found by %s", s->end, name);
        if (i) assert_true(s->role != LAYOUT_VALUE || s[-1].role == LAYOUT_VALUE); /* values come first */
    }
}

static void judge_row(const struct meaning_row *row)
{
    char name[256];
    name_for(row, "", "", name);
    if (!names_row(row, name)) fail_msg("row %s is not found by %s", row->glob, name);
    name_for(row, "x", "", name);
    if (row->glob[0] != '*' && names_row(row, name)) fail_msg("row %s is found by %s", row->glob, name);
    name_for(row, "", "x", name);
    if (row->glob[strlen(row->glob) - 1] != '*' && names_row(row, name))
        fail_msg("row %s is found by %s", row->glob, name);
    assert_true(row->kind || row->place || row->role);
    assert_true(!row->doubt || row->kind);
}

static void test_every_row(void **state)
{
    size_t methods = 0;
    (void)state;
    for (size_t i = 0; i < meaning_row_count; i++) judge_row(&meaning_rows[i]);
    for (const struct meaning_row *row = embedded_method_names; row->glob; row++, methods++) judge_row(row);
    assert_true(methods > 35);
}

/* ---- beside the specs --------------------------------------------------------------------- */

struct beside_specs {
    size_t names, same, more; /* tensors; those with the spec's traits; those with a trait the spec denies */
};

/* Traits that a name can show about a site: not the end of the layers, nor `extra`. */
static void compare_site(void *ctx, const struct expansion *x, const struct site *s)
{
    struct beside_specs *b = ctx;
    uint32_t traits = meaning_role_traits(s->role), known = ~(uint32_t)(TRAIT_FINAL | TRAIT_MTP);
    if (s->kind == TENSOR_NORM) traits |= TRAIT_NORM;
    if (s->kind == TENSOR_EMB) traits |= TRAIT_TABLE;
    if (s->kind == TENSOR_BUF) traits |= TRAIT_BUFFER;
    if (s->part == PART_BIAS) traits |= TRAIT_BIAS;
    for (uint32_t r = s->first_row; r < s->first_row + s->rows; r++) {
        struct meaning m = meaning_of(x->rows[r].name);
        uint32_t by_name = meaning_traits(&m);
        b->names++;
        b->same += ((traits ^ by_name) & known) == 0;
        b->more += (by_name & ~traits & known) != 0;
    }
}

/* Towers, images and video come from libraries whose names alone are seldom enough. */
static bool is_seldom_told(const char *name)
{
    static const char *const starts[] = { "size/", "timm/", "open_clip/", "original/", "diffusers/" };
    bool is = false;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) is |= text_starts(text_of(name), starts[i]);
    return is;
}

static void test_specs(void **state)
{
    enum { EVERY = 5 };
    struct cases all;
    struct library *library;
    struct beside_specs b = { 0 };
    numel_error e = { .code = NUMEL_OK };
    (void)state;
    cases_load_quick(&all, "fixtures/oracle");
    assert_true(library_open(&library, &memory_malloc, &e));
    for (size_t i = 0; i < all.count; i += EVERY) {
        struct witness w;
        struct spec *spec;
        char why[JUDGE_WHY];
        if (is_seldom_told(all.items[i].name)) continue;
        witness_init(&w, &all.items[i], library);
        if (w.entry) {
            assert_true(library_parse(library, w.entry, NULL, &spec, &memory_malloc, NULL, &e));
            inventory_spell(&w.held, spec);
            judge(&w, spec, why, compare_site, &b);
            spec_free(spec);
        }
        witness_done(&w);
    }
    library_free(library);
    cases_free(&all);
    print_message("%zu names: %zu mean what the spec says, %zu something else\n", b.names, b.same, b.more);
    assert_true(b.names > 10000);
    assert_true(b.same > b.names / 100 * 80);
    assert_true(b.more < b.names / 100 * 8);
}

/* ---- by pattern --------------------------------------------------------------------------- */

static bool same_meaning(const struct meaning *a, const struct meaning *b)
{
    return a->sidecar == b->sidecar && a->kind == b->kind && a->maybe == b->maybe && a->place == b->place &&
           a->role == b->role && a->stem == b->stem;
}

/* Names that differ in a segment that may itself be a name, and stems after a number. */
static const char *const added[] = {
    "layers.0.weight_scale_1",
    "layers.0.weight_scale_2",
    "layers.0.weight_scale_3",
    "DenseReluDense.wi_0.weight",
    "DenseReluDense.wi_1.weight",
    "DenseReluDense.wi_2.weight",
    "lora_unet_blocks_0_q.lora_down.weight",
    "lora_unet_blocks_110_q.lora_down.weight",
    "h.9.attn.bias",
    "h.10.attn.bias",
    "x.1_scales",
    "x.22_scales",
    "to_out.0.lora_A.weight",
    "to_out.10.lora_A.weight",
    "quant.0",
    "quant.1",
    "h.0.q_proj.lora_A.0.weight",
    "h.0.q_proj.lora_A.10.weight",
    "12.qweight",
    "3.qweight",
};

static size_t differing(struct registry *r, struct arena *a)
{
    struct meanings m;
    numel_error e = { .code = NUMEL_OK };
    size_t wrong = 0;
    assert_true(registry_commit_firsts(r, &e) && meanings_init(&m, r, a, &e));
    for (size_t i = 0; i < r->count; i++) {
        struct meaning one = meaning_of(r->tensors[i].name), other = meanings_at(&m, i);
        ROW(wrong, same_meaning(&one, &other), "%.*s", (int)r->tensors[i].name.n, r->tensors[i].name.p);
    }
    return wrong;
}

/* The answer for a pattern equals the answer for each of its names. */
static void test_patterns(void **state)
{
    enum { EVERY = 7 };
    struct cases all;
    struct library *library;
    size_t wrong = 0, seen = 0;
    numel_error e = { .code = NUMEL_OK };
    (void)state;
    cases_load_quick(&all, "fixtures/oracle");
    assert_true(library_open(&library, &memory_malloc, &e));
    for (size_t i = 0; i < all.count; i += EVERY) {
        struct witness w;
        struct arena a;
        struct registry r;
        arena_init(&a, &memory_malloc);
        registry_init(&r, &a);
        witness_init(&w, &all.items[i], library);
        for (size_t k = 0; k < w.held.count; k++)
            assert_true(registry_add(&r, &(numel_tensor){ .name = text_of(w.held.items[k].name) }, &e));
        for (size_t k = 0; i == 0 && k < ROWS_OF(added); k++)
            assert_true(registry_add(&r, &(numel_tensor){ .name = text_of(added[k]) }, &e));
        wrong += differing(&r, &a);
        seen += r.count;
        witness_done(&w);
        registry_done(&r);
        arena_done(&a);
    }
    library_free(library);
    cases_free(&all);
    assert_int_equal(wrong, 0);
    assert_true(seen > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),         cmocka_unit_test(test_stems),     cmocka_unit_test(test_long),
        cmocka_unit_test(test_every_sidecar), cmocka_unit_test(test_every_row), cmocka_unit_test(test_specs),
        cmocka_unit_test(test_patterns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

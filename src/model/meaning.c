/*
 * meaning.c -- the table of names, and how a name is compared with it; see meaning.h.
 *
 * The names come from the writers' own code: transformers, PEFT, diffusers and kohya for models and adapters,
 * llama.cpp for GGUF, and each quantizer's library.
 */
#include "model/meaning.h"

#include "base/num.h"

/* ---- the table ---------------------------------------------------------------------------- */

#define IS(AT, GLOB, KIND, ROLE)                            \
    {                                                       \
        .at = AT, .glob = GLOB, .kind = KIND, .role = ROLE, \
    }
#define MAY(AT, GLOB, KIND, ROLE)                                          \
    {                                                                      \
        .at = AT, .glob = GLOB, .kind = KIND, .role = ROLE, .doubt = true, \
    }
#define LIES(AT, GLOB, PLACE, ROLE)                           \
    {                                                         \
        .at = AT, .glob = GLOB, .place = PLACE, .role = ROLE, \
    }
#define DOES(AT, GLOB, ROLE)                  \
    {                                         \
        .at = AT, .glob = GLOB, .role = ROLE, \
    }
/* Of a LoRA: its role in its pair. */
#define LORA(AT, GLOB, ROLE)                                                          \
    {                                                                                 \
        .at = AT, .glob = GLOB, .kind = KIND_ADAPTER, .role = ROLE, .writer = "lora", \
    }

/* clang-format off */
const struct meaning_row meaning_rows[] = {
    /* adapters: PEFT (safetensors), MLX and GGUF (lowercase), kohya, diffusers of 2023 */
    LORA(AT_ANY, "lora_A", "adapter.a"),            LORA(AT_ANY, "lora_B", "adapter.b"),
    LORA(AT_END, "lora_a", "adapter.a"),            LORA(AT_END, "lora_b", "adapter.b"),
    LORA(AT_ANY, "lora_embedding_A", "adapter.a"),  LORA(AT_ANY, "lora_embedding_B", "adapter.b"),
    LORA(AT_ANY, "lora_magnitude_vector", "adapter.magnitude"),
    LORA(AT_ANY, "lora_down", "adapter.a"),         LORA(AT_ANY, "lora_up", "adapter.b"),
    LORA(AT_ANY, "lora.down", "adapter.a"),         LORA(AT_ANY, "lora.up", "adapter.b"),
    LORA(AT_ANY, "*_lora.down", "adapter.a"),       LORA(AT_ANY, "*_lora.up", "adapter.b"),
    IS(AT_ANY, "modules_to_save", KIND_ADAPTER, NULL), /* fully trained */
    IS(AT_END, "dora_scale", KIND_ADAPTER, "adapter.magnitude"),
    MAY(AT_END, "m", KIND_ADAPTER, "adapter.magnitude"),
    MAY(AT_END, "alpha", KIND_ADAPTER, "adapter.factor"),
    MAY(AT_ANY, "base_layer", KIND_ADAPTER, "adapter.base"),
    MAY(AT_ANY, "vera_[AB]", KIND_ADAPTER, "adapter.frozen"),
    MAY(AT_ANY, "randlora_[AB]", KIND_ADAPTER, "adapter.frozen"),
    MAY(AT_ANY, "pvera_[AB]", KIND_ADAPTER, "adapter.frozen"),
    MAY(AT_ANY, "prompt_encoder", KIND_ADAPTER, NULL), MAY(AT_ANY, "lora", KIND_ADAPTER, NULL),

    /* buffers, including those that only old writers store */
    IS(AT_FIRST, "rope_freqs", KIND_ROPE, "buffer.rope"),
    IS(AT_FIRST, "rope_factors_*", KIND_ROPE, "buffer.rope"),
    IS(AT_END, "*inv_freq", KIND_LEFTOVER, "buffer.rope"),
    IS(AT_END, "cos_cached", KIND_LEFTOVER, "buffer.rope"),
    IS(AT_END, "sin_cached", KIND_LEFTOVER, "buffer.rope"),
    IS(AT_END, "masked_bias", KIND_LEFTOVER, "buffer.masked"),
    DOES(AT_END, "mask", "buffer.mask"),         DOES(AT_END, "*_mask", "buffer.mask"),
    IS(AT_END, "position_ids", KIND_LEFTOVER, "buffer.pos"),
    IS(AT_END, "embed_positions.weights", KIND_LEFTOVER, "buffer.pos"), /* sines */
    IS(AT_END, "token_type_ids", KIND_LEFTOVER, "buffer.type"),
    MAY(AT_END, "attn.bias", KIND_LEFTOVER, "attn"),      /* a mask [1, 1, P, P]; or a bias */
    MAY(AT_END, "attention.bias", KIND_LEFTOVER, "attn"),
    MAY(AT_END, "version", KIND_LEFTOVER, NULL),
    MAY(AT_END, "EncDecAttention.relative_attention_bias.weight", KIND_LEFTOVER, "xattn"), /* T5 */
    IS(AT_END, "e_score_correction_bias", KIND_BUFFER, "router.bias"),
    IS(AT_END, "exp_probs_b.bias", KIND_BUFFER, "router.bias"), /* the same in GGUF */
    IS(AT_END, "running_mean", KIND_BUFFER, "buffer.mean"),
    IS(AT_END, "running_var", KIND_BUFFER, "buffer.var"),
    IS(AT_END, "num_batches_tracked", KIND_BUFFER, "buffer.count"),
    IS(AT_END, "relative_position_index", KIND_BUFFER, "buffer.relpos"),
    IS(AT_END, "final_logits_bias", KIND_BUFFER, "buffer.logits"),

    /* parameters */
    IS(AT_END, "weight", KIND_WEIGHT, NULL),     IS(AT_END, "bias", KIND_BIAS, NULL),

    /* sub-models and parts: prediction layers, towers, heads of other classes */
    LIES(AT_ANY, "mtp", PLACE_MTP, NULL),        LIES(AT_START, "mtp_*", PLACE_MTP, NULL),
    LIES(AT_ANY, "nextn", PLACE_MTP, NULL),      LIES(AT_ANY, "eh_proj", PLACE_MTP, "mtp.proj"),
    LIES(AT_ANY, "multi_modal_projector", PLACE_TOWER, "v.proj"),
    LIES(AT_START, "mm_projector", PLACE_TOWER, "v.proj"),
    LIES(AT_START, "vision_projector", PLACE_TOWER, "v.proj"),
    LIES(AT_START, "audio_projector", PLACE_TOWER, "a.proj"),
    LIES(AT_FIRST, "mm", PLACE_TOWER, "v.proj"), LIES(AT_FIRST, "v", PLACE_TOWER, NULL),
    LIES(AT_FIRST, "a", PLACE_TOWER, NULL),      LIES(AT_END, "image_newline", PLACE_TOWER, "newline"),
    LIES(AT_START, "visual", PLACE_TOWER, NULL), LIES(AT_START, "visual_*", PLACE_TOWER, NULL),
    LIES(AT_START, "vision_*", PLACE_TOWER, NULL), LIES(AT_ANY, "vision_tower", PLACE_TOWER, NULL),
    LIES(AT_ANY, "vision_model", PLACE_TOWER, NULL), LIES(AT_START, "audio_*", PLACE_TOWER, NULL),
    LIES(AT_ANY, "vision_embed_tokens", PLACE_TOWER, NULL), LIES(AT_START, "qformer", PLACE_TOWER, NULL),
    LIES(AT_START, "embed_tokens_extend", PLACE_TOWER, NULL), /* Phi-4 */
    LIES(AT_FIRST, "lm_head", PLACE_TASK, NULL), LIES(AT_FIRST, "score.weight", PLACE_TASK, "head.score"),
    LIES(AT_FIRST, "score.bias", PLACE_TASK, "head.score"),
    LIES(AT_FIRST, "classifier", PLACE_TASK, "head.class"),
    LIES(AT_FIRST, "classification_head", PLACE_TASK, "head.class"),
    LIES(AT_FIRST, "qa_outputs", PLACE_TASK, "head.qa"), LIES(AT_FIRST, "qa_classifier", PLACE_TASK, "head.qa"),
    LIES(AT_FIRST, "vocab_*norm*", PLACE_TASK, "head.mlm.norm"),
    LIES(AT_FIRST, "cls", PLACE_TASK, NULL),     LIES(AT_FIRST, "vocab_*", PLACE_TASK, "head.mlm"),
    LIES(AT_FIRST, "generator_*", PLACE_TASK, "head.mlm"), LIES(AT_FIRST, "v_head", PLACE_TASK, "head.value"),
    LIES(AT_FIRST, "discriminator_predictions", PLACE_TASK, "head.disc"),
    LIES(AT_ANY, "pooler", PLACE_TASK, "head.pool"),

    /* heads, norms, tables: recognised by their module */
    DOES(AT_FIRST, "lm_head.dense", "head.mlm"), DOES(AT_FIRST, "lm_head.decoder", "head.mlm"),
    DOES(AT_FIRST, "lm_head.*norm", "head.mlm.norm"),
    DOES(AT_ANY, "lm_head", "head"),             DOES(AT_MODULE, "embed_out", "head"),
    DOES(AT_FIRST, "output.weight", "head"),
    DOES(AT_FIRST, "cls.predictions.transform.LayerNorm", "head.mlm.norm"),
    DOES(AT_FIRST, "cls", "head.mlm"),
    DOES(AT_MODULE, "q_norm", "norm.q"),         DOES(AT_MODULE, "k_norm", "norm.k"),
    DOES(AT_MODULE, "*norm", "norm"),            DOES(AT_MODULE, "*norm[0-9]", "norm"),
    DOES(AT_MODULE, "*norm_*", "norm"),          DOES(AT_MODULE, "*Norm", "norm"),
    DOES(AT_MODULE, "ln_*", "norm"),             DOES(AT_MODULE, "ln[0-9]", "norm"),
    DOES(AT_MODULE, "ln", "norm"),               DOES(AT_MODULE, "*_ln", "norm"),
    DOES(AT_MODULE, "patch_embed*", "patch"),    DOES(AT_MODULE, "*embedder", "embedder"),
    DOES(AT_MODULE, "embed_proj*", "embedder"),  DOES(AT_MODULE, "embeddings_project", "embedder"),
    DOES(AT_MODULE, "embed_tokens", "embed.tok"), DOES(AT_MODULE, "word_embeddings", "embed.tok"),
    DOES(AT_MODULE, "tok_embeddings", "embed.tok"), DOES(AT_MODULE, "tokens_embed", "embed.tok"),
    DOES(AT_MODULE, "embed_in", "embed.tok"),    DOES(AT_MODULE, "wte", "embed.tok"),
    DOES(AT_MODULE, "token_embd", "embed.tok"),  DOES(AT_MODULE, "token_embedding", "embed.tok"),
    DOES(AT_ANY, "backbone.embeddings", "embed.tok"), DOES(AT_START, "shared.weight", "embed.tok"),
    DOES(AT_MODULE, "position_emb*", "embed.pos"), DOES(AT_MODULE, "positions_embed", "embed.pos"),
    DOES(AT_MODULE, "embed_positions", "embed.pos"), DOES(AT_MODULE, "wpe", "embed.pos"),
    DOES(AT_MODULE, "token_type_embeddings", "embed.type"), DOES(AT_MODULE, "token_types", "embed.type"),
    DOES(AT_MODULE, "*embedding", "embed.other"), DOES(AT_MODULE, "*embeddings", "embed.other"),
    DOES(AT_MODULE, "embed", "embed.other"),     DOES(AT_MODULE, "embed_*", "embed.other"),
    DOES(AT_MODULE, "*_embed", "embed.other"),   DOES(AT_MODULE, "*_embd", "embed.other"),

    /* experts, before their parts */
    DOES(AT_ANY, "shared_expert_gate", "shared.gate_inp"), DOES(AT_ANY, "ffn_gate_inp_shexp", "shared.gate_inp"),
    DOES(AT_ANY, "shared_expert*.gate_proj", "shared.gate"), DOES(AT_ANY, "ffn_gate_shexp", "shared.gate"),
    DOES(AT_ANY, "shared_expert*.up_proj", "shared.up"), DOES(AT_ANY, "ffn_up_shexp", "shared.up"),
    DOES(AT_ANY, "shared_mlp.gate_proj", "shared.gate"), DOES(AT_ANY, "shared_mlp.up_proj", "shared.up"),
    DOES(AT_ANY, "shared_mlp", "shared"),
    DOES(AT_ANY, "shared_expert*", "shared"),    DOES(AT_ANY, "*_shexp", "shared"),
    DOES(AT_ANY, "experts.*.gate_proj", "expert.gate"), DOES(AT_ANY, "experts.*.w1", "expert.gate"),
    DOES(AT_ANY, "experts.*.up_proj", "expert.up"), DOES(AT_ANY, "experts.*.w3", "expert.up"),
    DOES(AT_ANY, "experts.*.down_proj", "expert.down"), DOES(AT_ANY, "experts.*.w2", "expert.down"),
    DOES(AT_ANY, "experts.gate_up_proj*", "expert.gate_up"), DOES(AT_ANY, "experts.down_proj*", "expert.down"),
    DOES(AT_ANY, "ffn_gate_exps", "expert.gate"), DOES(AT_ANY, "ffn_up_exps", "expert.up"),
    DOES(AT_ANY, "ffn_gate_up_exps", "expert.gate_up"), DOES(AT_ANY, "ffn_down_exps", "expert.down"),
    DOES(AT_ANY, "experts", "expert"),           DOES(AT_ANY, "*_exps", "expert"),
    DOES(AT_ANY, "router", "router"),            DOES(AT_ANY, "ffn_gate_inp", "router"),
    DOES(AT_MODULE, "gate", "router"),           DOES(AT_ANY, "*classifier*", "head.class"),

    /* attention */
    DOES(AT_ANY, "encoder_attn", "xattn"),       DOES(AT_ANY, "EncDecAttention", "xattn"),
    DOES(AT_ANY, "crossattention", "xattn"),     DOES(AT_ANY, "cross_attn", "xattn"),
    DOES(AT_ANY, "cross_attention", "xattn"),    DOES(AT_ANY, "linear_attn", "lin"), /* not attention */
    DOES(AT_ANY, "q_proj", "attn.q"),            DOES(AT_ANY, "attn_q", "attn.q"),
    DOES(AT_ANY, "k_proj", "attn.k"),            DOES(AT_ANY, "attn_k", "attn.k"),
    DOES(AT_ANY, "v_proj", "attn.v"),            DOES(AT_ANY, "attn_v", "attn.v"),
    DOES(AT_ANY, "o_proj", "attn.o"),            DOES(AT_ANY, "attn_output", "attn.o"),
    DOES(AT_ANY, "attention.wq", "attn.q"),      DOES(AT_ANY, "self.query", "attn.q"),
    DOES(AT_ANY, "attention.wk", "attn.k"),      DOES(AT_ANY, "self.key", "attn.k"),
    DOES(AT_ANY, "attention.wv", "attn.v"),      DOES(AT_ANY, "self.value", "attn.v"),
    DOES(AT_ANY, "attention.wo", "attn.o"),      DOES(AT_ANY, "attn_qkv", "attn.qkv"),
    DOES(AT_ANY, "qkv_proj", "attn.qkv"),        DOES(AT_ANY, "query_key_value", "attn.qkv"),
    DOES(AT_ANY, "c_attn", "attn.qkv"),          DOES(AT_ANY, "Wqkv", "attn.qkv"),
    DOES(AT_ANY, "attn.qkv", "attn.qkv"),        DOES(AT_ANY, "W_pack", "attn.qkv"),
    DOES(AT_ANY, "attention.wqkv", "attn.qkv"),
    DOES(AT_ANY, "attention.query", "attn.q"),   DOES(AT_ANY, "SelfAttention.q", "attn.q"),
    DOES(AT_ANY, "attention.key", "attn.k"),     DOES(AT_ANY, "SelfAttention.k", "attn.k"),
    DOES(AT_ANY, "attention.value", "attn.v"),   DOES(AT_ANY, "SelfAttention.v", "attn.v"),
    DOES(AT_ANY, "q_a_proj", "attn.q_a"),        DOES(AT_ANY, "attn_q_a", "attn.q_a"),
    DOES(AT_ANY, "q_b_proj", "attn.q_b"),        DOES(AT_ANY, "attn_q_b", "attn.q_b"),
    DOES(AT_ANY, "kv_a_proj_with_mqa", "attn.kv_a"), DOES(AT_ANY, "attn_kv_a_mqa", "attn.kv_a"),
    DOES(AT_ANY, "kv_b_proj", "attn.kv_b"),      DOES(AT_ANY, "attn_kv_b", "attn.kv_b"),
    DOES(AT_ANY, "attn_k_b", "attn.k_b"),        DOES(AT_ANY, "attn_v_b", "attn.v_b"),
    DOES(AT_ANY, "*attn*", "attn"),              DOES(AT_ANY, "*attention*", "attn"),
    DOES(AT_ANY, "*Attention*", "attn"),         DOES(AT_ANY, "att", "attn"),

    /* feed-forward */
    DOES(AT_ANY, "gate_proj", "mlp.gate"),       DOES(AT_ANY, "ffn_gate", "mlp.gate"),
    DOES(AT_ANY, "up_proj", "mlp.up"),           DOES(AT_ANY, "ffn_up", "mlp.up"),
    DOES(AT_ANY, "down_proj", "mlp.down"),       DOES(AT_ANY, "ffn_down", "mlp.down"),
    DOES(AT_ANY, "gate_up_proj", "mlp.gate_up"), DOES(AT_ANY, "feed_forward.w1", "mlp.gate"),
    DOES(AT_ANY, "feed_forward.w3", "mlp.up"),   DOES(AT_ANY, "feed_forward.w2", "mlp.down"),
    DOES(AT_ANY, "c_fc", "mlp.up"),              DOES(AT_ANY, "dense_h_to_4h", "mlp.up"),
    DOES(AT_ANY, "fc1", "mlp.up"),               DOES(AT_ANY, "fc2", "mlp.down"),
    DOES(AT_ANY, "DenseReluDense.wi", "mlp.up"), DOES(AT_ANY, "DenseReluDense.wo", "mlp.down"),
    DOES(AT_ANY, "DenseReluDense.wi_0", "mlp.gate"), DOES(AT_ANY, "DenseReluDense.wi_1", "mlp.up"),
    DOES(AT_ANY, "output.dense", "mlp.down"),    /* of BERT; "attention.output.dense" is above */
    DOES(AT_ANY, "dense_4h_to_h", "mlp.down"),   DOES(AT_ANY, "intermediate.dense", "mlp.up"),
    DOES(AT_ANY, "*mlp*", "mlp"),                DOES(AT_ANY, "*ffn*", "mlp"),
    DOES(AT_ANY, "*feed_forward*", "mlp"),
};
/* clang-format on */
const size_t meaning_row_count = sizeof meaning_rows / sizeof *meaning_rows;

/* ---- a name ------------------------------------------------------------------------------- */

enum { MOST_PARTS = 32, MOST_OF_ROW = 4 }; /* longer names match no row */

struct parts {
    numel_str name;
    unsigned count, shell; /* from `shell` on, parts no longer just wrap a model */
    size_t from[MOST_PARTS + 1];
    char first[MOST_PARTS]; /* of each part; 0 if it is empty */
    uint64_t bytes[4];      /* bit b: byte b occurs in the name */
    uint64_t firsts[4];     /* bit b: a part begins with byte b */
};

static bool has_byte(const uint64_t set[4], char byte)
{
    return set[(uint8_t)byte / 64] >> (uint8_t)byte % 64 & 1;
}

static numel_str span_of(const struct parts *p, unsigned at, unsigned parts)
{
    return text_slice(p->name, p->from[at], num_left(p->from[at + parts], 1));
}

static bool wraps(numel_str part)
{
    return text_equal(part, "model") || text_equal(part, "base_model") || text_equal(part, "module") ||
           text_equal(part, "thinker");
}

static bool split(struct parts *p, numel_str name)
{
    *p = (struct parts){ .name = name };
    if (!name.n) p->name.p = ""; /* parts point into it, so it must not be NULL */
    for (size_t i = 0; i <= name.n; i++) {
        if (i < name.n) p->bytes[(uint8_t)name.p[i] / 64] |= UINT64_C(1) << (uint8_t)name.p[i] % 64;
        if (i < name.n && name.p[i] != '.') continue;
        if (p->count == MOST_PARTS) return false;
        char first = p->first[p->count] = p->from[p->count] < i ? name.p[p->from[p->count]] : 0;
        p->firsts[(uint8_t)first / 64] |= UINT64_C(1) << (uint8_t)first % 64;
        p->from[++p->count] = i + 1;
    }
    while (p->shell + 1 < p->count && wraps(span_of(p, p->shell, 1))) p->shell++;
    return true;
}

static unsigned parts_of(const char *glob)
{
    unsigned n = 1;
    for (; *glob; glob++) n += *glob == '.';
    return n;
}

/* True if a row of n parts may match at this part. A doubtful ending that is the whole name does not
 * match, and a one-part pattern for the start of a name requires more parts after it. */
static bool may_stand(const struct parts *p, const struct meaning_row *row, unsigned at, unsigned n)
{
    switch (row->at) {
    case AT_END: return at + n == p->count && (at || !row->doubt);
    case AT_MODULE: return at + n == p->count || at + n + 1 == p->count;
    case AT_ANY: return at + n <= p->count;
    default: return at + n < p->count || (n > 1 && at + n == p->count);
    }
}

/* True if the name contains every letter of the pattern. Nearly all rows fail here, at their first
 * letters. */
static bool has_letters(const struct parts *p, const char *glob)
{
    for (; *glob && *glob != '['; glob++)
        if (*glob != '*' && *glob != '?' && !has_byte(p->bytes, *glob)) return false;
    return true;
}

static bool begins_anyhow(const char *glob) { return *glob == '*' || *glob == '['; }

/* True if some part may begin like the pattern. */
static bool may_begin(const struct parts *p, const char *glob)
{
    return has_byte(p->firsts, *glob) || begins_anyhow(glob);
}

/* The part where the row's pattern matches; p->count if it does not. */
static unsigned find(const struct parts *p, const struct meaning_row *row)
{
    unsigned first = 0, last = p->count - 1;
    char begin = row->glob[0];
    bool any = begins_anyhow(row->glob);
    if (!has_letters(p, row->glob)) return p->count;
    if (row->at == AT_FIRST) last = 0;
    if (row->at == AT_START) last = p->shell;
    if (row->at <= AT_MODULE && last > MOST_OF_ROW) first = last - MOST_OF_ROW;
    for (unsigned at = first; at <= last; at++) {
        if (!any && begin != p->first[at]) continue;
        unsigned n = parts_of(row->glob);
        if (may_stand(p, row, at, n) && text_glob(row->glob, span_of(p, at, n))) return at;
    }
    return p->count;
}

static size_t stem_of(const struct parts *p, const struct meaning_row *row, unsigned at)
{
    unsigned n = parts_of(row->glob);
    if (row->glob[0] == '*') return p->from[at + n] - 1 - (strlen(row->glob) - 1);
    return at ? p->from[at] - 1 : 0;
}

/* ---- all ---------------------------------------------------------------------------------- */

static const struct meaning_row nothing = { .glob = "" }, packing = { .glob = "", .kind = KIND_QUANT };

/* Adds the layouts' meaning of a name. The table has none of these names. */
static void read_sidecar(struct meaning *m, const struct parts *p)
{
    for (uint32_t i = 0; i < embedded_sidecar_count; i++) {
        const struct embedded_sidecar *s = &embedded_sidecars[i];
        const struct meaning_row **told = s->vague ? &m->maybe : &m->kind;
        bool part = *s->end == '*';
        if ((*told)->kind || !may_begin(p, s->end) || !text_ends(p->name, s->end + part)) continue;
        size_t stem = text_less(p->name, strlen(s->end + part)).n;
        if (part ? stem < p->from[p->count - 1] : stem && p->name.p[stem - 1] != '.') continue;
        if (s->vague && (!stem || p->count == 1)) continue; /* not in a module */
        *told = &packing;
        m->sidecar = s;
        if (m->kind->kind <= KIND_BIAS || !s->vague) m->stem = part || !stem ? stem : stem - 1;
        return;
    }
}

/* The methods' meaning of a name, where no row of the table doubts it. */
static void read_method(struct meaning *m, const struct parts *p, size_t *doubtful)
{
    for (const struct meaning_row *row = embedded_method_names; !m->maybe->kind && row->glob; row++) {
        unsigned at = may_begin(p, row->glob) ? find(p, row) : p->count;
        if (at < p->count) m->maybe = row, *doubtful = stem_of(p, row, at);
    }
}

struct meaning meaning_of(numel_str name)
{
    struct meaning m = { &nothing, &nothing, &nothing, &nothing, NULL, name.n };
    struct parts p;
    size_t doubtful = name.n;
    if (!split(&p, name)) return m;
    for (size_t i = 0; i < meaning_row_count; i++) {
        const struct meaning_row *row = &meaning_rows[i];
        if (!may_begin(&p, row->glob)) continue;
        bool is = row->kind && !row->doubt && !m.kind->kind, may = row->doubt && !m.maybe->kind;
        bool lies = row->place && !m.place->place;
        bool does = row->role && !m.role->role && row->kind != KIND_ADAPTER;
        if (!is && !may && !lies && !does) continue;
        unsigned at = find(&p, row);
        if (at == p.count) continue;
        if (is) m.kind = row, m.stem = stem_of(&p, row, at);
        if (may) m.maybe = row, doubtful = stem_of(&p, row, at);
        if (lies) m.place = row;
        if (does) m.role = row;
    }
    read_method(&m, &p, &doubtful);
    if (m.kind->kind <= KIND_BIAS && m.maybe->kind) m.stem = doubtful;
    read_sidecar(&m, &p);
    return m;
}

const struct meaning_row *meaning_adapter(const struct meaning *m)
{
    if (m->kind->kind == KIND_ADAPTER) return m->kind;
    return m->maybe->kind == KIND_ADAPTER ? m->maybe : NULL;
}

bool meaning_names_adapter(numel_str module)
{
    struct meaning m = meaning_of(module);
    const struct meaning_row *row = meaning_adapter(&m);
    return row && !(row->role && strcmp(row->role, "adapter.base") == 0);
}

bool meaning_is_buffer(const struct meaning *m)
{
    enum meaning_kind k = m->kind->kind;
    return k == KIND_BUFFER || k == KIND_LEFTOVER || k == KIND_ROPE;
}

/* ---- traits ------------------------------------------------------------------------------- */

/* Each row whose glob matches sets and clears its traits, in order. */
static const struct {
    const char *glob;
    uint32_t set, clear;
} role_rows[] = {
    { "*norm*", TRAIT_NORM, 0 },
    { "norm.final*", TRAIT_FINAL, 0 },
    { "norm.post*", TRAIT_FINAL, 0 }, /* in vision models, after the layers */
    { "embed.*", TRAIT_TYPES, 0 },
    { "embed.tok*", TRAIT_TOKENS, TRAIT_TYPES },
    { "embed.pos*", TRAIT_POSITIONS, TRAIT_TYPES },
    { "head.*", TRAIT_TASK, 0 },
    { "head", TRAIT_HEAD, 0 },
    { "head.bias", TRAIT_HEAD, TRAIT_TASK },
    { "head.pool*", TRAIT_POOL, TRAIT_TASK },
    { "attn*", TRAIT_ATTENTION, 0 },
    { "attn.[qkv]*", TRAIT_QKV, 0 },
    { "xattn*", TRAIT_ATTENTION, 0 },
    { "mlp*", TRAIT_FFN, 0 },
    { "*.gate*", TRAIT_GATE_UP, 0 },
    { "*.up*", TRAIT_GATE_UP, 0 },
    { "expert*", TRAIT_FFN | TRAIT_EXPERT, 0 },
    { "shared*", TRAIT_FFN | TRAIT_SHARED, 0 },
    { "router*", TRAIT_ROUTER, 0 },
    { "v.*", TRAIT_TOWER, TRAIT_TYPES },
    { "vis.*", TRAIT_TOWER, 0 },
    { "a.*", TRAIT_TOWER, 0 },
    { "q.*", TRAIT_TOWER, 0 },
    { "v.proj*", TRAIT_PROJECTOR, 0 },
    { "v.merge*", TRAIT_PROJECTOR, 0 },
    { "a.proj*", TRAIT_PROJECTOR, 0 },
    { "*.bias", TRAIT_BIAS, 0 },
    { "buffer.mask", TRAIT_MASK, 0 },
    { "buffer.causal", TRAIT_MASK, 0 },
    { "buffer.rope*", TRAIT_ROPE, 0 },
};

uint32_t meaning_role_traits(numel_str role)
{
    uint32_t traits = 0;
    for (size_t i = 0; i < sizeof role_rows / sizeof *role_rows; i++)
        if (text_glob(role_rows[i].glob, role)) traits = (traits | role_rows[i].set) & ~role_rows[i].clear;
    return traits;
}

uint32_t meaning_traits(const struct meaning *m)
{
    char room[64];
    const char *role = m->role->role ? m->role->role : "";
    bool tower = m->place->place == PLACE_TOWER;
    numel_str inside = { role, strlen(role) };
    if (tower && !text_starts(inside, "v.")) /* specs name the parts of a tower this way */
        inside = text_join(room, sizeof room, text_of("v."), text_of(role), text_of(""));
    uint32_t traits = meaning_role_traits(inside);
    if (strncmp(role, "embed.", 6) == 0 && m->kind->kind) traits |= TRAIT_TABLE; /* a module's parameter */
    if (strcmp(role, "embed.other") == 0) traits &= ~(uint32_t)TRAIT_TYPES;
    if (m->kind->kind == KIND_BIAS) traits |= TRAIT_BIAS;
    if (m->kind->kind == KIND_ADAPTER) traits |= TRAIT_LORA;
    if (m->kind->kind == KIND_QUANT && m->sidecar->role != LAYOUT_VALUE) traits |= TRAIT_SCALE;
    if (meaning_is_buffer(m)) traits |= TRAIT_BUFFER;
    if (m->place->place == PLACE_MTP)
        traits = (traits | TRAIT_MTP) & ~(uint32_t)(TRAIT_TOKENS | TRAIT_HEAD); /* copies of the model's */
    return traits;
}

/*
 * explain_popular.c -- formulas that posts and calculators use instead of counting.
 *
 * Each is as its authors wrote it, even if wrong, because the error is the explanation. The symbols are those
 * of specs: V vocabulary, E width, L layers, H and K heads, F feed-forward width, P positions.
 */
#include "explain/explain.h"

__extension__ typedef __int128 wide;

struct sizes {
    wide V, E, L, H, K, F, P;
    bool tied;
};

static bool sizes_of(const struct ledger *l, struct sizes *s)
{
    *s = (struct sizes){
        .V = ledger_symbol(l, "V"),
        .E = ledger_symbol(l, "E"),
        .L = ledger_symbol(l, "L"),
        .H = ledger_symbol(l, "H"),
        .K = ledger_symbol(l, "K"),
        .F = ledger_symbol(l, "F"),
        .P = ledger_symbol(l, "P"),
    };
    for (size_t i = 0; i < l->count; i++)
        if (l->entries[i].traits & TRAIT_TIED && l->entries[i].traits & TRAIT_HEAD) s->tied = true;
    return s->V > 0 && s->E > 0 && s->L > 0;
}

static bool give(wide v, uint64_t *out)
{
    *out = v > 0 && v <= INT64_MAX ? (uint64_t)v : 0;
    return *out != 0;
}

static bool layers_12(const struct ledger *l, uint64_t *out)
{
    struct sizes s;
    return sizes_of(l, &s) && give(12 * s.L * s.E * s.E, out);
}

static bool layers_12_tokens(const struct ledger *l, uint64_t *out)
{
    struct sizes s;
    return sizes_of(l, &s) && give(12 * s.L * s.E * s.E + s.V * s.E, out);
}

static bool gpt2_algebra(const struct ledger *l, uint64_t *out)
{
    struct sizes s;
    return sizes_of(l, &s) && give(s.L * (12 * s.E * s.E + 13 * s.E) + (s.V + s.P) * s.E + 2 * s.E, out);
}

static bool is_gated(const struct ledger *l)
{
    for (size_t i = 0; i < l->count; i++)
        if (text_glob("*.gate*", l->entries[i].role) && l->entries[i].traits & TRAIT_FFN) return true;
    return false;
}

/* EleutherAI's cookbook: the expansion is an integer, positions always count, norms take 8*L*E, heads are
 * E/H wide. */
static bool cookbook(const struct ledger *l, wide positions, uint64_t *out)
{
    struct sizes s;
    if (!sizes_of(l, &s) || !s.F || !s.H) return false;
    wide expansion = (2 * s.F + s.E) / (2 * s.E), K = s.K ? s.K : s.H;
    wide attention = 2 * s.L * s.E * s.E * (s.H + K) / s.H;
    wide ffn = (is_gated(l) ? 3 : 2) * expansion * s.L * s.E * s.E;
    return give((s.tied ? 1 : 2) * s.V * s.E + positions * s.E + attention + ffn + 8 * s.L * s.E, out);
}

static bool cookbook_2048(const struct ledger *l, uint64_t *out) { return cookbook(l, 2048, out); }

static bool cookbook_positions(const struct ledger *l, uint64_t *out)
{
    return l->positions && l->positions != 2048 && cookbook(l, (wide)l->positions, out);
}

/* llm-analysis: one table for embedding and head, Q and O of size E x E, all experts in every layer, no
 * biases. */
static bool analysis(const struct ledger *l, uint64_t *out)
{
    struct sizes s;
    if (!sizes_of(l, &s) || !s.F || !s.H) return false;
    wide K = s.K ? s.K : s.H, N = l->experts > 1 ? (wide)l->experts : 1;
    wide router = N > 1 ? N * s.E : 0;
    wide layer = 2 * s.E * s.E * (s.H + K) / s.H + (is_gated(l) ? 3 : 2) * N * s.E * s.F + router + 2 * s.E;
    return give(s.V * s.E + s.L * layer + s.E, out);
}

/* Counts a mixture as one whole model per expert: 8x7B as 56 B. Each includes everything except the other
 * experts. */
static bool whole_models(const struct ledger *l, uint64_t *out)
{
    wide one = 0;
    for (size_t i = 0; i < l->count; i++) {
        const struct entry *n = &l->entries[i];
        if (!(n->traits & TRAIT_BESIDE))
            one += n->traits & TRAIT_EXPERT ? n->elements / n->stack : n->elements;
    }
    return l->experts > 1 && give(one * (wide)l->experts, out);
}

/* Published figures that no count gives, by number of parameters: OpenAI's README stated 117M for GPT-2
 * until it was corrected; table 1 of Whisper's paper. */
/* clang-format off */
static const struct {
    uint64_t counted, said;
} published[] = {
    { 124439808, 117000000 }, { 354823168, 345000000 }, { 774030080, 762000000 }, { 1557611200, 1542000000 },
    { 37760640, 39000000 }, { 72593920, 74000000 }, { 241734912, 244000000 }, { 763857920, 769000000 },
    { 1543304960, 1550000000 }, { 1543490560, 1550000000 },
};
/* clang-format on */

static bool as_published(const struct ledger *l, uint64_t *out)
{
    uint64_t counted = 0;
    for (size_t i = 0; i < l->count; i++)
        if (!(l->entries[i].traits & TRAIT_BESIDE)) counted += l->entries[i].elements;
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
        if (published[i].counted == counted) return *out = published[i].said, true;
    return false;
}

/* clang-format off */
const struct popular popular_rows[] = {
    { { "published-figure", "its authors' figure", true }, "no count gives it", as_published, 1 },
    { { "rule-of-12", "the rule of 12", true }, "12*L*E^2", layers_12, 5 },
    { { "rule-of-12-tokens", "the rule of 12, with tokens", true }, "12*L*E^2 + V*E", layers_12_tokens, 4 },
    { { "gpt2-algebra", "GPT-2's algebra", true }, "L*(12*E^2 + 13*E) + (V + P)*E + 2*E", gpt2_algebra, 5 },
    { { "cookbook", "EleutherAI's cookbook", true },
      "embeddings + 2048*E + 2*L*E^2*(1 + K/H) + n*round(F/E)*L*E^2 + 8*L*E", cookbook_2048, 5 },
    { { "cookbook-positions", "EleutherAI's cookbook, all positions", true },
      "embeddings + P*E + 2*L*E^2*(1 + K/H) + n*round(F/E)*L*E^2 + 8*L*E", cookbook_positions, 5 },
    { { "llm-analysis", "llm-analysis", true },
      "V*E + L*(2*E^2*(1 + K/H) + n*N*E*F + N*E + 2*E) + E", analysis, 5 },
    { { "models-as-experts", "as many models as experts", true },
      "N times a model with one expert", whole_models, 3 },
};
/* clang-format on */
const size_t popular_count = sizeof popular_rows / sizeof *popular_rows;

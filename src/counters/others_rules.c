/*
 * others_rules.c -- the table of counters and their rules; see others.h. To add a counter, add a row.
 *
 * Sources are the counters' own code: huggingface_hub 1.33, huggingface.js 2.17.5, transformers 5.2,
 * diffusers 0.42, peft 0.21, llama.cpp of 2026, gguf-py 0.19, gguf-parser-go, ollama. docs/counting.md
 * describes the rules in words.
 */
#include "reader/declared.h"
#include "counters/others.h"

#include "base/num.h"
#include "base/text.h"
#include "registry/metadata.h"
#include "statement/search.h"

#include <stdio.h>

static const numel_tensor *tensor_at(const struct others *o, uint32_t i)
{
    return &o->ck->registry.tensors[i];
}

static enum cause cause_at(const struct others *o, uint32_t i) { return model_tensor(o->c->model, i).cause; }

/* The tensor's site in the formula. Only for expected tensors. */
static const struct site *site_at(const struct others *o, uint32_t i)
{
    return model_tensor(o->c->model, i).site;
}

static bool is_packed(const struct others *o, uint32_t i)
{
    return model_tensor(o->c->model, i).fit == FIT_PACKED;
}

#define CODE(name) (&others_codes[OTHERS_##name])

const struct line_code others_codes[OTHERS_CODE_COUNT] = {
#define X(name, code, text) { code, text, true },
    OTHERS_CODES(X)
#undef X
};

/* Adds a line without tensors. */
static void differ(struct counted *t, const struct line_code *code, uint64_t is, uint64_t was)
{
    tally_add(&t->tally, code, (numel_str){ NULL, 0 }, is, was);
}

/* ---- all stored elements ------------------------------------------------------------------ */

static struct taken as_stored(const struct others *o, uint32_t i)
{
    return (struct taken){ tensor_at(o, i)->elements, NULL };
}

/* The limit on a file's header does not include its eight length bytes. */
static bool header_within_hub(struct others *o, struct counted *t)
{
    for (size_t i = 0; i < o->ck->file_count; i++)
        if (o->ck->files[i].header_bytes > HUB_HEADER + 8)
            return others_none(t, "refuses: a header of more than 25,000,000 bytes");
    return true;
}

/* Formats {'F32': 124697433, 'I64': 514}, with types in order of first use. */
NUMEL_MUST static bool after_huggingface_hub(struct others *o, struct counted *t)
{
    enum { TYPES = 8 };
    struct {
        const char *name;
        uint64_t n;
    } types[TYPES];
    struct buffer b;
    size_t count = 0;
    for (uint32_t i = 0; i < o->ck->registry.count; i++) {
        size_t k = 0;
        const numel_tensor *x = tensor_at(o, i);
        while (k < count && strcmp(types[k].name, x->dtype->name) != 0) k++;
        if (k == TYPES) continue;
        if (k == count) types[count++].n = 0;
        types[k].name = x->dtype->name;
        types[k].n += x->elements;
    }
    buffer_init(&b, o->arena->memory);
    for (size_t k = 0; k < count; k++) {
        buffer_text(&b, k ? ", '" : "{'");
        text_escape(&b, text_of(types[k].name));
        buffer_format(&b, "': %" PRIu64, types[k].n);
    }
    buffer_text(&b, count ? "}" : "{}");
    t->text = buffer_keep(&b, o->arena);
    return t->text || error_nomem(o->error);
}

/* ---- the Hub ------------------------------------------------------------------------------ */

/* round(elements * times / over). The ratios in use never give exactly a half. */
static struct taken hub_part(const struct others *o, const struct hub_size *h, uint32_t i)
{
    const numel_tensor *t = tensor_at(o, i);
    struct hub_part p = hub_size_part(h, t);
    uint64_t n;
    if (p.skipped) return (struct taken){ 0, o->known && o->base[i] == 0 ? NULL : p.skipped };
    if (!num_mul(&n, t->elements, p.times)) return (struct taken){ UINT64_MAX, NULL };
    n = n / p.over + (n % p.over > p.over / 2);
    return (struct taken){ n, !o->known && n != t->elements ? CODE(UNPACKED) : NULL };
}

static struct taken hub_now(const struct others *o, uint32_t i) { return hub_part(o, &o->hub, i); }
static struct taken hub_then(const struct others *o, uint32_t i) { return hub_part(o, &o->hub_before, i); }

static bool before_hub(struct others *o, struct counted *t)
{
    if (!header_within_hub(o, t)) return false;
    if (o->ck->index.shard_count > HUB_SHARDS) return others_none(t, "refuses: more than 10,000 shards");
    for (uint32_t i = 0; i < o->ck->registry.count; i++) {
        const numel_tensor *x = tensor_at(o, i);
        const numel_file *f = &o->ck->files[x->file];
        for (uint32_t d = 0; d < x->ndim; d++)
            if (x->dims[d] > HUB_DIM) return others_none(t, "refuses: a dimension above 2^32");
        if (f->size_known && x->offset - f->data_start > f->bytes - num_min(f->bytes, x->bytes))
            return others_none(t, "refuses: a tensor ends past the end of its file");
    }
    return true;
}

/* ---- declared numbers --------------------------------------------------------------------- */

/* The Hub shows total_parameters if it is less than its own sum; until spring 2026, it always did. */
static bool believe(struct others *o, struct counted *t, bool capped)
{
    struct declared d = declared_total_parameters(o->ck);
    uint64_t v = d.value;
    bool says = d.is_text ? declared_leading(d.odd, &v) : d.there && d.readable && v != 0;
    if (!says || (capped && v >= t->value) || v == t->value) return true;
    differ(t, CODE(SHOWN_INSTEAD), v, t->value);
    t->value = v;
    return true;
}

static bool after_hub(struct others *o, struct counted *t) { return believe(o, t, true); }
static bool after_hub_then(struct others *o, struct counted *t) { return believe(o, t, false); }

static uint64_t sum_of(const struct others *o, uint64_t (*of)(const struct others *, uint32_t))
{
    uint64_t sum = 0; /* part of the stored total, which was checked to fit */
    for (uint32_t i = 0; i < o->ck->registry.count; i++) sum += of(o, i);
    return sum;
}

static uint64_t of_vectors(const struct others *o, uint32_t i)
{
    return tensor_at(o, i)->ndim == 1 ? tensor_at(o, i)->elements : 0;
}
static uint64_t of_loaded_vectors(const struct others *o, uint32_t i)
{
    return o->known && o->base[i] == 0 ? 0 : of_vectors(o, i);
}
static uint64_t of_bytes(const struct others *o, uint32_t i) { return tensor_at(o, i)->bytes; }

static const struct counted *counted_of(const struct others *o, part_fn *part)
{
    for (size_t i = 0; i < others_counter_count; i++)
        if (others_counters[i].part == part && others_reads(o, &others_counters[i])) return &o->readings[i];
    return NULL;
}

static struct taken loaded(const struct others *o, uint32_t i);
static struct taken mlx_part(const struct others *o, uint32_t i);

enum { SUMS = 8 };

/* Adds the value that a counter shows, if any. */
static size_t add_shown(const struct others *o, struct search_sum *sums, size_t n, part_fn *part,
                        const struct line_code *code)
{
    const struct counted *t = counted_of(o, part);
    if (t && !t->none) sums[n++] = (struct search_sum){ code, t->value };
    return n;
}

/* The first sum of tensors that equals the declared number. */
static const struct line_code *equal_to(const struct others *o, uint64_t v)
{
    struct search_sum sums[SUMS] = { { CODE(EQUALS_STORED), o->ck->stored },
                                     { CODE(EQUALS_VECTORS), sum_of(o, of_loaded_vectors) },
                                     { CODE(EQUALS_VECTORS), sum_of(o, of_vectors) } };
    size_t n = 3;
    if (o->known) {
        sums[n++] = (struct search_sum){ CODE(EQUALS_UNIQUE), o->c->model->counts.unique };
        sums[n++] = (struct search_sum){ CODE(EQUALS_FORMULA), o->c->statement.formula };
    }
    n = add_shown(o, sums, n, loaded, CODE(EQUALS_LOADED));
    n = add_shown(o, sums, n, mlx_part, CODE(EQUALS_MLX));
    n = add_shown(o, sums, n, hub_now, CODE(EQUALS_HUB));
    const struct line_code *code = search_what(sums, n, v, v);
    return code ? code : CODE(EQUALS_NOTHING);
}

/* Shows a declared number as written. There is no value if it is absent or unreadable. */
NUMEL_MUST static bool repeat(struct others *o, struct counted *t, struct declared d, const char *absent)
{
    if (!d.there) return others_none(t, absent);
    if (d.odd.n) t->text = name_shown(o->arena, d.odd);
    if (d.odd.n && !t->text) return error_nomem(o->error);
    if (!d.readable) return others_none(t, t->text);
    t->value = d.value;
    return true;
}

NUMEL_MUST static bool before_total_parameters(struct others *o, struct counted *t)
{
    return repeat(o, t, declared_total_parameters(o->ck), "not declared");
}

static bool after_declared(struct others *o, struct counted *t)
{
    if (t->value == o->from) return true;
    differ(t, equal_to(o, t->value), t->value, o->from);
    return true;
}

NUMEL_MUST static bool before_total_size(struct others *o, struct counted *t)
{
    if (!o->ck->index_path) return others_none(t, "there is no index");
    return repeat(o, t, declared_total_size(o->ck), "not declared");
}

/* Adds elements * width bytes, unless that is 0 or overflows. */
static size_t add_bytes(struct search_sum *sums, size_t n, uint64_t elements, uint64_t width,
                        const struct line_code *code)
{
    uint64_t bytes;
    if (elements && num_mul(&bytes, elements, width)) sums[n++] = (struct search_sum){ code, bytes };
    return n;
}

/* Compares with the tensors' bytes. Older writers stored the file sizes, or the bytes before a cast. */
static bool after_total_size(struct others *o, struct counted *t)
{
    uint64_t bytes = sum_of(o, of_bytes), files = 0;
    t->from = FROM_BYTES;
    t->start = bytes;
    for (size_t i = 0; i < o->ck->file_count; i++) files += o->ck->files[i].bytes;
    if (t->value == bytes) return true;
    struct search_sum sums[SUMS] = { { CODE(FILE_SIZES), files } };
    size_t n = 1;
    n = add_bytes(sums, n, o->ck->stored, 4, CODE(FOUR_BYTES));
    n = add_bytes(sums, n, o->ck->stored, 2, CODE(TWO_BYTES));
    if (o->known && !o->ck->missing) n = add_bytes(sums, n, o->from, 2, CODE(BEFORE_PACKING));
    const struct line_code *cause = search_what(sums, n, t->value, t->value);
    if (!cause) cause = o->ck->missing ? CODE(SHARDS_ABSENT) : CODE(EQUALS_NOTHING);
    differ(t, cause, t->value, bytes);
    return true;
}

/* ---- models that PyTorch loads ------------------------------------------------------------ */

static struct taken loaded(const struct others *o, uint32_t i)
{
    return others_loaded(o, i, LOADER_TRANSFORMERS);
}

static struct taken torch_part(const struct others *o, uint32_t i)
{
    return others_loaded(o, i, LOADER_TORCH);
}

static struct taken without_embeddings(const struct others *o, uint32_t i)
{
    bool table = cause_at(o, i) == CAUSE_EXPECTED && site_at(o, i)->kind == TENSOR_EMB;
    return table ? (struct taken){ 0, CODE(TABLES) } : loaded(o, i);
}

static bool before_loading(struct others *o, struct counted *t)
{
    if (o->adapter) return others_none(t, "an adapter: loaded on top of its base model");
    if (!o->known) return others_none(t, "unknown without the architecture (--config)");
    if (o->hub.method == HUB_MLX) return others_none(t, "does not load MLX's packed weights");
    if (others_unread(o)) return others_none(t, "refuses: packed by a method unknown to it");
    if (o->c->model->differences.mismatched)
        return others_none(t, "refuses: tensor shapes differ from the class");
    return true;
}

/* Adds tensors of the class that the file lacks: they are newly initialized, and counted. */
static bool add_missing(struct others *o, struct counted *t, bool tables)
{
    const struct expansion *x = o->c->model->x;
    for (size_t i = 0; i < o->c->model->differences.missing; i++) {
        const struct gap *g = &o->c->model->differences.gaps[i];
        const struct site *s = &x->sites[x->rows[g->row].site];
        if (!text_same(g->name, x->rows[g->row].name)) continue; /* belongs to a quantizer: not a parameter */
        if (!tables && s->kind == TENSOR_EMB) continue;
        tally_add(&t->tally, CODE(MADE_ANEW), g->name, s->elements, 0);
        if (!num_add(&t->value, t->value, s->elements))
            return others_none(t, "the sum does not fit in 64 bits");
    }
    return true;
}

static bool after_loading(struct others *o, struct counted *t) { return add_missing(o, t, true); }
static bool after_tables(struct others *o, struct counted *t) { return add_missing(o, t, false); }

/* An adapter is counted together with its base model. Files contain the prompts made by an encoder, but
 * not the encoder. */
static bool before_peft(struct others *o, struct counted *t)
{
    if (!o->adapter) return before_loading(o, t);
    if (o->adapter->encoder) return others_none(t, "also counts an encoder, which is not saved");
    return o->adapter->base || others_none(t, "also counts the base model: give --config BASE/config.json");
}

static struct taken peft_part(const struct others *o, uint32_t i)
{
    if (o->adapter && !o->adapter->trained[i]) return (struct taken){ 0, CODE(NOT_TRAINED) };
    if (o->adapter || cause_at(o, i) == CAUSE_LORA) return as_stored(o, i);
    return loaded(o, i);
}

/* Formats 100 * part / all with four decimals. */
NUMEL_MUST static const char *trainable_text(struct arena *a, uint64_t part, uint64_t all)
{
    __extension__ typedef unsigned __int128 wide;
    char n[TEXT_NUMBER], m[TEXT_NUMBER];
    uint64_t share = all ? (uint64_t)(((wide)part * 1000000 + all / 2) / all) : 0;
    return arena_format(a, "trainable params: %s || all params: %s || trainable%%: %" PRIu64 ".%04" PRIu64,
                        text_number(n, part), text_number(m, all), share / 10000, share % 10000);
}

NUMEL_MUST static bool after_peft(struct others *o, struct counted *t)
{
    char n[TEXT_NUMBER];
    if (!o->adapter) {
        if (!after_loading(o, t)) return false;
        t->text = arena_format(o->arena, "all params: %s", text_number(n, t->value));
    } else {
        differ(t, CODE(BASE), o->adapter->base, 0);
        if (!num_add(&t->value, t->value, o->adapter->base))
            return others_none(t, "the sum does not fit in 64 bits");
        if (o->adapter->ranks) differ(t, CODE(RANKS), o->adapter->ranks, 0);
        t->value += o->adapter->ranks;
        t->text = trainable_text(o->arena, o->adapter->parameters, t->value);
    }
    return t->text || error_nomem(o->error);
}

/* ---- MLX ---------------------------------------------------------------------------------- */

static bool before_mlx(struct others *o, struct counted *t)
{
    const struct metadata_entry *e = metadata_find(&o->ck->metadata, "format");
    bool written = e && e->type == META_STRING && text_equal(e->value.s, "mlx");
    return o->hub.method == HUB_MLX || written || others_none(t, "not an MLX file");
}

/* Counts packed weights by their bits, ignores their scales and zero points, and counts everything else as
 * stored. */
static struct taken mlx_part(const struct others *o, uint32_t i)
{
    const numel_tensor *t = tensor_at(o, i);
    char name[600];
    unsigned bits = hub_size_mlx_bits(&o->hub, t->name);
    uint64_t n;
    if (bits && !num_mul(&n, t->elements, 32)) return (struct taken){ UINT64_MAX, NULL };
    if (bits) return (struct taken){ n / bits, o->known ? NULL : CODE(UNPACKED) };
    numel_str stem = text_less(t->name, others_last_part(t->name));
    bool sidecar = text_ends(t->name, ".scales") || text_ends(t->name, ".biases");
    numel_str weight = text_join(name, sizeof name, stem, text_of("weight"), (numel_str){ NULL, 0 });
    if (!sidecar || !weight.p) return (struct taken){ t->elements, NULL };
    bool packed = hub_size_mlx_bits(&o->hub, weight) != 0;
    return (struct taken){ packed ? 0 : t->elements,
                           o->known ? NULL : &statement_codes[STATEMENT_CAUSES + CAUSE_SIDECAR] };
}

/* ---- GGUF --------------------------------------------------------------------------------- */

static bool before_llama(struct others *o, struct counted *t)
{
    if (o->adapter) return others_none(t, "an adapter: loaded on top of its base model");
    for (uint32_t i = 0; i < o->ck->registry.count; i++)
        if (tensor_at(o, i)->flags & NUMEL_REPEATED)
            return others_none(t, "refuses: a tensor is in two files");
    return true;
}

NUMEL_MUST static bool before_parameter_count(struct others *o, struct counted *t)
{
    const struct metadata_entry *e = metadata_find(&o->ck->metadata, "general.parameter_count");
    int64_t v = 0;
    struct declared d = { .there = e != NULL };
    d.readable = e && metadata_integer(&e->value, &v) && v >= 0;
    d.value = (uint64_t)v;
    if (e && !d.readable) return others_none(t, "declared, but not as an integer");
    return repeat(o, t, d, "not declared");
}

/* gguf-py counts shared tensors and one expert per stack; writers store the label. */
NUMEL_MUST static bool before_size_label(struct others *o, struct counted *t)
{
    uint64_t shared = 0, one = 0, experts = 0, stacks = 0;
    if (o->adapter) return others_none(t, "an adapter: gguf-py counts its base model");
    for (uint32_t i = 0; i < o->ck->registry.count; i++) {
        const numel_tensor *x = tensor_at(o, i);
        bool stack = text_glob("*_exps.*", x->name) && x->ndim >= 3;
        uint64_t of = stack ? x->dims[text_glob("*.bias*", x->name) ? x->ndim - 2 : x->ndim - 3] : 0;
        t->value += x->elements;
        if (of == 0) shared += x->elements;
        else one += x->elements / of, experts += of, stacks++;
    }
    const char *size = others_text_label(o->arena, stacks ? shared + one : t->value);
    if (!size) return error_nomem(o->error);
    t->text = stacks ? arena_format(o->arena, "%" PRIu64 "x%s", experts / stacks, size) : size;
    const struct metadata_entry *e = metadata_find(&o->ck->metadata, "general.size_label");
    if (t->text && e && e->type == META_STRING && !text_equal(e->value.s, t->text)) {
        const char *stored = name_shown(o->arena, e->value.s);
        t->text = stored ? arena_format(o->arena, "%s; the file says %s", t->text, stored) : NULL;
    }
    t->value = 0; /* summed again by part, with causes */
    return t->text || error_nomem(o->error);
}

/* Checks the limits of the Hub's GGUF reader: eight dimensions, none above 2^32, and no more elements than
 * bits. */
static bool before_hub_gguf(struct others *o, struct counted *t)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < o->ck->file_count; i++) bytes += o->ck->files[i].bytes;
    for (uint32_t i = 0; i < o->ck->registry.count; i++) {
        const numel_tensor *x = tensor_at(o, i);
        if (x->ndim > 8) return others_none(t, "refuses: more than 8 dimensions");
        for (uint32_t d = 0; d < x->ndim; d++)
            if (x->dims[d] > HUB_DIM) return others_none(t, "refuses: a dimension above 2^32");
    }
    return o->ck->stored / 8 <= bytes || others_none(t, "refuses: more elements than bits in the file");
}

/* ---- bytes -------------------------------------------------------------------------------- */

static struct taken half_bytes(const struct others *o, uint32_t i)
{
    const numel_tensor *t = tensor_at(o, i);
    uint64_t n = t->bytes / 2;
    bool expected = o->known && cause_at(o, i) == CAUSE_EXPECTED;
    if (o->known && !expected) return (struct taken){ n, NULL };
    if (expected && is_packed(o, i)) return (struct taken){ n, &statement_codes[STATEMENT_PACKED] };
    return (struct taken){ n, n == t->elements ? NULL : CODE(OTHER_TYPES) };
}

static bool after_half(struct others *o, struct counted *t)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < o->ck->file_count; i++) bytes += o->ck->files[i].bytes;
    if (bytes / 2 != t->value) differ(t, CODE(HEADERS), bytes / 2, t->value);
    t->value = bytes / 2;
    return true;
}

/* ---- the table ---------------------------------------------------------------------------- */

enum { ST = NUMEL_SAFETENSORS, GG = NUMEL_GGUF, PT = NUMEL_PYTORCH, HF = ST | PT };

const struct counter others_counters[] = {
    { "transformers num_parameters()", HF, OF_TRANSFORMERS, "model.num_parameters()", before_loading, loaded,
      after_loading, NULL },
    { "transformers, no embeddings", HF, OF_TRANSFORMERS, "model.num_parameters(exclude_embeddings=True)",
      before_loading, without_embeddings, after_tables, NULL },
    { "diffusers num_parameters()", HF, OF_DIFFUSERS, "model.num_parameters()", before_loading, loaded,
      after_loading, NULL },
    { "torch sum of p.numel()", HF, ANY_CLASS, "sum(p.numel() for p in model.parameters())", before_loading,
      torch_part, after_loading, NULL },
    { "peft all params", HF, ANY_CLASS, "model.print_trainable_parameters()", before_peft, peft_part,
      after_peft, NULL },
    { "huggingface_hub", ST, ANY_CLASS, "get_safetensors_metadata().parameter_count", header_within_hub,
      as_stored, after_huggingface_hub, NULL },
    { "Hub model size", ST, ANY_CLASS, "the model page; huggingface.js 2.17", before_hub, hub_now, after_hub,
      others_text_hub },
    { "Hub model size, old rules", ST, ANY_CLASS, "the model page until spring 2026; huggingface.js 2.7",
      header_within_hub, hub_then, after_hub_then, others_text_hub },
    { "MLX total parameters", ST, ANY_CLASS, "mlx_lm: total_parameters of the index it writes", before_mlx,
      mlx_part, NULL, NULL },
    { "total_parameters", ST, ANY_CLASS, "metadata of the index, or of the header", before_total_parameters,
      NULL, after_declared, NULL },
    { "total_size, bytes", HF, ANY_CLASS, "metadata of the index", before_total_size, NULL, after_total_size,
      NULL },
    { "llama.cpp model params", GG, ANY_CLASS, "log on loading; llama-bench", before_llama, as_stored, NULL,
      others_text_llama },
    { "Hub model size, GGUF", GG, ANY_CLASS, "the model page; @huggingface/gguf parameterCount",
      before_hub_gguf, as_stored, NULL, others_text_hub },
    { "gguf-parser", GG, ANY_CLASS, "PARAMETERS of its table", NULL, as_stored, NULL, others_text_parser },
    { "ollama", GG, ANY_CLASS, "parameters of ollama show", NULL, as_stored, NULL, others_text_ollama },
    { "general.parameter_count", GG, ANY_CLASS, "metadata of the file", before_parameter_count, NULL,
      after_declared, NULL },
    { "gguf-py size label", GG, ANY_CLASS, "general.size_label, and in names of files", before_size_label,
      as_stored, NULL, NULL },
    { "bytes / 2", HF | GG, ANY_CLASS, "a guess from the file sizes", NULL, half_bytes, after_half, NULL },
};
const size_t others_counter_count = sizeof others_counters / sizeof *others_counters;

/*
 * beside_json.c -- recognises a JSON document by its keys: one pass over all of it keeps the few keys
 * that identify it, and checks that it is JSON to its last byte.
 */
#include "reader/beside.h"

#include "base/json_scan.h"
#include "base/text.h"

#include <string.h>

#define FACTS(X)                             \
    X(MODEL_TYPE, "model_type")              \
    X(ARCHITECTURES, "architectures")        \
    X(CLASS_NAME, "_class_name")             \
    X(ARCHITECTURE, "architecture")          \
    X(FEATURE_COUNT, "num_features")         \
    X(PRETRAINED, "pretrained_cfg")          \
    X(PEFT_TYPE, "peft_type")                \
    X(BASE_MODEL, "base_model_name_or_path") \
    X(TOKENIZER_CLASS, "tokenizer_class")    \
    X(ADDED_TOKENS, "added_tokens_decoder")  \
    X(MODEL, "model")                        \
    X(PRE_TOKENIZER, "pre_tokenizer")        \
    X(FEATURES, "feature_extractor_type")    \
    X(IMAGES, "image_processor_type")        \
    X(PROCESSOR, "processor_class")          \
    X(TEMPLATE, "chat_template")             \
    X(AUTO_MAP, "auto_map")                  \
    X(ERROR, "error")                        \
    X(WEIGHT_MAP, "weight_map")              \
    X(STEP, "global_step")                   \
    X(LOG, "log_history")                    \
    X(DIM, "dim")                            \
    X(N_LAYERS, "n_layers")                  \
    X(VERSION, "transformers_version")

enum fact {
#define X(name, key) FACT_##name,
    FACTS(X)
#undef X
        FACT_COUNT
};
static const char *const keys[] = {
#define X(name, key) key,
    FACTS(X)
#undef X
};

struct facts {
    struct json_scan s;
    bool has[FACT_COUNT];
    numel_str text[FACT_COUNT];                     /* the string, or the first in its array */
    uint64_t number[FACT_COUNT], count[FACT_COUNT]; /* the integer; the number of keys of an object */
    uint64_t top, tokens;
    uint64_t promised, none; /* components of a pipeline: ["diffusers", "AutoencoderKL"], [null, null] */
    numel_str tokenizer;     /* model.type */
    uint8_t first;
    bool numbers; /* every value is an integer */
};

/* ---- reading ------------------------------------------------------------------------------ */

/* Counts an object's keys, or an array's items. */
NUMEL_MUST static bool count_items(struct json_scan *s, uint64_t *count)
{
    struct json_text key;
    char close = json_peek(s) == '{' ? '}' : ']';
    if (!json_open(s, close == '}' ? '{' : '[')) return false;
    for (; json_more(s, close); ++*count)
        if ((close == '}' && !json_key(s, &key)) || !json_skip(s)) return false;
    return json_ok(s);
}

NUMEL_MUST static bool read_string(struct json_scan *s, numel_str *out)
{
    struct json_text text;
    if (!json_string(s, &text)) return false;
    *out = text.raw;
    return true;
}

/* { "type": "BPE", "vocab": { ... } } */
NUMEL_MUST static bool read_model(struct facts *f)
{
    struct json_text key;
    if (!json_open(&f->s, '{')) return false;
    while (json_member(&f->s, &key)) {
        uint8_t next = json_peek(&f->s);
        bool vocab = text_equal(key.raw, "vocab") && (next == '{' || next == '[');
        bool ok = vocab                                        ? count_items(&f->s, &f->tokens)
                  : text_equal(key.raw, "type") && next == '"' ? read_string(&f->s, &f->tokenizer)
                                                               : json_skip(&f->s);
        if (!ok) return false;
    }
    return json_ok(&f->s);
}

NUMEL_MUST static bool read_fact(struct facts *f, enum fact i)
{
    struct json_scan *s = &f->s;
    uint8_t c = json_peek(s);
    f->has[i] = true;
    if (c == '"') return read_string(s, &f->text[i]);
    if (c == '{') return i == FACT_MODEL ? read_model(f) : count_items(s, &f->count[i]);
    if (c != '[') {
        uint64_t from = s->at, v = 0;
        if (!json_skip(s)) return false;
        for (uint64_t k = from; k < s->at && s->base[k] >= '0' && s->base[k] <= '9' && v < UINT32_MAX; k++)
            v = v * 10 + (s->base[k] - (uint64_t)'0');
        f->number[i] = v;
        return true;
    }
    if (!json_open(s, '[')) return false;
    for (bool first = true; json_more(s, ']'); first = false)
        if (!(first && json_peek(s) == '"' ? read_string(s, &f->text[i]) : json_skip(s))) return false;
    return json_ok(s);
}

NUMEL_MUST static bool read_promise(struct facts *f)
{
    uint64_t n = 0, texts = 0, nulls = 0;
    if (!json_open(&f->s, '[')) return false;
    for (; json_more(&f->s, ']'); n++) {
        uint8_t c = json_peek(&f->s);
        texts += c == '"';
        nulls += c == 'n';
        if (!json_skip(&f->s)) return false;
    }
    f->promised += n == 2 && texts == 2;
    f->none += n == 2 && nulls == 2;
    return json_ok(&f->s);
}

NUMEL_MUST static bool read_member(struct facts *f)
{
    struct json_text key;
    if (!json_key(&f->s, &key)) return false;
    uint8_t c = json_peek(&f->s);
    f->numbers &= c >= '0' && c <= '9';
    for (int i = 0; i < FACT_COUNT; i++)
        if (text_equal(key.raw, keys[i])) return read_fact(f, (enum fact)i);
    return c == '[' ? read_promise(f) : json_skip(&f->s);
}

NUMEL_MUST static bool read_facts(struct facts *f, const uint8_t *p, uint64_t n, numel_error *e)
{
    json_start(&f->s, p, n, 0, e);
    f->s.constants = f->numbers = true;
    f->first = json_peek(&f->s);
    if (f->first != '{' && f->first != '[') return json_skip(&f->s) && json_finish(&f->s);
    char close = f->first == '{' ? '}' : ']';
    if (!json_open(&f->s, (char)f->first)) return false;
    for (; json_more(&f->s, close); f->top++)
        if (!(close == '}' ? read_member(f) : json_skip(&f->s))) return false;
    return json_finish(&f->s);
}

/* ---- describing --------------------------------------------------------------------------- */

struct line {
    struct beside *b;
    struct fixed text;
};

static void put(struct line *l, const char *text) { fixed_text(&l->text, text); }

/* Appends text from the file, cut to fit the line. */
static void put_name(struct line *l, const char *before, numel_str name, const char *after)
{
    char shown[TEXT_QUOTE];
    if (!name.n) return;
    put(l, before);
    put(l, text_bare(shown, (numel_str){ name.p, num_min(name.n, 80) }));
    put(l, after);
}

static void put_count(struct line *l, uint64_t n, const char *noun)
{
    char count[TEXT_COUNT];
    put(l, text_count(count, n, noun));
}

static void put_extras(struct line *l, const struct facts *f)
{
    if (f->has[FACT_TEMPLATE]) put(l, ", with a chat template");
    if (f->has[FACT_AUTO_MAP]) put(l, ", names code to run (auto_map)");
}

static void say_tokenizer(struct line *l, const struct facts *f)
{
    put(l, "tokenizer");
    put_name(l, ": ", f->tokenizer, "");
    put(l, f->tokenizer.n ? ", " : ": ");
    put_count(l, f->tokens, "token");
}

static void say_config(struct line *l, const struct facts *f)
{
    bool named = f->text[FACT_ARCHITECTURES].n > 0;
    put(l, "configuration: ");
    put_name(l, "", f->text[FACT_ARCHITECTURES], "");
    put_name(l, named ? " (" : "model type ", f->text[FACT_MODEL_TYPE], named ? ")" : "");
}

static void say_settings(struct line *l, const struct facts *f, const char *what, enum fact class)
{
    put(l, what);
    put_name(l, ": ", f->text[class], "");
}

/* Describes it by its keys alone; false if they do not identify it. */
static bool say_by_keys(struct line *l, const struct facts *f)
{
    struct beside *b = l->b;
    char number[TEXT_NUMBER];
    b->kind = "config";
    if (f->has[FACT_WEIGHT_MAP]) {
        b->kind = "index";
        put(l, "shard index, ");
        put_count(l, f->count[FACT_WEIGHT_MAP], "tensor");
    } else if (f->tokens || (f->has[FACT_PRE_TOKENIZER] && f->has[FACT_MODEL])) {
        b->kind = "tokenizer";
        say_tokenizer(l, f);
    } else if (f->has[FACT_PEFT_TYPE]) {
        say_settings(l, f, "adapter configuration", FACT_PEFT_TYPE);
        put_name(l, ", base ", f->text[FACT_BASE_MODEL], "");
    } else if (f->has[FACT_IMAGES] || f->has[FACT_FEATURES]) {
        say_settings(l, f, "preprocessor settings", f->has[FACT_IMAGES] ? FACT_IMAGES : FACT_FEATURES);
    } else if (f->has[FACT_MODEL_TYPE] || f->text[FACT_ARCHITECTURES].n) {
        say_config(l, f);
    } else if (f->text[FACT_ARCHITECTURE].n && (f->has[FACT_PRETRAINED] || f->has[FACT_FEATURE_COUNT])) {
        put_name(l, "configuration: ", f->text[FACT_ARCHITECTURE], " (timm)");
    } else if (f->has[FACT_TOKENIZER_CLASS] || f->has[FACT_ADDED_TOKENS]) {
        b->kind = "tokenizer";
        say_settings(l, f, "tokenizer settings", FACT_TOKENIZER_CLASS);
    } else if (f->has[FACT_STEP] && f->has[FACT_LOG]) {
        b->kind = "training";
        put(l, "trainer state: step ");
        put(l, text_number(number, f->number[FACT_STEP]));
    } else {
        return false;
    }
    return true;
}

static void say_components(struct line *l, const struct facts *f)
{
    char number[TEXT_NUMBER];
    if (!f->promised) return;
    put(l, ", ");
    put_count(l, f->promised, "component");
    if (!f->none) return;
    put(l, ", ");
    put(l, text_number(number, f->none));
    put(l, " absent");
}

static void say(struct beside *b, const struct facts *f, const char *label)
{
    struct line l = { b, fixed_of(b->text, b->size) };
    const char *kind = b->kind;
    if (f->has[FACT_CLASS_NAME]) {
        put(&l, label ? label : "configuration");
        put_name(&l, ": ", f->text[FACT_CLASS_NAME], " (diffusers)");
        if (label && strcmp(label, "pipeline") == 0) say_components(&l, f);
    } else if (!say_by_keys(&l, f)) {
        b->kind = kind;
        put(&l, label ? label : "JSON");
        if (f->has[FACT_DIM] && f->has[FACT_N_LAYERS]) {
            put(&l, " in the form of Meta and Mistral");
        } else if (f->has[FACT_PROCESSOR]) {
            put_name(&l, ": ", f->text[FACT_PROCESSOR], "");
        } else if (f->top || f->first == '{' || f->first == '[') {
            put(&l, ", ");
            put_count(&l, f->top, f->first == '[' ? "item" : f->numbers && f->top > 9 ? "token" : "key");
        }
    }
    put_extras(&l, f);
}

/* {"error": "Repository not found"} */
static bool is_answer(const struct facts *f)
{
    return f->first == '{' && f->text[FACT_ERROR].n && f->top <= 4 && !f->has[FACT_MODEL_TYPE];
}

bool beside_json(struct beside *b, const uint8_t *p, uint64_t n, const char *label, enum json_promise promise,
                 numel_error *e)
{
    struct facts f = { 0 };
    char quoted[TEXT_QUOTE];
    if (!read_facts(&f, p, n, e)) {
        numel_error why = *e;
        error_clear(e);
        return error_set(e, why.code, why.offset, "is invalid JSON: %s (byte %" PRIu64 "): download it again",
                         why.what, why.offset);
    }
    if (is_answer(&f))
        return error_set(
            e, NUMEL_E_FORMAT, 0,
            "is a server's response (%s), not the file: log in, accept the licence, or download it again",
            text_quote(quoted, f.text[FACT_ERROR]));
    if (promise == JSON_OBJECT_ONLY && f.first != '{')
        return error_set(e, NUMEL_E_FORMAT, 0, "is JSON, but not an object (expected: %s)", label);
    say(b, &f, label);
    return true;
}

/*
 * facts.c -- differences in the metadata of two checkpoints of one format: GGUF metadata key by key;
 * safetensors' __metadata__; config.json, flattened to dotted keys.
 *
 * Values are compared exactly and shortened for display. If one side has no metadata, or no configuration, at
 * all, the other's keys are not differences. Between PyTorch, whose metadata is a trainer's, and safetensors only
 * configurations are compared, across formats nothing: hidden_size of one is embedding_length of the other, and
 * a converter derives most keys.
 */
#include "model/config_file.h"
#include "registry/metadata_text.h"
#include "diff/diff.h"
#include "source/source.h"

struct fact {
    numel_str key; /* first: see names.h */
    const struct metadata_entry *entry[2];
    const char *json[2]; /* of a configuration; else NULL */
};

struct facts {
    struct diff *d;
    struct fact *items;
    size_t count, cap;
    struct names names;
    bool metadata[2], config[2]; /* true if the side has any */
};

/* The fact of that key, added if it is new. NULL: NOMEM. */
static struct fact *fact_of(struct facts *f, numel_str key)
{
    uint32_t i = names_add(&f->names, &f->items, &f->count, &f->cap, key, NULL, f->d->error);
    return i == NAMES_ABSENT ? NULL : &f->items[i];
}

/* ---- metadata ----------------------------------------------------------------------------- */

/* Keys about the split into files, not about the model. */
static bool is_of_the_file(numel_str key) { return key.n > 6 && memcmp(key.p, "split.", 6) == 0; }

static bool list_metadata(struct facts *f, int side)
{
    const struct metadata *m = &f->d->side[side].ck->metadata;
    for (size_t i = 0; i < m->count; i++) {
        if (is_of_the_file(m->entries[i].key)) continue;
        struct fact *fact = fact_of(f, m->entries[i].key);
        if (!fact) return false;
        if (!fact->entry[side]) fact->entry[side] = &m->entries[i];
        f->metadata[side] = true;
    }
    return true;
}

struct comparing {
    struct facts *f;
    const struct metadata_entry *a, *b;
    struct buffer *text; /* or NULL */
    bool same;
};

static bool same_value(const struct metadata_value *a, const struct metadata_value *b)
{
    if (a->type == META_STRING) return text_same(a->s, b->s);
    if (a->type == META_F32 || a->type == META_F64) return memcmp(&a->f, &b->f, sizeof a->f) == 0;
    return a->u == b->u;
}

static bool same_array(const struct metadata_array *x, const struct metadata_array *y)
{
    return x->type == y->type && x->count == y->count && x->bytes == y->bytes &&
           x->big_endian == y->big_endian && (x->bytes == 0 || memcmp(x->data, y->data, x->bytes) == 0);
}

static bool compare_body(void *ctx)
{
    struct comparing *c = ctx;
    if (c->a->type != c->b->type) c->same = false;
    else if (c->a->type == META_ARRAY) c->same = same_array(&c->a->array, &c->b->array);
    else c->same = same_value(&c->a->value, &c->b->value);
    return true;
}

static bool text_body(void *ctx)
{
    struct comparing *c = ctx;
    c->text->n = 0;
    metadata_put(c->text, c->a, false, false);
    return true;
}

/* Runs the body under the guard of the entry's file. */
NUMEL_MUST static bool guarded(struct comparing *c, int side, const struct metadata_entry *e,
                               bool (*body)(void *))
{
    const struct source *s = &c->f->d->side[side].ck->sources[e->file];
    return source_run(s, body, c, c->f->d->error);
}

NUMEL_MUST static bool inner_body(void *ctx)
{
    struct comparing *c = ctx;
    return guarded(c, B, c->b, compare_body);
}

/* ---- config.json -------------------------------------------------------------------------- */

static const char *printed(struct facts *f, const json_value *v)
{
    char *json = json_print(v);
    const char *kept = json ? arena_text(f->d->arena, json, strlen(json)) : NULL;
    json_print_free(json);
    if (!kept) error_nomem(f->d->error);
    return kept;
}

/* Objects are flattened: text_config.hidden_size. The scanner limits their depth. */
NUMEL_MUST static bool list_object(struct facts *f, int side, const json_value *object, const char *prefix)
{
    for (const json_value *v = json_first(object); v; v = json_next(v)) {
        const char *key = arena_format(f->d->arena, "%s%s%s", prefix, prefix[0] ? "." : "", json_name(v));
        if (!key) return error_nomem(f->d->error);
        if (json_kind(v) == JSON_OBJECT && json_first(v)) {
            if (!list_object(f, side, v, key)) return false;
            continue;
        }
        struct fact *fact = fact_of(f, text_of(key));
        if (!fact) return false;
        fact->json[side] = printed(f, v);
        if (!fact->json[side]) return false;
        f->config[side] = true;
    }
    return true;
}

/* An unreadable configuration counts as none. */
NUMEL_MUST static bool list_config(struct facts *f, int side)
{
    const char *path;
    numel_error why;
    error_clear(&why);
    json_value *doc = config_file_load(f->d->side[side].ck, "config.json", f->d->arena, &path, &why);
    bool ok = json_kind(doc) != JSON_OBJECT || list_object(f, side, doc, "");
    json_doc_free(doc);
    if (why.code == NUMEL_E_NOMEM) return error_nomem(f->d->error);
    return ok;
}

/* ---- differences -------------------------------------------------------------------------- */

/* The text in the buffer, cut to LONGEST bytes; NULL: NOMEM. */
NUMEL_MUST static const char *short_text(struct facts *f, struct buffer *b)
{
    enum { LONGEST = 60 };
    size_t n = b->n;
    if (b->failed) return NULL;
    if (n > LONGEST) {
        n = LONGEST - 3;
        while (n > 0 && ((unsigned char)b->p[n] & 0xc0) == 0x80) n--; /* inside a character */
        b->n = n;
        buffer_text(b, "...");
    }
    return b->failed ? NULL : arena_text(f->d->arena, b->p, b->n);
}

NUMEL_MUST static bool show_value(struct facts *f, const struct fact *fact, int side, const char **out)
{
    struct buffer b;
    struct comparing c = { .f = f, .a = fact->entry[side], .text = &b };
    if (!fact->entry[side] && !fact->json[side]) return true;
    buffer_init(&b, f->d->memory);
    bool ok = true;
    if (fact->entry[side]) ok = guarded(&c, side, fact->entry[side], text_body);
    else text_tame(&b, text_of(fact->json[side]));
    *out = ok ? short_text(f, &b) : NULL;
    buffer_done(&b);
    return *out || error_nomem(f->d->error);
}

static bool differs(struct facts *f, const struct fact *fact, bool *out)
{
    struct comparing c = { .f = f, .a = fact->entry[A], .b = fact->entry[B] };
    bool config = fact->json[A] || fact->json[B];
    *out = config ? f->config[A] && f->config[B] : f->metadata[A] && f->metadata[B];
    if (fact->json[A] && fact->json[B]) *out = strcmp(fact->json[A], fact->json[B]) != 0;
    if (!c.a || !c.b) return true;
    if (!guarded(&c, A, c.a, inner_body)) return false;
    *out = !c.same;
    return true;
}

NUMEL_MUST static bool keep_differing(struct facts *f)
{
    struct diff *d = f->d;
    d->facts = arena_alloc(d->arena, (f->count + 1) * sizeof *d->facts);
    if (!d->facts) return error_nomem(d->error);
    for (size_t i = 0; i < f->count; i++) {
        bool other;
        struct diff_fact *to = &d->facts[d->fact_count];
        if (!differs(f, &f->items[i], &other)) return false;
        if (!other) continue;
        *to = (struct diff_fact){ .key = f->items[i].key };
        if (!show_value(f, &f->items[i], A, &to->text[A]) || !show_value(f, &f->items[i], B, &to->text[B]))
            return false;
        d->fact_count++;
    }
    return true;
}

bool diff_find_facts(struct diff *d)
{
    struct facts f = { .d = d };
    bool ok = true;
    if (d->cross) return true;
    names_init(&f.names, d->memory, sizeof *f.items);
    for (int w = A; ok && w <= B; w++) ok = (d->rewritten || list_metadata(&f, w)) && list_config(&f, w);
    ok = ok && keep_differing(&f);
    memory_release(d->memory, f.items);
    names_done(&f.names);
    return ok;
}

/* cases.c -- see cases.h. */
#include "cases.h"

#include "draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* Raise a number when adding cases, so that lost cases are noticed. */
static const struct {
    const char *name;
    bool gguf;
    size_t least;
    bool usual; /* classes at their published sizes, which take long to judge */
} files[] = {
    { "hf.jsonl.zst", false, 232, false },
    { "own.jsonl.zst", false, 430, false },
    { "remote.jsonl.zst", false, 143, false },
    { "gguf.zst", true, 54, false },
    { "gguf2.zst", true, 464, false },
    { "classes.jsonl.zst", false, 1308, true },
    { "sizes.jsonl.zst", false, 1441, false },
    { "diffusers.jsonl.zst", false, 268, true },
    { "diffusers_sizes.jsonl.zst", false, 562, false },
    { "pipelines.jsonl.zst", false, 24, false },
    { "originals.jsonl.zst", false, 77, false },
    { "timm.jsonl.zst", false, 104, true },
    { "open_clip.jsonl.zst", false, 79, false },
    { "timm_sizes.jsonl.zst", false, 376, false },
};

char *cases_unpack(struct arena *a, const char *path, size_t *size)
{
    size_t n;
    char *packed = file_read(path, &n);
    unsigned long long full = ZSTD_getFrameContentSize(packed, n);
    if (full == ZSTD_CONTENTSIZE_UNKNOWN || full == ZSTD_CONTENTSIZE_ERROR || full > 1u << 30)
        die("%s: no zstd frame that states its size", path);
    char *plain = must(arena_alloc(a, (size_t)full + 1));
    *size = ZSTD_decompress(plain, (size_t)full, packed, n);
    if (*size != full) die("%s: does not decompress", path);
    plain[full] = '\0';
    free(packed);
    return plain;
}

static struct truth *grow(struct cases *all)
{
    numel_error e = { .code = NUMEL_OK };
    void *items = all->items;
    if (!memory_grow(&memory_malloc, &items, &all->cap, all->count + 1, sizeof *all->items, &e))
        die("%s", e.what);
    all->items = items;
    all->items[all->count] = (struct truth){ 0 };
    return &all->items[all->count++];
}

static void add_lines(struct cases *all, const char *path, char *text)
{
    static const char *const needed[] = { "configs", "params",         "tied",
                                          "buffers", "num_parameters", "non_embedding" };
    for (char *end; *text; text = end + 1) {
        numel_error e = { .code = NUMEL_OK };
        if (!(end = strchr(text, '\n'))) die("%s: the last line has no end", path);
        *end = '\0';
        struct truth *t = grow(all);
        if (!(t->doc = oracle_parse(text, &e))) die("%s: %s", path, e.what);
        if (!(t->name = json_text_of(json_get(t->doc, "case")))) die("%s: no case", path);
        for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
            if (!json_get(t->doc, needed[i])) die("%s: %s: no %s", path, t->name, needed[i]);
    }
}

/* NAME SIZE, a line break, then SIZE bytes. */
static void add_headers(struct cases *all, const char *path, char *at, size_t n)
{
    for (const char *end = at + n; at < end;) {
        struct truth *t = grow(all);
        char *blank = memchr(at, ' ', (size_t)(end - at)), *rest;
        if (!blank) die("%s: no name and size", path);
        *blank = '\0';
        t->name = at;
        t->size = strtoul(blank + 1, &rest, 10);
        if (*rest != '\n' || t->size > (size_t)(end - rest - 1)) die("%s: %s is cut", path, at);
        t->bytes = rest + 1;
        at = rest + 1 + t->size;
    }
}

static void load(struct cases *all, const char *folder, bool usual)
{
    *all = (struct cases){ 0 };
    arena_init(&all->arena, &memory_malloc);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        size_t n, before = all->count;
        if (files[i].usual && !usual) continue;
        const char *path = must(arena_format(&all->arena, "%s/%s", folder, files[i].name));
        char *text = cases_unpack(&all->arena, path, &n);
        if (files[i].gguf) add_headers(all, path, text, n);
        else add_lines(all, path, text);
        if (all->count - before < files[i].least)
            die("%s: has %zu cases, expected at least %zu", path, all->count - before, files[i].least);
    }
}

void cases_load(struct cases *all, const char *folder) { load(all, folder, true); }

void cases_load_quick(struct cases *all, const char *folder) { load(all, folder, false); }

void cases_alone(struct cases *all, const char *path)
{
    *all = (struct cases){ 0 };
    arena_init(&all->arena, &memory_malloc);
    cases_more(all, path);
}

void cases_more(struct cases *all, const char *path)
{
    size_t n;
    char *text = file_read(path, &n);
    add_lines(all, path, text);
    free(text);
}

void cases_free(struct cases *all)
{
    for (size_t i = 0; i < all->count; i++) json_doc_free(all->items[i].doc);
    memory_release(&memory_malloc, all->items);
    arena_done(&all->arena);
}

bool truth_is_bare(const struct truth *t) { return !json_first(json_get(t->doc, "configs")); }

bool truth_states_class(const struct truth *t, const char *form)
{
    return json_get(json_get(json_get(t->doc, "configs"), form), "architectures") != NULL;
}

char *truth_config(const struct truth *t, const char *form, bool classed)
{
    const json_value *config = json_get(json_get(t->doc, "configs"), form);
    const char *name = json_text_of(json_get(t->doc, "class"));
    if (!config) return NULL;
    char *text = oracle_config(config);
    if (!classed || !name || truth_states_class(t, form)) return text;
    size_t room = strlen(text) + strlen(name) + 32;
    char *with = must(malloc(room));
    const char *comma = json_first(config) ? "," : "";
    snprintf(with, room, "{\"architectures\":[\"%s\"]%s%s", name, comma, text + 1);
    free(text);
    return with;
}

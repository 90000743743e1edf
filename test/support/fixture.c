/* fixture.c -- see fixture.h. */
#include "fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void complain(struct fixtures *all, const char *path, const char *why)
{
    fprintf(stderr, "%s: %s\n", path, why);
    all->unknown++;
}

const char *fixtures_root(void)
{
    const char *root = getenv("NUMEL_FIXTURES");
    return root ? root : "fixtures";
}

static bool is_error_name(const char *name)
{
#define X(code, value, text) \
    if (strcmp(name, #code) == 0) return true;
    NUMEL_ERRORS(X)
#undef X
    return false;
}

/* VERDICT@OFFSET--what.hex */
static bool parse_verdict(struct fixture *f, const char *name)
{
    const char *at = strchr(name, '@'), *dashes = at ? strstr(at, "--") : NULL;
    char *end;
    if (!dashes || at == name || (size_t)(at - name) >= sizeof f->verdict) return false;
    snprintf(f->verdict, sizeof f->verdict, "%.*s", (int)(at - name), name);
    f->refused = f->verdict[0] >= 'A' && f->verdict[0] <= 'Z';
    if (f->refused && (!is_error_name(f->verdict) || strcmp(f->kind, "bad") != 0)) return false;
    if (dashes[2] == 0 || dashes[2] == '.') return false;
    f->offset = NUMEL_NOWHERE;
    if (dashes == at + 2 && at[1] == '-') return true;
    if (strncmp(at, "@---", 4) == 0) return true;
    f->offset = strtoull(at + 1, &end, 10);
    return end == dashes && end > at + 1;
}

static bool parse_name(struct fixture *f, const char *name)
{
    size_t n = strlen(name);
    if (n < 5 || strcmp(name + n - 4, ".hex") != 0) return false;
    if (strcmp(f->kind, "good") == 0) return strchr(name, '@') == NULL;
    return parse_verdict(f, name);
}

static struct fixture *add(struct fixtures *all)
{
    if (all->count == all->cap) {
        all->cap = all->cap * 2 + 64;
        all->items = realloc(all->items, all->cap * sizeof *all->items);
        if (!all->items) abort();
    }
    memset(&all->items[all->count], 0, sizeof *all->items);
    return &all->items[all->count++];
}

static void load_file(struct fixtures *all, const char *path, const char *kind, const char *format,
                      const char *name)
{
    struct fixture f = { .offset = NUMEL_NOWHERE };
    char why[256];
    snprintf(f.path, sizeof f.path, "%s", path);
    snprintf(f.kind, sizeof f.kind, "%s", kind);
    snprintf(f.format, sizeof f.format, "%s", format);
    if (!parse_name(&f, name)) {
        complain(all, path, "this name states no verdict (see fixtures/README.md)");
        return;
    }
    if (!hex_load(&f.bytes, path)) {
        snprintf(why, sizeof why, "line %u: %s", f.bytes.line, f.bytes.error);
        complain(all, path, why);
    } else if (f.bytes.here != f.offset) {
        snprintf(why, sizeof why, "the name says offset %lld, its `here` is at %lld", (long long)f.offset,
                 (long long)f.bytes.here);
        complain(all, path, why);
    } else {
        *add(all) = f;
        return;
    }
    hex_free(&f.bytes);
}

/* Header-only copies of models, used by the documentation and its tests. */
static bool is_model(const char *path)
{
    DIR *d = opendir(path);
    bool found = false;
    for (struct dirent *e; d && !found && (e = readdir(d));) {
        const char *end = strstr(e->d_name, ".head.zst");
        found = end && strlen(end) == strlen(".head.zst");
    }
    if (d) closedir(d);
    return found;
}

/* Other entries: the README, and printed models. */
static bool is_no_checkpoint(const char *name)
{
    return strcmp(name, "README.md") == 0 || strcmp(name, "prints") == 0 || strcmp(name, "oracle") == 0 ||
           strcmp(name, "partial") == 0 || strcmp(name, "memory") == 0 || strcmp(name, "packed") == 0 ||
           strcmp(name, "adapters") == 0 || strcmp(name, "pytorch") == 0 || strcmp(name, "dequant") == 0;
}

static void walk(struct fixtures *all, const char *path, unsigned depth, const char *kind, const char *format)
{
    static const char *const kinds[] = { "good", "odd", "bad", NULL };
    static const char *const formats[] = { "safetensors", "gguf", "pytorch", "other", NULL };
    DIR *d = opendir(path);
    if (!d) {
        complain(all, path, "cannot be read");
        return;
    }
    for (struct dirent *e; (e = readdir(d));) {
        char child[480];
        struct stat st;
        const char *const *known = depth == 0 ? kinds : formats;
        if (e->d_name[0] == '.' || (depth == 0 && is_no_checkpoint(e->d_name))) continue;
        snprintf(child, sizeof child, "%s/%s", path, e->d_name);
        if (stat(child, &st) != 0 || S_ISDIR(st.st_mode) != (depth < 2)) {
            complain(all, child, "does not belong here");
            continue;
        }
        while (depth < 2 && *known && strcmp(*known, e->d_name) != 0) known++;
        if (depth == 2) load_file(all, child, kind, format, e->d_name);
        else if (!*known && depth == 0 && is_model(child)) continue;
        else if (!*known) complain(all, child, "an unknown folder");
        else if (depth == 1) walk(all, child, 2, kind, *known);
        else if (!kind || strcmp(kind, *known) == 0) walk(all, child, 1, *known, NULL);
    }
    closedir(d);
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct fixture *)a)->path, ((const struct fixture *)b)->path);
}

void fixtures_load(struct fixtures *all, const char *root, const char *kind)
{
    memset(all, 0, sizeof *all);
    walk(all, root, 0, kind, NULL);
    if (all->count) qsort(all->items, all->count, sizeof *all->items, by_path);
}

void fixtures_free(struct fixtures *all)
{
    for (size_t i = 0; i < all->count; i++) hex_free(&all->items[i].bytes);
    free(all->items);
    memset(all, 0, sizeof *all);
}

/* ledger.c -- see ledger.h. */
#include "ledger.h"

#include "draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ledger_entry *add(struct ledger *l, const char *key, size_t n)
{
    numel_error e = { .code = NUMEL_OK };
    void *items = l->items;
    if (!memory_grow(&memory_malloc, &items, &l->cap, l->count + 1, sizeof *l->items, &e)) die("%s", e.what);
    l->items = items;
    l->items[l->count] = (struct ledger_entry){ .key = must(arena_text(&l->arena, key, n)) };
    return &l->items[l->count++];
}

/* Gives all preceding entries without a reason this one. */
static void explain(struct ledger *l, const char *text, size_t n)
{
    while (n && (*text == ' ' || *text == '\t')) text++, n--;
    const char *reason = must(arena_text(&l->arena, text, n));
    for (size_t i = l->count; i-- > 0 && !l->items[i].reason;) l->items[i].reason = reason;
}

void ledger_load(struct ledger *l, const char *path)
{
    size_t n;
    *l = (struct ledger){ .comment = "" };
    arena_init(&l->arena, &memory_malloc);
    if (!path) return;
    char *text = file_read(path, &n);
    const char *body = text;
    while (*body == '#' && strchr(body, '\n')) body = strchr(body, '\n') + 1;
    l->comment = must(arena_text(&l->arena, text, (size_t)(body - text)));
    for (const char *at = body; *at;) {
        size_t line = strcspn(at, "\n");
        if (*at == ' ' || *at == '\t') explain(l, at, line);
        else if (line && *at != '#') add(l, at, line);
        at += line + (at[line] != '\0');
    }
    if (l->count && !l->items[l->count - 1].reason)
        die("%s: no reason: %s", path, l->items[l->count - 1].key);
    free(text);
}

void ledger_free(struct ledger *l)
{
    memory_release(&memory_malloc, l->items);
    memory_release(&memory_malloc, l->judged);
    arena_done(&l->arena);
}

bool ledger_meet(struct ledger *l, const char *file, const char *what, const char *line, const char *reason)
{
    const char *key = must(arena_format(&l->arena, "%s: %s: %s", file, what, line));
    bool known = false;
    for (size_t i = 0; i < l->count; i++)
        if (!strcmp(l->items[i].key, key)) known = l->items[i].met = true;
    if (known || !reason) return known;
    struct ledger_entry *e = add(l, key, strlen(key));
    e->reason = reason;
    return e->met = true;
}

static bool was_judged(const struct ledger *l, const char *key, size_t n)
{
    for (size_t i = 0; i < l->judged_count; i++)
        if (strlen(l->judged[i]) == n && !memcmp(l->judged[i], key, n)) return true;
    return false;
}

void ledger_judged(struct ledger *l, const char *file)
{
    numel_error e = { .code = NUMEL_OK };
    void *all = l->judged;
    if (l->judged_count && !strcmp(l->judged[l->judged_count - 1], file)) return;
    if (!memory_grow(&memory_malloc, &all, &l->judged_cap, l->judged_count + 1, sizeof *l->judged, &e))
        die("%s", e.what);
    l->judged = all;
    l->judged[l->judged_count++] = file;
}

/* Unused although its file was judged. */
static bool stale(const struct ledger *l, const struct ledger_entry *e)
{
    return !e->met && was_judged(l, e->key, strcspn(e->key, ":"));
}

unsigned ledger_stale(const struct ledger *l)
{
    unsigned n = 0;
    for (size_t i = 0; i < l->count; i++) {
        if (!stale(l, &l->items[i])) continue;
        printf("STALE    %s  (does not survive: remove it from the ledger)\n", l->items[i].key);
        n++;
    }
    return n;
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct ledger_entry *)a)->key, ((const struct ledger_entry *)b)->key);
}

void ledger_write(struct ledger *l, const char *path)
{
    FILE *f = path ? fopen(path, "wb") : NULL;
    if (!f) die("cannot write %s", path ? path : "the ledger: give its name");
    if (l->count) qsort(l->items, l->count, sizeof *l->items, by_key);
    fputs(l->comment, f);
    const char *pending = NULL; /* neighbours with the same reason share it */
    for (size_t i = 0; i < l->count; i++) {
        const struct ledger_entry *e = &l->items[i];
        if (stale(l, e)) continue;
        if (pending && strcmp(pending, e->reason)) fprintf(f, "    %s\n", pending);
        fprintf(f, "%s\n", e->key);
        pending = e->reason;
    }
    if (pending) fprintf(f, "    %s\n", pending);
    if (fclose(f)) die("cannot write %s", path);
}

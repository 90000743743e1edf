/*
 * fit.c -- --fit NAME and --fit auto: the memory of a card.
 *
 * "auto" asks nvidia-smi, then the files in which Linux has the cards, then the size of the main memory, and
 * says on standard error what it took. Of several cards it takes the largest: --gpus splits a model. The files
 * are below $NUMEL_SYSTEM_ROOT, for tests.
 */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct taken {
    uint64_t bytes;
    char what[256];
    unsigned cards;
};

/* "24564, NVIDIA GeForce RTX 4090"; a card that shares the main memory has "[N/A]". */
static void take_line(struct taken *t, char *line)
{
    char *end;
    errno = 0;
    unsigned long long mib = strtoull(line, &end, 10);
    if (line[0] < '0' || line[0] > '9' || *end != ',' || errno || mib < 1 || mib > 1ull << 30) return;
    t->cards++;
    if ((uint64_t)mib << 20 <= t->bytes) return;
    t->bytes = (uint64_t)mib << 20;
    end[strcspn(end, "\n")] = '\0';
    end += 1 + strspn(end + 1, " ");
    snprintf(t->what, sizeof t->what, "%s", end);
}

static void ask_nvidia_smi(struct taken *t)
{
    char line[256];
    FILE *f =
        popen("nvidia-smi --query-gpu=memory.total,name --format=csv,noheader,nounits 2>/dev/null", "r");
    while (f && fgets(line, sizeof line, f)) take_line(t, line);
    if (f && pclose(f) != 0) *t = (struct taken){ .bytes = 0 };
}

static bool look_around(const struct command *c, uint64_t *bytes)
{
    struct taken t = { .bytes = 0 };
    const char *root = getenv("NUMEL_SYSTEM_ROOT");
    bool ram = false;
    numel_error e;
    ask_nvidia_smi(&t);
    bool ok = t.bytes || numel_card_here(root && root[0] ? root : "/", &t.bytes, &ram, t.what, sizeof t.what,
                                         &e) == NUMEL_OK;
    if (!ok) {
        say("numel %s: --fit auto: %s; give it, like --fit 24GiB", c->name, e.what);
        return false;
    }
    say("numel %s: --fit auto: %s%s, %llu MiB%s", c->name, ram ? "no card found: " : "", t.what,
        (unsigned long long)(t.bytes >> 20), t.cards > 1 ? ", the largest of several cards" : "");
    *bytes = t.bytes;
    return true;
}

bool fit_by_name(const struct command *c, const char *value, uint64_t *bytes)
{
    numel_error e;
    if (strcmp(value, "auto") == 0) return look_around(c, bytes);
    if (numel_card_bytes(value, bytes, &e) == NUMEL_OK) return true;
    say("numel %s: --fit: %s", c->name, e.what);
    return false;
}

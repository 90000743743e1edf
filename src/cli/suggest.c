/*
 * suggest.c -- suggests a replacement for a word that is not an option, value or command.
 *
 * Nothing is done on a guess: the most similar word is named, and the user types it. Likewise, abbreviations
 * are not accepted, even unique ones, because the next option added may make them ambiguous.
 */
#include "cli.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 31 }; /* limit for the names of options */

/* Other tools' names for a value. */
static const struct {
    const char *word, *value;
} same_values[] = {
    { "size", "bytes" },     { "numel", "elements" }, { "params", "elements" }, { "parameters", "elements" },
    { "count", "elements" }, { "type", "dtype" },     { "shard", "file" },      { "block", "layer" },
    { "sha256", "hash" },    { "full", "hash" },      { "yes", "always" },      { "no", "never" },
};

const char *suggest_word(const char *word, const char *const *words)
{
    const char *best = NULL;
    size_t least = NUMEL_FAR;
    for (size_t i = 0; i < sizeof same_values / sizeof *same_values; i++)
        for (size_t k = 0; strcmp(same_values[i].word, word) == 0 && words[k]; k++)
            if (strcmp(words[k], same_values[i].value) == 0) return words[k];
    for (size_t i = 0; words[i]; i++) {
        size_t d = numel_nearness(word, words[i]);
        if (d < least) least = d, best = words[i];
    }
    return best;
}

/* ---- commands ----------------------------------------------------------------------------- */

/* Other tools' names for a command. */
static const struct {
    const char *word, *command;
} synonyms[] = {
    { "info", "show" },
    { "inspect", "show" },
    { "summary", "show" },
    { "stat", "show" },
    { "count", "show" },
    { "params", "show" },
    { "size", "show" },
    { "ls", "list" },
    { "find", "list" },
    { "scan", "list" },
    { "layers", "tensors" },
    { "keys", "tensors" },
    { "weights", "tensors" },
    { "names", "tensors" },
    { "metadata", "meta" },
    { "dump", "meta" },
    { "kv", "meta" },
    { "get", "meta" },
    { "config", "formula" },
    { "check", "verify" },
    { "validate", "verify" },
    { "fsck", "verify" },
    { "test", "verify" },
    { "checksum", "hash" },
    { "sha256", "hash" },
    { "sha256sum", "hash" },
    { "digest", "hash" },
    { "manifest", "hash" },
    { "compare", "diff" },
    { "cmp", "diff" },
    { "file", "identify" },
    { "what", "identify" },
    { "tree", "print" },
    { "arch", "spec" },
    { "archs", "spec" },
    { "architectures", "spec" },
    { "layouts", "spec" },
    { "why", "explain" },
    { "account", "reconcile" },
    { "statement", "reconcile" },
    { "headers", "behead" },
    { "strip", "behead" },
    { "completion", "completions" },
};

const char *command_near(const char *word)
{
    const char *best = NULL;
    size_t least = NUMEL_FAR;
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
        if (strcmp(synonyms[i].word, word) == 0 && command_find(synonyms[i].command))
            return synonyms[i].command;
    for (size_t i = 0; commands[i]; i++) {
        const char *names[] = { commands[i]->name, commands[i]->alias };
        for (size_t k = 0; k < 2 && names[k]; k++) {
            size_t d = numel_nearness(word, names[k]);
            if (d < least) least = d, best = names[k];
        }
    }
    return best;
}

/* ---- options ------------------------------------------------------------------------------ */

/* The command's option that accepts the word: "--hash" is a value of --level. */
static const struct option *takes_word(const struct command *c, const char *name)
{
    for (const struct option *o = option_table; o->name; o++)
        for (size_t i = 0; option_belongs(o, c) && o->words && o->words[i]; i++)
            if (strcmp(o->words[i], name) == 0) return o;
    return NULL;
}

/* The commands that have an option of exactly that name: "'numel tensors' and 'numel list'"; of very many, "the
 * other commands". */
static bool owners(char *out, size_t room, const struct option *like)
{
    enum { FEW = 12 };
    const char *names[32];
    char quoted[32][24];
    size_t n = 0;
    for (size_t i = 0; commands[i] && n < 31; i++) {
        if (!option_find(commands[i], like->name, strlen(like->name), 0)) continue;
        snprintf(quoted[n], sizeof quoted[n], "'numel %s'", commands[i]->name);
        names[n] = quoted[n], n++;
    }
    names[n] = NULL;
    if (n <= FEW) return n > 0 && join_words(out, room, names, " and ");
    snprintf(out, room, "the other commands");
    return true;
}

/* The option most similar to the name, with its distance. `c` NULL: of any command. */
static const struct option *near_option(const struct command *c, const char *name, size_t *d)
{
    const struct option *best = NULL;
    *d = NUMEL_FAR;
    for (const struct option *o = option_table; o->name; o++) {
        size_t this = c && !option_belongs(o, c) ? NUMEL_FAR : numel_nearness(name, o->name);
        if (this < *d) *d = this, best = o;
    }
    return best;
}

/* Lists the options that begin with the name, if there are several, since none is more likely than
 * another. */
static bool begins_several(char *out, size_t room, const struct command *c, const char *name)
{
    const char *names[32];
    char quoted[32][32];
    size_t n = 0;
    for (const struct option *o = option_table; o->name && n < 31; o++) {
        if (!option_belongs(o, c) || strncmp(o->name, name, strlen(name)) != 0) continue;
        snprintf(quoted[n], sizeof quoted[n], "'--%s'", o->name);
        names[n] = quoted[n], n++;
    }
    names[n] = NULL;
    return n > 1 && join_words(out, room, names, " or ");
}

/* Other tools' names for an option, with our value for it. */
static const struct {
    const char *word, *option, *instead;
} same_options[] = {
    { "deep", "level", "level hash" },
    { "full", "level", "level hash" },
    { "checksum", "level", "level hash" },
    { "checksums", "level", "level hash" },
    { "sha256", "level", "level hash" },
    { "hash", "level", "level hash" },
    { "quick", "level", "level header" },
    { "fast", "level", "level header" },
    { "vram", "fit", "fit" },
    { "gpu", "gpus", "gpus" },
    { "ctx", "context", "context" },
    { "ctx-size", "context", "context" },
    { "cache-type", "kv", "kv" },
    { "kv-cache-dtype", "kv", "kv" },
    { "architecture", "arch", "arch" },
};

static const char *same_option(const struct command *c, const char *name)
{
    for (size_t i = 0; i < sizeof same_options / sizeof *same_options; i++)
        if (strcmp(same_options[i].word, name) == 0 &&
            option_find(c, same_options[i].option, strlen(same_options[i].option), 0))
            return same_options[i].instead;
    return NULL;
}

/* The option of any command with that letter. */
static const struct option *with_letter(char letter)
{
    for (const struct option *o = option_table; o->name; o++)
        if (o->letter == letter) return o;
    return NULL;
}

void suggest_option(char *out, size_t room, const struct command *c, const char *word)
{
    char name[LONGEST + 1] = "", list[512];
    size_t n = 0, used = 0, own_distance, any_distance;
    bool is_long = word[0] == '-' && word[1] == '-';
    if (is_long) n = strcspn(word + 2, "=");
    if (n <= LONGEST) (void)put_bytes(name, sizeof name, &used, word + 2, n);
    const struct option *own = near_option(c, name, &own_distance),
                        *any = near_option(NULL, name, &any_distance);
    const struct option *value = takes_word(c, name);
    const char *same = is_long ? same_option(c, name) : NULL;
    const struct option *other = is_long ? (any_distance == 0 ? any : NULL) : with_letter(word[1]);
    snprintf(out, room, "; see 'numel %s --help'", c->name); /* the last resort */
    if (same) snprintf(out, room, "; did you mean '--%s'?", same);
    else if (other && owners(list, sizeof list, other))
        snprintf(out, room, "; %s%s%sit belongs to %s", is_long ? "" : "as '--", is_long ? "" : other->name,
                 is_long ? "" : "' ", list);
    else if (!name[0]) return;
    else if (begins_several(list, sizeof list, c, name)) snprintf(out, room, "; did you mean %s?", list);
    else if (value) snprintf(out, room, "; did you mean '--%s %s'?", value->name, name);
    else if (own) snprintf(out, room, "; did you mean '--%s'?", own->name);
    else if (any && owners(list, sizeof list, any))
        snprintf(out, room, "; '--%s' belongs to %s", any->name, list);
}

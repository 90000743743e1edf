/*
 * options.c -- one table of all options: reading, and help, come from it.
 *
 * Long options take "--name value" and "--name=value", short ones stand alone or with their value
 * behind them; options and arguments mix; "--" ends the options; "-" is an argument.
 */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option_id {
    OPT_JSON,
    OPT_QUIET,
    OPT_DEPTH,
    OPT_BY,
    OPT_SORT,
    OPT_MATCH,
    OPT_NO_TRUNCATE,
    OPT_COLOR,
    OPT_NO_PAGER,
    OPT_NO_PROGRESS,
    OPT_STRICT,
    OPT_MAX_HEADER,
    OPT_FORCE,
    OPT_HELP,
    OPT_CONFIG,
    OPT_ARCH,
    OPT_SPEC,
    OPT_SET,
    OPT_LEVEL,
    OPT_OTHERS,
    OPT_JOBS,
    OPT_FILES_ONLY,
    OPT_TENSORS_ONLY,
    OPT_MANIFEST,
    OPT_VALUES,
    OPT_RESUME
};

struct option {
    const char *name;
    char letter;
    const char *value; /* NULL: takes none; "[=FILE]": only behind '=', may be left out */
    unsigned takes;    /* commands that have it; 0: all */
    enum option_id id;
    const char *help;
};

static const struct option table[] = {
    { "json", 'j', NULL, 0, OPT_JSON, "JSON with exact integers, for programs" },
    { "quiet", 'q', NULL, 0, OPT_QUIET, "only the one number (or nothing)" },
    { "depth", 'd', "N", TAKES_TREE, OPT_DEPTH, "levels of names to open; all that fit unless given" },
    { "by", 'b', "WHAT", TAKES_TREE, OPT_BY, "group by layer, dtype or file" },
    { "others", 0, NULL, TAKES_OTHERS, OPT_OTHERS, "what other counters would show, and why" },
    { "sort", 's', "KEY", TAKES_SORT, OPT_SORT, "by name, elements, bytes, offset or dtype" },
    { "match", 'm', "GLOB", TAKES_MATCH, OPT_MATCH, "only names like '*.q_proj.weight'" },
    { "config", 'c', "FILE", TAKES_KNOWLEDGE, OPT_CONFIG, "config.json or params.json to use" },
    { "arch", 'a', "NAME", TAKES_KNOWLEDGE, OPT_ARCH, "architecture, instead of the one that fits" },
    { "set", 0, "KEY=N", TAKES_KNOWLEDGE, OPT_SET, "a symbol or key of the configuration" },
    { "spec", 0, "FILE|DIR", TAKES_KNOWLEDGE | TAKES_SPEC, OPT_SPEC, "specifications of your own" },
    { "level", 'l', "LEVEL", TAKES_LEVEL, OPT_LEVEL, "header, size, index, config or hash" },
    { "manifest", 0, "FILE", TAKES_MANIFEST, OPT_MANIFEST, "digests to compare with; implies --level hash" },
    { "values", 0, NULL, TAKES_MANIFEST, OPT_VALUES, "look for NaN, infinity, zeros, scales out of range" },
    { "values", 0, NULL, TAKES_VALUES, OPT_VALUES, "compare the values too; reads all data" },
    { "files-only", 0, NULL, TAKES_HASHING, OPT_FILES_ONLY, "only the files as a whole" },
    { "tensors-only", 0, NULL, TAKES_HASHING, OPT_TENSORS_ONLY, "only tensors and models" },
    { "jobs", 0, "N", TAKES_WORK, OPT_JOBS, "threads that read data; one a processor" },
    { "resume", 0, "[=FILE]", TAKES_WORK, OPT_RESUME, "go on with a run that was interrupted" },
    { "force", 'f', NULL, TAKES_FORCE, OPT_FORCE, "overwrite files" },
    { "no-truncate", 0, NULL, 0, OPT_NO_TRUNCATE, "cut nothing: names, arrays, tree" },
    { "strict", 0, NULL, 0, OPT_STRICT, "warnings count as errors" },
    { "max-header", 0, "BYTES", 0, OPT_MAX_HEADER, "largest header accepted (100000000)" },
    { "color", 0, "WHEN", 0, OPT_COLOR, "auto, always or never" },
    { "no-pager", 0, NULL, 0, OPT_NO_PAGER, "do not page long output on a terminal" },
    { "no-progress", 0, NULL, 0, OPT_NO_PROGRESS, "no progress bar" },
    { "help", 'h', NULL, 0, OPT_HELP, "this text" },
};

enum { OPTIONS = sizeof table / sizeof *table };

/* ---- values ------------------------------------------------------------------------------- */

static bool read_number(const char *text, uint64_t most, uint64_t *v)
{
    char *end;
    errno = 0;
    if (text[0] < '0' || text[0] > '9') return false;
    *v = strtoull(text, &end, 10);
    return !*end && errno == 0 && *v <= most;
}

/* The index of text among the words, which end with NULL; -1 when it is none. */
static int read_word(const char *text, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], text) == 0) return i;
    return -1;
}

static bool add_word(const char **words, size_t room, size_t *count, const char *word)
{
    if (*count == room) return false;
    words[(*count)++] = word;
    return true;
}

static bool set_value(struct options *o, enum option_id id, const char *value)
{
    static const char *const bys[] = { "layer", "dtype", "file", NULL };
    static const char *const sorts[] = { "name", "elements", "bytes", "offset", "dtype", NULL };
    static const char *const levels[] = { "header", "size", "index", "config", "hash", NULL };
    static const char *const colors[] = { "auto", "always", "never", NULL };
    uint64_t n = 0;
    int word = -1;
    switch (id) {
    case OPT_DEPTH:
        if (!read_number(value, 1000, &n) || n == 0) return false;
        o->view.depth = (unsigned)n;
        return true;
    case OPT_JOBS:
        if (!read_number(value, 1024, &n) || n == 0) return false;
        o->work.threads = (unsigned)n;
        return true;
    case OPT_MAX_HEADER: return read_number(value, INT64_MAX, &o->library.max_header_bytes);
    case OPT_MANIFEST: o->manifest = value; return true;
    case OPT_RESUME: o->resume = value; return value[0] != '\0';
    case OPT_MATCH: o->view.match = value; return true;
    case OPT_CONFIG: o->knowledge.config = value; return true;
    case OPT_ARCH: o->knowledge.architecture = value; return true;
    case OPT_SPEC:
        return add_word(o->specs, sizeof o->specs / sizeof *o->specs, &o->knowledge.spec_count, value);
    case OPT_SET: return add_word(o->sets, sizeof o->sets / sizeof *o->sets, &o->knowledge.set_count, value);
    case OPT_BY:
        if ((word = read_word(value, bys)) >= 0) o->view.by = (numel_by)word;
        return word >= 0;
    case OPT_SORT:
        if ((word = read_word(value, sorts)) >= 0) o->view.sort = (numel_sort)word;
        return word >= 0;
    case OPT_LEVEL:
        if ((word = read_word(value, levels)) >= 0) o->level = (numel_level)(word + 1);
        return word >= 0;
    case OPT_COLOR:
        if ((word = read_word(value, colors)) >= 0) o->color = (enum color)word;
        return word >= 0;
    default: return false;
    }
}

static void set_flag(struct options *o, enum option_id id)
{
    switch (id) {
    case OPT_JSON: /* whole, with -q before or behind it too: what asks for JSON parses it */
        o->style.format = NUMEL_JSON;
        o->view.totals = false;
        break;
    case OPT_QUIET:
        if (o->style.format == NUMEL_JSON) break;
        o->style.format = NUMEL_QUIET;
        o->view.totals = true;
        break;
    case OPT_NO_TRUNCATE: o->view.all = true; break;
    case OPT_NO_PAGER: o->no_pager = true; break;
    case OPT_NO_PROGRESS: o->no_progress = true; break;
    case OPT_STRICT: o->library.strict = true; break;
    case OPT_FORCE: o->force = true; break;
    case OPT_OTHERS: o->view.others = true; break;
    case OPT_VALUES: o->values = true; break;
    case OPT_RESUME: o->resume = ""; break;
    case OPT_FILES_ONLY: o->hashing.files_only = true; break;
    case OPT_TENSORS_ONLY: o->hashing.tensors_only = true; break;
    case OPT_HELP: o->help = true; break;
    default: break;
    }
}

/* ---- reading ------------------------------------------------------------------------------ */

static const struct option *find_option(const struct command *c, const char *name, size_t n, char letter)
{
    for (size_t i = 0; i < OPTIONS; i++) {
        if (table[i].takes && !(table[i].takes & c->takes)) continue;
        if (letter ? table[i].letter == letter
                   : strlen(table[i].name) == n && memcmp(table[i].name, name, n) == 0)
            return &table[i];
    }
    return NULL;
}

static int usage(const struct command *c, const char *what, const char *which)
{
    say("numel %s: %s '%s'; see 'numel %s --help'", c->name, what, which, c->name);
    return EXIT_USAGE;
}

/* One word that begins with '-'; *i is moved when the value is the next word. */
static int read_option(struct options *o, const struct command *c, int argc, char **argv, int *i)
{
    const char *word = argv[*i], *value = NULL;
    bool is_long = word[1] == '-';
    size_t n = is_long ? strcspn(word + 2, "=") : 1;
    const struct option *opt = find_option(c, word + 2, n, is_long ? 0 : word[1]);
    if (!opt) return usage(c, "no option", word);
    const char *rest = is_long ? word + 2 + n : word + 2;
    if (*rest) value = rest + (*rest == '=');
    if (!opt->value) {
        if (value && !is_long) return usage(c, "one option at a time:", word);
        if (value) return usage(c, "takes no value:", word);
        set_flag(o, opt->id);
        return EXIT_AGREE;
    }
    if (!value && opt->value[0] == '[') {
        set_flag(o, opt->id);
        return EXIT_AGREE;
    }
    if (!value && *i + 1 < argc) value = argv[++*i];
    if (!value) return usage(c, "a value is missing behind", word);
    return set_value(o, opt->id, value) ? EXIT_AGREE : usage(c, "not a value for this option:", value);
}

int options_read(struct options *o, const struct command *c, int argc, char **argv)
{
    bool options = true;
    int count = 0;
    *o = (struct options){ .style = NUMEL_INIT(numel_style),
                           .view = NUMEL_INIT(numel_view),
                           .library = NUMEL_INIT(numel_options),
                           .knowledge = { .size = sizeof(numel_knowledge), .deferred = true },
                           .hashing = NUMEL_INIT(numel_hashing),
                           .work = NUMEL_INIT(numel_work) };
    for (int i = 1; i < argc; i++) {
        bool is_option = options && argv[i][0] == '-' && argv[i][1];
        if (is_option && strcmp(argv[i], "--") == 0) options = false;
        else if (is_option) {
            int status = read_option(o, c, argc, argv, &i);
            if (status != EXIT_AGREE) return status;
        } else argv[++count] = argv[i]; /* arguments gather in front; never ahead of i */
    }
    o->args = (const char *const *)argv + 1;
    o->count = (size_t)count;
    o->knowledge.specs = o->specs;
    o->knowledge.sets = o->sets;
    if (o->help || (o->count >= c->least && o->count <= c->most)) return EXIT_AGREE;
    say("usage: numel %s %s", c->name, c->args);
    return EXIT_USAGE;
}

/* ---- help --------------------------------------------------------------------------------- */

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    return NULL;
}

static size_t distance(const char *a, const char *b)
{
    size_t row[32], n = strlen(b);
    if (strlen(a) > 31 || n > 31) return 99;
    for (size_t j = 0; j <= n; j++) row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[n];
}

const char *command_near(const char *word)
{
    for (size_t i = 0; commands[i]; i++)
        if (distance(word, commands[i]->name) <= 2) return commands[i]->name;
    return NULL;
}

void help_command(const struct command *c)
{
    printf("%s\nusage: numel %s %s\n%s%s\n", c->examples, c->name, c->args, c->about,
           c->about[0] ? "\n" : "");
    for (size_t i = 0; i < OPTIONS; i++) {
        const struct option *o = &table[i];
        char left[64], letter[8] = "    ";
        if (o->takes && !(o->takes & c->takes)) continue;
        if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name, o->value && o->value[0] != '[' ? " " : "",
                 o->value ? o->value : "");
        printf("  %-24s %s\n", left, o->help);
    }
}

void help_all(void)
{
    printf("numel says what is really in a model checkpoint: safetensors and GGUF, headers only.\n\n"
           "  $ numel model/                     what it is, how much, folded by layer\n"
           "  $ numel model-00001-of-00004.safetensors   any shard stands for its set\n"
           "  $ numel model.gguf --json | jq .counts     exact integers for programs\n\n"
           "usage: numel [COMMAND] [OPTIONS] PATH...\n\n");
    for (size_t i = 0; commands[i]; i++)
        printf("  %-10s %-14s %s\n", commands[i]->name, commands[i]->args, commands[i]->summary);
    printf("\n'numel COMMAND --help' shows examples and options; numel(1) and numel(5) the rest.\n"
           "exit status: 0 consistent, 1 something was found, 2 usage, 3 unreadable, 4 not all could\n"
           "be checked, 5 some of many failed\n");
}

/* help.c -- the text of --help: examples first, then the options from the table. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0 ||
            (commands[i]->alias && strcmp(commands[i]->alias, name) == 0))
            return commands[i];
    return NULL;
}

void option_help(const struct option *o, char *out, size_t room)
{
    char words[256] = "";
    if (o->words) (void)join_words(words, sizeof words, o->words, " or ");
    snprintf(out, room, "%s%s%s", o->help, o->help[0] && words[0] ? " " : "", words);
}

static void help_option(const struct option *o)
{
    char left[64], letter[8] = "    ", help[256];
    if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name, o->value && o->value[0] != '[' ? " " : "",
             o->value ? o->value : "");
    option_help(o, help, sizeof help);
    printf("  %-24s %s\n", left, help);
}

/* Rewraps ASCII text to at most 79 columns, and keeps empty lines. */
static void put_words(const char *text)
{
    enum { COLUMNS = 79 };
    size_t at = 0;
    for (size_t n; *text; text += n) {
        bool paragraph = text[0] == '\n' && (text[1] == '\n' || at == 0);
        n = paragraph ? strspn(text, "\n") : strspn(text, " \n");
        if (paragraph) fputs(at ? "\n\n" : "\n", stdout);
        if (paragraph) at = 0;
        if (paragraph || n) continue;
        n = strcspn(text, " \n");
        bool fits = at + 1 + n <= COLUMNS;
        if (at) putchar(fits ? ' ' : '\n');
        at = at && fits ? at + 1 + n : n;
        fwrite(text, 1, n, stdout);
    }
}

void help_command(const struct command *c)
{
    printf("%s\nusage: numel %s %s\n", c->examples, c->name, c->args);
    if (c->alias) printf("       numel %s %s\n", c->alias, c->args);
    put_words(c->about);
    fputs(c->about[0] ? "\n\n" : "\n", stdout);
    for (const struct option *o = option_table; o->name; o++)
        if (option_belongs(o, c)) help_option(o);
}

void help_all(void)
{
    printf("numel says what is in a model checkpoint: safetensors and GGUF, headers only.\n\n"
           "  $ numel model/                     what it is, how much, folded by layer\n"
           "  $ numel model-00001-of-00004.safetensors   any shard of a set\n"
           "  $ numel model.gguf --json | jq .counts     exact integers for programs\n\n"
           "usage: numel [COMMAND] [OPTIONS] PATH...\n\n");
    for (size_t i = 0; commands[i]; i++) printf("  %-11s  %s\n", commands[i]->name, commands[i]->summary);
    printf("\n'numel COMMAND --help' shows examples and options, numel(1) the rest.\n"
           "exit status: 0 consistent, 1 something was found, 2 usage, 3 unreadable, 4 not\n"
           "all could be checked, 5 some of many failed\n");
}

/*
 * cmd_completions.c -- numel completions bash|zsh|fish: shell completions for numel, made from the table that
 * --help uses.
 *
 * The scripts are self-contained and do not run numel while the user types. Each command has its options, and
 * each option its values; any other value or argument is a file.
 */
#include "cli.h"

#include <stdio.h>
#include <string.h>

/* ---- for all shells ----------------------------------------------------------------------- */

/* Puts the text in single quotes; a quote inside becomes `quote`, and each character in `special` gets a
 * backslash. */
static void put_quoted(const char *text, const char *quote, const char *special)
{
    putchar('\'');
    for (const char *p = text; *p; p++) {
        if (*p == '\'') {
            fputs(quote, stdout);
            continue;
        }
        if (strchr(special, *p)) putchar('\\');
        putchar(*p);
    }
    putchar('\'');
}

/* The words allowed as the first argument, "list|show", separated by blanks. False if there is no such
 * list. */
static bool verbs_of(const struct command *c, char *out, size_t room)
{
    size_t n = strlen(c->args);
    if (!strchr(c->args, '|') || strcspn(c->args, " [") != n || c->args[0] < 'a' || n >= room) return false;
    for (size_t i = 0; i <= n; i++) out[i] = c->args[i] == '|' ? ' ' : c->args[i];
    return true;
}

static void put_words(const char *const *words)
{
    for (size_t i = 0; words[i]; i++) printf("%s%s", i ? " " : "", words[i]);
}

static void put_commands(const char *between)
{
    for (size_t i = 0; commands[i]; i++) {
        printf("%s%s", i ? between : "", commands[i]->name);
        if (commands[i]->alias) printf("%s%s", between, commands[i]->alias);
    }
}

/* ---- bash --------------------------------------------------------------------------------- */

static const char bash_begin[] =
    "# bash completion for numel, written by 'numel completions bash'\n"
    "_numel()\n{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} cmd= at=0 i\n"
    "    local options= values= kind= verbs= IFS=$' \\t\\n'\n"
    "    # --by=dtype comes as three words\n"
    "    if [[ $cur == = ]]; then cur=\n"
    "    elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "        case ${COMP_WORDS[i]} in\n"
    "        -*) ;;\n";

static const char bash_end[] =
    "    esac\n"
    "    case $kind in\n"
    "    words) COMPREPLY=($(compgen -W \"$values\" -- \"$cur\")); return ;;\n"
    "    none) compopt +o default +o bashdefault 2>/dev/null; COMPREPLY=(); return ;;\n"
    "    esac\n"
    "    if [[ $kind != files && $cur == -* ]]; then\n"
    "        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
    "        return\n"
    "    fi\n"
    "    IFS=$'\\n'\n"
    "    if [[ $kind != files && -n $verbs && $at -eq $((COMP_CWORD - 1)) ]]; then\n"
    "        IFS=$' \\t\\n'\n"
    "        COMPREPLY=($(compgen -W \"$verbs\" -- \"$cur\"))\n"
    "        return\n"
    "    fi\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    COMPREPLY=($(compgen -f -- \"$cur\"))\n"
    "    if [[ -z $cmd && $kind != files ]]; then\n"
    "        IFS=$' \\t\\n'\n"
    "        COMPREPLY+=($(compgen -W \"$commands help\" -- \"$cur\"))\n"
    "    fi\n"
    "}\n"
    "complete -o default -o bashdefault -F _numel numel\n";

static void bash_value(const struct option *o)
{
    printf("        --%s", o->name);
    if (o->letter) printf("|-%c", o->letter);
    if (o->words) {
        printf(") kind=words values='");
        put_words(o->words);
        printf("' ;;\n");
    } else {
        printf(") kind=%s ;;\n", option_is_path(o) ? "files" : "none");
    }
}

static void bash_command(const struct command *c)
{
    char verbs[64];
    bool is_show = strcmp(c->name, "show") == 0;
    printf("    %s%s%s%s)\n        options='", is_show ? "''|" : "", c->name, c->alias ? "|" : "",
           c->alias ? c->alias : "");
    for (const struct option *o = option_table; o->name; o++)
        if (option_belongs(o, c)) printf("--%s ", o->name);
    printf("'\n");
    if (verbs_of(c, verbs, sizeof verbs)) printf("        verbs='%s'\n", verbs);
    printf("        case $prev in\n");
    for (const struct option *o = option_table; o->name; o++)
        if (option_belongs(o, c) && o->value && o->value[0] != '[') bash_value(o);
    printf("        esac ;;\n");
}

static void write_bash(void)
{
    fputs(bash_begin, stdout);
    printf("        ");
    put_commands("|");
    printf("|help) cmd=${COMP_WORDS[i]} at=$i; break ;;\n"
           "        *) cmd=show; break ;;\n        esac\n    done\n    local commands='");
    put_commands(" ");
    printf("'\n    case $cmd in\n    help) verbs=$commands ;;\n");
    for (size_t i = 0; commands[i]; i++) bash_command(commands[i]);
    fputs(bash_end, stdout);
}

/* ---- zsh ---------------------------------------------------------------------------------- */

static void zsh_quoted(const char *text) { put_quoted(text, "'\\''", ""); }

static void add(char *out, size_t room, const char *text, const char *special)
{
    size_t n = strlen(out);
    for (const char *p = text; *p && n + 3 < room; p++) {
        if (strchr(special, *p)) out[n++] = '\\';
        out[n++] = *p;
    }
    out[n] = '\0';
}

/* Writes an option for _arguments: --by= and [group by ...]:by:(layer dtype file). */
static void zsh_option(const struct option *o)
{
    char help[256], spec[1024] = "[";
    bool optional = o->value && o->value[0] == '[';
    const char *value = !o->value ? "" : optional ? "=-" : "=";
    option_help(o, help, sizeof help);
    add(spec, sizeof spec, help, "[]:\\");
    add(spec, sizeof spec, !o->value ? "]" : optional ? "]::" : "]:", "");
    if (o->value) add(spec, sizeof spec, o->name, "");
    if (o->value) add(spec, sizeof spec, o->words ? ":(" : option_is_path(o) ? ":_files" : ":", "");
    for (size_t i = 0; o->words && o->words[i]; i++) {
        add(spec, sizeof spec, o->words[i], "");
        add(spec, sizeof spec, o->words[i + 1] ? " " : ")", "");
    }
    printf("            ");
    if (o->letter && (o->kind == OPTION_TEXTS || o->kind == OPTION_EXPECT))
        printf("'*'{-%c+,--%s=}", o->letter, o->name);
    else if (o->letter)
        printf("'(-%c --%s)'{-%c%s,--%s%s}", o->letter, o->name, o->letter, o->value ? "+" : "", o->name,
               value);
    else printf("%s--%s%s", o->kind == OPTION_TEXTS || o->kind == OPTION_EXPECT ? "'*'" : "", o->name, value);
    zsh_quoted(spec);
    printf(" \\\n");
}

static void zsh_command(const struct command *c)
{
    char verbs[64];
    printf("    %s%s%s)\n        _arguments -s -S \\\n", c->name, c->alias ? "|" : "",
           c->alias ? c->alias : "");
    for (const struct option *o = option_table; o->name; o++)
        if (option_belongs(o, c)) zsh_option(o);
    if (verbs_of(c, verbs, sizeof verbs)) printf("            '1:what:(%s)' ", verbs);
    else printf("            ");
    printf("'*:path:_files' ;;\n");
}

static void zsh_described(const char *name, const char *summary)
{
    char line[256];
    snprintf(line, sizeof line, "%s:%s", name, summary);
    printf("        ");
    zsh_quoted(line);
    printf("\n");
}

static void write_zsh(void)
{
    printf("#compdef numel\n# zsh completion for numel, written by 'numel completions zsh'\n"
           "_numel() {\n    local -a commands\n    commands=(\n");
    for (size_t i = 0; commands[i]; i++) {
        zsh_described(commands[i]->name, commands[i]->summary);
        if (commands[i]->alias) zsh_described(commands[i]->alias, commands[i]->summary);
    }
    printf("        'help:show the help of a command'\n"
           "    )\n"
           "    if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
           "        _describe -t commands command commands\n"
           "        _files\n"
           "        return\n"
           "    fi\n"
           "    local cmd=show\n"
           "    case $words[2] in\n"
           "    ");
    put_commands("|");
    printf("|help)\n        cmd=$words[2]\n"
           "        shift words\n        (( CURRENT-- )) ;;\n    esac\n"
           "    case $cmd in\n    help) _describe -t commands command commands ;;\n");
    for (size_t i = 0; commands[i]; i++) zsh_command(commands[i]);
    printf(
        "    esac\n}\nif [[ $funcstack[1] == _numel ]]; then _numel \"$@\"; else compdef _numel numel; fi\n");
}

/* ---- fish --------------------------------------------------------------------------------- */

static const char fish_begin[] =
    "# fish completion for numel, written by 'numel completions fish'\n"
    "# The command is the first word that is not an option, or show if there is none.\n"
    "function __numel_command\n"
    "    for word in (commandline -opc)[2..-1]\n"
    "        switch $word\n"
    "            case '-*'\n"
    "                continue\n";

static const char fish_middle[] = "                echo $word\n"
                                  "                return\n"
                                  "        end\n"
                                  "        echo show\n"
                                  "        return\n"
                                  "    end\n"
                                  "end\n"
                                  "function __numel_is\n"
                                  "    set -l command (__numel_command)\n"
                                  "    test -n \"$command\"; or set command show\n"
                                  "    contains -- $command $argv\n"
                                  "end\n"
                                  "function __numel_first\n"
                                  "    test -z (__numel_command | string collect)\n"
                                  "end\n";

static void fish_quoted(const char *text) { put_quoted(text, "\\'", "\\"); }

static bool is_common(const struct option *o)
{
    bool all = true;
    for (size_t i = 0; commands[i]; i++) all &= option_belongs(o, commands[i]);
    return all;
}

static void fish_option(const struct option *o)
{
    char help[256];
    option_help(o, help, sizeof help);
    printf("complete -c numel");
    if (!is_common(o)) {
        printf(" -n '__numel_is");
        for (size_t i = 0; commands[i]; i++) {
            if (!option_belongs(o, commands[i])) continue;
            printf(" %s%s%s", commands[i]->name, commands[i]->alias ? " " : "",
                   commands[i]->alias ? commands[i]->alias : "");
        }
        printf("'");
    }
    if (o->letter) printf(" -s %c", o->letter);
    printf(" -l %s -d ", o->name);
    fish_quoted(help);
    if (o->words) {
        printf(" -x -a '");
        put_words(o->words);
        printf("'");
    } else if (o->value && o->value[0] != '[') {
        printf(option_is_path(o) ? " -r -F" : " -x");
    }
    printf("\n");
}

static void fish_described(const char *name, const char *summary)
{
    printf("complete -c numel -n __numel_first -a %s -d ", name);
    fish_quoted(summary);
    printf("\n");
}

static void write_fish(void)
{
    char verbs[64];
    fputs(fish_begin, stdout);
    printf("            case ");
    put_commands(" ");
    printf(" help\n");
    fputs(fish_middle, stdout);
    for (size_t i = 0; commands[i]; i++) {
        fish_described(commands[i]->name, commands[i]->summary);
        if (commands[i]->alias) fish_described(commands[i]->alias, commands[i]->summary);
        if (verbs_of(commands[i], verbs, sizeof verbs))
            printf("complete -c numel -f -n '__numel_is %s' -a '%s'\n", commands[i]->name, verbs);
    }
    printf("complete -c numel -f -n '__numel_is help' -a '");
    put_commands(" ");
    printf("'\n");
    for (const struct option *o = option_table; o->name; o++) fish_option(o);
}

/* ---- the command -------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*write)(void);
} shells[] = { { "bash", write_bash }, { "zsh", write_zsh }, { "fish", write_fish } };

static int run(const struct options *o)
{
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(o->args[0], shells[i].name) != 0) continue;
        shells[i].write();
        return EXIT_AGREE;
    }
    say("numel completions: takes bash, zsh or fish, not '%s'", o->args[0]);
    return EXIT_USAGE;
}

const struct command command_completions = {
    .name = "completions",
    .args = "bash|zsh|fish",
    .summary = "completion scripts for bash, zsh and fish",
    .examples = "  $ source <(numel completions bash)           in this shell\n"
                "  $ numel completions bash > ~/.local/share/bash-completion/completions/numel\n"
                "  $ numel completions zsh > ~/.zfunc/_numel    a directory of your $fpath\n"
                "  $ numel completions fish > ~/.config/fish/completions/numel.fish\n",
    .about = "\n'make install' puts all three where the shells look for them.",
    .takes = 0,
    .least = 1,
    .most = 1,
    .run = run,
};

/* main.c -- selects the command. `numel PATH` is `numel show PATH`. */
#include "cli.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

const struct command *const commands[] = { &command_show,      &command_browse,      &command_list,
                                           &command_tensors,   &command_meta,        &command_formula,
                                           &command_reconcile, &command_explain,     &command_diff,
                                           &command_verify,    &command_memory,      &command_print,
                                           &command_hash,      &command_identify,    &command_behead,
                                           &command_spec,      &command_completions, NULL };

/* In "numel --json verify model", the command after the options would be read as a path. */
static bool is_misplaced(const char *word)
{
    const struct command *c = command_find(word);
    if (!c || numel_path_kind(word) != NUMEL_KIND_ABSENT) return false;
    say("numel: the command comes first: 'numel %s ...'", word);
    return true;
}

/* The folder of --save gets one repository. */
static bool saves_one(const struct options *o)
{
    size_t n = 0;
    for (size_t i = 0; i < o->count; i++) n += strstr(o->args[i], "://") != NULL;
    if (!o->library.save || n == 1) return true;
    say(n ? "numel: --save keeps one remote model: give one hf:// or https:// path"
          : "numel: --save keeps a remote model: give its hf:// or https:// path");
    return false;
}

static int run(const struct command *c, bool named, int argc, char **argv)
{
    struct options o;
    int status = options_read(&o, c, argc, argv);
    if (status != EXIT_AGREE) return status;
    if (!named && o.count && is_misplaced(o.args[0])) return EXIT_USAGE;
    if (o.help) return help_command(c), EXIT_AGREE;
    if (!saves_one(&o)) return EXIT_USAGE;
    struct fetch fetch;
    fetch_lend(&fetch, &o);
    if (page_begin(&o, &status)) status = page_end(&o, c->run(&o));
    fetch_end(&fetch);
    return status;
}

static int help(int argc, char **argv)
{
    const struct command *c = argc > 2 ? command_find(argv[2]) : NULL;
    if (argc > 2 && !c) {
        const char *near = command_near(argv[2]);
        say("numel: no command '%s'; %s%s%s", argv[2], near ? "did you mean '" : "numel --help lists them",
            near ? near : "", near ? "'?" : "");
        return EXIT_USAGE;
    }
    if (c) help_command(c);
    else help_all();
    return EXIT_AGREE;
}

/* A word that is neither a command nor a file is probably a mistyped command. */
static const struct command *command_of(const char *word)
{
    const struct command *c = command_find(word);
    const char *near =
        c || word[0] == '-' || numel_path_kind(word) != NUMEL_KIND_ABSENT ? NULL : command_near(word);
    if (near) {
        say("numel: no command and no file '%s'; did you mean 'numel %s'?", word, near);
        return NULL;
    }
    return c ? c : &command_show;
}

/* If a standard descriptor is closed, the next file opened would get it, and output would be written to
 * that file. A read-only descriptor makes each write fail instead. */
static void keep_standard_descriptors(void)
{
    static const int modes[] = { O_WRONLY, O_RDONLY, O_WRONLY };
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) != fd) _exit(EXIT_UNREADABLE);
}

/* If the reader has left or a limit is reached, writing fails with a status, as on a full disk, instead of
 * a signal ending the program halfway through a file. */
static void keep_writing(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

/* True if the argument is that word and no file has that name. */
static bool is_word(const char *given, const char *word)
{
    return strcmp(given, word) == 0 && numel_path_kind(given) == NUMEL_KIND_ABSENT;
}

static int version(void)
{
    print_line("numel %s", numel_version());
    return EXIT_AGREE;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        help_all();
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0 || is_word(argv[1], "version"))
        return version();
    if (strcmp(argv[1], "help") == 0) return help(argc, argv);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        help_all();
        return EXIT_AGREE;
    }
    const struct command *c = command_of(argv[1]);
    if (!c) return EXIT_USAGE;
    bool named = command_find(argv[1]) == c;
    return run(c, named, argc - named, argv + named);
}

int main(int argc, char **argv)
{
    keep_standard_descriptors();
    keep_writing();
    return output_close(dispatch(argc, argv));
}

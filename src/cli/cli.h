/*
 * cli.h -- the command-line program: tables of commands and options, and where output goes.
 *
 * A command is a struct in a file of its own, listed in main.c. It sees numel.h and this file and
 * nothing else of the library. Data goes to standard output, all else to standard error.
 */
#ifndef NUMEL_CLI_H
#define NUMEL_CLI_H

#include <numel.h>

#include <time.h>

enum exit_status {
    EXIT_AGREE = 0, /* done and consistent */
    EXIT_FOUND = 1, /* done, and it disagrees or something was found */
    EXIT_USAGE = 2,
    EXIT_UNREADABLE = 3, /* an input cannot be read or is not a known format */
    EXIT_PART = 4,       /* nothing wrong was found, and not everything could be checked */
    EXIT_SOME = 5,       /* some of many inputs failed */
    EXIT_STOPPED = 130   /* by an interrupt */
};

enum { MIB = 1 << 20 }; /* no memory that models are loaded into is smaller */

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* Values of an option that may be given several times. */
enum { TEXTS_MOST = 64 };
struct texts {
    const char *at[TEXTS_MOST];
    size_t count;
};

/* Of `numel list` alone. */
struct list_options {
    const char *columns, *sort, *from, *shard, *resume;
    uint64_t memory; /* of --sort; 0: as the library has it */
    bool zero;       /* NUL ends a path, in what is read and with -q */
    bool deep;       /* search for specifications */
};

/* What the options of the table (option_table.c) fill. */
struct options {
    numel_style style;
    numel_view view;
    numel_options library;
    numel_knowledge knowledge;
    numel_level level;
    numel_hashing hashing;
    numel_plan plan;
    numel_work work;
    const char *resume;        /* NULL: not asked for; "": at its own place */
    const numel_work *reading; /* work, with progress and interrupts */
    const char *manifest;
    const char *junit, *sarif; /* files for CI; "-": standard output */
    bool values;
    const char *nearest; /* of diff: a folder; or NULL */
    struct list_options list;
    enum color color;
    bool lines; /* JSON, an object per line */
    bool no_pager, no_progress, force, help;
    const char *const *args;
    size_t count;
    const numel_printout *printout; /* of diff */
    struct texts matches, expects;
    unsigned char *matched;   /* tensors: of each of the matches, whether a component has it */
    struct texts specs, sets; /* knowledge points here */
    numel_set_use set_use;    /* ... and here */
};

/* Bits of the options that a command takes beside the common ones. */
enum option_set {
    TAKES_TREE = 1, /* --depth --by */
    TAKES_SORT = 2,
    TAKES_MATCH = 4,
    TAKES_FORCE = 8,
    TAKES_KNOWLEDGE = 16, /* --config --arch --spec --set */
    TAKES_SPEC = 32,
    TAKES_LEVEL = 64, /* --level */
    TAKES_OTHERS = 128,
    TAKES_HASHING = 1 << 10,  /* --files-only --tensors-only */
    TAKES_WORK = 1 << 11,     /* --jobs --resume[=FILE] */
    TAKES_MANIFEST = 1 << 12, /* --manifest --values --junit --sarif */
    TAKES_JOBS = 1 << 13,
    TAKES_LIST = 1 << 14, /* --columns --sort --csv --files-from -0 --shard --resume --buffer */
    TAKES_EXPECT = 1 << 15,
    TAKES_VALUES = 1 << 16, /* --values, of diff */
    TAKES_PRINT = 1 << 17,  /* --as */
    TAKES_PLAN = 1 << 18,   /* of memory alone */
    TAKES_TIED = 1 << 19    /* --values, of heads that are tied */
};

struct command {
    const char *name, *alias; /* alias: another name, or NULL */
    const char *args, *summary;
    const char *examples; /* lines, "  $ numel ..." */
    const char *about;    /* what the output says; may be "" */
    unsigned takes;
    size_t least, most; /* arguments */
    int (*run)(const struct options *);
};

extern const struct command command_show, command_tensors, command_meta, command_identify, command_behead,
    command_formula, command_reconcile, command_diff, command_verify, command_print, command_hash,
    command_explain, command_memory, command_spec, command_list, command_completions;
extern const struct command *const commands[]; /* ends with NULL */

/* options.c. Reads argv from 1 on; EXIT_AGREE, or EXIT_USAGE after saying why. */
int options_read(struct options *o, const struct command *c, int argc, char **argv);

/* help.c */
const struct command *command_find(const char *name); /* or by its alias; NULL: none */
void help_command(const struct command *c);
void help_all(void);

/* suggest.c. The command that a word is most like, or that other tools call so; NULL when none is near. */
const char *command_near(const char *word);

/* output.c: one at a time. */
struct output {
    const struct options *options;
    void *pager;  /* FILE * */
    bool list;    /* JSON: several reports make an array */
    bool records; /* JSON: a report is several lines already */
    size_t written;
    const char *between; /* what is to be written in front of the next byte; NULL */
    bool failed;
    bool alone; /* one report: it is not written where nothing has what --set names */
};
void output_begin(struct output *out, const struct options *o, bool list);
/* Writes and frees the report. */
void output_report(struct output *out, numel_report *r);
/* The same of JSON, as one line, among the lines of others. */
void output_line(struct output *out, numel_report *r);
/* The status, or EXIT_UNREADABLE when not all could be written. */
int output_end(struct output *out, int status);
/* Instead of all this, where there is nothing to report of: the error is said, and is the document in JSON. */
void output_error(const struct options *o, const char *path, const numel_error *e);
int out_of_memory(const struct options *o);
/* ... and the status that it makes: usage has no document. */
int output_refused(const struct options *o, const char *path, const numel_error *e);
/* At the end of the program: the same of everything on standard output, and says so. */
int output_close(int status);

/* A line to standard error, and one to standard output: escaped as a whole, its end put behind it. No
 * text goes to either output past these and the reports. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void print_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_error(const char *path, const numel_error *e);
/* "numel: FILE:OFFSET: TENSOR: WHAT"; "" and NUMEL_NOWHERE leave out theirs. */
void say_at(const char *file, uint64_t offset, const char *tensor, const char *what);

/* The status that a report's verdict makes. */
int status_of_report(const numel_report *r);

/* each.c: what the commands share that make a report of each subject. */
typedef numel_rc report_fn(numel_report **, numel_subject *, const struct options *, numel_error *);
enum several {                    /* models that are one, in a folder or in a file */
               SEVERAL_EACH,      /* a report of each */
               SEVERAL_AND_WHOLE, /* ... and one of the whole behind them */
               SEVERAL_WHOLE      /* that alone */
};
struct each {
    report_fn *make;
    enum several several;
    bool files_whole;       /* a file is never taken apart */
    bool configs;           /* a folder may hold a configuration alone */
    bool listed;            /* the report lists the findings itself */
    bool lines;             /* JSON is a record a line, whatever it is of: no list around the reports */
    bool asks_names;        /* what is expected are names: one component may have what another lacks */
    numel_outcome *outcome; /* NULL, or what counts all reports; the total of several ends the text */
};
/* A report of each subject that the paths stand for; of none, of what the options say. */
int each(const struct options *, const char *const *paths, size_t count, const struct each *);

/* The path that the name of a model stands for, any other as it is. */
struct located {
    char path[4096];
};
const char *located(const struct options *o, const char *path, struct located *at);
/* config.c: the report of at most one argument: a checkpoint, a config.json, a folder with either, or nothing. */
int checkpoint_or_config(const struct options *o, report_fn *make, enum several several);

/* progress.c: ctx of the first is a struct timespec, of the second a struct progress, both zero */
struct progress {
    struct timespec started;
    double shown; /* seconds after `started` */
};
numel_progress_fn progress_bar, progress_bytes;
/* Is there a terminal to show it on, and may it be shown? Asked once, not of each file. */
bool progress_shown(const struct options *o);
void progress_clear(struct progress *p);

/* work.c: reading data. An interrupt ends the work: what is done is reported; a second one ends the
 * program. */
struct work {
    numel_work reading;
    char resume[1024]; /* the file of --resume */
};
/* False, after saying why, when --resume has no place. */
bool work_begin(struct work *w, const struct options *o);
/* The data is read: interrupts end the program again. */
void work_end(void);
/* All of it was, and what came of it is written: what --resume kept is removed. */
void work_reported(const struct work *w);

/* printout.c: a text that holds a printed model; "-" is standard input, whatever it holds. */
struct text {
    numel_printout printout;
    char *own; /* what was read from standard input */
};
/* False: no such text, nothing to unload; the error says why, where it could not be read. */
NUMEL_MUST bool printout_load(const char *path, struct text *, numel_error *);
void printout_unload(struct text *);
/* The report of diff for a printout beside a model, a configuration, or nothing (NULL). */
int diff_printout(const struct options *, const char *model, const struct text *);

/* ---- options: reading, help and completions come from one table ------------------------------ */

/* An option is a row of option_table[] and the field of struct options that it fills. Two commands may have
 * options of one name that take different values: two rows, with commands of their own in `takes`. */
enum option_kind {
    OPTION_FLAG,   /* bool, set */
    OPTION_FORMAT, /* which of enum format_option is `least`; several go together */
    OPTION_COUNT,  /* unsigned: a whole number from `least` to `most` */
    OPTION_BYTES,  /* uint64_t: the same, "64", "100MB", "1GiB" */
    OPTION_MANY,   /* uint64_t: the same, "8192", "8k" */
    OPTION_WORD,   /* an enum, or unsigned: one of `words`; the first of them is `least` */
    OPTION_TEXT,   /* const char *: the last that was given; "" for one without its "[=VALUE]" */
    OPTION_TEXTS,  /* struct texts: all that were given, in their order */
    OPTION_EXPECT  /* the same, of what numel_expect_check() takes */
};

enum format_option { FORMAT_JSON, FORMAT_NDJSON, FORMAT_QUIET, FORMAT_CSV };

struct option {
    const char *name;
    char letter; /* 0: none */
    const char
        *value;     /* what the help calls it: "N", "FILE"; NULL: takes none; "[=FILE]": only behind '=', may
                          be left out */
    unsigned takes; /* commands that have it, of enum option_set; 0: all */
    enum option_kind kind;
    size_t at, bytes;         /* the field of struct options */
    uint64_t least, most;     /* see the kinds */
    const char *const *words; /* that a value may be; NULL behind the last */
    const char *help;         /* words are listed behind it */
};

extern const struct option option_table[]; /* ends with a row without a name */

bool option_belongs(const struct option *, const struct command *);
/* What takes a file: completions offer those there. */
bool option_is_path(const struct option *);
/* The row of that long name (n bytes) or letter which the command has; NULL: it has none. */
const struct option *option_find(const struct command *, const char *name, size_t n, char letter);

/* What the help says of it, with its words. */
void option_help(const struct option *, char *out, size_t room);

/* Adds bytes behind the *used that out[room] has, and a NUL; false when it had to cut them. */
bool put_bytes(char *out, size_t room, size_t *used, const char *p, size_t n);
/* Words as a list in a sentence: "layer, dtype or file". False: cut to fit. */
bool join_words(char *out, size_t room, const char *const *words, const char *last);

/* suggest.c: what to say behind "no option '--srot'": "; did you mean '--sort'?". Always something: the last
 * resort is the command's help. */
void suggest_option(char *out, size_t room, const struct command *, const char *word);
/* The nearest of the words, NULL when none is near. */
const char *suggest_word(const char *word, const char *const *words);

#endif

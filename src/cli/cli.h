/*
 * cli.h -- the command-line program: tables of commands and options, and where output goes.
 *
 * Each command is a struct in its own file, listed in main.c. It uses only numel.h and this file. Data
 * goes to standard output, everything else to standard error.
 */
#ifndef NUMEL_CLI_H
#define NUMEL_CLI_H

#include <numel.h>

#include <time.h>

enum exit_status {
    EXIT_AGREE = 0, /* done and consistent */
    EXIT_FOUND = 1, /* done; it disagrees, or something was found */
    EXIT_USAGE = 2,
    EXIT_UNREADABLE = 3, /* an input cannot be read or has no known format */
    EXIT_PART = 4,       /* nothing wrong was found, but not everything could be checked */
    EXIT_SOME = 5,       /* some of many inputs failed */
    EXIT_STOPPED = 130   /* by an interrupt */
};

enum { MIB = 1 << 20 }; /* smallest memory that a model could be loaded into */

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* Values of an option that may be given several times. */
enum { TEXTS_MOST = 64 };
struct texts {
    const char *at[TEXTS_MOST];
    size_t count;
};

/* Only for `numel list`. */
struct list_options {
    const char *columns, *sort, *from, *shard, *resume;
    uint64_t memory; /* of --sort; 0: the library's default */
    bool zero;       /* NUL ends a path, in --files-from and with -q */
    bool deep;       /* search for specifications */
};

/* The fields that options (option_table.c) set, and the arguments. */
struct options {
    numel_style style;
    numel_view view;
    numel_options library;
    numel_knowledge knowledge;
    numel_level level;
    numel_hashing hashing;
    numel_plan plan;
    numel_work work;
    const char *resume;        /* NULL: not given; "": at the default place */
    const numel_work *reading; /* work, with progress and interrupts */
    const char *manifest;
    const char *junit, *sarif; /* files for CI; "-": standard output */
    bool values;
    const char *nearest; /* diff: a folder; or NULL */
    struct list_options list;
    enum color color;
    bool lines; /* JSON, an object per line */
    bool no_pager, no_progress, force, help;
    const char *const *args;
    size_t count;
    const numel_printout *printout; /* diff */
    struct texts matches, expects;
    unsigned char *matched;   /* tensors: for each match, whether a component has it */
    struct texts specs, sets; /* knowledge points here */
    numel_set_use set_use;    /* ... and here */
};

/* Bits of the options that a command takes besides the common ones. */
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
    TAKES_VALUES = 1 << 16, /* diff: --values */
    TAKES_PRINT = 1 << 17,  /* --as */
    TAKES_PLAN = 1 << 18,   /* only memory */
    TAKES_TIED = 1 << 19    /* --values, for tied heads */
};

struct command {
    const char *name, *alias; /* alias: another name, or NULL */
    const char *args, *summary;
    const char *examples; /* lines, "  $ numel ..." */
    const char *about;    /* explains the output; may be "" */
    unsigned takes;
    size_t least, most; /* arguments */
    int (*run)(const struct options *);
};

extern const struct command command_show, command_tensors, command_meta, command_identify, command_behead,
    command_formula, command_reconcile, command_diff, command_verify, command_print, command_hash,
    command_explain, command_memory, command_spec, command_list, command_completions;
extern const struct command *const commands[]; /* ends with NULL */

/* options.c. Reads argv from 1 on; EXIT_AGREE, or EXIT_USAGE after a message. */
int options_read(struct options *o, const struct command *c, int argc, char **argv);

/* help.c */
const struct command *command_find(const char *name); /* or by its alias; NULL: none */
void help_command(const struct command *c);
void help_all(void);

/* suggest.c. The command most like a word, or called that by other tools; NULL if none is near. */
const char *command_near(const char *word);

/* output.c: use one at a time. */
struct output {
    const struct options *options;
    void *pager;  /* FILE * */
    bool list;    /* JSON: several reports make an array */
    bool records; /* JSON: a report is several lines already */
    size_t written;
    const char *between; /* written before the next byte; NULL: nothing */
    bool failed;
    bool alone; /* one report: not written if no model has a name of --set */
};
void output_begin(struct output *out, const struct options *o, bool list);
/* Writes and frees the report. */
void output_report(struct output *out, numel_report *r);
/* The same for JSON, as one line among others. */
void output_line(struct output *out, numel_report *r);
/* The status; EXIT_USAGE if --set was in vain; EXIT_UNREADABLE if the output was not written completely. */
int output_end(struct output *out, int status);
/* Called when there is nothing to report: prints the error; in JSON it is the document. */
void output_error(const struct options *o, const char *path, const numel_error *e);
int out_of_memory(const struct options *o);
/* The same, and returns its status; a usage error has no document. */
int output_refused(const struct options *o, const char *path, const numel_error *e);
/* At the end of the program: the status, or EXIT_UNREADABLE with a message if standard output was not written. */
int output_close(int status);

/* Print a line to standard error or standard output: the whole line is escaped and gets a newline. All
 * text goes through these or a report. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void print_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_error(const char *path, const numel_error *e);
/* "numel: FILE:OFFSET: TENSOR: WHAT"; omits "" and NUMEL_NOWHERE. */
void say_at(const char *file, uint64_t offset, const char *tensor, const char *what);

/* The exit status for a report's verdict. */
int status_of_report(const numel_report *r);

/* each.c: shared by the commands that report on each subject. */
typedef numel_rc report_fn(numel_report **, numel_subject *, const struct options *, numel_error *);
enum several {                    /* which parts of a multi-part model to report */
               SEVERAL_EACH,      /* each part */
               SEVERAL_AND_WHOLE, /* each part, then the whole */
               SEVERAL_WHOLE      /* only the whole */
};
struct each {
    report_fn *make;
    enum several several;
    bool files_whole;       /* never splits a file into models */
    bool configs;           /* a folder may hold only a configuration */
    bool listed;            /* the report lists the findings itself */
    bool lines;             /* JSON is one record per line: no list around the reports */
    bool asks_names;        /* expects names: one component may have those that another lacks */
    numel_outcome *outcome; /* NULL, or counts all reports; text ends with a total if there are several */
};
/* Reports on each subject of the paths; without paths, on the options' configuration. Returns the exit status. */
int each(const struct options *, const char *const *paths, size_t count, const struct each *);

/* The path for the name of a model; any other path is unchanged. */
struct located {
    char path[4096];
};
const char *located(const struct options *o, const char *path, struct located *at);
/* config.c: reports on at most one argument: a checkpoint, a config.json, a folder with either, or nothing. */
int checkpoint_or_config(const struct options *o, report_fn *make, enum several several);

/* progress.c: ctx of the first is a struct timespec, of the second a struct progress, both zero */
struct progress {
    struct timespec started;
    double shown; /* seconds after `started` */
};
numel_progress_fn progress_bar, progress_bytes;
/* Is there a terminal for it, and is it allowed? Asked once, not for each file. */
bool progress_shown(const struct options *o);
void progress_clear(struct progress *p);

/* work.c: reading data. An interrupt ends the work, and the finished part is reported; a second one ends
 * the program. */
struct work {
    numel_work reading;
    char resume[1024]; /* the file of --resume */
};
/* False, after a message, if --resume has no place. */
bool work_begin(struct work *w, const struct options *o);
/* The data is read: interrupts end the program again. */
void work_end(void);
/* The complete report is written: removes the file of --resume. */
void work_reported(const struct work *w);

/* printout.c: a text with a printed model; "-" is standard input, with any contents. */
struct text {
    numel_printout printout;
    char *own; /* the text of standard input */
};
/* False: no such text, nothing to unload; the error has the reason if it could not be read. */
NUMEL_MUST bool printout_load(const char *path, struct text *, numel_error *);
void printout_unload(struct text *);
/* diff's report on a printout and a model, a configuration, or nothing (NULL). */
int diff_printout(const struct options *, const char *model, const struct text *);

/* ---- options: reading, help and completions come from one table ------------------------------ */

/* An option is a row of option_table[] and the field of struct options that it sets. Two commands may have options
 * of the same name with different values: two rows, with different commands in `takes`. */
enum option_kind {
    OPTION_FLAG,   /* bool, set */
    OPTION_FORMAT, /* `least` is an enum format_option; several combine */
    OPTION_COUNT,  /* unsigned: a whole number from `least` to `most` */
    OPTION_BYTES,  /* uint64_t: the same, "64", "100MB", "1GiB" */
    OPTION_MANY,   /* uint64_t: the same, "8192", "8k" */
    OPTION_WORD,   /* an enum, or unsigned: one of `words`; the first is `least` */
    OPTION_TEXT,   /* const char *: the last one given; "" without the optional "[=VALUE]" */
    OPTION_TEXTS,  /* struct texts: all given, in order */
    OPTION_EXPECT  /* the same, checked by numel_expect_check() */
};

enum format_option { FORMAT_JSON, FORMAT_NDJSON, FORMAT_QUIET, FORMAT_CSV };

struct option {
    const char *name;
    char letter; /* 0: none */
    const char
        *value;     /* its name in the help: "N", "FILE"; NULL: it takes none; "[=FILE]": only after '=', may
                          be omitted */
    unsigned takes; /* commands that have it, of enum option_set; 0: all */
    enum option_kind kind;
    size_t at, bytes;         /* the field of struct options */
    uint64_t least, most;     /* see the kinds */
    const char *const *words; /* allowed values; NULL after the last */
    const char *help;         /* the words are listed after it */
};

extern const struct option option_table[]; /* ends with a row without a name */

bool option_belongs(const struct option *, const struct command *);
/* Whether it takes a file: completions then offer files. */
bool option_is_path(const struct option *);
/* The command's row with that long name (n bytes) or letter; NULL: it has none. */
const struct option *option_find(const struct command *, const char *name, size_t n, char letter);

/* Its text in the help, with its words. */
void option_help(const struct option *, char *out, size_t room);

/* Appends bytes to the *used bytes in out[room], and a NUL; false if it had to cut them. */
bool put_bytes(char *out, size_t room, size_t *used, const char *p, size_t n);
/* Joins words as a list in a sentence: "layer, dtype or file". False: cut to fit. */
bool join_words(char *out, size_t room, const char *const *words, const char *last);

/* suggest.c: the text after "no option '--srot'": "; did you mean '--sort'?". Never empty: the last resort is
 * the command's help. */
void suggest_option(char *out, size_t room, const struct command *, const char *word);
/* The nearest of the words; NULL if none is near. */
const char *suggest_word(const char *word, const char *const *words);

#endif

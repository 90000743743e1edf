/*
 * cli.h -- the command-line program: tables of commands and options, and where output goes.
 *
 * Each command is a struct in a file of its own, listed in main.c, and uses only numel.h, this file and the protocol of numel-fetch. Data
 * goes to standard output, everything else to standard error.
 */
#ifndef NUMEL_CLI_H
#define NUMEL_CLI_H

#include <numel.h>

#include "fetch/protocol.h"

#include <time.h>

enum exit_status {
    EXIT_AGREE = 0, /* done, and everything agrees */
    EXIT_FOUND = 1, /* done; something disagrees or was found */
    EXIT_USAGE = 2,
    EXIT_UNREADABLE = 3, /* an input cannot be read, or its format is unknown */
    EXIT_PART = 4,       /* nothing wrong was found, but not everything could be checked */
    EXIT_SOME = 5,       /* some of several inputs failed */
    EXIT_STOPPED = 130   /* interrupted */
};

enum { MIB = 1 << 20 }; /* smallest memory worth considering for a model */

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* The values of an option that may be repeated. */
enum { TEXTS_MOST = 64 };
struct texts {
    const char *at[TEXTS_MOST];
    size_t count;
};

/* Only for `numel list`. */
struct list_options {
    const char *columns, *sort, *from, *shard, *resume, *cache, *since;
    uint64_t memory;                  /* for --sort; 0: the library's default */
    bool zero;                        /* paths end with NUL, in --files-from and with -q */
    bool deep;                        /* search for specifications */
    uint64_t top;                     /* 0: all rows */
    unsigned totals;                  /* of folders down to that depth; 0: no */
    bool reverse;                     /* of --sort */
    bool leftovers, duplicates, hash; /* list_space.c: instead of checkpoints */
};

struct command;
/* The fields that options set (option_table.c), and the arguments. */
struct options {
    numel_style style;
    numel_view view;
    numel_options library;
    numel_knowledge knowledge;
    numel_level level;
    numel_hashing hashing;
    numel_plan plan;
    numel_work work;
    const char *resume;        /* NULL: not given; "": the default place */
    const numel_work *reading; /* `work`, with progress and interrupts */
    const char *manifest, *against;
    const char *junit, *sarif; /* files for CI; "-": standard output */
    const char *html;          /* the file of --html, likewise; NULL: none */
    numel_page *page;          /* its page, while the command runs; NULL: none */
    const struct command *command;
    unsigned formats; /* those named, bits by enum format_option */
    bool values;
    const char *nearest; /* diff: a folder; or NULL */
    struct list_options list;
    enum color color;
    bool lines; /* JSON, one object per line */
    bool no_pager, no_progress, force, help;
    bool offline, no_cache; /* for numel-fetch */
    const char *const *args;
    size_t count;
    const numel_printout *printout; /* diff */
    struct texts matches, expects;
    unsigned char *matched;   /* tensors: for each pattern of --match, if some component has a match */
    struct texts specs, sets; /* `knowledge` points here */
    numel_set_use set_use;    /* ... and here */
};

/* The options that a command accepts, besides the common ones. */
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
    TAKES_WORK = 1 << 11,     /* --resume[=FILE] */
    TAKES_MANIFEST = 1 << 12, /* --manifest --values --junit --sarif */
    TAKES_LIST = 1 << 14,     /* --columns --sort --csv --files-from -0 --shard --resume --buffer */
    TAKES_EXPECT = 1 << 15,
    TAKES_VALUES = 1 << 16, /* diff: --values */
    TAKES_PRINT = 1 << 17,  /* --as */
    TAKES_PLAN = 1 << 18,   /* memory only */
    TAKES_TIED = 1 << 19,   /* --values, for tied heads */
    TAKES_HTML = 1 << 20,
    TAKES_MARKDOWN = 1 << 21,
    TAKES_NO_FORMAT = 1 << 22 /* no --json, --ndjson, --quiet */
};

struct command {
    const char *name, *alias; /* alias: another name or NULL */
    const char *args, *summary;
    const char *examples; /* lines, "  $ numel ..." */
    const char *about;    /* explains the output; may be "" */
    unsigned takes;
    size_t least, most; /* number of arguments */
    int (*run)(const struct options *);
};

extern const struct command command_show, command_tensors, command_meta, command_identify, command_behead,
    command_formula, command_reconcile, command_diff, command_verify, command_print, command_hash,
    command_explain, command_memory, command_spec, command_list, command_completions, command_browse;
extern const struct command *const commands[]; /* ends with NULL */

/* options.c. Reads argv from 1 on. Returns EXIT_AGREE, or EXIT_USAGE after a message. */
int options_read(struct options *o, const struct command *c, int argc, char **argv);

/* help.c */
const struct command *command_find(const char *name); /* also by alias; NULL: not found */
void help_command(const struct command *c);
void help_all(void);

/* suggest.c. The command most similar to a word, or known by it in other tools; NULL if none is similar. */
const char *command_near(const char *word);

/* output.c: use one at a time. */
struct output {
    const struct options *options;
    void *pager;  /* FILE * */
    bool list;    /* JSON: an array of several reports */
    bool records; /* JSON: one report is already several lines */
    size_t written;
    const char *between; /* written before the next byte, or NULL */
    bool failed;
    bool alone; /* one report, which is dropped if no model has a name given with --set */
};
/* Are colours wanted on standard output? */
bool use_color(enum color when);
void output_begin(struct output *out, const struct options *o, bool list);
/* Writes the report and frees it. */
void output_report(struct output *out, numel_report *r);
/* Writes JSON as one line among others, and frees the report. */
void output_line(struct output *out, numel_report *r);
/* Returns the status; EXIT_USAGE if --set matched nothing; EXIT_UNREADABLE if the output could not be
 * written. */
int output_end(struct output *out, int status);
/* Called when there is nothing to report: prints the error. In JSON, the error is the document. */
void output_error(const struct options *o, const char *path, const numel_error *e);
int out_of_memory(const struct options *o);
/* Prints the error and returns its status. A usage error has no JSON document. */
int output_refused(const struct options *o, const char *path, const numel_error *e);
/* Call at the end of the program. Returns the status, or EXIT_UNREADABLE after a message if standard
 * output could not be written. */
int output_close(int status);

/* Print a line to standard error or standard output, escaped and with a newline. All text goes through
 * these or a report. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void print_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_error(const char *path, const numel_error *e);
/* "numel: FILE:OFFSET: TENSOR: WHAT"; omits "" and NUMEL_NOWHERE. */
void say_at(const char *file, uint64_t offset, const char *tensor, const char *what);

/* page.c: --html. The page is opened before any input is read, and written when the command has ended. */
/* False, after a message, if no page may be written there; *status is then the exit status. */
bool page_begin(struct options *o, int *status);
/* Adds a report. False, after a message: it could not be added. */
bool page_add(const struct options *o, const numel_report *r, bool more);
/* Adds the other reports about a subject, below the report of this command. */
void page_add_rest(const struct options *o, numel_subject *s);
/* Adds the tensors of a subject. */
void page_add_tensors(const struct options *o, numel_subject *s);
/* Writes the page, if there is a report on it; the exit status. */
int page_end(struct options *o, int status);

/* The exit status for a report's verdict. */
int status_of_report(const numel_report *r);

/* each.c: for commands that report on each subject. */
typedef numel_rc report_fn(numel_report **, numel_subject *, const struct options *, numel_error *);
report_fn report_show, report_statement, report_memory; /* of show, reconcile and memory; also for pages */

enum several {                    /* which parts of a multi-part model to report */
               SEVERAL_EACH,      /* each part */
               SEVERAL_AND_WHOLE, /* each part, then the whole */
               SEVERAL_WHOLE      /* only the whole */
};
struct each {
    report_fn *make;
    enum several several;
    bool files_whole;       /* never splits a file into models */
    bool configs;           /* a folder may contain only a configuration */
    bool listed;            /* the report itself lists the findings */
    bool lines;             /* JSON has one record per line, without a list around the reports */
    bool asks_names;        /* some names must exist; those missing in one component may be in another */
    numel_outcome *outcome; /* NULL, or the total of all reports; with several, text output ends with it */
};
/* Reports on each subject of the paths, or without paths, on the options' configuration. Returns the exit
 * status. */
int each(const struct options *, const char *const *paths, size_t count, const struct each *);

/* The path for the name of a model; other paths are unchanged. */
struct located {
    char path[4096];
};
const char *located(const struct options *o, const char *path, struct located *at);
/* config.c: reports on at most one argument: a checkpoint, a config.json, a folder with either; or on
 * none. */
int checkpoint_or_config(const struct options *o, report_fn *make, enum several several);

/* progress.c. ctx is a struct timespec for the first, a struct progress for the others, zeroed. */
struct progress {
    struct timespec started;
    double shown; /* seconds after `started` */
};
numel_progress_fn progress_bar, progress_bytes, progress_count;
/* True if progress may be shown and there is a terminal. Check once, not for each file. */
bool progress_shown(const struct options *o);
void progress_clear(struct progress *p);

/* fetch_answer.c: what numel-fetch writes. */
struct fetch_answer {
    uint32_t id;
    bool ok, kept;             /* kept: from the cache */
    enum fetch_kind kind;      /* of an error */
    uint64_t size;             /* of the file; NUMEL_NOT_KNOWN */
    char etag[FETCH_ETAG + 1]; /* "": none */
    uint64_t came;             /* bytes over the network */
    uint64_t length;           /* of what follows the line */
};

/* Reads the line of an answer, n bytes without its newline. False: it is not one. */
NUMEL_MUST bool fetch_answer_read(struct fetch_answer *out, const char *line, size_t n);

/* A line of the answer to `list`; the path is decoded, in place. */
struct fetch_listed {
    const char *commit;               /* of the revision, or NULL; then there is no file */
    const char *path, *sha256, *etag; /* the last two NULL: none */
    uint64_t bytes;
};
/* Reads one line, n bytes that a NUL follows, which are changed. False: it is not one. */
NUMEL_MUST bool fetch_listed_read(struct fetch_listed *out, char *line, size_t n);

/* watch.c: a process that removes the private folder if this program is killed. Without one, the next run does. */
struct watch {
    int pid, pipe; /* pid 0 or less: none */
};
void watch_begin(struct watch *w, const struct options *o);
void watch_end(struct watch *w);

/* fetch.c: what lies elsewhere, by numel-fetch. */
struct fetch {
    const struct options *options;
    int pid, in, out;                 /* of the program; pid 0: not started */
    uint32_t next;                    /* id */
    uint64_t fetched, requests, kept; /* bytes over the network, for as many requests; bytes from the cache */
    struct timespec started;
    bool shown; /* progress */
    struct watch watch;
};
/* Lends the library the network. Nothing is started before a path asks for it. Both must outlive the library's
 * objects. */
void fetch_lend(struct fetch *f, struct options *o);
/* Ends the program, and says how many bytes came. */
void fetch_end(struct fetch *f);

/* work.c: reading data. A first interrupt ends the work, and the report covers the finished part; a second
 * one ends the program. */
struct work {
    numel_work reading;
    char resume[1024]; /* the path for --resume */
};
/* False after a message, if there is no place for --resume. */
bool work_begin(struct work *w, const struct options *o);
/* Call when the data has been read: interrupts end the program again. */
void work_end(void);
/* Call when the complete report has been written: removes the file of --resume. */
void work_reported(const struct work *w);

/* printout.c: a text with a printed model; "-" is standard input, whatever it contains. */
struct text {
    numel_printout printout;
    char *own; /* the text from standard input */
};
/* False if it is not such a text, and nothing need be unloaded; *e is set if it could not be read. */
NUMEL_MUST bool printout_load(const char *path, struct text *, numel_error *);
void printout_unload(struct text *);
/* Writes diff's report on a printout and a model, a configuration, or nothing (NULL). */
int diff_printout(const struct options *, const char *model, const struct text *);

/* fit.c: the memory that --fit names, "rtx4090" or "auto"; false after a message. */
bool fit_by_name(const struct command *, const char *value, uint64_t *bytes);

/* since.c: the seconds since 1970 of "2026-01-31" (UTC, its begin), or of "7d" ago; false if it is neither. */
bool since_read(const char *text, uint64_t *seconds);

/* list_space.c: `numel list --leftovers`. Returns the exit status. */
int list_space(const struct options *);

/* ---- options: reading, help and completions come from one table ------------------------------ */

/* An option is a row of option_table[] and the field of struct options that it sets. Two commands may have
 * options of the same name with different values: as two rows, with different commands in `takes`. */
enum option_kind {
    OPTION_FLAG,   /* bool, set */
    OPTION_FORMAT, /* `least` is an enum format_option; several combine */
    OPTION_COUNT,  /* unsigned: an integer from `least` to `most` */
    OPTION_BYTES,  /* uint64_t, in bytes: "64", "100MB", "1GiB" */
    OPTION_FIT,    /* the same, or the name of a card, or "auto" (fit.c) */
    OPTION_MANY,   /* uint64_t, a count: "8192", "8k" */
    OPTION_WORD,   /* an enum, or unsigned: one of `words`, starting at `least` */
    OPTION_TEXT,   /* const char *: the last one given; "" if the optional "[=VALUE]" is omitted */
    OPTION_TEXTS,  /* struct texts: all given, in order */
    OPTION_EXPECT  /* struct texts, checked by numel_expect_check() */
};

enum format_option { FORMAT_JSON, FORMAT_NDJSON, FORMAT_QUIET, FORMAT_CSV, FORMAT_MARKDOWN, FORMATS };

struct option {
    const char *name;
    char letter;       /* 0 if there is none */
    const char *value; /* in the help: "N", "FILE"; NULL: no value; "[=FILE]": optional, only after '=' */
    unsigned takes;    /* bits of the commands that have it (enum option_set); 0: all */
    enum option_kind kind;
    size_t at, bytes;         /* the field of struct options */
    uint64_t least, most;     /* see the kinds */
    const char *const *words; /* allowed values; NULL after the last */
    const char *help;         /* without the words, which follow it */
};

extern const struct option option_table[]; /* ends with a row without a name */

bool option_belongs(const struct option *, const struct command *);
/* True if the value is a file, which completions should offer. */
bool option_is_path(const struct option *);
/* The command's row with that long name (n bytes) or letter; NULL if there is none. */
const struct option *option_find(const struct command *, const char *name, size_t n, char letter);

/* Writes the option's text for the help, including its words. */
void option_help(const struct option *, char *out, size_t room);

/* Appends bytes after the *used bytes in out[room], and a NUL; false if they were cut. */
bool put_bytes(char *out, size_t room, size_t *used, const char *p, size_t n);
/* Joins words as a list for a sentence: "layer, dtype or file". False if it was cut. */
bool join_words(char *out, size_t room, const char *const *words, const char *last);

/* suggest.c: the text after "no option '--srot'", as "; did you mean '--sort'?". Never empty: the last
 * resort is to point to the command's help. */
void suggest_option(char *out, size_t room, const struct command *, const char *word);
/* The most similar word; NULL if none is similar. */
const char *suggest_word(const char *word, const char *const *words);

#endif

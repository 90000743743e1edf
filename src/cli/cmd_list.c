/*
 * cmd_list.c -- numel list PATH...: many checkpoints, one line each.
 *
 * JSON and CSV rows are written as soon as they are known, each line with a single write, so that a pipe's
 * reader gets them at once and several programs may append to one file. A table needs all rows first, and so
 * does --sort.
 */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct listing {
    const struct options *options;
    struct output out;
    numel_columns columns;
    numel_list *list;
    struct progress progress;
    bool table; /* all rows are reported together at the end */
    numel_error error;
    bool failed; /* `error` has the reason */
    numel_error cache;
};

/* ---- rows --------------------------------------------------------------------------------- */

/* Writes the path unescaped, for programs. */
static bool write_path(struct listing *l, const numel_row *row)
{
    size_t n = strlen(row->path) + 1;
    return fwrite(row->path, 1, n, stdout) == n || (l->out.failed = true, false);
}

static bool write_row(void *ctx, const numel_row *row)
{
    struct listing *l = ctx;
    const struct options *o = l->options;
    numel_report *r;
    bool paths = o->style.format == NUMEL_QUIET;
    if (row->error && o->style.format != NUMEL_JSON) return true;
    if (paths && o->list.zero) return write_path(l, row) && fflush(stdout) == 0;
    if (numel_report_row(&r, row, &l->columns, NULL, &l->error) != NUMEL_OK) {
        l->failed = true;
        return false;
    }
    l->columns.headless = true;
    output_report(&l->out, r);
    if (fflush(stdout) != 0) l->out.failed = true;
    return !l->out.failed;
}

static bool take_row(void *ctx, const numel_row *row)
{
    struct listing *l = ctx;
    if (row->error) {
        progress_clear(&l->progress);
        say_error(row->path, row->error);
    }
    return l->table || write_row(l, row);
}

/* ---- the command -------------------------------------------------------------------------- */

static int usage(const char *what, const char *value)
{
    say("numel list: %s '%s'", what, value);
    return EXIT_USAGE;
}

/* Reads "3/8". */
static bool read_shard(const char *text, numel_listing *how)
{
    char *slash, *end;
    if (!text) return true;
    unsigned long i = strtoul(text, &slash, 10);
    unsigned long n = *slash == '/' ? strtoul(slash + 1, &end, 10) : 0;
    bool digits =
        text[0] >= '0' && text[0] <= '9' && *slash == '/' && slash[1] >= '0' && slash[1] <= '9' && !*end;
    if (!digits || i < 1 || i > n || n > UINT32_MAX) return false;
    how->shard = (uint32_t)i;
    how->shards = (uint32_t)n;
    return true;
}

NUMEL_MUST static numel_rc list_all(numel_list *list, const struct options *o, numel_totals *totals,
                                    numel_error *e)
{
    numel_rc rc = NUMEL_OK;
    static const char *const here[] = { "." };
    bool none = !o->count && !o->list.from && !o->list.resume;
    const char *const *paths = none ? here : o->args;
    for (size_t i = 0; i < (none ? 1 : o->count) && rc == NUMEL_OK; i++)
        rc = numel_list_path(list, paths[i], e);
    if (rc == NUMEL_OK && o->list.from) rc = numel_list_from(list, o->list.from, o->list.zero, e);
    return rc == NUMEL_OK ? numel_list_end(list, totals, e) : rc;
}

static int status_of(const numel_totals *t)
{
    if (t->failed) return t->checkpoints ? EXIT_SOME : EXIT_UNREADABLE;
    return t->found ? EXIT_FOUND : EXIT_AGREE;
}

static void write_table(struct listing *l, const numel_totals *totals)
{
    numel_report *r;
    l->failed = numel_report_rows(&r, l->list, totals, &l->columns, NULL, &l->error) != NUMEL_OK;
    if (!l->failed) output_report(&l->out, r);
}

static int finish(struct listing *l, numel_rc rc, const numel_totals *totals)
{
    if (l->failed || (rc != NUMEL_OK && rc != NUMEL_E_STOPPED)) {
        say_error(NULL, &l->error);
        (void)output_end(&l->out, EXIT_UNREADABLE);
        return l->error.code == NUMEL_E_USAGE ? EXIT_USAGE : EXIT_UNREADABLE;
    }
    if (rc == NUMEL_OK && l->table) write_table(l, totals);
    if (l->failed) say_error(NULL, &l->error);
    return output_end(&l->out, l->failed || rc != NUMEL_OK ? EXIT_UNREADABLE : status_of(totals));
}

/* Checks the names of columns before anything is listed. */
static bool open_list(struct listing *l, const numel_listing *how)
{
    const numel_row none = { .size = sizeof none, .path = "", .name = "" };
    numel_report *r = NULL;
    numel_options library = l->options->library;
    bool streamed = !l->table && isatty(STDOUT_FILENO); /* then the rows show the progress */
    if (progress_shown(l->options) && !streamed) library.progress = progress_count;
    library.progress_ctx = &l->progress;
    if (numel_list_open(&l->list, how, &library, &l->error) != NUMEL_OK) return false;
    numel_rc rc = l->table ? numel_report_rows(&r, l->list, NULL, &l->columns, NULL, &l->error)
                           : numel_report_row(&r, &none, &l->columns, NULL, &l->error);
    numel_report_free(r);
    return rc == NUMEL_OK;
}

/* --totals: a report of folders instead of rows. */
static int run_folders(struct listing *l, const numel_listing *how)
{
    const struct options *o = l->options;
    static const char *const here[] = { "." };
    numel_totals totals = NUMEL_INIT(numel_totals);
    numel_options library = o->library;
    numel_report *r;
    library.progress = progress_shown(o) ? progress_count : NULL;
    library.progress_ctx = &l->progress;
    numel_rc rc = numel_report_folders(&r, o->count ? o->args : here, o->count ? o->count : 1, o->list.totals,
                                       how, &totals, &library, &l->error);
    progress_clear(&l->progress);
    if (l->cache.code != NUMEL_OK) say_error(NULL, &l->cache);
    if (rc != NUMEL_OK) return output_refused(o, NULL, &l->error);
    output_begin(&l->out, o, false);
    output_report(&l->out, r);
    return output_end(&l->out, status_of(&totals));
}

/* An option that does not go with --totals; NULL if there is none. */
static const char *misplaced(const struct list_options *l)
{
    return l->columns  ? "--columns"
           : l->sort   ? "--sort"
           : l->top    ? "--top"
           : l->from   ? "--files-from"
           : l->resume ? "--resume"
           : l->zero   ? "--null"
                       : NULL;
}

static int run_list(struct listing *l, const numel_listing *how)
{
    numel_totals totals = NUMEL_INIT(numel_totals);
    numel_error e;
    if (!open_list(l, how)) {
        say_error(NULL, &l->error);
        return l->error.code == NUMEL_E_USAGE ? EXIT_USAGE : EXIT_UNREADABLE;
    }
    output_begin(&l->out, l->options, false);
    numel_rc rc = list_all(l->list, l->options, &totals, &e);
    progress_clear(&l->progress);
    if (l->cache.code != NUMEL_OK) say_error(NULL, &l->cache);
    if (rc != NUMEL_OK && !l->failed) l->error = e;
    return finish(l, rc, &totals);
}

/* Tables and sorted CSV need all rows first. */
static void choose(const struct options *o, struct listing *l, numel_listing *how)
{
    const char *folder = getenv("TMPDIR");
    numel_style_format format = o->style.format;
    l->table = format == NUMEL_TEXT || format == NUMEL_MARKDOWN || format == NUMEL_HTML ||
               (format == NUMEL_CSV && (o->list.sort || o->list.top));
    l->columns.columns = o->list.columns;
    if (!l->columns.columns && o->knowledge.fit && format != NUMEL_JSON)
        l->columns.columns = "name,architecture,parameters,quantization,bits,bytes,files,fits,verdict";
    how->row = take_row;
    how->row_ctx = l;
    how->threads = o->work.threads;
    how->resume = o->list.resume;
    how->cache = o->list.cache;
    how->cache_error = &l->cache;
    how->full_names = o->count > 1 || o->list.from;
    how->appends = format == NUMEL_JSON;
    how->kept = l->table;
    how->sort = o->list.sort;
    how->reverse = o->list.reverse;
    how->top = o->list.top;
    how->memory = o->list.memory;
    how->deep = o->list.deep;
    how->folder = folder && folder[0] ? folder : NULL;
}

static int run(const struct options *o)
{
    static char lines[1 << 16]; /* for one write per line */
    struct listing l = { .options = o, .columns = NUMEL_INIT(numel_columns) };
    numel_listing how = NUMEL_INIT(numel_listing);
    numel_knowledge known = NUMEL_INIT(numel_knowledge);
    known.fit = o->knowledge.fit;
    known.values = o->knowledge.values;
    how.knowledge = &known;
    if (o->list.leftovers || o->list.duplicates || o->list.hash) return list_space(o);
    choose(o, &l, &how);
    if (o->list.since && !since_read(o->list.since, &how.since))
        return usage("--since takes a date like 2026-01-31, or 12h, 7d or 2w, not", o->list.since);
    if (!read_shard(o->list.shard, &how))
        return usage("--shard takes I/N, part I of N, like 3/8, not", o->list.shard);
    if (o->list.totals) {
        const char *other = misplaced(&o->list);
        l.table = true;
        if (other) return say("numel list: %s cannot be combined with --totals", other), EXIT_USAGE;
        return run_folders(&l, &how);
    }
    if (!l.table) (void)setvbuf(stdout, lines, _IOFBF, sizeof lines);
    int status = run_list(&l, &how);
    numel_list_free(l.list);
    return status;
}

const struct command command_list = {
    .name = "list",
    .args = "[PATH...]",
    .summary = "every checkpoint in folders of any depth, one per line",
    .examples = "  $ numel list models/                  what is here, and how large it is\n"
                "  $ numel list --sort bytes models/     the largest first\n"
                "  $ numel list --json models/ > all.ndjson   one per line, as they are found\n"
                "  $ numel list --leftovers ~/.cache     what takes space but is not a model\n"
                "  $ find /data -name '*.gguf' | numel list --files-from -\n"
                "  $ numel list --json --shard 3/8 /data  on the third of eight machines\n",
    .about = "\n"
             "Reads headers only. A set of shards is one line; a folder with several checkpoints has\n"
             "several. Links to something already listed are not counted again. The verdict says whether\n"
             "a checkpoint holds what its configuration describes: agrees, in part, disagrees, unknown,\n"
             "incomplete or damaged. Exit status 1: some are incomplete or damaged; 5: some could not\n"
             "be read; 3: none could be read.\n",
    .takes = TAKES_LIST | TAKES_TIED | TAKES_HTML | TAKES_MARKDOWN,
    .least = 0,
    .most = SIZE_MAX,
    .run = run,
};

/* cmd_verify.c -- numel verify PATH...: checks if a download is complete, and if it is what it claims to
 * be. */
#include "cli.h"

#include <string.h>

NUMEL_MUST static numel_rc make(numel_report **r, numel_subject *s, const struct options *o, numel_error *e)
{
    numel_check check = { .size = sizeof check,
                          .level = o->level,
                          .all = o->view.all,
                          .manifest = o->manifest,
                          .values = o->values,
                          .expects = o->expects.at,
                          .expect_count = o->expects.count,
                          .against = o->against,
                          .work = o->reading };
    return numel_report_verify(r, s, &check, e);
}

/* ---- files for CI ------------------------------------------------------------------------- */

static bool is_output(const char *path) { return path && strcmp(path, "-") == 0; }

/* Standard output can only take one document. */
static bool is_clear(const struct options *o)
{
    const struct {
        const char *option;
        bool writes;
    } all[] = { { "--junit -", is_output(o->junit) },
                { "--sarif -", is_output(o->sarif) },
                { "--json", o->style.format == NUMEL_JSON },
                { "--html -", is_output(o->html) } };
    const char *first = NULL, *second = NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].writes) *(first ? &second : &first) = all[i].option;
    if (!second) return true;
    say("numel verify: %s and %s both write to standard output", first, second);
    return false;
}

/* Writes the results to a file in that format. A failure is reported and changes the status. */
static int save(const numel_report *r, const char *path, numel_style_format format, int status)
{
    numel_style style = { .size = sizeof style, .format = format };
    numel_error e;
    if (!path || is_output(path) || numel_report_save(r, &style, path, &e) == NUMEL_OK) return status;
    say_error(path, &e);
    return EXIT_UNREADABLE;
}

static int print_results(const struct options *o, numel_report *r, int status)
{
    struct options own = *o;
    struct output out;
    own.style.format = is_output(o->junit) ? NUMEL_JUNIT : NUMEL_SARIF;
    output_begin(&out, &own, false);
    output_report(&out, r);
    return output_end(&out, status);
}

static int write_results(const struct options *o, const numel_outcome *outcome, int status)
{
    numel_report *r;
    numel_error e;
    if (!o->junit && !o->sarif) return status;
    if (numel_report_outcome(&r, outcome, &e) != NUMEL_OK) return say_error(NULL, &e), EXIT_UNREADABLE;
    status = save(r, o->junit, NUMEL_JUNIT, status);
    status = save(r, o->sarif, NUMEL_SARIF, status);
    if (is_output(o->junit) || is_output(o->sarif)) return print_results(o, r, status);
    numel_report_free(r);
    return status;
}

/* ---- the command -------------------------------------------------------------------------- */

static int run_all(const struct options *o, numel_outcome *outcome)
{
    struct options own = *o;
    const struct each how = {
        .make = make, .several = SEVERAL_AND_WHOLE, .files_whole = true, .outcome = outcome
    };
    struct work work;
    if (!work_begin(&work, o)) return EXIT_UNREADABLE;
    own.reading = &work.reading;
    if ((is_output(o->junit) || is_output(o->sarif)) && !o->html) own.style.format = NUMEL_QUIET;
    int status = write_results(o, outcome, each(&own, o->args, o->count, &how));
    work_end();
    if (status == EXIT_AGREE || status == EXIT_FOUND || status == EXIT_PART) work_reported(&work);
    return status;
}

static int run(const struct options *o)
{
    numel_outcome *outcome;
    numel_error e;
    if (!is_clear(o)) return EXIT_USAGE;
    if (numel_outcome_open(&outcome, o->junit || o->sarif, &o->library, &e) != NUMEL_OK)
        return output_error(o, "", &e), EXIT_UNREADABLE;
    int status = run_all(o, outcome);
    numel_outcome_close(outcome);
    return status;
}

const struct command command_verify = {
    .name = "verify",
    .args = "PATH...",
    .summary = "whether a download is complete and what it claims to be",
    .examples = "  $ numel verify model/                  everything that needs no full read\n"
                "  $ numel verify --level size model/     a quick look after a download\n"
                "  $ numel verify -q model/ && run model/\n"
                "  $ numel verify --level hash model/     read it all, compare known digests\n"
                "  $ numel verify --manifest model.numel model/\n"
                "  $ numel verify --values model/         read it all for NaN, infinity, zeros\n"
                "  $ numel verify --junit verify.xml --sarif verify.sarif models/\n"
                "  $ numel verify model/ --expect params=8.03B,quant=Q4_K_M   status 1 if not\n"
                "  $ numel verify --json model/ | jq -r '.findings[].message'\n",
    .about = "\n"
             "Each level includes those before it: header (the rules of the format), size (bytes present\n"
             "against bytes declared), index (files against each other and their index), config (tensors\n"
             "against configuration, tokenizer and metadata), hash (content against every digest that is\n"
             "already on this disk; never the network). Exit status 1 when something is wrong or missing,\n"
             "4 when --level config or --strict asked for something that cannot be checked, 3 when there\n"
             "is no verdict: no checkpoint, or a file that changed while it was read.",
    .takes = TAKES_KNOWLEDGE | TAKES_LEVEL | TAKES_WORK | TAKES_MANIFEST | TAKES_EXPECT | TAKES_HTML,
    .least = 1,
    .most = SIZE_MAX,
    .run = run,
};

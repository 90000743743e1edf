/* cmd_spec.c -- numel spec list|layouts|show|lint: the known architectures and layouts. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

static int write_report(const struct options *o, numel_rc rc, numel_report *r, const numel_error *e)
{
    struct output out;
    if (rc != NUMEL_OK) return output_refused(o, NULL, e);
    int status = status_of_report(r);
    output_begin(&out, o, false);
    output_report(&out, r);
    return output_end(&out, status);
}

static int run(const struct options *o)
{
    numel_report *r = NULL;
    numel_error e;
    numel_rc rc;
    const char *verb = o->args[0];
    if (strcmp(verb, "lint") == 0) {
        rc = numel_report_lint(&r, o->args + 1, o->count - 1, NULL, &e);
    } else if (strcmp(verb, "list") == 0 && o->count == 1) {
        rc = numel_report_specs(&r, &o->knowledge, NULL, NULL, &e);
    } else if (strcmp(verb, "layouts") == 0 && o->count == 1) {
        rc = numel_report_layouts(&r, &o->knowledge, NULL, &e);
    } else if (strcmp(verb, "show") == 0 && o->count == 2) {
        rc = numel_report_specs(&r, &o->knowledge, o->args[1], NULL, &e);
    } else {
        say("usage: numel spec list | layouts | show NAME | lint FILE...");
        return EXIT_USAGE;
    }
    return write_report(o, rc, r, &e);
}

const struct command command_spec = {
    .name = "spec",
    .args = "list|layouts|show|lint",
    .summary = "the architectures and layouts known",
    .examples = "  $ numel spec list\n"
                "  $ numel spec show llama          its specification, to start your own from\n"
                "  $ numel spec layouts             how quantizers store weights\n"
                "  $ numel spec lint my.spec        mistakes with line and column\n"
                "  $ numel reconcile model/ --spec my.spec\n",
    .about = "\ndocs/spec.md teaches the language.",
    .takes = TAKES_SPEC,
    .least = 1,
    .most = SIZE_MAX,
    .run = run,
};

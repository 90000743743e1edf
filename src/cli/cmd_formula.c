/* cmd_formula.c -- numel formula PATH|CONFIG: what should be there, from the configuration alone. */
#include "cli.h"

#include <string.h>
#include <sys/stat.h>

static numel_rc of_checkpoint(numel_report **r, const numel_checkpoint *ck,
                              const struct options *o, numel_error *e)
{
    return numel_report_formula(r, ck, NULL, &o->knowledge, e);
}

/* A configuration, or a folder without a checkpoint. */
static int of_config(const struct options *o, const char *path)
{
    struct output out;
    numel_report *r;
    numel_error e;
    if (numel_report_formula(&r, NULL, path, &o->knowledge, &e) != NUMEL_OK) {
        say_error(path, &e);
        return e.code == NUMEL_E_USAGE ? EXIT_USAGE : EXIT_UNREADABLE;
    }
    output_begin(&out, o, false);
    output_report(&out, r);
    return output_end(&out, EXIT_AGREE);
}

static bool ends_with(const char *path, const char *end)
{
    size_t n = strlen(path), k = strlen(end);
    return n >= k && strcmp(path + n - k, end) == 0;
}

static int run(const struct options *o)
{
    numel_found *found = NULL;
    struct stat st;
    if (o->count == 0) return of_config(o, NULL);
    const char *path = o->args[0];
    if (ends_with(path, ".json") && !ends_with(path, ".index.json")) return of_config(o, path);
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
        numel_find(&found, path, &o->library, NULL) != NUMEL_OK)
        return of_config(o, path);
    numel_found_free(found);
    return each_checkpoint(o, of_checkpoint, 1, false);
}

const struct command command_formula = {
    .name = "formula",
    .args = "[PATH|CONFIG]",
    .summary = "what should be there, from the configuration alone",
    .examples = "  $ numel formula model/                      symbols, terms, total\n"
                "  $ numel formula config.json                 no model needed\n"
                "  $ numel formula --arch llama --set E=4096 --set L=32 --set H=32 --set F=11008\n"
                "                  --set V=32000               no configuration either\n"
                "  $ numel formula -q config.json              the total\n",
    .about = "\nEach symbol says where its value comes from: a key of the configuration (declared), a\n"
             "class default, since configurations leave those out (defaulted), --set (set), or the\n"
             "tensors themselves (inferred).",
    .takes = TAKES_KNOWLEDGE,
    .least = 0,
    .most = 1,
    .run = run,
};

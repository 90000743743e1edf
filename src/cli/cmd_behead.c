/* cmd_behead.c -- numel behead PATH DIR: makes header-only copies. */
#include "cli.h"

/* Reports a checkpoint that cannot be copied. In JSON this is a record, in a list if there are several. */
static void fail(const struct options *o, struct output *out, const char *path, bool several,
                 const numel_error *e)
{
    numel_report *r;
    say_error(path, e);
    if (o->style.format != NUMEL_JSON || numel_report_error(&r, path, e, NULL, NULL) != NUMEL_OK) return;
    if (!out->written) output_begin(out, o, several);
    output_report(out, r);
}

static int behead(const struct options *o, numel_heads *heads, const numel_found *found, size_t i,
                  struct output *out, size_t *written)
{
    numel_checkpoint *ck = NULL;
    numel_error e;
    size_t n = 0;
    bool ok = numel_open(&ck, found, i, &o->library, &e) == NUMEL_OK &&
              numel_heads_add(heads, ck, &n, &e) == NUMEL_OK;
    *written += n;
    if (!ok) fail(o, out, numel_found_path(found, i), numel_found_count(found) > 1, &e);
    int status = !ok ? EXIT_UNREADABLE : numel_worst(ck) == NUMEL_ERROR ? EXIT_FOUND : EXIT_AGREE;
    numel_free(ck);
    return status;
}

static int behead_found(const struct options *o, numel_heads *heads, const numel_found *found)
{
    struct output out = { .options = o };
    size_t written = 0, n = numel_found_count(found);
    int status = EXIT_AGREE;
    for (size_t i = 0; i < n; i++) {
        int one = behead(o, heads, found, i, &out, &written);
        if (one > status) status = one;
    }
    const char *sep = out.written ? "," : "";
    if (o->style.format == NUMEL_TEXT)
        print_line("%zu file%s written to %s", written, written == 1 ? "" : "s", o->args[1]);
    else if (o->style.format == NUMEL_JSON && (out.list || !out.written))
        print_line("%s{\"schema\":\"numel.behead/1\",\"files\":%zu}", sep, written);
    return output_end(&out, status);
}

static int run(const struct options *o)
{
    numel_found *found = NULL;
    numel_heads *heads = NULL;
    numel_error e;
    int status = EXIT_UNREADABLE;
    if (numel_find(&found, o->args[0], &o->library, &e) != NUMEL_OK ||
        numel_heads_open(&heads, o->args[1], o->force, &o->library, &e) != NUMEL_OK)
        output_error(o, o->args[0], &e);
    else status = behead_found(o, heads, found);
    numel_heads_free(heads);
    numel_found_free(found);
    return status;
}

const struct command command_behead = {
    .name = "behead",
    .args = "PATH DIR",
    .alias = "export-headers",
    .summary = "header-only copies: 140 GB in some 30 KB; also export-headers",
    .examples = "  $ numel behead model/ heads/     heads/NAME.head.zst, index, config.json\n"
                "  $ numel heads/                   counted like the original\n",
    .about = "\n"
             "Nothing is written next to the model. A copy is zstd of the file's header, with the\n"
             "original's size in a skippable frame: 'zstd -d' gives back the header's bytes.",
    .takes = TAKES_FORCE,
    .least = 2,
    .most = 2,
    .run = run,
};

/* cmd_behead.c -- numel behead PATH DIR: header-only copies. */
#include "cli.h"

#include <stdio.h>

static int behead(const struct options *o, const numel_found *found, size_t i, size_t *written)
{
    numel_checkpoint *ck = NULL;
    numel_error e;
    size_t n = 0;
    bool ok = numel_open(&ck, found, i, &o->library, &e) == NUMEL_OK &&
              numel_behead(ck, o->args[1], o->force, &n, &e) == NUMEL_OK;
    *written += n;
    if (!ok) say_error(numel_found_path(found, i), &e);
    int status = !ok ? EXIT_UNREADABLE : numel_worst(ck) == NUMEL_ERROR ? EXIT_FOUND : EXIT_AGREE;
    numel_free(ck);
    return status;
}

static int run(const struct options *o)
{
    numel_found *found;
    numel_error e;
    size_t written = 0;
    int status = EXIT_AGREE;
    if (numel_find(&found, o->args[0], &o->library, &e) != NUMEL_OK) {
        say_error(o->args[0], &e);
        return EXIT_UNREADABLE;
    }
    for (size_t i = 0; i < numel_found_count(found); i++) {
        int one = behead(o, found, i, &written);
        if (one > status) status = one;
    }
    numel_found_free(found);
    if (o->style.format == NUMEL_TEXT) printf("%zu files written to %s\n", written, o->args[1]);
    else if (o->style.format == NUMEL_JSON)
        printf("{\"schema\":\"numel.behead/1\",\"files\":%zu}\n", written);
    return status;
}

const struct command command_behead = {
    .name = "behead",
    .args = "PATH DIR",
    .summary = "header-only copies: a 140 GB model in some 30 KB",
    .examples = "  $ numel behead model/ heads/     writes heads/NAME.head.zst, index, config.json\n"
                "  $ numel heads/                   counted like the whole, says 'data absent'\n",
    .about = "\nNothing is written beside the model. A copy is zstd of the file's header, with the\n"
             "original's size in a skippable frame: 'zstd -d' gives back the header's bytes.",
    .takes = TAKES_FORCE,
    .least = 2,
    .most = 2,
    .run = run,
};

/*
 * find_pipe.c -- standard input or a FIFO as a checkpoint or a configuration.
 *
 * A pipe is read once: its bytes are kept with the found set, so that it can be opened several times. Only a
 * path given by the user may be a pipe; a path from a file or a folder is never waited for.
 */
#include "reader/find_internal.h"

#include "base/num.h"
#include "base/text.h"
#include "source/pipe.h"

enum { FIRST_LOOK = 64 << 10, MAX_CONFIG = 16 << 20 };

/* A brace at the start, instead of a length, means a config.json. */
static bool is_json(const struct pipe *p)
{
    size_t i = 0;
    if (p->n >= 8 && num_load(p->p, 8, false) <= UINT32_MAX) return false;
    while (i < p->n && (p->p[i] == ' ' || p->p[i] == '\n' || p->p[i] == '\r' || p->p[i] == '\t')) i++;
    return i < p->n && p->p[i] == '{';
}

bool find_piped(struct finding_sets *g, const char *path, bool *done)
{
    struct pipe *p = arena_alloc(g->arena, sizeof *p);
    bool is;
    *done = false;
    if (!p) return error_nomem(g->error);
    if (!pipe_open(p, path, &is, g->arena->memory, g->error)) return false;
    *done = is || p->standard;
    if (!*done) return true;
    struct found_set *s = find_add_set(g, FOUND_FILE, path, "");
    if (!s) pipe_close(p);
    if (!s) return false;
    if (is) s->pipe = p;
    if (!find_add_file(g, s, text_of(path), is ? path : "/dev/stdin")) return false;
    if (is && !pipe_fill(p, 8, FIRST_LOOK, g->error)) return false;
    s->config = is && is_json(p);
    return true;
}

bool found_config(const numel_found *f, size_t i, const void **text, size_t *bytes, numel_error *e)
{
    struct pipe *p = f->sets[i].pipe;
    *text = NULL;
    *bytes = 0;
    if (!pipe_fill(p, MAX_CONFIG + 1, MAX_CONFIG + 1, e)) return false;
    if (p->n > MAX_CONFIG)
        return error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE, "more than %d bytes: too large for a configuration",
                         MAX_CONFIG);
    *text = p->p;
    *bytes = (size_t)p->n;
    return true;
}

/*
 * lint_numbers.c -- numbers of a configuration beyond a double: Python and JavaScript load 1e400 as infinity.
 * As a size it makes the model impossible, and the configuration is refused; any other is reported.
 */
#include "verify/lint_internal.h"

#include "base/text.h"

enum { TOLD = 16 }; /* per file */

struct numbers {
    struct lint *l;
    const char *file;
    struct buffer path; /* of the current value, "rope_scaling.factor" */
    size_t told;
};

/* For a size the refusal is already reported. */
static bool is_refused(const struct numbers *n, const char *key)
{
    const struct model *m = n->l->c->model;
    size_t k = strlen(key);
    return m->broken && strncmp(m->why.what, key, k) == 0 && m->why.what[k] == ' ';
}

NUMEL_MUST static bool tell(struct numbers *n, const json_value *v, const char *key)
{
    char shown[TEXT_QUOTE], path[TEXT_QUOTE];
    if (is_refused(n, key) || n->told++ >= TOLD) return true;
    char *said = json_print(v);
    if (!said) return error_nomem(n->l->v->error);
    lint_find(n->l, FINDING_NUMBER_LARGE, n->file, NO_TENSOR, NUMEL_NOWHERE,
              "%s is %s, too large for a double: it is read as infinity",
              text_bare(path, (numel_str){ n->path.p, n->path.n }), text_bare(shown, text_of(said)));
    json_print_free(said);
    return true;
}

/* Reports only the first of a list. The scanner bounds the depth. */
NUMEL_MUST static bool walk(struct numbers *n, const json_value *v, const char *key)
{
    size_t own = n->path.n, told = n->told;
    bool list = json_kind(v) == JSON_ARRAY, ok = true;
    if (json_beyond(v)) return json_constant(v) || tell(n, v, key);
    for (const json_value *c = json_first(v); ok && c && !(list && n->told > told); c = json_next(c)) {
        const char *name = list ? "" : json_name(c);
        if (own && !list) buffer_char(&n->path, '.');
        buffer_text(&n->path, name);
        ok = (!n->path.failed || error_nomem(n->l->v->error)) && walk(n, c, list ? key : name);
        n->path.n = own;
    }
    return ok;
}

bool lint_numbers(struct lint *l, const char *file, const json_value *doc)
{
    struct numbers n = { .l = l, .file = file };
    buffer_init(&n.path, l->arena->memory);
    bool ok = walk(&n, doc, "");
    buffer_done(&n.path);
    return ok;
}

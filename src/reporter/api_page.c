/*
 * api_page.c -- numel_page: several reports on one page of HTML, and where it may be saved.
 *
 * A page is for people, and a model's folder is for programs that take every file in it: no page is written into
 * one, nor into an input, nor into the cache of a program that keeps models.
 */
#include "base/border.h"
#include "base/text.h"
#include "page/html.h"
#include "source/folder.h"
#include "source/target.h"

#include <string.h>

struct numel_page {
    struct arena arena;
    const char *path;             /* NULL: it is written to a stream */
    struct buffer articles, data; /* of all reports */
    const char *title, *schema;   /* of the first report; of the last that is not more about the same */
    size_t count;
};

/* ---- where it may be saved ---------------------------------------------------------------- */

enum { PATH_ROOM = 4096, PARENTS = 3 };

/* The folder of a new file, or of the file that a link leads to. */
NUMEL_MUST static const char *real_folder(struct arena *a, const char *path)
{
    const char *real = path_real(a, path), *dir = path_directory(a, real ? real : path);
    return dir ? path_real(a, dir) : NULL;
}

/* Is `path` the folder, or below it? Both are real. */
static bool is_within(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 && (!path[n] || path[n] == '/' || (n && folder[n - 1] == '/'));
}

static bool has_file(struct arena *a, const char *dir, const char *name)
{
    const char *path = path_join(a, dir, text_of(name));
    return path && path_kind(path) == PATH_FILE;
}

static bool is_weights(numel_str name)
{
    static const char *const ends[] = { ".safetensors", ".gguf",       ".bin", ".pt", ".pth",
                                        ".ckpt",        ".index.json", ".zst", ".h5", ".onnx" };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (text_ends(name, ends[i])) return true;
    return false;
}

/* Names that loaders look for in a model's folder. */
static bool has_model(struct arena *a, const char *dir)
{
    static const char *const names[] = { "model_index.json", "model.safetensors",
                                         "model.safetensors.index.json", "pytorch_model.bin",
                                         "adapter_model.safetensors" };
    bool is = false;
    for (size_t i = 0; i < sizeof names / sizeof *names && !is; i++) is = has_file(a, dir, names[i]);
    return is;
}

/* Does a configuration stand next to weights? A folder that cannot be listed has none. */
NUMEL_MUST static bool has_weights(struct arena *a, const char *dir, bool *is, numel_error *e)
{
    static const char *const names[] = { "config.json", "params.json", "adapter_config.json" };
    struct folder f;
    bool configured = false;
    *is = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) configured |= has_file(a, dir, names[i]);
    if (!configured) return true;
    if (!folder_list(&f, dir, a, e)) {
        if (e->code == NUMEL_E_NOMEM) return false;
        error_clear(e);
        return true;
    }
    for (size_t i = 0; i < f.count && !*is; i++) *is = is_weights(f.entries[i].name);
    folder_done(&f);
    return true;
}

/* Sets *around to the folder of a model that `dir` is or is in; NULL if there is none. */
NUMEL_MUST static bool find_model(struct arena *a, const char *dir, const char **around, numel_error *e)
{
    *around = NULL;
    for (unsigned i = 0; i <= PARENTS; i++) {
        bool is = has_model(a, dir);
        if (!is && !has_weights(a, dir, &is, e)) return false;
        if (is) *around = dir;
        if (is || strcmp(dir, "/") == 0) break;
        if (!(dir = path_directory(a, dir))) return error_nomem(e);
    }
    return true;
}

/* A program that is not here has no cache. */
NUMEL_MUST static bool find_cache(struct arena *a, const char *dir, const numel_options *options, bool *is,
                                  numel_error *e)
{
    static const char *const roots[] = { "hf:", "ollama:", "lmstudio:" };
    char at[PATH_ROOM];
    *is = strstr(dir, "/models--") != NULL;
    for (size_t i = 0; i < sizeof roots / sizeof *roots && !*is; i++) {
        numel_rc rc = numel_locate(at, sizeof at, roots[i], options, e);
        if (rc == NUMEL_E_NOMEM) return false;
        const char *root = rc == NUMEL_OK ? path_real(a, at) : NULL;
        *is = root && is_within(dir, root);
    }
    error_clear(e);
    return true;
}

NUMEL_MUST static bool refuse(numel_error *e, const char *path, const char *what, const char *where)
{
    char quoted[TEXT_QUOTE];
    error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "no page is written there: it is in %s%s%s", what,
              where ? " " : "", where ? text_quote(quoted, text_of(where)) : "");
    error_file(e, path);
    return false;
}

NUMEL_MUST static bool check_inputs(struct arena *a, const char *path, const char *dir,
                                    const char *const *inputs, size_t n, numel_error *e)
{
    for (size_t i = 0; i < n; i++) {
        const char *input = path_kind(inputs[i]) == PATH_DIRECTORY ? path_real(a, inputs[i]) : NULL;
        if (input && is_within(dir, input)) return refuse(e, path, "an input,", inputs[i]);
    }
    return true;
}

NUMEL_MUST static bool check_place(struct arena *a, const char *path, const char *const *inputs, size_t n,
                                   const numel_options *options, numel_error *e)
{
    const char *dir = real_folder(a, path), *model;
    bool cached;
    if (!dir && !a->failed) {
        error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "cannot write: its folder does not exist");
        error_file(e, path);
    }
    if (!dir || !check_inputs(a, path, dir, inputs, n, e) || !find_model(a, dir, &model, e)) return false;
    if (model) return refuse(e, path, "a model's folder,", model);
    return find_cache(a, dir, options, &cached, e) && (!cached || refuse(e, path, "a cache of models", NULL));
}

/* A device or a pipe keeps nothing. */
NUMEL_MUST static bool check(struct arena *a, const char *path, const char *const *inputs, size_t n,
                             const numel_options *options, numel_error *e)
{
    bool ok = target_check(path, html_is_page, e) &&
              (path_kind(path) == PATH_OTHER || check_place(a, path, inputs, n, options, e));
    if (!a->failed) return ok;
    error_clear(e); /* what was seen without memory says nothing */
    return error_nomem(e);
}

/* ---- the page ----------------------------------------------------------------------------- */

static bool add_to(void *ctx, const void *p, size_t n)
{
    struct buffer *b = ctx;
    buffer_add(b, p, n);
    return !b->failed;
}

numel_rc numel_page_open(numel_page **out, const char *path, const char *const *inputs, size_t n,
                         const numel_options *options, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    numel_options own;
    *out = NULL;
    if (!border_options(&own, options, e)) return e->code;
    struct numel_page *p = memory_resize(own.allocator, NULL, sizeof *p);
    if (!p) {
        error_nomem(e);
        return e->code;
    }
    *p = (struct numel_page){ .count = 0 };
    arena_init(&p->arena, own.allocator);
    buffer_init(&p->articles, own.allocator);
    buffer_init(&p->data, own.allocator);
    bool ok = !path || ((p->path = arena_text(&p->arena, path, strlen(path))) || error_nomem(e));
    if (ok && (!path || check(&p->arena, path, inputs, n, options, e))) *out = p;
    else numel_page_close(p);
    return e->code;
}

void numel_page_close(numel_page *p)
{
    if (!p) return;
    const numel_allocator *m = p->arena.memory;
    buffer_done(&p->articles);
    buffer_done(&p->data);
    arena_done(&p->arena);
    memory_release(m, p);
}

size_t numel_page_count(const numel_page *p) { return p->count; }

NUMEL_MUST static bool keep_title(struct numel_page *p, const struct numel_report *r)
{
    numel_str title = html_title(r);
    if (p->title) return true;
    return (p->title = arena_text(&p->arena, title.p, title.n)) != NULL;
}

/* A part that does not fit into memory fails the page, which is then not written. */
numel_rc numel_page_add(numel_page *p, const numel_report *r, bool more, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    const numel_allocator *m = p->arena.memory;
    struct sink articles = { .write = add_to, .ctx = &p->articles },
                data = { .write = add_to, .ctx = &p->data };
    enum html_part part = more && p->count ? HTML_MORE : HTML_MAIN;
    if (part == HTML_MORE && strcmp(p->schema, r->schema) == 0) return e->code; /* the same facts again */
    if (part == HTML_MAIN) p->schema = r->schema;
    buffer_init(&articles.out, m);
    buffer_init(&data.out, m);
    html_article(r, part, &articles);
    sink_flush(&articles);
    bool ok = html_data(r, part, p->count == 0, &data);
    sink_flush(&data);
    ok = ok && keep_title(p, r) && !articles.out.failed && !articles.failed && !data.out.failed &&
         !data.failed && !r->arena.failed;
    if (!ok) error_nomem(e);
    else if (r->lost && !error_free(r->lost)) *e = *r->lost;
    p->count++;
    buffer_done(&articles.out);
    buffer_done(&data.out);
    return e->code;
}

numel_rc numel_page_write(const numel_page *p, numel_write_fn *write, void *ctx, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    struct sink s = { .write = write, .ctx = ctx };
    buffer_init(&s.out, p->arena.memory);
    html_begin(&s, text_of(p->title ? p->title : "numel"));
    buffer_str(&s.out, buffer_view(&p->articles));
    html_data_begin(&s);
    buffer_str(&s.out, buffer_view(&p->data));
    html_end(&s);
    sink_flush(&s);
    if (s.out.failed || p->articles.failed || p->data.failed) error_nomem(e);
    else if (s.failed) error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "cannot write the page");
    buffer_done(&s.out);
    return e->code;
}

numel_rc numel_page_save(const numel_page *p, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    struct buffer b;
    if (!p->path) {
        error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "the page was opened without a path");
        return e->code;
    }
    buffer_init(&b, p->arena.memory);
    if (numel_page_write(p, add_to, &b, e) != NUMEL_OK) {
        if (b.failed) error_clear(e), error_nomem(e);
    } else {
        (void)(target_save(p->path, html_is_page, b.p, b.n, p->arena.memory, e) || e->code);
    }
    buffer_done(&b);
    return e->code;
}

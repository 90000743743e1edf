/*
 * speccheck -- compares architecture specs with what transformers builds.
 *
 *   speccheck [-s SPEC|DIR]... [-a ARCH] [-d] [-f] [-g] [-q] FILE|DIR...
 *
 * Each FILE is one JSON object: config, params (name -> shape), tied (copy -> original), buffers,
 * num_parameters, and optionally diff_config (the content of a config.json), which is checked as a
 * separate case. A file of an architecture without a spec is skipped. -d dumps the expected tensors, -f
 * prints the formula, -g gives the GGUF names of the same configuration instead of a comparison, -q prints
 * only failures, -a takes a spec by name. A FILE without params is a config.json or params.json: it is
 * expanded as if there were no file. The last line counts.
 */
#include "formula/expand.h"
#include "formula/library.h"
#include "formula/terms.h"

#include "../support/inventory.h"
#include "../support/draft.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SHOWN = 40 };

struct oracle {
    struct inventory held;
    bool *met; /* by item */
};

/* Messages that differ only in layer numbers are printed once, with a count. */
struct message {
    char key[600];
    unsigned times;
};

struct tool {
    struct library *library;
    struct message messages[SHOWN];
    const char *arch;
    bool dump, formula, gguf, quiet;
    unsigned passed, failed, skipped, lines;
};

/* The text with each number in a name replaced by '#'. */
static void fold(char *out, size_t size, const char *what, const char *name, const char *more)
{
    size_t n = (size_t)snprintf(out, size, "%-10s ", what);
    for (const char *p = name; *p && n + 2 < size; p++) {
        bool digit = *p >= '0' && *p <= '9';
        bool number = digit && (p == name || p[-1] == '.' || (p[-1] >= '0' && p[-1] <= '9'));
        if (!number) out[n++] = *p;
        else if (out[n - 1] != '#') out[n++] = '#';
    }
    snprintf(out + n, size - n, " %s", more);
}

static void say(struct tool *t, const char *what, const char *name, const char *more)
{
    char key[sizeof t->messages[0].key];
    fold(key, sizeof key, what, name, more);
    for (unsigned i = 0; i < t->lines && i < SHOWN; i++)
        if (strcmp(t->messages[i].key, key) == 0) {
            t->messages[i].times++;
            return;
        }
    if (t->lines < SHOWN) {
        memcpy(t->messages[t->lines].key, key, sizeof key);
        t->messages[t->lines].times = 1;
    }
    t->lines++;
}

static void tell(struct tool *t)
{
    for (unsigned i = 0; i < t->lines && i < SHOWN; i++) {
        printf("    %s", t->messages[i].key);
        if (t->messages[i].times > 1) printf(" x %u", t->messages[i].times);
        printf("\n");
    }
    if (t->lines > SHOWN) printf("    ...        %u more\n", t->lines - SHOWN);
}

/* False if the first tensor is missing: a whole stack may be skipped. */
static bool check_row(struct tool *t, const struct expansion *x, const struct row *row, struct oracle *o)
{
    const struct site *site = &x->sites[row->site];
    long at = inventory_find(&o->held, row->name.p);
    const struct held *found = at < 0 ? NULL : &o->held.items[at];
    char expected[TEXT_QUOTE], shape[TEXT_QUOTE], both[2 * TEXT_QUOTE + 40];
    text_dims(expected, site->dims, site->ndim);
    snprintf(both, sizeof both, "%s (%.*s, line %u)", expected, (int)site->role.n, site->role.p,
             x->spec->lines[site->line].number);
    if (found) o->met[at] = true;
    if (site->tied && (!found || found->copy)) return true;
    if (!found || found->copy) {
        if (!site->optional) say(t, "missing", row->name.p, both);
        return site->optional || row->index > 0;
    }
    if (site->tied) say(t, "not tied", row->name.p, "");
    if (found->buffer != (site->kind == TENSOR_BUF))
        say(t, "kind", row->name.p, found->buffer ? "is a buffer" : "is a parameter");
    if (strcmp(expected, text_dims(shape, found->dims, found->ndim)) == 0) return true;
    snprintf(both, sizeof both, "expected %s, is %s (line %u)", expected, shape,
             x->spec->lines[site->line].number);
    say(t, "shape", row->name.p, both);
    return true;
}

/* Checks one of the totals against the one stated in the file. */
static void check_count(struct tool *t, const json_value *root, const char *name, uint64_t is)
{
    int64_t wanted = 0;
    char a[TEXT_NUMBER], b[TEXT_NUMBER], text[128];
    if (!json_integer(json_get(root, name), &wanted)) return;
    if ((uint64_t)wanted == is) return;
    snprintf(text, sizeof text, "expected %s, is %s", text_number(a, is), text_number(b, (uint64_t)wanted));
    say(t, "total", name, text);
}

static void check_total(struct tool *t, const struct expansion *x, const json_value *root)
{
    uint64_t tables = 0;
    for (size_t i = 0; i < x->site_count; i++)
        if (x->sites[i].counted && x->sites[i].kind == TENSOR_EMB)
            tables += x->sites[i].elements * x->sites[i].rows;
    check_count(t, root, "num_parameters", x->totals.parameters);
    check_count(t, root, "non_embedding", x->totals.parameters - tables);
}

/* Without nn.Embedding tables, as in num_parameters(exclude_embeddings=True). */
static void check_embeddings(struct tool *t, const struct expansion *x, const json_value *root)
{
    int64_t wanted = 0;
    uint64_t tables = 0;
    char a[TEXT_NUMBER], b[TEXT_NUMBER], text[128];
    if (!json_integer(json_get(root, "non_embedding"), &wanted)) return;
    for (size_t i = 0; i < x->site_count; i++)
        if (x->sites[i].counted && x->sites[i].kind == TENSOR_EMB)
            tables += x->sites[i].elements * x->sites[i].rows;
    if ((uint64_t)wanted + tables == x->totals.parameters) return;
    snprintf(text, sizeof text, "expected %s, is %s", text_number(a, x->totals.parameters - tables),
             text_number(b, (uint64_t)wanted));
    say(t, "total", "non_embedding", text);
}

static void compare(struct tool *t, const struct expansion *x, struct oracle *o, const json_value *root)
{
    char shape[TEXT_QUOTE];
    memset(o->met, 0, o->held.count * sizeof *o->met);
    for (size_t i = 0; i < x->row_count; i++) {
        const struct site *site = &x->sites[x->rows[i].site];
        bool chosen = site->group == NO_GROUP || x->groups[site->group].chosen == site->alternative;
        if (chosen && !check_row(t, x, &x->rows[i], o)) i = site->first_row + site->rows - 1;
    }
    for (size_t i = 0; i < o->held.count; i++) {
        const struct held *h = &o->held.items[i];
        if (!o->met[i] && !h->copy) say(t, "unexpected", h->name, text_dims(shape, h->dims, h->ndim));
    }
    check_total(t, x, root);
    check_embeddings(t, x, root);
}

static void dump(const struct expansion *x)
{
    char dims[TEXT_QUOTE];
    for (size_t i = 0; i < x->row_count; i++) {
        const struct site *s = &x->sites[x->rows[i].site];
        printf("    %-60s %-18s %-22.*s %s%s%s\n", x->rows[i].name.p, text_dims(dims, s->dims, s->ndim),
               (int)s->role.n, s->role.p, x->rows[i].other.p ? x->rows[i].other.p : "-",
               s->tied ? " tied" : "", s->kind == TENSOR_BUF ? " buffer" : "");
    }
}

static void formula(struct expansion *x)
{
    numel_error e = { 0 };
    struct terms terms;
    char each[TEXT_NUMBER], total[TEXT_NUMBER];
    if (!terms_of(&terms, x, &e)) {
        printf("    %s\n", e.what);
        return;
    }
    for (size_t i = 0; i < terms.count; i++) {
        const struct term *m = &terms.items[i];
        printf("    %-20.*s %-30s %18s x %-8" PRIu64 "= %20s\n", (int)m->role.n, m->role.p, m->expr,
               text_number(each, m->each), m->times, text_number(total, m->total));
    }
    for (size_t i = 0; i < terms.symbol_count; i++)
        printf("    %s = %" PRId64 " %s %s\n", terms.symbols[i].name, terms.symbols[i].value,
               evidence_name(terms.symbols[i].evidence), terms.symbols[i].from);
    printf("    %s = %s\n", terms.expression, text_number(total, x->totals.parameters));
    terms_done(&terms);
}

/* The class: from the file, else from its name (model_type.Class.json). */
static bool set_class(struct config *c, const json_value *root, const json_value *conf, const char *path,
                      numel_error *e)
{
    const char *cls = json_text_of(json_get(root, "cls")), *dot = NULL;
    char text[256];
    if (json_kind(json_get(conf, "architectures")) == JSON_ARRAY) return true;
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    if (!cls) dot = strchr(base, '.');
    const char *end = dot ? strrchr(dot + 1, '.') : NULL;
    if (!cls && !end) return true;
    snprintf(text, sizeof text, "architectures=[\"%.*s\"]", cls ? (int)strlen(cls) : (int)(end - dot - 1),
             cls ? cls : dot + 1);
    return config_set(c, text, e);
}

static bool run(struct tool *t, struct config *c, struct oracle *o, const json_value *root, bool *known,
                numel_error *e)
{
    struct spec *spec;
    struct expansion *x;
    const struct library_entry *entry =
        t->arch ? library_find(t->library, text_of(t->arch)) : library_match(t->library, c, SIDE_HF, e);
    *known = entry != NULL;
    if (!entry || !library_parse(t->library, entry, c, &spec, &memory_malloc, NULL, e)) return false;
    inventory_spell(&o->held, spec);
    bool alone = t->gguf || !json_get(root, "params");
    struct expand_input in = { .spec = spec,
                               .config = c,
                               .side = t->gguf ? SIDE_GGUF : SIDE_HF,
                               .other_values = t->gguf,
                               .file = alone ? NULL : &o->held.presence };
    if (expand(&x, &in, &memory_malloc, e)) {
        if (!alone) compare(t, x, o, root);
        if (t->dump) dump(x);
        if (t->formula) formula(x);
        expansion_free(x);
    }
    spec_free(spec);
    return error_free(e);
}

static void check_config(struct tool *t, const char *path, const json_value *root, const char *which,
                         struct oracle *o)
{
    numel_error e = { 0 };
    struct config *c;
    bool known = false;
    const json_value *conf = json_get(root, which) ? json_get(root, which) : root;
    char *text = json_print(conf);
    t->lines = 0;
    if (!text || !config_new(&c, &memory_malloc, &e)) exit(3);
    if (config_add_json(c, text, strlen(text), path, &e)) {
        if (conf == root || set_class(c, root, conf, path, &e)) run(t, c, o, root, &known, &e);
    }
    config_free(c);
    json_print_free(text);
    if (!known && (e.code == NUMEL_E_ARCH || e.code == NUMEL_E_CONFIG)) {
        t->skipped++;
        return;
    }
    if (!error_free(&e)) printf("    error      %s: %s\n", e.file, e.what);
    tell(t);
    bool ok = error_free(&e) && !t->lines;
    *(ok ? &t->passed : &t->failed) += 1;
    if (!ok || !t->quiet) printf("%s %s (%s)\n", ok ? "pass" : "FAIL", path, which);
}

static char *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    long n = -1;
    if (f && fseek(f, 0, SEEK_END) == 0 && (n = ftell(f)) >= 0 && fseek(f, 0, SEEK_SET) == 0)
        text = malloc((size_t)n + 1);
    *size = text ? fread(text, 1, (size_t)n, f) : 0;
    if (f) fclose(f);
    return text;
}

static void check_file(struct tool *t, const char *path)
{
    numel_error e = { 0 };
    struct oracle o = { 0 };
    size_t n;
    char *text = read_file(path, &n);
    json_value *root = text ? json_doc_parse(text, n, &e) : NULL;
    if (!root) {
        printf("FAIL %s: %s\n", path, text ? e.what : "cannot read");
        free(text);
        t->failed++;
        return;
    }
    free(text);
    inventory_init(&o.held);
    inventory_of_truth(&o.held, root);
    o.met = must(calloc(o.held.count + 1, sizeof *o.met));
    check_config(t, path, root, "config", &o);
    if (json_get(root, "diff_config")) check_config(t, path, root, "diff_config", &o);
    free(o.met);
    inventory_done(&o.held);
    json_doc_free(root);
}

static void check_path(struct tool *t, const char *path)
{
    struct stat s;
    struct dirent **list;
    if (stat(path, &s) != 0 || !S_ISDIR(s.st_mode)) {
        check_file(t, path);
        return;
    }
    int n = scandir(path, &list, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char file[4096];
        snprintf(file, sizeof file, "%s/%s", path, list[i]->d_name);
        if (text_ends(text_of(list[i]->d_name), ".json")) check_file(t, file);
        free(list[i]);
    }
    if (n >= 0) free(list);
}

/* No known spec may have complaints. */
static void lint(struct tool *t)
{
    for (size_t i = 0; i < library_count(t->library); i++) {
        const struct library_entry *entry = library_at(t->library, i);
        struct arena arena;
        struct complaints all = { .arena = &arena };
        struct spec *spec;
        numel_error e = { 0 };
        if (!entry->architecture) continue; /* a shared block needs its caller's symbols */
        if (t->arch && strcmp(t->arch, entry->name) != 0) continue;
        arena_init(&arena, &memory_malloc);
        if (library_parse(t->library, entry, NULL, &spec, &memory_malloc, &all, &e))
            spec_lint(spec, entry->whole, &all);
        else if (!all.count) printf("%s: %s\n", entry->file, e.what);
        for (size_t k = 0; k < all.count && k < COMPLAINTS; k++)
            printf("%s:%u:%u: %s\n", all.items[k].file, all.items[k].line, all.items[k].column,
                   all.items[k].message);
        t->failed += all.count > 0 || !error_free(&e);
        spec_free(spec);
        arena_done(&arena);
    }
}

int main(int argc, char **argv)
{
    struct tool t = { 0 };
    numel_error e = { 0 };
    if (!library_open(&t.library, &memory_malloc, &e)) return 3;
    for (int c; (c = getopt(argc, argv, "s:a:dfgq")) != -1;) {
        if (c == 's' && !library_add_path(t.library, optarg, &e)) {
            fprintf(stderr, "speccheck: %s: %s\n", e.file, e.what);
            return 3;
        }
        if (c == 'a') t.arch = optarg;
        if (c == 'd') t.dump = true;
        if (c == 'f') t.formula = true;
        if (c == 'g') t.gguf = true;
        if (c == 'q') t.quiet = true;
        if (c == '?') return 2;
    }
    lint(&t);
    for (int i = optind; i < argc; i++) check_path(&t, argv[i]);
    library_free(t.library);
    printf("%u passed, %u failed (%u skipped: no spec)\n", t.passed, t.failed, t.skipped);
    return t.failed > 0;
}

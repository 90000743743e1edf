/* spec_report.c -- the reports of `numel spec list`, `layouts`, `show NAME` and `lint FILE...`. */
#include "model/model.h"
#include "formula/forms.h"
#include "formula/layout.h"
#include "formula/product.h"
#include "formula/section.h"
#include "page/report.h"
#include "printout/template.h"
#include "base/border.h"

#include <stdio.h>

/* ---- list and show ------------------------------------------------------------------------ */

struct spec_list {
    struct library *library;
    const struct library_entry **items; /* the listed ones */
    const char **matches;
    size_t count;
    const struct library_entry *one;
    numel_str *lines; /* of `one` */
    size_t line_count;
};

/* The words of the `match` lines, one after another. */
NUMEL_MUST static const char *matches_of(struct arena *a, numel_str text)
{
    struct buffer b;
    buffer_init(&b, a->memory);
    for (size_t i = 0; i < text.n;) {
        numel_str l = text_slice(text, i, text_find(text, i, '\n'));
        const char *line = l.p;
        size_t n = l.n;
        i += n + 1;
        const char *in = n > 6 && memcmp(line, "match ", 6) == 0 ? line + 6 : NULL;
        for (; in && in + 4 <= line + n; in++)
            if (memcmp(in, " in ", 4) == 0) break;
        if (!in || in + 4 > line + n) continue;
        if (b.n) buffer_text(&b, ", ");
        buffer_str(&b, text_behind(l, in + 4));
    }
    return buffer_keep(&b, a);
}

static void list_row(struct table_row *row, struct cell *c)
{
    const struct spec_list *l = row->of;
    const struct library_entry *entry = l->items[row->i];
    bool layout = library_is_layout(entry);
    numel_str name = text_of(entry->name);
    if (layout) text_take_end(&name, ".layout");
    c[0] = CELL_S(name);
    c[1] = CELL_S(text_of(entry->file));
    if (entry->family && !layout) c[2] = CELL_S(text_of(entry->family));
    c[3] = CELL_U(CELL_BOOL, entry->built_in);
    c[4] = CELL_S(text_of(l->matches[row->i]));
}

static const struct table list_table =
    TABLE(NULL, NULL, SECTION_LIST, TABLE_HEADED, list_row, { "name", "name", 0, MADE },
          { "file", "file", COLUMN_RANK(2), MADE }, { "family", "family", COLUMN_RANK(8), MADE },
          { "built_in", NULL, 0, MADE }, { "matches", "matches", COLUMN_NOTE, MADE });

static const struct table body_table = TABLE(
    NULL, NULL, SECTION_FIELDS, 0, NULL, { "text", NULL, 0, VIA(CELL_STR, struct spec_list, one, whole) });

static const struct table body_line_table =
    TABLE(NULL, NULL, SECTION_LIST, 0, NULL, { NULL, "", COLUMN_VERBATIM, ITSELF(CELL_STR, numel_str) });

/* Splits the text into lines, for the terminal. */
static bool cut_lines(struct spec_list *l, struct arena *a)
{
    numel_str text = l->one->whole;
    size_t n = 1;
    for (size_t i = 0; i < text.n; i++) n += text.p[i] == '\n';
    l->lines = arena_alloc(a, n * sizeof *l->lines);
    if (!l->lines) return false;
    for (size_t i = 0; i < text.n;) {
        size_t end = text_find(text, i, '\n');
        l->lines[l->line_count++] = text_slice(text, i, end);
        i = end + 1;
    }
    return true;
}

static void done(void *ctx) { library_free(((struct spec_list *)ctx)->library); }

/* Lists the specifications of architectures, or the layouts. */
static bool fill_list(struct spec_list *l, bool layouts, struct arena *a)
{
    const struct library *lib = l->library;
    l->items = arena_alloc(a, (library_count(lib) + 1) * sizeof *l->items);
    l->matches = arena_alloc(a, (library_count(lib) + 1) * sizeof *l->matches);
    if (!l->items || !l->matches) return false;
    for (size_t i = 0; i < library_count(lib); i++) {
        const struct library_entry *entry = library_at(lib, i);
        if (layouts ? !library_is_layout(entry) : !entry->architecture) continue;
        l->items[l->count] = entry;
        l->matches[l->count] = matches_of(a, entry->text);
        if (!l->matches[l->count++]) return false;
    }
    return true;
}

/* Finds a specification by name, else the layout: "gptq" is a layout. */
static const struct library_entry *find_one(const struct library *l, const char *name, struct arena *a)
{
    const struct library_entry *one = library_find(l, text_of(name));
    const char *layout = one ? NULL : arena_format(a, "%s.layout", name);
    return layout ? library_find(l, text_of(layout)) : one;
}

NUMEL_MUST static bool make_specs(struct numel_report *r, const numel_knowledge *k, const char *name,
                                  bool layouts, numel_error *e)
{
    struct spec_list *l = arena_alloc(&r->arena, sizeof *l);
    if (!l) return error_nomem(e);
    *l = (struct spec_list){ .count = 0 };
    r->done = done;
    r->done_ctx = l;
    if (!library_open(&l->library, r->arena.memory, e)) return false;
    for (size_t i = 0; i < k->spec_count; i++)
        if (!library_add_path(l->library, k->specs[i], e)) return false;
    if (name) {
        l->one = find_one(l->library, name, &r->arena);
        if (!l->one) return library_unknown(l->library, name, e);
        if (!cut_lines(l, &r->arena)) return error_nomem(e);
        report_one(r, &body_table, l);
        report_list(r, &body_line_table, ROWS(l->lines, l->line_count), NULL);
        return true;
    }
    if (!fill_list(l, layouts, &r->arena)) return error_nomem(e);
    r->quiet = l->count;
    report_list(r, &list_table, l, 0, l->count, l)->is.key = layouts ? "layouts" : "specs";
    return true;
}

NUMEL_MUST static numel_rc report_specs(numel_report **out, const numel_knowledge *k, const char *name,
                                        bool layouts, const numel_options *options, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    numel_knowledge known;
    numel_options own;
    *out = NULL;
    if (!border_knowledge(&known, k, e) || !border_options(&own, options, e)) return e->code;
    *out = report_new(own.allocator, "numel.spec/1", e);
    return report_made(out, *out && make_specs(*out, &known, name, layouts, e), e);
}

numel_rc numel_report_specs(numel_report **out, const numel_knowledge *k, const char *name,
                            const numel_options *options, numel_error *error)
{
    return report_specs(out, k, name, false, options, error);
}

numel_rc numel_report_layouts(numel_report **out, const numel_knowledge *k, const numel_options *options,
                              numel_error *error)
{
    return report_specs(out, k, NULL, true, options, error);
}

/* ---- lint --------------------------------------------------------------------------------- */

struct lint {
    struct library *library;
    struct complaints all;
    const char *places[COMPLAINTS];
    size_t count;
    struct linted *files;
    size_t file_count;
};

/* A file that has nothing to complain of: "mine.spec: ok". */
struct linted {
    const char *file, *state, *line;
};

static void lint_row(struct table_row *row, struct cell *c)
{
    const struct lint *l = row->of;
    c[0] = CELL_T(l->places[row->i]);
}

static const struct table lint_table =
    TABLE("complaints", NULL, SECTION_LIST, 0, lint_row, { NULL, "", 0, MADE },
          { "file", NULL, 0, AT(CELL_STR, struct complaint, file) },
          { "line", NULL, 0, AT(CELL_NUMBER, struct complaint, line) },
          { "column", NULL, 0, AT(CELL_NUMBER, struct complaint, column) },
          { "message", NULL, 0, AT(CELL_TEXT, struct complaint, message) });

static const struct table linted_table =
    TABLE("files", NULL, SECTION_LIST, 0, NULL, { NULL, "", 0, AT(CELL_TEXT, struct linted, line) },
          { "file", NULL, 0, AT(CELL_TEXT, struct linted, file) },
          { "state", NULL, 0, AT(CELL_TEXT, struct linted, state) });

static void lint_done(void *ctx) { library_free(((struct lint *)ctx)->library); }

/* The specification for a template: the one of the same name, else the one that matches this model type. */
static const struct library_entry *spec_of(struct library *l, numel_str name)
{
    const struct library_entry *own = library_find(l, name);
    if (own) return own->architecture ? own : NULL;
    struct config *c;
    numel_error ignored;
    error_clear(&ignored);
    const char *set = arena_join(&l->arena, text_of("model_type="), name, (numel_str){ NULL, 0 }).p;
    if (!config_new(&c, l->arena.memory, &ignored)) return NULL;
    if (set && config_set(c, set, &ignored)) own = library_match(l, c, SIDE_HF, &ignored);
    config_free(c);
    return own;
}

/* Uses a fresh copy of the specification, without definitions of other templates. */
NUMEL_MUST static bool lint_template(struct lint *l, const struct library_entry *spec,
                                     const struct library_template *text, numel_error *e)
{
    struct spec *s = NULL;
    struct template t = { .memory = l->library->arena.memory };
    numel_error first;
    error_clear(&first);
    bool sound = library_parse(l->library, spec, NULL, &s, t.memory, NULL, &first) &&
                 template_parse(&t, s, l->library, text, &l->all, &first);
    template_done(&t);
    spec_free(s);
    return sound || first.code != NUMEL_E_NOMEM || error_nomem(e);
}

/* A shared template is checked with those that use it. */
NUMEL_MUST static bool lint_print_file(struct lint *l, const struct library_entry *entry, numel_error *e)
{
    struct library_template text = { entry->text, entry->file, 0 };
    numel_str name = text_of(entry->name);
    text_take_end(&name, ".print");
    const struct library_entry *spec = spec_of(l->library, name);
    return !spec || lint_template(l, spec, &text, e);
}

NUMEL_MUST static bool lint_entry(struct lint *l, const struct library_entry *entry, numel_error *e)
{
    struct spec *s = NULL;
    struct print_section x;
    numel_error first;
    error_clear(&first);
    bool ok = library_parse(l->library, entry, NULL, &s, l->library->arena.memory, &l->all, &first);
    if (ok) spec_lint(s, entry->whole, &l->all);
    spec_free(s);
    if (first.code == NUMEL_E_NOMEM) return error_nomem(e);
    for (size_t at = 0; ok && section_next(entry->whole, &at, &x);) {
        struct library_template text = { x.text, entry->file, x.line };
        if (!lint_template(l, entry, &text, e)) return false;
    }
    return true;
}

NUMEL_MUST static bool lint_layout(struct lint *l, const struct library_entry *entry, numel_error *e)
{
    struct layout *layout = NULL;
    numel_error first;
    error_clear(&first);
    if (layout_parse(&layout, entry, l->library->arena.memory, &l->all, &first)) layout_lint(layout, &l->all);
    layout_free(layout);
    return first.code != NUMEL_E_NOMEM || error_nomem(e);
}

NUMEL_MUST static bool lint_forms(struct lint *l, const struct library_entry *entry, numel_error *e)
{
    struct forms *forms = NULL;
    numel_error first;
    error_clear(&first);
    bool sound = forms_parse(&forms, entry, l->library->arena.memory, &l->all, &first);
    forms_free(forms);
    return sound || first.code != NUMEL_E_NOMEM || error_nomem(e);
}

/* Lints what the entry is, if it can be read alone; otherwise *alone is false. */
NUMEL_MUST static bool lint_one(struct lint *l, const struct library_entry *x, bool *alone, numel_error *e)
{
    numel_str name = text_of(x->name);
    if (x->architecture) return lint_entry(l, x, e);
    if (text_ends(name, ".print")) return lint_print_file(l, x, e);
    if (library_is_layout(x)) return lint_layout(l, x, e);
    if (library_is_forms(x)) return lint_forms(l, x, e);
    *alone = text_ends(name, ".product");
    if (*alone) product_lint(x->file, x->whole, &l->all);
    return true;
}

static bool lint_sound(struct lint *l, const char *file, bool alone)
{
    const char *state =
        alone ? "ok" : "not checked: it has no arch line (a block is checked where it is used)";
    const char *line = arena_format(l->all.arena, "%s: %s", file, state);
    l->files[l->file_count++] = (struct linted){ file, state, line };
    return line != NULL;
}

/* The files that were given or, without any, all that are built in. */
NUMEL_MUST static bool lint_files(struct lint *l, struct numel_report *r, bool given, numel_error *e)
{
    size_t n = library_count(l->library);
    l->files = arena_alloc(&r->arena, (n + 1) * sizeof *l->files);
    if (!l->files) return error_nomem(e);
    for (size_t i = n; i-- > 0;) { /* the library has the last one first */
        const struct library_entry *x = library_at(l->library, i);
        size_t before = l->all.count;
        bool alone = true;
        if (given && x->built_in) continue;
        if (!lint_one(l, x, &alone, e)) return false;
        if (!alone) r->in_part = r->in_part || given;
        if (given && l->all.count == before && !lint_sound(l, x->file, alone)) return error_nomem(e);
    }
    return true;
}

/* "llama.spec:12:8: unknown symbol", like a compiler. */
NUMEL_MUST static bool lint_places(struct lint *l, struct arena *a)
{
    l->count = num_min(l->all.count, COMPLAINTS);
    for (size_t i = 0; i < l->count; i++) {
        const struct complaint *x = &l->all.items[i];
        l->places[i] =
            arena_format(a, "%s:%" PRIu32 ":%" PRIu32 ": %s", x->file, x->line, x->column, x->message);
        if (!l->places[i]) return false;
    }
    return true;
}

NUMEL_MUST static bool make_lint(struct numel_report *r, const char *const *files, size_t n, numel_error *e)
{
    struct lint *l = arena_alloc(&r->arena, sizeof *l);
    if (!l) return error_nomem(e);
    *l = (struct lint){ .all = { .arena = &r->arena } };
    r->done = lint_done;
    r->done_ctx = l;
    if (!library_open(&l->library, r->arena.memory, e)) return false;
    for (size_t i = 0; i < n; i++)
        if (!library_add_path(l->library, files[i], e)) return false;
    if (!lint_files(l, r, n > 0, e)) return false;
    if (l->all.failed || !lint_places(l, &r->arena)) return error_nomem(e);
    r->quiet = l->all.count;
    r->disagrees = l->all.count > 0;
    report_list(r, &lint_table, ROWS(l->all.items, l->count), l);
    report_list(r, &linted_table, ROWS(l->files, l->file_count), l);
    return true;
}

numel_rc numel_report_lint(numel_report **out, const char *const *files, size_t n,
                           const numel_options *options, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    numel_options own;
    *out = NULL;
    if (!border_options(&own, options, e)) return e->code;
    *out = report_new(own.allocator, "numel.lint/1", e);
    return report_made(out, *out && make_lint(*out, files, n, e), e);
}

/*
 * print_report.c -- the report of `numel print`: the module tree as transformers prints it.
 *
 * Text is the printout itself, line by line, so that it can be compared with an existing one. JSON is the
 * list of modules; equal neighbours in a ModuleList are one entry with a count.
 */
#include "reporter/judgement_section.h"
#include "printout/guess_tree.h"
#include "reporter/handles.h"
#include "reporter/sections.h"
#include "reporter/replaced.h"
#include "base/border.h"

struct print_report {
    struct handle *c;
    struct expansion *hf; /* for GGUF: under the names of Hugging Face */
    struct spec *spec;    /* the model's, parsed again: the template adds symbols to it */
    struct template template;
    struct tree tree;
    struct tree_lines lines;
    size_t *modules; /* lines that begin a module */
    size_t module_count;
    bool guessed;        /* from names: a template is missing, or incomplete */
    struct buffer *line; /* the current row; see rehearse() */
};

/* ---- rows --------------------------------------------------------------------------------- */

static const struct table guessed_table =
    TABLE(NULL, NULL, SECTION_FIELDS, TABLE_HIDDEN, NULL,
          { "guessed", NULL, 0, AT(CELL_BOOL, struct print_report, guessed) });

/* Text pasted elsewhere must still show that transformers never printed it. */
static const struct table note_table =
    TABLE(NULL, NULL, SECTION_LIST, 0, NULL,
          { NULL, "", COLUMN_VERBATIM,
            SAID("guessed from names and shapes; transformers has classes of its own:") });

static numel_str text_in(const struct print_report *p) { return buffer_view(p->line); }

static void line_row(struct table_row *row, struct cell *c)
{
    const struct print_report *p = row->of;
    p->line->n = 0;
    tree_line_text(&p->tree, &p->lines.items[row->i], p->line);
    row->depth = p->lines.items[row->i].depth;
    c[0] = CELL_S(text_in(p));
}

static const struct table line_table =
    TABLE(NULL, NULL, SECTION_LIST, 0, line_row, { NULL, "", COLUMN_VERBATIM, MADE });

/* Writes the path of a line, "model.layers.[0-31].self_attn". Returns how often the module occurs. */
static uint64_t put_path(const struct print_report *p, size_t at)
{
    const struct tree_line *l = &p->lines.items[at];
    if (!l->child) return 1;
    uint64_t outer = put_path(p, l->parent), count;
    if (p->line->n) buffer_char(p->line, '.');
    if (l->times > 1) buffer_char(p->line, '[');
    buffer_add(p->line, l->child->name.p, l->child->name.n);
    if (l->times > 1) {
        buffer_char(p->line, '-');
        buffer_add(p->line, l->last->name.p, l->last->name.n);
        buffer_char(p->line, ']');
    }
    return __builtin_mul_overflow(outer, l->times, &count) ? UINT64_MAX : count;
}

static void module_row(struct table_row *row, struct cell *c)
{
    const struct print_report *p = row->of;
    const struct tree_line *l = &p->lines.items[p->modules[row->i]];
    const struct shape *s = &p->tree.shapes[l->shape];
    numel_str class = s->class;
    p->line->n = 0;
    c[3] = CELL_U(CELL_COUNT, put_path(p, p->modules[row->i]));
    c[0] = CELL_S(text_in(p));
    c[2] = CELL_S(s->arguments);
    size_t open = s->whole ? text_find(class, 0, '(') : class.n;
    if (open < class.n) { /* an activation with arguments */
        c[2] = CELL_S(text_inner(text_from(class, open)));
        class = text_upto(class, open);
    }
    c[1] = CELL_S(class);
}

static const struct table module_table =
    TABLE("modules", NULL, SECTION_LIST, TABLE_HIDDEN, module_row, { "path", NULL, 0, MADE },
          { "class", NULL, 0, MADE }, { "arguments", NULL, 0, MADE }, { "count", NULL, 0, MADE });

/* ---- the tree ----------------------------------------------------------------------------- */

static void done(void *ctx)
{
    struct print_report *p = ctx;
    tree_lines_done(&p->lines);
    tree_done(&p->tree);
    if (p->template.memory) template_done(&p->template);
    spec_free(p->spec);
    buffer_done(p->line);
    expansion_free(p->hf);
}

/* Finds the library's template: of the model type, else of the specification. */
NUMEL_MUST static bool find_template(struct model *u, struct library_template *out, numel_error *e)
{
    numel_str path = text_of("model_type"), type = { NULL, 0 };
    struct value v;
    numel_error why = { 0 };
    if (config_value(u->config, u->spec, SIDE_HF, &path, 1, &v, &why) && v.kind == VALUE_TEXT) type = v.s;
    if (why.code == NUMEL_E_NOMEM) return error_nomem(e);
    return library_template(u->library, u->entry, type, out);
}

/* The expected tensors under the names of modules, for GGUF, too. */
NUMEL_MUST static const struct expansion *expected(struct print_report *p, const numel_allocator *m,
                                                   numel_error *e)
{
    struct model *u = p->c->model;
    struct expand_input in = { .spec = u->spec,
                               .config = u->config,
                               .side = SIDE_HF,
                               .other_values = !config_has_json(u->config),
                               .file = p->c->ck ? model_presence(u) : NULL };
    if (u->side == SIDE_HF) return u->x;
    return expand(&p->hf, &in, m, e) ? p->hf : NULL;
}

/* Without a model type there are no class defaults, and so neither dropout nor activation. Assumes the
 * specification's model type that is closest to GGUF's architecture or, for a guess, to the name of the
 * specification. *set: the type was set. */
NUMEL_MUST static bool know_class(struct model *u, bool *set, numel_error *e)
{
    numel_str keys[] = { text_of("model_type"), text_of("general.architecture") }, type;
    struct value v, other;
    *set = false;
    if (!config_value(u->config, u->spec, SIDE_HF, &keys[0], 1, &v, e) ||
        !config_value(u->config, u->spec, u->side, &keys[1], 1, &other, e))
        return false;
    if (v.kind == VALUE_TEXT) return true;
    numel_str like = other.kind == VALUE_TEXT ? other.s : text_of(u->entry->name);
    if (!spec_model_type(u->spec, like, &type)) return true;
    numel_str assignment = arena_join(&u->arena, text_of("model_type="), type, (numel_str){ NULL, 0 });
    if (!assignment.p) return error_nomem(e);
    return *set = config_set(u->config, assignment.p, e);
}

/* For a quantized file with a configuration: the method determines which modules are replaced. */
NUMEL_MUST static bool replaced_of(struct print_report *p, struct replaced_in *in, struct arena *a,
                                   numel_error *e)
{
    struct model *u = p->c->model;
    numel_str path = text_of("quantization_config.quant_method");
    struct value v;
    *in = (struct replaced_in){ .ck = p->c->ck, .arena = a };
    if (!config_value(u->config, u->spec, SIDE_HF, &path, 1, &v, e)) return false;
    if (v.kind == VALUE_TEXT) in->method = v.s;
    return true;
}

NUMEL_MUST static bool from_template(struct print_report *p, const struct library_template *text,
                                     const struct expansion *x, struct arena *a, numel_error *e)
{
    struct model *model = p->c->model;
    struct replaced_in in;
    bool set = false;
    if (!replaced_of(p, &in, a, e)) return false;
    if (!library_parse(model->library, model->entry, model->config, &p->spec, a->memory, NULL, e))
        return false;
    size_t symbols = p->spec->symbol_count;
    bool ok = know_class(model, &set, e) &&
              template_parse(&p->template, p->spec, model->library, text, NULL, e) &&
              tree_make(&p->tree, &p->template, x, symbols, in.ck ? replaced_at : NULL, &in, a->memory, e);
    if (set) config_unset(model->config); /* other reports use the original configuration */
    return ok;
}

/* Makes the tree from names alone: those that the specification expects, else those in the file. */
NUMEL_MUST static bool from_names(struct print_report *p, const numel_checkpoint *ck, struct arena *a,
                                  numel_error *e)
{
    const struct expansion *x = p->c->model->x && p->c->model->side == SIDE_HF ? p->c->model->x : NULL;
    size_t n = x ? x->row_count : ck->registry.count;
    struct named_dims *items = arena_alloc(a, n * sizeof *items);
    if (!items) return error_nomem(e);
    for (size_t i = 0; i < n; i++) {
        const numel_tensor *t = x ? NULL : &ck->registry.tensors[i];
        const struct site *s = x ? &x->sites[x->rows[i].site] : NULL;
        items[i] = (struct named_dims){ .name = x ? x->rows[i].name : t->name,
                                        .dims = x ? s->dims : t->dims,
                                        .ndim = x ? s->ndim : t->ndim };
    }
    return tree_guess(&p->tree, items, n, a->memory, e);
}

/* Makes every row once, so that p->line is large enough for all of them: a row cannot fail later. */
static bool rehearse(struct print_report *p, struct arena *a)
{
    p->modules = arena_alloc(a, p->lines.count * sizeof *p->modules);
    if (!p->modules) return false;
    for (size_t i = 0; i < p->lines.count; i++) {
        p->line->n = 0;
        tree_line_text(&p->tree, &p->lines.items[i], p->line);
        if (p->lines.items[i].form != LINE_WHOLE && p->lines.items[i].form != LINE_OPEN) continue;
        p->modules[p->module_count++] = i;
        p->line->n = 0;
        put_path(p, i);
    }
    return !p->line->failed;
}

/* ---- the report --------------------------------------------------------------------------- */

NUMEL_MUST static bool take_model(struct numel_report *out, struct print_report *p, numel_error *e)
{
    if (!judged_section(out, p->c, e)) return false;
    if (p->c->model->x || p->c->ck) return true;
    *e = p->c->model->why;
    return error_set(e, NUMEL_E_CONFIG, NUMEL_NOWHERE,
                     "no configuration: give a config.json, or --arch NAME and --set SYM=N");
}

static void add_sections(struct numel_report *r, const struct print_report *p)
{
    component_section(r, p->c->ck);
    report_one(r, &guessed_table, p);
    if (p->guessed) report_one(r, &note_table, p);
    report_list(r, &line_table, p, 0, p->lines.count, p);
    report_list(r, &module_table, p, 0, p->module_count, p);
}

NUMEL_MUST static bool make_print(struct numel_report *r, struct handle *c, numel_error *e)
{
    struct print_report *p = arena_alloc(&r->arena, sizeof *p);
    struct buffer *line = arena_alloc(&r->arena, sizeof *line);
    if (!p || !line) return error_nomem(e);
    *p = (struct print_report){ .c = c, .line = line };
    buffer_init(line, r->arena.memory);
    tree_init(&p->tree, r->arena.memory);
    p->lines.memory = r->arena.memory;
    r->done = done;
    r->done_ctx = p;
    if (!take_model(r, p, e)) return false;
    struct library_template text;
    bool known = p->c->model->x && find_template(p->c->model, &text, e);
    const struct expansion *x = known ? expected(p, r->arena.memory, e) : NULL;
    if (e->code == NUMEL_E_NOMEM) return false;
    error_clear(e); /* GGUF metadata may lack what a class needs */
    if (x && !from_template(p, &text, x, &r->arena, e)) return false;
    r->disagrees = p->guessed = !x || p->tree.lacks;
    if (p->guessed) {
        tree_done(&p->tree);
        if (!from_names(p, c->ck, &r->arena, e)) return false;
    }
    if (!tree_lines_make(&p->lines, &p->tree, e)) return false;
    if (!rehearse(p, &r->arena)) return error_nomem(e);
    r->quiet = p->module_count;
    add_sections(r, p);
    return true;
}

numel_rc numel_report_print(numel_report **out, numel_subject *s, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    struct handle *c = subject_model(s, e);
    *out = c ? report_new(c->memory, "numel.print/1", e) : NULL;
    return report_made(out, *out && make_print(*out, c, e), e);
}

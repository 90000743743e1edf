/* library.c -- see library.h. */
#include "formula/library.h"

#include "formula/embedded.h"
#include "formula/layout.h"
#include "formula/section.h"
#include "source/folder.h"
#include "source/slurp.h"

#include <string.h>

/* ---- entries ---------------------------------------------------------------------------------- */

static numel_str next_word(numel_str *line)
{
    numel_str word = text_word(line);
    if (word.n && word.p[0] == '#') word.n = 0;
    return word;
}

/* Of a specification that is built in `arch` is the first thing said, or it is a block. */
static numel_str arch_name(numel_str text, bool built_in)
{
    while (text.n) {
        numel_str line = text_line(&text), word = next_word(&line);
        if (text_equal(word, "arch")) return next_word(&line);
        if (built_in && word.n) break;
    }
    return (numel_str){ NULL, 0 };
}

/* "path/llama.spec" -> "llama" */
static numel_str stem(const char *file)
{
    const char *slash = strrchr(file, '/');
    numel_str name = text_of(slash ? slash + 1 : file);
    if (name.n > 5 && text_ends(name, ".spec")) name.n -= 5;
    return name;
}

static bool add(struct library *l, const char *file, numel_str text, bool built_in, numel_error *e)
{
    bool other = text_ends(text_of(file), ".print") || text_ends(text_of(file), ".layout");
    numel_str arch = other ? (numel_str){ NULL, 0 } : arch_name(section_before(text), built_in),
              name = arch.n ? arch : stem(file);
    char *kept = arena_text(&l->arena, name.p, name.n);
    if (!kept) return error_nomem(e);
    if (!memory_grow(l->arena.memory, (void **)&l->entries, &l->cap, l->count + 1, sizeof *l->entries, e))
        return false;
    size_t at = l->count++;
    for (; !built_in && at > 0; at--) l->entries[at] = l->entries[at - 1]; /* the user's first */
    numel_str spec = other ? text : section_before(text);
    l->entries[at] = (struct library_entry){ kept, name.n, file, spec, text, built_in, arch.n > 0, NULL };
    l->own += !built_in;
    return true;
}

static bool is_ours(const char *file)
{
    static const char *const ends[] = { ".spec", ".layout", ".print" };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (text_ends(text_of(file), ends[i])) return true;
    return false;
}

bool library_is_layout(const struct library_entry *entry)
{
    return text_ends(text_of(entry->name), ".layout");
}

bool library_open(struct library **out, const numel_allocator *m, numel_error *e)
{
    struct library *l = memory_resize(m, NULL, sizeof *l);
    *out = NULL;
    if (!l) return error_nomem(e);
    *l = (struct library){ 0 };
    arena_init(&l->arena, m);
    bool ok = true;
    for (size_t i = 0; ok && i < embedded_count; i++) {
        const struct embedded *f = &embedded_files[i];
        numel_str text = { (const char *)f->text, f->bytes };
        if (is_ours(f->name)) ok = add(l, f->name, text, true, e);
    }
    if (ok) *out = l;
    else library_free(l);
    return ok;
}

void library_free(struct library *l)
{
    if (!l) return;
    const numel_allocator *m = l->arena.memory;
    for (size_t i = 0; i < l->count; i++) spec_free(l->entries[i].spec);
    for (size_t i = 0; i < l->layout_count; i++) layout_free(l->layouts[i]);
    memory_release(m, l->entries);
    arena_done(&l->arena);
    memory_release(m, l);
}

bool library_add_text(struct library *l, const char *file, const char *text, size_t n, numel_error *e)
{
    char *name = arena_text(&l->arena, file, strlen(file)), *copy = arena_text(&l->arena, text, n);
    if (!name || !copy) return error_nomem(e);
    return add(l, name, (numel_str){ copy, n }, false, e);
}

/* ---- the user's files ------------------------------------------------------------------------- */

static bool add_file(struct library *l, const char *path, numel_error *e)
{
    struct buffer text;
    buffer_init(&text, l->arena.memory);
    bool ok = slurp(&text, path, SPEC_BYTES, e) && library_add_text(l, path, text.p, text.n, e);
    buffer_done(&text);
    return ok;
}

enum { FOLDERS = 16 }; /* in each other */

/* The files of a folder that are named as ours are, and of the folders in it. */
static bool add_folder(struct library *l, const char *path, unsigned depth, numel_error *e)
{
    struct folder f;
    if (!folder_list(&f, path, &l->arena, e)) {
        error_file(e, path);
        return false;
    }
    bool ok = true;
    for (size_t i = 0; ok && i < f.count; i++) {
        const struct folder_entry *item = &f.entries[i];
        if (item->name.p[0] == '.' || (item->directory ? depth == FOLDERS : !is_ours(item->name.p))) continue;
        const char *inside = path_join(&l->arena, path, item->name);
        if (!inside) ok = error_nomem(e);
        else ok = item->directory ? add_folder(l, inside, depth + 1, e) : add_file(l, inside, e);
    }
    folder_done(&f);
    return ok;
}

bool library_add_path(struct library *l, const char *path, numel_error *e)
{
    if (path_kind(path) == PATH_DIRECTORY) return add_folder(l, path, 1, e);
    return add_file(l, path, e);
}

/* ---- finding ---------------------------------------------------------------------------------- */

const struct library_entry *library_find(const struct library *l, numel_str name)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct library_entry *x = &l->entries[i];
        if (x->name_bytes == name.n && memcmp(x->name, name.p, name.n) == 0) return x;
    }
    return NULL;
}

static bool shadowed(const struct library *l, const struct library_entry *entry)
{
    return l->own && library_find(l, text_of(entry->name)) != entry; /* names of ours are all different */
}

static bool holds(numel_str words, const struct value *v)
{
    for (numel_str word = next_word(&words); word.n; word = next_word(&words)) {
        if (v->kind == VALUE_TEXT && text_same(word, v->s)) return true;
        for (uint64_t i = 0; v->kind == VALUE_LIST && v->list.items && i < v->list.n; i++)
            if (v->list.items[i].kind == VALUE_TEXT && text_same(word, v->list.items[i].s)) return true;
    }
    return false;
}

/* 0: no, 1: yes, 2: by `architectures`, -1: failed. `line` is a match line after its keyword. */
static int fits(numel_str line, struct config *c, enum side side, numel_error *e)
{
    numel_str which = next_word(&line), field = next_word(&line), in = next_word(&line);
    struct value v;
    if (!text_equal(which, side == SIDE_HF ? "hf" : "gguf") || !text_equal(in, "in")) return 0;
    if (!config_value(c, NULL, side, &field, 1, &v, e)) return -1;
    if (!holds(line, &v)) return 0;
    return text_equal(field, "architectures") ? 2 : 1;
}

static int entry_fits(const struct library_entry *entry, struct config *c, enum side side, numel_error *e)
{
    numel_str text = entry->text;
    int best = 0;
    while (text.n && best >= 0) {
        numel_str line = text_line(&text);
        if (!text_equal(next_word(&line), "match")) continue;
        int fit = fits(line, c, side, e);
        if (fit < 0 || fit > best) best = fit;
    }
    return best;
}

static void say_unknown(struct config *c, enum side side, numel_error *e)
{
    numel_str field = text_of(side == SIDE_HF ? "model_type" : "general.architecture");
    struct value v;
    char shown[VALUE_SHOW];
    if (!config_value(c, NULL, side, &field, 1, &v, e)) return;
    if (!config_has_json(c) && !config_has_metadata(c))
        error_set(e, NUMEL_E_KEY, NUMEL_NOWHERE,
                  "no configuration (--config FILE, or --arch NAME with --set SYM=N)");
    else if (v.kind == VALUE_NULL)
        error_set(e, NUMEL_E_KEY, NUMEL_NOWHERE, "the configuration has no %s", field.p);
    else if (v.kind != VALUE_TEXT)
        error_set(e, NUMEL_E_CONFIG, NUMEL_NOWHERE, "%s is %s, no name", field.p, value_show(shown, &v));
    else
        error_set(e, NUMEL_E_ARCH, NUMEL_NOWHERE, "no specification for %s %s", field.p,
                  value_show(shown, &v));
}

const struct library_entry *library_match(const struct library *l, struct config *c, enum side side,
                                          numel_error *e)
{
    const struct library_entry *found = NULL;
    int best = 0;
    for (size_t i = 0; i < l->count; i++) {
        if (!l->entries[i].architecture || shadowed(l, &l->entries[i])) continue;
        int fit = entry_fits(&l->entries[i], c, side, e);
        if (fit < 0) return NULL;
        if (fit > best) {
            best = fit;
            found = &l->entries[i];
        }
    }
    if (!found) say_unknown(c, side, e);
    return found;
}

static bool source(void *ctx, numel_str name, numel_str *text, const char **file)
{
    const struct library_entry *entry = library_find(ctx, name);
    if (!entry) return false;
    *text = entry->whole;
    *file = entry->file;
    return true;
}

bool library_parse(const struct library *l, const struct library_entry *entry, struct spec **out,
                   const numel_allocator *m, struct complaints *all, numel_error *e)
{
    struct spec_input in = { entry->whole, entry->file, source, (void *)(uintptr_t)l };
    return spec_parse(out, &in, m, all, e);
}

/* ---- templates -------------------------------------------------------------------------------- */

/* The user's NAME.print, or one built in when `own` is false. */
static bool template_file(const struct library *l, numel_str name, bool own, struct library_template *out)
{
    char file[128];
    numel_str full = text_join(file, sizeof file, name, text_of(".print"), (numel_str){ NULL, 0 });
    const struct library_entry *entry = full.p ? library_find(l, full) : NULL;
    if (!entry || (own && entry->built_in)) return false;
    *out = (struct library_template){ entry->text, entry->file, 0 };
    return true;
}

static bool from_section(const struct library_entry *entry, const struct print_section *s,
                         struct library_template *out)
{
    *out = (struct library_template){ s->text, entry->file, s->line };
    return true;
}

static const struct library_entry *find_built_in(const struct library *l, numel_str name)
{
    for (size_t i = l->own; i < l->count; i++)
        if (l->entries[i].architecture && text_same(text_of(l->entries[i].name), name)) return &l->entries[i];
    return NULL;
}

bool library_template(const struct library *l, const struct library_entry *spec, numel_str model_type,
                      struct library_template *out)
{
    numel_str names[] = { model_type, text_of(spec->name) };
    struct print_section s;
    if (template_file(l, names[0], true, out)) return true;
    if (section_named(spec->whole, model_type, &s)) return from_section(spec, &s, out);
    if (template_file(l, names[1], true, out)) return true;
    if (section_for(spec->whole, model_type, &s)) return from_section(spec, &s, out);
    for (size_t i = 0; i < 2; i++) {
        const struct library_entry *other = find_built_in(l, names[i]);
        if (other && section_for(other->whole, model_type, &s)) return from_section(other, &s, out);
    }
    return false;
}

bool library_template_named(const struct library *l, numel_str name, struct library_template *out)
{
    return template_file(l, name, false, out);
}

/* ---- parsed once ------------------------------------------------------------------------------ */

bool library_spec(struct library *l, const struct library_entry *entry, const struct spec **out,
                  numel_error *e)
{
    struct library_entry *own = &l->entries[entry - l->entries];
    bool ok = own->spec || library_parse(l, own, &own->spec, l->arena.memory, NULL, e);
    *out = own->spec;
    return ok;
}

bool library_layouts(struct library *l, numel_error *e)
{
    size_t n = 0;
    if (l->layouts_read) return true;
    for (size_t i = 0; i < l->count; i++) n += library_is_layout(&l->entries[i]);
    if (!l->layouts) l->layouts = arena_alloc(&l->arena, (n + 1) * sizeof *l->layouts);
    if (!l->layouts) return error_nomem(e);
    while (l->layout_count) layout_free(l->layouts[--l->layout_count]); /* of a call that failed */
    for (size_t i = 0; i < l->count; i++) {
        const struct library_entry *entry = &l->entries[i];
        if (!library_is_layout(entry) || library_find(l, text_of(entry->name)) != entry) continue;
        if (!layout_parse(&l->layouts[l->layout_count], entry, l->arena.memory, NULL, e)) return false;
        l->layout_count++;
    }
    return l->layouts_read = true;
}

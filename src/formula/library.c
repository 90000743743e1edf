/*
 * library.c -- the known specs: entries, the user's files, and which spec fits a configuration.
 *
 * Built-in files are found through the index of embedded.h, never by a search. Only the user's files, which
 * are few, are searched one by one.
 */
#include "formula/library.h"

#include "formula/config_internal.h"
#include "formula/embedded.h"
#include "formula/lookup.h"
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

static struct library_entry built_in(uint32_t file)
{
    const struct embedded_file *f = &embedded_files[file];
    numel_str whole = { embedded_text + f->text, f->bytes };
    return (struct library_entry){
        .name = embedded_text + f->name,
        .name_bytes = f->name_bytes,
        .file = embedded_text + f->file,
        .family = embedded_text + f->family,
        .text = { whole.p, f->kind == EMBEDDED_ARCH || f->kind == EMBEDDED_BLOCK ? f->spec_bytes : whole.n },
        .whole = whole,
        .built_in = true,
        .architecture = f->kind == EMBEDDED_ARCH,
        .serves_hf = f->serves_hf,
    };
}

bool library_open(struct library **out, const numel_allocator *m, numel_error *e)
{
    struct library *l = memory_resize(m, NULL, sizeof *l);
    *out = NULL;
    if (!l) return error_nomem(e);
    *l = (struct library){ .built_in = memory_resize(m, NULL, embedded_count * sizeof *l->built_in) };
    arena_init(&l->arena, m);
    if (!l->built_in) {
        library_free(l);
        return error_nomem(e);
    }
    for (uint32_t i = 0; i < embedded_count; i++) l->built_in[i] = built_in(i);
    *out = l;
    return true;
}

void library_free(struct library *l)
{
    if (!l) return;
    const numel_allocator *m = l->arena.memory;
    library_free_parsed(l);
    memory_release(m, l->own);
    memory_release(m, l->built_in);
    arena_done(&l->arena);
    memory_release(m, l);
}

size_t library_count(const struct library *l) { return l->own_count + embedded_count; }

const struct library_entry *library_at(const struct library *l, size_t i)
{
    return i < l->own_count ? &l->own[l->own_count - 1 - i] : &l->built_in[i - l->own_count];
}

bool library_is_layout(const struct library_entry *entry)
{
    return text_ends(text_of(entry->name), ".layout");
}

bool library_is_forms(const struct library_entry *entry) { return text_ends(text_of(entry->name), ".forms"); }

/* ---- the user's files ------------------------------------------------------------------------- */

/* "path/llama.spec" -> "llama" */
static numel_str stem(const char *file)
{
    numel_str name = path_base(file);
    if (name.n > 5 && text_ends(name, ".spec")) name = text_less(name, 5);
    return name;
}

/* Reads what the index has for built-in files: the name, and whether it serves Hugging Face models. */
static void read_lines(struct library_entry *entry, numel_str *name)
{
    numel_str text = entry->text;
    while (text.n) {
        numel_str line = text_line(&text), word = next_word(&line);
        if (text_equal(word, "arch") && !entry->architecture) {
            entry->architecture = true;
            *name = next_word(&line);
        }
        entry->serves_hf |= text_equal(word, "match") && text_equal(next_word(&line), "hf") &&
                            !text_equal(next_word(&line), "adapter");
    }
}

static bool is_ours(const char *file)
{
    static const char *const ends[] = { ".spec", ".layout", ".forms", ".print", ".product" };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (text_ends(text_of(file), ends[i])) return true;
    return false;
}

bool library_add_text(struct library *l, const char *file, const char *text, size_t n, numel_error *e)
{
    char *path = arena_text(&l->arena, file, strlen(file)), *copy = arena_text(&l->arena, text, n);
    if (!path || !copy) return error_nomem(e);
    struct library_entry entry = { .file = path, .text = { copy, n }, .whole = { copy, n } };
    numel_str name = stem(path);
    if (!text_ends(name, ".print") && !text_ends(name, ".layout") && !text_ends(name, ".forms")) {
        entry.text = section_before(entry.whole);
        read_lines(&entry, &name);
    }
    if (!(entry.name = arena_text(&l->arena, name.p, name.n))) return error_nomem(e);
    entry.name_bytes = name.n;
    if (!memory_grow(l->arena.memory, (void **)&l->own, &l->own_cap, l->own_count + 1, sizeof *l->own, e))
        return false;
    l->own[l->own_count++] = entry;
    return true;
}

NUMEL_MUST static bool add_file(struct library *l, const char *path, numel_error *e)
{
    struct buffer text;
    buffer_init(&text, l->arena.memory);
    bool ok = slurp(&text, path, SPEC_BYTES, e) && library_add_text(l, path, text.p, text.n, e);
    buffer_done(&text);
    return ok;
}

enum { FOLDERS = 16 }; /* nested */

/* Adds the files of a folder that have one of our suffixes, and its subfolders. */
NUMEL_MUST static bool add_folder(struct library *l, const char *path, unsigned depth, numel_error *e)
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

/* ---- lookup ----------------------------------------------------------------------------------- */

const struct library_entry *library_find(const struct library *l, numel_str name)
{
    uint32_t file;
    for (size_t i = 0; i < l->own_count; i++) {
        const struct library_entry *x = library_at(l, i);
        if (text_same((numel_str){ x->name, x->name_bytes }, name)) return x;
    }
    return lookup_name(name, &file) ? &l->built_in[file] : NULL;
}

bool library_unknown(const struct library *l, const char *name, numel_error *e)
{
    char quoted[TEXT_QUOTE];
    const char *near = NULL;
    size_t least = NUMEL_FAR;
    for (size_t i = 0; i < library_count(l); i++) {
        const struct library_entry *x = library_at(l, i);
        size_t d = x->architecture ? numel_nearness(name, x->name) : NUMEL_FAR;
        bool like = d > 2 || d * 3 <= strlen(name); /* it starts alike, or few letters differ */
        if (d < least && like) least = d, near = x->name;
    }
    text_quote(quoted, text_of(name));
    if (near)
        return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "unknown architecture %s; did you mean '%s'?",
                         quoted, near);
    return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "unknown architecture %s; see 'numel spec list'",
                     quoted);
}

static bool shadowed(const struct library *l, const struct library_entry *entry)
{
    return l->own_count && library_find(l, text_of(entry->name)) != entry; /* built-in names are unique */
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
    return text_equal(field, "architectures") || text_equal(field, "timm") ? 2 : 1;
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

/* Finds the projector type of a llama.cpp projector file, for match lines. */
NUMEL_MUST static bool projector_of(struct config *c, struct value *v, numel_error *e)
{
    static const char *const keys[] = { "projector_type", "vision.projector_type", "audio.projector_type" };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        numel_str key = text_of(keys[i]);
        if (!config_value(c, NULL, SIDE_GGUF, &key, 1, v, e)) return false;
        if (v->kind == VALUE_TEXT) return true;
    }
    return true;
}

static void say_unknown(struct config *c, enum side side, numel_error *e)
{
    const char *field;
    struct value v, projector = { .kind = VALUE_NULL };
    char shown[VALUE_SHOW], type[VALUE_SHOW];
    if (!config_kind(c, NULL, side, &field, &v, e)) return;
    bool clip = side == SIDE_GGUF && v.kind == VALUE_TEXT && text_equal(v.s, "clip");
    if (clip && !projector_of(c, &projector, e)) return;
    if (!config_has_json(c) && !config_has_metadata(c))
        error_set(e, NUMEL_E_KEY, NUMEL_NOWHERE,
                  "no configuration (--config FILE, or --arch NAME with --set SYM=N)");
    else if (v.kind == VALUE_NULL)
        error_set(e, NUMEL_E_KEY, NUMEL_NOWHERE,
                  "the configuration has no %s; name the architecture with --arch NAME", field);
    else if (v.kind != VALUE_TEXT)
        error_set(e, NUMEL_E_CONFIG, NUMEL_NOWHERE, "%s is %s, not a name", field, value_show(shown, &v));
    else if (projector.kind == VALUE_TEXT)
        error_set(e, NUMEL_E_ARCH, NUMEL_NOWHERE, "no specification for projector_type %s of %s %s",
                  value_show(type, &projector), field, value_show(shown, &v));
    else
        error_set(e, NUMEL_E_ARCH, NUMEL_NOWHERE, "no specification for %s %s", field, value_show(shown, &v));
}

/* A search for the spec whose match lines fit. */
struct search {
    const struct library *library;
    struct config *config;
    enum side side;
    const struct library_entry *found;
    int best;
    bool *considered; /* by built-in file */
    numel_error *error;
};

static bool consider(struct search *s, const struct library_entry *entry)
{
    if (!entry->architecture || shadowed(s->library, entry)) return true;
    int fit = entry_fits(entry, s->config, s->side, s->error);
    bool first = fit == s->best && s->found && s->found->built_in && entry->built_in && entry < s->found;
    if (fit > s->best || first) {
        s->best = fit;
        s->found = entry;
    }
    return fit >= 0;
}

/* Considers the specs that the index has for a word; their own match lines decide. */
static bool consider_word(struct search *s, uint32_t field, const struct value *word)
{
    uint32_t first, count = word->kind == VALUE_TEXT ? lookup_keys(field, word->s, &first) : 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t file = embedded_keys[first + i].file;
        if (s->considered[file]) continue;
        s->considered[file] = true;
        if (!consider(s, &s->library->built_in[file])) return false;
    }
    return true;
}

static bool consider_built_in(struct search *s)
{
    for (uint32_t field = 0; field < embedded_field_count; field++) {
        numel_str name = text_of(embedded_text + embedded_fields[field].name);
        struct value v;
        if (embedded_fields[field].side != s->side) continue;
        if (!config_value(s->config, NULL, s->side, &name, 1, &v, s->error)) return false;
        bool list = v.kind == VALUE_LIST && v.list.items;
        if (!list && !consider_word(s, field, &v)) return false;
        for (uint64_t i = 0; list && i < v.list.n; i++)
            if (!consider_word(s, field, &v.list.items[i])) return false;
    }
    return true;
}

const struct library_entry *library_match(const struct library *l, struct config *c, enum side side,
                                          numel_error *e)
{
    const numel_allocator *m = l->arena.memory;
    struct search s = { .library = l, .config = c, .side = side, .error = e };
    bool ok = true;
    if (!(s.considered = memory_resize(m, NULL, embedded_count * sizeof *s.considered))) {
        error_nomem(e);
        return NULL;
    }
    memset(s.considered, 0, embedded_count * sizeof *s.considered);
    for (size_t i = 0; ok && i < l->own_count; i++) ok = consider(&s, library_at(l, i));
    ok = ok && consider_built_in(&s);
    memory_release(m, s.considered);
    if (ok && !s.found) say_unknown(c, side, e);
    return ok ? s.found : NULL;
}

static bool source(void *ctx, numel_str name, numel_str *text, const char **file)
{
    const struct library_entry *entry = library_find(ctx, name);
    if (!entry) return false;
    *text = entry->whole;
    *file = entry->file;
    return true;
}

/* ---- parts ------------------------------------------------------------------------------------ */

/* The context in which parts of a spec are linked. */
struct linking {
    const struct library *library;
    struct config *config; /* NULL: none */
};

static bool linked_source(void *ctx, numel_str name, numel_str *text, const char **file)
{
    const struct linking *l = ctx;
    return source((void *)(uintptr_t)l->library, name, text, file);
}

/* True for model_type, and for _class_name, which diffusers uses instead. */
static bool names_kind(numel_str field)
{
    return text_equal(field, "model_type") || text_equal(field, "_class_name");
}

/* True if a match line of the user's spec has the model type. */
static bool serves_type(const struct library_entry *entry, const struct value *model_type)
{
    numel_str text = entry->text;
    while (text.n) {
        numel_str line = text_line(&text);
        if (text_equal(next_word(&line), "match") && text_equal(next_word(&line), "hf") &&
            names_kind(next_word(&line)) && text_equal(next_word(&line), "in") && holds(line, model_type))
            return true;
    }
    return false;
}

numel_str library_class(const struct library_entry *entry)
{
    numel_str text = entry->text, only = { NULL, 0 };
    while (text.n) {
        numel_str line = text_line(&text);
        if (!text_equal(next_word(&line), "match") || !text_equal(next_word(&line), "hf") ||
            !text_equal(next_word(&line), "_class_name") || !text_equal(next_word(&line), "in"))
            continue;
        if (only.n) return (numel_str){ NULL, 0 };
        only = next_word(&line);
        if (next_word(&line).n) return (numel_str){ NULL, 0 };
    }
    return only;
}

static bool names_timm(numel_str field) { return text_equal(field, "timm"); }

/* The first built-in spec with the word in such a field; NULL if none. */
static const struct library_entry *by_field(const struct library *l, bool (*is_kind)(numel_str),
                                            numel_str word)
{
    for (uint32_t field = 0; field < embedded_field_count; field++) {
        const struct embedded_field *f = &embedded_fields[field];
        bool meant = f->side == SIDE_HF && is_kind(text_of(embedded_text + f->name));
        uint32_t first, count = meant ? lookup_keys(field, word, &first) : 0;
        for (uint32_t i = 0; i < count; i++) {
            const struct library_entry *entry = &l->built_in[embedded_keys[first + i].file];
            if (entry->architecture && !shadowed(l, entry)) return entry;
        }
    }
    return NULL;
}

const struct library_entry *library_timm(const struct library *l, numel_str class)
{
    return by_field(l, names_timm, class);
}

/* The spec for an architecture of timm that is the type of a part. */
static const struct library_entry *for_architecture(const struct library *l, numel_str name)
{
    struct defaults_class known;
    numel_str json;
    if (!defaults_find(name, &known) || !defaults_value(&known, text_of("timm"), &json) || json.n < 2)
        return NULL;
    return library_timm(l, text_inner(json));
}

const struct library_entry *library_type(const struct library *l, numel_str model_type)
{
    struct value v = value_text(model_type);
    for (size_t i = 0; i < l->own_count; i++)
        if (library_at(l, i)->architecture && serves_type(library_at(l, i), &v)) return library_at(l, i);
    const struct library_entry *entry = by_field(l, names_kind, model_type);
    return entry ? entry : for_architecture(l, model_type);
}

NUMEL_MUST static bool link_part(void *ctx, const struct spec *s, numel_str path, struct spec_link *link,
                                 numel_error *e)
{
    const struct linking *l = ctx;
    if (!link->type.p && !config_part_type(l->config, s, path, &link->type, e)) return false;
    const struct library_entry *entry = link->type.n ? library_type(l->library, link->type) : NULL;
    if (entry) link->text = entry->whole;
    if (entry) link->file = entry->file;
    return true;
}

bool library_parse(const struct library *l, const struct library_entry *entry, struct config *c,
                   struct spec **out, const numel_allocator *m, struct complaints *all, numel_error *e)
{
    struct linking linking = { l, c };
    struct spec_input in = { entry->whole, entry->file, linked_source, &linking, link_part };
    return spec_parse(out, &in, m, all, e);
}

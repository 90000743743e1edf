/*
 * library_template.c -- selects the print template for a spec and a model type: a section of a spec, a user's
 * file, or a shared one.
 */
#include "formula/library.h"
#include "formula/lookup.h"
#include "formula/section.h"

/* NAME.print: the user's only (`own`), or also a built-in one. */
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
    uint32_t file;
    return lookup_name(name, &file) && l->built_in[file].architecture ? &l->built_in[file] : NULL;
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

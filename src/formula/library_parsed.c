/*
 * library_parsed.c -- parses specs and layouts once for all readers: a search tries many specs, and each
 * trial needs all layouts.
 */
#include "formula/forms.h"
#include "formula/layout.h"
#include "formula/library.h"

bool library_spec(struct library *l, const struct library_entry *entry, const struct spec **out,
                  numel_error *e)
{
    const numel_allocator *m = l->arena.memory;
    struct spec *spec;
    *out = NULL;
    for (size_t i = 0; i < l->spec_count && !*out; i++)
        if (l->specs[i].entry == entry) *out = l->specs[i].spec;
    if (*out) return true;
    if (!memory_grow(m, (void **)&l->specs, &l->spec_cap, l->spec_count + 1, sizeof *l->specs, e) ||
        !library_parse(l, entry, NULL, &spec, m, NULL, e))
        return false;
    l->specs[l->spec_count++] = (struct library_spec){ entry, spec };
    *out = spec;
    return true;
}

bool library_spec_for(struct library *l, struct library_linked *own, const struct library_entry *entry,
                      struct config *c, const struct spec **out, numel_error *e)
{
    const numel_allocator *m = l->arena.memory;
    struct spec *spec;
    if (!library_spec(l, entry, out, e)) return false;
    if (!(*out)->parted || !c) return true;
    for (size_t i = 0; i < own->count; i++)
        if (own->items[i].entry == entry) return *out = own->items[i].spec, true;
    if (!memory_grow(m, (void **)&own->items, &own->cap, own->count + 1, sizeof *own->items, e) ||
        !library_parse(l, entry, c, &spec, m, NULL, e))
        return false;
    own->items[own->count++] = (struct library_spec){ entry, spec };
    return *out = spec, true;
}

void library_linked_free(struct library_linked *own, const numel_allocator *m)
{
    while (own->count) spec_free(own->items[--own->count].spec);
    memory_release(m, own->items);
    *own = (struct library_linked){ .items = NULL };
}

bool library_layouts(struct library *l, numel_error *e)
{
    size_t n = 0, all = library_count(l);
    if (l->layouts_read) return true;
    for (size_t i = 0; i < all; i++) n += library_is_layout(library_at(l, i));
    if (!l->layouts) l->layouts = arena_alloc(&l->arena, (n + 1) * sizeof *l->layouts);
    if (!l->layouts) return error_nomem(e);
    while (l->layout_count) layout_free(l->layouts[--l->layout_count]); /* left by a call that failed */
    for (size_t i = 0; i < all; i++) {
        const struct library_entry *entry = library_at(l, i);
        if (!library_is_layout(entry) || library_find(l, text_of(entry->name)) != entry) continue;
        if (!layout_parse(&l->layouts[l->layout_count], entry, l->arena.memory, NULL, e)) return false;
        l->layout_count++;
    }
    return l->layouts_read = true;
}

bool library_forms(struct library *l, numel_error *e)
{
    size_t n = 0, all = library_count(l);
    if (l->forms_read) return true;
    for (size_t i = 0; i < all; i++) n += library_is_forms(library_at(l, i));
    if (!l->forms) l->forms = arena_alloc(&l->arena, (n + 1) * sizeof(struct forms *));
    if (!l->forms) return error_nomem(e);
    while (l->form_count) forms_free(l->forms[--l->form_count]); /* left by a call that failed */
    for (size_t i = 0; i < all; i++) {
        const struct library_entry *entry = library_at(l, i);
        if (!library_is_forms(entry) || library_find(l, text_of(entry->name)) != entry) continue;
        if (!forms_parse(&l->forms[l->form_count], entry, l->arena.memory, NULL, e)) return false;
        l->form_count++;
    }
    return l->forms_read = true;
}

void library_free_parsed(struct library *l)
{
    for (size_t i = 0; i < l->spec_count; i++) spec_free(l->specs[i].spec);
    for (size_t i = 0; i < l->layout_count; i++) layout_free(l->layouts[i]);
    for (size_t i = 0; i < l->form_count; i++) forms_free(l->forms[i]);
    memory_release(l->arena.memory, l->specs);
}

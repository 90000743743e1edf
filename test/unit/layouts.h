/* layouts.h -- helpers for the tests of layouts: a layout from text, its forms for a size. */
#ifndef NUMEL_TEST_LAYOUTS_H
#define NUMEL_TEST_LAYOUTS_H

#include "formula.h"

#include "formula/layout.h"

static inline struct layout *layout_of(const char *text)
{
    struct library_entry entry = {
        .name = "test.layout", .name_bytes = 11, .file = "test.layout", .text = text_of(text)
    };
    struct layout *l;
    numel_error e = { 0 };
    POISON(l);
    if (!layout_parse(&l, &entry, &memory_malloc, NULL, &e)) fail_msg("%s", e.what);
    return l;
}

struct solved {
    struct layout *l;
    struct config *c;
    struct arena arena;
    struct layout_forms forms;
};

static inline bool solve_by(struct solved *a, const char *layout, const char *config, bool told, int64_t out,
                            int64_t in)
{
    static const uint64_t lead[] = { 3 };
    struct layout_module m = { .role = text_of("attn.q"), .out = out, .in = in, .lead = lead };
    numel_error e = { 0 };
    *a = (struct solved){ .l = layout_of(layout), .c = configured(config) };
    arena_init(&a->arena, &memory_malloc);
    return layout_solve(&a->forms, a->l, a->c, told, &m, &a->arena, &e);
}

static inline void done(struct solved *a)
{
    free(a->forms.items);
    arena_done(&a->arena);
    config_free(a->c);
    layout_free(a->l);
}

static inline void is_stored(const struct layout_form *f, unsigned i, const char *name, uint64_t a,
                             uint64_t b)
{
    char text[LAYOUT_NAME];
    numel_str n;
    assert_true(i < f->count);
    assert_true(layout_name(f->stored[i].name, text_of("model.x.q_proj.weight"), text, &n));
    if (!text_equal(n, name)) fail_msg("%.*s, and not %s", (int)n.n, n.p, name);
    assert_int_equal(f->stored[i].dims[0], a);
    if (b) assert_int_equal(f->stored[i].dims[1], b);
    assert_int_equal(f->stored[i].ndim, b ? 2 : 1);
}

#endif

/*
 * fuzz_templates.c -- a print template for Llama's specification, over an expansion made once: an accepted
 * template becomes a tree with balanced lines, the same twice.
 */
#include "common/splice.h"
#include "common/words.h"

#include "../../support/hostile.h"
#include "printout/tree.h"

#include <string.h>

static struct expansion *expected; /* of the library's own specification */
static const struct library_entry *llama;

static void prepare(void)
{
    const struct spec *s;
    numel_error e = { .code = NUMEL_OK };
    llama = library_find(fuzz_library(), text_of("llama"));
    FUZZ_ASSERT(llama && library_spec(fuzz_library(), llama, &s, &e), "the specification");
    struct expand_input in = { .spec = s, .config = fuzz_config_new(fuzz_config, &memory_malloc) };
    FUZZ_ASSERT(expand(&expected, &in, &memory_malloc, &e), e.what);
}

/* Lines of a tree are brackets: each opened one is closed, at its own depth. */
static void check_lines(const struct tree *t, const struct tree_lines *l, struct buffer *text)
{
    size_t open = 0;
    buffer_init(text, &memory_malloc);
    for (size_t i = 0; i < l->count; i++) {
        const struct tree_line *x = &l->items[i];
        FUZZ_ASSERT(x->shape < t->count && x->times >= 1, "a line of no shape");
        FUZZ_ASSERT(x->form != LINE_CLOSE || open, "it closes an unopened bracket");
        open -= x->form == LINE_CLOSE;
        FUZZ_ASSERT(x->depth == open, "a line of another depth");
        open += x->form == LINE_OPEN;
        tree_line_text(t, x, text);
        buffer_char(text, '\n');
    }
    FUZZ_ASSERT(open == 0, "something stays open");
}

static void make_tree(const struct template *t, size_t symbols, size_t size, struct buffer *text)
{
    struct check_memory m;
    struct tree tree;
    struct tree_lines lines = { 0 };
    numel_error e = { .code = NUMEL_OK };
    fuzz_memory(&m, size, 0);
    m.most = FUZZ_LITTLE;
    buffer_init(text, &memory_malloc);
    bool ok = tree_make(&tree, t, expected, symbols, NULL, NULL, &m.allocator, &e);
    fuzz_error(ok, &e, size);
    lines.memory = &m.allocator;
    if (ok) {
        ok = tree_lines_make(&lines, &tree, &e);
        fuzz_error(ok, &e, size);
    }
    if (ok) check_lines(&tree, &lines, text);
    tree_lines_done(&lines);
    tree_done(&tree);
    FUZZ_ASSERT(e.code != NUMEL_E_NOMEM || m.refused, "out of memory that there was");
    fuzz_memory_done(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct check_memory m;
    struct complaints all = { .count = 0 };
    struct arena a;
    struct spec *s;
    struct template t = { 0 };
    struct buffer one, two;
    numel_error e = { .code = NUMEL_OK };
    struct library_entry entry = fuzz_entry("fuzz.print", "fuzz.print", data, size);
    struct library_template text = { entry.text, entry.file, 0 };
    if (!expected) prepare();
    fuzz_memory(&m, size, 0);
    arena_init(&a, &m.allocator);
    all.arena = &a;
    FUZZ_ASSERT(library_parse(fuzz_library(), llama, NULL, &s, &m.allocator, NULL, &e), "the specification");
    size_t symbols = s->symbol_count;
    bool ok = template_parse(&t, s, fuzz_library(), &text, size % 2 ? &all : NULL, &e);
    fuzz_error(ok, &e, size);
    FUZZ_ASSERT(ok || e.code != NUMEL_E_SPEC || size % 2 == 0 || all.count, "refused, and no complaint");
    fuzz_complaints(&all, entry.file, entry.text);
    if (ok) {
        make_tree(&t, symbols, size, &one);
        make_tree(&t, symbols, size, &two);
        FUZZ_ASSERT(one.n == two.n && (!one.n || memcmp(one.p, two.p, one.n) == 0),
                    "another tree, the second time");
        buffer_done(&one);
        buffer_done(&two);
        template_done(&t);
    }
    spec_free(s);
    arena_done(&a);
    fuzz_memory_done(&m);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static struct splice_pool lines;
    if (!lines.count) splice_built_in(&lines, SPLICE_PRINTS);
    return splice_lines(data, size, most, seed, &lines);
}

/*
 * fuzz_sets.c -- "ARCH\nNAME=VALUE\n...": values that a user sets for an architecture, and nothing else.
 * An accepted value is what the symbol then has; the results add up.
 */
#include "common/splice.h"
#include "common/words.h"

#include <string.h>

enum { SETS = 64 };

/* A symbol reported as set has the value that was set. */
static void check_bound(struct config *c, const struct expansion *x)
{
    for (size_t i = 0; i < x->spec->symbol_count; i++) {
        const struct value *v = &x->env.bound[i];
        struct value said;
        if (!x->env.is_bound[i] || v->evidence != EVIDENCE_SET || v->kind != VALUE_INT) continue;
        if (!config_symbol(c, x->spec->symbols[i].name, &said) || said.kind != VALUE_INT) continue;
        FUZZ_ASSERT(said.i == v->i, "a symbol has another value than was set");
    }
}

static void check_expected(struct config *c, numel_str arch, enum side side, size_t size)
{
    struct check_memory m;
    const struct library_entry *entry = library_find(fuzz_library(), arch);
    numel_error e = { .code = NUMEL_OK };
    const struct spec *spec;
    struct expansion *x;
    if (!entry || !entry->architecture) return;
    FUZZ_ASSERT(library_spec(fuzz_library(), entry, &spec, &e), "a specification that is built in");
    fuzz_memory(&m, size, 0);
    m.most = FUZZ_LITTLE;
    struct expand_input in = { .spec = spec, .config = c, .side = side };
    bool ok = expand(&x, &in, &m.allocator, &e);
    fuzz_error(ok, &e, size);
    if (ok) {
        check_bound(c, x);
        fuzz_expansion(x);
        fuzz_terms(x);
    }
    expansion_free(x);
    fuzz_memory_done(&m);
}

/* The value of a number that was set, as JSON: plain digits stay unchanged. */
static void check_value(struct config *c, const char *text)
{
    const char *sign = strchr(text, '=');
    numel_str name = { text, (size_t)(sign - text) };
    struct value v;
    char again[32];
    FUZZ_ASSERT(config_symbol(c, name, &v), "set, but unknown");
    if (v.kind != VALUE_INT) return;
    FUZZ_ASSERT(v.evidence == EVIDENCE_SET, "set, but reported with another origin");
    FUZZ_ASSERT(v.i > -(INT64_C(1) << 53) && v.i < INT64_C(1) << 53, "a number that may be rounded");
    snprintf(again, sizeof again, "%lld", (long long)v.i);
    if (strspn(sign + 1, "0123456789") == strlen(sign + 1))
        FUZZ_ASSERT(strcmp(again, sign + 1) == 0, "other digits");
}

static void check_all(struct config *c, char *text, size_t size)
{
    char *arch = text, *line = strchr(text, '\n');
    size_t set = 0;
    if (line) *line++ = 0;
    for (unsigned n = 0; line && *line && n < SETS; n++) {
        char *end = strchr(line, '\n');
        numel_error e = { .code = NUMEL_OK };
        if (end) *end++ = 0;
        bool ok = config_set(c, line, &e);
        fuzz_error(ok, &e, size);
        if (ok) check_value(c, line);
        set += ok;
        line = end;
    }
    check_expected(c, text_of(arch), SIDE_HF, size);
    if (size % 4 == 0) check_expected(c, text_of(arch), SIDE_GGUF, size);
    for (size_t i = 0; i < set; i++) {
        bool known = config_set_known(c, NULL, i);
        FUZZ_ASSERT(known || config_set_name(c, i).n, "an unknown symbol has a name");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct check_memory m;
    struct config *c;
    numel_error e = { .code = NUMEL_OK };
    char *text = malloc(size + 1);
    if (!text) abort();
    if (size) memcpy(text, data, size);
    text[size] = 0;
    fuzz_memory(&m, size, 0);
    FUZZ_ASSERT(config_new(&c, &m.allocator, &e), "a configuration");
    check_all(c, text, size);
    config_free(c);
    fuzz_memory_done(&m);
    free(text);
    return 0;
}

/* "E=4096" for a symbol of theirs, "hidden_size=4096", and the names of architectures. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static struct splice_pool lines;
    if (!lines.count) {
        static const char *const symbols[] = { "E=64",  "L=2",   "H=4", "K=2",      "D=16",
                                               "F=128", "V=100", "N=4", "tied=true" };
        static const char *const values[] = { "=64", "=2", "=[1,2]", "=silu", "=4" };
        struct splice_pool keys = { 0 };
        for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
            splice_keep(&lines, text_of(symbols[i]));
        for (size_t i = 0; i < library_count(fuzz_library()); i++)
            if (library_at(fuzz_library(), i)->architecture)
                splice_keep(&lines, text_of(library_at(fuzz_library(), i)->name));
        splice_built_in_words(&keys, "cfg(\"");
        for (size_t i = 0; i < keys.count && lines.count < 4000; i++) {
            const char *value = values[i % (sizeof values / sizeof *values)];
            char *text = malloc(keys.items[i].n + strlen(value) + 1);
            if (!text) abort();
            memcpy(text, keys.items[i].p, keys.items[i].n);
            memcpy(text + keys.items[i].n, value, strlen(value) + 1);
            splice_keep(&lines, text_of(text));
        }
        free(keys.items);
    }
    return splice_lines(data, size, most, seed, &lines);
}

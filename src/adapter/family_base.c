/*
 * family_base.c -- families of base models, expanded from their specifications when an adapter is matched.
 *
 * bases.table lists the specifications of each family and defines its own language. The sizes of all matrices
 * are known without expanding, because the build expands each family once (data/derive/sizes.c). At run time
 * only families that have the sizes of the adapter's modules are expanded, and only if their specifications
 * have the words of all its modules. Expansions are folded: a row stands for all layers of a kind.
 */
#include "adapter/family_parts.h"

#include "base/memory.h"
#include "base/text.h"
#include "formula/embedded.h"

#include <string.h>

#define ROWS(t) (sizeof(t) / sizeof *(t))
enum { SHAPES = 4, SIZES = 64, WORDS = 32 };

/* ---- the table ------------------------------------------------------------------------------ */

struct bases {
    struct adapter *a;
    struct adapter_family *encoders, *first, **end, *last;
    uint32_t count;
};

static struct adapter_family *family_called(struct adapter_family *f, numel_str name)
{
    while (f && !text_equal(name, f->name)) f = f->next;
    return f;
}

static void open_family(struct bases *b, numel_str name, bool encoder)
{
    struct adapter_family *f = b->last = arena_alloc(b->a->arena, sizeof *f);
    if (!f) return;
    *f = (struct adapter_family){ .name = arena_text(b->a->arena, name.p, name.n), .number = b->count++ };
    if (encoder) {
        f->next = b->encoders;
        b->encoders = f;
    } else {
        *b->end = f;
        b->end = &f->next;
    }
}

/* A line that belongs to the last family. */
static void family_line(const struct bases *b, numel_str line, numel_str word, numel_str rest)
{
    struct adapter_family *f = b->last;
    if (!f) return;
    if (text_equal(word, "aka")) f->aka = arena_text(b->a->arena, rest.p, rest.n);
    if (text_equal(word, "arch")) f->arch = arena_text(b->a->arena, rest.p, rest.n);
    if (text_equal(word, "control")) f->control = true;
    if (text_equal(word, "spec"))
        f->specs = text_span(f->specs.p ? f->specs.p : line.p, text_from(line, line.n).p);
    for (unsigned i = 1; text_equal(word, "encoders") && i < FAMILY_PARTS; i++)
        f->encoders[i] = family_called(b->encoders, text_word(&rest));
}

static void read_table(struct adapter *a)
{
    numel_str text = { embedded_text + embedded_bases, embedded_bases_bytes };
    struct bases b = { .a = a };
    b.end = &b.first;
    while (text.n && !a->arena->failed) {
        numel_str line = text_line(&text), rest = line, word = text_word(&rest);
        bool encoder = text_equal(word, "encoder");
        rest = text_from(rest, 1);
        if (encoder || text_equal(word, "family")) open_family(&b, rest, encoder);
        else family_line(&b, line, word, rest);
    }
    if (!a->arena->failed) a->families = b.first;
}

/* ---- choosing families ---------------------------------------------------------------------- */

/* Names of some modules, one for each group that differs only in numbers, as searching for words is
 * expensive; and distinct sizes. */
struct shapes {
    numel_str names[SHAPES];
    struct weight_size sizes[SIZES];
    unsigned count, sized;
    bool most, one_each; /* most: a majority suffices; one_each: one family per specification */
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool same_shape(numel_str a, numel_str b)
{
    size_t i = 0, k = 0;
    while (i < a.n && k < b.n && (a.p[i] == b.p[k] || (is_digit(a.p[i]) && is_digit(b.p[k])))) {
        bool digits = is_digit(a.p[i]);
        for (i++; digits && i < a.n && is_digit(a.p[i]);) i++;
        for (k++; digits && k < b.n && is_digit(b.p[k]);) k++;
    }
    return i == a.n && k == b.n;
}

static void note_shape(struct shapes *s, numel_str name)
{
    (void)family_component(&name, false);
    name = names_bare(name);
    for (unsigned i = 0; i < s->count; i++)
        if (same_shape(s->names[i], name)) return;
    if (s->count < SHAPES) s->names[s->count++] = name;
}

static void note_size(struct shapes *s, uint64_t out, uint64_t in)
{
    for (unsigned i = 0; i < s->sized; i++)
        if (s->sizes[i].out == out && s->sizes[i].in == in) return;
    if (s->sized < SIZES && (out || in)) s->sizes[s->sized++] = (struct weight_size){ out, in };
}

/* A head's output depends on the number of classes; a convolution's input is known only without its
 * kernel. */
static void note_module(struct shapes *s, const struct adapter_module *m)
{
    static const char *const heads[] = { "classifier", "score", "qa_outputs", "out_proj" };
    bool head = false;
    note_shape(s, m->name);
    for (size_t i = 0; i < ROWS(heads); i++) head |= text_ends(m->name, heads[i]);
    if (m->told || m->lesser || m->in == 1) return;
    note_size(s, head ? 0 : m->out, m->channels ? 0 : m->in);
}

static bool has_size(const struct adapter_family *f, const struct weight_size *size)
{
    for (uint32_t i = embedded_base_from[f->number]; i < embedded_base_from[f->number + 1]; i++) {
        const struct embedded_size *s = &embedded_base_sizes[i];
        if ((!size->out || size->out == s->out) && (!size->in || size->in == s->in)) return true;
    }
    for (unsigned i = 1; i < FAMILY_PARTS; i++)
        if (f->encoders[i] && has_size(f->encoders[i], size)) return true;
    return false;
}

/* The words of a name, without numbers and words that writers insert. */
static size_t words_of(numel_str name, numel_str words[WORDS])
{
    static const char between[] = "processor diff base layer block sparse moe w1 w2 w3";
    size_t n = 0;
    for (size_t at = 0, end; at < name.n && n < WORDS; at = end + 1) {
        for (end = at; end < name.n && name.p[end] != '.' && name.p[end] != '_';) end++;
        numel_str word = text_slice(name, at, end);
        bool number = word.n && is_digit(word.p[0]);
        if (word.n && !number && !text_lists(text_of(between), word)) words[n++] = word;
    }
    return n;
}

/* The number of a shape's words that each specification has. Blocks, which are not architectures, are
 * counted on demand. */
struct knowing {
    struct library *library;
    numel_str words[WORDS];
    size_t n;
    unsigned *known; /* by entry */
};

static bool line_knows(const struct knowing *k, numel_str line)
{
    numel_str specs = text_word(&line);
    while (specs.n) {
        struct named_spec s = next_spec(k->library, &specs);
        if (!s.entry) continue;
        unsigned known = s.entry->architecture ? k->known[s.entry - k->library->built_in]
                                               : library_phrases(k->library, s.entry, k->words, k->n);
        if (known == k->n) return true;
    }
    return false;
}

static bool family_knows(const struct knowing *k, const struct adapter_family *f)
{
    for (numel_str lines = f->specs; lines.n;)
        if (line_knows(k, next_spec_line(&lines))) return true;
    for (unsigned i = 1; i < FAMILY_PARTS; i++)
        if (f->encoders[i] && family_knows(k, f->encoders[i])) return true;
    return false;
}

static void count_unknown(struct adapter *a, struct knowing *k, const struct shapes *s, numel_error *e)
{
    for (struct adapter_family *f = a->families; f; f = f->next) {
        f->unknown = 0;
        for (unsigned i = 0; i < s->sized && (s->most || !f->unknown); i++)
            f->unknown += !has_size(f, &s->sizes[i]);
    }
    for (unsigned i = 0; i < s->count; i++) {
        k->n = words_of(s->names[i], k->words);
        if (!library_words(k->library, k->words, k->n, k->known, e)) return;
        for (struct adapter_family *f = a->families; f; f = f->next)
            if (!f->unknown || s->most) f->unknown += !family_knows(k, f);
    }
}

static numel_str first_specs(const struct adapter_family *f)
{
    numel_str lines = f->specs, line = next_spec_line(&lines);
    return text_word(&line);
}

/* Does an earlier family begin with the same specification? */
static bool has_earlier(const struct adapter *a, const struct adapter_family *f)
{
    numel_str own = first_specs(f);
    for (const struct adapter_family *e = a->families; e != f; e = e->next)
        if (text_same(own, first_specs(e))) return true;
    return false;
}

/* Expands the families that have all sizes, and whose specifications have the words of all shapes; with
 * `most`, four fifths of both suffice. */
static void expand_all(struct adapter *a, const struct shapes *s)
{
    struct knowing k = { .known = NULL };
    numel_error e = { 0 };
    bool ok = library_open(&k.library, a->arena->memory, &e), gguf = false;
    if (ok) k.known = arena_alloc(a->arena, library_count(k.library) * sizeof *k.known);
    if (k.known) count_unknown(a, &k, s, &e);
    for (unsigned i = 0; i < s->count; i++) gguf |= text_starts(s->names[i], "blk.");
    for (struct adapter_family *f = a->families; k.known && error_free(&e) && f; f = f->next) {
        if (s->one_each && (!f->arch || has_earlier(a, f))) continue;
        if (f->unknown * 5 <= (s->most ? s->count + s->sized : 0))
            expand_family(f, k.library, gguf, a->arena, NULL);
    }
    if (e.code == NUMEL_E_NOMEM) a->arena->failed = true;
    library_free(k.library);
}

const struct adapter_family *families_of(struct adapter *a)
{
    struct shapes s = { .count = 0 };
    if (a->families || a->arena->failed) return a->families;
    read_table(a);
    for (size_t i = 0; i < a->module_count; i++) note_module(&s, &a->modules[i]);
    if (s.count) expand_all(a, &s);
    return a->families;
}

const struct adapter_family *families_of_base(const struct base_table *t)
{
    struct shapes s = { .most = true };
    if (!families_of(t->a)) return NULL;
    for (size_t i = 0; i < t->count; i++) {
        const struct base_weight *w = &t->items[i];
        if (w->part || w->bias) continue;
        note_module(&s, &(struct adapter_module){ .name = w->own, .out = w->out, .in = w->in });
    }
    if (s.count) expand_all(t->a, &s);
    return t->a->families;
}

void families_expand_one_each(struct adapter *a)
{
    struct shapes s = { .one_each = true };
    for (size_t i = 0; i < a->module_count; i++) note_shape(&s, a->modules[i].name);
    expand_all(a, &s);
}

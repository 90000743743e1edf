/*
 * test_library.c -- the index of the built-in specs, checked against the specs themselves.
 *
 * Linked twice: with the built-in specs, and as test_library_many with 2,000 made-up specs in addition
 * (test/unit/many.sh). Each query goes to the index and to a linear search through all specs, which relies
 * only on the spec parser.
 */
#include "../support/check.h"
#include "formula.h"

#include <stdio.h>

#include "base/num.h"
#include "formula/config_internal.h"
#include "formula/library.h"
#include "formula/lookup.h"
#include "source/folder.h"

static struct library *library;

static int open_library(void **state)
{
    numel_error e = { 0 };
    (void)state;
    return library_open(&library, &memory_malloc, &e) ? 0 : -1;
}

static int close_library(void **state)
{
    (void)state;
    library_free(library);
    return 0;
}

static struct spec *parsed_entry(const struct library *l, const struct library_entry *entry)
{
    struct spec *s;
    numel_error e = { 0 };
    if (!library_parse(l, entry, NULL, &s, &memory_malloc, NULL, &e)) fail_msg("%s: %s", e.file, e.what);
    return s;
}

/* ---- names ------------------------------------------------------------------------------------ */

static void test_names(void **state)
{
    static const char *const absent[] = { "",       "a",           "zzzz", "llam",
                                          "llama ", "llama.print", "gptq", "defaults.table" };
    (void)state;
    for (size_t i = 0; i < library_count(library); i++) {
        const struct library_entry *x = library_at(library, i);
        assert_int_equal(strlen(x->name), x->name_bytes);
        assert_ptr_equal(library_find(library, text_of(x->name)), x);
        if (i) assert_true(strcmp(library_at(library, i - 1)->name, x->name) < 0);
        assert_true(x->built_in && x->family[0] && x->whole.n >= x->text.n && x->text.n > 0);
        assert_ptr_equal(x->whole.p, x->text.p);
        if (x->architecture) assert_int_equal(strlen(x->file), x->name_bytes + 5);
    }
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        assert_null(library_find(library, text_of(absent[i])));
}

/* ---- match lines ------------------------------------------------------------------------------ */

struct word {
    enum side side;
    const char *field;
    numel_str word;
    const struct library_entry *entry;
};

struct words {
    struct word *items;
    size_t count, cap;
    struct spec **specs; /* they hold the fields */
};

static void add_words(struct words *all, const struct spec *s, const struct library_entry *entry)
{
    numel_error e = { 0 };
    for (size_t r = 0; r < s->rule_count; r++) {
        numel_str words = s->rules[r].words;
        if (s->rules[r].scope) continue; /* belongs to a part */
        for (numel_str word = text_word(&words); word.n; word = text_word(&words)) {
            if (!memory_grow(&memory_malloc, (void **)&all->items, &all->cap, all->count + 1,
                             sizeof *all->items, &e))
                fail();
            all->items[all->count++] = (struct word){ s->rules[r].side, s->rules[r].field, word, entry };
        }
    }
}

static struct words all_words(void)
{
    struct words all = { .specs = calloc(library_count(library) + 1, sizeof *all.specs) };
    size_t n = 0;
    for (size_t i = 0; i < library_count(library); i++) {
        const struct library_entry *entry = library_at(library, i);
        if (!entry->architecture) continue;
        add_words(&all, all.specs[n] = parsed_entry(library, entry), entry);
        n++;
    }
    assert_true(n > 100 && all.count > 600);
    return all;
}

static void free_words(struct words *all)
{
    for (size_t i = 0; all->specs[i]; i++) spec_free(all->specs[i]);
    free(all->specs);
    free(all->items);
}

/* Linear search: `architectures` takes precedence over other fields, then the first entry wins. */
static const struct library_entry *searched(const struct words *all, enum side side, const char *field,
                                            numel_str word)
{
    const struct library_entry *found = NULL;
    for (size_t i = 0; i < all->count; i++) {
        const struct word *x = &all->items[i];
        if (x->side == side && text_same(x->word, word) && strcmp(x->field, field) == 0 &&
            (!found || x->entry < found))
            found = x->entry;
    }
    return found;
}

/* A configuration with this key only; `list`: in a list, after another word. */
static const struct library_entry *matched(enum side side, const char *field, numel_str word, bool list)
{
    char json[512];
    numel_error e = { 0 };
    struct metadata m;
    struct metadata_entry x = { .key = text_of(field), .type = META_STRING };
    x.value.s = word;
    snprintf(json, sizeof json, list ? "{\"%s\":[\"-\",\"%.*s\"]}" : "{\"%s\":\"%.*s\"}", field, (int)word.n,
             word.p);
    struct config *c = configured(side == SIDE_HF ? json : NULL);
    metadata_init(&m, &memory_malloc);
    assert_true(metadata_add(&m, &x, &e));
    if (side == SIDE_GGUF) config_add_metadata(c, &m);
    const struct library_entry *found = library_match(library, c, side, &e);
    assert_int_equal(found == NULL,
                     e.code == NUMEL_E_ARCH || e.code == NUMEL_E_KEY || e.code == NUMEL_E_CONFIG);
    config_free(c);
    metadata_done(&m);
    return found;
}

static void compare(const struct words *all, enum side side, const char *field, numel_str word)
{
    const struct library_entry *wanted = searched(all, side, field, word), *found[2];
    found[0] = matched(side, field, word, false);
    found[1] = side == SIDE_HF ? matched(side, field, word, true) : found[0];
    for (int i = 0; i < 2; i++)
        if (found[i] != wanted)
            fail_msg("%s %.*s leads to %s, not %s", field, (int)word.n, word.p,
                     found[i] ? found[i]->name : "none", wanted ? wanted->name : "none");
}

static void test_matches(void **state)
{
    struct words all = all_words();
    (void)state;
    for (size_t i = 0; i < all.count; i++) {
        const struct word *x = &all.items[i];
        char longer[256];
        compare(&all, x->side, x->field, x->word);
        snprintf(longer, sizeof longer, "%.*sx", (int)x->word.n, x->word.p);
        compare(&all, x->side, x->field, text_of(longer)); /* mostly unknown words */
        compare(&all, x->side, x->field, (numel_str){ x->word.p, x->word.n - 1 });
        compare(&all, x->side, x->side == SIDE_HF ? "general.architecture" : "model_type", x->word);
    }
    free_words(&all);
}

/* Every word of every match line is a key, and there are no other keys. */
static void test_keys(void **state)
{
    struct words all = all_words();
    (void)state;
    assert_int_equal(all.count, embedded_key_count);
    for (size_t i = 0; i < all.count; i++) {
        const struct word *x = &all.items[i];
        uint32_t field = 0, first, k = 0;
        while (field < embedded_field_count &&
               (embedded_fields[field].side != x->side ||
                strcmp(embedded_text + embedded_fields[field].name, x->field) != 0))
            field++;
        assert_true(field < embedded_field_count);
        uint32_t n = lookup_keys(field, x->word, &first);
        while (k < n && &library->built_in[embedded_keys[first + k].file] != x->entry) k++;
        if (k == n)
            fail_msg("%s is not found by %s %.*s", x->entry->name, x->field, (int)x->word.n, x->word.p);
    }
    free_words(&all);
}

/* A rule on the class takes precedence over one on the model type, in any order. */
static void test_classes(void **state)
{
    static const struct {
        const char *json, *name;
    } rows[] = {
        { "{\"model_type\":\"bert\",\"architectures\":[\"JinaBertForMaskedLM\"]}", "jina_bert" },
        { "{\"model_type\":\"roberta\",\"architectures\":[\"x\",7,\"JinaBertModel\"]}", "jina_bert" },
        { "{\"model_type\":\"bert\",\"architectures\":[\"BertModel\"]}", "bert" },
        { "{\"model_type\":7,\"architectures\":null}", NULL },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        numel_error e = { 0 };
        struct config *c = configured(rows[i].json);
        const struct library_entry *found = library_match(library, c, SIDE_HF, &e);
        assert_string_equal(found ? found->name : "none", rows[i].name ? rows[i].name : "none");
        config_free(c);
    }
}

/* ---- words ------------------------------------------------------------------------------------ */

static bool holds(numel_str text, numel_str word)
{
    for (size_t i = 0; i + word.n <= text.n; i++)
        if (memcmp(text.p + i, word.p, word.n) == 0) return true;
    return false;
}

/* True if the word is in one of the files that make up a spec, according to the parser. */
static bool knows(const struct library *l, const struct spec *s, numel_str word)
{
    for (size_t i = 0; i < s->file_count; i++) {
        numel_str name = path_base(s->files[i]);
        name.n -= strlen(".spec");
        if (holds(library_find(l, name)->text, word)) return true;
    }
    return false;
}

static const char *const some_words[] = {
    "q_proj",   "o_proj",         "wte",       "ln_f",      "embed_tokens",
    "mlp",      "norm",           "A_log",     "in_proj",   "experts",
    "inv_freq", "k_norm",         "down_proj", "LayerNorm", "query",
    "conv1d",   "x_proj",         "w",         "zzzzz",     "patch",
    "cls",      "relative_attn",  "",          "a.b",       "with blanks",
    "lm_head",  "shared_experts",
};

static void check_words(const struct library *l)
{
    enum { N = sizeof some_words / sizeof *some_words };
    numel_str words[N];
    numel_error e = { 0 };
    unsigned *known = malloc(library_count(l) * sizeof *known), sum = 0;
    for (unsigned k = 0; k < N; k++) words[k] = text_of(some_words[k]);
    assert_true(library_words(l, words, N, known, &e));
    for (size_t i = 0; i < library_count(l); i++) {
        const struct library_entry *entry = library_at(l, i);
        unsigned wanted = 0;
        struct spec *s = entry->architecture ? parsed_entry(l, entry) : NULL;
        for (unsigned k = 0; s && k < N; k++)
            if (words[k].n && !strpbrk(some_words[k], ". ")) wanted += knows(l, s, words[k]);
        if (s && s->parted) wanted = known[i]; /* words of parts belong to other specs */
        if (known[i] != wanted) fail_msg("%s knows %u words, not %u", entry->name, known[i], wanted);
        sum += wanted;
        spec_free(s);
    }
    assert_true(sum > 1000);
    free(known);
}

static void test_words(void **state)
{
    (void)state;
    check_words(library);
}

/* ---- user specs ------------------------------------------------------------------------------- */

static void put(struct library *l, const char *file, const char *text)
{
    numel_error e = { 0 };
    assert_true(library_add_text(l, file, text, strlen(text), &e));
}

static void test_own(void **state)
{
    static const char mine[] =
        "arch llama\nmatch hf model_type in llama mine # theirs\nlet E = cfg(\"hidden_size\")\n"
        "emb embed.tok x - 3 E\n";
    struct library *l;
    numel_error e = { 0 };
    (void)state;
    assert_true(library_open(&l, &memory_malloc, &e));
    put(l, "a/first.spec", mine);
    put(l, "b/second.spec", mine);
    put(l, "b/decoder_head.spec",
        "raw zzzzz zzzzz - 7\nlet labels = 0\nlet cls = class()\nlet base = cls == \"\"\n");
    assert_int_equal(library_count(l), library_count(library) + 3);
    assert_string_equal(library_find(l, text_of("llama"))->file, "b/second.spec");
    assert_null(library_find(l, text_of("second")));
    static const struct {
        const char *json, *file;
    } rows[] = {
        { "{\"model_type\":\"mine\"}", "b/second.spec" },
        { "{\"model_type\":\"llama\"}", "b/second.spec" },
        { "{\"model_type\":\"theirs\"}", NULL },
        { "{\"model_type\":\"mistral\"}", NULL }, /* the built-in one is replaced */
        { "{\"model_type\":\"qwen2\"}", "qwen2.spec" },
        { "{\"model_type\":\"mine\",\"architectures\":[\"JinaBertModel\"]}", "jina_bert.spec" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct config *c = configured(rows[i].json);
        e = (numel_error){ 0 };
        const struct library_entry *found = library_match(l, c, SIDE_HF, &e);
        assert_string_equal(found ? found->file : "none", rows[i].file ? rows[i].file : "none");
        config_free(c);
    }
    library_free(l);
}

/* A user's block changes what the specs that use it know. */
static void test_own_words(void **state)
{
    struct library *l;
    numel_error e = { 0 };
    numel_str word = text_of("zzzzz");
    size_t some = 0;
    (void)state;
    assert_true(library_open(&l, &memory_malloc, &e));
    put(l, "routed_experts.spec", "raw zzzzz zzzzz - 7\n");
    unsigned *known = malloc(library_count(l) * sizeof *known);
    assert_true(library_words(l, &word, 1, known, &e));
    for (size_t i = 0; i < library_count(l); i++) {
        const struct library_entry *entry = library_at(l, i);
        bool uses = entry->architecture && (holds(entry->text, text_of("use routed_experts\n")) ||
                                            holds(entry->text, text_of("use routed_and_shared\n")));
        assert_int_equal(known[i], uses);
        some += uses;
    }
    assert_true(some > 3);
    free(known);
    library_free(l);
}

static void test_templates(void **state)
{
    static const char spec[] = "arch mine\nmatch hf model_type in mine other qwen2 llama\nraw a b - 1\n"
                               "print other qwen2\n1\nend print\nprint\n2\nend print\n";
    struct library *l;
    struct library_template t;
    numel_error e = { 0 };
    (void)state;
    assert_true(library_open(&l, &memory_malloc, &e));
    put(l, "d/mine.spec", spec);
    const struct library_entry *mine = library_find(l, text_of("mine"));
    assert_true(library_template(l, mine, text_of("other"), &t));
    assert_true(text_equal(t.text, "1\n") && t.before == 4 && strcmp(t.file, "d/mine.spec") == 0);
    assert_true(library_template(l, mine, text_of("llama"), &t)); /* not Llama's own spec */
    assert_true(text_equal(t.text, "2\n") && t.before == 7);
    put(l, "mine.print", "3\n");
    mine = library_find(l, text_of("mine"));
    assert_true(library_template(l, mine, text_of("other"), &t) && text_equal(t.text, "1\n"));
    assert_true(library_template(l, mine, text_of(""), &t) && text_equal(t.text, "3\n") && t.before == 0);
    put(l, "other.print", "4\n");
    mine = library_find(l, text_of("mine"));
    assert_true(library_template(l, mine, text_of("other"), &t) && text_equal(t.text, "4\n"));
    assert_true(library_template(l, mine, text_of("qwen2"), &t) && text_equal(t.text, "1\n"));
    put(l, "llama.spec", "arch llama\nraw a b - 1\n"); /* has no section */
    assert_true(library_template(l, library_find(l, text_of("llama")), text_of(""), &t));
    assert_string_equal(t.file, "llama.spec");
    assert_true(holds(t.text, text_of("use decoder_names\n")));
    put(l, "naked.spec", "arch naked\nraw a b - 1\n");
    assert_false(library_template(l, library_find(l, text_of("naked")), text_of("naked"), &t));
    assert_true(library_template_named(l, text_of("decoder_names"), &t));
    assert_false(library_template_named(l, text_of("llama"), &t)); /* each spec has its own sections */
    library_free(l);
}

static void test_starved(void **state)
{
    (void)state;
    for (size_t left = 0;; left += check_every()) {
        struct scarce scarce = { left, 0 };
        const numel_allocator m = { scarce_resize, &scarce };
        struct library *l;
        numel_error e = { 0 };
        numel_str word = text_of("q_proj");
        unsigned *known = NULL;
        bool ok = library_open(&l, &m, &e);
        if (ok) {
            ok = library_add_text(l, "a.spec", "arch a\n", 7, &e) &&
                 (known = malloc(library_count(l) * sizeof *known)) && library_words(l, &word, 1, known, &e);
        }
        library_free(l);
        free(known);
        assert_int_equal(scarce.live, 0);
        if (ok) break;
        assert_int_equal(e.code, NUMEL_E_NOMEM);
    }
}

/* ---- defaults --------------------------------------------------------------------------------- */

/* Each number finds its lines, and each line has the stated number of names. */
static void test_told(void **state)
{
    uint32_t *names = test_calloc(embedded_told_count, sizeof *names);
    const uint16_t *lines;
    (void)state;
    for (uint32_t kind = 0; kind < TOLD_KINDS; kind++) {
        uint32_t from = embedded_told_kinds[kind], to = embedded_told_kinds[kind + 1];
        assert_true(from < to);
        for (uint32_t i = from; i < to; i++) {
            uint32_t number = embedded_told_numbers[i].number, n = lookup_told(kind, number, &lines);
            assert_true(n > 0 && lines == embedded_told_by + embedded_told_numbers[i].lines);
            assert_true(i == from || embedded_told_numbers[i - 1].number < number);
            for (uint32_t k = 0; k < n; k++) names[lines[k]] += kind == TOLD_NAMES;
        }
        assert_int_equal(lookup_told(kind, UINT32_MAX, &lines), 0);
    }
    for (uint32_t i = 0; i < embedded_told_count; i++)
        assert_true(names[i] == embedded_told[i].names && (names[i] > 0 || i >= embedded_told_classes));
    assert_true(0 < embedded_told_classes && embedded_told_classes < embedded_told_count);
    test_free(names);
}

static void test_defaults(void **state)
{
    struct defaults_class c;
    numel_str last = { "", 0 }, json;
    (void)state;
    assert_true(embedded_default_count > 500);
    for (uint32_t i = 0; i < embedded_default_count; i++) {
        numel_str line = { embedded_text + embedded_defaults[i].text, embedded_defaults[i].bytes };
        assert_true(line.p[line.n] == '\n' && line.p[-1] == '\n' && !memchr(line.p, '\n', line.n));
        numel_str type = text_word(&line);
        assert_true(defaults_find(type, &c) && text_same(c.model_type, type));
        assert_true(!text_same(type, last) && memcmp(last.p, type.p, num_min(last.n, type.n)) <= 0);
        last = type;
    }
    assert_true(defaults_find(text_of("gpt2"), &c) && defaults_value(&c, text_of("n_embd"), &json));
    assert_true(text_equal(c.name, "GPT2Config") && text_equal(json, "768"));
    assert_false(defaults_find(text_of(""), &c));
    assert_false(defaults_find(text_of("#"), &c));
    assert_false(defaults_find(text_of("gpt"), &c));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),     cmocka_unit_test(test_matches),   cmocka_unit_test(test_keys),
        cmocka_unit_test(test_classes),   cmocka_unit_test(test_words),     cmocka_unit_test(test_own),
        cmocka_unit_test(test_own_words), cmocka_unit_test(test_templates), cmocka_unit_test(test_starved),
        cmocka_unit_test(test_told),      cmocka_unit_test(test_defaults),
    };
    return cmocka_run_group_tests(tests, open_library, close_library);
}

/*
 * test_named.c -- resolving model names: an environment, a name, and the resulting path.
 *
 * One tree is built; "@" means its root in variables, questions and answers. An answer is a path, "" if
 * the argument stays unchanged, or the error's code with part of its message.
 */
#include "../support/check.h"
#include "../support/folder.h"
#include "../support/t.h"

#include "base/text.h"
#include "reader/find.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* NAME/ is a folder, NAME=TEXT a file. */
static const char *const tree[] = {
    "hub/",
    "hub/models--org--m/",
    "hub/models--org--m/refs/",
    "hub/models--org--m/refs/main=c1c1c1c1c1",
    "hub/models--org--m/refs/pr/",
    "hub/models--org--m/refs/pr/1=c2c2c2c2c2",
    "hub/models--org--m/refs/up=../../x",
    "hub/models--org--m/snapshots/",
    "hub/models--org--m/snapshots/c1c1c1c1c1/",
    "hub/models--org--m/snapshots/c1c1c1c1c1/w.gguf=",
    "hub/models--org--m/snapshots/c2c2c2c2c2/",
    "hub/models--org--m/snapshots/d1111111a/",
    "hub/models--org--m/snapshots/d1111111b/",
    "hub/models--old/",
    "hub/models--old/snapshots/",
    "hub/models--old/snapshots/z/",
    "hub/models--org--empty/",
    "hub/models--org--begun/",
    "hub/models--org--begun/blobs/",
    "hub/models--org--begun/blobs/e.incomplete=",
    "x/",
    "x/hub/",
    "x/hub/models--org--m/",
    "x/hub/models--org--m/snapshots/",
    "x/hub/models--org--m/snapshots/k/",
    "home/",
    "home/.ollama/",
    "home/.ollama/models/",
    "home/.ollama/models/manifests/",
    "home/.ollama/models/manifests/a/",
    "home/.ollama/models/manifests/a/library/",
    "home/.ollama/models/manifests/a/library/t/",
    "home/.ollama/models/manifests/a/library/t/latest=",
    "home/.ollama/models/manifests/a/library/t/1b=",
    "home/.ollama/models/manifests/b/",
    "home/.ollama/models/manifests/b/ns/",
    "home/.ollama/models/manifests/b/ns/t/",
    "home/.ollama/models/manifests/b/ns/t/q4=",
    "home/.lmstudio/",
    "home/.lmstudio/models/",
    "home/.lmstudio/models/p/",
    "home/.lmstudio/models/p/one/",
    "home/.lmstudio/models/p/both/",
    "home/.lmstudio/models/q/",
    "home/.lmstudio/models/q/both/",
};

/* clang-format off */
static const struct row {
    const char *variables[3], *asked, *answer;
} rows[] = {
    /* the cache: which variable, and in which order */
    { { "HF_HUB_CACHE=@/hub" }, "org/m", "@/hub/models--org--m/snapshots/c1c1c1c1c1" },
    { { "HUGGINGFACE_HUB_CACHE=@/hub" }, "org/m", "@/hub/models--org--m/snapshots/c1c1c1c1c1" },
    { { "HF_HOME=@/x" }, "org/m", "@/x/hub/models--org--m/snapshots/k" },
    { { "HF_HUB_CACHE=@/hub", "HF_HOME=@/x" }, "org/m", "@/hub/models--org--m/snapshots/c1c1c1c1c1" },
    { { "HF_HUB_CACHE=", "HF_HOME=@/x" }, "org/m", "@/x/hub/models--org--m/snapshots/k" },
    { { "HF_HOME=~/x", "HOME=@" }, "org/m", "@/x/hub/models--org--m/snapshots/k" },
    { { "XDG_CACHE_HOME=@/none" }, "org/m", "IO (@/none/huggingface/hub)" },
    { { "HOME=@" }, "org/m", "IO (@/.cache/huggingface/hub)" },
    { { NULL }, "org/m", "" },
    /* revisions, files */
    { { "HF_HUB_CACHE=@/hub" }, "org/m@main", "@/hub/models--org--m/snapshots/c1c1c1c1c1" },
    { { "HF_HUB_CACHE=@/hub" }, "org/m/", "@/hub/models--org--m/snapshots/c1c1c1c1c1" },
    { { "HF_HUB_CACHE=@/hub" }, "org/m@c2c2c2c2c2", "@/hub/models--org--m/snapshots/c2c2c2c2c2" },
    { { "HF_HUB_CACHE=@/hub" }, "org/m@c2c2c2c", "@/hub/models--org--m/snapshots/c2c2c2c2c2" },
    { { "HF_HUB_CACHE=@/hub" }, "org/m@c2c2c2", "IO the revision c2c2c2 is not" },
    { { "HF_HUB_CACHE=@/hub" }, "org/m@d1111111", "IO the revision" }, /* ambiguous prefix */
    { { "HF_HUB_CACHE=@/hub" }, "org/m@up", "IO the revision" },       /* a ref that points outside */
    { { "HF_HUB_CACHE=@/hub" }, "org/m/w.gguf", "@/hub/models--org--m/snapshots/c1c1c1c1c1/w.gguf" },
    { { "HF_HUB_CACHE=@/hub" }, "org/m@c2c2c2c/w.gguf", "IO 'hf download org/m w.gguf'" },
    { { "HF_HUB_CACHE=@/hub" }, "hf:old", "@/hub/models--old/snapshots/z" },
    { { "HF_HUB_CACHE=@/hub" }, "hf:org/m", "@/hub/models--org--m/snapshots/c1c1c1c1c1" },
    { { "HF_HUB_CACHE=@/hub" }, "hf://org/m", "" }, /* a URL */
    { { "HF_HUB_CACHE=@/hub" }, "org/begun", "@/hub/models--org--begun" },
    { { "HF_HUB_CACHE=@/hub" }, "org/empty", "IO run 'hf download org/empty' again" },
    { { "HF_HUB_CACHE=@/hub" }, "org/none", "IO 'hf download org/none'" },
    { { "HF_HUB_CACHE=@/hub" }, "hf:", "@/hub" },
    { { "HF_HUB_CACHE=@/hub" }, "hf:../m", "IO not a model name" },
    /* not names: they stay paths */
    { { "HF_HUB_CACHE=@/hub" }, "old", "" },
    { { "HF_HUB_CACHE=@/hub" }, "@/hub", "" },
    { { "HF_HUB_CACHE=@/hub" }, "/org/m", "" },
    { { "HF_HUB_CACHE=@/hub" }, "org//m", "" },
    { { "HF_HUB_CACHE=@/hub" }, "org/..", "" },
    { { "HF_HUB_CACHE=@/hub" }, "./m", "" },
    { { "HF_HUB_CACHE=@/hub" }, "org/m/../../..", "" },
    { { "HF_HUB_CACHE=@/hub" }, "org/m@", "" },
    { { "HF_HUB_CACHE=@/hub" }, "org/m@../c1c1c1c1c1", "" },
    { { "HF_HUB_CACHE=@/hub" }, "org/m.gguf", "" },
    { { "HF_HUB_CACHE=@/hub" }, "org/m\033[31m", "" },
    { { "HF_HUB_CACHE=@/hub" }, "", "" },
    /* Ollama */
    { { "HOME=@/home" }, "ollama:t", "@/home/.ollama/models/manifests/a/library/t/latest" },
    { { "HOME=@/home" }, "ollama:t:1b", "@/home/.ollama/models/manifests/a/library/t/1b" },
    { { "HOME=@/home" }, "ollama:library/t:1b", "@/home/.ollama/models/manifests/a/library/t/1b" },
    { { "HOME=@/home" }, "ollama:ns/t:q4", "@/home/.ollama/models/manifests/b/ns/t/q4" },
    { { "HOME=@/home" }, "ollama://b/ns/t:q4", "@/home/.ollama/models/manifests/b/ns/t/q4" },
    { { "OLLAMA_MODELS=@/home/.ollama/models" }, "ollama:t", "@/home/.ollama/models/manifests/a/library/t/latest" },
    { { "OLLAMA_MODELS=@/x", "HOME=@/home" }, "ollama:t", "IO (looked in @/x)" },
    { { "HOME=@/home" }, "ollama:a/ns/t:q4", "IO 'ollama pull a/ns/t:q4'" },
    { { "HOME=@/home" }, "ollama:t:7b", "IO its tags here: 1b, latest" },
    { { "HOME=@/home" }, "ollama:none", "IO 'ollama pull none'" },
    { { "HOME=@/home" }, "ollama:", "@/home/.ollama/models" },
    { { "HOME=@/home" }, "ollama:..", "IO not a model name" },
    { { "HOME=@/home" }, "ollama:t:../1b", "IO not a model name" },
    { { "HOME=@/home" }, "ollama:a/b/c/t", "IO not a model name" },
    { { NULL }, "ollama:t", "IO 'ollama pull t'" },
    /* LM Studio */
    { { "HOME=@/home" }, "lmstudio:one", "@/home/.lmstudio/models/p/one" },
    { { "HOME=@/home" }, "lmstudio:p/both", "@/home/.lmstudio/models/p/both" },
    { { "HOME=@/home" }, "lmstudio:both", "IO lmstudio:p/both, lmstudio:q/both" },
    { { "HOME=@/home" }, "lmstudio:none", "IO (looked in @/home/.lmstudio/models)" },
    { { "HOME=@/home" }, "lmstudio:../one", "IO not a model name" },
    { { "HOME=@/home" }, "lmstudio:", "@/home/.lmstudio/models" },
    { { NULL }, "lmstudio:one", "IO HOME is not set" },
};
/* clang-format on */

static char root[64];

/* Replaces @ by the tree's root at the start, or after a blank or "(". */
static const char *spelled(char out[512], const char *text)
{
    size_t n = 0;
    for (const char *p = text; *p && n < 400; p++)
        n += (size_t)(*p == '@' && p[1] == '/' ? sprintf(out + n, "%s", root) : sprintf(out + n, "%c", *p));
    out[n] = '\0';
    return out;
}

struct environment {
    const struct row *row;
    char value[512];
};

static const char *ask(void *ctx, const char *name)
{
    struct environment *e = ctx;
    size_t n = strlen(name);
    for (size_t i = 0; i < 3 && e->row->variables[i]; i++) {
        const char *v = e->row->variables[i];
        if (strncmp(v, name, n) != 0 || v[n] != '=') continue;
        return strcmp(v + n + 1, "@") == 0 ? root : spelled(e->value, v + n + 1);
    }
    return NULL;
}

static void build(void)
{
    snprintf(root, sizeof root, "/tmp/numel-named-XXXXXX");
    assert_non_null(mkdtemp(root));
    for (size_t i = 0; i < ROWS_OF(tree); i++) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", root, tree[i]);
        char *text = strchr(path + strlen(root), '=');
        if (text) *text++ = '\0';
        FILE *f = text ? fopen(path, "wb") : NULL;
        if (f) fputs(text, f);
        if (f) fclose(f);
        if (!text) assert_int_equal(mkdir(path, 0700), 0);
    }
}

static numel_rc locate(const struct row *r, const numel_allocator *m, char out[4096], numel_error *e)
{
    struct environment environment = { .row = r };
    char asked[512];
    numel_options options = NUMEL_INIT(numel_options);
    options.allocator = m;
    options.environment = ask;
    options.environment_ctx = &environment;
    POISON(*e);
    return numel_locate(out, 4096, spelled(asked, r->asked), &options, e);
}

static void test_names(void **state)
{
    unsigned failed = 0;
    (void)state;
    build();
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        const struct row *r = &rows[i];
        char out[4096], asked[512], answer[512];
        numel_error e;
        numel_rc rc = locate(r, NULL, out, &e);
        bool refused = strncmp(r->answer, "IO ", 3) == 0;
        ROW(failed, rc == (refused ? NUMEL_E_IO : NUMEL_OK), "%s: %s %s", r->asked, numel_rc_name(rc),
            e.what);
        spelled(answer, refused ? r->answer + 3 : r->answer[0] ? r->answer : spelled(asked, r->asked));
        if (refused)
            ROW(failed, strstr(e.what, answer) != NULL, "%s: %s, without %s", r->asked, e.what, answer);
        else ROW(failed, strcmp(out, answer) == 0, "%s: %s and not %s", r->asked, out, answer);
    }
    folder_remove(root);
    assert_int_equal(failed, 0);
}

/* Without an environment nothing is a name. */
static void test_no_environment(void **state)
{
    static const char *const asked[] = { "ollama:t", "org/m", "hf:org/m", "lmstudio:m" };
    (void)state;
    for (size_t i = 0; i < ROWS_OF(asked); i++) {
        char out[64];
        assert_int_equal(numel_locate(out, sizeof out, asked[i], NULL, NULL), NUMEL_OK);
        assert_string_equal(out, asked[i]);
    }
    char little[4];
    assert_int_equal(numel_locate(little, sizeof little, "org/m", NULL, NULL), NUMEL_E_USAGE);
}

/* Each allocation fails in turn: NOMEM without leaks, never another answer. */
static void test_no_memory(void **state)
{
    unsigned failed = 0;
    (void)state;
    build();
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        bool reached = true;
        for (uint64_t k = 0; reached && k < 1000; k++) {
            struct check_memory m;
            char out[4096];
            numel_error e;
            check_memory_init(&m, k);
            numel_rc rc = locate(&rows[i], &m.allocator, out, &e);
            reached = m.calls > k;
            ROW(failed, !reached || rc == NUMEL_E_NOMEM, "%s: allocation %llu: %s", rows[i].asked,
                (unsigned long long)k, numel_rc_name(rc));
            ROW(failed, m.outstanding == 0, "%s: allocation %llu leaks", rows[i].asked,
                (unsigned long long)k);
        }
    }
    folder_remove(root);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_no_environment),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

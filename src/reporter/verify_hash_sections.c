/* verify_hash_sections.c -- what the level `hash` came to: a line a file, who says so, and a word. */
#include "reporter/sections.h"

#include "base/text.h"
#include "source/folder.h"

/* clang-format off */
static const struct column columns[] = {
    { "path", NULL, 0 },    { NULL, "file", COLUMN_NAME },  { "sha256", NULL, 0 },
    { "git_sha1", NULL, 0 }, { "verdict", "checksum", 0 },   { "source", "according to", COLUMN_RANK(5) },
    { "source_path", NULL, 0 },
};
/* clang-format on */

static const char *verdict_name(enum hash_verdict v)
{
    return v == HASH_MATCHES      ? "matches"
           : v == HASH_DIFFERS    ? "differs"
           : v == HASH_WRONG_SIZE ? "wrong size"
           : v == HASH_NOT_READ   ? "not read"
                                  : "not known";
}

/* The digits live in the arena: a digest a file is little. */
static struct cell digest_cell(const struct digest_value *v, struct arena *a)
{
    char hex[DIGEST_HEX];
    if (v->kind == DIGEST_NONE) return (struct cell){ .kind = CELL_NULL };
    return CELL_T(arena_format(a, "%s", digest_hex(hex, v)));
}

static void row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct verify *v = ctx;
    const struct hashed_file *f = &v->hashed->files[i];
    (void)depth;
    c[0] = CELL_S(text_of(f->path));
    c[1] = CELL_S(path_base(f->path));
    c[2] = digest_cell(&f->plan.job.whole, v->arena);
    c[3] = digest_cell(&f->plan.job.named, v->arena);
    c[4] = CELL_T(verdict_name(f->verdict));
    if (f->by) c[5] = CELL_T(f->by->says);
    if (f->by) c[6] = CELL_S(text_of(f->by->where));
}

/* clang-format off */
static const struct column given_columns[] = {
    { "path", NULL, 0 },    { "files", NULL, 0 },    { "matches", NULL, 0 },
    { "missing", NULL, 0 }, { "unlisted", NULL, 0 },           { "others", NULL, 0 },   { "tensors", NULL, 0 },
    { "compared", NULL, 0 }, { "same", NULL, 0 },              { "gone", NULL, 0 },     { "extra", NULL, 0 },
    { "model", NULL, 0 },
};
/* clang-format on */

/* "m.numel: 2 of 2 files, 30 of 30 tensors match" */
NUMEL_MUST static const char *given_text(const struct verify *v)
{
    const struct hash_given *g = &v->hashed->given;
    char a[TEXT_NUMBER], b[TEXT_NUMBER], c[TEXT_NUMBER], d[TEXT_NUMBER];
    const char *files = "", *tensors = "";
    if (g->files)
        files = arena_format(v->arena, "%s of %s files%s", text_number(a, g->matches),
                             text_number(b, g->files), g->tensors ? ", " : "");
    if (g->tensors)
        tensors =
            arena_format(v->arena, "%s of %s tensors", text_number(c, g->same), text_number(d, g->tensors));
    if (!files || !tensors) return NULL;
    return arena_format(v->arena, "%s: %s%s%s match%s", g->path, files, tensors,
                        g->files || g->tensors   ? ""
                        : g->model == MODEL_SAME ? "all tensors"
                                                 : "no files and no tensors",
                        g->relabelled  ? "; types or shapes of tensors do not"
                        : g->container ? "; the same tensors in another container"
                                       : "");
}

static const struct column given_line[] = { { NULL, "", 0 }, { NULL, "", COLUMN_WRAP } };

static void given_line_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    (void)i, (void)depth;
    c[0] = CELL_T("manifest");
    c[1] = CELL_T(given_text(ctx));
}

static void given_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct verify *v = ctx;
    const struct hash_given *g = &v->hashed->given;
    const uint64_t counts[] = { g->files,   g->matches,  g->missing, g->unlisted, g->others,
                                g->tensors, g->compared, g->same,    g->gone,     g->extra };
    (void)i, (void)depth;
    c[0] = CELL_S(text_of(g->path));
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) c[1 + k] = CELL_U(CELL_COUNT, counts[k]);
    if (g->model != MODEL_UNKNOWN) c[11] = CELL_T(g->model == MODEL_SAME ? "same" : "other");
}

void verify_hash_sections(struct numel_report *out, const struct verify *v)
{
    size_t n = v->hashed ? v->hashed->count : 0;
    if (!v->hashed) return;
    report_section(out, &(struct section){ .key = "content",
                                           .title = "",
                                           .form = SECTION_LIST,
                                           .columns = columns,
                                           .headed = true,
                                           .rows = n,
                                           .column_count = sizeof columns / sizeof *columns,
                                           .row = row,
                                           .ctx = v,
                                           .hidden = n == 0 });
    if (!v->hashed->given.path) return;
    report_section(out, &(struct section){ .key = "manifest",
                                           .form = SECTION_OBJECT,
                                           .hidden = true,
                                           COLUMNS(given_columns),
                                           .rows = 1,
                                           .row = given_row,
                                           .ctx = v });
    report_section(out, &(struct section){ .title = "",
                                           .form = SECTION_LIST,
                                           COLUMNS(given_line),
                                           .rows = 1,
                                           .row = given_line_row,
                                           .ctx = v });
}

const char *verify_hash_verdict(struct arena *a, const struct hashed *h)
{
    char matches[TEXT_NUMBER], all[TEXT_NUMBER];
    if (h->compared == 0) return "; no checksums to compare with";
    return arena_format(a, "; checksums of %s of %s file%s match", text_number(matches, h->matches),
                        text_number(all, h->count), h->count == 1 ? "" : "s");
}

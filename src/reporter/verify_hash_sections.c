/* verify_hash_sections.c -- what the level `hash` came to: a line a file, who says so, and a word. */
#include "reporter/sections.h"

#include "base/text.h"
#include "source/folder.h"

/* clang-format off */
static const struct column columns[] = {
    { "path", NULL, 0 },    { NULL, "file", COLUMN_NAME },  { "sha256", NULL, 0 },
    { "git_sha1", NULL, 0 }, { "verdict", "content", 0 },   { "source", "according to", COLUMN_RANK(5) },
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
}

const char *verify_hash_verdict(struct arena *a, const struct hashed *h)
{
    char matches[TEXT_NUMBER], all[TEXT_NUMBER];
    if (h->compared == 0) return "; no checksums to compare with";
    return arena_format(a, "; checksums of %s of %s file%s match", text_number(matches, h->matches),
                        text_number(all, h->count), h->count == 1 ? "" : "s");
}

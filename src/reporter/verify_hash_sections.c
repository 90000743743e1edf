/* verify_hash_sections.c -- the results of the level `hash`: a line per file with its source, and a phrase
 * for the verdict. */
#include "reporter/sections.h"

#include "base/text.h"
#include "source/folder.h"

static const char *verdict_name(enum hash_verdict v)
{
    return v == HASH_MATCHES      ? "matches"
           : v == HASH_DIFFERS    ? "differs"
           : v == HASH_WRONG_SIZE ? "wrong size"
           : v == HASH_NOT_READ   ? "not read"
                                  : "not known";
}

struct digits { /* scratch space for the current row */
    char whole[DIGEST_HEX], named[DIGEST_HEX];
};

static struct cell digest_cell(char hex[DIGEST_HEX], const struct digest_value *v)
{
    return v->kind == DIGEST_NONE ? (struct cell){ .kind = CELL_NULL } : CELL_T(digest_hex(hex, v));
}

static void fill_row(struct table_row *row, struct cell *c)
{
    struct digits *d = (struct digits *)(uintptr_t)row->of;
    const struct hashed_file *f = row->item;
    c[1] = CELL_S(path_base(f->path));
    c[2] = digest_cell(d->whole, &f->plan.job.whole);
    c[3] = digest_cell(d->named, &f->plan.job.named);
    c[4] = CELL_T(verdict_name(f->verdict));
}

static const struct table table =
    TABLE("content", "", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, fill_row,
          { "path", NULL, 0, AT(CELL_STR, struct hashed_file, path) }, { NULL, "file", COLUMN_NAME, MADE },
          { "sha256", NULL, 0, MADE }, { "git_sha1", NULL, 0, MADE }, { "verdict", "checksum", 0, MADE },
          { "source", "according to", COLUMN_RANK(5), VIA(CELL_TEXT, struct hashed_file, by, says) },
          { "source_path", NULL, 0, VIA(CELL_STR, struct hashed_file, by, where) });

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

static void given_line_row(struct table_row *row, struct cell *c) { c[1] = CELL_T(given_text(row->of)); }

static const struct table given_line_table =
    TABLE(NULL, "", SECTION_LIST, 0, given_line_row, { NULL, "", 0, SAID("manifest") },
          { NULL, "", COLUMN_WRAP, MADE });

static void given_row(struct table_row *row, struct cell *c)
{
    const struct hash_given *g = row->of;
    if (g->model != MODEL_UNKNOWN) c[11] = CELL_T(g->model == MODEL_SAME ? "same" : "other");
}

static const struct table given_table =
    TABLE("manifest", NULL, SECTION_OBJECT, TABLE_HIDDEN, given_row,
          { "path", NULL, 0, AT(CELL_STR, struct hash_given, path) },
          { "files", NULL, 0, AT(CELL_COUNT, struct hash_given, files) },
          { "matches", NULL, 0, AT(CELL_COUNT, struct hash_given, matches) },
          { "missing", NULL, 0, AT(CELL_COUNT, struct hash_given, missing) },
          { "unlisted", NULL, 0, AT(CELL_COUNT, struct hash_given, unlisted) },
          { "others", NULL, 0, AT(CELL_COUNT, struct hash_given, others) },
          { "tensors", NULL, 0, AT(CELL_COUNT, struct hash_given, tensors) },
          { "compared", NULL, 0, AT(CELL_COUNT, struct hash_given, compared) },
          { "same", NULL, 0, AT(CELL_COUNT, struct hash_given, same) },
          { "gone", NULL, 0, AT(CELL_COUNT, struct hash_given, gone) },
          { "extra", NULL, 0, AT(CELL_COUNT, struct hash_given, extra) }, { "model", NULL, 0, MADE });

bool verify_hash_sections(struct numel_report *out, const struct verify *v)
{
    if (!v->hashed) return true;
    struct digits *d = arena_alloc(&out->arena, sizeof *d);
    if (!d) return false;
    report_list(out, &table, ROWS(v->hashed->files, v->hashed->count), d);
    if (!v->hashed->given.path) return true;
    report_one(out, &given_table, &v->hashed->given);
    report_list(out, &given_line_table, v, 0, 1, v);
    return true;
}

const char *verify_hash_verdict(struct arena *a, const struct hashed *h)
{
    char matches[TEXT_NUMBER], all[TEXT_NUMBER];
    if (h->compared == 0) return "; no checksums to compare with";
    return arena_format(a, "; checksums of %s of %s file%s match", text_number(matches, h->matches),
                        text_number(all, h->count), h->count == 1 ? "" : "s");
}

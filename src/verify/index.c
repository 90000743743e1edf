/*
 * index.c -- the level `index`: the files of a set against each other, against their index, and against the
 * files next to them.
 *
 * The reader has compared which tensor is where while joining the set (reader/set.c, split.c). This level
 * checks the rest: files that are not part of the set but should be, or belong to another one; the index's
 * totals; and files that were joined or cut apart.
 */
#include "verify/verify.h"

#include "reader/declared.h"
#include "base/num.h"
#include "base/text.h"
#include "source/stream.h"
#include "source/folder.h"

#include <string.h>

struct indexing {
    struct verify *v;
    numel_checkpoint *ck;
    const struct found_set *set;
    struct names by_name;     /* of the set's files */
    struct shard_name family; /* their common name */
    bool has_family;
};

static bool all_read(const struct indexing *g)
{
    return g->ck->file_count == g->set->count && g->ck->missing == 0;
}

/* ---- files next to the set ---------------------------------------------------------------- */

static bool same_family(const struct indexing *g, const struct shard_name *n)
{
    return text_same(n->prefix, g->family.prefix) && text_same(n->suffix, g->family.suffix);
}

struct other_split { /* of the same family, but another total */
    uint64_t total, files;
    const char *first;
};

/* One line for each other total: 4,000 files of it are one mistake. */
static void count_other(struct other_split *others, size_t *count, size_t most, uint64_t total,
                        const char *path)
{
    size_t i = 0;
    while (i < *count && others[i].total != total) i++;
    if (i == most) return;
    if (i == *count) others[(*count)++] = (struct other_split){ total, 0, path };
    others[i].files++;
}

/* Does the folder have an index that is not this set's? Then its shards are the model. */
static bool has_other_index(const struct indexing *g, const struct folder *f)
{
    for (size_t i = 0; g->set->kind != FOUND_INDEX && i < f->count; i++)
        if (!f->entries[i].directory && name_is_index(f->entries[i].name)) return true;
    return false;
}

/* A file not in an index is left over. */
static void tell_left_over(const struct indexing *g)
{
    findings_add(&g->ck->findings, FINDING_SPLIT_MIXED, g->ck->states[0].path, NO_TENSOR, NUMEL_NOWHERE,
                 "the %zu files of this split into %" PRIu64
                 " are not in the folder's index: left over from another split; move them out of the folder",
                 g->set->count, g->family.total);
}

static void tell_others(const struct indexing *g, const struct other_split *others, size_t count)
{
    for (size_t i = 0; i < count; i++)
        findings_add(&g->ck->findings, FINDING_SPLIT_MIXED, others[i].first, NO_TENSOR, NUMEL_NOWHERE,
                     "%" PRIu64 " file%s of a split into %" PRIu64 " %s next to this split into "
                     "%" PRIu64 ": loaders that read every file load tensors twice; keep one split",
                     others[i].files, others[i].files == 1 ? "" : "s", others[i].total,
                     others[i].files == 1 ? "is" : "are", g->family.total);
}

/* Guesses from its name what a file outside the index is. */
static const char *told_by_name(numel_str name)
{
    if (text_starts(name, "consolidated"))
        return ": by its name the same weights again, in their original form; loaders read one of the two";
    if (text_equal(name, "model.safetensors"))
        return ": the folder holds the model twice, or two models; transformers loads this file, not the "
               "shards";
    return "";
}

static void tell_unindexed(const struct indexing *g, const char *path, numel_str name, bool family)
{
    char quoted[TEXT_QUOTE];
    if (g->set->kind != FOUND_INDEX || !text_ends(name, ".safetensors")) return;
    text_quote(quoted, name);
    if (family)
        findings_add(&g->ck->findings, FINDING_SHARD_UNINDEXED, path, NO_TENSOR, NUMEL_NOWHERE,
                     "%s is named like a shard of this set, but is not in the index", quoted);
    else
        findings_add(&g->ck->findings, FINDING_FILE_UNINDEXED, path, NO_TENSOR, NUMEL_NOWHERE,
                     "%s is next to the shards, but is not in the index%s", quoted, told_by_name(name));
}

/* "model-" of a name that is not a proper shard's: model-00007-of-00004, model-extra. */
static bool begins_like(const struct indexing *g, numel_str name)
{
    return g->has_family && name.n > g->family.prefix.n &&
           memcmp(name.p, g->family.prefix.p, g->family.prefix.n) == 0;
}

NUMEL_MUST static bool look_beside(const struct indexing *g, const struct folder *f)
{
    enum { MOST = 8 };
    struct other_split others[MOST];
    size_t count = 0;
    for (size_t i = 0; i < f->count; i++) {
        numel_str name = plain_name(f->entries[i].name);
        struct shard_name n;
        if (g->set->kind != FOUND_INDEX && !begins_like(g, name))
            continue; /* other names belong to other sets */
        if (f->entries[i].directory || !name_is_weights(name) ||
            names_find(&g->by_name, g->set->files, name) != NAMES_ABSENT)
            continue;
        char *path = path_join(g->v->arena, g->ck->dir, f->entries[i].name);
        if (!path) return error_nomem(g->v->error);
        bool family = g->has_family && shard_name_parse(name, &n) && same_family(g, &n);
        if (family && n.total != g->family.total) count_other(others, &count, MOST, n.total, path);
        else tell_unindexed(g, path, name, family || begins_like(g, name));
    }
    if (count && has_other_index(g, f)) tell_left_over(g);
    else tell_others(g, others, count);
    return true;
}

/* transformers finds the shards of a safetensors checkpoint only by its index. */
static void check_absent(const struct indexing *g, const struct folder *f)
{
    bool index = false;
    size_t shards = g->set->count + (size_t)g->set->absent;
    if (g->set->kind != FOUND_PATTERN || shards < 2 || !g->has_family ||
        !text_equal(g->family.suffix, ".safetensors"))
        return;
    for (size_t i = 0; i < g->ck->file_count && !index; i++)
        index = g->ck->files[i].header_only; /* copies for inspection, not for loading */
    for (size_t i = 0; i < f->count && !index; i++)
        index = text_ends(plain_name(f->entries[i].name), ".safetensors.index.json");
    char stem[TEXT_QUOTE];
    numel_str prefix = g->family.prefix;
    prefix = text_less(prefix, 1); /* the '-' before the number */
    if (!index)
        findings_add(
            &g->ck->findings, FINDING_INDEX_ABSENT, g->ck->dir, NO_TENSOR, NUMEL_NOWHERE,
            "%zu shards without an index: transformers loads none of them without %s.safetensors.index.json",
            shards, text_bare(stem, prefix));
}

NUMEL_MUST static bool check_folder(struct indexing *g)
{
    const struct folder *f = g->set->beside;
    numel_error *e = g->v->error;
    if (!f || g->set->kind == FOUND_FILE) return true;
    bool ok = true;
    for (size_t i = 0; i < g->set->count && ok; i++) {
        ok = names_reserve(&g->by_name, i + 1, e);
        if (ok) names_enter(&g->by_name, g->set->files, i);
        if (!g->has_family) g->has_family = shard_name_parse(g->set->files[i].name, &g->family);
    }
    ok = ok && look_beside(g, f);
    if (ok) check_absent(g, f);
    return ok;
}

/* ---- totals ------------------------------------------------------------------------------- */

/* The intended total; false if there is none. Reports odd spellings. */
static bool total_meant(const struct indexing *g, const char *key, enum index_number has, uint64_t exact,
                        numel_str odd, uint64_t *value)
{
    char quoted[TEXT_QUOTE];
    bool number = has == INDEX_ODD && declared_number(odd, value);
    if (has == INDEX_ABSENT || (has == INDEX_ODD && text_equal(odd, "null"))) return false;
    if (has == INDEX_EXACT) return *value = exact, true;
    findings_add(&g->ck->findings, FINDING_TOTAL_ODD, g->ck->index_path, NO_TENSOR, NUMEL_NOWHERE,
                 "%s is %s, not an integer", key, text_quote(quoted, odd));
    return number;
}

struct sums {
    uint64_t bytes, files; /* of all tensors, and of all files */
    uint64_t once;         /* of tensors, each name once */
};

static bool sum_bytes(const struct indexing *g, struct sums *s)
{
    bool fits = true;
    *s = (struct sums){ 0, 0, 0 };
    for (size_t i = 0; i < g->ck->registry.count; i++) {
        const numel_tensor *t = &g->ck->registry.tensors[i];
        fits &= num_add(&s->bytes, s->bytes, t->bytes);
        if (!(t->flags & NUMEL_REPEATED)) s->once += t->bytes; /* at most the other sum */
    }
    for (size_t i = 0; i < g->ck->file_count; i++)
        fits &= num_add(&s->files, s->files, g->ck->files[i].bytes);
    return fits;
}

/* total_size is the bytes of the tensors; mlx once wrote the file sizes. */
static void check_size(const struct indexing *g)
{
    const struct shard_index *x = &g->ck->index;
    char says[TEXT_NUMBER], is[TEXT_NUMBER];
    struct sums s;
    uint64_t total;
    if (!total_meant(g, "total_size", x->has_total_size, x->total_size, x->odd_size, &total) ||
        !sum_bytes(g, &s) || total == s.bytes || total == s.once) /* repeats are already reported */
        return;
    text_number(says, total);
    text_number(is, s.bytes);
    if (total == s.files)
        findings_add(&g->ck->findings, FINDING_TOTAL_FILES, g->ck->index_path, NO_TENSOR, NUMEL_NOWHERE,
                     "total_size is %s, the size of the files; the tensors have %s bytes (older versions of "
                     "mlx write it this way)",
                     says, is);
    else
        findings_add(&g->ck->findings, FINDING_TOTAL_SIZE, g->ck->index_path, NO_TENSOR, NUMEL_NOWHERE,
                     "total_size is %s, but the tensors have %s bytes", says, is);
}

/* total_parameters is what num_parameters() returned; with packed weights its meaning varies. */
static bool check_parameters(const struct indexing *g)
{
    const struct shard_index *x = &g->ck->index;
    const struct handle *c;
    char says[TEXT_NUMBER], is[TEXT_NUMBER];
    uint64_t total;
    if (!total_meant(g, "total_parameters", x->has_total_parameters, x->total_parameters, x->odd_parameters,
                     &total) ||
        total == g->ck->stored)
        return true;
    if (!verify_model(g->v, &c)) return false;
    const struct counts *n = &c->model->counts;
    if (c->model->x && (total == n->logical || total == n->unique || total == n->parameters)) return true;
    if (c->model->x && model_packing(c->model).quantized) return true;
    findings_add(&g->ck->findings, FINDING_TOTAL_PARAMETERS, g->ck->index_path, NO_TENSOR, NUMEL_NOWHERE,
                 "total_parameters is %s, but the tensors have %s elements", text_number(says, total),
                 text_number(is, g->ck->stored));
    return true;
}

/* Tensors that no line of the index has: harmless for a buffer, else loaders miss them. */
static bool check_unindexed(const struct indexing *g)
{
    const struct shard_index *x = &g->ck->index;
    const struct handle *c = NULL;
    char name[TEXT_QUOTE], count[TEXT_NUMBER];
    uint64_t needed = 0;
    const numel_tensor *first = NULL;
    for (uint32_t i = 0; i < g->ck->registry.count; i++) {
        const numel_tensor *t = &g->ck->registry.tensors[i];
        if (names_find(&x->by_tensor, x->tensors, t->name) != NAMES_ABSENT) continue;
        if (!c && !verify_model(g->v, &c)) return false;
        bool wanted = c->model->x ? model_tensor(c->model, i).cause == CAUSE_EXPECTED : t->ndim > 1;
        if (wanted && needed++ == 0) first = t;
    }
    if (needed)
        findings_add(&g->ck->findings, FINDING_INDEX_INCOMPLETE, g->ck->index_path, first->name,
                     NUMEL_NOWHERE,
                     "%s tensor%s of the model %s not in the index, the first "
                     "is %s",
                     text_number(count, needed), needed == 1 ? "" : "s", needed == 1 ? "is" : "are",
                     text_quote(name, first->name));
    return true;
}

static bool check_index(const struct indexing *g)
{
    if (!g->ck->index_path || g->ck->file_count == 0) return true;
    if (!check_unindexed(g)) return false;
    if (!all_read(g)) return true; /* partial sums prove nothing */
    check_size(g);
    return check_parameters(g);
}

/* ---- joined or cut files ------------------------------------------------------------------ */

/* Where in the bytes after the last tensor another header begins; false if none does. */
static bool find_header(const uint8_t *p, size_t n, numel_format format, size_t *at)
{
    for (*at = 0; *at + 9 <= n; ++*at) {
        if (format == NUMEL_GGUF && memcmp(p + *at, "GGUF", 4) == 0) return true;
        uint64_t header = num_load(p + *at, 8, false);
        if (format == NUMEL_SAFETENSORS && *at == 0 && header > 1 && p[8] == '{') return true;
        if (p[*at]) return false; /* padding only */
    }
    return false;
}

/* `cat part1 part2`: the second file's header follows the first one's data. */
static void check_appended(const struct indexing *g, const numel_file *f)
{
    uint8_t bytes[4096];
    struct stream s;
    numel_error e = { 0 };
    size_t n = (size_t)num_min(f->trailing, sizeof bytes), at = 0;
    uint64_t end = f->bytes - f->trailing;
    if (n < 9 || f->compressed || f->header_only || !stream_open(&s, f->path, &e)) return;
    bool ok = stream_read(&s, end, bytes, n, &e);
    ok = stream_close(&s, &e) && ok && find_header(bytes, n, f->format, &at);
    if (ok)
        findings_add(&g->ck->findings, FINDING_FILE_APPENDED, f->path, NO_TENSOR, end + at,
                     "a second file begins here, after the end of the first: two files were joined "
                     "with cat; %s",
                     f->format == NUMEL_GGUF ? "download them separately, or join them with "
                                               "llama-gguf-split --merge"
                                             : "download them separately");
}

bool verify_index(struct verify *v)
{
    struct indexing g = { .v = v, .ck = v->ck, .set = v->set };
    names_init(&g.by_name, v->arena->memory, sizeof *g.set->files);
    bool ok = check_folder(&g) && check_index(&g);
    for (size_t i = 0; ok && i < g.ck->file_count; i++) check_appended(&g, &g.ck->files[i]);
    names_done(&g.by_name);
    return ok;
}

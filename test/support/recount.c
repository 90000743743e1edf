/* recount.c -- see recount.h. */
#include "look.h"
#include "recount.h"

#include "draft.h"
#include "gguf_walk.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* ---- places ------------------------------------------------------------------------------- */

struct range {
    uint64_t from, to;
};

static int by_from(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

static uint64_t capped(wide v) { return v > UINT64_MAX ? UINT64_MAX : (uint64_t)v; }

/* Bytes that tensors claim: inside the file, past its end, and more than once. */
static const char *recount_ranges(const numel_file *f, struct range *all, size_t n, uint64_t size)
{
    wide claimed = 0, inside = 0, outside = 0;
    uint64_t at = 0;
    if (n) qsort(all, n, sizeof *all, by_from);
    for (size_t i = 0; i < n; i++) {
        uint64_t from = num_max(at, all[i].from), to = all[i].to;
        claimed += to - all[i].from;
        if (to <= from) continue;
        if (from < size) inside += num_min(to, size) - from;
        if (to > size) outside += to - num_max(from, size);
        at = to;
    }
    if (f->bytes != size) return "the file has another size";
    if (f->data_bytes != inside) return "data_bytes differ from the bytes of the tensors";
    if (f->data_start > size && f->tensors) outside += f->data_start - size;
    if (f->missing != outside) return "missing bytes are not those past the end";
    wide twice =
        claimed - inside - (outside - (f->data_start > size && f->tensors ? f->data_start - size : 0));
    return f->overlap == capped(twice) ? NULL : "overlap differs from the bytes claimed more than once";
}

static const char *recount_places(const numel_checkpoint *ck, uint64_t size)
{
    size_t n = numel_tensor_count(ck);
    struct range *all = must(malloc((n + 1) * sizeof *all));
    const char *why = NULL;
    for (size_t i = 0; i < n; i++) {
        const numel_tensor own = look_at(ck, i), *t = &own;
        all[i] = (struct range){ t->offset, t->offset + t->bytes };
        if (all[i].to < all[i].from) why = "a tensor's end wraps";
        if (t->offset < numel_file_at(ck, 0)->header_bytes) why = "a tensor begins inside the header";
        if (t->bytes && !numel_file_at(ck, 0)->missing && all[i].to > size)
            why = "a tensor outside of the file, untold";
    }
    if (!why) why = recount_ranges(numel_file_at(ck, 0), all, n, size);
    free(all);
    return why;
}

/* ---- sizes -------------------------------------------------------------------------------- */

static bool is_told(const numel_checkpoint *ck, const char *prefix)
{
    for (size_t i = 0; i < numel_finding_count(ck); i++)
        if (strncmp(numel_finding_at(ck, i)->code, prefix, strlen(prefix)) == 0) return true;
    return false;
}

/* A safetensors file states its sizes: a wrong one is a finding. */
static bool size_told(const numel_checkpoint *ck)
{
    return is_told(ck, "size-mis") || is_told(ck, "offset-reversed");
}

static const char *recount_tensor(const numel_checkpoint *ck, const numel_tensor *t, wide *stored)
{
    wide elements = 1;
    for (uint32_t i = 0; i < t->ndim; i++)
        if (t->dims[i] == 0) elements = 0;
    for (uint32_t i = 0; i < t->ndim && elements; i++) {
        if (elements > UINT64_MAX / t->dims[i]) return "a product that does not fit";
        elements *= t->dims[i];
    }
    if (elements != t->elements) return "elements are not the product of the shape";
    *stored += elements;
    bool gguf = numel_file_at(ck, 0)->format == NUMEL_GGUF;
    const struct kind *kind = t->flags & NUMEL_BYTES_INFERRED ? NULL : kind_find(t->dtype->name, gguf);
    if (!kind) return NULL;
    wide bits = elements / kind->block * kind->bits;
    if (size_told(ck) || (bits % 8 == 0 && bits / 8 == t->bytes)) return NULL;
    return "bytes are not elements times their type";
}

static const char *recount_sizes(const numel_checkpoint *ck)
{
    wide stored = 0;
    numel_counts c = NUMEL_INIT(numel_counts);
    for (size_t i = 0; i < numel_tensor_count(ck); i++) {
        const numel_tensor t = look_at(ck, i);
        const char *why = recount_tensor(ck, &t, &stored);
        if (why) return why;
    }
    if (!look_count(ck, &c)) return "no counts";
    return stored == c.stored ? NULL : "stored is another sum";
}

/* ---- headers ------------------------------------------------------------------------------ */

static const char *recount_gguf(const numel_checkpoint *ck, const uint8_t *p, size_t n)
{
    static struct gguf_walk w; /* large */
    uint64_t elements = 0, names = 0;
    if (!gguf_walk(&w, p, n)) return "a header that is cut was read";
    if (w.tensors != numel_tensor_count(ck)) return "another number of tensors";
    if (w.pairs < numel_meta_count(ck)) return "more keys than there are";
    for (size_t i = 0; i < numel_tensor_count(ck); i++) {
        const numel_tensor own = look_at(ck, i), *t = &own;
        elements += t->elements;
        names += gguf_walk_hash(t->name.p, t->name.n);
    }
    if (w.elements != elements) return "another sum of elements";
    if (w.name_hash != names) return "other names";
    return numel_file_at(ck, 0)->header_bytes == w.end ? NULL : "the header ends elsewhere";
}

static const char *recount_entry(const numel_checkpoint *ck, const json_value *entry)
{
    const char *name = json_name(entry);
    int64_t n, from, to;
    const numel_tensor own = look_at(ck, numel_tensor_find(ck, name, strlen(name))), *t = &own;
    const json_value *shape = json_get(entry, "shape"), *places = json_get(entry, "data_offsets");
    if (json_kind(entry) != JSON_OBJECT) return NULL; /* marks a list, which is reported */
    if (t->elements == NUMEL_NOT_KNOWN) return "a tensor of the header is missing";
    uint32_t i = 0;
    for (const json_value *d = json_first(shape); d; d = json_next(d), i++)
        if (i >= t->ndim || (json_integer(d, &n) && (uint64_t)n != t->dims[i])) return "another shape";
    if (i != t->ndim) return "fewer dims than the tensor has";
    if (!json_integer(json_first(places), &from) || !json_integer(json_next(json_first(places)), &to))
        return NULL;
    uint64_t start = numel_file_at(ck, 0)->data_start;
    if (t->offset != start + (uint64_t)from) return "another place";
    if (to < from)
        return t->bytes == 0 && is_told(ck, "offset-reversed") ? NULL : "offsets that go back, untold";
    return t->bytes == (uint64_t)(to - from) ? NULL : "another size";
}

/* Uses cJSON, which rejects NUL in a string and stores numbers as doubles. */
static const char *recount_safetensors(const numel_checkpoint *ck, const uint8_t *p, size_t n)
{
    numel_error e = { .offset = NUMEL_NOWHERE };
    uint64_t length = n >= 8 ? num_load(p, 8, false) : UINT64_MAX;
    if (length > n - 8) return "a header longer than the file was read";
    if (numel_file_at(ck, 0)->header_bytes != 8 + length) return "the header ends elsewhere";
    json_value *doc = json_doc_parse(p + 8, length, &e);
    if (!doc) return strstr(e.what, "u0000") ? NULL : "a header that is not JSON was read";
    size_t tensors = 0;
    const char *why = NULL;
    for (const json_value *m = json_first(doc); m && !why; m = json_next(m)) {
        if (strcmp(json_name(m), "__metadata__") == 0) continue;
        why = recount_entry(ck, m);
        tensors++;
    }
    json_doc_free(doc);
    if (!why && tensors != numel_tensor_count(ck)) why = "another number of tensors";
    return why;
}

const char *recount(const numel_checkpoint *ck, const uint8_t *p, size_t n)
{
    const char *why = recount_sizes(ck);
    if (!why) why = recount_places(ck, n);
    if (why) return why;
    return numel_file_at(ck, 0)->format == NUMEL_GGUF ? recount_gguf(ck, p, n)
                                                      : recount_safetensors(ck, p, n);
}

/*
 * gguf.c -- reading GGUF headers, versions 1 to 3, either byte order.
 *
 *     | "GGUF" | version u32 | n_tensors u64 | n_kv u64 | pairs | tensor infos | 0 ... | data |
 *     info = name: string, n_dims: u32, dims: u64 each, type: u32, offset: u64
 *
 * In v1 counts, lengths and dims are u32. Offsets are relative to the data start, which is the end of the
 * infos rounded up to general.alignment (32 unless given). dims[0] is the fastest axis; only this file
 * reverses them to outermost first. (ggml, docs/gguf.md; checks of the reference reader: ggml, src/gguf.cpp.)
 *
 * A big-endian file has the same magic and its version in big-endian. Some big-endian files have a reversed
 * magic as well ("FUGG"): accepted only when the version agrees.
 *
 * The element product is checked before it is used: the reference guards its check with the wrapped product
 * itself, so [2^32, 2^32] passes there as 0 elements.
 */
#include "reader/gguf_meta.h"
#include "reader/extents.h"

#include "base/text.h"
#include "registry/prefixes.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_DIMS = 4,
    PICTURE_DIMS = 5,
    MOST_DIMS = 64 /* more are not dimensions */,
    MAX_NAME = 63,
    PICTURE_NAME = 127, /* as ComfyUI's converter and stable-diffusion.cpp build ggml */
    ALIGNMENT = 32,
    LAST_VERSION = 3,
    PAD_LOOKED_AT = 65536
};

static bool probe(const uint8_t *p, uint64_t size)
{
    if (size < 4) return false;
    if (memcmp(p, "GGUF", 4) == 0) return true;
    return memcmp(p, "FUGG", 4) == 0 && size >= 8 && num_load(p + 4, 4, true) >= 1 &&
           num_load(p + 4, 4, true) <= LAST_VERSION;
}

/* ---- head --------------------------------------------------------------------------------- */

static bool read_version(struct gguf *g)
{
    const uint8_t *magic = cursor_take(&g->c, 4, "the magic");
    bool swapped = magic && magic[0] == 'F';
    uint64_t at = g->c.at, version = cursor_uint(&g->c, 4, "the version");
    if (!cursor_ok(&g->c)) return false;
    if (version && (version & 0xFFFF) == 0) { /* the rule of the reference */
        version = num_load(g->c.base + at, 4, true);
        g->c.big_endian = true;
    }
    if (version == 0 || version > LAST_VERSION)
        return cursor_fail(&g->c, at, NUMEL_E_VERSION, "GGUF version %" PRIu64 ", numel knows 1 to %d",
                           version, LAST_VERSION);
    if (swapped)
        reading_find(g->r, FINDING_MAGIC_SWAPPED, NO_TENSOR, 0,
                     "the magic is 'FUGG': a big-endian writer swapped it, llama.cpp refuses it");
    if (version == 1)
        reading_find(g->r, FINDING_VERSION_OLD, NO_TENSOR, at,
                     "GGUF version 1: llama.cpp no longer reads it");
    g->version = (uint32_t)version;
    g->length_bytes = version == 1 ? 4 : 8;
    return true;
}

/* Both counts must fit in the remaining bytes before either is looped over. */
static bool read_counts(struct gguf *g)
{
    unsigned len = g->length_bytes;
    uint64_t at = g->c.at;
    g->n_tensors = cursor_uint(&g->c, len, "the tensor count");
    g->n_kv = cursor_uint(&g->c, len, "the metadata count");
    return cursor_count(&g->c, at, g->n_tensors, len + 16u, "tensors") &&
           cursor_count(&g->c, at + len, g->n_kv, len + 6u, "metadata pairs");
}

/* ---- tensor infos ------------------------------------------------------------------------- */

static bool bad_tensor(struct gguf *g, const numel_tensor *t, uint64_t at, numel_rc code, const char *format,
                       ...) __attribute__((format(printf, 5, 6)));
static bool bad_tensor(struct gguf *g, const numel_tensor *t, uint64_t at, numel_rc code, const char *format,
                       ...)
{
    char name[TEXT_QUOTE], why[256];
    va_list args;
    va_start(args, format);
    text_formatv(why, sizeof why, format, args);
    va_end(args);
    return cursor_fail(&g->c, at, code, "tensor %s: %s", text_quote(name, t->name), why);
}

/* stable-diffusion.cpp writes whole checkpoints without metadata: their names identify them. */
static bool is_picture(const struct gguf *g, numel_str name)
{
    for (uint32_t i = 0; !g->architecture && i < embedded_prefix_count; i++)
        if (embedded_prefixes[i].gguf && prefix_is(&embedded_prefixes[i], name)) return true;
    return g->pictures;
}

NUMEL_MUST static bool read_name(struct gguf *g, numel_tensor *t, uint64_t at)
{
    numel_str s = gguf_string(g, "a tensor's name");
    if (!cursor_ok(&g->c)) return false;
    t->name = (numel_str){ arena_copy(g->r->arena, s.p, s.n), s.n };
    if (!t->name.p) return error_nomem(g->r->error);
    if (s.n == 0) reading_find(g->r, FINDING_NAME_EMPTY, t->name, at, "a tensor has an empty name");
    bool picture = is_picture(g, s);
    int most = picture ? PICTURE_NAME : MAX_NAME;
    if (s.n > (size_t)most)
        reading_find(g->r, FINDING_NAME_LONG, t->name, at, "the name has %zu bytes, %s takes up to %d", s.n,
                     picture ? "ggml for pictures" : "llama.cpp", most);
    bool nul = s.n && memchr(s.p, 0, s.n);
    g->nul |= nul;
    if (nul || text_utf8((const uint8_t *)s.p, s.n) < s.n)
        reading_find(g->r, FINDING_NAME_ODD, t->name, at, "the name is not UTF-8 or contains a NUL");
    return true;
}

/* *odd: the shape is unusable, and verify continues after it. */
NUMEL_MUST static bool read_dims(struct gguf *g, numel_tensor *t, bool *odd)
{
    uint64_t at = g->c.at, n = cursor_uint(&g->c, 4, "a dimension count"), dims[PICTURE_DIMS];
    uint64_t most = g->pictures ? PICTURE_DIMS : MAX_DIMS;
    if (!cursor_ok(&g->c)) return false;
    if (n > most) {
        bad_tensor(g, t, at, NUMEL_E_RANGE, "%" PRIu64 " dimensions, at most %" PRIu64, n, most);
        *odd = n <= MOST_DIMS && reading_forgive(g->r, FINDING_SHAPE_REFUSED, t->name);
        return *odd && cursor_take(&g->c, n * g->length_bytes, "the dimensions");
    }
    if (n == 0) reading_find(g->r, FINDING_DIMS_ZERO, t->name, at, "no dimensions: counted as 1 element");
    for (uint64_t i = 0; i < n; i++) { /* GGUF's first is our last */
        uint64_t here = g->c.at, d = cursor_uint(&g->c, g->length_bytes, "a dimension");
        if (cursor_ok(&g->c) && d > INT64_MAX) {
            bad_tensor(g, t, here, NUMEL_E_RANGE, "dimension %" PRIu64 " is %" PRIu64 ", at most 2^63-1", i,
                       d);
            if (!reading_forgive(g->r, FINDING_SHAPE_REFUSED, t->name)) return false;
            *odd = true;
        }
        dims[n - 1 - i] = d;
    }
    if (!cursor_ok(&g->c)) return false;
    t->ndim = (uint32_t)n;
    t->dims = n ? arena_copy(g->r->arena, dims, n * sizeof *dims) : NULL;
    return !n || t->dims || error_nomem(g->r->error);
}

/* One finding per type, not one per tensor. */
static void tell_type(struct gguf *g, const numel_tensor *t, uint32_t id, uint64_t at)
{
    for (unsigned i = 0; i < g->named_count; i++)
        if (g->named[i] == id) return;
    if (g->named_count < sizeof g->named / sizeof g->named[0]) g->named[g->named_count++] = id;
    if (t->dtype->standing == NUMEL_REMOVED)
        reading_find(g->r, FINDING_TYPE_REMOVED, t->name, at,
                     "element type %" PRIu32 " (%s) was removed from GGUF, llama.cpp refuses it", id,
                     t->dtype->name);
    else if (t->dtype->standing == NUMEL_FORK)
        reading_find(g->r, FINDING_TYPE_FORK, t->name, at,
                     "element type %" PRIu32 " (%s) belongs to the ik_llama.cpp fork, llama.cpp does "
                     "not know it",
                     id, t->dtype->name);
    else
        reading_find(g->r, FINDING_TYPE_UNKNOWN, t->name, at,
                     "unknown element type %" PRIu32
                     " (of a fork, or newer): elements counted, bytes inferred from the next offset",
                     id);
}

NUMEL_MUST static bool read_type(struct gguf *g, numel_tensor *t)
{
    char name[32];
    uint64_t at = g->c.at;
    uint32_t id = (uint32_t)cursor_uint(&g->c, 4, "an element type");
    if (!cursor_ok(&g->c)) return false;
    text_format(name, sizeof name, "type %" PRIu32, id);
    t->dtype = dtype_gguf(id);
    if (!t->dtype) t->dtype = dtype_unknown(g->r->arena, name, NUMEL_GGUF, (int32_t)(id & INT32_MAX));
    if (!t->dtype) return error_nomem(g->r->error);
    if (t->dtype->standing != NUMEL_KNOWN) tell_type(g, t, id, at);
    return true;
}

/* Elements and bytes, without trusting any product (see above). */
static bool measure(struct gguf *g, numel_tensor *t, uint64_t at)
{
    char dims[TEXT_QUOTE];
    uint64_t n = 1, row = t->ndim ? t->dims[t->ndim - 1] : 1, row_bytes, zero = false;
    const numel_dtype *d = t->dtype;
    for (uint32_t i = 0; i < t->ndim; i++) zero |= t->dims[i] == 0;
    for (uint32_t i = 0; i < t->ndim && !zero; i++)
        if (!num_mul(&n, n, t->dims[i]) || n > INT64_MAX)
            return bad_tensor(g, t, at, NUMEL_E_OVERFLOW, "the elements of shape %s do not fit in 63 bits",
                              text_dims(dims, t->dims, t->ndim));
    t->elements = zero ? 0 : n;
    bool whole = d->block_bytes == 0 || row % d->block_elements == 0;
    if (d->block_bytes == 0 || (!whole && gguf_fork_row(g, t, row, at))) {
        t->flags |= NUMEL_BYTES_INFERRED;
        return true;
    }
    if (g->r->error->code) return false;
    if (!whole)
        return bad_tensor(g, t, at, NUMEL_E_RANGE,
                          "rows of %" PRIu64 " elements, %s comes in blocks of %" PRIu32, row, d->name,
                          d->block_elements);
    uint64_t rows = zero ? 0 : n / row;
    if (!num_mul(&row_bytes, row / d->block_elements, d->block_bytes) ||
        !num_add(&row_bytes, row_bytes, d->row_bytes) || !num_mul(&t->bytes, rows, row_bytes))
        return bad_tensor(g, t, at, NUMEL_E_OVERFLOW, "the bytes of shape %s do not fit in 64 bits",
                          text_dims(dims, t->dims, t->ndim));
    return true;
}

/* Verify tolerates what measure() refuses: the elements are unknown, and the bytes reach to the next
 * tensor. */
static bool forgive_size(struct gguf *g, numel_tensor *t)
{
    bool overflow = g->r->error->code == NUMEL_E_OVERFLOW;
    return reading_forgive(g->r, overflow ? FINDING_SHAPE_OVERFLOW : FINDING_ROW_MISALIGNED, t->name);
}

NUMEL_MUST static bool read_info(struct gguf *g)
{
    numel_tensor t = { .file = g->r->number };
    uint64_t at = g->c.at;
    bool odd = false;
    if (!read_name(g, &t, at) || !read_dims(g, &t, &odd) || !read_type(g, &t)) return false;
    if (!odd && !measure(g, &t, at)) {
        odd = forgive_size(g, &t);
        if (!odd) return false;
    }
    if (odd) t.elements = t.bytes = 0;
    if (odd) t.flags |= NUMEL_BYTES_INFERRED;
    t.offset = cursor_uint(&g->c, 8, "a tensor's offset"); /* relative until place_tensors() */
    return cursor_ok(&g->c) && reading_add(g->r, &t, &(struct reading_entry){ .at = at, .odd = odd });
}

/* ---- places ------------------------------------------------------------------------------- */

static bool place_tensors(struct gguf *g)
{
    struct reading *r = g->r;
    numel_tensor *t = registry_from(r->registry, r->file->first_tensor);
    uint64_t end;
    for (uint64_t i = 0; i < g->n_tensors; i++) {
        uint64_t relative = t[i].offset, at = r->entries[i].at;
        if (!num_add(&t[i].offset, relative, r->file->data_start) ||
            !num_add(&end, t[i].offset, t[i].bytes) || end > INT64_MAX) {
            bad_tensor(g, &t[i], at, NUMEL_E_RANGE,
                       "offset %" PRIu64 " and %" PRIu64 " bytes reach past any file", relative, t[i].bytes);
            if (!reading_forgive(r, FINDING_OFFSET_RANGE, t[i].name)) return false;
            t[i].offset = r->file->data_start;
            t[i].bytes = 0;
            t[i].flags &= ~(uint32_t)NUMEL_BYTES_INFERRED;
            r->gaps_known = true;
        } else if (relative % g->alignment)
            reading_find(r, FINDING_OFFSET_UNALIGNED, t[i].name, at,
                         "offset %" PRIu64 " is not a multiple of the alignment, %" PRIu64, relative,
                         g->alignment);
    }
    return true;
}

/* A tensor of unknown size reaches to the next tensor, or to the end of the file. */
static void infer_bytes(struct gguf *g, const struct extents *l)
{
    numel_tensor *all = g->r->registry->tensors;
    uint64_t next = g->r->total_known ? g->r->total : 0;
    for (size_t i = l->count; i-- > 0;) {
        numel_tensor *t = &all[l->order[i]];
        bool some = t->elements || g->r->entries[l->order[i] - g->r->file->first_tensor].odd;
        if (t->flags & NUMEL_BYTES_INFERRED) t->bytes = some && next > t->offset ? next - t->offset : 0;
        next = t->offset;
    }
}

/* The reference requires each offset to be the padded end of the tensor before it. */
static void check_places(struct gguf *g, const struct extents *l)
{
    const numel_tensor *all = g->r->registry->tensors, *before = NULL;
    uint64_t end = g->r->file->data_start, padded = end;
    char name[TEXT_QUOTE];
    for (size_t i = 0; i < l->count; i++) {
        const numel_tensor *t = &all[l->order[i]];
        uint64_t at = g->r->entries[l->order[i] - g->r->file->first_tensor].at;
        if (t->offset < end) /* an empty one too: the reference does not expect it there */
            reading_find(g->r, FINDING_OFFSET_OVERLAP, t->name, at,
                         "begins at %" PRIu64 ", but %s before it ends at %" PRIu64, t->offset,
                         before ? text_quote(name, before->name) : "the header", end);
        else if (t->offset > padded && !g->r->gaps_known)
            reading_find(g->r, FINDING_OFFSET_HOLE, t->name, at,
                         "begins at %" PRIu64 ", the data before ends at %" PRIu64
                         " (padded): legal, but llama.cpp refuses gaps",
                         t->offset, padded);
        end = num_max(end, t->offset + t->bytes);
        if (!num_align(&padded, end, g->alignment)) padded = end;
        before = t;
    }
}

/* Of two tensors at one offset the empty one comes first: it ends where the other begins. */
static void check_order(struct gguf *g, const struct extents *l)
{
    const numel_tensor *t = registry_from(g->r->registry, g->r->file->first_tensor);
    for (size_t i = 1; i < l->count; i++) {
        bool behind = t[i].offset == t[i - 1].offset && t[i - 1].bytes && !t[i].bytes;
        if (t[i].offset >= t[i - 1].offset && !behind) continue;
        reading_find(g->r, FINDING_OFFSET_ORDER, t[i].name, g->r->entries[i].at,
                     "listed after a tensor at %" PRIu64 " but is at %" PRIu64
                     "%s: legal, but llama.cpp refuses tensors out of order",
                     t[i - 1].offset, t[i].offset, behind ? ", with no elements" : "");
        return;
    }
}

static void check_padding(struct gguf *g)
{
    const numel_file *f = g->r->file;
    uint64_t end = num_min(f->data_start, g->c.size);
    end = num_min(end, f->header_bytes + PAD_LOOKED_AT); /* alignment 2^31 is legal */
    for (uint64_t i = f->header_bytes; i < end; i++)
        if (g->c.base[i]) {
            reading_find(g->r, FINDING_PAD_NOT_ZERO, NO_TENSOR, i,
                         "a padding byte before the data is 0x%02x, not 0", g->c.base[i]);
            return;
        }
}

/* Reports a last tensor without padding, which llama.cpp accepts. */
static void check_last(struct gguf *g, const struct extents *l)
{
    const numel_file *f = g->r->file;
    bool whole =
        l->count && g->r->total_known && !g->r->header_only && !f->missing && !f->trailing && !f->compressed;
    if (!whole || (f->bytes - f->data_start) % g->alignment == 0) return;
    reading_find(g->r, FINDING_END_UNPADDED, NO_TENSOR, f->bytes,
                 "the last tensor is not padded to a multiple of %" PRIu64
                 " bytes: llama.cpp reads it, older Ollama does not",
                 g->alignment);
}

static void check_end(struct gguf *g, const struct extents *l)
{
    const numel_file *f = g->r->file;
    char n[TEXT_NUMBER];
    if (f->missing && g->r->total_known) extents_missing(l, g->r);
    check_last(g, l);
    if (f->trailing && !g->r->gaps_known)
        reading_find(g->r, FINDING_TRAILING_BYTES, NO_TENSOR, f->bytes - f->trailing,
                     "%s byte%s follow%s the last tensor and its padding", text_number(n, f->trailing),
                     f->trailing == 1 ? "" : "s", f->trailing == 1 ? "s" : "");
}

/* ---- the file ----------------------------------------------------------------------------- */

struct shown {
    numel_str name; /* up to its first NUL, as llama.cpp compares it */
};

/* Reports names that are the same to llama.cpp, whose strings end at a NUL. */
static bool check_shown(struct gguf *g)
{
    struct reading *r = g->r;
    size_t base = (size_t)r->file->first_tensor, n = r->registry->count - base;
    const numel_tensor *t = registry_from(r->registry, base);
    struct shown *shown = g->nul ? arena_alloc(r->arena, n * sizeof *shown) : NULL;
    struct names names;
    if (!g->nul) return true;
    names_init(&names, r->registry->memory, sizeof *shown);
    bool ok = shown ? names_reserve(&names, n, r->error) : error_nomem(r->error);
    for (size_t i = 0; ok && i < n; i++) {
        shown[i].name = text_upto(t[i].name, text_find(t[i].name, 0, 0));
        uint32_t first = names_enter(&names, shown, i);
        if (first != i && !text_same(t[first].name, t[i].name))
            reading_find(r, FINDING_NAME_REPEATED, t[i].name, r->entries[i].at,
                         "up to its NUL the name is the same as that of the tensor at %" PRIu64
                         ": llama.cpp reads both as one name and refuses the file",
                         r->entries[first].at);
    }
    names_done(&names);
    return ok;
}

static bool check_file(struct gguf *g)
{
    struct reading *r = g->r;
    struct extents l;
    if (!place_tensors(g) || !extents_order(&l, r)) return false;
    infer_bytes(g, &l);
    bool fork, ok = gguf_fork_types(g, &l, &fork);
    if (fork) infer_bytes(g, &l);
    check_order(g, &l);
    check_places(g, &l);
    ok = ok && reading_commit(g->r, ":") && check_shown(g) && gguf_restore_shapes(g);
    if (ok) {
        extents_account(&l, r, g->alignment);
        check_end(g, &l);
    }
    extents_done(&l);
    return ok;
}

static bool read_header(struct gguf *g)
{
    struct reading *r = g->r;
    if (!read_version(g) || !read_counts(g) || !gguf_read_pairs(g)) return false;
    for (uint64_t i = 0; i < g->n_tensors; i++)
        if (!read_info(g)) return false;
    r->file->version = g->version;
    r->file->big_endian = g->c.big_endian;
    r->file->header_bytes = g->c.at;
    if (!num_align(&r->file->data_start, g->c.at, g->alignment))
        return cursor_fail(&g->c, g->c.at, NUMEL_E_OVERFLOW, "the start of the data overflows");
    if (!g->architecture && !g->split)
        reading_find(r, FINDING_ARCHITECTURE_ABSENT, NO_TENSOR, NUMEL_NOWHERE, "no general.architecture");
    return true;
}

static bool read_file(struct reading *r)
{
    struct gguf g = { .r = r, .alignment = ALIGNMENT };
    g.c = (struct cursor){ .base = r->base, .size = r->size, .error = r->error };
    r->file->format = NUMEL_GGUF;
    r->gaps_known = false;
    if (!read_header(&g)) return false;
    check_padding(&g);
    return check_file(&g);
}

const struct reader reader_gguf = { NUMEL_GGUF, "gguf", probe, read_file };

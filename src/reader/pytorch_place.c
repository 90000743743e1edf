/*
 * pytorch_place.c -- where the storages are in the file, and with them the tensors.
 *
 * A zip has a record for each storage, DIR/data/KEY, stored; its size must be the storage's. The old format
 * lists the keys, and then has each storage behind its count of elements, 8 bytes.
 *
 * Every byte of the file is accounted for: those of tensors, once for tensors that share them; those of
 * storages that no tensor covers (gaps); all others are the container's (padding).
 */
#include "reader/pytorch_internal.h"

#include "base/num.h"
#include "base/text.h"
#include "source/source.h"

#include <stdlib.h>

/* ---- in a zip ----------------------------------------------------------------------------- */

NUMEL_MUST static bool refuse(struct torch *t, const struct torch_storage *s, enum finding_rule rule,
                              numel_rc code, uint64_t at, const char *why)
{
    char key[TEXT_QUOTE];
    return reading_refuse(t->r, rule, code, NO_TENSOR, at, "storage %s: %s", text_quote(key, s->key), why);
}

NUMEL_MUST static bool find_record(struct torch *t, struct torch_storage *s, const struct zip_entry *x)
{
    char why[160];
    uint64_t at;
    if (!x->stored)
        return refuse(t, s, FINDING_ENTRY_MALFORMED, NUMEL_E_SYNTAX, torch_record_at(t, x),
                      "its record is compressed");
    if (!(t->r->header_only ? zip_aligned(&t->zip, x, 64, &at, t->r->error)
                            : zip_place(&t->zip, x, &t->bytes, torch_arena(t), &at, t->r->error)))
        return reading_forgive(t->r, FINDING_ENTRY_MALFORMED, NO_TENSOR);
    if (x->bytes != s->bytes) {
        text_format(why, sizeof why,
                    "its record has %" PRIu64 " bytes, %" PRIu64 " elements of %s need %" PRIu64, x->bytes,
                    s->count, s->dtype->name, s->bytes);
        return refuse(t, s, FINDING_SIZE_MISMATCH, NUMEL_E_RANGE, at, why);
    }
    s->at = at;
    return true;
}

NUMEL_MUST static bool find_records(struct torch *t)
{
    struct torch_room *room = t->room;
    char name[TORCH_NAME];
    for (size_t i = 0; i < room->count; i++) {
        struct torch_storage *s = &room->storages[i];
        numel_str full = text_join(name, sizeof name, t->folder, text_of("data/"), s->key);
        uint32_t k = full.p ? names_find(&room->records, t->zip.entries, full) : NAMES_ABSENT;
        bool ok = k != NAMES_ABSENT ? find_record(t, s, &t->zip.entries[k])
                                    : refuse(t, s, FINDING_STORAGE_MISSING, NUMEL_E_SYNTAX, t->zip.at,
                                             "the zip has no record of it");
        if (!ok) return false;
    }
    return true;
}

/* ---- in the old format -------------------------------------------------------------------- */

/* Compares the count in front of the storage, if it can be read. */
NUMEL_MUST static bool check_count(struct torch *t, const struct torch_storage *s, uint64_t at)
{
    struct reading *r = t->r;
    char why[160];
    bool there = num_inside(at, 8, r->size) ||
                 (r->total_known && !r->source->compressed && num_inside(at, 8, r->total));
    if (!there || r->header_only) return true;
    struct arena_mark mark = arena_mark(torch_arena(t));
    const uint8_t *p = source_at(r->source, at, 8, torch_arena(t), r->error);
    uint64_t count = p ? num_load64(p, false) : 0;
    arena_rewind(torch_arena(t), mark);
    if (!p) return false;
    if (count == s->count) return true;
    text_format(why, sizeof why, "the file says it has %" PRIu64 " elements, the pickle %" PRIu64, count,
                s->count);
    return refuse(t, s, FINDING_SIZE_MISMATCH, NUMEL_E_RANGE, at, why);
}

/* `keys`: a list of texts. */
NUMEL_MUST static bool find_in_order(struct torch *t, const struct pickle_value *keys)
{
    struct torch_room *room = t->room;
    uint64_t at = t->data, end;
    const struct pickle_item *x = keys->kind == PICKLE_LIST ? keys->items->first : NULL;
    for (; x; x = x->next) {
        bool text = x->value.kind == PICKLE_TEXT || x->value.kind == PICKLE_BYTES;
        uint32_t i = text ? names_find(&room->keys, room->storages, pickle_text(&x->value)) : NAMES_ABSENT;
        struct torch_storage *s = i == NAMES_ABSENT ? NULL : &room->storages[i];
        if (!s || s->at != NUMEL_NOWHERE || !num_add(&end, at, 8) || !num_add(&end, end, s->bytes))
            return error_set(t->r->error, NUMEL_E_SYNTAX, t->data,
                             "the list of storages has one that the object does not have, or has it twice");
        if (!check_count(t, s, at)) return false;
        s->at = at + 8;
        at = end;
    }
    for (size_t i = 0; i < room->count; i++)
        if (room->storages[i].at == NUMEL_NOWHERE &&
            !refuse(t, &room->storages[i], FINDING_STORAGE_MISSING, NUMEL_E_SYNTAX, t->data,
                    "it is not in the list of storages"))
            return false;
    return true;
}

/* ---- the storages among one another ------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct torch_storage *x = *(const struct torch_storage *const *)a,
                               *y = *(const struct torch_storage *const *)b;
    int way = num_order(x->at, y->at);
    return way ? way : num_order(x->bytes, y->bytes);
}

/* No byte is in two storages: a zip may lie about its records. *inside: bytes of storages in the file; *last:
 * where they end. */
NUMEL_MUST static bool check_apart(struct torch *t, uint64_t *inside, uint64_t *last)
{
    struct torch_room *room = t->room;
    struct torch_storage **order = arena_alloc(torch_arena(t), (room->count + 1) * sizeof *order);
    uint64_t end = 0, size = t->r->total_known ? t->r->total : UINT64_MAX;
    *inside = *last = 0;
    if (!order) return error_nomem(t->r->error);
    for (size_t i = 0; i < room->count; i++) order[i] = &room->storages[i];
    if (room->count) qsort(order, room->count, sizeof(struct torch_storage *), by_place);
    for (size_t i = 0; i < room->count && order[i]->at != NUMEL_NOWHERE; i++) {
        const struct torch_storage *s = order[i];
        bool over = s->bytes && s->at < end && !t->r->header_only; /* there, places are only supposed */
        if (over &&
            !refuse(t, s, FINDING_OFFSET_OVERLAP, NUMEL_E_RANGE, s->at, "its bytes are another's too"))
            return false;
        if (!num_add(&end, s->at, s->bytes))
            return error_set(t->r->error, NUMEL_E_OVERFLOW, s->at, "a storage ends past any file");
        *inside += num_min(end, size) - num_min(s->at, size);
        *last = num_max(*last, end);
    }
    return true;
}

/* ---- tensors ------------------------------------------------------------------------------ */

/* Many tensors may be views of one storage. Whoever reads their data reads it for each of them, so there is a
 * limit to that. */
enum { SHARED_TIMES = 64, SHARED_FREE = 64 << 20 };

NUMEL_MUST static bool check_shared(struct torch *t)
{
    struct reading *r = t->r;
    size_t first = (size_t)r->file->first_tensor, n = r->registry->count - first;
    uint64_t all = 0, most;
    if (!num_mul(&most, r->total, SHARED_TIMES) || !num_add(&most, most, SHARED_FREE)) return true;
    for (size_t i = 0; i < n; i++)
        if (!r->entries[i].odd && !num_add(&all, all, r->registry->tensors[first + i].bytes))
            all = UINT64_MAX;
    return all <= most || !r->total_known ||
           error_set(r->error, NUMEL_E_LIMIT, t->origin,
                     "the tensors have %" PRIu64 " bytes in a file of %" PRIu64
                     ": more than %d times as many",
                     all, r->total, SHARED_TIMES);
}

/* Where their bytes are. Also strided tensors get a place, that of all bytes from their first element to their
 * last, until the bytes are accounted for. Those without a storage are 0 bytes at its start. */
static void set_places(struct torch *t, uint64_t *start)
{
    struct reading *r = t->r;
    size_t first = (size_t)r->file->first_tensor, n = r->registry->count - first;
    *start = UINT64_MAX;
    for (size_t i = 0; i < n; i++) {
        const struct torch_storage *s = &t->room->storages[t->room->storage_of[i]];
        struct reading_entry *e = &r->entries[i];
        numel_tensor *x = &r->registry->tensors[first + i];
        bool there = s->at != NUMEL_NOWHERE;
        x->offset = there ? s->at + e->begin : r->file->header_bytes;
        if (there) *start = num_min(*start, s->at);
        if (!there) e->odd = true;
        if (e->odd) x->bytes = there ? e->end - e->begin : 0;
    }
    if (*start == UINT64_MAX) *start = r->file->header_bytes;
}

/* Takes back the places of strided tensors, and of those without a storage. */
static void drop_places(struct torch *t)
{
    struct reading *r = t->r;
    size_t first = (size_t)r->file->first_tensor, n = r->registry->count - first;
    for (size_t i = 0; i < n; i++) {
        numel_tensor *x = &r->registry->tensors[first + i];
        if (!r->entries[i].odd) continue;
        x->offset = NUMEL_NOWHERE;
        x->bytes = x->elements * x->dtype->block_bytes;
    }
}

/* What is left of the storages is a gap; what follows the last one in the old format is too much; all else is
 * the container's. */
static void settle(struct torch *t, uint64_t inside, uint64_t end)
{
    numel_file *f = t->r->file;
    if (!t->r->total_known) f->bytes = num_max(f->bytes, end);
    uint64_t rest = num_left(f->bytes, f->header_bytes + f->data_bytes);
    f->gaps = num_left(inside, f->data_bytes);
    f->trailing = t->legacy ? num_left(f->bytes, num_max(end, f->header_bytes)) : 0;
    f->padding = num_left(rest, f->gaps + f->trailing);
}

bool torch_place(struct torch *t, const struct pickle_value *keys)
{
    struct reading *r = t->r;
    struct extents l;
    uint64_t inside, start, end;
    if (!(t->legacy ? find_in_order(t, keys) : find_records(t)) || !check_apart(t, &inside, &end))
        return false;
    if (!check_shared(t)) return false;
    set_places(t, &start);
    r->file->data_start = num_max(start, r->file->header_bytes);
    if (!extents_order(&l, r)) return false;
    bool ok = reading_commit(r, "");
    if (ok) {
        extents_account(&l, r, 1);
        if (r->file->missing && r->total_known) extents_missing(&l, r);
        settle(t, inside, end);
        if (r->file->trailing)
            reading_find(r, FINDING_TRAILING_BYTES, NO_TENSOR, end,
                         "%" PRIu64 " bytes follow the last storage", r->file->trailing);
        drop_places(t);
    }
    extents_done(&l);
    return ok;
}

/*
 * pytorch.c -- reading what torch.save() writes: .bin, .pt, .pth and .ckpt. Nothing is run.
 *
 *     zip, from 1.6 on:  DIR/data.pkl        the pickle of the object, in which a storage is its key
 *                        DIR/byteorder       "little" or "big"
 *                        DIR/data/KEY ...    the storages, at multiples of 64
 *                        DIR/version, directory
 *
 *     before:            pickles of a magic number, of 1001, of the machine's sizes, of the object, and of
 *                        the list of keys; then for each key: count u64, elements
 *
 * (torch/serialization.py, _save, _legacy_save.) The order of elements in the file is that of their storage.
 * DIR is the folder of the zip's first record, as for torch: another data.pkl is not read. Zips of programs
 * (TorchScript, torch.export, torch.package) are recognised and refused.
 */
#include "reader/pytorch_internal.h"

#include "base/num.h"
#include "base/text.h"
#include "source/source.h"

enum { MAX_PICKLE = 100000000, LEGACY_PROTOCOL = 1001, LEGACY_PICKLES = 5 };

/* LONG1 of 10 bytes, STOP: torch's magic number. Protocols 4 and 5 have it in a frame, 1 writes digits. */
#define MAGIC "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."
#define FRAME "\x95\x0d\0\0\0\0\0\0\0"
#define BYTES(s)        \
    {                   \
        s, sizeof s - 1 \
    }
static const numel_str magics[] = { BYTES("\x80\2" MAGIC), BYTES("\x80\3" MAGIC), BYTES("\x80\4" FRAME MAGIC),
                                    BYTES("\x80\5" FRAME MAGIC), BYTES("L119547037146038801333356L\n.") };

static bool probe(const uint8_t *p, uint64_t n)
{
    bool is = zip_begins(p, n);
    for (size_t i = 0; !is && n >= 8 && i < sizeof magics / sizeof *magics; i++)
        is = memcmp(p, magics[i].p, (size_t)num_min(n, magics[i].n)) == 0;
    return is;
}

/* ---- memory ------------------------------------------------------------------------------- */

void torch_room_free(struct torch_room *room)
{
    if (!room) return;
    const numel_allocator *m = room->values.arena.memory;
    names_done(&room->keys);
    names_done(&room->records);
    memory_release(m, room->storages);
    memory_release(m, room->storage_of);
    pickle_room_done(&room->values);
    memory_release(m, room);
}

/* An empty room. */
NUMEL_MUST static struct torch_room *take_room(struct reading *r)
{
    const numel_allocator *m = r->registry->memory;
    if (!r->torch) {
        r->torch = memory_resize(m, NULL, sizeof *r->torch);
        if (!r->torch) return error_nomem(r->error), NULL;
        *r->torch = (struct torch_room){ .count = 0 };
        pickle_room_init(&r->torch->values, m);
    }
    names_done(&r->torch->keys);
    names_done(&r->torch->records);
    names_init(&r->torch->keys, m, sizeof(struct torch_storage));
    names_init(&r->torch->records, m, sizeof(struct zip_entry));
    arena_reset(&r->torch->values.arena);
    r->torch->count = 0;
    return r->torch;
}

/* ---- the object --------------------------------------------------------------------------- */

static void tell_objects(struct torch *t)
{
    char all[TORCH_OBJECTS * sizeof t->named[0] + 8], hidden[TEXT_COUNT];
    struct fixed text = FIXED(all);
    for (size_t i = 0; i < num_min(t->object_count, TORCH_OBJECTS); i++)
        fixed_format(&text, "%s%s", i ? ", " : "", t->named[i]);
    if (t->object_count > TORCH_OBJECTS) fixed_text(&text, ", and more");
    text_count(hidden, t->hidden_tensors, "tensor");
    reading_find(t->r, FINDING_NEEDS_CODE, NO_TENSOR, t->origin,
                 "needs code, which numel does not run: %s%s%s%s", all, t->hidden_tensors ? "; " : "",
                 t->hidden_tensors ? hidden : "", t->hidden_tensors ? " in it not read" : "");
}

/* What is worth knowing of storages and strides. */
static void tell_storages(struct torch *t)
{
    char a[TEXT_NUMBER], b[TEXT_COUNT], c[TEXT_NUMBER];
    uint64_t shared = 0, tensors = 0, twice = t->r->file->overlap;
    for (size_t i = 0; i < t->room->count; i++) {
        const struct torch_storage *s = &t->room->storages[i];
        shared += s->users > 1;
        tensors += s->users > 1 ? s->users : 0;
    }
    t->r->file->overlap = 0; /* meant */
    if (shared && twice)
        reading_find(t->r, FINDING_STORAGE_SHARED, NO_TENSOR, NUMEL_NOWHERE,
                     "%s tensors share %s: %s bytes are stored once, counted for each",
                     text_number(a, tensors), text_count(b, shared, "storage"), text_number(c, twice));
    if (t->r->file->gaps)
        reading_find(t->r, FINDING_STORAGE_UNUSED, NO_TENSOR, NUMEL_NOWHERE,
                     "%s bytes of storages are no tensor's", text_number(a, t->r->file->gaps));
    if (t->strided)
        reading_find(t->r, FINDING_TENSOR_STRIDED, NO_TENSOR, NUMEL_NOWHERE,
                     "%s with strides: the elements are stored in another order than that of the shape",
                     text_count(b, t->strided, "tensor"));
    if (t->lazy)
        reading_find(t->r, FINDING_TENSOR_STRIDED, NO_TENSOR, NUMEL_NOWHERE,
                     "%s conjugated or negated: the elements are stored as they were before",
                     text_count(b, t->lazy, "tensor"));
    if (t->bare)
        reading_find(t->r, FINDING_NEEDS_CODE, NO_TENSOR, t->origin, "%s without data (on the device 'meta')",
                     text_count(b, t->bare, "tensor"));
}

/* There is no tensor: why? */
NUMEL_MUST static bool no_tensors(struct torch *t)
{
    if (t->object_count)
        return error_set(
            t->r->error, NUMEL_E_FORMAT, t->origin,
            "is a PyTorch file without tensors that can be read without running code (%s): save a "
            "state_dict() instead",
            t->named[0]);
    return error_set(t->r->error, NUMEL_E_FORMAT, t->origin, "is a PyTorch file without tensors");
}

NUMEL_MUST static bool read_object(struct torch *t, const struct pickle_value *root,
                                   const struct pickle_value *keys)
{
    t->last = &t->objects;
    t->at = t->origin;
    t->letters = PICKLE_FREE + PICKLE_TIMES * (uint64_t)t->code.n;
    torch_choose(t, root);
    if (!torch_walk(t, root)) return false;
    if (t->r->registry->count == t->r->file->first_tensor) return no_tensors(t);
    if (!torch_place(t, keys)) return false;
    if (t->object_count) tell_objects(t);
    tell_storages(t);
    return true;
}

NUMEL_MUST static bool run(struct torch *t, struct pickle_code *code, struct pickle_value *out)
{
    return pickle_run(&t->room->values, code, t->origin, out, t->r->error);
}

/* ---- zip ---------------------------------------------------------------------------------- */

NUMEL_MUST static const uint8_t *read_source(void *ctx, uint64_t at, size_t n, struct arena *a,
                                             numel_error *e)
{
    return source_at(ctx, at, n, a, e);
}

NUMEL_MUST static bool index_records(struct torch *t)
{
    if (!names_reserve(&t->room->records, t->zip.count, t->r->error)) return false;
    for (size_t i = 0; i < t->zip.count; i++)
        if (names_enter(&t->room->records, t->zip.entries, i) != i) {
            char name[TEXT_QUOTE];
            return error_set(t->r->error, NUMEL_E_DUPLICATE, torch_record_at(t, &t->zip.entries[i]),
                             "the zip has two records %s", text_quote(name, t->zip.entries[i].name));
        }
    return true;
}

/* The record FOLDER/name; NULL if there is none. */
static const struct zip_entry *record(const struct torch *t, const char *name)
{
    char full[TORCH_NAME];
    numel_str s = text_join(full, sizeof full, t->folder, text_of(name), text_of(""));
    uint32_t i = s.p ? names_find(&t->room->records, t->zip.entries, s) : NAMES_ABSENT;
    return i == NAMES_ABSENT ? NULL : &t->zip.entries[i];
}

/* What another zip of PyTorch's is, by a record in its folder. */
static const char *const programs[][2] = {
    { "constants.pkl", "is TorchScript, a program with its weights: save its state_dict() instead" },
    { "archive_format",
      "is a program of torch.export with its weights: save the state_dict of torch.export.load() instead" },
    { ".data/extern_modules", "is a torch.package, code with its objects: save a state_dict() instead" },
};

/* Finds FOLDER/data.pkl in the folder of the first record. */
NUMEL_MUST static bool find_folder(struct torch *t)
{
    numel_str first = t->zip.count ? t->zip.entries[0].name : text_of("");
    size_t n = text_find(first, 0, '/');
    t->folder = n < first.n ? text_upto(first, n + 1) : text_of("");
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (record(t, programs[i][0])) return error_set(t->r->error, NUMEL_E_FORMAT, 0, "%s", programs[i][1]);
    t->record = t->folder.n ? record(t, "data.pkl") : NULL;
    if (t->record) return true;
    return error_set(
               t->r->error, NUMEL_E_FORMAT, 0,
               "is a zip archive without a PyTorch object (data.pkl in the folder of its first record)"),
           false;
}

NUMEL_MUST static bool read_byteorder(struct torch *t)
{
    const struct zip_entry *x = record(t, "byteorder");
    numel_str text = { "", 0 };
    if (x && !zip_content(&t->zip, x, &t->bytes, 16, torch_arena(t), &text, t->r->error)) return false;
    t->r->file->big_endian = text_equal(text, "big");
    return true;
}

/* The pickle. */
NUMEL_MUST static bool read_record(struct torch *t)
{
    struct reading *r = t->r;
    const struct zip_entry *x = t->record;
    uint64_t limit = r->max_header_bytes ? r->max_header_bytes : MAX_PICKLE;
    if (!x->stored)
        return error_set(r->error, NUMEL_E_FORMAT, torch_record_at(t, x),
                         "is a PyTorch zip whose data.pkl is compressed: store it (zip -0)");
    if (x->bytes > limit)
        return error_set(r->error, NUMEL_E_LIMIT, torch_record_at(t, x),
                         "data.pkl has %" PRIu64 " bytes, the limit is %" PRIu64 " (--max-header raises it)",
                         x->bytes, limit);
    if (!zip_place(&t->zip, x, &t->bytes, torch_arena(t), &t->origin, r->error) ||
        !zip_content(&t->zip, x, &t->bytes, x->bytes, torch_arena(t), &t->code, r->error))
        return false;
    r->file->header_bytes = t->origin + x->bytes;
    return true;
}

/* A zip without its end is one of PyTorch's if its first record is. */
NUMEL_MUST static bool other_zip(struct torch *t)
{
    const struct reading *r = t->r;
    uint64_t n = r->size > 30 ? num_load(r->base + 26, 2, false) : 0;
    if (r->error->code != NUMEL_E_TRUNCATED || !n || !num_inside(30, n, r->size)) return false;
    numel_str name = { (const char *)r->base + 30, (size_t)n };
    if (text_ends(name, "data.pkl")) return false;
    error_clear(r->error);
    return error_set(r->error, NUMEL_E_FORMAT, 0,
                     "is a zip archive without its end, and not one of PyTorch's");
}

NUMEL_MUST static bool read_zip(struct torch *t)
{
    struct reading *r = t->r;
    struct pickle_value root;
    r->final = true;
    if (!r->total_known || r->source->compressed || r->source->pipe)
        return error_set(r->error, NUMEL_E_FORMAT, 0, "is a zip archive, which is read from its end: not %s",
                         r->source->pipe ? "from a pipe" : "out of zstd (unpack it first)");
    t->bytes = (struct zip_bytes){ r->total, read_source, (void *)(uintptr_t)r->source };
    if (!zip_read(&t->zip, &t->bytes, torch_arena(t), r->error)) return other_zip(t);
    if (!index_records(t) || !find_folder(t) || !read_byteorder(t) || !read_record(t)) return false;
    struct pickle_code code = { (const uint8_t *)t->code.p, t->code.n, 0 };
    return run(t, &code, &root) && read_object(t, &root, NULL);
}

/* ---- the old format ----------------------------------------------------------------------- */

NUMEL_MUST static bool read_legacy(struct torch *t)
{
    struct reading *r = t->r;
    struct pickle_value v[LEGACY_PICKLES];
    uint64_t limit = r->max_header_bytes ? r->max_header_bytes : MAX_PICKLE;
    struct pickle_code code = { r->base, num_min(r->size, limit), 0 };
    t->legacy = true;
    t->code = (numel_str){ (const char *)r->base, (size_t)code.n };
    for (size_t i = 0; i < LEGACY_PICKLES; i++) {
        if (!run(t, &code, &v[i])) {
            bool limited = r->error->code == NUMEL_E_TRUNCATED && code.n == limit;
            if (!limited) return false;
            error_clear(r->error);
            return error_set(r->error, NUMEL_E_LIMIT, 0,
                             "the pickles have more than %" PRIu64 " bytes (--max-header raises it)", limit);
        }
        if (i == 1 && (v[i].kind != PICKLE_INT || v[i].number != LEGACY_PROTOCOL))
            return error_set(r->error, NUMEL_E_VERSION, code.at, "PyTorch's protocol is not %d",
                             LEGACY_PROTOCOL);
    }
    t->data = r->file->header_bytes = code.at;
    t->code.n = (size_t)code.at;
    return read_object(t, &v[3], &v[4]);
}

NUMEL_MUST static bool read_file(struct reading *r)
{
    struct torch t = { .r = r, .room = take_room(r) };
    r->gaps_known = false;
    r->file->format = NUMEL_PYTORCH;
    if (!t.room) return false;
    return zip_begins(r->base, r->size) ? read_zip(&t) : read_legacy(&t);
}

const struct reader reader_pytorch = { NUMEL_PYTORCH, "pytorch", probe, read_file };

/*
 * opening.c -- reads one file into a checkpoint: chooses the reader, feeds it, and leaves no trace
 * if it fails.
 *
 * A compressed file is unpacked as far as its header needs: the reader fails with TRUNCATED, sets
 * what it needs if known, and is run again with more.
 */
#include "reader/checkpoint.h"

#include "base/text.h"
#include "reader/piece.h"
#include "reader/recognise.h"
#include "source/source.h"

enum { FIRST_PIECE = 96 << 10, MAX_HEADER = 256 << 20 };

void opening_init(struct opening *o, numel_checkpoint *ck, const numel_options *options, numel_error *e)
{
    *o = (struct opening){ .ck = ck, .options = options, .error = e };
    o->r = (struct reading){ .arena = &ck->arena,
                             .registry = &ck->registry,
                             .metadata = &ck->metadata,
                             .findings = &ck->findings,
                             .error = e };
    o->r.lenient = ck->lenient;
    o->r.max_header_bytes = options->max_header_bytes;
    names_init(&o->r.keys, ck->arena.memory, sizeof(struct metadata_entry));
}

void opening_done(struct opening *o)
{
    memory_release(o->ck->arena.memory, o->r.entries);
    memory_release(o->ck->arena.memory, o->r.dims);
    names_done(&o->r.keys);
    torch_room_free(o->r.torch);
}

bool reading_key(struct reading *r, const struct metadata_entry *entry, uint32_t *known)
{
    struct metadata *m = r->metadata;
    size_t n = m->count - r->first_entry;
    const struct metadata_entry *mine = m->entries ? m->entries + r->first_entry : NULL;
    *known = NAMES_ABSENT;
    if (!names_reserve(&r->keys, n + 1, r->error)) return false;
    *known = names_find(&r->keys, mine, entry->key);
    if (*known != NAMES_ABSENT) return true;
    if (!metadata_add(m, entry, r->error)) return false;
    names_enter(&r->keys, m->entries + r->first_entry, n);
    return true;
}

bool reading_add(struct reading *r, const numel_tensor *t, const struct reading_entry *e)
{
    size_t i = r->registry->count - (size_t)r->file->first_tensor;
    if (!memory_grow(r->registry->memory, &r->entries, &r->entry_cap, i + 1, sizeof *e, r->error))
        return false;
    r->entries[i] = *e;
    return registry_add(r->registry, t, r->error);
}

bool reading_refuse(struct reading *r, enum finding_rule rule, numel_rc code, numel_str tensor,
                    uint64_t offset, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_setv(r->error, code, offset, format, args);
    va_end(args);
    return reading_forgive(r, rule, tensor);
}

bool reading_forgive(struct reading *r, enum finding_rule rule, numel_str tensor)
{
    numel_error *e = r->error;
    bool more = e->code == NUMEL_E_TRUNCATED && !r->complete; /* the caller gets more bytes */
    if (!r->lenient || more || e->code == NUMEL_E_NOMEM) return false;
    reading_find(r, rule, tensor, e->offset, "%s", e->what);
    error_clear(e);
    return true;
}

bool reading_commit(struct reading *r, const char *sign)
{
    size_t first = 0, second = 0, base = (size_t)r->file->first_tensor;
    char name[TEXT_QUOTE];
    while (!registry_commit(r->registry, &first, &second, r->error)) {
        if (r->error->code != NUMEL_E_DUPLICATE) return false;
        numel_str twice = r->registry->tensors[second].name;
        uint64_t a = r->entries[first - base].at, b = r->entries[second - base].at;
        error_clear(r->error);
        if (!reading_refuse(r, FINDING_NAME_REPEATED, NUMEL_E_DUPLICATE, twice, b,
                            "tensor %s%s occurs twice: at %" PRIu64 " and at %" PRIu64,
                            text_quote(name, twice), sign, a, b))
            return false;
        registry_pass_over(r->registry);
    }
    return true;
}

/* ---- choosing the format ------------------------------------------------------------------ */

NUMEL_MUST static bool choose_body(void *ctx)
{
    struct opening *o = ctx;
    const struct source *s = o->source;
    char what[400];
    bool named =
        o->r.path && name_is_weights(path_base(o->r.path)); /* no loader reads a pickle of this name */
    o->reader = reader_gguf.probe(s->base, s->size)                ? &reader_gguf
                : !named && reader_pytorch.probe(s->base, s->size) ? &reader_pytorch
                                                                   : NULL;
    if (o->reader) return true;
    if (!safetensors_begins(s->base, s->size) &&
        recognise(s->base, s->size, s->size, what, sizeof what, &o->as))
        return error_set(o->error, NUMEL_E_FORMAT, 0, "%s", what);
    o->as = (struct recognised){ .rule = FINDING_RULES };
    if (s->size < 8)
        return error_set(o->error, NUMEL_E_TRUNCATED, 0,
                         "the file has only %" PRIu64 " of the first 8 bytes of a checkpoint", s->size);
    if (reader_safetensors.probe(s->base, s->size)) o->reader = &reader_safetensors;
    return o->reader || error_set(o->error, NUMEL_E_FORMAT, 0,
                                  "is neither safetensors, GGUF nor PyTorch: it begins with bytes %02x %02x "
                                  "%02x %02x",
                                  s->base[0], s->base[1], s->base[2], s->base[3]);
}

/* ---- feeding the reader ------------------------------------------------------------------- */

struct reading_mark reading_mark(const struct reading *r)
{
    return (struct reading_mark){ r->registry->count, r->metadata->count, findings_mark(r->findings) };
}

void reading_roll_back(struct reading *r, const struct reading_mark *m)
{
    registry_rollback(r->registry, m->tensors);
    r->metadata->count = m->entries;
    findings_rollback(r->findings, &m->findings);
    names_done(&r->keys);
}

static bool read_body(void *ctx)
{
    struct opening *o = ctx;
    return o->reader->read(&o->r);
}

NUMEL_MUST static bool read_once(struct opening *o, numel_file *file, const char *path)
{
    const struct source *s = o->source;
    *file = (numel_file){ .size = sizeof *file,
                          .path = path,
                          .compressed = s->compressed,
                          .header_only = s->header_only,
                          .first_tensor = o->ck->registry.count };
    o->r.base = s->base;
    o->r.size = s->size;
    o->r.source = s;
    o->r.complete = s->complete;
    o->r.longest = source_longest(s);
    o->r.total = s->total;
    o->r.total_known = s->total_known;
    o->r.header_only = s->header_only;
    o->r.need = 0;
    o->r.final = false;
    o->r.first_entry = o->ck->metadata.count;
    return source_run(s, read_body, o, o->error);
}

/* Rolls back, but verify keeps the findings of a file that it gives up on. */
static void give_up(struct opening *o, const struct reading_mark *m)
{
    struct reading_mark kept = *m;
    if (o->ck->lenient) kept.findings = findings_mark(&o->ck->findings);
    reading_roll_back(&o->r, &kept);
}

/* Counts the tensors with distinct names in the part read so far: anything else in a header costs its
 * writer nothing. */
NUMEL_MUST static bool count_earned(struct opening *o, const struct reading_mark *m)
{
    size_t first, second;
    numel_error why = { 0 };
    const struct registry *r = &o->ck->registry;
    bool distinct = registry_commit(&o->ck->registry, &first, &second, &why);
    if (why.code == NUMEL_E_NOMEM) return error_nomem(o->error);
    o->source->earned = (distinct ? r->count : second) - m->tensors;
    return true;
}

/* A truncated header cannot be detected here. */
NUMEL_MUST static bool read_part(struct opening *o, const struct reading_mark *m)
{
    numel_error why = { 0 };
    o->r.part = true;
    o->r.error = &why;
    bool ended = source_run(o->source, read_body, o, &why);
    o->r.part = false;
    o->r.error = o->error;
    bool ok = (ended || why.code != NUMEL_E_NOMEM) && count_earned(o, m);
    reading_roll_back(&o->r, m);
    return ok || error_nomem(o->error);
}

/* Reads more of the file. A compressed one must first earn it. */
NUMEL_MUST static bool bring_more(struct opening *o, const struct reading_mark *m)
{
    struct source *s = o->source;
    uint64_t most = o->r.max_header_bytes ? o->r.max_header_bytes : MAX_HEADER;
    uint64_t want = num_max(o->r.need > s->size ? o->r.need : s->size * 2, 4096);
    if (s->pipe) want = o->r.need > s->size ? o->r.need : s->size + 1; /* more may never come */
    if (want > source_worth(s)) {
        struct arena_mark before = arena_mark(&o->ck->arena);
        bool ok = read_part(o, m);
        arena_rewind(&o->ck->arena, before);
        if (!ok) return false;
        if (s->size < source_worth(s)) want = num_min(want, source_worth(s));
    }
    return source_grow(s, want, num_max(most, 4096) * 2, o->error);
}

/* Runs the reader until it has enough. */
static bool read_all(struct opening *o, numel_file *file, const char *path)
{
    struct reading_mark m = reading_mark(&o->r);
    struct arena_mark before = arena_mark(&o->ck->arena);
    for (;;) {
        if (read_once(o, file, path)) return true;
        bool more = o->error->code == NUMEL_E_TRUNCATED && !o->source->complete && !o->r.final;
        if (!more) {
            give_up(o, &m);
            return false;
        }
        reading_roll_back(&o->r, &m);
        arena_rewind(&o->ck->arena, before);
        error_clear(o->error);
        if (!bring_more(o, &m)) return false;
    }
}

static bool settle(struct opening *o, numel_file *file, const char *path)
{
    struct source *s = o->source;
    uint64_t before = s->total, end = file->bytes - file->trailing + file->missing;
    if (!s->compressed || s->header_only || (!file->missing && !file->trailing)) return true;
    source_settle(s, end);
    if (s->total == before) return true;
    struct reading_mark m = { (size_t)file->first_tensor, o->r.first_entry, findings_mark(&o->ck->findings) };
    reading_roll_back(&o->r, &m);
    return read_all(o, file, path);
}

/* ---- one file ----------------------------------------------------------------------------- */

NUMEL_MUST static bool add_file(numel_checkpoint *ck, const numel_file *file, struct source *s,
                                numel_error *e)
{
    size_t cap = ck->file_cap;
    if (!memory_grow(ck->arena.memory, &ck->files, &cap, ck->file_count + 1, sizeof *ck->files, e))
        return false;
    cap = ck->file_cap;
    if (!memory_grow(ck->arena.memory, &ck->sources, &cap, ck->file_count + 1, sizeof *ck->sources, e))
        return false;
    ck->file_cap = cap;
    ck->files[ck->file_count] = *file;
    ck->sources[ck->file_count++] = *s;
    return true;
}

/* A byte piece of a file may begin with anything, or with a part of a header. */
static void blame_piece(struct opening *o, const struct piece *p)
{
    char text[PIECE_TEXT];
    piece_text(p, text, sizeof text);
    error_clear(o->error);
    o->as = (struct recognised){ .rule = FINDING_FILE_PIECE };
    error_set(o->error, NUMEL_E_FORMAT, NUMEL_NOWHERE, "is %s", text);
}

/* Replaces an error if the file's name explains more. */
static void blame_name(struct opening *o, const char *path)
{
    const char *end = path ? recognise_unfinished(path) : NULL;
    numel_error why = *o->error;
    struct piece p;
    if (!path || why.code == NUMEL_E_NOMEM || why.code == NUMEL_E_IO) return;
    if (o->as.rule != FINDING_LFS_POINTER && piece_parse(path_base(path), &p)) blame_piece(o, &p);
    if (!end) return;
    error_clear(o->error);
    o->as.rule = FINDING_DOWNLOAD_INCOMPLETE;
    error_set(o->error, NUMEL_E_FORMAT, why.offset,
              "is an unfinished download (%s): resume or repeat it; so far %.200s", end, why.what);
}

static void tell_suffix(struct opening *o, const char *path)
{
    const char *end = path ? recognise_unfinished(path) : NULL;
    if (end)
        findings_add(&o->ck->findings, FINDING_DOWNLOAD_INCOMPLETE, path, NO_TENSOR, NUMEL_NOWHERE,
                     "the name says that the download is unfinished (%s): resume or repeat it", end);
}

static bool keeps_mapping(const numel_checkpoint *ck, size_t first_entry)
{
    for (size_t i = first_entry; i < ck->metadata.count; i++)
        if (ck->metadata.entries[i].type == META_ARRAY && ck->metadata.entries[i].array.mapped) return true;
    return false;
}

bool opening_file(struct opening *o, struct source *s, const char *path)
{
    numel_checkpoint *ck = o->ck;
    numel_file file;
    struct reading_mark m = reading_mark(&o->r);
    o->source = s;
    o->as = (struct recognised){ .rule = FINDING_RULES };
    o->r.path = path;
    o->r.number = (uint32_t)ck->file_count;
    o->r.file = &file;
    s->spent = ck->spent;
    if (o->r.max_header_bytes) s->earned = UINT64_MAX;
    uint64_t piece = s->pipe ? 8 : num_min(FIRST_PIECE, source_worth(s));
    bool ok = (s->complete || source_grow(s, piece, MAX_HEADER, o->error)) &&
              source_run(s, choose_body, o, o->error) && read_all(o, &file, path) && settle(o, &file, path);
    if (ok) tell_suffix(o, path);
    else blame_name(o, path);
    if (ok) {
        file.tensors = ck->registry.count - file.first_tensor;
        bool keep = keeps_mapping(ck, o->r.first_entry);
        s->earned = file.tensors;
        source_spend(s, &ck->spent);
        source_enough(s);
        if (!keep) source_close(s);
        ok = add_file(ck, &file, s, o->error);
    }
    names_done(&o->r.keys);
    if (ok) return true;
    give_up(o, &m);
    source_close(s);
    error_file(o->error, path);
    return false;
}

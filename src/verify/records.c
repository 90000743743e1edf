/*
 * records.c -- a part of the level hash: the CRC-32 that a zip has of each record, in PyTorch files.
 *
 * A file in the old format has none; torch.serialization.set_crc32_options(False) leaves them 0.
 */
#include "verify/verify.h"

#include "base/crc.h"
#include "base/text.h"
#include "reader/zip.h"

struct records {
    struct verify *v;
    const char *path;
    struct stream s;
    struct zip zip;
    struct zip_bytes bytes;
    struct arena arena;
    struct crc_table table;
    uint8_t block[STREAM_BLOCK];
    numel_error why;
};

static bool is_stopped(const struct verify *v)
{
    const numel_work *w = v->check->work;
    return w && w->stop && w->stop(w->stop_ctx);
}

/* *crc of the data of a record; false if it could not be read, or the user stopped it. */
NUMEL_MUST static bool read_record(struct records *r, const struct zip_entry *x, uint32_t *crc)
{
    uint64_t at;
    *crc = 0;
    if (!zip_place(&r->zip, x, &r->bytes, &r->arena, &at, &r->why)) return false;
    for (uint64_t done = 0; done < x->bytes;) {
        size_t n = (size_t)num_min(sizeof r->block, x->bytes - done);
        r->v->stopped |= is_stopped(r->v);
        if (r->v->stopped || !stream_read(&r->s, at + done, r->block, n, &r->why)) return false;
        *crc = crc_add(&r->table, *crc, r->block, n);
        done += n;
    }
    return true;
}

NUMEL_MUST static bool read_all(struct records *r)
{
    char name[TEXT_QUOTE];
    uint32_t crc;
    if (!zip_read(&r->zip, &r->bytes, &r->arena, &r->why)) return false;
    for (size_t i = 0; i < r->zip.count; i++) {
        const struct zip_entry *x = &r->zip.entries[i];
        if (!x->stored || !x->crc) continue;
        if (!read_record(r, x, &crc)) return false;
        if (crc != x->crc)
            findings_add(&r->v->ck->findings, FINDING_RECORD_DAMAGED, r->path, NO_TENSOR, x->at,
                         "the record %s has CRC-32 %08x, the zip says %08x", text_quote(name, x->name), crc,
                         x->crc);
    }
    return true;
}

NUMEL_MUST static bool check_file(struct records *r)
{
    uint8_t magic[4];
    if (!stream_open(&r->s, r->path, &r->why)) return false;
    r->bytes = zip_stream(&r->s);
    bool ok = r->s.was.bytes < sizeof magic || stream_read(&r->s, 0, magic, sizeof magic, &r->why);
    if (ok && r->s.was.bytes >= sizeof magic && zip_begins(magic, sizeof magic)) ok = read_all(r);
    return stream_close(&r->s, &r->why) && ok;
}

NUMEL_MUST static bool check_one(struct records *r)
{
    error_clear(&r->why);
    crc_prepare(&r->table);
    arena_init(&r->arena, r->v->arena->memory);
    bool ok = check_file(r);
    arena_done(&r->arena);
    if (r->why.code == NUMEL_E_NOMEM) return error_nomem(r->v->error);
    if (!ok && !r->v->stopped)
        findings_add(&r->v->ck->findings, FINDING_HASH_UNREADABLE, r->path, NO_TENSOR, r->why.offset, "%s",
                     r->why.what);
    return true;
}

bool verify_records(struct verify *v)
{
    struct records *r = NULL;
    bool ok = true;
    for (size_t i = 0; ok && i < v->ck->file_count && !v->stopped; i++) {
        const numel_file *f = &v->ck->files[i];
        if (f->format != NUMEL_PYTORCH || f->compressed || v->ck->piped) continue;
        if (!r && !(r = memory_resize(v->arena->memory, NULL, sizeof *r))) return error_nomem(v->error);
        r->v = v;
        r->path = f->path;
        ok = check_one(r);
    }
    memory_release(v->arena->memory, r);
    return ok;
}

/*
 * remote_head.c -- asks the readers. safetensors states its header's length in the first 8 bytes; GGUF is read as
 * far as it goes, and its reader says what it lacks. So does that of PyTorch, whose zip is read from its end: the
 * directory, and the pickle that it names; the storages are not looked at.
 */
#include "reader/remote_head.h"

#include "reader/checkpoint.h"

enum { PIECE = 64 << 10, PIECE_MOST = 64 << 20 }; /* bytes of one that is asked for */
enum { LEAST = 512 << 10, MOST = 4 << 20, LIMIT = 256 << 20, SAFETENSORS = 100000000 };

/* Reads the front into a checkpoint that nobody keeps. True: the header is complete. */
static bool read_front(const struct reader *reader, struct opening *o, numel_file *file,
                       const struct source *s, const struct remote_head *h)
{
    *file = (numel_file){ .size = sizeof *file, .path = "" };
    o->r.path = "";
    o->r.file = file;
    o->r.base = h->p;
    o->r.size = h->have;
    o->r.total = h->whole;
    o->r.total_known = h->whole != NUMEL_NOT_KNOWN;
    o->r.complete = h->have == h->whole;
    o->r.header_only = true;
    o->r.source = s;
    return reader->read(&o->r);
}

/* safetensors: 8 bytes, and as many as they say. */
static void read_length(struct remote_head *h, const numel_options *options)
{
    uint64_t n = h->have < 8 ? 0 : num_load(h->p, 8, false),
             limit = options->max_header_bytes ? options->max_header_bytes : SAFETENSORS;
    if (n > limit || !num_inside(8, n, h->whole)) return; /* its reader will refuse it */
    if (n + 8 > h->have) h->need = num_left(n + 8, h->have);
    else h->bytes = n + 8;
}

/* Without a need that is known: twice as much, within reason. */
static uint64_t next(const struct remote_head *h)
{
    return num_min(h->have + num_max(LEAST, num_min(h->have, MOST)), h->whole);
}

/* The end of the front that the reader needs; 0: no more, or its reader will refuse it. */
static uint64_t front_needed(const struct remote_head *h, const struct opening *o, const numel_file *file,
                             bool whole, const numel_error *why)
{
    bool more = !whole && why->code == NUMEL_E_TRUNCATED && !o->r.final && h->have < h->whole;
    uint64_t end = whole && file->data_start > h->have ? file->data_start
                   : !more                             ? 0
                   : o->r.need > h->have               ? o->r.need
                                                       : next(h);
    return end > num_max(o->r.max_header_bytes, LIMIT) || end > h->whole ? 0 : end;
}

/* Runs the reader on what there is. */
static void try_reader(struct remote_head *h, const struct reader *reader, struct opening *o,
                       const numel_options *options, numel_error *why)
{
    numel_file file;
    struct source s;
    struct source_pieces pieces = { .items = h->pieces, .count = h->piece_count };
    source_memory(&s, h->p, h->have, options->allocator);
    s.total = h->whole;
    s.pieces = &pieces;
    bool whole = read_front(reader, o, &file, &s, h);
    h->scattered = reader == &reader_pytorch;
    if (h->scattered && pieces.lack) {
        h->at = pieces.lack_at;
        h->need = num_min(num_max(pieces.lack, PIECE), num_left(h->whole, h->at));
        if (pieces.lack > PIECE_MOST) h->need = 0;
    } else if (!h->scattered || !whole) {
        if (whole && file.data_start <= h->have) h->bytes = file.data_start;
        h->need = num_left(front_needed(h, o, &file, whole, why), h->have);
    }
}

/* The reader of such a front; NULL if none accepts it. */
static const struct reader *reader_of(const struct remote_head *h)
{
    static const struct reader *const all[] = { &reader_gguf, &reader_pytorch, &reader_safetensors };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->probe(h->p, h->have)) return all[i];
    return NULL;
}

bool remote_head_read(struct remote_head *h, const numel_options *options, numel_error *e)
{
    numel_checkpoint ck;
    struct opening o;
    numel_error why;
    const struct reader *reader = reader_of(h);
    h->need = 0;
    h->at = h->bytes = h->have;
    h->scattered = false;
    if (!reader) return true;
    if (reader == &reader_safetensors) return read_length(h, options), true;
    error_clear(&why);
    checkpoint_init(&ck, options->allocator);
    opening_init(&o, &ck, options, &why);
    try_reader(h, reader, &o, options, &why);
    opening_done(&o);
    checkpoint_done(&ck);
    return why.code != NUMEL_E_NOMEM || error_nomem(e);
}

/*
 * remote_head.c -- asks the readers. safetensors states its header's length in the first 8 bytes; GGUF is read as
 * far as it goes, and its reader says what it lacks.
 */
#include "reader/remote_head.h"

#include "reader/checkpoint.h"

enum { LEAST = 512 << 10, MOST = 4 << 20, LIMIT = 256 << 20, SAFETENSORS = 100000000 };

/* Reads the front into a checkpoint that nobody keeps. True: the header is complete. */
static bool read_front(const struct reader *reader, struct opening *o, numel_file *file,
                       const struct remote_head *h)
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
    return reader->read(&o->r);
}

/* safetensors: 8 bytes, and as many as they say. */
static void read_length(struct remote_head *h, const numel_options *options)
{
    uint64_t n = h->have < 8 ? 0 : num_load(h->p, 8, false),
             limit = options->max_header_bytes ? options->max_header_bytes : SAFETENSORS;
    if (n > limit || !num_inside(8, n, h->whole)) return; /* its reader will refuse it */
    if (n + 8 > h->have) h->need = n + 8;
    else h->bytes = n + 8;
}

/* Without a need that is known: twice as much, within reason. */
static uint64_t next(const struct remote_head *h)
{
    return num_min(h->have + num_max(LEAST, num_min(h->have, MOST)), h->whole);
}

bool remote_head_read(struct remote_head *h, const numel_options *options, numel_error *e)
{
    numel_checkpoint ck;
    struct opening o;
    numel_file file;
    numel_error why;
    const struct reader *reader = reader_gguf.probe(h->p, h->have)          ? &reader_gguf
                                  : reader_safetensors.probe(h->p, h->have) ? &reader_safetensors
                                                                            : NULL;
    h->need = 0;
    h->bytes = h->have;
    if (!reader) return true;
    if (reader == &reader_safetensors) return read_length(h, options), true;
    error_clear(&why);
    checkpoint_init(&ck, options->allocator);
    opening_init(&o, &ck, options, &why);
    bool whole = read_front(reader, &o, &file, h);
    bool more = !whole && why.code == NUMEL_E_TRUNCATED && !o.r.final && h->have < h->whole;
    if (whole && file.data_start > h->have) h->need = file.data_start;
    else if (whole) h->bytes = file.data_start;
    else if (more) h->need = o.r.need > h->have ? o.r.need : next(h);
    uint64_t limit = num_max(options->max_header_bytes, LIMIT);
    if (h->need > limit || h->need > h->whole) h->need = 0; /* its reader will refuse it */
    opening_done(&o);
    checkpoint_done(&ck);
    return why.code != NUMEL_E_NOMEM || error_nomem(e);
}

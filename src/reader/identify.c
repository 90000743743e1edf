/*
 * identify.c -- describes any path in one line, like file(1). Never needs more than a header.
 */
#include "reader/find_internal.h"
#include "reader/identify.h"

#include "reader/beside.h"
#include "reader/checkpoint.h"
#include "reader/piece.h"
#include "reader/recognise.h"
#include "base/border.h"
#include "base/num.h"
#include "base/text.h"
#include "source/folder.h"

#include <string.h>

static const char *plural(uint64_t n) { return n == 1 ? "" : "s"; }

/* The fault in a checkpoint's findings; NULL if there is none. */
static const char *fault_of(const numel_checkpoint *ck, char piece[2 + PIECE_TEXT])
{
    const numel_file *f = &ck->files[0];
    struct piece p;
    if (f->data == NUMEL_DATA_PARTIAL && piece_parse(path_base(f->path), &p)) {
        char text[PIECE_TEXT];
        piece_text(&p, text, sizeof text);
        text_format(piece, 2 + PIECE_TEXT, ", %s", text);
        return piece;
    }
    return f->data == NUMEL_DATA_PARTIAL    ? ", truncated data: download it again"
           : numel_worst(ck) == NUMEL_ERROR ? ", with errors (see 'numel verify')"
                                            : NULL;
}

NUMEL_MUST static bool say_file(const numel_checkpoint *ck, char *text, size_t size, numel_error *e)
{
    const numel_file *f = &ck->files[0];
    char piece[2 + PIECE_TEXT] = "";
    const char *fault = fault_of(ck, piece);
    char tensors[TEXT_NUMBER], elements[TEXT_NUMBER], version[32] = "";
    if (f->format == NUMEL_GGUF)
        text_format(version, sizeof version, " v%u%s", (unsigned)f->version,
                    f->big_endian ? " big-endian" : "");
    text_number(tensors, ck->registry.count);
    text_number(elements, ck->stored);
    text_format(text, size, "%s%s%s, %s tensor%s, %s elements%s%s", format_title(f->format), version,
                f->header_only  ? ", header-only copy"
                : f->compressed ? ", in zstd"
                                : "",
                tensors, plural(ck->registry.count), elements,
                f->data == NUMEL_DATA_ABSENT && !f->header_only ? ", data absent" : "", fault ? fault : "");
    if (!fault) return true;
    return error_set(e, f->data == NUMEL_DATA_PARTIAL ? NUMEL_E_TRUNCATED : NUMEL_E_FORMAT, NUMEL_NOWHERE,
                     "%s", text);
}

struct probing {
    const struct source *s;
    bool pytorch, weights; /* pytorch: by its name */
};

static bool probe_body(void *ctx)
{
    struct probing *p = ctx;
    const struct source *s = p->s;
    p->weights = (p->pytorch && reader_pytorch.probe(s->base, s->size)) ||
                 (s->size > 8 && safetensors_begins(s->base, s->size)) || reader_gguf.probe(s->base, s->size);
    return true;
}

/* *is: left to the readers, because of its content or a name used only for weights; also if it is compressed,
 * since they unpack only as much as they need. */
NUMEL_MUST static bool is_weights(const struct source *s, const char *path, bool *is, numel_error *e)
{
    numel_str name = path_base(path);
    struct probing p = { s, name_is_pytorch(name), false };
    *is = name_is_weights(name) || recognise_unfinished(path) || s->compressed;
    if (*is) return true;
    if (!source_run(s, probe_body, &p, e)) return false;
    *is = p.weights;
    return true;
}

struct identifying {
    numel_checkpoint *ck;
    const char *path;
    struct beside out;
    const numel_options *options;
    const struct identify_more *more;
    numel_error *error;
};

NUMEL_MUST static bool identify_weights(struct identifying *i, struct source *s)
{
    struct opening o;
    i->out.kind = "weights";
    opening_init(&o, i->ck, i->options, i->error);
    bool ok = opening_file(&o, s, i->path);
    opening_done(&o);
    ok = ok && checkpoint_close(i->ck, i->error) && say_file(i->ck, i->out.text, i->out.size, i->error);
    return ok && (!i->more || i->more->say(i->more->ctx, i->ck, i->out.text, i->out.size, i->error));
}

/* A PyTorch file without tensors that can be read, or another program's zip, is named by its form. */
NUMEL_MUST static bool identify_other(struct identifying *i)
{
    struct source s;
    if (!name_is_pytorch(path_base(i->path)) || i->error->code != NUMEL_E_FORMAT) return false;
    error_clear(i->error);
    if (!source_open(&s, i->path, i->options->no_guard, i->ck->arena.memory, i->error)) return false;
    bool ok = beside_say(&i->out, i->path, &s, i->ck->arena.memory, i->error);
    source_close(&s);
    return ok;
}

NUMEL_MUST static bool identify_file(struct identifying *i)
{
    struct source s;
    struct piece p;
    bool weights;
    if (!source_open(&s, i->path, i->options->no_guard, i->ck->arena.memory, i->error)) return false;
    bool ok = is_weights(&s, i->path, &weights, i->error);
    if (ok && weights) return identify_weights(i, &s) || identify_other(i);
    if (ok && piece_parse(path_base(i->path), &p)) {
        source_close(&s);
        char text[PIECE_TEXT];
        i->out.kind = "weights";
        piece_text(&p, text, sizeof text);
        text_format(i->out.text, i->out.size, "%s", text);
        return true;
    }
    ok = ok && beside_say(&i->out, i->path, &s, i->ck->arena.memory, i->error);
    source_close(&s);
    return ok;
}

/* The kind of index, by its shards' names. */
static const char *index_of(const struct shard_index *x)
{
    numel_str first = x->shard_count ? x->shards[0].name : (numel_str){ NULL, 0 };
    return text_ends(first, ".bin")       ? "shard index of PyTorch pickles"
           : text_ends(first, ".h5")      ? "shard index of Keras weights"
           : text_ends(first, ".msgpack") ? "shard index of Flax weights"
                                          : "safetensors shard index";
}

/* A file that is not an index, despite its name, is reported first. */
NUMEL_MUST static bool identify_index(struct identifying *i)
{
    char n[TEXT_NUMBER];
    struct shard_index *x = &i->ck->index;
    struct source s;
    if (!source_open(&s, i->path, i->options->no_guard, i->ck->arena.memory, i->error)) return false;
    bool ok = s.compressed || beside_say(&i->out, i->path, &s, i->ck->arena.memory, i->error);
    source_close(&s);
    i->out.kind = "index";
    if (!ok || !find_read_index(i->path, x, &i->ck->arena, i->error)) return false;
    text_format(i->out.text, i->out.size, "%s, %zu shard%s, %s tensor%s%s", index_of(x), x->shard_count,
                plural(x->shard_count), text_number(n, x->tensor_count), plural(x->tensor_count),
                x->end < x->bytes ? ", followed by a second document" : "");
    if (x->end == x->bytes) return true;
    return error_set(i->error, NUMEL_E_SYNTAX, x->end, "%s", i->out.text);
}

NUMEL_MUST static bool identify_directory(struct identifying *i)
{
    numel_found *found;
    i->out.kind = "directory";
    numel_error none = { 0 };
    numel_rc rc = numel_find(&found, i->path, i->options, &none);
    if (rc == NUMEL_OK || rc == NUMEL_E_FORMAT) {
        size_t n = rc == NUMEL_OK ? numel_found_count(found) : 0;
        text_format(i->out.text, i->out.size, "directory with %zu checkpoint%s", n, plural(n));
        if (rc == NUMEL_OK) numel_found_free(found);
        return true;
    }
    *i->error = none;
    return false;
}

/* Resolves the name of a model; for a manifest, to its first blob. A path is unchanged. */
NUMEL_MUST static bool follow_name(struct identifying *i)
{
    numel_found *found;
    const char *at;
    if (!find_named(&i->ck->arena, i->options, i->path, &at, i->error)) return false;
    if (at && path_kind(at) == PATH_FILE) {
        if (numel_find(&found, i->path, i->options, i->error) != NUMEL_OK) return false;
        const char *first = numel_found_path(found, 0);
        at = arena_text(&i->ck->arena, first, strlen(first));
        numel_found_free(found);
        if (!at) return error_nomem(i->error);
    }
    if (at) i->path = at;
    return true;
}

numel_rc identify_path(const char *path, char *text, size_t size, const char **kind,
                       const numel_options *options, const struct identify_more *more, numel_error *e)
{
    numel_checkpoint ck;
    struct identifying i = { &ck, path, { text, size, "unknown" }, options, more, e };
    if (size) text[0] = 0;
    checkpoint_init(&ck, options->allocator);
    bool ok = follow_name(&i);
    numel_str name = plain_name(path_base(i.path));
    if (ok)
        ok = path_kind(i.path) == PATH_DIRECTORY ? identify_directory(&i)
             : name_is_index(name)               ? identify_index(&i)
                                                 : identify_file(&i);
    checkpoint_done(&ck);
    error_file(e, path);
    if (!ok) text_format(text, size, "%s", e->what);
    *kind = ok ? i.out.kind : e->code == NUMEL_E_IO ? "unreadable" : "damaged";
    return e->code;
}

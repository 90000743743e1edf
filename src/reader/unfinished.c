/*
 * unfinished.c -- finds, identifies and reports parts of files; unfinished.h has their names.
 */
#include "reader/unfinished.h"

#include "base/num.h"
#include "base/text.h"
#include "source/folder.h"

#include <string.h>

/* ---- one part ----------------------------------------------------------------------------- */

/* The length of the etag after the last dot, digits of SHA-1 or SHA-256; 0 if it is not one. */
static size_t etag_length(numel_str name)
{
    numel_str etag = text_after(name, '.');
    for (size_t i = 0; i < etag.n; i++)
        if (!strchr("0123456789abcdef", etag.p[i])) return 0;
    return etag.n == 40 || etag.n == 64 ? etag.n : 0;
}

numel_str part_of_name(numel_str name)
{
    const char *end;
    for (size_t i = 0; (end = recognise_unfinished_end(i)); i++) {
        if (!text_ends(name, end)) continue;
        name = text_less(name, strlen(end));
        size_t etag = etag_length(name);
        return etag == name.n ? text_less(name, etag) : etag ? text_less(name, etag + 1) : name;
    }
    return (numel_str){ "", 0 };
}

const char *part_text(struct arena *a, const struct found_part *p)
{
    char came[TEXT_NUMBER], total[TEXT_NUMBER], of[TEXT_QUOTE], path[TEXT_QUOTE];
    const char *file = p->of.n ? text_bare(of, p->of) : "a file of unknown name";
    text_bare(path, text_of(p->path));
    text_number(came, p->bytes);
    if (p->control) return arena_format(a, "its download is not finished: %s is next to it", path);
    if (p->total == NUMEL_NOT_KNOWN)
        return arena_format(a, "%s bytes of %s are here, in %s; its full size is unknown", came, file, path);
    text_number(total, p->total);
    if (p->bytes > p->total)
        return arena_format(a, "%s has %s bytes, more than the %s of %s: delete it", path, came, total, file);
    /* floor(100 bytes / total) without a product that may overflow */
    uint64_t unit = p->total / 100 + 1, percent = 0;
    if (!num_mul(&percent, p->bytes, 100)) percent = p->bytes / unit;
    else if (p->total) percent /= p->total;
    else percent = 100;
    return arena_format(a, "%s%" PRIu64 " %% of %s is here: %s of %s bytes, in %s",
                        percent || !p->bytes ? "" : "less than ", percent || !p->bytes ? percent : 1, file,
                        came, total, path);
}

/* ---- its header ---------------------------------------------------------------------------- */

/* Opens the file as a checkpoint of its own; false without an error if it is not one, or its header is
 * incomplete. */
NUMEL_MUST static bool open_part(numel_checkpoint *ck, const char *path, const numel_options *options,
                                 numel_error *e)
{
    struct opening o;
    struct source s;
    numel_error why = { .code = NUMEL_OK };
    ck->lenient = true;
    if (!source_open(&s, path, options->no_guard, ck->arena.memory, &why))
        return why.code == NUMEL_E_NOMEM && error_nomem(e);
    opening_init(&o, ck, options, &why);
    bool ok = opening_file(&o, &s, path);
    opening_done(&o);
    return ok || (why.code == NUMEL_E_NOMEM && error_nomem(e));
}

/* The index's shard with the part's first tensor. */
static numel_str shard_of(const numel_checkpoint *part, const struct shard_index *x)
{
    if (!x || !x->tensor_count || !part->registry.count) return (numel_str){ "", 0 };
    uint32_t at = names_find(&x->by_tensor, x->tensors, part->registry.tensors[0].name);
    return at == NAMES_ABSENT ? (numel_str){ "", 0 } : x->shards[x->tensors[at].shard].name;
}

NUMEL_MUST static bool look_into(struct found_part *p, const struct shard_index *x,
                                 const numel_options *options, struct arena *a, numel_error *e)
{
    numel_checkpoint ck;
    checkpoint_init(&ck, a->memory);
    if (open_part(&ck, p->path, options, e)) {
        const numel_file *f = &ck.files[0];
        p->weights = true;
        if (p->total == NUMEL_NOT_KNOWN && !num_add(&p->total, f->bytes - f->trailing, f->missing))
            p->total = NUMEL_NOT_KNOWN;
        numel_str shard = p->of.n ? (numel_str){ "", 0 } : shard_of(&ck, x);
        if (shard.n) p->of = (numel_str){ arena_text(a, shard.p, shard.n), shard.n };
    }
    checkpoint_done(&ck);
    return error_free(e) && (p->of.p || error_nomem(e));
}

bool part_read(struct found_part *p, const char *path, const numel_options *options, struct arena *a,
               numel_error *e)
{
    *p = (struct found_part){ .path = path, .bytes = path_bytes(path), .total = NUMEL_NOT_KNOWN };
    p->of = part_of_name(path_base(path));
    p->control = text_ends(text_of(path), ".aria2");
    p->weights = name_is_weights(p->of);
    return p->control || look_into(p, NULL, options, a, e);
}

/* ---- several ------------------------------------------------------------------------------ */

void parts_done(struct single_parts *p, const numel_allocator *m)
{
    memory_release(m, p->items);
    *p = (struct single_parts){ .count = 0 };
}

/* "HASH.ETAG.incomplete", "ETAG.incomplete": the ETAG is the digest of the whole. */
static numel_str etag_of(numel_str name) { return text_after(text_less(name, strlen(".incomplete")), '.'); }

/* FILE, from the FILE.metadata next to it with the etag in its second line. */
NUMEL_MUST static numel_str recorded(struct arena *a, const char *dir, const struct folder *f, numel_str etag)
{
    for (size_t i = 0; i < f->count; i++) {
        numel_str name = f->entries[i].name;
        if (f->entries[i].directory || !text_ends(name, ".metadata")) continue;
        char *path = path_join(a, dir, name);
        const char *text = path ? folder_text(a, path) : NULL, *line = text ? strchr(text, '\n') : NULL;
        if (!line) continue;
        line += 1 + (line[1] == '"');
        if (text_same((numel_str){ line, strcspn(line, "\"\r\n") }, etag)) return text_less(name, 9);
    }
    return (numel_str){ "", 0 };
}

enum { RECORDS_ASKED = 64 }; /* limit on parts for which all records are read */

NUMEL_MUST static bool add_part(struct single_parts *out, const char *dir, const struct folder *f, size_t i,
                                const struct listing *p, struct arena *a, numel_error *e)
{
    numel_str name = f->entries[i].name;
    char *path = path_join(a, dir, name);
    if (!path) return error_nomem(e);
    if (!memory_grow(a->memory, &out->items, &out->cap, out->count + 1, sizeof *out->items, e)) return false;
    struct found_part *part = &out->items[out->count];
    *part = (struct found_part){ .path = path, .bytes = path_bytes(path), .total = NUMEL_NOT_KNOWN };
    part->of = (numel_str){ "", 0 };
    const struct listed_file *file = listing_by_digest(p, etag_of(name));
    if (file) {
        part->of = file->path;
        if (file->has_bytes) part->total = file->bytes;
        part->weights = name_is_weights(file->path);
    } else {
        numel_str plain = part_of_name(name);
        bool told = name_is_weights(plain) || text_ends(plain, ".json");
        if (told) part->of = plain;
        else if (out->count < RECORDS_ASKED) part->of = recorded(a, dir, f, etag_of(name));
        part->weights = name_is_weights(part->of);
    }
    out->count++;
    return !a->failed || error_nomem(e);
}

bool parts_in(struct single_parts *out, const char *dir, const struct listing *p, struct arena *a,
              numel_error *e)
{
    struct folder f;
    bool ok = true;
    *out = (struct single_parts){ .count = 0 };
    if (!folder_look(&f, dir, a, e)) return false;
    for (size_t i = 0; ok && i < f.count; i++)
        if (text_ends(f.entries[i].name, ".incomplete") && !f.entries[i].directory)
            ok = add_part(out, dir, &f, i, p, a, e);
    folder_done(&f);
    if (!ok) parts_done(out, a->memory);
    return ok;
}

/* ---- parts of a set ------------------------------------------------------------------------ */

struct telling {
    numel_checkpoint *ck;
    const struct found_set *set;
    const numel_options *options;
    struct arena *arena;
    struct names by_name; /* of the set's files */
    size_t missing;       /* how many of them are missing, and the last one */
    uint32_t last;
    bool all; /* also report leftovers of files that exist */
    numel_error *error;
};

NUMEL_MUST static const char *leftover_text(struct arena *a, const struct found_part *p, numel_str file)
{
    char came[TEXT_NUMBER], of[TEXT_QUOTE];
    return arena_format(a, "%s bytes of an unfinished download, but %s is complete: delete them",
                        text_number(came, p->bytes), text_bare(of, file));
}

/* `at`: the set's file that it becomes; NAMES_ABSENT: none. An error if that is missing or incomplete; else a
 * leftover. */
NUMEL_MUST static bool tell(struct telling *t, const struct found_part *p, uint32_t at)
{
    const struct found_file *f = at == NAMES_ABSENT ? NULL : &t->set->files[at];
    bool wanted = f && (!f->path || p->control);
    bool perhaps = !p->of.n && p->weights && t->missing; /* one of the missing files */
    if (!wanted && !t->all && !perhaps) return true;
    const char *file = wanted ? path_join(t->arena, t->ck->dir, f->name) : p->path;
    const char *text = f && !wanted ? leftover_text(t->arena, p, f->name) : part_text(t->arena, p);
    if (!text || !file) return error_nomem(t->error);
    findings_add(&t->ck->findings, wanted ? FINDING_DOWNLOAD_INCOMPLETE : FINDING_DOWNLOAD_LEFTOVER, file,
                 NO_TENSOR, NUMEL_NOWHERE, "%s%s", text,
                 f && !wanted          ? ""
                 : p->total < p->bytes ? " and run the download again"
                 : wanted              ? "; run the download again to resume it"
                                       : "; resume the download, or delete it");
    return true;
}

/* NAME.part next to NAME, or where it should be. Iterates over the set's files, not the folder's. */
NUMEL_MUST static bool tell_beside(struct telling *t)
{
    const struct folder *beside = t->set->beside;
    const char *end;
    char text[512];
    for (size_t i = 0; beside && i < t->set->count; i++) {
        const struct found_file *f = &t->set->files[i];
        for (size_t k = 0; (end = recognise_unfinished_end(k)); k++) {
            numel_str name = text_join(text, sizeof text, f->name, text_of(end), (numel_str){ NULL, 0 });
            uint32_t at = name.p ? names_find(&beside->names, beside->entries, name) : NAMES_ABSENT;
            if (at == NAMES_ABSENT || beside->entries[at].directory) continue;
            struct found_part p;
            char *path = path_join(t->arena, t->ck->dir, beside->entries[at].name);
            if (!path) return error_nomem(t->error);
            if (!part_read(&p, path, t->options, t->arena, t->error) || !tell(t, &p, (uint32_t)i))
                return false;
        }
    }
    return true;
}

/* Finds the set's file that the part becomes; if neither a record nor its header names it, the only missing
 * one. */
NUMEL_MUST static bool place(struct telling *t, struct found_part *p, uint32_t *at)
{
    *at = NAMES_ABSENT;
    bool look = !p->of.n || p->total == NUMEL_NOT_KNOWN;
    if (look && !look_into(p, &t->ck->index, t->options, t->arena, t->error)) return false;
    if (!p->of.n && p->weights && t->missing == 1) p->of = t->set->files[t->last].name;
    if (p->of.n) *at = names_find(&t->by_name, t->set->files, p->of);
    if (p->of.n && *at == NAMES_ABSENT) *at = names_find(&t->by_name, t->set->files, path_base(p->of.p));
    return true;
}

NUMEL_MUST static bool tell_blobs(struct telling *t)
{
    struct listing p;
    struct single_parts parts = { .count = 0 };
    numel_error why;
    uint32_t at;
    bool ok = listing_load(&p, t->ck->dir, t->arena, &why, t->error); /* the level `size` reports *why */
    ok = ok && (!p.blobs || parts_in(&parts, p.blobs, &p, t->arena, t->error));
    for (size_t i = 0; ok && i < parts.count; i++)
        ok = place(t, &parts.items[i], &at) && tell(t, &parts.items[i], at);
    parts_done(&parts, t->arena->memory);
    listing_done(&p);
    return ok;
}

NUMEL_MUST static bool index_files(struct telling *t)
{
    names_init(&t->by_name, t->arena->memory, sizeof *t->set->files);
    for (size_t i = 0; i < t->set->count; i++) {
        if (!names_reserve(&t->by_name, i + 1, t->error)) return false;
        names_enter(&t->by_name, t->set->files, i);
        if (t->set->files[i].path) continue;
        t->missing++;
        t->last = (uint32_t)i;
    }
    return true;
}

/* A set with nothing else. */
NUMEL_MUST static bool tell_only(struct telling *t)
{
    for (size_t i = 0; i < t->set->count; i++)
        if (!tell(t, t->set->files[i].part, (uint32_t)i)) return false;
    return true;
}

bool unfinished_tell(numel_checkpoint *ck, const struct found_set *set, const numel_options *options,
                     numel_error *e)
{
    struct telling t = { .ck = ck, .set = set, .options = options, .arena = &ck->arena, .error = e };
    t.all = ck->lenient;
    if (set->kind == FOUND_UNFINISHED) return tell_only(&t);
    if (set->kind == FOUND_MANIFEST) return true;
    if (!tell_beside(&t)) return false;
    if (!t.all && !ck->missing) return true;
    bool ok = index_files(&t) && tell_blobs(&t);
    names_done(&t.by_name);
    return ok;
}

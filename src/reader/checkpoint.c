/*
 * checkpoint.c -- the public interface of opening, and checks across files.
 *
 * A missing or unreadable file of a set is a finding while at least one other can be read; if
 * none can, the first error is returned.
 */
#include "reader/checkpoint.h"

#include "base/border.h"
#include "base/text.h"
#include "reader/unfinished.h"
#include "source/folder.h"
#include "source/guard.h"

#include <string.h>

void checkpoint_init(numel_checkpoint *ck, const numel_allocator *m)
{
    *ck = (numel_checkpoint){ 0 };
    arena_init(&ck->arena, m);
    registry_init(&ck->registry, &ck->arena);
    metadata_init(&ck->metadata, m);
    findings_init(&ck->findings, &ck->arena);
}

void checkpoint_done(numel_checkpoint *ck)
{
    const numel_allocator *m = ck->arena.memory;
    for (size_t i = 0; i < ck->file_count; i++) source_close(&ck->sources[i]);
    memory_release(m, ck->files);
    memory_release(m, ck->sources);
    shard_index_done(&ck->index);
    registry_done(&ck->registry);
    metadata_done(&ck->metadata);
    findings_done(&ck->findings);
    arena_done(&ck->arena);
}

/* Of a remote checkpoint, files and findings have the URLs. */
NUMEL_MUST static bool show_urls(numel_checkpoint *ck)
{
    const struct findings *f = &ck->findings;
    if (!ck->remote || ck->lenient) return true;
    ck->shown_files = arena_copy(&ck->arena, ck->files, ck->file_count * sizeof *ck->files);
    ck->shown_findings = arena_copy(&ck->arena, f->items, f->count * sizeof *f->items);
    if (!ck->shown_files || !ck->shown_findings) return false;
    ck->shown = f->count;
    for (size_t i = 0; i < ck->file_count; i++) ck->shown_files[i].path = path_shown(ck->files[i].path);
    for (size_t i = 0; i < f->count; i++) ck->shown_findings[i].file = path_shown(f->items[i].file);
    return true;
}

bool checkpoint_close(numel_checkpoint *ck, numel_error *e)
{
    if (!dcp_join(ck, e)) return false;
    set_check(ck);
    split_check(ck);
    if (!registry_stored(&ck->registry, &ck->stored, e)) return false;
    if (!ck->lenient) findings_close(&ck->findings);
    ck->opened = ck->findings.count;
    return (!ck->findings.failed && show_urls(ck)) || error_nomem(e);
}

/* ---- opening a set ------------------------------------------------------------------------ */

struct joining {
    struct opening o;
    const struct found_set *set;
    numel_error first; /* of the files that could not be read */
};

/* Reports a missing blob. */
static void tell_layer(numel_checkpoint *ck, const char *file, const struct found_layer *l)
{
    char n[TEXT_NUMBER], name[TEXT_QUOTE], pull[TEXT_QUOTE];
    text_number(n, l->bytes);
    bool sized = l->bytes != NUMEL_NOT_KNOWN;
    findings_add(&ck->findings, FINDING_SHARD_MISSING, file, NO_TENSOR, NUMEL_NOWHERE,
                 "the manifest of %s names it (%s%s%s%s), but it is missing: run 'ollama pull %s'",
                 text_bare(name, text_of(ck->name)), l->type, sized ? ", " : "", sized ? n : "",
                 sized ? " bytes" : "", text_bare(pull, text_of(l->model)));
}

NUMEL_MUST static bool tell_missing(numel_checkpoint *ck, const struct found_set *set, size_t i,
                                    numel_error *e)
{
    const char *file = path_join(&ck->arena, ck->dir, set->files[i].name);
    if (!file) return error_nomem(e);
    ck->missing++;
    if (ck->lenient) ck->states[i] = (struct file_state){ file, NAMES_ABSENT, .missing = true };
    if (set->files[i].part) return true; /* unfinished.c reports it */
    if (set->files[i].layer) {
        tell_layer(ck, file, set->files[i].layer);
        return true;
    }
    findings_add(&ck->findings, FINDING_SHARD_MISSING, file, NO_TENSOR, NUMEL_NOWHERE,
                 "%s, but it is missing: download it",
                 set->kind == FOUND_INDEX ? "the index names it" : "the file names count it");
    return true;
}

/* Reports missing shards that are not listed. */
NUMEL_MUST static bool tell_absent(struct joining *j)
{
    numel_checkpoint *ck = j->o.ck;
    numel_error *e = j->o.error;
    char n[TEXT_NUMBER], of[TEXT_NUMBER], from[TEXT_QUOTE], to[TEXT_QUOTE];
    const char *runs;
    numel_str first, last;
    const struct found_set *set = j->set;
    if (!set->absent) return true;
    if (!found_absent(set, &ck->arena, &first, &last, &runs, e)) return false;
    const char *file = path_join(&ck->arena, ck->dir, first);
    if (!file) return error_nomem(e);
    ck->missing += (size_t)set->absent;
    text_number(n, set->absent);
    text_number(of, set->absent + set->count);
    if (*runs)
        findings_add(&ck->findings, FINDING_SHARD_MISSING, file, NO_TENSOR, NUMEL_NOWHERE,
                     "%s of the %s shards that the file names count are missing, %s: download them", n, of,
                     runs);
    else
        findings_add(&ck->findings, FINDING_SHARD_MISSING, file, NO_TENSOR, NUMEL_NOWHERE,
                     "%s of the %s shards that the index names are missing, %s to %s: download them", n, of,
                     text_quote(from, first), text_quote(to, last));
    return true;
}

/* The finding for a file that could not be read. */
static enum finding_rule rule_of(const struct opening *o, numel_rc code)
{
    if (o->as.rule != FINDING_RULES) return o->as.rule;
    switch (code) {
    case NUMEL_E_CHANGED: return FINDING_FILE_CHANGED;
    case NUMEL_E_TRUNCATED: return FINDING_HEADER_TRUNCATED;
    case NUMEL_E_VERSION: return FINDING_VERSION_UNKNOWN;
    case NUMEL_E_LIMIT: return FINDING_HEADER_LIMIT;
    case NUMEL_E_FORMAT: return FINDING_NOT_A_CHECKPOINT;
    case NUMEL_E_IO: return FINDING_FILE_UNREADABLE;
    default: return FINDING_HEADER_MALFORMED;
    }
}

/* For verify: keeps the file in the list, even if it is unreadable. */
static bool keep_state(struct joining *j, size_t i, const char *path)
{
    const struct opening *o = &j->o;
    enum finding_rule rule = rule_of(o, o->error->code);
    bool other =
        rule == FINDING_NOT_A_CHECKPOINT || rule == FINDING_FILE_UNREADABLE || rule == FINDING_FILE_CHANGED;
    if (j->set->kind == FOUND_FILE && o->error->code == NUMEL_E_IO) return false;
    o->ck->states[i] =
        (struct file_state){ path, NAMES_ABSENT, .recognised = !other, .promised = o->as.promised };
    findings_add(&o->ck->findings, rule, path, NO_TENSOR, o->error->offset, "%s", o->error->what);
    error_clear(o->error);
    return true;
}

NUMEL_MUST static bool join_file(struct joining *j, size_t i)
{
    numel_checkpoint *ck = j->o.ck;
    const char *path = j->set->files[i].path;
    struct source s;
    if (!path) return tell_missing(ck, j->set, i, j->o.error);
    path = arena_text(&ck->arena, path, strlen(path)); /* outlives the set */
    if (!path) return error_nomem(j->o.error);
    if (ck->lenient)
        ck->states[i] = (struct file_state){ path, (uint32_t)ck->file_count, .recognised = true };
    struct pipe *pipe = j->set->pipe;
    j->o.as.rule = FINDING_RULES; /* reset from the last file */
    bool open = pipe ? source_pipe(&s, pipe, path, ck->arena.memory, j->o.error)
                     : source_open(&s, path, ck->unguarded, ck->arena.memory, j->o.error);
    if (open && opening_file(&j->o, &s, path)) return true;
    numel_error *e = j->o.error;
    if (e->code == NUMEL_E_NOMEM) return false;
    if (ck->lenient) return keep_state(j, i, path);
    if (error_free(&j->first)) j->first = *e;
    findings_add(&ck->findings, rule_of(&j->o, e->code), path, NO_TENSOR, e->offset, "%s", e->what);
    error_clear(e);
    return true;
}

NUMEL_MUST static bool no_blob(struct joining *j, numel_str blob)
{
    char name[TEXT_QUOTE], file[TEXT_QUOTE], pull[TEXT_QUOTE];
    return error_set(j->o.error, NUMEL_E_IO, NUMEL_NOWHERE,
                     "the manifest of %s names the blob %s, which is missing: run 'ollama pull %s'",
                     text_bare(name, text_of(j->set->name)), text_bare(file, blob),
                     text_bare(pull, text_of(j->set->files[0].layer->model)));
}

/* Sets *part to the message on a file that is being downloaded; NULL if there is none. */
NUMEL_MUST static bool on_their_way(struct joining *j, const char **part)
{
    const struct findings *f = &j->o.ck->findings;
    if (!unfinished_tell(j->o.ck, j->set, j->o.options, j->o.error)) return false;
    for (size_t i = 0; i < f->count && !*part; i++)
        if (strcmp(f->items[i].code, "download-incomplete") == 0) *part = f->items[i].message;
    return true;
}

/* The first shard that the set names. */
static numel_str first_of(const struct found_set *set)
{
    return set->absent ? set->absent_first : set->files[0].name;
}

#define ALL_MISSING "all %zu shards are missing (the first is %s): download them"

NUMEL_MUST static bool none_here(struct joining *j)
{
    const struct shard_index *x = &j->o.ck->index;
    char name[TEXT_QUOTE], more[96] = "";
    if (x->end < x->bytes)
        text_format(more, sizeof more, "; the index is two JSON documents, the second at %" PRIu64, x->end);
    numel_str first = first_of(j->set);
    if (j->set->kind == FOUND_MANIFEST) return no_blob(j, first);
    const char *part = NULL;
    if (!on_their_way(j, &part)) return false;
    if (part && j->set->kind == FOUND_UNFINISHED)
        return error_set(j->o.error, NUMEL_E_IO, NUMEL_NOWHERE, "only %zu unfinished download%s: %s",
                         j->set->count, j->set->count == 1 ? "" : "s", part);
    if (part)
        return error_set(j->o.error, NUMEL_E_IO, NUMEL_NOWHERE, "all %zu shards are missing: %s",
                         j->set->count + (size_t)j->set->absent, part);
    return error_set(j->o.error, NUMEL_E_IO, NUMEL_NOWHERE, ALL_MISSING "%s",
                     j->set->count + (size_t)j->set->absent, text_quote(name, first), more);
}

/* For verify: reports an unreadable index, whose shards are unknown. */
NUMEL_MUST static bool tell_index(struct joining *j)
{
    numel_checkpoint *ck = j->o.ck;
    numel_error *e = j->o.error;
    const char *path = arena_text(&ck->arena, j->set->index, strlen(j->set->index));
    if (!path) return error_nomem(e);
    ck->index_path = path;
    ck->states[0] = (struct file_state){ path, NAMES_ABSENT, .recognised = true };
    if (find_read_index(path, &ck->index, &ck->arena, e) || e->code == NUMEL_E_NOMEM) return error_free(e);
    findings_add(&ck->findings, FINDING_INDEX_UNREADABLE, path, NO_TENSOR, e->offset, "%s", e->what);
    error_clear(e);
    return true;
}

/* Reports all missing shards in one finding; verify reports each. */
NUMEL_MUST static bool tell_none(struct joining *j)
{
    numel_checkpoint *ck = j->o.ck;
    char name[TEXT_QUOTE];
    ck->missing = j->set->count + (size_t)j->set->absent;
    findings_add(&ck->findings, FINDING_SHARD_MISSING, ck->index_path, NO_TENSOR, NUMEL_NOWHERE, ALL_MISSING,
                 ck->missing, text_quote(name, first_of(j->set)));
    return index_name_tensors(ck, j->o.error);
}

NUMEL_MUST static bool join_files(struct joining *j)
{
    const numel_options *opt = j->o.options;
    bool alone = index_is_alone(j->o.ck, j->set);
    if (alone && j->o.ck->by_name) return tell_none(j);
    for (size_t i = 0; i < j->set->count; i++) {
        if (opt->progress) opt->progress(opt->progress_ctx, i, j->set->count, "reading headers");
        if (!join_file(j, i)) return false;
    }
    if (opt->progress) opt->progress(opt->progress_ctx, j->set->count, j->set->count, "reading headers");
    if (!tell_absent(j)) return false;
    if (alone && j->o.ck->lenient) return index_name_tensors(j->o.ck, j->o.error);
    if (j->o.ck->file_count || j->o.ck->lenient) return true;
    if (!error_free(&j->first)) *j->o.error = j->first;
    return j->set->count || j->set->absent
               ? none_here(j)
               : error_set(j->o.error, NUMEL_E_FORMAT, NUMEL_NOWHERE, "the index names no shards");
}

/* The name in the index, else the folder's. */
NUMEL_MUST static const char *part_of(numel_checkpoint *ck, const struct found_set *set)
{
    numel_str name = set->component ? text_of(set->component->name) : path_base(set->dir);
    return arena_text(&ck->arena, name.p, name.n);
}

/* A Transformer has its own configuration, as does an MLMTransformer. */
NUMEL_MUST static bool module_of(numel_checkpoint *ck, const struct found_set *set, const char **out)
{
    const char *class = set->component && set->pipeline->modules ? set->component->class : NULL;
    bool itself = class && (text_ends(text_of(class), "Transformer") || strcmp(class, "CLIPModel") == 0);
    if (!class || itself) return true;
    *out = arena_format(&ck->arena, "sentence_transformers.%s", class);
    ck->modules = arena_text(&ck->arena, set->pipeline->index, strlen(set->pipeline->index));
    return *out && ck->modules;
}

NUMEL_MUST static bool open_set(numel_checkpoint *ck, const struct found_set *set,
                                const numel_options *options, numel_error *e)
{
    struct joining j = { .set = set };
    error_clear(&j.first);
    ck->path = arena_text(&ck->arena, set->path, strlen(set->path));
    ck->piped = set->pipe != NULL;
    ck->remote = set->remote;
    ck->heads = set->heads && !set->pipeline; /* for components, the report on all of them states it */
    ck->dir = ck->piped ? NULL : arena_text(&ck->arena, set->dir, strlen(set->dir));
    if (ck->lenient) ck->states = arena_alloc(&ck->arena, (set->count + 1) * sizeof *ck->states);
    ck->place = arena_text(&ck->arena, set->place, strlen(set->place));
    if (set->pipeline) ck->part = part_of(ck, set);
    if (set->pipeline && (!ck->part || !module_of(ck, set, &ck->module))) return error_nomem(e);
    if (set->name) ck->name = arena_text(&ck->arena, set->name, strlen(set->name));
    if (!ck->path || (!ck->dir && !ck->piped) || !ck->place || (set->name && !ck->name) ||
        (ck->lenient && !ck->states))
        return error_nomem(e);
    for (size_t i = 0; set->layers && i < set->layers->count; i++)
        if (text_equal(set->layers->items[i].name, "config.json")) ck->config = set->layers->items[i].path;
    if (ck->config && !(ck->config = arena_text(&ck->arena, ck->config, strlen(ck->config))))
        return error_nomem(e);
    if (set->why && (!ck->lenient || set->alone)) return *e = *set->why, false;
    if (set->why)
        findings_add(&ck->findings, FINDING_MANIFEST_BROKEN, ck->path, NO_TENSOR, set->why->offset, "%s",
                     set->why->what);
    if (set->kind == FOUND_INDEX) {
        ck->index_path = arena_text(&ck->arena, set->index, strlen(set->index));
        if (!ck->index_path) return error_nomem(e);
        if (!find_read_index(ck->index_path, &ck->index, &ck->arena, e)) return false;
    }
    opening_init(&j.o, ck, options, e);
    bool lost = ck->lenient && set->kind == FOUND_FILE && set->index;
    if (!ck->unguarded) guard_hold();
    bool ok = lost ? tell_index(&j) : join_files(&j);
    if (!ck->unguarded) guard_release();
    opening_done(&j.o);
    if (ok && set->kind == FOUND_INDEX) {
        ok = set_index(ck, set, e);
    }
    ok = ok && unfinished_tell(ck, set, options, e);
    return ok && checkpoint_close(ck, e);
}

/* ---- the public interface ----------------------------------------------------------------- */

NUMEL_MUST static numel_checkpoint *new_checkpoint(const numel_options *options, numel_error *e)
{
    const numel_allocator *m = options->allocator;
    numel_checkpoint *ck = memory_resize(m, NULL, sizeof *ck);
    if (!ck) {
        error_nomem(e);
        return NULL;
    }
    checkpoint_init(ck, m);
    ck->strict = options->strict;
    ck->unguarded = options->no_guard;
    return ck;
}

NUMEL_MUST static bool open_found(numel_checkpoint **out, const numel_found *found, size_t i,
                                  const numel_options *options, bool by_name, numel_error *e)
{
    numel_options own;
    error_clear(e);
    *out = NULL;
    numel_checkpoint *ck = border_options(&own, options, e) ? new_checkpoint(&own, e) : NULL;
    if (!ck) return false;
    ck->by_name = by_name;
    if (i >= found->count) error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "no checkpoint %zu", i);
    else if (open_set(ck, &found->sets[i], &own, e)) *out = ck;
    else error_file(e, found->sets[i].path);
    if (!*out) numel_free(ck);
    return *out != NULL;
}

numel_rc numel_open(numel_checkpoint **out, const numel_found *found, size_t i, const numel_options *options,
                    numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    return open_found(out, found, i, options, false, e) ? NUMEL_OK : e->code;
}

bool checkpoint_by_name(numel_checkpoint **out, const numel_found *found, size_t i,
                        const numel_options *options, numel_error *e)
{
    return open_found(out, found, i, options, true, e);
}

bool checkpoint_inspect(numel_checkpoint **out, const struct found_set *set, const numel_options *options,
                        numel_error *e)
{
    numel_checkpoint *ck = new_checkpoint(options, e);
    *out = NULL;
    if (!ck) return false;
    ck->lenient = true;
    if (open_set(ck, set, options, e)) *out = ck;
    else error_file(e, set->path);
    if (!*out) numel_free(ck);
    return *out != NULL;
}

/* A missing shard, or a broken link, as in a cache. */
static bool file_is_absent(const char *path) { return !path || path_kind(path) == PATH_ABSENT; }

/* *all: each file is a pointer or missing. */
NUMEL_MUST static bool inspect_absent(bool *all, const struct found_set *set, const numel_options *options,
                                      numel_error *e)
{
    numel_checkpoint *ck;
    size_t absent = 0;
    if (!checkpoint_inspect(&ck, set, options, e)) return false;
    for (size_t k = 0; k < set->count; k++) absent += ck->states[k].missing || ck->states[k].promised;
    numel_free(ck);
    *all = absent == set->count;
    return true;
}

bool found_is_absent(bool *absent, const numel_found *found, size_t i, const numel_options *options,
                     numel_error *e)
{
    const struct found_set *set = &found->sets[i];
    size_t gone = 0;
    *absent = false;
    if (!set->count && !set->absent) return true;
    for (size_t k = 0; k < set->count; k++) gone += file_is_absent(set->files[k].path);
    *absent = gone == set->count;
    return *absent || inspect_absent(absent, set, options, e);
}

numel_rc numel_open_memory(numel_checkpoint **out, const void *p, size_t bytes, const numel_options *options,
                           numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    numel_options own;
    struct opening o;
    struct source s;
    error_clear(e);
    *out = NULL;
    numel_checkpoint *ck = border_options(&own, options, e) ? new_checkpoint(&own, e) : NULL;
    if (!ck) return e->code;
    ck->path = ck->place = "";
    source_memory(&s, p, bytes, ck->arena.memory);
    opening_init(&o, ck, &own, e);
    bool ok = opening_file(&o, &s, "");
    opening_done(&o);
    if (ok && checkpoint_close(ck, e)) *out = ck;
    else numel_free(ck);
    return e->code;
}

void numel_free(numel_checkpoint *ck)
{
    if (!ck) return;
    const numel_allocator *m = ck->arena.memory;
    checkpoint_done(ck);
    memory_release(m, ck);
}

const char *numel_path(const numel_checkpoint *ck) { return path_shown(ck->path); }
size_t numel_file_count(const numel_checkpoint *ck) { return ck->file_count; }
size_t numel_tensor_count(const numel_checkpoint *ck) { return ck->registry.count; }
size_t numel_finding_count(const numel_checkpoint *ck) { return ck->findings.count; }

const numel_file *numel_file_at(const numel_checkpoint *ck, size_t i)
{
    return i < ck->file_count ? &(ck->shown_files ? ck->shown_files : ck->files)[i] : NULL;
}

numel_rc numel_tensor_at(const numel_checkpoint *ck, size_t i, numel_tensor *out, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    error_clear(e);
    if (i >= ck->registry.count) {
        error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "no tensor %zu", i);
        return e->code;
    }
    return BORDER_GIVE(numel_tensor, out, &ck->registry.tensors[i], e) ? NUMEL_OK : e->code;
}

size_t numel_tensor_find(const numel_checkpoint *ck, const char *name, size_t bytes)
{
    const numel_tensor *t = registry_find(&ck->registry, (numel_str){ name, bytes });
    return t ? (size_t)(t - ck->registry.tensors) : SIZE_MAX;
}

const numel_finding *numel_finding_at(const numel_checkpoint *ck, size_t i)
{
    return i >= ck->findings.count ? NULL : i < ck->shown ? &ck->shown_findings[i] : &ck->findings.items[i];
}

numel_severity numel_worst(const numel_checkpoint *ck)
{
    numel_severity worst = NUMEL_NOTE;
    for (size_t i = 0; i < ck->findings.count; i++) {
        numel_severity s = ck->findings.items[i].severity;
        if (s == NUMEL_WARNING && ck->strict) s = NUMEL_ERROR;
        if (s > worst) worst = s;
    }
    return worst;
}

/*
 * config.c -- the level `config`: do the tensors make the model that the configuration describes? It repeats
 * reconcile's lines, tensor by tensor, and adds the lints of lint_internal.h.
 *
 * While files are missing or unreadable, their tensors are not reported missing again.
 */
#include "verify/lint_internal.h"

#include "base/num.h"
#include "base/text.h"
#include "model/llama_cpp.h"
#include "model/meanings.h"
#include "model/tensor.h"
#include "source/folder.h"
#include "statement/unchecked.h"

#include <string.h>

/* ---- shared by lints ---------------------------------------------------------------------- */

bool lint_number_behind(numel_str name, const char *word, uint64_t *n)
{
    size_t w = strlen(word);
    for (size_t i = 0; i + w < name.n; i++) {
        bool begins = i == 0 || name.p[i - 1] == '.' || word[0] == '.';
        if (!begins || memcmp(name.p + i, word, w) != 0) continue;
        size_t at = i + w;
        *n = 0;
        while (at < name.n && name.p[at] >= '0' && name.p[at] <= '9' && *n < UINT32_MAX)
            *n = *n * 10 + (uint64_t)(name.p[at++] - '0');
        if (at > i + w && at < name.n && name.p[at] == '.') return true;
    }
    return false;
}

uint64_t lint_count_behind(const struct lint *l, const char *word)
{
    uint64_t count = 0, n;
    for (size_t i = 0; i < l->ck->registry.count; i++)
        if (lint_number_behind(l->ck->registry.tensors[i].name, word, &n)) count = num_max(count, n + 1);
    return count;
}

static const numel_tensor *tensor_of_role(const struct lint *l, const char *role)
{
    const struct expansion *x = l->c->model->x;
    for (uint32_t i = 0; x && i < x->row_count; i++) {
        const struct model_row r = model_row(l->c->model, i);
        if (r.tensor != NAMES_ABSENT && text_equal(r.site->role, role))
            return &l->ck->registry.tensors[r.tensor];
    }
    return NULL;
}

const numel_tensor *lint_embedding(const struct lint *l)
{
    const numel_tensor *t = tensor_of_role(l, "embed.tok");
    for (size_t i = 0; !t && i < l->ck->registry.count; i++) {
        struct meaning m = meanings_at(model_meanings(l->c->model), i);
        bool table = m.kind->kind == KIND_WEIGHT && meaning_traits(&m) & TRAIT_TOKENS;
        if (table) t = &l->ck->registry.tensors[i];
    }
    return t && t->ndim == 2 ? t : NULL;
}

/* ---- reconcile ---------------------------------------------------------------------------- */

/* Does the index put it into a missing file? Without an index any file may hold it. */
static bool is_elsewhere(const struct lint *l, numel_str name)
{
    const struct shard_index *x = &l->ck->index;
    if (l->whole) return false;
    if (!l->ck->index_path) return true;
    uint32_t at = names_find(&x->by_tensor, x->tensors, name);
    return at != NAMES_ABSENT && !l->shard_read[x->tensors[at].shard];
}

/* The name in the file: a model that is part of a file has shorter ones. */
static numel_str name_of(const struct lint *l, uint32_t tensor)
{
    return l->ck->full ? l->ck->full[tensor] : l->ck->registry.tensors[tensor].name;
}

/* The name that a missing tensor would have: with the others' prefix. */
static numel_str missing_name(const struct lint *l, numel_str name)
{
    const numel_checkpoint *ck = l->ck;
    if (!ck->full || !ck->registry.count) return name;
    numel_str full = ck->full[0], bare = ck->registry.tensors[0].name;
    if (!text_same(text_tail(full, bare.n), bare)) return name;
    numel_str whole = arena_join(l->arena, text_less(full, bare.n), name, text_of(""));
    return whole.p ? whole : name;
}

static void tell_missing(struct lint *l)
{
    const struct differences *s = &l->c->model->differences;
    char name[TEXT_QUOTE], dims[TEXT_QUOTE];
    for (size_t i = 0; i < s->missing; i++) {
        const struct gap *g = &s->gaps[i];
        if (is_elsewhere(l, g->name)) continue;
        numel_str full = missing_name(l, g->name);
        lint_find(l, FINDING_MODEL_MISSING, l->c->model->from, full, NUMEL_NOWHERE,
                  "%s needs tensor %s of shape %s, which is in %s", l->c->model->called,
                  text_quote(name, full), text_dims(dims, g->dims, g->ndim),
                  l->ck->named ? "no line of the index" : "no file");
    }
}

/* Does the folder hold the original of a copy by name: "model.safetensors" for "model (1).safetensors", as
 * browsers and file managers write it? */
static bool is_copy(const struct lint *l, const struct folder *f, numel_str name)
{
    static const char *const marks[] = { "* ([0-9])", "* ([0-9][0-9])", "* copy", "* - Copy" };
    size_t end = name.n;
    while (end && name.p[end - 1] != '.') end--;
    numel_str stem = text_less(text_upto(name, end), 1), rest = text_from(name, stem.n);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t cut = stem.n;
        if (!text_glob(marks[i], stem)) continue;
        for (size_t blanks = i == 3 ? 2 : 1; cut && blanks; cut--) blanks -= stem.p[cut - 1] == ' ';
        numel_str whole = arena_join(l->arena, (numel_str){ name.p, cut }, rest, text_of(""));
        return whole.p && folder_has(f, whole);
    }
    return false;
}

/* Is the file outside the folder's index? Not "model.safetensors" next to model.safetensors.index.json, which
 * transformers loads instead of the shards. */
static bool is_unindexed(const struct folder *f, numel_str name)
{
    static const char index[] = ".safetensors.index";
    for (size_t i = 0; i < f->count; i++) {
        numel_str x = f->entries[i].name;
        size_t k = text_seek(x, text_of(index));
        if (f->entries[i].directory || !name_is_index(x)) continue;
        if (k == x.n) continue;
        bool first = name.n == k + 12 && memcmp(name.p, x.p, k) == 0 && text_ends(name, ".safetensors");
        return !first && text_ends(name, ".safetensors");
    }
    return false;
}

/* A single file that lacks tensors of the folder's shards is not an incomplete model: it is an extra file. */
static bool tell_stray(struct lint *l)
{
    const struct folder *f = l->v->set->beside;
    char quoted[TEXT_QUOTE], n[TEXT_COUNT];
    if (l->v->set->kind != FOUND_FILE || !l->c->model->differences.missing || !f) return false;
    numel_str name = path_base(l->ck->files[0].path);
    bool unindexed = is_unindexed(f, name);
    if (!unindexed && !is_copy(l, f, name)) return false;
    lint_find(l, FINDING_FILE_STRAY, l->ck->files[0].path, NO_TENSOR, NUMEL_NOWHERE,
              "%s holds part of the model (%s), and %s: an extra file, not an incomplete model",
              text_quote(quoted, name), text_count(n, l->ck->registry.count, "tensor"),
              unindexed ? "the index of the folder does not name it"
                        : "is named like a copy of another file");
    return true;
}

static bool is_attention(numel_str role) { return meaning_role_traits(role) & TRAIT_QKV; }

static void tell_shapes(struct lint *l)
{
    const struct differences *s = &l->c->model->differences;
    const struct expansion *x = l->c->model->x;
    char name[TEXT_QUOTE], dims[TEXT_QUOTE], is[TEXT_QUOTE];
    bool heads = false;
    for (size_t i = 0; i < s->mismatched; i++) {
        const struct gap *g = &s->gaps[s->missing + i];
        const struct site *site = &x->sites[x->rows[g->row].site];
        const numel_tensor *t = &l->ck->registry.tensors[g->tensor];
        const char *file = l->ck->files[t->file].path;
        text_quote(name, name_of(l, g->tensor));
        text_dims(is, t->dims, t->ndim);
        text_dims(dims, g->dims, g->ndim);
        if (g->fit == FIT_TYPE) {
            lint_find(l, FINDING_MODEL_TYPE, file, name_of(l, g->tensor), t->offset,
                      "tensor %s has dtype %.40s, expected %s", name, t->dtype->name,
                      text_bare(dims, g->types));
            continue;
        }
        lint_find(l, FINDING_MODEL_SHAPE, file, name_of(l, g->tensor), t->offset,
                  "tensor %s has shape %s, but by the configuration it should be %s", name, is, dims);
        if (!heads && is_attention(site->role))
            lint_find(l, FINDING_HEAD_COUNT, l->c->model->from, t->name, NUMEL_NOWHERE,
                      "the head counts of the configuration give shape %s for %s, but the file has %s", dims,
                      name, is);
        heads |= is_attention(site->role);
    }
}

static void tell_contradictions(struct lint *l)
{
    const struct differences *s = &l->c->model->differences;
    for (size_t i = 0; i < s->contradiction_count; i++) {
        const struct contradiction *x = &s->contradictions[i];
        if (x->loader)
            lint_find(l, FINDING_LOADER_REFUSES, l->ck->files[0].path, NO_TENSOR, NUMEL_NOWHERE, "%s",
                      x->said);
        else
            lint_find(l, FINDING_QUANT_CONTRADICTION, l->c->model->from, x->name.n ? x->name : NO_TENSOR,
                      NUMEL_NOWHERE, "%s", x->said);
    }
}

/* The shapes show it, so the file is not wrong; but loaders follow the configuration. */
static void tell_unsaid(struct lint *l)
{
    const struct model_packing p = model_packing(l->c->model);
    char n[TEXT_NUMBER];
    if (!p.layout || p.method || config_has_quantization(l->c->model->config)) return;
    lint_find(l, FINDING_QUANT_UNSAID, l->ck->files[0].path, NO_TENSOR, NUMEL_NOWHERE,
              "%s weight%s packed (%s), but no configuration says so", text_number(n, p.weights),
              p.weights == 1 ? " is" : "s are", p.layout);
}

/* F8 weights without scales: they were cast directly, or the scales are lost; shapes do not show which. */
NUMEL_MUST static bool tell_unscaled(struct lint *l)
{
    const char *bare = l->c->statement.agrees ? unscaled_text(l->c->model, l->arena) : "";
    if (!bare) return error_nomem(l->v->error);
    if (bare[0])
        lint_find(l, FINDING_QUANT_UNSAID, l->ck->files[0].path, NO_TENSOR, NUMEL_NOWHERE, "%s",
                  bare + strlen("; "));
    return true;
}

/* Tables with two names: stored twice, or only under the second. */
NUMEL_MUST static bool tell_tied(struct lint *l)
{
    const struct handle *c = l->c;
    const char *text = "";
    for (size_t i = 0; text && i < c->tied.count; i++) {
        const struct tied_pair *p = &c->tied.pairs[i];
        const numel_tensor *t = &l->ck->registry.tensors[p->copy];
        if (!(text = tied_text(p, &l->ck->registry, l->arena))) break;
        bool other = p->values == TIED_OTHER;
        lint_find(l, other ? FINDING_TIED_DIFFERS : FINDING_TIED_COPY, l->ck->files[t->file].path,
                  name_of(l, p->copy), t->offset, "%s%s", text,
                  other ? ": set tie_word_embeddings to false, or loaders that tie will drop it" : "");
    }
    for (uint32_t i = 0; text && i < c->model->x->row_count; i++) {
        const struct model_row row = model_row(c->model, i);
        if (!row.renamed) continue;
        const numel_tensor *t = &l->ck->registry.tensors[row.tensor];
        if (!(text = tied_renamed_text(c->model, &row, l->arena))) break;
        lint_find(l, FINDING_TIED_RENAMED, l->ck->files[t->file].path, name_of(l, row.tensor), t->offset,
                  "%s: loaders that tie use it for both", text);
    }
    return text || error_nomem(l->v->error);
}

/* Norms with TensorFlow's names, which loaders also accept. */
static void tell_old_names(struct lint *l)
{
    char n[TEXT_NUMBER];
    uint64_t count = 0;
    for (uint32_t i = 0; i < l->c->model->x->row_count; i++) {
        const struct model_row r = model_row(l->c->model, i);
        if (r.tensor == NAMES_ABSENT) continue;
        numel_str is = l->ck->registry.tensors[r.tensor].name;
        count += (text_ends(is, ".gamma") && text_ends(r.name, ".weight")) ||
                 (text_ends(is, ".beta") && text_ends(r.name, ".bias"));
    }
    if (count)
        lint_find(l, FINDING_NAMES_OLD, l->ck->files[0].path, NO_TENSOR, NUMEL_NOWHERE,
                  "%s tensor%s called gamma or beta, the names of norms in TensorFlow: transformers renames "
                  "%s to weight and bias",
                  text_number(n, count), count == 1 ? " is" : "s are", count == 1 ? "it" : "them");
}

static void tell_unexpected(struct lint *l)
{
    const struct differences *s = &l->c->model->differences;
    bool alone = llama_cpp_alone(l->c->model);
    char name[TEXT_QUOTE];
    for (size_t i = 0; i < s->unexpected_count; i++) {
        const numel_tensor *t = &l->ck->registry.tensors[s->unexpected[i]];
        enum cause cause = model_tensor(l->c->model, s->unexpected[i]).cause;
        if (cause == CAUSE_REPEATED) continue; /* the level `index` has reported it */
        if (cause == CAUSE_UNKNOWN && alone && llama_cpp_refuses(t->name)) {
            lint_find(l, FINDING_LOADER_REFUSES, l->ck->files[t->file].path, t->name, t->offset,
                      "%s has no tensor %s: llama.cpp does not ask for it and refuses the file (wrong number "
                      "of tensors)",
                      l->c->model->called, text_quote(name, t->name));
            continue;
        }
        lint_find(l, cause == CAUSE_UNKNOWN ? FINDING_MODEL_UNKNOWN : FINDING_MODEL_UNEXPECTED,
                  l->ck->files[t->file].path, name_of(l, s->unexpected[i]), t->offset,
                  "%s has no tensor %s: %s", l->c->model->called,
                  text_quote(name, name_of(l, s->unexpected[i])), cause_text(cause));
    }
}

static void tell_unchecked(struct lint *l)
{
    const numel_error *why = &l->c->model->why;
    bool broken = why->code == NUMEL_E_SYNTAX || why->code == NUMEL_E_UTF8;
    if (broken && l->config && strcmp(why->file, l->config) == 0) return; /* the lints report it */
    if (l->c->model->broken) {
        const char *file = model_file(l->c->model);
        lint_find(l, FINDING_CONFIG_BROKEN, file[0] ? file : why->file, NO_TENSOR, NUMEL_NOWHERE,
                  "no model can be built from the configuration: %.300s", why->what);
        return;
    }
    l->v->in_part = true;
    lint_find(l, FINDING_MODEL_UNCHECKED, why->file, NO_TENSOR, NUMEL_NOWHERE,
              "the tensors were not compared with a formula: %.300s",
              why->what[0] ? why->what : "no configuration was found (--config)");
}

static void tell_in_part(struct lint *l)
{
    const struct statement *s = &l->c->statement;
    char n[TEXT_COUNT];
    if (!s->in_part) return;
    l->v->in_part = true;
    if (l->c->model->inferred)
        lint_find(l, FINDING_MODEL_IN_PART, l->ck->files[0].path, NO_TENSOR, NUMEL_NOWHERE,
                  "some sizes are in no configuration and are inferred from the tensors");
    if (l->c->model->differences.grounds[GROUND_NAME])
        lint_find(l, FINDING_MODEL_IN_PART, l->ck->files[0].path, NO_TENSOR, NUMEL_NOWHERE,
                  "%s recognised by name only and not checked: see 'numel reconcile'",
                  text_count(n, l->c->model->differences.grounds[GROUND_NAME], "tensor"));
}

/* An adapter's tensors, configuration and base that contradict each other, and what its loader would not
 * load. */
static void tell_faults(struct lint *l)
{
    const struct model_faults *f = &l->v->faults;
    for (size_t i = 0; i < f->count; i++)
        lint_find(l, f->items[i].rule, l->ck->files[0].path, NO_TENSOR, NUMEL_NOWHERE, "%s",
                  f->items[i].text);
}

/* ---- the level ---------------------------------------------------------------------------- */

NUMEL_MUST static bool note_shards(struct lint *l)
{
    const struct shard_index *x = &l->ck->index;
    l->shard_read = arena_zeroed(l->arena, x->shard_count + 1);
    if (!l->shard_read) return error_nomem(l->v->error);
    for (size_t i = 0; i < l->v->set->count; i++) {
        uint32_t at = names_find(&x->by_shard, x->shards, l->v->set->files[i].name);
        if (at != NAMES_ABSENT) l->shard_read[at] = l->ck->states[i].file != NAMES_ABSENT;
    }
    return true;
}

NUMEL_MUST static bool make_lint(struct verify *v, struct lint *l)
{
    const struct metadata_entry *arch = metadata_find(&v->ck->metadata, "general.architecture");
    *l = (struct lint){ .v = v, .ck = v->ck, .arena = v->arena };
    l->whole = v->ck->named || (v->ck->file_count == v->set->count && v->ck->missing == 0);
    if (arch && arch->type == META_STRING) l->arch = arch->value.s;
    if (v->ck->dir) l->config = path_in(v->arena, v->ck->dir, "config.json", PATH_FILE);
    if (v->arena->failed) return error_nomem(v->error);
    return note_shards(l) && verify_model(v, &l->c);
}

/* A model's metadata without a tensor is a single fault. */
static bool tell_empty(struct lint *l)
{
    const struct model *m = l->c->model;
    bool empty = l->whole && l->ck->registry.count == 0 && llama_cpp_loads(m);
    if (empty)
        lint_find(l, FINDING_LOADER_REFUSES, l->ck->files[0].path, NO_TENSOR, NUMEL_NOWHERE,
                  "the file has the metadata of %s but no tensors: llama.cpp refuses it (missing tensor)",
                  m->called);
    return empty || (l->ck->registry.count == 0 && l->ck->files[0].format == NUMEL_GGUF);
}

NUMEL_MUST static bool tell_model(struct lint *l)
{
    if (l->c->model->other) {
        lint_find(l, FINDING_NOT_A_MODEL, l->ck->files[0].path, NO_TENSOR, NUMEL_NOWHERE, "%s",
                  l->c->model->other->name);
        return true;
    }
    if (tell_empty(l)) return true;
    if (!l->c->model->x && !l->v->faults.proven) tell_unchecked(l);
    if (!l->c->model->x) return true;
    if (tell_stray(l)) return true;
    tell_missing(l);
    tell_shapes(l);
    tell_contradictions(l);
    tell_unsaid(l);
    tell_unexpected(l);
    tell_old_names(l);
    tell_in_part(l);
    return tell_tied(l) && tell_unscaled(l);
}

/* Judges each model of a multi-model file, and reports the tensors of none. */
NUMEL_MUST static bool tell_split(struct lint *l, const struct verify_split *s)
{
    char name[TEXT_QUOTE];
    bool ok = true;
    for (size_t i = 0; i < s->count && ok; i++) {
        struct lint part = *l;
        part.c = s->models[i];
        part.ck = (numel_checkpoint *)(uintptr_t)part.c->ck;
        ok = tell_model(&part);
    }
    for (size_t i = 0; s->unknown && i < s->unknown->registry.count; i++) {
        const numel_tensor *t = &s->unknown->registry.tensors[i];
        lint_find(l, FINDING_MODEL_UNKNOWN, s->unknown->files[t->file].path, t->name, t->offset,
                  "no model in the file has tensor %s", text_quote(name, t->name));
    }
    return ok;
}

bool verify_config(struct verify *v)
{
    struct lint l;
    struct verify_split split = { .count = 0 };
    if (v->ck->file_count == 0 && !v->ck->named) return true;
    if (!make_lint(v, &l) || (v->split && !v->split(v, &split, v->error))) return false;
    tell_faults(&l);
    bool ok = split.count ? tell_split(&l, &split) : tell_model(&l);
    if (split.done) split.done(&split);
    if (!ok) return false;
    return v->ck->files[0].format == NUMEL_GGUF ? lint_gguf(&l) : lint_hf(&l);
}

/*
 * packed.c -- decides which rows may be packed, which forms of which layouts to try, and which form wins.
 *
 * Forms depend on a weight's size and configuration, so they are made once per size (struct sized). The
 * endings of the file's names limit how many tensors a form can claim, so most forms are skipped without a
 * lookup. Forms without faults go first; otherwise a faulty form might claim their tensors.
 */
#include "model/packed_internal.h"

/* ---- rows ------------------------------------------------------------------------------------- */

static bool holds(numel_str s, const char *part)
{
    size_t n = strlen(part);
    for (size_t i = 0; i + n <= s.n; i++)
        if (memcmp(s.p + i, part, n) == 0) return true;
    return false;
}

enum packed_shape packed_shape_of(const struct site *s, numel_str name)
{
    bool weight = text_ends(name, ".weight"), conv = s->kind != TENSOR_LIN && holds(s->role, "conv");
    if (s->part != PART_WEIGHT || s->kind == TENSOR_BUF || text_ends(name, "bias")) return SHAPE_OTHER;
    bool table = text_starts(s->role, "embed") || text_equal(s->role, "mtp.embed");
    bool norm =
        text_starts(s->role, "norm") && s->kind != TENSOR_LIN; /* else it makes a norm's scale and shift */
    if (s->ndim == 2 && weight && table && s->kind != TENSOR_LIN) return SHAPE_EMBEDDING;
    if (s->ndim == 2 && weight && !conv && !norm) return SHAPE_LINEAR;
    if (s->ndim == 3 && !conv && (weight || s->stacked || holds(name, "experts"))) return SHAPE_STACK;
    return SHAPE_OTHER;
}

static bool may_hold(const struct layout *l, enum packed_shape shape)
{
    return (shape == SHAPE_LINEAR && l->linears) || (shape == SHAPE_EMBEDDING && l->embeddings) ||
           (shape == SHAPE_STACK && l->stacks);
}

/* ---- candidates ------------------------------------------------------------------------------- */

bool packed_layouts(struct packed *p, struct library *library, numel_error *e)
{
    if (!library_layouts(library, e)) return false;
    p->layouts = library->layouts;
    p->layout_count = library->layout_count;
    return true;
}

bool packed_candidates(struct work *w)
{
    struct packed *p = w->p;
    numel_str path = text_of("quant_method");
    struct value v;
    w->declared = config_has_quantization(w->config);
    if (!config_quantization(w->config, NULL, path, &v, w->error)) return false;
    if (v.kind == VALUE_TEXT && !(p->method = arena_text(w->arena, v.s.p, v.s.n)))
        return error_nomem(w->error);
    for (size_t i = 0; i < p->layout_count; i++) {
        bool yes = !w->declared;
        if (w->candidate_count == sizeof w->candidates / sizeof *w->candidates) break;
        struct layout_lists *lists = &w->lists[w->candidate_count];
        if (w->declared && (!layout_lists(p->layouts[i], w->config, &w->shelf, lists, w->arena, w->error) ||
                            !layout_declared(p->layouts[i], lists, w->config, &yes, w->arena, w->error)))
            return false;
        if (!w->declared && !packed_may_occur(&w->ends, p->layouts[i], w->config, &yes, w->arena, w->error))
            return false;
        if (!yes) continue;
        if (w->declared &&
            !layout_loader(p->layouts[i], w->config, &w->loaders[w->candidate_count], w->arena, w->error))
            return false;
        w->plain_values |= p->layouts[i]->plain_values;
        w->candidates[w->candidate_count++] = p->layouts[i];
    }
    w->numbered = layout_lists_number(&w->shelf);
    p->described = w->declared && w->candidate_count > 0;
    return true;
}

/* ---- forms of a size -------------------------------------------------------------------------- */

enum { SAID_OTHERWISE = 64 }; /* limit on compared entries of one size */

/* NULL if not found, or if out of memory. */
static struct sized *sized_find(struct work *w, const struct layout_module *m, bool declared)
{
    struct packed *p = w->p;
    unsigned other = 0;
    for (size_t i = p->sized_count; i-- && other < SAID_OTHERWISE;) {
        struct sized *s = &p->sized[i];
        bool same;
        if (s->out == m->out && s->in == m->in && s->over == m->over && s->declared == declared &&
            s->stack == m->stack && text_same(s->role, m->role) && s->lead_count == m->lead_count &&
            (!m->lead_count || s->lead[0] == m->lead[0])) {
            if (!witness_same(s->forms.asking.first, m->nearby, w->arena, &same, w->error)) return NULL;
            if (same) return s;
            other++;
        }
    }
    return NULL;
}

struct sized *packed_sized(struct work *w, const struct layout_module *m, enum packed_shape shape,
                           bool declared)
{
    struct packed *p = w->p;
    struct sized *s = sized_find(w, m, declared);
    if (s || !error_free(w->error)) return s;
    if (!declared && !w->possible.items &&
        !packed_possible(&w->possible, &w->ends, p->layouts, p->layout_count, w->config, w->arena, w->error))
        return NULL;
    struct layout **from = declared ? w->candidates : w->possible.items;
    size_t count = declared ? w->candidate_count : w->possible.count;
    if (!memory_grow(p->memory, (void **)&p->sized, &p->sized_cap, p->sized_count + 1, sizeof *p->sized,
                     w->error))
        return NULL;
    s = &p->sized[p->sized_count++];
    *s = (struct sized){ .role = m->role,
                         .out = m->out,
                         .in = m->in,
                         .lead = m->lead,
                         .lead_count = m->lead_count,
                         .stack = m->stack,
                         .over = m->over,
                         .declared = declared };
    for (size_t i = 0; i < count; i++)
        if (may_hold(from[i], shape) &&
            !layout_solve(&s->forms, from[i], w->config, declared, m, w->arena, w->error))
            return NULL;
    return s;
}

/* ---- choosing --------------------------------------------------------------------------------- */

static unsigned add_beside(numel_str *names, unsigned count, numel_str marked)
{
    for (unsigned i = 0; i < count; i++)
        if (text_same(names[i], marked)) return count;
    if (packed_is_itself(marked)) return count;
    names[count] = marked;
    return count + 1;
}

/* Counts the tensors that each form may claim: those whose names end like some in the file. The others are
 * missing for every row of this size. */
NUMEL_MUST static bool count_possible(struct work *w, struct sized *s, uint32_t row)
{
    numel_str *names = arena_alloc(w->arena, (RUN_BESIDE + 1) * sizeof *names);
    s->most = arena_alloc(w->arena, s->forms.count + 1);
    if (!s->most || !names) return error_nomem(w->error);
    for (size_t i = 0; i < s->forms.count; i++) {
        struct layout_form *f = &s->forms.items[i];
        unsigned n = 0;
        for (unsigned k = 0; k < f->count; k++) {
            bool occurs = packed_end_occurs(&w->ends, f->stored[k].name);
            n += occurs && f->stored[k].role != LAYOUT_BIAS;
            f->absent |= (uint64_t)!occurs << k;
            if (occurs && s->beside_count <= RUN_BESIDE)
                s->beside_count = add_beside(names, s->beside_count, f->stored[k].name);
        }
        s->most[i] = (uint8_t)n; /* at most LAYOUT_LINES */
    }
    for (const struct asked *x = s->forms.asking.first; x; x = x->next) {
        bool meta = x->function == FUNCTION_META;
        if (x->settled || (meta && !packed_meta_may(w->file, x->name, w->x->rows[row].name))) continue;
        s->reads |= x->function != FUNCTION_DIM;
        if (!meta && s->beside_count <= RUN_BESIDE)
            s->beside_count = add_beside(names, s->beside_count, x->name);
    }
    s->beside = names;
    return true;
}

struct best {
    const struct layout_form *form; /* NULL: the file has no tensor of any form */
    struct score score;
    uint32_t found[LAYOUT_LINES];
};

/* Fewer faults are better. On a tie of faulty forms without a declaration, a layout that other weights
 * prove is better; then the form that claims more. */
static bool is_better(const struct work *w, const struct layout_form *f, struct score this,
                      const struct best *best)
{
    if (!best->form) return true;
    if (this.cost != best->score.cost) return this.cost < best->score.cost;
    bool known = packed_proven(w, f->layout), rival = packed_proven(w, best->form->layout);
    if (this.cost && !w->declared && known != rival) return known;
    return this.claims > best->score.claims;
}

static void try_form(struct work *w, struct sized *s, size_t i, uint32_t row, struct best *best)
{
    uint32_t tensors[LAYOUT_LINES];
    const struct layout_form *f = &s->forms.items[i];
    if (best->form && best->score.cost == 0 && s->most[i] <= best->score.claims) return;
    struct score this = packed_score(w, f, row, best->form ? best->score.cost : UINT32_MAX, tensors);
    if (!this.claims || !is_better(w, f, this, best)) return;
    best->form = f;
    best->score = this;
    for (unsigned k = 0; k < f->count && k < LAYOUT_LINES; k++) best->found[k] = tensors[k];
    s->last = i;
}

/* At equal cost, the form that claims more wins, then the one with the preferred values, except that a
 * fitting form that won for a similar row before stays. */
static bool best_form(struct work *w, struct sized *s, uint32_t row, struct best *best)
{
    size_t last = s->last;
    best->form = NULL;
    if (!s->most && !count_possible(w, s, row)) return false;
    if (last < s->forms.count) try_form(w, s, last, row, best);
    if (best->form && best->score.cost)
        best->form = NULL; /* of several faulty forms the preferred one is reported */
    bool fits = best->form != NULL;
    for (size_t i = 0; i < s->forms.count; i++)
        if (i != last || !fits) try_form(w, s, i, row, best);
    return true;
}

/* In which respects the tensor with the row's own name is the weight. */
struct plain {
    bool there, shape, type;
};

static struct plain plain_of(const struct work *w, uint32_t row)
{
    const struct site *s = packed_site(w, row);
    uint32_t i = w->tensor[row];
    if (i == NAMES_ABSENT) return (struct plain){ 0 };
    const numel_tensor *t = &w->file->registry->tensors[i];
    return (struct plain){ true, packed_same_dims(s->dims, s->ndim, t->dims, t->ndim),
                           w->file->named || packed_plain_type(t) };
}

/* A faulty form wins if the plain tensor is faulty as well and does not have a weight's type, or if
 * another tensor of the form is next to it (bitsandbytes may store its bytes as floats). In addition, the
 * configuration must declare the layout, or other weights must prove it. Otherwise the tensor is unknown. */
static bool form_wins(const struct work *w, const struct layout_form *f, struct score found,
                      struct plain plain)
{
    unsigned cost = !(plain.shape && plain.type);
    if (found.cost == 0) return true;
    if (!w->faulty || (!w->declared && !packed_proven(w, f->layout))) return false;
    if (!plain.there || (w->declared && (!plain.type || found.claims > 1))) return true;
    return found.cost < cost || (found.cost == cost && !plain.type);
}

/* A weight with its own type and shape, but with tensors next to it, was left plain by a layout. The
 * configuration must name the layout, or other weights must prove it with the same sizes. */
static bool left_plain(const struct work *w, const struct layout_form *f, struct score found)
{
    return found.cost == 0 && (w->declared || (found.claims > 1 && packed_proven_so(w, f)));
}

bool packed_module(struct work *w, uint32_t row, struct layout_module *m)
{
    const struct site *s = packed_site(w, row);
    const struct line *line = &w->x->spec->lines[s->line];
    uint64_t out = s->dims[s->ndim - 2], in = s->dims[s->ndim - 1];
    bool turned = line->tensor && line->tensor->transposed;
    if (out > INT64_MAX || in > INT64_MAX || !out || !in) return false;
    *m = (struct layout_module){ .role = s->role,
                                 .out = (int64_t)(turned ? in : out),
                                 .in = (int64_t)(turned ? out : in),
                                 .lead = s->dims,
                                 .lead_count = s->ndim - 2,
                                 .stack = s->stack,
                                 .nearby = packed_nearby(w, row) };
    return true;
}

struct layout_word packed_listed(const struct work *w, numel_str module, enum packed_shape shape,
                                 struct layout_module *m)
{
    const char *class = shape == SHAPE_EMBEDDING ? "Embedding" : "Linear";
    struct layout_word all = { 0 };
    for (unsigned i = 0; w->declared && module.n && i < w->candidate_count; i++) {
        struct layout_word word = layout_word_of(w->candidates[i], &w->lists[i], module, class);
        if (word.over && !m->over) m->over = word.over;
        if (word.list && (!all.list || (word.plain && !all.plain))) all.list = word.list;
        all.plain |= word.plain;
        all.soft |= word.soft;
        all.outside |= word.outside;
        all.unkeyed |= word.unkeyed;
    }
    return all;
}

bool packed_said(struct work *w, uint32_t row, enum packed_shape shape, struct layout_module *m,
                 struct layout_word *said)
{
    numel_str module = layout_module_name(w->x->rows[row].name), written = { NULL, 0 };
    *said = packed_listed(w, module, shape, m);
    if (!w->declared) return true;
    struct sized *sized = packed_sized(w, m, shape, true);
    if (!sized) return false;
    for (size_t i = 0; i < sized->forms.count && !written.n; i++)
        written = packed_written(w, &sized->forms.items[i], row);
    if (!written.n || text_same(written, module)) return true;
    struct layout_word too = packed_listed(w, written, shape, m);
    if (too.plain && !said->plain) said->list = too.list;
    said->plain |= too.plain;
    said->outside &= too.outside;
    said->unkeyed &= too.unkeyed;
    return true;
}

/* The layout's first fitting form with the most tensors; NULL if none fits. */
static const struct layout_form *fitting_of(struct work *w, const struct sized *s, uint32_t row,
                                            const struct layout *l)
{
    const struct layout_form *best = NULL;
    uint32_t found[LAYOUT_LINES];
    unsigned most = 0;
    for (size_t i = 0; i < s->forms.count; i++) {
        const struct layout_form *f = &s->forms.items[i];
        struct score score = { 1, 0 };
        if (f->layout == l) score = packed_score(w, f, row, 0, found);
        if (score.cost == 0 && score.claims > most) best = f, most = score.claims;
    }
    return best;
}

bool packed_fitting(struct work *w, uint32_t row, const struct layout_module *m, enum packed_shape shape,
                    const struct layout *first, const struct layout_form **out)
{
    struct best best;
    struct sized *sized = packed_sized(w, m, shape, false);
    if (!sized) return false;
    if ((*out = fitting_of(w, sized, row, first))) return true;
    if (!best_form(w, sized, row, &best)) return false;
    *out = best.form && !best.score.cost ? best.form : NULL;
    return true;
}

NUMEL_MUST static bool decide(struct work *w, uint32_t row, enum packed_shape shape, struct plain plain)
{
    bool fits = plain.shape && plain.type;
    struct layout_module m;
    struct layout_word said;
    struct best best;
    if (!packed_module(w, row, &m)) return true;
    if (!packed_said(w, row, shape, &m, &said)) return false;
    struct sized *sized = packed_sized(w, &m, shape, w->declared);
    if (!sized || !best_form(w, sized, row, &best)) return false;
    const struct layout_form *f = best.form;
    if (f && !(fits ? left_plain(w, f, best.score) : form_wins(w, f, best.score, plain))) f = NULL;
    if (f) {
        w->p->rows[row].sized = (uint32_t)(sized - w->p->sized);
        if (!packed_claim(w, f, row, best.found)) return false;
        if (best.score.cost && !packed_ask_shapes(w, row, &m, shape, f)) return false;
        if ((said.plain || said.outside) && !packed_note_listed(w, row, said)) return false;
    }
    packed_run_begin(w, &w->run, row, shape, sized, f, best.found);
    return true;
}

NUMEL_MUST static bool look_at(struct work *w, uint32_t row, enum packed_shape shape)
{
    if (w->p->rows[row].form) return true;
    if (packed_run_goes_on(w, &w->run, row)) {
        if (w->run.form) packed_run_claim(w, &w->run, row);
        return true;
    }
    struct plain plain = plain_of(w, row);
    bool fits = plain.shape && plain.type;
    if (fits && !w->file->named && (!w->plain_values || (!w->declared && !w->faulty))) return true;
    return decide(w, row, shape, plain);
}

/* Looks for forms without faults first; otherwise a faulty form might claim their tensors. */
static bool look_at_all(struct work *w)
{
    for (int turn = 0; turn < 2; turn++) {
        w->faulty = turn == 1;
        w->run.site = NULL;
        for (size_t i = 0; i < w->x->site_count; i++) {
            const struct site *s = &w->x->sites[i];
            enum packed_shape shape = packed_shape_of(s, w->x->rows[s->first_row].name);
            for (uint32_t k = 0; shape != SHAPE_OTHER && k < s->rows; k++)
                if (!look_at(w, s->first_row + k, shape)) return false;
        }
    }
    return true;
}

/* ---- the whole -------------------------------------------------------------------------------- */

NUMEL_MUST static bool tables(struct work *w)
{
    struct packed *p = w->p;
    size_t rows = w->x->row_count, tensors = w->file->registry->count;
    p->rows = arena_alloc(w->arena, (rows + 1) * sizeof *p->rows);
    p->tensors = arena_alloc(w->arena, (tensors + 1) * sizeof *p->tensors);
    if (!p->rows || !p->tensors) return error_nomem(w->error);
    for (size_t i = 0; i <= rows; i++) p->rows[i] = (struct packed_row){ .value = NAMES_ABSENT };
    for (size_t i = 0; i <= tensors; i++) p->tensors[i] = (struct packed_tensor){ .row = NAMES_ABSENT };
    return true;
}

/* True if a tensor is not a plain weight; otherwise nothing can be packed. */
static bool needed(const struct work *w)
{
    if (config_has_quantization(w->config)) return true;
    for (size_t i = 0; i < w->file->registry->count; i++)
        if (!packed_plain_type(&w->file->registry->tensors[i])) return true;
    return false;
}

static void count_forms(struct work *w)
{
    struct packed *p = w->p;
    uint64_t most = 0, n = 0;
    const struct layout_form *last = NULL;
    for (uint32_t r = 0; r < w->x->row_count; r++) { /* a file mostly consists of runs of similar modules */
        const struct layout_form *f = p->rows[r].form;
        if (!f) continue;
        n = last && strcmp(f->choice, last->choice) == 0 && f->layout == last->layout ? n + 1 : 1;
        last = f;
        if (n > most) most = n, p->most = f;
    }
}

/* True if none of the configuration's layouts would pack this weight, because of the roles they skip or a
 * `plain` line. */
static bool leaves(const struct work *w, const struct sized *s, enum packed_shape shape)
{
    for (unsigned i = 0; i < w->candidate_count; i++) {
        const struct layout *l = w->candidates[i];
        bool plain = l->plain_count && !s->forms.count;
        if (may_hold(l, shape) && !plain && !packed_keeps(l, s->role)) return false;
    }
    return true;
}

/* Sets *yes if nothing is packed and nothing should be: a writer may not find any suitable weight. */
static bool all_left(struct work *w, bool *yes)
{
    *yes = true;
    for (uint32_t r = 0; r < w->x->row_count && *yes; r++) {
        enum packed_shape shape = packed_shape_of(packed_site(w, r), w->x->rows[r].name);
        struct layout_module m;
        struct layout_word said;
        if (shape == SHAPE_OTHER || packed_site(w, r)->tied || !packed_module(w, r, &m)) continue;
        if (!packed_said(w, r, shape, &m, &said)) return false;
        bool left = said.plain || said.outside;
        const struct sized *s = left ? NULL : packed_sized(w, &m, shape, true);
        if (!left && !s) return false;
        *yes = !s || leaves(w, s, shape);
    }
    return true;
}

/* No weight has the configuration's layout, so tries all others. */
NUMEL_MUST static bool look_beyond(struct work *w)
{
    struct packed *p = w->p;
    const char *method = p->method ? p->method : "?";
    w->declared = false;
    w->candidate_count = 0;
    for (size_t i = 0; i < p->layout_count && i < sizeof w->candidates / sizeof *w->candidates; i++)
        w->candidates[w->candidate_count++] = p->layouts[i];
    if (!look_at_all(w) || !packed_all_share(w) || !packed_all_or_none(w) || !packed_tell_otherwise(w))
        return false;
    count_forms(w);
    const struct layout_form *f = p->most;
    return packed_contradict(
        w, NAMES_ABSENT,
        f ? arena_format(
                w->arena,
                "the configuration says quant_method %.60s, but by their shapes the weights are %s (%s)",
                method, f->layout->name, f->choice)
          : arena_format(w->arena,
                         "the configuration says quant_method %.60s, but no weight is stored that way",
                         method));
}

/* Sets *yes if only caches for keys and values are quantized, at run time. */
NUMEL_MUST static bool is_of_caches(struct work *w, bool *yes)
{
    static const char *const keys[] = { "kv_cache_quant_algo", "kv_cache_scheme" };
    struct value v;
    *yes = false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !*yes; i++) {
        if (!config_quantization(w->config, NULL, text_of(keys[i]), &v, w->error)) return false;
        *yes = v.kind != VALUE_NULL;
    }
    return true;
}

/* A method whose layout is unknown still stores some weights differently. If all are plain, they
 * contradict it. */
NUMEL_MUST static bool tell_unknown(struct work *w)
{
    bool caches, any = false;
    if (!w->declared || w->candidate_count || !w->p->method) return true;
    for (uint32_t r = 0; r < w->x->row_count; r++) {
        const struct site *s = packed_site(w, r);
        enum packed_shape shape = packed_shape_of(s, w->x->rows[r].name);
        if (shape == SHAPE_OTHER || s->tied || !s->counted) continue;
        if (w->tensor[r] == NAMES_ABSENT || !packed_plain_type(&w->file->registry->tensors[w->tensor[r]]))
            return true;
        any |= shape == SHAPE_LINEAR;
    }
    if (!any) return true;
    if (!is_of_caches(w, &caches)) return false;
    return caches ||
           packed_contradict(
               w, NAMES_ABSENT,
               arena_format(
                   w->arena,
                   "the configuration says quant_method %.60s, but all weights are stored unquantized",
                   w->p->method));
}

/* config.json and a file next to it contradict each other about the same weights. */
NUMEL_MUST static bool tell_differing(struct work *w)
{
    char a[VALUE_SHOW], b[VALUE_SHOW];
    const char *key;
    struct value here, there;
    if (!config_quantization_differs(w->config, &key, &here, &there, w->error)) return false;
    return !key || packed_contradict(
                       w, NAMES_ABSENT,
                       arena_format(w->arena, "config.json says %s %s, but the quantizer's own file says %s",
                                    key, value_show(a, &here), value_show(b, &there)));
}

bool packed_make(struct packed *p, const struct expansion *x, struct config *c, struct library *library,
                 const struct packed_file *file, const uint32_t *own, const uint32_t *tensor, struct arena *a,
                 numel_error *e)
{
    struct work w = {
        .p = p, .x = x, .config = c, .file = file, .own = own, .tensor = tensor, .arena = a, .error = e
    };
    *p = (struct packed){ .memory = a->memory };
    w.ends.registry = file->registry;
    w.ends.arena = a;
    w.bytes_of = NAMES_ABSENT;
    if (!tables(&w)) return false;
    if (!library) return true;
    if (!needed(&w)) return packed_tell_told(&w);
    bool ok = packed_layouts(p, library, e) && packed_candidates(&w);
    if (w.candidate_count)
        ok = ok && look_at_all(&w) && packed_all_share(&w) && packed_all_or_none(&w) && packed_means(&w) &&
             packed_extras(&w) && packed_tell_otherwise(&w) && packed_tell_listed(&w) && packed_tell_left(&w);
    bool none = false;
    if (ok && p->described && p->modules + p->left == 0)
        ok = all_left(&w, &none) && (none || look_beyond(&w));
    if (ok) count_forms(&w);
    ok = ok && tell_unknown(&w) && packed_tell_told(&w) && tell_differing(&w) && packed_find_several(&w);
    memory_release(p->memory, w.otherwise);
    if (!ok) packed_done(p);
    return ok;
}

void packed_done(struct packed *p)
{
    for (size_t i = 0; i < p->sized_count; i++) memory_release(p->memory, p->sized[i].forms.items);
    if (p->memory) {
        memory_release(p->memory, p->sized);
        memory_release(p->memory, p->faults);
    }
    p->sized_count = p->layout_count = p->fault_count = 0;
    p->sized = NULL;
    p->faults = NULL;
}

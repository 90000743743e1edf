/*
 * nearest_report.c -- numel.nearest/1: the checkpoints in a folder that are most similar to a given one.
 *
 *     checkpoint  tensors  the same  elements  values          what differs
 *     base             21        21   100.0 %  14 of 16 equal, 16 alike
 *     other            21        19    88.1 %   0 of 16 equal  2 of another vocabulary
 */
#include "diff/nearest.h"

#include "base/border.h"
#include "base/text.h"
#include "page/report.h"
#include "reader/walk.h"
#include "reporter/handles.h"
#include "source/stream.h"

enum { SHOWN = 20, NEAR = 500 };

struct nearest_report {
    const char *path, *dir;
    struct nearest items[NEAREST_KEPT + 1];
    size_t count, shown;
    uint64_t compared, unreadable;
    const char *verdict;
};

struct nearing {
    struct numel_report *out;
    struct nearest_report *r;
    struct nearest_of of;
    struct file_identity itself;
    bool known, values;
    const numel_options *options;
    numel_error *error;
};

/* ---- comparing ---------------------------------------------------------------------------- */

static void keep(struct nearest_report *r, const struct nearest *x)
{
    size_t at = r->count;
    while (at > 0 && nearest_order(x, &r->items[at - 1]) < 0) at--;
    if (at == NEAREST_KEPT) return;
    if (r->count < NEAREST_KEPT) r->count++;
    for (size_t i = r->count - 1; i > at && i < NEAREST_KEPT; i--) r->items[i] = r->items[i - 1];
    r->items[at] = *x;
}

/* Is it the given checkpoint itself? */
static bool is_itself(const struct nearing *n, const numel_checkpoint *ck)
{
    struct file_identity other;
    return n->known && ck->file_count && identity_of(ck->files[0].path, &other) &&
           identity_same(&n->itself, &other);
}

NUMEL_MUST static bool compare(struct nearing *n, const struct walk_item *item)
{
    struct nearest x = { .tensors = 0 };
    numel_checkpoint *ck;
    numel_error why = { .code = NUMEL_OK };
    if (numel_open(&ck, item->found, item->i, n->options, &why) != NUMEL_OK) {
        n->r->unreadable++;
        return why.code != NUMEL_E_NOMEM || error_nomem(n->error);
    }
    bool ok = is_itself(n, ck) || nearest_compare(&x, &n->of, ck, n->values, &why);
    bool own = x.tensors == 0 && is_itself(n, ck);
    numel_free(ck);
    if (!ok) n->r->unreadable++;
    if (!ok) return why.code != NUMEL_E_NOMEM || error_nomem(n->error);
    if (own) return true;
    n->r->compared++;
    if (!x.same) return true;
    x.path = arena_text(&n->out->arena, item->name.p, item->name.n);
    if (!x.path) return error_nomem(n->error);
    keep(n->r, &x);
    return true;
}

NUMEL_MUST static bool walk_all(struct nearing *n)
{
    struct walk *w;
    struct walk_item item;
    bool more = true;
    if (!walk_open(&w, true, n->options, n->error)) return false;
    bool ok = walk_begin(w, n->r->dir, n->error);
    while (ok && (ok = walk_next(w, &item, &more, n->error)) && more) {
        if (!item.place) n->r->unreadable++;
        else if (!item.again) ok = compare(n, &item);
        walk_release(item.place);
    }
    walk_close(w);
    return ok;
}

/* ---- words -------------------------------------------------------------------------------- */

static void add_count(struct buffer *b, uint64_t n, const char *what)
{
    char count[TEXT_COUNT];
    if (n) buffer_format(b, "%s%s %s", b->n ? ", " : "", text_count(count, n, "tensor"), what);
}

NUMEL_MUST static const char *note(const struct nearest *x, struct arena *a)
{
    struct buffer b;
    buffer_init(&b, a->memory);
    add_count(&b, x->vocabulary, "of another vocabulary");
    add_count(&b, x->reshaped, "of another shape");
    add_count(&b, x->lacking, "that it lacks");
    add_count(&b, x->more, "that it has besides");
    if (!b.n) buffer_text(&b, "the same names and shapes");
    add_count(&b, x->undecoded, "of blocks, whose numbers are not read");
    return buffer_keep(&b, a);
}

NUMEL_MUST static const char *verdict(const struct nearest_report *r, struct arena *a)
{
    char count[TEXT_COUNT], path[TEXT_QUOTE];
    text_count(count, r->compared, "checkpoint");
    if (!r->count || r->items[0].share < NEAR) return arena_format(a, "none of %s is near", count);
    text_bare(path, text_of(r->items[0].path));
    bool tie = r->count > 1 && r->items[1].alike == r->items[0].alike &&
               r->items[1].equal == r->items[0].equal && r->items[1].share == r->items[0].share &&
               r->items[1].unlike == r->items[0].unlike;
    bool named = r->items[0].unlike || (r->items[0].undecoded && !r->items[0].alike);
    return arena_format(a, "nearest of %s%s: %s%s%s", count, named ? " by names and shapes" : "", path,
                        tie ? ", and others as near" : "",
                        r->items[0].unlike ? "; its values are not like those" : "");
}

/* ---- sections ----------------------------------------------------------------------------- */

static const struct table head_table =
    TABLE(NULL, NULL, SECTION_FIELDS, 0, NULL, { "path", "", 0, AT(CELL_STR, struct nearest_report, path) },
          { "dir", NULL, 0, AT(CELL_STR, struct nearest_report, dir) },
          { "compared", NULL, 0, AT(CELL_COUNT, struct nearest_report, compared) },
          { "unreadable", NULL, 0, AT(CELL_COUNT, struct nearest_report, unreadable) });

static const struct table table =
    TABLE("nearest", "", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, NULL,
          { "path", "checkpoint", COLUMN_NAME, AT(CELL_STR, struct nearest, path) },
          { "tensors", "tensors", COLUMN_RIGHT, AT(CELL_COUNT, struct nearest, tensors) },
          { "same", "same", COLUMN_RIGHT, AT(CELL_COUNT, struct nearest, same) },
          { "elements", "elements", COLUMN_RIGHT, AT(CELL_COUNT, struct nearest, elements) },
          { "thousandths", "per mille", COLUMN_RIGHT, AT(CELL_COUNT, struct nearest, share) },
          { "vocabulary", NULL, 0, AT(CELL_COUNT, struct nearest, vocabulary) },
          { "reshaped", NULL, 0, AT(CELL_COUNT, struct nearest, reshaped) },
          { "lacking", NULL, 0, AT(CELL_COUNT, struct nearest, lacking) },
          { "more", NULL, 0, AT(CELL_COUNT, struct nearest, more) },
          { "sampled", "read", COLUMN_RIGHT, AT(CELL_COUNT, struct nearest, sampled) },
          { "equal", "equal", COLUMN_RIGHT, AT(CELL_COUNT, struct nearest, equal) },
          { "alike", "alike", COLUMN_RIGHT, AT(CELL_COUNT, struct nearest, alike) },
          { "undecoded", NULL, 0, AT(CELL_COUNT, struct nearest, undecoded) },
          { NULL, "what differs", COLUMN_NOTE, AT(CELL_TEXT, struct nearest, note) });

static const struct table verdict_table = TABLE(
    NULL, "", SECTION_FIELDS, 0, NULL, { NULL, "verdict", 0, AT(CELL_TEXT, struct nearest_report, verdict) });

static void add_sections(struct numel_report *out, struct nearest_report *r)
{
    report_one(out, &head_table, r);
    report_list(out, &table, ROWS(r->items, r->shown), NULL);
    report_one(out, &verdict_table, r);
}

NUMEL_MUST static bool make_texts(struct nearing *n)
{
    struct nearest_report *r = n->r;
    struct arena *a = &n->out->arena;
    for (size_t i = 0; i < r->shown; i++)
        if (!(r->items[i].note = note(&r->items[i], a))) return error_nomem(n->error);
    r->verdict = verdict(r, a);
    return r->verdict || error_nomem(n->error);
}

/* A configuration that cannot be used is ignored; names and shapes are compared anyway. */
NUMEL_MUST static bool walk_near(struct nearing *n, const numel_checkpoint *ck)
{
    numel_error why = { .code = NUMEL_OK };
    struct handle *model = handle_new(ck, NULL, NULL, true, n->options->allocator, n->error);
    if (!model) return false;
    bool ok = handle_model(model, &why) || why.code != NUMEL_E_NOMEM || error_nomem(n->error);
    ok = ok && nearest_open(&n->of, model, n->error);
    ok = ok && walk_all(n);
    nearest_close(&n->of);
    handle_free(model);
    return ok;
}

NUMEL_MUST static bool make_nearest(struct nearing *n, const numel_checkpoint *ck, const char *dir, bool all)
{
    struct nearest_report *r = n->r = arena_alloc(&n->out->arena, sizeof *r);
    if (!r) return error_nomem(n->error);
    *r = (struct nearest_report){ .path = arena_text(&n->out->arena, ck->path, strlen(ck->path)),
                                  .dir = arena_text(&n->out->arena, dir, strlen(dir)) };
    if (!r->path || !r->dir) return error_nomem(n->error);
    n->known = ck->file_count && identity_of(ck->files[0].path, &n->itself);
    bool ok = walk_near(n, ck);
    r->shown = all || r->count < SHOWN ? r->count : SHOWN;
    if (!ok || !make_texts(n)) return false;
    n->out->quiet_text = r->count ? r->items[0].path : "";
    n->out->disagrees = !r->count || r->items[0].share < NEAR;
    n->out->unreadable = (size_t)r->unreadable;
    add_sections(n->out, r);
    return true;
}

numel_rc numel_report_nearest(numel_report **out, numel_subject *s, const char *folder, bool values,
                              const numel_view *view, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    numel_view seen;
    *out = NULL;
    if (!border_view(&seen, view, e) || !subject_opened(s, e)) return e->code;
    *out = report_new(s->options.allocator, "numel.nearest/1", e);
    struct nearing n = { .out = *out, .options = &s->options, .values = values, .error = e };
    return report_made(out, *out && make_nearest(&n, s->ck, folder, seen.all), e);
}

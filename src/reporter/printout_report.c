/*
 * printout_report.c -- the report of a printout, alone or compared with the model of a path.
 *
 *     module                          printed           held  class
 *     model.embed_tokens          131,072,000    131,072,000  Embedding
 *     model.layers.[0-31]       6,476,005,376  6,476,267,520  LlamaDecoderLayer
 *       self_attn.q_proj          536,870,912    536,870,912  Linear
 *       input_layernorm                              131,072  LlamaRMSNorm, prints no size
 *
 * Then comes what the printout cannot show, and the account of printed_account.h.
 */
#include "reporter/printout_report.h"

#include "base/border.h"
#include "base/num.h"
#include "base/text.h"
#include "reporter/handles.h"
#include "reporter/sections.h"

enum { COMPARED = 8 }; /* at most this many printouts are compared with the path */

struct figure table_count(const struct summary *x)
{
    return x->rounded && x->total_known ? x->total : x->sum;
}

static bool table_meets(const struct summary *x, uint64_t n)
{
    struct figure f = table_count(x);
    return n >= f.low && n <= f.high;
}

const struct summary *chosen_table(const struct printout_report *r)
{
    const struct printout *p = &r->p;
    if (p->print_count || !p->summary_count) return NULL;
    for (size_t i = 0; r->c && i < p->summary_count; i++)
        if (table_meets(&p->summaries[i], r->held.parameters)) return &p->summaries[i];
    return &p->summaries[0];
}

const struct printed *chosen_print(const struct printout_report *r)
{
    return r->p.print_count ? &r->p.prints[r->chosen] : NULL;
}

/* ---- the verdict -------------------------------------------------------------------------- */

/* The verdict on tables. They have no names to look up, so only sums are compared. */
NUMEL_MUST static const char *verdict_of_table(const struct printout_report *r, struct arena *a)
{
    char n[TEXT_NUMBER], m[TEXT_NUMBER], k[TEXT_NUMBER];
    const struct summary *t = chosen_table(r);
    struct figure f = table_count(t);
    bool same = r->c && table_meets(t, r->held.parameters);
    if (!r->c)
        return t->rounded ? "the numbers are rounded; the tensors behind each row are unknown"
                          : "rows are counted; the tensors behind each row are unknown";
    if (t->rounded)
        return arena_format(a, "%s: the table says %s to %s, the model has %s parameters",
                            same ? "agrees within rounding" : "differs", text_number(n, f.low),
                            text_number(k, f.high), text_number(m, r->held.parameters));
    return arena_format(a, "%s: the rows add up to %s, the model has %s parameters",
                        same ? "agrees" : "differs", text_number(n, t->elements),
                        text_number(m, r->held.parameters));
}

/* "60.5 M: 60,492,125 to 60,492,375" */
NUMEL_MUST static bool tell_printed(struct printout_report *r, struct arena *a, numel_error *e)
{
    char low[TEXT_NUMBER], high[TEXT_NUMBER], total[TEXT_QUOTE];
    const struct summary *t = chosen_table(r);
    if (!t || !t->rounded) return true;
    struct figure f = table_count(t);
    if (t->total_known) text_bare(total, t->total_text);
    else text_number(total, f.nominal);
    r->printed = arena_format(a, "%s: %s to %s%s", total, text_number(low, f.low), text_number(high, f.high),
                              t->sized ? ", by the size in MB" : "");
    return r->printed || error_nomem(e);
}

/* "differs: 809,533,440 printed, not held; 4,096 held, not printed" */
static const char *differences(const struct printed_account *x, struct arena *a)
{
    const char *text = "differs";
    char n[TEXT_NUMBER];
    bool first = true;
    for (size_t i = 0; i < x->tally.count && text; i++) {
        const struct tally_line *l = x->tally.lines[i];
        int64_t v = l->elements;
        if (l->explains) continue;
        text = arena_format(a, "%s%s%s %s", text, first ? ": " : "; ", text_number(n, num_size(v)), l->cause);
        first = false;
    }
    return text;
}

NUMEL_MUST static const char *verdict_of(const struct printout_report *r, struct arena *a)
{
    char n[TEXT_NUMBER];
    if (chosen_table(r)) return verdict_of_table(r, a);
    const struct printed_account *x = &r->account;
    if (!r->c && chosen_print(r)->cut && chosen_print(r)->loose)
        return arena_format(a,
                            "%s by the brackets: lines are missing, and without indentation there is "
                            "no telling where",
                            text_number(n, chosen_print(r)->elements));
    if (!r->c && chosen_print(r)->cut)
        return arena_format(a, "at least %s: the printout is incomplete",
                            text_number(n, chosen_print(r)->elements));
    if (!r->c && x->bound)
        return arena_format(a, "at least %s: modules that print no size are not counted",
                            text_number(n, chosen_print(r)->elements));
    if (!r->c) return "every printed module shows its size";
    if (!x->agrees) return differences(x, a);
    if (x->unseen_tensors == 0) return "agrees: the printout shows every parameter of the model";
    return arena_format(
        a, "agrees: all that the printout counts is in the model; %s parameters are not visible in it",
        text_number(n, x->unseen_elements));
}

/* ---- the report --------------------------------------------------------------------------- */

/* Chooses one of several printouts: the one that matches most of the path's tensors; without a path, the
 * largest. */
NUMEL_MUST static bool choose(struct printout_report *r, struct arena *a, numel_error *e)
{
    size_t n = r->p.print_count < COMPARED ? r->p.print_count : COMPARED;
    for (size_t i = 0; i < n; i++) {
        struct printed_beside b;
        const struct printed *x = &r->p.prints[i];
        if (!printed_beside_make(&b, &r->p, x, r->c ? &r->held : NULL, a, e)) return false;
        bool better = r->c ? b.resolved > r->b.resolved : x->elements > chosen_print(r)->elements;
        if (i && !better) continue;
        r->b = b;
        r->chosen = i;
    }
    return true;
}

NUMEL_MUST static bool count(struct printout_report *r, bool rows, struct arena *a, numel_error *e)
{
    r->account.agrees = true;
    if (!r->p.print_count) {
        r->verdict = verdict_of(r, a);
        r->account.agrees = !r->c || table_meets(chosen_table(r), r->held.parameters);
        return (r->verdict || error_nomem(e)) && tell_printed(r, a, e);
    }
    if (!choose(r, a, e) || (rows && !printed_rows_make(&r->rows, &r->b, a, e)) ||
        !printed_account_make(&r->account, &r->b, a, e) || !stated_rows_make(&r->stated, &r->b, a, e))
        return false;
    const struct printed *x = chosen_print(r);
    char modules[TEXT_COUNT];
    r->what = arena_format(a, "lines %" PRIu32 " to %" PRIu32 ", %s", x->first_line, x->last_line,
                           text_count(modules, x->end - x->module, "module"));
    r->verdict = verdict_of(r, a);
    return (r->what && r->verdict) || error_nomem(e);
}

static void done(void *ctx)
{
    struct printout_report *r = ctx;
    memory_release(r->p.arena.memory, r->rows.items);
    printout_done(&r->p);
}

/* Collects what the path holds. A configuration without a checkpoint must determine what to expect. */
NUMEL_MUST static bool take_path(struct printout_report *r, struct arena *a, numel_error *e)
{
    if (!r->c) return true;
    if (!report_ready(r->c, e)) return false;
    if (!r->c->ck && !r->c->model->x) {
        *e = r->c->model->why;
        return error_set(e, NUMEL_E_CONFIG, NUMEL_NOWHERE, "no configuration of a known architecture");
    }
    r->path = r->c->path;
    if (!holdings_make(&r->held, r->c, a, e)) return false;
    r->architecture = r->c->model->x ? architecture_line(r->c->model) : NULL;
    return !r->c->model->arena.failed || error_nomem(e);
}

NUMEL_MUST static bool make(struct numel_report *out, struct handle *c, const numel_printout *text,
                            const numel_view *view, numel_error *e)
{
    bool rows = !view->totals, all = view->all;
    struct printout_report *r = arena_alloc(&out->arena, sizeof *r);
    if (!r) return error_nomem(e);
    *r = (struct printout_report){ .name = arena_text(&out->arena, text->name, strlen(text->name)),
                                   .report = out,
                                   .c = c };
    arena_init(&r->p.arena, out->arena.memory);
    buffer_init(&r->p.text, out->arena.memory);
    out->done = done;
    out->done_ctx = r;
    if (!r->name) return error_nomem(e);
    if (!printout_read(&r->p, text->text, text->bytes, out->arena.memory, e)) {
        error_file(e, text->name);
        return false;
    }
    if (!r->p.print_count && !r->p.summary_count) {
        error_set(e, NUMEL_E_FORMAT, NUMEL_NOWHERE,
                  "contains no printed model: the output of print(model) begins like 'LlamaForCausalLM('");
        error_file(e, text->name);
        return false;
    }
    if (!take_path(r, &out->arena, e) || !count(r, rows, &out->arena, e)) return false;
    out->disagrees = !r->account.agrees;
    for (size_t i = 0; i < r->p.remark_count; i++) out->disagrees |= !r->p.remarks[i].harmless;
    for (size_t i = 0; i < r->p.summary_count; i++) out->disagrees |= !r->p.summaries[i].agrees;
    out->quiet = chosen_print(r) ? chosen_print(r)->elements : table_count(chosen_table(r)).nominal;
    printout_sections(out, r, all);
    return true;
}

numel_rc numel_report_printout(numel_report **out, numel_subject *s, const numel_printout *text,
                               const numel_view *view, const numel_options *options, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    numel_printout own;
    numel_view seen;
    numel_options given;
    *out = NULL;
    if (!border_printout(&own, text, e) || !border_view(&seen, view, e) ||
        !border_options(&given, options, e))
        return e->code;
    struct handle *c = s ? subject_model(s, e) : NULL;
    if (s && !c) return e->code;
    *out = report_new(c ? c->memory : given.allocator, "numel.printout/1", e);
    return report_made(out, *out && make(*out, c, &own, &seen, e), e);
}

/* verify_report.c -- numel.verify/1: runs the levels, and makes a page of their findings. */
#include "reporter/judgement_section.h"
#include "reporter/expect.h"
#include "reporter/handles.h"
#include "reporter/components_words.h"
#include "subject/parts.h"
#include "reporter/sections.h"

#include "base/border.h"
#include "reader/remote.h"
#include "base/text.h"
#include "subject/loaders.h"

struct verify_page {
    struct verify v; /* first: split() casts it back to the page */
    struct numel_report *out;
    bool judged;
};

static void done(void *ctx) { verify_done(&((struct verify_page *)ctx)->v); }

/* Collects an adapter's complaints, about its configuration and its base, and what loaders object to. */
NUMEL_MUST static bool ready(struct handle *c, struct model_faults *out, numel_error *e)
{
    const struct adapter *a = adapter_of(c, e);
    const struct causes *loaders;
    if (!a || !handle_ready(c, e) || !(loaders = loaders_of(c, e))) return false;
    size_t n = 0, most = a->complaint_count + a->note_count + loaders->count;
    struct model_fault *f = arena_alloc(&c->arena, (most + 1) * sizeof *f);
    if (!f) return error_nomem(e);
    for (size_t i = 0; i < a->complaint_count; i++)
        f[n++] = (struct model_fault){ a->complaint_rules[i], a->complaints[i] };
    for (size_t i = 0; i < a->note_count; i++) f[n++] = (struct model_fault){ a->note_rules[i], a->notes[i] };
    for (size_t i = 0; i < loaders->count; i++)
        if (loaders->items[i].state == NUMEL_STATE_DISAGREES &&
            loaders_rule(loaders->items[i].code, &f[n].rule))
            f[n++].text = loaders->items[i].text;
    *out = (struct model_faults){ f, n, a->proven };
    return true;
}

static void split_done(struct verify_split *s)
{
    for (size_t i = 0; i < s->count; i++) handle_free(s->models[i]);
    single_close(s->own);
}

/* Makes the models of a single file ready. After a failure, split() frees those in `out`. */
NUMEL_MUST static bool make_models(struct verify *v, struct verify_split *out, const struct single_parts *p,
                                   numel_error *e)
{
    out->models = arena_alloc(v->arena, (p->models + 1) * sizeof *out->models);
    if (!out->models) return error_nomem(e);
    for (size_t i = 0; i < p->models; i++) {
        struct handle *c = handle_new(p->items[i].ck, NULL, NULL, true, v->arena->memory, e);
        if (!c) return false;
        out->models[out->count++] = c;
        if (!handle_ready(c, e)) return false;
    }
    for (size_t i = p->models; i < p->count; i++)
        if (p->items[i].kind == SINGLE_UNKNOWN) out->unknown = p->items[i].ck;
    return true;
}

NUMEL_MUST static bool judge_parts(struct numel_report *out, const struct verify *v,
                                   const struct single_parts *parts, numel_error *e)
{
    numel_judgement j;
    struct components c;
    return components_of_parts(&c, parts, &out->arena, e) &&
           components_judged(&j, &c, &v->knowledge, v->options, &out->arena, e) &&
           judgement_section(out, &j, e);
}

NUMEL_MUST static bool split(struct verify *v, struct verify_split *out, numel_error *e)
{
    struct single_parts *parts;
    if (!parts_open(&parts, v->ck, &v->knowledge, v->options->allocator, e)) return false;
    if (!parts) return true;
    out->own = parts;
    struct verify_page *page = (struct verify_page *)v;
    page->judged = judge_parts(page->out, v, parts, e);
    if (page->judged && make_models(v, out, parts, e)) return out->done = split_done, true;
    split_done(out);
    return false;
}

/* Findings that --strict counts as errors although nothing is missing. */
const char *verify_review_words(struct arena *a, uint64_t findings)
{
    char n[TEXT_COUNT];
    if (!findings) return "";
    return arena_format(a, "; %s to review before it is loaded", text_count(n, findings, "finding"));
}

/* Expectations are compared with the checkpoint as other commands open it. If it cannot be opened, only
 * findings are reported. */
NUMEL_MUST static bool add_expected(struct numel_report *out, const struct verify *v, numel_subject *s,
                                    numel_error *e)
{
    const numel_check *k = v->check;
    if (!k->expect_count) return true;
    if (!subject_opened(s, e) && e->code != NUMEL_E_NOMEM) {
        error_clear(e);
        return true;
    }
    struct handle *c = error_free(e) ? subject_stored(s, e) : NULL;
    return c && expect_section(out, c, k->expects, k->expect_count, e);
}

/* Levels below `config` make no model, so nothing is judged. For several models in one file, split() has
 * judged. */
NUMEL_MUST static bool add_judgement(struct verify_page *p, numel_error *e)
{
    if (p->judged) return true;
    return p->v.model ? judged_section(p->out, p->v.model, e) : judgement_section(p->out, NULL, e);
}

NUMEL_MUST static bool make_verify(struct numel_report *out, numel_subject *s, const numel_check *check,
                                   numel_error *e)
{
    struct verify_page *page = arena_alloc(&out->arena, sizeof *page);
    struct verify *v = page ? &page->v : NULL;
    struct border_check *own = arena_alloc(&out->arena, sizeof *own);
    if (!v || !own) return error_nomem(e);
    *page = (struct verify_page){
        .out = out,
    };
    *v = (struct verify){ .found = s->found,
                          .set = &s->found->sets[s->at],
                          .options = &s->options,
                          .check = &own->check,
                          .knowledge = s->knowledge,
                          .ready = ready,
                          .split = split,
                          .error = e };
    out->done = done;
    out->done_ctx = page;
    out->quiet_nothing = true;
    if (!border_check(own, check, e)) return false;
    v->knowledge.values |= own->check.values;
    return verify_run(v, &out->arena) && add_judgement(page, e) && verify_sections(out, v, e) &&
           add_expected(out, v, s, e);
}

/* Of remote files there are only headers. */
NUMEL_MUST static bool is_readable(const numel_subject *s, const numel_check *check, numel_error *e)
{
    struct border_check own;
    if (!s->found->remote) return true;
    if (!border_check(&own, check, e)) return false;
    const char *what = own.check.level == NUMEL_LEVEL_HASH ? "--level hash"
                       : own.check.manifest                ? "--manifest"
                       : own.check.values                  ? "--values"
                                                           : NULL;
    return !what || remote_refuse(s->found->sets[s->at].path, what, e);
}

numel_rc numel_report_verify(numel_report **out, numel_subject *s, const numel_check *check,
                             numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    *out = NULL;
    if (!s->found || s->configured) {
        error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE,
                  "was not opened from a path: there are no files to verify");
        return e->code;
    }
    if (!is_readable(s, check, e)) return e->code;
    *out = report_new(s->options.allocator, "numel.verify/1", e);
    return report_made(
        out, *out && (s->components ? verify_folder(*out, s, check, e) : make_verify(*out, s, check, e)), e);
}

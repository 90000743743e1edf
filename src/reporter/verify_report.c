/* verify_report.c -- numel.verify/1: the levels are run, their findings become a page. */
#include "reporter/expect.h"
#include "reporter/sections.h"

#include "base/border.h"
#include "base/text.h"

static void done(void *ctx) { verify_done(ctx); }

/* An adapter's complaints are those of its configuration and its base against its tensors. */
NUMEL_MUST static bool ready(struct numel_model *c, struct model_faults *out, numel_error *e)
{
    const struct adapter *a = adapter_of(c, e);
    if (!a || !handle_ready(c, e)) return false;
    *out = (struct model_faults){ a->complaints, a->complaint_count, a->proven };
    return true;
}

/* What the strict take for errors while nothing is missing. */
const char *verify_review_words(struct arena *a, uint64_t findings)
{
    char n[TEXT_COUNT];
    if (!findings) return "";
    return arena_format(a, "; %s to look at before it is loaded", text_count(n, findings, "finding"));
}

/* What is expected is held against the checkpoint as others open it: of one that cannot be opened nothing is known
 * but its findings. */
NUMEL_MUST static bool add_expected(struct numel_report *out, struct verify *v, const numel_found *found,
                                    size_t i, numel_error *e)
{
    const numel_check *k = v->check;
    numel_checkpoint *ck = NULL;
    struct numel_model *c = NULL;
    if (!k->expect_count) return true;
    bool ok = numel_open(&ck, found, i, v->options, e) == NUMEL_OK;
    if (!ok && e->code != NUMEL_E_NOMEM) {
        error_clear(e);
        return true;
    }
    if (ok) c = handle_new(ck, NULL, k->knowledge, true, v->options->allocator, e);
    ok = c && expect_section(out, c, k->expects, k->expect_count, e);
    handle_free(c);
    numel_free(ck);
    return ok;
}

NUMEL_MUST static bool make_verify(struct numel_report *out, const numel_found *found, size_t i,
                                   const numel_options *options, const numel_check *check, numel_error *e)
{
    struct verify *v = arena_alloc(&out->arena, sizeof *v);
    struct border_check *own = arena_alloc(&out->arena, sizeof *own);
    if (!v || !own) return error_nomem(e);
    *v = (struct verify){ .found = found,
                          .set = &found->sets[i],
                          .options = options,
                          .check = &own->check,
                          .ready = ready,
                          .error = e };
    out->done = done;
    out->done_ctx = v;
    out->quiet_nothing = true;
    return border_check(own, check, e) && verify_run(v, &out->arena) && verify_sections(out, v, e) &&
           add_expected(out, v, found, i, e);
}

numel_rc numel_report_verify(numel_report **out, const numel_found *found, size_t i,
                             const numel_options *options, const numel_check *check, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    numel_options own;
    error_clear(e);
    *out = NULL;
    if (!border_options(&own, options, e)) return e->code;
    if (i >= found->count) {
        error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "index %zu is out of range", i);
        return e->code;
    }
    *out = report_new(own.allocator, "numel.verify/1", e);
    if (*out && !make_verify(*out, found, i, &own, check, e)) {
        numel_report_free(*out);
        *out = NULL;
    }
    return e->code;
}

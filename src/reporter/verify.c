/* verify.c -- see verify.h: the levels, run one after the other. */
#include "reporter/verify.h"



static const struct {
    numel_level level;
    bool (*run)(struct verify *v); /* NULL: opening the checkpoint has made the findings */
} levels[] = {
    { NUMEL_LEVEL_HEADER, NULL },          { NUMEL_LEVEL_SIZE, verify_size },
    { NUMEL_LEVEL_INDEX, verify_index },   { NUMEL_LEVEL_CONFIG, verify_config },
    { NUMEL_LEVEL_HASH, verify_hash },
};
enum { LEVELS = sizeof levels / sizeof *levels };

static bool run_levels(struct verify *v)
{
    for (size_t i = 0; i < LEVELS && levels[i].level <= v->level; i++)
        if (levels[i].run && !levels[i].run(v)) return false;
    if (v->check->values && !v->stopped && !verify_values(v)) return false;
    findings_close(&v->ck->findings);
    return !v->ck->findings.failed || error_nomem(v->error);
}

bool verify_comparison(struct verify *v, const struct comparison **c)
{
    const numel_allocator *m = v->arena->memory;
    if (!v->comparison) v->comparison = comparison_make(v->ck, v->check->knowledge, true, m, v->error);
    *c = v->comparison;
    return *c != NULL;
}

static void done(void *ctx)
{
    struct verify *v = ctx;
    comparison_free(v->comparison);
    numel_free(v->ck);
}

static bool make_verify(struct numel_report *out, const struct found_set *set,
                        const numel_options *options, const numel_check *check, numel_error *e)
{
    static const numel_check plain = { .level = NUMEL_LEVEL_DEFAULT };
    struct verify *v = arena_alloc(&out->arena, sizeof *v);
    if (!v) return error_nomem(e);
    *v = (struct verify){ .set = set, .options = options, .check = check ? check : &plain,
                          .error = e };
    v->level = v->check->level      ? v->check->level
               : v->check->manifest ? NUMEL_LEVEL_HASH
                                    : NUMEL_LEVEL_CONFIG;
    out->done = done;
    out->done_ctx = v;
    if (!checkpoint_inspect(&v->ck, set, options, e)) return false;
    v->arena = &v->ck->arena;
    out->quiet_nothing = true;
    return run_levels(v) && verify_sections(out, v, e);
}

numel_rc numel_report_verify(numel_report **out, const numel_found *found, size_t i,
                             const numel_options *options, const numel_check *check,
                             numel_error *error)
{
    const numel_allocator *m = options && options->allocator ? options->allocator : &memory_malloc;
    numel_error local, *e = error ? error : &local;
    error_clear(e);
    *out = NULL;
    if (i >= found->count) {
        error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "no checkpoint %zu", i);
        return e->code;
    }
    *out = report_new(m, "numel.verify/1", e);
    if (*out && !make_verify(*out, &found->sets[i], options, check, e)) {
        numel_report_free(*out);
        *out = NULL;
    }
    return e->code;
}

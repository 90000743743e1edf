/* several.h -- one multi-part file, for test_public.c, which includes it and provides what it uses. */
#ifndef NUMEL_TEST_SEVERAL_H
#define NUMEL_TEST_SEVERAL_H

/* A file with two models, averaged weights, a schedule, and an unknown tensor. */
static numel_rc open_several(numel_error *e)
{
    numel_subject *last = NULL;
    const numel_checkpoint *ck = NULL;
    size_t n = 0;
    numel_rc rc = numel_subject_open(&subject, several, NULL, &own, e);
    if (!rc) rc = numel_subject_members(subject, &n, e);
    if (!rc && n != 3) rc = NUMEL_E_WIDTH;
    if (!rc) rc = numel_subject_member(&last, subject, n - 1, e);
    if (!rc) rc = numel_subject_checkpoint(last, &ck, e);
    if (!rc && numel_tensor_count(ck) != 1) rc = NUMEL_E_WIDTH;
    numel_subject_close(last);
    if (rc) return rc;
    rc = numel_subject_member(&last, subject, n, NULL);
    return rc == NUMEL_E_USAGE ? NUMEL_OK : rc == NUMEL_E_NOMEM ? (e->code = rc) : NUMEL_E_WIDTH;
}

static numel_rc reconcile_several(numel_report **r, numel_error *e)
{
    numel_rc rc = open_several(e);
    return rc ? rc : numel_report_reconcile(r, subject, NULL, e);
}

static const numel_plan together = { .size = sizeof together, .fit = 1 << 20, .train = "lora:4" };

static numel_rc memory_of(numel_report **r, const char *path, numel_error *e)
{
    numel_rc rc = numel_subject_open(&subject, path, NULL, &own, e);
    return rc ? rc : numel_report_memory(r, subject, &together, e);
}

static numel_rc memory_of_several(numel_report **r, numel_error *e) { return memory_of(r, several, e); }

/* Reports on the pipeline with a missing component. */
static numel_rc memory_of_components(numel_report **r, numel_error *e) { return memory_of(r, pipeline, e); }

static numel_rc verify_several(numel_report **r, numel_error *e)
{
    const numel_check check = { .size = sizeof check, .work = &single, .level = NUMEL_LEVEL_CONFIG };
    return verify(r, several, &check, e);
}

static numel_rc identify_several(numel_report **r, numel_error *e)
{
    const char *const paths[] = { several };
    return numel_report_identify(r, paths, 1, &own, e);
}

/* Finds the most similar model in the pipeline. */
static numel_rc nearest_several(numel_report **r, numel_error *e)
{
    numel_rc rc = numel_subject_open(&subject, several, NULL, &own, e);
    return rc ? rc : numel_report_nearest(r, subject, pipeline, true, NULL, e);
}

#define SEVERAL_JOBS                                                                              \
    { "models in one file", reconcile_several }, { "verify models in one file", verify_several }, \
        { "memory of models in one file", memory_of_several },                                    \
        { "memory of components", memory_of_components },                                         \
        { "identify models in one file", identify_several },                                      \
    {                                                                                             \
        "which is nearest", nearest_several                                                       \
    }

static bool make_several(const char *path)
{
    static const char *const names[] = { "model.diffusion_model.time_embed.0.bias",
                                         "model_ema.diffusion_modeltime_embed0bias",
                                         "vae.encoder.conv_in.bias", "v_pred", "nobodys" };
    char head[1000] = "{", zeros[20] = { 0 };
    uint64_t n = 1;
    for (int i = 0; i < 5; i++)
        n += (uint64_t)snprintf(head + n, sizeof head - n,
                                "%s\"%s\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[%d,%d]}",
                                i ? "," : "", names[i], 4 * i, 4 * i + 4);
    head[n++] = '}';
    while (n % 8) head[n++] = ' ';
    FILE *f = fopen(path, "wb");
    bool ok = f && fwrite(&n, 1, 8, f) == 8 && fwrite(head, 1, n, f) == n && fwrite(zeros, 1, 20, f) == 20;
    return f && fclose(f) == 0 && ok;
}

#endif

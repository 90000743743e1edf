/* several.h -- one file that is several models, for test_public.c, which it is a part of: it uses what stands there. */
#ifndef NUMEL_TEST_SEVERAL_H
#define NUMEL_TEST_SEVERAL_H

static numel_checkpoint *several_ck; /* of the report in work */
static numel_parts *models;

/* One file of two models, averaged weights, a schedule, and a tensor that nobody knows. */
static numel_rc open_parts(numel_error *e)
{
    numel_rc rc = numel_find(&found, several, &own, e);
    if (!rc) rc = numel_open(&several_ck, found, 0, &own, e);
    if (!rc) rc = numel_parts_open(&models, several_ck, NULL, &own, e);
    if (rc) return rc;
    size_t known = 0, n = models ? numel_parts_count(models, &known) : 0;
    bool right = n == 5 && known == 3 && numel_tensor_count(numel_parts_at(models, 4)) == 1 &&
                 !numel_parts_at(models, n);
    return right ? NUMEL_OK : NUMEL_E_WIDTH;
}

static numel_rc parts_of_file(numel_report **r, numel_error *e)
{
    numel_rc rc = open_parts(e);
    return rc ? rc : numel_report_parts(r, models, NULL, false, &own, e);
}

static const numel_plan together = { .size = sizeof together, .fit = 1 << 20, .train = "lora:4" };

static numel_rc memory_of_parts(numel_report **r, numel_error *e)
{
    numel_rc rc = open_parts(e);
    return rc ? rc : numel_report_memory_parts(r, models, NULL, &together, &own, e);
}

/* Of the pipeline, of which a component is missing. */
static numel_rc memory_of_components(numel_report **r, numel_error *e)
{
    numel_rc rc = numel_find(&found, pipeline, &own, e);
    return rc ? rc : numel_report_memory_components(r, found, 0, NULL, &together, &own, e);
}

static numel_rc verify_several(numel_report **r, numel_error *e)
{
    const numel_check check = { .size = sizeof check, .work = &single, .level = NUMEL_LEVEL_CONFIG };
    numel_rc rc = numel_find(&found, several, &own, e);
    return rc ? rc : numel_report_verify(r, found, 0, &own, &check, e);
}

static numel_rc identify_several(numel_report **r, numel_error *e)
{
    const char *const paths[] = { several };
    return numel_report_identify(r, paths, 1, &own, e);
}

/* Which of the pipeline's models it is most like. */
static numel_rc nearest_several(numel_report **r, numel_error *e)
{
    numel_rc rc = numel_find(&found, several, &own, e);
    if (!rc) rc = numel_open(&several_ck, found, 0, &own, e);
    return rc ? rc : numel_report_nearest(r, several_ck, pipeline, true, NULL, &own, e);
}

#define SEVERAL_JOBS                                                                          \
    { "models in one file", parts_of_file }, { "verify models in one file", verify_several }, \
        { "memory of models in one file", memory_of_parts },                                  \
        { "memory of components", memory_of_components },                                     \
        { "identify models in one file", identify_several },                                  \
    {                                                                                         \
        "which is nearest", nearest_several                                                   \
    }

static void close_several(void)
{
    numel_parts_close(models);
    numel_free(several_ck);
    models = NULL;
    several_ck = NULL;
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

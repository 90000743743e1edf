/*
 * verify_components.c -- numel.verify/1 for the folder of a multi-part model: compares its index with what is
 * there. The checkpoints have separate reports. The folder's report has no files; its findings are about the
 * index.
 */
#include "reporter/components_words.h"
#include "reporter/handles.h"
#include "reporter/judgement_section.h"
#include "reporter/sections.h"

#include "base/border.h"
#include "base/text.h"
#include "source/folder.h"

struct folder_check {
    struct verify v;
    struct found_set set; /* without files */
    struct border_check own;
    struct components c;
};

static void done(void *ctx) { verify_done(&((struct folder_check *)ctx)->v); }

static void find_promised(struct findings *f, const char *index, const struct component *x)
{
    char name[TEXT_QUOTE], class[TEXT_QUOTE], said[TEXT_QUOTE];
    bool promised = x->promise && x->promise->class;
    const char *off = x->off ? x->off : x->state == COMPONENT_MISSING ? x->why : NULL;
    text_quote(name, text_of(x->name));
    if (!promised && off)
        findings_add(f, FINDING_COMPONENT_MISSING, index, NO_TENSOR, NUMEL_NOWHERE, "component %s: %s", name,
                     off);
    if (!promised) return;
    text_bare(class, text_of(x->promise->class));
    if (x->state == COMPONENT_MISSING)
        findings_add(f, FINDING_COMPONENT_MISSING, index, NO_TENSOR, NUMEL_NOWHERE,
                     "component %s (%s) is in the index, but %s", name, class, x->why);
    if (x->state == COMPONENT_UNREAD)
        findings_add(f, FINDING_COMPONENT_UNREAD, index, NO_TENSOR, NUMEL_NOWHERE,
                     "component %s (%s) is not checked: %s", name, class, x->why);
    if (x->off)
        findings_add(f,
                     x->unconfigured ? FINDING_COMPONENT_CONFIG
                     : x->foreign    ? FINDING_COMPONENT_FOREIGN
                                     : FINDING_COMPONENT_WIDTH,
                     index, NO_TENSOR, NUMEL_NOWHERE, "component %s (%s) %s", name, class, x->off);
    if (x->said)
        findings_add(f, FINDING_COMPONENT_CLASS, index, NO_TENSOR, NUMEL_NOWHERE,
                     "component %s is %s in the index, but its config.json says %s", name, class,
                     text_bare(said, text_of(x->said)));
}

static void find_all(struct folder_check *k)
{
    const struct found_pipeline *p = k->c.pipeline;
    struct findings *f = &k->v.ck->findings;
    char name[TEXT_QUOTE];
    if (p->why)
        findings_add(f, FINDING_COMPONENT_INDEX, p->index, NO_TENSOR, p->why->offset, "%s", p->why->what);
    for (size_t i = 0; i < k->c.count; i++) {
        const struct component *x = &k->c.items[i];
        bool stray = x->state == COMPONENT_WEIGHTS && (!x->promise || !x->promise->class);
        find_promised(f, p->index, x);
        if (stray && !p->why)
            findings_add(f, FINDING_COMPONENT_STRAY, p->index, NO_TENSOR, NUMEL_NOWHERE,
                         "weights in %s: the index %s%s", text_quote(name, text_of(x->name)),
                         x->promise ? "says that there is no such component" : "does not name that folder",
                         x->doubt ? ", nor any other denoiser" : "");
    }
}

NUMEL_MUST static const char *whole_text(const struct components *c, struct arena *a)
{
    char index[TEXT_QUOTE], n[TEXT_COUNT];
    uint64_t promised = 0;
    for (size_t i = 0; i < c->pipeline->count; i++) promised += c->pipeline->items[i].class != NULL;
    return arena_format(a, "%s that %s names", text_count(n, promised, "component"),
                        text_bare(index, path_base(c->pipeline->index)));
}

/* Levels below `config` open no component, so nothing is judged. */
NUMEL_MUST static bool judge(struct numel_report *out, struct folder_check *k, numel_subject *s,
                             numel_error *e)
{
    bool judged = k->v.level >= NUMEL_LEVEL_CONFIG;
    if (judged && !subject_whole(s, e)) return false;
    if (!judged && !subject_components(s, &k->c, &out->arena, e)) return false;
    if (judged) k->c = *s->whole;
    return judgement_section(out, judged ? &s->judgement : NULL, e);
}

bool verify_folder(struct numel_report *out, numel_subject *s, const numel_check *check, numel_error *e)
{
    const struct found_pipeline *p = s->found->sets[s->at].pipeline;
    struct folder_check *k = arena_alloc(&out->arena, sizeof *k);
    if (!k) return error_nomem(e);
    *k =
        (struct folder_check){ .set = { .kind = FOUND_PATTERN, .path = p->dir, .dir = p->dir, .place = "" } };
    k->set.beside = p->beside;
    out->done = done;
    out->done_ctx = k;
    out->quiet_nothing = true;
    if (!border_check(&k->own, check, e)) return false;
    k->v = (struct verify){ .found = s->found,
                            .set = &k->set,
                            .options = &s->options,
                            .check = &k->own.check,
                            .strict = s->options.strict,
                            .error = e };
    k->v.level = k->own.check.level ? k->own.check.level : NUMEL_LEVEL_CONFIG;
    if (k->own.check.manifest) k->v.level = NUMEL_LEVEL_HASH;
    if (!judge(out, k, s, e) || !checkpoint_inspect(&k->v.ck, &k->set, &s->options, e)) return false;
    k->v.arena = &k->v.ck->arena;
    find_all(k);
    k->v.whole = whole_text(&k->c, &out->arena);
    if (!k->v.whole) return error_nomem(e);
    findings_close(&k->v.ck->findings);
    return k->v.ck->findings.failed ? error_nomem(e) : verify_sections(out, &k->v, e);
}

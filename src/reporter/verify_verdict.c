/*
 * verify_verdict.c -- the last line: "complete", "incomplete" if bytes, files or tensors are missing,
 * otherwise "damaged". If the bytes are right, it adds what is wrong.
 *
 *     damaged: wrong configuration: 1 error, 0 warnings
 */
#include "reporter/verify_internal.h"

#include "base/num.h"
#include "base/text.h"

/* "; 243 of 254 files are missing" */
NUMEL_MUST static const char *missing_text(struct verify_report *r)
{
    char n[TEXT_NUMBER], of[TEXT_NUMBER];
    size_t missing = r->ck->missing;
    if (!missing) return "";
    return arena_format(r->arena, "; %s of %s files %s missing", text_number(n, missing),
                        text_number(of, verify_file_total(r)), missing == 1 ? "is" : "are");
}

static struct toned whole_text(struct verify_report *r)
{
    const numel_checkpoint *ck = r->ck;
    char files[TEXT_COUNT], tensors[TEXT_COUNT], warnings[TEXT_COUNT];
    uint64_t copies = 0;
    if (r->v->whole) return toned_format(r->arena, TONE_GOOD, "complete", ": %s", r->v->whole);
    for (size_t i = 0; i < ck->file_count; i++) copies += ck->files[i].header_only;
    text_count(warnings, r->tally[NUMEL_WARNING], "warning");
    const char *content =
        r->v->hashed ? verify_hash_verdict(r->arena, r->v->hashed) : "; checksums not checked";
    const char *reviews = verify_review_words(r->arena, r->reviews);
    if (!content || !reviews) return (struct toned){ NULL, TONE_NONE, 0 };
    return toned_format(
        r->arena, TONE_GOOD, "complete", "%s: %s, %s%s%s%s%s", copies ? " as far as headers show" : "",
        text_count(files, verify_file_total(r), "file"), text_count(tensors, ck->registry.count, "tensor"),
        r->tally[NUMEL_WARNING] ? ", " : "", r->tally[NUMEL_WARNING] ? warnings : "", content, reviews);
}

/* ---- what is wrong ------------------------------------------------------------------------ */

/* The state of the set if this were its only error. */
static numel_state state_of(const struct verify_shown *s)
{
    if (s->folded) return s->lacks ? NUMEL_STATE_INCOMPLETE : NUMEL_STATE_DISAGREES;
    if (finding_lacks(s->f)) return NUMEL_STATE_INCOMPLETE;
    if (finding_remedy(s->f) == REMEDY_REVIEW) return NUMEL_STATE_UNKNOWN;
    bool bytes = finding_remedy(s->f) != REMEDY_APART && s->f->level != NUMEL_LEVEL_CONFIG;
    return bytes ? NUMEL_STATE_DAMAGED : NUMEL_STATE_DISAGREES;
}

/* Words for a set whose bytes are complete and valid, by the code of the cause. */
static const struct {
    const char *code, *words;
} wrongs[] = {
    { "key-differs", "wrong configuration" },
    { "configuration-differs", "wrong configuration" },
    { "architecture-differs", "wrong configuration" },
    { "contradiction", "wrong configuration" },
    { "configuration-invalid", "wrong configuration" },
    { "config-broken", "wrong configuration" },
    { "config-unreadable", "wrong configuration" },
    { "rope-factors-missing", "wrong configuration" },
    { "names-wrapped", "wrong names" },
    { "names-differ", "wrong names" },
    { "adapter-names", "wrong names" },
    { "tensors-empty", "empty tensors" },
    { "split-mixed", "two models in one folder" },
};

static const char *words_of(const struct verify_report *r, const struct verify_shown *s)
{
    const char *code = s->cause && r->judgement ? r->judgement->causes[s->cause - 1].code : s->f->code;
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++)
        if (strcmp(wrongs[i].code, code) == 0 || strcmp(wrongs[i].code, s->f->code) == 0)
            return wrongs[i].words;
    return finding_remedy(s->f) == REMEDY_APART ? "extra file" : NULL;
}

static const char *disagreement(const struct verify_report *r)
{
    for (size_t i = 0; i < r->first[NUMEL_ERROR]; i++) {
        const char *words = words_of(r, &r->shown[i]);
        if (words && state_of(&r->shown[i]) == NUMEL_STATE_DISAGREES) return words;
    }
    return "differs from its configuration";
}

static bool any_is(const struct verify_report *r, numel_state state)
{
    for (size_t i = 0; i < r->first[NUMEL_ERROR]; i++)
        if (state_of(&r->shown[i]) == state) return true;
    return false;
}

/* True if something is missing. The state of the bytes decides first, as in the judgement; otherwise any
 * error does. */
static bool is_incomplete(const struct verify_report *r)
{
    numel_state bytes = checkpoint_state(r->ck);
    if (bytes >= NUMEL_STATE_INCOMPLETE) return bytes == NUMEL_STATE_INCOMPLETE;
    return any_is(r, NUMEL_STATE_INCOMPLETE);
}

static struct toned trouble_text(struct verify_report *r)
{
    char errors[TEXT_COUNT], warnings[TEXT_COUNT];
    const char *missing = missing_text(r);
    bool lacks = is_incomplete(r), bytes = lacks || any_is(r, NUMEL_STATE_DAMAGED);
    text_count(errors, r->tally[NUMEL_ERROR], "error");
    text_count(warnings, r->tally[NUMEL_WARNING], "warning");
    if (!missing) return (struct toned){ NULL, TONE_NONE, 0 };
    return toned_format(r->arena, TONE_BAD, lacks ? "incomplete" : "damaged", ": %s%s%s, %s%s",
                        bytes ? "" : disagreement(r), bytes ? "" : ": ", errors, warnings, missing);
}

bool verify_verdict(struct verify_report *r, size_t unreadable, numel_error *e)
{
    static const struct toned stopped = { "no verdict: stopped before everything was read", TONE_BAD, 2 },
                              unread = {
                                  "no verdict: nothing could be read, or a file changed while it was read",
                                  TONE_BAD, 2
                              };
    r->verdict = r->v->stopped                        ? stopped
                 : unreadable                         ? unread
                 : r->tally[NUMEL_ERROR] > r->reviews ? trouble_text(r)
                                                      : whole_text(r);
    return r->verdict.text || error_nomem(e);
}

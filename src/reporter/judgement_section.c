/* judgement_section.c -- the object `judgement`, the same in the JSON of every command. */
#include "reporter/judgement_section.h"

/* NULL where nothing was judged. */
struct judgement_row {
    const char *json;
};

static const struct table table = TABLE(NULL, NULL, SECTION_FIELDS, TABLE_HIDDEN, NULL,
                                        { "judgement", NULL, 0, AT(CELL_RAW, struct judgement_row, json) });

static void put_causes(struct buffer *b, const numel_judgement *j)
{
    buffer_char(b, '[');
    for (size_t i = 0; i < j->cause_count; i++) {
        buffer_text(b, i ? ",{\"code\":" : "{\"code\":");
        text_json(b, text_of(j->causes[i].code));
        buffer_text(b, ",\"text\":");
        text_json(b, text_of(j->causes[i].text));
        buffer_format(b, ",\"explains\":%" PRIu64 "}", j->causes[i].explains);
    }
    buffer_char(b, ']');
}

const char *judgement_json(const numel_judgement *j, struct arena *a)
{
    struct buffer b;
    buffer_init(&b, a->memory);
    buffer_text(&b, "{\"kind\":");
    text_json(&b, text_of(numel_subject_kind_name(j->kind)));
    buffer_text(&b, ",\"verdict\":");
    text_json(&b, text_of(numel_state_name(j->verdict)));
    const char *const texts[][2] = { { "architecture", j->architecture },
                                     { "name", j->name },
                                     { "known_by", j->known_by } };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        buffer_format(&b, ",\"%s\":", texts[i][0]);
        if (texts[i][1]) text_json(&b, text_of(texts[i][1]));
        else buffer_text(&b, "null");
    }
    buffer_text(&b, ",\"causes\":");
    put_causes(&b, j);
    buffer_char(&b, '}');
    return buffer_keep(&b, a);
}

bool judgement_section(struct numel_report *r, const numel_judgement *j, numel_error *e)
{
    struct judgement_row *own = arena_alloc(&r->arena, sizeof *own);
    if (!own) return error_nomem(e);
    own->json = j ? judgement_json(j, &r->arena) : NULL;
    if (j && !own->json) return error_nomem(e);
    report_one(r, &table, own);
    return true;
}

bool judged_section(struct numel_report *r, struct handle *c, numel_error *e)
{
    const numel_judgement *j = judgement_of(c, e);
    return j && judgement_section(r, j, e);
}

void report_judge(struct numel_report *r, numel_state verdict, numel_state least)
{
    r->disagrees = verdict >= least;
    r->in_part = verdict != NUMEL_STATE_AGREES && verdict < NUMEL_STATE_DISAGREES;
}

/* judgement_section.c -- the object `judgement`, identical in the JSON of all commands. */
#include "reporter/judgement_section.h"

static const struct table table = TABLE(NULL, NULL, SECTION_FIELDS, TABLE_HIDDEN, NULL,
                                        { "judgement", NULL, 0, ITSELF(CELL_RAW, const char *) });

static const struct table cause_table =
    TABLE(NULL, NULL, SECTION_LIST, 0, NULL, { "code", NULL, 0, AT(CELL_TEXT, numel_cause, code) },
          { "text", NULL, 0, AT(CELL_TEXT, numel_cause, text) },
          { "explains", NULL, 0, AT(CELL_COUNT, numel_cause, explains) });

static void object_row(struct table_row *row, struct cell *c)
{
    const numel_judgement *j = row->item;
    c[0] = CELL_T(numel_subject_kind_name(j->kind));
    c[1] = CELL_T(numel_state_name(j->verdict));
    c[5] = (struct cell){ .kind = CELL_RAW, .t = row->of };
}

static const struct table object_table =
    TABLE(NULL, NULL, SECTION_OBJECT, 0, object_row, { "kind", NULL, 0, MADE }, { "verdict", NULL, 0, MADE },
          { "architecture", NULL, 0, AT(CELL_TEXT, numel_judgement, architecture) },
          { "name", NULL, 0, AT(CELL_TEXT, numel_judgement, name) },
          { "known_by", NULL, 0, AT(CELL_TEXT, numel_judgement, known_by) }, { "causes", NULL, 0, MADE });

const char *judgement_json(const numel_judgement *j, struct arena *a)
{
    const char *causes = table_json(&cause_table, ROWS(j->causes, j->cause_count), NULL, a);
    return causes ? table_json(&object_table, ROWS(j, 1), causes, a) : NULL;
}

bool judgement_section(struct numel_report *r, const numel_judgement *j, numel_error *e)
{
    const char *json = j ? judgement_json(j, &r->arena) : NULL;
    const char **own = arena_copy(&r->arena, &json, sizeof json);
    if (!own || (j && !json)) return error_nomem(e);
    report_one(r, &table, own);
    if (j) r->verdict = (struct toned){ numel_state_name(j->verdict), tone_of_state(j->verdict), 0 };
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

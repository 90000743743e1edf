/*
 * statement.c -- a host whose functions share names with internal functions of the library. It reads the
 * statement of a model line by line, and all other facts about it, without parsing text.
 */
#include "embed.h"

/* Names the library also uses; the host's calls must reach the host's functions. */
int eval(void);
int expand(void);
int arena_init(void);
int eval(void) { return 1; }
int expand(void) { return 2; }
int arena_init(void) { return 3; }

static uint64_t stored_of(const numel_checkpoint *ck)
{
    numel_counts counts = NUMEL_INIT(numel_counts);
    numel_subject *s;
    EXPECT(numel_subject_of(&s, ck, NULL, NULL, NULL) == NUMEL_OK);
    EXPECT(numel_subject_counts(s, &counts, NULL) == NUMEL_OK);
    numel_subject_close(s);
    EXPECT(counts.tensors == numel_tensor_count(ck) && counts.parameters == NUMEL_NOT_KNOWN);
    return counts.stored;
}

/* The lines add up to the stored total; one of them is the unexplained remainder. */
static void check_statement(const numel_subject *model, const numel_checkpoint *ck, const numel_facts *facts)
{
    int64_t sum = 0, unknown = 0;
    uint64_t unchecked = 0;
    numel_line line = NUMEL_INIT(numel_line);
    for (size_t i = 0; i < facts->lines; i++) {
        EXPECT(numel_line_at(model, i, &line, NULL) == NUMEL_OK);
        EXPECT(line.code[0] && line.cause[0] && line.detail);
        sum += line.elements;
        if (strcmp(line.code, "unknown") == 0) unknown = line.elements;
        unchecked += line.unchecked;
    }
    EXPECT(numel_line_at(model, facts->lines, &line, NULL) == NUMEL_E_USAGE);
    EXPECT(sum == (int64_t)stored_of(ck));
    EXPECT(unknown == facts->unexplained);
    EXPECT(unchecked == facts->on_name);
}

static void check_formula(const numel_subject *model, const numel_facts *facts)
{
    numel_symbol symbol = NUMEL_INIT(numel_symbol);
    numel_term term = NUMEL_INIT(numel_term);
    numel_expected row = NUMEL_INIT(numel_expected);
    uint64_t terms = 0, rows = 0, present = 0;
    EXPECT(facts->symbols > 0 && facts->expression);
    for (size_t i = 0; i < facts->symbols; i++) {
        EXPECT(numel_symbol_at(model, i, &symbol, NULL) == NUMEL_OK);
        EXPECT(symbol.name[0] && (symbol.evidence == NUMEL_CONSTANT || symbol.from[0]));
    }
    for (size_t i = 0; i < facts->terms; i++) {
        EXPECT(numel_term_at(model, i, &term, NULL) == NUMEL_OK);
        EXPECT(term.role.n && term.expression[0] && term.each * term.times == term.total);
        if (!term.buffer) terms += term.total;
    }
    for (size_t i = 0; i < facts->expected; i++) {
        EXPECT(numel_expected_at(model, i, &row, NULL) == NUMEL_OK);
        EXPECT(row.name.n && (row.dims != NULL) == (row.ndim > 0));
        EXPECT(!row.missing || row.tensor == NUMEL_NONE);
        if (row.counted) rows += row.elements;
        present += row.tensor != NUMEL_NONE;
    }
    EXPECT(terms == facts->formula && rows == facts->formula && present > 0);
}

/* Tensors by number: their facts add up to the counts and the grounds. */
static void check_tensors(const numel_subject *model, const numel_checkpoint *ck, const numel_facts *facts)
{
    numel_tensor tensor = NUMEL_INIT(numel_tensor);
    numel_tensor_facts t = NUMEL_INIT(numel_tensor_facts);
    numel_counts counts = NUMEL_INIT(numel_counts);
    uint64_t logical = 0, ground[3] = { 0, 0, 0 };
    for (size_t i = 0; i < numel_tensor_count(ck); i++) {
        numel_expected row = NUMEL_INIT(numel_expected);
        EXPECT(numel_tensor_at(ck, i, &tensor, NULL) == NUMEL_OK && tensor.size == sizeof tensor);
        EXPECT(numel_tensor_find(ck, tensor.name.p, tensor.name.n) == i);
        EXPECT(numel_tensor_about(model, i, &t, NULL) == NUMEL_OK);
        logical += t.logical;
        ground[t.ground]++;
        if (t.expected == NUMEL_NONE) continue;
        EXPECT(numel_expected_at(model, t.expected, &row, NULL) == NUMEL_OK);
        EXPECT(row.role.n == t.role.n && memcmp(row.role.p, t.role.p, t.role.n) == 0);
    }
    EXPECT(numel_subject_counts(model, &counts, NULL) == NUMEL_OK);
    EXPECT(counts.stored == stored_of(ck) && counts.logical == logical);
    EXPECT(ground[NUMEL_ON_SHAPE] == facts->on_shape && ground[NUMEL_ON_NAME] == facts->on_name &&
           ground[NUMEL_ON_NOTHING] == facts->on_nothing);
}

/* The tensors of a group that is a leaf add up to it. */
static void check_leaf(const numel_subject *model, const numel_checkpoint *ck, size_t i,
                       const numel_group *leaf)
{
    numel_tensor tensor = NUMEL_INIT(numel_tensor);
    numel_tensor_facts t = NUMEL_INIT(numel_tensor_facts);
    uint64_t tensors = 0, elements = 0, bytes = 0;
    for (size_t k = 0; k < numel_tensor_count(ck); k++) {
        EXPECT(numel_tensor_about(model, k, &t, NULL) == NUMEL_OK);
        if (t.group != i) continue;
        EXPECT(numel_tensor_at(ck, k, &tensor, NULL) == NUMEL_OK);
        tensors++;
        elements += tensor.elements;
        bytes += tensor.bytes;
    }
    EXPECT(tensors == leaf->tensors && elements == leaf->elements && bytes == leaf->bytes);
}

static void check_groups(const numel_subject *model, const numel_checkpoint *ck, const numel_facts *facts)
{
    numel_group group = NUMEL_INIT(numel_group);
    uint64_t elements = 0;
    for (size_t i = 0; i < facts->groups; i++) {
        EXPECT(numel_group_at(model, i, &group, NULL) == NUMEL_OK);
        EXPECT(group.name && group.types[0] && group.each * group.times == group.elements);
        if (group.level == 0) elements += group.elements;
        if (group.tensor != NUMEL_NONE) check_leaf(model, ck, i, &group);
    }
    EXPECT(elements == stored_of(ck));
}

static void check_differences(const numel_subject *model, const numel_facts *facts, size_t wanted)
{
    numel_difference d = NUMEL_INIT(numel_difference);
    EXPECT(facts->differences == wanted);
    for (size_t i = 0; i < wanted; i++) {
        EXPECT(numel_difference_at(model, i, &d, NULL) == NUMEL_OK);
        EXPECT(d.text[0] && (d.kind == NUMEL_CONTRADICTION || d.name.n));
        EXPECT((d.kind == NUMEL_MISSING || d.kind == NUMEL_CONTRADICTION) == (d.tensor == NUMEL_NONE));
    }
}

static bool discard(void *ctx, const void *p, size_t bytes)
{
    (void)p;
    *(size_t *)ctx += bytes;
    return true;
}

/* Reports of the same model; its verdict is the statement's. */
static void check_reports(numel_subject *model, numel_verdict verdict)
{
    numel_report *r;
    size_t written = 0;
    EXPECT(numel_report_reconcile(&r, model, NULL, NULL) == NUMEL_OK);
    EXPECT(numel_report_verdict(r) == verdict);
    EXPECT(numel_report_write(r, NULL, discard, &written, NULL) == NUMEL_OK && written > 0);
    numel_report_free(r);
    EXPECT(numel_report_show(&r, model, NULL, NULL) == NUMEL_OK);
    numel_report_free(r);
}

static void check(const char *path, const numel_knowledge *k, numel_verdict verdict, size_t differences)
{
    numel_found *found;
    numel_checkpoint *ck = open_at(path, &found);
    numel_subject *model = judged(ck, k);
    numel_facts facts = NUMEL_INIT(numel_facts);
    EXPECT(numel_subject_about(model, &facts, NULL) == NUMEL_OK);
    EXPECT(facts.verdict == verdict && facts.why == NUMEL_OK && facts.architecture && facts.from);
    check_statement(model, ck, &facts);
    check_formula(model, &facts);
    check_tensors(model, ck, &facts);
    check_groups(model, ck, &facts);
    check_differences(model, &facts, differences);
    check_reports(model, verdict);
    numel_subject_close(model);
    numel_free(ck);
    numel_found_free(found);
}

/* One model's file with another's configuration, which comes from memory. */
static const char other[] = "{\"model_type\":\"llama\",\"hidden_size\":4096,\"num_hidden_layers\":31,"
                            "\"num_attention_heads\":32,\"intermediate_size\":11008,\"vocab_size\":32000}";

int main(int count, char **args)
{
    const numel_knowledge wrong = { .size = sizeof wrong,
                                    .config_text = other,
                                    .config_bytes = sizeof other - 1 };
    char path[512];
    EXPECT(count >= 2);
    snprintf(path, sizeof path, "%s/llama-2-7b", args[1]);
    check(path, NULL, NUMEL_AGREES, 0);
    check(path, &wrong, NUMEL_DISAGREES, 9); /* the tensors of layer 31 */
    snprintf(path, sizeof path, "%s/gptq-tiny", args[1]);
    check(path, NULL, NUMEL_AGREES, 0);
    snprintf(path, sizeof path, "%s/llama-3.1-8b-q4_k_m", args[1]);
    check(path, NULL, NUMEL_AGREES, 0);
    EXPECT(eval() + expand() + arena_init() == 6);
    return 0;
}

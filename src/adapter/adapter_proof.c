/*
 * adapter_proof.c -- the ground of each tensor of an adapter, and whether these prove the adapter as a whole.
 *
 * A part of a change rests on its shape if the change is complete in a form of its method, holds
 * floating-point numbers, and the changed weight is known to have this size: from the base that was compared,
 * or because all changes fit one family. Consistent sizes of an unknown model suggest an architecture but
 * prove nothing. A factor rests on its shape if it is one number for such a change. A tensor that is known
 * only by name (a method without forms, untrained copies) rests on its name; anything else rests on nothing.
 *
 * An adapter is proven if all its tensors rest on their shapes, nothing contradicts it, and no block that it
 * changes lacks what others have (adapter_gaps.c).
 */
#include "adapter/adapter_internal.h"

#include "base/num.h"
#include "base/text.h"
#include "registry/dtype.h"
#include "statement/line.h"

#include <string.h>

static bool is_number(const struct adapter *a, uint32_t tensor)
{
    const numel_tensor *t = &a->ck->registry.tensors[tensor];
    return t->dtype && dtype_is_number(t->dtype);
}

/* One number of any type: LyCORIS keeps an integer alpha an integer. */
static bool factor_fits(const struct adapter *a, const struct adapter_module *m)
{
    const numel_tensor *t = m->factor == NAMES_ABSENT ? NULL : &a->ck->registry.tensors[m->factor];
    return !t || (t->elements == 1 &&
                  (is_number(a, m->factor) || (t->dtype && dtype_kind(t->dtype) == DTYPE_INTEGER)));
}

static bool parts_fit(const struct adapter *a, const struct adapter_module *m)
{
    for (unsigned i = 0; i < m->part_count; i++)
        if (!part_is_flag(m->parts[i]) && !is_number(a, m->tensors[i])) return false;
    return true;
}

static void say_first(struct adapter *a, const struct adapter_module *m, uint64_t n, const char *what)
{
    const char *name = m ? name_shown(a->arena, m->name) : NULL;
    if (name)
        adapter_disagree(
            a, arena_format(a->arena, "%s %s (%" PRIu64 " of %zu modules)", name, what, n, a->module_count));
}

/* kohya's programs write an alpha for each change that has a rank, or for none. */
static void compare_factors(struct adapter *a)
{
    const struct adapter_module *without = NULL, *odd = NULL;
    uint64_t lacking = 0, having = 0, wrong = 0;
    for (size_t i = a->module_count; i-- > 0;) {
        const struct adapter_module *m = &a->modules[i];
        if (m->rank && m->factor == NAMES_ABSENT) without = m, lacking++;
        having += m->rank && m->factor != NAMES_ABSENT;
        if (!factor_fits(a, m)) odd = m, wrong++;
    }
    if (having) say_first(a, without, lacking, "has no alpha, which others have");
    say_first(a, odd, wrong, "has an alpha that is not one number");
}

/* DoRA gives all changed weights a magnitude, or none. */
static void compare_magnitudes(struct adapter *a)
{
    const struct adapter_module *without = NULL;
    uint64_t lacking = 0;
    for (size_t i = a->module_count; a->magnitudes && i-- > 0;) {
        const struct adapter_module *m = &a->modules[i];
        bool has = m->rank == 0;
        for (unsigned k = 0; k < m->part_count; k++) has |= part_is_magnitude(m->parts[k]);
        if (!has) without = m, lacking++;
    }
    say_first(a, without, lacking, "has no magnitude, which others have");
}

/* Both matrices of a pair are created and saved with one type. GGUF chooses a type by row length. */
static bool is_of_two_types(const struct adapter *a, const struct adapter_module *m)
{
    const numel_dtype *first = NULL;
    for (unsigned i = 0; i < m->part_count && a->ck->files[0].format != NUMEL_GGUF; i++) {
        const numel_dtype *own = a->ck->registry.tensors[m->tensors[i]].dtype;
        if (!part_is_matrix(m->parts[i])) continue;
        if (first && own != first) return true;
        first = own;
    }
    return false;
}

static void compare_types(struct adapter *a)
{
    const struct adapter_module *first = NULL, *mixed = NULL;
    uint64_t n = 0, others = 0;
    for (size_t i = a->module_count; i-- > 0;) {
        const struct adapter_module *m = &a->modules[i];
        if (!parts_fit(a, m)) first = m, n++;
        else if (is_of_two_types(a, m)) mixed = m, others++;
    }
    say_first(a, first, n, "is of a type that no weight has");
    say_first(a, mixed, others, "has a pair of two types");
}

static bool is_one_of(const struct adapter *a, const char *types)
{
    return text_lists(text_of(types), text_of(a->type));
}

/* Prompts and prefixes work with any model of the same width, so only the configuration can be compared. A
 * prefix has keys and values for each layer. */
static bool prompt_fits(const struct adapter *a, const numel_tensor *t, bool *told)
{
    int64_t tokens = 0, models = 1, width = 0, layers = 0;
    uint64_t rows, columns;
    (void)json_integer(json_get(a->config, "num_virtual_tokens"), &tokens);
    (void)json_integer(json_get(a->config, "num_transformer_submodules"), &models);
    (void)json_integer(json_get(a->config, "token_dim"), &width);
    (void)json_integer(json_get(a->config, "num_layers"), &layers);
    bool prefix = strcmp(a->type, "prefix_tuning") == 0;
    if (prefix) models = 1;
    *told = tokens > 0 && models > 0 && width > 0 && (!prefix || layers > 0);
    if (!*told) return false;
    return num_mul(&rows, (uint64_t)tokens, (uint64_t)models) &&
           num_mul(&columns, (uint64_t)width, prefix ? (uint64_t)layers : 1) &&
           (!prefix || num_mul(&columns, columns, 2)) && t->ndim == 2 && t->dims[0] == rows &&
           t->dims[1] == columns && t->dtype && dtype_is_number(t->dtype);
}

/* A prompt for several tasks: each task has rows and columns of some rank, which are multiplied onto the
 * prompt. */
static bool task_fits(const struct adapter *a, const numel_tensor *t)
{
    static const char *const cols[] = { "num_tasks", "num_virtual_tokens", "num_ranks" };
    static const char *const rows[] = { "num_tasks", "num_ranks", "token_dim" };
    const char *const *keys = text_equal(t->name, "prefix_task_cols") ? cols : rows;
    bool is = t->ndim == 3 && t->dtype && dtype_is_number(t->dtype);
    for (unsigned i = 0; i < 3 && is; i++) {
        int64_t n = 0;
        (void)json_integer(json_get(a->config, keys[i]), &n);
        is = n > 0 && t->dims[i] == (uint64_t)n;
    }
    return is;
}

static void compare_tasks(struct adapter *a)
{
    unsigned found = 0;
    for (uint32_t i = 0; i < a->ck->registry.count; i++) {
        const numel_tensor *t = &a->ck->registry.tensors[i];
        if (!text_starts(t->name, "prefix_task_")) continue;
        if (task_fits(a, t)) a->shaped++, found++;
        else
            adapter_disagree(
                a, "prefix_task_cols or _rows are not as many, and as long, as adapter_config.json says");
    }
    if (found != 2)
        adapter_disagree(a, "a prompt of several tasks has prefix_task_cols and prefix_task_rows");
}

static void compare_prompts(struct adapter *a)
{
    bool is = is_one_of(a, "prompt_tuning prefix_tuning p_tuning multitask_prompt_tuning"), told, any = false;
    if (a->config && is_one_of(a, "multitask_prompt_tuning")) compare_tasks(a);
    for (uint32_t i = 0; is && a->config && i < a->ck->registry.count; i++) {
        const numel_tensor *t = &a->ck->registry.tensors[i];
        if (!text_equal(t->name, "prompt_embeddings")) continue;
        any = true;
        if (prompt_fits(a, t, &told)) a->shaped++, a->named--;
        else if (told)
            adapter_disagree(a, "prompt_embeddings is not as long and as wide as adapter_config.json says");
    }
    if (is && a->config && !any) adapter_disagree(a, "a prompt has prompt_embeddings, which are not there");
}

/* Matrices shared by all weights have a single rank. In a method with one tensor per weight, any rank is
 * consistent, so a differing rank needs the configuration as a witness. */
static void compare_shared(struct adapter *a)
{
    if (a->ranks.count > 1 && is_one_of(a, "vera pvera randlora"))
        adapter_disagree(a, arena_format(a->arena,
                                         "%s has one rank for all weights, the tensors have %" PRIu64
                                         " to %" PRIu64,
                                         a->type, a->ranks.least, a->ranks.most));
    if (a->ranks.count > 1 && !a->config && !a->hole && is_one_of(a, "hra miss"))
        a->hole = "its ranks differ, of which one tensor for each weight shows no more";
    if (!a->config && !a->hole && is_one_of(a, "poly")) a->hole = "nothing says how many tasks it has";
    const struct adapter_module *other = NULL;
    uint64_t others = 0;
    for (size_t i = 1; i < a->module_count && is_one_of(a, "psoft"); i++)
        if (a->modules[i].part_count != a->modules[0].part_count) other = &a->modules[i], others++;
    say_first(a, other, others, "has not as many tensors as the first");
}

/* BOFT rotates every weight in the same number of steps, the first axis of boft_R. */
static void compare_steps(struct adapter *a)
{
    const struct adapter_module *other = NULL;
    uint64_t others = 0, steps = 0;
    for (size_t i = 0; i < a->module_count; i++) {
        const struct adapter_module *m = &a->modules[i];
        for (unsigned k = 0; k < m->part_count; k++) {
            const numel_tensor *t = &a->ck->registry.tensors[m->tensors[k]];
            if (!part_is_of(m->parts[k], "boft") || t->ndim != 4) continue;
            if (!steps) steps = t->dims[0];
            if (t->dims[0] != steps && others++ == 0) other = m;
        }
    }
    say_first(a, other, others, "is turned in another number of steps than the first");
}

/* VB-LoRA builds all changes from one bank of vectors. The configuration states its size. */
static void compare_bank(struct adapter *a)
{
    int64_t count = 0, length = 0;
    (void)json_integer(json_get(a->config, "num_vectors"), &count);
    (void)json_integer(json_get(a->config, "vector_length"), &length);
    bool found = strcmp(a->type, "vblora") != 0 || count <= 0 || length <= 0;
    for (uint32_t i = 0; !found && i < a->ck->registry.count; i++) {
        const numel_tensor *t = &a->ck->registry.tensors[i];
        if (!text_ends(t->name, "vblora_vector_bank")) continue;
        found = t->ndim == 2 && t->dims[0] == (uint64_t)count && t->dims[1] == (uint64_t)length &&
                is_number(a, i);
        if (found) a->shaped++, a->named--;
        else break;
    }
    if (!found)
        adapter_disagree(
            a, "vblora_vector_bank is not as many vectors, and as long, as adapter_config.json says");
}

static bool is_worth(unsigned part) { return part_is_of(part, "adalora"); }
static bool is_rotation(unsigned part) { return part_is_of(part, "oft") && !part_is_flag(part); }

/* If one module has a part of this kind, every module with the other kind must have it. */
static void compare_beside(struct adapter *a, bool (*is)(unsigned part), bool (*beside)(unsigned part),
                           const char *what)
{
    const struct adapter_module *without = NULL;
    uint64_t lacking = 0, having = 0;
    for (size_t i = a->module_count; i-- > 0;) {
        const struct adapter_module *m = &a->modules[i];
        bool has = false, due = false;
        for (unsigned k = 0; k < m->part_count; k++) {
            has |= is(m->parts[k]);
            due |= beside(m->parts[k]);
        }
        having += has;
        if (due && !has) without = m, lacking++;
    }
    if (having) say_first(a, without, lacking, what);
}

/* Are its parts and its factor valid, and is the weight that it changes known? */
static bool is_known(const struct adapter *a, const struct adapter_module *m)
{
    bool known = (a->family && !a->family_solved) || m->based;
    return m->whole && known && factor_fits(a, m) && parts_fit(a, m);
}

/* The ground of a tensor outside changes, drawn from the counts that are left. Counted tensors take
 * GROUND_NONE first. */
static enum ground rest_of(const struct adapter *a, uint32_t tensor, uint64_t left[GROUND_COUNT])
{
    enum ground g = left[GROUND_SHAPE] ? GROUND_SHAPE : GROUND_NONE;
    if (left[GROUND_NAME]) g = GROUND_NAME;
    if (left[GROUND_NONE] && adapter_counts(a, tensor)) g = GROUND_NONE;
    left[g] -= left[g] > 0;
    return g;
}

/* All tensors of a change share its ground, which is counted. */
static void rest_module(struct adapter *a, const struct adapter_module *m)
{
    enum ground g = is_known(a, m) ? GROUND_SHAPE : GROUND_NAME;
    for (unsigned k = 0; k < m->part_count; k++) a->rests[m->tensors[k]] = (uint8_t)g;
    if (m->factor != NAMES_ABSENT) a->rests[m->factor] = (uint8_t)g;
    a->grounds[g] += m->part_count + (m->factor != NAMES_ABSENT);
}

bool proof_make(struct adapter *a)
{
    const struct registry *r = &a->ck->registry;
    uint64_t *grounds = a->grounds;
    if (a->family_solved && !a->held && !a->hole)
        a->hole =
            "its base has sizes of no model that is known here; --base MODEL checks it against its base";
    claims_of_configuration(a);
    names_tell(a);
    told_compare(a);
    family_expression(a);
    compare_factors(a);
    compare_magnitudes(a);
    compare_types(a);
    compare_prompts(a);
    compare_shared(a);
    compare_bank(a);
    compare_steps(a);
    compare_beside(a, is_worth, part_is_matrix, "has no lora_E, which others have");
    compare_beside(a, part_is_scaled, is_rotation, "has no oft_R.scaled_oft, which others have");
    if (a->whole && (a->held ? a->whole_held : family_whole(a))) a->shaped += a->whole, a->named -= a->frozen;
    if (!(a->rests = arena_alloc(a->arena, r->count + 1))) return false;
    memset(a->rests, GROUND_COUNT, r->count);
    for (size_t i = 0; i < a->module_count; i++) rest_module(a, &a->modules[i]);
    grounds[GROUND_SHAPE] += a->shaped;
    grounds[GROUND_NAME] += a->named;
    uint64_t known = grounds[GROUND_SHAPE] + grounds[GROUND_NAME];
    grounds[GROUND_NONE] = known < r->count ? r->count - known : 0;
    a->proven = r->count > 0 && grounds[GROUND_SHAPE] == r->count && a->complaint_count == 0 && !a->hole &&
                a->ck->missing == 0;
    uint64_t left[GROUND_COUNT] = {
        [GROUND_SHAPE] = a->shaped, [GROUND_NAME] = a->named, [GROUND_NONE] = grounds[GROUND_NONE]
    };
    for (uint32_t i = 0; i < r->count; i++)
        if (a->rests[i] == GROUND_COUNT) a->rests[i] = (uint8_t)rest_of(a, i, left);
    return true;
}

/*
 * border.c -- copies the structs of numel.h, up to the size that both sides know.
 *
 * A new field must be appended after all fields that older callers have. If a struct ended in padding, the
 * new field would be inside it, where an older caller may have left any value. So no struct ends in padding,
 * which is checked below. When you append a field, change its row.
 */
#include "base/border.h"

#include <string.h>

#define LAST(type, field)                                                             \
    _Static_assert(offsetof(type, size) == 0, #type " begins with its size");         \
    _Static_assert(offsetof(type, field) + sizeof((type){ 0 }.field) == sizeof(type), \
                   #type " ends with the last field: append to it, and fill up what is padding")
LAST(numel_options, save);
LAST(numel_range, kept);
LAST(numel_remote_file, bytes);
LAST(numel_work, resume);
LAST(numel_knowledge, set_use);
LAST(numel_view, third);
LAST(numel_plan, reserved);
LAST(numel_style, reserved);
LAST(numel_check, against);
LAST(numel_hashing, reserved);
LAST(numel_printout, bytes);
LAST(numel_counts, active);
LAST(numel_dtype, standing);
LAST(numel_tensor, flags);
LAST(numel_file, tensors);
LAST(numel_finding, offset);
LAST(numel_meta, offset);
LAST(numel_facts, groups);
LAST(numel_symbol, reserved);
LAST(numel_term, reserved);
LAST(numel_expected, reserved);
LAST(numel_line, reserved);
LAST(numel_tensor_facts, reserved);
LAST(numel_difference, text);
LAST(numel_group, tensor);
LAST(numel_row, remote);
LAST(numel_listing, cache_error);
LAST(numel_totals, resumed);
LAST(numel_columns, reserved);

/* ---- copying ------------------------------------------------------------------------------ */

enum { LARGEST = 4096 }; /* limit for the size of a struct in any version: an unset size is usually larger */

NUMEL_MUST static bool usage(numel_error *e, const char *type, const char *what)
{
    return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "%s: %s", type, what);
}

NUMEL_MUST static bool check_size(size_t size, const char *type, numel_error *e)
{
    if (size == 0)
        return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE,
                         "%s.size is 0: begin with '%s x = NUMEL_INIT(%s)', which sets it", type, type, type);
    if (size <= LARGEST && size % sizeof size == 0) return true;
    return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE,
                     "%s.size is %zu, which no version has: set it to sizeof(%s)", type, size, type);
}

static size_t size_at(const void *p)
{
    size_t size;
    memcpy(&size, p, sizeof size);
    return size;
}

/* Copies the front of `theirs` to own[size], and sets the rest to 0. */
NUMEL_MUST static bool take(void *own, size_t size, const void *theirs, const char *type, numel_error *e)
{
    memset(own, 0, size);
    if (theirs) {
        const unsigned char *bytes = theirs;
        size_t n = size_at(theirs);
        if (!check_size(n, type, e)) return false;
        for (size_t i = size; i < n; i++)
            if (bytes[i])
                return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE,
                                 "a field of %s is set that is newer than this library (numel %s)", type,
                                 numel_version());
        memcpy(own, theirs, n < size ? n : size);
    }
    memcpy(own, &size, sizeof size);
    return true;
}

#define TAKE(type, own, theirs, e) take(own, sizeof(type), theirs, #type, e)

/* ---- each struct -------------------------------------------------------------------------- */

bool border_options(numel_options *own, const numel_options *theirs, numel_error *e)
{
    if (!TAKE(numel_options, own, theirs, e)) return false;
    if (!own->allocator) own->allocator = &memory_malloc;
    return own->allocator->resize || usage(e, "numel_options", "its allocator has no resize()");
}

bool border_work(numel_work *own, const numel_work *theirs, numel_error *e)
{
    return TAKE(numel_work, own, theirs, e);
}

NUMEL_MUST static bool check_texts(const char *const *texts, size_t n, const char *type, const char *what,
                                   numel_error *e)
{
    bool ok = texts || n == 0;
    for (size_t i = 0; ok && i < n; i++) ok = texts[i] != NULL;
    return ok || usage(e, type, what);
}

/* A later version may use it, and would then misread a leftover value. */
NUMEL_MUST static bool check_reserved(const bool *reserved, size_t n, const char *type, numel_error *e)
{
    static const bool none[8];
    return memcmp(reserved, none, n) == 0 || usage(e, type, "a reserved field is not 0");
}

bool border_knowledge(numel_knowledge *own, const numel_knowledge *theirs, numel_error *e)
{
    return TAKE(numel_knowledge, own, theirs, e) &&
           check_reserved(own->reserved, sizeof own->reserved, "numel_knowledge", e) &&
           check_texts(own->specs, own->spec_count, "numel_knowledge", "one of its specs is NULL", e) &&
           check_texts(own->sets, own->set_count, "numel_knowledge", "one of its sets is NULL", e) &&
           (own->config_text || own->config_bytes == 0 ||
            usage(e, "numel_knowledge", "its config_text is NULL")) &&
           (!own->set_use || own->set_use->size >= sizeof *own->set_use ||
            usage(e, "numel_knowledge", "its set_use is too small"));
}

bool border_view(numel_view *own, const numel_view *theirs, numel_error *e)
{
    if (!TAKE(numel_view, own, theirs, e)) return false;
    if (!check_texts(own->matches, own->match_count, "numel_view", "one of its matches is NULL", e) ||
        !check_texts(own->expects, own->expect_count, "numel_view", "one of its expects is NULL", e))
        return false;
    if ((unsigned)own->by > NUMEL_BY_FILE) return usage(e, "numel_view", "its `by` is not a numel_by");
    return (unsigned)own->sort <= NUMEL_SORT_DTYPE ||
           usage(e, "numel_view", "its `sort` is not a numel_sort");
}

bool border_plan(numel_plan *own, const numel_plan *theirs, numel_error *e)
{
    return TAKE(numel_plan, own, theirs, e) &&
           check_reserved(own->reserved, sizeof own->reserved, "numel_plan", e) &&
           ((unsigned)own->runtime <= NUMEL_RUNTIME_VLLM ||
            usage(e, "numel_plan", "its runtime is not a numel_runtime"));
}

bool border_style(numel_style *own, const numel_style *theirs, numel_error *e)
{
    return TAKE(numel_style, own, theirs, e) &&
           check_reserved(own->reserved, sizeof own->reserved, "numel_style", e) &&
           ((unsigned)own->format <= NUMEL_HTML ||
            usage(e, "numel_style", "its format is not a numel_style_format"));
}

bool border_hashing(numel_hashing *own, const numel_hashing *theirs, numel_error *e)
{
    return TAKE(numel_hashing, own, theirs, e) &&
           check_reserved(own->reserved, sizeof own->reserved, "numel_hashing", e);
}

bool border_printout(numel_printout *own, const numel_printout *theirs, numel_error *e)
{
    if (!TAKE(numel_printout, own, theirs, e)) return false;
    if (!own->text && own->bytes) return usage(e, "numel_printout", "its text is NULL");
    if (!own->text) own->text = "";
    if (!own->name) own->name = "a printout";
    return true;
}

bool border_check(struct border_check *own, const numel_check *theirs, numel_error *e)
{
    numel_check *c = &own->check;
    if (!TAKE(numel_check, c, theirs, e)) return false;
    if ((unsigned)c->level > NUMEL_LEVEL_HASH)
        return usage(e, "numel_check", "its level cannot be requested");
    if (!check_texts(c->expects, c->expect_count, "numel_check", "one of its expects is NULL", e))
        return false;
    if (!border_work(&own->work, c->work, e)) return false;
    if (c->work) c->work = &own->work;
    return true;
}

bool border_listing(struct border_listing *own, const numel_listing *theirs, numel_error *e)
{
    numel_listing *l = &own->listing;
    if (!TAKE(numel_listing, l, theirs, e) || !border_knowledge(&own->knowledge, l->knowledge, e))
        return false;
    own->knowledge.declared_only = !l->deep;
    own->knowledge.lone_file = l->deep; /* deep lists search in single files, too */
    l->knowledge = &own->knowledge;
    if (!l->row) return usage(e, "numel_listing", "its `row` is NULL");
    return (l->shards ? l->shard >= 1 && l->shard <= l->shards : l->shard == 0) ||
           usage(e, "numel_listing", "its shard is not in 1 to `shards`");
}

bool border_columns(numel_columns *own, const numel_columns *theirs, numel_error *e)
{
    return TAKE(numel_columns, own, theirs, e) &&
           check_reserved(own->reserved, sizeof own->reserved, "numel_columns", e);
}

bool border_row(numel_row *own, const numel_row *theirs, numel_error *e)
{
    if (!TAKE(numel_row, own, theirs, e)) return false;
    if (!own->path || !own->name) return usage(e, "numel_row", "its path or name is NULL");
    return (unsigned)own->state <= NUMEL_STATE_DAMAGED ||
           usage(e, "numel_row", "its state is not a numel_state");
}

bool border_totals(numel_totals *own, const numel_totals *theirs, numel_error *e)
{
    return TAKE(numel_totals, own, theirs, e);
}

bool border_give(void *theirs, const void *own, size_t size, const char *type, numel_error *e)
{
    size_t n = size_at(theirs), filled = n < size ? n : size;
    if (!check_size(n, type, e)) return false;
    memset(theirs, 0, n);
    memcpy(theirs, own, filled);
    memcpy(theirs, &filled, sizeof filled);
    return true;
}

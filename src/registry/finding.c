/*
 * finding.c -- the table of rules, and the list of findings. 100 findings of each rule are kept; the rest are
 * counted.
 */
#include "registry/finding.h"

#include "base/text.h"

#include <string.h>

/* severity, lacks */
#define RULE_NOTE NUMEL_NOTE, false
#define RULE_WARNING NUMEL_WARNING, false
#define RULE_ERROR NUMEL_ERROR, false
#define RULE_LACK NUMEL_ERROR, true

static const struct {
    const char *code;
    numel_severity severity;
    bool lacks;
    numel_level level;
    enum remedy remedy;
} rules[FINDING_RULES] = {
#define X(name, code, severity, level, remedy) \
    [FINDING_##name] = { code, RULE_##severity, NUMEL_LEVEL_##level, REMEDY_##remedy },
    FINDINGS(X)
#undef X
};

void findings_init(struct findings *f, struct arena *a) { *f = (struct findings){ .arena = a }; }

void findings_done(struct findings *f)
{
    memory_release(f->arena->memory, f->items);
    findings_init(f, f->arena);
}

/* The escaped name, in the arena; "" if there is none. */
NUMEL_MUST static const char *escaped(struct arena *a, numel_str s)
{
    struct buffer b;
    if (!s.p || s.n == 0) return "";
    buffer_init(&b, a->memory);
    text_escape(&b, s);
    return buffer_keep(&b, a);
}

static void append(struct findings *f, enum finding_rule rule, const char *file, numel_str tensor,
                   uint64_t offset, const char *message)
{
    void *p = f->items;
    numel_error ignored = { 0 };
    const char *name = escaped(f->arena, tensor);
    const char *path = file ? arena_text(f->arena, file, text_of(file).n) : "";
    message = arena_text(f->arena, message, text_of(message).n);
    if (!name || !path || !message ||
        !memory_grow(f->arena->memory, &p, &f->cap, f->count + 1, sizeof *f->items, &ignored)) {
        f->failed = true;
        return;
    }
    f->items = p;
    f->items[f->count++] = (numel_finding){ .size = sizeof(numel_finding),
                                            .code = rules[rule].code,
                                            .severity = rules[rule].severity,
                                            .level = rules[rule].level,
                                            .file = path,
                                            .tensor = name,
                                            .offset = offset,
                                            .message = message };
}

const char *finding_level(numel_level level)
{
    static const char *const names[] = {
        [NUMEL_LEVEL_HEADER] = "header", [NUMEL_LEVEL_SIZE] = "size", [NUMEL_LEVEL_INDEX] = "index",
        [NUMEL_LEVEL_CONFIG] = "config", [NUMEL_LEVEL_HASH] = "hash", [NUMEL_LEVEL_VALUES] = "values"
    };
    return names[level] ? names[level] : "";
}

enum remedy finding_remedy(const numel_finding *f)
{
    for (size_t i = 0; i < FINDING_RULES; i++)
        if (rules[i].code == f->code) return rules[i].remedy;
    return REMEDY_NONE;
}

bool finding_lacks(const numel_finding *f)
{
    for (size_t i = 0; i < FINDING_RULES; i++)
        if (rules[i].code == f->code) return rules[i].lacks;
    return false;
}

const char *finding_rule_at(unsigned rule, numel_severity *severity, const char **about)
{
    if (rule >= FINDING_RULES) return NULL;
    *severity = rules[rule].severity;
    *about = finding_about((enum finding_rule)rule);
    return rules[rule].code;
}

const char *finding_severity(numel_severity s)
{
    return s == NUMEL_ERROR ? "error" : s == NUMEL_WARNING ? "warning" : "note";
}

numel_severity finding_strictly(const numel_finding *f)
{
    bool lifted = f->severity == NUMEL_WARNING || finding_remedy(f) == REMEDY_REVIEW;
    return lifted ? NUMEL_ERROR : f->severity;
}

static bool all_kept(enum finding_rule r)
{
    return r == FINDING_SHARD_MISSING || r == FINDING_FILE_UNREADABLE || r == FINDING_LFS_POINTER;
}

void findings_add(struct findings *f, enum finding_rule rule, const char *file, numel_str tensor,
                  uint64_t offset, const char *format, ...)
{
    char text[512], message[sizeof text];
    if (f->seen[rule]++ >= FINDINGS_EACH && !all_kept(rule)) return;
    va_list args;
    va_start(args, format);
    struct fixed whole = FIXED(text);
    fixed_formatv(&whole, format, args);
    va_end(args);
    numel_str said = { text, whole.n };
    if (whole.cut) said.n = text_whole(said);
    text_safe_fit(message, sizeof message, said); /* the arguments may contain paths */
    append(f, rule, file, tensor, offset, message);
}

void findings_close(struct findings *f)
{
    for (size_t i = 0; i < FINDING_RULES; i++) {
        char message[128];
        if (f->seen[i] <= FINDINGS_EACH || all_kept((enum finding_rule)i)) continue;
        text_format(message, sizeof message, "%" PRIu64 " more findings like this: %s",
                    f->seen[i] - FINDINGS_EACH, rules[i].code);
        append(f, FINDING_MORE, NULL, (numel_str){ NULL, 0 }, NUMEL_NOWHERE, message);
        if (!f->failed) f->items[f->count - 1].level = rules[i].level;
    }
}

struct findings_mark findings_mark(const struct findings *f)
{
    struct findings_mark m = { .count = f->count };
    memcpy(m.seen, f->seen, sizeof m.seen);
    return m;
}

void findings_rollback(struct findings *f, const struct findings_mark *m)
{
    f->count = m->count;
    memcpy(f->seen, m->seen, sizeof f->seen);
}

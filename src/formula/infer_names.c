/*
 * infer_names.c -- how many layers and experts a file has, from the numbers in its names; see
 * infer_internal.h.
 *
 * A name of the spec is made with a marker instead of a number. The text before and after the marker is then
 * looked up in the names of the file, once for each pattern.
 */
#include "formula/infer_internal.h"

static const char marker[] = "\x01"; /* not in any name */

/* The number in a name at the place of the marker; -1 if the name does not fit. The rest after the number
 * must equal `after` if `entire`, else begin with the same byte. */
static int64_t number_in(numel_str name, numel_str before, numel_str after, bool entire)
{
    int64_t n = 0;
    size_t at = before.n;
    if (name.n <= at || memcmp(name.p, before.p, at) != 0) return -1;
    for (; at < name.n && name.p[at] >= '0' && name.p[at] <= '9' && n < 100000000; at++)
        n = n * 10 + (name.p[at] - '0');
    numel_str rest = text_from(name, at);
    if (at == before.n) return -1;
    if (entire) return text_same(rest, after) ? n : -1;
    return !after.n || (rest.n && rest.p[0] == after.p[0]) ? n : -1;
}

static int64_t scan(struct search *f, numel_str pattern, bool entire)
{
    const struct infer_file *names = f->in->file;
    size_t at = text_find(pattern, 0, marker[0]);
    int64_t most = -1;
    numel_str name;
    if (at == pattern.n) return -1;
    numel_str before = text_upto(pattern, at);
    numel_str after = text_from(pattern, at + 1);
    for (size_t i = 0; names->next(names->names.ctx, i, &name); i++) {
        int64_t n = number_in(name, before, after, entire);
        if (n > most && (uint64_t)n < f->names) most = n; /* each number has a name of its own */
    }
    f->steps += f->names / 8;
    return most;
}

NUMEL_MUST static bool largest(struct search *f, numel_str pattern, bool entire, int64_t *out)
{
    for (size_t i = 0; i < f->largest_count; i++)
        if (text_same(f->largest[i].pattern, pattern)) return *out = f->largest[i].number, true;
    *out = scan(f, pattern, entire);
    char *text = arena_text(f->arena, pattern.p, pattern.n);
    if (!text) return error_nomem(f->error);
    if (!memory_grow(f->arena->memory, (void **)&f->largest, &f->largest_cap, f->largest_count + 1,
                     sizeof *f->largest, f->error))
        return false;
    f->largest[f->largest_count++] = (struct largest){ { text, pattern.n }, *out };
    return true;
}

bool names_of_stack(struct spec_walk *w, const struct tensor_part *p, int64_t *most)
{
    struct trial *s = w->ctx;
    struct value mark = value_text(text_of(marker)), zero = value_int(0);
    numel_str pattern;
    *most = -1;
    env_bind(w->env, SYMBOL_E, &mark);
    bool said = walk_name(w, p->tensor, w->env->names, p->part, &pattern);
    env_bind(w->env, SYMBOL_E, &zero);
    return said ? largest(s->f, pattern, true, most) : form_unknown(s);
}

/* ---- loops ------------------------------------------------------------------------------------ */

/* Visits the lines inside a loop whose symbol is the marker: takes every branch, leaves lets as they are, and
 * walks inner loops once with their symbols as they are. */

NUMEL_MUST static bool keep_highest(struct spec_walk *w, uint32_t name)
{
    struct trial *s = w->ctx;
    numel_str pattern;
    int64_t n = -1;
    error_clear(&s->scratch);
    if (!walk_text(w, w->env->names, name, "", &pattern)) return form_unknown(s);
    if (!largest(s->f, pattern, false, &n)) return false;
    if (n > s->highest) s->highest = n;
    return true;
}

static bool loop_step(struct spec_walk *w)
{
    struct trial *s = w->ctx;
    error_clear(&s->scratch);
    s->f->exhausted |= ++s->f->steps > s->f->most;
    return !s->f->exhausted;
}

/* Names inside a prefix that has the number have the same number. */
NUMEL_MUST static bool loop_prefix(struct spec_walk *w, bool said, bool *inside)
{
    struct trial *s = w->ctx;
    const struct buffer *prefix = &w->prefix[w->env->names];
    bool numbered = said && prefix->n && memchr(prefix->p, marker[0], prefix->n);
    *inside = said && !numbered;
    s->score.unsure += !said;
    if (!said) return form_unknown(s);
    return !numbered || keep_highest(w, 0);
}

NUMEL_MUST static bool loop_tensor(struct spec_walk *w, const struct tensor_part *p)
{
    return p->part == PART_BIAS || keep_highest(w, p->tensor->name[w->env->names]);
}

bool names_of_loop(struct spec_walk *w, int64_t *most)
{
    static const struct walk_visitor inside = { .step = loop_step,
                                                .prefix = loop_prefix,
                                                .tensor = loop_tensor };
    struct trial *s = w->ctx;
    struct value mark = value_text(text_of(marker));
    s->highest = -1;
    env_bind(w->env, w->line->symbol, &mark);
    bool ok = walk_inside(w, &inside);
    *most = s->highest;
    return ok;
}

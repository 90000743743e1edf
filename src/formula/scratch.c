/* scratch.c -- copies the values of symbols from one arena to another; see scratch.h. */
#include "formula/scratch.h"

#include <string.h>

enum { SWEEP_LEAST = 256 << 10, SWEEP_GROWTH = 4 };

void scratch_init(struct scratch *s, struct arena *values)
{
    *s = (struct scratch){ .values = values };
    arena_init(&s->other, values->memory);
}

void scratch_done(struct scratch *s) { arena_done(&s->other); }

static bool move_value(struct scratch *s, struct value *v)
{
    if (v->key && arena_holds(s->values, v->key)) v->key = arena_text(&s->other, v->key, strlen(v->key));
    if (v->kind == VALUE_TEXT && arena_holds(s->values, v->s.p))
        v->s.p = arena_text(&s->other, v->s.p, v->s.n);
    return !s->other.failed;
}

bool scratch_sweep(struct scratch *s, struct env *env)
{
    if (s->values->held <= SWEEP_LEAST || s->values->held / SWEEP_GROWTH <= s->kept) return true;
    for (size_t i = 0; i < env->spec->symbol_count; i++) {
        if (!env->is_bound[i]) continue;
        if (!move_value(s, &env->bound[i])) return error_nomem(env->error);
        if (s->other.held > EVAL_MEMORY)
            return error_set(env->error, NUMEL_E_LIMIT, NUMEL_NOWHERE,
                             "the texts of the spec's symbols take more than %d bytes", EVAL_MEMORY);
    }
    arena_done(s->values);
    struct arena swept = *s->values;
    *s->values = s->other;
    s->other = swept;
    s->kept = s->values->held;
    return true;
}

/* whole.c -- see whole.h. */
#include "subject/whole.h"

#include "base/text.h"
#include "source/folder.h"
#include "subject/causes.h"

/* What is wrong with a component, in a few words; NULL: NOMEM. */
NUMEL_MUST static const char *wrong_with(const struct component *x, struct arena *a)
{
    char shown[TEXT_QUOTE];
    if (x->said) return arena_format(a, "its config.json says %s", text_bare(shown, text_of(x->said)));
    if (x->off) return x->off;
    if (x->row.error) return arena_format(a, "%s", x->row.error->what);
    if (x->doubt) return x->doubt;
    return x->why ? x->why : numel_state_name(x->verdict);
}

NUMEL_MUST static bool add_component(struct causes *l, const struct component *x)
{
    static const char *const codes[] = { [NUMEL_STATE_UNKNOWN] = "component-unknown",
                                         [NUMEL_STATE_IN_PART] = "component-in-part",
                                         [NUMEL_STATE_DISAGREES] = "component-disagrees",
                                         [NUMEL_STATE_INCOMPLETE] = "component-incomplete",
                                         [NUMEL_STATE_DAMAGED] = "component-damaged" };
    char name[TEXT_QUOTE];
    const char *what = wrong_with(x, l->arena);
    const char *text =
        what ? arena_format(l->arena, "%s: %s", text_bare(name, text_of(x->name)), what) : NULL;
    numel_state least = x->verdict < NUMEL_STATE_DISAGREES ? NUMEL_STATE_IN_PART : x->verdict;
    return cause_add(l, codes[x->verdict], least, 0, text);
}

/* Adds the worst first; components that can only be checked in part come last. */
NUMEL_MUST static bool add_components(struct causes *l, const struct components *c)
{
    for (int s = NUMEL_STATE_DAMAGED; s >= NUMEL_STATE_UNKNOWN; s--)
        for (size_t i = 0; i < c->count; i++) {
            const struct component *x = &c->items[i];
            bool it = component_is_judged(x) && (int)x->verdict == s && s != NUMEL_STATE_AGREES;
            if (it && !add_component(l, x)) return false;
        }
    return true;
}

NUMEL_MUST static bool add_index(struct causes *l, const struct components *c)
{
    char file[TEXT_QUOTE];
    if (!c->pipeline || !c->pipeline->why) return true;
    return cause_add(l, "component-index-unreadable", NUMEL_STATE_DAMAGED, 0,
                     arena_format(l->arena, "%s cannot be read: %s",
                                  text_bare(file, path_base(c->pipeline->index)), c->pipeline->why->what));
}

bool judgement_of_whole(numel_judgement *out, const struct components *c, struct arena *a, numel_error *e)
{
    char shown[TEXT_QUOTE];
    struct causes l = { .arena = a, .error = e };
    *out = (numel_judgement){ .size = sizeof *out,
                              .kind = c->parts ? NUMEL_IS_SEVERAL : NUMEL_IS_PIPELINE,
                              .verdict = c->verdict,
                              .architecture = c->class,
                              .known_by = !c->class  ? NULL
                                          : c->parts ? "names and shapes"
                                                     : "configuration" };
    bool ok = !c->parts || causes_of_bytes(&l, c->parts->whole);
    if (!ok || !add_index(&l, c) || !add_components(&l, c)) return false;
    if (c->class) text_bare(shown, text_of(c->class));
    if (c->class && !(out->name = arena_text(a, shown, strlen(shown)))) return error_nomem(e);
    out->cause_count = l.count;
    out->causes = arena_copy(a, l.items, (l.count + 1) * sizeof *l.items);
    return out->causes || error_nomem(e);
}

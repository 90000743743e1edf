/*
 * sidecars.c -- writes packed tensors that their names identify: the lines of layouts with `clear` or
 * `vague`.
 */
#include "derive.h"

#include <stdbool.h>
#include <stdio.h>

struct sidecar {
    struct span layout, role;
    int turn;
    bool vague, even;
};

static bool is(struct span s, const char *text) { return span_order(s, span_of(text)) == 0; }

static void put_row(const struct sidecar *x, const char *before, struct span end)
{
    if (x->turn != 2 * !is(x->role, "value") + (*before || *end.p == '*')) return;
    printf("    { \"%s%.*s\", \"%.*s\", LAYOUT_", before, (int)end.n, end.p, (int)x->layout.n, x->layout.p);
    for (size_t k = 0; k < x->role.n; k++) putchar(x->role.p[k] & ~32);
    printf(", %d, %d },\n", x->vague, x->even);
}

/* The part after all braces: "qweight" for {M}.qweight. After {_} it may also be the end of a longer part;
 * after {W} it always is, since a stack is named "P.down_proj". */
static void put_named(const struct sidecar *x, struct span name)
{
    const char *stop = name.p + name.n, *from = stop;
    while (from > name.p && from[-1] != '}') from--;
    char mark = from - name.p >= 3 && from[-3] == '{' ? from[-2] : 0;
    bool dot = from < stop && *from == '.';
    struct span end = { from + dot, (size_t)(stop - (from + dot)) };
    put_row(x, mark == 'W' && !dot ? "*" : "", end);
    if (mark == '_') put_row(x, "*_", end);
}

void sidecars_line(struct span line, int turn)
{
    static struct span layout;
    struct span role = word_of(&line), name = word_of(&line), word;
    if (is(role, "layout")) layout = name;
    if (is(role, "extra")) role = name, name = word_of(&line);
    if (!role.n || *role.p == '#') return;
    struct sidecar x = { layout, role, turn, false, false };
    while ((word = word_of(&line)).n && *word.p != '#') {
        struct span how = { word.p, word.n < 5 ? word.n : 5 };
        x.even |= is(word, "even");
        x.vague = is(how, "vague");
        if (!x.vague && !is(how, "clear")) continue;
        if (word.n == 5) put_named(&x, name);
        else put_row(&x, "", (struct span){ word.p + 6, word.n - 6 });
    }
}

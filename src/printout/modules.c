/*
 * modules.c -- parses one printed model: plain text (lines.h) to a tree of modules.
 *
 *     top     = Class '(' inside ')'
 *     inside  = arguments { entry }             arguments: anything, brackets balanced
 *     entry   = '(' name ')' ':' value
 *     value   = [ N 'x' ] Class '(' inside ')'
 *             | ("Parameter" | "Tensor") " containing: [" type " of size " AxB ... ']'
 *
 * Brackets determine the nesting, so a printout that lost its line breaks or indentation is read too.
 * Indentation that follows the brackets is additional evidence: it shows where a printout continues
 * after missing lines, and where prose begins after one that was cut. Squeezed indentation, every line
 * one blank deep, is not evidence: then brackets alone decide, and unbalanced ones show a missing line.
 * The stack of open modules is an array of PRINTOUT_DEPTH: nothing here recurses.
 */
#include "printout/printout.h"

#include "base/num.h"
#include "base/number.h"
#include "base/text.h"

#include <ctype.h>

enum { NAME_BYTES = 256, NO_COLUMN = 0 };

enum trust { UNDECIDED, INDENTED, LOOSE };

struct parsing {
    struct printout *p;
    const char *t;
    size_t n, at;
    uint32_t line;
    size_t line_start;
    uint32_t open[PRINTOUT_DEPTH]; /* modules not closed yet */
    size_t column[PRINTOUT_DEPTH]; /* where they start; NO_COLUMN: not first in a line */
    unsigned depth;
    unsigned brackets;              /* open in the arguments */
    bool in_args;                   /* of the innermost module */
    size_t args;                    /* where they start */
    size_t top_column, first_child; /* columns; NO_COLUMN: not first in a line, or not seen yet */
    enum trust trust;
    bool nested;                   /* indentation below the first level was tested against the brackets */
    uint64_t next[PRINTOUT_DEPTH]; /* number of the next child, if children are numbered */
    bool ellipsis;                 /* since the last entry */
    bool done, cut;
};

/* ---- looking ------------------------------------------------------------------------------ */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

/* The text not yet read. */
static numel_str rest_of(const struct parsing *s) { return text_from((numel_str){ s->t, s->n }, s->at); }

/* The offset after "(name):" at i; 0 if it is not there. */
static size_t entry_at(const char *t, size_t n, size_t i)
{
    size_t end = i + 1;
    if (i >= n || t[i] != '(') return 0;
    while (end < n && end - i <= NAME_BYTES && t[end] != '(' && t[end] != ')' && t[end] != '\n') end++;
    return end > i + 1 && end + 1 < n && t[end] == ')' && t[end + 1] == ':' ? end + 2 : 0;
}

static size_t skip_blank(const char *t, size_t n, size_t i)
{
    while (i < n && (t[i] == ' ' || t[i] == '\n')) i++;
    return i;
}

static size_t line_end(const char *t, size_t n, size_t i)
{
    const char *end = i < n ? memchr(t + i, '\n', n - i) : NULL;
    return end ? (size_t)(end - t) : n;
}

/* Does the '(' at i open a module? An entry follows directly, or after one line of arguments. */
static bool opens_module(const char *t, size_t n, size_t i)
{
    size_t next = skip_blank(t, n, i + 1), end;
    if (entry_at(t, n, next)) return true;
    if (next >= n || !memchr(t + i, '\n', next - i)) return false;
    end = line_end(t, n, next);
    return entry_at(t, n, skip_blank(t, n, end)) && !memchr(t + next, ';', end - next);
}

/* A model of one module: "Linear(in_features=4, out_features=2, bias=True)" alone on its line. */
static bool is_leaf(const char *t, size_t start, size_t bracket, size_t end)
{
    static const char *const sizes[] = { "in_features=", "num_embeddings=", "kernel_size=(",
                                         "elementwise_affine=" };
    numel_str rest = text_span(t + bracket + 1, t + end);
    while (text_take_end(&rest, " ")) continue;
    if (rest.n == 0 || text_last(rest) != ')' || start == bracket) return false;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (text_seek(rest, text_of(sizes[i])) < num_min(rest.n, 64)) return true;
    return false;
}

/* Finds the class name of a top module in the line t[i..end): its offset and that of its '('. */
static bool find_top(const char *t, size_t n, size_t i, size_t end, size_t *class, size_t *bracket)
{
    size_t first = skip_blank(t, end, i);
    for (size_t at = i; at < end; at = *bracket + 1) {
        const char *b = memchr(t + at, '(', end - at);
        if (!b) return false;
        *bracket = *class = (size_t)(b - t);
        while (*class > at && is_word(t[*class - 1])) --*class;
        if (*class == *bracket || isdigit((unsigned char)t[*class]) || t[*class] == '.') continue;
        if (opens_module(t, n, *bracket)) return true;
        if (*class == first && is_leaf(t, *class, *bracket, end)) return true;
    }
    return false;
}

/* ---- opening and closing ------------------------------------------------------------------ */

NUMEL_MUST static bool too_much(struct parsing *s, numel_rc code, const char *what)
{
    return error_set(s->p->error, code, NUMEL_NOWHERE, "line %" PRIu32 ": %s", s->line, what);
}

static struct module *innermost(struct parsing *s) { return &s->p->modules[s->open[s->depth - 1]]; }

/* Ends the arguments of the innermost module at `end`, and counts its parameters. */
NUMEL_MUST static bool end_args(struct parsing *s, size_t end)
{
    struct module *m = innermost(s);
    numel_str args = text_span(s->t + s->args, s->t + end);
    if (!s->in_args) return true;
    s->in_args = false;
    s->brackets = 0;
    while (isspace((unsigned char)text_first(args))) args = text_from(args, 1);
    while (isspace((unsigned char)text_last(args))) args = text_less(args, 1);
    m->args = args;
    return module_count_own(s->p, m);
}

/* Opens `m`, which has its name, class and copies; its arguments start at s->at. */
NUMEL_MUST static bool open_module(struct parsing *s, struct module *m, size_t column)
{
    uint64_t above = s->depth ? innermost(s)->times : 1;
    uint32_t i = (uint32_t)s->p->module_count;
    if (s->depth == PRINTOUT_DEPTH)
        return too_much(s, NUMEL_E_LIMIT, "modules nested more than 200 deep: not a printed model");
    if (s->p->module_count == PRINTOUT_MODULES)
        return too_much(s, NUMEL_E_LIMIT, "more than 524,288 modules: not a printed model");
    if (!num_mul(&m->times, above, m->copies))
        return too_much(s, NUMEL_E_OVERFLOW, "so many copies do not fit in 64 bits");
    if (!memory_grow(s->p->arena.memory, &s->p->modules, &s->p->module_cap, s->p->module_count + 1, sizeof *m,
                     s->p->error))
        return false;
    m->parent = s->depth ? s->open[s->depth - 1] : i;
    m->line = s->line;
    s->p->modules[s->p->module_count++] = *m;
    s->column[s->depth] = column;
    s->next[s->depth] = 0;
    s->open[s->depth++] = i;
    s->in_args = true;
    s->args = s->at;
    s->brackets = 0;
    return true;
}

/* Closes the innermost module, whose text ends at `end`. */
static bool close_module(struct parsing *s, size_t end)
{
    if (!end_args(s, end)) return false;
    struct module *m = innermost(s);
    m->end = (uint32_t)s->p->module_count;
    if (m->shows == SHOWS_NO_SIZE && m->holds) m->shows = SHOWS_CHILDREN;
    bool holds = m->holds || m->shows == SHOWS_SIZES || m->shows == SHOWS_NO_SIZE;
    s->depth--;
    if (s->depth) innermost(s)->holds |= holds;
    s->done = s->depth == 0;
    return true;
}

/* Closes modules down to `depth` that are over by their indentation. */
static bool close_forgotten(struct parsing *s, unsigned depth)
{
    const struct module *m = innermost(s);
    char name[TEXT_QUOTE];
    printout_remark(s->p, s->ellipsis, "not-closed", s->line, 0,
                    "the bracket of %s, opened in line %" PRIu32 ", is not closed before this line",
                    text_quote(name, m->name.n ? m->name : m->class), m->line);
    s->cut = true;
    while (s->depth > depth)
        if (!close_module(s, s->in_args ? s->args : s->at)) return false;
    return true;
}

/* ---- entries ------------------------------------------------------------------------------ */

/* Reads "32 x " at s->at: returns the count as text, and moves s->at past it. */
static numel_str read_copies(struct parsing *s)
{
    size_t i = s->at, j;
    while (i < s->n && isdigit((unsigned char)s->t[i])) i++;
    for (j = i; j < s->n && s->t[j] == ' '; j++) continue;
    if (i == s->at || j == i || j + 1 >= s->n || s->t[j] != 'x' || s->t[j + 1] != ' ')
        return (numel_str){ NULL, 0 };
    numel_str digits = text_span(s->t + s->at, s->t + i);
    s->at = skip_blank(s->t, s->n, j + 1);
    return digits;
}

/* Reads the numbers in a name: "7", or "0-31" with `copies`. */
NUMEL_MUST static bool read_numbers(struct parsing *s, struct module *m, numel_str copies)
{
    char name[TEXT_QUOTE];
    const char *dash = m->name.n ? memchr(m->name.p, '-', m->name.n) : NULL;
    uint64_t stated;
    m->copies = 1;
    if (!copies.n) {
        m->numbered = number_plain(m->name, &m->from);
        m->to = m->from;
        return true;
    }
    size_t k = dash ? (size_t)(dash - m->name.p) : m->name.n;
    numel_str low = text_upto(m->name, k), high = text_from(m->name, k + 1);
    bool range = text_is_number(low) && text_is_number(high);
    if (!number_plain(copies, &stated) ||
        (range && (!number_plain(low, &m->from) || !number_plain(high, &m->to))))
        return too_much(s, NUMEL_E_OVERFLOW, "a number of copies that does not fit in 64 bits");
    m->numbered = range && m->from <= m->to && m->to < UINT64_MAX;
    /* A line has at least one module: "0 x" would drop its contents from the sum. */
    m->copies = m->numbered ? m->to - m->from + 1 : num_max(stated, 1);
    if (m->copies != stated)
        printout_remark(s->p, false, "count-contradicts", s->line, 0,
                        "(%s) are %" PRIu64 " modules, the line says %" PRIu64, text_bare(name, m->name),
                        m->copies, stated);
    return true;
}

/* The sizes in "[torch.FloatTensor of size 8x1024 (cuda:0)]", from s->at to the end of its line. A scalar
 * has none. */
static numel_str read_sizes(struct parsing *s)
{
    static const char of_size[] = " of size ";
    size_t end = line_end(s->t, s->n, s->at), k = sizeof of_size - 1, i = s->at;
    while (i + k <= end && memcmp(s->t + i, of_size, k) != 0 && s->t[i] != ']') i++;
    if (i + k > end || s->t[i] == ']') return (numel_str){ NULL, 0 };
    size_t from = i + k, to = from;
    while (to < end && (isdigit((unsigned char)s->t[to]) || s->t[to] == 'x')) to++;
    for (s->at = to; s->at < end && s->t[s->at] != ']'; s->at++) continue;
    if (s->at < end) s->at++;
    return text_span(s->t + from, s->t + to);
}

/* Reads a value that is not a module: a parameter, or something without any. */
NUMEL_MUST static bool read_other(struct parsing *s, struct module *m, size_t column)
{
    static const char containing[] = " containing: [";
    if (!text_starts(rest_of(s), containing)) return true;
    m->args = read_sizes(s);
    if (!m->args.p) return true;
    numel_str sizes = m->args;
    if (!open_module(s, m, column)) return false;
    s->in_args = false;
    innermost(s)->args = sizes;
    return module_count_own(s->p, innermost(s)) && close_module(s, s->at);
}

/* Reports what "..." left out: the modules between numbered neighbours. */
static void note_left_out(struct parsing *s, const struct module *m)
{
    uint32_t parent = s->open[s->depth - 1], last = 0;
    for (uint32_t i = parent + 1; i < s->p->module_count; i = s->p->modules[i].end) last = i;
    const struct module *before = &s->p->modules[last];
    if (last && before->numbered && m->numbered && m->from > before->to + 1)
        printout_remark(s->p, true, "left-out", s->line, 0,
                        "%" PRIu64 " modules between (%" PRIu64 ") and (%" PRIu64
                        ") were left out of the text",
                        m->from - before->to - 1, before->to, m->from);
    else
        printout_remark(s->p, true, "left-out", s->line, 0,
                        "before this line something was left out ('...')");
    s->ellipsis = false;
    s->cut = true;
}

/* The numbers of a list are consecutive: a gap means missing lines. If the indentation is intact, someone
 * left out whole entries; else any line may be missing. */
static void note_gap(struct parsing *s, const struct module *m)
{
    uint64_t *next = &s->next[s->depth - 1];
    numel_str class = innermost(s)->class;
    bool list = text_equal(class, "ModuleList");
    if (!m->numbered || (!list && !text_equal(class, "Sequential"))) return;
    if (!s->ellipsis && m->from != *next && (list || *next)) {
        printout_remark(s->p, s->trust != LOOSE, "left-out", s->line, 0,
                        "(%" PRIu64 ") comes where (%" PRIu64 ") is expected in a %s: lines were left out",
                        m->from, *next, list ? "ModuleList" : "Sequential");
        s->cut = true;
    }
    *next = m->to + 1;
}

/* Is no further entry indented deeper than `column`, up to text left of it? */
static bool is_squeezed(const struct parsing *s, size_t column)
{
    for (size_t at = s->line_start, next; at < s->n; at = next + 1) {
        size_t i = skip_blank(s->t, next = line_end(s->t, s->n, at), at);
        if (i == next) continue;
        if (i - at + 1 > column && entry_at(s->t, s->n, i)) return false;
        if (i - at + 1 < column && s->t[i] != ')') return true;
    }
    return true;
}

/* At the first entry that is below the first level by its brackets: is the indentation evidence? */
static void test_indentation(struct parsing *s, size_t column)
{
    size_t above = s->column[s->depth - 1];
    if (s->nested || s->trust != INDENTED || s->depth < 2 || column == NO_COLUMN || above == NO_COLUMN)
        return;
    s->nested = true;
    if (column != above || !is_squeezed(s, column)) return;
    s->trust = LOOSE;
    printout_remark(s->p, true, "no-indentation", s->line, 0,
                    "from here on the indentation does not follow the brackets: nesting is read from the "
                    "brackets alone");
}

static void learn_indentation(struct parsing *s, size_t column)
{
    size_t above = s->depth == 1 ? s->top_column : s->column[s->depth - 1];
    if (s->first_child == NO_COLUMN) s->first_child = column;
    if (s->trust != UNDECIDED || column == NO_COLUMN || above == NO_COLUMN) return;
    if (column > above) s->trust = INDENTED;
    else if (s->depth > 1) s->trust = LOOSE;
}

/* Reads the entry "(name):" at s->at, which ends before `after`. */
NUMEL_MUST static bool read_entry(struct parsing *s, size_t after, size_t column)
{
    struct module m = { .name = { s->t + s->at + 1, after - s->at - 3 } };
    size_t entry = s->at;
    if (!end_args(s, entry)) return false;
    test_indentation(s, column);
    if (s->trust == INDENTED && column != NO_COLUMN) {
        unsigned depth = s->depth;
        while (depth > 1 && s->column[depth - 1] != NO_COLUMN && column <= s->column[depth - 1]) depth--;
        if (depth < s->depth && !close_forgotten(s, depth)) return false;
    }
    learn_indentation(s, column);
    for (s->at = after; s->at < s->n && s->t[s->at] == ' '; s->at++) continue;
    numel_str copies = read_copies(s);
    size_t class = s->at;
    while (s->at < s->n && is_word(s->t[s->at])) s->at++;
    m.class = text_span(s->t + class, s->t + s->at);
    if (!read_numbers(s, &m, copies)) return false;
    note_gap(s, &m);
    if (s->ellipsis) note_left_out(s, &m);
    if (!m.class.n || s->at >= s->n || s->t[s->at] != '(') return read_other(s, &m, column);
    s->at++;
    return open_module(s, &m, column);
}

/* ---- the page ----------------------------------------------------------------------------- */

/* Compares a ')' that is first in its line with the indentation; *closes is false if it is stray. */
static bool weigh_bracket(struct parsing *s, size_t column, bool *closes)
{
    unsigned depth = s->depth;
    *closes = true;
    if (s->trust != INDENTED || column == NO_COLUMN) return true;
    while (depth > 1 && s->column[depth - 1] != NO_COLUMN && column < s->column[depth - 1]) depth--;
    if (depth < s->depth && !close_forgotten(s, depth)) return false;
    size_t own = depth > 1 ? s->column[depth - 1] + 1 : s->first_child;
    *closes = own == NO_COLUMN || column < own;
    return true;
}

static bool read_bracket(struct parsing *s, size_t column)
{
    bool closes = true, plain = s->in_args && skip_blank(s->t, s->at, s->args) < s->at;
    if (s->brackets) {
        s->brackets--;
    } else if (plain) { /* after arguments, maybe on a wrapped line */
        if (!close_module(s, s->at)) return false;
    } else {
        if (!weigh_bracket(s, column, &closes)) return false;
        if (closes && !close_module(s, s->at)) return false;
    }
    s->at++;
    return true;
}

/* At text that starts a line and is neither an entry nor a bracket: is the printout over? */
static bool is_over(struct parsing *s, size_t column)
{
    size_t end = line_end(s->t, s->n, s->at), class, bracket;
    bool args = s->in_args && skip_blank(s->t, s->at, s->args) < s->at;
    if (end - s->at >= 3 && memcmp(s->t + s->at, "```", 3) == 0) return true;
    if (args || memchr(s->t + s->at, ')', end - s->at)) return false;
    if (s->trust == INDENTED) {
        size_t top = s->top_column == NO_COLUMN ? 1 : s->top_column;
        return column <= top && !entry_at(s->t, s->n, s->at);
    }
    return find_top(s->t, s->n, s->at, end, &class, &bracket);
}

static bool is_ellipsis(const struct parsing *s)
{
    return text_starts(rest_of(s), "...") || text_starts(rest_of(s), "\xe2\x80\xa6");
}

/* Reads one thing at s->at: white space, a bracket, an entry, or other text. `first`: nothing but blanks
 * is before it in its line. */
NUMEL_MUST static bool read_one(struct parsing *s, bool *first, bool *over)
{
    char c = s->t[s->at];
    size_t column = *first ? s->at - s->line_start + 1 : NO_COLUMN, after;
    if (c == '\n') {
        if (!s->in_args) s->brackets = 0; /* those of other text */
        s->line++;
        s->line_start = ++s->at;
        *first = true;
        return true;
    }
    if (c == ' ') {
        s->at++;
        return true;
    }
    if (c == ')') {
        *first = false;
        return read_bracket(s, column);
    }
    if (c == '(' && (after = entry_at(s->t, s->n, s->at)) != 0) {
        *first = false;
        return read_entry(s, after, column);
    }
    if (*first && is_ellipsis(s)) s->ellipsis = true;
    else if (*first && is_over(s, column)) *over = true;
    *first = false;
    if (c == '(') s->brackets++;
    if (!*over) s->at++;
    return true;
}

/* Reports where an unclosed printout stops, and closes the open modules. */
static bool end_cut(struct parsing *s)
{
    const struct module *m = innermost(s);
    uint32_t line = s->line;
    size_t end = s->at;
    char name[TEXT_QUOTE];
    while (end > 0 && isspace((unsigned char)s->t[end - 1]))
        if (s->t[--end] == '\n') line--;
    size_t start = end;
    while (start > 0 && s->t[start - 1] != '\n') start--;
    printout_remark(s->p, false, "cut-short", line, (uint32_t)num_min(end - start, UINT32_MAX),
                    "the printout stops here, inside %s of line %" PRIu32 "; open brackets: %u",
                    text_quote(name, m->name.n ? m->name : m->class), m->line, s->depth);
    s->cut = true;
    while (s->depth) /* ignores arguments that were cut */
        if (!close_module(s, s->in_args ? s->args : s->at)) return false;
    return true;
}

/* Reports brackets left over after the end: one was not opened, and only the brackets show it. */
static void note_left_over(struct parsing *s)
{
    size_t end = line_end(s->t, s->n, s->at), next = skip_blank(s->t, s->n, s->at);
    if (s->trust == INDENTED || s->cut || next <= end || next >= s->n) return;
    bool bracket = s->t[next] == ')' && s->trust == LOOSE;
    if (!bracket && !entry_at(s->t, s->n, next)) return;
    printout_remark(
        s->p, false, "not-opened", s->line, 0,
        "the printout ends here by its brackets, but goes on below: a line that opens a bracket is missing");
    s->cut = true;
}

NUMEL_MUST static bool add_print(struct parsing *s, uint32_t top, uint32_t first_line)
{
    struct printed x = { .module = top,
                         .end = (uint32_t)s->p->module_count,
                         .first_line = first_line,
                         .last_line = s->line,
                         .cut = s->cut,
                         .loose = s->trust == LOOSE };
    for (uint32_t i = top; i < x.end; i++) {
        const struct module *m = &s->p->modules[i];
        uint64_t all;
        if (!num_mul(&all, m->elements, m->times) || !num_add(&x.elements, x.elements, all))
            return error_set(s->p->error, NUMEL_E_OVERFLOW, NUMEL_NOWHERE,
                             "line %" PRIu32 ": the parameters printed do not fit in 64 bits", m->line);
        if (m->kind == MODULE_PACKED4) /* the weight comes first */
            x.packed4 += s->p->parameters[m->parameter].elements * m->times;
    }
    if (!memory_grow(s->p->arena.memory, &s->p->prints, &s->p->print_cap, s->p->print_count + 1, sizeof x,
                     s->p->error))
        return false;
    s->p->prints[s->p->print_count++] = x;
    return true;
}

bool modules_begin(const struct printout *p, size_t at)
{
    size_t class, bracket;
    return find_top(p->text.p, p->text.n, at, line_end(p->text.p, p->text.n, at), &class, &bracket);
}

bool modules_read(struct printout *p, size_t *at, uint32_t *line, bool *found)
{
    struct parsing s = { .p = p, .t = p->text.p, .n = p->text.n, .line = *line, .line_start = *at };
    size_t class, bracket;
    bool first = false, over = false;
    *found = find_top(s.t, s.n, *at, line_end(s.t, s.n, *at), &class, &bracket);
    if (!*found) return true;
    struct module top = { .class = { s.t + class, bracket - class }, .copies = 1 };
    uint32_t number = (uint32_t)p->module_count;
    if (skip_blank(s.t, s.n, *at) == class) s.top_column = class - *at + 1;
    s.at = bracket + 1;
    if (!open_module(&s, &top, s.top_column)) return false;
    while (!s.done && s.at < s.n && !over)
        if (!read_one(&s, &first, &over)) return false;
    if (s.depth && !end_cut(&s)) return false;
    note_left_over(&s);
    if (!add_print(&s, number, *line)) return false;
    *at = s.at;
    *line = s.line;
    return true;
}

/*
 * browse_draw.c -- the state as text at places of the screen.
 *
 *     agrees  llama                                                       the judgement, and its first cause
 *     model/ blk.[0-31]                            layers, bytes          where one is, and what is shown
 *       1.2 GiB  32.0 % ##########  ffn_down.weight/     32  Q4_K+Q6_K    a row: share and bar, of the largest
 *     ...
 *     288 tensors  6,979,584,000 elements  3.8 GiB                ? help  all of what is shown
 *
 * A row has fewer columns on a narrow screen. A name that is too long loses its middle.
 */
#include "browse.h"

#include <stdio.h>
#include <string.h>

/* ---- numbers ------------------------------------------------------------------------------------ */

const char *browse_count(struct digits *out, uint64_t v)
{
    struct digits plain;
    size_t used = 0;
    bool fits = true;
    snprintf(plain.text, sizeof plain.text, "%llu", (unsigned long long)v);
    size_t n = strlen(plain.text);
    out->text[0] = '\0';
    for (size_t i = 0; i < n && fits; i++) {
        if (i && (n - i) % 3 == 0) fits = put_bytes(out->text, sizeof out->text, &used, ",", 1);
        fits = fits && put_bytes(out->text, sizeof out->text, &used, &plain.text[i], 1);
    }
    return out->text;
}

const char *browse_short(struct digits *out, uint64_t v)
{
    static const char letters[] = "KMBTQ";
    unsigned i = 0;
    uint64_t unit = 1000;
    if (v < 1000) return browse_count(out, v);
    for (; letters[i + 1] && v / unit >= 1000; i++) unit *= 1000;
    uint64_t hundredths = v / (unit / 100) + (v % (unit / 100) >= unit / 200);
    if (hundredths >= 100000 && letters[i + 1]) hundredths = 100, i++;
    snprintf(out->text, sizeof out->text, "%llu.%02llu %c", (unsigned long long)hundredths / 100,
             (unsigned long long)hundredths % 100, letters[i]);
    return out->text;
}

const char *browse_bytes(struct digits *out, uint64_t v)
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    unsigned i = 0;
    uint64_t rest = 0, whole = v;
    for (; whole >= 1024; i++, whole /= 1024) rest = whole % 1024;
    if (!i) snprintf(out->text, sizeof out->text, "%llu B", (unsigned long long)v);
    else
        snprintf(out->text, sizeof out->text, "%llu.%llu %s", (unsigned long long)whole,
                 (unsigned long long)rest * 10 / 1024, units[i]);
    return out->text;
}

/* part * times / all, rounded; without overflow. */
static unsigned scaled(uint64_t part, uint64_t all, unsigned times)
{
    while (all > UINT64_MAX / 2 / times) part /= 2, all /= 2;
    return all ? (unsigned)((part * times + all / 2) / all) : 0;
}

/* ---- text in columns -------------------------------------------------------------------------------- */

enum { LINE_BYTES = 4096, ENDS = 1500 }; /* of a line; of both ends of a name that are looked at */

/* A line that is being written, from left to right. */
struct line {
    const struct browse_pen *pen;
    unsigned row, column, columns; /* next column; number of all */
    bool selected;
};

/* The character there, at most n bytes away. */
static size_t decode(const char *p, size_t n, uint32_t *c)
{
    unsigned char first = (unsigned char)p[0];
    size_t k = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    *c = k == 1 ? first : first & (0x7Fu >> k);
    if (k > n) k = n;
    for (size_t i = 1; i < k; i++) *c = *c << 6 | ((unsigned char)p[i] & 0x3Fu);
    return k;
}

static unsigned columns_of(const struct browse_pen *pen, uint32_t c)
{
    int n = c < 0x7F ? 1 : pen->wide(c);
    return n > 0 ? (unsigned)n : 0;
}

/* The bytes that fit into `most` columns, and the columns that they take. */
static size_t fitting(const struct browse_pen *pen, const char *text, size_t bytes, unsigned most,
                      unsigned *columns)
{
    size_t n = 0;
    *columns = 0;
    while (n < bytes) {
        uint32_t c;
        size_t k = decode(text + n, bytes - n, &c);
        unsigned wide = columns_of(pen, c);
        if (*columns + wide > most) break;
        *columns += wide;
        n += k;
    }
    return n;
}

/* The end of a text that fits into `most` columns. */
static const char *fitting_end(const struct browse_pen *pen, const char *text, size_t bytes, unsigned most,
                               unsigned *columns)
{
    const char *from = text + (bytes > ENDS ? bytes - ENDS : 0), *end = text + bytes;
    unsigned all;
    while (from < end && ((unsigned char)*from & 0xC0) == 0x80) from++;
    (void)fitting(pen, from, (size_t)(end - from), UINT32_MAX / 2, &all);
    while (from < end && all > most) {
        uint32_t c;
        from += decode(from, (size_t)(end - from), &c);
        all -= columns_of(pen, c);
    }
    *columns = all;
    return from;
}

static void put(struct line *l, enum browse_style style, const char *text, size_t bytes, unsigned columns)
{
    char out[LINE_BYTES] = "";
    size_t used = 0;
    if (bytes && put_bytes(out, sizeof out, &used, text, bytes))
        l->pen->put(l->pen->ctx, l->row, l->column, l->selected ? AS_SELECTED : style, out);
    l->column += columns;
}

/* As much of a text as fits. */
static void put_text(struct line *l, enum browse_style style, const char *text)
{
    unsigned columns, left = l->columns > l->column ? l->columns - l->column : 0;
    size_t n =
        fitting(l->pen, text, strlen(text) < LINE_BYTES ? strlen(text) : LINE_BYTES / 2, left, &columns);
    put(l, style, text, n, columns);
}

static void put_spaces(struct line *l, unsigned n)
{
    for (; n && l->column < l->columns; n--) put(l, AS_TEXT, " ", 1, 1);
}

/* A text that takes exactly so many columns: if it is too long, its middle goes. */
static void put_middle(struct line *l, enum browse_style style, const char *text, size_t bytes,
                       unsigned columns)
{
    const char *dots = l->pen->blocks ? "\xE2\x80\xA6" : "~";
    unsigned wide, behind = 0, end = l->column + columns;
    size_t n = fitting(l->pen, text, bytes < LINE_BYTES / 2 ? bytes : LINE_BYTES / 2, columns, &wide);
    if (n < bytes) {
        n = fitting(l->pen, text, n, columns / 3, &wide);
        const char *rest =
            fitting_end(l->pen, text + n, bytes - n, columns > wide ? columns - wide - 1 : 0, &behind);
        put(l, style, text, n, wide);
        if (columns > wide) put(l, style, dots, strlen(dots), 1);
        put(l, style, rest, (size_t)(text + bytes - rest), behind);
    } else {
        put(l, style, text, n, wide);
    }
    if (l->column < end) put_spaces(l, end - l->column);
}

/* A text at the right of so many columns. */
static void put_right(struct line *l, enum browse_style style, const char *text, unsigned columns)
{
    unsigned n = (unsigned)strlen(text);
    if (n < columns) put_spaces(l, columns - n);
    put_text(l, style, text);
}

/* ---- the head and the foot ----------------------------------------------------------------------------- */

static struct line begin_line(const struct browse *b, const struct browse_pen *pen, unsigned row)
{
    return (struct line){ .pen = pen, .row = row, .columns = b->columns };
}

static enum browse_style style_of(numel_state verdict)
{
    return verdict == NUMEL_STATE_AGREES    ? AS_GOOD
           : verdict == NUMEL_STATE_IN_PART ? AS_PART
           : verdict == NUMEL_STATE_UNKNOWN ? AS_UNKNOWN
                                            : AS_BAD;
}

static void draw_judgement(const struct browse *b, const struct browse_pen *pen)
{
    struct line l = begin_line(b, pen, 0);
    const struct browse_model *all = b->source->all;
    put_text(&l, style_of(all->verdict), numel_state_name(all->verdict));
    put_spaces(&l, 2);
    put_text(&l, AS_TEXT, all->about);
}

static const char *const view_names[] = { "layers", "tensors", "types", "roles" };
static const char *const measure_names[] = { "bytes", "elements", "parameters" };
static const char *const single_names[] = { "byte", "element", "parameter" };
static const char *const order_names[] = { "", ", by name", ", by number of tensors" };

/* Joins the labels that lead to a node: its path, with a '/' between those that are not joined by dots. */
static void put_place(struct line *l, const struct browse *b, unsigned columns)
{
    const struct tree *t = &b->trees[b->view];
    const struct node *n = &t->nodes[b->node];
    const char *title = b->source->all->path;
    char text[LINE_BYTES] = "";
    size_t used = 0, bytes = b->node ? (size_t)(n->label - t->leaves[n->leaf].path) + n->bytes : 0;
    bool fits = true;
    size_t skip = bytes > ENDS ? bytes - ENDS : 0, whole = strlen(title);
    fits = whole < ENDS ? put_bytes(text, sizeof text, &used, title, whole) : true;
    if (bytes) fits = fits && put_bytes(text, sizeof text, &used, " > ", 3);
    for (size_t i = skip; i < bytes && fits; i++) {
        const char *c = &t->leaves[n->leaf].path[i];
        if (i == skip && ((unsigned char)*c & 0xC0) == 0x80 && skip++ < bytes) continue;
        fits = put_bytes(text, sizeof text, &used, *c == '\n' ? " > " : c, *c == '\n' ? 3 : 1);
    }
    put_middle(l, AS_FOLDER, text, used, columns);
}

static void draw_place(const struct browse *b, const struct browse_pen *pen)
{
    struct line l = begin_line(b, pen, 1);
    char shown[128];
    snprintf(shown, sizeof shown, "  %s, %s%s%s", view_names[b->view], measure_names[b->measure],
             order_names[b->order], b->reversed ? ", reversed" : "");
    unsigned right = (unsigned)strlen(shown);
    if (right > b->columns / 2) snprintf(shown, sizeof shown, "  %s", view_names[b->view]);
    right = (unsigned)strlen(shown);
    put_place(&l, b, b->columns > right ? b->columns - right : 0);
    put_text(&l, AS_FAINT, shown);
}

static void draw_foot(const struct browse *b, const struct browse_pen *pen)
{
    struct line l = begin_line(b, pen, b->rows - 1);
    const struct node *n = browse_node(b, b->node);
    char text[SEARCH_MOST + 128];
    struct digits tensors, count, bytes;
    bool narrow = b->columns < 70;
    if (b->typing) {
        snprintf(text, sizeof text, "/%s", b->search);
        put_text(&l, AS_TEXT, text);
        put_text(&l, AS_SELECTED, " ");
        return;
    }
    enum measure m = b->measure == IN_PARAMETERS ? IN_PARAMETERS : IN_ELEMENTS;
    snprintf(text, sizeof text, " %s tensor%s  %s%s%s  %s  ", browse_count(&tensors, n->sums[TENSORS]),
             n->sums[TENSORS] == 1 ? "" : "s", (narrow ? browse_short : browse_count)(&count, n->sums[m]),
             narrow ? "" : " ", narrow ? "" : (n->sums[m] == 1 ? single_names : measure_names)[m],
             browse_bytes(&bytes, n->sums[IN_BYTES]));
    l.selected = true;
    put_text(&l, AS_SELECTED, b->message ? " " : text);
    if (b->message) put_text(&l, AS_SELECTED, b->message);
    const char *help = b->pane ? "q closes " : "? help ";
    if (l.column + strlen(help) < b->columns) put_spaces(&l, b->columns - l.column - (unsigned)strlen(help));
    put_text(&l, AS_SELECTED, l.column + strlen(help) <= b->columns ? help : "");
    put_spaces(&l, b->columns > l.column ? b->columns - l.column : 0);
}

/* ---- rows ------------------------------------------------------------------------------------------------ */

/* What rows have room for, in columns; 0: not shown. */
struct widths {
    unsigned number, share, bar, label, tensors, type;
    size_t head, tail; /* of names of alike tensors, the bytes at both ends that all have in common */
};

static const char *number_text(const struct browse *b, uint64_t v, struct digits *out)
{
    if (b->measure == IN_BYTES) return browse_bytes(out, v);
    return b->columns < 70 ? browse_short(out, v) : browse_count(out, v);
}

/* Are the rows models, of several? */
static bool lists_models(const struct browse *b) { return b->source->model_count > 1 && b->node == 0; }

static struct widths widths_of(const struct browse *b)
{
    struct digits n;
    struct widths w = { .number = 10, .share = 9 };
    uint32_t types = browse_node(b, b->node)->types;
    unsigned used = (unsigned)strlen(number_text(b, browse_node(b, b->node)->sums[b->measure], &n));
    if (b->measure != IN_BYTES) w.number = used + 1; /* a margin */
    if (b->columns >= 60) w.bar = b->columns < 100 ? 10 : 20;
    if (b->columns >= 72)
        w.type = lists_models(b) ? 12 : b->columns < 100 || !(types & (types - 1)) ? 10 : 17;
    if (b->columns >= 90) w.tensors = 10;
    used = w.number + w.share + (w.bar ? w.bar + 3 : 1) + w.tensors + w.type + 1;
    w.label = b->columns > used ? b->columns - used : 0;
    return w;
}

/* A bar of the largest row's length. */
static void put_bar(struct line *l, uint64_t part, uint64_t most, unsigned width)
{
    static const char *const eighths[] = { "",
                                           "\xE2\x96\x8F",
                                           "\xE2\x96\x8E",
                                           "\xE2\x96\x8D",
                                           "\xE2\x96\x8C",
                                           "\xE2\x96\x8B",
                                           "\xE2\x96\x8A",
                                           "\xE2\x96\x89" };
    bool blocks = l->pen->blocks;
    unsigned steps = blocks ? 8 : 1, full = scaled(part, most, width * steps), end = l->column + width;
    for (unsigned i = 0; i < full / steps; i++)
        put(l, AS_BAR, blocks ? "\xE2\x96\x88" : "#", blocks ? 3 : 1, 1);
    if (full % steps) put(l, AS_BAR, eighths[full % steps], 3, 1);
    if (l->column < end) put_spaces(l, end - l->column);
}

/* "Q4_K+Q6_K"; how many types if that is too long. */
static void put_types(struct line *l, const struct tree *t, uint32_t types, unsigned width)
{
    char text[64] = "";
    size_t used = 0;
    unsigned n = 0;
    bool fits = true;
    for (unsigned i = 0; i <= TYPES; i++) {
        const char *name = i < t->type_count ? t->types[i] : "other";
        if (!(types >> i & 1)) continue;
        if (n++) fits = fits && put_bytes(text, sizeof text, &used, "+", 1);
        fits = fits && put_bytes(text, sizeof text, &used, name, strlen(name)) && used <= width;
    }
    if (!fits) snprintf(text, sizeof text, "%u types", n);
    put_middle(l, AS_FAINT, text, strlen(text), width);
}

/* Of a model among several its verdict, in the place of the types. */
static void put_kind(struct line *l, const struct browse *b, const struct node *n, unsigned width)
{
    const struct tree *t = &b->trees[b->view];
    const struct browse_model *m = &b->source->models[t->leaves[n->leaf].model];
    const char *word = m->unreadable ? "unreadable" : numel_state_name(m->verdict);
    put_spaces(l, 1);
    if (lists_models(b)) put_middle(l, style_of(m->verdict), word, strlen(word), width - 1);
    else put_types(l, t, n->types, width - 1);
}

/* Finds what the names of alike tensors have in common, in whole parts. */
static void compare_names(const struct browse *b, struct widths *w)
{
    const struct node *all = browse_node(b, b->node), *first = browse_node(b, all->first);
    size_t n = first->bytes, head = n < ENDS ? n : ENDS, tail = head;
    if (!all->count || first->label == b->trees[b->view].leaves[first->leaf].path || first->label[-1] != '\t')
        return;
    for (uint32_t i = 1; i < all->count; i++) {
        const struct node *c = first + i;
        size_t k = 0;
        while (k < head && k < c->bytes && c->label[k] == first->label[k]) k++;
        head = k;
        for (k = 0; k < tail && k < c->bytes && c->label[c->bytes - 1 - k] == first->label[n - 1 - k];) k++;
        tail = k;
    }
    while (head && first->label[head - 1] != '.') head--;
    while (tail && first->label[n - tail] != '.') tail--;
    w->head = head;
    w->tail = head + tail < n ? tail : 0;
}

/* Of a name that is too long, what it has for itself. */
static void put_own(struct line *l, const struct node *n, const struct widths *w)
{
    const char *dots = l->pen->blocks ? "\xE2\x80\xA6" : "~";
    unsigned end = l->column + w->label, most = w->label > 2 ? w->label - 2 : 0, wide;
    size_t bytes = n->bytes > w->head ? n->bytes - w->head : 0;
    bool cut = bytes > most && bytes > w->tail;
    if (cut) bytes -= w->tail;
    const char *own = n->label + w->head, *from = fitting_end(l->pen, own, bytes, most, &wide);
    if (w->head || from > own) put(l, AS_TEXT, dots, strlen(dots), 1);
    put(l, AS_TEXT, from, (size_t)(own + bytes - from), wide);
    if (cut) put(l, AS_TEXT, dots, strlen(dots), 1);
    if (l->column < end) put_spaces(l, end - l->column);
}

static void draw_row(const struct browse *b, const struct browse_pen *pen, const struct widths *w, uint32_t i,
                     uint64_t most)
{
    struct line l = begin_line(b, pen, 2 + i - b->top);
    const struct node *n = browse_node(b, browse_child(b, i)), *all = browse_node(b, b->node);
    struct digits d;
    unsigned share = scaled(n->sums[b->measure], all->sums[b->measure], 1000);
    l.selected = i == b->selected;
    put_right(&l, AS_TEXT, number_text(b, n->sums[b->measure], &d), w->number);
    snprintf(d.text, sizeof d.text, "%u.%u %%", share / 10, share % 10);
    put_right(&l, AS_SHARE, d.text, w->share);
    put_spaces(&l, 1);
    if (w->bar) {
        put_text(&l, AS_TEXT, pen->blocks ? " " : "[");
        put_bar(&l, n->sums[b->measure], most, w->bar);
        put_text(&l, AS_TEXT, pen->blocks ? " " : "]");
    }
    put_text(&l, AS_FOLDER, n->tensor ? " " : "/");
    if (w->tail && n->tensor && n->bytes > w->label) put_own(&l, n, w);
    else put_middle(&l, n->tensor ? AS_TEXT : AS_FOLDER, n->label, n->bytes, w->label);
    if (w->tensors) put_right(&l, AS_FAINT, n->tensor ? "" : browse_count(&d, n->sums[TENSORS]), w->tensors);
    if (w->type) put_kind(&l, b, n, w->type);
    if (l.column < b->columns) put_spaces(&l, b->columns - l.column);
}

static void draw_rows(const struct browse *b, const struct browse_pen *pen)
{
    struct widths w = widths_of(b);
    const struct node *all = browse_node(b, b->node);
    uint64_t most = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        uint64_t v = browse_node(b, all->first + i)->sums[b->measure];
        if (v > most) most = v;
    }
    compare_names(b, &w);
    for (uint32_t i = b->top; i < all->count && i - b->top < browse_room(b); i++)
        draw_row(b, pen, &w, i, most);
    struct line l = begin_line(b, pen, 2);
    if (!all->count) put_text(&l, AS_FAINT, " no tensors");
}

static void draw_pane(const struct browse *b, const struct browse_pen *pen)
{
    for (size_t i = b->scroll; i < b->text.count && i - b->scroll < browse_room(b); i++) {
        struct line l = begin_line(b, pen, (unsigned)(2 + i - b->scroll));
        put_spaces(&l, 1);
        put_text(&l, AS_TEXT, b->text.at[i]);
    }
}

void browse_draw(const struct browse *b, const struct browse_pen *pen)
{
    if (b->columns < 2 || b->rows < 2) return;
    draw_judgement(b, pen);
    if (b->rows > 2) draw_place(b, pen);
    if (b->rows > 3) (b->pane ? draw_pane : draw_rows)(b, pen);
    draw_foot(b, pen);
}

/*
 * browse_keys.c -- keys change the state. One table binds the keys, and is the help.
 */
#include "browse.h"

#include <stdlib.h>
#include <string.h>

/* ---- where one is ------------------------------------------------------------------------------- */

static struct tree *tree_of(struct browse *b) { return &b->trees[b->view]; }

const struct node *browse_node(const struct browse *b, uint32_t node)
{
    return &b->trees[b->view].nodes[node];
}

uint32_t browse_child(const struct browse *b, uint32_t i)
{
    const struct tree *t = &b->trees[b->view];
    return t->children[t->nodes[b->node].first + i];
}

unsigned browse_room(const struct browse *b) { return b->rows > 3 ? b->rows - 3 : 1; }

static void fail(struct browse *b) { b->failed = b->done = true; }

/* Keeps the selected row on the screen, and in the list. */
static void keep_in_sight(struct browse *b)
{
    uint32_t n = browse_node(b, b->node)->count, room = browse_room(b);
    if (b->selected >= n) b->selected = n ? n - 1 : 0;
    if (b->top > b->selected) b->top = b->selected;
    if (b->selected - b->top >= room) b->top = b->selected - room + 1;
    if (b->top && n - b->top < room) b->top = n > room ? n - room : 0;
}

/* Sorts what is shown, and selects a child; 0: the first one. */
static void show_node(struct browse *b, uint32_t node, uint32_t child)
{
    b->node = node;
    b->selected = b->top = 0;
    if (!tree_sort(tree_of(b), node, b->measure, b->order, b->reversed)) {
        fail(b);
        return;
    }
    uint32_t n = browse_node(b, node)->count;
    for (uint32_t i = 0; child && i < n; i++)
        if (browse_child(b, i) == child) b->selected = i;
    if (b->selected >= browse_room(b)) b->top = b->selected - browse_room(b) / 2;
    keep_in_sight(b);
}

/* The selected node; 0: the list is empty. */
static uint32_t at_hand(const struct browse *b)
{
    return browse_node(b, b->node)->count ? browse_child(b, b->selected) : 0;
}

static void move(struct browse *b, int64_t by)
{
    int64_t n = browse_node(b, b->node)->count, to = (int64_t)b->selected + by;
    b->selected = (uint32_t)(to < 0 || n == 0 ? 0 : to >= n ? n - 1 : to);
    keep_in_sight(b);
}

static void scroll(struct browse *b, int64_t by)
{
    int64_t n = (int64_t)b->text.count, room = browse_room(b), to = (int64_t)b->scroll + by;
    int64_t most = n > room ? n - room : 0;
    b->scroll = (size_t)(to < 0 ? 0 : to > most ? most : to);
}

/* ---- panes ---------------------------------------------------------------------------------------- */

static void close_pane(struct browse *b)
{
    lines_free(&b->text);
    b->pane = PANE_NONE;
    b->scroll = 0;
}

static void open_pane(struct browse *b, enum pane pane, uint32_t node)
{
    unsigned columns = b->columns > 2 ? b->columns - 2 : 1;
    close_pane(b);
    b->pane = pane;
    b->about = node;
    if (pane == PANE_HELP) browse_help(&b->text);
    else if (!b->source->text(b->source->ctx, pane, b->view, tree_of(b), node, columns, &b->text)) fail(b);
    if (b->text.failed) fail(b);
}

static void toggle_pane(struct browse *b, enum pane pane, uint32_t node)
{
    if (b->pane == pane && b->about == node) close_pane(b);
    else open_pane(b, pane, node);
}

/* ---- searching -------------------------------------------------------------------------------------- */

static char lower(char c) { return c == '\n' ? '.' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* Does the text end within the label, wherever above it may begin? The name of one of several alike is searched by
 * itself. */
static bool is_match(const struct tree *t, uint32_t node, const char *text)
{
    const struct node *n = &t->nodes[node];
    const char *path = t->leaves[n->leaf].path, *from = n->label;
    size_t k = strlen(text);
    if (from == path || from[-1] != '\t')
        for (size_t i = 1; i < k && from > path; i++) from--;
    for (; from + k <= n->label + n->bytes; from++) {
        size_t i = 0;
        while (i < k && lower(from[i]) == lower(text[i])) i++;
        if (i == k) return true;
    }
    return false;
}

/* A place in the tree: the rows that lead to it. Rows are in the order in which they are shown. */
struct place {
    struct tree *tree;
    const struct browse *browse;
    uint32_t nodes[SEARCH_DEEP], rows[SEARCH_DEEP]; /* the row of nodes[i] below nodes[i - 1] */
    unsigned depth;                                 /* of the last one; the root has 0 */
};

NUMEL_MUST static bool enter(struct place *p, uint32_t row)
{
    const struct browse *b = p->browse;
    uint32_t above = p->nodes[p->depth];
    if (p->depth + 1 >= SEARCH_DEEP || !tree_sort(p->tree, above, b->measure, b->order, b->reversed))
        return false;
    p->depth++;
    p->rows[p->depth] = row;
    p->nodes[p->depth] = p->tree->children[p->tree->nodes[above].first + row];
    return true;
}

/* The next node in the tree; at the end the root. False: out of memory. */
NUMEL_MUST static bool go_on(struct place *p)
{
    if (p->tree->nodes[p->nodes[p->depth]].count) return enter(p, 0);
    for (; p->depth; p->depth--) {
        uint32_t row = p->rows[p->depth] + 1, above = p->nodes[p->depth - 1];
        if (row >= p->tree->nodes[above].count) continue;
        p->depth--;
        return enter(p, row);
    }
    return true;
}

/* The previous node: the last one below the row before, or the one above. */
NUMEL_MUST static bool go_back(struct place *p)
{
    uint32_t row = p->depth ? p->rows[p->depth] : 0;
    bool down = p->depth == 0 || row > 0;
    if (p->depth) p->depth--;
    if (p->depth == 0 && !down) return true;
    if (down && row > 0 && !enter(p, row - 1)) return false;
    while (down && p->tree->nodes[p->nodes[p->depth]].count)
        if (!enter(p, p->tree->nodes[p->nodes[p->depth]].count - 1)) return false;
    return true;
}

/* The place of the selected row. */
NUMEL_MUST static bool place_of(const struct browse *b, struct tree *t, struct place *p)
{
    uint32_t chain[SEARCH_DEEP], n = 0;
    *p = (struct place){ .tree = t, .browse = b };
    for (uint32_t node = at_hand(b); node && n < SEARCH_DEEP; node = t->nodes[node].parent) chain[n++] = node;
    while (n-- > 0) {
        const struct node *above = &t->nodes[p->nodes[p->depth]];
        uint32_t row = 0;
        if (!tree_sort(t, p->nodes[p->depth], b->measure, b->order, b->reversed)) return false;
        while (row + 1 < above->count && t->children[above->first + row] != chain[n]) row++;
        if (!enter(p, row)) return false;
    }
    return true;
}

static void search(struct browse *b, bool back)
{
    struct tree *t = tree_of(b);
    struct place p;
    b->message = b->search[0] ? "not found" : "nothing to search for: type / and a text";
    if (!b->search[0]) return;
    if (!place_of(b, t, &p)) {
        fail(b);
        return;
    }
    for (size_t i = 0; i < t->node_count; i++) {
        if (!(back ? go_back(&p) : go_on(&p))) {
            fail(b);
            return;
        }
        uint32_t node = p.nodes[p.depth];
        if (!p.depth || !is_match(t, node, b->search)) continue;
        b->message = NULL;
        show_node(b, t->nodes[node].parent, node);
        return;
    }
}

/* Appends a character below U+10000 to the text that is typed. */
static void type_character(struct browse *b, uint32_t c)
{
    const char three[] = { (char)(0xE0 | c >> 12), (char)(0x80 | (c >> 6 & 0x3F)),
                           (char)(0x80 | (c & 0x3F)) };
    const char two[] = { (char)(0xC0 | c >> 6), three[2] }, one[] = { (char)c };
    const char *text = c < 0x80 ? one : c < 0x800 ? two : three;
    size_t used = strlen(b->search), n = c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
    if (used + n < sizeof b->search && !put_bytes(b->search, sizeof b->search, &used, text, n)) fail(b);
}

static void type_key(struct browse *b, uint32_t key)
{
    size_t n = strlen(b->search);
    if (key == PRESSED_ENTER) {
        b->typing = false;
        search(b, false);
    } else if (key == PRESSED_ESCAPE || (key == PRESSED_BACK && !n)) {
        b->typing = false;
        b->search[0] = '\0';
    } else if (key == PRESSED_BACK) {
        char *end = b->search + n - 1;
        while (end > b->search && ((unsigned char)*end & 0xC0) == 0x80) end--;
        *end = '\0';
    } else if (key >= 0x20 && key < 0x10000 && key != 0x7F) {
        type_character(b, key);
    }
}

/* ---- what keys do -------------------------------------------------------------------------------------- */

/* Makes the tree of a view when it is first shown. */
static void show_view(struct browse *b, enum view view)
{
    struct tree *t = &b->trees[view];
    if (!t->nodes && !b->source->tree(b->source->ctx, view, t)) {
        fail(b);
        return;
    }
    b->view = view;
    show_node(b, 0, 0);
}

static void go_in(struct browse *b)
{
    uint32_t node = at_hand(b);
    if (node && browse_node(b, node)->tensor) open_pane(b, PANE_DETAILS, node);
    else if (node) show_node(b, node, 0);
}

static void go_out(struct browse *b)
{
    if (b->pane) close_pane(b);
    else if (b->node) show_node(b, browse_node(b, b->node)->parent, b->node);
}

static void quit(struct browse *b)
{
    if (b->pane) close_pane(b);
    else b->done = true;
}

static void leave_pane(struct browse *b) { close_pane(b); }

static void resort(struct browse *b) { show_node(b, b->node, at_hand(b)); }

static void next_order(struct browse *b)
{
    b->order = (b->order + 1) % ORDERS;
    b->reversed = false;
    resort(b);
}

static void reverse(struct browse *b)
{
    b->reversed = !b->reversed;
    resort(b);
}

static void next_view(struct browse *b)
{
    close_pane(b);
    show_view(b, (b->view + 1) % VIEWS);
}

static void next_measure(struct browse *b)
{
    b->measure = b->measure == IN_BYTES                                 ? IN_ELEMENTS
                 : b->measure == IN_ELEMENTS && b->source->all->counted ? IN_PARAMETERS
                                                                        : IN_BYTES;
    resort(b);
}

static void begin_search(struct browse *b)
{
    close_pane(b);
    b->typing = true;
    b->search[0] = '\0';
}

static void search_on(struct browse *b) { search(b, false); }
static void search_back(struct browse *b) { search(b, true); }
static void help(struct browse *b) { toggle_pane(b, PANE_HELP, 0); }
static void details(struct browse *b) { toggle_pane(b, PANE_DETAILS, at_hand(b)); }
static void statement(struct browse *b) { toggle_pane(b, PANE_STATEMENT, b->node); }
static void statement_of_row(struct browse *b) { toggle_pane(b, PANE_STATEMENT, at_hand(b)); }

/* Rows of the list, or of a pane. */
static void by(struct browse *b, int64_t n)
{
    if (b->pane) scroll(b, n);
    else move(b, n);
}

static void up(struct browse *b) { by(b, -1); }
static void down(struct browse *b) { by(b, 1); }
static void page_up(struct browse *b) { by(b, -(int64_t)browse_room(b)); }
static void page_down(struct browse *b) { by(b, browse_room(b)); }
static void half_up(struct browse *b) { by(b, -(int64_t)(browse_room(b) + 1) / 2); }
static void half_down(struct browse *b) { by(b, (browse_room(b) + 1) / 2); }
static void to_first(struct browse *b) { by(b, -(int64_t)UINT32_MAX); }
static void to_last(struct browse *b) { by(b, UINT32_MAX); }

#define CONTROL(letter) ((letter)&0x1F)

static const struct binding {
    uint32_t keys[4];
    void (*run)(struct browse *);
    const char *shown, *help; /* NULL: in the row before */
} bindings[] = {
    { { PRESSED_UP, 'k' }, up, "up down, k j", "to the row above or below" },
    { { PRESSED_DOWN, 'j' }, down, NULL, NULL },
    { { PRESSED_PAGE_UP, CONTROL('b') }, page_up, "PgUp PgDn", "a screen up or down; ^U ^D half of one" },
    { { PRESSED_PAGE_DOWN, CONTROL('f'), ' ' }, page_down, NULL, NULL },
    { { CONTROL('u') }, half_up, NULL, NULL },
    { { CONTROL('d') }, half_down, NULL, NULL },
    { { PRESSED_HOME, 'g' }, to_first, "Home End, g G", "to the first or last row" },
    { { PRESSED_END, 'G' }, to_last, NULL, NULL },
    { { PRESSED_ENTER, PRESSED_RIGHT, 'l' }, go_in, "Enter right l", "in; of a tensor its details" },
    { { PRESSED_LEFT, PRESSED_BACK, 'h', '<' }, go_out, "left Backspace h", "out" },
    { { 't' }, next_view, "t", "layers, single tensors, types, roles" },
    { { 'b' }, next_measure, "b", "bytes, elements, parameters" },
    { { 's' }, next_order, "s", "sort by size, name, number of tensors" },
    { { 'S' }, reverse, "S", "the other way round" },
    { { '/' }, begin_search, "/", "search; n N the next or previous one" },
    { { 'n' }, search_on, NULL, NULL },
    { { 'N' }, search_back, NULL, NULL },
    { { 'r' }, statement, "r", "the statement of what is shown; R of the row" },
    { { 'R' }, statement_of_row, NULL, NULL },
    { { 'i' }, details, "i", "details of the selected row" },
    { { '?' }, help, "?", "this help" },
    { { 'q', 'Q' }, quit, "q", "quit; close this" },
    { { PRESSED_ESCAPE }, leave_pane, NULL, NULL },
};

static const struct binding *find(uint32_t key)
{
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++)
        for (size_t k = 0; k < sizeof bindings[i].keys / sizeof *bindings[i].keys; k++)
            if (key && bindings[i].keys[k] == key) return &bindings[i];
    return NULL;
}

void browse_help(struct lines *l)
{
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++)
        if (bindings[i].shown) lines_add(l, "%-17s %s", bindings[i].shown, bindings[i].help);
}

void browse_key(struct browse *b, uint32_t key)
{
    const struct binding *found = b->typing ? NULL : find(key);
    b->message = NULL;
    if (b->typing) type_key(b, key);
    else if (found) found->run(b);
    else b->message = "? for help";
}

/* ---- beginning and end -------------------------------------------------------------------------------------- */

bool browse_begin(struct browse *b, const struct browse_source *source, unsigned rows, unsigned columns)
{
    *b = (struct browse){ .source = source, .rows = rows, .columns = columns };
    show_view(b, BY_LAYER);
    return !b->failed;
}

void browse_end(struct browse *b)
{
    lines_free(&b->text);
    for (unsigned i = 0; i < VIEWS; i++) tree_free(&b->trees[i]);
}

void browse_resize(struct browse *b, unsigned rows, unsigned columns)
{
    size_t scrolled = b->scroll;
    b->rows = rows;
    b->columns = columns;
    keep_in_sight(b);
    if (!b->pane) return;
    open_pane(b, b->pane, b->about);
    scroll(b, (int64_t)scrolled);
}

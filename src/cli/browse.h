/*
 * browse.h -- numel browse: the tree of a checkpoint, to walk through on a terminal.
 *
 * Only the last part knows a terminal, so all others are tested without one:
 *
 *   browse_tree.c    paths become a tree of sums; children are sorted when they are shown
 *   browse_load.c    the models (numel.h) and the tree of a view
 *   browse_pane.c    the facts of a node; browse_statement.c: what the statement has about it
 *   browse_keys.c    a key changes the state
 *   browse_draw.c    the state becomes text at places
 *   browse_screen.c  curses: reads keys, writes the text
 */
#ifndef NUMEL_BROWSE_H
#define NUMEL_BROWSE_H

#include "cli.h"

/* ---- browse_tree.c: the tree --------------------------------------------------------------- */

enum measure { IN_BYTES, IN_ELEMENTS, IN_PARAMETERS, TENSORS, MEASURES };
enum order { BY_SIZE, BY_NAME, BY_COUNT, ORDERS };

/* A tensor, and its path: what is above it in the tree, then its own name, escaped. '.' divides the path; parts with
 * one child are joined. Two other characters, which escaping leaves none of: '\n' divides and joins nothing; '\t'
 * begins the name of one of several alike tensors, which is neither divided nor shown if there is only one. */
struct leaf {
    char *path;
    uint32_t rank;          /* sorts before the path */
    uint32_t model, tensor; /* NUMEL_NONE: the model is unreadable, and this stands for it */
    uint64_t sums[MEASURES];
    const char *type; /* "BF16" */
};

struct node {
    const char *label; /* not terminated */
    size_t bytes;
    uint32_t parent, first, count; /* children: tree.children[first] and the next */
    uint32_t leaf, leaves;         /* its tensors: tree.leaves[leaf] and the next */
    uint64_t sums[MEASURES];
    uint32_t types;        /* of its tensors: a bit set of tree.types */
    bool tensor;           /* without children */
    uint8_t depth, sorted; /* sorted: how its children are, see tree_sort(); 0: by name */
};

enum { TYPES = 31 };
struct tree {
    const char *types[TYPES]; /* distinct; more share the last bit of node.types */
    unsigned type_count;
    struct leaf *leaves;
    size_t leaf_count;
    struct node *nodes; /* the root first */
    size_t node_count, room;
    uint32_t *children;
};

/* Makes nodes of the leaves, whose equal beginnings must be next to each other. whole: the first part ends at its
 * '\n' only. False: out of memory, or the sums do not fit in 64 bits. */
NUMEL_MUST bool tree_build(struct tree *t, bool whole);
void tree_free(struct tree *t);
/* Sorts the children of a node, unless they are sorted that way. */
NUMEL_MUST bool tree_sort(struct tree *t, uint32_t node, enum measure, enum order, bool reversed);
/* Natural order of escaped names, part by part: layers.2 before layers.10. */
int tree_compare(const char *a, const char *b);

/* ---- browse_load.c: the models --------------------------------------------------------------- */

enum view { BY_LAYER, BY_TENSOR, BY_DTYPE, BY_ROLE, VIEWS };

struct browse_model {
    numel_subject *subject; /* NULL: unreadable */
    const numel_checkpoint *checkpoint;
    char *path;        /* escaped */
    const char *label; /* its end: what tells it from the other models */
    char *about;       /* the judgement in words, or why it cannot be read; escaped */
    uint64_t *formula; /* by tensor, the elements that the formula counts as it; 0: none */
    numel_state verdict;
    bool unreadable, counted; /* counted: its parameters are known */
};

struct browse_models {
    numel_found *found;
    numel_subject **wholes; /* of models of several parts; closed after their parts */
    size_t whole_count;
    struct browse_model *items;
    size_t count, unreadable;
    struct browse_model all; /* the one model, or what several are together; its path is the one given */
};

/* Opens and judges everything at a path. Returns the exit status, after a message if it is not EXIT_AGREE. */
int models_open(struct browse_models *m, const struct options *o);
void models_close(struct browse_models *m);
/* Makes the tree of a view. False: out of memory, or the sums do not fit in 64 bits. */
NUMEL_MUST bool models_tree(const struct browse_models *m, enum view view, struct tree *t);

/* ---- browse_pane.c: the facts of one node -------------------------------------------------------- */

/* Lines of text, all allocated. */
struct lines {
    char **at;
    size_t count, room;
    bool failed; /* out of memory */
};
void lines_free(struct lines *l);
void lines_add(struct lines *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds n bytes as a line. */
void lines_put(struct lines *l, const char *text, size_t n);
/* Facts about a tensor, or the figures of a part. */
void pane_details(const struct browse_models *m, const struct tree *t, uint32_t node, unsigned columns,
                  struct lines *l);

/* ---- browse_statement.c: the statement of one node ---------------------------------------------- */

/* What the statement of a model has about a node; of a whole model, all of it. */
void pane_statement(const struct browse_models *m, const struct tree *t, enum view view, uint32_t node,
                    unsigned columns, struct lines *l);
/* The line of the statement with that code. False: there is none. */
NUMEL_MUST bool statement_line(const struct browse_model *m, const char *code, numel_line *line);
/* Does a path of the tree, n bytes with ranges as in "layers.[0-2,5]", stand for a name or what is above it? */
bool path_covers(const char *path, size_t n, numel_str name);

enum pane { PANE_NONE, PANE_HELP, PANE_DETAILS, PANE_STATEMENT };

/* ---- browse_keys.c: the state -------------------------------------------------------------------- */

/* Keys other than characters. */
enum browse_key {
    PRESSED_ENTER = 0x110000,
    PRESSED_UP,
    PRESSED_DOWN,
    PRESSED_LEFT,
    PRESSED_RIGHT,
    PRESSED_PAGE_UP,
    PRESSED_PAGE_DOWN,
    PRESSED_HOME,
    PRESSED_END,
    PRESSED_BACK,
    PRESSED_ESCAPE
};

/* Where trees and texts come from. Each returns false if memory is out. */
struct browse_source {
    void *ctx;
    bool (*tree)(void *ctx, enum view view, struct tree *t);
    bool (*text)(void *ctx, enum pane pane, enum view view, const struct tree *t, uint32_t node,
                 unsigned columns, struct lines *l);
    const struct browse_model *models, *all; /* as struct browse_models */
    size_t model_count;
};

enum { SEARCH_MOST = 128, SEARCH_DEEP = 80 };
struct browse {
    const struct browse_source *source;
    struct tree trees[VIEWS]; /* made when first shown */
    enum view view;
    uint32_t node, selected,
        top; /* the node shown; of its children the one selected and the first on the screen */
    enum measure measure;
    enum order order;
    bool reversed;
    unsigned rows, columns;
    char search[SEARCH_MOST]; /* what was searched for last; while typed, what there is of it */
    bool typing;
    enum pane pane;
    uint32_t about;      /* the node of the pane */
    struct lines text;   /* of the pane */
    size_t scroll;       /* its first line on the screen */
    const char *message; /* "not found"; NULL */
    bool done, failed;   /* failed: memory is out */
};

NUMEL_MUST bool browse_begin(struct browse *b, const struct browse_source *source, unsigned rows,
                             unsigned columns);
void browse_end(struct browse *b);
void browse_resize(struct browse *b, unsigned rows, unsigned columns);
void browse_key(struct browse *b, uint32_t key);
const struct node *browse_node(const struct browse *b, uint32_t node);
/* The i-th row's node. */
uint32_t browse_child(const struct browse *b, uint32_t i);
/* Rows between the lines of the head and the foot. */
unsigned browse_room(const struct browse *b);
/* Writes the help, a line for each row of the table of keys. */
void browse_help(struct lines *l);

/* ---- browse_draw.c: the screen --------------------------------------------------------------------- */

enum browse_style {
    AS_TEXT,
    AS_BAR,
    AS_SELECTED,
    AS_FOLDER,
    AS_FAINT,
    AS_GOOD,
    AS_PART,
    AS_BAD,
    AS_UNKNOWN,
    AS_SHARE
};

/* Where text goes. A line that begins with " in UTF-8" is safe: escaped, and cut to the screen. */
struct browse_pen {
    void *ctx;
    void (*put)(void *ctx, unsigned row, unsigned column, enum browse_style style, const char *text);
    int (*wide)(uint32_t character); /* how wide it is; below 1: a part of the one before */
    bool blocks;                     /* bars of block characters */
};

void browse_draw(const struct browse *b, const struct browse_pen *pen);

/* 6,738,415,616; 6.74 B; 4.5 GiB: as the other commands write them. The text is the argument's. */
struct digits {
    char text[32];
};
const char *browse_count(struct digits *out, uint64_t v);
const char *browse_short(struct digits *out, uint64_t v);
const char *browse_bytes(struct digits *out, uint64_t v);

/* ---- browse_screen.c: the terminal ------------------------------------------------------------------- */

/* What a screen lacks here, and what to do instead; NULL: nothing. */
const char *screen_lacks(void);
/* Shows the tree until the user leaves. Returns the exit status; ends the program by the signal that ended it. */
int screen_run(const struct browse_source *source, bool color);

#endif

/*
 * pickle_machine.h -- the values that a pickle builds, without running any of its code.
 *
 * Numbers, texts, tuples, lists and dicts are built. Whatever needs code is kept as it was asked for: a global
 * is a name, a call is an object with its function, its arguments, and the state and items it was given
 * later. Values point into the bytes of the pickle and into the room, and may contain themselves.
 *
 * A hostile pickle makes a container of a byte, and refers to it with two: all values together may take
 * PICKLE_TIMES its bytes and PICKLE_FREE. A memo's number must be smaller than the bytes read so far, since
 * picklers count up. Time is linear.
 */
#ifndef NUMEL_READER_PICKLE_MACHINE_H
#define NUMEL_READER_PICKLE_MACHINE_H

#include "reader/pickle.h"

enum { PICKLE_TIMES = 12, PICKLE_FREE = 1 << 20 };

enum pickle_kind {
    PICKLE_NONE,
    PICKLE_BOOL,
    PICKLE_INT,
    PICKLE_FLOAT,
    PICKLE_TEXT,
    PICKLE_BYTES, /* also an integer of more than 64 bits, as stored */
    PICKLE_TUPLE,
    PICKLE_LIST, /* also a set. Of its plain values (NONE to BYTES) texts are kept, the others counted */
    PICKLE_DICT, /* likewise; under a text all are kept */
    PICKLE_GLOBAL,
    PICKLE_PERSISTENT, /* a persistent id that is a tuple */
    PICKLE_OBJECT
};

struct pickle_value {
    uint32_t kind, n; /* n: bytes of a text */
    union {
        int64_t number; /* of BOOL and INT */
        double real;
        const char *text;
        struct pickle_tuple *tuple; /* of TUPLE and PERSISTENT */
        struct pickle_items *items; /* of LIST and DICT */
        const struct pickle_global *global;
        struct pickle_object *object;
    };
};

struct pickle_tuple {
    uint32_t n;
    bool seen; /* for the reader of the values */
    struct pickle_value items[];
};

struct pickle_item {
    struct pickle_value key, value; /* key: in a list its position */
    struct pickle_item *next;
};

struct pickle_items {
    struct pickle_item *first, *last;
    uint64_t count; /* also of those that were not kept */
    bool seen;      /* for the reader of the values */
};

struct pickle_global {
    numel_str module, name;
};

struct pickle_given {
    struct pickle_value state; /* NONE if it has none */
    struct pickle_items items;
};

struct pickle_object {
    struct pickle_value callee, args;
    struct pickle_given *given; /* NULL: nothing, as most have */
    bool seen;                  /* for the reader of the values */
};

/* Memory for values and for the machine; reused, and freed by pickle_room_done(). */
struct pickle_room {
    struct arena arena;
    struct pickle_value *stack, **memo; /* memo: parts of PICKLE_PART values, NULL where nothing was put */
    uint32_t *marks;
    size_t stack_cap, memo_cap, mark_cap;
};
enum { PICKLE_PART = 256 };
void pickle_room_init(struct pickle_room *, const numel_allocator *);
void pickle_room_done(struct pickle_room *);

/* Builds the value of the pickle at code->at, and moves past it; `origin` is the offset of code->p in the
 * file. TRUNCATED if the bytes end before the pickle; VERSION for another protocol; SYNTAX for an unknown opcode, or
 * one without the values it takes; LIMIT, NOMEM. */
NUMEL_MUST bool pickle_run(struct pickle_room *, struct pickle_code *code, uint64_t origin,
                           struct pickle_value *out, numel_error *e);

static inline numel_str pickle_text(const struct pickle_value *v) { return (numel_str){ v->text, v->n }; }
static inline bool pickle_plain(const struct pickle_value *v) { return v->kind <= PICKLE_BYTES; }

#endif

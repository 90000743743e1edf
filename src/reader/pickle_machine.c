/*
 * pickle_machine.c -- one function for each thing that opcodes do, in a table by opcode.
 *
 * As in Python, a mark hides what is below it: nothing below the last mark can be taken.
 */
#include "reader/pickle_machine.h"

#include "base/error.h"
#include "base/num.h"
#include "base/number.h"
#include "base/text.h"

#include <inttypes.h>

enum { VECTOR = 2 }; /* a vector doubles, so it has room for twice its items */

struct machine {
    struct pickle_room *room;
    struct pickle_code *code;
    const struct pickle_op *op;
    uint64_t origin, at;                 /* at: of the opcode */
    size_t count, highest, parts, marks; /* of the stack; the most it had; of the memo */
    uint64_t memo;                       /* the next number */
    struct pickle_value nothing;         /* what is above a mark on an empty stack */
    struct pickle_tuple *empty;          /* all empty tuples are this one */
    uint64_t spent;                      /* bytes of values */
    numel_error *error;
};

typedef bool act_fn(struct machine *m);

void pickle_room_init(struct pickle_room *r, const numel_allocator *memory)
{
    *r = (struct pickle_room){ .stack = NULL };
    arena_init(&r->arena, memory);
}

void pickle_room_done(struct pickle_room *r)
{
    memory_release(r->arena.memory, r->stack);
    memory_release(r->arena.memory, r->memo);
    memory_release(r->arena.memory, r->marks);
    arena_done(&r->arena);
}

/* ---- failing ------------------------------------------------------------------------------ */

NUMEL_MUST static bool broken(struct machine *m, const char *why)
{
    return error_set(m->error, NUMEL_E_SYNTAX, m->origin + m->at, "the pickle is broken: opcode 0x%02x %s",
                     m->op->code, why);
}

NUMEL_MUST static bool lacks(struct machine *m) { return broken(m, "takes a value that is not there"); }

/* Counts bytes of values. */
NUMEL_MUST static bool charge(struct machine *m, uint64_t bytes)
{
    uint64_t worth;
    m->spent += bytes;
    if (!num_mul(&worth, m->code->at, PICKLE_TIMES) || !num_add(&worth, worth, PICKLE_FREE)) return true;
    return m->spent <= worth ||
           error_set(m->error, NUMEL_E_LIMIT, m->origin + m->at,
                     "the values of the first %" PRIu64 " bytes of a pickle take more than %" PRIu64,
                     m->code->at, worth);
}

NUMEL_MUST static void *build(struct machine *m, size_t bytes)
{
    void *p = charge(m, bytes) ? arena_zeroed(&m->room->arena, bytes) : NULL;
    if (!p) error_nomem(m->error); /* unless charge() said why */
    return p;
}

/* ---- the stack ---------------------------------------------------------------------------- */

NUMEL_MUST static bool push(struct machine *m, struct pickle_value v)
{
    struct pickle_room *r = m->room;
    if (m->count == r->stack_cap &&
        !memory_grow(r->arena.memory, &r->stack, &r->stack_cap, m->count + 1, sizeof *r->stack, m->error))
        return false;
    r->stack[m->count++] = v;
    if (m->count <= m->highest) return true;
    m->highest = m->count;
    return charge(m, VECTOR * sizeof v);
}

/* The height of the stack at the last mark. */
static size_t fence(const struct machine *m) { return m->marks ? m->room->marks[m->marks - 1] : 0; }

static struct pickle_value *top(struct machine *m)
{
    return m->count > fence(m) ? &m->room->stack[m->count - 1] : NULL;
}

NUMEL_MUST static bool pop(struct machine *m, struct pickle_value *out)
{
    const struct pickle_value *v = top(m);
    *out = v ? *v : (struct pickle_value){ .kind = PICKLE_NONE };
    if (!v) return lacks(m);
    m->count--;
    return true;
}

/* The values above the last mark, which they leave with it: valid until the next push. */
NUMEL_MUST static bool pop_mark(struct machine *m, struct pickle_value **from, size_t *n)
{
    size_t height = fence(m);
    *from = NULL;
    *n = 0;
    if (!m->marks) return broken(m, "takes a mark that is not there");
    *from = m->count ? m->room->stack + height : &m->nothing;
    *n = m->count - height;
    m->count = height;
    m->marks--;
    return true;
}

NUMEL_MUST static bool mark(struct machine *m)
{
    struct pickle_room *r = m->room;
    if (m->marks == r->mark_cap &&
        !memory_grow(r->arena.memory, &r->marks, &r->mark_cap, m->marks + 1, sizeof *r->marks, m->error))
        return false;
    r->marks[m->marks++] = (uint32_t)m->count;
    return charge(m, VECTOR * sizeof *r->marks);
}

/* POP takes the mark, if there is nothing above it. */
NUMEL_MUST static bool drop(struct machine *m)
{
    struct pickle_value v;
    if (!m->marks || m->count > fence(m)) return pop(m, &v);
    m->marks--;
    return true;
}

NUMEL_MUST static bool drop_mark(struct machine *m)
{
    struct pickle_value *from;
    size_t n;
    return pop_mark(m, &from, &n);
}

NUMEL_MUST static bool twice(struct machine *m) { return top(m) ? push(m, *top(m)) : lacks(m); }
static bool nothing(struct machine *m) { return m->op != NULL; }

/* ---- plain values ------------------------------------------------------------------------- */

NUMEL_MUST static bool push_none(struct machine *m)
{
    return push(m, (struct pickle_value){ .kind = PICKLE_NONE });
}

NUMEL_MUST static bool push_bool(struct machine *m)
{
    return push(m, (struct pickle_value){ .kind = PICKLE_BOOL, .number = m->op->code == 0x88 });
}

NUMEL_MUST static bool push_number(struct machine *m, int64_t v)
{
    return push(m, (struct pickle_value){ .kind = PICKLE_INT, .number = v });
}

NUMEL_MUST static bool push_unsigned(struct machine *m) { return push_number(m, (int64_t)m->op->number); }
NUMEL_MUST static bool push_signed(struct machine *m)
{
    return push_number(m, (int32_t)(uint32_t)m->op->number);
}

NUMEL_MUST static bool push_bytes(struct machine *m)
{
    numel_str s = m->op->arg;
    return push(m, (struct pickle_value){
                       .kind = PICKLE_BYTES, .n = (uint32_t)num_min(s.n, UINT32_MAX), .text = s.p });
}

NUMEL_MUST static bool push_text(struct machine *m)
{
    numel_str s = pickle_string(m->op);
    return push(m, (struct pickle_value){
                       .kind = PICKLE_TEXT, .n = (uint32_t)num_min(s.n, UINT32_MAX), .text = s.p });
}

NUMEL_MUST static bool push_float(struct machine *m)
{
    uint64_t bits = num_load64((const uint8_t *)m->op->arg.p, true);
    union {
        uint64_t bits;
        double real;
    } u = { bits };
    return push(m, (struct pickle_value){ .kind = PICKLE_FLOAT, .real = u.real });
}

/* A float as text is not needed. */
NUMEL_MUST static bool push_float_line(struct machine *m)
{
    return push(m, (struct pickle_value){ .kind = PICKLE_FLOAT });
}

/* Little-endian, two's complement; more than 8 bytes stay as they are. */
NUMEL_MUST static bool push_long(struct machine *m)
{
    numel_str s = m->op->arg;
    if (s.n > 8) return push_bytes(m);
    uint64_t v = s.n ? num_load((const uint8_t *)s.p, (unsigned)s.n, false) : 0;
    bool negative = s.n && (uint8_t)text_last(s) & 0x80;
    if (negative && s.n < 8) v |= UINT64_MAX << (8 * s.n);
    return push_number(m, (int64_t)v);
}

/* "12", "-12", "12L"; "00" and "01" are False and True. */
NUMEL_MUST static bool push_decimal(struct machine *m)
{
    numel_str s = m->op->arg;
    bool negative = text_take_start(&s, "-");
    uint64_t v = 0;
    if (m->op->code == 'I' && s.n == 2 && s.p[0] == '0')
        return push(m, (struct pickle_value){ .kind = PICKLE_BOOL, .number = s.p[1] == '1' });
    (void)text_take_end(&s, "L");
    if (!text_is_number(s)) return broken(m, "has no number");
    if (!number_plain(s, &v) || v > INT64_MAX) return push_bytes(m);
    return push_number(m, negative ? -(int64_t)v : (int64_t)v);
}

/* ---- tuples, lists, dicts ----------------------------------------------------------------- */

NUMEL_MUST static bool push_tuple(struct machine *m, const struct pickle_value *from, size_t n)
{
    struct pickle_tuple *t = n || !m->empty ? build(m, sizeof *t + n * sizeof *from) : m->empty;
    if (!t) return false;
    if (!n) m->empty = t;
    t->n = (uint32_t)n;
    for (size_t i = 0; i < n; i++) t->items[i] = from[i];
    return push(m, (struct pickle_value){ .kind = PICKLE_TUPLE, .tuple = t });
}

NUMEL_MUST static bool tuple_of_mark(struct machine *m)
{
    struct pickle_value *from;
    size_t n;
    return pop_mark(m, &from, &n) && push_tuple(m, from, n);
}

NUMEL_MUST static bool tuple_of_none(struct machine *m) { return push_tuple(m, NULL, 0); }

/* TUPLE1 to TUPLE3. */
NUMEL_MUST static bool tuple_of_some(struct machine *m)
{
    struct pickle_value items[3];
    size_t n = m->op->code - 0x84u;
    for (size_t i = n; i-- > 0;)
        if (!pop(m, &items[i])) return false;
    return push_tuple(m, items, n);
}

NUMEL_MUST static bool push_items(struct machine *m, enum pickle_kind kind, struct pickle_items **out)
{
    *out = build(m, sizeof **out);
    return *out && push(m, (struct pickle_value){ .kind = kind, .items = *out });
}

NUMEL_MUST static bool add_item(struct machine *m, struct pickle_items *to, struct pickle_value key,
                                struct pickle_value value)
{
    to->count++;
    if (pickle_plain(&value) && value.kind != PICKLE_TEXT && key.kind != PICKLE_TEXT) return true;
    struct pickle_item *x = build(m, sizeof *x);
    if (!x) return false;
    *x = (struct pickle_item){ key, value, NULL };
    if (to->last) to->last->next = x;
    else to->first = x;
    to->last = x;
    return true;
}

NUMEL_MUST static bool add_all(struct machine *m, struct pickle_items *to, const struct pickle_value *from,
                               size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct pickle_value place = { .kind = PICKLE_INT, .number = (int64_t)to->count };
        if (!add_item(m, to, place, from[i])) return false;
    }
    return true;
}

NUMEL_MUST static bool add_pairs(struct machine *m, struct pickle_items *to, const struct pickle_value *from,
                                 size_t n)
{
    if (n % 2) return broken(m, "has a key without a value");
    for (size_t i = 0; i < n; i += 2)
        if (!add_item(m, to, from[i], from[i + 1])) return false;
    return true;
}

NUMEL_MUST static bool empty_list(struct machine *m)
{
    struct pickle_items *x;
    return push_items(m, PICKLE_LIST, &x);
}

NUMEL_MUST static bool empty_dict(struct machine *m)
{
    struct pickle_items *x;
    return push_items(m, PICKLE_DICT, &x);
}

/* LIST, FROZENSET, DICT: the values stay readable above the stack until the next push, so the container is
 * pushed last. */
NUMEL_MUST static bool items_of_mark(struct machine *m)
{
    struct pickle_value *from;
    size_t n;
    bool dict = m->op->code == 'd';
    if (!pop_mark(m, &from, &n)) return false;
    struct pickle_items *x = build(m, sizeof *x);
    return x && (dict ? add_pairs(m, x, from, n) : add_all(m, x, from, n)) &&
           push(m, (struct pickle_value){ .kind = dict ? PICKLE_DICT : PICKLE_LIST, .items = x });
}

/* What an object was given. */
NUMEL_MUST static struct pickle_given *given(struct machine *m, struct pickle_object *x)
{
    if (!x->given) x->given = build(m, sizeof *x->given);
    return x->given;
}

/* What the value on top collects; NULL if it cannot. */
static struct pickle_items *collector(struct machine *m)
{
    const struct pickle_value *v = top(m);
    if (!v) return NULL;
    if (v->kind == PICKLE_OBJECT) {
        struct pickle_given *g = given(m, v->object);
        return g ? &g->items : NULL;
    }
    return v->kind == PICKLE_LIST || v->kind == PICKLE_DICT ? v->items : NULL;
}

/* APPEND, APPENDS, ADDITEMS, SETITEM, SETITEMS. */
NUMEL_MUST static bool collect(struct machine *m)
{
    struct pickle_value *from, few[2];
    uint8_t code = m->op->code;
    bool pairs = code == 's' || code == 'u', one = code == 'a' || code == 's';
    size_t n = pairs ? 2 : 1;
    if (one) {
        from = few;
        for (size_t i = n; i-- > 0;)
            if (!pop(m, &few[i])) return false;
    } else if (!pop_mark(m, &from, &n)) return false;
    struct pickle_items *to = collector(m);
    if (!to) return broken(m, "adds to a value that has no items");
    return pairs ? add_pairs(m, to, from, n) : add_all(m, to, from, n);
}

/* ---- the memo ----------------------------------------------------------------------------- */

/* The place of a number; NULL if it has none. */
static struct pickle_value *memo_at(const struct machine *m, uint64_t number)
{
    uint64_t part = number / PICKLE_PART;
    return part < m->parts && m->room->memo[part] ? &m->room->memo[part][number % PICKLE_PART] : NULL;
}

/* Makes the part that has the number. */
NUMEL_MUST static bool make_part(struct machine *m, uint64_t number)
{
    struct pickle_room *r = m->room;
    uint64_t part = number / PICKLE_PART;
    if (part >= m->parts) {
        if (!charge(m, VECTOR * (part + 1 - m->parts) * sizeof(void *)) ||
            !memory_grow(r->arena.memory, &r->memo, &r->memo_cap, (size_t)part + 1, sizeof(void *), m->error))
            return false;
        while (m->parts <= part) r->memo[m->parts++] = NULL;
    }
    r->memo[part] = build(m, PICKLE_PART * sizeof(struct pickle_value));
    for (size_t i = 0; r->memo[part] && i < PICKLE_PART; i++) r->memo[part][i].kind = UINT32_MAX;
    return r->memo[part] != NULL;
}

NUMEL_MUST static bool put(struct machine *m, uint64_t number)
{
    const struct pickle_value *v = top(m);
    if (!v) return lacks(m);
    if (number >= m->code->at) return broken(m, "has a number larger than its pickle");
    if (!memo_at(m, number) && !make_part(m, number)) return false;
    *memo_at(m, number) = *v;
    m->memo = num_max(m->memo, number + 1);
    return true;
}

NUMEL_MUST static bool memo_put(struct machine *m) { return put(m, m->op->number); }
NUMEL_MUST static bool memo_next(struct machine *m) { return put(m, m->memo); }

NUMEL_MUST static bool memo_get(struct machine *m)
{
    const struct pickle_value *v = memo_at(m, m->op->number);
    bool known = v && v->kind != UINT32_MAX;
    return known ? push(m, *v) : broken(m, "takes a value that the memo does not have");
}

/* ---- names and calls ---------------------------------------------------------------------- */

NUMEL_MUST static bool global_of(struct machine *m, numel_str module, numel_str name,
                                 struct pickle_value *out)
{
    struct pickle_global *g = build(m, sizeof *g);
    if (!g) return false;
    *g = (struct pickle_global){ module, name };
    *out = (struct pickle_value){ .kind = PICKLE_GLOBAL, .global = g };
    return true;
}

NUMEL_MUST static bool push_global(struct machine *m)
{
    struct pickle_value g;
    return global_of(m, m->op->arg, m->op->arg2, &g) && push(m, g);
}

NUMEL_MUST static bool push_named(struct machine *m)
{
    struct pickle_value module, name, g;
    if (!pop(m, &name) || !pop(m, &module)) return false;
    bool texts = module.kind == PICKLE_TEXT && name.kind == PICKLE_TEXT;
    numel_str a = texts ? pickle_text(&module) : text_of("?"), b = texts ? pickle_text(&name) : text_of("?");
    return global_of(m, a, b, &g) && push(m, g);
}

/* EXT1 to EXT4: a number for a name that is registered elsewhere. */
NUMEL_MUST static bool push_extension(struct machine *m)
{
    struct pickle_value g;
    return global_of(m, text_of("copyreg"), text_of("extension"), &g) && push(m, g);
}

NUMEL_MUST static bool push_object(struct machine *m, struct pickle_value callee, struct pickle_value args)
{
    struct pickle_object *x = build(m, sizeof *x);
    if (!x) return false;
    x->callee = callee;
    x->args = args;
    return push(m, (struct pickle_value){ .kind = PICKLE_OBJECT, .object = x });
}

/* REDUCE, NEWOBJ. */
NUMEL_MUST static bool call(struct machine *m)
{
    struct pickle_value callee, args;
    return pop(m, &args) && pop(m, &callee) && push_object(m, callee, args);
}

/* NEWOBJ_EX: the named arguments are dropped. */
NUMEL_MUST static bool call_named(struct machine *m)
{
    struct pickle_value named;
    return pop(m, &named) && call(m);
}

/* INST has its class in the opcode, OBJ as the first value after the mark. */
NUMEL_MUST static bool call_marked(struct machine *m)
{
    struct pickle_value *from, callee, args;
    size_t n;
    bool inside = m->op->code == 'o';
    if (!pop_mark(m, &from, &n)) return false;
    if (inside && !n) return lacks(m);
    if (inside) callee = from[0];
    else if (!global_of(m, m->op->arg, m->op->arg2, &callee)) return false;
    return push_tuple(m, inside ? from + 1 : from, n - inside) && pop(m, &args) &&
           push_object(m, callee, args);
}

NUMEL_MUST static bool give_state(struct machine *m)
{
    struct pickle_value state;
    if (!pop(m, &state)) return false;
    const struct pickle_value *v = top(m);
    if (!v) return lacks(m);
    if (v->kind != PICKLE_OBJECT) return true;
    struct pickle_given *g = given(m, v->object);
    if (g) g->state = state;
    return g != NULL;
}

/* An id that is no tuple is nothing that torch stores. */
NUMEL_MUST static bool persistent(struct machine *m)
{
    struct pickle_value id;
    if (!pop(m, &id)) return false;
    if (id.kind != PICKLE_TUPLE) return push_none(m);
    id.kind = PICKLE_PERSISTENT;
    return push(m, id);
}

/* ---- the machine -------------------------------------------------------------------------- */

/* clang-format off */
static act_fn *const acts[256] = {
    ['('] = mark, ['.'] = nothing, ['0'] = drop, ['1'] = drop_mark, ['2'] = twice,
    ['N'] = push_none, [0x88] = push_bool, [0x89] = push_bool,
    ['I'] = push_decimal, ['L'] = push_decimal, ['F'] = push_float_line, ['G'] = push_float,
    ['J'] = push_signed, ['K'] = push_unsigned, ['M'] = push_unsigned, [0x8a] = push_long, [0x8b] = push_long,
    ['S'] = push_text, ['T'] = push_text, ['U'] = push_text, ['V'] = push_text, ['X'] = push_text,
    [0x8c] = push_text, [0x8d] = push_text,
    ['B'] = push_bytes, ['C'] = push_bytes, [0x8e] = push_bytes, [0x96] = push_bytes,
    ['t'] = tuple_of_mark, [')'] = tuple_of_none, [0x85] = tuple_of_some, [0x86] = tuple_of_some,
    [0x87] = tuple_of_some,
    [']'] = empty_list, ['}'] = empty_dict, [0x8f] = empty_list,
    ['l'] = items_of_mark, ['d'] = items_of_mark, [0x91] = items_of_mark,
    ['a'] = collect, ['e'] = collect, ['s'] = collect, ['u'] = collect, [0x90] = collect,
    ['p'] = memo_put, ['q'] = memo_put, ['r'] = memo_put, [0x94] = memo_next,
    ['g'] = memo_get, ['h'] = memo_get, ['j'] = memo_get,
    ['c'] = push_global, [0x93] = push_named, [0x82] = push_extension, [0x83] = push_extension,
    [0x84] = push_extension,
    ['R'] = call, [0x81] = call, [0x92] = call_named, ['i'] = call_marked, ['o'] = call_marked,
    ['b'] = give_state, ['P'] = push_none, ['Q'] = persistent,
    [0x80] = nothing, [0x95] = nothing, [0x97] = push_none, [0x98] = nothing,
};
/* clang-format on */

/* Why there is no next instruction. */
NUMEL_MUST static bool ended(struct machine *m, enum pickle_end end)
{
    uint64_t at = m->origin + m->code->at;
    if (end == PICKLE_CUT)
        return error_set(m->error, NUMEL_E_TRUNCATED, at, "the pickle ends before its STOP");
    if (m->op->code == 0x80)
        return error_set(m->error, NUMEL_E_VERSION, m->origin + m->at,
                         "the pickle has protocol %" PRIu64 ": known are those up to 5", m->op->number);
    return error_set(m->error, NUMEL_E_SYNTAX, m->origin + m->at,
                     "the pickle has the opcode 0x%02x, which no protocol up to 5 has", m->op->code);
}

bool pickle_run(struct pickle_room *room, struct pickle_code *code, uint64_t origin, struct pickle_value *out,
                numel_error *e)
{
    struct pickle_op op = { .code = 0 };
    struct machine m = { .room = room, .code = code, .op = &op, .origin = origin, .error = e };
    enum pickle_end end;
    do {
        m.at = code->at;
        if (!pickle_next(code, &op, &end)) return ended(&m, end);
        if (!acts[op.code](&m)) return false;
    } while (op.code != '.');
    return pop(&m, out);
}

/*
 * pickle.c -- the opcodes of pickletools.py: a byte, and an argument whose length follows from it.
 */
#include "reader/pickle.h"

#include "base/num.h"
#include "base/text.h"

/* An opcode's argument: n bytes; a length of n bytes, then that many bytes; n lines. */
enum form { NO_OPCODE, BYTES, LENGTH, LINES };
enum { LAST_PROTOCOL = 5 };

struct form_of {
    uint8_t form, n;
    bool text; /* pushes a string */
};

#define NONE            \
    {                   \
        BYTES, 0, false \
    }

/* clang-format off */
static const struct form_of forms[256] = {
    ['('] = NONE, ['.'] = NONE, ['0'] = NONE, ['1'] = NONE, ['2'] = NONE, ['N'] = NONE, ['Q'] = NONE,
    ['R'] = NONE, ['a'] = NONE, ['b'] = NONE, ['d'] = NONE, ['e'] = NONE, [']'] = NONE, ['l'] = NONE,
    ['o'] = NONE, ['s'] = NONE, ['t'] = NONE, [')'] = NONE, ['u'] = NONE, ['}'] = NONE, [0x81] = NONE,
    [0x85] = NONE, [0x86] = NONE, [0x87] = NONE, [0x88] = NONE, [0x89] = NONE, [0x8f] = NONE,
    [0x90] = NONE, [0x91] = NONE, [0x92] = NONE, [0x93] = NONE, [0x94] = NONE, [0x97] = NONE,
    [0x98] = NONE,
    ['K'] = { BYTES, 1, false }, ['h'] = { BYTES, 1, false }, ['q'] = { BYTES, 1, false },
    [0x80] = { BYTES, 1, false }, [0x82] = { BYTES, 1, false },
    ['M'] = { BYTES, 2, false }, [0x83] = { BYTES, 2, false },
    ['J'] = { BYTES, 4, false }, ['j'] = { BYTES, 4, false }, ['r'] = { BYTES, 4, false },
    [0x84] = { BYTES, 4, false },
    ['G'] = { BYTES, 8, false }, [0x95] = { BYTES, 8, false },
    ['F'] = { LINES, 1, false }, ['I'] = { LINES, 1, false }, ['L'] = { LINES, 1, false },
    ['P'] = { LINES, 1, false }, ['g'] = { LINES, 1, false }, ['p'] = { LINES, 1, false },
    ['S'] = { LINES, 1, true }, ['V'] = { LINES, 1, true },
    ['c'] = { LINES, 2, false }, ['i'] = { LINES, 2, false },
    ['U'] = { LENGTH, 1, true }, [0x8c] = { LENGTH, 1, true },
    ['T'] = { LENGTH, 4, true }, ['X'] = { LENGTH, 4, true },
    [0x8d] = { LENGTH, 8, true },
    ['C'] = { LENGTH, 1, false }, [0x8a] = { LENGTH, 1, false },
    ['B'] = { LENGTH, 4, false }, [0x8b] = { LENGTH, 4, false },
    [0x8e] = { LENGTH, 8, false }, [0x96] = { LENGTH, 8, false },
};
/* clang-format on */

bool pickle_begins(const uint8_t *p, uint64_t n)
{
    return n >= 3 && p[0] == 0x80 && p[1] >= 2 && p[1] <= LAST_PROTOCOL && forms[p[2]].form != NO_OPCODE;
}

static bool take(struct pickle_code *c, uint64_t n, numel_str *out)
{
    if (!num_inside(c->at, n, c->n)) return false;
    *out = (numel_str){ (const char *)c->p + c->at, (size_t)n };
    c->at += n;
    return true;
}

static bool take_line(struct pickle_code *c, numel_str *out)
{
    const void *from = c->p + c->at;
    const uint8_t *end = c->at < c->n ? memchr(from, '\n', (size_t)num_left(c->n, c->at)) : NULL;
    if (!end) return false;
    bool ok = take(c, (uint64_t)(end - (c->p + c->at)), out);
    c->at++;
    return ok;
}

static uint64_t decimal(numel_str s)
{
    uint64_t v = 0;
    for (size_t i = 0; i < s.n && s.p[i] >= '0' && s.p[i] <= '9' && v < UINT32_MAX; i++)
        v = v * 10 + (uint64_t)(s.p[i] - '0');
    return v;
}

static bool take_argument(struct pickle_code *c, struct pickle_op *op, const struct form_of *f)
{
    if (f->form == LINES) {
        if (!take_line(c, &op->arg) || (f->n == 2 && !take_line(c, &op->arg2))) return false;
        op->number = decimal(op->arg);
        return true;
    }
    if (!f->n) return true;
    if (!take(c, f->n, &op->arg)) return false;
    op->number = num_load((const uint8_t *)op->arg.p, f->n, false);
    return f->form != LENGTH || take(c, op->number, &op->arg);
}

bool pickle_next(struct pickle_code *c, struct pickle_op *op, enum pickle_end *end)
{
    *end = PICKLE_CUT;
    if (c->at >= c->n) return false;
    uint8_t code = c->p[c->at++];
    const struct form_of *f = &forms[code];
    *op = (struct pickle_op){ .code = code, .text = f->text, .arg = { "", 0 }, .arg2 = { "", 0 } };
    if (f->form == NO_OPCODE) *end = PICKLE_BROKEN;
    if (f->form == NO_OPCODE || !take_argument(c, op, f)) return false;
    if (code != 0x80 || op->number <= LAST_PROTOCOL) return true;
    *end = PICKLE_BROKEN;
    return false;
}

numel_str pickle_string(const struct pickle_op *op)
{
    numel_str s = op->arg;
    bool quoted = op->code == 'S' && s.n >= 2 && (s.p[0] == '\'' || s.p[0] == '"') && text_last(s) == s.p[0];
    return quoted ? text_inner(s) : s;
}

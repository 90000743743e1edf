/* printed.c -- see printed.h. */
#include "printed.h"

#include "words.h"

#include "../../../support/hostile.h"
#include "base/num.h"

#include <string.h>

void fuzz_print(const struct printout *p, const struct printed *x)
{
    uint64_t sum = 0;
    FUZZ_ASSERT(x->module < x->end && x->end <= p->module_count, "a printout outside of the modules");
    FUZZ_ASSERT(x->first_line <= x->last_line, "a printout ends before it begins");
    for (uint32_t m = x->module; m < x->end; m++) {
        const struct module *c = &p->modules[m], *above = &p->modules[c->parent];
        uint64_t all;
        FUZZ_ASSERT(m < c->end && c->end <= x->end, "a subtree is not a range");
        FUZZ_ASSERT(m == x->module || (c->parent < m && c->end <= above->end), "a child is outside");
        FUZZ_ASSERT(m == x->module || c->times == above->times * c->copies, "times is not the product");
        FUZZ_ASSERT(num_inside(c->parameter, c->parameters, p->parameter_count), "parameters outside");
        FUZZ_ASSERT(num_mul(&all, c->elements, c->times) && num_add(&sum, sum, all), "a sum that wraps");
    }
    FUZZ_ASSERT(sum == x->elements, "the sum is another");
}

static bool lies_in(const struct printout *p, numel_str s)
{
    return !s.n || (s.p >= p->text.p && s.p + s.n <= p->text.p + p->text.n);
}

static void check_summary(const struct printout *p, const struct summary *x, uint32_t lines)
{
    uint64_t sum = 0;
    FUZZ_ASSERT(x->row <= x->end && x->end <= p->row_count, "a table outside of the rows");
    FUZZ_ASSERT(x->first_line <= x->last_line && x->last_line <= lines, "a table ends before it begins");
    for (uint32_t i = x->row; i < x->end; i++) {
        const struct summary_row *r = &p->rows[i];
        FUZZ_ASSERT(&p->summaries[r->summary] == x, "a row of another table");
        FUZZ_ASSERT(r->count.low <= r->count.nominal && r->count.nominal <= r->count.high,
                    "a figure outside of itself");
        FUZZ_ASSERT(!r->counted || r->elements == r->count.nominal, "a row with another count");
        if (r->counted && !r->part) FUZZ_ASSERT(num_add(&sum, sum, r->elements), "a sum that wraps");
    }
    FUZZ_ASSERT(sum == x->elements, "the rows add up to another total");
    FUZZ_ASSERT(x->sum.low <= x->sum.nominal && x->sum.nominal <= x->sum.high, "a sum outside of itself");
    FUZZ_ASSERT(!x->total_known || x->total.low <= x->total.high, "a total without a number");
    if (x->total_known && x->agrees && !x->optimizer)
        FUZZ_ASSERT(x->sum.low <= x->total.high && x->sum.high >= x->total.low,
                    "it agrees with another total");
}

static void check_texts(const struct printout *p, uint32_t lines)
{
    for (size_t i = 0; i < p->module_count; i++) {
        const struct module *m = &p->modules[i];
        uint64_t own = 0;
        FUZZ_ASSERT(lies_in(p, m->name) && lies_in(p, m->class) && lies_in(p, m->args),
                    "a name outside the text");
        FUZZ_ASSERT(m->line >= 1 && m->line <= lines, "a module on no line");
        FUZZ_ASSERT(!m->numbered || m->to >= m->from, "numbers that go back");
        FUZZ_ASSERT(m->copies >= 1 && m->times >= 1, "a nonexistent module");
        for (uint32_t k = m->parameter; k < m->parameter + m->parameters; k++) {
            const struct parameter *x = &p->parameters[k];
            uint64_t product = 1;
            for (uint32_t d = 0; d < x->ndim; d++)
                FUZZ_ASSERT(num_mul(&product, product, x->dims[d]), "it wraps");
            FUZZ_ASSERT(product == x->elements && num_add(&own, own, product),
                        "elements are not the product");
        }
        FUZZ_ASSERT(own == m->elements, "a module is not its parameters");
    }
    for (size_t i = 0; i < p->stated_count; i++)
        FUZZ_ASSERT(p->stated[i].low <= p->stated[i].high && p->stated[i].line <= lines,
                    "a total on no line");
    for (size_t i = 0; i < p->remark_count; i++) {
        const struct remark *r = &p->remarks[i];
        FUZZ_ASSERT(r->code && r->message && r->message[0] && r->line <= lines, "a remark without words");
    }
}

static void check_all(const struct printout *p)
{
    uint32_t lines = 1;
    for (size_t i = 0; i < p->text.n; i++) lines += p->text.p[i] == '\n';
    for (size_t i = 0; i < p->print_count; i++) fuzz_print(p, &p->prints[i]);
    for (size_t i = 0; i < p->summary_count; i++) check_summary(p, &p->summaries[i], lines);
    check_texts(p, lines);
}

void fuzz_printed(const uint8_t *data, size_t size)
{
    struct check_memory m;
    struct printout p;
    numel_error e = { .code = NUMEL_OK }, f = { .code = NUMEL_OK };
    bool holds;
    fuzz_memory(&m, size, 0);
    bool ok = printout_read(&p, data, size, &m.allocator, &e);
    fuzz_error(ok, &e, size);
    FUZZ_ASSERT(e.code != NUMEL_E_NOMEM, "more memory than is promised");
    if (ok) check_all(&p);
    if (size % 8 == 0 && ok) {
        FUZZ_ASSERT(printout_holds(&holds, data, size, &m.allocator, &f), "the check of its beginning fails");
        FUZZ_ASSERT(holds == (p.print_count + p.summary_count > 0), "the check of its beginning disagrees");
    }
    printout_done(&p);
    fuzz_memory_done(&m);
}

/* wrapper.c -- see wrapper.h. */
#include "model/wrapper.h"

#include "model/model_internal.h"

/* ---- names -------------------------------------------------------------------------------- */

static numel_str stored_name(const struct model *m, size_t tensor)
{
    return m->ck->registry.tensors[tensor].name;
}

static bool is_weight(const struct model *m, size_t tensor)
{
    return training_part(&m->inner->training, (uint32_t)tensor) == TRAINING_WEIGHT;
}

static bool begins(numel_str s, numel_str with)
{
    return s.n > with.n && (!with.n || memcmp(s.p, with.p, with.n) == 0);
}

/* True if the name without torch's words equals `plain`. */
static bool same_without_words(numel_str name, numel_str plain)
{
    size_t i = 0, j = 0;
    while (i < name.n) {
        size_t word = i == 0 || name.p[i - 1] == '.' ? training_layer(text_from(name, i), NULL) : 0;
        if (word) i += word;
        else if (j == plain.n || name.p[i++] != plain.p[j++]) return false;
    }
    return j == plain.n;
}

/* The number of leading bytes of a name that are not in the view, including torch's words after them. */
static size_t cut_in_front(numel_str name, numel_str view)
{
    size_t at = 0, word;
    while (at < name.n && !same_without_words(text_from(name, at), view)) {
        while (at < name.n && name.p[at] != '.') at++;
        at += at < name.n;
    }
    while (at < name.n && (word = training_layer(text_from(name, at), NULL)) != 0) at += word;
    return at < name.n ? at : 0;
}

static const struct row_match *first_match(const struct model *m)
{
    for (uint32_t r = 0; r < m->x->row_count; r++)
        if (m->inner->match.rows[r].tensor != NAMES_ABSENT) return &m->inner->match.rows[r];
    return NULL;
}

/* ---- in front ----------------------------------------------------------------------------- */

static void count_front(const struct model *m, struct wrapper *w)
{
    for (size_t i = 0; i < m->ck->registry.count; i++) {
        numel_str name = stored_name(m, i);
        bool has = is_weight(m, i) && begins(name, w->before);
        w->weights += is_weight(m, i);
        w->names += has && begins(text_from(name, w->before.n), w->text);
    }
}

/* transformers itself adds or strips the base prefix once, so it does not belong to a wrapper, except as
 * the last part of PEFT's. */
static size_t cut_base(numel_str name, size_t cut, numel_str base)
{
    size_t rest = cut - (base.n < cut ? base.n : cut);
    bool ends = base.n && base.n <= cut && memcmp(name.p + rest, base.p, base.n) == 0 &&
                (!rest || name.p[rest - 1] == '.');
    return ends && !text_equal((numel_str){ name.p, cut }, "base_model.model.") ? rest : cut;
}

/* Finds the prefix that training.c cut off, followed by the one that naming.c settled on. */
static bool find_front(const struct model *m, numel_str base, struct wrapper *w)
{
    const struct row_match *match = first_match(m);
    const struct naming *n = &m->inner->naming;
    if (!match) return false;
    numel_str name = stored_name(m, match->tensor), view = n->registry->tensors[match->tensor].name;
    size_t cut = cut_in_front(name, view);
    if (n->settled && n->longer) {
        numel_str prefix = n->prefixes[n->longer - WAY_LONGER];
        if (begins(text_from(name, cut), prefix)) cut += prefix.n;
    }
    cut = cut_base(name, cut, base);
    *w = (struct wrapper){ .before = { name.p, 0 }, .text = { name.p, cut } };
    if (cut) count_front(m, w);
    return w->names > 0;
}

/* ---- anywhere ----------------------------------------------------------------------------- */

/* Looks after the first `from` bytes. find_front() and find_inserted() check the start of names. */
static bool has_word(numel_str name, size_t from, unsigned word)
{
    for (size_t at = from ? from : 1; at < name.n; at++) {
        unsigned found;
        if (name.p[at - 1] == '.' && training_layer(text_from(name, at), &found) && found == word)
            return true;
    }
    return false;
}

static bool find_word(const struct model *m, unsigned word, numel_str front, struct wrapper *w)
{
    *w = (struct wrapper){ .text = text_of(training_layer_text(word)), .anywhere = true };
    if (!registry_mentions(&m->ck->registry, w->text)) return false;
    for (size_t i = 0; i < m->ck->registry.count; i++) {
        numel_str name = stored_name(m, i);
        w->weights += is_weight(m, i);
        w->names += is_weight(m, i) && has_word(name, begins(name, front) ? front.n : 0, word);
    }
    return w->names > 0;
}

/* ---- unmatched ---------------------------------------------------------------------------- */

/* True if the name is the expected one with whole parts inserted; sets where, and how many bytes. */
static bool is_inserted(numel_str name, numel_str expected, size_t *at, size_t *bytes)
{
    size_t front = 0, back = 0;
    if (name.n <= expected.n) return false;
    while (front < expected.n && name.p[front] == expected.p[front]) front++;
    numel_str x = text_from(name, front), y = text_from(expected, front);
    while (back < y.n && text_last(text_less(x, back)) == text_last(text_less(y, back))) back++;
    if (front + back != expected.n) return false;
    while (front > 0 && expected.p[front - 1] != '.') front--; /* back to the start of a part */
    *bytes = text_from(name, expected.n).n;
    *at = front;
    return name.p[front + *bytes - 1] == '.' &&
           text_same(text_from(name, front + *bytes), text_from(expected, front));
}

/* Names of a class without a head may lack the formula's prefix. */
static numel_str without(numel_str name, numel_str base)
{
    return base.n && begins(name, base) ? text_from(name, base.n) : name;
}

/* The number of missing tensors that exist under the name with the insertion. */
static uint64_t count_found(const struct model *m, const struct wrapper *w, numel_str base)
{
    const struct differences *d = &m->differences;
    char full[600];
    uint64_t found = 0;
    for (size_t i = 0; i < d->missing; i++) {
        numel_str name = without(d->gaps[i].name, base);
        if (!begins(name, w->before)) continue;
        numel_str with = text_join(full, sizeof full, w->before, w->text, text_from(name, w->before.n));
        found += with.p && registry_find(&m->ck->registry, with) != NULL;
    }
    return found;
}

/* True if the name of an unexpected tensor is that of a missing one with an insertion, and the same
 * insertion explains most other missing ones. */
static bool explains_missing(const struct model *m, numel_str name, numel_str base, struct wrapper *w)
{
    const struct differences *d = &m->differences;
    size_t at, bytes;
    for (size_t i = 0; i < d->missing; i++) {
        if (!is_inserted(name, without(d->gaps[i].name, base), &at, &bytes)) continue;
        *w = (struct wrapper){ { name.p, at }, { name.p + at, bytes }, .unmatched = true };
        uint64_t found = count_found(m, w, base);
        w->explains = found * 2;
        return found >= d->missing - found;
    }
    return false;
}

static bool find_inserted(const struct model *m, numel_str base, struct wrapper *w)
{
    enum { TRIED = 8 }; /* number of tensors; each is compared with all missing ones */
    const struct differences *d = &m->differences;
    numel_str none = { "", 0 };
    for (size_t u = 0; u < d->unexpected_count && u < TRIED; u++) {
        numel_str name = stored_name(m, d->unexpected[u]);
        if (!explains_missing(m, name, none, w) && !(base.n && explains_missing(m, name, base, w))) continue;
        count_front(m, w);
        return true;
    }
    return false;
}

/* ---- all ---------------------------------------------------------------------------------- */

unsigned model_wrappers(const struct model *m, numel_str base, struct wrapper out[WRAPPERS])
{
    unsigned n = 0;
    numel_str front = { "", 0 };
    if (!m->ck || !m->x || model_is_gguf(m) || m->side != SIDE_HF || m->inner->training.any) return 0;
    if (find_front(m, base, &out[n])) front = out[n++].text;
    for (unsigned word = 0; word < TRAINING_LAYERS; word++) n += find_word(m, word, front, &out[n]);
    return n + find_inserted(m, base, &out[n]);
}

uint64_t model_adapters(const struct model *m, bool *inside)
{
    uint64_t count = 0;
    *inside = false;
    if (!m->ck || !m->x) return 0;
    *inside = m->inner->naming.wrapped;
    for (size_t i = 0; i < m->ck->registry.count; i++)
        count += m->inner->match.tensors[i].cause == CAUSE_LORA;
    return count;
}

enum prefix_kind wrapper_prefix(const struct model *m, numel_str part)
{
    return naming_prefix(&m->inner->naming, part);
}

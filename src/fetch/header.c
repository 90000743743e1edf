/* header.c -- one function for each header. */
#include "fetch/header.h"

#include "base/number.h"

static numel_str trimmed(numel_str s)
{
    while (text_first(s) == ' ' || text_first(s) == '\t') s = text_from(s, 1);
    while (text_last(s) == ' ' || text_last(s) == '\t') s = text_less(s, 1);
    return s;
}

static bool lower_starts(numel_str *s, const char *word)
{
    char lower[16];
    size_t n = strlen(word);
    if (!text_equal(text_lower(lower, sizeof lower, text_upto(*s, n)), word)) return false;
    *s = text_from(*s, n);
    return true;
}

bool header_range(struct header_range *r, numel_str value)
{
    numel_str s = trimmed(value);
    *r = (struct header_range){ .size = SIZE_UNKNOWN };
    if (!lower_starts(&s, "bytes ")) return false;
    numel_str range = text_cut(&s, '/');
    bool any_size = text_equal(s, "*");
    if (!any_size && (!number_plain(s, &r->size) || r->size >= INT64_MAX)) return false;
    if (text_equal(range, "*")) return !any_size;
    numel_str first = text_cut(&range, '-');
    r->satisfied = true;
    return number_plain(first, &r->first) && number_plain(range, &r->last) && r->first <= r->last &&
           r->last < (any_size ? (uint64_t)INT64_MAX : r->size);
}

numel_str header_etag(numel_str value)
{
    numel_str s = trimmed(value), none = { NULL, 0 };
    if (text_starts(s, "W/\"")) s = text_from(s, 2);
    if (s.n >= 2 && text_first(s) == '"' && text_last(s) == '"') s = text_inner(s);
    if (s.n > FETCH_ETAG || text_equal(s, "-")) return none;
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] <= ' ' || s.p[i] > '~' || s.p[i] == '"') return none;
    return s;
}

bool header_etag_strong(numel_str value)
{
    return text_first(value) == '"' && header_etag(value).n + 2 == value.n;
}

/* One parameter, ; rel="next" or ; title="a, b; c". The end of the link leaves `word` empty. */
static numel_str link_parameter(numel_str *s, numel_str *word)
{
    *s = trimmed(*s);
    *word = (numel_str){ NULL, 0 };
    if (!text_take_start(s, ";")) return *word;
    size_t i = 0;
    bool quoted = false;
    for (; i < s->n && (quoted || (s->p[i] != ';' && s->p[i] != ',')); i++)
        if (s->p[i] == '"') quoted = !quoted;
    numel_str value = trimmed(text_upto(*s, i));
    *s = text_from(*s, i);
    *word = trimmed(text_cut(&value, '='));
    value = trimmed(value);
    return text_first(value) == '"' ? text_inner(value) : value;
}

numel_str header_link_next(numel_str value)
{
    for (numel_str s = trimmed(value); s.n;) {
        if (!text_take_start(&s, "<") || text_find(s, 0, '>') == s.n) break;
        numel_str target = text_cut(&s, '>'), word = target;
        bool next = false;
        while (word.n) {
            char name[8];
            numel_str is = link_parameter(&s, &word);
            if (text_equal(text_lower(name, sizeof name, word), "rel"))
                next |= text_lists(is, text_of("next"));
        }
        if (next) return target;
        s = trimmed(s);
        if (!text_take_start(&s, ",")) break;
        s = trimmed(s);
    }
    return (numel_str){ NULL, 0 };
}

uint64_t header_limit_wait(numel_str value)
{
    while (value.n) {
        uint64_t seconds = 0;
        numel_str part = trimmed(text_cut(&value, ';'));
        if (text_take_start(&part, "t=") && number_plain(part, &seconds)) return seconds;
    }
    return 0;
}

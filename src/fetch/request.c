/* request.c -- a line that is not exactly a request means that the parent is broken. */
#include "fetch/request.h"

#include "base/number.h"

/* Without a leading zero, so that each number has one form. */
static bool plain(numel_str word, uint64_t *v)
{
    return number_plain(word, v) && (word.n == 1 || text_first(word) != '0');
}

static bool is_word(numel_str word)
{
    for (size_t i = 0; i < word.n; i++)
        if (word.p[i] <= ' ' || word.p[i] > '~') return false;
    return word.n > 0;
}

bool request_read(struct request *r, numel_str line)
{
    uint64_t id = 0;
    *r = (struct request){ 0 };
    numel_str verb = text_cut(&line, ' ');
    r->list = text_equal(verb, "list");
    if (!r->list && !text_equal(verb, "read")) return false;
    if (!plain(text_cut(&line, ' '), &id) || id > UINT32_MAX) return false;
    r->id = (uint32_t)id;
    if (!r->list) {
        if (!plain(text_cut(&line, ' '), &r->offset) || !plain(text_cut(&line, ' '), &r->length))
            return false;
        r->etag = text_cut(&line, ' ');
        if (!is_word(r->etag) || r->etag.n > FETCH_ETAG) return false;
        if (text_equal(r->etag, "-")) r->etag = (numel_str){ NULL, 0 };
    }
    r->url = line;
    return is_word(line);
}

/* url.c -- the parts of RFC 3986 that url.h needs, on slices of the text. */
#include "fetch/url.h"

#include "base/number.h"
#include "base/text.h"

static bool is_printable(numel_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] <= ' ' || s.p[i] > '~') return false;
    return s.n > 0;
}

/* "host", "host:443", "[::1]:443" */
static bool split_authority(struct url *u, numel_str a)
{
    size_t bracket = text_find(a, 0, ']');
    bool six = text_first(a) == '[' && bracket < a.n;
    numel_str port = text_from(a, six ? bracket + 1 : text_find(a, 0, ':'));
    u->host = text_span(a.p, port.n ? port.p : a.p + a.n);
    u->port = u->secure ? 443 : 80;
    if (u->host.n == 0 || u->host.n > 255 || text_find(a, 0, '@') < a.n) return false;
    if (port.n == 0) return true;
    return text_take_start(&port, ":") && number_plain(port, &u->port) && u->port > 0 && u->port < 65536;
}

bool url_split(struct url *u, numel_str text)
{
    char scheme[8];
    *u = (struct url){ 0 };
    numel_str word = text_lower(scheme, sizeof scheme, text_upto(text, text_find(text, 0, ':')));
    u->secure = text_equal(word, "https");
    if (!is_printable(text) || (!u->secure && !text_equal(word, "http"))) return false;
    numel_str after = text_from(text, word.n);
    if (!text_take_start(&after, "://") || text_find(text, 0, '\\') < text.n) return false;
    size_t end =
        num_min(text_find(after, 0, '/'), num_min(text_find(after, 0, '?'), text_find(after, 0, '#')));
    u->rest = text_from(after, end);
    return split_authority(u, text_upto(after, end));
}

bool url_same_origin(numel_str a, numel_str b)
{
    struct url x, y;
    char lower_x[256], lower_y[256];
    if (!url_split(&x, a) || !url_split(&y, b) || x.secure != y.secure || x.port != y.port) return false;
    return text_same(text_lower(lower_x, sizeof lower_x, x.host),
                     text_lower(lower_y, sizeof lower_y, y.host));
}

static bool is_loopback_address(numel_str host)
{
    uint64_t part = 0;
    if (text_last(host) == '.') return false;
    for (int i = 0; i < 4; i++) {
        numel_str digits = text_cut(&host, '.');
        if (!number_plain(digits, &part) || part > 255 || digits.n > 3 || (i == 0 && part != 127))
            return false;
    }
    return host.n == 0;
}

bool url_is_local(const struct url *u)
{
    return text_equal(u->host, "localhost") || text_equal(u->host, "[::1]") || is_loopback_address(u->host);
}

numel_str url_bare(numel_str text)
{
    return text_upto(text, num_min(text_find(text, 0, '?'), text_find(text, 0, '#')));
}

void url_encode(struct buffer *b, numel_str text)
{
    static const char unreserved[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c && strchr(unreserved, c)) buffer_char(b, c);
        else buffer_format(b, "%%%02X", (unsigned)(uint8_t)c);
    }
}

bool url_decode(struct buffer *b, numel_str text)
{
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] != '%') {
            buffer_char(b, text.p[i]);
            continue;
        }
        numel_str two = text_upto(text_from(text, i + 1), 2);
        int high = two.n == 2 ? number_hex(two.p[0]) : -1, low = two.n == 2 ? number_hex(two.p[1]) : -1;
        if (high < 0 || low < 0) return false;
        buffer_char(b, (char)(high * 16 + low));
        i += 2;
    }
    return true;
}

bool url_is_path(numel_str decoded)
{
    if (text_utf8((const uint8_t *)decoded.p, decoded.n) < decoded.n) return false;
    for (size_t i = 0; i < decoded.n; i++)
        if ((uint8_t)decoded.p[i] < ' ' || decoded.p[i] == 0x7F) return false;
    if (decoded.n == 0 || text_last(decoded) == '/') return false;
    while (decoded.n) {
        numel_str one = text_cut(&decoded, '/');
        if (one.n == 0 || text_equal(one, ".") || text_equal(one, "..")) return false;
    }
    return true;
}

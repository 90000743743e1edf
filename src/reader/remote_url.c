/* remote_url.c -- the grammar of URLs in remote.h. Percent-encoding is undone once; names are then checked. */
#include "reader/remote.h"

#include "base/number.h"

#include "reader/find_internal.h"

struct parsing {
    struct remote_url *u;
    struct arena *arena;
    const numel_options *options;
    numel_error *error;
};

bool remote_is(const char *path)
{
    numel_str s = text_of(path);
    return text_starts(s, "hf://") || text_starts(s, "https://") || text_starts(s, "http://");
}

static void tell(const struct parsing *p, const char *why)
{
    error_set(p->error, NUMEL_E_USAGE, NUMEL_NOWHERE, "%s", why);
}

/* Undoes %XX. p is NULL: out of memory, or it decodes to NUL. */
NUMEL_MUST static numel_str decode(struct parsing *p, numel_str s)
{
    if (!s.n) return (numel_str){ "", 0 };
    char *out = arena_text(p->arena, s.p, s.n);
    size_t n = 0;
    if (!out) return error_put_nomem(p->error), (numel_str){ NULL, 0 };
    for (size_t i = 0; i < s.n; i++) {
        bool code =
            s.p[i] == '%' && i + 2 < s.n && number_hex(s.p[i + 1]) >= 0 && number_hex(s.p[i + 2]) >= 0;
        out[n] = code ? (char)(number_hex(s.p[i + 1]) * 16 + number_hex(s.p[i + 2])) : s.p[i];
        if (code) i += 2;
        if (!out[n++]) return tell(p, "is not a URL: %00 in it"), (numel_str){ NULL, 0 };
    }
    out[n] = 0;
    return (numel_str){ out, n };
}

/* The revision in front of *rest, which moves past it: one component, but three of refs/pr/N. */
static numel_str take_revision(numel_str *rest)
{
    numel_str all = *rest, rev = text_cut(rest, '/');
    bool refs = text_equal(rev, "refs") && (text_starts(*rest, "pr/") || text_starts(*rest, "convert/"));
    if (!refs) return rev;
    (void)text_cut(rest, '/');
    numel_str last = text_cut(rest, '/');
    return text_span(all.p, last.p + last.n);
}

/* ORG/NAME, a revision that may be empty, and the path below. */
NUMEL_MUST static bool set_hub(struct parsing *p, numel_str org, numel_str name, numel_str rev,
                               numel_str path)
{
    struct remote_url *u = p->u;
    numel_str slash = text_of("/"), at = text_of("@");
    u->hub = true;
    if (!naming_is_id(org) || !naming_is_id(name))
        return tell(p, "is not a repository: hf://ORG/NAME[@REVISION][/FILE]"), false;
    numel_str plain = decode(p, rev);
    u->path = decode(p, text_last(path) == '/' ? text_less(path, 1) : path);
    if (!plain.p || !u->path.p) return false;
    if ((plain.n && !naming_is_inside(plain)) || (u->path.n && !naming_is_inside(u->path)))
        return tell(p, "has a revision or a path that leads nowhere"), false;
    u->base = arena_join(p->arena, text_of("hf://"), org, slash);
    if (u->base.p) u->base = arena_join(p->arena, u->base, name, (numel_str){ NULL, 0 });
    u->name = u->base;
    if (u->base.p && rev.n) u->name = arena_join(p->arena, u->base, at, rev);
    u->request = u->name;
    return u->name.p || error_nomem(p->error);
}

/* The part of hf:// that follows the scheme. */
NUMEL_MUST static bool parse_hf(struct parsing *p, numel_str rest)
{
    static const char others[] = "datasets spaces kernels buckets";
    (void)text_take_start(&rest, "models/");
    numel_str org = text_cut(&rest, '/');
    if (text_lists(text_of(others), org) && text_find(rest, 0, '/') < rest.n)
        return tell(p, "is not a model: numel reads hf://ORG/NAME, not datasets, spaces, kernels or buckets"),
               false;
    size_t at = text_find(rest, 0, '@'), slash = text_find(rest, 0, '/');
    if (at > slash || at == rest.n) {
        numel_str name = text_cut(&rest, '/');
        return set_hub(p, org, name, text_of(""), rest);
    }
    numel_str name = text_cut(&rest, '@'), rev = take_revision(&rest);
    return rev.n ? set_hub(p, org, name, rev, rest) : (tell(p, "has an empty revision after '@'"), false);
}

/* ---- web addresses -------------------------------------------------------------------------- */

static bool is_hub_host(const struct parsing *p, numel_str host)
{
    static const char hosts[] = "huggingface.co www.huggingface.co hf.co";
    const char *set =
        p->options->environment ? p->options->environment(p->options->environment_ctx, "HF_ENDPOINT") : NULL;
    numel_str own = text_of(set ? set : "");
    if (!text_take_start(&own, "https://")) (void)text_take_start(&own, "http://");
    own = text_cut(&own, '/');
    return text_lists(text_of(hosts), host) || (own.n && text_same(own, host));
}

static bool is_loopback(numel_str host)
{
    static const char names[] = "127.0.0.1 localhost [::1]";
    size_t end = text_first(host) == '[' ? text_find(host, 0, ']') + 1 : text_find(host, 0, ':');
    return text_lists(text_of(names), text_upto(host, end));
}

/* ORG/NAME[/tree/REV[/PATH]] of the hub's web pages. */
NUMEL_MUST static bool parse_web(struct parsing *p, numel_str rest)
{
    static const char pages[] = "tree blob resolve raw blame";
    numel_str org = text_cut(&rest, '/'), name = text_cut(&rest, '/'), page = text_cut(&rest, '/');
    if (!page.n) return set_hub(p, org, name, page, page);
    if (!text_lists(text_of(pages), page))
        return tell(p, "is not a page with a model's files: give hf://ORG/NAME, or the address of a file"),
               false;
    numel_str rev = take_revision(&rest);
    return set_hub(p, org, name, rev, rest);
}

static bool is_plain(numel_str url)
{
    for (size_t i = 0; i < url.n; i++)
        if ((uint8_t)url.p[i] <= ' ' || url.p[i] == 0x7F) return false;
    return true;
}

NUMEL_MUST static bool parse_file(struct parsing *p, numel_str url, numel_str host, numel_str below)
{
    struct remote_url *u = p->u;
    numel_str path = decode(p, below);
    if (!path.p) return false;
    if (!host.n || !naming_is_inside(path) || !naming_is_inside(host) || !is_plain(url))
        return tell(p, "is not the address of a file"), false;
    u->path = path_base(path.p);
    u->name =
        arena_join(p->arena, text_span(url.p, below.p), text_less(path, u->path.n), (numel_str){ NULL, 0 });
    if (u->name.p) u->name = text_less(u->name, 1); /* its last slash */
    if (u->name.p) u->name.p = arena_text(p->arena, u->name.p, u->name.n);
    u->base = u->name;
    u->request = (numel_str){ arena_text(p->arena, url.p, url.n), url.n };
    return (u->name.p && u->request.p) || error_nomem(p->error);
}

bool remote_parse(struct remote_url *u, const char *path, const numel_options *options, struct arena *a,
                  numel_error *e)
{
    struct parsing p = { u, a, options, e };
    numel_str url = { arena_text(a, path, strlen(path)), strlen(path) }, rest = url;
    *u = (struct remote_url){ .path = { "", 0 } };
    if (!url.p) return error_nomem(e);
    if (text_take_start(&rest, "hf://")) return parse_hf(&p, rest);
    bool secret = text_take_start(&rest, "https://");
    if (!secret) (void)text_take_start(&rest, "http://");
    rest = text_upto(rest, text_find(rest, 0, '#'));
    url = text_span(url.p, rest.p + rest.n);
    numel_str below = text_upto(rest, text_find(rest, 0, '?')), host = text_cut(&below, '/');
    if (is_hub_host(&p, host)) return parse_web(&p, below);
    if (!secret && !is_loopback(host))
        return tell(&p, "is http:// to another machine, which anyone on the way can change: use https://"),
               false;
    if (text_find(host, 0, '@') < host.n)
        return tell(&p, "has a name and password in it, which others on this machine would see"), false;
    return parse_file(&p, url, host, below);
}

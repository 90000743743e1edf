/*
 * job_hub.c -- jobs of hf:// URLs: which commit a revision is, and its list of files.
 *
 * The first answer for a revision holds for the whole run, so that all shards come from one commit.
 */
#include "fetch/fetcher_internal.h"
#include "fetch/header.h"

#include "base/text.h"

enum { PAGES_MOST = 1000 };

static void endpoint(struct buffer *url, const struct fetcher *f)
{
    buffer_init(url, &memory_malloc);
    buffer_str(url, f->config->endpoint);
}

/* Asks for the URL, which is freed. */
static void begin_step(struct fetcher *f, struct job *j, enum step step, struct buffer *url)
{
    j->step = step;
    j->start = buffer_keep(url, &j->arena);
    if (j->start) job_go(f, j, j->start);
    else job_nomem(f, j);
}

/* ---- revisions ---------------------------------------------------------------------------- */

static struct revision *revision_of(struct fetcher *f, const struct job *j)
{
    for (struct revision *r = f->revisions; r; r = r->next)
        if (text_same(r->repo, j->place.repo) && text_same(r->rev, j->place.rev)) return r;
    return NULL;
}

/* The key of a revision in the cache, used only with --offline. */
static void revision_key(struct buffer *b, const struct fetcher *f, const struct job *j)
{
    buffer_init(b, &memory_malloc);
    buffer_text(b, "revision ");
    buffer_str(b, f->config->endpoint);
    hub_revision(b, &j->place);
}

/* Remembers the commit, unless another job has got an answer before. */
NUMEL_MUST static struct revision *keep_revision(struct fetcher *f, const struct job *j, numel_str commit)
{
    struct revision *r = revision_of(f, j);
    if (r) return r;
    r = arena_zeroed(&f->arena, sizeof *r);
    if (!r) return NULL;
    struct fixed text = FIXED(r->commit);
    fixed_add(&text, commit);
    const char *repo = arena_text(&f->arena, j->place.repo.p, j->place.repo.n);
    const char *rev = arena_text(&f->arena, j->place.rev.p, j->place.rev.n);
    if (!repo || !rev) return NULL;
    r->repo = text_of(repo);
    r->rev = text_of(rev);
    r->next = f->revisions;
    f->revisions = r;
    return r;
}

/* ---- the list of files -------------------------------------------------------------------- */

static void tree_key(struct buffer *b, const struct fetcher *f, const struct job *j)
{
    buffer_init(b, &memory_malloc);
    buffer_text(b, "tree ");
    buffer_str(b, f->config->endpoint);
    hub_tree(b, &j->place, j->commit);
}

static void list_begin(struct fetcher *f, struct job *j)
{
    struct buffer url, key;
    struct cache_entry entry;
    tree_key(&key, f, j);
    if (cache_find(&f->cache, buffer_view(&key), &entry)) {
        j->kept = true;
        job_done(f, j, SIZE_UNKNOWN, (numel_str){ NULL, 0 }, entry.bytes);
        cache_entry_done(&entry);
    } else {
        endpoint(&url, f);
        hub_tree(&url, &j->place, j->commit);
        buffer_text(&j->lines, "revision ");
        buffer_str(&j->lines, j->commit);
        buffer_char(&j->lines, '\n');
        begin_step(f, j, STEP_TREE, &url);
    }
    buffer_done(&key);
}

static void list_end(struct fetcher *f, struct job *j)
{
    struct buffer key;
    if (j->lines.failed) {
        job_nomem(f, j);
        return;
    }
    tree_key(&key, f, j);
    if (!key.failed)
        cache_keep(&f->cache, buffer_view(&key), SIZE_UNKNOWN, (numel_str){ NULL, 0 },
                   buffer_view(&j->lines));
    buffer_done(&key);
    job_done(f, j, SIZE_UNKNOWN, (numel_str){ NULL, 0 }, buffer_view(&j->lines));
}

/* True if the pages lead back to an earlier one: each is compared with the last whose number is a power of two. */
static bool is_loop(struct job *j, const char *next)
{
    if ((j->pages & (j->pages - 1)) == 0) j->mark = j->url;
    return strcmp(next, j->mark) == 0 || strcmp(next, j->url) == 0;
}

/* A next page that cannot be read is an error: files would be missing from the list. */
static void next_page(struct fetcher *f, struct job *j, numel_str link)
{
    numel_str target = header_link_next(link);
    const char *url = target.n ? arena_text(&j->arena, target.p, target.n) : NULL;
    if (target.n == 0 && !text_holds(link, text_of("next"))) {
        list_end(f, j);
    } else if (!url || !job_may_ask(f, url)) {
        job_broke(f, j, "names a next page that is not a URL");
    } else if (++j->pages > PAGES_MOST) {
        job_broke(f, j, "lists a repository in more than 1,000 pages");
    } else if (is_loop(j, url)) {
        job_broke(f, j, "lists a repository in pages that lead back to an earlier one");
    } else {
        j->hops = 0;
        job_go(f, j, url);
    }
}

void hub_reply_tree(struct fetcher *f, struct job *j, const struct exchange *x)
{
    numel_error e = { 0 };
    if (x->status != 200) refuse_status(f, j, x);
    else if (x->over) job_broke(f, j, "sends a page of the list of files above 32 MiB");
    else if (!hub_page(&j->lines, &j->files, buffer_view(&x->body), &e))
        job_broke(f, j, "sends a list of files that cannot be used: %s", e.what);
    else next_page(f, j, x->head[HEAD_LINK]);
}

/* ---- both --------------------------------------------------------------------------------- */

static void with_commit(struct fetcher *f, struct job *j)
{
    struct buffer url;
    if (j->request.list) {
        list_begin(f, j);
        return;
    }
    endpoint(&url, f);
    hub_file(&url, &j->place, j->commit);
    const char *start = buffer_keep(&url, &j->arena);
    if (start) read_begin(f, j, start);
    else job_nomem(f, j);
}

static void set_commit(struct fetcher *f, struct job *j, numel_str commit)
{
    struct revision *r = keep_revision(f, j, commit);
    if (!r) {
        job_nomem(f, j);
        return;
    }
    j->commit = text_of(r->commit);
    with_commit(f, j);
}

void hub_reply_revision(struct fetcher *f, struct job *j, const struct exchange *x)
{
    char commit[HUB_COMMIT + 1];
    numel_error e = { 0 };
    struct buffer key;
    if (x->status != 200) {
        refuse_status(f, j, x);
    } else if (x->over || !hub_commit(commit, buffer_view(&x->body), &e)) {
        job_broke(f, j, "does not say which commit the revision is: %s",
                  x->over ? "its answer is too long" : e.what);
    } else {
        revision_key(&key, f, j);
        if (!key.failed)
            cache_keep(&f->cache, buffer_view(&key), SIZE_UNKNOWN, (numel_str){ NULL, 0 }, text_of(commit));
        buffer_done(&key);
        set_commit(f, j, text_of(commit));
    }
}

/* Offline, the commit is that of the last run. */
static void ask_revision(struct fetcher *f, struct job *j)
{
    struct buffer url, key;
    struct cache_entry entry;
    struct revision *r = revision_of(f, j);
    revision_key(&key, f, j);
    if (r) {
        set_commit(f, j, text_of(r->commit));
    } else if (f->config->offline && cache_find(&f->cache, buffer_view(&key), &entry)) {
        set_commit(f, j, entry.bytes);
        cache_entry_done(&entry);
    } else {
        endpoint(&url, f);
        hub_revision(&url, &j->place);
        begin_step(f, j, STEP_REVISION, &url);
    }
    buffer_done(&key);
}

void hub_begin(struct fetcher *f, struct job *j)
{
    const char *wrong = hub_parse(&j->place, j->request.url, &j->arena);
    j->hub = true;
    if (!wrong) wrong = f->config->problem;
    if (!wrong && j->request.list && j->place.path.n) wrong = "a file of a repository cannot be listed";
    if (!wrong && !j->request.list && !j->place.path.n)
        wrong = "which file of the repository to read is missing";
    if (wrong) {
        job_fail(f, j, FETCH_REFUSED, "%s", wrong);
    } else if (hub_is_commit(j->place.rev)) {
        j->commit = j->place.rev;
        with_commit(f, j);
    } else {
        ask_revision(f, j);
    }
}

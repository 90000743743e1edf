/* remote_section.c -- what was fetched of a remote checkpoint: an object in every document about one. */
#include "reporter/remote_section.h"

#include "reader/checkpoint.h"
#include "reader/remote.h"

static const struct column remote_columns[] = {
    { "url", NULL, 0, AT(CELL_TEXT, struct remote, url) },
    { "commit", NULL, 0, AT(CELL_TEXT, struct remote, commit) },
    { "files", NULL, 0, AT(CELL_COUNT, struct remote, read) },
    { "bytes_fetched", NULL, 0, AT(CELL_COUNT, struct remote, fetched) },
    { "bytes_cached", NULL, 0, AT(CELL_COUNT, struct remote, kept) },
};
static const struct table remote_table =
    TABLE_OF("remote", NULL, SECTION_OBJECT, TABLE_HIDDEN, NULL, remote_columns);
static const struct table remotes_table =
    TABLE_OF("remotes", NULL, SECTION_LIST, TABLE_HIDDEN, NULL, remote_columns);

void remote_section(struct numel_report *r, const struct numel_checkpoint *ck)
{
    if (ck && ck->remote) report_one(r, &remote_table, ck->remote);
}

const char *remote_json(const struct remote *remote, struct arena *a)
{
    return table_json(&remote_table, ROWS(remote, 1), NULL, a);
}

bool remotes_section(struct numel_report *r, const struct remote *list, numel_error *e)
{
    size_t n = 0;
    for (const struct remote *x = list; x; x = x->next) n++;
    struct remote *items = n ? arena_alloc(&r->arena, n * sizeof *items) : NULL;
    if (!items) return !n || error_nomem(e);
    for (size_t i = n; i--; list = list->next) items[i] = *list; /* the list has the last one first */
    report_list(r, &remotes_table, ROWS(items, n), NULL);
    return true;
}

/*
 * list.c -- many checkpoints through numel.h alone: rows as they arrive, in disjoint parts, stored and
 * sorted, with a report of each.
 */
#include "embed.h"

struct sum {
    uint64_t rows, parameters, last;
    unsigned out_of_order;
};

static bool take(void *ctx, const numel_row *row)
{
    struct sum *s = ctx;
    s->rows += row->error == NULL;
    if (!row->error && row->parameters != NUMEL_NOT_KNOWN) s->parameters += row->parameters;
    s->out_of_order += s->rows > 1 && row->bytes > s->last;
    s->last = row->bytes;
    return true;
}

static bool to_text(void *ctx, const void *p, size_t bytes)
{
    char *out = ctx;
    size_t n = strlen(out);
    if (n + bytes < 4096) memcpy(out + n, p, bytes), out[n + bytes] = 0;
    return true;
}

static numel_totals list(const char *path, struct sum *s, uint32_t shard, uint32_t shards, const char *sort)
{
    numel_listing how = NUMEL_INIT(numel_listing);
    numel_totals totals = NUMEL_INIT(numel_totals);
    numel_report *r;
    numel_list *l;
    numel_error e;
    how.row = take;
    how.row_ctx = s;
    how.threads = shards + 1;
    how.shard = shard, how.shards = shards;
    how.sort = sort;
    how.memory = 1; /* one byte: nearly everything spills to a file */
    EXPECT(numel_list_open(&l, &how, NULL, &e) == NUMEL_OK);
    EXPECT(numel_list_path(l, path, &e) == NUMEL_OK);
    EXPECT(numel_list_end(l, &totals, &e) == NUMEL_OK);
    EXPECT((numel_report_rows(&r, l, &totals, NULL, NULL, &e) == NUMEL_OK) == (sort != NULL));
    numel_report_free(r);
    numel_list_free(l);
    return totals;
}

static void report_one(void)
{
    char text[4096] = "";
    numel_row row = NUMEL_INIT(numel_row);
    numel_columns columns = NUMEL_INIT(numel_columns);
    numel_style style = NUMEL_INIT(numel_style);
    numel_report *r;
    numel_error e;
    row.path = "a/b", row.name = "b\x1b";
    row.bytes = 7;
    columns.columns = "name,bytes";
    style.format = NUMEL_CSV;
    EXPECT(numel_report_row(&r, &row, &columns, NULL, &e) == NUMEL_OK);
    EXPECT(numel_report_write(r, &style, to_text, text, &e) == NUMEL_OK);
    EXPECT(strcmp(text, "name,bytes\r\nb\\x1b,7\r\n") == 0);
    numel_report_free(r);
    columns.columns = "name,nonsense";
    EXPECT(numel_report_row(&r, &row, &columns, NULL, &e) == NUMEL_E_USAGE && !r);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "fixtures";
    struct sum whole = { 0 }, parts = { 0 }, sorted = { 0 };
    numel_totals totals = list(path, &whole, 0, 0, NULL);
    EXPECT(whole.rows > 10 && totals.checkpoints == whole.rows && totals.parameters == whole.parameters);
    for (uint32_t i = 1; i <= 3; i++) list(path, &parts, i, 3, NULL);
    EXPECT(parts.rows == whole.rows && parts.parameters == whole.parameters);
    list(path, &sorted, 0, 0, "bytes");
    EXPECT(sorted.rows == whole.rows && sorted.out_of_order == 0);
    report_one();
    return 0;
}

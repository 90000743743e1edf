/*
 * symbols_host.c -- a program that embeds the library and defines functions with the names of internal ones.
 * It links the static archive, and both must keep calling their own. It opens and counts the file named on
 * the command line: `host FILE` prints "TENSORS STORED".
 */
#include <numel.h>

#include <inttypes.h>
#include <stdio.h>

int eval(const char *s);
int expand(int v);
int arena_init(void);
int config_open(void);
int memory_resize(int v);
extern const char *const memory_malloc;

int eval(const char *s) { return s[0]; }
int expand(int v) { return v + 1; }
int arena_init(void) { return 2; }
int config_open(void) { return 3; }
int memory_resize(int v) { return -v; }
const char *const memory_malloc = "the host's";

static int own_names_work(void)
{
    return eval("a") == 'a' && expand(1) == 2 && arena_init() == 2 && config_open() == 3 &&
           memory_resize(4) == -4 && memory_malloc[0] == 't';
}

int main(int argc, char **argv)
{
    numel_found *found = NULL;
    numel_checkpoint *ck = NULL;
    numel_subject *model = NULL;
    numel_report *r = NULL;
    numel_counts n = NUMEL_INIT(numel_counts);
    numel_error e = { 0 };
    if (argc < 2 || !own_names_work()) return 2;
    if (numel_find(&found, argv[1], NULL, &e) == NUMEL_OK &&
        numel_open(&ck, found, 0, NULL, &e) == NUMEL_OK &&
        numel_subject_of(&model, ck, NULL, NULL, &e) == NUMEL_OK &&
        numel_report_reconcile(&r, model, NULL, &e) == NUMEL_OK &&
        numel_subject_counts(model, &n, &e) == NUMEL_OK)
        printf("%" PRIu64 " %" PRIu64 "\n", n.tensors, n.stored);
    if (e.code != NUMEL_OK) fprintf(stderr, "%s\n", e.what);
    numel_report_free(r);
    numel_subject_close(model);
    numel_free(ck);
    numel_found_free(found);
    return e.code != NUMEL_OK || !own_names_work();
}

/*
 * list_space.c -- numel list --leftovers and --duplicates: one report on all paths instead of a row for each
 * checkpoint.
 */
#include "cli.h"

/* An option that does not go with it; NULL if there is none. */
static const char *misplaced(const struct options *o)
{
    const struct list_options *l = &o->list;
    return l->columns                     ? "--columns"
           : l->sort                      ? "--sort"
           : l->reverse                   ? "--reverse"
           : l->top                       ? "--top"
           : l->since                     ? "--since"
           : l->from                      ? "--files-from"
           : l->shard                     ? "--shard"
           : l->resume                    ? "--resume"
           : l->cache                     ? "--cache"
           : l->totals                    ? "--totals"
           : l->memory                    ? "--buffer"
           : l->zero && !l->leftovers     ? "--null"
           : l->deep                      ? "--deep"
           : o->knowledge.fit             ? "--fit"
           : o->style.format == NUMEL_CSV ? "--csv"
                                          : NULL;
}

static bool is_refused(const struct options *o)
{
    const struct list_options *l = &o->list;
    const char *what = l->leftovers ? "--leftovers" : "--duplicates", *other = misplaced(o);
    if (l->leftovers && l->duplicates) other = "--duplicates";
    if (l->hash && !l->duplicates) say("numel list: --hash needs --duplicates");
    else if (other) say("numel list: %s cannot be combined with %s", other, what);
    return other || (l->hash && !l->duplicates);
}

int list_space(const struct options *o)
{
    static const char *const here[] = { "." };
    const char *const *paths = o->count ? o->args : here;
    size_t n = o->count ? o->count : 1;
    const struct list_options *l = &o->list;
    struct output out;
    numel_report *r;
    numel_error e;
    if (is_refused(o)) return EXIT_USAGE;
    numel_rc rc = l->leftovers ? numel_report_leftovers(&r, paths, n, l->zero, &o->library, &e)
                               : numel_report_duplicates(&r, paths, n, l->hash, &o->library, &e);
    if (rc != NUMEL_OK) return output_refused(o, NULL, &e);
    int status = status_of_report(r) == EXIT_AGREE ? EXIT_AGREE : EXIT_SOME;
    output_begin(&out, o, false);
    output_report(&out, r);
    return output_end(&out, status);
}

/* debts.c -- see debts.h. */
#include "debts.h"

#include "draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *debts_read(const char *path)
{
    size_t n = 0;
    char *text = path ? file_read(path, &n) : NULL, *all = must(malloc(n + 2));
    snprintf(all, n + 2, "\n%s", text ? text : "");
    free(text);
    return all;
}

bool debts_name(const char *ledger, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = ledger; (at = strstr(at, name)); at += n)
        if (at[-1] == '\n' && at[n] == ' ') return true;
    return false;
}

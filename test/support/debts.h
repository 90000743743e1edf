/*
 * debts.h -- ledgers of what is known to be wrong or missing: a name a line, a blank, the reason.
 *
 * What a ledger names and is good must be taken out of it, so that it can only shrink.
 */
#ifndef NUMEL_TEST_DEBTS_H
#define NUMEL_TEST_DEBTS_H

#include <stdbool.h>

/* The text of a ledger, with a line break before its first line too; none where path is NULL. Freed by the caller. */
char *debts_read(const char *path);
bool debts_name(const char *ledger, const char *name);

#endif

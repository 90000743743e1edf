/*
 * debts.h -- ledgers of known failures and gaps: one name per line, a blank, the reason.
 *
 * An entry that now passes must be removed, so a ledger can only shrink.
 */
#ifndef NUMEL_TEST_DEBTS_H
#define NUMEL_TEST_DEBTS_H

#include <stdbool.h>

/* The text of a ledger, with a line break before its first line too; empty if path is NULL. The caller
 * frees it. */
char *debts_read(const char *path);
bool debts_name(const char *ledger, const char *name);

#endif

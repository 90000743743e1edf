/*
 * fetcher.h -- requests become jobs, jobs become exchanges, and answers come out.
 *
 * main.c does the input and output: it passes lines in and writes `out`. Nothing here waits: fetcher_turn() does
 * whatever can be done now.
 */
#ifndef NUMEL_FETCH_FETCHER_H
#define NUMEL_FETCH_FETCHER_H

#include "fetch/config.h"
#include "fetch/transport.h"

struct fetcher;

/* Borrows the configuration. NULL without memory. */
NUMEL_MUST struct fetcher *fetcher_new(const struct config *c);
void fetcher_free(struct fetcher *f);
/* False if the line is not a request. */
NUMEL_MUST bool fetcher_line(struct fetcher *f, numel_str line);
/* Starts and continues jobs. Returns the milliseconds until there may be more to do without news from outside. */
unsigned fetcher_turn(struct fetcher *f);
/* True if each request has its answer in `out`. */
bool fetcher_idle(const struct fetcher *f);
/* The answers so far. The caller removes what it has written. */
struct buffer *fetcher_out(struct fetcher *f);
struct transport *fetcher_transport(struct fetcher *f);

#endif

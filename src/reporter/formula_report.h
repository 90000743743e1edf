/* formula_report.h -- what the reports of formula and reconcile share. */
#ifndef NUMEL_REPORTER_FORMULA_REPORT_H
#define NUMEL_REPORTER_FORMULA_REPORT_H

#include "formula/terms.h"
#include "reporter/report.h"
#include "reporter/understand.h"

void formula_symbols(struct numel_report *r, const struct terms *t, bool hidden);
/* "llama (by DIR/config.json)", in the understanding's arena; NULL without an architecture. */
const char *architecture_line(struct understanding *u);

#endif

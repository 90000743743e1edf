/*
 * sections.h -- parts of a page that several reports have: each adds its sections behind those that
 * the report has already. What they show belongs to the report, or outlives it.
 */
#ifndef NUMEL_REPORTER_SECTIONS_H
#define NUMEL_REPORTER_SECTIONS_H

#include "adapter/adapter.h"
#include "model/model.h"
#include "model/unknown.h"
#include "counters/others.h"
#include "formula/terms.h"
#include "page/report.h"
#include "verify/hash.h"
#include "verify/values.h"

/* What people call it; null in JSON where its path is all. The checkpoint may be NULL. */
void name_section(struct numel_report *r, const struct numel_checkpoint *ck);
/* The name of a component, above what says no path; text alone, and nothing of any other checkpoint. */
void component_section(struct numel_report *r, const struct numel_checkpoint *ck);
/* What else lies in the folder and holds weights, "around" in JSON unless `text`; what `told` has is left out. Nothing where
 * dir is NULL. NOMEM. */
NUMEL_MUST bool around_section(struct numel_report *r, const char *dir, const numel_found *told, bool text,
                               numel_error *e);
/* The findings of a checkpoint, each with the number of its cause in the judgement, which outlives the report. NOMEM. */
NUMEL_MUST bool report_findings(struct numel_report *r, const struct numel_checkpoint *ck,
                                const numel_judgement *j, numel_error *e);
/* "model-2.safetensors:96: a.weight: data_offsets begin at ...": what of it is not said already; `file`: "" where that is
 * the file. NULL: NOMEM. */
NUMEL_MUST const char *finding_text(struct arena *a, const char *file, const numel_finding *f);
/* formula_report.c: the symbols with their evidence. */
void formula_symbols(struct numel_report *r, const struct terms *t, bool hidden);
/* "llama (by DIR/config.json)", in the model's arena; NULL without an architecture. */
NUMEL_MUST const char *architecture_line(struct model *u);
/* "symbols", "terms" and "notes" of an inferred formula. */
void unknown_sections(struct numel_report *r, const struct unknown *u);
/* Is it a model for which there is no specification? Not one that is broken, and no adapter. */
bool unknown_is(const struct model *m, const struct adapter *adapter);
/* "unknown, no specification for foo", with what names and shapes tell of it when `told`; for those of
 * unknown_is(). NOMEM. */
NUMEL_MUST bool unknown_architecture(const char **out, const struct model *m, bool told, struct arena *a,
                                     numel_error *e);
/* In text, a line for each component that no specification knows, in a model of which all else fits, or of which
 * nothing is known. NOMEM. */
NUMEL_MUST bool unknown_components(struct numel_report *r, const struct model *m,
                                   const struct adapter *adapter, numel_error *e);
/* JSON "adapter" is null for what is none. NOMEM. */
NUMEL_MUST bool adapter_sections(struct numel_report *r, const struct adapter *a, numel_error *e);
/* What it comes to, in a sentence, of the arena; NULL: NOMEM, which the arena remembers. */
NUMEL_MUST const char *adapter_verdict(const struct adapter *a, struct arena *arena);
/* The parts of a checkpoint of training; of any other nothing. NOMEM. */
NUMEL_MUST bool training_section(struct numel_report *r, const struct model *m, numel_error *e);
/* Of an index of which no shard is here: its names and its total against the formula, and *text for the head; of any other
 * nothing, and NULL. The model may be NULL. NOMEM. */
NUMEL_MUST bool promised_section(struct numel_report *r, const struct model *m, const char **text,
                                 numel_error *e);
/* How many tensors rest on what. NOMEM. */
struct handle;
NUMEL_MUST bool ground_section(struct numel_report *r, const struct handle *c, const struct adapter *a,
                               numel_error *e);
/* What other counters show. False when out of memory. */
bool others_sections(struct numel_report *r, const struct others *o);

/* Of numel verify: files, findings, verdict, next steps; NOMEM. */
NUMEL_MUST bool verify_sections(struct numel_report *out, struct verify *v, numel_error *e);
/* What the level `hash` came to, behind the files; a word for the verdict. */
NUMEL_MUST bool verify_hash_sections(struct numel_report *out, const struct verify *v);
NUMEL_MUST const char *verify_hash_verdict(struct arena *a, const struct hashed *h);
/* For its verdict: how many findings are about what may run code, and errors; NULL when out of memory. */
NUMEL_MUST const char *verify_review_words(struct arena *a, uint64_t findings);
/* What --values counted; nothing when it was not asked for. False when out of memory. */
bool verify_values_sections(struct numel_report *out, const struct verify *v);

/* verify_components.c: the report of a pipeline's folder, whose checkpoints have reports of their own. */
NUMEL_MUST bool verify_folder(struct numel_report *out, numel_subject *, const numel_check *, numel_error *);

#endif

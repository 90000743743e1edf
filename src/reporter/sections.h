/*
 * sections.h -- sections that several reports have. Each function adds its sections after the existing ones.
 * What they show belongs to the report, or outlives it.
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

/* The common name; null in JSON if there is only a path. For a remote one, "remote" in JSON. The checkpoint may be
 * NULL. */
void name_section(struct numel_report *r, const struct numel_checkpoint *ck);
/* The name of a component, for reports without a path. Text only; nothing for other checkpoints. */
void component_section(struct numel_report *r, const struct numel_checkpoint *ck);
/* Other contents of the folder that hold weights, without those in `told`; "around" in JSON unless `text`.
 * Nothing if dir is NULL. NOMEM. */
NUMEL_MUST bool around_section(struct numel_report *r, const char *dir, const numel_found *told, bool text,
                               numel_error *e);
/* The findings of a checkpoint, each with the number of its cause in the judgement. The judgement must
 * outlive the report. NOMEM. */
NUMEL_MUST bool report_findings(struct numel_report *r, const struct numel_checkpoint *ck,
                                const numel_judgement *j, numel_error *e);
/* "model-2.safetensors:96: a.weight: data_offsets begin at ...", without what the message already
 * contains. `file` is "" if it is obvious. NULL: NOMEM. */
NUMEL_MUST const char *finding_text(struct arena *a, const char *file, const numel_finding *f);
/* The name of a severity, with its tone. */
struct cell severity_cell(numel_severity severity);
/* The symbols with their evidence (formula_report.c). */
void formula_symbols(struct numel_report *r, const struct terms *t, bool hidden);
/* "llama (by DIR/config.json)", in the model's arena; NULL without an architecture. */
NUMEL_MUST const char *architecture_line(struct model *u);
/* "symbols", "terms" and "notes" of an inferred formula. */
void unknown_sections(struct numel_report *r, const struct unknown *u);
/* Is it a model without a specification? Not if it is an adapter, or its configuration is broken. */
bool unknown_is(const struct model *m, const struct adapter *adapter);
/* "unknown, no specification for foo"; `told` adds what names and shapes show. For models that are
 * unknown_is(). NOMEM. */
NUMEL_MUST bool unknown_architecture(const char **out, const struct model *m, bool told, struct arena *a,
                                     numel_error *e);
/* A line of text for each component that no specification knows, if the rest of the model fits, or nothing
 * is known about the model. NOMEM. */
NUMEL_MUST bool unknown_components(struct numel_report *r, const struct model *m,
                                   const struct adapter *adapter, numel_error *e);
/* "adapter" in JSON is null for other checkpoints. NOMEM. */
NUMEL_MUST bool adapter_sections(struct numel_report *r, const struct adapter *a, numel_error *e);
/* The adapter's verdict in one sentence, in the arena; no text if memory runs out, which the arena records. */
struct toned adapter_verdict(const struct adapter *a, struct arena *arena);
/* The parts of a training checkpoint; nothing for others. NOMEM. */
NUMEL_MUST bool training_section(struct numel_report *r, const struct model *m, numel_error *e);
/* For an index without shards: compares its names and its total with the formula, and sets *text for the
 * head. Otherwise adds nothing, and *text is NULL. The model may be NULL. NOMEM. */
NUMEL_MUST bool promised_section(struct numel_report *r, const struct model *m, const char **text,
                                 numel_error *e);
/* The number of tensors on each ground. NOMEM. */
struct handle;
NUMEL_MUST bool ground_section(struct numel_report *r, const struct handle *c, const struct adapter *a,
                               numel_error *e);
/* The readings of other counters. False: NOMEM. */
bool others_sections(struct numel_report *r, const struct others *o);

/* For numel verify: files, findings, verdict, next steps. NOMEM. */
NUMEL_MUST bool verify_sections(struct numel_report *out, struct verify *v, numel_error *e);
/* The results of the level `hash`, after the files, and a phrase for the verdict. */
NUMEL_MUST bool verify_hash_sections(struct numel_report *out, const struct verify *v);
NUMEL_MUST const char *verify_hash_verdict(struct arena *a, const struct hashed *h);
/* For the verdict: the number of findings, errors included, about files that may run code. NULL: NOMEM. */
NUMEL_MUST const char *verify_review_words(struct arena *a, uint64_t findings);
/* The results of --values; nothing if it was not requested. False: NOMEM. */
bool verify_values_sections(struct numel_report *out, const struct verify *v);

/* The report on a pipeline's folder; its checkpoints have separate reports (verify_components.c). */
NUMEL_MUST bool verify_folder(struct numel_report *out, numel_subject *, const numel_check *, numel_error *);

#endif

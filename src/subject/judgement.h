/*
 * judgement.h -- what a path is and whether it is sound: judged once, shown by every command.
 *
 *   kind           model
 *   architecture   llama                           as its files name it, else its specification
 *   name           LlamaForCausalLM                the class or product, for people
 *   known_by       configuration or metadata, names and shapes, the user
 *   verdict        disagrees
 *   causes         layers-differ: config.json says 2 layers (num_hidden_layers), the file has 4: set it to 4
 *
 * Bytes come first: a damaged or incomplete file never agrees, whatever its names and shapes. Next is
 * whatever no loader would load, then the statement. A judgement is made once, as a part of its handle
 * (statement/handle.h).
 *
 * Causes are sentences, most likely first. Each has the number of differences and findings that it explains.
 */
#ifndef NUMEL_SUBJECT_JUDGEMENT_H
#define NUMEL_SUBJECT_JUDGEMENT_H

#include "adapter/adapter.h"
#include "statement/handle.h"

/* The judgement of a handle, made once together with its model. NULL and *e as for handle_ready(), or IO
 * if an adapter's configuration cannot be read from disk. */
NUMEL_MUST const numel_judgement *judgement_of(struct handle *c, numel_error *e);

#endif

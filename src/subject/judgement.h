/*
 * judgement.h -- what a path is, and whether it is all right: judged once, printed by every command.
 *
 *     kind          model
 *     architecture  llama                     as its files call it, else as its specification does
 *     name          LlamaForCausalLM          the class or product, for people
 *     known_by      configuration             or metadata, names and shapes, the user
 *     verdict       disagrees
 *     causes        layers-differ: config.json says 2 layers (num_hidden_layers), the file has 4: set it to 4
 *
 * Bytes come first: damaged or incomplete files never agree, whatever their names and shapes. Then what no
 * loader would load, then the statement. A judgement is a part of its handle (statement/handle.h), made once.
 *
 * Causes are sentences, the truest first; each has the number of differences and findings that follow from it.
 */
#ifndef NUMEL_SUBJECT_JUDGEMENT_H
#define NUMEL_SUBJECT_JUDGEMENT_H

#include "adapter/adapter.h"
#include "statement/handle.h"

/* The judgement of a handle, made once, with its model; NULL and *e as handle_ready(), or IO if the disk does
 * not give an adapter's configuration. */
NUMEL_MUST const numel_judgement *judgement_of(struct handle *c, numel_error *e);

#endif

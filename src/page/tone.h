/*
 * tone.h -- what the names of element types and roles tell: how wide a type is, what a tensor is for. The
 * tones of verdicts come with their cells (report.h).
 */
#ifndef NUMEL_PAGE_TONE_H
#define NUMEL_PAGE_TONE_H

#include "page/report.h"

/* What a tensor of this role is for: "attn.q". */
enum cell_role role_of(numel_str role);
/* The tone of an element type: "BF16", "Q4_K". */
enum tone tone_of_type(numel_str type);

#endif

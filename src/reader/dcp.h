/* dcp.h -- joins tensors that the ranks of a training run wrote in slices: see dcp.c. */
#ifndef NUMEL_READER_DCP_H
#define NUMEL_READER_DCP_H

#include "reader/checkpoint.h"

/* After the last file. Slices that fit together become one tensor, without a place in any file (its offset
 * is NUMEL_NOWHERE); others are left unchanged, with a finding. */
NUMEL_MUST bool dcp_join(numel_checkpoint *ck, numel_error *e);

#endif

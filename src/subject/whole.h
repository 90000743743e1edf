/* whole.h -- the joint judgement of several models: a pipeline's folder, or one file with several models. */
#ifndef NUMEL_SUBJECT_WHOLE_H
#define NUMEL_SUBJECT_WHOLE_H

#include "components/components.h"
#include "subject/judgement.h"

/* Needs components that were asked (components_ask()). Texts belong to the arena or the components. Each
 * cause is an unsound component, or an error in the bytes of the one file. NOMEM. */
NUMEL_MUST bool judgement_of_whole(numel_judgement *out, const struct components *c, struct arena *a,
                                   numel_error *e);

#endif

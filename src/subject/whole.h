/* whole.h -- the judgement of several models together: a pipeline's folder, or one file with several models. */
#ifndef NUMEL_SUBJECT_WHOLE_H
#define NUMEL_SUBJECT_WHOLE_H

#include "components/components.h"
#include "subject/judgement.h"

/* Needs components that were asked (components_ask()); texts are in the arena or the components. A cause is a
 * component that is not all right, or an error in the bytes of the one file. NOMEM. */
NUMEL_MUST bool judgement_of_whole(numel_judgement *out, const struct components *c, struct arena *a,
                                   numel_error *e);

#endif

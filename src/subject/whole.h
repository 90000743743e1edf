/* whole.h -- the judgement of several models that are one: a pipeline's folder, or one file with several models in it. */
#ifndef NUMEL_SUBJECT_WHOLE_H
#define NUMEL_SUBJECT_WHOLE_H

#include "components/components.h"
#include "subject/judgement.h"

/* Of components that were asked (components_ask()); texts are of the arena, or of the components. A cause is a component that
 * is not all right, or what is wrong with the bytes of the one file. NOMEM. */
NUMEL_MUST bool judgement_of_whole(numel_judgement *out, const struct components *c, struct arena *a,
                                   numel_error *e);

#endif

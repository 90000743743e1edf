packed_beside.o: src/model/packed_beside.c src/model/packed_internal.h \
  src/model/packed.h src/formula/expand.h src/formula/poly.h \
  src/base/buffer.h src/base/memory.h src/base/error.h include/numel.h \
  src/formula/walk.h src/formula/eval.h src/formula/config.h \
  src/formula/spec.h src/base/json_doc.h src/base/text.h \
  src/base/fixed.h src/base/num.h src/formula/value.h \
  src/registry/metadata.h src/formula/witness.h src/formula/layout.h \
  src/formula/library.h src/registry/members.h src/registry/registry.h \
  src/base/names.h src/registry/patterns.h src/base/number.h

src/model/packed_internal.h:

src/model/packed.h:

src/formula/expand.h:

src/formula/poly.h:

src/base/buffer.h:

src/base/memory.h:

src/base/error.h:

include/numel.h:

src/formula/walk.h:

src/formula/eval.h:

src/formula/config.h:

src/formula/spec.h:

src/base/json_doc.h:

src/base/text.h:

src/base/fixed.h:

src/base/num.h:

src/formula/value.h:

src/registry/metadata.h:

src/formula/witness.h:

src/formula/layout.h:

src/formula/library.h:

src/registry/members.h:

src/registry/registry.h:

src/base/names.h:

src/registry/patterns.h:

src/base/number.h:

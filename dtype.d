dtype.o: src/registry/dtype.c src/registry/dtype.h src/base/memory.h \
  src/base/error.h include/numel.h src/base/text.h src/base/buffer.h \
  src/base/fixed.h src/base/num.h

src/registry/dtype.h:

src/base/memory.h:

src/base/error.h:

include/numel.h:

src/base/text.h:

src/base/buffer.h:

src/base/fixed.h:

src/base/num.h:

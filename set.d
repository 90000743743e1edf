set.o: src/reader/set.c src/reader/checkpoint.h src/reader/find.h \
  src/reader/shard_index.h src/base/json_scan.h src/base/memory.h \
  src/base/error.h include/numel.h src/base/num.h src/base/names.h \
  src/reader/reader.h src/registry/dtype.h src/registry/finding.h \
  src/registry/metadata.h src/registry/registry.h \
  src/registry/patterns.h src/reader/recognise.h src/source/source.h \
  src/base/text.h src/base/buffer.h src/base/fixed.h src/source/folder.h

src/reader/checkpoint.h:

src/reader/find.h:

src/reader/shard_index.h:

src/base/json_scan.h:

src/base/memory.h:

src/base/error.h:

include/numel.h:

src/base/num.h:

src/base/names.h:

src/reader/reader.h:

src/registry/dtype.h:

src/registry/finding.h:

src/registry/metadata.h:

src/registry/registry.h:

src/registry/patterns.h:

src/reader/recognise.h:

src/source/source.h:

src/base/text.h:

src/base/buffer.h:

src/base/fixed.h:

src/source/folder.h:

supposed.o: src/model/supposed.c src/model/supposed.h src/model/model.h \
  src/formula/expand.h src/formula/poly.h src/base/buffer.h \
  src/base/memory.h src/base/error.h include/numel.h src/formula/walk.h \
  src/formula/eval.h src/formula/config.h src/formula/spec.h \
  src/base/json_doc.h src/base/text.h src/base/fixed.h src/base/num.h \
  src/formula/value.h src/registry/metadata.h src/formula/witness.h \
  src/formula/library.h src/model/counts.h src/model/differences.h \
  src/base/names.h src/model/cause.h src/model/file_kind.h \
  src/reader/checkpoint.h src/reader/find.h src/reader/shard_index.h \
  src/base/json_scan.h src/reader/reader.h src/registry/dtype.h \
  src/registry/finding.h src/registry/registry.h src/registry/patterns.h \
  src/reader/recognise.h src/source/source.h src/model/said_type.h

src/model/supposed.h:

src/model/model.h:

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

src/formula/library.h:

src/model/counts.h:

src/model/differences.h:

src/base/names.h:

src/model/cause.h:

src/model/file_kind.h:

src/reader/checkpoint.h:

src/reader/find.h:

src/reader/shard_index.h:

src/base/json_scan.h:

src/reader/reader.h:

src/registry/dtype.h:

src/registry/finding.h:

src/registry/registry.h:

src/registry/patterns.h:

src/reader/recognise.h:

src/source/source.h:

src/model/said_type.h:

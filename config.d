config.o: src/verify/config.c src/verify/lint_internal.h \
  src/verify/verify.h src/source/stream.h src/base/error.h \
  include/numel.h src/base/num.h src/statement/handle.h \
  src/formula/terms.h src/formula/expand.h src/formula/poly.h \
  src/base/buffer.h src/base/memory.h src/formula/walk.h \
  src/formula/eval.h src/formula/config.h src/formula/spec.h \
  src/base/json_doc.h src/base/text.h src/base/fixed.h \
  src/formula/value.h src/registry/metadata.h src/formula/witness.h \
  src/model/roles.h src/model/model.h src/formula/library.h \
  src/model/counts.h src/model/differences.h src/base/names.h \
  src/model/cause.h src/model/file_kind.h src/reader/checkpoint.h \
  src/reader/find.h src/reader/shard_index.h src/base/json_scan.h \
  src/reader/reader.h src/registry/dtype.h src/registry/finding.h \
  src/registry/registry.h src/registry/patterns.h src/reader/recognise.h \
  src/source/source.h src/model/tensor.h src/formula/layout.h \
  src/statement/statement.h src/statement/line.h src/statement/tied.h \
  src/statement/unchecked.h src/model/llama_cpp.h src/model/meanings.h \
  src/model/meaning.h src/source/folder.h

src/verify/lint_internal.h:

src/verify/verify.h:

src/source/stream.h:

src/base/error.h:

include/numel.h:

src/base/num.h:

src/statement/handle.h:

src/formula/terms.h:

src/formula/expand.h:

src/formula/poly.h:

src/base/buffer.h:

src/base/memory.h:

src/formula/walk.h:

src/formula/eval.h:

src/formula/config.h:

src/formula/spec.h:

src/base/json_doc.h:

src/base/text.h:

src/base/fixed.h:

src/formula/value.h:

src/registry/metadata.h:

src/formula/witness.h:

src/model/roles.h:

src/model/model.h:

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

src/model/tensor.h:

src/formula/layout.h:

src/statement/statement.h:

src/statement/line.h:

src/statement/tied.h:

src/statement/unchecked.h:

src/model/llama_cpp.h:

src/model/meanings.h:

src/model/meaning.h:

src/source/folder.h:

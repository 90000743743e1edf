show_tree.o: src/reporter/show_tree.c src/reporter/show.h \
  src/adapter/adapter.h src/base/json_doc.h src/base/memory.h \
  src/base/error.h include/numel.h src/model/cause.h \
  src/model/meanings.h src/model/meaning.h src/base/text.h \
  src/base/buffer.h src/base/fixed.h src/base/num.h src/formula/layout.h \
  src/formula/eval.h src/formula/config.h src/formula/spec.h \
  src/formula/value.h src/registry/metadata.h src/formula/witness.h \
  src/formula/library.h src/registry/registry.h src/base/names.h \
  src/registry/patterns.h src/reader/checkpoint.h src/reader/find.h \
  src/reader/shard_index.h src/base/json_scan.h src/reader/reader.h \
  src/registry/dtype.h src/registry/finding.h src/reader/recognise.h \
  src/source/source.h src/statement/handle.h src/formula/terms.h \
  src/formula/expand.h src/formula/poly.h src/formula/walk.h \
  src/model/roles.h src/model/model.h src/model/counts.h \
  src/model/differences.h src/model/file_kind.h src/model/tensor.h \
  src/statement/statement.h src/statement/line.h src/statement/tied.h \
  src/statement/unchecked.h src/subject/judgement.h src/page/report.h \
  src/page/checks.h src/reporter/groups.h src/registry/fold.h \
  src/reporter/mixture_section.h src/registry/mixture.h \
  src/registry/file_type.h src/reporter/quantization.h \
  src/model/packing.h

src/reporter/show.h:

src/adapter/adapter.h:

src/base/json_doc.h:

src/base/memory.h:

src/base/error.h:

include/numel.h:

src/model/cause.h:

src/model/meanings.h:

src/model/meaning.h:

src/base/text.h:

src/base/buffer.h:

src/base/fixed.h:

src/base/num.h:

src/formula/layout.h:

src/formula/eval.h:

src/formula/config.h:

src/formula/spec.h:

src/formula/value.h:

src/registry/metadata.h:

src/formula/witness.h:

src/formula/library.h:

src/registry/registry.h:

src/base/names.h:

src/registry/patterns.h:

src/reader/checkpoint.h:

src/reader/find.h:

src/reader/shard_index.h:

src/base/json_scan.h:

src/reader/reader.h:

src/registry/dtype.h:

src/registry/finding.h:

src/reader/recognise.h:

src/source/source.h:

src/statement/handle.h:

src/formula/terms.h:

src/formula/expand.h:

src/formula/poly.h:

src/formula/walk.h:

src/model/roles.h:

src/model/model.h:

src/model/counts.h:

src/model/differences.h:

src/model/file_kind.h:

src/model/tensor.h:

src/statement/statement.h:

src/statement/line.h:

src/statement/tied.h:

src/statement/unchecked.h:

src/subject/judgement.h:

src/page/report.h:

src/page/checks.h:

src/reporter/groups.h:

src/registry/fold.h:

src/reporter/mixture_section.h:

src/registry/mixture.h:

src/registry/file_type.h:

src/reporter/quantization.h:

src/model/packing.h:

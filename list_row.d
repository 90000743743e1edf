list_row.o: src/reporter/list_row.c src/reporter/list_row.h \
  src/base/memory.h src/base/error.h include/numel.h src/base/text.h \
  src/base/buffer.h src/base/fixed.h src/base/num.h \
  src/components/components.h src/base/json_doc.h \
  src/components/single.h src/components/single_table.h \
  src/registry/registry.h src/base/names.h src/registry/patterns.h \
  src/statement/handle.h src/formula/terms.h src/formula/expand.h \
  src/formula/poly.h src/formula/walk.h src/formula/eval.h \
  src/formula/config.h src/formula/spec.h src/formula/value.h \
  src/registry/metadata.h src/formula/witness.h src/model/roles.h \
  src/model/model.h src/formula/library.h src/model/counts.h \
  src/model/differences.h src/model/cause.h src/model/file_kind.h \
  src/reader/checkpoint.h src/reader/find.h src/reader/shard_index.h \
  src/base/json_scan.h src/reader/reader.h src/registry/dtype.h \
  src/registry/finding.h src/reader/recognise.h src/source/source.h \
  src/model/tensor.h src/formula/layout.h src/statement/statement.h \
  src/statement/line.h src/statement/tied.h src/statement/unchecked.h \
  src/model/context.h src/memory/memory.h src/memory/runtime.h \
  src/formula/cache.h src/registry/main_type.h src/reporter/handles.h \
  src/adapter/adapter.h src/model/meanings.h src/model/meaning.h \
  src/page/report.h src/page/checks.h src/reporter/groups.h \
  src/registry/fold.h src/subject/judgement.h src/subject/subject.h \
  src/reporter/mixture_section.h src/registry/mixture.h \
  src/registry/file_type.h src/reporter/quantization.h \
  src/model/packing.h src/subject/parts.h \
  src/reporter/judgement_section.h

src/reporter/list_row.h:

src/base/memory.h:

src/base/error.h:

include/numel.h:

src/base/text.h:

src/base/buffer.h:

src/base/fixed.h:

src/base/num.h:

src/components/components.h:

src/base/json_doc.h:

src/components/single.h:

src/components/single_table.h:

src/registry/registry.h:

src/base/names.h:

src/registry/patterns.h:

src/statement/handle.h:

src/formula/terms.h:

src/formula/expand.h:

src/formula/poly.h:

src/formula/walk.h:

src/formula/eval.h:

src/formula/config.h:

src/formula/spec.h:

src/formula/value.h:

src/registry/metadata.h:

src/formula/witness.h:

src/model/roles.h:

src/model/model.h:

src/formula/library.h:

src/model/counts.h:

src/model/differences.h:

src/model/cause.h:

src/model/file_kind.h:

src/reader/checkpoint.h:

src/reader/find.h:

src/reader/shard_index.h:

src/base/json_scan.h:

src/reader/reader.h:

src/registry/dtype.h:

src/registry/finding.h:

src/reader/recognise.h:

src/source/source.h:

src/model/tensor.h:

src/formula/layout.h:

src/statement/statement.h:

src/statement/line.h:

src/statement/tied.h:

src/statement/unchecked.h:

src/model/context.h:

src/memory/memory.h:

src/memory/runtime.h:

src/formula/cache.h:

src/registry/main_type.h:

src/reporter/handles.h:

src/adapter/adapter.h:

src/model/meanings.h:

src/model/meaning.h:

src/page/report.h:

src/page/checks.h:

src/reporter/groups.h:

src/registry/fold.h:

src/subject/judgement.h:

src/subject/subject.h:

src/reporter/mixture_section.h:

src/registry/mixture.h:

src/registry/file_type.h:

src/reporter/quantization.h:

src/model/packing.h:

src/subject/parts.h:

src/reporter/judgement_section.h:

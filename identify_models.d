identify_models.o: src/reporter/identify_models.c \
  src/reporter/identify_models.h src/reader/checkpoint.h \
  src/reader/find.h src/reader/shard_index.h src/base/json_scan.h \
  src/base/memory.h src/base/error.h include/numel.h src/base/num.h \
  src/base/names.h src/reader/reader.h src/registry/dtype.h \
  src/registry/finding.h src/registry/metadata.h src/registry/registry.h \
  src/registry/patterns.h src/reader/recognise.h src/source/source.h \
  src/base/text.h src/base/buffer.h src/base/fixed.h src/model/tensor.h \
  src/formula/layout.h src/formula/eval.h src/formula/config.h \
  src/formula/spec.h src/base/json_doc.h src/formula/value.h \
  src/formula/witness.h src/formula/library.h src/model/model.h \
  src/formula/expand.h src/formula/poly.h src/formula/walk.h \
  src/model/counts.h src/model/differences.h src/model/cause.h \
  src/model/file_kind.h src/model/training.h \
  src/reporter/identify_kinds.h src/reporter/judged.h \
  src/subject/subject.h src/components/components.h \
  src/components/single.h src/components/single_table.h \
  src/statement/handle.h src/formula/terms.h src/model/roles.h \
  src/statement/statement.h src/statement/line.h src/statement/tied.h \
  src/statement/unchecked.h src/reporter/judgement_section.h \
  src/page/report.h src/page/checks.h src/subject/judgement.h \
  src/adapter/adapter.h src/model/meanings.h src/model/meaning.h

src/reporter/identify_models.h:

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

src/model/tensor.h:

src/formula/layout.h:

src/formula/eval.h:

src/formula/config.h:

src/formula/spec.h:

src/base/json_doc.h:

src/formula/value.h:

src/formula/witness.h:

src/formula/library.h:

src/model/model.h:

src/formula/expand.h:

src/formula/poly.h:

src/formula/walk.h:

src/model/counts.h:

src/model/differences.h:

src/model/cause.h:

src/model/file_kind.h:

src/model/training.h:

src/reporter/identify_kinds.h:

src/reporter/judged.h:

src/subject/subject.h:

src/components/components.h:

src/components/single.h:

src/components/single_table.h:

src/statement/handle.h:

src/formula/terms.h:

src/model/roles.h:

src/statement/statement.h:

src/statement/line.h:

src/statement/tied.h:

src/statement/unchecked.h:

src/reporter/judgement_section.h:

src/page/report.h:

src/page/checks.h:

src/subject/judgement.h:

src/adapter/adapter.h:

src/model/meanings.h:

src/model/meaning.h:
